"""Profiles of annotators: by hand, against a naive count, and with simulated truth."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

import accord
from accord.answers.annotator_figures import (
    NONE,
    _marking,
    answers_of_items,
    find_biases,
    fisher,
    measure_accuracy,
    suspicion,
    wilson_interval,
)
from accord.answers.gold.models import Labelled, accuracies, dawid_skene
from accord.answers.trend import time_order
from accord.core.context import Run

from ..command_line import Cli
from ..refusals import raises

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# Ana, Ben, Cleo, Dan; x, y, z. By hand, the label that most of the others give:
#   1  x x x y   Ana: x (x x y), Ben and Cleo the same; Dan: x
#   2  x x y y   Ana: y (x y y), Ben: y, Cleo: x, Dan: x
#   3  x y z x   Ana: none (y z x); Ben: x; Cleo: x; Dan: none (x y z)
#   4  y y y y   y for all
ROWS = [list("xxxy"), list("xxyy"), list("xyzx"), list("yyyy")]
PEOPLE = ("Ana", "Ben", "Cleo", "Dan")


def by_name(found: accord.Annotators) -> dict[str, accord.answers.annotators.Annotator]:  # type: ignore[name-defined]
    return {one.name: one for one in found.each}


def test_accuracy_by_hand() -> None:
    found = by_name(accord.annotators(accord.Ratings.from_rows(ROWS, annotators=PEOPLE)))
    assert {name: (one.n, one.accuracy) for name, one in found.items()} == {
        "Ana": (3, pytest.approx(2 / 3)),
        "Ben": (4, 0.5),
        "Cleo": (4, 0.5),
        "Dan": (3, pytest.approx(1 / 3)),
    }
    # Dan gives x once and y three times; the others on the same items give x 3 + 2 + 1 and y 1 + 1 + 3, of 12, and z 1.
    dan = found["Dan"].bias
    assert dan is not None
    assert (dan.category, dan.own, dan.others) == ("y", 0.75, pytest.approx(5 / 12))
    assert found["Dan"].to_dict()["bias"]["difference"] == dan.own - dan.others  # as in the table


def test_wilson_interval_equals_published_one() -> None:
    """Newcombe 1998, table I: 81 of 263."""
    found = wilson_interval(81, 263, 0.95)
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(0.2553, abs=5e-5), pytest.approx(0.3662, abs=5e-5))
    assert wilson_interval(0, 0, 0.95) is None


LABELS = st.lists(st.lists(st.sampled_from(["x", "y", "z", None]), min_size=4, max_size=4), min_size=1, max_size=12)


@given(LABELS)
def test_the_others_label_and_shares_equal_a_naive_count(rows: list[list[str | None]]) -> None:
    data = accord.Ratings.from_rows(rows, annotators=PEOPLE)
    if not len(data):
        return
    answers = answers_of_items(data)
    names = answers.categories
    for item, who, label, theirs in zip(
        answers.item, answers.annotator, answers.label, answers.others_label, strict=True
    ):
        others = Counter(x for a, x in enumerate(rows[item]) if a != who and x is not None)
        most = [x for x, n in others.items() if n == max(others.values())]
        assert (names[theirs] if theirs != NONE else None) == (most[0] if len(most) == 1 else None), label
    found, differences = find_biases(answers)
    for a in range(4):
        mine = [(row[a], [x for b, x in enumerate(row) if b != a and x is not None]) for row in rows if row[a]]
        mine = [(own, others) for own, others in mine if others]
        if not mine:
            assert found[a] is None
            continue
        for k, name in enumerate(names):
            each = [(own == name) - others.count(name) / len(others) for own, others in mine]
            assert differences[a, k] == pytest.approx(np.mean(each), abs=1e-12)


@pytest.mark.parametrize("table", [(3, 10, 9, 10), (0, 5, 0, 7), (8, 8, 1, 6), (20, 90, 35, 80)])
def test_fisher_p_equals_scipy(table: tuple[int, int, int, int]) -> None:
    a, n, b, m = table
    assert fisher(*table) == pytest.approx(fisher_exact([[a, n - a], [b, m - b]]).pvalue, rel=1e-6)


def simulated(seed: int = 1, items: int = 300, copies: float = 0.95) -> dict[str, list[object]]:
    """Four good annotators (.85), one who answers at random, one who copies the first, one who drifts."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[object]] = {"item": [], "annotator": [], "label": [], "when": [], "seconds": []}
    truth = rng.integers(0, 3, items)
    given: dict[str, np.ndarray] = {}
    for name in ("a", "b", "c", "d", "random", "copy", "drifts"):
        right = rng.random(items) < (np.where(np.arange(items) < items / 2, 0.95, 0.6) if name == "drifts" else 0.85)
        made = np.where(right, truth, (truth + rng.integers(1, 3, items)) % 3)
        if name == "random":
            made = rng.integers(0, 3, items)
        if name == "copy":
            made = np.where(rng.random(items) < copies, given["a"], made)
        given[name] = made
        for k in range(items):
            row = (f"i{k}", name, "xyz"[made[k]], k + 1, 1 if name == "random" else 5 + k % 3)
            for column, cell in zip(columns.values(), row, strict=True):
                column.append(cell)
    return columns


