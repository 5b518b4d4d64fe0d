"""Lines and points: curves of simulations, trends over rounds, and Bland–Altman differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from accord.core.figures.figure import ONE, Figure
from accord.core.figures.style import (
    MARKS,
    SMALL,
    Look,
    add_legend,
    drawable,
    ink,
    label,
    legend_columns,
    set_ticks,
    set_titles,
)
from accord.core.tables import Cell, Interval, Table

Values = tuple[float, ...]


@dataclass(frozen=True)
class Line:
    """Values over magnitudes, with a shaded range."""

    name: str
    at: Values
    values: Values
    low: Values | None = None
    high: Values | None = None
    look: Look | None = None  # None: by the number of the line


@dataclass(frozen=True)
class Curves(Figure):
    """Panels of lines with a common scale."""

    kind: ClassVar[str] = "curves"

    title: str
    panels: tuple[tuple[str, tuple[Line, ...]], ...]
    mark: float | None = None  # the measured value
    x: str = "magnitude"
    y: str = "agreement"
    shaded: str = "shaded: 95% of the sets"
    what: str = "error"  # what the panels are

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line.name for _, lines in self.panels for line in lines))

    @property
    def caption(self) -> str:
        shaded = any(line.low is not None for _, lines in self.panels for line in lines)
        measured = f"; the horizontal line is the measured value, {self.mark:z.3f}" if self.mark is not None else ""
        return f"{self.y} over {self.x}{f', {self.shaded}' if shaded else ''}{measured}"

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (panel, line.name, at, value, low, high)
            for panel, lines in self.panels
            for line in lines
            for at, value, low, high in zip(
                line.at,
                line.values,
                line.low or (None,) * len(line.at),
                line.high or (None,) * len(line.at),
                strict=True,
            )
        ]
        return Table(self.title, (self.what, "line", self.x, self.y, "low", "high"), tuple(rows))

    @property
    def grid(self) -> tuple[int, int]:
        many = len(self.panels)
        across = 2 if many == 4 else min(max(many, 1), 3)
        return -(-many // across), across

    def size(self, width: float) -> tuple[float, float]:
        down, across = self.grid
        return width, 0.35 + down * min(max(width / across * 0.78, 1.5), 3.2) + 0.15 * self._legend_rows(width)

    def _legend_rows(self, width: float) -> int:
        return -(-len(self.names) // legend_columns(self.names, width)) if len(self.names) > 1 else 0

    def draw(self, ax: Any) -> None:
        self.draw_panels([ax])

    def draw_panels(self, axes: Sequence[Any]) -> None:
        down, across = self.grid
        names = self.names
        low, high = self.limits
        for k, (ax, (title, lines)) in enumerate(zip(axes, self.panels, strict=False)):
            for line in lines:
                look = line.look or Look.number(names.index(line.name))
                _line(ax, line, look)
            if self.mark is not None:
                ax.axhline(self.mark, color=ink(), alpha=0.6, linewidth=0.8)
                ax.annotate(f"{self.mark:z.3f}", (1, self.mark), xycoords=("axes fraction", "data"), ha="right",
                            va="bottom", fontsize=SMALL)  # fmt: skip
            ax.axhline(0, color=ink(), alpha=0.4, linewidth=0.6)
            ax.set_ylim(low, high)
            ax.set_xlim(*self.reach)
            wide = 44 if across < 3 else 32
            above = ": ".join(filter(None, (self.title, title))) if len(self.panels) == 1 else title
            set_titles(ax, above, wrap=wide, x=self.x if k >= len(self.panels) - across else "",
                   y="" if k % across else self.y)  # fmt: skip
        for ax in axes[len(self.panels) : down * across]:
            ax.set_visible(False)
        self._legend(axes)
        if self.title and len(self.panels) > 1:
            axes[0].figure.suptitle(label(self.title, 60), fontsize=9)

    @property
    def limits(self) -> tuple[float, float]:
        """One vertical scale for all panels."""
        known = [0.0, 1.0]
        for _, lines in self.panels:
            for line in lines:
                known += [v for v in (*line.values, *(line.low or ()), *(line.high or ())) if not math.isnan(v)]
        return max(min(known), -1.0) - 0.05, max(known) + 0.05

    @property
    def reach(self) -> tuple[float, float]:
        """The horizontal range of all lines, with a margin."""
        at = [x for _, lines in self.panels for line in lines for x in line.at] or [0.0, 1.0]
        room = 0.03 * (max(at) - min(at) or 1.0)
        return min(at) - room, max(at) + room

    def _legend(self, axes: Sequence[Any]) -> None:
        """Add one legend for all panels."""
        if len(self.names) < 2:
            return
        lines: dict[str, Any] = {}
        for ax in axes[: len(self.panels)]:
            for handle, name in zip(*ax.get_legend_handles_labels(), strict=True):
                lines.setdefault(name, handle)
        add_legend(axes[0], list(lines.values()))


def _line(ax: Any, line: Line, look: Look) -> None:
    colour = ink() if look.colour == "#000000" else look.colour
    ax.plot(line.at, line.values, color=colour, linestyle=look.line, marker=look.mark, markersize=2.5, linewidth=1.1,
            label=label(line.name, 40))  # fmt: skip
    if line.low is not None and line.high is not None:
        ax.fill_between(line.at, line.low, line.high, color=colour, alpha=0.13, linewidth=0)


@dataclass(frozen=True)
class Series(Figure):
    """Values by round: a panel per measure, with intervals, and thin lines for annotators."""

    kind: ClassVar[str] = "trend"

    title: str
    rounds: tuple[str, ...]
    by: str
    panels: tuple[tuple[str, Line, tuple[Line, ...]], ...]  # measure, line of all annotators, line of each

    @property
    def caption(self) -> str:
        people = " thin lines: each annotator with the others" if any(few for *_, few in self.panels) else ""
        return f"value of each {self.by} with its interval{';' if people else ''}{people}"

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for measure, line, people in self.panels:
            for one in (line, *people):
                for k, name in enumerate(self.rounds):
                    low, high = (one.low[k], one.high[k]) if one.low and one.high else (None, None)
                    rows.append((measure, one.name, name, one.values[k], low, high))
        return Table(self.title, ("measure", "annotators", self.by, "value", "low", "high"), tuple(rows))

    @property
    def grid(self) -> tuple[int, int]:
        return len(self.panels), 1

    def size(self, width: float) -> tuple[float, float]:
        return width, len(self.panels) * (2.3 if width > ONE else 2.0) + 0.2

    def draw(self, ax: Any) -> None:
        self.draw_panels([ax])

    def draw_panels(self, axes: Sequence[Any]) -> None:
        for ax, (measure, line, people) in zip(axes, self.panels, strict=False):
            for k, one in enumerate(people, 1):
                look = Look.number(k if k % 8 else k + 1)  # black is for all annotators together
                ax.plot(one.at, one.values, color=look.colour, linestyle=look.line, marker=look.mark, markersize=2.5,
                        linewidth=0.8, alpha=0.85, label=label(one.name, 18))  # fmt: skip
            ax.plot(line.at, line.values, color=ink(), linewidth=1.8, marker="o", markersize=4, label="all")
            if line.low is not None and line.high is not None:
                for x, low, high in zip(line.at, line.low, line.high, strict=True):
                    ax.plot([x, x], [low, high], color=ink(), linewidth=1)
            set_ticks(ax.xaxis, line.at, self.rounds, 18, rotation=90 if self._tight(ax) else 0)
            ax.set_xlim(-0.4, len(self.rounds) - 0.6)
            set_titles(ax, y=label(measure, 34))
            if people:
                ax.legend(fontsize=SMALL - 1, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        set_titles(axes[0], self.title)
        set_titles(axes[len(self.panels) - 1], x=self.by)

    def _tight(self, ax: Any) -> bool:
        room = 0.7 * ax.figure.get_figwidth() / max(len(self.rounds), 1)
        return max(min(len(name), 18) for name in self.rounds) * 0.07 > room


# -- numeric labels of two annotators ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Differences(Figure):
    """The difference of two annotators' numbers over their mean, with the limits of agreement."""

    kind: ClassVar[str] = "bland_altman"

    title: str
    first: str
    second: str
    points: tuple[tuple[float, float], ...]  # mean of the two, second − first
    lines: tuple[tuple[str, float, Interval], ...]  # upper limit, mean, lower limit

    @property
    def caption(self) -> str:
        return f"{self.second} − {self.first} over the mean of the two; larger points are more items; shaded: intervals"

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [(*point, times) for point, times in sorted(Counter(self.points).items())]
        return Table(self.title, ("mean of the two", f"{self.second} − {self.first}", "items"), tuple(rows))

    def size(self, width: float) -> tuple[float, float]:
        return width, 2.5 if width <= ONE else 3.4

    def draw(self, ax: Any) -> None:
        times = Counter(self.points)
        at = sorted(times)
        most = max(times.values(), default=1)
        ax.scatter([x for x, _ in at], [y for _, y in at], s=[8 + 60 * times[p] / most for p in at] if most > 1 else 10,
                   color="#56B4E9", edgecolor=ink(), alpha=0.9, linewidth=0.4, zorder=3)  # fmt: skip
        for name, value, interval in self.lines:
            ax.axhspan(interval.low, interval.high, color=ink(), alpha=0.1, linewidth=0)
            ax.axhline(value, color=ink(), linewidth=1, linestyle="-" if name == "mean" else "--", zorder=2)
            said = drawable(f"{name} {value:z.2f}")
            ax.annotate(said, (1.01, value), xycoords=("axes fraction", "data"), va="center", fontsize=SMALL,
                        annotation_clip=False)  # fmt: skip
        ax.axhline(0, color=ink(), linewidth=0.5, linestyle=":")
        ax.margins(x=0.06, y=0.08)
        first, second = label(self.first, 16), label(self.second, 16)
        set_titles(ax, self.title, x=f"mean of {first} and {second}", y=f"{second} − {first}")


