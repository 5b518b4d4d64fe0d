"""Units as columns, and the candidate pairs and groups for unitary alignments.

Pairs are found in windows of sorted units, without comparing all pairs. A group has at most one unit per annotator. A
group is useful if it costs less than its units in any smaller groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Bools, Floats, Ints
from accord.core.errors import DataError
from accord.measures.dissimilarities import Dissimilarity

MOST_MEMORY = 8 << 30  # limit in bytes for candidates of an alignment
NOTHING = 1e-12  # in Δ: smaller gains are rounding errors
_PAIR_BYTES = 16
_AT_ONCE = 1 << 21  # pairs processed together
_CHUNK = 1 << 16  # units whose windows are searched together; their indices fit into 16 bits
_SAMPLE = 1 << 14  # units sampled to estimate the number of pairs
_MOST_LAYERS = 4
_LARGEST = 8  # units per group; a group of 8 has 2⁸ parts
_GROWN_AT_ONCE = 1 << 21
_CROWDED = 20  # a component with this multiple of the listing limit in candidates is skipped


@dataclass(frozen=True, eq=False)
class Units:
    """Units of many continua. `annotators[c]` is n of continuum c, including annotators without units."""

    continuum: Ints
    annotator: Ints
    start: Floats
    end: Floats
    label: Ints  # -1: no label
    annotators: Ints

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def length(self) -> Floats:
        return self.end - self.start

    @cached_property
    def canonical(self) -> Ints:
        """Return an order of the units that does not depend on the input, so that ties are broken consistently."""
        order: Ints = np.lexsort((self.label, self.end, self.start, self.annotator, self.continuum))
        return order

    def at(self, index: Ints) -> Units:
        return Units(
            self.continuum[index],
            self.annotator[index],
            self.start[index],
            self.end[index],
            self.label[index],
            self.annotators,
        )

    @cached_property
    def counts(self) -> Ints:
        """Return the number of units of each continuum."""
        return np.bincount(self.continuum, minlength=len(self.annotators))

    @cached_property
    def per_annotator(self) -> Floats:
        """Return x̄ of each continuum: the mean number of units per annotator."""
        mean: Floats = self.counts / np.maximum(self.annotators, 1)
        return mean

    @cached_property
    def rank(self) -> Ints:
        """Return, for units in canonical order, the rank of their annotator among those with units in the continuum."""
        new = np.diff(self.continuum, prepend=-1) != 0
        other = new | (np.diff(self.annotator, prepend=-1) != 0)
        so_far = np.cumsum(other) - 1
        return so_far - np.repeat(so_far[new], self.counts[self.counts > 0])

    @cached_property
    def present(self) -> Ints:
        """Return, for units in canonical order, the number of annotators with units in each continuum."""
        last = np.cumsum(self.counts) - 1
        marked = self.counts > 0
        present = np.zeros(len(self.annotators), dtype=np.int64)
        present[marked] = self.rank[last[marked]] + 1
        return present

    @cached_property
    def all_pairs(self) -> Floats:
        """Return C = n(n−1)/2 of each continuum; 1 for a single annotator."""
        n = self.annotators.astype(np.float64)
        return np.maximum(n * (n - 1) / 2, 1.0)


# -- pairs of units ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of units u and v of one continuum, where u has the earlier annotator, with their dissimilarity.

    They are sorted by u, then v.
    """

    u: Ints
    v: Ints
    d: Floats

    def components(self, units: int) -> Ints:
        """Return the connected component of each unit in the graph of candidate pairs."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        graph = coo_array((np.ones(len(self.u), dtype=np.int8), (self.u, self.v)), shape=(units, units))
        _, component = connected_components(graph, directed=False)
        return component.astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Bucket:
    """Units of similar length, sorted by their midpoints, so that those within `reach` of a unit are a slice."""

    members: Ints
    place: Floats
    longest: float
    layer: int  # only units of lower rank search for partners here
    mixed: bool  # some members have a lower rank


@dataclass(frozen=True, eq=False)
class _Line:
    """All continua on one line, one after the other, each scaled to its number of units to keep precision."""

    place: Floats  # midpoint of each unit
    length: Floats
    reach: Floats
    slack: float


def farthest_useful(units: Units, delta: float) -> Floats:
    """Return an upper limit on the dissimilarity of pairs in a useful unitary alignment of each continuum.

    Beyond it, removing one unit of the pair does not cost more. For a useful group, Σ_v (d(u,v) − Δ) < C·Δ over the
    other units v. If p annotators have units, each of the other p − 2 terms is at least −Δ. Hence d < (C + p − 1)·Δ.
    """
    return (units.all_pairs + units.present - 1) * delta


def candidate_pairs(units: Units, dissimilarity: Dissimilarity) -> Pairs:
    """Return all pairs of units in canonical order that are close enough to be useful."""
    found = [_sorted(*chunk) for chunk in close_pairs(units, dissimilarity)]
    if not found:
        nothing = np.zeros(0, dtype=np.int64)
        return Pairs(nothing, nothing, np.zeros(0))
    u, v, d = (np.concatenate(column) for column in zip(*found, strict=True))
    return Pairs(u, v, d)


def pair_gains(units: Units, dissimilarity: Dissimilarity) -> tuple[Ints, NDArray[np.int32], Floats]:
    """Return pairs that gain over single units: the partners of u are v[starts[u]:starts[u + 1]]; gains are in Δ."""
    counts = np.zeros(len(units), dtype=np.int64)
    partners, gains = [np.zeros(0, dtype=np.int32)], [np.zeros(0)]
    for u, v, d in close_pairs(units, dissimilarity):
        c = units.all_pairs[units.continuum[u]] if len(units.annotators) > 1 else units.all_pairs[0]
        gain = 1 - (d / dissimilarity.delta - 1) / c
        some = gain > NOTHING
        if some.any():
            counts[u[0] : u[-1] + 1] = np.bincount(u[some] - u[0], minlength=int(u[-1] + 1 - u[0]))
            partners.append(v[some].astype(np.int32))
            gains.append(gain[some])
    v_all = np.concatenate(partners)
    partners.clear()
    return np.concatenate([[0], np.cumsum(counts)]), v_all, np.concatenate(gains)


def close_pairs(units: Units, dissimilarity: Dissimilarity) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Yield u, v and d of the useful pairs in chunks; a chunk contains all pairs of its units u, sorted by u."""
    limit = farthest_useful(units, dissimilarity.delta)
    reach = dissimilarity.reach(limit)
    looking = np.flatnonzero(units.rank + 1 < units.present[units.continuum])
    if not len(looking):
        return
    if np.isfinite(reach[units.present > 1]).all():
        line = _line(units, reach)
        buckets = _buckets(units, line)
    else:  # positions have no weight: any two units of a continuum may align
        line, buckets = None, [_whole(units)]
    _refuse_too_many_pairs(units, line, buckets, looking)
    for begin in range(0, len(looking), _CHUNK):
        some = looking[begin : begin + _CHUNK]
        slices = [_slices(units, line, bucket, some) for bucket in buckets]
        ends = np.cumsum(sum(last - first for first, last in slices))
        low = 0
        while low < len(some):
            high = max(low + 1, int(np.searchsorted(ends, (ends[low - 1] if low else 0) + _AT_ONCE, side="right")))
            yield _near(
                units, dissimilarity, limit, some[low:high], buckets, [(a[low:high], b[low:high]) for a, b in slices]
            )
            low = high


