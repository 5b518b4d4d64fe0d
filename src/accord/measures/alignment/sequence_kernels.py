"""The loops behind the alignment of texts, compiled. Imported where they are used.

A cell (i, j) of the table stands for i symbols of the first text and j of the second that have been dealt with. A band
has the columns `lo[i]` to `hi[i]` of each row; both never decrease.
"""

from __future__ import annotations

import numpy as np

from accord.core.compiled import compiled

OPEN, LETTERS = 0, 4  # symbols: boundaries open with an even, close with an odd number; then all others
NEVER = np.int64(1) << 60
NOMINAL, EDITS = 0, 1  # texts of units are equal or not, or as far apart as the edits between them
SPELLED = -2  # the place of a feature whose labels are compared by their edits

# Where the best way to a cell comes from. State 1: inside two units whose opening boundaries are matched.
_UP, _UP_CLOSED, _LEFT, _LEFT_CLOSED, _MATCH, _MATCH_CLOSED = 0, 1, 2, 3, 4, 5
_UP_IN, _LEFT_IN, _MATCH_IN, _MATCH_OPEN = 0, 1, 2, 3


@compiled
def text_distance(a, a0, a1, b, b0, b1, how):
    """Between a[a0:a1] and b[b0:b1]: 0 or 1, or the edits as a share of the longer one."""
    n, m = a1 - a0, b1 - b0
    same = n == m
    k = 0
    while same and k < n:
        same = a[a0 + k] == b[b0 + k]
        k += 1
    if same:
        return 0.0
    if how == NOMINAL:
        return 1.0
    row = np.arange(m + 1)
    for i in range(n):
        corner = row[0]
        row[0] = i + 1
        for j in range(m):
            cost = min(row[j + 1], row[j]) + 1
            cost = min(cost, corner + (a[a0 + i] != b[b0 + j]))
            corner = row[j + 1]
            row[j + 1] = cost
    return row[m] / max(n, m)


@compiled
def unit_distances(a, ends_a, labels_a, u, b, ends_b, labels_b, v, rules, out):
    """What text and features add to the dissimilarity of u and v, written to `out`; their sum."""
    how, tables, at, size, spelled, spelled_at = rules
    features = labels_a.shape[1]
    plain = a[ends_a[u, 0]] == OPEN  # a gap has no features
    share = 1.0 / (features + 1) if plain else 1.0
    total = share * text_distance(a, ends_a[u, 0] + 1, ends_a[u, 1], b, ends_b[v, 0] + 1, ends_b[v, 1], how)
    out[0] = total
    for f in range(features):
        out[f + 1] = 0.0
        if plain:
            p, q = labels_a[u, f], labels_b[v, f]
            if at[f] == SPELLED:
                p, q = p + size[f], q + size[f]
                far = text_distance(
                    spelled, spelled_at[p], spelled_at[p + 1], spelled, spelled_at[q], spelled_at[q + 1], EDITS
                )
            else:
                far = 1.0 * (p != q) if at[f] < 0 else tables[at[f] + p * size[f] + q]
            out[f + 1] = share * far
            total += share * far
    return total


