"""Tables for Markdown."""

from __future__ import annotations

import re

from accord.report.cells import is_number, printable, shown
from accord.report.tables import facts, tables
from accord.run import Results


def render(results: Results, digits: int = 3) -> str:
    lines = [f"- {escaped(fact)}" for fact in facts(results)]
    for table in tables(results):
        lines.append("")
        if table.title:
            lines += [f"**{escaped(table.title)}**", ""]
        if table.rows:
            numeric = [any(is_number(row[k]) for row in table.rows) for k in range(len(table.columns))]
            lines.append(f"| {' | '.join(escaped(c) for c in table.columns)} |")
            lines.append(f"| {' | '.join('---:' if n else '---' for n in numeric)} |")
            for row in table.rows:
                cells = (shown(c, digits) if is_number(c) else escaped(shown(c, digits)) for c in row)
                lines.append(f"| {' | '.join(cells)} |")
        lines += ["", *(f"{escaped(note)}  " for note in table.notes)]
    return "\n".join(lines).rstrip() + "\n"


def escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|#~$!])", r"\\\1", printable(text))
