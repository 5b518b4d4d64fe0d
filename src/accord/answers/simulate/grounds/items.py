"""The reference of ratings: one label for each item, and how common each category is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from accord.answers.simulate.grounds.columns import shares
from accord.core.arrays import Floats, Ints
from accord.data.model.labels import Categories
from accord.data.model.ratings import Ratings


@dataclass(frozen=True, eq=False)
class ItemGround:
    """What an annotator gives is a label for each item, -1 where it is missing."""

    label: Ints
    categories: Categories

    thing: ClassVar[str] = "label"
    way: ClassVar[str] = "labels"

    @classmethod
    def of(cls, ratings: Ratings) -> ItemGround:
        label = np.full(len(ratings.items), -1, dtype=np.int64)
        label[ratings.item] = ratings.label
        times = np.ones(len(label), dtype=np.int64) if ratings.times is None else ratings.times
        return cls(np.repeat(label, times), ratings.categories)

    @property
    def given(self) -> Ints:
        return self.label

    @cached_property
    def prevalence(self) -> Floats:
        """The share of each category among the labels of the reference."""
        return shares(self.label, len(self.categories))
