"""Figures with a row per name: bars (sources of disorder, effects of leaving out), and values with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from accord.core.figures.figure import Figure
from accord.core.figures.style import (
    BETTER,
    SMALL,
    WORSE,
    Look,
    add_legend,
    drawable,
    ink,
    label,
    legend_columns,
    limit_numbers,
    mix_colours,
    set_ticks,
    set_titles,
)
from accord.core.tables import Cell, Interval, Table, percent

MOST_BARS = 30
_LINE = 0.19  # inches per row
# Causes of differences between units, with colours and hatches that can be distinguished in grey.
CAUSES = {
    "position": ("#56B4E9", ""),
    "category": ("#0B4C72", ""),
    "absence": ("#E69F00", "////"),
    "text": ("#56B4E9", ""),
    "segmentation": ("#0B4C72", ""),
    "missing": ("#E69F00", "////"),
}
_OTHER = (("#0072B2", ""), ("#F0E442", "..."), ("#CC79A7", "xxx"), ("#009E73", "---"))


@dataclass(frozen=True)
class Stacked(Figure):
    """A stacked bar per name: disorder by cause, differences by kind."""

    kind: ClassVar[str] = "disorder"

    title: str
    what: str  # what the bars are: category, document
    parts: tuple[str, ...]  # position, category, absence
    amounts: tuple[tuple[str, tuple[float, ...]], ...]  # name, and the amount of each part
    of: str = "share of all disorder (%)"  # below the axis
    said: str = "sources of disorder"

    @property
    def shown(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """The largest bars."""
        return tuple(sorted(self.amounts, key=lambda one: -sum(one[1]))[:MOST_BARS])

    @property
    def caption(self) -> str:
        left = len(self.amounts) - len(self.shown)
        some = f"; the largest of {len(self.amounts):,}" if left else ""
        why = f", by {', '.join(self.parts)}" if len(self.parts) > 1 else ""
        return f"{self.said}: {self.of} of each {self.what}{why}{some}"

    def table(self) -> Table:
        parts = tuple(f"due to {part}" for part in self.parts) if len(self.parts) > 1 else ()
        rows: list[tuple[Cell, ...]] = [
            (name, *(amounts if parts else ()), sum(amounts)) for name, amounts in self.amounts
        ]
        return Table(self.title, (self.what, *parts, self.of), tuple(rows))

    def drawn(self) -> Table:
        return replace(self, amounts=self.shown).table()

    def size(self, width: float) -> tuple[float, float]:
        return width, 0.8 + _LINE * max(len(self.shown), 2) + (0.2 if len(self.parts) > 1 else 0)

    def draw(self, ax: Any) -> None:
        shown = self.shown
        left = [0.0] * len(shown)
        others = iter(_OTHER * (1 + len(self.parts)))
        for k, part in enumerate(self.parts):
            colour, hatch = CAUSES.get(part) or next(others)
            wide = [amounts[k] for _, amounts in shown]
            ax.barh(range(len(shown)), wide, left=left, height=0.7, color=colour, hatch=hatch, edgecolor=ink(),
                    linewidth=0.4, label=label(part))  # fmt: skip
            left = [a + b for a, b in zip(left, wide, strict=True)]
        set_ticks(ax.yaxis, range(len(shown)), [name for name, _ in shown])
        ax.set_ylim(max(len(shown), 2) - 0.4, -0.6)
        ax.set_xlim(left=0)
        if all(amount.is_integer() for _, amounts in shown for amount in amounts):
            ax.xaxis.get_major_locator().set_params(integer=True)
        ax.tick_params(axis="y", length=0)
        set_titles(ax, self.title, x=self.of)
        if len(self.parts) > 1:
            add_legend(ax, ax.get_legend_handles_labels()[0])


@dataclass(frozen=True)
class Change:
    """The change of the value if something is left out."""

    name: str
    change: float
    interval: Interval | None = None


@dataclass(frozen=True)
class Changes(Figure):
    """Influence: a panel for each kind of object that is left out."""

    kind: ClassVar[str] = "influence"

    title: str
    panels: tuple[tuple[str, tuple[Change, ...]], ...]  # kind of object, and changes with the most harmful first
    of: str
    error: bool = False  # 0 is perfect, so a lower value is better

    @property
    def shown(self) -> list[tuple[str, tuple[Change, ...]]]:
        """The changes to draw; of many, the most harmful and the most helpful."""
        half = MOST_BARS // 2
        return [
            (what, changes if len(changes) <= MOST_BARS else (*changes[:half], *changes[-half:]))
            for what, changes in self.panels
        ]

    @property
    def caption(self) -> str:
        return f"{self.of} when one is left out; orange: the value is better without it"

    @property
    def grid(self) -> tuple[int, int]:
        return len(self.panels), 1

    @property
    def heights(self) -> tuple[float, ...]:
        return tuple(len(changes) + 2.0 for _, changes in self.shown)

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (what, one.name, one.change, one.interval) for what, changes in self.panels for one in changes
        ]
        return Table(self.title, ("without one", "name", "change", "interval"), tuple(rows))

    def drawn(self) -> Table:
        return replace(self, panels=tuple(self.shown)).table()

    def size(self, width: float) -> tuple[float, float]:
        return width, 0.6 + sum(0.55 + _LINE * len(changes) for _, changes in self.shown)

    def draw(self, ax: Any) -> None:
        self.draw_panels([ax])

    def draw_panels(self, axes: Sequence[Any]) -> None:
        for ax, (what, changes) in zip(axes, self.shown, strict=False):
            self._panel(ax, what, changes)
        set_titles(axes[len(self.panels) - 1], x=self.of)
        if self.title:
            set_titles(axes[0], f"{self.title}: without one {self.panels[0][0]}")

    def _panel(self, ax: Any, what: str, changes: Sequence[Change]) -> None:
        better = [(one.change > 0) != self.error for one in changes]
        ax.barh(range(len(changes)), [one.change for one in changes], height=0.7, linewidth=0.4, edgecolor=ink(),
                color=[mix_colours(WORSE, "#FFFFFF", 0.25) if good else BETTER for good in better])  # fmt: skip
        for k, one in enumerate(changes):
            if one.interval is not None:
                ax.plot([one.interval.low, one.interval.high], [k, k], color=ink(), linewidth=1)
        ax.axvline(0, color=ink(), linewidth=0.8)
        set_ticks(ax.yaxis, range(len(changes)), [one.name for one in changes])
        ax.set_ylim(len(changes) - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        limit_numbers(ax.xaxis)
        set_titles(ax, f"without one {what}")


# -- forest plots: values with intervals -------------------------------------------------------------------------------


MOST_FOREST_ROWS = 40  # rows that fit on a page


@dataclass(frozen=True)
class ForestRow:
    """A value of a forest plot; NaN if undefined, with the reason."""

    name: str
    value: float
    interval: Interval | None = None
    series: str = ""  # the measure, if a name has several values
    n: int | None = None
    undefined: str = ""
    whole: bool = False  # the value of all data, drawn first


@dataclass(frozen=True)
class Forest(Figure):
    """Values with their intervals, a row per name."""

    kind: ClassVar[str] = "forest"

    title: str
    estimates: tuple[ForestRow, ...]
    what: str = "name"  # what the rows are
    of: str = "value"  # the label of the axis
    reference: float | None = 0.0  # position of a reference line: no agreement, no difference

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.name for one in self.estimates))

    @property
    def series(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.series for one in self.estimates))

    def with_intervals(self, known: Mapping[str, Interval | None]) -> Forest:
        """Return the figure with the intervals of some rows, by name."""
        rows = (
            one if one.whole else replace(one, interval=known.get(one.name, one.interval)) for one in self.estimates
        )
        return replace(self, estimates=tuple(rows))

    @property
    def shown(self) -> tuple[str, ...]:
        """The names to draw; of many, the lowest and the highest."""
        if len(self.names) <= MOST_FOREST_ROWS:
            return self.names
        first, half = self.series[0], MOST_FOREST_ROWS // 2
        whole = [one.name for one in self.estimates if one.whole and one.series == first]
        known = [one for one in self.estimates if one.series == first and not math.isnan(one.value) and not one.whole]
        order = [one.name for one in sorted(known, key=lambda one: one.value)]
        return (*whole, *order[:half], *order[max(half, len(order) - half) :])

    @property
    def caption(self) -> str:
        intervals = {one.interval.level for one in self.estimates if one.interval is not None}
        every = "" if all(one.interval for one in self.estimates) else " where available"
        lines = f" with {percent(intervals.pop())} intervals{every}" if len(intervals) == 1 else ""
        left = len(self.names) - len(self.shown)
        some = f"; shown are the lowest and the highest, without {left:,} between them" if left else ""
        return f"{self.of} by {self.what}{lines}{some}"

    def table(self) -> Table:
        several = self.series != ("",)
        rows: list[tuple[Cell, ...]] = [
            (one.name, *((one.series,) if several else ()), one.value, one.interval, one.n) for one in self.estimates
        ]
        columns = (self.what, *(("measure",) if several else ()), "value", "interval", "n")
        notes = tuple(f"{one.name}: {one.undefined}" for one in self.estimates if one.undefined)
        return Table(self.title, columns, tuple(rows), notes)

    def drawn(self) -> Table:
        shown = set(self.shown)
        return replace(self, estimates=tuple(one for one in self.estimates if one.name in shown)).table()

    def size(self, width: float) -> tuple[float, float]:
        per = max(1.0, 0.62 * len(self.series))
        return width, 0.75 + _LINE * per * max(len(self.shown), 2) + 0.16 * self._legend_rows(width)

    def _legend_rows(self, width: float) -> int:
        return -(-len(self.series) // legend_columns(self.series, width)) if len(self.series) > 1 else 0

    def draw(self, ax: Any) -> None:
        names, series = self.shown, self.series
        row = {name: k for k, name in enumerate(names)}
        for s, which in enumerate(series):
            look = Look.number(s)
            colour = ink() if s == 0 else look.colour
            mine = [one for one in self.estimates if one.series == which and one.name in row]
            off = (s - (len(series) - 1) / 2) * 0.7 / max(len(series), 1)
            for one in mine:
                y = row[one.name] + off
                if one.interval is not None:
                    ax.plot([one.interval.low, one.interval.high], [y, y], color=colour, linewidth=1.1, zorder=2)
                if math.isnan(one.value):
                    ax.annotate("undefined", (0.01, y), xycoords=("axes fraction", "data"), va="center", color=colour,
                                fontsize=SMALL, fontstyle="italic", annotation_clip=False)  # fmt: skip
            known = [one for one in mine if not math.isnan(one.value)]
            ax.plot([one.value for one in known], [row[one.name] + off for one in known], linestyle="none",
                    marker=look.mark, markersize=4, color=colour, label=label(which, 40), zorder=3)  # fmt: skip
        self._axes(ax, names)
        if len(series) > 1:
            add_legend(ax, ax.get_legend_handles_labels()[0])

    def _axes(self, ax: Any, names: Sequence[str]) -> None:
        if self.reference is not None:
            ax.axvline(self.reference, color=ink(), linewidth=0.6, linestyle=(0, (3, 3)), zorder=1)
        for k in range(len(names)):
            ax.axhline(k, color=ink(), alpha=0.08, linewidth=0.6, zorder=0)
        left = len(self.names) - len(names)
        if left:
            at = len(names) - MOST_FOREST_ROWS // 2 - 0.5
            ax.axhline(at, color=ink(), alpha=0.5, linewidth=0.6, linestyle=":")
            ax.annotate(drawable(f"{left:,} more"), (1, at), xycoords=("axes fraction", "data"), ha="right",
                        va="center", fontsize=SMALL, fontstyle="italic")  # fmt: skip
        set_ticks(ax.yaxis, range(len(names)), names)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        limit_numbers(ax.xaxis)
        set_titles(ax, self.title, x=self.of)
