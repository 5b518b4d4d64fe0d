"""The best alignment equals brute force, and does not depend on order, origin, scale or batches."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from accord.core.arrays import Ints
from accord.core.context import Run
from accord.measures.alignment import best, generation, program
from accord.measures.alignment import units as candidates
from accord.measures.alignment.best import Alignment, align_all, aligner, best_alignment, best_soft_alignment
from accord.measures.alignment.matching import best_matching
from accord.measures.alignment.program import best_counts, find_certain_groups
from accord.measures.alignment.units import Units
from accord.measures.dissimilarities import Combined

from ..cases import for_each
from ..hypothesis_profiles import PROFILE, TIMES, examples
from ..refusals import raises
from . import brute

LABELS = 3
TABLE = np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 1.0], [0.5, 1.0, 0.0]])


def random_units(rng: np.random.Generator, annotators: int, most: int, span: int = 20) -> Units:
    """One continuum: overlaps, duplicates, units without length or label, annotators without units."""
    n = int(rng.integers(0, most + 1))
    start = rng.integers(0, span, n).astype(np.float64)
    length = rng.integers(0, rng.choice([2, 6, 15]), n).astype(np.float64)
    label = rng.integers(-1, LABELS, n)
    annotator = rng.integers(0, annotators, n)
    return Units(np.zeros(n, dtype=np.int64), annotator, start, start + length, label, np.array([annotators]))


class _CategoryAlone(Combined):
    """Positions do not count, not even those of units without length."""

    def between(self, units: Any, u: Ints, v: Ints) -> Any:
        return self.categorical * self.category(units, u, v)


def random_dissimilarity(rng: np.random.Generator) -> Combined:
    positional = float(rng.choice([0.0, 0.5, 1.0, 3.0]))
    categorical = float(rng.choice([0.0, 1.0, 2.0]))
    kind = Combined if positional > 0 else _CategoryAlone
    return kind(TABLE, positional, categorical, float(rng.choice([0.01, 1.0, 2.5, 1000.0])))


def together(parts: list[Units]) -> Units:
    return Units(
        np.concatenate([part.continuum + c for c, part in enumerate(parts)]),
        np.concatenate([part.annotator for part in parts]),
        np.concatenate([part.start for part in parts]),
        np.concatenate([part.end for part in parts]),
        np.concatenate([part.label for part in parts]),
        np.concatenate([part.annotators for part in parts]),
    )


def assert_sound(alignment: Alignment, dissimilarity: Combined, soft: bool = False) -> None:
    """Every unit is in a group, no annotator twice, the disorders follow the formula, the numbers are sorted."""
    times = np.bincount(alignment.members_unit, minlength=len(alignment.units))
    assert (times >= 1).all() if soft else (times == 1).all()
    assert (np.diff(alignment.members_group) >= 0).all()
    for g, cost in enumerate(alignment.disorder):
        members = alignment.members_unit[alignment.members_group == g]
        assert len(np.unique(alignment.units.annotator[members])) == len(members)
        assert brute.disorder(alignment.units, tuple(members), dissimilarity) == pytest.approx(
            cost, rel=1e-9, abs=1e-12
        )


@pytest.mark.parametrize(
    ("annotators", "most", "tries"), [(2, 8, 300), (3, 8, 300), (4, 8, 150), (5, 8, 100), (1, 4, 20)]
)
def test_alignment_equals_brute_force(annotators: int, most: int, tries: int) -> None:
    rng = np.random.default_rng(annotators)
    dissimilarity = random_dissimilarity(rng)
    for _ in range(TIMES[PROFILE] * tries // 10):
        dissimilarity = random_dissimilarity(rng)
        parts = [random_units(rng, annotators, most) for _ in range(10)]
        alignment = best_alignment(together(parts), dissimilarity)
        wanted = [brute.best_partition(part, dissimilarity) for part in parts]
        assert alignment.totals == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        assert_sound(alignment, dissimilarity)
        assert alignment.overall_gap == 0


@pytest.mark.parametrize("annotators", [3, 4])
def test_alignment_of_repeated_units_equals_brute_force(annotators: int) -> None:
    rng = np.random.default_rng(annotators)
    for _ in range(12 * TIMES[PROFILE]):
        dissimilarity = random_dissimilarity(rng)
        parts = []
        for _ in range(10):
            once = random_units(rng, annotators, 4)
            again = rng.integers(0, len(once), 4) if len(once) else np.zeros(0, dtype=np.int64)
            parts.append(once.at(np.concatenate([np.arange(len(once)), again])))
        alignment = best_alignment(together(parts), dissimilarity)
        wanted = [brute.best_partition(part, dissimilarity) for part in parts]
        assert alignment.totals == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        assert_sound(alignment, dissimilarity)
        assert alignment.overall_gap == 0


def test_continua_of_equal_units_need_few_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five times the same unit by each of three annotators, moved differently in each of 300 continua."""
    rng = np.random.default_rng(0)
    start = rng.integers(0, 9, (300, 3, 1)).repeat(5, axis=2).ravel().astype(np.float64)
    continuum, annotator, _ = (index.ravel() for index in np.indices((300, 3, 5)))
    units = Units(continuum, annotator, start, start + 5, np.zeros(4500, dtype=np.int64), np.full(300, 3))
    solved = []

    def counted(*args: Any) -> Any:
        solved.append(args)
        return best_counts(*args)

    monkeypatch.setattr(best, "best_counts", counted)
    alignment = best_alignment(units, Combined(TABLE, 1.0, 1.0, 1.0))
    assert alignment.overall_gap == 0
    assert 0 < len(solved) < 10
    one = units.at(np.arange(0, 4500, 5))
    assert alignment.totals == pytest.approx(5 * best_alignment(one, Combined(TABLE, 1.0, 1.0, 1.0)).totals)


