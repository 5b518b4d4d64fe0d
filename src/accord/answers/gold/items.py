"""Consensus of labels: the most frequent label of each item, or the median where labels have an order."""

from __future__ import annotations

import numpy as np

from accord.answers.gold.consensus import NAME, Consensus, Rates, Seats
from accord.core.arrays import Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.model.measurement import ORDERED
from accord.data.model.ratings import Numbered, Ratings
from accord.measures.measure import Measure


def consensus(data: Ratings, measure: Measure | None = None, run: Run | None = None) -> Consensus:  # noqa: ARG001
    """Return the most frequent label; for ordered labels the median. Every item gets a label that occurs.

    Ties choose the middle category, or the lower of two, because a reference for simulations needs a label.
    """
    if not len(data):
        raise DataError("nothing-annotated", "the data contain no labels; check --label and --missing")
    item, label, _ = _rows(data)
    n = _size(data)
    choose = _medians if data.measurement.level in ORDERED else _most_frequent
    labelled, chosen = choose(data, item, label, n)
    agreed = np.full(n, -1, dtype=np.int64)
    agreed[labelled] = chosen
    same = label == agreed[item]
    reference = Ratings(
        item=labelled.astype(np.int32),
        annotator=np.zeros(len(labelled), dtype=np.int32),
        label=chosen.astype(np.int32),
        items=data.items if data.times is None else Numbered(n),
        annotators=(NAME,),
        categories=data.categories,
        variable=data.variable,
        level=data.measurement,
    )
    support = np.bincount(item[same], minlength=n)[labelled].astype(np.int64)
    return Consensus(reference, seats(data), support, Rates(wrong=float((~same).mean())))


def _most_frequent(data: Ratings, item: Ints, label: Ints, n: int) -> tuple[Ints, Ints]:
    """Return the items with labels, and the most frequent label of each."""
    q = len(data.categories)
    key, count = np.unique(item * q + label, return_counts=True)
    of_item, code = np.divmod(key, q)
    most = np.zeros(n, dtype=np.int64)
    np.maximum.at(most, of_item, count)
    tied = np.flatnonzero(count == most[of_item])
    many = np.bincount(of_item[tied], minlength=n)
    labelled = np.flatnonzero(many)
    middle = tied[(np.cumsum(many) - many + (many - 1) // 2)[labelled]]
    return labelled, code[middle]


def _medians(data: Ratings, item: Ints, label: Ints, n: int) -> tuple[Ints, Ints]:
    """Return the items with labels, and the median label of each, the lower of two."""
    places = data.categories.ranks if data.measurement.level == "ordinal" else data.categories.positions
    ranked = label[np.lexsort((places[label], item))]
    many = np.bincount(item, minlength=n)
    labelled = np.flatnonzero(many)
    return labelled, ranked[(np.cumsum(many) - many + (many - 1) // 2)[labelled]]


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
