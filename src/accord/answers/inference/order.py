"""The values of a column in the order of time: numbers, dates, or as they come."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import datetime

from accord.data.model.labels import as_number

AS_THEY_COME = "as they come"
_NUMBERED = re.compile(r"(\D*?)(\d{1,9})")


def in_order(names: Sequence[str]) -> tuple[list[int], str]:
    """The places of the names in their order, and which order that is: of numbers, of dates, or as they come."""
    numbers = [as_number(name) for name in names]
    if not any(map(math.isnan, numbers)):
        return sorted(range(len(names)), key=lambda k: numbers[k]), "numbers"
    dates = [_as_date(name) for name in names]
    known = [date for date in dates if date is not None]
    # Times with a zone and times without one cannot be compared.
    if len(known) == len(names) and len({date.tzinfo is None for date in known}) == 1:
        return sorted(range(len(names)), key=lambda k: known[k]), "dates"
    parts = [_NUMBERED.fullmatch(name.strip()) for name in names]
    within = [int(part[2]) for part in parts if part]  # Round 1, Round 2, Round 10
    if len(within) == len(names) and len({part[1].casefold() for part in parts if part}) == 1:
        return sorted(range(len(names)), key=lambda k: within[k]), "numbers"
    return list(range(len(names))), AS_THEY_COME


def _as_date(name: str) -> datetime | None:
    try:
        return datetime.fromisoformat(name.strip())
    except ValueError:
        return None
