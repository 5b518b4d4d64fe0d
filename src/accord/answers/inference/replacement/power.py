"""How many items the alternative annotator test takes: studies are drawn, and each is decided as the test decides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.core.arrays import Bools, Floats, Ints

PASSED = 0.5  # of the people
_MOST = 10_000_000  # items
_CELLS = 40_000_000  # studies × kinds of items


@dataclass(frozen=True, eq=False)
class Leads:
    """Whom an item is won by: 1 the person, -1 the model, 0 nobody; NaN: the person has no part in it.

    A row per kind of item, a column per person; `share` says how frequent each kind is.
    """

    lead: Floats
    share: Floats

    @classmethod
    def of_pilot(cls, found: Sequence[tuple[Ints, Floats]]) -> Leads:
        """From the items of each person, and who leads there."""
        items = np.unique(np.concatenate([items for items, _ in found]))
        table = np.full((len(items), len(found)), np.nan)
        for column, (mine, lead) in enumerate(found):
            table[np.searchsorted(items, mine), column] = lead
        kinds, times = np.unique(np.nan_to_num(table, nan=2.0), axis=0, return_counts=True)
        return cls(np.where(kinds == 2.0, np.nan, kinds), times / len(items))

    @classmethod
    def assumed(cls, advantage: float, ties: float, people: int) -> Leads:
        """The same rates for all people, who are independent: see `drawn`."""
        chances = np.array([advantage - ties, ties, 1 - advantage])
        return cls(np.repeat(np.array([[-1.0], [0.0], [1.0]]), people, axis=1), chances)

    @property
    def means(self) -> Floats:
        """Of each person, over the items that they have a part in."""
        there = ~np.isnan(self.lead)
        return np.asarray((np.nan_to_num(self.lead).T @ self.share) / (there.T @ self.share))

    @property
    def sd(self) -> float:
        """Per item, the mean over people."""
        there = ~np.isnan(self.lead)
        squares = (np.nan_to_num(self.lead).T ** 2 @ self.share) / (there.T @ self.share)
        return float(np.sqrt(np.maximum(squares - self.means**2, 0.0)).mean())


@dataclass(frozen=True, eq=False)
class Trial:
    """The test that is planned."""

    leads: Leads
    epsilon: float
    q: float
    least_items: int
    independent: bool = False  # people are drawn one by one, not item by item

    @property
    def possible(self) -> bool:
        """Whether enough people are less than ε ahead, so that items are all it takes."""
        return bool((self.leads.means < self.epsilon).mean() >= PASSED)

    def power(self, n: int, studies: int, rng: np.random.Generator) -> float:
        """The share of studies of n items in which the model passes."""
        return float(np.mean([one for part in _parts(studies, self.leads) for one in self._passed(n, part, rng)]))

    def _passed(self, n: int, studies: int, rng: np.random.Generator) -> Bools:
        lead = self.leads.lead
        there = ~np.isnan(lead)
        if self.independent:
            drawn = rng.multinomial(n, self.leads.share, size=(studies, lead.shape[1])).astype(np.float64)
            ahead, behind = drawn[:, :, 2], drawn[:, :, 0]
            size = np.full(ahead.shape, float(n))
        else:
            drawn = rng.multinomial(n, self.leads.share, size=studies).astype(np.float64)
            ahead, behind, size = drawn @ (lead == 1), drawn @ (lead == -1), drawn @ there
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (ahead - behind) / size
            variance = np.maximum(ahead + behind - size * mean**2, 0.0) / (size - 1)
        p = np.where(size >= self.least_items, p_below(size, mean, variance, self.epsilon), np.nan)
        tested = (~np.isnan(p)).sum(axis=1)
        return (tested > 0) & (benjamini_yekutieli(p, self.q).sum(axis=1) >= PASSED * tested)

    def items(self, power: float, studies: int, rng: np.random.Generator) -> float:
        """The least number of items with that power; infinite where none is enough."""
        if not self.possible:
            return math.inf
        low, high = self.least_items - 1, self.least_items
        while self.power(high, studies, rng) < power:
            if high >= _MOST:
                return math.inf
            low, high = high, min(2 * high, _MOST)
        while high - low > max(1, high // 200):
            middle = (low + high) // 2
            low, high = (low, middle) if self.power(middle, studies, rng) >= power else (middle, high)
        return high


def _parts(studies: int, leads: Leads) -> list[int]:
    """So many at a time that they fit."""
    at_once = max(1, _CELLS // max(len(leads.share) + 4 * leads.lead.shape[1], 1))
    return [min(at_once, studies - done) for done in range(0, studies, at_once)]


def p_below(n: Floats, mean: Floats, variance: Floats, epsilon: float) -> Floats:
    """One-sided t tests that people are ahead by less than ε; without any spread the mean alone decides."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        found = stdtr(n - 1, (mean - epsilon) / np.sqrt(variance / n))
    return np.where(variance > 0, found, np.where(mean < epsilon, 0.0, 1.0))


def benjamini_yekutieli(ps: Floats, q: float) -> Bools:
    """Which hypotheses of a row fall with the false discovery rate held at q, whatever depends on what; NaN: none."""
    many = (~np.isnan(ps)).sum(axis=1, keepdims=True)
    harmonic = np.concatenate([[1.0], np.cumsum(1 / np.arange(1, ps.shape[1] + 1))])[many]
    order = np.argsort(ps, axis=1, kind="stable")  # NaN last
    rank = np.arange(1, ps.shape[1] + 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        below = np.take_along_axis(ps, order, axis=1) <= q * rank / (many * harmonic)
    fall = rank <= np.where(below, rank, 0).max(axis=1, initial=0, keepdims=True)
    rejected = np.zeros(ps.shape, dtype=bool)
    np.put_along_axis(rejected, order, fall, axis=1)
    return rejected
