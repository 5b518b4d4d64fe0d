"""Labels of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Ints
from accord.gold.base import Seats
from accord.model.ratings import Numbered, Ratings, choose_annotators
from accord.simulate.grounds.items import ItemGround
from accord.simulate.kinds.base import Drawn, Kind


class ShuffledItems(Kind[Ratings, ItemGround]):
    """A label of each item → one of each annotator who looks at it."""

    data: ClassVar[type] = Ratings
    things: ClassVar[str] = "labels of items"
    usual_error: ClassVar[str] = "category"
    usual_measure: ClassVar[str] = "alpha"

    def ground(self, data: Ratings) -> ItemGround:
        return ItemGround.of(data)

    def size(self, data: Ratings) -> int:
        return len(data.items) if data.times is None else int(data.times.sum())

    def who(self, data: Ratings) -> list[str]:
        return [data.annotators[a] for a in np.flatnonzero(data.labels_per_annotator)]

    def only(self, data: Ratings, name: str) -> Ratings:
        return choose_annotators(data, (name,))

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
