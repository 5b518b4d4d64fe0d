"""Efficient values for pairs of annotators, and for all annotators but one.

Pairs of annotators with common items: the work grows with the number of label pairs on items.

All annotators but one: rows without a label of the left-out annotator do not change. Their contribution is summed once,
and only the labels next to the annotator's own labels are visited again. The work grows with the number of labels,
independently of the number of annotators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.core.arrays import Floats, Ints, distinct
from accord.core.context import Run
from accord.measures.distances.spaces import Directed, Lines, Space, between, mean_distance, sums_by
from accord.measures.items.evidence import ItemEvidence, Tables, across

_CELLS = 1 << 22  # categories × pairs processed at once
_MEETINGS = 1 << 15  # label pairs processed at once; more do not fit into the cache
_LITTLE = 2_000_000  # labels × annotators; up to this number, values are computed from scratch
_CELLS_WITHOUT = 1 << 21  # categories × annotators, and adjacent labels, processed at once
_WIDEST = 500  # categories, if distances depend on the left-out annotator


@dataclass(frozen=True, eq=False)
class Met:
    """Pairs of labels on the same row, of an annotator and a later annotator."""

    mine: Ints
    theirs: Ints
    times: Floats
    seat: Ints  # the pair of annotators of each pair of labels
    one: Ints  # first annotator of each pair
    other: Ints  # second, later annotator of each pair


def find_meetings(evidence: ItemEvidence) -> Iterator[Met]:
    """Yield all pairs of annotators with common rows, some annotators at a time."""
    rows, everybody = evidence.rows, len(evidence.rows.annotators)
    by_row = np.lexsort((rows.annotator, rows.item))
    place = np.empty(len(by_row), dtype=np.int64)
    place[by_row] = np.arange(len(by_row))
    by_annotator = np.argsort(rows.annotator, kind="stable")
    by_annotator = by_annotator[evidence.times[rows.item[by_annotator]] > 0]
    later = np.cumsum(rows.sizes)[rows.item] - place - 1  # labels of later annotators on the same row
    labels, who = rows.label.astype(np.int64), rows.annotator[by_annotator]
    before = np.concatenate([[0], np.cumsum(later[by_annotator])])
    first = np.searchsorted(who, np.arange(everybody + 1))  # first label of each annotator
    cuts = np.flatnonzero(np.diff(before[first[:-1]] // _MEETINGS)) + 1
    for some in np.split(np.arange(everybody), cuts):
        own = by_annotator[first[some[0]] : first[some[-1] + 1]]
        many = later[own]
        within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
        entry = by_row[np.repeat(place[own] + 1, many) + within]
        mine = np.repeat(own, many)
        pair = (rows.annotator[mine] - some[0]) * np.int64(everybody) + rows.annotator[entry]
        pairs, seat = distinct(pair, len(some) * everybody)
        one, other = some[0] + pairs // everybody, pairs % everybody
        yield Met(labels[mine], labels[entry], evidence.times[rows.item[mine]], seat, one, other)


def tables_of_pairs(met: Met, evidence: ItemEvidence) -> Iterator[tuple[slice, Tables]]:
    """Yield one table per pair of annotators, some pairs at a time."""
    q, of_each = evidence.q, evidence.distance.depends_on_data
    apart = np.zeros(0) if of_each else between(evidence.space, met.mine, met.theirs, q)
    step = max(1, _CELLS // max(q, 1))
    for at in range(0, len(met.other), step):
        here = (met.seat >= at) & (met.seat < at + step)
        seat, times = met.seat[here] - at, met.times[here]
        many = min(step, len(met.other) - at)
        n = sums_by(seat, times, many)

        def shares(labels: Ints) -> Floats:
            return sums_by(labels * many + seat, times, q * many).reshape(q, many) / n  # noqa: B023

        first, second = shares(met.mine[here]), shares(met.theirs[here])
        space: Space | Lines = evidence.space
        if of_each:
            space = evidence.distance.lines((first + second) * n)
            far = (space.x[met.mine[here], seat] - space.x[met.theirs[here], seat]) ** 2
        else:
            far = apart[here]
        yield slice(at, at + many), _table_of_two(n, sums_by(seat, times * far, many) / n, first, second, space)


def _table_of_two(n: Floats, disagreement: Floats, first: Floats, second: Floats, space: Space | Lines) -> Tables:
    """Return tables in which every item has one label of each of two annotators; shares are q × pairs."""
    pooled = (first + second) / 2

    def across_annotators() -> Floats:
        if isinstance(space, Directed):
            return np.asarray((first * space.to(second)).sum(axis=0))
        own = mean_distance(space, first) + mean_distance(space, second)
        return np.asarray(across(space, first + second, own, np.full(len(n), 2.0)))

    return Tables(
        n=n,
        over_items=disagreement,
        over_labels=disagreement,
        n_labels=2 * n,
        pooled=pooled,
        shares=pooled,
        given=pooled,
        space=space,
        across_annotators=across_annotators,
    )


# -- all annotators but one ------------------------------------------------------------------------------------------


def without_each(measure: Any, evidence: ItemEvidence, run: Run) -> Floats:
    """Return the value without each annotator with labels; NaN where it is undefined."""
    present = np.flatnonzero(evidence.rows.labels_per_annotator)
    if len(present) * len(evidence.rows.label) <= _LITTLE or not _can_be_updated(measure, evidence):
        found = []
        for done, g in enumerate(present):
            run.progress("leaving annotators out", done, len(present))
            found.append(measure.value_of(evidence.without(int(g))))
        return np.array(found)
    values = np.empty(len(present))
    with np.errstate(divide="ignore", invalid="ignore"):  # nothing is left to compare
        for some, tables in _Rest(evidence, present).tables():
            run.progress("leaving annotators out", some.start, len(present))
            values[some] = measure.values_of(tables)[0]
    return values


def _can_be_updated(measure: Any, evidence: ItemEvidence) -> bool:
    """Return whether sums over all labels can be updated; not if distances change with the data in many cells."""
    moving = evidence.distance.depends_on_data
    return not (moving and (measure.chance_from_annotators or evidence.q > _WIDEST))


@dataclass(frozen=True, eq=False)
class _Touched:
    """The labels of some annotators, and the categories on the row of each label."""

    seat: Ints  # index of the annotator
    label: Ints
    row: Ints
    size: Floats
    times: Floats
    entry: Ints  # the label next to which each category occurs
    beside: Ints
    often: Floats  # frequency on the row, including the annotator's own label


@dataclass(frozen=True, eq=False)
class _Rest:
    """Sums over all labels, and their changes without each annotator."""

    evidence: ItemEvidence
    present: Ints

    def tables(self) -> Iterator[tuple[slice, Tables]]:
        """Yield one table per left-out annotator, some annotators at a time."""
        rows = self.evidence.rows
        order = np.argsort(rows.annotator, kind="stable")
        ends = np.searchsorted(rows.annotator[order], self.present, side="right")
        work = np.concatenate([[0], np.cumsum(self._categories[rows.item[order]])])[ends]
        work = work + self.evidence.q * np.arange(1, len(self.present) + 1)
        stretches = np.flatnonzero(np.diff(work // _CELLS_WITHOUT, prepend=-1))
        for at, end in zip(stretches, [*stretches[1:], len(self.present)], strict=True):
            yield slice(at, end), self._without(order[ends[at - 1] if at else 0 : ends[end - 1]], slice(at, end))

    @cached_property
    def _categories(self) -> Ints:
        """Return the number of categories of each row."""
        return np.diff(self.evidence.cells.start)

    def _touched(self, own: Ints, some: slice) -> _Touched:
        rows = self.evidence.rows
        row, cells = rows.item[own].astype(np.int64), self.evidence.cells
        many = self._categories[row]
        entry = np.repeat(np.arange(len(own)), many)
        cell = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many - cells.start[row], many)
        return _Touched(
            seat=np.searchsorted(self.present[some], rows.annotator[own]),
            label=rows.label[own].astype(np.int64),
            row=row,
            size=rows.sizes[row].astype(np.float64),
            times=self.evidence.times[row],
            entry=entry,
            beside=cells.category[cell],
            often=cells.often[cell],
        )

    def _without(self, own: Ints, some: slice) -> Tables:
        evidence, q, many = self.evidence, self.evidence.q, some.stop - some.start
        touched = self._touched(own, some)
        seat, size, times = touched.seat, touched.size, touched.times

        def by_annotator(values: Floats) -> Floats:
            return sums_by(seat, values, many)

        def by_category(values: Floats, beside: bool = False) -> Floats:
            label, whose = (touched.beside, seat[touched.entry]) if beside else (touched.label, seat)
            return sums_by(label * many + whose, values, q * many).reshape(q, many)

        # A row of two labels has nothing left to compare, so its other label is removed as well.
        of_two = (size[touched.entry] == 2) * times[touched.entry] * touched.often
        compared = evidence.pairable_marginals[:, None] - by_category((size > 2) * times) - by_category(of_two, True)
        mine = touched.beside == touched.label[touched.entry]
        fewer = np.maximum(size - 1, 1)[touched.entry]  # a row of one label loses its only label: 0/1
        moved = times[touched.entry] * ((touched.often - mine) / fewer - touched.often / size[touched.entry])
        labelled = evidence.labelled.sum() - by_annotator((size == 1) * times)
        shares = (evidence.shares * evidence.labelled.sum())[:, None] + by_category(moved, True)
        n = evidence.paired_without[self.present[some]]
        labels = compared.sum(axis=0)
        moving = evidence.distance.depends_on_data
        space: Space | Lines = evidence.distance.lines(compared) if moving else evidence.space
        sums, before, after = self._apart(touched, space)
        by_items = sums[0] + by_annotator(times * (after - before))
        by_labels = sums[1] + by_annotator(times * ((size - 1) * after - size * before))
        return Tables(
            n=n,
            over_items=np.maximum(by_items, 0.0) / n,
            over_labels=np.maximum(by_labels, 0.0) / labels,
            n_labels=labels,
            pooled=compared / labels,
            shares=shares / labelled,
            given=evidence.given[:, None] - by_category(times),
            space=space,
            across_annotators=lambda: self._across(some),
        )

    def _apart(self, touched: _Touched, space: Space | Lines) -> tuple[tuple[Floats, Floats], Floats, Floats]:
        """Return sums of mean distances over all rows, and the mean distance of each touched row before and after.

        The sums weight rows equally, and by their labels. "After" means without the label of the left-out annotator.
        """
        evidence, size = self.evidence, touched.size
        label = touched.label[touched.entry]
        if isinstance(space, Lines):
            seat = touched.seat[touched.entry]
            away = space.x[touched.beside, seat] - space.x[label, seat]
            first, second = (sums_by(touched.entry, touched.often * y, len(size)) for y in (away, away**2))
            total, left = 2 * (size * second - first**2), 2 * ((size - 1) * second - first**2)
            sums = tuple(_spread(pairs, space.x) for pairs in self._coincidences)
        else:
            far = between(space, label, touched.beside, evidence.q)
            total = evidence.within[touched.row] * size * (size - 1)
            left = total - 2 * sums_by(touched.entry, touched.often * far, len(size))
            paired = evidence.paired * evidence.within
            sums = (np.asarray(paired.sum()), np.asarray((paired * evidence.sizes).sum()))
        before = np.divide(total, size * (size - 1), out=np.zeros(len(size)), where=size > 1)
        after = np.divide(left, (size - 1) * (size - 2), out=np.zeros(len(size)), where=size > 2)
        return (sums[0], sums[1]), before, np.maximum(after, 0.0)

    @cached_property
    def _coincidences(self) -> tuple[Floats, Floats]:
        """Return all ordered pairs of labels of a row, with rows weighted equally, and weighted by their labels."""
        by_labels = self.evidence.coincidences()
        sizes = np.maximum(self.evidence.sizes, 1)
        return self.evidence.weighted(self.evidence.times / sizes).coincidences(), by_labels

    def _across(self, some: slice) -> Floats:
        shares, own = self._shares
        rest = np.full(some.stop - some.start, shares.shape[1] - 1.0)
        total = shares.sum(axis=1)[:, None] - shares[:, some]
        return np.asarray(across(self.evidence.space, total, own.sum() - own[some], rest))

    @cached_property
    def _shares(self) -> tuple[Floats, Floats]:
        shares, _ = self.evidence.annotator_shares
        return shares, (shares * self.evidence.space.to(shares)).sum(axis=0)


def _spread(pairs: Floats, x: Floats) -> Floats:
    """Return Σ_ck o_ck (x_c − x_k)² for each column of x."""
    weight = pairs.sum(axis=1)
    x = x - weight @ x / max(weight.sum(), 1.0)
    return np.asarray(2 * (weight @ x**2 - (x * (pairs @ x)).sum(axis=0)))
