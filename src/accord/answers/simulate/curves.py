"""A curve: the values of a measure over magnitudes, and what is to be said about it."""

from __future__ import annotations

import math
import warnings
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.core.arrays import Floats
from accord.core.figures.curves import Line
from accord.core.figures.palette import Look
from accord.core.tables import plain

_AT_ZERO = 0.05  # "reaches 0": so near at the last magnitude
_ERRORS = 2.0  # standard errors of a mean that count as noise


@dataclass(frozen=True, eq=False)
class Curve:
    """A row of values per magnitude, a column per set; NaN where undefined."""

    error: str
    measure: str
    magnitudes: Floats
    values: Floats
    reasons: tuple[str, ...] = ()
    by_chance: float = math.nan  # the mean of annotators who have nothing in common; NaN where this is not known

    def __repr__(self) -> str:
        return f"<Curve of {self.measure} under {self.error}: {len(self.magnitudes)} magnitudes>"

    @cached_property
    def sets(self) -> int:
        return self.values.shape[1]

    @cached_property
    def undefined(self) -> Any:
        """Sets without a value, at each magnitude."""
        return np.isnan(self.values).sum(axis=1)

    @cached_property
    def mean(self) -> Floats:
        """Of the sets that have a value; NaN where none has."""
        return self._over(np.nanmean)

    @cached_property
    def low(self) -> Floats:
        """The value that 2.5% of the sets stay below."""
        return self._over(lambda v, axis: np.nanquantile(v, 0.025, axis=axis))

    @cached_property
    def high(self) -> Floats:
        return self._over(lambda v, axis: np.nanquantile(v, 0.975, axis=axis))

    @cached_property
    def spread(self) -> Floats:
        """The standard deviation of the sets; NaN where fewer than two have a value."""
        return self._over(lambda v, axis: np.nanstd(v, axis=axis, ddof=1))

    @cached_property
    def error_of_mean(self) -> Floats:
        there = np.maximum(self.sets - self.undefined, 1)
        return np.nan_to_num(self._over(np.nanstd)) / np.sqrt(there)

    def _over(self, function: Any) -> Floats:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a magnitude without any value is NaN
            return np.asarray(function(self.values, axis=1), dtype=np.float64)

    def at(self, magnitude: float) -> float:
        """The mean at a magnitude, between points on a line."""
        there = ~np.isnan(self.mean)
        return float(np.interp(magnitude, self.magnitudes[there], self.mean[there])) if there.any() else math.nan

    def line(self, name: str = "", shaded: tuple[Floats, Floats] | None = None, look: Look | None = None) -> Line:
        """As a line of a figure; shaded is where 95% of the sets lie, or what is given."""
        low, high = (self.low, self.high) if shaded is None else shaded
        at, mean = self.magnitudes.tolist(), self.mean.tolist()
        return Line(name or self.measure, tuple(at), tuple(mean), tuple(low.tolist()), tuple(high.tolist()), look)

    def rows(self) -> list[tuple[Any, ...]]:
        columns = (self.magnitudes, self.mean, self.low, self.high)
        made = zip(*(c.tolist() for c in columns), self.undefined.tolist(), strict=True)
        return [(self.error, self.measure, m, mean, low, high, self.sets, none) for m, mean, low, high, none in made]

    def to_dict(self) -> dict[str, Any]:
        keys = ("magnitude", "mean", "low", "high", "sets", "undefined")
        points = [dict(zip(keys, row[2:], strict=True)) for row in self.rows()]
        made = {"error": self.error, "measure": self.measure, "points": points}
        return plain({**made, "by_chance": self.by_chance, "verdict": asdict(self.verdict)})

    def notes(self) -> list[str]:
        """Where values are undefined, and why."""
        some = np.flatnonzero(self.undefined > 0)
        if not len(some):
            return []
        first = int(some[0])
        where = f"from magnitude {self.magnitudes[first]:g}" if len(some) > 1 else f"at {self.magnitudes[first]:g}"
        reason = self.reasons[first] if self.reasons else ""
        total = int(self.undefined.sum())
        return [f"{self.error}, {self.measure}: {total:,} of {self.values.size:,} sets undefined, {where}: {reason}"]

    @cached_property
    def verdict(self) -> Verdict:
        """Against what one wants of a measure (2015, 6.3); undefined where fewer than two magnitudes have a value."""
        there = ~np.isnan(self.mean)
        if there.sum() < 2:
            return Verdict(False, False, False, False, False, math.nan, math.nan, math.nan, ())
        mean, se, at = self.mean[there], self.error_of_mean[there], self.magnitudes[there]
        rise = np.diff(mean)
        noise = _ERRORS * np.hypot(se[1:], se[:-1])
        flat = np.isclose(rise, 0, atol=1e-12)
        return Verdict(
            starts_at_1=bool(abs(mean[0] - 1) < 1e-6 and at[0] == 0),
            reaches_0=bool(mean[-1] < _AT_ZERO),
            strictly_decreasing=bool((rise < 0).all() and not flat.any()),
            decreasing_within_noise=bool((rise <= noise).all() and not flat.all()),
            never_below_0=bool((mean >= -_ERRORS * se - 1e-9).all()),
            first=float(mean[0]),
            last=float(mean[-1]),
            least=float(mean.min()),
            rises=tuple(float(m) for m in at[1:][(rise > noise) & ~flat]),
        )


@dataclass(frozen=True)
class Verdict:
    """Starts at 1, reaches 0, strictly decreasing, never below 0."""

    starts_at_1: bool
    reaches_0: bool
    strictly_decreasing: bool
    decreasing_within_noise: bool
    never_below_0: bool
    first: float
    last: float
    least: float
    rises: tuple[float, ...]  # magnitudes at which the mean is higher than before by more than noise

    def words(self) -> tuple[str, str, str, str]:
        """For a table."""
        if math.isnan(self.first):
            return ("undefined",) * 4
        down = "yes" if self.strictly_decreasing else "within noise" if self.decreasing_within_noise else "no"
        if down == "no" and self.rises:
            down = f"no: rises at {', '.join(f'{m:g}' for m in self.rises[:4])}{' …' if len(self.rises) > 4 else ''}"
        return (
            "yes" if self.starts_at_1 else f"no: {self.first:z.3f}",
            f"yes: {self.last:z.3f}" if self.reaches_0 else f"no: {self.last:z.3f}",
            down,
            "yes" if self.never_below_0 else f"no: {self.least:z.3f}",
        )
