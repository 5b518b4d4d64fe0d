"""What is counted about annotators: answers as arrays, accuracy, categories, drift, and random answers.

Figures are computed for all annotators at once, without a loop over labels: there may be millions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from accord.answers.comparison import holm
from accord.answers.gold.consensus import align_for_consensus
from accord.answers.gold.models import NEAR_0, Believed, Labelled, knows_nobody
from accord.core.arrays import Bools, Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.probability import normal_below, normal_quantile
from accord.core.tables import Interval
from accord.data.model.corpus import Corpus
from accord.data.model.ratings import Feature, Ratings

NONE = -1  # no label: most of the others are undecided


@dataclass(frozen=True, eq=False)
class Answers:
    """An entry for each label, of items or of units; each unitary alignment of units counts as an item."""

    item: Ints
    annotator: Ints
    label: Ints
    items: int
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    features: Mapping[str, Feature]

    @property
    def labelled(self) -> Labelled:
        return Labelled(
            self.item, self.annotator, self.label, self.items, len(self.annotators), len(self.categories)
        )  # fmt: skip

    def only(self, chosen: Bools) -> Answers:
        """Keep some entries."""
        at = np.flatnonzero(chosen)
        return replace(
            self, item=self.item[at], annotator=self.annotator[at], label=self.label[at], features={}
        )  # fmt: skip

    def per_annotator(self, chosen: Bools | None = None, weights: Floats | None = None) -> Floats:
        """How many entries each annotator has, or the sum of their weights."""
        annotator = self.annotator if chosen is None else self.annotator[chosen]
        parts = weights if weights is None or chosen is None else weights[chosen]
        return np.bincount(annotator, weights=parts, minlength=len(self.annotators)).astype(np.float64)

    @cached_property
    def sizes(self) -> Ints:
        """Number of labels of each item."""
        return np.bincount(self.item, minlength=self.items)

    @cached_property
    def others_label(self) -> Ints:
        """For each entry, the most frequent label of the item's other annotators; NONE for a tie."""
        q = len(self.categories)
        key, inverse, count = np.unique(self.item * q + self.label, return_inverse=True, return_counts=True)
        of_item, code = np.divmod(key, q)
        most = np.zeros(self.items, dtype=np.int64)
        np.maximum.at(most, of_item, count)
        first = count == most[of_item]
        many_first = np.bincount(of_item[first], minlength=self.items)
        # The sum of the codes of the first labels: of one it is the code, of two the other one is what is left.
        codes = np.bincount(of_item[first], weights=code[first], minlength=self.items).astype(np.int64)
        second = np.zeros(self.items, dtype=np.int64)
        np.maximum.at(second, of_item[~first], count[~first])
        own = count[inverse]
        top, ties, below = most[self.item], many_first[self.item], second[self.item]
        apart = (own < top) & (ties == 1)
        beside = (own == top) & (ties == 2)
        stays = (own == top) & (ties == 1) & (own - 1 > below)
        others = np.full(len(self.item), NONE, dtype=np.int64)
        others[apart] = codes[self.item[apart]]
        others[beside] = codes[self.item[beside]] - self.label[beside]
        others[stays] = self.label[stays]
        return others


def answers_of_items(data: Ratings) -> Answers:
    if not data.identified:
        raise DataError(
            "counts-without-annotators", "counts do not say who gave which label: annotators cannot be told apart"
        )
    item, annotator, label = (c.astype(np.int64) for c in (data.item, data.annotator, data.label))
    features, items = data.features, len(data.items)
    if data.times is not None:  # an item that occurs several times is as many items
        times = data.times[item]
        first = (np.cumsum(data.times) - data.times)[item]
        within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        item = np.repeat(first, times) + within
        annotator, label = np.repeat(annotator, times), np.repeat(label, times)
        features, items = {}, int(data.times.sum())
    return Answers(item, annotator, label, items, data.annotators, data.categories.names, features)


@dataclass(frozen=True, eq=False)
class Marking:
    """Counts of units per annotator: their own, those of most others, and both."""

    mine: Floats  # units on which the others are decided
    shared: Floats  # of them, those that most of the others have
    theirs: Floats  # units that most of the others have, where the annotator looked
    undecided: int  # times that just half of the others have a unit


