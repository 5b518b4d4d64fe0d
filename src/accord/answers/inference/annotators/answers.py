"""Labels as columns, and the label that most of the others gave: what every annotator is held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from accord.answers.consensus.base import aligned
from accord.answers.consensus.models.dawid_skene import Labelled
from accord.core.arrays import Bools, Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.model.corpus import Corpus
from accord.data.model.ratings import Feature, Ratings

NONE = -1  # no label: most of the others are undecided


@dataclass(frozen=True, eq=False)
class Answers:
    """An entry for each label: of items, or of units, where every unitary alignment is an item."""

    item: Ints
    annotator: Ints
    label: Ints
    items: int
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    features: Mapping[str, Feature]

    @property
    def labelled(self) -> Labelled:
        return Labelled(
            self.item, self.annotator, self.label, self.items, len(self.annotators), len(self.categories)
        )  # fmt: skip

    def only(self, chosen: Bools) -> Answers:
        """Some entries alone."""
        at = np.flatnonzero(chosen)
        return replace(
            self, item=self.item[at], annotator=self.annotator[at], label=self.label[at], features={}
        )  # fmt: skip

    def per_annotator(self, chosen: Bools | None = None, weights: Floats | None = None) -> Floats:
        """How many entries each annotator has, or the sum of their weights."""
        who = self.annotator if chosen is None else self.annotator[chosen]
        parts = weights if weights is None or chosen is None else weights[chosen]
        return np.bincount(who, weights=parts, minlength=len(self.annotators)).astype(np.float64)

    @cached_property
    def sizes(self) -> Ints:
        """Labels of each item."""
        return np.bincount(self.item, minlength=self.items)

    @cached_property
    def others_label(self) -> Ints:
        """Of each entry the label that most of the item's other annotators gave; NONE where no label is first alone."""
        q = len(self.categories)
        key, inverse, count = np.unique(self.item * q + self.label, return_inverse=True, return_counts=True)
        of_item, code = np.divmod(key, q)
        most = np.zeros(self.items, dtype=np.int64)
        np.maximum.at(most, of_item, count)
        first = count == most[of_item]
        many_first = np.bincount(of_item[first], minlength=self.items)
        # The sum of the codes of the first labels: of one it is the code, of two the other one is what is left.
        codes = np.bincount(of_item[first], weights=code[first], minlength=self.items).astype(np.int64)
        second = np.zeros(self.items, dtype=np.int64)
        np.maximum.at(second, of_item[~first], count[~first])
        own = count[inverse]
        top, ties, below = most[self.item], many_first[self.item], second[self.item]
        apart = (own < top) & (ties == 1)
        beside = (own == top) & (ties == 2)
        stays = (own == top) & (ties == 1) & (own - 1 > below)
        found = np.full(len(self.item), NONE, dtype=np.int64)
        found[apart] = codes[self.item[apart]]
        found[beside] = codes[self.item[beside]] - self.label[beside]
        found[stays] = self.label[stays]
        return found


def of_items(data: Ratings) -> Answers:
    if not data.identified:
        raise DataError("counts do not say who gave which label: annotators cannot be told apart")
    item, who, label = (c.astype(np.int64) for c in (data.item, data.annotator, data.label))
    features, items = data.features, len(data.items)
    if data.times is not None:  # an item that occurs several times is as many items
        times = data.times[item]
        first = (np.cumsum(data.times) - data.times)[item]
        within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        item = np.repeat(first, times) + within
        who, label = np.repeat(who, times), np.repeat(label, times)
        features, items = {}, int(data.times.sum())
    return Answers(item, who, label, items, data.annotators, data.categories.names, features)


@dataclass(frozen=True, eq=False)
class Marking:
    """Units of each annotator and of the others, counted: what an annotator has that most of the others have."""

    mine: Floats  # units on which the others are decided
    shared: Floats  # of them, those that most of the others have
    theirs: Floats  # units that most of the others have, where the annotator looked
    undecided: int  # times that just half of the others have a unit


def of_units(data: Corpus, run: Run) -> tuple[Answers, Marking]:
    """By the best alignment: a unitary alignment is an item, and the labels of its units are what was answered."""
    compared: Any = aligned(data, None, run)
    corpus, found = compared.corpus, compared.alignment
    unit = compared.source.unit[found.members_unit]
    group, who = found.members_group.astype(np.int64), corpus.annotator[unit].astype(np.int64)
    judged = corpus.judged[compared.docs]
    marking = _marking(group, who, found.size, found.continuum, judged)
    named = corpus.label[unit] >= 0
    features = {name: Feature(f.codes[unit][named], f.names) for name, f in corpus.features.items()}
    answers = Answers(
        group[named],
        who[named],
        corpus.label[unit][named].astype(np.int64),
        len(found.disorder),
        corpus.annotators,
        corpus.categories.names,
        features,
    )
    return answers, marking


def _marking(group: Ints, who: Ints, size: Ints, continuum: Ints, judged: Bools) -> Marking:
    """Most of the others: more than half of them; where it is half, they are undecided and it does not count.

    Counted for all annotators of a document as if none of them had the unit, and put right for those who have it: a
    table of unitary alignments × annotators would be too large.
    """
    docs, people = judged.shape
    others = judged.sum(axis=1)[continuum] - 1

    def where_looked(holds: Bools) -> Floats:
        return np.bincount(continuum[holds], minlength=docs).astype(np.float64) @ judged

    def of_members(holds: Bools) -> Floats:
        return np.bincount(who[holds], minlength=people).astype(np.float64)

    without, with_one = 2 * size - others, (2 * size - 2 - others)[group]
    theirs = where_looked(without > 0) - of_members((without > 0)[group]) + of_members(with_one > 0)
    undecided = where_looked(without == 0) - of_members((without == 0)[group]) + of_members(with_one == 0)
    return Marking(of_members(with_one != 0), of_members(with_one > 0), theirs, int(undecided.sum()))
