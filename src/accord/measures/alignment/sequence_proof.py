"""What makes a narrow band enough, compiled: a good way to lay it around, and the proof that no better one is outside.

Cells and bands are those of sequence_kernels.py.
"""

from __future__ import annotations

import numpy as np

from accord.core.compiled import compiled

NEVER = np.int64(1) << 60


@compiled
def cheapest_outside(  # noqa: PLR0912
    a, b, cost_a, cost_b, band, inner_lo, inner_hi, toll, least
):
    """A lower bound for the cost of all ways that leave the band at least once.

    Up to there, and after they have come back into an inner, narrower band, they cost what they cost. In between they
    are in a lane: each whole block of the first text costs its toll, and nothing else costs anything. So T, the cost of
    ways that have been outside, is an ordinary table that is entered from the lane. A way that goes out and in pays for
    the distance between the two bands, and so cannot avoid the tolls for nothing.
    """
    lo, hi, exits, left_open, right_open = band
    n = len(a)
    width = 1
    for i in range(n + 1):
        width = max(width, hi[i] - lo[i] + 1)
    T, T_old = np.full(width, NEVER), np.full(width, NEVER)
    settled, fresh = NEVER, exits[0]  # outside since the block began, or since later
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
    """For each block of `size` symbols of `a`: the fewest edits to anything in `b` that ends outside the inner band.

    At the row where a block ends, -1 at other rows. Symbols are numbers below `kinds`, and 64 of them at most a block.
    The search for a pattern with edits keeps a column of its table in the bits of a word (Myers 1999). To replace a
    symbol is one edit there and two gaps here: the toll is a lower bound.
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
    """A point in the middle of a shortest way through two texts (Myers 1986); the furthest one when patience ends."""
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
    """A good way through two texts: for each symbol of `a` its place in `b`, or -1. Not always a best one."""
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
