"""What a value means here: which errors, of which size, would give it on this corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.arrays import Floats
from accord.context import Run, silent
from accord.door import checks_options, opened
from accord.errors import DataError, SpecError
from accord.gold.consensus import Consensus, Rates, consensus, seats_of
from accord.kinds import kind_named
from accord.measures.texts.text_gamma import TextGamma
from accord.measures.units.timeline import PAIRS
from accord.model.data import Data
from accord.simulate.curves import Curve
from accord.simulate.errors.base import ErrorType
from accord.simulate.errors.catalogue import error_type
from accord.simulate.grounds import AnyGround
from accord.simulate.meanings import Match, Meaning, sure
from accord.simulate.measured import judged
from accord.simulate.mixture import estimated
from accord.simulate.shuffle import Reference, kinds_of_errors, reference_of
from accord.simulate.values import Judge, judge, kinds_of_judges
from accord.simulate.xray import Trials, carried_out, check_sets, magnitudes


@checks_options
def meaning(
    data: Any,
    measure: Any = None,
    *,
    gold: Any = None,
    errors: Sequence[Any] | str | ErrorType | None = None,
    step: float = 0.1,
    sets: int = 20,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> Meaning:
    """Which magnitude of which error gives the measured value: `meaning(corpus, "gamma")`.

    The reference is the consensus of the annotators, or `gold`. `errors` are the types to try, by default all that fit,
    and the measure is by default the usual one of such data.
    """
    run = Run(seed, progress, jobs)
    given = [errors] if isinstance(errors, str | ErrorType) else errors
    asked = None if given is None else tuple(error_type(e) for e in given)
    named = None if measure is None else judge(measure)
    kinds = kinds_of_errors(asked) or kinds_of_judges(() if named is None else (named,))
    found = opened(data, reading, kinds)
    if found.n_annotators < 2:
        raise DataError("only one annotator: there is no agreement to explain")
    one = judge(found.kind.main) if named is None else named
    value, reason, one = _measured(one, found, run)
    if math.isnan(value):
        raise DataError(f"{one.name} is undefined on these data, so no errors explain it: {reason}")
    if check_sets(sets) < 2:
        raise SpecError("meaning needs at least two sets: their spread gives the limits")
    reference, rates = _reference(found, one, gold, run)
    ground = reference.ground
    tried = asked if asked is not None else fitting(one, reference)
    mixed = estimated(rates, ground, tried) if rates is not None else None
    wanted = (*tried, *((mixed,) if mixed is not None else ()))
    plan = Trials(reference, wanted, (one,), magnitudes(step), sets, found.n_annotators, run.seed)
    curves = carried_out(plan, run).curves
    matches = [_match(error, curve, value, ground) for error, curve in zip(wanted, curves, strict=True)]
    mixture = matches.pop() if mixed is not None else None
    source = found.kind.consensus if gold is None else "gold standard"
    plain = one.measure is not None and one.name == one.measure.name  # with parameters the spec says more than a symbol
    symbol = one.measure.symbol if one.measure is not None and plain else ""
    return Meaning(value, one.name, found.n_annotators, source, tuple(matches), mixture, rates, symbol)


def _reference(data: Data, one: Judge, gold: Any, run: Run) -> tuple[Reference, Rates | None]:
    """What errors are measured from, and how the annotators differ from their consensus, where they have one."""
    standard = _standard(gold, data) if gold is not None else None
    try:
        made = consensus(data, one.measure, run)
    except DataError:
        if standard is None:
            raise
        return standard, None
    return standard or Reference(made.data, made.seats), made.rates


def _standard(gold: Any, data: Data) -> Reference:
    """A gold standard of the same documents, or items."""
    reference = reference_of(gold, {}, (data.kind.name,))
    if reference.data.kind is not data.kind:
        raise DataError(f"the gold standard has {reference.data.kind.things}, and these are {data.kind.things}")
    wanted = reference.shuffler.gold(reference.data, data)
    place = {name: k for k, name in enumerate(data.names)}
    return Reference(wanted, seats_of(data).at([place[name] for name in wanted.names]))


def _measured(one: Judge, data: Data, run: Run) -> tuple[float, str, Judge]:
    """The value, as precisely as was asked for; and the measure as it judges what is simulated.

    tγ keeps the rates that it found in the data: estimated again, they would explain every change as chance.
    """
    if one.measure is None:
        return *one.value(data, run), one
    if not judged(data.kind, one.measure):
        wanted = kind_named(one.measure.data)
        raise SpecError(
            f"{one.measure.name} is for {wanted.words} ({wanted.columns}); for {data.kind.words} try {data.kind.main}"
        )
    evidence = one.measure.observe(one.fitting(data), run)
    score = one.measure.estimate(evidence)
    value = 1.0 - score.value if one.turned else score.value
    if isinstance(one.measure, TextGamma):
        rates = evidence.rates
        fixed = replace(one.measure, p_t=rates.text, p_s=rates.segmentation, prior_t=None, prior_s=None)
        one = Judge(fixed, label=one.label or one.name)
    return value, score.undefined or "", one


def fitting(one: Judge, reference: Reference) -> tuple[ErrorType, ...]:
    """The error types that can happen here, in a form that the measure can take."""
    on_a_line = getattr(one.measure, "overlaps", PAIRS) != PAIRS
    return tuple(error_type(e) for e in reference.shuffler.fitting(reference.ground, on_a_line))


def _match(error: ErrorType, curve: Curve, value: float, ground: AnyGround) -> Match:
    """Where the falling mean meets the value, and all magnitudes at which the value is not unusual."""
    there = ~np.isnan(curve.mean)
    if not there.any():
        return Match(error, None, math.nan, math.nan, "", 0.0, curve)
    fine = np.linspace(0, float(curve.magnitudes[there][-1]), 2001)
    mean = np.interp(fine, curve.magnitudes[there], curve.mean[there])
    known = ~np.isnan(curve.spread)
    spread = np.interp(fine, curve.magnitudes[known], curve.spread[known]) if known.any() else np.zeros_like(fine)
    near = np.abs(mean - value) <= sure(curve.sets) * spread * math.sqrt(1 + 1 / curve.sets) + 1e-12
    low, high = (float(fine[near][0]), float(fine[near][-1])) if near.any() else (math.nan, math.nan)
    met = np.flatnonzero(_falling(mean) <= value + 1e-12)
    if not len(met):
        return Match(error, None, low, high, "", 0.0, curve)
    at = float(fine[met[0]])
    low, high = (low, high) if near.any() and low <= at <= high else (at, at)
    return Match(error, at, low, high, error.in_words(at, ground), float(spread[met[0]]), curve)


def _falling(mean: Floats) -> Floats:
    return np.minimum.accumulate(mean)


__all__ = ["Consensus", "Match", "Meaning", "meaning"]
