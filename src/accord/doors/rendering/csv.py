"""Everything in one rectangle, in full precision."""

from __future__ import annotations

import math

from accord.core.result import Result
from accord.core.tables import Cell, Table
from accord.data.io.tables.cells import guarded, lines_of


def render(result: Result, spreadsheet: bool = False) -> str:
    """Data that are read back hold what the data hold, unless a spreadsheet is to open them; other tables are safe."""
    return rectangle(result.flat(), spreadsheet or not result.is_data)


def rectangle(table: Table, spreadsheet: bool = True) -> str:
    """`spreadsheet`: a text that begins like a formula gets an apostrophe, in the header, too: annotators are there."""
    text = guarded if spreadsheet else str
    return lines_of(
        [text(name) for name in table.columns],
        ([text(cell) if isinstance(cell, str) else _cell(cell) for cell in row] for row in table.rows),
    )


def _cell(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return repr(cell).lower() if isinstance(cell, bool) else repr(cell)
