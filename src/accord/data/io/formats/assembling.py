"""Read native files: find the format, let its reader fill an export, and read the export like tables in memory.

A file that is neither a table nor in a known format is refused. The message names what the file is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName
from accord.data.io.formats.catalogue import Format, format_named, format_of, formats_of
from accord.data.io.formats.export import Export, Rows
from accord.data.io.formats.files import File, find_companions, gather_files
from accord.data.io.formats.parsing import fields_of, without_collecting
from accord.data.io.formats.spans import check_spans
from accord.data.io.naming import is_about_others
from accord.data.io.opening import is_special, refuse_name
from accord.data.io.reading import READ_AS, Declared, Reading
from accord.data.io.strangers import is_lfs_pointer, refuse_stranger
from accord.data.io.tables.columns import polars
from accord.data.io.tables.sources import (
    EXCEL_SUFFIXES,
    PARQUET_SUFFIXES,
    TEXT_SUFFIXES,
    MemorySource,
    are_json_lines,
)
from accord.data.kinds import CHAINS, ITEMS, UNITS, Kind
from accord.data.model.data import Data

_TABLES = (*TEXT_SUFFIXES[:3], *EXCEL_SUFFIXES, *PARQUET_SUFFIXES)  # .txt may be anything
_COLUMNS_OF_TABLES = ("item", "annotator", "doc", "start", "end", "docs", "judged", "sheet", "columns")


@dataclass
class _Stored(MemorySource):
    places: Sequence[str] = ()

    def place(self, row: int) -> str:
        return self.places[row]


def read_native(paths: Sequence[Path], how: Reading, run: Run) -> dict[str, Data] | None:
    """Return the data of files in a native format by variable, or None if the files are tables or texts."""
    if any(str(path) == "-" or is_special(path) for path in paths):
        return None  # a pipe can be read only once, so it is read as a table
    if how.format is not None:
        chosen = format_named(how.format)
        if chosen.module is None:
            return None
        files = gather_files(paths, run)
        mine = [file for file in files if chosen.reader.recognises(file)] or files
    else:
        if how.layout == "texts" or any(_is_of_tables(path) for path in paths):
            return None
        files = gather_files(paths, run)
        _refuse_pointers(files)
        found = formats_of(files)
        if not found:
            if not any(path.suffix.lower() == ".zip" for path in paths):  # an archive may contain tables
                refuse_strangers(files, how)
            return None
        chosen = _one_format(found)
        mine = found[chosen]
    said = [name for name in _COLUMNS_OF_TABLES if getattr(how, name) is not None]
    if said:
        raise SpecError(
            "option-not-for-data",
            f"{', '.join(said)}: only tables have this option, and these files are {chosen.title}; remove it",
        )
    for file in mine:  # files name documents and annotators, so their names must be valid in tables
        refuse_name(file.name)
    with without_collecting():
        export = chosen.reader.read(mine, [*files, *find_companions(paths)], how, run)
        _leave_others(export, chosen, files, mine)
        return assemble(export, chosen.title, how)


def _leave_others(export: Export, chosen: Format, files: Sequence[File], mine: Sequence[File]) -> None:
    """Count files with the same ending, and tables, that are not read."""
    suffixes, taken = {file.suffix for file in mine}, set(mine)
    for file in files:
        if file in taken or file.name in export.also or is_about_others(file.name):
            continue
        if file.suffix in suffixes:
            export.leave(f"files that are not {chosen.title}", file.name)
        elif file.suffix in _TABLES:
            export.leave(f"tables beside files of {chosen.title}", file.name)


def _refuse_pointers(files: Sequence[File]) -> None:
    """Refuse Git LFS pointers, because the other files are only a part of the data."""
    for file in files:
        if is_lfs_pointer(file.head):
            refuse_stranger(file.name, file.opened)


def _is_of_tables(path: Path) -> bool:
    """Whether the path is a folder with tables. accord then reads the tables and ignores the folders below it."""
    if not path.is_dir():
        return False
    tables = [f for f in path.iterdir() if f.is_file() and f.suffix.lower() in _TABLES]
    return any(format_of(file) is None for file in gather_files(tables))


def _one_format(found: dict[Format, list[File]]) -> Format:
    whole = [one for one in found if one.whole]
    if len(whole) == 1:
        return whole[0]
    if len(found) > 1:
        listed = "; ".join(f"{one.name} ({mine[0].name})" for one, mine in found.items())
        raise DataError("format-ambiguous", f"these files have several formats: {listed}; choose one with --format")
    return next(iter(found))


def assemble(export: Export, title: str, how: Reading) -> dict[str, Data]:
    """Return the data of an export by variable. The table reader of each kind reads its rows."""
    check_spans(export, how.repair)
    parts: list[tuple[str, Kind, Rows]] = [
        (variable, kind, rows)
        for kind, found in ((UNITS, export.units), (ITEMS, export.labels), (CHAINS, export.mentions))
        for variable, rows in found.items()
        if rows.places and (how.layout is None or how.layout in kind.layouts)
    ]
    if not parts:
        way = "remove --layout" if how.layout is not None else "check the export, or name its format with --format"
        raise DataError(
            "nothing-annotated",
            f"{title}: these files contain no annotations that accord can read{export.instead}; {way}",
        )
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
            except DataError as trouble:  # read the other variables anyway
                troubles[name] = trouble
    if not made:
        raise next(iter(troubles.values()))
    export.notes.extend(f"accord did not read {name}: {trouble}" for name, trouble in troubles.items())
    return {name: data.with_notes(f"{READ_AS} {title}", *export.told) for name, data in made.items()}


def _read(export: Export, kind: Kind, rows: Rows, how: Reading, variable: str) -> Data:
    columns = {name: _column(name, values) for name, values in {**rows.features, **rows.columns}.items()}
    source = _Stored(columns, is_file=True, places=tuple(rows.places))
    here: dict[str, Any] = {"annotator": "annotator", "names": None, "annotators_in": None, "format": None}
    if kind is ITEMS:
        read_as, declared = replace(how, layout="long", item="item", label=("label",), **here), Declared()
    else:
        label = ("label",) if kind is UNITS else ()
        if export.labels:  # the option applies to labels of items
            here["repeats"] = "error"
        read_as = replace(how, layout=kind.layouts[0], doc="doc", start="start", end="end", label=label, **here)
        extents = {**export.extents, **{doc: (0.0, float(len(text))) for doc, text in export.texts.items()}}
        known = {doc: extent for doc, extent in extents.items() if doc in export.looked}
        texts = {doc: text for doc, text in export.texts.items() if doc in export.looked}
        declared = Declared(known, {doc: list(annotator) for doc, annotator in export.looked.items()}, texts)
    reader = kind.part(kind.reader)
    found: Data = next(iter(reader.read([source], read_as, declared).values()))
    return replace(found, variable=variable)  # type: ignore[type-var]


def _column(name: str, values: Sequence[object]) -> Any:
    """Convert texts and offsets to arrays. Other values stay unchanged."""
    if name in {"start", "end"}:
        return np.array(values, dtype=np.float64)
    kinds = set(map(type, values))
    texts = str in kinds and kinds <= {str, type(None)}
    return polars().Series(values, dtype=polars().String) if texts else values


# -- files that are neither tables nor in a known format --

_BY_BYTES = {b"PK\x03\x04": "a zip archive", b"SQLite format 3": "an SQLite database"}
# JSON of tools, recognised by the fields of its first record.
_ROWS = "write a table with the columns item,annotator,label or doc,annotator,start,end,label"
_BY_KEYS = (
    ({"data_row", "projects"}, "an export of Labelbox"),
    ({"DataRow ID", "Labeled Data"}, "an export of Labelbox"),
    ({"examples", "schema"}, "an export of LightTag"),
    ({"annotatable", "anncomplete"}, "an export of tagtog"),
    ({"documentName", "document", "tokens"}, "an export of UBIAI, which does not name annotators"),
    ({"datasetObjectId", "dataObject", "annotations"}, "a consolidation request of SageMaker Ground Truth"),
    ({"answers"}, "answers of workers to one item in SageMaker Ground Truth"),
)
_MANIFEST = "a manifest of SageMaker Ground Truth, with one consolidated label for each item"
_BOUNDARY = re.compile(r"(\d+\.\d+)(?:\t|,)([^\t\d].*)")
_YAML = (".yml", ".yaml", ".bdocym")
_JSON = (".json", ".jsonl", ".ndjson", ".jsonlist")
_BINARY_TABLES = (".xlsx", ".xlsm", ".ods", ".xls", ".parquet", ".pq", ".sav", ".zsav")


def refuse_strangers(files: Sequence[File], how: Reading) -> None:
    """Refuse a file that is not a table, and name what it is. In a folder, accord ignores these files."""
    boundaries = next((file for file in files if _are_boundaries(file)), None)
    if boundaries is not None:
        raise DataError(
            "format-unknown",
            f"{boundaries.name}: each line has a start and a label but no end, which accord does not read; "
            "write start, end and label on each line, separated by tabs (Audacity), or a table",
        )
    said = how.no_header or how.layout or how.item or how.annotator or how.label or how.annotators_in
    labels = [file for file in files if file.suffix in {".txt", ""}] if not said else []
    either = next((file for file in labels if format_named("audacity").reader.may_be(file)), None)
    if either is not None:
        raise DataError(
            "format-ambiguous",
            f"{either.name}: each line has two numbers and a word; use --format audacity if these are times and "
            "labels, or --no-header if this is a table",
        )
    if len(files) != 1 or files[0].suffix in _BINARY_TABLES:
        return
    refuse_stranger(files[0].name, files[0].opened)
    _refuse_tools(files[0])
    what = _what(files[0])
    if what is not None:
        raise DataError(
            "format-unknown",
            f"{files[0].name}: this is {what} in an unknown format (`accord formats` lists the known ones); "
            f"name the format with --format, or {_ROWS}",
        )


def _refuse_tools(file: File) -> None:
    first = file.first_value
    if not isinstance(first, Mapping):
        return
    known = next((what for keys, what in _BY_KEYS if keys <= set(first)), None)
    if known is not None and ("answers" not in first or _are_answers(first["answers"])):
        raise DataError("format-unknown", f"{file.name}: this is {known}, which accord does not read; {_ROWS}")
    if any({"job-name", "human-annotated"} <= set(fields_of(value)) for value in first.values()):
        raise DataError(
            "format-unknown",
            f"{file.name}: this is {_MANIFEST}; take the answers of workers (worker-response), and {_ROWS}",
        )


def _are_answers(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, Mapping) and "answerContent" in one for one in value)


def _are_boundaries(file: File) -> bool:
    """Whether each line has a time and a label that lasts until the next line, as in SALAMI and Sonic Visualiser."""
    if file.suffix not in {".txt", ".lab", ".csv", ""}:
        return False
    lines = [line.strip() for line in file.beginning.split("\n")[:200] if line.strip()]
    said = [one for line in lines[:-1] if (one := _BOUNDARY.fullmatch(line)) is not None]
    times = [float(one[1]) for one in said]
    return bool(said) and len(said) == len(lines) - 1 and times == sorted(times)


def _what(file: File) -> str | None:
    known = next((what for begins, what in _BY_BYTES.items() if file.head.startswith(begins)), None)
    if known is not None or file.suffix in _YAML:
        return known or "YAML"
    text = file.beginning.lstrip()
    marked_up = text.startswith("<") and file.suffix in {".xml", ".xmi", ".html", ".htm", ".tei"}
    if (marked_up or text.startswith("<?xml")) and "<mod" not in text:  # <mod marks CorA-XML, which is read as texts
        return "XML"
    if text.startswith(("{", "[")):
        if file.suffix in _JSON:
            return None if _are_records(file, text) else "JSON"
        other = isinstance(file.first_value, Mapping) and not are_json_lines(text.splitlines()[:2])
        return "JSON with a different suffix" if other else None
    if b"\0" in file.head[:512] and not file.head.startswith((b"\xff\xfe", b"\xfe\xff")) and _mostly_binary(file.head):
        return "a binary file"
    return None


def _are_records(file: File, text: str) -> bool:
    """Whether JSON may contain labels: an object, a list of objects, or an object per line."""
    return isinstance(file.first_value, Mapping) or text.startswith("{")


def _mostly_binary(head: bytes) -> bool:
    """Whether a file with zero bytes is binary. UTF-16 without a byte order mark has zeros in every second byte."""
    sides = (head[:512:2].count(0), head[1:512:2].count(0))
    return min(sides) > 8 or max(sides) < len(head[:512]) // 8
