"""False positives: m · x · n units that follow the reference, or boundaries anywhere, are added (2012, 3.3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.simulate.base import ErrorType, noun
from accord.simulate.columns import Cuts, Ground, Ints, Marks, TextGround, rounded
from accord.simulate.wording import one_in


@dataclass(frozen=True, repr=False)
class FalsePositive(ErrorType):
    """Added units: document, label and length of a random unit of the reference, at a random place of its document."""

    x: float = 1.0

    name: ClassVar[str] = "false_positive"
    aliases: ClassVar[tuple[str, ...]] = ("fp", "insertion")
    title: ClassVar[str] = "added units or boundaries"

    def __post_init__(self) -> None:
        self._number("x")

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        many = rounded(magnitude * self.x * len(ground.marks), rng)
        like = ground.marks.at(rng.integers(len(ground.marks), size=many))
        whole = ground.whole[like.doc]
        room = np.maximum(ground.end[like.doc] - ground.begin[like.doc] - like.length, 0.0)
        move = rng.random(many) * (room + whole)  # whole places: 0 … room, all alike
        start = ground.begin[like.doc] + np.where(whole, np.floor(move), move)
        return marks.and_also(Marks(like.doc, start, start + like.length, like.label))

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        many = rounded(magnitude * self.x * len(ground.cuts), rng)
        doc, position = _free(cuts, ground)
        chosen = rng.choice(len(position), size=min(many, len(position)), replace=False, shuffle=False)
        label = ground.cuts.label[rng.integers(len(ground.cuts), size=len(chosen))]
        return cuts.and_also(Cuts(doc[chosen], position[chosen], label))

    def in_words(self, magnitude: float, ground: Ground | TextGround) -> str:
        what = noun(ground)
        rate = magnitude * self.x
        if rate >= 0.95:
            return f"add {rate:.1f} for each true {what}"
        return f"add {one_in(rate, what).replace(' in ', ' for every ')} true ones"


def _free(cuts: Cuts, ground: TextGround) -> tuple[Ints, Ints]:
    """Every place without a boundary."""
    places = ground.lengths - 1
    before = np.cumsum(places) - places
    free = np.ones(int(places.sum()), dtype=bool)
    free[before[cuts.doc] + cuts.position - 1] = False
    at = np.flatnonzero(free)
    doc = np.repeat(np.arange(len(places)), places)[at]
    return doc, at - before[doc] + 1
