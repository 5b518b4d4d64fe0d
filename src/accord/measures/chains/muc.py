"""MUC: links that one annotator's chains lack to be those of the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from accord.core.arrays import Floats
from accord.measures.chains.crossed import Crossed
from accord.measures.chains.pairwise import PairedChainMeasure, harmonic


@dataclass(frozen=True, repr=False)
class Muc(PairedChainMeasure):
    """Vilain et al. 1995. A chain of n mentions needs n − 1 links; what is found of them by the other."""

    name: ClassVar[str] = "muc"
    symbol: ClassVar[str] = "MUC"
    title: ClassVar[str] = "MUC F1 between annotators"
    source: ClassVar[str] = "Vilain, Burger, Aberdeen, Connolly & Hirschman 1995"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        # |chain| − |parts of it|, summed: the same from either side, since each cell is a part of two chains.
        common = float(crossed.shared.sum()) - len(crossed.shared)
        links = float((crossed.first - 1).sum()) + float((crossed.second - 1).sum())
        return common, links

    def quotient(self, sums: Floats) -> Floats:
        return harmonic(sums[..., 0], sums[..., 1])
