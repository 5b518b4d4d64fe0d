"""Tables larger than memory, in databases and files: labels are counted in place, not read (docs/large.md).

This module decides what is counted. It imports reader.py and its engines only when needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, SpecError, quoted
from accord.data.io.large.addresses import databases, is_elsewhere
from accord.data.io.naming import not_read
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import panics_unheard, polars
from accord.data.io.tables.sources import PARQUET_SUFFIXES, TEXT_SUFFIXES, in_folder
from accord.data.model.data import Data

LARGE_ROWS = 50_000_000  # Parquet tables with more rows are counted, not read
LARGE_BYTES = 2_000_000_000  # CSV tables with more bytes are counted, not read
_DELIMITED = TEXT_SUFFIXES[:3]


def count_ratings(
    given: Sequence[Any], how: Reading, run: Run, files: bool
) -> tuple[dict[str, Data] | None, tuple[str, ...]]:
    """Count the ratings of databases, remote Parquet and (if `files`) very large files, and return them with notes.

    Return None if the paths are to be read into memory.
    """
    if any(map(is_elsewhere, given)):
        from accord.data.io.large.reader import from_elsewhere

        return from_elsewhere(given, how, run), ()
    if found := databases(given):
        from accord.data.io.large.reader import from_database

        return from_database(given, found[0], how), ()
    if how.table is not None:
        raise SpecError(
            "option-not-for-data",
            f"--table {quoted(how.table)}: this option is for databases, but {given[0]} is not one; remove it",
        )
    try:
        paths, notes = _large_files(given) if files else ([], ())
    except OSError:
        paths = []  # reading reports the reason
    if not paths:
        return None, ()
    from accord.data.io.large.reader import from_large_files

    ratings, reasons = from_large_files(str(given[0]), paths, how, run)
    return ratings, notes if ratings is not None else reasons


def _large_files(given: Sequence[Any]) -> tuple[list[Path], tuple[str, ...]]:
    """Return the files of the paths if they are one kind of table and together very large; notes on skipped files."""
    paths = [Path(path) for path in given if str(path) != "-"]
    if len(paths) < len(given) or not all(path.is_file() or path.is_dir() for path in paths):
        return [], ()
    files: list[Path] = []
    notes: list[str] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        if not any(p.is_file() and _suffix(p) in {*PARQUET_SUFFIXES, *_DELIMITED} for p in path.iterdir()):
            return [], ()
        inside, passed = in_folder(path)
        files += inside
        notes += [not_read(path, passed)] if passed else []
    return (files, tuple(notes)) if _are_large(files) else ([], ())


def _are_large(files: Sequence[Path]) -> bool:
    kinds = {_suffix(file) for file in files}
    if kinds <= set(PARQUET_SUFFIXES):
        return sum(map(_rows_in, files)) > LARGE_ROWS
    return kinds <= set(_DELIMITED) and sum(file.stat().st_size for file in files) > LARGE_BYTES


def _suffix(path: Path) -> str:
    return path.suffix.lower()


def _rows_in(path: Path) -> int:
    from accord.data.io.tables.parquet import refuse_impossible

    pl = polars()
    try:
        refuse_impossible(path, str(path), pages=False)
        with panics_unheard():
            return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, DataError):
        return 0  # reading reports the reason
