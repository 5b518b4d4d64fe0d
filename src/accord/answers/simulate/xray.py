"""`xray`: curves of measures over errors of all magnitudes (2012, 3.2; 2015, 6.3), with an evaluation."""

from __future__ import annotations

import math
import runpy
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from accord.answers import options
from accord.answers.question import question
from accord.answers.simulate.errors import ErrorType, check_error, error_type
from accord.answers.simulate.judging import Judge, judges_of, kinds_of_judges, make_judge, values_of_sets
from accord.answers.simulate.shuffle import (
    SIMULATION,
    Erring,
    Errors,
    Generate,
    Reference,
    ReferenceAnnotator,
    Sets,
    Step,
    check_annotator_count,
    errors_in,
    keyed,
    kinds_of_errors,
    reference_for,
)
from accord.core import checkpoints
from accord.core.arrays import Floats
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, counted, quoted
from accord.core.figures.curves import Curves, Line
from accord.core.figures.style import Look
from accord.core.fingerprints import fingerprint
from accord.core.options import Option
from accord.core.parallel import spread
from accord.core.result import Result
from accord.core.tables import Drawing, Table, plain
from accord.data.kinds import ITEMS, TEXTS
from accord.measures.measure import Measure

_AT_ZERO = 0.05  # "reaches 0": tolerance at the last magnitude
_ERRORS = 2.0  # standard errors of a mean within which differences are noise


@dataclass(frozen=True, eq=False)
class Curve:
    """Values of a measure over magnitudes: one row per magnitude, one column per set; NaN if undefined."""

    error: str
    measure: str
    magnitudes: Floats
    values: Floats
    reasons: tuple[str, ...] = ()
    by_chance: float = math.nan  # mean value of annotators with nothing in common; NaN if unknown

    def __repr__(self) -> str:
        return f"<Curve of {self.measure} under {self.error}: {len(self.magnitudes)} magnitudes>"

    @cached_property
    def sets(self) -> int:
        return self.values.shape[1]

    @cached_property
    def undefined(self) -> Any:
        """Number of undefined sets at each magnitude."""
        return np.isnan(self.values).sum(axis=1)

    @cached_property
    def mean(self) -> Floats:
        """Mean of the defined sets; NaN without any."""
        return self._over(np.nanmean)

    @cached_property
    def low(self) -> Floats:
        """The 2.5% quantile of the sets."""
        return self._over(lambda v, axis: np.nanquantile(v, 0.025, axis=axis))

    @cached_property
    def high(self) -> Floats:
        return self._over(lambda v, axis: np.nanquantile(v, 0.975, axis=axis))

    @cached_property
    def spread(self) -> Floats:
        """Standard deviation of the sets; NaN with fewer than two defined."""
        return self._over(lambda v, axis: np.nanstd(v, axis=axis, ddof=1))

    @cached_property
    def error_of_mean(self) -> Floats:
        there = np.maximum(self.sets - self.undefined, 1)
        return np.nan_to_num(self._over(np.nanstd)) / np.sqrt(there)

    def _over(self, function: Any) -> Floats:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a magnitude without values is NaN
            return np.asarray(function(self.values, axis=1), dtype=np.float64)

    def at(self, magnitude: float) -> float:
        """Return the mean at a magnitude, interpolated linearly."""
        there = ~np.isnan(self.mean)
        return float(np.interp(magnitude, self.magnitudes[there], self.mean[there])) if there.any() else math.nan

    def line(self, name: str = "", shaded: tuple[Floats, Floats] | None = None, look: Look | None = None) -> Line:
        """A line of a figure; the band contains 95% of the sets, or is as given."""
        low, high = (self.low, self.high) if shaded is None else shaded
        at, mean = self.magnitudes.tolist(), self.mean.tolist()
        return Line(name or self.measure, tuple(at), tuple(mean), tuple(low.tolist()), tuple(high.tolist()), look)

    def rows(self) -> list[tuple[Any, ...]]:
        columns = (self.magnitudes, self.mean, self.low, self.high)
        points = zip(*(c.tolist() for c in columns), self.undefined.tolist(), strict=True)
        return [(self.error, self.measure, m, mean, low, high, self.sets, none) for m, mean, low, high, none in points]

    def to_dict(self) -> dict[str, Any]:
        keys = ("magnitude", "mean", "low", "high", "sets", "undefined")
        points = [dict(zip(keys, row[2:], strict=True)) for row in self.rows()]
        fields = {"error": self.error, "measure": self.measure, "points": points}
        return plain({**fields, "by_chance": self.by_chance, "verdict": asdict(self.verdict)})

    def notes(self) -> list[str]:
        """Return where and why values are undefined."""
        some = np.flatnonzero(self.undefined > 0)
        if not len(some):
            return []
        first = int(some[0])
        where = f"from magnitude {self.magnitudes[first]:g}" if len(some) > 1 else f"at {self.magnitudes[first]:g}"
        reason = self.reasons[first] if self.reasons else ""
        total = int(self.undefined.sum())
        return [f"{self.error}, {self.measure}: {total:,} of {self.values.size:,} sets undefined, {where}: {reason}"]

    @cached_property
    def verdict(self) -> CurveVerdict:
        """Whether the curve has the desired properties (2015, 6.3); undefined with fewer than two values."""
        there = ~np.isnan(self.mean)
        if there.sum() < 2:
            return CurveVerdict(False, False, False, False, False, math.nan, math.nan, math.nan, ())
        mean, se, at = self.mean[there], self.error_of_mean[there], self.magnitudes[there]
        rise = np.diff(mean)
        noise = _ERRORS * np.hypot(se[1:], se[:-1])
        flat = np.isclose(rise, 0, atol=1e-12)
        return CurveVerdict(
            starts_at_1=bool(abs(mean[0] - 1) < 1e-6 and at[0] == 0),
            reaches_0=bool(mean[-1] < _AT_ZERO),
            strictly_decreasing=bool((rise < 0).all() and not flat.any()),
            decreasing_within_noise=bool((rise <= noise).all() and not flat.all()),
            never_below_0=bool((mean >= -_ERRORS * se - 1e-9).all()),
            first=float(mean[0]),
            last=float(mean[-1]),
            least=float(mean.min()),
            rises=tuple(float(m) for m in at[1:][(rise > noise) & ~flat]),
        )


