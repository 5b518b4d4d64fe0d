"""Tables for the terminal."""

from __future__ import annotations

import io

from accord.report.cells import is_number, printable, shown
from accord.report.tables import Table, facts, tables
from accord.run import Results

_WIDEST = 100_000  # nothing is cut off: a table wider than the screen is wrapped by the screen


def render(results: Results, color: bool = False, digits: int = 3) -> str:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    out = io.StringIO()
    console = Console(file=out, width=_WIDEST, force_terminal=color, no_color=not color, highlight=False)

    def line(text: str, style: str = "") -> None:
        console.print(Text(printable(text), style=style), soft_wrap=True)

    line(", ".join(results.plan.paths), "bold")
    for fact in facts(results):
        line(f"  {fact}")
    for table in tables(results):
        if table.title:
            line(table.title, "bold")
        if table.rows:
            grid = RichTable(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
            for k, column in enumerate(table.columns):
                numeric = any(is_number(row[k]) for row in table.rows)
                grid.add_column(Text(printable(column)), justify="right" if numeric else "left", no_wrap=True)
            for row in table.rows:
                grid.add_row(*(Text(_text(table, k, cell, digits)) for k, cell in enumerate(row)))
            console.print(grid)
        for note in table.notes:
            line(note, "dim")
        console.print()
    return out.getvalue().rstrip() + "\n"


def _text(table: Table, k: int, cell: object, digits: int) -> str:
    if isinstance(cell, float) and table.columns[k] in {"p", "p (Bowker)"} and 0 <= cell < 10**-digits:
        return f"< {10**-digits:.{digits}f}"
    return shown(cell, digits)  # type: ignore[arg-type]
