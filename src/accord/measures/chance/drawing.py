"""Random annotations, drawn from real ones: shifted (5.2.1), mixed (5.2.2), or by the sampler of pygamma-agreement.

Real units are kept by seats: a seat is an annotator who looked at a continuum.

Shifts: each annotator's units are moved along the continuum by a distance of their own. A unit that the split would cut
is moved whole: it reaches beyond the end, instead of becoming two. Shifts are at least the mean length of the units
apart, also around the circle; where a continuum is too short for that, half an even spacing apart.

Mixing: annotations of different continua are laid over each other, so that their units align by chance alone.

The statistical sampler, for comparison with pygamma-agreement: normal numbers, gaps and lengths of units, categories by
frequency. It ignores what the lengths of a category are and how units overlap, which the paper wants kept (4.8.1).
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

_MOST_UNITS = 5_000_000  # laid at once: gigabytes, and minutes for who aligns them
_SHORTEST = 1e-6


@dataclass(frozen=True, eq=False)
class Annotations:
    """Real units, sorted by seat; seats are sorted by continuum. A seat without units marked nothing."""

    unit: Ints  # the number of each unit in its corpus
    seat: Ints  # of each unit
    start: Floats
    end: Floats
    label: Ints
    seat_continuum: Ints
    begin: Floats  # of each continuum
    extent: Floats  # its length
    extent_given: NDArray[np.bool_]

    @property
    def n_continua(self) -> int:
        return len(self.begin)

    @cached_property
    def annotators(self) -> Ints:
        """n of each continuum."""
        return np.bincount(self.seat_continuum, minlength=self.n_continua)

    @cached_property
    def first_seat(self) -> Ints:
        return np.cumsum(self.annotators) - self.annotators

    @cached_property
    def rank(self) -> Ints:
        """The number of each seat within its continuum."""
        return np.arange(len(self.seat_continuum)) - self.first_seat[self.seat_continuum]

    @cached_property
    def units_per_seat(self) -> Ints:
        return np.bincount(self.seat, minlength=len(self.seat_continuum))

    @cached_property
    def first_unit(self) -> Ints:
        return np.cumsum(self.units_per_seat) - self.units_per_seat

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """Continua whose positions are whole numbers: their random versions keep to them."""
        broken = (self.start % 1 != 0) | (self.end % 1 != 0)
        count = np.bincount(self.seat_continuum[self.seat], weights=broken, minlength=self.n_continua)
        return (count == 0) & (self.begin % 1 == 0) & (self.extent % 1 == 0)

    @cached_property
    def mean_length(self) -> Floats:
        """The mean length of the units of each continuum; 0 where there are none."""
        where = self.seat_continuum[self.seat]
        total = np.bincount(where, weights=self.end - self.start, minlength=self.n_continua)
        return total / np.maximum(np.bincount(where, minlength=self.n_continua), 1)

    def units(self) -> Units:
        """The annotations as units, unchanged."""
        where = self.seat_continuum[self.seat]
        return Units(where, self.rank[self.seat], self.start, self.end, self.label, self.annotators)


def annotations_of(corpus: Corpus, docs: NDArray[np.intp]) -> Annotations:
    """The annotations of some documents of a corpus, in their order."""
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


def draw_shifted(source: Annotations, rng: np.random.Generator) -> Units:
    """A random version of every continuum."""
    where = source.seat_continuum[source.seat]
    extent = np.where(source.extent > 0, source.extent, 1.0)[where]
    start = (source.start - source.begin[where] + shifts(source, rng)[source.seat]) % extent
    return Units(
        where, source.rank[source.seat], start, start + (source.end - source.start), source.label, source.annotators
    )


# -- mixing --------------------------------------------------------------------------------------------------------


def draw_mixed(source: Annotations, n: int, generators: Sequence[np.random.Generator]) -> Units:
    """Random annotations of n annotators, one continuum per generator: one annotator from each of n continua."""
    return lay_over(source, pick_seats(source, n, generators))


def pick_seats(source: Annotations, n: int, generators: Sequence[np.random.Generator]) -> Ints:
    """Draw n seats per generator: n continua, and one annotator of each. One row per generator."""
    pool = np.flatnonzero(source.annotators)
    return np.stack([_pick_one_each(source, pool, n, rng) for rng in generators])


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
    """All combinations of n seats, and the probability of each; only of the seats that are kept.

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


def lay_over(source: Annotations, picked: Ints) -> Units:
    """Lay the units of the seats in each row over each other: each row becomes one continuum.

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
            "measure-option",
            f"mixing documents of {shortest} and of {most} positions repeats units more than {_MOST_UNITS:,} times: "
            "is a position wrong, or a document far longer than others? use chance=shift",
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
    """Mean and spread (population) of each continuum."""

    units: tuple[Floats, Floats]  # per annotator
    gaps: tuple[Floats, Floats]
    lengths: tuple[Floats, Floats]


def continuum_facts(source: Annotations) -> ContinuumFacts:
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
    """A random version of every continuum."""
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
    # A label is drawn as a real unit of the continuum: each category by its frequency.
    per = np.bincount(source.seat_continuum[source.seat], minlength=source.n_continua)
    first = np.cumsum(per) - per
    label = source.label[first[where] + (rng.random(len(where)) * per[where]).astype(np.int64)]
    return Units(where, source.rank[seat], end - length, end, label, source.annotators)
