"""The same annotator twice: how well annotators agree with themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.answers.inference.planning.results import Intra
from accord.answers.inference.planning.stability import Settings as ColumnSettings
from accord.answers.inference.planning.stability import flips, unstable
from accord.answers.inference.scoring import Scored, scored
from accord.core.context import Run
from accord.core.errors import DataError, SpecError
from accord.core.probability import t_below, t_quantile
from accord.core.result import Score
from accord.core.tables import Interval
from accord.data.door import checks_options, is_data, names_of, opened
from accord.data.io.tables.roles import ANNOTATOR, plain_name
from accord.data.kinds import ITEMS, kind_named
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.data.model.repeats import WHAT, WHO, are_trials, numbered
from accord.measures.base import Measure, check_kind
from accord.measures.catalogue import measure
from accord.measures.distances.spaces import sums_by
from accord.measures.intervals.methods import Settings


@dataclass(frozen=True, eq=False)
class Trials:
    """Repetitions: a row per item and annotator, whose annotators are the trials."""

    data: Data
    what: tuple[str, ...]  # the item or document behind each row
    each: Mapping[str, Data]  # of every annotator alone


@checks_options
def intra(
    data: Any,
    spec: str | Measure = "alpha",
    *,
    by: str | Sequence[str] = (),
    level: float = 0.95,
    seed: int = 0,
    **reading: Any,
) -> Intra:
    """Gwet 9.6: the same annotator twice; a model that is asked again.

    Repetitions are the same item and annotator again in a long table of labels; or, for every kind of data, annotators
    of the same name with a number behind it: columns `Ana_1`, `Ana_2` of a wide table, or such names in a long one.
    `by`: columns that say under which settings a label was given (prompt, temperature, version): repetitions are then
    compared within each setting, and settings with each other.
    """
    chosen, run = measure(spec), Run(seed)
    columns = tuple(names_of(by))
    again: dict[str, Any] = {} if is_data(data) or chosen.data != ITEMS.name else {"repeats": "trials"}
    if columns and not is_data(data):
        again["by"] = columns
    found = opened(data, {**reading, **again}, (chosen.data,))
    check_kind(chosen.name, kind_named(chosen.data), found)
    trials, noun = _trials(found), found.kind.noun
    each = {who: _agreement(part, chosen, level, run) for who, part in trials.each.items()}
    whole = scored(trials.data, chosen, Settings("none"), run)
    made = Intra(clustered(whole, trials.what, level, run, noun), each, noun)
    if not isinstance(trials.data, Ratings):
        if columns:
            raise SpecError(f"by is about labels of items: settings of {found.kind.words} are annotators, one by one")
        return made
    of_each = {who: flips(part, level, part.names) for who, part in trials.each.items() if isinstance(part, Ratings)}
    made = replace(made, flips={"": flips(trials.data, level, trials.what), **of_each})
    if not columns:
        return replace(made, unstable=unstable(trials.data, None))
    if not are_trials(trials.data):
        raise SpecError("by takes a long table, with a row for each repetition")
    asked = ColumnSettings.of(trials.data, columns)

    def clustered_score(part: Ratings) -> Score:
        if not part.comparable.any():
            return Score(math.nan, str(chosen), undefined="no item is repeated")
        inside = _of_rows(part)
        try:
            return clustered(scored(inside.data, chosen, Settings("none"), run), inside.what, level, run, noun)
        except DataError as error:
            return Score(math.nan, str(chosen), undefined=str(error))

    between, reason = asked.between(chosen, level, seed)
    notes = (f"settings are not compared by {chosen.name}: {reason}",) if reason else ()
    if between and not reason and len(set(trials.what)) < len(trials.what):
        notes = ("between settings an item of several annotators counts as several: intervals may be too short there",)
    return replace(
        made,
        by=columns,
        settings=asked.each(clustered_score, level),
        between=between,
        unstable=unstable(trials.data, asked),
        notes=notes,
    )


def _agreement(part: Data, chosen: Measure, level: float, run: Run) -> Score:
    """Of one annotator."""
    noun = part.kind.noun
    if not part.comparable.any():
        does = "labels" if noun == ITEMS.noun else "annotates"
        return Score(math.nan, str(chosen), undefined=f"{does} no {noun} twice")
    try:
        return scored(part, chosen, Settings(level=level), run).score
    except DataError as error:
        return Score(math.nan, str(chosen), undefined=str(error))


def _trials(data: Data) -> Trials:
    if isinstance(data, Ratings) and are_trials(data):
        return _of_rows(data)
    groups = numbered(data.present)
    many = {who: names for who, names in groups.items() if len(names) > 1}
    if not many or all(plain_name(who) in ANNOTATOR for who in many):  # rater_1 and rater_2 are two people
        raise DataError(
            "no annotator labels an item twice here: there are no repetitions to compare. They are the same item and "
            "annotator again in a long table, or annotators with a number behind their name: Ana_1, Ana_2"
        )
    return _of_names(data, groups)


def _of_rows(ratings: Ratings) -> Trials:
    """Rows that were made of the same item and annotator; both are kept in columns, whatever names look like."""
    names = {}
    for column in (WHAT, WHO):
        feature = ratings.features[column]
        code = np.zeros(len(ratings.items), dtype=np.int64)
        code[ratings.item] = feature.codes
        names[column] = tuple(feature.names[k] for k in code)
    whose = np.array([*names[WHO], ""], dtype=object)[:-1]
    each = {who: ratings.keep((whose == who)[ratings.item]).only_items() for who in dict.fromkeys(names[WHO])}
    return Trials(ratings, names[WHAT], each)


def _of_names(data: Data, groups: Mapping[str, Sequence[str]]) -> Trials:
    """Ana_1 and Ana_2 alone, then everybody's documents one after the other, as those of trial 1 and trial 2."""
    each = {who: data.only_annotators(names) for who, names in groups.items()}
    several = [who for who, names in groups.items() if len(names) > 1]
    trials = tuple(f"trial {k + 1}" for k in range(max(len(groups[who]) for who in several)))

    def seats(who: str) -> np.ndarray:
        place = {name: k for k, name in enumerate(groups[who])}
        return np.array([place.get(name, 0) for name in each[who].annotators], dtype=np.int64)

    pooled, what = each[several[0]], list(each[several[0]].names)
    for k, who in enumerate(several[1:]):
        mine = seats(several[0]) if k == 0 else np.arange(len(trials), dtype=np.int64)
        what += each[who].names
        pooled = pooled.joined(each[who], trials, mine, seats(who))
    return Trials(pooled, tuple(what), each)


