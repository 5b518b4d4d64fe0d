"""Gold standards: by hand, ties, decisions read from a file, and simulations with known truth."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

import accord
from accord.answers.gold.decisions import read_decisions
from accord.answers.gold.settled import apply_decisions

from ..command_line import Cli
from ..refusals import raises

RATINGS = {"item": list("aaabbbccdd"), "annotator": list("ABCABCABAB"), "label": list("xxyxyyxyzz")}


def row(gold: accord.Gold, name: str) -> tuple[str, int, str]:
    found = next(one for one in gold.rows if one.name == name)
    return found.label, found.support, found.tie


def test_votes_decide_and_ties_are_flagged() -> None:
    gold = accord.gold(RATINGS)
    assert row(gold, "a") == ("x", 2, "")
    assert row(gold, "b") == ("y", 2, "")
    assert row(gold, "c") == ("", 1, "label")  # one against one is not broken at random
    assert row(gold, "d") == ("z", 2, "")
    assert [one.name for one in gold.unsettled] == ["c"]
    assert gold.rows[0].alternatives == {"x": 2 / 3, "y": 1 / 3}
    assert gold.rows[0].entropy == pytest.approx(0.9183, abs=1e-4)


def test_each_member_of_sets_is_voted_on() -> None:
    data = {"item": list("aaabb"), "annotator": list("ABCAB"), "label": ["p|q", "p", "p|r", "p", "q"]}
    gold = accord.gold(data, sets="|")
    assert row(gold, "a")[0] == "p"
    assert row(gold, "b") == ("", 0, "label")  # each of two members has half of the votes
    assert gold.rows[0].alternatives == {"p": 1.0, "q": 1 / 3, "r": 1 / 3}


def test_numbers_have_median_and_mean() -> None:
    data = {"item": list("aaabbb"), "annotator": list("ABCABC"), "label": [1, 2, 6, 3, 3, 4]}
    assert [one.label for one in accord.gold(data, method="median").rows] == ["2", "3"]
    assert [one.label for one in accord.gold(data, method="mean").rows] == ["3", "3.33333"]
    with raises("measure-for-other-data"):
        accord.gold(RATINGS, method="mean")


UNITS = [
    *(("A", 0, 10, "x"), ("B", 2, 12, "x"), ("C", 1, 11, "y")),
    ("A", 30, 40, "x"),
    *(("A", 60, 70, "y"), ("B", 60, 70, "x"), ("C", 60, 70, "y")),
]


def units(*rows: tuple[str, int, int, str]) -> dict[str, list[object]]:
    names = ("annotator", "start", "end", "label")
    return {name: [one[k] for one in rows] for k, name in enumerate(names)}


@pytest.mark.parametrize(
    ("boundaries", "place"),
    [("median", (1, 11)), ("union", (0, 12)), ("intersection", (2, 10)), ("B", (2, 12)), ("mode", (0, 10))],
)
def test_units_follow_the_alignment_and_boundaries(boundaries: str, place: tuple[int, int]) -> None:
    gold = accord.gold(units(*UNITS), boundaries=boundaries)
    first, second = gold.rows
    assert (first.start, first.end) == place
    assert (first.label, first.support, first.annotators) == ("x", 2, 3)
    assert (second.label, second.start) == ("y", 60)
    assert gold.dropped == 1  # marked by one of three
    assert len(accord.gold(units(*UNITS), threshold=0.2).rows) == 3


def test_unit_marked_by_one_of_two_is_a_tie() -> None:
    gold = accord.gold(units(("A", 0, 10, "x"), ("B", 0, 10, "x"), ("B", 20, 30, "x")))
    assert [one.tie for one in gold.rows] == ["", "in or out"]


def test_units_over_a_text_show_the_text() -> None:
    text = "the old pear tree"
    data = accord.read(units(("A", 4, 17, "P"), ("B", 8, 17, "Q")), extents=(0, 17))
    assert accord.gold(data).rows[0].text == ""
    rows = {**units(("A", 4, 17, "P"), ("B", 8, 17, "Q")), "doc": ["d", "d"]}
    corpus = accord.read(rows)
    assert accord.gold(replace(corpus, texts={"d": text})).rows[0].text == "the ol[d pear tree]"


def test_decisions_are_read_back_and_checked(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i},{a},{x}\n" for i, a, x in zip(*RATINGS.values(), strict=True))
    Path("r.csv").write_text("item,annotator,label\n" + rows, encoding="utf-8")
    made = cli("gold", "r.csv", "-o", "gold.csv", "--adjudicate", "todo.csv", "--soft", "soft.jsonl")
    assert made.code == 0, made.err
    todo = list(csv.DictReader(Path("todo.csv").read_text(encoding="utf-8").splitlines()))
    assert [(one["item"], one["A"], one["B"], one["decision"]) for one in todo] == [("c", "x", "y", "")]
    soft = [json.loads(line) for line in Path("soft.jsonl").read_text(encoding="utf-8").splitlines()]
    assert soft[0] == {
        "item": "a",
        "distribution": {"x": 2 / 3, "y": 1 / 3},
        "entropy": pytest.approx(0.9183, abs=1e-4),
    }
    todo[0]["decision"] = "new"
    with Path("done.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, todo[0])
        writer.writeheader()
        writer.writerows(todo)
    got = cli("gold", "r.csv", "--decisions", "done.csv", "--json")
    found = json.loads(got.out)
    assert found["unsettled"] == 0
    assert {"item": "c", "label": "new"}.items() <= next(r for r in found["rows"] if r["item"] == "c").items()
    assert "1 manual decision with a label that no annotator gave" in found["notes"]
    Path("r.csv").write_text("item,annotator,label\n" + rows.replace("c,A,x", "c,A,z"), encoding="utf-8")
    other = cli("gold", "r.csv", "--decisions", "done.csv")
    assert other.code == 2
    assert "done.csv:2: this decision does not match the data" in other.err


def test_excel_and_parquet_are_written_and_read(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xlsxwriter")
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i},{a},{x}\n" for i, a, x in zip(*RATINGS.values(), strict=True))
    Path("r.csv").write_text("item,annotator,label\n" + rows, encoding="utf-8")
    made = cli("gold", "r.csv", "--adjudicate", "todo.xlsx", "--soft", "soft.parquet")
    assert made.code == 0, made.err
    assert read_decisions(Path("todo.xlsx")) == {}
    assert accord.read("soft.parquet", item="item", annotator="label", label="probability").n_items == 4


def test_decision_can_remove_a_unit() -> None:
    gold = accord.gold(units(("A", 0, 10, "x"), ("B", 20, 30, "x")))
    kept = apply_decisions(gold, {gold.rows[0].key: ("-", "here"), gold.rows[1].key: ("x", "there")})
    assert [(one.start, one.tie) for one in kept.rows] == [(20, "")]


def test_invalid_options_are_refused() -> None:
    with raises("unknown-name", '"mace"'):
        accord.gold(RATINGS, method="maze")
    with raises("option-value"):
        accord.gold(RATINGS, threshold=2)
    with raises("measure-for-other-data"):
        accord.gold(units(*UNITS), method="mean")
    with raises("unknown-name"):
        accord.gold(units(*UNITS), boundaries="middle")


def test_gold_recovers_a_reference_better_than_one_annotator() -> None:
    reference = accord.generate(units=60, categories=3, seed=4)
    people = accord.shuffle(
        reference, "combination([shift,false_negative,category])", magnitude=0.3, annotators=5, seed=4
    )
    gold = accord.gold(people)
    rows = [(one.name, "gold", one.start, one.end, one.label) for one in gold.rows]
    names = ("doc", "annotator", "start", "end", "label")

    def against(given: list[tuple[object, ...]]) -> float:
        true = [(r[0], "truth", r[2], r[3], r[4]) for r in reference.rows()[1]]
        both = [*given, *true]
        return float(accord.f1({name: [one[k] for one in both] for k, name in enumerate(names)}).value)

    single = [against([r for r in people.rows()[1] if r[1] == who]) for who in people.annotators]
    assert against(rows) > max(single)


def test_disagreements_of_many_annotators_show_counts_and_dissenters() -> None:
    rows = [["x"] * 7 + ["y"] * 2, ["x"] * 6 + ["y", "z", None]]
    found = accord.disagreements(accord.Ratings.from_rows(rows))
    listed = found.tables()[0]
    labels = listed.columns.index("labels")
    assert [row[labels] for row in listed.rows] == ["7 x; 2 y (A8, A9)", "6 x; 1 y (A7); 1 z (A8)"]
    assert len(found.flat().columns) > 9  # one column for each annotator in data for programs


TEXTS = "doc,annotator,text\n" + "".join(
    f"{doc},{who},one {'two' if who in 'AB' else 'too'} three\n" for doc in "de" for who in "ABCDEFGHIJ"
)
MASSES = "doc,annotator,masses\n" + "".join(f"d,{who},{'2 3 6' if who in 'AB' else '5 6'}\n" for who in "ABCDEFGHIJ")


@pytest.mark.parametrize(("rows", "words", "noun"), [(TEXTS, "texts", "6 tokens"), (MASSES, "segmentations", "1 doc")])
def test_texts_and_segmentations_have_a_consensus_but_no_list_of_disagreements(
    rows: str, words: str, noun: str, cli: Cli, tmp_path: Path
) -> None:
    """Also with more than eight annotators."""
    (tmp_path / "data.csv").write_text(rows, encoding="utf-8")
    refused = cli("disagreements", tmp_path / "data.csv")
    assert (refused.code, refused.out) == (2, "")
    assert f"not for {words}; accord report" in refused.err
    found = cli("gold", tmp_path / "data.csv")
    assert found.code == 0, found.err
    assert noun in found.out
    assert "support" not in found.out


def test_cost_of_an_item_is_its_number_of_differing_pairs() -> None:
    data = {"item": ["i"] * 7, "annotator": list("ABCDEFG"), "label": list("xxxyyzw")}
    (only,) = accord.disagreements(data).found.rows
    assert only.cost == 21 - 3 - 1
