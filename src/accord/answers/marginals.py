"""Bias, prevalence and tests of equal marginal distributions of annotators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.errors import DataError, counted, for_interface
from accord.core.figures.heatmap import Shares
from accord.core.probability import chi2_above
from accord.core.result import Result
from accord.core.tables import MOST_PAIRS, Cell, Drawing, Table, plain
from accord.data.door import checks_options, opened
from accord.data.model.ratings import Ratings, weighted_counts
from accord.measures.distances.spaces import sums_by

_MOST_PAIRS = 1_000
_LEAST_BY_CHANCE = 5  # expected agreements in a category, Artstein & Poesio 2008, 4.1.1
_MOST_NAMED = 5
_DENSE = 500  # categories up to which covariances are a dense table; beyond, most are 0


@dataclass(frozen=True)
class Test:
    """A χ² test."""

    statistic: float
    df: int
    p: float


@dataclass(frozen=True)
class PairMarginals:
    """Two annotators on their common items. Indices for two categories are None with more categories."""

    first: str
    second: str
    n: int
    stuart_maxwell: Test | None
    bhapkar: Test | None
    bowker: Test | None
    mcnemar: Test | None  # two categories; equals Stuart–Maxwell there
    prevalence_index: float | None  # (a − d)/n
    bias_index: float | None  # (b − c)/n
    pabak: float | None
    positive_agreement: float | None
    negative_agreement: float | None
    kappa_max: float
    chance_agreements: tuple[float, ...]  # per category, n·P(k|first)·P(k|second): expected number of agreements


@dataclass(frozen=True, repr=False)
class Marginals(Result):
    """Comparison of the label distributions of the annotators."""

    categories: tuple[str, ...]
    annotators: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]  # one row per annotator
    bias: float  # B = A_e^π − A_e^κ, Artstein & Poesio 2008, 3.1
    pairs: tuple[PairMarginals, ...]

    def summary(self) -> str:
        return f"{counted(len(self.annotators), 'annotator')}: bias B = {self.bias:z.4f}"

    def tables(self) -> list[Table]:
        columns = (
            "pair", "items", "Stuart–Maxwell χ²", "df", "p", "Bowker χ²", "p (Bowker)", "prevalence", "bias", "κ max",
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        shown = self.pairs
        if len(shown) > MOST_PAIRS:
            shown = tuple(sorted(shown, key=lambda pair: pair.stuart_maxwell.p if pair.stuart_maxwell else 2.0))
        for pair in shown[:MOST_PAIRS]:
            test, bowker = pair.stuart_maxwell, pair.bowker
            maxwell = (test.statistic, test.df, test.p) if test else (None, None, None)
            symmetry = (bowker.statistic, bowker.p) if bowker else (None, None)
            indices = (pair.prevalence_index, pair.bias_index, pair.kappa_max)
            rows.append((f"{pair.first} – {pair.second}", pair.n, *maxwell, *symmetry, *indices))
        notes = []
        if len(self.pairs) > MOST_PAIRS:
            left = counted(len(self.pairs) - MOST_PAIRS, "more pair")
            notes.append(for_interface(f"{left} with larger p of Stuart–Maxwell; --json has all"))
        notes += [f"annotator bias B = {self.bias:z.4f} (variance of the category shares over annotators)"]
        if any(pair.mcnemar for pair in self.pairs):
            notes.append("with two categories, the Stuart–Maxwell test equals McNemar's test")
        notes.extend(self._rare())
        return [
            Table(
                "tests of equal marginal distributions",
                columns,
                tuple(rows),
                tuple(notes),
                ("df", "prevalence", "bias", "κ max"),
            )
        ]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"shares": lambda: Shares("", self.annotators, self.categories, self.shares)}

    def _rare(self) -> list[str]:
        """Categories too rare for reliable agreement."""
        if not self.pairs:
            return []
        least = np.min([pair.chance_agreements for pair in self.pairs], axis=0)
        rare = np.argsort(least, kind="stable")[: int((least < _LEAST_BY_CHANCE).sum())]
        if not len(rare):
            return []
        named = ", ".join(f"{self.categories[k]} ({least[k]:.1f})" for k in rare[:_MOST_NAMED])
        more = f" and {len(rare) - _MOST_NAMED:,} more" if len(rare) > _MOST_NAMED else ""
        return [
            f"rare categories, with fewer than {_LEAST_BY_CHANCE} expected agreements of two annotators: {named}{more}"
        ]

    def flat(self) -> Table:
        tests = ("stuart_maxwell", "bhapkar", "bowker", "mcnemar")
        indices = (
            "prevalence_index", "bias_index", "pabak", "positive_agreement", "negative_agreement", "kappa_max",
        )  # fmt: skip
        columns = ("first", "second", "n", *(f"{t}{what}" for t in tests for what in ("", "_df", "_p")), *indices)
        rows = []
        for pair in self.pairs:
            results: list[Test | None] = [getattr(pair, name) for name in tests]
            cells = [c for t in results for c in ((t.statistic, t.df, t.p) if t else (None, None, None))]
            rows.append((pair.first, pair.second, pair.n, *cells, *(getattr(pair, name) for name in indices)))
        return Table("", columns, tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))


@checks_options
def marginals(data: Any, **reading: Any) -> Marginals:
    """Test whether annotators have equal label distributions, with the bias of all and tests for each pair.

    Parameters
    ----------
    data : data
        Anything that `accord.read` accepts, or data that were read.
    **reading
        Options of `accord.read`.

    Returns
    -------
    Marginals
        With `bias` (B of Artstein & Poesio 2008, 3.1), the `shares` of the categories for each annotator, and `pairs`.

    Raises
    ------
    DataError
        If the data are not labels of items, or do not identify annotators.

    Examples
    --------
    >>> found = accord.marginals({"item": [1, 2, 3, 4], "Ana": ["a", "b", "b", "a"], "Ben": ["a", "b", "a", "a"]})
    >>> found.shares, found.bias
    (((0.5, 0.5), (0.75, 0.25)), 0.03125)
    """
    ratings = opened(data, reading)
    if not isinstance(ratings, Ratings):
        raise DataError(
            "measure-for-other-data",
            f"marginals need labels of items, and these are {ratings.kind.words}; name the items with --item COLUMN",
        )
    if not ratings.identified:
        raise DataError(
            "counts-without-annotators",
            "a table of counts does not identify annotators; marginals need one row per label or one column per "
            "annotator",
        )
    present = np.flatnonzero(ratings.labels_per_annotator)
    r, q = len(ratings.annotators), len(ratings.categories)
    key = ratings.label * np.int64(r) + ratings.annotator
    counts = weighted_counts(key, ratings.weight, ratings.item, q * r).reshape(q, r)[:, present]
    shares = counts / counts.sum(axis=0)
    # Population variance of P(k|c) over annotators, summed over k, over c − 1.
    bias = float(shares.var(axis=1).sum() / (len(present) - 1)) if len(present) > 1 else 0.0
    pairs: list[PairMarginals] = []
    if len(present) * (len(present) - 1) // 2 <= _MOST_PAIRS:
        rows = ratings.compressed
        _, labels = rows.by_annotator
        for a, b in combinations(range(len(present)), 2):
            both = (labels[a] >= 0) & (labels[b] >= 0)
            cells = _CellCounts.of(labels[a, both], labels[b, both], rows.weight[both].astype(np.float64), q)
            if len(cells.times):
                pairs.append(_of_cells(cells, ratings.annotators[present[a]], ratings.annotators[present[b]]))
    names = tuple(ratings.annotators[g] for g in present)
    return Marginals(ratings.categories.names, names, tuple(map(tuple, shares.T.tolist())), bias, tuple(pairs))


@dataclass(frozen=True, eq=False)
class _CellCounts:
    """Non-empty cells of the confusion matrix of two annotators; there may be thousands of categories."""

    first: Ints
    second: Ints
    times: Floats
    q: int

    @classmethod
    def of(cls, first: Ints, second: Ints, times: Floats, q: int) -> _CellCounts:
        key, which = np.unique(first * q + second, return_inverse=True)
        total = sums_by(which, times, len(key))
        occurs = total > 0
        return cls(key[occurs] // q, key[occurs] % q, total[occurs], q)

    @property
    def rows(self) -> Floats:
        return sums_by(self.first, self.times, self.q)

    @property
    def columns(self) -> Floats:
        return sums_by(self.second, self.times, self.q)

    @property
    def apart(self) -> _CellCounts:
        """The cells off the diagonal."""
        off = self.first != self.second
        return _CellCounts(self.first[off], self.second[off], self.times[off], self.q)

    def only(self, used: Ints) -> _CellCounts:
        """Keep cells between some categories, renumbered."""
        place = np.full(self.q, -1)
        place[used] = np.arange(len(used))
        first, second = place[self.first], place[self.second]
        inside = (first >= 0) & (second >= 0)
        return _CellCounts(first[inside], second[inside], self.times[inside], len(used))


def of_table(table: np.ndarray, first: str = "rows", second: str = "columns") -> PairMarginals:
    """The confusion matrix of two annotators."""
    rows, columns = np.nonzero(table)
    return _of_cells(_CellCounts.of(rows, columns, table[rows, columns].astype(np.float64), len(table)), first, second)


def _of_cells(cells: _CellCounts, first: str, second: str) -> PairMarginals:
    n = float(cells.times.sum())
    rows, columns = cells.rows, cells.columns
    by_chance = tuple((rows * columns / n).tolist())
    used = np.flatnonzero(rows + columns)
    cells, rows, columns = cells.only(used), rows[used], columns[used]
    maxwell, bhapkar = _stuart_maxwell(cells.apart, n)
    expected = float(rows @ columns) / n**2
    most = float(np.minimum(rows, columns).sum()) / n
    two = len(used) == 2
    a, b, c, d = sums_by(2 * cells.first + cells.second, cells.times, 4) if two else np.zeros(4)
    return PairMarginals(
        first,
        second,
        int(n),
        maxwell,
        bhapkar,
        _bowker(cells.apart),
        _mcnemar(b, c) if two else None,
        prevalence_index=float((a - d) / n) if two else None,
        bias_index=float((b - c) / n) if two else None,
        pabak=float(2 * (a + d) / n - 1) if two else None,
        positive_agreement=float(2 * a / (2 * a + b + c)) if two else None,
        negative_agreement=float(2 * d / (2 * d + b + c)) if two else None,
        kappa_max=(most - expected) / (1 - expected) if expected < 1 else float("nan"),
        chance_agreements=by_chance,
    )


def _stuart_maxwell(apart: _CellCounts, n: float) -> tuple[Test | None, Test | None]:
    # Categories without disagreement add nothing; the rest has one redundant row.
    differing = np.flatnonzero(apart.rows + apart.columns)
    if not len(differing):
        return None, None
    apart = apart.only(differing)
    df = len(differing) - 1
    if not _hang_together(apart):
        return None, None  # disagreements form separate blocks: no test over all categories
    difference = (apart.rows - apart.columns)[:-1]
    statistic = float(difference @ _solved(apart, difference))
    maxwell = Test(statistic, df, chi2_above(df, statistic))
    if statistic >= n:
        return maxwell, None
    corrected = statistic / (1 - statistic / n)
    return maxwell, Test(corrected, df, chi2_above(df, corrected))


def _hang_together(apart: _CellCounts) -> bool:
    """Whether disagreements link all categories; only then can the covariances be inverted."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((apart.times, (apart.first, apart.second)), shape=(apart.q, apart.q))
    parts, _ = connected_components(links, directed=False)
    return bool(parts == 1)


