"""Array types, and distinct values of columns."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Codes: TypeAlias = NDArray[np.integer]  # codes of names; -1: missing

_Number = TypeVar("_Number", bound=np.number)
_FEW = 1 << 12  # codes for which a lookup table pays even for a short column


def ascending(values: NDArray[_Number]) -> NDArray[_Number]:
    """Return distinct values in order; ten times as fast as `np.unique` if most values differ."""
    found = np.sort(values, axis=None)
    new = np.ones(len(found), dtype=bool)
    new[1:] = found[1:] != found[:-1]
    return found[new]


def distinct(codes: Codes, below: int) -> tuple[Ints, Ints]:
    """Return the distinct codes in order, and the position of each code among them; avoids sorting if possible."""
    if below > max(_FEW, len(codes)):
        found, at = np.unique(codes, return_inverse=True)
        return found.astype(np.int64), at
    place = np.zeros(below, dtype=np.int64)
    place[codes] = 1
    found = np.flatnonzero(place)
    place[found] = np.arange(len(found))
    return found, place[codes]