def _sorted(u: Ints, v: Ints, d: Floats) -> tuple[Ints, Ints, Floats]:
    order = np.lexsort((v, u))
    return u[order], v[order], d[order]


def _line(units: Units, reach: Floats) -> _Line:
    continua = len(units.annotators)
    low, high, widest = np.full(continua, np.inf), np.full(continua, -np.inf), np.zeros(continua)
    np.minimum.at(low, units.continuum, units.start)
    np.maximum.at(high, units.continuum, units.end)
    np.maximum.at(widest, units.continuum, units.length)
    marked = units.counts > 0
    extent = np.where(marked, high, 0.0) - np.where(marked, low, 0.0) + np.where(units.present > 1, reach, 0.0) * widest
    scale = np.where(extent > 0, units.counts, 1.0) / np.where(extent > 0, extent, 1.0)
    begin = np.cumsum(units.counts + 1) - (units.counts + 1)
    c = units.continuum
    place = ((units.start - low[c]) + (units.end - low[c])) / 2 * scale[c] + begin[c]
    return _Line(place, units.length * scale[c], reach[c], 1e-13 * (len(units) + continua))


def _buckets(units: Units, line: _Line) -> list[_Bucket]:
    """Group units by length in powers of 2, and by annotator if there are few, to reduce useless candidates."""
    some = line.length > 0
    size = np.where(some, np.floor(np.log2(np.where(some, line.length, 1.0))), -2000.0)  # units of length 0 sort first
    layered = int(units.present.max()) <= _MOST_LAYERS
    layer = units.rank if layered else np.minimum(units.rank, 1)
    order = np.lexsort((line.place, size, layer))
    order = order[np.searchsorted(layer[order], 1) :]
    edges = np.flatnonzero((np.diff(size[order], prepend=-3000.0) != 0) | (np.diff(layer[order], prepend=-1) != 0))
    return [
        _Bucket(some, line.place[some], float(line.length[some].max()), int(units.rank[some].max()), not layered)
        for some in np.split(order, edges[1:])
    ]


