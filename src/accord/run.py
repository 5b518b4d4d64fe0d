"""A plan → results: reads, observes, estimates, adds the interval. The one place where these meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from accord.answers.plan import Plan
from accord.answers.results import Group, Results
from accord.context import Run, silent
from accord.errors import DataError, SpecError, quoted
from accord.inference.intervals.methods import Settings
from accord.inference.marginals import marginals
from accord.inference.scales import scale
from accord.inference.scoring import scored
from accord.io import Data, Reading, read, read_all
from accord.io.reading import DOCUMENT
from accord.measures.base import Measure
from accord.measures.catalogue import ON_ITEMS, ON_SEGMENTATIONS, ON_TEXTS, ON_UNITS, measure
from accord.measures.items.base import ItemMeasure
from accord.measures.segmentations.boundary_similarity import BoundarySimilarity, PiStar
from accord.measures.segmentations.potential_boundaries import AlphaBoundaries
from accord.measures.segmentations.windows import WindowDiff
from accord.measures.texts.side_by_side import TextAlignments, text_alignments
from accord.measures.texts.text_gamma import TextGamma
from accord.measures.units.aligned import AlignedMeasure
from accord.measures.units.gamma import Gamma
from accord.measures.units.gamma_cat import GammaCat
from accord.measures.units.unitary import UnitaryAlignments, unitary_alignments
from accord.model.corpus import Continuum, Corpus
from accord.model.ratings import Ratings
from accord.model.segmentations import Segmentations
from accord.model.texts import Texts
from accord.result import Score

OF_TEXTS = ("kind",)  # a breakdown of texts; for others a column may be called so


def run(plan: Plan, progress: Callable[[str, int, int], None] = silent, jobs: int | None = None) -> Results:
    """Everything a plan asks for."""
    asked = tuple(measure(spec) for spec in plan.measures)
    scales = tuple(scale(name) for name in plan.scales)
    reading = as_meant(plan.reading, asked)
    found = read_all(list(plan.paths), **reading.options)
    context = Run(plan.seed, progress, jobs)
    in_documents = any(isinstance(data, Corpus | Segmentations | Texts) for data in found.values())
    of_texts = tuple(name for data in found.values() if isinstance(data, Texts) for name in (*OF_TEXTS, *data.features))
    columns = tuple(c for c in plan.reading.by if not (in_documents and c in DOCUMENT) and c not in of_texts)
    if of_texts and columns:
        known = ("kind", "category", "annotator", "pair", "document", *of_texts[len(OF_TEXTS) :])
        raise SpecError(f"--by {columns[0]}: texts are broken down by {', '.join(known)}")
    groups: list[Group] = []
    for variable, data in found.items():
        measures = asked or usual_measures(data)
        groups.append(_scored(variable, {}, data, measures, plan, context, strict=not columns))
        for column in columns:
            for value, part in () if isinstance(data, Texts) else data.by(column).items():
                groups.append(_scored(variable, {column: value}, part, measures, plan, context, strict=False))
    if groups and all(group.problem for group in groups):
        raise DataError(str(groups[0].problem))
    more = dict.fromkeys("document" if c in DOCUMENT else c for c in plan.reading.by if c not in columns)
    return Results(plan, found, tuple(groups), _advice(found, asked), scales, (*plan.parts, *more))


def as_meant(reading: Reading, asked: tuple[Measure, ...]) -> Reading:
    """Measures on texts say what the files are: a plain text has no header that could."""
    if reading.layout is None and asked and all(m.data == "texts" for m in asked):
        return replace(reading, layout="texts")
    return reading


def usual_measures(data: Data) -> tuple[Measure, ...]:
    """What is scored when nothing is asked for."""
    if isinstance(data, Ratings):
        return tuple(cls() for cls in ON_ITEMS)
    if isinstance(data, Texts):
        return (TextGamma(),)
    if isinstance(data, Segmentations):
        return PiStar(), BoundarySimilarity(), WindowDiff(), AlphaBoundaries()
    return (Gamma(), GammaCat()) if len(data.categories) else (Gamma(),)


def _scored(
    variable: str,
    where: Mapping[str, str],
    data: Data,
    measures: tuple[Measure, ...],
    plan: Plan,
    context: Run,
    strict: bool,
) -> Group:
    try:
        scores = tuple(scored(data, m, plan.settings, context).score for m in measures)
        explained = _explained(data, measures, context) if plan.explain else None
    except DataError as error:
        if strict:
            raise
        return Group(variable, where, data, (), problem=str(error))
    compared = marginals(data) if plan.marginals and isinstance(data, Ratings) and data.identified else None
    return Group(variable, where, data, scores, compared, explained=explained)


def _explained(data: Data, measures: tuple[Measure, ...], context: Run) -> UnitaryAlignments | None:
    """The alignment behind the first measure that has one."""
    first = next((m for m in measures if isinstance(m, AlignedMeasure)), None)
    if first is None or not isinstance(data, Corpus):
        raise SpecError("--explain shows the most costly places of an alignment: it is for units and gamma")
    return unitary_alignments(data, first, context)


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
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """The score of a measure on data: `score("ratings.csv", "alpha(distance=ordinal)")`.

    `data` is anything `read` takes, or what it gave; `spec` a spec or a measure. Further options go to `read`.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise SpecError(f"the seed is a whole number from 0, not {quoted(seed)}")
    if jobs is not None and jobs < 1:
        raise SpecError(f"jobs is the number of workers, 1 at least, not {jobs}")
    chosen = measure(spec)
    settings = Settings(interval, level, replicates, items_population, annotators_population)
    return scored(_data(data, reading, chosen), chosen, settings, Run(seed, progress, jobs)).score