def answers_of_units(data: Corpus, run: Run) -> tuple[Answers, Marking]:
    """Take each unitary alignment of the best alignment as an item, and the labels of its units as answers."""
    compared: Any = align_for_consensus(data, None, run)
    corpus, alignment = compared.corpus, compared.alignment
    unit = compared.source.unit[alignment.members_unit]
    group, annotator = alignment.members_group.astype(np.int64), corpus.annotator[unit].astype(np.int64)
    judged = corpus.judged[compared.docs]
    marking = _marking(group, annotator, alignment.size, alignment.continuum, judged)
    named = corpus.label[unit] >= 0
    features = {name: Feature(f.codes[unit][named], f.names) for name, f in corpus.features.items()}
    answers = Answers(
        group[named],
        annotator[named],
        corpus.label[unit][named].astype(np.int64),
        len(alignment.disorder),
        corpus.annotators,
        corpus.categories.names,
        features,
    )
    return answers, marking


def _marking(group: Ints, annotator: Ints, size: Ints, continuum: Ints, judged: Bools) -> Marking:
    """Count units that more than half of the others have; exactly half is undecided and does not count.

    Counted for all annotators of a document as if none of them had the unit, and put right for those who have it: a
    table of unitary alignments × annotators would be too large.
    """
    docs, people = judged.shape
    others = judged.sum(axis=1)[continuum] - 1

    def where_looked(holds: Bools) -> Floats:
        return np.bincount(continuum[holds], minlength=docs).astype(np.float64) @ judged

    def of_members(holds: Bools) -> Floats:
        return np.bincount(annotator[holds], minlength=people).astype(np.float64)

    without, with_one = 2 * size - others, (2 * size - 2 - others)[group]
    theirs = where_looked(without > 0) - of_members((without > 0)[group]) + of_members(with_one > 0)
    undecided = where_looked(without == 0) - of_members((without == 0)[group]) + of_members(with_one == 0)
    return Marking(of_members(with_one != 0), of_members(with_one > 0), theirs, int(undecided.sum()))


# -- accuracy ---------------------------------------------------------------------------------------------------------


_MOST_CATEGORIES = 50  # whose shares are compared: the most frequent ones


def wilson_interval(right: float, n: float, level: float) -> Interval | None:
    """Wilson 1927: the interval of a share."""
    if not n:
        return None
    z = normal_quantile((1 + level) / 2)
    share = right / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach), level, "wilson")


@dataclass(frozen=True, eq=False)
class Accuracy:
    """Agreement of each annotator with the most frequent label of the others."""

    n: Floats  # labels of items on which the others are decided
    right: Floats
    kappa: Floats  # NaN where nothing varies
    p_chance: Floats  # of a κ as high as this, if labels were given without looking
    telling: Floats  # of n: without those where all give the label that is most usual, which tell nothing

    @property
    def value(self) -> Floats:
        return _divided(self.right, self.n)


def measure_accuracy(answers: Answers) -> Accuracy:
    theirs = answers.others_label
    counted = theirs != NONE
    n = answers.per_annotator(counted)
    right = answers.per_annotator(counted & (theirs == answers.label))
    q, people = len(answers.categories), len(answers.annotators)
    annotator = answers.annotator[counted]
    size = people * q
    own = np.bincount(annotator * q + answers.label[counted], minlength=size).reshape(people, q)
    most = np.bincount(annotator * q + theirs[counted], minlength=size).reshape(people, q)
    several = np.maximum(n, 1)[:, None]
    p, r = own / several, most / several
    chance = (p * r).sum(axis=1)
    kappa = _divided(right / several[:, 0] - chance, 1 - chance, 1 - chance > 1e-12)
    # The error of κ where the two are independent (Fleiss, Cohen & Everitt 1969).
    spread = np.maximum(chance + chance**2 - (p * r * (p + r)).sum(axis=1), 0.0)
    error = _divided(np.sqrt(spread), (1 - chance) * np.sqrt(several[:, 0]), 1 - chance > 1e-12)
    p_chance = [
        1 - normal_below(k / e) if e > 0 else math.nan for k, e in zip(kappa.tolist(), error.tolist(), strict=True)
    ]
    agreed = answers.label[counted] == theirs[counted]
    each = np.bincount(annotator[agreed] * q + theirs[counted][agreed], minlength=size).reshape(people, q)
    usual = each.max(axis=1, initial=0)  # where nobody gave a label, none is usual
    return Accuracy(n, right, kappa, np.array(p_chance, dtype=np.float64), n - usual)


# -- categories ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bias:
    """The category whose share differs most from that of the others, on the same items."""

    category: str
    own: float
    others: float
    p: float | None  # that there is no such difference, corrected (Holm) for all annotators and categories

    @property
    def difference(self) -> float:
        return self.own - self.others


