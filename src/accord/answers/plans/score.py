"""`accord score`: how well annotators agree, by every measure that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from accord.answers.marginals import marginals
from accord.answers.plans.base import Plan, names_in
from accord.answers.plans.groups import Group
from accord.answers.plans.printing import COLUMNS
from accord.answers.plans.results import Results
from accord.answers.scales import Scale, scale
from accord.answers.scoring import score_each
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName
from accord.core.prose import style_named
from accord.data.door import opened_all
from accord.data.io.reading import DOCUMENT, PARTS
from accord.data.kinds import ITEMS, TEXTS
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure
from accord.measures.units.unitary import UnitaryAlignments

OF_TEXTS = ("kind",)  # a breakdown of texts; for others a column may be called so


@dataclass(frozen=True)
class ScorePlan(Plan):
    """Measures, their intervals, and the breakdowns to show."""

    command: ClassVar[str] = "score"
    example: ClassVar[str] = "ratings.csv"

    measures: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    by: tuple[str, ...] = ()  # parts of a score, or columns whose values are scored apart
    scales: tuple[str, ...] = ()
    marginals: bool = False
    matrix: bool = False
    explain: bool = False  # the most costly places
    beside: str | None = None  # further columns in print
    style: str = "plain"  # of numbers in print
    cite: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        style_named(self.style)
        for name in names_in(self.beside) or ():
            if name not in COLUMNS:
                raise UnknownName("column", name, COLUMNS)
        object.__setattr__(self, "measures", tuple(str(measure(spec)) for spec in self.measures))

    def answer(self, run: Run) -> Results:
        self.check_named()
        asked = tuple(measure(spec) for spec in self.measures)
        scales = tuple(scale(name) for name in self.scales)
        others = tuple(name for name in self.by if name not in PARTS)
        reading = replace(self.reading, by=others)
        found = opened_all(list(self.paths), reading, [m.data for m in asked], run)
        if self.marginals:
            _check_marginals(found)
        columns = _columns(found, others)
        groups: list[Group] = []
        for variable, data in found.items():
            measures = asked or tuple(measure(spec) for spec in data.usual_measures)
            _check_scales(scales, measures)
            groups.append(self._scored(variable, {}, data, measures, run, strict=not columns and len(found) == 1))
            for column in columns:
                for value, part in data.by(column).items():
                    groups.append(self._scored(variable, {column: value}, part, measures, run, strict=False))
        if groups and all(group.problem for group in groups):
            raise DataError(str(groups[0].problem))
        parts = (name for name in self.by if name in PARTS)
        more = dict.fromkeys("document" if c in DOCUMENT else c for c in others if c not in columns)
        return Results(
            found,
            tuple(groups),
            paths=self.paths,
            level=self.settings.level,
            notes=_advice(found, asked),
            scales=scales,
            parts=(*parts, *more),
            matrix=self.matrix,
            marginals=self.marginals,
            beside=tuple(names_in(self.beside) or ()),
            style=self.style,
            cite=self.cite,
        )

    def _scored(
        self,
        variable: str,
        where: Mapping[str, str],
        data: Data,
        measures: tuple[Measure, ...],
        run: Run,
        strict: bool,
    ) -> Group:
        try:
            scores = score_each(data, measures, self.settings, run)
            explained = _explained(data, measures, run) if self.explain else None
        except DataError as error:
            if strict:
                raise
            return Group(variable, where, data, (), problem=str(error))
        compared = marginals(data) if self.marginals and isinstance(data, Ratings) and data.identified else None
        return Group(variable, where, data, scores, compared, explained=explained)


def _check_marginals(found: Mapping[str, Data]) -> None:
    """Every output would leave them out."""
    data = next(iter(found.values()))
    if data.kind is not ITEMS:
        raise SpecError(f"--marginals: this is for labels of items, and these are {data.kind.words}")
    if not data.identified:
        raise DataError("--marginals: counts do not say whose labels they are")


def _check_scales(scales: tuple[Scale, ...], measures: tuple[Measure, ...]) -> None:
    for one in scales:
        if not any(one.fits(m.name) for m in measures):
            raise SpecError(
                f"--scale {one.name} was made for {', '.join(one.made_for)}, and says nothing about "
                f"{', '.join(m.name for m in measures)}"
            )


def _columns(found: Mapping[str, Data], by: tuple[str, ...]) -> tuple[str, ...]:
    """The columns whose values are scored apart; the others are breakdowns that the data have."""
    in_documents = any(data.kind.noun == "document" for data in found.values())
    of_texts = tuple(
        name for data in found.values() if data.kind is TEXTS for name in (*OF_TEXTS, *data.features_compared)
    )
    columns = tuple(c for c in by if not (in_documents and c in DOCUMENT) and c not in of_texts)
    if of_texts and columns:
        known = ("kind", "category", "annotator", "pair", "document", *of_texts[len(OF_TEXTS) :])
        raise SpecError(f"--by {columns[0]}: texts are broken down by {', '.join(known)}")
    return columns


def _explained(data: Data, measures: tuple[Measure, ...], run: Run) -> UnitaryAlignments | None:
    """The alignment behind the first measure that has one."""
    first = next((m for m in measures if m.aligns and m.data == "units"), None)
    if first is None or not isinstance(data, Corpus):
        raise SpecError("--explain shows the most costly places of an alignment: it is for units and gamma")
    found: UnitaryAlignments = first.alignments(data, run)
    return found


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
        if plain and data.in_sets:
            notes.append(
                f"{name}the labels are sets, and one that is right in part counts as wrong here; "
                "try -m 'alpha(distance=masi)' or -m 'alpha(distance=jaccard)'"
            )
        guessed = next((c for c in data.category_sets.values() if c.guessed_order), None)
        if any(m.by_order for m in asked) and guessed is not None and data.kind is not TEXTS:
            order = " < ".join(guessed.names[:8])
            notes.append(
                f"{name}the labels are words, taken in alphabetical order ({order}); say --categories to order them"
            )
    return tuple(notes)
