"""Boundaries of segmentations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.answers.consensus.base import Seats
from accord.answers.simulate.grounds.columns import TextGround
from accord.answers.simulate.shufflers.base import Drawn, Shuffler, named
from accord.data.model.segmentations import Segmentations


class BoundaryShuffler(Shuffler[Segmentations, TextGround]):
    """A segmentation of each document → several of each."""

    def ground(self, data: Segmentations) -> TextGround:
        return TextGround.of(data)

    def fitting(self, ground: TextGround, on_a_line: bool) -> list[str]:  # noqa: ARG002
        return ["false_negative", "shift", *(["category"] if len(ground.categories) > 1 else []), "false_positive"]

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
        return batch.only_docs(mine)
