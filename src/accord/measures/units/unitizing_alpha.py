"""The α family for unitizing: lengths on which annotators coincide, with or without gaps.

ℓ_ck is the length labelled c by one annotator and k by another, over all ordered pairs, divided by m − 1; φ is a gap.
"""

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
from accord.measures.distances.spaces import between, sums_by
from accord.measures.measure import Measure
from accord.measures.resampling import Values
from accord.measures.units.aligned import UnitMeasure
from accord.measures.units.timeline import OVERLAPS, PAIRS, LineEvidence, Timeline, check_grid, grid_facts, timeline

_DENSE = 1 << 22
_CELLS = 20_000_000  # cells of a table: document × category
FORMS = (2016, 2013)


@dataclass(frozen=True, eq=False)
class Coincidences(LineEvidence):
    """Coincidence lengths by document: one row per pair of categories (in one order), and lengths of units.

    The last category is for units without label; `gap` means φ. `times` are the weights of the documents.
    """

    doc: Ints
    c: Ints
    k: Ints
    length: Floats  # Σ over pairs of annotators / (m − 1)
    squared: Floats  # Σ over pairs of length² / (m(m − 1)), for form=2013
    shared: Floats  # l* of each unit: the mean length that the other annotators covered
    times: Floats

    @property
    def gap(self) -> int:
        return len(self.line.names)

    def weighted(self, times: Floats) -> Coincidences:
        return replace(self, times=times)

    @cached_property
    def weight(self) -> Floats:
        return self.length * self.times[self.doc]

    @property
    def unlike(self) -> float:
        """Return ℓ.. − Σ ℓ_cc, the length of disagreement, summed directly because long gaps would cost precision."""
        return 2 * float(self.weight[self.c != self.k].sum())

    def across(self, category: int) -> float:
        """Return ℓ_c. − ℓ_cc: the length of a category paired with all others."""
        return float(self.weight[(self.c == category) != (self.k == category)].sum())

    @cached_property
    def others(self) -> Floats:
        """Return ℓ.. − ℓ_c. of every category, the gap last."""
        found = self.whole - self.totals
        found[self.gap] = self.totals[: self.gap].sum()
        return found

    @cached_property
    def totals(self) -> Floats:
        """Return ℓ_c., the total length of every category, the gap last."""
        line = self.line
        found = sums_by(line.label, line.length * self.times[line.doc], self.gap + 1)
        found[self.gap] = self.whole - found.sum()
        return found

    @cached_property
    def whole(self) -> float:
        """Return ℓ.. = m·L."""
        return float(self.times @ (self.line.lengths * self.line.annotators_per_doc))

    @cached_property
    def squares(self) -> Floats:
        """Return s_c: Σ l² of the units of a category; Σ l for gaps."""
        line = self.line
        found = sums_by(line.label, line.length.astype(np.float64) ** 2 * self.times[line.doc], self.gap + 1)
        found[self.gap] = self.totals[self.gap]
        return found

    @cached_property
    def of_units(self) -> tuple[Ints, Ints, Floats]:
        """Return the rows without gaps."""
        both = (self.c != self.gap) & (self.k != self.gap)
        return self.c[both], self.k[both], self.weight[both]


