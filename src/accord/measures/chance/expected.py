"""Expected disorder: the mean disorder of random annotations, sampled to a target precision (5.3).

With `mix` (5.2.2), samples are drawn separately for each number of annotators, and continua with the same number of
annotators share them. The number of samples follows from the precision of the total.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, counted
from accord.core.probability import normal_quantile
from accord.measures.alignment.best import Alignment
from accord.measures.alignment.units import Units
from accord.measures.chance.drawing import (
    Annotations,
    combinations_of,
    draw_shifted,
    draw_statistical,
    lay_over,
    least_apart,
    number_of_combinations,
    pick_seats,
)
from accord.measures.chance.sampling import (
    FEWEST,
    MOST_SAMPLES,
    NO_SAMPLES,
    Drawn,
    SampleSource,
    Sampling,
    Summing,
    Sums,
    allocate_first_samples,
    allocate_samples,
    check_feasible,
    pool_spreads,
    ratio,
    samples_wanted,
    spread_of,
)

MODELS = ("shift", "mix", "statistical")
PURPOSE = 30  # stream number of the random generators for chance
_FURTHER = 4  # largest growth of the number of samples per round of stratified sampling
_COARSE = 2.5  # multiple of the target precision; a note reports numbers of annotators with a larger error
_DRAW = {"shift": draw_shifted, "statistical": draw_statistical}

Aligner = Callable[[Units], Alignment]
Pooled = Callable[[list[Drawn], Floats], tuple[Floats, Floats]]


class Mixing(Protocol):
    """Source of mixed annotations of n annotators."""

    @property
    def units(self) -> float:
        """Return the mean number of units per annotator."""
        ...

    @property
    def fewest(self) -> int:
        """Return the number of first samples for each number of annotators."""
        ...

    def least(self, n: int) -> int:
        """Return the number of samples that already exist."""
        ...

    def ways(self, n: int) -> int | None:
        """Return the number of possible combinations; None if there are too many to enumerate."""
        ...

    def every(self, n: int, run: Run) -> Drawn:
        """Return all combinations, each with its probability."""
        ...

    def more(self, found: Drawn, n: int, wanted: int, run: Run) -> Drawn:
        """Return the samples extended to the wanted number."""
        ...


@dataclass(frozen=True, eq=False)
class FromPool:
    """Mixtures of all annotations of a pool, summed by a function."""

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
        every = SampleSource(partial(lay_rows, self.pool, picked), n * self.units, n, shares)
        return Drawn(every.sums(self.function, range(len(picked)), run), shares, counted=True)

    def more(self, found: Drawn, n: int, wanted: int, run: Run) -> Drawn:
        source = SampleSource(partial(_mixtures, self.pool, n, self.seed), n * self.units, n)
        return found.and_more(source, self.function, wanted, run)


def draw_strata(
    mixing: Mixing, counts: Ints, weights: Floats, pooled: Pooled, sampling: Sampling, run: Run
) -> list[Drawn]:
    """Draw samples for each number of annotators until the total reaches the target precision.

    If there are no more combinations of annotators than samples needed, all combinations are enumerated instead.
    """
    there = [mixing.ways(n) for n in counts.tolist()]
    # processor time measured to grow with n³ times the units
    costs = np.array([n**3 * mixing.units for n in counts.tolist()])
    known = np.array([mixing.least(n) for n in counts.tolist()])
    wanted = first = np.maximum(allocate_first_samples(weights.tolist(), sampling.first, mixing.fewest), known)
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
        if empty.any() and mixing.units > 0:  # none of these samples contains a unit, so their spread is unknown
            wanted = np.where(empty, check_feasible(_FURTHER * int(have[empty].max()), sampling), have)
            continue
        means, spreads = means_and_spreads(found, weights, pooled)
        if sampling.precision is None or not means.sum() > 0 or (len(counts) == 1 and wanted is not first):
            return found
        variance = (sampling.precision * float(means.sum()) / normal_quantile((1 + sampling.level) / 2)) ** 2
        needed = np.maximum(np.floor(allocate_samples(spreads, costs, np.minimum(first, have), variance) + 0.5), have)
        check_feasible(int(sum(k for k, ways in zip(needed, there, strict=True) if ways is None or ways > k)), sampling)
        if (needed <= have).all():
            return found
        wanted = needed.astype(np.int64)
        if len(counts) > 1:  # a spread from few samples is unreliable: estimate it again after each round
            wanted = np.minimum(wanted, _FURTHER * have)


def means_and_spreads(found: list[Drawn], weights: Floats, pooled: Pooled) -> tuple[Floats, Floats]:
    """Return the contribution of each stratum to the sum, and its spread among samples."""
    means, spreads = pooled(found, weights)
    many = np.array([len(one.shares) for one in found])
    return means, pool_spreads(means, spreads, many, [not one.counted for one in found])


def sum_of_ratios(found: list[Drawn], weights: Floats) -> tuple[Floats, Floats]:
    """Return Σ weight · ratio with a separate ratio for each stratum."""
    ratios = np.array([one.ratio for one in found])
    return weights * ratios, weights * [spread_of(ratio(one.sums)[1]) for one in found]


def pooled_ratio(found: list[Drawn], weights: Floats) -> tuple[Floats, Floats]:
    """Return the deviations of samples from one ratio pooled over all strata."""
    above, below = (sum(w * one.means[k] for w, one in zip(weights, found, strict=True)) for k in (0, 1))
    together = above / below if below > 0 else 0.0
    means = np.array([w * one.means[0] for w, one in zip(weights, found, strict=True)])
    return means, weights * [spread_of((one.sums.above - together * one.sums.below).sum(axis=1)) for one in found]


@dataclass(frozen=True, eq=False)
class Mixed:
    """Expected disorder of continua for each number of annotators, and of all of them together."""

    counts: Ints
    found: list[Drawn]
    means: Floats  # contribution of each number of annotators to the total
    spreads: Floats

    @property
    def total(self) -> float:
        return float(self.means.sum())

    @property
    def many(self) -> Ints:
        """Return the number of samples for each number of annotators."""
        return np.array([len(one.shares) for one in self.found])

    @property
    def error(self) -> float:
        """Return the standard error of the total."""
        return math.sqrt(float((self.spreads**2 / self.many).sum()))

    @property
    def gap(self) -> float:
        return float(self.means @ [one.gap for one in self.found]) / self.total if self.total > 0 else 0.0

    def disorder(self, n_of: Ints) -> Floats:
        """Return the expected disorder of continua with these numbers of annotators."""
        ratios = np.array([one.ratio for one in self.found])
        return ratios[np.searchsorted(self.counts, n_of)]


def draw_mixed_samples(mixing: Mixing, n_of: Ints, own: Floats, sampling: Sampling, run: Run) -> Mixed:
    """Draw random continua shared by all continua with the same number of annotators. `own` is x̄."""
    counts, stratum = np.unique(n_of, return_inverse=True)
    weights = np.bincount(stratum, weights=own).astype(np.float64)
    found = draw_strata(mixing, counts, weights, sum_of_ratios, sampling, run)
    return Mixed(counts, found, *means_and_spreads(found, weights, sum_of_ratios))


def _mixtures(pool: Annotations, n: int, seed: int, which: range) -> Units:
    return lay_over(pool, draw_seats(pool, n, seed, which))


def draw_seats(pool: Annotations, n: int, seed: int, which: range) -> Ints:
    """Draw the seats of the mixed samples of n annotators, one row per sample."""
    return pick_seats(pool, n, [np.random.default_rng([seed, PURPOSE, n, k]) for k in which])


def lay_rows(pool: Annotations, picked: Ints, which: range) -> Units:
    return lay_over(pool, picked[which.start : which.stop])


# -- expected disorder ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Expected:
    """Expected disorder of each continuum, and of all continua together: Σ x̄ · disorder, with its error."""

    model: str
    samples: int  # number of drawn samples; 0 if all combinations were enumerated
    disorder: Floats
    total: float
    total_se: float
    gap: float  # certified distance to the optimum, averaged over the samples
    notes: tuple[str, ...] = ()
    combinations: int = 0  # number of enumerated combinations
    mixed: Mixed | None = None  # the samples, if continua share them

    @property
    def relative_error(self) -> float:
        """Return the relative error of the total, from sampling and from alignments that may not be optimal."""
        return math.hypot(self.total_se / self.total, self.gap) if self.total > 0 else 0.0


def expected_disorder(
    compared: Annotations, pool: Annotations, sampling: Sampling, align: Aligner, run: Run
) -> Expected:
    """Return the expected disorder of the compared continua. For `mix`, `pool` contains all continua of the data."""
    own, solve = compared.units().per_annotator, partial(sum_disorders, align)
    if sampling.model == "mix":
        _check_enough(compared, pool)
        mixed = draw_mixed_samples(FromPool(pool, solve, run.seed), compared.annotators, own, sampling, run)
        return by_mixing(mixed, compared.annotators, sampling)
    disorders = partial(_mean_disorder, own)
    found = _enough(_versions_of(compared, sampling.model, run.seed), solve, disorders, sampling, run)
    total, off = disorders(found.sums)
    return Expected(
        sampling.model,
        len(found.shares),
        (found.sums.above / found.sums.below).mean(axis=0),
        total,
        _error_of_mean(off),
        found.gap,
        _too_short(compared) if sampling.model == "shift" else (),
    )


def by_mixing(mixed: Mixed, n_of: Ints, sampling: Sampling) -> Expected:
    """Return the expected disorder of continua from the samples for their numbers of annotators."""
    return Expected(
        "mix",
        sum(one.samples for one in mixed.found),
        mixed.disorder(n_of),
        mixed.total,
        mixed.error,
        mixed.gap,
        _coarse_strata(mixed, sampling),
        combinations=sum(one.combinations for one in mixed.found),
        mixed=mixed,
    )


def _mean_disorder(own: Floats, sums: Sums) -> tuple[float, Floats]:
    """Return Σ x̄ · the mean disorder of each continuum, and the deviation of each sample from it."""
    disorder = sums.above / sums.below
    mean = disorder.mean(axis=0)
    return float(own @ mean), (disorder - mean) @ own


def draw_random_sums(
    compared: Annotations, pool: Annotations, sampling: Sampling, function: Summing, run: Run
) -> list[tuple[int, Drawn]]:
    """Draw random annotations and return their numerators and denominators.

    With `mix`, the list has one entry per number of annotators, with the number of continua that have it.
    """
    if sampling.model != "mix":
        return [(1, _enough(_versions_of(compared, sampling.model, run.seed), function, ratio, sampling, run))]
    _check_enough(compared, pool)
    counts: Ints = np.unique(compared.annotators)
    many: Ints = np.bincount(compared.annotators)[counts]
    mixing = FromPool(pool, function, run.seed)
    found = draw_strata(mixing, counts, many.astype(np.float64), pooled_ratio, sampling, run)
    return list(zip(many.tolist(), found, strict=True))


def error_of_ratio(found: list[tuple[int, Drawn]]) -> float:
    """Return the relative error of the quotient of the sums."""
    means, spreads = means_and_spreads(
        [one for _, one in found], np.array([float(many) for many, _ in found]), pooled_ratio
    )
    samples = np.array([len(one.shares) for _, one in found])
    return math.sqrt(float((spreads**2 / samples).sum())) / float(means.sum()) if means.sum() > 0 else 0.0


def _too_short(compared: Annotations) -> tuple[str, ...]:
    short = len(least_apart(compared)[1])
    if not short:
        return ()
    return (
        f"{counted(short, 'document')} too short to shift annotators by at least the mean unit length; "
        "minimum distance: half of an even spacing",
    )


def _coarse_strata(mixed: Mixed, sampling: Sampling) -> tuple[str, ...]:
    """Note numbers of annotators with a less precise expected disorder, which breakdowns by document show."""
    if sampling.precision is None or len(mixed.counts) == 1:
        return ()
    z, means = normal_quantile((1 + sampling.level) / 2), mixed.means
    off = np.divide(z * mixed.spreads / np.sqrt(mixed.many), means, out=np.zeros(len(means)), where=means > 0)
    said = [
        f"{n} ±{100 * e:.0f}%"
        for n, e in zip(mixed.counts.tolist(), off.tolist(), strict=True)
        if e > _COARSE * sampling.precision
    ]
    if not said:
        return ()
    return (
        f"expected disorder is precise to {100 * sampling.precision:g}% for all documents together; breakdowns by "
        f"document are less precise for these numbers of annotators: {', '.join(said)}",
    )


def _check_enough(compared: Annotations, pool: Annotations) -> None:
    wanted, there = int(compared.annotators.max()), int((pool.annotators > 0).sum())
    if there < wanted:
        twice = ", not counting copies" if len(pool.annotators) < len(compared.annotators) else ""
        raise DataError(
            "measure-option",
            f"chance=mix takes each of {wanted} annotators from a different document, but there "
            f"{'is' if there == 1 else 'are'} {there}{twice}; use chance=shift",
        )


def _enough(
    source: SampleSource,
    function: Summing,
    estimate: Callable[[Sums], tuple[float, Floats]],
    sampling: Sampling,
    run: Run,
) -> Drawn:
    """Draw the first samples, then as many more as the target precision requires."""
    found = NO_SAMPLES.and_more(source, function, sampling.first, run)
    needed = check_feasible(samples_wanted(*estimate(found.sums), sampling), sampling)
    return found.and_more(source, function, needed, run)


def _error_of_mean(off: Floats) -> float:
    return float(off.std(ddof=1)) / math.sqrt(len(off)) if len(off) > 1 else 0.0


def sum_disorders(align: Aligner, units: Units, counts: Floats) -> Sums:
    """Return the total disorder and x̄ of random annotations."""
    found, rows = align(units), len(counts)
    above, slack = found.totals.reshape(rows, -1), (found.gap * found.totals).reshape(rows, -1)
    return Sums(above, units.per_annotator.reshape(rows, -1), slack if slack.any() else None)


def _versions_of(compared: Annotations, model: str, seed: int) -> SampleSource:
    """Source of samples with a random version of each continuum (shift, statistical)."""
    make = partial(_versions, compared, _DRAW[model], seed)
    return SampleSource(make, len(compared.start), int(compared.annotators.max()))


def _versions(
    compared: Annotations, draw: Callable[[Annotations, np.random.Generator], Units], seed: int, which: range
) -> Units:
    return _batch([draw(compared, np.random.default_rng([seed, PURPOSE, k])) for k in which])


def _batch(samples: list[Units]) -> Units:
    """Concatenate samples: continuum c of sample s becomes number s · continua + c."""
    each = len(samples[0].annotators)

    def column(name: str) -> np.ndarray:
        return np.concatenate([getattr(s, name) for s in samples])

    number: Ints = np.concatenate([s.continuum + k * each for k, s in enumerate(samples)])
    return Units(number, column("annotator"), column("start"), column("end"), column("label"), column("annotators"))
