"""What every error type is: a frozen value whose repr is its spec, and that damages what one annotator gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.grounds.columns import Cuts, Ground, Marks, TextGround
from accord.answers.simulate.grounds.items import ItemGround
from accord.answers.simulate.grounds.tokens import TokenGround
from accord.core.arrays import Ints
from accord.core.errors import SpecError, quoted
from accord.core.spec import Named
from accord.core.typed import is_number
from accord.measures.chance.text_edits import Versions


@dataclass(frozen=True, repr=False)
class ErrorType(Named):
    """A method for each kind of data that it can happen to: what an annotator who errs makes of what is there."""

    title: ClassVar[str]
    source: ClassVar[str] = "Mathet et al. 2012, 3.3"
    in_place: ClassVar[bool] = False  # units stay where they are: measures on items can judge the labels
    of_texts: ClassVar[bool] = False  # it happens to texts alone
    same_text: ClassVar[bool] = True  # texts are not changed: measures on units can judge their tokens

    @property
    def single(self) -> tuple[ErrorType, ...]:
        """The errors that it is made of."""
        return (self,)

    def magnitudes(self, magnitude: float) -> tuple[float, ...]:
        """Of each error that it is made of."""
        return (magnitude,)

    def check(self, ground: AnyGround) -> None:
        """Refuses a reference of the right kind that lacks what this error needs."""

    @classmethod
    def fits(cls, ground: AnyGround) -> bool:
        """Whether there is a method for this kind of data."""
        return getattr(cls, ground.way) is not getattr(ErrorType, ground.way)

    def onto(self, what: Any, ground: AnyGround, magnitude: float, rng: np.random.Generator) -> Any:
        """What an annotator makes of what is there, whatever its kind."""
        return getattr(self, ground.way)(what, ground, magnitude, rng)

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        raise NotImplementedError

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        raise NotImplementedError

    def labels(self, label: Ints, ground: ItemGround, magnitude: float, rng: np.random.Generator) -> Ints:
        raise NotImplementedError

    def tokens(self, versions: Versions, ground: TokenGround, magnitude: float, rng: np.random.Generator) -> Versions:
        raise NotImplementedError

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        """What an annotator of this magnitude does, as the end of "annotators who each …"."""
        raise NotImplementedError

    def _number(self, field: str) -> None:
        value = getattr(self, field)
        if not is_number(value) or value <= 0:
            raise SpecError(f"{self.name}: {field} is a number above 0, not {quoted(value)}")

    def _truth(self, field: str) -> None:
        if not isinstance(getattr(self, field), bool):
            raise SpecError(f"{self.name}: {field} is true or false, not {quoted(getattr(self, field))}")


def noun(ground: AnyGround) -> str:
    return ground.thing
