"""`annotators`: rank annotators; flag random answers, drift and suspicious agreement of pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Annotated, Any

import numpy as np

from accord.answers import options
from accord.answers.annotator_figures import (
    ENOUGH,
    NONE,
    Answers,
    Bias,
    Drift,
    Marking,
    Offset,
    answers_of_items,
    answers_of_units,
    believable,
    differences,
    find_biases,
    find_drifts,
    find_offsets,
    measure_accuracy,
    medians,
    suspicion,
    suspicion_on_scale,
    wilson_interval,
)
from accord.answers.gold.models import Believed, accuracies, dawid_skene, mace
from accord.answers.levels import are_amounts, notes_on_levels
from accord.answers.options import LEVEL
from accord.answers.question import question
from accord.answers.trend import AS_THEY_COME, time_order
from accord.core.arrays import Floats, Ints
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, UnknownName, counted, for_interface, quoted
from accord.core.figures.bars import Forest, ForestRow
from accord.core.options import Option
from accord.core.probability import normal_below
from accord.core.result import Result
from accord.core.tables import Cell, Drawing, Interval, Table, ends, percent, plain
from accord.data.door import is_data, opened
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.labels import as_number
from accord.data.model.measurement import ORDERED
from accord.data.model.ratings import Feature, Ratings
from accord.measures.intervals.methods import Settings

_LARGEST_TABLES = 50_000_000  # cells of all confusion tables
_QUICK = 10_000_000  # labels × categories up to which the models take seconds
_QUICKLY_DRAWN = 50_000  # labels × categories up to which the bootstrap of the model takes seconds
_REPLICATES = 200
_FEWEST_REPLICATES = 100
_MANY = 100  # labels of an annotator below which bootstrap intervals are too short
_NO_SPREAD = (
    1e-6  # spread of bootstrap accuracies treated as zero: the model takes this annotator's labels as the truth
)


@dataclass(frozen=True)
class Annotator:
    """One annotator compared with the others."""

    name: str
    labels: int
    n: int  # labels of items on which the others have a most frequent label
    accuracy: float
    interval: Interval | None
    kappa: float  # with the most frequent label of the others
    p_chance: float  # p of this κ under random answers
    model_accuracy: float | None = None  # by Dawid and Skene
    model_interval: Interval | None = None
    knows: float | None = None  # by MACE
    bias: Bias | None = None
    above: float | None = None  # numbers: mean difference from the mean of the others
    above_se: float | None = None
    offset: Offset | None = None  # numbers and grades: difference from the mean of the others
    drift: Drift | None = None
    duration: float | None = None  # median
    precision: float | None = None  # units: share of own units that the majority of the others marked
    precision_interval: Interval | None = None
    recall: float | None = None  # units: share of the units of the majority of the others that the annotator marked
    recall_interval: Interval | None = None
    at_random: str = ""  # reasons to suspect random answers

    @property
    def f1(self) -> float | None:
        if self.precision is None or self.recall is None:
            return None
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else (math.nan if math.isnan(both) else 0.0)

    @property
    def rank(self) -> tuple[float, float]:
        """Sort key: the best first, annotators without a value last."""
        best = self.accuracy if self.f1 is None else self.f1
        return (-best if not math.isnan(best) else math.inf, -self.labels)

    def to_dict(self) -> dict[str, Any]:
        fields = asdict(self)
        if self.drift is not None:
            fields["drift"]["change"] = self.drift.change
        if self.bias is not None:
            fields["bias"]["difference"] = self.bias.difference
        return plain({**fields, "f1": self.f1})


@dataclass(frozen=True, repr=False)
class Annotators(Result):
    """The annotators, the best first, and pairs with suspiciously high agreement."""

    each: tuple[Annotator, ...]
    alike: tuple[Alike, ...]
    level: float
    kind: str  # of the data
    time: str | None = None
    duration: str | None = None
    notes: tuple[str, ...] = ()
    measurement: str | None = None  # the level of labels of items
    amounts: bool = False  # the labels are numbers on a scale, so equal labels are not counted
    ranks: bool = False  # offsets are in ranks, because the labels are ordered words

    @property
    def at_random(self) -> tuple[str, ...]:
        """Annotators whose labels cannot be distinguished from random answers."""
        return tuple(a.name for a in self.each if a.at_random)

    def summary(self) -> str:
        known = [(a.name, a.offset.distance if self.amounts and a.offset else a.accuracy) for a in self.each[:3]]
        first = ", ".join(f"{name} {value:.2f}" for name, value in known)
        what = "distance from the others" if self.amounts else "accuracy"
        return f"{counted(len(self.each), 'annotator')}: {what} {first}{' …' if len(self.each) > 3 else ''}"

    def tables(self) -> list[Table]:
        ranking = self._distances() if self.amounts else self._ranking()
        what = "labels of aligned units" if self.kind == "units" else "labels"
        legend = f"accuracy: share of {what} that equal the most frequent label of the other annotators"
        if self.amounts:
            legend = "distance: root mean squared difference from the mean of the other annotators on the same items"
        tables = [replace(ranking, notes=(*ranking.notes, legend, *self.notes))]
        if any(a.model_accuracy is not None for a in self.each):
            tables.append(self._models())
        if any(a.offset for a in self.each):
            tables.append(self._offsets())
        if any(a.bias for a in self.each):
            tables.append(self._biases())
        if self.time is not None:
            tables.append(self._drifts())
        if self.alike:
            tables.append(self._alike())
        return tables

    def _ranking(self) -> Table:
        level, units = percent(self.level), self.kind == "units"
        columns = (
            "annotator",
            *(("precision", f"{level} interval", "recall", f"{level} interval", "F1") if units else ()),
            "labels", "compared", "accuracy", f"{level} interval", "κ",
            *((f"{self.duration} (median)",) if self.duration else ()),
            "",
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for a in self.each:
            marked = (a.precision, a.precision_interval, a.recall, a.recall_interval, a.f1) if units else ()
            rows.append(
                (a.name, *marked, a.labels, a.n, a.accuracy if a.n else None, a.interval, _known(a.kappa),
                 *((a.duration,) if self.duration else ()), "random answers?" if a.at_random else "")
            )  # fmt: skip
        notes = tuple(f"{a.name} may have answered at random: {a.at_random}" for a in self.each if a.at_random)
        least = ("κ", "labels", "compared", "F1", f"{level} interval")
        return Table("", columns, tuple(rows), notes, least)

    def _distances(self) -> Table:
        """Numbers on a scale: the annotators nearest to the others first."""
        columns = ("annotator", "labels", "compared", "distance", "correlation",
                   *((f"{self.duration} (median)",) if self.duration else ()), "")  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for a in self.each:
            near = (None, None) if a.offset is None else (a.offset.distance, _known(a.offset.correlation))
            compared = 0 if a.offset is None else a.offset.n
            spent = (a.duration,) if self.duration else ()
            rows.append((a.name, a.labels, compared, *near, *spent, "random answers?" if a.at_random else ""))
        notes = tuple(f"{a.name} may have answered at random: {a.at_random}" for a in self.each if a.at_random)
        return Table("", columns, tuple(rows), notes, ("labels", "compared"))

    def _offsets(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (a.name, a.offset.mean, a.offset.interval, a.offset.p, _known(a.offset.sd),
             *(() if self.amounts else (_known(a.offset.correlation),)))
            for a in self.each
            if a.offset
        ]  # fmt: skip
        more = () if self.amounts else ("correlation",)
        columns = ("annotator", "mean difference", f"{percent(self.level)} interval", "p (Holm)", "SD", *more)
        unit = "ranks of the labels" if self.ranks else "numbers"
        notes = (
            f"mean difference: mean of the annotator's {unit} minus the mean of the others on the same items; SD: of "
            "these differences",
        )
        return Table("difference from the mean of the other annotators", columns, tuple(rows), notes)

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": self._forest} if self.each else {}

    def _forest(self) -> Forest:
        """Accuracy; for units, precision and recall."""
        rows: list[ForestRow] = []
        for a in self.each:
            if self.amounts:
                rows.append(ForestRow(a.name, *((a.offset.mean, a.offset.interval) if a.offset else (math.nan, None))))
            elif self.kind == "units":
                for series, value, interval in (
                    ("precision", a.precision, a.precision_interval),
                    ("recall", a.recall, a.recall_interval),
                ):
                    rows.append(ForestRow(a.name, math.nan if value is None else value, interval, series))
            else:
                rows.append(ForestRow(a.name, a.accuracy if a.n else math.nan, a.interval, n=a.n))
        of = "precision and recall" if self.kind == "units" else "accuracy"
        if self.amounts:
            return Forest("", tuple(rows), "annotator", "mean difference from the others", reference=0.0)
        return Forest("", tuple(rows), "annotator", of, reference=None)

    def _models(self) -> Table:
        drawn = any(a.model_interval for a in self.each)
        known = any(a.knows is not None for a in self.each)
        rows: list[tuple[Cell, ...]] = [
            (a.name, a.model_accuracy, *((a.model_interval,) if drawn else ()), *((a.knows,) if known else ()))
            for a in self.each
            if a.model_accuracy is not None
        ]
        interval = (f"{percent(self.level)} interval",) if drawn else ()
        columns = ("annotator", "Dawid–Skene", *interval, *(("competence (MACE)",) if known else ()))
        ordered = any(a.offset for a in self.each)
        notes = ("these models treat labels as names, so every difference counts the same",) if ordered else ()
        return Table("accuracy and competence estimated by models of annotators", columns, tuple(rows), notes)

    def _biases(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (a.name, a.bias.category, a.bias.own, a.bias.others, a.bias.difference, a.bias.p)
            for a in self.each
            if a.bias
        ]
        columns = ("annotator", "category", "share", "others' share", "difference", "p (Holm)")
        return Table("category with the largest bias, on the same items", columns, tuple(rows))

    def _drifts(self) -> Table:
        known = [(a.name, a.drift) for a in self.each if a.drift is not None]
        rows: list[tuple[Cell, ...]] = [
            (name, d.n_first, d.first, d.n_second, d.second, d.change, d.p, d.p_holm) for name, d in known
        ]
        columns = ("annotator", "labels", "first half", "labels", "second half", "change", "p", "p (Holm)")
        left = len(self.each) - len(known)
        few = (
            (f"{counted(left, 'annotator')} cannot be compared over time: labels at two or more times are needed",)
            if left
            else ()
        )
        return Table(f"accuracy over time ({self.time})", columns, tuple(rows), few)

    def _alike(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (" – ".join(pair.pair), pair.n, pair.agreement, pair.expected, pair.residual, pair.p) for pair in self.alike
        ]
        columns = ("pair", "common items", "agreement", "expected", "residual", "p (Holm)")
        return Table("pairs that agree more than independent errors explain", columns, tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "annotators": [one.to_dict() for one in self.each],
                "alike": [asdict(one) for one in self.alike],
                "at_random": list(self.at_random),
                "level": self.level,
                "time": self.time,
                "duration": self.duration,
                "measurement": self.measurement,
                "notes": list(self.notes),
            }
        )

    def flat(self) -> Table:
        columns = (
            "annotator", "labels", "n", "accuracy", "low", "high", "model_accuracy", "model_low", "model_high", "kappa",
            "p_chance", "knows", "category", "share", "share_of_others", "p_category", "above", "above_se", "first",
            "second", "p_drift", "p_drift_holm", "duration", "precision", "recall", "f1", "at_random",
            "p_above", "distance", "correlation",
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for a in self.each:
            b, d, o = a.bias, a.drift, a.offset
            rows.append(
                (a.name, a.labels, a.n, a.accuracy, *ends(a.interval), a.model_accuracy,
                 *ends(a.model_interval), a.kappa, a.p_chance, a.knows,
                 *((b.category, b.own, b.others, b.p) if b else (None,) * 4), a.above, a.above_se,
                 *((d.first, d.second, d.p, d.p_holm) if d else (None,) * 4), a.duration, a.precision, a.recall,
                 a.f1, a.at_random, *((o.p, o.distance, _known(o.correlation)) if o else (None,) * 3))
            )  # fmt: skip
        return Table("", columns, tuple(rows))


@question("labels.csv --time date --duration seconds")
def annotators(
    data: options.Data,
    *,
    time: Annotated[
        str | None,
        Option(
            "Column with the time of each label: number, date or round. Compares accuracy in both halves.",
            metavar="COLUMN",
            complete="columns",
            heading="Further columns",
        ),
    ] = None,
    duration: Annotated[
        str | None,
        Option(
            "Column with the time that each label took, as a number. Shows the median per annotator.",
            metavar="COLUMN",
            complete="columns",
            heading="Further columns",
        ),
    ] = None,
    fit: Annotated[
        bool | None,
        Option("Fit Dawid & Skene's model and MACE. Default: fitted if this takes seconds.", heading=options.MEASURES),
    ] = None,
    replicates: Annotated[
        int | None,
        Option(
            "Bootstrap replicates for the intervals of Dawid & Skene's accuracies; 0 for no intervals. Default: 200 if "
            "this takes seconds.",
            heading=options.MEASURES,
        ),
    ] = None,
    level: options.Level = LEVEL,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Annotators:
    """Rank annotators; show bias, drift, copying and random answers.

    Accuracy is the share of an annotator's labels that equal the most frequent label of the other annotators, with
    Wilson's interval. Items on which the others are tied do not count. Dawid and Skene's model and MACE give further
    estimates. Numbers on a scale are compared with the mean of the others instead, by their distance and their mean
    difference. Units are compared with those of the majority of the others, by the best alignment.

    Returns
    -------
    Annotators

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": list("aabb"), "Ben": list("aabb"), "Eve": list("abab")}
    >>> [(annotator.name, annotator.accuracy) for annotator in accord.annotators(rows).each]
    [('Ana', 1.0), ('Ben', 1.0), ('Eve', 0.5)]
    """  # fmt: skip
    run = Run(seed, progress or silent, jobs)
    Settings(level=level)  # validates the level
    _check_replicates(replicates, fit)
    given = opened(data, _with_columns(data, reading, time, duration), run=run)
    for column in (time, duration):
        if column is not None and column not in given.columns:
            raise UnknownName("column", column, given.columns)
    answers, marking = _answers(given, run)
    notes: list[str] = [*given.notes]
    amounts, measurement = are_amounts(given), given.measurement
    if isinstance(given, Ratings):
        notes += notes_on_levels({given.variable: given}, ())
    if amounts and fit is None:
        fit = False
        notes.append(
            for_interface("Dawid and Skene's model and MACE treat numbers as names and were not fitted; add --fit")
        )
    believed, knowing = _models(answers, fit, notes, run)
    intervals = _model_intervals(answers, believed, replicates, level, notes, run)
    pairs = [] if amounts else _pairs(answers, level, notes)
    each = _each(given, answers, marking, believed, intervals, knowing, level, time, duration, notes)
    return Annotators(
        tuple(sorted(each, key=_nearest if amounts else _most_accurate)),
        tuple(pairs),
        level,
        given.kind.name,
        time,
        duration,
        tuple(notes),
        None if measurement is None else str(measurement),
        amounts,
        _ordered(given) and not given.graded,
    )


def _most_accurate(one: Annotator) -> tuple[float, float]:
    return one.rank


def _nearest(one: Annotator) -> tuple[float, float]:
    """Sort key: the smallest distance from the others first."""
    return (math.inf if one.offset is None else one.offset.distance, -one.labels)


def _ordered(data: Data) -> bool:
    return isinstance(data, Ratings) and data.measurement.level in ORDERED


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _with_columns(data: Any, reading: dict[str, Any], time: str | None, duration: str | None) -> dict[str, Any]:
    """Add the time and duration columns to the reading options; the same item in another round is another item.

    Models are annotators, because each annotator is described alone.
    """
    if is_data(data):
        return reading
    options = {**reading, "with_models": True}
    for option, column in (("by", time), ("keep", duration)):
        if column is not None:
            before = options.get(option) or ()
            options[option] = (*((before,) if isinstance(before, str) else before), column)
    return options


def _answers(data: Data, run: Run) -> tuple[Answers, Marking | None]:
    if isinstance(data, Ratings):
        if not data.comparable.any():
            raise DataError(
                "nothing-shared",
                "no item has labels of two annotators, so annotators cannot be compared; check --item and "
                "--annotator, which name the columns",
            )
        return answers_of_items(data), None
    if isinstance(data, Corpus):
        if not data.comparable.any():
            raise DataError(
                "nothing-shared",
                "no document has units and two annotators, so annotators cannot be compared; check --doc and "
                "--annotator, which name the columns",
            )
        return answers_of_units(data, run)
    raise SpecError(
        "measure-for-other-data",
        f"annotators can be ranked on labels of items and on units, not on {data.kind.words}; try accord influence",
    )


def _pairs(answers: Answers, level: float, notes: list[str]) -> list[Alike]:
    """Return pairs with suspiciously high agreement."""
    if len(answers.annotators) > MOST_PEOPLE or _too_large(answers):
        notes.append("suspicious agreement of pairs was not checked: too many annotators or categories")
        return []
    pairs, looked = find_alike(answers, level)
    if looked < ENOUGH_PAIRS:
        notes.append(
            f"suspicious agreement of pairs was not checked: at least {ENOUGH_PAIRS} pairs with {LEAST_ITEMS} or more "
            f"common items are needed (five annotators), and there {'is' if looked == 1 else 'are'} {looked}"
        )
        return []
    notes.append(f"suspicious agreement: {counted(looked, 'pair')} checked")
    if len(pairs) == MOST_FOUND:
        notes.append(f"only the first {MOST_FOUND} suspicious pairs are listed; there may be more")
    return pairs


def _too_large(answers: Answers) -> bool:
    return len(answers.annotators) * len(answers.categories) ** 2 > _LARGEST_TABLES


def _models(answers: Answers, fit: bool | None, notes: list[str], run: Run) -> tuple[Believed | None, Believed | None]:
    """Fit Dawid & Skene's model and MACE on request, or by default if this takes seconds."""
    if not len(answers.item) or fit is False:
        return None, None
    if _too_large(answers):
        notes.append(
            f"Dawid and Skene's model was not fitted: {counted(len(answers.categories), 'category')} are too many"
        )
        return None, None
    work = len(answers.item) * len(answers.categories)
    if fit is None and work > _QUICK:
        left_out = (
            "Dawid and Skene's model and MACE were not fitted: with this many labels they take minutes; add --fit"
        )
        notes.append(for_interface(left_out))
        return None, None
    believed = dawid_skene(answers.labelled, run)
    if not believed.settled:
        notes.append(f"Dawid and Skene's model did not converge in {believed.steps} steps")
    if same := _of_one_label(answers):
        notes.append(
            f"{counted(same, 'annotator')} used one label only. Dawid and Skene's model treats this as a habit and "
            "cannot judge the accuracy of these labels"
        )
    return believed, mace(answers.labelled, run)


