"""Best alignment: the partition of the units into unitary alignments with the least disorder (eq. 6, 7).

Let n be the number of annotators and C = n(n−1)/2. A unitary alignment with real units S has the disorder
(1/C)·[Σ_{pairs of S} d + (C − |S|(|S|−1)/2)·Δ]. A unit alone costs Δ. A group S therefore gains |S|·Δ minus its
disorder, and the best alignment is the choice of disjoint groups with the largest gain. For two annotators this is an
assignment problem. For more it is an integer program over the useful groups, solved component by component.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from accord.core.arrays import Bools, Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.parallel import spread
from accord.measures.alignment.program import best_counts, best_cover, best_edges, best_packing, packs
from accord.measures.alignment.units import Groups, Pairs, Units, candidate_pairs, pair_gains, useful_groups
from accord.measures.dissimilarities import Dissimilarity
from accord.measures.distances.spaces import sums_by

_MOST_GROUPS = 30_000  # per component; beyond it, groups are generated on demand
_MOST_NEAR, _FEW_NEAR = 10, 500  # limits if a gap is allowed: groups per unit, and a lower bound for the component
_MOST_WITH_TWINS = 3_000  # limit if an annotator has identical units
_MOST_UNPROVEN = 500_000  # limit for a full list if generation did not prove optimality
_MOST_SOFT = 1_000_000
_PROVEN = 1e-9  # tolerance for proven optimality, in Δ
NO_GROUPS: Ints = np.zeros((0, 1), dtype=np.int64)
FEW = 6  # annotators; with more, each continuum is a separate task
_UNITS_AT_ONCE = 20_000  # batch size for documents with few annotators


@dataclass(frozen=True, eq=False)
class Alignment:
    """Unitary alignments: unit `members_unit[k]` is in group `members_group[k]`, with `disorder[group]`.

    Members are sorted by group, and groups by their first unit in canonical order. In a hard alignment each unit is in
    exactly one group, in a soft alignment in at least one.
    """

    units: Units
    members_group: Ints
    members_unit: Ints
    disorder: Floats
    gap: Floats  # per continuum: certified distance to the optimum, relative to its disorder; 0: optimal
    near: Ints  # generated groups close to their prices: rows of units, or −1

    @cached_property
    def group(self) -> Ints:
        """Return the unitary alignment of each unit; in a soft alignment the first one."""
        first = np.full(len(self.units), len(self.disorder), dtype=np.int64)
        np.minimum.at(first, self.members_unit, self.members_group)
        return first

    @cached_property
    def size(self) -> Ints:
        """Return the number of units of each unitary alignment."""
        return np.bincount(self.members_group, minlength=len(self.disorder))

    @cached_property
    def continuum(self) -> Ints:
        """Return the continuum of each unitary alignment."""
        where = np.zeros(len(self.disorder), dtype=np.int64)
        where[self.members_group] = self.units.continuum[self.members_unit]
        return where

    @cached_property
    def totals(self) -> Floats:
        """Return the sum of the disorders of each continuum's unitary alignments."""
        total = np.bincount(self.continuum, weights=self.disorder, minlength=len(self.units.annotators))
        return total.astype(np.float64)

    def disorders(self) -> Floats:
        """Return the disorder of each continuum (eq. 7); NaN if it has no units."""
        mean = self.units.per_annotator
        return np.divide(self.totals, mean, out=np.full(len(mean), np.nan), where=mean > 0)

    @property
    def overall_gap(self) -> float:
        """Return the certified distance to the optimum for all continua together; 0 if it is proven optimal."""
        total = float(self.totals.sum())
        return float(self.gap @ self.totals) / total if total > 0 else 0.0


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Concatenated groups: their units, their sizes, and their disorders in Δ."""

    unit: Ints
    size: Ints
    disorder: Floats

    @classmethod
    def from_rows(cls, rows: Ints, disorder: Floats, number: Ints) -> _Chosen:
        """Create groups from rows of units, padded with -1 and renumbered by `number`."""
        real = rows >= 0
        return cls(number[rows[real]], real.sum(axis=1), disorder)

    @property
    def gain(self) -> float:
        return float((self.size - self.disorder).sum())


def best_alignment(
    units: Units, dissimilarity: Dissimilarity, gap: float = 0.0, known: Ints | None = None
) -> Alignment:
    """Return the best alignment of all continua.

    With a gap, components with too many groups to list receive an alignment within this relative distance of the lowest
    disorder. The attribute `gap` reports the distance reached per continuum. `known` are groups from an alignment of
    nearly the same units (its `near`, renumbered); they speed up the search and do not change the result.
    """
    placed = units.at(units.canonical)
    slack = np.zeros(len(units.annotators))
    known = renumber_groups(NO_GROUPS if known is None else known, units.canonical, len(units))
    chosen, near = _in_groups(placed, dissimilarity, slack, gap, known)
    return _assembled(units, dissimilarity.delta, [_in_pairs(placed, dissimilarity), *chosen], slack, near)


def renumber_groups(groups: Ints, kept: Ints, units: int) -> Ints:
    """Renumber groups for a subset of the units; drop groups with fewer than two units in the subset."""
    number = np.full(units + 1, -1, dtype=np.int64)  # the last entry maps −1 to −1
    number[kept] = np.arange(len(kept))
    groups = number[groups]
    return groups[(groups >= 0).sum(axis=1) > 1]


def best_soft_alignment(units: Units, dissimilarity: Dissimilarity) -> Alignment:
    """Return the soft alignment with the least disorder; each unit is in at least one unitary alignment."""
    placed = units.at(units.canonical)
    slack = np.zeros(len(units.annotators))
    chosen = [_in_soft_pairs(placed, dissimilarity), _in_soft_groups(placed, dissimilarity, slack)]
    return _assembled(units, dissimilarity.delta, chosen, slack)


def _assembled(
    units: Units, delta: float, chosen: Sequence[_Chosen], slack: Floats, near: Ints = NO_GROUPS
) -> Alignment:
    """Build the alignment from the chosen groups; other units are alone. Groups are sorted by their units."""
    unit = np.concatenate([part.unit for part in chosen])
    alone = np.ones(len(units), dtype=bool)
    alone[unit] = False
    unit = np.concatenate([unit, np.flatnonzero(alone)])
    size = np.concatenate([*(part.size for part in chosen), np.ones(alone.sum(), dtype=np.int64)])
    disorder = np.maximum(np.concatenate([*(part.disorder for part in chosen), np.ones(alone.sum())]), 0.0)
    first = np.cumsum(size) - size
    order = _by_units(unit, first, size, len(units))
    size, disorder = size[order], disorder[order]
    members = np.repeat(first[order] - np.cumsum(size) + size, size) + np.arange(len(unit))
    group, unit = np.repeat(np.arange(len(size)), size), units.canonical[unit[members]]
    found = Alignment(units, group, unit, disorder, slack, near)
    gap = np.divide(slack, found.totals, out=np.zeros(len(slack)), where=found.totals > 0)
    return Alignment(units, group, unit, disorder * delta, gap, np.where(near >= 0, units.canonical[near], -1))


def _by_units(unit: Ints, first: Ints, size: Ints, units: int) -> Ints:
    """Return the order of the groups by their first unit, then their second, and so on."""
    if len(unit) == units:  # each unit occurs once, so the first units differ
        return np.argsort(unit[first])
    columns = [np.where(size > k, unit[np.minimum(first + k, len(unit) - 1)], -1) for k in range(int(size.max()))]
    return np.lexsort(columns[::-1])


def _of_continua(units: Units, which: Bools) -> tuple[Ints, Units]:
    """Return the units of some continua and their indices."""
    if which[units.present > 1].all():
        return np.arange(len(units)), units
    number = np.flatnonzero(which[units.continuum])
    return number, units.at(number)


def _in_pairs(units: Units, dissimilarity: Dissimilarity) -> _Chosen:
    """Align continua with units of two annotators: an assignment problem."""
    number, some = _of_continua(units, units.present == 2)
    starts, v, gain = pair_gains(some, dissimilarity)
    u, edge = best_edges(starts, v, gain)
    return _Chosen.from_rows(np.stack([u, v[edge]], axis=1), 2 - gain[edge], number)


def _in_soft_pairs(units: Units, dissimilarity: Dissimilarity) -> _Chosen:
    """Align continua with units of two annotators softly: an unmatched unit joins its cheapest pair, or is alone."""
    number, some = _of_continua(units, units.present == 2)
    starts, v, gain = pair_gains(some, dissimilarity)
    u, cost = np.repeat(np.arange(len(some)), np.diff(starts)), 2 - gain
    own = np.ones(len(some))
    np.minimum.at(own, u, cost)
    np.minimum.at(own, v, cost)
    saved = own[u] + own[v] - cost
    worth = np.flatnonzero(saved > 0)
    _, edge = best_edges(np.searchsorted(u[worth], np.arange(len(some) + 1)), v[worth], saved[worth])
    edge = worth[edge]
    waiting = own < 1
    waiting[u[edge]] = waiting[v[edge]] = False
    who, choice = np.concatenate([u, v]), np.tile(np.arange(len(u)), 2)
    open_ = np.flatnonzero(waiting[who])
    open_ = open_[np.lexsort((cost[choice[open_]], who[open_]))]
    cheapest = choice[open_[np.diff(who[open_], prepend=-1) != 0]]
    edge = np.union1d(edge, cheapest)
    return _Chosen.from_rows(np.stack([u[edge], v[edge]], axis=1), cost[edge], number)


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Identical units of one annotator are interchangeable: one representative of each, and the number of copies."""

    units: Units
    first: Ints  # index of the first copy; the others follow it
    copies: Ints

    @classmethod
    def of(cls, units: Units) -> _Kinds:
        """Find identical units, which are adjacent in canonical order."""
        columns = (units.continuum, units.annotator, units.start, units.end, units.label)
        new = np.ones(len(units), dtype=bool)
        new[1:] = ~np.logical_and.reduce([column[1:] == column[:-1] for column in columns])
        first = np.flatnonzero(new)
        if len(first) == len(units):
            return cls(units, first, np.ones(len(units), dtype=np.int64))
        return cls(units.at(first), first, np.diff(np.append(first, len(units))))

    def handed_out(self, rows: Ints) -> Ints:
        """Replace kinds by units in rows of groups; each copy is used once."""
        real = rows >= 0
        kind = rows[real]
        order = np.argsort(kind, kind="stable")
        before = np.searchsorted(kind[order], kind[order])
        unit = np.empty(len(kind), dtype=np.int64)
        unit[order] = self.first[kind[order]] + np.arange(len(kind)) - before
        handed = np.full(rows.shape, -1, dtype=np.int64)
        handed[real] = unit
        return handed


