"""Dissimilarities between units (Mathet et al. 2015, 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.data.model.labels import Categories
from accord.measures.distances import DISTANCES, Distance, Nominal, chosen_distance
from accord.measures.distances.matrices import Matrix
from accord.measures.distances.spaces import Space

F_CAT = ("identity", "steep")
_CHECKED = 1_000  # units that are compared both ways before the function is trusted


class Positioned(Protocol):
    """What a dissimilarity looks at: columns of units."""

    @property
    def start(self) -> Floats: ...
    @property
    def end(self) -> Floats: ...
    @property
    def label(self) -> Ints: ...


class Dissimilarity(Protocol):
    """Between two units; Δ∅ (`delta`) is what a unit without counterpart costs."""

    @property
    def delta(self) -> float: ...

    def between(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        """How far the units u are from the units v."""
        ...

    def parts(self, units: Positioned, u: Ints, v: Ints) -> Mapping[str, Floats]:
        """The same, as the sum of what it is made of: position, category."""
        ...

    def reach(self, limit: Floats) -> Floats:
        """|Δstart| + |Δend| of units at most `limit` apart, in sums of their lengths; infinite if unbounded."""
        ...


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


# -- distances between labels: dist_cat of eq. 4, from 0 (the same) to 1 (nothing in common) -----------------------


@dataclass(frozen=True, repr=False)
class Ranks(Distance):
    name: ClassVar[str] = "ordinal"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "steps between two ranks, as a share of all steps"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self.table(lambda: _apart(categories.ranks), len(categories))


@dataclass(frozen=True, repr=False)
class Numeric(Distance):
    name: ClassVar[str] = "numeric"
    needs_numbers: ClassVar[bool] = True
    summary: ClassVar[str] = "|c − k| of numbers, as a share of their range"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self.table(lambda: _apart(categories.values), len(categories))


@dataclass(frozen=True, repr=False)
class Levenshtein(Distance):
    name: ClassVar[str] = "levenshtein"
    up_to_one: ClassVar[bool] = True
    summary: ClassVar[str] = "characters to insert, delete or change, as a share of the longer label"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        from rapidfuzz.distance import Levenshtein as Edits
        from rapidfuzz.process import cdist

        names = categories.names
        return self.table(lambda: cdist(names, names, scorer=Edits.normalized_distance, dtype=np.float64), len(names))


LABEL_DISTANCES: tuple[type[Distance], ...] = (
    Nominal,
    Ranks,
    Numeric,
    Levenshtein,
    *(d for d in DISTANCES if d.name not in {"nominal", "ordinal"}),
)


def label_distance(given: object) -> Distance:
    """A distance between labels of units from its spec, a value, or a matrix."""
    return chosen_distance("distance", given, LABEL_DISTANCES, Matrix)


def label_table(distance: Distance, categories: Categories, f_cat: str = "identity") -> Floats | None:
    """f_cat of the distance between every two categories; None where every two are 1 apart.

    A matrix is taken as it is given (Table 3 of the paper), and so are distances that lie between 0 and 1 by
    definition; others are divided by their largest value.
    """
    if f_cat not in F_CAT:
        raise UnknownName("f_cat", f_cat, F_CAT)
    if isinstance(distance, Nominal) and f_cat == "identity":
        return None
    q = len(categories)
    if distance.needs_numbers and q and not categories.numeric:
        word = categories.names[int(np.argmax(np.isnan(categories.values)))]
        raise DataError(
            "not-a-number",
            f"label {quoted(word)} is not a number, and the {distance.name} distance needs numbers; use ordinal",
        )
    space = distance.space(categories, np.ones(q))
    table = distance.table(lambda: space.to(np.eye(q)), q).matrix if q else np.zeros((0, 0))
    if isinstance(distance, Matrix) and (table > 1).any():
        i, j = np.argwhere(table > 1)[0]
        raise DataError(
            "measure-option",
            f"{distance.file or 'the matrix'}: {quoted(categories.names[i])} and {quoted(categories.names[j])} are "
            f"{table[i, j]:g} apart; distances between labels lie between 0 and 1 here: divide them by the largest, or "
            "weigh them with categorical=…",
        )
    if not distance.up_to_one and space.scale > 0:
        table = table / space.scale
    return table if f_cat == "identity" else steep(table)


def steep(x: Floats) -> Floats:
    """Footnote 2 of the paper: hardly more than x up to 0.9, infinite at 1, where units cannot align."""
    with np.errstate(divide="ignore"):
        return -np.log1p(-(np.minimum(x, 1.0) ** 30)) + x


def _apart(x: Floats) -> Floats:
    return np.abs(x[:, None] - x)


# -- a dissimilarity of the user's own -----------------------------------------------------------------------------


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
            raise SpecError(
                "measure-option", "a dissimilarity is a function of two columns of units: def far(u, v): return …"
            )
        for what, value in (("delta (Δ∅)", self.delta), ("reach", self.within)):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if value is not None and not (number and np.isfinite(value) and value > 0):
                raise SpecError("measure-option", f"{what} of a dissimilarity is a number above 0, not {quoted(value)}")

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
            raise SpecError(
                "dissimilarity-invalid", f"{self}: it must take columns of units, and give a number for each: {error}"
            ) from error
        if far.shape != (len(u),):
            raise SpecError(
                "dissimilarity-invalid",
                f"{self}: it gave {far.shape} numbers for {len(u)} pairs of units; it must give one each",
            )
        if np.isnan(far).any() or (far < 0).any():
            raise SpecError(
                "dissimilarity-invalid",
                f"{self}: it gave {'NaN' if np.isnan(far).any() else far.min()}; it must be 0 or above",
            )
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
            raise SpecError("dissimilarity-invalid", f"{self}: a unit is {same.max():g} from its equal; it must be 0")
        u, v = some, np.roll(some, n // 2 + 1)
        there, back = self.between(units, u, v), self.between(units, v, u)
        uneven = ~((there == back) | np.isclose(there, back, rtol=1e-12))
        if uneven.any():
            k = int(np.argmax(uneven))
            raise SpecError(
                "dissimilarity-invalid",
                f"{self}: {there[k]:g} from one unit to another, but {back[k]:g} back; it must be symmetric",
            )


def dissimilarity(
    function: Callable[[UnitColumns, UnitColumns], Any], *, delta: float = 1.0, reach: float | None = None
) -> Custom:
    """Make a dissimilarity of units from a function, for measures such as `gamma`.

    Parameters
    ----------
    function : callable
        Takes two columns of units, with `start`, `end`, `length` and `label` as arrays, and returns an array with a
        number for each pair. It must be symmetric, 0 between equal units, and never negative.
    delta : float, default 1.0
        Δ∅, the cost of a unit that has no counterpart.
    reach : float, optional
        The largest |Δstart| + |Δend| at which units are aligned, in multiples of the sum of their lengths. It makes
        large documents fast. Default: unbounded.

    Returns
    -------
    Custom
        A value for the option `dissimilarity` of a measure.

    Raises
    ------
    SpecError
        If `function` cannot be called, or `delta` or `reach` is not a number above 0. The measure raises it if the
        function does not return a dissimilarity.

    Examples
    --------
    >>> def far(u, v):
    ...     return abs(u.start - v.start) / 10
    >>> spans = {"annotator": ["Ana", "Ana", "Ben", "Ben"], "start": [0, 5, 1, 5], "end": [4, 9, 4, 9]}
    >>> round(accord.gamma(spans, dissimilarity=accord.dissimilarity(far), interval="none").observed, 3)
    0.05
    """
    return Custom(function, delta, reach)
