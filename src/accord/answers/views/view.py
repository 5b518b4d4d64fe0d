"""View of one document in a browser: data for the script, and static markup with the same content."""

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
KINDS = (MISSING, BOUNDARIES, LABEL, AGREEMENT)  # kinds of disagreement, as named in the filters

MOST_PLACES = 20  # places in static markup
MOST_TEXT = 4_000  # characters of a text in static markup
_LONGEST = 300  # characters of a cell in static markup
_SHORT = 22  # characters of a row name up to which hyphens do not break it
_WORDY = 40  # characters of markup from which a cell gets a minimum width
# Files of the script, in order. Each adds to the same object.
_SCRIPTS = ("core", "spans", "timeline", "text", "spans_view", "items", "texts", "start")
# Characters that HTML does not allow: control characters, surrogates, noncharacters.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr((plane << 16) + end) for plane in range(1, 17) for end in (0xFFFE, 0xFFFF))
    + "]"
)
# Smallest first. The script reads a column as the typed array of this name.
_COLUMNS = (("u1", np.uint8), ("u2", np.uint16), ("i4", np.int32))


@dataclass(frozen=True)
class DisputedPlace:
    """A place in a document where annotators differ."""

    where: str
    cost: float
    kinds: tuple[str, ...]
    said: tuple[tuple[str, str], ...]  # annotator and annotation; "–" if none
    text: tuple[str, str, str] | None = None  # before, inside, after

    def to_dict(self) -> dict[str, Any]:
        text = None if self.text is None else "".join(self.text)
        return plain(
            {"where": self.where, "cost": self.cost, "kinds": self.kinds, "said": dict(self.said), "text": text}
        )


class DocumentView(ABC):
    """View of one document, or of one table of items."""

    name: str
    cost: float  # sorts documents: more disagreement, higher cost

    @property
    @abstractmethod
    def places(self) -> Sequence[DisputedPlace]:
        """The places with most disagreement, sorted by cost."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return JSON data for the script. `kind` selects the view class."""

    @abstractmethod
    def html(self) -> str:
        """Return the content as static markup, limited in size."""

    def section(self, identifier: str, level: int = 3) -> str:
        """Return a section of a page: static markup, and the data for the script, which replaces it."""
        head = f'<h{level} id="{identifier}-name"><bdi>{escaped(self.name)}</bdi></h{level}>'
        static = f'<div class="av-static">{self.html()}</div>'
        data = f'<script type="application/json" class="av-data">{script_json(self.to_dict())}</script>'
        return (
            f'<section class="av-view" id="{identifier}" role="group" aria-labelledby="{identifier}-name">'
            f"{head}\n{static}\n{data}</section>"
        )


@dataclass(frozen=True, eq=False)
class Views:
    """Views of documents, most disagreement first. `left` is the number of documents without a view."""

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
    """Return the script: `accordViewer.mount(element, data)`; `accordViewer.start()` mounts all sections of a page."""
    whole = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    return f"(() => {{\n'use strict';\n{whole}}})();\n"  # keeps its names out of the page's scope


@cache
def style() -> str:
    """Return the style sheet. A page may define --bg, --fg, --muted, --line, --accent, --bad, --good and --cat-N."""
    return _asset("viewer.css")


def _asset(name: str) -> str:
    return files("accord.answers.views").joinpath("assets", name).read_text(encoding="utf-8")


def script_json(data: Any) -> str:
    """Return JSON for a script element. It cannot end the element or begin a comment, and loses no character."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return _FORBIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def packed(values: NDArray[Any] | Sequence[Any]) -> str:
    """Encode a column of numbers as its type and its bytes in base64, which a browser decodes fast."""
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
    """Escape a text for HTML. Characters that HTML does not allow become �."""
    return html.escape(_FORBIDDEN.sub("�", text))


def cell(text: str) -> str:
    """Escape a text for a cell. A long text loses its middle, between words where possible."""
    return escaped(text if len(text) <= _LONGEST else without_middle(text, _LONGEST // 2, _LONGEST // 2))


def table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table. Cells are already markup, and the first cell of a row is its header."""
    head = "".join(f'<th scope="col">{escaped(column)}</th>' for column in columns)
    short = " class=whole" if all(len(row[0]) <= _SHORT for row in rows) else ""
    body = "\n".join(f'<tr><th scope="row"{short}>{row[0]}</th>{"".join(map(_within, row[1:]))}</tr>' for row in rows)
    return (
        f'<div class="av-wide" tabindex="0" role="group" aria-label="{html.escape(caption)}">'
        f"<table><caption>{escaped(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def _within(content: str) -> str:
    """Return a cell. A long text gets a minimum width."""
    return f"<td class=words>{content}</td>" if len(content) > _WORDY else f"<td>{content}</td>"


def more(left: int, what: str) -> str:
    return f'<p class="av-more">and {left:,} more {what}</p>' if left > 0 else ""


def places_table(places: Sequence[DisputedPlace], left: int, cost: str, annotators: Sequence[str]) -> str:
    """Return a table of the places with most disagreement and the annotations of each annotator."""
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
    columns = ("place", *(("text",) if with_text else ()), *annotators, "difference", cost)
    return table("largest disagreements", columns, rows) + more(left, "places where annotators differ")
