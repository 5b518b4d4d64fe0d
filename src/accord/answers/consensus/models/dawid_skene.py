"""Dawid & Skene (1979): each annotator has a table of confusions; truth and tables are found together, by EM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run

_FLOOR = 1e-10  # of a probability, so that no label makes another impossible
_STEPS = 1000
_PURPOSE = 72  # of the random numbers
_SETTLED = 1e-9  # of the log-likelihood per label


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
        """Where the entries of each item begin, and what each is: annotator × labels + label."""
        order = np.argsort(self.item, kind="stable")
        many = np.bincount(self.item, minlength=self.items)
        given = (self.annotator * self.labels + self.label).astype(np.int64)[order]
        return np.concatenate([[0], np.cumsum(many)]).astype(np.int64), given


@dataclass(frozen=True, eq=False)
class Believed:
    """What a model believes: the labels of each item, and how far each annotator is right."""

    posterior: Floats  # items × labels
    accuracy: Floats  # of each annotator
    confusion: Floats | None = None  # annotators × true label × given label
    steps: int = 0
    settled: bool = True


def dawid_skene(
    data: Labelled, run: Run | None = None, times: Floats | None = None, begin: Floats | None = None
) -> Believed:
    """Begins with the shares of the votes, and goes on until nothing changes. `times`: how often each item counts."""
    from accord.answers.consensus.models.kernels import add_rows, believe

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


def accuracies(data: Labelled, found: Believed, run: Run, replicates: int = 200) -> Floats:
    """Accuracies, replicates × annotators, with items drawn again: what truth and tables leave open.

    NaN where no item of an annotator was drawn: nothing is known of them then.
    """
    rng, made = run.rng(_PURPOSE), np.empty((replicates, data.annotators))
    for k in range(replicates):
        run.progress("Dawid–Skene, drawn again", k, replicates)
        times = rng.multinomial(data.items, np.full(data.items, 1 / data.items)).astype(np.float64)
        drawn = np.bincount(data.annotator, weights=times[data.item], minlength=data.annotators) > 0
        made[k] = np.where(drawn, dawid_skene(data, times=times, begin=found.posterior).accuracy, np.nan)
    run.progress("Dawid–Skene, drawn again", replicates, replicates)
    return made


def votes(data: Labelled) -> Floats:
    """The share of each label among those of an item."""
    counts = np.bincount(data.item.astype(np.int64) * data.labels + data.label, minlength=data.items * data.labels)
    table = counts.reshape(data.items, data.labels).astype(np.float64)
    sums = table.sum(axis=1, keepdims=True)
    return np.divide(table, sums, out=np.full_like(table, 1 / data.labels), where=sums > 0)
