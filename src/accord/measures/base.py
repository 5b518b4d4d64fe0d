"""What every measure is: a frozen value with two methods, whose repr is its spec."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from accord.context import Run
from accord.result import Score
from accord.spec import Named

KINDS = {"Ratings": "labels of items", "Corpus": "units", "Segmentations": "segmentations", "Texts": "texts"}


def kind_of(data: object) -> str:
    """What data are, in words."""
    return KINDS.get(type(data).__name__, type(data).__name__)


@dataclass(frozen=True, repr=False)
class Measure(Named):
    """`observe` is the heavy part and gives evidence, `estimate` is cheap and makes the score."""

    symbol: ClassVar[str] = ""  # as people write it: α; empty where only the name will do
    title: ClassVar[str]
    source: ClassVar[str]
    data: ClassVar[str]  # what it compares: items or units
    lowest: ClassVar[float] = -1.0
    default_interval: ClassVar[str]

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
