"""A consensus of annotators: what at least half of them marked, where the middle one did, as most of them called it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from accord.context import Run
from accord.errors import DataError
from accord.measures.aligned import AlignedMeasure, Compared
from accord.measures.disorder import Costs
from accord.measures.gamma import Gamma
from accord.model.corpus import Corpus
from accord.model.segmentations import Segmentations

NAME = "consensus"
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Rates:
    """How the annotators differ from the consensus, per unit of it and annotator who looked."""

    missing: float  # consensus units that an annotator does not have
    extra: float  # units that are in no consensus, per consensus unit
    split: float  # further pieces of a consensus unit that the annotator has
    shift: float  # mean move of a boundary, in mean lengths of the consensus
    wrong: float  # labels that are not those of the consensus
    disorder: Mapping[str, float] = field(default_factory=dict)  # shares of the disorder, by cause


@dataclass(frozen=True, eq=False)
class Consensus:
    """The consensus as data of one annotator, its support, and how the annotators differ from it."""

    data: Corpus | Segmentations
    judged: NDArray[np.bool_]  # documents × annotators of the corpus it was made from
    support: Ints  # annotators behind each unit or boundary
    rates: Rates


def consensus(data: Corpus | Segmentations, measure: AlignedMeasure | None = None, run: Run | None = None) -> Consensus:
    """Of units by their best alignment, of boundaries by how near they are."""
    if isinstance(data, Segmentations):
        return _of_boundaries(data.untyped)
    return _of_units((measure or Gamma()).compare(data, run or Run()))


def _of_units(compared: Compared) -> Consensus:
    corpus, found = compared.corpus, compared.alignment
    group, entry = found.members_group, compared.source.unit[found.members_unit]
    many = len(found.disorder)
    size = np.bincount(group, minlength=many)
    n = compared.units.annotators[found.continuum]
    kept = 2 * size >= n
    if not kept.any():
        raise DataError("no unit was marked by half of the annotators: there is no consensus; give a gold standard")
    start, end = (_medians(group, side[entry], many) for side in (corpus.start, corpus.end))
    whole = compared.source.whole[found.continuum]
    start, end = (np.where(whole, np.floor(side + 0.5), side) for side in (start, end))
    label = _majority(group, corpus.label[entry].astype(np.int64), many, len(corpus.categories))
    order = np.flatnonzero(kept)
    order = order[np.lexsort((end[order], start[order], found.continuum[order]))]
    wanted = np.zeros(len(corpus.docs), dtype=bool)
    wanted[compared.docs] = True
    ground = corpus.only_docs(wanted)
    reference = replace(
        ground,
        doc=found.continuum[order].astype(np.int64),
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
    return Consensus(reference, ground.judged, size[order], _rates(compared, kept, start, end, label))


def _medians(group: Ints, values: Floats, many: int) -> Floats:
    """Of the values of each group."""
    order = np.lexsort((values, group))
    size = np.bincount(group, minlength=many)
    first = np.cumsum(size) - size
    ranked = values[order]
    return (ranked[first + (size - 1) // 2] + ranked[first + size // 2]) / 2


def _majority(group: Ints, label: Ints, many: int, q: int) -> Ints:
    """The label that most units of a group have; of equal ones, the first category. -1: most have none."""
    count = np.zeros((many, q + 1), dtype=np.int64)
    np.add.at(count, (group, label % (q + 1)), 1)
    best = count.argmax(axis=1)
    return np.where(best == q, -1, best)


def _rates(compared: Compared, kept: NDArray[np.bool_], start: Floats, end: Floats, label: Ints) -> Rates:
    corpus, found = compared.corpus, compared.alignment
    group, entry = found.members_group, compared.source.unit[found.members_unit]
    size = np.bincount(group, minlength=len(kept))
    seats = float(compared.units.annotators[found.continuum[kept]].sum())
    inside = kept[group]
    g, e = group[inside], entry[inside]
    length = float((end - start)[g].mean())
    moved = (np.abs(corpus.start[e] - start[g]) + np.abs(corpus.end[e] - end[g])) / 2
    named = (corpus.label[e] >= 0) & (label[g] >= 0)
    wrong = float((corpus.label[e] != label[g])[named].mean()) if named.any() else 0.0
    pieces = _pieces(corpus, g, e, entry[~inside], start, end, label)
    missing = seats - float(size[kept].sum())
    extra = float(len(entry) - len(e) - pieces)
    causes = {name: float(cost.sum()) for name, cost in Costs(found, compared.dissimilarity).causes.items()}
    absent = causes.pop("absence")
    parts = {"missing": missing, "extra": extra, "split": float(pieces)}
    whole = max(sum(parts.values()), 1.0)
    causes |= {name: absent * many / whole for name, many in parts.items()}
    total = max(sum(causes.values()), 1e-300)
    shares = {name: cost / total for name, cost in causes.items()}
    return Rates(
        missing / seats, extra / seats, pieces / seats, float(moved.mean()) / length if length else 0.0, wrong, shares
    )


def _pieces(corpus: Corpus, g: Ints, e: Ints, others: Ints, start: Floats, end: Floats, label: Ints) -> int:
    """Units in no consensus that lie, by half at least, in a consensus unit that the same annotator has, same label."""
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


def _of_boundaries(data: Segmentations) -> Consensus:
    """Boundaries of different annotators within a quarter of a mean segment stand for the same one."""
    judged = np.zeros((len(data.docs), len(data.annotators)), dtype=bool)
    judged[data.doc, data.annotator] = True
    row = np.repeat(np.arange(len(data.doc)), np.diff(data.offsets))
    position, support, counts = [], [], np.zeros(len(data.docs), dtype=np.int64)
    seats = present = extra = 0
    moved = 0.0
    for d in range(len(data.docs)):
        mine = np.flatnonzero(data.doc[row] == d)
        mine = mine[np.argsort(data.position[mine], kind="stable")]
        n = int(judged[d].sum())
        reach = max(1.0, n * float(data.lengths[d]) / (len(mine) + n) / 4)
        for places in _clusters(data.position[mine].tolist(), data.annotator[row[mine]].tolist(), reach):
            if 2 * len(places) < n:
                extra += len(places)
                continue
            middle = int(np.floor(np.median(places) + 0.5))
            position.append(middle)
            support.append(len(places))
            counts[d] += 1
            seats, present = seats + n, present + len(places)
            moved += float(np.abs(np.array(places) - middle).sum())
    if not position:
        raise DataError("no boundary was set by half of the annotators: there is no consensus; give a gold standard")
    reference = replace(
        data,
        doc=np.arange(len(data.docs)),
        annotator=np.zeros(len(data.docs), dtype=np.int64),
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        position=np.array(position, dtype=np.int64),
        label=np.zeros(len(position), dtype=np.int64),
        annotators=(NAME,),
        features={},
        notes=(),
        places=None,
    )
    segment = float(data.lengths.sum()) / (len(position) + len(data.docs))
    rates = Rates(1 - present / seats, extra / seats, 0.0, moved / present / segment, 0.0)
    return Consensus(reference, judged, np.array(support), rates)


def _clusters(positions: list[int], who: list[int], reach: float) -> list[list[int]]:
    """Runs of near boundaries, one of each annotator at most."""
    made: list[list[int]] = []
    seen: set[int] = set()
    for place, annotator in zip(positions, who, strict=True):
        if made and annotator not in seen and place - made[-1][0] <= reach:
            made[-1].append(place)
            seen.add(annotator)
        else:
            made.append([place])
            seen = {annotator}
    return made
