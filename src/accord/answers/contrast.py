"""Linear combinations of values on the same, different or partly the same items: standard error and test.

If a measure has contributions per item (Gwet 2016), common items determine the covariance. Otherwise a bootstrap draws
documents, with the same counts in all values that contain them. The permutation test pools two studies and exchanges
documents between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord.answers.scoring import Scored
from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.probability import normal_below, normal_quantile, t_below, t_quantile
from accord.data.model.data import SIDES, Data
from accord.measures.intervals.added import ADDED, can_be_added
from accord.measures.measure import Measure
from accord.measures.resampling import Sampled, carriers

_NOISE = 1e-14
_CELLS = 4_000_000  # size of a table of draws processed at once
_KEPT = 16_000_000  # total size up to which draws are kept for reuse


@dataclass(frozen=True, eq=False)
class Term:
    """A value with its factor, its items or documents, and the influence of each if known."""

    factor: float
    value: float
    sample: Sampled
    used: Floats  # times each item is used by the value: α ignores items with one label
    pull: Floats | None  # deviation of each item from the value, divided by √(n(n−1)): Σ used·pull² is the variance
    study: int = 0  # the data it is from: names of one study are drawn separately from names of both


@dataclass(frozen=True)
class Spread:
    """A linear combination of values with standard error, interval and p."""

    value: float
    se: float
    low: float
    high: float
    p: float | None
    df: float | None = None
    replicates: Floats | None = None
    carriers: float = math.inf  # effective number of items behind the standard error, if known


def make_term(factor: float, study_score: Scored, run: Run, study: int = 0, side: str = "") -> Term:
    """Make a term from a score. `side` separates names of one study from equal names of another."""
    measure, evidence = study_score.measure, study_score.evidence
    sample = measure.sampled(evidence, run)
    if sample is None:
        raise DataError(
            "measure-for-other-data",
            f"{measure.name} pools all documents, so its values cannot be compared by resampling; try another "
            "--measure",
        )
    if side:
        sample = replace(sample, names=OfOneSide(sample.names, side))
    given = measure.contributions(evidence, named=True)
    used, pull = (sample.times, None) if given is None else given.pulls()
    return Term(factor, study_score.score.value, sample, used, pull, study)


def with_added_items(term: Term, study_score: Scored) -> Term | None:
    """Return the term after adding two neutral items (see `intervals/added.py`); None if this is impossible."""
    if not can_be_added(study_score.measure, study_score.evidence):
        return None
    more = study_score.evidence.by_item.with_pairs(ADDED, who_matters=True)  # the same rows for all measures
    given = study_score.measure.contributions(more)
    assert given is not None
    used, pull = given.pulls()
    names = [*term.sample.names, *(f"added to {term.study}: {k}" for k in range(len(used) - len(term.sample.names)))]
    sample = replace(term.sample, names=names)
    return replace(term, value=study_score.measure.value_of(more), sample=sample, used=used, pull=pull)


@dataclass(frozen=True, eq=False)
class OfOneSide(Sequence[str]):
    """Names that belong to one study only."""

    names: Sequence[str]
    side: str

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        return f"{self.side}: {self.names[index]}"


@dataclass(frozen=True, eq=False)
class Union:
    """All names of all terms, numbered; `codes` are the numbers of each term's names."""

    size: int
    codes: tuple[np.ndarray, ...]
    same: bool = False  # all terms have the same names in the same order

    @classmethod
    def of(cls, terms: Sequence[Term]) -> Union:
        first = terms[0].sample.names
        if all(t.sample.names is first for t in terms):
            same = np.arange(len(first))
            return cls(len(first), tuple(same for _ in terms), same=True)
        number: dict[str, int] = {}
        codes = tuple(
            np.array([number.setdefault(name, len(number)) for name in t.sample.names], dtype=np.intp) for t in terms
        )
        return cls(len(number), codes)


def linearise(terms: Sequence[Term], level: float) -> Spread:
    """Linearise over items: normal theory with Satterthwaite's degrees of freedom."""
    union = Union.of(terms)
    pull, membership = np.zeros(union.size), np.zeros(union.size, dtype=np.int64)
    times = np.zeros(union.size)
    for t, code in zip(terms, union.codes, strict=True):
        assert t.pull is not None
        there = t.used > 0
        pull[code[there]] += t.factor * t.pull[there]
        membership[code[there]] |= 1 << t.study
        times[code[there]] = np.maximum(times[code[there]], t.used[there])
    value = sum(t.factor * t.value for t in terms)
    square = times * pull**2
    variance = float(square.sum())
    se = math.sqrt(variance) if variance > _NOISE**2 else 0.0
    spread = t_spread(value, se, _degrees(square, times, membership, variance), level)
    return replace(spread, carriers=carriers(pull**2, times))


