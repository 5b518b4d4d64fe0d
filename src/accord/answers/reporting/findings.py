"""Results for one variable of a report, each computed once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from accord.answers.annotators import Annotators, annotators
from accord.answers.disagreements import Disagreements, disagreements
from accord.answers.influence import Influence, Left, influence
from accord.answers.levels import are_amounts
from accord.answers.reporting.verdicts import Measured, measured
from accord.answers.scoring import at_level, main_measure, measures_for, score_each, with_category_intervals
from accord.answers.simulate.meaning import Meaning, meaning
from accord.answers.trend import Trend, trend
from accord.core.context import Run
from accord.core.errors import AccordError
from accord.core.figures.bars import Forest
from accord.core.result import Score, Scores
from accord.core.tables import Interval
from accord.data.kinds import ITEMS, UNITS
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import Segmentations
from accord.measures.catalogue import ON_SCALES, measure
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

MOST_CATEGORIES = 12  # categories that a guideline can explain one by one
_OF_CATEGORIES = ("nominal", "ordinal", "binary", "sets")  # levels of measurement with categories
_OF_NUMBERS = ("interval", "ratio")  # levels and distances
_MOST_ON_A_TEAM = 15  # annotators; more are a crowd
_FEWEST_IN_A_CROWD = 5  # fewer are a team, however small the part of each
_SMALL_PART = 0.2  # of the items
_REPLICATES = 4_000  # for an interval at the corrected level, whose ends are further out
# What a report leaves out in turn. Categories are not included: each would need a new alignment, and the breakdown
# by category shows their cost.
_LEFT_OUT = ("annotator", "unit")
_MOST_PEOPLE = 100  # annotators left out in turn: each needs a score
T = TypeVar("T")


@dataclass(frozen=True)
class ReportOptions:
    """Requested content of a report."""

    measures: tuple[Measure, ...] = ()  # empty: the usual measures
    settings: Settings = field(default_factory=Settings)
    rounds: str | None = None  # column with the rounds
    meaning: bool = False
    text: str | None = None  # column with the texts of items


@dataclass(frozen=True, eq=False)
class Findings:
    """Results for one variable. If a result is None, `missing` has the reason under the key of its section."""

    variable: str
    data: Data
    measure: Measure  # the main measure, shown in the summary
    scores: Scores
    influence: Influence | None = None
    disagreements: Disagreements | None = None
    annotators: Annotators | None = None
    trend: Trend | None = None
    meaning: Meaning | None = None
    alignment: UnitaryAlignments | TextAlignments | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    categories: Forest | None = None  # values of categories, with intervals where they exist
    # The annotator without whom the value improves most, if by more than the selection among all explains. The
    # interval of the change is corrected for this selection.
    outlier: Left | None = None
    level: float = 0.95
    named: Measure | None = None  # the main measure as named, before the level of measurement gives its distance

    @cached_property
    def score(self) -> Score:
        """The score of the main measure."""
        return self.scores[str(self.measure)]

    @cached_property
    def measured(self) -> Measured:
        """The numbers that the verdict depends on."""
        return measured(self.score, self.measure)

    @property
    def with_matrix(self) -> Score | None:
        """The main score if it has a matrix of labels, or else the first score with one."""
        return next((score for score in (self.score, *self.scores) if "matrix" in score.details), None)

    @cached_property
    def crowd(self) -> bool:
        return is_crowd(self.data)

    @cached_property
    def labels(self) -> Mapping[str, int]:
        """The number of labels of each category."""
        column = self.data.label_column()
        known = column.codes[column.codes >= 0]
        counts = (
            self.data.marginals if isinstance(self.data, Ratings) else np.bincount(known, minlength=len(column.names))
        )
        return {name: round(n) for name, n in zip(column.names, counts.tolist(), strict=True)}

    @property
    def used_categories(self) -> tuple[str, ...]:
        return tuple(name for name, n in self.labels.items() if n)

    @cached_property
    def measurement(self) -> str:
        """The level of measurement of the data; empty if their measures do not depend on it."""
        return "" if self.data.measurement is None else self.data.measurement.level

    @property
    def assumes_level(self) -> bool:
        """Whether the value depends on a level of measurement that nothing states."""
        level, named = self.data.measurement, self.named or self.measure
        return level is not None and not level.known and named.leaves_level_open

    @cached_property
    def numeric(self) -> bool:
        """Whether the labels are numbers on a scale and not categories."""
        if self.data.kind is not ITEMS or not self.data.graded:
            return False
        distance = str(getattr(self.measure, "distance", None) or "").partition("(")[0]
        of_numbers = isinstance(self.measure, ON_SCALES) or distance in _OF_NUMBERS
        return of_numbers or self.measurement in _OF_NUMBERS

    @cached_property
    def advises_on_categories(self) -> bool:
        """Whether the labels are categories, and few enough for advice on each."""
        if self.data.kind not in {ITEMS, UNITS} or self.numeric:
            return False
        named = not self.measurement or self.measurement in _OF_CATEGORIES
        return named and 2 <= len(self.used_categories) <= MOST_CATEGORIES


def is_crowd(data: Data) -> bool:
    """Whether there are too many annotators to talk with each, or most of them did a small part of the work."""
    people = data.n_annotators
    if not data.identified or people <= _MOST_ON_A_TEAM:
        return data.identified and people > _FEWEST_IN_A_CROWD and _part_of_most(data) < _SMALL_PART
    return True


def _part_of_most(data: Data) -> float:
    """Return the share of the items or documents that the median annotator labelled."""
    if isinstance(data, Ratings):
        there = data.labels_per_annotator[data.took_part]
    elif isinstance(data, Corpus):
        there = data.judged.sum(axis=0)[data.took_part]
    else:
        return 1.0
    return float(np.median(there)) / max(data.n_items, 1)


def find_answers(variable: str, data: Data, asked: ReportOptions, run: Run) -> Findings:
    """Score the data and compute every other result that they allow. All results share one alignment."""
    measures = measures_for(asked.measures, data)
    main = _main(data, asked, measures)
    scores = Scores(score_each(data, measures, asked.settings, run, alternatives=True))
    missing: dict[str, str] = {}
    rest: dict[str, Any] = {"seed": run.seed, "progress": run.progress, "jobs": run.jobs}
    level = asked.settings.level

    def answered(key: str, ask: Callable[[], T]) -> T | None:
        """Compute one result. If the data do not allow it, store the reason and return None."""
        try:
            return ask()
        except AccordError as error:
            missing[key] = str(error)
            return None

    known = data.identified and data.kind in {ITEMS, UNITS}
    left_out = answered("influence", lambda: _influence(data, main, level=level, **rest))
    return Findings(
        variable,
        data,
        main,
        scores,
        left_out,
        answered("places", lambda: disagreements(data, **rest)) if known else None,
        answered("annotators", lambda: annotators(data, level=level, **rest)) if known else None,
        answered("rounds", lambda: trend(data, asked.rounds or "", [main], **_how(asked), **rest))
        if asked.rounds
        else None,
        answered("meaning", lambda: meaning(data, main, **rest)) if asked.meaning else None,
        answered("places", lambda: main.alignments(data, run)) if main.aligns else None,
        missing,
        _categories(data, main, scores, asked.settings, run),
        find_outlier(data, main, left_out, level=level, **rest),
        level,
        asked.measures[0] if asked.measures else measure(data.kind.main),
    )


def find_outlier(data: Data, main: Measure, found: Influence | None, *, level: float, **how: Any) -> Left | None:
    """Return the annotator without whom the value improves most, unless sampling error explains it.

    This annotator is the most harmful of K, so the interval of the change has the level 1 − (1 − level) / K
    (Bonferroni). None: the interval contains 0, there is none, or the annotators are a crowd.
    """
    known = [] if found is None else [one for one in found.annotators if not math.isnan(one.change)]
    if found is None or not known or is_crowd(data):
        return None
    first, sign = known[0], 1.0 if found.score.kind == "agreement" else -1.0
    if first.interval is None or not _excludes(first.interval, sign):
        return None
    beyond = (1 - level) / len(known)
    if found.noun == "document" and found.score.n < math.log2(2 / beyond):
        return None  # so few documents can all differ in one direction by chance
    try:
        again = influence(
            data, main, by="annotator", leave_out=[first.name], level=1 - beyond, replicates=_REPLICATES, **how
        )
    except AccordError:
        return None
    chosen = next(iter(again.annotators), None)
    if chosen is None or chosen.interval is None or not _excludes(chosen.interval, sign):
        return None
    return replace(chosen, verdict=first.verdict)


def _excludes(interval: Interval, sign: float) -> bool:
    """Whether all of the interval is an improvement."""
    return min(sign * interval.low, sign * interval.high) > 0


def _categories(data: Data, main: Measure, scores: Scores, settings: Settings, run: Run) -> Forest | None:
    """Draw the values of categories. Return None if the value is undefined or no category has a value."""
    score = scores[str(main)]
    if math.isnan(score.value) or "forest by category" not in score.drawings() or are_amounts(data):
        return None
    drawn = score.figure("forest by category")
    assert isinstance(drawn, Forest)
    return with_category_intervals(drawn, data, main, settings, run)


def _influence(data: Data, main: Measure, **how: Any) -> Influence:
    """Compute the influence of annotators; for a crowd, only of the annotators with the most labels."""
    people = data.present if data.identified else ()
    if len(people) <= _MOST_PEOPLE or not isinstance(data, Ratings | Corpus | Segmentations):
        return influence(data, main, of=_LEFT_OUT, **how)
    done = np.bincount(data.annotator, minlength=len(data.annotators))
    first = sorted(range(len(done)), key=lambda k: (-done[k], k))[:_MOST_PEOPLE]
    found = influence(data, main, of=_LEFT_OUT, annotators=[data.annotators[k] for k in first], **how)
    note = f"{len(people):,} annotators: only the {_MOST_PEOPLE} with the most labels are left out in turn"
    return replace(found, notes=(note, *found.notes))


def _how(asked: ReportOptions) -> dict[str, Any]:
    settings = asked.settings
    return {"interval": settings.method, "level": settings.level, "replicates": settings.replicates}


def _main(data: Data, asked: ReportOptions, measures: Sequence[Measure]) -> Measure:
    """Return the first requested measure, or the usual one. A chance-corrected measure is preferred."""
    usual = main_measure(None, data)
    if asked.measures or usual.lowest < 0:
        return at_level(measures[0], data) if asked.measures else usual
    return next((one for one in measures if one.lowest < 0), usual)
