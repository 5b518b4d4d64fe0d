"""Every two annotators who share items: what a coefficient of the two is made of, for many pairs at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.core.arrays import Floats, Ints, distinct
from accord.measures.distances.spaces import Lines, Space, sums_by
from accord.measures.items.evidence import AtOnce, ByAnnotator, ItemEvidence

_CELLS = 1 << 22  # categories × pairs that are worked on at once
_MEETINGS = 1 << 15  # labels of others that are looked at at once: more do not stay in the cache


@dataclass(frozen=True, eq=False)
class Met:
    """Labels of some annotators, and those that others gave to the same rows: an entry for each label of another."""

    mine: Ints
    theirs: Ints
    times: Floats
    seat: Ints  # whose they are: which of the pairs
    one: Ints  # the pairs: an annotator
    other: Ints  # and another who comes later and shares a row


def meetings(evidence: ItemEvidence) -> Iterator[Met]:
    """Annotators with those who come later: the work grows with the labels that meet, not with all pairs."""
    rows, everybody = evidence.rows, len(evidence.rows.annotators)
    by_row = np.lexsort((rows.annotator, rows.item))
    place = np.empty(len(by_row), dtype=np.int64)
    place[by_row] = np.arange(len(by_row))
    by_annotator = np.argsort(rows.annotator, kind="stable")
    by_annotator = by_annotator[evidence.times[rows.item[by_annotator]] > 0]
    later = np.cumsum(rows.sizes)[rows.item] - place - 1  # labels of the row whose annotators come behind this one
    labels, who = rows.label.astype(np.int64), rows.annotator[by_annotator]
    before = np.concatenate([[0], np.cumsum(later[by_annotator])])
    first = np.searchsorted(who, np.arange(everybody + 1))  # of the labels of each annotator
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


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs(AtOnce):
    """Every item has a label of the first and one of the second."""

    first: Floats  # shares of the categories: q × pairs
    second: Floats

    @classmethod
    def of(cls, n: Floats, disagreement: Floats, first: Floats, second: Floats, space: Space | Lines) -> Pairs:
        pooled = (first + second) / 2

        def annotators() -> ByAnnotator:
            own = found.means(first) + found.means(second)
            return ByAnnotator(first + second, own, np.full(len(n), 2.0))

        found = cls(
            n=n,
            over_items=disagreement,
            over_labels=disagreement,
            labels=2 * n,
            pooled=pooled,
            shares=pooled,
            given=pooled,
            space=space,
            annotators=annotators,
            first=first,
            second=second,
        )
        return found


def pairs_of(met: Met, evidence: ItemEvidence) -> Iterator[tuple[slice, Pairs]]:
    """The pairs, a stretch of them at a time."""
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
        yield slice(at, at + many), Pairs.of(n, sums_by(seat, times * far, many) / n, first, second, space)


def between(space: Space, first: Ints, second: Ints, q: int) -> Floats:
    """The distance between two categories, for each of many pairs of them."""
    cells, which = distinct(first * q + second, q * q)
    both = np.stack([cells // q, cells % q], axis=1).ravel().astype(np.int32)
    row = np.repeat(np.arange(len(cells), dtype=np.int32), 2)
    return space.within(row, both, np.full(len(cells), 2, dtype=np.int64))[which]
