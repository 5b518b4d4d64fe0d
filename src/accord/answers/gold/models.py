"""Models of annotators with different reliability: they estimate the true labels and the annotators together.

Dawid & Skene (1979) estimate a confusion table per annotator. MACE (Hovy et al. 2013) estimates the probability that an
annotator knows the label. For numbers, each annotator has a bias and a noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run

_FLOOR = 1e-10  # lower limit of probabilities, so that no label makes another impossible
_STEPS = 1000
_PURPOSE = 72  # of the random number stream
_SETTLED = 1e-9  # change of the log-likelihood per label at convergence


@dataclass(frozen=True, eq=False)
class Labelled:
    """Labels as three columns of codes."""

    item: Ints
    annotator: Ints
    label: Ints
    items: int
    annotators: int
    labels: int

    @cached_property
    def by_item(self) -> tuple[Ints, Ints]:
        """Return where the entries of each item begin, and the code of each: annotator × labels + label."""
        order = np.argsort(self.item, kind="stable")
        many = np.bincount(self.item, minlength=self.items)
        given = (self.annotator * self.labels + self.label).astype(np.int64)[order]
        return np.concatenate([[0], np.cumsum(many)]).astype(np.int64), given


@dataclass(frozen=True, eq=False)
class Believed:
    """A fitted model: label probabilities of each item, and the accuracy of each annotator."""

    posterior: Floats  # items × labels
    accuracy: Floats  # per annotator
    confusion: Floats | None = None  # annotators × true label × given label
    steps: int = 0
    settled: bool = True


def dawid_skene(
    data: Labelled, run: Run | None = None, times: Floats | None = None, begin: Floats | None = None
) -> Believed:
    """Fit by EM, starting from the vote shares. `times` is the weight of each item."""
    from accord.answers.gold.kernels import add_rows, believe

    run = run or Run()
    often = np.ones(data.items) if times is None else times
    k = data.labels
    first, given = data.by_item
    posterior = votes(data) if begin is None else begin.copy()
    weighed = posterior * often[:, None]
    counts, total = np.zeros((data.annotators * k, k)), weighed.sum(axis=0)
    add_rows.for_work(len(given) * k)(counts, given, weighed, np.repeat(np.arange(data.items), np.diff(first)))
    before, steps, settled = -np.inf, 0, False
    while steps < _STEPS and not settled:
        run.progress("Dawid–Skene", steps, _STEPS)
        steps += 1
        table = counts.reshape(data.annotators, k, k)  # annotator, given, true
        sums = table.sum(axis=1, keepdims=True)
        table = np.divide(table, sums, out=np.full_like(table, 1 / k), where=sums > 0)
        prior = total / max(total.sum(), 1e-300)
        floored = np.maximum(table, _FLOOR).reshape(-1, k)
        counts, total = np.zeros((data.annotators * k, k)), np.zeros(k)
        believe_more = believe.for_work(2 * len(given) * k)
        likelihood = believe_more(first, given, floored, np.maximum(prior, _FLOOR), often, posterior, counts, total)
        settled = abs(likelihood - before) <= _SETTLED * len(data.item)
        before = likelihood
    confusion = table.transpose(0, 2, 1)
    right = np.einsum("akk,k->a", confusion, prior)
    return Believed(posterior, np.asarray(right), confusion, steps, settled)


def accuracies(data: Labelled, fitted: Believed, run: Run, replicates: int = 200) -> Floats:
    """Bootstrap accuracies, replicates × annotators, by resampling items.

    NaN if a replicate contains no item of the annotator.
    """
    rng, drawn_accuracies = run.rng(_PURPOSE), np.empty((replicates, data.annotators))
    for k in range(replicates):
        run.progress("bootstrap of Dawid–Skene", k, replicates)
        times = rng.multinomial(data.items, np.full(data.items, 1 / data.items)).astype(np.float64)
        drawn = np.bincount(data.annotator, weights=times[data.item], minlength=data.annotators) > 0
        drawn_accuracies[k] = np.where(drawn, dawid_skene(data, times=times, begin=fitted.posterior).accuracy, np.nan)
    run.progress("bootstrap of Dawid–Skene", replicates, replicates)
    return drawn_accuracies


def votes(data: Labelled) -> Floats:
    """Return the share of each label among the labels of an item."""
    counts = np.bincount(data.item.astype(np.int64) * data.labels + data.label, minlength=data.items * data.labels)
    table = counts.reshape(data.items, data.labels).astype(np.float64)
    sums = table.sum(axis=1, keepdims=True)
    return np.divide(table, sums, out=np.full_like(table, 1 / data.labels), where=sums > 0)


# -- MACE: variational Bayes with the priors of the paper; the best of several random starts --


_MACE_PURPOSE = 71  # of the random number stream
_STARTS, _MACE_STEPS = 10, 50
_KNOWS = (0.5, 0.5)  # prior of guessing and of knowing
_HABITS = 10.0  # prior of each guessed label
NEAR_0 = 0.1  # competence below which an annotator hardly knows the labels
_HARDLY_ANY = 0.05  # share of the labels


def mace(data: Labelled, run: Run | None = None) -> Believed:
    run = run or Run()
    rng = run.rng(_MACE_PURPOSE)
    best: tuple[float, Believed] | None = None
    for start in range(_STARTS):
        run.progress("MACE", start, _STARTS)
        likelihood, fitted = _fitted(data, rng)
        if best is None or likelihood > best[0]:
            best = likelihood, fitted
    assert best is not None
    return best[1]


def knows_nobody(fitted: Believed, data: Labelled) -> bool:
    """Whether nearly all labels are treated as guesses.

    This may be wrong if annotators agree. MACE assumes equally probable labels, so with many rare labels guesses
    explain the frequent ones better.
    """
    given = np.bincount(data.annotator, minlength=data.annotators)
    return float(given[fitted.accuracy >= NEAR_0].sum()) < _HARDLY_ANY * len(data.annotator)


def _fitted(data: Labelled, rng: np.random.Generator) -> tuple[float, Believed]:
    from accord.answers.gold.kernels import believe_known

    k, people = data.labels, data.annotators
    first, given = data.by_item
    label = given % k
    each = np.bincount(given, minlength=people * k).astype(np.float64)  # how often each annotator gives each label
    knows = 0.5 + 0.5 * rng.random(people)
    habits = rng.random((people, k)) + 0.5
    habits /= habits.sum(axis=1, keepdims=True)
    posterior, likelihood = np.empty((data.items, k)), -np.inf
    for _ in range(_MACE_STEPS):
        made_up = ((1 - knows)[:, None] * habits).reshape(-1)  # positive because of the priors
        either = made_up + np.repeat(knows, k)  # probability of a given label if it is true
        true = np.zeros(people * k)
        believe = believe_known.for_work(2 * len(given) + posterior.size)
        likelihood = believe(first, given, label, either / made_up, posterior, true) + each @ np.log(made_up)
        knew = true * np.repeat(knows, k) / either
        invented = (each - knew).reshape(people, k)
        known = knew.reshape(people, k).sum(axis=1)
        knows = _mean(np.stack([invented.sum(axis=1) + _KNOWS[0], known + _KNOWS[1]], axis=1))[:, 1]
        habits = _mean(invented + _HABITS)
    return likelihood, Believed(posterior, knows, steps=_MACE_STEPS)


def _mean(counts: Floats) -> Floats:
    """Return the geometric mean of a Dirichlet distribution, as in variational Bayes, normalised."""
    from scipy.special import digamma

    weights = np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True)))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


# -- Numbers: each annotator has a bias and a noise; true values vary around a mean. Fitted by EM. --


_NUMBER_STEPS = 1000
_NUMBER_SETTLED = 1e-9


@dataclass(frozen=True, eq=False)
class Measured:
    """True values with their standard deviations, and the bias and noise of each annotator."""

    value: Floats
    sd: Floats
    bias: Floats
    noise: Floats  # standard deviation


def bias_and_noise(item: Ints, annotator: Ints, number: Floats, items: int, annotators: int) -> Measured:
    """Fit by EM. Biases sum to 0, weighted by labels, so annotators are right on average."""
    several = np.bincount(annotator, minlength=annotators).astype(np.float64)
    spread = max(float(number.var()), 1e-12)
    bias, noise = np.zeros(annotators), np.full(annotators, spread / 2)
    mean, variance = float(number.mean()), spread / 2
    value, error = np.full(items, mean), np.full(items, variance)
    for _ in range(_NUMBER_STEPS):
        weight = 1 / noise[annotator]
        precision = np.bincount(item, weights=weight, minlength=items) + 1 / variance
        value = (
            np.bincount(item, weights=weight * (number - bias[annotator]), minlength=items) + mean / variance
        ) / precision
        error = 1 / precision
        left = number - value[item]
        new_bias = np.divide(np.bincount(annotator, weights=left, minlength=annotators), several, where=several > 0,
                             out=np.zeros(annotators))  # fmt: skip
        new_bias -= float((new_bias * several).sum() / several.sum())
        squares = (left - new_bias[annotator]) ** 2 + error[item]
        noise_now = np.bincount(annotator, weights=squares, minlength=annotators) / np.maximum(several, 1)
        noise_now = np.maximum(noise_now, spread * 1e-6)
        mean, variance = float(value.mean()), max(float(((value - value.mean()) ** 2 + error).mean()), spread * 1e-6)
        change = float(np.abs(new_bias - bias).max() + np.abs(noise_now - noise).max() / spread)
        bias, noise = new_bias, noise_now
        if change < _NUMBER_SETTLED * np.sqrt(spread):
            break
    return Measured(value, np.sqrt(error), bias, np.sqrt(noise))
