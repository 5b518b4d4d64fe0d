"""S: chance is the same for every category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.measures.items.evidence import AtOnce, ItemEvidence
from accord.measures.items.item_measure import ItemMeasure


@dataclass(frozen=True, repr=False)
class BennettS(ItemMeasure):
    """Bennett, Alpert & Goldstein 1954; for more annotators Brennan & Prediger 1981, Randolph 2005. PABAK when q = 2.

    The number of categories is the declared one: a category that nobody used counts.
    """

    name: ClassVar[str] = "s"
    symbol: ClassVar[str] = "S"
    aliases: ClassVar[tuple[str, ...]] = (
        "bennett",
        "bennett_s",
        "brennan_prediger",
        "bp",
        "pabak",
        "randolph",
        "g_index",
    )
    title: ClassVar[str] = "Bennett's S (Brennan–Prediger)"
    source: ClassVar[str] = "Bennett et al. 1954; Artstein & Poesio 2008, 2.4"

    def drawn_by_chance(self, evidence: ItemEvidence) -> Floats:
        return np.ones(evidence.q)  # the declared ones, used or not

    def chance(self, evidence: ItemEvidence) -> float:
        even = np.full(evidence.q, 1.0 / evidence.q)
        return float(even @ evidence.space.to(even))

    def drawn_at_once(self, tables: AtOnce) -> Floats:
        return np.ones((tables.q, 1))

    def chance_at_once(self, tables: AtOnce) -> Floats:
        even = np.full(tables.q, 1.0 / tables.q)
        return np.broadcast_to(even @ tables.space.to(even), tables.n.shape)

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:
        return np.full(len(evidence.times), chance)
