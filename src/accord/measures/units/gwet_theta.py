"""θ_G: dissimilarity of two annotators on the zones that either marked; lengths count by their squares."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints, ascending
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.core.result import Score
from accord.measures.distances.spaces import sums_by
from accord.measures.measure import Measure
from accord.measures.units.aligned import UnitMeasure
from accord.measures.units.timeline import LineEvidence, Timeline, check_grid, grid_facts, timeline

SCALES = ("nominal", "ordinal", "interval", "ratio")
ZONES = ("joined", "atomic", "layered")
UNPAIRED = ("gap", "ignored")
_OTHER_ZONES = {"joined": "atomic", "atomic": "joined", "layered": "joined"}
_CUT = {
    "joined": "zones are cut at every boundary, and not joined where both annotators agree",
    "atomic": "adjacent zones of full agreement are joined, as the nine zones of Gwet's example 9.1",
    "layered": "two different labels are one zone, as in 9.2.9 and 9.2.15, not two gaps",
}
_MOST_ZONES = 10_000  # largest number of zones in the details of a score


@dataclass(frozen=True, eq=False)
class Zones:
    """The zones of a pair of annotators: position on the line, labels of both (empty: a gap), dissimilarities."""

    pair: tuple[int, int]
    doc: Ints
    start: Ints
    length: Ints
    labels: tuple[list[list[int]], list[list[int]]] | None  # None: one label or gap each, in `first` and `second`
    first: Ints
    second: Ints
    delta: Floats
    random: Floats  # dissimilarity of randomly assigned labels

    @property
    def listed(self) -> bool:
        """Return whether the labels of all zones are available; they are dropped if there are too many zones."""
        return self.labels is None or len(self.labels[0]) == len(self.doc)


@dataclass(frozen=True, eq=False)
class ZoneEvidence(LineEvidence):
    """Means over pairs of annotators of d and of its random counterpart, one number per document."""

    zones: list[Zones]
    disagreement: Floats
    random: Floats
    marked: Floats  # 1 for documents with a zone, 0 for those in which all units have length 0
    times: Floats

    def weighted(self, times: Floats) -> ZoneEvidence:
        return replace(self, times=times)


@dataclass(frozen=True, repr=False)
class GwetTheta(UnitMeasure):
    """Gwet 2021, chapter 9. Segmentation and categorization, with chance correction for categorization only."""

    random: float = 0.5
    scale: str = "nominal"
    zones: str = "joined"
    unpaired: str = "gap"
    grain: float | None = None
    overlaps: str = "error"

    name: ClassVar[str] = "theta"
    symbol: ClassVar[str] = "θ_G"
    aliases: ClassVar[tuple[str, ...]] = ("theta_g", "gwet_theta")
    title: ClassVar[str] = "θ_G, agreement on zones and their labels"
    source: ClassVar[str] = "Gwet 2021, 9.2"
    lowest: ClassVar[float] = -math.inf

    def __post_init__(self) -> None:
        check_grid(self.name, self.grain, self.overlaps)
        number = isinstance(self.random, int | float) and not isinstance(self.random, bool)
        if not number or not 0 <= self.random <= 1:
            raise SpecError(
                "measure-option",
                f"theta: random, the propensity P(R), must lie between 0 and 1, not {quoted(self.random)}",
            )
        for option, known in (("scale", SCALES), ("zones", ZONES), ("unpaired", UNPAIRED)):
            if getattr(self, option) not in known:
                raise UnknownName(option, str(getattr(self, option)), known)

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        found: list[tuple[Measure, str]] = [(replace(self, zones=_OTHER_ZONES[self.zones]), _CUT[self.zones])]
        if self.scale == "ordinal":
            found.append((replace(self, scale="interval"), "differences of numbers (9.2.10) instead of ranks"))
        elif self.scale != "nominal":
            found.append((replace(self, scale="ordinal"), "differences of ranks instead of numbers (9.2.10)"))
        if self.zones != "layered":
            other = "ignored" if self.unpaired == "gap" else "gap"
            no = "no " if other == "ignored" else ""
            found.append((replace(self, unpaired=other), f"a label without partner is {no}gap by chance (9.2.15)"))
        return tuple(found)

    @property
    def by_order(self) -> bool:
        return self.scale == "ordinal"

    def observe(self, data: Any, run: Run) -> ZoneEvidence:  # noqa: ARG002
        line = timeline(data, self.name, self.grain, self.overlaps, layers=True, gaps=False)
        far, by_chance = self._far(line)
        cut = {"joined": _joined, "atomic": _atomic, "layered": _layered}[self.zones]
        found = [cut(line, a, b, far, by_chance, self.unpaired) for a, b in line.pairs()]
        sums = np.zeros((2, len(line.docs)))
        for zones in found:
            whole = sums_by(zones.doc, zones.length.astype(np.float64), len(line.docs))
            share = (zones.length / whole[zones.doc]) ** 2
            sums += [sums_by(zones.doc, share * cost, len(line.docs)) for cost in (zones.delta, zones.random)]
        m = line.annotators_per_doc
        mean = sums / (m * (m - 1) / 2)
        marked = np.zeros(len(line.docs))
        marked[line.doc] = 1.0
        return ZoneEvidence(line, found, mean[0], mean[1], marked, np.ones(len(line.docs)))

    def _far(self, line: Timeline) -> tuple[Floats, float]:
        """Return dissimilarities between labels (eq. 9.2.9, 9.2.10), and of two random labels (9.2.15, 9.2.16)."""
        categories = line.corpus.categories
        q = len(categories)
        far = 1.0 - np.eye(q + 1)
        if self.scale == "nominal":
            k = q or 1
            return far, (k - 1) / k
        if self.scale != "ordinal" and not categories.numeric:
            raise DataError(
                "not-a-number",
                f"theta(scale={self.scale}) needs labels that are numbers; use scale=ordinal or scale=nominal",
            )
        x = categories.ranks if self.scale == "ordinal" else categories.values
        width = float(np.ptp(x)) if q else 0.0
        if width > 0:
            far[:q, :q] = ((x[:, None] - x) / width) ** 2
        return far, float(far[:q, :q].sum() / (q * (q - 1))) if q > 1 else 0.0

    def estimate(self, evidence: ZoneEvidence) -> Score:
        times = evidence.times * evidence.marked
        n = float(times.sum())
        if not n:
            empty = evidence.line.nothing_left or "the sample contains no document with a zone"
            return Score(math.nan, str(self), undefined=empty)
        disagreement = float(times @ evidence.disagreement) / n
        by_chance = float(times @ evidence.random) / n
        expected = 1.0 - self.random * (1.0 - by_chance)
        reason = None if expected > 0 else "randomly assigned labels always agree (0/0)"
        value = math.nan if reason else 1.0 - disagreement / expected
        return Score(value, str(self), observed=disagreement, expected=expected, undefined=reason, n=int(n))

    def explain(self, evidence: ZoneEvidence, score: Score) -> dict[str, Any]:  # noqa: ARG002
        n = float(evidence.marked.sum())
        number = sum(len(zones.doc) for zones in evidence.zones)
        facts = {
            **grid_facts(evidence.line, gaps=False),
            "zones_cut": self.zones,
            "n_zones": number,
            "random_disagreement": float(evidence.marked @ evidence.random) / n if n else math.nan,
        }
        if left := int(len(evidence.marked) - n):
            note = f"{counted(left, 'document')} in which all units have length 0 left out"
            facts["notes"] = [*facts["notes"], note]  # type: ignore[misc]
        few = number <= _MOST_ZONES and all(zones.listed for zones in evidence.zones)
        return {**facts, "zones": zone_table(evidence)} if few else facts


def _layered(line: Timeline, a: int, b: int, far: Floats, by_chance: float, unpaired: str) -> Zones:  # noqa: ARG001
    """Return zones within each category, marked by both annotators or by one."""
    found = line.joint(a, b)
    first, second = found.labels()
    agreed = (first >= 0) & (second >= 0)
    q = len(line.names)
    start = found.start - _offset(line, q)[found.doc * q + np.maximum(first, second)]
    return Zones(
        (a, b), found.doc, start, found.length, None, first, second, np.where(agreed, 0.0, 1.0),
        np.where(agreed, by_chance, 1.0),
    )  # fmt: skip


def _atomic(line: Timeline, a: int, b: int, far: Floats, by_chance: float, unpaired: str) -> Zones:
    """Return zones cut at every boundary; overlapping units are paired in the order of their labels."""
    q = len(line.names)
    both = line.common(a, b)
    borders = np.cumsum(line.lengths) - line.lengths
    sides = [mine[both[line.doc[mine]]] for mine in (line.of(a), line.of(b))]
    place = [
        (side + (borders[line.doc[mine]] - _offset(line, q)[line.doc[mine] * q + line.label[mine]]))
        for mine in sides
        for side in (line.start[mine], line.end[mine])
    ]
    cuts = ascending(np.concatenate(place))
    atoms = max(len(cuts) - 1, 0)
    inside = [_inside(line, mine, cuts, place[2 * k], place[2 * k + 1]) for k, mine in enumerate(sides)]
    count = [np.bincount(atom, minlength=atoms) for atom, _ in inside]
    most = np.maximum(*count)
    kept = np.flatnonzero(most)
    total = np.abs(count[0] - count[1]).astype(np.float64)  # labels without partner
    (atom, label), (_, theirs) = inside
    rank = np.arange(len(atom)) - (np.cumsum(count[0]) - count[0])[atom]
    partnered = rank < count[1][atom]
    partner = (np.cumsum(count[1]) - count[1])[atom] + rank
    total += sums_by(atom[partnered], far[label[partnered], theirs[partner[partnered]]], atoms)
    gap = np.minimum(*count) == 0
    chance = np.where(gap, 1.0, by_chance)
    if unpaired == "gap":
        lone = np.abs(count[0] - count[1]) / np.maximum(most, 1)
        chance = np.where(gap, 1.0, lone + (1 - lone) * by_chance)
    doc = np.searchsorted(borders, cuts[:-1], side="right") - 1
    labels = tuple(_lists(a_, l_, kept, atoms) for a_, l_ in inside)
    nothing = np.zeros(0, dtype=np.int64)
    return Zones(
        (a, b), doc[kept], (cuts[:-1] - borders[doc])[kept], np.diff(cuts)[kept], (labels[0], labels[1]), nothing,
        nothing, (total / np.maximum(most, 1))[kept], chance[kept],
    )  # fmt: skip


def _joined(line: Timeline, a: int, b: int, far: Floats, by_chance: float, unpaired: str) -> Zones:
    """Return zones as `_atomic`, with adjacent zones of full agreement joined, as the nine of example 9.1."""
    cut = _atomic(line, a, b, far, by_chance, unpaired)
    agreed = cut.delta == 0
    touch = (cut.doc[1:] == cut.doc[:-1]) & (cut.start[1:] == (cut.start + cut.length)[:-1])
    new = np.ones(len(cut.doc), dtype=bool)
    new[1:] = ~(touch & agreed[1:] & agreed[:-1])
    first = np.flatnonzero(new)
    if len(first) == len(new):
        return cut
    labels = cut.labels
    if labels is not None and labels[0]:
        labels = (_all_labels(labels[0], first), _all_labels(labels[1], first))
    return replace(
        cut, doc=cut.doc[first], start=cut.start[first], length=np.add.reduceat(cut.length, first), labels=labels,
        delta=cut.delta[first], random=cut.random[first],
    )  # fmt: skip


def _all_labels(labels: list[list[int]], first: Ints) -> list[list[int]]:
    """Return the labels that occur in each joined zone."""
    stops = [*first[1:].tolist(), len(labels)]
    return [
        labels[i] if j == i + 1 else sorted({c for some in labels[i:j] for c in some})
        for i, j in zip(first.tolist(), stops, strict=True)
    ]


def _inside(line: Timeline, mine: Ints, cuts: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Return each unit in each segment it covers, as segments and labels, sorted."""
    low, high = np.searchsorted(cuts, start), np.searchsorted(cuts, end)
    unit = np.repeat(np.arange(len(mine)), high - low)
    atom = low[unit] + np.arange(len(unit)) - np.repeat(np.cumsum(high - low) - (high - low), high - low)
    label = line.label[mine][unit]
    order = np.lexsort((label, atom))
    return atom[order], label[order]


