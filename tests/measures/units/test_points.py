"""Units of length 0: two points have no positional dissimilarity (0/0), and measures of lengths have nothing left."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import accord

from ...command_line import Cli

COLUMNS = ("doc", "annotator", "start", "end", "label")
Row = tuple[str, str, float, float, str]


def table(*rows: Row) -> dict[str, list[Any]]:
    return {name: [row[k] for row in rows] for k, name in enumerate(COLUMNS)}


def points(apart: float, doc: str = "d") -> list[Row]:
    """Two points of each annotator, those of B later by `apart`."""
    return [(doc, who, at + late, at + late, label) for at, label in ((5, "x"), (20, "y")) for who, late in
            (("A", 0), ("B", apart))]  # fmt: skip


STRETCHES: list[Row] = [
    ("d", "A", 30, 40, "x"),
    ("d", "B", 30, 38, "x"),
    ("d", "A", 50, 60, "y"),
    ("d", "B", 52, 60, "y"),
]
LEFT_OUT = ("theta", "theta(zones=atomic)", "theta(zones=layered)", "alpha_u", "u_alpha", "u_alpha(form=2013)",
            "bar_u_alpha", "cu_alpha", "ku_alpha", "kappa_d", "kappa_d(coefficient=percent)", "alpha_d",
            "alpha_d(coefficient=ac)", "f1(match=token)")  # fmt: skip


@pytest.mark.parametrize("apart", [0, 1])
@pytest.mark.parametrize("spec", ["gamma", *LEFT_OUT])
def test_points_alone_are_undefined_with_what_to_do(spec: str, apart: float) -> None:
    score = accord.score(table(*points(apart)), spec, extents=(0, 100))
    assert math.isnan(score.value)
    assert score.undefined is not None
    assert score.undefined.startswith("all units have length 0")
    assert "f1" in score.undefined
    assert "give points a length" in score.undefined
    assert score.interval is None


def test_gamma_with_a_reference_is_undefined_on_points() -> None:
    assert math.isnan(accord.gamma(table(*points(1)), reference="A", interval="none").value)


@pytest.mark.parametrize("spec", ["f1", "ser", "f1(match=overlap)"])
def test_measures_that_accept_points_keep_their_value(spec: str) -> None:
    perfect = 0.0 if spec == "ser" else 1.0
    same = accord.score(table(*points(0)), spec, interval="none", extents=(0, 100))
    assert same.value == pytest.approx(perfect)
    apart = accord.score(table(*points(1)), spec, interval="none", extents=(0, 100))
    assert apart.value == pytest.approx(2.0 if spec == "ser" else 0.0)
    assert apart.details["notes"] == ["4 of 4 units have length 0: two of them match only if they are equal"]


def test_gamma_without_positions_is_defined_on_points() -> None:
    rows = [row for k, doc in enumerate("def") for row in (*points(1, doc), (doc, "A", 40, 40, "xyz"[k]))]
    assert not math.isnan(accord.gamma(table(*rows), positional=0, interval="none").value)
    assert math.isnan(accord.gamma(table(*rows), interval="none").value)


def test_gamma_cat_compares_the_labels_of_equal_points() -> None:
    assert accord.gamma_cat(table(*points(0)), interval="none").value == 1.0
    apart = accord.gamma_cat(table(*points(1)), interval="none")
    assert apart.undefined is not None
    assert "all units have length 0, and none of two annotators are equal; use f1" in apart.undefined


@pytest.mark.parametrize("spec", ["gamma", "gamma_cat", "f1", "ser"])
def test_mixed_units_keep_the_value_and_count_the_points(spec: str) -> None:
    score = accord.score(table(*points(1), *STRETCHES), spec, interval="none", extents=(0, 100))
    assert not math.isnan(score.value)
    assert any(note.startswith("4 of 8 units have length 0: two of them ") for note in score.details["notes"])


def test_document_and_category_of_points_are_undefined_in_gamma() -> None:
    dots = [("e", who, at, at, "dot") for who, at in (("A", 5), ("B", 7))]
    parts = accord.gamma(table(*STRETCHES, *dots), interval="none", extents={"d": (0, 100), "e": (0, 50)}).parts
    assert math.isnan(parts["document"]["e"].value)
    assert math.isnan(parts["category"]["dot"].value)
    assert not math.isnan(parts["document"]["d"].value)
    assert not math.isnan(parts["category"]["x"].value)


@pytest.mark.parametrize("zones", ["joined", "atomic", "layered"])
def test_theta_leaves_out_documents_of_points(zones: str) -> None:
    """A document without zones would count as perfect agreement."""
    extents = {"d": (0, 100), "e": (0, 100)}
    alone = accord.theta(table(*STRETCHES), zones=zones, extents={"d": (0, 100)}, interval="none")
    both = accord.theta(table(*STRETCHES, *points(1, "e")), zones=zones, extents=extents, interval="none")
    assert both.value == pytest.approx(alone.value)
    assert both.n == 1
    assert "1 document in which all units have length 0 left out" in both.details["notes"]


def test_units_shorter_than_the_grain_ask_for_a_smaller_one() -> None:
    rows = [("d", "A", 0.0, 0.2, "x"), ("d", "B", 0.1, 0.3, "x")]
    score = accord.u_alpha(table(*rows), grain=1, extents=(0, 10), interval="none")
    assert score.undefined == "all units have length 0 in steps of 1, so no unit is left; give a smaller step"


COMMANDS: dict[str, tuple[str, ...]] = {
    "score": (), "report": ("-o", "report.html"), "influence": (), "advise": (), "check": ("--min", "gamma=0.1"),
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_accept_points(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "points.csv"
    rows = [row for doc in ("d", "e", "f") for row in points(1, doc)]
    path.write_text("\n".join([",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)]), encoding="utf-8")
    got = cli(command, path, *COMMANDS[command])
    assert got.code == {"check": 1, "influence": 2}.get(command, 0), got.err
    assert command not in {"score", "influence", "check"} or "all units have length 0" in got.out + got.err


def test_advice_on_points_is_a_measure_that_accepts_them() -> None:
    advice = accord.advise(table(*points(1), *points(2, "e")))
    assert "gamma" not in advice.specs
    assert advice.specs[-1] == "f1"
    assert "points" in {note.fact for note in advice.notes}
