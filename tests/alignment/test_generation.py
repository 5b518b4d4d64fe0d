"""Column generation equals brute force over all partitions and listing of all groups; its bound is valid."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hypothesis_profiles import examples

from accord.core.compiled import Kernel
from accord.measures.alignment import best, generation, pricing
from accord.measures.alignment.generation import Generated, best_by_generation
from accord.measures.alignment.program import best_packing
from accord.measures.alignment.units import Pairs, Units, candidate_pairs, useful_groups
from accord.measures.dissimilarities import Combined

from ..cases import for_each


def scattered(rng: np.random.Generator, per_annotator: list[int], annotators: int, spread: float = 8.0) -> Units:
    """Units at random positions, some of them equal; annotators may have no units."""
    annotator = np.repeat(np.arange(len(per_annotator)), per_annotator)
    count = len(annotator)
    start = rng.integers(0, max(1, int(spread * max(per_annotator, default=1))), count).astype(float)
    units = Units(
        np.zeros(count, dtype=np.int64),
        annotator,
        start,
        start + rng.integers(1, 20, count),
        rng.integers(-1, 3, count),
        np.array([annotators]),
    )
    return units.at(units.canonical)


def in_a_row(rng: np.random.Generator, annotators: int, units: int) -> Units:
    """Independent annotators, units of about 12 with gaps of about 6, as in samples of chance."""
    length = np.maximum(1, rng.normal(12, 3, (annotators, units)).round())
    end = np.cumsum(length + np.maximum(0, rng.normal(6, 3, (annotators, units)).round()), axis=1)
    count = annotators * units
    rows = Units(
        np.zeros(count, dtype=np.int64),
        np.repeat(np.arange(annotators), units),
        (end - length).ravel(),
        end.ravel(),
        rng.integers(0, 4, count),
        np.array([annotators]),
    )
    return rows.at(rows.canonical)


def solved(units: Units, delta: float = 1.0) -> tuple[Generated, Pairs]:
    dissimilarity = Combined(1.0 - np.eye(4), delta=delta)
    pairs = candidate_pairs(units, dissimilarity)
    return best_by_generation(units, pairs, delta, int(units.annotators[0])), pairs


def check(units: Units, pairs: Pairs, result: Generated, delta: float = 1.0) -> None:
    """Groups are disjoint, have one unit per annotator, and have the stated gain; the bound is valid."""
    members = np.concatenate([*result.groups, np.zeros(0, dtype=np.int64)])
    assert len(np.unique(members)) == len(members)
    assert result.bound >= result.gain.sum()
    n = int(units.annotators[0])
    d = dict(zip(zip(pairs.u.tolist(), pairs.v.tolist(), strict=True), pairs.d.tolist(), strict=True))
    for group, gain in zip(result.groups, result.gain, strict=True):
        assert len(group) > 1
        assert len(np.unique(units.annotator[group])) == len(group)
        excess = sum(d[pair] - delta for pair in itertools.combinations(sorted(group.tolist()), 2))
        assert gain == pytest.approx((len(group) - 1) * delta - excess / (n * (n - 1) / 2), abs=1e-9)


def best_of_all_partitions(units: Units, delta: float) -> float:
    """The largest gain, over all sets of units: the first unit is alone or in one of all groups."""
    n, count = int(units.annotators[0]), len(units)
    every = np.arange(count)
    u, v = np.repeat(every, count), np.tile(every, count)
    d = Combined(1.0 - np.eye(4), delta=delta).between(units, u, v).reshape(count, count)
    gains: dict[int, float] = {}
    for size in range(1, count + 1):
        for group in itertools.combinations(range(count), size):
            if len(set(units.annotator[list(group)].tolist())) == size:
                excess = sum(d[i, j] - delta for i, j in itertools.combinations(group, 2))
                gains[sum(1 << i for i in group)] = (size - 1) * delta - excess / (n * (n - 1) / 2)
    best = np.zeros(1 << count)
    for mask in range(1, 1 << count):
        first = mask & -mask
        best[mask] = max(
            gain + best[mask ^ group] for group, gain in gains.items() if group & first and not group & ~mask
        )
    return float(best[-1])


def everything_listed(units: Units) -> float:
    pairs = candidate_pairs(units, Combined(1.0 - np.eye(4)))
    groups = useful_groups(units, pairs, 1.0, np.zeros(len(units), dtype=np.int64), np.array([1_000_000]))
    assert not len(groups.exploded)
    return float(groups.gain[best_packing(groups.rows, groups.gain).groups].sum())


@for_each("seed", range(40))
def test_column_generation_finds_the_best_partition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    present = int(rng.integers(2, 7))
    per_annotator = rng.multinomial(int(rng.integers(2, 8)), np.ones(present) / present).tolist()
    units = scattered(rng, per_annotator, present + int(rng.integers(0, 3)), spread=4.0)
    delta = float(rng.choice([0.5, 1.0, 2.0]))
    result, pairs = solved(units, delta)
    check(units, pairs, result, delta)
    assert result.gain.sum() == pytest.approx(best_of_all_partitions(units, delta), abs=1e-8)
    assert result.bound == result.gain.sum()


@for_each("seed", range(6))
def test_equal_units_of_one_annotator_give_the_best_partition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = scattered(rng, [1, 1, 1, 1], 4)
    units = units.at(np.repeat(np.arange(4), [2, 1, 3, 1]))
    result, pairs = solved(units)
    check(units, pairs, result)
    assert result.gain.sum() == pytest.approx(best_of_all_partitions(units, 1.0), abs=1e-8)


@for_each(("annotators", "count", "seed"), [(3, 60, 0), (4, 40, 1), (4, 40, 2), (5, 60, 3), (5, 30, 4)])
def test_result_equals_listing_all_groups(annotators: int, count: int, seed: int) -> None:
    units = in_a_row(np.random.default_rng(seed), annotators, count)
    result, pairs = solved(units)
    check(units, pairs, result)
    assert result.gain.sum() == pytest.approx(everything_listed(units), abs=1e-7)
    assert result.bound == result.gain.sum()


def test_result_equals_listing_all_groups_where_units_overlap() -> None:
    units = scattered(np.random.default_rng(5), [12, 9, 15, 11], 4)
    result, pairs = solved(units)
    check(units, pairs, result)
    assert result.gain.sum() == pytest.approx(everything_listed(units), abs=1e-7)


@pytest.mark.slow
@examples(15)
@given(st.integers(0, 10**6))
def test_annotators_with_the_same_units_are_aligned_optimally(seed: int) -> None:
    """A search from one unit gives bounds for all equal units."""
    rng = np.random.default_rng(seed)
    habits = [np.sort(rng.integers(0, 12, int(rng.integers(1, 4)))) for _ in range(2)]
    rows = [(who, float(start), int(start) % 2) for who in range(5) for start in habits[int(rng.integers(0, 2))]]
    who, start, label = (np.array(column) for column in zip(*rows, strict=True))
    units = Units(np.zeros(len(rows), dtype=np.int64), who, start, start + 4, label, np.array([5]))
    units = units.at(units.canonical)
    result, pairs = solved(units)
    check(units, pairs, result)
    assert result.gain.sum() == pytest.approx(best_of_all_partitions(units, 1.0), abs=1e-8)
    assert result.bound == pytest.approx(result.gain.sum(), abs=1e-8)


def test_bounds_of_one_search_are_valid_for_all_equal_units() -> None:
    """The bounds are as valid as those of a search from each unit, for any prices."""
    rng = np.random.default_rng(3)
    one = scattered(rng, [3], 1)
    units = Units(*(np.tile(getattr(one, name), 6) for name in ("continuum", "annotator", "start", "end", "label")),
                  np.array([6]))  # fmt: skip
    units = replace(units, annotator=np.repeat(np.arange(6), 3))
    pairs = candidate_pairs(units, Combined(1.0 - np.eye(4), delta=1.0))
    field = generation._field(units.annotator, np.ones(18, dtype=np.int64), pairs.u, pairs.v, 1.0 - pairs.d)
    alike = generation._alike(units, field)
    assert alike.reshape(6, 3).tolist() == [alike[:3].tolist()] * 6
    assert alike.min() == 0
    effort = pricing.Effort(False, 50, 10**6, 10**6, 10**6)
    for _ in range(20):
        price = rng.uniform(0.5, 3.0, 18)
        every, _, whole = pricing.search(field, price, 1e-3, effort)
        some, _, _ = pricing.search(field._replace(alike=alike), price, 1e-3, effort)
        assert whole
        assert (np.maximum(some, 1e-3) >= np.maximum(every, 1e-3) - 1e-12).all()
        assert (some > 1e-3).tolist() == (every > 1e-3).tolist()


@for_each("seed", range(4))
def test_groups_given_beforehand_do_not_change_the_alignment(seed: int) -> None:
    """Start from groups of all annotators, or from random groups, and leave out one annotator."""
    rng = np.random.default_rng(seed)
    units = in_a_row(rng, 5, 20)
    near = solved(units)[0].near
    assert (near >= 0).sum(axis=1).min() > 1
    for gone in range(5):
        kept = np.flatnonzero(units.annotator != gone)
        left = Units(*(getattr(units, name)[kept] for name in ("continuum", "annotator", "start", "end", "label")),
                     units.annotators - 1)  # fmt: skip
        wanted, pairs = solved(left)
        any_two = rng.integers(0, len(left), (50, 2))
        random_pairs = any_two[left.annotator[any_two[:, 0]] != left.annotator[any_two[:, 1]]]
        for known in (best.renumber_groups(near, kept, len(units)), random_pairs, best.NO_GROUPS):
            found = best_by_generation(left, pairs, 1.0, 4, known=known)
            check(left, pairs, found)
            assert found.gain.sum() == pytest.approx(wanted.gain.sum(), abs=1e-9)
            assert found.bound == found.gain.sum()


def test_ten_annotators_are_solved_optimally_and_reproducibly() -> None:
    units = in_a_row(np.random.default_rng(7), 10, 40)
    first, pairs = solved(units)
    check(units, pairs, first)
    assert first.bound == first.gain.sum()
    again, _ = solved(units)
    assert [g.tolist() for g in first.groups] == [g.tolist() for g in again.groups]
    assert first.gain.tolist() == again.gain.tolist()


@pytest.mark.parametrize("limit", ["_ROUNDS", "_NODES", "_LISTED", "_BRANCHES"])
def test_reached_limit_leaves_a_gap_to_the_bound(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    units = scattered(np.random.default_rng(3), [9] * 5, 5, spread=3.0)
    best, _ = solved(units)
    assert best.bound == best.gain.sum()
    monkeypatch.setattr(generation, limit, 1)
    monkeypatch.setattr(generation, "_LISTED_TO_PROVE", min(generation._LISTED, 100))
    limited, pairs = solved(units)
    check(units, pairs, limited)
    assert limited.gain.sum() <= best.gain.sum() + 1e-9
    assert limited.bound >= best.gain.sum() - 1e-9
    assert (limited.bound > limited.gain.sum()) == (limit != "_BRANCHES")  # this limit is not reached here


def test_units_that_cannot_align_give_no_groups() -> None:
    units = scattered(np.random.default_rng(0), [3, 0], 2)
    result, _ = solved(units)
    assert result.groups == []
    assert result.bound == 0.0


def test_kernels_are_compiled_once() -> None:
    """A second signature would cost seconds of compilation."""
    for annotators, count in ((6, 10), (3, 60)):  # the second has more groups for each price
        solved(in_a_row(np.random.default_rng(1), annotators, count))
    kernels = [one for room in (pricing, generation) for one in vars(room).values() if isinstance(one, Kernel)]
    compiled = {one.__name__: len(one.machine.signatures) for one in kernels if one.machine.signatures}
    assert {"climb", "search", "_central"} <= set(compiled)
    assert set(compiled.values()) == {1}, compiled


@examples(30)
@given(st.integers(0, 10**6), st.sampled_from([0.002, 0.02, 0.2]))
def test_result_is_within_the_gap_and_the_bound_is_valid(seed: int, gap: float) -> None:
    rng = np.random.default_rng(seed)
    present = int(rng.integers(3, 6))
    units = scattered(rng, rng.multinomial(7, np.ones(present) / present).tolist(), present, spread=4.0)
    pairs = candidate_pairs(units, Combined(1.0 - np.eye(4)))
    found = best_by_generation(units, pairs, 1.0, present, gap=gap)
    check(units, pairs, found)
    most = best_of_all_partitions(units, 1.0)
    assert found.bound >= most - 1e-9
    assert found.gain.sum() <= most + 1e-9
    assert found.bound - found.gain.sum() <= gap * (len(units) - found.gain.sum()) + 1e-8


@examples(20)
@given(st.integers(0, 10**6))
def test_bound_without_a_search_is_valid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    present = int(rng.integers(2, 6))
    units = scattered(rng, rng.multinomial(7, np.ones(present) / present).tolist(), present, spread=4.0)
    pairs = candidate_pairs(units, Combined(1.0 - np.eye(4)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generation, "_QUICK", 1)
        patch.setattr(generation, "_CROWD", 1)
        found = best_by_generation(units, pairs, 1.0, present, gap=0.1)
    check(units, pairs, found)
    most = best_of_all_partitions(units, 1.0)
    assert found.gain.sum() - 1e-9 <= most <= found.bound + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_alignment_stays_within_the_gap_and_reports_it(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best, "_MOST_WITH_TWINS", 50)
    monkeypatch.setattr(best, "_MOST_NEAR", 1)
    units, dissimilarity = in_a_row(np.random.default_rng(seed), 5, 15), Combined(1.0 - np.eye(4))
    exact = best.best_alignment(units, dissimilarity)
    near = best.best_alignment(units, dissimilarity, gap=0.01)
    assert exact.gap.tolist() == [0.0]
    assert near.gap[0] <= 0.01
    assert near.totals[0] * (1 - near.gap[0]) <= exact.totals[0] + 1e-9 <= near.totals[0] + 2e-9


def crowded(annotators: int, count: int, seed: int = 1) -> Units:
    """Every unit overlaps every other one."""
    rng = np.random.default_rng(seed)
    start = rng.uniform(0, 400, annotators * count)
    units = Units(
        np.zeros(len(start), dtype=np.int64),
        np.repeat(np.arange(annotators), count),
        start,
        start + 500 + rng.uniform(0, 400, len(start)),
        rng.integers(0, 4, len(start)),
        np.array([annotators]),
    )
    return units.at(units.canonical)


def test_crowded_units_need_few_groups_and_a_small_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 × 60 × 60 possible groups only a few per unit are created, and fewer are packed."""
    made: list[generation._Columns] = []
    packed: list[int] = []
    columns, milp = generation._Columns, generation.milp

    def watched(field: pricing.Neighbours) -> generation._Columns:
        made.append(columns(field))
        return made[-1]

    def counted(cost: np.ndarray, **rest: object) -> object:
        packed.append(len(cost))
        return milp(cost, **rest)

    monkeypatch.setattr(generation, "_Columns", watched)
    monkeypatch.setattr(generation, "milp", counted)
    for seed in range(3):
        units = crowded(3, 60, seed)
        result, pairs = solved(units)
        check(units, pairs, result)
        assert result.bound == pytest.approx(result.gain.sum(), abs=1e-9)  # proven
    assert len(made) == 3
    assert all(len(one.rows) < 25 * 180 for one in made)
    assert all(many < 5 * 180 for many in packed)


