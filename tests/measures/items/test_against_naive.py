"""The coefficients on items equal the naive formulas."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import accord
from accord.data.model.ratings import Numbered
from accord.measures.catalogue import ON_ITEMS
from accord.measures.items.evidence import ItemEvidence

from ...cases import for_each
from ...hypothesis_profiles import examples
from ...refusals import raises
from .made import (
    NAMES,
    ON_LABELS,
    SETS,
    SPECS,
    WORDS,
    Table,
    assert_same,
    assert_scores_equal,
    fitting,
    naive_distance,
    spec_of,
    tables,
    unanimous,
    value_of,
    varied,
)
from .naive import SET_DISTANCES, DistanceFunction, coefficient

# -- the same numbers ------------------------------------------------------------------------------------------


@ON_LABELS
@examples(40)
@given(data=st.data())
def test_coefficients_equal_naive(labels: Sequence[Hashable], data: st.DataObject) -> None:
    assert_all_same(data.draw(tables(labels).filter(varied)), labels)


@ON_LABELS
@examples(20)
@given(data=st.data())
def test_single_label_equals_naive(labels: Sequence[Hashable], data: st.DataObject) -> None:
    """If all annotators chose the same label, rounding must not hide 0/0."""
    assert_all_same(data.draw(unanimous(labels)), labels)


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
def test_single_label_is_undefined(spec: str, label: float, annotators: int, categories: tuple[float, ...]) -> None:
    """0/0 is not 1: D_e is 0, and rounding must not make it 1e-17."""
    found = accord.score(np.full((2, annotators), label), spec, categories=categories)
    assert math.isnan(found.value)
    assert found.undefined


def assert_all_same(table: Table, labels: Sequence[Hashable]) -> None:
    ratings = table.ratings
    for option, name in fitting(labels):
        d = naive_distance(option, name, table)
        for measure in NAMES:
            found = value_of(ratings, spec_of(measure, option, name))
            assert_same(found, coefficient(measure, table.rows, table.categories, d), measure, table.pairable)


@examples(60)
@given(table=tables(SETS))
def test_sets_equal_naive(table: Table) -> None:
    ratings = table.ratings
    for name, measure in product(SET_DISTANCES, NAMES):
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


@examples(30)
@given(data=st.data())
def test_any_distances_equal_naive(data: st.DataObject) -> None:
    table = data.draw(tables(WORDS))
    matrix = data.draw(symmetric(len(table.categories), 0.0, most=5.0))
    assume(matrix.any() or len(matrix) == 1)  # see test_labels_without_any_distance_are_undefined
    ratings, d = table.ratings, by_table(table, matrix)
    for cls in ON_ITEMS:
        wanted = coefficient(cls.name, table.rows, table.categories, d)
        assert_same(value_of(ratings, cls(distance=matrix)), wanted, cls.name, table.pairable)


@examples(30)
@given(data=st.data())
def test_any_weights_equal_naive(data: st.DataObject) -> None:
    """Weights are not rescaled: 0.5 is half an agreement, even if no weight is 0."""
    table = data.draw(tables(WORDS))
    matrix = data.draw(symmetric(len(table.categories), 1.0, most=1.0))
    assume((matrix < 1).any() or len(matrix) == 1)  # see test_labels_without_any_distance_are_undefined
    ratings, d = table.ratings, by_table(table, 1 - matrix)
    for cls in ON_ITEMS:
        wanted = coefficient(cls.name, table.rows, table.categories, d, scale=1.0)
        assert_same(value_of(ratings, cls(weights=matrix)), wanted, cls.name, table.pairable)


@examples(30)
@given(data=st.data())
def test_asymmetric_weights_equal_naive(data: st.DataObject) -> None:
    """Cohen 1968: Σ w_kl over the table of two annotators, the first in rows; the survey, 2.6.2."""
    q, n = data.draw(st.integers(2, 4)), data.draw(st.integers(2, 12))
    cells = st.integers(0, 64).map(lambda k: k / 64)
    w = np.array([[1.0 if i == j else data.draw(cells) for j in range(q)] for i in range(q)])
    first, second = (np.array(data.draw(st.lists(st.integers(0, q - 1), min_size=n, max_size=n))) for _ in "ab")
    names = np.array(list("abcd"))
    table = {"item": list(range(n)), "Zoe": list(names[first]), "Ana": list(names[second])}
    ratings = accord.read(table, categories=list(names[:q]))
    shares = [np.bincount(side, minlength=q) / n for side in (first, second)]
    expected = shares[0] @ (1 - w) @ shares[1]
    assume(expected > 0 and len(set(first) | set(second)) > 1)
    score = accord.kappa(ratings, weights=w)
    assert score.value == pytest.approx(1 - (1 - w)[first, second].mean() / expected, abs=1e-12)
    assert score.parts["pair"]["Zoe – Ana"].value == pytest.approx(score.value, abs=1e-12)
    assert [one.value for one in score.parts["item"].values()] == pytest.approx(w[first, second])
    turned = accord.kappa(accord.read({"item": list(range(n)), "Ana": table["Ana"], "Zoe": table["Zoe"]},
                                      categories=list(names[:q])), weights=w.T)  # fmt: skip
    assert turned.value == pytest.approx(score.value, abs=1e-12)
    if score.se is not None and not math.isnan(score.se):
        assert turned.se == pytest.approx(score.se, abs=1e-9)


def test_standard_errors_with_asymmetric_weights_agree() -> None:
    """The linearised, Fleiss–Cohen–Everitt and jackknife errors agree."""
    rng = np.random.default_rng(3)
    first = rng.integers(0, 3, 400)
    second = np.where(rng.random(400) < 0.6, first, rng.integers(0, 3, 400))
    w = [[1, 0.9, 0.1], [0.2, 1, 0.7], [0, 0.5, 1]]
    errors = [
        accord.kappa(first, second, weights=w, interval=one).se
        for one in ("linearised", "fleiss_cohen_everitt", "jackknife")
    ]
    assert errors == pytest.approx([errors[0]] * 3, rel=0.01)


def test_asymmetric_weights_need_kappa_of_two_annotators() -> None:
    w = [[1, 0.5], [0, 1]]
    with raises("matrix-invalid"):
        accord.pi(["a", "b"], ["b", "b"], weights=w)
    with raises("matrix-invalid"):
        accord.kappa([["a", "b", "a"], ["b", "b", "a"]], weights=w)
    one_way = {("a", "b"): 0, ("b", "a"): 1}
    nothing = accord.kappa(["a", "a", "a"], ["b", "a", "b"], distance=one_way)
    assert nothing.undefined == "the expected disagreement is 0 in this direction of the matrix (0/0)"
    notes = accord.kappa(["a", "b", "a"], ["b", "b", "a"], weights=w).details["notes"]
    assert notes == ["the matrix is not symmetric: rows are the labels of A1, columns those of A2"]


def test_labels_without_any_distance_are_undefined() -> None:
    """All labels are equal as sets, so chance-corrected values are undefined."""
    ratings = accord.Ratings.from_rows([["a|b", "b|a"], ["a|b", "a|b"]])
    for measure in NAMES:
        found = value_of(ratings, f"{measure}(distance=jaccard)")
        assert found.observed == 1.0
        assert math.isnan(found.value) == (measure != "percent")


@pytest.mark.parametrize("measure", ["s", "pi", "kappa", "alpha", "ac"])
def test_one_pairable_item_is_undefined(measure: str) -> None:
    found = accord.score(accord.Ratings.from_rows([["a", "b", "b"], ["a", None, None]]), measure)
    assert math.isnan(found.value)
    assert found.undefined == "only one item has two labels or more"


@for_each("far", [1e3, 1e6, 1e9, 1e15])
@pytest.mark.parametrize("measure", ["pi", "kappa", "alpha"])
def test_far_unused_category_does_not_reduce_precision(measure: str, far: float) -> None:
    """Unused categories do not enter 1 − D_o/D_e. Otherwise a typing error of a third annotator would change the value
    of the other two."""
    rows = np.random.default_rng(1).choice([0.1, 0.2, 0.3, 0.4], size=(40, 2))
    found = accord.score(rows, f"{measure}(distance=interval)", categories=[0.1, 0.2, 0.3, 0.4, far])
    assert found.value == pytest.approx(accord.score(rows, f"{measure}(distance=interval)").value, abs=1e-9)


def test_typing_error_of_third_annotator_does_not_change_other_pair() -> None:
    two = np.random.default_rng(1).choice([0.1, 0.2, 0.3, 0.4], size=(40, 2))
    three = np.column_stack([two, two[:, 0]])
    three[0, 2] = 1e9
    pair = accord.score(three, "kappa(distance=interval)").parts["pair"]["A1 – A2"]
    assert pair.value == pytest.approx(accord.score(two, "kappa(distance=interval)").value, abs=1e-9)


# -- other routes to the same numbers --------------------------------------------------------------------------


def many(q: int, items: int, annotators: int, missing: float = 0.15) -> Table:
    """q numbers as categories, all of them declared."""
    rng = np.random.default_rng([q, items, annotators])
    # Labels near a common base, so that agreement is neither 0 nor 1.
    base = rng.integers(0, q, size=(items, 1))
    codes = np.clip(base + rng.integers(-2, 3, size=(items, annotators)), 0, q - 1)
    holes = rng.random(codes.shape) < missing
    rows = tuple(
        tuple(None if hole else int(code) + 1 for code, hole in zip(line, gaps, strict=True))
        for line, gaps in zip(codes, holes, strict=True)
    )
    return Table(rows, tuple(range(1, q + 1)))


@for_each("annotators", [3, 11])
@pytest.mark.parametrize(("option", "name"), SPECS)
def test_many_categories_without_dense_table_equal_naive(option: str, name: str, annotators: int) -> None:
    """Above 64 categories rows are compared differently; with 11 annotators they are not compressed."""
    table = many(q=73, items=24, annotators=annotators)
    ratings, d = table.ratings, naive_distance(option, name, table)
    assert (ratings.compressed is ratings) == (annotators == 11)
    for measure in NAMES:
        found = value_of(ratings, spec_of(measure, option, name))
        assert_same(found, coefficient(measure, table.rows, table.categories, d), measure, table.pairable)


@pytest.mark.parametrize("q", [64, 65])
def test_values_at_the_limit_of_the_dense_table_equal_naive(q: int) -> None:
    table = many(q=q, items=30, annotators=4)
    for option, name in (("distance", "nominal"), ("weights", "linear")):
        d = naive_distance(option, name, table)
        for measure in NAMES:
            found = value_of(table.ratings, spec_of(measure, option, name))
            wanted = coefficient(measure, table.rows, table.categories, d)
            assert_same(found, wanted, measure, table.pairable)


def test_thousands_of_names_equal_naive() -> None:
    rng = np.random.default_rng(5)
    names = tuple(f"lemma {k}" for k in range(2000))
    base = rng.integers(0, 2000, size=250)
    rows = tuple(tuple(names[k] if rng.random() < 0.7 else names[rng.integers(2000)] for _ in range(3)) for k in base)
    table = Table(rows, names)
    ratings, d = table.ratings, naive_distance("distance", "nominal", table)
    for measure in NAMES:
        wanted = coefficient(measure, table.rows, table.categories, d, scale=1.0)
        assert_same(value_of(ratings, measure), wanted, measure, table.pairable)


@pytest.mark.parametrize("name", ["ordinal", "interval"])
def test_thousands_of_numbers_equal_naive(name: str) -> None:
    """More than 5,000 different numbers: these distances need no table."""
    table = many(q=5_500, items=20, annotators=3)
    ratings, d = table.ratings, naive_distance("distance", name, table)
    width = d(table.categories[0], table.categories[-1])
    for measure in ("percent", "pi", "kappa", "alpha"):
        wanted = coefficient(measure, table.rows, table.categories, d, scale=width)
        assert_same(value_of(ratings, spec_of(measure, "distance", name)), wanted, measure, table.pairable)


def test_a_table_of_too_many_categories_is_refused() -> None:
    with raises("too-large-to-compute"):
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


@ON_LABELS
@examples(15)
@given(data=st.data())
def test_compressed_rows_give_the_same_values(labels: Sequence[Hashable], data: st.DataObject) -> None:
    ratings = data.draw(tables(labels, least_pairable=2).filter(varied)).ratings
    for (option, name), each in product(fitting(labels), NAMES):
        measure = accord.measure(spec_of(each, option, name))
        long = ItemEvidence(ratings, ratings, ratings.weight, measure.metric)
        short = measure.observe(ratings)
        one, other = measure.contributions(long), measure.contributions(short)
        assert measure.estimate(long).value == pytest.approx(measure.estimate(short).value, abs=1e-9)
        assert one.n == other.n
        assert one.variance_of_mean() == pytest.approx(other.variance_of_mean(), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("annotators", [2, 5])
def test_long_keys_are_compressed_the_same_way(annotators: int) -> None:
    """Keys beyond a bincount are sorted instead: 74^5 different rows. The k-th item occurs k times."""
    once = many(q=73, items=12, annotators=annotators)
    times = np.arange(1, len(once.rows) + 1)
    table = Table(tuple(row for row, k in zip(once.rows, times, strict=True) for _ in range(k)), once.categories)
    d = naive_distance("weights", "linear", table)
    both = table.ratings, replace(once.ratings, times=times)
    for ratings, measure in product(both, NAMES):
        assert len(ratings.compressed.items) == len({row for row in once.rows if any(row)})
        wanted = coefficient(measure, table.rows, table.categories, d)
        assert_same(value_of(ratings, f"{measure}(weights=linear)"), wanted, measure, table.pairable)


@examples(25)
@given(table=tables(WORDS, least_pairable=2).filter(varied))
def test_counts_layout_gives_same_coefficients_as_rows(table: Table) -> None:
    rows = [[sum(x == label for x in row) for label in table.categories] for row in table.rows]
    counts = accord.read(np.array(rows), layout="counts", categories=table.categories)
    for name, measure in product(("nominal", "ordinal", "circular", "bipolar"), ("percent", "s", "pi", "alpha", "ac")):
        spec = spec_of(measure, "distance", name)
        assert_scores_equal(accord.score(counts, spec), accord.score(table.ratings, spec), by_chance=False)
    assert accord.score(counts, "kappa").undefined == "the table does not identify the annotators"


@examples(25)
@given(table=tables(WORDS, least_pairable=2, complete=True).filter(varied))
def test_confusion_matrix_gives_same_coefficients_as_rows(table: Table) -> None:
    pairs = [row[:2] for row in table.rows]
    cells = [[pairs.count((a, b)) for b in table.categories] for a in table.categories]
    confusion = accord.read(np.array(cells), layout="confusion", categories=table.categories)
    rows = accord.Ratings.from_rows(pairs, categories=table.categories)
    assume(len({label for pair in pairs for label in pair}) > 1)
    for name, measure in product(("identity", "linear", "quadratic", "ordinal", "circular"), NAMES):
        spec = spec_of(measure, "weights", name)
        assert_scores_equal(accord.score(confusion, spec), accord.score(rows, spec))


@examples(30)
@given(table=tables(WORDS, least_pairable=2))
def test_lists_of_rows_give_same_scores_as_ratings(table: Table) -> None:
    assert list(islice(Numbered(3), 10)) == ["1", "2", "3"]  # the sequence ends, so reading ends, too
    found = accord.read([list(row) for row in table.rows], categories=list(table.categories))
    for measure in NAMES:
        assert_scores_equal(accord.score(found, measure), accord.score(table.ratings, measure))
