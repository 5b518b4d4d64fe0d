"""Coefficients by explicit loops over pairs: slow, short, and written from the formulas, not from accord.

Rows are items, columns annotators, None is missing. A distance is any function d(a, b) on labels; weights are
w = 1 − d/d_max. All formulas use distances, κ = 1 − D_o/D_e, so that 0/0 is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

Label = Hashable
Rows = Sequence[Sequence[Label | None]]
DistanceFunction = Callable[[Label, Label], float]


@dataclass(frozen=True)
class Result:
    value: float  # NaN: 0/0
    observed: float
    expected: float


# -- coefficients ----------------------------------------------------------------------------------------------


def given(row: Sequence[Label | None]) -> list[Label]:
    return [label for label in row if label is not None]


def labelled_items(rows: Rows) -> list[list[Label]]:
    return [given(row) for row in rows if given(row)]


def pairable_items(rows: Rows) -> list[list[Label]]:
    return [given(row) for row in rows if len(given(row)) >= 2]


def mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers)


def within(labels: Sequence[Label], d: DistanceFunction) -> float:
    """The mean distance over ordered pairs of different annotators of one item."""
    return mean([d(a, b) for a, b in permutations(labels, 2)])


def item_disagreement(rows: Rows, d: DistanceFunction) -> float:
    """1 − p_a with w = 1 − d: every item with two labels counts once."""
    return mean([within(labels, d) for labels in pairable_items(rows)])


def item_shares(rows: Rows) -> dict[Label, float]:
    """π_k: the mean over items of r_ik/r_i."""
    items = labelled_items(rows)
    shares: dict[Label, float] = {}
    for labels in items:
        for label in labels:
            shares[label] = shares.get(label, 0.0) + 1.0 / len(labels) / len(items)
    return shares


def own_shares(rows: Rows, annotator: int) -> dict[Label, float]:
    """p_gk: the share of one annotator's labels that are k."""
    labels = given([row[annotator] for row in rows])
    return {label: labels.count(label) / len(labels) for label in labels}


def between(first: dict[Label, float], second: dict[Label, float], d: DistanceFunction) -> float:
    """The mean distance of a draw from one distribution to a draw from another."""
    return math.fsum(first[a] * second[b] * d(a, b) for a, b in product(first, second))


def largest(categories: Sequence[Label], d: DistanceFunction) -> float:
    return max(d(a, b) for a, b in product(categories, repeat=2))


def result(observed: float, expected: float, scale: float) -> Result:
    unit = scale if scale > 0 else 1.0
    value = math.nan if expected == 0 else 1 - observed / expected
    return Result(value, 1 - observed / unit, 1 - expected / unit)


def percent(rows: Rows, categories: Sequence[Label], d: DistanceFunction, scale: float) -> Result:
    agreement = 1 - item_disagreement(rows, d) / (scale if scale > 0 else 1.0)
    return Result(agreement, agreement, 0.0)


def s(rows: Rows, categories: Sequence[Label], d: DistanceFunction, scale: float) -> Result:
    q = len(categories)
    chance = math.fsum(d(a, b) for a, b in product(categories, repeat=2)) / q**2
    return result(item_disagreement(rows, d), chance, scale)


def pi(rows: Rows, categories: Sequence[Label], d: DistanceFunction, scale: float) -> Result:
    shares = item_shares(rows)
    return result(item_disagreement(rows, d), between(shares, shares, d), scale)


def kappa(rows: Rows, categories: Sequence[Label], d: DistanceFunction, scale: float) -> Result:
    """The mean over ordered pairs of annotators who gave at least one label."""
    present = [g for g in range(len(rows[0])) if any(row[g] is not None for row in rows)]
    shares = {g: own_shares(rows, g) for g in present}
    chance = mean([between(shares[g], shares[h], d) for g, h in permutations(present, 2)])
    return result(item_disagreement(rows, d), chance, scale)


def alpha(rows: Rows, categories: Sequence[Label], d: DistanceFunction, scale: float) -> Result:
    """D_o and D_e of the coincidence form: each label of a pairable item counts once, none is paired with itself."""
    items = pairable_items(rows)
    n = sum(len(labels) for labels in items)
    disagreement = math.fsum(len(labels) * within(labels, d) for labels in items) / n
    shares: dict[Label, float] = {}
    for labels in items:
        for label in labels:
            shares[label] = shares.get(label, 0.0) + 1.0 / n
    return result(disagreement, between(shares, shares, d) * n / (n - 1), scale)


def ac(rows: Rows, categories: Sequence[Label], d: DistanceFunction, scale: float) -> Result:
    """p_e = T_w/(q(q−1)) · Σ π_k(1−π_k): undefined for one category, or if all distances are 0."""
    q, disagreement = len(categories), item_disagreement(rows, d)
    if q < 2 or scale == 0:
        return Result(math.nan, 1 - disagreement / (scale if scale > 0 else 1.0), math.nan)
    weights = math.fsum(1 - d(a, b) / scale for a, b in product(categories, repeat=2))
    guessed = math.fsum(share * (1 - share) for share in item_shares(rows).values())
    expected = weights / (q * (q - 1)) * guessed
    return result(disagreement, scale * (1 - expected), scale)


