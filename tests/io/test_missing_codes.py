"""Codes that may mean missing: the other labels show whether they do; if not, accord asks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord

from ..command_line import Cli, refused
from ..refusals import raises


@pytest.mark.parametrize(
    ("codes", "others"),
    [(["99"], "123"), (["999"], "12345"), (["-9"], "01"), (["-99", "-88"], "01"), (["9"], "01"), (["-1"], "12345"),
     (["88", "99"], "1234567")],
)  # fmt: skip
def test_numbers_far_from_all_others_are_refused(codes: list[str], others: str) -> None:
    data = {"Ana": [*others, *codes, others[0]], "Ben": [*others, *codes, others[1]]}
    with raises("missing-unclear", *(f'--missing "{code}"' for code in codes), "--categories"):
        accord.read(data)
    declared = accord.read(data, categories=[*others, *codes])
    assert len(declared) == 2 * (len(others) + len(codes) + 1)
    assert len(accord.read(data, missing=codes)) == 2 * len(others) + 2


@pytest.mark.filterwarnings("error::accord.ReadingWarning")
@pytest.mark.parametrize(
    "labels",
    [["-1", "0", "1"], ["7", "8", "9", "10"], ["97", "98", "99", "100"], ["1", "2", "3", "4", "5", "8", "9"],
     ["0", "9"], ["-2", "-1", "0", "1", "2"]],
)  # fmt: skip
def test_numbers_of_a_scale_are_not_missing_codes(labels: list[str]) -> None:
    accord.read({"Ana": labels * 2, "Ben": labels * 2})


def read_with(code: str, others: list[str]) -> accord.Ratings:
    return accord.read({"Ana": [*others, code, others[0]], "Ben": [*others, others[0], others[1]]})


@pytest.mark.parametrize(
    "code", ["NA", "n/a", "?", "skipped", "*", "-", ".", "NULL", "None", "nan", "#N/A", "k.A.", "keine Angabe", "--"]
)
def test_code_among_numbers_is_missing(code: str) -> None:
    with pytest.warns(accord.ReadingWarning, match="1 label missing .*all other labels are numbers; use"):
        ratings = read_with(code, ["1", "2", "3"])
    assert ratings.categories.names == ("1", "2", "3")
    assert len(ratings) == 9


@pytest.mark.parametrize("code", ["NA", "n/a", "?", "NULL", "nan", "#N/A", "N.A.", "<NA>"])
def test_code_among_words_is_missing(code: str) -> None:
    with pytest.warns(accord.ReadingWarning, match="1 label missing .*all other labels are words"):
        ratings = read_with(code, ["pos", "neg"])
    assert ratings.categories.names == ("neg", "pos")


@pytest.mark.parametrize("code", ["none", "None", "k.A.", "keine Angabe", "missing", "not applicable"])
def test_word_that_may_be_a_category_is_kept_and_noted(code: str) -> None:
    with pytest.warns(accord.ReadingWarning, match="if it means missing"):
        ratings = read_with(code, ["racism", "sexism"])
    assert code in ratings.categories.names
    assert len(accord.read({"Ana": ["a", "b", code], "Ben": ["a", "b", "b"]}, missing=code)) == 5


@pytest.mark.parametrize(
    ("code", "others"),
    [("none", ["0", "1", "2"]), ("NA", ["1", "x"]), ("?", ["+", "*"]), ("-", ["+", "0"])],
)
def test_code_is_kept_where_other_labels_do_not_show_its_meaning(code: str, others: list[str]) -> None:
    with pytest.warns(accord.ReadingWarning, match="if it means missing"):
        assert code in read_with(code, others).categories.names


def test_frequent_code_among_words_may_be_a_category() -> None:
    data = {"Ana": ["NA", "NA", "NA", "sexism", "racism"], "Ben": ["NA", "NA", "NA", "NA", "racism"]}
    with pytest.warns(accord.ReadingWarning, match='label "NA" occurs 7 times'):
        assert accord.read(data).categories.names == ("NA", "racism", "sexism")


def test_code_beside_a_single_label_is_kept() -> None:
    with pytest.warns(accord.ReadingWarning, match="if it means missing"):
        assert len(accord.read({"Ana": ["1", "NA", "1"], "Ben": ["1", "NA", "NA"]})) == 6


@pytest.mark.filterwarnings("error::accord.ReadingWarning")
@pytest.mark.parametrize("how", [{"missing": ""}, {"categories": ["1", "2", "NA"]}])
def test_options_keep_the_code_as_a_label(how: dict[str, object]) -> None:
    ratings = accord.read({"Ana": ["1", "2", "NA"], "Ben": ["1", "2", "1"]}, **how)
    assert ratings.categories.names == ("1", "2", "NA")


def test_command_line_can_keep_the_code(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,Ana,Ben\n1,2,2\n2,NA,1\n3,1,1\n", encoding="utf-8")
    assert 'use --missing "" to keep it' in " ".join(cli("score", path).out.split())
    assert "3 categories" in cli("score", path, "--missing", "").out


def test_code_of_one_file_is_judged_by_the_labels_of_all(tmp_path: Path) -> None:
    for name, labels in (("Ana", "NA 2 1"), ("Ben", "1 2 1")):
        rows = [f"{k},{label}" for k, label in enumerate(labels.split())]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,label", *rows]) + "\n", encoding="utf-8")
    assert accord.read(tmp_path).categories.names == ("1", "2")


def test_read_and_score_suggest_the_missing_code(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,A,B\na,1,1\nb,2,3\nc,3,99\nd,99,1\ne,2,2\n", encoding="utf-8")
    for command in ("read", "score"):
        refused(cli(command, path), '--missing "99"', "[missing-unclear]")
    assert cli("score", path, "--categories", "1,2,3,99").code == 0
    assert "if this means missing" not in cli("score", path, "--missing", "99").out


@pytest.mark.parametrize("words", [["unclear"], ["other", "unsure"]])
def test_words_among_numbers_are_noted(words: list[str]) -> None:
    data = {"Ana": ["1", "2", "3", *words], "Ben": ["1", "2", "2", *words]}
    with pytest.warns(accord.ReadingWarning, match="while all others are numbers") as caught:
        ratings = accord.read(data)
    assert all(f'missing="{word}"' in str(caught[0].message) or word in str(caught[0].message) for word in words)
    assert len(ratings) == 6 + 2 * len(words)
    assert len(accord.read(data, missing=words)) == 6


@pytest.mark.parametrize("name", ["example.jsonl", "example.jsonlist", "example.dev"])
def test_example_of_krippendorff_with_stars(tmp_path: Path, name: str) -> None:
    """Krippendorff (2011), example C, in JSON lines: nominal α = .691358 on 12 items."""
    given = {"A": "*****34121133*3", "B": "1*213343*******", "C": "**21344*21133*4"}
    rows = [
        {"worker": who, "item": f"{k:02d}", "response": label if label == "*" else int(label)}
        for who, labels in given.items()
        for k, label in enumerate(labels, 1)
    ]
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.warns(accord.ReadingWarning, match="18 labels missing"):
        ratings = accord.read(path)
    assert (ratings.n_pairable, ratings.n_annotators) == (12, 3)
    assert accord.alpha(ratings, distance="nominal", interval="none").value == pytest.approx(0.691358, abs=1e-6)
