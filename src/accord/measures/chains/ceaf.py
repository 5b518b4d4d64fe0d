"""CEAF: chains of two annotators matched one to one, as well as they can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.measures.chains.crossed import Crossed
from accord.measures.chains.pairwise import PairedChainMeasure, harmonic


@dataclass(frozen=True, repr=False)
class CeafE(PairedChainMeasure):
    """Luo 2005, with φ₄: what matched chains share, relative to their sizes."""

    name: ClassVar[str] = "ceaf_e"
    symbol: ClassVar[str] = "CEAF_e"
    title: ClassVar[str] = "Entity CEAF (φ₄) F1 between annotators"
    source: ClassVar[str] = "Luo 2005"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        size = crossed.first[crossed.row] + crossed.second[crossed.column]
        return _best(crossed, 2.0 * crossed.shared / size), float(len(crossed.first) + len(crossed.second))

    def quotient(self, sums: Floats) -> Floats:
        return harmonic(sums[..., 0], sums[..., 1])


def _best(crossed: Crossed, gain: Floats) -> float:
    """The largest sum of gains of cells, no two of them in one row or column.

    Chains that share no mention, also not through others, are matched apart: tables stay small.
    """
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(gain):
        return 0.0
    rows, columns = len(crossed.first), len(crossed.second)
    edges = coo_array((np.ones(len(gain)), (crossed.row, rows + crossed.column)), shape=(rows + columns,) * 2)
    group = connected_components(edges, directed=False)[1][crossed.row]
    order = np.argsort(group, kind="stable")
    cuts = np.flatnonzero(np.diff(group[order])) + 1
    total = 0.0
    for cells in np.split(order, cuts):
        if len(cells) == 1:
            total += float(gain[cells[0]])
            continue
        row, column = (_numbered(side[cells]) for side in (crossed.row, crossed.column))
        table = np.zeros((int(row.max()) + 1, int(column.max()) + 1))
        table[row, column] = gain[cells]
        total += float(table[linear_sum_assignment(table, maximize=True)].sum())
    return total


def _numbered(codes: Ints) -> Ints:
    return np.unique(codes, return_inverse=True)[1].ravel().astype(np.int64)
