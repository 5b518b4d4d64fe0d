"""`plot`: figures of data, and their catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

from accord.answers import options
from accord.answers.align import align
from accord.answers.annotators import annotators
from accord.answers.disagreements import disagreements
from accord.answers.influence import influence
from accord.answers.levels import are_amounts, has_many_numbers
from accord.answers.limits import bland_altman, name_two
from accord.answers.marginals import marginals
from accord.answers.options import LEVEL, REPLICATES
from accord.answers.question import declared_in, question
from accord.answers.scatter import scatter_of, suits_scatter
from accord.answers.score import UsualMeasures, score
from accord.answers.scoring import kinds_of, main_measure, score_each, with_category_intervals
from accord.answers.simulate.meaning import meaning
from accord.answers.trend import trend
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, UnknownName
from accord.core.figures.bars import Forest
from accord.core.figures.figure import inches
from accord.core.options import Option
from accord.core.result import MOST_DRAWN, Result, Score
from accord.core.tables import Cell, Drawing, Interval, Table, plain
from accord.data.door import is_data, opened
from accord.data.io.reading import PARTS
from accord.data.kinds import CHAINS, ITEMS, KINDS, SEGMENTATIONS, TEXTS, UNITS, Kind
from accord.data.model.data import Data
from accord.data.model.measurement import MOST_GRADES
from accord.data.model.ratings import Ratings
from accord.measures.intervals.methods import Settings
from accord.measures.measure import WIDEST_MATRIX, Measure
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

# By kind of data; items with numbers or many categories have another figure
USUAL = {ITEMS: "confusion", UNITS: "alignment", TEXTS: "differences", SEGMENTATIONS: "forest", CHAINS: "forest"}


def usual_figure(data: Data) -> str:
    """Return the kind of figure to draw by default, at the level of measurement of the labels."""
    if not isinstance(data, Ratings):
        return USUAL[data.kind]
    if are_amounts(data):
        return "scatter" if suits_scatter(data) else "forest"
    return "confusion" if len(data.categories) <= MOST_GRADES or not data.identified else "confused"


@dataclass(frozen=True, repr=False)
class Plotted(Result):
    """A figure and its numbers."""

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
        """Return intervals as two columns, with unique column names."""
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
class PlotOptions:
    """The input of a figure."""

    data: Any  # as given
    reading: Mapping[str, Any]
    kind: str | None
    measures: tuple[str | Measure, ...]
    document: str | None
    by: str | None
    settings: Settings

    def score(self, data: Data, run: Run) -> Score:
        """Score by the named measure, or the main one, without an interval."""
        chosen = main_measure(self.one(self.kind or usual_figure(data)), data)
        return score_each(data, (chosen,), Settings("none"), run)[0]

    def one(self, kind: str | None = None) -> str | Measure | None:
        """Return the named measure, if there is exactly one."""
        if len(self.measures) > 1:
            raise SpecError(
                "option-conflict", f"--kind {kind or self.kind} accepts one measure; name one with --measure"
            )
        return self.measures[0] if self.measures else None


def _check_kind(given: str) -> str:
    if given not in (names := [one.name for one in PLOTS]):
        if given == "curves":
            raise SpecError(
                "not-in-accord",
                "curves need a simulated error; use accord xray gold.csv --error shift --plot curves.svg",
            )
        raise UnknownName("kind of plot", given, names)
    return given


def _check_width(given: str) -> str:
    inches(given)
    return given


_picture = partial(Option, heading="Figure")


@question("spans.csv -o alignment.svg", "labels.csv --kind pairs --width one -o pairs.pdf")
def plot(
    data: options.Data,
    *,
    kind: Annotated[
        str | None,
        _picture(
            "Kind of figure: alignment (units), confusion, confused, pairs, forest, disorder (units, texts), "
            "differences (texts), influence, trend, scatter (numbers), bland_altman (two annotators who give numbers), "
            "shares, annotators, meaning. Default: confusion for labels of items (scatter for numbers, confused for "
            "more than 12 categories), alignment for units, differences for texts, else forest.",
            metavar="KIND",
            formerly=("sort",),
            canonical=_check_kind,
        ),
    ] = None,
    width: Annotated[
        str,
        _picture(
            "Width in columns of a paper.",
            metavar="one|two",
            canonical=_check_width,
            elsewhere="result.save_plot(path, width=...)",
        ),
    ] = "two",
    document: Annotated[
        str | None,
        _picture("Document for alignment and differences. Default: the one with most disagreement.", metavar="NAME"),
    ] = None,
    by: Annotated[
        str | None,
        _picture(
            "forest: by category, annotator, document, or value of a COLUMN; disorder: by category or document; "
            "trend: the COLUMN of the rounds.",
            metavar="WHAT",
            complete="by",
        ),
    ] = None,
    measure: UsualMeasures = None,
    interval: options.Interval = "default",
    level: options.Level = LEVEL,
    replicates: options.Replicates = REPLICATES,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Plotted:
    """Draw a figure: alignment, confusion, agreement of pairs, intervals and more.

    In Python, results also have a method `plot`: `accord.score(data).plot()`.

    Returns
    -------
    Plotted
        The figure and its numbers; `save_plot(path)` writes it.

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": ["a", "b", "b", "a"], "Ben": ["a", "b", "a", "a"]}
    >>> picture = accord.plot(rows, kind="confusion")
    >>> picture.save_plot("confusion.svg")
    """  # fmt: skip
    run = Run(seed, progress or silent, jobs)
    _check_width(width)
    specs = () if measure is None else (measure,) if isinstance(measure, str | Measure) else tuple(measure)
    settings = Settings(interval, level, replicates)
    asked = PlotOptions(data, reading, kind, specs, document, by, settings)
    columns = {} if by is None or by in PARTS or is_data(data) else {"by": (by,)}
    found = opened(data, reading | columns, kinds_of(*specs), run)
    drawn = usual_figure(found) if kind is None else _check_kind(kind)
    chosen = next(one for one in PLOTS if one.name == drawn)
    if found.kind not in chosen.takes:
        fitting = ", ".join(one.name for one in PLOTS if found.kind in one.takes)
        words = ", ".join(kind.words for kind in chosen.takes)
        raise SpecError(
            "measure-for-other-data",
            f"--kind {drawn} applies to {words}, and these are {found.kind.words}; choose one of {fitting}",
        )
    if document is not None and drawn not in ("alignment", "differences"):
        raise SpecError(
            "option-conflict",
            f"--document applies to --kind alignment and --kind differences, not to {drawn}; leave it out",
        )
    if by is not None and drawn not in ("forest", "trend", "disorder"):
        raise SpecError(
            "option-conflict",
            f"--by applies to --kind forest, --kind disorder and --kind trend, not to {drawn}; leave it out",
        )
    return Plotted(chosen.make(asked, found, run), drawn)


# -- the catalogue -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sort:
    """A kind of figure: its name, description, kinds of data, and function."""

    name: str
    shows: str
    takes: tuple[Kind, ...]
    make: Callable[[PlotOptions, Data, Run], Drawing]


def _alignment(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    found = align(data, asked.one(), progress=run.progress, jobs=run.jobs)
    assert isinstance(found, UnitaryAlignments)
    return found.figure("alignment") if asked.document is None else found.timeline(asked.document)


def _differences(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    found = align(data, asked.one(), progress=run.progress, jobs=run.jobs)
    assert isinstance(found, TextAlignments)
    return found.figure("differences") if asked.document is None else found.marked(asked.document)


def _disorder(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    found = align(data, asked.one(), progress=run.progress, jobs=run.jobs)
    if asked.by not in (None, "category", "document"):
        raise SpecError(
            "option-conflict", f"--by {asked.by}: disorder can be shown by category or by document; choose one of them"
        )
    if asked.by is not None and isinstance(found, UnitaryAlignments):
        return found.decomposed(asked.by)
    return found.figure("disorder")


def _confusion(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    found = asked.score(data, run)
    if "matrix" not in found.details:
        raise DataError(
            "measure-for-other-data",
            f"confusion: {found.measure} has no confusion matrix, or there are more than {WIDEST_MATRIX} labels; try "
            "--kind confused",
        )
    return found.figure("confusion")


def _pairs(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    if data.n_annotators > MOST_DRAWN:
        raise DataError(
            "too-large-to-compute",
            f"pairs: {data.n_annotators:,} annotators are too many for a figure; choose some with --annotators",
        )
    found = asked.score(data, run)
    if "pairs" not in found.drawings():
        raise DataError(
            "measure-for-other-data",
            f"pairs: {found.measure} has no values for pairs of annotators, or there are fewer than three annotators; "
            "try --kind forest",
        )
    return found.figure("pairs")


def _forest(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    specs = asked.measures or ((data.kind.main,) if asked.by is not None else ())
    columns = () if asked.by is None or asked.by in PARTS else (asked.by,)
    found = declared_in(score).function(
        asked.data, specs or None, interval=asked.settings.method, level=asked.settings.level,
        replicates=asked.settings.replicates, seed=run.seed, progress=run.progress, jobs=run.jobs, by=columns,
        **asked.reading,
    )  # fmt: skip
    if asked.by is None or columns:
        known = found.drawings()
        return known[f"forest by {asked.by}" if f"forest by {asked.by}" in known else "forest"]()
    whole = found.scores[0]
    key = f"forest by {asked.by}"
    if key not in whole.drawings():
        there = ", ".join(name.removeprefix("forest by ") for name in whole.drawings() if name.startswith("forest by "))
        raise SpecError(
            "option-conflict",
            f"--by {asked.by}: not available for {whole.measure}; choose {there or 'no breakdown'}, or a column of "
            "the data",
        )
    drawn = whole.figure(key)
    if asked.by == "category" and isinstance(drawn, Forest):
        return with_category_intervals(drawn, data, main_measure(specs[0], data), asked.settings, run)
    return drawn


def _influence(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    level, replicates = asked.settings.level, asked.settings.replicates
    around: dict[str, Any] = {"seed": run.seed, "progress": run.progress, "jobs": run.jobs}
    found = influence(data, asked.one(), level=level, replicates=replicates, **around)
    return found.figure()


def _trend(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    if asked.by is None:
        raise SpecError(
            "option-missing",
            "--kind trend needs the column of the rounds; name it with --by COLUMN",
        )
    of = asked.settings
    around: dict[str, Any] = {"seed": run.seed, "progress": run.progress, "jobs": run.jobs}
    specs = asked.measures or None
    found = trend(data, asked.by, specs, interval=of.method, level=of.level, replicates=of.replicates, **around)
    return found.figure()


def _bland_altman(asked: PlotOptions, data: Data, run: Run) -> Drawing:  # noqa: ARG001
    names = options.names_in(asked.reading.get("annotators")) or data.present
    if len(names) != 2:
        raise SpecError(
            "option-missing",
            f"limits of agreement compare two annotators, not {len(names)}; {name_two(data.present)}",
        )
    return bland_altman(data, *names, level=asked.settings.level).figure()


def _scatter(asked: PlotOptions, data: Data, run: Run) -> Drawing:  # noqa: ARG001
    assert isinstance(data, Ratings)
    names = options.names_in(asked.reading.get("annotators"))
    return scatter_of(data if names is None else data.only_annotators(names))


def _shares(asked: PlotOptions, data: Data, run: Run) -> Drawing:  # noqa: ARG001
    return marginals(data).figure()


def _annotators(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    return annotators(data, level=asked.settings.level, seed=run.seed, jobs=run.jobs).figure()


def _confused(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    found = disagreements(data, measure=asked.one(), seed=run.seed, progress=run.progress, jobs=run.jobs)
    if not found.pairs:
        if has_many_numbers(data):
            raise DataError(
                "measure-for-other-data",
                "confused: the labels are numbers on a scale, so pairs of labels are not counted; try --kind scatter",
            )
        raise DataError("nothing-shared", "confused: no item has two different labels; try --kind forest")
    return found.figure()


def _meaning(asked: PlotOptions, data: Data, run: Run) -> Drawing:
    return meaning(data, asked.one(), seed=run.seed, progress=run.progress, jobs=run.jobs).figure()


PLOTS = (
    Sort("alignment", "timeline of a document, with aligned units connected", (UNITS,), _alignment),
    Sort("confusion", "labels given to the same items, and expected counts", (ITEMS,), _confusion),
    Sort("confused", "the most frequently confused pairs of labels", (ITEMS, UNITS), _confused),
    Sort("pairs", "agreement of each pair of annotators, clustered", KINDS, _pairs),
    Sort("forest", "values with intervals: measures, variables, parts, values of a column (--by)", KINDS, _forest),
    Sort("disorder", "causes of disorder: position, category, absence", (UNITS, TEXTS), _disorder),
    Sort("differences", "texts side by side, with differences marked", (TEXTS,), _differences),
    Sort("influence", "the value without each annotator, item or document, category", KINDS, _influence),
    Sort("trend", "values by round (--by COLUMN)", KINDS, _trend),
    Sort("scatter", "numbers of two annotators, or of each over the mean of the others", (ITEMS,), _scatter),
    Sort(
        "bland_altman",
        "differences of two annotators who give numbers, with limits of agreement",
        (ITEMS,),
        _bland_altman,
    ),
    Sort("shares", "how often each annotator gives each label", (ITEMS,), _shares),
    Sort("annotators", "accuracy of each annotator compared with the others", (ITEMS, UNITS), _annotators),
    Sort("meaning", "simulated errors that give the same value", (ITEMS, UNITS, SEGMENTATIONS, TEXTS), _meaning),
)
