"""A value and the errors that would give it, and how that is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from accord.answers.consensus.base import Rates
from accord.answers.simulate.curves import Curve
from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.errors.wording import number
from accord.core.errors import printable
from accord.core.figures.curves import Curves
from accord.core.probability import t_quantile
from accord.core.result import Result
from accord.core.tables import Drawing, Table, plain

COLUMNS = ("error", "magnitude", "low", "high", "words")


@dataclass(frozen=True, eq=False)
class Match:
    """An error type, and the magnitude at which it gives the value; None where no magnitude does."""

    error: ErrorType
    magnitude: float | None
    low: float  # the magnitudes at which the value is not unusual (95%)
    high: float
    words: str
    spread: float  # standard deviation of the values at this magnitude
    curve: Curve

    @property
    def parts(self) -> list[tuple[ErrorType, float, float, float]]:
        """Of a mixture whose size is known, each error with its magnitude, the least and the most."""
        assert self.magnitude is not None  # noqa: S101 - asked for where there is one
        sizes = zip(*(self.error.magnitudes(m) for m in (self.magnitude, self.low, self.high)), strict=True)
        return [(error, *size) for error, size in zip(self.error.single, sizes, strict=True)]


@dataclass(frozen=True, eq=False, repr=False)
class Meaning(Result):
    """A value and the errors that would give it."""

    value: float
    measure: str
    annotators: int
    reference: str  # consensus, or gold
    matches: tuple[Match, ...]
    mixture: Match | None
    rates: Rates | None
    symbol: str = ""  # of the measure; empty: its spec names it
    chance: str = ""  # the model of chance, in words; empty where the measure draws none

    @property
    def every(self) -> tuple[Match, ...]:
        """The error types, and their mixture where it is one of several."""
        return (*self.matches, *((self.mixture,) if self.mixed else ()))

    @property
    def mixed(self) -> bool:
        """Whether several errors explain the annotations best."""
        return self.mixture is not None and self.mixture not in self.matches

    @property
    def interval(self) -> tuple[float, float] | None:
        """Values that annotators of the same errors would also get (95%); None where no error gives the value."""
        known = [m.spread for m in self.every if m.magnitude is not None]
        if not known:
            return None
        half = sure(self.every[0].curve.sets) * float(np.mean(known))
        return self.value - half, min(self.value + half, 1.0)

    @property
    def name(self) -> str:
        return self.symbol or self.measure

    def rows(self) -> list[tuple[Any, ...]]:
        return [_row(m) for m in self.every]

    def __str__(self) -> str:
        return self.in_words().rstrip("\n")

    def summary(self) -> str:
        near = (f"{self._named(m)} {m.magnitude:z.3f}" for m in self.every if m.magnitude is not None)
        return f"{self.measure} = {self.value:z.3f}: {', '.join(near) or 'no error gives it'}"

    def in_words(self, color: bool = False, width: int = 80) -> str:  # noqa: ARG002
        return "".join(f"{printable(line)}\n" for line in self.lines())

    def facts(self) -> list[str]:
        """The sentences; the magnitudes are in the table."""
        return [line for line in self.lines() if not line.startswith(" ")]

    def tables(self) -> list[Table]:
        """Every magnitude, with the least and the most that would not be unusual."""
        shown = (
            (self._named(m), *row[1:4], row[4] or _magnitude(m)) for row, m in zip(self.rows(), self.every, strict=True)
        )
        return [Table("", ("error", "magnitude", "least", "most", "annotators who each …"), tuple(shown))]

    def _named(self, match: Match) -> str:
        """A mixture has a line of words, and its spec in CSV and JSON."""
        return "mixture" if match is self.mixture and self.mixed else str(match.error)

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        errors = [dict(zip(COLUMNS, row, strict=True)) for row in self.rows()]
        made = {
            "measure": self.measure,
            "value": self.value,
            "interval": None if low is None else {"low": low, "high": high},
            "annotators": self.annotators,
            "reference": self.reference,
            "chance": self.chance or None,
            "errors": errors[: len(self.matches)],
            "mixture": None if self.mixture is None else dict(zip(COLUMNS, _row(self.mixture), strict=True)),
            "rates": None if self.rates is None else asdict(self.rates),
            "sentences": self.lines(),
        }
        return plain(made)

    def flat(self) -> Table:
        return Table("", COLUMNS, tuple(self.rows()))

    def lines(self) -> list[str]:
        """In words."""
        reached = [m for m in self.matches if m.magnitude is not None]
        said = f"{self.name} = {self.value:z.2f}"
        if self.value > 1 - 1e-9:
            return [f"{self.name} = 1: there is no disagreement here that it could see, and no error to explain."]
        if not reached:
            lines = [f"{said}: no error type alone brings {number(self.annotators)} annotators there."]
        else:
            words = ", or ".join(m.words for m in reached)
            lines = [f"{said} is what {number(self.annotators)} annotators reach here who each {words}."]
        lines += [f"  {match.error}: {_magnitude(match)}" for match in self.matches]
        if self.interval is not None:
            low, high = self.interval
            lines.append(f"95% of annotators with such errors have values from {low:z.2f} to {high:z.2f}.")
        lines += self._about_mixture()
        if self.rates is not None:
            lines += self.rates.in_words(self.annotators)
        else:
            lines.append("The annotators have no consensus, from which a mixture could be estimated.")
        if self.chance:
            lines.append(f"The chance of {self.name}: {self.chance}.")
        lines.append(
            f"Errors are measured from the {self.reference}. In brackets: the magnitudes at which {said} would not be "
            "unusual (95%); they are no confidence interval of the value, which accord score gives."
        )
        return lines

    def _about_mixture(self) -> list[str]:
        """What the annotators did, as far as it can be seen."""
        if self.mixture is None:
            return []
        if not self.mixed:  # misses of few annotators that look like additions are no additions here
            what = f": annotators who each {self.mixture.words}" if self.mixture.magnitude is not None else ""
            return [f"Of these, {self.mixture.error} alone explains best how the annotators differ{what}."]
        if self.mixture.magnitude is None:
            return ["The mixture that explains these annotations best: no size of it gives the value."]
        lines = [f"The mixture that explains these annotations best: annotators who each {self.mixture.words}."]
        return [*lines, *(f"  {error}: {_sized(*size)}" for error, *size in self.mixture.parts)]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"meaning": self._curves} if self.every else {}

    def _curves(self) -> Curves:
        """The curves, with the measured value marked on them."""
        panels = tuple((self._named(match), (match.curve.line(),)) for match in self.every)
        return Curves(f"{self.measure} = {self.value:z.3f}", panels, self.value)


def sure(sets: int) -> float:
    """Standard deviations, known from so many sets, that 95% of values stay within."""
    return t_quantile(sets - 1, 0.975)


def _row(match: Match) -> tuple[Any, ...]:
    return (str(match.error), match.magnitude, match.low, match.high, match.words)


def _magnitude(match: Match) -> str:
    if match.magnitude is None:
        there = ~np.isnan(match.curve.mean)
        if not there[1:].any():
            return f"undefined here: {next((r for r in match.curve.reasons if r), 'no value')}"
        return f"not reached: the mean stays at {float(np.nanmin(match.curve.mean)):z.3f} or above"
    return _sized(match.magnitude, match.low, match.high)


def _sized(magnitude: float, low: float, high: float) -> str:
    return f"magnitude {magnitude:z.3f} [{low:z.3f}, {high:z.3f}]"
