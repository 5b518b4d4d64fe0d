"""The sums of the models over all labels, as machine code."""

from __future__ import annotations

from accord.arrays import Floats, Ints
from accord.compiled import compiled


@compiled
def add_rows(target: Floats, at: Ints, source: Floats, row: Ints) -> None:
    """target[at[e]] += source[row[e]] for every entry e."""
    width = target.shape[1]
    for e in range(len(at)):
        for k in range(width):
            target[at[e], k] += source[row[e], k]
