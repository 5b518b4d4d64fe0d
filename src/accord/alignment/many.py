"""Alignments of many continua: few annotators in one batch, many annotators one continuum after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from accord.alignment.best import Alignment, below_each_other, best_alignment, best_soft_alignment
from accord.alignment.units import Units
from accord.arrays import Ints
from accord.context import Run
from accord.dissimilarities import Dissimilarity
from accord.parallel import spread

FEW = 6  # annotators; with more of them a continuum is work enough for one core


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
    if int(units.annotators.max(initial=0)) <= FEW:
        run.progress("aligning documents", 0, 1)
        found = align(units)
        run.progress("aligning documents", 1, 1)
        return found
    order = np.argsort(units.continuum, kind="stable")
    ends = np.searchsorted(units.continuum[order], np.arange(len(units.annotators) + 1))
    few = np.flatnonzero(units.annotators <= FEW)
    lots = [few, *(np.array([c]) for c in np.flatnonzero(units.annotators > FEW))] if len(few) else []
    lots = lots or [np.array([c]) for c in range(len(units.annotators))]
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


def _some(units: Units, lot: Ints, at: Ints) -> Units:
    """Some continua by themselves, renumbered."""
    number = np.searchsorted(lot, units.continuum[at])
    return Units(number, units.annotator[at], units.start[at], units.end[at], units.label[at], units.annotators[lot])