def _whole(units: Units) -> _Bucket:
    return _Bucket(np.arange(len(units)), np.zeros(0), 0.0, int(units.rank.max()), True)


def _slices(units: Units, line: _Line | None, bucket: _Bucket, u: Ints) -> tuple[Ints, Ints]:
    """Return the slice of the bucket's members that each u may align with, as first and last + 1."""
    if line is None:
        end = np.cumsum(units.counts)[units.continuum[u]]
        return u + 1, end
    half = line.reach[u] * (line.length[u] + bucket.longest) / 2 + line.slack
    first = np.searchsorted(bucket.place, line.place[u] - half, side="left")
    last = np.searchsorted(bucket.place, line.place[u] + half, side="right")
    return first, np.where(units.rank[u] < bucket.layer, last, first)


def _near(
    units: Units,
    dissimilarity: Dissimilarity,
    limit: Floats,
    looking: Ints,
    buckets: list[_Bucket],
    slices: list[tuple[Ints, Ints]],
) -> tuple[Ints, Ints, Floats]:
    """Return the pairs in the slices that are close enough, sorted by u."""
    found = []
    for bucket, (first, last) in zip(buckets, slices, strict=True):
        counts = last - first
        who = np.repeat(np.arange(len(looking)), counts)
        v = bucket.members[np.arange(len(who)) + np.repeat(first - np.cumsum(counts) + counts, counts)]
        u = looking[who]
        if bucket.mixed or len(limit) > 1:
            keep = (units.continuum[u] == units.continuum[v]) & (units.rank[u] < units.rank[v])
            who, u, v = who[keep], u[keep], v[keep]
        d = dissimilarity.between(units, u, v)
        near = d < (limit[units.continuum[u]] if len(limit) > 1 else limit[0])
        found.append((who[near].astype(np.uint16), v[near], d[near]))
    who, v, d = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(who, kind="stable")
    return looking[who[order]], v[order], d[order]


