"""Counts and confusion matrices that do not fit what was said about them."""

from __future__ import annotations

import pytest

import accord

from ..refusals import raises


def test_counts_of_labels_that_were_not_declared() -> None:
    counts = {"item": [1, 2], "a": [2, 1], "b": [0, 1]}
    assert accord.read(counts, layout="counts", categories=["b", "a", "c"]).categories.names == ("b", "a", "c")
    with raises("undeclared-category", '"b"'):
        accord.read(counts, layout="counts", categories=["a", "c"])


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a", "a"], 'invalid-counts: "a"'),
        (["x", "y"], "invalid-counts"),
    ],
)
def test_a_confusion_matrix_names_the_same_twice(names: list[str], words: str) -> None:
    with raises(words):
        accord.read({"label": names, "a": [2, 1], "b": [0, 1]}, layout="confusion")
