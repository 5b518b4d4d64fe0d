"""Consensus of boundaries: positions near which at least half of the annotators set one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accord.answers.gold.consensus import NAME, Consensus, Rates, Seats
from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.model.segmentations import Segmentations
from accord.measures.measure import Measure

_REACH = 0.75  # of a mean segment; with less, a moved boundary looks like one missed and one added


def consensus(data: Segmentations, measure: Measure | None = None, run: Run | None = None) -> Consensus:  # noqa: ARG001
    """Cluster boundaries within three quarters of a mean segment; keep clusters of at least half of the annotators.

    The type is the most frequent one of the cluster; ties choose the first type.
    """
    typed, data = data, data.untyped
    seats_ = seats(data)
    many = seats_.each
    row = np.repeat(np.arange(len(data.doc)), np.diff(data.offsets))
    types = _types(typed)
    position, support, label, counts = [], [], [], np.zeros(len(data.docs), dtype=np.int64)
    chances = present = extra = wrong = 0
    moved = 0.0
    for d in range(len(data.docs)):
        mine = np.flatnonzero(data.doc[row] == d)
        mine = mine[np.argsort(data.position[mine], kind="stable")]
        n = int(many[d])
        reach = max(1.0, _REACH * n * float(data.lengths[d]) / max(len(mine) + n, 1))
        for places in _clusters(data.position[mine].tolist(), data.annotator[row[mine]].tolist(), reach):
            if 2 * len(places) < n:
                extra += len(places)
                continue
            at = np.array([place for place, _ in places])
            middle = int(np.floor(np.median(at) + 0.5))
            given = [types[d, annotator, place] for place, annotator in places]
            named = np.bincount([k for kinds in given for k in kinds])
            position.append(middle)
            support.append(len(places))
            label.append(int(named.argmax()))
            counts[d] += 1
            chances, present = chances + n, present + len(places)
            wrong += sum(kinds != [label[-1]] for kinds in given)
            moved += float(np.abs(at - middle).sum())
    if not position:
        raise DataError(
            "nothing-annotated",
            "no boundary was set by half of the annotators, so there is no consensus; choose an annotator with "
            "--reference NAME, or a gold standard with --gold FILE",
        )
    reference = replace(
        data,
        doc=np.arange(len(data.docs)),
        annotator=np.zeros(len(data.docs), dtype=np.int64),
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        position=np.array(position, dtype=np.int64),
        label=np.array(label, dtype=np.int64),
        annotators=(NAME,),
        categories=typed.categories,
        features={},
        notes=(),
        places=None,
    )
    segment = float(data.lengths.sum()) / (len(position) + len(data.docs))
    rates = Rates(1 - present / chances, extra / chances, 0.0, moved / present / segment, wrong / present)
    return Consensus(reference, seats_, np.array(support), rates)


def seats(data: Segmentations) -> Seats:
    return Seats.of(data.doc.astype(np.int64), data.annotator.astype(np.int64), len(data.docs), len(data.annotators))


def _types(data: Segmentations) -> dict[tuple[int, int, int], list[int]]:
    """Types of each boundary, by document, annotator and position."""
    row = np.repeat(np.arange(len(data.doc)), np.diff(data.offsets))
    types: dict[tuple[int, int, int], list[int]] = {}
    columns = (data.doc[row], data.annotator[row], data.position, data.label)
    for d, a, place, kind in zip(*(c.tolist() for c in columns), strict=True):
        types.setdefault((d, a, place), []).append(kind)
    return types


def _clusters(positions: list[int], annotators: list[int], reach: float) -> list[list[tuple[int, int]]]:
    """Join neighbouring boundaries, nearest first, at most one per annotator: (position, annotator)."""
    first = list(range(len(positions)))  # first boundary of each cluster; valid at both ends of a cluster
    last, seen = first.copy(), [{annotator} for annotator in annotators]
    for k in sorted(range(1, len(positions)), key=lambda k: positions[k] - positions[k - 1]):
        low, high = first[k - 1], last[k]
        if positions[high] - positions[low] <= reach and seen[low].isdisjoint(seen[k]):
            seen[low] |= seen[k]
            first[high], last[low] = low, high
    begun = [k for k in range(len(positions)) if first[last[k]] == k]
    return [[(positions[m], annotators[m]) for m in range(k, last[k] + 1)] for k in begun]
