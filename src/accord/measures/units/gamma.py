"""γ: the disorder of the best alignment against the disorder of random annotations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.core.result import Parts, Score
from accord.data.model.corpus import Corpus
from accord.measures.alignment.many import aligner
from accord.measures.chance.expected import expected_disorder
from accord.measures.dissimilarities import Combined
from accord.measures.gamma_score import COARSE, fewer, gamma_score
from accord.measures.sampling import Divisible, Sampled
from accord.measures.units.aligned import AlignedMeasure, check_comparable, once_each
from accord.measures.units.base import document_facts, document_notes
from accord.measures.units.compared import ComparedUnits
from accord.measures.units.disorder import PARTS, disorder_by
from accord.measures.units.gamma_evidence import AgainstReference, GammaEvidence
from accord.measures.units.gamma_without import Shared, shared_with


@dataclass(frozen=True, repr=False)
class Gamma(AlignedMeasure):
    """Mathet, Widlöcher & Métivier 2015. Unitizing and categorizing together, any number of annotators."""

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
        if self.reference is not None:  # an annotator may be called 1
            object.__setattr__(self, "reference", str(self.reference))

        if not isinstance(self.exact_chance, bool):
            raise SpecError(f"{self.name}: exact_chance is true or false, not {quoted(self.exact_chance)}")

    @property
    def chance_gap(self) -> float:
        """How far random annotations may be from their best alignment: a tenth of what their mean is wanted to."""
        return 0.0 if self.exact_chance else self.precision / 10

    def observe(self, data: Corpus, run: Run) -> GammaEvidence | AgainstReference:
        check_comparable(data, self.name)
        return self._alone(data, run) if self.reference is None else self._against(data, self.reference, run)

    def coarser(self) -> Self:
        return replace(self, samples=fewer(self.samples), precision=max(self.precision, COARSE))

    def of_sets(self, data: Any, sets: int, n_docs: int, run: Run) -> tuple[Floats, str] | None:
        """All of them together, where chance is drawn document by document."""
        if self.reference is not None or sets < 2 or not isinstance(data, Corpus):
            return None
        model = self.model_of_chance(data.only_docs(np.arange(len(data.docs)) < n_docs))
        if model == "mix":
            return None
        found = np.full(sets, math.nan)
        if not len(data):
            return found, "there are no units: nobody marked anything"
        chosen = replace(self, chance=model)
        evidence = chosen._alone(data, run)
        of_set = evidence.compared.docs // n_docs
        for s in np.unique(of_set).tolist():
            found[s] = chosen.estimate(evidence.weighted((of_set == s).astype(np.float64))).value
        return found, "nobody marked anything, or random annotations have no disorder"

    def _alone(self, corpus: Corpus, run: Run) -> GammaEvidence:
        """Made once: a report asks for the score, for its influence, and for rounds."""
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
            raise DataError(f"nobody else looked at the documents of {quoted(reference)}")
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
            n=int(evidence.times.sum()),
            parts=Parts(PARTS, lambda by: disorder_by(str(self), evidence, by)),
        )

    def _mean(self, evidence: AgainstReference) -> Score:
        """The mean over the others, each against the reference."""
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
        """What values without something share; None where each of them has to be observed."""
        if isinstance(evidence, AgainstReference) or evidence.expected.mixed is None:
            return None
        pool, sampling = self.chance_of(evidence.compared)
        docs = once_each(evidence.corpus)
        return shared_with(evidence, pool, docs, sampling, self.soft, self.chance_gap, run)

    def _same_labels(self, compared: ComparedUnits, code: int) -> bool:
        """Whether the other labels are as far apart without this one; ranks and scales may depend on it."""
        table = getattr(compared.dissimilarity, "table", None)
        if table is None or not len(table):
            return True
        fewer = self.between_units(compared.corpus.without_category(code))
        rest = np.delete(np.delete(table, code, axis=0), code, axis=1)
        return isinstance(fewer, Combined) and fewer.table is not None and np.array_equal(fewer.table, rest)

    def continua(self, evidence: GammaEvidence | AgainstReference) -> Corpus | None:
        """Against a reference there is no one corpus: every two annotators are compared on their own."""
        return None if isinstance(evidence, AgainstReference) else evidence.corpus

    def divisible(self, evidence: GammaEvidence | AgainstReference) -> Divisible | None:
        return None if isinstance(evidence, AgainstReference) else evidence.divisible

    def chance_error(self, evidence: GammaEvidence | AgainstReference, value: float) -> float:
        """γ = 1 − O/E, by the error of E."""
        if isinstance(evidence, AgainstReference):
            each = [self.chance_error(e, self.estimate(e).value) for e in evidence.others.values()]
            return math.sqrt(sum(e * e for e in each)) / len(each)
        return (1.0 - value) * evidence.expected.relative_error

    def check_aligns(self) -> None:
        if self.reference is not None:
            raise SpecError("align shows all annotators together; for two of them, choose them: --annotators A,B")

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
            "pooled": "Σ disorder / Σ x̄ over documents, observed and expected alike",
            "notes": [*document_notes(documents["left_out"]), *expected.notes, *self.notes_on_options()],
        }
