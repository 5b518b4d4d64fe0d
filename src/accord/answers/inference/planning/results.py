"""What planning gives: who annotates what, how many items it takes, what a design costs, who repeats themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, ClassVar

from accord.core.errors import counted, printable
from accord.core.result import ROW, Result, Score, forest
from accord.core.tables import Cell, Drawing, Interval, Table, plain

_MOST_SHOWN = 10


@dataclass(frozen=True, repr=False)
class Layout(Result):
    """Which annotator gets which document."""

    subject: ClassVar[str] = "Design"
    is_data: ClassVar[bool] = True

    annotators: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]  # document, annotator

    @property
    def loads(self) -> dict[str, int]:
        """Documents per annotator."""
        given = dict.fromkeys(self.annotators, 0)
        for _, name in self.rows:
            given[name] += 1
        return given

    @property
    def meetings(self) -> dict[tuple[str, str], int]:
        """Documents that every two annotators share."""
        by_doc: dict[str, list[str]] = {}
        for doc, name in self.rows:
            by_doc.setdefault(doc, []).append(name)
        met = dict.fromkeys(combinations(self.annotators, 2), 0)
        place = {name: k for k, name in enumerate(self.annotators)}
        for names in by_doc.values():
            for pair in combinations(sorted(names, key=place.__getitem__), 2):
                met[pair] += 1
        return met

    def summary(self) -> str:
        docs = len(dict.fromkeys(doc for doc, _ in self.rows))
        return f"{counted(docs, 'document')} for {counted(len(self.annotators), 'annotator')}"

    def tables(self) -> list[Table]:
        loads, met = tuple(self.loads.items()), tuple((f"{a} – {b}", n) for (a, b), n in self.meetings.items())
        return [
            Table("who annotates what", ("doc", "annotator"), self.rows).first(),
            Table("documents per annotator", ("annotator", "documents"), loads).first(),
            Table("documents that two annotators share", ("pair", "documents"), met).first(),
        ]

    def to_dict(self) -> dict[str, Any]:
        return {"layout": [list(row) for row in self.rows], "loads": self.loads}

    def flat(self) -> Table:
        return Table("", ("doc", "annotator"), self.rows)


@dataclass(frozen=True, repr=False)
class SampleSize(Result):
    """`n` items or documents; for unpaired studies, in each of the two."""

    n: int
    noun: str
    sd: float  # of the value, per item or document: its error is sd/√n
    basis: str  # where sd comes from
    goal: str
    simulated: float | None = None  # mean width, or power, of simulated studies of this size
    simulations: int = 0
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        return f"{self.n:,} {self.noun}s for {self.goal}"

    def in_words(self, color: bool = False, width: int = 80) -> str:  # noqa: ARG002
        lines = [self.summary(), f"basis: {self.basis}; standard deviation per {self.noun} {self.sd:z.3f}"]
        if self.simulated is not None:
            lines.append(f"checked by {self.simulations} simulations of this size: {self.simulated:z.3f}")
        return "".join(f"{printable(line)}\n" for line in (*lines, *self.notes))

    def tables(self) -> list[Table]:
        columns = (f"{self.noun}s", "goal", "basis", "standard deviation", "simulated", "simulations")
        row = (self.n, self.goal, self.basis, self.sd, self.simulated, self.simulations)
        return [Table("", columns, (row,), self.notes)]

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))

    def flat(self) -> Table:
        columns = ("n", "noun", "sd", "basis", "goal", "simulated", "simulations")
        return Table("", columns, (tuple(getattr(self, name) for name in columns),))


@dataclass(frozen=True, repr=False)
class Crossing(Result):
    """A coefficient under a design, its errors, and what full crossing (FC1) gives instead of two per item (PC2)."""

    subject: ClassVar[str] = "Two annotators per item instead of all"

    score: Score  # of the data as they are: errors given these annotators
    se_annotators: float | None  # what annotators being a sample would add
    two_per_item: Score | None  # mean over PC2 designs drawn from the data; its se holds items and the choice of pairs
    se_choice: float | None  # of it, what the choice of pairs alone makes
    note: str
    se_full: tuple[float, float] | None = None  # of two per item: the error of full crossing lies between these
    full_from: int = 0  # items that everybody labelled, where they show that error

    def summary(self) -> str:
        two = "" if self.two_per_item is None else f"; two annotators per item: {self.two_per_item.summary()}"
        return f"{self.score.summary()}{two}"

    def tables(self) -> list[Table]:
        rows: list[tuple[Cell, ...]] = [("the data as they are", self.score.value, self.score.interval, self.score.se)]
        if self.two_per_item is not None:
            two = self.two_per_item
            rows.append(("two annotators per item (PC2)", two.value, two.interval, two.se))
        if self.se_full is not None:
            low, high = self.se_full
            rows.append(
                ("full crossing (FC1)", None, None, f"{low:z.3f}" if low == high else f"{low:z.3f} to {high:z.3f}")
            )
        notes = [self.note]
        if self.se_choice is not None:
            notes.append(f"the choice of the two alone makes an error of {self.se_choice:z.3f}")
        if self.se_annotators is not None:
            notes.append(
                f"if the annotators are a sample, too, {self.se_annotators:z.3f} is added to the error (as squares)"
            )
        columns = (self.score.measure, "value", "interval", "standard error")
        return [Table("", columns, tuple(rows), tuple(notes))]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        two = {} if self.two_per_item is None else {"two annotators per item": self.two_per_item}
        return {"forest": lambda: forest({"the data as they are": self.score, **two}, "", "design")}

    def to_dict(self) -> dict[str, Any]:
        two = None if self.two_per_item is None else self.two_per_item.brief()
        facts: dict[str, Any] = {"se_annotators": self.se_annotators, "se_choice": self.se_choice, "note": self.note}
        facts |= {"se_full": self.se_full, "full_from": self.full_from}
        return plain({"score": self.score.brief(), "two_per_item": two, **facts})

    def flat(self) -> Table:
        """A row per design; the error of full crossing is known between two limits."""
        low, high = self.se_full or (None, None)
        designs = [("as they are", self.score), *([("PC2", self.two_per_item)] if self.two_per_item else [])]
        rows: list[tuple[Cell, ...]] = [(name, *s.row(), None, None) for name, s in designs]
        if self.se_full is not None:
            rows.append(("FC1", self.score.measure, *[None] * (len(ROW) - 1), low, high))
        return Table("", ("design", *ROW, "se_from", "se_to"), tuple(rows))


@dataclass(frozen=True)
class Flips:
    """How often the repetitions of an item are not all the same."""

    n: int  # items that are repeated, by annotator
    flipped: int
    interval: Interval | None  # of the share
    differ: float  # the share of pairs of repetitions that differ: more repetitions do not raise it
    repetitions: float  # of an item, on average

    @property
    def share(self) -> float:
        return self.flipped / self.n if self.n else math.nan

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "share": self.share}


@dataclass(frozen=True)
class Setting:
    """Repetitions under the same values of columns: prompt, temperature, version."""

    values: tuple[str, ...]
    flips: Flips
    score: Score


@dataclass(frozen=True)
class Between:
    """Two settings: on how many items both have labels, the share of pairs, one of each, that differ, and agreement."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    n: int
    differ: float
    score: Score | None


