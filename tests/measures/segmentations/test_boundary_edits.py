"""Boundary edits equal brute force: optimal edits have the least cost, greedy edits follow the greedy rule."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.measures.segmentations.edit_distances import Edits, Prices, edits

from ...hypothesis_profiles import examples

Typed = frozenset[tuple[int, int]]  # position, type


def as_columns(boundaries: Typed) -> tuple[np.ndarray, np.ndarray]:
    ordered = sorted(boundaries)
    return (
        np.array([p for p, _ in ordered], dtype=np.int64),
        np.array([t for _, t in ordered], dtype=np.int64),
    )


def transposition(distance: int, n_t: int, weight: str) -> Fraction:
    if weight == "scaled":
        return Fraction(distance, n_t)
    return Fraction(1) if weight == "unit" else 2 - Fraction(1, 2 ** (distance - 1))


def cheapest(first: Typed, second: Typed, n_t: int, weight: str, span: int | None) -> tuple[Fraction, int]:
    """(cost, edits) of the cheapest pairing of the boundaries that only one segmentation has."""
    one, other = sorted(first - second), sorted(second - first)

    def best(at: int, free: tuple[tuple[int, int], ...]) -> tuple[Fraction, int]:
        if at == len(one):
            return Fraction(len(free)), len(free)
        position, kind = one[at]
        cost, number = best(at + 1, free)
        found = (cost + 1, number + 1)
        for k, (p, t) in enumerate(free):
            distance = abs(p - position)
            if t == kind and 0 < distance < n_t:
                price = transposition(distance, n_t, weight)
            elif t != kind and distance == 0:
                price = Fraction(1) if span is None else Fraction(abs(t - kind), span)
            else:
                continue
            cost, number = best(at + 1, free[:k] + free[k + 1 :])
            found = min(found, (cost + price, number + 1))
        return found

    return best(0, tuple(other))


def greedy(first: Typed, second: Typed, n_t: int) -> tuple[int, int]:
    """(transpositions, Σ distance) of the greedy rule."""
    one, other = set(first - second), set(second - first)

    def substitutes(p: int) -> bool:
        return any(q == p for q, _ in one) and any(q == p for q, _ in other)

    number = total = 0
    for distance in range(1, n_t):
        for p in range(1, 40):
            for t in range(4):
                here, there = (p, t), (p + distance, t)
                if substitutes(p) and substitutes(p + distance):
                    continue
                for a, b in ((one, other), (other, one)):
                    if here in a and there in b:
                        a.remove(here)
                        b.remove(there)
                        number, total = number + 1, total + distance
                        break
    return number, total


def cost_of(found: Edits) -> float:
    counts = found.counts()
    return float(counts["additions"][0] + counts["transposed"][0] + counts["substituted"][0])


def boundaries(types: int, most: int = 7) -> st.SearchStrategy[Typed]:
    return st.frozensets(st.tuples(st.integers(1, 12), st.integers(0, types - 1)), max_size=most)


@examples(120)
@given(boundaries(1), boundaries(1), st.integers(1, 7), st.sampled_from(["scaled", "unit", "te"]))
def test_optimal_edits_of_one_type_have_the_least_cost(first: Typed, second: Typed, n_t: int, weight: str) -> None:
    prices = Prices(n_t, weight, np.arange(1), None)
    found = edits(as_columns(first), as_columns(second), prices)
    cost, number = cheapest(first, second, n_t, weight, None)
    assert cost_of(found) == pytest.approx(float(cost), abs=1e-12)
    assert len(found.additions) + len(found.transpositions) == number
    assert found.matches == len(first & second)


@examples(120)
@given(
    boundaries(3),
    boundaries(3),
    st.integers(1, 5),
    st.sampled_from(["scaled", "unit", "te"]),
    st.sampled_from([None, 3]),
)
def test_optimal_edits_of_several_types_have_the_least_cost(
    first: Typed, second: Typed, n_t: int, weight: str, span: int | None
) -> None:
    prices = Prices(n_t, weight, np.arange(3), span)
    found = edits(as_columns(first), as_columns(second), prices)
    cost, number = cheapest(first, second, n_t, weight, span)
    assert cost_of(found) == pytest.approx(float(cost), abs=1e-12)
    assert len(found.additions) + len(found.transpositions) + len(found.substitutions) == number


@examples(80)
@given(boundaries(1, 12), boundaries(1, 12), st.integers(1, 7))
def test_listed_edits_turn_the_first_into_the_second(first: Typed, second: Typed, n_t: int) -> None:
    """Applied in order, the edits turn the first segmentation into the second."""
    for matching in ("optimal", "greedy"):
        found = edits(as_columns(first), as_columns(second), Prices(n_t, "scaled", np.arange(1), None), matching)
        made = set(first)
        for p, q, t in found.transpositions:
            assert 0 < abs(p - q) < n_t
            made.remove((p, t))
        made |= {(q, t) for _, q, t in found.transpositions}
        for p, t, of_first in found.additions:
            made ^= {(p, t)}
            assert ((p, t) in first) == of_first
        assert made == second


@examples(120)
@given(boundaries(2, 10), boundaries(2, 10), st.integers(1, 6))
def test_greedy_edits_follow_the_greedy_rule(first: Typed, second: Typed, n_t: int) -> None:
    prices = Prices(n_t, "scaled", np.arange(2), 2)
    found = edits(as_columns(first), as_columns(second), prices, "greedy")
    number, total = greedy(first, second, n_t)
    assert len(found.transpositions) == number
    assert sum(abs(p - q) for p, q, _ in found.transpositions) == total
    best = edits(as_columns(first), as_columns(second), prices)
    assert cost_of(best) <= cost_of(found) + 1e-12


def test_long_chains_are_paired_exactly() -> None:
    """Greedy pairing is optimal for a b a b …, but not always for a b b a a b b a."""
    n = 20_000
    rng = np.random.default_rng(3)
    side = rng.integers(0, 2, n)
    first, second = (np.flatnonzero(side == k) + 1 for k in (0, 1))
    zero = np.zeros(n, dtype=np.int64)
    for n_t in (2, 3, 6):
        prices = Prices(n_t, "scaled", np.arange(1), None)
        best = cost_of(edits((first, zero[: len(first)]), (second, zero[: len(second)]), prices))
        assert best <= cost_of(edits((first, zero[: len(first)]), (second, zero[: len(second)]), prices, "greedy"))
        # With the weight `te` a transposition costs at least 1, so no solution is cheaper.
        typed = Prices(n_t, "te", np.arange(1), None)
        assert cost_of(edits((first, zero[: len(first)]), (second, zero[: len(second)]), typed)) >= best
