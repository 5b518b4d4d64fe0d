"""Compiled searches for groups that gain more than the prices of their units.

All values are in multiples of Δ. At prices μ a group S is worth (|S| − 1) + Σ_{pairs} w − Σ μ, with w = (1 − d/Δ)/C.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.compiled import compiled

_NEVER = -1e9  # value of two units that cannot be in one group
_LOW = 4 * _NEVER
_SOME = 1_000  # nodes that each search may use


class Neighbours(NamedTuple):
    """The units of a component, sorted by annotator, with their candidate pairs.

    The candidate partners of u among the units of annotator a are near[slot[u, a] : slot[u, a + 1]], sorted. The w of
    each pair is in `worth`.
    """

    annotator: Ints
    copies: Ints  # number of identical units of this annotator that the entry represents
    slot: Ints
    near: Ints
    worth: Floats
    half: Floats  # [u, a]: half of the largest value of pairs of u with one unit of each annotator after a
    alike: Ints  # shared by units of equal annotators with the same later pairs; −1: no equal unit


class Effort(NamedTuple):
    """Scope and limits of a search."""

    everything: bool  # return all groups above the floor, not only the best one
    sweeps: int
    nodes: int  # limit per first unit
    all_nodes: int
    found: int


@compiled
def value_of(group: Ints, field: Neighbours, price: Floats) -> float:
    """Return the value of a group (one unit per annotator, or −1); far below 0 if a pair is not a candidate."""
    total = -1.0
    for a in range(len(group)):
        u = group[a]
        if u < 0:
            continue
        total += 1.0 - price[u]
        for b in range(a + 1, len(group)):
            v = group[b]
            if v < 0:
                continue
            low, high = field.slot[u, b], field.slot[u, b + 1]
            while low < high:
                middle = (low + high) // 2
                if field.near[middle] < v:
                    low = middle + 1
                else:
                    high = middle
            if low == field.slot[u, b + 1] or field.near[low] != v:
                return _NEVER
            total += field.worth[low]
    return total


@compiled
def values_of(groups: Ints, field: Neighbours, price: Floats) -> Floats:
    values = np.empty(len(groups))
    for i in range(len(groups)):
        values[i] = value_of(groups[i], field, price)
    return values


@compiled
def fitting(groups: Ints, copies: Ints) -> Ints:
    """Return the indices of groups chosen greedily in order, as long as copies of all their units are left."""
    left = copies.copy()
    taken = np.empty(len(groups), dtype=np.int64)
    many = 0
    for i in range(len(groups)):
        there = True
        for a in range(groups.shape[1]):
            there = there and (groups[i, a] < 0 or left[groups[i, a]] > 0)
        if there:
            taken[many] = i
            many += 1
            for a in range(groups.shape[1]):
                if groups[i, a] >= 0:
                    left[groups[i, a]] -= 1
    return taken[:many]


@compiled
def climb(seeds: Ints, held: Ints, field: Neighbours, price: Floats) -> tuple[Ints, Floats]:
    """Improve each seed by changing one annotator's unit at a time; the units of annotators in `held` do not change."""
    annotators = field.slot.shape[1] - 1
    groups = seeds.copy()
    together = np.zeros(len(price))
    beside = np.zeros(len(price), dtype=np.int64)
    for i in range(len(seeds)):
        group = groups[i]
        together[:] = 0.0
        beside[:] = 0
        for u in group[group >= 0]:
            _move(u, 1, field, together, beside)
        still = 0
        for step in range(50 * annotators):
            a = step % annotators
            still += 1
            better = (
                group[a] if a in (held[i, 0], held[i, 1]) else _best_beside(group, a, field, price, together, beside)
            )
            if better != group[a]:
                still = 0
                if group[a] >= 0:
                    _move(group[a], -1, field, together, beside)
                if better >= 0:
                    _move(better, 1, field, together, beside)
                group[a] = better
            if still == annotators:
                break
    return groups, values_of(groups, field, price)


