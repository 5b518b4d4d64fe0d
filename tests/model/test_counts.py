"""Counts are stored as counts: a cell of 200 million needs as much memory as a cell of 2."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.data.model.ratings import Ratings

from ..hypothesis_profiles import examples
from ..refusals import raises

SPECS = (
    "percent", "s", "pi", "alpha", "ac", "alpha(ordinal)", "alpha(interval)", "alpha(ratio)", "ac(weights=linear)",
    "pi(weights=quadratic)", "icc(form=1)",
)  # fmt: skip


def expand_counts(counts: Ratings) -> Ratings:
    """Return the same data with one row per label and placeholder annotators."""
    one = counts.one_by_one
    seat = np.concatenate([np.arange(n) for n in one.sizes]).astype(np.int32)
    return replace(one, annotator=seat, annotators=tuple(f"#{k + 1}" for k in range(int(one.sizes.max(initial=0)))))


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    q = draw(st.sampled_from([2, 3, 5, 70]))  # more than 64 categories are counted by another method
    cell = st.sampled_from([0, 0, 0, 1, 2, 4])
    return draw(st.lists(st.lists(cell, min_size=q, max_size=q), min_size=2, max_size=6).filter(np.any))


def outcome(data: Ratings, spec: str) -> list[Any]:
    try:
        score = accord.score(data, spec)
    except accord.DataError as error:
        return [str(error)]
    ends = (None, None) if score.interval is None else (score.interval.low, score.interval.high)
    numbers = (score.value, score.se, score.p, score.observed, score.expected, *ends)
    return [score.n, score.undefined, *(pytest.approx(x, abs=1e-9, nan_ok=True) for x in numbers)]


@pytest.mark.filterwarnings("ignore::accord.AccordWarning")
@pytest.mark.parametrize("spec", SPECS)
@examples(15)
@given(table=tables())
def test_counts_layout_gives_same_value_as_long_layout(spec: str, table: list[list[int]]) -> None:
    counts = Ratings.from_counts(table, list(range(1, len(table[0]) + 1)))
    assert outcome(counts, spec) == outcome(expand_counts(counts), spec)
    assert counts.digest == expand_counts(counts).digest
    assert counts.summary() == expand_counts(counts).summary()


def test_huge_counts_need_little_memory() -> None:
    counts = Ratings.from_counts([[200_000_000, 3], [5, 10**12]], ["a", "b"])
    assert len(counts.label) == 4
    assert counts.n_ratings == 1_000_200_000_008
    assert accord.alpha(counts).value == pytest.approx(1.0, abs=1e-6)
    with raises("too-large-to-compute"):
        accord.alpha(counts, null="permutation")


def test_summary_shows_the_first_items_as_counts() -> None:
    assert Ratings.from_counts([[3, 1], [0, 2]], ["a", "b"]).first(2)[1] == (("1", "3 × a, b"), ("2", "2 × b"))
