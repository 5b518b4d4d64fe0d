"""Coefficients on items. They differ in expected disagreement (D_e); item_measure.py contains their common parts.

Percent agreement  no chance correction
S                  all categories are equally likely
π                  shares of the categories, pooled over the annotators
κ                  separate category shares of each annotator
α                  random pairs of all labels, without replacement
AC                 chance agreement only when an annotator guesses

Measures that treat atoms or potential boundaries as items also use these coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.probability import normal_below
from accord.core.result import Score
from accord.data.model.measurement import Measurement
from accord.data.model.ratings import Ratings, weighted_counts
from accord.measures.distances import Distance, Nominal
from accord.measures.distances.matrices import Matrix
from accord.measures.distances.scales import Circular, IntervalDistance, Ordinal, Ratio
from accord.measures.distances.sets import Masi
from accord.measures.distances.spaces import Directed, Lines, Space
from accord.measures.items.evidence import ItemEvidence, Table, Tables
from accord.measures.items.item_measure import ItemMeasure
from accord.measures.measure import WIDEST_MATRIX
from accord.measures.resampling import Contributions
from accord.measures.scales.table import f_above

_NOISE = 1e-14


@dataclass(frozen=True, repr=False)
class Percent(ItemMeasure):
    """Observed agreement A_o without chance correction. With weights, near misses receive partial credit."""

    name: ClassVar[str] = "percent"
    aliases: ClassVar[tuple[str, ...]] = ("percentage", "percent_agreement", "observed_agreement", "a_o")
    title: ClassVar[str] = "Percent agreement"
    source: ClassVar[str] = "Artstein & Poesio 2008, 2.3"
    lowest: ClassVar[float] = 0.0
    paired_only: ClassVar[bool] = True

    def estimate(self, evidence: ItemEvidence) -> Score:
        scale = evidence.space.scale or 1.0
        agreement = float(1.0 - self.disagreement(evidence) / scale)
        n = int(evidence.paired.sum())
        return Score(agreement, str(self), observed=agreement, expected=0.0, n=n, parts=self.parts(evidence))

    def labels_to_deal(self, evidence: ItemEvidence) -> None:
        """Return None: percent agreement has no chance model to test."""

    def values_of(self, tables: Tables) -> tuple[Floats, Floats, Floats]:
        agreement = 1.0 - tables.over_items / tables.scale
        return agreement, agreement, np.zeros(len(agreement))

    def explain(self, evidence: ItemEvidence, score: Score) -> dict[str, Any]:
        facts = super().explain(evidence, score)
        del facts["expected_disagreement"]  # there is no chance model
        return facts

    def linearised(self, evidence: ItemEvidence) -> Contributions:
        scale = evidence.space.scale or 1.0
        spread: float = evidence.labelled.sum() / evidence.paired.sum()
        values: Floats = (evidence.sizes > 1) * spread * (1.0 - evidence.within / scale)
        return Contributions(values, evidence.labelled)


@dataclass(frozen=True, repr=False)
class BennettS(ItemMeasure):
    """Bennett, Alpert & Goldstein 1954; for more annotators Brennan & Prediger 1981, Randolph 2005. PABAK when q = 2.

    The number of categories includes declared categories without labels.
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

    def drawn_by_chance(self, table: Table) -> Floats:
        return np.ones(table.q)  # declared categories, used or not

    def chance(self, table: Table) -> Any:
        return table.mean_distance(np.full(table.q, 1.0 / table.q))

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:
        return np.full(len(evidence.times), chance)


@dataclass(frozen=True, repr=False)
class ScottPi(ItemMeasure):
    """Scott 1955; for more annotators Fleiss 1971, which equals Siegel & Castellan's K."""

    name: ClassVar[str] = "pi"
    symbol: ClassVar[str] = "π"
    aliases: ClassVar[tuple[str, ...]] = ("scott", "scott_pi", "fleiss", "fleiss_kappa", "k", "multi_pi")
    title: ClassVar[str] = "Scott's π (Fleiss's κ, K)"
    source: ClassVar[str] = "Scott 1955; Fleiss 1971; Artstein & Poesio 2008, 2.4"
    by_shares: ClassVar[bool] = True
    special_intervals: ClassVar[tuple[str, ...]] = ("donner_eliasziw",)

    def chance(self, table: Table) -> Any:
        return table.mean_distance(table.shares)

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:  # noqa: ARG002
        return evidence.mean_over_labels(evidence.space.to(evidence.shares))

    def chance_test(self, evidence: ItemEvidence, score: Score) -> tuple[str, float] | None:  # noqa: ARG002
        found = (z_tests_of_k(evidence) or {}).get("fleiss_nee_landis_1979")
        return None if found is None else (f"Fleiss, Nee & Landis 1979, z = {found['z']:.2f}", found["p"])

    def explain(self, evidence: ItemEvidence, score: Score) -> dict[str, Any]:
        return super().explain(evidence, score) | {"z_test": z_tests_of_k(evidence)}


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
            return "the expected disagreement is 0 in this direction of the matrix (0/0)"
        return why

    def chance(self, table: Table) -> Any:
        """Return the mean distance between draws from two annotators, over ordered pairs of annotators."""
        return table.across_annotators()

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
        note = f"the matrix is not symmetric: rows are the labels of {first}, columns those of {second}"
        return {**facts, "notes": [*facts.get("notes", ()), note]}


