"""The best alignment: the partition of the units into unitary alignments with the least disorder (eq. 6, 7).

The disorder of a unitary alignment with real units S, of n annotators, C = n(n−1)/2, is
(1/C)·[Σ_{pairs of S} d + (C − |S|(|S|−1)/2)·Δ]: alone it costs Δ. So a group S gains |S|·Δ minus that, and the best
alignment is the choice of disjoint groups with the largest gain: an assignment for two annotators, for more an integer
program over the useful groups, solved component by component.
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

_MOST_GROUPS = 30_000  # in one component: more are not listed at first, but generated as they are needed
_MOST_NEAR, _FEW_NEAR = 10, 500  # the same for each unit, where a gap is allowed; so many are always listed
_MOST_WITH_TWINS = 3_000  # the same where an annotator has equal units
_MOST_UNPROVEN = 500_000  # what is listed after all where generating them did not prove the best
_MOST_SOFT = 1_000_000
_PROVEN = 1e-9  # of Δ: a bound as near as this is met
NO_GROUPS: Ints = np.zeros((0, 1), dtype=np.int64)
FEW = 6  # annotators; with more of them a continuum is work enough for one core
_UNITS_AT_ONCE = 20_000  # of documents of few annotators


@dataclass(frozen=True, eq=False)
class Alignment:
    """Unitary alignments: unit `members_unit[k]` stands in number `members_group[k]`; `disorder[g]` is that of g.

    Members are sorted by group, groups by their first unit in the canonical order. In a hard alignment each unit stands
    in one group, in a soft one in at least one.
    """

    units: Units
    members_group: Ints
    members_unit: Ints
    disorder: Floats
    gap: Floats  # of each continuum: certified distance to the optimum, as a share of its disorder; 0: proven
    near: Ints  # where groups were generated, those near their prices: rows of units, or −1

    @cached_property
    def group(self) -> Ints:
        """The unitary alignment of each unit; in a soft alignment the first of them."""
        first = np.full(len(self.units), len(self.disorder), dtype=np.int64)
        np.minimum.at(first, self.members_unit, self.members_group)
        return first

    @cached_property
    def size(self) -> Ints:
        """How many units stand in each unitary alignment."""
        return np.bincount(self.members_group, minlength=len(self.disorder))

    @cached_property
    def continuum(self) -> Ints:
        """The continuum of each unitary alignment."""
        where = np.zeros(len(self.disorder), dtype=np.int64)
        where[self.members_group] = self.units.continuum[self.members_unit]
        return where

    @cached_property
    def totals(self) -> Floats:
        """Σ of the disorders of the unitary alignments of each continuum."""
        total = np.bincount(self.continuum, weights=self.disorder, minlength=len(self.units.annotators))
        return total.astype(np.float64)

    def disorders(self) -> Floats:
        """Of each continuum (eq. 7); NaN where nobody marked anything."""
        mean = self.units.per_annotator
        return np.divide(self.totals, mean, out=np.full(len(mean), np.nan), where=mean > 0)

    @property
    def overall_gap(self) -> float:
        """The certified distance to the optimum of all continua together; 0: proven."""
        total = float(self.totals.sum())
        return float(self.gap @ self.totals) / total if total > 0 else 0.0


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Groups one behind the other: their units, how many each has, and the disorder of each, in Δ."""

    unit: Ints
    size: Ints
    disorder: Floats

    @classmethod
    def from_rows(cls, rows: Ints, disorder: Floats, number: Ints) -> _Chosen:
        """Rows of units, -1 behind the last, that are known elsewhere by `number`."""
        real = rows >= 0
        return cls(number[rows[real]], real.sum(axis=1), disorder)

    @property
    def gain(self) -> float:
        return float((self.size - self.disorder).sum())


def best_alignment(
    units: Units, dissimilarity: Dissimilarity, gap: float = 0.0, known: Ints | None = None
) -> Alignment:
    """The exact optimum for all continua at once.

    With a gap, where there are too many groups to list them: an alignment whose disorder is proven to be no further,
    as a share of it, from the least. What was reached is said in `gap` of each continuum. Groups `known` from an
    alignment of nearly the same units (its `near`, in numbers of these) make it quicker, never different.
    """
    placed = units.at(units.canonical)
    slack = np.zeros(len(units.annotators))
    known = renumber_groups(NO_GROUPS if known is None else known, units.canonical, len(units))
    chosen, near = _in_groups(placed, dissimilarity, slack, gap, known)
    return _assembled(units, dissimilarity.delta, [_in_pairs(placed, dissimilarity), *chosen], slack, near)


