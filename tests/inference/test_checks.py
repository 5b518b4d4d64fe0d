"""Thresholds for parts of a corpus, and comparison with an earlier run."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.answers.checks import check
from accord.core.probability import normal_below
from accord.doors.rendering.for_programs import checks_as_junit

from ..command_line import Cli
from ..refusals import raises
from .test_trend import rounds


def test_every_part_must_meet_the_threshold() -> None:
    data = accord.read(rounds(), by="round")
    score = accord.alpha(data)
    for by in ("category", "annotator", "pair"):
        values = {name: part.value for name, part in score.parts[by].items()}
        limit = float(np.median(list(values.values())))
        found = check(data, {"alpha": limit}, by=by)
        assert {one.name: one.held_against for one in found if one.by} == values
        assert {one.name for one in found if one.by and not one.passed} == {
            name for name, value in values.items() if value < limit
        }
        assert not found.passed
        assert check(data, {"alpha": min(*values.values(), score.value)}, by=by).passed


def test_parts_of_a_column_are_scored_separately() -> None:
    found = check(rounds(), {"alpha": 0.5}, by="round", use="lower")
    parts = {name: accord.alpha(part) for name, part in accord.read(rounds(), by="round").by("round").items()}
    assert {one.name: one.held_against for one in found if one.by} == {
        name: score.interval.low for name, score in parts.items() if score.interval
    }
    assert [one.name for one in found if one.by and not one.passed] == ["9"]
    assert "FAILED  round 9: alpha ≥ 0.5 is not met" in found.in_words()
    assert "FAILED  alpha by round: 2 of 3 met\n" in found.in_words()
    assert "(round 9)" in checks_as_junit(found, "labels.csv")


def test_part_that_cannot_be_scored_fails() -> None:
    table = rounds()
    for column, cell in zip(table.values(), ("z", "A", "x", "12"), strict=True):
        column.append(cell)
    last = check(table, {"alpha": 0.1}, by="round")
    assert [(one.name, one.passed) for one in last if one.name == "12"] == [("12", False)]


def test_pairs_without_common_items_are_left_out_and_counted() -> None:
    rows = [["x", "x", None], ["y", "y", None], [None, "x", "x"], [None, "y", "y"]]
    found = check(rows, {"alpha": 0.9}, by="pair")
    assert found.passed
    assert [one.name for one in found if one.by] == ["A1 – A2", "A2 – A3"]
    assert found.notes == ("alpha by pair: 1 part left out because nothing can be compared",)


def test_checks_by_parts_that_do_not_exist_are_refused() -> None:
    with raises("option-conflict"):
        check(rounds(), {"alpha": 0.5}, by="category", use="lower")
    with raises("unknown-name"):
        check(rounds(), {"alpha": 0.5}, by="ruond")
    with raises("option-missing", "--baseline"):
        check(rounds())


# -- an earlier run --------------------------------------------------------------------------------------------------


def test_baseline_check_uses_the_error_of_both_runs() -> None:
    """The baseline is 1.6 or 1.7 combined errors above the current α; 1.645 is the limit."""
    data = accord.read(rounds((0.8,)))
    now = accord.alpha(data)
    assert now.se is not None
    error = math.hypot(0.03, now.se)
    for z, passed in ((1.6, True), (1.7, False), (-3.0, True)):
        before = {"scores": [{"measure": "alpha", "value": now.value + z * error, "se": 0.03}]}
        found = check(data, baseline=before)
        assert found.passed is passed
        assert found[0].against == "baseline"
        assert f"p = {1 - normal_below(z):.3f}" in found[0].reason
        assert found[0].threshold.limit == pytest.approx(now.value + (z - 1.6448536) * error)


def test_error_measure_must_not_rise() -> None:
    rows = {"annotator": list("AABB"), "start": [0, 40, 0, 40], "end": [10, 50, 10, 55], "doc": list("dede")}
    now = accord.ser(rows, interval="bootstrap", replicates=100)
    low = {"measure": "ser", "value": now.value - 5, "se": 0.01}
    assert not check(rows, baseline={"scores": [low]}, interval="bootstrap", replicates=100).passed
    assert check(rows, baseline={"scores": [{**low, "value": now.value + 5}]}, replicates=100).passed


@pytest.mark.slow
def test_equal_runs_rarely_fail_and_worse_runs_fail() -> None:
    """Of 60 pairs of independent studies that agree equally well, about 5% fail."""
    studies = [accord.read(rounds((0.8,), seed, 60)) for seed in range(120)]
    runs = [accord.alpha(one).to_dict() for one in studies[60:]]
    failed = sum(not check(a, baseline=b).passed for a, b in zip(studies[:60], runs, strict=True))
    assert failed <= 8
    good = accord.alpha(accord.read(rounds((0.95,), 1, 60))).to_dict()
    assert not any(check(one, baseline=good).passed for one in studies[:10])


def test_baseline_check_fails_without_standard_error() -> None:
    before = {"scores": [{"measure": "alpha", "value": 0.1, "se": 0.01}]}
    found = check(accord.read(rounds((0.8,))), baseline=before, interval="none")
    assert not found.passed
    assert "cannot be compared with the baseline: its standard error is unknown" in found[0].reason


def test_broken_baselines_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "last.json"
    for text, words in (
        ("{", "file-damaged"),
        ("[]", "saved-file-invalid"),
        ("{}", "saved-file-invalid"),
        ('{"scores": [{"measure": "alpha", "value": 0.5}]}', "undefined-value"),
        ('{"scores": [{"measure": "alpha", "value": null}]}', "undefined-value"),
        ('{"scores": [{"measure": "gamma", "value": 0.5, "se": 0.1}]}', "undefined-value"),
    ):
        path.write_text(text, encoding="utf-8")
        with raises(words):
            check(rounds(), baseline=str(path))
    with raises("file-unreadable"):
        check(rounds(), baseline="nowhere.json")


def test_check_reads_baselines_written_by_score_and_check(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, accuracies in (("good", (0.95, 0.95)), ("bad", (0.95, 0.6))):
        columns = rounds(accuracies)
        lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
        Path(f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
    asked = ("-m", "alpha", "--by", "round", "--json", "-o", "score.json")
    assert cli("score", "good.csv", *asked).code == 0
    assert cli("check", "good.csv", "--min", "alpha=0.5", "--by", "round", "--json", "-o", "check.json").code == 0
    for kept in ("score.json", "check.json"):
        assert cli("check", "good.csv", "--baseline", kept).code == 0
        got = cli("check", "bad.csv", "--baseline", kept)
        assert (got.code, got.out.count("FAILED")) == (1, 1), got.out
        got = cli("check", "bad.csv", "--baseline", kept, "--by", "round", "--json")
        failed = [(one["by"], one["name"]) for one in json.loads(got.out)["checks"] if not one["passed"]]
        assert (got.code, failed) == (1, [(None, None), ("round", "10")])
