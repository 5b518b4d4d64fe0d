"""Evidence from the values of columns: identifiers, shared labels, agreement between columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import ascending
from accord.data.io.tables.columns import Column, PooledNames, polars
from accord.data.io.tables.header import NOTHING
from accord.data.io.tables.roles import GENERIC, in_full, is_called, is_settled
from accord.data.model.labels import Label, as_number, counts_of, label_name

SHARED = 0.5  # share of cells found in another column from which on labels count as the same
_ENOUGH = 10  # rows needed to recognise groups
_LOOKED_AT, _LONG = 50, 60  # names that show whether a column contains texts or times; length of a text
_TIME = re.compile(
    r"^\d{4}-\d\d-\d\d|^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|^\d{1,2}:\d\d(?::\d\d)?(?:\s*[AaPp][Mm])?$|"
    r"^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w* \w+ \d+ \d\d:\d\d"
)
_MEASURED = 20  # more different numbers, seldom repeated, are measurements
_ALIKE, _MOSTLY = 0.8, 0.8  # correlation of measurements of the same things in few rows; share of different numbers
_HUGE = 1e100  # squares of such numbers overflow
_MOST_NAMES = 50_000  # examined in a column
_TWICE = 2  # a single case may be coincidence
_ROUNDED = 0.0051  # rounding error of a mean with two decimals
_SEVERAL = 3  # columns whose mean or sum is looked for
_MOST_GROUPS, _MOST_IN_GROUP = 3, 8  # groups of columns that a message names, and their columns
JOIN = " + "  # between the parts of an item that several columns name
_DISPUTED = 6  # items without consensus on which an independent annotator would once have been alone


@dataclass(frozen=True)
class Profile:
    """A column and a summary of its values."""

    name: str
    column: Column

    @cached_property
    def counts(self) -> dict[Label, int]:
        """How often each label occurs, without empty cells. Case, spaces and 1.0 versus 1 are ignored."""
        found: dict[Label, int] = {}
        many = counts_of(self.column.codes, len(self.column.names))
        for code, name in enumerate(islice(self.column.names, _MOST_NAMES)):
            if many[code] and not _is_nothing(name):
                key = _normal(name)
                found[key] = found.get(key, 0) + int(many[code])
        return found

    def rows_with(self, label: Label) -> NDArray[np.bool_]:
        """Return which rows have a label of `counts`."""
        codes = [code for code, name in enumerate(self.column.names) if _normal(name) == label]
        return np.isin(self.column.codes, codes)

    @cached_property
    def n(self) -> int:
        """The number of filled cells."""
        empty = self.column.is_empty()
        return len(self.column.codes) - (int(empty.sum()) if empty is not None else 0)

    @cached_property
    def distinct(self) -> int:
        return len(self.column.names) - (self.column.empty is not None)

    @property
    def constant(self) -> bool:
        return self.n > 0 and self.distinct == 1

    @cached_property
    def is_text(self) -> bool:
        """Whether the column contains texts: long, of several words, and seldom repeated."""
        shown = [label_name(name) for name in islice(self.column.names, _LOOKED_AT)]
        words = [name for name in shown if name.count(" ") >= 3 or len(name) > _LONG]
        return self.distinct > 2 and 2 * len(words) > len(shown)

    @cached_property
    def is_time(self) -> bool:
        """Whether the column contains dates, times of day or seconds since 1970."""
        shown = [label_name(name) for name in islice(self.column.names, _LOOKED_AT)]
        return bool(shown) and (all(_TIME.search(name) for name in shown if name) or self._counts_seconds)

    @property
    def _counts_seconds(self) -> bool:
        """Whether the column contains seconds or milliseconds since 1970, of the years 2001 to 2033."""
        numbers = self.numbers
        if numbers is None or self.n < _SEVERAL or 2 * self.distinct < self.n:
            return False
        return any(bool((numbers >= 1e9 * unit).all() and (numbers < 2e9 * unit).all()) for unit in (1, 1000))

    @property
    def never_twice(self) -> bool:
        return self.n > 1 and self.distinct == self.n

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """The cells as numbers in the order of rows; None if a cell is not a number."""
        names = self.column.names
        if isinstance(names, PooledNames):
            values = names.series().str.strip_chars().cast(polars().Float64, strict=False).fill_null(np.nan).to_numpy()
            values = np.where(np.isfinite(values), values, np.nan)  # as for other names
        else:
            values = np.array([as_number(name) for name in names], dtype=np.float64)
        nothing = np.append(np.isnan(values), True)
        for code in np.flatnonzero(nothing[:-1]):
            if not _is_nothing(names[int(code)]):
                return None
        filled = values[self.column.codes[~nothing[self.column.codes]]]
        return filled if len(filled) else None

    @property
    def calculable(self) -> NDArray[np.float64] | None:
        """The numbers if each row has one and none is too large to be squared."""
        numbers = self.numbers
        if numbers is None or len(numbers) < len(self.column.codes) or np.abs(numbers).max() >= _HUGE:
            return None
        return numbers

    @property
    def measured(self) -> bool:
        """Whether the column contains measurements: numbers that seldom repeat."""
        return self.distinct > _MEASURED and 3 * self.distinct > self.n and self.numbers is not None

    @property
    def counts_up(self) -> bool:
        """Whether the column numbers the rows: 1, 2, 3, …"""
        numbers = self.numbers
        if numbers is None or len(numbers) < 3 or len(numbers) < len(self.column.codes):
            return False
        return bool((_steps(numbers) == 1).all())

    @property
    def counts_again(self) -> bool:
        """Whether the column numbers the rows within groups: 1, 2, 3, 1, 2, …"""
        numbers = self.numbers
        if numbers is None or self.distinct < 3:
            return False
        again = _steps(numbers) != 1
        runs = 1 + int(again.sum())
        return runs > 1 and len(numbers) >= 3 * runs and bool((numbers[1:][again] == numbers[0]).all())

    @property
    def in_blocks(self) -> bool:
        """Whether equal values are in consecutive rows, so that the column groups the rows."""
        codes = self.column.codes
        return self.n >= _ENOUGH and 2 < self.distinct == 1 + int((np.diff(codes) != 0).sum()) < self.n

    def share_in(self, other: Profile) -> float:
        """Return the share of cells with a label that the other column has."""
        total = sum(self.counts.values())
        return sum(n for label, n in self.counts.items() if label in other.counts) / total if total else 0.0

    def likeness(self, other: Profile) -> float:
        """Return how far two columns have the same labels, from 0 to 1 (one column's labels are all in the other)."""
        if (range_shared := self.measures_as(other)) is not None:
            return range_shared
        return max(self.share_in(other), other.share_in(self))

    def measures_as(self, other: Profile) -> float | None:
        """Return the overlap of the ranges of two columns of measurements; None if one has no measurements."""
        a, b = self.numbers, other.numbers
        if a is None or b is None or not ((self.measured and other.measured) or self._goes_with(other)):
            return None
        low, high = max(a.min(), b.min()), min(a.max(), b.max())
        spans = [max(np.ptp(a), 1e-300), max(np.ptp(b), 1e-300)]
        return float(np.clip((high - low) / min(spans), 0.0, 1.0))

    def _goes_with(self, other: Profile) -> bool:
        """Whether two columns of mostly different numbers correlate, like a few measurements of the same things."""
        a, b = self.calculable, other.calculable
        if a is None or b is None or len(a) < 3:
            return False
        if min(self.distinct, other.distinct) < _MOSTLY * len(a) or self.counts_up or other.counts_up:
            return False
        a, b = (column / (np.abs(column).max() or 1.0) for column in (a, b))  # avoids overflow
        return bool(np.corrcoef(a, b)[0, 1] >= _ALIKE)


def pooled_share(columns: Sequence[Profile], others: Sequence[Profile]) -> float:
    """Return the share of cells in `columns` with a label that one of `others` has."""
    labels = {label for other in others for label in other.counts}
    total = sum(sum(profile.counts.values()) for profile in columns)
    held = sum(n for profile in columns for label, n in profile.counts.items() if label in labels)
    return held / total if total else 1.0


def _is_nothing(name: Label) -> bool:
    return isinstance(name, str) and name.strip().lower() in NOTHING


def _normal(label: Label) -> Label:
    number = as_number(label)
    return number if number == number else " ".join(label_name(label).split()).casefold()  # noqa: PLR0124 - NaN


def groups_alike(columns: Sequence[Profile], least: float = SHARED) -> list[list[str]]:
    """Group columns that share labels, directly or through others, in their order."""
    group = {seen.name: k for k, seen in enumerate(columns)}
    for a, b in combinations(columns, 2):
        if group[a.name] != group[b.name] and a.likeness(b) >= least:
            old, new = group[b.name], group[a.name]
            group = {name: new if k == old else k for name, k in group.items()}
    found: dict[int, list[str]] = {}
    for name, k in group.items():
        found.setdefault(k, []).append(name)
    return list(found.values())


def each_group(columns: Sequence[Profile]) -> str:
    """Return the options that name the columns of each group with the same labels."""
    groups = [_without_consensus(group) for group in groups_alike(columns) if len(group) > 1]
    ways = [
        f"{' '.join(f'--label {in_full(name)}' for name in group)} ({len(group)} annotators)"
        for group in groups[:_MOST_GROUPS]
        if len(group) <= _MOST_IN_GROUP
    ]
    return " or ".join(ways) or "--label COLUMN for each"


def _without_consensus(group: list[str]) -> list[str]:
    """Leave out columns with the name of a consensus, such as label, if two others are left."""
    others = [name for name in group if not (is_settled(name) or is_called(name, GENERIC))]
    return others if len(others) > 1 else group


def agreement(a: Column, b: Column) -> float:
    """Return the agreement of two columns with pooled shares (π). It only guides the guess."""
    both, *_ = coded_together([a, b])
    filled = (both >= 0).all(axis=0)
    x, y = both[:, filled]
    if not len(x):
        return 0.0
    shares = np.bincount(np.concatenate([x, y])) / (2 * len(x))
    expected = float((shares**2).sum())
    observed = float((x == y).mean())
    return (observed - expected) / (1 - expected) if expected < 1 else 1.0


def down_and_across(columns: Sequence[Column]) -> tuple[float, float]:
    """Return α within columns and within rows. It is larger on the side of the items."""
    table, size = coded_together(columns)
    return nominal_alpha(table, size), nominal_alpha(table.T, size)


def nominal_alpha(units: NDArray[np.int64], size: int) -> float:
    """Return α of labels, with one line per unit; -1 is missing."""
    counts = np.array([np.bincount(line[line >= 0], minlength=size) for line in units], dtype=np.float64)
    totals = counts.sum(axis=1)
    counts, totals = counts[totals > 1], totals[totals > 1]
    n = totals.sum()
    if n < 2:
        return 0.0
    observed = float(((totals**2 - (counts**2).sum(axis=1)) / (totals - 1)).sum() / n)
    shares = counts.sum(axis=0)
    expected = float((n**2 - (shares**2).sum()) / (n * (n - 1)))
    return 1 - observed / expected if expected else 0.0


def interval_alpha(units: NDArray[np.float64]) -> float:
    """Return α of numbers, with one line per unit; NaN is missing."""
    filled = np.isfinite(units)
    shared = filled.sum(axis=1) > 1
    units, filled = units[shared], filled[shared]
    each, pooled = filled.sum(axis=1), units[filled]
    if len(pooled) < 2 or pooled.var() == 0:
        return 0.0
    observed = float((np.nanvar(units, axis=1) * each**2 / (each - 1)).sum() / len(pooled))
    return 1 - observed / float(pooled.var(ddof=1))


def coded_together(columns: Sequence[Column]) -> tuple[NDArray[np.int64], int]:
    """Return one line of codes per column, with the same code for the same label; -1: empty."""
    index: dict[Label, int] = {}
    lines = []
    for column in columns:
        table = [-1 if name == "" else index.setdefault(_normal(name), len(index)) for name in column.names]
        lines.append(np.array([*table, -1], dtype=np.int64)[column.codes])
    return np.array(lines), len(index)


def pairs_once(a: Column, b: Column) -> float:
    """Return the share of rows with a pair of values that occurs on no other row."""
    key = a.codes.astype(np.int64) * (len(b.names) + 1) + b.codes
    return float((np.unique(key, return_counts=True)[1] == 1).sum() / len(key)) if len(key) else 0.0


def unevenness(column: Column) -> float:
    """Return how much the number of rows per value varies: standard deviation divided by mean."""
    counts = counts_of(column.codes, len(column.names)).astype(np.float64)
    counts = counts[counts > 0]
    return float(counts.std() / counts.mean()) if len(counts) else 0.0


def profiles_of(columns: Mapping[str, Column]) -> dict[str, Profile]:
    return {name: Profile(name, column) for name, column in columns.items()}


def _steps(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the differences of neighbours; they may be infinite for very large numbers."""
    with np.errstate(over="ignore"):
        return np.diff(numbers)


def agreement_of(columns: Sequence[Profile]) -> float:
    """Return α of columns as labels or as numbers, the larger of both."""
    codes, size = coded_together([profile.column for profile in columns])
    if len(np.unique(codes[codes >= 0])) < 2:
        return 1.0
    numbers = [x for profile in columns if (x := profile.calculable) is not None]
    by_number = interval_alpha(np.stack(numbers, axis=1)) if len(numbers) == len(columns) else -1.0
    return max(nominal_alpha(codes.T, size), by_number)


def computed_columns(columns: Sequence[Profile]) -> dict[str, str]:
    """Return the columns that two others determine in every row, with a description."""
    codes, _ = coded_together([profile.column for profile in columns])
    numbers = [profile.calculable for profile in columns]
    computed: dict[str, str] = {}
    for c, profile in enumerate(columns):
        for a, b in combinations([k for k in range(len(columns)) if k != c], 2):
            what = _whether_equal(codes[a], codes[b], codes[c]) or _computed(numbers[a], numbers[b], numbers[c])
            if what is not None:
                computed[profile.name] = f"{what} {columns[a].name} and {columns[b].name}"
                break
    return computed


def means_and_sums(columns: Sequence[Profile]) -> dict[str, str]:
    """Return the columns that are the mean or the sum of all others, with a description."""
    numbers = {profile.name: x for profile in columns if (x := profile.calculable) is not None}
    found = {}
    for name, mine in numbers.items():
        others = [x for other, x in numbers.items() if other != name]
        if len(others) < _SEVERAL:
            continue
        total = np.sum(others, axis=0)
        for what, value in (("is the mean of", total / len(others)), ("is the sum of", total)):
            if np.ptp(mine) > 0 and bool((np.abs(value - mine) <= _ROUNDED).all()):
                found[name] = f"{what} the {len(others)} other columns"
    return found


def _whether_equal(a: NDArray[np.int64], b: NDArray[np.int64], c: NDArray[np.int64]) -> str | None:
    """Whether a column has one value where two others are equal and another where they differ."""
    if (np.stack([a, b, c]) < 0).any():
        return None
    same = a == b
    if same.sum() < _TWICE or (~same).sum() < _TWICE or len(np.unique(c)) != 2:
        return None
    if len(np.unique(c[same])) != 1 or len(np.unique(c[~same])) != 1:
        return None
    agreed, times = np.unique(a[same], return_counts=True)
    return "marks agreement between" if len(agreed) > 1 and times.min() >= _TWICE else None


_Numbers = NDArray[np.float64] | None


def _computed(a: _Numbers, b: _Numbers, c: _Numbers) -> str | None:
    """Whether a column is the mean, sum or difference of two others that are not mostly equal or 0."""
    if a is None or b is None or c is None:
        return None
    differ, both = np.abs(a - b) > 2 * _ROUNDED, (a != 0) & (b != 0)
    if differ.sum() < _TWICE or both.sum() < _TWICE:
        return None
    ways = {"is the mean of": (a + b) / 2, "is the sum of": a + b, "is the difference of": np.abs(a - b)}
    return next((what for what, value in ways.items() if (np.abs(np.abs(c) - value) < _ROUNDED).all()), None)


def is_majority(others: NDArray[np.int64], codes: NDArray[np.int64], exceptions: float = 0.0) -> bool:
    """Whether a column has the label of most others wherever more than half of them agree, with few exceptions."""
    size = int(max(others.max(initial=0), codes.max(initial=0))) + 1
    votes = np.stack([np.bincount(row[row >= 0], minlength=size) for row in others.T])
    most = votes.max(axis=1)
    clear = (2 * most > votes.sum(axis=1)) & (codes >= 0)
    disputed = clear & (most < votes.sum(axis=1))
    return disputed.sum() >= _DISPUTED and bool((votes.argmax(axis=1) == codes)[clear].mean() >= 1 - exceptions)


def settles(others: NDArray[np.int64], codes: NDArray[np.int64]) -> bool:
    """Whether a column always equals the consensus of the others, and otherwise has one of their labels."""
    complete = (others >= 0).all(axis=0)
    others, codes = others[:, complete], codes[complete]
    if not codes.size:
        return False
    agreed = (others == others[0]).all(axis=0)
    disputed = ~agreed & (codes >= 0)
    if agreed.sum() < _DISPUTED or disputed.sum() < _DISPUTED or (~agreed).sum() > disputed.sum():
        return False
    if (codes[agreed] < 0).all():
        return True  # labels only items on which the others disagree
    return bool((codes[agreed] == others[0][agreed]).all() and (others == codes).any(axis=0)[disputed].all())


def same_within(by: Column, column: Column) -> bool | None:
    """Whether a column has one value for each value of `by`; None if no two of its filled cells could differ."""
    empty = column.is_empty()
    filled = slice(None) if empty is None else ~empty
    groups, values = by.codes[filled].astype(np.int64), column.codes[filled]
    distinct = len(ascending(groups))
    if distinct == len(groups):
        return None
    return len(ascending(groups * (len(column.names) + 1) + values)) == distinct


def joined(columns: Sequence[Column]) -> Column:
    """Return one column from several: two rows are equal if they are equal in all of them."""
    codes = columns[0].codes.astype(np.int64)
    for column in columns[1:]:
        codes = codes * (len(column.names) + 1) + column.codes + 1
        codes = np.unique(codes, return_inverse=True)[1].reshape(-1)
    _, first, small = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first)).astype(np.int32)  # in order of appearance
    cells = [[*(label_name(name) for name in column.names), ""] for column in columns]
    rows = np.sort(first)
    parts = [[cells[k][column.codes[row]] for k, column in enumerate(columns)] for row in rows.tolist()]
    names = [JOIN.join(part) if any(part) else "" for part in parts]
    if len(set(names)) < len(names):  # a + b, c and a, b + c
        names = [JOIN.join(map(repr, part)) for part in parts]
    return Column(rank[small.reshape(-1)], names)


@dataclass(frozen=True)
class KeyFit:
    """How well a column, or several together, names the items of a long table."""

    once: bool  # no annotator has a value twice
    shared: float  # share of values that several annotators have
    complete: float  # pairs of value and annotator that occur, of all possible pairs
    again: float  # share of rows that repeat a pair


def fit_of_key(key: Column, annotator: Column) -> KeyFit:
    """Return how well a column names the items that the annotators labelled."""
    width = len(annotator.names) + 1
    pairs = ascending((key.codes.astype(np.int64) + 1) * width + annotator.codes + 1)
    per_key = counts_of(pairs // width, len(key.names) + 1)
    keys = int((per_key > 0).sum())
    people = len(ascending(annotator.codes))
    n = len(key.codes)
    return KeyFit(
        len(pairs) == n,
        float((per_key > 1).sum() / keys) if keys else 0.0,
        len(pairs) / (keys * people) if keys and people else 0.0,
        1 - len(pairs) / n if n else 0.0,
    )


def tell_the_same(a: Column, b: Column) -> bool:
    """Whether two columns distinguish the same rows."""
    return _pairs(a, b) == len(a.names) == len(b.names)


def comes_once(item: Column, annotator: Column) -> bool:
    """Whether no annotator has an item twice."""
    return _pairs(item, annotator) == len(item.codes)


def _pairs(a: Column, b: Column) -> int:
    return len(ascending(a.codes.astype(np.int64) * (len(b.names) + 1) + b.codes))
