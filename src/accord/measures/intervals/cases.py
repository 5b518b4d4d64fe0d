"""What a method of intervals works on, and how it says that it does not apply."""

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

SAME = 1e-10  # values that differ by rounding alone are the same
_NOISE = 1e-28  # a variance that is nothing but rounding


@dataclass(frozen=True)
class Case:
    """What a method works on."""

    score: Score
    measure: Measure
    evidence: Any  # of the measure
    settings: Settings
    run: Run

    @property
    def tails(self) -> tuple[float, float]:
        """The shares below the two ends."""
        return (1 - self.settings.level) / 2, (1 + self.settings.level) / 2

    @property
    def chance_error(self) -> float:
        """What the sampling of chance adds to the error of the value."""
        return self.measure.chance_error(self.evidence, self.score.value)

    @property
    def chance_counted(self) -> bool:
        """Whether all that chance can give was counted, so that its sampling adds nothing."""
        return self.score.details.get("samples") == 0

    def cut(self, low: float, high: float) -> tuple[float, float]:
        """The ends, no further than the measure goes."""
        lowest = self.measure.lowest if self.score.value >= self.measure.lowest else -math.inf  # weights may lead below
        return max(lowest, low), min(1.0 if self.score.kind == "agreement" else math.inf, high)

    def interval(self, low: float, high: float) -> Interval:
        return Interval(float(low), float(high), self.settings.level, self.settings.method)


def noted(score: Score, note: str) -> Score:
    """The score with something that readers of its interval have to know."""
    return replace(score, details={**score.details, "interval": for_interface(note)})


def short_of_data(score: Score, note: str) -> Score:
    """The same where the data are few: in Python, such a note is a warning, too."""
    return replace(score, details={**score.details, "interval": for_interface(note), "few": True})


class NotHere(Exception):  # noqa: N818 - a reason, not an error
    """The method does not apply to these data."""


def by_t(case: Case, variance: float, df: float, facts: dict[str, Any] | None = None) -> Score:
    """Value ± t·SE, cut where the measure ends; p against 0, or the value that is asked for, two-sided."""
    if math.isnan(variance):
        raise NotHere("one item has no spread")
    value, se = case.score.value, math.sqrt(variance) if variance > _NOISE else 0.0
    half = t_quantile(df, case.tails[1]) * se
    low, high = case.cut(value - half, value + half)
    tested = se > 0 and case.score.kind == "agreement"
    return replace(
        case.score,
        se=se,
        p=2 * t_below(df, -abs((value - (case.settings.value or 0.0)) / se)) if tested else None,
        interval=case.interval(low, high),
        details={**case.score.details, **(facts or {}), "df": None if math.isinf(df) else df},
    )