def _of_one_label(answers: Answers) -> int:
    """Count annotators who give one label to all of their items (two or more) while other labels are in use."""
    q, people = len(answers.categories), len(answers.annotators)
    times = np.bincount(answers.annotator * np.int64(q) + answers.label, minlength=people * q).reshape(people, q)
    several = int((times.sum(axis=0) > 0).sum()) > 1
    return int(((np.count_nonzero(times, axis=1) == 1) & (times.sum(axis=1) > 1)).sum()) if several else 0


def _check_replicates(replicates: int | None, fit: bool | None) -> None:
    if not replicates:
        return
    if replicates < _FEWEST_REPLICATES:
        raise SpecError(
            "option-value",
            f"{replicates} replicates are too few for an interval; use --replicates {_FEWEST_REPLICATES} or more, or "
            "--replicates 0 for no interval",
        )
    if fit is False:
        raise SpecError(
            "option-conflict",
            "--replicates needs Dawid and Skene's model, which is turned off here; leave it out, or add --fit",
        )


def _model_intervals(
    answers: Answers, believed: Believed | None, replicates: int | None, level: float, notes: list[str], run: Run
) -> list[Interval | None]:
    """Bootstrap intervals of Dawid & Skene's accuracies on request, or by default if this takes seconds."""
    nothing: list[Interval | None] = [None] * len(answers.annotators)
    if believed is None or replicates == 0:
        return nothing
    if replicates is None and len(answers.item) * len(answers.categories) > _QUICKLY_DRAWN:
        left_out = (
            "Dawid and Skene's accuracies have no intervals: with this many labels the bootstrap takes minutes; add "
            f"--replicates {_REPLICATES}"
        )
        notes.append(for_interface(left_out))
        return nothing
    labels = answers.per_annotator()
    if few := int(((labels > 0) & (labels < ENOUGH)).sum()):
        notes.append(
            f"Dawid and Skene's accuracy has no interval for {counted(few, 'annotator')} with fewer than {ENOUGH} "
            "labels"
        )
    if not (labels >= ENOUGH).any():
        return nothing
    if (labels[labels >= ENOUGH] < _MANY).any():
        notes.append(
            f"intervals of Dawid and Skene's accuracy are too short for annotators with fewer than {_MANY} labels: in "
            "simulations, 95% intervals contain the true value in 85 to 90 of 100 cases"
        )
    drawn = accuracies(answers.labelled, believed, run, replicates or _REPLICATES)
    intervals, certain = nothing, 0
    for a in np.flatnonzero(labels >= ENOUGH).tolist():
        low, high = np.nanquantile(drawn[:, a], [(1 - level) / 2, (1 + level) / 2]).tolist()
        if high - low < _NO_SPREAD:
            certain += 1
        else:
            intervals[a] = Interval(low, high, level, "bootstrap")
    if certain:
        notes.append(
            f"Dawid and Skene's accuracy has no interval for {counted(certain, 'annotator')}: all bootstrap samples "
            "give the same value, which does not mean that the value is certain"
        )
    return intervals


