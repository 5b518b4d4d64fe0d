"""Leaving out an annotator equals a new alignment, for both solvers."""

from __future__ import annotations

import numpy as np
import pytest

from accord.measures.alignment.best import best_alignment, realigner
from accord.measures.alignment.units import Units
from accord.measures.dissimilarities import Combined
from accord.measures.units.gamma_without import _first_alike, _left_of, _solved_without, _together

DISSIMILARITY = Combined(1.0 - np.eye(3), delta=1.0)


def documents(seed: int) -> Units:
    """Three, eight and two annotators. Of the eight, two marked the same units and one marked none."""
    rng = np.random.default_rng(seed)
    rows = []
    for doc, n in enumerate((3, 8, 2)):
        habits = rng.integers(0, 30, (3, 4))
        for who in range(n - (n == 8)):
            starts = habits[who % 3] if who > 2 else rng.integers(0, 30, 4)
            rows += [(doc, who, start, start + 5, int(start) % 3) for start in np.sort(starts).tolist()]
    columns = np.array(sorted(rows)).T
    return Units(
        columns[0], columns[1], columns[2].astype(float), columns[3].astype(float), columns[4], np.array([3, 8, 2])
    )


@pytest.mark.slow
@pytest.mark.parametrize("generated", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_leaving_out_an_annotator_equals_a_new_alignment(
    seed: int, generated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = documents(seed)
    continuum = np.repeat(np.arange(3), units.annotators)
    who = np.concatenate([np.arange(n) for n in units.annotators])
    remaining = [_left_of(units, "annotator", continuum[[k]], who[[k]])[0] for k in range(len(who))]
    wanted = [float(best_alignment(left, DISSIMILARITY).totals[0]) for left in remaining]
    monkeypatch.setattr("accord.measures.alignment.best._MOST_GROUPS", 0 if generated else 10**6)
    monkeypatch.setattr("accord.measures.alignment.best._MOST_WITH_TWINS", 0 if generated else 10**6)
    near = best_alignment(units, DISSIMILARITY).near
    assert (len(near) > 0) == generated
    first, same = _first_alike(units, "annotator", continuum, who)
    assert len(first) == len(who) - 1
    assert len(set(same[(continuum == 1) & np.isin(who, [3, 6])])) == 1  # the two with the same units
    totals, counts = np.zeros(len(who)), np.zeros(len(who), dtype=np.int64)
    for at in _together(units, continuum[first]):
        which = first[at]
        align = realigner(DISSIMILARITY, False)
        totals[which], counts[which] = _solved_without(units, near, align, "annotator", continuum, who, which)
    assert totals[same] == pytest.approx(wanted, abs=1e-9)
    assert counts[same].tolist() == [len(left) for left in remaining]
