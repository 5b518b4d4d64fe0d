"""How a claim about curves is checked: functions from all curves to a verdict and its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from accord.arrays import Floats
from accord.simulate.curves import Curve

Curves = Mapping[tuple[str, str], Curve]
Verdict = tuple[bool | None, str]
Check = Callable[[Curves], Verdict]


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper; `why` is for those that do not hold."""

    key: str
    figure: str
    experiment: str
    measure: str
    text: str
    check: Check
    why: str = ""


def _at(curve: Curve, magnitude: float) -> float:
    return curve.at(magnitude)


def last(curve: Curve) -> float:
    """At the last magnitude that has a value."""
    return float(curve.mean[~np.isnan(curve.mean)][-1])


def _between(curve: Curve, low: float, high: float) -> Floats:
    inside = (curve.magnitudes >= low - 1e-9) & (curve.magnitudes <= high + 1e-9)
    return curve.mean[inside & ~np.isnan(curve.mean)]


def line_fit(curve: Curve, low: float, high: float) -> float:
    """R² of a straight line."""
    y = _between(curve, low, high)
    return float(np.corrcoef(np.arange(len(y)), y)[0, 1] ** 2) if y.std() > 0 else 1.0


def apart(a: Curve, b: Curve, low: float = 0.0, high: float = 1.0) -> float:
    """The largest distance of two curves."""
    return float(np.abs(_between(a, low, high) - _between(b, low, high)).max())


def fn_windows(c: Curves) -> Verdict:
    wd, ghd = c["seg-fn", "WD"], c["seg-fn", "GHD"]
    far, line = apart(wd, ghd, 0, 0.95), min(line_fit(wd, 0, 0.6), line_fit(ghd, 0, 0.6))
    early, late = ((_at(wd, a) - _at(wd, b)) / (b - a) for a, b in ((0, 0.6), (0.6, 0.95)))
    holds = far <= 0.15 and line >= 0.95 and late < early / 2
    return (
        holds,
        f"apart by at most {far:z.2f}; R² to 0.6: {line:z.3f}; WD falls by {early:z.2f}, then {late:z.2f} per unit",
    )


def full_range(experiment: str, tolerance: float = 0.1) -> Check:
    def check(c: Curves) -> Verdict:
        curve = c[experiment, "γ"]
        low = float(np.nanmin(curve.mean))
        where = float(curve.magnitudes[int(np.nanargmin(curve.mean))])
        return bool(
            abs(curve.mean[0] - 1) < 1e-6 and low <= tolerance
        ), f"from {curve.mean[0]:z.2f} to {low:z.3f} (m = {where:g})"

    return check


def near(experiment: str, measure: str, magnitude: float, value: float, tolerance: float) -> Check:
    def check(c: Curves) -> Verdict:
        found = _at(c[experiment, measure], magnitude)
        return abs(found - value) <= tolerance, f"{found:z.3f} at {magnitude:g}"

    return check


def asymptote(experiment: str, measures: tuple[str, ...], value: float, since: float = 0.6) -> Check:
    def check(c: Curves) -> Verdict:
        spans = {m: _between(c[experiment, m], since, 1) for m in measures}
        holds = all(np.abs(y - value).max() <= 0.1 for y in spans.values())
        return holds, "; ".join(f"{m} {y.min():z.2f} to {y.max():z.2f}" for m, y in spans.items())

    return check


def below_zero(experiment: str, measure: str, low: float, high: float, slack: float = 0.0) -> Check:
    def check(c: Curves) -> Verdict:
        y = _between(c[experiment, measure], low, high)
        return bool((y <= slack).all()), f"{y.min():z.3f} to {y.max():z.3f} on [{low:g}, {high:g}]"

    return check


