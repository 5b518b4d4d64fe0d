"""Comparison of intervals for rare categories, on Scott's π.

π of a corpus depends only on the counts of item patterns: the distributions of m labels over q categories. The study
draws thousands of corpora at once as counts of patterns and computes every interval for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from accord.core.arrays import Floats
from accord.measures.intervals.added import ADDED, ENOUGH
from accord.measures.intervals.methods import CommonCorrelation

LEVEL = 0.95
VALUES = (0.3, 0.6, 0.85)
DRAWS = 400  # draws of bootstrap and posterior
_HALF = (1 + LEVEL) / 2
_NOISE = 1e-18

Ends = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Kinds:
    """Patterns of items: a row for each distribution of the labels of an item over categories."""

    rows: Floats

    @classmethod
    def of(cls, categories: int, annotators: int) -> Kinds:
        every = product(range(annotators + 1), repeat=categories)
        return cls(np.array([row for row in every if sum(row) == annotators], dtype=np.float64))

    @property
    def labels(self) -> float:
        """The number of labels of an item."""
        return float(self.rows[0].sum())

    @property
    def apart(self) -> Floats:
        """The share of different pairs of labels, for each pattern."""
        m = self.labels
        return 1.0 - (self.rows * (self.rows - 1)).sum(axis=1) / (m * (m - 1))

    def probabilities(self, shares: Sequence[float], same: float) -> Floats:
        """Return the probability of each pattern if a share of the items has equal labels; π is that share."""
        p, m = np.array(shares), int(self.labels)
        ways = np.array([math.factorial(m) // math.prod(math.factorial(int(k)) for k in row) for row in self.rows])
        drawn = (1.0 - same) * ways * np.prod(p**self.rows, axis=1)
        alike: Floats = drawn + same * ((self.rows == m) @ p)
        return alike

    def of_no_opinion(self, counts: Floats) -> Floats:
        """Return the pseudo-items of each corpus: a pattern for each ordered pair of observed categories."""
        used = counts @ self.rows > 0
        m, number = int(self.labels), {tuple(row): k for k, row in enumerate(self.rows.astype(int).tolist())}
        more = np.zeros_like(counts)
        for pattern in np.unique(used, axis=0):
            there = np.flatnonzero(pattern)
            row = np.zeros(counts.shape[1])
            for first, second in product(there, there):
                item = np.zeros(len(pattern), dtype=int)
                item[first] += (m + 1) // 2
                item[second] += m // 2
                row[number[tuple(item.tolist())]] += ADDED / len(there) ** 2
            more[(used == pattern).all(axis=1)] = row
        return more


@dataclass(frozen=True, eq=False)
class Estimates:
    """π of many corpora, each a row of counts, and the components of its error."""

    kinds: Kinds
    counts: Floats

    @cached_property
    def n(self) -> Floats:
        return np.asarray(self.counts.sum(axis=-1))

    @cached_property
    def shares(self) -> Floats:
        return np.asarray(self.counts @ self.kinds.rows / (self.n * self.kinds.labels)[..., None])

    @cached_property
    def expected(self) -> Floats:
        return np.asarray(1.0 - (self.shares**2).sum(axis=-1))

    @cached_property
    def observed(self) -> Floats:
        return np.asarray(self.counts @ self.kinds.apart / self.n)

    @cached_property
    def value(self) -> Floats:
        with np.errstate(all="ignore"):
            return np.asarray(1.0 - self.observed / self.expected)

    @cached_property
    def off(self) -> Floats:
        """Linearised deviation of each pattern from the mean, as in Gwet 2008."""
        towards = 1.0 - self.shares @ (self.kinds.rows / self.kinds.labels).T
        with np.errstate(all="ignore"):
            apart = self.kinds.apart / self.expected[..., None]
            quotient = (self.observed / self.expected)[..., None]
            values = 1.0 - apart - 2 * quotient * (1.0 - towards / self.expected[..., None])
        return np.asarray(values - ((self.counts * values).sum(axis=-1) / self.n)[..., None])

    @cached_property
    def error(self) -> Floats:
        return np.asarray(np.sqrt((self.counts * self.off**2).sum(axis=-1) / (self.n * (self.n - 1))))

    @cached_property
    def carriers(self) -> Floats:
        total, below = ((self.counts * self.off**k).sum(axis=-1) for k in (2, 4))
        return np.asarray(np.divide(total**2, below, out=np.zeros_like(total), where=below > _NOISE))


@dataclass(frozen=True, eq=False)
class Corpora:
    """Corpora for intervals, without and with pseudo-items that weigh two items."""

    plain: Estimates
    more: Estimates
    rng: np.random.Generator


def _by_t(found: Estimates, df: Floats) -> Ends:
    half = stdtrit(df, _HALF) * found.error
    return found.value - half, found.value + half


def _widened(corpora: Corpora, ends: Ends) -> Ends:
    """Widen the interval to contain the value of the data."""
    value = corpora.plain.value
    return np.minimum(ends[0], value), np.maximum(ends[1], value)


def linearised(corpora: Corpora) -> Ends:
    return _by_t(corpora.plain, corpora.plain.n - 1)


def fisher_z(corpora: Corpora) -> Ends:
    """Return the interval on the arctanh scale, with pseudo-items."""
    found = corpora.more
    z, half = np.arctanh(found.value), stdtrit(corpora.plain.n - 1, _HALF) * found.error / (1.0 - found.value**2)
    return _widened(corpora, (np.tanh(z - half), np.tanh(z + half)))


def fieller(corpora: Corpora) -> Ends:
    """Return Fieller's interval of D_o/D_e, with pseudo-items."""
    found = corpora.more
    apart = found.kinds.apart - found.observed[:, None]
    towards = 2 * (1.0 - found.shares @ (found.kinds.rows / found.kinds.labels).T - found.expected[:, None])
    below = found.n * (found.n - 1)
    t2 = stdtrit(corpora.plain.n - 1, _HALF) ** 2
    above, both, under = ((found.counts * x).sum(axis=1) / below for x in (apart**2, apart * towards, towards**2))
    a, b = found.expected**2 - t2 * under, found.observed * found.expected - t2 * both
    root = np.sqrt(np.maximum(b**2 - a * (found.observed**2 - t2 * above), 0.0))
    bounded = a > 0
    low = np.where(bounded, 1.0 - np.divide(b + root, a, out=np.zeros_like(a), where=bounded), -1.0)
    high = np.where(bounded, 1.0 - np.divide(b - root, a, out=np.zeros_like(a), where=bounded), 1.0)
    return _widened(corpora, (low, high))


