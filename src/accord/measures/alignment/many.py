"""Alignments of many continua: those of few annotators in batches, those of many one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from accord.core.arrays import Ints
from accord.core.context import Run
from accord.core.parallel import spread
from accord.measures.alignment.best import Alignment, below_each_other, best_alignment, best_soft_alignment
from accord.measures.alignment.units import Units
from accord.measures.dissimilarities import Dissimilarity

FEW = 6  # annotators; with more of them a continuum is work enough for one core
_UNITS_AT_ONCE = 20_000  # of documents of few annotators


def units_count_as(annotators: Ints | int) -> Ints:
    """The groups of units that could align multiply with every annotator above three; so does the memory they take."""
    return np.asarray(4 ** np.clip(np.asarray(annotators) - 3, 0, FEW))  # more are aligned by themselves anyway


def aligner(dissimilarity: Dissimilarity, soft: bool, gap: float = 0.0) -> Callable[[Units], Alignment]:
    """The best alignment, or one within a gap of it, or the best soft one, as a function to be sent to a worker."""
    if soft:
        return partial(best_soft_alignment, dissimilarity=dissimilarity)
    return partial(best_alignment, dissimilarity=dissimilarity, gap=gap)


def realigner(dissimilarity: Dissimilarity, soft: bool) -> Callable[[Units, Ints], Alignment]:
    """The best alignment, where groups are known that were near their prices with nearly the same units."""
    return partial(_realigned, dissimilarity, soft)


def _realigned(dissimilarity: Dissimilarity, soft: bool, units: Units, known: Ints) -> Alignment:
    if soft:
        return best_soft_alignment(units, dissimilarity)
    return best_alignment(units, dissimilarity, known=known)


def align_all(units: Units, align: Callable[[Units], Alignment], run: Run) -> Alignment:
    """The best alignment of every continuum."""
    lots = _lots(units)
    if len(lots) < 2 and int(units.annotators.max(initial=0)) <= FEW:  # soon done: not worth sending
        run.progress("aligning documents", 0, 1)
        found = align(units)
        run.progress("aligning documents", 1, 1)
        return found
    order = np.argsort(units.continuum, kind="stable")
    ends = np.searchsorted(units.continuum[order], np.arange(len(units.annotators) + 1))
    members = [np.concatenate([order[ends[c] : ends[c + 1]] for c in lot]) for lot in lots]
    tasks = [_some(units, lot, at) for lot, at in zip(lots, members, strict=True)]
    parts = spread(align, tasks, run, "aligning documents")
    gap = np.zeros(len(units.annotators))
    for lot, part in zip(lots, parts, strict=True):
        gap[lot] = part.gap
    before = np.cumsum([0, *(len(part.disorder) for part in parts)])
    return Alignment(
        units,
        np.concatenate([part.members_group + k for part, k in zip(parts, before, strict=False)]),
        np.concatenate([at[part.members_unit] for part, at in zip(parts, members, strict=True)]),
        np.concatenate([part.disorder for part in parts]),
        gap,
        below_each_other(
            [np.where(part.near >= 0, at[part.near], -1) for part, at in zip(parts, members, strict=True)]
        ),
    )


def _lots(units: Units) -> list[Ints]:
    """The continua that are a task: by the data alone, never by the workers."""
    few, many = np.flatnonzero(units.annotators <= FEW), np.flatnonzero(units.annotators > FEW)
    work = np.cumsum(units.counts[few] * units_count_as(units.annotators[few]))
    cuts = np.flatnonzero(np.diff(work // _UNITS_AT_ONCE)) + 1
    return [*(np.split(few, cuts) if len(few) else []), *many[:, None]]


def _some(units: Units, lot: Ints, at: Ints) -> Units:
    """Some continua by themselves, renumbered."""
    number = np.searchsorted(lot, units.continuum[at])
    return Units(number, units.annotator[at], units.start[at], units.end[at], units.label[at], units.annotators[lot])