def crosses(experiment: str, measure: str, where: float, tolerance: float = 0.1) -> Check:
    def check(c: Curves) -> Verdict:
        curve = c[experiment, measure]
        under = np.flatnonzero(curve.mean < 0)
        if not len(under):
            return False, f"never below 0; lowest {np.nanmin(curve.mean):z.3f}"
        first = float(curve.magnitudes[under[0]])
        return abs(first - where) <= tolerance + 1e-9, f"below 0 from {first:g}"

    return check


def decreasing(experiment: str, measure: str, wanted: bool = True) -> Check:
    """Strictly, but for noise; or, where it is said that a measure is not, that it rises beyond noise."""

    def check(c: Curves) -> Verdict:
        verdict = c[experiment, measure].verdict
        return verdict.decreasing_within_noise == wanted, f"strictly decreasing: {verdict.words()[2]}"

    return check


def stuck_at_1(experiment: str, measures: tuple[str, ...]) -> Check:
    def check(c: Curves) -> Verdict:
        lowest = {m: float(np.nanmin(c[experiment, m].values)) for m in measures}
        return all(abs(v - 1) < 1e-9 for v in lowest.values()), ", ".join(f"{m} ≥ {v:z.3f}" for m, v in lowest.items())

    return check


def at_least(experiment: str, measure: str, value: float) -> Check:
    def check(c: Curves) -> Verdict:
        low = float(np.nanmin(c[experiment, measure].mean))
        return low >= value - 0.005, f"lowest {low:z.3f}"

    return check


def alike(experiments: tuple[str, ...], measures: tuple[str, ...], tolerance: float) -> Check:
    def check(c: Curves) -> Verdict:
        found = {e: max(apart(c[e, measures[0]], c[e, m]) for m in measures[1:]) for e in experiments}
        return max(found.values()) <= tolerance, "apart by at most " + ", ".join(f"{v:z.3f}" for v in found.values())

    return check


def both(*checks: Check) -> Check:
    def check(c: Curves) -> Verdict:
        found = [one(c) for one in checks]
        return all(v is True for v, _ in found), "; ".join(text for _, text in found)

    return check


def lower_limits(c: Curves) -> Verdict:
    wd, ghd = (last(c["seg-fp", m]) for m in ("WD", "GHD"))
    return abs(wd - 0.7) <= 0.1 and abs(ghd - 0.6) <= 0.1, f"WD {wd:z.3f}, GHD {ghd:z.3f} at 1"


def not_linear(c: Curves) -> Verdict:
    curve = c["seg-fn", "γ"]
    line, low = line_fit(curve, 0, 0.95), float(np.nanmin(curve.mean))
    return line < 0.95 and low <= 0.1, f"R² {line:z.3f}; lowest {low:z.3f}"


def like_the_average(c: Curves) -> Verdict:
    far = {}
    for m in ("WD", "GHD", "γ"):
        mean = np.mean([c[e, m].mean[:-1] for e in ("seg-fn", "seg-fp", "seg-shift")], axis=0)
        far[m] = float(np.abs(c["seg-combi", m].mean[:-1] - mean).max())
    return max(far.values()) <= 0.15, "from the average by at most " + ", ".join(
        f"{m} {v:z.2f}" for m, v in far.items()
    )


def more_severe(c: Curves) -> Verdict:
    keys = ("seg-fn", "seg-fp", "seg-shift")
    lower = {e: float(np.nanmean(c[e, "WD"].mean[1:-1] - c[e, "GHD"].mean[1:-1])) for e in keys}
    return all(v > 0 for v in lower.values()), "GHD lower on average by " + ", ".join(
        f"{v:z.3f}" for v in lower.values()
    )


def baseline(experiment: str, most: float, chance_free: float) -> Check:
    """BM overrates by about so much, and the others are alike."""

    def check(c: Curves) -> Verdict:
        gap = c[experiment, "BM"].mean - c[experiment, "κ"].mean
        kin = max(apart(c[experiment, "κ"], c[experiment, m]) for m in ("W-κ 1", "W-κ 2", "GM 2 (γ)"))
        rises = bool(gap[-1] > gap[1])
        holds = abs(float(gap.max()) - most) <= 0.1 and kin <= chance_free and rises
        return holds, f"BM above κ by up to {gap.max():z.2f}; the others within {kin:z.2f} of κ"

    return check


