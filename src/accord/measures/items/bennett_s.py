"""S: chance is the same for every category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.arrays import Bools, Floats
from accord.measures.items.base import ItemMeasure
from accord.measures.items.evidence import ItemEvidence
from accord.measures.items.two import Pairs


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
    by_pairs: ClassVar[bool] = True

    def drawn_by_chance(self, evidence: ItemEvidence) -> Floats:
        return np.ones(evidence.q)  # the declared ones, used or not

    def chance(self, evidence: ItemEvidence) -> float:
        even = np.full(evidence.q, 1.0 / evidence.q)
        return float(even @ evidence.space.to(even))

    def differ_in_pairs(self, pairs: Pairs) -> Bools:
        return np.full(len(pairs.n), pairs.space.differ(np.arange(len(pairs.first))))

    def chance_of_pairs(self, pairs: Pairs) -> Floats:
        even = np.full(len(pairs.first), 1.0 / len(pairs.first))
        return np.full(len(pairs.n), float(even @ pairs.space.to(even)))

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:
        return np.full(len(evidence.times), chance)
