"""Compiled loops for the measures on segmentations. Imported on first use."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from accord.core.compiled import compiled

ALONE = -1


@compiled
def window_errors(position, offsets, first, second, k, windows, before, counting):
    """Return the sum of window errors of each comparison; the first window starts `before` atoms early.

    A boundary enters the window once and leaves it once. Nothing changes between two of these events, so the sweep
    moves from event to event without visiting atoms. `counting` selects the error of a window. 0: one segmentation has
    boundaries in it and the other has none. 1: the numbers of boundaries differ. 2: the difference of the numbers.
    """
    errors = np.zeros(len(first))
    for c in range(len(first)):
        a, a_end = offsets[first[c]], offsets[first[c] + 1]
        b, b_end = offsets[second[c]], offsets[second[c] + 1]
        a_out, b_out = a, b
        enter, leave = before[c] - k[c], before[c]
        window = total = 0
        while window < windows[c]:
            following = windows[c]
            a = _passed(position, a, a_end, window - enter)
            b = _passed(position, b, b_end, window - enter)
            a_out = _passed(position, a_out, a_end, window - leave)
            b_out = _passed(position, b_out, b_end, window - leave)
            if a < a_end:
                following = min(following, position[a] + enter)
            if b < b_end:
                following = min(following, position[b] + enter)
            if a_out < a_end:
                following = min(following, position[a_out] + leave)
            if b_out < b_end:
                following = min(following, position[b_out] + leave)
            one, other = a - a_out, b - b_out
            wrong = abs(one - other) if counting else (one > 0) != (other > 0)
            total += (following - window) * (min(wrong, 1) if counting < 2 else wrong)
            window = following
        errors[c] = total
    return errors


@compiled
def _passed(position, at, end, here):
    while at < end and position[at] <= here:
        at += 1
    return at


@compiled
def shift_cost(first, second, deletion, insertion, shift):
    """Return the lowest cost of turning `first` into `second` by deletions, insertions and shifts per position.

    The sweep runs from left to right. f(s) is the lowest cost so far if s boundaries of `first` (below 0: of `second`)
    still need a partner. f is convex, so its slopes on both sides of 0 are kept in two heaps. A gap between positions
    adds the same amount to all slopes of a side. The time is O(B log B) for any costs.
    """
    left = [0.0][:0]  # slopes below 0, negated, so that the largest is on top
    right = [0.0][:0]
    moved = 0.0  # total added to the slopes on the right and subtracted from those on the left
    at_zero = 0.0
    i = j = 0
    before = 0
    while i < len(first) or j < len(second):
        from_first = j == len(second) or (i < len(first) and first[i] <= second[j])
        here = first[i] if from_first else second[j]
        moved += shift * (here - before)
        before = here
        if from_first:
            i += 1
            top = -left[0] - moved if len(left) else -np.inf
            if top > -deletion:
                at_zero -= top
                heappop(left)
                heappush(left, deletion - moved)
                heappush(right, top - moved)
            else:
                at_zero += deletion
                heappush(right, -deletion - moved)
        else:
            j += 1
            top = right[0] + moved if len(right) else np.inf
            if top < insertion:
                at_zero += top
                heappop(right)
                heappush(right, insertion - moved)
                heappush(left, -(top + moved))
            else:
                at_zero += insertion
                heappush(left, -(insertion + moved))
    return at_zero


@compiled
def best_in_order(first, second, gain):
    """Return the partner in `second` of each member of `first`, or −1, with the largest Σ gain[distance].

    Both are sorted and have no member in common. Partners are closer than len(gain) and do not cross, which is optimal
    for gains that are linear or constant in the distance. This is alignment by dynamic programming, limited to the band
    of members that are close enough.
    """
    low, high = _band(first, second, len(gain))
    starts = np.zeros(len(first) + 1, dtype=np.int64)
    for i in range(len(first)):
        starts[i + 1] = starts[i] + high[i] - low[i]
    paired = np.zeros(starts[-1], dtype=np.bool_)  # best choice in cell (i, j): pair them,
    onwards = np.zeros(starts[-1], dtype=np.bool_)  # or skip j; if neither is set, skip i
    widest = np.max(high - low) if len(first) else 0
    above, row = np.zeros(widest + 1, dtype=np.int64), np.zeros(widest + 1, dtype=np.int64)
    above_low, above_high = 0, 0  # a row contains the best gains for the first low … high members of `second`
    for i in range(len(first)):
        row[0] = above[min(low[i], above_high) - above_low]
        for j in range(low[i], high[i]):
            cell = starts[i] + j - low[i]
            best = row[j - low[i]]
            onwards[cell] = True
            over = above[min(j + 1, above_high) - above_low]
            if over > best:
                best = over
                onwards[cell] = False
            diagonal = above[min(j, above_high) - above_low] + gain[abs(first[i] - second[j])]
            if diagonal > best:
                best = diagonal
                paired[cell] = True
            row[j + 1 - low[i]] = best
        above, row = row, above
        above_low, above_high = low[i], high[i]
    return _traced(low, high, starts, paired, onwards, len(second))


@compiled
def _band(first, second, reach):
    """Return the range of members of `second` that are closer than `reach` to each member of `first`."""
    low, high = np.zeros(len(first), dtype=np.int64), np.zeros(len(first), dtype=np.int64)
    lo = hi = 0
    for i in range(len(first)):
        while lo < len(second) and second[lo] <= first[i] - reach:
            lo += 1
        while hi < len(second) and second[hi] < first[i] + reach:
            hi += 1
        low[i], high[i] = lo, hi
    return low, high


@compiled
def _traced(low, high, starts, paired, onwards, members):
    """Trace the best path back through the table."""
    partner = np.full(len(low), ALONE, dtype=np.int64)
    i, j = len(low) - 1, members - 1
    while i >= 0 and j >= 0:
        cell = starts[i] + j - low[i]
        if j >= high[i]:
            j -= 1
        elif j >= low[i] and paired[cell]:
            partner[i] = j
            i -= 1
            j -= 1
        elif j >= low[i] and onwards[cell]:
            j -= 1
        else:
            i -= 1
    return partner


@compiled
def greedy_transpositions(position, label, from_first, types, n_t):
    """Return the partner of each boundary, or −1, by the greedy rule of segeval: shortest spans first, left to right.

    Boundaries are sorted by position, then type. Two positions that both have a substitution keep it.
    """
    n = len(position)
    mate = np.full(n, ALONE, dtype=np.int64)
    place = np.zeros(n, dtype=np.int64)
    for u in range(1, n):
        place[u] = place[u - 1] + (position[u] != position[u - 1])
    open_first, open_second = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for u in range(n):
        if from_first[u]:
            open_first[place[u]] += 1
        else:
            open_second[place[u]] += 1
    for distance in range(1, n_t):
        v = 0
        for u in range(n):
            wanted = (position[u] + distance) * types + label[u]
            while v < n and position[v] * types + label[v] < wanted:
                v += 1
            if v == n:
                break
            there = position[v] * types + label[v] == wanted
            if not there or mate[u] >= 0 or mate[v] >= 0 or from_first[u] == from_first[v]:
                continue
            x, y = place[u], place[v]
            if min(open_first[x], open_second[x]) > 0 and min(open_first[y], open_second[y]) > 0:
                continue
            mate[u], mate[v] = v, u
            open_first[x] -= from_first[u]
            open_second[x] -= not from_first[u]
            open_first[y] -= from_first[v]
            open_second[y] -= not from_first[v]
    return mate
