"""Influence → text, JSON, CSV, a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from accord.errors import DataError, SpecError, quoted
from accord.inference.comparison.influence import Influence, Left
from accord.report.cells import printable
from accord.report.comparison import dumped, score_object
from accord.report.csv import rectangle
from accord.report.tables import Cell, Table
from accord.report.text import grid

_MOST_ROWS = 20
_MOST_BARS = 30
FORMATS = (".png", ".svg", ".pdf")


def tables(found: Influence, most: int = _MOST_ROWS) -> list[Table]:
    made = []
    if found.annotators:
        made.append(_annotators(found))
    if found.units:
        made.append(_simple(found, found.noun, found.units, most))
    if found.categories:
        made.append(_simple(found, "category", found.categories, most))
    if found.features:
        made.append(_simple(found, "feature", found.features, most))
    return made


def _interval_column(found: Influence) -> str:
    everything = (*found.annotators, *found.units, *found.categories, *found.features)
    level = next((x.interval.level for x in everything if x.interval), 0.95)
    return f"{level * 100:.6g}% interval"


def _annotators(found: Influence) -> Table:
    units = any(one.habit is not None and one.habit.items is None for one in found.annotators)
    known = any(one.habit is not None for one in found.annotators)
    extra = ("shares", "marked") if units else ("by shares", "item by item")
    columns = ("annotator", "without", "change", _interval_column(found), *(extra if known else ()), "")
    rows: list[tuple[Cell, ...]] = []
    for one in found.annotators:
        habit = one.habit
        more: tuple[Cell, ...] = ()
        if known:
            more = (None, None) if habit is None else (habit.shares, habit.amount if units else habit.items)
        rows.append((one.name, one.without, one.change, one.interval, *more, one.undefined or one.verdict))
    notes = ["change: of the value when the annotator is left out; the most harmful first"]
    if known and units:
        notes.append(
            "shares: how far the labels differ in their shares from the others'; marked: units per unit of others"
        )
    elif known:
        notes.append("by shares + item by item: mean distance to the others' labels of the same items")
    return Table(
        f"without one annotator ({found.score.measure} = {found.score.value:.3f})", columns, tuple(rows), tuple(notes)
    )


def _simple(found: Influence, noun: str, left: Sequence[Left], most: int) -> Table:
    """The most harmful, and the most helpful at the end."""
    rows = [(one.name, one.without, one.change, one.interval, one.undefined or "") for one in left[:most]]
    notes = []
    if len(left) > most:
        notes.append(f"{len(left) - most:,} more; --json has all")
    if any(not one.exact for one in left[:most]):
        notes.append("some are by their first-order contribution")
    columns = (noun, "without", "change", _interval_column(found), "")
    return Table(f"without one {noun}", columns, tuple(rows), tuple(notes))


def text(found: Influence, color: bool = False) -> str:
    score = found.score
    interval = (
        f", {score.interval.method} interval [{score.interval.low:.3f}, {score.interval.high:.3f}]"
        if score.interval
        else ""
    )
    made = grid(tables(found), [f"{score.measure} = {score.value:.3f}{interval}"], color)
    return made + "".join(f"{printable(note)}\n" for note in found.notes)


def as_object(found: Influence) -> dict[str, Any]:
    def listed(left: Sequence[Left]) -> list[dict[str, Any]]:
        return [
            {
                "name": one.name,
                "without": one.without,
                "change": one.change,
                "interval": asdict(one.interval) if one.interval else None,
                "undefined": one.undefined,
                "exact": one.exact,
                **({"habit": asdict(one.habit), "verdict": one.verdict} if one.habit else {}),
            }
            for one in left
        ]

    return {
        "score": score_object(found.score),
        "annotators": listed(found.annotators),
        f"{found.noun}s": listed(found.units),
        "categories": listed(found.categories),
        **({"features": listed(found.features)} if found.features else {}),
        "notes": list(found.notes),
    }


def to_json(found: Influence) -> str:
    return dumped(as_object(found))


def to_csv(found: Influence) -> str:
    rows: list[tuple[Cell, ...]] = []
    for what, left in _kinds(found):
        for one in left:
            low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
            habit = (None, None, None) if one.habit is None else (one.habit.shares, one.habit.items, one.habit.amount)
            rows.append((what, one.name, one.without, one.change, low, high, one.undefined, *habit, one.verdict))
    columns = ("what", "name", "without", "change", "low", "high", "undefined", "shares", "items", "marked", "verdict")
    return rectangle(Table("", columns, tuple(rows)))


def _kinds(found: Influence) -> list[tuple[str, tuple[Left, ...]]]:
    """What was left out, in the order in which it is shown."""
    kinds = [("annotator", found.annotators), (found.noun, found.units), ("category", found.categories)]
    return [*kinds, ("feature", found.features)]


def drawable(path: Path) -> None:
    """Whether a plot can have that name: known before anything is computed."""
    if path.suffix.lower() not in FORMATS:
        raise SpecError(f"a plot is written as {', '.join(FORMATS)}; not {quoted(path.name)}")


def plot(found: Influence, path: Path) -> None:
    """Bars for the changes, with their intervals; the format is that of the file's name."""
    drawable(path)
    from matplotlib.figure import Figure

    drawn = [(what, _extremes(left)) for what, left in _kinds(found) if left]
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
        axis.set_yticks(list(places), [_plain_label(one.name) for one in left], fontsize=8)
        axis.invert_yaxis()
        axis.set_title(f"without one {what}", fontsize=9, loc="left")
        axis.tick_params(axis="x", labelsize=8)
    figure.supxlabel(f"change of {_plain_label(found.score.measure)} (now {found.score.value:.3f})", fontsize=9)
    try:
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    except OSError as error:
        raise DataError(f"{quoted(path)} cannot be written: {error.strerror}") from None


def _plain_label(name: str) -> str:
    """A stranger's text: no control characters, no formulas, not too long."""
    name = printable(name).replace("$", r"\$")
    return f"{name[:39]}…" if len(name) > 40 else name


def _extremes(left: Sequence[Left]) -> list[Left]:
    """The most harmful and the most helpful, where there are many."""
    known = [one for one in left if one.undefined is None]
    half = _MOST_BARS // 2
    return known if len(known) <= _MOST_BARS else [*known[:half], *known[-half:]]