@pytest.mark.parametrize(("annotators", "most", "tries"), [(2, 8, 150), (3, 8, 150), (4, 7, 80), (5, 7, 60)])
def test_soft_alignment_equals_brute_force(annotators: int, most: int, tries: int) -> None:
    rng = np.random.default_rng(10 + annotators)
    for _ in range(TIMES[PROFILE] * tries // 10):
        dissimilarity = random_dissimilarity(rng)
        parts = [random_units(rng, annotators, most) for _ in range(10)]
        alignment = best_soft_alignment(together(parts), dissimilarity)
        wanted = [brute.best_cover(part, dissimilarity) for part in parts]
        assert alignment.totals == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        assert_sound(alignment, dissimilarity, soft=True)
        hard = best_alignment(together(parts), dissimilarity)
        assert (alignment.totals <= hard.totals + 1e-9 * dissimilarity.delta).all()


seeds = st.integers(0, 2**32 - 1)


@examples(15)
@given(seeds)
def test_single_alignments_equal_the_batch(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [random_units(rng, int(rng.integers(1, 6)), 12) for _ in range(6)]
    dissimilarity = random_dissimilarity(rng)
    for align in (best_alignment, best_soft_alignment):
        alone = [align(part, dissimilarity).disorders()[0] for part in parts]
        assert align(together(parts), dissimilarity).disorders() == pytest.approx(alone, rel=1e-9, nan_ok=True)


@examples(15)
@given(seeds)
def test_order_of_the_units_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = together([random_units(rng, 3, 12) for _ in range(3)])
    order = rng.permutation(len(units))
    for align in (best_alignment, best_soft_alignment):
        a, b = align(units, Combined(TABLE)), align(units.at(order), Combined(TABLE))
        assert np.array_equal(a.disorder, b.disorder)
        assert _described(a) == _described(b)


def _described(alignment: Alignment) -> list[tuple[Any, ...]]:
    u, m = alignment.units, alignment.members_unit
    columns = (alignment.members_group, u.continuum[m], u.annotator[m], u.start[m], u.end[m], u.label[m])
    return list(zip(*(column.tolist() for column in columns), strict=True))


@examples(15)
@given(seeds, st.sampled_from([1e-6, 1.0, 7.3, 1e6]), st.sampled_from([-1e6, 0.0, 12345.0, 1e9]))
def test_origin_and_scale_do_not_matter(seed: int, scale: float, shift: float) -> None:
    rng = np.random.default_rng(seed)
    units = random_units(rng, 3, 15)
    origin = shift * scale
    moved = replace(units, start=units.start * scale + origin, end=units.end * scale + origin)
    flat = (moved.end > moved.start) == (units.end > units.start)
    assert flat.all()
    a, b = best_alignment(units, Combined(TABLE)), best_alignment(moved, Combined(TABLE))
    assert b.totals == pytest.approx(a.totals, rel=1e-6, abs=1e-6)


def test_annotators_and_continua_may_have_no_units() -> None:
    units = Units(
        np.array([1, 1]), np.array([0, 2]), np.zeros(2), np.ones(2), np.zeros(2, dtype=np.int64), np.array([2, 3, 0])
    )
    alignment = best_alignment(units, Combined(TABLE))
    assert alignment.disorders() == pytest.approx([np.nan, (2 / 3) / (2 / 3), np.nan], nan_ok=True)
    assert alignment.group.tolist() == [0, 0]
    empty = units.at(np.zeros(0, dtype=np.int64))
    assert np.isnan(best_alignment(empty, Combined(TABLE)).disorders()).all()
    assert np.isnan(best_soft_alignment(empty, Combined(TABLE)).disorders()).all()


@examples(100)
@given(st.integers(1, 12), st.integers(1, 12), seeds)
def test_matcher_equals_the_assignment_solver(rows: int, columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    gain = rng.integers(1, 5, (rows, columns)) / 4 if seed % 2 else rng.random((rows, columns)) + 1e-3
    table = np.where(rng.random((rows, columns)) < rng.random(), gain, 0.0)
    i, j = np.nonzero(table)
    starts = np.searchsorted(i, np.arange(rows + 1))
    taken, price = best_matching(starts, j.astype(np.int32), table[i, j], columns)
    edges = taken[taken >= 0]
    assert len(set(j[edges])) == len(edges)
    best = table[linear_sum_assignment(table, maximize=True)].sum()
    assert table[i, j][edges].sum() == pytest.approx(best, abs=1e-9)
    profit = np.zeros(rows)
    np.maximum.at(profit, i, table[i, j] - price[j])
    assert (price >= 0).all()
    assert profit.sum() + price.sum() == pytest.approx(best, abs=1e-9)


@examples(80)
@given(seeds)
def test_certain_groups_are_part_of_a_best_packing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, gain = _random_groups(rng)
    taken, left = find_certain_groups(rows, gain)
    assert not set(taken) & set(left)
    used = rows[taken][rows[taken] >= 0]
    assert len(set(used)) == len(used)
    assert not set(used) & set(rows[left].ravel())
    assert gain[taken].sum() + _best_gain(rows[left], gain[left]) == pytest.approx(_best_gain(rows, gain))


@examples(40)
@given(seeds)
def test_sifted_packing_is_optimal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, gain = _random_groups(rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "_MANY_GROUPS", 0)
        chosen = program.best_packing(rows, gain)
    assert gain[chosen.groups].sum() == pytest.approx(_best_gain(rows, gain))


def _random_groups(rng: np.random.Generator) -> tuple[Ints, Any]:
    """Groups of two and three units, each once."""
    listed = {tuple(sorted(rng.choice(9, int(rng.integers(2, 4)), replace=False).tolist())) for _ in range(10)}
    rows = np.array([(*group, -1)[:3] for group in sorted(listed)], dtype=np.int64)
    return rows, rng.integers(1, 6, len(rows)) / 2 + (rng.random(len(rows)) if rng.random() < 0.5 else 0)


def _best_gain(rows: Ints, gain: Any) -> float:
    best = 0.0
    for k in range(len(rows)):
        units = rows[k][rows[k] >= 0]
        later = [m for m in range(k + 1, len(rows)) if not np.isin(rows[m], units).any()]
        best = max(best, gain[k] + _best_gain(rows[later], gain[later]))
    return best


def test_compiled_and_plain_pairs_agree() -> None:
    rng = np.random.default_rng(5)
    units = together([random_units(rng, 2, 60, span=100) for _ in range(5)])
    plain = best_alignment(units, Combined(TABLE)), best_soft_alignment(units, Combined(TABLE))
    for name, value in (("_MANY_PAIRS", 0), ("_LARGEST_TABLE", 0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(program, name, value)
            assert best_alignment(units, Combined(TABLE)).totals == pytest.approx(plain[0].totals)
            assert best_soft_alignment(units, Combined(TABLE)).totals == pytest.approx(plain[1].totals)


def test_small_chunks_find_the_same_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    units = together([random_units(rng, 4, 60, span=100) for _ in range(5)])
    units = units.at(units.canonical)
    wanted = candidates.candidate_pairs(units, Combined(TABLE))
    limit = candidates.farthest_useful(units, 1.0)
    u, v = np.triu_indices(len(units), 1)
    same = (units.continuum[u] == units.continuum[v]) & (units.annotator[u] != units.annotator[v])
    near = same & (Combined(TABLE).between(units, u, v) < limit[units.continuum[u]])
    assert np.array_equal(np.stack([wanted.u, wanted.v]), np.stack([u[near], v[near]]))
    for name, value in (("_CHUNK", 7), ("_AT_ONCE", 5), ("_MOST_LAYERS", 0)):
        monkeypatch.setattr(candidates, name, value)
        found = candidates.candidate_pairs(units, Combined(TABLE))
        assert np.array_equal(np.stack([found.u, found.v]), np.stack([wanted.u, wanted.v]))


@dataclass
class _Forgotten:
    """A result of column generation, here solved exactly with all listed groups."""

    groups: list[Ints]
    gain: Any
    bound: float
    near: Ints


def test_exploded_components_are_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    units = together([random_units(rng, annotators, 40) for annotators in (3, 3, 2)])
    dissimilarity = replace(Combined(TABLE), delta=2.5)
    wanted = best_alignment(units, dissimilarity)

    def generated(part: Units, of: candidates.Pairs, delta: float, n: int, gap: float, known: Ints) -> _Forgotten:
        assert (n, gap, len(known)) == (3, 0.0, 0)
        assert np.array_equal(part.canonical, np.arange(len(part)))
        found = candidates.useful_groups(part, of, delta, of.components(len(part)), 10**6)
        chosen = program.best_packing(found.rows, found.gain).groups
        gain = found.gain[chosen] * delta
        kept = [row[row >= 0] for row in found.rows[chosen]]
        return _Forgotten(kept, gain, float(gain.sum()) + 0.5, found.rows[chosen])

    monkeypatch.setattr("accord.measures.alignment.best._MOST_GROUPS", 0)
    assert best_alignment(units, dissimilarity).totals == pytest.approx(wanted.totals)  # by the real column generation
    monkeypatch.setattr(generation, "best_by_generation", generated)
    proven = best_alignment(units, dissimilarity)  # by listing, because the bound is not met
    assert proven.totals == pytest.approx(wanted.totals)
    assert not proven.gap.any()
    monkeypatch.setattr("accord.measures.alignment.best._MOST_UNPROVEN", 0)
    found = best_alignment(units, dissimilarity)
    assert found.totals == pytest.approx(wanted.totals)
    assert (found.gap[:2] > 0).all()
    assert found.gap[2] == 0
    assert found.overall_gap == pytest.approx(found.gap @ found.totals / found.totals.sum())


def test_soft_refuses_too_many_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.measures.alignment.best._MOST_SOFT", 0)
    with raises("too-large-to-compute"):
        best_soft_alignment(random_units(np.random.default_rng(7), 3, 40), Combined(TABLE))


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MOST_MEMORY", 100)
    units = random_units(np.random.default_rng(8), 2, 60)
    with raises("too-large-to-compute"):
        best_alignment(units, Combined(TABLE))


def test_pygamma_golden(golden: Callable[[str], Any], corpora: Path) -> None:
    """Observed disorders of pygamma-agreement's own test files, verified twice (see the file)."""
    for case in golden("pygamma.json")["cases"]:
        with (corpora / "native-samples" / "pygamma-csv" / case["file"]).open(encoding="utf-8") as lines:
            rows = sorted({tuple(row) for row in csv.reader(lines)})
        names, labels = (sorted({row[k] for row in rows}) for k in (0, 1))
        units = Units(
            np.zeros(len(rows), dtype=np.int64),
            np.array([names.index(row[0]) for row in rows]),
            np.array([float(row[2]) for row in rows]),
            np.array([float(row[3]) for row in rows]),
            np.array([labels.index(row[1]) for row in rows]),
            np.array([len(names)]),
        )
        weights = case["positional"], case["categorical"], case["delta"]
        alignment = best_alignment(units, Combined(1.0 - np.eye(len(labels)), *weights))
        assert alignment.disorders()[0] == pytest.approx(case["observed_disorder"], abs=1e-9), case["id"]


@for_each("seed", range(60))
def test_packing_without_solver_is_optimal(seed: int) -> None:
    """With few groups, the test tries all choices."""
    rng = np.random.default_rng(seed)
    sets = {tuple(sorted(rng.choice(7, size=rng.integers(1, 4), replace=False))) for _ in range(rng.integers(1, 11))}
    rows = np.full((len(sets), 3), -1)
    for row, members in zip(rows, sorted(sets), strict=True):
        row[: len(members)] = members
    cost = -rng.random(len(rows)).round(2)
    least = 0.0
    for chosen in itertools.product([False, True], repeat=len(rows)):
        units = rows[list(chosen)]
        units = units[units >= 0]
        if len(set(units.tolist())) == len(units):
            least = min(least, float(cost[list(chosen)].sum()))
    picked = program._by_hand(rows, cost)
    assert picked is not None
    units = rows[picked][rows[picked] >= 0]
    assert len(np.unique(units)) == len(units)
    assert cost[picked].sum() == pytest.approx(least, abs=1e-12)


def test_packings_with_too_many_states_use_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_MOST_STATES", 2)
    rows = np.array([[0, 1, -1], [1, 2, -1], [0, 2, -1], [2, 3, -1]])
    cost = np.array([-1.0, -1.0, -1.0, -0.5])
    assert program._by_hand(rows, cost) is None
    found = program.best_packing(rows, -cost)
    assert cost[found.groups].sum() == pytest.approx(-1.5)


@pytest.mark.parametrize("seed", range(6))
def test_batches_of_documents_are_aligned_as_the_whole(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents of many annotators are aligned separately."""
    rng = np.random.default_rng(seed)
    units = together([random_units(rng, int(rng.integers(2, 9)), 9, 30) for _ in range(20)])
    dissimilarity = Combined(TABLE, 1.0, 1.0, 1.0)
    whole = best_alignment(units, dissimilarity)
    monkeypatch.setattr("accord.measures.alignment.best._UNITS_AT_ONCE", 30)
    tasks: list[int] = []
    watched = Run(progress=lambda *at: tasks.append(at[2]))
    found = align_all(units, aligner(dissimilarity, False), watched)
    assert max(tasks) > 4
    assert_sound(found, dissimilarity)
    assert found.totals == pytest.approx(whole.totals, rel=1e-9)
    assert (found.gap == 0).all()


@pytest.mark.parametrize(("annotators", "sent"), [(3, 0), (7, 1)])
def test_one_document_of_many_annotators_is_a_task(annotators: int, sent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks: list[Units] = []

    def spread(align: Callable[[Units], Alignment], given: list[Units], *_: Any) -> list[Alignment]:
        tasks.extend(given)
        return [align(task) for task in given]

    monkeypatch.setattr("accord.measures.alignment.best.spread", spread)
    units = random_units(np.random.default_rng(2), annotators, 9)
    align_all(units, aligner(Combined(TABLE, 1.0, 1.0, 1.0), False), Run())
    assert len(tasks) == sent
