"""Position and category together (Mathet et al. 2015, 4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.measures.dissimilarities.base import Positioned


@dataclass(frozen=True, eq=False)
class Combined:
    """α · positional + β · categorical (eq. 5), both in multiples of Δ∅."""

    table: Floats | None = None  # f_cat(distance) between labels, 0 on the diagonal; None: 1 for every other label
    positional: float = 1.0
    categorical: float = 1.0
    delta: float = 1.0

    def between(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        parts = self.parts(units, u, v)
        return parts["position"] + parts["category"]

    def parts(self, units: Positioned, u: Ints, v: Ints) -> Mapping[str, Floats]:
        nothing = np.zeros(len(u))  # what has no weight is left out: 0 times infinity would be no number
        return {
            "position": self.positional * self.position(units, u, v) if self.positional > 0 else nothing,
            "category": self.categorical * self.category(units, u, v) if self.categorical > 0 else nothing,
        }

    def position(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        """Eq. 3: the differences of the boundaries over the sum of the lengths, squared.

        Units without length are 0 from their equals and infinitely far from each other: 0/0 says nothing else.
        """
        apart = np.abs(units.start[u] - units.start[v]) + np.abs(units.end[u] - units.end[v])
        lengths = (units.end[u] - units.start[u]) + (units.end[v] - units.start[v])
        quotient = np.divide(apart, lengths, out=np.where(apart > 0, np.inf, 0.0), where=lengths > 0)
        return quotient**2 * self.delta

    def category(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        """Eq. 4. A unit without label is like every other: nothing is known against it."""
        a, b = units.label[u], units.label[v]
        known = (a >= 0) & (b >= 0)
        if self.table is None:
            return np.where(known & (a != b), self.delta, 0.0)
        if not len(self.table):
            return np.zeros(len(a))
        return np.where(known, self.table[a, b], 0.0) * self.delta

    def reach(self, limit: Floats) -> Floats:
        if self.positional <= 0:
            return np.full(len(limit), np.inf)
        return np.sqrt(limit / (self.positional * self.delta))
