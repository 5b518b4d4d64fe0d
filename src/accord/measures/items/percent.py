"""Percent agreement: how often two annotators give an item the same label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.result import Score
from accord.measures.items.evidence import AtOnce, ItemEvidence
from accord.measures.items.item_measure import ItemMeasure
from accord.measures.resampling import Contributions


@dataclass(frozen=True, repr=False)
class Percent(ItemMeasure):
    """Observed agreement A_o, nothing taken off for chance. With weights, near misses count in part."""

    name: ClassVar[str] = "percent"
    aliases: ClassVar[tuple[str, ...]] = ("percentage", "percent_agreement", "observed_agreement", "a_o")
    title: ClassVar[str] = "Percent agreement"
    source: ClassVar[str] = "Artstein & Poesio 2008, 2.3"
    lowest: ClassVar[float] = 0.0

    def estimate(self, evidence: ItemEvidence) -> Score:
        scale = evidence.space.scale or 1.0
        agreement = float(1.0 - self.disagreement(evidence) / scale)
        n = int(evidence.paired.sum())
        return Score(agreement, str(self), observed=agreement, expected=0.0, n=n, parts=self.parts(evidence))

    def labels_to_deal(self, evidence: ItemEvidence) -> None:
        """Chance is no part of it."""

    def at_once(self, tables: AtOnce) -> tuple[Floats, Floats, Floats]:
        agreement = 1.0 - tables.over_items / tables.scale
        return agreement, agreement, np.zeros(len(agreement))

    def explain(self, evidence: ItemEvidence, score: Score) -> dict[str, Any]:
        facts = super().explain(evidence, score)
        del facts["expected_disagreement"]  # nothing is expected by chance here
        return facts

    def linearised(self, evidence: ItemEvidence) -> Contributions:
        scale = evidence.space.scale or 1.0
        spread: float = evidence.labelled.sum() / evidence.paired.sum()
        values: Floats = (evidence.sizes > 1) * spread * (1.0 - evidence.within / scale)
        return Contributions(values, evidence.labelled)
