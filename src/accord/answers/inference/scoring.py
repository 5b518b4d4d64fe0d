"""Data → score with its interval and its signature: what every question about scores begins with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from accord._version import __version__
from accord.answers.inference.permutation import with_permutation
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.result import Score
from accord.data.model.data import Data, check_annotators
from accord.measures.base import Measure
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import RESAMPLING, Settings, with_interval


@dataclass(frozen=True, eq=False)
class Scored:
    """A score and all that it came from."""

    data: Data
    measure: Measure
    evidence: Any
    score: Score


def scored(data: Data, by: Measure, settings: Settings, run: Run) -> Scored:
    """Observed, estimated, explained, with its interval."""
    evidence = by.observe(data, run)
    found = by.estimate(evidence)
    found = replace(found, details=by.explain(evidence, found))
    found = with_interval(found, by, evidence, settings, run)
    found = with_permutation(found, by, evidence, settings, run)
    return Scored(data, by, evidence, _signed(found, data, by, settings, run))


def each_scored(data: Data, measures: Sequence[Measure], settings: Settings, run: Run) -> tuple[Score, ...]:
    """By every measure. One that refuses the data does not stop the others: its score has the reason, and no value.

    If all of them refuse, there is nothing to show, and the first one says why.
    """
    made: list[Score] = []
    refusals: list[DataError] = []
    for k, by in enumerate(measures):
        run.progress(f"scoring {by}", k, len(measures))
        try:
            made.append(scored(data, by, settings, run).score)
        except DataError as error:
            refusals.append(error)
            made.append(_signed(Score(math.nan, str(by), undefined=str(error)), data, by, settings, run))
    if len(refusals) == len(made):
        raise refusals[0]
    return tuple(made)


def _signed(score: Score, data: Data, by: Measure, settings: Settings, run: Run) -> Score:
    how = named(_used(settings.for_measure(by, score.n), score))
    if settings.by_permutation:
        how += f" against {settings.replicates} permutations"
    chance = f" | chance {score.chance}" if score.chance else ""
    signature = f"accord {__version__} | {by}{chance} | {how} | seed {run.seed} | data {data.digest}"
    return replace(score, signature=signature, symbol=by.symbol)


def _used(settings: Settings, found: Score) -> Settings:
    """With the method that made the interval: a default depends on the data."""
    return settings if found.interval is None else replace(settings, method=found.interval.method)


def named(settings: Settings) -> str:
    """The interval as it stands in a signature: all that it depends on."""
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
    """The measure that was named, or the one for such data."""
    return measure(data.kind.main if spec is None else spec)


def kinds_of(*specs: str | Measure | None) -> tuple[str, ...]:
    """The kinds of data that measures take, for those that are named."""
    return tuple(measure(spec).data for spec in specs if spec is not None)


def check_names(names: Sequence[str], data: Data) -> None:
    check_annotators(names, data.present)
