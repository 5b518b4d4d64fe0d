"""The numbers of annotators against each other, as a figure: two annotators, or each against the mean of the others."""

from __future__ import annotations

import numpy as np

from accord.answers.levels import are_amounts
from accord.core.errors import DataError
from accord.core.figures.scatter import Scatter
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings

_MOST_SERIES = 8  # annotators with a colour of their own
OTHERS = "mean of the others"


def suits_scatter(data: Data) -> bool:
    """Return whether a scatter plot shows the labels best: numbers on a scale of annotators who are known."""
    return are_amounts(data) and isinstance(data, Ratings) and data.identified and data.n_annotators > 1


def scatter_of(data: Ratings) -> Scatter:
    """Draw the numbers of two annotators over each other; of more, each annotator over the mean of the others."""
    if not data.categories.numeric:
        raise DataError(
            "measure-for-other-data", "scatter: some labels are not numbers; try --kind confusion or --kind confused"
        )
    if not data.identified:
        raise DataError(
            "counts-without-annotators",
            "scatter: a table of counts does not identify annotators; use a row per label or a column per annotator",
        )
    present, labels = data.by_annotator
    numbers = np.where(labels >= 0, data.categories.values[labels], np.nan)
    times = data.weight.astype(np.int64)
    names = [data.annotators[int(who)] for who in present]
    shared = (labels >= 0).sum(axis=0) > 1
    if len(names) < 2 or not shared.any():
        raise DataError("nothing-shared", "scatter: no item has labels of two annotators; check --item and --annotator")
    if len(names) == 2:
        pairs = np.repeat(numbers[:, shared].T, times[shared], axis=0)
        return Scatter("", names[0], names[1], (("", tuple(map(_point, pairs.tolist()))),))
    total, many = np.nansum(numbers, axis=0), (labels >= 0).sum(axis=0)
    series = []
    for name, own in zip(names, numbers, strict=True):
        there = shared & ~np.isnan(own)
        others = (total[there] - own[there]) / (many[there] - 1)
        pairs = np.repeat(np.stack([others, own[there]], axis=1), times[there], axis=0)
        series.append((name, tuple(map(_point, pairs.round(9).tolist()))))
    if len(series) > _MOST_SERIES:
        series = [("", tuple(point for _, points in series for point in points))]
    return Scatter("", OTHERS, "label of the annotator", tuple(series))


def _point(pair: list[float]) -> tuple[float, float]:
    return pair[0], pair[1]
