"""Pairs of units that may stand in one unitary alignment: found in windows of sorted units, not among all pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.core.errors import DataError
from accord.measures.alignment.units import Units
from accord.measures.dissimilarities import Dissimilarity

MOST_MEMORY = 8 << 30  # bytes that candidates may take before an alignment is refused
NOTHING = 1e-12  # of Δ: no gain, but for rounding
_PAIR_BYTES = 16
_AT_ONCE = 1 << 21  # pairs looked at together
_CHUNK = 1 << 16  # units whose windows are found together: their numbers sort as 16-bit integers
_SAMPLE = 1 << 14  # units whose windows show beforehand how many pairs there will be
_MOST_LAYERS = 4


@dataclass(frozen=True, eq=False)
class Pairs:
    """Units u and v of different annotators of one continuum (annotator of u before that of v), and how far apart.

    Sorted by u, then v.
    """

    u: Ints
    v: Ints
    d: Floats

    def components(self, units: int) -> Ints:
        """Of each unit: the same number where candidate pairs lead from one unit to the other."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        graph = coo_array((np.ones(len(self.u), dtype=np.int8), (self.u, self.v)), shape=(units, units))
        _, component = connected_components(graph, directed=False)
        return component.astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Bucket:
    """Units of like length in the order of their middles: those within `reach` of a unit are a slice."""

    members: Ints
    place: Floats
    longest: float
    layer: int  # only units whose rank is lower look for partners here
    mixed: bool  # not all members are of that rank


@dataclass(frozen=True, eq=False)
class _Line:
    """All continua one behind the other on one line, each as long as it has units, so that none drowns in another."""

    place: Floats  # of the middle of each unit
    length: Floats
    reach: Floats
    slack: float


def farthest_useful(units: Units, delta: float) -> Floats:
    """No pair of a useful unitary alignment of each continuum is as far apart: cutting one unit off is not dearer.

    Σ_v (d(u,v) − Δ) < C·Δ over the others v; each of the p − 2 others, where p annotators marked anything, is at least
    −Δ: d < (C + p − 1)·Δ.
    """
    return (units.all_pairs + units.present - 1) * delta


def candidate_pairs(units: Units, dissimilarity: Dissimilarity) -> Pairs:
    """All pairs of units, which are in canonical order, that are near enough to be useful."""
    found = [_sorted(*chunk) for chunk in close_pairs(units, dissimilarity)]
    if not found:
        nothing = np.zeros(0, dtype=np.int64)
        return Pairs(nothing, nothing, np.zeros(0))
    u, v, d = (np.concatenate(column) for column in zip(*found, strict=True))
    return Pairs(u, v, d)


def pair_gains(units: Units, dissimilarity: Dissimilarity) -> tuple[Ints, NDArray[np.int32], Floats]:
    """Pairs worth more than alone: u has the partners v[starts[u]:starts[u + 1]], which gain so much, in Δ."""
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
    """u, v and d of the useful pairs, chunk by chunk: each holds all pairs of some units u, sorted by u."""
    limit = farthest_useful(units, dissimilarity.delta)
    reach = dissimilarity.reach(limit)
    looking = np.flatnonzero(units.rank + 1 < units.present[units.continuum])
    if not len(looking):
        return
    if np.isfinite(reach[units.present > 1]).all():
        line = _line(units, reach)
        buckets = _buckets(units, line)
    else:  # positions do not count: every two units of a continuum may align
        line, buckets = None, [_whole(units)]
    _refuse_too_many(units, line, buckets, looking)
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
    """By length in steps of 2, and by annotator where there are few: fewer pairs are found in vain."""
    some = line.length > 0
    size = np.where(some, np.floor(np.log2(np.where(some, line.length, 1.0))), -2000.0)  # below all: no length
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
    """The first of the bucket's members that each u may align with, and the one behind the last."""
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
    """The pairs of the slices that are near enough, sorted by u."""
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


def _refuse_too_many(units: Units, line: _Line | None, buckets: list[_Bucket], looking: Ints) -> None:
    """A guess from some of the units: an honest refusal is better than a machine that stands still."""
    some = looking[:: len(looking) // _SAMPLE + 1]
    pairs = sum(int((last - first).sum()) for first, last in (_slices(units, line, b, some) for b in buckets))
    needed = pairs * (len(looking) / len(some)) * _PAIR_BYTES
    if needed > MOST_MEMORY:
        raise DataError(
            f"about {needed / _PAIR_BYTES:,.0f} pairs of units could align, which takes {needed / 2**30:,.0f} GB "
            f"(at most {MOST_MEMORY / 2**30:,.0f}): units overlap too much; score shorter stretches or fewer annotators"
        )
