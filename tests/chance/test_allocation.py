"""Samples are allocated to strata at the least cost, and the stated precision is reached."""

from __future__ import annotations

import itertools
import os
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hypothesis_profiles import examples

import accord
from accord.core.context import Run
from accord.measures.alignment import best
from accord.measures.alignment.best import aligner
from accord.measures.chance.drawing import annotations_of
from accord.measures.chance.expected import Expected, expected_disorder
from accord.measures.chance.sampling import (
    Sampling,
    allocate_first_samples,
    allocate_samples,
    pool_spreads,
    samples_needed,
)
from accord.measures.units.gamma import Gamma


@examples(50)
@given(
    st.lists(
        st.tuples(st.floats(0.01, 10), st.floats(0.1, 1000), st.integers(2, 30)),
        min_size=1,
        max_size=6,
    ),
    st.floats(1e-4, 1),
)
def test_allocation_meets_the_variance_at_the_least_cost(strata: list[tuple[float, float, int]], sd: float) -> None:
    spreads, costs = (np.array([row[k] for row in strata]) for k in (0, 1))
    least = np.array([row[2] for row in strata])
    wanted = allocate_samples(spreads, costs, least, sd**2)
    assert (wanted >= least - 1e-9).all()
    assert (spreads**2 / wanted).sum() <= sd**2 * (1 + 1e-9)
    # Moving work from one stratum to another does not reduce the variance.
    for a, b in itertools.permutations(range(len(strata)), 2):
        moved = wanted.copy()
        moved[a] -= 0.01 * wanted[a]
        moved[b] += 0.01 * wanted[a] * costs[a] / costs[b]
        if moved[a] >= least[a]:
            assert (spreads**2 / moved).sum() >= (spreads**2 / wanted).sum() - 1e-12


def test_samples_of_one_stratum_follow_section_5_3() -> None:
    wanted = allocate_samples(np.array([0.040188]), np.array([7.0]), np.array([2]), (0.01 / 1.959964) ** 2)
    assert wanted[0] == pytest.approx(samples_needed(0.040188, 0.01))


def test_first_samples_are_divided_in_proportion() -> None:
    assert allocate_first_samples([5.0], 30).tolist() == [30]
    assert allocate_first_samples([60.0, 30.0, 9.99, 0.01], 30).tolist() == [18, 9, 3, 3]
    assert allocate_first_samples([60.0, 30.0, 9.99, 0.01], 30, fewest=1).tolist() == [18, 9, 3, 1]
    assert allocate_first_samples([0.5, 0.5], 2).tolist() == [2, 2]


def test_spread_of_few_samples_is_pooled() -> None:
    """Three samples may be equal by chance: their spread is estimated from the other strata, in proportion."""
    means, spreads = np.array([10.0, 1.0, 2.0]), np.array([2.0, 0.0, 0.0])
    found = pool_spreads(means, spreads, np.array([100, 3, 3]), [True, True, False])
    assert found[0] == 2.0
    assert 0.15 < found[1] < 0.2
    assert found[2] == 0.0


def crowd(
    seed: int, sizes: dict[int, int], units: tuple[int, int] = (1, 5), extents: tuple[int, int] = (30, 120)
) -> accord.Corpus:
    """Documents of several numbers of annotators, with units of random length and position."""
    rng = np.random.default_rng(seed)
    rows: dict[str, list[Any]] = {name: [] for name in ("doc", "annotator", "start", "end", "label")}
    number = 0
    for n, docs in sizes.items():
        for _ in range(docs):
            number += 1
            extent = int(rng.integers(*extents))
            for who in range(n):
                for _ in range(int(rng.integers(*units))):
                    start = int(rng.integers(0, extent - 10))
                    values = (f"d{number}", f"a{who}", start, start + int(rng.integers(1, 10)), "xyz"[rng.integers(3)])
                    for column, value in zip(rows.values(), values, strict=True):
                        column.append(value)
    corpus = accord.read(rows)
    assert isinstance(corpus, accord.Corpus)
    return corpus


