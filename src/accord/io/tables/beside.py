"""What comes with a table of units: extents and texts of documents (docs.csv), and who looked at them (judged.csv)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import DataError, SpecError, quoted
from accord.io.tables.columns import Column, without_blank
from accord.io.tables.roles import ANNOTATOR, DOC, END, START, first_of
from accord.io.tables.sources import Source
from accord.model.labels import as_number, label_name

TEXT = ("text", "content")
DOCS, JUDGED = "docs", "judged"  # the names of the files


@dataclass
class Beside:
    """By document: begin and end, the text, and who looked at it, also where nothing was marked."""

    extents: dict[str, tuple[float, float]] = field(default_factory=dict)
    judged: dict[str, list[str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
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
    if begin is None and text is None:
        beside.notes.append(f"{source.name} has no columns begin and end: not used")
        return
    wanted = [name for name in (doc, begin, end, text) if name is not None]
    columns, _, rows = without_blank(*source.load(wanted))

    def place(row: int) -> str:
        return source.place(row if rows is None else int(rows[row]))

    names = cells_of(columns[doc])
    seen: set[str] = set()
    for row, name in enumerate(names):
        if not name:
            raise DataError(f"{place(row)}: the document is empty")
        if name in seen:
            raise DataError(f"{place(row)}: document {quoted(name)} occurs twice")
        seen.add(name)
    if begin is not None and end is not None:
        low, high = (np.array([as_number(n) for n in cells_of(columns[c])]) for c in (begin, end))
        for row, name in enumerate(names):
            if not (math.isfinite(low[row]) and math.isfinite(high[row])):
                raise DataError(f"{place(row)}: begin and end of document {quoted(name)} must be numbers")
            beside.extents[name] = _extent(low[row], high[row], place(row))
    if text is not None:
        beside.texts.update(zip(names, cells_of(columns[text]), strict=True))


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