def _each(
    data: Data,
    answers: Answers,
    marking: Marking | None,
    believed: Believed | None,
    intervals: Sequence[Interval | None],
    knowing: Believed | None,
    level: float,
    time: str | None,
    duration: str | None,
    notes: list[str],
) -> list[Annotator]:
    people = len(answers.annotators)
    accuracy, labels = measure_accuracy(answers), answers.per_annotator()
    ordered, amounts = _ordered(data), are_amounts(data)
    if not amounts and (left := int(labels.sum() - accuracy.n.sum())) > 0:
        notes.append(f"{counted(left, 'label')} not counted: the other annotators are tied or gave no label")
    if marking is not None and marking.undecided:
        notes.append(
            f"{counted(marking.undecided, 'comparison')} of units not counted: exactly half of the other annotators "
            "marked the unit"
        )
    leanings, _ = find_biases(answers) if len(answers.item) and not ordered else ([None] * people, None)
    offsets = find_offsets(answers, _places(data), level) if ordered else [None] * people
    if time is not None and amounts:
        notes.append("accuracy over time counts equal numbers only; a small difference counts like a large one")
    above, above_se = _numbers(data, answers)
    drifted = [None] * people if time is None else find_drifts(answers, _ranks(answers.features[time], time, notes))
    spent = [None] * people if duration is None else _durations(answers, duration, notes)
    marked = [_marked(marking, a, level) for a in range(people)]
    knows = believable(knowing, answers, accuracy, 1 - level, notes)
    each: list[Annotator] = []
    for a in np.flatnonzero(data.took_part).tolist():
        kappa, p, n = float(accuracy.kappa[a]), float(accuracy.p_chance[a]), int(accuracy.n[a])
        known = None if knows is None or not labels[a] else float(knows[a])
        each.append(
            Annotator(
                answers.annotators[a],
                int(labels[a]),
                n,
                float(accuracy.value[a]),
                wilson_interval(float(accuracy.right[a]), n, level),
                kappa,
                p,
                None if believed is None or not labels[a] else float(believed.accuracy[a]),
                intervals[a],
                known,
                leanings[a],
                above[a],
                above_se[a],
                offsets[a],
                drifted[a],
                spent[a],
                at_random=suspicion_on_scale(offsets[a], 1 - level)
                if ordered
                else suspicion(kappa, p, n, int(accuracy.telling[a]), known, 1 - level),
                **marked[a],
            )
        )
    return each