def coincidences(line: Timeline, every_two: bool = False) -> Coincidences:
    """Sum coincidence lengths in one sweep per pair of annotators.

    With `every_two`, all pairs of units count with their common length, without gaps, because units of one annotator
    may overlap.
    """
    gap, m = len(line.names), line.annotators_per_doc.astype(np.float64)
    keys: list[Ints] = []
    lengths: list[Floats] = []
    squares: list[Floats] = []
    shared = np.zeros(len(line.start))
    for a, b in line.pairs():
        found = line.met(a, b) if every_two else line.joint(a, b)
        labels = [np.where(label < 0, gap, label) for label in found.labels()]
        c, k = np.minimum(*labels), np.maximum(*labels)
        length = found.length.astype(np.float64)
        key, summed = _summed((found.doc * (gap + 1) + c) * (gap + 1) + k, [length, length**2])
        doc = key // (gap + 1) ** 2
        keys.append(key)
        lengths.append(summed[0] / (m[doc] - 1))
        squares.append(summed[1] / (m * (m - 1))[doc])
        both = (found.first >= 0) & (found.second >= 0)
        part = length[both] / (m[found.doc[both]] - 1)
        for side in (found.first[both], found.second[both]):
            shared += sums_by(side, part, len(shared))
    key, (total, squared) = _summed(np.concatenate(keys), [np.concatenate(lengths), np.concatenate(squares)])
    doc, pair = np.divmod(key, (gap + 1) ** 2)
    return Coincidences(line, doc, pair // (gap + 1), pair % (gap + 1), total, squared, shared, np.ones(len(m)))


def _summed(key: Ints, values: list[Floats]) -> tuple[Ints, list[Floats]]:
    """Return the distinct keys, and the sums of the values for each key."""
    size = int(key.max(initial=-1)) + 1
    if size <= _DENSE:
        there = np.flatnonzero(np.bincount(key, minlength=size))
        return there, [sums_by(key, value, size)[there] for value in values]
    there, at = np.unique(key, return_inverse=True)
    return there, [sums_by(at, value, len(there)) for value in values]


def by_lengths(evidence: Coincidences, alone: bool = False) -> Values | None:
    """Return uα, or |uα if only units against gaps (`alone`) count; None if a table would be too large."""
    line, gap, docs = evidence.line, evidence.gap, len(evidence.times)
    if docs * (gap + 1) > _CELLS:
        return None
    differ = (evidence.c == gap) != (evidence.k == gap) if alone else evidence.c != evidence.k
    apart = sums_by(evidence.doc[differ], evidence.length[differ] * (1.0 if alone else 2.0), docs)
    cell, length = line.doc * (gap + 1) + line.label, line.length.astype(np.float64)
    given = sums_by(cell, length, docs * (gap + 1)).reshape(docs, gap + 1)[:, :gap]
    squared = sums_by(line.doc, length**2, docs)
    all_length = (line.lengths * line.annotators_per_doc).astype(np.float64)

    def values(times: Floats) -> Floats:
        whole, totals = times @ all_length, times @ given
        marked = totals.sum(axis=1)
        empty = whole - marked
        above = empty * marked
        if not alone:
            above = above + (totals * (whole[:, None] - totals)).sum(axis=1)
        below = whole**2 - times @ squared - empty
        expected = np.divide(above, below, out=np.zeros(len(times)), where=below > 0)
        observed = np.divide(times @ apart, whole, out=np.zeros(len(times)), where=whole > 0)
        quotient: Floats = np.divide(observed, expected, out=np.full(len(times), np.nan), where=expected > 0)
        return 1.0 - quotient

    return values


def by_common_lengths(evidence: Coincidences) -> Values | None:
    """Return cuα for nominal labels; None if a table would be too large."""
    q, docs = evidence.gap, len(evidence.times)
    if docs * q > _CELLS:
        return None
    both = (evidence.c != q) & (evidence.k != q)
    doc, c, k, length = (column[both] for column in (evidence.doc, evidence.c, evidence.k, evidence.length))
    given = sum(sums_by(doc * q + side, length, docs * q).reshape(docs, q) for side in (c, k))
    apart = sums_by(doc[c != k], length[c != k], docs)
    squared = sums_by(evidence.line.doc, evidence.shared**2, docs)

    def values(times: Floats) -> Floats:
        totals = times @ given
        whole = totals.sum(axis=1)
        below = whole**2 - times @ squared
        above = whole**2 - (totals**2).sum(axis=1)
        expected = np.divide(above, below, out=np.zeros(len(times)), where=(whole > 0) & (below > 0))
        observed = np.divide(2 * (times @ apart), whole, out=np.zeros(len(times)), where=whole > 0)
        quotient: Floats = np.divide(observed, expected, out=np.full(len(times), np.nan), where=expected > 0)
        return 1.0 - quotient

    return values


@dataclass(frozen=True, repr=False)
class UnitizingMeasure(UnitMeasure):
    """A member of the α family for unitizing."""

    grain: float | None = None
    overlaps: str = "error"

    lowest: ClassVar[float] = -math.inf
    ways: ClassVar[tuple[str, ...]] = OVERLAPS  # ways to treat overlapping units

    def __post_init__(self) -> None:
        check_grid(self.name, self.grain, self.overlaps, ways=self.ways)

    def observe(self, data: Any, run: Run) -> Coincidences:  # noqa: ARG002
        line = timeline(data, self.name, self.grain, self.overlaps, ways=self.ways)
        return coincidences(line, every_two=self.overlaps == PAIRS)

    def explain(self, evidence: Coincidences, score: Score) -> dict[str, Any]:  # noqa: ARG002
        facts = grid_facts(evidence.line)
        many = evidence.line.overlapping if self.overlaps == PAIRS else 0
        if many:
            note = f"{counted(many, 'unit')} overlapping an earlier unit of the same annotator; all pairs are compared"
            facts["notes"] = [*facts["notes"], note]  # type: ignore[misc]
        return facts

    def score(self, observed: float, expected: float, reason: str | None = None, **rest: Any) -> Score:
        """Return 1 − D_o/D_e with both disagreements. `reason`: why the value is undefined; default from D_e."""
        if reason is None and math.isnan(expected):
            reason = "no passage was marked by two annotators"
        elif reason is None and not expected > 0:
            reason = "there is no variation, so expected disagreement is 0 (0/0)"
        value = math.nan if reason else 1.0 - observed / expected
        known = None if math.isnan(expected) else expected
        shown = None if known is None else observed
        return Score(value, str(self), observed=shown, expected=known, undefined=reason, **rest)


def _check_form(form: object) -> None:
    if form not in FORMS:
        raise SpecError("measure-option", f"form must be {' or '.join(map(str, FORMS))}, not {quoted(form)}")


@dataclass(frozen=True, repr=False)
class UAlpha(UnitizingMeasure):
    """Krippendorff, Mathet, Bouvry & Widlöcher 2016. Agreement on the category of every position, gaps included."""

    form: int = 2016

    name: ClassVar[str] = "u_alpha"
    symbol: ClassVar[str] = "uα"
    title: ClassVar[str] = "uα, agreement on where units and gaps are"
    source: ClassVar[str] = "Krippendorff et al. 2016; form=2013 reconstructed"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_form(self.form)

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        forms = {
            2016: (
                2013,
                "squared lengths, the form that Mathet et al. 2015 compare, instead of Krippendorff et al. 2016",
            ),
            2013: (2016, "the form of Krippendorff et al. 2016, instead of squared lengths"),
        }
        form, why = forms[self.form]
        return ((replace(self, form=form), why),)

    def estimate(self, evidence: Coincidences) -> Score:
        n = int(evidence.times.sum())
        if self.form == 2013:
            return self.score(*_form_2013(evidence), evidence.line.nothing_left, n=n)
        whole, s = evidence.whole, evidence.squares
        # 1 − Σ ε_cc/ℓ.. leaves Σ ℓ_c.(ℓ.. − ℓ_c.).
        expected = _per(float(evidence.totals @ evidence.others), float(whole**2 - s.sum()))
        return self.score(evidence.unlike / whole, expected, evidence.line.nothing_left, n=n)

    def summed(self, evidence: Coincidences) -> Values | None:
        return by_lengths(evidence) if self.form == 2016 else None


@dataclass(frozen=True, repr=False)
class BarUAlpha(UnitizingMeasure):
    """Krippendorff et al. 2016. Agreement on units against gaps; labels do not matter."""

    name: ClassVar[str] = "bar_u_alpha"
    symbol: ClassVar[str] = "|uα"
    title: ClassVar[str] = "|uα, units against gaps"
    source: ClassVar[str] = "Krippendorff et al. 2016"

    def estimate(self, evidence: Coincidences) -> Score:
        whole, s, gap = evidence.whole, evidence.squares, evidence.gap
        # (ε_φ. − ε_φφ)/ℓ..
        expected = _per(float(evidence.totals[gap] * evidence.others[gap]), float(whole**2 - s.sum()))
        n = int(evidence.times.sum())
        return self.score(evidence.across(gap) / whole, expected, evidence.line.nothing_left, n=n)

    def summed(self, evidence: Coincidences) -> Values | None:
        return by_lengths(evidence, alone=True)


@dataclass(frozen=True, repr=False)
class CuAlpha(UnitizingMeasure):
    """Krippendorff et al. 2016. Agreement on the labels of passages that both annotators marked; gaps do not matter."""

    distance: Distance | None = None
    form: int = 2016

    name: ClassVar[str] = "cu_alpha"
    unnamed: ClassVar[tuple[str, ...] | None] = ("distance",)
    symbol: ClassVar[str] = "cuα"
    title: ClassVar[str] = "cuα, agreement on the labels of common passages"
    ways: ClassVar[tuple[str, ...]] = (*OVERLAPS, PAIRS)
    source: ClassVar[str] = "Krippendorff et al. 2016"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_form(self.form)
        if self.distance is not None:
            object.__setattr__(self, "distance", distance(self.distance))

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        forms = self.distance.conventions() if self.distance is not None else ()
        return tuple((replace(self, distance=other), why) for other, why in forms)

    @property
    def by_order(self) -> bool:
        return self.distance is not None and self.distance.uses_order

    def estimate(self, evidence: Coincidences) -> Score:
        found = self._found(evidence)
        names = evidence.line.names
        parts = Parts(("category",), lambda _: {names[k]: self.of_category(found, k) for k in found.used})
        return self.score(*found.disagreement(), evidence.line.nothing_left, n=int(evidence.times.sum()), parts=parts)

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
        """Return the distance of c and k, and the distance of each category to the total length.

        A unit without label has a separate category at distance 1 from all others.
        """
        categories = evidence.line.corpus.categories
        q = len(categories)
        metric = (self.distance or Nominal()).on(categories, totals[:q] > 0)
        space = metric.space(categories, totals[:q])
        labelled = (c < q) & (k < q)
        apart = np.where(labelled, 0.0, c != k)
        if labelled.any():
            apart[labelled] = between(space, c[labelled], k[labelled], q)
        total = float(totals[:q].sum())
        away = np.append(space.to(totals[:q]) if total > 0 else np.zeros(q), total)
        away[:q] += totals[q:].sum()
        return apart, away

    def of_category(self, found: _OfUnits, category: int) -> Score:
        """Return (k)uα of one category, with the share of its length that others also marked."""
        observed, expected = (float(each[category]) for each in found.by_category)
        coverage = _per(float(found.totals[category]), float(found.given[category]))
        return self.score(observed, expected, n=int(found.given[category]), details={"coverage": coverage})


@dataclass(frozen=True, repr=False)
class KuAlpha(CuAlpha):
    """Krippendorff et al. 2016. (k)uα: cuα for one category."""

    category: str | None = None

    name: ClassVar[str] = "ku_alpha"
    symbol: ClassVar[str] = "(k)uα"
    title: ClassVar[str] = "(k)uα, agreement on one category of common passages"
    unnamed: ClassVar[tuple[str, ...] | None] = ()  # ambiguous: a category or a distance

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
    given: Floats  # total length of each category
    away: Floats  # Σ_k ℓ*_k. times the distance of each category to k

    @property
    def used(self) -> list[int]:
        return [int(k) for k in np.flatnonzero(self.given > 0)]

    @cached_property
    def _sums(self) -> tuple[float, float]:
        """Return ℓ*.. and the denominator of chance; NaN if there is nothing to compare."""
        # The diagonal has distance 0, so s only affects the denominator.
        whole = float(self.totals.sum())
        denominator = whole**2 - float(self.s.sum())
        return (whole, denominator) if whole > 0 and denominator > 0 else (math.nan, math.nan)

    def disagreement(self) -> tuple[float, float]:
        """Return the mean observed and expected distance."""
        whole, denominator = self._sums
        return float(2 * self.apart.sum() / whole), float(self.totals @ self.away / denominator)

    @cached_property
    def by_category(self) -> tuple[Floats, Floats]:
        """Return the mean observed and expected distance of the pairs with each category.

        (k)uα is the quotient of both distances, each per length that the data or chance assign to k.
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
    """Return the form that Mathet et al. 2015 compare with (6.1.1), reconstructed: squared unmatched intersections."""
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
    """Return lengths and categories of all units and gaps of all annotators, with their weights."""
    lengths, categories, docs = [line.length], [line.label], [line.doc]
    borders = np.cumsum(line.lengths)
    for a in range(line.judged.shape[1]):
        mine = line.of(a)
        seen = np.flatnonzero(line.judged[:, a])
        # The end of a document sorts before a unit at the start of the next one, so that the gap belongs to the first.
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
    """Return Σ over pairs of segments of S(lo, hi) = lo·(hi·lo − (lo² − 1)/3): t² over all relative shifts."""
    order = np.argsort(lengths, kind="stable")
    lo, w = lengths[order], weight[order]
    longer = np.cumsum((lo * w)[::-1])[::-1] - lo * w  # Σ w·hi over longer segments
    number = np.cumsum(w[::-1])[::-1] - w
    return float((w * (lo**2 * longer - number * lo * (lo**2 - 1) / 3)).sum())
