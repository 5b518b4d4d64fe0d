"""Optimal choice of groups by linear and integer programs, solved separately for each connected component.

Gains and costs are in multiples of Δ, so that tolerances have the same meaning for all data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Bools, Floats, Ints
from accord.core.errors import AccordError

if TYPE_CHECKING:  # SciPy is imported on use, because its import is slow
    from scipy.sparse import csc_array, csr_array


_PACK = 3_000  # groups passed to the solver together, if their components are small
_PACK_PAIRS = 64  # the same for tables of pairs, whose size is quadratic
_MANY_PAIRS = 200_000  # with more pairs the compiled matcher is faster
_LARGEST_TABLE = 250_000
_NEAR = 0.1  # first guess of the difference between the integer and the linear program
_WHOLE = 1e-6
_SCALE = 1e4  # makes the solver's absolute tolerance of 1e-6 negligible
_TOLERANCE = 1e-9
_OPTIONS = {"dual_feasibility_tolerance": _TOLERANCE, "primal_feasibility_tolerance": _TOLERANCE, "presolve": False}
_TOGETHER = 1_000  # groups of small integer programs that are solved as one
_FEW, _MOST_STATES = 60, 2_000  # groups solved by dynamic programming, and the limit on its states
_MANY_GROUPS = 200_000  # with more groups, the solver starts with a subset
_SMOOTH = (0.3, 0.1, 0.03)
_STEPS = 30
_UNDERCUT, _MORE = 0.05, 1.5  # also add groups close to their prices, more each round, because vertex prices fluctuate
_MOST_NODES = 20_000  # node limit of an integer program; beyond it the gap is reported
_WORTH_IT = 1_000  # stop the search for certain groups when a round settles fewer than 1 in 1,000

Sense = Literal["pack", "cover"]


@dataclass(frozen=True, eq=False)
class ChosenGroups:
    """Indices of the chosen groups, a unit of each component without proof of optimality, and its possible loss."""

    groups: Ints
    unit: Ints
    missed: Floats


def best_packing(rows: Ints, gain: Floats) -> ChosenGroups:
    """Return the disjoint groups with the largest total gain."""
    taken, left = find_certain_groups(rows, gain)
    if not len(left):
        return ChosenGroups(taken, np.zeros(0, dtype=np.int64), np.zeros(0))
    choice = _solved(rows[left], -gain[left], "pack")
    return replace(choice, groups=np.sort(np.concatenate([taken, left[choice.groups]])))


def best_counts(rows: Ints, gain: Floats, copies: Ints) -> tuple[Ints, float]:
    """Return how often to choose each group of kinds with a limited number of copies, and the possible loss."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    real = rows >= 0
    kinds, row = np.unique(rows[real], return_inverse=True)
    solved = milp(
        -gain * _SCALE,
        constraints=LinearConstraint(_incidence(row, real.sum(axis=1), len(kinds)), ub=copies[kinds]),
        integrality=np.ones(len(gain), dtype=np.int64),
        bounds=Bounds(0, np.inf),
        options={"mip_rel_gap": 0.0, "node_limit": _MOST_NODES},
    )
    if solved.x is None:
        raise AccordError(
            "solver-failed",
            f"the solver found no alignment ({solved.message}); choose documents with --only or annotators with "
            "--annotators",
        )
    counts = np.rint(solved.x).astype(np.int64)
    missed = 0.0 if solved.status == 0 else -float(solved.mip_dual_bound) / _SCALE - float(gain @ counts)
    return counts, missed if missed > _TOLERANCE else 0.0


