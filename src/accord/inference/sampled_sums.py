"""Measures whose evidence is a sum over documents, as tables of sums: many draws are one product of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.arrays import Floats, Ints
from accord.distances import Nominal
from accord.distances.spaces import sums_by
from accord.measures.units.krippendorff_alpha_u import LayerEvidence
from accord.measures.units.pairwise import Pairwise, PairwiseMeasure
from accord.measures.units.unitizing_alpha import BarUAlpha, Coincidences, CuAlpha, KuAlpha, UAlpha

_CELLS = 20_000_000  # of a table: document × category, document × pair
_AT_ONCE = 4_000_000  # cells of draws × lengths

Values = Callable[[Floats], Floats]


def lengths(measure: UAlpha | BarUAlpha, evidence: Coincidences) -> Values | None:
    """uα and |uα; None where a table would be too large, and for the form of 2013."""
    line, gap, docs = evidence.line, evidence.gap, len(evidence.times)
    if docs * (gap + 1) > _CELLS or (isinstance(measure, UAlpha) and measure.form == 2013):
        return None
    alone = isinstance(measure, BarUAlpha)
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


def common_lengths(measure: CuAlpha, evidence: Coincidences) -> Values | None:
    """cuα of labels that are the same or not; None for other distances, other forms, and (k)uα of a category."""
    q, docs = evidence.gap, len(evidence.times)
    one = isinstance(measure, KuAlpha) and measure.category is not None
    if one or measure.form == 2013 or not isinstance(measure.distance or Nominal(), Nominal) or docs * q > _CELLS:
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


def boundaries(evidence: LayerEvidence) -> Values:
    """α_U: how often each length of units and of gaps occurs, category by category."""
    line = evidence.line
    steps = (line.lengths * line.annotators_per_doc).astype(np.float64)
    squares, lengths_ = evidence.squares.sum(axis=1), line.lengths.astype(np.float64)
    docs = len(evidence.times)
    layers = []
    for c in np.unique(line.label).tolist():
        mine, gaps = line.label == c, evidence.gap_layer == c
        length, units = _by_length(line.length[mine].astype(np.float64), line.doc[mine], docs)
        gap, free = _by_length(evidence.gap_length[gaps], evidence.gap_doc[gaps], docs)
        layers.append((length, units, gap, free, np.searchsorted(gap, length, side="left")))
    widest = max(len(gap) + len(length) for length, _, gap, _, _ in layers)

    def some(times: Floats) -> Floats:
        whole, all_steps = times @ lengths_, times @ steps
        expected = np.zeros(len(times))
        for length, units, gap, free, at in layers:
            weight, often = times @ units, times @ free
            behind = [np.cumsum(x[:, ::-1], axis=1)[:, ::-1] for x in (often * gap, often)]
            sums, counts = (np.concatenate([x, np.zeros((len(times), 1))], axis=1)[:, at] for x in behind)
            room = sums - counts * (length - 1)
            number = weight.sum(axis=1, keepdims=True)
            inside = (number - 1) / 3 * (2 * length**3 - 3 * length**2 + length) + length**2 * room
            below = all_steps * (all_steps - 1) - weight @ (length * (length - 1))
            above = 2 * (weight * inside).sum(axis=1)
            expected += np.divide(
                above, whole * below, out=np.full(len(times), np.nan), where=(below > 0) & (whole > 0)
            )
        observed = np.divide(times @ squares, whole**2, out=np.full(len(times), np.nan), where=whole > 0)
        quotient: Floats = np.divide(observed, expected, out=np.full(len(times), np.nan), where=expected > 0)
        return 1.0 - quotient

    def values(times: Floats) -> Floats:
        step = max(1, _AT_ONCE // (widest + 1))
        return np.concatenate([some(times[k : k + step]) for k in range(0, len(times), step)])

    return values


def _by_length(length: Floats, doc: Ints, docs: int) -> tuple[Floats, Any]:
    """The distinct lengths in order, and how often each document has each: few of many, so the table is sparse."""
    from scipy.sparse import csr_array

    found, at = np.unique(length, return_inverse=True)
    return found, csr_array((np.ones(len(at)), (doc, at)), shape=(docs, len(found)))


def pairs(measure: PairwiseMeasure, evidence: Pairwise) -> Values | None:
    """The mean over pairs of annotators; None where a table would be too large."""
    rows = evidence.both_orders()
    if measure.reference is not None:
        chosen = rows["reference"] == evidence.corpus.annotators.index(measure.reference)
        rows = {name: column[chosen] for name, column in rows.items()}
    docs, m = len(evidence.times), len(evidence.corpus.annotators)
    names, at = np.unique(rows["reference"].astype(np.int64) * m + rows["other"].astype(np.int64), return_inverse=True)
    many = len(names)
    if docs * many > _CELLS:
        return None
    cell = rows["doc"].astype(np.int64) * many + at
    tables = [
        sums_by(cell, rows[column].astype(np.float64), docs * many).reshape(docs, many)
        for column in ("amount", "reference_units", "other_units", "groups")
    ]
    met = np.bincount(cell, minlength=docs * many).reshape(docs, many).astype(np.float64)

    def values(times: Floats) -> Floats:
        each = measure.quotient(*((times @ table).ravel() for table in tables)).reshape(len(times), many)
        # A pair none of whose documents was drawn has no value: two empty things would agree.
        known = ~np.isnan(each) & (times @ met > 0)
        number = known.sum(axis=1)
        mean: Floats = np.divide(
            np.where(known, each, 0.0).sum(axis=1), number, out=np.full(len(times), np.nan), where=number > 0
        )
        return mean

    return values
