"""Best alignment of many annotators by column generation.

The linear program over all groups has the constraint Σ_{S∋u} x_S ≤ 1 for each unit u. Its dual has a price μ_u ≥ 0 per
unit. Let V_u ≥ 0 be the most that a group with first unit u is worth beyond the prices of its units. For any prices, no
alignment gains more than Σ μ + Σ_u V_u. This bound needs no list of all groups.

The algorithm alternates between prices for the groups listed so far and a search for groups that are worth more than
their prices. At good prices few groups are close to their prices. These few are listed and packed by an exact integer
program. Identical units of one annotator share one row of the program, with a capacity above 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import csc_array, csr_array

from accord.core.arrays import Floats, Ints
from accord.core.compiled import compiled, reordered
from accord.measures.alignment import pricing
from accord.measures.alignment.pricing import Effort, Neighbours
from accord.measures.alignment.units import Pairs, Units

# Limits count work, never time, so that the result depends on the input only.
_STARTS = 3  # initial alignments; fewer if the tables are large
_CELLS = 3_000_000  # largest number of cells of all assignment tables
_ROUNDS = 300  # largest number of rounds of prices and new groups
_DEAR, _PARTNERS = 50, 2  # with more units per annotator, prices cost more than groups, so add more groups
_SOME = 1e-6  # smallest share at which a group is a seed for new groups
_NEAREST = 4  # groups kept per unit as a starting point for another alignment
_SWEEPS = 50  # sweeps of message passing
_NODES = 1_000_000  # search nodes per first unit
_ALL_NODES = 20_000_000
_LISTED = 40_000  # groups packed by the integer program
_LISTED_MEMBERS = 300_000  # units in all packed groups; limits the memory of the integer program
_LISTED_TO_PROVE = 30_000  # the same if the alignment is already known to be good
_PRESOLVED = 6_000  # with more groups, presolving takes longer than solving
_BRANCHES = 2_000  # nodes of the integer program

# Shares of the disorder.
_COARSEST, _FINEST = 1e-2, 1e-5  # accuracy of the prices
_GOOD = 5e-4

_QUICK, _CROWD = 1_500, 50  # with more units and annotators in random annotations, skip the prices

_EXACT = 1e-10
_SCALE = 1024.0  # scale of the integer program, because the solver's tolerances are absolute

Progress = Callable[[str, int, int], None]
_NEWTON = 60  # largest number of Newton steps
_TINY = 1e-200
_OFF = 0.01  # allowed infeasibility of shares and prices, relative to the accuracy
_INWARD = 0.01  # distance to the boundary at a warm start
_ROWS = 4  # rows factorised together, so that each earlier row is read once


@dataclass(frozen=True, eq=False)
class Generated:
    """Disjoint groups of two or more units, their gains, and an upper bound on the gain of any alignment."""

    groups: list[Ints]
    gain: Floats
    bound: float
    near: Ints  # groups close to their prices: one row per group, −1 for annotators without a unit


def best_by_generation(
    units: Units,
    pairs: Pairs,
    delta: float,
    n: int,
    progress: Progress | None = None,
    gap: float = 0.0,
    known: Ints | None = None,
) -> Generated:
    """Return the best alignment of one component; it is proven optimal if the bound equals the sum of the gains.

    The search stops when no alignment can reduce the disorder by more than the relative `gap`. `known` contains groups
    (rows of units, or −1) that were close to their prices in nearly the same component. They are a warm start.
    """
    if not len(pairs.u) or delta <= 0:
        return Generated([], np.zeros(0), 0.0, np.zeros((0, 0), dtype=np.int64))
    worth = (1.0 - pairs.d / delta) / (n * (n - 1) / 2)
    single = _field(units.annotator, np.ones(len(units), dtype=np.int64), pairs.u, pairs.v, worth)
    kind = _kinds(single)
    some, count = np.unique(kind, return_index=True)[1], np.bincount(kind)
    field = single
    if len(some) < len(units):
        both = (some[kind[pairs.u]] == pairs.u) & (some[kind[pairs.v]] == pairs.v)
        field = _field(units.annotator[some], count, kind[pairs.u[both]], kind[pairs.v[both]], worth[both])
    field = field._replace(alike=_alike(units.at(some), field))

    rng = np.random.default_rng(0)
    columns = _Columns(field)
    best = np.zeros((0, single.slot.shape[1] - 1), dtype=np.int64)
    tables = max(1, int(_CELLS / (len(units) / best.shape[1]) ** 2))
    quick = gap > 0 and len(units) > _QUICK and best.shape[1] > _CROWD
    if quick:
        tables = 1
    if known is not None and len(known):
        rows = _by_annotator(known, kind, field)
        columns.add(rows[_gains(field, rows) > 0])
    warm = len(columns.rows) > 0
    patience = best.shape[1] if gap > 0 else 2 * best.shape[1]

    def started() -> Ints:
        rows = pricing.rows_by_annotator(_start(single, rng, min(patience, tables)), single)
        return np.where(rows >= 0, kind[rows], -1)

    for _ in range(0 if warm else min(1 if gap > 0 else _STARTS, tables)):
        rows = started()
        columns.add(rows)
        columns.add(_without_one(rows))
        best = _better(field, best, rows)
    near = columns.rows[:0]
    if quick:
        bound = _plain_bound(field)
    else:
        order = np.argsort((units.start + units.end)[some], kind="stable")
        price, bound, best = _priced(field, columns, order, best, warm, gap, progress)
        if warm and not _near_enough(field, bound, float(_gains(field, best).sum()), gap):
            best = _better(field, best, started())
        best, bound = _packed(field, price, bound, best, gap)
        near = columns.nearest(price)
    gain = _gains(field, best) * delta
    near = np.where(near >= 0, some[near], -1)
    return Generated(_members(best, kind), gain, max(bound * delta, float(gain.sum())), near)


def _field(annotator: Ints, count: Ints, u: Ints, v: Ints, worth: Floats) -> Neighbours:
    present, annotator = np.unique(annotator, return_inverse=True)
    ends = np.concatenate([u, v]), np.concatenate([v, u])
    beside = csr_array((np.tile(worth, 2), ends), shape=(len(annotator), len(annotator)))
    beside.sort_indices()
    near, worth = beside.indices.astype(np.int64), beside.data
    width = len(present) + 1
    place = np.repeat(np.arange(len(annotator)) * width, np.diff(beside.indptr)) + annotator[near]
    many = np.bincount(place, minlength=len(annotator) * width)
    slot = (np.cumsum(many) - many).reshape(-1, width)
    most = np.zeros(len(annotator) * width)
    some = np.flatnonzero(many)
    most[some] = np.maximum(np.maximum.reduceat(worth, slot.ravel()[some]), 0.0) if len(some) else 0.0
    most = most.reshape(-1, width)[:, :-1]
    half = (most.sum(axis=1, keepdims=True) - np.cumsum(most, axis=1)) / 2
    return Neighbours(annotator, count, slot, near, worth, half, np.full(len(annotator), -1, dtype=np.int64))


def _kinds(field: Neighbours) -> Ints:
    """Return the kind of each unit. Units of one annotator are identical if they have the same pairs and distances."""
    names: dict[tuple[int, bytes, bytes], int] = {}
    kind = np.empty(len(field.annotator), dtype=np.int64)
    for u, annotator in enumerate(field.annotator):
        row = slice(field.slot[u, 0], field.slot[u, -1])
        kind[u] = names.setdefault((int(annotator), field.near[row].tobytes(), field.worth[row].tobytes()), len(names))
    return kind


def _alike(units: Units, field: Neighbours) -> Ints:
    """Return a number shared by equal units of annotators with equal annotations; −1 if no other annotator matches."""
    marked = np.stack([units.start, units.end, units.label.astype(np.float64), field.copies.astype(np.float64)], axis=1)
    first = np.searchsorted(field.annotator, np.arange(field.slot.shape[1]))
    alike = np.full(len(units), -1, dtype=np.int64)
    before: dict[bytes, int] = {}  # the first unit of the last annotator with this annotation
    numbers = 0
    for low, high in pairwise(first.tolist()):
        other = before.get(key := marked[low:high].tobytes())
        before[key] = low
        if other is None or not all(_same_after(field, other + k, low + k) for k in range(high - low)):
            continue
        for k in range(high - low):
            if alike[other + k] < 0:
                alike[other + k] = numbers
                numbers += 1
            alike[low + k] = alike[other + k]
    return alike


def _first_alike(alike: Ints) -> Ints:
    """Return the first unit of each number, and all units without a number."""
    numbers, first = np.unique(alike, return_index=True)
    return np.sort(np.concatenate([np.flatnonzero(alike < 0), first[numbers >= 0]]))


def _same_after(field: Neighbours, one: int, later: int) -> bool:
    """Return whether both units have the same pairs and distances with all annotators after the later one."""
    after = field.annotator[later] + 1
    mine, others = (slice(field.slot[u, after], field.slot[u, -1]) for u in (one, later))
    return np.array_equal(field.near[mine], field.near[others]) and np.array_equal(
        field.worth[mine], field.worth[others]
    )


def _by_annotator(groups: Ints, kind: Ints, field: Neighbours) -> Ints:
    """Return groups as rows of kinds, with one column per annotator."""
    rows = np.full((len(groups), field.slot.shape[1] - 1), -1, dtype=np.int64)
    group, place = np.nonzero(groups >= 0)
    kinds = kind[groups[group, place]]
    rows[group, field.annotator[kinds]] = kinds
    return rows


def _members(rows: Ints, kind: Ints) -> list[Ints]:
    """Return the units of each group; the units of a kind are assigned in their order."""
    real = rows >= 0
    wanted = rows[real]
    order = np.argsort(wanted, kind="stable")
    before = np.searchsorted(wanted[order], wanted[order])
    by_kind = np.argsort(kind, kind="stable")
    unit = np.empty(len(wanted), dtype=np.int64)
    unit[order] = by_kind[np.searchsorted(kind[by_kind], wanted[order]) + np.arange(len(wanted)) - before]
    return np.split(unit, np.cumsum(real.sum(axis=1))[:-1]) if len(rows) else []


# Initial alignments.


def _start(field: Neighbours, rng: np.random.Generator, patience: int) -> Ints:
    """Return the group of each unit in a heuristic alignment.

    Add one annotator at a time. Then cut all groups in two and join the parts again, until this has not helped
    `patience` times in a row.
    """
    n = field.slot.shape[1] - 1
    group = np.arange(len(field.annotator))
    order = rng.permutation(n)
    side = np.zeros(n, dtype=np.int64)
    for before, added in pairwise(order):
        side[before], side[added] = 1, 2
        group = _joined(field, group, side)
    best, idle, step = -np.inf, 0, 0
    while idle < patience:
        side = np.where(np.arange(n) == step // 2 % n, 2, 1) if step % 2 else rng.integers(1, 3, n)
        group = _joined(field, group, side)
        gain = float(_gains(field, pricing.rows_by_annotator(group, field)).sum())
        best, idle, step = gain, 0 if gain > best + 1e-9 else idle + 1, step + 1
    return group


def _joined(field: Neighbours, group: Ints, side: Ints) -> Ints:
    """Cut every group between the annotators on sides 1 and 2 and join the parts optimally; the gain never falls."""
    where = side[field.annotator]
    part, left, right = pricing.parts(group, where)
    lefts, rights = len(left), len(right)
    total, known = pricing.sum_across(part, where, field, lefts, rights)
    gain = np.where(known == np.outer(left, right), np.maximum(1.0 + total, 0.0), 0.0)
    i, j = linear_sum_assignment(gain, maximize=True)
    name = lefts + np.arange(rights)
    name[j[gain[i, j] > 0]] = i[gain[i, j] > 0]
    part[where == 2] = name[part[where == 2]]
    return np.where(where == 0, lefts + rights + group, part)


def _better(field: Neighbours, one: Ints, another: Ints) -> Ints:
    """Return the alignment with the larger gain."""
    return max(one, another, key=lambda groups: float(_gains(field, groups).sum()))


def _without_one(rows: Ints) -> Ints:
    """Return the groups of three or more without one unit each; they keep single prices from dominating."""
    many = rows[(rows >= 0).sum(axis=1) > 2]
    which, annotator = np.nonzero(many >= 0)
    fewer = many[which]
    fewer[np.arange(len(fewer)), annotator] = -1
    return fewer


def _gains(field: Neighbours, rows: Ints) -> Floats:
    return pricing.values_of(rows, field, np.zeros(len(field.annotator)))


# The linear program over the groups known so far.


class _Columns:
    """Known groups, without duplicates."""

    def __init__(self, field: Neighbours) -> None:
        self.field = field
        self.rows: Ints = np.zeros((0, field.slot.shape[1] - 1), dtype=np.int64)
        self.gain: Floats = np.zeros(0)
        self._known: set[bytes] = set()

    def add(self, rows: Ints) -> int:
        """Add groups and return how many of them are new."""
        fresh = []
        for i, row in enumerate(rows):
            key = row.tobytes()
            if key not in self._known:
                self._known.add(key)
                fresh.append(i)
        self.rows = np.concatenate([self.rows, rows[fresh]])
        self.gain = np.concatenate([self.gain, _gains(self.field, rows[fresh])])
        return len(fresh)

    def rounded(self, share: Floats) -> Ints:
        """Return an alignment: disjoint groups, chosen in descending order of their shares."""
        largest = self.rows[np.argsort(-share, kind="stable")]
        return largest[pricing.fitting(largest, self.field.copies)]

    def nearest(self, price: Floats) -> Ints:
        """Return the groups closest to their prices."""
        worth = pricing.values_of(self.rows, self.field, price)
        return self.rows[np.argsort(-worth, kind="stable")[: _NEAREST * len(price)]]


def _plain_bound(field: Neighbours) -> float:
    """Return an upper bound on the gain of any alignment without a search.

    There are at least as many groups as the largest number of units of one annotator, and a group gains less than 1 for
    each of its units but one. The bound gives each unit half of its best pair with each other annotator.
    """
    one = np.repeat(np.arange(len(field.annotator)), field.slot[:, -1] - field.slot[:, 0])
    most = np.zeros((len(field.annotator), field.slot.shape[1] - 1))
    np.maximum.at(most, (one, field.annotator[field.near]), field.worth)
    fewest = np.bincount(field.annotator, weights=field.copies).max()
    return float(field.copies.sum() - fewest + field.copies @ most.sum(axis=1) / 2)


def _near_enough(field: Neighbours, bound: float, total: float, gap: float) -> bool:
    """Return whether no alignment can improve on `total`, the largest known gain, by more than the gap allows."""
    units = float(field.copies.sum())
    return bound - total <= max(_EXACT * units, gap * (units - total) if gap > 0 else 0.0)


def _priced(
    field: Neighbours,
    columns: _Columns,
    order: Ints,
    alignment: Ints,
    warm: bool,
    gap: float,
    progress: Progress | None,
) -> tuple[Floats, float, Ints]:
    """Generate groups until the prices are nearly optimal, or until an alignment is proven good enough.

    Return the prices, the bound they prove, and the best alignment found.
    """
    count, units = field.copies, np.arange(len(field.copies))
    alone = np.full((len(units), field.slot.shape[1] - 1), -1, dtype=np.int64)
    alone[units, field.annotator] = units
    if warm:
        alone = alone[_first_alike(field.alike)]  # equal annotators lead to equal groups
    best, bound, accuracy = np.zeros(len(units)), np.inf, _FINEST if warm else _COARSEST
    dear = len(units) > _DEAR * alone.shape[1]
    inside = None
    for step in range(_ROUNDS):
        if progress is not None:
            progress("aligning", step, _ROUNDS)
        inside = central_prices(columns.rows, columns.gain, count, order, accuracy, inside)
        price, share = inside.price, inside.share
        tolerated = accuracy * (count.sum() - count @ price)
        largest = np.argsort(-share, kind="stable")[: 2 * len(units)]
        active = columns.rows[largest[share[largest] > _SOME]]
        held = np.full((len(alone) + len(active), 2), -1, dtype=np.int64)
        held[: len(alone), 0] = (alone >= 0).argmax(axis=1)
        seeds = np.concatenate([alone, active])
        if dear:
            pairs, both = pricing.best_partners(field, price, _PARTNERS)
            seeds, held = np.concatenate([seeds, pairs]), np.concatenate([held, both])
        rows, value = pricing.climb(seeds, held, field, price)
        added = columns.add(rows[value > 1e-3 * tolerated])
        if added > 0.02 * len(units) and step < _ROUNDS - 1:
            continue
        effort = Effort(False, _SWEEPS, _NODES, _ALL_NODES, _ALL_NODES)
        bounds, rows, _ = pricing.search(field, price, 1e-2 * tolerated / len(units), effort)
        added += columns.add(rows)
        excess = count @ np.maximum(bounds, 0.0)
        if count @ price + excess < bound:
            best, bound = price, float(count @ price + excess)
        alignment = _better(field, alignment, columns.rounded(share))
        if _near_enough(field, bound, float(_gains(field, alignment).sum()), gap):
            break
        if excess < tolerated or not added:
            if accuracy <= _FINEST:
                break
            accuracy /= 10
    return best, bound, alignment


def _packed(field: Neighbours, price: Floats, bound: float, best: Ints, gap: float) -> tuple[Ints, float]:
    """Return the best alignment of the groups close to their prices, and an upper bound on the gain of all others.

    A group worth −g at these prices limits every alignment that contains it to a gain of `bound` − g. The alignment is
    therefore optimal once all groups with a smaller g are listed. The upper bound is −∞ if the alignment is proven
    optimal.
    """
    units = float(field.copies.sum())
    total, proven = float(_gains(field, best).sum()), bound
    # range to list next, and the range that is completely listed
    near, packed = 2 * _FINEST * max(units - total, _FINEST * units), 0.0
    if gap > 0 and _near_enough(field, bound, total, gap):
        return best, bound
    while bound - total > _EXACT * units:
        near = min(bound - total, near)
        listed = _LISTED_TO_PROVE if proven - total < _GOOD * (units - total) else _LISTED
        most = min(listed, _LISTED_MEMBERS // max(field.slot.shape[1] - 1, 1))
        effort = Effort(True, _SWEEPS, _NODES, _ALL_NODES, most)
        _, rows, whole = pricing.search(field, price, -near - _EXACT, effort)
        if not whole:
            if near < _EXACT or (packed > 0 and near <= 4 * packed):
                return best, proven
            near = 4 * packed if packed > 0 else near / 4
            continue
        packed = near
        rows = np.concatenate([rows, best])
        gain = _gains(field, rows)
        solved = milp(
            -_SCALE * gain,
            constraints=LinearConstraint(incidence(rows, len(price)), ub=field.copies),
            integrality=np.ones(len(rows), dtype=np.int64),
            bounds=Bounds(0, field.copies.max()),
            options={"mip_rel_gap": 0.0, "node_limit": _BRANCHES, "presolve": len(rows) < _PRESOLVED},
        )
        times = np.zeros(len(rows), dtype=np.int64) if solved.x is None else np.rint(solved.x).astype(np.int64)
        if gain @ times > total:
            best, total = np.repeat(rows, times, axis=0), float(gain @ times)
        if solved.status != 0:
            most_gained = np.inf if solved.mip_dual_bound is None else -solved.mip_dual_bound / _SCALE
            return best, min(proven, max(bound - near, most_gained))
        proven = min(proven, max(bound - near, total))
        if gap > 0 and _near_enough(field, proven, total, gap):
            return best, proven
        if bound - near <= total:
            break
        # few groups are close, so list up to the full difference
        near = bound - total if len(rows) < len(price) else 4 * near
    return best, -np.inf


# -- interior point method for the linear program: central prices and shares of the groups ------------------------


def incidence(rows: Ints, units: int) -> csc_array:
    """Return the incidence matrix: one row per unit, one column per group."""
    real = rows >= 0
    start = np.concatenate([[0], np.cumsum(real.sum(axis=1))])
    return csc_array((np.ones(start[-1]), rows[real], start), shape=(units, len(rows)))


class Inside(NamedTuple):
    """An interior point of the linear program: prices of the units and shares of the groups."""

    price: Floats
    share: Floats
    steps: int  # Newton steps used


def central_prices(
    rows: Ints, gain: Floats, count: Ints, order: Ints, accuracy: float, before: Inside | None = None
) -> Inside:
    """Return prices and shares of the linear program by an interior point method (Mehrotra 1992).

    The method stops in the middle of the nearly optimal prices. Prices at a vertex, as from the simplex method, make
    the exact search about a hundred times slower. The method is faster if the units of each group are close in `order`.
    `before` is the result for the first of these groups; the method starts slightly inside of it.
    """
    # −1 sorts first, so the units of a group are at the end
    ranked = np.sort(np.where(rows >= 0, np.argsort(order)[rows], -1), axis=1)
    first = (ranked < 0).sum(axis=1)
    band = int((ranked[:, -1] - ranked[np.arange(len(ranked)), first]).max())
    x, mu = np.zeros(len(rows)), np.zeros(len(count))
    if before is not None:
        x[: len(before.share)], mu = before.share, before.price[order]
    known, copies = before is not None, count[order].astype(np.float64)
    x, mu, steps = _central(ranked, first, gain, copies, band, accuracy, x, mu, known)
    price = np.empty(len(count))
    price[order] = mu
    return Inside(price, x, steps)


@reordered
def _central(
    rows: Ints,
    first: Ints,
    gain: Floats,
    count: Floats,
    band: int,
    accuracy: float,
    x: Floats,
    mu: Floats,
    known: bool,
) -> tuple[Floats, Floats, int]:
    """Compute `central_prices` for groups with units rows[c, first[c]:], numbered so that they lie in a band.

    If `known`, the shares x and the prices mu are a warm start.
    """
    groups, units = rows.shape[0], len(count)
    if known:
        z = np.maximum(_paid(rows, first, mu) - gain, _INWARD)
        x = np.maximum(x, _INWARD**2 / z)
        s = np.maximum(count - _held(rows, first, x, units), _INWARD**2 / mu)
    else:
        x = np.full(groups, 0.9 / _largest(_held(rows, first, np.ones(groups), units)))
        s = count - _held(rows, first, x, units)
        mu = np.full(units, 1.2)
        z = np.maximum(_paid(rows, first, mu) - gain, 0.1)
    steps, everything = 0, count.sum()
    while steps < _NEWTON:
        short = count - _held(rows, first, x, units) - s
        over = gain - _paid(rows, first, mu) + z
        gained = _dot(gain, x)
        missing, off = _dot(count, mu) - gained, max(_largest(short), _largest(over))
        if abs(missing) < accuracy * (everything - gained) + 1e-9 and off < _OFF * accuracy + 1e-9:
            break
        steps += 1
        mean = (_dot(x, z) + _dot(s, mu)) / (groups + units)
        factor = _gram(rows, first, x / z, s / mu, band)
        _factorise(factor)
        xz, smu = -x * z, -s * mu
        for corrected in range(2):
            right = _held(rows, first, (xz + x * over) / z, units) + smu / mu - short
            dmu = _solve(factor, right)
            dz = _paid(rows, first, dmu) - over
            dx, ds = (xz - x * dz) / z, (smu - s * dmu) / mu
            p, q = min(_length(x, dx), _length(s, ds)), min(_length(mu, dmu), _length(z, dz))
            if corrected == 0:
                after = _dot(x + p * dx, z + q * dz) + _dot(s + p * ds, mu + q * dmu)
                centre = mean * (after / (groups + units) / mean) ** 3
                xz, smu = centre - x * z - dx * dz, centre - s * mu - ds * dmu
        if not (_largest(dmu) < np.inf and _largest(dx) < np.inf):
            break  # numerical precision is exhausted; keep the current prices
        x, s, mu, z = x + p * dx, s + p * ds, mu + q * dmu, z + q * dz
        if min(_smallest(x), _smallest(s), _smallest(mu), _smallest(z)) < _TINY:
            break
    return x, mu, steps


@reordered
def _dot(a: Floats, b: Floats) -> float:
    total = 0.0
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


@compiled
def _largest(a: Floats) -> float:
    """Return the largest magnitude; infinity if a number is NaN."""
    found = 0.0
    for k in range(len(a)):
        if not abs(a[k]) <= found:
            found = abs(a[k]) if abs(a[k]) >= 0.0 else np.inf
    return found


@compiled
def _smallest(a: Floats) -> float:
    found = np.inf
    for k in range(len(a)):
        found = min(found, a[k])
    return found


@reordered
def _held(rows: Ints, first: Ints, share: Floats, units: int) -> Floats:
    """Return the total share of the groups that contain each unit."""
    out = np.zeros(units)
    for c in range(rows.shape[0]):
        for a in range(first[c], rows.shape[1]):
            out[rows[c, a]] += share[c]
    return out


@reordered
def _paid(rows: Ints, first: Ints, price: Floats) -> Floats:
    """Return the sum of the unit prices of each group."""
    out = np.zeros(rows.shape[0])
    for c in range(rows.shape[0]):
        for a in range(first[c], rows.shape[1]):
            out[c] += price[rows[c, a]]
    return out


@reordered
def _length(a: Floats, da: Floats) -> float:
    """Return the largest step that keeps all numbers positive."""
    most = 0.99
    for k in range(len(a)):
        most = max(most, -da[k] / a[k])
    return 0.99 / most


@compiled
def _gram(rows: Ints, first: Ints, weight: Floats, diagonal: Floats, band: int) -> Floats:
    """Return A·diag(weight)·Aᵀ + diag(diagonal), where A is the incidence matrix of the groups.

    The units of each group are in ascending order. Entry (i, j), j ≤ i, is stored in row i at column j − i + band, so
    that each row of the lower triangle is contiguous.
    """
    out = np.zeros((len(diagonal), band + 1))
    for i in range(len(diagonal)):
        out[i, band] = diagonal[i]
    for c in range(rows.shape[0]):
        for a in range(first[c], rows.shape[1]):
            i = rows[c, a]
            for b in range(first[c], a + 1):
                out[i, rows[c, b] - i + band] += weight[c]
    return out


@reordered
def _factorise(matrix: Floats) -> None:
    """Replace a band matrix from `_gram` by its Cholesky factor; single-threaded for reproducible results."""
    band = matrix.shape[1] - 1
    for i in range(len(matrix)):
        begin = max(0, i - band)
        if i % _ROWS == 0 and i + _ROWS <= len(matrix):
            _four_rows(matrix, i)
        if i // _ROWS * _ROWS + _ROWS <= len(matrix):
            begin = max(begin, i // _ROWS * _ROWS)
        first = max(0, i - band)
        for j in range(begin, i + 1):
            total = matrix[i, j - i + band]
            low = max(first, j - band)
            mine, other = matrix[i, low - i + band : j - i + band], matrix[j, low - j + band : band]
            dot = 0.0
            for k in range(len(mine)):
                dot += mine[k] * other[k]
            total -= dot
            if j < i:
                matrix[i, j - i + band] = total / matrix[j, band]
            else:
                matrix[i, band] = np.sqrt(max(total, 1e-30))


@reordered
def _four_rows(matrix: Floats, i: int) -> None:
    """Compute rows i to i + 3 of the factor for all columns left of i."""
    band = matrix.shape[1] - 1
    for j in range(max(0, i - band), i):
        low = max(0, j - band)
        all_from = max(low, i + 3 - band)  # first column present in all four rows
        other = matrix[j, all_from - j + band : band]
        a, b = matrix[i, all_from - i + band : j - i + band], matrix[i + 1, all_from - i - 1 + band : j - i - 1 + band]
        c, d = matrix[i + 2, all_from - i - 2 + band : j - i - 2 + band], matrix[i + 3, all_from - i - 3 + band :]
        of_a = of_b = of_c = of_d = 0.0
        for k in range(len(other)):
            of_a += a[k] * other[k]
            of_b += b[k] * other[k]
            of_c += c[k] * other[k]
            of_d += d[k] * other[k]
        for row, dot in enumerate((of_a, of_b, of_c, of_d)):
            at = i + row
            if j >= at - band:
                total = matrix[at, j - at + band] - dot
                for k in range(max(low, at - band), min(j, all_from)):
                    total -= matrix[at, k - at + band] * matrix[j, k - j + band]
                matrix[at, j - at + band] = total / matrix[j, band]


@reordered
def _solve(factor: Floats, right: Floats) -> Floats:
    band = factor.shape[1] - 1
    x = right.copy()
    for i in range(len(x)):
        low = max(0, i - band)
        dot = 0.0
        for k in range(low, i):
            dot += factor[i, k - i + band] * x[k]
        x[i] = (x[i] - dot) / factor[i, band]
    for i in range(len(x) - 1, -1, -1):
        x[i] /= factor[i, band]
        for k in range(max(0, i - band), i):
            x[k] -= factor[i, k - i + band] * x[i]
    return x
