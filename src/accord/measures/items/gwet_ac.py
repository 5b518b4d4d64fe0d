"""AC1 and AC2: chance agreement only where an annotator is thought to guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.arrays import Floats
from accord.measures.items.base import ItemMeasure
from accord.measures.items.evidence import ItemEvidence


@dataclass(frozen=True, repr=False)
class GwetAC(ItemMeasure):
    """Gwet 2008: AC1; with weights AC2."""

    name: ClassVar[str] = "ac"
    symbol: ClassVar[str] = "AC"
    aliases: ClassVar[tuple[str, ...]] = ("ac1", "ac2", "gwet", "gwet_ac1", "gwet_ac2")
    title: ClassVar[str] = "Gwet's AC1/AC2"
    source: ClassVar[str] = "Gwet 2008, 2014"

    def _weight(self, evidence: ItemEvidence) -> float:
        """T_w/(q(q−1)): the sum of all agreement weights, per pair of categories."""
        q = evidence.q
        even = np.ones(q)
        total = q * q - float(even @ evidence.space.to(even)) / (evidence.space.scale or 1.0)
        return total / (q * (q - 1))

    def drawn_by_chance(self, evidence: ItemEvidence) -> Floats:
        return np.ones(evidence.q)  # the declared ones, used or not

    def chance(self, evidence: ItemEvidence) -> float:
        if evidence.q < 2:
            return 0.0
        agreement = self._weight(evidence) * float(evidence.shares @ (1.0 - evidence.shares))
        return evidence.space.scale * (1.0 - agreement)

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:  # noqa: ARG002
        agreement = self._weight(evidence) * evidence.mean_over_labels(1.0 - evidence.shares)
        return evidence.space.scale * (1.0 - agreement)
