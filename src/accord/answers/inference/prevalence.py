"""A high value beside a low κ: what those should know who hold a corpus to a threshold."""

from __future__ import annotations

import math

from accord.core.context import Run
from accord.core.result import Score
from accord.data.model.data import Data
from accord.measures.base import Measure
from accord.measures.catalogue import measure

_HIGH, _FAR = 0.6, 0.3


def far_lower(data: Data, by: Measure, score: Score, run: Run) -> str | None:
    """A hint where a coefficient that prevalence does not lower is high, and κ on the same data is far lower."""
    if not by.on_items or by.by_shares or by.by_degrees or not score.value >= _HIGH:
        return None
    other = measure("kappa" if data.identified else "pi")
    value = other.value_of(other.observe(data, run))
    if math.isnan(value) or score.value - value < _FAR:
        return None
    return f"but {other} on the same data is {value:.4f}: nearly all labels are the same, and chance agrees, too"
