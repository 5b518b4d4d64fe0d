"""What a value means here: which errors, of which size, would give it on this corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from accord.context import Run, silent
from accord.errors import DataError, SpecError, quoted
from accord.gold.consensus import Consensus, Rates, consensus
from accord.io import read
from accord.measures.aligned import AlignedMeasure
from accord.measures.gamma import Gamma
from accord.model.corpus import Continuum, Corpus
from accord.model.ratings import Ratings
from accord.model.segmentations import Segmentations
from accord.simulate.base import ErrorType
from accord.simulate.catalogue import error_type
from accord.simulate.columns import Floats, Ground, TextGround
from accord.simulate.curves import Curve
from accord.simulate.mixture import estimated
from accord.simulate.shuffle import Reference, check_seed, reference_of
from accord.simulate.values import Judge, judge
from accord.simulate.wording import number
from accord.simulate.xray import Plan, carried_out, check_sets, magnitudes

_SURE = 1.96
_SYMBOLS = {"gamma": "γ", "gamma_cat": "γ_cat", "u_alpha": "uα", "cu_alpha": "cuα", "kappa_d": "κ_d", "alpha_u": "α_U"}
COLUMNS = ("error", "magnitude", "low", "high", "words")


@dataclass(frozen=True, eq=False)
class Match:
    """An error type, and the magnitude at which it gives the value; None where no magnitude does."""

    error: ErrorType
    magnitude: float | None
    low: float  # the magnitudes at which the value is not unusual (95%)
    high: float
    words: str
    spread: float  # standard deviation of the values at this magnitude
    curve: Curve


@dataclass(frozen=True, eq=False)
class Meaning:
    """A value and the errors that would give it."""

    value: float
    measure: str
    annotators: int
    reference: str  # consensus, or gold
    matches: tuple[Match, ...]
    mixture: Match | None
    rates: Rates | None

    @property
    def every(self) -> tuple[Match, ...]:
        """The error types, and their mixture where there is one."""
        return (*self.matches, *((self.mixture,) if self.mixture is not None else ()))

    @property
    def interval(self) -> tuple[float, float]:
        """Values that annotators of the same errors would also get (95%)."""
        known = [m.spread for m in self.every if m.magnitude is not None]
        half = _SURE * float(np.mean(known)) if known else 0.0
        return self.value - half, min(self.value + half, 1.0)

    def rows(self) -> list[tuple[Any, ...]]:
        return [(str(m.error), m.magnitude, m.low, m.high, m.words) for m in self.every]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """In words."""
        low, high = self.interval
        name = _SYMBOLS.get(self.measure, self.measure)
        reached = [m for m in self.matches if m.magnitude is not None]
        said = f"{name} = {self.value:.2f} [{low:.2f}, {high:.2f}]"
        if not reached:
            lines = [f"{said}: no error type alone brings {number(self.annotators)} annotators there."]
        else:
            words = ", or ".join(m.words for m in reached)
            lines = [f"{said} is what {number(self.annotators)} annotators reach here who each {words}."]
        for match in self.matches:
            lines.append(f"  {match.error}: {_magnitude(match)}")
        if self.mixture is not None:
            best = self.mixture.words if self.mixture.magnitude is not None else "no size of it gives the value"
            lines.append(f"The mixture that explains these annotations best: annotators who each {best}.")
            lines.append(f"  {self.mixture.error}: {_magnitude(self.mixture)}")
        if self.rates is not None and self.rates.disorder:
            parts = sorted(self.rates.disorder.items(), key=lambda item: -item[1])
            shares = ", ".join(f"{name} {share:.0%}" for name, share in parts if share >= 0.005)
            lines.append(f"The disorder of the best alignment comes from: {shares}.")
        lines.append(f"Errors are measured from the {self.reference}; magnitudes with 95% limits.")
        return lines

    def plot(self, path: str | Path) -> None:
        """The curves, with the measured value marked on them."""
        from accord.simulate.plot import figure

        panels = {"mixture" if m is self.mixture else str(m.error): [m.curve] for m in self.every}
        figure(panels, Path(path), f"{self.measure} = {self.value:.3f}", mark=self.value)


def _magnitude(match: Match) -> str:
    if match.magnitude is None:
        there = ~np.isnan(match.curve.mean)
        if not there[1:].any():
            return f"undefined here: {next((r for r in match.curve.reasons if r), 'no value')}"
        return f"not reached: the mean stays at {float(np.nanmin(match.curve.mean)):.3f} or above"
    return f"magnitude {match.magnitude:.3f} [{match.low:.3f}, {match.high:.3f}]"


def meaning(
    data: Any,
    measure: Any = "gamma",
    *,
    gold: Any = None,
    errors: Sequence[Any] | None = None,
    step: float = 0.1,
    sets: int = 20,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> Meaning:
    """Which magnitude of which error gives the measured value: `meaning(corpus, "gamma")`.

    The reference is the consensus of the annotators, or `gold`. `errors` are the types to try, by default all that fit.
    """
    corpus = _units_or_segments(data, reading)
    one, run = judge(measure), Run(check_seed(seed), progress, jobs)
    value, reason = _measured(one, corpus, run)
    if math.isnan(value):
        raise DataError(f"{one.name} is undefined on these data, so that no errors explain it: {reason}")
    aligned = one.measure if isinstance(one.measure, AlignedMeasure) else Gamma()
    made = consensus(corpus, aligned, run)
    reference = Reference(made.data, made.judged) if gold is None else _standard(gold, corpus)
    many = made.judged.shape[1]
    ground = reference.ground
    tried = tuple(error_type(e) for e in errors) if errors is not None else fitting(one, ground)
    mixed = estimated(made.rates, ground, tried)
    wanted = (*tried, *((mixed,) if mixed is not None else ()))
    plan = Plan(reference, wanted, (one,), magnitudes(step), check_sets(sets), many, seed)
    curves = carried_out(plan, run).curves
    found = [_match(error, curve, value, ground) for error, curve in zip(wanted, curves, strict=True)]
    mixture = found.pop() if mixed is not None else None
    told = "consensus of the annotators" if gold is None else "gold standard"
    return Meaning(value, one.name, corpus.n_annotators, told, tuple(found), mixture, made.rates)


def _units_or_segments(data: Any, reading: dict[str, Any]) -> Corpus | Segmentations:
    if isinstance(data, Continuum):
        data = data.alone
    if not isinstance(data, Corpus | Segmentations | Ratings):
        data = read(data, **reading)
    if not isinstance(data, Corpus | Segmentations):
        raise DataError("meaning is for units and segmentations, and these are labels of items")
    if data.n_annotators < 2:
        raise DataError("only one annotator: there is no agreement to explain")
    return data


def _standard(gold: Any, corpus: Corpus | Segmentations) -> Reference:
    """A gold standard of the same documents."""
    reference = reference_of(gold, {})
    other = sorted({*reference.data.docs} ^ {*corpus.docs})
    if other:
        where = "gold standard" if other[0] in corpus.docs else "annotations"
        raise DataError(f"document {quoted(other[0])} is not in the {where}; both have the same documents")
    return reference


def _measured(one: Judge, data: Corpus | Segmentations, run: Run) -> tuple[float, str]:
    """The value itself is computed as precisely as was asked for."""
    if one.measure is None:
        return one.value(data, run)
    if one.measure.data == "items":
        raise SpecError(f"{one.measure.name} is for labels of items; for units try gamma, for segmentations pi_star")
    found = one.measure.estimate(one.measure.observe(one.fitting(data), run))
    return 1.0 - found.value if one.turned else found.value, found.undefined or ""


def fitting(one: Judge, ground: Ground | TextGround) -> tuple[ErrorType, ...]:
    """The error types that can happen here, in a form that the measure can take."""
    if isinstance(ground, TextGround):
        return tuple(error_type(e) for e in ("false_negative", "shift", "false_positive"))
    on_a_line = one.measure is not None and "overlaps" in {f.name for f in fields(one.measure)}
    marks = ground.marks
    order = np.lexsort((marks.start, marks.doc))
    same = np.diff(marks.doc[order]) == 0
    apart = not ((marks.start[order][1:] < marks.end[order][:-1]) & same).any()
    made = ["false_negative", "shift(overlap=false)" if on_a_line and apart else "shift"]
    made += ["category"] if len(ground.categories) > 1 else []
    return tuple(error_type(e) for e in (*made, "fragment", "false_positive"))


def _match(error: ErrorType, curve: Curve, value: float, ground: Ground | TextGround) -> Match:
    """Where the falling mean meets the value, and all magnitudes at which the value is not unusual."""
    there = ~np.isnan(curve.mean)
    if not there.any():
        return Match(error, None, math.nan, math.nan, "", 0.0, curve)
    fine = np.linspace(0, float(curve.magnitudes[there][-1]), 2001)
    mean = np.interp(fine, curve.magnitudes[there], curve.mean[there])
    spread = np.interp(fine, curve.magnitudes[there], (curve.error_of_mean * math.sqrt(curve.sets))[there])
    near = np.abs(mean - value) <= _SURE * np.hypot(spread, spread / math.sqrt(curve.sets)) + 1e-12
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
