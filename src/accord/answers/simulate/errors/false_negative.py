"""False negatives: each unit, boundary or label is missed with the probability of the magnitude (2012, 3.3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.answers.simulate.errors.base import ErrorType, noun
from accord.answers.simulate.errors.wording import one_in
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.grounds.columns import Cuts, Ground, Marks, TextGround
from accord.answers.simulate.grounds.items import ItemGround
from accord.core.arrays import Ints


@dataclass(frozen=True, repr=False)
class FalseNegative(ErrorType):
    """Missed units; at magnitude 1 nothing is left."""

    name: ClassVar[str] = "false_negative"
    aliases: ClassVar[tuple[str, ...]] = ("fn", "miss")
    title: ClassVar[str] = "missed units, boundaries or labels"

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:  # noqa: ARG002
        return marks.at(rng.random(len(marks)) >= magnitude)

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:  # noqa: ARG002
        return cuts.at(rng.random(len(cuts)) >= magnitude)

    def labels(self, label: Ints, ground: ItemGround, magnitude: float, rng: np.random.Generator) -> Ints:  # noqa: ARG002
        return np.where(rng.random(len(label)) >= magnitude, label, -1)

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        return f"miss {one_in(magnitude, noun(ground))}"
