"""Distances and weights as users give them: objects, names, and invalid values."""

from __future__ import annotations

from typing import Any

import pytest

import accord
from accord.measures.distances import distance, weights
from accord.measures.distances.scales import IntervalDistance, Nominal, Quadratic

from ..refusals import raises


def test_distance_objects_are_accepted_unchanged() -> None:
    assert distance(Nominal()) == Nominal()
    assert weights(Quadratic()) == Quadratic()
    assert accord.measure("alpha(distance=interval)") == accord.measure("alpha").__class__(distance=IntervalDistance())


@pytest.mark.parametrize(
    ("choose", "given", "words"),
    [
        (weights, IntervalDistance(), "spec-syntax"),
        (distance, Quadratic(), "spec-syntax"),
        (distance, "quadratic", "spec-syntax"),
        (weights, "jaccard", "spec-syntax"),
        (distance, object(), "spec-syntax"),
        (distance, [1, 2], "spec-syntax"),
    ],
)
def test_wrong_distance_is_refused_with_the_reason(choose: Any, given: object, words: str) -> None:
    with raises(words):
        choose(given)