def _lists(atom: Ints, label: Ints, kept: Ints, atoms: int) -> list[list[int]]:
    bounds = np.searchsorted(atom, np.arange(atoms + 1))
    return [label[bounds[k] : bounds[k + 1]].tolist() for k in kept] if len(kept) <= _MOST_ZONES else []


def _offset(line: Timeline, q: int) -> Ints:
    """Return the start of each category of each document on the line."""
    blocks = np.repeat(line.lengths, q)
    return np.cumsum(blocks) - blocks


def zone_table(evidence: ZoneEvidence) -> list[dict[str, Any]]:
    """Return the zones as rows, with the original positions and labels."""
    line, rows = evidence.line, []
    begin = line.corpus.extents[line.docs, 0]
    for zones in evidence.zones:
        first, second = zones.labels or (
            [[k] if k >= 0 else [] for k in side.tolist()] for side in (zones.first, zones.second)
        )
        who = [line.corpus.annotators[a] for a in zones.pair]
        for k in range(len(zones.doc)):
            doc = int(zones.doc[k])
            rows.append(
                {
                    "document": line.corpus.docs[line.docs[doc]],
                    "annotators": who,
                    "start": float(begin[doc] + zones.start[k] * line.grain),
                    "length": float(zones.length[k] * line.grain),
                    "labels": [[line.names[c] for c in side[k]] for side in (first, second)],
                    "dissimilarity": float(zones.delta[k]),
                    "random_dissimilarity": float(zones.random[k]),
                }
            )
    return rows
