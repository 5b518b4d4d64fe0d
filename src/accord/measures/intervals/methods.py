"""Methods of intervals. docs/intervals.md explains the assumptions of each.

A method takes a score with its evidence and returns the score with `se`, `interval` and `p`. If a method does not
apply, the score has no interval, and `details["interval"]` has the reason. The same key has notes about an interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import SpecError, UnknownName, quoted
from accord.core.probability import chi2_above, normal_below, normal_quantile
from accord.core.result import Score
from accord.measures.distances import Nominal
from accord.measures.intervals.added import added, carried, dirichlet, instead
from accord.measures.intervals.cases import Case, NotHere, by_t, noted, short_of_data
from accord.measures.intervals.resampled import FEW, FEW_ITEMS, alone, bca, blocks, bootstrap, jackknife
from accord.measures.measure import WIDEST_MATRIX, Measure
from accord.measures.resampling import Contributions

PERMUTATION = "permutation"
_HIGHEST = 1 - 5e-7  # quantile of an interval
_MOST_REPLICATES = 10_000_000
_HALVINGS = 40
FOR_DOCUMENTS = ("monte_carlo", "bootstrap", "bca", "jackknife", "blocks", "formula", "none")
RESAMPLING = ("bootstrap", "bca", "blocks", "dirichlet", "hayes_krippendorff", "krippendorff_2013")
_FOR_ONE = ("monte_carlo", "blocks")
_OF_CHANCE = {
    "units": "one document, so no interval: ± is the Monte Carlo error only, not the sampling of documents; for one "
    "long continuum use --interval blocks",
    "texts": "one document, so no interval: ± is the Monte Carlo error only, not the sampling of documents",
}
_BY_LINEARISATION = ("linearised", "unconditional", "table", "irrcac")
Method = Callable[[Case], Score]
_STEPS = 200


@dataclass(frozen=True)
class Settings:
    """The user's choices about an interval."""

    method: str = "default"  # the default of the measure
    level: float = 0.95
    replicates: int = 2000
    items_population: int | None = None  # None: infinite
    annotators_population: int | None = None
    null: float | str | None = None  # the value that p tests, or PERMUTATION; None: no agreement

    def __post_init__(self) -> None:
        if self.method != "default" and self.method not in INTERVALS:
            raise UnknownName("interval", self.method, INTERVALS)
        if isinstance(self.level, bool) or not isinstance(self.level, int | float) or not 0 < self.level < 1:
            raise SpecError(
                "option-value",
                f"--level must be a number between 0 and 1, for example 0.95, not {quoted(self.level)}",
            )
        if (1 + self.level) / 2 > _HIGHEST:
            raise SpecError("option-value", f"--level {self.level!r} is too high; use at most 0.999999")
        for name in ("replicates", "items_population", "annotators_population"):
            value = getattr(self, name)
            if (value is not None or name == "replicates") and (isinstance(value, bool) or not isinstance(value, int)):
                raise SpecError(
                    "option-value", f"--{name.replace('_', '-')} must be a whole number, not {quoted(value)}"
                )
        if self.annotators_population is not None and self.method != "unconditional":
            raise SpecError(
                "option-conflict",
                "--annotators-population needs --interval unconditional",
            )
        if isinstance(self.null, str) and not self.by_permutation:
            raise SpecError("option-value", f"--null must be a number or {PERMUTATION}, not {quoted(self.null)}")
        if self.value is not None and not -1 < self.value < 1:
            raise SpecError("option-value", f"--null must be between -1 and 1, for example 0.4, not {self.value:g}")
        if self.value is not None and self.method == "none":
            raise SpecError(
                "option-conflict", "--null needs the standard error of an interval; leave out --interval none"
            )
        if self.items_population is not None and self.method == "none":
            raise SpecError("option-conflict", "--items-population changes the interval; leave out --interval none")
        if self.replicates < 100:
            raise SpecError("option-value", f"--replicates must be at least 100, not {self.replicates}")
        if self.replicates > _MOST_REPLICATES:
            raise SpecError(
                "option-value", f"--replicates must be at most {_MOST_REPLICATES:,}, not {self.replicates:,}"
            )

    @property
    def value(self) -> float | None:
        """Return the value that p tests with the error of the interval."""
        return None if isinstance(self.null, str) else self.null

    @property
    def by_permutation(self) -> bool:
        return self.null == PERMUTATION

    def for_measure(self, measure: Measure, n: int) -> Settings:
        """Return the settings with the default method of the measure. One document has its own default for γ and tγ."""
        if self.method != "default":
            return self
        of_one = measure.interval_of_one if n < 2 else None
        return replace(self, method=of_one or measure.default_interval)


