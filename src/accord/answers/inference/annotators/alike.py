"""Who is suspiciously alike: pairs that agree more than two people do who err on their own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from accord.answers.inference.annotators.answers import NONE, Answers
from accord.core.arrays import Floats, Ints
from accord.core.probability import normal_below

MOST_PEOPLE = 2_000  # their pairs are two million
MOST_FOUND = 50
LEAST_ITEMS = 10  # that two have in common
ENOUGH_PAIRS = 10  # to say how far agreement strays from what accuracies suggest
_DENSE = 20_000_000  # numbers of a full matrix at a time


@dataclass(frozen=True)
class Alike:
    """Two who agree more than expected; `residual` in standard deviations."""

    pair: tuple[str, str]
    n: int
    agreement: float
    expected: float
    residual: float
    p: float  # one-sided, corrected (Holm) for all pairs


def alike(answers: Answers, level: float) -> tuple[list[Alike], int]:
    """The pairs that are far above, and how many were looked at.

    Expected is the agreement of two who err independently, by their confusions with the label that most of the others
    give. (The tables of Dawid and Skene will not do: they take two who copy for the most accurate.) Two who copy sway
    that label, and make others look alike who are not: so after each pair that is found, one of the two is left out,
    and all is counted again.
    """
    common, agreed = _met(answers)
    found: list[Alike] = []
    out: list[int] = []
    looked, least = 0, 0.0
    while len(found) < MOST_FOUND:
        kept = ~np.isin(np.arange(len(answers.annotators)), out)
        rest = answers.only(kept[answers.annotator]) if out else answers
        first, pairs = _farthest(rest, np.where(np.outer(kept, kept), common, 0.0), agreed)
        looked = looked or pairs
        if first is None or looked < ENOUGH_PAIRS:
            break
        (a, b), n, observed, expected, residual = first
        least = max(least, min(1.0, (looked - len(found)) * normal_below(-residual)))
        if least > 1 - level:
            break
        found.append(Alike((answers.annotators[a], answers.annotators[b]), n, observed, expected, residual, least))
        out.append(b)
    return found, looked


def _farthest(
    answers: Answers, common: Floats, agreed: Floats
) -> tuple[tuple[tuple[int, int], int, float, float, float] | None, int]:
    """The pair whose agreement is farthest above what is expected: who, items, agreement, expected, residual; of all.

    Hard items, or a scale, make all agree more, or less, than independent errors would: so residuals are held against
    the middle and the spread of all of them.
    """
    a, b = np.nonzero(np.triu(common >= LEAST_ITEMS, k=1))
    if not len(a):
        return None, 0
    confusion, prior = _confusions(answers)
    expected = np.zeros_like(common)
    for t in np.flatnonzero(prior).tolist():
        expected += prior[t] * (confusion[:, t] @ confusion[:, t].T)
    n, e = common[a, b], np.clip(expected[a, b], 0.0, 1.0)
    observed = agreed[a, b] / n
    above = observed - e
    variance = np.maximum(e * (1 - e), 1 / (4 * n)) / n  # never nothing: e is estimated, too
    middle = float(np.median(above))
    spread = (1.4826 * float(np.median(np.abs(above - middle)))) ** 2
    more = max(0.0, spread - float(np.median(variance)))
    residual = (above - middle) / np.sqrt(variance + more)
    k = int(residual.argmax())
    pair = int(a[k]), int(b[k])
    return (pair, int(n[k]), float(observed[k]), float(e[k] + middle), float(residual[k])), len(a)


def _confusions(answers: Answers) -> tuple[Floats, Floats]:
    """Tables of confusions with the label that most of the others give as the true one, and its shares."""
    q, people = len(answers.categories), len(answers.annotators)
    theirs = answers.others_label
    there = theirs != NONE
    cell = (answers.annotator[there] * q + theirs[there]) * q + answers.label[there]
    table = np.bincount(cell, minlength=people * q * q).reshape(people, q, q).astype(np.float64)
    sums = table.sum(axis=2, keepdims=True)
    prior = table.sum(axis=(0, 2))
    # Of a label that an annotator never met, nothing is known.
    made = np.divide(table, sums, out=np.full_like(table, 1 / q), where=sums > 0)
    return made, prior / max(float(prior.sum()), 1.0)


def _met(answers: Answers) -> tuple[Floats, Floats]:
    """Of every two annotators: the items that both labelled, and those on which their labels are the same."""
    q = len(answers.categories)
    return _shared(answers, answers.item), _shared(answers, answers.item * q + answers.label)


def _shared(answers: Answers, cell: Ints) -> Floats:
    """How many cells every two annotators share."""
    people = len(answers.annotators)
    used, column = np.unique(cell, return_inverse=True)
    met = float((np.bincount(column).astype(np.float64) ** 2).sum())
    # A product of full matrices goes through all cells, but two thousand times as fast.
    if len(used) * people**2 <= 2000 * met:
        total = np.zeros((people, people))
        step = max(1, _DENSE // people)
        order = np.argsort(column, kind="stable")
        bounds = np.searchsorted(column[order], np.arange(0, len(used) + step, step))
        for k, (low, high) in enumerate(pairwise(bounds.tolist())):
            full = np.zeros((people, min(step, len(used) - k * step)), dtype=np.float32)
            full[answers.annotator[order[low:high]], column[order[low:high]] - k * step] = 1.0
            total += full @ full.T
        return total
    from scipy.sparse import csr_matrix

    ones = np.ones(len(column), dtype=np.float32)
    table = csr_matrix((ones, (answers.annotator, column)), shape=(people, len(used)))
    return np.asarray((table @ table.T).toarray(), dtype=np.float64)