COEFFICIENTS = {"percent": percent, "s": s, "pi": pi, "kappa": kappa, "alpha": alpha, "ac": ac}


def coefficient(
    name: str,
    rows: Rows,
    categories: Sequence[Label],
    d: DistanceFunction,
    scale: float | None = None,
) -> Result:
    """`scale` is d_max over the declared categories, unless the weights define it."""
    return COEFFICIENTS[name](rows, categories, d, largest(categories, d) if scale is None else scale)


# -- distances -------------------------------------------------------------------------------------------------


def positions(categories: Sequence[Label]) -> dict[Label, float]:
    """x_k: the number where all labels are numbers, otherwise the rank 1…q."""
    if all(isinstance(label, int | float) for label in categories):
        return {label: float(label) for label in categories}  # type: ignore[arg-type]
    return {label: rank for rank, label in enumerate(categories, start=1)}


def nominal(rows: Rows, categories: Sequence[Label]) -> DistanceFunction:
    return lambda a, b: float(a != b)


def krippendorff_ordinal(rows: Rows, categories: Sequence[Label]) -> DistanceFunction:
    """( Σ_{g=c..k} n_g − (n_c + n_k)/2 )², n_g how often g occurs on pairable items."""
    pooled = [label for labels in pairable_items(rows) for label in labels]
    count = [pooled.count(label) for label in categories]

    def d(a: Label, b: Label) -> float:
        low, high = sorted([categories.index(a), categories.index(b)])
        return (sum(count[low : high + 1]) - (count[low] + count[high]) / 2) ** 2

    return d


def interval(rows: Rows, categories: Sequence[Label]) -> DistanceFunction:
    return lambda a, b: (a - b) ** 2  # type: ignore[operator]


def ratio(rows: Rows, categories: Sequence[Label]) -> DistanceFunction:
    x = positions(categories)
    return lambda a, b: 0.0 if x[a] == x[b] else ((x[a] - x[b]) / (x[a] + x[b])) ** 2


def circular(rows: Rows, categories: Sequence[Label]) -> DistanceFunction:
    x = positions(categories)
    period = max(x.values()) - min(x.values()) + 1
    return lambda a, b: math.sin(math.pi * (x[a] - x[b]) / period) ** 2


def bipolar(rows: Rows, categories: Sequence[Label]) -> DistanceFunction:
    x = positions(categories)
    low, high = min(x.values()), max(x.values())

    def d(a: Label, b: Label) -> float:
        if a == b:
            return 0.0
        return (x[a] - x[b]) ** 2 / ((x[a] + x[b] - 2 * low) * (2 * high - x[a] - x[b]))

    return d


def power(exponent: float) -> Callable[[Rows, Sequence[Label]], DistanceFunction]:
    def of(rows: Rows, categories: Sequence[Label]) -> DistanceFunction:
        x = positions(categories)
        width = max(x.values()) - min(x.values())
        return lambda a, b: 0.0 if a == b else (abs(x[a] - x[b]) / width) ** exponent

    return of


def gwet_ordinal(rows: Rows, categories: Sequence[Label]) -> DistanceFunction:
    def d(a: Label, b: Label) -> float:
        steps = abs(categories.index(a) - categories.index(b))
        return math.comb(steps + 1, 2) if steps else 0.0

    return d


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return 0.0 if a == b else 1 - len(a & b) / len(a | b)


def dice(a: frozenset[str], b: frozenset[str]) -> float:
    return 0.0 if a == b else 1 - 2 * len(a & b) / (len(a) + len(b))


def passonneau(a: frozenset[str], b: frozenset[str]) -> float:
    if a == b:
        return 0.0
    if a < b or b < a:
        return 1 / 3
    return 1.0 if a.isdisjoint(b) else 2 / 3


def masi(a: frozenset[str], b: frozenset[str]) -> float:
    """Artstein & Poesio 2008, 4.4.1: the product of two distances."""
    return passonneau(a, b) * jaccard(a, b)


def masi_nltk(a: frozenset[str], b: frozenset[str]) -> float:
    """Passonneau 2006: one minus the product of two similarities."""
    return 1 - (1 - passonneau(a, b)) * (1 - jaccard(a, b))


DISTANCES = {
    "nominal": nominal,
    "ordinal": krippendorff_ordinal,
    "interval": interval,
    "ratio": ratio,
    "circular": circular,
    "bipolar": bipolar,
}

WEIGHTS = {
    "identity": nominal,
    "linear": power(1),
    "quadratic": power(2),
    "radical": power(0.5),
    "ordinal": gwet_ordinal,
    "ratio": ratio,
    "circular": circular,
    "bipolar": bipolar,
    "power(1.5)": power(1.5),
}

SET_DISTANCES = {
    "jaccard": jaccard,
    "dice": dice,
    "passonneau": passonneau,
    "masi": masi,
    "masi_nltk": masi_nltk,
}