def with_interval(score: Score, measure: Measure, evidence: Any, settings: Settings, run: Run) -> Score:
    """Return the score with standard error, interval and p."""
    by_default = settings.method == "default"
    settings = settings.for_measure(measure, score.n)
    if score.undefined is not None or settings.method == "none":
        return score
    if settings.items_population is not None and settings.method not in _BY_LINEARISATION:
        raise SpecError(
            "option-conflict",
            f"--items-population needs --interval {' or --interval '.join(_BY_LINEARISATION)}, not {settings.method}",
        )
    try:
        if not measure.on_items and settings.method not in FOR_DOCUMENTS:
            raise NotHere("it needs a coefficient on items")
        if score.n < 2 and settings.method not in _FOR_ONE:
            raise NotHere(alone(measure.data))
        case = Case(score, measure, evidence, settings, run)
        found = INTERVALS[settings.method][0](case)
        if by_default and settings.method == "linearised" and settings.items_population is None:
            found = _where_it_holds(case, found)
        found = _tested(found, measure, evidence, settings, by_default)
        return noted(found, _OF_CHANCE[measure.data]) if by_default and settings.method == "monte_carlo" else found
    except NotHere as reason:
        return noted(score, f"no {settings.method} interval: {reason}")


def _tested(score: Score, measure: Measure, evidence: Any, settings: Settings, by_default: bool) -> Score:
    """Record what p tests and how. With the default interval, p tests no agreement with the error under chance."""
    if settings.value is not None:
        by = f"{'no test with' if score.p is None else 'by'} the {settings.method} interval"
        return replace(score, details={**score.details, "test": {"of": settings.value, "by": by}})
    known = measure.chance_test(evidence, score) if by_default else None
    if known is None:
        return score
    by, p = known
    return replace(score, p=p, details={**score.details, "test": {"of": 0.0, "by": by}})


def _where_it_holds(case: Case, found: Score) -> Score:
    """Return the linearised interval, or a replacement where the data are too few for it."""
    if found.se is None:
        return found
    try:
        return instead(case, found.se) or found
    except NotHere:
        return found


def _contributions(case: Case) -> Contributions:
    found = case.measure.contributions(case.evidence)
    assert found is not None
    return found


def _special(case: Case) -> bool:
    """Return whether the measure supports the method."""
    return case.settings.method in case.measure.special_intervals


def _linearised(case: Case) -> Score:
    spread = _contributions(case)
    variance = spread.variance_of_mean() * _unsampled(spread.n, case.settings.items_population)
    found = by_t(case, variance, spread.n - 1)
    return short_of_data(found, FEW_ITEMS.format(n=round(spread.n))) if spread.n < FEW else found


def _irrcac(case: Case) -> Score:
    """Return the interval of the R package irrCAC, which uses the error of α′ for α, and all items."""
    spread = _contributions(case)
    all_items = float(case.evidence.labelled.sum())
    variance = spread.variance_of_mean() * _unsampled(all_items, case.settings.items_population)
    return by_t(case, variance * case.measure.variance_factor(case.evidence), all_items - 1)


def _table(case: Case) -> Score:
    """Return the contingency table form, which divides by n instead of n − 1 and uses the error of α′ for α."""
    spread = _contributions(case)
    if not (case.evidence.sizes[case.evidence.labelled > 0] == 2).all():
        raise NotHere("it needs two labels on every item")
    variance = spread.variance_of_mean() * (spread.n - 1) / spread.n
    variance *= _unsampled(spread.n, case.settings.items_population)
    return by_t(case, variance * case.measure.variance_factor(case.evidence), spread.n - 1)


