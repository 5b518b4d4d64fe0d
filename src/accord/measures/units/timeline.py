"""Units on an integer grid, for measures that divide the continuum into segments.

All documents are placed on one line, one after the other, so that a pair of annotators is compared in one sweep. The
cost grows with the number of units and does not depend on the length of the continuum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.data.model.corpus import Corpus
from accord.measures.units.aligned import WITHOUT_LENGTH, check_comparable, document_facts, document_notes
from accord.measures.units.unitary import NO_LABEL

OVERLAPS = ("error", "merge")
PAIRS = "pairs"  # overlapping units are kept, and all pairs of units are compared
_FINEST = 9  # decimals
_LONGEST = 2**62


@dataclass(frozen=True, eq=False)
class Timeline:
    """Units of the compared documents in integer steps of the grain, sorted by annotator and position.

    With layers, each category of a document has a separate section of the line, so that units of different categories
    never overlap.
    """

    corpus: Corpus
    docs: NDArray[np.intp]  # compared documents, as indices of the corpus
    grain: float
    annotator: Ints
    start: Ints  # position on the line
    end: Ints
    label: Ints
    doc: Ints  # index among the compared documents
    lengths: Ints  # lengths of the compared documents
    judged: NDArray[np.bool_]  # compared documents × annotators
    empty: int  # number of units of length 0, left out
    merged: int  # number of units merged with another
    moved: int  # number of units with a boundary between two steps

    @property
    def length(self) -> Ints:
        return self.end - self.start

    @property
    def nothing_left(self) -> str | None:
        """Return why nothing can be compared if all units have length 0; else None."""
        if len(self.start):
            return None
        if bool((self.corpus.end > self.corpus.start).any()):
            return f"all units have length 0 in steps of {self.grain:g}, so no unit is left; give a smaller step"
        return f"all units have length 0, so no unit is left; {WITHOUT_LENGTH}"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the categories; the last is for units without label."""
        return (*self.corpus.categories.names, NO_LABEL)

    @property
    def doc_names(self) -> tuple[str, ...]:
        """Return the names of the compared documents."""
        return tuple(self.corpus.docs[int(d)] for d in self.docs)

    @cached_property
    def annotators_per_doc(self) -> Ints:
        return self.judged.sum(axis=1)

    @cached_property
    def _first(self) -> Ints:
        return np.searchsorted(self.annotator, np.arange(self.judged.shape[1] + 1))

    def of(self, annotator: int) -> Ints:
        """Return the indices of an annotator's units, in order."""
        return np.arange(self._first[annotator], self._first[annotator + 1])

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield all pairs of annotators with a common document."""
        seen = self.judged.astype(np.float32)
        for a, b in zip(*np.nonzero(np.triu(seen.T @ seen, 1)), strict=True):
            yield int(a), int(b)

    def common(self, a: int, b: int) -> NDArray[np.bool_]:
        """Return the documents that both annotators annotated."""
        return self.judged[:, a] & self.judged[:, b]

    def joint(self, a: int, b: int) -> Stretches:
        """Return the segments with a unit of either annotator, cut at all boundaries, in common documents."""
        both = self.common(a, b)
        of_a, of_b = (mine[both[self.doc[mine]]] for mine in (self.of(a), self.of(b)))
        cuts = merge_distinct([self.start[of_a], self.end[of_a], self.start[of_b], self.end[of_b]])
        left, length = cuts[:-1], np.diff(cuts)
        first, second = self._at(of_a, left), self._at(of_b, left)
        marked = (first >= 0) | (second >= 0)
        first, second = first[marked], second[marked]
        return Stretches(self, left[marked], length[marked], first, second)

    def met(self, a: int, b: int) -> Stretches:
        """Return the overlap of each unit of one annotator with each of the other; own units may overlap."""
        both = self.common(a, b)
        of_a, of_b = (mine[both[self.doc[mine]]] for mine in (self.of(a), self.of(b)))
        # Candidates start before the unit ends and come after all units that end before it starts.
        low = np.searchsorted(np.maximum.accumulate(self.end[of_b]), self.start[of_a], side="right")
        many = np.maximum(np.searchsorted(self.start[of_b], self.end[of_a], side="left") - low, 0)
        first = np.repeat(of_a, many)
        second = of_b[np.arange(len(first)) + np.repeat(low - (np.cumsum(many) - many), many)]
        start = np.maximum(self.start[first], self.start[second])
        length = np.minimum(self.end[first], self.end[second]) - start
        there = length > 0
        return Stretches(self, start[there], length[there], first[there], second[there])

    @property
    def overlapping(self) -> int:
        """Return the number of units that begin before an earlier unit of the same annotator ends."""
        return int(_meets(self.annotator, self.start, self.end).sum())

    def _at(self, mine: Ints, place: Ints) -> Ints:
        """Return the unit at each position; -1 for a gap."""
        if not len(mine):
            return np.full(len(place), -1, dtype=np.int64)
        before = np.searchsorted(self.start[mine], place, side="right") - 1
        behind = before < 0
        before[behind] = 0
        behind |= place >= self.end[mine][before]
        unit = mine[before]
        unit[behind] = -1
        return unit


def merge_distinct(runs: list[Ints]) -> Ints:
    """Return the distinct values of sorted runs; merging is faster than sorting."""
    merged = np.sort(np.concatenate(runs), kind="stable")
    return merged[np.concatenate([[True], merged[1:] != merged[:-1]])] if len(merged) else merged


@dataclass(frozen=True, eq=False)
class Stretches:
    """Segments of the line with the unit of either annotator; -1 for a gap."""

    line: Timeline
    start: Ints
    length: Ints
    first: Ints
    second: Ints

    @cached_property
    def doc(self) -> Ints:
        return self.line.doc[np.maximum(self.first, self.second)]

    def labels(self) -> tuple[Ints, Ints]:
        """Return the labels of both annotators; -1 for a gap."""
        label = np.append(self.line.label, -1)
        return label[self.first], label[self.second]


@dataclass(frozen=True, eq=False)
class LineEvidence:
    """Evidence of a measure on a timeline. Subclasses that can be resampled have `times`, one weight per document."""

    line: Timeline

    @property
    def corpus(self) -> Corpus:
        return self.line.corpus

    @property
    def names(self) -> tuple[str, ...]:
        return self.line.doc_names


def check_grid(
    name: str, grain: object, overlaps: object, what: str = "grain", ways: tuple[str, ...] = OVERLAPS
) -> None:
    """Check the options shared by these measures."""
    if overlaps not in ways:
        raise UnknownName("way to treat overlaps", str(overlaps), ways)
    number = isinstance(grain, int | float | np.integer | np.floating) and not isinstance(grain, bool)
    if grain is not None and not (number and 0 < float(grain) < math.inf):  # type: ignore[arg-type]
        raise SpecError(
            "measure-option",
            f"{name}: {what} is the smallest step of positions and must be above 0, not {quoted(grain)}",
        )


def resolution(corpus: Corpus) -> float:
    """Return the largest decimal step of which all positions are multiples."""
    positions = np.concatenate([corpus.start, corpus.end, corpus.extents.ravel()])
    positions = positions[positions != np.rint(positions)]  # integers are multiples of any step
    if not len(positions):
        return 1.0
    for decimals in range(_FINEST + 1):
        scaled = positions * 10.0**decimals
        if np.allclose(scaled, np.round(scaled), rtol=0, atol=1e-6):
            return float(10.0**-decimals)
    raise DataError(
        "measure-option",
        f"positions have more than {_FINEST} decimals; give the step of the grid, for example grain=0.001",
    )


def timeline(
    corpus: Corpus,
    name: str,
    grain: float | None,
    overlaps: str,
    layers: bool = False,
    gaps: bool = True,
    ways: tuple[str, ...] = OVERLAPS,
) -> Timeline:
    """Place the corpus on a grid.

    Overlapping units of one annotator are an error. With overlaps=merge, units of one category are merged. Measures
    that can compare all pairs keep them. If `gaps` count, documents without units count as well; otherwise the division
    of a recording into documents would change how much silence is included.
    """
    check_comparable(corpus, name)
    step = float(grain) if grain is not None else resolution(corpus)
    docs = np.flatnonzero(corpus.measurable if gaps else corpus.comparable)
    number = np.full(len(corpus.docs), -1, dtype=np.int64)
    number[docs] = np.arange(len(docs))
    kept = np.flatnonzero(number[corpus.doc] >= 0)
    doc = number[corpus.doc[kept]]
    q = len(corpus.categories) + 1
    if float(np.abs(corpus.extents[docs]).max()) > _LONGEST / (len(docs) * (q if layers else 1)) * step:
        raise DataError(
            "measure-option", f"the documents are too long to count in steps of {step:g}; give a larger grain"
        )
    begin, end = (_on_grid(corpus.extents[docs, k], step) for k in (0, 1))
    if not (end > begin).any():
        raise DataError(
            "measure-option",
            f"all documents have length 0 in steps of {step:g}; give a smaller grain, or use gamma",
        )
    blocks = np.repeat(end - begin, q) if layers else end - begin
    offset = np.cumsum(blocks) - blocks
    label = corpus.label[kept].astype(np.int64) % q  # the last category is for units without label
    block = doc * q + label if layers else doc
    move = offset[block] - begin[doc]
    start, stop = (_on_grid(side[kept], step) + move for side in (corpus.start, corpus.end))
    off = np.abs((start - move) * step - corpus.start[kept]) + np.abs((stop - move) * step - corpus.end[kept])
    filled = stop > start
    order = np.flatnonzero(filled)
    who = corpus.annotator[kept].astype(np.int64)
    # A stable sort is fast on sorted data. Units with equal starts overlap in any order.
    order = order[np.argsort(start[order], kind="stable")]
    order = order[np.argsort(who[order], kind="stable")]
    columns = _Columns(who[order], start[order], stop[order], label[order], kept[order])
    merged = columns if overlaps == PAIRS else columns.settled(corpus, name, overlaps, ways)
    return Timeline(
        corpus, docs, step, merged.annotator, merged.start, merged.end, merged.label, number[corpus.doc[merged.unit]],
        end - begin, corpus.judged[docs], int((~filled).sum()), len(columns.start) - len(merged.start),
        int((off > 1e-6 * step).sum()),
    )  # fmt: skip


def _on_grid(positions: Floats, step: float) -> Ints:
    """Round to the nearest step, halves up, so that a shift by whole steps changes nothing."""
    return np.floor(positions / step + 0.5 + 1e-9).astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Columns:
    annotator: Ints
    start: Ints
    end: Ints
    label: Ints
    unit: Ints  # index in the corpus

    def settled(self, corpus: Corpus, name: str, overlaps: str, ways: tuple[str, ...]) -> _Columns:
        """Merge overlapping units of one annotator, or raise DataError."""
        meets = _meets(self.annotator, self.start, self.end)
        if not meets.any():
            return self
        run = np.concatenate([[0], np.cumsum(~meets)])
        first = np.flatnonzero(np.diff(run, prepend=-1))
        mixed = np.flatnonzero(self.label != self.label[first][run])
        if overlaps != "merge" or len(mixed):
            later = int(mixed[0]) if overlaps == "merge" else int(np.argmax(meets)) + 1
            raise DataError("overlapping-units", self._told(corpus, name, later, bool(overlaps == "merge"), ways))
        return _Columns(
            self.annotator[first],
            self.start[first],
            np.maximum.reduceat(self.end, first),
            self.label[first],
            self.unit[first],
        )

    def _told(self, corpus: Corpus, name: str, later: int, merging: bool, ways: tuple[str, ...]) -> str:
        before = self.annotator[:later] == self.annotator[later]
        earlier = int(np.flatnonzero(before & (self.end[:later] > self.start[later]))[0])
        one, other = (int(self.unit[k]) for k in (earlier, later))
        what = [f"{corpus.start[u]:.10g}–{corpus.end[u]:.10g} {_label(corpus, u)}".strip() for u in (one, other)]
        same = self.label[earlier] == self.label[later] and not merging
        way = f"use {name}(overlaps=merge) to merge them" if same else "units of different categories cannot be merged"
        if PAIRS in ways:
            way += f", use {name}(overlaps={PAIRS}) to compare all pairs of units"
        return (
            f"{corpus.place(other)}: {what[1]} overlaps {what[0]} of the same annotator "
            f"({quoted(corpus.annotators[corpus.annotator[other]])}), which {name} does not allow; {way}, "
            "or use gamma, which allows overlaps"
        )


def _meets(annotator: Ints, start: Ints, end: Ints) -> NDArray[np.bool_]:
    """Return, for all units but the first, whether an earlier unit of the same annotator ends after their start."""
    if len(start) < 2:
        return np.zeros(0, dtype=bool)
    # The furthest end so far of the same annotator; the offset separates annotators.
    far = int(end.max()) + 1
    reached = np.maximum.accumulate(end + annotator * far) - annotator * far
    found: NDArray[np.bool_] = (annotator[1:] == annotator[:-1]) & (start[1:] < reached[:-1])
    return found


def _label(corpus: Corpus, unit: int) -> str:
    code = int(corpus.label[unit])
    return corpus.categories.names[code] if code >= 0 else ""


def grid_facts(line: Timeline, gaps: bool = True) -> dict[str, object]:
    """Return details about the grid; `gaps` as in `timeline`."""
    documents = document_facts(line.corpus, line.docs)
    facts: dict[str, object] = {
        **documents,
        "units": len(line.corpus),
        "annotators": line.corpus.n_annotators,
        "categories": len(line.corpus.categories),
        "grain": line.grain,
    }
    notes = document_notes(documents["left_out"], "; length unknown" if gaps else "")
    if line.empty:
        notes.append(f"{counted(line.empty, 'unit')} of length 0 left out")
    if line.moved:
        notes.append(f"{counted(line.moved, 'unit')} moved to the nearest step of the grid")
    if line.merged:
        notes.append(f"{counted(line.merged, 'unit')} merged with another of the same annotator and category")
    return {**facts, "notes": notes}
