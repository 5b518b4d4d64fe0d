"""Random annotations drawn from real ones: shift (5.2.1), mix (5.2.2) and pygamma-agreement's statistical sampler.

A seat is an annotator who annotated a continuum. Real units are stored by seat.

Shift: each annotator's units move along the continuum by a random distance. A unit that the shift would cut in two
stays whole and extends beyond the end. Shifts differ by at least the mean unit length, also around the circle. If a
continuum is too short for that, they differ by at least half of an even spacing.

Mix: annotations of different continua are superimposed, so that their units align by chance only.

Statistical: for comparison with pygamma-agreement. Numbers, gaps and lengths of units are normally distributed, and
categories follow their frequencies. It ignores the length distribution of each category and overlaps between units,
which the paper requires a sampler to preserve (4.8.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Bools, Codes, Floats, Ints
from accord.core.errors import DataError
from accord.data.model.corpus import Corpus
from accord.measures.alignment.units import Units

_MOST_UNITS = 5_000_000  # units generated at once; more would need gigabytes of memory and minutes of alignment
_SHORTEST = 1e-6


@dataclass(frozen=True, eq=False)
class Annotations:
    """Real units sorted by seat, with seats sorted by continuum. A seat without units marked nothing."""

    unit: Ints  # index of each unit in its corpus
    seat: Ints  # seat of each unit
    start: Floats
    end: Floats
    label: Ints
    seat_continuum: Ints
    begin: Floats  # start of each continuum
    extent: Floats  # length of each continuum
    extent_given: NDArray[np.bool_]

    @property
    def n_continua(self) -> int:
        return len(self.begin)

    @cached_property
    def annotators(self) -> Ints:
        """Return the number of annotators of each continuum."""
        return np.bincount(self.seat_continuum, minlength=self.n_continua)

    @cached_property
    def first_seat(self) -> Ints:
        return np.cumsum(self.annotators) - self.annotators

    @cached_property
    def rank(self) -> Ints:
        """Return the index of each seat within its continuum."""
        return np.arange(len(self.seat_continuum)) - self.first_seat[self.seat_continuum]

    @cached_property
    def units_per_seat(self) -> Ints:
        return np.bincount(self.seat, minlength=len(self.seat_continuum))

    @cached_property
    def first_unit(self) -> Ints:
        return np.cumsum(self.units_per_seat) - self.units_per_seat

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """Return which continua have integer positions only; their random versions also have integer positions."""
        broken = (self.start % 1 != 0) | (self.end % 1 != 0)
        count = np.bincount(self.seat_continuum[self.seat], weights=broken, minlength=self.n_continua)
        return (count == 0) & (self.begin % 1 == 0) & (self.extent % 1 == 0)

    @cached_property
    def mean_length(self) -> Floats:
        """Return the mean unit length of each continuum; 0 if it has no units."""
        where = self.seat_continuum[self.seat]
        total = np.bincount(where, weights=self.end - self.start, minlength=self.n_continua)
        return total / np.maximum(np.bincount(where, minlength=self.n_continua), 1)

    def units(self) -> Units:
        """Return the annotations as units, unchanged."""
        where = self.seat_continuum[self.seat]
        return Units(where, self.rank[self.seat], self.start, self.end, self.label, self.annotators)


def annotations_of(corpus: Corpus, docs: NDArray[np.intp]) -> Annotations:
    """Return the annotations of some documents of a corpus, in their order."""
    judged = corpus.judged[docs]
    seat_continuum, seated = np.nonzero(judged)
    seats = seat_continuum * judged.shape[1] + seated
    position = np.full(len(corpus.docs), -1, dtype=np.int64)
    position[docs] = np.arange(len(docs))
    at = np.flatnonzero(position[corpus.doc] >= 0)
    seat = np.searchsorted(seats, position[corpus.doc[at]] * judged.shape[1] + corpus.annotator[at])
    order = np.lexsort((corpus.label[at], corpus.end[at], corpus.start[at], seat))
    at, begin = at[order], corpus.extents[docs, 0]
    return Annotations(
        unit=at,
        seat=seat[order].astype(np.int64),
        start=corpus.start[at],
        end=corpus.end[at],
        label=corpus.label[at].astype(np.int64),
        seat_continuum=seat_continuum.astype(np.int64),
        begin=begin,
        extent=corpus.extents[docs, 1] - begin,
        extent_given=corpus.extent_given[docs],
    )


# -- shifts --------------------------------------------------------------------------------------------------------


def least_apart(source: Annotations) -> tuple[Floats, Codes]:
    """Return the minimum distance between shifts per continuum, and the continua too short for the mean length."""
    wanted = np.where(source.whole, np.ceil(source.mean_length), source.mean_length)
    n = np.maximum(source.annotators, 1)
    short = np.flatnonzero(wanted * n > source.extent)
    wanted[short] = source.extent[short] / (2 * n[short])
    wanted[short] = np.where(source.whole[short], np.floor(wanted[short]), wanted[short])
    return wanted, short


def shifts(source: Annotations, rng: np.random.Generator) -> Floats:
    """Draw the shift of each seat, uniformly among all shifts that keep the minimum distance."""
    gap, _ = least_apart(source)
    where, n = source.seat_continuum, source.annotators
    spacing = rng.exponential(size=len(where))
    turned = np.lexsort((rng.random(len(where)), where))  # random order of the seats within each continuum
    base = rng.random(source.n_continua) * source.extent
    share = spacing / np.bincount(where, weights=spacing, minlength=source.n_continua)[where]
    step = gap[where] + share * (source.extent - n * gap)[where]
    behind = np.cumsum(step) - step
    behind -= np.repeat(behind[source.first_seat[n > 0]], n[n > 0])
    moved = np.empty(len(where))
    moved[turned] = base[where] + behind
    return np.where(source.whole[where], np.floor(moved), moved)


def draw_shifted(source: Annotations, rng: np.random.Generator) -> Units:
    """Draw a shifted version of every continuum."""
    where = source.seat_continuum[source.seat]
    extent = np.where(source.extent > 0, source.extent, 1.0)[where]
    start = (source.start - source.begin[where] + shifts(source, rng)[source.seat]) % extent
    return Units(
        where, source.rank[source.seat], start, start + (source.end - source.start), source.label, source.annotators
    )


# -- mixing --------------------------------------------------------------------------------------------------------


def draw_mixed(source: Annotations, n: int, generators: Sequence[np.random.Generator]) -> Units:
    """Draw one mixed continuum per generator: n annotators, each from a different continuum."""
    return lay_over(source, pick_seats(source, n, generators))


def pick_seats(source: Annotations, n: int, generators: Sequence[np.random.Generator]) -> Ints:
    """Draw n continua per generator and one seat of each. One row per generator."""
    pool = np.flatnonzero(source.annotators)
    return np.stack([_pick_one_each(source, pool, n, rng) for rng in generators])


def number_of_combinations(annotators: Ints, n: int, most: int) -> int | None:
    """Return the number of ways to take one annotator from each of n continua; None if there are more than `most`.

    `annotators` is the number of annotators per continuum.
    """
    if math.comb(int((annotators > 0).sum()), n) > most:
        return None
    ways = [1] + [0] * n  # ways to choose 0, 1 … n of the continua so far
    for many in annotators[annotators > 0].tolist():
        for taken in range(n, 0, -1):
            ways[taken] += ways[taken - 1] * many
        if ways[n] > most:
            return None
    return ways[n]


def combinations_of(source: Annotations, n: int, kept: Bools | None = None) -> tuple[Ints, Floats]:
    """Return all combinations of n kept seats from different continua, and the probability of each.

    The order of the seats does not matter. All sets of n continua have the same probability, and so have all annotators
    of a continuum.
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


