"""Types of arrays, and distinct values of columns."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Codes: TypeAlias = NDArray[np.integer]  # of names; -1 is none

_Number = TypeVar("_Number", bound=np.number)
_FEW = 1 << 12  # codes for which a table is made even for a short column


def ascending(values: NDArray[_Number]) -> NDArray[_Number]:
    """Distinct values in order. `np.unique` hashes them, and takes ten times as long where most differ."""
    found = np.sort(values, axis=None)
    new = np.ones(len(found), dtype=bool)
    new[1:] = found[1:] != found[:-1]
    return found[new]


def distinct(codes: Codes, below: int) -> tuple[Ints, Ints]:
    """The distinct codes in order, and the position of each code among them; without sorting if they are few."""
    if below > max(_FEW, len(codes)):
        found, at = np.unique(codes, return_inverse=True)
        return found.astype(np.int64), at
    place = np.zeros(below, dtype=np.int64)
    place[codes] = 1
    found = np.flatnonzero(place)
    place[found] = np.arange(len(found))
    return found, place[codes]