def _in_groups(
    units: Units, dissimilarity: Dissimilarity, slack: Floats, gap: float, known: Ints
) -> tuple[list[_Chosen], Ints]:
    """Align continua with units of more than two annotators, and add unproven differences to their slack.

    Also return the generated groups close to their prices.
    """
    number, some = _of_continua(units, units.present > 2)
    kinds = _Kinds.of(some)
    pairs = candidate_pairs(kinds.units, dissimilarity)
    component = pairs.components(len(kinds.units))
    most = np.full(int(component.max(initial=-1)) + 1, _MOST_GROUPS)
    if gap > 0:
        most = np.clip(_MOST_NEAR * np.bincount(component, minlength=len(most)), _FEW_NEAR, _MOST_GROUPS)
    most[component[kinds.copies > 1]] = _MOST_WITH_TWINS
    groups = useful_groups(kinds.units, pairs, dissimilarity.delta, component, most)
    chosen = _packed(groups, kinds, component, number, slack)
    of_unit = np.repeat(component, kinds.copies)
    pairs = pairs if len(kinds.units) == len(some) else candidate_pairs(some, dissimilarity)
    near = []
    for inside, part, within in _components(some, pairs, of_unit, groups.exploded):
        mine = number[inside]
        found, missed, close = _generated(part, within, dissimilarity, gap, renumber_groups(known, mine, len(units)))
        chosen.append(replace(found, unit=mine[found.unit]))
        slack[some.continuum[inside[0]]] += missed
        near.append(np.where(close >= 0, mine[close], -1))
    return chosen, stack_rows(near)


