"""Readers raise specific errors with locations instead of the general error for damaged input."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.core.errors import AccordError
from accord.data.io.tables.header import header_in_two, names_of_gamma_columns

from ..refusals import raises

DIGITS = 10**400  # larger than any floating-point number


@pytest.mark.parametrize(
    ("data", "options", "expected"),
    [
        (
            {"item": [1, 2], "x": [DIGITS, 1], "y": [1, 2]},
            {"layout": "counts"},
            "invalid-counts",
        ),
        ({"A": [], "B": []}, {"layout": "confusion"}, "file-empty"),
        (
            {"annotator": ["A", "B"], "start": [0, (1, 2)], "end": [4, 5], "label": ["a", "b"]},
            {},
            'invalid-position: "1|2"',
        ),
        (
            pl.DataFrame({"annotator": ["A", "B"], "boundaries": ["3", ""], "length": [7, 10**30]}, strict=False),
            {},
            "invalid-position",
        ),
        (
            {"doc": ["d", {"a"}], "annotator": ["A", "B"], "start": [0, 1], "end": [1, 2]},
            {"texts": {"A": "ab", "B": "ab"}},
            'invalid-position: "A"',
        ),
    ],
)
def test_invalid_data_in_memory_have_specific_errors(data: Any, options: dict[str, Any], expected: str) -> None:
    with raises(expected) as refused:
        accord.read(data, **options)
    assert "not what it seems" not in str(refused.value)


@pytest.mark.parametrize(
    "data",
    [
        {"item": [1, 2, 3], "A": [DIGITS, 1, 2], "B": [DIGITS, 1, 3]},
        pl.DataFrame({"A": [10**30, 1, 2], "B": [10**30, 1, 3]}, strict=False),
    ],
)
def test_labels_may_be_numbers_of_any_size(data: Any) -> None:
    assert accord.percent(data).value == pytest.approx(2 / 3)


def test_invalid_files_have_specific_errors(tmp_path: Path) -> None:
    (tmp_path / "table.zip").write_text("item,A,B\n1,a,b\n")
    with zipfile.ZipFile(tmp_path / "dot.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("."), "x")
    (tmp_path / "texts.csv").write_text("doc,annotator,text\nd1,A,the cat\nd1,B,the cat\n")
    folder = tmp_path / "argilla"
    folder.mkdir()
    whole = Path(tmp_path / "whole.parquet")
    pl.DataFrame({"id": [1], "text": ["a"], "label.responses": [["a"]]}).write_parquet(whole)
    content = whole.read_bytes()
    (folder / "in.parquet").write_bytes(content[:20] + b"\xff" * 40 + content[60:])
    for name, options, expected in (
        ("table.zip", {}, "file-damaged"),
        ("dot.zip", {}, "unsafe-file"),
        ("texts.csv", {"annotator": "text"}, "column-missing"),
        ("x" * 300, {}, "file-missing"),
    ):
        with raises(expected):
            accord.read(tmp_path / name, **options)
    with pytest.raises(AccordError) as refused:
        accord.read(folder)
    assert "not what it seems" not in str(refused.value)


def test_lines_without_cells_are_not_a_header() -> None:
    assert header_in_two([["a", "b"], [], []]) is None


def test_lines_without_cells_are_not_units() -> None:
    assert names_of_gamma_columns([[], []]) is None


def test_positions_of_128_bits_and_a_column_with_two_roles_are_refused(tmp_path: Path) -> None:
    units = pl.DataFrame({"annotator": ["A", "B"], "start": [0, 1], "end": [10**30, 3], "label": ["x", "x"]})
    with raises("invalid-position"):
        accord.read(units)
    (tmp_path / "texts.csv").write_text("doc,annotator,text\nd1,A,the cat\nd1,B,the cat\n")
    with raises("option-value"):
        accord.read(tmp_path / "texts.csv", layout="texts", annotator="doc", doc="doc")


def test_truncated_line_and_export_without_annotators_are_refused(tmp_path: Path) -> None:
    """Fuzzing found a truncated CoNLL line and a Label Studio export without annotators."""
    head = "# global.columns = ID FORM NER\n# newdoc id = d\n"
    for who, rows in (("Ana", "1\tAnn\tB-PER\n2\tran\tO\n"), ("Ben", "# text = Ann ran\n3|ra")):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{who}.conll").write_text(head + rows)
    with raises("invalid-record", "Ben.conll:4"):
        accord.read_all(tmp_path / "in")
    studio = tmp_path / "tasks.json"
    studio.write_text('[{"id": 1, "text": "a", "label": "x", "annotation_id": 1, "lead_time": 3}]')
    with raises("export-not-usable"):
        accord.read(studio, format="label_studio")


def test_document_column_cannot_be_the_label(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("doc,annotator,start,end,pos,text\nd,A,0,3,D,the cat\nd,B,0,3,D,the cat\n")
    with raises("column-missing", '"doc"'):
        accord.read(path, layout="texts", label="doc")
