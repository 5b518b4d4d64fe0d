"""Figures of a document: a timeline with a lane per annotator, or texts below each other."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.errors import counted, printable
from accord.core.figures.figure import ONE, Figure
from accord.core.figures.style import (
    NONE,
    SMALL,
    add_legend,
    colours,
    drawable,
    hatches,
    ink,
    label,
    legend_columns,
    mix_colours,
    on,
    set_ticks,
    set_titles,
    shorten_label,
)
from accord.core.tables import Cell, Table

CHEAP, COSTLY = "#E3E3E3", "#A50F15"  # colours of aligned units by cost; the costly one is also darker in grey
_TALLEST = 9.0  # inches, the height of a page
_CHARACTERS = {True: 58, False: 112}  # per line of text, in one column and in two
_UNITS = {True: 14, False: 28}  # per lane and row, without text
_DENSE = 3  # times as many units per row are allowed before stretches are left out
_LETTER = 0.62  # average width of a letter relative to its size
_GAP, _TEXT, _BETWEEN = 0.5, 1.3, 0.8  # heights relative to a bar: between lanes, of text, between rows
_LEGEND = 24  # categories in the legend
_WIDE = 0.2  # the share of wide letters from which a text is treated as having no spaces


@dataclass(frozen=True)
class UnitMark:
    """A unit of an annotator."""

    lane: int
    start: float
    end: float
    label: str = ""  # empty: no label


@dataclass(frozen=True)
class TimelineFigure(Figure):
    """A document with its alignment."""

    kind: ClassVar[str] = "alignment"

    title: str  # the document
    lanes: tuple[str, ...]  # annotators
    marks: tuple[UnitMark, ...]
    groups: tuple[tuple[float, tuple[int, ...]], ...]  # unitary alignments: cost and marks
    categories: tuple[str, ...]  # of all data, so that colours are the same in every document
    begin: float
    end: float
    text: str = ""

    @property
    def caption(self) -> str:
        together = f"; aligned units are joined, darker for higher cost (up to {self.most:.2f})"
        return (
            f"{counted(len(self.marks), 'unit')} of {counted(len(self.lanes), 'annotator')} in {self.title}"
            f"{together if self.groups else ''}{self._left_out}"
        )

    @property
    def _left_out(self) -> str:
        """A remark on stretches that are not drawn, for two columns."""
        all_, drawn = len(self._cut_into(narrow=False, text=False)), len(self.rows(narrow=False))
        some = not self.with_text(narrow=False) and drawn < all_
        return f"; shown are the {drawn} of {all_} stretches with the highest cost" if some else ""

    def table(self) -> Table:
        number = {m: (k, cost) for k, (cost, members) in enumerate(self.groups, 1) for m in members}
        rows: list[tuple[Cell, ...]] = []
        for m, mark in enumerate(self.marks):
            k, cost = number.get(m, (None, None))
            rows.append((k, self.lanes[mark.lane], mark.start, mark.end, mark.label, cost))
        columns = ("alignment", "annotator", "start", "end", "label", "cost")
        return Table(self.title, columns, tuple(sorted(rows, key=lambda row: (row[0] is None, row[0] or 0))))

    # -- layout --------------------------------------------------------------------------------------------------------

    def row(self, a: float, b: float) -> TimelineRow:
        """Return a stretch of the document."""
        return TimelineRow(self, a, b)

    def with_text(self, narrow: bool) -> bool:
        """Return whether the text fits on a page."""
        if not self.text:
            return False
        rows = -(-len(self.text) // self._characters(narrow))
        least = len(self.lanes) * (1 + _GAP) + _TEXT + _BETWEEN
        return rows * least * self._bar <= _TALLEST and self._high(narrow, text=True) <= _TALLEST

    def _high(self, narrow: bool, text: bool) -> float:
        """Return the height of all rows in inches."""
        rows = self._cut_into(narrow, text) if text else self.rows(narrow)
        return self._bar * sum(self.row(*one).high(text) for one in rows)

    def _characters(self, narrow: bool) -> int:
        return _CHARACTERS[narrow] // (2 if self._without_spaces else 1)

    @cached_property
    def _without_spaces(self) -> bool:
        """Whether the text is Chinese, Japanese or similar: without spaces, in wide letters."""
        wide = sum(unicodedata.east_asian_width(c) in "WF" for c in self.text)
        return wide > _WIDE * len(self.text)

    @property
    def _bar(self) -> float:
        """The height of a bar in inches: smaller if there are many lanes."""
        return 0.125 if len(self.lanes) <= 6 else 0.09

    def rows(self, narrow: bool) -> tuple[tuple[float, float], ...]:
        """Cut the document into stretches; if they do not fit on a page, keep the ones with the highest cost."""
        text = self.with_text(narrow)
        found = self._cut_into(narrow, text)
        if text or len(found) <= self._most_rows:
            return found
        starts = np.array([a for a, _ in found])
        begins = [min(self.marks[m].start for m in members) for _, members in self.groups]
        which = np.clip(np.searchsorted(starts, begins, "right") - 1, 0, len(found) - 1)
        costs = np.bincount(which, weights=[cost for cost, _ in self.groups], minlength=len(found))
        worst = np.sort(np.argsort(-costs, kind="stable")[: self._most_rows])
        return tuple(found[k] for k in worst)

    @cached_property
    def _most_rows(self) -> int:
        """The number of rows that fit on a page, without text."""
        least = self.row(self.begin, self.end).high(text=False)
        return max(int((_TALLEST - 1) / (least * self._bar)), 1)

    def _cut_into(self, narrow: bool, text: bool) -> tuple[tuple[float, float], ...]:
        """Cut the document into stretches, between groups of units where possible."""
        span = max(self.end - self.begin, 1e-9)
        if text:
            longest = float(self._characters(narrow))
        else:
            per_lane = max((sum(m.lane == k for m in self.marks) for k in range(len(self.lanes))), default=0)
            wanted = max(-(-per_lane // _UNITS[narrow]), 1)
            if wanted > self._most_rows:
                wanted = max(-(-per_lane // (_DENSE * _UNITS[narrow])), self._most_rows)
            longest = span / wanted
        at, found = self.begin, list[tuple[float, float]]()
        rows = round(span / longest)
        while self.end - at > longest * 1.0001 if text else len(found) < rows - 1:
            long = longest if text else (self.end - at) / (rows - len(found))
            cut = self._cut(at + (0.6 if text else 0.85) * long, at + (1.0 if text else 1.15) * long, text)
            found.append((at, cut))
            at = cut
        return (*found, (at, self.end))

    def _cut(self, first: float, last: float, text: bool) -> float:
        """Return the last position to cut: between words and between groups of units."""
        begins, ends = self._hulls
        if text:
            within = range(math.ceil(first), min(math.floor(last), len(self.text)) + 1)
            places = np.array([float(k) for k in within if self.text[k - 1].isspace()])
        else:
            places = np.unique(ends[(ends >= first) & (ends <= last)])
        across = np.searchsorted(begins, places, "left") - np.searchsorted(ends, places, "right")
        free = places[across == 0]
        free = free if len(free) else places if len(places) else np.array([last])
        return float(free[-1] if text else free[len(free) // 2])

    @cached_property
    def _hulls(self) -> tuple[Floats, Floats]:
        """The starts of all groups in order, and their ends in order."""
        joined = [members for _, members in self.groups if members] or [(m,) for m in range(len(self.marks))]
        begins = sorted(min(self.marks[m].start for m in members) for members in joined)
        ends = sorted(max(self.marks[m].end for m in members) for members in joined)
        return np.array(begins, dtype=np.float64), np.array(ends, dtype=np.float64)

    def size(self, width: float) -> tuple[float, float]:
        narrow = width <= ONE
        names = [shorten_label(name, 20) for name in self._used[:_LEGEND]] + ["only one annotator"] * 3
        below = 0.16 * -(-len(names) // legend_columns(names, width))
        return width, 0.65 + self._high(narrow, self.with_text(narrow)) + below

    @property
    def _used(self) -> list[str]:
        there = {mark.label for mark in self.marks}
        return [name for name in sorted(set(self.categories) | there) if name in there and name]

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, ax: Any) -> None:
        narrow = ax.figure.get_figwidth() <= ONE
        text = self.with_text(narrow)
        rows = [self.row(*one) for one in self.rows(narrow)]
        longest = max(row.b - row.a for row in rows)
        inches = ax.get_position().width * ax.figure.get_figwidth() * 1.1
        top, lanes = 0.0, []
        for row in rows:
            for name, above, below in zip(self.lanes, row.tops, row.tops[1:], strict=False):
                y = top + below - _GAP + 0.05
                ax.plot([0, row.b - row.a], [y, y], color=ink(), alpha=0.25, linewidth=0.4, zorder=0)
                lanes.append((top + (above + below - _GAP) / 2, name))
            row.joined(ax, top)
            row.bars(ax, top, inches / longest, self._bar > 0.1)
            if text:
                size = min(inches / longest * 72 / _LETTER, SMALL)
                for at, word in self._words(row.a, row.b):
                    ax.text(at - row.a, top + row.tops[-1] + 0.3, drawable(printable(word)), fontsize=size, va="center")
            if len(rows) > 1:
                ax.annotate(f"{row.a:.6g}", (0, top - 0.05), xytext=(-2, 0), textcoords="offset points", ha="right",
                            va="bottom", fontsize=5, alpha=0.7, annotation_clip=False)  # fmt: skip
            top += row.high(text)
        self._axes(ax, rows, lanes, longest)
        ax.set_ylim(top - _BETWEEN + 0.3, -0.3)
        self._legend(ax)

    def _axes(self, ax: Any, rows: Sequence[TimelineRow], lanes: Sequence[tuple[float, str]], longest: float) -> None:
        small = {"fontsize": SMALL if len(self.lanes) <= 6 else 5.5}
        set_ticks(ax.yaxis, [y for y, _ in lanes], [name for _, name in lanes], 16, **small)
        ax.set_xlim(0, longest)
        if len(rows) == 1:
            from matplotlib.ticker import MaxNLocator

            begin = rows[0].a
            at = [x for x in MaxNLocator(6).tick_values(begin, begin + longest) if begin <= x <= begin + longest]
            ax.set_xticks([x - begin for x in at], [f"{x:.10g}" for x in at], fontsize=SMALL)
        else:
            ax.set_xticks([])
        ax.tick_params(axis="y", length=0)
        for side in ("left", *(("bottom",) if len(rows) > 1 else ())):
            ax.spines[side].set_visible(False)
        set_titles(ax, self.title)

    def _words(self, a: float, b: float) -> Iterator[tuple[int, str]]:
        """Yield the words with their positions; letters in a text without spaces."""
        first, last = max(math.ceil(a), 0), min(math.ceil(b), len(self.text))
        at = first
        while at < last:
            if self.text[at].isspace():
                at += 1
                continue
            end = at + 1
            while not self._without_spaces and end < last and not self.text[end].isspace():
                end += 1
            yield at, self.text[at:end]
            at = end

    def _legend(self, ax: Any) -> None:
        from matplotlib.patches import Patch

        colour, hatch = colours(self.categories), hatches(self.categories)
        used = self._used
        made = [
            Patch(facecolor=colour.get(name, NONE), hatch=hatch.get(name, ""), edgecolor=ink(), linewidth=0.4,
                  label=label(name, 20))
            for name in used[:_LEGEND]
        ]  # fmt: skip
        if len(used) > _LEGEND:
            made.append(Patch(facecolor="none", label=f"{len(used) - _LEGEND} more"))
        if any(len(members) == 1 for _, members in self.groups) and len(self.lanes) > 1:
            made.append(Patch(facecolor="none", edgecolor=COSTLY, linewidth=1.2, label="only one annotator"))
        if self.most > 0 and any(len(members) > 1 for _, members in self.groups):
            made += [Patch(facecolor=CHEAP, label="joined, cost 0"), Patch(facecolor=COSTLY, alpha=0.75,
                     label=f"joined, cost {self.most:.2f}")]  # fmt: skip
        add_legend(ax, made)

    @cached_property
    def most(self) -> float:
        """The highest cost of a group."""
        return max((cost for cost, members in self.groups if len(members) > 1), default=0.0)


@dataclass(frozen=True)
class SegmentsFigure(TimelineFigure):
    """A document that annotators cut into segments."""

    @property
    def caption(self) -> str:
        cuts = len(self.marks) - len(self.lanes)
        return f"segments of {self.title}: {counted(cuts, 'boundary')} of {counted(len(self.lanes), 'annotator')}"


@dataclass(frozen=True)
class TimelineRow:
    """A stretch of a document and its position in the figure."""

    of: TimelineFigure
    a: float
    b: float

    @cached_property
    def there(self) -> tuple[int, ...]:
        """The marks that overlap the stretch."""
        marks = enumerate(self.of.marks)
        return tuple(m for m, one in marks if one.start < self.b and (one.end > self.a or one.start >= self.a))

    @cached_property
    def sublanes(self) -> dict[int, int]:
        """The sublane of each mark; overlapping units of one annotator are below each other."""
        ends: dict[int, list[float]] = {}
        found: dict[int, int] = {}
        marks = self.of.marks
        for m in sorted(self.there, key=lambda m: (marks[m].start, -marks[m].end)):
            mine = ends.setdefault(marks[m].lane, [])
            free = next((k for k, end in enumerate(mine) if end <= marks[m].start), len(mine))
            mine[free : free + 1] = [max(marks[m].end, math.nextafter(marks[m].start, math.inf))]
            found[m] = free
        return found

    @cached_property
    def tops(self) -> tuple[float, ...]:
        """The top of each lane, and the bottom of the row."""
        deep = [1] * len(self.of.lanes)
        for m, sub in self.sublanes.items():
            lane = self.of.marks[m].lane
            deep[lane] = max(deep[lane], sub + 1)
        at = [0.0]
        for many in deep:
            at.append(at[-1] + many + _GAP)
        return tuple(at)

    def high(self, text: bool) -> float:
        """Return the height, in bars."""
        return self.tops[-1] + (_TEXT if text else 0.0) + _BETWEEN

    def joined(self, ax: Any, top: float) -> None:
        """Draw the connections between the units of a group."""
        from matplotlib.collections import PolyCollection

        marks, most = self.of.marks, self.of.most or 1.0
        shapes, shades = [], []
        for cost, members in sorted(self.of.groups, key=lambda one: one[0]):
            here = sorted((m for m in members if m in self.sublanes), key=lambda m: marks[m].lane)
            for m, n in pairwise(here):
                (l1, r1), (l2, r2) = self._ends(m), self._ends(n)
                y1, y2 = top + self._y(m) + 0.85, top + self._y(n) + 0.05
                shapes.append([(l1, y1), (r1, y1), (r2, y2), (l2, y2)])
                shades.append(mix_colours(CHEAP, COSTLY, cost / most))
        ax.add_collection(PolyCollection(shapes, facecolor=shades, edgecolor="none", alpha=0.75, zorder=1))

    def bars(self, ax: Any, top: float, per: float, named: bool) -> None:
        """Draw the units; `per` is inches per position."""
        from matplotlib.collections import PolyCollection

        colour, hatch = colours(self.of.categories), hatches(self.of.categories)
        alone = {members[0] for _, members in self.of.groups if len(members) == 1 and len(self.of.lanes) > 1}
        alike: dict[tuple[str, bool], list[int]] = {}
        for m in self.there:
            alike.setdefault((self.of.marks[m].label, m in alone), []).append(m)
        for (name, single), mine in alike.items():
            filled, lines, said = colour.get(name, NONE), hatch.get(name, ""), drawable(printable(name))
            boxes = [(*self._ends(m), top + self._y(m)) for m in mine]
            shapes = [[(a, y + 0.05), (b, y + 0.05), (b, y + 0.85), (a, y + 0.85)] for a, b, y in boxes]
            ax.add_collection(
                PolyCollection(shapes, facecolor=filled, hatch=lines, zorder=3 if single else 2,
                               edgecolor=COSTLY if single else ink(), linewidth=1.2 if single else 0.4)
            )  # fmt: skip
            for a, b, y in boxes if named and said and not lines else ():
                if (b - a) * per > 0.058 * len(said):
                    ax.text((a + b) / 2, y + 0.47, said, ha="center", va="center", fontsize=5.5, color=on(filled),
                            zorder=4)  # fmt: skip

    def _y(self, m: int) -> float:
        return self.tops[self.of.marks[m].lane] + self.sublanes[m]

    def _ends(self, m: int) -> tuple[float, float]:
        mark = self.of.marks[m]
        return max(mark.start, self.a) - self.a, min(mark.end, self.b) - self.a


# -- texts with marked differences -------------------------------------------------------------------------------------


# Kinds of differences: a shade behind the letters, and a line below them for print without colour.
DIFFERENCES = {
    "text": ("#E69F00", "-"),
    "segmentation": ("#56B4E9", "--"),
    "missing": ("#999999", ":"),
}
_OTHER = ("#CC79A7", "-.")  # features
_LETTERS = {True: 52, False: 108}  # per line, in one column and in two
_MOST_LINES = 22  # per page
_SIZE = 6.5  # points


@dataclass(frozen=True)
class MarkedToken:
    """The tokens at one position of all texts; None for an annotator without a token there."""

    texts: tuple[str | None, ...]
    kinds: tuple[str, ...] = ()  # kinds of differences; empty: none


@dataclass(frozen=True)
class MarkedTexts(Figure):
    """A document with a line per annotator, below each other."""

    kind: ClassVar[str] = "differences"

    title: str  # the document
    annotators: tuple[str, ...]
    tokens: tuple[MarkedToken, ...]

    @property
    def caption(self) -> str:
        apart = sum(bool(token.kinds) for token in self.tokens)
        return f"{self.title}: {apart:,} of {len(self.tokens):,} places differ"

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (*(text or "" for text in token.texts), ", ".join(token.kinds)) for token in self.tokens
        ]
        return Table(self.title, (*self.annotators, "difference"), tuple(rows))

    def lines(self, narrow: bool) -> list[list[tuple[float, MarkedToken]]]:
        """Return tokens with their positions, line by line; of many lines, only the first with differences."""
        made: list[list[tuple[float, MarkedToken]]] = [[]]
        at = 0.0
        for token in self.tokens:
            wide = max(len(text or "–") for text in token.texts) + 1.2
            if at and at + wide > _LETTERS[narrow]:
                made.append([])
                at = 0.0
            made[-1].append((at, token))
            at += wide
        most = (
            max(_MOST_LINES // max(len(self.annotators), 1), 1) if len(made) * len(self.annotators) > 60 else len(made)
        )
        if len(made) <= most:
            return made
        return [line for line in made if any(token.kinds for _, token in line)][:most]

    def size(self, width: float) -> tuple[float, float]:
        lines = len(self.lines(width <= ONE))
        return width, 0.5 + lines * (0.145 * len(self.annotators) + 0.12)

    def draw(self, ax: Any) -> None:
        from matplotlib.patches import Rectangle

        narrow = ax.figure.get_figwidth() <= ONE
        lines, many = self.lines(narrow), len(self.annotators)
        high = many + 0.8
        used: dict[str, tuple[str, str]] = {}
        for r, line in enumerate(lines):
            for at, token in line:
                wide = max(len(text or "–") for text in token.texts)
                if token.kinds:
                    kind = token.kinds[0]
                    colour, style = used.setdefault(kind, DIFFERENCES.get(kind, _OTHER))
                    y = r * high
                    ax.add_patch(
                        Rectangle(
                            (at - 0.3, y), wide + 0.8, many, facecolor=mix_colours(colour, "#FFFFFF", 0.45), linewidth=0
                        )
                    )
                    ax.plot([at - 0.3, at + wide + 0.5], [y + many] * 2, color=ink(), linestyle=style, linewidth=0.9)
                for k, text in enumerate(token.texts):
                    said = drawable(printable(text)) if text is not None else "–"
                    ax.text(at, r * high + k + 0.5, said, fontsize=_SIZE, va="center",
                            color="#000000" if token.kinds else ink())  # fmt: skip
        self._axes(ax, lines, high, narrow)
        if used:
            handles = [
                Rectangle((0, 0), 1, 1, facecolor=mix_colours(colour, "#FFFFFF", 0.45), edgecolor=ink(),
                          linestyle=style, linewidth=0.9, label=label(kind))
                for kind, (colour, style) in used.items()
            ]  # fmt: skip
            add_legend(ax, handles)

    def _axes(self, ax: Any, lines: Sequence[Any], high: float, narrow: bool) -> None:
        places = [r * high + k + 0.5 for r in range(len(lines)) for k in range(len(self.annotators))]
        set_ticks(ax.yaxis, places, list(self.annotators) * len(lines), 14)
        ax.set_xticks([])
        ax.set_xlim(-0.5, _LETTERS[narrow])
        ax.set_ylim(max(len(lines), 1) * high - 0.5, -0.3)
        ax.tick_params(axis="y", length=0)
        for side in ax.spines.values():
            side.set_visible(False)
        set_titles(ax, self.title)
