"""Cells that contain several labels: `[1, 1, 2]`, `{"w1": "yes", "w2": "no"}`, `a1|a2|a3` beside `x|y|x`.

`unpack_cells` examines the first rows. If a column has such cells, all rows are unpacked into one row per label by
nested.py; otherwise the table is returned unchanged, and none of its columns is loaded.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from accord.core.errors import DataError, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column
from accord.data.io.tables.delimited import DelimitedTable
from accord.data.io.tables.fields import COUNTS, LABEL_WORDS, Field, Record, names_people, words_of
from accord.data.io.tables.nested import find_labels, joins_votes, split_text
from accord.data.io.tables.roles import holds_units
from accord.data.io.tables.sources import MemorySource, Source, View
from accord.data.io.tables.zooniverse import are_classifications, read_classifications
from accord.data.model.labels import is_missing

_LOOKED_AT = 50  # rows that show whether cells are packed
_MOSTLY = 0.8
_LONGEST = 1 << 20  # characters of a cell that is parsed
_NO_LABEL = "[]"  # the label of an annotator who chose none
_SIGNS = (",", ";", "|")
_OPENS = ("[", "{", "(")
_NUMPY = re.compile(r"\[\s*(?:'[^']*'|\"[^\"]*\"|[-+.\w]+)(?:\s+(?:'[^']*'|\"[^\"]*\"|[-+.\w]+))+\s*\]")
_BARE = re.compile(r"\[\s*[^\W\d][^\[\]{}\"',]*(?:,\s*[^\W\d][^\[\]{}\"',]*)*\]")  # [yes, no, yes]
_NAN = re.compile(r"(?<=[\[,:\s(])nan(?=[\],\s)}])")
_ENTRY = re.compile(r"\s*([^:=;|,]+?)\s*[:=]\s*([^:=;|,]+?)\s*")  # Ann1: yes
_CALL = re.compile(r"(?:Counter|OrderedDict|defaultdict|array|set|frozenset|tuple|list|dict)\((.*)\)", re.DOTALL)
_NUMPY_PART = re.compile(r"'([^']*)'|\"([^\"]*)\"|([-+.\w]+)")


def unpack_cells(source: Source, how: Reading) -> Source:
    """Return one row per label if cells contain several labels; otherwise return the table unchanged."""
    if getattr(source, "labels", ()) or getattr(source, "anonymous", False) or _is_declared(how, source):
        return source
    if are_classifications(source.header):
        return read_classifications(source)
    first = first_rows(source)
    packed = {name for name, cells in first.items() if _is_packed(cells)}
    entries = {name for name, cells in first.items() if name not in packed and _joins_entries(name, cells)}
    packed |= entries
    people = {name for name, cells in first.items() if name not in packed and _lists_people(name, cells, how)}
    joined = any(joins_votes(Field((name,), cells)) for name, cells in first.items() if name not in packed)
    if not packed and not joined and not (people and _has_partner(first, people)):
        return source
    columns = all_cells(source)
    rows = len(next(iter(columns.values())))
    for name in entries:
        columns[name] = [_parse_entries(cell) if isinstance(cell, str) else None for cell in columns[name]]
    for name in packed - entries:
        columns[name] = _without_brackets([_parsed(cell, source, row, name) for row, cell in enumerate(columns[name])])
    empty = [name for name in packed if any(isinstance(cell, list) and _NO_LABEL in cell for cell in columns[name])]
    names = list(columns)
    records = [Record(source.place(row), {name: columns[name][row] for name in names}) for row in range(rows)]
    unpacked = find_labels(records, source.name, how)
    if unpacked is None:
        return source
    noted = (f"{source.name}: an empty list in {', '.join(empty)} is the label {_NO_LABEL}",) if empty else ()
    return replace(unpacked, is_file=source.is_file, notes=(*source.notes, *unpacked.notes, *noted))


def _without_brackets(cells: list[Any]) -> list[Any]:
    """Return [["a"], [], ["b"]] as ["a", "[]", "b"], if each inner list has one label at most."""
    lists = [cell for cell in cells if isinstance(cell, list) and cell]
    if not lists or not all(isinstance(one, list) and len(one) <= 1 for cell in lists for one in cell):
        return cells
    return [[one[0] if one else _NO_LABEL for one in cell] if isinstance(cell, list) else cell for cell in cells]


def _is_declared(how: Reading, source: Source) -> bool:
    """Whether the user says what rows and columns are, or rows are units, whose texts may have commas and brackets."""
    if holds_units(source.header):
        return True
    if how.layout not in {None, "long"} or how.annotators_in or how.columns or how.start or how.sets is not None:
        return True
    return how.annotator is not None and how.annotator in source.header and not names_people(how.annotator)


def first_rows(source: Source) -> dict[str, list[Any]]:
    """Return the first cells of each column, without loading the table."""
    inner: Source = source
    while isinstance(inner, View):
        inner = inner.source
    header = set(source.header)
    if isinstance(inner, MemorySource):
        named = {str(name): column for name, column in inner.columns.items()}
        return {name: list(named[name][:_LOOKED_AT]) for name in source.header if name in named}
    if not isinstance(inner, DelimitedTable):
        return {}
    with inner.path.open(encoding="utf-8-sig", newline="", errors="replace") as file:
        try:
            lines = islice(csv.reader(islice(file, inner.blank, None), delimiter=inner.separator), _LOOKED_AT + 1)
            rows = [row for row in lines if row]
        except csv.Error:
            return {}  # reading the table reports the error
    below = rows if inner.named is not None else rows[1:]
    return {name: [row[k] for row in below if k < len(row)] for k, name in enumerate(inner.header) if name in header}


def all_cells(source: Source) -> dict[str, list[Any]]:
    """Return all cells: objects of a table in memory as they are, others as text or numbers."""
    inner: Source = source
    while isinstance(inner, View):
        inner = inner.source
    if isinstance(inner, MemorySource) and isinstance(source, MemorySource):
        return {str(name): [_plain(cell) for cell in column] for name, column in inner.columns.items()}
    loaded, _ = source.load(source.header)
    return {name: _cells_of(column) for name, column in loaded.items()}


def _cells_of(column: Column) -> list[Any]:
    names = [*column.names, None]
    return [None if names[code] == "" else names[code] for code in column.codes.tolist()]


def _plain(cell: Any) -> Any:
    """Return lists and objects of Parquet, pandas and Polars as those of Python, and missing values as None."""
    if isinstance(cell, str | int | bool):
        return cell
    if hasattr(cell, "to_list"):
        cell = cell.to_list()
    elif hasattr(cell, "tolist"):
        cell = cell.tolist()
    if isinstance(cell, list | tuple):
        return [_plain(one) for one in cell]
    if isinstance(cell, Mapping):
        return {str(key): _plain(value) for key, value in cell.items()}
    return None if is_missing(cell) else cell


def _is_packed(cells: Sequence[Any]) -> bool:
    """Whether most filled cells are lists or objects, and one has several entries."""
    filled = [cell for cell in map(_plain, cells) if cell is not None and cell != ""]
    values = [_parse(cell) if isinstance(cell, str) else cell for cell in filled]
    lists = [value for value in values if isinstance(value, list | Mapping)]
    return len(lists) >= max(1, _MOSTLY * len(filled)) and any(len(value) > 1 for value in lists)


def _lists_people(name: str, cells: Sequence[Any], how: Reading) -> bool:
    """Whether cells join the names of several annotators."""
    if not names_people(name) and name != how.annotator:
        return False
    return any(sign in cell for cell in cells if isinstance(cell, str) for sign in _SIGNS)


def _has_partner(first: Mapping[str, Sequence[Any]], people: set[str]) -> bool:
    """Whether another column has as many parts as the names of annotators in each of the first rows."""
    for name in people:
        sign = next(sign for sign in _SIGNS if any(sign in str(cell) for cell in first[name]))
        sizes = [len(split_text(cell, sign)) for cell in first[name]]
        for other, cells in first.items():
            if other != name and any(_fits(cells, sizes, sign) for sign in _SIGNS):
                return True
    return False


def _fits(cells: Sequence[Any], sizes: Sequence[int], sign: str) -> bool:
    both = [
        (size, len(split_text(cell, sign))) for cell, size in zip(cells, sizes, strict=False) if cell not in (None, "")
    ]
    return any(size > 1 for size, _ in both) and all(a == b for a, b in both)


def _parse(text: str) -> Any:
    """Return the list or object in a cell, in the notation of JSON, Python or NumPy; None if it is neither."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if called := _CALL.fullmatch(text):  # Counter({'yes': 2}), OrderedDict([('a', 1)]), array([1, 2], dtype=int64)
        inner = re.sub(r"^<[^<>]*>,\s*", "", re.sub(r",\s*dtype=.*$", "", called[1]))
        value = _parse(inner)
        pairs = isinstance(value, list) and all(isinstance(one, list) and len(one) == 2 for one in value)
        return dict(value) if pairs and value and text.startswith("OrderedDict") else value
    if not text.startswith(_OPENS):
        return None
    if _NUMPY.fullmatch(text):  # Python would join 'a' 'b' into one text
        return [_numbered(*parts) for parts in _NUMPY_PART.findall(text)]
    value = _evaluate(text)
    if value is None and _BARE.fullmatch(text):
        value = [part.strip() for part in text[1:-1].split(",")]
    return value if isinstance(value, list | Mapping) else None


