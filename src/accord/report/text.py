"""Tables for the terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Any

from accord.errors import printable
from accord.prose import Prose, as_text
from accord.result import Result
from accord.tables import Table

_WIDEST = 100_000  # nothing is cut off: a table wider than the screen is wrapped by the screen
_PROSE = 80  # columns of a paragraph


def render(result: Result, color: bool = False, digits: int = 3) -> str:
    """In words, where a result says more so; else its facts, tables and closing lines."""
    words = result.in_words(color)
    if words is not None:
        return words
    indent = "  " if result.title else ""
    made = grid(result.tables(), [f"{indent}{fact}" for fact in result.facts()], color, digits, result.title)
    made += "".join(f"{printable(line)}\n" for line in result.closing())
    prose = result.prose()
    return made if prose is None else "\n".join(filter(None, [made.strip() and made, written(prose)]))


def written(prose: Prose) -> str:
    """Paragraphs, the works that they cite, and the same as BibTeX."""
    paragraphs = [_wrapped(as_text(paragraph)) for paragraph in prose.paragraphs]
    listed = [_wrapped(one.text, "  ") for one in prose.references]
    blocks = [*paragraphs, "\n".join(["References", *listed]), *(one.bibtex for one in prose.references)]
    return "\n\n".join(blocks) + "\n"


def _wrapped(text: str, indent: str = "") -> str:
    return fill(printable(text), _PROSE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def grid(
    tables: Iterable[Table], head: Sequence[str] = (), color: bool = False, digits: int = 3, title: str = ""
) -> str:
    """Lines and tables for the terminal."""
    from rich.console import Console
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
            line(table.title, "bold" if any(table.columns) else "")
        if table.rows:
            console.print(_ruled(table, digits) if any(table.columns) else _listing(table, digits))
        for note in table.notes:
            line(note, "dim")
        console.print()
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().split("\n")) + "\n"


def _ruled(table: Table, digits: int) -> Any:
    """With the names of the columns above a line."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column, numeric in zip(table.columns, table.numeric, strict=True):
        made.add_column(Text(printable(column)), justify="right" if numeric else "left", no_wrap=True)
    for row in table.rows:
        made.add_row(*map(Text, table.texts(row, digits)))
    return made


def _listing(table: Table, digits: int) -> Any:
    """Columns without names, a little to the right of the title."""
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable.grid(padding=(0, 2))
    for _ in table.columns:
        made.add_column(no_wrap=True)
    for row in table.rows:
        made.add_row(*map(Text, table.texts(row, digits)))
    return Padding(made, (0, 0, 0, 2), expand=False)
