"""Curves as figures for a paper: labelled, and safe for readers who do not see all colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from accord.arrays import Floats
from accord.errors import DataError, SpecError, quoted
from accord.simulate.curves import Curve
from accord.whole import write_bytes

# Okabe & Ito 2008, black first; each with a line and a mark of its own, for print without colour.
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6BB1")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 2)))
MARKS = ("o", "s", "^", "D", "v", "x", "+", "*")
KINDS = ("png", "svg", "pdf")
_PLAIN: dict[Any, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "accord",
    "pdf.fonttype": 42,
}


@dataclass(frozen=True)
class Look:
    """Of a line."""

    colour: str
    line: Any
    mark: str

    @classmethod
    def number(cls, k: int) -> Look:
        """The k-th of those that are told apart most easily."""
        return cls(COLOURS[k % len(COLOURS)], LINES[k % len(LINES)], MARKS[k % len(MARKS)])


Looks = Callable[[str, str], Look]  # of a panel and a line in it
Band = Callable[[str, Curve], tuple[Floats, Floats] | None]  # what is shaded around a curve of a panel


def around_sets(panel: str, curve: Curve) -> tuple[Floats, Floats]:  # noqa: ARG001
    """Where 95% of the sets lie."""
    return curve.low, curve.high


def check_kind(path: Path) -> str:
    """By the name of the file; checked before a long run, not after it."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in KINDS:
        raise SpecError(f"{quoted(path.name)}: a plot is {', '.join('.' + k for k in KINDS)}")
    if not path.parent.is_dir():
        raise DataError(f"{quoted(path)} cannot be written: there is no folder {quoted(path.parent)}")
    return kind


def draw(curves: Sequence[Curve], path: Path, title: str = "", mark: float | None = None) -> None:
    """One panel per error, a line per measure; `mark` is a value that was measured."""
    panels: dict[str, list[Curve]] = {}
    for curve in curves:
        panels.setdefault(curve.error, []).append(curve)
    figure(panels, path, title, mark)


def figure(
    panels: dict[str, list[Curve]],
    path: Path,
    title: str = "",
    mark: float | None = None,
    band: Band = around_sets,
    looks: Looks | None = None,
) -> None:
    """Panels by their titles."""
    kind = check_kind(path)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    across = 2 if len(panels) == 4 else min(len(panels), 3)
    down = -(-len(panels) // across)
    names = list(dict.fromkeys(c.measure for shown in panels.values() for c in shown))
    chosen = looks or (lambda _, name: Look.number(names.index(name)))
    with mpl.rc_context(_PLAIN):
        made = Figure(
            figsize=(3.6 * across + 0.4, 3.1 * down + (0.3 if title else 0)), layout="constrained", facecolor="white"
        )
        axes = made.subplots(down, across, squeeze=False)
        for axis, (name, shown) in zip(axes.flat, panels.items(), strict=False):
            _panel(axis, shown, name, mark, band, chosen)
        for axis in axes.flat[len(panels) :]:
            axis.set_visible(False)
        if title:
            made.suptitle(title)
        about: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
        drawn = BytesIO()
        made.savefig(drawn, format=kind, dpi=200, metadata=about)
    write_bytes(path, drawn.getvalue())


def _panel(axis: Any, curves: Sequence[Curve], title: str, mark: float | None, band: Band, looks: Looks) -> None:
    shown = [np.zeros(1)]
    for curve in curves:
        look = looks(title, curve.measure)
        axis.plot(curve.magnitudes, curve.mean, color=look.colour, linestyle=look.line, marker=look.mark,
                  markersize=2.5, linewidth=1.2, label=curve.measure)  # fmt: skip
        shaded = band(title, curve)
        if shaded is not None:
            axis.fill_between(curve.magnitudes, *shaded, color=look.colour, alpha=0.12, linewidth=0)
        shown += [curve.mean, *(shaded or ())[:1]]
    if mark is not None:
        axis.axhline(mark, color="#666666", linewidth=0.8)
        axis.annotate(f"measured {mark:z.3f}", (1, mark), ha="right", va="bottom", fontsize=7, color="#444444")
    axis.axhline(0, color="#999999", linewidth=0.6)
    axis.set_xlim(0, 1)
    axis.set_ylim(max(float(np.nanmin(np.concatenate(shown))), -1.0) - 0.05, 1.05)
    axis.set_xlabel("magnitude")
    axis.set_ylabel("agreement")
    axis.set_title(fill(title, 44), fontsize=9)
    axis.legend(facecolor="white", edgecolor="none", framealpha=0.5, fontsize=7)