@compiled
def best_partners(field: Neighbours, price: Floats, most: int) -> tuple[Ints, Ints]:
    """Return pairs of each unit with its best partners as seeds, and the two annotators of each pair."""
    annotators = field.slot.shape[1] - 1
    seeds = np.full((most * len(price), annotators), -1, dtype=np.int64)
    held = np.full((most * len(price), 2), -1, dtype=np.int64)
    count = 0
    for u in range(len(price)):
        floor = np.inf  # value of the previous partner
        for _ in range(most):
            best, which = -np.inf, -1
            for at in range(field.slot[u, 0], field.slot[u, annotators]):
                worth = field.worth[at] - price[field.near[at]]
                if best < worth < floor:
                    best, which = worth, field.near[at]
            if which < 0:
                break
            seeds[count, field.annotator[u]], seeds[count, field.annotator[which]] = u, which
            held[count, 0], held[count, 1] = field.annotator[u], field.annotator[which]
            count, floor = count + 1, best
    return seeds[:count].copy(), held[:count].copy()


@compiled
def _best_beside(group: Ints, a: int, field: Neighbours, price: Floats, together: Floats, beside: Ints) -> int:
    """Return the unit of annotator a that adds most to the rest of the group, or −1."""
    others, other = 0, -1
    for b in range(len(group)):
        if b != a and group[b] >= 0:
            others += 1
            other = group[b]
    now = group[a]
    if others == 0:
        return now
    best = 0.0 if now < 0 else 1.0 - price[now] + together[now]
    if best <= 0.0:
        best, now = 0.0, -1
    for at in range(field.slot[other, a], field.slot[other, a + 1]):
        v = field.near[at]
        if beside[v] == others and 1.0 - price[v] + together[v] > best + 1e-12:
            best, now = 1.0 - price[v] + together[v], v
    return now


@compiled
def _move(u: int, sign: int, field: Neighbours, together: Floats, beside: Ints) -> None:
    """Add unit u to the group (+1) or remove it (−1)."""
    for at in range(field.slot[u, 0], field.slot[u, field.slot.shape[1] - 1]):
        together[field.near[at]] += sign * field.worth[at]
        beside[field.near[at]] += sign


@compiled
def parts(group: Ints, side: Ints) -> tuple[Ints, Ints, Ints]:
    """Cut groups into their parts on sides 1 and 2; return the part of each unit and the sizes of the parts."""
    sizes = np.zeros((3, group.max() + 1), dtype=np.int64)
    for u in range(len(group)):
        sizes[side[u], group[u]] += 1
    number = np.zeros(sizes.shape, dtype=np.int64)
    for k in range(3):
        last = -1
        for g in range(len(sizes[k])):
            last += sizes[k, g] > 0
            number[k, g] = last
    part = np.zeros(len(group), dtype=np.int64)
    for u in range(len(group)):
        if side[u] > 0:
            part[u] = number[side[u], group[u]]
    return part, sizes[1][sizes[1] > 0], sizes[2][sizes[2] > 0]


@compiled
def rows_by_annotator(group: Ints, field: Neighbours) -> Ints:
    """Return one row per group of two or more: its unit of each annotator, or −1."""
    sizes = np.zeros(group.max() + 1, dtype=np.int64)
    for u in range(len(group)):
        sizes[group[u]] += 1
    number = np.cumsum(sizes > 1) - 1
    rows = np.full((number[-1] + 1, field.slot.shape[1] - 1), -1, dtype=np.int64)
    for u in range(len(group)):
        if sizes[group[u]] > 1:
            rows[number[group[u]], field.annotator[u]] = u
    return rows


@compiled
def sum_across(part: Ints, side: Ints, field: Neighbours, lefts: int, rights: int) -> tuple[Floats, Ints]:
    """Return Σ w and the number of candidate pairs between the parts on the left (side 1) and right (side 2)."""
    total = np.zeros((lefts, rights))
    known = np.zeros((lefts, rights), dtype=np.int64)
    fewer = 1 if (side == 1).sum() <= (side == 2).sum() else 2  # iterate over the side with fewer units
    for u in range(len(part)):
        if side[u] == fewer:
            for at in range(field.slot[u, 0], field.slot[u, field.slot.shape[1] - 1]):
                v = field.near[at]
                if side[v] == 3 - fewer:
                    left, right = (part[u], part[v]) if fewer == 1 else (part[v], part[u])
                    total[left, right] += field.worth[at]
                    known[left, right] += 1
    return total, known


