"""Workbooks that hold no table."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from openpyxl import Workbook
from python_calamine import CalamineWorkbook

import accord
from accord.data.io.tables import excel

from ..refusals import raises


def workbook(path: Path, rows: list[list[object]]) -> Path:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "file-empty"),
        ([["item", "annotator", "item"], [1, "A", 2]], "header-row"),
        ([["item", "annotator", "label"]], "file-empty"),
    ],
)
def test_a_sheet_without_a_table(tmp_path: Path, rows: list[list[object]], words: str) -> None:
    with raises(words):
        accord.read(workbook(tmp_path / "t.xlsx", rows))


def test_no_workbook_at_all(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"PK\x03\x04 not really")
    with raises("file-damaged"):
        accord.read(path)


OLD = Path(__file__).parents[1] / "fuzzing" / "books" / "long.xls"
WORKBOOK = 512  # where the stream of records begins in this file


def old(path: Path, at: int, content: bytes) -> Path:
    """The old workbook, with something else in one place of its records."""
    made = bytearray(OLD.read_bytes())
    made[WORKBOOK + at : WORKBOOK + at + len(content)] = content
    path.write_bytes(made)
    return path


def test_an_old_workbook() -> None:
    assert accord.read(OLD).n_items == 9


@pytest.mark.slow
@pytest.mark.parametrize("column", [255, 0x7FFF])
def test_an_old_workbook_with_a_cell_far_off(column: int, tmp_path: Path) -> None:
    """Another reader made room for all cells between them: gigabytes, or the end of the program."""
    with pytest.raises(accord.DataError, match=r"t\.xls: (cannot be read as an Excel file|no column names the item)"):
        accord.read(old(tmp_path / "t.xls", 1346, struct.pack("<HH", 0xFFFF, column)))


@pytest.mark.parametrize("rows", [(0, 1 << 31), (9, 3)])
def test_declared_size_of_an_old_workbook_is_not_trusted(rows: tuple[int, int], tmp_path: Path) -> None:
    assert accord.read(old(tmp_path / "t.xls", 1132, struct.pack("<IIHH", *rows, 0, 4))).n_items == 9


def test_an_old_workbook_that_is_cut(tmp_path: Path) -> None:
    (tmp_path / "t.xls").write_bytes(OLD.read_bytes()[:700])
    with raises("file-damaged"):
        accord.read(tmp_path / "t.xls")


def test_every_kind_of_cell_of_an_old_workbook() -> None:
    """As the reader of newer ones sees it, which can be trusted with a file that is whole."""
    path = Path(__file__).parent / "dates_and_gaps.xls"
    book = CalamineWorkbook.from_path(str(path))
    for page in excel._old_pages(path, path.name):
        sheet = book.get_sheet_by_name(page.name)
        assert page.read() == (sheet.to_python(skip_empty_area=True), sheet.start[0] if sheet.start else 0)
        assert page.visible == (page.name != "hid")
