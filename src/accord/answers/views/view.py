"""What a browser shows of one document: plain data for the script, and the same as markup that needs no script."""

from __future__ import annotations

import base64
import html
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.core.excerpts import without_middle
from accord.core.tables import plain

MISSING, BOUNDARIES, LABEL, AGREEMENT = "missing", "boundaries", "label", "agreement"
KINDS = (MISSING, BOUNDARIES, LABEL, AGREEMENT)  # of disagreement, as the filters call them

MOST_PLACES = 20  # in markup that needs no script
MOST_TEXT = 4_000  # characters of a text in it
_LONGEST = 300  # characters of a cell in it
_SHORT = 22  # characters of names of rows that are not broken at their hyphens
_WORDY = 40  # characters of markup from which a cell is a text
# One after the other, they are the script; each adds to the same object.
_SCRIPTS = ("core", "spans", "timeline", "text", "spans_view", "items", "texts", "start")
# What HTML does not allow, whatever its encoding: control characters, halves of characters, what is none.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr((plane << 16) + end) for plane in range(1, 17) for end in (0xFFFE, 0xFFFF))
    + "]"
)
# From the smallest: the script reads a column as the typed array of this name.
_COLUMNS = (("u1", np.uint8), ("u2", np.uint16), ("i4", np.int32))


@dataclass(frozen=True)
class DisputedPlace:
    """One place of a document where annotators differ."""

    where: str
    cost: float
    kinds: tuple[str, ...]
    said: tuple[tuple[str, str], ...]  # annotator, and what they have there; "–" where nothing
    text: tuple[str, str, str] | None = None  # before, in it, behind

    def to_dict(self) -> dict[str, Any]:
        text = None if self.text is None else "".join(self.text)
        return plain(
            {"where": self.where, "cost": self.cost, "kinds": self.kinds, "said": dict(self.said), "text": text}
        )


class DocumentView(ABC):
    """One document, or one table of items."""

    name: str
    cost: float  # ranks documents: the larger, the more there is to see

    @property
    @abstractmethod
    def places(self) -> Sequence[DisputedPlace]:
        """The worst places, worst first."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data for the script; `kind` says which part of it shows them."""

    @abstractmethod
    def html(self) -> str:
        """The same content without a script, limited in size."""

    def section(self, identifier: str, level: int = 3) -> str:
        """A section of a page: the markup, and the data with which the script replaces it."""
        head = f'<h{level} id="{identifier}-name"><bdi>{escaped(self.name)}</bdi></h{level}>'
        static = f'<div class="av-static">{self.html()}</div>'
        data = f'<script type="application/json" class="av-data">{script_json(self.to_dict())}</script>'
        return (
            f'<section class="av-view" id="{identifier}" role="group" aria-labelledby="{identifier}-name">'
            f"{head}\n{static}\n{data}</section>"
        )


@dataclass(frozen=True, eq=False)
class Views:
    """What can be looked at, worst first; `left` is the number of documents that are not among them."""

    kind: str
    each: tuple[DocumentView, ...]
    left: int = 0
    categories: tuple[str, ...] = ()  # category k has the colour --cat-k

    def __len__(self) -> int:
        return len(self.each)

    def __iter__(self) -> Iterator[DocumentView]:
        return iter(self.each)


# -- for the page ----------------------------------------------------------------------------------------------------


@cache
def script() -> str:
    """The viewer: `accordViewer.mount(element, data)`; `accordViewer.start()` mounts all sections of the page."""
    whole = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    return f"(() => {{\n'use strict';\n{whole}}})();\n"  # names of its own do not meet those of the page


@cache
def style() -> str:
    """Its style sheet. The page may define --bg, --fg, --muted, --line, --accent, --bad, --good and --cat-N."""
    return _asset("viewer.css")


def _asset(name: str) -> str:
    return files("accord.answers.views").joinpath("assets", name).read_text(encoding="utf-8")


def script_json(data: Any) -> str:
    """JSON inside a script element: nothing in it can end the element or begin a comment, and nothing is lost."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return _FORBIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def packed(values: NDArray[Any] | Sequence[Any]) -> str:
    """A column of numbers as text: its type and its bytes in base64, which a browser reads fast."""
    column = np.asarray(values)
    if column.dtype.kind == "f" and np.all(np.isfinite(column)) and np.all(column == np.rint(column)):
        wide = np.iinfo(np.int32)
        if not len(column) or (column.min() >= wide.min and column.max() <= wide.max):
            column = column.astype(np.int64)
    name, chosen = "f8", column.astype("<f8")
    if column.dtype.kind in "iub":
        low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
        for code, dtype in _COLUMNS:
            if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
                name, chosen = code, column.astype(np.dtype(dtype).newbyteorder("<"))
                break
    return f"{name}:{base64.b64encode(chosen.tobytes()).decode('ascii')}"


# -- markup ----------------------------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """A text escaped for HTML; characters that HTML does not allow become �."""
    return html.escape(_FORBIDDEN.sub("�", text))


def cell(text: str) -> str:
    """A text in a table; a long one loses its middle, between words where possible."""
    return escaped(text if len(text) <= _LONGEST else without_middle(text, _LONGEST // 2, _LONGEST // 2))


def table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; its cells are markup already, and the first cell of a row is its head."""
    head = "".join(f'<th scope="col">{escaped(column)}</th>' for column in columns)
    short = " class=whole" if all(len(row[0]) <= _SHORT for row in rows) else ""
    body = "\n".join(f'<tr><th scope="row"{short}>{row[0]}</th>{"".join(map(_within, row[1:]))}</tr>' for row in rows)
    return (
        f'<div class="av-wide" tabindex="0" role="group" aria-label="{html.escape(caption)}">'
        f"<table><caption>{escaped(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def _within(content: str) -> str:
    """A cell; one with a long text keeps a width in which it can be read."""
    return f"<td class=words>{content}</td>" if len(content) > _WORDY else f"<td>{content}</td>"


def more(left: int, what: str) -> str:
    return f'<p class="av-more">and {left:,} more {what}</p>' if left > 0 else ""


def places_table(places: Sequence[DisputedPlace], left: int, cost: str, annotators: Sequence[str]) -> str:
    """The worst places, with what each annotator has there."""
    if not places:
        return "<p>No disagreement.</p>"
    with_text = any(place.text for place in places)
    rows = []
    for place in places:
        said = dict(place.said)
        texts = []
        if with_text:
            before, inside, behind = place.text or ("", "", "")
            texts = [f"{escaped(before)}<mark>{cell(inside)}</mark>{escaped(behind)}"]
        rows.append(
            [
                escaped(place.where),
                *texts,
                *(cell(said.get(who, "–")) for who in annotators),
                escaped(", ".join(place.kinds)),
                f"{place.cost:z.3f}",
            ]
        )
    columns = ("place", *(("text",) if with_text else ()), *annotators, "what differs", cost)
    return table("the worst places", columns, rows) + more(left, "places where annotators differ")
