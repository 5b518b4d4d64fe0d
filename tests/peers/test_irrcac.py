"""Compare raw tables with irrCAC 0.4 (Python).

Known differences of irrCAC: it prints SE(α′), not SE(α) = (1 − ε)·SE(α′), which `interval="irrcac"` gives;
where items have different numbers of labels, its α variance uses p_a for p′_a, so it is compared on complete tables
only; the p of Brennan–Prediger is one-sided, the others are two-sided. Ratio weights with a category 0 raise there.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import accord
from accord.measures.catalogue import ON_ITEMS

from ..cases import for_each

raw = pytest.importorskip("irrCAC.raw")
pd = pytest.importorskip("pandas")

SEEDS = range(3)
DIGITS = 13
WEIGHTS = ["identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular", "bipolar"]
CATEGORIES = [[1, 2, 3, 4], [1, 2, 4, 7, 9]]
PEERS = {"ac": "gwet", "pi": "fleiss", "kappa": "conger", "alpha": "krippendorff", "s": "bp"}


def random_rows(
    seed: int, categories: Sequence[float], missing: float, annotators: int, n: int = 24
) -> NDArray[np.float64]:
    """Draw rows in which every item has a label."""
    rng = np.random.default_rng([seed, len(categories), annotators])
    own = rng.permutation(np.resize(np.arange(len(categories)), n))[:, None]
    codes = np.clip(own + rng.integers(-1, 2, size=(n, annotators)), 0, len(categories) - 1)
    codes[rng.random(codes.shape) < 0.1] = 0
    rows = np.array(categories, dtype=np.float64)[codes]
    holes = rng.random(rows.shape) < missing
    holes[:, 0] &= ~holes.all(axis=1)
    rows[holes] = np.nan
    return rows


def irrcac_estimate(
    rows: NDArray[np.float64], measure: str, weights: Any, categories: Sequence[float]
) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas, on irrCAC's use of it
        peer = raw.CAC(pd.DataFrame(rows), weights=weights, categories=list(categories), digits=DIGITS)
        found: dict[str, Any] = getattr(peer, PEERS[measure])()["est"]
    return found


@pytest.mark.parametrize("measure", PEERS)
@pytest.mark.parametrize("weights", WEIGHTS)
@for_each("categories", CATEGORIES)
@for_each(("annotators", "missing"), [(2, 0.0), (4, 0.0), (4, 0.25)])
def test_coefficients_of_raw_tables_equal_irrcac(
    measure: str, weights: str, categories: list[float], annotators: int, missing: float
) -> None:
    for seed in SEEDS:
        rows = random_rows(seed, categories, missing, annotators)
        wanted = irrcac_estimate(rows, measure, weights, categories)
        found = accord.score(rows, f"{measure}(weights={weights})", categories=categories, interval="irrcac")
        assert found.value == pytest.approx(wanted["coefficient_value"], abs=1e-9)
        if measure == "alpha" and missing:
            continue  # its variance takes p_a for p′_a
        assert found.interval is not None
        low, high = wanted["confidence_interval"]
        assert found.se == pytest.approx(wanted["se"], abs=1e-9)
        assert found.p == pytest.approx(wanted["p_value"] * (2 if measure == "s" else 1), abs=1e-9)
        assert found.interval.low == pytest.approx(max(-1.0, low), abs=1e-9)
        assert found.interval.high == pytest.approx(high, abs=1e-9)


@for_each("measure", ["ac", "pi", "kappa", "s"])
@for_each("missing", [0.0, 0.25])
def test_observed_and_expected_agreement_equal_irrcac(measure: str, missing: float) -> None:
    """α is left out, because p_a and p_e of irrCAC include ε; accord gives 1 − D_o and 1 − D_e."""
    for seed, weights in product(SEEDS, WEIGHTS):
        rows = random_rows(seed, CATEGORIES[0], missing, annotators=3)
        wanted = irrcac_estimate(rows, measure, weights, CATEGORIES[0])
        found = accord.score(rows, f"{measure}(weights={weights})")
        assert found.observed == pytest.approx(wanted["pa"], abs=1e-9)
        assert found.expected == pytest.approx(wanted["pe"], abs=1e-9)


@pytest.mark.parametrize("measure", ["ac", "pi", "kappa", "s"])
def test_default_interval_equals_irrcac(measure: str) -> None:
    for seed in SEEDS:
        rows = random_rows(seed, CATEGORIES[1], 0.25, annotators=4)
        wanted = irrcac_estimate(rows, measure, "identity", CATEGORIES[1])
        assert accord.score(rows, measure).se == pytest.approx(wanted["se"], abs=1e-9)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_first_order_error_of_alpha_follows_from_irrcac(weights: str) -> None:
    """SE(α) = (1 − ε)·SE(α′), where ε is one over the number of labels on items with two or more."""
    for seed in SEEDS:
        rows = random_rows(seed, CATEGORIES[0], 0.0, annotators=3)
        wanted = irrcac_estimate(rows, "alpha", weights, CATEGORIES[0])["se"] * (1 - 1 / rows.size)
        assert accord.score(rows, f"alpha(weights={weights})").se == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("measure", PEERS)
def test_unused_category_gives_the_values_of_irrcac(measure: str) -> None:
    for seed, weights in product(SEEDS, WEIGHTS):
        rows = random_rows(seed, [1, 2, 4], 0.2, annotators=3)
        declared = [1, 2, 3, 4, 5]
        wanted = irrcac_estimate(rows, measure, weights, declared)
        found = accord.score(rows, f"{measure}(weights={weights})", categories=declared)
        assert found.value == pytest.approx(wanted["coefficient_value"], abs=1e-9)


@pytest.mark.parametrize("measure", PEERS)
@pytest.mark.parametrize("least", [0.0, 0.3])
def test_custom_weights_equal_irrcac(measure: str, least: float) -> None:
    """Weights are used unchanged, even if the smallest is not 0."""
    cls = next(cls for cls in ON_ITEMS if cls.name == measure)
    for seed in SEEDS:
        rows = random_rows(seed, CATEGORIES[0], 0.2, annotators=3)
        upper = np.triu(np.random.default_rng(seed).uniform(least, 1.0, size=(4, 4)), 1)
        upper[0, 3] = least
        weights = upper + upper.T + np.eye(4)
        wanted = irrcac_estimate(rows, measure, weights, CATEGORIES[0])
        found = accord.score(rows, cls(weights=weights))
        assert found.value == pytest.approx(wanted["coefficient_value"], abs=1e-9)
        if measure != "alpha":
            assert found.observed == pytest.approx(wanted["pa"], abs=1e-9)
            assert found.se == pytest.approx(wanted["se"], abs=1e-9)


@pytest.mark.parametrize("measure", ["ac", "pi", "kappa", "s"])
def test_error_for_a_finite_population_equals_irrcac(measure: str) -> None:
    rows = random_rows(0, CATEGORIES[0], 0.0, annotators=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas, on irrCAC's use of it
        peer = raw.CAC(pd.DataFrame(rows), categories=CATEGORIES[0], N=60, digits=DIGITS)
        wanted = getattr(peer, PEERS[measure])()["est"]
    found = accord.score(rows, measure, items_population=60)
    assert found.se == pytest.approx(wanted["se"], abs=1e-9)
