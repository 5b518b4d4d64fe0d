"""Sparse assignment: the best pairs of units of two annotators, also for millions of connected pairs.

The method is shortest augmenting paths on sparse rows. A row may also stay unmatched, with gain 0. The column prices
prove optimality: no row could gain more at these prices, and only matched columns have a positive price.
"""

from __future__ import annotations

import numpy as np

from accord.core.compiled import compiled

_BIDS = 4  # per row, before the path search


@compiled
def best_matching(starts, column, gain, columns):
    """Return the edge that each row takes from column[starts[r]:starts[r + 1]], or -1; and the column prices."""
    price = np.zeros(columns)
    owner = np.full(columns, -1, dtype=np.int32)
    taken = np.full(len(starts) - 1, -1, dtype=np.int64)
    left = _bid(starts, column, gain, price, owner, taken)
    label = np.zeros(columns)
    seen = np.zeros(columns, dtype=np.int32)  # number of the last search that labelled it
    position = np.full(columns, -1, dtype=np.int32)  # in the heap; -1: not in the heap
    via_row = np.zeros(columns, dtype=np.int32)
    via_edge = np.zeros(columns, dtype=np.int64)
    heap = np.zeros(columns, dtype=np.int32)
    settled = np.zeros(columns, dtype=np.int32)
    for search, row in enumerate(left):
        stamp = search + 1
        heaped = done = 0
        end, end_row, end_edge = 0.0, row, -1  # the row stays unmatched
        at, base = row, 0.0
        while True:
            for edge in range(starts[at], starts[at + 1]):
                j = column[edge]
                distance = base - gain[edge] + price[j]
                if distance >= end or (seen[j] == stamp and (position[j] < 0 or distance >= label[j])):
                    continue
                if owner[j] < 0:
                    end, end_row, end_edge = distance, at, edge
                    continue
                if seen[j] != stamp:
                    seen[j], position[j] = stamp, heaped
                    heaped += 1
                label[j], via_row[j], via_edge[j] = distance, at, edge
                _rise(heap, position, label, j)
            if heaped == 0 or label[heap[0]] >= end:
                break
            j = heap[0]
            heaped -= 1
            _drop_first(heap, position, label, heaped)
            settled[done] = j
            done += 1
            at = owner[j]
            base = label[j] + gain[taken[at]] - price[j]
            if base < end:  # its owner becomes unmatched instead
                end, end_row, end_edge = base, at, -1
        position[heap[:heaped]] = -1
        for j in settled[:done]:
            price[j] += end - label[j]
        _hand_over(row, end_row, end_edge, column, owner, taken, via_row, via_edge)
    return taken, price


@compiled
def _hand_over(row, at, edge, column, owner, taken, via_row, via_edge):
    """Follow the path back to its first row: each row takes the new edge and releases the old one."""
    while True:
        old = taken[at]
        taken[at] = edge
        if edge >= 0:
            owner[column[edge]] = at
        if at == row:
            break
        at, edge = via_row[column[old]], via_edge[column[old]]


@compiled
def _bid(starts, column, gain, price, owner, taken):
    """Match rows greedily by auction, where a bid is the advantage over the second best; return unmatched rows."""
    rows = len(starts) - 1
    left = np.empty(rows, dtype=np.int64)
    n_left = 0
    bids = _BIDS * rows
    for first in range(rows):
        row = first
        while row >= 0:
            best, second, pick = 0.0, 0.0, -1
            for edge in range(starts[row], starts[row + 1]):
                profit = gain[edge] - price[column[edge]]
                if profit > best:
                    second, best, pick = best, profit, edge
                elif profit > second:
                    second = profit
            if pick < 0:  # stays unmatched
                break
            j = column[pick]
            rival = owner[j]
            if rival >= 0 and (best <= second or bids <= 0):
                left[n_left] = row
                n_left += 1
                break
            owner[j] = row
            taken[row] = pick
            if rival >= 0:
                price[j] += best - second
                taken[rival] = -1
                bids -= 1
            row = rival
    return left[:n_left]


@compiled
def _rise(heap, position, label, j):
    at = position[j]
    while at > 0:
        parent = (at - 1) >> 1
        if label[heap[parent]] <= label[j]:
            break
        heap[at] = heap[parent]
        position[heap[at]] = at
        at = parent
    heap[at] = j
    position[j] = at


@compiled
def _drop_first(heap, position, label, heaped):
    """Remove the first element: `heaped` elements are left, and the last one sinks from the top."""
    position[heap[0]] = -1
    if heaped == 0:
        return
    j, at = heap[heaped], 0
    while True:
        child = 2 * at + 1
        if child >= heaped:
            break
        if child + 1 < heaped and label[heap[child + 1]] < label[heap[child]]:
            child += 1
        if label[heap[child]] >= label[j]:
            break
        heap[at] = heap[child]
        position[heap[at]] = at
        at = child
    heap[at] = j
    position[j] = at
