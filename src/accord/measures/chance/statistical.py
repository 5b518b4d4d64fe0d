"""The sampler of pygamma-agreement, for comparison: normal numbers, gaps and lengths of units, categories by frequency.

It ignores what the lengths of a category are and how units overlap, which the paper wants kept (4.8.1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.measures.alignment.units import Units
from accord.measures.chance.annotations import Annotations

_SHORTEST = 1e-6


@dataclass(frozen=True, eq=False)
class Facts:
    """Mean and spread (population) of each continuum."""

    units: tuple[Floats, Floats]  # per annotator
    gaps: tuple[Floats, Floats]
    lengths: tuple[Floats, Floats]


def facts(source: Annotations) -> Facts:
    """What the sampler keeps of each continuum.

    Gaps are from a unit to the next of the same annotator, from the begin to the first one where it is positive
    (from 0 where the extent is not given), and a single 0.
    """
    m, where = source.n_continua, source.seat_continuum[source.seat]
    ordered = np.lexsort((source.label, source.end, source.start, source.seat))
    seat, start, end = source.seat[ordered], source.start[ordered], source.end[ordered]
    follows = np.flatnonzero(np.diff(seat) == 0) + 1
    first = np.flatnonzero(np.diff(seat, prepend=-1))
    ahead = start[first] - np.where(source.extent_given, source.begin, 0.0)[source.seat_continuum[seat[first]]]
    gaps = np.concatenate([np.zeros(m), start[follows] - end[follows - 1], ahead[ahead > 0]])
    of = source.seat_continuum[seat]
    gap_of = np.concatenate([np.arange(m), of[follows], of[first][ahead > 0]])
    return Facts(
        _moments(source.units_per_seat.astype(np.float64), source.seat_continuum, m),
        _moments(gaps, gap_of, m),
        _moments(source.end - source.start, where, m),
    )


def _moments(values: Floats, where: Ints, m: int) -> tuple[Floats, Floats]:
    count = np.maximum(np.bincount(where, minlength=m), 1)
    mean = np.bincount(where, weights=values, minlength=m) / count
    spread = np.bincount(where, weights=(values - mean[where]) ** 2, minlength=m) / count
    return mean, np.sqrt(spread)


def drawn(source: Annotations, rng: np.random.Generator) -> Units:
    """A random version of every continuum."""
    known, seats = facts(source), source.seat_continuum
    count = np.abs(np.trunc(rng.normal(known.units[0][seats], known.units[1][seats]))).astype(np.int64)
    empty = np.bincount(seats, weights=count, minlength=source.n_continua) == 0
    filled = source.first_seat[empty & (source.annotators > 0)]
    count[filled] = 1
    seat = np.repeat(np.arange(len(seats)), count)
    where = seats[seat]
    gap = rng.normal(known.gaps[0][where], known.gaps[1][where])
    length = np.maximum(np.abs(rng.normal(known.lengths[0][where], known.lengths[1][where])), _SHORTEST)
    end = np.cumsum(gap + length)
    before = np.cumsum(count) - count
    end -= np.repeat(np.concatenate([[0.0], end])[before], count)
    # A label is drawn as a real unit of the continuum: each category by its frequency.
    per = np.bincount(source.seat_continuum[source.seat], minlength=source.n_continua)
    first = np.cumsum(per) - per
    label = source.label[first[where] + (rng.random(len(where)) * per[where]).astype(np.int64)]
    return Units(where, source.rank[seat], end - length, end, label, source.annotators)
