"""Old workbooks (.xls).

Their reader is one in Python: that of newer ones believes what such a file says about itself, and a damaged one of a
few kilobytes has it make billions of cells, or follow a chain of blocks in a circle, until the program is ended.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from accord.core.errors import DataError

_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NO_WORKBOOK = "Can't find workbook"  # the library's words


@dataclass(frozen=True)
class Page:
    """A sheet of a workbook; reading it gives a rectangle around what is in it, and the row, from 0, it begins with."""

    name: str
    visible: bool
    read: Callable[[], tuple[Sequence[Sequence[object]], int]]


def is_old(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def pages(path: Path, name: str) -> list[Page]:
    """All sheets with cells; an error of Excel is an empty cell."""
    import xlrd

    try:
        book = xlrd.open_workbook(path, logfile=io.StringIO(), use_mmap=False, ragged_rows=True)
    except xlrd.XLRDError as error:
        if _NO_WORKBOOK not in str(error):
            raise
        raise DataError(
            f"{name}: there is no workbook in it: it has a password, or is damaged; save it as .xlsx without a password"
        ) from error
    return [Page(sheet.name, sheet.visibility == 0, partial(_cells, sheet, book.datemode)) for sheet in book.sheets()]


def _cells(sheet: Any, datemode: int) -> tuple[Sequence[Sequence[object]], int]:
    rows = [[_value(cell, datemode) for cell in sheet.row(k)] for k in range(sheet.nrows)]
    filled = [k for k, row in enumerate(rows) if any(cell != "" for cell in row)]
    if not filled:
        return [], 0
    rows = rows[filled[0] : filled[-1] + 1]
    columns = {k for row in rows for k, cell in enumerate(row) if cell != ""}
    left, right = min(columns), max(columns) + 1
    return [row[left:right] + [""] * (right - max(len(row), left)) for row in rows], filled[0]


def _value(cell: Any, datemode: int) -> object:
    import xlrd

    match cell.ctype:
        case xlrd.XL_CELL_TEXT | xlrd.XL_CELL_NUMBER:
            return cell.value
        case xlrd.XL_CELL_BOOLEAN:
            return bool(cell.value)
        case xlrd.XL_CELL_DATE:
            moment = xlrd.xldate.xldate_as_datetime(cell.value, datemode)
            if cell.value < 1:
                return moment.time()
            return moment if cell.value % 1 else moment.date()
    return ""
