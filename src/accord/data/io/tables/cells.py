"""Cells as the text of a table: exactly what the data hold, or guarded for a spreadsheet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from accord.data.model.labels import as_number

_FORMULA = "=+-@\t\r＝＋－＠"  # a spreadsheet takes what begins so for a formula
_GUARD = "'"


def guarded(text: str) -> str:
    """With an apostrophe in front, if a spreadsheet would take it for a formula; `unguarded` takes it off exactly."""
    return _GUARD + text if _is_guarded(text) else text


def unguarded(text: str) -> str:
    return text[1:] if text.startswith(_GUARD) and _is_guarded(text[1:]) else text


def _is_guarded(text: str) -> bool:
    """A formula, or one behind apostrophes of its own: it gets one more, so that none is taken off that was there."""
    bare = text.lstrip(_GUARD)
    return bare != "" and bare[0] in _FORMULA and math.isnan(as_number(bare))


def lines_of(columns: Sequence[str], rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """The text of a table. The csv module would leave a lone carriage return bare, which ends a line for readers."""
    return "".join(_line(row, separator) for row in (columns, *rows))


def _line(row: Sequence[object], separator: str) -> str:
    cells = ["" if cell is None else str(cell) for cell in row]
    if cells == [""]:
        return '""\n'  # a blank line is no row
    quoted = (f'"{cell.replace(chr(34), chr(34) * 2)}"' if _needs_quotes(cell, separator) else cell for cell in cells)
    return separator.join(quoted) + "\n"


def _needs_quotes(cell: str, separator: str) -> bool:
    return any(sign in cell for sign in (separator, '"', "\r", "\n"))