def _solved(apart: _CellCounts, difference: Floats) -> Floats:
    """Solve for the inverse covariances of the differences (without the last category) times the differences."""
    size, spread = apart.q - 1, (apart.rows + apart.columns)[:-1]
    inside = (apart.first < size) & (apart.second < size)
    one, other, times = apart.first[inside], apart.second[inside], apart.times[inside]
    if size <= _DENSE:
        table = np.diag(spread)
        np.subtract.at(table, (one, other), times)
        np.subtract.at(table, (other, one), times)
        return np.asarray(np.linalg.solve(table, difference), dtype=np.float64)
    from scipy.sparse import coo_array
    from scipy.sparse.linalg import spsolve

    every = np.arange(size)
    rows, columns = np.concatenate([one, other, every]), np.concatenate([other, one, every])
    covariances = coo_array((np.concatenate([-times, -times, spread]), (rows, columns)), shape=(size, size))
    return np.asarray(spsolve(covariances.tocsc(), difference, permc_spec="MMD_AT_PLUS_A"))


def _bowker(apart: _CellCounts) -> Test | None:
    if not len(apart.times):
        return None
    low, high = np.minimum(apart.first, apart.second), np.maximum(apart.first, apart.second)
    pair, which = np.unique(low * apart.q + high, return_inverse=True)
    both = sums_by(which, apart.times, len(pair))
    more = sums_by(which, np.where(apart.first < apart.second, apart.times, -apart.times), len(pair))
    statistic = float((more**2 / both).sum())
    return Test(statistic, len(pair), chi2_above(len(pair), statistic))


def _mcnemar(b: float, c: float) -> Test | None:
    if b + c == 0:
        return None
    statistic = float((b - c) ** 2 / (b + c))
    return Test(statistic, 1, chi2_above(1, statistic))
