"""From data to a score with interval, test and signature. Every question about scores starts here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial, reduce
from typing import Any

import numpy as np

from accord._version import __version__
from accord.answers.scatter import scatter_of, suits_scatter
from accord.core.context import Run
from accord.core.errors import AccordError, DataError
from accord.core.figures.bars import Forest
from accord.core.result import Alternative, Score
from accord.data.model.data import Data, union
from accord.data.model.measurement import LEVELS, Measurement, guess_level
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure
from accord.measures.intervals.cases import SAME
from accord.measures.intervals.methods import RESAMPLING, Settings, with_interval
from accord.measures.measure import Measure


@dataclass(frozen=True, eq=False)
class Scored:
    """A score with its data, measure and evidence."""

    data: Data
    measure: Measure
    evidence: Any
    score: Score


def score_data(data: Data, by: Measure, settings: Settings, run: Run) -> Scored:
    """Score data by a measure, with interval, test and signature."""
    by = at_level(by, data)
    evidence = by.observe(data, run)
    score = by.estimate(evidence)
    score = replace(score, details=by.explain(evidence, score))
    score = with_interval(score, by, evidence, settings, run)
    score = with_permutation(score, by, evidence, settings, run)
    level = data.measurement
    of_data = {"scatter": partial(scatter_of, data)} if isinstance(data, Ratings) and suits_scatter(data) else {}
    score = replace(score, measurement=None if level is None else str(level), of_data=of_data)
    return Scored(data, by, evidence, _signed(score, data, by, settings, run))


def score_each(
    data: Data, measures: Sequence[Measure], settings: Settings, run: Run, alternatives: bool = False
) -> tuple[Score, ...]:
    """Score by every measure. A measure that refuses the data gets a score without a value, with the reason.

    If all measures refuse, the first refusal is raised. With `alternatives`, add the values by other conventions.
    """
    scores: list[Score] = []
    refusals: list[DataError] = []
    for k, asked in enumerate(measures):
        by = at_level(asked, data)
        run.progress(f"scoring {by}", k, len(measures))
        try:
            score = score_data(data, by, settings, run).score
            others = (*by.conventions(), *_at_other_levels(asked, data)) if alternatives else ()
            scores.append(with_alternatives(score, data, others, run))
        except DataError as error:
            refusals.append(error)
            scores.append(_signed(Score(math.nan, str(by), undefined=str(error)), data, by, settings, run))
    if len(refusals) == len(scores):
        raise refusals[0]
    return tuple(scores)


def with_alternatives(score: Score, data: Data, others: Sequence[tuple[Measure, str]], run: Run) -> Score:
    """Return the score with its values by other measures, each with the difference in words."""
    found = []
    for other, why in others:
        try:
            value = other.value_of(other.observe(data, run))
        except AccordError:
            continue
        if not math.isnan(value):
            found.append(Alternative(str(other), value, why))
    return replace(score, alternatives=(*score.alternatives, *found)) if found else score


def _at_other_levels(asked: Measure, data: Data) -> list[tuple[Measure, str]]:
    """Return the measure at other levels if the level is assumed; for sets, with the distances between sets."""
    level = data.measurement
    if level is None or not asked.leaves_level_open:
        return []
    if level.level == "sets" and level.basis != "stated":
        return [(measure(spec), "sets that overlap agree in part") for spec in data.usual_measures[:2]]
    levels = (Measurement(other, "stated", "") for other in level.others)
    return [(asked.at(other, explicit=True), f"if the labels are {other.level}") for other in levels]


def _signed(score: Score, data: Data, by: Measure, settings: Settings, run: Run) -> Score:
    how = describe_interval(_used(settings.for_measure(by, score.n), score))
    if settings.by_permutation:
        how += f" against {settings.replicates} permutations"
    chance = f" | chance {score.chance}" if score.chance else ""
    signature = f"accord {__version__} | {by}{chance} | {how} | seed {run.seed} | data {data.digest}"
    return replace(score, signature=signature, symbol=by.symbol)


def _used(settings: Settings, score: Score) -> Settings:
    """Return settings with the method of the interval, because the default depends on the data."""
    return settings if score.interval is None else replace(settings, method=score.interval.method)


def describe_interval(settings: Settings) -> str:
    """Return the interval as a signature has it, with everything it depends on."""
    if settings.method == "none":
        return "no interval"
    parts = [settings.method, f"{settings.level:g}"]
    if settings.method in RESAMPLING:
        parts.append(f"{settings.replicates} replicates")
    if settings.items_population is not None:
        parts.append(f"of {settings.items_population} items")
    if settings.annotators_population is not None:
        parts.append(f"of {settings.annotators_population} annotators")
    if settings.value is not None:
        parts.append(f"against {settings.value:g}")
    return " ".join(parts)


def main_measure(spec: str | Measure | None, data: Data) -> Measure:
    """Return the named measure, or the main measure for this kind of data, at the level of measurement of the data."""
    level = data.measurement
    if spec is None and level is not None and level.level == "sets":
        return measure(data.usual_measures[0])
    if spec is None and level is not None and level.others:  # one of several measures that name their distance
        return at_level(measure(data.kind.main), data).at(level, explicit=True)
    return at_level(measure(data.kind.main if spec is None else spec), data)


def at_level(by: Measure, data: Data) -> Measure:
    """Return the measure at the level of measurement of the data. A level that cannot be scored is refused."""
    level = data.measurement
    if level is not None and by.on_items and not by.by_degrees and level.level in _NOT_SCORED:
        raise DataError("level-not-scored", f"{level.reason}: {_NOT_SCORED[level.level]}")
    return by.at(level)


def common_measure(spec: str | Measure | None, studies: Sequence[Data]) -> Measure:
    """Return the measure that compares several data sets: at the level of the labels of all of them."""
    first = studies[0]
    levels = [one.measurement for one in studies]
    together = first
    if all(isinstance(one, Ratings) for one in studies):
        both = reduce(union, (one.categories for one in studies if isinstance(one, Ratings)))
        labels = sum(one.n_ratings for one in studies if isinstance(one, Ratings))
        known = {str(one): one for one in levels if one is not None and one.known and one.level != "binary"}
        if len(known) > 1:
            listed = " and ".join(known)
            numbers = all(c.numeric for one in studies for c in one.category_sets.values())
            fitting = (max if numbers else min)(known, key=lambda name: LEVELS.index(known[name].level))
            raise DataError(
                "level-unknown",
                f"the data to compare have different levels of measurement ({listed}); state one: "
                f"--measurement {fitting}",
            )
        assert isinstance(first, Ratings)
        shared = next(iter(known.values()), None) or guess_level(both, first.variable, labels)
        together = replace(first, level=shared)
        if len({str(one) for one in levels}) > 1:  # no study may be scored at its own level
            asked = measure(first.kind.main if spec is None else spec)
            return at_level(asked, together).at(shared, explicit=True)
    return main_measure(spec, together)


_NOT_SCORED = {
    "ranking": "two rankings that differ in one place count as entirely different labels; write one row per annotator "
    "and ranked thing with its rank as label, and use -m kendall_w (to compare them as names: --measurement nominal)",
    "text": "free texts are not labels; leave the variable out, or compare texts with --layout texts (to compare them "
    "as names: --measurement nominal)",
}


def measures_for(asked: Sequence[Measure], data: Data) -> tuple[Measure, ...]:
    """Return the requested measures, or the usual ones at the level of measurement of the data."""
    return tuple(asked or (measure(spec) for spec in data.usual_measures))


def kinds_of(*specs: str | Measure | None) -> tuple[str, ...]:
    """Return the kinds of data that the named measures take."""
    return tuple(measure(spec).data for spec in specs if spec is not None)


# -- permutation test of no agreement: the labels of each annotator are permuted over the items ------------------------


_MANY = 999  # permutations by default
_LARGEST = 10**7  # permuted labels by default, which takes less than a second


def with_permutation(score: Score, measure: Measure, evidence: Any, settings: Settings, run: Run) -> Score:
    """Return the score with p by permutation if requested, or by default if there is no formula and it is fast."""
    asked = settings.by_permutation
    if score.undefined is not None or not (asked or (settings.method == "default" and settings.null is None)):
        return score
    labels = measure.labels_to_deal(evidence)
    if labels is None:
        return _without(score) if asked else score
    if not asked and ("test" in score.details or labels * _MANY > _LARGEST):
        return score
    many = settings.replicates if asked else _MANY
    return _tested(score, measure.dealt(evidence, many, run))


def _tested(score: Score, values: np.ndarray[Any, np.dtype[np.float64]]) -> Score:
    """Return the score with p by permutation. The observed value counts as one permutation, so p is never 0."""
    observed, by_chance = float(values[0]), values[1:]
    many, mean = len(by_chance), float(by_chance.mean())
    above = (1 + int((by_chance >= observed - SAME).sum())) / (1 + many)
    below = (1 + int((by_chance <= observed + SAME).sum())) / (1 + many)
    p = min(1.0, 2 * min(above, below))
    test = {"of": None, "by": f"{many:,} permutations", "permutations": many, "mean": mean, "one_sided": above}
    return replace(score, p=p, details={**score.details, "test": test})


def _without(score: Score) -> Score:
    test = {"of": None, "by": "permutations need a chance-corrected coefficient on items"}
    return replace(score, p=None, details={**score.details, "test": test})


def with_category_intervals(drawn: Forest, data: Data, asked: Measure, settings: Settings, run: Run) -> Forest:
    """Add intervals of each category against the rest. Data other than ratings are returned unchanged."""
    if not isinstance(data, Ratings):
        return drawn
    alone = replace(asked, **dict.fromkeys({f.name for f in fields(asked)} & {"weights", "distance"}))
    codes = {name: k for k, name in enumerate(data.categories.names)}
    wanted = {row.name for row in drawn.estimates if not row.whole and row.value == row.value} & set(drawn.shown)
    known = {
        name: score_each(data.against_rest(codes[name]), (alone,), settings, run)[0].interval
        for name in codes
        if name in wanted
    }
    return drawn.with_intervals(known)
