"""π: chance from the shares of the categories, pooled over the annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.result import Score
from accord.measures.items.coefficients import z_tests_of_k
from accord.measures.items.evidence import AtOnce, ItemEvidence
from accord.measures.items.item_measure import ItemMeasure
from accord.measures.items.permutation import Dealt


@dataclass(frozen=True, repr=False)
class ScottPi(ItemMeasure):
    """Scott 1955; for more annotators Fleiss 1971, which is Siegel & Castellan's K."""

    name: ClassVar[str] = "pi"
    symbol: ClassVar[str] = "π"
    aliases: ClassVar[tuple[str, ...]] = ("scott", "scott_pi", "fleiss", "fleiss_kappa", "k", "multi_pi")
    title: ClassVar[str] = "Scott's π (Fleiss's κ, K)"
    source: ClassVar[str] = "Scott 1955; Fleiss 1971; Artstein & Poesio 2008, 2.4"
    by_shares: ClassVar[bool] = True
    special_intervals: ClassVar[tuple[str, ...]] = ("donner_eliasziw",)

    def chance(self, evidence: ItemEvidence) -> float:
        return float(evidence.shares @ evidence.space.to(evidence.shares))

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:  # noqa: ARG002
        return evidence.mean_over_labels(evidence.space.to(evidence.shares))

    def chance_at_once(self, tables: AtOnce) -> Floats:
        return tables.means(tables.shares)

    def chances(self, deals: Dealt) -> Floats:
        return np.asarray((deals.shares * deals.evidence.space.to(deals.shares)).sum(axis=0))

    def chance_test(self, evidence: ItemEvidence, score: Score) -> tuple[str, float] | None:  # noqa: ARG002
        found = (z_tests_of_k(evidence) or {}).get("fleiss_nee_landis_1979")
        return None if found is None else (f"Fleiss, Nee & Landis 1979, z = {found['z']:.2f}", found["p"])

    def explain(self, evidence: ItemEvidence, score: Score) -> dict[str, Any]:
        return super().explain(evidence, score) | {"z_test": z_tests_of_k(evidence)}
