"""What a user must know about the level of measurement: the level that is assumed, and measures that ignore it.

Where the level is assumed, the page shows α at each level that the labels may have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from accord.core.context import Run
from accord.core.errors import AccordError, for_interface
from accord.data.model.data import Data
from accord.data.model.measurement import LEVELS, MOST_GRADES, ORDERED, Measurement, check_level, parse_level
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure
from accord.measures.measure import Measure


def notes_on_levels(variables: Mapping[str, Data], measures: Sequence[Measure], named: bool = False) -> tuple[str, ...]:
    """Return a line for each variable whose level is assumed or ignored. No `measures`: the usual ones.

    `named`: the option names the variable, because the input has several.
    """
    notes = []
    for variable, data in variables.items():
        level = data.measurement
        if level is None:
            continue
        several = len(variables) > 1
        said = (
            _assumed(level, variable, several or named, measures)
            or _codes(level, data)
            or _ignored(level, data, measures)
        )
        if said:
            notes.append(f"{variable}: {said}" if several else said)
    return tuple(notes)


def level_in_words(data: Data) -> str:
    """Return the level with its reason; empty for names, which need no explanation."""
    level = data.measurement
    return "" if level is None or level.level in {"nominal", "binary"} else f"level of measurement: {level.in_words()}"


def levels_of(data: Ratings) -> dict[str, str | None]:
    """Return the levels that a user can state, each with the reason why these labels cannot have it, or None."""
    made: dict[str, str | None] = {}
    others = (level for level in LEVELS if level != "ranking" or data.measurement.level == "ranking")
    for level in others:
        try:
            check_level(parse_level(level), data.categories, data.variable)
        except AccordError as error:
            made[level] = str(error)
        else:
            made[level] = None
    return made


def values_at_levels(data: Ratings, run: Run) -> dict[str, float]:
    """Return α at each level that the labels may have, the assumed one first; empty if the level is known."""
    known = data.measurement
    made: dict[str, float] = {}
    for level in () if known.known else (known.level, *known.others):
        by = measure(data.kind.main).at(parse_level(level), explicit=True)
        try:
            made[level] = by.value_of(by.observe(data, run))
        except AccordError:
            made[level] = math.nan
    return made


def _assumed(level: Measurement, variable: str, several: bool, measures: Sequence[Measure]) -> str:
    if level.known or (measures and not any(one.leaves_level_open for one in measures)):
        return ""
    stated = f"{variable}={level.level}" if several else level.level
    others = f" (or {' or '.join(level.others)})" if level.others else ""
    return for_interface(
        f"the level of measurement is not stated: {level.reason}; {level.level} is assumed; state it with "
        f"--measurement {stated}{others}"
    )


def _codes(level: Measurement, data: Data) -> str:
    """Return why numbers are compared as names."""
    if level.basis != "labels" or level.level != "nominal" or not any(c.numeric for c in data.category_sets.values()):
        return ""
    return for_interface(f"{level.reason}, so they are compared as names; for amounts: --measurement interval")


def _ignored(level: Measurement, data: Data, measures: Sequence[Measure]) -> str:
    """Return which of the requested measures treat grades, numbers or sets as names."""
    scaled = level.level in ORDERED or level.level in {"circular", "sets"}
    names = [str(one) for one in measures if one.on_items and not one.by_degrees and not one.leaves_level_open]
    if not scaled or not names or any(one.by_degrees or one.leaves_level_open for one in measures if one.on_items):
        return ""
    verb = "counts" if len(names) == 1 else "count"
    if level.level == "sets":
        what = f"the labels are sets, but {', '.join(names)} {verb} partial agreement as disagreement"
        return f"{what}; use alpha(distance=masi)"
    weighted = "" if not data.identified or level.level == "circular" else " or kappa(weights=quadratic)"
    are = "are" if level.known else "may be"
    what = f"the labels {are} {level.level}, but {', '.join(names)} {verb} every difference the same"
    return f"{what}; use alpha{weighted}"


def are_amounts(data: Data) -> bool:
    """Return whether the labels are amounts, so that single numbers are no categories to count or leave out."""
    if not isinstance(data, Ratings) or not data.graded:
        return False
    return data.measurement.level != "ordinal" or len(data.categories) > MOST_GRADES


def has_many_numbers(data: Data) -> bool:
    """Return whether the labels are more numbers on a scale than a table of pairs can show."""
    return isinstance(data, Ratings) and data.graded and len(data.categories) > MOST_GRADES
