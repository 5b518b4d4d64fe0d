"""Tables as in the files, and the role of each of their columns."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.core.errors import AccordError
from accord.data.io import read_all
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column
from accord.data.io.tables.roles import ANNOTATOR, DOC, ITEM, START, end_of, first_of
from accord.data.io.tables.sources import EXCEL_SUFFIXES, PARQUET_SUFFIXES, SPSS_SUFFIXES, open_file
from accord.data.kinds import ITEMS
from accord.data.model.data import Data
from accord.data.model.labels import label_name

_TABLE_SUFFIXES = (".csv", ".tsv", ".tab", *EXCEL_SUFFIXES, *PARQUET_SUFFIXES, *SPSS_SUFFIXES)
_MOST_TABLES, _MOST_COLUMNS, _MOST_ROWS = 5, 200, 20
_MOST_VALUES, _LONGEST_VALUE = 8, 200


@dataclass(frozen=True)
class RawTable:
    """A table as in the file, before its columns have roles."""

    path: str
    columns: Mapping[str, Column]

    @property
    def rows(self) -> list[list[str]]:
        n = min(_MOST_ROWS, min((len(column.codes) for column in self.columns.values()), default=0))
        return [[_cell(column, k) for column in self.columns.values()] for k in range(n)]

    def as_dict(self, roles: Mapping[str, str]) -> dict[str, Any]:
        return {
            "path": self.path,
            "columns": [
                {"name": name, "role": roles.get(name, ""), "values": _values(column), "distinct": len(column.names)}
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


def files_in(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def column_roles(table: RawTable, variables: Mapping[str, Data], reading: Reading) -> dict[str, str]:
    """Return the role of each column: as the user stated, else by its values, else by its name."""
    if not variables:
        return {}
    data, header = next(iter(variables.values())), list(table.columns)
    annotators = set(data.annotators)
    roles = {name: "label" for name in header if name in variables}
    roles |= {name: "annotator's labels" for name in header if name in annotators}
    in_documents = data.kind is not ITEMS
    if in_documents:
        offsets = {"start": reading.start or first_of(header, START), "end": reading.end or end_of(header)}
        roles |= {name: role for role, name in offsets.items() if name in header}
    # role: (column named by the user, values read, usual names of this column)
    candidates: dict[str, tuple[str | None, set[str], Sequence[str]]] = {
        "annotator": (reading.annotator, annotators, ANNOTATOR),
        "doc" if in_documents else "item": (
            reading.doc if in_documents else reading.item, set(data.names), DOC if in_documents else ITEM,
        ),
    }  # fmt: skip
    for role, (named, values, usual) in candidates.items():
        free = [name for name in header if name not in roles]
        matching = [
            name for name in free if values and values <= {label_name(one) for one in table.columns[name].names}
        ]
        column = named or first_of(matching, usual) or next(iter(matching), None)
        if column in header:
            roles[column] = role
    return roles


# -- saving a reading --

_OPTIONS = ("item", "annotator", "doc", "start", "end")


def explicit_reading(paths: Sequence[str], variables: Mapping[str, Data], reading: Reading) -> dict[str, Any]:
    """Return explicit reading options: those given, and the roles of the columns.

    Reading with them gives the same data. If it does not, only the given options are kept.
    """
    stated = reading.stated
    tables = read_tables(paths, reading)
    if len(tables) != 1 or len(paths) != 1:
        return stated
    by_role: dict[str, list[str]] = {}
    for name, role in column_roles(tables[0], variables, reading).items():
        by_role.setdefault(role, []).append(name)
    guessed: dict[str, Any] = {role: by_role[role][0] for role in _OPTIONS if role in by_role}
    wide, long = by_role.get("annotator's labels"), by_role.get("label")
    in_items = next(iter(variables.values())).kind is ITEMS
    if wide and in_items and not long:
        guessed |= {"layout": "wide", "label": tuple(wide)}
    elif long:
        guessed |= {"label": tuple(long), **({"layout": "long"} if in_items and "annotator" in by_role else {})}
    made = guessed | stated
    return made if _gives(paths, made, variables) else stated


def _gives(paths: Sequence[str], options: Mapping[str, Any], variables: Mapping[str, Data]) -> bool:
    try:
        with warnings.catch_warnings(action="ignore"):  # the first reading issued them
            again = read_all(list(paths), **options)
    except AccordError:
        return False
    return {name: data.digest for name, data in again.items()} == {n: data.digest for n, data in variables.items()}
