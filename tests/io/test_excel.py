"""Workbooks without a table, damaged workbooks, and old workbooks (.xls)."""

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
def test_sheet_without_a_table_is_refused(tmp_path: Path, rows: list[list[object]], words: str) -> None:
    with raises(words):
        accord.read(workbook(tmp_path / "t.xlsx", rows))


def test_file_that_is_not_a_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"PK\x03\x04 not really")
    with raises("file-damaged"):
        accord.read(path)


OLD = Path(__file__).parents[1] / "fuzzing" / "books" / "long.xls"
WORKBOOK = 512  # offset of the stream of records in this file


def old_workbook(path: Path, at: int, content: bytes) -> Path:
    """Write the old workbook with other bytes at one position of its records."""
    changed = bytearray(OLD.read_bytes())
    changed[WORKBOOK + at : WORKBOOK + at + len(content)] = content
    path.write_bytes(changed)
    return path


def test_old_workbook_is_read() -> None:
    assert accord.read(OLD).n_items == 9


@pytest.mark.slow
@pytest.mark.parametrize("column", [255, 0x7FFF])
def test_distant_cell_of_an_old_workbook_needs_no_memory(column: int, tmp_path: Path) -> None:
    """A reader that allocates all cells in between needs gigabytes of memory or ends the process."""
    path = old_workbook(tmp_path / "t.xls", 1346, struct.pack("<HH", 0xFFFF, column))
    if column == 255:  # the last column of a sheet
        assert accord.read(path).n_items == 9
        return
    with pytest.raises(accord.DataError, match=r"t\.xls: ") as caught:
        accord.read(path)
    assert caught.value.code == "file-damaged"


@pytest.mark.parametrize("rows", [(0, 1 << 31), (9, 3)])
def test_declared_size_of_an_old_workbook_is_not_trusted(rows: tuple[int, int], tmp_path: Path) -> None:
    assert accord.read(old_workbook(tmp_path / "t.xls", 1132, struct.pack("<IIHH", *rows, 0, 4))).n_items == 9


def test_truncated_old_workbook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.xls").write_bytes(OLD.read_bytes()[:700])
    with raises("file-damaged"):
        accord.read(tmp_path / "t.xls")


def test_every_kind_of_cell_of_an_old_workbook_is_read() -> None:
    """Compare with python-calamine, which reads undamaged old workbooks correctly."""
    path = Path(__file__).parent / "dates_and_gaps.xls"
    book = CalamineWorkbook.from_path(str(path))
    for page in excel._old_pages(path, path.name):
        sheet = book.get_sheet_by_name(page.name)
        assert page.read() == (sheet.to_python(skip_empty_area=True), sheet.start[0] if sheet.start else 0)
        assert page.visible == (page.name != "hid")
