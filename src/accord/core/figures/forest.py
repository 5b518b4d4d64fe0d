"""Values with their intervals, one below the other: of measures, variables, categories, documents, rounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from accord.core.figures.base import Figure
from accord.core.figures.lettering import (
    SMALL,
    drawable,
    few_numbers,
    ink,
    label,
    legend,
    legend_columns,
    ticks,
    titled,
)
from accord.core.figures.palette import Look
from accord.core.tables import Cell, Interval, Table, percent

MOST_ROWS = 40  # that are read on a page
_LINE = 0.19  # inches


@dataclass(frozen=True)
class Estimate:
    """A value that is drawn: NaN where there is none, and why."""

    name: str
    value: float
    interval: Interval | None = None
    series: str = ""  # several values of one name: by measure
    n: int | None = None
    undefined: str = ""
    whole: bool = False  # of all of the data: it stands first


@dataclass(frozen=True)
class Forest(Figure):
    """A row per name."""

    kind: ClassVar[str] = "forest"

    title: str
    estimates: tuple[Estimate, ...]
    what: str = "name"  # the rows are
    of: str = "value"  # below the axis
    reference: float | None = 0.0  # a line: no agreement, no difference

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.name for one in self.estimates))

    @property
    def series(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.series for one in self.estimates))

    def with_intervals(self, known: Mapping[str, Interval | None]) -> Forest:
        """Those of some rows, by name."""
        rows = (
            one if one.whole else replace(one, interval=known.get(one.name, one.interval)) for one in self.estimates
        )
        return replace(self, estimates=tuple(rows))

    @property
    def shown(self) -> tuple[str, ...]:
        """Not more rows than are read: the lowest and the highest."""
        if len(self.names) <= MOST_ROWS:
            return self.names
        first, half = self.series[0], MOST_ROWS // 2
        whole = [one.name for one in self.estimates if one.whole and one.series == first]
        known = [one for one in self.estimates if one.series == first and not math.isnan(one.value) and not one.whole]
        order = [one.name for one in sorted(known, key=lambda one: one.value)]
        return (*whole, *order[:half], *order[max(half, len(order) - half) :])

    @property
    def caption(self) -> str:
        intervals = {one.interval.level for one in self.estimates if one.interval is not None}
        every = "" if all(one.interval for one in self.estimates) else ", where there are some"
        lines = f" with {percent(intervals.pop())} intervals{every}" if len(intervals) == 1 else ""
        left = len(self.names) - len(self.shown)
        some = f"; the lowest and the highest, {left:,} more between them" if left else ""
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
            legend(ax, ax.get_legend_handles_labels()[0])

    def _axes(self, ax: Any, names: Sequence[str]) -> None:
        if self.reference is not None:
            ax.axvline(self.reference, color=ink(), linewidth=0.6, linestyle=(0, (3, 3)), zorder=1)
        for k in range(len(names)):
            ax.axhline(k, color=ink(), alpha=0.08, linewidth=0.6, zorder=0)
        left = len(self.names) - len(names)
        if left:
            at = len(names) - MOST_ROWS // 2 - 0.5
            ax.axhline(at, color=ink(), alpha=0.5, linewidth=0.6, linestyle=":")
            ax.annotate(drawable(f"{left:,} more"), (1, at), xycoords=("axes fraction", "data"), ha="right",
                        va="center", fontsize=SMALL, fontstyle="italic")  # fmt: skip
        ticks(ax.yaxis, range(len(names)), names)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        few_numbers(ax.xaxis)
        titled(ax, self.title, x=self.of)
