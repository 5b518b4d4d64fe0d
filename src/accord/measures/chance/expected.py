"""Expected disorder: the disorder of random annotations, averaged until it is precise enough (5.3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, counted
from accord.core.probability import normal_quantile
from accord.measures.alignment.best import Alignment
from accord.measures.alignment.units import Units
from accord.measures.chance.annotations import Annotations
from accord.measures.chance.mixing import PURPOSE, FromPool, Mixed, believed_of, mixed_for, pooled_ratio, strata
from accord.measures.chance.sampling import Sampling, not_too_many, samples_wanted
from accord.measures.chance.shift import least_apart, shifted
from accord.measures.chance.statistical import drawn
from accord.measures.chance.sums import NO_SAMPLES, Drawn, Source, Summing, Sums, ratio

MODELS = ("shift", "mix", "statistical")
_COARSE = 2.5  # times the wanted precision: how well chance of one number of annotators may be known without a word

_DRAW = {"shift": shifted, "statistical": drawn}

Aligner = Callable[[Units], Alignment]


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
    mixed: Mixed | None = None  # the samples, where continua share them

    @property
    def relative_error(self) -> float:
        """Of the total: that of sampling, and that of alignments which may not be the best."""
        return math.hypot(self.total_se / self.total, self.gap) if self.total > 0 else 0.0


def expected_disorder(
    compared: Annotations, pool: Annotations, sampling: Sampling, align: Aligner, run: Run
) -> Expected:
    """Of the continua that are compared; `pool` are all continua of the annotation effort, for `mix`."""
    own, solve = compared.units().per_annotator, partial(solved, align)
    if sampling.model == "mix":
        _check_enough(compared, pool)
        mixed = mixed_for(FromPool(pool, solve, run.seed), compared.annotators, own, sampling, run)
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
    """What samples by number of annotators say about continua with so many of them."""
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
        return [(1, _enough(_versions_of(compared, sampling.model, run.seed), function, ratio, sampling, run))]
    _check_enough(compared, pool)
    counts: Ints = np.unique(compared.annotators)
    many: Ints = np.bincount(compared.annotators)[counts]
    mixing = FromPool(pool, function, run.seed)
    found = strata(mixing, counts, many.astype(np.float64), pooled_ratio, sampling, run)
    return list(zip(many.tolist(), found, strict=True))


def error_of_ratio(found: list[tuple[int, Drawn]]) -> float:
    """Of the quotient of such sums, over all of them, as a share of it."""
    means, spreads = believed_of([one for _, one in found], np.array([float(many) for many, _ in found]), pooled_ratio)
    samples = np.array([len(one.shares) for _, one in found])
    return math.sqrt(float((spreads**2 / samples).sum())) / float(means.sum()) if means.sum() > 0 else 0.0


def _too_short(compared: Annotations) -> tuple[str, ...]:
    short = len(least_apart(compared)[1])
    if not short:
        return ()
    return (f"{counted(short, 'document')} too short for shifts a mean unit apart: half an even spacing apart instead",)


def _coarse_strata(mixed: Mixed, sampling: Sampling) -> tuple[str, ...]:
    """Numbers of annotators that count too little to be known well by themselves: breakdowns show them."""
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
        f"chance is known to {100 * sampling.precision:g}% for all documents together; by number of annotators, which "
        f"a breakdown by document goes by, more coarsely: {', '.join(said)}",
    )


def _check_enough(compared: Annotations, pool: Annotations) -> None:
    wanted, there = int(compared.annotators.max()), int((pool.annotators > 0).sum())
    if there < wanted:
        twice = ", not counting copies" if len(pool.annotators) < len(compared.annotators) else ""
        raise DataError(
            f"chance=mix takes each of {wanted} annotators from another document, and there "
            f"{'is' if there == 1 else 'are'} {there}{twice}; use chance=shift"
        )


def _enough(
    source: Source,
    function: Summing,
    estimate: Callable[[Sums], tuple[float, Floats]],
    sampling: Sampling,
    run: Run,
) -> Drawn:
    """The first samples, then as many as the wanted precision asks for."""
    found = NO_SAMPLES.and_more(source, function, sampling.first, run)
    needed = not_too_many(samples_wanted(*estimate(found.sums), sampling), sampling)
    return found.and_more(source, function, needed, run)


def _error_of_mean(off: Floats) -> float:
    return float(off.std(ddof=1)) / math.sqrt(len(off)) if len(off) > 1 else 0.0


def solved(align: Aligner, units: Units, counts: Floats) -> Sums:
    """Total disorder and x̄ of random annotations."""
    found, rows = align(units), len(counts)
    above, slack = found.totals.reshape(rows, -1), (found.gap * found.totals).reshape(rows, -1)
    return Sums(above, units.per_annotator.reshape(rows, -1), slack if slack.any() else None)


def _versions_of(compared: Annotations, model: str, seed: int) -> Source:
    """Every sample has a random version of each continuum (shift, statistical)."""
    make = partial(_versions, compared, _DRAW[model], seed)
    return Source(make, len(compared.start), int(compared.annotators.max()))


def _versions(
    compared: Annotations, draw: Callable[[Annotations, np.random.Generator], Units], seed: int, which: range
) -> Units:
    return _batch([draw(compared, np.random.default_rng([seed, PURPOSE, k])) for k in which])


def _batch(samples: list[Units]) -> Units:
    """Samples laid behind each other: continuum c of sample s is number s · continua + c."""
    each = len(samples[0].annotators)

    def column(name: str) -> np.ndarray:
        return np.concatenate([getattr(s, name) for s in samples])

    number: Ints = np.concatenate([s.continuum + k * each for k, s in enumerate(samples)])
    return Units(number, column("annotator"), column("start"), column("end"), column("label"), column("annotators"))
