"""Reading of items: layouts, files, Python tables, missing labels, folding, repeats, filters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord

from ..cases import for_each
from ..refusals import raises

LONG = "item,annotator,label\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n3,A,y\n3,B,y\n4,A,x\n4,B,\n"
WIDE = "item,A,B\n1,x,x\n2,y,x\n3,y,y\n4,x,\n"
COLUMNS: dict[str, list[Any]] = {
    "item": [1, 1, 2, 2, 3, 3, 4, 4],
    "annotator": ["A", "B"] * 4,
    "label": ["x", "x", "y", "x", "y", "y", "x", None],
}


def file(tmp_path: Path, content: str, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8", newline="")
    return path


def check_expected_data(ratings: accord.Ratings) -> None:
    """Check that the ratings equal the data that all tables of this module contain."""
    assert (ratings.n_items, ratings.n_pairable, ratings.n_annotators, ratings.n_ratings) == (4, 3, 2, 7)
    assert ratings.annotators == ("A", "B")
    assert ratings.categories.names == ("x", "y")
    assert accord.kappa(ratings).value == pytest.approx(accord.kappa(accord.read(COLUMNS)).value, abs=1e-15)
    assert ratings.digest == accord.read(COLUMNS).digest


@for_each("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(("content", "name"), [(LONG, "t.csv"), (WIDE, "t.csv")])
@for_each("separator", [",", ";", "\t", "|"])
def test_text_tables_are_read_with_any_separator_and_line_ending(
    tmp_path: Path, content: str, name: str, separator: str, ending: str
) -> None:
    text = content.replace(",", separator).replace("\n", ending)
    check_expected_data(accord.read(file(tmp_path, text, name)))


def test_blank_lines_quotes_and_missing_last_newline_are_accepted(tmp_path: Path) -> None:
    text = LONG.replace("2,A,y", '"2","A","y"').rstrip("\n").replace("3,A,y", "\n3,A,y\n")
    ratings = accord.read(file(tmp_path, text))
    check_expected_data(ratings)
    assert ratings.notes == ("1 label missing (empty cell)",)


def test_parquet_and_excel_are_read(tmp_path: Path) -> None:
    frame = pd.DataFrame(COLUMNS)
    pl.DataFrame(COLUMNS).write_parquet(tmp_path / "t.parquet")
    check_expected_data(accord.read(tmp_path / "t.parquet"))
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        frame.to_excel(book, sheet_name="labels", index=False)
        pd.DataFrame({"nothing": [1]}).to_excel(book, sheet_name="other", index=False)
    check_expected_data(accord.read(tmp_path / "t.xlsx"))
    check_expected_data(accord.read(tmp_path / "t.xlsx", sheet="labels"))
    with raises("several-sheets", '"lables"', '"labels"', '"other"'):
        accord.read(tmp_path / "t.xlsx", sheet="lables")
    for name in ("broken.xlsx", "broken.parquet"):
        (tmp_path / name).write_bytes(b"PK\x03\x04 not really")
        with raises("file-damaged"):
            accord.read(tmp_path / name)


def test_python_tables_are_read() -> None:
    check_expected_data(accord.read(COLUMNS))
    check_expected_data(accord.read(pd.DataFrame(COLUMNS)))
    check_expected_data(accord.read(pd.DataFrame(COLUMNS).astype({"annotator": "category", "label": "category"})))
    check_expected_data(accord.read(pl.DataFrame(COLUMNS)))
    check_expected_data(accord.read(pl.DataFrame(COLUMNS).lazy()))
    check_expected_data(accord.read(pl.DataFrame(COLUMNS).with_columns(pl.col("label").cast(pl.Categorical))))
    check_expected_data(accord.read(pa.table(COLUMNS)))
    wide = {"item": [1, 2, 3, 4], "A": ["x", "y", "y", "x"], "B": ["x", "x", "y", None]}
    check_expected_data(accord.read(wide))
    check_expected_data(accord.read(pd.DataFrame(wide)))


def test_rows_and_arrays_are_read() -> None:
    rows = [["x", "x"], ["y", "x"], ["y", "y"], ["x", None]]
    value = accord.kappa(accord.read(COLUMNS)).value
    for data in (rows, np.array(rows, dtype=object), np.array([[0, 0], [1, 0], [1, 1], [0, np.nan]])):
        assert accord.score(data, "kappa").value == pytest.approx(value, abs=1e-15)
    with raises("invalid-python-data"):
        accord.read(np.zeros(3))
    with raises("uneven-rows"):
        accord.read([["a", "b"], ["a"]])
    with raises("format-unknown"):
        accord.read(3)
    with raises("uneven-rows"):
        accord.read({"item": [1], "annotator": ["A", "B"], "label": ["x", "y"]})


def test_labels_keep_their_type() -> None:
    assert accord.read([[1, "1"], [1.0, 2], [True, 1]]).categories.labels == (1, "1", 2, "True")
    assert accord.read([[1.5, 2], [2.0, None]]).categories.labels == (1.5, 2)
    numbers = accord.read([["10", "9"], ["9", "10"]])
    assert numbers.categories.names == ("9", "10")
    assert (
        accord.alpha(numbers, distance="interval").value == accord.alpha([[10, 9], [9, 10]], distance="interval").value
    )


def test_usual_column_names_are_recognised(tmp_path: Path) -> None:
    for header in (
        "unit,coder,category",
        "subject,rater,score",
        "Item ID,Observer,Tag",
        "sentence_id,worker_id,answer",
    ):
        check_expected_data(accord.read(file(tmp_path, LONG.replace("item,annotator,label", header))))
    odd = LONG.replace("item,annotator,label", "thing,who,what")
    check_expected_data(accord.read(file(tmp_path, odd), item="thing", annotator="who", label="what"))
    check_expected_data(accord.read(file(tmp_path, WIDE.replace("item", "tweet text"))))


def test_several_label_columns_are_several_variables(tmp_path: Path) -> None:
    path = file(tmp_path, "item,annotator,mood,topic,comment\n1,A,x,p,hm\n1,B,x,q,\n2,A,y,p,\n2,B,y,p,ok\n")
    found = accord.read_all(path)
    assert list(found) == ["mood", "topic"]
    assert accord.percent(found["topic"]).value == 0.5
    assert accord.percent(accord.read(path, label="mood")).value == 1.0
    with raises("several-variables"):
        accord.read(path)


def test_counts_and_confusion_layouts_are_read(tmp_path: Path) -> None:
    counts = file(tmp_path, "item,x,y,z\n1,2,0,0\n2,1,1,0\n3,0,2,0\n")
    ratings = accord.read(counts, layout="counts")
    assert accord.pi(ratings).value == pytest.approx(accord.pi([["x", "x"], ["x", "y"], ["y", "y"]]).value)
    assert accord.s(ratings).expected == pytest.approx(1 / 3)
    assert accord.kappa(ratings).undefined == "the table does not identify the annotators"
    assert set(accord.pi(ratings).parts) == {"category", "item"}
    confusion = file(tmp_path, "Ana/Ben,x,y\nx,20,20\ny,10,50\n")
    two = accord.read(confusion, layout="confusion")
    assert two.annotators == ("Ana", "Ben")
    assert (two.n_items, accord.kappa(two).value) == (100, pytest.approx(0.348, abs=5e-4))
    with raises("invalid-counts", "t.csv:3", '"-1"'):
        accord.read(file(tmp_path, "item,x,y\n1,2,0\n2,-1,3\n"), layout="counts")


def test_huge_confusion_counts_give_the_same_kappa() -> None:
    big = accord.Ratings.from_confusion([[2 * 10**9, 10**9], [10**9, 3 * 10**9]], ["a", "b"])
    small = accord.Ratings.from_confusion([[2, 1], [1, 3]], ["a", "b"])
    assert accord.kappa(big).value == pytest.approx(accord.kappa(small).value)
    assert big.n_items == 7 * 10**9


def test_labels_are_missing_by_option_empty_cell_or_code(tmp_path: Path) -> None:
    path = file(tmp_path, "item,A,B\n1,NA,x\n2,x,x\n3,y,\n4,y,NA\n5,x,y\n")
    plain = accord.read(path)
    assert plain.categories.names == ("x", "y")
    assert any('2 labels missing ("NA", because all other labels are words' in note for note in plain.notes)
    assert "1 label missing (empty cell)" in plain.notes
    without_na = accord.read(path, missing="NA")
    assert without_na.categories.names == ("x", "y")
    assert any("2 labels missing" in note for note in without_na.notes)
    kept = accord.read(path, keep_empty=True, missing="")
    assert kept.categories.names == ("NA", "x", "y")
    kept = accord.read(path, keep_empty=True)
    assert kept.categories.names == ("", "x", "y")
    assert accord.read([["", "a"], ["a", "a"]]).categories.names == ("", "a")  # in Python only None is missing


def test_labels_are_folded_only_by_option() -> None:
    rows = [["A", "a"], ["b ", "b"], ["b", "b"]]
    plain = accord.read(rows)
    assert any('"A", "a" are counted as different' in note for note in plain.notes)
    assert accord.percent(plain).value == pytest.approx(1 / 3)
    assert accord.percent(accord.read(rows, fold=["case", "space"])).value == 1.0
    assert accord.percent(accord.read([["a\nb", "a b"]], fold="space")).value == 1.0


def test_sets_of_labels_are_read_by_option_or_distance(tmp_path: Path) -> None:
    path = file(tmp_path, "item,A,B\n1,a|b,b|a\n2,a,a|b\n3,c,c\n")
    assert accord.percent(accord.read(path)).value == pytest.approx(1 / 3)
    assert accord.percent(accord.read(path, sets="|")).value == pytest.approx(2 / 3)
    for data in (accord.read(path), accord.read(path, sets="|")):
        score = accord.alpha(data, distance="jaccard")
        assert score.details["observed_disagreement"] == pytest.approx(0.5 / 3)
    other = file(tmp_path, "item,A,B\n1,a;b,b;a\n2,a,a;b\n3,c,c\n".replace(",", "\t"))
    score = accord.score(accord.read(other), 'alpha(distance=jaccard(separator=";"))')
    assert score.details["observed_disagreement"] == pytest.approx(0.5 / 3)


def test_declared_categories_count_and_order() -> None:
    rows = [["low", "high"], ["high", "high"], ["low", "low"], ["low", "medium"]]
    declared = accord.read(rows, categories=["low", "medium", "high", "extreme"])
    assert accord.s(declared).expected == pytest.approx(1 / 4)
    ordered = accord.kappa(declared, weights="linear")
    assert "order_by_name" not in ordered.details
    assert "order_by_name" not in accord.kappa(rows, weights="linear").details  # low < medium < high is known
    words = [["plan", "wish"], ["wish", "wish"], ["plan", "report"]]
    assert accord.kappa(words, weights="linear").details["order_by_name"] == ["plan", "report", "wish"]
    assert accord.read([[1, 2], [2, 2]], categories=["1", "2", "3"]).categories.labels == (1, 2, 3)
    with raises("undeclared-category", '"medium"'):
        accord.read(rows, categories=["low", "high"])


def test_repeated_labels_need_the_repeats_option(tmp_path: Path) -> None:
    path = file(tmp_path, "item,annotator,label\n1,A,x\n1,B,x\n1,A,y\n2,A,x\n2,B,y\n2,A,x\n")
    with raises("repeated-label", "t.csv:2", "t.csv:4", '"A"', '"1"'):
        accord.read(path)
    assert accord.percent(accord.read(path, repeats="first")).value == 0.5
    assert accord.percent(accord.read(path, repeats="last")).value == 0.0
    trials = accord.read(path, repeats="trials")
    assert trials.annotators == ("trial 1", "trial 2")
    assert (trials.n_pairable, accord.percent(trials).value) == (2, 0.5)
    assert accord.read(path, repeats="first").notes[-1].startswith("2 repeated labels left out")


def test_line_numbers_are_correct_after_quoted_line_breaks(tmp_path: Path) -> None:
    path = file(tmp_path, 'item,annotator,label,comment\n1,A,x,"two\nlines"\n1,B,x,\n\n1,A,y,\n')
    with raises("repeated-label", "t.csv:2", "t.csv:6"):
        accord.read(path)


def test_options_choose_annotators_labels_and_groups(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        "item,annotator,label,genre\n1,A,x,news\n1,B,x,news\n1,C,y,news\n2,A,y,blog\n2,B,z,blog\n2,C,y,blog\n",
    )
    assert accord.percent(accord.read(path, annotators=["A", "B"])).value == 0.5
    assert accord.percent(accord.read(path, merge="y,z=w")).value == pytest.approx(2 / 3)
    assert accord.read(path, only="genre=news").n_items == 1
    only = accord.read(path, only="x,y")
    assert (only.categories.names, only.n_ratings) == (("x", "y"), 5)
    by = accord.read(path, by="genre").by("genre")
    assert {name: part.n_items for name, part in by.items()} == {"news": 1, "blog": 1}
    assert accord.percent(by["blog"]).value == pytest.approx(1 / 3)
    with raises("unknown-name", '"genre"'):
        accord.read(path, by="genr")


def test_folder_of_annotators_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    file(folder, "item,label\n1,x\n2,y\n3,y\n4,x\n", "A.csv")
    file(folder, "item,label\n1,x\n2,x\n3,y\n", "B.tsv".replace("tsv", "csv"))
    file(folder, "not a table", "notes.md")
    check_expected_data(accord.read(folder))
    pieces = tmp_path / "pieces"
    pieces.mkdir()
    head, *lines = LONG.splitlines()
    file(pieces, "\n".join([head, *lines[:3]]), "1.csv")
    file(pieces, "\n".join([head, *lines[3:]]), "2.csv")
    check_expected_data(accord.read(pieces))
    check_expected_data(accord.read([pieces / "1.csv", pieces / "2.csv"]))
    file(pieces, f"{head}\n1,A,y\n", "3.csv")
    with raises("repeated-label", "1.csv:2", "3.csv:2"):
        accord.read(pieces)


def test_real_corpora_are_read(corpora: Path) -> None:
    published = {"macro": 0.784, "grouping": 0.836, "connectivity": 0.878, "rst": 0.733}
    for name, value in published.items():
        assert accord.pi(corpora / "ai2d-rst-reliability" / f"{name}.csv").value == pytest.approx(value, abs=2e-3)
    sparse = accord.alpha(corpora / "movietweetings-100k" / "ratings.csv", distance="ordinal")
    assert sparse.details["annotators"] == 16554
    assert sparse.n == 5544


def test_pairs_of_thousands_of_annotators_are_computed_only_on_request(corpora: Path) -> None:
    score = accord.alpha(corpora / "movietweetings-100k" / "ratings.csv")
    assert set(score.parts) == {"category", "annotator", "pair", "item"}
    assert len(score.parts["item"]) == 10506


def test_measurements_are_numbers(tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(6000, 2)).round(6)
    lines = "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(values.tolist()))
    from_file = accord.read(file(tmp_path, "item,A,B\n" + lines + "x,,\n"))
    in_memory = accord.read(values)
    spec = "alpha(distance=interval)"
    assert accord.score(from_file, spec).value == pytest.approx(accord.score(in_memory, spec).value, abs=1e-12)
    assert from_file.notes == ("2 labels missing (empty cell)",)
    assert len(from_file.categories) == len(in_memory.categories)
