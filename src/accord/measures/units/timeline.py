"""Units on a grid: what the measures that cut the continuum into stretches work on.

All documents lie one behind the other on one line, so that a pair of annotators is compared in one sweep. Cost grows
with the number of units, never with the length of the continuum.
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
from accord.measures.units.aligned import check_comparable, document_facts, document_notes
from accord.measures.units.unitary import NO_LABEL

OVERLAPS = ("error", "merge")
PAIRS = "pairs"  # overlapping units stay as they are: every two are compared
_FINEST = 9  # decimals
_LONGEST = 2**62


@dataclass(frozen=True, eq=False)
class Timeline:
    """Units of the compared documents in whole steps of the grain, sorted by annotator and place on the line.

    With layers, every category of a document has a stretch of the line of its own: units of different categories
    never meet.
    """

    corpus: Corpus
    docs: NDArray[np.intp]  # of the corpus, that are compared
    grain: float
    annotator: Ints
    start: Ints  # on the line
    end: Ints
    label: Ints
    doc: Ints  # number among the compared documents
    lengths: Ints  # of the compared documents
    judged: NDArray[np.bool_]  # compared documents × annotators
    empty: int  # units without length, left out
    merged: int  # units that were merged with another
    moved: int  # units whose boundaries lay between two steps

    @property
    def length(self) -> Ints:
        return self.end - self.start

    @property
    def names(self) -> tuple[str, ...]:
        """Of the categories; the last is for units without label."""
        return (*self.corpus.categories.names, NO_LABEL)

    @property
    def doc_names(self) -> tuple[str, ...]:
        """Of the compared documents."""
        return tuple(self.corpus.docs[int(d)] for d in self.docs)

    @cached_property
    def annotators_per_doc(self) -> Ints:
        return self.judged.sum(axis=1)

    @cached_property
    def _first(self) -> Ints:
        return np.searchsorted(self.annotator, np.arange(self.judged.shape[1] + 1))

    def of(self, annotator: int) -> Ints:
        """The numbers of an annotator's units, in order."""
        return np.arange(self._first[annotator], self._first[annotator + 1])

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every two annotators who looked at the same document."""
        seen = self.judged.astype(np.float32)
        for a, b in zip(*np.nonzero(np.triu(seen.T @ seen, 1)), strict=True):
            yield int(a), int(b)

    def common(self, a: int, b: int) -> NDArray[np.bool_]:
        """The documents that both looked at."""
        return self.judged[:, a] & self.judged[:, b]

    def joint(self, a: int, b: int) -> Stretches:
        """Where at least one of the two has a unit, cut at every boundary of either, in the documents of both."""
        both = self.common(a, b)
        of_a, of_b = (mine[both[self.doc[mine]]] for mine in (self.of(a), self.of(b)))
        cuts = merge_distinct([self.start[of_a], self.end[of_a], self.start[of_b], self.end[of_b]])
        left, length = cuts[:-1], np.diff(cuts)
        first, second = self._at(of_a, left), self._at(of_b, left)
        marked = (first >= 0) | (second >= 0)
        first, second = first[marked], second[marked]
        return Stretches(self, left[marked], length[marked], first, second)

    def met(self, a: int, b: int) -> Stretches:
        """What every unit of one shares with every unit of the other; units of one annotator may overlap."""
        both = self.common(a, b)
        of_a, of_b = (mine[both[self.doc[mine]]] for mine in (self.of(a), self.of(b)))
        # Of those that start before a unit ends, the ones behind all that end before it starts.
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
        """Units that begin before an earlier one of the same annotator ends."""
        return int(_meets(self.annotator, self.start, self.end).sum())

    def _at(self, mine: Ints, place: Ints) -> Ints:
        """The unit at each place, -1 for a gap."""
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
    """The distinct values of runs that are sorted, each of them: merging costs less than sorting."""
    merged = np.sort(np.concatenate(runs), kind="stable")
    return merged[np.concatenate([[True], merged[1:] != merged[:-1]])] if len(merged) else merged


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretches of the line with the unit of either annotator, -1 for a gap."""

    line: Timeline
    start: Ints
    length: Ints
    first: Ints
    second: Ints

    @cached_property
    def doc(self) -> Ints:
        return self.line.doc[np.maximum(self.first, self.second)]

    def labels(self) -> tuple[Ints, Ints]:
        """The label of either, -1 for a gap."""
        label = np.append(self.line.label, -1)
        return label[self.first], label[self.second]


@dataclass(frozen=True, eq=False)
class LineEvidence:
    """Evidence of a measure on a timeline. Subclasses that can be resampled have `times`, a number per document."""

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
    """The options that all of these measures have."""
    if overlaps not in ways:
        raise UnknownName("way to treat overlaps", str(overlaps), ways)
    number = isinstance(grain, int | float | np.integer | np.floating) and not isinstance(grain, bool)
    if grain is not None and not (number and 0 < float(grain) < math.inf):  # type: ignore[arg-type]
        raise SpecError(
            "measure-option", f"{name}: {what} is the smallest step of positions, above 0; not {quoted(grain)}"
        )


