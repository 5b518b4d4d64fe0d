"""`Remembered` computes repeated arguments once."""

from __future__ import annotations

import numpy as np

from accord.core.arrays import Floats
from accord.measures.resampling import Remembered


def test_repeated_arguments_are_computed_once() -> None:
    asked: list[int] = []

    def twice(given: Floats) -> Floats:
        asked.append(len(given))
        return 2 * given

    remembered = Remembered(twice)
    pieces = [np.ones(5), np.ones(7)]
    for _ in range(10):
        once = np.ones(1)
        assert remembered(once).tolist() == [2.0]
        assert [len(remembered(piece)) for piece in pieces] == [5, 7]
    assert (asked.count(1), asked.count(5), asked.count(7)) == (10, 1, 1)
