"""SER: what it costs to turn the units of one annotator into those of a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import UnknownName
from accord.measures.alignment.best import best_alignment
from accord.measures.distances.spaces import sums_by
from accord.measures.units.pairwise import Pairwise, PairwiseMeasure, Slots, check_switch, paired_units

PER = ("reference", "slots")
_TRIFLE = 1e-7  # times all units of a document less than the smallest difference of costs


@dataclass(frozen=True, repr=False)
class SlotErrorRate(PairwiseMeasure):
    """Makhoul et al. 1999. 1 for a missing or added unit, 0.5 for another label, 0.5 for other boundaries."""

    per: str = "reference"
    overlap: bool = True

    name: ClassVar[str] = "ser"
    symbol: ClassVar[str] = "SER"
    aliases: ClassVar[tuple[str, ...]] = ("slot_error_rate",)
    title: ClassVar[str] = "SER, the slot error rate"
    source: ClassVar[str] = "Makhoul et al. 1999; Mathet et al. 2015, 3.4.2"
    kind: ClassVar[Any] = "error"
    symmetric: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.per not in PER:
            raise UnknownName("normalisation", str(self.per), PER)
        check_switch(self.name, "overlap", self.overlap)

    def observe(self, data: Any, run: Run) -> Pairwise:  # noqa: ARG002
        paired = paired_units(data, self.name, self.reference)
        # Being alone costs a trifle more than 1: of alignments that cost the same, the one with most pairs is taken.
        found = best_alignment(paired.units, Slots(must_overlap=self.overlap, delta=1.0 + _TRIFLE))
        cost = np.where(found.size > 1, found.disorder, 1.0)
        groups = np.bincount(found.continuum, minlength=len(paired.doc)).astype(np.float64)
        return paired.pairwise(sums_by(found.continuum, cost, len(paired.doc)), groups)

    def quotient(self, amount: Floats, reference: Floats, other: Floats, groups: Floats) -> Floats:
        below = reference if self.per == "reference" else groups
        nothing = np.where((reference == 0) & (other == 0), 0.0, np.nan)  # two equal empty things
        return np.divide(amount, below, out=nothing, where=below > 0)
