"""Fingerprints do not depend on the order of items; repeated items equal weights. See tests/contract/metamorphic.py."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord

from ...hypothesis_profiles import examples
from .made import NAMES, ON_LABELS, WORDS, Table, assert_scores_equal, fitting, spec_of, tables, varied
from .naive import pairable_items


@examples(25)
@given(table=tables(WORDS, least_pairable=2), random=st.randoms(use_true_random=False))
def test_fingerprint_does_not_depend_on_order_of_items(table: Table, random: Random) -> None:
    rows = list(table.rows)
    random.shuffle(rows)
    assert accord.Ratings.from_rows(rows, categories=table.categories).digest == table.ratings.digest


@pytest.mark.parametrize("made", ["many annotators", "counts"])
def test_fingerprint_of_uncompressed_rows_does_not_depend_on_order(made: str) -> None:
    """`Ratings.digest` does not depend on the order of items, even if rows have no keys."""
    if made == "counts":
        rows: list[list[object]] = [[3, 0, 1], [2, 2, 0], [0, 1, 3]]
        pair = [accord.Ratings.from_counts(given, ["a", "b", "c"]) for given in (rows, rows[::-1])]
    else:
        rows = [[str((i * 7 + g) % 9) for g in range(25)] for i in range(4)]
        pair = [accord.Ratings.from_rows(given) for given in (rows, rows[::-1])]
    assert pair[0].digest == pair[1].digest


@pytest.mark.slow
@ON_LABELS
@examples(10)
@given(data=st.data(), k=st.integers(2, 4))
def test_repeated_items_equal_items_with_weights(labels: Sequence[Hashable], data: st.DataObject, k: int) -> None:
    """Shares do not change. α depends on the number n of labels: 1 − α is (1 − 1/n) times its limit."""
    table = data.draw(tables(labels, least_pairable=2).filter(varied))
    ratings, repeated = table.ratings, Table(table.rows * k, table.categories).ratings
    times = replace(ratings, times=np.full(len(ratings.items), k))
    for (option, name), measure in product(fitting(labels), NAMES):
        spec = spec_of(measure, option, name)
        once, again = accord.score(ratings, spec), accord.score(repeated, spec)
        assert_scores_equal(accord.score(times, spec), again)
        assert again.observed == pytest.approx(once.observed, abs=1e-9)
        if measure != "alpha":
            assert again.expected == pytest.approx(once.expected, abs=1e-9)
            assert again.value == pytest.approx(once.value, abs=1e-9, nan_ok=True)
        elif not once.undefined:
            n = sum(map(len, pairable_items(table.rows)))
            wanted = 1 - (1 - once.value) / (1 - 1 / n) * (1 - 1 / (k * n))
            assert again.value == pytest.approx(wanted, abs=1e-9)
