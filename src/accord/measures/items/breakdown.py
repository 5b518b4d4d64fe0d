"""A coefficient by category, annotator, pair of annotators or item."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from accord.core.arrays import Floats
from accord.core.errors import SpecError
from accord.core.result import PartTable, Score
from accord.measures.distances.spaces import Same, sums_by
from accord.measures.items.crowds import Met, find_meetings, tables_of_pairs
from accord.measures.items.evidence import ItemEvidence, Tables, across
from accord.measures.measure import Measure

_MOST_ANNOTATORS = 500


def break_down(measure: Measure, plain: Measure, evidence: ItemEvidence, by: str) -> Mapping[str, Score]:
    """Break down a coefficient. Categories have no near misses, so they use `plain`, without weights."""
    if by == "category":
        return _by_category(plain, evidence)
    makers = {"annotator": _by_annotator, "pair": _by_pair, "item": _by_item}
    return makers[by](measure, evidence)


def _by_category(plain: Any, evidence: ItemEvidence) -> PartTable:
    tables = _against_rest(evidence)
    value, observed, expected = plain.values_of(tables)
    names = evidence.rows.categories.names
    return PartTable(str(plain), names, value, observed, expected, tables.n.astype(np.int64), "0/0")


def _against_rest(evidence: ItemEvidence) -> Tables:
    """Return each category against all others: one table of two categories per category."""
    q, cells, n, space = evidence.q, evidence.cells, float(evidence.paired.sum()), Same(2)
    size = evidence.sizes[cells.row]
    apart = 2 * cells.often * (size - cells.often) / np.maximum(size * (size - 1.0), 1.0)
    labels = float(evidence.pairable_marginals.sum())

    def both(part: Floats, whole: float) -> Floats:
        return np.stack([part, whole - part])

    def across_annotators() -> Floats:
        shares = evidence.annotator_shares[0]
        number = shares.shape[1] if evidence.rows.identified else math.nan  # the annotators are unknown
        own = 2 * (shares * (1.0 - shares)).sum(axis=1)
        return np.asarray(across(space, both(shares.sum(axis=1), number), own, np.full(q, number)))

    return Tables(
        n=np.full(q, n),
        over_items=sums_by(cells.category, evidence.paired[cells.row] * apart, q) / n,
        over_labels=sums_by(cells.category, evidence.paired[cells.row] * size * apart, q) / labels,
        n_labels=np.full(q, labels),
        pooled=both(evidence.pairable_marginals, labels) / labels,
        shares=both(evidence.shares, 1.0),
        given=both(evidence.given, float(evidence.given.sum())),
        space=space,
        across_annotators=across_annotators,
    )


def _by_pair(measure: Measure, evidence: ItemEvidence) -> PartTable:
    """Return the value of each pair of annotators on their common items."""
    ratings = evidence.rows
    if ratings.n_annotators > _MOST_ANNOTATORS:
        raise SpecError(
            "too-large-to-compute",
            f"{ratings.n_annotators:,} annotators make too many pairs; choose some with --annotators, or use "
            "--by annotator",
        )
    present = np.flatnonzero(ratings.labels_per_annotator)
    names = tuple(f"{ratings.annotators[a]} – {ratings.annotators[b]}" for a, b in combinations(present, 2))
    seat, r = np.zeros(len(ratings.annotators), dtype=np.int64), len(present)
    seat[present] = np.arange(r)
    columns = np.full((4, len(names)), np.nan)
    columns[3] = 0.0
    for met, found in _of_pairs(measure, evidence):
        k = seat[met.one]
        before = k * r - k * (k + 1) // 2 - k - 1  # pairs of earlier annotators, in the order of combinations
        columns[:, before + seat[met.other]] = found
    value, observed, expected, n = columns
    undefined = "fewer than two common items, or 0/0"
    return PartTable(str(measure), names, value, observed, expected, n.astype(np.int64), undefined)


def _of_pairs(measure: Any, evidence: ItemEvidence) -> Iterator[tuple[Met, Floats]]:
    """Yield value, observed and expected agreement, and the number of items of annotators with common items."""
    for met in find_meetings(evidence):
        found = np.empty((4, len(met.other)))
        for part, pairs in tables_of_pairs(met, evidence):
            found[:3, part] = measure.values_of(pairs)
            found[3, part] = pairs.n
        yield met, found


def _by_annotator(measure: Measure, evidence: ItemEvidence) -> Mapping[str, Score]:
    """Return the mean of an annotator's values with each other annotator, where defined."""
    ratings, everybody = evidence.rows, len(evidence.rows.annotators)
    total, number = np.zeros((3, everybody)), np.zeros(everybody)
    for met, found in _of_pairs(measure, evidence):
        counted = ~np.isnan(found[0])
        for who in (met.one[counted], met.other[counted]):
            number += np.bincount(who, minlength=everybody)
            total += [sums_by(who, values, everybody) for values in found[:3, counted]]
    present = np.flatnonzero(ratings.labels_per_annotator)
    total, number = total[:, present], number[present]
    value, observed, expected = np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)
    names = tuple(ratings.annotators[g] for g in present)
    labels = ratings.labels_per_annotator[present].astype(np.int64)
    undefined = "undefined with every other annotator"
    return PartTable(str(measure), names, value, observed, expected, labels, undefined)


def _by_item(measure: Measure, evidence: ItemEvidence) -> Mapping[str, Score]:
    """Return the observed agreement of each item, because a coefficient needs several items."""
    ratings = evidence.source
    scale = evidence.space.scale or 1.0
    agreement = 1.0 - evidence.within_rows(ratings) / scale
    shown = np.flatnonzero(ratings.sizes > 0)
    value = np.where(ratings.sizes > 1, agreement, np.nan)[shown]
    names = tuple(str(ratings.items[int(i)]) for i in shown)
    nothing = np.full(len(shown), np.nan)
    return PartTable(
        f"observed agreement ({measure})",
        names,
        value,
        value,
        nothing,
        ratings.sizes[shown],
        "only one label",
    )
