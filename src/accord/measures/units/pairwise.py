"""F1 and the slot error rate: comparisons of two annotators by document, averaged over pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.core.result import Parts, Score
from accord.data.model.corpus import Corpus
from accord.measures.alignment.best import best_alignment
from accord.measures.alignment.units import Units
from accord.measures.dissimilarities import Positioned
from accord.measures.distances.spaces import sums_by
from accord.measures.measure import Measure
from accord.measures.resampling import Values
from accord.measures.units.aligned import (
    WITHOUT_LENGTH,
    UnitMeasure,
    check_comparable,
    document_facts,
    document_notes,
    points_note,
)
from accord.measures.units.unitary import seat_pairs

_CELLS = 20_000_000  # cells of a table: document × pair
MATCHES = ("exact", "overlap", "token")
PER = ("reference", "slots")
_TRIFLE = 1e-7  # multiplied by the units of a document, stays below the smallest difference of costs


@dataclass(frozen=True, eq=False)
class Pairwise:
    """One row per pair of annotators and document: unit counts of both, and two sums that depend on the measure."""

    corpus: Corpus
    docs: NDArray[np.intp]  # compared documents, as indices of the corpus
    doc: Ints  # index among the compared documents
    first: Ints  # annotators
    second: Ints
    units_first: Floats
    units_second: Floats
    amount: Floats  # total cost, or amount of agreement
    groups: Floats  # number of units, with aligned pairs counted once
    times: Floats  # weight of each document

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.corpus.docs[int(d)] for d in self.docs)

    def weighted(self, times: Floats) -> Pairwise:
        return replace(self, times=times)

    def both_orders(self) -> dict[str, Floats | Ints]:
        """Return each row twice, so that each annotator is the reference once."""
        columns = {
            "doc": (self.doc, self.doc),
            "reference": (self.first, self.second),
            "other": (self.second, self.first),
            "reference_units": (self.units_first, self.units_second),
            "other_units": (self.units_second, self.units_first),
            "amount": (self.amount, self.amount),
            "groups": (self.groups, self.groups),
        }
        return {name: np.concatenate(pair) for name, pair in columns.items()}


@dataclass(frozen=True, eq=False)
class PairedUnits:
    """Each pair of annotators of each document as a continuum with two annotators."""

    corpus: Corpus
    docs: NDArray[np.intp]
    doc: Ints
    first: Ints
    second: Ints
    units: Units

    def pairwise(self, amount: Floats, groups: Floats) -> Pairwise:
        many = len(self.doc)
        sides = (self.units.annotator == k for k in (0, 1))
        one, other = (np.bincount(self.units.continuum[s], minlength=many).astype(np.float64) for s in sides)
        times = np.ones(len(self.docs))
        return Pairwise(self.corpus, self.docs, self.doc, self.first, self.second, one, other, amount, groups, times)


def paired_units(corpus: Any, name: str, reference: str | None) -> PairedUnits:
    """Return all pairs of annotators with a common document, or those with the reference."""
    check_comparable(corpus, name)
    if reference is not None and reference not in corpus.annotators:
        raise UnknownName("annotator", reference, corpus.annotators)
    docs = np.flatnonzero(corpus.comparable)
    judged = corpus.judged[docs]
    who = np.nonzero(judged)[1]
    size = judged.sum(axis=1)
    doc, *seats = seat_pairs(size)
    first, second = (who[(np.cumsum(size) - size)[doc] + seat].astype(np.int64) for seat in seats)
    if reference is not None:
        chosen = corpus.annotators.index(reference)
        mine = (first == chosen) | (second == chosen)
        other = np.where(first[mine] == chosen, second[mine], first[mine])
        doc, first, second = doc[mine], np.full(len(other), chosen, dtype=np.int64), other
    if not len(doc):
        raise DataError(
            "nothing-shared",
            f"no other annotator annotated the documents of {quoted(reference)}; choose another reference",
        )
    parts = [_side(corpus, docs, doc, who, k) for k, who in enumerate((first, second))]
    row, entry, side = (np.concatenate(column) for column in zip(*parts, strict=True))
    label = corpus.label[entry].astype(np.int64)
    units = Units(row, side, corpus.start[entry], corpus.end[entry], label, np.full(len(doc), 2, dtype=np.int64))
    return PairedUnits(corpus, docs, doc, first, second, units)


def _side(corpus: Corpus, docs: NDArray[np.intp], doc: Ints, who: Ints, side: int) -> tuple[Ints, Ints, Ints]:
    """Return the units of one side of every row: the row and the unit."""
    m = len(corpus.annotators)
    key = corpus.doc.astype(np.int64) * m + corpus.annotator
    order = np.argsort(key, kind="stable")
    wanted = docs[doc] * m + who
    low, high = np.searchsorted(key[order], wanted, side="left"), np.searchsorted(key[order], wanted, side="right")
    count = high - low
    row = np.repeat(np.arange(len(doc)), count)
    within = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
    return row, order[low[row] + within], np.full(len(row), side, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Slots:
    """Costs of aligning overlapping units: 0.5 for different labels, 0.5 for different boundaries; 1 per unit alone."""

    label_cost: float = 0.5
    boundary_cost: float = 0.5
    must_overlap: bool = True
    delta: float = 1.0

    def between(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        moved = (units.start[u] != units.start[v]) | (units.end[u] != units.end[v])
        other = units.label[u] != units.label[v]
        cost = np.where(other, self.label_cost, 0.0) + np.where(moved, self.boundary_cost, 0.0)
        return np.where(overlapping(units, u, v), cost, np.inf) if self.must_overlap else cost

    def parts(self, units: Positioned, u: Ints, v: Ints) -> Mapping[str, Floats]:
        return {"slot": self.between(units, u, v)}

    def reach(self, limit: Floats) -> Floats:
        # The midpoints of overlapping units differ by at most half the sum of their lengths.
        return np.full(len(limit), 1.0 if self.must_overlap else np.inf)


def overlapping(units: Positioned, u: Ints, v: Ints) -> NDArray[np.bool_]:
    """Return whether two units overlap; equal units of length 0 do."""
    same = (units.start[u] == units.start[v]) & (units.end[u] == units.end[v])
    return same | (np.minimum(units.end[u], units.end[v]) > np.maximum(units.start[u], units.start[v]))


@dataclass(frozen=True, repr=False)
class PairwiseMeasure(UnitMeasure):
    """A mean over pairs of annotators; within a pair, counts are summed over documents."""

    reference: str | None = None

    lowest: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        if self.reference is not None:
            object.__setattr__(self, "reference", str(self.reference))

    def observe(self, data: Any, run: Run) -> Pairwise:
        raise NotImplementedError

    def quotient(self, amount: Floats, reference: Floats, other: Floats, groups: Floats) -> Floats:
        """Return the value of each comparison; NaN if it is undefined."""
        raise NotImplementedError

    def _rows(self, evidence: Pairwise) -> dict[str, Any]:
        """Return all comparisons, or those with the reference."""
        rows = evidence.both_orders()
        if self.reference is None:
            return rows
        chosen = rows["reference"] == evidence.corpus.annotators.index(self.reference)
        return {name: column[chosen] for name, column in rows.items()}

    def estimate(self, evidence: Pairwise) -> Score:
        rows = self._rows(evidence)
        weight = evidence.times[rows["doc"].astype(np.int64)]
        m = len(evidence.corpus.annotators)
        pair = (rows["reference"] * m + rows["other"]).astype(np.int64)
        names, values = self._values(rows, weight, pair)
        value, left = _mean(values)
        parts = Parts(
            ("pair", "annotator", "document"), lambda by: self._parts(evidence, rows, weight, names, values, by)
        )
        reason = None if not math.isnan(value) else "no annotator who can be the reference has units (0/0)"
        details = {"pairs_left_out": left} if left else {}
        n = int(evidence.times.sum())
        return Score(value, str(self), n=n, parts=parts, kind=self.kind, undefined=reason, details=details)

    kind: ClassVar[Any] = "agreement"

    def summed(self, evidence: Pairwise) -> Values | None:
        """Return a function for the mean over pairs of annotators; None if the table would be too large."""
        rows = self._rows(evidence)
        docs, m = len(evidence.times), len(evidence.corpus.annotators)
        pair = rows["reference"].astype(np.int64) * m + rows["other"].astype(np.int64)
        names, at = np.unique(pair, return_inverse=True)
        many = len(names)
        if docs * many > _CELLS:
            return None
        cell = rows["doc"].astype(np.int64) * many + at
        tables = [
            sums_by(cell, rows[column].astype(np.float64), docs * many).reshape(docs, many)
            for column in ("amount", "reference_units", "other_units", "groups")
        ]
        met = np.bincount(cell, minlength=docs * many).reshape(docs, many).astype(np.float64)

        def values(times: Floats) -> Floats:
            each = self.quotient(*((times @ table).ravel() for table in tables)).reshape(len(times), many)
            # A pair without any drawn document has no value; an empty comparison would count as perfect agreement.
            known = ~np.isnan(each) & (times @ met > 0)
            number = known.sum(axis=1)
            mean: Floats = np.divide(
                np.where(known, each, 0.0).sum(axis=1), number, out=np.full(len(times), np.nan), where=number > 0
            )
            return mean

        return values

    def _values(self, rows: dict[str, Any], weight: Floats, by: Ints) -> tuple[Ints, Floats]:
        """Return the value of each group of comparisons, from summed counts."""
        names, at = np.unique(by, return_inverse=True)
        sums = [
            sums_by(at, rows[column] * weight, len(names))
            for column in ("amount", "reference_units", "other_units", "groups")
        ]
        return names, self.quotient(*sums)

    def _parts(
        self, evidence: Pairwise, rows: dict[str, Any], weight: Floats, pairs: Ints, values: Floats, by: str
    ) -> dict[str, Score]:
        who, m = evidence.corpus.annotators, len(evidence.corpus.annotators)
        if by == "pair":
            arrow = " – " if self.symmetric else " → "
            known = [k for k in range(len(pairs)) if not self.symmetric or pairs[k] // m < pairs[k] % m]
            if self.symmetric and self.reference is not None:
                known = list(range(len(pairs)))
            return {f"{who[pairs[k] // m]}{arrow}{who[pairs[k] % m]}": self._part(values[k]) for k in known}
        if by == "annotator":
            own = np.concatenate([pairs % m] if self.reference is not None else [pairs // m, pairs % m])
            each = np.concatenate([values] if self.reference is not None else [values, values])
            return {who[a]: self._part(_mean(each[own == a])[0]) for a in np.unique(own)}
        found = {}
        for d in np.unique(rows["doc"].astype(np.int64)):
            here = rows["doc"] == d
            of_doc = {name: column[here] for name, column in rows.items()}
            pair = (of_doc["reference"] * m + of_doc["other"]).astype(np.int64)
            found[evidence.corpus.docs[evidence.docs[d]]] = self._part(
                _mean(self._values(of_doc, weight[here], pair)[1])[0]
            )
        return found

    symmetric: ClassVar[bool] = True

    @property
    def effect_of_points(self) -> str:
        """Return what units of length 0 do to the value."""
        return "two of them match only if they are equal"

    def _part(self, value: float) -> Score:
        undefined = "0/0" if math.isnan(value) else None
        return Score(float(value), str(self), kind=self.kind, undefined=undefined)

    def explain(self, evidence: Pairwise, score: Score) -> dict[str, Any]:
        corpus, left = evidence.corpus, score.details.get("pairs_left_out", 0)
        documents = document_facts(corpus, evidence.docs)
        notes = [f"{counted(left, 'comparison')} left out because the reference has no units"] if left else []
        compared = np.isin(corpus.doc, evidence.docs)
        points = int((compared & (corpus.end <= corpus.start)).sum())
        notes += points_note(points, int(compared.sum()), self.effect_of_points)
        return {
            **documents,
            "units": len(corpus),
            "annotators": corpus.n_annotators,
            "categories": len(corpus.categories),
            **score.details,
            "notes": [*document_notes(documents["left_out"]), *notes],
        }


def check_switch(name: str, option: str, value: object) -> None:
    if not isinstance(value, bool):
        raise SpecError("measure-option", f"{name}: {option} must be true or false, not {quoted(value)}")


def _mean(values: Floats) -> tuple[float, int]:
    """Return the mean of the defined values, and the number of undefined ones."""
    known = values[~np.isnan(values)]
    return (float(known.mean()) if len(known) else math.nan), len(values) - len(known)


# -- F1: units that both annotators have ------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class PairwiseF1(PairwiseMeasure):
    """Hripcsak & Rothschild 2005. Exact units, overlapping units, or shared length; without chance correction."""

    match: str = "exact"
    labels: bool = True

    name: ClassVar[str] = "f1"
    symbol: ClassVar[str] = "F1"
    title: ClassVar[str] = "F1 between annotators"
    source: ClassVar[str] = "Hripcsak & Rothschild 2005"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.match == "partial":
            object.__setattr__(self, "match", "overlap")
        if self.match not in MATCHES:
            raise UnknownName("match", str(self.match), MATCHES)
        check_switch(self.name, "labels", self.labels)

    @property
    def effect_of_points(self) -> str:
        return "they cover nothing and are left out" if self.match == "token" else super().effect_of_points

    def estimate(self, evidence: Pairwise) -> Score:
        score = super().estimate(evidence)
        corpus = evidence.corpus
        covered = (corpus.end > corpus.start) & np.isin(corpus.doc, evidence.docs)
        if self.match != "token" or covered.any():
            return score
        reason = f"all units have length 0, so no length is left to compare; {WITHOUT_LENGTH}"
        return replace(score, value=math.nan, undefined=reason.replace("use f1", "use f1(match=exact)"))

    def observe(self, data: Any, run: Run) -> Pairwise:  # noqa: ARG002
        paired = paired_units(data, self.name, self.reference)
        units = paired.units
        if not self.labels:
            nothing = np.full(len(units), -1, dtype=np.int64)
            units = Units(units.continuum, units.annotator, units.start, units.end, nothing, units.annotators)
        if self.match == "token":
            return _tokens(paired, units)
        if self.match == "exact":
            right = _equal(units, len(paired.doc))
        else:
            # The largest matching of overlapping units: all pairs have the same gain.
            found = best_alignment(units, Slots(label_cost=np.inf, boundary_cost=0.0))
            right = np.bincount(found.continuum[found.size == 2], minlength=len(paired.doc)).astype(np.float64)
        return paired.pairwise(right, np.zeros(len(right)))

    def quotient(self, amount: Floats, reference: Floats, other: Floats, groups: Floats) -> Floats:  # noqa: ARG002
        both = reference + other
        return np.divide(2 * amount, both, out=np.ones(len(both)), where=both > 0)


def _equal(units: Units, rows: int) -> Floats:
    """Return the number of common units; repeated units count as often as both annotators have them."""
    columns = (units.annotator, units.label, units.end, units.start, units.continuum)
    order = np.lexsort(columns)
    changes = np.any([np.diff(column[order]) != 0 for column in columns[1:]], axis=0)
    group = np.concatenate([[0], np.cumsum(changes)]) if len(order) else np.zeros(0, dtype=np.int64)
    many = int(group[-1]) + 1 if len(group) else 0
    side = units.annotator[order]
    both = np.minimum(*(np.bincount(group[side == k], minlength=many) for k in (0, 1)))
    first = np.flatnonzero(np.diff(group, prepend=-1))
    return sums_by(units.continuum[order][first], both.astype(np.float64), rows)


def _tokens(paired: PairedUnits, units: Units) -> Pairwise:
    """Return lengths instead of counts: the union of each side's units of a label, and the common length."""
    from dataclasses import replace

    key = units.continuum * (int(units.label.max(initial=-1)) + 2) + units.label + 1
    sides = [
        _union(key[units.annotator == k], units.start[units.annotator == k], units.end[units.annotator == k])
        for k in (0, 1)
    ]
    rows, width = len(paired.doc), int(units.label.max(initial=-1)) + 2
    own = [sums_by(k // width, end - start, rows) for k, start, end in sides]
    everything = _union(*(np.concatenate(column) for column in zip(*sides, strict=True)))
    union = sums_by(everything[0] // width, everything[2] - everything[1], rows)
    made = paired.pairwise(own[0] + own[1] - union, np.zeros(rows))
    return replace(made, units_first=own[0], units_second=own[1])


def _union(key: Ints, start: Floats, end: Floats) -> tuple[Ints, Floats, Floats]:
    """Return the segments covered by the units of each key; overlaps count once."""
    if not len(key):
        return key, start, end
    order = np.lexsort((start, key))
    key, start, end = key[order], start[order], end[order]
    shift = key * (float(end.max()) - float(start.min()) + 1.0)
    reached = np.maximum.accumulate(end + shift) - shift
    fresh = np.concatenate([[True], (key[1:] != key[:-1]) | (start[1:] > reached[:-1])])
    first = np.flatnonzero(fresh)
    return key[first], start[first], np.maximum.reduceat(end, first)


# -- SER: cost of turning the units of one annotator into those of a reference --------------------------------------


@dataclass(frozen=True, repr=False)
class SlotErrorRate(PairwiseMeasure):
    """Makhoul et al. 1999. 1 for a missing or added unit, 0.5 for a different label, 0.5 for different boundaries."""

    per: str = "reference"
    overlap: bool = True

    name: ClassVar[str] = "ser"
    symbol: ClassVar[str] = "SER"
    aliases: ClassVar[tuple[str, ...]] = ("slot_error_rate",)
    title: ClassVar[str] = "SER, the slot error rate"
    source: ClassVar[str] = "Makhoul et al. 1999; Mathet et al. 2015, 3.4.2"
    kind: ClassVar[Any] = "error"
    symmetric: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.per not in PER:
            raise UnknownName("normalisation", str(self.per), PER)
        check_switch(self.name, "overlap", self.overlap)

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        slots = self.per == "slots"
        divisor = "per unit of the reference" if slots else "per slot, an aligned pair or a unit alone"
        aligned = "any two units may be aligned" if self.overlap else "only units that overlap may be aligned"
        return (
            (replace(self, per="reference" if slots else "slots"), divisor),
            (replace(self, overlap=not self.overlap), f"{aligned}; the sources do not define this"),
        )

    def observe(self, data: Any, run: Run) -> Pairwise:  # noqa: ARG002
        paired = paired_units(data, self.name, self.reference)
        # A unit alone costs slightly more than 1, so that ties are resolved in favour of more pairs.
        found = best_alignment(paired.units, Slots(must_overlap=self.overlap, delta=1.0 + _TRIFLE))
        cost = np.where(found.size > 1, found.disorder, 1.0)
        groups = np.bincount(found.continuum, minlength=len(paired.doc)).astype(np.float64)
        return paired.pairwise(sums_by(found.continuum, cost, len(paired.doc)), groups)

    def quotient(self, amount: Floats, reference: Floats, other: Floats, groups: Floats) -> Floats:
        below = reference if self.per == "reference" else groups
        nothing = np.where((reference == 0) & (other == 0), 0.0, np.nan)  # both sides are empty
        return np.divide(amount, below, out=nothing, where=below > 0)