def clustered(whole: Scored, clusters: Sequence[str], level: float, run: Run, noun: str = "item") -> Score:
    """The score with an error from clusters of rows: what is labelled several times is one draw, not several."""
    if whole.score.undefined is not None:
        return whole.score
    number = {name: k for k, name in enumerate(dict.fromkeys(clusters))}
    code = np.array([number[name] for name in clusters])
    found = _linearised(whole, code, len(number)) or _left_out(whole, code, run)
    chosen, score = whole.measure, whole.score
    if found is None:
        return replace(score, details={**score.details, "interval": f"no interval: one {noun} has no spread"})
    variance, many = found
    se = math.sqrt(variance)
    half = t_quantile(many - 1, (1 + level) / 2) * se
    error = score.kind == "error"
    low, high = max(chosen.lowest, score.value - half), min(math.inf if error else 1.0, score.value + half)
    interval = Interval(low, high, level, f"clustered by {noun}")
    p = 2 * t_below(many - 1, -abs(score.value) / se) if se > 0 and not error else None
    return replace(score, se=se, interval=interval, p=p, details={**score.details, "clusters": many, "df": many - 1})


def _linearised(whole: Scored, code: np.ndarray, clusters: int) -> tuple[float, int] | None:
    """The variance, and how many clusters it comes from; None where the measure has no linearisation."""
    given = whole.measure.contributions(whole.evidence, named=True)
    if given is None:
        return None
    off = sums_by(code, (given.values - float(given.times @ given.values) / given.n) * given.times, clusters)
    many = int(np.count_nonzero(sums_by(code, given.times, clusters)))  # α does not see what is labelled once
    return (float((off**2).sum()) * many / (many - 1) / given.n**2, many) if many > 1 else None


def _left_out(whole: Scored, code: np.ndarray, run: Run) -> tuple[float, int] | None:
    """The same by leaving out one cluster after the other."""
    chosen, evidence = whole.measure, whole.evidence
    sample = chosen.sampled(evidence, run)
    if sample is None:
        return None
    of_name = dict(zip(whole.data.names, code.tolist(), strict=True))
    mine = np.array([of_name[name] for name in sample.names])
    there = np.unique(mine[sample.times > 0])
    if len(there) < 2:
        return None
    values = sample.drawn(np.where(mine[None, :] == there[:, None], 0.0, sample.times[None, :]))
    if np.isnan(values).any():
        return None
    spread = float(((values - values.mean()) ** 2).sum()) * (len(there) - 1) / len(there)
    return spread + chosen.chance_error(evidence, whole.score.value) ** 2, len(there)