def _unconditional(case: Case) -> Score:
    """Return the interval for sampled annotators: the error over items plus a jackknife over annotators."""
    rows = case.evidence.rows
    present = np.flatnonzero(rows.labels_per_annotator)
    r = len(present)
    if not rows.identified or r < 3:
        raise NotHere("it needs at least three named annotators")
    for g in present[case.evidence.paired_without[present] <= 0]:
        raise NotHere(f"no item has two labels without {rows.annotators[g]}")
    values = case.measure.without_each_annotator(case.evidence, case.run)
    if np.isnan(values).any():
        raise NotHere("the value is undefined without one of the annotators")
    over_annotators = (r - 1) / r * float(((values - values.mean()) ** 2).sum())
    over_annotators *= _unsampled(r, case.settings.annotators_population)
    spread = _contributions(case)
    over_items_ = spread.variance_of_mean() * _unsampled(spread.n, case.settings.items_population)
    names = [rows.annotators[g] for g in present]
    details = {
        "se_items": math.sqrt(over_items_),
        "se_annotators": math.sqrt(over_annotators),
        "without_annotator": dict(zip(names, values.tolist(), strict=True)),
    }
    return by_t(case, over_items_ + over_annotators, math.inf, details)


def _hayes_krippendorff(case: Case) -> Score:
    """Return the interval of KALPHA, which draws pairs as if they were independent and is too short."""
    if not _special(case):
        raise NotHere("it is defined for alpha")
    evidence, sizes = case.evidence, case.evidence.sizes
    if evidence.q > WIDEST_MATRIX:
        raise NotHere(f"it needs at most {WIDEST_MATRIX} categories")
    coincidences, distance = evidence.coincidences(), evidence.distances()
    pairs = float((evidence.paired * sizes * (sizes - 1) / 2).sum())
    if case.settings.method == "krippendorff_2013":
        cells = int((coincidences > 0).sum())
        observers = evidence.rows.n_annotators if evidence.rows.identified else int(sizes.max())
        pairs = min(25 * cells, (observers - 1) * evidence.pairable_marginals.sum() / 2)
    expected, replicates = case.measure.expected_disagreement(evidence), 10 * case.settings.replicates
    values = over_pairs(coincidences, distance, expected, round(pairs), replicates, case.run)
    low, high = np.quantile(values, [(1 - case.settings.level) / 2, (1 + case.settings.level) / 2])
    failing = {f"{least:g}": float((values < least).mean()) for least in (0.9, 0.8, 0.7, 0.667, 0.6, 0.5)}
    return replace(
        case.score,
        se=float(values.std(ddof=1)),
        interval=case.interval(low, high),
        details={**case.score.details, "bootstrap": {"pairs": round(pairs), "probability_below": failing}},
    )


def _fleiss_cohen_everitt(case: Case) -> Score:
    """Return the large-sample interval of (weighted) κ for two annotators (Fleiss, Cohen & Everitt 1969)."""
    if not _special(case) or case.evidence.rows.n_annotators != 2:
        raise NotHere("it is defined for kappa of two annotators")
    if not (case.evidence.sizes[case.evidence.labelled > 0] == 2).all() or case.evidence.q > WIDEST_MATRIX:
        raise NotHere(f"it needs two labels on every item and at most {WIDEST_MATRIX} categories")
    table = case.evidence.confusion()
    n = table.sum()
    p = table / n
    first, second = p.sum(axis=1), p.sum(axis=0)
    w = 1.0 - case.evidence.distances() / (case.evidence.space.scale or 1.0)
    observed, expected = float((w * p).sum()), float(first @ w @ second)
    towards = (w @ second)[:, None] + (w.T @ first)[None, :]
    spread = (p * (w * (1 - expected) - towards * (1 - observed)) ** 2).sum()
    variance = (spread - (observed * expected - 2 * expected + observed) ** 2) / (n * (1 - expected) ** 4)
    se_null = case.measure.null_error(case.evidence) or 0.0
    z = case.score.value / se_null if se_null > 0 else math.nan
    found = by_t(case, variance, math.inf, {"se_null": se_null, "z": z})
    if case.settings.value is not None:
        return found
    return replace(found, p=2 * normal_below(-abs(z)) if se_null > 0 else None)


