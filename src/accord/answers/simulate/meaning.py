"""`meaning`: the simulated errors that give the measured value on these data."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from accord.answers import options
from accord.answers.gold.consensus import Consensus, Rates, consensus, seats_of
from accord.answers.levels import notes_on_levels
from accord.answers.question import question
from accord.answers.simulate.errors import Combination, ErrorType, error_type, number_in_words
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.judging import Judge, can_judge, kinds_of_judges, make_judge
from accord.answers.simulate.shuffle import (
    SIMULATION,
    Erring,
    Errors,
    Reference,
    Sets,
    Step,
    chosen_annotator,
    errors_in,
    kinds_of_errors,
    reference_of,
)
from accord.answers.simulate.xray import Curve, Trials, check_sets, magnitudes, run_trials
from accord.core.arrays import Floats
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, printable
from accord.core.figures.curves import Curves
from accord.core.options import Option
from accord.core.parallel import spread
from accord.core.probability import t_quantile
from accord.core.result import Result
from accord.core.tables import Drawing, Table, plain
from accord.data.door import opened
from accord.data.kinds import kind_named
from accord.data.model.data import Data
from accord.data.model.measurement import ORDERED
from accord.data.model.ratings import Ratings
from accord.measures.measure import Measure

COLUMNS = ("error", "magnitude", "low", "high", "words")


@dataclass(frozen=True, eq=False)
class Match:
    """An error and the magnitude at which it gives the value; None if no magnitude does."""

    error: ErrorType
    magnitude: float | None
    low: float  # magnitudes at which the value is not unusual (95%)
    high: float
    words: str
    spread: float  # standard deviation of the values at this magnitude
    curve: Curve

    @property
    def parts(self) -> list[tuple[ErrorType, float, float, float]]:
        """The errors of a mixture, each with its magnitude, minimum and maximum."""
        assert self.magnitude is not None
        sizes = zip(*(self.error.magnitudes(m) for m in (self.magnitude, self.low, self.high)), strict=True)
        return [(error, *size) for error, size in zip(self.error.single, sizes, strict=True)]


@dataclass(frozen=True, eq=False, repr=False)
class Meaning(Result):
    """A value and the errors that give it."""

    value: float
    measure: str
    annotators: int
    reference: str  # consensus or gold standard
    matches: tuple[Match, ...]
    mixture: Match | None
    rates: Rates | None
    symbol: str = ""  # of the measure; empty if the spec names it
    chance: str = ""  # the chance model in words; empty if the measure has none
    level: str = ""  # of ordered labels of items: ordinal, interval or ratio
    assumed: tuple[str, ...] = ()  # that the level is assumed, and how to state it

    @property
    def every(self) -> tuple[Match, ...]:
        """The errors, and their mixture if it has several parts."""
        return (*self.matches, *((self.mixture,) if self.mixed else ()))

    @property
    def mixed(self) -> bool:
        """Whether several errors explain the annotations best."""
        return self.mixture is not None and self.mixture not in self.matches

    @property
    def interval(self) -> tuple[float, float] | None:
        """Values that annotators with the same errors would also reach (95%); None if no error gives the value."""
        known = [m.spread for m in self.every if m.magnitude is not None]
        if not known:
            return None
        half = sure(self.every[0].curve.sets) * float(np.mean(known))
        return self.value - half, min(self.value + half, 1.0)

    @property
    def name(self) -> str:
        return self.symbol or self.measure

    def rows(self) -> list[tuple[Any, ...]]:
        return [_row(m) for m in self.every]

    def __str__(self) -> str:
        return self.in_words().rstrip("\n")

    def summary(self) -> str:
        near = (f"{self._named(m)} {m.magnitude:z.3f}" for m in self.every if m.magnitude is not None)
        return f"{self.measure} = {self.value:z.3f}: {', '.join(near) or 'no simulated error gives this value'}"

    def in_words(self, color: bool = False, width: int = 80) -> str:  # noqa: ARG002
        return "".join(f"{printable(line)}\n" for line in self.lines())

    def facts(self) -> list[str]:
        """The sentences, without the magnitudes of the table."""
        return [line for line in self.lines() if not line.startswith(" ")]

    def tables(self) -> list[Table]:
        """All magnitudes, with minimum and maximum at which the value is not unusual."""
        shown = (
            (self._named(m), *row[1:4], row[4] or _magnitude(m)) for row, m in zip(self.rows(), self.every, strict=True)
        )
        return [Table("", ("error", "magnitude", "minimum", "maximum", "annotators who each …"), tuple(shown))]

    def _named(self, match: Match) -> str:
        """Name of an error in tables: "mixture" for a mixture; CSV and JSON have its spec."""
        return "mixture" if match is self.mixture and self.mixed else str(match.error)

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        errors = [dict(zip(COLUMNS, row, strict=True)) for row in self.rows()]
        fields = {
            "measure": self.measure,
            "value": self.value,
            "interval": None if low is None else {"low": low, "high": high},
            "annotators": self.annotators,
            "reference": self.reference,
            "chance": self.chance or None,
            "errors": errors[: len(self.matches)],
            "mixture": None if self.mixture is None else dict(zip(COLUMNS, _row(self.mixture), strict=True)),
            "rates": None if self.rates is None else asdict(self.rates),
            "sentences": self.lines(),
        }
        return plain(fields)

    def flat(self) -> Table:
        return Table("", COLUMNS, tuple(self.rows()))

    def lines(self) -> list[str]:
        """In words."""
        reached = [m for m in self.matches if m.magnitude is not None]
        value = f"{self.name} = {self.value:z.2f}"
        if self.value > 1 - 1e-9:
            return [f"{self.name} = 1: the measure finds no disagreement, so there is no error to explain."]
        if not reached:
            lines = [
                f"{value}: no single type of error gives this value with {number_in_words(self.annotators)} annotators."
            ]
        else:
            words = ", or ".join(m.words for m in reached)
            lines = [
                f"{value}: simulated on these data, {number_in_words(self.annotators)} annotators reach this value if "
                f"they each {words}."
            ]
        lines += [f"  {match.error}: {_magnitude(match)}" for match in self.matches]
        if self.interval is not None:
            low, high = self.interval
            lines.append(f"95% of simulated sets with these errors have values from {low:z.2f} to {high:z.2f}.")
        lines += self._about_mixture()
        if self.rates is not None:
            lines += self.rates.in_words(self.annotators)
        else:
            lines.append("A mixture of errors could not be estimated because the annotators have no consensus.")
        if self.level:
            lines.append(
                f"The level of measurement is {self.level}. A simulated error replaces a label by one drawn at random, "
                "near or far; annotators whose errors are small reach the value with more of them."
            )
        lines += [f"{note[0].upper()}{note[1:]}." for note in self.assumed]
        if self.chance:
            lines.append(f"Chance model of {self.name}: {self.chance}.")
        lines.append(
            f"Errors are relative to the {self.reference}. Brackets: magnitudes at which {value} is not unusual (95%). "
            "This is not a confidence interval of the value, which accord score gives."
        )
        return lines

    def _about_mixture(self) -> list[str]:
        """Estimate what the annotators did."""
        if self.mixture is None:
            return []
        if not self.mixed:  # misses of few annotators can look like additions
            what = f": annotators who each {self.mixture.words}" if self.mixture.magnitude is not None else ""
            return [
                f"Of these errors, {self.mixture.error} alone explains the differences between annotators best{what}."
            ]
        if self.mixture.magnitude is None:
            return [
                "The mixture of errors that explains these annotations best does not give the value at any magnitude."
            ]
        lines = [
            f"The mixture of errors that explains these annotations best: annotators who each {self.mixture.words}."
        ]
        return [*lines, *(f"  {error}: {_sized(*size)}" for error, *size in self.mixture.parts)]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"meaning": self._curves} if self.every else {}

    def _curves(self) -> Curves:
        """The curves, with the measured value marked."""
        panels = tuple((self._named(match), (match.curve.line(),)) for match in self.every)
        return Curves(f"{self.measure} = {self.value:z.3f}", panels, self.value)


def sure(sets: int) -> float:
    """Return the quantile of t for a 95% range, from this number of sets."""
    return t_quantile(sets - 1, 0.975)


def _row(match: Match) -> tuple[Any, ...]:
    return (str(match.error), match.magnitude, match.low, match.high, match.words)


def _magnitude(match: Match) -> str:
    if match.magnitude is None:
        there = ~np.isnan(match.curve.mean)
        if not there[1:].any():
            return f"undefined here: {next((r for r in match.curve.reasons if r), 'no value')}"
        return f"not reached: the mean stays at {float(np.nanmin(match.curve.mean)):z.3f} or above"
    return _sized(match.magnitude, match.low, match.high)


def _sized(magnitude: float, low: float, high: float) -> str:
    return f"magnitude {magnitude:z.3f} [{low:z.3f}, {high:z.3f}]"


@question("spans.csv -m gamma --plot meaning.png")
def meaning(
    data: options.Data,
    measure: Annotated[
        Any,
        Option(
            "The measure to explain. Default: the default of xray.",
            flag="-m",
            metavar="SPEC",
            heading=options.MEASURES,
            complete="measures",
            shape="text",
            formerly=("spec",),
        ),
    ] = None,
    *,
    error: Errors = None,
    gold: Annotated[
        Any,
        Option(
            "Gold standard as the reference of errors. Default: the consensus of the annotators.",
            metavar="TABLE",
            heading=SIMULATION,
            shape="file",
        ),
    ] = None,
    reference: Annotated[
        str | None,
        Option(
            "The annotator of the gold standard, if its table has several.",
            metavar="ANNOTATOR",
            heading=SIMULATION,
        ),
    ] = None,
    step: Step = 0.1,
    sets: Sets = 20,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Meaning:
    """Explain a value: which simulated errors give it on these data.

    The reference is the consensus of the annotators, or `gold`. By default accord tries all errors that fit the data.

    Returns
    -------
    Meaning

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": ["a", "b", "b", "a"], "Ben": ["a", "b", "a", "a"]}
    >>> accord.meaning(rows, "percent", sets=4, step=0.25)
    <Meaning percent = 0.750: category 0.500>
    """  # fmt: skip
    if reference is not None and gold is None:
        raise SpecError("option-missing", "--reference selects an annotator of the gold standard; add --gold TABLE")
    run = Run(seed, progress or silent, jobs)
    given = errors_in(error)
    asked = None if given is None else tuple(given)
    named = None if measure is None else make_judge(measure)
    kinds = kinds_of_errors(asked) or kinds_of_judges(() if named is None else (named,))
    found = opened(data, reading, kinds, run)
    if isinstance(gold, str | os.PathLike) or reference is not None:
        everybody = {
            name: value for name, value in reading.items() if name != "annotators"
        }  # gold has its own annotators
        gold = chosen_annotator(opened(gold, everybody, (found.kind.name,), run), reference)
    if found.n_annotators < 2:
        raise DataError(
            "annotators-needed",
            "the data have only one annotator, so there is no agreement to explain; extend --annotators (if given), "
            "name the column of the annotators with --annotator, or add the file of another annotator",
        )
    one = (make_judge(found.kind.main) if named is None else named).at(found)
    value, reason, one = _measured(one, found, run)
    if math.isnan(value):
        raise DataError("undefined-value", f"{one.name} is undefined on these data: {reason}; try another --measure")
    if check_sets(sets) < 2:
        raise SpecError(
            "option-value", "meaning needs at least two sets per magnitude, to estimate their spread; try --sets 20"
        )
    source, agreed = _reference(found, one, gold, run)
    tried = asked if asked is not None else fitting_errors(one, source)
    if not tried:
        raise SpecError("option-value", "the list of errors is empty; name one with --error shift, or leave it out")

    def matched(errors: tuple[ErrorType, ...]) -> tuple[Match, ...]:
        plan = Trials(source, errors, (one,), magnitudes(step), sets, found.n_annotators, run.seed)
        curves = run_trials(plan, run).curves
        return tuple(_match(e, curve, value, source.ground) for e, curve in zip(errors, curves, strict=True))

    matches = matched(tried)
    mixture = _mixture(agreed, source, matches, matched, one, run) if agreed is not None and value < 1 else None
    level, assumed = _level(found, named)
    ordered = isinstance(found, Ratings) and found.measurement.level in ORDERED
    name = "gold standard" if gold is not None else "median labels" if ordered else found.kind.consensus
    rates = agreed.rates if agreed is not None else None
    plain = (
        one.measure is not None and one.name == one.measure.name
    )  # a spec with parameters is more informative than the symbol
    symbol = one.measure.symbol if one.measure is not None and plain else ""
    chance = one.chance_on(found)
    return Meaning(value, one.name, found.n_annotators, name, matches, mixture, rates, symbol, chance, level, assumed)


def _level(data: Data, named: Judge | None) -> tuple[str, tuple[str, ...]]:
    """Return the level of ordered labels, and whether it is assumed."""
    if not isinstance(data, Ratings) or (named is not None and named.measure is None):
        return "", ()
    asked = () if named is None or named.measure is None else (named.measure,)
    level = data.measurement.level
    return (level if level in ORDERED else ""), notes_on_levels({data.variable: data}, asked)


def _reference(data: Data, judge: Judge, gold: Any, run: Run) -> tuple[Reference, Consensus | None]:
    """Return the reference of errors, and the consensus of the annotators, if there is one."""
    standard = _standard(gold, data) if gold is not None else None
    try:
        agreed = consensus(data, judge.measure, run)
    except DataError:
        if standard is None:
            raise
        return standard, None
    return standard or Reference(agreed.data, agreed.seats), agreed


def _mixture(
    agreed: Consensus,
    reference: Reference,
    matches: tuple[Match, ...],
    matched: Callable[[tuple[ErrorType, ...]], tuple[Match, ...]],
    judge: Judge,
    run: Run,
) -> Match | None:
    """Return the mixture of errors that explains how annotators differ, scaled to give the value."""
    high = {m.error: m.high if m.magnitude is not None else 1.0 for m in matches if len(m.error.single) == 1}
    most = {error: size for error, size in high.items() if size > 0}
    sets = min(max(matches[0].curve.sets, SETS[0]), SETS[1])
    mixed = MixtureSearch(agreed, reference, most, agreed.seats.annotators, judge.measure, sets, run).search()
    if mixed is None:
        return None
    if len(mixed.parts) == 1:
        return next(m for m in matches if m.error == mixed.parts[0])
    sizes = mixed.magnitudes(1.0)
    return matched((Combination(mixed.parts, tuple(round(size / max(sizes), 3) for size in sizes)),))[0]


def _standard(gold: Any, data: Data) -> Reference:
    """Return a gold standard of the same documents or items."""
    reference = reference_of(gold, {}, (data.kind.name,))
    if reference.data.kind is not data.kind:
        raise DataError(
            "measure-for-other-data",
            f"the gold standard contains {reference.data.kind.things}, and the data contain {data.kind.things}; use a "
            "gold standard of the same kind",
        )
    wanted = reference.shuffler.gold(reference.data, data)
    place = {name: k for k, name in enumerate(data.names)}
    return Reference(wanted, seats_of(data).at([place[name] for name in wanted.names]))


def _measured(judge: Judge, data: Data, run: Run) -> tuple[float, str, Judge]:
    """Return the value with full precision, the reason if undefined, and the judge with fixed parameters."""
    if judge.measure is None:
        return *judge.value(data, run), judge
    if not can_judge(data.kind, judge.measure):
        wanted = kind_named(judge.measure.data)
        raise SpecError(
            "measure-for-other-data",
            f"{judge.measure.name} applies to {wanted.words} ({wanted.columns}); for {data.kind.words}, try "
            f"{data.kind.main}",
        )
    evidence = judge.measure.observe(judge.fitting(data), run)
    score = judge.measure.estimate(evidence)
    value = 1.0 - score.value if judge.turned else score.value
    fixed = judge.measure.as_found(evidence)
    known = judge if fixed == judge.measure else Judge(fixed, label=judge.label or judge.name)
    return value, score.undefined or "", known


def fitting_errors(judge: Judge, reference: Reference) -> tuple[ErrorType, ...]:
    """Return the errors that are possible here, in a form that the measure accepts."""
    return tuple(error_type(e) for e in reference.shuffler.fitting(reference.ground, judge.on_a_line))


def _match(error: ErrorType, curve: Curve, value: float, ground: AnyGround) -> Match:
    """Find where the decreasing mean reaches the value, and the range of compatible magnitudes."""
    there = ~np.isnan(curve.mean)
    if not there.any():
        return Match(error, None, math.nan, math.nan, "", 0.0, curve)
    fine = np.linspace(0, float(curve.magnitudes[there][-1]), 2001)
    mean = np.interp(fine, curve.magnitudes[there], curve.mean[there])
    known = ~np.isnan(curve.spread)
    spread = np.interp(fine, curve.magnitudes[known], curve.spread[known]) if known.any() else np.zeros_like(fine)
    near = np.abs(mean - value) <= sure(curve.sets) * spread * math.sqrt(1 + 1 / curve.sets) + 1e-12
    low, high = (float(fine[near][0]), float(fine[near][-1])) if near.any() else (math.nan, math.nan)
    met = np.flatnonzero(_falling(mean) <= value + 1e-12)
    if not len(met):
        return Match(error, None, low, high, "", 0.0, curve)
    at = float(fine[met[0]])
    low, high = (low, high) if near.any() and low <= at <= high else (at, at)
    return Match(error, at, low, high, error.in_words(at, ground), float(spread[met[0]]), curve)


def _falling(mean: Floats) -> Floats:
    return np.minimum.accumulate(mean)


# -- The mixture of errors with which simulated annotators differ from their consensus as the real ones do --
# Rates relative to a consensus are not magnitudes. A unit that two of three annotators missed looks like an addition of
# the third; the median of few annotators is close to each of them; an unmatched unit may be aligned with a neighbour.
# So errors are estimated by simulation: simulated annotators are compared with *their* consensus in the same way, first
# for each error alone, then for mixtures, until they show the same rates as the real annotators.


SETS = (5, 10)  # simulated sets at each point: minimum, maximum
_POINTS = (0.15, 0.4, 0.7, 1.0)  # of the largest magnitude of an error here
_ROUNDS = 3
_PURPOSE = 62  # of the random number stream
_LEAST = 1e-3  # smaller magnitudes are not part of the mixture
_RATES = tuple(field.name for field in fields(Rates) if field.name != "disorder")


@dataclass(frozen=True, eq=False)
class MixtureSearch:
    """A search for the mixture: a consensus, the reference, and the largest magnitude of each error.

    The largest magnitude of an error is the one it would have alone.
    """

    consensus: Consensus
    reference: Reference
    most: Mapping[ErrorType, float]
    annotators: int
    measure: Measure | None
    sets: int
    run: Run

    def search(self) -> Combination | None:
        """Return the errors that explain the consensus, with their magnitudes; None if no two can be distinguished.

        An error is part of the mixture only if the fit is significantly worse without it.
        """
        if len(self.most) < 2 or np.isnan(self._without).any() or np.allclose(self._observed, self._without):
            return None
        sizes, together = np.zeros(len(self.most)), self._without
        weights = self._weights(np.array([_variance(shown) for row in self._each for shown in row]).mean(axis=0))
        for _ in range(_ROUNDS):
            sizes = self._needed(self._observed - together, weights)
            shown = self._shown([sizes])[0]
            if len(_there(shown)) < 2:
                break
            together = _there(shown).mean(axis=0) - self._alone(sizes)
            weights = self._weights(_variance(shown))
        parts = {error: size for error, size in zip(self.most, sizes.tolist(), strict=True) if size > _LEAST}
        return Combination(tuple(parts), tuple(round(size, 4) for size in parts.values())) if parts else None

    @cached_property
    def _observed(self) -> Floats:
        return _seen(self.consensus, self.annotators)

    @cached_property
    def _without(self) -> Floats:
        """Return the rates observed without errors; not all annotators may have seen each document."""
        return self._drawn((np.zeros(len(self.most)), 0))

    @cached_property
    def _points(self) -> Floats:
        """Magnitudes at which each error is simulated alone."""
        return np.outer(list(self.most.values()), _POINTS)

    @cached_property
    def _each(self) -> Floats:
        """Errors × points × sets × observed rates."""
        wanted = [np.eye(len(self.most))[e] * m for e, row in enumerate(self._points) for m in row]
        return self._shown(wanted).reshape(len(self.most), len(_POINTS), self.sets, -1)

    @cached_property
    def _effects(self) -> list[tuple[Floats, Floats]]:
        """Magnitudes and effects of each error on the observed rates, in sets with a consensus."""
        effects = []
        for points, shown in zip(self._points, self._each, strict=True):
            known = [k for k, sets in enumerate(shown) if len(_there(sets))]
            means = [_there(shown[k]).mean(axis=0) - self._without for k in known]
            effects.append((np.append(0.0, points[known]), np.array([np.zeros_like(self._without), *means])))
        return effects

    def _alone(self, sizes: Floats) -> Floats:
        """Return the sum of the effects of errors, without interaction."""
        total = np.zeros_like(self._observed)
        for size, (at, added) in zip(sizes.tolist(), self._effects, strict=True):
            total += [np.interp(size, at, column) for column in added.T]
        return total

    def _weights(self, variance: Floats) -> Floats:
        """Weights of the observed rates: by their variance over sets, at least one unit of one annotator."""
        least = 1.0 / (len(self.reference.data) * self.annotators) ** 2
        weights: Floats = 1 / np.sqrt(variance * (1 + 1 / self.sets) + least)
        return weights

    def _needed(self, wanted: Floats, weights: Floats) -> Floats:
        """Return the magnitudes that explain the observed rates best, with as few errors as possible."""
        some = np.ones(len(self.most), dtype=bool)
        sizes, left = self._best(wanted, weights, some)
        while some.sum() > 1:
            others = [(k, some & (np.arange(len(some)) != k)) for k in np.flatnonzero(some)]
            without = [(*self._best(wanted, weights, other), k) for k, other in others]
            tried, more, k = min(without, key=lambda trial: trial[1])
            if more - left > t_quantile(self.sets - 1, 0.975) ** 2:  # more than sampling error explains
                break
            some[k], sizes, left = False, tried, more
        return sizes

    def _best(self, wanted: Floats, weights: Floats, some: NDArray[np.bool_]) -> tuple[Floats, float]:
        """Return the least-squares fit over some errors, and the residual."""
        from scipy.optimize import least_squares

        high = np.array(list(self.most.values()))
        there = np.flatnonzero(some)

        def sizes(part: Floats) -> Floats:
            full = np.zeros(len(high))
            full[there] = part
            return full

        def off(part: Floats) -> Floats:
            return (wanted - self._alone(sizes(part))) * weights

        starts = [high[there] * share for share in (0.1, 0.5)]
        tried = [least_squares(off, start, bounds=(0.0, high[there]), diff_step=np.array([0.02])) for start in starts]
        best = min(tried, key=lambda fit: float(fit.cost))
        return sizes(best.x), 2 * float(best.cost)

    def _shown(self, sizes: list[Floats]) -> Floats:
        """Observed rates of simulated annotators: magnitudes × sets × rates."""
        tasks = [(point, s) for point in sizes for s in range(self.sets)]
        shown = spread(self._drawn, tasks, self.run, "mixing errors")
        return np.array(shown).reshape(len(sizes), self.sets, -1)

    @property
    def _drawn(self) -> Callable[[tuple[Floats, int]], Floats]:
        """Return a function of magnitudes and set number that can be sent to workers."""
        return partial(_set, self.reference, tuple(self.most), self.annotators, self.measure, self.run.seed)


def _set(
    reference: Reference,
    errors: tuple[ErrorType, ...],
    annotators: int,
    measure: Measure | None,
    seed: int,
    task: tuple[Floats, int],
) -> Floats:
    """Observed rates of a simulated set; NaN without a consensus."""
    sizes, number = task
    mixed = Combination(errors, tuple(sizes.tolist()))
    simulated = reference.shuffled([Erring(mixed, 1.0)] * annotators, [(seed, _PURPOSE, number)])
    try:
        agreed = consensus(simulated, measure, Run(seed, jobs=1))
    except DataError:
        return np.full(len(_RATES) + 1, math.nan)
    return _seen(agreed, annotators)


def _seen(agreed: Consensus, annotators: int) -> Floats:
    """Rates of a consensus, and the spread of its support, which misses change and additions do not."""
    rates = [getattr(agreed.rates, name) for name in _RATES]
    return np.array([*rates, float(np.std(agreed.support)) / annotators])


def _there(shown: Floats) -> Floats:
    """Sets with a consensus."""
    return shown[~np.isnan(shown).any(axis=1)]


def _variance(shown: Floats) -> Floats:
    there = _there(shown)
    return there.var(axis=0, ddof=1) if len(there) > 1 else np.zeros(shown.shape[1])
