"""A plan → results: reads, observes, estimates, adds the interval. The one place where these meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from accord.answers.plan import Plan
from accord.answers.results import Group, Results
from accord.context import Run, silent
from accord.door import opened, opened_all
from accord.errors import DataError, SpecError
from accord.inference.marginals import marginals
from accord.inference.scales import scale
from accord.inference.scoring import kinds_of, main_measure, scored
from accord.io.reading import DOCUMENT
from accord.kinds import TEXTS
from accord.measures.base import Measure
from accord.measures.catalogue import measure
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments
from accord.model.corpus import Corpus
from accord.model.data import Data
from accord.model.ratings import Ratings

OF_TEXTS = ("kind",)  # a breakdown of texts; for others a column may be called so


def run(plan: Plan, progress: Callable[[str, int, int], None] = silent, jobs: int | None = None) -> Results:
    """Everything a plan asks for."""
    asked = tuple(measure(spec) for spec in plan.measures)
    scales = tuple(scale(name) for name in plan.scales)
    context = Run(plan.seed, progress, jobs)
    found = opened_all(list(plan.paths), plan.reading, [m.data for m in asked])
    in_documents = any(data.kind.noun == "document" for data in found.values())
    of_texts = tuple(
        name for data in found.values() if data.kind is TEXTS for name in (*OF_TEXTS, *data.features_compared)
    )
    columns = tuple(c for c in plan.reading.by if not (in_documents and c in DOCUMENT) and c not in of_texts)
    if of_texts and columns:
        known = ("kind", "category", "annotator", "pair", "document", *of_texts[len(OF_TEXTS) :])
        raise SpecError(f"--by {columns[0]}: texts are broken down by {', '.join(known)}")
    groups: list[Group] = []
    for variable, data in found.items():
        measures = asked or tuple(measure(spec) for spec in data.usual_measures)
        groups.append(_scored(variable, {}, data, measures, plan, context, strict=not columns))
        for column in columns:
            for value, part in data.by(column).items():
                groups.append(_scored(variable, {column: value}, part, measures, plan, context, strict=False))
    if groups and all(group.problem for group in groups):
        raise DataError(str(groups[0].problem))
    more = dict.fromkeys("document" if c in DOCUMENT else c for c in plan.reading.by if c not in columns)
    return Results(plan, found, tuple(groups), _advice(found, asked), scales, (*plan.parts, *more))


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
    first = next((m for m in measures if m.aligns and m.data == "units"), None)
    if first is None or not isinstance(data, Corpus):
        raise SpecError("--explain shows the most costly places of an alignment: it is for units and gamma")
    found: UnitaryAlignments = first.alignments(data, context)
    return found


def align(
    data: Any,
    spec: str | Measure | None = None,
    *,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> UnitaryAlignments | TextAlignments:
    """The best alignment itself: `align("spans.csv", "gamma(categorical=2)")`, a table of unitary alignments.

    With `text_gamma`, the texts side by side.
    """
    run = Run(0, progress, jobs)
    if spec is not None:
        measure(spec).check_aligns()
    found = opened(data, reading, kinds_of(spec))
    chosen = main_measure(spec, found)
    chosen.check_aligns()
    made: UnitaryAlignments | TextAlignments = chosen.alignments(found, run)
    return made


def _advice(found: Mapping[str, Data], asked: tuple[Measure, ...]) -> tuple[str, ...]:
    """What a colleague would say on seeing these data."""
    notes = []
    on_items = [m for m in asked if m.on_items]
    plain = (not asked or bool(on_items)) and not any(m.by_degrees for m in on_items)
    for variable, data in found.items():
        name = f"{variable}: " if len(found) > 1 else ""
        if plain and data.graded:
            notes.append(
                f"{name}the labels are numbers, but a near miss counts like any other here; "
                "for a scale try -m 'alpha(distance=ordinal)' or -m 'alpha(distance=interval)'"
            )
        guessed = next((c for c in data.category_sets.values() if c.guessed_order), None)
        if any(m.by_order for m in asked) and guessed is not None and data.kind is not TEXTS:
            order = " < ".join(guessed.names[:8])
            notes.append(
                f"{name}the labels are words, taken in alphabetical order ({order}); say --categories to order them"
            )
    return tuple(notes)
