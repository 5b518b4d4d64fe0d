"""The linearised standard error equals the numerical one."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import accord
from accord.measures.catalogue import Measure
from accord.measures.items.item_measure import ItemEvidence

from ...hypothesis_profiles import examples
from .made import NAMES, ON_LABELS, fitting, spec_of, tables, varied


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


@ON_LABELS
@examples(10)
@given(data=st.data())
def test_linearised_error_equals_numerical_error(labels: Sequence[Hashable], data: st.DataObject) -> None:
    ratings = data.draw(tables(labels, least_pairable=3).filter(varied)).ratings
    for (option, name), each in product(fitting(labels), NAMES):
        if (option, name) == ("distance", "ordinal") and each != "alpha":
            continue  # Krippendorff's ordinal distance depends on the data; only α accounts for it
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
def test_items_without_spread_have_no_p(spec: str, rows: list[str]) -> None:
    """Items with equal contributions have no spread: an SE of 1e-16 counts as 0, and there is no test."""
    for seats in permutations(range(len(rows[0]))):
        ratings = accord.Ratings.from_rows([[row[g] for g in seats] for row in rows], categories=["a", "b", "c"])
        found = accord.score(ratings, spec, interval="linearised")
        assert found.se == pytest.approx(0.0, abs=1e-12)
        assert found.p is None
