"""Workbooks that hold no table."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

import accord


def workbook(path: Path, rows: list[list[object]]) -> Path:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "the sheet is empty"),
        ([["item", "annotator", "item"], [1, "A", 2]], "row 1: a column name occurs twice"),
        ([["item", "annotator", "label"]], "there is a header, but no rows below it"),
    ],
)
def test_a_sheet_without_a_table(tmp_path: Path, rows: list[list[object]], words: str) -> None:
    with pytest.raises(accord.DataError, match=words):
        accord.read(workbook(tmp_path / "t.xlsx", rows))


def test_no_workbook_at_all(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(accord.DataError, match=r"t\.xlsx: cannot be read as an Excel file"):
        accord.read(path)