def best_cover(rows: Ints, cost: Floats) -> ChosenGroups:
    """Return the groups with the lowest total cost that contain every unit at least once."""
    if not len(rows):
        return ChosenGroups(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    return _solved(rows, cost, "cover")


def best_edges(starts: Ints, v: NDArray[np.int32], gain: Floats) -> tuple[Ints, Ints]:
    """Return the units u that take a partner from v[starts[u]:starts[u + 1]], and the index of each partner in v."""
    if len(v) > _MANY_PAIRS:
        from accord.measures.alignment.matching import best_matching  # compiled; imported only for large data

        taken, _ = best_matching(starts, v, gain, len(starts) - 1)
        u = np.flatnonzero(taken >= 0)
        return u, taken[u]
    u = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    pairs = np.stack([u, v], axis=1)
    taken, left = find_certain_groups(pairs, gain)
    chosen = [taken]
    if len(left):
        for some in _packs(component_of(pairs[left]), _PACK_PAIRS):
            part = left[some]
            chosen.append(part[_assignment(pairs[part], gain[part])])
    edge = np.sort(np.concatenate(chosen))
    return u[edge], edge


def component_of(rows: Ints) -> Ints:
    """Return the connected component of each group; groups that share a unit are connected."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = int(rows.max(initial=-1)) + 1
    real = rows[:, 1:] >= 0
    first = np.broadcast_to(rows[:, :1], real.shape)[real]
    graph = coo_array((np.ones(len(first), dtype=np.int8), (first, rows[:, 1:][real])), shape=(n, n))
    _, component = connected_components(graph, directed=False)
    return component[rows[:, 0]].astype(np.int64)


def packs(groups: Ints, component: Ints) -> list[Ints]:
    """Split groups into batches of whole components that are solved in one integer program."""
    return [groups[some] for some in _packs(component, _TOGETHER)] if len(groups) else []


def _packs(component: Ints, size: int) -> list[Ints]:
    """Split groups into batches of whole components with about `size` groups each."""
    order = np.argsort(component, kind="stable")
    starts = np.flatnonzero(np.diff(component[order], prepend=-1))
    return np.split(order, starts[np.flatnonzero(np.diff(starts // size)) + 1])


def _assignment(pairs: Ints, gain: Floats) -> Ints:
    from scipy.optimize import linear_sum_assignment

    rows, i = np.unique(pairs[:, 0], return_inverse=True)
    columns, j = np.unique(pairs[:, 1], return_inverse=True)
    if len(rows) * len(columns) > _LARGEST_TABLE:
        from accord.measures.alignment.matching import best_matching

        order = np.argsort(i, kind="stable")
        starts = np.searchsorted(i[order], np.arange(len(rows) + 1))
        taken, _ = best_matching(starts, j[order].astype(np.int32), gain[order], len(columns))
        return order[taken[taken >= 0]]
    table = np.zeros((len(rows), len(columns)))
    table[i, j] = gain
    where = np.full(table.shape, -1)
    where[i, j] = np.arange(len(pairs))
    picked = where[linear_sum_assignment(table, maximize=True)]
    return picked[picked >= 0]


def _solved(rows: Ints, cost: Floats, sense: Sense) -> ChosenGroups:
    component = component_of(rows)
    chosen: list[Ints] = []
    broken: list[_Broken] = []
    for some in _packs(component, _PACK):
        share, reduced, bound = _relaxed(rows[some], cost[some], component[some], sense)
        fractional = np.unique(component[some[(share > _WHOLE) & (share < 1 - _WHOLE)]])
        chosen.append(some[(share > 0.5) & ~np.isin(component[some], fractional)])
        for c in fractional:
            inside = np.flatnonzero(component[some] == c)
            broken.append(_Broken(some[inside], reduced[inside], float(bound[inside[0]])))
    units, missed = [], []
    for part, picked in zip(broken, _together(rows, cost, broken, sense), strict=True):
        if picked is not None:
            chosen.append(picked)
            continue
        alone, above = _integer(rows[part.groups], cost[part.groups], part.reduced, part.bound, sense)
        chosen.append(part.groups[alone])
        if above > 0:
            units.append(int(rows[part.groups[0], 0]))
            missed.append(above)
    return ChosenGroups(np.sort(np.concatenate(chosen)), np.array(units, dtype=np.int64), np.array(missed))


@dataclass(frozen=True, eq=False)
class _Broken:
    """A component with a fractional linear program: its groups, their reduced costs, and its bound."""

    groups: Ints
    reduced: Floats
    bound: float


def _together(rows: Ints, cost: Floats, broken: list[_Broken], sense: Sense) -> list[Ints | None]:
    """Solve small components by dynamic programming or in one integer program, to save the start of the solver.

    An entry of None means that the component must be solved alone. The others are proven optimal: no solution within
    _NEAR of the bound contains groups with a higher reduced cost.
    """
    found: list[Ints | None] = [None] * len(broken)
    near = [part.groups[(part.reduced <= _NEAR) | (rows[part.groups, 1] < 0)] for part in broken]
    for k, groups in enumerate(near):
        picked = _by_hand(rows[groups], cost[groups]) if sense == "pack" and len(groups) <= _FEW else None
        if picked is not None and cost[groups[picked]].sum() <= broken[k].bound + _NEAR:
            found[k] = groups[picked]
    small = [k for k, groups in enumerate(near) if found[k] is None and len(groups) <= _TOGETHER]
    sizes = np.cumsum([len(near[k]) for k in small])
    for lot in np.split(np.array(small, dtype=np.int64), np.flatnonzero(np.diff(sizes // _TOGETHER)) + 1):
        if not len(lot):
            continue
        groups = np.concatenate([near[k] for k in lot])
        owner = np.repeat(lot, [len(near[k]) for k in lot])
        solved = _branched(rows[groups], cost[groups], sense)
        if solved.status != 0:
            continue
        picked, by = groups[solved.x > 0.5], owner[solved.x > 0.5]
        for k in lot:
            mine = picked[by == k]
            if cost[mine].sum() <= broken[k].bound + _NEAR:
                found[k] = mine
    return found


def _by_hand(rows: Ints, cost: Floats) -> list[int] | None:
    """Choose the cheapest disjoint groups by dynamic programming over the groups; None if there are too many states.

    Of all choices that use the same units of later groups, only the cheapest is kept.
    """
    members = [frozenset(row[row >= 0].tolist()) for row in rows]
    order = sorted(range(len(members)), key=lambda g: (min(members[g]), max(members[g]), g))
    later: list[frozenset[int]] = [frozenset()]  # units of the remaining groups, from the last group backwards
    for g in reversed(order):
        later.append(later[-1] | members[g])
    open_: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {frozenset(): (0.0, ())}
    for g, left in zip(order, later[-2::-1], strict=True):
        after: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {}
        for used, (so_far, chosen) in open_.items():
            choices = [(used & left, so_far, chosen)]
            if not used & members[g]:
                choices.append(((used | members[g]) & left, so_far + float(cost[g]), (*chosen, g)))
            for taken, total, groups in choices:
                if taken not in after or total < after[taken][0]:
                    after[taken] = total, groups
        if len(after) > _MOST_STATES:
            return None
        open_ = after
    ((_, chosen),) = open_.values()
    return sorted(chosen)


def _relaxed(rows: Ints, cost: Floats, component: Ints, sense: Sense) -> tuple[Floats, Floats, Floats]:
    """Solve the linear program; return the share of each group, its reduced cost, and the bound of its component."""
    matrix, side = _program(rows, sense)
    sift = sense == "pack" and len(rows) > _MANY_GROUPS
    share, price = _sifted(matrix, cost, side) if sift else _linear(matrix, cost, side)
    _, of_group = np.unique(component, return_inverse=True)
    of_unit = np.empty(len(side), dtype=np.int64)
    of_unit[matrix.indices] = np.repeat(of_group, np.diff(matrix.indptr))
    bound = np.bincount(of_unit, weights=price * side).astype(np.float64)
    return share, cost - matrix.T @ price, bound[of_group]


def _linear(matrix: csc_array, cost: Floats, side: Floats) -> tuple[Floats, Floats]:
    """Return the shares of the groups and the prices of the units."""
    from scipy.optimize import linprog

    # The stubs support neither sparse matrices nor these options.
    solved: Any = linprog(cost, A_ub=matrix, b_ub=side, bounds=(0, None), method="highs-ds", options=_OPTIONS)  # type: ignore[call-overload]
    if solved.x is None:
        raise AccordError(
            "solver-failed",
            f"the solver found no alignment ({solved.message}); choose documents with --only or annotators with "
            "--annotators",
        )
    return solved.x, solved.ineqlin.marginals


def _sifted(matrix: csc_array, cost: Floats, side: Floats) -> tuple[Floats, Floats]:
    """Solve `_linear` on a subset: groups that are good at smooth prices, then all that undercut the current prices."""
    transposed = matrix.T.tocsr()
    price = _smooth_prices(matrix, transposed, cost)
    reduced = cost - transposed @ price
    enough = min(len(cost), 4 * len(side)) - 1
    some = np.flatnonzero(reduced <= max(_SMOOTH[-1] * 4, float(np.partition(reduced, enough)[enough])))
    undercut = _UNDERCUT
    while True:
        share, price = _linear(matrix[:, some], cost[some], side)
        reduced = cost - transposed @ price
        if reduced.min() >= -_TOLERANCE:
            whole = np.zeros(len(cost))
            whole[some] = share
            return whole, price
        some = np.union1d(some, np.flatnonzero(reduced <= undercut))
        undercut *= _MORE


def _smooth_prices(matrix: csc_array, transposed: csr_array, cost: Floats) -> Floats:
    """Return smoothed prices, at most 0, at which the demand for each unit is about 1.

    The demand of a group is exp(−reduced cost / ε), for decreasing ε.
    """
    rows = matrix.tocsr()
    size = np.diff(matrix.indptr)
    price = np.zeros(matrix.shape[0])
    np.minimum.at(price, matrix.indices, np.repeat(cost / size, size))
    for smooth in _SMOOTH:
        for _ in range(_STEPS):
            demand = rows @ np.exp(np.clip((transposed @ price - cost) / smooth, -60, 30))
            alone = np.exp(np.clip(price / smooth, -60, 30))
            price -= smooth / size.max() * np.log(demand + alone)
    return price


def _integer(rows: Ints, cost: Floats, reduced: Floats, bound: float, sense: Sense) -> tuple[Ints, float]:
    """Solve the integer program of one component; return the groups and the largest possible loss.

    A solution at most `near` above the bound contains only groups with at most that reduced cost. The first round omits
    the others.
    """
    alone = rows[:, 1] < 0  # single units keep a cover feasible
    near, best, least = _NEAR, np.flatnonzero(alone), float(cost[alone].sum())
    while True:
        some = np.flatnonzero((reduced <= near) | alone)
        solved = _branched(rows[some], cost[some], sense)
        if solved.x is not None and cost[some] @ np.round(solved.x) < least:
            best, least = some[solved.x > 0.5], float(cost[some] @ np.round(solved.x))
        known = least if solved.status == 0 else float(solved.mip_dual_bound or -np.inf) / _SCALE
        known = max(bound, min(known, bound + near))  # lower bound on the cost of any solution
        if solved.status != 0 or least - known <= _TOLERANCE:
            return best, least - known if least - known > _TOLERANCE else 0.0
        near = least - bound + _TOLERANCE


def _branched(rows: Ints, cost: Floats, sense: Sense) -> Any:
    """Solve the integer program by branch and bound."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    matrix, side = _program(rows, sense)
    return milp(
        cost * _SCALE,
        constraints=LinearConstraint(matrix, ub=side),
        integrality=np.ones(len(cost), dtype=np.int64),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0, "node_limit": _MOST_NODES},
    )


