"""Test whether an annotator uses a category more or less often than the others on the same items.

If annotators are exchangeable, the m labels of an item could come from any of its annotators. Given that k of them are
category c, an annotator of the item gave c with probability k / m. The number of c from an annotator is then a sum of
independent trials with these probabilities, and its distribution is known exactly. For two annotators this is the exact
test of McNemar. p is corrected for all annotators and categories (Bonferroni).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from accord.core.arrays import Floats
from accord.core.probability import normal_below

_EXACT = 1_000  # trials up to which the distribution is computed exactly


@dataclass(frozen=True)
class Leaning:
    """An annotator's use of a category on items that are also labelled by others."""

    annotator: str
    category: str
    own: float  # share of the annotator's labels
    others: float  # mean share among the other labels of the same items
    p: float  # two-sided, corrected for all annotators and categories


def strongest_leaning(rows: Iterable[Mapping[str, str]]) -> Leaning | None:
    """Return the leaning with the smallest p; None if no item has different labels. Rows are labels by annotator."""
    chances: dict[tuple[str, str], list[float]] = {}
    given: Counter[tuple[str, str]] = Counter()
    informative: Counter[tuple[str, str]] = Counter()  # category given where the others differ
    others: dict[tuple[str, str], float] = {}
    labelled: Counter[str] = Counter()
    for row in rows:
        if len(row) < 2:
            continue
        counts = Counter(row.values())
        labelled.update(list(row))
        for annotator, label in row.items():
            given[annotator, label] += 1
            for category, k in counts.items():
                key = annotator, category
                others[key] = others.get(key, 0.0) + (k - (label == category)) / (len(row) - 1)
                if k < len(row):
                    chances.setdefault(key, []).append(k / len(row))
                    informative[key] += label == category
    if not chances:
        return None
    categories = {category for _, category in chances}
    # With two categories, the test of one is that of the other; with two annotators likewise.
    tests = max(len(labelled) - (len(labelled) == 2), 1) * max(len(categories) - (len(categories) == 2), 1)
    p, key = min((two_sided(informative[key], some), key) for key, some in chances.items())
    n = labelled[key[0]]
    return Leaning(*key, given[key] / n, others[key] / n, min(1.0, tests * p))


def two_sided(successes: int, chances: Sequence[float]) -> float:
    """Return twice the smaller tail of a sum of independent trials with these chances, at most 1."""
    p = np.asarray(chances, dtype=np.float64)
    if len(p) > _EXACT:
        z = (abs(successes - p.sum()) - 0.5) / math.sqrt(float((p * (1 - p)).sum()))
        return min(1.0, 2 * normal_below(-max(z, 0.0)))
    mass: Floats = np.ones(1)
    for chance in p:
        mass = np.append(mass * (1 - chance), 0.0) + np.append(0.0, mass * chance)
    return min(1.0, 2 * min(float(mass[: successes + 1].sum()), float(mass[successes:].sum())))
