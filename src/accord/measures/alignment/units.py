"""Units as columns, in one canonical order: what alignment works on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.core.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Units:
    """Units of many continua at once. `annotators[c]` is n of continuum c, also where one of them marked nothing."""

    continuum: Ints
    annotator: Ints
    start: Floats
    end: Floats
    label: Ints  # -1: no label
    annotators: Ints

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def length(self) -> Floats:
        return self.end - self.start

    @cached_property
    def canonical(self) -> Ints:
        """The order that does not depend on the order of the input: ties are broken the same way every time."""
        order: Ints = np.lexsort((self.label, self.end, self.start, self.annotator, self.continuum))
        return order

    def at(self, index: Ints) -> Units:
        return Units(
            self.continuum[index],
            self.annotator[index],
            self.start[index],
            self.end[index],
            self.label[index],
            self.annotators,
        )

    @cached_property
    def counts(self) -> Ints:
        """How many units each continuum has."""
        return np.bincount(self.continuum, minlength=len(self.annotators))

    @cached_property
    def per_annotator(self) -> Floats:
        """x̄ of each continuum: the mean number of units per annotator."""
        mean: Floats = self.counts / np.maximum(self.annotators, 1)
        return mean

    @cached_property
    def rank(self) -> Ints:
        """Of units in canonical order: which annotator with units in its continuum marked it, from 0."""
        new = np.diff(self.continuum, prepend=-1) != 0
        other = new | (np.diff(self.annotator, prepend=-1) != 0)
        so_far = np.cumsum(other) - 1
        return so_far - np.repeat(so_far[new], self.counts[self.counts > 0])

    @cached_property
    def present(self) -> Ints:
        """Of units in canonical order: how many annotators of each continuum marked anything."""
        last = np.cumsum(self.counts) - 1
        marked = self.counts > 0
        present = np.zeros(len(self.annotators), dtype=np.int64)
        present[marked] = self.rank[last[marked]] + 1
        return present

    @cached_property
    def all_pairs(self) -> Floats:
        """C = n(n−1)/2 of each continuum; 1 for one annotator, who has nobody to pair with."""
        n = self.annotators.astype(np.float64)
        return np.maximum(n * (n - 1) / 2, 1.0)
