"""A plain NumPy alignment of two texts: the complete table, row by row, and backtracking."""

from __future__ import annotations

import numpy as np

from accord.measures.alignment.sequences import LETTERS, Bounded


def plain_alignment(first: Bounded, second: Bounded, gap_t: int = 1, gap_b: int = 1) -> tuple[int, float]:
    """Return the minimum cost of gaps, and the disorder of the units in one optimal alignment."""
    a, b = first.symbols, second.symbols
    cost_a, cost_b = (np.where(x < LETTERS, gap_b, gap_t).astype(np.int32) for x in (a, b))
    across = np.concatenate([[0], np.cumsum(cost_b)]).astype(np.int32)
    table = np.empty((len(a) + 1, len(b) + 1), dtype=np.int32)
    table[0] = across
    never = np.int32(1 << 30)
    for i, symbol in enumerate(a):
        row = table[i] + cost_a[i]
        row[1:] = np.minimum(row[1:], np.where(b == symbol, table[i, :-1], never))
        # A gap from the left: the minimum over all earlier columns plus the cost in between.
        table[i + 1] = across + np.minimum.accumulate(row - across)
    matched = {}
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1] and table[i, j] == table[i - 1, j - 1]:
            i, j = i - 1, j - 1
            matched[i] = j
        elif table[i, j] == table[i - 1, j] + cost_a[i - 1]:
            i -= 1
        else:
            j -= 1
    ends = {(int(s), int(e)): v for v, (s, e) in enumerate(second.ends)}
    pairs = [
        (u, ends.get((matched.get(int(s), -1), matched.get(int(e), -1)), -1)) for u, (s, e) in enumerate(first.ends)
    ]
    aligned = [(u, v) for u, v in pairs if v >= 0]
    disorder = float(len(first) + len(second) - 2 * len(aligned))
    for u, v in aligned:
        apart = float(not np.array_equal(first.text(u), second.text(v))) + float(
            (first.labels[u] != second.labels[v]).sum()
        )
        disorder += apart / (1 + first.labels.shape[1])
    return int(table[-1, -1]), disorder
