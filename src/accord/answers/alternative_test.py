"""The alternative annotator test of Calderon, Reichart & Dror (2025): can a model replace a human annotator?

For each person, the test asks whether the model agrees with the other people at least as well as that person does, up
to a margin ε. The model passes if this is shown for at least half of the people. Benjamini & Yekutieli's procedure
controls the false discovery rate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from accord.core.arrays import Bools, Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName
from accord.core.probability import t_quantile
from accord.core.tables import Interval
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.measurement import ORDERED
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure

# Margins ε by kind of annotator: a model may be this far behind because it costs less (section 3.2).
EPSILON = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
_POWER, _STUDIES = 0.8, 500  # for the required number of items
_PURPOSE = 80  # of the random number stream


@dataclass(frozen=True)
class AgainstPerson:
    """The comparison of a model with one person, on items labelled by the model, the person and others."""

    annotator: str
    n: int
    advantage: float  # share of items on which the model agrees with the others at least as well as the person
    behind: float  # mean lead of the person over the model, before ε
    p: float
    rejected: bool  # the model is shown to be as good as this person


@dataclass(frozen=True)
class Alternative:
    """The test of one model against all people."""

    model: str
    winning_rate: float
    advantage: float  # mean over people
    interval: Interval | None  # of the advantage
    humans: tuple[AgainstPerson, ...]
    left_out: dict[str, int]  # people with too few items
    needed: float = math.nan  # items for a power of 0.8; infinite if the model is too far behind

    @property
    def passed(self) -> bool:
        return self.winning_rate >= PASSED


def epsilon_of(given: float | str) -> float:
    """Return ε from a number or from the kind of people: experts, skilled, crowd."""
    if isinstance(given, str):
        if given not in EPSILON:
            try:
                given = float(given)
            except ValueError:
                raise UnknownName("epsilon", given, EPSILON) from None
        else:
            return EPSILON[given]
    if not 0 <= given < 1:
        raise SpecError("option-value", f"epsilon must be at least 0 and below 1, not {given:g}; try --epsilon 0.2")
    return float(given)


def check_rates(q: float, least_people: int, least_items: int) -> None:
    if not 0 < q < 1:
        raise SpecError(
            "option-value", f"q, the false discovery rate, must be between 0 and 1, not {q:g}; try --q 0.05"
        )
    if least_people < 2 or least_items < 2:
        raise SpecError(
            "option-value",
            "--min-people and --min-items must be at least 2, because each person is compared with other people",
        )


@dataclass(frozen=True, eq=False)
class Against:
    """The items on which a model and a person are compared, and which of them agrees better with the others."""

    person: str
    items: Ints
    wins: Bools  # the model is at least as good
    loses: Bools

    @property
    def lead(self) -> Floats:
        """Per item: 1 where the person agrees better with the others, -1 where the model does, 0 for a tie."""
        return self.loses.astype(np.float64) - self.wins.astype(np.float64)


def compare_with_people(
    like: Likeness, model: str, least_people: int, least_items: int
) -> tuple[list[Against], dict[str, int]]:
    """Compare the model with each person; also return the people with too few items and their item counts."""
    comparisons: list[Against] = []
    few: dict[str, int] = {}
    for person in like.people:
        items, of_model, of_person = like.against_others(person, model, least_people)
        if len(items) < least_items:
            few[person] = len(items)
        else:
            comparisons.append(Against(person, items, of_model >= of_person, of_person >= of_model))
    return comparisons, few


def assess_model(
    like: Likeness,
    model: str,
    *,
    epsilon: float,
    q: float,
    least_people: int,
    least_items: int,
    level: float,
    run: Run | None = None,
) -> Alternative:
    """Return the test result of one model."""
    comparisons, few = compare_with_people(like, model, least_people, least_items)
    if not comparisons:
        return Alternative(model, math.nan, math.nan, None, (), few)
    n, mean, variance = (
        np.array([of(against.lead) for against in comparisons], dtype=np.float64)
        for of in (len, np.mean, lambda x: x.var(ddof=1))
    )
    p = p_below(n, mean, variance, epsilon)
    rejected = benjamini_yekutieli(p[None, :], q)[0]
    humans = tuple(
        AgainstPerson(against.person, len(against.items), float(against.wins.mean()), *row)
        for against, row in zip(
            comparisons, zip(mean.tolist(), p.tolist(), rejected.tolist(), strict=True), strict=True
        )
    )
    advantage = float(np.mean([against.advantage for against in humans]))
    trial = Trial(Leads.of_pilot([(against.items, against.lead) for against in comparisons]), epsilon, q, least_items)
    needed = trial.items(_POWER, _STUDIES, (run or Run()).rng(_PURPOSE))
    return Alternative(
        model, float(rejected.mean()), advantage, _interval(comparisons, advantage, level), humans, few, needed
    )  # fmt: skip


def _interval(comparisons: Sequence[Against], advantage: float, level: float) -> Interval | None:
    """Interval of the mean advantage, linearised over items; an item of several people counts once."""
    pull: dict[int, float] = {}
    for against in comparisons:
        parts = (against.wins - against.wins.mean()) / (len(against.wins) * len(comparisons))
        for item, part in zip(against.items.tolist(), parts.tolist(), strict=True):
            pull[item] = pull.get(item, 0.0) + part
    n = len(pull)
    if n < 2:
        return None
    error = math.sqrt(n / (n - 1) * sum(value**2 for value in pull.values()))
    reach = t_quantile(n - 1, (1 + level) / 2) * error
    return Interval(max(0.0, advantage - reach), min(1.0, advantage + reach), level, "linearised")


# -- Agreement of an annotator with the other people, item by item --


SCORES = ("accuracy", "neg_rmse", "jaccard", "gamma")


class Likeness(Protocol):
    """Agreement of an annotator with the other people, per item."""

    @property
    def people(self) -> tuple[str, ...]: ...

    def against_others(self, person: str, model: str, least: int) -> tuple[Ints, Floats, Floats]:
        """Return the items labelled by both and by at least `least` people, and the scores of model and person."""
        ...


def make_likeness(data: Data, people: Sequence[str], models: Sequence[str], score: str | None, run: Run) -> Likeness:
    """Choose the score: distance for numbers, overlap for sets, γ's disorder for units, else accuracy."""
    if score is not None and score not in SCORES:
        raise UnknownName("score", score, SCORES)
    if isinstance(data, Corpus):
        if score not in {None, "gamma"}:
            raise SpecError(
                "measure-for-other-data",
                f"--score: {score} applies to labels of items; for units, leave it out or use gamma",
            )
        return UnitLikeness.of(data, people, models, run)
    if not isinstance(data, Ratings):
        raise SpecError(
            "measure-for-other-data",
            f"models and people can be compared on labels of items and on units, not on {data.kind.words}; try accord "
            "compare",
        )
    return ItemLikeness.of(data, people, models, score or usual_score(data))


