"""Consensus of labels: the most frequent label of each item."""

from __future__ import annotations

import numpy as np

from accord.answers.gold.consensus import NAME, Consensus, Rates, Seats
from accord.core.arrays import Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.model.ratings import Numbered, Ratings
from accord.measures.measure import Measure


def consensus(data: Ratings, measure: Measure | None = None, run: Run | None = None) -> Consensus:  # noqa: ARG001
    """Return the most frequent label; ties choose the middle category, or the lower of two."""
    if not len(data):
        raise DataError("nothing-annotated", "the data contain no labels; check --label and --missing")
    item, label, _ = _rows(data)
    n, q = _size(data), len(data.categories)
    key, count = np.unique(item * q + label, return_counts=True)
    of_item, code = np.divmod(key, q)
    most = np.zeros(n, dtype=np.int64)
    np.maximum.at(most, of_item, count)
    tied = np.flatnonzero(count == most[of_item])
    many = np.bincount(of_item[tied], minlength=n)
    labelled = np.flatnonzero(many)
    middle = tied[(np.cumsum(many) - many + (many - 1) // 2)[labelled]]
    chosen = np.full(n, -1, dtype=np.int64)
    chosen[labelled] = code[middle]
    seats_ = seats(data)
    reference = Ratings(
        item=labelled.astype(np.int32),
        annotator=np.zeros(len(labelled), dtype=np.int32),
        label=chosen[labelled].astype(np.int32),
        items=data.items if data.times is None else Numbered(n),
        annotators=(NAME,),
        categories=data.categories,
        variable=data.variable,
    )
    return Consensus(reference, seats_, most[labelled], Rates(wrong=float((label != chosen[item]).mean())))


def seats(data: Ratings) -> Seats:
    item, _, annotator = _rows(data)
    return Seats.of(item, annotator, _size(data), len(data.annotators))


def _size(data: Ratings) -> int:
    return len(data.items) if data.times is None else int(data.times.sum())


def _rows(data: Ratings) -> tuple[Ints, Ints, Ints]:
    """Return item, label and annotator of each entry; expand items that occur several times."""
    item, label, annotator = (c.astype(np.int64) for c in (data.item, data.label, data.annotator))
    if data.times is None:
        return item, label, annotator
    times = data.times[item]
    first = (np.cumsum(data.times) - data.times)[item]
    within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    return np.repeat(first, times) + within, np.repeat(label, times), np.repeat(annotator, times)
