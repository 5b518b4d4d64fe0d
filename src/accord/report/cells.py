"""Cells as text: numbers rounded for people, strangers' labels made harmless."""

from __future__ import annotations

import math

from accord.report.tables import Cell
from accord.result import Interval


def shown(cell: Cell, digits: int = 3) -> str:
    """A cell for people."""
    if cell is None:
        return ""
    if isinstance(cell, Interval):
        return f"[{cell.low:.{digits}f}, {cell.high:.{digits}f}]"
    if isinstance(cell, float):
        if math.isnan(cell):
            return "undefined"
        return f"{round(cell, digits) + 0.0:.{digits}f}" if abs(cell) < 1e6 else f"{cell:.{digits}g}"
    if isinstance(cell, int):
        return f"{cell:,}"
    return printable(cell)


def printable(text: str) -> str:
    """No control characters: a label must not move the cursor or break a line."""
    return "".join(c if c.isprintable() else "�" for c in text)


def is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float | Interval)