def _drawn(corpora: Corpora) -> Floats:
    """Return sorted π of bootstrap draws of each corpus. NaN (only one category) is last."""
    plain = corpora.plain
    shares = plain.counts / plain.n[:, None]
    counts = corpora.rng.multinomial(int(plain.n[0]), shares[:, None, :], size=(len(shares), DRAWS)).astype(np.float64)
    return np.sort(Estimates(plain.kinds, counts).value, axis=1)


def _quantiles(values: Floats, below: Floats) -> Floats:
    """Return a quantile of each row of sorted values."""
    known = (~np.isnan(values)).sum(axis=1)
    at = np.clip(np.round(below * known).astype(int), 0, np.maximum(known - 1, 0))
    return np.asarray(values[np.arange(len(values)), at])


def percentiles(corpora: Corpora) -> Ends:
    values, ones = _drawn(corpora), np.ones(len(corpora.plain.n))
    return _quantiles(values, (1 - _HALF) * ones), _quantiles(values, _HALF * ones)


def bca(corpora: Corpora) -> Ends:
    """Return the BCa interval (Efron 1987)."""
    plain, values = corpora.plain, _drawn(corpora)
    known = (~np.isnan(values)).sum(axis=1)
    lower = (values < plain.value[:, None] - 1e-12).sum(axis=1) + (values <= plain.value[:, None] + 1e-12).sum(axis=1)
    z0 = ndtri(np.clip(lower / 2 / known, 1 / (known + 1), known / (known + 1)))
    one = np.eye(plain.counts.shape[1])
    left = Estimates(plain.kinds, np.maximum(plain.counts[:, None, :] - one, 0.0)).value
    left = np.where((plain.counts > 0) & ~np.isnan(left), left, plain.value[:, None])
    off = ((plain.counts * left).sum(axis=1) / plain.n)[:, None] - left
    square, cube = ((plain.counts * off**k).sum(axis=1) for k in (2, 3))
    bent = np.divide(cube, 6 * square**1.5, out=np.zeros_like(cube), where=square > _NOISE)
    ends = []
    for share in (1 - _HALF, _HALF):
        moved = z0 + ndtri(share)
        ends.append(_quantiles(values, ndtr(z0 + moved / (1 - bent * moved))))
    return ends[0], ends[1]


def dirichlet(corpora: Corpora) -> Ends:
    """Return the interval from the posterior of the patterns, with pseudo-items."""
    more = corpora.more.counts
    drawn = corpora.rng.standard_gamma(np.repeat(more[:, None, :], DRAWS, axis=1))
    values = np.sort(Estimates(corpora.plain.kinds, drawn / drawn.sum(axis=-1, keepdims=True)).value, axis=1)
    ones = np.ones(len(more))
    return _quantiles(values, (1 - _HALF) * ones), _quantiles(values, _HALF * ones)


