"""Counts and confusion matrices that contradict the declared categories or their own names."""

from __future__ import annotations

import pytest

import accord

from ..refusals import raises


def test_counts_of_undeclared_categories_are_refused() -> None:
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
def test_confusion_matrix_with_different_row_and_column_names_is_refused(names: list[str], words: str) -> None:
    with raises(words):
        accord.read({"label": names, "a": [2, 1], "b": [0, 1]}, layout="confusion")
