"""`sample_size`: the required number of items or documents for a width of the interval or a power.

The spread per item is from a pilot, or from a model with the assumed value. In the model, all annotators give the true
category to a share of the items and draw labels at random from the category shares for the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from accord.answers.contrast import Term, linearise, make_term
from accord.answers.levels import notes_on_levels
from accord.answers.scoring import Scored, kinds_of, main_measure, score_data
from accord.core.arrays import Floats
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, printable
from accord.core.probability import normal_quantile, t_quantile
from accord.core.result import Result
from accord.core.tables import Table, percent, plain
from accord.data.door import checks_options, opened
from accord.data.kinds import ITEMS
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure as measure_named
from accord.measures.intervals.methods import RESAMPLING, Settings, with_interval
from accord.measures.measure import Measure
from accord.measures.resampling import Sampled, Weighted


@dataclass(frozen=True, repr=False)
class SampleSize(Result):
    """`n` items or documents; for unpaired studies, in each of the two."""

    n: int
    noun: str
    sd: float  # of the value, per item or document: its standard error is sd/√n
    basis: str  # source of sd
    goal: str
    simulated: float | None = None  # mean width or power of simulated studies of this size
    simulations: int = 0
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        return f"required: {self.n:,} {self.noun}s for {self.goal}"

    def in_words(self, color: bool = False, width: int = 80) -> str:  # noqa: ARG002
        lines = [self.summary(), f"basis: {self.basis}; standard deviation per {self.noun} {self.sd:z.3f}"]
        if self.simulated is not None:
            what = "mean width of the interval" if " interval of width " in self.goal else "power"
            lines.append(f"{what} in {self.simulations} simulated studies of this size: {self.simulated:z.3f}")
        return "".join(f"{printable(line)}\n" for line in (*lines, *self.notes))

    def tables(self) -> list[Table]:
        columns = (f"{self.noun}s", "goal", "basis", "standard deviation", "simulated", "simulations")
        row = (self.n, self.goal, self.basis, self.sd, self.simulated, self.simulations)
        return [Table("", columns, (row,), self.notes)]

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))

    def flat(self) -> Table:
        columns = ("n", "noun", "sd", "basis", "goal", "simulated", "simulations")
        return Table("", columns, (tuple(getattr(self, name) for name in columns),))


_CELLS = 50_000_000  # simulations × items or documents at once
_MOST_SIMULATIONS = 100_000
_LARGE = 20_000  # items of the model from which the spread is computed
_MOST = 100_000_000
_FORETOLD = 1e15  # numbers above are not printed
_STEPS = 30
_DRAWS, _ALL = 200, 100_000  # search: studies drawn for each number of items, and the number treated as unlimited
_ROUNDS = 8
_TOO_CLOSE = 1e-9


@dataclass(frozen=True)
class AssumedStudy:
    """The assumed value, number of annotators and category shares."""

    value: float = 0.7
    annotators: int = 2
    shares: tuple[float, ...] = (0.5, 0.5)

    def __post_init__(self) -> None:
        if not -1 < self.value < 1:
            raise SpecError("option-value", f"--value must be between 0 and 1, not {self.value:g}")
        if self.annotators < 2:
            raise SpecError("option-value", "a study needs at least two annotators; try --raters 2")
        if len(self.shares) < 2 or not all(0 < s < math.inf for s in self.shares):
            raise SpecError("option-value", "--shares needs at least two numbers above 0, such as --shares 0.6,0.3,0.1")


@checks_options
def sample_size(
    measure: str | Measure | None = None,
    *,
    width: float | None = None,
    difference: float | None = None,
    null: float | None = None,
    power: float = 0.8,
    paired: bool = True,
    pilot: Any = None,
    correlation: float = 0.0,
    value: float = 0.7,
    annotators: int = 2,
    shares: Sequence[float] = (0.5, 0.5),
    level: float = 0.95,
    simulations: int = 200,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> SampleSize:
    """Compute the required number of items or documents of a study.

    Give exactly one of `width`, `difference` and `null`.

    Parameters
    ----------
    measure : str or Measure, optional
        A measure. Default: the usual one for this kind of data; without a pilot, `alpha`.
    width : float, optional
        Target width of the interval.
    difference : float, optional
        Difference between two studies to detect.
    null : float, optional
        Null hypothesis: the value to distinguish from.
    power : float, default 0.8
        Power: the probability of detecting it.
    paired : bool, default True
        Whether two studies have the same items.
    pilot : data, optional
        A pilot study: anything that `accord.read` accepts, or data that were read.
    correlation : float, default 0.0
        With a pilot and the same items: the correlation between the two values.
    value : float, default 0.7
        Without a pilot: the assumed value.
    annotators : int, default 2
        Without a pilot: the number of annotators.
    shares : list of float, default (0.5, 0.5)
        Without a pilot: the category shares.
    level : float, default 0.95
        Confidence level of the intervals.
    simulations : int, default 200
        Number of simulated studies of this size that check the answer.
    seed : int, default 0
        Random seed.
    progress : callable, optional
        Called with the task, the number of finished steps and the total.
    jobs : int, optional
        Number of workers for long computations; the result does not depend on it. Default: all cores.
    **reading
        Options of `accord.read` for the pilot.

    Returns
    -------
    SampleSize
        With `n`; for unpaired studies, the number in each of the two.

    Raises
    ------
    SpecError
        If not exactly one goal is given, or a measure that is not for items has no pilot.

    Examples
    --------
    >>> accord.sample_size("kappa", width=0.2, value=0.7, simulations=0).n
    199
    """
    if sum(asked is not None for asked in (width, difference, null)) != 1:
        raise SpecError(
            "option-missing",
            "give exactly one target: --width, --difference or --null",
        )
    if width is not None and not 0 < width < 2:
        raise SpecError("option-value", f"--width must be between 0 and 2, not {width:g}")
    if difference is not None and not 0 < abs(difference) < 2:
        raise SpecError("option-value", f"--difference must be between -2 and 2 and not 0, not {difference:g}")
    if null is not None and not -1 < null < 1:
        raise SpecError("option-value", f"--null must be between -1 and 1, not {null:g}")
    if not 0 < power < 1:
        raise SpecError("option-value", f"--power must be between 0 and 1, not {power:g}")
    if not 0 <= simulations <= _MOST_SIMULATIONS:
        raise SpecError("option-value", f"--simulations must be between 0 and {_MOST_SIMULATIONS:,}, not {simulations}")
    run = Run(seed, progress, jobs)
    if pilot is None and reading:
        raise SpecError(
            "option-conflict", f"{', '.join(reading)}: reading options need a pilot, and none is given; leave them out"
        )
    if pilot is not None and (value, annotators, tuple(shares)) != (0.7, 2, (0.5, 0.5)):
        raise SpecError(
            "option-conflict",
            "value, annotators and shares are assumptions for use without a pilot; leave them out (to choose "
            "annotators of the pilot, read it first)",
        )
    if difference is None and (not paired or correlation):
        raise SpecError("option-conflict", "paired and correlation need --difference; leave them out")
    if pilot is None and correlation:
        raise SpecError(
            "option-conflict",
            "--correlation needs a pilot; without one, the model determines it, so leave it out",
        )
    data = None if pilot is None else opened(pilot, reading, kinds_of(measure), run)
    chosen = measure_named(measure or ITEMS.main) if data is None else main_measure(measure, data)
    assumed = _assumed(data, () if measure is None else (chosen,))
    ask = _Ask(chosen, width, difference, null, power, paired, Settings(level=level), simulations, run, assumed)
    if data is not None:
        return _from_pilot(ask, data, correlation)
    if not chosen.on_items:
        raise SpecError(
            "measure-for-other-data",
            f"{chosen.name} needs a pilot, because assumed values work for coefficients on items only; name a table "
            "of the pilot",
        )
    return _from_model(ask, AssumedStudy(value, annotators, tuple(float(s) for s in shares)))


def _assumed(pilot: Data | None, measures: Sequence[Measure]) -> tuple[str, ...]:
    return notes_on_levels({pilot.variable: pilot}, measures) if isinstance(pilot, Ratings) else ()


@dataclass(frozen=True, eq=False)
class _Ask:
    measure: Measure
    width: float | None
    difference: float | None
    null: float | None
    power: float
    paired: bool
    settings: Settings  # of the interval that will be printed: the measure's own
    simulations: int
    run: Run
    assumed: tuple[str, ...] = ()  # that the level of measurement of the pilot is assumed

    @property
    def level(self) -> float:
        return self.settings.level

    @property
    def by_formula(self) -> bool:
        """Whether the measure has an interval by formula, which may include the sampling of annotators, not sd/√n."""
        return self.measure.default_interval == "formula"

    def goal(self, value: float) -> str:
        if self.width is not None:
            return f"a {percent(self.level)} interval of width {self.width:g}"
        if self.null is not None:
            return f"distinguishing a value of {value:.3g} from {self.null:g} with power {self.power:g}"
        how = "paired" if self.paired else "unpaired, number for each study"
        return f"detecting a difference of {self.difference:g} with power {self.power:g} ({how})"

    def apart(self, value: float) -> float:
        """The difference to detect."""
        if self.difference is not None:
            return self.difference
        assert self.null is not None
        if abs(value - self.null) < _TOO_CLOSE:
            raise SpecError(
                "option-value",
                f"a value of {value:.3g} cannot be distinguished from --null {self.null:g} because both are the same; "
                "choose another",
            )
        return value - self.null

    def n(self, sd: float, value: float) -> int:
        """Return the required number, from a standard error of sd/√n."""
        z = normal_quantile((1 + self.level) / 2)
        if self.width is not None:
            root = 2 * z * sd / self.width
        else:
            root = (z + normal_quantile(self.power)) * sd / self.apart(value)
        needed = root * root  # may be infinite, whereas ** raises an error
        if needed > _MOST:
            many = f" ({needed:,.0f} items)" if needed < _FORETOLD else ""
            raise DataError(
                "target-unreachable", f"the required sample is too large{many}; relax the target, or lower --power"
            )
        return max(2, math.ceil(needed + z**2 / 2))  # allows for the t distribution in small samples

    def until_seen(self, n: int, power: Callable[[int], float | None]) -> int:
        """Increase n until simulations reach the power: low values have larger errors than sd/√n."""
        z = normal_quantile((1 + self.level) / 2)
        for _ in range(_ROUNDS):
            met = power(n)
            if met is None or met >= self.power:
                break
            short = (z + normal_quantile(self.power)) / (z + normal_quantile(max(met, 0.05)))
            n = math.ceil(n * min(short**2, 4.0)) + 1
        return n


def _from_pilot(ask: _Ask, data: Any, correlation: float) -> SampleSize:
    """Take the spread from a pilot; check it with studies of this size drawn from the pilot."""
    pilot = score_data(data, ask.measure, ask.settings, ask.run)
    if pilot.score.undefined is not None:
        raise DataError(
            "undefined-value",
            f"{pilot.score.measure} is undefined for the pilot: {pilot.score.undefined}; try another --measure",
        )
    sample = ask.measure.sampled(pilot.evidence, ask.run)
    if sample is None or sample.times.sum() < 2:
        raise DataError("too-few", "the pilot has only one document, so its spread is unknown; use a pilot with more")
    noun = sample.noun
    term = make_term(1.0, pilot, ask.run)
    many = float(sample.times.sum())
    if term.pull is not None:
        used = float(term.used.sum())
        sd = linearise([term], ask.level).se * math.sqrt(used)
    else:
        left = sample.without_each()
        left = left[~np.isnan(left)]
        sd = math.sqrt((many - 1) / many * float(((left - left.mean()) ** 2).sum()) * many)
    basis = f"pilot of {many:,.0f} {noun}s"
    if ask.measure.on_items and ask.measure.by_degrees:
        basis += f" by {ask.measure}"
    if ask.difference is not None:
        if not -1 < correlation < 1:
            raise SpecError("option-value", "--correlation must be between -1 and 1")
        sd *= math.sqrt(2 * (1 - correlation)) if ask.paired else math.sqrt(2)
        basis += f", same spread assumed for the other study{f' and correlation {correlation:g}' if ask.paired else ''}"
    simulated = None
    affordable = len(sample) * ask.simulations <= _CELLS and ask.simulations > 1
    if ask.difference is not None:
        n = ask.n(sd, pilot.score.value)
        simulated = _power(ask, sample, term, n, correlation) if affordable else None
    else:
        n = _by_own_interval(ask, pilot) if ask.by_formula else ask.n(sd, pilot.score.value)
        if affordable and ask.null is not None and not ask.by_formula:
            n = ask.until_seen(n, lambda size: _met(ask, _intervals(ask, pilot, sample, size, ask.simulations)))
        simulated = _met(ask, _intervals(ask, pilot, sample, n, ask.simulations)) if affordable else None
    notes = _limits(ask, pilot, sample, n)
    if many < 20:
        notes = (*notes, f"the spread is unreliable with a pilot of {many:.0f} {noun}s; use a larger pilot")
    notes = (*notes, *ask.assumed)
    goal = ask.goal(pilot.score.value)
    return SampleSize(n, noun, sd, basis, goal, simulated, ask.simulations if simulated is not None else 0, notes)


def _intervals(ask: _Ask, pilot: Scored, sample: Sampled, n: int, many: int) -> Floats:
    """Ends of the measure's own interval for studies of this size drawn from the pilot: one row per study.

    A bootstrap interval is as wide as the spread of the values of the studies.
    """
    rng = ask.run.rng(12)
    evidence = pilot.evidence
    if ask.settings.for_measure(ask.measure, n).method in RESAMPLING or not isinstance(evidence, Weighted):
        draws = rng.multinomial(n, sample.times / sample.times.sum(), size=many)
        values = sample.drawn(draws.astype(np.float64))
        half = normal_quantile((1 + ask.level) / 2) * float(np.nanstd(values, ddof=1))
        return np.stack([values - half, values + half], axis=1)
    ends = np.full((many, 2), np.nan)
    share = evidence.times / evidence.times.sum()
    for k in range(many):
        drawn = evidence.weighted(rng.multinomial(n, share).astype(np.float64))
        if math.isnan(ask.measure.value_of(drawn)):
            continue
        score = with_interval(ask.measure.estimate(drawn), ask.measure, drawn, ask.settings, ask.run)
        if score.interval is not None:
            ends[k] = score.interval.low, score.interval.high
    return ends


def _met(ask: _Ask, ends: Floats) -> float | None:
    """Return the mean width of intervals, or the share of intervals that exclude the null value."""
    known = ends[~np.isnan(ends).any(axis=1)]
    if not len(known):
        return None
    if ask.null is None:
        return float((known[:, 1] - known[:, 0]).mean())
    return float(((known[:, 0] > ask.null) | (known[:, 1] < ask.null)).mean())


def _by_own_interval(ask: _Ask, pilot: Scored) -> int:
    """Return the smallest number of items for which the measure's own interval reaches the target."""
    sample = ask.measure.sampled(pilot.evidence, ask.run)
    assert sample is not None
    if ask.null is not None:
        ask.apart(pilot.score.value)

    def reached(n: int) -> bool:
        got = _met(ask, _intervals(ask, pilot, sample, n, _DRAWS))
        return got is not None and (got <= ask.width if ask.width is not None else got >= ask.power)

    if not reached(_ALL):
        got = _met(ask, _intervals(ask, pilot, sample, _ALL, _DRAWS))
        what = "the interval is {:.3f} wide" if ask.width is not None else "the power is {:.3f}"
        raise DataError(
            "target-unreachable",
            f"no number of items is enough with these {pilot.data.n_annotators} annotators: with {_ALL:,} items "
            f"{what.format(got if got is not None else math.nan)}; add annotators to the pilot, or relax the target",
        )
    low, high = 1, 2
    while not reached(high):
        low, high = high, min(2 * high, _ALL)
    while high - low > max(1, high // 200):
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def _limits(ask: _Ask, pilot: Scored, sample: Sampled, n: int) -> tuple[str, ...]:
    """Note if annotators, not items, limit the width."""
    if ask.width is None:
        return ()
    if ask.by_formula:
        many = min(100 * n, _ALL)
        more = _met(ask, _intervals(ask, pilot, sample, many, _DRAWS))
        if more is not None and more > ask.width / 2:
            return (f"the number of annotators limits the width: with {many:,} items it is still {more:.3f}",)
        return ()
    if not ask.measure.on_items:
        return ()
    both = score_data(pilot.data, ask.measure, Settings("unconditional", ask.level), ask.run).score
    error = both.details.get("se_annotators", 0.0)
    wide = 2 * normal_quantile((1 + ask.level) / 2) * error
    if wide <= ask.width / 2:
        return ()
    return (
        f"the result applies to these annotators; if they are a sample, their sampling alone gives an interval "
        f"{wide:.3f} wide, with any number of items",
    )


def _power(ask: _Ask, sample: Sampled, term: Term, n: int, correlation: float) -> float | None:
    """Return the share of pairs of studies, drawn from the pilot, with a significant difference.

    Paired studies share as many draws as the correlation implies. The standard error of each difference is computed
    from its own draws and the influence of each item or document.
    """
    if correlation < 0:
        return None  # shared draws cannot give a negative correlation
    pull = _pulls(sample, term)
    same = round(correlation * n) if ask.paired else 0
    rng, share = ask.run.rng(12), sample.times / sample.times.sum()
    common, a, b = (
        rng.multinomial(many, share, size=ask.simulations).astype(np.float64) for many in (same, n - same, n - same)
    )
    assert ask.difference is not None
    differences = sample.drawn(common + b) - sample.drawn(common + a) + ask.difference
    mean, own = (b - a) @ pull / n, max(n - same, 1)
    if ask.paired:
        variance = ((a + b) @ pull**2 - 2 * (a @ pull) * (b @ pull) / own) / n - mean**2
        error, df = np.sqrt(np.maximum(variance, 0.0) / (n - 1)), n - 1
    else:
        each = [x @ pull**2 / n - (x @ pull / n) ** 2 for x in (a, b)]
        error, df = np.sqrt(sum(each) / (n - 1)), 2 * (n - 1)
    known = ~np.isnan(differences)
    seen = np.abs(differences) > t_quantile(df, (1 + ask.level) / 2) * error
    return float(seen[known].mean()) if known.any() else None


def _pulls(sample: Sampled, term: Term) -> Floats:
    """Return the first-order influence of each item or document on the value; the mean is 0."""
    many = float(sample.times.sum())
    if term.pull is not None:
        used = float(term.used.sum())
        return term.pull * math.sqrt(used * max(used - 1, 1.0)) * (term.used > 0)
    left = np.nan_to_num(sample.without_each(), nan=sample.value)
    return (many - 1) * (float(sample.times @ left) / many - left)


def _from_model(ask: _Ask, model: AssumedStudy) -> SampleSize:
    rng = ask.run.rng(13)
    same = _same_seen(ask, model)
    basis = f"{model.annotators} annotators, {len(model.shares)} categories, assumed {ask.measure} = {model.value:g}"
    if ask.difference is None:
        study = _studied(ask, draw(model, same, _LARGE, rng))
        sd = linearise([make_term(1.0, study, ask.run)], ask.level).se * math.sqrt(_LARGE)
        n = ask.n(sd, model.value)
        if ask.null is not None and ask.simulations > 1:
            n = ask.until_seen(n, lambda size: _met(ask, _assumed_intervals(ask, model, same, size)))
        ends = _assumed_intervals(ask, model, same, n)
        simulations = int((~np.isnan(ends).any(axis=1)).sum())
        return SampleSize(n, "item", sd, basis, ask.goal(model.value), _met(ask, ends), simulations)
    assert ask.difference is not None
    better = replace(model, value=model.value + ask.difference)
    same_b = _same_seen(ask, better)
    pair = _pair(ask, model, (same, same_b), _LARGE, rng)
    sd = pair.se * math.sqrt(_LARGE)
    n = ask.n(sd, model.value)
    seen = [_pair(ask, model, (same, same_b), n, ask.run.rng(14, k)).p for k in range(_affordable(ask, n))]
    known = [p for p in seen if p is not None]
    simulated = float(np.mean([p <= 1 - ask.level for p in known])) if known else None
    return SampleSize(n, "item", sd, basis, ask.goal(model.value), simulated, len(known))


def _assumed_intervals(ask: _Ask, model: AssumedStudy, same: float, n: int) -> Floats:
    """Ends of the measure's own interval for studies of the model: one row per study."""
    ends = np.full((_affordable(ask, n), 2), np.nan)
    for k in range(len(ends)):
        study = _studied(ask, draw(model, same, n, ask.run.rng(14, k)))
        score = with_interval(study.score, ask.measure, study.evidence, ask.settings, ask.run)
        if score.interval is not None:
            ends[k] = score.interval.low, score.interval.high
    return ends


def _affordable(ask: _Ask, n: int) -> int:
    return min(ask.simulations, max(0, 20_000_000 // max(n, 1)))


def _studied(ask: _Ask, data: Ratings) -> Scored:
    evidence = ask.measure.observe(data, ask.run)
    return Scored(data, ask.measure, evidence, ask.measure.estimate(evidence))


def _pair(ask: _Ask, model: AssumedStudy, same: tuple[float, float], n: int, rng: np.random.Generator) -> Any:
    """Return the spread of the difference between two studies of n items; paired studies share their items."""
    seed = int(rng.integers(2**31))
    studies = [
        draw(model, share, n, rng, np.random.default_rng(seed + (0 if ask.paired else k)))
        for k, share in enumerate(same)
    ]
    side = ("", "") if ask.paired else ("a", "b")
    terms = [
        make_term(f, _studied(ask, d), ask.run, k, side[k])
        for k, (f, d) in enumerate(zip((-1.0, 1.0), studies, strict=True))
    ]
    return linearise(terms, ask.level)


def draw(
    model: AssumedStudy, same: float, n: int, rng: np.random.Generator, items: np.random.Generator | None = None
) -> Ratings:
    """Draw a study from the model: `same` is the share of items with the true category from all annotators."""
    items = items if items is not None else rng
    q, p = len(model.shares), np.array(model.shares) / math.fsum(model.shares)
    truth = items.choice(q, size=n, p=p)
    clear = items.random(n) < same
    own = rng.choice(q, size=(n, model.annotators), p=p)
    rows = np.where(clear[:, None], truth[:, None], own)
    return Ratings.from_rows(rows, categories=list(range(q)))


def _same_seen(ask: _Ask, model: AssumedStudy) -> float:
    """Find the share of such items that gives the assumed value, by bisection on a large study."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        value = _studied(ask, draw(model, middle, _LARGE, ask.run.rng(15))).score.value
        low, high = (low, middle) if value > model.value else (middle, high)
    if low > 1 - 1e-6:
        raise SpecError(
            "target-unreachable", f"a value of {model.value:g} cannot be reached; assume a lower one with --value"
        )
    if high < 1e-6:
        raise SpecError(
            "target-unreachable",
            f"{ask.measure} of random labels already exceeds {model.value:g}; assume a higher value with --value",
        )
    return (low + high) / 2
