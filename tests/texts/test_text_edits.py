"""Chance: random versions have the numbers and kinds of changes that section 6 asks for."""

from __future__ import annotations

import numpy as np
import pytest

from accord.alignment.sequences import LETTERS, Costs, align_sequences
from accord.chance.text_edits import Pool, Rates, Version, changes, edited, segmented, text_changed, with_gaps


def version(sizes: list[int], blanks: bool = True, letter: int = 5) -> Version:
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
    return Version(
        np.array(letters, np.int32), np.array(start), np.array(end), labels, np.zeros(len(sizes), dtype=bool)
    )


def text(of: Version, token: int) -> list[int]:
    return of.letters[of.start[token] : of.end[token]].tolist()


def test_text_changes_are_one_edit_in_each_of_some_tokens() -> None:
    base = version([1, 2, 3, 4] * 50)
    pool = Pool(np.array([LETTERS + 9], np.int32), base.labels)
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


@pytest.mark.parametrize("seed", range(20))
def test_segmentation_changes_keep_tokens_apart(seed: int) -> None:
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


def test_nothing_to_split_and_nothing_to_merge() -> None:
    rng = np.random.default_rng(0)
    alone = version([1])
    start, end = segmented(alone.start, alone.end, 10, rng)
    assert (start.tolist(), end.tolist()) == ([0], [1])
    empty = version([])
    assert len(edited(empty, Pool.of([alone]), Rates(0.5, 0.5), rng).start) == 0


def test_rates_are_found_again() -> None:
    """What was changed at random in a text without repetitions is counted right, but for what undoes itself."""
    rng = np.random.default_rng(4)
    sizes = rng.integers(1, 9, size=3000)
    end = np.cumsum(sizes + 1) - 1
    letters = rng.integers(LETTERS + 97, LETTERS + 123, size=int(end[-1])).astype(np.int32)
    letters[end[:-1]] = LETTERS + 32
    base = Version(letters, end - sizes, end, np.zeros((3000, 0), np.int64), np.zeros(3000, dtype=bool))
    found = edited(base, Pool.of([base]), Rates(0.1, 0.04), rng)
    first, second = base.bounded(), found.bounded()
    text_changes, segmentations = changes(align_sequences(first, second, Costs()), first, second)
    assert text_changes / 3000 == pytest.approx(0.1, abs=0.015)
    assert segmentations / 3000 == pytest.approx(0.04, abs=0.01)


def test_gaps_are_text_that_is_not_blank() -> None:
    letters = np.array([LETTERS + ord(c) for c in " x ab, cd"], np.int32)
    base = Version(letters, np.array([3, 7]), np.array([5, 9]), np.zeros((2, 1), np.int64), np.zeros(2, dtype=bool))
    found = with_gaps(base)
    assert found.gap.tolist() == [True, False, True, False]
    assert list(zip(found.start.tolist(), found.end.tolist(), strict=True)) == [(1, 2), (3, 5), (5, 6), (7, 9)]
