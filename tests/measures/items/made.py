"""Draw small random tables of labels, list the distances that fit them, and compare scores."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume
from hypothesis import strategies as st

import accord
from accord.measures.catalogue import Measure

from .naive import COEFFICIENTS, DISTANCES, WEIGHTS, DistanceFunction, Result, pairable_items

NAMES = tuple(COEFFICIENTS)
WORDS = ("low", "some", "mid", "high", "top", "b", "a")
NUMBERS = (0.1, 0.3, 0.7, 1, 2, 2.5, 3, 7, 10, 16)
FROM_ZERO = (0, *NUMBERS)
SIGNED = (-12, -0.7, *FROM_ZERO)
AROUND = (0, 1, 6, 90, 180, 358, 359)  # degrees: 0 and 359 are neighbours
SETS = tuple(frozenset(members) for members in ("", "x", "y", "xy", "xz", "yz", "xyz", "w"))

SPECS = [("distance", name) for name in DISTANCES] + [("weights", name) for name in WEIGHTS]


def fitting(labels: Sequence[Hashable]) -> list[tuple[str, str]]:
    """The distances and weights to try on these labels. Words have ranks; some distances need numbers."""
    if labels == AROUND:
        return [spec for spec in SPECS if spec[1] == "circular"]
    if labels in (FROM_ZERO, NUMBERS):
        return [spec for spec in SPECS if spec[1] == "ratio"]
    excluded = {("distance", "ratio"), ("weights", "ratio") if labels == SIGNED else ("distance", "interval")}
    return [spec for spec in SPECS if spec not in excluded]


# A table is drawn once and compared under all distances that fit: drawing costs more than comparing.
ON_LABELS = pytest.mark.parametrize(
    "labels",
    [WORDS, SIGNED, FROM_ZERO, NUMBERS, AROUND],
    ids=["words", "signed numbers", "numbers from zero", "positive numbers", "degrees"],
)


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
    """2–5 annotators, 1–8 items, 1–5 categories, some of them unused, some labels missing."""
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
    """The same label everywhere; the other categories are unused."""
    table = draw(tables(labels))
    label = draw(st.sampled_from(table.categories))
    return replace(table, rows=tuple(tuple(None if x is None else label for x in row) for row in table.rows))


def naive_distance(option: str, name: str, table: Table) -> DistanceFunction:
    makers = DISTANCES if option == "distance" else WEIGHTS
    return makers[name](table.rows, table.categories)


def spec_of(measure: str, option: str, name: str) -> str:
    return f"{measure}({option}={name})"


def value_of(ratings: accord.Ratings, measure: Measure | str) -> accord.Score:
    return accord.score(ratings, measure, interval="none")


def assert_same(found: accord.Score, wanted: Result, measure: str, pairable: int) -> None:
    assert found.observed == pytest.approx(wanted.observed, abs=1e-9), found.measure
    if not math.isnan(wanted.expected):
        assert found.expected == pytest.approx(wanted.expected, abs=1e-9), found.measure
    # accord does not correct for chance with one item, even if the quotient exists.
    if math.isnan(wanted.value) or (pairable < 2 and measure != "percent"):
        assert math.isnan(found.value), found.measure
        assert found.undefined
    else:
        assert found.value == pytest.approx(wanted.value, abs=1e-9), found.measure
        assert found.undefined is None


def assert_scores_equal(found: accord.Score, wanted: accord.Score, by_chance: bool = True) -> None:
    """`by_chance`: also compare p by permutation, which differs if a table does not identify the annotators."""
    assert found.undefined == wanted.undefined
    for field in ("value", "observed", "expected", "se"):
        assert getattr(found, field) == pytest.approx(getattr(wanted, field), abs=1e-9, nan_ok=True), field
    dealt = "permutations" in (found.details.get("test") or {})
    if (
        wanted.se is not None and wanted.se > 1e-9 and (by_chance or not dealt)
    ):  # see test_items_without_spread_have_no_p
        assert found.p == pytest.approx(wanted.p, abs=1e-9)


def varied(table: Table) -> bool:
    return table.varied