def widen_for_few(plain: Spread, wide: Spread | None, level: float) -> Spread:
    """Widen the interval of a difference that depends on few items; `wide` is the spread after adding items.

    The interval has one degree of freedom more than the effective number of items. With added items, p uses all degrees
    of freedom, where the t test keeps its level; without them, p uses the reduced degrees of freedom as well.
    """
    if wide is None:
        return replace(t_spread(plain.value, plain.se, plain.carriers + 1.0, level), carriers=plain.carriers)
    ends = t_spread(wide.value, wide.se, wide.carriers + 1.0, level)
    low, high = min(ends.low, plain.value), max(ends.high, plain.value)
    none = t_spread(wide.value, wide.se, plain.df if plain.df is not None else math.inf, level)
    return replace(plain, low=low, high=high, p=none.p, carriers=wide.carriers)


def _degrees(square: Floats, times: Floats, membership: np.ndarray, variance: float) -> float:
    """Satterthwaite's degrees of freedom over sets of items: n − 1 for identical items, Welch's for disjoint ones.

    A set groups the items that are in the same values. A set of one item counts as one degree of freedom. The total is
    at most n − 1.
    """
    kinds, at = np.unique(membership[times > 0], return_inverse=True)
    parts = np.bincount(at, weights=square[times > 0], minlength=len(kinds))
    sizes = np.bincount(at, weights=times[times > 0], minlength=len(kinds))
    below = float((parts**2 / np.maximum(sizes - 1, 1.0)).sum())
    most = max(float(times.sum()) - 1, 1.0)
    return min(variance**2 / below, most) if below > 0 else most


def annotator_variance(without: Sequence[tuple[float, Mapping[str, float]]]) -> float:
    """Return the variance due to the choice of annotators, from the values without each annotator.

    This is a jackknife of the combination if all terms have the same annotators, and a sum of jackknives if they share
    none. In between, the shared annotators determine the covariance.
    """
    moved: dict[str, float] = {}
    for factor, values in without:
        r, mean = len(values), math.fsum(values.values()) / len(values)
        for name, value in values.items():
            moved[name] = moved.get(name, 0.0) + factor * math.sqrt((r - 1) / r) * (value - mean)
    return math.fsum(step**2 for step in moved.values())


def t_spread(value: float, se: float, df: float, level: float) -> Spread:
    half = t_quantile(df, (1 + level) / 2) * se
    p = 2 * t_below(df, -abs(value) / se) if se > 0 else (1.0 if abs(value) < _NOISE else None)
    return Spread(value, se, value - half, value + half, p, df)


