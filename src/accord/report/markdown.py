"""Tables for Markdown."""

from __future__ import annotations

import re

from accord.errors import printable
from accord.result import Result
from accord.tables import Cell, Table, is_number


def render(result: Result, digits: int = 3) -> str:
    lines = [f"- {escaped(fact)}" for fact in result.facts()]
    for table in result.tables():
        lines += _table(table, digits)
    lines += ["", *(f"{escaped(text)}  " for text in result.closing())]
    return "\n".join(lines).strip() + "\n"


def _table(table: Table, digits: int) -> list[str]:
    lines = ["", f"**{escaped(table.title)}**", ""] if table.title else [""]
    if table.rows:
        lines.append(f"| {' | '.join(escaped(c) for c in table.columns)} |")
        lines.append(f"| {' | '.join('---:' if numeric else '---' for numeric in table.numeric)} |")
        for row in table.rows:
            cells = (_cell(c, text) for c, text in zip(row, table.texts(row, digits), strict=True))
            lines.append(f"| {' | '.join(cells)} |")
    return [*lines, "", *(f"{escaped(note)}  " for note in table.notes)]


def _cell(cell: Cell, text: str) -> str:
    return text if is_number(cell) and not text.startswith("<") else escaped(text)


def escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|#~$!])", r"\\\1", printable(text))
