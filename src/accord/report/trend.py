"""A trend as a plot."""

from __future__ import annotations

import math
from pathlib import Path

from accord.inference.trend import Trend
from accord.report.influence import drawable, plain_label, saved

_MOST_PEOPLE = 12  # lines that can be told apart


def plot(found: Trend, path: Path) -> None:
    """A panel per measure: values with their intervals, and the lines of annotators, where they are few."""
    drawable(path)
    from matplotlib.figure import Figure

    names = [plain_label(one.name) for one in found.rounds]
    places = range(len(names))
    width, height = max(5.0, 0.7 * len(names) + 3), 3.2 * len(found.measures)
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(len(found.measures), 1, squeeze=False)[:, 0]
    for axis, of in zip(axes, found.measures, strict=True):
        people = found.annotators.get(of, {})
        for name, values in people.items() if len(people) <= _MOST_PEOPLE else ():
            drawn = [math.nan if value is None else value for value in values]
            axis.plot(places, drawn, linewidth=0.9, alpha=0.7, marker=".", label=plain_label(name))
        axis.plot(places, found.values(of), color="black", linewidth=1.8, marker="o", label="all")
        for k, one in enumerate(found.rounds):
            score = found.score(one.name, of)
            if score is not None and score.interval is not None:
                axis.plot([k, k], [score.interval.low, score.interval.high], color="black", linewidth=1)
        axis.set_xticks(list(places), names, fontsize=8)
        axis.set_ylabel(plain_label(of), fontsize=9)
        axis.tick_params(axis="y", labelsize=8)
        axis.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.01, 0.5))
    axes[-1].set_xlabel(plain_label(found.by), fontsize=9)
    saved(figure, path)
