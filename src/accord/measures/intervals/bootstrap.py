"""Pairs of labels drawn again, as if they were independent."""

from __future__ import annotations

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run


def over_pairs(
    coincidences: Floats, distance: Floats, expected: float, pairs: int, replicates: int, run: Run
) -> Floats:
    """Hayes & Krippendorff 2007: α from pairs of labels drawn independently out of the coincidence matrix."""
    rng = run.rng(2)
    n = coincidences.sum()
    used = coincidences > 0
    probability = coincidences[used] / n
    values = np.empty(replicates)
    block = max(1, 2_000_000 // max(1, int(used.sum())))
    for at in range(0, replicates, block):
        run.progress("bootstrap", at, replicates)
        size = min(block, replicates - at)
        draws = rng.multinomial(pairs, probability, size=size)
        values[at : at + size] = 1.0 - draws @ distance[used] / (pairs * expected)
    values = np.maximum(values, -1.0)
    # Draws without any variation would be 0/0, not 1: as many of the perfect ones are set to 0.
    perfect = np.flatnonzero(values == 1.0)
    no_variation = round(replicates * float(((np.diag(coincidences) / n) ** pairs).sum()))
    values[perfect[:no_variation]] = 0.0
    run.progress("bootstrap", replicates, replicates)
    return values
