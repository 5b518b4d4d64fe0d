"""Groups that are in a best choice for certain: taken before any solver looks at the rest."""

from __future__ import annotations

import numpy as np

from accord.core.arrays import Bools, Floats, Ints

_WORTH_IT = 1_000  # one group in so many must be taken for another round


def certain_groups(rows: Ints, gain: Floats) -> tuple[Ints, Ints]:
    """The numbers of the groups that can be taken outright, and of those that are still to be decided.

    A choice without group g holds at most one rival of it per unit of g. If g gains as much as the best rivals of all
    its units together, putting g in their place loses nothing. What conflicts with a taken group is gone, and so on.
    """
    group, place = np.nonzero(rows >= 0)
    unit = rows[group, place]
    order = np.lexsort((group, -gain[group], unit))  # the best group of each unit first
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
    """Per membership: does its group gain as much as the best rivals of its units together?"""
    first = np.diff(unit, prepend=-1) != 0
    heads = np.flatnonzero(first)
    sizes = np.diff(np.append(heads, len(unit)))
    best = gain[group[heads]]
    second = np.where(sizes > 1, gain[group[np.minimum(heads + 1, len(group) - 1)]], 0.0)
    rival = np.where(first, np.repeat(second, sizes), np.repeat(best, sizes))
    threat = np.bincount(group, weights=rival, minlength=len(gain))
    return (gain >= threat)[group]


def _beaten(group: Ints, unit: Ints, sure: Bools, units: int) -> Ints:
    """Of two sure groups with a unit in common, which then gain the same, the first is taken."""
    lowest = np.full(units, np.iinfo(np.int64).max)
    np.minimum.at(lowest, unit[sure], group[sure])
    return np.flatnonzero(sure & (lowest[unit] != group))
