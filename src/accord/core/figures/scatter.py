"""Numbers of annotators against each other: two annotators, or each annotator against the mean of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from accord.core.figures.figure import ONE, Figure
from accord.core.figures.style import MARKS, add_legend, colours, ink, label, limit_numbers, set_titles
from accord.core.tables import Cell, Table

Point = tuple[float, float]
_MOST_POINTS = 1_500  # of a series; more are drawn on a grid
_STEPS = 60  # of the grid, across and down
_ONE_COLOUR = "#56B4E9"


@dataclass(frozen=True)
class Scatter(Figure):
    """A point per item and annotator, with the line of equal numbers. Larger points are more items."""

    kind: ClassVar[str] = "scatter"

    title: str
    x: str  # what is across: an annotator, or the mean of the others
    y: str
    series: tuple[tuple[str, tuple[Point, ...]], ...]  # one per annotator; two annotators have one without a name

    @property
    def caption(self) -> str:
        gridded = "; points are rounded to a grid" if any(self._gridded(points) for _, points in self.series) else ""
        return f"{self.y} over {self.x}; on the line both are equal; larger points are more items{gridded}"

    def table(self) -> Table:
        named = len(self.series) > 1 or bool(self.series and self.series[0][0])
        rows: list[tuple[Cell, ...]] = [
            (*((name,) if named else ()), *point, times)
            for name, points in self.series
            for point, times in sorted(Counter(points).items())
        ]
        return Table(self.title, (*(("annotator",) if named else ()), self.x, self.y, "items"), tuple(rows))

    def size(self, width: float) -> tuple[float, float]:
        return width, 2.9 if width <= ONE else 4.0

    @property
    def _ends(self) -> tuple[float, float]:
        both = [value for _, points in self.series for point in points for value in point]
        return min(both, default=0.0), max(both, default=1.0)

    @staticmethod
    def _gridded(points: tuple[Point, ...]) -> bool:
        return len(points) > _MOST_POINTS and len(set(points)) > _MOST_POINTS

    def _drawn(self, points: tuple[Point, ...]) -> Mapping[Point, int]:
        if not self._gridded(points):
            return Counter(points)
        low, high = self._ends
        step = (high - low) / _STEPS
        return Counter((low + round((x - low) / step) * step, low + round((y - low) / step) * step) for x, y in points)

    def draw(self, ax: Any) -> None:
        low, high = self._ends
        edge = 0.05 * ((high - low) or 1.0)
        ends = low - edge, high + edge
        ax.plot(ends, ends, color=ink(), linewidth=0.8, linestyle="--", zorder=1)
        tables = [(name, self._drawn(points)) for name, points in self.series]
        most = max((n for _, times in tables for n in times.values()), default=1)
        several = len(tables) > 1
        colour_of = colours([name for name, _ in tables])
        handles = []
        for k, (name, times) in enumerate(tables):
            at = sorted(times)
            sizes = [12 + 50 * (times[point] - 1) / max(most - 1, 1) for point in at]
            mark = MARKS[k % 5] if several else "o"  # the others have no area
            drawn = ax.scatter([x for x, _ in at], [y for _, y in at], s=sizes, marker=mark, edgecolor=ink(),
                               color=colour_of[name] if several else _ONE_COLOUR, alpha=0.75 if several else 0.9,
                               linewidth=0.4, zorder=3, label=label(name, 24))  # fmt: skip
            handles.append(drawn)
        ax.set_xlim(*ends)
        ax.set_ylim(*ends)
        ax.set_aspect("equal")
        limit_numbers(ax.xaxis)
        limit_numbers(ax.yaxis)
        set_titles(ax, self.title, x=self.x, y=self.y)
        if several:
            add_legend(ax, handles)
