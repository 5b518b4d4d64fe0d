"""Tests of marginals with many categories, of which most pairs never occur."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

from accord.answers import marginals


def test_covariances_may_be_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(0).poisson(0.8, (30, 30))
    dense = marginals.of_table(table)
    monkeypatch.setattr(marginals, "_DENSE", 0)
    sparse = marginals.of_table(table)
    assert dense.stuart_maxwell is not None
    assert sparse.stuart_maxwell is not None
    assert asdict(sparse.stuart_maxwell) == pytest.approx(asdict(dense.stuart_maxwell), rel=1e-10)


def test_disagreements_in_separate_blocks_have_no_test_over_all() -> None:
    table = np.zeros((4, 4))
    table[:2, :2] = table[2:, 2:] = [[5, 2], [3, 4]]
    assert marginals.of_table(table).stuart_maxwell is None
    table[0, 3] = 1
    assert marginals.of_table(table).stuart_maxwell is not None
