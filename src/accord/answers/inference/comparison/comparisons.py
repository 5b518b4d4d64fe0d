"""Two values and their difference, one of them or several, and what is said about them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from accord.core.errors import printable
from accord.core.figures.forest import Estimate, Forest
from accord.core.result import Result, Score, Several
from accord.core.tables import Cell, Drawing, Interval, Table, percent, plain

# Why interval and p may disagree.
TWO_WAYS = "the interval comes from drawing documents again, and p from exchanging them: take neither as proof"
SKEWED = "the draws are skewed, and p counts both sides alike: take neither as proof"
OF_FEW = "it leaves room for an error that few items carry, and p asks for less, whether there is a difference at all"
OF_FEWER = "both rest on an error that few items carry"
_USUAL = 0.95
_CARRIED = 5.0  # documents that carry a difference; below, exchanging them may err
_OFTEN = "simulated, p is at or below 0.05 in 3 to 16 of 100 such pairs of studies that agree equally well"
_FEW = 10  # items or documents below which the distribution of the test is doubtful


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Two values and their difference b − a; `sentence` says it in words."""

    a: Score
    b: Score
    difference: float
    se: float
    interval: Interval
    p: float | None
    method: str
    sentence: str
    n_common: int = 0  # items or documents that both rest on
    df: float | None = None
    names: tuple[str, str] = ("a", "b")
    p_holm: float | None = None  # p corrected for all comparisons that were made together
    comparisons: int = 1
    apart: str = ""  # why interval and p may disagree; empty where they cannot
    annotators: str = "given"  # or "sampled": whether the error has room for other annotators
    few: str = ""  # what is said where few items carry the difference
    notes: tuple[str, ...] = ()  # what looks wrong in the data

    def summary(self) -> str:
        return f"{self._what}: {self.names[1]} − {self.names[0]} = {self.difference:+z.3f}"

    def __str__(self) -> str:
        return printable(self.sentence)

    @property
    def _what(self) -> str:
        same = self.a.measure == self.b.measure
        return self.a.measure if same else f"{self.a.measure}, {self.b.measure}"

    def tables(self) -> list[Table]:
        return Comparisons((self,)).tables()

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return Comparisons((self,)).drawings()

    def closing(self) -> list[str]:
        return [self.sentence]

    def to_dict(self) -> dict[str, Any]:
        made = {
            "a": self.a.brief(),
            "b": self.b.brief(),
            "difference": self.difference,
            "se": self.se,
            "interval": asdict(self.interval),
            "p": self.p,
            "method": self.method,
            "sentence": self.sentence,
            "names": list(self.names),
            "n_common": self.n_common,
            "df": self.df,
            "annotators": self.annotators,
            "notes": list(self.notes),
        }
        several = {} if self.p_holm is None else {"p_holm": self.p_holm, "comparisons": self.comparisons}
        return plain({**made, **several})

    def flat(self) -> Table:
        return Comparisons((self,)).flat()

    def row(self) -> tuple[Cell, ...]:
        """Under `ROW`."""
        sides = (self.a.measure, self.names[0], self.a.value, self.b.measure, self.names[1], self.b.value)
        spread = (self.difference, self.se, self.interval.low, self.interval.high, self.interval.level)
        return (*sides, *spread, self.p, self.p_holm, self.df, self.n_common, self.method)


