"""`limits`: Bland–Altman limits of agreement of two annotators who give numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

from accord.answers import options
from accord.answers.options import LEVEL
from accord.answers.question import question
from accord.core.errors import DataError, SpecError, counted, quoted
from accord.core.figures.curves import Differences
from accord.core.probability import t_below, t_quantile
from accord.core.result import Result
from accord.core.tables import Drawing, Interval, Table, p_in_words, percent, plain
from accord.data.door import checks_options, is_data, opened
from accord.data.kinds import ITEMS
from accord.data.model.data import check_annotators
from accord.measures.intervals.methods import Settings
from accord.measures.measure import check_kind
from accord.measures.scales.table import number_table


@dataclass(frozen=True, repr=False)
class BlandAltman(Result):
    """Differences (second − first) between two annotators: their mean and the limits of agreement."""

    subject: ClassVar[str] = "Limits of agreement (Bland and Altman)"

    first: str
    second: str
    n: int
    bias: Interval
    mean: float
    sd: float
    lower: float  # mean ± z·sd
    upper: float
    lower_interval: Interval
    upper_interval: Interval
    slope: float  # of the difference on the mean of the two: not 0 if the bias grows with the size
    slope_p: float | None
    points: tuple[tuple[float, float], ...] = field(default=(), repr=False, compare=False)  # mean, difference

    def summary(self) -> str:
        return f"{self.second} − {self.first}: mean {self.mean:z.3f}, limits {self.lower:z.3f} to {self.upper:z.3f}"

    def facts(self) -> list[str]:
        return [f"{self.second} − {self.first} on {counted(self.n, 'item')}, standard deviation {self.sd:z.3f}"]

    def tables(self) -> list[Table]:
        rows = (
            ("lower limit", self.lower, self.lower_interval),
            ("mean difference", self.mean, self.bias),
            ("upper limit", self.upper, self.upper_interval),
        )
        return [Table("", ("", "value", f"{percent(self.bias.level)} interval"), rows, (self._trend,))]

    @property
    def _trend(self) -> str:
        if self.slope_p is None:
            return "accord could not test whether the difference grows with the size"
        return f"slope of the difference on the mean of both annotators: {self.slope:z.3f}, {p_in_words(self.slope_p)}"

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"bland_altman": self._scattered}

    def _scattered(self) -> Differences:
        upper, mean = ("upper limit", self.upper, self.upper_interval), ("mean", self.mean, self.bias)
        lines = (upper, mean, ("lower limit", self.lower, self.lower_interval))
        return Differences("", self.first, self.second, self.points, lines)

    def to_dict(self) -> dict[str, Any]:
        return plain({name: value for name, value in asdict(self).items() if name != "points"})

    def flat(self) -> Table:
        """One row each for the mean difference and the two limits."""
        lines = (("mean", self.mean, self.bias), ("lower", self.lower, self.lower_interval))
        rows = tuple(
            (self.first, self.second, self.n, name, value, i.low, i.high, i.level, self.sd, self.slope, self.slope_p)
            for name, value, i in (*lines, ("upper", self.upper, self.upper_interval))
        )
        columns = ("first", "second", "n", "what", "value", "low", "high", "level", "sd", "slope", "slope_p")
        return Table("", columns, rows)


@question("ratings.csv --annotators Ana,Ben", python_name="limits")
def limits(data: options.Data, *, level: options.Level = LEVEL, **reading: Any) -> BlandAltman:
    """Show the mean difference of two annotators, with limits of agreement.

    Both annotators must give numbers. Only items that both rated count.

    Returns
    -------
    BlandAltman

    References
    ----------
    Bland & Altman (1986).

    Examples
    --------
    >>> accord.limits({"Ana": [1, 2, 3, 4], "Ben": [1, 2, 4, 4]}).mean
    0.25
    """
    given = options.names_in(reading.pop("annotators", None) if is_data(data) else reading.get("annotators"))
    found = opened(data, reading)
    names = given or list(found.present)
    if len(names) != 2:
        raise SpecError(
            "option-missing",
            f"limits of agreement compare two annotators, not {len(names)}; {name_two(found.present)}",
        )
    return bland_altman(found, *names, level=level)


def name_two(names: Sequence[str]) -> str:
    """Return the advice to name two of these annotators."""
    example = f", for example --annotators {quoted(','.join(names[:2]))}" if len(names) > 1 else ""
    return f"name two with --annotators{example}"


@checks_options
def bland_altman(
    data: Any, first: str | None = None, second: str | None = None, *, level: float = LEVEL, **reading: Any
) -> BlandAltman:
    """Compute the limits of agreement of two annotators who give numbers (Bland & Altman 1986).

    Only items that both annotators rated count.

    Parameters
    ----------
    data : data
        Anything that `accord.read` accepts, or data that were read.
    first, second : str, optional
        The annotators; differences are second − first. Default: the two annotators of the data.
    level : float, default 0.95
        Confidence level of the intervals.
    **reading
        Options of `accord.read`.

    Returns
    -------
    BlandAltman

    Raises
    ------
    DataError
        If a label is not a number, or both annotators rated fewer than three items.
    SpecError
        If two annotators are not named and the data have another number.

    Examples
    --------
    >>> accord.bland_altman({"item": [1, 2, 3, 4], "Ana": [1, 2, 3, 4], "Ben": [2, 2, 4, 4]})
    <BlandAltman Ben − Ana: mean 0.500, limits -0.632 to 1.632>
    """
    level = Settings(level=level).level
    found = opened(data, reading)
    check_kind("bland_altman", ITEMS, found)
    if first is None or second is None:
        if len(found.present) != 2:
            raise SpecError(
                "option-missing",
                f"the data have {len(found.present)} annotators; name two: bland_altman(data, first, second)",
            )
        first, second = found.present
    check_annotators((first, second), found.present)
    if first == second:
        raise SpecError(
            "option-value",
            f"limits of agreement need two different annotators, and {quoted(first)} is named twice; "
            f"{name_two(found.present)}",
        )
    table = number_table(found.only_annotators((first, second)), "bland_altman")
    names = table.annotators
    if table.n < 3:
        raise DataError(
            "measure-for-other-data",
            "limits of agreement need at least three items that both annotators rated; name other annotators with "
            "--annotators",
        )
    a, b = (np.repeat(table.numbers[:, names.index(x)], table.times.astype(np.int64)) for x in (first, second))
    apart, middle, n = b - a, (a + b) / 2, len(a)
    mean, sd = float(apart.mean()), float(apart.std(ddof=1))
    t, z = t_quantile(n - 1, (1 + level) / 2), t_quantile(math.inf, (1 + level) / 2)
    half = t * sd / math.sqrt(n)
    of_limit = t * sd * math.sqrt(1 / n + z**2 / (2 * (n - 1)))
    spread = float(((middle - middle.mean()) ** 2).sum())
    slope = float(((middle - middle.mean()) * (apart - mean)).sum()) / spread if spread > 0 else math.nan
    slope_p = None
    if spread > 0:
        rest = apart - mean - slope * (middle - middle.mean())
        se = math.sqrt(float((rest**2).sum()) / (n - 2) / spread)
        slope_p = 2 * t_below(n - 2, -abs(slope) / se) if se > 0 else None
    lower, upper = mean - z * sd, mean + z * sd

    def around(x: float, by: float) -> Interval:
        return Interval(x - by, x + by, level, "Bland & Altman 1986")

    return BlandAltman(
        first, second, n, around(mean, half), mean, sd, lower, upper, around(lower, of_limit), around(upper, of_limit),
        slope, slope_p, tuple(zip(middle.tolist(), apart.tolist(), strict=True)),
    )  # fmt: skip
