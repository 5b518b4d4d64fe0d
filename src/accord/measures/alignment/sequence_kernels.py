"""Compiled loops for the alignment of two texts. Imported on first use.

Cell (i, j) of the dynamic programming table means that the first i symbols of one text and the first j symbols of the
other are aligned. A band contains the columns `lo[i]` to `hi[i]` of each row; neither bound decreases with i.
"""

from __future__ import annotations

import numpy as np

from accord.core.compiled import compiled

OPEN, LETTERS = 0, 4  # symbols: even numbers open and odd numbers close a unit; letters follow
NEVER = np.int64(1) << 60
NOMINAL, EDITS = 0, 1  # compare texts of units for equality, or by edit distance
SPELLED = -2  # marks a feature with labels compared by edit distance

# Predecessors of a cell on the best path. State 1: inside two units with matched opening boundaries.
_UP, _UP_CLOSED, _LEFT, _LEFT_CLOSED, _MATCH, _MATCH_CLOSED = 0, 1, 2, 3, 4, 5
_UP_IN, _LEFT_IN, _MATCH_IN, _MATCH_OPEN = 0, 1, 2, 3


@compiled
def text_distance(a, a0, a1, b, b0, b1, how):
    """Return the distance of a[a0:a1] and b[b0:b1]: 0 or 1, or the edit distance relative to the longer text."""
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
    """Write the contributions of text and features to the dissimilarity of u and v to `out`; return their sum."""
    how, tables, at, size, spelled, spelled_at = rules
    features = labels_a.shape[1]
    plain = a[ends_a[u, 0]] == OPEN  # gap units have no features
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
def best_in_band(  # noqa: PLR0912, PLR0915 - a single loop is faster than calls
    a, b, cost_a, cost_b, unit_a, unit_b, first, second, rules, band, rows, state, marks
):
    """Compute rows `rows[0] + 1` to `rows[1]` of the table from the `state` of row `rows[0]`; return the last state.

    For each column a state contains the lowest gap cost P, and the largest gain Σ(2 − d) of the paths with cost P: W0
    outside and W1 inside a common unit. The cost of the remaining path does not depend on the path so far, so paths
    with a higher cost can be dropped. `marks` stores the predecessors unless it is empty. `exits` receives the lowest P
    from which a path can leave the band at each row.
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
                            # converted once, as in `compare_pairs`
                            u, v = np.int64(unit_a[i - 1]), np.int64(unit_b[j - 1])
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
    """Trace the best path back from `place` (row, column, state) to row `rows[0]`.

    Write moves (0: first text only, 1: second text only, 2: both) and aligned units from the end of their arrays. Their
    next free indices are place[3] and place[4].
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
def compare_pairs(a, ends_a, labels_a, b, ends_b, labels_b, pairs, rules):
    """Return the costs of text and features for each aligned pair."""
    out = np.empty((len(pairs), labels_a.shape[1] + 1))
    for k in range(len(pairs)):
        unit_distances(a, ends_a, labels_a, pairs[k, 0], b, ends_b, labels_b, pairs[k, 1], rules, out[k])
    return out


# -- narrow bands: a guide path, and the proof that no better path leaves the band ----------------------------------


@compiled
def cheapest_outside(  # noqa: PLR0912
    a, b, cost_a, cost_b, band, inner_lo, inner_hi, toll, least
):
    """Return a lower bound on the cost of all paths that leave the band at least once.

    A path pays its real cost before it leaves the band, and again after it returns into a narrower inner band. In
    between, each complete block of the first text costs only its toll, and everything else is free. T is the table of
    costs of paths that have been outside; it is entered from the free lane. A path that leaves and returns pays for the
    distance between the two bands, so it cannot avoid the tolls for free.
    """
    lo, hi, exits, left_open, right_open = band
    n = len(a)
    width = 1
    for i in range(n + 1):
        width = max(width, hi[i] - lo[i] + 1)
    T, T_old = np.full(width, NEVER), np.full(width, NEVER)
    settled, fresh = NEVER, exits[0]  # paths outside since the start of the block, and paths outside since later
    before = exits[0]
    touched = False
    for i in range(1, n + 1):
        if toll[i] >= 0:
            settled, fresh = min(settled + least * toll[i], fresh), NEVER
        lane = min(settled, fresh)
        entry = min(lane, before)
        before = lane
        low, high = lo[i], hi[i]
        if touched or entry < NEVER:
            touched = True
            low_old, high_old = lo[i - 1], hi[i - 1]
            symbol, cost = a[i - 1], cost_a[i - 1]
            for j in range(low, high + 1):
                best = NEVER
                above = j - low_old
                if j <= high_old:
                    best = T_old[above] + cost
                if j > low:
                    best = min(best, T[j - low - 1] + cost_b[j - 1])
                if 0 < above <= high_old - low_old + 1 and symbol == b[j - 1]:
                    best = min(best, T_old[above - 1])
                if j == inner_lo[i] or inner_hi[i - 1] < j <= inner_hi[i]:
                    best = min(best, entry)
                T[j - low] = min(best, NEVER)
            if i < n:
                if left_open[i]:
                    for j in range(low, min(lo[i + 1], high + 1)):
                        fresh = min(fresh, T[j - low])
                if right_open[i]:
                    fresh = min(fresh, T[high - low])
            T, T_old = T_old, T
        fresh = min(fresh, exits[i])
        before = min(before, fresh)
    return T_old[hi[n] - lo[n]] if touched else NEVER