def stack_rows(groups: Sequence[Ints]) -> Ints:
    """Stack tables of different widths, padded with −1."""
    if not groups:
        return NO_GROUPS
    width = max(rows.shape[1] for rows in groups)
    return np.concatenate([np.pad(rows, ((0, 0), (0, width - rows.shape[1])), constant_values=-1) for rows in groups])


def _packed(groups: Groups, kinds: _Kinds, component: Ints, number: Ints, slack: Floats) -> list[_Chosen]:
    """Return the best choice among listed groups; components with identical units are solved separately."""
    of_group = component[groups.rows[:, 0]]
    twins = np.isin(of_group, component[kinds.copies > 1])
    plain = np.flatnonzero(~twins)
    choice = best_packing(groups.rows[plain], groups.gain[plain])
    np.add.at(slack, kinds.units.continuum[choice.unit], choice.missed)
    taken = [plain[choice.groups]]
    for mine in packs(np.flatnonzero(twins), of_group[twins]):
        counts, missed = best_counts(groups.rows[mine], groups.gain[mine], kinds.copies)
        if missed:  # a component reached the node limit: solve each one separately
            alone = [np.flatnonzero(of_group[mine] == c) for c in np.unique(of_group[mine])]
            for some in alone:
                counts[some], missed = best_counts(groups.rows[mine[some]], groups.gain[mine[some]], kinds.copies)
                slack[kinds.units.continuum[groups.rows[mine[some[0]], 0]]] += missed
        taken.append(np.repeat(mine, counts))
    picked = np.concatenate(taken)
    rows = kinds.handed_out(groups.rows[picked])
    return [_Chosen.from_rows(rows, (rows >= 0).sum(axis=1) - groups.gain[picked], number)]


