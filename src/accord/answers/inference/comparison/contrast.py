"""Linear combinations of values on the same, on different, or on partly the same items: their spread, and a test.

Where a measure has contributions per item (Gwet 2016), the items in common make the covariance. Else documents are
drawn again, each with the same count in every value that has it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord.answers.inference.scoring import Scored
from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.probability import normal_below, normal_quantile, t_below, t_quantile
from accord.measures.intervals.added import ADDED, can_be_added
from accord.measures.sampling import Sampled, carriers

_NOISE = 1e-14
_CELLS = 4_000_000  # of a table of draws that is worked on at once
_KEPT = 16_000_000  # of all of them, where they serve again


@dataclass(frozen=True, eq=False)
class Term:
    """A value with its factor, the items or documents it rests on, and the pull of each on it where that is known."""

    factor: float
    value: float
    sample: Sampled
    used: Floats  # how often each item is in the value: α does not see items with one label
    pull: Floats | None  # deviation of each from the value, over √(n(n−1)): Σ used·pull² is the variance
    study: int = 0  # the data it comes from: names of one study only are drawn apart from those of both


@dataclass(frozen=True)
class Spread:
    """A combination of values, its error, and what it means."""

    value: float
    se: float
    low: float
    high: float
    p: float | None
    df: float | None = None
    replicates: Floats | None = None
    carriers: float = math.inf  # how many items carry the error, where that is known


def term(factor: float, found: Scored, run: Run, study: int = 0, side: str = "") -> Term:
    """One value of a combination. `side` tells apart names that are not the same thing in another study."""
    measure, evidence = found.measure, found.evidence
    sample = measure.sampled(evidence, run)
    if sample is None:
        raise DataError(f"{measure.name} does not keep documents apart: its values cannot be compared by resampling")
    if side:
        sample = replace(sample, names=OfOneSide(sample.names, side))
    given = measure.contributions(evidence, named=True)
    used, pull = (sample.times, None) if given is None else given.pulls()
    return Term(factor, found.score.value, sample, used, pull, study)


def enlarged(one: Term, found: Scored) -> Term | None:
    """The same after two items of no opinion (see `intervals/added.py`); None where they cannot be added."""
    if not can_be_added(found.measure, found.evidence):
        return None
    more = found.evidence.by_item.with_pairs(ADDED, who_matters=True)  # the same rows for every measure
    given = found.measure.contributions(more)
    assert given is not None  # noqa: S101 - coefficients on items have them
    used, pull = given.pulls()
    names = [*one.sample.names, *(f"added to {one.study}: {k}" for k in range(len(used) - len(one.sample.names)))]
    sample = replace(one.sample, names=names)
    return replace(one, value=found.measure.value_of(more), sample=sample, used=used, pull=pull)


@dataclass(frozen=True, eq=False)
class OfOneSide(Sequence[str]):
    """Names that belong to one side only."""

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
    same: bool = False  # all terms have all names, in one order

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


def linear(terms: Sequence[Term], level: float) -> Spread:
    """By the contributions of items: normal theory with as many degrees of freedom as the independent parts allow."""
    union = Union.of(terms)
    pull, membership = np.zeros(union.size), np.zeros(union.size, dtype=np.int64)
    times = np.zeros(union.size)
    for t, code in zip(terms, union.codes, strict=True):
        assert t.pull is not None  # noqa: S101
        there = t.used > 0
        pull[code[there]] += t.factor * t.pull[there]
        membership[code[there]] |= 1 << t.study
        times[code[there]] = np.maximum(times[code[there]], t.used[there])
    value = sum(t.factor * t.value for t in terms)
    square = times * pull**2
    variance = float(square.sum())
    se = math.sqrt(variance) if variance > _NOISE**2 else 0.0
    spread = by_t(value, se, _degrees(square, times, membership, variance), level)
    return replace(spread, carriers=carriers(pull**2, times))


def of_few(plain: Spread, wide: Spread | None, level: float) -> Spread:
    """A difference whose error few items carry; `wide` is the same after added items, where they can be added.

    The interval has as many degrees of freedom as items carry the error, and one. p is of no difference, where t with
    all degrees of freedom holds its level once items are added; without them, it has the fewer degrees, too.
    """
    if wide is None:
        return replace(by_t(plain.value, plain.se, plain.carriers + 1.0, level), carriers=plain.carriers)
    ends = by_t(wide.value, wide.se, wide.carriers + 1.0, level)
    low, high = min(ends.low, plain.value), max(ends.high, plain.value)
    none = by_t(wide.value, wide.se, plain.df if plain.df is not None else math.inf, level)
    return replace(plain, low=low, high=high, p=none.p, carriers=wide.carriers)


def _degrees(square: Floats, times: Floats, membership: np.ndarray, variance: float) -> float:
    """Satterthwaite over the sets of items that are in the same values: n − 1 where all are, Welch where none is.

    A set of one item cannot show a spread of its own and counts as one degree of freedom; all together never have more
    than n − 1.
    """
    kinds, at = np.unique(membership[times > 0], return_inverse=True)
    parts = np.bincount(at, weights=square[times > 0], minlength=len(kinds))
    sizes = np.bincount(at, weights=times[times > 0], minlength=len(kinds))
    below = float((parts**2 / np.maximum(sizes - 1, 1.0)).sum())
    most = max(float(times.sum()) - 1, 1.0)
    return min(variance**2 / below, most) if below > 0 else most


def over_annotators(without: Sequence[tuple[float, Mapping[str, float]]]) -> float:
    """What the choice of annotators adds to the variance of a combination: factors, and values without each annotator.

    A jackknife of the combination where all of it rests on the same annotators, a sum of jackknives where none is
    shared, and in between the shared ones make the covariance.
    """
    moved: dict[str, float] = {}
    for factor, values in without:
        r, mean = len(values), math.fsum(values.values()) / len(values)
        for name, value in values.items():
            moved[name] = moved.get(name, 0.0) + factor * math.sqrt((r - 1) / r) * (value - mean)
    return math.fsum(step**2 for step in moved.values())


def by_t(value: float, se: float, df: float, level: float) -> Spread:
    half = t_quantile(df, (1 + level) / 2) * se
    p = 2 * t_below(df, -abs(value) / se) if se > 0 else (1.0 if abs(value) < _NOISE else None)
    return Spread(value, se, value - half, value + half, p, df)


class Draws:
    """How often each name is drawn, replicate by replicate, in pieces. The last ones are kept where they are few."""

    def __init__(self, replicates: int, run: Run) -> None:
        self.replicates, self._run = replicates, run
        self._kept: tuple[bytes, bytes, list[Floats]] | None = None

    def of(self, membership: Ints, weight: Floats) -> Iterator[Floats]:
        """Names of the same membership are drawn among themselves."""
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


def drawn(terms: Sequence[Term], level: float, draws: Draws, run: Run, carried: bool = True) -> Spread:
    """By drawing items or documents again, the same draw for all terms that share them.

    Names that are in the same terms are drawn among themselves, so each value keeps its number of documents. Which of
    them carry the spread is found where it is asked for.
    """
    union = Union.of(terms)
    membership, weight = np.zeros(union.size, dtype=np.int64), np.zeros(union.size)
    for t, code in zip(terms, union.codes, strict=True):
        membership[code] |= 1 << t.study
        weight[code] = np.maximum(weight[code], t.sample.times)
    off = [run.rng(7, k) for k in range(len(terms))]
    found = []
    for piece in draws.of(membership, weight):
        values = np.zeros(len(piece))
        for t, code, error in zip(terms, union.codes, off, strict=True):
            one = t.sample.values(piece if union.same else piece[:, code])
            if t.sample.chance_error:
                moved = error.normal(0.0, t.sample.chance_error, len(piece))
                one = 1.0 - (1.0 - one) / np.maximum(1.0 + moved, 0.01)
            values += t.factor * one
        found.append(values)
    total, observed = np.concatenate(found), sum(t.factor * t.value for t in terms)
    defined = total[~np.isnan(total)]
    if len(defined) < 2:
        raise DataError("the difference is undefined on nearly all resamples: there are too few documents")
    wider = _expansion(min(float(t.sample.times.sum()) for t in terms), level)
    end = normal_below(wider * normal_quantile((1 - level) / 2))
    low, high = np.quantile(defined, [end, 1 - end])
    # As far from the observed as the observed is from 0: the replicates moved to where there is no difference.
    far = int((wider * np.abs(defined - observed) >= abs(observed) - _NOISE).sum())
    p = (1 + far) / (len(defined) + 1)
    many = documents_that_carry(terms) if carried else math.inf
    return Spread(observed, float(defined.std(ddof=1)), float(low), float(high), p, None, total, many)


def _expansion(n: float, level: float) -> float:
    """Draws from n documents vary less than documents do, and n say little about how much: √(n/(n−1))·t/z.

    The expanded percentiles of Hesterberg (2015).
    """
    tail = (1 + level) / 2
    return math.sqrt(n / (n - 1)) * t_quantile(n - 1, tail) / normal_quantile(tail) if n > 1 else 1.0


def documents_that_carry(terms: Sequence[Term]) -> float:
    """How many documents carry the spread of a combination, by how far it moves without each of them."""
    if any(t.sample.noun != "document" for t in terms):
        return math.inf
    union = Union.of(terms)
    moved = np.zeros(union.size)
    for t, code in zip(terms, union.codes, strict=True):
        moved[code] += t.factor * np.nan_to_num(t.sample.without_each() - t.sample.value)
    return carriers(moved**2, np.ones(union.size)) if moved.any() else math.inf
