"""Compare with the krippendorff package."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

import accord

from ..cases import for_each

krippendorff = pytest.importorskip("krippendorff")

SEEDS = range(5)
LEVELS = ["nominal", "ordinal", "interval", "ratio"]
DOMAINS = [[1, 2, 3, 4, 5], [0, 1, 3, 4.5, 20]]


def random_rows(
    seed: int, domain: list[float], missing: float, annotators: int = 4, n: int = 40
) -> NDArray[np.float64]:
    rng = np.random.default_rng([seed, annotators, len(domain)])
    own = rng.integers(0, len(domain), size=(n, 1))
    codes = np.clip(own + rng.integers(-1, 2, size=(n, annotators)), 0, len(domain) - 1)
    rows = np.array(domain, dtype=np.float64)[codes]
    rows[rng.random(rows.shape) < missing] = np.nan
    return rows


@pytest.mark.parametrize("level", LEVELS)
@for_each("domain", DOMAINS)
@for_each(("missing", "seed"), list(product([0.0, 0.3, 0.6], SEEDS)))
def test_alpha_equals_krippendorff(level: str, domain: list[float], missing: float, seed: int) -> None:
    """With six of ten labels missing, many items have one label or none."""
    rows = random_rows(seed, domain, missing)
    wanted = krippendorff.alpha(rows.T, level_of_measurement=level)
    assert accord.score(rows, f"alpha(distance={level})").value == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@for_each("seed", SEEDS)
def test_alpha_of_counts_equals_krippendorff(level: str, seed: int) -> None:
    domain = [1, 2, 4, 8]
    counts = np.random.default_rng(seed).integers(0, 4, size=(30, len(domain)))
    wanted = krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)
    found = accord.score(counts, f"alpha(distance={level})", layout="counts", categories=domain)
    assert found.value == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@for_each("seed", SEEDS)
def test_alpha_with_an_unused_category_equals_krippendorff(level: str, seed: int) -> None:
    rows = random_rows(seed, [1, 2, 5, 6], missing=0.2)
    domain = [1, 2, 3, 5, 6, 7]
    wanted = krippendorff.alpha(rows.T, level_of_measurement=level, value_domain=domain)
    found = accord.score(rows, f"alpha(distance={level})", categories=domain)
    assert found.value == pytest.approx(wanted, abs=1e-9)


@for_each("seed", SEEDS)
def test_ordinal_alpha_of_words_equals_krippendorff(seed: int) -> None:
    """Words have the declared order."""
    order = np.array(["none", "little", "some", "much"])
    codes = random_rows(seed, [0, 1, 2, 3], missing=0.0).astype(int)
    wanted = krippendorff.alpha(order[codes].T, level_of_measurement="ordinal", value_domain=order)
    ratings = accord.Ratings.from_rows(order[codes].tolist(), categories=order.tolist())
    assert accord.score(ratings, "alpha(distance=ordinal)").value == pytest.approx(wanted, abs=1e-9)


@for_each("seed", SEEDS)
def test_alpha_with_a_custom_distance_equals_krippendorff(seed: int) -> None:
    rows = random_rows(seed, [1, 2, 3, 4], missing=0.2)
    matrix = np.random.default_rng(seed).random((4, 4))
    matrix = np.triu(matrix, 1) + np.triu(matrix, 1).T

    def metric(v1: NDArray[np.float64], v2: NDArray[np.float64], **_: object) -> NDArray[np.float64]:
        return matrix[np.asarray(v1, dtype=int) - 1, np.asarray(v2, dtype=int) - 1]

    wanted = krippendorff.alpha(rows.T, level_of_measurement=metric, value_domain=[1, 2, 3, 4])
    assert accord.alpha(rows, distance=matrix).value == pytest.approx(wanted, abs=1e-9)
