"""Colours that everybody can tell apart, and that differ in grey: by lightness, or by a hatch."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

# Okabe & Ito 2008 without black, which is for letters. The first three differ in lightness; the others have a hatch.
BASE = ("#0072B2", "#E69F00", "#F0E442", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999")
# Beyond eight: the same colours lighter, then darker, with other hatches.
_VARIANTS = (
    (0.0, ("", "", "", "///", "\\\\\\", "xxx", "...", "---")),
    (0.45, ("|||", "+++", "ooo", "//", "\\\\", "xx", "..", "--")),
    (-0.35, ("", "||", "++", "oo", "**", "/////", "OO", "-----")),
)
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 2)))
# Of lines: black first; each with a line and a mark of its own, for print without colour.
LINE_COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6BB1")
MARKS = ("o", "s", "^", "D", "v", "x", "+", "*")
NONE = "#BDBDBD"  # of what has no category
BETTER, WORSE = "#0072B2", "#D55E00"


def colours(categories: Collection[str]) -> dict[str, str]:
    """A colour for each; it depends on the set of all categories of the data alone, so it is the same everywhere."""
    return {name: _colour(k) for k, name in enumerate(sorted(set(categories)))}


def hatches(categories: Collection[str]) -> dict[str, str]:
    """A hatch for those whose lightness others have, too; empty for the others."""
    return {name: _hatch(k) for k, name in enumerate(sorted(set(categories)))}


def on(colour: str) -> str:
    """Black or white: which of them is read more easily on a colour."""
    y = luminance(colour)
    return "#000000" if (y + 0.05) / 0.05 >= 1.05 / (y + 0.05) else "#FFFFFF"


def luminance(colour: str) -> float:
    """Of WCAG, from 0 to 1."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def lightness(colour: str) -> float:
    """L* of CIE, from 0 to 100: how light it looks in grey."""
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


def mixed(colour: str, with_: str, share: float) -> str:
    """Some of another colour in it."""
    pairs = ((int(colour[k : k + 2], 16), int(with_[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def shade(share: float) -> str:
    """From nearly white (0) to dark blue (1), darker all the way: it is read in grey, too."""
    steps = ("#F7FBFF", "#C6DBEF", "#6BAED6", "#2171B5", "#08306B")
    at = min(max(share, 0.0), 1.0) * (len(steps) - 1)
    k = min(int(at), len(steps) - 2)
    return mixed(steps[k], steps[k + 1], at - k)


def _colour(k: int) -> str:
    base, (change, _) = BASE[k % 8], _VARIANTS[k // 8 % 3]
    return mixed(base, "#FFFFFF" if change > 0 else "#000000", abs(change))


def _hatch(k: int) -> str:
    found = _VARIANTS[k // 8 % 3][1][k % 8]
    return found if k < 24 else f"{found}{'O.*'[k // 24 % 3]}"  # more than anybody tells apart


@dataclass(frozen=True)
class Look:
    """Of a line."""

    colour: str
    line: Any
    mark: str

    @classmethod
    def number(cls, k: int) -> Look:
        """The k-th of those that are told apart most easily."""
        return cls(LINE_COLOURS[k % 8], LINES[(k + k // 8) % 8], MARKS[(k + k // 8) % 8])
