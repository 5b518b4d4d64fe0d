"""The table of numbers, items × annotators, that measures on scales use. It has complete items only."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError, counted, quoted
from accord.core.result import Score
from accord.data.kinds import ITEMS
from accord.measures.distances.spaces import check_squarable, from_lowest
from accord.measures.measure import Measure, check_kind


@dataclass(frozen=True, eq=False)
class NumberTable:
    """Numbers of the items that all annotators rated. The other items are left out and counted."""

    numbers: Floats  # items × annotators
    names: tuple[str, ...]
    annotators: tuple[str, ...]
    times: Floats  # how often each item counts: what resampling changes
    left_out: int = 0

    def weighted(self, times: Floats) -> NumberTable:
        return replace(self, times=times)

    @property
    def n(self) -> float:
        return float(self.times.sum())

    @property
    def k(self) -> int:
        return self.numbers.shape[1]

    @property
    def why_left_out(self) -> str:
        return "without a rating by every annotator"

    def from_lowest(self) -> NumberTable:
        """Subtract the lowest number, so that equal ratings have squares of exactly 0."""
        check_squarable(self.numbers)
        return replace(self, numbers=from_lowest(self.numbers))

    def mean(self, values: Floats) -> Floats:
        """Return the mean over items, a number or one per annotator."""
        return np.asarray(self.times @ values / self.n)

    def covariance(self) -> Floats:
        """Return the covariance of the annotators with divisor n − 1. A constant annotator has exactly 0."""
        off = self.numbers - self.mean(self.numbers)
        off[:, np.ptp(self.numbers[self.times > 0], axis=0) == 0] = 0.0
        return np.asarray((off * self.times[:, None]).T @ off / (self.n - 1))


def number_table(data: Any, name: str, otherwise: str = "") -> NumberTable:
    """Return the table of ratings. Raise if labels are words or no item is complete.

    `otherwise` is the end of the message for incomplete items: what to use instead.
    """
    check_kind(name, ITEMS, data)
    if not data.identified:
        raise DataError(
            "counts-without-annotators",
            f"{name} needs the rating of each annotator, which counts lack; give a table with a column per annotator",
        )
    check_numbers(data, name)
    present, codes = data.by_annotator
    whole = data.in_order[(codes >= 0).all(axis=0)[data.in_order]]
    if not len(whole):
        raise DataError(
            "nothing-shared",
            f"{name} needs items that all {len(present)} annotators rated, and there are none; choose fewer with "
            f"--annotators{otherwise}",
        )
    return NumberTable(
        data.categories.values[codes[:, whole]].T,
        tuple(data.items[int(i)] for i in whole),
        tuple(data.annotators[int(g)] for g in present),
        data.weight[whole],
        int((data.sizes > 0).sum()) - len(whole),
    )


def check_numbers(data: Any, name: str) -> None:
    """Raise unless there are numbers by at least two annotators."""
    check_kind(name, ITEMS, data)
    if data.identified and data.n_annotators < 2:
        raise DataError(
            "annotators-needed", f"{name} needs at least two annotators; check the columns with accord read"
        )
    words = np.isnan(data.categories.values)
    if words[data.label].any():
        entry = int(np.argmax(words[data.label]))
        label = data.categories.names[int(data.label[entry])]
        raise DataError(
            "not-a-number",
            f"{data.place(entry)}: label {quoted(label)} is not a number, and {name} needs numbers; "
            f"add --missing {quoted(label)} if it marks a missing rating",
        )


@dataclass(frozen=True, repr=False)
class ScaleMeasure(Measure):
    """A measure on a table of numbers."""

    data: ClassVar[str] = "items"
    default_interval: ClassVar[str] = "formula"
    special_intervals: ClassVar[tuple[str, ...]] = ("formula",)
    lowest: ClassVar[float] = -math.inf
    otherwise: ClassVar[str] = ""  # alternative where no item is complete

    def observe(self, data: Any, run: Run) -> Any:  # noqa: ARG002
        return number_table(data, self.name, self.otherwise).from_lowest()

    def explain(self, evidence: Any, score: Score) -> dict[str, Any]:
        facts: dict[str, Any] = {**score.details, "items": len(evidence.names) + evidence.left_out}
        facts |= {"items_compared": len(evidence.names), "annotators": evidence.k}
        if evidence.left_out:
            facts["notes"] = [f"{counted(evidence.left_out, 'item')} {evidence.why_left_out} left out"]
        return facts

    def undefined(self, evidence: Any, reason: str) -> Score:
        return Score(math.nan, str(self), n=int(evidence.n), undefined=reason)


def f_above(first: float, second: float, f: float) -> float:
    """Return P(F > f)."""
    from scipy.special import fdtrc

    return float(fdtrc(first, second, f))


def f_quantile(first: float, second: float, p: float) -> float:
    from scipy.special import fdtri

    return float(fdtri(first, second, p))
