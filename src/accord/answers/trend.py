"""`trend`: agreement by round, tests of changes between neighbouring rounds, and each annotator by round."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Annotated, Any

from accord.answers import options
from accord.answers.comparison import Comparison, Comparisons, How, compare_data, correct_for_several, describe_methods
from accord.answers.levels import notes_on_levels
from accord.answers.options import LEVEL, REPLICATES
from accord.answers.question import question
from accord.answers.scoring import kinds_of, main_measure, score_each
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, counted, quoted
from accord.core.figures.curves import Line, Series
from accord.core.options import Option
from accord.core.result import Result, Score, about_intervals, interval_heading
from accord.core.tables import Cell, Drawing, Table, ends, percent, plain
from accord.data.door import is_data, opened
from accord.data.io.reading import DOCUMENT
from accord.data.model.data import Data
from accord.data.model.labels import as_number
from accord.data.model.ratings import NO_VALUE
from accord.measures.catalogue import measure as measure_named
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure

_MOST_PEOPLE = 12  # most lines of a readable figure


@dataclass(frozen=True)
class Round:
    """A round: its scores, or the reason why there are none."""

    name: str
    n: int  # items or documents
    scores: tuple[Score, ...]
    problem: str = ""


@dataclass(frozen=True, repr=False)
class Trend(Result):
    """Scores over rounds in order, comparisons of neighbouring rounds, and annotators by round."""

    by: str
    order: str  # numbers, dates, or as they come
    rounds: tuple[Round, ...]
    changes: Comparisons
    annotators: Mapping[str, Mapping[str, tuple[float | None, ...]]]  # by measure and annotator, one value per round
    level: float
    noun: str  # what n of a round counts
    notes: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.measure for r in self.rounds for score in r.scores))

    def score(self, name: str, of: str) -> Score | None:
        """Return the score of a round by a measure."""
        r = next(r for r in self.rounds if r.name == name)
        return next((score for score in r.scores if score.measure == of), None)

    def summary(self) -> str:
        shown = (
            f"{of}: {', '.join(f'{value:z.3f}' for value in self.values(of))}" for of in self.measures
        )  # fmt: skip
        return f"{len(self.rounds)} rounds by {self.by}; {'; '.join(shown)}"

    def values(self, of: str) -> tuple[float, ...]:
        """Return the value of each round by a measure; NaN without a value."""
        scores = (self.score(r.name, of) for r in self.rounds)
        return tuple(math.nan if score is None else score.value for score in scores)

    def facts(self) -> list[str]:
        return [
            f"rounds by column {self.by}, in the order of {'the data' if self.order == AS_THEY_COME else self.order}",
            *self.notes,
        ]

    def tables(self) -> list[Table]:
        return [self._values(), *([self._changes()] if len(self.changes) else []), *map(self._people, self.annotators)]

    def _values(self) -> Table:
        scores = [score for r in self.rounds for score in r.scores]
        rows: list[tuple[Cell, ...]] = []
        notes: list[str] = []
        for r in self.rounds:
            rows += [(r.name, s.measure, s.value, s.limits, s.n) for s in r.scores]
            if r.problem:
                rows.append((r.name, "–", math.nan, None, r.n))
                notes.append(f"{r.name}: {r.problem}")
            notes += [f"{r.name}: {s.measure} is undefined: {s.undefined}" for s in r.scores if s.undefined]
        columns = (self.by, "measure", "value", interval_heading(scores, percent(self.level)), self.noun)
        return Table("", columns, tuple(rows), tuple(dict.fromkeys([*notes, *about_intervals(scores)])))

    def _changes(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (c.a.measure, f"{c.names[0]} → {c.names[1]}", c.difference, c.interval, c.p,
             c.p_final)
            for c in self.changes
        ]  # fmt: skip
        columns = ("measure", "rounds", "change", f"{percent(self.level)} interval", "p", "p (Holm)")
        notes = list(describe_methods(self.changes))
        notes += [f"{c.a.measure}, {c.names[0]} → {c.names[1]}: {c.few}" for c in self.changes if c.few]
        return Table("change between neighbouring rounds", columns, tuple(rows), tuple(dict.fromkeys(notes)))

    def _people(self, of: str) -> Table:
        people = self.annotators[of]
        rows = tuple((name, *values) for name, values in people.items())
        return Table(
            f"{of} of each annotator with the others, by {self.by}", ("annotator", *(r.name for r in self.rounds)), rows
        )

    def closing(self) -> list[str]:
        """State which changes exceed sampling error."""
        if not len(self.changes):
            return []
        alpha = 1 - self.level
        real = [c for c in self.changes if c.p_final is not None and c.p_final <= alpha]
        if not real:
            return ["No change between neighbouring rounds is larger than sampling error explains."]
        return [
            f"{c.a.measure} {'rises' if c.difference > 0 else 'falls'} from {c.names[0]} to {c.names[1]} by "
            f"{abs(c.difference):.3f}: more than sampling error explains."
            for c in real
        ]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"trend": self._lines} if self.measures else {}

    def _lines(self) -> Series:
        """Values over rounds; with one line per annotator if there are few."""
        at = tuple(map(float, range(len(self.rounds))))
        panels = []
        for of in self.measures:
            intervals = [score and score.interval for score in (self.score(r.name, of) for r in self.rounds)]
            low = tuple(i.low if i else math.nan for i in intervals)
            high = tuple(i.high if i else math.nan for i in intervals)
            people = self.annotators.get(of, {})
            few = people.items() if len(people) <= _MOST_PEOPLE else ()
            lines = tuple(Line(name, at, tuple(math.nan if v is None else v for v in values)) for name, values in few)
            panels.append((of, Line("all", at, self.values(of), low, high), lines))
        return Series("", tuple(r.name for r in self.rounds), self.by, tuple(panels))

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "by": self.by,
                "order": self.order,
                "rounds": [
                    {"round": round_.name, "n": round_.n, "problem": round_.problem or None,
                     "scores": [score.brief() for score in round_.scores]}
                    for round_ in self.rounds
                ],
                "changes": [change.to_dict() for change in self.changes],
                "annotators": {
                    of: {name: dict(zip((r.name for r in self.rounds), values, strict=True))
                         for name, values in people.items()}
                    for of, people in self.annotators.items()
                },
                "level": self.level,
                "notes": list(self.notes),
            }
        )  # fmt: skip

    def flat(self) -> Table:
        columns = ("round", "annotator", "measure", "value", "low", "high", "se", "n", "change", "p", "p_holm",
                   "problem")  # fmt: skip
        change = {(c.a.measure, c.names[1]): c for c in self.changes}
        rows: list[tuple[Cell, ...]] = []
        for r in self.rounds:
            if r.problem:
                rows.append((r.name, *[None] * 6, r.n, *[None] * 3, r.problem))
            for s in r.scores:
                c = change.get((s.measure, r.name))
                changed = (c.difference, c.p, c.p_final) if c else (None, None, None)
                rows.append((r.name, "", s.measure, s.value, *ends(s.interval), s.se, s.n, *changed, s.undefined))
        for of, people in self.annotators.items():
            for name, values in people.items():
                rows += [(r.name, name, of, value, *[None] * 8) for r, value in zip(self.rounds, values, strict=True)]
        return Table("", columns, tuple(rows))


@question("labels.csv --by round -m alpha --plot trend.svg")
def trend(
    data: options.Data,
    by: Annotated[
        str,
        Option(
            "Column of the rounds. accord sorts numbers and dates, and keeps the order of the data for other names.",
            metavar="COLUMN",
            complete="columns",
            heading="Further columns",
            needed="the column of the rounds is required:",
        ),
    ],
    measure: options.Measures = None,
    *,
    interval: options.Interval = "default",
    level: options.Level = LEVEL,
    replicates: options.Replicates = REPLICATES,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Trend:
    """Follow agreement over rounds, with a test of each change.

    accord compares neighbouring rounds like `compare` and corrects p (Holm) for all of them. The value of an annotator
    in a round is the mean over the pairs with the others.

    Returns
    -------
    Trend

    Examples
    --------
    >>> rows = {"round": [1] * 4 + [2] * 4, "item": [1, 2, 3, 4] * 2, "A": [1, 2] * 4, "B": [1, 1, 1, 2] + [1, 2] * 2}
    >>> trend = accord.trend(rows, "round", "percent", item="item", label=["A", "B"])
    >>> [(r.name, r.scores[0].value) for r in trend.rounds]
    [('1', 0.75), ('2', 1.0)]
    """  # fmt: skip
    run, settings = Run(seed, progress or silent, jobs), Settings(interval, level, replicates)
    specs = [measure] if isinstance(measure, str | Measure) else list(measure or ())
    if not is_data(data):
        reading = {**reading, "by": by}
    given = opened(data, reading, kinds_of(*specs), run)
    measures = [main_measure(spec, given) for spec in specs or (None,)]
    assumed = notes_on_levels({given.variable: given}, [measure_named(spec) for spec in specs])
    parts, order, left = _rounds(given, by)
    how = How(level=level, replicates=replicates, interval=interval)
    found = [_round(name, part, measures, settings, run) for name, part in parts.items()]
    if all(one.problem for one in found):
        raise DataError(
            "nothing-shared",
            f"no round can be scored: {found[0].name}: {found[0].problem}; choose another column with --by",
        )
    changes, notes = _changes(parts, measures, how, run)
    people = {str(m): one for m in measures if (one := _people(str(m), found))}
    return Trend(by, order, tuple(found), changes, people, level, given.kind.n, (*given.notes, *assumed, *left, *notes))


def _rounds(data: Data, by: str) -> tuple[dict[str, Data], str, list[str]]:
    """Split the data into rounds, in order; also return the kind of order and notes on rows without a round."""
    if data.kind.noun == "document" and by in DOCUMENT:
        raise DataError(
            "nothing-shared",
            f"--by: column {quoted(by)} names the documents; choose a column that divides the documents into rounds",
        )
    parts: dict[str, Data] = dict(data.by(by))
    empty = [parts.pop(name) for name in ("", NO_VALUE) if name in parts]
    left = [f"{counted(part.n_items, data.kind.noun)} left out because column {by} is empty" for part in empty]
    if len(parts) < 2:
        raise DataError(
            "nothing-shared",
            f"column {quoted(by)} has only one value, so there is no other round to compare; choose another column "
            "with --by",
        )
    names = list(parts)
    order, which = time_order(names)
    return {names[k]: parts[names[k]].without_ending(f" ({names[k]})") for k in order}, which, left


def _round(name: str, data: Data, measures: Sequence[Measure], settings: Settings, run: Run) -> Round:
    try:
        return Round(name, data.n_items, score_each(data, measures, settings, run))
    except DataError as error:
        return Round(name, data.n_items, (), str(error))


def _changes(
    parts: Mapping[str, Data], measures: Sequence[Measure], how: How, run: Run
) -> tuple[Comparisons, list[str]]:
    """Compare neighbouring rounds by each measure; also return why some cannot be compared."""
    changes: list[Comparison] = []
    troubles: list[str] = []
    for by in measures:
        for (a, first), (b, second) in pairwise(parts.items()):
            try:
                changes.append(compare_data((first, second), (by, by), how, run, (a, b)))
            except (DataError, SpecError) as error:
                troubles.append(f"{by}: {a} and {b} cannot be compared: {error}")
    return correct_for_several(changes), troubles


def _people(of: str, rounds: Sequence[Round]) -> dict[str, tuple[float | None, ...]]:
    """Return the value of each annotator in each round; None without a value."""
    by_round: list[Mapping[str, Score]] = []
    for r in rounds:
        score = next((s for s in r.scores if s.measure == of), None)
        by_round.append(score.parts["annotator"] if score is not None and "annotator" in score.parts else {})
    names = dict.fromkeys(name for people in by_round for name in people)
    return {
        name: tuple(_known(people[name].value) if name in people else None for people in by_round) for name in names
    }


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


AS_THEY_COME = "as they come"
_NUMBERED = re.compile(r"(\D*?)(\d{1,9})")


def time_order(names: Sequence[str]) -> tuple[list[int], str]:
    """Return positions of the names in order of time, and the kind of order: numbers, dates, or as they come."""
    numbers = [as_number(name) for name in names]
    if not any(map(math.isnan, numbers)):
        return sorted(range(len(names)), key=lambda k: numbers[k]), "numbers"
    dates = [_as_date(name) for name in names]
    known = [date for date in dates if date is not None]
    # Times with and without a time zone cannot be compared.
    if len(known) == len(names) and len({date.tzinfo is None for date in known}) == 1:
        return sorted(range(len(names)), key=lambda k: known[k]), "dates"
    parts = [_NUMBERED.fullmatch(name.strip()) for name in names]
    within = [int(part[2]) for part in parts if part]  # Round 1, Round 2, Round 10
    if len(within) == len(names) and len({part[1].casefold() for part in parts if part}) == 1:
        return sorted(range(len(names)), key=lambda k: within[k]), "numbers"
    return list(range(len(names))), AS_THEY_COME


def _as_date(name: str) -> datetime | None:
    try:
        return datetime.fromisoformat(name.strip())
    except ValueError:
        return None
