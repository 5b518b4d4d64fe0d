"""The α family for unitizing: lengths on which annotators coincide, gaps included or not."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import SpecError, UnknownName, counted, quoted
from accord.core.result import Parts, Score
from accord.measures.distances import Distance, Nominal, distance
from accord.measures.distances.spaces import sums_by
from accord.measures.items.two import between
from accord.measures.sampling import Values
from accord.measures.units.base import UnitMeasure
from accord.measures.units.coincidences import Coincidences, by_common_lengths, by_lengths, coincidences
from accord.measures.units.timeline import OVERLAPS, PAIRS, Timeline, check_grid, grid_facts, timeline

FORMS = (2016, 2013)


@dataclass(frozen=True, repr=False)
class UnitizingMeasure(UnitMeasure):
    """A member of the family."""

    grain: float | None = None
    overlaps: str = "error"

    lowest: ClassVar[float] = -math.inf
    ways: ClassVar[tuple[str, ...]] = OVERLAPS  # to treat them

    def __post_init__(self) -> None:
        check_grid(self.name, self.grain, self.overlaps, ways=self.ways)

    def observe(self, data: Any, run: Run) -> Coincidences:  # noqa: ARG002
        line = timeline(data, self.name, self.grain, self.overlaps, ways=self.ways)
        return coincidences(line, every_two=self.overlaps == PAIRS)

    def explain(self, evidence: Coincidences, score: Score) -> dict[str, Any]:  # noqa: ARG002
        facts = grid_facts(evidence.line)
        many = evidence.line.overlapping if self.overlaps == PAIRS else 0
        if many:
            note = f"{counted(many, 'unit')} overlapping an earlier one of the same annotator: every two are compared"
            facts["notes"] = [*facts["notes"], note]  # type: ignore[misc]
        return facts

    def score(self, observed: float, expected: float, **rest: Any) -> Score:
        """1 − D_o/D_e; both are shown as they are."""
        reason = None if expected > 0 else "chance alone gives perfect agreement here (no variation): 0/0"
        if math.isnan(expected):
            reason = "no stretch was marked by two annotators"
        value = math.nan if reason else 1.0 - observed / expected
        known = None if math.isnan(expected) else expected
        shown = None if known is None else observed
        return Score(value, str(self), observed=shown, expected=known, undefined=reason, **rest)


def _check_form(form: object) -> None:
    if form not in FORMS:
        raise SpecError(f"form is {' or '.join(map(str, FORMS))}, not {quoted(form)}")


@dataclass(frozen=True, repr=False)
class UAlpha(UnitizingMeasure):
    """Krippendorff, Mathet, Bouvry & Widlöcher 2016. Units and gaps: is every place given to the same category?"""

    form: int = 2016

    name: ClassVar[str] = "u_alpha"
    symbol: ClassVar[str] = "uα"
    title: ClassVar[str] = "uα, agreement on where units and gaps are"
    source: ClassVar[str] = "Krippendorff et al. 2016; form=2013 reconstructed"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_form(self.form)

    def estimate(self, evidence: Coincidences) -> Score:
        n = int(evidence.times.sum())
        if self.form == 2013:
            return self.score(*_form_2013(evidence), n=n)
        whole, s = evidence.whole, evidence.squares
        # 1 − Σ ε_cc/ℓ..: what remains is Σ ℓ_c.(ℓ.. − ℓ_c.).
        expected = _per(float(evidence.totals @ evidence.others), float(whole**2 - s.sum()))
        return self.score(evidence.unlike / whole, expected, n=n)

    def summed(self, evidence: Coincidences) -> Values | None:
        return by_lengths(evidence) if self.form == 2016 else None


@dataclass(frozen=True, repr=False)
class BarUAlpha(UnitizingMeasure):
    """The same for units against gaps alone: labels do not matter."""

    name: ClassVar[str] = "bar_u_alpha"
    symbol: ClassVar[str] = "|uα"
    title: ClassVar[str] = "|uα, units against gaps"
    source: ClassVar[str] = "Krippendorff et al. 2016"

    def estimate(self, evidence: Coincidences) -> Score:
        whole, s, gap = evidence.whole, evidence.squares, evidence.gap
        # (ε_φ. − ε_φφ)/ℓ..
        expected = _per(float(evidence.totals[gap] * evidence.others[gap]), float(whole**2 - s.sum()))
        return self.score(evidence.across(gap) / whole, expected, n=int(evidence.times.sum()))

    def summed(self, evidence: Coincidences) -> Values | None:
        return by_lengths(evidence, alone=True)


@dataclass(frozen=True, repr=False)
class CuAlpha(UnitizingMeasure):
    """The labels of stretches that both annotators gave to units: gaps do not matter."""

    distance: Distance | None = None
    form: int = 2016

    name: ClassVar[str] = "cu_alpha"
    unnamed: ClassVar[tuple[str, ...] | None] = ("distance",)
    symbol: ClassVar[str] = "cuα"
    title: ClassVar[str] = "cuα, agreement on the labels of common stretches"
    ways: ClassVar[tuple[str, ...]] = (*OVERLAPS, PAIRS)
    source: ClassVar[str] = "Krippendorff et al. 2016"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_form(self.form)
        if self.distance is not None:
            object.__setattr__(self, "distance", distance(self.distance))

    @property
    def by_order(self) -> bool:
        return self.distance is not None and self.distance.uses_order

    def estimate(self, evidence: Coincidences) -> Score:
        found = self._found(evidence)
        names = evidence.line.names
        parts = Parts(("category",), lambda _: {names[k]: self.of_category(found, k) for k in found.used})
        return self.score(*found.disagreement(), n=int(evidence.times.sum()), parts=parts)

    def summed(self, evidence: Coincidences) -> Values | None:
        plain = self.form == 2016 and isinstance(self.distance or Nominal(), Nominal)
        return by_common_lengths(evidence) if plain else None

    def _found(self, evidence: Coincidences) -> _OfUnits:
        c, k, weight = evidence.of_units
        q = evidence.gap
        line = evidence.line
        totals = sums_by(c, weight, q) + sums_by(k, weight, q)
        s = sums_by(line.label, evidence.shared**2 * evidence.times[line.doc], q)
        apart, away = self._far(evidence, c, k, totals)
        return _OfUnits(c, k, weight * apart, totals, s, evidence.totals[:q], away)

    def _far(self, evidence: Coincidences, c: Ints, k: Ints, totals: Floats) -> tuple[Floats, Floats]:
        """How far c and k are apart, and how far each category is from all the length together.

        A unit without label is one category more, 1 apart from all.
        """
        categories = evidence.line.corpus.categories
        q = len(categories)
        space = (self.distance or Nominal()).space(categories, totals[:q])
        labelled = (c < q) & (k < q)
        apart = np.where(labelled, 0.0, c != k)
        if labelled.any():
            apart[labelled] = between(space, c[labelled], k[labelled], q)
        total = float(totals[:q].sum())
        away = np.append(space.to(totals[:q]) if total > 0 else np.zeros(q), total)
        away[:q] += totals[q:].sum()
        return apart, away

    def of_category(self, found: _OfUnits, category: int) -> Score:
        """(k)uα of one category, with the share of its length that others also gave to units."""
        observed, expected = (float(each[category]) for each in found.by_category)
        coverage = _per(float(found.totals[category]), float(found.given[category]))
        return self.score(observed, expected, n=int(found.given[category]), details={"coverage": coverage})


@dataclass(frozen=True, repr=False)
class KuAlpha(CuAlpha):
    """The same for one category: (k)uα."""

    category: str | None = None

    name: ClassVar[str] = "ku_alpha"
    symbol: ClassVar[str] = "(k)uα"
    title: ClassVar[str] = "(k)uα, the same for one category"
    unnamed: ClassVar[tuple[str, ...] | None] = ()  # a category, or a distance?

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.category is not None:
            object.__setattr__(self, "category", str(self.category))

    def estimate(self, evidence: Coincidences) -> Score:
        whole = super().estimate(evidence)
        if self.category is None:
            return whole
        if self.category not in evidence.line.names:
            raise UnknownName("category", self.category, evidence.line.corpus.categories.names)
        found = self.of_category(self._found(evidence), evidence.line.names.index(self.category))
        return replace(found, n=whole.n, parts=whole.parts)

    def summed(self, evidence: Coincidences) -> Values | None:
        return super().summed(evidence) if self.category is None else None


@dataclass(frozen=True, eq=False)
class _OfUnits:
    """ℓ*: the coincidences of units with units."""

    c: Ints
    k: Ints
    apart: Floats  # weight times distance, in one order
    totals: Floats  # ℓ*_c.
    s: Floats
    given: Floats  # all the length of each category
    away: Floats  # Σ_k ℓ*_k. times the distance from each category to k

    @property
    def used(self) -> list[int]:
        return [int(k) for k in np.flatnonzero(self.given > 0)]

    @cached_property
    def _sums(self) -> tuple[float, float]:
        """ℓ*.. and the denominator of chance; NaN where there is nothing to compare."""
        # The diagonal has no distance, so s only enters the denominator.
        whole = float(self.totals.sum())
        denominator = whole**2 - float(self.s.sum())
        return (whole, denominator) if whole > 0 and denominator > 0 else (math.nan, math.nan)

    def disagreement(self) -> tuple[float, float]:
        """Mean distance observed and expected."""
        whole, denominator = self._sums
        return float(2 * self.apart.sum() / whole), float(self.totals @ self.away / denominator)

    @cached_property
    def by_category(self) -> tuple[Floats, Floats]:
        """The same of the pairs with each category.

        (k)uα: the quotient of observed and expected distance, each per length that chance or the data give to k.
        """
        q, totals, (whole, denominator) = len(self.totals), self.totals, self._sums
        mine = sums_by(self.c, self.apart, q) + sums_by(self.k, self.apart, q)
        expected_total = whole * (totals * whole - self.s) / denominator
        far = whole * totals * self.away / denominator
        return _each_per(mine, totals), _each_per(far, expected_total)


def _each_per(a: Floats, b: Floats) -> Floats:
    return np.divide(a, b, out=np.full(len(b), np.nan), where=b > 0)


def _per(a: float, b: float) -> float:
    return a / b if b > 0 else math.nan


def _form_2013(evidence: Coincidences) -> tuple[float, float]:
    """The form that Mathet et al. 2015 compare with (6.1.1), reconstructed: unmatched intersections, squared."""
    line, times = evidence.line, evidence.times
    differ = evidence.c != evidence.k
    length = float(times @ line.lengths)
    observed = 2 * float(evidence.squared[differ] @ times[evidence.doc[differ]]) / length
    lengths, category, weight = _segments(line, times, evidence.gap)
    slides = _slides(lengths, weight) - sum(
        _slides(lengths[category == c], weight[category == c]) for c in np.unique(category)
    )
    units = category != evidence.gap
    own = float((weight[units] * lengths[units] * (lengths[units] - 1)).sum())
    return observed, float(2 * slides / (evidence.whole * (evidence.whole - 1) - own))


def _segments(line: Timeline, times: Floats, gap: int) -> tuple[Floats, Ints, Floats]:
    """Lengths and categories of all units and gaps of all annotators, and how often each counts."""
    lengths, categories, docs = [line.length], [line.label], [line.doc]
    borders = np.cumsum(line.lengths)
    for a in range(line.judged.shape[1]):
        mine = line.of(a)
        seen = np.flatnonzero(line.judged[:, a])
        # The end of a document comes before a unit that starts where the next one begins: the gap is the first one's.
        start = np.concatenate([borders[seen], line.start[mine]])
        end = np.sort(np.concatenate([(borders - line.lengths)[seen], line.end[mine]]))
        order = np.argsort(start, kind="stable")
        doc = np.concatenate([seen, line.doc[mine]])[order]
        free = start[order] - end
        lengths.append(free[free > 0])
        docs.append(doc[free > 0])
        categories.append(np.full(int((free > 0).sum()), gap, dtype=np.int64))
    return np.concatenate(lengths).astype(np.float64), np.concatenate(categories), times[np.concatenate(docs)]


def _slides(lengths: Floats, weight: Floats) -> float:
    """Σ over pairs of segments of S(lo, hi) = lo·(hi·lo − (lo² − 1)/3): t² over all slides past each other."""
    order = np.argsort(lengths, kind="stable")
    lo, w = lengths[order], weight[order]
    longer = np.cumsum((lo * w)[::-1])[::-1] - lo * w  # Σ w·hi of those behind
    number = np.cumsum(w[::-1])[::-1] - w
    return float((w * (lo**2 * longer - number * lo * (lo**2 - 1) / 3)).sum())
