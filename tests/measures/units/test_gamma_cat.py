"""γ_cat and γ_k: on predefined units γ_cat equals α."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import accord
from accord.core.context import Run
from accord.measures.units.gamma_cat import GammaCat

from ...refusals import raises
from .noisy import CORPUS, ROWS, columns, corpus_of, noisy


def test_category_without_aligned_pair_is_undefined() -> None:
    """pygamma-agreement gives 1 here (pitfalls.md)."""
    rows = [("d", w, s, s + 5, k) for w in "AB" for s, k in ((0, "x"), (20, "y"), (40, "x"))] + [
        ("d", "A", 90, 95, "q")
    ]
    parts = accord.gamma_cat(corpus_of(rows)).parts["category"]
    assert math.isnan(parts["q"].value)
    assert parts["q"].undefined == 'no two labelled units of "q" are aligned'
    assert parts["x"].value == 1.0


def test_gamma_cat_refuses_units_without_labels() -> None:
    unlabelled = {name: column for name, column in columns(ROWS).items() if name != "label"}
    assert accord.gamma(unlabelled).value < 1
    for name in ("gamma_cat", "gamma_k"):
        with raises("nothing-annotated"):
            accord.score(unlabelled, name)
    with raises("unknown-name", '"z"'):
        accord.gamma_k(CORPUS, category="z")


def predefined(labels: Sequence[Sequence[Any]], gap: float = 200.0) -> accord.Corpus:
    """Items as units at the same positions for all annotators, far from each other. No label means no unit."""
    rows = [
        ("d", f"A{who}", gap * k, gap * k + 10, label)
        for k, row in enumerate(labels)
        for who, label in enumerate(row)
        if label is not None
    ]
    return corpus_of(rows, judged={"d": [f"A{who}" for who in range(len(labels[0]))]})


def labels_of(seed: int, items: int, annotators: int, missing: float, values: Sequence[Any]) -> list[list[Any]]:
    rng = np.random.default_rng([seed, items, annotators])
    truth = rng.integers(0, len(values), items)
    return [
        [
            None if rng.random() < missing else values[t] if rng.random() < 0.7 else values[rng.integers(len(values))]
            for _ in range(annotators)
        ]
        for t in truth
    ]


@pytest.mark.parametrize("missing", [0.0, 0.15, 0.4])
@pytest.mark.parametrize("annotators", [2, 3, 5])
def test_on_predefined_units_gamma_cat_is_alpha(annotators: int, missing: float) -> None:
    labels = labels_of(1, 40, annotators, missing, ("a", "b", "c", "d"))
    alpha, gamma_cat = accord.alpha(labels), accord.gamma_cat(predefined(labels))
    assert gamma_cat.value == pytest.approx(alpha.value, abs=1e-9)
    assert gamma_cat.observed == pytest.approx(alpha.details["observed_disagreement"], abs=1e-9)
    assert gamma_cat.expected == pytest.approx(alpha.details["expected_disagreement"], abs=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_on_predefined_units_gamma_cat_with_distances_is_alpha(missing: float) -> None:
    values = (1, 2, 4, 9)
    labels = labels_of(2, 40, 3, missing, values)
    corpus = predefined(labels)
    apart = {(a, b): abs(a - b) for a, b in combinations(values, 2)}
    ranks = {(values[i], values[j]): j - i for i, j in combinations(range(4), 2)}
    arbitrary = {(a, b): 1 / (1 + (a * b) % 5) for a, b in combinations(values, 2)}
    for mine, theirs in (
        ("numeric", apart),
        ("ordinal", ranks),
        ("interval", "interval"),
        ("ratio", "ratio"),
        (arbitrary, arbitrary),
    ):
        gamma_cat = accord.gamma_cat(corpus, distance=mine)
        assert gamma_cat.value == pytest.approx(accord.alpha(labels, distance=theirs).value, abs=1e-9), mine


def test_on_predefined_units_in_several_documents_gamma_cat_is_alpha() -> None:
    labels = labels_of(3, 30, 3, 0.2, ("a", "b", "c"))
    one = predefined(labels)
    rows = [
        (f"d{int(s) // 2000}", one.annotators[a], s % 2000, s % 2000 + 10, one.categories.names[k])
        for s, a, k in zip(one.start.tolist(), one.annotator, one.label, strict=True)
    ]
    several = corpus_of(rows, judged={f"d{d}": ["A0", "A1", "A2"] for d in range(3)})
    assert accord.gamma_cat(several).value == pytest.approx(accord.alpha(labels).value, abs=1e-9)


def test_with_wide_gaps_gamma_cat_with_sampled_chance_is_near_alpha() -> None:
    """With narrow gaps random units align with neighbours (pitfalls.md). Monte Carlo error is up to 0.05."""
    labels = labels_of(4, 120, 2, 0.0, ("a", "b", "c"))
    alpha = accord.alpha(labels).value
    for model in ("shift", "statistical"):
        sampled = accord.gamma_cat(predefined(labels, 60.0), chance=model, samples=60)
        assert sampled.value == pytest.approx(alpha, abs=0.05), model
        assert sampled.details["chance"] == model


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_gamma_k_counts_the_pairs_with_the_category(missing: float) -> None:
    """Mathet 2017 (see gamma.md): pairs of an item with k labels weigh 1/(k − 1); chance pairs any two labels."""
    labels = labels_of(5, 40, 4, missing, ("a", "b", "c"))
    items = [present for row in labels if len(present := [x for x in row if x is not None]) > 1]
    parts = accord.gamma_cat(predefined(labels)).parts["category"]
    for category in ("a", "b", "c"):
        weight = disagreement = 0.0
        for item in items:
            for x, y in combinations(item, 2):
                if category in (x, y):
                    weight += 1 / (len(item) - 1)
                    disagreement += (x != y) / (len(item) - 1)
        every = [x for item in items for x in item]
        chance = [x != y for x, y in combinations(every, 2) if category in (x, y)]
        value = 1 - (disagreement / weight) / np.mean(chance)
        assert accord.gamma_k(predefined(labels), category=category).value == pytest.approx(value, abs=1e-9)
        assert parts[category].value == pytest.approx(value, abs=1e-9)


def test_pairs_at_different_positions_weigh_less() -> None:
    """max(0, 1 − d_pos): a pair half a unit apart weighs 1 − 1/4, a pair one unit apart weighs 0."""

    def value(shift: float) -> accord.Score:
        rows = [("d", "A", 0, 10, "x"), ("d", "B", shift, 10 + shift, "y")]
        rows += [("d", w, 100 * k, 100 * k + 10, label) for k, label in ((1, "x"), (2, "y"), (3, "x")) for w in "AB"]
        return accord.gamma_cat(corpus_of(rows))

    assert value(0).observed == pytest.approx(1 / 4)
    assert value(5).observed == pytest.approx(0.75 / 3.75)
    assert value(9.99).observed == pytest.approx(0, abs=1e-3)


def by_hand(rows: list[Any], n: int, category: str | None) -> tuple[float, float]:
    """Mean sums of distances and of weights over all mixtures of n annotators, each as a separate corpus."""
    who = {doc: sorted({r[1] for r in rows if r[0] == doc}) for doc in sorted({r[0] for r in rows})}
    far = weight = 0.0
    for docs in combinations(who, n):
        for seats in product(*(who[doc] for doc in docs)):
            share = 1 / math.comb(len(who), n) / math.prod(len(who[doc]) for doc in docs)
            laid = [("d", *r[0:1], *r[2:]) for r in rows if (r[0], r[1]) in set(zip(docs, seats, strict=True))]
            mixture = corpus_of(laid, extents=(0, 300))
            k = None if category is None else mixture.categories.names.index(category)
            more = GammaCat().observe(mixture, Run()).pairs.summed(k)
            far, weight = far + share * more[0], weight + share * more[1]
    return far, weight


@pytest.mark.parametrize("category", [None, "a"])
def test_exact_chance_equals_mean_over_all_combinations(category: str | None) -> None:
    """Two documents of the same length, two annotators: four combinations."""
    rows = noisy(docs=2, annotators=2)
    corpus = corpus_of(rows, extents=dict.fromkeys(("d0", "d1"), (0, 300)))
    far, weight = by_hand(rows, 2, category)
    score = accord.gamma_k(corpus, category=category, chance="mix")
    assert score.expected == pytest.approx(far / weight, abs=1e-12)
    assert (score.details["samples"], score.details["combinations"]) == (0, 4)
    if category is not None:
        part = accord.gamma_cat(corpus, chance="mix").parts["category"][category]
        assert part.expected == pytest.approx(score.expected, abs=1e-12)


def test_chance_is_weighted_by_documents_per_number_of_annotators() -> None:
    """One document of three annotators, two of two: chance of three counts once, chance of two twice."""
    rows = [row for row in noisy(docs=3, annotators=3) if row[1] != "A2" or row[0] == "d0"]
    corpus = corpus_of(rows, extents={f"d{k}": (0, 300) for k in range(3)})
    three, two = np.array(by_hand(rows, 3, None)), np.array(by_hand(rows, 2, None))
    far, weight = three + 2 * two
    score = accord.gamma_cat(corpus, chance="mix")
    assert score.expected == pytest.approx(far / weight, abs=1e-12)
    assert score.details["combinations"] == 12 + 16


@pytest.mark.parametrize(
    "spec", ["gamma_cat(chance=shift,precision={})", "gamma_k(chance=shift,category=a,precision={})"]
)
def test_random_annotations_are_drawn_until_the_precision_is_reached(spec: str) -> None:
    coarse, fine = (accord.score(CORPUS, spec.format(p), seed=2, replicates=100) for p in (0.3, 0.01))
    assert coarse.details["samples"] == 30
    assert fine.details["samples"] > 100
    assert fine.details["precision"] == 0.01
    error = fine.details["bootstrap"]["se_chance"] / (1 - fine.value)
    assert 1.96 * error == pytest.approx(0.01, rel=0.35)
    assert coarse.details["bootstrap"]["se_chance"] > fine.details["bootstrap"]["se_chance"]


def test_reported_error_of_chance_equals_spread_over_seeds() -> None:
    scores = [accord.gamma_cat(CORPUS, chance="shift", precision=0.3, seed=s, replicates=100) for s in range(40)]
    spread = float(np.std([s.value for s in scores], ddof=1))
    assert np.mean([s.details["bootstrap"]["se_chance"] for s in scores]) == pytest.approx(spread, rel=0.4)


@pytest.mark.parametrize("name", ["gamma", "gamma_cat"])
def test_delta_does_not_change_the_value_and_a_note_states_it(name: str) -> None:
    plain, scaled = (accord.score(CORPUS, f"{name}(delta={delta})", interval="none") for delta in (1, 8))
    assert scaled.value == pytest.approx(plain.value, abs=1e-12)
    assert "does not change the value" in str(scaled.notes())
    assert "does not change the value" not in str(plain.notes())


@pytest.mark.parametrize(("distance", "apart"), [("dice", 1 / 3), ("passonneau", 1 / 3), ("masi", 1 / 6)])
def test_distances_of_sets_are_not_rescaled(distance: str, apart: float) -> None:
    """They are between 0 and 1 by definition, even if no two labels of the data are disjoint."""
    rows = [("d", "A", 0, 10, "x|y"), ("d", "B", 0, 10, "x"), ("d", "A", 40, 50, "x"), ("d", "B", 40, 50, "x")]
    score = accord.score(corpus_of(rows, extents=(0, 100)), f"gamma(distance={distance})", interval="none")
    assert score.observed == pytest.approx(apart / 2)
