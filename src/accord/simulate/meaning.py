"""What a value means here: which errors, of which size, would give it on this corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from accord.arrays import Floats
from accord.context import Run, silent
from accord.errors import DataError, SpecError, quoted
from accord.gold.consensus import Consensus, Rates, consensus, seats_of
from accord.io import read
from accord.measures.texts.text_gamma import TextGamma
from accord.model.corpus import Continuum, Corpus
from accord.model.labels import Categories
from accord.model.ratings import Ratings
from accord.model.segmentations import Segmentations
from accord.model.texts import Texts
from accord.simulate.curves import Curve
from accord.simulate.errors.base import ErrorType
from accord.simulate.errors.catalogue import error_type
from accord.simulate.grounds import AnyGround
from accord.simulate.grounds.columns import Ground, TextGround
from accord.simulate.grounds.items import ItemGround
from accord.simulate.grounds.tokens import TokenGround
from accord.simulate.kinds import Data, kind_of
from accord.simulate.meanings import Match, Meaning, sure
from accord.simulate.measured import TAKEN, WORDS
from accord.simulate.mixture import estimated
from accord.simulate.shuffle import Reference, check_seed, reference_of
from accord.simulate.values import Judge, judge
from accord.simulate.xray import Trials, carried_out, check_sets, magnitudes


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
    found = _annotated(data, reading)
    one, run = judge(_usual(found) if measure is None else measure), Run(check_seed(seed), progress, jobs)
    value, reason, one = _measured(one, found, run)
    if math.isnan(value):
        raise DataError(f"{one.name} is undefined on these data, so that no errors explain it: {reason}")
    if check_sets(sets) < 2:
        raise SpecError("meaning needs two sets at least: their spread gives the limits")
    reference, rates = _reference(found, one, gold, run)
    ground = reference.ground
    asked = [errors] if isinstance(errors, str | ErrorType) else errors
    tried = tuple(error_type(e) for e in asked) if asked is not None else fitting(one, ground)
    mixed = estimated(rates, ground, tried) if rates is not None else None
    wanted = (*tried, *((mixed,) if mixed is not None else ()))
    plan = Trials(reference, wanted, (one,), magnitudes(step), sets, found.n_annotators, seed)
    curves = carried_out(plan, run).curves
    matches = [_match(error, curve, value, ground) for error, curve in zip(wanted, curves, strict=True)]
    mixture = matches.pop() if mixed is not None else None
    source = _SOURCES.get(type(found), "consensus of the annotators") if gold is None else "gold standard"
    plain = one.measure is not None and one.name == one.measure.name  # with parameters the spec says more than a symbol
    symbol = one.measure.symbol if one.measure is not None and plain else ""
    return Meaning(value, one.name, found.n_annotators, source, tuple(matches), mixture, rates, symbol)


def _usual(data: Data) -> str:
    """The measure of such data; tγ takes its rates from them."""
    return "text_gamma" if isinstance(data, Texts) else kind_of(data).usual_measure


def _annotated(data: Any, reading: dict[str, Any]) -> Data:
    """Data of two annotators at least."""
    if isinstance(data, Continuum):
        data = data.alone
    if not isinstance(data, Data):
        data = read(data, **reading)
    if data.n_annotators < 2:
        raise DataError("only one annotator: there is no agreement to explain")
    found: Data = data
    return found


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
    reference = reference_of(gold, {})
    if type(reference.data) is not type(data):
        raise DataError(f"the gold standard has {reference.kind.things}, and these are {kind_of(data).things}")
    if isinstance(data, Ratings):
        return _of_items(reference.data, data)  # type: ignore[arg-type]
    other = sorted({*reference.data.docs} ^ {*data.docs})  # type: ignore[union-attr]
    if other:
        where = "gold standard" if other[0] in data.docs else "annotations"
        raise DataError(f"document {quoted(other[0])} is not in the {where}; both have the same documents")
    place = {name: k for k, name in enumerate(data.docs)}
    return Reference(reference.data, seats_of(data).at([place[name] for name in reference.data.docs]))  # type: ignore[union-attr]


def _of_items(gold: Ratings, data: Ratings) -> Reference:
    """Gold labels of the items that were annotated, in their order, with the categories of both."""
    if data.times is not None:
        raise DataError("counts do not say which item is which, so that a gold standard fits none; leave it out")
    named = {str(name): k for k, name in enumerate(gold.items)}
    lacking = next((name for name in data.items if str(name) not in named), None)
    if lacking is not None:
        raise DataError(f"item {quoted(lacking)} is not in the gold standard; it has a label of every item")
    both = (*data.categories.labels, *(lab for lab in gold.categories.labels if lab not in set(data.categories.labels)))
    code = {lab: k for k, lab in enumerate(both)}
    label = np.full(len(gold.items), -1, dtype=np.int64)
    label[gold.item] = np.array([code[lab] for lab in gold.categories.labels], dtype=np.int64)[gold.label]
    mine = label[[named[str(name)] for name in data.items]]
    there = np.flatnonzero(mine >= 0).astype(np.int32)
    categories = data.categories if len(both) == len(data.categories) else Categories(both, declared=True)
    wanted = Ratings(
        item=there,
        annotator=np.zeros_like(there),
        label=mine[there].astype(np.int32),
        items=data.items,
        annotators=("gold",),
        categories=categories,
    )
    return Reference(wanted, seats_of(data))


def _measured(one: Judge, data: Data, run: Run) -> tuple[float, str, Judge]:
    """The value, as precisely as was asked for; and the measure as it judges what is simulated.

    tγ keeps the rates that it found in the data: estimated anew, they would explain every change as chance.
    """
    if one.measure is None:
        return *one.value(data, run), one
    if not isinstance(data, TAKEN[one.measure.data]) and not (
        isinstance(data, Segmentations) and one.measure.data == "units"
    ):
        raise SpecError(f"{one.measure.name} is for {WORDS[one.measure.data]}; {_ADVICE[type(data)]}")
    evidence = one.measure.observe(one.fitting(data), run)
    score = one.measure.estimate(evidence)
    value = 1.0 - score.value if one.turned else score.value
    if isinstance(one.measure, TextGamma):
        rates = evidence.rates
        fixed = replace(one.measure, p_t=rates.text, p_s=rates.segmentation, prior_t=None, prior_s=None)
        one = Judge(fixed, label=one.label or one.name)
    return value, score.undefined or "", one


def fitting(one: Judge, ground: AnyGround) -> tuple[ErrorType, ...]:
    """The error types that can happen here, in a form that the measure can take."""
    return tuple(error_type(e) for e in _FITTING[type(ground)](one, ground))


def _of_units(one: Judge, ground: Ground) -> list[str]:
    on_a_line = one.measure is not None and "overlaps" in {f.name for f in fields(one.measure)}
    marks = ground.marks
    order = np.lexsort((marks.start, marks.doc))
    same = np.diff(marks.doc[order]) == 0
    apart = not ((marks.start[order][1:] < marks.end[order][:-1]) & same).any()
    how = "(overlap=false)" if on_a_line and apart else ""
    labels = ["category"] if len(ground.categories) > 1 else []
    return ["false_negative", f"shift{how}", *labels, "fragment", f"false_positive{how}"]


def _of_boundaries(_: Judge, ground: TextGround) -> list[str]:
    return ["false_negative", "shift", *(["category"] if len(ground.categories) > 1 else []), "false_positive"]


def _of_tokens(_: Judge, ground: TokenGround) -> list[str]:
    return [*(["category"] if len(ground.categories) > 1 else []), "token", "text"]


_FITTING: dict[type, Callable[[Judge, Any], list[str]]] = {
    Ground: _of_units,
    TextGround: _of_boundaries,
    ItemGround: lambda *_: ["category"],
    TokenGround: _of_tokens,
}
_SOURCES = {Texts: "version nearest to the others", Ratings: "most frequent labels"}
_ADVICE: dict[type, str] = {
    Corpus: "for units try gamma",
    Segmentations: "for segmentations try pi_star",
    Ratings: "for labels of items try alpha",
    Texts: "for texts try text_gamma",
}


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
