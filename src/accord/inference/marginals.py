"""Do the annotators use the categories alike? Bias, prevalence, and tests of equal marginals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from accord.door import checks_options, opened
from accord.errors import DataError, counted
from accord.figures.heatmap import Shares
from accord.model.counting import weighted_counts
from accord.model.ratings import Ratings
from accord.probability import chi2_above
from accord.result import Result
from accord.tables import Cell, Drawing, Table, plain

_MOST_PAIRS = 1_000
_LEAST_BY_CHANCE = 5  # agreements in a category, Artstein & Poesio 2008, 4.1.1
_MOST_NAMED = 5


@dataclass(frozen=True)
class Test:
    """A χ² test."""

    statistic: float
    df: int
    p: float


@dataclass(frozen=True)
class PairMarginals:
    """Two annotators on the items that both labelled. Indices for two categories only are None for more."""

    first: str
    second: str
    n: int
    stuart_maxwell: Test | None
    bhapkar: Test | None
    bowker: Test | None
    mcnemar: Test | None  # two categories; the same test as Stuart–Maxwell there
    prevalence_index: float | None  # (a − d)/n
    bias_index: float | None  # (b − c)/n
    pabak: float | None
    positive_agreement: float | None
    negative_agreement: float | None
    kappa_max: float
    chance_agreements: tuple[
        float, ...
    ]  # for each category, n·P(k|first)·P(k|second): how often chance has both say it


@dataclass(frozen=True, repr=False)
class Marginals(Result):
    """How the annotators' shares of the categories compare."""

    categories: tuple[str, ...]
    annotators: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]  # a row per annotator
    bias: float  # B = A_e^π − A_e^κ, Artstein & Poesio 2008, 3.1
    pairs: tuple[PairMarginals, ...]

    def summary(self) -> str:
        return f"{counted(len(self.annotators), 'annotator')}: bias B = {self.bias:z.4f}"

    def tables(self) -> list[Table]:
        columns = (
            "pair", "items", "Stuart–Maxwell χ²", "df", "p", "Bowker χ²", "p (Bowker)", "prevalence", "bias", "κ max",
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for pair in self.pairs:
            test, bowker = pair.stuart_maxwell, pair.bowker
            maxwell = (test.statistic, test.df, test.p) if test else (None, None, None)
            symmetry = (bowker.statistic, bowker.p) if bowker else (None, None)
            indices = (pair.prevalence_index, pair.bias_index, pair.kappa_max)
            rows.append((f"{pair.first} – {pair.second}", pair.n, *maxwell, *symmetry, *indices))
        notes = [f"annotator bias B = {self.bias:z.4f} (spread of the annotators' shares of the categories)"]
        if any(pair.mcnemar for pair in self.pairs):
            notes.append("two categories: Stuart–Maxwell is McNemar's test")
        notes.extend(self._rare())
        return [Table("equal marginals?", columns, tuple(rows), tuple(notes), ("df", "prevalence", "bias", "κ max"))]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"shares": lambda: Shares("", self.annotators, self.categories, self.shares)}

    def _rare(self) -> list[str]:
        """Categories of which a sample has too few for their agreement to mean much."""
        if not self.pairs:
            return []
        least = np.min([pair.chance_agreements for pair in self.pairs], axis=0)
        rare = np.argsort(least, kind="stable")[: int((least < _LEAST_BY_CHANCE).sum())]
        if not len(rare):
            return []
        named = ", ".join(f"{self.categories[k]} ({least[k]:.1f})" for k in rare[:_MOST_NAMED])
        more = f" and {len(rare) - _MOST_NAMED:,} more" if len(rare) > _MOST_NAMED else ""
        return [f"categories with fewer than {_LEAST_BY_CHANCE} chance agreements of two annotators: {named}{more}"]

    def flat(self) -> Table:
        tests = ("stuart_maxwell", "bhapkar", "bowker", "mcnemar")
        indices = (
            "prevalence_index", "bias_index", "pabak", "positive_agreement", "negative_agreement", "kappa_max",
        )  # fmt: skip
        columns = ("first", "second", "n", *(f"{t}{what}" for t in tests for what in ("", "_df", "_p")), *indices)
        rows = []
        for pair in self.pairs:
            found: list[Test | None] = [getattr(pair, name) for name in tests]
            cells = [c for t in found for c in ((t.statistic, t.df, t.p) if t else (None, None, None))]
            rows.append((pair.first, pair.second, pair.n, *cells, *(getattr(pair, name) for name in indices)))
        return Table("", columns, tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))


