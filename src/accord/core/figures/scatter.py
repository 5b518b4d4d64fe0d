"""Points: two annotators who give numbers, after Bland and Altman."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from accord.core.figures.base import ONE, Figure
from accord.core.figures.lettering import SMALL, drawable, ink, label, titled
from accord.core.tables import Cell, Interval, Table


@dataclass(frozen=True)
class Differences(Figure):
    """The difference of two numbers over their mean, with the limits of agreement."""

    kind: ClassVar[str] = "bland_altman"

    title: str
    first: str
    second: str
    points: tuple[tuple[float, float], ...]  # mean of the two, second − first
    lines: tuple[tuple[str, float, Interval], ...]  # upper limit, mean, lower limit

    @property
    def caption(self) -> str:
        return f"{self.second} − {self.first} over the mean of the two, larger points are more items; shaded: intervals"

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
        titled(ax, self.title, x=f"mean of {first} and {second}", y=f"{second} − {first}")
