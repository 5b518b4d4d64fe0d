"""Checks of claims about curves, first under one setting, then under all.

A check takes all curves of a setting and returns a finding: the claim holds, does not hold, or is undecided because of
noise. A verdict combines the findings of all settings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from accord.answers.simulate.xray import Curve
from accord.core.arrays import Floats
from accord.core.probability import normal_below, t_quantile
from studies.experiments import EXPERIMENTS, Experiment

Curves = Mapping[tuple[str, str], Curve]
# Standard errors. Smaller differences are noise.
_NOISE = 2.0
# Standard errors of a rise between any two magnitudes: about the 5% point of the range of 21 means.
_RISE = 3.5
_SAME = 1e-12
_SETS = 40  # sets at each magnitude in the papers of 2012 and 2015


class Outcome(Enum):
    """Outcome of a claim under one setting."""

    HOLDS = "holds"
    FAILS = "does not hold"
    NOISE = "undecided"


class Finding(NamedTuple):
    """Outcome under one setting, with its numbers."""

    outcome: Outcome
    numbers: str


Check = Callable[[Curves], Finding]


@dataclass(frozen=True)
class Claim:
    """A statement of a paper. `reads` names its experiments, `why` explains settings where it does not hold."""

    key: str
    figure: str
    experiment: str
    measure: str
    text: str
    reads: tuple[str, ...]
    check: Check
    why: str = ""


def decided(holds: object, numbers: str) -> Finding:
    """Return a finding without noise: holds or fails."""
    return Finding(Outcome.HOLDS if holds else Outcome.FAILS, numbers)


def both(*checks: Check) -> Check:
    """Combine checks: the worst outcome decides (fails, then noise, then holds)."""

    def check(c: Curves) -> Finding:
        found = [one(c) for one in checks]
        outcomes = {one.outcome for one in found}
        worst = next(o for o in (Outcome.FAILS, Outcome.NOISE, Outcome.HOLDS) if o in outcomes)
        return Finding(worst, "; ".join(one.numbers for one in found))

    return check


# -- a curve ---------------------------------------------------------------------------------------------------


def last(curve: Curve) -> float:
    """Return the mean at the last magnitude with a value."""
    return float(curve.mean[~np.isnan(curve.mean)][-1])


def _errors(curve: Curve) -> Floats:
    """Return the standard errors of the means; infinite for a single set."""
    found: Floats = np.nan_to_num(curve.spread, nan=np.inf) / np.sqrt(np.maximum(curve.sets - curve.undefined, 1))
    return found


def _times(errors: float, curve: Curve, means: int = 1) -> float:
    """Return the t quantile with the tail probability of this many normal standard errors."""
    return t_quantile(means * max(curve.sets - 1, 1), normal_below(errors))


def _error_at(curve: Curve, magnitude: float) -> float:
    """Return the standard error at the nearest magnitude with a value."""
    there = ~np.isnan(curve.mean)
    return float(_errors(curve)[there][np.abs(curve.magnitudes[there] - magnitude).argmin()])


def _inside(curve: Curve, low: float, high: float) -> np.ndarray:
    inside = (curve.magnitudes >= low - 1e-9) & (curve.magnitudes <= high + 1e-9)
    return inside & ~np.isnan(curve.mean)


def _between(curve: Curve, low: float, high: float) -> Floats:
    return curve.mean[_inside(curve, low, high)]


def line_fit(curve: Curve, low: float, high: float) -> float:
    """Return R² of a straight line."""
    y = _between(curve, low, high)
    return float(np.corrcoef(np.arange(len(y)), y)[0, 1] ** 2) if y.std() > 0 else 1.0


def apart(a: Curve, b: Curve, low: float = 0.0, high: float = 1.0) -> float:
    """Return the largest difference of two curves where both have values."""
    both_there = _inside(a, low, high) & _inside(b, low, high)
    return float(np.abs(a.mean - b.mean)[both_there].max())


@dataclass(frozen=True)
class Course:
    """Whether the means of a curve fall at every step, with the evidence against it."""

    falls: int  # steps at which the mean falls by more than noise
    steps: int
    flat: float | None  # the magnitude from which no set changes
    rise: tuple[float, float] | None  # the largest rise by more than noise: from, to

    @property
    def strictly(self) -> Outcome:
        """Whether the curve is strictly decreasing; undecided if a step is within noise."""
        if self.rise is not None or self.flat is not None:
            return Outcome.FAILS
        return Outcome.HOLDS if self.falls == self.steps else Outcome.NOISE

    @property
    def words(self) -> str:
        if self.rise is not None:
            return f"rises from {self.rise[0]:g} to {self.rise[1]:g}"
        if self.flat is not None:
            return f"flat from {self.flat:g}"
        return f"falls beyond noise at {self.falls} of {self.steps} steps, never rises beyond it"


def course(curve: Curve) -> Course:
    there = ~np.isnan(curve.mean)
    mean, error, at = curve.mean[there], _errors(curve)[there], curve.magnitudes[there]
    step, noise = np.diff(mean), np.hypot(error[1:], error[:-1])
    still = np.flatnonzero((np.abs(step) <= _SAME) & (noise <= _SAME))
    up = mean[None, :] - mean[:, None]
    by = np.divide(up, np.hypot(error[None, :], error[:, None]) + _SAME)
    by[np.tril_indices(len(mean))] = 0.0
    i, j = np.unravel_index(int(by.argmax()), by.shape)
    rises = bool(by[i, j] > _times(_RISE, curve, 2) and up[i, j] > _SAME)
    return Course(
        falls=int((step < -_times(_NOISE, curve, 2) * noise - _SAME).sum()),
        steps=len(step),
        flat=float(at[still[0]]) if len(still) else None,
        rise=(float(at[i]), float(at[j])) if rises else None,
    )


# -- claims about one measure ----------------------------------------------------------------------------------


def strictly_decreasing(experiment: str, measure: str) -> Check:
    def check(c: Curves) -> Finding:
        found = course(c[experiment, measure])
        return Finding(found.strictly, f"{measure} {found.words}")

    return check


def not_strictly_decreasing(experiment: str, measure: str) -> Check:
    """Check the opposite of `strictly_decreasing`; a step within noise leaves both undecided."""
    contrary = {Outcome.HOLDS: Outcome.FAILS, Outcome.FAILS: Outcome.HOLDS, Outcome.NOISE: Outcome.NOISE}

    def check(c: Curves) -> Finding:
        found = course(c[experiment, measure])
        return Finding(contrary[found.strictly], f"{measure} {found.words}")

    return check


def full_range(experiment: str, measure: str = "γ", tolerance: float = 0.1) -> Check:
    def check(c: Curves) -> Finding:
        curve = c[experiment, measure]
        low = float(np.nanmin(curve.mean))
        where = float(curve.magnitudes[int(np.nanargmin(curve.mean))])
        holds = abs(curve.mean[0] - 1) < 1e-6 and low <= tolerance
        return decided(holds, f"{measure} from {curve.mean[0]:z.2f} to {low:z.3f} (m = {where:g})")

    return check


def near(experiment: str, measure: str, magnitude: float, value: float, tolerance: float) -> Check:
    def check(c: Curves) -> Finding:
        curve = c[experiment, measure]
        found, noise = curve.at(magnitude), _times(_NOISE, curve) * _error_at(curve, magnitude)
        off = abs(found - value)
        outcome = Outcome.HOLDS if off <= tolerance else Outcome.NOISE if off - noise <= tolerance else Outcome.FAILS
        return Finding(outcome, f"{measure} {found:z.3f} at {magnitude:g}")

    return check


def asymptote(experiment: str, measures: tuple[str, ...], value: float, since: float = 0.6) -> Check:
    def check(c: Curves) -> Finding:
        spans = {m: _between(c[experiment, m], since, 1) for m in measures}
        holds = all(np.abs(y - value).max() <= 0.1 for y in spans.values())
        return decided(
            holds, "; ".join(f"{m} {y.min():z.2f} to {y.max():z.2f} from {since:g}" for m, y in spans.items())
        )

    return check


def below_zero(experiment: str, measure: str, low: float, high: float, or_at: bool = False) -> Check:
    """Check that all means are below 0 by more than noise; with `or_at`, that none is above 0 by more."""

    def check(c: Curves) -> Finding:
        curve = c[experiment, measure]
        there = _inside(curve, low, high)
        y, noise = curve.mean[there], _times(_NOISE, curve) * _errors(curve)[there]
        said = f"{measure} {y.min():z.3f} to {y.max():z.3f} on [{low:g}, {high:g}]"
        if (y - noise > 0).any():
            return Finding(Outcome.FAILS, said)
        return Finding(Outcome.HOLDS if or_at or (y + noise < 0).all() else Outcome.NOISE, said)

    return check


def goes_below_zero(experiment: str, measure: str) -> Check:
    """Check that some mean is below 0 by more than noise."""

    def check(c: Curves) -> Finding:
        curve = c[experiment, measure]
        lowest = int(np.nanargmin(curve.mean))
        low, noise = float(curve.mean[lowest]), _times(_NOISE, curve) * float(_errors(curve)[lowest])
        outcome = Outcome.HOLDS if low + noise < 0 else Outcome.FAILS if low - noise > 0 else Outcome.NOISE
        return Finding(outcome, f"{measure} lowest {low:z.3f}")

    return check


def crosses(experiment: str, measure: str, where: float, tolerance: float = 0.1) -> Check:
    def check(c: Curves) -> Finding:
        curve = c[experiment, measure]
        under = np.flatnonzero(curve.mean < 0)
        if not len(under):
            return Finding(Outcome.FAILS, f"{measure} never below 0; lowest {np.nanmin(curve.mean):z.3f}")
        first = float(curve.magnitudes[under[0]])
        return decided(abs(first - where) <= tolerance + 1e-9, f"{measure} below 0 from {first:g}")

    return check


def stuck_at_1(experiment: str, measures: tuple[str, ...]) -> Check:
    def check(c: Curves) -> Finding:
        lowest = {m: float(np.nanmin(c[experiment, m].values)) for m in measures}
        holds = all(abs(v - 1) < 1e-9 for v in lowest.values())
        return decided(holds, ", ".join(f"{m} ≥ {v:z.3f}" for m, v in lowest.items()))

    return check


def at_least(experiment: str, measure: str, value: float) -> Check:
    def check(c: Curves) -> Finding:
        low = float(np.nanmin(c[experiment, measure].mean))
        return decided(low >= value - 0.005, f"{measure} lowest {low:z.3f}")

    return check


def straight(experiment: str, measure: str) -> Check:
    def check(c: Curves) -> Finding:
        fit = line_fit(c[experiment, measure], 0, 1)
        return decided(fit >= 0.9, f"{measure} R² {fit:z.3f}")

    return check


def responds(experiment: str, measures: tuple[str, ...]) -> Check:
    """Check that the curve falls to 0.5 or less, without a rise by more than noise before its minimum."""

    def check(c: Curves) -> Finding:
        holds, said = True, []
        for m in measures:
            curve = c[experiment, m]
            lowest = int(np.nanargmin(curve.mean))
            down = Curve(curve.error, m, curve.magnitudes[: lowest + 1], curve.values[: lowest + 1])
            low = float(curve.mean[lowest])
            holds &= low <= 0.5 and course(down).rise is None
            said.append(f"{m} to {low:z.3f} (m = {curve.magnitudes[lowest]:g})")
        return decided(holds, ", ".join(said))

    return check


# -- claims about several measures -----------------------------------------------------------------------------


def alike(experiments: tuple[str, ...], measures: tuple[str, ...], tolerance: float) -> Check:
    def check(c: Curves) -> Finding:
        first = measures[0]
        found = {m: max(apart(c[e, first], c[e, m]) for e in experiments) for m in measures[1:]}
        said = ", ".join(f"{m} {v:z.3f}" for m, v in found.items())
        return decided(max(found.values()) <= tolerance, f"largest difference from {first}: {said}")

    return check


def as_in(experiment: str, other: str, measure: str, tolerance: float) -> Check:
    """Compare a measure in two experiments."""

    def check(c: Curves) -> Finding:
        far = apart(c[experiment, measure], c[other, measure])
        found = course(c[experiment, measure])
        holds = far <= tolerance and found.rise is None
        ends = f"{last(c[experiment, measure]):z.3f} at 1, without overlap {last(c[other, measure]):z.3f}"
        return decided(holds, f"{measure} {ends}; differ by at most {far:z.2f}; {found.words}")

    return check


def delayed(experiment: str, measure: str, others: tuple[str, ...]) -> Check:
    """Check that the measure is above the others up to m = 0.5, by more than noise."""

    def check(c: Curves) -> Finding:
        gaps, noise = [], []
        for m in others:
            a, b = c[experiment, measure], c[experiment, m]
            there = _inside(a, 0.05, 0.5) & _inside(b, 0.05, 0.5)
            gaps.append((a.mean - b.mean)[there])
            noise.append(_times(_NOISE, a, 2) * np.hypot(_errors(a), _errors(b))[there])
        least = {m: float(gap.min()) for m, gap in zip(others, gaps, strict=True)}
        gap, off = np.concatenate(gaps), np.concatenate(noise)
        outcome = Outcome.FAILS if (gap + off < 0).any() else Outcome.HOLDS if (gap - off > 0).all() else Outcome.NOISE
        said = ", ".join(f"{m} by {v:+z.3f}" for m, v in least.items())
        return Finding(outcome, f"{measure} above the others up to m = 0.5, at least: {said}")

    return check


def rises_at_the_end(experiment: str, measure: str) -> Check:
    """Check that the curve rises after its minimum, by more than noise."""

    def check(c: Curves) -> Finding:
        curve = c[experiment, measure]
        lowest = int(np.nanargmin(curve.mean))
        low, end = float(curve.mean[lowest]), last(curve)
        noise = _times(_RISE, curve, 2) * float(np.hypot(_errors(curve)[lowest], _error_at(curve, 1.0)))
        said = f"{measure} {low:z.3f} at {curve.magnitudes[lowest]:g}, {end:z.3f} at the end"
        if lowest == len(curve.mean) - 1:
            return Finding(Outcome.FAILS, said)
        return Finding(Outcome.HOLDS if end - low > noise else Outcome.NOISE, said)

    return check


def fn_windows(c: Curves) -> Finding:
    wd, ghd = c["seg-fn", "WD"], c["seg-fn", "GHD"]
    far = apart(wd, ghd, 0, 0.95)
    holds, said = far <= 0.15, []
    for name, curve in (("WD", wd), ("GHD", ghd)):
        line = line_fit(curve, 0, 0.6)
        early, late = ((curve.at(a) - curve.at(b)) / (b - a) for a, b in ((0, 0.6), (0.6, 0.95)))
        holds = holds and line >= 0.95 and abs(late) < early / 2
        said.append(f"{name}: R² to 0.6 {line:z.3f}, falls by {early:z.2f}, then {late:z.2f} per unit of m")
    return decided(holds, f"differ by at most {far:z.2f}; {'; '.join(said)}")


def lower_limits(c: Curves) -> Finding:
    wd, ghd = (last(c["seg-fp", m]) for m in ("WD", "GHD"))
    far = apart(c["seg-fp", "WD"], c["seg-fp", "GHD"])
    holds = abs(wd - 0.7) <= 0.1 and abs(ghd - 0.6) <= 0.1 and far <= 0.15
    return decided(holds, f"WD {wd:z.3f}, GHD {ghd:z.3f} at 1; differ by at most {far:z.2f}")


def not_linear(c: Curves) -> Finding:
    curve = c["seg-fn", "γ"]
    line, low = line_fit(curve, 0, 0.95), float(np.nanmin(curve.mean))
    return decided(line < 0.95 and low <= 0.1, f"γ R² {line:z.3f}; lowest {low:z.3f}")


def like_the_average(c: Curves) -> Finding:
    far = {}
    for m in ("WD", "GHD", "γ"):
        mean = np.mean([c[e, m].mean[:-1] for e in ("seg-fn", "seg-fp", "seg-shift")], axis=0)
        far[m] = float(np.abs(c["seg-combi", m].mean[:-1] - mean).max())
    said = "largest difference from the average: " + ", ".join(f"{m} {v:z.2f}" for m, v in far.items())
    return decided(max(far.values()) <= 0.15, said)


def more_severe(c: Curves) -> Finding:
    """Compare GHD and WD on average over magnitudes, and their ranges of means."""
    keys = ("seg-fn", "seg-fp", "seg-shift")
    lower = {e: float(np.nanmean(c[e, "WD"].mean[1:-1] - c[e, "GHD"].mean[1:-1])) for e in keys}
    wider = {e: float(np.nanmin(c[e, "WD"].mean) - np.nanmin(c[e, "GHD"].mean)) for e in keys}
    said = ", ".join(f"{lower[e]:z.3f} ({wider[e]:+z.3f})" for e in keys)
    holds = all(v > 0 for v in lower.values()) and np.mean(list(wider.values())) > 0
    return decided(holds, f"GHD lower on average (range wider) at false negatives, false positives, shifts by {said}")


def baseline(experiment: str, most: float, chance_free: float) -> Check:
    """Check that BM is above κ by about `most`, and that the other measures are close to κ."""

    def check(c: Curves) -> Finding:
        gap = c[experiment, "BM"].mean - c[experiment, "κ"].mean
        kin = max(apart(c[experiment, "κ"], c[experiment, m]) for m in ("W-κ 1", "W-κ 2", "GM 2 (γ)"))
        holds = abs(float(gap.max()) - most) <= 0.1 and kin <= chance_free and gap[-1] > gap[1]
        return decided(holds, f"BM above κ by up to {gap.max():z.2f}; W-κ 1, W-κ 2, GM 2 within {kin:z.2f} of κ")

    return check


def overlapping(c: Curves) -> Finding:
    said, holds = [], True
    for e in ("cat-overlap", "cat-both"):
        by = {
            m: _between(c[e, m], 0.1, 0.6) - _between(c[e, "κ"], 0.1, 0.6)
            for m in ("W-κ 1", "W-κ 2", "GM 1 (γ, friendly)")
        }
        one, two, gm = (float(y.max()) for y in by.values())
        holds &= abs(one - 0.25) <= 0.1 and abs(gm - 0.15) <= 0.1 and abs(two - gm) <= 0.1
        said.append(f"W-κ 1 by {one:z.2f}, W-κ 2 by {two:z.2f}, GM 1 by {gm:z.2f}")
    return decided(holds, "; ".join(said))


def tcof(c: Curves) -> Finding:
    found = c["cat-prev", "κ"].at(0.1)
    return decided(abs(found - 0.96) <= 0.02, f"κ {found:z.3f} at 0.1")


GENERAL = ("pos", "poscat", "split", "fp", "fn")  # Figs. 26 to 28
APART = tuple(e for e in GENERAL if e != "fp")  # experiments in which units do not overlap
_ERRORS = dict(
    zip(GENERAL, ("position", "position and category", "splits", "false positives", "false negatives"), strict=True)
)


def steady(c: Curves) -> Finding:
    """Check that γ rises by more than noise for no error."""
    rising = {e: course(c[e, "γ"]) for e in GENERAL}
    said = [f"{_ERRORS[e]}: {found.words}" for e, found in rising.items() if found.rise is not None]
    return decided(not said, "γ " + ("; ".join(said) or "rises beyond noise for none of the five errors"))


def down_to_0(c: Curves) -> Finding:
    ends = {e: last(c[e, "γ"]) for e in GENERAL}
    holds = all(abs(c[e, "γ"].mean[0] - 1) < 1e-6 for e in GENERAL) and all(abs(v) <= 0.1 for v in ends.values())
    return decided(holds, "γ ends at " + ", ".join(f"{v:z.2f} ({_ERRORS[e]})" for e, v in ends.items()))


def lowest_of(measure: str, errors: tuple[str, ...], stuck: tuple[str, ...], low: float | None) -> Check:
    """Check that the measure ignores the errors in `stuck`, and reaches `low` for one error, if given."""

    def check(c: Curves) -> Finding:
        least = {e: float(np.nanmin(c[e, measure].mean)) for e in errors}
        holds = all(abs(least[e] - 1) < 1e-9 for e in stuck) and (low is None or min(least.values()) <= low)
        return decided(holds, f"{measure} lowest " + ", ".join(f"{v:z.2f} ({_ERRORS[e]})" for e, v in least.items()))

    return check


def undefined_late(c: Curves) -> Finding:
    """Check that c|uα stays at 1 and is undefined from about 0.7 (later with fewer than 40 sets)."""
    curve = c["fn", "c|uα"]
    missing = np.flatnonzero(curve.undefined > 0)
    low, first = float(np.nanmin(curve.values)), float(curve.magnitudes[missing[0]]) if len(missing) else np.inf
    where = (
        f"some of {curve.sets} sets undefined from {first:g}" if len(missing) else f"defined in all {curve.sets} sets"
    )
    said = f"c|uα lowest {low:z.3f}; {where}"
    if abs(low - 1) > 1e-9 or first < 0.6 - 1e-9:
        return Finding(Outcome.FAILS, said)
    late = first > 0.8 + 1e-9
    return Finding(Outcome.HOLDS if not late else Outcome.NOISE if curve.sets < _SETS else Outcome.FAILS, said)


def too_responsive(c: Curves) -> Finding:
    start, gamma = (1 - c["pos", m].at(0.1) for m in ("κ_d", "γ"))
    return decided(start > 2 * gamma, f"κ_d falls by {start:z.2f} to m = 0.1, γ by {gamma:z.2f}")


def with_and_without_gaps(c: Curves) -> Finding:
    gaps, none = c["cat", "κ_d"].at(1), c["cat-nogap", "κ_d"].at(1)
    return decided(gaps > 0.05 and abs(none) <= 0.05, f"κ_d {gaps:z.3f} at 1; without gaps {none:z.3f}")


def from_the_first(c: Curves) -> Finding:
    curve = c["pos", "c|uα"]
    found, noise = curve.at(0.05), _times(_NOISE, curve) * _error_at(curve, 0.05)
    outcome = Outcome.HOLDS if found + noise < 1 else Outcome.NOISE if found < 1 - 1e-9 else Outcome.FAILS
    return Finding(outcome, f"c|uα {found:z.4f} at 0.05")


# -- a claim under every setting -------------------------------------------------------------------------------


Grid = Mapping[str, Curves]  # by the name of the setting
SOME = "holds under these settings"
WORDS = (Outcome.HOLDS.value, SOME, Outcome.FAILS.value, Outcome.NOISE.value)


def settings_of(claim: Claim, experiments: Sequence[Experiment] = EXPERIMENTS) -> tuple[str, ...]:
    """Return the settings that all experiments of a claim share."""
    named = {one.key: [setting.name for setting in one.settings] for one in experiments}
    first, *others = (named[key] for key in claim.reads)
    return tuple(name for name in first if all(name in other for other in others))


@dataclass(frozen=True)
class Verdict:
    """Findings for a claim by setting."""

    claim: Claim
    findings: Mapping[str, Finding]

    def __post_init__(self) -> None:
        if not self.findings:
            raise ValueError(f"{self.claim.key}: the experiments share no setting")

    def where(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the settings with this outcome."""
        return tuple(name for name, found in self.findings.items() if found.outcome is outcome)

    @cached_property
    def word(self) -> str:
        """One of four verdicts. A claim with noise under one setting and failure under the others is undecided."""
        holding, open_ = self.where(Outcome.HOLDS), self.where(Outcome.NOISE)
        if len(holding) == len(self.findings):
            return Outcome.HOLDS.value
        if holding:
            return SOME
        return Outcome.NOISE.value if open_ else Outcome.FAILS.value

    @cached_property
    def words(self) -> str:
        """The verdict, with the settings if they differ."""
        if self.word == SOME:
            rest = [f"{outcome.value}: {', '.join(self.where(outcome))}" for outcome in (Outcome.FAILS, Outcome.NOISE)
                    if self.where(outcome)]  # fmt: skip
            return f"{SOME}: {', '.join(self.where(Outcome.HOLDS))} ({'; '.join(rest)})"
        failing = self.where(Outcome.FAILS)
        if self.word == Outcome.NOISE.value and failing:
            return f"{self.word}: {', '.join(self.where(Outcome.NOISE))} ({Outcome.FAILS.value}: {', '.join(failing)})"
        return self.word

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of each setting, with its name if there are several."""
        if len(self.findings) == 1:
            return tuple(found.numbers for found in self.findings.values())
        return tuple(f"{name}: {found.numbers}" for name, found in self.findings.items())


def verdict(claim: Claim, grid: Grid, experiments: Sequence[Experiment] = EXPERIMENTS) -> Verdict:
    """Check a claim under every setting that its experiments share."""
    return Verdict(claim, {name: claim.check(grid[name]) for name in settings_of(claim, experiments)})
