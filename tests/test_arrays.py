"""Distinct values of columns, compared with NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.core import arrays


@given(st.lists(st.integers(0, 30)), st.booleans())
def test_distinct_equals_numpy_unique(codes: list[int], by_table: bool) -> None:
    """With a lookup table, and by sorting, which is used if there are many more codes than rows."""
    column = np.array(codes, dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "_FEW", 31 if by_table else 0)
        found, at = arrays.distinct(column, 31)
    expected, expected_at = np.unique(column, return_inverse=True)
    assert found.tolist() == expected.tolist()
    assert at.tolist() == expected_at.tolist()
    assert found.dtype == np.int64


@given(st.lists(st.integers(-5, 5) | st.floats(-2, 2)))
def test_ascending_equals_sorted_set(values: list[float]) -> None:
    assert arrays.ascending(np.array(values, dtype=np.float64)).tolist() == sorted(set(values))
