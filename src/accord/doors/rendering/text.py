"""Tables for the terminal, as wide as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord.core.errors import printable
from accord.core.prose import Prose, as_text
from accord.core.result import Result
from accord.core.tables import Table
from accord.doors.rendering.fitting import Line, Style, fitted, wrapped

WIDTH = 80  # where nobody knows
_STYLES: dict[Style, str] = {"bold": "\x1b[1m", "dim": "\x1b[2m"}


def render(result: Result, color: bool = False, digits: int = 3, width: int = WIDTH) -> str:
    """In words, where a result says more so; else its facts, tables and closing lines."""
    words = result.in_words(color, width)
    if words is not None:
        return "\n".join(line for text in words.split("\n") for line in _wrapped(text, width))
    indent = "  " if result.title else ""
    facts = [f"{indent}{fact}" for fact in result.facts()]
    made = grid(result.tables(), facts, color, digits, result.title, width)
    made += "".join(f"{line}\n" for text in result.closing() for line in _wrapped(printable(text), width))
    prose = result.prose()
    return made if prose is None else "\n".join(filter(None, [made.strip() and made, written(prose, width)]))


def written(prose: Prose, width: int) -> str:
    """Paragraphs, the works that they cite, and the same as BibTeX."""
    paragraphs = ["\n".join(wrapped(printable(as_text(paragraph)), width, "")) for paragraph in prose.paragraphs]
    listed = [line for one in prose.references for line in wrapped(printable(one.text), width, "  ")]
    entries = ["\n".join(_entry(one.bibtex, width)) for one in prose.references]
    return "\n\n".join([*paragraphs, "\n".join(["References", *listed]), *entries]) + "\n"


def _entry(bibtex: str, width: int) -> list[str]:
    """BibTeX takes a new line for a blank."""
    return [part for line in bibtex.splitlines() for part in wrapped(line, width, " " * (line.find("{") + 2))]


def grid(
    tables: Iterable[Table],
    head: Sequence[str] = (),
    color: bool = False,
    digits: int = 3,
    title: str = "",
    width: int = WIDTH,
) -> str:
    """Lines and tables for the terminal."""
    lines: list[Line] = []

    def say(text: str, style: Style = "") -> None:
        lines.extend(Line(line, style) for line in _wrapped(printable(text), width))

    if title:
        say(title, "bold")
    for text in head:
        say(text)
    for table in tables:
        if table.title:
            say(table.title, "bold" if any(table.columns) else "")
        notes: tuple[str, ...] = ()
        if table.rows:
            made = fitted(table, width, digits)
            lines += made.lines
            notes = made.notes
        for note in (*notes, *table.notes):
            say(note, "dim")
        lines.append(Line(""))
    while lines and not lines[-1].text:
        lines.pop()
    return "".join(f"{_painted(line) if color else line.text.rstrip()}\n" for line in lines)


def _painted(line: Line) -> str:
    text = line.text.rstrip()
    return f"{_STYLES[line.style]}{text}\x1b[0m" if line.style and text else text


def _wrapped(text: str, width: int) -> list[str]:
    """A line of prose: what does not fit goes on a little to the right. A command stays whole, to be copied."""
    if "\x1b" in text or text.lstrip().startswith("$ "):  # in colour: a result knew the width
        return [text]
    return wrapped(text, width, " " * (len(text) - len(text.lstrip()) + 2))
