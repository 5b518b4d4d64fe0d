"""The fast way equals the naive way, and what must not matter does not."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import accord
from accord.measures.catalogue import ON_ITEMS, Measure
from accord.measures.items.evidence import ItemEvidence
from accord.model.ratings import Numbered

from .naive import (
    COEFFICIENTS,
    DISTANCES,
    SET_DISTANCES,
    WEIGHTS,
    DistanceFunction,
    Result,
    coefficient,
    pairable_items,
)

# The same examples in every run: a failure here is a failure everywhere.
fixed = settings(
    max_examples=60,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)

fewer = settings(fixed, max_examples=25)

NAMES = tuple(COEFFICIENTS)
WORDS = ("low", "some", "mid", "high", "top", "b", "a")
NUMBERS = (0.1, 0.3, 0.7, 1, 2, 2.5, 3, 7, 10, 16)
FROM_ZERO = (0, *NUMBERS)
SIGNED = (-12, -0.7, *FROM_ZERO)
AROUND = (0, 1, 6, 90, 180, 358, 359)  # degrees: 0 and 359 are neighbours
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
    if name == "circular":
        return st.sampled_from([SIGNED, WORDS, AROUND])
    return st.sampled_from([SIGNED, WORDS])


def naive_distance(option: str, name: str, table: Table) -> DistanceFunction:
    makers = DISTANCES if option == "distance" else WEIGHTS
    return makers[name](table.rows, table.categories)


def spec_of(measure: str, option: str, name: str) -> str:
    return f"{measure}({option}={name})"


def value_of(ratings: accord.Ratings, measure: Measure | str) -> accord.Score:
    return accord.score(ratings, measure, interval="none")


def assert_same(found: accord.Score, wanted: Result, measure: str, pairable: int) -> None:
    assert found.observed == pytest.approx(wanted.observed, abs=1e-9)
    if not math.isnan(wanted.expected):
        assert found.expected == pytest.approx(wanted.expected, abs=1e-9)
    # accord takes one item as too little for any correction of chance, also where a quotient exists.
    if math.isnan(wanted.value) or (pairable < 2 and measure != "percent"):
        assert math.isnan(found.value)
        assert found.undefined
    else:
        assert found.value == pytest.approx(wanted.value, abs=1e-9)
        assert found.undefined is None


# -- the same numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "name"), SPECS)
@fixed
@given(data=st.data())
def test_equals_naive(option: str, name: str, data: st.DataObject) -> None:
    table = data.draw(labels_for(option, name).flatmap(tables).filter(lambda table: table.varied))
    assert_all_same(table, option, name)


@pytest.mark.parametrize(("option", "name"), SPECS)
@fewer
@given(data=st.data())
def test_one_label_equals_naive(option: str, name: str, data: st.DataObject) -> None:
    """Where everybody chose the same label, 0/0 must be seen through all rounding."""
    table = data.draw(labels_for(option, name).flatmap(unanimous))
    assert_all_same(table, option, name)


@pytest.mark.parametrize(
    ("spec", "label", "annotators", "categories"),
    [
        ("kappa(distance=interval)", -12, 3, (-12, 0.1)),
        ("kappa(distance=ordinal)", 0.1, 3, (-12, -0.7, 0, 0.1, 0.3)),
        ("kappa(distance=circular)", -0.7, 2, (-0.7, 1)),
        ("kappa(distance=circular)", 359, 3, (0, 359)),
        ("kappa(distance=circular)", 1, 6, (1, 2, 1440)),
        ("kappa(weights=quadratic)", 2.5, 3, (-12, -0.7, 2.5)),
    ],
)
def test_one_label_is_no_perfect_agreement(
    spec: str, label: float, annotators: int, categories: tuple[float, ...]
) -> None:
    """0/0 is not 1: D_e is 0, and rounding must not make it 1e-17."""
    found = accord.score(np.full((2, annotators), label), spec, categories=categories)
    assert math.isnan(found.value)
    assert found.undefined


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
    for cls in ON_ITEMS:
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
    for cls in ON_ITEMS:
        wanted = coefficient(cls.name, table.rows, table.categories, d, scale=1.0)
        assert_same(value_of(ratings, cls(weights=matrix)), wanted, cls.name, table.pairable)


def test_no_distance_at_all() -> None:
    """Labels that all mean the same: nothing can be said against chance, and nothing breaks."""
    ratings = accord.Ratings.from_rows([["a|b", "b|a"], ["a|b", "a|b"]])
    for measure in NAMES:
        found = value_of(ratings, f"{measure}(distance=jaccard)")
        assert found.observed == 1.0
        assert math.isnan(found.value) == (measure != "percent")


@pytest.mark.parametrize("measure", ["s", "pi", "kappa", "alpha", "ac"])
def test_one_item_is_too_little(measure: str) -> None:
    found = accord.score(accord.Ratings.from_rows([["a", "b", "b"], ["a", None, None]]), measure)
    assert math.isnan(found.value)
    assert found.undefined == "only one item has two labels or more"


@pytest.mark.parametrize("far", [1e3, 1e6, 1e9, 1e15])
@pytest.mark.parametrize("measure", ["pi", "kappa", "alpha"])
def test_a_far_unused_category_takes_no_digits(measure: str, far: float) -> None:
    """1 − D_o/D_e of squares does not know categories that nobody used: one typing error of a third annotator would
    otherwise spoil the value of the other two."""
    rows = np.random.default_rng(1).choice([0.1, 0.2, 0.3, 0.4], size=(40, 2))
    found = accord.score(rows, f"{measure}(distance=interval)", categories=[0.1, 0.2, 0.3, 0.4, far])
    assert found.value == pytest.approx(accord.score(rows, f"{measure}(distance=interval)").value, abs=1e-9)


def test_a_typing_error_of_the_third_leaves_the_pair_of_the_others() -> None:
    two = np.random.default_rng(1).choice([0.1, 0.2, 0.3, 0.4], size=(40, 2))
    three = np.column_stack([two, two[:, 0]])
    three[0, 2] = 1e9
    pair = accord.score(three, "kappa(distance=interval)").parts["pair"]["A1 – A2"]
    assert pair.value == pytest.approx(accord.score(two, "kappa(distance=interval)").value, abs=1e-9)


# -- other routes to the same numbers --------------------------------------------------------------------------


def many(q: int, items: int, annotators: int, missing: float = 0.15) -> Table:
    """q numbers as categories, all of them declared."""
    rng = np.random.default_rng([q, items, annotators])
    # A label near the one before, so that agreement is neither 0 nor 1.
    base = rng.integers(0, q, size=(items, 1))
    codes = np.clip(base + rng.integers(-2, 3, size=(items, annotators)), 0, q - 1)
    holes = rng.random(codes.shape) < missing
    rows = tuple(
        tuple(None if hole else int(code) + 1 for code, hole in zip(line, gaps, strict=True))
        for line, gaps in zip(codes, holes, strict=True)
    )
    return Table(rows, tuple(range(1, q + 1)))


@pytest.mark.parametrize("annotators", [3, 11])
@pytest.mark.parametrize(("option", "name"), SPECS)
def test_more_categories_than_a_dense_table_holds(option: str, name: str, annotators: int) -> None:
    """Above 64 categories rows are compared otherwise; with 11 annotators they are not compressed either."""
    table = many(q=73, items=24, annotators=annotators)
    ratings, d = table.ratings, naive_distance(option, name, table)
    assert (ratings.compressed is ratings) == (annotators == 11)
    for measure in NAMES:
        found = value_of(ratings, spec_of(measure, option, name))
        assert_same(found, coefficient(measure, table.rows, table.categories, d), measure, table.pairable)


@pytest.mark.parametrize("q", [64, 65])
def test_both_sides_of_the_dense_table(q: int) -> None:
    table = many(q=q, items=30, annotators=4)
    for option, name in (("distance", "nominal"), ("weights", "linear")):
        d = naive_distance(option, name, table)
        for measure in NAMES:
            found = value_of(table.ratings, spec_of(measure, option, name))
            wanted = coefficient(measure, table.rows, table.categories, d)
            assert_same(found, wanted, measure, table.pairable)


def test_thousands_of_names() -> None:
    rng = np.random.default_rng(5)
    names = tuple(f"lemma {k}" for k in range(2000))
    base = rng.integers(0, 2000, size=700)
    rows = tuple(tuple(names[k] if rng.random() < 0.7 else names[rng.integers(2000)] for _ in range(3)) for k in base)
    table = Table(rows, names)
    ratings, d = table.ratings, naive_distance("distance", "nominal", table)
    for measure in NAMES:
        wanted = coefficient(measure, table.rows, table.categories, d, scale=1.0)
        assert_same(value_of(ratings, measure), wanted, measure, table.pairable)


@pytest.mark.parametrize("name", ["ordinal", "interval"])
def test_more_categories_than_any_table(name: str) -> None:
    """More than 5,000 different numbers: these distances need no table."""
    table = many(q=5_500, items=60, annotators=3)
    ratings, d = table.ratings, naive_distance("distance", name, table)
    width = d(table.categories[0], table.categories[-1])
    for measure in ("percent", "pi", "kappa", "alpha"):
        wanted = coefficient(measure, table.rows, table.categories, d, scale=width)
        assert_same(value_of(ratings, spec_of(measure, "distance", name)), wanted, measure, table.pairable)


def test_a_table_of_too_many_categories_is_refused() -> None:
    with pytest.raises(accord.SpecError, match="5,500 different labels"):
        accord.score(many(q=5_500, items=5, annotators=2).ratings, "kappa(weights=linear)")


@pytest.mark.parametrize("q", [2_000, 2_001])
def test_circular_agreement_is_relative_to_the_largest_distance(q: int) -> None:
    """A narrow arc: the largest distance is far below 1, however many categories lie on it."""
    arc = [k / q for k in range(q)]
    rows = [[arc[0], arc[-1]], [arc[0], arc[q // 2]], [arc[5], arc[5]]]

    def d(a: float, b: float) -> float:
        return math.sin(math.pi * (a - b) / (arc[-1] + 1)) ** 2

    farthest = max(d(arc[0], x) for x in arc)
    wanted = 1 - (d(*rows[0]) + d(*rows[1])) / 3 / farthest
    found = accord.score(np.array(rows), "percent(distance=circular)", categories=arc)
    assert found.value == pytest.approx(wanted, abs=1e-9)


def assert_scores_equal(found: accord.Score, wanted: accord.Score) -> None:
    assert found.undefined == wanted.undefined
    for field in ("value", "observed", "expected", "se"):
        assert getattr(found, field) == pytest.approx(getattr(wanted, field), abs=1e-9, nan_ok=True), field
    if wanted.se is not None and wanted.se > 1e-9:  # see test_no_spread_has_no_p
        assert found.p == pytest.approx(wanted.p, abs=1e-9)


@pytest.mark.parametrize(("option", "name"), SPECS)
@fewer
@given(data=st.data())
def test_compressed_rows_change_nothing(option: str, name: str, data: st.DataObject) -> None:
    table = data.draw(labels_for(option, name).flatmap(lambda labels: tables(labels, least_pairable=2)))
    assume(table.varied)
    ratings = table.ratings
    for each in NAMES:
        measure = accord.measure(spec_of(each, option, name))
        long = ItemEvidence(ratings, ratings, ratings.weight, measure.metric)
        short = measure.observe(ratings)
        one, other = measure.contributions(long), measure.contributions(short)
        assert measure.estimate(long).value == pytest.approx(measure.estimate(short).value, abs=1e-9)
        assert one.n == other.n
        assert one.variance_of_mean() == pytest.approx(other.variance_of_mean(), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("annotators", [2, 5])
def test_long_keys_are_compressed_alike(annotators: int) -> None:
    """Keys beyond a bincount are sorted instead: 74^5 different rows. The k-th item occurs k times."""
    once = many(q=73, items=12, annotators=annotators)
    times = np.arange(1, len(once.rows) + 1)
    table = Table(tuple(row for row, k in zip(once.rows, times, strict=True) for _ in range(k)), once.categories)
    d = naive_distance("weights", "linear", table)
    said = table.ratings, replace(once.ratings, times=times)
    for ratings, measure in product(said, NAMES):
        assert len(ratings.compressed.items) == len({row for row in once.rows if any(row)})
        wanted = coefficient(measure, table.rows, table.categories, d)
        assert_same(value_of(ratings, f"{measure}(weights=linear)"), wanted, measure, table.pairable)


def varied(table: Table) -> bool:
    return table.varied


@pytest.mark.parametrize("name", ["nominal", "ordinal", "circular", "bipolar"])
@fewer
@given(table=tables(WORDS, least_pairable=2).filter(varied))
def test_counts_carry_the_same_coefficients(name: str, table: Table) -> None:
    rows = [[sum(x == label for x in row) for label in table.categories] for row in table.rows]
    counts = accord.read(np.array(rows), layout="counts", categories=table.categories)
    for measure in ("percent", "s", "pi", "alpha", "ac"):
        spec = spec_of(measure, "distance", name)
        assert_scores_equal(accord.score(counts, spec), accord.score(table.ratings, spec))
    assert accord.score(counts, "kappa").undefined == "the table does not say whose labels they are"


@pytest.mark.parametrize("name", ["identity", "linear", "quadratic", "ordinal", "circular"])
@fewer
@given(table=tables(WORDS, least_pairable=2, complete=True).filter(varied))
def test_a_confusion_matrix_carries_the_same_coefficients(name: str, table: Table) -> None:
    pairs = [row[:2] for row in table.rows]
    cells = [[pairs.count((a, b)) for b in table.categories] for a in table.categories]
    confusion = accord.read(np.array(cells), layout="confusion", categories=table.categories)
    rows = accord.Ratings.from_rows(pairs, categories=table.categories)
    assume(len({label for pair in pairs for label in pair}) > 1)
    for measure in NAMES:
        spec = spec_of(measure, "weights", name)
        assert_scores_equal(accord.score(confusion, spec), accord.score(rows, spec))


@fixed
@given(table=tables(WORDS, least_pairable=2))
def test_lists_of_rows_are_read_alike(table: Table) -> None:
    assert list(islice(Numbered(3), 10)) == ["1", "2", "3"]  # without an end, reading would have none
    found = accord.read([list(row) for row in table.rows], categories=list(table.categories))
    for measure in NAMES:
        assert_scores_equal(accord.score(found, measure), accord.score(table.ratings, measure))


# -- what does not matter --------------------------------------------------------------------------------------

MIXED = ("percent", "s", "pi", "kappa", "alpha", "ac", "alpha(distance=ordinal)", "kappa(distance=circular)",
         "pi(weights=linear)", "kappa(weights=quadratic)", "ac(weights=ordinal)", "s(weights=bipolar)")  # fmt: skip


@fixed
@given(table=tables(WORDS, least_pairable=2).filter(varied), random=st.randoms(use_true_random=False))
def test_order_of_items_and_annotators(table: Table, random: Random) -> None:
    rows = [list(row) for row in table.rows]
    random.shuffle(rows)
    seats = list(range(len(rows[0])))
    random.shuffle(seats)
    other = accord.Ratings.from_rows([[row[g] for g in seats] for row in rows], categories=table.categories)
    for spec in MIXED:
        assert_scores_equal(accord.score(other, spec), accord.score(table.ratings, spec))


@fixed
@given(table=tables(WORDS, least_pairable=2), random=st.randoms(use_true_random=False))
def test_the_fingerprint_does_not_know_the_order_of_items(table: Table, random: Random) -> None:
    rows = list(table.rows)
    random.shuffle(rows)
    assert accord.Ratings.from_rows(rows, categories=table.categories).digest == table.ratings.digest


@pytest.mark.parametrize("made", ["many annotators", "counts"])
def test_the_fingerprint_of_rows_that_are_not_compressed(made: str) -> None:
    """The promise of Ratings.digest, `whatever the order of the items`, where no keys are made."""
    if made == "counts":
        rows: list[list[object]] = [[3, 0, 1], [2, 2, 0], [0, 1, 3]]
        pair = [accord.Ratings.from_counts(given, ["a", "b", "c"]) for given in (rows, rows[::-1])]
    else:
        rows = [[str((i * 7 + g) % 9) for g in range(25)] for i in range(4)]
        pair = [accord.Ratings.from_rows(given) for given in (rows, rows[::-1])]
    assert pair[0].digest == pair[1].digest


@fixed
@given(table=tables(WORDS, least_pairable=2).filter(varied), random=st.randoms(use_true_random=False))
def test_names_of_nominal_labels(table: Table, random: Random) -> None:
    names = [f"name {k}" for k in range(len(table.categories))]
    random.shuffle(names)
    new = dict(zip(table.categories, names, strict=True))
    rows = [[None if label is None else new[label] for label in row] for row in table.rows]
    other = accord.Ratings.from_rows(rows, categories=sorted(names))
    for measure in NAMES:
        assert_scores_equal(accord.score(other, measure), accord.score(table.ratings, measure))


@pytest.mark.parametrize(("option", "name"), SPECS)
@fewer
@given(data=st.data(), k=st.integers(2, 4))
def test_items_told_several_times(option: str, name: str, data: st.DataObject, k: int) -> None:
    """Shares stay what they were; α only knows that its labels are more: 1 − α is (1 − 1/n) times what it tends to."""
    table = data.draw(labels_for(option, name).flatmap(lambda labels: tables(labels, least_pairable=2)))
    assume(table.varied)
    ratings, repeated = table.ratings, Table(table.rows * k, table.categories).ratings
    times = replace(ratings, times=np.full(len(ratings.items), k))
    for measure in NAMES:
        spec = spec_of(measure, option, name)
        once, again = accord.score(ratings, spec), accord.score(repeated, spec)
        assert_scores_equal(accord.score(times, spec), again)
        assert again.observed == pytest.approx(once.observed, abs=1e-9)
        if measure != "alpha":
            assert again.expected == pytest.approx(once.expected, abs=1e-9)
            assert again.value == pytest.approx(once.value, abs=1e-9, nan_ok=True)
        elif not once.undefined:
            n = sum(map(len, pairable_items(table.rows)))
            wanted = 1 - (1 - once.value) / (1 - 1 / n) * (1 - 1 / (k * n))
            assert again.value == pytest.approx(wanted, abs=1e-9)


# -- the standard error ----------------------------------------------------------------------------------------


def numerical_influence(measure: Measure, evidence: ItemEvidence, step: float = 1e-4) -> NDArray[np.float64]:
    """n · ∂value/∂times of each row, by central differences.

    For α it is the influence on α′ = (α − ε)/(1 − ε), ε = 1/n, times 1 − ε: ε is a constant of the first-order error.
    """

    def value(times: NDArray[np.float64]) -> float:
        moved = evidence.weighted(times)
        found = measure.estimate(moved).value
        if measure.name != "alpha":
            return found
        epsilon = 1 / float(moved.paired @ moved.sizes)
        return (found - epsilon) / (1 - epsilon)

    n = (evidence.paired if measure.name == "alpha" else evidence.labelled).sum()
    if measure.name == "alpha":
        n *= 1 - 1 / float(evidence.paired @ evidence.sizes)
    moves = step * np.eye(len(evidence.times))
    return np.array([n * (value(evidence.times + m) - value(evidence.times - m)) / (2 * step) for m in moves])


@pytest.mark.parametrize(("option", "name"), [*FIXED_SPECS, ("distance", "ordinal")])
@fewer
@given(data=st.data())
def test_linearised_error_is_the_numerical_one(option: str, name: str, data: st.DataObject) -> None:
    table = data.draw(labels_for(option, name).flatmap(lambda labels: tables(labels, least_pairable=3)))
    assume(table.varied)
    ratings = table.ratings
    # Krippendorff's ordinal distance moves with the data: only α follows it there.
    for each in ("alpha",) if (option, name) == ("distance", "ordinal") else NAMES:
        measure = accord.measure(spec_of(each, option, name))
        evidence = measure.observe(ratings)
        score = accord.score(ratings, measure)
        spread = measure.contributions(evidence)
        n = spread.n
        influence = numerical_influence(measure, evidence)
        if each != "alpha":
            # Gwet's κ_i = (n/n')·… takes n', the number of items with two labels, as given and not as drawn: with
            # items of one label this adds κ(n/n' − 1) to the others and −κ to them. irrCAC prints the same.
            influence += score.value * (n / evidence.paired.sum() * (evidence.sizes > 1) - 1)
        size = max(1.0, float(np.abs(influence).max()))
        counted = spread.times > 0
        assert spread.times @ spread.values / n == pytest.approx(score.value, abs=1e-9)
        assert (spread.values - score.value)[counted] == pytest.approx(influence[counted], abs=1e-5 * size)
        error = math.sqrt(float(spread.times @ influence**2) / (n * (n - 1)))
        assert score.se == pytest.approx(error, abs=1e-5 * size)
        assert score.details["df"] == n - 1


@pytest.mark.parametrize(
    ("spec", "rows"),
    [
        ("pi", ["aaabb", "bbccb"]),
        ("alpha", ["aaabb", "bbccb"]),
        ("ac", ["aaabb", "bbccb"]),
        ("kappa(distance=circular)", ["aaa", "aab"]),
    ],
)
def test_no_spread_has_no_p(spec: str, rows: list[str]) -> None:
    """Items that all say the same have no spread: an SE of 1e-16 is 0, and a quotient with it no test."""
    for seats in permutations(range(len(rows[0]))):
        ratings = accord.Ratings.from_rows([[row[g] for g in seats] for row in rows], categories=["a", "b", "c"])
        found = accord.score(ratings, spec)
        assert found.se == pytest.approx(0.0, abs=1e-12)
        assert found.p is None
