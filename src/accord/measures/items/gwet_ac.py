"""AC1 and AC2: chance agreement only where an annotator is thought to guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.measures.distances.spaces import Lines, Space
from accord.measures.items.evidence import AtOnce, ItemEvidence
from accord.measures.items.item_measure import ItemMeasure
from accord.measures.items.permutation import Dealt


@dataclass(frozen=True, repr=False)
class GwetAC(ItemMeasure):
    """Gwet 2008: AC1; with weights AC2."""

    name: ClassVar[str] = "ac"
    symbol: ClassVar[str] = "AC"
    aliases: ClassVar[tuple[str, ...]] = ("ac1", "ac2", "gwet", "gwet_ac1", "gwet_ac2")
    title: ClassVar[str] = "Gwet's AC1/AC2"
    source: ClassVar[str] = "Gwet 2008, 2014"

    def drawn_by_chance(self, evidence: ItemEvidence) -> Floats:
        return np.ones(evidence.q)  # the declared ones, used or not

    def chance(self, evidence: ItemEvidence) -> float:
        return float(_chance(evidence.shares, evidence.space))

    def chances(self, deals: Dealt) -> Floats:
        return _chance(deals.shares, deals.evidence.space)

    def drawn_at_once(self, tables: AtOnce) -> Floats:
        return np.ones((tables.q, 1))

    def chance_at_once(self, tables: AtOnce) -> Floats:
        return _chance(tables.shares, tables.space)

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:  # noqa: ARG002
        agreement = _weight(evidence.q, evidence.space) * evidence.mean_over_labels(1.0 - evidence.shares)
        return evidence.space.scale * (1.0 - agreement)


def _chance(shares: Floats, space: Space | Lines) -> Floats:
    """D_e for the shares of the categories; of each column where there are several."""
    q = len(shares)
    if q < 2:
        return np.zeros(shares.shape[1:])
    return np.asarray(space.scale * (1.0 - _weight(q, space) * (shares * (1.0 - shares)).sum(axis=0)))


def _weight(q: int, space: Space | Lines) -> Floats:
    """T_w/(q(q−1)): the sum of all agreement weights, per pair of categories."""
    even = np.ones(q)
    scale = np.asarray(space.scale)
    total = q * q - even @ space.to(even) / np.where(scale > 0, scale, 1.0)
    return np.asarray(total / (q * (q - 1)))
