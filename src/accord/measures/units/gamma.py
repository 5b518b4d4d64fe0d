"""γ: the disorder of the best alignment relative to the disorder of random annotations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.core.result import Parts, Score
from accord.data.model.corpus import Corpus
from accord.measures.alignment.best import aligner, realigner
from accord.measures.chance.expected import Expected, expected_disorder
from accord.measures.dissimilarities import Combined
from accord.measures.distances.spaces import sums_by
from accord.measures.measure import COARSE, fewer, gamma_score
from accord.measures.resampling import Divisible, QuotientOfSums, Sampled
from accord.measures.units.aligned import (
    NO_POSITION,
    AlignedMeasure,
    check_comparable,
    document_facts,
    document_notes,
    once_each,
    points_note,
)
from accord.measures.units.gamma_without import Shared
from accord.measures.units.unitary import NO_LABEL, ComparedUnits, Costs

PARTS = ("category", "annotator", "pair", "document")
_MOST_ANNOTATORS = 500  # a breakdown by pair is refused for more


@dataclass(frozen=True, eq=False)
class GammaEvidence:
    """Per document: the disorder of its best alignment, x̄, and its expected disorder."""

    compared: ComparedUnits
    expected: Expected
    times: Floats  # weight of each document; resampling changes it

    @property
    def corpus(self) -> Corpus:
        return self.compared.corpus

    @property
    def names(self) -> tuple[str, ...]:
        return self.compared.names

    @property
    def observed_total(self) -> float:
        return float(self.times @ self.compared.alignment.totals)

    @property
    def units_per_annotator(self) -> Floats:
        return self.compared.units.per_annotator

    @property
    def expected_total(self) -> float:
        return float(self.times @ (self.units_per_annotator * self.expected.disorder))

    def weighted(self, times: Floats) -> GammaEvidence:
        """Return the same documents with other weights."""
        return replace(self, times=times)

    def sampled(self) -> Sampled:
        """Return γ from sums over documents; each document keeps its alignment and its expected disorder."""
        observed = self.compared.alignment.totals
        expected = self.units_per_annotator * self.expected.disorder
        error = self.expected.relative_error
        return QuotientOfSums.of(self.names, self.times, observed, expected, chance_error=error)

    @property
    def divisible(self) -> Divisible:
        """Return unitary alignments as parts; each belongs to the block in which its units begin on average."""
        return Divisible(len(self.compared.alignment.disorder), "unitary alignments", self._stretches)

    def _stretches(self, wanted: int) -> Sampled:
        """Return Σ disorder and x̄ of the unitary alignments of each block; expected disorder per unit is constant."""
        alignment, units = self.compared.alignment, self.compared.units
        start = sums_by(alignment.members_group, units.start[alignment.members_unit], len(alignment.disorder))
        order = np.argsort(start / alignment.size, kind="stable")
        stretch = np.empty(len(order), dtype=np.int64)
        stretch[order] = np.arange(len(order)) * wanted // len(order)
        observed = sums_by(stretch, alignment.disorder, wanted)
        share = 1.0 / np.bincount(alignment.members_unit, minlength=len(units))[alignment.members_unit]
        marked = sums_by(stretch[alignment.members_group], share, wanted)  # each unit counts once
        expected = marked / float(units.annotators[0]) * float(self.expected.disorder[0])
        error = self.expected.relative_error
        names = [str(k + 1) for k in range(wanted)]
        return QuotientOfSums.of(names, np.ones(wanted), observed, expected, noun="stretch", chance_error=error)


@dataclass(frozen=True, eq=False)
class AgainstReference:
    """One comparison with the reference for each other annotator."""

    reference: str
    others: dict[str, GammaEvidence]

    @property
    def names(self) -> tuple[str, ...]:
        """Return all documents of any comparison."""
        return tuple(dict.fromkeys(name for one in self.others.values() for name in one.names))

    def sampled(self) -> Sampled:
        """Return the mean over the other annotators, each on its compared documents."""
        parts, names = [one.sampled() for one in self.others.values()], self.names
        number = {name: k for k, name in enumerate(names)}
        codes = [np.array([number[name] for name in part.names]) for part in parts]
        error = math.sqrt(sum(part.chance_error**2 for part in parts)) / len(parts)

        def values(times: Floats) -> Floats:
            each: Floats = np.array([part.values(times[:, code]) for part, code in zip(parts, codes, strict=True)])
            return each.mean(axis=0)

        return Sampled(names, np.ones(len(names)), values, chance_error=error)


@dataclass(frozen=True, repr=False)
class Gamma(AlignedMeasure):
    """Mathet, Widlöcher & Métivier 2015. Unitizing and categorizing together, for any number of annotators."""

    reference: str | None = None
    exact_chance: bool = False

    name: ClassVar[str] = "gamma"
    symbol: ClassVar[str] = "γ"
    aliases: ClassVar[tuple[str, ...]] = ("mathet_gamma",)
    title: ClassVar[str] = "γ, agreement on units and their labels"
    source: ClassVar[str] = "Mathet, Widlöcher & Métivier 2015"
    interval_of_one: ClassVar[str | None] = "monte_carlo"
    special_intervals: ClassVar[tuple[str, ...]] = ("monte_carlo",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.reference is not None:  # a numeric name is read as a number
            object.__setattr__(self, "reference", str(self.reference))

        if not isinstance(self.exact_chance, bool):
            raise SpecError(
                "measure-option", f"{self.name}: exact_chance must be true or false, not {quoted(self.exact_chance)}"
            )

    @property
    def chance_gap(self) -> float:
        """Return the allowed gap of random alignments to their optimum: a tenth of the target precision."""
        return 0.0 if self.exact_chance else self.precision / 10

    def observe(self, data: Corpus, run: Run) -> GammaEvidence | AgainstReference:
        check_comparable(data, self.name)
        return self._alone(data, run) if self.reference is None else self._against(data, self.reference, run)

    def coarser(self) -> Self:
        return replace(self, samples=fewer(self.samples), precision=max(self.precision, COARSE))

    def of_sets(self, data: Any, sets: int, n_docs: int, run: Run) -> tuple[Floats, str] | None:
        """Return all sets at once if the chance model draws document by document."""
        if self.reference is not None or sets < 2 or not isinstance(data, Corpus):
            return None
        model = self.model_of_chance(data.only_docs(np.arange(len(data.docs)) < n_docs))
        if model == "mix":
            return None
        found = np.full(sets, math.nan)
        if not len(data):
            return found, "there are no units"
        chosen = replace(self, chance=model)
        evidence = chosen._alone(data, run)
        of_set = evidence.compared.docs // n_docs
        for s in np.unique(of_set).tolist():
            found[s] = chosen.estimate(evidence.weighted((of_set == s).astype(np.float64))).value
        return found, "there are no units, or random annotations have no disorder"

    def _alone(self, corpus: Corpus, run: Run) -> GammaEvidence:
        """Return the evidence, computed once, because a report uses it for the score, influence and rounds."""
        return corpus.memo.once(("gamma", self, run.seed), lambda: self._drawn(corpus, run))

    def _drawn(self, corpus: Corpus, run: Run) -> GammaEvidence:
        compared = self.compare(corpus, run)
        align = aligner(compared.dissimilarity, self.soft, self.chance_gap)
        expected = expected_disorder(compared.source, *self.chance_of(compared), align, run)
        return GammaEvidence(compared, expected, np.ones(len(compared.docs)))

    def _against(self, corpus: Corpus, reference: str, run: Run) -> AgainstReference:
        if reference not in corpus.annotators:
            raise UnknownName("annotator", reference, corpus.annotators)
        alone = replace(self, reference=None)
        found = {}
        for name in corpus.annotators:
            pair = corpus.only_annotators((reference, name))
            if name != reference and pair.comparable.any():
                found[name] = alone._alone(pair, run)
        if not found:
            raise DataError(
                "nothing-shared",
                f"no other annotator annotated the documents of {quoted(reference)}; choose another reference",
            )
        return AgainstReference(reference, found)

    def estimate(self, evidence: GammaEvidence | AgainstReference) -> Score:
        if isinstance(evidence, AgainstReference):
            return self._mean(evidence)
        whole = float(evidence.times @ evidence.units_per_annotator)
        observed, expected = evidence.observed_total, evidence.expected_total
        return gamma_score(
            str(self),
            observed / whole if whole else math.nan,
            expected / whole if whole else math.nan,
            NO_POSITION if evidence.compared.points.all() else None,
            n=int(evidence.times.sum()),
            parts=Parts(PARTS, lambda by: break_down_disorder(str(self), evidence, by)),
        )

    def _mean(self, evidence: AgainstReference) -> Score:
        """Return the mean over the other annotators, each compared with the reference."""
        scores = {name: self.estimate(one) for name, one in evidence.others.items()}
        values = np.array([s.value for s in scores.values()])
        undefined = next((s.undefined for s in scores.values() if s.undefined), None)
        return Score(
            float(values.mean()),
            str(self),
            observed=float(np.mean([s.observed for s in scores.values()])),
            expected=float(np.mean([s.expected for s in scores.values()])),
            n=max(s.n for s in scores.values()),
            parts={"annotator": scores},
            undefined=undefined,
        )

    def sampled(self, evidence: GammaEvidence | AgainstReference, run: Run, named: bool = True) -> Sampled:  # noqa: ARG002
        return evidence.sampled()

    def sampled_without(
        self, evidence: GammaEvidence | AgainstReference, annotators: Sequence[str], run: Run
    ) -> Iterator[Sampled | None]:
        shared = self._shared(evidence, run)
        if shared is None:
            return super().sampled_without(evidence, annotators, run)
        number = {name: code for code, name in enumerate(shared.compared.corpus.annotators)}
        return shared.without_annotators([number[name] for name in annotators])

    def sampled_without_categories(
        self, evidence: GammaEvidence | AgainstReference, codes: Sequence[int], run: Run
    ) -> Iterator[Sampled | None]:
        shared = self._shared(evidence, run)
        if shared is None or not all(self._same_labels(shared.compared, code) for code in codes):
            return super().sampled_without_categories(evidence, codes, run)
        return shared.without_categories(codes)

    def _shared(self, evidence: GammaEvidence | AgainstReference, run: Run) -> Shared | None:
        """Return what values without an annotator or category share; None if each must be observed again."""
        if isinstance(evidence, AgainstReference) or evidence.expected.mixed is None:
            return None
        pool, sampling = self.chance_of(evidence.compared)
        docs = once_each(evidence.corpus)
        dissimilarity, soft = evidence.compared.dissimilarity, self.soft
        exactly, nearly = realigner(dissimilarity, soft), aligner(dissimilarity, soft, self.chance_gap)
        return Shared(evidence.compared, evidence.expected.mixed, pool, docs, sampling, exactly, nearly, run)

    def _same_labels(self, compared: ComparedUnits, code: int) -> bool:
        """Return whether the distances of the other labels stay the same without this one."""
        table = getattr(compared.dissimilarity, "table", None)
        if table is None or not len(table):
            return True
        fewer = self.between_units(compared.corpus.without_category(code))
        rest = np.delete(np.delete(table, code, axis=0), code, axis=1)
        return isinstance(fewer, Combined) and fewer.table is not None and np.array_equal(fewer.table, rest)

    def continua(self, evidence: GammaEvidence | AgainstReference) -> Corpus | None:
        """Return the corpus; None with a reference, because each pair of annotators is compared separately."""
        return None if isinstance(evidence, AgainstReference) else evidence.corpus

    def divisible(self, evidence: GammaEvidence | AgainstReference) -> Divisible | None:
        return None if isinstance(evidence, AgainstReference) else evidence.divisible

    def chance_error(self, evidence: GammaEvidence | AgainstReference, value: float) -> float:
        """Return the Monte Carlo error of γ = 1 − O/E from the error of E."""
        if isinstance(evidence, AgainstReference):
            each = [self.chance_error(e, self.estimate(e).value) for e in evidence.others.values()]
            return math.sqrt(sum(e * e for e in each)) / len(each)
        return (1.0 - value) * evidence.expected.relative_error

    def check_aligns(self) -> None:
        if self.reference is not None:
            raise SpecError(
                "option-not-for-data",
                "align shows all annotators together; leave out reference=…, or choose two annotators with "
                "--annotators instead",
            )

    def explain(self, evidence: GammaEvidence | AgainstReference, score: Score) -> dict[str, Any]:  # noqa: ARG002
        if isinstance(evidence, AgainstReference):
            each = [self._facts(one) for one in evidence.others.values()]
            return {
                "reference": evidence.reference,
                "compared_with": list(evidence.others),
                **each[0],
                "chance": " or ".join(dict.fromkeys(facts["chance"] for facts in each)),
                "chance_because": "; ".join(dict.fromkeys(f["chance_because"] or "" for f in each)) or None,
                "samples": sum(facts["samples"] for facts in each),
                "combinations": sum(facts["combinations"] or 0 for facts in each) or None,
            }
        return self._facts(evidence)

    def _facts(self, evidence: GammaEvidence) -> dict[str, Any]:
        compared, expected = evidence.compared, evidence.expected
        corpus, alignment = compared.corpus, compared.alignment
        documents = document_facts(corpus, compared.docs)
        points = points_note(
            int(compared.points.sum()), len(compared.units), "two of them agree in position only if they are equal"
        )
        return {
            **documents,
            "units": len(corpus),
            "annotators": corpus.n_annotators,
            "categories": len(corpus.categories),
            "unitary_alignments": len(alignment.disorder),
            "gap": alignment.overall_gap,
            **self.about_chance(corpus, expected),
            "chance_gap": expected.gap,
            "distance": str(self.distance or "nominal"),
            "pooled": "Σ disorder / Σ x̄ over documents, observed and expected",
            "notes": [*document_notes(documents["left_out"]), *points, *expected.notes, *self.notes_on_options()],
        }


# -- breakdown: disorder by category, annotator, pair and document -------------------------------------------------


def break_down_disorder(measure: str, evidence: GammaEvidence, by: str) -> Mapping[str, Score]:
    """Break down γ: value and disorder by name; `details` contains the sum and its share of the total disorder."""
    compared, expected = evidence.compared, evidence.expected
    costs = Costs(compared.alignment, compared.dissimilarity)
    corpus, units = compared.corpus, compared.units
    whole = float(compared.alignment.totals.sum())
    if by == "document":
        own = units.per_annotator
        count = np.bincount(units.continuum, minlength=len(own))
        names = tuple(corpus.docs[d] for d in compared.docs)
        sums = compared.alignment.totals
        placed = np.bincount(units.continuum, ~compared.points, minlength=len(own)) > 0
        return _scores(measure, names, sums, own, own * expected.disorder, count, whole, placed)
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
        placed = np.bincount(units.label % (q + 1), ~compared.points, minlength=q + 1) > 0
        return _scores(measure, names, sums, own, chance, count, whole, placed)
    return _by_annotators(measure, evidence, costs, by, whole)


def _by_annotators(measure: str, evidence: GammaEvidence, costs: Costs, by: str, whole: float) -> Mapping[str, Score]:
    compared, expected = evidence.compared, evidence.expected
    corpus, units = compared.corpus, compared.units
    continuum, first, second, cost = costs.by_seats()
    who = np.nonzero(corpus.judged[compared.docs])[1]  # annotator of each seat
    before = np.cumsum(units.annotators) - units.annotators
    a, b = who[before[continuum] + first], who[before[continuum] + second]
    n = units.annotators.astype(np.float64)
    own = (units.per_annotator / (n * (n - 1) / 2))[continuum]  # x̄, divided over the pairs
    chance = own * expected.disorder[continuum]
    m = len(corpus.annotators)
    marked = np.bincount(who[before[units.continuum] + units.annotator], minlength=m)
    if by == "annotator":
        both = np.concatenate([a, b])
        sums, weight, by_chance = (sums_by(both, np.concatenate([x, x]) / 2, m) for x in (cost, own, chance))
        return _scores(measure, corpus.annotators, sums, weight, by_chance, marked, whole)
    if m > _MOST_ANNOTATORS:
        raise SpecError(
            "too-large-to-compute",
            f"{m:,} annotators are too many for a breakdown by pair; choose some with --annotators",
        )
    pair = a * m + b
    sums, weight, by_chance = (sums_by(pair, x, m * m) for x in (cost, own, chance))
    met = np.flatnonzero(np.bincount(pair, minlength=m * m))
    names = tuple(f"{corpus.annotators[k // m]} – {corpus.annotators[k % m]}" for k in met)
    return _scores(measure, names, sums[met], weight[met], by_chance[met], marked[met // m] + marked[met % m], whole)


def _scores(
    measure: str,
    names: tuple[str, ...],
    sums: Floats,
    own: Floats,
    chance: Floats,
    count: Ints,
    whole: float,
    placed: NDArray[np.bool_] | None = None,
) -> dict[str, Score]:
    """Return the scores of all names with units or weight, in order.

    `placed`: whether any unit has a length; without one, the positions cannot be compared.
    """
    made = {}
    for k in np.flatnonzero((own > 0) | (count > 0)):
        found = gamma_score(
            measure,
            float(sums[k] / own[k]) if own[k] else math.nan,
            float(chance[k] / own[k]) if own[k] else math.nan,
            NO_POSITION if placed is not None and count[k] and not placed[k] else None,
            n=int(count[k]),
            details={"disorder": float(sums[k]), "share": float(sums[k] / whole) if whole else 0.0},
        )
        made[names[k]] = found
    return made
