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
_CHECKED = 1_000  # units on which a custom function is checked for symmetry


class Positioned(Protocol):
    """Columns of units that a dissimilarity reads."""

    @property
    def start(self) -> Floats: ...
    @property
    def end(self) -> Floats: ...
    @property
    def label(self) -> Ints: ...


class Dissimilarity(Protocol):
    """Dissimilarity between two units; Δ∅ (`delta`) is the cost of a unit without counterpart."""

    @property
    def delta(self) -> float: ...

    def between(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        """Return the dissimilarity of each pair of units u and v."""
        ...

    def parts(self, units: Positioned, u: Ints, v: Ints) -> Mapping[str, Floats]:
        """Return the dissimilarity split into its parts: position and category."""
        ...

    def reach(self, limit: Floats) -> Floats:
        """Return the largest boundary difference of two units whose dissimilarity is at most `limit`.

        The boundary difference is |Δstart| + |Δend|, in multiples of the sum of both lengths; infinite if unbounded.
        """
        ...


@dataclass(frozen=True, eq=False)
class Combined:
    """α · positional + β · categorical (eq. 5), both in multiples of Δ∅."""

    table: Floats | None = None  # f_cat(distance) between labels, 0 on the diagonal; None: 1 for different labels
    positional: float = 1.0
    categorical: float = 1.0
    delta: float = 1.0

    def between(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        parts = self.parts(units, u, v)
        return parts["position"] + parts["category"]

    def parts(self, units: Positioned, u: Ints, v: Ints) -> Mapping[str, Floats]:
        nothing = np.zeros(len(u))  # a part with weight 0 is skipped, because 0 times infinity is NaN
        return {
            "position": self.positional * self.position(units, u, v) if self.positional > 0 else nothing,
            "category": self.categorical * self.category(units, u, v) if self.categorical > 0 else nothing,
        }

    def position(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        """Return eq. 3: the sum of the boundary differences over the sum of the lengths, squared.

        Two units of length 0 have dissimilarity 0 at the same position and infinity elsewhere.
        """
        apart = np.abs(units.start[u] - units.start[v]) + np.abs(units.end[u] - units.end[v])
        lengths = (units.end[u] - units.start[u]) + (units.end[v] - units.start[v])
        quotient = np.divide(apart, lengths, out=np.where(apart > 0, np.inf, 0.0), where=lengths > 0)
        return quotient**2 * self.delta

    def category(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        """Return eq. 4. A missing label has dissimilarity 0 to every label."""
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


# -- distances between labels: dist_cat of eq. 4, from 0 (same label) to 1 (nothing in common) -------------------


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
    """Return the distance between labels of units for a spec, a distance or a matrix."""
    return chosen_distance("distance", given, LABEL_DISTANCES, Matrix)


def label_table(distance: Distance, categories: Categories, f_cat: str = "identity") -> Floats | None:
    """Return f_cat of the distance between all pairs of categories; None if all distances are 1.

    A matrix is used unchanged (Table 3 of the paper), and so are distances defined between 0 and 1. Other distances are
    divided by their largest value.
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
            f"label {quoted(word)} is not a number, but the {distance.name} distance needs numbers; "
            "use distance=ordinal",
        )
    space = distance.space(categories, np.ones(q))
    table = distance.table(lambda: space.to(np.eye(q)), q).matrix if q else np.zeros((0, 0))
    if isinstance(distance, Matrix) and (table > 1).any():
        i, j = np.argwhere(table > 1)[0]
        raise DataError(
            "measure-option",
            f"{distance.file or 'the matrix'}: {quoted(categories.names[i])} and {quoted(categories.names[j])} are "
            f"{table[i, j]:g} apart, but distances between labels must lie between 0 and 1 here; divide all of them by "
            "the largest and set the weight with categorical=…",
        )
    if not distance.up_to_one and space.scale > 0:
        table = table / space.scale
    return table if f_cat == "identity" else steep(table)


def steep(x: Floats) -> Floats:
    """Return the steep f_cat of footnote 2: close to x up to 0.9, infinite at 1, where units cannot align."""
    with np.errstate(divide="ignore"):
        return -np.log1p(-(np.minimum(x, 1.0) ** 30)) + x


def _apart(x: Floats) -> Floats:
    return np.abs(x[:, None] - x)


# -- custom dissimilarities ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UnitColumns:
    """Columns passed to a custom function, one entry per compared unit. A missing label is None."""

    start: Floats
    end: Floats
    label: NDArray[np.object_]

    @property
    def length(self) -> Floats:
        return self.end - self.start


@dataclass(frozen=True)
class Custom:
    """Dissimilarity computed by `function(u, v)`, which returns an array of non-negative numbers.

    `delta` is the cost of a unit without counterpart. `within` is the largest useful boundary difference, in multiples
    of the sum of the lengths: units further apart are never aligned. Without it, all units of a document are compared.
    """

    function: Callable[[UnitColumns, UnitColumns], Any]
    delta: float = 1.0
    within: float | None = None
    labels: tuple[object, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise SpecError(
                "measure-option",
                "a dissimilarity must be a function of two columns of units; define one: def far(u, v): return …",
            )
        for what, value in (("delta (Δ∅)", self.delta), ("reach", self.within)):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if value is not None and not (number and np.isfinite(value) and value > 0):
                raise SpecError(
                    "measure-option",
                    f"{what} of a dissimilarity must be a number above 0, not {quoted(value)}; leave it out if unsure",
                )

    def __str__(self) -> str:
        inside = [getattr(self.function, "__name__", "function")]
        if self.delta != 1.0:
            inside.append(f"delta={self.delta:g}")
        if self.within is not None:
            inside.append(f"reach={self.within:g}")
        return f"dissimilarity({','.join(inside)})"

    __repr__ = __str__

    def on(self, categories: Categories) -> Custom:
        """Return the same dissimilarity, with the labels that the codes refer to."""
        return replace(self, labels=(*categories.labels, None))

    def between(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        if not len(u):
            return np.zeros(0)
        try:
            far = np.asarray(self.function(self._columns(units, u), self._columns(units, v)), dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise SpecError(
                "dissimilarity-invalid",
                f"{self}: the function must accept columns of units and return one number per pair: {error}",
            ) from error
        if far.shape != (len(u),):
            raise SpecError(
                "dissimilarity-invalid",
                f"{self}: the function returned shape {far.shape} for {len(u)} pairs; return one number per pair",
            )
        if np.isnan(far).any() or (far < 0).any():
            raise SpecError(
                "dissimilarity-invalid",
                f"{self}: the function returned {'NaN' if np.isnan(far).any() else far.min()}; return numbers from 0",
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
        """Raise SpecError unless equal units have dissimilarity 0 and the function is symmetric (4.4)."""
        n = min(len(units.start), _CHECKED)
        some = np.linspace(0, len(units.start) - 1, n).astype(np.int64)
        same = self.between(units, some, some)
        if (same != 0).any():
            raise SpecError(
                "dissimilarity-invalid",
                f"{self}: the function returned {same.max():g} for two equal units; return 0 for equal units",
            )
        u, v = some, np.roll(some, n // 2 + 1)
        there, back = self.between(units, u, v), self.between(units, v, u)
        uneven = ~((there == back) | np.isclose(there, back, rtol=1e-12))
        if uneven.any():
            k = int(np.argmax(uneven))
            raise SpecError(
                "dissimilarity-invalid",
                f"{self}: the function returned {there[k]:g} for two units and {back[k]:g} in reverse order; "
                "make it symmetric",
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
