"""Read JSON records as columns: rows of labels from scripts and models, with a field per annotator or a row per label.

Fields of an object become columns `outer.inner`. A list of objects in a record becomes one row per object; so do lists
of the same length (`labels` and `annotators`). A list of plain values is a set.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.core.errors import DataError, quoted
from accord.data.io.formats.files import gather_files
from accord.data.io.formats.parsing import json_rows
from accord.data.io.reading import Reading
from accord.data.io.tables.fields import (
    DEEPEST,
    DERIVED,
    NO_LABELS,
    Record,
    fields_of,
    is_plain,
    names_people,
    words_of,
)
from accord.data.io.tables.levels import read_levels, records_by_annotator, records_in
from accord.data.io.tables.nested import find_labels, is_annotator, label_fields
from accord.data.io.tables.roles import (
    ANNOTATOR,
    ASIDE,
    COULD_BE_ANNOTATORS,
    DOC,
    END,
    ITEM,
    LABEL,
    START,
    calls_an_annotator,
    first_of,
    in_full,
    is_called,
    is_person,
    is_variable,
    plain_name,
)
from accord.data.io.tables.sources import MemorySource
from accord.data.model.data import some

_MOST_COLUMNS = 2_000
_DISAGREE = re.compile(r"disagree|conflict|mismatch|discrepanc", re.IGNORECASE)
_RESULT = re.compile(r"kappa|alpha|agreement|accuracy|icc", re.IGNORECASE)
_FEW_ITEMS = 5
_ROLES = {*ANNOTATOR, *ITEM, *LABEL, *DOC, *START, *END}


def read_records(path: Path, name: str, how: Reading) -> MemorySource:
    """Read JSON as a table: nested records by their content (nested.py), others with a column per field."""
    found = list(json_rows(replace(gather_files([path])[0], name=name), how.encoding))
    records = [Record(place, fields) for place, fields in found]
    stated = [name for name in (how.item, how.annotator, *how.label) if name is not None]
    flat = how.annotator is not None and bool(how.label) and all(name in records[0].fields for name in stated)
    if how.layout in {None, "long"} and how.start is None and how.columns is None and not flat:
        records, nested = _look_inside(records, name, how)
        if nested is not None:
            return nested
    return _flat_table(records, name, how)


def _look_inside(records: list[Record], name: str, how: Reading) -> tuple[list[Record], MemorySource | None]:
    """Return the records that are rows or items, and the labels found in them."""
    if len(records) != 1:
        plain = all(not isinstance(value, Mapping | list) for record in records for value in record.fields.values())
        return records, None if plain else find_labels(records, name, how)
    top = records[0].fields
    _refuse_selection(top, name)
    whole = _are_columns_of_table(top)
    levels = _with_annotators_below(records, name, how) or (None if whole else read_levels(top, name, how))
    if whole or levels is not None:
        return records, levels
    if by_person := records_by_annotator(top, name):
        return by_person, find_labels(by_person, name, how)
    within = [value for value in top.values() if isinstance(value, Mapping)]
    if len(within) == 1 and len(top) > 1 and (levels := read_levels(within[0], name, how)) is not None:
        return records, levels
    lists = list(records_in(top, records[0].place, name))
    understood = [(inner, source) for inner in lists if (source := find_labels(inner, name, how)) is not None]
    if len(understood) > 1:
        fields = ", ".join(quoted(_part_of(inner[0].place)) for inner, _ in understood[:3])
        raise DataError(
            "roles-unclear",
            f"{name}: several parts of the file contain labels ({fields}); save each part in a file of its own",
        )
    return understood[0] if understood else (_rows_of_object(top, records, lists, name), None)


def _refuse_selection(top: Mapping[str, Any], name: str) -> None:
    """Refuse results of a study with a list of the items on which annotators disagree."""
    lists = [str(key) for key, value in top.items() if _is_objects(value) and _DISAGREE.search(str(key))]
    results = [str(key) for key, value in top.items() if is_plain(value) and _RESULT.search(str(key))]
    if lists and results:
        raise DataError(
            "export-not-usable",
            f"{name}: {quoted(lists[0])} contains only items on which annotators disagree, beside the result "
            f"{quoted(results[0])}; give a file with all items",
        )


def _with_annotators_below(records: list[Record], name: str, how: Reading) -> MemorySource | None:
    """Return the labels of a single record that names the annotators in lists somewhere inside it."""
    if not _names_annotators_below(records[0].fields):
        return None
    return find_labels(records, name, how)


def _names_annotators_below(value: Any, depth: int = 0) -> bool:
    """Whether objects below objects contain lists of objects that name their annotator."""
    if depth > DEEPEST:
        return False
    if isinstance(value, Mapping):
        return any(_names_annotators_below(one, depth + 1) for one in value.values())
    keys = [plain_name(str(key)) for one in value for key in one] if depth > 2 and _is_objects(value) else []
    return any(key in ANNOTATOR and key not in COULD_BE_ANNOTATORS for key in keys)


def _part_of(place: str) -> str:
    """Return the part of a file that contains a record: train for `t.json:1, train 1`."""
    return re.sub(r" \d+\Z", "", place.rpartition(", ")[2]).strip('"')


def _rows_of_object(
    top: Mapping[str, Any], records: list[Record], lists: list[list[Record]], name: str
) -> list[Record]:
    """Return the rows of an object without nested labels: a list of rows, labels by item, or the object itself."""
    named = [inner for inner in lists if first_of([str(key) for key in inner[0].fields], ITEM) is not None]
    tables = [inner for inner in named if first_of([str(key) for key in inner[0].fields], ANNOTATOR) is not None]
    for only in (named if len(lists) == 1 else [], tables):
        if len(only) == 1:
            return only[0]
    if _is_label_by_item(top):
        return [Record(f"{name}, {quoted(key)}", {"item": key, "label": label}) for key, label in top.items()]
    known = {plain_name(str(key)) for key in top}
    if not lists and known.isdisjoint(_ROLES) and not any(isinstance(value, list) for value in top.values()):
        raise DataError(
            "format-unknown",
            f"{name}: this is JSON without records (fields: {some(list(map(str, top)), 4)}); write one object per "
            "label with the fields item, annotator, label",
        )
    return records


def _are_columns_of_table(top: Mapping[str, Any]) -> bool:
    """Whether an object is a table with columns: split by pandas, columns of rows, or lists of the same length."""
    values = list(top.values())
    if set(top) == {"columns", "index", "data"}:
        return True
    if len(values) > 1 and all(isinstance(one, Mapping) and one and not _is_nested(one) for one in values):
        return _are_columns(top)
    if len(values) < 2 or not all(isinstance(one, list) and one and not _is_objects(one) for one in values):
        return False
    known = any(plain_name(key) in {*_ROLES, *ASIDE} or calls_an_annotator(key) for key in top)
    return len(set(map(len, values))) == 1 and (known or len(values) < 3 * len(values[0]))


def _is_nested(one: Mapping[str, Any]) -> bool:
    return any(isinstance(value, Mapping | list) for value in one.values())


def _is_label_by_item(top: Mapping[str, Any]) -> bool:
    """Whether an object maps items to labels: many names, and few labels that come several times."""
    values = [value for value in top.values() if value is not None]
    if len(values) < _FEW_ITEMS or any(isinstance(value, Mapping | list) for value in values):
        return False
    named = any(plain_name(key) in {*_ROLES, *ASIDE} for key in top)
    return not named and 2 * len(set(map(str, values))) <= len(values)


def _flat_table(records: Sequence[Record], name: str, how: Reading) -> MemorySource:
    rows, places = [], []
    above = labels_above_lists(records)
    records = [replace(one, fields={k: v for k, v in one.fields.items() if k not in above}) for one in records]
    for record in records:
        for row in (_whole_table(record.fields) if len(records) == 1 else None) or rows_of_record(record.fields):
            rows.append(row)
            places.append(record.place)
    said = how.annotator or how.label or how.columns or how.layout
    columns = _columns(rows, name, how) if not said else {key: key for row in rows for key in row}
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
    lost = dict.fromkeys([*above, *(key for record in records for key in _lost(record.fields))])
    if lost and not above and not said and not {plain_name(_single(key)) for key in lost}.isdisjoint(LABEL):
        raise DataError(
            "roles-unclear",
            f"{name}: several fields contain lists of records ({', '.join(map(quoted, lost))}), so the labels are "
            "unclear; write one object per label with the fields item, annotator, label",
        )
    notes = (f"{name}: lists of records not read: {', '.join(map(quoted, lost))}",) if lost else ()
    return MemorySource(cells, name, is_file=True, notes=notes, places=tuple(places))


def labels_above_lists(records: Sequence[Record]) -> list[str]:
    """Return the lists of objects that are no rows, because each record is the label of an annotator.

    The record names the annotator and has a field for labels, such as choice; or one that is no text, and the objects
    have none.
    """
    fields = fields_of([record.fields for record in records])
    lists = [one for one in fields if one.is_objects and len(one.path) == 1]
    plain = [one for one in fields if one.is_scalar]
    people = [one for one in plain if plain_name(one.name) in ANNOTATOR and len(set(map(str, one.present))) > 1]
    people = sorted(people, key=lambda one: not is_annotator(one, len(records)))
    if not lists or not people or all(is_called(one.name, ("model",)) for one in people):
        return []
    inner = [known for one in lists for known in fields_of([item for value in one.present for item in value])]
    above = label_fields([one for one in plain if one not in people], people[0].values)
    called = any(plain_name(one.name) in LABEL for one in above)
    above = above if is_annotator(people[0], len(records)) else []
    below = any(one.calls_labels or is_variable(one.name) or names_people(one.name) for one in inner)
    return [one.name for one in lists] if called or (above and not below) else []


def _columns(rows: Sequence[Mapping[str, Any]], name: str, how: Reading) -> dict[str, str]:
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
            f"unclear; {_advice(names, parents)}write one object per label with the fields item, annotator, label",
        )
    people = [key.rpartition(".")[2] for key in inner]
    if how.annotators_in is None and not all(map(is_person, people)):
        raise DataError(
            "roles-unclear",
            f"{name}: the names in {quoted(next(iter(parents)))} ({some(people, 3)}) may be annotators or variables; "
            "use --annotators-in columns if they are annotators, or write one object per label with the fields item, "
            "annotator, label",
        )
    return {key: key.rpartition(".")[2] if key in inner else key for key in names}


def _advice(names: Collection[str], parents: Collection[str]) -> str:
    """Return options that read the columns, if there is a column of annotators or one object of columns."""
    annotator = next((name for name in names if plain_name(name.rpartition(".")[2]) in ANNOTATOR), None)
    if annotator is not None:
        return f"use --item COLUMN --annotator {in_full(annotator)} --label COLUMN, or "
    if len(parents) == 1:
        columns = quoted(f"{next(iter(parents))}.{{annotator}}")
        return f"use --columns {columns} if the names in the object are annotators, or "
    return ""


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
    flat = {key: value for key, value in flat.items() if not _is_vector(key, value)}
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


def _is_vector(key: str, value: Any) -> bool:
    """Whether a list contains numbers that are no labels, such as an embedding or a probability per category."""
    numbers = isinstance(value, list) and len(value) > 1 and all(isinstance(one, int | float) for one in value)
    measured = numbers and any(isinstance(one, float) and not one.is_integer() for one in value)
    return numbers and (measured or bool(words_of(key) & (NO_LABELS | DERIVED)))


def _side_by_side(flat: Mapping[str, Any]) -> list[str]:
    """Return the lists that belong together: the annotators, and all lists of that length."""
    lists = {key: value for key, value in flat.items() if isinstance(value, list)}
    people = next((key for key in lists if plain_name(_single(key)) in ANNOTATOR), None)
    if people is None:
        return []
    same = [key for key, value in lists.items() if len(value) == len(lists[people])]
    return same if len(same) > 1 else []


def _single(name: str) -> str:
    """Return the singular of a name: labels → label, annotators → annotator."""
    return (
        name[:-1] if name.endswith("s") and plain_name(name[:-1]) in {*ANNOTATOR, "label", "rating", "score"} else name
    )


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [str(one) for one in value]
    return str(value) if isinstance(value, bool) else value
