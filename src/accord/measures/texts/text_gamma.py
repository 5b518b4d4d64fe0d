"""tγ: agreement of annotators who can correct the text and its tokens while labelling them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.core.probability import normal_quantile
from accord.core.result import Parts, Score, chance_named
from accord.core.spec import Call, parse
from accord.core.typed import is_number
from accord.data.door import checks_options, opened
from accord.data.kinds import TEXTS
from accord.data.model.labels import Categories
from accord.data.model.texts import BASE, Texts
from accord.measures.alignment.sequences import EditCosts, Spelled
from accord.measures.chance.sampling import Sampling, check_feasible, check_samples, samples_wanted
from accord.measures.chance.text_edits import EditRates
from accord.measures.dissimilarities import Levenshtein, label_distance, label_table
from accord.measures.distances import Distance, Nominal
from accord.measures.distances.spaces import sums_by
from accord.measures.measure import COARSE, Measure, check_kind, fewer, gamma_score
from accord.measures.resampling import Sampled
from accord.measures.texts.differences import (
    PRECISION,
    Chance,
    ComparedTexts,
    Prepared,
    TextEvidence,
    compare_texts,
    whole_and_deviations,
)
from accord.measures.texts.sampled_texts import Rate, TextTable, text_table
from accord.measures.texts.side_by_side import Joint, Row, TextAlignments, rows_side_by_side

PARTS = ("kind", "category", "annotator", "pair", "document")
NO_LABEL = "(no label)"
GAP = "(gap)"
_MATCHING = 0.65  # unrelated texts of one language match in about half of their characters
_MODELS = {  # chance model and the reason for it
    True: ("edits of the pre-annotation", "the data contain one"),
    False: ("edits of the annotators' texts", "no pre-annotation"),
}
_LEVEL = 0.975  # upper quantile of a two-sided 95% interval
_MANY = 5_000  # a note reports larger numbers of samples
_SHOWN, _NAMED = 50, 3  # reordered segments in the details, and in the note
Feature = str | Call


@dataclass(frozen=True, repr=False)
class TextGamma(Measure):
    """Barteld, Schröder & Zinsmeister 2016. Text, segmentation and labels together, for any number of annotators."""

    features: tuple[Feature, ...] | None = None
    distance: Distance | None = None
    text: Distance | None = None
    gap_t: float = 1.0
    gap_b: float = 1.0
    p_t: float | None = None
    p_s: float | None = None
    prior_t: tuple[float, float] | None = None
    prior_s: tuple[float, float] | None = None
    gaps: bool = False
    fold_unicode: bool = False
    samples: int = 30
    precision: float = PRECISION

    name: ClassVar[str] = "text_gamma"
    symbol: ClassVar[str] = "tγ"
    aliases: ClassVar[tuple[str, ...]] = ("tgamma",)
    title: ClassVar[str] = "tγ, agreement on text, tokens and their labels"
    source: ClassVar[str] = "Barteld, Schröder & Zinsmeister 2016"
    data: ClassVar[str] = "texts"
    lowest: ClassVar[float] = -math.inf
    default_interval: ClassVar[str] = "bootstrap"
    interval_of_one: ClassVar[str | None] = "monte_carlo"
    special_intervals: ClassVar[tuple[str, ...]] = ("monte_carlo",)
    aligns: ClassVar[bool] = True

    def __post_init__(self) -> None:  # noqa: PLR0912 - a list of checks
        for name in ("gap_t", "gap_b", "precision"):
            if not is_number(getattr(self, name)) or not getattr(self, name) > 0:
                raise SpecError(
                    "measure-option", f"{self.name}: {name} must be a number above 0, not {quoted(getattr(self, name))}"
                )
        if min(self.gap_t, self.gap_b) < 1e-6 * max(self.gap_t, self.gap_b):
            raise SpecError(
                "measure-option", f"{self.name}: gap_t and gap_b must not differ by more than a factor of 1,000,000"
            )
        if not self.precision < 1:
            raise SpecError(
                "measure-option",
                f"{self.name}: precision must lie between 0 and 1, for example 0.02; not {self.precision:g}",
            )
        for name in ("p_t", "p_s"):
            rate = getattr(self, name)
            if rate is not None and not (is_number(rate) and 0 <= rate <= 1):
                raise SpecError(
                    "measure-option",
                    f"{self.name}: {name} must be a share from 0 to 1, not {rate}; leave it out to estimate it",
                )
        for name, rate in (("prior_t", "p_t"), ("prior_s", "p_s")):
            self._check_prior(name, rate)
        check_samples(self.name, self.samples)
        for name in ("gaps", "fold_unicode"):
            if not isinstance(getattr(self, name), bool):
                raise SpecError(
                    "measure-option", f"{self.name}: {name} must be true or false, not {quoted(getattr(self, name))}"
                )
        if self.distance is not None:
            object.__setattr__(self, "distance", label_distance(self.distance))
        if self.text is not None:
            chosen = label_distance(self.text)
            if not isinstance(chosen, Nominal | Levenshtein):
                raise SpecError("measure-option", f"{self.name}: text must be nominal or levenshtein, not {chosen}")
            object.__setattr__(self, "text", None if isinstance(chosen, Nominal) else chosen)
        if self.features is not None:
            object.__setattr__(self, "features", _features(self.features))

    def _check_prior(self, name: str, rate: str) -> None:
        prior = getattr(self, name)
        if prior is None:
            return
        if not isinstance(prior, tuple | list) or len(prior) != 2 or not all(is_number(x) for x in prior):
            raise SpecError(
                "measure-option",
                f"{self.name}: {name} must be a rate and a weight in tokens, such as [0.04,1000], not {quoted(prior)}",
            )
        if not (0 <= prior[0] <= 1 and prior[1] > 0):
            raise SpecError(
                "measure-option",
                f"{self.name}: {name} must be a share from 0 to 1 and a number of tokens above 0; not {prior}",
            )
        if getattr(self, rate) is not None:
            raise SpecError(
                "measure-option", f"{self.name}: {name} has no effect because {rate} is given; remove one of them"
            )
        object.__setattr__(self, name, tuple(prior))

    @property
    def by_order(self) -> bool:
        return any(d.uses_order for _, d in self._named_distances(()))

    def _named_distances(self, known: tuple[str, ...]) -> list[tuple[str, Distance]]:
        """Return the compared features, each with its distance."""
        usual = self.distance or Nominal()
        wanted = known if self.features is None else self.features
        return [(f, usual) if isinstance(f, str) else (f.name, label_distance(f.args[0])) for f in wanted]

    def prepared(self, texts: Any) -> Prepared:
        """Return the texts as symbols, with the comparison rules."""
        check_texts(texts, self.name)
        chosen = self._named_distances(tuple(texts.features))
        tables: list[Floats | Spelled | None] = []
        for name, distance in chosen:
            if name not in texts.features:
                raise UnknownName("feature", name, tuple(texts.features))
            tables.append(_comparison(distance, texts.features[name].categories))
        costs = EditCosts(float(self.gap_t), float(self.gap_b), isinstance(self.text, Levenshtein), tuple(tables))
        return Prepared.of(texts, tuple(name for name, _ in chosen), costs, self.fold_unicode, self.gaps)

    def compare(self, data: Any, run: Run) -> tuple[Prepared, ComparedTexts]:
        ready = self.prepared(data)
        return ready, compare_texts(ready, run)

    def coarser(self) -> Self:
        return replace(self, samples=fewer(self.samples), precision=max(self.precision, COARSE))

    def as_found(self, evidence: TextEvidence) -> TextGamma:
        """Return the measure with its estimated rates; estimating them again would explain every change as chance."""
        rates = evidence.rates
        return replace(self, p_t=rates.text, p_s=rates.segmentation, prior_t=None, prior_s=None)

    def observe(self, data: Any, run: Run) -> TextEvidence:
        ready, compared = self.compare(data, run)
        counts = ready.changes(compared, run) if self.p_t is None or self.p_s is None else None
        seen = (None, None) if counts is None else (counts.text, counts.segmentation)
        rates = EditRates(self._rate(self.p_t, self.prior_t, seen[0]), self._rate(self.p_s, self.prior_s, seen[1]))
        totals, means, wanted = self._sampled(Chance.of(ready, rates, run.seed), ready.own, run)
        return TextEvidence(ready, compared, rates, totals, means, np.ones(len(ready.docs)), wanted)

    @staticmethod
    def _rate(given: float | None, prior: tuple[float, float] | None, seen: tuple[float, float] | None) -> float:
        """Return the given rate, or the observed share of changes; with a prior, the posterior mode (MAP)."""
        if given is not None:
            return float(given)
        changed, of = seen or (0.0, 0.0)
        if prior is not None:
            changed, of = changed + prior[0] * prior[1], of + prior[1]
        return min(1.0, changed / of) if of else 0.0

    def _sampled(self, chance: Chance, own: Floats, run: Run) -> tuple[Floats, Floats, int]:
        """Draw random annotators for the target precision; return the sums and the number of samples needed.

        The first samples that differ determine the number. For long texts with few changes it can exceed the limit.
        """
        totals, means = chance.drawn(range(self.samples), run)
        while not totals.any() and chance.may_differ(10 * len(totals)):
            totals, means = _with_more(chance, totals, means, 10 * len(totals), run)
        total, off = whole_and_deviations(own, totals.sum(axis=2), means)
        sampling = Sampling("edits", len(totals), float(self.precision))
        needed = check_feasible(samples_wanted(total, off, sampling), sampling)
        drawn = int(min(needed, chance.most(self.precision)))
        if drawn > len(totals):
            totals, means = _with_more(chance, totals, means, drawn, run)
        return totals, means, needed

    def estimate(self, evidence: TextEvidence) -> Score:
        own = float(evidence.times @ evidence.ready.own)
        observed = float(evidence.times @ evidence.compared.kinds.sum(axis=1))
        expected = float(evidence.times @ evidence.expected.sum(axis=1))
        features = evidence.ready.features
        names = tuple(dict.fromkeys((*(by for by in PARTS if features or by != "category"), *features)))
        return gamma_score(
            str(self),
            observed / own if own else math.nan,
            expected / own if own else math.nan,
            n=int(evidence.times.sum()),
            parts=Parts(names, lambda by: break_down_text_disorder(str(self), evidence, by)),
        )

    def sampled(self, evidence: TextEvidence, run: Run, named: bool = True) -> Sampled:  # noqa: ARG002
        return self._text_table(evidence, run).sampled()

    def sampled_without(self, evidence: TextEvidence, annotators: Sequence[str], run: Run) -> Iterator[Sampled]:
        """Yield the value without each annotator from the existing pairwise alignments of the others."""
        return (self._text_table(evidence, run).sampled(annotator) for annotator in annotators)

    def _text_table(self, evidence: TextEvidence, run: Run) -> TextTable:
        return text_table((Rate(self.p_t, self.prior_t), Rate(self.p_s, self.prior_s)), evidence, run)

    def chance_on(self, data: Texts) -> str:
        return chance_named(*_MODELS[self.prepared(data).has_base])

    def chance_error(self, evidence: TextEvidence, value: float) -> float:
        se, total = evidence.chance_spread
        return (1.0 - value) * se / total if total > 0 else 0.0

    def features_of(self, evidence: TextEvidence) -> tuple[str, ...]:
        return evidence.ready.features

    def without_feature(self, evidence: TextEvidence, feature: str) -> TextGamma:
        compared = self.features or evidence.ready.features
        others = tuple(one for one in compared if (one if isinstance(one, str) else one.name) != feature)
        return replace(self, features=others)

    def alignments(self, data: Any, run: Run) -> TextAlignments:  # noqa: ARG002
        return TextAlignments(self.prepared(data))

    def explain(self, evidence: TextEvidence, score: Score) -> dict[str, Any]:  # noqa: ARG002
        ready, compared = evidence.ready, evidence.compared
        texts = ready.texts
        moved = compared.reordered
        return {
            "documents": len(texts.docs),
            "documents_compared": len(ready.docs),
            "left_out": {"one_annotator": len(texts.docs) - len(ready.docs)},
            "annotators": texts.n_annotators,
            "tokens": len(texts),
            "features": {name: str(d) for name, d in self._named_distances(tuple(texts.features))},
            "text_distance": str(self.text or "nominal"),
            "aligned": compared.aligned,
            "matching_characters": compared.matching,
            "chance": _MODELS[ready.has_base][0],
            "chance_because": _MODELS[ready.has_base][1],
            "p_t": evidence.rates.text,
            "p_s": evidence.rates.segmentation,
            "samples": len(evidence.totals),
            "precision": float(self.precision),
            "reordered": len(moved),
            "reordered_segments": [segment.described(texts) for segment in moved[:_SHOWN]],
            "pooled": "Σ disorder / Σ x̄ over documents, each the mean over its pairs of annotators",
            "notes": self._notes(evidence),
        }

    def _notes(self, evidence: TextEvidence) -> list[str]:
        ready, compared = evidence.ready, evidence.compared
        notes = []
        if not ready.has_base:
            how = (
                "" if self.p_t is not None and self.p_s is not None else ", with rates estimated from their differences"
            )
            lacking = ready.pre.count(None)
            where = "" if lacking == len(ready.pre) else f" of {counted(lacking, 'document')}"
            notes.append(f"no pre-annotation{where}: the chance model edits the annotators' texts{how}")
        many = len(evidence.totals)
        if evidence.wanted > many:
            se, total = evidence.chance_spread
            known = normal_quantile(_LEVEL) * se / total
            notes.append(
                f"expected disorder is precise to {known:.1%} ({many:,} samples), because random texts rarely differ; "
                f"a precision of {self.precision:.2g} would need about {evidence.wanted:,}, which takes too long"
            )
        elif many > _MANY:
            notes.append(
                f"random texts rarely differ, so a precision of {self.precision:.2g} needed {many:,} random samples"
            )
        strange = int((compared.matching_by_pair < _MATCHING).sum())
        if strange:
            least = float(compared.matching_by_pair.min())
            notes.append(
                f"{counted(strange, 'pair')} of texts with little in common: only {least:.0%} of the characters match "
                "(unrelated texts: about 50%); check that the files belong to the same document"
            )
        if compared.reordered:
            moved = counted(len(compared.reordered), "segment")
            shown = [segment.described(ready.texts) for segment in compared.reordered[:_NAMED]]
            named = ", ".join(f"{quoted(one['text'])} in {one['document']}" for one in shown)
            more = " …" if len(compared.reordered) > _NAMED else ""
            notes.append(f"{moved} in a different order, which cannot be aligned: {named}{more}")
        return notes


def _with_more(chance: Chance, totals: Floats, means: Floats, wanted: int, run: Run) -> tuple[Floats, Floats]:
    more = chance.drawn(range(len(totals), wanted), run)
    return np.concatenate([totals, more[0]]), np.concatenate([means, more[1]])


def _comparison(distance: Distance, categories: Categories) -> Floats | Spelled | None:
    """Return the comparison of labels. A missing label is a separate label with the largest distance to all others."""
    if isinstance(distance, Levenshtein):
        return Spelled(categories.names)
    table = label_table(distance, categories)
    if table is None:
        return None
    wider = np.full((len(table) + 1, len(table) + 1), max(1.0, float(table.max(initial=0.0))))
    wider[:-1, :-1] = table
    wider[-1, -1] = 0.0
    return wider


def _features(given: Any) -> tuple[Feature, ...]:
    """Return features from `[pos,lemma(levenshtein)]`: names, optionally with a distance in parentheses."""
    if isinstance(given, Mapping):
        return tuple(Call(str(name), (Call(str(label_distance(d))),), bare=False) for name, d in given.items())
    if isinstance(given, str | Call):
        given = (given,)
    if not isinstance(given, Iterable):
        raise SpecError(
            "measure-option", f"text_gamma: features must be names, for example [pos,lemma], not {quoted(given)}"
        )
    made: list[Feature] = []
    for one in given:
        call = parse(one) if isinstance(one, str) and one.endswith(")") and "(" in one else one
        if isinstance(call, Call) and not call.bare:
            if len(call.args) != 1 or call.kwargs:
                raise SpecError("measure-option", f"text_gamma: a feature must be a name or name(distance), not {call}")
            distance = label_distance(call.args[0])
            made.append(Call(call.name, (parse(str(distance)),), bare=False))
        else:
            made.append(call.name if isinstance(call, Call) else str(call))
    names = [f if isinstance(f, str) else f.name for f in made]
    if len(set(names)) < len(names):
        raise SpecError("measure-option", f"text_gamma: a feature occurs twice: {', '.join(names)}; remove one")
    return tuple(made)


def _by_whom(texts: Texts) -> str:
    """Describe the first versions, as a hint at how file names were interpreted."""
    who = [name for name in zip(texts.version_doc, texts.version_annotator, strict=True) if name[1] != BASE]
    return ", ".join(f"{quoted(texts.docs[d])} is by {quoted(texts.annotators[a])}" for d, a in who[:2])


def check_texts(texts: Any, name: str) -> None:
    """Raise DataError if there is nothing to compare."""
    check_kind(name, TEXTS, texts)
    if texts.n_annotators < 2:
        raise DataError(
            "annotators-needed",
            "only one annotator has a text, but agreement needs at least two; extend --annotators (if given), "
            "or add the texts of another annotator",
        )
    if not texts.comparable.any():
        raise DataError(
            "nothing-shared",
            f"no document has texts of two annotators ({_by_whom(texts)} …); check the names of the documents",
        )
    if len(texts) == 0:
        raise DataError("nothing-annotated", "there are no tokens: all texts are empty; check the files")


@checks_options
def side_by_side(data: Any, doc: str, a: str, b: str, measure: TextGamma | None = None, **reading: Any) -> list[Row]:
    """Put the tokens of two annotators side by side, in the order of their best alignment.

    Parameters
    ----------
    data : data
        Anything that `accord.read` accepts, or data it returned.
    doc : str
        The document.
    a, b : str
        The annotators.
    measure : TextGamma, optional
        The measure that compares the tokens. Default: `accord.measure("text_gamma")`.
    **reading
        Options of `accord.read`.

    Returns
    -------
    list of Row
        Each row has `sides` (the token of each annotator, or None), `kinds` (the differences) and `cost`.

    Raises
    ------
    UnknownName
        If the document or annotator does not exist.

    Examples
    --------
    >>> rows = {"doc": ["d", "d"], "annotator": ["Ana", "Ben"], "text": ["the cat sat", "the cat sits"]}
    >>> [row.kinds for row in accord.side_by_side(rows, "d", "Ana", "Ben", layout="texts")]
    [('same',), ('same',), ('text',)]
    """
    texts = opened(data, reading, (TEXTS.name,))
    check_texts(texts, "side_by_side")
    assert isinstance(texts, Texts)
    texts.version_of(doc, a)  # raises for an unknown name
    texts = texts.only_docs(np.array([name == doc for name in texts.docs]))
    ready = (measure or TextGamma()).prepared(texts)
    return rows_side_by_side(Joint(ready, (texts.version_of(doc, a), texts.version_of(doc, b))))


# -- breakdown: sources of the disorder of texts
# ------------------------------------------------------------------------


def break_down_text_disorder(measure: str, evidence: TextEvidence, by: str) -> Mapping[str, Score]:
    """Break down tγ: value and disorder by name; `details` contains the sum and its share of the total disorder."""
    ready, compared, times = evidence.ready, evidence.compared, evidence.times
    own, expected = ready.own * times, evidence.expected * times[:, None]
    observed = compared.kinds * times[:, None]
    if by == "kind":
        always = ("text", "segmentation")
        names = (*always, *(f"feature_{name}" if name in always else name for name in ready.features))
        size = np.full(len(names), float(own.sum()))
        return _scores(measure, names, observed.sum(axis=0), size, expected.sum(axis=0))
    if by == "document":
        return _scores(measure, evidence.names, observed.sum(axis=1), own, expected.sum(axis=1))
    per_unit = np.divide(expected.sum(axis=1), own, out=np.zeros(len(own)), where=own > 0)
    if by == "category" or by in ready.features:
        which = ready.features.index(by) if by in ready.features else 0
        return _by_category(measure, evidence, per_unit, which)
    doc, a, b = ready.pairs.T
    one, other = (ready.texts.version_annotator[v].astype(np.int64) for v in (a, b))
    weight = times[doc] * ready.share
    cost = compared.kinds_by_pair.sum(axis=1) * weight
    units = (ready.versions.units[a] + ready.versions.units[b]) / 2
    size = units * weight
    m = len(ready.texts.annotators)
    if by == "annotator":
        both = np.concatenate([one, other])
        sums, sizes, chance = (sums_by(both, np.tile(x, 2) / 2, m) for x in (cost, size, size * per_unit[doc]))
        whose = ready.texts.version_annotator[evidence.version].astype(np.int64)
        count = sums_by(whose, ready.versions.units[evidence.version] * evidence.version_times, m)
        return _scores(measure, ready.texts.annotators, sums, sizes, chance, count)
    met, number = np.unique(one * m + other, return_inverse=True)
    sums, sizes, chance = (sums_by(number, x, len(met)) for x in (cost, size, size * per_unit[doc]))
    names = tuple(f"{ready.texts.annotators[k // m]} – {ready.texts.annotators[k % m]}" for k in met)
    return _scores(measure, names, sums, sizes, chance, sums_by(number, units * times[doc], len(met)))


def _by_category(measure: str, evidence: TextEvidence, per_unit: Floats, feature: int) -> Mapping[str, Score]:
    """Break down a feature: the cost of an aligned pair is divided equally over the categories of its two tokens."""
    ready, found = evidence.ready, evidence.compared.alignments
    versions = ready.versions
    labels = ready.texts.features[ready.features[feature]].categories
    q = len(labels) + 2  # plus tokens without label, and gaps
    code = np.where(versions.whole.gap, q - 1, versions.whole.labels[:, feature])
    weight = evidence.times[ready.pairs[:, 0]] * ready.share
    owner, half = found.owner, found.parts.sum(axis=1) / 2
    sums, size, chance = np.zeros(q), np.zeros(q), np.zeros(q)
    for side in (0, 1):
        version = ready.pairs[:, 1 + side]
        # Each unit first counts as alone, once per pair it is in; the gain of aligned units is subtracted afterwards.
        times = sums_by(version, weight, len(versions))[versions.owner]
        expected = sums_by(version, weight * per_unit[ready.pairs[:, 0]], len(versions))[versions.owner]
        met = code[versions.first_unit[version][owner] + found.pairs[:, side]]
        sums += sums_by(code, times, q) - sums_by(met, (1 - half) * weight[owner], q)
        size += sums_by(code, times / 2, q)
        chance += sums_by(code, expected / 2, q)
    often = np.zeros(len(versions))
    often[evidence.version] = evidence.version_times
    count = sums_by(code, often[versions.owner], q)
    return _scores(measure, (*labels.names, NO_LABEL, GAP), np.maximum(sums, 0.0), size, chance, count)


def _scores(
    measure: str, names: tuple[str, ...], sums: Floats, size: Floats, chance: Floats, count: Floats | None = None
) -> dict[str, Score]:
    """Return scores; `size` is the share of each name in x̄, `count` the number of units if it differs."""
    whole = float(sums.sum())
    many = size if count is None else count
    made = {}
    for k in np.flatnonzero(size > 0).tolist():
        share = float(sums[k] / whole) if whole else 0.0
        made[names[k]] = gamma_score(
            measure,
            float(sums[k] / size[k]),
            float(chance[k] / size[k]),
            n=round(float(many[k])),
            details={"disorder": float(sums[k]), "share": share},
        )
    return made
