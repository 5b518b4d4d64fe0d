"""How many items or documents? For an interval of a given width, or to see a difference with a given power.

The spread per item comes from a pilot, or from a model with the value that is hoped for: in a share of the items all
annotators see the same category and give it, in the others each draws a label of their own from the shares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.arrays import Floats
from accord.context import Run, silent
from accord.door import checks_options, opened
from accord.errors import DataError, SpecError
from accord.inference.comparison.contrast import Term, linear, term
from accord.inference.intervals.methods import Settings
from accord.inference.planning.results import SampleSize
from accord.inference.scoring import Scored, kinds_of, main_measure, scored
from accord.kinds import ITEMS
from accord.measures.base import Measure
from accord.measures.catalogue import measure
from accord.measures.sampling import Sampled
from accord.model.ratings import Ratings
from accord.probability import normal_quantile, t_quantile

_CELLS = 50_000_000  # simulations × items or documents
_LARGE = 20_000  # items of the model from which the spread is taken
_MOST = 100_000_000
_STEPS = 30


@dataclass(frozen=True)
class AssumedStudy:
    """Assumed values."""

    value: float = 0.7
    annotators: int = 2
    shares: tuple[float, ...] = (0.5, 0.5)

    def __post_init__(self) -> None:
        if not -1 < self.value < 1:
            raise SpecError(f"an assumed value lies between 0 and 1, not {self.value:g}")
        if self.annotators < 2:
            raise SpecError("a study has at least two annotators")
        if len(self.shares) < 2 or not all(0 < s < math.inf for s in self.shares):
            raise SpecError("name the shares of at least two categories, all above 0: 0.6,0.3,0.1")


@checks_options
def sample_size(
    spec: str | Measure | None = None,
    *,
    width: float | None = None,
    difference: float | None = None,
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
    """`sample_size("alpha", width=0.1, pilot="pilot.csv")`, `sample_size("kappa", difference=0.1, value=0.6)`."""
    if (width is None) == (difference is None):
        raise SpecError("say what is wanted: the width of the interval, or a difference to be seen")
    if width is not None and not 0 < width < 2:
        raise SpecError(f"a width lies between 0 and 2, not {width:g}")
    if difference is not None and (not 0 < abs(difference) < 2 or not 0 < power < 1):
        raise SpecError("a difference is a number other than 0, a power lies between 0 and 1")
    if simulations < 0:
        raise SpecError(f"{simulations} simulations are impossible: 0 or more")
    run = Run(seed, progress, jobs)
    if pilot is None and reading:
        raise SpecError(f"{', '.join(reading)}: this is about reading, and there is no pilot to read")
    data = None if pilot is None else opened(pilot, reading, kinds_of(spec))
    chosen = measure(spec or ITEMS.main) if data is None else main_measure(spec, data)
    ask = _Ask(chosen, width, difference, power, paired, Settings(level=level).level, simulations, run)
    if data is not None:
        return _from_pilot(ask, data, correlation)
    if not chosen.on_items:
        raise SpecError(f"{chosen.name} needs a pilot: assumed values are for coefficients on items")
    return _from_model(ask, AssumedStudy(value, annotators, tuple(float(s) for s in shares)))


@dataclass(frozen=True, eq=False)
class _Ask:
    measure: Measure
    width: float | None
    difference: float | None
    power: float
    paired: bool
    level: float
    simulations: int
    run: Run

    @property
    def goal(self) -> str:
        if self.width is not None:
            return f"a {self.level * 100:.6g}% interval of width {self.width:g}"
        how = "paired" if self.paired else "unpaired, in each study"
        return f"a difference of {self.difference:g} seen with power {self.power:g} ({how})"

    def n(self, sd: float) -> int:
        """From the error sd/√n of the value, or of the difference."""
        z = normal_quantile((1 + self.level) / 2)
        if self.width is not None:
            needed = (2 * z * sd / self.width) ** 2
        else:
            assert self.difference is not None  # noqa: S101
            needed = ((z + normal_quantile(self.power)) * sd / self.difference) ** 2
        if needed > _MOST:
            raise DataError(f"this takes {needed:,.0f} items, more than anybody can annotate: ask for less")
        return max(2, math.ceil(needed + z**2 / 2))  # the t distribution of small samples


def _from_pilot(ask: _Ask, data: Any, correlation: float) -> SampleSize:
    """The spread of the pilot; checked by drawing studies of that size from it."""
    found = scored(data, ask.measure, Settings("default", ask.level), ask.run)
    if found.score.undefined is not None:
        raise DataError(f"{found.score.measure} is undefined for the pilot: {found.score.undefined}")
    sample = ask.measure.sampled(found.evidence, ask.run)
    if sample is None or sample.times.sum() < 2:
        raise DataError("the pilot has one document only: its spread is not known")
    noun = sample.noun
    one = term(1.0, found, ask.run)
    many = float(sample.times.sum())
    if one.pull is not None:
        used = float(one.used.sum())
        sd = linear([one], ask.level).se * math.sqrt(used)
    else:
        left = sample.without_each()
        left = left[~np.isnan(left)]
        sd = math.sqrt((many - 1) / many * float(((left - left.mean()) ** 2).sum()) * many)
    basis = f"a pilot of {many:,.0f} {noun}s"
    if ask.difference is not None:
        if not -1 < correlation < 1:
            raise SpecError("a correlation lies between -1 and 1")
        sd *= math.sqrt(2 * (1 - correlation)) if ask.paired else math.sqrt(2)
        basis += f", the other study with the same spread{f' and correlation {correlation:g}' if ask.paired else ''}"
    n = ask.n(sd)
    simulated = None
    if len(sample) * ask.simulations <= _CELLS and ask.simulations > 1:
        simulated = _width(ask, sample, n) if ask.width is not None else _power(ask, sample, one, n, correlation)
    few = (f"a pilot of {many:.0f} {noun}s says little about its spread: take more",) if many < 20 else ()
    return SampleSize(n, noun, sd, basis, ask.goal, simulated, ask.simulations if simulated is not None else 0, few)


def _width(ask: _Ask, sample: Sampled, n: int) -> float:
    """Of the interval of studies of that size drawn from the pilot."""
    draws = ask.run.rng(12).multinomial(n, sample.times / sample.times.sum(), size=ask.simulations)
    spread = float(np.nanstd(sample.drawn(draws.astype(np.float64)), ddof=1))
    return 2 * normal_quantile((1 + ask.level) / 2) * spread


def _power(ask: _Ask, sample: Sampled, one: Term, n: int, correlation: float) -> float | None:
    """How often two studies of that size, drawn from the pilot, differ if one of them is moved by the difference.

    Paired studies share as many of their draws as the correlation says. The error of each difference is that of its own
    draws, from what each item or document pulls.
    """
    if correlation < 0:
        return None  # shared draws cannot make values move against each other
    pull = _pulls(sample, one)
    same = round(correlation * n) if ask.paired else 0
    rng, share = ask.run.rng(12), sample.times / sample.times.sum()
    common, a, b = (
        rng.multinomial(many, share, size=ask.simulations).astype(np.float64) for many in (same, n - same, n - same)
    )
    assert ask.difference is not None  # noqa: S101
    found = sample.drawn(common + b) - sample.drawn(common + a) + ask.difference
    mean, own = (b - a) @ pull / n, max(n - same, 1)
    if ask.paired:
        variance = ((a + b) @ pull**2 - 2 * (a @ pull) * (b @ pull) / own) / n - mean**2
        error, df = np.sqrt(np.maximum(variance, 0.0) / (n - 1)), n - 1
    else:
        each = [x @ pull**2 / n - (x @ pull / n) ** 2 for x in (a, b)]
        error, df = np.sqrt(sum(each) / (n - 1)), 2 * (n - 1)
    known = ~np.isnan(found)
    seen = np.abs(found) > t_quantile(df, (1 + ask.level) / 2) * error
    return float(seen[known].mean()) if known.any() else None


def _pulls(sample: Sampled, one: Term) -> Floats:
    """What each item or document adds to the value, to first order; their mean is 0."""
    many = float(sample.times.sum())
    if one.pull is not None:
        used = float(one.used.sum())
        return one.pull * math.sqrt(used * max(used - 1, 1.0)) * (one.used > 0)
    left = np.nan_to_num(sample.without_each(), nan=sample.value)
    return (many - 1) * (float(sample.times @ left) / many - left)


def _from_model(ask: _Ask, model: AssumedStudy) -> SampleSize:
    rng = ask.run.rng(13)
    same = _same_seen(ask, model)
    basis = f"{model.annotators} annotators, {len(model.shares)} categories, {ask.measure} = {model.value:g} assumed"
    if ask.width is not None:
        found = _studied(ask, draw(model, same, _LARGE, rng))
        sd = linear([term(1.0, found, ask.run)], ask.level).se * math.sqrt(_LARGE)
        n = ask.n(sd)
        widths = []
        for k in range(_affordable(ask, n)):
            one = scored(
                draw(model, same, n, ask.run.rng(14, k)), ask.measure, Settings("linearised", ask.level), ask.run
            )
            if one.score.interval is not None:
                widths.append(one.score.interval.high - one.score.interval.low)
        simulated = float(np.mean(widths)) if widths else None
        return SampleSize(n, "item", sd, basis, ask.goal, simulated, len(widths))
    assert ask.difference is not None  # noqa: S101
    better = replace(model, value=model.value + ask.difference)
    same_b = _same_seen(ask, better)
    pair = _pair(ask, model, (same, same_b), _LARGE, rng)
    sd = pair.se * math.sqrt(_LARGE)
    n = ask.n(sd)
    seen = [_pair(ask, model, (same, same_b), n, ask.run.rng(14, k)).p for k in range(_affordable(ask, n))]
    known = [p for p in seen if p is not None]
    simulated = float(np.mean([p <= 1 - ask.level for p in known])) if known else None
    return SampleSize(n, "item", sd, basis, ask.goal, simulated, len(known))


def _affordable(ask: _Ask, n: int) -> int:
    return min(ask.simulations, max(0, 20_000_000 // max(n, 1)))


def _studied(ask: _Ask, data: Ratings) -> Scored:
    evidence = ask.measure.observe(data, ask.run)
    return Scored(data, ask.measure, evidence, ask.measure.estimate(evidence))


def _pair(ask: _Ask, model: AssumedStudy, same: tuple[float, float], n: int, rng: np.random.Generator) -> Any:
    """Two studies of n items, the same ones where they are paired."""
    seed = int(rng.integers(2**31))
    studies = [
        draw(model, one, n, rng, np.random.default_rng(seed + (0 if ask.paired else k))) for k, one in enumerate(same)
    ]
    side = ("", "") if ask.paired else ("a", "b")
    terms = [
        term(f, _studied(ask, d), ask.run, k, side[k])
        for k, (f, d) in enumerate(zip((-1.0, 1.0), studies, strict=True))
    ]
    return linear(terms, ask.level)


def draw(
    model: AssumedStudy, same: float, n: int, rng: np.random.Generator, items: np.random.Generator | None = None
) -> Ratings:
    """A study of the model: `same` is the share of items that all annotators see alike."""
    items = items if items is not None else rng
    q, p = len(model.shares), np.array(model.shares) / math.fsum(model.shares)
    truth = items.choice(q, size=n, p=p)
    clear = items.random(n) < same
    own = rng.choice(q, size=(n, model.annotators), p=p)
    rows = np.where(clear[:, None], truth[:, None], own)
    return Ratings.from_rows(rows, categories=list(range(q)))


def _same_seen(ask: _Ask, model: AssumedStudy) -> float:
    """The share of items seen alike that gives the assumed value: found by halving, on a large study."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        found = _studied(ask, draw(model, middle, _LARGE, ask.run.rng(15))).score.value
        low, high = (low, middle) if found > model.value else (middle, high)
    if low > 1 - 1e-6:
        raise SpecError(f"a value of {model.value:g} cannot be reached")
    if high < 1e-6:
        raise SpecError(
            f"{ask.measure} of labels given at random is above {model.value:g} already: assume a higher value"
        )
    return (low + high) / 2
