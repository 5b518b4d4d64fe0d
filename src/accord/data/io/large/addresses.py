"""Addresses of databases and of files elsewhere. Passwords in them are never shown."""

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
_WITH_ACCOUNT = ("abfs", "abfss", "hdfs")  # container@account: not a secret
_NAME = r"[^:@/?#\[\]\s]*"
_WHOLE = re.compile(
    rf"(?:{'|'.join(_SCHEMES)})://(?:{_NAME}(?::(?P<password>{_NAME}))?@)?[^@/?#\s]*(?:/[^@?#\s]*)?"
    r"(?:\?(?P<query>[^@#\s]*))?",
    re.IGNORECASE,
)
# Options of an address.
_SECRETS = {"password", "sslpassword", "passfile", "passwd", "token", "private_key", "private_key_passphrase"}
_HEADS = {b"SQLite format 3\0": "sqlite", b"DUCK": "duckdb"}
_TYPED: dict[str, str] = {}  # addresses with their secrets, by what is shown of them


def is_elsewhere(given: object) -> bool:
    """Whether this is an address such as s3://bucket/folder, which fsspec opens."""
    match = _ELSEWHERE.match(given) if isinstance(given, str) else None
    if match is not None and "@" in match["host"] and match["scheme"] not in _WITH_ACCOUNT:
        raise DataError("database", f"{match['scheme']}://…: keys do not stand in the address, but in the environment")
    return match is not None


def is_url(given: object) -> bool:
    return isinstance(given, str) and _URL.match(given) is not None


def scheme(address: str) -> str:
    """The kind of database that an address names; empty where it names none."""
    match = _URL.match(address)
    return _SCHEMES[match[1].lower()] if match else ""


def without_secrets(given: Any) -> Any:
    """Paths with addresses without passwords, to be kept, shown and logged. Only this process remembers passwords."""
    if isinstance(given, str):
        return _shown(given) if is_url(given) else given
    if isinstance(given, list | tuple) and any(map(is_url, given)):
        return type(given)(map(without_secrets, given))
    return given


def opened_with(shown: str) -> str:
    """The address with its secrets."""
    return _TYPED.get(shown, shown)


def secrets_in(address: str) -> list[str]:
    """Secrets, as typed and decoded."""
    parts = _parts(address)
    typed = [parts["password"], *(value for name, value in _options(parts) if name in _SECRETS)]
    return [secret for text in typed if text for secret in dict.fromkeys([text, unquote(text)])]


def kind_of_file(path: Path) -> str | None:
    """sqlite, duckdb, or None: by the first bytes of the file, not by its name."""
    try:
        if not path.is_file():  # reading a pipe would wait
            return None
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        return None
    return next((kind for sign, kind in _HEADS.items() if head.startswith(sign) or head[8:].startswith(sign)), None)


def databases(given: Sequence[Any]) -> list[str]:
    """The paths that are databases."""
    return [str(p) for p in given if is_url(p) or (not is_elsewhere(p) and kind_of_file(Path(p)) is not None)]


def _parts(address: str) -> re.Match[str]:
    """The parts of an address. The error does not repeat it: it is not clear where the password ends."""
    match = _WHOLE.fullmatch(address)
    if match is None:
        raise DataError(
            "database",
            "the address of a database is postgresql://user:password@host:port/name?option=value; the signs @ : / ? # "
            "[ ] within a name or a password are written as %40 %3A %2F %3F %23 %5B %5D",
        )
    return match


def _options(parts: re.Match[str]) -> list[tuple[str, str]]:
    """Names and values as typed."""
    pairs = (option.partition("=") for option in (parts["query"] or "").split("&") if option)
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
        _TYPED[shown] = address
    return shown
