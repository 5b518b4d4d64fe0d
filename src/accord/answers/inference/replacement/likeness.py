"""How like the other people an annotator is, item by item: what the test of a replacement counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.labels import as_number
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure

SCORES = ("accuracy", "neg_rmse", "jaccard", "gamma")


class Likeness(Protocol):
    """Of annotators to people."""

    @property
    def people(self) -> tuple[str, ...]: ...

    def against_others(self, person: str, model: str, least: int) -> tuple[Ints, Floats, Floats]:
        """On what both did and `least` people, too: which items, and how like the others model and person are."""
        ...


def likeness(data: Data, people: Sequence[str], models: Sequence[str], score: str | None, run: Run) -> Likeness:
    """By name, or as the data suggest: numbers by their distance, sets by what they share, units by γ's disorder."""
    if score is not None and score not in SCORES:
        raise UnknownName("score", score, SCORES)
    if isinstance(data, Corpus):
        if score not in {None, "gamma"}:
            raise SpecError(f"{score} is for labels of items; units are scored by gamma")
        return UnitLikeness.of(data, people, models, run)
    if not isinstance(data, Ratings):
        raise SpecError(f"people and models are compared on labels of items and on units, not on {data.kind.words}")
    return ItemLikeness.of(data, people, models, score or usual_score(data))


def usual_score(data: Data) -> str:
    if data.kind.name == "units":
        return "gamma"
    labels = next(iter(data.category_sets.values()))
    if any(isinstance(label, frozenset) for label in labels):
        return "jaccard"
    return "neg_rmse" if data.graded else "accuracy"


@dataclass(frozen=True, eq=False)
class ItemLikeness:
    """Labels by annotator and item. Sums over the people of an item give every score without pairs."""

    people: tuple[str, ...]
    labels: dict[str, Ints]  # of each annotator: a code for every item, -1 where there is none
    several: Ints  # people of each item
    score: str
    sums: tuple[Floats, Floats]  # of numbers and their squares, over people; empty for others
    numbers: Floats
    alike: Floats  # items × categories: how like a category the labels of its people are, summed
    between: Floats  # categories × categories

    @classmethod
    def of(cls, data: Ratings, people: Sequence[str], models: Sequence[str], score: str) -> ItemLikeness:
        n, q = len(data.items), len(data.categories)
        labels = {}
        for name in (*people, *models):
            mine = data.annotator == data.annotators.index(name)
            labels[name] = np.full(n, -1, dtype=np.int64)
            labels[name][data.item[mine]] = data.label[mine]
        counts = np.zeros((n, q))
        for name in people:
            there = labels[name] >= 0
            counts[there, labels[name][there]] += 1
        numbers = np.array([as_number(label) for label in data.categories], dtype=np.float64)
        if score == "neg_rmse":
            if not np.isfinite(numbers).all():
                raise DataError("neg_rmse is for numbers, and there are labels that are none: try accuracy")
            sums, between = (counts @ numbers, counts @ numbers**2), np.zeros((0, 0))
        else:
            sums, between = (np.zeros(0), np.zeros(0)), _between(data, score)
        alike = counts @ between if len(between) else np.zeros((0, 0))
        return cls(tuple(people), labels, counts.sum(axis=1).astype(np.int64), score, sums, numbers, alike, between)

    def against_others(self, person: str, model: str, least: int) -> tuple[Ints, Floats, Floats]:
        own, other = self.labels[person], self.labels[model]
        items = np.flatnonzero((own >= 0) & (other >= 0) & (self.several >= max(least, 2)))
        own, other = own[items], other[items]
        return items, self._score(items, other, own), self._score(items, own, own)

    def _score(self, items: Ints, given: Ints, person: Ints) -> Floats:
        """Of the labels `given`, against those of the people of the items but the person, whose labels are known."""
        others = self.several[items] - 1
        if self.score != "neg_rmse":
            return np.asarray((self.alike[items, given] - self.between[given, person]) / others)
        x, out = self.numbers[given], self.numbers[person]
        first, second = self.sums[0][items] - out, self.sums[1][items] - out**2
        return np.asarray(-np.sqrt(np.maximum(others * x**2 - 2 * x * first + second, 0.0) / others))


def _between(data: Ratings, score: str) -> Floats:
    """How like each other categories are: the same or not, or what sets share."""
    labels = list(data.categories)
    if score == "accuracy":
        return np.eye(len(labels))
    sets = [label if isinstance(label, frozenset) else frozenset([label]) for label in labels]
    return np.array([[len(a & b) / len(a | b) if a | b else 1.0 for b in sets] for a in sets], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class UnitLikeness:
    """Units: minus the disorder of the best alignment of two, document by document."""

    people: tuple[str, ...]
    disorder: dict[tuple[str, str], Floats]  # of two annotators; NaN where one of them did not look
    looked: dict[str, Floats]

    @classmethod
    def of(cls, data: Corpus, people: Sequence[str], models: Sequence[str], run: Run) -> UnitLikeness:
        names = (*people, *models)
        pairs = [(a, b) for k, a in enumerate(names) for b in people[k + 1 if a in people else 0 :]]
        found: dict[tuple[str, str], Floats] = {}
        for k, (a, b) in enumerate(pairs):
            run.progress("alignments of two", k, len(pairs))
            found[a, b] = found[b, a] = _pair_disorder(data, a, b, run)
        looked = {name: data.judged[:, data.annotators.index(name)].astype(np.float64) for name in names}
        return cls(tuple(people), found, looked)

    def against_others(self, person: str, model: str, least: int) -> tuple[Ints, Floats, Floats]:
        others = [name for name in self.people if name != person]
        several = np.sum([self.looked[name] for name in self.people], axis=0)
        there = (self.looked[person] > 0) & (self.looked[model] > 0) & (several >= max(least, 2))
        items = np.flatnonzero(there)
        return items, self._mean(model, others, items), self._mean(person, others, items)

    def _mean(self, name: str, others: Sequence[str], items: Ints) -> Floats:
        return -np.asarray(np.nanmean([self.disorder[name, other][items] for other in others], axis=0))


def _pair_disorder(data: Corpus, a: str, b: str, run: Run) -> Floats:
    """Of each document that both looked at; two who marked nothing agree wholly."""
    two = data.only_annotators([a, b])
    sides = [data.judged[:, data.annotators.index(name)] for name in (a, b)]
    disorder = np.where(sides[0] & sides[1], 0.0, np.nan)
    if not (two.comparable).any():
        return disorder
    compared = measure("gamma").compare(two, run)
    found = compared.alignment
    total = np.bincount(found.continuum, weights=found.disorder, minlength=len(compared.docs))
    units = np.bincount(compared.units.continuum, minlength=len(compared.docs)) / 2
    at = {name: k for k, name in enumerate(data.docs)}
    for name, value, many in zip(compared.names, total, units, strict=True):
        disorder[at[name]] = value / many if many else 0.0
    return disorder
