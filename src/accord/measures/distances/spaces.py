"""Distances between labels, and their arithmetic on q categories.

A `Distance` is a frozen value whose repr is its spec. On the categories of a data set it has a `Space`, which avoids a
q × q table if there is a faster formula. A space provides the mean distance of each category to a draw from given
shares (`to`), the mean distance of two labels of a row (`within`), and the largest distance (`scale`).
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

LARGEST_TABLE = 5_000  # categories; their distance table takes 200 MB
_DENSE = 64  # up to this many categories, labels per row are counted in a dense table
_CELLS = 1 << 22
_LARGEST = 1e150  # largest number with a finite square


class Space(Protocol):
    @property
    def scale(self) -> float: ...

    def to(self, shares: Floats) -> Floats:
        """Return the mean distance of each category to a draw from the shares; one column per distribution."""
        ...

    def within(self, row: Codes, label: Codes, sizes: Ints, many: Ints | None = None) -> Floats:
        """Return the mean distance between two labels of each row; 0 for rows with fewer than two labels.

        `many` is the frequency of each label; default 1.
        """
        ...

    def differ(self, used: NDArray[np.intp]) -> bool:
        """Return whether any two of these categories differ, from the categories, because a sum could be rounded."""
        ...


@dataclass(frozen=True)
class Same:
    """Distance 0 for equal categories and 1 for different ones."""

    q: int

    @property
    def scale(self) -> float:
        return 1.0

    def to(self, shares: Floats) -> Floats:
        far = shares.sum(axis=0) - shares
        if shares.size:  # if one category dominates, sum the others, because a difference would lose precision
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
    """Squared Euclidean distance between one point per category; sums replace the loop over pairs."""

    points: Floats  # q × dimensions
    scale: float

    @classmethod
    def on_line(cls, x: Floats) -> Points:
        width = float(x.max() - x.min()) if len(x) else 0.0
        return cls(from_lowest(x)[:, None], width**2)

    def to(self, shares: Floats) -> Floats:
        # Σ p_k |x − x_k|² = p|x − m|² + Σ p_k |x_k − m|² with the mean m, so that a distant unused point costs no
        # precision.
        total = shares.sum(axis=0)
        far = np.zeros_like(shares)
        for x in self.points.T:
            mean = x @ shares / total
            apart = (x - mean if shares.ndim == 1 else x[:, None] - mean) ** 2
            far += total * apart + (shares * apart).sum(axis=0)
        return far

    def within(self, row: Codes, label: Codes, sizes: Ints, many: Ints | None = None) -> Floats:
        # Σ over ordered pairs of |x − y|² = 2 (r Σ|x − m|²) with the row mean m, which avoids cancellation.
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
    """Points on a line, with different positions for each of many tables: one column per table."""

    x: Floats  # q × tables

    @property
    def scale(self) -> Floats:
        return np.asarray((self.x.max(axis=0, initial=0.0) - self.x.min(axis=0, initial=0.0)) ** 2)

    def to(self, shares: Floats) -> Floats:
        """Return the same as `Points.to`; a single column of shares applies to all tables."""
        shares = shares if shares.ndim == 2 else shares[:, None]
        total = shares.sum(axis=0)
        apart = (self.x - (self.x * shares).sum(axis=0) / total) ** 2
        return np.asarray(total * apart + (shares * apart).sum(axis=0))

    def differ(self, used: NDArray[np.intp]) -> bool:
        """Return whether several categories are used: each used category moves the ones after it."""
        return len(used) > 1


@dataclass(frozen=True)
class DistanceTable:
    """Any symmetric distances with a zero diagonal."""

    matrix: Floats
    largest: float | None = None  # largest possible distance, if it differs from the largest in the table

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
    """Distances that depend on the annotator: rows are labels of the first annotator, columns of the second.

    There are two annotators, and the labels of each row are in their order.
    """

    def back(self, shares: Floats) -> Floats:
        """Return the mean distance of each category of the second annotator to a draw from the shares of the first."""
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
    """Return the distance between the two categories of each pair."""
    cells, which = distinct(first * q + second, q * q)
    both = np.stack([cells // q, cells % q], axis=1).ravel().astype(np.int32)
    row = np.repeat(np.arange(len(cells), dtype=np.int32), 2)
    return space.within(row, both, np.full(len(cells), 2, dtype=np.int64))[which]


def mean_distance(space: Space | Lines, shares: Floats) -> Any:
    """Return the mean distance of two draws from the shares; one number per column."""
    return shares @ space.to(shares) if shares.ndim == 1 else (shares * space.to(shares)).sum(axis=0)


def from_lowest(x: Floats) -> Floats:
    """Shift numbers so that the lowest is 0; squares of numbers far from 0 would lose precision."""
    return x - x.min() if x.size else x


def check_squarable(x: Floats) -> None:
    """Raise DataError if squares would overflow, or if squares of the differences would underflow."""
    if np.abs(x).max(initial=0.0) > _LARGEST:
        raise DataError(
            "matrix-invalid", f"a label is larger than {_LARGEST:g}, too large to be squared; rescale the numbers"
        )
    if 0 < np.ptp(x if x.size else 0.0) < 1 / _LARGEST:
        raise DataError(
            "matrix-invalid", f"all labels lie within {1 / _LARGEST:g}, too close to be squared; rescale the numbers"
        )


def sums_by(where: Codes, values: Floats, size: int) -> Floats:
    """Return the sum of the values for each index."""
    return np.bincount(where, weights=values, minlength=size).astype(np.float64, copy=False)


def counts_by_row(row: Codes, label: Codes, sizes: Ints, q: int, many: Ints | None = None) -> Iterator[Floats]:
    """Yield r_ik for batches of rows."""
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
    uses_order: ClassVar[bool] = False  # the order of the labels matters
    depends_on_data: ClassVar[bool] = False  # the distance changes with the marginals
    up_to_one: ClassVar[bool] = False  # always between 0 and 1
    uses_range: ClassVar[bool] = False  # the smallest and largest label matter, beyond the scale of all distances
    summary: ClassVar[str] = ""

    def space(self, categories: Categories, marginals: Floats) -> Space:
        """Return the space; `marginals` are the frequencies of categories on items with two or more labels."""
        raise NotImplementedError

    def lines(self, marginals: Floats) -> Lines:
        """Return the space of many tables, if the distance depends on the data: one column of marginals per table."""
        raise NotImplementedError

    def on(self, categories: Categories, compared: NDArray[np.bool_]) -> Distance:  # noqa: ARG002
        """Return the distance with what it takes from the range of the labels, for the compared labels only."""
        return self

    def conventions(self) -> tuple[tuple[Distance, str], ...]:
        """Return the distances that other works give the same name, each with the difference in words."""
        return ()

    def space_of_two(self, categories: Categories, marginals: Floats) -> Space:
        """Return the space for a first and a second annotator; the distance may depend on who gave which label."""
        return self.space(categories, marginals)

    def table(self, matrix: Callable[[], Floats], q: int) -> DistanceTable:
        if q > LARGEST_TABLE:
            raise SpecError(
                "too-large-to-compute",
                f"{self} needs a table of {q:,} different labels (limit: {LARGEST_TABLE:,}); "
                "round the numbers, or use nominal, ordinal, interval or quadratic, which need no table",
            )
        return DistanceTable(matrix())


def check_file_name(name: str, file: object) -> None:
    if not isinstance(file, str):
        raise SpecError("hierarchy-invalid", f'{name}: {quoted(file)} is not a file name; use {name}("file.csv")')
