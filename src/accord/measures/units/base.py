"""What every measure on units is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from accord.measures.base import Measure
from accord.model.corpus import Corpus


@dataclass(frozen=True, repr=False)
class UnitMeasure(Measure):
    """A measure on units of continua. Its evidence has their `corpus`, and documents are drawn again."""

    data: ClassVar[str] = "units"
    default_interval: ClassVar[str] = "bootstrap"

    def continua(self, evidence: Any) -> Corpus | None:
        found: Corpus = evidence.corpus
        return found
