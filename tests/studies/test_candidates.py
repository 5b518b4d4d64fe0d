"""Studies behind the defaults compute the intervals of accord, and tests of a difference keep their level."""

from __future__ import annotations

import os

import numpy as np
import pytest

import accord
from accord.core.context import Run
from studies.candidates import Corpora, Estimates, Kinds, default, dirichlet, linearised, table, tried
from studies.coverage import Pair, levels, levels_table

SIMULATIONS = int(os.environ.get("ACCORD_SIMULATIONS", "80"))  # 2,000 in `make papers`


@pytest.mark.parametrize(("categories", "annotators"), [(2, 2), (2, 5), (3, 3)])
def test_batched_values_equal_single_scores(categories: int, annotators: int) -> None:
    kinds, rng = Kinds.of(categories, annotators), np.random.default_rng(1)
    shares = (0.9, 0.1) if categories == 2 else (0.8, 0.15, 0.05)
    p = kinds.probabilities(shares, 0.6)
    assert p.sum() == pytest.approx(1.0)
    counts = rng.multinomial(60, p, size=12).astype(float)
    here = Corpora(Estimates(kinds, counts), Estimates(kinds, counts + kinds.of_no_opinion(counts)), rng)
    ends = {"linearised": linearised(here), "default": default(here)}
    for k, row in enumerate(counts.astype(int).tolist()):
        items = [np.repeat(np.arange(categories), item.astype(int)) for item in kinds.rows]
        data = accord.Ratings.from_rows([items[j].tolist() for j, n in enumerate(row) for _ in range(n)])
        for method, (low, high) in ends.items():
            found = accord.pi(data, interval=method).interval
            if found is not None:
                expected = max(-1.0, low[k]), min(1.0, high[k])
                assert (found.low, found.high) == pytest.approx(expected, abs=1e-9), method


def test_default_interval_covers_rare_categories_better_than_others() -> None:
    found = tried(300, 3, ((0.95, 0.05),), (50,), values=(0.6,))
    by_name = {(one.name, one.annotators): one for one in found}
    for annotators in (2, 5):
        assert by_name["`linearised`", annotators].covered < 0.85
        assert by_name["`bootstrap`", annotators].covered < 0.85
        assert by_name["`default`: linearised, or `added` below ten carriers", annotators].covered > 0.92
    assert "| `linearised` | **0." in table(found)


def test_posterior_interval_is_inside_the_range() -> None:
    kinds, rng = Kinds.of(2, 2), np.random.default_rng(2)
    counts = np.array([[40.0, 4.0, 6.0]])
    here = Corpora(Estimates(kinds, counts), Estimates(kinds, counts + kinds.of_no_opinion(counts)), rng)
    [low], [high] = dirichlet(here)
    assert -1 < low < here.plain.value[0] < high < 1


@pytest.mark.parametrize("paired", [True, False])
def test_difference_test_with_rare_categories_keeps_its_level(paired: bool) -> None:
    pair = Pair((0.95, 0.05), (0.95, 0.05), 2, 50, paired)
    plain, used = levels(SIMULATIONS, Run(2, jobs=1), [pair])
    assert plain.share > 0.1
    assert used.share <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / used.studies)
    assert "**" in levels_table([plain])


def test_unequal_prevalence_is_not_reported_as_a_difference() -> None:
    pair = Pair((0.95, 0.05), (0.8, 0.2), 5, 50, False)
    _, used = levels(SIMULATIONS, Run(3, jobs=1), [pair])
    assert used.share <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / used.studies)
