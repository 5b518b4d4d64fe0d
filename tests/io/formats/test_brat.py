"""brat standoff: fragments, attributes, .a1 and .a2 files, and skipped lines."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import accord

from ...command_line import Cli
from ...refusals import raises
from .common import told, units, variables, written

TEXT = "One 😀 two\r\nthree four"


def test_every_kind_of_line_is_read_or_counted(tmp_path: Path) -> None:
    lines = (
        "T1\tPlace 0 3;6 9\tOne two\n"
        "T2\tName 11 16\tthree\n"
        "A1\tlabel T2 odd\nA2\tNegated T2\nM1\tlabel T2 even\n"
        "E1\tName:T2 Arg:T1\nA3\tMaybe E1\n"
        "R1\tpart Arg1:T1 Arg2:T2\n*\tEquiv T1 T2\n#1\tAnnotatorNotes T1\twhy?\nN1\tReference T1 Wiki:1\tOne\n"
    )
    folder = written(tmp_path, {"Ana/d.txt": TEXT, "Ana/d.ann": lines, "Ben/d.txt": TEXT, "Ben/d.ann": ""})
    found = variables(folder)
    assert units(found["type"]) == [
        ("d", "Ana", 0, 3, "Place"),
        ("d", "Ana", 6, 9, "Place"),
        ("d", "Ana", 11, 16, "Name"),
    ]
    assert units(found["label"]) == [("d", "Ana", 11, 16, "odd")]
    assert units(found["Negated"]) == [("d", "Ana", 11, 16, "yes")]
    data = found["type"]
    assert data.annotators == ("Ana", "Ben")
    assert data.judged.all()
    assert data.extents.tolist() == [[0, len(TEXT)]]
    assert told(data, "1 span in several pieces")
    for what in ("relations", "equivalences", "notes of annotators", "normalisations", "1 events"):
        assert told(data, "skipped", what)
    assert told(data, "1 attributes of events and relations", "Maybe of E1")
    assert told(data, "1 further values of an attribute", "label of T2")


@pytest.mark.parametrize("name", ["start", "doc", "place", "surface", "type", "self", "variable"])
def test_an_attribute_may_have_any_name(tmp_path: Path, name: str) -> None:
    lines = f"T1\tX 0 3\tOne\nA1\t{name} T1 odd\n"
    found = variables(written(tmp_path, {"Ana/d.txt": TEXT, "Ana/d.ann": lines}))
    assert len(found) == 2
    assert units(found["type"]) == [("d", "d", 0, 3, "X")]  # a single file gives document and annotator
    assert units(next(data for key, data in found.items() if key != "type"))[0][4] == "odd"


def test_fragments_that_differ_from_the_text_are_refused(tmp_path: Path) -> None:
    lines = "T1\tX 0 3;5 8\tOne two\n"
    with raises("invalid-record", "d.ann:1", '" tw"', '"two"'):
        accord.read(written(tmp_path, {"Ana/d.txt": TEXT, "Ana/d.ann": lines * 3}))


def test_repair_moves_attributes_with_their_spans(tmp_path: Path) -> None:
    """The offsets count UTF-16 after an emoji. One note reports the repair, although two variables have the span."""
    lines = "T1\tX 7 10\ttwo\nA1\tsize T1 big\n"
    found = variables(written(tmp_path, {"Ana/d.txt": TEXT, "Ana/d.ann": lines}), repair=True)
    assert units(found["type"])[0][2:4] == units(found["size"])[0][2:4] == (6, 9)
    assert sum("repaired" in note for note in found["type"].notes) == 1


def test_a_span_in_several_variables_is_counted_once(tmp_path: Path) -> None:
    lines = "T1\tX 0 3\tOne\nT2\tX 3 5\nT3\tX 50 60\nA1\tsize T2 big\nA2\tsize T3 big\n"
    found = variables(written(tmp_path, {"Ana/d.txt": TEXT, "Ana/d.ann": lines}), label=["type"])
    assert told(found["type"], "1 span with a blank at the start or end")
    assert told(found["type"], "skipped: 1 spans outside the text")


def test_annotations_in_a1_and_a2_are_joined(tmp_path: Path) -> None:
    files = {f"{who}/d.{end}": text for who in ("Ana", "Ben") for end, text in
             {"txt": TEXT, "a1": "T1\tProtein 0 3\tOne\n",
              "a2": "T2\tBinding 11 16\tthree\nE1\tBinding:T2 Theme:T1\n"}.items()}  # fmt: skip
    data = accord.read(written(tmp_path, files))
    assert [row[1:] for row in units(data)] == [
        ("Ana", 0, 3, "Protein"), ("Ana", 11, 16, "Binding"), ("Ben", 0, 3, "Protein"), ("Ben", 11, 16, "Binding"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("T1\tX 0\tOne", "invalid-record: d.ann:1"),
        ("T1\tX a b\tOne", "invalid-record: d.ann:1"),
        ("T1\tX 0 3\tOne\nA1\tonly", "invalid-record: d.ann:2"),
        ("T1\tX 0 3\tOne\nwords", "invalid-record: d.ann:2"),
    ],
)
def test_broken_lines_are_refused_with_their_location(tmp_path: Path, line: str, expected: str) -> None:
    with raises(expected):
        accord.read(written(tmp_path, {"Ana/d.txt": TEXT, "Ana/d.ann": line}))


def test_missing_text_is_refused(tmp_path: Path) -> None:
    with raises("file-missing"):
        accord.read(written(tmp_path, {"Ana/d.ann": "T1\tX 0 3\tOne\n"}))


def test_eco_collectf_corpus_equals_its_table(corpora: Path) -> None:
    """The project gives exactly the rows of the table that was made from it."""
    folder = corpora / "eco-collectf-brat"
    with (folder / "spans.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = variables(folder / "native" / "brat")
    expected = sorted((r["doc"], r["annotator"], int(r["start"]), int(r["end"]), r["label"]) for r in rows)
    assert units(found["type"]) == expected
    category = sorted((r["doc"], r["annotator"], int(r["start"]), int(r["end"]), r["category"])
                      for r in rows if r["category"])  # fmt: skip
    assert units(found["Category"]) == category
    with (folder / "judged.csv").open(encoding="utf-8") as file:
        judged = {(r["doc"], r["annotator"]) for r in csv.DictReader(file)}
    assert found["type"].judged.sum() == len(judged) == len({row[:2] for row in expected} | judged)
    with (folder / "docs.csv").open(encoding="utf-8") as file:
        ends = {r["doc"]: int(r["end"]) for r in csv.DictReader(file)}
    assert dict(zip(found["type"].docs, found["type"].extents[:, 1].tolist(), strict=True)) == ends


def test_bratiaa_reports_the_same_f1(corpora: Path) -> None:
    """Compare the mean of the pairs, overall and per label, with the three digits of its report."""
    data = accord.read(corpora / "native-samples" / "brat" / "bratiaa-4-annotators" / "example-project")
    assert (data.annotators, len(data.docs), len(data)) == (("Lisa", "Maria", "Max", "Peter"), 7, 1567)
    assert round(float(accord.score(data, "f1", interval="none")), 3) == 0.890


def test_output_does_not_suggest_options_of_tables(cli: Cli, garden: Path) -> None:
    shown = cli("read", garden.parent / "brat").out
    assert "--repair" in shown
    assert "--start" not in shown
