"""`accord.score`: one measure, several, or the usual ones, on anything that can be read."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, overload

from accord.answers.scoring import score_data, score_each
from accord.core.context import Progress, Run, silent
from accord.core.errors import FewLabelsWarning, SpecError, UnknownName, warn
from accord.core.result import Score, Scores
from accord.core.typed import check_types
from accord.data import door
from accord.data.door import OPTIONS as READING
from accord.data.door import is_data
from accord.data.kinds import ITEMS
from accord.data.model.data import Data
from accord.doors.functions.columns import check_not_one_column
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure


@overload
def score(
    data: Any,
    spec: str | Measure,
    *,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Progress | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score: ...


@overload
def score(
    data: Any,
    spec: Sequence[str | Measure] | None = None,
    *,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Progress | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Scores: ...


def score(
    data: Any,
    spec: str | Measure | Sequence[str | Measure] | None = None,
    *,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Progress | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score | Scores:
    """How well annotators agree: `score("ratings.csv", "alpha(distance=ordinal)")`.

    Where labels, items or documents are too few for an interval, `FewLabelsWarning` says so.

    One measure gives a `Score`; a list of them, or none for the usual measures of that kind of data, gives `Scores`.
    One of several that refuses the data has NaN as its value, and the reason in `undefined`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator: anything that
      `accord.read` takes, or what it gave.
    - `spec`: a measure, as a spec such as `alpha(distance=ordinal)`; or several. Default: the usual ones.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no interval. Default: that
      of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result. Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement, as often as
      `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work. Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data are still to be
      read.
    """
    check_types(score, {"spec": spec, "interval": interval, "null": null})
    single = isinstance(spec, str | Measure)
    chosen = _measures(spec)
    check_options(reading, chosen)
    settings = Settings(interval, level, replicates, items_population, annotators_population, null)
    run = Run(seed, progress or silent, jobs)
    found = opened(data, reading, chosen, run)
    if single:
        one = score_data(found, chosen[0], settings, run).score
        _warn((one,))
        return one
    several = score_each(found, chosen or _measures(found.usual_measures), settings, run)
    _warn(several)
    return Scores(several)


def _warn(scores: Sequence[Score]) -> None:
    """What a screen says about few data, for those who look at a number alone."""
    for one in scores:
        if one.details.get("few"):
            warn(f"{one.measure}: {one.details['interval']}", FewLabelsWarning)


def opened(data: Any, reading: Mapping[str, Any], measures: tuple[Measure, ...] = (), run: Run | None = None) -> Data:
    """What was read already, or is read now; one column of labels has nobody to agree with."""
    if not is_data(data) and all(one.data == ITEMS.name for one in measures):
        check_not_one_column(data, measures[0].name if measures else "kappa")
    return door.opened(data, reading, [one.data for one in measures], run)


def check_options(given: Mapping[str, Any], chosen: tuple[Measure, ...] = ()) -> None:
    """What is neither an option of `score` nor of `read` is refused, with the name that was meant."""
    whose = {name: one.name for one in reversed(chosen) for name in option_names(type(one))}
    for key in given:
        if key in whose:
            raise SpecError(f"{key} is an option of {whose[key]}: write it in the spec, {whose[key]}({key}=…)")
        if key not in READING:
            raise UnknownName("option of score", key, (*whose, *SCORING, *READING))


def option_names(cls: type[Measure]) -> tuple[str, ...]:
    """What a measure can be given; what it says about itself (`title`, `lowest`) is no option."""
    return tuple(field.name for field in dataclasses.fields(cls))


def _measures(spec: str | Measure | Sequence[str | Measure] | None) -> tuple[Measure, ...]:
    if spec is None:
        return ()
    if isinstance(spec, str | Measure):
        return (measure(spec),)
    if not spec:
        raise SpecError("no measure is named: leave the list out for the usual ones")
    return tuple(measure(one) for one in spec)


SCORING = tuple(score.__kwdefaults__ or ())  # the options that `score` itself has
