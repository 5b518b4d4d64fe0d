"""Where the disagreement sits: a coefficient by category, annotator, pair of annotators, item."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from accord.distances import Nominal
from accord.errors import SpecError
from accord.measures.base import Measure
from accord.measures.items.evidence import ItemEvidence
from accord.model.labels import Categories
from accord.model.ratings import Numbered, Ratings
from accord.result import PartTable, Score

_MOST_ANNOTATORS = 500


def breakdown(measure: Measure, plain: Measure, evidence: ItemEvidence, by: str) -> Mapping[str, Score]:
    """By category with `plain`, the same coefficient without weights: a category has no near misses."""
    if by == "category":
        return _by_category(plain, evidence)
    makers = {"annotator": _by_annotator, "pair": _by_pair, "item": _by_item}
    return makers[by](measure, evidence)


def _by_category(plain: Measure, evidence: ItemEvidence) -> Mapping[str, Score]:
    """Each category against all others."""
    scores = []
    for k in range(evidence.q):
        rows = evidence.rows.against_rest(k)
        scores.append(plain.estimate(ItemEvidence(rows, rows, evidence.times, Nominal())))
    return _table(str(plain), evidence.rows.categories.names, scores)


def _by_pair(measure: Measure, evidence: ItemEvidence) -> PartTable:
    """Each two annotators on the items that both labelled."""
    ratings = evidence.rows
    if ratings.n_annotators > _MOST_ANNOTATORS:
        raise SpecError(f"{ratings.n_annotators:,} annotators make too many pairs; choose some with --annotators")
    present, labels = ratings.by_annotator
    names, scores = [], []
    for a, b in combinations(range(len(present)), 2):
        names.append(f"{ratings.annotators[present[a]]} – {ratings.annotators[present[b]]}")
        scores.append(_of_two(measure, evidence, labels[a], labels[b]))
    return _table(str(measure), tuple(names), scores, undefined="no two items in common, or 0/0")


def _of_two(measure: Measure, evidence: ItemEvidence, first: np.ndarray, second: np.ndarray) -> Score:
    both = np.flatnonzero((first >= 0) & (second >= 0))
    cells, inverse = np.unique(first[both].astype(np.int64) * evidence.q + second[both], return_inverse=True)
    times = np.bincount(inverse, weights=evidence.times[both], minlength=len(cells)).astype(np.float64)
    if not len(cells):
        return Score(float("nan"), str(measure), undefined="no item in common")
    rows = Ratings(
        item=np.repeat(np.arange(len(cells), dtype=np.int32), 2),
        annotator=np.tile(np.array([0, 1], dtype=np.int32), len(cells)),
        label=np.stack([cells // evidence.q, cells % evidence.q], axis=1).ravel().astype(np.int32),
        items=Numbered(len(cells)),
        annotators=("first", "second"),
        categories=Categories(evidence.rows.categories.labels, evidence.rows.categories.declared),
        times=np.rint(times).astype(np.int64),
    )
    return measure.estimate(ItemEvidence(rows, rows, times, evidence.distance))


def _by_annotator(measure: Measure, evidence: ItemEvidence) -> Mapping[str, Score]:
    """The mean of an annotator's values with each of the others."""
    pairs = _by_pair(measure, evidence)
    present = np.flatnonzero(evidence.rows.labels_per_annotator)
    names = tuple(evidence.rows.annotators[g] for g in present)
    mine = np.array([[g in pair for pair in combinations(range(len(names)), 2)] for g in range(len(names))])
    counted = mine & ~np.isnan(pairs.value)

    def mean(column: np.ndarray) -> np.ndarray:
        total = (counted * np.nan_to_num(column)).sum(axis=1)
        number = counted.sum(axis=1)
        return np.divide(total, number, out=np.full(len(names), np.nan), where=number > 0)

    labels = evidence.rows.labels_per_annotator[present].astype(np.int64)
    undefined = "not defined with any other annotator"
    return PartTable(
        str(measure), names, mean(pairs.value), mean(pairs.observed), mean(pairs.expected), labels, undefined
    )


def _by_item(measure: Measure, evidence: ItemEvidence) -> Mapping[str, Score]:
    """The observed agreement of each item: a coefficient needs more than one. Items with one label have none."""
    ratings = evidence.source
    scale = evidence.space.scale or 1.0
    agreement = 1.0 - evidence.space.within(ratings.item, ratings.label, ratings.sizes) / scale
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
        "one label only",
    )


def _table(measure: str, names: tuple[str, ...], scores: list[Score], undefined: str = "0/0") -> PartTable:
    def column(numbers: list[float | None]) -> np.ndarray:
        return np.array([np.nan if x is None else x for x in numbers], dtype=np.float64)

    return PartTable(
        measure,
        names,
        column([s.value for s in scores]),
        column([s.observed for s in scores]),
        column([s.expected for s in scores]),
        np.array([s.n for s in scores], dtype=np.int64),
        undefined,
    )
