"""B³: for each mention, how much of its chain the other annotator has as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.measures.chains.crossed import Crossed
from accord.measures.chains.pairwise import PairedChainMeasure, harmonic


@dataclass(frozen=True, repr=False)
class BCubed(PairedChainMeasure):
    """Bagga & Baldwin 1998. Mentions that the other did not mark are not found (Pradhan et al. 2014)."""

    name: ClassVar[str] = "b_cubed"
    symbol: ClassVar[str] = "B³"
    aliases: ClassVar[tuple[str, ...]] = ("b3",)
    title: ClassVar[str] = "B³ F1 between annotators"
    source: ClassVar[str] = "Bagga & Baldwin 1998"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        square = crossed.shared.astype(np.float64) ** 2
        found = (square / crossed.first[crossed.row]).sum(), (square / crossed.second[crossed.column]).sum()
        mine, others = crossed.mentions
        return float(found[0]), mine, float(found[1]), others

    def quotient(self, sums: Floats) -> Floats:
        recall, precision = (
            np.divide(sums[..., k], sums[..., k + 1], out=np.zeros(sums.shape[:-1]), where=sums[..., k + 1] > 0)
            for k in (0, 2)
        )
        value: Floats = np.where(
            sums[..., 1] + sums[..., 3] > 0,
            np.where(recall + precision > 0, harmonic(recall * precision, recall + precision), 0.0),
            1.0,
        )
        return value
