"""Repetitions of labels: which items flip, under which settings, and how alike settings are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from accord.answers.inference.annotators.figures import wilson
from accord.answers.inference.comparison.groups import compare_groups
from accord.answers.inference.order import in_order
from accord.answers.inference.planning.results import Between, Flips, Setting, Unstable
from accord.core.arrays import Bools, Floats, Ints
from accord.core.errors import DataError, UnknownName
from accord.core.result import Score
from accord.core.tables import Interval
from accord.data.model.ratings import Ratings
from accord.data.model.repeats import WHAT, WHO
from accord.measures.base import Measure

_MOST_SETTINGS = 100


def flips(ratings: Ratings, level: float, what: Sequence[str]) -> Flips:
    """Of rows that are the repetitions of an item by an annotator; `what`: the item of each row."""
    many, distinct, differ = _rows(ratings)
    again = many > 1
    if not again.any():
        return Flips(0, 0, None, float("nan"), float("nan"))
    flipped = distinct[again] > 1
    interval = _interval(flipped, np.array(what, dtype=object)[again].tolist(), level)
    return Flips(len(flipped), int(flipped.sum()), interval, float(differ[again].mean()), float(many[again].mean()))


def _interval(flipped: Bools, what: Sequence[str], level: float) -> Interval | None:
    """Wilson's, of as many independent rows as have the error that items have, which are drawn with all their rows.

    Where all rows are alike, nothing tells how alike those of one item are: each item counts once.
    """
    n, share = len(flipped), float(flipped.mean())
    number = {name: k for k, name in enumerate(dict.fromkeys(what))}
    items = len(number)
    if items == n:
        return wilson(float(flipped.sum()), n, level)
    worth: float = items
    if 0 < share < 1 and items > 1:
        off = np.bincount([number[name] for name in what], weights=flipped - share)
        variance = float((off**2).sum()) * items / (items - 1) / n**2
        worth = min(n, share * (1 - share) / variance) if variance > 0 else n
    found = wilson(share * worth, worth, level)
    return found and replace(found, method="wilson, clustered by item")


def _rows(ratings: Ratings) -> tuple[Ints, Ints, Floats]:
    """Of each row: how many labels, how many different ones, and the share of its pairs that differ."""
    rows, q = len(ratings.items), len(ratings.categories)
    key, count = np.unique(ratings.item * np.int64(q) + ratings.label, return_counts=True)
    row = key // q
    many = np.bincount(ratings.item, minlength=rows)
    same = np.bincount(row, weights=count * (count - 1.0), minlength=rows)
    pairs = many * (many - 1.0)
    differ = 1 - np.divide(same, pairs, out=np.ones(rows), where=pairs > 0)
    return many, np.bincount(row, minlength=rows), differ


def _what(trials: Ratings) -> list[str]:
    """Of each row the item that is repeated."""
    what, code = trials.features[WHAT], np.zeros(len(trials.items), dtype=np.int64)
    code[trials.item] = what.codes
    return [what.names[k] for k in code.tolist()]


@dataclass(frozen=True, eq=False)
class Settings:
    """Repetitions, and under which values of the columns each was made."""

    ratings: Ratings  # a row per item and annotator
    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]  # of each setting, in order
    code: Ints  # of each entry: its setting

    @classmethod
    def of(cls, ratings: Ratings, columns: Sequence[str]) -> Settings:
        for name in columns:
            if name not in ratings.features:
                raise UnknownName("column", name, [n for n in ratings.features if n not in {WHAT, WHO}])
        given = list(zip(*([ratings.features[c].name(e) for e in range(len(ratings))] for c in columns), strict=True))
        rank: list[dict[str, int]] = []
        for k in range(len(columns)):
            names = list(dict.fromkeys(one[k] for one in given))
            rank.append({names[at]: place for place, at in enumerate(in_order(names)[0])})
        values = sorted(set(given), key=lambda one: [rank[k][value] for k, value in enumerate(one)])
        if len(values) > _MOST_SETTINGS:
            raise DataError(f"{len(values):,} settings by {', '.join(columns)}: more than {_MOST_SETTINGS}")
        place = {one: k for k, one in enumerate(values)}
        return cls(ratings, tuple(columns), tuple(values), np.array([place[one] for one in given], dtype=np.int64))

    def part(self, setting: int) -> Ratings:
        return self.ratings.keep(self.code == setting).only_items()

    def each(self, score: Callable[[Ratings], Score], level: float) -> tuple[Setting, ...]:
        parts = map(self.part, range(len(self.values)))
        return tuple(
            Setting(values, flips(part, level, _what(part)), score(part))
            for values, part in zip(self.values, parts, strict=True)
        )

    def between(self, chosen: Measure, level: float, seed: int) -> tuple[tuple[Between, ...], str]:
        """Settings against each other; and why there is no agreement, where there is none."""
        if len(self.values) < 2:
            return (), ""
        names = [" · ".join(one) for one in self.values]
        order = np.lexsort((np.arange(len(self.code)), self.code, self.ratings.item))
        key = (self.ratings.item * np.int64(len(names)) + self.code)[order]
        rank = np.empty(len(key), dtype=np.int64)
        rank[order] = np.arange(len(key)) - np.searchsorted(key, key, side="left")
        seats = sorted({*zip(self.code.tolist(), rank.tolist(), strict=True)})
        seat = {one: k for k, one in enumerate(seats)}
        annotator = np.array([seat[one] for one in zip(self.code.tolist(), rank.tolist(), strict=True)], dtype=np.int32)
        people = tuple(f"{names[s]} #{k + 1}" for s, k in seats)
        data = replace(self.ratings, annotator=annotator, annotators=people, features={}, places=None)
        groups = {name: [people[k] for k, (s, _) in enumerate(seats) if s == at] for at, name in enumerate(names)}
        reason, found = "", {}
        try:
            found = dict(compare_groups(data, groups, chosen, level=level, seed=seed).between)
        except DataError as error:
            reason = str(error)
        made = []
        for a, b in combinations(range(len(names)), 2):
            n, differ = self._differ(a, b)
            made.append(Between(self.values[a], self.values[b], n, differ, found.get(f"{names[a]} – {names[b]}")))
        return tuple(made), reason

    def _differ(self, a: int, b: int) -> tuple[int, float]:
        """On how many rows both have labels, and the share of pairs, one of each, that differ there."""
        rows, q = len(self.ratings.items), len(self.ratings.categories)
        counts = []
        for setting in (a, b):
            mine = self.code == setting
            keys = self.ratings.item[mine] * np.int64(q) + self.ratings.label[mine]
            counts.append(np.unique(keys, return_counts=True))
        size = [np.bincount(keys // q, weights=times, minlength=rows) for keys, times in counts]
        common, first, second = np.intersect1d(counts[0][0], counts[1][0], return_indices=True)
        same = np.bincount(common // q, weights=counts[0][1][first] * counts[1][1][second], minlength=rows)
        both = (size[0] > 0) & (size[1] > 0)
        if not both.any():
            return 0, float("nan")
        return int(both.sum()), float((1 - same[both] / (size[0] * size[1])[both]).mean())


def unstable(ratings: Ratings, settings: Settings | None) -> tuple[Unstable, ...]:
    """Rows whose repetitions differ, those with most pairs that do first: within settings, where there are some."""
    parts = [ratings] if settings is None else [settings.part(k) for k in range(len(settings.values))]
    flipped: Counter[str] = Counter()
    differ: dict[str, list[float]] = {}
    for part in parts:
        many, distinct, shares = _rows(part)
        for row in np.flatnonzero(many > 1).tolist():
            flipped[part.items[row]] += int(distinct[row] > 1)
            differ.setdefault(part.items[row], []).append(float(shares[row]))
    labels: dict[str, Counter[str]] = {}
    whose: dict[str, tuple[str, str]] = {}
    names, what, who = ratings.categories.names, ratings.features.get(WHAT), ratings.features.get(WHO)
    for entry, (row, label) in enumerate(zip(ratings.item.tolist(), ratings.label.tolist(), strict=True)):
        name = ratings.items[row]
        labels.setdefault(name, Counter())[names[label]] += 1
        whose[name] = (what.name(entry), who.name(entry)) if what and who else (name, "")
    found = [
        Unstable(*whose[name], flipped[name], float(np.mean(shares)), dict(labels[name].most_common()))
        for name, shares in differ.items()
        if flipped[name]
    ]
    return tuple(sorted(found, key=lambda one: -one.differ))
