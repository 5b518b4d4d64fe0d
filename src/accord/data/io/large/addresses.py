"""Addresses of databases, and of files elsewhere; what opens them is told to nobody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from accord.core.errors import DataError

_SCHEMES = {
    "postgresql": "postgresql", "postgres": "postgresql", "mysql": "mysql", "mariadb": "mysql", "mssql": "mssql",
    "bigquery": "bigquery", "snowflake": "snowflake", "pyspark": "pyspark",
}  # fmt: skip
_URL = re.compile(rf"({'|'.join(_SCHEMES)}):", re.IGNORECASE)
_ELSEWHERE = re.compile(r"(?P<scheme>s3a?|gc?s|abfss?|az|hdfs|memory)://(?P<host>[^/]*)", re.IGNORECASE)
_WITH_ACCOUNT = ("abfs", "abfss", "hdfs")  # container@account, which is no secret
_NAME = r"[^:@/?#\[\]\s]*"
_WHOLE = re.compile(
    rf"(?:{'|'.join(_SCHEMES)})://(?:{_NAME}(?::(?P<password>{_NAME}))?@)?[^@/?#\s]*(?:/[^@?#\s]*)?"
    r"(?:\?(?P<query>[^@#\s]*))?",
    re.IGNORECASE,
)
# Of what may stand behind the question mark.
_SECRETS = {"password", "sslpassword", "passfile", "passwd", "token", "private_key", "private_key_passphrase"}
_HEADS = {b"SQLite format 3\0": "sqlite", b"DUCK": "duckdb"}
_OPENED_WITH: dict[str, str] = {}  # addresses as they were typed, by what is shown of them


def is_elsewhere(given: object) -> bool:
    """s3://bucket/folder and the like: a folder of Parquet, or a file, that fsspec finds."""
    found = _ELSEWHERE.match(given) if isinstance(given, str) else None
    if found is not None and "@" in found["host"] and found["scheme"] not in _WITH_ACCOUNT:
        raise DataError(f"{found['scheme']}://…: keys do not stand in the address, but in the environment")
    return found is not None


def is_url(given: object) -> bool:
    return isinstance(given, str) and _URL.match(given) is not None


def scheme(address: str) -> str:
    """Which kind of database an address is of."""
    found = _URL.match(address)
    return _SCHEMES[found[1].lower()] if found else ""


def without_secrets(given: Any) -> Any:
    """The same without passwords in addresses: what is kept, shown and logged. This process alone remembers them."""
    if isinstance(given, str):
        return _shown(given) if is_url(given) else given
    if isinstance(given, list | tuple) and any(map(is_url, given)):
        return type(given)(without_secrets(one) for one in given)
    return given


def opened_with(shown: str) -> str:
    """The address with all that was typed."""
    return _OPENED_WITH.get(shown, shown)


def secrets_in(address: str) -> list[str]:
    """What must not be seen, as typed and as meant."""
    parts = _parts(address)
    found = [parts["password"], *(value for name, value in _options(parts) if name in _SECRETS)]
    return [secret for one in found if one for secret in dict.fromkeys([one, unquote(one)])]


def kind_of_file(path: Path) -> str | None:
    """sqlite, duckdb, or None: by how the file begins, whatever it is called."""
    try:
        if not path.is_file():  # a pipe would be waited for
            return None
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        return None
    return next((kind for sign, kind in _HEADS.items() if head.startswith(sign) or head[8:].startswith(sign)), None)


def databases(given: Sequence[Any]) -> list[str]:
    """Those of the paths that are databases."""
    return [str(one) for one in given if is_url(one) or (not is_elsewhere(one) and kind_of_file(Path(one)) is not None)]


def _parts(address: str) -> re.Match[str]:
    """An address of which one does not know where the password ends is not repeated."""
    found = _WHOLE.fullmatch(address)
    if found is None:
        raise DataError(
            "the address of a database is postgresql://user:password@host:port/name?option=value; the signs @ : / ? # "
            "[ ] within a name or a password are written as %40 %3A %2F %3F %23 %5B %5D"
        )
    return found


def _options(parts: re.Match[str]) -> list[tuple[str, str]]:
    """Names and values as typed."""
    pairs = (one.partition("=") for one in (parts["query"] or "").split("&") if one)
    return [(unquote(name), value) for name, _, value in pairs]


def _shown(address: str) -> str:
    parts = _parts(address)
    shown = address
    if parts["query"] is not None:
        left = "&".join(f"{name}={value}" for name, value in _options(parts) if name not in _SECRETS)
        shown = shown[: parts.start("query") - 1] + (f"?{left}" if left else "")
    if parts["password"] is not None:
        shown = shown[: parts.start("password") - 1] + shown[parts.end("password") :]
    if shown != address:
        _OPENED_WITH[shown] = address
    return shown
