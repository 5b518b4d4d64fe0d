"""Where the disagreement sits: a coefficient by category, annotator, pair of annotators, item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from accord.arrays import Floats, Ints
from accord.distances import Nominal
from accord.errors import SpecError
from accord.measures.base import Measure
from accord.measures.items.evidence import ItemEvidence
from accord.measures.items.two import Met, meetings, pairs_of
from accord.model.labels import Categories
from accord.model.numbered import Numbered
from accord.model.ratings import Ratings
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
        raise SpecError(
            f"{ratings.n_annotators:,} annotators make too many pairs; choose some with --annotators, or see "
            "--by annotator"
        )
    present = np.flatnonzero(ratings.labels_per_annotator)
    names = tuple(f"{ratings.annotators[a]} – {ratings.annotators[b]}" for a, b in combinations(present, 2))
    seat, r = {int(g): k for k, g in enumerate(present)}, len(present)
    columns = np.full((4, len(names)), np.nan)
    columns[3] = 0.0
    for g, others, found in _of_pairs(measure, evidence):
        if g not in seat:  # gave no label
            continue
        k = seat[g]
        before = k * r - k * (k + 1) // 2 - k - 1  # pairs of those who come first, in the order of combinations
        columns[:, [before + seat[int(other)] for other in others]] = found
    value, observed, expected, n = columns
    undefined = "no two items in common, or 0/0"
    return PartTable(str(measure), names, value, observed, expected, n.astype(np.int64), undefined)


def _of_pairs(measure: Any, evidence: ItemEvidence) -> Iterator[tuple[int, Ints, Floats]]:
    """Each annotator with those who come later and share items: value, observed, expected and items, in columns."""
    known: dict[bytes, Score] = {}
    for g, met in meetings(evidence):
        found = np.empty((4, len(met.others)))
        if evidence.distance.depends_on_data or not measure.by_pairs:
            for k in range(len(met.others)):
                score = _of_two(measure, evidence, met, k, known)
                row = (score.value, score.observed, score.expected, score.n)
                found[:, k] = [np.nan if x is None else x for x in row]
        else:
            for part, pairs in pairs_of(met, evidence.q, evidence.space):
                found[:3, part] = measure.of_pairs(pairs)
                found[3, part] = pairs.n
        yield g, met.others, found


def _of_two(measure: Measure, evidence: ItemEvidence, met: Met, seat: int, known: dict[bytes, Score]) -> Score:
    """Of one pair, by its table of labels: crowds have many pairs with the same small table."""
    here = met.seat == seat
    cells, inverse = np.unique(met.mine[here] * evidence.q + met.theirs[here], return_inverse=True)
    times = np.bincount(inverse, weights=met.times[here], minlength=len(cells)).astype(np.float64)
    key = cells.tobytes() + times.tobytes()
    if key not in known:
        known[key] = _of_table(measure, evidence, cells, times)
    return known[key]


def _of_table(measure: Measure, evidence: ItemEvidence, cells: Ints, times: Floats) -> Score:
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
    """The mean of an annotator's values with each of the others, where there is one."""
    ratings = evidence.rows
    total, number = np.zeros((3, len(ratings.annotators))), np.zeros(len(ratings.annotators))
    for g, others, found in _of_pairs(measure, evidence):
        counted = ~np.isnan(found[0])
        values = found[:3, counted]
        total[:, g] += values.sum(axis=1)
        total[:, others[counted]] += values
        number[g] += counted.sum()
        number[others[counted]] += 1
    present = np.flatnonzero(ratings.labels_per_annotator)
    total, number = total[:, present], number[present]
    value, observed, expected = np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)
    names = tuple(ratings.annotators[g] for g in present)
    labels = ratings.labels_per_annotator[present].astype(np.int64)
    undefined = "not defined with any other annotator"
    return PartTable(str(measure), names, value, observed, expected, labels, undefined)


def _by_item(measure: Measure, evidence: ItemEvidence) -> Mapping[str, Score]:
    """The observed agreement of each item: a coefficient needs more than one. Items with one label have none."""
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
