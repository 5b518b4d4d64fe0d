"""Chance by mixing (5.2.2): samples of each number of annotators, as many as all of them together need."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.probability import normal_quantile
from accord.measures.alignment.units import Units
from accord.measures.chance.allocation import FEWEST, allocated, believed, pilots
from accord.measures.chance.annotations import Annotations
from accord.measures.chance.mix import combinations_of, laid_over, number_of_combinations, picks
from accord.measures.chance.sampling import MOST_SAMPLES, Sampling, not_too_many
from accord.measures.chance.sums import NO_SAMPLES, Drawn, Source, Summing, ratio, spread_of

PURPOSE = 30  # of the generators of chance
_FURTHER = 4  # times the samples so far, where they are drawn by strata

Pooled = Callable[[list[Drawn], Floats], tuple[Floats, Floats]]


class Mixing(Protocol):
    """Where mixed annotations of n annotators come from."""

    @property
    def units(self) -> float:
        """Of an annotator, on average."""
        ...

    @property
    def fewest(self) -> int:
        """Samples of each number of annotators to begin with."""
        ...

    def least(self, n: int) -> int:
        """Samples that are there already."""
        ...

    def ways(self, n: int) -> int | None:
        """In how many ways they can be mixed; None: in very many."""
        ...

    def every(self, n: int, run: Run) -> Drawn:
        """All of these ways, each with its probability."""
        ...

    def more(self, found: Drawn, n: int, wanted: int, run: Run) -> Drawn:
        """Samples up to so many."""
        ...


@dataclass(frozen=True, eq=False)
class FromPool:
    """Mixed from all annotations of a pool, and solved by a function."""

    pool: Annotations
    function: Summing
    seed: int

    @property
    def units(self) -> float:
        return len(self.pool.start) / len(self.pool.seat_continuum)

    @property
    def fewest(self) -> int:
        return FEWEST

    def least(self, n: int) -> int:  # noqa: ARG002
        return 0

    def ways(self, n: int) -> int | None:
        return number_of_combinations(self.pool.annotators, n, MOST_SAMPLES)

    def every(self, n: int, run: Run) -> Drawn:
        picked, shares = combinations_of(self.pool, n)
        every = Source(partial(_laid, self.pool, picked), n * self.units, n, shares)
        return Drawn(every.sums(self.function, range(len(picked)), run), shares, counted=True)

    def more(self, found: Drawn, n: int, wanted: int, run: Run) -> Drawn:
        source = Source(partial(_mixtures, self.pool, n, self.seed), n * self.units, n)
        return found.and_more(source, self.function, wanted, run)


def strata(mixing: Mixing, counts: Ints, weights: Floats, pooled: Pooled, sampling: Sampling, run: Run) -> list[Drawn]:
    """Samples of each number of annotators, as many of each as the precision of all of them together asks for.

    Where all combinations of annotators are no more than the samples would be, they are counted instead.
    """
    there = [mixing.ways(n) for n in counts.tolist()]
    costs = np.array([n**3 * mixing.units for n in counts.tolist()])  # as processor time was seen to grow
    known = np.array([mixing.least(n) for n in counts.tolist()])
    wanted = first = np.maximum(pilots(weights.tolist(), sampling.first, mixing.fewest), known)
    found: list[Drawn] = [NO_SAMPLES] * len(counts)
    while True:
        for h, n in enumerate(counts.tolist()):
            if found[h].counted:
                continue
            ways = there[h]
            if ways is not None and ways <= wanted[h]:
                found[h] = mixing.every(n, run)
            else:
                found[h] = mixing.more(found[h], n, int(wanted[h]), run)
        have = np.array([len(one.shares) for one in found])
        empty = np.array([not one.counted and not one.means[1] > 0 for one in found])
        if empty.any() and mixing.units > 0:  # nobody marked anything in any of them: they say nothing yet
            wanted = np.where(empty, not_too_many(_FURTHER * int(have[empty].max()), sampling), have)
            continue
        means, spreads = believed_of(found, weights, pooled)
        if sampling.precision is None or not means.sum() > 0 or (len(counts) == 1 and wanted is not first):
            return found
        variance = (sampling.precision * float(means.sum()) / normal_quantile((1 + sampling.level) / 2)) ** 2
        needed = np.maximum(np.floor(allocated(spreads, costs, np.minimum(first, have), variance) + 0.5), have)
        not_too_many(int(sum(k for k, ways in zip(needed, there, strict=True) if ways is None or ways > k)), sampling)
        if (needed <= have).all():
            return found
        wanted = needed.astype(np.int64)
        if len(counts) > 1:  # few samples tell little about their spread: it is looked at again on the way
            wanted = np.minimum(wanted, _FURTHER * have)


def believed_of(found: list[Drawn], weights: Floats, pooled: Pooled) -> tuple[Floats, Floats]:
    """What each stratum adds to the sum, and the spread of that among its samples."""
    means, spreads = pooled(found, weights)
    many = np.array([len(one.shares) for one in found])
    return means, believed(means, spreads, many, [not one.counted for one in found])


def sum_of_ratios(found: list[Drawn], weights: Floats) -> tuple[Floats, Floats]:
    """Σ weight · ratio: each stratum has its own."""
    ratios = np.array([one.ratio for one in found])
    return weights * ratios, weights * [spread_of(ratio(one.sums)[1]) for one in found]


def pooled_ratio(found: list[Drawn], weights: Floats) -> tuple[Floats, Floats]:
    """One ratio of all strata together: how far each sample is from it."""
    above, below = (sum(w * one.means[k] for w, one in zip(weights, found, strict=True)) for k in (0, 1))
    together = above / below if below > 0 else 0.0
    means = np.array([w * one.means[0] for w, one in zip(weights, found, strict=True)])
    return means, weights * [spread_of((one.sums.above - together * one.sums.below).sum(axis=1)) for one in found]


@dataclass(frozen=True, eq=False)
class Mixed:
    """What chance gives to continua with each number of annotators, and to all of them together."""

    counts: Ints
    found: list[Drawn]
    means: Floats  # what each number of annotators adds to the total
    spreads: Floats

    @property
    def total(self) -> float:
        return float(self.means.sum())

    @property
    def many(self) -> Ints:
        """Samples of each number of annotators."""
        return np.array([len(one.shares) for one in self.found])

    @property
    def error(self) -> float:
        """Of the total."""
        return math.sqrt(float((self.spreads**2 / self.many).sum()))

    @property
    def gap(self) -> float:
        return float(self.means @ [one.gap for one in self.found]) / self.total if self.total > 0 else 0.0

    def disorder(self, n_of: Ints) -> Floats:
        """Of continua with so many annotators."""
        ratios = np.array([one.ratio for one in self.found])
        return ratios[np.searchsorted(self.counts, n_of)]


def mixed_for(mixing: Mixing, n_of: Ints, own: Floats, sampling: Sampling, run: Run) -> Mixed:
    """Every sample is one random continuum; continua with the same number of annotators share them. `own` is x̄."""
    counts, stratum = np.unique(n_of, return_inverse=True)
    weights = np.bincount(stratum, weights=own).astype(np.float64)
    found = strata(mixing, counts, weights, sum_of_ratios, sampling, run)
    return Mixed(counts, found, *believed_of(found, weights, sum_of_ratios))


def _mixtures(pool: Annotations, n: int, seed: int, which: range) -> Units:
    return laid_over(pool, seats_of(pool, n, seed, which))


def seats_of(pool: Annotations, n: int, seed: int, which: range) -> Ints:
    """The seats that samples of n annotators are mixed from, a row for each."""
    return picks(pool, n, [np.random.default_rng([seed, PURPOSE, n, k]) for k in which])


def _laid(pool: Annotations, picked: Ints, which: range) -> Units:
    return laid_over(pool, picked[which.start : which.stop])