@compiled
def _shake(th: Floats, table: Floats, a0: int, a1: int, b0: int, b1: int, row: Floats) -> None:
    """Move the value of two annotators' pairs into the values of their units, so that no pair stays above 0."""
    for s in range(a0, a1):
        most = _LOW
        for t in range(b0, b1):
            table[s, t] += th[s] + th[t]
            most = max(most, table[s, t])
        row[s] = 0.5 * most
    for t in range(b0, b1):
        th[t] = _LOW
    for s in range(a0, a1):
        for t in range(b0, b1):
            th[t] = max(th[t], table[s, t] - row[s])
    for s in range(a0, a1):
        most = _LOW
        for t in range(b0, b1):
            table[s, t] -= th[t]
            most = max(most, table[s, t])
        th[s] = most
        for t in range(b0, b1):
            table[s, t] -= most


@compiled
def _settled(th: Floats, table: Floats, start: Ints, unit: Ints, base: float, floor: float, sweeps: int) -> float:
    """Pass messages until the bound stops falling, and drop units that cannot be in a group above the floor.

    The remaining units are packed in place: those of annotator k have the indices start[k] to start[k + 1].
    """
    width = len(start) - 1
    row, top = np.empty(len(th)), np.empty(width)
    before = bound = np.inf
    for _ in range(sweeps):
        for a in range(width):
            for b in range(a + 1, width):
                _shake(th, table, start[a], start[a + 1], start[b], start[b + 1], row)
        bound = base
        for k in range(width):
            top[k] = _LOW
            for s in range(start[k], start[k + 1]):
                top[k] = max(top[k], th[s])
            bound += top[k]
        if bound <= floor:
            break
        fewer = _dropped(th, table, start, unit, top, bound - floor)
        if start[width] == width or (not fewer and before - bound < 0.02 * (bound - floor)):
            break
        before = bound
    return bound


@compiled
def _dropped(th: Floats, table: Floats, start: Ints, unit: Ints, top: Floats, slack: float) -> bool:
    """Drop units that are at least `slack` below the best unit of their annotator; return whether any were dropped."""
    size = start[-1]
    keep = np.empty(size, dtype=np.int64)
    kept, begin = 0, 0
    for k in range(len(top)):
        end = start[k + 1]
        for s in range(begin, end):
            if top[k] - th[s] < slack:
                keep[kept] = s
                kept += 1
        begin = end
        start[k + 1] = kept
    if kept < size:
        for i in range(kept):
            unit[i], th[i] = unit[keep[i]], th[keep[i]]
            for j in range(kept):
                table[i, j] = table[keep[i], keep[j]]
    return kept < size


@compiled
def _table(unit: Ints, local: Ints, field: Neighbours) -> Floats:
    """Return the values of pairs, with the earlier annotator in the row; −1 means no unit and has value 0."""
    table = np.full((len(unit), len(unit)), _NEVER)
    for s in range(len(unit)):
        v = unit[s]
        if v < 0:
            table[s, :] = 0.0
            table[:, s] = 0.0
            continue
        for at in range(field.slot[v, field.annotator[v] + 1], field.slot[v, -1]):
            if local[field.near[at]] >= 0:
                table[s, local[field.near[at]]] = field.worth[at]
    return table


