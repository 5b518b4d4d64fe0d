"""Thresholds for those who guard a corpus: is the value at least, the error at most, so much?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from accord.context import Run, silent
from accord.door import checks_options, opened
from accord.errors import SpecError, UnknownName, printable, quoted
from accord.inference.intervals.methods import Settings
from accord.inference.prevalence import far_lower
from accord.inference.scoring import scored
from accord.measures.base import Measure
from accord.measures.catalogue import measure
from accord.result import Score, Several
from accord.tables import Table, plain

Bound = Literal["min", "max"]
USES = ("value", "lower")


@dataclass(frozen=True)
class Threshold:
    """What a measure has to reach, or must not exceed."""

    measure: Measure
    bound: Bound
    limit: float


@dataclass(frozen=True)
class Checked:
    """What came of a threshold; `held_against` is the value, or the end of the interval that was asked for."""

    threshold: Threshold
    score: Score
    held_against: float
    passed: bool
    reason: str

    @property
    def sign(self) -> str:
        return "≥" if self.threshold.bound == "min" else "≤"

    def to_dict(self) -> dict[str, Any]:
        made = {
            "measure": str(self.threshold.measure),
            self.threshold.bound: self.threshold.limit,
            "held_against": self.held_against,
            "passed": self.passed,
            "reason": self.reason,
            "score": self.score.brief(),
        }
        return plain(made)


@dataclass(frozen=True, repr=False)
class Checks(Several[Checked]):
    """What came of each threshold."""

    @property
    def passed(self) -> bool:
        """Whether all of them hold."""
        return all(one.passed for one in self.each)

    def summary(self) -> str:
        failed = [one.reason for one in self.each if not one.passed]
        return (
            f"{len(failed)} of {len(self.each)} failed: {'; '.join(failed)}" if failed else f"{len(self.each)} passed"
        )

    def in_words(self, color: bool = False) -> str:  # noqa: ARG002
        return "".join(f"{'ok' if one.passed else 'FAILED'}  {printable(one.reason)}\n" for one in self.each)

    def tables(self) -> list[Table]:
        rows = tuple(
            (
                str(one.threshold.measure),
                f"{one.sign} {one.threshold.limit:g}",
                one.held_against,
                "ok" if one.passed else "FAILED",
                one.reason,
            )
            for one in self.each
        )
        return [Table("", ("measure", "threshold", "held against", "", "reason"), rows)]

    def to_dict(self) -> dict[str, Any]:
        return {"passed": self.passed, "checks": [one.to_dict() for one in self.each]}

    def flat(self) -> Table:
        columns = ("measure", "bound", "limit", "held_against", "value", "passed", "reason", "signature")
        rows = tuple(
            (
                str(one.threshold.measure),
                one.threshold.bound,
                one.threshold.limit,
                one.held_against,
                one.score.value,
                one.passed,
                one.reason,
                one.score.signature,
            )
            for one in self.each
        )
        return Table("", columns, rows)


def threshold(text: str, bound: Bound) -> Threshold:
    """`gamma=0.7`, `alpha(distance=ordinal)=0.8`."""
    spec, equals, limit = text.rpartition("=")
    try:
        number = float(limit)
    except ValueError:
        number = math.nan
    if not equals or not spec or not math.isfinite(number):
        raise SpecError(f"--{bound} takes a measure and a number, for example --{bound} gamma=0.7; not {quoted(text)}")
    return Threshold(measure(spec), bound, number)


def _thresholds(given: Mapping[str, float] | None, bound: Bound) -> list[Threshold]:
    if given is not None and not isinstance(given, Mapping):
        raise SpecError(f'thresholds are numbers by measure: {{"gamma": 0.7}}; not {quoted(given)}')
    for spec, limit in (given or {}).items():
        if isinstance(limit, bool) or not isinstance(limit, int | float) or not math.isfinite(limit):
            raise SpecError(f"the threshold of {spec} is a number, not {quoted(limit)}")
    return [Threshold(measure(spec), bound, float(limit)) for spec, limit in (given or {}).items()]


@checks_options
def check(
    data: Any,
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    *,
    use: str = "value",
    interval: str = "default",
    level: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> Checks:
    """`check("corpus/", {"gamma": 0.7, "alpha(distance=ordinal)": 0.8}, use="lower")`: one result per threshold."""
    asked = [*_thresholds(minimum, "min"), *_thresholds(maximum, "max")]
    settings, run = Settings(interval, level, replicates), Run(seed, progress, jobs)
    return checked(opened(data, reading, [one.measure.data for one in asked]), asked, use, settings, run)


def checked(data: Any, asked: Sequence[Threshold], use: str, settings: Settings, run: Run) -> Checks:
    if use not in USES:
        raise UnknownName("thing to hold against the threshold", use, USES)
    if not asked:
        raise SpecError("name a threshold: --min gamma=0.7, or --max ser=0.2 for errors")
    found = [(one, scored(data, one.measure, settings, run).score) for one in asked]
    return Checks(tuple(_one(score, one, use, far_lower(data, one.measure, score, run)) for one, score in found))


def _one(score: Score, asked: Threshold, use: str, hint: str | None = None) -> Checked:
    what = f"{score.measure} {'≥' if asked.bound == 'min' else '≤'} {asked.limit:g}"
    if score.undefined is not None or math.isnan(score.value):
        return Checked(asked, score, math.nan, False, f"{what} cannot be checked: undefined, {score.undefined}")
    held, finding = score.value, f"the value is {score.value:z.4f}"
    if use == "lower":
        if score.interval is None:
            reason = score.details.get("interval") or "--interval none asks for none: choose another"
            return Checked(asked, score, math.nan, False, f"{what} cannot be checked: no interval; {reason}")
        held = score.interval.low if asked.bound == "min" else score.interval.high
        end = "lower" if asked.bound == "min" else "upper"
        level = f"{score.interval.level * 100:.6g}%"
        chance = ", which holds chance alone" if score.interval.method == "monte_carlo" else ""
        finding = f"the {end} end of the {level} interval ({score.interval.method}{chance}) is {held:z.4f}, {finding}"
        if "interval" in score.details:
            finding += f"; {score.details['interval']}"
    if hint is not None:
        finding += f"; {hint}"
    passed = held >= asked.limit if asked.bound == "min" else held <= asked.limit
    return Checked(asked, score, float(held), bool(passed), f"{what} {'holds' if passed else 'fails'}: {finding}")
