"""Measures on links: every two mentions of a document are linked, or they are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.measures.chains.crossed import Crossed
from accord.measures.chains.pairwise import PairedChainMeasure, harmonic


def pairs_in(sizes: Ints | Floats) -> float:
    """How many pairs there are in sets of these sizes."""
    size = np.asarray(sizes, dtype=np.float64)
    return float((size * (size - 1) / 2).sum())


@dataclass(frozen=True, repr=False)
class LinksF1(PairedChainMeasure):
    """What share of the links of two annotators do both have? A link is any two mentions of a chain."""

    name: ClassVar[str] = "links_f1"
    symbol: ClassVar[str] = "F1 of links"
    title: ClassVar[str] = "F1 of coreference links"
    source: ClassVar[str] = "Popescu-Belis 2000; Recasens & Hovy 2011"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        return pairs_in(crossed.shared), pairs_in(crossed.first) + pairs_in(crossed.second)

    def quotient(self, sums: Floats) -> Floats:
        return harmonic(sums[..., 0], sums[..., 1])


@dataclass(frozen=True, repr=False)
class Blanc(PairedChainMeasure):
    """Recasens & Hovy 2011; Luo et al. 2014 for mentions that one has only. F1 of links and of what is not linked."""

    name: ClassVar[str] = "blanc"
    symbol: ClassVar[str] = "BLANC"
    title: ClassVar[str] = "BLANC between annotators"
    source: ClassVar[str] = "Recasens & Hovy 2011; Luo, Pradhan, Recasens & Hovy 2014"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        mine, others = crossed.mentions
        both = float(crossed.shared.sum())
        linked = pairs_in(crossed.first), pairs_in(crossed.second)
        common = pairs_in(crossed.shared)
        by_row, by_column = (np.bincount(side, crossed.shared) for side in (crossed.row, crossed.column))
        # Of the mentions that both have: all pairs, less those that either links.
        apart = pairs_in(np.array([both])) - pairs_in(by_row) - pairs_in(by_column) + common
        unlinked = pairs_in(np.array([mine, others])) - sum(linked)
        return common, sum(linked), apart, unlinked, both, mine + others

    def quotient(self, sums: Floats) -> Floats:
        linked, unlinked, mentions = (harmonic(sums[..., k], sums[..., k + 1]) for k in (0, 2, 4))
        some_linked, some_unlinked = sums[..., 1] > 0, sums[..., 3] > 0
        one = np.where(some_linked, linked, np.where(some_unlinked, unlinked, mentions))
        value: Floats = np.where(some_linked & some_unlinked, (linked + unlinked) / 2, one)
        return value