@compiled
def _search(root: int, field: Neighbours, price: Floats, floor: float, effort: Effort) -> tuple[float, Ints, int, bool]:
    """Search the groups whose first unit is `root`; see `search`."""
    first = field.annotator[root]
    annotators = field.slot.shape[1] - 1
    width = annotators - first - 1
    nothing = np.empty((0, annotators), dtype=np.int64)
    reach = field.slot[root, first + 1 :]
    base = bound = -price[root]
    if width == 0:
        return bound, nothing, 0, True
    # A cheap bound that eliminates most units: each end of a pair receives half of its positive value.
    top = np.zeros(width)
    for k in range(width):
        for at in range(reach[k], reach[k + 1]):
            v = field.near[at]
            top[k] = max(top[k], 1.0 - price[v] + field.worth[at] + field.half[v, first])
        bound += top[k]
    if bound <= floor:
        return bound, nothing, 0, True
    most = reach[width] - reach[0] + width
    unit, th = np.empty(most, dtype=np.int64), np.empty(most)
    start = np.zeros(width + 1, dtype=np.int64)
    local = np.full(len(price), -1, dtype=np.int64)
    size = 0
    for k in range(width):
        unit[size], th[size] = -1, 0.0  # no unit of this annotator
        size += 1
        for at in range(reach[k], reach[k + 1]):
            v = field.near[at]
            alone = 1.0 - price[v] + field.worth[at]
            if bound - top[k] + alone + field.half[v, first] > floor:
                unit[size], th[size], local[v] = v, alone, size
                size += 1
        start[k + 1] = size
    table = _table(unit[:size], local, field)
    bound = _settled(th, table, start, unit, base, floor, effort.sweeps)
    if bound <= floor:
        return bound, nothing, 0, True
    for s in range(start[width]):
        for t in range(s):
            table[s, t] = table[t, s]
    return _descend(root, unit, th, start, table, base, bound, field, price, floor, effort)


@compiled
def _descend(
    root: int,
    unit: Ints,
    th: Floats,
    start: Ints,
    table: Floats,
    base: float,
    bound: float,
    field: Neighbours,
    price: Floats,
    floor: float,
    effort: Effort,
) -> tuple[float, Ints, int, bool]:
    """Branch and bound, depth first: the annotator with the fewest remaining units first, its best unit first."""
    first, annotators, width = field.annotator[root], field.slot.shape[1] - 1, len(start) - 1
    size = start[width]
    # State per depth: remaining units by annotator, separated by `edge`, and their scores; −1 marks tried units.
    alive, score = np.empty((width + 1, size), dtype=np.int64), np.empty((width + 1, size))
    edge = np.zeros((width + 1, width + 1), dtype=np.int64)
    for k in range(size):
        alive[0, k], score[0, k] = k, th[k]
    for k in range(width + 1):
        edge[0, k] = start[k]
    so_far, limit = np.full(width + 1, base), np.full(width + 1, bound)
    branch = np.full(width + 1, -1, dtype=np.int64)  # annotator branched on; −1: not chosen yet
    fixed = np.full(width, -1, dtype=np.int64)
    group = np.full(annotators, -1, dtype=np.int64)
    group[first] = root
    found, count = np.empty((16, annotators), dtype=np.int64), 0
    depth, nodes, best, whole = 0, 0, floor, True
    while depth >= 0:
        if branch[depth] < 0:
            nodes += 1
            if nodes > effort.nodes or count > effort.found:
                whole = False
                break
            if depth == width:
                alone = True
                for k in range(width):
                    group[first + 1 + k] = unit[fixed[k]]
                    alone = alone and unit[fixed[k]] < 0
                value = value_of(group, field, price)
                if value > best and not alone:
                    if not effort.everything:
                        best = value
                    found = _room(found, count + 1)
                    for k in range(annotators):
                        found[count, k] = group[k]
                    count += 1
                depth -= 1
                continue
            branch[depth] = _fewest(edge[depth], fixed)
        k = branch[depth]
        fixed[k] = -1
        at = _untried(alive[depth], score[depth], edge[depth, k], edge[depth, k + 1], limit[depth] - best)
        if at < 0:
            branch[depth] = -1
            depth -= 1
            continue
        fixed[k] = alive[depth, at]
        alive[depth, at] = -1
        so_far[depth + 1] = so_far[depth] + score[depth, at]
        limit[depth + 1] = _narrowed(depth, fixed[k], so_far[depth + 1], best, table, alive, score, edge, fixed)
        if limit[depth + 1] > best:
            depth += 1
            branch[depth] = -1
    return bound if effort.everything or not whole else best, found[:count].copy(), nodes, whole