def _donner_eliasziw(case: Case) -> Score:
    """Return all values that a χ² test does not reject, for two annotators and two categories."""
    if not _special(case) or case.evidence.rows.n_annotators != 2 or case.evidence.q != 2:
        raise NotHere("it is defined for pi of two annotators and two categories")
    table = case.evidence.confusion()
    if table.sum() < case.evidence.labelled.sum() or case.evidence.distance != Nominal():
        raise NotHere("it needs two labels on every item, and no weights")
    found = CommonCorrelation(float(table[0, 0]), float(table[0, 1] + table[1, 0]), float(table[1, 1]))
    low, high = found.interval(case.settings.level)
    return replace(case.score, interval=case.interval(low, high), p=found.p(case.settings.value or 0.0))


def _monte_carlo(case: Case) -> Score:
    """Return an interval for the Monte Carlo error of chance only, not for documents or annotators."""
    if not _special(case):
        raise NotHere("this measure does not sample chance")
    if case.chance_counted:
        of_data = f"; {alone(case.measure.data)}" if case.score.n < 2 else ""
        raise NotHere(f"chance was computed exactly, without sampling{of_data}")
    error = case.chance_error
    half = normal_quantile((1 + case.settings.level) / 2) * error
    interval = case.interval(case.score.value - half, case.score.value + half)
    return replace(case.score, interval=interval, details={**case.score.details, "monte_carlo_error": error})


def _formula(case: Case) -> Score:
    """Return the interval that a measure on a scale defines by a formula."""
    if not _special(case):
        raise NotHere("this measure has no formula for an interval")
    found = case.measure.own_interval(case.evidence, case.score, case.settings.level)
    if found is None:
        raise NotHere("the formula does not apply to these data; use --interval bootstrap")
    low, high, se, p = found
    p = p if case.settings.value is None else _by_inversion(case, case.settings.value)
    return replace(case.score, se=se, p=p, interval=case.interval(low, high))


