"""Agreement from round to round: equal to separate scores and comparisons; a known change is found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import accord

from ..command_line import Cli
from ..refusals import raises
from .studies import units


def rounds(accuracies: tuple[float, ...] = (0.6, 0.9, 0.9), seed: int = 3, items: int = 80) -> dict[str, list[str]]:
    """Four annotators; a round for each accuracy, named from the last to the first in the table."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[str]] = {"item": [], "annotator": [], "label": [], "round": []}
    for number, accuracy in reversed(list(enumerate(accuracies, start=9))):
        truth = rng.integers(0, 3, items)
        for who in "ABCD":
            labels = np.where(rng.random(items) < accuracy, truth, rng.integers(0, 3, items))
            columns["item"] += [f"{number}.{k}" for k in range(items)]
            columns["annotator"] += [who] * items
            columns["label"] += ["xyz"[label] for label in labels]
            columns["round"] += [str(number)] * items
    return columns


def test_rounds_equal_separate_scores_and_comparisons() -> None:
    data = accord.read(rounds(), by="round")
    found = accord.trend(data, "round", "alpha")
    parts = data.by("round")
    assert [one.name for one in found.rounds] == ["9", "10", "11"]  # sorted as numbers, not as text or by appearance
    for one in found.rounds:
        alone = accord.alpha(parts[one.name])
        assert one.scores[0].value == alone.value
        assert one.scores[0].interval == alone.interval
        people = {name: score.value for name, score in alone.parts["annotator"].items()}
        at = [r.name for r in found.rounds].index(one.name)
        assert {name: values[at] for name, values in found.annotators["alpha"].items()} == people
    first = accord.compare(parts["9"], parts["10"], "alpha", names=("9", "10"))
    assert found.changes[0].difference == first.difference
    assert found.changes[0].p == first.p
    assert found.changes[0].names == ("9", "10")


def test_only_the_real_change_is_found() -> None:
    found = accord.trend(rounds(), by="round")
    assert [one.p_holm <= 0.05 for one in found.changes] == [True, False]  # type: ignore[operator]
    assert found.closing() == [
        f"alpha rises from 9 to 10 by {found.changes[0].difference:.3f}: more than sampling error explains."
    ]
    p = [one.p for one in found.changes]
    assert [one.p_holm for one in found.changes] == [pytest.approx(2 * p[0]), pytest.approx(max(2 * p[0], p[1]))]  # type: ignore[operator]


@pytest.mark.slow
def test_constant_agreement_is_rarely_reported_as_trend() -> None:
    reported = sum("rises" in line or "falls" in line for seed in range(30)
                   for line in accord.trend(rounds((0.8, 0.8, 0.8), seed, 40), "round").closing())  # fmt: skip
    assert reported <= 5  # of 30, at 5% for all changes of a study together


def test_rounds_with_the_same_items_are_paired() -> None:
    table = rounds()
    table["item"] = [name.split(".")[1] for name in table["item"]]
    found = accord.trend(table, "round")
    assert found.changes[0].n_common == 80
    assert "paired" in found.changes[0].method
    assert "unpaired" not in found.changes[0].method


def test_round_that_cannot_be_scored_is_listed() -> None:
    table = rounds((0.8, 0.8))
    for column, cell in zip(table.values(), ("z", "A", "x", "12"), strict=True):
        column.append(cell)
    found = accord.trend(table, "round")
    assert [bool(one.problem) for one in found.rounds] == [False, False, True]
    assert any("10 and 12 cannot be compared" in note for note in found.notes)
    assert found.values("alpha")[2] != found.values("alpha")[2]


def test_rows_without_round_are_left_out_and_counted() -> None:
    table = rounds()
    table["round"] = ["" if k == "9" else k for k in table["round"]]
    found = accord.trend(table, "round")
    assert [one.name for one in found.rounds] == ["10", "11"]
    assert "80 items left out because column round is empty" in found.notes
    assert found.order == "numbers"


def test_rounds_of_units_consist_of_documents() -> None:
    corpus = units(1, docs=6)
    columns, rows = corpus.rows()
    table = {name: [row[k] for row in rows] for k, name in enumerate(columns)}
    table["round"] = ["first" if doc in corpus.docs[:3] else "second" for doc in table["doc"]]
    found = accord.trend(table, "round", "f1", replicates=100, jobs=1)
    assert found.order == "as they come"
    assert found.values("f1")[0] == accord.f1(corpus.only_named(set(corpus.docs[:3])), interval="none").value
    with raises("nothing-shared"):
        accord.trend(corpus, "doc")


def test_one_round_or_unknown_column_is_refused() -> None:
    with raises("nothing-shared"):
        accord.trend(rounds((0.8,)), "round")
    with raises("unknown-name", '"round"'):
        accord.trend(rounds(), "ruond")


def test_plot_is_reproducible(tmp_path: Path) -> None:
    found = accord.trend(rounds(), "round", ["alpha", "percent"])
    for name in ("a.svg", "a.png"):
        found.save_plot(tmp_path / name)
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<svg" in text
    assert "<dc:date>" not in text
    found.save_plot(tmp_path / "b.svg")
    assert (tmp_path / "b.svg").read_text(encoding="utf-8") == text
    with raises("option-value"):
        found.save_plot(tmp_path / "a.gif")


def test_command_prints_trend_and_plots_it(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    columns = rounds()
    lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    Path("labels.csv").write_text("\n".join(lines), encoding="utf-8")
    got = cli("trend", "labels.csv", "--by", "round", "-m", "alpha", "--plot", "trend.svg")
    assert got.code == 0, got.err
    assert "alpha rises from 9 to 10" in got.out
    assert Path("trend.svg").exists()
    assert cli("trend", "labels.csv").err == (
        "accord: --by: the column of the rounds is required: accord trend labels.csv --by round [option-missing]\n"
    )
