"""Data as strangers send them: each of these once gave a wrong number, a traceback or nothing at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord


def file(folder: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_many_codes_with_leading_zeros_stay_labels(tmp_path: Path) -> None:
    rows = "".join(f"{i},0{i},{i}\n" for i in range(1, 12_001))
    assert accord.percent(file(tmp_path, "item,A,B\n" + rows)).value == 0.0


def test_a_folder_of_csv_and_parquet(tmp_path: Path) -> None:
    file(tmp_path, "item,annotator,label\n1,A,1\n2,A,2\n3,A,1\n", "a.csv")
    pl.DataFrame({"item": [1, 2, 3], "annotator": ["B"] * 3, "label": [1, 2, 1]}).write_parquet(tmp_path / "b.parquet")
    ratings = accord.read(tmp_path)
    assert ratings.n_items == 3
    assert any("as a number and as text" in note for note in ratings.notes)


def test_merging_numbers() -> None:
    merged = accord.read([[1, 2], [2, 2], [3, 3]], merge="2=1")
    assert merged.categories.labels == (1, 3)
    assert accord.percent(merged).value == 1.0
    chained = accord.read([["x", "y"], ["z", "w"]], merge=["x,y=z", "z=w"])
    assert chained.categories.names == ("w",)


def test_excel_tables_begin_anywhere(tmp_path: Path) -> None:
    frame = pd.DataFrame({"item": [1, 2], "A": ["x", "y"], "B": ["x", "x"]})
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        frame.to_excel(book, index=False, startrow=2, startcol=2)
    assert accord.read(tmp_path / "t.xlsx").categories.names == ("x", "y")


def test_a_folder_of_wide_files_is_wide(tmp_path: Path) -> None:
    file(tmp_path, "item,A,B\n1,x,x\n", "one.csv")
    file(tmp_path, "item,A,B\n2,y,x\n", "two.csv")
    file(tmp_path, "read me", "notes.md")
    ratings = accord.read(tmp_path)
    assert (ratings.annotators, ratings.n_items) == (("A", "B"), 2)
    assert any("not read: notes.md" in note for note in ratings.notes)


def test_masked_nullable_and_odd_values() -> None:
    masked = np.ma.array([[1, 1], [2, 9], [2, 2]], mask=[[0, 0], [0, 1], [0, 0]])
    for array in (masked, masked.astype(float)):
        assert accord.read(array).n_ratings == 5
    assert accord.read([[1, pd.NA], [1, 1]]).n_ratings == 3
    big = 2**60
    frame = pl.DataFrame({"item": [big, big + 1, None], "A": ["x", "y", None], "B": ["x", "x", None]})
    assert accord.read(frame).n_items == 2
    assert accord.read(np.array([[-100, 100], [100, 100]], dtype=np.int8)).categories.labels == (-100, 100)
    mixed = pd.DataFrame({"item": [1, 2], "A": pd.Series([1, True], dtype=object), "B": pd.Series([["a"], ["a", "b"]])})
    assert accord.read(mixed).categories.names == ("1", "True", "a", "a|b")


def test_missing_may_be_a_number() -> None:
    for said in ([-1], -1, "-1"):
        assert accord.read(np.array([[1, 1], [2, -1], [2, 2]]), missing=said).n_ratings == 5
    assert accord.read([[1, 1]], missing=None).n_ratings == 2


def test_a_value_below_minus_one_keeps_its_interval() -> None:
    score = accord.s([[1, 3], [3, 1], [1, 3], [1, 2]], weights="quadratic", categories=[1, 2, 3])
    assert score.value < -1
    assert score.interval is not None
    assert score.interval.low <= score.value <= score.interval.high


def test_counts_of_numbers_are_in_their_order(tmp_path: Path) -> None:
    one = file(tmp_path, "item,1,2,5\na,2,0,0\nb,1,1,0\nc,0,0,2\nd,0,1,1\n", "1.csv")
    two = file(tmp_path, "item,5,1,2\na,0,2,0\nb,0,1,1\nc,2,0,0\nd,1,0,1\n", "2.csv")
    values = [accord.alpha(path, layout="counts", distance="ordinal").value for path in (one, two)]
    assert values[0] == pytest.approx(values[1])
    for option in ({"annotators": ["A"]}, {"only": "item=a"}, {"missing": "1"}, {"by": "item"}):
        with pytest.raises(accord.SpecError, match="does not work with --layout counts"):
            accord.read(one, layout="counts", **option)  # type: ignore[arg-type]


def test_rows_without_a_group_are_a_group(tmp_path: Path) -> None:
    pl.DataFrame(
        {"item": [1, 1, 2, 2], "annotator": ["A", "B"] * 2, "label": ["x"] * 4, "genre": ["n", "n", None, None]}
    ).write_parquet(tmp_path / "t.parquet")
    assert list(accord.read(tmp_path / "t.parquet", by="genre").by("genre")) == ["n", "(no value)"]


def test_choices_come_before_repetitions_and_categories(tmp_path: Path) -> None:
    path = file(tmp_path, "item,annotator,label,round\n1,A,x,1\n1,B,x,1\n1,A,y,2\n1,B,x,2\n2,A,z,1\n")
    assert accord.read(path, only="round=1").n_ratings == 3
    assert accord.read(path, annotators="B", repeats="first").n_annotators == 1
    groups = accord.read(path, by="round").by("round")
    assert {name: part.n_ratings for name, part in groups.items()} == {"1": 3, "2": 2}
    assert accord.read(path, only=["x", "round=1"], categories=["x"]).categories.names == ("x",)
    assert accord.read(path, only=["item=2", "annotator=A"]).n_ratings == 1


def test_many_trials(tmp_path: Path) -> None:
    rows = "".join(f"{i},A,x\n{i},A,y\n" for i in range(40_000))
    trials = accord.read(file(tmp_path, "item,annotator,label\n" + rows), repeats="trials")
    assert (trials.n_items, trials.annotators) == (40_000, ("trial 1", "trial 2"))


def test_folding_reaches_what_the_user_names(tmp_path: Path) -> None:
    path = file(tmp_path, "item,A,B\n1,X,x\n2,Y,y\n")
    assert accord.read(path, fold="case", categories="X,Y,Z").categories.names == ("x", "y", "z")


@pytest.mark.parametrize(
    "content",
    [
        b"item,A,B\r1,x,x\r2,y,x\r",
        b"\n\nitem,A,B\n1,x,x\n2,y,x\n",
        b'item,A,B,note\n1,x,x,\n2,y,x,5" wide\n',
        "item,A,B\n1,x,x\n2,y,x\n".encode("utf-32"),
        b",A,B,column 1\n1,x,x,x\n2,y,x,y\n",
    ],
)
def test_tables_that_are_odd_but_clear(tmp_path: Path, content: bytes) -> None:
    ratings = accord.read(file(tmp_path, content), label=["A", "B"], layout="wide")
    assert (ratings.n_items, accord.percent(ratings).value) == (2, 0.5)


def test_a_huge_cell_and_a_short_row(tmp_path: Path) -> None:
    cell = "z" * 200_000
    path = file(tmp_path, f'item,annotator,label,note\n1,A,x,"{cell}"\n1,B,y,\n')
    assert accord.read(path).n_ratings == 2
    with pytest.raises(accord.DataError, match=r"t.csv:4: 3 cells"):
        accord.read(file(tmp_path, f'item,annotator,label,note\n1,A,x,"{cell}"\n1,B,y,\n2,A,x\n'))


def test_a_file_that_was_cut(tmp_path: Path) -> None:
    with pytest.raises(accord.DataError, match="UTF-16"):
        accord.read(file(tmp_path, "item,A,B\n1,x,yz".encode("utf-16")[:-1]))


def test_pipes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("item,A,B\n1,x,x\n2,y,x\n", encoding="utf-8"))
    writer.start()
    assert accord.read(pipe).n_items == 2
    writer.join()
    with pytest.raises(accord.DataError, match="nothing came in"):
        accord.read("/dev/null")


def test_an_annotator_called_expert(tmp_path: Path) -> None:
    assert accord.read(file(tmp_path, "item,expert,model\n1,x,x\n2,y,x\n")).annotators == ("expert", "model")


@pytest.mark.parametrize(
    "spec",
    [
        "kappa(weights=5)", "alpha(distance=matrix(5))", "alpha(distance=jaccard(separator=5))", "alpha(distance=true)",
        "alpha(distance=[1,2])", "alpha(distance=melamed_resnik(5))", 'alpha(distance=jaccard(separator=""))',
        "alpha(distance=matrix(rows=[[0,a],[1,0]]))", "alpha" + "(" * 3000, "alpha(distance=" + "[" * 3000,
    ],
)  # fmt: skip
def test_specs_that_make_no_sense(spec: str) -> None:
    with pytest.raises(accord.AccordError):
        accord.score([["a", "b"], ["b", "b"]], spec)


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ([1, 2, 3], {}), ([[], []], {}), ([["a", float("inf")]], {}), (pd.Series([1]), {}), ({"item": 5}, {}),
        (pd.DataFrame([[1, "x", "x"]], columns=["item", "A", "A"]), {}), ([[1, 2], [3]], {"layout": "counts"}),
        ([["a", "b"]], {"layout": "counts"}), ([["a", "b"]], {"layout": "lng"}), ([["a", "b"]], {"layout": "long"}),
        ([["a", "b"]], {"by": "x"}), ([["a", "b"]], {"colour": 1}), ([["a", "b"]], {"sets": ""}),
        ([[1, 2]], {"layout": "counts", "categories": ["a", "a"]}), ([[1e19, 2]], {"layout": "counts"}), ("", {}),
    ],
)  # fmt: skip
def test_data_that_make_no_sense(data: Any, options: dict[str, Any]) -> None:
    with pytest.raises(accord.AccordError):
        accord.read(data, **options)


def test_numbers_too_large_to_square() -> None:
    with pytest.raises(accord.DataError, match="rescale"):
        accord.alpha([[1e200, 1.0], [1.0, 1.0]], distance="interval")


def test_hierarchies_that_are_none(tmp_path: Path) -> None:
    deep = "label,parent\n" + "".join(f"l{i},l{i + 1}\n" for i in range(3000))
    with pytest.raises(accord.DataError, match="levels deep"):
        accord.alpha([["l1", "l2"], ["l2", "l2"]], distance=f'melamed_resnik("{file(tmp_path, deep, "h.csv")}")')


def test_tables_without_columns_and_data_in_a_dict_are_refused() -> None:
    for nothing in ({}, pd.DataFrame(), pl.DataFrame()):
        with pytest.raises(accord.DataError, match="has no columns"):
            accord.read(nothing)
    known = accord.read([[1, 1], [2, 1]])
    with pytest.raises(accord.DataError, match="was read already"):
        accord.score({"a": known, "b": known})
