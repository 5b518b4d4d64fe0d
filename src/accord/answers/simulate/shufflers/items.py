"""Labels of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.answers.consensus.base import Seats
from accord.answers.simulate.grounds.items import ItemGround
from accord.answers.simulate.shufflers.base import Drawn, Shuffler
from accord.core.arrays import Ints
from accord.core.errors import DataError, quoted
from accord.data.model.labels import Categories
from accord.data.model.numbered import Numbered
from accord.data.model.ratings import Ratings


class ItemShuffler(Shuffler[Ratings, ItemGround]):
    """A label of each item → one of each annotator who looks at it."""

    def ground(self, data: Ratings) -> ItemGround:
        return ItemGround.of(data)

    def size(self, data: Ratings) -> int:
        return len(data.items) if data.times is None else int(data.times.sum())

    def fitting(self, ground: ItemGround, on_a_line: bool) -> list[str]:  # noqa: ARG002
        return ["category"]

    def gold(self, gold: Ratings, data: Ratings) -> Ratings:
        """Gold labels of the items that were annotated, in their order, with the categories of both."""
        if data.times is not None:
            raise DataError("counts do not say which item is which, so no gold standard fits; leave it out")
        named = {str(name): k for k, name in enumerate(gold.items)}
        lacking = next((name for name in data.items if str(name) not in named), None)
        if lacking is not None:
            raise DataError(f"item {quoted(lacking)} is not in the gold standard; it has a label of every item")
        mine = data.categories.labels
        both = (*mine, *(lab for lab in gold.categories.labels if lab not in set(mine)))
        code = {lab: k for k, lab in enumerate(both)}
        label = np.full(len(gold.items), -1, dtype=np.int64)
        label[gold.item] = np.array([code[lab] for lab in gold.categories.labels], dtype=np.int64)[gold.label]
        labels = label[[named[str(name)] for name in data.items]]
        there = np.flatnonzero(labels >= 0).astype(np.int32)
        return Ratings(
            item=there,
            annotator=np.zeros_like(there),
            label=labels[there].astype(np.int32),
            items=data.items,
            annotators=("gold",),
            categories=data.categories if len(both) == len(data.categories) else Categories(both, declared=True),
        )

    def given(self, ground: ItemGround, there: NDArray[np.bool_]) -> Ints:
        return ground.label[there]

    def together(
        self,
        data: Ratings,
        ground: ItemGround,  # noqa: ARG002
        drawn: Sequence[Drawn],
        names: tuple[str, ...],
        sets: int,
        seats: Seats | None,
    ) -> Ratings:
        size = self.size(data)
        rows = [_rows(one, seats) for one in drawn]
        alone = sets == 1 and data.times is None
        return Ratings(
            item=np.concatenate([at + one.set * size for one, (at, _, _) in zip(drawn, rows, strict=True)]).astype(
                np.int32
            ),
            annotator=np.concatenate([who for _, who, _ in rows]).astype(np.int32),
            label=np.concatenate([label for _, _, label in rows]).astype(np.int32),
            items=data.items if alone else Numbered(size * sets),
            annotators=names,
            categories=data.categories,
            variable=data.variable,
        )

    def one_set(self, batch: Ratings, mine: NDArray[np.bool_]) -> Ratings:
        kept, number = batch.keep(mine[batch.item]), np.cumsum(mine, dtype=np.int32) - 1
        return replace(kept, item=number[kept.item], items=Numbered(int(mine.sum())))


def _rows(one: Drawn, seats: Seats | None) -> tuple[Ints, Ints, Ints]:
    """Items, annotators and labels."""
    items = np.arange(len(one.marks)) if seats is None else np.flatnonzero(seats.who[:, one.annotator] >= 0)
    there = one.marks >= 0
    items = items[there]
    who = np.full(len(items), one.annotator) if seats is None else seats.who[items, one.annotator]
    return items, who, one.marks[there]