def overlapping(c: Curves) -> Verdict:
    said, holds = [], True
    for e in ("cat-overlap", "cat-both"):
        by = {
            m: _between(c[e, m], 0.1, 0.6) - _between(c[e, "κ"], 0.1, 0.6)
            for m in ("W-κ 1", "W-κ 2", "GM 1 (γ, friendly)")
        }
        one, two, gm = (float(y.max()) for y in by.values())
        holds &= abs(one - 0.25) <= 0.1 and abs(gm - 0.15) <= 0.1 and abs(two - gm) <= 0.1
        said.append(f"W-κ 1 by {one:z.2f}, W-κ 2 by {two:z.2f}, GM by {gm:z.2f}")
    return holds, "; ".join(said)


def tcof(c: Curves) -> Verdict:
    found = _at(c["cat-prev", "κ"], 0.1)
    return abs(found - 0.96) <= 0.02, f"κ = {found:z.3f} at 0.1, with 94.9% of A"


def overview(c: Curves) -> Verdict:
    names = ("cat", "pos", "poscat", "split", "fp", "fn")
    falls = [e for e in names if c[e, "γ"].verdict.decreasing_within_noise]
    over = {e: float(np.nanmin(c[e, "γ"].mean)) for e in names}
    holds = len(falls) == len(names) and min(over.values()) > -0.05
    return holds, "γ falls in " + ", ".join(falls) + "; ends at " + ", ".join(f"{last(c[e, 'γ']):z.2f}" for e in names)


def as_without_overlap(c: Curves) -> Verdict:
    curve = c["general", "γ"]
    return (
        curve.verdict.decreasing_within_noise,
        f"strictly decreasing: {curve.verdict.words()[2]}; {last(curve):z.3f} at 1",
    )


def fp_response(c: Curves) -> Verdict:
    gamma, ser = c["fp", "γ"].verdict, c["fp", "SER"].verdict
    return gamma.decreasing_within_noise and ser.decreasing_within_noise, (
        f"γ {gamma.last:z.3f}, SER {ser.last:z.3f} at 1; decreasing: {gamma.words()[2]}, {ser.words()[2]}"
    )


def undefined_late(c: Curves) -> Verdict:
    curve = c["fn", "c|uα"]
    missing = np.flatnonzero(curve.undefined > 0)
    stuck = bool(abs(float(np.nanmin(curve.values)) - 1) < 1e-9)
    first = float(curve.magnitudes[missing[0]]) if len(missing) else 1.0
    return stuck and abs(first - 0.7) <= 0.1 + 1e-9, f"1 where defined; some sets undefined from {first:g}"


def too_responsive(c: Curves) -> Verdict:
    curve = c["pos", "κ_d"]
    start, gamma = 1 - _at(curve, 0.1), 1 - _at(c["pos", "γ"], 0.1)
    rises = not curve.verdict.decreasing_within_noise
    return (
        start > 2 * gamma and rises,
        f"falls by {start:z.2f} to m = 0.1, γ by {gamma:z.2f}; rises beyond noise: {rises}",
    )


def with_and_without_gaps(c: Curves) -> Verdict:
    gaps, none = c["cat", "κ_d"].at(1), c["cat-nogap", "κ_d"].at(1)
    return gaps > 0.05 and abs(none) <= 0.05, f"{gaps:z.3f} at 1; without gaps {none:z.3f}"


def from_the_first(c: Curves) -> Verdict:
    found = c["pos", "c|uα"].at(0.05)
    return found < 1 - 1e-9, f"{found:z.4f} at 0.05"


def straight(experiment: str, measure: str) -> Check:
    def check(c: Curves) -> Verdict:
        fit = line_fit(c[experiment, measure], 0, 1)
        return fit >= 0.9, f"R² {fit:z.3f}"

    return check
