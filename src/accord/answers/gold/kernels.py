"""The sums of the models over all labels, as machine code."""

from __future__ import annotations

import math

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.compiled import compiled

_PRODUCTS = 16  # of probabilities of 1e-10 at least, before they are scaled
_LARGE = 1e100  # a product to be scaled


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
    """A step of Dawid & Skene: what each item is believed to be, added to the tables of the next step at once.

    Entries stand item by item: those of item i from begin[i] on. Products, for logarithms would take most of the time;
    now and then they are scaled, so that none of them vanishes. Gives the logarithm of the likelihood.
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
    """A step of MACE: what each item is believed to be, and of each given label how often it is the true one.

    A label speaks for itself alone: `ratio` is how much more probable it is where it is the true one. Its rows are
    annotator × label, as those of `true`. Gives the logarithm of the likelihood, but for what is the same whatever is
    true.
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
