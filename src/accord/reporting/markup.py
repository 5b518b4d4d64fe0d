"""Cells, sentences and tables as HTML. Whatever strangers wrote is escaped, and shown as it is."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

from accord.reporting.saying import Name, Number, Sentence
from accord.tables import Cell, Interval, Table, is_number
from accord.views.base import escaped, script_json

_LONGEST = 240  # characters of a cell; the rest is opened
_LONGEST_NAME = 60  # of a name in a sentence or a heading
_SHARES = ("share", "share of disorder")  # columns that are shown as bars, too


def shortened(text: str, most: int = _LONGEST_NAME) -> str:
    """Cut in the middle."""
    if len(text) <= most:
        return text
    head = (most * 2) // 3
    return f"{text[:head]} … {text[len(text) - (most - head - 3) :]}"


def named(text: str) -> str:
    """A name within a line, kept apart from the direction of the text around it; the whole of it is its title."""
    short = shortened(text)
    title = "" if short == text else f' title="{escaped(text)}"'
    return f"<bdi{title}>{escaped(short)}</bdi>"


def spoken(sentence: Sentence) -> str:
    return "".join(_piece(piece) for piece in sentence)


def _piece(piece: str | Number | Name) -> str:
    if isinstance(piece, Name):
        return named(piece.text)
    if isinstance(piece, Number):
        return f'<span class="n" data-value="{exact(piece.value)}">{piece}</span>'
    return escaped(piece)


def exact(number: float) -> str:
    """All its digits, as in JSON."""
    return "null" if not math.isfinite(number) else json.dumps(number)


def paragraphs(sentences: Iterable[Sentence]) -> str:
    return "".join(f"<p>{spoken(one)}</p>" for one in sentences)


def text_block(text: str) -> str:
    """A text of any length: a long one is cut, and opened by those who want all of it."""
    if len(text) <= _LONGEST:
        return escaped(text)
    return (
        f"<details class=long><summary>{escaped(shortened(text, _LONGEST))}</summary>"
        f"<div>{escaped(text)}</div></details>"
    )


# -- tables --------------------------------------------------------------------------------------------------------


def table(one: Table) -> str:
    """With a caption, heads of columns and rows, and all digits of its numbers for programs."""
    if not one.rows:
        said = [one.title, *one.notes]
        return "".join(f"<p>{escaped(line)}</p>" for line in said if line)
    caption = f"<caption>{named(one.title)}</caption>" if one.title else ""
    head = "".join(_head(name, numeric) for name, numeric in zip(one.columns, one.numeric, strict=True))
    thead = f"<thead><tr>{head}</tr></thead>" if any(one.columns) else ""
    body = "".join(_row(one, row) for row in one.rows)
    notes = "".join(f"<li>{escaped(note)}</li>" for note in one.notes)
    label = escaped(shortened(one.title or "table"))
    return (
        f'<div class="scroll" role="group" tabindex="0" aria-label="{label}"><table>{caption}{thead}'
        f"<tbody>{body}</tbody></table></div>" + (f'<ul class="notes">{notes}</ul>' if notes else "")
    )


def _head(name: str, numeric: bool) -> str:
    side = ' class="r"' if numeric else ""
    return f'<th scope="col"{side}>{named(name) if name else "<span class=hidden>remark</span>"}</th>'


def _row(one: Table, row: Sequence[Cell]) -> str:
    texts = one.texts(row)
    cells = zip(one.columns, row, texts, one.numeric, strict=True)
    made = [
        _cell(name, cell, text, numeric, first=k == 0 and not numeric)
        for k, (name, cell, text, numeric) in enumerate(cells)
    ]
    return f"<tr>{''.join(made)}</tr>"


def _cell(column: str, cell: Cell, text: str, numeric: bool, first: bool) -> str:
    if isinstance(cell, Interval):
        return f'<td class="r" data-low="{exact(cell.low)}" data-high="{exact(cell.high)}">{escaped(text)}</td>'
    if is_number(cell):
        bar = f' style="--share:{cell:.4f}"' if column in _SHARES and 0 <= float(cell) <= 1 else ""  # type: ignore[arg-type]
        kind = "r bar" if bar else "r"
        return f'<td class="{kind}"{bar} data-value="{exact(cell)}">{escaped(text)}</td>'  # type: ignore[arg-type]
    written = text_block(cell) if isinstance(cell, str) else escaped(text)
    if first:
        return f'<th scope="row" dir="auto">{written}</th>'
    return f'<td class="r">{written}</td>' if numeric else f'<td dir="auto">{written}</td>'


def folded(summary: str, content: str) -> str:
    return f"<details class=fold><summary>{escaped(summary)}</summary>{content}</details>"


def as_script(value: Any, attributes: str) -> str:
    """JSON inside a page."""
    return f'<script type="application/json" {attributes}>{script_json(value)}</script>'
