"""Intraclass correlations: the share of the variance of ratings that lies between items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError, UnknownName
from accord.core.result import Score
from accord.data.kinds import ITEMS
from accord.measures.distances.spaces import check_squarable, from_lowest, sums_by
from accord.measures.scales.table import NumberTable, ScaleMeasure, check_numbers, f_above, f_quantile

FORMS = ("1", "2", "3", "1k", "2k", "3k")
# The forms as outputs and papers write them: ICC(3,1) of Shrout & Fleiss, ICC(C,1) of McGraw & Wong.
_AS_PRINTED = {f"{kind},{of}": f"{kind}{of.strip('1')}" for kind in "123" for of in "1k"} | {
    "a,1": "2", "a,k": "2k", "c,1": "3", "c,k": "3k",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class OneWay:
    """The number of ratings of each item, their mean, and their sum of squares. Items with one rating are left out."""

    sizes: Floats
    means: Floats
    squares: Floats
    names: Sequence[str]
    k: int  # annotators
    times: Floats  # how often each item counts: what resampling changes
    left_out: int = 0

    def weighted(self, times: Floats) -> OneWay:
        return replace(self, times=times)

    @property
    def n(self) -> float:
        return float(self.times.sum())

    @property
    def why_left_out(self) -> str:
        return "with one rating only"


def one_way(data: Any, name: str) -> OneWay:
    """Return the one-way table of ratings, which ignores the annotators."""
    check_numbers(data, name)
    sizes = data.sizes.astype(np.float64)
    check_squarable(data.categories.values[np.unique(data.label)])
    numbers = from_lowest(data.categories.values[data.label])
    many = 1 if data.many is None else data.many
    means = sums_by(data.item, numbers * many, len(sizes)) / np.maximum(sizes, 1.0)
    squares = sums_by(data.item, (numbers - means[data.item]) ** 2 * many, len(sizes))
    kept = data.in_order[sizes[data.in_order] > 1]
    names = tuple(data.items[int(i)] for i in kept)
    left_out = int((sizes > 0).sum()) - len(kept)
    return OneWay(sizes[kept], means[kept], squares[kept], names, data.n_annotators, data.weight[kept], left_out)


@dataclass(frozen=True)
class MeanSquares:
    """Mean squares between items (rows), between annotators (columns), residual, and within items."""

    n: float
    k: float  # ratings per item; where they differ, k₀ of the analysis of variance
    ratings: float
    rows: float
    within: float
    columns: float = math.nan  # known if the table is complete
    error: float = math.nan
    unweighted: float | None = None  # rows of one-way data with equal weights, by the harmonic mean of ratings
    harmonic: float = math.nan

    @property
    def named(self) -> dict[str, float]:
        if math.isnan(self.columns):
            return {"items": self.rows, "within": self.within}
        return {"items": self.rows, "annotators": self.columns, "residual": self.error, "within": self.within}


def mean_squares(table: NumberTable | OneWay) -> MeanSquares:
    if isinstance(table, OneWay):
        return _in_one_way(table)
    n, k, x = table.n, table.k, table.numbers
    grand = float(table.mean(x).mean())
    by_row, by_column = x.mean(axis=1), table.mean(x)
    total = float(table.times @ ((x - grand) ** 2).sum(axis=1))
    rows = k * float(table.times @ (by_row - grand) ** 2)
    columns = n * float(((by_column - grand) ** 2).sum())
    rest = max(0.0, total - rows - columns)
    rest = rest if rest > 1e-12 * total else 0.0
    return MeanSquares(
        n, k, n * k, rows / (n - 1), (columns + rest) / (n * (k - 1)), columns / (k - 1), rest / ((n - 1) * (k - 1))
    )


def _in_one_way(table: OneWay) -> MeanSquares:
    """Return the mean squares of items with different numbers of ratings (Searle 1971)."""
    n, sizes, times = table.n, table.sizes, table.times
    ratings = float(times @ sizes)
    grand, middle = float(times @ (sizes * table.means)) / ratings, float(times @ table.means) / n
    rows = float(times @ (sizes * (table.means - grand) ** 2)) / (n - 1)
    k = (ratings - float(times @ sizes**2) / ratings) / (n - 1)
    harmonic = n / float(times @ (1 / sizes))
    alike = harmonic * float(times @ (table.means - middle) ** 2) / (n - 1)
    within = float(times @ table.squares) / (ratings - n)
    return MeanSquares(n, k, ratings, rows, within, unweighted=alike, harmonic=harmonic)


@dataclass(frozen=True, repr=False)
class IntraclassCorrelation(ScaleMeasure):
    """Shrout & Fleiss (1979).

    form=1: different annotators rate each item. form=2: the annotators are a sample, and differences of level count.
    form=3: only these annotators matter, and differences of level do not count. 1k, 2k, 3k: the mean of all annotators.
    """

    form: str = field(default="2", metadata={"also": (int,), "always": True})  # 3 is the same as "3"

    name: ClassVar[str] = "icc"
    symbol: ClassVar[str] = "ICC"
    aliases: ClassVar[tuple[str, ...]] = ("intraclass",)
    title: ClassVar[str] = "intraclass correlation, six forms"
    source: ClassVar[str] = "Shrout & Fleiss 1979; McGraw & Wong 1996"
    unnamed: ClassVar[tuple[str, ...] | None] = ("form",)
    otherwise: ClassVar[str] = ", or use icc(form=1), for items with different annotators"

    def __post_init__(self) -> None:
        form = str(self.form).lower().removeprefix("icc").strip("() ").replace(" ", "")
        object.__setattr__(self, "form", _AS_PRINTED.get(form, form))
        if self.form not in FORMS:
            raise UnknownName("form of icc", self.form, FORMS)

    def observe(self, data: Any, run: Run) -> NumberTable | OneWay:
        """Observe the one-way table for form 1 of incomplete data, otherwise the complete items."""
        if self.form[0] != "1" or _complete(data):
            return super().observe(data, run)
        found = one_way(data, self.name)
        if not len(found.names):
            raise DataError(
                "nothing-shared",
                f"{self} needs items with two ratings, and there are none; check the columns with accord read",
            )
        return found

    def estimate(self, evidence: NumberTable | OneWay) -> Score:
        if evidence.n < 2:
            return self.undefined(evidence, "at least two items are needed")
        s = mean_squares(evidence)
        single, mean = self._parts(s)
        below = mean if self.form.endswith("k") else single
        above = s.rows - (s.within if self.form[0] == "1" else s.error)
        if not abs(below) > 1e-12 * sum(s.named.values()):
            return self.undefined(evidence, "the ratings do not vary: 0/0")
        facts: dict[str, Any] = {"mean_squares": s.named}
        if s.unweighted is not None:
            facts["ratings_per_item"] = s.k
        return Score(above / below, str(self), n=int(evidence.n), details=facts)

    def _parts(self, s: MeanSquares) -> tuple[float, float]:
        """Return the denominators for one annotator and for the mean of k."""
        if self.form[0] == "1":
            return s.rows + (s.k - 1) * s.within, s.rows
        if self.form[0] == "3":
            return s.rows + (s.k - 1) * s.error, s.rows
        level = (s.columns - s.error) / s.n
        return s.rows + (s.k - 1) * s.error + s.k * level, s.rows + level

    def own_interval(
        self, evidence: NumberTable | OneWay, score: Score, level: float
    ) -> tuple[float, float, float | None, float | None] | None:
        """Return the interval from F distributions (McGraw & Wong 1996); p tests no difference between items.

        Items with different numbers of ratings use the approximation of Thomas & Hultquist (1978), with an exact p.
        """
        s = mean_squares(evidence)
        n, k, tail = s.n, s.k, (1 + level) / 2
        noise = s.within if self.form[0] == "1" else s.error
        second = s.ratings - n if self.form[0] == "1" else (n - 1) * (k - 1)
        if noise == 0:
            return (score.value, score.value, None, 0.0) if self.form[0] != "2" else None
        f = s.rows / noise
        p = f_above(n - 1, second, f)
        if self.form[0] == "2":
            low, high = self._absolute(s, tail)
        else:
            ratio, each = (f, k) if s.unweighted is None else (s.unweighted / noise, s.harmonic)
            low_f, high_f = ratio / f_quantile(n - 1, second, tail), ratio * f_quantile(second, n - 1, tail)
            low, high = ((x - 1) / (x + each - 1) for x in (low_f, high_f))
        if self.form.endswith("k"):
            if (
                1 + (k - 1) * low <= 0
            ):  # below the range of the mean of k; happens only with different numbers of ratings
                return None
            low, high = (k * x / (1 + (k - 1) * x) for x in (low, high))
        return low, high, None, p

    def _absolute(self, s: MeanSquares, tail: float) -> tuple[float, float]:
        """Return the interval for one annotator if levels count, with Satterthwaite's degrees of freedom."""
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


def _complete(data: Any) -> bool:
    """Return whether every item has a rating by every annotator. Other kinds of data count as complete."""
    return data.kind is not ITEMS or (data.identified and bool((data.sizes == data.n_annotators).all()))
