"""Statistics of annotators: answers as arrays, accuracy, category bias, drift and random answers.

All statistics are computed for all annotators at once, because there may be millions of labels.
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
from accord.core.probability import normal_below, normal_quantile, t_below, t_quantile
from accord.core.tables import Interval
from accord.data.model.corpus import Corpus
from accord.data.model.ratings import Feature, Ratings

_ROUNDED = 1e-9  # of the mean; smaller errors are rounding
NONE = -1  # the other annotators have no most frequent label


@dataclass(frozen=True, eq=False)
class Answers:
    """One entry per label of an item or unit; each unitary alignment of units counts as an item."""

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
        """Number of entries per annotator, or the sum of their weights."""
        annotator = self.annotator if chosen is None else self.annotator[chosen]
        parts = weights if weights is None or chosen is None else weights[chosen]
        return np.bincount(annotator, weights=parts, minlength=len(self.annotators)).astype(np.float64)

    @cached_property
    def sizes(self) -> Ints:
        """Number of labels of each item."""
        return np.bincount(self.item, minlength=self.items)

    @cached_property
    def others_label(self) -> Ints:
        """Most frequent label of the item's other annotators, per entry; NONE for a tie."""
        q = len(self.categories)
        key, inverse, count = np.unique(self.item * q + self.label, return_inverse=True, return_counts=True)
        of_item, code = np.divmod(key, q)
        most = np.zeros(self.items, dtype=np.int64)
        np.maximum.at(most, of_item, count)
        first = count == most[of_item]
        many_first = np.bincount(of_item[first], minlength=self.items)
        # Sum of the codes of the most frequent labels: the code itself if there is one; with two, subtract the own one.
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
            "counts-without-annotators",
            "a table of counts does not identify annotators; use a table with one row per label or one column per "
            "annotator",
        )
    item, annotator, label = (c.astype(np.int64) for c in (data.item, data.annotator, data.label))
    features, items = data.features, len(data.items)
    if data.times is not None:  # a row that counts several times becomes as many items
        times = data.times[item]
        first = (np.cumsum(data.times) - data.times)[item]
        within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        item = np.repeat(first, times) + within
        annotator, label = np.repeat(annotator, times), np.repeat(label, times)
        features, items = {}, int(data.times.sum())
    return Answers(item, annotator, label, items, data.annotators, data.categories.names, features)


@dataclass(frozen=True, eq=False)
class Marking:
    """Counts of units per annotator: their own, those of the majority of the others, and both."""

    mine: Floats  # own units on which the others have a majority
    shared: Floats  # of these, the units that the majority of the others also marked
    theirs: Floats  # units of the majority of the others in documents that the annotator saw
    undecided: int  # comparisons in which exactly half of the others marked the unit


def answers_of_units(data: Corpus, run: Run) -> tuple[Answers, Marking]:
    """Treat each unitary alignment of the best alignment as an item with the labels of its units."""
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
    """Count units that more than half of the others marked; a unit of exactly half is undecided and is not counted.

    The function counts for all annotators of a document as if none had the unit, then corrects the counts of those who
    have it. A table of unitary alignments × annotators would be too large.
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


_MOST_CATEGORIES = 50  # number of categories to compare, the most frequent first


def wilson_interval(right: float, n: float, level: float) -> Interval | None:
    """Wilson's interval of a share (1927)."""
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

    n: Floats  # labels of items on which the others have a most frequent label
    right: Floats
    kappa: Floats  # NaN without variation
    p_chance: Floats  # p of this κ if labels were given independently of the items
    telling: Floats  # n without items on which all annotators give the most frequent label, which are uninformative

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
    # Standard error of κ under independence (Fleiss, Cohen & Everitt 1969).
    spread = np.maximum(chance + chance**2 - (p * r * (p + r)).sum(axis=1), 0.0)
    error = _divided(np.sqrt(spread), (1 - chance) * np.sqrt(several[:, 0]), 1 - chance > 1e-12)
    p_chance = [
        1 - normal_below(k / e) if e > 0 else math.nan for k, e in zip(kappa.tolist(), error.tolist(), strict=True)
    ]
    agreed = answers.label[counted] == theirs[counted]
    each = np.bincount(annotator[agreed] * q + theirs[counted][agreed], minlength=size).reshape(people, q)
    usual = each.max(axis=1, initial=0)  # 0 without labels
    return Accuracy(n, right, kappa, np.array(p_chance, dtype=np.float64), n - usual)


