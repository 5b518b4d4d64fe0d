"""Compare with statsmodels: Fleiss's and Cohen's κ with their errors, and tests of equal marginals."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

import accord

from ..cases import for_each

inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
contingency = pytest.importorskip("statsmodels.stats.contingency_tables")

SEEDS = range(5)


def random_rows(seed: int, annotators: int, q: int, n: int = 40) -> NDArray[np.int64]:
    rng = np.random.default_rng([seed, annotators, q])
    own = rng.integers(0, q, size=(n, 1))
    return np.where(rng.random((n, annotators)) < 0.6, own, rng.integers(0, q, size=(n, annotators)))


def random_table(seed: int, q: int) -> NDArray[np.int64]:
    """Draw a table without empty cells and with agreement above chance."""
    rng = np.random.default_rng([seed, q])
    return rng.integers(1, 12, size=(q, q)) + np.diag(rng.integers(5, 30, size=q))


@for_each(("annotators", "q", "seed"), list(product([2, 3, 6], [2, 5], SEEDS)))
def test_fleiss_and_randolph_equal_statsmodels(annotators: int, q: int, seed: int) -> None:
    rows = random_rows(seed, annotators, q)
    counts, _ = inter_rater.aggregate_raters(rows, n_cat=q)
    categories = list(range(q))
    for method, measure in (("fleiss", "pi"), ("randolph", "s")):
        wanted = inter_rater.fleiss_kappa(counts, method=method)
        assert accord.score(rows, measure, categories=categories).value == pytest.approx(wanted, abs=1e-9)
        from_counts = accord.score(counts, measure, layout="counts", categories=categories)
        assert from_counts.value == pytest.approx(wanted, abs=1e-9)


def test_unused_category_counts_for_randolph() -> None:
    rows = random_rows(0, 3, 4)
    counts, _ = inter_rater.aggregate_raters(rows, n_cat=6)
    wanted = inter_rater.fleiss_kappa(counts, method="randolph")
    assert accord.score(rows, "s", categories=list(range(6))).value == pytest.approx(wanted, abs=1e-9)
    assert accord.score(rows, "s").value != pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize(("weights", "wt"), [("identity", None), ("linear", "linear"), ("quadratic", "fc")])
@for_each(("q", "seed"), list(product([2, 3, 5], SEEDS)))
def test_cohens_kappa_and_its_errors_equal_statsmodels(weights: str, wt: str | None, q: int, seed: int) -> None:
    table = random_table(seed, q)
    wanted = inter_rater.cohens_kappa(table, wt=wt)
    found = accord.score(
        table,
        f"kappa(weights={weights})",
        layout="confusion",
        categories=list(range(1, q + 1)),
        interval="fleiss_cohen_everitt",
    )
    assert found.interval is not None
    assert found.value == pytest.approx(wanted.kappa, abs=1e-9)
    assert found.se == pytest.approx(wanted.std_kappa, abs=1e-9)
    assert found.details["se_null"] == pytest.approx(wanted.std_kappa0, abs=1e-9)
    assert found.details["z"] == pytest.approx(wanted.z_value, abs=1e-9)
    assert found.p == pytest.approx(wanted.pvalue_two_sided, abs=1e-9)
    assert found.interval.low == pytest.approx(wanted.kappa_low, abs=1e-9)
    assert found.interval.high == pytest.approx(wanted.kappa_upp, abs=1e-9)


@for_each("seed", SEEDS)
def test_cohens_kappa_with_numeric_categories_equals_statsmodels(seed: int) -> None:
    """Numeric categories keep their distances: 1, 2, 4, 9 are not equally spaced."""
    table, scores = random_table(seed, 4), [1, 2, 4, 9]
    for weights, wt in (("linear", "linear"), ("quadratic", "fc")):
        wanted = inter_rater.cohens_kappa(table, weights=np.array(scores), wt=wt)
        found = accord.score(
            table,
            f"kappa(weights={weights})",
            layout="confusion",
            categories=scores,
            interval="fleiss_cohen_everitt",
        )
        assert found.value == pytest.approx(wanted.kappa, abs=1e-9)
        assert found.se == pytest.approx(wanted.std_kappa, abs=1e-9)
        assert found.details["se_null"] == pytest.approx(wanted.std_kappa0, abs=1e-9)


@for_each("seed", SEEDS)
def test_raw_rows_give_the_same_errors_as_their_table(seed: int) -> None:
    rows = random_rows(seed, 2, 4)
    table, _ = inter_rater.to_table(rows, bins=4)
    wanted = inter_rater.cohens_kappa(table)
    found = accord.score(rows, "kappa", categories=[0, 1, 2, 3], interval="fleiss_cohen_everitt")
    assert found.value == pytest.approx(wanted.kappa, abs=1e-9)
    assert found.se == pytest.approx(wanted.std_kappa, abs=1e-9)
    assert found.details["se_null"] == pytest.approx(wanted.std_kappa0, abs=1e-9)


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
@for_each("seed", SEEDS)
def test_table_form_of_the_error_is_the_large_sample_error(weights: str, seed: int) -> None:
    """The table form of irrCAC and the formula of Fleiss, Cohen & Everitt give the same error."""
    wt = {"identity": None, "linear": "linear", "quadratic": "fc"}[weights]
    table = random_table(seed, 4)
    found = accord.score(
        table, f"kappa(weights={weights})", layout="confusion", categories=[1, 2, 3, 4], interval="table"
    )
    assert found.se == pytest.approx(inter_rater.cohens_kappa(table, wt=wt).std_kappa, abs=1e-9)


@for_each(("q", "seed"), list(product([2, 3, 5], SEEDS)))
def test_tests_of_equal_marginals_equal_statsmodels(q: int, seed: int) -> None:
    table = random_table(seed, q)
    ratings = accord.read(table, layout="confusion", categories=list(range(1, q + 1)))
    (pair,) = accord.marginals(ratings).pairs
    peer = contingency.SquareTable(table, shift_zeros=False)
    for ours, theirs in (
        (pair.stuart_maxwell, peer.homogeneity("stuart_maxwell")),
        (pair.bhapkar, peer.homogeneity("bhapkar")),
        (pair.bowker, peer.symmetry("bowker")),
    ):
        assert ours is not None
        assert ours.statistic == pytest.approx(theirs.statistic, abs=1e-9)
        assert ours.df == theirs.df
        assert ours.p == pytest.approx(theirs.pvalue, abs=1e-9)
    assert pair.n == table.sum()
    assert pair.kappa_max == pytest.approx(inter_rater.cohens_kappa(table).kappa_max, abs=1e-9)


@for_each("seed", SEEDS)
def test_mcnemar_equals_statsmodels(seed: int) -> None:
    table = random_table(seed, 2)
    ratings = accord.read(table, layout="confusion", categories=["yes", "no"])
    (pair,) = accord.marginals(ratings).pairs
    wanted = contingency.mcnemar(table, exact=False, correction=False)
    assert pair.mcnemar is not None
    assert pair.mcnemar.statistic == pytest.approx(wanted.statistic, abs=1e-9)
    assert pair.mcnemar.p == pytest.approx(wanted.pvalue, abs=1e-9)


@for_each("seed", SEEDS)
def test_marginals_of_three_annotators_are_tested_by_pair(seed: int) -> None:
    rows = random_rows(seed, 3, 3, n=120)
    found = accord.marginals(accord.read(rows, categories=[0, 1, 2]))
    assert len(found.pairs) == 3
    for pair, (first, second) in zip(found.pairs, [(0, 1), (0, 2), (1, 2)], strict=True):
        table, _ = inter_rater.to_table(rows[:, [first, second]], bins=3)
        theirs = contingency.SquareTable(table, shift_zeros=False).homogeneity("bhapkar")
        assert (pair.first, pair.second) == (f"A{first + 1}", f"A{second + 1}")
        assert pair.bhapkar is not None
        assert pair.bhapkar.statistic == pytest.approx(theirs.statistic, abs=1e-9)
