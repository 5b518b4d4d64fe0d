"""How an annotator differs from the others: by using the categories in different shares, or item by item.

On items, the mean distance D between an annotator's labels and those of the others on the same items has a part that
no arrangement of labels could avoid, given the shares of both: the least cost of moving one set of shares into the
other. For the nominal distance that is ½ Σ |p_k − q_k|, the quantity disagreement of Pontius & Millones 2011. What
is left are disagreements item by item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord.core.arrays import Floats
from accord.core.errors import AccordError
from accord.data.model.data import Data, Marked
from accord.data.model.ratings import Ratings
from accord.measures.distances.spaces import sums_by

_MANY_MORE, _OTHER_SHARES = 1.25, 0.1


@dataclass(frozen=True)
class Habit:
    """On items, `shares` + `items` is the mean distance to the others; on units `shares` is the shift of the labels."""

    shares: float  # what the shares of the categories alone make
    items: float | None  # what is left: item by item; None for units
    amount: float | None = None  # units marked, per unit that the others mark on average
    verdict: str = ""


def habits(data: Data, distances: Floats | None, annotators: Sequence[str]) -> dict[str, Habit]:
    """Of each annotator; empty where it cannot be said. `distances` are those between any two labels of items."""
    marked = data.marked()
    if marked is not None:
        return _on_units(marked, data.annotators, annotators)
    return {} if distances is None or not isinstance(data, Ratings) else _on_items(data, distances, annotators)


def _on_items(ratings: Ratings, distance: Floats, annotators: Sequence[str]) -> dict[str, Habit]:
    q = len(ratings.categories)
    where = np.bincount(ratings.item.astype(np.int64) * q + ratings.label, minlength=len(ratings.items) * q)
    counts = where.reshape(-1, q).astype(np.float64)
    found: dict[str, Habit] = {}
    codes = {name: code for code, name in enumerate(ratings.annotators)}
    for name in annotators:
        mine = ratings.annotator == codes[name]
        item, label = ratings.item[mine], ratings.label[mine]
        others = counts[item]
        others[np.arange(len(item)), label] -= 1
        size = others.sum(axis=1)
        met = size > 0
        if not met.any():
            continue
        share = others[met] * (ratings.weight[item[met]] / size[met])[:, None]
        table = np.stack([share[label[met] == c].sum(axis=0) for c in range(q)])
        table /= table.sum()
        least = least_cost(table.sum(axis=1), table.sum(axis=0), distance)
        found[name] = Habit(least, max(0.0, float((table * distance).sum()) - least))
    many = len(found)
    shares, items = (sum(getattr(habit, of) or 0.0 for habit in found.values()) for of in ("shares", "items"))
    return {
        name: replace(habit, verdict=_verdict_on_items(habit, shares / many, items / many) if many > 1 else "")
        for name, habit in found.items()
    }


def _verdict_on_items(mine: Habit, mean_shares: float, mean_items: float) -> str:
    """By what an annotator has more of than the others: above the mean of the others is above that of all."""
    shares, items = mine.shares - mean_shares, (mine.items or 0.0) - mean_items
    if max(shares, items) <= 0:
        return ""
    return "uses the categories in different shares" if shares > items else "disagrees item by item"


def least_cost(first: Floats, second: Floats, distance: Floats) -> float:
    """The least mean distance of two labels with these shares: a transport problem."""
    q = len(first)
    if np.array_equal(distance, 1.0 - np.eye(q)):
        return float(np.abs(first - second).sum() / 2)
    corner = distance[:-1, :-1] + distance[1:, 1:] - distance[:-1, 1:] - distance[1:, :-1]
    if (corner <= 1e-12).all():  # along a scale, in order is best
        cuts = np.unique(np.concatenate([np.cumsum(first), np.cumsum(second), [0.0, 1.0]]).round(12))
        middle = (cuts[:-1] + cuts[1:]) / 2
        i = np.minimum(np.searchsorted(np.cumsum(first), middle), q - 1)
        j = np.minimum(np.searchsorted(np.cumsum(second), middle), q - 1)
        return float(np.diff(cuts) @ distance[i, j])
    from scipy.optimize import linprog

    ones = np.ones((1, q))
    both = np.vstack([np.kron(np.eye(q), ones), np.kron(ones, np.eye(q))])
    shares = np.concatenate([first, second])[:-1]  # the last follows from the others, but for rounding
    found = linprog(distance.ravel(), A_eq=both[:-1], b_eq=shares, method="highs")
    if found.fun is None:
        raise AccordError(f"the distance of the shares of labels could not be computed: {found.message}")
    return float(found.fun)


def _on_units(data: Marked, everybody: Sequence[str], annotators: Sequence[str]) -> dict[str, Habit]:
    """How much an annotator marks, and with which labels, against the others in the same documents."""
    who, doc, looked, q = data.annotator, data.doc, data.looked, data.labels
    code = np.where(data.label >= 0, data.label, q)
    number, all_of_them = {name: g for g, name in enumerate(everybody)}, looked.sum(axis=1)
    found = {}
    for name in annotators:
        g = number[name]
        others = all_of_them - looked[:, g]
        met = (looked[:, g] & (others > 0))[doc]
        own, theirs = met & (who == g), met & (who != g)
        mine: Floats = np.bincount(code[own], minlength=q + 1).astype(np.float64)
        rest = sums_by(code[theirs], 1.0 / others[doc[theirs]], q + 1)
        shift = np.abs(_share(mine) - _share(rest)).sum() / 2
        found[name] = Habit(float(shift), None, float(mine.sum() / rest.sum()) if rest.sum() else None)
    return {name: replace(habit, verdict=_verdict_on_units(habit)) for name, habit in found.items()}


def _verdict_on_units(habit: Habit) -> str:
    if habit.amount is not None and not 1 / _MANY_MORE < habit.amount < _MANY_MORE:
        more = "more" if habit.amount > 1 else "less"
        return f"marks {abs(habit.amount - 1):.0%} {more} than the others"
    if habit.shares > _OTHER_SHARES:
        return "uses the categories in different shares"
    return "disagrees place by place"


def _share(counts: Floats) -> Floats:
    total = counts.sum()
    return counts / total if total else counts
