"""False negatives: each unit, or boundary, is missed with the probability of the magnitude (2012, 3.3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.simulate.base import ErrorType, noun
from accord.simulate.columns import Cuts, Ground, Marks, TextGround
from accord.simulate.wording import one_in


@dataclass(frozen=True, repr=False)
class FalseNegative(ErrorType):
    """Missed units; at magnitude 1 nothing is left."""

    name: ClassVar[str] = "false_negative"
    aliases: ClassVar[tuple[str, ...]] = ("fn", "miss")
    title: ClassVar[str] = "missed units or boundaries"

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:  # noqa: ARG002
        return marks.at(rng.random(len(marks)) >= magnitude)

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:  # noqa: ARG002
        return cuts.at(rng.random(len(cuts)) >= magnitude)

    def in_words(self, magnitude: float, ground: Ground | TextGround) -> str:
        return f"miss {one_in(magnitude, noun(ground))}"
