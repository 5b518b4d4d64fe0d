"""What a distance between labels is, and the arithmetic of distances between q categories.

A `Distance` is a frozen value whose repr is its spec. On the categories of a data set it has a space, which needs no
q × q table where there is a shorter way. A space answers three questions: how far is each category from a draw out of
given shares (`to`), how far are two labels of the same row on average (`within`), and what is the largest distance
(`scale`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes, Floats, Ints, distinct
from accord.core.errors import DataError, SpecError, quoted
from accord.core.spec import Named
from accord.data.model.labels import Categories

LARGEST_TABLE = 5_000  # categories; a table of their distances takes 200 MB
_DENSE = 64  # up to so many categories, labels per row are counted in a dense table
_CELLS = 1 << 22
_LARGEST = 1e150  # number whose square is one


class Space(Protocol):
    @property
    def scale(self) -> float: ...

    def to(self, shares: Floats) -> Floats:
        """Mean distance of each category to a draw from the shares; one column per distribution."""
        ...

    def within(self, row: Codes, label: Codes, sizes: Ints, many: Ints | None = None) -> Floats:
        """Mean distance between two labels of a row, for each row; 0 where there are fewer than two.

        `many` says how often each label is there; else once.
        """
        ...

    def differ(self, used: NDArray[np.intp]) -> bool:
        """Whether any two of these categories are apart: decided on the categories, not on a rounded sum."""
        ...


@dataclass(frozen=True)
class Same:
    """0 for the same category, 1 for another one."""

    q: int

    @property
    def scale(self) -> float:
        return 1.0

    def to(self, shares: Floats) -> Floats:
        far = shares.sum(axis=0) - shares
        if (
            shares.size
        ):  # where one category is nearly everything, the rest is summed: a difference would lose its digits
            top = np.expand_dims(shares.argmax(axis=0), 0)
            rest = shares.copy()
            np.put_along_axis(rest, top, 0.0, axis=0)
            np.put_along_axis(far, top, np.expand_dims(rest.sum(axis=0), 0), axis=0)
        return far

    def within(self, row: Codes, label: Codes, sizes: Ints, many: Ints | None = None) -> Floats:
        if self.q <= _DENSE:
            squares = np.concatenate(
                [(c * c).sum(axis=1) for c in counts_by_row(row, label, sizes, self.q, many)] or [sizes * 0.0]
            )
        elif many is None:
            key = np.sort(row.astype(np.int64) * self.q + label)
            starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])) if len(key) else key
            runs = np.diff(np.append(starts, len(key))).astype(np.float64)
            squares = np.bincount(key[starts] // self.q, weights=runs * runs, minlength=len(sizes))
        else:
            cells, which = np.unique(row.astype(np.int64) * self.q + label, return_inverse=True)
            total = np.bincount(which, weights=many)
            squares = np.bincount(cells // self.q, weights=total * total, minlength=len(sizes))
        return 1.0 - _per_pair(squares - sizes, sizes, default=1.0)

    def differ(self, used: NDArray[np.intp]) -> bool:
        return len(used) > 1


@dataclass(frozen=True)
class Points:
    """Squared Euclidean distance between points, one per category: sums replace pairs."""

    points: Floats  # q × dimensions
    scale: float

    @classmethod
    def on_line(cls, x: Floats) -> Points:
        width = float(x.max() - x.min()) if len(x) else 0.0
        return cls(from_lowest(x)[:, None], width**2)

    def to(self, shares: Floats) -> Floats:
        # Σ p_k |x − x_k|² = p|x − m|² + Σ p_k |x_k − m|², m the mean: a far point nobody uses costs no digits.
        total = shares.sum(axis=0)
        far = np.zeros_like(shares)
        for x in self.points.T:
            mean = x @ shares / total
            apart = (x - mean if shares.ndim == 1 else x[:, None] - mean) ** 2
            far += total * apart + (shares * apart).sum(axis=0)
        return far

    def within(self, row: Codes, label: Codes, sizes: Ints, many: Ints | None = None) -> Floats:
        # Σ over ordered pairs of |x − y|² = 2 (r Σ|x − m|²), m the mean of the row: no cancellation.
        total = np.zeros(len(sizes))
        for k in range(self.points.shape[1]):
            x = self.points[label, k]
            mean = sums_by(row, x if many is None else x * many, len(sizes)) / np.maximum(sizes, 1)
            x -= mean[row]
            x *= x
            total += sums_by(row, x if many is None else x * many, len(sizes))
        return _per_pair(2 * sizes * total, sizes)

    def differ(self, used: NDArray[np.intp]) -> bool:
        points = self.points[used]
        return len(used) > 1 and bool((np.ptp(points, axis=0) > 1e-12 * np.abs(points).max(axis=0)).any())


@dataclass(frozen=True, eq=False)
class Lines:
    """Points on a line, of which every table among many has its own: a column each."""

    x: Floats  # q × tables

    @property
    def scale(self) -> Floats:
        return np.asarray((self.x.max(axis=0, initial=0.0) - self.x.min(axis=0, initial=0.0)) ** 2)

    def to(self, shares: Floats) -> Floats:
        """As `Points` has it; shares that are one column are those of all tables."""
        shares = shares if shares.ndim == 2 else shares[:, None]
        total = shares.sum(axis=0)
        apart = (self.x - (self.x * shares).sum(axis=0) / total) ** 2
        return np.asarray(total * apart + (shares * apart).sum(axis=0))

    def differ(self, used: NDArray[np.intp]) -> bool:
        """Every category that is used moves those behind it."""
        return len(used) > 1


@dataclass(frozen=True)
class DistanceTable:
    """Any symmetric distances with a zero diagonal."""

    matrix: Floats
    largest: float | None = None  # what counts as the largest distance, where that is not the largest here

    @property
    def scale(self) -> float:
        return float(self.matrix.max(initial=0.0)) if self.largest is None else self.largest

    def to(self, shares: Floats) -> Floats:
        product: Floats = self.matrix @ shares
        return product

    def within(self, row: Codes, label: Codes, sizes: Ints, many: Ints | None = None) -> Floats:
        q = len(self.matrix)
        if q <= _DENSE:
            sums = np.concatenate(
                [((c @ self.matrix) * c).sum(axis=1) for c in counts_by_row(row, label, sizes, q, many)]
                or [sizes * 0.0]
            )
        else:
            order = np.argsort(row, kind="stable")
            row, label = row[order], label[order]
            each = None if many is None else many[order].astype(np.float64)
            sums = np.zeros(len(sizes))
            for apart in range(1, int(np.bincount(row).max(initial=0))):
                same = row[apart:] == row[:-apart]
                distance = self.matrix[label[apart:][same], label[:-apart][same]]
                if each is not None:
                    distance = distance * each[apart:][same] * each[:-apart][same]
                sums += 2 * np.bincount(row[apart:][same], weights=distance, minlength=len(sizes))
        return _per_pair(sums, sizes)

    def differ(self, used: NDArray[np.intp]) -> bool:
        return len(used) > 1 and bool(self.matrix[np.ix_(used, used)].max() > 0)


@dataclass(frozen=True)
class Directed(DistanceTable):
    """Distances that depend on who gave which label: a row for those of the first annotator, a column for the second's.

    There are two annotators, and the labels of a row come in their order.
    """

    def back(self, shares: Floats) -> Floats:
        """Mean distance of each category, given by the second, to a draw from the shares of the first."""
        product: Floats = self.matrix.T @ shares
        return product

    def within(self, row: Codes, label: Codes, sizes: Ints, many: Ints | None = None) -> Floats:  # noqa: ARG002
        order = np.argsort(row, kind="stable")
        row, label = row[order], label[order]
        both = np.flatnonzero(row[1:] == row[:-1])
        found = np.zeros(len(sizes))
        found[row[both]] = self.matrix[label[both], label[both + 1]]
        return found


def between(space: Space, first: Ints, second: Ints, q: int) -> Floats:
    """The distance between two categories, for each of many pairs of them."""
    cells, which = distinct(first * q + second, q * q)
    both = np.stack([cells // q, cells % q], axis=1).ravel().astype(np.int32)
    row = np.repeat(np.arange(len(cells), dtype=np.int32), 2)
    return space.within(row, both, np.full(len(cells), 2, dtype=np.int64))[which]


def mean_distance(space: Space | Lines, shares: Floats) -> Any:
    """The mean distance of two draws from the shares; a number for each column where there are several."""
    return shares @ space.to(shares) if shares.ndim == 1 else (shares * space.to(shares)).sum(axis=0)


def from_lowest(x: Floats) -> Floats:
    """The same numbers counted from the lowest: far from 0 their squares would lose the digits that tell them apart."""
    return x - x.min() if x.size else x


def check_squarable(x: Floats) -> None:
    """Squares of very large numbers are infinite, and those of very small differences are 0."""
    if np.abs(x).max(initial=0.0) > _LARGEST:
        raise DataError("matrix-invalid", f"numbers beyond {_LARGEST:g} cannot be squared: rescale them")
    if 0 < np.ptp(x if x.size else 0.0) < 1 / _LARGEST:
        raise DataError(
            "matrix-invalid", f"numbers that all lie within {1 / _LARGEST:g} cannot be squared: rescale them"
        )


def sums_by(where: Codes, values: Floats, size: int) -> Floats:
    """The sum of the values at each place."""
    return np.bincount(where, weights=values, minlength=size).astype(np.float64, copy=False)


def counts_by_row(row: Codes, label: Codes, sizes: Ints, q: int, many: Ints | None = None) -> Iterator[Floats]:
    """r_ik, a stretch of rows at a time."""
    largest = int(sizes.max(initial=0))
    small = np.uint8 if largest < 2**8 else np.uint32 if largest < 2**32 else np.uint64
    counts = np.zeros(len(sizes) * q, dtype=small)
    for at in range(0, len(row), _CELLS):
        part = slice(at, at + _CELLS)
        each = small(1) if many is None else many[part].astype(small)
        np.add.at(counts, row[part].astype(np.int64) * q + label[part], each)
    step = max(1, _CELLS // q)
    for at in range(0, len(sizes), step):
        yield counts[at * q : (at + step) * q].reshape(-1, q).astype(np.float64)


def _per_pair(sums: Floats, sizes: NDArray[np.int64], default: float = 0.0) -> Floats:
    pairs = sizes * (sizes - 1.0)
    return np.divide(sums, pairs, out=np.full(len(sizes), default), where=pairs > 0)


# -- distances -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Distance(Named):
    """Base of all distances and weights."""

    needs_numbers: ClassVar[bool] = False  # labels must be numbers
    uses_order: ClassVar[bool] = False  # words are taken in their order
    depends_on_data: ClassVar[bool] = False  # the distance itself changes with the marginals
    up_to_one: ClassVar[bool] = False  # it lies between 0 and 1 whatever the categories
    summary: ClassVar[str] = ""

    def space(self, categories: Categories, marginals: Floats) -> Space:
        """`marginals`: how often each category occurs on items with two labels or more."""
        raise NotImplementedError

    def lines(self, marginals: Floats) -> Lines:
        """Of many tables at once, where the distance depends on data: a column of marginals each."""
        raise NotImplementedError

    def space_of_two(self, categories: Categories, marginals: Floats) -> Space:
        """The same for two annotators of whom one is the first: only there it may matter who gave which label."""
        return self.space(categories, marginals)

    def table(self, matrix: Callable[[], Floats], q: int) -> DistanceTable:
        if q > LARGEST_TABLE:
            raise SpecError(
                "too-large-to-compute",
                f"{self} compares every two of {q:,} different labels, more than {LARGEST_TABLE:,}; "
                "round the numbers, or use nominal, ordinal, interval or quadratic, which need no table",
            )
        return DistanceTable(matrix())


def check_file_name(name: str, file: object) -> None:
    if not isinstance(file, str):
        raise SpecError("hierarchy-invalid", f'{name}: name a file, {name}("file.csv"), not {quoted(file)}')
