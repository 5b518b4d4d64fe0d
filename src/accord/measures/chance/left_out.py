"""Chance without some annotators or units: what was aligned for all of them serves again.

A sample of n annotators takes n continua alike, and one of the annotators of each. Without somebody a continuum d has
k′ of its k annotators left. The samples in which nobody of those left out has a seat are draws of what is left, but
not alike: a continuum that lost somebody is k′/k times as likely in them as it should be. Each sample therefore counts
Π k/k′ over its continua (Horvitz & Thompson 1952), which makes both sums of the quotient unbiased, up to the same
factor. Whoever is left out, samples are looked at in one order: those that serve one serve all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from accord.core.arrays import Bools, Floats, Ints
from accord.core.context import Run
from accord.measures.alignment.many import FEW
from accord.measures.alignment.units import Units
from accord.measures.chance.annotations import Annotations
from accord.measures.chance.mix import combinations_of, laid_over, number_of_combinations
from accord.measures.chance.mixing import seats_of
from accord.measures.chance.sampling import MOST_SAMPLES
from accord.measures.chance.sums import Drawn, Source, Summing, Sums, evenly

_LOOKED_AT, _ENOUGH = 100, 0.1  # samples, and the share of them that serves at least
_FEWEST = 1  # sample of a number of annotators that hardly counts: how they vary is known from the others
_BLOCK = 20  # samples that are aligned together where some are missing: who asked for them does not matter
_DEAR_BLOCK = 1  # the same where each of them is aligned alone


class Aligned:
    """Random annotations of a pool, each aligned once, by the seats that they are mixed from."""

    def __init__(self, pool: Annotations, function: Summing, seed: int, found: Mapping[int, Drawn]) -> None:
        self.pool, self.function, self._seed = pool, function, seed
        self.units = len(pool.start) / len(pool.seat_continuum)
        self.counted = {n: one for n, one in found.items() if one.counted}
        self._drawn = {n: one.sums for n, one in found.items() if not one.counted}
        self._at_first = {n: len(sums.above) for n, sums in self._drawn.items()}
        self._seats: dict[int, Ints] = {}
        self._single: dict[bytes, tuple[float, float, float]] = {}

    def at_first(self, n: int) -> int:
        """The samples of n annotators that were there before anybody was left out."""
        return self._at_first.get(n, 0)

    def seats(self, n: int, many: int) -> Ints:
        """Of the samples of n annotators: as many as wanted, or more."""
        known = self._seats.get(n, np.zeros((0, n), dtype=np.int64))
        if len(known) < many:
            more = seats_of(self.pool, n, self._seed, range(len(known), max(many, 2 * len(known))))
            known = self._seats[n] = np.concatenate([known, more])
        return known

    def sums(self, n: int, many: int, run: Run) -> Sums:
        """Of the same samples."""
        known = self._drawn.get(n)
        have = 0 if known is None else len(known.above)
        if have < many:
            block = _BLOCK if n <= FEW else _DEAR_BLOCK
            end = have + -(-(many - have) // block) * block
            more = self.solved(self.seats(n, end)[have:end], run)
            known = self._drawn[n] = more if known is None else Sums.joined([known, more])
        assert known is not None  # noqa: S101
        return known

    def solved(self, picked: Ints, run: Run) -> Sums:
        """Rows of seats, aligned now."""
        n = picked.shape[1]
        source = Source(partial(_laid, self.pool, picked), n * self.units, n)
        return source.sums(self.function, range(len(picked)), run)

    def each(self, picked: Ints, run: Run) -> Sums:
        """Rows of seats, aligned now or before."""
        keys = [row.tobytes() for row in picked]
        missing = [k for k, key in enumerate(keys) if key not in self._single]
        if missing:
            found = self.solved(picked[missing], run)
            columns = (found.above[:, 0], found.below[:, 0], found.slack_of_each[:, 0])
            for k, *values in zip(missing, *(column.tolist() for column in columns), strict=True):
                self._single[keys[k]] = (values[0], values[1], values[2])
        table = np.array([self._single[key] for key in keys]).reshape(-1, 3, 1)
        return Sums(table[:, 0], table[:, 1], table[:, 2])


def _laid(pool: Annotations, picked: Ints, which: range) -> Units:
    return laid_over(pool, picked[which.start : which.stop])


@dataclass(frozen=True, eq=False)
class WithoutSeats:
    """Mixed from the seats of a pool that are kept; `Mixing`."""

    aligned: Aligned
    kept: Bools
    fewest: int = _FEWEST

    @property
    def units(self) -> float:
        return self.aligned.units

    @property
    def continua(self) -> int:
        """In which somebody is left."""
        return int((self._left > 0).sum())

    @cached_property
    def _left(self) -> Ints:
        pool = self.aligned.pool
        return np.bincount(pool.seat_continuum[self.kept], minlength=pool.n_continua)

    @cached_property
    def _counts(self) -> Floats:
        """How much more often a seat should be drawn: k/k′ of its continuum."""
        pool, left = self.aligned.pool, self._left
        return (pool.annotators / np.maximum(left, 1))[pool.seat_continuum]

    def serves(self, n: int) -> bool:
        """Whether enough of the samples of n annotators are left: else others are drawn from what is left alone."""
        return n in self.aligned.counted or len(self._serving(n, _LOOKED_AT)) >= _ENOUGH * _LOOKED_AT

    def least(self, n: int) -> int:
        if n in self.aligned.counted:
            return self.ways(n) or 0
        return len(self._serving(n, self.aligned.at_first(n)))

    def ways(self, n: int) -> int | None:
        return number_of_combinations(self._left, n, MOST_SAMPLES)

    def every(self, n: int, run: Run) -> Drawn:
        picked, shares = combinations_of(self.aligned.pool, n, self.kept)
        known = self.aligned.counted.get(n)
        if known is None:
            return Drawn(self.aligned.each(picked, run), shares, counted=True)
        all_of_them, _ = combinations_of(self.aligned.pool, n)  # those that are kept come in the same order
        return Drawn(known.sums.at(np.flatnonzero(self.kept[all_of_them].all(axis=1))), shares, counted=True)

    def more(self, found: Drawn, n: int, wanted: int, run: Run) -> Drawn:
        if wanted <= len(found.shares):
            return found
        many = max(wanted, self.aligned.at_first(n))
        while len(serving := self._serving(n, many)) < wanted:
            many += max(_BLOCK, wanted - len(serving))
        serving = serving[:wanted]
        sums = self.aligned.sums(n, int(serving[-1]) + 1, run)
        return evenly(sums.at(serving, self._counts[self.aligned.seats(n, many)[serving]].prod(axis=1)))

    def _serving(self, n: int, many: int) -> Ints:
        """Which of so many samples take nobody who is left out."""
        return np.flatnonzero(self.kept[self.aligned.seats(n, many)[:many]].all(axis=1))


@dataclass(frozen=True, eq=False)
class WithoutUnits:
    """Mixed from the same seats, some of which have fewer units; `Mixing`.

    The same seats are drawn: samples in which no unit is missing are those that were aligned.
    """

    aligned: Aligned  # with all units
    fewer: Aligned
    touched: Bools  # seats that have fewer
    fewest: int = _FEWEST

    @property
    def units(self) -> float:
        return self.fewer.units

    def least(self, n: int) -> int:
        return self.ways(n) or 0 if n in self.aligned.counted else 0

    def ways(self, n: int) -> int | None:
        return number_of_combinations(self.fewer.pool.annotators, n, MOST_SAMPLES)

    def every(self, n: int, run: Run) -> Drawn:
        picked, shares = combinations_of(self.fewer.pool, n)
        known = self.aligned.counted.get(n)
        return Drawn(self._solved(picked, None if known is None else known.sums, run), shares, counted=True)

    def more(self, found: Drawn, n: int, wanted: int, run: Run) -> Drawn:
        have = len(found.shares)
        if wanted <= have:
            return found
        picked = self.aligned.seats(n, wanted)[have:wanted]
        known = self.aligned.at_first(n)
        before = self.aligned.sums(n, known, run).at(np.arange(have, min(known, wanted))) if have < known else None
        more = self._solved(picked, before, run)
        return evenly(Sums.joined([found.sums, more]) if have else more)

    def _solved(self, picked: Ints, known: Sums | None, run: Run) -> Sums:
        """Rows of seats; the first of them are known with all units."""
        have = 0 if known is None else len(known.above)
        anew = self.touched[picked].any(axis=1) | (np.arange(len(picked)) >= have)
        made = {} if known is None else {False: known.at(np.flatnonzero(~anew[:have]))}
        if anew.any():
            made[True] = self.fewer.solved(picked[anew], run)
        joined = Sums.joined([made[which] for which in sorted(made)])
        return joined.at(np.argsort(np.argsort(anew, kind="stable"), kind="stable"))
