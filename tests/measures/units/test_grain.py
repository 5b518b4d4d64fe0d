"""Positions in steps of the grain, and long continua."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import accord

from ...cases import for_each
from ...refusals import raises
from .made import (
    CORPUS,
    CUT,
    EVERY,
    EXTENTS,
    PAIRWISE,
    ROWS,
    moved,
    read,
    same,
    value_of,
)


@for_each(("step", "grain"), [(0.1, None), (0.01, None), (0.5, 0.5), (0.04, 0.04), (1 / 3, 1 / 3), (25, 25)])
@EVERY
def test_decimal_positions_are_counted_in_steps_of_the_grain(spec: str, step: float, grain: float | None) -> None:
    scaled = read(moved(ROWS, lambda at: at * step), extents={d: (b * step, e * step) for d, (b, e) in EXTENTS.items()})
    option = {} if spec in PAIRWISE or grain is None else {"atom" if spec.endswith("_d") else "grain": grain}
    found = value_of(scaled, replace(accord.measure(spec), **option))
    same(found, value_of(CORPUS, spec))
    if spec in CUT:
        assert found.details["grain"] == pytest.approx(step)


def test_default_grain_is_the_decimal_step_of_the_data() -> None:
    def grain(*positions: float) -> float:
        rows = [("d", who, 10 * at, 10 * at + 1, "x") for who in "AB" for at in positions]
        return accord.u_alpha(read(rows)).details["grain"]

    assert grain(0, 5, 250) == 1
    assert grain(0, 0.25) == 0.1
    assert grain(0, 2.225) == 0.01
    assert grain((0.1 + 0.2) / 10) == 0.1
    assert grain(1.2000001) == 1e-6


def test_positions_without_finite_decimals_need_a_grain() -> None:
    rows = [("d", "A", 0, 1 / 3, "x"), ("d", "B", 0, 2 / 3, "x")]
    for spec in ("alpha_u", "u_alpha", "theta", "kappa_d"):
        with raises("measure-option"):
            value_of(read(rows), spec)
    assert accord.u_alpha(read(rows), grain=1 / 3).details["grain"] == pytest.approx(1 / 3)


def test_notes_report_the_grain(
    capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from accord.doors.cli import main

    table = tmp_path / "spans.csv"
    table.write_text("annotator,start,end,label\nA,0.5,2,x\nB,0.5,2.5,x\n", encoding="utf-8")
    monkeypatch.setattr(
        "sys.argv", ["accord", "score", str(table), "-m", "u_alpha", "-m", "kappa_d(atom=0.5)", "-m", "ser", "--notes"]
    )
    main()
    out = capsys.readouterr().out
    assert "u_alpha: lengths are counted in steps of 0.1\n" in out
    assert "kappa_d(atom=0.5): lengths are counted in steps of 0.5\n" in out
    assert "ser: lengths" not in out
    assert "ser: lower values are better, and 0 is perfect\n" in out


def test_grain_changes_alphas_slightly_but_not_kappa_d_and_theta() -> None:
    """Expected disagreement counts pairs of steps without the pairs of a step with itself."""
    fine = {"alpha_u": "grain", "u_alpha": "grain", "alpha_d": "atom", "kappa_d": "atom", "theta": "grain"}
    for name, option in fine.items():
        one, other = (value_of(CORPUS, replace(accord.measure(name), **{option: step})).value for step in (1, 0.01))
        assert (one == pytest.approx(other, abs=1e-9)) == (name in {"kappa_d", "theta"}), name
        assert one == pytest.approx(other, abs=0.05)


def test_positions_between_steps_are_rounded_the_same_way() -> None:
    rows = [("d", "A", 0.5, 2, "x"), ("d", "B", 1.5, 3, "x"), ("d", "A", 4.5, 6, "x"), ("d", "B", 5.5, 7, "x")]
    plain, later = (accord.u_alpha(read(moved(rows, lambda at, s=s: at + s), extents=(0, 12)), grain=1) for s in (0, 1))
    assert plain.observed == later.observed


@pytest.mark.parametrize("spec", ["u_alpha", "alpha_u", "theta", "kappa_d"])
def test_too_many_steps_are_refused(spec: str) -> None:
    corpus = read([("d", "A", 0, 5, "x"), ("d", "B", 1, 5, "x")], extents=(0, 1e12))
    measure = replace(accord.measure(spec), **{"atom" if spec.endswith("_d") else "grain": 1e-9})
    with raises("measure-option"):
        value_of(corpus, measure)


@pytest.mark.parametrize("spec", ["alpha_u", "u_alpha", "u_alpha(form=2013)", "bar_u_alpha", "kappa_d", "alpha_d"])
def test_a_continuum_without_length_is_refused(spec: str) -> None:
    with raises("measure-option"):
        value_of(read([("d", who, 5, 5, "a") for who in "AB"]), spec)


@EVERY
def test_cost_depends_on_units_and_not_on_length(spec: str) -> None:
    """10⁸ atoms and more, 16 units."""
    times = 10**6
    long = read(
        moved(ROWS, lambda at: at * times), extents={d: (b * times, e * times) for d, (b, e) in EXTENTS.items()}
    )
    value_of(CORPUS, spec)  # compile and import before measuring
    tracemalloc.start()
    found = value_of(long, spec)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1e7  # a byte per atom would be ten times that
    plain = value_of(CORPUS, spec)
    exact = spec in {"theta", "theta(zones=atomic)", "kappa_d", *PAIRWISE}
    assert found.value == pytest.approx(plain.value, abs=1e-9 if exact else 0.05)
    if spec == "kappa_d":
        assert found.details["atoms"] == 115 * times


@pytest.mark.parametrize("length", [10**10, 10**12])
def test_nearly_empty_continuum_keeps_precision(length: int) -> None:
    corpus = read([("d", "A", 0, 5, "x"), ("d", "B", 1, 5, "x")], extents=(0, length))
    whole, units = Fraction(2 * length), Fraction(9)
    gap = whole - units
    across = whole * gap * units / (whole**2 - (25 + 16 + gap))  # ε_φx
    assert accord.u_alpha(corpus).value == pytest.approx(float(1 - 2 / (2 * across)), abs=1e-9)
    a, b = Fraction(5, length), Fraction(4, length)
    chance = a * (1 - b) + b * (1 - a)
    assert accord.kappa_d(corpus).value == pytest.approx(float(1 - Fraction(1, length) / chance), abs=1e-9)