class Draws:
    """Counts of each name in each replicate, in batches. Small draws are kept."""

    def __init__(self, replicates: int, run: Run) -> None:
        self.replicates, self._run = replicates, run
        self._kept: tuple[bytes, bytes, list[Floats]] | None = None

    def of(self, membership: Ints, weight: Floats) -> Iterator[Floats]:
        """Draw names of the same membership among themselves."""
        which = membership.tobytes(), weight.tobytes()
        if self._kept is not None and self._kept[:2] == which:
            yield from self._kept[2]
            return
        kept: list[Floats] | None = [] if self.replicates * len(weight) <= _KEPT else None
        rng, step = self._run.rng(6), max(1, _CELLS // max(len(weight), 1))
        kinds = [np.flatnonzero((membership == kind) & (weight > 0)) for kind in np.unique(membership)]
        for start in range(0, self.replicates, step):
            self._run.progress("bootstrap", start, self.replicates)
            draws = np.zeros((min(step, self.replicates - start), len(weight)))
            for at in kinds:
                n = round(float(weight[at].sum()))
                draws[:, at] = rng.multinomial(n, weight[at] / n, size=len(draws)) if n else 0.0
            if kept is not None:
                kept.append(draws)
            yield draws
        self._run.progress("bootstrap", self.replicates, self.replicates)
        if kept is not None:
            self._kept = (*which, kept)


def bootstrap(terms: Sequence[Term], level: float, draws: Draws, run: Run, carried: bool = True) -> Spread:
    """Resample items or documents, with the same draw for all terms that share them.

    Names in the same terms are drawn among themselves, so each value keeps its number of documents. The effective
    number of documents is computed on request.
    """
    union = Union.of(terms)
    membership, weight = np.zeros(union.size, dtype=np.int64), np.zeros(union.size)
    for t, code in zip(terms, union.codes, strict=True):
        membership[code] |= 1 << t.study
        weight[code] = np.maximum(weight[code], t.sample.times)
    off = [run.rng(7, k) for k in range(len(terms))]
    replicates = []
    for piece in draws.of(membership, weight):
        values = np.zeros(len(piece))
        for t, code, error in zip(terms, union.codes, off, strict=True):
            drawn = t.sample.values(piece if union.same else piece[:, code])
            if t.sample.chance_error:
                moved = error.normal(0.0, t.sample.chance_error, len(piece))
                drawn = 1.0 - (1.0 - drawn) / np.maximum(1.0 + moved, 0.01)
            values += t.factor * drawn
        replicates.append(values)
    total, observed = np.concatenate(replicates), sum(t.factor * t.value for t in terms)
    defined = total[~np.isnan(total)]
    if len(defined) < 2:
        raise DataError(
            "too-few",
            "the difference is undefined on nearly all resamples because there are too few documents; add documents, "
            "or try another --measure",
        )
    wider = _expansion(min(float(t.sample.times.sum()) for t in terms), level)
    end = normal_below(wider * normal_quantile((1 - level) / 2))
    low, high = np.quantile(defined, [end, 1 - end])
    # Shift the replicates to a difference of 0 and count those at least as extreme as the observed difference.
    far = int((wider * np.abs(defined - observed) >= abs(observed) - _NOISE).sum())
    p = (1 + far) / (len(defined) + 1)
    many = documents_that_carry(terms) if carried else math.inf
    return Spread(observed, float(defined.std(ddof=1)), float(low), float(high), p, None, total, many)


def _expansion(n: float, level: float) -> float:
    """Correct the spread of n resampled documents, which is too small: √(n/(n−1))·t/z.

    These are the expanded percentiles of Hesterberg (2015).
    """
    tail = (1 + level) / 2
    return math.sqrt(n / (n - 1)) * t_quantile(n - 1, tail) / normal_quantile(tail) if n > 1 else 1.0


def documents_that_carry(terms: Sequence[Term]) -> float:
    """Effective number of documents behind the spread, by leaving out each document."""
    if any(t.sample.noun != "document" for t in terms):
        return math.inf
    union = Union.of(terms)
    moved = np.zeros(union.size)
    for t, code in zip(terms, union.codes, strict=True):
        moved[code] += t.factor * np.nan_to_num(t.sample.without_each() - t.sample.value)
    return carriers(moved**2, np.ones(union.size)) if moved.any() else math.inf


# -- Permutation: pool two studies and exchange their documents or items --
# Under the null hypothesis, either annotation of a document may belong to either study. Annotators are matched by name,
# or by position if names differ, so that an exchanged document keeps its number of annotators.


A, B = SIDES
_SAME_DIFFERENCE = 1e-12
_TIE = 1e-9  # exchanges that equal the data except for rounding
_MOST_LEFT_OUT = 100  # documents to leave out one by one; more are left out in groups
_LOOKS, _FEWEST = 20_000, 499  # for values computed draw by draw: budget, and minimum number of exchanges


def join_studies(a: Data, b: Data) -> Data:
    """Join both studies into one set of data."""
    a, b = a.with_categories_of(b)
    return a.joined(b, *_seats(a, b))


def _seats(a: Data, b: Data) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Return the annotators of both studies and the positions of each study's annotators among them."""
    mine, others = a.present, b.present
    if len(mine) == len(others):
        shared = [name for name in mine if name in others]
        left, right = ([name for name in side if name not in shared] for side in (mine, others))
        names: tuple[str, ...] = (*shared, *(f"{x}, {y}" for x, y in zip(left, right, strict=True)))
        first, second = ({name: k for k, name in enumerate((*shared, *side))} for side in (left, right))
    else:
        names = tuple(dict.fromkeys((*mine, *others)))
        first = second = {name: k for k, name in enumerate(names)}
    return (
        names,
        np.array([first.get(name, 0) for name in a.annotators], dtype=np.int64),
        np.array([second.get(name, 0) for name in b.annotators], dtype=np.int64),
    )


@dataclass(frozen=True)
class Exchanged:
    """p of a permutation test, and the number of exchanges."""

    p: float
    exchanges: int
    studentised: bool


def permute(a: Data, b: Data, measure: Measure, paired: bool, replicates: int, run: Run) -> Exchanged | None:
    """Test the difference by exchanging sides of common documents at random and redistributing the others.

    p is the share of exchanges at least as extreme as the data, including the data themselves, so it is never 0. The
    result is None if the measure is undefined for both studies together: icc needs items of all annotators, and unequal
    teams have none.

    For documents, the difference is divided by its own standard error. Otherwise one large document could determine the
    difference on either side. Items count equally and need no division.
    """
    try:
        evidence = measure.observe(join_studies(a, b), run)
    except DataError:
        return None
    sample = measure.sampled(evidence, run)
    if sample is None:
        raise DataError(
            "measure-for-other-data",
            f"{measure.name} pools all documents, so they cannot be exchanged; use --method bootstrap",
        )
    names = list(sample.names)
    in_b = np.array([name.startswith(B) for name in names])
    pairs, alone = _pairs(names) if paired else (np.zeros((0, 2), dtype=np.intp), np.arange(len(names)))
    rng = run.rng(8)
    units = _left_out(len(names), pairs, alone, run) if sample.noun == "document" else None
    if units is not None and sample.by_draw:
        replicates = min(replicates, max(_FEWEST, _LOOKS // (len(units) + len(pairs))))
    observed = _statistics(sample, in_b[None, :], units)[0]
    if np.isnan(observed):
        return None
    beyond = defined = 0
    step = max(1, 1_000_000 // max(1, len(names) * (1 if units is None else len(units))))
    for start in range(0, replicates, step):
        run.progress("permutation", start, replicates)
        sides = np.repeat(in_b[None, :], min(step, replicates - start), axis=0)
        exchanged = rng.random((len(sides), len(pairs))) < 0.5
        sides[:, pairs[:, 0]], sides[:, pairs[:, 1]] = exchanged, ~exchanged
        sides[:, alone] = rng.permuted(sides[:, alone], axis=1)
        statistics = _statistics(sample, sides, units)
        defined += int((~np.isnan(statistics)).sum())
        beyond += int((statistics >= observed * (1 - _TIE) - _SAME_DIFFERENCE).sum())
    run.progress("permutation", replicates, replicates)
    return Exchanged((1 + beyond) / (1 + defined), replicates, units is not None)


def _pairs(names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the two sides of each common document, and those of the others."""
    at = {name: k for k, name in enumerate(names)}
    both = [(at[name], at[B + name[3:]]) for name in names if name.startswith(A) and B + name[3:] in at]
    pairs = np.array(both, dtype=np.intp).reshape(-1, 2)
    return pairs, np.setdiff1d(np.arange(len(names)), pairs.ravel())


def _left_out(n: int, pairs: np.ndarray, alone: np.ndarray, run: Run) -> np.ndarray:
    """Return rows left out together: a document on both sides, or a group if there are very many documents."""
    unit = np.zeros(n, dtype=np.int64)
    unit[pairs[:, 0]] = unit[pairs[:, 1]] = np.arange(len(pairs))
    unit[alone] = len(pairs) + np.arange(len(alone))
    many = len(pairs) + len(alone)
    if many > _MOST_LEFT_OUT:
        unit = run.rng(9).permutation(np.arange(many) % _MOST_LEFT_OUT)[unit]
        many = _MOST_LEFT_OUT
    rows: np.ndarray = unit[None, :] == np.arange(many)[:, None]
    return rows


def _statistics(sample: Sampled, in_b: np.ndarray, units: np.ndarray | None) -> Floats:
    """|b − a| for each row of sides; with `units`, divided by the root of the squared leave-one-out changes.

    This standard error lacks a factor that is the same for all rows and does not affect p.
    """
    sides = [np.where(in_b, sample.times, 0.0), np.where(in_b, 0.0, sample.times)]
    value_b, value_a = (sample.values(times) for times in sides)
    difference: Floats = np.abs(value_b - value_a)
    if units is None:
        return difference
    moved_b, moved_a = (_moved(sample, t, v, units) for t, v in zip(sides, (value_b, value_a), strict=True))
    spread = np.sqrt(np.nansum((moved_b - moved_a) ** 2, axis=1))
    nothing = np.where(difference > _SAME_DIFFERENCE, np.inf, difference)
    return np.divide(difference, spread, out=nothing, where=spread > _SAME_DIFFERENCE)


def _moved(sample: Sampled, times: Floats, value: Floats, units: np.ndarray) -> Floats:
    """Return the change of each row's value without each unit; NaN if undefined."""
    moved = np.zeros((len(times), len(units)))
    row, unit = np.nonzero(times @ units.T > 0)
    moved[row, unit] = sample.values(np.where(units[unit], 0.0, times[row])) - value[row]
    return moved
