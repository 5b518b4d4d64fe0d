"""Intraclass correlations: how much of the spread of ratings lies between items."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from accord.errors import UnknownName
from accord.measures.scales.table import NumberTable, ScaleMeasure, f_above, f_quantile
from accord.result import Score

FORMS = ("1", "2", "3", "1k", "2k", "3k")


@dataclass(frozen=True)
class MeanSquares:
    """Of a two-way table: between items (rows), between annotators (columns), what is left, and within items."""

    n: float
    k: int
    rows: float
    columns: float
    error: float
    within: float


def mean_squares(table: NumberTable) -> MeanSquares:
    n, k, x = table.n, table.k, table.numbers
    grand = float(table.mean(x).mean())
    by_row, by_column = x.mean(axis=1), table.mean(x)
    total = float(table.times @ ((x - grand) ** 2).sum(axis=1))
    rows = k * float(table.times @ (by_row - grand) ** 2)
    columns = n * float(((by_column - grand) ** 2).sum())
    rest = max(0.0, total - rows - columns)
    rest = rest if rest > 1e-12 * total else 0.0
    return MeanSquares(
        n, k, rows / (n - 1), columns / (k - 1), rest / ((n - 1) * (k - 1)), (columns + rest) / (n * (k - 1))
    )


@dataclass(frozen=True, repr=False)
class IntraclassCorrelation(ScaleMeasure):
    """Shrout & Fleiss 1979. form=1: each item has annotators of its own; 2: annotators are a sample, and their level
    counts; 3: these annotators alone, their level does not count. With k (1k, 2k, 3k): of the mean of all of them.
    """

    form: str = field(default="2", metadata={"also": (int,)})  # 3 is as good as "3"

    name: ClassVar[str] = "icc"
    symbol: ClassVar[str] = "ICC"
    aliases: ClassVar[tuple[str, ...]] = ("intraclass",)
    title: ClassVar[str] = "intraclass correlation, six forms"
    source: ClassVar[str] = "Shrout & Fleiss 1979; McGraw & Wong 1996"
    unnamed: ClassVar[tuple[str, ...] | None] = ("form",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", str(self.form).lower())
        if self.form not in FORMS:
            raise UnknownName("form of icc", self.form, FORMS)

    def estimate(self, evidence: NumberTable) -> Score:
        if evidence.n < 2:
            return self.undefined(evidence, "one item has no spread")
        s = mean_squares(evidence)
        single, mean = self._parts(s)
        below = mean if self.form.endswith("k") else single
        above = s.rows - (s.within if self.form[0] == "1" else s.error)
        if not abs(below) > 1e-12 * (s.rows + s.columns + s.error):
            return self.undefined(evidence, "the ratings do not vary: 0/0")
        facts = {"mean_squares": {"items": s.rows, "annotators": s.columns, "residual": s.error, "within": s.within}}
        return Score(above / below, str(self), n=int(evidence.n), details=facts)

    def _parts(self, s: MeanSquares) -> tuple[float, float]:
        """What the difference of mean squares is divided by: for one annotator, for the mean of k."""
        if self.form[0] == "1":
            return s.rows + (s.k - 1) * s.within, s.rows
        if self.form[0] == "3":
            return s.rows + (s.k - 1) * s.error, s.rows
        level = (s.columns - s.error) / s.n
        return s.rows + (s.k - 1) * s.error + s.k * level, s.rows + level

    def own_interval(
        self, evidence: NumberTable, score: Score, level: float
    ) -> tuple[float, float, float | None, float | None] | None:
        """The F distributions of McGraw & Wong 1996; p is of no difference between items."""
        s = mean_squares(evidence)
        n, k, tail = s.n, s.k, (1 + level) / 2
        noise = s.within if self.form[0] == "1" else s.error
        second = n * (k - 1) if self.form[0] == "1" else (n - 1) * (k - 1)
        if noise == 0:
            return (score.value, score.value, None, 0.0) if self.form[0] != "2" else None
        f = s.rows / noise
        p = f_above(n - 1, second, f)
        if self.form[0] == "2":
            low, high = self._absolute(s, tail)
        else:
            low_f, high_f = f / f_quantile(n - 1, second, tail), f * f_quantile(second, n - 1, tail)
            low, high = ((x - 1) / (x + k - 1) for x in (low_f, high_f))
        if self.form.endswith("k"):
            low, high = (k * x / (1 + (k - 1) * x) for x in (low, high))
        return low, high, None, p

    def _absolute(self, s: MeanSquares, tail: float) -> tuple[float, float]:
        """Of one annotator when their levels count: Satterthwaite's degrees of freedom."""
        n, k = s.n, s.k
        r = (s.rows - s.error) / self._parts(s)[0]
        a = k * r * s.columns / s.error
        b = n * (1 + (k - 1) * r) - k * r
        df = (k - 1) * (n - 1) * (a + b) ** 2 / ((n - 1) * a**2 + b**2) if a or b else math.inf
        above, below = f_quantile(n - 1, df, tail), f_quantile(df, n - 1, tail)
        rest = k * s.columns + (k * n - k - n) * s.error
        low = n * (s.rows - above * s.error) / (above * rest + n * s.rows)
        high = n * (below * s.rows - s.error) / (rest + n * below * s.rows)
        return low, high