def _program(rows: Ints, sense: Sense) -> tuple[csc_array, Floats]:
    """Return the constraints: one row per unit, one column per group; each unit at most once, or at least once."""
    real = rows >= 0
    units, row = np.unique(rows[real], return_inverse=True)
    sign = 1.0 if sense == "pack" else -1.0
    return _incidence(row, real.sum(axis=1), len(units), sign), np.full(len(units), sign)


def _incidence(members: Ints, sizes: Ints, units: int, sign: float = 1.0) -> csc_array:
    """Return the incidence matrix of groups with concatenated members: one row per unit, one column per group."""
    from scipy.sparse import csc_array

    ends = np.concatenate([[0], np.cumsum(sizes)])
    return csc_array((np.full(len(members), sign), members, ends), shape=(units, len(sizes)))


# -- groups that belong to an optimal choice ------------------------------------------------------------------------


def find_certain_groups(rows: Ints, gain: Floats) -> tuple[Ints, Ints]:
    """Return the indices of groups that are certainly optimal, and of groups that are still undecided.

    A choice without group g contains at most one rival of g per unit of g. If g gains as much as the best rivals of all
    its units together, replacing them by g loses nothing. Groups that conflict with a chosen group are removed, and the
    search is repeated.
    """
    group, place = np.nonzero(rows >= 0)
    unit = rows[group, place]
    order = np.lexsort((group, -gain[group], unit))  # groups by unit, in descending order of gain
    group, unit = group[order], unit[order]
    taken = np.zeros(len(rows), dtype=bool)
    units = int(unit.max(initial=-1)) + 1
    while len(group):
        sure = _sure(group, unit, gain)
        sure = sure & ~np.isin(group, group[_beaten(group, unit, sure, units)])
        taken[group[sure]] = True
        used = np.zeros(units, dtype=bool)
        used[unit[sure]] = True
        gone = np.zeros(len(rows), dtype=bool)
        gone[group[used[unit]]] = True
        before = len(group)
        stays = ~gone[group]
        group, unit = group[stays], unit[stays]
        if (before - len(group)) * _WORTH_IT <= before:
            break
    left = np.zeros(len(rows), dtype=bool)
    left[group] = True
    return np.flatnonzero(taken), np.flatnonzero(left)


def _sure(group: Ints, unit: Ints, gain: Floats) -> Bools:
    """Return, for each membership, whether its group gains as much as the best rivals of its units together."""
    first = np.diff(unit, prepend=-1) != 0
    heads = np.flatnonzero(first)
    sizes = np.diff(np.append(heads, len(unit)))
    best = gain[group[heads]]
    second = np.where(sizes > 1, gain[group[np.minimum(heads + 1, len(group) - 1)]], 0.0)
    rival = np.where(first, np.repeat(second, sizes), np.repeat(best, sizes))
    threat = np.bincount(group, weights=rival, minlength=len(gain))
    return (gain >= threat)[group]


def _beaten(group: Ints, unit: Ints, sure: Bools, units: int) -> Ints:
    """Return the memberships of sure groups that share a unit with an earlier sure group of the same gain."""
    lowest = np.full(units, np.iinfo(np.int64).max)
    np.minimum.at(lowest, unit[sure], group[sure])
    return np.flatnonzero(sure & (lowest[unit] != group))
