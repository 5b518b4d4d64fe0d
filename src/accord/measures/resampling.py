"""Resampling of items and documents: the value as a function of how often each item or document counts.

A draw only weights the evidence of a measure differently. Nothing is aligned or counted a second time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.parallel import spread
from accord.measures.distances.spaces import sums_by

_CELLS = 4_000_000  # cells of the table of draws that are processed at once
_BY_DRAW = 100  # draws per task if each draw is slow
_REMEMBERED = 4

Values = Callable[[Floats], Floats]


@runtime_checkable
class Weighted(Protocol):
    """Evidence that is a sum over items or documents, each with a weight."""

    @property
    def times(self) -> Floats: ...

    @property
    def names(self) -> Sequence[str]: ...

    def weighted(self, times: Floats) -> Weighted: ...


@dataclass(frozen=True, eq=False)
class Sampled:
    """Sampled items or documents. `values` maps rows of weights, one per draw, to values; NaN where undefined."""

    names: Sequence[str]
    times: Floats  # weights in the observed data
    values: Values
    noun: str = "document"
    chance_error: float = 0.0  # relative Monte Carlo error of the chance term
    labels: int = 0  # labels that every draw compares again; draws with many labels are slow
    by_draw: bool = False  # values are computed one draw at a time; all draws are multinomial

    def __len__(self) -> int:
        return len(self.times)

    @property
    def value(self) -> float:
        return float(self.values(self.times[None, :])[0])

    @property
    def kinds(self) -> tuple[Ints, Ints] | None:
        """Return the kind of each name and the first name of each kind; None if all are different.

        Names of one kind have the same effect on the value.
        """
        return None

    def without_each(self) -> Floats:
        """Return the exact value without each item or document in turn (jackknife)."""
        n = len(self)
        found = np.empty(n)
        step = max(1, _CELLS // max(n, 1))
        for at in range(0, n, step):
            rows = np.arange(at, min(n, at + step))
            times = np.repeat(self.times[None, :], len(rows), axis=0)
            times[np.arange(len(rows)), rows] -= 1
            found[rows] = self.values(times)
        return found

    def drawn(self, draws: Floats) -> Floats:
        """Return the values of many draws, computed in batches that fit into memory."""
        step = max(1, _CELLS // max(len(self), 1))
        return np.concatenate([self.values(draws[at : at + step]) for at in range(0, len(draws), step)])

    def bootstrapped(self, replicates: int, run: Run) -> Floats:
        """Return the values of draws with replacement.

        For γ, each document keeps its alignment and its expected disorder. A generator makes at most one batch of
        draws, so that batches can run in parallel.
        """
        task = partial(_redrawn, replace(self, names=()).redrawn)
        tasks = list(self._pieces(replicates, run))
        if len(tasks) > 1:
            return np.concatenate(spread(task, tasks, run, "bootstrap"))
        run.progress("bootstrap", 0, replicates)
        values = task(tasks[0])  # a single task is too short to start worker processes
        run.progress("bootstrap", replicates, replicates)
        return values

    def _pieces(self, replicates: int, run: Run) -> Iterator[tuple[Mapping[str, Any], int]]:
        """Yield the state of a generator and the number of draws to make from it; few if each draw is slow."""
        together = max(1, _CELLS // max(len(self), 1))
        step = min(together, _BY_DRAW) if self.by_draw else together
        for generator, first in enumerate(range(0, replicates, together)):
            rng, left = run.rng(1, generator) if generator else run.rng(1), min(together, replicates - first)
            while left > 0:
                yield rng.bit_generator.state, min(step, left)
                left -= step
                if left > 0:  # advance the generator to the start of the next task
                    self._drawn_again(rng, step)

    def redrawn(self, rng: np.random.Generator, many: int) -> Floats:
        """Return the values of `many` draws with replacement."""
        return self.values(self._drawn_again(rng, many).astype(np.float64))

    def _drawn_again(self, rng: np.random.Generator, many: int) -> Ints:
        n = round(float(self.times.sum()))
        return rng.multinomial(n, self.times / n, size=many)


def _redrawn(redraw: Callable[[np.random.Generator, int], Floats], task: tuple[Mapping[str, Any], int]) -> Floats:
    state, many = task
    rng = np.random.default_rng(0)
    rng.bit_generator.state = state
    return redraw(rng, many)


def carriers(square: Floats, times: Floats) -> float:
    """Return the effective number of items behind a sum of squares: (Σ s)²/Σ s²."""
    total, below = float(times @ square), float(times @ square**2)
    return total**2 / below if below > 0 else 0.0


@dataclass(frozen=True)
class Contributions:
    """Linearised values, one per row. Their mean over `times` is the value; their spread gives its standard error."""

    values: Floats
    times: Floats
    cluster: Ints | None = None  # cluster of each row, numbered from 0; None: rows are drawn independently

    @property
    def n(self) -> float:
        return float(self.times.sum())

    def variance_of_mean(self) -> float:
        if self.n < 2:
            return float("nan")
        mean = float(self.times @ self.values) / self.n
        return float(self.times @ (self.values - mean) ** 2) / (self.n * (self.n - 1))

    @property
    def carriers(self) -> float:
        """Return the effective number of items behind the variance: (Σ d²)²/Σ d⁴ of the deviations d.

        It is n if all items deviate equally. If 5 of 1,000 items disagree, it is about 5, and the standard error is no
        more reliable than one from 5 items.
        """
        square = (self.values - float(self.times @ self.values) / self.n) ** 2
        return carriers(square, self.times)

    def pulls(self) -> tuple[Floats, Floats]:
        """Return the weight of each sampling unit and its influence: Σ weight·influence² is the variance."""
        n, mean = self.n, float(self.times @ self.values) / self.n
        off = self.values - mean
        if self.cluster is None:
            scale = math.sqrt(n * (n - 1)) if n > 1 else math.nan
            return self.times, off / scale
        # The rows of a cluster are drawn together, so the influence of a cluster is the sum over its rows.
        clusters = int(self.cluster.max()) + 1
        off = sums_by(self.cluster, off * self.times, clusters) / n
        scale = math.sqrt(clusters / (clusters - 1)) if clusters > 1 else math.nan
        return np.ones(clusters), off * scale


class Remembered:
    """A function of arrays that keeps its last few results, for callers that pass the same arrays again."""

    def __init__(self, function: Callable[[Floats], Floats]) -> None:
        self._function = function
        self._last: list[tuple[Floats, Floats]] = []

    def __call__(self, given: Floats) -> Floats:
        found = next((found for known, found in self._last if known is given), None)
        if found is None:
            found = self._function(given)
        others = [pair for pair in self._last if pair[0] is not given]
        self._last = [*others[1 - _REMEMBERED :], (given, found)]  # least recently used results are dropped first
        return found


@dataclass(frozen=True, eq=False)
class QuotientOfSums(Sampled):
    """1 − Σ above / Σ below over items or documents."""

    above: Floats = field(kw_only=True)
    below: Floats = field(kw_only=True)

    @classmethod
    def of(cls, names: Sequence[str], times: Floats, above: Floats, below: Floats, **rest: Any) -> QuotientOfSums:
        return cls(names, times, partial(_one_minus_sums, above, below), above=above, below=below, **rest)

    def without_each(self) -> Floats:
        return one_minus(self.times @ self.above - self.above, self.times @ self.below - self.below)


def _one_minus_sums(above: Floats, below: Floats, times: Floats) -> Floats:
    return one_minus(times @ above, times @ below)


@dataclass(frozen=True, eq=False)
class Divisible:
    """One continuum whose value is a sum over parts, so that its blocks can be resampled without a new comparison."""

    parts: int
    noun: str  # plural noun for the parts
    into: Callable[[int], Sampled]  # maps a number of blocks to the sampled blocks


def one_minus(above: Floats, below: Floats) -> Floats:
    """Return 1 − a/b; NaN where b is 0."""
    quotient: Floats = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return 1.0 - quotient


def by_kind(doc: Ints, kind: Ints, weight: Floats, kinds: int, value: Callable[[Floats], float]) -> Values:
    """Return a function that values draws of documents if only the number of items of each kind matters."""
    cell, back = np.unique(doc * np.int64(kinds) + kind, return_inverse=True)
    owner, row = np.divmod(cell, kinds)
    amount = sums_by(back, weight, len(cell))

    def values(times: Floats) -> Floats:
        return np.array([value(sums_by(row, drawn[owner] * amount, kinds)) for drawn in times])

    return values
