"""What every measure is: a frozen value with two methods, whose repr is its spec."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from accord.context import Run
from accord.errors import DataError
from accord.kinds import Kind
from accord.model.data import Data
from accord.result import Score
from accord.spec import Named


def check_kind(name: str, wanted: Kind, data: Data) -> None:
    """Refuses data that a measure is not for, and says what is."""
    if data.kind is not wanted:
        raise DataError(
            f"{name} is for {wanted.words} ({wanted.columns}), and these are {data.kind.words}: for them try "
            f"{data.kind.main}, or say with --layout what the table holds"
        )


@dataclass(frozen=True, repr=False)
class Measure(Named):
    """`observe` is the heavy part and gives evidence, `estimate` is cheap and makes the score."""

    title: ClassVar[str]
    source: ClassVar[str]
    data: ClassVar[str]  # the kind of data that it takes, by its name in accord.kinds
    lowest: ClassVar[float] = -1.0
    default_interval: ClassVar[str]
    unnamed: ClassVar[tuple[str, ...] | None] = ()  # a value without a name is refused, unless a measure knows it

    @property
    def by_order(self) -> bool:
        """Whether words are taken in their order."""
        return False

    def observe(self, data: Any, run: Run) -> Any:
        raise NotImplementedError

    def estimate(self, evidence: Any) -> Score:
        raise NotImplementedError

    def explain(self, evidence: Any, score: Score) -> dict[str, Any]:
        """Facts that a reader of the score wants."""
        raise NotImplementedError