def _seats(evidence: ItemEvidence) -> np.ndarray:
    """Return the column of `annotator_shares` for each annotator."""
    rows = evidence.rows
    present = weighted_counts(rows.annotator, evidence.labelled, rows.item, len(rows.annotators)) > 0
    return np.where(present, np.cumsum(present) - 1, 0)


@dataclass(frozen=True, repr=False)
class KrippendorffAlpha(ItemMeasure):
    """Krippendorff 1980. Any distance, any number of annotators, missing labels; items with one label are ignored."""

    name: ClassVar[str] = "alpha"
    symbol: ClassVar[str] = "α"
    aliases: ClassVar[tuple[str, ...]] = ("krippendorff", "krippendorff_alpha")
    title: ClassVar[str] = "Krippendorff's α"
    source: ClassVar[str] = "Krippendorff 1980, 2004; Artstein & Poesio 2008, 2.6.1"
    by_shares: ClassVar[bool] = True
    paired_only: ClassVar[bool] = True
    unnamed: ClassVar[tuple[str, ...] | None] = ("distance",)  # kappa(ordinal) means weights, alpha(ordinal) a distance
    special_intervals: ClassVar[tuple[str, ...]] = ("hayes_krippendorff", "krippendorff_2013")

    @property
    def leaves_level_open(self) -> bool:
        return not self.by_degrees

    def at(self, level: Measurement | None, explicit: bool = False) -> KrippendorffAlpha:
        """Return α with the distance for this level, unless the user named a distance or weights.

        Several distances between sets are in use, so α compares sets as names unless the user states the level.
        """
        if level is None or self.by_degrees or (level.level == "sets" and level.basis != "stated"):
            return self
        if level.level in _DISTANCE_AT:
            return replace(self, distance=_DISTANCE_AT[level.level](level))
        return replace(self, distance=Nominal()) if explicit else self

    def disagreement(self, table: Table) -> Any:
        """Return D_o with equal weights of labels, so that an item counts by its number of labels."""
        return table.over_labels

    def chance(self, table: Table) -> Any:
        """Return the mean distance of two labels drawn without replacement."""
        return table.mean_distance(table.pooled) * table.n_labels / (table.n_labels - 1)

    def drawn_by_chance(self, table: Table) -> Floats:
        return table.pooled

    def chance_test(self, evidence: ItemEvidence, score: Score) -> tuple[str, float] | None:
        """Test numbers with equally many labels per item: α is a function of the F of a one-way ANOVA."""
        sizes = evidence.sizes[evidence.paired > 0]
        if not isinstance(evidence.distance, IntervalDistance) or (sizes != sizes[0]).any():
            return None
        n, m = float(evidence.paired.sum()), float(sizes[0])
        within = 1.0 - score.value  # share of the variance within items
        if n < 2:
            return None
        first, second = n - 1, n * (m - 1)
        f = (n * m - 1 - within * second) / (first * within) if within > _NOISE else math.inf
        return f"F({first:g}, {second:g}) = {f:.2f}, one-sided", f_above(first, second, f) if math.isfinite(f) else 0.0

    def variance_factor(self, evidence: ItemEvidence) -> float:
        """Return the variance factor: both sources give the error of α′, and α = (1−ε)α′ + ε."""
        return 1.0 / (1.0 - 1.0 / float(evidence.pairable_marginals.sum())) ** 2

    def linearised(self, evidence: ItemEvidence) -> Contributions:
        """Return α*_i of Gwet, converted from α′ (chance with replacement) to α = (1−ε)α′ + ε, ε = 1/n."""
        observed, expected = evidence.over_labels, evidence.mean_distance(evidence.pooled)
        marginals = evidence.pairable_marginals
        n, items = marginals.sum(), evidence.paired.sum()
        size = evidence.sizes * items / n  # r_i relative to its mean
        to_others = evidence.mean_over_labels(evidence.space.to(marginals / n))
        own = size * evidence.within - observed * (size - 1.0)
        by_chance = size * to_others - expected * (size - 1.0)
        quotient = observed / expected
        values = 1.0 - own / expected - 2 * quotient * (1.0 - by_chance / expected)
        if evidence.distance.depends_on_data:
            values -= items * quotient * self._pull_of_ranks(evidence, observed, expected)
        return Contributions((1.0 - 1.0 / n) * values + 1.0 / n, evidence.paired)

    def _pull_of_ranks(self, evidence: ItemEvidence, observed: float, expected: float) -> Floats:
        """Return the effect of each row on ln(D_o/D_e) through the mid-ranks of the ordinal distance."""
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


