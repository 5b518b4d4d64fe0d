"""The verdict on a value: every sentence is a function of the numbers that it describes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from accord.answers.citing.wording import compared
from accord.answers.reporting.sentences import Number, Sentence, share
from accord.core.errors import counted
from accord.core.result import Kind, Score
from accord.core.tables import Interval, percent, shown
from accord.measures.catalogue import ON_SCALES
from accord.measures.measure import Measure

HALF = 0.5  # of the way from chance to perfect agreement
WIDE = 0.2  # width of an interval above which the value counts as uncertain
SIGNIFICANT = 0.05
MONTE_CARLO = "monte_carlo"
_NO_WIDTH = 1e-12
_LIKELY = 0.05  # share of disagreement not excluded by the number of items, from which a perfect value needs caution
_EXACT = ("gamma", "f1")  # measures of other data whose perfect value means that nothing differs


@dataclass(frozen=True)
class Measured:
    """The numbers behind a verdict.

    `low` and `high` are the limits of an interval for the sampling of items or documents. An interval that covers the
    Monte Carlo error only is not one. `p` is of a test of no agreement; p of other tests is left out.
    """

    value: float
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    p: float | None = None
    n: int = 0  # compared items or documents
    noun: str = "item"
    kind: Kind = "agreement"
    corrected: bool = True  # 0 means chance agreement
    above_chance: bool = True  # 0 means chance agreement, but no expected agreement is computed (ICC)
    exact: bool = True  # a perfect value means that no item shows disagreement
    itemwise: bool = True  # the disagreement is a sum over items or documents

    @property
    def interval(self) -> tuple[float, float] | None:
        if self.low is None or self.high is None or not (math.isfinite(self.low) and math.isfinite(self.high)):
            return None
        return self.low, self.high

    @property
    def width(self) -> float:
        """Width of the interval; NaN without one."""
        return math.nan if self.interval is None else self.interval[1] - self.interval[0]

    @property
    def wide(self) -> bool:
        return self.width > WIDE

    @property
    def without_width(self) -> bool:
        return self.width <= _NO_WIDTH

    @property
    def perfect(self) -> bool:
        return self.value == (0.0 if self.kind == "error" else 1.0)

    @property
    def significant(self) -> bool:
        """Whether a test rejects the hypothesis of no agreement."""
        return self.p is not None and self.p < SIGNIFICANT

    @property
    def things(self) -> str:
        """The compared items: "these 20 items"."""
        if not self.n:
            return "these data"
        return f"this {self.noun}" if self.n == 1 else f"these {counted(self.n, self.noun)}"

    @property
    def not_excluded(self) -> float:
        """The largest share of items with disagreement that n items without any do not exclude at this level.

        It is the one-sided limit of Clopper and Pearson, about 3 / n at 95% (the rule of three).
        """
        return 1.0 if not self.n else 1.0 - (1.0 - self.level) ** (1.0 / self.n)


def measured(score: Score, measure: Measure) -> Measured:
    """Return the numbers of a score that its verdict depends on."""
    interval = sampling_interval(score)
    found = compared(score)
    tests_agreement = "no agreement" in (score.tested or "")
    below = measure.lowest < 0
    return Measured(
        float(score.value),
        None if interval is None else interval.low,
        None if interval is None else interval.high,
        0.95 if interval is None else interval.level,
        score.p if tests_agreement else None,
        score.n if found is None else found[1],
        "item" if measure.data == "items" else "document",
        score.kind,
        score.kind == "agreement" and score.expected is not None and below,
        score.kind == "agreement" and below,
        measure.on_items or measure.name in _EXACT,
        not isinstance(measure, ON_SCALES),
    )


def sampling_interval(score: Score) -> Interval | None:
    """Return the interval unless it covers the Monte Carlo error only."""
    return None if score.interval is None or score.interval.method == MONTE_CARLO else score.interval


def headline(of: Measured) -> str:
    """Compare the whole interval with chance. No verbal scale of values is used."""
    if math.isnan(of.value):
        return "Agreement is undefined for these data"
    if of.perfect:
        return f"Annotators agree perfectly on {of.things}{'' if of.exact else ' by this measure'}"
    if of.kind == "error":
        return "Error between annotators"
    if of.corrected:
        return _against_chance(of)
    return "Agreement between annotators" + ("" if of.above_chance else ", not corrected for chance")


def _against_chance(of: Measured) -> str:
    if of.interval is None:
        known = of.significant and of.value > 0
        return (
            "Annotators agree beyond chance, but the value has no interval"
            if known
            else "Agreement in these data only: the value has no interval"
        )
    low, high = of.interval
    if low <= 0 <= high and not of.significant:
        return "Agreement is not distinguishable from chance"
    if high < 0 or (low <= 0 and of.value <= 0):
        return "Annotators agree less than expected by chance"
    if low > HALF:
        return "Annotators agree well beyond chance: closer to perfect agreement than to chance"
    if high < HALF:
        return "Annotators agree beyond chance, but closer to chance than to perfect agreement"
    return "Annotators agree beyond chance" + (", but the degree of agreement is uncertain" if of.wide else "")


def meaning_of_value(of: Measured, name: str) -> Iterator[Sentence]:
    """State what the value means, and what 0 and 1 mean."""
    if of.kind == "error":
        yield (f"{name} is an error measure: 0 is perfect agreement.",)
    elif of.corrected:
        if not of.perfect:
            yield ("Observed disagreement is ", share(1 - of.value), " of the disagreement expected by chance.")
        yield (f"{name} is 1 for perfect agreement and 0 for chance agreement.",)
    elif of.above_chance:
        yield (f"{name} is 1 for perfect agreement.",)
    else:
        yield (f"{name} is 1 for perfect agreement. It is not corrected for chance.",)
    if of.perfect and not _unsure(of) and (bound := _bound(of)):
        yield bound


def limits_of_interval(of: Measured) -> Iterator[Sentence]:
    """State what the width of the interval implies. A missing interval has its own reason."""
    if of.wide:
        yield (
            "The interval is ", Number(of.width), " wide, so the value is uncertain. "
            f"About four times as many {of.noun}s would halve the width.",
        )  # fmt: skip
    if of.without_width and not of.perfect:
        yield ("The interval has no width, so it does not show how uncertain the value is.",)
    if of.perfect and _unsure(of):
        yield _bound(of) or ("The interval has no width, so it does not show how uncertain the value is.",)


def _unsure(of: Measured) -> bool:
    """Whether a perfect value comes from so few items that considerable disagreement is not excluded."""
    return not of.wide and (of.without_width or of.interval is None) and not (of.itemwise and of.not_excluded < _LIKELY)


def _bound(of: Measured) -> Sentence:
    """State how much disagreement is compatible with none on n items; empty if an interval shows it."""
    if not of.itemwise or not of.n or not (of.without_width or of.interval is None):
        return ()
    no_width = "The interval of a perfect value has no width, which is not certainty. " if of.without_width else ""
    noun = of.noun if of.n == 1 else f"{of.noun}s"
    return (
        f"{no_width}{of.n:,} {noun} without disagreement do not exclude that annotators disagree on up to ",
        share(of.not_excluded), f" of all {of.noun}s ({percent(of.level)} confidence).",
    )  # fmt: skip


def about_monte_carlo(score: Score, noun: str) -> str:
    """State that there is no interval, and what the limits cover; empty for other intervals."""
    made = score.interval
    if made is None or made.method != MONTE_CARLO:
        return ""
    why = f"one {noun}" if score.n < 2 else "the sampling of documents is not covered"
    return f"no interval: {why}; {shown(made)} covers only the random sampling of chance"