@dataclass(frozen=True)
class Strip(Figure):
    """The numbers of all annotators, item by item in the order of the item means."""

    kind: ClassVar[str] = "strip"

    title: str
    items: tuple[str, ...]
    annotators: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]  # a row per item, NaN without a number
    of: int = 0  # all items, if only some are drawn

    @property
    def caption(self) -> str:
        some = f"; {len(self.items)} of {self.of:,} items at equal distances" if self.of > len(self.items) else ""
        return f"numbers of each item, in the order of the means; a line joins the least and the greatest{some}"

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (item, *(None if math.isnan(v) else v for v in row))
            for item, row in zip(self.items, self.values, strict=True)
        ]
        return Table(self.title, ("item", *self.annotators), tuple(rows))

    def size(self, width: float) -> tuple[float, float]:
        return width, 2.6 + 0.15 * (-(-len(self._named) // legend_columns(self._named, width)) if self._named else 0)

    @property
    def _named(self) -> tuple[str, ...]:
        """The annotators in the legend; of many, none."""
        return self.annotators if len(self.annotators) <= len(MARKS) else ()

    def draw(self, ax: Any) -> None:
        known = [[v for v in row if not math.isnan(v)] for row in self.values]
        for k, row in enumerate(known):
            if row:
                ax.plot([k, k], [min(row), max(row)], color=ink(), alpha=0.35, linewidth=0.8, zorder=1)
        for a, name in enumerate(self.annotators):
            at = [(k, row[a]) for k, row in enumerate(self.values) if not math.isnan(row[a])]
            look = Look.number(a + 1 if self._named else 1)
            ax.scatter([k for k, _ in at], [v for _, v in at], s=9, marker=look.mark if self._named else "o",
                       color=look.colour, alpha=0.9 if self._named else 0.5, linewidth=0.8, zorder=3,
                       label=label(name, 20))  # fmt: skip
        ax.set_xticks([])
        ax.margins(x=0.02, y=0.08)
        set_titles(ax, self.title, x="items", y="number")
        if self._named:
            add_legend(ax, ax.get_legend_handles_labels()[0])
