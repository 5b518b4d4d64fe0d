"""Gwet 2021, chapter 9: simulations of its statements; printed numbers of Shrout & Fleiss, Lin, Feldt."""

from __future__ import annotations

import os

import numpy as np
import pytest

import accord
from accord import cronbach, icc_forms
from accord.answers.compare import compare
from accord.answers.intra import intra
from accord.answers.plan_layout import crossing, two_of_each

from ..refusals import raises

SIMULATIONS = int(os.environ.get("ACCORD_SIMULATIONS", "300"))  # 2,000 in `make papers`


def noisy(seed: int, n: int = 60, annotators: int = 4) -> np.ndarray:
    """Items of three categories; each annotator errs on a third of them."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    other = rng.choice(3, size=(n, annotators), p=[0.5, 0.3, 0.2])
    return np.where(rng.random((n, annotators)) < 0.65, truth[:, None], other)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["alpha", "kappa", "ac"])
def test_paired_test_keeps_its_level(spec: str) -> None:
    """9.3.3: two equally good teams on the same items differ at the 5% level in 5% of cases."""
    rejected = 0
    for seed in range(SIMULATIONS):
        rows = noisy(seed)
        found = compare(
            *(accord.Ratings.from_rows(part, categories=[0, 1, 2]) for part in (rows[:, :2], rows[:, 2:])), spec
        )
        assert found.p is not None
        rejected += found.p <= 0.05
    share, error = rejected / SIMULATIONS, np.sqrt(0.05 * 0.95 / SIMULATIONS)
    assert abs(share - 0.05) < max(0.015, 3 * error), share


@pytest.mark.slow
def test_unpaired_test_keeps_its_level() -> None:
    """9.3.2: the same with different items."""
    rejected = 0
    for seed in range(SIMULATIONS):
        a, b = (accord.Ratings.from_rows(noisy(2 * seed + k, 50, 2), categories=[0, 1, 2]) for k in (0, 1))
        found = compare(a, b, "alpha", paired=False)
        assert found.p is not None
        assert found.n_common == 0
        rejected += found.p <= 0.05
    assert abs(rejected / SIMULATIONS - 0.05) < max(0.015, 3 * np.sqrt(0.05 * 0.95 / SIMULATIONS))


def test_two_annotators_per_item_reduce_precision_without_bias() -> None:
    """9.4: PC2 estimates the same as FC1; its variance includes the larger error."""
    data = accord.Ratings.from_rows(noisy(1, 400, 6), categories=[0, 1, 2])
    found = crossing(data, "pi", designs=200)
    assert found.two_per_item is not None
    assert found.two_per_item.value == pytest.approx(found.score.value, abs=0.02)
    assert found.two_per_item.se > found.score.se
    values = [accord.pi(two_of_each(data, np.random.default_rng(k))).value for k in range(200)]
    assert found.se_choice == pytest.approx(np.std(values, ddof=1), rel=0.25)
    assert found.two_per_item.se > found.se_choice


def test_repetitions_of_an_annotator_are_clustered_by_item() -> None:
    """9.6: rows are (item, annotator), columns trials; an item that three people repeat is one cluster, not three."""
    rng = np.random.default_rng(5)
    long: dict[str, list[object]] = {"item": [], "annotator": [], "label": []}
    for item in range(60):
        hard = rng.random() < 0.3
        for who in ("Ana", "Ben", "Chloé"):
            first = rng.integers(3)
            for _ in range(2):
                label = rng.integers(3) if hard else first
                for column, value in (("item", item), ("annotator", who), ("label", int(label))):
                    long[column].append(value)
    found = intra(long, "alpha")
    naive = accord.alpha(accord.read(long, repeats="trials"))
    assert found.score.value == naive.value
    assert naive.se is not None
    assert found.score.se > 1.2 * naive.se
    assert set(found.annotators) == {"Ana", "Ben", "Chloé"}
    with raises("nothing-shared"):
        intra(accord.Ratings.from_rows([["a", "b"], ["a", "a"]]), "alpha")


def test_shrout_fleiss_1979_table_4() -> None:
    """Their Table 2, the six forms as printed, and the intervals of psych for the same data."""
    data = accord.Ratings.from_rows(
        [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    )
    found = icc_forms(data)
    assert [round(s.value, 2) for s in found.values()] == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    ends = {"1": (-0.133, 0.723), "2": (0.019, 0.761), "3": (0.342, 0.946)}
    ends |= {"1k": (-0.884, 0.912), "2k": (0.071, 0.927), "3k": (0.676, 0.986)}
    for form, want in ends.items():
        interval = found[form].interval
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx(want, abs=5e-4), form
    alpha = cronbach(data)  # 9.7: Cronbach's α is ICC(3,k), and Feldt's interval its interval
    assert alpha.value == pytest.approx(found["3k"].value, abs=1e-12)
    assert alpha.interval is not None
    assert found["3k"].interval is not None
    assert (alpha.interval.low, alpha.interval.high) == pytest.approx(
        (found["3k"].interval.low, found["3k"].interval.high), abs=1e-9
    )
