"""Distances between sets equal their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measures.items.naive import SET_DISTANCES

from accord.measures.distances import distance, sets
from accord.measures.distances.sets import SetDistance


@pytest.mark.parametrize("name", SET_DISTANCES)
@given(st.lists(st.frozensets(st.sampled_from("abcde")), max_size=9), st.sampled_from([1, 20, 1000]))
def test_matrix_equals_the_definition_for_all_pairs(name: str, made: list[frozenset[str]], at_once: int) -> None:
    """Including equal sets (`a|b` and `b|a`), empty sets, and a table that is filled in parts."""
    chosen, between = distance(name), SET_DISTANCES[name]
    assert isinstance(chosen, SetDistance)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "_CELLS", at_once)
        found = chosen.matrix(made)
    assert found.shape == (len(made), len(made))
    assert found.ravel().tolist() == [between(a, b) for a in made for b in made]
