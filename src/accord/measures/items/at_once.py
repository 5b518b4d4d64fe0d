"""What coefficients are made of, for many tables of labels at once: pairs of annotators, categories, all but one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.core.arrays import Bools, Floats, Ints
from accord.measures.distances.spaces import Lines, Space


@dataclass(frozen=True, eq=False)
class ByAnnotator:
    """What chance is where it follows the shares of each annotator."""

    total: Floats  # q × tables: the sum of their shares
    own: Floats  # the sum over annotators of the mean distance of two draws from their own shares
    number: Floats  # of annotators


@dataclass(frozen=True, eq=False)
class AtOnce:
    """A number, or a column of the categories, for each table."""

    n: Floats  # items that are compared
    over_items: Floats  # D_o, where every item counts the same
    over_labels: Floats  # D_o, where every label does
    labels: Floats  # on items that are compared
    pooled: Floats  # q × tables: the shares of these labels
    shares: Floats  # q × tables: π_k
    given: Floats  # q × tables: above 0 where a category is given to any item
    space: Space | Lines
    annotators: Callable[[], ByAnnotator]

    @cached_property
    def q(self) -> int:
        return len(self.shares)

    @cached_property
    def scale(self) -> Floats:
        found = np.broadcast_to(np.asarray(self.space.scale, dtype=np.float64), self.n.shape)
        return np.where(found > 0, found, 1.0)

    def means(self, shares: Floats) -> Floats:
        """The mean distance of two draws from the shares of each table."""
        return np.asarray((shares * self.space.to(shares)).sum(axis=0))

    def differ(self, drawn: Floats) -> Bools:
        """Whether the categories that chance draws from, those above 0, are any distance apart: for each table."""
        used = drawn > 0
        first, which = _distinct_columns(used)
        found = np.array([self.space.differ(np.flatnonzero(used[:, at])) for at in first], dtype=bool)
        return np.broadcast_to(found[which], self.n.shape)


def _distinct_columns(used: Bools) -> tuple[Ints, Ints]:
    """Where each of them stands first, and which of them each column is: by bits, for there may be many columns."""
    bits = np.packbits(used, axis=0)
    words = np.zeros((used.shape[1], -(-len(bits) // 8) * 8), dtype=np.uint8)
    words[:, : len(bits)] = bits.T
    number = words.view(np.uint64)
    _, first, which = np.unique(
        number[:, 0] if number.shape[1] == 1 else number, axis=0, return_index=True, return_inverse=True
    )
    return first, which.ravel()
