"""Useful groups: sets of units, at most one per annotator, that cost less together than in any smaller groups.

Gains and dissimilarities are in Δ here. A group S gains |S| − 1 − Σ_{pairs of S} (d − 1) / C over its units alone. Its
parts are groups too, so a group that gains no more than some way to cut it up is never needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from accord.core.arrays import Bools, Floats, Ints
from accord.core.errors import DataError
from accord.measures.alignment.pairs import MOST_MEMORY, NOTHING, Pairs
from accord.measures.alignment.units import Units

_LARGEST = 8  # units in one group: it has 2⁸ parts
_AT_ONCE = 1 << 21
_CROWDED = 20  # times the groups that may be listed: so many candidates for them are not even looked at


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows of unit numbers (-1 behind the last) and their gains, in Δ; components that have too many to list them."""

    rows: Ints
    gain: Floats
    exploded: Ints


def useful_groups(units: Units, pairs: Pairs, delta: float, component: Ints, most: Ints | int) -> Groups:
    """Grown by one annotator at a time along candidate pairs: all pairs of a useful group are candidates.

    A component explodes when it has more than `most` of them.
    """
    index = _Index(units, pairs, pairs.d / delta - 1, component)
    of_pair = component[pairs.u]
    exploded = np.bincount(of_pair, minlength=int(component.max(initial=-1)) + 1) > _CROWDED * most
    listed_pairs = np.flatnonzero(~exploded[of_pair])
    grown = np.stack([pairs.u[listed_pairs], pairs.v[listed_pairs]], axis=1)
    excess = index.excess[listed_pairs, None]
    total = np.zeros(len(exploded), dtype=np.int64)
    rows: list[Ints] = []
    gains: list[Floats] = []
    while len(grown):
        size = grown.shape[1]
        gain, useful, open_ = _judged(index, grown, excess)
        rows.append(grown[useful])
        gains.append(gain[useful])
        grown, excess = grown[open_], excess[open_]
        total += np.bincount(component[rows[-1][:, 0]], minlength=len(total))
        expected = np.bincount(component[grown[:, 0]], weights=index.degree[grown[:, -1]], minlength=len(total))
        exploded |= (total > most) | (expected > _CROWDED * most) | ((size >= _LARGEST) & (expected > 0))
        keep = ~exploded[component[grown[:, 0]]]
        grown, excess = index.extended(grown[keep], excess[keep])
        _refuse_too_many(sum(part.nbytes for part in rows) + grown.nbytes + 2 * excess.nbytes)
    few = [~exploded[component[part[:, 0]]] for part in rows]
    widest = max((part.shape[1] for part, some in zip(rows, few, strict=True) if some.any()), default=2)
    listed, gained = [np.zeros((0, widest), dtype=np.int64)], [np.zeros(0)]
    for part, gain, some in zip(rows, gains, few, strict=True):
        if some.any():
            listed.append(np.pad(part[some], ((0, 0), (0, widest - part.shape[1])), constant_values=-1))
            gained.append(gain[some])
    return Groups(np.concatenate(listed), np.concatenate(gained), np.flatnonzero(exploded))


class _Index:
    """The candidate pairs, to be looked up: the later partners of a unit, and how far apart two units are."""

    def __init__(self, units: Units, pairs: Pairs, excess: Floats, component: Ints) -> None:
        self.partner, self.excess, self.component = pairs.v, excess, component
        self._keys = pairs.u * np.int64(len(units)) + pairs.v
        self._units = len(units)
        self._starts = np.searchsorted(pairs.u, np.arange(len(units) + 1))
        self.degree = np.diff(self._starts)
        self.all_pairs = units.all_pairs[units.continuum]
        self.later = units.present[units.continuum] - 1 - units.rank  # annotators that can still join

    def extended(self, grown: Ints, excess: Floats) -> tuple[Ints, Floats]:
        """Each group with one unit more, of a later annotator, that is a candidate with every unit in it."""
        found = [self._extended(grown[some], excess[some]) for some in _chunks(self.degree[grown[:, -1]], _AT_ONCE)]
        if not found:
            return grown[:0], excess[:0]
        return np.concatenate([rows for rows, _ in found]), np.concatenate([values for _, values in found])

    def _extended(self, grown: Ints, excess: Floats) -> tuple[Ints, Floats]:
        last = grown[:, -1]
        counts = self.degree[last]
        parent = np.repeat(np.arange(len(grown)), counts)
        at = np.arange(len(parent)) + np.repeat(self._starts[last] - np.cumsum(counts) + counts, counts)
        columns = [at]
        for k in range(grown.shape[1] - 2, -1, -1):
            wanted = grown[parent, k] * np.int64(self._units) + self.partner[at]
            where = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
            known = self._keys[where] == wanted
            parent, at, columns = parent[known], at[known], [column[known] for column in columns]
            columns.insert(0, where[known])
        new = self.excess[np.stack(columns, axis=1)]
        return np.column_stack([grown[parent], self.partner[at]]), np.hstack([excess[parent], new])


