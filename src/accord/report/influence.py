"""Influence as a plot."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from accord.errors import DataError, SpecError, printable, quoted
from accord.inference.comparison.without import Influence, Left
from accord.whole import write_bytes

_MOST_BARS = 30
FORMATS = (".png", ".svg", ".pdf")


def drawable(path: Path) -> None:
    """Whether a plot can have that name: known before anything is computed."""
    if path.suffix.lower() not in FORMATS:
        raise SpecError(f"a plot is written as {', '.join(FORMATS)}; not {quoted(path.name)}")


def plot(found: Influence, path: Path) -> None:
    """Bars for the changes, with their intervals; the format is that of the file's name."""
    drawable(path)
    from matplotlib.figure import Figure

    drawn = [(what, _extremes(left)) for what, left in found.kinds if left]
    if not drawn:
        raise DataError("there is nothing to draw: nothing could be left out")
    sizes = [len(left) + 2 for _, left in drawn]
    figure = Figure(figsize=(8, 0.28 * sum(sizes) + 0.6), layout="constrained")
    axes = figure.subplots(len(drawn), 1, squeeze=False, height_ratios=sizes)[:, 0]
    helps = found.score.kind == "agreement"
    for axis, (what, left) in zip(axes, drawn, strict=True):
        places = range(len(left))
        colors = ["#b2182b" if (one.change > 0) == helps else "#2166ac" for one in left]
        axis.barh(places, [one.change for one in left], color=colors, height=0.7)
        for k, one in enumerate(left):
            if one.interval is not None:
                axis.plot([one.interval.low, one.interval.high], [k, k], color="black", linewidth=1)
        axis.axvline(0, color="black", linewidth=0.8)
        axis.set_yticks(list(places), [plain_label(one.name) for one in left], fontsize=8)
        axis.invert_yaxis()
        axis.set_title(f"without one {what}", fontsize=9, loc="left")
        axis.tick_params(axis="x", labelsize=8)
    figure.supxlabel(f"change of {plain_label(found.score.measure)} (now {found.score.value:z.3f})", fontsize=9)
    saved(figure, path)


def saved(figure: Any, path: Path) -> None:
    """Written in the format of its name, without the time at which it was made."""
    kind, drawn = path.suffix.lower().lstrip("."), BytesIO()
    figure.savefig(drawn, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
    write_bytes(path, drawn.getvalue())


def plain_label(name: str) -> str:
    """A stranger's text: no control characters, no formulas, not too long."""
    name = printable(name).replace("$", r"\$")
    return f"{name[:39]}…" if len(name) > 40 else name


def _extremes(left: Sequence[Left]) -> list[Left]:
    """The most harmful and the most helpful, where there are many."""
    known = [one for one in left if one.undefined is None]
    half = _MOST_BARS // 2
    return known if len(known) <= _MOST_BARS else [*known[:half], *known[-half:]]