@dataclass(frozen=True)
class CurveVerdict:
    """Desired properties: starts at 1, reaches 0, strictly decreasing, never below 0."""

    starts_at_1: bool
    reaches_0: bool
    strictly_decreasing: bool
    decreasing_within_noise: bool
    never_below_0: bool
    first: float
    last: float
    least: float
    rises: tuple[float, ...]  # magnitudes at which the mean rises by more than noise

    def words(self) -> tuple[str, str, str, str]:
        """Cells of a table."""
        if math.isnan(self.first):
            return ("undefined",) * 4
        down = "yes" if self.strictly_decreasing else "within noise" if self.decreasing_within_noise else "no"
        if down == "no" and self.rises:
            down = f"no: rises at {', '.join(f'{m:g}' for m in self.rises[:4])}{' …' if len(self.rises) > 4 else ''}"
        return (
            "yes" if self.starts_at_1 else f"no: {self.first:z.3f}",
            f"yes: {self.last:z.3f}" if self.reaches_0 else f"no: {self.last:z.3f}",
            down,
            "yes" if self.never_below_0 else f"no: {self.least:z.3f}",
        )


_TOGETHER = 10  # sets of a task
_LARGE = 100_000  # marks of a reference above which sets are made one by one
MOST_SETS = 100_000
_BY_CHANCE = (
    "by chance: expected value of annotators with nothing in common with the reference. They mark the same number of "
    "units or boundaries at random, or draw labels at random if errors change only labels"
)
ROW = ("error", "measure", "magnitude", "mean", "low", "high", "sets", "undefined")


