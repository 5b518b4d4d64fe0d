"""The fast way equals the naive way, and what must not matter does not."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

import accord
import numpy as np
import pytest
from accord.measures.catalogue import Measure
from accord.measures.items import ItemEvidence
from accord.model.ratings import Numbered
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pytest import approx

from .naive import (
    COEFFICIENTS,
    DISTANCES,
    SET_DISTANCES,
    WEIGHTS,
    DistanceFunction,
    Result,
    Rows,
    coefficient,
    pairable_items,
)

# The same examples in every run: a failure here is a failure everywhere.
fixed = settings(
    max_examples=1500,
    derandomize=False,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)

NAMES = tuple(COEFFICIENTS)
WORDS = ("low", "some", "mid", "high", "top", "b", "a")
NUMBERS = (0.1, 0.3, 0.7, 1, 2, 2.5, 3, 7, 10, 1000)
FROM_ZERO = (0, *NUMBERS)
SIGNED = (-12, -0.7, *FROM_ZERO)
SETS = tuple(frozenset(members) for members in ("", "x", "y", "xy", "xz", "yz", "xyz", "w"))

SPECS = [("distance", name) for name in DISTANCES] + [("weights", name) for name in WEIGHTS]
FIXED_SPECS = [spec for spec in SPECS if spec != ("distance", "ordinal")]


@dataclass(frozen=True)
class Table:
    rows: tuple[tuple[Hashable | None, ...], ...]
    categories: tuple[Hashable, ...]

    @property
    def ratings(self) -> accord.Ratings:
        return accord.Ratings.from_rows(self.rows, categories=self.categories)

    @property
    def pairable(self) -> int:
        return len(pairable_items(self.rows))

    @property
    def varied(self) -> bool:
        return len({label for labels in pairable_items(self.rows) for label in labels}) > 1


@st.composite
def tables(draw: st.DrawFn, labels: Sequence[Hashable], least_pairable: int = 1, complete: bool | None = None) -> Table:
    """2–5 annotators, 1–8 items, 1–5 categories of which some may be used by nobody, some labels missing."""
    categories = draw(st.lists(st.sampled_from(labels), min_size=1, max_size=5, unique=True))
    used = draw(st.lists(st.sampled_from(categories), min_size=1, unique=True))
    if not any(isinstance(label, str | frozenset) for label in labels):
        categories.sort()  # type: ignore[type-var]
    holes = draw(st.booleans()) if complete is None else not complete
    cell = st.sampled_from([None, *used, *used] if holes else used)
    annotators = draw(st.integers(2, 5))
    items = draw(st.integers(max(1, least_pairable), 8))
    rows = draw(st.lists(st.tuples(*[cell] * annotators), min_size=items, max_size=items))
    table = Table(tuple(rows), tuple(categories))
    assume(table.pairable >= least_pairable)
    return table


@st.composite
def unanimous(draw: st.DrawFn, labels: Sequence[Hashable]) -> Table:
    """The same label everywhere, among others that nobody used."""
    table = draw(tables(labels))
    label = draw(st.sampled_from(table.categories))
    return replace(table, rows=tuple(tuple(None if x is None else label for x in row) for row in table.rows))


def labels_for(option: str, name: str) -> st.SearchStrategy[Sequence[Hashable]]:
    """Words where ranks will do, numbers where they are needed."""
    if name == "ratio":
        return st.sampled_from([FROM_ZERO, NUMBERS] if option == "distance" else [FROM_ZERO, NUMBERS, WORDS])
    if (option, name) == ("distance", "interval"):
        return st.just(SIGNED)
    return st.sampled_from([SIGNED, WORDS])


def naive_distance(option: str, name: str, table: Table) -> DistanceFunction:
    makers = DISTANCES if option == "distance" else WEIGHTS
    return makers[name](table.rows, table.categories)


def spec_of(measure: str, option: str, name: str) -> str:
    return f"{measure}({option}={name})"


def value_of(ratings: accord.Ratings, measure: Measure | str) -> accord.Score:
    return accord.score(ratings, measure, interval="none")


def assert_same(found: accord.Score, wanted: Result, measure: str, pairable: int) -> None:
    assert found.observed == approx(wanted.observed, abs=1e-9)
    if not math.isnan(wanted.expected):
        assert found.expected == approx(wanted.expected, abs=1e-9)
    # accord takes one item as too little for any correction of chance, also where a quotient exists.
    if math.isnan(wanted.value) or (pairable < 2 and measure != "percent"):
        assert math.isnan(found.value)
        assert found.undefined
    else:
        assert found.value == approx(wanted.value, abs=1e-9)
        assert found.undefined is None


# -- the same numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "name"), SPECS)
@fixed
@given(data=st.data())
def test_equals_naive(option: str, name: str, data: st.DataObject) -> None:
    table = data.draw(labels_for(option, name).flatmap(tables).filter(lambda table: table.varied))
    assert_all_same(table, option, name)


@pytest.mark.parametrize(("option", "name"), SPECS)
@fixed
@given(data=st.data())
def test_one_label_equals_naive(option: str, name: str, data: st.DataObject) -> None:
    """Where everybody chose the same label, 0/0 must be seen through all rounding."""
    table = data.draw(labels_for(option, name).flatmap(unanimous))
    assert_all_same(table, option, name)


def assert_all_same(table: Table, option: str, name: str) -> None:
    ratings, d = table.ratings, naive_distance(option, name, table)
    for measure in NAMES:
        found = value_of(ratings, spec_of(measure, option, name))
        assert_same(found, coefficient(measure, table.rows, table.categories, d), measure, table.pairable)


@pytest.mark.parametrize("name", SET_DISTANCES)
@fixed
@given(table=tables(SETS))
def test_sets_equal_naive(name: str, table: Table) -> None:
    ratings = table.ratings
    for measure in NAMES:
        wanted = coefficient(measure, table.rows, table.categories, SET_DISTANCES[name])
        assert_same(value_of(ratings, spec_of(measure, "distance", name)), wanted, measure, table.pairable)


@st.composite
def symmetric(draw: st.DrawFn, size: int, diagonal: float, most: float) -> NDArray[np.float64]:
    cells = st.one_of(st.sampled_from([0.0, 1.0]), st.integers(0, int(most * 64)).map(lambda k: k / 64))
    matrix = np.full((size, size), diagonal)
    for i, j in zip(*np.triu_indices(size, 1), strict=True):
        matrix[i, j] = matrix[j, i] = draw(cells)
    return matrix


def by_table(table: Table, matrix: NDArray[np.float64]) -> DistanceFunction:
    return lambda a, b: float(matrix[table.categories.index(a), table.categories.index(b)])


@fixed
@given(data=st.data())
def test_any_distances_equal_naive(data: st.DataObject) -> None:
    table = data.draw(tables(WORDS))
    matrix = data.draw(symmetric(len(table.categories), 0.0, most=5.0))
    assume(matrix.any() or len(matrix) == 1)  # see test_no_distance_at_all
    ratings, d = table.ratings, by_table(table, matrix)
    for cls in accord.MEASURES:
        wanted = coefficient(cls.name, table.rows, table.categories, d)
        assert_same(value_of(ratings, cls(distance=matrix)), wanted, cls.name, table.pairable)


@fixed
@given(data=st.data())
def test_any_weights_equal_naive(data: st.DataObject) -> None:
    """Weights are taken as they are: 0.5 is half an agreement, also where no weight is 0."""
    table = data.draw(tables(WORDS))
    matrix = data.draw(symmetric(len(table.categories), 1.0, most=1.0))
    assume((matrix < 1).any() or len(matrix) == 1)  # see test_no_distance_at_all
    ratings, d = table.ratings, by_table(table, 1 - matrix)
    for cls in accord.MEASURES:
        wanted = coefficient(cls.name, table.rows, table.categories, d, scale=1.0)
        assert_same(value_of(ratings, cls(weights=matrix)), wanted, cls.name, table.pairable)
