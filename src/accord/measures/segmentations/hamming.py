"""The generalised Hamming distance: what it costs to turn one segmentation into another by moving boundaries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.arrays import Floats
from accord.context import Run
from accord.errors import SpecError, quoted
from accord.measures.segmentations.base import PairsCompared, SegmentationMeasure
from accord.result import Score


@dataclass(frozen=True, repr=False)
class GeneralisedHamming(SegmentationMeasure):
    """Bookstein, Kulyukin & Raita 2002. The least cost of inserting, deleting and shifting boundaries."""

    insertion: float = 2.0
    deletion: float = 2.0
    shift: float = 1.0
    normalised: bool = False

    name: ClassVar[str] = "ghd"
    symbol: ClassVar[str] = "GHD"
    aliases: ClassVar[tuple[str, ...]] = ("generalised_hamming", "generalized_hamming_distance")
    title: ClassVar[str] = "Generalised Hamming distance"
    source: ClassVar[str] = "Bookstein, Kulyukin & Raita 2002"

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in ("insertion", "deletion", "shift"):
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
                raise SpecError(f"{self.name}: {field} is a cost, a number from 0, not {quoted(value)}")
        if not isinstance(self.normalised, bool):
            raise SpecError(f"{self.name}: normalised is true or false, not {quoted(self.normalised)}")
        if self.normalised and not self.insertion + self.deletion > 0:
            raise SpecError(f"{self.name}: insertion and deletion cost nothing: there is nothing to divide by")
        if self.pooled and not self.normalised:
            raise SpecError(f"{self.name}: a cost that is not normalised has no denominator to pool")

    def compare(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        from accord.measures.segmentations.kernels import shift_cost

        data = found.data.untyped
        costs = float(self.deletion), float(self.insertion), float(self.shift)
        cost = np.zeros(len(found))
        for at, (a, b) in enumerate(zip(found.first.tolist(), found.second.tolist(), strict=True)):
            run.progress(self.name, at, len(found))
            # The other segmentation is turned into the reference.
            cost[at] = shift_cost(data.positions_of(b), data.positions_of(a), *costs)
        run.progress(self.name, len(found), len(found))
        sizes = np.diff(data.offsets).astype(np.float64)
        worst = sizes[found.first] * self.insertion + sizes[found.second] * self.deletion
        return {"numerator": cost, "denominator": worst if self.normalised else np.ones(len(found))}

    def explain(self, evidence: PairsCompared, score: Score) -> dict[str, Any]:
        by = "all boundaries deleted and inserted" if self.normalised else None
        return super().explain(evidence, score) | {"normalised_by": by}
