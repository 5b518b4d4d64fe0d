"""Chance: random versions have the numbers and kinds of changes of section 6."""

from __future__ import annotations

import numpy as np
import pytest

from accord.measures.alignment.sequences import LETTERS, EditCosts, align_pairs
from accord.measures.chance.text_edits import (
    EditRates,
    TextPool,
    TextVersion,
    Versions,
    edited,
    edited_each,
    segmented,
    text_changed,
)

from ..cases import for_each


def version(sizes: list[int], blanks: bool = True, letter: int = 5) -> TextVersion:
    """Tokens of these sizes, all of one letter, with blanks between them."""
    letters: list[int] = []
    start, end = [], []
    for size in sizes:
        if letters and blanks:
            letters.append(LETTERS + 32)
        start.append(len(letters))
        letters += [LETTERS + letter] * size
        end.append(len(letters))
    labels = np.arange(len(sizes))[:, None] % 3
    places = np.array(start, np.int64), np.array(end, np.int64)
    return TextVersion(np.array(letters, np.int32), *places, labels, np.zeros(len(sizes), dtype=bool))


def text(of: TextVersion, token: int) -> list[int]:
    return of.letters[of.start[token] : of.end[token]].tolist()


def test_text_changes_are_one_edit_per_changed_token() -> None:
    base = version([1, 2, 3, 4] * 50)
    pool = TextPool(np.array([LETTERS + 9], np.int32), base.labels)
    found = text_changed(base, pool, 90, np.random.default_rng(1))
    sizes = {-1: 0, 0: 0, 1: 0}
    for k in range(len(base.start)):
        before, after = text(base, k), text(found, k)
        if before != after:
            sizes[len(after) - len(before)] += 1
            assert after.count(LETTERS + 9) == (len(after) >= len(before))
            assert len(after) >= 1
    assert sum(sizes.values()) == 90
    assert all(15 < many < 45 for many in sizes.values())
    between = np.delete(
        found.letters, np.concatenate([np.arange(s, e) for s, e in zip(found.start, found.end, strict=True)])
    )
    assert (between == LETTERS + 32).all()
    assert len(between) == 199


@for_each("seed", range(20))
def test_segmentation_changes_keep_tokens_separate(seed: int) -> None:
    base = version([1, 2, 3, 4, 1] * 4)
    start, end = segmented(base.start, base.end, 12, np.random.default_rng(seed))
    assert (start[1:] >= end[:-1]).all()
    assert (end > start).all()
    assert start[0] == base.start[0]
    assert end[-1] == base.end[-1]


def test_segmentation_changes_are_two_thirds_mergers() -> None:
    base = version([6] * 900)
    many = [len(segmented(base.start, base.end, 90, np.random.default_rng(seed))[0]) - 900 for seed in range(60)]
    assert np.mean(many) == pytest.approx(-30, abs=4)  # 30 splits, 60 mergers


def test_texts_of_one_or_no_token_stay_unchanged() -> None:
    rng = np.random.default_rng(0)
    alone = version([1])
    start, end = segmented(alone.start, alone.end, 10, rng)
    assert (start.tolist(), end.tolist()) == ([0], [1])
    empty = version([])
    assert len(edited(empty, TextPool.of([alone]), EditRates(0.5, 0.5), rng).start) == 0


def test_rates_of_changes_are_estimated_correctly() -> None:
    """Random changes of a text without repetitions are counted, except changes that cancel each other."""
    rng = np.random.default_rng(4)
    sizes = rng.integers(1, 9, size=3000)
    end = np.cumsum(sizes + 1) - 1
    letters = rng.integers(LETTERS + 97, LETTERS + 123, size=int(end[-1])).astype(np.int32)
    letters[end[:-1]] = LETTERS + 32
    base = TextVersion(letters, end - sizes, end, np.zeros((3000, 0), np.int64), np.zeros(3000, dtype=bool))
    found = edited(base, TextPool.of([base]), EditRates(0.1, 0.04), rng)
    first, second = Versions.alone(base).bounded(), Versions.alone(found).bounded()
    seen = align_pairs(first, second, np.array([[0, 0]]), EditCosts())
    assert seen.changed[0] / 3000 == pytest.approx(0.1, abs=0.015)
    assert seen.boundaries[0] / 2 / 3000 == pytest.approx(0.04, abs=0.01)