def test_groups_of_crowded_units_are_not_listed() -> None:
    """The number of groups is checked before they are created."""
    units = crowded(4, 40)
    pairs = candidate_pairs(units, Combined())
    groups = useful_groups(units, pairs, 1.0, np.zeros(len(units), dtype=np.int64), 1_000)
    assert groups.exploded.tolist() == [0]
    assert len(groups.rows) == 0


def test_prices_start_from_the_previous_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few new groups change prices little: fewer steps give the same result."""
    taken: dict[bool, list[int]] = {True: [], False: []}
    gains = {}
    central = generation.central_prices
    for warm in (True, False):

        def prices(*given: object, warm: bool = warm) -> generation.Inside:
            found = central(*given[:5], given[5] if warm else None)
            taken[warm].append(found.steps)
            return found

        monkeypatch.setattr(generation, "central_prices", prices)
        result, _ = solved(crowded(3, 60))
        gains[warm] = result.gain.sum()
    assert gains[True] == pytest.approx(gains[False], abs=1e-9)
    assert sum(taken[True]) < 0.75 * sum(taken[False])


@pytest.mark.parametrize(("size", "band"), [(50, 7), (53, 52), (40, 2), (97, 30), (5, 1), (3, 2)])
def test_rows_are_factorised_four_at_a_time(size: int, band: int) -> None:
    rng = np.random.default_rng(size)
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    full = rng.normal(size=(size, size))
    matrix = np.where(apart <= band, full + full.T, 0.0) + 4 * size * np.eye(size)

    def stored(lower: np.ndarray) -> np.ndarray:
        rows = np.zeros((size, band + 1))
        for i in range(size):
            for j in range(max(0, i - band), i + 1):
                rows[i, j - i + band] = lower[i, j]
        return rows

    found = stored(matrix)
    generation._factorise(found)
    assert found == pytest.approx(stored(np.linalg.cholesky(matrix)), abs=1e-12)


@examples(60)
@given(st.integers(0, 10_000))
def test_fitting_groups_are_taken_in_order(seed: int) -> None:
    """Compare with a loop over the groups."""
    rng = np.random.default_rng(seed)
    units, annotators = 6, 3
    copies = rng.integers(1, 3, annotators * units)
    number = np.arange(annotators * units).reshape(annotators, units)
    rows = number[np.arange(annotators), rng.integers(0, units, (20, annotators))]
    rows = np.where(rng.random(rows.shape) < 0.3, -1, rows)
    left, taken = dict(enumerate(copies.tolist())), []
    for k, row in enumerate(rows.tolist()):
        members = [unit for unit in row if unit >= 0]
        if all(left[unit] for unit in members):
            taken.append(k)
            for unit in members:
                left[unit] -= 1
    assert pricing.fitting(rows, copies).tolist() == taken
