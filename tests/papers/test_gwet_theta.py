"""Gwet 2021, Handbook of Inter-Rater Reliability, 9.2: θ_G. Our text of the chapter ends before the value of 9.1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import accord

Row = tuple[Any, ...]  # annotator, start, end, label

# Example 9.1: the data of Krippendorff 2004.
EXAMPLE_9_1 = [
    ("1", 225, 295, "1"), ("1", 370, 400, "1"), ("1", 180, 240, "2"), ("1", 300, 350, "2"),
    ("2", 220, 300, "1"), ("2", 355, 375, "1"), ("2", 400, 420, "1"), ("2", 180, 240, "2"), ("2", 300, 350, "2"),
]  # fmt: skip


def corpus_of(rows: Sequence[Row], **options: Any) -> accord.Corpus:
    columns = {name: [row[k] for row in rows] for k, name in enumerate(("annotator", "start", "end", "label"))}
    corpus = accord.read(columns, **options)
    assert isinstance(corpus, accord.Corpus)
    return corpus


def zones(score: accord.Score) -> list[tuple[float, float, str, str]]:
    """Start, length, and the labels of both annotators."""
    return sorted((z["start"], z["length"], *(" ".join(side) for side in z["labels"])) for z in score.details["zones"])


def test_example_9_1_has_nine_zones() -> None:
    """A zone is a stretch on which both agree, or disagree in its category."""
    score = accord.theta(corpus_of(EXAMPLE_9_1, extents=(150, 450)))
    assert score.details["zones_cut"] == "joined"
    assert score.details["n_zones"] == 9
    assert zones(score) == [
        (180, 40, "2", "2"),
        (220, 5, "2", "1 2"),
        (225, 70, "1 2", "1 2"),
        (295, 5, "", "1"),
        (300, 50, "2", "2"),
        (355, 15, "", "1"),
        (370, 5, "1", "1"),
        (375, 25, "1", ""),
        (400, 20, "", "1"),
    ]


def test_example_9_1_by_hand() -> None:
    """Equations 9.2.7, 9.2.9, 9.2.13–15 on the nine zones, L = 235; at 220–225, {2} and {1, 2}: (2, 1) and (·, 2)."""
    score = accord.theta(corpus_of(EXAMPLE_9_1, extents=(150, 450)))
    gaps, agree = (5, 15, 25, 20), (40, 70, 50, 5)
    d = (5**2 + sum(n**2 for n in gaps)) / 235**2
    random = (0.75 * 5**2 + sum(n**2 for n in gaps) + sum(n**2 for n in agree) / 2) / 235**2
    assert score.observed == pytest.approx(d)
    assert score.details["random_disagreement"] == pytest.approx(random)
    assert score.value == pytest.approx(1 - d / (1 - 0.5 * (1 - random)))
    assert score.value == pytest.approx(0.9574, abs=5e-5)


def test_zone_can_have_two_different_labels() -> None:
    """9.2.9 and 9.2.15: one span, labelled x and y: Δ = 1 and, at random, (K − 1)/K."""
    score = accord.theta(corpus_of([("A", 0, 10, "x"), ("B", 0, 10, "y")]))
    assert zones(score) == [(0, 10, "x", "y")]
    assert (score.observed, score.details["random_disagreement"]) == (1, 0.5)
    assert score.value == pytest.approx(-1 / 3)


@pytest.mark.parametrize("propensity", [0.0, 0.1, 0.5, 1.0])
def test_propensity_for_random_ratings_follows_equation_9_2_7(propensity: float) -> None:
    """Equation 9.2.7. Without random ratings θ is 1 − P(not A)."""
    score = accord.theta(corpus_of(EXAMPLE_9_1, extents=(150, 450)), random=propensity)
    random = score.details["random_disagreement"]
    assert score.observed is not None
    assert score.value == pytest.approx(1 - score.observed / (1 - propensity * (1 - random)))


def test_layers_have_nine_zones_without_two_labels() -> None:
    score = accord.theta(corpus_of(EXAMPLE_9_1, extents=(150, 450)), zones="layered")
    assert score.details["n_zones"] == 9
    assert {(180, 60, "2", "2"), (220, 5, "", "1"), (225, 70, "1", "1")} <= set(zones(score))
    assert score.value == pytest.approx(0.9638, abs=5e-5)


def test_atomic_zones_are_ten() -> None:
    score = accord.theta(corpus_of(EXAMPLE_9_1, extents=(150, 450)), zones="atomic")
    assert score.details["n_zones"] == 10
    assert (220, 5, "2", "1 2") in zones(score)
    assert (225, 15, "1 2", "1 2") in zones(score)
    assert score.value == pytest.approx(0.9568, abs=5e-5)


@pytest.mark.parametrize("cut", ["joined", "layered", "atomic"])
def test_kinds_of_zones_of_figure_9_6(cut: str) -> None:
    """Two units; a part and a gap; a part and a whole unit; two units; one and a gap, twice. The positions are ours."""
    rows = [
        ("1", 0, 3, "a"), ("1", 4, 9, "b"), ("1", 11, 13, "c"), ("1", 15, 17, "a"),
        ("2", 0, 3, "a"), ("2", 6, 9, "b"), ("2", 11, 13, "c"), ("2", 19, 22, "b"),
    ]  # fmt: skip
    score = accord.theta(corpus_of(rows, extents=(0, 22)), zones=cut)
    assert zones(score) == [
        (0, 3, "a", "a"), (4, 2, "b", ""), (6, 3, "b", "b"), (11, 2, "c", "c"), (15, 2, "a", ""), (19, 3, "", "b"),
    ]  # fmt: skip
    whole = 3 + 2 + 3 + 2 + 2 + 3
    assert score.observed == pytest.approx((2**2 + 2**2 + 3**2) / whole**2)


@pytest.mark.parametrize(
    ("scale", "wanted", "random"),
    [
        ("nominal", (0 + 1 + 1 + 1) / 4, 4 / 5),
        ("interval", (0 + 1 / 16 + 1 + 1) / 4, (4 * 1 + 3 * 4 + 2 * 9 + 1 * 16) / 16 / 10),
        ("ordinal", (0 + 1 / 16 + 1 + 1) / 4, 50 / 16 / 10),
    ],
)
def test_labels_are_paired_in_order(scale: str, wanted: float, random: float) -> None:
    """{1, 2} and {1, 3, 4, 5}: (1, 1), (2, 3), (·, 4), (·, 5), each a quarter. K = 5; 9.2.15 and 9.2.16 by chance."""
    rows = [("1", 0, 10, k) for k in (1, 2)] + [("2", 0, 10, k) for k in (1, 3, 4, 5)]
    score = accord.theta(corpus_of(rows, extents=(0, 10)), scale=scale, zones="atomic", unpaired="ignored")
    (zone,) = score.details["zones"]
    assert zone["labels"] == [["1", "2"], ["1", "3", "4", "5"]]
    assert zone["dissimilarity"] == pytest.approx(wanted)
    assert zone["random_dissimilarity"] == pytest.approx(random)
    half = accord.theta(corpus_of(rows, extents=(0, 10)), scale=scale, zones="atomic")
    assert half.details["zones"][0]["random_dissimilarity"] == pytest.approx((1 + random) / 2)


def test_disagreement_is_mean_over_continua_and_pairs() -> None:
    """Equation 9.2.12: the mean over continua of the mean over pairs."""
    one = [("A", 0, 10, "x"), ("B", 0, 10, "x"), ("C", 5, 10, "x")]
    two = [("A", 0, 4, "x"), ("B", 0, 4, "x"), ("C", 0, 4, "x")]
    rows = [("d", *row) for row in one] + [("e", *row) for row in two]
    columns = {name: [row[k] for row in rows] for k, name in enumerate(("doc", "annotator", "start", "end", "label"))}
    score = accord.theta(columns)
    # In d, the pairs with C have the zones 0–5 (a gap) and 5–10.
    assert score.observed == pytest.approx((2 * (1 / 2) ** 2 / 3 + 0) / 2)
    assert score.n == 2


def test_theta_is_high_without_any_agreement() -> None:
    """Z zones of one length, all of them a gap for one annotator: θ = 1 − 2/(Z + 1)."""
    for units in (1, 5, 50):
        rows = [
            (who, 20 * k + 10 * side, 20 * k + 10 * side + 5, "x")
            for side, who in enumerate("AB")
            for k in range(units)
        ]
        assert accord.theta(corpus_of(rows)).value == pytest.approx(1 - 2 / (2 * units + 1))