def find_biases(answers: Answers) -> tuple[list[Bias | None], Floats]:
    """Return the largest bias of each annotator, and all biases, annotators × categories (the most frequent ones)."""
    from accord.answers.gold.kernels import add_rows

    times = np.bincount(answers.label, minlength=len(answers.categories))
    kept = np.sort(np.argsort(-times, kind="stable")[:_MOST_CATEGORIES])
    column = np.full(len(answers.categories), -1, dtype=np.int64)
    column[kept] = np.arange(len(kept))
    with_others = answers.sizes[answers.item] > 1
    item, annotator = answers.item[with_others], answers.annotator[with_others]
    label = column[answers.label[with_others]]
    width, people = len(kept), len(answers.annotators)
    counts = np.zeros((answers.items, width))
    named = label >= 0
    np.add.at(counts, (item[named], label[named]), 1.0)
    rest = np.maximum(answers.sizes - 1.0, 1.0)[:, None]
    shares = counts / rest  # of all labels of an item among the others of one of them: one's own is taken off below
    sums, squares = np.zeros((people, width)), np.zeros((people, width))
    add = add_rows.for_work(2 * len(annotator) * width)
    add(sums, annotator, shares, item)
    add(squares, annotator, shares**2, item)
    e, c = np.flatnonzero(named), label[named]
    mine, own_share = shares[item[e], c], 1 / rest[item[e], 0]
    at = (annotator[e], c)
    given = np.zeros((people, width))
    np.add.at(given, at, 1.0)
    np.add.at(sums, at, -own_share)
    np.add.at(squares, at, (mine - own_share) ** 2 - mine**2)
    cross = np.zeros((people, width))  # Σ of the others' share where the annotator gave the category
    np.add.at(cross, at, mine - own_share)
    n = np.bincount(annotator, minlength=people).astype(np.float64)[:, None]
    several = np.maximum(n, 1.0)
    own, others = given / several, sums / several
    difference = own - others
    variance = (given - 2 * cross + squares) / several - difference**2
    error = np.sqrt(np.maximum(variance, 0.0) / np.maximum(n - 1, 1.0))
    ps = _two_sided(difference, error)
    corrected = np.array([math.nan if p is None else p for p in holm(ps.ravel().tolist())]).reshape(ps.shape)
    largest = np.abs(difference).argmax(axis=1) if width else np.zeros(people, dtype=np.int64)
    largest_biases: list[Bias | None] = []
    for a, k in enumerate(largest.tolist()):
        if not n[a, 0]:
            largest_biases.append(None)
            continue
        p = float(corrected[a, k])
        largest_biases.append(
            Bias(answers.categories[int(kept[k])], float(own[a, k]), float(others[a, k]), None if math.isnan(p) else p)
        )
    return largest_biases, difference


def differences(answers: Answers, numbers: Floats) -> tuple[Floats, Floats]:
    """How far each annotator's numbers lie above the mean of the others, and the standard error."""
    with_others = answers.sizes[answers.item] > 1
    scale = float(np.abs(numbers).max(initial=0.0)) or 1.0  # squares of very large numbers overflow
    value = numbers[answers.label] / scale
    total = np.bincount(answers.item, weights=value, minlength=answers.items)
    others = (total[answers.item] - value) / np.maximum(answers.sizes[answers.item] - 1, 1)
    above = value - others
    n = answers.per_annotator(with_others)
    mean = _divided(answers.per_annotator(with_others, above), n)
    variance = _divided(answers.per_annotator(with_others, (above - mean[answers.annotator]) ** 2), n)
    return mean * scale, np.sqrt(_divided(variance, n - 1, n > 1)) * scale


# -- time ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drift:
    """The accuracy of an annotator in the first and in the second half of their labels, by time."""

    first: float
    second: float
    n_first: int
    n_second: int
    p: float  # Fisher's exact test
    p_holm: float | None = None

    @property
    def change(self) -> float:
        return self.second - self.first


