"""What comes with a table of units: extents and texts of documents (docs.csv), and who looked at them (judged.csv)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from accord.core.errors import DataError, SpecError, counted, quoted
from accord.data.io.tables.columns import Column, without_blank
from accord.data.io.tables.roles import ANNOTATOR, DOC, END, START, first_of, plain_name
from accord.data.io.tables.sources import Source
from accord.data.model.labels import as_number, label_name

TEXT = ("text", "content")
LENGTHS = ("length", "duration", "seconds", "tokens", "chars")  # how long a document is, where no begin and end say it
DOCS, JUDGED = "docs", "judged"  # the names of the files


@dataclass
class Beside:
    """By document: begin and end, the text, and who looked at it, also where nothing was marked."""

    extents: dict[str, tuple[float, float]] = field(default_factory=dict)
    judged: dict[str, list[str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, dict[str, float]] = field(default_factory=dict)  # by column: one of them may be the extent
    # For a single document whose name nobody has to say:
    extent: tuple[float, float] | None = None
    looked: list[str] | None = None
    notes: list[str] = field(default_factory=list)


def is_beside(source: Source) -> str | None:
    """Whether a file is one of these, by its name."""
    stem = Path(source.name).stem.lower()
    return stem if source.is_file and stem in {DOCS, JUDGED} else None


def read_docs(source: Source, beside: Beside) -> None:
    header = source.header
    doc, begin, end, text = (first_of(header, names) for names in (DOC, START, END, TEXT))
    if doc is None or (begin is None) != (end is None):
        raise DataError(f"{source.name}: a table of documents has the columns doc, begin, end (and text)")
    lengths = [name for name in header if plain_name(name) in LENGTHS] if begin is None else []
    again = bool(lengths) and text is None and first_of(header, ANNOTATOR) is not None  # a row for each annotator
    if begin is None and text is None and not lengths:
        beside.notes.append(f"{source.name} has no columns begin and end, nor a length: not used")
        return
    wanted = [name for name in (doc, begin, end, text, *lengths) if name is not None]
    columns, _, rows = without_blank(*source.load(wanted))

    def place(row: int) -> str:
        return source.place(row if rows is None else int(rows[row]))

    names = cells_of(columns[doc])
    seen: set[str] = set()
    for row, name in enumerate(names):
        if not name:
            raise DataError(f"{place(row)}: the document is empty")
        if name in seen and not again:
            raise DataError(f"{place(row)}: document {quoted(name)} occurs twice")
        seen.add(name)
    if begin is not None and end is not None:
        low, high = (np.array([as_number(n) for n in cells_of(columns[c])]) for c in (begin, end))
        for row, name in enumerate(names):
            if not (math.isfinite(low[row]) and math.isfinite(high[row])):
                raise DataError(f"{place(row)}: begin and end of document {quoted(name)} must be numbers")
            beside.extents[name] = _extent(low[row], high[row], place(row))
    for column in lengths:
        beside.lengths[column] = _longest(column, columns[column], names, place)
    if text is not None:
        beside.texts.update(zip(names, cells_of(columns[text]), strict=True))


def _longest(column: str, cells: Column, names: Sequence[str], place: Callable[[int], str]) -> dict[str, float]:
    """How long documents are; annotators may have versions of different length."""
    lengths: dict[str, float] = {}
    for row, (name, cell) in enumerate(zip(names, cells_of(cells), strict=True)):
        length = as_number(cell)
        if not 0 <= length < math.inf:
            raise DataError(f"{place(row)}: {column} of document {quoted(name)} must be a number from 0 on")
        lengths[name] = max(float(length), lengths.get(name, 0.0))
    return lengths


def read_judged(source: Source, beside: Beside) -> None:
    doc, annotator = first_of(source.header, DOC), first_of(source.header, ANNOTATOR)
    if doc is None or annotator is None:
        raise DataError(f"{source.name}: a table of who looked at what has the columns doc, annotator")
    columns, _, rows = without_blank(*source.load([doc, annotator]))
    for row, (name, who) in enumerate(zip(cells_of(columns[doc]), cells_of(columns[annotator]), strict=True)):
        if not name or not who:
            place = source.place(row if rows is None else int(rows[row]))
            raise DataError(f"{place}: the {'annotator' if name else 'document'} is empty")
        beside.judged.setdefault(name, []).append(who)


def settle_lengths(beside: Beside, ends: Mapping[str, float]) -> None:
    """A length is the extent, from 0 on, if it is the only one that holds all units. `ends`: of the last units."""
    if not beside.lengths or beside.extents:
        return
    beyond = {
        column: [doc for doc, end in ends.items() if end > lengths.get(doc, math.inf)]
        for column, lengths in beside.lengths.items()
    }
    fitting = [column for column, docs in beyond.items() if not docs]
    if len(fitting) > 1:
        raise DataError(
            f"the table of documents has {' and '.join(map(quoted, fitting))}: which is the extent, counted as units "
            "are? Leave one, or give begin and end"
        )
    for column, docs in beyond.items():
        if docs:
            many = f"units of {counted(len(docs), 'document')} go beyond it ({quoted(docs[0])} …)"
            beside.notes.append(f"column {quoted(column)} of the table of documents is not used: {many}")
    for column in fitting:
        beside.extents = {doc: (0.0, length) for doc, length in beside.lengths[column].items()}
        beside.notes.append(f"documents reach from 0 to their {column}")


def given_beside(extents: Any, judged: Any) -> Beside:
    """What a Python user says: {doc: (begin, end)} and {doc: [names]}, or without doc for a single document."""
    beside = Beside()
    if isinstance(extents, Mapping):
        beside.extents = {label_name(doc): _pair(pair, f"document {quoted(doc)}") for doc, pair in extents.items()}
    elif extents is not None:
        beside.extent = _pair(extents, "the document")
    if isinstance(judged, Mapping):
        beside.judged = {label_name(doc): [label_name(a) for a in names] for doc, names in judged.items()}
    elif judged is not None:
        beside.looked = [label_name(a) for a in judged]
    return beside


def _pair(pair: Any, place: str) -> tuple[float, float]:
    if not isinstance(pair, Iterable) or isinstance(pair, str) or len(values := list(pair)) != 2:
        raise SpecError(f"extents: {place}: give (begin, end), not {quoted(pair)}")
    try:
        begin, end = (float(value) for value in values)
    except (TypeError, ValueError):
        raise SpecError(f"extents: {place}: begin and end are numbers, not {quoted(pair)}") from None
    if not (math.isfinite(begin) and math.isfinite(end)):
        raise DataError(f"extents: {place}: begin and end are finite numbers, not {quoted(pair)}")
    return _extent(begin, end, f"extents: {place}")


def _extent(begin: float, end: float, place: str) -> tuple[float, float]:
    if end < begin:
        raise DataError(f"{place}: end {end:g} is before begin {begin:g}")
    return float(begin), float(end)


def cells_of(column: Column) -> list[str]:
    names = [label_name(n) for n in column.names]
    return [names[code] if code >= 0 else "" for code in column.codes.tolist()]
