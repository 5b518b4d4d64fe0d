"""One long continuum has no documents to draw again: stretches of it are drawn instead.

It assumes that stretches are alike (the continuum is the same throughout) and nearly independent: what is marked in
one says little about another. An alignment is never cut: where a measure has one, it says which stretch each part
belongs to; other measures cut only where no annotator has a unit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.core.arrays import Floats
from accord.core.result import Score
from accord.data.model.corpus import Corpus
from accord.measures.intervals.cases import Case, NotHere, noted
from accord.measures.resampling import Sampled

FEWEST = 8  # stretches: below, their spread says nothing
_MOST = 100


@dataclass(frozen=True)
class Cut:
    """Where a continuum is cut."""

    places: Floats

    @property
    def stretches(self) -> int:
        return len(self.places) + 1


def blocks(case: Case) -> Score:
    """Percentiles over stretches drawn again; as many stretches as n^(2/3), n being the unitary alignments or units."""
    corpus = case.measure.continua(case.evidence)
    if corpus is None:
        raise NotHere("it is for units on a continuum")
    if case.score.n > 1:
        raise NotHere("there are several documents to draw again: --interval bootstrap")
    units = _stretches(case, corpus)
    value, values = units.value, units.bootstrapped(case.settings.replicates, case.run)
    facts: dict[str, Any] = {"stretches": len(units), "replicates": case.settings.replicates}
    if units.chance_error:
        off = case.run.rng(4).normal(0.0, units.chance_error, len(values))
        known = values[~np.isnan(values)]
        facts |= {"se_stretches": float(known.std(ddof=1)), "se_chance": case.chance_error}
        values = 1.0 - (1.0 - values) / np.maximum(1.0 + off, 0.01)
    defined = values[~np.isnan(values)]
    if len(defined) < 2:
        raise NotHere("the value is undefined on nearly all resamples")
    # Pieces are compared on their own, which may move the value a little: the spread is what is taken over.
    low, high = np.quantile(defined, case.tails) + (case.score.value - value)
    found = replace(
        case.score,
        se=float(defined.std(ddof=1)),
        interval=case.interval(*case.cut(low, high)),
        details={**case.score.details, "blocks": facts},
    )
    return noted(found, f"{len(units)} stretches drawn again: assumes that they are alike and nearly independent")


def _how_many(n: int, what: str) -> int:
    wanted = min(_MOST, round(n ** (2 / 3)))
    if wanted < FEWEST:
        raise NotHere(f"{n} {what} are too few to cut the continuum into at least {FEWEST} stretches")
    return wanted


def _stretches(case: Case, corpus: Corpus) -> Sampled:
    """Of what is compared already; else the continuum cut into documents where nobody has a unit."""
    parts = case.measure.divisible(case.evidence)
    if parts is not None:
        return parts.into(_how_many(parts.parts, parts.noun))
    doc = int(np.flatnonzero(corpus.comparable)[0])
    alone = corpus.only_docs(np.arange(len(corpus.docs)) == doc)
    pieces = cut_into(alone, _how_many(len(alone) // max(1, alone.n_annotators), "units per annotator"))
    found = case.measure.sampled(case.measure.observe(pieces, case.run), case.run)
    if found is None or len(found) < FEWEST:
        raise NotHere("stretches cannot be drawn again for this measure")
    return found


def cut_into(corpus: Corpus, wanted: int) -> Corpus:
    """One document as several: cut at free places, as near to even stretches as there are any."""
    order = np.argsort(corpus.start, kind="stable")
    reached = np.maximum.accumulate(corpus.end[order])
    later = corpus.start[order][1:]
    free = np.flatnonzero(later >= reached[:-1])
    candidates = (reached[:-1][free] + later[free]) / 2
    step = 1.0 if (np.concatenate([corpus.start, corpus.end]) % 1 == 0).all() else 0.0
    candidates = np.maximum(np.floor(candidates), reached[:-1][free]) if step else candidates
    begin, end = corpus.extents[0]
    even = begin + (end - begin) * np.arange(1, wanted) / wanted
    if not len(candidates):
        raise NotHere("there is no place at which all annotators have a gap: nowhere to cut the continuum")
    at = np.abs(candidates[None, :] - even[:, None]).argmin(axis=1)
    cut = Cut(np.unique(candidates[at]))
    if cut.stretches < FEWEST:
        raise NotHere(f"it can be cut into {cut.stretches} stretches only, where all annotators have a gap")
    borders = np.concatenate([[begin], cut.places, [end]])
    doc = np.clip(np.searchsorted(cut.places, corpus.start, side="right"), 0, cut.stretches - 1)
    return replace(
        corpus,
        doc=doc,
        docs=tuple(str(k + 1) for k in range(cut.stretches)),
        extents=np.stack([borders[:-1], borders[1:]], axis=1),
        extent_given=np.ones(cut.stretches, dtype=bool),
        judged=np.repeat(corpus.judged, cut.stretches, axis=0),
        texts={},
    )
