"""The generalised Hamming distance: what it costs to turn one segmentation into another by moving boundaries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import SpecError, UnknownName, quoted
from accord.core.result import Score
from accord.core.typed import is_number
from accord.measures.segmentations.base import PairsCompared, SegmentationMeasure

NORMALISED = {"edits": "all boundaries deleted and inserted", "segments": "all segments deleted and inserted"}


@dataclass(frozen=True, repr=False)
class GeneralisedHamming(SegmentationMeasure):
    """Bookstein, Kulyukin & Raita 2002. The least cost of inserting, deleting and shifting boundaries."""

    insertion: float = 2.0
    deletion: float = 2.0
    shift: float = 1.0
    normalised: bool | str = False  # true is edits
    limit: float | None = None

    name: ClassVar[str] = "ghd"
    symbol: ClassVar[str] = "GHD"
    aliases: ClassVar[tuple[str, ...]] = ("generalised_hamming", "generalized_hamming_distance")
    title: ClassVar[str] = "Generalised Hamming distance"
    source: ClassVar[str] = "Bookstein, Kulyukin & Raita 2002"

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in ("insertion", "deletion", "shift"):
            value = getattr(self, field)
            if not is_number(value) or value < 0:
                raise SpecError(f"{self.name}: {field} is a cost, a number from 0, not {quoted(value)}")
        if not isinstance(self.normalised, bool) and str(self.normalised) not in NORMALISED:
            raise UnknownName("way to normalise ghd", str(self.normalised), (*NORMALISED, "true", "false"))
        if self.limit is not None:
            self._check_limit()
        elif self.normalised and not self.insertion + self.deletion > 0:
            raise SpecError(f"{self.name}: insertion and deletion cost nothing: there is nothing to divide by")
        if self.pooled and not self.normalised:
            raise SpecError(f"{self.name}: a cost that is not normalised has no denominator to pool")

    def _check_limit(self) -> None:
        if not is_number(self.limit) or not self.limit > 0:
            raise SpecError(
                f"{self.name}: limit is how far a shift may go, in mean segments, a number above 0 such as 0.5; "
                f"not {quoted(self.limit)}"
            )
        if (self.insertion, self.deletion) != (type(self).insertion, type(self).deletion):
            raise SpecError(f"{self.name}: limit sets what insertions and deletions cost; leave those out, or limit")
        if not self.shift > 0:
            raise SpecError(f"{self.name}: limit says how far a shift may go, and with shift=0 that is everywhere")

    def compare(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        from accord.measures.segmentations.kernels import shift_cost

        data = found.data.untyped
        sizes = np.diff(data.offsets).astype(np.float64)
        of_first, of_second = sizes[found.first], sizes[found.second]
        insertion, deletion = (np.full(len(found), float(c)) for c in (self.insertion, self.deletion))
        if self.limit is not None:
            # A shift as far as the limit costs as much as a deletion and an insertion.
            mean_segment = 2 * data.lengths[found.docs][found.doc] / (of_first + of_second + 2)
            insertion = deletion = self.shift * self.limit * mean_segment / 2
        cost = np.zeros(len(found))
        for at, (a, b) in enumerate(zip(found.first.tolist(), found.second.tolist(), strict=True)):
            run.progress(self.name, at, len(found))
            # The other segmentation is turned into the reference. What both have costs nothing, and is not rounded.
            wanted, there = data.positions_of(a), data.positions_of(b)
            missing = np.setdiff1d(wanted, there, assume_unique=True)
            extra = np.setdiff1d(there, wanted, assume_unique=True)
            costs = float(deletion[at]), float(insertion[at]), float(self.shift)
            cost[at] = shift_cost.for_work(10 * (len(extra) + len(missing)))(extra, missing, *costs)
        run.progress(self.name, len(found), len(found))
        if not self.normalised:
            return {"numerator": cost, "denominator": np.ones(len(found))}
        more = 1 if self.normalised == "segments" else 0  # a text has one segment more than boundaries
        return {"numerator": cost, "denominator": (of_first + more) * insertion + (of_second + more) * deletion}

    def explain(self, evidence: PairsCompared, score: Score) -> dict[str, Any]:
        by = NORMALISED["edits" if self.normalised is True else str(self.normalised)] if self.normalised else None
        return super().explain(evidence, score) | {"normalised_by": by}
