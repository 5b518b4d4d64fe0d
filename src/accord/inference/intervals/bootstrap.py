"""Resampling: the same evidence, counted otherwise."""

from __future__ import annotations

import numpy as np

from accord.arrays import Floats
from accord.context import Run
from accord.inference.sampled import Sampled
from accord.measures.base import Measure
from accord.measures.items.base import ItemEvidence


def over_items(measure: Measure, evidence: ItemEvidence, replicates: int, run: Run) -> Floats:
    """The values of a measure on items drawn with replacement; NaN where it is undefined on a draw."""
    rng = run.rng(1)
    rows = np.flatnonzero(evidence.labelled)
    times = evidence.labelled[rows]
    n = round(float(times.sum()))
    values = np.empty(replicates)
    drawn = np.zeros(len(evidence.times))
    for b in range(replicates):
        if b % 50 == 0:
            run.progress("bootstrap", b, replicates)
        if len(rows) == n:
            drawn[rows] = np.bincount(rng.integers(0, n, n), minlength=n)
        else:
            drawn[rows] = rng.multinomial(n, times / n)
        resampled = evidence.weighted(drawn.copy())
        values[b] = measure.estimate(resampled).value if resampled.paired.any() else np.nan
    run.progress("bootstrap", replicates, replicates)
    return values


def over_documents(units: Sampled, replicates: int, run: Run) -> Floats:
    """The values on documents drawn with replacement; for γ, each keeps its alignment and its disorder by chance."""
    n = round(float(units.times.sum()))
    drawn = run.rng(1).multinomial(n, units.times / n, size=replicates).astype(np.float64)
    run.progress("bootstrap", replicates, replicates)
    return units.drawn(drawn)


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
