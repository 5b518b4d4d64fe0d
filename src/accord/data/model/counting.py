"""Counting labels: sums by code, and tables of counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.core.errors import DataError
from accord.data.model.labels import counts_of

CHUNK = 1 << 22  # entries at a time, so that a large table needs no copy


def weighted_counts(
    code: NDArray[np.integer],
    weight: NDArray[np.float64],
    row: NDArray[np.integer],
    size: int,
    many: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Σ of the weights of the rows, by code; in pieces, so that thirty million entries need no copy."""
    if many is None and len(weight) and weight.min() == weight.max():  # rows count the same: no need to look them up
        return counts_of(code, size).astype(np.float64) * float(weight[0])
    total = np.zeros(size)
    for at in range(0, len(code), CHUNK):
        part = slice(at, at + CHUNK)
        each = weight[row[part]] if many is None else weight[row[part]] * many[part]
        total += np.bincount(code[part], weights=each, minlength=size)
    return total


def whole_numbers(table: ArrayLike, what: str) -> NDArray[np.int64]:
    array = np.asarray(table, dtype=np.float64)
    if array.ndim != 2:
        raise DataError(f"{what} must be a table of rows and columns")
    bad = ~np.isfinite(array) | (array < 0) | (array != np.floor(array)) | (array > 2**53)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise DataError(
            f"{what}: row {row + 1}, column {column + 1} is {array[row, column]:g}, not a count (0, 1, 2 …)"
        )
    return array.astype(np.int64)
