"""Gold standards in all formats that `convert` writes: data of one annotator, with notes on what was left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from accord.answers.gold.settled import apply_decisions
from accord.data.io.formats.catalogue import FORMATS
from accord.data.model.corpus import Corpus

from ..command_line import Cli
from ..refusals import raises

TEXT = "Ann saw Ben. Cem left at dawn."
SPANS = [
    *(("d", who, 0, 3, "PER") for who in "ABC"),
    *(("d", "A", 8, 11, "PER"), ("d", "B", 8, 11, "PER"), ("d", "C", 8, 12, "ORG")),
    *(("d", "A", 13, 16, "PER"), ("d", "B", 13, 16, "ORG")),  # the label is a tie
    ("d", "C", 25, 29, "TIME"),  # one of three
]
WRITTEN = [one.name for one in FORMATS if one.written]
RATINGS = "item,annotator,label\n" + "".join(
    f"{i},{a},{x}\n" for i, a, x in zip("aaabbbccdd", "ABCABCABAB", "xxyxyyxyzz", strict=True)
)


@pytest.fixture
def spans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(",".join(map(str, row)) + "\n" for row in SPANS)
    Path("in").mkdir()
    Path("in/units.csv").write_text("doc,annotator,start,end,label\n" + rows, encoding="utf-8")
    Path("in/docs.csv").write_text(
        f'doc,begin,end,text\nd,0,30,"{TEXT}"\ne,0,13,"Nothing here."\nf,0,9,"Me alone."\n', encoding="utf-8"
    )
    looked = "".join(f"{doc},{who}\n" for doc, people in (("d", "ABC"), ("e", "AB"), ("f", "A")) for who in people)
    Path("in/judged.csv").write_text("doc,annotator\n" + looked, encoding="utf-8")


@pytest.mark.usefixtures("spans")
@pytest.mark.parametrize("to", WRITTEN)
def test_units_are_written_in_every_format(cli: Cli, to: str) -> None:
    one_file = {"label_studio": ".json", "prodigy": ".jsonl", "parquet": ".parquet"}.get(to, "")
    made = cli("gold", "in", "-o", f"gold{one_file}", "--to", to, "--json")
    if to == "parquet":  # one table cannot record that e was annotated
        assert (made.code, made.err.count("\n")) == (2, 1)
        assert "a folder of tables" in made.err
        return
    assert made.code == 0, made.err
    summary = json.loads(made.out)
    assert summary["format"] == to
    assert "1 unit left out because annotators are tied on the label" in summary["source_notes"]
    assert "1 unit left out: marked by too few annotators" in summary["source_notes"]
    assert "1 document left out: seen by one annotator only" in summary["source_notes"]
    assert any("alternatives are not part of the data" in note for note in summary["source_notes"])
    back = accord.read(f"gold{one_file}", **summary["reading"])
    assert isinstance(back, Corpus)
    assert {row[1:] for row in back.rows()[1]} == {("gold", 0, 3, "PER"), ("gold", 8, 11, "PER")}
    assert back.present == ("gold",)


@pytest.mark.usefixtures("spans")
def test_file_suffix_selects_the_plain_format(cli: Cli) -> None:
    assert cli("gold", "in", "-o", "gold.csv").code == 0
    assert Path("gold.csv").read_text(encoding="utf-8").startswith("doc,start,end,label,support,share,tie,")
    assert "label_studio: gold.json" in cli("gold", "in", "-o", "gold.json").out
    assert "table: 3 files in gold" in cli("gold", "in", "-o", "gold").out
    assert cli("gold", "in", "-o", "report.json", "--json").code == 0
    assert json.loads(Path("report.json").read_text(encoding="utf-8"))["method"] == "vote"
    for wrong, words in (
        (("--to", "brat"), "--to brat needs an output"),
        (("-o", "gold.jsonl", "--to", "prodigi"), 'did you mean "prodigy"'),
        (("-o", "in", "--to", "brat"), "overlaps with the input"),
        (("-o", "gold.ann"), "brat standoff is written as a folder"),
        (("--soft", "soft.xml"), "use .jsonl, .csv, .xlsx or .parquet"),
        (("--adjudicate", "todo.jsonl"), "use .csv, .xlsx or .parquet"),
    ):
        refused = cli("gold", "in", *wrong)
        assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
        assert words in refused.err


def test_items_are_written_as_data(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(RATINGS, encoding="utf-8")
    gold = accord.gold(tmp_path / "r.csv")
    data = gold.to_data()
    assert data.rows() == (
        ("item", "annotator", "label"),
        (("a", "gold", "x"), ("b", "gold", "y"), ("d", "gold", "z")),
    )
    assert "1 item left out because annotators are tied on the label" in data.notes
    summary = accord.convert(gold, tmp_path / "gold.jsonl", "prodigy")
    assert accord.read(tmp_path / "gold.jsonl", **summary.reading).rows()[1][0] == ("a", "gold", "x")
    key = next(row.key for row in gold.rows if row.name == "c")
    new = apply_decisions(gold, {key: ("new", "here")}).to_data()
    assert ("c", "gold", "new") in new.rows()[1]


def test_numbers_sets_and_declared_categories_are_kept() -> None:
    numbers = {"item": list("aaabbb"), "annotator": list("ABCABC"), "label": [1, 2, 6, 3, 3, 4]}
    made = accord.gold(numbers, method="mean").to_data()
    assert [made.categories[k] for k in made.label] == [3, 3.33333]  # type: ignore[attr-defined]
    sets = {"item": list("aaab"), "annotator": list("ABCA"), "label": ["p|q", "q|p|s", "p|q|r", "r"]}
    made = accord.gold(sets, sets="|").to_data()
    assert [made.categories[k] for k in made.label] == [frozenset("pq"), frozenset("r")]  # type: ignore[attr-defined]
    order = {"item": list("aab"), "annotator": list("ABA"), "label": ["low", "low", "high"]}
    made = accord.gold(order, categories=("low", "mid", "high")).to_data()
    assert made.categories.names == ("low", "mid", "high")  # type: ignore[attr-defined]
    assert made.categories.declared  # type: ignore[attr-defined]


def test_segmentations_are_written_as_data(tmp_path: Path) -> None:
    data = accord.as_segmentations(
        accord.read(
            {"doc": ["d"] * 7, "annotator": list("AAABBBC"), "start": [0, 5, 12, 0, 5, 12, 0],
             "end": [5, 12, 20, 5, 12, 20, 20], "label": [None] * 7}
        )
    )  # fmt: skip
    made = accord.gold(data).to_data()
    assert made.present == ("gold",)
    accord.convert(made, tmp_path / "gold")
    assert accord.read(tmp_path / "gold").rows() == made.rows()


def test_gold_without_a_settled_label_is_refused() -> None:
    with raises("nothing-annotated"):
        accord.gold({"item": ["a", "a"], "annotator": ["A", "B"], "label": ["x", "y"]}).to_data()