def _places(data: Data) -> Floats:
    """Return the numbers of the labels, or the ranks of ordered words."""
    assert isinstance(data, Ratings)
    return data.categories.positions


def _numbers(data: Data, answers: Answers) -> tuple[Sequence[float | None], Sequence[float | None]]:
    if not data.graded or not isinstance(data, Ratings):
        return [None] * len(answers.annotators), [None] * len(answers.annotators)
    values = np.array([as_number(label) for label in data.categories], dtype=np.float64)
    mean, error = differences(answers, values)
    return tuple(None if math.isnan(x) else x for x in mean.tolist()), tuple(
        None if math.isnan(x) else x for x in error.tolist()
    )


def _ranks(column: Feature, name: str, notes: list[str]) -> Ints:
    """Rank of each entry's time; -1 without a time."""
    known = [k for k, text in enumerate(column.names) if text]
    order, which = time_order([column.names[k] for k in known])
    if which == AS_THEY_COME:
        notes.append(f"{name}: values are neither numbers nor dates; accord uses the order in which they first occur")
    rank = np.full(len(column.names) + 1, -1, dtype=np.int64)  # the last entry is for code -1, no value
    rank[[known[k] for k in order]] = np.arange(len(order))
    ranks = rank[column.codes]
    _note_missing(name, int((ranks < 0).sum()), notes)
    return ranks


