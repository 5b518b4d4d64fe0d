"""Every two annotators who share items: what a coefficient of the two is made of, for many pairs at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.arrays import Bools, Floats, Ints
from accord.distances.spaces import Space, sums_by
from accord.measures.items.evidence import ItemEvidence

_CELLS = 1 << 22  # categories × pairs that are worked on at once


@dataclass(frozen=True, eq=False)
class Met:
    """An annotator's labels, and those that others gave to the same rows: an entry for each label of another."""

    mine: Ints
    theirs: Ints
    times: Floats
    seat: Ints  # which of `others` gave it
    others: Ints  # annotators who come later and share a row


def meetings(evidence: ItemEvidence) -> Iterator[tuple[int, Met]]:
    """Every annotator with those who come later: the work grows with the labels that meet, not with all pairs."""
    rows = evidence.rows
    by_row = np.argsort(rows.item, kind="stable")
    start = np.concatenate([[0], np.cumsum(rows.sizes)])
    by_annotator = np.argsort(rows.annotator, kind="stable")
    first = np.searchsorted(rows.annotator[by_annotator], np.arange(len(rows.annotators) + 1))
    for g in range(len(rows.annotators)):
        own = by_annotator[first[g] : first[g + 1]]
        row = rows.item[own]
        size = rows.sizes[row]
        within = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        entry = by_row[np.repeat(start[row], size) + within]
        mine = np.repeat(own, size)
        later = (rows.annotator[entry] > g) & (np.repeat(evidence.times[row], size) > 0)
        entry, mine = entry[later], mine[later]
        others, seat = np.unique(rows.annotator[entry], return_inverse=True)
        labels = rows.label.astype(np.int64)
        yield g, Met(labels[mine], labels[entry], evidence.times[rows.item[mine]], seat, others.astype(np.int64))


@dataclass(frozen=True, eq=False)
class Pairs:
    """What the coefficients of pairs are made of: a column, or a number, for each pair."""

    n: Floats  # items that both labelled
    disagreement: Floats
    first: Floats  # shares of the categories: q × pairs
    second: Floats
    space: Space

    @property
    def pooled(self) -> Floats:
        return (self.first + self.second) / 2

    @property
    def scale(self) -> float:
        return self.space.scale if self.space.scale > 0 else 1.0

    @property
    def differ(self) -> Bools:
        """Whether the categories that the two use are any distance apart."""
        return np.array([self.space.differ(np.flatnonzero(column)) for column in self.pooled.T], dtype=bool)

    def means(self, shares: Floats) -> Floats:
        """The mean distance of two draws from the shares of each pair."""
        return np.asarray((shares * self.space.to(shares)).sum(axis=0))


def pairs_of(met: Met, q: int, space: Space) -> Iterator[tuple[slice, Pairs]]:
    """The pairs of an annotator, a stretch of them at a time."""
    cells, which = np.unique(met.mine * q + met.theirs, return_inverse=True)
    both = np.stack([cells // q, cells % q], axis=1).ravel()
    row = np.repeat(np.arange(len(cells)), 2)
    apart = space.within(row.astype(np.int32), both.astype(np.int32), np.full(len(cells), 2, dtype=np.int64))[which]
    step = max(1, _CELLS // max(q, 1))
    for at in range(0, len(met.others), step):
        here = (met.seat >= at) & (met.seat < at + step)
        seat, times = met.seat[here] - at, met.times[here]
        many = min(step, len(met.others) - at)
        n = sums_by(seat, times, many)

        def shares(labels: Ints) -> Floats:
            return sums_by(labels * many + seat, times, q * many).reshape(q, many) / n  # noqa: B023

        disagreement = sums_by(seat, times * apart[here], many) / n
        yield slice(at, at + many), Pairs(n, disagreement, shares(met.mine[here]), shares(met.theirs[here]), space)
