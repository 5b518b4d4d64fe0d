"""Expected disorder: the disorder of random annotations, averaged until it is precise enough (5.3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np

from accord.alignment.best import Alignment
from accord.alignment.many import FEW
from accord.alignment.units import Units
from accord.arrays import Floats, Ints
from accord.chance.annotations import Annotations
from accord.chance.mix import mixed
from accord.chance.shift import least_apart, shifted
from accord.chance.statistical import drawn
from accord.context import Run
from accord.errors import DataError, counted
from accord.parallel import spread
from accord.probability import normal_quantile

MODELS = ("shift", "mix", "statistical")
MOST_SAMPLES = 1_000_000
_PURPOSE = 30  # of the generators of chance
_UNITS_AT_ONCE = 20_000  # solved together; a sample of more is solved alone

_DRAW = {"shift": shifted, "statistical": drawn}

Aligner = Callable[[Units], Alignment]
R = TypeVar("R")


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
    samples: int
    disorder: Floats
    total: float
    total_se: float
    gap: float  # certified distance to the optimum, averaged over the samples
    notes: tuple[str, ...] = ()


def samples_needed(cv: float, precision: float, level: float = 0.95) -> float:
    """n₀ = (C_v · U / e)²."""
    return (cv * normal_quantile((1 + level) / 2) / precision) ** 2


def expected_disorder(
    compared: Annotations, pool: Annotations, sampling: Sampling, align: Aligner, run: Run
) -> Expected:
    """Of the continua that are compared; `pool` are all continua of the annotation effort, for `mix`."""
    if sampling.model == "mix":
        return _by_mixing(compared, pool, sampling, align, run)
    return _one_by_one(compared, sampling, align, run)


def _one_by_one(compared: Annotations, sampling: Sampling, align: Aligner, run: Run) -> Expected:
    """Every sample has a random version of each continuum (shift, statistical)."""
    own = compared.units().per_annotator

    def each(totals: Floats, means: Floats) -> Floats:
        return totals.sum(axis=0) / means.sum(axis=0)

    def whole(totals: Floats, means: Floats) -> tuple[float, Floats]:
        disorder = each(totals, means)
        return float(own @ disorder), (own * (totals - disorder * means) / means.mean(axis=0)).sum(axis=1)

    task = partial(_solved, partial(_versions, compared, _DRAW[sampling.model], run.seed), align)
    drawn_ = _Drawer(task, len(compared.start), int(compared.annotators.max()), run)
    totals, means, gap = _enough(drawn_, whole, sampling)
    total, off = whole(totals, means)
    return Expected(
        sampling.model,
        len(totals),
        each(totals, means),
        total,
        _error_of_mean(off),
        gap,
        _too_short(compared) if sampling.model == "shift" else (),
    )


def random_alignments(
    compared: Annotations, pool: Annotations, sampling: Sampling, function: Callable[[Units], R], run: Run
) -> list[R]:
    """A function of random annotations, batch by batch: as many samples as are begun with."""
    if sampling.model == "mix":
        _check_enough(compared, pool)
        found = []
        for n in np.unique(compared.annotators).tolist():
            task = partial(_applied, partial(_mixtures, pool, n, run.seed), function)
            found += _Drawer(task, n * len(pool.start) / len(pool.seat_continuum), n, run).parts(range(sampling.first))
        return found
    task = partial(_applied, partial(_versions, compared, _DRAW[sampling.model], run.seed), function)
    return _Drawer(task, len(compared.start), int(compared.annotators.max()), run).parts(range(sampling.first))


def _applied(draw: Callable[[range], Units], function: Callable[[Units], R], which: range) -> R:
    return function(draw(which))


def _too_short(compared: Annotations) -> tuple[str, ...]:
    short = len(least_apart(compared)[1])
    if not short:
        return ()
    return (f"{counted(short, 'document')} too short for shifts a mean unit apart: half an even spacing apart instead",)


def _by_mixing(compared: Annotations, pool: Annotations, sampling: Sampling, align: Aligner, run: Run) -> Expected:
    """Every sample is one random continuum; continua with the same number of annotators share them."""
    own, n_of = compared.units().per_annotator, compared.annotators
    _check_enough(compared, pool)
    disorder = np.zeros(len(own))
    variance, samples, gaps = 0.0, 0, 0.0
    for n in np.unique(n_of).tolist():
        size = n * len(pool.start) / len(pool.seat_continuum)
        drawn_ = _Drawer(partial(_solved, partial(_mixtures, pool, n, run.seed), align), size, n, run)
        totals, means, gap = _enough(drawn_, _ratio, sampling)
        mine = n_of == n
        disorder[mine], off = _ratio(totals, means)
        variance += (own[mine].sum() * _error_of_mean(off)) ** 2
        samples += len(totals)
        gaps += gap * len(totals)
    return Expected("mix", samples, disorder, float(own @ disorder), math.sqrt(variance), gaps / samples)


def _check_enough(compared: Annotations, pool: Annotations) -> None:
    wanted, there = int(compared.annotators.max()), int((pool.annotators > 0).sum())
    if there < wanted:
        raise DataError(
            f"chance=mix takes each of {wanted} annotators from another document, and there "
            f"{'is' if there == 1 else 'are'} {there}; use chance=shift"
        )


def _enough(
    draw: _Drawer, estimate: Callable[[Floats, Floats], tuple[float, Floats]], sampling: Sampling
) -> tuple[Floats, Floats, float]:
    """The first samples, then as many as the wanted precision asks for: totals, x̄ (a row per sample), mean gap."""
    totals, means, gap = draw(range(sampling.first))
    mean, off = estimate(totals, means)
    if sampling.precision is None or not mean > 0:
        return totals, means, gap
    cv = float(off.std(ddof=1)) / mean
    needed = math.floor(samples_needed(cv, sampling.precision, sampling.level) + 0.5)
    if needed > MOST_SAMPLES:
        raise DataError(
            f"a precision of {sampling.precision:g} takes about {needed:,} random samples, more than {MOST_SAMPLES:,}; "
            "ask for a coarser one"
        )
    if needed > sampling.first:
        more, more_means, more_gap = draw(range(sampling.first, needed))
        gap = (gap * sampling.first + more_gap * (needed - sampling.first)) / needed
        totals, means = np.concatenate([totals, more]), np.concatenate([means, more_means])
    return totals, means, gap


def _ratio(totals: Floats, means: Floats) -> tuple[float, Floats]:
    """The disorder of all samples together, larger ones counting more; and the deviation of each from it."""
    if not means.sum() > 0:
        return math.nan, np.zeros(len(totals))
    ratio = float(totals.sum() / means.sum())
    return ratio, ((totals - ratio * means) / means.mean()).ravel()


def _error_of_mean(off: Floats) -> float:
    return float(off.std(ddof=1)) / math.sqrt(len(off)) if len(off) > 1 else 0.0


@dataclass(frozen=True)
class _Drawer:
    """Draws and aligns samples. How they are cut into tasks depends on the data alone, never on the workers."""

    task: Callable[[range], Any]
    units: float  # in a sample
    annotators: int
    run: Run

    def parts(self, wanted: range) -> list[Any]:
        # The groups of units that could align multiply with every annotator, and so does the memory they take.
        many = _UNITS_AT_ONCE / 4 ** max(0, self.annotators - 3)
        together = 1 if self.annotators > FEW else max(1, int(many / max(self.units, 1)))
        tasks = [wanted[k : k + together] for k in range(0, len(wanted), together)]
        return spread(self.task, tasks, self.run, f"aligning {len(wanted):,} random samples")

    def __call__(self, wanted: range) -> tuple[Floats, Floats, float]:
        found = self.parts(wanted)
        totals, means = (np.concatenate([part[k] for part in found]) for k in (0, 1))
        return totals, means, sum(gap * len(t) for t, _, gap in found) / len(totals)


def _solved(draw: Callable[[range], Units], align: Aligner, which: range) -> tuple[Floats, Floats, float]:
    """Total disorder and x̄ of random annotations: a row per sample, a column per continuum; and their mean gap."""
    units = draw(which)
    found = align(units)
    rows = len(which)
    return found.totals.reshape(rows, -1), units.per_annotator.reshape(rows, -1), found.overall_gap


def _versions(
    compared: Annotations, draw: Callable[[Annotations, np.random.Generator], Units], seed: int, which: range
) -> Units:
    return _batch([draw(compared, np.random.default_rng([seed, _PURPOSE, k])) for k in which])


def _mixtures(pool: Annotations, n: int, seed: int, which: range) -> Units:
    return mixed(pool, n, [np.random.default_rng([seed, _PURPOSE, n, k]) for k in which])


def _batch(samples: list[Units]) -> Units:
    """Samples laid behind each other: continuum c of sample s is number s · continua + c."""
    each = len(samples[0].annotators)

    def column(name: str) -> np.ndarray:
        return np.concatenate([getattr(s, name) for s in samples])

    number: Ints = np.concatenate([s.continuum + k * each for k, s in enumerate(samples)])
    return Units(number, column("annotator"), column("start"), column("end"), column("label"), column("annotators"))
