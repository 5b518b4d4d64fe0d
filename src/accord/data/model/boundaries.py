"""Segmentations as people give them: masses, boundaries, with types or without; checked before they are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from accord.core.arrays import Codes, Ints
from accord.core.errors import DataError, quoted
from accord.data.model.labels import Categories, Label, arrange, encode, label_name, plain

BOUNDARY = "boundary"  # the type of a boundary where there is only one
LONGEST = 2**40  # atoms of a document: a million million
ONLY_DOCUMENT = "document"  # its name where none is given


class Given(NamedTuple):
    """One segmentation as somebody gives it; `place` is for messages."""

    doc: str
    annotator: str
    positions: Ints
    types: Sequence[Label] | None
    length: int
    place: str


def ranges(starts: Ints, counts: Ints) -> Ints:
    """starts[0], starts[0] + 1 …, starts[1] …: the members of many slices, one after the other."""
    before = np.cumsum(counts) - counts
    return np.repeat(starts - before, counts) + np.arange(int(counts.sum()), dtype=np.int64)


def of_masses(doc: str, annotator: str, masses: Ints, place: str) -> Given:
    wrong = np.flatnonzero(masses < 1)
    if len(wrong):
        at = int(wrong[0])
        raise DataError(f"{place}: mass {at + 1} is {masses[at]}; a segment has one atom at least")
    if not len(masses):
        raise DataError(f"{place}: there are no masses; a text that is not cut has one: its length")
    if float(masses.sum(dtype=np.float64)) > LONGEST:
        raise DataError(f"{place}: the masses add up to more than {LONGEST:,} atoms")
    ends = np.cumsum(masses)
    return Given(doc, annotator, ends[:-1], None, int(ends[-1]), place)


def whole_numbers(values: Any, place: str, what: str) -> Ints:
    """Numbers as an array of integers, or the first that is none."""
    try:
        array = np.asarray(values if isinstance(values, np.ndarray) else list(values))
    except TypeError:
        raise DataError(f"{place}: give a list of whole numbers, not {quoted(values)}") from None
    if array.dtype.kind in "iu" and array.ndim == 1:
        return array.astype(np.int64)
    if not array.size:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind == "f" and array.ndim == 1 and (np.abs(array) < 2**53).all() and (array % 1 == 0).all():
        return array.astype(np.int64)
    for at, value in enumerate(values):
        number = plain(value)
        if not isinstance(number, int):
            raise DataError(f"{place}: {what} {at + 1} is {quoted(label_name(number))}, not a whole number")
    raise DataError(f"{place}: give a list of whole numbers")


def each(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, str]]:
    """(document, annotator, what is given, place) of one document or of several."""
    if not isinstance(data, Mapping) or not data:
        raise DataError("give a dict: {annotator: segmentation}, or {document: {annotator: segmentation}}")
    nested = [isinstance(v, Mapping) and not all(isinstance(k, int | np.integer) for k in v) for v in data.values()]
    if any(nested) and not all(nested):
        raise DataError("some entries are documents, others annotators: give a dict of annotators for each document")
    for name, value in data.items():
        if nested[0]:
            for annotator, inner in value.items():
                place = f"document {quoted(name)}, {quoted(annotator)}"
                yield str(name), str(annotator), inner, place
        else:
            yield ONLY_DOCUMENT, str(name), value, quoted(name)


def typed(boundaries: Any) -> tuple[Any, list[Label] | None]:
    """Positions, and the type of each if types are given."""
    if isinstance(boundaries, Mapping):
        pairs = [(p, t) for p in sorted(boundaries) for t in _members(boundaries[p])]
    else:
        given = boundaries if isinstance(boundaries, np.ndarray) else list(boundaries)
        if not len(given) or not all(isinstance(g, tuple) for g in given):
            return given, None
        pairs = list(given)
    return [p for p, _ in pairs], [plain(t) for _, t in pairs]


def _members(types: Any) -> Iterable[Any]:
    return sorted(types, key=str) if isinstance(types, set | frozenset | list | tuple) else (types,)


def length_of(doc: str, length: int | Mapping[str, int]) -> int:
    if isinstance(length, Mapping):
        if doc not in length:
            raise DataError(f"the length of document {quoted(doc)} is not given")
        length = length[doc]
    if isinstance(length, bool) or not isinstance(length, int | np.integer) or not 1 <= length <= LONGEST:
        raise DataError(f"the length of a document is a number of atoms, 1 at least, not {quoted(length)}")
    return int(length)


def check(rows: Sequence[Given]) -> None:
    """Boundaries in order and in range; one segmentation and one length for each document and annotator."""
    for g in rows:
        back = np.flatnonzero(np.diff(g.positions) < 0)
        if len(back):
            at = int(back[0])
            raise DataError(
                f"{g.place}: boundary {g.positions[at + 1]} comes after {g.positions[at]}; give them in order"
                + ("" if g.types is not None else ", or as masses if these are the lengths of segments")
            )
        outside = np.flatnonzero((g.positions < 1) | (g.positions >= g.length))
        if len(outside):
            raise DataError(
                f"{g.place}: boundary {g.positions[outside[0]]} is outside: a text of {g.length:,} atoms has "
                f"boundaries from 1 (after the first atom) to {g.length - 1:,}"
            )
    for before, g in pairwise(rows):
        if before.doc != g.doc:
            continue
        if before.annotator == g.annotator:
            raise DataError(
                f"{g.place}: {quoted(g.annotator)} segmented document {quoted(g.doc)} before: {before.place}"
            )
        if before.length != g.length:
            raise DataError(
                f"{g.place}: document {quoted(g.doc)} has {g.length:,} atoms for {quoted(g.annotator)}, but "
                f"{before.length:,} for {quoted(before.annotator)} ({before.place}); all segment the same text"
            )


def coded_types(rows: Sequence[Given], types: Sequence[Label] | None) -> tuple[Codes, Categories]:
    """The type of each boundary, types of one place in order; and all types."""
    sizes = np.array([len(g.positions) for g in rows])
    if types is None and all(g.types is None for g in rows):
        return np.zeros(int(sizes.sum()), dtype=np.int32), Categories((BOUNDARY,))
    labels: list[Label] = []
    for g in rows:
        labels.extend(g.types if g.types is not None else [BOUNDARY] * len(g.positions))
    codes, names = encode(labels)
    declared = None if types is None else [plain(t) for t in types]
    try:
        categories = arrange(names, declared)
    except DataError:
        unknown = next((k for k, name in enumerate(labels) if name not in (declared or ())), None)
        if unknown is None:  # declared twice
            raise
        row = int(np.searchsorted(np.cumsum(sizes), unknown, side="right"))
        known = ", ".join(label_name(t) for t in declared or ())
        name = quoted(label_name(labels[unknown]))
        raise DataError(f"{rows[row].place}: boundary type {name} is not declared (declared: {known})") from None
    rank = {name: k for k, name in enumerate(categories)}
    code = np.array([*(rank[n] for n in names), -1], dtype=np.int32)[codes]
    row_of = np.repeat(np.arange(len(rows)), sizes)
    return code[np.lexsort((code, np.concatenate([g.positions for g in rows]), row_of))], categories
