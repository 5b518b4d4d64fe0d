"""Boundary edits: what must be added, moved a little or given another type to make two segmentations the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.data.model.boundaries import ranges

WEIGHTS = ("scaled", "unit", "te")
MATCHINGS = ("optimal", "greedy")
_LARGEST = 2**62
_NO_COST = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Prices:
    """What edits cost: an addition 1, a transposition by its distance, a substitution by the distance of the types."""

    n_t: int
    weight: str
    worth: Ints  # a number for each type
    span: int | None  # of the types' numbers; None: every substitution costs 1

    @cached_property
    def transpositions(self) -> tuple[Ints, int]:
        """w_t by distance (0 is no transposition), as whole numbers over a common denominator."""
        distance = np.arange(self.n_t, dtype=np.int64)
        if self.weight == "scaled":
            return distance, self.n_t
        if self.weight == "unit":
            return np.ones_like(distance), 1
        below = 2 ** max(self.n_t - 2, 0)
        return 2 * below - below // 2 ** np.maximum(distance - 1, 0), below

    def of_transpositions(self, distance: Ints) -> tuple[Ints, int]:
        """The cost of each, as a whole number over a common denominator: sums stay exact."""
        above, below = self.transpositions
        return above[distance], below

    def of_substitutions(self, one: Ints, other: Ints) -> tuple[Ints, int]:
        if self.span is None:
            return np.ones(len(one), dtype=np.int64), 1
        return np.abs(self.worth[one] - self.worth[other]), self.span

    @property
    def crossing_may_pay(self) -> bool:
        """Whether one long and one short transposition may cost less than two of middle length."""
        return self.weight == "te" and self.n_t > 2

    def gains(self, boundaries: int) -> tuple[Ints, int | None, int]:
        """What a transposition saves by distance, and a substitution by difference, against two additions.

        Whole numbers: costs are compared exactly. Of two ways that cost the same, the one with fewer edits is taken.
        """
        above, below = self.transpositions
        span = self.span or 1
        scale = below * span
        first = boundaries + 1 if 2 * scale * (boundaries + 1) ** 2 < _LARGEST else 1
        by_distance = (2 * scale - above * span) * first + 1
        return by_distance, None if self.span is None else scale * first // span, 2 * scale * first + 1


@dataclass(frozen=True, eq=False)
class Edits:
    """All boundaries that only one of two segmentations has, and the partner of each; −1: it is added or deleted."""

    position: Ints
    label: Ints
    from_first: NDArray[np.bool_]
    mate: Ints
    matched: Ints  # positions of the boundaries that both have
    prices: Prices

    @property
    def matches(self) -> int:
        return len(self.matched)

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints]:
        first = np.flatnonzero(self.from_first & (self.mate >= 0))
        return first, self.mate[first]

    @cached_property
    def _moved(self) -> NDArray[np.bool_]:
        first, second = self._pairs
        return self.position[first] != self.position[second]

    @property
    def transpositions(self) -> list[tuple[int, int, int]]:
        """Position in the first, in the second, type."""
        first, second = (side[self._moved] for side in self._pairs)
        columns = self.position[first], self.position[second], self.label[first]
        return list(zip(*(c.tolist() for c in columns), strict=True))

    @property
    def substitutions(self) -> list[tuple[int, int, int]]:
        """Position, type in the first, in the second."""
        first, second = (side[~self._moved] for side in self._pairs)
        columns = self.position[first], self.label[first], self.label[second]
        return list(zip(*(c.tolist() for c in columns), strict=True))

    @property
    def additions(self) -> list[tuple[int, int, bool]]:
        """Position, type, and whether it is the first that has it."""
        alone = self.mate < 0
        columns = self.position[alone], self.label[alone], self.from_first[alone]
        return list(zip(*(c.tolist() for c in columns), strict=True))

    def counts(self, stride: int | None = None, n: int = 1) -> dict[str, Floats]:
        """How many edits of each kind, and their cost. Texts side by side, `stride` apart, are counted one by one."""
        first, second = self._pairs
        moved, alone = self._moved, self.mate < 0
        far = np.abs(self.position[first[moved]] - self.position[second[moved]])
        other = self.label[first[~moved]], self.label[second[~moved]]

        def each(position: Ints, cost: tuple[Ints, int] = (_NO_COST, 1)) -> Floats:
            text = position // stride if stride else np.zeros(len(position), dtype=np.int64)
            weights = None if cost[0] is _NO_COST else cost[0]
            return np.bincount(text, weights=weights, minlength=n).astype(np.float64) / cost[1]

        return {
            "additions": each(self.position[alone]),
            "only_first": each(self.position[alone & self.from_first]),
            "transpositions": each(self.position[first[moved]]),
            "transposed": each(self.position[first[moved]], self.prices.of_transpositions(far)),
            "substitutions": each(self.position[first[~moved]]),
            "substituted": each(self.position[first[~moved]], self.prices.of_substitutions(*other)),
            "matches": each(self.matched),
        }


COUNTS = ("additions", "only_first", "transpositions", "transposed", "substitutions", "substituted", "matches")


def edits(first: tuple[Ints, Ints], second: tuple[Ints, Ints], prices: Prices, matching: str = "optimal") -> Edits:
    """Between two segmentations, each given as positions and types, sorted by position and then by type."""
    types = len(prices.worth)
    keys = [position * types + label for position, label in (first, second)]
    only = [_without(keys[0], keys[1]), _without(keys[1], keys[0])]
    key = np.concatenate(only)
    order = np.argsort(key, kind="stable")
    position, label = np.divmod(key[order], types)
    from_first = order < len(only[0])
    if matching == "optimal":
        mate = _optimal(position, label, from_first, prices)
    else:
        mate = _greedy(position, label, from_first, prices)
    return Edits(position, label, from_first, mate, _without(keys[0], only[0]) // types, prices)


def _without(keys: Ints, others: Ints) -> Ints:
    """Sorted keys that are not among the others."""
    if not len(others):
        return keys
    at = np.minimum(np.searchsorted(others, keys), len(others) - 1)
    return keys[others[at] != keys]


def _optimal(position: Ints, label: Ints, from_first: NDArray[np.bool_], prices: Prices) -> Ints:
    """The cheapest edits. Types meet at one place only, so most boundaries are paired type by type, in order."""
    from accord.measures.segmentations.kernels import best_in_order

    mate = np.full(len(position), -1, dtype=np.int64)
    by_distance, _, _ = prices.gains(len(position))
    hard = _entangled(position, from_first, prices)
    if hard.any():
        at = np.flatnonzero(hard)
        found = _assigned(position[at], label[at], from_first[at], prices, len(position))
        mate[at] = np.where(found < 0, -1, at[found])
    # Types far apart on one line.
    stride = int(position[-1]) + 2 * prices.n_t if len(position) else 1
    line = label * stride + position
    order = np.argsort(line, kind="stable")
    easy = order[~hard[order]]
    first, second = easy[from_first[easy]], easy[~from_first[easy]]
    in_order = best_in_order.for_work(len(first) * min(len(second), len(by_distance)))
    partner = in_order(line[first], line[second], by_distance)
    paired = partner >= 0
    mate[first[paired]] = second[partner[paired]]
    mate[second[partner[paired]]] = first[paired]
    return mate


def _entangled(position: Ints, from_first: NDArray[np.bool_], prices: Prices) -> NDArray[np.bool_]:
    """Boundaries that cannot be paired one type after the other, in order: those near a possible substitution."""
    if prices.crossing_may_pay:
        return np.ones(len(position), dtype=bool)
    none = np.zeros(len(position), dtype=bool)
    if len(prices.worth) < 2 or not len(position):
        return none
    same = np.diff(position) == 0
    group = np.concatenate([[0], np.cumsum(~same)])
    firsts = np.bincount(group, weights=from_first)
    meet = (firsts > 0) & (firsts < np.bincount(group))
    if not meet.any():
        return none
    cluster = np.concatenate([[0], np.cumsum(np.diff(position) >= prices.n_t)])
    near = np.zeros(int(cluster[-1]) + 1, dtype=bool)
    near[cluster[meet[group]]] = True
    return near[cluster]


def _assigned(position: Ints, label: Ints, from_first: NDArray[np.bool_], prices: Prices, boundaries: int) -> Ints:
    """The same by a sparse assignment: every transposition and substitution that is possible is an edge."""
    from accord.measures.alignment.matching import best_matching

    first, second = np.flatnonzero(from_first), np.flatnonzero(~from_first)
    low = np.searchsorted(position[second], position[first] - prices.n_t, side="right")
    high = np.searchsorted(position[second], position[first] + prices.n_t, side="left")
    low = np.minimum(low, np.searchsorted(position[second], position[first]))  # n_t = 1: the place itself
    high = np.maximum(high, np.searchsorted(position[second], position[first], side="right"))
    a, b = np.repeat(np.arange(len(first)), high - low), ranges(low, high - low)
    distance = np.abs(position[first[a]] - position[second[b]])
    one, other = label[first[a]], label[second[b]]
    possible = (distance == 0) != (one == other)
    a, b, distance, one, other = (column[possible] for column in (a, b, distance, one, other))
    by_distance, by_difference, most = prices.gains(boundaries)
    cost = np.abs(prices.worth[one] - prices.worth[other]) * by_difference if by_difference is not None else most // 2
    gain = np.where(distance > 0, by_distance[distance], most - cost).astype(np.float64)
    starts = np.searchsorted(a, np.arange(len(first) + 1))
    edge = np.asarray(best_matching.for_work(len(b) * len(first))(starts, b, gain, len(second))[0])
    mate = np.full(len(position), -1, dtype=np.int64)
    paired = np.flatnonzero(edge >= 0)
    mate[first[paired]] = second[b[edge[paired]]]
    mate[second[b[edge[paired]]]] = first[paired]
    return mate


def _greedy(position: Ints, label: Ints, from_first: NDArray[np.bool_], prices: Prices) -> Ints:
    """As segeval: transpositions first, the shortest before the others; then substitutions, the nearest types."""
    from scipy.optimize import linear_sum_assignment

    from accord.measures.segmentations.kernels import greedy_transpositions

    greedy = greedy_transpositions.for_work(len(position) * prices.n_t)
    mate = np.asarray(greedy(position, label, from_first, len(prices.worth), prices.n_t))
    left = np.flatnonzero(mate < 0)
    if len(prices.worth) < 2 or not len(left):
        return mate
    for here in np.split(left, np.flatnonzero(np.diff(position[left])) + 1):
        one, other = here[from_first[here]], here[~from_first[here]]
        if len(one) and len(other):
            apart = np.abs(prices.worth[label[one]][:, None] - prices.worth[label[other]][None, :])
            rows, columns = linear_sum_assignment(apart)
            mate[one[rows]], mate[other[columns]] = other[columns], one[rows]
    return mate
