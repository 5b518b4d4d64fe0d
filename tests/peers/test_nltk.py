"""Compare with AnnotationTask of nltk.

Not compared: S, pi and kappa with a distance, because their chance agreement in nltk ignores the distance; missing
labels for measures other than alpha, because nltk does not support them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import product

import numpy as np
import pytest

import accord

from ..cases import for_each

nltk_agreement = pytest.importorskip("nltk.metrics.agreement")
nltk_distance = pytest.importorskip("nltk.metrics.distance")

SEEDS = range(4)
Rows = list[list[Hashable | None]]


def random_rows(seed: int, annotators: int, labels: list[Hashable], missing: float = 0.0) -> Rows:
    """Draw the same label in two of three cases, and any label in the others."""
    rng = np.random.default_rng([seed, annotators, len(labels)])
    rows: Rows = []
    for _ in range(25):
        own = int(rng.integers(len(labels)))
        row: list[Hashable | None] = []
        for _ in range(annotators):
            label = labels[own if rng.random() < 0.66 else int(rng.integers(len(labels)))]
            row.append(None if rng.random() < missing else label)
        rows.append(row)
    return rows


def task(rows: Rows, distance: Callable[..., float] | None = None) -> nltk_agreement.AnnotationTask:
    triples = [
        (f"annotator {g}", f"item {i}", label)
        for i, row in enumerate(rows)
        for g, label in enumerate(row)
        if label is not None
    ]
    return nltk_agreement.AnnotationTask(triples, distance=distance or nltk_distance.binary_distance)


def value(rows: Rows, spec: str) -> float:
    return accord.score(accord.Ratings.from_rows(rows), spec, interval="none").value


@for_each(("annotators", "seed"), list(product([2, 3, 5], SEEDS)))
def test_nominal_coefficients_equal_nltk(annotators: int, seed: int) -> None:
    rows = random_rows(seed, annotators, ["a", "b", "c", "d"])
    peer = task(rows)
    assert value(rows, "percent") == pytest.approx(peer.avg_Ao(), abs=1e-9)
    assert value(rows, "s") == pytest.approx(peer.S(), abs=1e-9)
    assert value(rows, "pi") == pytest.approx(peer.pi(), abs=1e-9)
    assert value(rows, "kappa") == pytest.approx(peer.multi_kappa(), abs=1e-9)
    assert value(rows, "alpha") == pytest.approx(peer.alpha(), abs=1e-9)


@for_each(("annotators", "seed"), list(product([2, 3, 5], SEEDS)))
def test_kappa_of_nltk_is_the_mean_over_pairs(annotators: int, seed: int) -> None:
    """nltk averages the κ of each pair, which accord gives as parts of the score."""
    rows = random_rows(seed, annotators, ["a", "b", "c"])
    pairs = accord.score(accord.Ratings.from_rows(rows), "kappa").parts["pair"]
    assert len(pairs) == annotators * (annotators - 1) // 2
    mean = float(np.mean([score.value for score in pairs.values()]))
    assert mean == pytest.approx(task(rows).kappa(), abs=1e-9)


@for_each(("annotators", "seed"), list(product([2, 4], SEEDS)))
def test_weighted_kappa_equals_nltk(annotators: int, seed: int) -> None:
    rows = random_rows(seed, annotators, [1, 2, 3, 5, 9])
    peer = task(rows, nltk_distance.interval_distance)
    score = accord.score(accord.Ratings.from_rows(rows), "kappa(distance=interval)")
    mean = float(np.mean([pair.value for pair in score.parts["pair"].values()]))
    assert mean == pytest.approx(peer.weighted_kappa(), abs=1e-9)
    if annotators == 2:
        assert score.value == pytest.approx(peer.weighted_kappa(), abs=1e-9)


@for_each(("missing", "seed"), list(product([0.0, 0.3], SEEDS)))
def test_interval_alpha_equals_nltk(missing: float, seed: int) -> None:
    rows = random_rows(seed, 4, [-2, 0, 1, 3.5, 10], missing)
    peer = task(rows, nltk_distance.interval_distance)
    assert value(rows, "alpha(distance=interval)") == pytest.approx(peer.alpha(), abs=1e-9)


@for_each("seed", SEEDS)
def test_nominal_alpha_with_missing_labels_equals_nltk(seed: int) -> None:
    rows = random_rows(seed, 4, ["a", "b", "c"], missing=0.4)
    assert value(rows, "alpha") == pytest.approx(task(rows).alpha(), abs=1e-9)


SETS: list[Hashable] = [frozenset(x) for x in ("a", "b", "ab", "bc", "abc", "d", "cd")]


@pytest.mark.parametrize(("spec", "peer_name"), [("jaccard", "jaccard_distance"), ("masi_nltk", "masi_distance")])
@for_each(("missing", "seed"), list(product([0.0, 0.3], SEEDS)))
def test_alpha_on_sets_equals_nltk(spec: str, peer_name: str, missing: float, seed: int) -> None:
    rows = random_rows(seed, 3, SETS, missing)
    peer = task(rows, getattr(nltk_distance, peer_name))
    assert value(rows, f"alpha(distance={spec})") == pytest.approx(peer.alpha(), abs=1e-9)


@pytest.mark.parametrize(("spec", "peer_name"), [("jaccard", "jaccard_distance"), ("masi_nltk", "masi_distance")])
@for_each("seed", SEEDS)
def test_weighted_kappa_on_sets_equals_nltk(spec: str, peer_name: str, seed: int) -> None:
    rows = random_rows(seed, 2, SETS)
    peer = task(rows, getattr(nltk_distance, peer_name))
    assert value(rows, f"kappa(distance={spec})") == pytest.approx(peer.weighted_kappa(), abs=1e-9)


def test_masi_of_the_survey_differs_from_nltk() -> None:
    """Artstein & Poesio multiply distances where nltk multiplies similarities: `masi` must not be `masi_nltk`."""
    rows = random_rows(0, 3, SETS)
    peer = task(rows, nltk_distance.masi_distance)
    assert abs(value(rows, "alpha(distance=masi)") - peer.alpha()) > 0.01