@compiled
def _room(rows: Ints, wanted: int) -> Ints:
    """Return the rows, reallocated if there is not enough space."""
    if wanted <= len(rows):
        return rows
    more = np.empty((2 * wanted, rows.shape[1]), dtype=np.int64)
    _laid(more, 0, rows)
    return more


@compiled
def _laid(into: Ints, at: int, rows: Ints) -> None:
    for i in range(len(rows)):
        for k in range(rows.shape[1]):
            into[at + i, k] = rows[i, k]


@compiled
def _fewest(edge: Ints, fixed: Ints) -> int:
    """Return the undecided annotator with the fewest remaining units."""
    fewest, which = edge[-1] + 1, -1
    for k in range(len(fixed)):
        if fixed[k] < 0 and edge[k + 1] - edge[k] < fewest:
            fewest, which = edge[k + 1] - edge[k], k
    return which


@compiled
def _untried(alive: Ints, score: Floats, low: int, high: int, slack: float) -> int:
    """Return the index of the best untried unit if it is less than `slack` below the best unit; otherwise −1."""
    at, top = -1, _LOW
    for i in range(low, high):
        top = max(top, score[i])
        if alive[i] >= 0 and (at < 0 or score[i] > score[at]):
            at = i
    return at if at >= 0 and top - score[at] < slack else -1


@compiled
def _narrowed(
    depth: int,
    chosen: int,
    so_far: float,
    best: float,
    table: Floats,
    alive: Ints,
    score: Floats,
    edge: Ints,
    fixed: Ints,
) -> float:
    """Return the bound after fixing `chosen`; if it exceeds the best known value, fill the next depth."""
    width = len(fixed)
    top = np.zeros(width)
    bound = so_far
    for b in range(width):
        if fixed[b] < 0:
            top[b] = _LOW
            for i in range(edge[depth, b], edge[depth, b + 1]):
                top[b] = max(top[b], score[depth, i] + table[chosen, alive[depth, i]])
            bound += top[b]
    if bound <= best:
        return bound
    into = 0
    for b in range(width):
        edge[depth + 1, b] = into
        if fixed[b] < 0:
            for i in range(edge[depth, b], edge[depth, b + 1]):
                here = score[depth, i] + table[chosen, alive[depth, i]]
                if bound - top[b] + here > best:
                    score[depth + 1, into], alive[depth + 1, into] = here, alive[depth, i]
                    into += 1
    edge[depth + 1, width] = into
    return bound


@compiled
def search(field: Neighbours, price: Floats, floor: float, effort: Effort) -> tuple[Floats, Ints, bool]:
    """Find the groups worth more than `floor` for each first unit: all of them, or improving ones up to the best.

    Return a proven bound on the value of the groups of each unit, the groups, and whether all searches finished.
    """
    bounds = np.full(len(price), np.inf)
    # At equal prices, a group that begins with a unit has the same value with an equal unit of an earlier annotator.
    known = np.full(len(price), np.inf)
    groups = np.empty((64, field.slot.shape[1] - 1), dtype=np.int64)
    count, left, whole = 0, effort.all_nodes, True
    for root in range(len(price)):
        alike = field.alike[root]
        if alike >= 0 and known[alike] - price[root] <= floor:
            bounds[root] = known[alike] - price[root]
            continue
        one = Effort(effort.everything, effort.sweeps, min(effort.nodes, left), left, effort.found - count)
        bounds[root], found, nodes, finished = _search(root, field, price, floor, one)
        if alike >= 0:
            known[alike] = min(known[alike], bounds[root] + price[root])
        left = max(left - nodes, _SOME)
        whole = whole and finished
        groups = _room(groups, count + len(found))
        _laid(groups, count, found)
        count += len(found)
        if count > effort.found:
            whole = False
            break
    return bounds, groups[:count].copy(), whole
