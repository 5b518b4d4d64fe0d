"""Alignments of many continua: few annotators in one batch, many annotators one continuum after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np

from accord.alignment.best import Alignment, best_alignment, best_soft_alignment
from accord.alignment.units import Ints, Units
from accord.context import Run
from accord.dissimilarities import Dissimilarity
from accord.parallel import spread

FEW = 6  # annotators; with more of them a continuum is work enough for one core


def aligner(dissimilarity: Dissimilarity, soft: bool) -> Callable[[Units], Alignment]:
    """The best alignment, or the best soft one, as a function that can be sent to a worker."""
    return partial(best_soft_alignment if soft else best_alignment, dissimilarity=dissimilarity)


def align_all(units: Units, align: Callable[[Units], Alignment], run: Run) -> Alignment:
    """The best alignment of every continuum."""
    if int(units.annotators.max(initial=0)) <= FEW:
        run.progress("aligning documents", 0, 1)
        found = align(units)
        run.progress("aligning documents", 1, 1)
        return found
    order = np.argsort(units.continuum, kind="stable")
    ends = np.searchsorted(units.continuum[order], np.arange(len(units.annotators) + 1))
    members = [order[a:b] for a, b in pairwise(ends)]
    parts = spread(align, [_one(units, c, at) for c, at in enumerate(members)], run, "aligning documents")
    before = np.cumsum([0, *(len(part.disorder) for part in parts)])
    return Alignment(
        units,
        np.concatenate([part.members_group + k for part, k in zip(parts, before, strict=False)]),
        np.concatenate([at[part.members_unit] for part, at in zip(parts, members, strict=True)]),
        np.concatenate([part.disorder for part in parts]),
        np.concatenate([part.gap for part in parts]),
    )


def _one(units: Units, continuum: int, at: Ints) -> Units:
    """A continuum by itself."""
    zero = np.zeros(len(at), dtype=np.int64)
    size = units.annotators[continuum : continuum + 1]
    return Units(zero, units.annotator[at], units.start[at], units.end[at], units.label[at], size)
