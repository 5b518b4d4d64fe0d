"""Output of convert: targets, refusals, names, several variables, the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.data.model.corpus import Corpus

from ..command_line import Cli
from ..refusals import raises

TEXT = "Ann saw 😀 Ben.\n\nBen left."
BRAT = {
    "Ana": "T1\tPER 0 3\tAnn\nT2\tPER 10 13\tBen\nA1\tSure T1 very sure\n",
    "Ben": "T1\tPER 0 3\tAnn\nA1\tSure T1 no\n",
    "Cem": "",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A brat project with types and an attribute. Cem judged the text and marked nothing."""
    folder = tmp_path / "project"
    for who, lines in BRAT.items():
        (folder / who).mkdir(parents=True)
        (folder / who / "d1.txt").write_text(TEXT, encoding="utf-8")
        (folder / who / "d1.ann").write_text(lines, encoding="utf-8")
    return folder


def units(**more: Any) -> Corpus:
    columns = {"doc": ["d"] * 2, "annotator": ["A", "B"], "start": [0, 1.5], "end": [2, 3.25], "label": ["x", "y"]}
    made = accord.read({**columns, **more})
    assert isinstance(made, Corpus)
    return made


@pytest.mark.parametrize("to", ["webanno_tsv", "uima_xmi", "label_studio", "elan", "textgrid", "iob", "brat", "table"])
def test_several_variables_are_written_together(project: Path, tmp_path: Path, to: str) -> None:
    before = accord.read_all(project)
    target = tmp_path / ("out.json" if to == "label_studio" else "out")
    written = accord.convert(project, target, to)
    if to == "table":
        after = {name: accord.read(target / name) for name in before}
    else:
        after = accord.read_all(target, **written.reading)
        after = {name: after[there] for name, there in written.variables.items()}
    assert {name: data.digest for name, data in after.items()} == {name: data.digest for name, data in before.items()}
    assert ("Cem" in after["type"].annotators) is True


def test_conversion_to_tiers_and_on_to_elan_keeps_units(project: Path, tmp_path: Path) -> None:
    written = accord.convert(project, tmp_path / "tiers", "textgrid")
    assert any("texts of documents were not written" in note for note in written.notes)
    accord.convert(tmp_path / "tiers", tmp_path / "again", "elan")
    assert accord.read_all(tmp_path / "again")["type"].digest == accord.read_all(project)["type"].digest


def test_input_is_never_overwritten(project: Path, tmp_path: Path) -> None:
    for target in (project, project / "out", tmp_path):
        with raises("output-exists"):
            accord.convert(project, target, "textgrid")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with raises("output-exists"):
        accord.convert(project, tmp_path / "full", "textgrid")
    table = tmp_path / "t.csv"
    table.write_text("item,A,B\n1,x,y\n")
    with raises("output-exists"):
        accord.convert(table, table)


@pytest.mark.parametrize(
    ("made", "to", "words"),
    [
        (units, "brat", "not-representable"),
        (lambda: units(start=[0, 1.2345]), "elan", "not-representable: --decimals"),
        (lambda: units(start=[0, 1.23456789]), "rttm", "not-representable"),
        (lambda: units(label=[None, None]), "textgrid", "not-representable"),
        (lambda: units(annotator=["A", "A"]), "textgrid", 'not-representable: "y"'),
        (lambda: units(annotator=["A", "A"]), "elan", "not-representable"),
        (lambda: units(label=["x", "a  b"]), "textgrid", "not-representable"),
        (lambda: units(label=["a b", "a_b"]), "rttm", 'not-representable: "a b"'),
        (lambda: units(label=["x", "<NA>"]), "rttm", "not-representable"),
        (lambda: units(label=["x", "\x01"]), "elan", "output-name"),
        (lambda: units(end=[2, 1.5]), "textgrid", "not-representable"),
        (lambda: accord.read([["a", "b"]]), "textgrid", "not-representable"),
        (
            lambda: accord.read([[1, 2], [2, 1]], layout="counts", categories=("a", "b")),
            "table",
            "counts-without-annotators",
        ),
        (units, "gamma", "unknown-name"),
        (units, "gate", "unknown-name"),
    ],
)
def test_data_that_a_format_cannot_represent_are_refused(made: Any, to: str, words: str, tmp_path: Path) -> None:
    with raises(words):
        accord.convert(made(), tmp_path / "out", to)
    assert list(tmp_path.iterdir()) == []


