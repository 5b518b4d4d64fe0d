"""Where disorder comes from: its sums by category, annotator, pair and document, and by position, category, absence.

The disorder of a unitary alignment is the mean of what its pairs of annotators cost. A pair's cost belongs to the pair,
half of it to each annotator; that of the whole unitary alignment, in equal shares, to the categories of its units.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.errors import SpecError
from accord.core.result import Score
from accord.measures.alignment.best import Alignment
from accord.measures.dissimilarities import Dissimilarity
from accord.measures.distances.spaces import sums_by
from accord.measures.gamma_score import gamma_score
from accord.measures.units.gamma_evidence import GammaEvidence

PARTS = ("category", "annotator", "pair", "document")
_MOST_ANNOTATORS = 500  # a breakdown by pair of more is not printed by anybody
NO_LABEL = "(no label)"


@dataclass(frozen=True, eq=False)
class Costs:
    """What the unitary alignments of an alignment cost, and why."""

    alignment: Alignment
    dissimilarity: Dissimilarity

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """Every two units of a unitary alignment: its number, and the two units."""
        group, unit, size = self.alignment.members_group, self.alignment.members_unit, self.alignment.size
        first = np.cumsum(size) - size
        behind = (first + size)[group] - np.arange(len(group)) - 1  # members after this one
        u = np.repeat(np.arange(len(group)), behind)
        v = u + 1 + np.arange(len(u)) - np.repeat(np.cumsum(behind) - behind, behind)
        return group[u], unit[u], unit[v]

    @cached_property
    def all_pairs(self) -> Floats:
        """C = n(n−1)/2 of each unitary alignment."""
        n = self.alignment.units.annotators[self.alignment.continuum].astype(np.float64)
        return n * (n - 1) / 2

    @cached_property
    def causes(self) -> dict[str, Floats]:
        """The disorder of each unitary alignment as a sum: position, category, absence."""
        group, u, v = self.pairs
        many = len(self.alignment.disorder)
        real = self.dissimilarity.parts(self.alignment.units, u, v)
        made = {cause: sums_by(group, cost, many) / self.all_pairs for cause, cost in real.items()}
        size = self.alignment.size
        made["absence"] = (self.all_pairs - size * (size - 1) / 2) * self.dissimilarity.delta / self.all_pairs
        return made

    def by_seats(self) -> tuple[Ints, Ints, Ints, Floats]:
        """(continuum, annotator, annotator, cost) of every two annotators of a continuum, Σ = its disorder.

        An absent annotator costs Δ with everybody, so all pairs start from Δ for each unitary alignment.
        """
        units, delta = self.alignment.units, self.dissimilarity.delta
        groups = np.bincount(self.alignment.continuum, minlength=len(units.annotators))
        continuum, first, second = seat_pairs(units.annotators)
        n = units.annotators.astype(np.int64)
        before = np.cumsum(n * (n - 1) // 2) - n * (n - 1) // 2
        _, u, v = self.pairs
        a, b = np.minimum(units.annotator[u], units.annotator[v]), np.maximum(units.annotator[u], units.annotator[v])
        where = units.continuum[u]
        row = before[where] + a * n[where] - a * (a + 1) // 2 + (b - a - 1)
        d = self.dissimilarity.between(units, u, v) - delta
        cost = sums_by(row, d, len(continuum)) + (groups * delta)[continuum]
        return continuum, first, second, cost / np.maximum(n * (n - 1) / 2, 1)[continuum]


def seat_pairs(annotators: Ints) -> tuple[Ints, Ints, Ints]:
    """Every two seats of each continuum, in order."""
    rows = [np.triu_indices(int(n), 1) for n in np.unique(annotators)]
    by_size = dict(zip(np.unique(annotators).tolist(), rows, strict=True))
    continuum = np.repeat(np.arange(len(annotators)), annotators * (annotators - 1) // 2)
    first = [by_size[int(n)][0] for n in annotators]
    second = [by_size[int(n)][1] for n in annotators]
    if not first:
        return continuum, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return continuum, np.concatenate(first), np.concatenate(second)


def disorder_by(measure: str, evidence: GammaEvidence, by: str) -> Mapping[str, Score]:
    """The breakdown: for each name γ, its disorder, and `details` with its sum and its share of all disorder."""
    compared, expected = evidence.compared, evidence.expected
    costs = Costs(compared.alignment, compared.dissimilarity)
    corpus, units = compared.corpus, compared.units
    whole = float(compared.alignment.totals.sum())
    if by == "document":
        own = units.per_annotator
        count = np.bincount(units.continuum, minlength=len(own))
        names = tuple(corpus.docs[d] for d in compared.docs)
        sums = compared.alignment.totals
        return _scores(measure, names, sums, own, own * expected.disorder, count, whole)
    if by == "category":
        share = compared.alignment.disorder / compared.alignment.size
        label = units.label[compared.alignment.members_unit]
        q = len(corpus.categories)
        sums = sums_by(label % (q + 1), share[compared.alignment.members_group], q + 1)
        n = units.annotators[units.continuum]
        own = sums_by(units.label % (q + 1), 1.0 / n, q + 1)
        chance = sums_by(units.label % (q + 1), expected.disorder[units.continuum] / n, q + 1)
        count = np.bincount(units.label % (q + 1), minlength=q + 1)
        names = (*corpus.categories.names, NO_LABEL)
        return _scores(measure, names, sums, own, chance, count, whole)
    return _by_annotators(measure, evidence, costs, by, whole)


def _by_annotators(measure: str, evidence: GammaEvidence, costs: Costs, by: str, whole: float) -> Mapping[str, Score]:
    compared, expected = evidence.compared, evidence.expected
    corpus, units = compared.corpus, compared.units
    continuum, first, second, cost = costs.by_seats()
    who = np.nonzero(corpus.judged[compared.docs])[1]  # the annotator of each seat
    before = np.cumsum(units.annotators) - units.annotators
    a, b = who[before[continuum] + first], who[before[continuum] + second]
    n = units.annotators.astype(np.float64)
    own = (units.per_annotator / (n * (n - 1) / 2))[continuum]  # x̄, shared by the pairs
    chance = own * expected.disorder[continuum]
    m = len(corpus.annotators)
    marked = np.bincount(who[before[units.continuum] + units.annotator], minlength=m)
    if by == "annotator":
        both = np.concatenate([a, b])
        sums, weight, by_chance = (sums_by(both, np.concatenate([x, x]) / 2, m) for x in (cost, own, chance))
        return _scores(measure, corpus.annotators, sums, weight, by_chance, marked, whole)
    if m > _MOST_ANNOTATORS:
        raise SpecError(f"by pair: {m:,} annotators are too many for a table; choose some with --annotators")
    pair = a * m + b
    sums, weight, by_chance = (sums_by(pair, x, m * m) for x in (cost, own, chance))
    met = np.flatnonzero(np.bincount(pair, minlength=m * m))
    names = tuple(f"{corpus.annotators[k // m]} – {corpus.annotators[k % m]}" for k in met)
    return _scores(measure, names, sums[met], weight[met], by_chance[met], marked[met // m] + marked[met % m], whole)


def _scores(
    measure: str, names: tuple[str, ...], sums: Floats, own: Floats, chance: Floats, count: Ints, whole: float
) -> dict[str, Score]:
    """Names that have anything to do with it, in order."""
    made = {}
    for k in np.flatnonzero((own > 0) | (count > 0)):
        found = gamma_score(
            measure,
            float(sums[k] / own[k]) if own[k] else math.nan,
            float(chance[k] / own[k]) if own[k] else math.nan,
            n=int(count[k]),
            details={"disorder": float(sums[k]), "share": float(sums[k] / whole) if whole else 0.0},
        )
        made[names[k]] = found
    return made
