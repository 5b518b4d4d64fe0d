"""p of no agreement uses the error under no agreement; p of another value uses the interval."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import accord
from accord.measures.intervals.methods import CommonCorrelation
from accord.measures.intervals.resampled import Corrected

from ..command_line import Cli
from ..refusals import raises
from .studies import ratings, units


def chance(seed: int, n: int, annotators: int, shares: tuple[float, ...]) -> accord.Ratings:
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(shares), size=(n, annotators), p=shares)
    return accord.Ratings.from_rows(rows, categories=list(range(len(shares))))


def test_p_of_pi_and_kappa_uses_published_formulas() -> None:
    found = accord.pi(ratings(1))
    assert found.p == found.details["z_test"]["fleiss_nee_landis_1979"]["p"]
    assert found.details["test"]["by"].startswith("Fleiss, Nee & Landis 1979")
    two = ratings(1, annotators=2)
    for weights in ("nominal", "quadratic"):
        named = accord.kappa(two, weights=weights, interval="fleiss_cohen_everitt")
        assert accord.kappa(two, weights=weights).p == pytest.approx(named.p, rel=1e-12)
    assert accord.kappa(ratings(1)).details["test"]["by"] == "999 permutations"  # no formula for three annotators


def test_p_of_interval_alpha_is_the_f_test() -> None:
    rng = np.random.default_rng(0)
    rows = (rng.normal(size=(20, 1)) / 2 + rng.normal(size=(20, 3))).round(1)
    found = accord.alpha(accord.Ratings.from_rows(rows.tolist()), distance="interval")
    assert found.p == pytest.approx(stats.f_oneway(*rows).pvalue, rel=1e-9)
    assert found.details["test"]["by"] == "F(19, 40) = 2.01, one-sided"
    gap = accord.Ratings.from_rows([[None, *rows[0, 1:]], *rows[1:].tolist()])
    assert accord.alpha(gap, distance="interval").details["test"]["permutations"] == 999


def test_linearised_and_irrcac_intervals_keep_the_t_test() -> None:
    data = ratings(1)
    for method in ("linearised", "irrcac"):
        score = accord.pi(data, interval=method)
        assert score.se is not None
        assert score.p == pytest.approx(2 * stats.t.sf(score.value / score.se, 39), rel=1e-9)
        assert "test" not in score.details


def test_test_of_no_agreement_keeps_its_level() -> None:
    """With few items and unequal shares, the error of the interval would reject in 17% of cases."""
    p = [accord.kappa(chance(seed, 20, 2, (0.8, 0.2))).p for seed in range(300)]
    known = np.array([x for x in p if x is not None])
    assert (known <= 0.05).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / len(known))


@pytest.mark.parametrize(
    ("spec", "interval"),
    [
        ("alpha", "default"),
        ("pi", "irrcac"),
        ("kappa", "bootstrap"),
        ("kappa", "jackknife"),
        ("icc", "default"),
        ("cronbach", "default"),
        ("lin", "default"),
        ("kappa", "fleiss_cohen_everitt"),
        ("kendall_w", "bca"),
    ],
)
def test_p_of_a_value_is_consistent_with_the_interval(spec: str, interval: str) -> None:
    """A value at an end of the 95% interval has p near 0.05; the estimate itself has p near 1."""
    data = ratings(2, 60, annotators=2)
    score = accord.score(data, spec, interval=interval)
    assert score.interval is not None
    for end in (score.interval.low, score.interval.high):
        p = accord.score(data, spec, interval=interval, null=end).p
        assert p == pytest.approx(0.05, abs=0.003)
    found = accord.score(data, spec, interval=interval, null=score.value)
    assert found.p is not None
    assert found.p > 0.8
    assert found.details["test"]["of"] == score.value
    assert "against" in found.signature


def test_donner_eliasziw_tests_against_a_value() -> None:
    data = accord.Ratings.from_rows([[0, 0]] * 12 + [[0, 1]] * 5 + [[1, 1]] * 23)
    found = accord.pi(data, interval="donner_eliasziw", null=0.4)
    assert found.p == pytest.approx(CommonCorrelation(12, 5, 23).p(0.4), rel=1e-12)


def test_values_that_cannot_be_tested_are_refused_or_noted() -> None:
    with raises("option-value"):
        accord.alpha(ratings(1), null=1.5)
    with raises("option-conflict"):
        accord.alpha(ratings(1), null=0.5, interval="none")
    notes = accord.ser(units(1), null=0.5).notes()
    assert any("no p for a value of 0.5 (no test with the bootstrap interval)" in note for note in notes)


def test_command_line_prints_p_with_its_method(cli: Cli, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    rows = ["x,x" if k % 3 else "x,y" if k % 2 else "y,y" for k in range(40)]
    table.write_text("\n".join(["A,B", *rows, ""]), encoding="utf-8")
    shown = cli("score", table, "-m", "pi", "--notes").out
    assert "pi: p < 0.001 for no agreement (Fleiss, Nee & Landis 1979, z = " in shown
    kept = tmp_path / "run.toml"
    asked = cli("score", table, "-m", "pi", "--null", "0.4", "--save", kept, "--notes").out
    assert "for a value of 0.4 (by the linearised interval)" in asked
    assert "null = 0.4" in kept.read_text(encoding="utf-8")
    assert cli("score", "--run", kept, "--notes").out == asked


def test_p_and_interval_of_bca_are_consistent() -> None:
    """p < 0.05 if and only if the 95% interval excludes the value, also if the interval is skewed."""
    rng = np.random.default_rng(3)
    for k in range(8):
        truth = rng.choice(2, 30, p=[0.8, 0.2])
        rows = [[int(t) if rng.random() < 0.75 else int(rng.integers(2)) for _ in range(2)] for t in truth]
        for null in (0.2, 0.7):
            spec = ("kappa", "alpha", "pi")[k % 3]
            found = accord.score(
                accord.Ratings.from_rows(rows), spec, interval="bca", null=null, replicates=999, seed=k
            )
            assert found.interval is not None
            assert found.p is not None
            left_out = not found.interval.low <= null <= found.interval.high
            assert (found.p < 0.05) == left_out or abs(found.p - 0.05) < 0.01, (k, null)  # up to two replicates


@pytest.mark.parametrize("correction", [Corrected(0.0, 0.0), Corrected(0.4, 0.1), Corrected(-0.2, -0.15)])
def test_bca_correction_can_be_inverted(correction: Corrected) -> None:
    for share in (0.0005, 0.025, 0.5, 0.9, 0.999):
        assert correction.back(correction.moved(share)) == pytest.approx(share, rel=1e-9)


def test_bca_of_skewed_values_ends_at_the_extreme_replicates() -> None:
    """Beyond 1/a the formula reverses, and the upper end would be below the lower end."""
    assert Corrected(0.0, 0.3).moved(1 - 1e-5) == 1.0
    assert Corrected(0.0, -0.3).moved(1e-5) == 0.0
    assert Corrected(0.0, 0.3).back(1e-5) == 0.0
    assert Corrected(0.0, -0.3).back(1 - 1e-5) == 1.0