def _components(units: Units, pairs: Pairs, component: Ints, which: Ints) -> Iterator[tuple[Ints, Units, Pairs]]:
    """Yield each component as the indices of its units, its units, and its pairs."""
    if not len(which):
        return
    of_pair = component[pairs.u]
    by_component, pairs_by_component = np.argsort(component, kind="stable"), np.argsort(of_pair, kind="stable")
    unit_ends, pair_ends = (np.searchsorted(np.sort(of), [which, which + 1]).T for of in (component, of_pair))
    for (low, high), (first, last) in zip(unit_ends, pair_ends, strict=True):
        inside, held = by_component[low:high], pairs_by_component[first:last]
        continuum = int(units.continuum[inside[0]])
        part = replace(
            units.at(inside), continuum=np.zeros_like(inside), annotators=units.annotators[continuum : continuum + 1]
        )
        u, v = (np.searchsorted(inside, end[held]) for end in (pairs.u, pairs.v))
        yield inside, part, Pairs(u, v, pairs.d[held])


def _in_soft_groups(units: Units, dissimilarity: Dissimilarity, slack: Floats) -> _Chosen:
    number, some = _of_continua(units, units.present > 2)
    pairs = candidate_pairs(some, dissimilarity)
    groups = useful_groups(some, pairs, dissimilarity.delta, pairs.components(len(some)), _MOST_SOFT)
    if len(groups.exploded):
        raise DataError(
            "too-large-to-compute",
            f"a soft alignment has more than {_MOST_SOFT:,} possible groups of units, which is too many to compute; "
            "use soft=false, or score fewer annotators at a time",
        )
    alone = np.full((len(some), groups.rows.shape[1]), -1, dtype=np.int64)
    alone[:, 0] = np.arange(len(some))
    rows = np.concatenate([groups.rows, alone])
    cost = np.concatenate([(groups.rows >= 0).sum(axis=1) - groups.gain, np.ones(len(some))])
    choice = best_cover(rows, cost)
    np.add.at(slack, some.continuum[choice.unit], choice.missed)
    return _Chosen.from_rows(rows[choice.groups], cost[choice.groups], number)


def _generated(
    units: Units, pairs: Pairs, dissimilarity: Dissimilarity, gap: float, known: Ints
) -> tuple[_Chosen, float, Ints]:
    """Align one component with very many groups; also return the possible loss and the groups near their prices."""
    from accord.measures.alignment.generation import best_by_generation

    delta = dissimilarity.delta
    found = best_by_generation(units, pairs, delta, int(units.annotators[0]), gap=gap, known=known)
    groups = [np.sort(group) for group in found.groups if len(group) > 1]
    size = np.array([len(group) for group in groups], dtype=np.int64)
    members = np.concatenate([np.zeros(0, dtype=np.int64), *groups])
    best = _Chosen(members, size, 1 + _excess(units, members, size, dissimilarity) / units.all_pairs[0])
    bound = found.bound / delta
    kinds = _Kinds.of(units)
    if gap == 0 and bound - best.gain > _PROVEN and len(kinds.units) == len(units):
        alone = np.zeros(len(units), dtype=np.int64)
        listed = useful_groups(units, pairs, delta, alone, _MOST_UNPROVEN)
        if not len(listed.exploded):
            missed = np.zeros(1)
            (packed,) = _packed(listed, kinds, alone, np.arange(len(units)), missed)
            best, bound = max(best, packed, key=lambda each: each.gain), min(bound, packed.gain + missed[0])
    missing = bound - best.gain
    return best, missing if missing > _PROVEN else 0.0, found.near


