"""Fonts and colours of all figures. Labels are shortened, and characters without a font are replaced."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from textwrap import fill
from typing import Any

from accord.core.errors import printable

FONT = "DejaVu Sans"  # included in Matplotlib, so that figures are the same on all machines
INK, PAPER = "#000000", "#FFFFFF"
EMBEDDED_INK, EMBEDDED_PAPER = "#010203", "#FDFEFC"  # placeholders for the page's colours
SMALL, NORMAL = 7.0, 8.0  # points
LONGEST = 28  # characters of a label
OURS = "accord"  # the label of Matplotlib figures that accord creates
_UNKNOWN = "□"
# Usual system fonts with letters that DejaVu lacks.
_FURTHER = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans SC", "Noto Sans JP", "Noto Sans KR", "Source Han Sans",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Hiragino Sans", "PingFang SC", "Microsoft YaHei", "Yu Gothic",
    "MS Gothic", "Malgun Gothic", "Arial Unicode MS", "Noto Sans", "Noto Sans Devanagari", "Noto Sans Thai",
    "Noto Sans Arabic", "Noto Sans Hebrew", "FreeSans", "Noto Emoji", "Symbola", "Segoe UI Symbol", "Segoe UI Emoji",
)  # fmt: skip


_as_text: ContextVar[bool] = ContextVar("as_text", default=False)  # SVG: the viewer has the fonts
_embedded: ContextVar[bool] = ContextVar("embedded", default=False)  # in a page with its own colours


def ink() -> str:
    """Return the colour of letters and lines."""
    return EMBEDDED_INK if _embedded.get() else INK


def paper() -> str:
    """Return the colour of the background."""
    return EMBEDDED_PAPER if _embedded.get() else PAPER


@contextmanager
def drawing(*, as_text: bool = False, embedded: bool = False) -> Iterator[None]:
    """Apply accord's Matplotlib settings, and restore the user's afterwards."""
    import matplotlib as mpl

    kept = _as_text.set(as_text), _embedded.set(embedded)
    letters = {
        name: ink() for name in ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    }
    settings: dict[Any, Any] = {
        **letters,
        "font.family": list(families()),
        "font.size": NORMAL,
        "axes.titlesize": NORMAL,
        "axes.labelsize": NORMAL,
        "xtick.labelsize": SMALL,
        "ytick.labelsize": SMALL,
        "legend.fontsize": SMALL,
        "legend.frameon": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.6,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "hatch.linewidth": 0.5,
        "hatch.color": ink(),
        "axes.facecolor": "none",
        "axes.unicode_minus": True,
        "text.usetex": False,
        "text.parse_math": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "accord",
        "pdf.fonttype": 42,
        "path.simplify": True,
    }
    try:
        with mpl.rc_context(settings), warnings.catch_warnings():
            # SVG keeps letters without a font on this machine; only their width is estimated.
            warnings.filterwarnings("ignore", r"Glyph \d+ .*missing", UserWarning)
            yield
    finally:
        _as_text.reset(kept[0])
        _embedded.reset(kept[1])


def label(text: object, longest: int = LONGEST) -> str:
    """Return a label for a figure: on one line, shortened, without characters that cannot be drawn."""
    return drawable(shorten_label(printable(str(text)), longest))


def shorten_label(text: str, longest: int) -> str:
    """Shorten a long label in the middle, because beginnings and ends distinguish names."""
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 3
    return f"{text[: longest - 1 - tail]}…{text[len(text) - tail :]}"


def drawable(text: str) -> str:
    """Replace characters without a font by boxes; SVG keeps them."""
    if _as_text.get() or text.isascii():
        return text
    return "".join(c if ord(c) in _letters() else _UNKNOWN for c in text)


@cache
def families() -> tuple[str, ...]:
    """Return DejaVu and the further fonts of this machine."""
    from matplotlib.font_manager import fontManager

    there = {font.name for font in fontManager.ttflist}
    return (FONT, *(name for name in _FURTHER if name in there))


@cache
def _letters() -> frozenset[int]:
    """Return the characters that any of these fonts can draw."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    files = [findfont(FontProperties(family=[name])) for name in families()]
    return frozenset(code for file in files for code in get_font(file).get_charmap())


# -- text on axes, which may be the user's own, with settings made before ----------------------------------------------


def set_ticks(axis: Any, places: Any, names: Any, longest: int = LONGEST, **how: Any) -> None:
    """Set the tick labels of an axis."""
    axis.set_ticks(list(places), [label(name, longest) for name in names], **{"fontsize": SMALL, **how})
    for text in axis.get_ticklabels():
        _ours(text)


def limit_numbers(axis: Any) -> None:
    """Limit the tick labels of a short axis, so that they do not overlap."""
    axis.get_major_locator().set_params(nbins=5)