def test_simulated_habits_are_found() -> None:
    found = accord.annotators(simulated(), time="when", duration="seconds")
    each = by_name(found)
    assert found.at_random == ("random",)
    assert found.each[-1].name == "random"
    assert {one.pair for one in found.alike} == {("a", "copy")}
    drifted = [name for name, one in each.items() if one.drift and one.drift.p_holm <= 0.05]  # type: ignore[operator]
    assert drifted == ["drifts"]
    assert each["drifts"].drift.change == pytest.approx(-0.35, abs=0.1)  # type: ignore[union-attr]
    assert (each["a"].duration, each["random"].duration) == (6, 1)
    assert each["random"].knows < 0.1 < each["a"].knows  # type: ignore[operator]


def test_model_recovers_accuracies_without_copying() -> None:
    """Two annotators who copy would mislead Dawid and Skene's model."""
    found = accord.annotators(simulated(copies=0.0))
    assert not found.alike
    for name in ("a", "b", "c", "d", "copy"):
        assert by_name(found)[name].model_accuracy == pytest.approx(0.85, abs=0.05)


def test_without_model_the_same_annotators_are_found() -> None:
    found = accord.annotators(simulated(2), fit=False)
    assert found.at_random == ("random",)
    assert [one.pair for one in found.alike] == [("a", "copy")]
    assert found.each[0].model_accuracy is None


def test_independent_annotators_are_rarely_reported_as_copying() -> None:
    """Hard items raise the agreement of all pairs above what accuracies predict. This is not suspicious."""
    rng = np.random.default_rng(5)
    called = 0
    for _ in range(20):
        hard = rng.random(200) < 0.3
        truth = rng.integers(0, 3, 200)
        rows = [
            [
                int(t if rng.random() < (0.5 if h else 0.95) else (t + rng.integers(1, 3)) % 3)
                for _ in range(7)
            ]
            for t, h in zip(truth, hard, strict=True)
        ]  # fmt: skip
        called += bool(accord.annotators(rows, fit=False).alike)
    assert called <= 3


def test_three_annotators_are_never_reported_as_copying() -> None:
    """Ana is between the other two on a scale: she agrees with both without copying."""
    found = accord.annotators(EXAMPLES / "garden" / "tone.csv")
    assert not found.alike
    assert any("suspicious agreement of pairs was not checked: at least 10 pairs" in note for note in found.notes)


def test_empty_times_and_durations_are_counted() -> None:
    table = {"item": list("112233"), "annotator": list("ABABAB"), "label": list("xxxyxx")}
    found = accord.annotators(table | {"t": ["1", "", "2", "2", "3", "3"], "s": ["1", "2", "", "3", "5", "4"]},
                              time="t", duration="s")  # fmt: skip
    assert {f"{name}: accord ignores 1 label without a value" for name in "st"} <= set(found.notes)
    assert by_name(found)["B"].duration == 3
    a = by_name(found)["A"].drift
    assert a is not None
    assert (a.n_first, a.first, a.n_second, a.second) == (1, 1, 2, 0.5)


