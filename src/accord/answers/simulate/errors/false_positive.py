"""False positives: m · x · n units that follow the reference, or boundaries anywhere, are added (2012, 3.3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.answers.simulate.errors.base import ErrorType, noun
from accord.answers.simulate.errors.wording import one_in
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.grounds.columns import Cuts, Ground, Marks, TextGround, rounded
from accord.core.arrays import Floats, Ints


@dataclass(frozen=True, repr=False)
class FalsePositive(ErrorType):
    """Added units: document, label and length of a random unit of the reference, at a random place of its document.

    Without overlap the place is one of those that nothing covers; a unit that fits nowhere is not added.
    """

    x: float = 1.0
    overlap: bool = True

    name: ClassVar[str] = "false_positive"
    aliases: ClassVar[tuple[str, ...]] = ("fp", "insertion")
    title: ClassVar[str] = "added units or boundaries"

    def __post_init__(self) -> None:
        self._number("x")
        self._truth("overlap")

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        many = rounded(magnitude * self.x * len(ground.marks), rng)
        like = ground.marks.at(rng.integers(len(ground.marks), size=many))
        if not self.overlap:
            return marks.and_also(_between(marks, like, ground, rng.random(many)))
        whole = ground.whole[like.doc]
        room = np.maximum(ground.end[like.doc] - ground.begin[like.doc] - like.length, 0.0)
        move = rng.random(many) * (room + whole)  # whole places: 0 … room, equally likely
        start = ground.begin[like.doc] + np.where(whole, np.floor(move), move)
        return marks.and_also(Marks(like.doc, start, start + like.length, like.label))

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        many = rounded(magnitude * self.x * len(ground.cuts), rng)
        doc, position = _free(cuts, ground)
        chosen = rng.choice(len(position), size=min(many, len(position)), replace=False, shuffle=False)
        label = ground.cuts.label[rng.integers(len(ground.cuts), size=len(chosen))]
        return cuts.and_also(Cuts(doc[chosen], position[chosen], label))

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        what = noun(ground)
        rate = magnitude * self.x
        if rate >= 0.95:
            return f"add {rate:z.1f} for each true {what}"
        if rate <= 0:
            return f"add no {what}"
        return f"add {one_in(rate, what).replace(' in ', ' for every ')} true ones"


def _between(marks: Marks, like: Marks, ground: Ground, where: Floats) -> Marks:
    """One unit after the other into what the units before it leave free."""
    taken = [(marks.start[marks.doc == d], marks.end[marks.doc == d]) for d in range(len(ground.begin))]
    starts = np.full(len(like), np.nan)
    for k, (doc, length, share) in enumerate(zip(like.doc.tolist(), like.length.tolist(), where.tolist(), strict=True)):
        left = np.concatenate([[ground.begin[doc]], np.sort(taken[doc][1])])
        right = np.append(np.sort(taken[doc][0]), ground.end[doc])
        whole = bool(ground.whole[doc])
        places = np.maximum(right - left - length + whole, 0.0)  # whole places: 0 … room, equally likely
        behind = np.cumsum(places)
        if not behind[-1] > 0:
            continue
        at = share * behind[-1]
        gap = int(np.searchsorted(behind, at, side="right"))
        move = at - (behind[gap] - places[gap])
        starts[k] = left[gap] + (np.floor(move) if whole else move)
        taken[doc] = np.append(taken[doc][0], starts[k]), np.append(taken[doc][1], starts[k] + length)
    fits = ~np.isnan(starts)
    like, starts = like.at(fits), starts[fits]
    return Marks(like.doc, starts, starts + like.length, like.label)


def _free(cuts: Cuts, ground: TextGround) -> tuple[Ints, Ints]:
    """Every place without a boundary."""
    places = ground.lengths - 1
    before = np.cumsum(places) - places
    free = np.ones(int(places.sum()), dtype=bool)
    free[before[cuts.doc] + cuts.position - 1] = False
    at = np.flatnonzero(free)
    doc = np.repeat(np.arange(len(places)), places)[at]
    return doc, at - before[doc] + 1
