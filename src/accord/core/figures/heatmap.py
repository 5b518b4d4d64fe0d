"""Heat maps of confused labels and of pairs of annotators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.figures.figure import Figure
from accord.core.figures.style import NORMAL, SMALL, drawable, on, paper, set_ticks, set_titles, shade
from accord.core.tables import Cell, Table

_TIMES = 4.0  # times as often as by chance is darkest; times as rarely is lightest
_LEAST_SIZE = 4.5  # points, the smallest readable size
_EXPECTED = 9
_ROOM = 0.38  # inches of a cell with two numbers
_LEAST_SPREAD = 0.5  # of the scale, so that small differences do not look large


@dataclass(frozen=True)
class Confusion(Figure):
    """Counts of pairs of labels of the same item, observed and expected by chance."""

    kind: ClassVar[str] = "confusion"

    title: str
    categories: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]
    rows: str = ""  # the annotator of the row labels; empty: all pairs of annotators
    columns: str = ""

    @property
    def expected(self) -> tuple[tuple[float, ...], ...]:
        """Counts expected by chance: from the shares of two annotators, or from all labels of more annotators."""
        counts = np.asarray(self.counts, dtype=np.float64)
        total = counts.sum()
        across, down = counts.sum(axis=1), counts.sum(axis=0)
        if total <= 0:
            return tuple(map(tuple, counts.tolist()))
        if self.rows:
            return tuple(map(tuple, (np.outer(across, down) / total).tolist()))
        made = (np.outer(across, down) - np.diag(across)) / max(total - 1, 1)
        return tuple(map(tuple, made.tolist()))

    @property
    def caption(self) -> str:
        several = "pairs of labels of the same item; the pairs of an item with m labels have weight m in total"
        whose = f"rows: {self.rows}, columns: {self.columns}" if self.rows else several
        brackets = (
            "; in brackets, if there is room, the count expected by chance" if len(self.categories) <= _EXPECTED else ""
        )
        return f"{whose}{brackets}; darker cells are more frequent than by chance"

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (a, b, self.counts[i][j], self.expected[i][j])
            for i, a in enumerate(self.categories)
            for j, b in enumerate(self.categories)
        ]
        return Table(self.title, ("row", "column", "count", "by chance"), tuple(rows))

    def size(self, width: float) -> tuple[float, float]:
        return width, min(_square(width, len(self.categories)), 8.5)

    def draw(self, ax: Any) -> None:
        expected, many = self.expected, len(self.categories)
        shares = [
            [_times(count, chance) for count, chance in zip(*rows, strict=True)]
            for rows in zip(self.counts, expected, strict=True)
        ]
        cells(ax, shares)
        whole = all(float(x).is_integer() for row in self.counts for x in row)
        said = [[_count(x, whole, many) for x in row] for row in self.counts]
        both = many <= _EXPECTED and _cell(ax, many) >= _ROOM
        if both:
            chances = [[_chance(x) for x in row] for row in expected]
            said = [[f"{a}\n({b})" for a, b in zip(*rows, strict=True)] for rows in zip(said, chances, strict=True)]
        _numbers(ax, said, shares)
        _names(ax, self.categories, self.categories)
        set_titles(ax, self.title, x=self.columns, y=self.rows)


@dataclass(frozen=True)
class PairMatrix(Figure):
    """The value of each pair of annotators; annotators who agree are adjacent."""

    kind: ClassVar[str] = "pairs"

    title: str
    annotators: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]  # NaN: no value, or the diagonal
    error: bool = False  # 0 is perfect

    @property
    def order(self) -> tuple[int, ...]:
        """The annotators in the order of a hierarchical clustering (average linkage)."""
        n = len(self.annotators)
        if n < 3:
            return tuple(range(n))
        from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
        from scipy.spatial.distance import squareform

        values = np.array(self.values, dtype=np.float64)
        apart = values if self.error else np.nanmax(np.append(values.ravel(), 1.0)) - values
        apart = np.where(np.isnan(apart), np.nanmax(np.append(apart.ravel(), 0.0)), apart)
        np.fill_diagonal(apart, 0.0)
        near = squareform((apart + apart.T) / 2, checks=False)
        near = near - min(float(near.min()), 0.0)
        return tuple(leaves_list(optimal_leaf_ordering(linkage(near, "average"), near)).tolist())

    @property
    def caption(self) -> str:
        better = "lighter" if self.error else "darker"
        return f"value of each pair of annotators, {better} is better; annotators who agree are adjacent"

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (a, b, self.values[i][j])
            for i, a in enumerate(self.annotators)
            for j, b in enumerate(self.annotators)
            if i < j
        ]
        return Table(self.title, ("annotator", "with", "value"), tuple(rows))

    def size(self, width: float) -> tuple[float, float]:
        return width, min(_square(width, len(self.annotators)), 8.5)

    def draw(self, ax: Any) -> None:
        order = self.order
        values = [[math.nan if i == j else self.values[i][j] for j in order] for i in order]
        known = [x for row in values for x in row if not math.isnan(x)]
        low, high = min(known, default=0.0), max(known, default=1.0)
        low = min(low, high - _LEAST_SPREAD)
        spread = high - low
        shares = [[(x - low) / spread for x in row] for row in values]
        cells(ax, shares)
        said = [["" if math.isnan(x) else f"{x:z.2f}" for x in row] for row in values]
        if not _numbers(ax, said, shares):
            _scale(ax, low, high)
        names = [self.annotators[k] for k in order]
        _names(ax, names, names)
        set_titles(ax, self.title)


@dataclass(frozen=True)
class Shares(Figure):
    """The share of each label among the labels of each annotator."""

    kind: ClassVar[str] = "shares"

    title: str
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]  # a row per annotator

    @property
    def caption(self) -> str:
        return "share of each label among the labels of an annotator, in percent"

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (who, category, share)
            for who, mine in zip(self.annotators, self.shares, strict=True)
            for category, share in zip(self.categories, mine, strict=True)
        ]
        return Table(self.title, ("annotator", "category", "share"), tuple(rows))

    def size(self, width: float) -> tuple[float, float]:
        return width, min(1.1 + 0.26 * len(self.annotators), 8.5)

    def draw(self, ax: Any) -> None:
        most = max((x for row in self.shares for x in row), default=1.0) or 1.0
        cells(ax, [[x / most for x in row] for row in self.shares], square=False)
        percents = [[f"{100 * x:.0f}" for x in row] for row in self.shares]
        if not _numbers(ax, percents, [[x / most for x in row] for row in self.shares]):
            _scale(ax, 0.0, most)
        _names(ax, self.annotators, self.categories)
        set_titles(ax, self.title)


def cells(ax: Any, shares: Sequence[Sequence[float]], square: bool = True) -> None:
    """Draw shades from 0 to 1; nothing for NaN."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    there = [(i, j, x) for i, row in enumerate(shares) for j, x in enumerate(row) if not math.isnan(x)]
    made = [Rectangle((j - 0.5, i - 0.5), 1, 1) for i, j, _ in there]
    ax.add_collection(PatchCollection(made, facecolor=[shade(x) for *_, x in there], edgecolor=paper(), linewidth=0.6))
    ax.set_xlim(-0.5, max(map(len, shares), default=1) - 0.5)
    ax.set_ylim(len(shares) - 0.5, -0.5)
    ax.set_aspect("equal" if square else "auto", anchor="W")
    for side in ax.spines.values():
        side.set_visible(False)