def _durations(answers: Answers, name: str, notes: list[str]) -> list[float | None]:
    column = answers.features[name]
    values = np.array([*(as_number(text) for text in column.names), math.nan])
    for text, value in zip(column.names, values.tolist(), strict=False):
        if text and math.isnan(value):
            raise DataError(
                "not-a-number",
                f"column {quoted(name)} contains {quoted(text)}, which is not a number; --duration needs a column of "
                "numbers",
            )
    spent = values[column.codes]
    known = ~np.isnan(spent)
    _note_missing(name, int((~known).sum()), notes)
    return medians(answers.annotator[known], spent[known], len(answers.annotators))


def _note_missing(name: str, missing: int, notes: list[str]) -> None:
    if missing:
        notes.append(f"{name}: accord ignores {counted(missing, 'label')} without a value")


def _marked(marking: Marking | None, a: int, level: float) -> dict[str, Any]:
    """Precision and recall with their intervals."""
    if marking is None:
        return {}
    mine, shared, theirs = (float(side[a]) for side in (marking.mine, marking.shared, marking.theirs))
    return {
        "precision": shared / mine if mine else math.nan,
        "precision_interval": wilson_interval(shared, mine, level),
        "recall": shared / theirs if theirs else math.nan,
        "recall_interval": wilson_interval(shared, theirs, level),
    }


