"""Verdicts on artificial curves: claims that hold, that do not hold, and that noise leaves undecided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from accord.answers.simulate.xray import Curve
from studies import checks as c
from studies.checks import Claim, Curves, Finding, Outcome, Verdict, course, settings_of, verdict
from studies.experiments import Experiment, Harbour, Setting

AT = np.linspace(0, 1, 21)
HOLDS, FAILS, NOISE = Outcome.HOLDS, Outcome.FAILS, Outcome.NOISE


def curve(means: Callable[[np.ndarray], np.ndarray] | np.ndarray, spread: float = 0.0, sets: int = 20) -> Curve:
    """Return a curve with exactly these means and sets spread around them."""
    mean = means(AT) if callable(means) else means
    off = np.linspace(-1, 1, sets)
    off = spread * off / off.std(ddof=1)
    return Curve("made up", "m", AT, mean[:, None] + off[None, :] * (AT[:, None] > 0))


def line(m: np.ndarray) -> np.ndarray:
    return 1 - m


def levelling(m: np.ndarray) -> np.ndarray:
    return np.maximum(1 - 2 * m, 0.0) + 0.001 * np.sin(40 * m)


def rising(m: np.ndarray) -> np.ndarray:
    return np.where(m <= 0.5, 1 - 2 * m, m - 0.5)


def check_curve(check: c.Check, made: Curve) -> Finding:
    """Apply a check to a single curve."""
    return check({("e", "m"): made})


# -- strictly decreasing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "spread", "outcome"),
    [
        (line, 0.0, HOLDS),
        (line, 0.05, HOLDS),  # steps of 0.05, standard errors of differences of 0.016
        (line, 0.1, NOISE),  # standard errors of 0.032: no step exceeds two of them
        (levelling, 0.05, NOISE),
        (rising, 0.05, FAILS),
        (rising, 0.0, FAILS),
        (np.ones_like, 0.0, FAILS),  # flat, without noise
        (np.ones_like, 0.3, NOISE),
    ],
)
def test_strict_decrease_within_noise_is_undecided(
    shape: Callable[[np.ndarray], np.ndarray], spread: float, outcome: Outcome
) -> None:
    made = curve(shape, spread)
    contrary = {HOLDS: FAILS, FAILS: HOLDS, NOISE: NOISE}
    assert check_curve(c.strictly_decreasing("e", "m"), made).outcome is outcome
    assert check_curve(c.not_strictly_decreasing("e", "m"), made).outcome is contrary[outcome]


def test_slow_rise_is_detected_over_many_steps() -> None:
    made = curve(rising, 0.2)  # each step is within noise, but the whole rise is not
    found = course(made)
    assert found.rise is not None
    low, high = found.rise
    assert low == pytest.approx(0.5, abs=0.051)
    assert high > 0.8
    assert found.words.startswith("rises from 0.")
    assert check_curve(c.strictly_decreasing("e", "m"), made).numbers.startswith("m rises from ")


@pytest.mark.parametrize("sets", [5, 20])
def test_noise_is_rarely_taken_for_a_rise(sets: int) -> None:
    """At most 20 of 200 flat noisy curves have a significant rise, even with few sets."""
    rng = np.random.default_rng(1)
    flat = [Curve("made up", "m", AT, rng.normal(0.3, 0.1, (21, sets))) for _ in range(200)]
    assert sum(course(one_of).rise is not None for one_of in flat) <= 20


def test_magnitudes_without_values_are_skipped() -> None:
    made = curve(line, 0.02)
    made.values[-1] = np.nan
    found = course(made)
    assert (found.steps, found.falls) == (19, 19)
    made.values[-2, 1:] = np.nan  # the noise of a single set is unknown
    assert course(Curve("made up", "m", AT, made.values)).strictly is NOISE


# -- values ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "outcome"), [(0.0, HOLDS), (0.04, HOLDS), (0.09, NOISE), (0.3, FAILS)])
def test_near_holds_fails_or_is_undecided_within_noise(value: float, outcome: Outcome) -> None:
    found = check_curve(c.near("e", "m", 1.0, value, 0.05), curve(line, 0.1))
    assert (found.outcome, found.numbers) == (outcome, "m 0.000 at 1")


@pytest.mark.parametrize(
    ("height", "strict", "or_at"),
    [(-0.3, HOLDS, HOLDS), (-0.01, NOISE, HOLDS), (0.01, NOISE, HOLDS), (0.2, FAILS, FAILS)],
)
def test_below_zero_checks_decide_beyond_noise(height: float, strict: Outcome, or_at: Outcome) -> None:
    made = curve(lambda m: np.where(m < 0.5, 1.0, height), 0.1)
    assert check_curve(c.below_zero("e", "m", 0.6, 0.9), made).outcome is strict
    assert check_curve(c.below_zero("e", "m", 0.6, 0.9, or_at=True), made).outcome is or_at
    assert check_curve(c.goes_below_zero("e", "m"), made).outcome is strict


def test_crosses_reports_where_a_curve_goes_below_0() -> None:
    made = curve(lambda m: 0.52 - m)
    assert check_curve(c.crosses("e", "m", 0.5), made) == Finding(HOLDS, "m below 0 from 0.55")
    assert check_curve(c.crosses("e", "m", 0.3), made).outcome is FAILS
    assert check_curve(c.crosses("e", "m", 0.3), curve(lambda m: 1 - m / 2)).numbers == "m never below 0; lowest 0.500"


def test_rises_at_the_end_decides_beyond_noise() -> None:
    check = c.rises_at_the_end("e", "m")
    assert check_curve(check, curve(line, 0.05)).outcome is FAILS
    assert check_curve(check, curve(rising, 0.05)).outcome is HOLDS
    assert check_curve(check, curve(levelling, 0.05)).outcome is NOISE


def test_responds_requires_a_steady_decrease_to_the_lowest_point() -> None:
    check = c.responds("e", ("m",))
    assert check_curve(check, curve(rising, 0.05)).outcome is HOLDS  # values after the lowest point do not matter
    assert check_curve(check, curve(lambda m: 1 - m / 3, 0.05)).outcome is FAILS
    assert check_curve(check, curve(lambda m: 1 - m + 0.3 * np.sin(12 * m), 0.05)).outcome is FAILS


def test_delayed_requires_a_difference_beyond_noise() -> None:
    check = c.delayed("e", "late", ("soon",))
    soon = curve(line, 0.05)
    for by, outcome in ((0.2, HOLDS), (0.0, NOISE), (-0.2, FAILS)):
        late = curve(lambda m, by=by: 1 - m + by * m**0.1, 0.05)  # type: ignore[misc]
        assert check({("e", "late"): late, ("e", "soon"): soon}).outcome is outcome


@pytest.mark.parametrize(
    ("height", "missing_from", "sets", "outcome"),
    [(1.0, 0.75, 40, HOLDS), (1.0, 0.9, 40, FAILS), (1.0, 0.9, 10, NOISE), (1.0, 2.0, 10, NOISE), (1.0, 2.0, 40, FAILS),
     (1.0, 0.3, 10, FAILS), (0.9, 0.75, 40, FAILS)],
)  # fmt: skip
def test_undefined_late_requires_values_of_1_and_late_gaps(
    height: float, missing_from: float, sets: int, outcome: Outcome
) -> None:
    """Ten defined sets leave open whether all of forty would be defined."""
    values = np.full((21, sets), height)
    values[missing_from - 1e-9 <= AT, 0] = np.nan
    found = c.undefined_late({("fn", "c|uα"): Curve("made up", "c|uα", AT, values)})
    assert found.outcome is outcome
    assert f"{sets} sets" in found.numbers


def test_both_fails_if_one_part_fails_and_is_undecided_if_one_part_is() -> None:
    def always(outcome: Outcome) -> c.Check:
        return lambda _: Finding(outcome, outcome.name)

    for parts, whole in (
        ((HOLDS, HOLDS), HOLDS), ((HOLDS, NOISE), NOISE), ((NOISE, FAILS), FAILS), ((FAILS, HOLDS), FAILS),
    ):  # fmt: skip
        found = c.both(*map(always, parts))({})
        assert found == Finding(whole, "; ".join(part.name for part in parts))


# -- over settings ---------------------------------------------------------------------------------------------

CLAIM = Claim("key", "Fig. 1", "shifts", "m", "falls", ("e",), lambda _: Finding(HOLDS, ""))


@pytest.mark.parametrize(
    ("outcomes", "word", "words"),
    [
        ((HOLDS, HOLDS, HOLDS), "holds", "holds"),
        ((HOLDS,), "holds", "holds"),
        ((FAILS, FAILS, FAILS), "does not hold", "does not hold"),
        ((NOISE, NOISE, NOISE), "undecided", "undecided"),
        (
            (HOLDS, FAILS, HOLDS), "holds under these settings",
            "holds under these settings: s0, s2 (does not hold: s1)",
        ),
        (
            (NOISE, HOLDS, FAILS), "holds under these settings",
            "holds under these settings: s1 (does not hold: s2; undecided: s0)",
        ),
        (
            (FAILS, NOISE, FAILS), "undecided",
            "undecided: s1 (does not hold: s0, s2)",
        ),
    ],
)  # fmt: skip
def test_verdict_summarises_outcomes_over_settings(outcomes: tuple[Outcome, ...], word: str, words: str) -> None:
    found = Verdict(CLAIM, {f"s{k}": Finding(outcome, f"m {k}") for k, outcome in enumerate(outcomes)})
    assert (found.word, found.words) == (word, words)
    named = [f"s{k}: m {k}" for k in range(len(outcomes))] if len(outcomes) > 1 else ["m 0"]
    assert list(found.numbers) == named


def experiment(key: str, *names: str) -> Experiment:
    return Experiment(key, "Fig. 1", key, tuple(Setting(name, Harbour(), "shift") for name in names), ())


def test_claim_is_checked_under_settings_that_its_experiments_share() -> None:
    made = (experiment("e", "dense", "sparse", "long"), experiment("f", "long", "dense"))
    two = replace(CLAIM, reads=("e", "f"), check=lambda curves: Finding(HOLDS, f"{len(curves)} curves"))
    assert settings_of(CLAIM, made) == ("dense", "sparse", "long")
    assert settings_of(two, made) == ("dense", "long")
    grid: dict[str, Curves] = {"dense": {("e", "m"): curve(line)}, "sparse": {}, "long": {}}
    assert verdict(two, grid, made).numbers == ("dense: 1 curves", "long: 0 curves")
    with pytest.raises(ValueError, match="key: the experiments share no setting"):
        verdict(two, grid, (experiment("e", "dense"), experiment("f", "long")))
