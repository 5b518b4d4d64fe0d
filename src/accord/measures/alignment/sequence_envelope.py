"""Where the cheapest alignments of two texts lie, if all gaps cost the same: a whole row of the table at a time.

The cheapest ones are then those with the longest common subsequence. Its length differs by 0 or 1 from one column to
the next, so a row is a number whose bits say where (Crochemore et al. 2001; Hyyrö 2004). The two outermost of the
cheapest ways enclose all others.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST_BITS = 1 << 31  # of where each kind of symbol stands


def envelope(a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """The first and the last column that a cheapest alignment has in each row; None: too many kinds of symbols."""
    n, m = len(a), len(b)
    kinds, codes = np.unique(np.concatenate([a, b]), return_inverse=True)
    if len(kinds) * m > _MOST_BITS:
        return None
    first, second = codes[:n].tolist(), codes[n:].tolist()
    stands = [_number(codes[n:] == k) for k in range(len(kinds))]
    # Rows are kept at the beginning of each block, and computed again inside it: memory grows with the square root.
    step = max(64, math.isqrt(n))
    tops = range(0, n, step)
    begins, row = [], (1 << m) - 1
    for top in tops:
        begins.append(row)
        row = _rows(row, first[top : top + step], stands, m)[-1]
    lo, hi = np.zeros(n + 1, dtype=np.int64), np.full(n + 1, m, dtype=np.int64)
    left = right = m
    for top, begin in zip(reversed(tops), reversed(begins), strict=True):
        rows = _rows(begin, first[top : top + step], stands, m)
        for i in range(len(rows) - 1, 0, -1):
            symbol = first[top + i - 1]
            while left and rows[i] >> (left - 1) & 1:
                left -= 1
            lo[top + i], hi[top + i] = left, right
            # A match is on a cheapest way, and so is the cell above where there is none.
            left -= left > 0 and symbol == second[left - 1]
            here, above = _length(rows[i], right), _length(rows[i - 1], right)
            while here > above and symbol != second[right - 1]:
                above -= not rows[i - 1] >> (right - 1) & 1
                right -= 1
            right -= here > above
    hi[0] = right
    return lo, hi


def _number(bits: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def _rows(row: int, symbols: list[int], stands: list[int], columns: int) -> list[int]:
    """A row, and those of these symbols behind it: bit j is 0 where column j + 1 has one more than column j."""
    rows, all_ = [row], (1 << columns) - 1
    for symbol in symbols:
        matched = row & stands[symbol]
        row = ((row + matched) | (row ^ matched)) & all_
        rows.append(row)
    return rows


def _length(row: int, column: int) -> int:
    """Of the longest common subsequence up to a column."""
    return column - (row & ((1 << column) - 1)).bit_count()