@dataclass(frozen=True, repr=False)
class GwetAC(ItemMeasure):
    """Gwet 2008: AC1; with weights AC2."""

    name: ClassVar[str] = "ac"
    symbol: ClassVar[str] = "AC"
    aliases: ClassVar[tuple[str, ...]] = ("ac1", "ac2", "gwet", "gwet_ac1", "gwet_ac2")
    title: ClassVar[str] = "Gwet's AC1/AC2"
    source: ClassVar[str] = "Gwet 2008, 2014"

    def drawn_by_chance(self, table: Table) -> Floats:
        return np.ones(table.q)  # declared categories, used or not

    def chance(self, table: Table) -> Any:
        q, shares, scale = table.q, table.shares, table.space.scale
        if q < 2:
            return np.zeros(shares.shape[1:])[()]
        return scale * (1.0 - _mean_weight(q, table.space) * (shares * (1.0 - shares)).sum(axis=0))

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:  # noqa: ARG002
        agreement = _mean_weight(evidence.q, evidence.space) * evidence.mean_over_labels(1.0 - evidence.shares)
        return evidence.space.scale * (1.0 - agreement)


def _mean_weight(q: int, space: Space | Lines) -> Floats:
    """Return T_w/(q(q−1)): the sum of all agreement weights per pair of categories."""
    even = np.ones(q)
    scale = np.asarray(space.scale)
    total = q * q - even @ space.to(even) / np.where(scale > 0, scale, 1.0)
    return np.asarray(total / (q * (q - 1)))


_DISTANCE_AT: Mapping[str, Callable[[Measurement], Distance]] = {
    "ordinal": lambda _: Ordinal(),
    "interval": lambda _: IntervalDistance(),
    "ratio": lambda _: Ratio(),
    "circular": lambda level: Circular(level.period),
    "sets": lambda _: Masi(),
}

COEFFICIENTS: tuple[type[ItemMeasure], ...] = (
    Percent,
    BennettS,
    ScottPi,
    CohenKappa,
    KrippendorffAlpha,
    GwetAC,
)


# -- z-tests against chance agreement -------------------------------------------------------------------------------


def null_error_of_kappa(evidence: ItemEvidence) -> float | None:
    """Return the standard error of (weighted) κ under chance agreement (Fleiss, Cohen & Everitt 1969).

    None if the formula does not apply: more annotators, items with one label, or too many categories for a table.
    """
    whole = (evidence.sizes[evidence.labelled > 0] == 2).all()
    if not evidence.rows.identified or evidence.rows.n_annotators != 2 or not whole or evidence.q > WIDEST_MATRIX:
        return None
    table = evidence.confusion()
    n = float(table.sum())
    first, second = table.sum(axis=1) / n, table.sum(axis=0) / n
    w = 1.0 - evidence.distances() / (evidence.space.scale or 1.0)
    expected = float(first @ w @ second)
    if expected >= 1.0:
        return None
    towards = (w @ second)[:, None] + (w.T @ first)[None, :]
    spread = float((np.outer(first, second) * (w - towards) ** 2).sum()) - expected**2
    return math.sqrt(max(0.0, spread) / n) / (1.0 - expected)


def z_tests_of_k(evidence: ItemEvidence) -> dict[str, Any] | None:
    """Test K by Siegel & Castellan 1988 (= Fleiss 1971), and by Fleiss, Nee & Landis 1979 with the corrected variance.

    None with weights, or if items have different numbers of labels, because the formulas do not apply.
    """
    sizes = evidence.sizes[evidence.labelled > 0]
    if not isinstance(evidence.distance, Nominal) or len(sizes) == 0 or (sizes != sizes[0]).any() or sizes[0] < 2:
        return None
    m, n = int(sizes[0]), float(evidence.labelled.sum())
    p = evidence.shares
    chance = float(p @ p)
    if chance >= 1.0:
        return None
    k = 1.0 - float(evidence.paired @ evidence.within) / n / (1.0 - chance)
    spread = float(p @ (1.0 - p))
    variances = {
        "siegel_castellan_1988": (chance - (2 * m - 3) * chance**2 + 2 * (m - 2) * float((p**3).sum()))
        / (1.0 - chance) ** 2,
        "fleiss_nee_landis_1979": (spread**2 - float((p * (1.0 - p)) @ (1.0 - 2 * p))) / spread**2,
    }
    tests: dict[str, Any] = {}
    for name, factor in variances.items():
        se = math.sqrt(max(0.0, 2.0 / (n * m * (m - 1)) * factor))
        if se > 0:
            z = k / se
            tests[name] = {"se": se, "z": z, "p": 2 * normal_below(-abs(z))}
    return tests
