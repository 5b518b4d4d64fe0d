"""MACE (Hovy et al. 2013): an annotator either knows the label or makes one up, by habits of their own.

Variational Bayes with the priors of the paper; the best of several starts, drawn from the seed.
"""

from __future__ import annotations

import numpy as np

from accord.answers.consensus.models.dawid_skene import Believed, Labelled
from accord.core.arrays import Floats
from accord.core.context import Run

_PURPOSE = 71  # of the random numbers
_STARTS, _STEPS = 10, 50
_KNOWS = (0.5, 0.5)  # prior of making up and of knowing
_HABITS = 10.0  # prior of each label that is made up
NEAR_0 = 0.1  # probability of knowing, of somebody who hardly knows a label
_HARDLY_ANY = 0.05  # of the labels


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


def knows_nobody(found: Believed, data: Labelled) -> bool:
    """Whether nearly all labels are taken for made up. That need not be so where people agree: each label is taken to
    be as probable as any other before one looks, so that with many rare ones habits explain the frequent ones better.
    """
    given = np.bincount(data.annotator, minlength=data.annotators)
    return float(given[found.accuracy >= NEAR_0].sum()) < _HARDLY_ANY * len(data.annotator)


def _fitted(data: Labelled, rng: np.random.Generator) -> tuple[float, Believed]:
    from accord.answers.consensus.models.kernels import believe_known

    k, people = data.labels, data.annotators
    first, given = data.by_item
    label = given % k
    each = np.bincount(given, minlength=people * k).astype(np.float64)  # how often each annotator gives each label
    knows = 0.5 + 0.5 * rng.random(people)
    habits = rng.random((people, k)) + 0.5
    habits /= habits.sum(axis=1, keepdims=True)
    posterior, likelihood = np.empty((data.items, k)), -np.inf
    for _ in range(_STEPS):
        made_up = ((1 - knows)[:, None] * habits).reshape(-1)  # never 0: priors see to that
        either = made_up + np.repeat(knows, k)  # probability of a given label that is the true one
        true = np.zeros(people * k)
        believe = believe_known.for_work(2 * len(given) + posterior.size)
        likelihood = believe(first, given, label, either / made_up, posterior, true) + each @ np.log(made_up)
        knew = true * np.repeat(knows, k) / either
        made = (each - knew).reshape(people, k)
        known = knew.reshape(people, k).sum(axis=1)
        knows = _mean(np.stack([made.sum(axis=1) + _KNOWS[0], known + _KNOWS[1]], axis=1))[:, 1]
        habits = _mean(made + _HABITS)
    return likelihood, Believed(posterior, knows, steps=_STEPS)


def _mean(counts: Floats) -> Floats:
    """The geometric mean of a Dirichlet, as variational Bayes has it, made to sum to 1."""
    from scipy.special import digamma

    weights = np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True)))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
