"""α_U: squared boundary differences of units of a category, relative to units placed at random."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints, ascending
from accord.core.context import Run
from accord.core.result import Parts, Score
from accord.measures.distances.spaces import sums_by
from accord.measures.resampling import Values
from accord.measures.units.aligned import UnitMeasure
from accord.measures.units.timeline import LineEvidence, Timeline, check_grid, grid_facts, timeline

_AT_ONCE = 4_000_000  # cells of draws × lengths processed at once


@dataclass(frozen=True, eq=False)
class LayerEvidence(LineEvidence):
    """Squared differences by document and category, and the lengths of all units and gaps of each category."""

    squares: Floats  # documents × categories, over ordered pairs / (m(m − 1))
    gap_length: Floats
    gap_layer: Ints  # category of the gap
    gap_doc: Ints
    times: Floats

    def weighted(self, times: Floats) -> LayerEvidence:
        return replace(self, times=times)


def layer_evidence(line: Timeline) -> LayerEvidence:
    q, m = len(line.names), line.annotators_per_doc.astype(np.float64)
    squares = np.zeros(len(line.docs) * q)
    layer = line.doc * q + line.label
    share = 2.0 / (m * (m - 1))  # both orders of a pair
    length = line.length.astype(np.float64)
    for a, b in line.pairs():
        found = line.joint(a, b)
        both = (found.first >= 0) & (found.second >= 0)
        g, h = found.first[both], found.second[both]
        apart = (line.start[g] - line.start[h]).astype(np.float64) ** 2 + (line.end[g] - line.end[h]) ** 2.0
        squares += sums_by(layer[g], apart * share[line.doc[g]], len(squares))
        met = np.zeros(len(length), dtype=bool)
        met[g] = met[h] = True
        mine = np.concatenate([line.of(a), line.of(b)])
        alone = mine[~met[mine] & line.common(a, b)[line.doc[mine]]]  # completely inside a gap of the other annotator
        squares += sums_by(layer[alone], length[alone] ** 2 * share[line.doc[alone]], len(squares))
    return LayerEvidence(line, squares.reshape(-1, q), *_gaps(line, q), np.ones(len(line.docs)))


def _gaps(line: Timeline, q: int) -> tuple[Floats, Ints, Ints]:
    """Return the gaps of each annotator in each category that occurs, by document."""
    used = np.unique(line.label)
    lengths, layers, docs = [], [], []
    ends = np.cumsum(np.repeat(line.lengths, q))
    for a in range(line.judged.shape[1]):
        mine = line.of(a)
        seen = np.flatnonzero(line.judged[:, a])
        blocks = (seen[:, None] * q + used).ravel()
        # A gap ends at a unit or at the end of its block, and begins after a unit or at the start of the block.
        before = np.sort(np.concatenate([line.start[mine], ends[blocks]]))
        behind = np.sort(np.concatenate([(ends - np.repeat(line.lengths, q))[blocks], line.end[mine]]))
        free = before - behind
        block = np.searchsorted(ends, before[free > 0], side="left")
        lengths.append(free[free > 0].astype(np.float64))
        layers.append(block % q)
        docs.append(block // q)
    return np.concatenate(lengths), np.concatenate(layers), np.concatenate(docs)


def _distinct(lengths: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return the distinct lengths in order, with their weights; there are far fewer lengths than units."""
    found = ascending(lengths)
    return found, sums_by(np.searchsorted(found, lengths), weight, len(found))


