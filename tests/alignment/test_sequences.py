"""The best alignment of two texts equals brute force over all alignments, for any width of the band."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from accord.measures.alignment import sequences
from accord.measures.alignment.sequences import (
    LETTERS,
    Bounded,
    BoundedTexts,
    EditCosts,
    SequenceAlignment,
    Spelled,
    align_pairs,
    align_sequences,
    bounded,
    envelope,
)

from ..cases import for_each
from ..measures.texts.brute import edits, every_alignment, least_disorder, parsed
from ..measures.texts.made import changed, labelled, random_text

GAPS = ((1, 1), (1, 0.5), (1, 1.5), (1, 3), (0.3, 0.7), (2, 1), (0.1, 0.1))
TABLE = np.array([[0.0, 0.3, 1.0], [0.3, 0.0, 1.0], [1.0, 1.0, 0.0]])


def some_costs(rng: np.random.Generator) -> EditCosts:
    gap_t, gap_b = GAPS[rng.integers(len(GAPS))]
    return EditCosts(gap_t, gap_b, bool(rng.integers(2)), ((None, TABLE)[rng.integers(2)],))


def check_valid(found: SequenceAlignment, first: Bounded, second: Bounded, costs: EditCosts) -> None:
    """Assert that the moves have the stated cost, and that the pairs are the co-extensive units."""
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


@pytest.mark.parametrize(("small", "narrow"), [(1 << 40, 8), (0, 1), (0, 3)])
def test_alignment_equals_brute_force(small: int, narrow: int, monkeypatch: pytest.MonkeyPatch) -> None:
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


def stacked(texts: list[Bounded]) -> BoundedTexts:
    columns = ([getattr(text, name) for text in texts] for name in ("symbols", "unit", "ends", "labels"))
    symbols, unit, ends, labels = map(np.concatenate, columns)
    first_symbol, first_unit = (
        np.cumsum([0, *(len(x) for x in of)]) for of in ([t.symbols for t in texts], [t.ends for t in texts])
    )
    return BoundedTexts(symbols, unit, ends, labels, first_symbol, first_unit)


def counted(found: SequenceAlignment, first: Bounded, second: Bounded) -> tuple[int, int, int]:
    """Numbers of matching letters, changed units of the first text, and unmatched boundaries of tokens."""
    i = j = letters = alone = 0
    gaps, before = 0, []  # letters without counterpart, so far and before each symbol of the first
    for move in found.moves.tolist():
        symbol = second.symbols[j] if move == 1 else first.symbols[i]
        if move != 1:
            before.append(gaps)
        letters += move == 2 and symbol >= LETTERS
        inside = move == 0 or any(s < j < e for s, e in second.ends.tolist())  # otherwise outside of all tokens
        gaps += move != 2 and symbol >= LETTERS and inside
        alone += move != 2 and symbol < 2
        i, j = i + (move != 1), j + (move != 0)
    return letters, sum(before[e] > before[s] for s, e in first.ends.tolist()), alone


@pytest.mark.parametrize("cells", [1 << 40, 1500, 0])
def test_batch_of_pairs_equals_single_alignments(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both equal brute force, with and without a band."""
    monkeypatch.setattr(sequences, "_SMALL", cells)
    rng = np.random.default_rng(cells % 7)
    for _ in range(40):
        texts = [labelled(rng, random_text(rng, int(rng.integers(0, 9)))) for _ in range(12)]
        which = rng.integers(12, size=(30, 2))
        costs = some_costs(rng)
        found = align_pairs(stacked(texts), stacked(texts), which, costs)
        for k, (x, y) in enumerate(which.tolist()):
            cost, disorder = least_disorder(texts[x], texts[y], costs)
            assert found.cost[k] == pytest.approx(cost)
            assert found.kinds[k].sum() == pytest.approx(disorder)
            alone = align_sequences(texts[x], texts[y], costs)
            assert (found.owner == k).sum() == len(alone.pairs)
            if x == y or cells == 0:  # otherwise there may be several best alignments
                assert (found.letters[k], found.changed[k], found.boundaries[k]) == counted(alone, texts[x], texts[y])


