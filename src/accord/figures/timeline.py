"""A document as a timeline: a lane per annotator, units as bars, and between them what belongs together."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

from accord.errors import counted
from accord.figures.base import ONE, Figure
from accord.figures.lettering import SMALL, drawable, ink, label, ticks, titled
from accord.figures.palette import NONE, colours, hatches, mixed, on
from accord.tables import Cell, Table

CHEAP, COSTLY = "#E3E3E3", "#A50F15"  # what belongs together, by what it costs: darker, in grey, too
_TALLEST = 9.0  # inches: a page
_CHARACTERS = {True: 58, False: 112}  # of a line of text, in one column and in two
_UNITS = {True: 14, False: 28}  # of a lane in a row, where there is no text
_LETTER = 0.62  # of its size, on average
_GAP, _TEXT, _BETWEEN = 0.6, 1.7, 0.9  # heights against that of a bar: between lanes, of text, between rows
_LEGEND = 24  # categories that it names
_WIDE = 0.2  # the share of wide letters from which a text has no spaces


@dataclass(frozen=True)
class Mark:
    """A unit of an annotator."""

    lane: int
    start: float
    end: float
    label: str = ""  # empty: none


@dataclass(frozen=True)
class Timeline(Figure):
    """A document with its alignment."""

    kind: ClassVar[str] = "alignment"

    title: str  # the document
    lanes: tuple[str, ...]  # annotators
    marks: tuple[Mark, ...]
    groups: tuple[tuple[float, tuple[int, ...]], ...]  # unitary alignments: what each costs, and its marks
    categories: tuple[str, ...]  # of all of the data: colours are the same in every document
    begin: float
    end: float
    text: str = ""

    @property
    def caption(self) -> str:
        cost = max((cost for cost, _ in self.groups), default=0.0)
        together = f"; units that belong together are joined, the darker the more it costs (up to {cost:.2f})"
        return (
            f"{counted(len(self.marks), 'unit')} of {counted(len(self.lanes), 'annotator')} in {self.title}"
            f"{together if self.groups else ''}"
        )

    def table(self) -> Table:
        number = {m: (k, cost) for k, (cost, members) in enumerate(self.groups, 1) for m in members}
        rows: list[tuple[Cell, ...]] = []
        for m, mark in enumerate(self.marks):
            k, cost = number.get(m, (None, None))
            rows.append((k, self.lanes[mark.lane], mark.start, mark.end, mark.label, cost))
        columns = ("alignment", "annotator", "start", "end", "label", "cost")
        return Table(self.title, columns, tuple(sorted(rows, key=lambda row: (row[0] is None, row[0] or 0))))

    # -- where things are ----------------------------------------------------------------------------------------------

    @cached_property
    def sublanes(self) -> tuple[int, ...]:
        """Of each mark: units of an annotator that overlap stand below each other."""
        ends: dict[int, list[float]] = {}
        found = [0] * len(self.marks)
        for m in sorted(range(len(self.marks)), key=lambda m: (self.marks[m].start, -self.marks[m].end)):
            mark = self.marks[m]
            mine = ends.setdefault(mark.lane, [])
            free = next((k for k, end in enumerate(mine) if end <= mark.start), len(mine))
            mine[free : free + 1] = [max(mark.end, math.nextafter(mark.start, math.inf))]
            found[m] = free
        return tuple(found)

    @cached_property
    def tops(self) -> tuple[float, ...]:
        """Where each lane begins in a row, and behind them where the row ends."""
        deep = [1] * len(self.lanes)
        for mark, sub in zip(self.marks, self.sublanes, strict=True):
            deep[mark.lane] = max(deep[mark.lane], sub + 1)
        at = [0.0]
        for many in deep:
            at.append(at[-1] + many + _GAP)
        return tuple(at)

    def with_text(self, narrow: bool) -> bool:
        """Whether the text fits on a page."""
        rows = -(-len(self.text) // self._characters(narrow))
        return bool(self.text) and rows * self._row(text=True) * self._bar <= _TALLEST - 1

    def _characters(self, narrow: bool) -> int:
        return _CHARACTERS[narrow] // (2 if self._without_spaces else 1)

    @cached_property
    def _without_spaces(self) -> bool:
        """Chinese, Japanese: letters as wide as they are high."""
        wide = sum(unicodedata.east_asian_width(c) in "WF" for c in self.text)
        return wide > _WIDE * len(self.text)

    @property
    def _bar(self) -> float:
        """Inches of a bar: smaller where there are many lanes."""
        return 0.13 if len(self.lanes) <= 6 else 0.1

    def _row(self, text: bool) -> float:
        return self.tops[-1] + (_TEXT if text else 0.0) + _BETWEEN

    def rows(self, narrow: bool) -> tuple[tuple[float, float], ...]:
        """The document cut into stretches, where nothing is cut that belongs together, if there is such a place."""
        span = max(self.end - self.begin, 1e-9)
        text = self.with_text(narrow)
        if text:
            longest = float(self._characters(narrow))
        else:
            per_lane = max((sum(m.lane == k for m in self.marks) for k in range(len(self.lanes))), default=0)
            most = max(int((_TALLEST - 1) / (self._row(text=False) * self._bar)), 1)
            longest = span / min(max(-(-per_lane // _UNITS[narrow]), 1), most)
        found, at = [], self.begin
        while self.end - at > longest * 1.0001:
            cut = self._cut(at + 0.6 * longest, at + longest, text)
            found.append((at, cut))
            at = cut
        return (*found, (at, self.end))

    def _cut(self, first: float, last: float, text: bool) -> float:
        """The last place to cut: between words, and between what belongs together."""
        hulls = self._hulls
        if text:
            within = range(math.ceil(first), min(math.floor(last), len(self.text)) + 1)
            places = [float(k) for k in within if self.text[k - 1].isspace()]
        else:
            places = sorted({end for _, end in hulls if first <= end <= last})
        free = [place for place in places if not any(a < place < b for a, b in hulls)]
        return float((free or places or [last])[-1])

    @cached_property
    def _hulls(self) -> tuple[tuple[float, float], ...]:
        joined = [members for _, members in self.groups] or [(m,) for m in range(len(self.marks))]
        return tuple((min(self.marks[m].start for m in ms), max(self.marks[m].end for m in ms)) for ms in joined if ms)

    def size(self, width: float) -> tuple[float, float]:
        narrow = width <= ONE
        rows = len(self.rows(narrow))
        legend = 0.15 * -(-min(len(self._used), _LEGEND) // (3 if narrow else 6)) + 0.2
        return width, 0.55 + rows * self._row(self.with_text(narrow)) * self._bar + legend

    @property
    def _used(self) -> list[str]:
        there = {mark.label for mark in self.marks}
        return [name for name in sorted(set(self.categories) | there) if name in there and name]

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, ax: Any) -> None:
        narrow = ax.figure.get_figwidth() <= ONE
        text = self.with_text(narrow)
        rows = self.rows(narrow)
        high = self._row(text)
        longest = max(b - a for a, b in rows)
        inches = ax.get_position().width * ax.figure.get_figwidth() * 1.1
        for r, (a, b) in enumerate(rows):
            top = r * high
            for lane, above in enumerate(self.tops[:-1]):
                deep = self.tops[lane + 1] - above - _GAP
                ax.plot([0, b - a], [top + above + deep + 0.05] * 2, color=ink(), alpha=0.25, linewidth=0.4, zorder=0)
            self._joined(ax, top, a, b)
            self._bars(ax, top, a, b, inches / longest)
            if text:
                size = min(inches / longest * 72 / _LETTER, SMALL)
                for at, word in self._words(a, b):
                    ax.text(at - a, top + self.tops[-1] + 0.35, drawable(word), fontsize=size, va="center",
                            family="DejaVu Sans" if word.isascii() else None)  # fmt: skip
        self._axes(ax, rows, high, longest)

    def _axes(self, ax: Any, rows: Sequence[tuple[float, float]], high: float, longest: float) -> None:
        middles = [
            (r * high + (above + below - _GAP) / 2, name)
            for r in range(len(rows))
            for name, above, below in zip(self.lanes, self.tops, self.tops[1:], strict=False)
        ]
        few = {"fontsize": SMALL if len(self.lanes) <= 12 else 5.5}
        ticks(ax.yaxis, [y for y, _ in middles], [name for _, name in middles], 16, **few)
        ax.set_ylim(len(rows) * high - _BETWEEN + 0.3, -0.3)
        ax.set_xlim(0, longest)
        if len(rows) == 1:
            begin, _ = rows[0]
            at = [x for x in ax.get_xticks() if 0 <= x <= longest]
            ax.set_xticks(at, [f"{x + begin:.10g}" for x in at], fontsize=SMALL)
        else:
            ax.set_xticks([])
            for r, (a, _) in enumerate(rows):
                ax.annotate(f"{a:.6g}", (1, r * high - 0.05), xycoords=("axes fraction", "data"), ha="right",
                            va="bottom", fontsize=5.5, alpha=0.7, annotation_clip=False)  # fmt: skip
        ax.tick_params(axis="y", length=0)
        for side in ("left", *(("bottom",) if len(rows) > 1 else ())):
            ax.spines[side].set_visible(False)
        titled(ax, label(self.title, 60))
        self._legend(ax)

    def _joined(self, ax: Any, top: float, a: float, b: float) -> None:
        """Between the lanes: units that belong together."""
        from matplotlib.collections import PolyCollection

        most = max((cost for cost, _ in self.groups), default=0.0) or 1.0
        shapes, shades = [], []
        for cost, members in sorted(self.groups, key=lambda one: one[0]):
            here = sorted((m for m in members if self._in(m, a, b)), key=lambda m: self.marks[m].lane)
            for m, n in pairwise(here):
                (l1, r1), (l2, r2) = self._cut_to(m, a, b), self._cut_to(n, a, b)
                y1, y2 = top + self._y(m) + 0.85, top + self._y(n) + 0.05
                shapes.append([(l1, y1), (r1, y1), (r2, y2), (l2, y2)])
                shades.append(mixed(CHEAP, COSTLY, cost / most))
        ax.add_collection(PolyCollection(shapes, facecolor=shades, edgecolor="none", alpha=0.75, zorder=1))

    def _bars(self, ax: Any, top: float, a: float, b: float, per: float) -> None:
        from matplotlib.patches import Rectangle

        colour, hatch = colours(self.categories), hatches(self.categories)
        alone = {members[0] for _, members in self.groups if len(members) == 1}
        for m, mark in enumerate(self.marks):
            if not self._in(m, a, b):
                continue
            left, right = self._cut_to(m, a, b)
            filled = colour.get(mark.label, NONE)
            y = top + self._y(m)
            single = m in alone and len(self.lanes) > 1
            ax.add_patch(
                Rectangle((left, y + 0.05), right - left, 0.8, facecolor=filled, hatch=hatch.get(mark.label, ""),
                          edgecolor=COSTLY if single else ink(), linewidth=1.2 if single else 0.4,
                          zorder=3 if single else 2)
            )  # fmt: skip
            said = drawable(mark.label)
            if said and not hatch.get(mark.label) and (right - left) * per > 0.058 * len(said) and self._bar >= 0.13:
                ax.text((left + right) / 2, y + 0.47, said, ha="center", va="center", fontsize=5.5, color=on(filled),
                        zorder=4)  # fmt: skip

    def _y(self, m: int) -> float:
        return self.tops[self.marks[m].lane] + self.sublanes[m]

    def _in(self, m: int, a: float, b: float) -> bool:
        mark = self.marks[m]
        return mark.start < b and (mark.end > a or mark.start >= a)

    def _cut_to(self, m: int, a: float, b: float) -> tuple[float, float]:
        return max(self.marks[m].start, a) - a, min(self.marks[m].end, b) - a

    def _words(self, a: float, b: float) -> Iterator[tuple[int, str]]:
        """With their places; where there are no spaces, letters."""
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
            made.append(Patch(facecolor="none", edgecolor=COSTLY, linewidth=1.2, label="one annotator alone"))
        if made:
            narrow = ax.figure.get_figwidth() <= ONE
            below = -0.32 if len(ax.get_xticks()) else -0.08
            size = self.size(ax.figure.get_figwidth())[1]
            place = (0, below / max(size - 0.6, 0.4))
            ax.legend(handles=made, loc="upper left", bbox_to_anchor=place, fontsize=SMALL - 0.5,
                      ncols=3 if narrow else 6, frameon=False, handlelength=1.4, columnspacing=1.2)  # fmt: skip
