"""Intervals from resampling items or documents: bootstrap (percentiles, BCa) and jackknife.

A single long continuum has no documents to resample. `blocks` resamples stretches of it instead, and assumes that the
stretches are similar and nearly independent. Alignments are never cut: a measure with an alignment assigns each part
of it to a stretch, and other measures cut only where no annotator has a unit.
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

_MOST_LEFT_OUT = 2_000  # with more distinct rows, the jackknife leaves out groups
_GROUPS = 200
FEW = 15  # with fewer items or documents, intervals are often too short: docs/coverage.md
FEW_ITEMS = "only {n} items: the interval may be too short"
FEW_DOCUMENTS = "only {n} documents: the interval may be too short; compare with --interval jackknife"
FEWEST = 8  # stretches needed to estimate their variance
_MOST = 100


def bootstrap(case: Case) -> Score:
    values, facts = _replicates(case)
    return _found(case, defined_values(values), case.tails, facts)


def bca(case: Case) -> Score:
    """Return Efron's (1987) BCa interval: percentiles corrected for bias (z0) and acceleration (a)."""
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
    """The BCa correction of percentiles, and its inverse, which gives the p of a value."""

    bias: float
    acceleration: float

    def moved(self, share: float) -> float:
        """Return the corrected percentile of a nominal percentile."""
        z = self.bias + normal_quantile(share)
        room = 1 - self.acceleration * z
        return normal_below(self.bias + z / room) if room > 0 else float(self.acceleration > 0)

    def back(self, share: float) -> float:
        """Return the nominal percentile of a corrected percentile."""
        z = normal_quantile(share) - self.bias
        room = 1 + self.acceleration * z
        return normal_below(z / room - self.bias) if room > 0 else float(self.acceleration < 0)


def jackknife(case: Case) -> Score:
    """Return value ± t·SE from leaving out each item or document once."""
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
    """Return the resampling units: distinct rows of items, or documents."""
    found = case.measure.sampled(case.evidence, case.run, named=False)
    if found is None:
        raise NotHere("documents cannot be resampled for this measure")
    if found.times.sum() < 2:
        raise NotHere(alone(case.measure.data))
    return found


def alone(kind: str) -> str:
    """Return why one item or document gives no interval, and the alternative for this kind of data."""
    if kind == "items":
        return "an interval needs at least two items"
    way = "; for one long continuum use --interval blocks" if kind == "units" else ""
    return f"an interval needs at least two documents{way}"


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
    """Add the Monte Carlo error of chance: each replicate uses another draw of the expected disorder.

    Also returns the two components of the error: sampling of `noun`, and chance.
    """
    off = case.run.rng(4).normal(0.0, units.chance_error, len(values))
    both = 1.0 - (1.0 - values) / np.maximum(1.0 + off, 0.01)
    known = values[~np.isnan(values)]
    facts = {f"se_{noun}": float(known.std(ddof=1)) if len(known) > 1 else None, "se_chance": case.chance_error}
    return both, facts


def defined_values(values: Floats) -> Floats:
    defined = values[~np.isnan(values)]
    if len(defined) < 2:
        raise NotHere("the value is undefined for nearly all resamples")
    return defined


def by_percentiles(
    case: Case,
    defined: Floats,
    ends: tuple[float, float],
    facts: dict[str, Any],
    back: Callable[[float], float] = float,
) -> Score:
    """Return the score with error, interval and p from resampled values.

    `ends` are the percentiles of the two ends. `back` inverts the correction of these percentiles, so that p is
    consistent with the interval: the end of an interval of level 1 − p has this p.
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
        p=p if case.score.p is None or null is not None else case.score.p,  # some measures have their own test
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
    """Return the values without each unit and the number of its occurrences; by groups if there are many units."""
    times = units.times
    there = np.flatnonzero(times)
    if units.noun == "item" and len(there) > _MOST_LEFT_OUT:
        return _groups_left_out(case, units)
    case.run.progress("leaving out one at a time", 0, len(there))
    values = units.without_each()[there]
    case.run.progress("leaving out one at a time", len(there), len(there))
    if np.isnan(values).any():
        raise NotHere(f"the value is undefined without one of the {units.noun}s")
    return values, times[there]


def _groups_left_out(case: Case, units: Sampled) -> tuple[Floats, Floats]:
    """Leave out random groups of equal size, one at a time (Shao & Tu 1995)."""
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
        raise NotHere("the value is undefined without some of the items")
    return values, np.ones(_GROUPS)


# -- stretches of one continuum ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cut:
    """The positions at which a continuum is cut."""

    places: Floats

    @property
    def stretches(self) -> int:
        return len(self.places) + 1


def blocks(case: Case) -> Score:
    """Return percentiles over resampled stretches, n^(2/3) of them for n unitary alignments or units."""
    corpus = case.measure.continua(case.evidence)
    if corpus is None:
        raise NotHere("it needs units on a continuum")
    if case.score.n > 1:
        raise NotHere("it is for a single document; use --interval bootstrap")
    units = _stretches(case, corpus)
    value, values = units.value, units.bootstrapped(case.settings.replicates, case.run)
    facts: dict[str, Any] = {"stretches": len(units), "replicates": case.settings.replicates}
    if units.chance_error:
        values, errors = _with_chance(case, units, values, "stretches")
        facts |= errors
    defined = defined_values(values)
    # Scoring the stretches separately may shift the value slightly, so only their spread is used.
    low, high = np.quantile(defined, case.tails) + (case.score.value - value)
    found = replace(
        case.score,
        se=float(defined.std(ddof=1)),
        interval=case.interval(low, high),
        details={**case.score.details, "blocks": facts},
    )
    return noted(
        found, f"the interval resamples {len(units)} stretches and assumes that they are similar and independent"
    )


def _how_many(n: int, what: str) -> int:
    wanted = min(_MOST, round(n ** (2 / 3)))
    if wanted < FEWEST:
        raise NotHere(f"{n} {what} are too few for {FEWEST} stretches")
    return wanted


def _stretches(case: Case, corpus: Corpus) -> Sampled:
    """Return stretches of the alignment, or else pieces of the continuum cut where no annotator has a unit."""
    parts = case.measure.divisible(case.evidence)
    if parts is not None:
        return parts.into(_how_many(parts.parts, parts.noun))
    doc = int(np.flatnonzero(corpus.comparable)[0])
    alone = corpus.only_docs(np.arange(len(corpus.docs)) == doc)
    pieces = cut_into(alone, _how_many(len(alone) // max(1, alone.n_annotators), "units per annotator"))
    found = case.measure.sampled(case.measure.observe(pieces, case.run), case.run)
    if found is None or len(found) < FEWEST:
        raise NotHere("stretches cannot be resampled for this measure")
    return found


def cut_into(corpus: Corpus, wanted: int) -> Corpus:
    """Cut a document into several at positions without units, as evenly as possible."""
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
        raise NotHere("the continuum has no position without units at which to cut it")
    at = np.abs(candidates[None, :] - even[:, None]).argmin(axis=1)
    cut = Cut(np.unique(candidates[at]))
    if cut.stretches < FEWEST:
        raise NotHere(f"the gaps that all annotators share allow only {cut.stretches} stretches")
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