def renumber_groups(groups: Ints, kept: Ints, units: int) -> Ints:
    """Groups with the numbers that units have among those kept; groups with fewer than two kept units are dropped."""
    number = np.full(units + 1, -1, dtype=np.int64)  # the last one is that of no unit
    number[kept] = np.arange(len(kept))
    groups = number[groups]
    return groups[(groups >= 0).sum(axis=1) > 1]


def best_soft_alignment(units: Units, dissimilarity: Dissimilarity) -> Alignment:
    """The least disorder where units may stand in several unitary alignments, but in at least one."""
    placed = units.at(units.canonical)
    slack = np.zeros(len(units.annotators))
    chosen = [_in_soft_pairs(placed, dissimilarity), _in_soft_groups(placed, dissimilarity, slack)]
    return _assembled(units, dissimilarity.delta, chosen, slack)


def _assembled(
    units: Units, delta: float, chosen: Sequence[_Chosen], slack: Floats, near: Ints = NO_GROUPS
) -> Alignment:
    """The alignment of the chosen groups; other units are alone. Groups are numbered by their units."""
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
    """The order of the groups by their first units, then their second, and so on."""
    if len(unit) == units:  # each unit once: the first ones all differ
        return np.argsort(unit[first])
    columns = [np.where(size > k, unit[np.minimum(first + k, len(unit) - 1)], -1) for k in range(int(size.max()))]
    return np.lexsort(columns[::-1])


def _of_continua(units: Units, which: Bools) -> tuple[Ints, Units]:
    """The units of some continua, and their numbers."""
    if which[units.present > 1].all():
        return np.arange(len(units)), units
    number = np.flatnonzero(which[units.continuum])
    return number, units.at(number)


def _in_pairs(units: Units, dissimilarity: Dissimilarity) -> _Chosen:
    """Continua in which two annotators marked anything: an assignment problem."""
    number, some = _of_continua(units, units.present == 2)
    starts, v, gain = pair_gains(some, dissimilarity)
    u, edge = best_edges(starts, v, gain)
    return _Chosen.from_rows(np.stack([u, v[edge]], axis=1), 2 - gain[edge], number)


