"""The best alignment by brute force: the formulas of the paper, with explicit empty units."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from accord.measures.alignment.units import Units
from accord.measures.dissimilarities import Dissimilarity


def disorder(units: Units, group: tuple[int, ...], dissimilarity: Dissimilarity) -> float:
    """Eq. 6: the mean over all pairs of annotators, where a pair with an empty unit costs Δ."""
    n = int(units.annotators[units.continuum[group[0]]])
    filled: list[int | None] = [*group, *[None] * (n - len(group))]
    total = 0.0
    for a, b in combinations(filled, 2):
        if a is None or b is None:
            total += dissimilarity.delta
        else:
            total += float(dissimilarity.between(units, np.array([a]), np.array([b]))[0])
    return total / (n * (n - 1) / 2) if n > 1 else dissimilarity.delta


def best_partition(units: Units, dissimilarity: Dissimilarity) -> float:
    """Σ of the disorders of the best unitary alignments of one continuum."""
    groups = _groups(units, dissimilarity)

    def rest(left: frozenset[int]) -> float:
        if not left:
            return 0.0
        first = min(left)
        return min(cost + rest(left - group) for group, cost in groups if first in group and group <= left)

    return rest(frozenset(range(len(units))))


def best_cover(units: Units, dissimilarity: Dissimilarity) -> float:
    """The same for soft alignments, where units may be in several unitary alignments."""
    groups = _groups(units, dissimilarity)
    known: dict[frozenset[int], float] = {frozenset(): 0.0}

    def rest(left: frozenset[int]) -> float:
        if left not in known:
            first = min(left)
            known[left] = min(cost + rest(left - group) for group, cost in groups if first in group)
        return known[left]

    return rest(frozenset(range(len(units))))


def _groups(units: Units, dissimilarity: Dissimilarity) -> list[tuple[frozenset[int], float]]:
    listed = [(frozenset(group), disorder(units, group, dissimilarity)) for group in _combinations(units, 0)]
    return [(group, cost) for group, cost in listed if cost < np.inf]


def _combinations(units: Units, first: int) -> Iterator[tuple[int, ...]]:
    """All sets of units from number `first` on, at most one per annotator."""
    for unit in range(first, len(units)):
        yield (unit,)
        for more in _combinations(units, unit + 1):
            if units.annotator[unit] not in units.annotator[list(more)]:
                yield (unit, *more)
