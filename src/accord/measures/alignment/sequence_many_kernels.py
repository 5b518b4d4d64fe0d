"""Compiled loops for the alignment of many small texts. Imported on first use."""

from __future__ import annotations

import numpy as np

from accord.core.compiled import compiled
from accord.measures.alignment.sequence_kernels import LETTERS, best_in_band, compare_pairs, guide, traced

_PATIENCE = 1024  # edits that a guide path looks ahead
_NEVER = 1 << 30  # larger than the cost of any path
_SHORT = 40  # cells of an antidiagonal
_NARROW = 64  # no band is tried if a band of this width exceeds the cell limit


@compiled
def _ends(n, m, left, right):
    """Return the first and the last row of each antidiagonal."""
    lows, highs = np.empty(n + m + 1, np.int64), np.empty(n + m + 1, np.int64)
    for s in range(n + m + 1):
        lows[s] = max(0, s - m, (s - right + 1) // 2)
        highs[s] = min(n, s, (s + left) // 2)
    return lows, highs


@compiled
def _diagonal(least, to, one, two, here, there, down, along, x, y, many):
    """Compute the cells of antidiagonal `to` from the two antidiagonals before it."""
    to, one, two, x, y = np.uint64(to), np.uint64(one), np.uint64(two), np.uint64(x), np.uint64(y)
    for k in range(np.uint64(many)):
        best = min(least[one + k - np.uint64(1)] + down[x + k], least[one + k] + along[y + k])
        across = least[two + k] if here[x + k] == there[y + k] else np.int32(_NEVER)
        least[to + k] = min(np.int32(best), across)


@_diagonal.in_python
def _diagonal_at_once(least, to, one, two, here, there, down, along, x, y, many):
    rows, columns = slice(x, x + many), slice(y, y + many)
    best = np.minimum(least[one - 1 : one - 1 + many] + down[rows], least[one : one + many] + along[columns])
    across = np.where(here[rows] == there[columns], least[two : two + many], _NEVER)
    np.minimum(best, across, out=least[to : to + many], casting="unsafe")


@compiled
def _fill(least, begin, here, there, down, along, lows, highs):
    """Compute the cells of all antidiagonals except the first."""
    m = len(there) - 1
    for s in range(1, len(begin)):
        low = lows[s]
        # No symbol matches at the first antidiagonal, so any index is valid for the second one before it.
        two = begin[s - 2] + low - 1 if s > 1 else begin[s - 1] + low
        many = highs[s] - low + 1
        _diagonal(least, begin[s] + low, begin[s - 1] + low, two, here, there, down, along, low, m - s + low, many)


@_fill.in_python
def _fill_in_python(least, begin, here, there, down, along, lows, highs):
    """Compute short antidiagonals cell by cell from lists, which is faster than small arrays."""
    m = len(there) - 1
    if (highs - lows).max() > _SHORT:
        for s in range(1, len(begin)):
            low, two = lows[s], begin[s - 2] - 1 if s > 1 else begin[s - 1]
            at = begin[s] + low, begin[s - 1] + low, two + low
            _diagonal(least, *at, here, there, down, along, low, m - s + low, highs[s] - low + 1)
        return
    costs = least.tolist()
    begin, here, there, down, along = (each.tolist() for each in (begin, here, there, down, along))
    lows, highs = lows.tolist(), highs.tolist()
    for s in range(1, len(begin)):
        to, one, two = begin[s], begin[s - 1], begin[s - 2] - 1 if s > 1 else begin[s - 1]
        for i in range(lows[s], highs[s] + 1):
            j = m - s + i
            best = min(costs[one + i - 1] + down[i], costs[one + i] + along[j])
            costs[to + i] = min(best, costs[two + i]) if here[i] == there[j] else best
    least[:] = costs


@compiled
def least_costs(a, b, cost_a, cost_b, lows, highs):
    """Return the lowest gap cost of each cell in rows `lows` to `highs` of each antidiagonal, and the cell offsets.

    Antidiagonal s (i + j = s) depends only on the two before it, so its cells are computed together. Cell (i, j) is at
    begin[s] + i.
    """
    n, m = len(a), len(b)
    never = np.int32(_NEVER)
    # Shift by one and reverse the second text, so that neighbours on an antidiagonal are adjacent in memory.
    here, there = np.full(n + 1, -1, np.int32), np.full(m + 1, -2, np.int32)
    down, along = np.zeros(n + 1, np.int32), np.zeros(m + 1, np.int32)
    for i in range(n):
        here[i + 1], down[i + 1] = a[i], cost_a[i]
    for j in range(m):
        there[j], along[j] = b[m - 1 - j], cost_b[m - 1 - j]
    begin, size = np.empty(n + m + 1, np.int64), 0
    for s in range(n + m + 1):
        begin[s] = size + 1 - lows[s]
        size += highs[s] - lows[s] + 3  # with one extra cell on either side
    least = np.full(size, never)
    least[begin[0]] = 0
    _fill(least, begin, here, there, down, along, lows, highs)
    return least, begin


@compiled
def outermost(a, b, cost_a, cost_b, least, begin):
    """Return the first and the last column of the cheapest paths in each row.

    Two paths cannot cross without meeting. Always choosing the same side therefore gives the outermost paths.
    """
    n, m = len(a), len(b)
    lo, hi = np.zeros(n + 1, np.int64), np.full(n + 1, m, np.int64)
    for side in (0, 1):
        i, j = n, m
        while i > 0 or j > 0:
            cost = least[begin[i + j] + i]
            aside = j > 0 and least[begin[i + j - 1] + i] + cost_b[j - 1] == cost
            up = i > 0 and least[begin[i + j - 1] + i - 1] + cost_a[i - 1] == cost
            if side == 0:
                lo[i] = j
                step = (0, 1) if aside else (1, 0) if up and not _met(a, b, i, j, least, begin) else (1, 1)
            else:
                step = (1, 0) if up else (0, 1) if aside and not _met(a, b, i, j, least, begin) else (1, 1)
            i, j = i - step[0], j - step[1]
            if side == 1 and step[0] == 1:
                hi[i] = j
        if side == 0:
            lo[0] = 0
    return lo, hi


@compiled
def _met(a, b, i, j, least, begin):
    """Return whether a cheapest path reaches (i, j) by a match."""
    if i == 0 or j == 0 or a[i - 1] != b[j - 1]:
        return False
    return least[begin[i + j - 2] + i - 1] == least[begin[i + j] + i]


@compiled
def _gap_costs(symbols, gaps):
    """Return the cost of each symbol without counterpart, and their sum."""
    costs, total = np.empty(len(symbols), np.int64), 0
    for k in range(len(symbols)):
        costs[k] = gaps[1] if symbols[k] < LETTERS else gaps[0]
        total += costs[k]
    return costs, total


@compiled
def _equal(a, b):
    for k in range(min(len(a), len(b))):
        if a[k] != b[k]:
            return False
    return len(a) == len(b)


@_equal.in_python
def _equal_at_once(a, b):
    return np.array_equal(a, b)


@compiled
def way_through(a, b, unit_a, unit_b, first, second, gaps, rules, most_cells):
    """Return the best alignment of two texts: cost, moves and aligned units; cost -1 if there are too many cells.

    Cells far from the diagonals of the two corners cannot be on a best path, because the detour costs more than a known
    path (Ukkonen). The remaining cells are computed twice: first the costs of all cells, then the disorder of those
    between the outermost cheapest paths.
    """
    n, m = len(a), len(b)
    if _equal(a, b):  # identical texts: the only alignment without gaps
        every = np.empty((len(first[0]), 2), np.int64)
        for u in range(len(every)):
            every[u, 0] = every[u, 1] = u
        return np.int64(0), np.full(n, 2, np.uint8), every
    none, nobody = np.empty(0, np.uint8), np.empty((0, 2), np.int64)
    if (n + m) * _NARROW > most_cells:
        return np.int64(-1), none, nobody
    match = guide(a, b, min(_PATIENCE, n + m))
    (cost_a, all_a), (cost_b, all_b) = _gap_costs(a, gaps), _gap_costs(b, gaps)
    total = most = all_a + all_b
    for i in range(n):
        if match[i] >= 0:
            most -= cost_a[i] + cost_b[match[i]]
    spare = most // min(gaps[0], gaps[1])
    left, right = (spare - (m - n)) // 2, (spare + (m - n)) // 2
    left, right = min(left, n), min(right, m)
    lows, highs = _ends(n, m, left, right)
    cells = 0
    for s in range(n + m + 1):
        cells += highs[s] - lows[s] + 3
    if total >= _NEVER or cells > most_cells:
        return np.int64(-1), none, nobody
    least, begin = least_costs(a, b, cost_a, cost_b, lows, highs)
    lo, hi = outermost(a, b, cost_a, cost_b, least, begin)
    widest = size = 0
    for i in range(n + 1):
        widest, size = max(widest, hi[i] - lo[i] + 1), size + hi[i] - lo[i] + 1
    state = np.zeros((3, widest))
    for k in range(widest):
        state[2, k] = -np.inf
    for k in range(1, hi[0] - lo[0] + 1):
        state[0, k] = state[0, k - 1] + cost_b[k - 1]
    shut = np.zeros(n + 1, np.bool_)
    marks = np.empty(size - (hi[0] - lo[0] + 1), np.uint8)
    band = lo, hi, np.empty(n + 1, np.int64), shut, shut
    state = best_in_band(a, b, cost_a, cost_b, unit_a, unit_b, first, second, rules, band, (0, n), state, marks)
    moves, pairs = np.empty(n + m, np.uint8), np.empty((min(len(first[0]), len(second[0])), 2), np.int64)
    place = np.array([n, m, 0, len(moves), len(pairs)])
    place = traced(lo, hi, marks, (0, n), place, moves, pairs, unit_a, unit_b)
    start = place[3] - place[1]  # symbols of the second text before the first symbol of the first text
    for k in range(start, place[3]):
        moves[k] = 1
    return np.int64(state[0, hi[n] - lo[n]]), moves[start:], pairs[place[4] :]


@compiled
def tallied(a, b, moves):
    """Count matching letters, units of `a` with changed text, and unmatched token boundaries of an alignment."""
    letters = changed = alone = i = j = 0
    gaps = since = 0  # letters without counterpart, in total and at the start of the unit
    inside = False  # inside a unit of b: a blank that splits a unit of `a` does not change its text
    for move in moves:
        symbol = b[j] if move == 1 else a[i]
        if symbol >= LETTERS:
            letters += move == 2
            gaps += move == 0 or (move == 1 and inside)
        else:
            inside = symbol & 1 == 0 if move != 0 else inside
            alone += move != 2 and symbol < 2
            if move != 1 and symbol & 1 == 0:
                since = gaps
            elif move != 1:
                changed += gaps > since
        i += move != 1
        j += move != 0
    return letters, changed, alone


@compiled
def align_each(first, second, which, gaps, rules, most_cells, begin, figures, pairs, parts):
    """Align pairs of texts. `figures` receives cost (-1: too large), the counts of `tallied`, and the number of pairs.

    The aligned units of pair k and their costs are written from begin[k] on.
    """
    symbols_a, unit_a, ends_a, labels_a, at_a, from_a = first
    symbols_b, unit_b, ends_b, labels_b, at_b, from_b = second
    for k in range(len(which)):
        x, y = which[k]
        s, u = slice(at_a[x], at_a[x + 1]), slice(from_a[x], from_a[x + 1])
        t, v = slice(at_b[y], at_b[y + 1]), slice(from_b[y], from_b[y + 1])
        a, b = symbols_a[s], symbols_b[t]
        one, other = (ends_a[u], labels_a[u]), (ends_b[v], labels_b[v])
        cost, moves, found = way_through(a, b, unit_a[s], unit_b[t], one, other, gaps, rules, most_cells)
        figures[k, 0] = cost
        if cost < 0:
            continue
        figures[k, 1], figures[k, 2], figures[k, 3] = tallied(a, b, moves)
        figures[k, 4] = len(found)
        costs = compare_pairs(a, one[0], one[1], b, other[0], other[1], found, rules)
        for row in range(len(found)):
            pairs[begin[k] + row, 0], pairs[begin[k] + row, 1] = found[row]
            for part in range(costs.shape[1]):
                parts[begin[k] + row, part] = costs[row, part]


@compiled
def _same(a, one, b, other):
    size = one[1] - one[0]
    if size != other[1] - other[0]:
        return False
    same, k = True, 1
    while same and k < size:
        same = a[one[0] + k] == b[other[0] + k]
        k += 1
    return same


@compiled
def _tokens(symbols, ends):
    return np.flatnonzero(symbols[ends[:, 0]] == 0)  # gap units are not tokens


@compiled
def _free(symbols, ends, aligned):
    """Return the ends of the tokens, whether each is unaligned, the running count of aligned ones, and hashes."""
    alone = np.ones(len(ends), np.bool_)
    for u in aligned:
        alone[u] = False
    tokens = _tokens(symbols, ends)
    key = np.zeros(len(tokens), np.uint64)
    for k in range(len(tokens)):
        if alone[tokens[k]]:
            for at in range(ends[tokens[k], 0] + 1, ends[tokens[k], 1]):
                key[k] = (key[k] ^ np.uint64(symbols[at])) * np.uint64(1099511628211)
    return ends[tokens], alone[tokens], np.cumsum(~alone[tokens]), key


@compiled
def _alike(a, here, free_a, b, there, free_b):
    """Return the number of initial tokens that are equal and unaligned in both texts."""
    n, most = 0, min(len(here), len(there))
    while n < most and free_a[n] and free_b[n] and _same(a, here[n], b, there[n]):
        n += 1
    return n


@compiled
def _swapped(a, here, free_a, end, b, there, free_b, begin, most):
    """Return how many tokens after `end` the other text has before `begin`, all unaligned; 0 if none match."""
    for k in range(1, min(most, len(here) - end, begin) + 1):
        if not free_a[end + k - 1] or not free_b[begin - k]:
            return 0
        here_too = slice(begin - k, begin)
        if _alike(a, here[end : end + k], free_a[end : end + k], b, there[here_too], free_b[here_too]) == k:
            return k
    return 0


@compiled
def _from(keys, key):
    """Return the index of the first sorted key that is not smaller (binary search)."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _moved_runs(k, a, ends_a, b, ends_b, pairs, long, near, runs):
    """Append runs of moved tokens: tokens without an equal counterpart that the other text has in a different place.

    Each row contains k, the first token in either text, and the number of tokens. A run counts as moved if it has at
    least two tokens, if it is swapped with a neighbouring run, or if it is one token of at least `long` letters that
    crosses at most `near` equal tokens. Because a repeated single word can be a coincidence, it must have no
    counterpart, or its counterpart must have moved to its old place.
    """
    equal = np.zeros(len(pairs), np.bool_)
    partner_a, partner_b = np.full(len(ends_a), -1), np.full(len(ends_b), -1)
    for row in range(len(pairs)):
        u, v = pairs[row]
        partner_a[u], partner_b[v] = v, u
        equal[row] = _same(a, ends_a[u], b, ends_b[v])
    here, free_a, behind_a, key_a = _free(a, ends_a, pairs[equal, 0])
    there, free_b, behind_b, key_b = _free(b, ends_b, pairs[equal, 1])
    partner_a, partner_b = partner_a[_tokens(a, ends_a)], partner_b[_tokens(b, ends_b)]
    places = np.flatnonzero(free_b)
    places = places[np.argsort(key_b[places], kind="mergesort")]
    keys = key_b[places]
    for u in range(len(here)):
        if not free_a[u]:
            continue
        best, at, over = 0, -1, 0
        for place in range(_from(keys, key_a[u]), len(keys)):
            v = places[place]
            if keys[place] != key_a[u]:
                break
            crossed = abs(behind_a[u] - behind_b[v])
            if not free_b[v]:
                continue
            n = _alike(a, here[u:], free_a[u:], b, there[v:], free_b[v:])
            if n <= best:
                continue
            if crossed == 0:
                other = _swapped(a, here, free_a, u + n, b, there, free_b, v, near)
                if other > 0:
                    best, at, over = n, v, other
                continue
            y, x = partner_a[u], partner_b[v]
            sure = _same(a, ends_a[x], b, ends_b[y]) if x >= 0 and y >= 0 else x == y
            if n > 1 or (crossed <= near and here[u, 1] - here[u, 0] > long and sure):
                best, at, over = n, v, 0
        if best > 0:
            runs.append((k, u, at, best))
            free_a[u : u + best + over] = False
            free_b[at - over : at + best] = False


@compiled
def moved_in_each(first, second, which, begin, pairs, long, near):
    """Find moved runs in pairs of texts with aligned units begin[k]:begin[k + 1]; each row begins with k."""
    symbols_a, ends_a, at_a, from_a = first
    symbols_b, ends_b, at_b, from_b = second
    runs = [(0, 0, 0, 0)]  # sets the type of the list for the compiler
    runs.pop()
    for k in range(len(which)):
        x, y = which[k]
        a, ends = symbols_a[at_a[x] : at_a[x + 1]], ends_a[from_a[x] : from_a[x + 1]]
        b, other = symbols_b[at_b[y] : at_b[y + 1]], ends_b[from_b[y] : from_b[y + 1]]
        _moved_runs(k, a, ends, b, other, pairs[begin[k] : begin[k + 1]], long, near, runs)
    made = np.empty((len(runs), 4), np.int64)
    for at in range(len(runs)):
        made[at, 0], made[at, 1], made[at, 2], made[at, 3] = runs[at]
    return made
