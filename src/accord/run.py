"""A plan → results: reads, observes, estimates, adds the interval. The one place where these meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from accord._version import __version__
from accord.context import Run, silent
from accord.errors import DataError, SpecError, UnknownName
from accord.inference.intervals import RESAMPLING, Settings, with_interval
from accord.inference.marginals import Marginals, marginals
from accord.inference.scales import Scale, scale
from accord.io import Reading, read, read_all
from accord.measures.catalogue import MEASURES, Measure, measure
from accord.model.ratings import Ratings
from accord.result import Score

PARTS = ("category", "annotator", "pair", "item")


@dataclass(frozen=True)
class Plan:
    """All that a run depends on; it can be kept as TOML and repeated."""

    paths: tuple[str, ...]
    measures: tuple[str, ...] = ()
    reading: Reading = field(default_factory=Reading)
    settings: Settings = field(default_factory=Settings)
    parts: tuple[str, ...] = ()  # breakdowns to show
    seed: int = 0
    scales: tuple[str, ...] = ()
    marginals: bool = False
    matrix: bool = False

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise SpecError("the seed is a whole number from 0")
        for part in self.parts:
            if part not in PARTS:
                raise UnknownName("breakdown", part, PARTS)


@dataclass(frozen=True)
class Group:
    """The scores of one set of ratings: a variable, or a part of it by the values of a column."""

    variable: str
    where: Mapping[str, str]
    ratings: Ratings
    scores: tuple[Score, ...]
    marginals: Marginals | None = None
    problem: str | None = None  # why this part cannot be scored at all


@dataclass(frozen=True)
class Results:
    """What a report is made from."""

    plan: Plan
    variables: Mapping[str, Ratings]
    groups: tuple[Group, ...]
    notes: tuple[str, ...] = ()
    scales: tuple[Scale, ...] = field(default=())


def run(plan: Plan, progress: Callable[[str, int, int], None] = silent) -> Results:
    """Everything a plan asks for."""
    measures = tuple(measure(spec) for spec in plan.measures) or tuple(cls() for cls in MEASURES)
    scales = tuple(scale(name) for name in plan.scales)
    found = read_all(list(plan.paths), **plan.reading.options)
    context = Run(plan.seed, progress)
    groups: list[Group] = []
    for variable, ratings in found.items():
        by_column = bool(plan.reading.by)
        groups.append(_scored(variable, {}, ratings, measures, plan, context, strict=not by_column))
        for column in plan.reading.by:
            for value, part in ratings.by(column).items():
                groups.append(_scored(variable, {column: value}, part, measures, plan, context, strict=False))
    if groups and all(group.problem for group in groups):
        raise DataError(str(groups[0].problem))
    return Results(plan, found, tuple(groups), _advice(found, measures), scales)


def _scored(
    variable: str,
    where: Mapping[str, str],
    ratings: Ratings,
    measures: tuple[Measure, ...],
    plan: Plan,
    context: Run,
    strict: bool,
) -> Group:
    try:
        scores = tuple(_one(ratings, m, plan.settings, context) for m in measures)
    except DataError as error:
        if strict:
            raise
        return Group(variable, where, ratings, (), problem=str(error))
    compared = marginals(ratings) if plan.marginals and ratings.identified else None
    return Group(variable, where, ratings, scores, compared)


def _one(ratings: Ratings, chosen: Measure, settings: Settings, context: Run) -> Score:
    evidence = chosen.observe(ratings, context)
    found = chosen.estimate(evidence)
    found = replace(found, details=chosen.explain(evidence, found))
    found = with_interval(found, chosen, evidence, settings, context)
    how = _named(settings)
    signature = f"accord {__version__} | {chosen} | {how} | seed {context.seed} | data {ratings.digest}"
    return replace(found, signature=signature)


def _named(settings: Settings) -> str:
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
    return " ".join(parts)


def score(
    data: Any,
    spec: str | Measure,
    *,
    interval: str = "linearised",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    progress: Callable[[str, int, int], None] = silent,
    **reading: Any,
) -> Score:
    """The score of a measure on data: `score("ratings.csv", "alpha(distance=ordinal)")`.

    `data` is anything `read` takes, or what it gave; `spec` a spec or a measure. Further options go to `read`.
    """
    if seed < 0:
        raise SpecError("the seed is a whole number from 0")
    chosen = measure(spec)
    settings = Settings(interval, level, replicates, items_population, annotators_population)
    if isinstance(data, Ratings):
        if reading:
            raise SpecError(f"{', '.join(reading)}: say this when reading: accord.read(data, …)")
        ratings = data
    else:
        ratings = read(data, **reading)
    return _one(ratings, chosen, settings, Run(seed, progress))


def as_function(cls: type[Measure]) -> Callable[..., Score]:
    """A catalogue entry as a function: `alpha(data, distance="ordinal", seed=7)`."""
    own = tuple(cls.__dataclass_fields__)

    def function(data: Any, **options: Any) -> Score:
        chosen = cls(**{key: options.pop(key) for key in own if key in options})
        return score(data, chosen, **options)

    function.__name__ = function.__qualname__ = cls.name
    function.__doc__ = f"{cls.title}. {cls.__doc__}\n\nOptions: {', '.join(own)}, and those of `score`."
    return function


percent, s, pi, kappa, alpha, ac = (as_function(cls) for cls in MEASURES)


def _advice(found: Mapping[str, Ratings], measures: tuple[Measure, ...]) -> tuple[str, ...]:
    """What a colleague would say on seeing these data."""
    notes = []
    plain = all(m.weights is None and m.distance is None for m in measures)
    for variable, ratings in found.items():
        name = f"{variable}: " if len(found) > 1 else ""
        if plain and ratings.categories.numeric and len(ratings.categories) > 2:
            notes.append(
                f"{name}the labels are numbers, but a near miss counts like any other here; "
                "for a scale try -m 'alpha(distance=ordinal)' or -m 'alpha(distance=interval)'"
            )
        ordered = [m for m in measures if m.metric.uses_order]
        if ordered and ratings.categories.guessed_order:
            order = " < ".join(ratings.categories.names[:8])
            notes.append(
                f"{name}the labels are words, taken in alphabetical order ({order}); say --categories to order them"
            )
    return tuple(notes)