def _in_soft_pairs(units: Units, dissimilarity: Dissimilarity) -> _Chosen:
    """Soft pairs of two annotators. An unmatched unit stands in its cheapest pair, or alone."""
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
    """Equal units of one annotator can stand for each other: one of each kind, and how many copies there are."""

    units: Units
    first: Ints  # the number of the first copy; the others stand behind it
    copies: Ints

    @classmethod
    def of(cls, units: Units) -> _Kinds:
        """Of units in canonical order, in which equal ones stand side by side."""
        columns = (units.continuum, units.annotator, units.start, units.end, units.label)
        new = np.ones(len(units), dtype=bool)
        new[1:] = ~np.logical_and.reduce([column[1:] == column[:-1] for column in columns])
        first = np.flatnonzero(new)
        if len(first) == len(units):
            return cls(units, first, np.ones(len(units), dtype=np.int64))
        return cls(units.at(first), first, np.diff(np.append(first, len(units))))

    def handed_out(self, rows: Ints) -> Ints:
        """Rows of kinds as rows of units; each copy is used once."""
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
    """Continua in which more annotators marked anything. What is not proven is added to the slack of its continuum.

    Also gives the groups near their prices, where they were generated.
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
    """Stack tables of different widths, filled with −1."""
    if not groups:
        return NO_GROUPS
    width = max(rows.shape[1] for rows in groups)
    return np.concatenate([np.pad(rows, ((0, 0), (0, width - rows.shape[1])), constant_values=-1) for rows in groups])


def _packed(groups: Groups, kinds: _Kinds, component: Ints, number: Ints, slack: Floats) -> list[_Chosen]:
    """The best choice among listed groups: components with equal units by themselves."""
    of_group = component[groups.rows[:, 0]]
    twins = np.isin(of_group, component[kinds.copies > 1])
    plain = np.flatnonzero(~twins)
    choice = best_packing(groups.rows[plain], groups.gain[plain])
    np.add.at(slack, kinds.units.continuum[choice.unit], choice.missed)
    taken = [plain[choice.groups]]
    for mine in packs(np.flatnonzero(twins), of_group[twins]):
        counts, missed = best_counts(groups.rows[mine], groups.gain[mine], kinds.copies)
        if missed:  # one of them was too hard: which?
            alone = [np.flatnonzero(of_group[mine] == c) for c in np.unique(of_group[mine])]
            for some in alone:
                counts[some], missed = best_counts(groups.rows[mine[some]], groups.gain[mine[some]], kinds.copies)
                slack[kinds.units.continuum[groups.rows[mine[some[0]], 0]]] += missed
        taken.append(np.repeat(mine, counts))
    picked = np.concatenate(taken)
    rows = kinds.handed_out(groups.rows[picked])
    return [_Chosen.from_rows(rows, (rows >= 0).sum(axis=1) - groups.gain[picked], number)]


def _components(units: Units, pairs: Pairs, component: Ints, which: Ints) -> Iterator[tuple[Ints, Units, Pairs]]:
    """Some components by themselves: the numbers of their units, these units and their pairs."""
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
            f"more than {_MOST_SOFT:,} groups of units could align, too many for a soft alignment: "
            "align without soft, or score fewer annotators at a time",
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
    """One component with very many groups: also what a better choice could gain at most, in Δ, and what is near."""
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
    """Σ (d − Δ) over the pairs of each group, in Δ; groups stand one behind the other."""
    group = np.repeat(np.arange(len(size)), size)
    behind = np.cumsum(size)[group] - np.arange(len(members)) - 1  # members after this one
    u = np.repeat(np.arange(len(members)), behind)
    v = u + 1 + np.arange(len(u)) - np.repeat(np.cumsum(behind) - behind, behind)
    d = dissimilarity.between(units, members[u], members[v]) / dissimilarity.delta - 1
    return sums_by(group[u], d, len(size))


# -- many continua: those of few annotators in batches, those of many one after the other --------------------------


def units_count_as(annotators: Ints | int) -> Ints:
    """The groups of units that could align multiply with every annotator above three; so does the memory they take."""
    return np.asarray(4 ** np.clip(np.asarray(annotators) - 3, 0, FEW))  # more are aligned by themselves anyway


def aligner(dissimilarity: Dissimilarity, soft: bool, gap: float = 0.0) -> Callable[[Units], Alignment]:
    """The best alignment, or one within a gap of it, or the best soft one, as a function to be sent to a worker."""
    if soft:
        return partial(best_soft_alignment, dissimilarity=dissimilarity)
    return partial(best_alignment, dissimilarity=dissimilarity, gap=gap)


def realigner(dissimilarity: Dissimilarity, soft: bool) -> Callable[[Units, Ints], Alignment]:
    """The best alignment, where groups are known that were near their prices with nearly the same units."""
    return partial(_realigned, dissimilarity, soft)


def _realigned(dissimilarity: Dissimilarity, soft: bool, units: Units, known: Ints) -> Alignment:
    if soft:
        return best_soft_alignment(units, dissimilarity)
    return best_alignment(units, dissimilarity, known=known)


def align_all(units: Units, align: Callable[[Units], Alignment], run: Run) -> Alignment:
    """The best alignment of every continuum."""
    lots = _lots(units)
    if len(lots) < 2 and int(units.annotators.max(initial=0)) <= FEW:  # soon done: not worth sending
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
    """The continua of each task; the cut depends on the data only, never on the number of workers."""
    few, many = np.flatnonzero(units.annotators <= FEW), np.flatnonzero(units.annotators > FEW)
    work = np.cumsum(units.counts[few] * units_count_as(units.annotators[few]))
    cuts = np.flatnonzero(np.diff(work // _UNITS_AT_ONCE)) + 1
    return [*(np.split(few, cuts) if len(few) else []), *many[:, None]]


def _some(units: Units, lot: Ints, at: Ints) -> Units:
    """The units of some continua, with continua renumbered."""
    number = np.searchsorted(lot, units.continuum[at])
    return Units(number, units.annotator[at], units.start[at], units.end[at], units.label[at], units.annotators[lot])
