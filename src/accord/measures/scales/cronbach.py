"""Cronbach's α: the consistency of a sum of ratings."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.errors import SpecError, counted, for_interface, quoted
from accord.core.result import Parts, PartTable, Score
from accord.measures.scales.table import NumberTable, ScaleMeasure, f_above, f_quantile

NO_VARIATION = "the sums do not vary: 0/0"
COMPUTED = (
    "reliability of the {k} annotators over {n} items; for the reliability of the items as questions of a scale, "
    "exchange items and annotators (--annotators-in rows, or swap --item and --annotator)"
)


@dataclass(frozen=True, repr=False)
class CronbachAlpha(ScaleMeasure):
    """Cronbach (1951). The sum runs over columns: annotators, or the questions of a questionnaire.

    Differences of level between the columns have no effect. With `standardised`, every column has the same variance.
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
                "measure-option", f"{self.name}: standardised must be true or false, not {quoted(self.standardised)}"
            )

    def estimate(self, evidence: NumberTable) -> Score:
        value = self._value(evidence)
        if math.isnan(value):
            reason = "at least two rows are needed" if evidence.n < 2 else NO_VARIATION
            return self.undefined(evidence, reason)
        parts = Parts(("annotator",), lambda _: self.without_each(evidence))
        return Score(value, str(self), n=int(evidence.n), parts=parts)

    def explain(self, evidence: NumberTable, score: Score) -> dict[str, Any]:
        n, left = len(evidence.names), evidence.left_out
        gaps = [f"{counted(left, 'row')} with missing ratings left out"] if left else []
        notes = [for_interface(COMPUTED.format(k=evidence.k, n=n)), *gaps]
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
        """Return the value without each column; at least two columns must remain."""
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
        """Return Feldt's (1965) interval, where (1 − α)/(1 − α̂) has an F distribution, and the p of α = 0."""
        first, second = evidence.n - 1, (evidence.n - 1) * (evidence.k - 1)
        low = 1 - (1 - score.value) * f_quantile(first, second, (1 + level) / 2)
        high = 1 - (1 - score.value) * f_quantile(first, second, (1 - level) / 2)
        f = 1 / (1 - score.value) if score.value < 1 else math.inf
        above = f_above(first, second, f) if math.isfinite(f) else 0.0
        return low, high, None, min(1.0, 2 * min(above, 1 - above))