# -- Pairs that agree more than independent errors explain --


MOST_PEOPLE = 2_000  # two million pairs
MOST_FOUND = 50
LEAST_ITEMS = 10  # common items of a pair
ENOUGH_PAIRS = 10  # pairs needed to estimate the usual deviation from expected agreement
_DENSE = 20_000_000  # numbers of a dense matrix at a time


@dataclass(frozen=True)
class Alike:
    """Two annotators who agree more than expected; `residual` is in standard deviations."""

    pair: tuple[str, str]
    n: int
    agreement: float
    expected: float
    residual: float
    p: float  # one-sided, corrected (Holm) for all pairs


def find_alike(answers: Answers, level: float) -> tuple[list[Alike], int]:
    """Return the pairs that agree far more than expected, and the number of pairs compared.

    Expected agreement assumes independent errors, with each annotator's confusions against the most frequent label of
    the others. Dawid and Skene's tables are unsuitable because the model treats two annotators who copy as the most
    accurate. Copying annotators also shift the most frequent label and make others look suspicious. Therefore the
    function removes one annotator of each pair it finds and computes everything again.
    """
    common, agreed = _met(answers)
    pairs_alike: list[Alike] = []
    out: list[int] = []
    looked, least = 0, 0.0
    while len(pairs_alike) < MOST_FOUND:
        kept = ~np.isin(np.arange(len(answers.annotators)), out)
        rest = answers.only(kept[answers.annotator]) if out else answers
        first, pairs = _farthest(rest, np.where(np.outer(kept, kept), common, 0.0), agreed)
        looked = looked or pairs
        if first is None or looked < ENOUGH_PAIRS:
            break
        (a, b), n, observed, expected, residual = first
        least = max(least, min(1.0, (looked - len(pairs_alike)) * normal_below(-residual)))
        if least > 1 - level:
            break
        pairs_alike.append(
            Alike((answers.annotators[a], answers.annotators[b]), n, observed, expected, residual, least)
        )
        out.append(b)
    return pairs_alike, looked


