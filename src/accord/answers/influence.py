"""`influence`: how the value changes without one annotator, one item or document, or one category.

To leave out a document, accord changes its weight: nothing is aligned again, and expected disagreement stays as
computed for the others. Without an annotator or a category, accord computes the value again. For texts, all pairs of
annotators are already aligned, and accord recombines the pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from accord.answers import options
from accord.answers.contrast import Draws, Term, bootstrap, linearise, make_term
from accord.answers.levels import are_amounts, notes_on_levels
from accord.answers.options import LEVEL
from accord.answers.question import question
from accord.answers.scoring import Scored, kinds_of, main_measure, score_data
from accord.core.arrays import Floats, Ints
from accord.core.context import Run, silent
from accord.core.errors import AccordError, DataError, SpecError, UnknownName, counted, for_interface
from accord.core.figures.bars import Change, Changes
from accord.core.options import Option
from accord.core.result import Result, Score
from accord.core.tables import Cell, Drawing, Interval, Table, ends, percent, plain, shown
from accord.data.door import opened
from accord.data.kinds import TEXTS
from accord.data.model.data import Data, Marked
from accord.data.model.ratings import Ratings
from accord.measures.distances.spaces import sums_by
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure
from accord.measures.resampling import Remembered, Sampled

_MOST_ROWS = 20
ROW = ("what", "name", "without", "change", "low", "high", "undefined", "shares", "items", "marked", "verdict")


@dataclass(frozen=True)
class Left:
    """The value without something, and the change: change = without − value."""

    name: str
    without: float
    change: float
    interval: Interval | None = None  # of the change
    undefined: str | None = None  # why the value is undefined without it
    exact: bool = True  # else by first-order approximation
    habit: Habit | None = None  # for annotators: how they differ from the others
    verdict: str = ""

    @property
    def influence(self) -> float:
        """Contribution to the value: the change with the opposite sign."""
        return -self.change

    def to_dict(self) -> dict[str, Any]:
        fields = {
            "name": self.name,
            "without": self.without,
            "change": self.change,
            "interval": asdict(self.interval) if self.interval else None,
            "undefined": self.undefined,
            "exact": self.exact,
        }
        return plain({**fields, "habit": asdict(self.habit), "verdict": self.verdict} if self.habit else fields)

    def row(self) -> tuple[Cell, ...]:
        """Cells under `ROW`, without the kind."""
        habit = (None, None, None) if self.habit is None else (self.habit.shares, self.habit.items, self.habit.amount)
        return (self.name, self.without, self.change, *ends(self.interval), self.undefined, *habit, self.verdict)


@dataclass(frozen=True, repr=False)
class Influence(Result):
    """All values with something left out, most harmful first."""

    score: Score
    annotators: tuple[Left, ...]
    units: tuple[Left, ...]  # items or documents
    categories: tuple[Left, ...]
    noun: str  # item or document
    notes: tuple[str, ...] = ()
    features: tuple[Left, ...] = ()  # of texts
    amounts: bool = False  # the labels are numbers on a scale, not categories

    @property
    def kinds(self) -> list[tuple[str, tuple[Left, ...]]]:
        """What was left out, in the order of the tables."""
        kinds = [("annotator", self.annotators), (self.noun, self.units), ("category", self.categories)]
        return [*kinds, ("feature", self.features)]

    def summary(self) -> str:
        worst = [f"{left[0].change:+z.3f} without {what} {left[0].name}" for what, left in self.kinds if left]
        return "; ".join([self.score.summary(), *worst])

    def facts(self) -> list[str]:
        score, interval = self.score, self.score.interval
        limits = f", {interval.method} interval {shown(interval)}" if interval else ""
        return [f"{score.measure} = {score.value:z.3f}{limits}"]

    def tables(self) -> list[Table]:
        annotators = [self._annotators()] if self.annotators else []
        return [*annotators, *(self._simple(noun, left) for noun, left in self.kinds[1:] if left)]

    def closing(self) -> list[str]:
        return list(self.notes)

    def _annotators(self) -> Table:
        units = any(left.habit is not None and left.habit.items is None for left in self.annotators)
        known = any(left.habit is not None for left in self.annotators)
        extra = ("label bias", "units marked") if units else ("quantity", "allocation")
        columns = ("annotator", "without", "change", self._interval_column, *(extra if known else ()), "")
        rows: list[tuple[Cell, ...]] = []
        for left in self.annotators[:_MOST_ROWS]:
            habit = left.habit
            more: tuple[Cell, ...] = ()
            if known:
                more = (None, None) if habit is None else (habit.shares, habit.amount if units else habit.items)
            rows.append((left.name, left.without, left.change, left.interval, *more, left.undefined or left.verdict))
        notes = ["change: the value without the annotator minus the value of all; the most harmful annotator is first"]
        if known and units:
            notes.append(
                "label bias: difference between the annotator's shares of labels and those of the others, from 0 to "
                "1; units marked: ratio to the mean number of the others"
            )
        elif known:
            due = "a different distribution of the numbers" if self.amounts else "different shares of the categories"
            notes.append(
                f"quantity + allocation: mean distance to the labels of the others; quantity: due to {due}; "
                "allocation: due to single items"
            )
        notes += _not_shown(self.annotators)
        title = f"{self.score.measure} without one annotator (all: {self.score.value:z.3f})"
        return Table(title, columns, tuple(rows), tuple(notes), extra[::-1])

    def _simple(self, noun: str, left: Sequence[Left]) -> Table:
        """The most harmful rows."""
        rows = [(x.name, x.without, x.change, x.interval, x.undefined or "") for x in left[:_MOST_ROWS]]
        notes = _not_shown(left)
        if any(not one.exact for one in left[:_MOST_ROWS]):
            notes.append("some values are first-order approximations")
        columns = (noun, "without", "change", self._interval_column, "")
        return Table(f"{self.score.measure} without one {noun}", columns, tuple(rows), tuple(notes))

    @property
    def _interval_column(self) -> str:
        everything = (change for _, left in self.kinds for change in left)
        return f"{percent(next((x.interval.level for x in everything if x.interval), 0.95))} interval"

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        known = any(change.undefined is None for _, left in self.kinds for change in left)
        return {"influence": self._bars} if known else {}

    def _bars(self) -> Changes:
        """Defined changes."""
        panels = tuple(
            (what, tuple(Change(one.name, one.change, one.interval) for one in left if one.undefined is None))
            for what, left in self.kinds
        )
        score = self.score
        of = f"change of {score.measure} (all: {score.value:z.3f})"
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
        return Table("", ROW, tuple((what, *change.row()) for what, left in self.kinds for change in left))


def _not_shown(left: Sequence[Left]) -> list[str]:
    return [for_interface(f"{len(left) - _MOST_ROWS:,} more rows; --json has all")] if len(left) > _MOST_ROWS else []


WHAT = ("annotator", "unit", "category", "feature")
_ALSO = {"item": "unit", "document": "unit"}
_MOST_CATEGORIES = 200


@dataclass(frozen=True, eq=False)
class Analysis:
    """The analysed score, the settings and the run."""

    whole: Scored
    settings: Settings
    run: Run

    @cached_property
    def term(self) -> Term:
        """The value to compare with, on the same bootstrap draws."""
        whole = make_term(-1.0, self.whole, self.run)
        return replace(whole, sample=replace(whole.sample, values=Remembered(whole.sample.values)))

    @cached_property
    def draws(self) -> Draws:
        """Bootstrap draws, the same for all changes."""
        return Draws(self.settings.replicates, self.run)


@question("spans.csv -m gamma --plot influence.svg")
def influence(
    data: options.Data,
    measure: options.Measure = None,
    *,
    by: Annotated[
        str | Sequence[str],
        Option(
            "What to leave out: annotator, item (or document), category or feature; repeatable. Default: all of these.",
            metavar="WHAT",
            shape="texts",
            formerly=("of",),
            heading="What to leave out",
        ),
    ] = (),
    leave_out: Annotated[
        options.Names,
        Option(
            "Annotators to leave out, one at a time. Default: each annotator.",
            metavar="X,Y",
            shape="names",
            formerly=("annotators",),
            heading="What to leave out",
        ),
    ] = None,
    level: options.Level = LEVEL,
    replicates: options.Replicates = 500,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Influence:
    """Show the value without each annotator, item or category in turn.

    The tables list first what lowers agreement most.

    Returns
    -------
    Influence
        The value without each of them, and the difference from the value of all data.

    Examples
    --------
    >>> rows = {"Ana": [1, 2, 1, 2], "Ben": [1, 2, 1, 2], "Cleo": [2, 2, 1, 1]}
    >>> [(left.name, left.without) for left in accord.influence(rows, "percent", by="annotator").annotators]
    [('Cleo', 1.0), ('Ana', 0.5), ('Ben', 0.5)]
    """  # fmt: skip
    wanted = {_ALSO.get(name, name) for name in (options.texts_in(by) or WHAT)}
    for name in wanted:
        if name not in WHAT:
            raise UnknownName("thing to leave out", name, (*WHAT, *_ALSO))
    run, settings = Run(seed, progress or silent, jobs), Settings(level=level, replicates=replicates)
    read_data = opened(data, reading, kinds_of(measure), run)
    if "feature" in wanted and wanted != set(WHAT) and read_data.kind is not TEXTS:
        raise SpecError(
            "option-not-for-data",
            f"--by feature applies to texts with token features, and these are {read_data.kind.words}; leave it out",
        )
    whole = score_data(read_data, main_measure(measure, read_data), settings, run)
    if whole.score.undefined is not None:
        raise DataError(
            "undefined-value",
            f"{whole.score.measure} is undefined for these data: {whole.score.undefined}; try another --measure",
        )
    asked = Analysis(whole, settings, run)
    notes: list[str] = []
    chosen = options.names_in(leave_out)
    if chosen is not None and "annotator" not in wanted:
        raise SpecError(
            "option-missing", "annotators to leave out are named, but --by does not include them; add --by annotator"
        )
    people = _annotators(asked, chosen, notes) if "annotator" in wanted else ()
    units, noun = _units(asked, notes) if "unit" in wanted else ((), _noun(whole))
    categories = _categories(asked, notes) if "category" in wanted else ()
    features = _features(asked, notes) if "feature" in wanted and read_data.kind is TEXTS else ()
    if "interval" in whole.score.details:
        notes.append(whole.score.details["interval"].partition(";")[0])  # the rest is advice about --interval
    notes += notes_on_levels({_variable(read_data): read_data}, () if measure is None else (whole.measure,))
    return Influence(whole.score, people, units, categories, noun, tuple(notes), features, are_amounts(read_data))


def _variable(data: Data) -> str:
    return data.variable if isinstance(data, Ratings) else ""


def _noun(whole: Scored) -> str:
    return "item" if whole.measure.data == "items" else "document"


def rank_changes(changes: Sequence[Left], score: Score) -> tuple[Left, ...]:
    """Sort by harm: first the changes that raise agreement, or lower an error, most."""
    sign = -1.0 if score.kind == "agreement" else 1.0
    return tuple(sorted(changes, key=lambda left: (math.isnan(left.change), sign * left.change, left.name)))


def _annotators(asked: Analysis, chosen: Sequence[str] | None, notes: list[str]) -> tuple[Left, ...]:
    data = asked.whole.data
    if not data.identified:
        notes.append("no annotator can be left out because the table does not identify annotators")
        return ()
    there = data.present
    for name in chosen or ():
        if name not in there:
            raise UnknownName("annotator", name, there)
    if len(there) < 3:
        notes.append("no annotator can be left out because there are only two")
        return ()
    known = find_habits(data, asked.whole.measure.distances(asked.whole.evidence), there)
    changes = []
    names = chosen or there
    samples = asked.whole.measure.sampled_without(asked.whole.evidence, names, asked.run)
    for k, (name, others) in enumerate(zip(names, samples, strict=True)):
        asked.run.progress("leaving annotators out", k, len(names))
        if others is None:
            left = _without(asked, name, data.only_annotators([other for other in there if other != name]))
        else:
            left = _counted_without(asked, name, others)
        habit = known.get(name)
        if habit is not None:
            left = replace(left, habit=habit, verdict=_verdict(asked, left, habit))
        changes.append(left)
    asked.run.progress("leaving annotators out", 1, 1)
    return rank_changes(changes, asked.whole.score)


def _verdict(asked: Analysis, left: Left, habit: Habit) -> str:
    """A short explanation for annotators who lower the value."""
    sign = 1.0 if asked.whole.score.kind == "agreement" else -1.0
    if math.isnan(left.change) or sign * left.change <= 0:
        return ""
    if left.interval is not None and left.interval.low <= 0 <= left.interval.high:
        return "within sampling error"
    return habit.verdict


def _without(asked: Analysis, name: str, fewer: Data, by: Measure | None = None) -> Left:
    """Compute the value again on fewer data, or by a measure that ignores something."""
    by = by or asked.whole.measure.same_chance(asked.whole.data)
    try:
        evidence = by.observe(fewer, asked.run)
        score = by.estimate(evidence)
    except DataError as error:
        return Left(name, math.nan, math.nan, undefined=str(error))
    if score.undefined is not None:
        return Left(name, math.nan, math.nan, undefined=score.undefined)
    rest = Scored(fewer, by, evidence, score)
    change = score.value - asked.whole.score.value
    if asked.whole.score.n < 2 or score.n < 2:
        return Left(name, score.value, change)
    return Left(name, score.value, change, interval_of_change(asked, make_term(1.0, rest, asked.run)))


def _counted_without(asked: Analysis, name: str, sample: Sampled) -> Left:
    """Return the value without an annotator, from the existing alignments."""
    if not sample.times.any():
        return Left(name, math.nan, math.nan, undefined="no remaining document can be compared")
    value = sample.value
    if math.isnan(value):
        return Left(name, value, value, undefined="random annotations have no disorder without this annotator")
    change = value - asked.whole.score.value
    if sample.times.sum() < 2:
        return Left(name, value, change)
    return Left(name, value, change, interval_of_change(asked, Term(1.0, value, sample, sample.times, None)))


def interval_of_change(asked: Analysis, rest: Term) -> Interval:
    """Interval of the change; both values use the same items or documents."""
    terms = rest, asked.term
    level = asked.settings.level
    if all(t.pull is not None for t in terms):
        spread = linearise(terms, level)
        return Interval(spread.low, spread.high, level, "linearised")
    spread = bootstrap(terms, level, asked.draws, asked.run, carried=False)
    return Interval(spread.low, spread.high, level, "bootstrap")


def _units(asked: Analysis, notes: list[str]) -> tuple[tuple[Left, ...], str]:
    left_out = without_units(asked.whole, asked.settings, asked.run)
    notes.extend(left_out.notes)
    value = asked.whole.score.value
    left = []
    for k, without in zip(left_out.shown, left_out.without[left_out.shown], strict=True):
        name = str(left_out.names[int(k)])
        if math.isnan(without):
            left.append(Left(name, math.nan, math.nan, undefined="the value is undefined without it"))
            continue
        interval = left_out.intervals.get(int(k))
        left.append(Left(name, float(without), float(without - value), interval, exact=bool(left_out.exact[k])))
    return rank_changes(left, asked.whole.score), left_out.noun


def _categories(asked: Analysis, notes: list[str]) -> tuple[Left, ...]:
    data = asked.whole.data
    if are_amounts(data):
        notes.append("no category is left out because the labels are numbers on a scale, not categories")
        return ()
    feature = next(iter(asked.whole.measure.features_of(asked.whole.evidence)), None) if data.kind is TEXTS else None
    if data.kind is TEXTS and feature is None:
        notes.append("no category can be left out because the tokens have no features")
        return ()
    column = data.label_column(feature)
    names, label = column.names, column.codes
    if len(names) < 2:
        notes.append("no category can be left out because there is only one")
        return ()
    if len(names) > _MOST_CATEGORIES:
        notes.append(f"categories were not left out: {counted(len(names), 'category')} are too many")
        return ()
    used = np.flatnonzero(np.bincount(label[label >= 0], minlength=len(names)))
    changes = []
    samples = asked.whole.measure.sampled_without_categories(asked.whole.evidence, used.tolist(), asked.run)
    for k, (code, others) in enumerate(zip(used.tolist(), samples, strict=True)):
        asked.run.progress("leaving categories out", k, len(used))
        if others is None:
            changes.append(_without(asked, names[code], data.without_category(code, feature)))
        else:
            changes.append(_counted_without(asked, names[code], others))
    asked.run.progress("leaving categories out", 1, 1)
    return rank_changes(changes, asked.whole.score)


def _features(asked: Analysis, notes: list[str]) -> tuple[Left, ...]:
    """Score texts without each token feature."""
    measure, evidence = asked.whole.measure, asked.whole.evidence
    names = measure.features_of(evidence)
    if not names:
        notes.append("no feature can be left out because the tokens have none")
    changes = []
    for k, name in enumerate(names):
        asked.run.progress("leaving features out", k, len(names))
        changes.append(_without(asked, name, asked.whole.data, measure.without_feature(evidence, name)))
    return rank_changes(changes, asked.whole.score)


# -- Leave out items and documents one by one, from existing evidence --


_MOST_EXACT = 1_000  # distinct items left out exactly; of more, only the extreme ones
_MOST_SHOWN = 20_000
_WITH_INTERVAL = 10
_CHEAP = 20_000  # labels above which single items get no intervals
_REPLICATES = 200


@dataclass(frozen=True, eq=False)
class LeftOut:
    """The value without each item or document, and the indices to show."""

    names: Sequence[str]
    without: Floats
    exact: np.ndarray
    shown: np.ndarray
    noun: str
    intervals: dict[int, Interval] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def without_units(whole: Scored, settings: Settings, run: Run) -> LeftOut:
    """Leave out each item or document once."""
    measure, evidence = whole.measure, whole.evidence
    sample = measure.sampled(evidence, run)
    if sample is None:
        raise DataError(
            "measure-for-other-data", f"{measure.name} pools all documents, so none can be left out; use --by annotator"
        )
    if sample.times.sum() < 2:
        noun = sample.noun
        return LeftOut(
            (),
            np.zeros(0),
            np.zeros(0, bool),
            np.zeros(0, int),
            noun,
            notes=(f"the {noun} cannot be left out because it is the only one",),
        )
    notes: list[str] = []
    kinds = sample.kinds
    if kinds is None:
        run.progress("leaving documents out", 0, 1)
        without, exact = sample.without_each(), np.ones(len(sample), dtype=bool)
        run.progress("leaving documents out", 1, 1)
    else:
        without, exact = _by_kind(whole, sample, kinds, notes)
    there = np.flatnonzero(sample.times)
    order = there[np.argsort(-np.abs(np.nan_to_num(without[there] - whole.score.value, nan=np.inf)), kind="stable")]
    if len(order) > _MOST_SHOWN:
        notes.append(f"results are kept for the {_MOST_SHOWN:,} of {len(order):,} items with the largest change")
        order = order[:_MOST_SHOWN]
    cheap = sample.labels <= _CHEAP
    intervals = _intervals(sample, order[:_WITH_INTERVAL], settings.level, run) if cheap else {}
    if not cheap:
        notes.append("single items have no interval because there are too many items")
    elif len(order) > _WITH_INTERVAL:
        notes.append(f"only the {_WITH_INTERVAL} {sample.noun}s with the largest change have intervals")
    return LeftOut(sample.names, without, exact, order, sample.noun, intervals, tuple(notes))


def _by_kind(whole: Scored, sample: Sampled, kinds: tuple[Ints, Ints], notes: list[str]) -> tuple[Floats, np.ndarray]:
    """Leave out one item of each kind: items with the same labels have the same effect."""
    (kind, first), value = kinds, whole.score.value
    exact = np.zeros(len(first), dtype=bool)
    without = np.empty(len(first))
    wanted = np.arange(len(first))
    given = whole.measure.contributions(whole.evidence, named=True) if len(first) > _MOST_EXACT else None
    if given is not None:
        without = value + (value - given.values[first]) / (given.n - 1)
        without[given.times[first] == 0] = value
        wanted = np.argsort(-np.abs(without - value), kind="stable")[: _MOST_EXACT // 10]
        notes.append(
            f"values are exact for the {len(wanted)} items with the largest change and first-order approximations for "
            "the others"
        )
    for k in wanted:
        times = sample.times.copy()
        times[first[k]] -= 1
        without[k] = sample.values(times[None, :])[0]
        exact[k] = True
    return without[kind], exact[kind]


def _intervals(sample: Sampled, chosen: np.ndarray, level: float, run: Run) -> dict[int, Interval]:
    """Interval of the change due to one item, with the others resampled."""
    n = round(float(sample.times.sum()))
    intervals = {}
    for place, k in enumerate(chosen):
        run.progress("intervals", place, len(chosen))
        others = sample.times.copy()
        others[k] -= 1
        draws = run.rng(9).multinomial(n - 1, others / (n - 1), size=_REPLICATES).astype(np.float64)
        without = sample.drawn(draws)
        draws[:, k] += 1
        change = without - sample.drawn(draws)
        change = change[~np.isnan(change)]
        if len(change) > _REPLICATES // 2:
            low, high = np.quantile(change, [(1 - level) / 2, (1 + level) / 2])
            intervals[int(k)] = Interval(float(low), float(high), level, "bootstrap of the others")
    run.progress("intervals", 1, 1)
    return intervals


# -- Difference of an annotator from the others: shares of categories (quantity) or single items (allocation) --
# On items, the mean distance D between an annotator's labels and those of the others has a part that the shares of the
# categories make unavoidable: the minimal cost of moving one distribution to the other. For the nominal distance this
# is ½ Σ |p_k − q_k|, the quantity disagreement of Pontius & Millones 2011. The remainder is on single items.


_MANY_MORE, _OTHER_SHARES = 1.25, 0.1
_SHARES = "uses the categories with different frequencies"


@dataclass(frozen=True)
class Habit:
    """On items `shares` + `items` is the mean distance to the others; on units `shares` is the label bias."""

    shares: float  # part due to the shares of the categories
    items: float | None  # remainder, on single items; None for units
    amount: float | None = None  # units marked, relative to the mean of the others
    verdict: str = ""


def find_habits(data: Data, distances: Floats | None, annotators: Sequence[str]) -> dict[str, Habit]:
    """Return the habit of each annotator if known. `distances` are the distances between labels."""
    marked = data.marked()
    if marked is not None:
        return _on_units(marked, data.annotators, annotators)
    if distances is None or not isinstance(data, Ratings):
        return {}
    habits = _on_items(data, distances, annotators)
    if not are_amounts(data):
        return habits
    return {
        name: replace(habit, verdict="gives a different distribution of numbers") if habit.verdict == _SHARES else habit
        for name, habit in habits.items()
    }


def _on_items(ratings: Ratings, distance: Floats, annotators: Sequence[str]) -> dict[str, Habit]:
    q = len(ratings.categories)
    where = np.bincount(ratings.item.astype(np.int64) * q + ratings.label, minlength=len(ratings.items) * q)
    counts = where.reshape(-1, q).astype(np.float64)
    habits: dict[str, Habit] = {}
    codes = {name: code for code, name in enumerate(ratings.annotators)}
    for name in annotators:
        mine = ratings.annotator == codes[name]
        item, label = ratings.item[mine], ratings.label[mine]
        others = counts[item]
        others[np.arange(len(item)), label] -= 1
        size = others.sum(axis=1)
        met = size > 0
        if not met.any():
            continue
        share = others[met] * (ratings.weight[item[met]] / size[met])[:, None]
        table = np.stack([share[label[met] == c].sum(axis=0) for c in range(q)])
        table /= table.sum()
        least = least_cost(table.sum(axis=1), table.sum(axis=0), distance)
        habits[name] = Habit(least, max(0.0, float((table * distance).sum()) - least))
    many = len(habits)
    shares, items = (sum(getattr(habit, of) or 0.0 for habit in habits.values()) for of in ("shares", "items"))
    return {
        name: replace(habit, verdict=_verdict_on_items(habit, shares / many, items / many) if many > 1 else "")
        for name, habit in habits.items()
    }


def _verdict_on_items(mine: Habit, mean_shares: float, mean_items: float) -> str:
    """Name the part that exceeds its mean more: shares of categories, or single items."""
    shares, items = mine.shares - mean_shares, (mine.items or 0.0) - mean_items
    if max(shares, items) <= 0:
        return ""
    return _SHARES if shares > items else "disagrees on single items"


def least_cost(first: Floats, second: Floats, distance: Floats) -> float:
    """Return the minimal mean distance between labels with these distributions: a transport problem."""
    q = len(first)
    if np.array_equal(distance, 1.0 - np.eye(q)):
        return float(np.abs(first - second).sum() / 2)
    corner = distance[:-1, :-1] + distance[1:, 1:] - distance[:-1, 1:] - distance[1:, :-1]
    if (corner <= 1e-12).all():  # on a scale, matching in order is optimal
        cuts = np.unique(np.concatenate([np.cumsum(first), np.cumsum(second), [0.0, 1.0]]).round(12))
        middle = (cuts[:-1] + cuts[1:]) / 2
        i = np.minimum(np.searchsorted(np.cumsum(first), middle), q - 1)
        j = np.minimum(np.searchsorted(np.cumsum(second), middle), q - 1)
        return float(np.diff(cuts) @ distance[i, j])
    from scipy.optimize import linprog

    ones = np.ones((1, q))
    both = np.vstack([np.kron(np.eye(q), ones), np.kron(ones, np.eye(q))])
    shares = np.concatenate([first, second])[:-1]  # the last equation follows from the others except for rounding
    solution = linprog(distance.ravel(), A_eq=both[:-1], b_eq=shares, method="highs")
    if solution.fun is None:
        raise AccordError(
            "solver-failed",
            f"the distance between two label distributions could not be computed: {solution.message}; "
            "use --measure SPEC with another distance",
        )
    return float(solution.fun)


def _on_units(data: Marked, everybody: Sequence[str], annotators: Sequence[str]) -> dict[str, Habit]:
    """Compare an annotator's number of units and labels with the others in the same documents."""
    annotator, doc, looked, q = data.annotator, data.doc, data.looked, data.labels
    code = np.where(data.label >= 0, data.label, q)
    number, all_of_them = {name: g for g, name in enumerate(everybody)}, looked.sum(axis=1)
    habits = {}
    for name in annotators:
        g = number[name]
        others = all_of_them - looked[:, g]
        met = (looked[:, g] & (others > 0))[doc]
        own, theirs = met & (annotator == g), met & (annotator != g)
        mine: Floats = np.bincount(code[own], minlength=q + 1).astype(np.float64)
        rest = sums_by(code[theirs], 1.0 / others[doc[theirs]], q + 1)
        shift = np.abs(_share(mine) - _share(rest)).sum() / 2
        habits[name] = Habit(float(shift), None, float(mine.sum() / rest.sum()) if rest.sum() else None)
    return {name: replace(habit, verdict=_verdict_on_units(habit)) for name, habit in habits.items()}


def _verdict_on_units(habit: Habit) -> str:
    if habit.amount is not None and not 1 / _MANY_MORE < habit.amount < _MANY_MORE:
        more = "more" if habit.amount > 1 else "less"
        return f"marks {abs(habit.amount - 1):.0%} {more} than the others"
    if habit.shares > _OTHER_SHARES:
        return _SHARES
    return "marks other positions"


def _share(counts: Floats) -> Floats:
    total = counts.sum()
    return counts / total if total else counts
