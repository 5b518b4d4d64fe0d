"""Samples of chance as sums: what is divided and what it is divided by, sample by sample."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.parallel import spread
from accord.measures.alignment.many import FEW, units_count_as
from accord.measures.alignment.units import Units

_UNITS_AT_ONCE = 5_000  # solved together; a sample of more is solved alone


@dataclass(frozen=True, eq=False)
class Sums:
    """Two sums over random annotations, one to be divided by the other: a row per sample, a column per continuum."""

    above: Floats
    below: Floats
    slack: Floats | None = None  # how far each of `above` may be from the best alignment; None: they are the best
    further: Floats | None = None  # sums over all samples, each times its share

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
        """Some samples, each counting so much."""
        weight = np.broadcast_to(weight, len(rows))[:, None]
        above, below, slack = (part[rows] * weight for part in (self.above, self.below, self.slack_of_each))
        return Sums(above, below, slack)


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
    def gap(self) -> float:
        """How far what is divided may be above that of the best alignments, as a share of it."""
        above = self.means[0]
        return float((self.shares @ self.sums.slack_of_each).sum()) / above if above > 0 else 0.0

    @property
    def further(self) -> Floats | None:
        """The means of the sums over all samples."""
        return self.sums.further if self.counted or self.sums.further is None else self.sums.further / self.samples

    @property
    def ratio(self) -> float:
        above, below = self.means
        return above / below if below > 0 else math.nan

    def and_more(self, source: Source, function: Summing, wanted: int, run: Run) -> Drawn:
        """Samples up to so many."""
        have = len(self.shares)
        if wanted <= have:
            return self
        more = source.sums(function, range(have, wanted), run)
        return evenly(Sums.joined([self.sums, more]) if have else more)


def evenly(sums: Sums) -> Drawn:
    """Samples that count alike."""
    return Drawn(sums, np.full(len(sums.above), 1 / len(sums.above)))


NO_SAMPLES = Drawn(Sums(np.zeros((0, 1)), np.zeros((0, 1))), np.zeros(0))


@dataclass(frozen=True, eq=False)
class Source:
    """Random annotations, by number. How they are cut into tasks depends on the data alone, never on the workers."""

    make: Callable[[range], Units]
    units: float  # in a sample
    annotators: int
    shares: Floats | None = None  # how likely each is, where they are all that there are

    def sums(self, function: Summing, wanted: range, run: Run) -> Sums:
        together = solved_together(self.annotators, self.units)
        tasks = [wanted[k : k + together] for k in range(0, len(wanted), together)]
        task = partial(_applied, self.make, function, self.shares)
        return Sums.joined(spread(task, tasks, run, f"aligning {len(wanted):,} random samples"))


def solved_together(annotators: int, units: float) -> int:
    """How many continua of so many annotators and units are handed to the solver at once."""
    many = _UNITS_AT_ONCE / int(units_count_as(annotators))
    return 1 if annotators > FEW else max(1, int(many / max(units, 1)))


def _applied(make: Callable[[range], Units], function: Summing, shares: Floats | None, which: range) -> Sums:
    counts = np.ones(len(which)) if shares is None else shares[which.start : which.stop]
    return function(make(which), counts)


def ratio(sums: Sums) -> tuple[float, Floats]:
    """The quotient of all samples together, larger ones counting more; and the deviation of each from it."""
    if not sums.below.sum() > 0:
        return math.nan, np.zeros(len(sums.above))
    quotient = float(sums.above.sum() / sums.below.sum())
    return quotient, ((sums.above - quotient * sums.below) / sums.below.mean()).ravel()


def spread_of(off: Floats) -> float:
    return float(off.std(ddof=1)) if len(off) > 1 else 0.0
