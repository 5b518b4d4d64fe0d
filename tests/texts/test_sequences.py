"""The best alignment of two texts equals brute force over all alignments, whatever band it was found in."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from accord.alignment import sequences
from accord.alignment.sequences import LETTERS, Bounded, Costs, SequenceAlignment, align_sequences, bounded

from .brute import every_alignment, least_disorder, parsed
from .made import changed, labelled, random_text

GAPS = ((1, 1), (1, 0.5), (1, 1.5), (1, 3), (0.3, 0.7), (2, 1), (0.1, 0.1))
TABLE = np.array([[0.0, 0.3, 1.0], [0.3, 0.0, 1.0], [1.0, 1.0, 0.0]])


def some_costs(rng: np.random.Generator) -> Costs:
    gap_t, gap_b = GAPS[rng.integers(len(GAPS))]
    return Costs(gap_t, gap_b, bool(rng.integers(2)), ((None, TABLE)[rng.integers(2)],))


def check_valid(found: SequenceAlignment, first: Bounded, second: Bounded, costs: Costs) -> None:
    """Its moves are an alignment with its cost, and its pairs are the co-extensive units of it."""
    i = j = 0
    cost, matched = 0.0, set()
    for move in found.moves.tolist():
        for text, at, alone in ((first, i, 0), (second, j, 1)):
            if move == alone:
                cost += costs.gap_b if text.symbols[at] < LETTERS else costs.gap_t
        if move == 2:
            assert first.symbols[i] == second.symbols[j]
            matched.add((i, j))
        i, j = i + (move != 1), j + (move != 0)
    assert (i, j) == (len(first.symbols), len(second.symbols))
    assert cost == pytest.approx(found.cost)
    pairs = {
        (u, v)
        for u, (s, e) in enumerate(first.ends.tolist())
        for v, (t, f) in enumerate(second.ends.tolist())
        if (s, t) in matched and (e, f) in matched
    }
    assert pairs == {tuple(pair) for pair in found.pairs.tolist()}


@pytest.mark.parametrize(("small", "narrow"), [(40_000, 8), (0, 1), (0, 3)])
def test_brute_force(small: int, narrow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "_SMALL", small)
    monkeypatch.setattr(sequences, "_NARROW", narrow)
    rng = np.random.default_rng(narrow)
    for _ in range(1000):
        first, second = (labelled(rng, random_text(rng, int(rng.integers(0, 9)))) for _ in range(2))
        costs = some_costs(rng)
        found = align_sequences(first, second, costs)
        cost, disorder = least_disorder(first, second, costs)
        assert found.cost == pytest.approx(cost)
        assert found.disorder == pytest.approx(disorder)
        check_valid(found, first, second, costs)


def test_a_band_finds_what_the_whole_table_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repetitive texts, where a good guide is easily misled and many alignments are best."""
    rng = np.random.default_rng(5)
    bands = set()
    for _ in range(600):
        text = random_text(rng, int(rng.integers(10, 150)), 0.2) * int(rng.choice([1, 1, 3]))
        other = changed(rng, text) if rng.random() < 0.8 else random_text(rng, len(text))
        if rng.random() < 0.2:
            other = changed(rng, other[len(other) // 3 :] + other[: len(other) // 3])
        first, second, costs = labelled(rng, text), labelled(rng, other), some_costs(rng)
        monkeypatch.setattr(sequences, "_SMALL", 1 << 40)
        whole = align_sequences(first, second, costs)
        monkeypatch.setattr(sequences, "_SMALL", 0)
        monkeypatch.setattr(sequences, "_NARROW", int(rng.integers(1, 9)))
        found = align_sequences(first, second, costs)
        assert found.cost == pytest.approx(whole.cost)
        assert found.disorder == pytest.approx(whole.disorder)
        bands.add(found.band)
    assert len(bands) > 10  # narrow ones that were proven, and wider ones after a proof had failed


def test_blocks_of_rows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    for size in (0, 1, 40, 200):
        text = random_text(rng, size)
        first, second, costs = labelled(rng, text), labelled(rng, changed(rng, text)), some_costs(rng)
        monkeypatch.setattr(sequences, "_CELLS", 1 << 28)
        whole = align_sequences(first, second, costs)
        monkeypatch.setattr(sequences, "_CELLS", 50)
        found = align_sequences(first, second, costs)
        assert found.moves.tolist() == whole.moves.tolist()
        assert found.pairs.tolist() == whole.pairs.tolist()


@pytest.mark.parametrize("gap_b", [0.5, 1, 1.5, 2, 3])
@pytest.mark.parametrize("apart", range(1, 8))
def test_boundaries_up_to_twice_gap_b_apart_are_aligned(gap_b: float, apart: int) -> None:
    """Rules (i) to (iii): closer ones always, those exactly as far may be, others never."""
    first, second = parsed("{a}{" + "b" * apart + "c}"), parsed("{a" + "b" * apart + "}{c}")
    _, sets, _ = every_alignment(first, second, Costs(1, gap_b))
    aligned = {len(pairs) for pairs in sets}
    assert aligned == ({2} if apart < 2 * gap_b else {0, 2} if apart == 2 * gap_b else {0})
    assert len(align_sequences(first, second, Costs(1, gap_b)).pairs) == max(aligned)


def test_gaps_never_align_with_tokens() -> None:
    letters, none = np.array([LETTERS, LETTERS + 1], np.int32), np.zeros((1, 0), np.int64)
    token, gap = (bounded(letters, np.array([0]), np.array([2]), none, np.array([kind])) for kind in (False, True))
    assert len(align_sequences(token, gap, Costs()).pairs) == 0
    assert len(align_sequences(gap, gap, Costs()).pairs) == 1


def long_text(rng: np.random.Generator, tokens: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    size = rng.integers(1, 9, size=tokens)
    end = np.cumsum(size)
    return rng.integers(LETTERS, LETTERS + 20, size=int(end[-1])).astype(np.int32), end - size, end


def test_long_texts_need_little_memory_and_a_narrow_band() -> None:
    """200,000 characters with 1,000 changes: every change is found, in a band that proves itself."""
    rng = np.random.default_rng(3)
    letters, start, end = long_text(rng, 45_000)
    labels = rng.integers(3, size=(len(start), 1))
    other = letters.copy()
    places = rng.choice(len(letters), size=1000, replace=False)
    other[places] = LETTERS + 50  # a letter that the first text does not have
    first, second = bounded(letters, start, end, labels), bounded(other, start, end, labels)
    align_sequences(*(parsed("{ab}", "a"), parsed("{b}", "a")), Costs(tables=(None,)))  # compiles
    tracemalloc.start()
    found = align_sequences(first, second, Costs(tables=(None,)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.cost == 2000
    assert len(found.pairs) == len(start)
    assert 0 < found.band < 100
    assert peak < 300e6
