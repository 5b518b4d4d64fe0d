"""Cells as the text of a table: exact, or guarded against formulas of spreadsheets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from accord.data.model.labels import as_number

_FORMULA = "=+-@\t\r＝＋－＠"  # a spreadsheet reads a cell that begins with one of these as a formula
_GUARD = "'"


def guarded(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would read as a formula. `unguarded` removes it."""
    return _GUARD + text if _is_guarded(text) else text


def unguarded(text: str) -> str:
    return text[1:] if text.startswith(_GUARD) and _is_guarded(text[1:]) else text


def _is_guarded(text: str) -> bool:
    """Whether text is a formula, also behind apostrophes: one more is added, so that `unguarded` restores it."""
    bare = text.lstrip(_GUARD)
    return bare != "" and bare[0] in _FORMULA and math.isnan(as_number(bare))


def lines_of(columns: Sequence[str], rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """Return the text of a table.

    Unlike the csv module, it quotes a lone carriage return, which readers would take as a line end.
    """
    return "".join(_line(row, separator) for row in (columns, *rows))


def _line(row: Sequence[object], separator: str) -> str:
    cells = ["" if cell is None else str(cell) for cell in row]
    if cells == [""]:
        return '""\n'  # readers skip a blank line
    quoted = (f'"{cell.replace(chr(34), chr(34) * 2)}"' if _needs_quotes(cell, separator) else cell for cell in cells)
    return separator.join(quoted) + "\n"


def _needs_quotes(cell: str, separator: str) -> bool:
    return any(sign in cell for sign in (separator, '"', "\r", "\n"))
