"""Tables as in the files, and the role of each of their columns."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from accord.core.context import Run
from accord.core.errors import AccordError
from accord.data.io import ColumnMap, map_tables, read_all
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column
from accord.data.io.tables.sources import EXCEL_SUFFIXES, PARQUET_SUFFIXES, SPSS_SUFFIXES, open_file
from accord.data.model.data import Data
from accord.data.model.labels import label_name

_TABLE_SUFFIXES = (".csv", ".tsv", ".tab", *EXCEL_SUFFIXES, *PARQUET_SUFFIXES, *SPSS_SUFFIXES)
_MOST_TABLES, _MOST_COLUMNS, _MOST_ROWS = 5, 200, 20
_MOST_VALUES, _LONGEST_VALUE, _EXAMPLES = 8, 200, 3


@dataclass(frozen=True)
class RawTable:
    """A table as in the file, before its columns have roles."""

    path: str
    columns: Mapping[str, Column]

    @property
    def rows(self) -> list[list[str]]:
        n = min(_MOST_ROWS, min((len(column.codes) for column in self.columns.values()), default=0))
        return [[_cell(column, k) for column in self.columns.values()] for k in range(n)]

    def as_dict(self, mapped: ColumnMap | None) -> dict[str, Any]:
        """Return the columns with their roles, and the first rows."""
        known = {} if mapped is None else {column.name: column for column in mapped.columns}
        return {
            "path": self.path,
            "columns": [
                {
                    "name": name,
                    "values": _values(column),
                    "distinct": len(column.names),
                    "examples": list(known[name].examples) if name in known else _values(column)[:_EXAMPLES],
                    **(asdict(known[name].role) if name in known else {"role": "", "reason": "", "confidence": ""}),
                }
                for name, column in self.columns.items()
            ],
            "rows": self.rows,
        }


def _cell(column: Column, row: int) -> str:
    code = int(column.codes[row])
    return _short_name(column, code) if code >= 0 else ""


def _values(column: Column) -> list[str]:
    return [_short_name(column, code) for code in range(min(_MOST_VALUES, len(column.names)))]


def _short_name(column: Column, code: int) -> str:
    name = label_name(column.names[code])
    return name if len(name) <= _LONGEST_VALUE else f"{name[: _LONGEST_VALUE - 1]}…"


def read_tables(paths: Sequence[str], reading: Reading) -> list[RawTable]:
    """Return the first tables of the upload. Files of annotation tools are not tables."""
    files = [file for path in paths for file in files_in(Path(path)) if file.suffix.lower() in _TABLE_SUFFIXES]
    tables = []
    for file in files[:_MOST_TABLES]:
        try:
            source = open_file(file, encoding=reading.encoding, delimiter=reading.delimiter, sheet=reading.sheet)
            tables.append(RawTable(str(file), source.load(source.header[:_MOST_COLUMNS])[0]))
        except AccordError:  # `read` reports it
            continue
    return tables


def map_for_page(paths: Sequence[str], reading: Reading) -> dict[str, ColumnMap]:
    """Return the map of each table by path; none if the tables cannot be opened, which `read` reports.

    If the stated roles contradict each other, the map has the roles without them.
    """
    for options in (reading.options, *([reading.options | {"role": ()}] if reading.role else [])):
        try:
            with warnings.catch_warnings(action="ignore"):
                maps, _ = map_tables(list(paths), options, Run())
        except AccordError:
            continue
        return {one.path: one for one in maps}
    return {}


def files_in(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


# -- saving a reading --


def explicit_reading(
    paths: Sequence[str], variables: Mapping[str, Data], reading: Reading, maps: Sequence[ColumnMap] | None = None
) -> dict[str, Any]:
    """Return explicit reading options: those given, and the roles of the columns.

    Reading with them gives the same data. If it does not, only the given options are kept.
    """
    stated = reading.stated
    if maps is None:
        maps, _ = map_tables(list(paths), stated, Run())
    if len(maps) != 1 or len(paths) != 1:
        return stated
    made = {**maps[0].options, **stated} if "role" not in stated else stated
    return made if _gives(paths, made, variables) else stated


def _gives(paths: Sequence[str], options: Mapping[str, Any], variables: Mapping[str, Data]) -> bool:
    try:
        with warnings.catch_warnings(action="ignore"):  # the first reading issued them
            again = read_all(list(paths), **options)
    except AccordError:
        return False
    return {name: data.digest for name, data in again.items()} == {n: data.digest for n, data in variables.items()}