# -- categories ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bias:
    """The category whose share differs most between the annotator and the others, on the same items."""

    category: str
    own: float
    others: float
    p: float | None  # p of no difference, corrected (Holm) for all annotators and categories

    @property
    def difference(self) -> float:
        return self.own - self.others


def find_biases(answers: Answers) -> tuple[list[Bias | None], Floats]:
    """Return the largest bias of each annotator, and all biases: annotators × most frequent categories."""
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
    shares = counts / rest  # shares among the other labels of the item; the annotator's own label is subtracted below
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
    cross = np.zeros((people, width))  # sum of the others' share over items to which the annotator gave the category
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
    """Mean difference of each annotator's numbers from the mean of the others, and its standard error."""
    with_others = answers.sizes[answers.item] > 1
    scale = float(np.abs(numbers).max(initial=0.0)) or 1.0  # prevents overflow of the squares of very large numbers
    value = numbers[answers.label] / scale
    total = np.bincount(answers.item, weights=value, minlength=answers.items)
    others = (total[answers.item] - value) / np.maximum(answers.sizes[answers.item] - 1, 1)
    above = value - others
    n = answers.per_annotator(with_others)
    mean = _divided(answers.per_annotator(with_others, above), n)
    variance = _divided(answers.per_annotator(with_others, (above - mean[answers.annotator]) ** 2), n)
    return mean * scale, np.sqrt(_divided(variance, n - 1, n > 1)) * scale


@dataclass(frozen=True)
class Offset:
    """How an annotator's numbers, or ranks of ordered words, differ from the mean of the others on the same items."""

    n: int
    mean: float
    interval: Interval | None
    p: float | None  # p of no mean difference (t test), corrected (Holm) for all annotators
    sd: float  # of the differences
    distance: float  # root mean squared difference
    correlation: float  # with the mean of the others
    p_chance: float  # one-sided p of no correlation


def find_offsets(answers: Answers, numbers: Floats, level: float) -> list[Offset | None]:
    """Compare each annotator's numbers with the mean of the others; None without common items."""
    with_others = answers.sizes[answers.item] > 1
    scale = float(np.abs(numbers).max(initial=0.0)) or 1.0
    value = numbers[answers.label] / scale
    value = value - float(value.mean())  # numbers far from 0 would lose precision
    total = np.bincount(answers.item, weights=value, minlength=answers.items)
    others = (total[answers.item] - value) / np.maximum(answers.sizes[answers.item] - 1, 1)
    there = np.flatnonzero(with_others)
    order = there[np.argsort(answers.annotator[there], kind="stable")]
    bounds = np.searchsorted(answers.annotator[order], np.arange(len(answers.annotators) + 1)).tolist()
    offsets: list[Offset | None] = []
    for low, high in pairwise(bounds):
        own, rest = value[order[low:high]], others[order[low:high]]
        offsets.append(_offset(own, rest, scale, level) if len(own) else None)
    ps = holm([one.p if one else None for one in offsets])
    return [None if one is None else replace(one, p=p) for one, p in zip(offsets, ps, strict=True)]


def _offset(own: Floats, others: Floats, scale: float, level: float) -> Offset:
    apart, n = own - others, len(own)  # in units of the scale, so that squares of huge numbers do not overflow
    mean, distance = float(apart.mean()) * scale, float(np.sqrt((apart**2).mean())) * scale
    sd = float(apart.std(ddof=1)) * scale if n > 1 else math.nan
    error = sd / math.sqrt(n)
    interval, p = None, None
    if error > _ROUNDED * max(abs(mean), scale * _ROUNDED):
        reach = t_quantile(n - 1, (1 + level) / 2) * error
        interval, p = Interval(mean - reach, mean + reach, level, "t"), 2 * t_below(n - 1, -abs(mean) / error)
    correlation, p_chance = math.nan, math.nan
    if n > 2 and np.ptp(own) > 0 and np.ptp(others) > 0:
        correlation = min(1.0, max(-1.0, float(np.corrcoef(own, others)[0, 1])))
        rest = 1 - correlation**2
        t = correlation * math.sqrt((n - 2) / rest) if rest > 0 else math.copysign(math.inf, correlation)
        p_chance = t_below(n - 2, -t)
    return Offset(n, mean, interval, p, sd, distance, correlation, p_chance)


