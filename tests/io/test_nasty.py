"""Unusual data that are easy to misread: each must give the correct result or a clear error."""

from __future__ import annotations

import os
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord.answers.catalogue import question_named
from accord.answers.plan import load_plan
from accord.data.io import opening

from ..cases import for_each
from ..refusals import raises


def file(folder: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_many_codes_with_leading_zeros_stay_labels(tmp_path: Path) -> None:
    rows = "".join(f"{i},0{i},{i}\n" for i in range(1, 12_001))
    assert accord.percent(file(tmp_path, "item,A,B\n" + rows)).value == 0.0


def test_folder_of_csv_and_parquet_is_read_as_one_table(tmp_path: Path) -> None:
    file(tmp_path, "item,annotator,label\n1,A,1\n2,A,2\n3,A,1\n", "a.csv")
    pl.DataFrame({"item": [1, 2, 3], "annotator": ["B"] * 3, "label": [1, 2, 1]}).write_parquet(tmp_path / "b.parquet")
    ratings = accord.read(tmp_path)
    assert ratings.n_items == 3
    assert ratings.categories.labels == (1, 2)
    assert any("labels read as the same" in note for note in ratings.notes)


def test_merge_applies_to_numbers() -> None:
    merged = accord.read([[1, 2], [2, 2], [3, 3]], merge="2=1")
    assert merged.categories.labels == (1, 3)
    assert accord.percent(merged).value == 1.0
    chained = accord.read([["x", "y"], ["z", "w"]], merge=["x,y=z", "z=w"])
    assert chained.categories.names == ("w",)


def test_excel_table_may_begin_at_any_cell(tmp_path: Path) -> None:
    frame = pd.DataFrame({"item": [1, 2], "A": ["x", "y"], "B": ["x", "x"]})
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        frame.to_excel(book, index=False, startrow=2, startcol=2)
    assert accord.read(tmp_path / "t.xlsx").categories.names == ("x", "y")


def test_folder_of_wide_files_is_one_wide_table(tmp_path: Path) -> None:
    file(tmp_path, "item,A,B\n1,x,x\n", "one.csv")
    file(tmp_path, "item,A,B\n2,y,x\n", "two.csv")
    file(tmp_path, "read me", "notes.md")
    ratings = accord.read(tmp_path)
    assert (ratings.annotators, ratings.n_items) == (("A", "B"), 2)
    assert any("not read: notes.md" in note for note in ratings.notes)


def test_masked_nullable_and_mixed_values_are_read() -> None:
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


def test_missing_option_accepts_numbers() -> None:
    for code in ([-1], -1, "-1"):
        assert accord.read(np.array([[1, 1], [2, -1], [2, 2]]), missing=code).n_ratings == 5
    assert accord.read([[1, 1]], missing=None).n_ratings == 2


def test_value_below_minus_one_has_an_interval_around_it() -> None:
    score = accord.s([[1, 3], [3, 1], [1, 3], [1, 2]], weights="quadratic", categories=[1, 2, 3])
    assert score.value < -1
    assert score.interval is not None
    assert score.interval.low <= score.value <= score.interval.high


def test_ordinal_alpha_of_counts_does_not_depend_on_column_order(tmp_path: Path) -> None:
    one = file(tmp_path, "item,1,2,5\na,2,0,0\nb,1,1,0\nc,0,0,2\nd,0,1,1\n", "1.csv")
    two = file(tmp_path, "item,5,1,2\na,0,2,0\nb,0,1,1\nc,2,0,0\nd,1,0,1\n", "2.csv")
    values = [accord.alpha(path, layout="counts", distance="ordinal").value for path in (one, two)]
    assert values[0] == pytest.approx(values[1])
    for option in ({"annotators": ["A"]}, {"only": "item=a"}, {"missing": "1"}, {"by": "item"}):
        with raises("option-not-for-data", "--layout counts"):
            accord.read(one, layout="counts", **option)  # type: ignore[arg-type]


def test_rows_without_a_group_form_a_group(tmp_path: Path) -> None:
    pl.DataFrame(
        {"item": [1, 1, 2, 2], "annotator": ["A", "B"] * 2, "label": ["x"] * 4, "genre": ["n", "n", None, None]}
    ).write_parquet(tmp_path / "t.parquet")
    assert list(accord.read(tmp_path / "t.parquet", by="genre").by("genre")) == ["n", "(no value)"]


def test_filters_apply_before_repeats_and_categories(tmp_path: Path) -> None:
    path = file(tmp_path, "item,annotator,label,round\n1,A,x,1\n1,B,x,1\n1,A,y,2\n1,B,x,2\n2,A,z,1\n")
    assert accord.read(path, only="round=1").n_ratings == 3
    assert accord.read(path, annotators="B", repeats="first").n_annotators == 1
    groups = accord.read(path, by="round").by("round")
    assert {name: part.n_ratings for name, part in groups.items()} == {"1": 3, "2": 2}
    assert accord.read(path, only=["x", "round=1"], categories=["x"]).categories.names == ("x",)
    assert accord.read(path, only=["item=2", "annotator=A"]).n_ratings == 1


def test_repeats_become_trials_in_a_large_table(tmp_path: Path) -> None:
    rows = "".join(f"{i},A,x\n{i},A,y\n" for i in range(40_000))
    trials = accord.read(file(tmp_path, "item,annotator,label\n" + rows), repeats="trials")
    assert (trials.n_items, trials.annotators) == (40_000, ("trial 1", "trial 2"))


def test_folding_applies_to_labels_named_in_options(tmp_path: Path) -> None:
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
def test_unusual_but_unambiguous_tables_are_read(tmp_path: Path, content: bytes) -> None:
    ratings = accord.read(file(tmp_path, content), label=["A", "B"], layout="wide")
    assert (ratings.n_items, accord.percent(ratings).value) == (2, 0.5)


def test_huge_cell_is_read_and_short_row_is_refused(tmp_path: Path) -> None:
    cell = "z" * 200_000
    path = file(tmp_path, f'item,annotator,label,note\n1,A,x,"{cell}"\n1,B,y,\n')
    assert accord.read(path).n_ratings == 2
    with raises("uneven-rows", "t.csv:4"):
        accord.read(file(tmp_path, f'item,annotator,label,note\n1,A,x,"{cell}"\n1,B,y,\n2,A,x\n'))


def test_truncated_utf_16_file_is_refused(tmp_path: Path) -> None:
    with raises("encoding"):
        accord.read(file(tmp_path, "item,A,B\n1,x,yz".encode("utf-16")[:-1]))


def test_pipe_is_read_and_empty_device_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("item,A,B\n1,x,x\n2,y,x\n", encoding="utf-8"))
    writer.start()
    assert accord.read(pipe).n_items == 2
    writer.join()
    with raises("file-empty"):
        accord.read("/dev/null")


