"""A distance, or weights, as a user says it: what is taken for the other, and what is neither."""

from __future__ import annotations

from typing import Any

import pytest

import accord
from accord.measures.distances import distance, weights
from accord.measures.distances.scales import IntervalDistance, Nominal, Quadratic


def test_distance_objects_are_taken_unchanged() -> None:
    assert distance(Nominal()) == Nominal()
    assert weights(Quadratic()) == Quadratic()
    assert accord.measure("alpha(distance=interval)") == accord.measure("alpha").__class__(distance=IntervalDistance())


@pytest.mark.parametrize(
    ("choose", "given", "words"),
    [
        (weights, IntervalDistance(), "interval is not one of the weights: .*quadratic"),
        (distance, Quadratic(), "quadratic is not one of the distance: nominal"),
        (distance, "quadratic", "quadratic is no distance: write weights=quadratic"),
        (weights, "jaccard", "jaccard is no weights: write distance=jaccard"),
        (distance, object(), "give a name, a square matrix of numbers, or pairs of labels"),
        (distance, [1, 2], "give a name, a square matrix of numbers, or pairs of labels"),
    ],
)
def test_wrong_distance_is_refused_with_the_reason(choose: Any, given: object, words: str) -> None:
    with pytest.raises(accord.SpecError, match=words):
        choose(given)
