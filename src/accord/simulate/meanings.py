"""A value and the errors that would give it, and how that is said."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import printable
from accord.gold.base import Rates
from accord.probability import t_quantile
from accord.result import Result
from accord.simulate.curves import Curve
from accord.simulate.errors.base import ErrorType
from accord.simulate.errors.wording import number
from accord.tables import Table, plain

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

    @property
    def every(self) -> tuple[Match, ...]:
        """The error types, and their mixture where there is one."""
        return (*self.matches, *((self.mixture,) if self.mixture is not None else ()))

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
        return [(str(m.error), m.magnitude, m.low, m.high, m.words) for m in self.every]

    def __str__(self) -> str:
        return self.in_words().rstrip("\n")

    def summary(self) -> str:
        near = (f"{m.error} {m.magnitude:z.3f}" for m in self.every if m.magnitude is not None)
        return f"{self.measure} = {self.value:z.3f}: {', '.join(near) or 'no error gives it'}"

    def in_words(self, color: bool = False) -> str:  # noqa: ARG002
        return "".join(f"{printable(line)}\n" for line in self.lines())

    def facts(self) -> list[str]:
        """The sentences; the magnitudes are in the table."""
        return [line for line in self.lines() if not line.startswith(" ")]

    def tables(self) -> list[Table]:
        rows = tuple((*row[:4], row[4] or _magnitude(m)) for row, m in zip(self.rows(), self.every, strict=True))
        return [Table("", ("error", "magnitude", "low", "high", "annotators who each …"), rows)]

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        errors = [dict(zip(COLUMNS, row, strict=True)) for row in self.rows()]
        made = {
            "measure": self.measure,
            "value": self.value,
            "interval": None if low is None else {"low": low, "high": high},
            "annotators": self.annotators,
            "reference": self.reference,
            "errors": errors[: len(self.matches)],
            "mixture": errors[-1] if self.mixture is not None else None,
            "rates": None if self.rates is None else asdict(self.rates),
            "sentences": self.lines(),
        }
        return plain(made)

    def flat(self) -> Table:
        return Table("", COLUMNS, tuple(self.rows()))

    def lines(self) -> list[str]:
        """In words."""
        name = self.name
        reached = [m for m in self.matches if m.magnitude is not None]
        limits = "" if self.interval is None else f" [{self.interval[0]:z.2f}, {self.interval[1]:z.2f}]"
        said = f"{name} = {self.value:z.2f}{limits}"
        if self.value > 1 - 1e-9:
            return [f"{name} = 1: there is no disagreement here that it could see, and no error to explain."]
        if not reached:
            lines = [f"{said}: no error type alone brings {number(self.annotators)} annotators there."]
        else:
            words = ", or ".join(m.words for m in reached)
            lines = [f"{said} is what {number(self.annotators)} annotators reach here who each {words}."]
        for match in self.matches:
            lines.append(f"  {match.error}: {_magnitude(match)}")
        if self.mixture is not None:
            best = "no size of it gives the value."
            if self.mixture.magnitude is not None:
                best = f"annotators who each {self.mixture.words}."
            lines.append(f"The mixture that explains these annotations best: {best}")
            lines.append(f"  {self.mixture.error}: {_magnitude(self.mixture)}")
        if self.rates is not None and any(self.rates.disorder.values()):
            parts = sorted(self.rates.disorder.items(), key=lambda item: -item[1])
            shares = ", ".join(f"{name} {share:.0%}" for name, share in parts if share >= 0.005)
            lines.append(f"The disorder of the best alignment comes from: {shares}.")
        if self.rates is None:
            lines.append("The annotators have no consensus, from which a mixture could be estimated.")
        lines.append(f"Errors are measured from the {self.reference}; magnitudes with 95% limits.")
        return lines

    def plot(self, path: str | Path) -> None:
        """The curves, with the measured value marked on them."""
        from accord.simulate.plot import figure

        panels = {"mixture" if m is self.mixture else str(m.error): [m.curve] for m in self.every}
        figure(panels, Path(path), f"{self.measure} = {self.value:z.3f}", mark=self.value)


def sure(sets: int) -> float:
    """Standard deviations, known from so many sets, that 95% of values stay within."""
    return t_quantile(sets - 1, 0.975)


def _magnitude(match: Match) -> str:
    if match.magnitude is None:
        there = ~np.isnan(match.curve.mean)
        if not there[1:].any():
            return f"undefined here: {next((r for r in match.curve.reasons if r), 'no value')}"
        return f"not reached: the mean stays at {float(np.nanmin(match.curve.mean)):z.3f} or above"
    return f"magnitude {match.magnitude:z.3f} [{match.low:z.3f}, {match.high:z.3f}]"
