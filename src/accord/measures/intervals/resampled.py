"""Intervals from resampling: bootstrap (percentiles, BCa) and jackknife, for every measure that can be drawn again.

One long continuum has no documents to draw again: stretches of it are drawn instead (`blocks`). That assumes that
stretches are alike (the continuum is the same throughout) and nearly independent: what is marked in one says little
about another. An alignment is never cut: where a measure has one, it says which stretch each part belongs to; other
measures cut only where no annotator has a unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.core.arrays import Floats
from accord.core.probability import normal_below, normal_quantile
from accord.core.result import Score
from accord.data.model.corpus import Corpus
from accord.measures.intervals.cases import SAME, Case, NotHere, by_t, noted, short_of_data
from accord.measures.resampling import Sampled

_MOST_LEFT_OUT = 2_000  # distinct rows that are left out one by one; more are left out in groups
_GROUPS = 200
FEW = 15  # below, intervals are often too short: docs/coverage.md
FEW_ITEMS = "{n} items: an interval from so few is often too short"
FEW_DOCUMENTS = "{n} documents: an interval from so few is often too short; compare with --interval jackknife"
FEWEST = 8  # stretches: below, their spread says nothing
_MOST = 100


def bootstrap(case: Case) -> Score:
    values, facts = _replicates(case)
    return _found(case, defined_values(values), case.tails, facts)


def bca(case: Case) -> Score:
    """Efron 1987: percentiles moved by the bias of the replicates (z0) and by the skew of the jackknife (a)."""
    values, facts = _replicates(case)
    defined = defined_values(values)
    left, times = _left_out(case, _units(case))
    off_value = defined - case.score.value
    bias = float((off_value < -SAME).mean() + (np.abs(off_value) <= SAME).mean() / 2)
    z0 = normal_quantile(min(max(bias, 1 / (len(defined) + 1)), len(defined) / (len(defined) + 1)))
    off = float(times @ left / times.sum()) - left
    spread = float(times @ off**2)
    acceleration = float(times @ off**3) / (6 * spread**1.5) if spread > 0 else 0.0
    corrected = Corrected(z0, acceleration)
    low, high = map(corrected.moved, case.tails)
    return _found(case, defined, (low, high), facts | {"bias": z0, "acceleration": acceleration}, corrected.back)


@dataclass(frozen=True)
class Corrected:
    """How BCa moves a share of the replicates, and back: where an end of the interval is, and the p of a value."""

    bias: float
    acceleration: float

    def moved(self, share: float) -> float:
        """The share of replicates below the end that should have this share of the distribution below it."""
        z = self.bias + normal_quantile(share)
        room = 1 - self.acceleration * z
        return normal_below(self.bias + z / room) if room > 0 else float(self.acceleration > 0)

    def back(self, share: float) -> float:
        """The share below a value, of which this share of replicates is below."""
        z = normal_quantile(share) - self.bias
        room = 1 + self.acceleration * z
        return normal_below(z / room - self.bias) if room > 0 else float(self.acceleration < 0)


def jackknife(case: Case) -> Score:
    """Each item or document left out once; value ± t·SE."""
    units = _units(case)
    left, times = _left_out(case, units)
    n = float(times.sum())
    mean = float(times @ left) / n
    variance = (n - 1) / n * float(times @ (left - mean) ** 2)
    facts: dict[str, Any] = {"left_out": round(n), "of": units.noun, "bias": (n - 1) * (mean - case.score.value)}
    error = case.chance_error
    if error or case.chance_counted:
        facts |= {"se_documents": math.sqrt(variance), "se_chance": error}
    return by_t(case, variance + error**2, n - 1, {"jackknife": facts})


def _units(case: Case) -> Sampled:
    """What is drawn again: distinct rows of items, documents."""
    found = case.measure.sampled(case.evidence, case.run, named=False)
    if found is None:
        raise NotHere("documents cannot be drawn again for this measure")
    if found.times.sum() < 2:
        raise NotHere(alone(case.measure.data))
    return found


def alone(kind: str) -> str:
    """Why one document has no interval, and what there is instead; by the kind of data."""
    if kind == "items":
        return "one item has no spread"
    way = "; for one long continuum there is --interval blocks" if kind == "units" else ""
    return f"one document has no spread{way}"


def _replicates(case: Case) -> tuple[Floats, dict[str, Any]]:
    facts: dict[str, Any] = {"replicates": case.settings.replicates}
    units = _units(case)
    values = units.bootstrapped(case.settings.replicates, case.run)
    if units.noun == "document":
        facts["documents"] = len(units)
    if units.chance_error or case.chance_counted:
        values, more = _with_chance(case, units, values, "documents")
        facts |= more
    return values, facts | {"undefined_replicates": int(np.isnan(values).sum())}


def _with_chance(case: Case, units: Sampled, values: Floats, noun: str) -> tuple[Floats, dict[str, Any]]:
    """Add the Monte Carlo error of chance: each replicate divides by another draw of the expected disorder.

    Also gives the two parts of the error, that of the resampled things (`noun`) and that of chance.
    """
    off = case.run.rng(4).normal(0.0, units.chance_error, len(values))
    both = 1.0 - (1.0 - values) / np.maximum(1.0 + off, 0.01)
    known = values[~np.isnan(values)]
    facts = {f"se_{noun}": float(known.std(ddof=1)) if len(known) > 1 else None, "se_chance": case.chance_error}
    return both, facts


def defined_values(values: Floats) -> Floats:
    defined = values[~np.isnan(values)]
    if len(defined) < 2:
        raise NotHere("the value is undefined on nearly all resamples")
    return defined


def by_percentiles(
    case: Case,
    defined: Floats,
    ends: tuple[float, float],
    facts: dict[str, Any],
    back: Callable[[float], float] = float,
) -> Score:
    """Error, interval and p from values that were drawn; `ends` are the shares below the two ends.

    `back` undoes what moved the ends, so that the value at the end of an interval of level 1 − p has this p.
    """
    null = case.settings.value
    above = defined - (null or 0.0)
    up_to, down_to = ((int(side.sum()) + 0.5) / (len(defined) + 1) for side in (above <= SAME, above >= -SAME))
    tail = min(back(up_to), 1 - back(1 - down_to))
    p = min(1.0, 2 * tail) if case.score.kind == "agreement" else None
    low, high = np.quantile(defined, ends)
    return replace(
        case.score,
        se=float(defined.std(ddof=1)),
        p=p if case.score.p is None or null is not None else case.score.p,  # some bring a test of chance along
        interval=case.interval(low, high),
        details={**case.score.details, **facts},
    )


def _found(
    case: Case,
    defined: Floats,
    ends: tuple[float, float],
    facts: dict[str, Any],
    back: Callable[[float], float] = float,
) -> Score:
    found = by_percentiles(case, defined, ends, {"bootstrap": facts}, back)
    few = facts.get("documents", FEW) < FEW
    return short_of_data(found, FEW_DOCUMENTS.format(n=facts["documents"])) if few else found


def _left_out(case: Case, units: Sampled) -> tuple[Floats, Floats]:
    """The values without one of each, and how often each occurs; in groups where there are very many."""
    times = units.times
    there = np.flatnonzero(times)
    if units.noun == "item" and len(there) > _MOST_LEFT_OUT:
        return _groups_left_out(case, units)
    case.run.progress("leaving out one at a time", 0, len(there))
    values = units.without_each()[there]
    case.run.progress("leaving out one at a time", len(there), len(there))
    if np.isnan(values).any():
        raise NotHere(f"without one of the {units.noun}s the value is undefined")
    return values, times[there]


def _groups_left_out(case: Case, units: Sampled) -> tuple[Floats, Floats]:
    """Shao & Tu 1995: random groups of equal size, left out one at a time."""
    rng = case.run.rng(5)
    owner = np.repeat(np.arange(len(units)), units.times.astype(np.int64))
    group = rng.permutation(np.arange(len(owner)) % _GROUPS)
    values = np.empty(_GROUPS)
    for g in range(_GROUPS):
        if g % 20 == 0:
            case.run.progress("leaving out groups", g, _GROUPS)
        out = np.bincount(owner[group == g], minlength=len(units))
        values[g] = units.values((units.times - out)[None, :])[0]
    if np.isnan(values).any():
        raise NotHere("without some of the items the value is undefined")
    return values, np.ones(_GROUPS)


# -- stretches of one continuum ------------------------------------------------------------------------------------


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
        values, errors = _with_chance(case, units, values, "stretches")
        facts |= errors
    defined = defined_values(values)
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
