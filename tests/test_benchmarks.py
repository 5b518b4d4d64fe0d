"""Benchmarks: ratios are compared with those of the baseline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks import __main__ as bench
from benchmarks import baseline
from benchmarks.growth import exponent

KEPT = {"alpha": (0.1, "time"), "its memory": (0.5, "memory"), "growth": (1.0, "exponent"), "elsewhere": (3.0, "time")}


def test_exponents_are_slopes() -> None:
    assert exponent([10, 100, 1000], [3, 30, 300]) == pytest.approx(1.0)
    assert exponent([2, 4, 8], [5, 20, 80]) == pytest.approx(2.0)


def test_worse_ratios_are_named() -> None:
    same = {"alpha": (0.14, "time"), "its memory": (0.5, "memory"), "growth": (1.1, "exponent"), "new": (9.0, "time")}
    assert baseline.worse(same, KEPT) == []
    lines = baseline.worse({**same, "alpha": (0.2, "time"), "growth": (1.3, "exponent")}, KEPT)
    assert [line.partition(":")[0] for line in lines] == ["alpha", "growth"]
    assert lines[0] == "alpha: 0.2, baseline 0.1, tolerated factor 1.5 (time)"
    assert baseline.worse({"alpha": (float("nan"), "time")}, KEPT)  # NaN counts as worse


def test_baseline_keeps_ratios_not_measured_again(tmp_path: Path) -> None:
    assert {kind for _, kind in baseline.read().values()} == {"time", "memory", "exponent"}
    path = tmp_path / "baseline.json"
    baseline.write(KEPT, path)
    baseline.write({"alpha": (0.05, "time")}, path)
    assert baseline.read(path) == {**KEPT, "alpha": (0.05, "time")}
    assert list(json.loads(path.read_text(encoding="utf-8"))) == sorted(KEPT)


@pytest.mark.parametrize(("now", "code", "line"), [(0.1, 0, "1 ratios, none worse"), (0.3, 1, "WORSE alpha: 0.3")])
def test_check_fails_if_a_ratio_is_worse(
    now: float, code: int, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured() -> None:
        bench.RATIOS["alpha"] = now, "time"

    monkeypatch.setattr(bench, "RATIOS", {})
    monkeypatch.setattr(bench, "PARTS", {"part": (measured,)})
    monkeypatch.setattr(baseline, "read", lambda: KEPT)
    assert bench.main(["--check", "measured"]) == code
    assert line in capsys.readouterr().out


def test_check_fails_if_a_benchmark_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> None:
        raise RuntimeError("no such command")

    monkeypatch.setattr(bench, "PARTS", {"part": (broken,)})
    assert bench.main(["--check"]) == 1
    assert "WORSE broken failed" in capsys.readouterr().out
