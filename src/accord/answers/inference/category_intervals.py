"""Intervals of the values of categories: of items, each against all others."""

from __future__ import annotations

from dataclasses import fields, replace

from accord.answers.inference.scoring import each_scored
from accord.core.context import Run
from accord.core.figures.forest import Forest
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.measures.base import Measure
from accord.measures.intervals.methods import Settings


def with_category_intervals(drawn: Forest, data: Data, asked: Measure, settings: Settings, run: Run) -> Forest:
    """The same rows with intervals: a category against the rest is data of its own. Of other data, as it was."""
    if not isinstance(data, Ratings):
        return drawn
    alone = replace(asked, **dict.fromkeys({f.name for f in fields(asked)} & {"weights", "distance"}))
    codes = {name: k for k, name in enumerate(data.categories.names)}
    wanted = {one.name for one in drawn.estimates if not one.whole and one.value == one.value} & set(drawn.shown)
    known = {
        name: each_scored(data.against_rest(codes[name]), (alone,), settings, run)[0].interval
        for name in codes
        if name in wanted
    }
    return drawn.with_intervals(known)