def test_long_texts_in_a_batch_equal_single_alignments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The envelope of the cheapest paths is enough. Repetitive texts have many of these paths."""
    monkeypatch.setattr(sequences, "_SMALL", 0)  # single alignments in proven bands
    rng = np.random.default_rng(8)
    for _ in range(12):
        made = [random_text(rng, int(rng.integers(10, 90)), 0.2) * int(rng.choice([1, 1, 3])) for _ in range(6)]
        texts = [labelled(rng, text) for text in (*made, *(changed(rng, text) for text in made))]
        which, costs = rng.integers(12, size=(40, 2)), some_costs(rng)
        which[:6] = np.column_stack([np.arange(6), np.arange(6, 12)])
        whole = [align_sequences(texts[x], texts[y], costs) for x, y in which.tolist()]
        found = align_pairs(stacked(texts), stacked(texts), which, costs)
        assert found.cost == pytest.approx([one.cost for one in whole])
        assert found.kinds.sum(axis=1) == pytest.approx([one.disorder for one in whole])


def naive_moved(first: Bounded, second: Bounded, pairs: np.ndarray) -> list[list[int]]:
    """Tokens in another order, by a loop over all positions of all tokens."""
    one, other = ([tuple(text.text(u).tolist()) for u in range(len(text))] for text in (first, second))
    there, here = dict(pairs.tolist()), dict(pairs[:, ::-1].tolist())
    equal = np.array([[u, v] for u, v in pairs.tolist() if one[u] == other[v]]).reshape(-1, 2)
    free = [set(range(len(text))) - set(equal[:, k].tolist()) for k, text in enumerate((first, second))]
    behind = [
        [sum(v not in free[k] for v in range(u + 1)) for u in range(len(text))]
        for k, text in enumerate((first, second))
    ]
    runs = []
    for u in range(len(first)):
        best, at, over = 0, -1, 0
        for v in range(len(second)):
            crossed, n = abs(behind[0][u] - behind[1][v]), 0
            while u + n in free[0] and v + n in free[1] and one[u + n] == other[v + n]:
                n += 1
            if n <= best:
                continue
            swapped = [
                k
                for k in range(1, v + 1)
                if one[u + n : u + n + k] == other[v - k : v]
                and free[0] >= set(range(u + n, u + n + k))
                and free[1] >= set(range(v - k, v))
            ]
            exchanged = u in there and v in here and one[here[v]] == other[there[u]]
            alone = u not in there and v not in here
            if not crossed and swapped:
                best, at, over = n, v, swapped[0]
            elif crossed and (n > 1 or (crossed <= 50 and len(one[u]) >= 4 and (alone or exchanged))):
                best, at, over = n, v, 0
        if best:
            runs.append([u, at, best])
            free[0] -= set(range(u, u + best + over))
            free[1] -= set(range(at - over, at + best))
    return runs


def test_moved_tokens_equal_a_naive_search() -> None:
    rng = np.random.default_rng(6)
    words = ["{abba}", "{ab}", "{bbbbb}", "{a}", "{baab}"]
    many = 0
    for _ in range(300):
        order = rng.integers(5, size=int(rng.integers(2, 14)))
        cut = int(rng.integers(len(order)))
        moved = np.concatenate([order[cut:], order[:cut]])
        if rng.random() < 0.5:
            moved = order.copy()
            swap = rng.integers(len(order), size=2)
            moved[swap] = moved[swap[::-1]]
        texts = [parsed("".join(words[k] for k in one), "a" * len(one)) for one in (order, moved)]
        found = align_pairs(stacked(texts), stacked(texts), np.array([[0, 1]]), EditCosts(tables=(None,)), moved=True)
        assert found.moved[:, 1:].tolist() == naive_moved(*texts, found.pairs)
        many += len(found.moved)
    assert many > 100


def test_distances_of_spelled_labels_equal_a_table() -> None:
    names = ("run", "runs", "", "ran away", "e\u0301te")
    table = np.ones((6, 6))
    for p, one in enumerate(names):
        for q, other in enumerate(names):
            table[p, q] = edits([*map(ord, one)], [*map(ord, other)]) / max(len(one), len(other), 1)
    table[5, 5] = 0  # no label
    rng = np.random.default_rng(1)
    for _ in range(200):
        text = labelled(rng, random_text(rng, 12))
        first, second = (
            Bounded(text.symbols, text.unit, text.ends, rng.integers(6, size=(len(text), 1))) for _ in range(2)
        )
        by_table = align_sequences(first, second, EditCosts(tables=(table,)))
        spelled = align_sequences(first, second, EditCosts(tables=(Spelled(names),)))
        assert spelled.disorder == pytest.approx(by_table.disorder)
        assert spelled.parts == pytest.approx(by_table.parts)


def test_banded_alignment_costs_the_same_as_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repetitive texts have many best alignments, and the first band is often wrong."""
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
    assert len(bands) > 10  # narrow bands, and wider ones after a failed proof