@checks_options
def marginals(data: Any, **reading: Any) -> Marginals:
    """Bias B over all annotators, and tests for each pair of them: `marginals("ratings.csv")`."""
    ratings = opened(data, reading)
    if not isinstance(ratings, Ratings):
        raise DataError(f"marginals are of labels of items, and these are {ratings.kind.words}")
    if not ratings.identified:
        raise DataError("counts do not say whose labels they are: marginals need the annotators")
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
            cells = np.bincount(labels[a, both] * q + labels[b, both], weights=rows.weight[both], minlength=q * q)
            if cells.sum():
                first, second = ratings.annotators[present[a]], ratings.annotators[present[b]]
                pairs.append(of_table(cells.reshape(q, q), first, second))
    names = tuple(ratings.annotators[g] for g in present)
    return Marginals(ratings.categories.names, names, tuple(map(tuple, shares.T.tolist())), bias, tuple(pairs))


def of_table(table: np.ndarray, first: str = "rows", second: str = "columns") -> PairMarginals:
    """The confusion matrix of two annotators."""
    n = float(table.sum())
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    by_chance = tuple((rows * columns / n).tolist())
    used = (rows + columns) > 0
    table, rows, columns = table[np.ix_(used, used)], rows[used], columns[used]
    maxwell, bhapkar = _stuart_maxwell(table, rows, columns, n)
    expected = float(rows @ columns) / n**2
    most = float(np.minimum(rows, columns).sum()) / n
    two = len(table) == 2
    (a, b), (c, d) = table if two else ((0, 0), (0, 0))
    return PairMarginals(
        first,
        second,
        int(n),
        maxwell,
        bhapkar,
        _bowker(table),
        _mcnemar(b, c) if two else None,
        prevalence_index=float((a - d) / n) if two else None,
        bias_index=float((b - c) / n) if two else None,
        pabak=float(2 * (a + d) / n - 1) if two else None,
        positive_agreement=float(2 * a / (2 * a + b + c)) if two else None,
        negative_agreement=float(2 * d / (2 * d + b + c)) if two else None,
        kappa_max=(most - expected) / (1 - expected) if expected < 1 else float("nan"),
        chance_agreements=by_chance,
    )


def _stuart_maxwell(
    table: np.ndarray, rows: np.ndarray, columns: np.ndarray, n: float
) -> tuple[Test | None, Test | None]:
    difference = rows - columns
    spread = np.diag(rows + columns) - table - table.T
    # Categories on which the annotators never differ add nothing; the rest has one redundant row.
    differing = np.flatnonzero(np.diag(spread) > 0)[:-1]
    if not len(differing):
        return None, None
    part = spread[np.ix_(differing, differing)]
    if np.linalg.matrix_rank(part) < len(part):
        return None, None  # the disagreements fall into separate blocks: no test over all of them
    statistic = float(difference[differing] @ np.linalg.solve(part, difference[differing]))
    df = len(differing)
    maxwell = Test(statistic, df, chi2_above(df, statistic))
    if statistic >= n:
        return maxwell, None
    corrected = statistic / (1 - statistic / n)
    return maxwell, Test(corrected, df, chi2_above(df, corrected))


def _bowker(table: np.ndarray) -> Test | None:
    upper = np.triu_indices(len(table), 1)
    there, back = table[upper], table.T[upper]
    occurs = there + back > 0
    if not occurs.any():
        return None
    statistic = float(((there - back)[occurs] ** 2 / (there + back)[occurs]).sum())
    df = int(occurs.sum())
    return Test(statistic, df, chi2_above(df, statistic))


def _mcnemar(b: float, c: float) -> Test | None:
    if b + c == 0:
        return None
    statistic = float((b - c) ** 2 / (b + c))
    return Test(statistic, 1, chi2_above(1, statistic))
