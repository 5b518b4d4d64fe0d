"""AC1 and AC2: chance agreement only where an annotator is thought to guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.arrays import Bools, Floats
from accord.distances.spaces import Space
from accord.measures.items.base import ItemMeasure
from accord.measures.items.dealt import Dealt
from accord.measures.items.evidence import ItemEvidence
from accord.measures.items.two import Pairs


@dataclass(frozen=True, repr=False)
class GwetAC(ItemMeasure):
    """Gwet 2008: AC1; with weights AC2."""

    name: ClassVar[str] = "ac"
    symbol: ClassVar[str] = "AC"
    aliases: ClassVar[tuple[str, ...]] = ("ac1", "ac2", "gwet", "gwet_ac1", "gwet_ac2")
    title: ClassVar[str] = "Gwet's AC1/AC2"
    source: ClassVar[str] = "Gwet 2008, 2014"
    by_pairs: ClassVar[bool] = True

    def drawn_by_chance(self, evidence: ItemEvidence) -> Floats:
        return np.ones(evidence.q)  # the declared ones, used or not

    def chance(self, evidence: ItemEvidence) -> float:
        return float(_chance(evidence.shares, evidence.space))

    def chances(self, deals: Dealt) -> Floats:
        return _chance(deals.shares, deals.evidence.space)

    def differ_in_pairs(self, pairs: Pairs) -> Bools:
        return np.full(len(pairs.n), pairs.space.differ(np.arange(len(pairs.first))))

    def chance_of_pairs(self, pairs: Pairs) -> Floats:
        return _chance(pairs.pooled, pairs.space)

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:  # noqa: ARG002
        agreement = _weight(evidence.q, evidence.space) * evidence.mean_over_labels(1.0 - evidence.shares)
        return evidence.space.scale * (1.0 - agreement)


def _chance(shares: Floats, space: Space) -> Floats:
    """D_e for the shares of the categories; of each column where there are several."""
    q = len(shares)
    if q < 2:
        return np.zeros(shares.shape[1:])
    return np.asarray(space.scale * (1.0 - _weight(q, space) * (shares * (1.0 - shares)).sum(axis=0)))


def _weight(q: int, space: Space) -> float:
    """T_w/(q(q−1)): the sum of all agreement weights, per pair of categories."""
    even = np.ones(q)
    total = q * q - float(even @ space.to(even)) / (space.scale or 1.0)
    return total / (q * (q - 1))
