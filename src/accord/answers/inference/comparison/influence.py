"""Who, and what, pulls the value down: each annotator, item or document, and category left out once.

Documents are left out by counting them differently: nothing is aligned again, and chance keeps what it found for the
others. Annotators and categories change what is compared, so they are computed again; of texts, every two annotators
are aligned already, and their pairs are put together again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from accord.answers.inference.comparison.contrast import Draws, Term, drawn, linear, term
from accord.answers.inference.comparison.habits import Habit, habits
from accord.answers.inference.comparison.left_out import without_units
from accord.answers.inference.comparison.without import Influence, Left
from accord.answers.inference.scoring import Scored, kinds_of, main_measure, scored
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, UnknownName, counted
from accord.core.result import Score
from accord.core.tables import Interval
from accord.data.door import checks_options, names_of, opened
from accord.data.kinds import TEXTS
from accord.data.model.data import Data
from accord.measures.base import Measure
from accord.measures.intervals.methods import Settings
from accord.measures.sampling import Remembered, Sampled

WHAT = ("annotator", "unit", "category", "feature")
_ALSO = {"item": "unit", "document": "unit"}
_MOST_CATEGORIES = 200


@dataclass(frozen=True, eq=False)
class Asked:
    """What an analysis depends on."""

    whole: Scored
    settings: Settings
    run: Run

    @cached_property
    def term(self) -> Term:
        """The value that all others are compared with, on the same draws."""
        made = term(-1.0, self.whole, self.run)
        return replace(made, sample=replace(made.sample, values=Remembered(made.sample.values)))

    @cached_property
    def draws(self) -> Draws:
        """The same for all of them."""
        return Draws(self.settings.replicates, self.run)


@checks_options
def influence(
    data: Any,
    spec: str | Measure | None = None,
    *,
    of: Sequence[str] = WHAT,
    annotators: Sequence[str] | None = None,
    level: float = 0.95,
    replicates: int = 500,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> Influence:
    """What the value would be without each annotator, item or document, category: `influence("spans.csv", "gamma")`.

    `of` chooses among annotator, unit, category, and feature for texts; `annotators` whom to leave out. Further options
    go to `read`.
    """
    wanted = {_ALSO.get(name, name) for name in names_of(of)}
    for name in wanted:
        if name not in WHAT:
            raise UnknownName("thing to leave out", name, (*WHAT, *_ALSO))
    run, settings = Run(seed, progress, jobs), Settings(level=level, replicates=replicates)
    read_data = opened(data, reading, kinds_of(spec), run)
    if "feature" in wanted and wanted != set(WHAT) and read_data.kind is not TEXTS:
        raise SpecError(f"feature: tokens of texts have features to leave out, and these are {read_data.kind.words}")
    whole = scored(read_data, main_measure(spec, read_data), settings, run)
    if whole.score.undefined is not None:
        raise DataError(f"{whole.score.measure} is undefined here: {whole.score.undefined}")
    asked = Asked(whole, settings, run)
    notes: list[str] = []
    chosen = None if annotators is None else names_of(annotators)
    if chosen is not None and "annotator" not in wanted:
        raise SpecError("whom to leave out is named, but annotators are not to be left out: add annotator to `of`")
    people = _annotators(asked, chosen, notes) if "annotator" in wanted else ()
    units, noun = _units(asked, notes) if "unit" in wanted else ((), _noun(whole))
    categories = _categories(asked, notes) if "category" in wanted else ()
    features = _features(asked, notes) if "feature" in wanted and read_data.kind is TEXTS else ()
    if "interval" in whole.score.details:
        notes.append(whole.score.details["interval"].partition(";")[0])  # the rest is advice about --interval
    return Influence(whole.score, people, units, categories, noun, tuple(notes), features)


def _noun(whole: Scored) -> str:
    return "item" if whole.measure.data == "items" else "document"


def ranked(found: Sequence[Left], score: Score) -> tuple[Left, ...]:
    """Most harmful first: those without whom agreement rises, or error falls, most."""
    sign = -1.0 if score.kind == "agreement" else 1.0
    return tuple(sorted(found, key=lambda left: (math.isnan(left.change), sign * left.change, left.name)))


def _annotators(asked: Asked, chosen: Sequence[str] | None, notes: list[str]) -> tuple[Left, ...]:
    data = asked.whole.data
    if not data.identified:
        notes.append("the table does not say whose labels they are: no annotator can be left out")
        return ()
    there = data.present
    for name in chosen or ():
        if name not in there:
            raise UnknownName("annotator", name, there)
    if len(there) < 3:
        notes.append("two annotators only: without one of them nothing is left to compare")
        return ()
    known = habits(data, asked.whole.measure.distances(asked.whole.evidence), there)
    found = []
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
        found.append(left)
    asked.run.progress("leaving annotators out", 1, 1)
    return ranked(found, asked.whole.score)


def _verdict(asked: Asked, left: Left, habit: Habit) -> str:
    """In words, for those who pull the value down."""
    sign = 1.0 if asked.whole.score.kind == "agreement" else -1.0
    if math.isnan(left.change) or sign * left.change <= 0:
        return ""
    if left.interval is not None and left.interval.low <= 0 <= left.interval.high:
        return "no more than sampling would give"
    return habit.verdict


def _without(asked: Asked, name: str, fewer: Data, by: Measure | None = None) -> Left:
    """Computed again on the data without something, or by a measure that does not look at it."""
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
    return Left(name, score.value, change, interval_of_change(asked, term(1.0, rest, asked.run)))


def _counted_without(asked: Asked, name: str, sample: Sampled) -> Left:
    """From what was aligned for the whole."""
    if not sample.times.any():
        return Left(name, math.nan, math.nan, undefined="no document is left in which there is anything to compare")
    value = sample.value
    if math.isnan(value):
        return Left(name, value, value, undefined="random annotations have no disorder without it")
    change = value - asked.whole.score.value
    if sample.times.sum() < 2:
        return Left(name, value, change)
    return Left(name, value, change, interval_of_change(asked, Term(1.0, value, sample, sample.times, None)))


def interval_of_change(asked: Asked, rest: Term) -> Interval:
    """Both values rest on the same items or documents: the difference of pairs."""
    terms = rest, asked.term
    level = asked.settings.level
    if all(t.pull is not None for t in terms):
        found = linear(terms, level)
        return Interval(found.low, found.high, level, "linearised")
    found = drawn(terms, level, asked.draws, asked.run, carried=False)
    return Interval(found.low, found.high, level, "bootstrap")


def _units(asked: Asked, notes: list[str]) -> tuple[tuple[Left, ...], str]:
    found = without_units(asked.whole, asked.settings, asked.run)
    notes.extend(found.notes)
    value = asked.whole.score.value
    left = []
    for k, without in zip(found.shown, found.without[found.shown], strict=True):
        name = str(found.names[int(k)])
        if math.isnan(without):
            left.append(Left(name, math.nan, math.nan, undefined="the value is undefined without it"))
            continue
        interval = found.intervals.get(int(k))
        left.append(Left(name, float(without), float(without - value), interval, exact=bool(found.exact[k])))
    return ranked(left, asked.whole.score), found.noun


def _categories(asked: Asked, notes: list[str]) -> tuple[Left, ...]:
    data = asked.whole.data
    feature = next(iter(asked.whole.measure.features_of(asked.whole.evidence)), None) if data.kind is TEXTS else None
    if data.kind is TEXTS and feature is None:
        notes.append("the tokens have no features: there is no category to leave out")
        return ()
    column = data.label_column(feature)
    names, label = column.names, column.codes
    if len(names) < 2:
        notes.append("one category only: none can be left out")
        return ()
    if len(names) > _MOST_CATEGORIES:
        notes.append(f"{counted(len(names), 'category')} are too many to leave each of them out")
        return ()
    used = np.flatnonzero(np.bincount(label[label >= 0], minlength=len(names)))
    found = []
    samples = asked.whole.measure.sampled_without_categories(asked.whole.evidence, used.tolist(), asked.run)
    for k, (code, others) in enumerate(zip(used.tolist(), samples, strict=True)):
        asked.run.progress("leaving categories out", k, len(used))
        if others is None:
            found.append(_without(asked, names[code], data.without_category(code, feature)))
        else:
            found.append(_counted_without(asked, names[code], others))
    asked.run.progress("leaving categories out", 1, 1)
    return ranked(found, asked.whole.score)


def _features(asked: Asked, notes: list[str]) -> tuple[Left, ...]:
    """Texts and their tokens, without looking at one of their features."""
    measure, evidence = asked.whole.measure, asked.whole.evidence
    names = measure.features_of(evidence)
    if not names:
        notes.append("the tokens have no features: none can be left out")
    found = []
    for k, name in enumerate(names):
        asked.run.progress("leaving features out", k, len(names))
        found.append(_without(asked, name, asked.whole.data, measure.without_feature(evidence, name)))
    return ranked(found, asked.whole.score)