def find_drifts(answers: Answers, rank: Ints) -> list[Drift | None]:
    """Compare halves by time. `rank` is the order of each entry, -1 for none; equal times stay in one half."""
    theirs = answers.others_label
    there = np.flatnonzero((theirs != NONE) & (rank >= 0))
    order = there[np.lexsort((rank[there], answers.annotator[there]))]
    annotator, when = answers.annotator[order], rank[order]
    right = (theirs[order] == answers.label[order]).astype(np.int64)
    sums = np.concatenate([[0], np.cumsum(right)])
    bounds = np.searchsorted(annotator, np.arange(len(answers.annotators) + 1))
    changes: list[Drift | None] = []
    for low, high in pairwise(bounds.tolist()):
        cut = _middle(when[low:high]) + low
        if not low < cut < high:
            changes.append(None)
            continue
        a, b = int(sums[cut] - sums[low]), int(sums[high] - sums[cut])
        n, m = cut - low, high - cut
        changes.append(Drift(a / n, b / m, n, m, fisher(a, n, b, m)))
    ps = holm([drift.p if drift else None for drift in changes])
    return [
        None if drift is None else Drift(drift.first, drift.second, drift.n_first, drift.n_second, drift.p, p)
        for drift, p in zip(changes, ps, strict=True)
    ]


def _middle(when: Ints) -> int:
    """Where the second half begins: between two different times, as near to the middle as possible; 0 if nowhere."""
    cuts = np.flatnonzero(np.diff(when)) + 1
    return int(cuts[np.abs(cuts - len(when) / 2).argmin()]) if len(cuts) else 0


def fisher(a: int, n: int, b: int, m: int) -> float:
    """Fisher's exact test of a out of n against b out of m: the probability of all tables as unlikely as this one."""
    from scipy.special import gammaln

    right = a + b
    k = np.arange(max(0, right - m), min(n, right) + 1)
    logs = -(gammaln(k + 1) + gammaln(n - k + 1) + gammaln(right - k + 1) + gammaln(m - right + k + 1))
    chances = np.exp(logs - logs.max())
    return float(min(1.0, chances[chances <= chances[k == a][0] * (1 + 1e-7)].sum() / chances.sum()))


def medians(annotator: Ints, values: Floats, people: int) -> list[float | None]:
    """The median of each annotator's values; None where there are none."""
    order = np.lexsort((values, annotator))
    bounds = np.searchsorted(annotator[order], np.arange(people + 1)).tolist()
    ranked = values[order]
    middles: list[float | None] = []
    for low, high in pairwise(bounds):
        middle = (low + high) // 2
        half = ranked[middle - 1] if (high - low) % 2 == 0 and high > low else None
        middles.append(None if high == low else float(ranked[middle] if half is None else (half + ranked[middle]) / 2))
    return middles


# -- arithmetic ------------------------------------------------------------------------------------------------------


def _divided(a: Floats, b: Floats, where: Bools | None = None) -> Floats:
    return np.divide(a, b, out=np.full(np.shape(a), np.nan), where=b > 0 if where is None else where)


def _two_sided(value: Floats, error: Floats) -> Floats:
    """Two-sided p of the normal distribution; NaN where nothing varies."""
    from scipy.special import ndtr

    z = np.abs(_divided(value, error))
    return np.asarray(2 * ndtr(-z))


# -- random answers ---------------------------------------------------------------------------------------------------


ENOUGH = 30  # labels, before κ can say that somebody answers at random, and before a model's accuracy has an interval
_TELLING = 10  # labels beside the one that all give most often, before they can seem to be given at random


def believable(
    fitted: Believed | None, answers: Answers, accuracy: Accuracy, limit: float, notes: list[str]
) -> Floats | None:
    """MACE's competence per annotator; None where MACE rejects nearly all labels although annotators agree."""
    if (
        fitted is not None
        and knows_nobody(fitted, answers.labelled)
        and ((accuracy.n >= ENOUGH) & (accuracy.p_chance <= limit)).any()
    ):
        notes.append(
            "MACE is left out: it takes nearly all labels of everybody for made up, although annotators agree beyond "
            "chance; it holds all categories for equally frequent, which fits badly where many are rare"
        )
        return None
    return None if fitted is None else fitted.accuracy


def suspicion(kappa: float, p: float, n: int, telling: int, knows: float | None, limit: float) -> str:
    """Why an annotator may answer at random; empty where labels are too few, or nothing points to it.

    Where nearly all labels are the same one, giving it is what people do who look, and who do not. A model alone
    accuses nobody who agrees with the others: what MACE says counts where κ is near 0, too.
    """
    if n < ENOUGH or telling < _TELLING:
        return ""
    reasons = []
    if p > limit:
        reasons.append(f"κ with most of the others is {kappa:z.3f}, not above chance (p = {p:.3f})")
    if knows is not None and knows < NEAR_0 and not kappa >= NEAR_0:
        reasons.append(f"MACE: knows the label with a probability of {knows:.3f}")
    return "; ".join(reasons)
