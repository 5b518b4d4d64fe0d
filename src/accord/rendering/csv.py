"""Everything in one rectangle, in full precision."""

from __future__ import annotations

import csv
import io
import math

from accord.model.labels import as_number
from accord.result import Result
from accord.tables import Cell, Table

_FORMULA = "=+-@\t\r＝＋－＠"  # a spreadsheet takes a label that begins so for one


def render(result: Result) -> str:
    return rectangle(result.flat())


def rectangle(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_cell(name) for name in table.columns])  # annotators may be among them
    writer.writerows([[_cell(cell) for cell in row] for row in table.rows])
    return out.getvalue()


def _cell(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, str):
        return f"'{cell}" if cell[:1] in _FORMULA and cell and math.isnan(as_number(cell)) else cell
    return repr(cell).lower() if isinstance(cell, bool) else repr(cell)
