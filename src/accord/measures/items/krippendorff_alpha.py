"""α: disagreement against the disagreement of all labels paired at random."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.result import Score
from accord.measures.distances.scales import IntervalDistance
from accord.measures.items.evidence import AtOnce, ItemEvidence
from accord.measures.items.item_measure import ItemMeasure
from accord.measures.items.permutation import Dealt
from accord.measures.resampling import Contributions
from accord.measures.scales.table import f_above

_NOISE = 1e-14


@dataclass(frozen=True, repr=False)
class KrippendorffAlpha(ItemMeasure):
    """Krippendorff 1980. Any distance, any number of annotators, missing labels; items with one label are left out."""

    name: ClassVar[str] = "alpha"
    symbol: ClassVar[str] = "α"
    aliases: ClassVar[tuple[str, ...]] = ("krippendorff", "krippendorff_alpha")
    title: ClassVar[str] = "Krippendorff's α"
    source: ClassVar[str] = "Krippendorff 1980, 2004; Artstein & Poesio 2008, 2.6.1"
    by_shares: ClassVar[bool] = True
    unnamed: ClassVar[tuple[str, ...] | None] = ("distance",)  # kappa(ordinal) are weights; not so here
    special_intervals: ClassVar[tuple[str, ...]] = ("hayes_krippendorff", "krippendorff_2013")

    def disagreement(self, evidence: ItemEvidence) -> float:
        """D_o: every label counts the same, so an item counts by its labels."""
        labels = evidence.paired * evidence.sizes
        return float(labels @ evidence.within / labels.sum())

    def disagreements(self, many: Dealt | AtOnce) -> Floats:
        return many.over_labels

    def chance(self, evidence: ItemEvidence) -> float:
        n = float(evidence.pairable_marginals.sum())
        return self._chance_with_self(evidence) * n / (n - 1)

    def _chance_with_self(self, evidence: ItemEvidence) -> float:
        shares = evidence.pairable_marginals / evidence.pairable_marginals.sum()
        return float(shares @ evidence.space.to(shares))

    def chance_at_once(self, tables: AtOnce) -> Floats:
        return tables.means(tables.pooled) * tables.labels / (tables.labels - 1)

    def drawn_at_once(self, tables: AtOnce) -> Floats:
        return tables.pooled

    def drawn_by_chance(self, evidence: ItemEvidence) -> Floats:
        return evidence.pairable_marginals

    def chance_test(self, evidence: ItemEvidence, score: Score) -> tuple[str, float] | None:
        """Numbers, as many labels on every item: α is a function of the F of a one-way analysis of variance."""
        sizes = evidence.sizes[evidence.paired > 0]
        if not isinstance(evidence.distance, IntervalDistance) or (sizes != sizes[0]).any():
            return None
        n, m, within = (
            float(evidence.paired.sum()),
            float(sizes[0]),
            1.0 - score.value,
        )  # within: of the variance of all
        if n < 2:
            return None
        first, second = n - 1, n * (m - 1)
        f = (n * m - 1 - within * second) / (first * within) if within > _NOISE else math.inf
        return f"F({first:g}, {second:g}) = {f:.2f}, one-sided", f_above(first, second, f) if math.isfinite(f) else 0.0

    def variance_factor(self, evidence: ItemEvidence) -> float:
        """Both give the error of α′, and α = (1−ε)α′ + ε."""
        return 1.0 / (1.0 - 1.0 / float(evidence.pairable_marginals.sum())) ** 2

    def linearised(self, evidence: ItemEvidence) -> Contributions:
        """α*_i of Gwet, brought from α′ (chance with self-pairing) to α = (1−ε)α′ + ε, ε = 1/n."""
        observed, expected = self.disagreement(evidence), self._chance_with_self(evidence)
        marginals = evidence.pairable_marginals
        n, items = marginals.sum(), evidence.paired.sum()
        size = evidence.sizes * items / n  # r_i relative to the mean
        to_others = evidence.mean_over_labels(evidence.space.to(marginals / n))
        own = size * evidence.within - observed * (size - 1.0)
        by_chance = size * to_others - expected * (size - 1.0)
        quotient = observed / expected
        values = 1.0 - own / expected - 2 * quotient * (1.0 - by_chance / expected)
        if evidence.distance.depends_on_data:
            values -= items * quotient * self._pull_of_ranks(evidence, observed, expected)
        return Contributions((1.0 - 1.0 / n) * values + 1.0 / n, evidence.paired)

    def _pull_of_ranks(self, evidence: ItemEvidence, observed: float, expected: float) -> Floats:
        """How each row moves ln(D_o/D_e) by moving the mid-ranks that the ordinal distance is made of."""
        rows, marginals = evidence.rows, evidence.pairable_marginals
        n = marginals.sum()
        rank = np.cumsum(marginals) - marginals / 2
        rank = rank - rank.mean()
        x = rank[rows.label]
        many = np.ones(len(x)) if rows.many is None else rows.many
        others = np.bincount(rows.item, weights=x * many, minlength=len(evidence.sizes))[rows.item] - x
        apart = x - others / np.maximum(evidence.sizes[rows.item] - 1, 1)
        in_items = 4 * np.bincount(rows.label, weights=evidence.paired[rows.item] * apart * many, minlength=evidence.q)
        overall = 4 * marginals * (n * rank - marginals @ rank)
        slope = in_items / (n * observed) - overall / (n * n * expected) if observed > 0 else 0 * rank
        below = np.concatenate([np.cumsum(slope[::-1])[::-1][1:], [0.0]]) + slope / 2
        return evidence.mean_over_labels(below) * evidence.sizes * (evidence.sizes > 1)