@pytest.mark.parametrize("name", ["pipe", "pipe.csv", "pipe.json", "pipe.xlsx", "pipe.zip", "pipe.conllu"])
def test_pipe_without_a_writer_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(opening, "PATIENCE", 0.1)
    pipe = tmp_path / name
    os.mkfifo(pipe)
    before = threading.active_count()
    units = file(tmp_path, "annotator,start,end\nA,1,2\nB,1,2\n")
    asked: list[Callable[[], Any]] = [
        lambda: accord.read(pipe),
        lambda: accord.read(units, docs=pipe),
        lambda: accord.read(units, judged=pipe),
        lambda: accord.alpha([["a", "b"], ["b", "b"]], distance=f'matrix("{pipe}")'),
        lambda: accord.check([["a", "b"], ["b", "b"]], baseline=pipe),
        lambda: load_plan(pipe, question_named("score")),
    ]
    if pipe.suffix == ".conllu":
        asked.append(lambda: accord.read(pipe, layout="texts"))
    for ask in asked:
        with raises("file-unreadable"):
            ask()
    assert threading.active_count() == before  # no thread keeps waiting for the pipe


def test_pipe_may_be_longer_than_the_bytes_that_identify_a_format(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    rows = "".join(f'{{"item": {k}, "Ana": "a", "Ben": "{"ab"[k % 2]}"}}\n' for k in range(5_000))
    writer = threading.Thread(target=lambda: pipe.write_text(rows, encoding="utf-8"))
    writer.start()
    assert accord.read(pipe).n_items == 5_000
    writer.join()
    writer = threading.Thread(target=lambda: pipe.write_text("item,A,B", encoding="utf-8"))
    writer.start()
    with raises("file-damaged"):
        accord.read(pipe)
    writer.join()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
def test_endless_device_is_refused(tmp_path: Path) -> None:
    units = file(tmp_path, "annotator,start,end\nA,1,2\nB,1,2\n")
    for ask in (lambda: accord.read("/dev/zero"), lambda: accord.read(units, docs="/dev/zero")):
        with raises("file-unreadable"):
            ask()


def test_annotator_may_be_named_expert(tmp_path: Path) -> None:
    assert accord.read(file(tmp_path, "item,expert,model\n1,x,x\n2,y,x\n")).annotators == ("expert", "model")


@for_each(
    "spec",
    [
        "kappa(weights=5)", "alpha(distance=matrix(5))", "alpha(distance=jaccard(separator=5))", "alpha(distance=true)",
        "alpha(distance=[1,2])", "alpha(distance=melamed_resnik(5))", 'alpha(distance=jaccard(separator=""))',
        "alpha(distance=matrix(rows=[[0,a],[1,0]]))", "alpha" + "(" * 3000, "alpha(distance=" + "[" * 3000,
    ],
)  # fmt: skip
def test_invalid_specs_are_refused(spec: str) -> None:
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
def test_invalid_data_and_options_are_refused(data: Any, options: dict[str, Any]) -> None:
    with pytest.raises(accord.AccordError):
        accord.read(data, **options)


def test_numbers_too_large_to_square_are_refused() -> None:
    with raises("matrix-invalid"):
        accord.alpha([[1e200, 1.0], [1.0, 1.0]], distance="interval")


def test_hierarchy_that_is_too_deep_is_refused(tmp_path: Path) -> None:
    deep = "label,parent\n" + "".join(f"l{i},l{i + 1}\n" for i in range(3000))
    with raises("hierarchy-invalid"):
        accord.alpha([["l1", "l2"], ["l2", "l2"]], distance=f'melamed_resnik("{file(tmp_path, deep, "h.csv")}")')


def test_tables_without_columns_and_data_in_a_dict_are_refused() -> None:
    for nothing in ({}, pd.DataFrame(), pl.DataFrame()):
        with raises("column-missing"):
            accord.read(nothing)
    known = accord.read([[1, 1], [2, 1]])
    with raises("mixed-inputs"):
        accord.score({"a": known, "b": known})


# -- damaged files with specific messages ---------------------------------------------------------------------


def test_row_without_a_name_is_read_as_counts_and_refused_as_confusion_matrix(tmp_path: Path) -> None:
    """In JSON and in memory a cell may be null; the row must not take the name of another row."""
    rows = '{"item": null, "x": 5, "y": 1}\n{"item": "y", "x": 1, "y": 7}\n'
    assert accord.read(file(tmp_path, rows, "t.jsonl"), layout="counts").names == ["", "y"]
    with raises("invalid-counts", "t.jsonl:1"):
        accord.read(file(tmp_path, rows, "t.jsonl"), layout="confusion")
    with raises("invalid-counts", "t.csv:3"):
        accord.read(file(tmp_path, ",x,y\nx,5,1\n,1,7\n"), layout="confusion")
    nothing = '{"A": {"": null}, "x": "5", "y": "1"}\n{"A": 0, "x": 1, "y": "7"}\n'
    with raises("invalid-counts", "t.jsonl:1"):
        accord.read(file(tmp_path, nothing, "t.jsonl"), layout="confusion")


def test_annotators_cannot_be_both_columns_and_files(tmp_path: Path) -> None:
    for who in ("Ana", "Ben"):
        file(tmp_path, "item,x,y\n1,a,b\n2,b,b\n", f"{who}.csv")
    with raises("option-conflict"):
        accord.read_all(tmp_path, annotators_in="files", columns="{annotator}")


@pytest.mark.parametrize("layout", ["counts", "confusion"])
@for_each("cell", [10**400, 1 + 2j, "x", {1}, pd.NA])
def test_cells_that_are_not_counts_are_refused(layout: str, cell: Any) -> None:
    with raises("invalid-counts"):
        accord.read([[1, 2], [3, cell]], layout=layout)


def test_argilla_status_that_is_a_list_is_refused(tmp_path: Path) -> None:
    response = '{"value": "bad", "user_id": "u1", "status": [["draft"]]}'
    record = f'[{{"id": "r1", "fields": {{"text": "A text"}}, "responses": [{response}, {response}]}}]'
    with raises("invalid-record"):
        accord.read(file(tmp_path, record, "records.json"))


def test_numbers_of_128_bits_are_features_but_not_positions() -> None:
    columns = {"annotator": ["A", "B"], "start": [0, 0], "end": [1, 1], "mark": [1, 10**30]}
    texts = accord.read(pl.DataFrame(columns, strict=False), texts={"A": "a", "B": "a"})
    assert "mark" in texts.features
    with raises("invalid-position"):
        accord.read(pl.DataFrame({**columns, "end": [1, 10**30]}, strict=False), texts={"A": "a", "B": "a"})


@pytest.mark.parametrize("options", [{}, {"sets": "|"}, {"annotators_in": "columns"}])
def test_header_with_an_open_quote_and_no_rows_is_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    names = 'thing\tA\tB\u20281\t"a|b""\ta\u20282\tb\tb|c\u20283\ta\ta\u20284\t\tc'
    with raises("file-empty"):
        accord.read(file(tmp_path, names, "t.tsv"), **options)
    assert accord.read({name: [] for name in "abcdefghijkl"}, **options).n_items == 0


def test_rows_of_different_widths_are_refused_in_tables_with_literal_quotes(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text('A\tx\t6\nB\tx\t6\nA\ty\t"15\nB\ty\t14\n', encoding="utf-8")
    with raises("uneven-rows", "table.tsv:1"):
        accord.read(table, layout="pygamma")


def test_archive_entry_without_a_name_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    with zipfile.ZipFile(folder / "export.zip", "w") as archive:
        archive.writestr("ana.jsonl", '{"id": 1, "text": "x", "label": ["bad"]}\n')
    whole = (folder / "export.zip").read_bytes()
    (folder / "export.zip").write_bytes(
        whole[:-40].replace(b"ana.jsonl", b"\0na.jsonl") + whole[-40:].replace(b"ana.jsonl", b"\0na.jsonl")
    )
    with raises("unsafe-file"):
        accord.read(folder)


def test_number_beyond_the_float_range_is_refused(tmp_path: Path) -> None:
    lines = tmp_path / "rows.boris"
    lines.write_text(f'{{"observations": {{"a": {{"events": [[{"1" * 400}, "m", "sit", ""]]}}}}}}', encoding="utf-8")
    with raises("file-damaged"):
        accord.read(lines)


def test_label_column_given_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item,A,B\n1,x,y\n2,x,x\n", encoding="utf-8")
    with raises("option-value", '"A"'):
        accord.read(tmp_path / "t.csv", label=["A", "A"])


def test_columns_of_tiny_numbers_are_recognised_as_annotators() -> None:
    """The squares of these numbers are all 0."""
    rows = [[0.5, 0.7], [1.5, 1.6], [2.5, 2.9], [3.75, 3.5]]
    for scale in (1.0, 1e-200):
        table = {"item": [1, 2, 3, 4], "A": [row[0] * scale for row in rows], "B": [row[1] * scale for row in rows]}
        assert accord.read(table).annotators == ("A", "B")