def _cell(ax: Any, many: int) -> float:
    """Return the approximate size of a cell in inches."""
    wide, high = ax.figure.get_size_inches()
    return 0.72 * float(min(wide, high)) / max(many, 1)


def _numbers(ax: Any, said: Sequence[Sequence[str]], shares: Sequence[Sequence[float]]) -> bool:
    """Write numbers into the cells if they are readable; return whether they are."""
    down, across = len(said), max(map(len, said), default=1)
    wide = 0.8 * ax.figure.get_figwidth() / across if ax.get_aspect() == "auto" else _cell(ax, max(down, across))
    high = 0.8 * ax.figure.get_figheight() / down if ax.get_aspect() == "auto" else wide
    letters = max((len(line) for row in said for text in row for line in text.split("\n")), default=1)
    lines = max((text.count("\n") + 1 for row in said for text in row), default=1)
    size = min(NORMAL, 0.9 * wide * 72 / (0.64 * max(letters, 1)), 0.8 * high * 72 / (1.2 * lines))
    if size < _LEAST_SIZE:
        return False
    for i, row in enumerate(said):
        for j, text in enumerate(row):
            if text:
                colour = on(shade(shares[i][j]))
                ax.text(j, i, text, ha="center", va="center", fontsize=size, color=colour)
    return True


def _names(ax: Any, down: Sequence[str], across: Sequence[str]) -> None:
    square = ax.get_aspect() != "auto"
    room = _cell(ax, max(len(down), len(across))) if square else 0.75 * ax.figure.get_figheight() / max(len(down), 1)
    small = {"fontsize": max(min(SMALL, 0.85 * room * 72), 3.5)}
    set_ticks(ax.yaxis, range(len(down)), down, 20, **small)
    turned = 90 if _tight(ax, across) else 0
    set_ticks(ax.xaxis, range(len(across)), across, 20, **small, rotation=turned)
    ax.tick_params(length=0)


def _tight(ax: Any, names: Sequence[str]) -> bool:
    """Return whether the names do not fit side by side."""
    wide, high = ax.figure.get_size_inches()
    room = 0.8 * (min(wide, high) if ax.get_aspect() == 1 else wide)
    return bool(0.075 * min(max(map(len, names), default=0), 20) > room / max(len(names), 1))


def _scale(ax: Any, low: float, high: float) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    shades = LinearSegmentedColormap.from_list("shade", [shade(k / 20) for k in range(21)])
    bar = ax.figure.colorbar(ScalarMappable(Normalize(low, high), shades), ax=ax, shrink=0.5, aspect=14, pad=0.02)
    bar.ax.tick_params(labelsize=SMALL, length=2)
    bar.outline.set_visible(False)


def _square(width: float, many: int) -> float:
    """Return the height: the width, or less for few names. For many names, less height would cut them off."""
    return min(width * 0.82, 1.1 + 0.42 * many) if many < 16 else width


def _times(count: float, chance: float) -> float:
    """Return a shade from 0 (a quarter of the expected count or less) to 1 (four times the expected count or more)."""
    if chance <= 0:
        return 0.5 if count <= 0 else 1.0
    if count <= 0:
        return 0.0
    return float(min(max(0.5 + math.log(count / chance) / (2 * math.log(_TIMES)), 0.0), 1.0))


def _count(x: float, whole: bool, many: int) -> str:
    if x == 0 and many > _EXPECTED:
        return "·"
    return f"{x:,.0f}" if whole or x >= 99.95 else f"{x:,.1f}"


def _chance(x: float) -> str:
    return drawable(f"{x:,.0f}" if x >= 9.95 else f"{x:.1f}")
