"""Lengths on which annotators coincide: what the α family for unitizing looks at.

ℓ_ck is the length that one annotator gave to c and another to k, over all ordered pairs, divided by m − 1; φ is a gap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.data.model.corpus import Corpus
from accord.measures.distances.spaces import sums_by
from accord.measures.sampling import Values
from accord.measures.units.timeline import Timeline

_DENSE = 1 << 22
_CELLS = 20_000_000  # of a table: document × category


@dataclass(frozen=True, eq=False)
class Coincidences:
    """By document: lengths by the two categories of a stretch (one row each, in one order), and of units.

    The last category is for units without label; `gap` stands for φ. `times` is how often each document counts.
    """

    line: Timeline
    doc: Ints
    c: Ints
    k: Ints
    length: Floats  # Σ over pairs of annotators / (m − 1)
    squared: Floats  # Σ over pairs of length² / (m(m − 1)): for the form of 2013
    shared: Floats  # l* of each unit: how much of it the others covered on average
    times: Floats

    @property
    def gap(self) -> int:
        return len(self.line.names)

    @property
    def corpus(self) -> Corpus:
        return self.line.corpus

    @property
    def names(self) -> tuple[str, ...]:
        return self.line.doc_names

    def weighted(self, times: Floats) -> Coincidences:
        return replace(self, times=times)

    @cached_property
    def weight(self) -> Floats:
        return self.length * self.times[self.doc]

    @property
    def unlike(self) -> float:
        """ℓ.. − Σ ℓ_cc: the length on which two differ, summed as it is, for long gaps would swallow its digits."""
        return 2 * float(self.weight[self.c != self.k].sum())

    def across(self, category: int) -> float:
        """ℓ_c. − ℓ_cc: the length of a category against all others."""
        return float(self.weight[(self.c == category) != (self.k == category)].sum())

    @cached_property
    def others(self) -> Floats:
        """ℓ.. − ℓ_c. of every category, the gap last."""
        found = self.whole - self.totals
        found[self.gap] = self.totals[: self.gap].sum()
        return found

    @cached_property
    def totals(self) -> Floats:
        """ℓ_c. of every category, the gap last: all the length that was given to it."""
        line = self.line
        found = sums_by(line.label, line.length * self.times[line.doc], self.gap + 1)
        found[self.gap] = self.whole - found.sum()
        return found

    @cached_property
    def whole(self) -> float:
        """ℓ.. = m·L."""
        return float(self.times @ (self.line.lengths * self.line.annotators_per_doc))

    @cached_property
    def squares(self) -> Floats:
        """s_c: Σ l² of the units of a category; for gaps Σ l."""
        line = self.line
        found = sums_by(line.label, line.length.astype(np.float64) ** 2 * self.times[line.doc], self.gap + 1)
        found[self.gap] = self.totals[self.gap]
        return found

    @cached_property
    def of_units(self) -> tuple[Ints, Ints, Floats]:
        """The rows without gaps."""
        both = (self.c != self.gap) & (self.k != self.gap)
        return self.c[both], self.k[both], self.weight[both]


def coincidences(line: Timeline, every_two: bool = False) -> Coincidences:
    """One sweep per pair of annotators: places with what each has there; or `every_two` units with what they share,
    without gaps, where units of one annotator may overlap.
    """
    gap, m = len(line.names), line.annotators_per_doc.astype(np.float64)
    keys: list[Ints] = []
    lengths: list[Floats] = []
    squares: list[Floats] = []
    shared = np.zeros(len(line.start))
    for a, b in line.pairs():
        found = line.met(a, b) if every_two else line.joint(a, b)
        labels = [np.where(label < 0, gap, label) for label in found.labels()]
        c, k = np.minimum(*labels), np.maximum(*labels)
        length = found.length.astype(np.float64)
        key, summed = _summed((found.doc * (gap + 1) + c) * (gap + 1) + k, [length, length**2])
        doc = key // (gap + 1) ** 2
        keys.append(key)
        lengths.append(summed[0] / (m[doc] - 1))
        squares.append(summed[1] / (m * (m - 1))[doc])
        both = (found.first >= 0) & (found.second >= 0)
        part = length[both] / (m[found.doc[both]] - 1)
        for side in (found.first[both], found.second[both]):
            shared += sums_by(side, part, len(shared))
    key, (total, squared) = _summed(np.concatenate(keys), [np.concatenate(lengths), np.concatenate(squares)])
    doc, pair = np.divmod(key, (gap + 1) ** 2)
    return Coincidences(line, doc, pair // (gap + 1), pair % (gap + 1), total, squared, shared, np.ones(len(m)))


def _summed(key: Ints, values: list[Floats]) -> tuple[Ints, list[Floats]]:
    """The distinct keys, and the sums of the values of each."""
    size = int(key.max(initial=-1)) + 1
    if size <= _DENSE:
        there = np.flatnonzero(np.bincount(key, minlength=size))
        return there, [sums_by(key, value, size)[there] for value in values]
    there, at = np.unique(key, return_inverse=True)
    return there, [sums_by(at, value, len(there)) for value in values]


def by_lengths(evidence: Coincidences, alone: bool = False) -> Values | None:
    """uα, or |uα where units and gaps `alone` count; None where a table would be too large."""
    line, gap, docs = evidence.line, evidence.gap, len(evidence.times)
    if docs * (gap + 1) > _CELLS:
        return None
    differ = (evidence.c == gap) != (evidence.k == gap) if alone else evidence.c != evidence.k
    apart = sums_by(evidence.doc[differ], evidence.length[differ] * (1.0 if alone else 2.0), docs)
    cell, length = line.doc * (gap + 1) + line.label, line.length.astype(np.float64)
    given = sums_by(cell, length, docs * (gap + 1)).reshape(docs, gap + 1)[:, :gap]
    squared = sums_by(line.doc, length**2, docs)
    all_length = (line.lengths * line.annotators_per_doc).astype(np.float64)

    def values(times: Floats) -> Floats:
        whole, totals = times @ all_length, times @ given
        marked = totals.sum(axis=1)
        empty = whole - marked
        above = empty * marked
        if not alone:
            above = above + (totals * (whole[:, None] - totals)).sum(axis=1)
        below = whole**2 - times @ squared - empty
        expected = np.divide(above, below, out=np.zeros(len(times)), where=below > 0)
        observed = np.divide(times @ apart, whole, out=np.zeros(len(times)), where=whole > 0)
        quotient: Floats = np.divide(observed, expected, out=np.full(len(times), np.nan), where=expected > 0)
        return 1.0 - quotient

    return values


def by_common_lengths(evidence: Coincidences) -> Values | None:
    """cuα of labels that are the same or not; None where a table would be too large."""
    q, docs = evidence.gap, len(evidence.times)
    if docs * q > _CELLS:
        return None
    both = (evidence.c != q) & (evidence.k != q)
    doc, c, k, length = (column[both] for column in (evidence.doc, evidence.c, evidence.k, evidence.length))
    given = sum(sums_by(doc * q + side, length, docs * q).reshape(docs, q) for side in (c, k))
    apart = sums_by(doc[c != k], length[c != k], docs)
    squared = sums_by(evidence.line.doc, evidence.shared**2, docs)

    def values(times: Floats) -> Floats:
        totals = times @ given
        whole = totals.sum(axis=1)
        below = whole**2 - times @ squared
        above = whole**2 - (totals**2).sum(axis=1)
        expected = np.divide(above, below, out=np.zeros(len(times)), where=(whole > 0) & (below > 0))
        observed = np.divide(2 * (times @ apart), whole, out=np.zeros(len(times)), where=whole > 0)
        quotient: Floats = np.divide(observed, expected, out=np.full(len(times), np.nan), where=expected > 0)
        return 1.0 - quotient

    return values