def _excess(units: Units, members: Ints, size: Ints, dissimilarity: Dissimilarity) -> Floats:
    """Return Σ (d − Δ) over the pairs of each of the concatenated groups, in Δ."""
    group = np.repeat(np.arange(len(size)), size)
    behind = np.cumsum(size)[group] - np.arange(len(members)) - 1  # later members of the same group
    u = np.repeat(np.arange(len(members)), behind)
    v = u + 1 + np.arange(len(u)) - np.repeat(np.cumsum(behind) - behind, behind)
    d = dissimilarity.between(units, members[u], members[v]) / dissimilarity.delta - 1
    return sums_by(group[u], d, len(size))


# -- many continua: batches for few annotators, single tasks for many ----------------------------------------------


def units_count_as(annotators: Ints | int) -> Ints:
    """Return the relative cost of a unit: the possible groups multiply with each annotator above three."""
    # continua with more annotators are separate tasks
    return np.asarray(4 ** np.clip(np.asarray(annotators) - 3, 0, FEW))


def aligner(dissimilarity: Dissimilarity, soft: bool, gap: float = 0.0) -> Callable[[Units], Alignment]:
    """Return a picklable function for the best alignment, one within a gap of it, or the best soft alignment."""
    if soft:
        return partial(best_soft_alignment, dissimilarity=dissimilarity)
    return partial(best_alignment, dissimilarity=dissimilarity, gap=gap)


def realigner(dissimilarity: Dissimilarity, soft: bool) -> Callable[[Units, Ints], Alignment]:
    """Return a function for the best alignment that starts from known groups of a similar alignment."""
    return partial(_realigned, dissimilarity, soft)


def _realigned(dissimilarity: Dissimilarity, soft: bool, units: Units, known: Ints) -> Alignment:
    if soft:
        return best_soft_alignment(units, dissimilarity)
    return best_alignment(units, dissimilarity, known=known)


def align_all(units: Units, align: Callable[[Units], Alignment], run: Run) -> Alignment:
    """Return the best alignment of every continuum."""
    lots = _lots(units)
    # a single task is too short to start worker processes
    if len(lots) < 2 and int(units.annotators.max(initial=0)) <= FEW:
        run.progress("aligning documents", 0, 1)
        found = align(units)
        run.progress("aligning documents", 1, 1)
        return found
    order = np.argsort(units.continuum, kind="stable")
    ends = np.searchsorted(units.continuum[order], np.arange(len(units.annotators) + 1))
    members = [np.concatenate([order[ends[c] : ends[c + 1]] for c in lot]) for lot in lots]
    tasks = [_some(units, lot, at) for lot, at in zip(lots, members, strict=True)]
    parts = spread(align, tasks, run, "aligning documents")
    gap = np.zeros(len(units.annotators))
    for lot, part in zip(lots, parts, strict=True):
        gap[lot] = part.gap
    before = np.cumsum([0, *(len(part.disorder) for part in parts)])
    return Alignment(
        units,
        np.concatenate([part.members_group + k for part, k in zip(parts, before, strict=False)]),
        np.concatenate([at[part.members_unit] for part, at in zip(parts, members, strict=True)]),
        np.concatenate([part.disorder for part in parts]),
        gap,
        stack_rows([np.where(part.near >= 0, at[part.near], -1) for part, at in zip(parts, members, strict=True)]),
    )


def _lots(units: Units) -> list[Ints]:
    """Return the continua of each task; they depend on the data only, never on the number of workers."""
    few, many = np.flatnonzero(units.annotators <= FEW), np.flatnonzero(units.annotators > FEW)
    work = np.cumsum(units.counts[few] * units_count_as(units.annotators[few]))
    cuts = np.flatnonzero(np.diff(work // _UNITS_AT_ONCE)) + 1
    return [*(np.split(few, cuts) if len(few) else []), *many[:, None]]


def _some(units: Units, lot: Ints, at: Ints) -> Units:
    """Return the units of some continua, with continua renumbered."""
    number = np.searchsorted(lot, units.continuum[at])
    return Units(number, units.annotator[at], units.start[at], units.end[at], units.label[at], units.annotators[lot])
