"""Values by annotator and by pair equal scores of the pair alone; crowds take seconds."""

from __future__ import annotations

import math
import time
from itertools import combinations

import numpy as np
import pytest

import accord
from accord.measures.items import crowds

from ...refusals import raises

SPECS = (
    "percent", "s", "pi", "kappa", "alpha", "ac", "percent(weights=linear)", "s(weights=quadratic)",
    "kappa(weights=linear)", "pi(weights=ordinal)", "ac(weights=quadratic)", "alpha(distance=interval)",
    "alpha(distance=ordinal)",
)  # fmt: skip


def crowd(annotators: int, items: int, each: int, seed: int = 0) -> list[list[object]]:
    rng = np.random.default_rng(seed)
    rows: list[list[object]] = [[None] * annotators for _ in range(items)]
    for row in rows:
        true = int(rng.integers(1, 5))
        for g in rng.choice(annotators, each, replace=False):
            row[g] = true if rng.random() < 0.6 else int(rng.integers(1, 5))
    return rows


@pytest.mark.parametrize("at_once", [1, 40, 1 << 15])
@pytest.mark.parametrize("spec", SPECS)
def test_pair_values_equal_scores_of_the_pair_alone(spec: str, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of annotators per batch does not matter."""
    monkeypatch.setattr(crowds, "_MEETINGS", at_once)
    rows = crowd(12, 30, 4)
    found = accord.score(accord.Ratings.from_rows(rows, categories=[1, 2, 3, 4]), spec, interval="none")
    alone: dict[tuple[int, int], accord.Score] = {}
    for a, b in combinations(range(12), 2):
        both = [[row[a], row[b]] for row in rows if row[a] is not None and row[b] is not None]
        if both:
            data = accord.Ratings.from_rows(both, categories=[1, 2, 3, 4])
            alone[a, b] = accord.score(data, spec, interval="none")
    pairs = found.parts["pair"]
    assert len(pairs) == 66
    for a, b in combinations(range(12), 2):
        mine = pairs[f"A{a + 1} – A{b + 1}"]
        if (a, b) not in alone:
            assert (math.isnan(mine.value), mine.n, mine.observed) == (True, 0, None)
            continue
        assert mine.n == alone[a, b].n
        for what in ("value", "observed", "expected"):
            assert getattr(mine, what) == pytest.approx(getattr(alone[a, b], what), abs=1e-12, nan_ok=True)
    for g in range(12):
        values = [s for pair, s in alone.items() if g in pair and not math.isnan(s.value)]
        mine = found.parts["annotator"][f"A{g + 1}"]
        for what in ("value", "observed", "expected"):
            assert getattr(mine, what) == pytest.approx(np.mean([getattr(s, what) for s in values]), abs=1e-12)


def test_breakdown_of_825_annotators_takes_seconds() -> None:
    data = accord.Ratings.from_rows(crowd(825, 2_600, 5))
    found = accord.score(data, "kappa", interval="none")
    before = time.perf_counter()
    assert len(found.parts["annotator"]) == 825
    assert time.perf_counter() - before < 20
    with raises("too-large-to-compute"):
        found.parts["pair"]
