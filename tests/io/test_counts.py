"""Counts and confusion matrices that do not fit what was said about them."""

from __future__ import annotations

import pytest

import accord


def test_counts_of_labels_that_were_not_declared() -> None:
    counts = {"item": [1, 2], "a": [2, 1], "b": [0, 1]}
    assert accord.read(counts, layout="counts", categories=["b", "a", "c"]).categories.names == ("b", "a", "c")
    with pytest.raises(accord.DataError, match='label "b" is not among the declared categories: declare it, too'):
        accord.read(counts, layout="counts", categories=["a", "c"])


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a", "a"], 'two rows of the confusion matrix are called "a"'),
        (["x", "y"], "rows and columns of a confusion matrix name the same categories; here rows are"),
    ],
)
def test_a_confusion_matrix_names_the_same_twice(names: list[str], words: str) -> None:
    with pytest.raises(accord.DataError, match=words):
        accord.read({"label": names, "a": [2, 1], "b": [0, 1]}, layout="confusion")
