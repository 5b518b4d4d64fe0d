"""How many samples each stratum takes, so that all of them together are precise at the least cost (Neyman 1934)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from accord.core.arrays import Floats, Ints

FEWEST = 3  # samples of a stratum: less says nothing about its spread
_ENOUGH = 10  # samples whose spread is believed where it is below that of the others


def pilots(shares: Sequence[float], first: int, fewest: int = FEWEST) -> Ints:
    """The first samples handed out by what each stratum counts."""
    share = np.asarray(shares, dtype=np.float64)
    if len(share) == 1 or not share.sum() > 0:
        return np.full(len(share), first, dtype=np.int64)
    least = min(fewest, first)
    return np.maximum(least, np.ceil(first * share / share.sum() - 1e-9)).astype(np.int64)


def believed(means: Floats, spreads: Floats, samples: Ints, drawn: Sequence[bool]) -> Floats:
    """The spread of each stratum; of few samples not less, as a share of the mean, than in all strata together."""
    some = np.asarray(drawn) & (samples > 1)
    freedom = np.where(some, samples - 1, 0)
    relative = np.divide(spreads, means, out=np.zeros(len(means)), where=means > 0)
    together = math.sqrt(float(freedom @ relative**2) / freedom.sum()) if freedom.sum() else 0.0
    few = np.asarray(drawn) & (samples < _ENOUGH)
    return np.where(few, np.maximum(spreads, together * means), np.where(drawn, spreads, 0.0))


def allocated(spreads: Floats, costs: Floats, least: Ints, variance: float) -> Floats:
    """Samples of each stratum whose means add up to a sum with that variance: nₕ ∝ spreadₕ / √costₕ.

    A stratum never takes fewer than `least`, which then leave more of the variance to the others.
    """
    wanted = least.astype(np.float64)
    open_ = spreads > 0
    left = variance
    while open_.any():
        root = np.sqrt(costs[open_])
        share = spreads[open_] / root * float(spreads[open_] @ root) / left
        low = share < least[open_]
        if not low.any():
            wanted[open_] = share
            break
        fixed = np.flatnonzero(open_)[low]
        open_[fixed] = False
        left -= float((spreads[fixed] ** 2 / least[fixed]).sum())  # above 0: they took less than their part of it
    return wanted
