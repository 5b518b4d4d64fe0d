"""Texts side by side, with what differs marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from accord.core.errors import printable
from accord.core.figures.base import ONE, Figure
from accord.core.figures.lettering import drawable, ink, label, legend, ticks, titled
from accord.core.figures.palette import mixed
from accord.core.tables import Cell, Table

# What differs: a shade behind the letters, and a line below them for print without colour.
KINDS = {
    "text": ("#E69F00", "-"),
    "segmentation": ("#56B4E9", "--"),
    "missing": ("#999999", ":"),
}
_OTHER = ("#CC79A7", "-.")  # features
_LETTERS = {True: 52, False: 108}  # of a line, in one column and in two
_MOST_LINES = 22  # of a page
_SIZE = 6.5  # points


@dataclass(frozen=True)
class Token:
    """What stands in one place of all texts; None where an annotator has nothing there."""

    texts: tuple[str | None, ...]
    kinds: tuple[str, ...] = ()  # what differs; empty: nothing


@dataclass(frozen=True)
class MarkedTexts(Figure):
    """A document: a line of each annotator below the other."""

    kind: ClassVar[str] = "differences"

    title: str  # the document
    annotators: tuple[str, ...]
    tokens: tuple[Token, ...]

    @property
    def caption(self) -> str:
        apart = sum(bool(token.kinds) for token in self.tokens)
        return f"{self.title}: {apart:,} of {len(self.tokens):,} places differ"

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (*(text or "" for text in token.texts), ", ".join(token.kinds)) for token in self.tokens
        ]
        return Table(self.title, (*self.annotators, "difference"), tuple(rows))

    def lines(self, narrow: bool) -> list[list[tuple[float, Token]]]:
        """Tokens with their places, line by line; the first lines with a difference, where they are many."""
        made: list[list[tuple[float, Token]]] = [[]]
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
                    colour, style = used.setdefault(kind, KINDS.get(kind, _OTHER))
                    y = r * high
                    ax.add_patch(
                        Rectangle(
                            (at - 0.3, y), wide + 0.8, many, facecolor=mixed(colour, "#FFFFFF", 0.45), linewidth=0
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
                Rectangle((0, 0), 1, 1, facecolor=mixed(colour, "#FFFFFF", 0.45), edgecolor=ink(), linestyle=style,
                          linewidth=0.9, label=label(kind))
                for kind, (colour, style) in used.items()
            ]  # fmt: skip
            legend(ax, handles)

    def _axes(self, ax: Any, lines: Sequence[Any], high: float, narrow: bool) -> None:
        places = [r * high + k + 0.5 for r in range(len(lines)) for k in range(len(self.annotators))]
        ticks(ax.yaxis, places, list(self.annotators) * len(lines), 14)
        ax.set_xticks([])
        ax.set_xlim(-0.5, _LETTERS[narrow])
        ax.set_ylim(max(len(lines), 1) * high - 0.5, -0.3)
        ax.tick_params(axis="y", length=0)
        for side in ax.spines.values():
            side.set_visible(False)
        titled(ax, self.title)
