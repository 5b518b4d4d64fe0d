"""γ_cat and γ_k: agreement on the labels of aligned units, weighted by their positional agreement."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.core.result import Parts, Score
from accord.data.model.corpus import Corpus
from accord.measures.alignment.best import Alignment, aligner
from accord.measures.alignment.units import Units
from accord.measures.chance.expected import MODELS, draw_random_sums, error_of_ratio
from accord.measures.chance.sampling import Drawn, Sums
from accord.measures.dissimilarities import Combined, label_table
from accord.measures.distances import Nominal
from accord.measures.distances.spaces import sums_by
from accord.measures.resampling import Sampled, Values, one_minus
from accord.measures.units.aligned import (
    WITHOUT_LENGTH,
    AlignedMeasure,
    check_comparable,
    document_facts,
    document_notes,
    points_note,
)
from accord.measures.units.unitary import ComparedUnits, Costs


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """Pairs of labelled units in unitary alignments: their labels, label distance and weight.

    `by_category` is the total weight of the units of each category in all pairs; `squares` is the sum of their squares.
    """

    continuum: Ints
    a: Ints
    b: Ints
    distance: Floats
    weight: Floats
    by_category: Floats
    squares: Floats

    @property
    def pairs(self) -> int:
        return int((self.weight > 0).sum())

    def disagreement(self, category: int | None = None) -> float:
        """Return the weighted mean distance of the pairs with this category."""
        far, weight = self.summed(category)
        return far / weight if weight > 0 else math.nan

    def summed(self, category: int | None = None) -> tuple[float, float]:
        """Return Σ weight · distance and Σ weight of the pairs with this category."""
        weight = self.weight if category is None else self.weight * ((self.a == category) | (self.b == category))
        return float(weight @ self.distance), float(weight.sum())


def label_pairs(alignment: Alignment, combined: Combined, table: Floats | None, q: int) -> LabelPairs:
    """Return pairs with weight max(0, 1 − d_pos/Δ)/(k − 1), for k labelled units in the unitary alignment."""
    units = alignment.units
    labelled = units.label[alignment.members_unit] >= 0
    k = sums_by(alignment.members_group, labelled.astype(np.float64), len(alignment.disorder))
    group, u, v = Costs(alignment, combined).pairs
    known = (units.label[u] >= 0) & (units.label[v] >= 0)
    group, u, v = group[known], u[known], v[known]
    near = np.maximum(0.0, 1.0 - combined.position(units, u, v) / combined.delta)
    weight = near / np.maximum(k[group] - 1, 1)
    a, b = units.label[u], units.label[v]
    distance = (a != b).astype(np.float64) if table is None else table[a, b]
    own = sums_by(np.concatenate([u, v]), np.concatenate([weight, weight]), len(units))
    label = np.where(units.label >= 0, units.label, q)
    by_category = sums_by(label, own, q + 1)[:q]
    squares = sums_by(label, own**2, q + 1)[:q]
    return LabelPairs(alignment.continuum[group], a, b, distance, weight, by_category, squares)


@dataclass(frozen=True, eq=False)
class RandomLabels:
    """Labels aligned by chance: mean sums of distances and weights, and the error of their quotient."""

    samples: int
    combinations: int
    error: float  # relative error of the quotient for all categories, or for the chosen one
    far: Floats  # per category, then for all pairs
    weight: Floats

    @classmethod
    def of(cls, found: list[tuple[int, Drawn]]) -> RandomLabels:
        """Combine samples for several numbers of annotators, weighted by the number of continua."""
        further = [many * one.further for many, one in found if one.further is not None]
        far, weight = np.sum(further, axis=0)
        samples, combinations = (sum(getattr(d, k) for _, d in found) for k in ("samples", "combinations"))
        return cls(samples, combinations, error_of_ratio(found), far, weight)

    def expected(self, category: int | None) -> float:
        k = -1 if category is None else category
        return float(self.far[k] / self.weight[k]) if self.weight[k] > 0 else math.nan


@dataclass(frozen=True, eq=False)
class LabelEvidence:
    """The label pairs of the best alignment and, with a sampled chance model, of random alignments."""

    compared: ComparedUnits
    pairs: LabelPairs
    table: Floats | None
    random: RandomLabels | None

    @property
    def corpus(self) -> Corpus:
        return self.compared.corpus

    @property
    def names(self) -> tuple[str, ...]:
        return self.compared.names

    def expected(self, category: int | None = None) -> float:
        """Return the mean distance of random pairs: from label frequencies, or from random alignments."""
        if self.random is not None:
            return self.random.expected(category)
        n_of, squares = self.pairs.by_category, self.pairs.squares
        n = n_of.sum()
        if category is None:
            far = n_of @ self._to(n_of)
            pairs = n * n - squares.sum()
        else:
            mine = n_of[category]
            far = 2 * mine * self._to(n_of)[category]
            pairs = mine * mine - squares[category] + 2 * mine * (n - mine)
        return float(far / pairs) if pairs > 0 else math.nan

    def _to(self, n_of: Floats) -> Floats:
        """Return Σ weight · distance over all categories, for each category."""
        return n_of.sum() - n_of if self.table is None else self.table @ n_of


@dataclass(frozen=True, repr=False)
class GammaCat(AlignedMeasure):
    """Mathet 2017. Agreement on the labels of aligned units; on predefined units it equals Krippendorff's α."""

    chance: str = "frequencies"

    name: ClassVar[str] = "gamma_cat"
    symbol: ClassVar[str] = "γ_cat"
    title: ClassVar[str] = "γ_cat, agreement on the labels of aligned units"
    source: ClassVar[str] = "Mathet 2017"
    default_interval: ClassVar[str] = "bootstrap"
    models: ClassVar[tuple[str, ...]] = ("frequencies", "auto", *MODELS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dissimilarity is not None:
            raise SpecError(
                "measure-option",
                f"{self.name} weights pairs by positional dissimilarity; remove dissimilarity=…, or use gamma",
            )

    def observe(self, data: Corpus, run: Run) -> LabelEvidence:
        check_comparable(data, self.name)
        if not len(data.categories):
            raise DataError("nothing-annotated", f"{self.name} compares labels, but no unit has a label; use gamma")
        compared = self.compare(data, run)
        table = label_table(self.distance or Nominal(), data.categories, "identity")
        combined = compared.dissimilarity
        assert isinstance(combined, Combined)
        made = partial(label_pairs, combined=combined, table=table, q=len(data.categories))
        pairs = made(compared.alignment)
        if self.chance == "frequencies":
            return LabelEvidence(compared, pairs, table, None)
        pool, sampling = self.chance_of(compared)
        random = partial(_random_pairs, aligner(combined, self.soft), made, self._category(data))
        found = draw_random_sums(compared.source, pool, sampling, random, run)
        return LabelEvidence(compared, pairs, table, RandomLabels.of(found))

    def estimate(self, evidence: LabelEvidence) -> Score:
        corpus = evidence.compared.corpus
        parts = Parts(
            ("category",), lambda _: {n: self._of(evidence, k) for k, n in enumerate(corpus.categories.names)}
        )
        return self._of(evidence, None, parts=parts)

    def _of(self, evidence: LabelEvidence, category: int | None, **rest: Any) -> Score:
        pairs = evidence.pairs
        observed, expected = pairs.disagreement(category), evidence.expected(category)
        reason = None
        if math.isnan(observed):
            what = (
                "units"
                if category is None
                else f"units of {quoted(evidence.compared.corpus.categories.names[category])}"
            )
            reason = f"no two labelled {what} are aligned"
            if evidence.compared.points.all():
                reason = f"{reason}: all units have length 0, and none of two annotators are equal; {WITHOUT_LENGTH}"
        elif not expected > 0:
            reason = "the labels of aligned units do not vary (0/0)"
        weight = pairs.weight if category is None else pairs.weight[(pairs.a == category) | (pairs.b == category)]
        rest = (
            {"n": len(evidence.compared.docs), **rest} if category is None else {"n": int((weight > 0).sum()), **rest}
        )
        return Score(
            math.nan if reason else 1.0 - observed / expected,
            str(self),
            observed=None if math.isnan(observed) else observed,
            expected=None if math.isnan(expected) else expected,
            undefined=reason,
            **rest,
        )

    def sampled(self, evidence: LabelEvidence, run: Run, named: bool = True) -> Sampled:  # noqa: ARG002
        error = 0.0 if evidence.random is None else evidence.random.error
        values = _values(evidence, self._category(evidence.corpus))
        return Sampled(evidence.names, np.ones(len(evidence.names)), values, chance_error=error)

    def chance_error(self, evidence: LabelEvidence, value: float) -> float:
        return 0.0 if evidence.random is None else (1.0 - value) * evidence.random.error

    def _category(self, corpus: Corpus) -> int | None:  # noqa: ARG002
        """Return the only category that counts; None for all categories."""
        return None

    def explain(self, evidence: LabelEvidence, score: Score) -> dict[str, Any]:  # noqa: ARG002
        compared = evidence.compared
        documents = document_facts(compared.corpus, compared.docs)
        points = points_note(
            int(compared.points.sum()), len(compared.units), "two of them are aligned only if they are equal"
        )
        return {
            **documents,
            "units": len(compared.corpus),
            "annotators": compared.corpus.n_annotators,
            "categories": len(compared.corpus.categories),
            "pairs": evidence.pairs.pairs,
            "gap": compared.alignment.overall_gap,
            **self.about_chance(compared.corpus, evidence.random),
            "distance": str(self.distance or "nominal"),
            "notes": [*document_notes(documents["left_out"]), *points, *self.notes_on_options()],
        }


@dataclass(frozen=True, repr=False)
class GammaK(GammaCat):
    """Mathet 2017. γ_cat of one category: pairs with at least one unit of this category."""

    category: str | None = None

    name: ClassVar[str] = "gamma_k"
    symbol: ClassVar[str] = "γ_k"
    title: ClassVar[str] = "γ_k, agreement on one category of aligned units"
    unnamed: ClassVar[tuple[str, ...] | None] = ()  # ambiguous: a category or a distance

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.category is not None:
            object.__setattr__(self, "category", str(self.category))

    def estimate(self, evidence: LabelEvidence) -> Score:
        whole, chosen = super().estimate(evidence), self._category(evidence.corpus)
        return whole if chosen is None else self._of(evidence, chosen, parts=whole.parts, n=whole.n)

    def _category(self, corpus: Corpus) -> int | None:
        if self.category is None:
            return None
        names = corpus.categories.names
        if self.category not in names:
            raise UnknownName("category", self.category, names)
        return names.index(self.category)


def _values(evidence: LabelEvidence, category: int | None) -> Values:
    """Return γ_cat as a function of document weights, from sums by document."""
    alignment, pairs = evidence.compared.alignment, evidence.pairs
    units, n = alignment.units, len(evidence.compared.docs)
    q = len(evidence.corpus.categories)
    _, u, v = Costs(alignment, evidence.compared.dissimilarity).pairs
    known = (units.label[u] >= 0) & (units.label[v] >= 0)
    u, v = u[known], v[known]
    doc, mine = pairs.continuum, pairs.weight
    if category is not None:
        mine = mine * ((pairs.a == category) | (pairs.b == category))
    far, weight = sums_by(doc, mine * pairs.distance, n), sums_by(doc, mine, n)
    own = sums_by(np.concatenate([u, v]), np.concatenate([pairs.weight, pairs.weight]), len(units))
    cell = units.continuum * (q + 1) + np.where(units.label >= 0, units.label, q)
    by_category = sums_by(cell, own, n * (q + 1)).reshape(n, q + 1)[:, :q]
    squares = sums_by(cell, own**2, n * (q + 1)).reshape(n, q + 1)[:, :q]

    def values(times: Floats) -> Floats:
        observed = np.divide(times @ far, times @ weight, out=np.full(len(times), np.nan), where=times @ weight > 0)
        if evidence.random is not None:
            return one_minus(observed, np.full(len(times), evidence.expected(category)))
        n_of, square = times @ by_category, times @ squares
        total = n_of.sum(axis=1)
        to = total[:, None] - n_of if evidence.table is None else n_of @ evidence.table.T
        if category is None:
            above, below = (n_of * to).sum(axis=1), total**2 - square.sum(axis=1)
        else:
            one = n_of[:, category]
            above, below = 2 * one * to[:, category], one**2 - square[:, category] + 2 * one * (total - one)
        chance = np.divide(above, below, out=np.zeros(len(times)), where=below > 0)
        return one_minus(observed, chance)

    return values


def _random_pairs(
    align: Callable[[Units], Alignment],
    pairs: Callable[[Alignment], LabelPairs],
    category: int | None,
    units: Units,
    counts: Floats,
) -> Sums:
    """Return Σ weight · distance and Σ weight per sample, and by category over all samples."""
    found = pairs(align(units))
    sample = found.continuum // (len(units.annotators) // len(counts))
    far, q, many = found.weight * found.distance, len(found.by_category), counts[sample]
    mine = np.ones(len(sample)) if category is None else (found.a == category) | (found.b == category)
    other = found.a != found.b  # a pair within one category counts once

    def by_category(what: Floats) -> Floats:
        what = what * many
        return np.append(sums_by(found.a, what, q) + sums_by(found.b, what * other, q), what.sum())

    return Sums(
        sums_by(sample, far * mine, len(counts))[:, None],
        sums_by(sample, found.weight * mine, len(counts))[:, None],
        further=np.stack([by_category(far), by_category(found.weight)]),
    )