def _refuse_too_many_pairs(units: Units, line: _Line | None, buckets: list[_Bucket], looking: Ints) -> None:
    """Raise DataError if the candidate pairs, estimated from a sample of units, would exceed the memory limit."""
    some = looking[:: len(looking) // _SAMPLE + 1]
    pairs = sum(int((last - first).sum()) for first, last in (_slices(units, line, b, some) for b in buckets))
    needed = pairs * (len(looking) / len(some)) * _PAIR_BYTES
    if needed > MOST_MEMORY:
        raise DataError(
            "too-large-to-compute",
            f"about {needed / _PAIR_BYTES:,.0f} pairs of units could align, which needs {needed / 2**30:,.0f} GB of "
            f"memory (limit: {MOST_MEMORY / 2**30:,.0f} GB); split long documents, or score fewer annotators at a time",
        )


# -- groups of units -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows of units, padded with -1, with their gains in Δ; and components with too many groups to list."""

    rows: Ints
    gain: Floats
    exploded: Ints


def useful_groups(units: Units, pairs: Pairs, delta: float, component: Ints, most: Ints | int) -> Groups:
    """Return the useful groups, grown by one annotator at a time along candidate pairs.

    All pairs of a useful group are candidates. A component with more than `most` groups is reported as exploded.
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
        _refuse_too_many_groups(sum(part.nbytes for part in rows) + grown.nbytes + 2 * excess.nbytes)
    few = [~exploded[component[part[:, 0]]] for part in rows]
    widest = max((part.shape[1] for part, some in zip(rows, few, strict=True) if some.any()), default=2)
    listed, gained = [np.zeros((0, widest), dtype=np.int64)], [np.zeros(0)]
    for part, gain, some in zip(rows, gains, few, strict=True):
        if some.any():
            listed.append(np.pad(part[some], ((0, 0), (0, widest - part.shape[1])), constant_values=-1))
            gained.append(gain[some])
    return Groups(np.concatenate(listed), np.concatenate(gained), np.flatnonzero(exploded))


class _Index:
    """Lookup tables of the candidate pairs: later partners of a unit, and the excess of each pair."""

    def __init__(self, units: Units, pairs: Pairs, excess: Floats, component: Ints) -> None:
        self.partner, self.excess, self.component = pairs.v, excess, component
        self._keys = pairs.u * np.int64(len(units)) + pairs.v
        self._units = len(units)
        self._starts = np.searchsorted(pairs.u, np.arange(len(units) + 1))
        self.degree = np.diff(self._starts)
        self.all_pairs = units.all_pairs[units.continuum]
        self.later = units.present[units.continuum] - 1 - units.rank  # later annotators who can still join

    def extended(self, grown: Ints, excess: Floats) -> tuple[Ints, Floats]:
        """Extend each group by one unit of a later annotator that is a candidate with all its units."""
        found = [
            self._extended(grown[some], excess[some]) for some in _chunks(self.degree[grown[:, -1]], _GROWN_AT_ONCE)
        ]
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


def _refuse_too_many_groups(needed: int) -> None:
    if needed > MOST_MEMORY:
        raise DataError(
            "too-large-to-compute",
            f"the possible groups of units need more than {needed / 2**30:,.0f} GB of memory "
            f"(limit: {MOST_MEMORY / 2**30:,.0f} GB); score fewer documents, or fewer annotators, at a time",
        )


def _chunks(counts: Ints, most: int) -> Iterator[slice]:
    """Yield slices with counts that add up to about `most`."""
    ends = np.cumsum(counts)
    low = 0
    while low < len(counts):
        high = max(low + 1, int(np.searchsorted(ends, (ends[low - 1] if low else 0) + most, side="right")))
        yield slice(low, high)
        low = high


def _judged(index: _Index, grown: Ints, excess: Floats) -> tuple[Floats, Ints, Ints]:
    """Return the gain of each group, the useful groups, and the groups that may be part of a larger useful group."""
    gains, useful, open_ = [], [], []
    step = max(1, (_GROWN_AT_ONCE >> grown.shape[1]))
    for low in range(0, len(grown), step):
        some = slice(low, low + step)
        later = index.later[grown[some, -1]].astype(np.float64)
        gain, best_parts, hope = _weighed(excess[some], index.all_pairs[grown[some, 0]], later)
        gains.append(gain)
        useful.append(low + np.flatnonzero(gain > best_parts + NOTHING))
        open_.append(low + np.flatnonzero(hope))
    return np.concatenate(gains), np.concatenate(useful), np.concatenate(open_)


def _weighed(excess: Floats, all_pairs: Floats, later: Floats) -> tuple[Floats, Floats, Bools]:
    """Return the gain of each group, the largest gain of its parts, and whether more units could make it useful.

    Let P be the group, B a part of it, and A the rest. Let S be a useful group that consists of P and t more units X. S
    gains more than A ∪ X together with the best partition of B, so gain(B) + 1 − cross(A ∪ X, B) / C > best(B). Each of
    the t·|B| pairs between X and B is at least −1. Hence cross(A, B) < C·(1 + gain(B) − best(B)) + t·|B|.
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
    """Return the size and pairs of each part of a group with this number of pairs, and all splits of each part in two.

    Part k contains unit i if bit i of k + 1 is 1. Pair (i, j), i < j, is column j(j − 1)/2 + i.
    """
    size = int((1 + (1 + 8 * pairs) ** 0.5) / 2)
    subsets, splits = [], []
    for mask in range(1, 1 << size):
        members = [i for i in range(size) if mask >> i & 1]
        subsets.append((len(members), tuple(j * (j - 1) // 2 + i for j in members for i in members if i < j)))
        splits.append([(a - 1, (mask ^ a) - 1) for a in range(1, mask) if a & mask == a and a < mask ^ a])
    return subsets, splits
