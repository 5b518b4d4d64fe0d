"""Expected disorder: the disorder of random annotations, averaged until it is precise enough (5.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from accord.alignment.best import Alignment
from accord.alignment.many import FEW
from accord.alignment.units import Units
from accord.arrays import Floats, Ints
from accord.chance.allocation import allocated, believed, pilots
from accord.chance.annotations import Annotations
from accord.chance.mix import combinations_of, laid_over, mixed, number_of_combinations
from accord.chance.shift import least_apart, shifted
from accord.chance.statistical import drawn
from accord.context import Run
from accord.errors import DataError, SpecError, counted, quoted
from accord.parallel import spread
from accord.probability import normal_quantile

MODELS = ("shift", "mix", "statistical")
FEWEST_SAMPLES, MOST_SAMPLES = 2, 1_000_000
_COARSE = 2.5  # times the wanted precision: how well chance of one number of annotators may be known without a word
_FURTHER = 4  # times the samples so far, where they are drawn by strata
_PURPOSE = 30  # of the generators of chance
_UNITS_AT_ONCE = 20_000  # solved together; a sample of more is solved alone

_DRAW = {"shift": shifted, "statistical": drawn}

Aligner = Callable[[Units], Alignment]


@dataclass(frozen=True)
class Sampling:
    """How chance is drawn: the model, the samples to begin with, and the relative precision wanted at a level."""

    model: str
    first: int = 30
    precision: float | None = 0.02
    level: float = 0.95


@dataclass(frozen=True, eq=False)
class Expected:
    """The expected disorder of each continuum, and of all of them together: Σ x̄ · disorder, with its error."""

    model: str
    samples: int  # that were drawn; 0: nothing was left to draw
    disorder: Floats
    total: float
    total_se: float
    gap: float  # certified distance to the optimum, averaged over the samples
    notes: tuple[str, ...] = ()
    combinations: int = 0  # that were counted one by one, instead of drawing some of them

    @property
    def relative_error(self) -> float:
        """Of the total: that of sampling, and that of alignments which may not be the best."""
        return math.hypot(self.total_se / self.total, self.gap) if self.total > 0 else 0.0


def samples_needed(cv: float, precision: float, level: float = 0.95) -> float:
    """n₀ = (C_v · U / e)²."""
    return (cv * normal_quantile((1 + level) / 2) / precision) ** 2


def samples_wanted(mean: float, off: Floats, sampling: Sampling) -> int:
    """How many samples the wanted precision takes, by the mean of the first and how far each is from it."""
    if sampling.precision is None or not mean > 0:
        return sampling.first
    cv = float(off.std(ddof=1)) / mean
    return max(sampling.first, math.floor(samples_needed(cv, sampling.precision, sampling.level) + 0.5))


def check_samples(name: str, samples: object) -> None:
    """Of chance, that a measure begins with."""
    whole = isinstance(samples, int) and not isinstance(samples, bool)
    if not whole or not FEWEST_SAMPLES <= samples <= MOST_SAMPLES:  # type: ignore[operator]
        raise SpecError(
            f"{name}: samples is a whole number from {FEWEST_SAMPLES} to {MOST_SAMPLES:,}, not {quoted(samples)}"
        )


def not_too_many(needed: int, sampling: Sampling) -> int:
    """Refuses what nobody would wait for."""
    if needed > MOST_SAMPLES:
        raise DataError(
            f"a precision of {sampling.precision:g} takes about {needed:,} random samples, more than {MOST_SAMPLES:,}; "
            "ask for a coarser one"
        )
    return needed


def expected_disorder(
    compared: Annotations, pool: Annotations, sampling: Sampling, align: Aligner, run: Run
) -> Expected:
    """Of the continua that are compared; `pool` are all continua of the annotation effort, for `mix`."""
    own, solve = compared.units().per_annotator, partial(_solved, align)
    if sampling.model == "mix":
        return _by_mixing(compared, pool, sampling, solve, run)
    disorders = partial(_mean_disorder, own)
    found = _enough(_versions_of(compared, sampling.model, run.seed), solve, disorders, sampling, run)
    total, off = disorders(found.sums)
    return Expected(
        sampling.model,
        len(found.shares),
        (found.sums.above / found.sums.below).mean(axis=0),
        total,
        _error_of_mean(off),
        found.sums.gap,
        _too_short(compared) if sampling.model == "shift" else (),
    )


def _mean_disorder(own: Floats, sums: Sums) -> tuple[float, Floats]:
    """Σ x̄ · the mean disorder of each continuum, and the deviation of each sample from it."""
    disorder = sums.above / sums.below
    mean = disorder.mean(axis=0)
    return float(own @ mean), (disorder - mean) @ own


def random_sums(
    compared: Annotations, pool: Annotations, sampling: Sampling, function: Summing, run: Run
) -> list[tuple[int, Drawn]]:
    """Two sums over random annotations whose quotient is wanted, one for each sample.

    With `mix`, for each number of annotators, and with the number of continua that have so many.
    """
    if sampling.model != "mix":
        return [(1, _enough(_versions_of(compared, sampling.model, run.seed), function, _ratio, sampling, run))]
    _check_enough(compared, pool)
    counts: Ints = np.unique(compared.annotators)
    many: Ints = np.bincount(compared.annotators)[counts]
    found = _strata(pool, counts, many.astype(np.float64), function, _pooled_ratio, sampling, run)
    return list(zip(many.tolist(), found, strict=True))


def error_of_ratio(found: list[tuple[int, Drawn]]) -> float:
    """Of the quotient of such sums, over all of them, as a share of it."""
    means, spreads = _believed([one for _, one in found], np.array([float(many) for many, _ in found]), _pooled_ratio)
    samples = np.array([len(one.shares) for _, one in found])
    return math.sqrt(float((spreads**2 / samples).sum())) / float(means.sum()) if means.sum() > 0 else 0.0


def _too_short(compared: Annotations) -> tuple[str, ...]:
    short = len(least_apart(compared)[1])
    if not short:
        return ()
    return (f"{counted(short, 'document')} too short for shifts a mean unit apart: half an even spacing apart instead",)


def _by_mixing(compared: Annotations, pool: Annotations, sampling: Sampling, solve: Summing, run: Run) -> Expected:
    """Every sample is one random continuum; continua with the same number of annotators share them."""
    own, n_of = compared.units().per_annotator, compared.annotators
    _check_enough(compared, pool)
    counts, stratum = np.unique(n_of, return_inverse=True)
    weights = np.bincount(stratum, weights=own).astype(np.float64)
    found = _strata(pool, counts, weights, solve, _sum_of_ratios, sampling, run)
    means, spreads = _believed(found, weights, _sum_of_ratios)
    many = np.array([len(one.shares) for one in found])
    total = float(means.sum())
    return Expected(
        "mix",
        sum(one.samples for one in found),
        np.array([one.ratio for one in found])[stratum],
        total,
        math.sqrt(float((spreads**2 / many).sum())),
        float(means @ [one.sums.gap for one in found]) / total if total > 0 else 0.0,
        _coarse_strata(counts, many, means, spreads, sampling),
        combinations=sum(one.combinations for one in found),
    )


def _coarse_strata(counts: Ints, many: Ints, means: Floats, spreads: Floats, sampling: Sampling) -> tuple[str, ...]:
    """Numbers of annotators that count too little to be known well by themselves: breakdowns show them."""
    if sampling.precision is None or len(counts) == 1:
        return ()
    z = normal_quantile((1 + sampling.level) / 2)
    off = np.divide(z * spreads / np.sqrt(many), means, out=np.zeros(len(means)), where=means > 0)
    said = [
        f"{n} ±{100 * e:.0f}%"
        for n, e in zip(counts.tolist(), off.tolist(), strict=True)
        if e > _COARSE * sampling.precision
    ]
    if not said:
        return ()
    return (
        f"chance is known to {100 * sampling.precision:g}% for all documents together; by number of annotators, which "
        f"a breakdown by document goes by, more coarsely: {', '.join(said)}",
    )


def _strata(
    pool: Annotations, counts: Ints, weights: Floats, function: Summing, pooled: Pooled, sampling: Sampling, run: Run
) -> list[Drawn]:
    """Samples of each number of annotators, as many of each as the precision of all of them together asks for.

    Where all combinations of annotators are no more than the samples would be, they are counted instead.
    """
    size = len(pool.start) / len(pool.seat_continuum)
    sources = [_Source(partial(_mixtures, pool, n, run.seed), n * size, n) for n in counts.tolist()]
    there = [number_of_combinations(pool, n, MOST_SAMPLES) for n in counts.tolist()]
    costs = np.array([n**3 * size for n in counts.tolist()])  # as processor time was seen to grow; never measured
    wanted = first = pilots(weights.tolist(), sampling.first)
    found: list[Drawn] = [_NOTHING] * len(counts)
    while True:
        for h, source in enumerate(sources):
            if found[h].counted:
                continue
            ways = there[h]
            if ways is not None and ways <= wanted[h]:
                found[h] = _every_combination(pool, int(counts[h]), ways, function, run)
            else:
                found[h] = found[h].and_more(source, function, int(wanted[h]), run)
        have = np.array([len(one.shares) for one in found])
        means, spreads = _believed(found, weights, pooled)
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


def _every_combination(pool: Annotations, n: int, ways: int, function: Summing, run: Run) -> Drawn:
    picked, shares = combinations_of(pool, n)
    size = n * len(pool.start) / len(pool.seat_continuum)
    every = _Source(partial(_laid, pool, picked), size, n, shares)
    return Drawn(every.sums(function, range(ways), run), shares, counted=True)


def _believed(found: list[Drawn], weights: Floats, pooled: Pooled) -> tuple[Floats, Floats]:
    """What each stratum adds to the sum, and the spread of that among its samples."""
    means, spreads = pooled(found, weights)
    many = np.array([len(one.shares) for one in found])
    return means, believed(means, spreads, many, [not one.counted for one in found])


def _sum_of_ratios(found: list[Drawn], weights: Floats) -> tuple[Floats, Floats]:
    """Σ weight · ratio: each stratum has its own."""
    ratios = np.array([one.ratio for one in found])
    return weights * ratios, weights * [_spread(_ratio(one.sums)[1]) for one in found]


def _pooled_ratio(found: list[Drawn], weights: Floats) -> tuple[Floats, Floats]:
    """One ratio of all strata together: how far each sample is from it."""
    above, below = (sum(w * one.means[k] for w, one in zip(weights, found, strict=True)) for k in (0, 1))
    ratio = above / below if below > 0 else 0.0
    means = np.array([w * one.means[0] for w, one in zip(weights, found, strict=True)])
    return means, weights * [_spread((one.sums.above - ratio * one.sums.below).sum(axis=1)) for one in found]


def _spread(off: Floats) -> float:
    return float(off.std(ddof=1)) if len(off) > 1 else 0.0


def _check_enough(compared: Annotations, pool: Annotations) -> None:
    wanted, there = int(compared.annotators.max()), int((pool.annotators > 0).sum())
    if there < wanted:
        raise DataError(
            f"chance=mix takes each of {wanted} annotators from another document, and there "
            f"{'is' if there == 1 else 'are'} {there}; use chance=shift"
        )


def _enough(
    source: _Source,
    function: Summing,
    estimate: Callable[[Sums], tuple[float, Floats]],
    sampling: Sampling,
    run: Run,
) -> Drawn:
    """The first samples, then as many as the wanted precision asks for."""
    found = _NOTHING.and_more(source, function, sampling.first, run)
    needed = not_too_many(samples_wanted(*estimate(found.sums), sampling), sampling)
    return found.and_more(source, function, needed, run)


def _ratio(sums: Sums) -> tuple[float, Floats]:
    """The quotient of all samples together, larger ones counting more; and the deviation of each from it."""
    if not sums.below.sum() > 0:
        return math.nan, np.zeros(len(sums.above))
    ratio = float(sums.above.sum() / sums.below.sum())
    return ratio, ((sums.above - ratio * sums.below) / sums.below.mean()).ravel()


def _error_of_mean(off: Floats) -> float:
    return float(off.std(ddof=1)) / math.sqrt(len(off)) if len(off) > 1 else 0.0


@dataclass(frozen=True, eq=False)
class Sums:
    """Two sums over random annotations, one to be divided by the other: a row per sample, a column per continuum."""

    above: Floats
    below: Floats
    gap: float = 0.0  # certified distance to the best alignment, the mean over samples
    further: Floats | None = None  # sums over all samples, each times its share

    @classmethod
    def joined(cls, parts: Sequence[Sums]) -> Sums:
        above, below = np.concatenate([p.above for p in parts]), np.concatenate([p.below for p in parts])
        further = [p.further for p in parts if p.further is not None]
        gap = sum(p.gap * len(p.above) for p in parts) / len(above)
        return cls(above, below, gap, np.sum(further, axis=0) if further else None)


Summing = Callable[[Units, Floats], Sums]  # of samples laid behind each other, and how much each of them counts


@dataclass(frozen=True, eq=False)
class Drawn:
    """Samples and their shares; or all combinations there are, and how likely each of them is."""

    sums: Sums
    shares: Floats
    counted: bool = False  # nothing was drawn

    @property
    def samples(self) -> int:
        return 0 if self.counted else len(self.shares)

    @property
    def combinations(self) -> int:
        return len(self.shares) if self.counted else 0

    @property
    def means(self) -> tuple[float, float]:
        """Of what is divided, and of what it is divided by."""
        return float((self.shares @ self.sums.above).sum()), float((self.shares @ self.sums.below).sum())

    @property
    def further(self) -> Floats | None:
        """The means of the sums over all samples."""
        return self.sums.further if self.counted or self.sums.further is None else self.sums.further / self.samples

    @property
    def ratio(self) -> float:
        above, below = self.means
        return above / below if below > 0 else math.nan

    def and_more(self, source: _Source, function: Summing, wanted: int, run: Run) -> Drawn:
        """Samples up to so many."""
        have = len(self.shares)
        if wanted <= have:
            return self
        more = source.sums(function, range(have, wanted), run)
        return Drawn(Sums.joined([self.sums, more]) if have else more, np.full(wanted, 1 / wanted))


_NOTHING = Drawn(Sums(np.zeros((0, 1)), np.zeros((0, 1))), np.zeros(0))
Pooled = Callable[[list[Drawn], Floats], tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False)
class _Source:
    """Random annotations, by number. How they are cut into tasks depends on the data alone, never on the workers."""

    make: Callable[[range], Units]
    units: float  # in a sample
    annotators: int
    shares: Floats | None = None  # how likely each is, where they are all that there are

    def sums(self, function: Summing, wanted: range, run: Run) -> Sums:
        # The groups of units that could align multiply with every annotator, and so does the memory they take.
        many = _UNITS_AT_ONCE / 4 ** max(0, self.annotators - 3)
        together = 1 if self.annotators > FEW else max(1, int(many / max(self.units, 1)))
        tasks = [wanted[k : k + together] for k in range(0, len(wanted), together)]
        task = partial(_applied, self.make, function, self.shares)
        return Sums.joined(spread(task, tasks, run, f"aligning {len(wanted):,} random samples"))


def _applied(make: Callable[[range], Units], function: Summing, shares: Floats | None, which: range) -> Sums:
    counts = np.ones(len(which)) if shares is None else shares[which.start : which.stop]
    return function(make(which), counts)


def _solved(align: Aligner, units: Units, counts: Floats) -> Sums:
    """Total disorder and x̄ of random annotations."""
    found, rows = align(units), len(counts)
    return Sums(found.totals.reshape(rows, -1), units.per_annotator.reshape(rows, -1), found.overall_gap)


def _versions_of(compared: Annotations, model: str, seed: int) -> _Source:
    """Every sample has a random version of each continuum (shift, statistical)."""
    make = partial(_versions, compared, _DRAW[model], seed)
    return _Source(make, len(compared.start), int(compared.annotators.max()))


def _versions(
    compared: Annotations, draw: Callable[[Annotations, np.random.Generator], Units], seed: int, which: range
) -> Units:
    return _batch([draw(compared, np.random.default_rng([seed, _PURPOSE, k])) for k in which])


def _mixtures(pool: Annotations, n: int, seed: int, which: range) -> Units:
    return mixed(pool, n, [np.random.default_rng([seed, _PURPOSE, n, k]) for k in which])


def _laid(pool: Annotations, picked: Ints, which: range) -> Units:
    return laid_over(pool, picked[which.start : which.stop])


def _batch(samples: list[Units]) -> Units:
    """Samples laid behind each other: continuum c of sample s is number s · continua + c."""
    each = len(samples[0].annotators)

    def column(name: str) -> np.ndarray:
        return np.concatenate([getattr(s, name) for s in samples])

    number: Ints = np.concatenate([s.continuum + k * each for k, s in enumerate(samples)])
    return Units(number, column("annotator"), column("start"), column("end"), column("label"), column("annotators"))