@compiled
def tolls(a, b, kinds, far_left, far_right, inner_lo, inner_hi, size):
    """Return the smallest edit distance of each block of `a` to any text in `b` that ends outside the inner band.

    The result is stored at the row where a block ends, and is -1 at other rows. Symbols are numbers below `kinds`. A
    block has at most 64 symbols, so that a column of the table fits into the bits of a word (Myers 1999). A
    substitution is one edit there but two gaps here, so the toll is a lower bound.
    """
    n = len(a)
    toll = np.full(n + 1, -1, np.int64)
    where = np.zeros(kinds, np.uint64)
    one, none = np.uint64(1), np.uint64(0)
    for top in range(0, n, size):
        bottom = min(top + size, n)
        for i in range(top, bottom):
            where[a[i]] |= one << np.uint64(i - top)
        last = one << np.uint64(bottom - top - 1)
        more, less = ~none, none
        edits = best = bottom - top
        for j in range(far_left[top], far_right[bottom]):
            same = where[b[j]]
            down = same | less
            along = (((same & more) + more) ^ more) | same
            up_along, down_along = less | ~(along | more), more & along
            if up_along & last:
                edits += 1
            elif down_along & last:
                edits -= 1
            up_along <<= one
            down_along <<= one
            more, less = down_along | ~(down | up_along), up_along & down
            if edits < best and j + 1 >= far_left[bottom] and not inner_lo[bottom] <= j + 1 <= inner_hi[bottom]:
                best = edits
        toll[bottom] = best
        for i in range(top, bottom):
            where[a[i]] = none
    return toll


@compiled
def _split(a, a0, n, b, b0, m, forward, backward, patience):  # noqa: PLR0912
    """Return a midpoint of a shortest edit path (Myers 1986), or the furthest point when `patience` is exhausted."""
    delta = n - m
    odd = delta & 1
    zero = patience + 1
    for d in range(patience + 1):
        forward[zero - d - 1] = forward[zero + d + 1] = backward[zero - d - 1] = backward[zero + d + 1] = -2
        for ways in (0, 1):
            reach, other = (forward, backward) if ways == 0 else (backward, forward)
            for k in range(-d + 2 * max(0, (d - m + 1) // 2), d - 2 * max(0, (d - n + 1) // 2) + 1, 2):
                x = 0 if d == 0 else -2
                if d > 0:
                    if reach[zero + k + 1] >= 0 and reach[zero + k + 1] - k <= m:
                        x = reach[zero + k + 1]
                    if 0 <= reach[zero + k - 1] < n:
                        x = max(x, reach[zero + k - 1] + 1)
                if x < 0 or x - k > m:
                    reach[zero + k] = -2
                    continue
                y = x - k
                if ways == 0:
                    while x < n and y < m and a[a0 + x] == b[b0 + y]:
                        x += 1
                        y += 1
                else:
                    while x < n and y < m and a[a0 + n - 1 - x] == b[b0 + m - 1 - y]:
                        x += 1
                        y += 1
                reach[zero + k] = x
                facing = delta - k
                met = d - 1 if ways == 0 else d
                facing_reach = other[zero + facing] if odd == (ways == 0) and -met <= facing <= met else -2
                if facing_reach >= 0 and x + facing_reach >= n:
                    return (x, y) if ways == 0 else (n - x, m - y)
    best, x_best, y_best = -1, 0, 0
    for k in range(-patience, patience + 1):
        x = forward[zero + k]
        if x >= 0 and 2 * x - k > best:
            best, x_best, y_best = 2 * x - k, x, x - k
    return x_best, y_best


@compiled
def guide(a, b, patience):
    """Return a good, not always optimal, path through two texts: for each symbol of `a` its index in `b`, or -1."""
    match = np.full(len(a), -1, np.int32)
    forward, backward = np.empty(2 * patience + 5, np.int32), np.empty(2 * patience + 5, np.int32)
    waiting = [(0, len(a), 0, len(b))]
    while len(waiting) > 0:
        a0, a1, b0, b1 = waiting.pop()
        while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
            match[a0] = b0
            a0 += 1
            b0 += 1
        while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
            a1 -= 1
            b1 -= 1
            match[a1] = b1
        if a0 < a1 and b0 < b1:
            x, y = _split(
                a, a0, a1 - a0, b, b0, b1 - b0, forward, backward, min(patience, (a1 - a0 + b1 - b0 + 1) // 2)
            )
            if 0 < x + y < a1 - a0 + b1 - b0:
                waiting.append((a0 + x, a1, b0 + y, b1))
                waiting.append((a0, a0 + x, b0, b0 + y))
    return match