def test_few_documents_need_few_samples() -> None:
    """Two documents of six annotators in a hundred: they get far less than half of the samples."""
    corpus = crowd(1, {2: 98, 6: 2})
    source = annotations_of(corpus, np.arange(len(corpus.docs)))
    align, seen = aligner(Gamma().between_units(corpus), soft=False), {2: 0, 6: 0}

    def watched(units: Any) -> Any:
        for n in units.annotators.tolist():
            seen[n] += 1
        return align(units)

    found = expected_disorder(source, source, Sampling("mix"), watched, Run())
    assert seen[2] + seen[6] == found.samples
    assert seen[6] < 12 < seen[2]
    assert found.total_se * 1.96 < 0.025 * found.total


@pytest.mark.slow
@pytest.mark.skipif("ACCORD_SIMULATIONS" not in os.environ, reason="takes minutes: make papers")
def test_expected_disorder_has_the_stated_precision() -> None:
    """Over many seeds, 95% are within 2% of the true value, and within the stated error."""
    corpus = crowd(2, {2: 20, 3: 8, 5: 2})
    source = annotations_of(corpus, np.arange(len(corpus.docs)))
    align = aligner(Gamma().between_units(corpus), soft=False)
    truth = expected_disorder(source, source, Sampling("mix", 60, 0.001), align, Run(10**6)).total
    found = [expected_disorder(source, source, Sampling("mix"), align, Run(seed)) for seed in range(300)]
    near = np.mean([abs(one.total - truth) < 0.02 * truth for one in found])
    inside = np.mean([abs(one.total - truth) < 1.96 * one.total_se for one in found])
    assert near > 0.9
    assert 0.9 < inside < 0.99


def test_coarse_chance_of_a_breakdown_is_reported() -> None:
    """The total is precise, but documents of six annotators have three samples. A note reports this."""
    (note,) = accord.score(crowd(1, {2: 98, 6: 2}), "gamma", interval="none").details["notes"]
    assert note.startswith("expected disorder is precise to 2% for all documents together")
    percent = float(re.fullmatch(r".*numbers of annotators: 6 ±(\d+)%", note)[1])  # type: ignore[index]
    assert 5 < percent < 30
    assert not accord.score(crowd(1, {2: 20}), "gamma", interval="none").details["notes"]


@pytest.fixture
def dense(monkeypatch: pytest.MonkeyPatch) -> accord.Corpus:
    """Limit the listing of groups to 50, as if the crowd were large."""
    monkeypatch.setattr(best, "_MOST_WITH_TWINS", 50)
    monkeypatch.setattr(best, "_MOST_GROUPS", 50)
    return crowd(3, {4: 4}, units=(3, 6), extents=(30, 31))


def test_reported_gap_of_chance_bounds_the_true_gap(dense: accord.Corpus) -> None:
    """The same samples, aligned to a gap and exactly: never below, and above by at most the gap in the details."""
    missed = []
    for seed in range(4):
        near, exact = (
            accord.score(dense, f"gamma(samples=6,precision=0.6{how})", interval="none", seed=seed)
            for how in ("", ",exact_chance=true")
        )
        assert near.details["samples"] == exact.details["samples"] == 6
        gap = near.details["chance_gap"]
        assert 0 < gap <= 0.06
        assert exact.details["chance_gap"] == 0
        assert near.observed == exact.observed
        assert exact.expected is not None
        assert near.expected is not None
        missed.append(near.expected / exact.expected - 1)
        assert -1e-12 <= missed[-1] <= gap / (1 - gap)
    assert max(missed) > 1e-6  # the gap was used


def test_gap_widens_the_interval() -> None:
    one = Expected("mix", 30, np.ones(1), total=10.0, total_se=0.1, gap=0.0)
    assert one.relative_error == pytest.approx(0.01)
    assert replace(one, gap=0.01).relative_error == pytest.approx(0.01 * 2**0.5)


@pytest.mark.slow
@pytest.mark.skipif("ACCORD_SIMULATIONS" not in os.environ, reason="takes minutes: make papers")
def test_interval_with_gap_covers_value_with_exact_chance(dense: accord.Corpus) -> None:
    truth = accord.score(dense, "gamma(samples=1000,precision=0.6,exact_chance=true)", interval="none").value
    scores = [accord.score(dense, "gamma(precision=0.1)", interval="monte_carlo", seed=seed) for seed in range(100)]
    inside = [s.interval is not None and s.interval.low <= truth <= s.interval.high for s in scores]
    assert np.mean(inside) >= 0.9
