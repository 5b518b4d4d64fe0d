"""Boundaries of segmentations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Ints
from accord.gold.base import Seats
from accord.model.segmentations import Segmentations
from accord.simulate.grounds.columns import TextGround
from accord.simulate.kinds.base import Drawn, Kind, named


class ShuffledBoundaries(Kind[Segmentations, TextGround]):
    """A segmentation of each document → several of each."""

    data: ClassVar[type] = Segmentations
    things: ClassVar[str] = "boundaries"
    usual_error: ClassVar[str] = "shift"
    usual_measure: ClassVar[str] = "window_diff"

    def ground(self, data: Segmentations) -> TextGround:
        return TextGround.of(data)

    def size(self, data: Segmentations) -> int:
        return len(data.docs)

    def who(self, data: Segmentations) -> list[str]:
        return [data.annotators[a] for a in np.unique(data.annotator)]

    def only(self, data: Segmentations, name: str) -> Segmentations:
        return data.only_annotators((name,))

    def together(
        self,
        data: Segmentations,
        ground: TextGround,  # noqa: ARG002
        drawn: Sequence[Drawn],
        names: tuple[str, ...],
        sets: int,
        seats: Seats | None,
    ) -> Segmentations:
        size, many = len(data.docs), len(names)
        there = np.repeat(np.isin(np.arange(size), data.doc)[:, None], many, axis=1)
        if seats is not None:
            looked = np.zeros_like(there)
            row, seat = np.nonzero(seats.who >= 0)
            looked[row, seats.who[row, seat]] = True
            there &= looked
        there = np.tile(there, (sets, 1)).ravel()
        doc = np.concatenate([one.marks.doc + one.set * size for one in drawn])
        who = np.concatenate([np.full(len(one.marks), one.annotator, dtype=np.int64) for one in drawn])
        if seats is not None:
            who = seats.who[doc % size, who]
        place = doc * many + who
        kept = np.flatnonzero((who >= 0) & there[place])  # a place of nobody is another's, and not kept
        position = np.concatenate([one.marks.position for one in drawn])
        label = np.concatenate([one.marks.label for one in drawn])
        order = kept[np.lexsort((label[kept], position[kept], place[kept]))]
        seat_doc, seat = np.divmod(np.arange(size * sets * many), many)
        counts = np.bincount(place[kept], minlength=len(seat_doc))[there]
        return Segmentations(
            doc=seat_doc[there],
            annotator=seat[there],
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            position=position[order],
            label=label[order],
            docs=named(data.docs, sets),
            annotators=names,
            categories=data.categories,
            lengths=np.tile(data.lengths, sets),
            variable=data.variable,
        )

    def one_set(self, batch: Segmentations, mine: NDArray[np.bool_]) -> Segmentations:
        kept = batch.keep(mine[batch.doc])
        first: Ints = np.cumsum(mine) - 1
        docs = tuple(d for d, m in zip(batch.docs, mine, strict=True) if m)
        return replace(kept, doc=first[kept.doc], docs=docs, lengths=batch.lengths[mine])
