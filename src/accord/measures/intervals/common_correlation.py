"""Donner & Eliasziw 1992: two annotators, two categories, the common correlation model.

Of n items, n1 are positive for both, n2 for one, n3 for none. With prevalence π the model gives these probabilities
π² + κπ(1−π), 2π(1−π)(1−κ) and (1−π)² + κπ(1−π); κ is Scott's π. The interval is all κ that a χ² test does not reject.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from accord.core.probability import chi2_above, normal_quantile

_STEPS = 200


@dataclass(frozen=True)
class CommonCorrelation:
    """The three counts."""

    both: float
    one: float
    none: float

    @property
    def n(self) -> float:
        return self.both + self.one + self.none

    @property
    def prevalence(self) -> float:
        return (2 * self.both + self.one) / (2 * self.n)

    @property
    def value(self) -> float:
        p = self.prevalence
        return 1 - self.one / (2 * self.n * p * (1 - p)) if 0 < p < 1 else math.nan

    def chi2(self, kappa: float) -> float:
        """How far the counts are from what a κ would give, at the observed prevalence; 1 degree of freedom."""
        p = self.prevalence
        mixed = p * (1 - p)
        expected = (p * p + kappa * mixed, 2 * mixed * (1 - kappa), (1 - p) ** 2 + kappa * mixed)
        total = 0.0
        for count, share in zip((self.both, self.one, self.none), expected, strict=True):
            if share <= 0:
                if count > 0 or share < 0:
                    return math.inf
                continue
            total += (count - self.n * share) ** 2 / (self.n * share)
        return total

    def p(self, kappa: float) -> float:
        """Of the test that κ is this."""
        statistic = self.chi2(kappa)
        return 0.0 if math.isinf(statistic) else chi2_above(1, statistic)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """By inversion of the test."""
        p = self.prevalence
        lowest = max(-p / (1 - p), -(1 - p) / p)  # below, a probability would be negative
        limit = normal_quantile((1 + level) / 2) ** 2
        return self._end(lowest, limit), self._end(1.0, limit)

    def _end(self, outside: float, limit: float) -> float:
        if self.chi2(outside) <= limit:
            return outside
        inside, far = self.value, outside
        for _ in range(_STEPS):
            middle = (inside + far) / 2
            inside, far = (middle, far) if self.chi2(middle) <= limit else (inside, middle)
        return (inside + far) / 2