@dataclass(frozen=True)
class Unstable:
    """An item that flips."""

    item: str
    annotator: str
    settings: int  # in how many of them it does
    differ: float  # share of pairs of repetitions, the mean over settings
    labels: Mapping[str, int]


@dataclass(frozen=True, repr=False)
class Intra(Result):
    """How well annotators agree with themselves: all of them (errors clustered by item or document), and each."""

    subject: ClassVar[str] = "Agreement of annotators with themselves"

    score: Score
    annotators: Mapping[str, Score]
    noun: str = "item"
    flips: Mapping[str, Flips] = field(default_factory=dict)  # of labels of items: of all (""), and of each annotator
    by: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    between: tuple[Between, ...] = ()
    unstable: tuple[Unstable, ...] = ()  # the worst first
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        return f"{self.score.summary()}, {counted(len(self.annotators), 'annotator')}"

    def tables(self) -> list[Table]:
        made = [self._annotators()]
        if self.settings:
            made.append(self._settings())
        if self.between:
            made.append(self._between())
        if self.unstable:
            made.append(self._unstable())
        return made

    def _annotators(self) -> Table:
        def row(name: str, shown: str, score: Score) -> tuple[Cell, ...]:
            cells = (shown, score.value, score.interval, score.n)
            return (*cells, *_flip_cells(self.flips[name])[2:4]) if name in self.flips else cells

        rows = [row("", "all", self.score), *(row(name, name, s) for name, s in self.annotators.items())]
        notes = [f"{name}: {s.undefined}" for name, s in self.annotators.items() if s.undefined]
        notes.append("each annotator against themselves; the error of all is clustered by " + self.noun)
        if self.by:
            notes.append("here labels of all settings are repetitions of each other")
        more = ("flip", "flip interval") if self.flips else ()
        columns = ("annotator", self.score.measure, "interval", f"{self.noun}s", *more)
        return Table("", columns, tuple(rows), (*notes, *self.notes))

    def _settings(self) -> Table:
        rows = tuple(
            (*one.values, *_flip_cells(one.flips), one.flips.differ if one.flips.n else None,
             None if one.score.undefined else one.score.value, one.score.interval)
            for one in self.settings
        )  # fmt: skip
        notes = tuple(
            f"{' · '.join(one.values)}: {one.score.undefined}" for one in self.settings if one.score.undefined
        )
        flips = ("flip", "flip interval", "pairs differ")
        columns = (*self.by, "items", "repetitions", *flips, self.score.measure, "interval")
        return Table("within each setting", columns, rows, notes)

    def _between(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for one in self.between:
            value, interval = (one.score.value, one.score.interval) if one.score else (None, None)
            differ = one.differ if one.n else None
            rows.append((" · ".join(one.one), " · ".join(one.other), one.n, differ, value, interval))
        columns = ("one", "another", "items", "pairs differ", self.score.measure, "interval")
        return Table("between settings", columns, tuple(rows)).first()

    def _unstable(self) -> Table:
        by = ("settings",) if self.by else ()
        rows = tuple(
            (one.item, one.annotator, *((one.settings,) if self.by else ()), one.differ,
             ", ".join(f"{label} {n}" for label, n in one.labels.items()))
            for one in self.unstable[:_MOST_SHOWN]
        )  # fmt: skip
        title = f"the {_MOST_SHOWN} of {len(self.unstable):,} items that flip most"
        whole = len(self.unstable) <= _MOST_SHOWN
        return Table(
            "items that flip" if whole else title, ("item", "annotator", *by, "pairs differ", "labels"), rows
        )  # fmt: skip

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": lambda: forest(self.annotators, "", "annotator", whole=self.score)}

    def to_dict(self) -> dict[str, Any]:
        each = {name: score.brief() for name, score in self.annotators.items()}
        return plain(
            {
                "score": self.score.brief(),
                "annotators": each,
                "flips": {name or "all": one.to_dict() for name, one in self.flips.items()},
                "by": list(self.by),
                "settings": [
                    {"values": dict(zip(self.by, one.values, strict=True)), "flips": one.flips.to_dict(),
                     "score": one.score.brief()}
                    for one in self.settings
                ],
                "between": [
                    {"one": list(one.one), "other": list(one.other), "n": one.n, "differ": one.differ,
                     "score": one.score.brief() if one.score else None}
                    for one in self.between
                ],
                "unstable": [asdict(one) for one in self.unstable],
                "notes": list(self.notes),
            }
        )  # fmt: skip

    def flat(self) -> Table:
        """The first row, without a name, is that of all; settings follow, with their values."""
        flip = ("flip_items", "repetitions", "flip", "flip_low", "flip_high", "pairs_differ")

        def cells(one: Flips | None) -> tuple[Cell, ...]:
            if one is None or not one.n:
                return (None,) * len(flip)
            low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
            return (one.n, one.repetitions, one.share, low, high, one.differ)

        empty = ("",) * len(self.by)
        scores = [("", self.score), *self.annotators.items()]
        rows = [(name, *empty, *s.row(), *cells(self.flips.get(name))) for name, s in scores]
        rows += [("", *one.values, *one.score.row(), *cells(one.flips)) for one in self.settings]
        return Table("", ("annotator", *self.by, *ROW, *flip), tuple(rows))


def _flip_cells(one: Flips) -> tuple[Cell, ...]:
    """Items, repetitions, the share that flips, its interval."""
    times = int(one.repetitions) if one.n and one.repetitions.is_integer() else one.repetitions
    return (one.n, times, one.share, one.interval) if one.n else (0, None, None, None)
