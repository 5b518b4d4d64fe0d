"""F1 between annotators: how many units of one the other has, too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import UnknownName
from accord.measures.alignment.best import best_alignment
from accord.measures.alignment.units import Units
from accord.measures.distances.spaces import sums_by
from accord.measures.units.pairwise import PairedUnits, Pairwise, PairwiseMeasure, Slots, check_switch, paired_units

MATCHES = ("exact", "overlap", "token")


@dataclass(frozen=True, repr=False)
class PairwiseF1(PairwiseMeasure):
    """Hripcsak & Rothschild 2005. Exact units, overlapping ones, or stretches they share; not corrected for chance."""

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
            # The largest set of pairs that overlap: each saves as much as any other.
            found = best_alignment(units, Slots(label_cost=np.inf, boundary_cost=0.0))
            right = np.bincount(found.continuum[found.size == 2], minlength=len(paired.doc)).astype(np.float64)
        return paired.pairwise(right, np.zeros(len(right)))

    def quotient(self, amount: Floats, reference: Floats, other: Floats, groups: Floats) -> Floats:  # noqa: ARG002
        both = reference + other
        return np.divide(2 * amount, both, out=np.ones(len(both)), where=both > 0)


def _equal(units: Units, rows: int) -> Floats:
    """Units that both have; repeated ones as often as both have them."""
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
    """Lengths instead of units: of each side the union of its units of a label, and what both cover."""
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
    """Stretches that the units of each key cover, overlaps counted once."""
    if not len(key):
        return key, start, end
    order = np.lexsort((start, key))
    key, start, end = key[order], start[order], end[order]
    shift = key * (float(end.max()) - float(start.min()) + 1.0)
    reached = np.maximum.accumulate(end + shift) - shift
    fresh = np.concatenate([[True], (key[1:] != key[:-1]) | (start[1:] > reached[:-1])])
    first = np.flatnonzero(fresh)
    return key[first], start[first], np.maximum.reduceat(end, first)
