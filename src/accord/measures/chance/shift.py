"""Circular shifts of a continuum (5.2.1): each annotator's units moved along by a distance of their own.

A unit that the split would cut is moved whole: it reaches beyond the end, instead of becoming two. Shifts are at least
the mean length of the units apart, also around the circle; where a continuum is too short for that, half an even
spacing apart.
"""

from __future__ import annotations

import numpy as np

from accord.core.arrays import Codes, Floats
from accord.measures.alignment.units import Units
from accord.measures.chance.annotations import Annotations


def least_apart(source: Annotations) -> tuple[Floats, Codes]:
    """How far apart the shifts of each continuum are at least, and which continua are too short for the mean length."""
    wanted = np.where(source.whole, np.ceil(source.mean_length), source.mean_length)
    n = np.maximum(source.annotators, 1)
    short = np.flatnonzero(wanted * n > source.extent)
    wanted[short] = source.extent[short] / (2 * n[short])
    wanted[short] = np.where(source.whole[short], np.floor(wanted[short]), wanted[short])
    return wanted, short


def shifts(source: Annotations, rng: np.random.Generator) -> Floats:
    """How far each seat is moved: uniform among all ways to keep the least distance."""
    gap, _ = least_apart(source)
    where, n = source.seat_continuum, source.annotators
    spacing = rng.exponential(size=len(where))
    turned = np.lexsort((rng.random(len(where)), where))  # the seats of each continuum in random order
    base = rng.random(source.n_continua) * source.extent
    share = spacing / np.bincount(where, weights=spacing, minlength=source.n_continua)[where]
    step = gap[where] + share * (source.extent - n * gap)[where]
    behind = np.cumsum(step) - step
    behind -= np.repeat(behind[source.first_seat[n > 0]], n[n > 0])
    moved = np.empty(len(where))
    moved[turned] = base[where] + behind
    return np.where(source.whole[where], np.floor(moved), moved)


def shifted(source: Annotations, rng: np.random.Generator) -> Units:
    """A random version of every continuum."""
    where = source.seat_continuum[source.seat]
    extent = np.where(source.extent > 0, source.extent, 1.0)[where]
    start = (source.start - source.begin[where] + shifts(source, rng)[source.seat]) % extent
    return Units(
        where, source.rank[source.seat], start, start + (source.end - source.start), source.label, source.annotators
    )
