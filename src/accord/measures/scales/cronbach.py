"""Cronbach's α: how consistent a sum of ratings is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.errors import SpecError, counted, quoted
from accord.core.result import Parts, PartTable, Score
from accord.measures.scales.table import NumberTable, ScaleMeasure, f_above, f_quantile

NO_VARIATION = "the sums do not vary: 0/0"
READING = "rows are items and columns annotators, or rows are respondents and columns the questions of a test"


@dataclass(frozen=True, repr=False)
class CronbachAlpha(ScaleMeasure):
    """Cronbach 1951. The columns are what is summed: annotators, or the questions of a questionnaire.

    Differences of level between the columns do not count. With `standardised` every column has the same spread.
    """

    standardised: bool = False

    name: ClassVar[str] = "cronbach"
    symbol: ClassVar[str] = "Cronbach's α"
    aliases: ClassVar[tuple[str, ...]] = ("cronbach_alpha",)
    title: ClassVar[str] = "Cronbach's α, consistency of a sum"
    source: ClassVar[str] = "Cronbach 1951; Feldt 1965; Gwet 2021, 9.7"
    unnamed: ClassVar[tuple[str, ...] | None] = ("standardised",)

    def __post_init__(self) -> None:
        if not isinstance(self.standardised, bool):
            raise SpecError(
                "measure-option", f"{self.name}: standardised is true or false, not {quoted(self.standardised)}"
            )

    def estimate(self, evidence: NumberTable) -> Score:
        value = self._value(evidence)
        if math.isnan(value):
            reason = "one row has no spread" if evidence.n < 2 else NO_VARIATION
            return self.undefined(evidence, reason)
        parts = Parts(("annotator",), lambda _: self.without_each(evidence))
        return Score(value, str(self), n=int(evidence.n), parts=parts)

    def explain(self, evidence: NumberTable, score: Score) -> dict[str, Any]:
        n, left = len(evidence.names), evidence.left_out
        notes = [READING] if not left else [READING, f"{counted(left, 'row')} with gaps left out"]
        return {**super().explain(evidence, score), "rows": n, "columns": evidence.k, "notes": notes}

    def _value(self, evidence: NumberTable) -> float:
        if evidence.n < 2:
            return math.nan
        spread, k = evidence.covariance(), evidence.k
        if self.standardised:
            deviation = np.sqrt(np.diag(spread))
            if not (deviation > 0).all():
                return math.nan
            r = (spread / np.outer(deviation, deviation))[np.triu_indices(k, 1)].mean()
            return float(k * r / (1 + (k - 1) * r))
        total = float(spread.sum())
        return k / (k - 1) * (1 - float(np.trace(spread)) / total) if total > 1e-12 * np.trace(spread) else math.nan

    def without_each(self, evidence: NumberTable) -> PartTable:
        """The value without each column; two columns are the least there can be."""
        rest = [
            replace(evidence, numbers=np.delete(evidence.numbers, g, axis=1), annotators=())
            for g in range(evidence.k if evidence.k > 2 else 0)
        ]
        values = np.array([self._value(one) for one in rest] or [math.nan] * evidence.k)
        nothing, n = np.full(evidence.k, math.nan), np.full(evidence.k, int(evidence.n))
        reason = NO_VARIATION if rest else "only one column is left"
        return PartTable(f"{self} without it", evidence.annotators, values, nothing, nothing, n, reason)

    def own_interval(
        self, evidence: NumberTable, score: Score, level: float
    ) -> tuple[float, float, float | None, float | None] | None:
        """Feldt 1965: (1 − α)/(1 − α̂) is F-distributed; p is of α = 0."""
        first, second = evidence.n - 1, (evidence.n - 1) * (evidence.k - 1)
        low = 1 - (1 - score.value) * f_quantile(first, second, (1 + level) / 2)
        high = 1 - (1 - score.value) * f_quantile(first, second, (1 - level) / 2)
        f = 1 / (1 - score.value) if score.value < 1 else math.inf
        above = f_above(first, second, f) if math.isfinite(f) else 0.0
        return low, high, None, min(1.0, 2 * min(above, 1 - above))
