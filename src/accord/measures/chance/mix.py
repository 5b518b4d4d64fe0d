"""Annotations of different continua laid over each other (5.2.2): their units align by chance alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product

import numpy as np

from accord.core.arrays import Bools, Floats, Ints
from accord.core.errors import DataError
from accord.measures.alignment.units import Units
from accord.measures.chance.annotations import Annotations

_MOST_UNITS = 5_000_000  # laid at once: gigabytes, and minutes for who aligns them


def mixed(source: Annotations, n: int, generators: Sequence[np.random.Generator]) -> Units:
    """Random annotations of n annotators, one continuum per generator: one annotator from each of n continua."""
    return laid_over(source, picks(source, n, generators))


def picks(source: Annotations, n: int, generators: Sequence[np.random.Generator]) -> Ints:
    """The seats of such annotations, a row per generator."""
    pool = np.flatnonzero(source.annotators)
    return np.stack([_pick(source, pool, n, rng) for rng in generators])


def number_of_combinations(annotators: Ints, n: int, most: int) -> int | None:
    """In how many ways one annotator of each of n continua can be taken; None: in more than `most`.

    `annotators` says how many of them each continuum has.
    """
    if math.comb(int((annotators > 0).sum()), n) > most:
        return None
    ways = [1] + [0] * n  # to take 0, 1 … n of the continua so far
    for many in annotators[annotators > 0].tolist():
        for taken in range(n, 0, -1):
            ways[taken] += ways[taken - 1] * many
        if ways[n] > most:
            return None
    return ways[n]


def combinations_of(source: Annotations, n: int, kept: Bools | None = None) -> tuple[Ints, Floats]:
    """All of them, n seats each, and how likely `mixed` is to draw each one; of the seats that are kept alone.

    Which annotator comes first does not matter. Continua are drawn alike, and then one of the annotators of each.
    """
    kept = np.ones(len(source.seat_continuum), dtype=bool) if kept is None else kept
    annotators = np.bincount(source.seat_continuum[kept], minlength=source.n_continua)
    pool = np.flatnonzero(annotators).tolist()
    seats = np.split(np.flatnonzero(kept), np.cumsum(annotators)[:-1])
    picked = np.array(
        [one for docs in combinations(pool, n) for one in product(*(seats[d] for d in docs))], dtype=np.int64
    )
    likely = (1.0 / annotators[source.seat_continuum[picked]]).prod(axis=1)
    return picked, likely / math.comb(len(pool), n)


def laid_over(source: Annotations, picked: Ints) -> Units:
    """Seats laid over each other, a row for each continuum that comes of it.

    Shorter ones are repeated to the length of the longest; a repeated unit that would begin beyond it is left out.
    """
    n = picked.shape[1]
    continuum = source.seat_continuum[picked]
    longest = np.repeat(source.extent[continuum].max(axis=1), n)
    seat, continuum = picked.ravel(), continuum.ravel()
    period = source.extent[continuum]
    times = np.where(period > 0, np.ceil(longest / np.where(period > 0, period, 1.0)), 1.0)
    if float(times @ source.units_per_seat[seat]) > _MOST_UNITS:
        shortest, most = f"{period[period > 0].min():,.10g}", f"{longest.max():,.10g}"
        raise DataError(
            f"mixing documents of {shortest} and of {most} positions repeats units more than {_MOST_UNITS:,} times: "
            "is a position wrong, or a document far longer than others? use chance=shift"
        )
    copies = np.where(source.units_per_seat[seat] > 0, times, 0).astype(np.int64)
    count = source.units_per_seat[seat] * copies
    laid = np.repeat(np.arange(len(seat)), count)
    within = np.arange(len(laid)) - np.repeat(np.cumsum(count) - count, count)
    copy, unit = np.divmod(within, np.maximum(source.units_per_seat[seat], 1)[laid])
    unit += source.first_unit[seat][laid]
    start = source.start[unit] - source.begin[continuum][laid] + copy * period[laid]
    kept = (copy == 0) | (start < longest[laid])
    laid, unit, start = laid[kept], unit[kept], start[kept]
    sizes = np.full(len(picked), n, dtype=np.int64)
    length = source.end[unit] - source.start[unit]
    return Units(laid // n, laid % n, start, start + length, source.label[unit], sizes)


def _pick(source: Annotations, pool: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    chosen = rng.choice(pool, n, replace=False, shuffle=True)
    return source.first_seat[chosen] + rng.integers(0, source.annotators[chosen])