def usual_score(data: Data) -> str:
    if data.kind.name == "units":
        return "gamma"
    labels = next(iter(data.category_sets.values()), ())  # chains have no categories
    if any(isinstance(label, frozenset) for label in labels):
        return "jaccard"
    ordered = isinstance(data, Ratings) and data.measurement.level in ORDERED
    return "neg_rmse" if ordered else "accuracy"


@dataclass(frozen=True, eq=False)
class ItemLikeness:
    """Labels by annotator and item. Sums over the people of an item avoid a loop over pairs."""

    people: tuple[str, ...]
    labels: dict[str, Ints]  # by annotator: a code per item, -1 for a missing label
    several: Ints  # number of people per item
    score: str
    sums: tuple[Floats, Floats]  # sums of numbers and of their squares over people; empty for other scores
    numbers: Floats
    alike: Floats  # items × categories: summed similarity of a category to the people's labels
    between: Floats  # categories × categories

    @classmethod
    def of(cls, data: Ratings, people: Sequence[str], models: Sequence[str], score: str) -> ItemLikeness:
        n, q = len(data.items), len(data.categories)
        labels = {}
        for name in (*people, *models):
            mine = data.annotator == data.annotators.index(name)
            labels[name] = np.full(n, -1, dtype=np.int64)
            labels[name][data.item[mine]] = data.label[mine]
        several = np.sum([labels[name] >= 0 for name in people], axis=0).astype(np.int64)
        nothing = np.zeros((0, 0))
        if score == "neg_rmse":
            numbers = _positions(data)
            given = [(labels[name] >= 0, numbers[labels[name]]) for name in people]
            sums = (
                np.sum([np.where(there, x, 0.0) for there, x in given], axis=0),
                np.sum([np.where(there, x**2, 0.0) for there, x in given], axis=0),
            )
            return cls(tuple(people), labels, several, score, sums, numbers, nothing, nothing)
        counts = np.zeros((n, q))
        for name in people:
            there = labels[name] >= 0
            counts[there, labels[name][there]] += 1
        between = _between(data, score)
        none = np.zeros(0)
        return cls(tuple(people), labels, several, score, (none, none), none, counts @ between, between)

    def against_others(self, person: str, model: str, least: int) -> tuple[Ints, Floats, Floats]:
        own, other = self.labels[person], self.labels[model]
        items = np.flatnonzero((own >= 0) & (other >= 0) & (self.several >= max(least, 2)))
        own, other = own[items], other[items]
        return items, self._score(items, other, own), self._score(items, own, own)

    def _score(self, items: Ints, given: Ints, person: Ints) -> Floats:
        """Score the labels `given` against the people of each item, without the person."""
        others = self.several[items] - 1
        if self.score != "neg_rmse":
            return np.asarray((self.alike[items, given] - self.between[given, person]) / others)
        x, out = self.numbers[given], self.numbers[person]
        first, second = self.sums[0][items] - out, self.sums[1][items] - out**2
        return np.asarray(-np.sqrt(np.maximum(others * x**2 - 2 * x * first + second, 0.0) / others))