def test_table_formats_refuse_annotators_without_units(tmp_path: Path) -> None:
    columns = {"doc": ["d", "e"], "annotator": ["A", "B"], "start": [0, 1], "end": [2, 3], "label": ["x", "y"]}
    data = accord.read(columns, judged={"d": ["A", "B"], "e": ["B"]})
    with raises("not-representable", '"d"', '"B"'):
        accord.convert(data, tmp_path / "units.csv")
    written = accord.convert(data, tmp_path / "tables")
    assert sorted(written.files) == ["judged.csv", "units.csv"]
    assert accord.read(tmp_path / "tables").digest == data.digest


def test_texts_are_written_to_docs_csv(project: Path, tmp_path: Path) -> None:
    accord.convert(project, tmp_path / "out", label="type")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["docs.csv", "judged.csv", "units.csv"]
    back = accord.read(tmp_path / "out")
    assert isinstance(back, Corpus)
    assert back.texts == {"d1": TEXT}


def test_rounding_needs_an_option_and_is_reported(tmp_path: Path) -> None:
    written = accord.convert(units(start=[0, 1.2345]), tmp_path / "out", "elan", decimals=3)
    assert written.notes[0] == "positions were rounded to 3 decimals"
    assert accord.read(tmp_path / "out").rows()[1][1][2] == pytest.approx(1.234, abs=0.001)


def test_invalid_file_names_are_replaced_and_reported(tmp_path: Path) -> None:
    data = units(doc=["a/b", "a/b"], annotator=[".A", "B" * 300])
    written = accord.convert(data, tmp_path / "out", "textgrid")
    assert any('"a/b" as "a%2Fb"' in note for note in written.notes)
    assert any("2 annotators renamed" in note for note in written.notes)
    back = accord.read(tmp_path / "out", **written.reading)
    assert accord.gamma(back, jobs=1).value == accord.gamma(data, jobs=1).value


def test_result_names_the_option_needed_to_read_it_back(tmp_path: Path) -> None:
    """With a single annotator, file names do not show which part is the annotator."""
    data = accord.read(
        {"doc": ["d", "e"], "annotator": ["A", "A"], "start": [0, 1], "end": [2, 3], "label": ["x", "y"]}
    )
    written = accord.convert(data, tmp_path / "out", "textgrid")
    assert "--names '{annotator}/{doc}'" in written.read_back
    assert accord.read(tmp_path / "out", **written.reading).digest == data.digest


def test_ratings_are_written_long_wide_and_for_label_studio(tmp_path: Path) -> None:
    table = {
        "item": list("iijj"),
        "annotator": list("ABAB"),
        "mood": ["good", "bad", "good", "good"],
        "tone": list("1221"),
    }
    data = accord.read_all(table, label=["mood", "tone"])
    accord.convert(data, tmp_path / "long.csv")
    assert (tmp_path / "long.csv").read_text().splitlines()[:2] == ["item,annotator,mood,tone", "i,A,good,1"]
    accord.convert(data["mood"], tmp_path / "wide.csv", wide=True)
    assert (tmp_path / "wide.csv").read_text() == "item,A,B\ni,good,bad\nj,good,good\n"
    written = accord.convert(data, tmp_path / "tasks.json")
    assert written.format == "label_studio"
    back = accord.read_all(tmp_path / "tasks.json")
    assert {name: one.digest for name, one in back.items()} == {name: one.digest for name, one in data.items()}


def test_sets_of_labels_survive_a_round_trip(tmp_path: Path) -> None:
    data = accord.read({"item": list("iijj"), "annotator": list("ABAB"), "label": ["a|b", "a", "b", "b"]}, sets="|")
    for to, name in (("table", "out.csv"), ("label_studio", "out.json"), ("prodigy", "out.jsonl"), ("doccano", "out")):
        written = accord.convert(data, tmp_path / name, to)
        assert accord.read(tmp_path / name, **written.reading).digest == data.digest, to


