"""κ: chance from each annotator's own shares of the categories."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.probability import normal_below
from accord.core.result import Score
from accord.data.model.counting import weighted_counts
from accord.data.model.ratings import Ratings
from accord.measures.distances.matrices import Matrix
from accord.measures.distances.spaces import Directed
from accord.measures.items.coefficients import null_error_of_kappa
from accord.measures.items.crowds import Pairs
from accord.measures.items.evidence import AtOnce, ItemEvidence
from accord.measures.items.item_measure import ItemMeasure


@dataclass(frozen=True, repr=False)
class CohenKappa(ItemMeasure):
    """Cohen 1960; with weights Cohen 1968; for more annotators Davies & Fleiss 1982 and Conger 1980 (multi-κ)."""

    name: ClassVar[str] = "kappa"
    symbol: ClassVar[str] = "κ"
    aliases: ClassVar[tuple[str, ...]] = (
        "cohen",
        "cohen_kappa",
        "conger",
        "davies_fleiss",
        "hubert",
        "multi_kappa",
        "kappa_w",
    )
    title: ClassVar[str] = "Cohen's κ (Davies–Fleiss, Conger)"
    source: ClassVar[str] = "Cohen 1960; Davies & Fleiss 1982; Artstein & Poesio 2008, 2.4"
    by_shares: ClassVar[bool] = True
    special_intervals: ClassVar[tuple[str, ...]] = ("fleiss_cohen_everitt",)
    chance_from_annotators: ClassVar[bool] = True

    def chance_test(self, evidence: ItemEvidence, score: Score) -> tuple[str, float] | None:
        se = self.null_error(evidence)
        if not se:
            return None
        z = score.value / se
        return f"Fleiss, Cohen & Everitt 1969, z = {z:.2f}", 2 * normal_below(-abs(z))

    def null_error(self, evidence: ItemEvidence) -> float | None:
        return null_error_of_kappa(evidence)

    def observe(self, data: Ratings, run: Run | None = None) -> ItemEvidence:
        evidence = super().observe(data, run)
        of_two = isinstance(self.metric, Matrix) and data.identified and data.n_annotators == 2
        return ItemEvidence.of(data, self.metric, of_two=True) if of_two else evidence

    def reason(self, evidence: ItemEvidence) -> str | None:
        why = super().reason(evidence)
        if why is None and isinstance(evidence.space, Directed) and not self.chance(evidence) > 0:
            return "what the two say by chance is no distance apart in this direction: 0/0"
        return why

    def chance(self, evidence: ItemEvidence) -> float:
        """The mean over ordered pairs of annotators of the distance between a draw from each."""
        if not evidence.rows.identified:
            return math.nan
        shares, _ = evidence.annotator_shares
        r = shares.shape[1]
        if isinstance(evidence.space, Directed):
            return float(shares[:, 0] @ evidence.space.to(shares[:, -1])) if r == 2 else math.nan
        total = shares.sum(axis=1)
        own = (shares * evidence.space.to(shares)).sum()
        return float((total @ evidence.space.to(total) - own) / (r * (r - 1)))

    def chance_at_once(self, tables: AtOnce) -> Floats:
        if isinstance(tables, Pairs) and isinstance(tables.space, Directed):
            return np.asarray((tables.first * tables.space.to(tables.second)).sum(axis=0))
        found = tables.annotators()
        return (tables.means(found.total) - found.own) / (found.number * (found.number - 1))

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:
        shares, given = evidence.annotator_shares
        r = shares.shape[1]
        if isinstance(evidence.space, Directed):
            towards = np.stack([evidence.space.to(shares[:, 1]), evidence.space.back(shares[:, 0])], axis=1)
        else:
            towards = 2 * evidence.space.to(shares.sum(axis=1)[:, None] - shares) / (r * (r - 1))
        centred = (towards - (shares * towards).sum(axis=0)) * (evidence.labelled.sum() / given)
        seat = _seats(evidence)
        each = centred[evidence.rows.label, seat[evidence.rows.annotator]]
        return chance + np.bincount(evidence.rows.item, weights=each, minlength=len(evidence.times)) / 2

    def explain(self, evidence: ItemEvidence, score: Score) -> dict[str, Any]:
        facts = super().explain(evidence, score)
        if not isinstance(evidence.space, Directed):
            return facts
        first, second = (evidence.rows.annotators[g] for g in np.flatnonzero(evidence.rows.labels_per_annotator))
        note = f"the matrix is not symmetric: its rows are the labels of {first}, its columns those of {second}"
        return {**facts, "notes": [*facts.get("notes", ()), note]}


def _seats(evidence: ItemEvidence) -> np.ndarray:
    """Annotator code → column of `annotator_shares`."""
    rows = evidence.rows
    present = weighted_counts(rows.annotator, evidence.labelled, rows.item, len(rows.annotators)) > 0
    return np.where(present, np.cumsum(present) - 1, 0)