def set_titles(ax: Any, title: str = "", x: str = "", y: str = "", wrap: int | None = None) -> None:
    """Set the title and the names of the axes; `wrap`: characters per line of the title."""
    wide, high = ax.figure.get_size_inches()
    if title:
        said = label(title, int(14 * wide) if wrap is None else 3 * wrap)
        _ours(ax.set_title(said if wrap is None else fill(said, wrap), fontsize=NORMAL, loc="left"))
    if x:
        _ours(ax.set_xlabel(label(x, int(13 * wide)), fontsize=NORMAL))
    if y:
        _ours(ax.set_ylabel(label(y, max(int(11 * high), 12)), fontsize=NORMAL))


def add_legend(ax: Any, handles: Sequence[Any]) -> None:
    """Add a legend, below accord's own figures or inside the user's axes."""
    if not handles:
        return
    abreast = legend_columns([str(one.get_label()) for one in handles], ax.figure.get_figwidth())
    how = {"handles": list(handles), "fontsize": SMALL, "handlelength": 1.6, "columnspacing": 1.2}
    if ax.figure.get_label() == OURS:
        made = ax.figure.legend(loc="outside lower left", ncols=abreast, frameon=False, **how)
    else:
        made = ax.legend(frameon=True, framealpha=0.8, edgecolor="none", **how)
    for text in made.get_texts():
        _ours(text)


def legend_columns(names: Sequence[str], width: float) -> int:
    """Return the number of legend entries that fit side by side."""
    return max(min(int(width / (0.42 + 0.054 * max(map(len, names), default=1))), len(names)), 1)


def _ours(text: Any) -> None:
    """Use accord's fonts, and do not parse formulas."""
    text.set_parse_math(False)
    text.set_fontfamily(list(families()))


# -- colours for all types of colour vision, distinct in grey by lightness or hatch ------------------------------------


# Okabe & Ito 2008, without black, which is used for text. The first three differ in lightness; the others have a hatch.
BASE = ("#0072B2", "#E69F00", "#F0E442", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999")
# For more than eight categories: the same colours lighter, then darker, with other hatches.
_VARIANTS = (
    (0.0, ("", "", "", "///", "\\\\\\", "xxx", "...", "---")),
    (0.45, ("|||", "+++", "ooo", "//", "\\\\", "xx", "..", "--")),
    (-0.35, ("", "||", "++", "oo", "**", "/////", "OO", "-----")),
)
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 2)))
# Colours of lines, black first; each has its own line style and marker for print without colour.
LINE_COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6BB1")
MARKS = ("o", "s", "^", "D", "v", "x", "+", "*")
NONE = "#BDBDBD"  # for units without a category
BETTER, WORSE = "#0072B2", "#D55E00"


def colours(categories: Collection[str]) -> dict[str, str]:
    """Return a colour for each category. It depends only on the set of categories, so it is the same in all figures."""
    return {name: _colour(k) for k, name in enumerate(sorted(set(categories)))}


def hatches(categories: Collection[str]) -> dict[str, str]:
    """Return a hatch for categories without a unique lightness; empty for the others."""
    return {name: _hatch(k) for k, name in enumerate(sorted(set(categories)))}


def on(colour: str) -> str:
    """Return black or white, depending on which has more contrast with a colour."""
    y = luminance(colour)
    return "#000000" if (y + 0.05) / 0.05 >= 1.05 / (y + 0.05) else "#FFFFFF"


def luminance(colour: str) -> float:
    """Return the WCAG luminance, from 0 to 1."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def lightness(colour: str) -> float:
    """Return the CIE lightness L*, from 0 to 100."""
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


def mix_colours(colour: str, with_: str, share: float) -> str:
    """Return a mixture of two colours."""
    pairs = ((int(colour[k : k + 2], 16), int(with_[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def shade(share: float) -> str:
    """Return a shade from nearly white (0) to dark blue (1), monotonically darker, so that it is readable in grey."""
    steps = ("#F7FBFF", "#C6DBEF", "#6BAED6", "#2171B5", "#08306B")
    at = min(max(share, 0.0), 1.0) * (len(steps) - 1)
    k = min(int(at), len(steps) - 2)
    return mix_colours(steps[k], steps[k + 1], at - k)


def _colour(k: int) -> str:
    base, (change, _) = BASE[k % 8], _VARIANTS[k // 8 % 3]
    return mix_colours(base, "#FFFFFF" if change > 0 else "#000000", abs(change))


def _hatch(k: int) -> str:
    found = _VARIANTS[k // 8 % 3][1][k % 8]
    return found if k < 24 else f"{found}{'O.*'[k // 24 % 3]}"  # beyond 24, categories are hard to distinguish


@dataclass(frozen=True)
class Look:
    """The style of a line."""

    colour: str
    line: Any
    mark: str

    @classmethod
    def number(cls, k: int) -> Look:
        """Return the k-th style, the easiest to distinguish first."""
        return cls(LINE_COLOURS[k % 8], LINES[(k + k // 8) % 8], MARKS[(k + k // 8) % 8])