def test_whole_texts_are_written_as_tables(tmp_path: Path) -> None:
    data = accord.read({"doc": ["d", "d"], "annotator": ["A", "B"], "text": ["a  b\nc", "a b c"]}, layout="texts")
    written = accord.convert(data, tmp_path / "out")
    assert accord.read(tmp_path / "out", **written.reading).digest == data.digest


def test_chains_are_written_as_tables_only(tmp_path: Path) -> None:
    data = accord.read({"annotator": list("AABB"), "start": [0, 4, 0, 4], "end": [2, 6, 2, 6], "chain": list("xxxy")})
    written = accord.convert(data, tmp_path / "out")
    assert accord.read(tmp_path / "out", **written.reading).digest == data.digest
    with raises("measure-for-other-data"):
        accord.convert(data, tmp_path / "brat", "brat")


def test_skipped_parts_of_the_source_are_reported(project: Path, tmp_path: Path) -> None:
    with (project / "Ana" / "d1.ann").open("a", encoding="utf-8") as file:
        file.write("R1\tKnows Arg1:T1 Arg2:T2\n")
    written = accord.convert(project, tmp_path / "out", "uima_xmi")
    assert any(note.startswith("skipped: 1 relations") for note in written.source_notes)


def test_convert_command_writes_files_and_refuses_to_overwrite(cli: Cli, project: Path, tmp_path: Path) -> None:
    got = cli("convert", str(project), str(tmp_path / "out"), "--to", "textgrid", "--json")
    assert got.code == 0, got.err
    written = json.loads(got.out)
    assert written["files"] == [f"{who}/d1.TextGrid" for who in BRAT]
    assert written["variables"] == {"type": "type", "Sure": "Sure"}
    assert "the texts of documents were not written because the format has no place for them" in written["notes"]
    assert cli("score", str(tmp_path / "out"), "--label", "type").code == 0
    again = cli("convert", str(project), str(tmp_path / "out"), "--to", "textgrid")
    assert (again.code, again.out) == (2, "")
    assert again.err.count("\n") == 1
    assert "name the input and the output" in cli("convert", str(project)).err
    assert "--to" in cli("convert", str(project), str(tmp_path / "out.xyz")).err
    assert "textgrid" in cli("formats").out


def test_conll_columns_of_other_programs_are_read(tmp_path: Path) -> None:
    """Other programs also write `# text`. If it does not contain the tokens, the tokens are used."""
    head = "# global.columns = ID FORM NER\n"
    for who, tag in (("Ana", "B-PER"), ("Ben", "O")):
        rows = f"# newdoc id = d\n# text = Ann (ran).\n1\tAnn\t{tag}\n2\t(\tO\n3\tran\tB-V\n\n"
        (tmp_path / f"{who}.conll").write_text(head + rows, encoding="utf-8")
    read = accord.read(tmp_path)
    assert isinstance(read, Corpus)
    assert (read.variable, read.texts["d"]) == ("NER", "Ann (ran).")
    assert read.rows()[1] == (("d", "Ana", 0, 3, "PER"), ("d", "Ana", 5, 8, "V"), ("d", "Ben", 5, 8, "V"))
    for file in tmp_path.iterdir():
        file.write_text(file.read_text(encoding="utf-8").replace("\t(\t", "\t-LRB-\t"), encoding="utf-8")
    read = accord.read(tmp_path)
    assert isinstance(read, Corpus)
    assert read.texts["d"] == "Ann -LRB- ran"
    assert any("does not match the tokens" in note for note in read.notes)


def test_variables_in_folders_are_read_back_separately(tmp_path: Path) -> None:
    data = accord.read_all(
        {"item": [1, 1, 2, 2], "annotator": ["A", "B"] * 2, "tone": list("xyxx"), "frame": list("zzzw")}
    )
    units = accord.read({"annotator": ["A", "B"], "start": [0, 1], "end": [2, 3], "label": ["x", "y"]})
    written = accord.convert({**data, "marks": units}, tmp_path / "out")
    commands = written.read_back.split("; ")
    assert commands == [f"accord read {tmp_path / 'out' / part}" for part in ("tone", "frame", "marks")]
    assert accord.read(tmp_path / "out" / "tone").digest == data["tone"].digest
