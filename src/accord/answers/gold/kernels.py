"""Compiled loops of the models over all labels."""

from __future__ import annotations

import math

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.compiled import compiled

_PRODUCTS = 16  # of probabilities of at least 1e-10, before scaling
_LARGE = 1e100  # products above are scaled


@compiled
def add_rows(target: Floats, at: Ints, source: Floats, row: Ints) -> None:
    """target[at[e]] += source[row[e]] for every entry e."""
    width = target.shape[1]
    for e in range(len(at)):
        for k in range(width):
            target[at[e], k] += source[row[e], k]


@compiled
def believe(begin: Ints, given: Ints, table: Floats, prior: Floats, often: Floats, posterior: Floats, counts: Floats,
            total: Floats) -> float:  # fmt: skip
    """One step of Dawid & Skene: posteriors of the items, added to the tables of the next step.

    Entries are sorted by item: those of item i begin at begin[i]. The loop multiplies probabilities because logarithms
    would take most of the time, and scales the products so that they do not underflow. Returns the log-likelihood.
    """
    width, likelihood, belief = table.shape[1], 0.0, np.empty(table.shape[1])
    for i in range(len(begin) - 1):
        belief[:] = prior
        scaled = 0.0
        for e in range(begin[i], begin[i + 1]):
            row = table[given[e]]
            for k in range(width):
                belief[k] *= row[k]
            if (e - begin[i]) % _PRODUCTS == _PRODUCTS - 1:
                most = belief.max()
                belief /= most
                scaled += math.log(most)
        norm = 0.0
        for k in range(width):
            norm += belief[k]
        likelihood += often[i] * (math.log(norm) + scaled)
        for k in range(width):
            share = belief[k] / norm
            posterior[i, k] = share
            belief[k] = share * often[i]
            total[k] += belief[k]
        for e in range(begin[i], begin[i + 1]):
            row = counts[given[e]]
            for k in range(width):
                row[k] += belief[k]
    return likelihood


@compiled
def believe_known(begin: Ints, given: Ints, label: Ints, ratio: Floats, posterior: Floats, true: Floats) -> float:
    """One step of MACE: posteriors of the items, and the expected number of true labels for each given label.

    A given label is evidence for itself only: `ratio` is how much more probable it is if it is true. Its rows are
    annotator × label, like those of `true`. Returns the log-likelihood up to a constant.
    """
    width, likelihood, belief = posterior.shape[1], 0.0, np.empty(posterior.shape[1])
    for i in range(len(begin) - 1):
        belief[:] = 1.0 / width
        scaled = 0.0
        for e in range(begin[i], begin[i + 1]):
            belief[label[e]] *= ratio[given[e]]
            if belief[label[e]] > _LARGE:
                belief /= _LARGE
                scaled += math.log(_LARGE)
        norm = 0.0
        for k in range(width):
            norm += belief[k]
        likelihood += math.log(norm) + scaled
        for k in range(width):
            belief[k] /= norm
            posterior[i, k] = belief[k]
        for e in range(begin[i], begin[i + 1]):
            true[given[e]] += belief[label[e]]
    return likelihood