@dataclass(frozen=True, eq=False, repr=False)
class Xray(Result):
    """A curve for each error and measure."""

    subject: ClassVar[str] = "X-ray of measures"

    curves: tuple[Curve, ...]
    chance: Mapping[str, str] = field(default_factory=dict)  # chance model in words, by measure

    def __getitem__(self, key: str | tuple[str, str]) -> Curve:
        """Return a curve by measure, or by error and measure."""
        for curve in self.curves:
            if key in {curve.measure, (curve.error, curve.measure)}:
                return curve
        raise KeyError(key)

    def summary(self) -> str:
        named = ", ".join(f"{curve.measure} under {curve.error}" for curve in self.curves)
        return f"{counted(len(self.curves), 'curve')}: {named}"

    def tables(self) -> list[Table]:
        """The properties of all curves."""
        columns = ("error", "measure", "starts at 1", "reaches 0", "by chance", "strictly decreasing", "never below 0")
        return [Table("", columns, tuple(_row_of_curve(curve) for curve in self.curves))]

    def closing(self) -> list[str]:
        return list(self.notes())

    def to_dict(self) -> dict[str, Any]:
        curves = [curve.to_dict() for curve in self.curves]
        return {"curves": curves, "chance": dict(self.chance), "notes": list(self.notes())}

    def flat(self) -> Table:
        return Table("", ROW, tuple(self.rows()))

    def rows(self) -> list[tuple[Any, ...]]:
        """`error,measure,magnitude,mean,low,high,sets,undefined`."""
        return [row for curve in self.curves for row in curve.rows()]

    def columns(self) -> dict[str, list[Any]]:
        """The values as columns, for a data frame."""
        return {name: [row[k] for row in self.rows()] for k, name in enumerate(ROW)}

    def notes(self) -> tuple[str, ...]:
        """Reasons for undefined values, and the chance models."""
        known = any(not math.isnan(curve.by_chance) for curve in self.curves)
        models = (f"chance model of {name}: {model}" for name, model in self.chance.items())
        undefined = (note for curve in self.curves for note in curve.notes())
        return (*undefined, *models, *((_BY_CHANCE,) if known else ()))

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"curves": self._curves}

    def _curves(self) -> Curves:
        """A panel per error, a line per measure."""
        panels: dict[str, list[Line]] = {}
        for curve in self.curves:
            panels.setdefault(curve.error, []).append(curve.line())
        return Curves("", tuple((error, tuple(lines)) for error, lines in panels.items()))


@dataclass(frozen=True, eq=False)
class Trials:
    """A plan of simulations: everything that the values depend on."""

    reference: Reference
    errors: tuple[ErrorType, ...]
    judges: tuple[Judge, ...]
    magnitudes: tuple[float, ...]
    sets: int
    annotators: int
    seed: int
    with_reference: bool = False  # the first annotator makes no errors

    def __post_init__(self) -> None:
        for error in self.errors:
            check_error(error, self.reference.ground)
            for judge in self.judges:
                judge.check(self.reference.data, error)
        names = [judge.name for judge in self.judges]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise SpecError("option-value", f"{quoted(twice)} is named twice; remove one")

    @property
    def tasks(self) -> list[Task]:
        """Tasks, divided by the plan alone, so that neither workers nor interruptions change a digit."""
        return [
            (e, magnitude, first)
            for e in range(len(self.errors))
            for magnitude in self.magnitudes
            for first in self.firsts
        ]

    @property
    def at_once(self) -> int:
        """Sets per task."""
        return _TOGETHER if len(self.reference.data) <= _LARGE else 1

    @property
    def firsts(self) -> range:
        return range(0, self.sets, self.at_once)

    def erring(self, error: ErrorType, magnitude: float) -> list[Erring]:
        """The annotators of a set."""
        errs = [Erring(error, magnitude)] * self.annotators
        return [Erring(error, 0.0), *errs[1:]] if self.with_reference else errs


Task = tuple[int, float, int]  # index of the error, magnitude, first set
Outcome = tuple[Floats, list[str]]  # one row of values per measure, and reasons for undefined values


