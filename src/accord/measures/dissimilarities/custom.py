"""A dissimilarity of the user's own: a function of two columns of units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.core.errors import SpecError, quoted
from accord.data.model.labels import Categories
from accord.measures.dissimilarities.base import Positioned

_CHECKED = 1_000  # units that are compared both ways before the function is trusted


@dataclass(frozen=True)
class UnitColumns:
    """What the function sees: one entry per unit to compare. A unit without label has the label None."""

    start: Floats
    end: Floats
    label: NDArray[np.object_]

    @property
    def length(self) -> Floats:
        return self.end - self.start


@dataclass(frozen=True)
class Custom:
    """`function(u, v)` gives how far the units u are from the units v, an array of numbers from 0.

    `delta` is what a unit without counterpart costs. `reach` says that units whose boundaries differ by more than
    `reach` times the sum of their lengths are never worth aligning; without it all units of a document are compared.
    """

    function: Callable[[UnitColumns, UnitColumns], Any]
    delta: float = 1.0
    within: float | None = None
    labels: tuple[object, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise SpecError("a dissimilarity is a function of two columns of units: def far(u, v): return …")
        for what, value in (("delta (Δ∅)", self.delta), ("reach", self.within)):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if value is not None and not (number and np.isfinite(value) and value > 0):
                raise SpecError(f"{what} of a dissimilarity is a number above 0, not {quoted(value)}")

    def __str__(self) -> str:
        inside = [getattr(self.function, "__name__", "function")]
        if self.delta != 1.0:
            inside.append(f"delta={self.delta:g}")
        if self.within is not None:
            inside.append(f"reach={self.within:g}")
        return f"dissimilarity({','.join(inside)})"

    __repr__ = __str__

    def on(self, categories: Categories) -> Custom:
        """The same, with the labels that codes stand for."""
        return replace(self, labels=(*categories.labels, None))

    def between(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        if not len(u):
            return np.zeros(0)
        try:
            far = np.asarray(self.function(self._columns(units, u), self._columns(units, v)), dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise SpecError(f"{self}: it must take columns of units, and give a number for each: {error}") from error
        if far.shape != (len(u),):
            raise SpecError(f"{self}: it gave {far.shape} numbers for {len(u)} pairs of units; it must give one each")
        if np.isnan(far).any() or (far < 0).any():
            raise SpecError(f"{self}: it gave {'NaN' if np.isnan(far).any() else far.min()}; it must be 0 or above")
        return far

    def parts(self, units: Positioned, u: Ints, v: Ints) -> Mapping[str, Floats]:
        return {"dissimilarity": self.between(units, u, v)}

    def reach(self, limit: Floats) -> Floats:
        return np.full(len(limit), np.inf if self.within is None else self.within)

    def _columns(self, units: Positioned, at: Ints) -> UnitColumns:
        labels = np.empty(len(self.labels), dtype=object)
        labels[:] = self.labels
        return UnitColumns(units.start[at], units.end[at], labels[units.label[at]])

    def check(self, units: Positioned) -> None:
        """Refuses what is no dissimilarity (4.4): not 0 between equal units, or not the same both ways."""
        n = min(len(units.start), _CHECKED)
        some = np.linspace(0, len(units.start) - 1, n).astype(np.int64)
        same = self.between(units, some, some)
        if (same != 0).any():
            raise SpecError(f"{self}: a unit is {same.max():g} from its equal; it must be 0")
        u, v = some, np.roll(some, n // 2 + 1)
        there, back = self.between(units, u, v), self.between(units, v, u)
        uneven = ~((there == back) | np.isclose(there, back, rtol=1e-12))
        if uneven.any():
            k = int(np.argmax(uneven))
            raise SpecError(
                f"{self}: {there[k]:g} from one unit to another, but {back[k]:g} back; it must be symmetric"
            )


def dissimilarity(
    function: Callable[[UnitColumns, UnitColumns], Any], *, delta: float = 1.0, reach: float | None = None
) -> Custom:
    """A vectorised function as a dissimilarity: `gamma(corpus, dissimilarity=dissimilarity(far))`."""
    return Custom(function, delta, reach)
