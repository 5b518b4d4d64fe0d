"""Number of samples for a given precision (5.3), and the sums stored per sample.

Each sample is stored as two sums, a numerator and a denominator. If continua differ in their numbers of annotators,
each number of annotators is a stratum. Neyman (1934) allocation gives the number of samples per stratum that reaches
the precision of the total at the lowest cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, quoted
from accord.core.parallel import spread
from accord.core.probability import normal_quantile
from accord.measures.alignment.best import FEW, units_count_as
from accord.measures.alignment.units import Units

FEWEST_SAMPLES, MOST_SAMPLES = 2, 1_000_000
_BEYOND_COUNTING = 10**12
_UNITS_AT_ONCE = 5_000  # units solved together; a larger sample is solved alone
FEWEST = 3  # samples per stratum; fewer give no usable spread
_ENOUGH = 10  # with fewer samples, a stratum's spread is at least the pooled spread


@dataclass(frozen=True)
class Sampling:
    """Sampling plan: the chance model, the number of first samples, and the target relative precision at a level."""

    model: str
    first: int = 30
    precision: float | None = 0.02
    level: float = 0.95


def samples_needed(cv: float, precision: float, level: float = 0.95) -> float:
    """Return n₀ = (C_v · U / e)²."""
    ratio = cv * normal_quantile((1 + level) / 2) / precision
    return ratio * ratio  # multiplication gives infinity where ** raises OverflowError


def samples_wanted(mean: float, off: Floats, sampling: Sampling) -> int:
    """Return the number of samples for the target precision, from the mean and deviations of the first samples."""
    if sampling.precision is None or not mean > 0:
        return sampling.first
    cv = float(off.std(ddof=1)) / mean
    needed = samples_needed(cv, sampling.precision, sampling.level)
    return max(sampling.first, math.floor(min(needed, _BEYOND_COUNTING) + 0.5))


def check_samples(name: str, samples: object) -> None:
    """Raise SpecError unless the number of first samples is a whole number in range."""
    whole = isinstance(samples, int) and not isinstance(samples, bool)
    if not whole or not FEWEST_SAMPLES <= samples <= MOST_SAMPLES:  # type: ignore[operator]
        raise SpecError(
            "measure-option",
            f"{name}: samples must be a whole number from {FEWEST_SAMPLES} to {MOST_SAMPLES:,}, not {quoted(samples)}",
        )


def check_feasible(needed: int, sampling: Sampling) -> int:
    """Return the number of samples, or raise DataError if it exceeds the limit."""
    if needed > MOST_SAMPLES:
        about = f"about {needed:,}" if needed < _BEYOND_COUNTING else f"more than {_BEYOND_COUNTING:,}"
        raise DataError(
            "measure-option",
            f"precision={sampling.precision:g} needs {about} random samples, but the limit is {MOST_SAMPLES:,}; "
            "use a larger value such as precision=0.05",
        )
    return needed


# -- samples as sums -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Sums:
    """Numerators and denominators of random annotations: one row per sample, one column per continuum."""

    above: Floats
    below: Floats
    slack: Floats | None = None  # largest possible excess of each `above` over the best alignment; None: 0
    further: Floats | None = None  # additional sums over all samples, weighted by their shares

    @classmethod
    def joined(cls, parts: Sequence[Sums]) -> Sums:
        above, below = np.concatenate([p.above for p in parts]), np.concatenate([p.below for p in parts])
        further = [p.further for p in parts if p.further is not None]
        slack = np.concatenate([p.slack_of_each for p in parts]) if any(p.slack is not None for p in parts) else None
        return cls(above, below, slack, np.sum(further, axis=0) if further else None)

    @property
    def slack_of_each(self) -> Floats:
        return np.zeros_like(self.above) if self.slack is None else self.slack

    def at(self, rows: Sequence[int] | np.ndarray, weight: Floats | float = 1.0) -> Sums:
        """Return some samples, each multiplied by its weight."""
        weight = np.broadcast_to(weight, len(rows))[:, None]
        above, below, slack = (part[rows] * weight for part in (self.above, self.below, self.slack_of_each))
        return Sums(above, below, slack)


Summing = Callable[[Units, Floats], Sums]  # arguments: concatenated samples, and the weight of each sample


@dataclass(frozen=True, eq=False)
class Drawn:
    """Samples with equal shares, or all combinations with their probabilities."""

    sums: Sums
    shares: Floats
    counted: bool = False  # all combinations were enumerated; nothing was drawn

    @property
    def samples(self) -> int:
        return 0 if self.counted else len(self.shares)

    @property
    def combinations(self) -> int:
        return len(self.shares) if self.counted else 0

    @property
    def means(self) -> tuple[float, float]:
        """Return the means of the numerator and the denominator."""
        return float((self.shares @ self.sums.above).sum()), float((self.shares @ self.sums.below).sum())

    @property
    def gap(self) -> float:
        """Return the largest possible excess of the numerator over the best alignments, relative to it."""
        above = self.means[0]
        return float((self.shares @ self.sums.slack_of_each).sum()) / above if above > 0 else 0.0

    @property
    def further(self) -> Floats | None:
        """Return the means of the additional sums."""
        return self.sums.further if self.counted or self.sums.further is None else self.sums.further / self.samples

    @property
    def ratio(self) -> float:
        above, below = self.means
        return above / below if below > 0 else math.nan

    def and_more(self, source: SampleSource, function: Summing, wanted: int, run: Run) -> Drawn:
        """Return these samples, extended to the wanted number."""
        have = len(self.shares)
        if wanted <= have:
            return self
        more = source.sums(function, range(have, wanted), run)
        return share_equally(Sums.joined([self.sums, more]) if have else more)


def share_equally(sums: Sums) -> Drawn:
    """Return samples with equal shares."""
    return Drawn(sums, np.full(len(sums.above), 1 / len(sums.above)))


NO_SAMPLES = Drawn(Sums(np.zeros((0, 1)), np.zeros((0, 1))), np.zeros(0))


@dataclass(frozen=True, eq=False)
class SampleSource:
    """Source of numbered random annotations. Task sizes depend on the data only, never on the number of workers."""

    make: Callable[[range], Units]
    units: float  # mean number per sample
    annotators: int
    shares: Floats | None = None  # probability of each combination, if all combinations are enumerated

    def sums(self, function: Summing, wanted: range, run: Run) -> Sums:
        together = solved_together(self.annotators, self.units)
        tasks = [wanted[k : k + together] for k in range(0, len(wanted), together)]
        task = partial(_applied, self.make, function, self.shares)
        return Sums.joined(spread(task, tasks, run, f"aligning {len(wanted):,} random samples"))


def solved_together(annotators: int, units: float) -> int:
    """Return how many continua with these numbers of annotators and units the solver receives at once."""
    many = _UNITS_AT_ONCE / int(units_count_as(annotators))
    return 1 if annotators > FEW else max(1, int(many / max(units, 1)))


def _applied(make: Callable[[range], Units], function: Summing, shares: Floats | None, which: range) -> Sums:
    counts = np.ones(len(which)) if shares is None else shares[which.start : which.stop]
    return function(make(which), counts)


def ratio(sums: Sums) -> tuple[float, Floats]:
    """Return the pooled quotient of all samples, and the deviation of each sample from it."""
    if not sums.below.sum() > 0:
        return math.nan, np.zeros(len(sums.above))
    quotient = float(sums.above.sum() / sums.below.sum())
    return quotient, ((sums.above - quotient * sums.below) / sums.below.mean()).ravel()


def spread_of(off: Floats) -> float:
    return float(off.std(ddof=1)) if len(off) > 1 else 0.0


# -- allocation to strata -----------------------------------------------------------------------------------------


def allocate_first_samples(shares: Sequence[float], first: int, fewest: int = FEWEST) -> Ints:
    """Return the number of first samples per stratum, proportional to its weight."""
    share = np.asarray(shares, dtype=np.float64)
    if len(share) == 1 or not share.sum() > 0:
        return np.full(len(share), first, dtype=np.int64)
    least = min(fewest, first)
    return np.maximum(least, np.ceil(first * share / share.sum() - 1e-9)).astype(np.int64)


def pool_spreads(means: Floats, spreads: Floats, samples: Ints, drawn: Sequence[bool]) -> Floats:
    """Return the spread of each stratum, with a lower bound for strata with few samples.

    The lower bound is the relative spread of all strata pooled, times the mean of the stratum.
    """
    some = np.asarray(drawn) & (samples > 1)
    freedom = np.where(some, samples - 1, 0)
    relative = np.divide(spreads, means, out=np.zeros(len(means)), where=means > 0)
    together = math.sqrt(float(freedom @ relative**2) / freedom.sum()) if freedom.sum() else 0.0
    few = np.asarray(drawn) & (samples < _ENOUGH)
    return np.where(few, np.maximum(spreads, together * means), np.where(drawn, spreads, 0.0))


def allocate_samples(spreads: Floats, costs: Floats, least: Ints, variance: float) -> Floats:
    """Return the samples per stratum that give the sum of stratum means this variance: nₕ ∝ spreadₕ / √costₕ.

    A stratum receives at least `least` samples. A stratum fixed at `least` uses less of the variance than planned, and
    the rest is shared among the others.
    """
    wanted = least.astype(np.float64)
    open_ = spreads > 0
    left = variance
    while open_.any():
        root = np.sqrt(costs[open_])
        share = spreads[open_] / root * float(spreads[open_] @ root) / left
        low = share < least[open_]
        if not low.any():
            wanted[open_] = share
            break
        fixed = np.flatnonzero(open_)[low]
        open_[fixed] = False
        # stays above 0: each fixed stratum used less than its share
        left -= float((spreads[fixed] ** 2 / least[fixed]).sum())
    return wanted
