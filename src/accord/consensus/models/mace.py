"""MACE (Hovy et al. 2013): an annotator either knows the label or makes one up, by habits of their own.

Variational Bayes with the priors of the paper; the best of several starts, drawn from the seed.
"""

from __future__ import annotations

import numpy as np

from accord.arrays import Floats
from accord.consensus.models.dawid_skene import Believed, Labelled
from accord.context import Run

_PURPOSE = 71  # of the random numbers
_STARTS, _STEPS = 10, 50
_KNOWS = (0.5, 0.5)  # prior of making up and of knowing
_HABITS = 10.0  # prior of each label that is made up


def mace(data: Labelled, run: Run | None = None) -> Believed:
    run = run or Run()
    rng = run.rng(_PURPOSE)
    best: tuple[float, Believed] | None = None
    for start in range(_STARTS):
        run.progress("MACE", start, _STARTS)
        likelihood, found = _fitted(data, rng)
        if best is None or likelihood > best[0]:
            best = likelihood, found
    assert best is not None  # noqa: S101
    return best[1]


def _fitted(data: Labelled, rng: np.random.Generator) -> tuple[float, Believed]:
    from accord.consensus.models.kernels import add_rows

    k, people = data.labels, data.annotators
    given = (data.annotator * k + data.label).astype(np.int64)
    knows = 0.5 + 0.5 * rng.random(people)
    habits = rng.random((people, k)) + 0.5
    habits /= habits.sum(axis=1, keepdims=True)
    posterior, likelihood = np.full((data.items, k), 1 / k), -np.inf
    for _ in range(_STEPS):
        made_up = ((1 - knows)[:, None] * habits).reshape(-1)  # probability of each given label when it is made up
        # log of the probability of a given label under each true one: made up, or known where it is the true one
        table = np.tile(made_up[:, None], (1, k))
        table[np.arange(people * k), np.tile(np.arange(k), people)] += np.repeat(knows, k)
        belief = np.full((data.items, k), -np.log(k))
        add_rows(belief, data.item, np.log(np.maximum(table, 1e-300)), given)
        most = belief.max(axis=1, keepdims=True)
        belief = np.exp(belief - most)
        norm = belief.sum(axis=1, keepdims=True)
        posterior, likelihood = belief / norm, float((np.log(norm) + most).sum())
        true = posterior[data.item, data.label]
        knew = true * knows[data.annotator] / np.maximum(table[given, data.label], 1e-300)
        made = 1 - knew
        sums = np.bincount(data.annotator, weights=knew, minlength=people)
        lacks = np.bincount(data.annotator, weights=made, minlength=people)
        knows = _mean(np.stack([lacks + _KNOWS[0], sums + _KNOWS[1]], axis=1))[:, 1]
        habit = np.bincount(given, weights=made, minlength=people * k).reshape(people, k)
        habits = _mean(np.asarray(habit + _HABITS, dtype=np.float64))
    return likelihood, Believed(posterior, knows, steps=_STEPS)


def _mean(counts: Floats) -> Floats:
    """The geometric mean of a Dirichlet, as variational Bayes has it, made to sum to 1."""
    from scipy.special import digamma

    weights = np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True)))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
