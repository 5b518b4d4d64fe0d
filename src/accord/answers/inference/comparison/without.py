"""What the value is without each annotator, item or document, category, and how that is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from accord.answers.inference.comparison.habits import Habit
from accord.core.errors import in_words_of_asker
from accord.core.figures.bars import Change, Changes
from accord.core.result import Result, Score
from accord.core.tables import Cell, Drawing, Interval, Table, percent, plain, shown

_MOST_ROWS = 20
ROW = ("what", "name", "without", "change", "low", "high", "undefined", "shares", "items", "marked", "verdict")


@dataclass(frozen=True)
class Left:
    """The value without something, and how it changes: change = without − value."""

    name: str
    without: float
    change: float
    interval: Interval | None = None  # of the change
    undefined: str | None = None  # why there is no value without it
    exact: bool = True  # else by the first-order contribution
    habit: Habit | None = None  # of annotators: how they differ from the others
    verdict: str = ""

    @property
    def influence(self) -> float:
        """What it adds to the value: the change with the other sign."""
        return -self.change

    def to_dict(self) -> dict[str, Any]:
        made = {
            "name": self.name,
            "without": self.without,
            "change": self.change,
            "interval": asdict(self.interval) if self.interval else None,
            "undefined": self.undefined,
            "exact": self.exact,
        }
        return plain({**made, "habit": asdict(self.habit), "verdict": self.verdict} if self.habit else made)

    def row(self) -> tuple[Cell, ...]:
        """Under `ROW`, without what it is."""
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        habit = (None, None, None) if self.habit is None else (self.habit.shares, self.habit.items, self.habit.amount)
        return (self.name, self.without, self.change, low, high, self.undefined, *habit, self.verdict)


@dataclass(frozen=True, repr=False)
class Influence(Result):
    """Everything that was left out, most harmful first."""

    score: Score
    annotators: tuple[Left, ...]
    units: tuple[Left, ...]  # items or documents
    categories: tuple[Left, ...]
    noun: str  # item or document
    notes: tuple[str, ...] = ()
    features: tuple[Left, ...] = ()  # of texts

    @property
    def kinds(self) -> list[tuple[str, tuple[Left, ...]]]:
        """What was left out, in the order in which it is shown."""
        kinds = [("annotator", self.annotators), (self.noun, self.units), ("category", self.categories)]
        return [*kinds, ("feature", self.features)]

    def summary(self) -> str:
        worst = [f"{left[0].change:+z.3f} without {what} {left[0].name}" for what, left in self.kinds if left]
        return "; ".join([self.score.summary(), *worst])

    def facts(self) -> list[str]:
        score, made = self.score, self.score.interval
        interval = f", {made.method} interval {shown(made)}" if made else ""
        return [f"{score.measure} = {score.value:z.3f}{interval}"]

    def tables(self) -> list[Table]:
        made = [self._annotators()] if self.annotators else []
        return [*made, *(self._simple(noun, left) for noun, left in self.kinds[1:] if left)]

    def closing(self) -> list[str]:
        return list(self.notes)

    def _annotators(self) -> Table:
        units = any(one.habit is not None and one.habit.items is None for one in self.annotators)
        known = any(one.habit is not None for one in self.annotators)
        extra = ("shares", "marked") if units else ("by shares", "item by item")
        columns = ("annotator", "without", "change", self._interval_column, *(extra if known else ()), "")
        rows: list[tuple[Cell, ...]] = []
        for one in self.annotators[:_MOST_ROWS]:
            habit = one.habit
            more: tuple[Cell, ...] = ()
            if known:
                more = (None, None) if habit is None else (habit.shares, habit.amount if units else habit.items)
            rows.append((one.name, one.without, one.change, one.interval, *more, one.undefined or one.verdict))
        notes = ["change: of the value when the annotator is left out; the most harmful first"]
        if known and units:
            notes.append(
                "shares: how far the labels differ in their shares from the others'; marked: units per unit of others"
            )
        elif known:
            notes.append("by shares + item by item: mean distance to the others' labels of the same items")
        notes += _not_shown(self.annotators)
        title = f"without one annotator ({self.score.measure} = {self.score.value:z.3f})"
        return Table(title, columns, tuple(rows), tuple(notes), extra[::-1])

    def _simple(self, noun: str, left: Sequence[Left]) -> Table:
        """The most harmful."""
        rows = [(x.name, x.without, x.change, x.interval, x.undefined or "") for x in left[:_MOST_ROWS]]
        notes = _not_shown(left)
        if any(not one.exact for one in left[:_MOST_ROWS]):
            notes.append("some are by their first-order contribution")
        columns = (noun, "without", "change", self._interval_column, "")
        return Table(f"without one {noun}", columns, tuple(rows), tuple(notes))

    @property
    def _interval_column(self) -> str:
        everything = (one for _, left in self.kinds for one in left)
        return f"{percent(next((x.interval.level for x in everything if x.interval), 0.95))} interval"

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        known = any(one.undefined is None for _, left in self.kinds for one in left)
        return {"influence": self._bars} if known else {}

    def _bars(self) -> Changes:
        """What can be left out, and leaves a value."""
        panels = tuple(
            (what, tuple(Change(one.name, one.change, one.interval) for one in left if one.undefined is None))
            for what, left in self.kinds
        )
        score = self.score
        of = f"change of {score.measure} (now {score.value:z.3f})"
        return Changes("", tuple(panel for panel in panels if panel[1]), of, score.kind == "error")

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "score": self.score.brief(),
                "annotators": [one.to_dict() for one in self.annotators],
                f"{self.noun}s": [one.to_dict() for one in self.units],
                "categories": [one.to_dict() for one in self.categories],
                **({"features": [one.to_dict() for one in self.features]} if self.features else {}),
                "notes": list(self.notes),
            }
        )

    def flat(self) -> Table:
        return Table("", ROW, tuple((what, *one.row()) for what, left in self.kinds for one in left))


def _not_shown(left: Sequence[Left]) -> list[str]:
    return [in_words_of_asker(f"{len(left) - _MOST_ROWS:,} more; --json has all")] if len(left) > _MOST_ROWS else []
