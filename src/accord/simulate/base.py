"""What every error type is: a frozen value whose repr is its spec, and that damages the marks of one annotator."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.errors import DataError, SpecError, quoted
from accord.simulate.columns import Cuts, Ground, Marks, TextGround
from accord.spec import Named


@dataclass(frozen=True, repr=False)
class ErrorType(Named):
    """`units` and `boundaries` give what an annotator who errs with a magnitude makes of what is there."""

    title: ClassVar[str]
    source: ClassVar[str] = "Mathet et al. 2012, 3.3"
    in_place: ClassVar[bool] = False  # units stay where they are: measures on items can judge the labels

    def check(self, ground: Ground | TextGround) -> None:
        """Refuses a reference that this error cannot happen to."""

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        raise NotImplementedError

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:  # noqa: ARG002
        raise DataError(f"{self.name} is an error of units; segmentations have false_negative, false_positive, "
                        "fragment and shift")  # fmt: skip

    def in_words(self, magnitude: float, ground: Ground | TextGround) -> str:
        """What an annotator of this magnitude does, as the end of "annotators who each …"."""
        raise NotImplementedError

    def _number(self, field: str) -> None:
        value = getattr(self, field)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
            raise SpecError(f"{self.name}: {field} is a number above 0, not {quoted(value)}")

    def _truth(self, field: str) -> None:
        if not isinstance(getattr(self, field), bool):
            raise SpecError(f"{self.name}: {field} is true or false, not {quoted(getattr(self, field))}")


def noun(ground: Ground | TextGround) -> str:
    return "unit" if isinstance(ground, Ground) else "boundary"
