"""Tables for the terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from accord.report.cells import is_number, printable, shown
from accord.report.tables import Cell, Table, facts, tables
from accord.run import Results

_WIDEST = 100_000  # nothing is cut off: a table wider than the screen is wrapped by the screen


def render(results: Results, color: bool = False, digits: int = 3) -> str:
    head = [f"  {fact}" for fact in facts(results)]
    return grid(tables(results), head, color, digits, title=", ".join(results.plan.paths))


def grid(
    tables: Iterable[Table], head: Sequence[str] = (), color: bool = False, digits: int = 3, title: str = ""
) -> str:
    """Lines and tables for the terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    out = io.StringIO()
    console = Console(file=out, width=_WIDEST, force_terminal=color, no_color=not color, highlight=False)

    def line(text: str, style: str = "") -> None:
        console.print(Text(printable(text), style=style), soft_wrap=True)

    if title:
        line(title, "bold")
    for text in head:
        line(text)
    for table in tables:
        if table.title:
            line(table.title, "bold")
        if table.rows:
            made = RichTable(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
            for k, column in enumerate(table.columns):
                numeric = any(is_number(row[k]) for row in table.rows)
                made.add_column(Text(printable(column)), justify="right" if numeric else "left", no_wrap=True)
            for row in table.rows:
                made.add_row(*(Text(_text(table.columns[k], cell, digits)) for k, cell in enumerate(row)))
            console.print(made)
        for note in table.notes:
            line(note, "dim")
        console.print()
    return out.getvalue().rstrip() + "\n"


def _text(column: str, cell: Cell, digits: int) -> str:
    if isinstance(cell, float) and (column == "p" or column.startswith("p (")) and 0 <= cell < 10**-digits:
        return f"< {10**-digits:.{digits}f}"
    return shown(cell, digits)
