"""Numbers whose annotators differ from item to item: an analysis of variance in one way, items alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.core.arrays import Floats
from accord.measures.distances.spaces import check_squarable, from_lowest, sums_by
from accord.measures.scales.table import check_numbers


@dataclass(frozen=True, eq=False)
class OneWay:
    """How many ratings each item has, their mean, and their squares around it; items with one rating are left out."""

    sizes: Floats
    means: Floats
    squares: Floats
    names: Sequence[str]
    k: int  # annotators
    times: Floats  # how often each item counts: what resampling changes
    left_out: int = 0

    def weighted(self, times: Floats) -> OneWay:
        return replace(self, times=times)

    @property
    def n(self) -> float:
        return float(self.times.sum())

    @property
    def why_left_out(self) -> str:
        return "with one rating only"


def one_way(data: Any, name: str) -> OneWay:
    """Of a Ratings: whose ratings they are does not matter."""
    check_numbers(data, name)
    sizes = data.sizes.astype(np.float64)
    check_squarable(data.categories.values[np.unique(data.label)])
    numbers = from_lowest(data.categories.values[data.label])
    many = 1 if data.many is None else data.many
    means = sums_by(data.item, numbers * many, len(sizes)) / np.maximum(sizes, 1.0)
    squares = sums_by(data.item, (numbers - means[data.item]) ** 2 * many, len(sizes))
    kept = data.in_order[sizes[data.in_order] > 1]
    names = tuple(data.items[int(i)] for i in kept)
    left_out = int((sizes > 0).sum()) - len(kept)
    return OneWay(sizes[kept], means[kept], squares[kept], names, data.n_annotators, data.weight[kept], left_out)
