"""The input of an interval method, and the reasons why a method does not apply."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from accord.core.context import Run
from accord.core.errors import for_interface
from accord.core.probability import t_below, t_quantile
from accord.core.result import Interval, Score
from accord.measures.measure import Measure

if TYPE_CHECKING:
    from accord.measures.intervals.methods import Settings

SAME = 1e-10  # smaller differences are rounding errors
_NOISE = 1e-28  # smaller variances are rounding errors


@dataclass(frozen=True)
class Case:
    """The input of an interval method."""

    score: Score
    measure: Measure
    evidence: Any  # of the measure
    settings: Settings
    run: Run

    @property
    def tails(self) -> tuple[float, float]:
        """Return the probabilities below the two ends of the interval."""
        return (1 - self.settings.level) / 2, (1 + self.settings.level) / 2

    @property
    def chance_error(self) -> float:
        """Return the Monte Carlo error that sampled chance adds to the value."""
        return self.measure.chance_error(self.evidence, self.score.value)

    @property
    def chance_counted(self) -> bool:
        """Return whether chance was enumerated completely, so that it has no Monte Carlo error."""
        return self.score.details.get("samples") == 0

    def interval(self, low: float, high: float) -> Interval:
        """Return the interval, clipped to the range of the measure."""
        low, high = in_range(self.measure, self.score, low, high)
        return Interval(low, high, self.settings.level, self.settings.method)


def in_range(measure: Measure, score: Score, low: float, high: float) -> tuple[float, float]:
    """Clip the ends of an interval to the range of the measure.

    With weights or missing labels, a value can lie below the usual range; the interval then does not reach
    below the value.
    """
    lowest = min(measure.lowest, score.value)
    highest = max(1.0, score.value) if score.kind == "agreement" else math.inf
    return float(max(lowest, low)), float(min(highest, high))


def noted(score: Score, note: str) -> Score:
    """Return the score with a note about its interval."""
    return replace(score, details={**score.details, "interval": for_interface(note)})


def short_of_data(score: Score, note: str, coverage: str = "") -> Score:
    """Return the score with a note that the data are few, which is also a warning in Python.

    `coverage` states how often such intervals covered the true value in simulations, where this is known.
    """
    facts = {"interval": for_interface(note), "few": True, **({"coverage": coverage} if coverage else {})}
    return replace(score, details={**score.details, **facts})


class NotHere(Exception):  # noqa: N818 - a reason, not an error
    """Why an interval method does not apply to these data."""


def by_t(case: Case, variance: float, df: float, facts: dict[str, Any] | None = None) -> Score:
    """Return the score with the interval value ± t·SE, clipped to the range of the measure.

    p is two-sided and tests 0, or the value in the settings.
    """
    if math.isnan(variance):
        raise NotHere("an interval needs at least two items")
    value, se = case.score.value, math.sqrt(variance) if variance > _NOISE else 0.0
    half = t_quantile(df, case.tails[1]) * se
    tested = se > 0 and case.score.kind == "agreement"
    return replace(
        case.score,
        se=se,
        p=2 * t_below(df, -abs((value - (case.settings.value or 0.0)) / se)) if tested else None,
        interval=case.interval(value - half, value + half),
        details={**case.score.details, **(facts or {}), "df": None if math.isinf(df) else df},
    )
