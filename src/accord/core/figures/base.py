"""What every figure is: a frozen value with the numbers behind it, drawn on Matplotlib's axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from accord.core.errors import SpecError
from accord.core.figures.lettering import OURS, drawing
from accord.core.tables import Table

ONE, TWO = 3.35, 6.9  # inches: a column of a paper, and two
WIDTHS = {"one": ONE, "two": TWO}


class Figure:
    """What is drawn, as data: a kind is a frozen dataclass with these methods."""

    kind: ClassVar[str]  # as in `--kind`
    title: str  # above it

    @property
    def caption(self) -> str:
        """Below it: what one sees."""
        raise NotImplementedError

    def table(self) -> Table:
        """The numbers behind the picture."""
        raise NotImplementedError

    def drawn(self) -> Table:
        """Those of them that are in the picture: of many, it shows some."""
        return self.table()

    def draw(self, ax: Any) -> None:
        """On axes that are there; within `drawing()`."""
        raise NotImplementedError

    def size(self, width: float) -> tuple[float, float]:
        """Inches, for a width of a page."""
        raise NotImplementedError

    @property
    def grid(self) -> tuple[int, int]:
        """Panels down and across."""
        return 1, 1

    @property
    def heights(self) -> tuple[float, ...]:
        """Of the rows of panels, against each other."""
        return (1.0,) * self.grid[0]

    def draw_panels(self, axes: Sequence[Any]) -> None:
        """The same where it takes several axes."""
        (ax,) = axes
        self.draw(ax)

    def made(self, width: float) -> tuple[Any, Any]:
        """A figure of Matplotlib and its axes; within `drawing()`. No pyplot: nothing is left open."""
        from matplotlib.figure import Figure as Canvas

        down, across = self.grid
        canvas = Canvas(figsize=self.size(width), layout="constrained", facecolor="none", label=OURS)
        axes = canvas.subplots(down, across, squeeze=False, height_ratios=self.heights)
        self.draw_panels(list(axes.flat))
        return canvas, axes

    def plot(self, ax: Any = None, width: float = TWO) -> Any:
        """Matplotlib's axes: those that are given, or new ones; an array of them where there are panels."""
        down, across = self.grid
        several = down * across > 1
        with drawing():
            if ax is None:
                canvas, axes = self.made(width)
                canvas.set_facecolor("white")
                return axes if several else axes[0, 0]
            given = list(getattr(ax, "flat", [ax]))
            if isinstance(ax, str) or not all(hasattr(one, "get_position") for one in given):
                raise SpecError("ax takes axes of Matplotlib; save_plot('picture.svg') writes a file")
            if len(given) < down * across:
                raise SpecError(f"this plot has panels: ax takes an array of {down} × {across} axes")
            self.draw_panels(given)
            return ax