def _by_inversion(case: Case, null: float) -> float:
    """Return the p of a value: 1 − the level of the interval that just reaches it."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        level = (low + high) / 2
        found = case.measure.own_interval(case.evidence, case.score, level)
        reaches = found is not None and found[0] <= null <= found[1]
        low, high = (low, level) if reaches else (level, high)
    return 1.0 - (low + high) / 2


def _none(case: Case) -> Score:
    return case.score


INTERVALS: dict[str, tuple[Method, str]] = {
    "linearised": (_linearised, "over items, given these annotators (Gwet's linearisation, t interval)"),
    "added": (added, "linearised with pseudo-items that weigh two items: the default where disagreements are few"),
    "carried": (
        carried,
        "linearised with fewer degrees of freedom: the default for distances where disagreements are few",
    ),
    "dirichlet": (dirichlet, "Bayesian: rows of labels drawn from their posterior; the prior weighs two items"),
    "unconditional": (
        _unconditional,
        "over items and annotators: adds a jackknife over annotators (normal interval)",
    ),
    "bootstrap": (bootstrap, "resamples items, or documents of units, segmentations and texts (percentiles)"),
    "bca": (bca, "bootstrap corrected for bias and skewness (Efron's BCa)"),
    "jackknife": (jackknife, "leaves out each item or document once (t interval)"),
    "blocks": (
        blocks,
        "one long continuum: resamples stretches, assuming that they are similar and nearly independent",
    ),
    "formula": (_formula, "formula of the measure: Feldt for Cronbach's alpha, F for ICC, z for Lin's concordance"),
    "fleiss_cohen_everitt": (
        _fleiss_cohen_everitt,
        "kappa of two annotators, large sample; p from the error under chance",
    ),
    "donner_eliasziw": (_donner_eliasziw, "pi of two annotators and two categories: by inversion of a χ² test"),
    "hayes_krippendorff": (
        _hayes_krippendorff,
        "alpha: draws pairs as if independent, as KALPHA 2007 does; often too short",
    ),
    "krippendorff_2013": (_hayes_krippendorff, "as hayes_krippendorff, with the number of draws of 2013"),
    "table": (_table, "two annotators: divides by n, as irrCAC does for a contingency table"),
    "irrcac": (_irrcac, "as irrCAC prints it for raw ratings (differs for alpha)"),
    "monte_carlo": (_monte_carlo, "gamma, text_gamma: Monte Carlo error of chance only"),
    "none": (_none, "no interval"),
}


def _unsampled(n: float, population: int | None) -> float:
    """Return 1 − f, the share of the population outside the sample."""
    if population is None:
        return 1.0
    if population < n:
        raise SpecError(
            "option-value", f"the population ({population:,}) must not be smaller than the sample ({n:,.0f})"
        )
    return 1.0 - n / population


def over_pairs(
    coincidences: Floats, distance: Floats, expected: float, pairs: int, replicates: int, run: Run
) -> Floats:
    """Return α of pairs drawn independently from the coincidence matrix (Hayes & Krippendorff 2007)."""
    rng = run.rng(2)
    n = coincidences.sum()
    used = coincidences > 0
    probability = coincidences[used] / n
    values = np.empty(replicates)
    block = max(1, 2_000_000 // max(1, int(used.sum())))
    for at in range(0, replicates, block):
        run.progress("bootstrap", at, replicates)
        size = min(block, replicates - at)
        draws = rng.multinomial(pairs, probability, size=size)
        values[at : at + size] = 1.0 - draws @ distance[used] / (pairs * expected)
    values = np.maximum(values, -1.0)
    # α of a draw without variation is 0/0, not 1, so the expected number of such draws is set to 0.
    perfect = np.flatnonzero(values == 1.0)
    no_variation = round(replicates * float(((np.diag(coincidences) / n) ** pairs).sum()))
    values[perfect[:no_variation]] = 0.0
    run.progress("bootstrap", replicates, replicates)
    return values


@dataclass(frozen=True)
class CommonCorrelation:
    """Donner & Eliasziw's (1992) common correlation model for two annotators and two categories.

    Of n items, n1 are positive for both annotators, n2 for one, n3 for none. With prevalence π, their probabilities are
    π² + κπ(1−π), 2π(1−π)(1−κ) and (1−π)² + κπ(1−π), where κ is Scott's π. The interval contains all κ that a χ² test
    does not reject.
    """

    both: float
    one: float
    none: float

    @property
    def n(self) -> float:
        return self.both + self.one + self.none

    @property
    def prevalence(self) -> float:
        return (2 * self.both + self.one) / (2 * self.n)

    @property
    def value(self) -> float:
        p = self.prevalence
        return 1 - self.one / (2 * self.n * p * (1 - p)) if 0 < p < 1 else math.nan

    def chi2(self, kappa: float) -> float:
        """Return the χ² statistic of a κ at the observed prevalence, with 1 degree of freedom."""
        p = self.prevalence
        mixed = p * (1 - p)
        expected = (p * p + kappa * mixed, 2 * mixed * (1 - kappa), (1 - p) ** 2 + kappa * mixed)
        total = 0.0
        for count, share in zip((self.both, self.one, self.none), expected, strict=True):
            if share <= 0:
                if count > 0 or share < 0:
                    return math.inf
                continue
            total += (count - self.n * share) ** 2 / (self.n * share)
        return total

    def p(self, kappa: float) -> float:
        """Return the p of the test that κ has this value."""
        statistic = self.chi2(kappa)
        return 0.0 if math.isinf(statistic) else chi2_above(1, statistic)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval by inversion of the test."""
        p = self.prevalence
        lowest = max(-p / (1 - p), -(1 - p) / p)  # a smaller κ would make a probability negative
        limit = normal_quantile((1 + level) / 2) ** 2
        return self._end(lowest, limit), self._end(1.0, limit)

    def _end(self, outside: float, limit: float) -> float:
        if self.chi2(outside) <= limit:
            return outside
        inside, far = self.value, outside
        for _ in range(_STEPS):
            middle = (inside + far) / 2
            inside, far = (middle, far) if self.chi2(middle) <= limit else (inside, middle)
        return (inside + far) / 2