def lay_over(source: Annotations, picked: Ints) -> Units:
    """Superimpose the units of the seats in each row: each row becomes one continuum.

    Shorter continua are repeated up to the length of the longest. A repeated unit that would start beyond it is
    dropped.
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
            "measure-option",
            f"mixing documents of {shortest} and of {most} positions repeats units more than {_MOST_UNITS:,} times; "
            "check the positions of the longest document, or use chance=shift",
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


def _pick_one_each(source: Annotations, pool: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    chosen = rng.choice(pool, n, replace=False, shuffle=True)
    return source.first_seat[chosen] + rng.integers(0, source.annotators[chosen])


# -- the statistical sampler ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ContinuumFacts:
    """Mean and population standard deviation for each continuum."""

    units: tuple[Floats, Floats]  # per annotator
    gaps: tuple[Floats, Floats]
    lengths: tuple[Floats, Floats]


def continuum_facts(source: Annotations) -> ContinuumFacts:
    """Return the moments that the statistical sampler uses.

    Gaps are the distances between consecutive units of an annotator, and the positive distances from the start of the
    continuum to an annotator's first unit. The start is 0 if the extent is not given. As in pygamma-agreement, each
    continuum adds a single gap of 0.
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
    return ContinuumFacts(
        _moments(source.units_per_seat.astype(np.float64), source.seat_continuum, m),
        _moments(gaps, gap_of, m),
        _moments(source.end - source.start, where, m),
    )


def _moments(values: Floats, where: Ints, m: int) -> tuple[Floats, Floats]:
    count = np.maximum(np.bincount(where, minlength=m), 1)
    mean = np.bincount(where, weights=values, minlength=m) / count
    spread = np.bincount(where, weights=(values - mean[where]) ** 2, minlength=m) / count
    return mean, np.sqrt(spread)


def draw_statistical(source: Annotations, rng: np.random.Generator) -> Units:
    """Draw a version of every continuum with normally distributed counts, gaps and lengths."""
    known, seats = continuum_facts(source), source.seat_continuum
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
    # The label of a random real unit of the continuum, so that categories follow their frequencies.
    per = np.bincount(source.seat_continuum[source.seat], minlength=source.n_continua)
    first = np.cumsum(per) - per
    label = source.label[first[where] + (rng.random(len(where)) * per[where]).astype(np.int64)]
    return Units(where, source.rank[seat], end - length, end, label, source.annotators)