ROW = (
    "measure_a", "a", "value_a", "measure_b", "b", "value_b", "difference", "se", "low", "high", "level", "p", "p_holm",
    "df", "n_common", "method",
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Comparisons(Several[Comparison]):
    """Comparisons that were made together; where there are several, p is corrected (Holm)."""

    def summary(self) -> str:
        return ", ".join(one.summary() for one in self.each)

    def __str__(self) -> str:
        return "\n".join(map(str, self.each))

    def tables(self) -> list[Table]:
        several = len(self.each) > 1
        level = percent(self.each[0].interval.level) if self.each else ""
        columns = ("measure", "a", "value", "b", "value", "b − a", f"{level} interval", "p")
        rows: list[tuple[Cell, ...]] = []
        for one in self.each:
            sides = (one.names[0], one.a.value, one.names[1], one.b.value)
            rows.append((one._what, *sides, one.difference, one.interval, one.p, *((one.p_holm,) if several else ())))
        notes = tuple(dict.fromkeys(f"method: {one.method}" for one in self.each))
        if any(one.annotators == "given" for one in self.each):
            notes += ("the annotators are taken as given: with others the difference may be another",)
        notes += tuple(dict.fromkeys(note for one in self.each for note in one.notes))
        least = ("p",) if several else ()
        return [Table("", (*columns, "p (Holm)") if several else columns, tuple(rows), notes, least)]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": self._forest} if self.each else {}

    def _forest(self) -> Forest:
        """Differences with their intervals."""
        several = len({one._what for one in self.each}) > 1
        rows = tuple(
            Estimate(f"{one.names[1]} − {one.names[0]}", one.difference, one.interval, one._what if several else "")
            for one in self.each
        )
        what = "" if several else f" of {self.each[0]._what}"
        return Forest("", rows, "comparison", f"difference{what}")

    def closing(self) -> list[str]:
        """A sentence for each."""
        corrected = [f"{len(self.each)} comparisons: p is Holm-corrected"] if len(self.each) > 1 else []
        return [*corrected, *(one.sentence for one in self.each)]

    def to_dict(self) -> dict[str, Any]:
        """One comparison is the object itself; several are a list, corrected."""
        if len(self.each) == 1:
            return self.each[0].to_dict()
        return {"comparisons": [one.to_dict() for one in self.each], "correction": "Holm"}

    def flat(self) -> Table:
        return Table("", ROW, tuple(one.row() for one in self.each))


def sentence(found: Comparison) -> str:
    """The finding in words."""
    a, b = found.names
    what = found.a.measure if found.a.measure == found.b.measure else f"{found.a.measure} and {found.b.measure}"
    level = f"{found.interval.level * 100:.6g}%"
    head = (
        f"{what}: {found.a.value:z.3f} ({a}) and {found.b.value:z.3f} ({b}); {b} − {a} = {found.difference:+z.3f}, "
        f"{level} interval {found.interval.low:+z.3f} to {found.interval.high:+z.3f}"
    )
    p = found.p if found.p_holm is None else found.p_holm
    if p is None:
        return f"{head}; nothing varies, so there is no test."
    shown = "p < 0.001" if p < 0.001 else f"p = {p:z.3f}"
    if found.p_holm is not None:
        shown += f" after Holm's correction for {found.comparisons} comparisons"
    if p <= 1 - found.interval.level + 1e-12:
        better = b if (found.difference > 0) == (found.b.kind == "agreement") else a
        verdict = "the difference is more than sampling would give"
        if found.a.measure == found.b.measure:  # of two measures, neither is the better one
            verdict += f", in favour of {better}"
    else:
        verdict = "sampling alone gives differences as large as this; there may be none"
    few = f" There are few {'pairs' if found.n_common else 'items or documents'}." if _few(found) else ""
    carried = f" {found.few}" if found.few else ""
    return f"{head}; {shown}: {verdict}.{_disagreement(found)}{carried}{few}"


def said_of_few(carriers: float, apart: str, level: float) -> str:
    """What is said where few items carry a difference; nothing where p and interval part for other reasons."""
    if apart == TWO_WAYS and carriers < _CARRIED:
        often = f": {_OFTEN}" if level == _USUAL else ""
        return f"Few documents carry the difference, {carriers:.1f}{often}."
    if apart not in (OF_FEW, OF_FEWER):
        return ""
    held = " (simulated, such intervals hold the truth 92 to 100 times in 100)" if level == _USUAL else ""
    what = (
        f"the interval is wide for lack of data{held}" if apart == OF_FEW else "its error is known no better than that"
    )
    return f"Few items carry the difference, {carriers:.1f}: {what}."


def _disagreement(found: Comparison) -> str:
    """Why one of interval and p speaks for a difference and the other does not; nothing where they agree."""
    least = 1 - found.interval.level + 1e-12
    without_0 = found.interval.low > 0 or found.interval.high < 0
    p = found.p if found.p_holm is None else found.p_holm
    if found.p is None or p is None or without_0 == (p <= least):
        return ""
    if without_0 == (found.p <= least):  # it was the correction
        return " The interval leaves out 0, for it is not corrected."
    why = f": {found.apart}" if found.apart else ""
    holds = "leaves out 0 and p does not" if without_0 else "holds 0 and p speaks against it"
    return f" The interval {holds}{why}."


def _few(found: Comparison) -> bool:
    return min(found.a.n, found.b.n) < _FEW


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Holm 1979: p-values corrected for being several; those that are None stay so."""
    known = sorted((value, k) for k, value in enumerate(p) if value is not None and not math.isnan(value))
    made: list[float | None] = [None] * len(p)
    least = 0.0
    for rank, (value, k) in enumerate(known):
        least = max(least, min(1.0, (len(known) - rank) * value))
        made[k] = least
    return made


def corrected(comparisons: Iterable[Comparison]) -> Comparisons:
    """Several comparisons made together: each with its corrected p, and a sentence that says so."""
    found = tuple(comparisons)
    if len(found) < 2:
        return Comparisons(found)
    several = [
        replace(c, p_holm=p, comparisons=len(found)) for c, p in zip(found, holm([c.p for c in found]), strict=True)
    ]
    return Comparisons(tuple(replace(c, sentence=sentence(c)) for c in several))
