"""Tables for Markdown."""

from __future__ import annotations

import re

from accord.core.errors import printable
from accord.core.prose import Paragraph, Prose
from accord.core.result import Result
from accord.core.tables import Cell, Printed, is_number


def render(result: Result) -> str:
    lines = [f"- {escaped(fact)}" for fact in result.beside_captions()]
    for one in result.printed():
        lines += _table(one)
    lines += ["", *(f"{escaped(text)}  " for text in result.closing())]
    prose = result.prose()
    if prose is not None:
        lines += ["", *_written(prose)]
    return "\n".join(lines).strip() + "\n"


def _table(one: Printed) -> list[str]:
    table = one.table
    lines = ["", f"Table: {escaped(one.caption)}", ""]
    if table.rows:
        lines.append(f"| {' | '.join(_heading(c, one) for c in table.columns)} |")
        lines.append(f"| {' | '.join('---:' if numeric else '---' for numeric in table.numeric)} |")
        for row in table.rows:
            cells = (_cell(c, text) for c, text in zip(row, one.texts(row), strict=True))
            lines.append(f"| {' | '.join(cells)} |")
    return [*lines, "", *(f"{escaped(note)}  " for note in one.notes)]


def _heading(column: str, one: Printed) -> str:
    """The name of a column; in a style with italics those of p and SE have them."""
    before, _, last = column.rpartition(" ")
    if one.style.italics and last in {"p", "SE"}:
        return f"{escaped(before)} *{last}*".strip()
    return escaped(column)


def _cell(cell: Cell, text: str) -> str:
    return text if is_number(cell) and not text.startswith("<") else escaped(text)


def _written(prose: Prose) -> list[str]:
    made = [line for paragraph in prose.paragraphs for line in (_phrases(paragraph), "")]
    if prose.references:
        made += ["References", "", *(f"- {_phrases(one.phrases)}" for one in prose.references)]
        entries = "\n\n".join(one.bibtex for one in prose.references)
        made += ["", "```bibtex", entries, "```"]
    return made


def _phrases(paragraph: Paragraph) -> str:
    shown = ((phrase.form, escaped(phrase.text)) for phrase in paragraph)
    return "".join(f"*{text}*" if form == "italic" else text for form, text in shown)


def escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|#~$!])", r"\\\1", printable(text))