def _evaluate(text: str) -> Any:
    """Return the value of a text in the notation of JSON or Python, with tuples and sets as lists; None if invalid."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        value = ast.literal_eval(_NAN.sub("None", text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return _as_lists(sorted(value, key=str) if isinstance(value, set | frozenset) else value)


def _as_lists(value: Any) -> Any:
    return [_as_lists(one) for one in value] if isinstance(value, list | tuple) else value


def _parse_entries(text: str) -> dict[str, Any] | None:
    """Return the object in a cell such as `Ann1:yes;Ann2:no`."""
    sign = next((sign for sign in (";", "|", ",") if sign in text), None)
    entries = [_ENTRY.fullmatch(part) for part in (text.split(sign) if sign else [text])]
    names = [entry[1] for entry in entries if entry]
    if len(names) < len(entries) or len(set(names)) < len(names):
        return None
    return {entry[1]: int(entry[2]) if entry[2].isdecimal() else entry[2] for entry in entries if entry}


def _joins_entries(name: str, cells: Sequence[Any]) -> bool:
    """Whether the cells of a column of labels join annotators or categories with their labels or counts."""
    if not words_of(name) & (LABEL_WORDS | COUNTS):
        return False
    filled = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    entries = [_parse_entries(cell) for cell in filled]
    names = Counter(name for one in entries for name in one or ())
    return (
        bool(entries)
        and all(entries)
        and any(len(one or ()) > 1 for one in entries)
        and 2 * sum(many > 1 for many in names.values()) > len(names)
    )


def _numbered(single: str, double: str, bare: str) -> Any:
    if not bare:
        return single or double
    try:
        number = float(bare)
    except ValueError:
        return bare
    return int(number) if number.is_integer() else number


def _parsed(cell: Any, source: Source, row: int, name: str) -> Any:
    if not isinstance(cell, str):
        return cell if isinstance(cell, list | Mapping) else None if cell is None else [cell]
    value = _parse(cell)
    if value is None and cell.strip():
        raise DataError(
            "invalid-record",
            f"{source.place(row)} (column {quoted(name)}): {quoted(cell, 40)} is neither a list nor an object, as in "
            "other rows; correct this cell",
        )
    return value


__all__ = ["all_cells", "first_rows", "unpack_cells"]
