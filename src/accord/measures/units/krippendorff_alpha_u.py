"""α_U: squared differences of the boundaries of units of one category, against those of units laid at random."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.arrays import Floats, Ints
from accord.context import Run
from accord.distances.spaces import sums_by
from accord.measures.base import Measure
from accord.measures.units.timeline import Timeline, check_grid, grid_facts, timeline
from accord.result import Parts, Score


@dataclass(frozen=True, eq=False)
class LayerEvidence:
    """Squared differences by document and category, and the lengths of all units and gaps of each category."""

    line: Timeline
    squares: Floats  # documents × categories, over ordered pairs / (m(m − 1))
    gap_length: Floats
    gap_layer: Ints  # the category whose gap it is
    gap_doc: Ints
    times: Floats

    def weighted(self, times: Floats) -> LayerEvidence:
        return replace(self, times=times)


def layer_evidence(line: Timeline) -> LayerEvidence:
    q, m = len(line.names), line.annotators_per_doc.astype(np.float64)
    squares = np.zeros(len(line.docs) * q)
    layer = line.doc * q + line.label
    share = 2.0 / (m * (m - 1))  # both orders
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
        alone = mine[~met[mine] & line.common(a, b)[line.doc[mine]]]  # wholly inside a gap of the other
        squares += sums_by(layer[alone], length[alone] ** 2 * share[line.doc[alone]], len(squares))
    return LayerEvidence(line, squares.reshape(-1, q), *_gaps(line, q), np.ones(len(line.docs)))


def _gaps(line: Timeline, q: int) -> tuple[Floats, Ints, Ints]:
    """Gaps of each annotator in each category that occurs, document by document."""
    used = np.unique(line.label)
    lengths, layers, docs = [], [], []
    ends = np.cumsum(np.repeat(line.lengths, q))
    for a in range(line.judged.shape[1]):
        mine = line.of(a)
        seen = np.flatnonzero(line.judged[:, a])
        blocks = (seen[:, None] * q + used).ravel()
        # Each gap lies before a unit or before the end of its block, behind a unit or behind the begin.
        before = np.sort(np.concatenate([line.start[mine], ends[blocks]]))
        behind = np.sort(np.concatenate([(ends - np.repeat(line.lengths, q))[blocks], line.end[mine]]))
        free = before - behind
        block = np.searchsorted(ends, before[free > 0], side="left")
        lengths.append(free[free > 0].astype(np.float64))
        layers.append(block % q)
        docs.append(block // q)
    return np.concatenate(lengths), np.concatenate(layers), np.concatenate(docs)


def _distinct(lengths: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Distinct lengths in order, and how often each counts: there are far fewer than units."""
    found = np.unique(lengths)
    return found, sums_by(np.searchsorted(found, lengths), weight, len(found))


@dataclass(frozen=True, repr=False)
class KrippendorffAlphaU(Measure):
    """Krippendorff 1995. Where units of a category begin and end; overall, disagreements are summed over categories."""

    grain: float | None = None
    overlaps: str = "error"

    name: ClassVar[str] = "alpha_u"
    symbol: ClassVar[str] = "α_U"
    aliases: ClassVar[tuple[str, ...]] = ("krippendorff_alpha_u",)
    title: ClassVar[str] = "α_U, agreement on the boundaries of units, by category"
    source: ClassVar[str] = "Krippendorff 1995, 2004"
    data: ClassVar[str] = "units"
    default_interval: ClassVar[str] = "bootstrap"
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
        return self._score(float(observed.sum()), float(expected.sum()), n=int(times.sum()), parts=parts)

    def _score(self, observed: float, expected: float, **rest: Any) -> Score:
        reason = None if expected > 0 else "units fill nothing, or everything: 0/0"
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
        at = np.searchsorted(gap, length, side="left")  # gaps in which the unit finds room
        room = sums[at] - counts[at] * (length - 1)
        inside = (number - 1) / 3 * (2 * length**3 - 3 * length**2 + length) + length**2 * room
        steps = float(times @ (line.lengths * line.annotators_per_doc))
        below = steps * (steps - 1) - float(weight @ (length * (length - 1)))
        return float(2 / whole * (weight @ inside) / below) if below > 0 else math.nan

    def explain(self, evidence: LayerEvidence, score: Score) -> dict[str, Any]:  # noqa: ARG002
        return grid_facts(evidence.line)
