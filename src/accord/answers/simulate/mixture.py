"""The mixture of errors that explains a corpus: the one whose annotators differ from their consensus as these do.

Rates from a consensus are no magnitudes. What two of three annotators missed looks like an addition of the third one;
the median of few lies near each of them; a unit without a partner is aligned with another one nearby. So errors are
found by simulation: annotators who make them are measured from *their* consensus in the same way, each error alone
first and their mixture then, until the simulated annotators show what the real ones do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from accord.answers.consensus.making import Consensus, Rates, consensus
from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.errors.combination import Combination
from accord.answers.simulate.shuffle import Erring, Reference
from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.parallel import spread
from accord.core.probability import t_quantile
from accord.measures.base import Measure

SETS = (5, 10)  # of simulated annotators at each point: at least, at most
_POINTS = (0.15, 0.4, 0.7, 1.0)  # of the largest magnitude that an error can have here
_ROUNDS = 3
_PURPOSE = 62  # of the generators of these sets
_LEAST = 1e-3  # below, an error is not a part of the mixture
_RATES = tuple(field.name for field in fields(Rates) if field.name != "disorder")


@dataclass(frozen=True, eq=False)
class Mixing:
    """A consensus, what errors are measured from, and the largest magnitude that each error can have.

    An error has no larger part in a mixture than it would have alone.
    """

    consensus: Consensus
    reference: Reference
    most: Mapping[ErrorType, float]
    annotators: int
    measure: Measure | None
    sets: int
    run: Run

    def found(self) -> Combination | None:
        """The errors that explain the consensus, with the magnitude of each; None where no two can be told apart.

        An error is a part only where the others explain significantly less without it.
        """
        if len(self.most) < 2 or np.isnan(self._without).any() or np.allclose(self._observed, self._without):
            return None
        sizes, together = np.zeros(len(self.most)), self._without
        weights = self._weights(np.array([_variance(shown) for row in self._each for shown in row]).mean(axis=0))
        for _ in range(_ROUNDS):
            sizes = self._needed(self._observed - together, weights)
            shown = self._shown([sizes])[0]
            if len(_there(shown)) < 2:
                break
            together = _there(shown).mean(axis=0) - self._alone(sizes)
            weights = self._weights(_variance(shown))
        parts = {error: size for error, size in zip(self.most, sizes.tolist(), strict=True) if size > _LEAST}
        return Combination(tuple(parts), tuple(round(size, 4) for size in parts.values())) if parts else None

    @cached_property
    def _observed(self) -> Floats:
        return _seen(self.consensus, self.annotators)

    @cached_property
    def _without(self) -> Floats:
        """What is seen where nobody errs: not all may have looked at every document."""
        return self._drawn((np.zeros(len(self.most)), 0))

    @cached_property
    def _points(self) -> Floats:
        """Of each error, the magnitudes at which it is looked at alone."""
        return np.outer(list(self.most.values()), _POINTS)

    @cached_property
    def _each(self) -> Floats:
        """Errors × points × sets × what is seen."""
        wanted = [np.eye(len(self.most))[e] * m for e, row in enumerate(self._points) for m in row]
        return self._shown(wanted).reshape(len(self.most), len(_POINTS), self.sets, -1)

    @cached_property
    def _effects(self) -> list[tuple[Floats, Floats]]:
        """Of each error, magnitudes and what it adds there to what is seen; where nothing is left, it is not known."""
        found = []
        for points, shown in zip(self._points, self._each, strict=True):
            known = [k for k, sets in enumerate(shown) if len(_there(sets))]
            means = [_there(shown[k]).mean(axis=0) - self._without for k in known]
            found.append((np.append(0.0, points[known]), np.array([np.zeros_like(self._without), *means])))
        return found

    def _alone(self, sizes: Floats) -> Floats:
        """What errors would add if they did not meet each other."""
        total = np.zeros_like(self._observed)
        for size, (at, added) in zip(sizes.tolist(), self._effects, strict=True):
            total += [np.interp(size, at, column) for column in added.T]
        return total

    def _weights(self, variance: Floats) -> Floats:
        """How sure each of the things seen is: by its spread over sets, and to one unit of one annotator at best."""
        least = 1.0 / (len(self.reference.data) * self.annotators) ** 2
        weights: Floats = 1 / np.sqrt(variance * (1 + 1 / self.sets) + least)
        return weights

    def _needed(self, wanted: Floats, weights: Floats) -> Floats:
        """The sizes that explain what is wanted best, of as few errors as do."""
        some = np.ones(len(self.most), dtype=bool)
        sizes, left = self._best(wanted, weights, some)
        while some.sum() > 1:
            others = [(k, some & (np.arange(len(some)) != k)) for k in np.flatnonzero(some)]
            without = [(*self._best(wanted, weights, other), k) for k, other in others]
            tried, more, k = min(without, key=lambda one: one[1])
            if more - left > t_quantile(self.sets - 1, 0.975) ** 2:  # more than chance alone would explain
                break
            some[k], sizes, left = False, tried, more
        return sizes

    def _best(self, wanted: Floats, weights: Floats, some: NDArray[np.bool_]) -> tuple[Floats, float]:
        """Least squares, of some errors alone, and what is left."""
        from scipy.optimize import least_squares

        high = np.array(list(self.most.values()))
        there = np.flatnonzero(some)

        def sizes(part: Floats) -> Floats:
            full = np.zeros(len(high))
            full[there] = part
            return full

        def off(part: Floats) -> Floats:
            return (wanted - self._alone(sizes(part))) * weights

        starts = [high[there] * share for share in (0.1, 0.5)]
        tried = [least_squares(off, start, bounds=(0.0, high[there]), diff_step=np.array([0.02])) for start in starts]
        best = min(tried, key=lambda one: float(one.cost))
        return sizes(best.x), 2 * float(best.cost)

    def _shown(self, sizes: list[Floats]) -> Floats:
        """What simulated annotators show: sizes × sets × what is seen."""
        tasks = [(point, s) for point in sizes for s in range(self.sets)]
        shown = spread(self._drawn, tasks, self.run, "mixing errors")
        return np.array(shown).reshape(len(sizes), self.sets, -1)

    @property
    def _drawn(self) -> Callable[[tuple[Floats, int]], Floats]:
        """A set by its sizes and its number: it goes to workers, and who watches does not."""
        return partial(_set, self.reference, tuple(self.most), self.annotators, self.measure, self.run.seed)


def _set(
    reference: Reference,
    errors: tuple[ErrorType, ...],
    annotators: int,
    measure: Measure | None,
    seed: int,
    task: tuple[Floats, int],
) -> Floats:
    """A set of annotators with errors of some sizes; NaN where they have no consensus."""
    sizes, number = task
    mixed = Combination(errors, tuple(sizes.tolist()))
    made = reference.shuffled([Erring(mixed, 1.0)] * annotators, [(seed, _PURPOSE, number)])
    try:
        found = consensus(made, measure, Run(seed, jobs=1))
    except DataError:
        return np.full(len(_RATES) + 1, math.nan)
    return _seen(found, annotators)


def _seen(found: Consensus, annotators: int) -> Floats:
    """How annotators differ from their consensus, and how much its support varies: misses do that, additions do not."""
    rates = [getattr(found.rates, name) for name in _RATES]
    return np.array([*rates, float(np.std(found.support)) / annotators])


def _there(shown: Floats) -> Floats:
    """Sets that have a consensus."""
    return shown[~np.isnan(shown).any(axis=1)]


def _variance(shown: Floats) -> Floats:
    there = _there(shown)
    return there.var(axis=0, ddof=1) if len(there) > 1 else np.zeros(shown.shape[1])