def _farthest(
    answers: Answers, common: Floats, agreed: Floats
) -> tuple[tuple[tuple[int, int], int, float, float, float] | None, int]:
    """Return the pair farthest above its expected agreement, and the number of pairs.

    Difficult items or a scale change the agreement of all pairs, so residuals are standardised by the median and spread
    of all residuals. The pair comes with its number of items, agreement, expected agreement and residual.
    """
    a, b = np.nonzero(np.triu(common >= LEAST_ITEMS, k=1))
    if not len(a):
        return None, 0
    confusion, prior = _confusions(answers)
    expected = np.zeros_like(common)
    for t in np.flatnonzero(prior).tolist():
        expected += prior[t] * (confusion[:, t] @ confusion[:, t].T)
    n, e = common[a, b], np.clip(expected[a, b], 0.0, 1.0)
    observed = agreed[a, b] / n
    above = observed - e
    variance = np.maximum(e * (1 - e), 1 / (4 * n)) / n  # at least 1/(4n), because e is an estimate
    middle = float(np.median(above))
    spread = (1.4826 * float(np.median(np.abs(above - middle)))) ** 2
    more = max(0.0, spread - float(np.median(variance)))
    residual = (above - middle) / np.sqrt(variance + more)
    k = int(residual.argmax())
    pair = int(a[k]), int(b[k])
    return (pair, int(n[k]), float(observed[k]), float(e[k] + middle), float(residual[k])), len(a)


