"""What a user must know about the level of measurement: the level that is assumed, and measures that ignore it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accord.core.errors import for_interface
from accord.data.model.data import Data
from accord.data.model.measurement import ORDERED, Measurement
from accord.measures.measure import Measure


def notes_on_levels(variables: Mapping[str, Data], measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return a line for each variable whose level is assumed or ignored. No `measures`: the usual ones."""
    notes = []
    for variable, data in variables.items():
        level = data.measurement
        if level is None:
            continue
        several = len(variables) > 1
        said = _assumed(level, variable, several, measures) or _codes(level, data) or _ignored(level, data, measures)
        if said:
            notes.append(f"{variable}: {said}" if several else said)
    return tuple(notes)


def level_in_words(data: Data) -> str:
    """Return the level with its reason; empty for names, which need no explanation."""
    level = data.measurement
    return "" if level is None or level.level in {"nominal", "binary"} else f"level of measurement: {level.in_words()}"


def _assumed(level: Measurement, variable: str, several: bool, measures: Sequence[Measure]) -> str:
    if level.known or (measures and not any(one.leaves_level_open for one in measures)):
        return ""
    stated = f"{variable}={level.level}" if several else level.level
    return for_interface(
        f"the level of measurement is not stated: {level.reason}; {level.level} is assumed; state it with "
        f"--measurement {stated} (or {' or '.join(level.others)})"
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
    what = f"the labels are {level.level}, but {', '.join(names)} {verb} every difference the same"
    return f"{what}; use alpha{weighted}"