def _positions(data: Ratings) -> Floats:
    """Return the numbers of the categories from their mean; for ordered words their ranks."""
    if not data.categories.numeric and data.measurement.level not in ORDERED:
        raise DataError(
            "measure-for-other-data",
            "--score: neg_rmse needs numbers or an order, and some labels are words; use accuracy, or list the order "
            "with --measurement ordinal and --categories",
        )
    places = data.categories.positions
    return np.asarray(places - places.mean())  # squares of numbers far from 0 would lose precision


def _between(data: Ratings, score: str) -> Floats:
    """Similarity of each pair of categories: 1 if equal, else 0; for sets, the Jaccard index."""
    labels = list(data.categories)
    if score == "accuracy":
        return np.eye(len(labels))
    sets = [label if isinstance(label, frozenset) else frozenset([label]) for label in labels]
    return np.array([[len(a & b) / len(a | b) if a | b else 1.0 for b in sets] for a in sets], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class UnitLikeness:
    """Similarity on units: the negative disorder of the best alignment of two annotators, per document."""

    people: tuple[str, ...]
    disorder: dict[tuple[str, str], Floats]  # of two annotators; NaN where one of them did not annotate the document
    looked: dict[str, Floats]

    @classmethod
    def of(cls, data: Corpus, people: Sequence[str], models: Sequence[str], run: Run) -> UnitLikeness:
        names = (*people, *models)
        pairs = [(a, b) for k, a in enumerate(names) for b in people[k + 1 if a in people else 0 :]]
        disorder: dict[tuple[str, str], Floats] = {}
        for k, (a, b) in enumerate(pairs):
            run.progress("aligning pairs of annotators", k, len(pairs))
            disorder[a, b] = disorder[b, a] = _pair_disorder(data, a, b, run)
        looked = {name: data.judged[:, data.annotators.index(name)].astype(np.float64) for name in names}
        return cls(tuple(people), disorder, looked)

    def against_others(self, person: str, model: str, least: int) -> tuple[Ints, Floats, Floats]:
        others = [name for name in self.people if name != person]
        several = np.sum([self.looked[name] for name in self.people], axis=0)
        there = (self.looked[person] > 0) & (self.looked[model] > 0) & (several >= max(least, 2))
        items = np.flatnonzero(there)
        return items, self._mean(model, others, items), self._mean(person, others, items)

    def _mean(self, name: str, others: Sequence[str], items: Ints) -> Floats:
        return -np.asarray(np.nanmean([self.disorder[name, other][items] for other in others], axis=0))


def _pair_disorder(data: Corpus, a: str, b: str, run: Run) -> Floats:
    """Disorder of two annotators in each document that both annotated; 0 where neither marked a unit."""
    two = data.only_annotators([a, b])
    sides = [data.judged[:, data.annotators.index(name)] for name in (a, b)]
    disorder = np.where(sides[0] & sides[1], 0.0, np.nan)
    if not (two.comparable).any():
        return disorder
    compared = measure("gamma").compare(two, run)
    alignment = compared.alignment
    total = np.bincount(alignment.continuum, weights=alignment.disorder, minlength=len(compared.docs))
    units = np.bincount(compared.units.continuum, minlength=len(compared.docs)) / 2
    at = {name: k for k, name in enumerate(data.docs)}
    for name, value, many in zip(compared.names, total, units, strict=True):
        disorder[at[name]] = value / many if many else 0.0
    return disorder


# -- Power: simulate studies and apply the test to each --


PASSED = 0.5  # share of the people
_MOST = 10_000_000  # items
_CELLS = 40_000_000  # studies × kinds of items


@dataclass(frozen=True, eq=False)
class Leads:
    """The lead on each kind of item: 1 person, -1 model, 0 tie; NaN if the person has no label.

    A row per kind of item, a column per person; `share` is the relative frequency of each kind.
    """

    lead: Floats
    share: Floats

    @classmethod
    def of_pilot(cls, leads: Sequence[tuple[Ints, Floats]]) -> Leads:
        """Build it from the items of each person and the lead on each item."""
        items = np.unique(np.concatenate([items for items, _ in leads]))
        table = np.full((len(items), len(leads)), np.nan)
        for column, (mine, lead) in enumerate(leads):
            table[np.searchsorted(items, mine), column] = lead
        kinds, times = np.unique(np.nan_to_num(table, nan=2.0), axis=0, return_counts=True)
        return cls(np.where(kinds == 2.0, np.nan, kinds), times / len(items))

    @classmethod
    def assumed(cls, advantage: float, ties: float, people: int) -> Leads:
        """Use the same rates for all people, drawn independently."""
        chances = np.array([advantage - ties, ties, 1 - advantage])
        return cls(np.repeat(np.array([[-1.0], [0.0], [1.0]]), people, axis=1), chances)

    @property
    def means(self) -> Floats:
        """Mean lead of each person over their items."""
        there = ~np.isnan(self.lead)
        return np.asarray((np.nan_to_num(self.lead).T @ self.share) / (there.T @ self.share))

    @property
    def sd(self) -> float:
        """Standard deviation per item, averaged over people."""
        there = ~np.isnan(self.lead)
        squares = (np.nan_to_num(self.lead).T ** 2 @ self.share) / (there.T @ self.share)
        return float(np.sqrt(np.maximum(squares - self.means**2, 0.0)).mean())


@dataclass(frozen=True, eq=False)
class Trial:
    """A planned test."""

    leads: Leads
    epsilon: float
    q: float
    least_items: int
    independent: bool = False  # draw people independently instead of whole items

    @property
    def possible(self) -> bool:
        """Whether enough people lead by less than ε for some number of items to suffice."""
        return bool((self.leads.means < self.epsilon).mean() >= PASSED)

    def power(self, n: int, studies: int, rng: np.random.Generator) -> float:
        """Return the share of studies of n items in which the model passes."""
        return float(np.mean([passed for part in _parts(studies, self.leads) for passed in self._passed(n, part, rng)]))

    def _passed(self, n: int, studies: int, rng: np.random.Generator) -> Bools:
        lead = self.leads.lead
        there = ~np.isnan(lead)
        if self.independent:
            drawn = rng.multinomial(n, self.leads.share, size=(studies, lead.shape[1])).astype(np.float64)
            ahead, behind = drawn[:, :, 2], drawn[:, :, 0]
            size = np.full(ahead.shape, float(n))
        else:
            drawn = rng.multinomial(n, self.leads.share, size=studies).astype(np.float64)
            ahead, behind, size = drawn @ (lead == 1), drawn @ (lead == -1), drawn @ there
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (ahead - behind) / size
            variance = np.maximum(ahead + behind - size * mean**2, 0.0) / (size - 1)
        p = np.where(size >= self.least_items, p_below(size, mean, variance, self.epsilon), np.nan)
        tested = (~np.isnan(p)).sum(axis=1)
        return (tested > 0) & (benjamini_yekutieli(p, self.q).sum(axis=1) >= PASSED * tested)

    def items(self, power: float, studies: int, rng: np.random.Generator) -> float:
        """Return the smallest number of items with this power; infinite if no number suffices."""
        if not self.possible:
            return math.inf
        low, high = self.least_items - 1, self.least_items
        while self.power(high, studies, rng) < power:
            if high >= _MOST:
                return math.inf
            low, high = high, min(2 * high, _MOST)
        while high - low > max(1, high // 200):
            middle = (low + high) // 2
            low, high = (low, middle) if self.power(middle, studies, rng) >= power else (middle, high)
        return high


def _parts(studies: int, leads: Leads) -> list[int]:
    """Split the studies into batches that fit into memory."""
    at_once = max(1, _CELLS // max(len(leads.share) + 4 * leads.lead.shape[1], 1))
    return [min(at_once, studies - done) for done in range(0, studies, at_once)]


def p_below(n: Floats, mean: Floats, variance: Floats, epsilon: float) -> Floats:
    """One-sided t tests that a person leads by less than ε; without variance the mean decides."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        p = stdtr(n - 1, (mean - epsilon) / np.sqrt(variance / n))
    return np.where(variance > 0, p, np.where(mean < epsilon, 0.0, 1.0))


def benjamini_yekutieli(ps: Floats, q: float) -> Bools:
    """Return the hypotheses rejected in each row at false discovery rate q, under any dependence; NaN is not tested."""
    many = (~np.isnan(ps)).sum(axis=1, keepdims=True)
    harmonic = np.concatenate([[1.0], np.cumsum(1 / np.arange(1, ps.shape[1] + 1))])[many]
    order = np.argsort(ps, axis=1, kind="stable")  # NaN is last
    rank = np.arange(1, ps.shape[1] + 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        below = np.take_along_axis(ps, order, axis=1) <= q * rank / (many * harmonic)
    fall = rank <= np.where(below, rank, 0).max(axis=1, initial=0, keepdims=True)
    rejected = np.zeros(ps.shape, dtype=bool)
    np.put_along_axis(rejected, order, fall, axis=1)
    return rejected
