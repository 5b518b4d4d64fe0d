"""Cells, sentences and tables as HTML. Whatever strangers wrote is escaped, and shown as it is."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from accord.answers.reporting.saying import Name, Number, Sentence, signed
from accord.answers.views.base import escaped, script_json
from accord.core.excerpts import without_middle
from accord.core.tables import Cell, Interval, Table, is_number

_LONGEST = 240  # characters of a cell; the rest is opened
_LONGEST_NAME = 60  # of a name in a sentence or a heading
_LONGEST_CAPTION = 160
_WHOLE = 22  # letters of a name that is not broken at its hyphens
_WORDS = 16  # characters from which a cell is a sentence: it wraps, and keeps the width to be read
_SHARES = ("share of disorder",)  # columns that are shown as bars, too


def shortened(text: str, most: int = _LONGEST_NAME) -> str:
    """Cut in the middle, between words where there are some."""
    if len(text) <= most:
        return text
    head = (most * 2) // 3
    return without_middle(text, head, most - head - 3)


def named(text: str, most: int = _LONGEST_NAME) -> str:
    """A name within a line, kept apart from the direction of the text around it; the whole of it is its title."""
    short = shortened(text, most)
    more = "" if short == text else f' title="{escaped(text)}"'
    if len(text) <= _WHOLE and not any(unicodedata.east_asian_width(letter) in "WF" for letter in text):
        more = " class=whole"
    return f"<bdi{more}>{escaped(short)}</bdi>"


def spoken(sentence: Sentence) -> str:
    return "".join(_piece(piece) for piece in sentence)


def _piece(piece: str | Number | Name) -> str:
    if isinstance(piece, Name):
        return named(piece.text)
    if isinstance(piece, Number):
        return f'<span class="n" data-value="{exact(piece.value)}">{escaped(signed(str(piece)))}</span>'
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


def table(one: Table, under: str = "") -> str:
    """With a caption, heads of columns and rows, and all digits of its numbers for programs. `under`: the heading that
    it stands under; a caption that says the same is not shown twice.
    """
    one = _without_empty_remarks(one)
    if not one.rows:
        said = [f"{one.title}: none" if one.title else "", *one.notes]
        return "".join(f"<p>{escaped(line)}</p>" for line in said if line)
    twice = ' class="hidden"' if one.title.lower() == under.lower() else ""
    caption = f"<caption{twice}>{named(one.title, _LONGEST_CAPTION)}</caption>" if one.title else ""
    head = "".join(_head(name, numeric) for name, numeric in zip(one.columns, one.numeric, strict=True))
    thead = f"<thead><tr>{head}</tr></thead>" if any(one.columns) else ""
    wordy = tuple(any(isinstance(c, str) and len(c) > _WORDS for c in cells) for cells in zip(*one.rows, strict=True))
    body = "".join(_row(one, row, wordy) for row in one.rows)
    notes = "".join(f"<li>{escaped(note)}</li>" for note in one.notes)
    label = escaped(shortened(one.title or "table"))
    return (
        f'<div class="scroll" role="group" tabindex="0" aria-label="{label}"><table>{caption}{thead}'
        f"<tbody>{body}</tbody></table></div>" + (f'<ul class="notes">{notes}</ul>' if notes else "")
    )


def _head(name: str, numeric: bool) -> str:
    side = ' class="r"' if numeric else ""
    return f'<th scope="col"{side}>{named(name) if name else "<span class=hidden>remark</span>"}</th>'


def _without_empty_remarks(one: Table) -> Table:
    """Without columns that have neither a name nor a word in any row."""
    kept = [k for k, name in enumerate(one.columns) if name or any(row[k] not in {None, ""} for row in one.rows)]
    if len(kept) == len(one.columns) or not one.rows:
        return one
    rows = tuple(tuple(row[k] for k in kept) for row in one.rows)
    return replace(one, columns=tuple(one.columns[k] for k in kept), rows=rows)


def _row(one: Table, row: Sequence[Cell], wordy: Sequence[bool]) -> str:
    texts = one.texts(row)
    cells = zip(one.columns, row, texts, one.numeric, wordy, strict=True)
    made = [
        _cell(name, cell, text, numeric, words, first=k == 0 and not numeric)
        for k, (name, cell, text, numeric, words) in enumerate(cells)
    ]
    return f"<tr>{''.join(made)}</tr>"


def _cell(column: str, cell: Cell, text: str, numeric: bool, words: bool, first: bool) -> str:
    if isinstance(cell, Interval):
        return f'<td class="r" data-low="{exact(cell.low)}" data-high="{exact(cell.high)}">{escaped(signed(text))}</td>'
    if is_number(cell):
        bar = f' style="--share:{cell:.4f}"' if column in _SHARES and 0 <= float(cell) <= 1 else ""  # type: ignore[arg-type]
        kind = "r bar" if bar else "r"
        return f'<td class="{kind}"{bar} data-value="{exact(cell)}">{escaped(signed(text))}</td>'  # type: ignore[arg-type]
    written = text_block(cell) if isinstance(cell, str) else escaped(text)
    wide = ' class="words"' if words else ""
    if first:
        return f'<th scope="row" dir="auto"{wide or " class=whole"}>{written}</th>'
    return f'<td class="r">{written}</td>' if numeric else f'<td dir="auto"{wide}>{written}</td>'


def folded(summary: str, content: str) -> str:
    return f"<details class=fold><summary>{escaped(summary)}</summary>{content}</details>"


def as_script(value: Any, attributes: str) -> str:
    """JSON inside a page."""
    return f'<script type="application/json" {attributes}>{script_json(value)}</script>'
