"""Agreement graphs: points, workers, interrupted runs, and verdicts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.simulate import xray as room
from accord.answers.simulate.errors import error_type
from accord.answers.simulate.generate import generate
from accord.answers.simulate.judging import make_judge, values_of_sets
from accord.answers.simulate.shuffle import Erring, Reference, one_set
from accord.answers.simulate.xray import Curve, magnitudes, own_function, xray
from accord.core import checkpoints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError
from accord.measures.units.gamma import Gamma

from ..refusals import raises

GOLD = generate(units=12, categories=3, seed=1)
TEXT = generate(units=20, categories=0, segmentation=True, seed=1)
FEW = {"step": 0.5, "sets": 3}


def share_of_first(corpus: accord.Corpus) -> float:
    """A custom measure: the share of units of the first annotator."""
    return float((corpus.annotator == 0).mean()) if len(corpus) else math.nan


def test_rows_are_points_of_the_curves() -> None:
    found = xray(GOLD, "category", ["gamma", "cu_alpha", "ser", share_of_first], step=0.25, sets=4)
    assert list(found.columns()) == ["error", "measure", "magnitude", "mean", "low", "high", "sets", "undefined"]
    assert len(found.rows()) == 4 * 5
    assert {row[1] for row in found.rows()} == {"gamma", "cu_alpha", "1-ser", "share_of_first"}
    for name in ("gamma", "cu_alpha", "1-ser"):
        curve = found[name]
        assert curve.mean[0] == pytest.approx(1.0)
        assert (curve.low <= curve.mean + 1e-12).all()
        assert (curve.mean <= curve.high + 1e-12).all()
    assert found["share_of_first"].mean == pytest.approx(1 / 3)


@pytest.mark.slow
def test_gamma_of_a_batch_equals_gamma_of_each_set() -> None:
    source = Reference(GOLD)
    batch = source.shuffled([Erring(error_type("shift"), 0.3)] * 3, [(1, s) for s in range(4)])
    found, _ = values_of_sets((make_judge("gamma(samples=600)"),), batch, 4, source.n_docs, seed=5)
    for s in range(4):
        alone = Gamma(samples=600, chance="shift").coarser()
        score = alone.estimate(alone.observe(one_set(batch, s, 1), Run(9, jobs=1)))
        assert found[0, s] == pytest.approx(score.value, abs=0.02)


def test_measures_on_items_use_labels_of_units() -> None:
    found = xray(GOLD, "category", ["alpha", "kappa", "percent"], **FEW)
    assert found["alpha"].mean[0] == 1
    assert 0 < found["percent"].mean[1] < 1
    with raises("measure-for-other-data"):
        xray(GOLD, "shift", ["alpha"])


def test_segmentations_are_scored_by_their_measures_and_by_gamma() -> None:
    found = xray(TEXT, "shift", ["window_diff", "gamma", "pi_star"], **FEW)
    assert all(curve.mean[0] == pytest.approx(1) for curve in found.curves)
    assert all(curve.mean[1] < 0.9 for curve in found.curves)


def test_curve_is_undefined_without_units() -> None:
    found = xray(GOLD, "false_negative", ["gamma", "u_alpha"], **FEW)
    for curve in found.curves:
        assert curve.undefined.tolist() == [0, 0, 3]
        assert math.isnan(curve.mean[-1])
        assert curve.rows()[-1][-1] == 3
    assert "no units" in found.notes()[0]


def test_measures_that_refuse_overlaps_are_undefined_with_a_reason() -> None:
    found = xray(GOLD, "false_positive", ["u_alpha"], step=0.5, sets=2)
    assert found["u_alpha"].undefined.tolist() == [0, 2, 2]
    assert "overlap" in found.notes()[0]
    assert found["u_alpha"].verdict.words() == ("undefined",) * 4


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_number_of_workers_does_not_change_results(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.core.parallel._PATIENCE", 0.0)
    monkeypatch.setattr("accord.core.parallel._WORTH_IT", 0.0)
    found = xray(GOLD, "shift", ["gamma", "ser"], step=0.5, sets=12, seed=3, jobs=jobs)
    again = xray(GOLD, ["shift", "category"], ["gamma", "ser"], step=0.5, sets=12, seed=3, jobs=1)
    assert found.rows() == again.rows()[: len(found.rows())]


def test_finer_step_keeps_the_same_points() -> None:
    coarse_, fine = (xray(GOLD, "shift", "ser", step=step, sets=3) for step in (0.5, 0.25))
    assert (coarse_["1-ser"].values == fine["1-ser"].values[::2]).all()


def test_interrupted_run_resumes_with_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = tmp_path / "curves.csv.journal"
    plan = {"error": "false_negative", "measures": ["gamma", "ser"], "step": 0.25, "sets": 12, "seed": 2, "jobs": 1}
    whole = xray(GOLD, **plan)
    done, real = 0, room.values_of_sets

    def killed(*args: object) -> object:
        nonlocal done
        done += 1
        if done > 6:
            raise KeyboardInterrupt
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(room, "values_of_sets", killed)
    with pytest.raises(KeyboardInterrupt):
        xray(GOLD, journal=journal, **plan)
    files = finished(journal)
    assert len(files) == 6
    files[0].write_bytes(files[0].read_bytes()[:40])  # truncated
    monkeypatch.setattr(room, "values_of_sets", lambda *args: (_counted(counts), real(*args))[1])
    counts: list[int] = []
    resumed = xray(GOLD, journal=journal, resume=True, **plan)
    assert len(counts) == 10 - 6 + 1 + 4  # one file was damaged, and chance has two tasks per measure
    assert repr(resumed.rows()) == repr(whole.rows())
    assert len(finished(journal)) == 10 + 4


def finished(journal: Path) -> list[Path]:
    return sorted(journal.glob("*/*"))


def test_damaged_result_is_computed_again(tmp_path: Path) -> None:
    journal, plan = tmp_path / "j", {"error": "shift", "measures": "ser", "journal": tmp_path / "j", **FEW}
    whole = xray(GOLD, **plan)
    for path in finished(journal):
        content = bytearray(path.read_bytes())
        content[-9] ^= 1
        path.write_bytes(content)
    assert xray(GOLD, resume=True, **plan).rows() == whole.rows()


@pytest.mark.parametrize("resume", [True, False])
def test_files_not_written_by_accord_are_refused_as_journal(tmp_path: Path, resume: bool) -> None:
    journal, folder = tmp_path / "j", tmp_path / "f"
    journal.write_text("my notes\n")
    folder.mkdir()
    (folder / "notes.txt").write_text("dear")
    for place in (journal, folder):
        with raises("output-exists"):
            xray(GOLD, "shift", "ser", journal=place, resume=resume, **FEW)
    assert journal.read_text() == "my notes\n"
    assert (folder / "notes.txt").read_text() == "dear"


def _counted(counts: list[int]) -> None:
    counts.append(1)


def test_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "j"
    xray(GOLD, "shift", "ser", journal=journal, **FEW)
    with raises("saved-file-invalid"):
        xray(GOLD, "shift", "ser", journal=journal, resume=True, seed=1, **FEW)
    assert xray(GOLD, "shift", "ser", journal=journal, seed=1, **FEW).curves  # starts over


def test_run_without_resume_starts_over(tmp_path: Path) -> None:
    plan = {"error": "shift", "measures": "ser", "journal": tmp_path / "j", **FEW}
    first = xray(GOLD, **plan)
    kept = finished(tmp_path / "j")
    other = xray(GOLD, seed=1, **plan)
    assert other.rows() != first.rows()
    assert not set(kept) & set(finished(tmp_path / "j"))


def test_second_run_is_refused_while_the_first_is_running(tmp_path: Path) -> None:
    with checkpoints.journal(tmp_path / "j", "one", resume=False):
        for resume in (True, False):
            with raises("checkpoint"):
                xray(GOLD, "shift", "ser", journal=tmp_path / "j", resume=resume, **FEW)
    assert xray(GOLD, "shift", "ser", journal=tmp_path / "j", **FEW).curves


def test_journal_of_a_changed_function_is_refused(tmp_path: Path) -> None:
    own, journal = tmp_path / "own.py", tmp_path / "j"
    own.write_text("def share(corpus):\n    return 0.5\n", encoding="utf-8")
    plan = {"error": "shift", "journal": journal, **FEW}
    xray(GOLD, measures=[own_function(f"{own}:share")], **plan)
    assert xray(GOLD, measures=[own_function(f"{own}:share")], resume=True, **plan).curves[0].mean[0] == 0.5
    own.write_text("def share(corpus):\n    return 0.7\n", encoding="utf-8")
    with raises("saved-file-invalid"):
        xray(GOLD, measures=[own_function(f"{own}:share")], resume=True, **plan)


def curve(*means: float) -> Curve:
    rows = np.array([[m, m] for m in means])
    return Curve("shift", "x", np.linspace(0, 1, len(means)), rows)


def test_verdicts_follow_the_curve() -> None:
    fine = curve(1, 0.6, 0.3, 0.01).verdict
    assert (fine.starts_at_1, fine.reaches_0, fine.strictly_decreasing, fine.never_below_0) == (True,) * 4
    assert not curve(0.9, 0.5, 0).verdict.starts_at_1
    assert not curve(1, 0.5, 0.2).verdict.reaches_0
    rising = curve(1, 0.5, 0.6, 0).verdict
    assert rising.rises == pytest.approx((2 / 3,))
    assert rising.words()[2].startswith("no: rises at")
    assert curve(1, 0.2, -0.3, -0.4).verdict.words()[3] == "no: -0.400"
    assert not curve(1, 1, 1).verdict.strictly_decreasing
    assert not curve(1, 1, 1).verdict.decreasing_within_noise


def test_noise_is_not_reported_as_a_rise() -> None:
    rng = np.random.default_rng(0)
    falling = np.linspace(1, 0.2, 5)[:, None] + rng.normal(0, 0.3, (5, 40))
    falling[3] += 0.16
    noisy = Curve("shift", "x", np.linspace(0, 1, 5), falling)
    assert noisy.verdict.words()[2] in {"within noise", "yes"}


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_plots_are_reproducible(kind: str, tmp_path: Path) -> None:
    found = xray(GOLD, ["false_negative", "category"], ["ser", "u_alpha"], **FEW)
    path = tmp_path / f"curves.{kind}"
    found.save_plot(path)
    assert path.stat().st_size > 1000
    if kind == "svg":
        first = path.read_bytes()
        found.save_plot(path)
        assert path.read_bytes() == first
    with raises("option-value"):
        found.save_plot(tmp_path / "curves.bmp")


def test_bad_input_is_refused_in_one_line() -> None:
    tries = [
        (SpecError, "step", lambda: xray(GOLD, "shift", "ser", step=0)),
        (SpecError, "sets", lambda: xray(GOLD, "shift", "ser", sets=0)),
        (SpecError, "twice", lambda: xray(GOLD, "shift", ["ser", "ser"])),
        (SpecError, "a measure and an error are needed", lambda: xray(GOLD, "shift", [])),
        (SpecError, "segmentations", lambda: xray(GOLD, "shift", "window_diff")),
        (SpecError, "unknown measure", lambda: xray(GOLD, "shift", "gama")),
        (DataError, "two categories", lambda: xray(generate(units=5, categories=1), "category", "ser")),
    ]
    for kind, message, call in tries:
        with pytest.raises(kind, match=message) as raised:
            call()
        assert "\n" not in str(raised.value)


def test_magnitudes_end_at_1() -> None:
    assert len(magnitudes(0.05)) == 21
    assert magnitudes(0.3) == (0.0, 0.3, 0.6, 0.9, 1.0)


def test_failing_custom_function_is_refused() -> None:
    def mine(data: object) -> float:
        raise ZeroDivisionError("by zero")

    gold = generate(units=8, categories=2, seed=1)
    with raises("dissimilarity-invalid"):
        xray(gold, "category", [mine], step=0.5, sets=1, jobs=1)
    with raises("option-value"):
        xray(gold, "category", [3], step=0.5, sets=1, jobs=1)  # type: ignore[list-item]


def test_value_by_chance_is_listed() -> None:
    found = xray(GOLD, ["shift", "category"], ["gamma", "ser"], **FEW)
    shift, labels = found["shift", "gamma"], found["category", "gamma"]
    assert shift.by_chance < 0.2 < shift.mean[-1]  # positions of the reference are kept
    assert labels.by_chance == pytest.approx(labels.mean[-1], abs=0.1)  # labels of the reference are not
    assert "by chance" in found.tables()[0].columns
    assert found.to_dict()["curves"][0]["by_chance"] == pytest.approx(shift.by_chance)
    assert "the same number of units" in found.notes()[-1]


def test_undefined_chance_is_left_out() -> None:
    one = accord.read({"annotator": ["gold"] * 4, "start": [0, 5, 9, 20], "end": [4, 8, 12, 24]})
    assert not math.isnan(xray(one, "shift", ["gamma"], **FEW).curves[0].by_chance)
    items = accord.read({"item": [1, 2, 3], "annotator": ["g"] * 3, "label": ["a", "a", "a"]})
    found = xray(items, "false_negative", [lambda data: 1.0 * len(data)], **FEW)
    assert math.isnan(found.curves[0].by_chance)
    assert not any(note.startswith("by chance") for note in found.notes())


def test_chance_model_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gamma, "chance_on", lambda *_: "shift (default)")
    found = xray(GOLD, "category", ["gamma", "ser"], **FEW)
    assert found.notes()[0] == "chance model of gamma: shift (default)"
    assert found.to_dict()["chance"] == {"gamma": "shift (default)"}


@pytest.mark.parametrize(
    "call",
    [
        lambda: accord.xray(GOLD, "shift", 3),
        lambda: accord.xray(GOLD, "shift", journal=3),
        lambda: accord.meaning(GOLD, errors=3),
        lambda: accord.generate(3),
        lambda: accord.layout(None, 3),
        lambda: accord.layout(3, None),
        lambda: accord.layout(3, 2, per_document="two"),
    ],
)
def test_arguments_of_a_wrong_type_are_refused_in_one_line(call: Any) -> None:
    with raises("option-value"):
        call()
