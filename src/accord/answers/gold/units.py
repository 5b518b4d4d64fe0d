"""Consensus of units: units of the best alignment that half of the annotators marked, at median boundaries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.answers.gold.consensus import NAME, Consensus, Rates, Seats, align_for_consensus
from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.model.corpus import Corpus
from accord.measures.measure import Measure
from accord.measures.units.unitary import ComparedUnits, Costs


def consensus(data: Corpus, measure: Measure | None, run: Run) -> Consensus:
    """Use the best alignment by a measure that aligns units, else by γ."""
    return of_alignment(align_for_consensus(data, measure, run))


def seats(data: Corpus) -> Seats:
    return Seats.of_table(data.judged)


def of_alignment(compared: ComparedUnits) -> Consensus:
    corpus, alignment = compared.corpus, compared.alignment
    group, entry = alignment.members_group, compared.source.unit[alignment.members_unit]
    many = len(alignment.disorder)
    size = np.bincount(group, minlength=many)
    n = compared.units.annotators[alignment.continuum]
    kept = 2 * size >= n
    if not kept.any():
        raise DataError(
            "nothing-annotated",
            "no unit was marked by half of the annotators, so there is no consensus; choose an annotator with "
            "--reference NAME, or a gold standard with --gold FILE",
        )
    start, end = (_medians(group, side[entry], many) for side in (corpus.start, corpus.end))
    whole = compared.source.whole[alignment.continuum]
    start, end = (np.where(whole, np.floor(side + 0.5), side) for side in (start, end))
    label = _majority(group, corpus.label[entry].astype(np.int64), many, len(corpus.categories))
    order = np.flatnonzero(kept)
    order = order[np.lexsort((end[order], start[order], alignment.continuum[order]))]
    wanted = np.zeros(len(corpus.docs), dtype=bool)
    wanted[compared.docs] = True
    ground = corpus.only_docs(wanted)
    reference = replace(
        ground,
        doc=alignment.continuum[order].astype(np.int64),
        annotator=np.zeros(len(order), dtype=np.int64),
        start=start[order],
        end=np.maximum(end, start)[order],
        label=label[order],
        annotators=(NAME,),
        judged=np.ones((len(ground.docs), 1), dtype=bool),
        judged_given=True,
        features={},
        notes=(),
        places=None,
    )
    return Consensus(reference, Seats.of_table(ground.judged), size[order], _rates(compared, kept, start, end, label))


def _medians(group: Ints, values: Floats, many: int) -> Floats:
    """Median of each group."""
    order = np.lexsort((values, group))
    size = np.bincount(group, minlength=many)
    first = np.cumsum(size) - size
    ranked = values[order]
    return (ranked[first + (size - 1) // 2] + ranked[first + size // 2]) / 2


def _majority(group: Ints, label: Ints, many: int, q: int) -> Ints:
    """Most frequent label of each group; ties choose the first category. -1: most units have no label."""
    count = np.zeros((many, q + 1), dtype=np.int64)
    np.add.at(count, (group, label % (q + 1)), 1)
    best = count.argmax(axis=1)
    return np.where(best == q, -1, best)


def _rates(compared: ComparedUnits, kept: NDArray[np.bool_], start: Floats, end: Floats, label: Ints) -> Rates:
    corpus, alignment = compared.corpus, compared.alignment
    group, entry = alignment.members_group, compared.source.unit[alignment.members_unit]
    size = np.bincount(group, minlength=len(kept))
    seats = float(compared.units.annotators[alignment.continuum[kept]].sum())
    inside = kept[group]
    g, e = group[inside], entry[inside]
    length = float((end - start)[g].mean())
    moved = (np.abs(corpus.start[e] - start[g]) + np.abs(corpus.end[e] - end[g])) / 2
    named = (corpus.label[e] >= 0) & (label[g] >= 0)
    wrong = float((corpus.label[e] != label[g])[named].mean()) if named.any() else 0.0
    pieces = _pieces(corpus, g, e, entry[~inside], start, end, label)
    missing = seats - float(size[kept].sum())
    extra = float(len(entry) - len(e) - pieces)
    causes = {name: float(cost.sum()) for name, cost in Costs(alignment, compared.dissimilarity).causes.items()}
    absent = causes.pop("absence")
    parts = {"missing": missing, "extra": extra, "split": float(pieces)}
    whole = max(sum(parts.values()), 1.0)
    causes |= {name: absent * many / whole for name, many in parts.items()}
    total = max(sum(causes.values()), 1e-300)
    shares = {name: cost / total for name, cost in causes.items()}
    shift = float(moved.mean()) / length if length else 0.0
    return Rates(missing / seats, extra / seats, pieces / seats, shift, wrong, disorder=shares)


def _pieces(corpus: Corpus, g: Ints, e: Ints, others: Ints, start: Floats, end: Floats, label: Ints) -> int:
    """Units outside the consensus that lie at least half in a consensus unit of the same annotator and label."""
    place = corpus.doc.astype(np.int64) * len(corpus.annotators) + corpus.annotator
    order = np.lexsort((start[g], place[e]))
    g, key = g[order], place[e][order]
    count = 0
    for unit in others.tolist():
        low, high = np.searchsorted(key, [place[unit], place[unit] + 1])
        mine = g[low:high]
        common = np.minimum(end[mine], corpus.end[unit]) - np.maximum(start[mine], corpus.start[unit])
        part = (common * 2 >= corpus.end[unit] - corpus.start[unit]) & (common > 0)
        count += bool((part & (label[mine] == corpus.label[unit])).any())
    return count