def test_gaps_are_nonblank_text() -> None:
    letters = np.array([LETTERS + ord(c) for c in " x ab, cd"], np.int32)
    base = TextVersion(letters, np.array([3, 7]), np.array([5, 9]), np.zeros((2, 1), np.int64), np.zeros(2, dtype=bool))
    found = Versions.alone(base).with_gaps()[0]
    assert found.gap.tolist() == [True, False, True, False]
    assert list(zip(found.start.tolist(), found.end.tolist(), strict=True)) == [(1, 2), (3, 5), (5, 6), (7, 9)]


def several(*sizes: list[int]) -> Versions:
    """Concatenated texts."""
    made = [version(one, letter=5 + k) for k, one in enumerate(sizes)]
    first_letter = np.cumsum([0, *(len(v.letters) for v in made)])
    first_unit = np.cumsum([0, *(len(v.start) for v in made)])
    whole = TextVersion(
        np.concatenate([v.letters for v in made]),
        np.concatenate([v.start + at for v, at in zip(made, first_letter, strict=False)]),
        np.concatenate([v.end + at for v, at in zip(made, first_letter, strict=False)]),
        np.concatenate([v.labels for v in made]),
        np.concatenate([v.gap for v in made]),
    )
    return Versions(whole, first_letter, first_unit)


def test_texts_edited_together_stay_separate() -> None:
    """Letters stay in their own text, and no token spans two texts."""
    bases = several([3, 1, 4] * 20, [], [2], [5, 5] * 30)
    pool = TextPool(np.array([LETTERS + 99], np.int32), bases.whole.labels)
    for seed in range(10):
        found = edited_each(bases, pool, EditRates(0.4, 0.3), np.random.default_rng(seed))
        assert len(found) == 4
        assert found.units[1] == 0
        for k in range(4):
            one = found[k]
            assert set(one.letters.tolist()) <= {LETTERS + 5 + k, LETTERS + 32, LETTERS + 99}
            assert (one.start >= 0).all()
            assert (one.end <= len(one.letters)).all()
            assert (one.start[1:] >= one.end[:-1]).all()
            assert abs(len(one.letters) - bases.letters[k]) <= bases.units[k]  # at most one edit per token


def test_taken_texts_equal_the_originals() -> None:
    texts = several([3, 1], [4], [], [2, 2, 2])
    found = texts.take(np.array([3, 0, 2, 3]))
    for k, source in enumerate((3, 0, 2, 3)):
        one, other = found[k], texts[source]
        assert one.letters.tolist() == other.letters.tolist()
        assert one.start.tolist() == other.start.tolist()
        assert one.end.tolist() == other.end.tolist()
        assert one.labels.tolist() == other.labels.tolist()
    bounds = texts.bounded()
    for k in range(4):
        one, alone = bounds[k], texts[k].bounded()
        assert one.symbols.tolist() == alone.symbols.tolist()
        assert one.unit.tolist() == alone.unit.tolist()
        assert one.ends.tolist() == alone.ends.tolist()


def test_gaps_do_not_span_several_texts() -> None:
    letters = np.array([LETTERS + ord(c) for c in "x ab.;cd"], np.int32)  # "x ab." and ";cd"
    none = np.zeros((2, 0), np.int64)
    whole = TextVersion(letters, np.array([2, 6]), np.array([4, 8]), none, np.zeros(2, dtype=bool))
    found = Versions(whole, np.array([0, 5, 8]), np.array([0, 1, 2])).with_gaps()
    spans = [list(zip(found[k].start.tolist(), found[k].end.tolist(), strict=True)) for k in (0, 1)]
    assert spans == [[(0, 1), (2, 4), (4, 5)], [(0, 1), (1, 3)]]
    assert found.whole.gap.tolist() == [True, False, True, True, False]


@pytest.mark.parametrize("rate", [0.05, 0.5])
def test_numbers_of_changes_are_binomial(rate: float) -> None:
    base = version([4] * 200)
    pool = TextPool(np.array([LETTERS + 9], np.int32), base.labels)
    many = []
    for seed in range(400):
        found = edited(base, pool, EditRates(rate, 0.0), np.random.default_rng(seed))
        many.append(sum(text(base, k) != text(found, k) for k in range(200)))
    assert np.mean(many) == pytest.approx(200 * rate, rel=0.05)
    assert np.var(many) == pytest.approx(200 * rate * (1 - rate), rel=0.25)