def test_marking_equals_a_naive_count() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        docs, people, groups = 3, 5, 12
        judged = rng.random((docs, people)) < 0.7
        judged[:, :2] = True
        continuum = np.sort(rng.integers(0, docs, groups))
        has = (rng.random((groups, people)) < 0.5) & judged[continuum]
        has[~has.any(axis=1), 0] = True
        group, who = np.nonzero(has)
        found = _marking(group, who, has.sum(axis=1), continuum, judged)
        for a in range(people):
            mine = shared = theirs = 0
            for g in range(groups):
                if not judged[continuum[g], a]:
                    continue
                rest = [has[g, b] for b in range(people) if b != a and judged[continuum[g], b]]
                most, half = 2 * sum(rest) > len(rest), 2 * sum(rest) == len(rest)
                mine += bool(has[g, a]) and not half
                shared += bool(has[g, a]) and most
                theirs += most
            assert (found.mine[a], found.shared[a], found.theirs[a]) == (mine, shared, theirs)


def test_confusion_matrix_counts_as_two_annotators() -> None:
    data = accord.Ratings.from_confusion([[5, 1], [2, 7]], ["x", "y"])
    assert [one.accuracy for one in accord.annotators(data).each] == [pytest.approx(12 / 15)] * 2
    assert [one.kappa for one in accord.annotators(data).each] == [pytest.approx(accord.kappa(data).value)] * 2


def test_units_by_hand() -> None:
    """A and B mark both units, C marks one of them and another one; labels of the first differ."""
    rows = [
        ("A", 0, 10, "x"), ("B", 0, 10, "x"), ("C", 0, 10, "y"),
        ("A", 50, 60, "x"), ("B", 50, 60, "x"),
        ("C", 200, 210, "y"),
    ]  # fmt: skip
    table = dict(zip(("annotator", "start", "end", "label"), map(list, zip(*rows, strict=True)), strict=True))
    found = by_name(accord.annotators(table, jobs=1))
    # Of A's units the first is decided (B and C have it), the second not (B has it, C not).
    assert (found["A"].precision, found["A"].recall) == (1, 1)
    # C: A and B have two units, C has one of them; of C's own two, most of the others have one.
    assert (found["C"].precision, found["C"].recall, found["C"].accuracy) == (0.5, 0.5, 0)
    # A's first unit: B gives x and C gives y, so there is no majority; the second has B's x.
    assert (found["A"].n, found["A"].accuracy) == (1, 1)


def test_bias_of_numbers_is_difference_to_other_annotators() -> None:
    rows = [[k % 4, k % 4, k % 4 + 1] for k in range(12)]
    found = by_name(accord.annotators(rows))
    assert found["A3"].above == pytest.approx(1)
    assert found["A1"].above == pytest.approx(-0.5)


def test_time_order_uses_numbers_dates_or_order_of_appearance() -> None:
    assert time_order(["10", "9", "2"]) == ([2, 1, 0], "numbers")
    assert time_order(["2025-03-01", "2024-12-31"]) == ([1, 0], "dates")
    assert time_order(["pilot", "main"]) == ([0, 1], "as they come")
    assert time_order(["Round 10", "Round 1", "round 2"]) == ([1, 2, 0], "numbers")
    assert time_order(["A 2", "B 1"]) == ([0, 1], "as they come")


def test_data_without_needed_columns_are_refused() -> None:
    with raises("not-a-number"):
        accord.annotators(
            {"item": ["1", "1"], "annotator": ["A", "B"], "label": ["x", "x"], "s": ["1", "long"]}, duration="s"
        )
    with raises("unknown-name"):
        accord.annotators(accord.Ratings.from_rows(ROWS), time="when")
    with raises("counts-without-annotators"):
        accord.annotators(accord.Ratings.from_counts([[2, 1], [0, 3]], ["x", "y"]))
    with raises("nothing-shared"):
        accord.annotators({"item": ["1", "2"], "annotator": ["A", "B"], "label": ["x", "y"]})
    with raises("measure-for-other-data"):
        accord.annotators({"doc": ["d", "d"], "annotator": ["A", "B"], "masses": ["3 4", "4 3"]})


