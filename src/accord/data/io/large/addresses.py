"""Addresses of databases and remote files. Passwords in addresses are never shown."""

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
_WITH_ACCOUNT = ("abfs", "abfss", "hdfs")  # container@account is not a secret
_NAME = r"[^:@/?#\[\]\s]*"
_WHOLE = re.compile(
    rf"(?:{'|'.join(_SCHEMES)})://(?:{_NAME}(?::(?P<password>{_NAME}))?@)?[^@/?#\s]*(?:/[^@?#\s]*)?"
    r"(?:\?(?P<query>[^@#\s]*))?",
    re.IGNORECASE,
)
# Options of an address that are secret.
_SECRETS = {"password", "sslpassword", "passfile", "passwd", "token", "private_key", "private_key_passphrase"}
_HEADS = {b"SQLite format 3\0": "sqlite", b"DUCK": "duckdb"}
_TYPED: dict[str, str] = {}  # addresses with secrets, by the address without secrets


def is_elsewhere(given: object) -> bool:
    """Return whether this is an address such as s3://bucket/folder, which fsspec opens."""
    match = _ELSEWHERE.match(given) if isinstance(given, str) else None
    if match is not None and "@" in match["host"] and match["scheme"] not in _WITH_ACCOUNT:
        raise DataError(
            "database", f"{match['scheme']}://…: the address contains a key; remove it, and set keys in the environment"
        )
    return match is not None


def is_url(given: object) -> bool:
    return isinstance(given, str) and _URL.match(given) is not None


def scheme(address: str) -> str:
    """Return the kind of database of an address; empty if it is not a database."""
    match = _URL.match(address)
    return _SCHEMES[match[1].lower()] if match else ""


def without_secrets(given: Any) -> Any:
    """Return paths and addresses without passwords, safe to store and show. This process remembers the passwords."""
    if isinstance(given, str):
        return _shown(given) if is_url(given) else given
    if isinstance(given, list | tuple) and any(map(is_url, given)):
        return type(given)(map(without_secrets, given))
    return given


def opened_with(shown: str) -> str:
    """Return the address with its secrets."""
    return _TYPED.get(shown, shown)


def secrets_in(address: str) -> list[str]:
    """Return the secrets of an address, as typed and decoded."""
    parts = _parts(address)
    typed = [parts["password"], *(value for name, value in _options(parts) if name in _SECRETS)]
    return [secret for text in typed if text for secret in dict.fromkeys([text, unquote(text)])]


def kind_of_file(path: Path) -> str | None:
    """Return sqlite, duckdb or None, by the first bytes of the file."""
    try:
        if not path.is_file():  # reading a pipe would block
            return None
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        return None
    return next((kind for sign, kind in _HEADS.items() if head.startswith(sign) or head[8:].startswith(sign)), None)


def databases(given: Sequence[Any]) -> list[str]:
    """Return the paths that are databases."""
    return [str(p) for p in given if is_url(p) or (not is_elsewhere(p) and kind_of_file(Path(p)) is not None)]


def _parts(address: str) -> re.Match[str]:
    """Parse an address. The error does not quote it, because the end of the password is unclear."""
    match = _WHOLE.fullmatch(address)
    if match is None:
        raise DataError(
            "database",
            "the database address is not valid; use postgresql://user:password@host:port/name?option=value, and in "
            "names and passwords write %40 %3A %2F %3F %23 %5B %5D for @ : / ? # [ ]",
        )
    return match


def _options(parts: re.Match[str]) -> list[tuple[str, str]]:
    """Return names and values of the options, as typed."""
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