def test_blocks_of_rows_do_not_change_the_alignment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "_SMALL", 0)
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


@for_each("gap_b", [0.5, 1, 1.5, 2, 3])
@for_each("apart", range(1, 8))
def test_boundaries_up_to_twice_gap_b_apart_are_aligned(gap_b: float, apart: int) -> None:
    """Rules (i) to (iii): closer boundaries always, those exactly at the limit optionally, others never."""
    first, second = parsed("{a}{" + "b" * apart + "c}"), parsed("{a" + "b" * apart + "}{c}")
    _, sets, _ = every_alignment(first, second, EditCosts(1, gap_b))
    aligned = {len(pairs) for pairs in sets}
    assert aligned == ({2} if apart < 2 * gap_b else {0, 2} if apart == 2 * gap_b else {0})
    assert len(align_sequences(first, second, EditCosts(1, gap_b)).pairs) == max(aligned)


def test_gaps_never_align_with_tokens() -> None:
    letters, none = np.array([LETTERS, LETTERS + 1], np.int32), np.zeros((1, 0), np.int64)
    token, gap = (bounded(letters, np.array([0]), np.array([2]), none, np.array([kind])) for kind in (False, True))
    assert len(align_sequences(token, gap, EditCosts()).pairs) == 0
    assert len(align_sequences(gap, gap, EditCosts()).pairs) == 1


def long_text(rng: np.random.Generator, tokens: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    size = rng.integers(1, 9, size=tokens)
    end = np.cumsum(size)
    return rng.integers(LETTERS, LETTERS + 20, size=int(end[-1])).astype(np.int32), end - size, end


def test_long_texts_need_little_memory_and_a_narrow_band() -> None:
    """200,000 characters with 1,000 changes: every change is found in a proven band."""
    rng = np.random.default_rng(3)
    letters, start, end = long_text(rng, 45_000)
    labels = rng.integers(3, size=(len(start), 1))
    other = letters.copy()
    places = rng.choice(len(letters), size=1000, replace=False)
    other[places] = LETTERS + 50  # a letter that the first text does not have
    first, second = bounded(letters, start, end, labels), bounded(other, start, end, labels)
    align_sequences(*(parsed("{ab}", "a"), parsed("{b}", "a")), EditCosts(tables=(None,)))  # compiles
    tracemalloc.start()
    found = align_sequences(first, second, EditCosts(tables=(None,)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.cost == 2000
    assert len(found.pairs) == len(start)
    assert 0 < found.band < 100
    assert peak < 300e6


def columns_of_cheapest_paths(a: NDArray[np.int64], b: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Naive: the cells on a longest common subsequence."""

    def lengths(x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.int64]:
        table = np.zeros((len(x) + 1, len(y) + 1), dtype=np.int64)
        for i, j in np.ndindex(len(x), len(y)):
            table[i + 1, j + 1] = table[i, j] + 1 if x[i] == y[j] else max(table[i, j + 1], table[i + 1, j])
        return table

    before, after = lengths(a, b), lengths(a[::-1], b[::-1])[::-1, ::-1]
    best = before + after == before[-1, -1]
    return best.argmax(axis=1), len(b) - best[:, ::-1].argmax(axis=1)


def test_envelope_contains_all_cheapest_paths() -> None:
    rng = np.random.default_rng(1)
    for size in (1, 2, 5, 30, 70, 140) * 4:  # the last sizes need several blocks of rows
        kinds = int(rng.integers(1, 6))
        a, b = (rng.integers(0, kinds, int(rng.integers(1, size + 1))) for _ in range(2))
        found, wanted = envelope(a, b), columns_of_cheapest_paths(a, b)
        assert found is not None
        assert all(np.array_equal(x, y) for x, y in zip(found, wanted, strict=True))


def test_unrelated_texts_are_aligned_in_the_envelope(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result equals that of the whole table."""
    rng = np.random.default_rng(2)
    first, second = (labelled(rng, random_text(rng, 200)) for _ in range(2))
    costs = EditCosts(1, 1, True, (TABLE,))
    wanted = align_sequences(first, second, costs)
    monkeypatch.setattr(sequences, "_SMALL", 0)
    found = align_sequences(first, second, costs)
    assert (found.cost, found.disorder) == (wanted.cost, pytest.approx(wanted.disorder))
    monkeypatch.setattr(sequences._Problem, "nearest", sequences._Problem.everything)
    assert align_sequences(first, second, costs).disorder == pytest.approx(wanted.disorder)
