"""All that is known about one variable: the answers of the questions that one would ask about it, each asked once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from accord.answers.annotators import Annotators, annotators
from accord.answers.disagreements import Disagreements, disagreements
from accord.answers.influence import Influence, influence
from accord.answers.scoring import main_measure, score_each, with_category_intervals
from accord.answers.simulate.meaning import Meaning, meaning
from accord.answers.trend import Trend, trend
from accord.core.context import Run
from accord.core.errors import AccordError
from accord.core.figures.bars import Forest
from accord.core.result import Score, Scores
from accord.data.kinds import ITEMS, UNITS
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import Segmentations
from accord.measures.base import Measure
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

# Whom and what a report leaves out once. Categories would be aligned again each; what they cost is broken down anyway.
_LEFT_OUT = ("annotator", "unit")
_MOST_PEOPLE = 100  # annotators that are left out in turn: each of them is a score
T = TypeVar("T")


@dataclass(frozen=True)
class Asked:
    """What a report is to hold."""

    measures: tuple[Measure, ...] = ()  # none: the usual ones
    settings: Settings = field(default_factory=Settings)
    rounds: str | None = None  # the column that names them
    meaning: bool = False
    text: str | None = None  # the column with the text of items


@dataclass(frozen=True, eq=False)
class Findings:
    """Answers about one variable. What is None has its reason in `missing`, by the key of its section."""

    variable: str
    data: Data
    measure: Measure  # the one that the first screen is about
    scores: Scores
    influence: Influence | None = None
    disagreements: Disagreements | None = None
    annotators: Annotators | None = None
    trend: Trend | None = None
    meaning: Meaning | None = None
    alignment: UnitaryAlignments | TextAlignments | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    categories: Forest | None = None  # the values of categories, with intervals where they have some

    @property
    def score(self) -> Score:
        """The one that the first screen is about."""
        return self.scores[str(self.measure)]


def found_in(variable: str, data: Data, asked: Asked, run: Run) -> Findings:
    """Scores, and whatever else can be said about such data. The alignment is computed once, and shared."""
    measures = asked.measures or tuple(measure(spec) for spec in data.usual_measures)
    main = _main(data, asked, measures)
    scores = Scores(score_each(data, measures, asked.settings, run))
    missing: dict[str, str] = {}
    rest: dict[str, Any] = {"seed": run.seed, "progress": run.progress, "jobs": run.jobs}
    level = asked.settings.level

    def answered(key: str, ask: Callable[[], T]) -> T | None:
        """What the data do not answer is said in its place, and the others go on."""
        try:
            return ask()
        except AccordError as error:
            missing[key] = str(error)
            return None

    known = data.identified and data.kind in {ITEMS, UNITS}
    return Findings(
        variable,
        data,
        main,
        scores,
        answered("influence", lambda: _influence(data, main, level=level, **rest)),
        answered("places", lambda: disagreements(data, **rest)) if known else None,
        answered("annotators", lambda: annotators(data, level=level, **rest)) if known else None,
        answered("rounds", lambda: trend(data, asked.rounds or "", [main], **_how(asked), **rest))
        if asked.rounds
        else None,
        answered("meaning", lambda: meaning(data, main, **rest)) if asked.meaning else None,
        answered("places", lambda: main.alignments(data, run)) if main.aligns else None,
        missing,
        _categories(data, main, scores, asked.settings, run),
    )


def _categories(data: Data, main: Measure, scores: Scores, settings: Settings, run: Run) -> Forest | None:
    """None where there is no value, or no category has one."""
    score = scores[str(main)]
    if math.isnan(score.value) or "forest by category" not in score.drawings():
        return None
    drawn = score.figure("forest by category")
    assert isinstance(drawn, Forest)  # noqa: S101 - by its name
    return with_category_intervals(drawn, data, main, settings, run)


def _influence(data: Data, main: Measure, **how: Any) -> Influence:
    """Of everybody; of a crowd, of those who did most, who can move the value most."""
    people = data.present if data.identified else ()
    if len(people) <= _MOST_PEOPLE or not isinstance(data, Ratings | Corpus | Segmentations):
        return influence(data, main, of=_LEFT_OUT, **how)
    done = np.bincount(data.annotator, minlength=len(data.annotators))
    first = sorted(range(len(done)), key=lambda k: (-done[k], k))[:_MOST_PEOPLE]
    found = influence(data, main, of=_LEFT_OUT, annotators=[data.annotators[k] for k in first], **how)
    note = f"of {len(people):,} annotators, the {_MOST_PEOPLE} who did most are left out in turn"
    return replace(found, notes=(note, *found.notes))


def _how(asked: Asked) -> dict[str, Any]:
    settings = asked.settings
    return {"interval": settings.method, "level": settings.level, "replicates": settings.replicates}


def _main(data: Data, asked: Asked, measures: Sequence[Measure]) -> Measure:
    """The first that was asked for; else the usual one of such data, if it takes out chance: the first screen says
    how far agreement is from it.
    """
    usual = main_measure(None, data)
    if asked.measures or usual.lowest < 0:
        return measures[0] if asked.measures else usual
    return next((one for one in measures if one.lowest < 0), usual)