# -- time ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drift:
    """Accuracy of an annotator in the first and the second half of their labels, by time."""

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
    """Compare the two halves by time. `rank` is the order of each entry, -1 for none; equal times stay together."""
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
    """Index at which the second half begins: between two different times, nearest to the middle; 0 if there is none."""
    cuts = np.flatnonzero(np.diff(when)) + 1
    return int(cuts[np.abs(cuts - len(when) / 2).argmin()]) if len(cuts) else 0


def fisher(a: int, n: int, b: int, m: int) -> float:
    """Fisher's exact test of a out of n against b out of m, two-sided."""
    from scipy.special import gammaln

    right = a + b
    k = np.arange(max(0, right - m), min(n, right) + 1)
    logs = -(gammaln(k + 1) + gammaln(n - k + 1) + gammaln(right - k + 1) + gammaln(m - right + k + 1))
    chances = np.exp(logs - logs.max())
    return float(min(1.0, chances[chances <= chances[k == a][0] * (1 + 1e-7)].sum() / chances.sum()))


def medians(annotator: Ints, values: Floats, people: int) -> list[float | None]:
    """Median of each annotator's values; None without values."""
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
    """Two-sided p of the normal distribution; NaN without variation."""
    from scipy.special import ndtr

    z = np.abs(_divided(value, error))
    return np.asarray(2 * ndtr(-z))


# -- random answers ---------------------------------------------------------------------------------------------------


ENOUGH = 30  # labels required to report random answers by κ, and an interval of a model's accuracy
_TELLING = 10  # labels other than the most frequent one required to report random answers


def believable(
    fitted: Believed | None, answers: Answers, accuracy: Accuracy, limit: float, notes: list[str]
) -> Floats | None:
    """MACE's competence per annotator; None if MACE rejects nearly all labels although annotators agree."""
    if (
        fitted is not None
        and knows_nobody(fitted, answers.labelled)
        and ((accuracy.n >= ENOUGH) & (accuracy.p_chance <= limit)).any()
    ):
        notes.append(
            "MACE is not shown: it treats nearly all labels of all annotators as guesses, although annotators agree "
            "beyond chance. It assumes equally frequent categories and fits badly where many are rare"
        )
        return None
    return None if fitted is None else fitted.accuracy


def suspicion(kappa: float, p: float, n: int, telling: int, knows: float | None, limit: float) -> str:
    """Reasons to suspect random answers; empty with too few labels or without evidence.

    If nearly all labels are the same, careful and careless annotators look alike. MACE's competence counts only if κ
    is also near 0, so that no annotator who agrees with the others is flagged.
    """
    if n < ENOUGH or telling < _TELLING:
        return ""
    reasons = []
    if p > limit:
        reasons.append(f"κ with the most frequent label of the others is {kappa:z.3f}, not above chance (p = {p:.3f})")
    if knows is not None and knows < NEAR_0 and not kappa >= NEAR_0:
        reasons.append(f"competence by MACE is {knows:.3f}")
    return "; ".join(reasons)


def suspicion_on_scale(offset: Offset | None, limit: float) -> str:
    """Reasons to suspect random numbers or grades: no correlation with the mean of the others, on enough items."""
    if offset is None or offset.n < ENOUGH or math.isnan(offset.p_chance) or offset.p_chance <= limit:
        return ""
    return (
        f"correlation with the mean of the others is {offset.correlation:z.3f}, not above chance (p = "
        f"{offset.p_chance:.3f})"
    )