def test_repeated_label_is_refused_despite_other_durations() -> None:
    """Different durations do not make a repeated label valid."""
    table = {"item": ["1", "1", "1"], "annotator": ["A", "A", "B"], "label": ["x", "x", "x"], "s": [1, 2, 3]}
    with raises("repeated-label"):
        accord.annotators(table, duration="s")


def test_command_prints_drift_and_random_annotators(cli: Cli, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    columns = simulated(1, 60)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    (tmp_path / "labels.csv").write_text("\n".join(lines), encoding="utf-8")
    got = cli("annotators", "labels.csv", "--time", "when", "--duration", "seconds")
    assert got.code == 0, got.err
    assert "accuracy over time (when)" in got.out
    assert "random may have answered at random: κ" in got.out
    assert cli("annotators", "labels.csv", "--time", "whan").err == (
        'accord: unknown column "whan": did you mean "when"? [unknown-name]\n'
    )


def known(items: int, people: int, seed: int = 0) -> tuple[dict[str, list[str]], dict[str, float]]:
    """Labels of all annotators, and their accuracies."""
    rng = np.random.default_rng(seed)
    right = {f"p{a}": 0.6 + 0.3 * a / (people - 1) for a in range(people)}
    truth = rng.integers(0, 3, items)
    made: dict[str, list[str]] = {"item": [], "annotator": [], "label": []}
    for name, share in right.items():
        wrong = rng.random(items) >= share
        made["label"] += [str(x) for x in (truth + wrong * rng.integers(1, 3, items)) % 3]
        made["annotator"] += [name] * items
        made["item"] += [f"i{k}" for k in range(items)]
    return made, right


def test_accuracies_of_the_model_have_intervals(cli: Cli, tmp_path: Path) -> None:
    columns, right = known(120, 5)
    found = accord.annotators(columns, replicates=100)
    inside = 0
    for one in found.each:
        made = one.model_interval
        assert made is not None
        assert made.low < one.model_accuracy < made.high  # type: ignore[operator]
        inside += made.low <= right[one.name] <= made.high
    assert inside >= 4
    wider = accord.annotators(columns, replicates=100, level=0.99).each[0].model_interval
    narrow = found.each[0].model_interval
    assert wider is not None
    assert narrow is not None
    assert wider.high - wider.low > narrow.high - narrow.low
    rows = zip(columns["item"], columns["annotator"], columns["label"], strict=True)
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\n" + "".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
    shown = cli("annotators", str(path), "--replicates", "100")
    assert f"[{narrow.low:.3f}, {narrow.high:.3f}]" in shown.out
    flat = cli("annotators", str(path), "--replicates", "100", "--csv").out.splitlines()
    cells = dict(zip(flat[0].split(","), flat[1].split(","), strict=True))
    assert (float(cells["model_low"]), float(cells["model_high"])) == (narrow.low, narrow.high)
    first = json.loads(cli("annotators", str(path), "--replicates", "100", "--json").out)["annotators"][0]
    assert first["model_interval"]["low"] == pytest.approx(narrow.low)
    few = cli("annotators", str(path), "--replicates", "20")
    assert (few.code, few.err) == (
        2,
        "accord: 20 replicates are too few for an interval; use --replicates 100 or more, or --replicates 0 for no "
        "interval [option-value]\n",
    )
    both = cli("annotators", str(path), "--replicates", "100", "--no-fit")
    assert both.code == 2


def test_missing_intervals_of_the_model_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    def noted(found: accord.Annotators, words: str) -> bool:
        return any(words in str(note) for note in found.notes)

    columns, _ = known(40, 4)
    short = accord.annotators(columns, replicates=100)
    assert noted(short, "are too short for annotators with fewer than 100 labels")
    without = accord.annotators(columns, replicates=0)
    assert all(one.model_interval is None and one.model_accuracy is not None for one in without.each)
    few, _ = known(20, 4)
    found = accord.annotators(few)
    assert all(one.model_interval is None for one in found.each)
    assert noted(found, "no interval for 4 annotators with fewer than 30 labels")
    same = {"item": [f"i{k}" for k in range(40)] * 3, "annotator": [a for a in "abc" for _ in range(40)],
            "label": ["x", "y"] * 60}  # fmt: skip
    certain = accord.annotators(same, replicates=100)
    assert all(one.model_interval is None for one in certain.each)
    assert noted(certain, "no interval for 3 annotators: all bootstrap samples give the same value")
    monkeypatch.setattr("accord.answers.annotators._QUICKLY_DRAWN", 100)
    large = accord.annotators(columns)
    assert noted(large, "add --replicates 200")
    assert all(one.model_interval is None for one in large.each)
    assert any(one.model_interval for one in accord.annotators(columns, replicates=100).each)


def test_draws_without_an_annotator_have_no_accuracy() -> None:
    """One label among forty items: about a third of the bootstrap samples lack it."""
    item, who = np.append(np.repeat(np.arange(40), 2), 0), np.append(np.tile([0, 1], 40), 2)
    data = Labelled(item, who, np.append(np.repeat(np.arange(40) % 2, 2), 0), 40, 3, 2)
    drawn = accuracies(data, dawid_skene(data), Run(1), 100)
    assert not np.isnan(drawn[:, :2]).any()
    assert 20 < np.isnan(drawn[:, 2]).sum() < 55


def test_no_annotator_is_reported_as_random_with_one_dominant_label() -> None:
    """Giving x for all of 100 items is plausible if 3 items are y, but not if 50 are."""
    for rare, called in ((3, False), (50, True)):
        rows = [["y" if k < rare else "x"] * 3 + ["x"] for k in range(100)]
        found = measure_accuracy(answers_of_items(accord.Ratings.from_rows(rows, annotators=PEOPLE)))
        assert found.telling.tolist() == [min(rare, 100 - rare)] * 3 + [rare]
        reason = suspicion(float(found.kappa[3]), float(found.p_chance[3]), 100, int(found.telling[3]), 0.001, 0.05)
        assert bool(reason) is called


def test_annotators_of_one_label_are_noted() -> None:
    """The model cannot assess an annotator who gives one label only."""
    columns, _ = known(40, 4)
    found = accord.annotators({**columns, "label": columns["label"][:120] + ["1"] * 40}, replicates=0)
    assert any("1 annotator used one label only" in str(note) for note in found.notes)
    assert not any("used one label only" in str(note) for note in accord.annotators(columns, replicates=0).notes)


def test_model_accuses_no_annotator_who_agrees_with_the_others() -> None:
    """With many rare categories and few frequent ones, MACE explains agreement by guessing."""
    rng = np.random.default_rng(1)
    truth = rng.choice(12, 300, p=[0.6, 0.3, *[0.01] * 10])
    columns: dict[str, list[str]] = {"item": [], "annotator": [], "label": []}
    for who in ("A", "B", "C"):
        seen = np.where(rng.random(300) < 0.5, truth, rng.choice(2, 300, p=[0.65, 0.35]))
        columns["item"] += [f"i{k}" for k in range(300)]
        columns["annotator"] += [who] * 300
        columns["label"] += ["abcdefghijkl"[c] for c in seen]
    found = accord.annotators(columns, replicates=0)
    assert min(one.accuracy for one in found.each) > 0.6
    assert not found.at_random
    assert {one.knows for one in found.each} == {None}
    assert sum("MACE is not shown" in str(note) for note in found.notes) == 1
    gold = accord.gold(columns, method="mace")
    assert any("MACE treats nearly all labels as guesses" in str(note) for note in gold.notes)


def test_mace_is_considered_only_if_kappa_is_near_0() -> None:
    assert suspicion(0.5, 0.0, 100, 100, 0.001, 0.05) == ""
    assert "MACE" in suspicion(0.08, 0.01, 400, 400, 0.001, 0.05)
