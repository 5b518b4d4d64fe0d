"""Consensus of texts: the version of each document nearest to all others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accord.answers.gold.consensus import NAME, Consensus, Rates, Seats, align_for_consensus
from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.model.texts import BASE, Texts
from accord.measures.measure import Measure


def consensus(data: Texts, measure: Measure | None, run: Run) -> Consensus:
    """Return the version nearest to the others, which is one annotator's text. Ties choose the first annotator."""
    ready, compared = align_for_consensus(data, measure, run)
    doc, one, other = ready.pairs.T
    disorder = compared.kinds_by_pair.sum(axis=1)
    total = np.bincount(one, disorder, minlength=len(data.strings)) + np.bincount(
        other, disorder, minlength=len(data.strings)
    )
    nearest = np.array([min(annotator, key=lambda v: (round(float(total[v]), 9), v)) for annotator in ready.members])
    alone = np.array([v for d in range(len(data.docs)) if len(data.versions(d)) == 1 for v in data.versions(d)], int)
    chosen = np.zeros(len(data.strings), dtype=bool)
    chosen[nearest] = True
    chosen[alone] = True
    mine = chosen | (data.version_annotator == BASE)
    kept = data.only_versions(mine)
    annotator = np.where(kept.version_annotator == BASE, BASE, 0)
    reference = replace(kept, version_annotator=annotator, annotators=(NAME,), notes=())
    seats_ = seats(data)
    if not len(reference):
        raise DataError(
            "nothing-annotated",
            "the texts have no tokens, so there is no consensus; choose an annotator with --reference NAME, or a gold "
            "standard with --gold FILE",
        )
    beside = np.flatnonzero((one == nearest[doc]) | (other == nearest[doc]))
    alignments = compared.alignments
    units = float(ready.versions.units[nearest[doc[beside]]].sum())
    labels = alignments.parts[np.isin(alignments.owner, beside), 1:]
    causes = dict(zip(("text", "segmentation", *ready.features), compared.kinds.sum(axis=0).tolist(), strict=True))
    whole = sum(causes.values())
    rates = Rates(
        text=float(alignments.changed[beside].sum()) / units
        if units
        else 0.0,  # the version nearest to empty texts is empty
        token=float(alignments.boundaries[beside].sum()) / 2 / units if units else 0.0,
        wrong=float((labels > 0).any(axis=1).mean()) if labels.size else 0.0,
        disorder={name: cost / whole for name, cost in causes.items()} if whole > 0 else {},
    )
    return Consensus(reference, seats_, seats_.each, rates)


def seats(data: Texts) -> Seats:
    own = data.version_annotator != BASE
    return Seats.of(data.version_doc[own], data.version_annotator[own], len(data.docs), len(data.annotators))
