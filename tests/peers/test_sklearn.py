"""Compare with cohen_kappa_score of scikit-learn, which does not support missing labels."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

import accord

from ..cases import for_each

metrics = pytest.importorskip("sklearn.metrics")
exceptions = pytest.importorskip("sklearn.exceptions")

SEEDS = range(6)
WEIGHTS = [(None, "identity"), ("linear", "linear"), ("quadratic", "quadratic")]


def random_pair(seed: int, q: int, n: int = 60) -> NDArray[np.int64]:
    rng = np.random.default_rng([seed, q])
    first = rng.integers(1, q + 1, size=n)
    second = np.where(rng.random(n) < 0.5, first, np.clip(first + rng.integers(-2, 3, size=n), 1, q))
    return np.column_stack([first, second])


@pytest.mark.parametrize(("theirs", "ours"), WEIGHTS)
@for_each(("q", "seed"), list(product([2, 4, 9], SEEDS)))
def test_cohen_kappa_equals_sklearn(theirs: str | None, ours: str, q: int, seed: int) -> None:
    rows = random_pair(seed, q)
    wanted = metrics.cohen_kappa_score(rows[:, 0], rows[:, 1], labels=list(range(1, q + 1)), weights=theirs)
    found = accord.score(rows, f"kappa(weights={ours})", categories=list(range(1, q + 1)))
    assert found.value == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("theirs", "ours"), WEIGHTS)
@for_each("seed", SEEDS)
def test_weighted_kappa_of_words_uses_the_declared_order(theirs: str | None, ours: str, seed: int) -> None:
    """Categories have the declared order, which includes unused categories."""
    order = ["poor", "fair", "never used", "good", "excellent"]
    used = [order[k] for k in (0, 1, 3, 4)]
    rows = [[used[a - 1], used[b - 1]] for a, b in random_pair(seed, 4).tolist()]
    wanted = metrics.cohen_kappa_score(*zip(*rows, strict=True), labels=order, weights=theirs)
    ratings = accord.Ratings.from_rows(rows, categories=order)
    assert accord.score(ratings, f"kappa(weights={ours})").value == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("theirs", "ours"), WEIGHTS)
@for_each("seed", SEEDS)
def test_counts_equal_sample_weights_of_sklearn(theirs: str | None, ours: str, seed: int) -> None:
    q = 4
    matrix = np.random.default_rng(seed).integers(0, 30, size=(q, q))
    first, second = (index.ravel() + 1 for index in np.indices((q, q)))
    wanted = metrics.cohen_kappa_score(first, second, weights=theirs, sample_weight=matrix.ravel())
    found = accord.score(matrix, f"kappa(weights={ours})", layout="confusion", categories=list(range(1, q + 1)))
    assert found.value == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("theirs", "ours"), WEIGHTS)
def test_kappa_of_a_single_label_is_undefined_in_both(theirs: str | None, ours: str) -> None:
    rows = np.full((10, 2), 3)
    with pytest.warns(exceptions.UndefinedMetricWarning):
        wanted = metrics.cohen_kappa_score(rows[:, 0], rows[:, 1], labels=[1, 2, 3], weights=theirs)
    found = accord.score(rows, f"kappa(weights={ours})", categories=[1, 2, 3])
    assert np.isnan(wanted)
    assert np.isnan(found.value)
    assert found.undefined
