"""Tests of marginals with many categories; most pairs of categories do not occur."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

from accord.answers import marginals


def test_sparse_and_dense_covariances_give_the_same_test(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(0).poisson(0.8, (30, 30))
    dense = marginals.of_table(table)
    monkeypatch.setattr(marginals, "_DENSE", 0)
    sparse = marginals.of_table(table)
    assert dense.stuart_maxwell is not None
    assert sparse.stuart_maxwell is not None
    assert asdict(sparse.stuart_maxwell) == pytest.approx(asdict(dense.stuart_maxwell), rel=1e-10)


def test_stuart_maxwell_is_undefined_for_separate_blocks() -> None:
    table = np.zeros((4, 4))
    table[:2, :2] = table[2:, 2:] = [[5, 2], [3, 4]]
    assert marginals.of_table(table).stuart_maxwell is None
    table[0, 3] = 1
    assert marginals.of_table(table).stuart_maxwell is not None
