"""Files that are not on this machine, by way of fsspec: s3://bucket/folder and the like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from accord.core.errors import DataError, first_words, quoted
from accord.data.io.large.addresses import is_elsewhere
from accord.data.io.tables.columns import polars
from accord.data.io.tables.parquet import ordered_in
from accord.data.io.tables.sources import PARQUET_SUFFIXES


def filesystem(address: str) -> Any:
    """Keys come from the environment, or from files of the driver."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise DataError(
            f"{address}: files elsewhere are read by fsspec: pip install fsspec, and s3fs for s3://"
        ) from None
    try:
        return url_to_fs(address)[0]
    except Exception as error:  # noqa: BLE001 - every driver has a tree of its own
        raise DataError(f"{address}: {first_words(error)}") from None


def files_in(address: str) -> list[str]:
    """The Parquet files of a folder, or the one that is named, in the order of their names."""
    system, scheme = filesystem(address), address.partition("://")[0]
    try:
        inside = system.find(address)
    except Exception as error:  # noqa: BLE001 - as above
        raise DataError(f"{address}: {first_words(error)}") from None
    found = sorted(path for path in inside if Path(path).suffix.lower() in PARQUET_SUFFIXES)
    if not found:
        raise DataError(f"{address}: there is no Parquet there, which is all that is read from elsewhere")
    return [path if "://" in path else f"{scheme}://{path}" for path in found]


def refuse_ordered(path: str, label: str) -> None:
    """An order of levels is not read from elsewhere: nothing is guessed."""
    with filesystem(path).open(path, "rb") as file:
        names = ordered_in(polars().read_parquet_metadata(file), path)
    if label in names:
        raise DataError(f"{path}: column {quoted(label)} is an ordered factor: save it as text, and say --categories")


def stamp(path: str) -> str:
    """Which version of a file it is."""
    if not is_elsewhere(path):
        about = Path(path).stat()
        return f"{about.st_size} {about.st_mtime_ns}"
    about = filesystem(path).info(path)
    said = [about.get(name) for name in ("size", "ETag", "etag", "LastModified", "mtime", "created", "md5Hash")]
    return " ".join(str(one) for one in said if one is not None)