def donner_eliasziw(corpora: Corpora) -> Ends:
    """Return all values that a χ² test does not reject, for two annotators and two categories; NaN otherwise."""
    rows, counts = corpora.plain.kinds.rows, corpora.plain.counts
    if rows.shape != (3, 2):
        return np.full(len(counts), np.nan), np.full(len(counts), np.nan)
    none, one, both = counts[:, np.argsort(rows[:, 0])].T
    kinds, back = np.unique(np.stack([both, one, none], axis=1), axis=0, return_inverse=True)
    ends = np.array([CommonCorrelation(*row).interval(LEVEL) for row in kinds.tolist()])[back.ravel()]
    return ends[:, 0], ends[:, 1]


def added(corpora: Corpora) -> Ends:
    """Return the t interval with pseudo-items and n − 1 degrees of freedom."""
    return _widened(corpora, _by_t(corpora.more, corpora.plain.n - 1))


def by_carriers(corpora: Corpora) -> Ends:
    """Return `added`: the t interval with pseudo-items and the effective number of items + 1 as degrees of freedom."""
    df = np.minimum(corpora.more.carriers + 1, corpora.plain.n - 1)
    return _widened(corpora, _by_t(corpora.more, df))


def default(corpora: Corpora) -> Ends:
    """Return the linearised interval with at least ten effective items, or else `added`."""
    enough = (corpora.more.carriers >= ENOUGH) & (corpora.plain.error > 1e-12)
    plain, few = linearised(corpora), by_carriers(corpora)
    return np.where(enough, plain[0], few[0]), np.where(enough, plain[1], few[1])


CANDIDATES: dict[str, Callable[[Corpora], Ends]] = {
    "`linearised`": linearised,
    "`bootstrap`": percentiles,
    "`bca`": bca,
    "`donner_eliasziw` (two annotators, two categories)": donner_eliasziw,
    "`dirichlet`": dirichlet,
    "two items added, Fisher's z": fisher_z,
    "two items added, t with n − 1 df": added,
    "two items added, Fieller's for D_o/D_e": fieller,
    "two items added, df by carriers: `added`": by_carriers,
    "`default`: linearised, or `added` below ten carriers": default,
}


@dataclass(frozen=True)
class Tried:
    """Coverage and mean width of an interval on one source of corpora."""

    name: str
    shares: tuple[float, ...]
    annotators: int
    size: int
    value: float
    covered: float
    width: float


def tried(
    corpora: int,
    seed: int,
    shares: Sequence[tuple[float, ...]],
    sizes: Sequence[int],
    annotators: Sequence[int] = (2, 5),
    values: Sequence[float] = VALUES,
) -> list[Tried]:
    """Evaluate every candidate on every source. Corpora with only one category are excluded."""
    found = []
    for p, m, n, value in product(shares, annotators, sizes, values):
        kinds, rng = Kinds.of(len(p), m), np.random.default_rng([seed, m, n, round(1000 * p[0]), round(1000 * value)])
        counts = rng.multinomial(n, kinds.probabilities(p, value), size=corpora).astype(np.float64)
        counts = counts[((counts @ kinds.rows > 0).sum(axis=1)) > 1]
        here = Corpora(Estimates(kinds, counts), Estimates(kinds, counts + kinds.of_no_opinion(counts)), rng)
        for name, method in CANDIDATES.items():
            low, high = (np.clip(end, -1.0, 1.0) for end in method(here))
            if np.isnan(low).all():
                continue
            holds = (low <= value + 1e-12) & (value - 1e-12 <= high)
            found.append(Tried(name, p, m, n, value, float(holds.mean()), float(np.nanmean(high - low))))
    return found


def table(found: Sequence[Tried]) -> str:
    """Return a table of the lowest coverage of each candidate for each set of shares, and its mean width."""
    shares = list(dict.fromkeys(one.shares for one in found))
    named = [shares_text(some) for some in shares]
    lines = [
        f"| interval | {' | '.join(named)} | cells below 0.92 | mean width |",
        "|---|" + "---|" * (len(shares) + 2),
    ]
    for name in CANDIDATES:
        mine = [one for one in found if one.name == name]
        if not mine:
            continue
        lowest = [min((one.covered for one in mine if one.shares == some), default=math.nan) for some in shares]
        cells = " | ".join("" if math.isnan(x) else f"**{x:.3f}**" if x < 0.92 else f"{x:.3f}" for x in lowest)
        short, width = sum(one.covered < 0.92 for one in mine), np.mean([one.width for one in mine])
        lines.append(f"| {name} | {cells} | {short} of {len(mine)} | {width:.2f} |")
    return "\n".join(lines)


def shares_text(shares: Sequence[float]) -> str:
    """Format the shares of categories: ".8/.2"."""
    return "/".join(f"{p:g}".lstrip("0") for p in shares)
