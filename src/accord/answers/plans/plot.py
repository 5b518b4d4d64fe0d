"""`accord plot`: a picture of data, by kind; the catalogue of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from accord.answers.align import align
from accord.answers.annotators import annotators
from accord.answers.disagreements import disagreements
from accord.answers.influence import influence
from accord.answers.limits import bland_altman
from accord.answers.marginals import marginals
from accord.answers.plans.base import Plan, one_measure
from accord.answers.plans.score import ScorePlan
from accord.answers.scoring import score_each, with_category_intervals
from accord.answers.simulate.meaning import meaning
from accord.answers.trend import trend
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName
from accord.core.figures.bars import Forest
from accord.core.figures.figure import inches
from accord.core.result import MOST_DRAWN, Result
from accord.core.tables import Cell, Drawing, Interval, Table, plain
from accord.data.io.reading import PARTS
from accord.data.kinds import CHAINS, ITEMS, KINDS, SEGMENTATIONS, TEXTS, UNITS, Kind
from accord.data.model.data import Data
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings
from accord.measures.measure import WIDEST_MATRIX
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

USUAL = {ITEMS: "confusion", UNITS: "alignment", TEXTS: "differences", SEGMENTATIONS: "forest", CHAINS: "forest"}


@dataclass(frozen=True, repr=False)
class Plotted(Result):
    """A picture, and the numbers behind it."""

    picture: Drawing
    sort: str

    @property
    def title(self) -> str:
        return self.picture.title

    def summary(self) -> str:
        return f"{self.sort}: {self.picture.caption}"

    def facts(self) -> list[str]:
        return [self.picture.caption]

    def tables(self) -> list[Table]:
        return [replace(self.picture.table().first(), title="")]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {self.sort: lambda: self.picture}

    def to_dict(self) -> dict[str, Any]:
        table = self.flat()
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        return plain({"kind": self.sort, "title": self.title, "caption": self.picture.caption, "rows": rows})

    def flat(self) -> Table:
        """Intervals as two columns; no name twice."""
        table = self.picture.table()
        apart = [any(isinstance(row[k], Interval) for row in table.rows) for k in range(len(table.columns))]
        names: list[str] = []
        for name, two in zip(table.columns, apart, strict=True):
            names += ["low", "high"] if two else [name]
        unique = [name if name not in names[:k] else f"{name} ({k + 1})" for k, name in enumerate(names)]

        def cells(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
            made: list[Cell] = []
            for cell, two in zip(row, apart, strict=True):
                ends = (cell.low, cell.high) if isinstance(cell, Interval) else (None, None)
                made += ends if two else (cell,)
            return tuple(made)

        return Table("", tuple(unique), tuple(map(cells, table.rows)))


@dataclass(frozen=True)
class PlotPlan(Plan):
    """Data, the kind of picture, and what it needs."""

    command: ClassVar[str] = "plot"
    example: ClassVar[str] = "spans.csv -o alignment.svg"

    sort: str | None = None  # `--kind`
    measures: tuple[str, ...] = ()
    document: str | None = None
    by: str | None = None
    interval: str = "default"
    level: float = 0.95
    replicates: int = 2000
    width: str = "two"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "measures", tuple(str(measure(spec)) for spec in self.measures))
        inches(self.width)
        self.settings  # noqa: B018 - what makes no sense is refused
        if self.sort is not None and self.sort not in (names := [one.name for one in PLOTS]):
            if self.sort == "curves":
                raise SpecError("curves are those of an error: accord xray gold.csv --error shift --plot curves.svg")
            raise UnknownName("kind of plot", self.sort, names)

    def answer(self, run: Run) -> Plotted:
        self.check_named()
        reading = self.reading if self.by is None or self.by in PARTS else replace(self.reading, by=(self.by,))
        data = replace(self, reading=reading).opened(run, *self.measures)
        sort = self.sort or USUAL[data.kind]
        chosen = next(one for one in PLOTS if one.name == sort)
        if data.kind not in chosen.takes:
            fitting = ", ".join(one.name for one in PLOTS if data.kind in one.takes)
            words = ", ".join(kind.words for kind in chosen.takes)
            raise SpecError(f"--kind {sort} is for {words}, and these are {data.kind.words}; for them: {fitting}")
        if self.document is not None and sort not in ("alignment", "differences"):
            raise SpecError(f"--document chooses one for --kind alignment or differences, and this is {sort}")
        if self.by is not None and sort not in ("forest", "trend", "disorder"):
            raise SpecError(f"--by is for --kind forest, disorder or trend, and this is {sort}")
        return Plotted(chosen.make(self, data, run), sort)

    @property
    def settings(self) -> Settings:
        return Settings(self.interval, self.level, self.replicates)

    def score(self, data: Data, run: Run) -> Any:
        """By the measure that was named, or the main one, without an interval."""
        spec = one_measure(self.measures, f"--kind {self.sort or USUAL[data.kind]}") or data.kind.main
        return score_each(data, (measure(spec),), Settings("none"), run)[0]

    def one(self) -> str | None:
        return one_measure(self.measures, f"--kind {self.sort}")


# -- the catalogue -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sort:
    """A kind of picture: its name, what it shows, the data that it takes, and how it is made."""

    name: str
    shows: str
    takes: tuple[Kind, ...]
    make: Callable[[PlotPlan, Data, Run], Drawing]


def _alignment(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    found = align(data, plan.one(), progress=run.progress, jobs=run.jobs)
    assert isinstance(found, UnitaryAlignments)  # noqa: S101 - of units
    return found.figure("alignment") if plan.document is None else found.timeline(plan.document)


def _differences(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    found = align(data, plan.one(), progress=run.progress, jobs=run.jobs)
    assert isinstance(found, TextAlignments)  # noqa: S101 - of texts
    return found.figure("differences") if plan.document is None else found.marked(plan.document)


def _disorder(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    found = align(data, plan.one(), progress=run.progress, jobs=run.jobs)
    if plan.by not in (None, "category", "document"):
        raise SpecError(f"--by {plan.by}: disorder is shown by category or document")
    if plan.by is not None and isinstance(found, UnitaryAlignments):
        return found.decomposed(plan.by)
    return found.figure("disorder")


def _confusion(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    score = plan.score(data, run)
    if "matrix" not in score.details:
        raise DataError(f"confusion: {score.measure} has no matrix of labels, or there are more than {WIDEST_MATRIX}")
    return score.figure("confusion")


def _pairs(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    if data.n_annotators > MOST_DRAWN:
        raise DataError(f"pairs: {data.n_annotators:,} annotators are too many for a picture; choose with --annotators")
    score = plan.score(data, run)
    if "pairs" not in score.drawings():
        raise DataError(f"pairs: {score.measure} has no values of three or more annotators, two by two, here")
    return score.figure("pairs")


def _forest(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    specs = plan.measures or ((data.kind.main,) if plan.by is not None else ())
    columns = () if plan.by is None or plan.by in PARTS else (plan.by,)
    asked = ScorePlan(plan.paths, plan.reading, plan.seed, measures=specs, settings=plan.settings, by=columns)
    found = asked.answer(run)
    if plan.by is None or columns:
        known = found.drawings()
        return known[f"forest by {plan.by}" if f"forest by {plan.by}" in known else "forest"]()
    score = found.scores[0]
    key = f"forest by {plan.by}"
    if key not in score.drawings():
        there = ", ".join(name.removeprefix("forest by ") for name in score.drawings() if name.startswith("forest by "))
        raise SpecError(f"--by {plan.by}: {score.measure} is broken down by {there or 'nothing'} here, or by a column")
    drawn = score.figure(key)
    if plan.by == "category" and isinstance(drawn, Forest):
        return with_category_intervals(drawn, data, measure(specs[0]), plan.settings, run)
    return drawn


def _influence(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    found = influence(data, plan.one(), level=plan.level, replicates=plan.replicates, seed=run.seed,
                      progress=run.progress, jobs=run.jobs)  # fmt: skip
    return found.figure()


def _trend(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    if plan.by is None:
        raise SpecError("--by: which column names the rounds? accord plot labels.csv --kind trend --by round -o x.svg")
    found = trend(data, plan.by, plan.measures or None, interval=plan.interval, level=plan.level,
                  replicates=plan.replicates, seed=run.seed, progress=run.progress, jobs=run.jobs)  # fmt: skip
    return found.figure()


def _bland_altman(plan: PlotPlan, data: Data, run: Run) -> Drawing:  # noqa: ARG001
    names = plan.reading.annotators or data.present
    if len(names) != 2:
        raise SpecError(f"limits of agreement are of two annotators, not {len(names)}: --annotators Ana,Ben")
    return bland_altman(data, *names, level=plan.level).figure()


def _shares(plan: PlotPlan, data: Data, run: Run) -> Drawing:  # noqa: ARG001
    return marginals(data).figure()


def _annotators(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    return annotators(data, level=plan.level, seed=run.seed, jobs=run.jobs).figure()


def _confused(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    found = disagreements(data, measure=plan.one(), seed=run.seed, progress=run.progress, jobs=run.jobs)
    if not found.pairs:
        raise DataError("confused: nobody gave two labels to the same thing here")
    return found.figure()


def _meaning(plan: PlotPlan, data: Data, run: Run) -> Drawing:
    return meaning(data, plan.one(), seed=run.seed, progress=run.progress, jobs=run.jobs).figure()


PLOTS = (
    Sort("alignment", "a document as a timeline, units that belong together joined", (UNITS,), _alignment),
    Sort("confusion", "which labels the same items were given, and what chance expects", (ITEMS,), _confusion),
    Sort("confused", "the pairs of labels that are confused most", (ITEMS, UNITS), _confused),
    Sort("pairs", "every two annotators; those who agree stand together", KINDS, _pairs),
    Sort("forest", "values with intervals: measures, variables, parts, values of a column (--by)", KINDS, _forest),
    Sort("disorder", "where disorder comes from: position, category, absence", (UNITS, TEXTS), _disorder),
    Sort("differences", "texts side by side, with what differs marked", (TEXTS,), _differences),
    Sort("influence", "the value without each annotator, item or document, category", KINDS, _influence),
    Sort("trend", "values from round to round (--by COLUMN)", KINDS, _trend),
    Sort("bland_altman", "differences of two annotators who give numbers, and their limits", (ITEMS,), _bland_altman),
    Sort("shares", "how often each annotator gives each label", (ITEMS,), _shares),
    Sort("annotators", "accuracy of each annotator, held against the others", (ITEMS, UNITS), _annotators),
    Sort("meaning", "the errors that would give the value", (ITEMS, UNITS, SEGMENTATIONS, TEXTS), _meaning),
)