@dataclass(frozen=True, repr=False)
class KrippendorffAlphaU(UnitMeasure):
    """Krippendorff 1995. Starts and ends of units by category; overall, disagreements are summed over categories."""

    grain: float | None = None
    overlaps: str = "error"

    name: ClassVar[str] = "alpha_u"
    symbol: ClassVar[str] = "α_U"
    aliases: ClassVar[tuple[str, ...]] = ("krippendorff_alpha_u",)
    title: ClassVar[str] = "α_U, agreement on the boundaries of units, by category"
    source: ClassVar[str] = "Krippendorff 1995, 2004"
    lowest: ClassVar[float] = -math.inf

    def __post_init__(self) -> None:
        check_grid(self.name, self.grain, self.overlaps)

    def observe(self, data: Any, run: Run) -> LayerEvidence:  # noqa: ARG002
        return layer_evidence(timeline(data, self.name, self.grain, self.overlaps, layers=True))

    def estimate(self, evidence: LayerEvidence) -> Score:
        line, times = evidence.line, evidence.times
        whole = float(times @ line.lengths)
        observed = times @ evidence.squares / whole**2
        used = np.unique(line.label)
        expected = np.array([self._expected(evidence, int(c), whole) for c in used])
        parts = Parts(
            ("category",),
            lambda _: {
                line.names[c]: self._score(float(observed[c]), float(e), n=int((line.label == c).sum()))
                for c, e in zip(used, expected, strict=True)
            },
        )
        found = self._score(float(observed.sum()), float(expected.sum()), n=int(times.sum()), parts=parts)
        return replace(found, undefined=line.nothing_left or found.undefined)

    def _score(self, observed: float, expected: float, **rest: Any) -> Score:
        reason = None if expected > 0 else "units cover nothing or everything, so expected disagreement is 0 (0/0)"
        value = math.nan if reason else 1.0 - observed / expected
        return Score(value, str(self), observed=observed, expected=expected, undefined=reason, **rest)

    def _expected(self, evidence: LayerEvidence, category: int, whole: float) -> float:
        line, times = evidence.line, evidence.times
        mine = line.label == category
        length, weight = _distinct(line.length[mine].astype(np.float64), times[line.doc[mine]])
        number = float(weight.sum())
        layer = evidence.gap_layer == category
        gap, often = _distinct(evidence.gap_length[layer], times[evidence.gap_doc[layer]])
        sums = np.concatenate([np.cumsum((gap * often)[::-1])[::-1], [0.0]])
        counts = np.concatenate([np.cumsum(often[::-1])[::-1], [0.0]])
        at = np.searchsorted(gap, length, side="left")  # gaps in which the unit fits
        room = sums[at] - counts[at] * (length - 1)
        inside = (number - 1) / 3 * (2 * length**3 - 3 * length**2 + length) + length**2 * room
        steps = float(times @ (line.lengths * line.annotators_per_doc))
        below = steps * (steps - 1) - float(weight @ (length * (length - 1)))
        return float(2 / whole * (weight @ inside) / below) if below > 0 else math.nan

    def summed(self, evidence: LayerEvidence) -> Values:
        return _values(evidence)

    def explain(self, evidence: LayerEvidence, score: Score) -> dict[str, Any]:  # noqa: ARG002
        return grid_facts(evidence.line)


def _values(evidence: LayerEvidence) -> Values:
    """Return a function of document weights, from the frequencies of unit and gap lengths by category."""
    line = evidence.line
    steps = (line.lengths * line.annotators_per_doc).astype(np.float64)
    squares, lengths_ = evidence.squares.sum(axis=1), line.lengths.astype(np.float64)
    docs = len(evidence.times)
    layers = []
    for c in np.unique(line.label).tolist():
        mine, gaps = line.label == c, evidence.gap_layer == c
        length, units = _by_length(line.length[mine].astype(np.float64), line.doc[mine], docs)
        gap, free = _by_length(evidence.gap_length[gaps], evidence.gap_doc[gaps], docs)
        layers.append((length, units, gap, free, np.searchsorted(gap, length, side="left")))
    widest = max(len(gap) + len(length) for length, _, gap, _, _ in layers)

    def some(times: Floats) -> Floats:
        whole, all_steps = times @ lengths_, times @ steps
        expected = np.zeros(len(times))
        for length, units, gap, free, at in layers:
            weight, often = times @ units, times @ free
            behind = [np.cumsum(x[:, ::-1], axis=1)[:, ::-1] for x in (often * gap, often)]
            sums, counts = (np.concatenate([x, np.zeros((len(times), 1))], axis=1)[:, at] for x in behind)
            room = sums - counts * (length - 1)
            number = weight.sum(axis=1, keepdims=True)
            inside = (number - 1) / 3 * (2 * length**3 - 3 * length**2 + length) + length**2 * room
            below = all_steps * (all_steps - 1) - weight @ (length * (length - 1))
            above = 2 * (weight * inside).sum(axis=1)
            expected += np.divide(
                above, whole * below, out=np.full(len(times), np.nan), where=(below > 0) & (whole > 0)
            )
        observed = np.divide(times @ squares, whole**2, out=np.full(len(times), np.nan), where=whole > 0)
        quotient: Floats = np.divide(observed, expected, out=np.full(len(times), np.nan), where=expected > 0)
        return 1.0 - quotient

    def values(times: Floats) -> Floats:
        step = max(1, _AT_ONCE // (widest + 1))
        return np.concatenate([some(times[k : k + step]) for k in range(0, len(times), step)])

    return values


def _by_length(length: Floats, doc: Ints, docs: int) -> tuple[Floats, Any]:
    """Return the distinct lengths in order, and a sparse table of their frequencies by document."""
    from scipy.sparse import csr_array

    found, at = np.unique(length, return_inverse=True)
    return found, csr_array((np.ones(len(at)), (doc, at)), shape=(docs, len(found)))