def own_function(given: str) -> Callable[[Any], float]:
    """Load the function `FILE.py:NAME`."""
    path, _, name = given.rpartition(":")
    if not path or not name:
        raise SpecError("option-value", f"--function must have the form FILE.py:NAME, not {quoted(given)}")
    try:
        found = runpy.run_path(path).get(name)
    except OSError as error:
        raise DataError(
            "file-unreadable", f"{quoted(path)}: {error.strerror}; check the path before the colon"
        ) from None
    except Exception as error:  # noqa: BLE001 - whatever is wrong in a user's file
        raise DataError("file-damaged", f"{quoted(path)}: {type(error).__name__}: {error}; correct the file") from None
    if not callable(found):
        raise SpecError(
            "dissimilarity-invalid",
            f"{quoted(path)} contains no function {quoted(name)}; check the name after the colon",
        )
    return found


@question("gold.csv --error shift -m gamma -m u_alpha -m ser -o curves.csv --plot curves.png")
def xray(
    data: options.Data = None,
    error: Errors = None,
    measure: Annotated[
        Any,
        Option(
            "A measure; repeatable. Default: gamma for units, boundary_similarity for segmentations, alpha for items, "
            "text_gamma for texts.",
            flag="-m",
            metavar="SPEC",
            heading=options.MEASURES,
            complete="measures",
            shape="texts",
            formerly=("measures",),
        ),
    ] = None,
    *,
    function: Annotated[
        Sequence[str],
        Option(
            "A custom measure: a Python function from the data to a number; repeatable.",
            metavar="FILE.py:NAME",
            heading=options.MEASURES,
            elsewhere="measure=[my_function]",
        ),
    ] = (),
    step: Step = 0.05,
    sets: Sets = 40,
    annotators: Annotated[int, Option("Number of annotators to simulate.", heading=SIMULATION, least=1)] = 3,
    reference: ReferenceAnnotator = None,
    generate: Generate = None,
    seed: options.Seed = 0,
    journal: Annotated[str | Path | None, "Folder for finished tasks."] = None,
    resume: Annotated[bool, "Continue an interrupted run from its journal; the result is identical."] = False,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Xray:
    """Show how measures respond to simulated errors of increasing magnitude.

    In Python, a measure is a spec, a measure object, or a function from the data to a number.

    Returns
    -------
    Xray

    Examples
    --------
    >>> accord.xray(accord.generate(units=20), "shift", "f1", step=0.5, sets=2)["f1"]
    <Curve of f1 under shift: 3 magnitudes>
    """  # fmt: skip
    alone = isinstance(measure, str | Measure) or callable(measure)
    if not (measure is None or alone or isinstance(measure, Sequence)):
        raise SpecError("option-value", f"measure must be a spec, a function, or a list of them, not {quoted(measure)}")
    asked = [measure] if alone else list(measure or ())
    asked += [own_function(name) for name in function]
    run = Run(seed, progress or silent, jobs)
    judges = judges_of(asked) if asked else None
    errors = errors_in(error)
    if journal is not None and not isinstance(journal, str | Path):
        raise SpecError("option-value", f"journal must be a folder, not {quoted(journal)}")
    if errors == [] or (measure is not None and not asked):
        raise SpecError(
            "option-missing", "a measure and an error are needed, for example xray(gold, 'shift', ['gamma'])"
        )
    kinds = kinds_of_errors(errors) or kinds_of_judges(judges or ())
    source = reference_for(data, reference, generate, reading, kinds, run)
    kind = source.data.kind
    plan = Trials(
        source,
        tuple(errors or [error_type(kind.error)]),
        tuple(judge.at(source.data) for judge in judges or (make_judge(kind.simulated),)),
        magnitudes(step),
        check_sets(sets),
        check_annotator_count(annotators),
        run.seed,
    )
    with nullcontext() if journal is None else checkpoints.journal(Path(journal), fingerprint(plan), resume):
        chances = list(zip(run_trials(plan, run).curves, _by_chance(plan, run), strict=True))
    perfect = source.shuffled([Erring(plan.errors[0], 0.0)] * plan.annotators, [(0,)])
    models = {one.name: one.chance_on(perfect) for one in plan.judges}
    curves = tuple(replace(curve, by_chance=value) for curve, value in chances)
    return Xray(curves, {name: model for name, model in models.items() if model})


def _by_chance(plan: Trials, run: Run) -> list[float]:
    """Return, for each curve, the mean value of annotators with errors that leave nothing of the reference."""
    at: dict[tuple[ErrorType, Judge], float] = {}
    wanted = [(by_chance(e, j, plan.reference), j) for e in plan.errors for j in plan.judges]
    for error, judge in dict.fromkeys(wanted):
        if error is not None:
            alone = replace(plan, errors=(error,), judges=(judge,), magnitudes=(1.0,))
            at[error, judge] = float(run_trials(alone, run).curves[0].mean[0])
    return [math.nan if error is None else at[error, judge] for error, judge in wanted]


def by_chance(error: ErrorType, judge: Judge, reference: Reference) -> ErrorType | None:
    """Return the error of annotators who have nothing in common with the reference; None if unknown.

    They mark the same number of units or boundaries at random positions, with the labels of the reference. If positions
    are fixed, they draw only labels.
    """
    if reference.data.kind is TEXTS and not error.in_place:
        return None
    how = "(overlap=false)" if judge.on_a_line else ""
    anywhere = f"combination([false_negative,false_positive{how}],shares=[1,1])"
    drawn = error_type("category" if error.in_place or reference.data.kind is ITEMS else anywhere)
    try:
        check_error(drawn, reference.ground)
    except DataError:  # a single category has no other labels
        return None
    return drawn


def _row_of_curve(curve: Curve) -> tuple[Any, ...]:
    """A row for a curve."""
    starts, reaches, *rest = curve.verdict.words()
    return (
        curve.error,
        curve.measure,
        starts,
        reaches,
        "" if math.isnan(curve.by_chance) else f"{curve.by_chance:z.3f}",
        *rest,
    )


def run_trials(plan: Trials, run: Run) -> Xray:
    """Compute all tasks of a plan."""
    results = spread(partial(_task, plan), plan.tasks, run, "shuffling and scoring")
    done = dict(zip(plan.tasks, results, strict=True))
    return Xray(tuple(_curve(plan, e, j, done) for e in range(len(plan.errors)) for j in range(len(plan.judges))))


def _task(plan: Trials, task: Task) -> Outcome:
    """Some sets at one magnitude."""
    which, magnitude, first = task
    sets = range(first, min(first + plan.at_once, plan.sets))
    annotators = plan.erring(plan.errors[which], magnitude)
    point = keyed(magnitude)
    batch = plan.reference.shuffled(annotators, [(plan.seed, point, s) for s in sets])
    seed = int(np.random.SeedSequence([plan.seed, point, first]).generate_state(1)[0])
    return values_of_sets(plan.judges, batch, len(sets), plan.reference.n_docs, seed)


def _curve(plan: Trials, e: int, j: int, done: Mapping[Task, Outcome]) -> Curve:
    rows, reasons = [], []
    for magnitude in plan.magnitudes:
        row: list[float] = []
        reason = ""
        for first in plan.firsts:
            values, why = done[e, magnitude, first]
            row += values[j].tolist()
            reason = reason or why[j]
        rows.append(row)
        reasons.append(reason)
    name = plan.judges[j].name
    return Curve(str(plan.errors[e]), name, np.array(plan.magnitudes), np.array(rows), tuple(reasons))


def magnitudes(step: float) -> tuple[float, ...]:
    """Return magnitudes from 0 to 1 in steps; 1 is always included."""
    if isinstance(step, bool) or not isinstance(step, int | float) or not 0.001 <= step <= 1:
        raise SpecError("option-value", f"--step must be between 0.001 and 1, not {quoted(step)}")
    inner = [round(k * step, 9) for k in range(math.floor(1 / step + 1e-9) + 1)]
    return tuple(inner if inner[-1] > 1 - 1e-9 else [*inner, 1.0])


def check_sets(sets: object) -> int:
    if isinstance(sets, bool) or not isinstance(sets, int) or not 1 <= sets <= MOST_SETS:
        raise SpecError("option-value", f"--sets must be a whole number from 1 to {MOST_SETS:,}, not {quoted(sets)}")
    return sets