def _refuse_too_many(needed: int) -> None:
    if needed > MOST_MEMORY:
        raise DataError(
            f"the groups of units that could align take {needed / 2**30:,.0f} GB and more "
            f"(at most {MOST_MEMORY / 2**30:,.0f}): score fewer documents, or fewer annotators, at a time"
        )


def _chunks(counts: Ints, most: int) -> Iterator[slice]:
    """Stretches of which the counts add up to about `most`."""
    ends = np.cumsum(counts)
    low = 0
    while low < len(counts):
        high = max(low + 1, int(np.searchsorted(ends, (ends[low - 1] if low else 0) + most, side="right")))
        yield slice(low, high)
        low = high


def _judged(index: _Index, grown: Ints, excess: Floats) -> tuple[Floats, Ints, Ints]:
    """The gain of each group, which of them are useful, and which may be part of a useful one."""
    gains, useful, open_ = [], [], []
    step = max(1, (_AT_ONCE >> grown.shape[1]))
    for low in range(0, len(grown), step):
        some = slice(low, low + step)
        later = index.later[grown[some, -1]].astype(np.float64)
        gain, best_parts, hope = _weighed(excess[some], index.all_pairs[grown[some, 0]], later)
        gains.append(gain)
        useful.append(low + np.flatnonzero(gain > best_parts + NOTHING))
        open_.append(low + np.flatnonzero(hope))
    return np.concatenate(gains), np.concatenate(useful), np.concatenate(open_)


def _weighed(excess: Floats, all_pairs: Floats, later: Floats) -> tuple[Floats, Floats, Bools]:
    """The gain of each group, the most that its parts gain, and whether `later` units more could make it useful.

    Let P be the group, B a part of it, A the rest, and S a useful group, P and t units X more. S gains more than A with
    X and B cut up at its best do: gain(B) + 1 − cross(A ∪ X, B) / C > best(B). Each of the t·|B| pairs of X and B is at
    least −1: cross(A, B) < C·(1 + gain(B) − best(B)) + t·|B|.
    """
    subsets, splits = _parts(excess.shape[1])
    inside = np.stack([excess[:, list(pairs)].sum(axis=1) for _, pairs in subsets])
    best = np.empty_like(inside)
    hope = later > 0
    whole = len(subsets) - 1
    for k, (members, _) in enumerate(subsets):
        gain = (members - 1) - inside[k] / all_pairs
        parts = np.zeros_like(gain)
        for a, b in splits[k]:
            np.maximum(parts, best[a] + best[b], out=parts)
        best[k] = np.maximum(gain, parts)
        rest = whole - k - 1
        cross = inside[whole] - inside[k] - (inside[rest] if rest >= 0 else 0.0)
        hope &= cross < all_pairs * (1 + gain - best[k]) + later * members + NOTHING
    return gain, parts, hope


@cache
def _parts(pairs: int) -> tuple[list[tuple[int, tuple[int, ...]]], list[list[tuple[int, int]]]]:
    """Of a group with that many pairs: of each part its size and its pairs; and how each part is cut in two.

    Part k holds unit i where bit i of k + 1 is 1; pair (i, j), i < j, is column j(j − 1)/2 + i.
    """
    size = int((1 + (1 + 8 * pairs) ** 0.5) / 2)
    subsets, splits = [], []
    for mask in range(1, 1 << size):
        members = [i for i in range(size) if mask >> i & 1]
        subsets.append((len(members), tuple(j * (j - 1) // 2 + i for j in members for i in members if i < j)))
        splits.append([(a - 1, (mask ^ a) - 1) for a in range(1, mask) if a & mask == a and a < mask ^ a])
    return subsets, splits
