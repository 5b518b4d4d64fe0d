"""What a person needs to correct how data were read: the tables as they are, what each column is taken for, and more of
what `accord read` shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.answers.advising.looking import models_in
from accord.core.errors import AccordError
from accord.core.tables import plain
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column
from accord.data.io.tables.roles import ANNOTATOR, DOC, ITEM, START, end_of, first_of
from accord.data.io.tables.sources import EXCEL_SUFFIXES, PARQUET_SUFFIXES, SPSS_SUFFIXES, open_file
from accord.data.kinds import ITEMS
from accord.data.model.data import Data
from accord.data.model.labels import label_name

_TABLES = (".csv", ".tsv", ".tab", *EXCEL_SUFFIXES, *PARQUET_SUFFIXES, *SPSS_SUFFIXES)
_MOST_TABLES, _MOST_COLUMNS, _MOST_ROWS = 5, 200, 20
_MOST_VALUES, _LONGEST = 8, 200
_MOST_CATEGORIES = 500


@dataclass(frozen=True)
class Seen:
    """A table as it stands, before anybody says what its columns are."""

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
    return _short(label_name(column.names[code])) if code >= 0 else ""


def _values(column: Column) -> list[str]:
    return [_short(label_name(column.names[k])) for k in range(min(_MOST_VALUES, len(column.names)))]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def tables_in(paths: Sequence[str], reading: Reading) -> list[Seen]:
    """The first tables among what was uploaded; files of annotation tools are none."""
    files = [file for path in paths for file in _files(Path(path)) if file.suffix.lower() in _TABLES]
    found = []
    for file in files[:_MOST_TABLES]:
        try:
            source = open_file(file, encoding=reading.encoding, delimiter=reading.delimiter, sheet=reading.sheet)
            header = source.header[:_MOST_COLUMNS]
            found.append(Seen(str(file), source.load(header)[0]))
        except AccordError:  # `read` says it, where it matters
            continue
    return found


def _files(path: Path) -> list[Path]:
    return sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]


def as_dict(tables: Sequence[Seen], variables: Mapping[str, Data], reading: Reading) -> dict[str, Any]:
    """What understood.json holds; without variables where the data could not be read."""
    return plain({
        "tables": [table.as_dict(_roles(table, variables, reading)) for table in tables],
        "variables": {name: _variable(data) for name, data in variables.items()},
        "reading": {name: value for name, value in reading.options.items() if value not in {None, (), False}},
    })  # fmt: skip


def _variable(data: Data) -> dict[str, Any]:
    columns, rows = data.first(_MOST_ROWS)
    sets = next(iter(data.category_sets.values()), None)
    return {
        "kind": data.kind.name,
        "title": data.kind.title,
        "about": data.about(),
        "described": data.described(),
        "notes": list(data.notes),
        "annotators": list(data.present) if data.identified else None,
        "models": list(models_in(data)),
        "n_annotators": data.n_annotators,
        "n_items": data.n_items,
        "categories": None if sets is None or len(sets) > _MOST_CATEGORIES else list(sets.names),
        "numbers": sets is not None and sets.numeric,
        "order": None if sets is None else "declared" if sets.declared else "alphabet" if sets.guessed_order else "",
        "usual": list(data.usual_measures),
        "main": data.kind.main,
        "first": {"columns": columns, "rows": rows},
    }


def _roles(table: Seen, variables: Mapping[str, Data], reading: Reading) -> dict[str, str]:
    """What columns were taken for: as the user says, else by whether they hold what was read, else by their names."""
    if not variables:
        return {}
    data, header = next(iter(variables.values())), list(table.columns)
    people = set(data.annotators)
    found = {name: "label" for name in header if name in variables}
    found |= {name: "annotator's labels" for name in header if name in people}
    in_documents = data.kind is not ITEMS
    if in_documents:
        marked = {"start": reading.start or first_of(header, START), "end": reading.end or end_of(header)}
        found |= {name: role for role, name in marked.items() if name in header}
    named: dict[str, tuple[str | None, set[str], Sequence[str]]] = {
        "annotator": (reading.annotator, people, ANNOTATOR),
        "doc" if in_documents else "item": (
            reading.doc if in_documents else reading.item, set(data.names), DOC if in_documents else ITEM,
        ),
    }  # fmt: skip
    for role, (said, values, known) in named.items():
        free = [name for name in header if name not in found]
        holds = [name for name in free if values and values <= {label_name(one) for one in table.columns[name].names}]
        name = said or first_of(holds, known) or next(iter(holds), None)
        if name in header:
            found[name] = role
    return found
