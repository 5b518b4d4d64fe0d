"""Native files → data: what a reader found becomes tables in memory, which are read as all others are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName
from accord.data.io.formats.by_file import without_collecting
from accord.data.io.formats.catalogue import Format, format_named, format_of, formats_of
from accord.data.io.formats.export import Export, Rows
from accord.data.io.formats.files import File, companions, gathered
from accord.data.io.formats.strangers import refuse_strangers
from accord.data.io.formats.surfaces import check_spans
from accord.data.io.opening import is_special, refuse_name
from accord.data.io.reading import Declared, Reading
from accord.data.io.tables.columns import polars
from accord.data.io.tables.sources import EXCEL_SUFFIXES, PARQUET_SUFFIXES, TEXT_SUFFIXES, MemorySource
from accord.data.kinds import CHAINS, ITEMS, UNITS, Kind
from accord.data.model.data import Data

_TABLES = (*TEXT_SUFFIXES[:3], *EXCEL_SUFFIXES, *PARQUET_SUFFIXES)  # .txt may be anything
READ_AS = "read as"  # the note that names the format
_COLUMNS_OF_TABLES = ("item", "annotator", "doc", "start", "end", "docs", "judged", "sheet", "columns")


@dataclass
class _Stored(MemorySource):
    places: Sequence[str] = ()

    def place(self, row: int) -> str:
        return self.places[row]


def read_native(paths: Sequence[Path], how: Reading, run: Run) -> dict[str, Data] | None:
    """The data of files in a native format, by variable; None where these are tables or texts."""
    if any(str(path) == "-" or is_special(path) for path in paths):
        return None  # a pipe can be read once: it is a table
    if how.format is not None:
        chosen = format_named(how.format)
        if chosen.module is None:
            return None
        files = gathered(paths, run)
        mine = [file for file in files if chosen.reader.recognises(file)] or files
    else:
        if how.layout == "texts" or any(_is_of_tables(path) for path in paths):
            return None
        files = gathered(paths, run)
        found = formats_of(files)
        if not found:
            if not any(path.suffix.lower() == ".zip" for path in paths):  # that may hold tables
                refuse_strangers(files, how)
            return None
        chosen = _one_format(found)
        mine = found[chosen]
    said = [name for name in _COLUMNS_OF_TABLES if getattr(how, name) is not None]
    if said:
        raise SpecError(f"{', '.join(said)}: this is for tables, and these files are {chosen.title}")
    for file in mine:  # documents and annotators are called after them, in tables that hold no such name
        refuse_name(file.name)
    with without_collecting():
        export = chosen.reader.read(mine, [*files, *companions(paths)], how, run)
        suffixes, taken = {file.suffix for file in mine}, set(mine)
        for file in files:
            if file not in taken and file.suffix in suffixes and file.name not in export.also:
                export.leave(f"files that are no {chosen.title}", file.name)
        return assembled(export, chosen.title, how)


def _is_of_tables(path: Path) -> bool:
    """A folder with tables is about these, whatever stands below it."""
    if not path.is_dir():
        return False
    tables = [f for f in path.iterdir() if f.is_file() and f.suffix.lower() in _TABLES]
    return any(format_of(file) is None for file in gathered(tables))


def _one_format(found: dict[Format, list[File]]) -> Format:
    whole = [one for one in found if one.whole]
    if len(whole) == 1:
        return whole[0]
    if len(found) > 1:
        listed = "; ".join(f"{one.name} ({mine[0].name})" for one, mine in found.items())
        raise DataError(f"files of several formats: {listed}; choose with --format")
    return next(iter(found))


def assembled(export: Export, title: str, how: Reading) -> dict[str, Data]:
    """Data by variable: units, labels of items, and mentions each by the reader of their kind."""
    check_spans(export, how.repair)
    parts: list[tuple[str, Kind, Rows]] = [
        (variable, kind, rows)
        for kind, found in ((UNITS, export.units), (ITEMS, export.labels), (CHAINS, export.mentions))
        for variable, rows in found.items()
        if rows.places and (how.layout is None or how.layout in kind.layouts)
    ]
    if not parts:
        raise DataError(f"{title}: nothing is annotated in these files{_instead(export)}")
    for name in how.label:
        if name not in {variable for variable, _, _ in parts}:
            raise UnknownName("variable", name, [variable for variable, _, _ in parts])
    made: dict[str, Data] = {}
    troubles: dict[str, DataError] = {}
    for variable, kind, rows in parts:
        if not how.label or variable in how.label:
            name = variable if variable not in made else f"{variable} ({kind.words})"
            try:
                made[name] = _read(export, kind, rows, how, name)
            except DataError as trouble:  # one variable that cannot be read does not keep the others out
                troubles[name] = trouble
    if not made:
        raise next(iter(troubles.values()))
    export.notes.extend(f"{name} was not read: {trouble}" for name, trouble in troubles.items())
    return {name: data.with_notes(f"{READ_AS} {title}", *export.told) for name, data in made.items()}


def _instead(export: Export) -> str:
    return f": {'; '.join(export.told)}" if export.told else ""


def _read(export: Export, kind: Kind, rows: Rows, how: Reading, variable: str) -> Data:
    columns = {name: _column(name, values) for name, values in {**rows.features, **rows.columns}.items()}
    source = _Stored(columns, is_file=True, places=tuple(rows.places))
    here: dict[str, Any] = {"annotator": "annotator", "names": None, "annotators_in": None, "format": None}
    if kind is ITEMS:
        read_as, declared = replace(how, layout="long", item="item", label=("label",), **here), Declared()
    else:
        label = ("label",) if kind is UNITS else ()
        if export.labels:  # said about those
            here["repeats"] = "error"
        read_as = replace(how, layout=kind.layouts[0], doc="doc", start="start", end="end", label=label, **here)
        extents = {**export.extents, **{doc: (0.0, float(len(text))) for doc, text in export.texts.items()}}
        known = {doc: extent for doc, extent in extents.items() if doc in export.looked}
        texts = {doc: text for doc, text in export.texts.items() if doc in export.looked}
        declared = Declared(known, {doc: list(who) for doc, who in export.looked.items()}, texts)
    reader = kind.part(kind.reader)
    found: Data = next(iter(reader.read([source], read_as, declared).values()))
    return replace(found, variable=variable)  # type: ignore[type-var]


def _column(name: str, values: Sequence[object]) -> Any:
    """Texts and offsets by the quickest way there is; anything else as it stands."""
    if name in {"start", "end"}:
        return np.array(values, dtype=np.float64)
    kinds = set(map(type, values))
    texts = str in kinds and kinds <= {str, type(None)}
    return polars().Series(values, dtype=polars().String) if texts else values
