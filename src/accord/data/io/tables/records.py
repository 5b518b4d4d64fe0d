"""Read JSON records as columns: rows of labels from scripts and models, with a field per annotator or a row per label.

Fields of an object become columns `outer.inner`. A list of objects in a record becomes one row per object; so do lists
of the same length (`labels` and `annotators`). A list of plain values is a set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.core.errors import DataError, quoted
from accord.data.io.formats.files import gather_files
from accord.data.io.formats.parsing import json_rows
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import ANNOTATOR, ASIDE, DOC, END, ITEM, LABEL, START, plain_name
from accord.data.io.tables.sources import MemorySource

_MOST_COLUMNS = 2_000
_ROLES = {*ANNOTATOR, *ITEM, *LABEL, *DOC, *START, *END}


def read_records(path: Path, name: str, how: Reading) -> MemorySource:
    rows, places = [], []
    found = list(json_rows(replace(gather_files([path])[0], name=name), how.encoding))
    for place, record in found:
        for row in (_whole_table(record) if len(found) == 1 else None) or rows_of_record(record):
            rows.append(row)
            places.append(place)
    said = how.annotator or how.label or how.columns or how.layout
    columns = _columns(rows, name) if not said else {key: key for row in rows for key in row}
    if not columns:
        raise DataError(
            "column-missing", f"{name}: the file contains no records with fields; write one object per row of the table"
        )
    if len(columns) > _MOST_COLUMNS:
        raise DataError(
            "file-too-large",
            f"{name}: {len(columns):,} different fields, so this is probably no table of records; write one object per "
            "row with the fields item, annotator, label",
        )
    cells = {new: [row.get(key) for row in rows] for key, new in columns.items()}
    lost = dict.fromkeys(key for _, record in found for key in _lost(record))
    if lost and not said and not {plain_name(_single(key)) for key in lost}.isdisjoint(LABEL):
        raise DataError(
            "roles-unclear",
            f"{name}: several fields contain lists of records ({', '.join(map(quoted, lost))}), so the labels are "
            "unclear; write one object per label with the fields item, annotator, label",
        )
    notes = (f"{name}: lists of records not read: {', '.join(map(quoted, lost))}",) if lost else ()
    return MemorySource(cells, name, is_file=True, notes=notes, places=tuple(places))


def _columns(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, str]:
    """Return the fields and the names of their columns. Annotators in the fields of one object keep the field names.

    Fields of several objects, or of one object next to other possible labels, are not one column per annotator.
    """
    names = dict.fromkeys(key for row in rows for key in row)
    inner = [key for key in names if "." in key]
    ends = Counter(key.rpartition(".")[2] for key in names)
    short = {
        key: end if ends[end := key.rpartition(".")[2]] == 1 and plain_name(end) in _ROLES else key for key in names
    }
    said = {plain_name(key) for key in short.values()}
    labelled = said & {*LABEL, *START} or any(key.startswith(("label.", "labels.")) for key in said)
    if not inner or (said & {*ANNOTATOR} and labelled):
        return short
    parents = {key.rpartition(".")[0] for key in inner}
    beside = [key for key in names if key not in inner and plain_name(key) not in {*ITEM, *ASIDE}]
    if len(parents) > 1 or beside:
        raise DataError(
            "roles-unclear",
            f"{name}: the records contain objects ({', '.join(map(quoted, inner[:3]))}), so labels and annotators are "
            "unclear; use --item COLUMN --annotator COLUMN --label COLUMN, or write one object per label with the "
            "fields item, annotator, label",
        )
    return {key: key.rpartition(".")[2] if key in inner else key for key in names}


def _whole_table(record: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of a single object that is the whole table: columns as lists, or labels by item and annotator."""
    values = list(record.values())
    if len(values) < 2:
        return None
    if set(record) == {"columns", "index", "data"} and all(isinstance(one, list) for one in values):
        return [dict(zip(map(str, record["columns"]), row, strict=False)) for row in record["data"]]
    if (
        all(isinstance(one, list) and one and not _is_objects(one) for one in values)
        and len(set(map(len, values))) == 1
    ):
        return [dict(zip(record, cells, strict=True)) for cells in zip(*values, strict=True)]
    if all(
        isinstance(one, Mapping) and one and not any(isinstance(v, Mapping | list) for v in one.values())
        for one in values
    ):
        if _are_columns(record):
            rows = dict.fromkeys(key for one in values for key in one)
            named = any(plain_name(name) in ITEM for name in record)
            table = [{name: one.get(row) for name, one in record.items()} for row in rows]
            return table if named else [{"item": row, **cells} for row, cells in zip(rows, table, strict=True)]
        return [{"item": item, **said} for item, said in record.items()]
    return None


def _are_columns(record: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether objects are columns, as pandas writes them: rows are numbered inside, or one has the name of an item."""
    numbered = all(key.isdecimal() for one in record.values() for key in one)
    return (numbered and not all(key.isdecimal() for key in record)) or any(plain_name(key) in ITEM for key in record)


def rows_of_record(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a record."""
    flat = _flat(record)
    inner = [key for key, value in flat.items() if _is_objects(value)]
    beside = _side_by_side({key: value for key, value in flat.items() if key not in inner})
    plain = {key: _plain(value) for key, value in flat.items() if key not in inner and key not in beside}
    if beside:
        many = zip(*(flat[key] for key in beside), strict=True)
        return [{**plain, **dict(zip(map(_single, beside), values, strict=True))} for values in many]
    if len(inner) == 1:
        return [{**plain, **row} for one in flat[inner[0]] for row in rows_of_record(one)]
    return [plain]


def _lost(record: Mapping[str, Any]) -> list[str]:
    """Return fields with lists of objects if there are several, because their rows cannot be combined."""
    inner = [key for key, value in _flat(record).items() if _is_objects(value)]
    return inner if len(inner) > 1 else []


def _flat(record: Mapping[str, Any], before: str = "", depth: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping) and depth < 8:
            found |= _flat(value, f"{before}{key}.", depth + 1)
        else:
            found[f"{before}{key}"] = value
    return found


def _is_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _side_by_side(flat: Mapping[str, Any]) -> list[str]:
    """Return the lists that belong together: the annotators, and all lists of that length."""
    lists = {key: value for key, value in flat.items() if isinstance(value, list)}
    people = next((key for key in lists if plain_name(_single(key)) in ANNOTATOR), None)
    if people is None:
        return []
    return [key for key, value in lists.items() if len(value) == len(lists[people])]


def _single(name: str) -> str:
    """Return the singular of a name: labels → label, annotators → annotator."""
    return (
        name[:-1] if name.endswith("s") and plain_name(name[:-1]) in {*ANNOTATOR, "label", "rating", "score"} else name
    )


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [str(one) for one in value]
    return str(value) if isinstance(value, bool) else value
