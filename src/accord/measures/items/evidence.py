"""Evidence for coefficients on items: distinct rows of labels, their frequencies, and the distances within them.

A coefficient is a formula over a table of labels. `ItemEvidence` is one table. `Tables` are many tables at once: one
per pair of annotators, per category, or per left-out annotator. Both provide the terms of the formulas (D_o, shares,
mean distances), so each coefficient is written once; see coefficients.py.

Notation as in Gwet: n items, r_i labels of item i, π_k shares, d distances between labels (d = 1 − w).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from accord.core.arrays import Bools, Floats, Ints
from accord.core.errors import SpecError
from accord.data.model.ratings import Numbered, Ratings, weighted_counts
from accord.measures.distances import Distance
from accord.measures.distances.spaces import Directed, Lines, Space, counts_by_row, mean_distance
from accord.measures.resampling import Sampled

_LARGEST = 10**8  # annotators × categories
_MOST_WAYS = 100  # assignments of annotators to labels; more make an interval slow and hardly change it


@dataclass(frozen=True, eq=False)
class RowDistances:
    """The space of distances between labels, and the mean distance within each row."""

    space: Space
    within: Floats


@dataclass(frozen=True, eq=False)
class Cells:
    """The categories of each row, with their frequencies."""

    row: Ints
    category: Ints
    often: Floats
    start: Ints  # first cell of each row


@dataclass(frozen=True, eq=False)
class ItemEvidence:
    """Distinct item rows, how often each occurs, and the mean distance within each."""

    source: Ratings  # the ratings as read, for breakdowns by item
    rows: Ratings  # the distinct rows of `source`
    times: Floats  # weight of each row; resampling changes it
    distance: Distance
    known: RowDistances | None = None  # distances of the same rows with other weights, if these do not change them
    of_two: bool = False  # distances may depend on which of two annotators gave a label

    @classmethod
    def of(cls, ratings: Ratings, distance: Distance, of_two: bool = False) -> ItemEvidence:
        """Return the evidence of these ratings. Measures with the same distance share it, so rows are compared once."""
        rows = ratings.compressed
        return ratings.memo.once(
            ("evidence", distance, of_two), lambda: cls(ratings, rows, rows.weight, distance, of_two=of_two)
        )

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the items; rows have names in `by_item`."""
        return self.source.items

    @cached_property
    def by_item(self) -> ItemEvidence:
        """Return the evidence with one row per item instead of one per distinct row, so that rows have names."""
        if self.rows is self.source:
            return self
        return replace(self, rows=self.source, times=self.source.weight, known=None)

    def weighted(self, times: Floats) -> ItemEvidence:
        """Return the same rows with other weights."""
        known = None if self.distance.depends_on_data else RowDistances(self.space, self.within)
        return replace(self, times=times, known=known)

    @property
    def usual_size(self) -> int:
        """Return the mean number of labels of items with at least two labels, rounded."""
        return max(2, round(float(self.paired @ self.sizes / self.paired.sum())))

    @property
    def in_order(self) -> Ints:
        """Return the rows in an order that does not depend on the input order."""
        return self.rows.in_order if self.rows is self.source else np.arange(len(self.times))

    def with_pairs(self, total: float, who_matters: bool) -> ItemEvidence:
        """Return the evidence with a row for each ordered pair of used categories; their total weight is `total` items.

        The labels of a pair alternate over the annotators with the most labels. The number of annotators is the usual
        number of labels of an item.
        """
        rows = self.rows
        used = np.flatnonzero(self.pairable_marginals)
        seats, turns = self._turns(who_matters)
        ways, size = seats.shape
        first, second = (np.tile(side.ravel(), ways) for side in np.meshgrid(used, used, indexing="ij"))
        n, new = len(self.times), len(first)
        each = new // ways
        label = np.where(np.repeat(turns, each, axis=0), first[:, None], second[:, None])
        who = np.repeat(seats, each, axis=0)
        more = replace(
            rows,
            item=np.concatenate([rows.item, np.repeat(np.arange(n, n + new), size).astype(rows.item.dtype)]),
            annotator=np.concatenate([rows.annotator, who.ravel().astype(rows.annotator.dtype)]),
            label=np.concatenate([rows.label, label.ravel().astype(rows.label.dtype)]),
            items=Numbered(n + new),
            times=None,
            many=None if rows.many is None else np.concatenate([rows.many, np.tile(self._in_turns, new)]),
            features={},
            places=None,
        )
        return ItemEvidence(
            more, more, np.concatenate([self.times, np.full(new, total / new)]), self.distance, of_two=self.of_two
        )

    def _turns(self, who_matters: bool) -> tuple[Ints, Bools]:
        """Return annotators for the added labels, and which of them give the first label; one row per assignment.

        If it matters who gives a label, all assignments are used, so that neither order nor names affect the result.
        If there are too many, one assignment is chosen by name.
        """
        rows, size = self.rows, self.usual_size
        if rows.many is not None:
            return np.zeros((1, 2), dtype=np.intp), np.array([[True, False]])
        given = rows.labels_per_annotator
        most = np.lexsort((rows.by_name, -given))[:size]
        one = most[None, :], np.arange(size)[None, :] % 2 == 0
        sure, tied = most[given[most] > given[most[-1]]], np.flatnonzero(given == given[most[-1]])
        among, half = size - len(sure), size // 2
        if not who_matters or math.comb(len(tied), among) * math.comb(size, half) > _MOST_WAYS:
            return one
        # Both orders of a pair occur, so with an even number the first annotator always has the first label.
        seconds = [way for way in combinations(range(size), half) if size % 2 or 0 not in way]
        ways = [(np.append(sure, some), way) for some in combinations(tied, among) for way in seconds]
        turns = np.array([[k not in way for k in range(size)] for _, way in ways])
        return np.array([who for who, _ in ways], dtype=np.intp), turns

    @property
    def _in_turns(self) -> Ints:
        """Return how many labels of an added item are the first and the second of its pair."""
        return np.array([self.usual_size - self.usual_size // 2, self.usual_size // 2], dtype=np.int64)

    def without(self, annotator: int) -> ItemEvidence:
        """Return the same rows without the labels of an annotator."""
        fewer = self.rows.keep(self.rows.annotator != annotator)
        return replace(self, source=fewer, rows=fewer, known=None)

    @property
    def sizes(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        return self.rows.sizes

    @cached_property
    def paired(self) -> Floats:
        """Return the weight of each row with at least two labels; 0 for other rows."""
        return np.where(self.sizes > 1, self.times, 0.0)

    @cached_property
    def paired_without(self) -> Floats:
        """Return the number of items with at least two labels after leaving out each annotator."""
        rows = self.rows
        alone = np.where(self.sizes == 2, self.times, 0.0)[rows.item]
        return self.paired.sum() - np.bincount(rows.annotator, weights=alone, minlength=len(rows.annotators))

    @cached_property
    def labelled(self) -> Floats:
        """Return the weight of each row with at least one label; 0 for other rows."""
        return np.where(self.sizes > 0, self.times, 0.0)

    @property
    def q(self) -> int:
        return len(self.rows.categories)

    @cached_property
    def pairable_marginals(self) -> Floats:
        return self.rows.summed(self.rows.label, self.paired, self.q)

    @cached_property
    def given(self) -> Floats:
        """Return how often each category is used on any item."""
        return self.rows.summed(self.rows.label, self.labelled, self.q)

    @cached_property
    def space(self) -> Space:
        if self.known is not None:
            return self.known.space
        make = self.distance.space_of_two if self.of_two else self.distance.space
        return make(self.rows.categories, self.pairable_marginals)

    @cached_property
    def within(self) -> Floats:
        """Return the mean distance between two labels of each row."""
        if self.known is not None:
            return self.known.within
        return self.within_rows(self.rows)

    def within_rows(self, rows: Ratings) -> Floats:
        """Return the mean distance between two labels of each of these rows."""
        item, label = rows.item, rows.label
        if isinstance(self.space, Directed):
            order = np.argsort(rows.annotator, kind="stable")
            item, label = item[order], label[order]
        return self.space.within(item, label, rows.sizes, rows.many)

    @cached_property
    def shares(self) -> Floats:
        """Return π_k: the mean over items of r_ik/r_i, which differs from the pooled share if r_i varies."""
        each = self.labelled / np.maximum(self.sizes, 1)
        return self.rows.summed(self.rows.label, each, self.q) / self.labelled.sum()

    # -- terms of the formulas, as in `Tables` ----------------------------------------------------------------------

    @property
    def over_items(self) -> float:
        """Return D_o with equal weights of items: the mean over items of the mean distance between two labels."""
        return float(self.paired @ self.within / self.paired.sum())

    @property
    def over_labels(self) -> float:
        """Return D_o with equal weights of labels, so that an item counts by its number of labels."""
        labels = self.paired * self.sizes
        return float(labels @ self.within / labels.sum())

    @property
    def n_labels(self) -> float:
        """Return the number of labels on compared items."""
        return float(self.pairable_marginals.sum())

    @property
    def pooled(self) -> Floats:
        """Return the shares of the labels on compared items."""
        return self.pairable_marginals / self.pairable_marginals.sum()

    def mean_distance(self, shares: Floats) -> float:
        """Return the mean distance of two draws from the shares."""
        return float(mean_distance(self.space, shares))

    def across_annotators(self) -> float:
        """Return the mean distance between draws from two annotators, over ordered pairs of annotators.

        NaN if the annotators are unknown.
        """
        if not self.rows.identified:
            return math.nan
        shares, _ = self.annotator_shares
        r = shares.shape[1]
        if isinstance(self.space, Directed):
            return float(shares[:, 0] @ self.space.to(shares[:, -1])) if r == 2 else math.nan
        return float(across(self.space, shares.sum(axis=1), (shares * self.space.to(shares)).sum(), r))

    # -- further counts ----------------------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> Cells:
        rows, q = self.rows, self.q
        found, which = np.unique(rows.item.astype(np.int64) * q + rows.label, return_inverse=True)
        often = np.bincount(which, weights=rows.many, minlength=len(found)).astype(np.float64)
        return Cells(found // q, found % q, often, np.searchsorted(found, np.arange(len(self.times) + 1) * q))

    @cached_property
    def annotator_shares(self) -> tuple[Floats, Floats]:
        """Return p_gk, the shares of each annotator with labels (one column each), and their numbers of labels."""
        rows, q, r = self.rows, self.q, len(self.rows.annotators)
        if q * r > _LARGEST:
            raise SpecError(
                "too-large-to-compute",
                f"kappa needs a table of {q:,} categories × {r:,} annotators, which is too large; use pi or alpha",
            )
        cell = rows.label * np.int64(r) + rows.annotator
        counts = weighted_counts(cell, self.labelled, rows.item, q * r).reshape(q, r)
        given = counts.sum(axis=0)
        present = given > 0
        return counts[:, present] / given[present], given[present]

    def mean_over_labels(self, by_category: Floats) -> Floats:
        """Return, for each row, the mean over its labels of a number per category."""
        total = weighted_counts(self.rows.item, by_category, self.rows.label, len(self.sizes), self.rows.many)
        return total / np.maximum(self.sizes, 1)

    @cached_property
    def kinds(self) -> tuple[Ints, Ints]:
        """Return the kind of each item and the first item of each kind; items with the same labels are of one kind."""
        ratings = self.source
        if not ratings.identified or ratings.times is not None:
            every = np.arange(len(ratings.items))
            return every, every
        # Items with the same labels are adjacent in this order. Separated items would become different kinds.
        order = ratings.in_order
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        entry = np.lexsort((ratings.annotator, place[ratings.item]))
        said, owner = ratings.annotator[entry] * np.int64(self.q) + ratings.label[entry], place[ratings.item[entry]]
        sizes = ratings.sizes[order]
        alike = np.append(False, sizes[1:] == sizes[:-1])  # equal to the previous item
        both = np.flatnonzero(alike[owner])
        differs = said[both] != said[both - sizes[owner[both]]]
        alike[owner[both[differs]]] = False
        kind = np.empty_like(order)
        kind[order] = np.cumsum(~alike) - 1
        return kind, np.minimum.reduceat(order, np.flatnonzero(~alike))

    def distances(self) -> Floats:
        """Return the distances between all categories."""
        return self.space.to(np.eye(self.q))

    def confusion(self) -> Floats:
        """Return the confusion matrix of two annotators on their common items; rows are the first annotator."""
        q = self.q
        _, labels = self.rows.by_annotator
        both = (labels >= 0).all(axis=0)
        cells = np.bincount(labels[0, both] * q + labels[1, both], weights=self.times[both], minlength=q * q)
        return cells.reshape(q, q).astype(np.float64)

    def coincidences(self) -> Floats:
        """Return o_ck: all ordered pairs of labels of an item, weighted so that an item counts by its labels."""
        rows, q = self.rows, self.q
        weights = self.paired / np.maximum(self.sizes - 1, 1)
        total, at = np.zeros((q, q)), 0
        for counts in counts_by_row(rows.item, rows.label, self.sizes, q, rows.many):
            weight = weights[at : at + len(counts)]
            total += (counts * weight[:, None]).T @ counts - np.diag(weight @ counts)
            at += len(counts)
        return total

    def matrix(self) -> dict[str, Any]:
        """Return the confusion matrix of two annotators, or the coincidence matrix of more."""
        rows = self.rows
        categories = list(rows.categories.names)
        if rows.identified and rows.n_annotators == 2:
            first, second = (rows.annotators[g] for g in np.flatnonzero(rows.labels_per_annotator))
            counts = self.confusion().tolist()
            return {"kind": "confusion", "rows": first, "columns": second, "categories": categories, "counts": counts}
        return {"kind": "coincidence", "categories": categories, "counts": self.coincidences().tolist()}


def across(space: Space | Lines, total: Floats, own: Any, annotators: Any) -> Any:
    """Return the mean distance between draws from two different annotators.

    `total` is the sum of their shares; `own` is the sum of the mean distances of two draws from the same annotator.
    """
    return (mean_distance(space, total) - own) / (annotators * (annotators - 1))


@dataclass(frozen=True, eq=False)
class Tables:
    """Many tables of labels: a number or a column of categories per table, and common attributes."""

    n: Floats  # compared items
    over_items: Floats  # D_o with equal weights of items
    over_labels: Floats  # D_o with equal weights of labels
    n_labels: Floats | float  # labels on compared items
    pooled: Floats  # q × tables: shares of the labels on compared items
    shares: Floats  # q × tables: π_k
    given: Floats  # q × tables: above 0 if a category is used on any item
    space: Space | Lines
    across_annotators: Callable[[], Floats | float]

    @property
    def q(self) -> int:
        return len(self.shares)

    @cached_property
    def scale(self) -> Floats:
        found = np.broadcast_to(np.asarray(self.space.scale, dtype=np.float64), self.n.shape)
        return np.where(found > 0, found, 1.0)

    def mean_distance(self, shares: Floats) -> Floats:
        """Return the mean distance of two draws from the shares of each table."""
        return np.broadcast_to(mean_distance(self.space, shares), self.n.shape)

    def differ(self, drawn: Floats) -> Bools:
        """Return, for each table, whether the categories that chance draws from (above 0) differ."""
        used = np.atleast_2d(drawn.T).T > 0
        first, which = _distinct_columns(used)
        found = np.array([self.space.differ(np.flatnonzero(used[:, at])) for at in first], dtype=bool)
        return np.broadcast_to(found[which], self.n.shape)


def _distinct_columns(used: Bools) -> tuple[Ints, Ints]:
    """Return the first index of each distinct column, and the distinct column of each column; compared as bits."""
    bits = np.packbits(used, axis=0)
    words = np.zeros((used.shape[1], -(-len(bits) // 8) * 8), dtype=np.uint8)
    words[:, : len(bits)] = bits.T
    number = words.view(np.uint64)
    _, first, which = np.unique(
        number[:, 0] if number.shape[1] == 1 else number, axis=0, return_index=True, return_inverse=True
    )
    return first, which.ravel()


Table = ItemEvidence | Tables


@dataclass(frozen=True, eq=False)
class SampledItems(Sampled):
    """Sampled items, or their distinct rows."""

    evidence: ItemEvidence = field(kw_only=True)

    @property
    def kinds(self) -> tuple[Ints, Ints]:
        return self.evidence.kinds

    def redrawn(self, rng: np.random.Generator, many: int) -> Floats:
        """Return the values of `many` draws of labelled items, one draw at a time to limit memory."""
        labelled = self.evidence.labelled
        rows = self.evidence.in_order
        rows = rows[labelled[rows] > 0]
        times = labelled[rows]
        n = round(float(times.sum()))
        values = np.empty(many)
        drawn = np.zeros(len(self))
        for b in range(many):
            if len(rows) == n:
                drawn[rows] = np.bincount(rng.integers(0, n, n), minlength=n)
            else:
                drawn[rows] = rng.multinomial(n, times / n)
            values[b] = self.values(drawn[None, :].copy())[0]
        return values
