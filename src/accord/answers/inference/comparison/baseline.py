"""What an earlier run gave, from the JSON that `accord score` or `accord check` wrote."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.core.errors import DataError, SpecError, quoted
from accord.core.probability import normal_quantile
from accord.core.tables import Interval
from accord.data.io.opening import stream_of
from accord.data.model.ratings import NO_VALUE
from accord.measures.base import Measure
from accord.measures.catalogue import measure


@dataclass(frozen=True)
class Earlier:
    """A value and its error; `by` and `name` are the column and the value of a part."""

    measure: Measure
    value: float
    error: float
    by: str = ""
    name: str = ""


def earlier(given: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[Earlier, ...]:
    """The values of a run that can be compared with; those that were undefined say nothing, and are left out."""
    place, found = ("the baseline", given) if isinstance(given, Mapping) else (str(given), _loaded(given))
    listed = _listed(found, place)
    several = len({str(entry.get("variable", "")) for entry in listed}) > 1
    if several:
        raise DataError(f"{place} has several variables: make it for one, with --label")
    made = tuple(one for entry in listed if (one := _entry(entry, place)) is not None)
    if not made:
        raise DataError(f"{place} has no value that is defined: there is nothing to compare with")
    return made


def error_of(se: float | None, interval: Interval | Mapping[str, Any] | None) -> float | None:
    """The standard error, or what the width of the interval says about it."""
    if se is not None:
        return float(se)
    if interval is None:
        return None
    facts = interval if isinstance(interval, Mapping) else vars(interval)
    return float(facts["high"] - facts["low"]) / (2 * normal_quantile((1 + float(facts["level"])) / 2))


def _loaded(path: Any) -> Mapping[str, Any]:
    if not isinstance(path, str | os.PathLike):
        raise SpecError(f"a baseline is a file, or what to_dict() gave, not {quoted(path)}")
    try:
        with stream_of(Path(path)) as file:
            found = json.loads(file.read().decode())
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"{path}: not JSON: {error}") from None
    if not isinstance(found, Mapping):
        raise DataError(f"{path}: not the JSON of accord score or accord check")
    return found


def _listed(found: Mapping[str, Any], place: str) -> list[Mapping[str, Any]]:
    """Scores as they stand in the one or the other, or the score that it is."""
    if isinstance(found.get("checks"), list):
        whole = [one for one in found["checks"] if isinstance(one, Mapping) and isinstance(one.get("score"), Mapping)]
        return [{**one["score"], "where": {one["by"]: one["name"]} if one.get("by") else {}} for one in whole]
    if isinstance(found.get("scores"), list) and all(isinstance(one, Mapping) for one in found["scores"]):
        return list(found["scores"])
    if "measure" in found and "value" in found:
        return [found]
    raise DataError(f"{place}: not the JSON of accord score or accord check: it has neither scores nor checks")


def _entry(entry: Mapping[str, Any], place: str) -> Earlier | None:
    where = entry.get("where") or {}
    try:
        spec, value, part = str(entry["measure"]), entry["value"], next(iter(where.items()), ("", ""))
        if value is None:
            return None
        error = error_of(entry.get("se"), entry.get("interval"))
        number = float(value)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DataError(f"{place}: not the JSON of accord score or accord check: a score is malformed") from None
    if error is None:
        if part[0]:  # parts of a breakdown have no error, and are held against thresholds alone
            return None
        raise DataError(f"{place}: {spec} has no error, so chance is unknown: make it with an --interval")
    name = str(part[1]) or NO_VALUE if part[0] else ""
    return Earlier(measure(spec), number, error, str(part[0]), name)