def align(
    data: Any,
    spec: str | Measure = "gamma",
    *,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> UnitaryAlignments | TextAlignments:
    """The best alignment itself: `align("spans.csv", "gamma(categorical=2)")`, a table of unitary alignments.

    With `text_gamma`, the texts side by side.
    """
    chosen = measure(spec)
    if isinstance(chosen, TextGamma):
        return text_alignments(_data(data, reading, chosen), chosen)
    if not isinstance(chosen, AlignedMeasure):
        raise SpecError(f"{chosen.name} aligns nothing; use gamma, or text_gamma for texts")
    if isinstance(chosen, Gamma) and chosen.reference is not None:
        raise SpecError("align shows all annotators together; for two of them, choose them: --annotators A,B")
    return unitary_alignments(_data(data, reading, chosen), chosen, Run(0, progress, jobs))


def _data(data: Any, reading: Mapping[str, Any], chosen: Measure) -> Data:
    """What was read already, or is read now."""
    if not isinstance(data, Ratings | Corpus | Continuum | Segmentations | Texts):
        usual = {"layout": "texts"} if chosen.data == "texts" else {}
        return read(data, **{**usual, **reading})
    if reading:
        raise SpecError(f"{', '.join(reading)}: say this when reading: accord.read(data, …)")
    return data.alone if isinstance(data, Continuum) else data


def as_function(cls: type[Measure]) -> Callable[..., Score]:
    """A catalogue entry as a function: `alpha(data, distance="ordinal", seed=7)`."""
    own = tuple(cls.__dataclass_fields__)

    def function(data: Any, **options: Any) -> Score:
        chosen = cls(**{key: options.pop(key) for key in own if key in options})
        return score(data, chosen, **options)

    function.__name__ = function.__qualname__ = cls.name
    function.__doc__ = f"{cls.title}. {cls.__doc__}\n\nOptions: {', '.join(own)}, and those of `score`."
    return function


percent, s, pi, kappa, alpha, ac = (as_function(cls) for cls in ON_ITEMS)
gamma, gamma_cat, gamma_k, alpha_u, u_alpha, bar_u_alpha, cu_alpha, ku_alpha, theta, ser, f1, kappa_d, alpha_d = (
    as_function(cls) for cls in ON_UNITS
)
pk, window_diff, ghd, boundary_edit_distance, boundary_similarity, segmentation_similarity = (
    as_function(cls) for cls in ON_SEGMENTATIONS[:6]
)
(text_gamma,) = (as_function(cls) for cls in ON_TEXTS)
pi_star, kappa_star, alpha_boundaries, pi_boundaries, kappa_boundaries = (
    as_function(cls) for cls in ON_SEGMENTATIONS[6:]
)


def _advice(found: Mapping[str, Data], asked: tuple[Measure, ...]) -> tuple[str, ...]:
    """What a colleague would say on seeing these data."""
    notes = []
    on_items = [m for m in asked if isinstance(m, ItemMeasure)]
    plain = (not asked or bool(on_items)) and all(m.weights is None and m.distance is None for m in on_items)
    for variable, data in found.items():
        name = f"{variable}: " if len(found) > 1 else ""
        if plain and isinstance(data, Ratings) and data.categories.numeric and len(data.categories) > 2:
            notes.append(
                f"{name}the labels are numbers, but a near miss counts like any other here; "
                "for a scale try -m 'alpha(distance=ordinal)' or -m 'alpha(distance=interval)'"
            )
        if isinstance(data, Texts):
            continue
        if any(m.by_order for m in asked) and data.categories.guessed_order:
            order = " < ".join(data.categories.names[:8])
            notes.append(
                f"{name}the labels are words, taken in alphabetical order ({order}); say --categories to order them"
            )
    return tuple(notes)
