"""What a value means here: which errors, of which size, would give it on this corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from accord.answers.consensus.making import Consensus, consensus, seats_of
from accord.answers.simulate.curves import Curve
from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.errors.catalogue import error_type
from accord.answers.simulate.errors.combination import Combination
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.meanings import Match, Meaning, sure
from accord.answers.simulate.measured import judged
from accord.answers.simulate.mixture import SETS, Mixing
from accord.answers.simulate.shuffle import Reference, kinds_of_errors, reference_of
from accord.answers.simulate.values import Judge, judge, kinds_of_judges
from accord.answers.simulate.xray import Trials, carried_out, check_sets, magnitudes
from accord.core.arrays import Floats
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError
from accord.data.door import checks_options, opened
from accord.data.kinds import kind_named
from accord.data.model.data import Data


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
    given = errors if errors is None or isinstance(errors, list | tuple) else [errors]
    asked = None if given is None else tuple(error_type(e) for e in given)
    named = None if measure is None else judge(measure)
    kinds = kinds_of_errors(asked) or kinds_of_judges(() if named is None else (named,))
    found = opened(data, reading, kinds, run)
    if found.n_annotators < 2:
        raise DataError("only one annotator: there is no agreement to explain")
    one = judge(found.kind.main) if named is None else named
    value, reason, one = _measured(one, found, run)
    if math.isnan(value):
        raise DataError(f"{one.name} is undefined on these data, so no errors explain it: {reason}")
    if check_sets(sets) < 2:
        raise SpecError("meaning needs at least two sets: their spread gives the limits")
    reference, agreed = _reference(found, one, gold, run)
    tried = asked if asked is not None else fitting(one, reference)
    if not tried:
        raise SpecError("errors: name one at least, or leave it out")

    def matched(errors: tuple[ErrorType, ...]) -> tuple[Match, ...]:
        plan = Trials(reference, errors, (one,), magnitudes(step), sets, found.n_annotators, run.seed)
        curves = carried_out(plan, run).curves
        return tuple(_match(e, curve, value, reference.ground) for e, curve in zip(errors, curves, strict=True))

    matches = matched(tried)
    mixture = _mixture(agreed, reference, matches, matched, one, run) if agreed is not None and value < 1 else None
    source = found.kind.consensus if gold is None else "gold standard"
    rates = agreed.rates if agreed is not None else None
    plain = one.measure is not None and one.name == one.measure.name  # with parameters the spec says more than a symbol
    symbol = one.measure.symbol if one.measure is not None and plain else ""
    return Meaning(value, one.name, found.n_annotators, source, matches, mixture, rates, symbol, one.chance_on(found))


def _reference(data: Data, one: Judge, gold: Any, run: Run) -> tuple[Reference, Consensus | None]:
    """What errors are measured from, and the consensus of the annotators, where they have one."""
    standard = _standard(gold, data) if gold is not None else None
    try:
        made = consensus(data, one.measure, run)
    except DataError:
        if standard is None:
            raise
        return standard, None
    return standard or Reference(made.data, made.seats), made


def _mixture(
    agreed: Consensus,
    reference: Reference,
    matches: tuple[Match, ...],
    matched: Callable[[tuple[ErrorType, ...]], tuple[Match, ...]],
    one: Judge,
    run: Run,
) -> Match | None:
    """The errors that explain how the annotators differ; how large all of them are is left to the value."""
    high = {m.error: m.high if m.magnitude is not None else 1.0 for m in matches if len(m.error.single) == 1}
    most = {error: size for error, size in high.items() if size > 0}
    sets = min(max(matches[0].curve.sets, SETS[0]), SETS[1])
    mixed = Mixing(agreed, reference, most, agreed.seats.annotators, one.measure, sets, run).found()
    if mixed is None:
        return None
    if len(mixed.parts) == 1:
        return next(m for m in matches if m.error == mixed.parts[0])
    sizes = mixed.magnitudes(1.0)
    return matched((Combination(mixed.parts, tuple(round(size / max(sizes), 3) for size in sizes)),))[0]


def _standard(gold: Any, data: Data) -> Reference:
    """A gold standard of the same documents, or items."""
    reference = reference_of(gold, {}, (data.kind.name,))
    if reference.data.kind is not data.kind:
        raise DataError(f"the gold standard has {reference.data.kind.things}, and these are {data.kind.things}")
    wanted = reference.shuffler.gold(reference.data, data)
    place = {name: k for k, name in enumerate(data.names)}
    return Reference(wanted, seats_of(data).at([place[name] for name in wanted.names]))


def _measured(one: Judge, data: Data, run: Run) -> tuple[float, str, Judge]:
    """The value, as precisely as was asked for; and the measure as it judges what is simulated."""
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
    fixed = one.measure.as_found(evidence)
    known = one if fixed == one.measure else Judge(fixed, label=one.label or one.name)
    return value, score.undefined or "", known


def fitting(one: Judge, reference: Reference) -> tuple[ErrorType, ...]:
    """The error types that can happen here, in a form that the measure can take."""
    return tuple(error_type(e) for e in reference.shuffler.fitting(reference.ground, one.on_a_line))


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
