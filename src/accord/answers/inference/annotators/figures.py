"""What is counted about annotators, for all of them at once: no loop over labels, for there may be millions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from accord.answers.inference.annotators.answers import NONE, Answers
from accord.answers.inference.comparison.comparisons import holm
from accord.core.arrays import Bools, Floats, Ints
from accord.core.probability import normal_below, normal_quantile
from accord.core.tables import Interval

_MOST_CATEGORIES = 50  # whose shares are compared: the most frequent ones


def wilson(right: float, n: float, level: float) -> Interval | None:
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
    """Against the label that most of the others gave, by annotator."""

    n: Floats  # labels of items on which the others are decided
    right: Floats
    kappa: Floats  # NaN where nothing varies
    p_chance: Floats  # of a κ as high as this, if labels were given without looking
    telling: Floats  # of n: without those where all give the label that is most usual, which tell nothing

    @property
    def value(self) -> Floats:
        return _divided(self.right, self.n)


def accuracy(answers: Answers) -> Accuracy:
    theirs = answers.others_label
    counted = theirs != NONE
    n = answers.per_annotator(counted)
    right = answers.per_annotator(counted & (theirs == answers.label))
    q, people = len(answers.categories), len(answers.annotators)
    who = answers.annotator[counted]
    size = people * q
    own = np.bincount(who * q + answers.label[counted], minlength=size).reshape(people, q)
    most = np.bincount(who * q + theirs[counted], minlength=size).reshape(people, q)
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
    each = np.bincount(who[agreed] * q + theirs[counted][agreed], minlength=size).reshape(people, q)
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


def biases(answers: Answers) -> tuple[list[Bias | None], Floats]:
    """Of each annotator the largest difference; and all differences, annotators × categories (the most frequent)."""
    from accord.answers.consensus.models.kernels import add_rows

    times = np.bincount(answers.label, minlength=len(answers.categories))
    kept = np.sort(np.argsort(-times, kind="stable")[:_MOST_CATEGORIES])
    column = np.full(len(answers.categories), -1, dtype=np.int64)
    column[kept] = np.arange(len(kept))
    with_others = answers.sizes[answers.item] > 1
    item, who = answers.item[with_others], answers.annotator[with_others]
    label = column[answers.label[with_others]]
    width, people = len(kept), len(answers.annotators)
    counts = np.zeros((answers.items, width))
    named = label >= 0
    np.add.at(counts, (item[named], label[named]), 1.0)
    rest = np.maximum(answers.sizes - 1.0, 1.0)[:, None]
    shares = counts / rest  # of all labels of an item among the others of one of them: one's own is taken off below
    sums, squares = np.zeros((people, width)), np.zeros((people, width))
    add = add_rows.for_work(2 * len(who) * width)
    add(sums, who, shares, item)
    add(squares, who, shares**2, item)
    e, c = np.flatnonzero(named), label[named]
    mine, one = shares[item[e], c], 1 / rest[item[e], 0]
    at = (who[e], c)
    given = np.zeros((people, width))
    np.add.at(given, at, 1.0)
    np.add.at(sums, at, -one)
    np.add.at(squares, at, (mine - one) ** 2 - mine**2)
    cross = np.zeros((people, width))  # Σ of the others' share where the annotator gave the category
    np.add.at(cross, at, mine - one)
    n = np.bincount(who, minlength=people).astype(np.float64)[:, None]
    several = np.maximum(n, 1.0)
    own, others = given / several, sums / several
    difference = own - others
    variance = (given - 2 * cross + squares) / several - difference**2
    error = np.sqrt(np.maximum(variance, 0.0) / np.maximum(n - 1, 1.0))
    ps = _two_sided(difference, error)
    corrected = np.array([math.nan if p is None else p for p in holm(ps.ravel().tolist())]).reshape(ps.shape)
    largest = np.abs(difference).argmax(axis=1) if width else np.zeros(people, dtype=np.int64)
    found: list[Bias | None] = []
    for a, k in enumerate(largest.tolist()):
        if not n[a, 0]:
            found.append(None)
            continue
        p = float(corrected[a, k])
        found.append(
            Bias(answers.categories[int(kept[k])], float(own[a, k]), float(others[a, k]), None if math.isnan(p) else p)
        )
    return found, difference


def differences(answers: Answers, numbers: Floats) -> tuple[Floats, Floats]:
    """Of numbers: how far an annotator is above the mean of the others, on average; and its standard error."""
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


def drifts(answers: Answers, rank: Ints) -> list[Drift | None]:
    """`rank`: of each entry the place of its time, -1 where there is none. Equal times stay in one half."""
    theirs = answers.others_label
    there = np.flatnonzero((theirs != NONE) & (rank >= 0))
    order = there[np.lexsort((rank[there], answers.annotator[there]))]
    who, when = answers.annotator[order], rank[order]
    right = (theirs[order] == answers.label[order]).astype(np.int64)
    sums = np.concatenate([[0], np.cumsum(right)])
    bounds = np.searchsorted(who, np.arange(len(answers.annotators) + 1))
    found: list[Drift | None] = []
    for low, high in pairwise(bounds.tolist()):
        cut = _middle(when[low:high]) + low
        if not low < cut < high:
            found.append(None)
            continue
        a, b = int(sums[cut] - sums[low]), int(sums[high] - sums[cut])
        n, m = cut - low, high - cut
        found.append(Drift(a / n, b / m, n, m, fisher(a, n, b, m)))
    ps = holm([one.p if one else None for one in found])
    return [
        None if one is None else Drift(one.first, one.second, one.n_first, one.n_second, one.p, p)
        for one, p in zip(found, ps, strict=True)
    ]


def _middle(when: Ints) -> int:
    """Where the second half begins: between two different times, as near to the middle as possible; 0: nowhere."""
    cuts = np.flatnonzero(np.diff(when)) + 1
    return int(cuts[np.abs(cuts - len(when) / 2).argmin()]) if len(cuts) else 0


def fisher(a: int, n: int, b: int, m: int) -> float:
    """Fisher's exact test that a of n and b of m are shares of one kind: p of all tables as unlikely as this one."""
    from scipy.special import gammaln

    right = a + b
    k = np.arange(max(0, right - m), min(n, right) + 1)
    logs = -(gammaln(k + 1) + gammaln(n - k + 1) + gammaln(right - k + 1) + gammaln(m - right + k + 1))
    chances = np.exp(logs - logs.max())
    return float(min(1.0, chances[chances <= chances[k == a][0] * (1 + 1e-7)].sum() / chances.sum()))


def medians(who: Ints, values: Floats, people: int) -> list[float | None]:
    """The median of each annotator's values; None where there are none."""
    order = np.lexsort((values, who))
    bounds = np.searchsorted(who[order], np.arange(people + 1)).tolist()
    ranked = values[order]
    found: list[float | None] = []
    for low, high in pairwise(bounds):
        middle = (low + high) // 2
        half = ranked[middle - 1] if (high - low) % 2 == 0 and high > low else None
        found.append(None if high == low else float(ranked[middle] if half is None else (half + ranked[middle]) / 2))
    return found


# -- arithmetic ------------------------------------------------------------------------------------------------------


def _divided(a: Floats, b: Floats, where: Bools | None = None) -> Floats:
    return np.divide(a, b, out=np.full(np.shape(a), np.nan), where=b > 0 if where is None else where)


def _two_sided(value: Floats, error: Floats) -> Floats:
    """p of the normal distribution; NaN where nothing varies."""
    from scipy.special import ndtr

    z = np.abs(_divided(value, error))
    return np.asarray(2 * ndtr(-z))
