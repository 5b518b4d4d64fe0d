"""All alignments of two short texts, by brute force."""

from __future__ import annotations

from functools import cache

import numpy as np

from accord.measures.alignment.sequences import LETTERS, Bounded, EditCosts, bounded

Pairs = frozenset[tuple[int, int]]


def parsed(text: str, labels: str = "", features: int = 0) -> Bounded:
    """`{hat}{s}` → boundaries as symbols; a label (a letter) for each unit."""
    letters, start, end = [], [], []
    for sign in text:
        if sign == "{":
            start.append(len(letters))
        elif sign == "}":
            end.append(len(letters))
        else:
            letters.append(ord(sign) + LETTERS)
    codes = np.array([[ord(c) - ord("a")] for c in labels], dtype=np.int64).reshape(
        len(start), 1 if labels else features
    )
    return bounded(np.array(letters, np.int32), np.array(start, np.int64), np.array(end, np.int64), codes)


def units_of(text: Bounded) -> list[tuple[int, int]]:
    return [(int(s), int(e)) for s, e in text.ends]


def every_alignment(
    first: Bounded, second: Bounded, costs: EditCosts
) -> tuple[float, set[frozenset[tuple[int, int]]], int]:
    """The least cost, every set of co-extensive units over all alignments that have it, and their number."""
    a, b = first.symbols.tolist(), second.symbols.tolist()

    def gap(symbol: int) -> float:
        return costs.gap_b if symbol < LETTERS else costs.gap_t

    @cache
    def least(i: int, j: int) -> float:
        if i == len(a) and j == len(b):
            return 0.0
        ways = []
        if i < len(a):
            ways.append(least(i + 1, j) + gap(a[i]))
        if j < len(b):
            ways.append(least(i, j + 1) + gap(b[j]))
        if i < len(a) and j < len(b) and a[i] == b[j]:
            ways.append(least(i + 1, j + 1))
        return min(ways)

    @cache
    def ways(i: int, j: int) -> frozenset[tuple[Pairs, int]]:
        """Sets of matched boundaries of the best paths from here, each with its number of paths."""
        if i == len(a) and j == len(b):
            return frozenset({(frozenset(), 1)})
        found: dict[Pairs, int] = {}
        steps = []
        if i < len(a) and abs(least(i + 1, j) + gap(a[i]) - least(i, j)) < 1e-9:
            steps.append((i + 1, j, None))
        if j < len(b) and abs(least(i, j + 1) + gap(b[j]) - least(i, j)) < 1e-9:
            steps.append((i, j + 1, None))
        if i < len(a) and j < len(b) and a[i] == b[j] and abs(least(i + 1, j + 1) - least(i, j)) < 1e-9:
            steps.append((i + 1, j + 1, (i, j) if a[i] < LETTERS else None))
        for p, q, matched in steps:
            for rest, number in ways(p, q):
                whole = rest if matched is None else rest | {matched}
                found[whole] = found.get(whole, 0) + number
        return frozenset(found.items())

    sets, number = set(), 0
    for matched, many in ways(0, 0):
        number += many
        sets.add(
            frozenset(
                (u, v)
                for u, (s, e) in enumerate(units_of(first))
                for v, (t, f) in enumerate(units_of(second))
                if (s, t) in matched and (e, f) in matched
            )
        )
    return least(0, 0), sets, number


def distance(first: Bounded, u: int, second: Bounded, v: int, costs: EditCosts) -> float:
    features = first.labels.shape[1]
    gap = bool(first.gaps[u])
    one, other = first.text(u).tolist(), second.text(v).tolist()
    total = edits(one, other) / max(len(one), len(other), 1) if costs.edits else float(one != other)
    if gap:
        return total
    for f in range(features):
        p, q = int(first.labels[u, f]), int(second.labels[v, f])
        table = costs.tables[f]
        total += float(p != q) if table is None else float(table[p, q])
    return total / (features + 1)


def edits(one: list[int], other: list[int]) -> int:
    row = list(range(len(other) + 1))
    for i, x in enumerate(one):
        new = [i + 1]
        for j, y in enumerate(other):
            new.append(min(row[j + 1] + 1, new[j] + 1, row[j] + (x != y)))
        row = new
    return row[-1]


def least_disorder(first: Bounded, second: Bounded, costs: EditCosts) -> tuple[float, float]:
    """The least cost of gaps, and among the alignments that have it, the least disorder."""
    cost, sets, _ = every_alignment(first, second, costs)
    disorders = [
        sum(distance(first, u, second, v, costs) for u, v in pairs) + len(first) + len(second) - 2 * len(pairs)
        for pairs in sets
    ]
    return cost, min(disorders)