@compiled
def best_in_band(  # noqa: PLR0912, PLR0915 - one loop, and calls would slow it down
    a, b, cost_a, cost_b, unit_a, unit_b, first, second, rules, band, rows, state, marks
):
    """Rows `rows[0] + 1` to `rows[1]` of the table, from the `state` of row `rows[0]`; gives the state of the last row.

    A state has, for each column, the least cost of gaps P, and the largest gain Σ(2 − d) of the ways that cost P: W0 of
    those outside a common unit, W1 of those inside one. What follows costs the same for all, so dearer ways are never
    needed. `marks` remembers where each came from, if it is not empty. `exits` gets the least P from which a row can be
    left to the outside of the band.
    """
    lo, hi, exits, left_open, right_open = band
    ends_a, labels_a = first
    ends_b, labels_b = second
    width = state.shape[1]
    P, W0, W1 = np.empty(width, np.int64), np.empty(width), np.empty(width)
    P_old, W0_old, W1_old = np.empty(width, np.int64), state[1].copy(), state[2].copy()
    for k in range(width):
        P_old[k] = np.int64(state[0, k])
    nothing = -np.inf
    out = np.empty(labels_a.shape[1] + 1)
    keep = len(marks) > 0
    at = np.int64(0)
    for i in range(rows[0] + 1, rows[1] + 1):
        low, high, low_old = lo[i], hi[i], lo[i - 1]
        last_old = hi[i - 1] - low_old
        symbol, cost = a[i - 1], cost_a[i - 1]
        opens = symbol < LETTERS and symbol & 1 == 0
        closes = symbol < LETTERS and symbol & 1 == 1
        for j in range(low, high + 1):
            k = j - low
            above = j - low_old
            best, w0, w1 = NEVER, nothing, nothing
            from0, from1 = 0, 0
            if above <= last_old:
                best, w0, w1 = P_old[above] + cost, W0_old[above], W1_old[above]
                if closes:
                    if w1 > w0:
                        w0, from0 = w1, _UP_CLOSED
                    w1 = nothing
            if k > 0:
                p = P[k - 1] + cost_b[j - 1]
                if p <= best:
                    if p < best:
                        best, w0, w1 = p, nothing, nothing
                    other = b[j - 1]
                    if W0[k - 1] > w0:
                        w0, from0 = W0[k - 1], _LEFT
                    if other < LETTERS and other & 1 == 1:
                        if W1[k - 1] > w0:
                            w0, from0 = W1[k - 1], _LEFT_CLOSED
                    elif W1[k - 1] > w1:
                        w1, from1 = W1[k - 1], _LEFT_IN
            if 0 < above <= last_old + 1 and symbol == b[j - 1] and P_old[above - 1] <= best:
                if P_old[above - 1] < best:
                    best, w0, w1 = P_old[above - 1], nothing, nothing
                x0, x1 = W0_old[above - 1], W1_old[above - 1]
                if opens:
                    if x0 > w1:
                        w1, from1 = x0, _MATCH_OPEN
                else:
                    if x0 >= w0 and x0 > nothing:
                        w0, from0 = x0, _MATCH
                    if x1 > nothing:
                        if closes:
                            u, v = np.int64(unit_a[i - 1]), np.int64(unit_b[j - 1])  # as in `compared`
                            x1 += 2.0 - unit_distances(a, ends_a, labels_a, u, b, ends_b, labels_b, v, rules, out)
                            if x1 > w0:
                                w0, from0 = x1, _MATCH_CLOSED
                        elif x1 >= w1:
                            w1, from1 = x1, _MATCH_IN
            P[k], W0[k], W1[k] = best, w0, w1
            if keep:
                marks[at] = from0 | (from1 << 3)
                at += 1
        exits[i] = NEVER
        if i < len(lo) - 1:
            if left_open[i]:
                for j in range(low, min(lo[i + 1], high + 1)):
                    exits[i] = min(exits[i], P[j - low])
            if right_open[i]:
                exits[i] = min(exits[i], P[high - low])
        P, P_old = P_old, P
        W0, W0_old = W0_old, W0
        W1, W1_old = W1_old, W1
    final = np.empty((3, width))
    for k in range(width):
        final[0, k], final[1, k], final[2, k] = np.float64(P_old[k]), W0_old[k], W1_old[k]
    return final


@compiled
def traced(lo, hi, marks, rows, place, moves, pairs, unit_a, unit_b):
    """Back from `place` (row, column, state) to row `rows[0]`, along the marks of the rows after it.

    Writes moves (0: first alone, 1: second alone, 2: both) and aligned units from the end of their arrays, whose next
    free places are place[3] and place[4].
    """
    i, j, state, free, free_pair = place
    at = np.int64(len(marks))
    row = rows[1] + 1
    while i > rows[0]:
        while row > i:
            row -= 1
            at -= hi[row] - lo[row] + 1
        mark = marks[at + j - lo[i]]
        if state == 0:
            mark &= 7
            move = mark >> 1
            if mark == _MATCH_CLOSED:
                free_pair -= 1
                pairs[free_pair, 0], pairs[free_pair, 1] = unit_a[i - 1], unit_b[j - 1]
            state = mark & 1
        else:
            mark >>= 3
            move = min(mark, 2)
            state = 0 if mark == _MATCH_OPEN else 1
        free -= 1
        moves[free] = move
        i -= move != 1
        j -= move != 0
    return np.array([i, j, state, free, free_pair], dtype=np.int64)


@compiled
def compared(a, ends_a, labels_a, b, ends_b, labels_b, pairs, rules):
    """For each aligned pair what text and features cost."""
    out = np.empty((len(pairs), labels_a.shape[1] + 1))
    for k in range(len(pairs)):
        unit_distances(a, ends_a, labels_a, pairs[k, 0], b, ends_b, labels_b, pairs[k, 1], rules, out[k])
    return out