def _confusions(answers: Answers) -> tuple[Floats, Floats]:
    """Confusion tables against the most frequent label of the others, and the shares of these labels."""
    q, people = len(answers.categories), len(answers.annotators)
    theirs = answers.others_label
    there = theirs != NONE
    cell = (answers.annotator[there] * q + theirs[there]) * q + answers.label[there]
    table = np.bincount(cell, minlength=people * q * q).reshape(people, q, q).astype(np.float64)
    sums = table.sum(axis=2, keepdims=True)
    prior = table.sum(axis=(0, 2))
    # Uniform for a label that the annotator never met.
    confusions = np.divide(table, sums, out=np.full_like(table, 1 / q), where=sums > 0)
    return confusions, prior / max(float(prior.sum()), 1.0)


def _met(answers: Answers) -> tuple[Floats, Floats]:
    """Number of common items, and of those with equal labels, for each pair of annotators."""
    q = len(answers.categories)
    return _shared(answers, answers.item), _shared(answers, answers.item * q + answers.label)


def _shared(answers: Answers, cell: Ints) -> Floats:
    """Count the cells that each pair of annotators shares."""
    people = len(answers.annotators)
    used, column = np.unique(cell, return_inverse=True)
    met = float((np.bincount(column).astype(np.float64) ** 2).sum())
    # A product of dense matrices visits all cells but is two thousand times as fast per cell.
    if len(used) * people**2 <= 2000 * met:
        total = np.zeros((people, people))
        step = max(1, _DENSE // people)
        order = np.argsort(column, kind="stable")
        bounds = np.searchsorted(column[order], np.arange(0, len(used) + step, step))
        for k, (low, high) in enumerate(pairwise(bounds.tolist())):
            full = np.zeros((people, min(step, len(used) - k * step)), dtype=np.float32)
            full[answers.annotator[order[low:high]], column[order[low:high]] - k * step] = 1.0
            total += full @ full.T
        return total
    from scipy.sparse import csr_matrix

    ones = np.ones(len(column), dtype=np.float32)
    table = csr_matrix((ones, (answers.annotator, column)), shape=(people, len(used)))
    return np.asarray((table @ table.T).toarray(), dtype=np.float64)
