"""Units on continua."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.answers.consensus.base import Seats
from accord.answers.simulate.grounds.columns import Ground
from accord.answers.simulate.shufflers.base import Drawn, Shuffler, named
from accord.core.arrays import Floats
from accord.data.model.corpus import Corpus


class UnitShuffler(Shuffler[Corpus, Ground]):
    """A corpus of one annotator → a corpus of several."""

    def ground(self, data: Corpus) -> Ground:
        return Ground.of(data)

    def fitting(self, ground: Ground, on_a_line: bool) -> list[str]:
        marks = ground.marks
        order = np.lexsort((marks.start, marks.doc))
        same = np.diff(marks.doc[order]) == 0
        apart = not ((marks.start[order][1:] < marks.end[order][:-1]) & same).any()
        how = "(overlap=false)" if on_a_line and apart else ""
        labels = ["category"] if len(ground.categories) > 1 else []
        return ["false_negative", f"shift{how}", *labels, "fragment", f"false_positive{how}"]

    def together(
        self,
        data: Corpus,
        ground: Ground,
        drawn: Sequence[Drawn],
        names: tuple[str, ...],
        sets: int,
        seats: Seats | None,
    ) -> Corpus:
        looked = np.tile(data.judged.any(axis=1), sets)
        made = Corpus(
            doc=np.concatenate([one.marks.doc + one.set * len(data.docs) for one in drawn]),
            annotator=np.concatenate([np.full(len(one.marks), one.annotator, dtype=np.int64) for one in drawn]),
            start=_as_fine(np.concatenate([one.marks.start for one in drawn]), ground),
            end=_as_fine(np.concatenate([one.marks.end for one in drawn]), ground),
            label=np.concatenate([one.marks.label for one in drawn]),
            docs=named(data.docs, sets),
            annotators=names,
            categories=data.categories,
            extents=np.tile(data.extents, (sets, 1)),
            extent_given=np.tile(data.extent_given, sets),
            judged=np.repeat(looked[:, None], len(names), axis=1),
            judged_given=True,
            variable=data.variable,
        )
        if seats is None:
            return made
        who = seats.who[made.doc % len(data.docs), made.annotator]
        doc, seat = np.nonzero(seats.who >= 0)
        judged = np.zeros((len(data.docs), len(names)), dtype=bool)
        judged[doc, seats.who[doc, seat]] = True
        return replace(made, annotator=who, judged=np.tile(judged, (sets, 1))).keep(who >= 0)

    def one_set(self, batch: Corpus, mine: NDArray[np.bool_]) -> Corpus:
        return batch.only_docs(mine)


def _as_fine(places: Floats, ground: Ground) -> Floats:
    """Seconds in thousandths stay so: measures that cut a continuum count in the steps of its positions."""
    return places if ground.decimals is None else np.round(places, ground.decimals)