def resolution(corpus: Corpus) -> float:
    """The smallest decimal step that all positions are multiples of."""
    positions = np.concatenate([corpus.start, corpus.end, corpus.extents.ravel()])
    positions = positions[positions != np.rint(positions)]  # the others are multiples of any step, however large
    if not len(positions):
        return 1.0
    for decimals in range(_FINEST + 1):
        scaled = positions * 10.0**decimals
        if np.allclose(scaled, np.round(scaled), rtol=0, atol=1e-6):
            return float(10.0**-decimals)
    raise DataError(
        "measure-option",
        f"positions have more than {_FINEST} decimals: say the step to count in, for example grain=0.001",
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
    """The corpus on a grid. Units of one annotator that overlap are refused or, in one category, merged on request;
    a measure that has a way to compare them all gets them as they are.

    Where `gaps` count, so do documents in which nobody marked anything: else how a recording is cut into documents
    would decide how much of its silence is seen.
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
            "measure-option", f"in steps of {step:g} the documents are too long to count: say a coarser grain"
        )
    begin, end = (_on_grid(corpus.extents[docs, k], step) for k in (0, 1))
    if not (end > begin).any():
        raise DataError(
            "measure-option", f"in steps of {step:g} no document has any length: say a finer grain, or use gamma"
        )
    blocks = np.repeat(end - begin, q) if layers else end - begin
    offset = np.cumsum(blocks) - blocks
    label = corpus.label[kept].astype(np.int64) % q  # units without label are a category of their own, the last
    block = doc * q + label if layers else doc
    move = offset[block] - begin[doc]
    start, stop = (_on_grid(side[kept], step) + move for side in (corpus.start, corpus.end))
    off = np.abs((start - move) * step - corpus.start[kept]) + np.abs((stop - move) * step - corpus.end[kept])
    filled = stop > start
    order = np.flatnonzero(filled)
    who = corpus.annotator[kept].astype(np.int64)
    # Stable, so that what is sorted already costs nothing; equal starts overlap anyway.
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
    """To the nearest step, halves upwards: a shift by whole steps changes nothing."""
    return np.floor(positions / step + 0.5 + 1e-9).astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Columns:
    annotator: Ints
    start: Ints
    end: Ints
    label: Ints
    unit: Ints  # in the corpus

    def settled(self, corpus: Corpus, name: str, overlaps: str, ways: tuple[str, ...]) -> _Columns:
        """Without overlaps of one annotator."""
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
        way = f"{name}(overlaps=merge) merges them" if same else "units of different categories cannot be merged"
        if PAIRS in ways:
            way += f", {name}(overlaps={PAIRS}) compares every two units"
        return (
            f"{corpus.place(other)}: {what[1]} overlaps {what[0]} of the same annotator "
            f"({quoted(corpus.annotators[corpus.annotator[other]])}), which {name} cannot take; {way}, "
            "gamma takes them as they are"
        )


def _meets(annotator: Ints, start: Ints, end: Ints) -> NDArray[np.bool_]:
    """Of every unit but the first, whether an earlier one of the same annotator ends behind its start."""
    if len(start) < 2:
        return np.zeros(0, dtype=bool)
    # The farthest end so far of the same annotator: annotators are far apart on this axis.
    far = int(end.max()) + 1
    reached = np.maximum.accumulate(end + annotator * far) - annotator * far
    found: NDArray[np.bool_] = (annotator[1:] == annotator[:-1]) & (start[1:] < reached[:-1])
    return found


def _label(corpus: Corpus, unit: int) -> str:
    code = int(corpus.label[unit])
    return corpus.categories.names[code] if code >= 0 else ""


def grid_facts(line: Timeline, gaps: bool = True) -> dict[str, object]:
    """What a reader of the score wants to know about the grid; `gaps` as for the timeline."""
    documents = document_facts(line.corpus, line.docs)
    facts: dict[str, object] = {
        **documents,
        "units": len(line.corpus),
        "annotators": line.corpus.n_annotators,
        "categories": len(line.corpus.categories),
        "grain": line.grain,
    }
    notes = document_notes(documents["left_out"], ": no known length" if gaps else "")
    if line.empty:
        notes.append(f"{counted(line.empty, 'unit')} without length left out")
    if line.moved:
        notes.append(f"{counted(line.moved, 'unit')} moved to the nearest step")
    if line.merged:
        notes.append(f"{counted(line.merged, 'unit')} merged with another of the same annotator and category")
    return {**facts, "notes": notes}
