"""Many pairs of texts, aligned at once: small ones in one compiled loop, the others one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.core.arrays import Floats
from accord.measures.alignment.sequences import Bounded, EditCosts, Indices, Ints32, align_sequences

_CELLS = 32_000_000  # of a band that needs no proof
_LONG, _NEAR = 4, 50  # a single token that stands elsewhere: letters at least, aligned tokens in between at most


def gathered(first: Indices, which: Indices) -> Indices:
    """The places first[w] to first[w + 1] of each w, one after the other."""
    size = first[which + 1] - first[which]
    behind = np.cumsum(size)
    return np.repeat(first[which] - behind + size, size) + np.arange(int(behind[-1]) if len(behind) else 0)


@dataclass(frozen=True, eq=False)
class BoundedTexts:
    """Texts with boundaries, one after the other. Units and places count from the beginning of their own text."""

    symbols: Ints32
    unit: Ints32
    ends: Indices
    labels: Indices
    first_symbol: Indices  # of each text, and the number of all behind
    first_unit: Indices

    def __len__(self) -> int:
        return len(self.first_symbol) - 1

    def __getitem__(self, text: int) -> Bounded:
        here = slice(int(self.first_symbol[text]), int(self.first_symbol[text + 1]))
        mine = slice(int(self.first_unit[text]), int(self.first_unit[text + 1]))
        return Bounded(self.symbols[here], self.unit[here], self.ends[mine], self.labels[mine])

    @property
    def units(self) -> Indices:
        """How many each text has."""
        return np.diff(self.first_unit)

    @property
    def for_kernels(self) -> tuple[Any, ...]:
        return self.symbols, self.unit, self.ends, self.labels, self.first_symbol, self.first_unit

    def without_labels(self) -> BoundedTexts:
        none = np.zeros((len(self.ends), 0), dtype=np.int64)
        return BoundedTexts(self.symbols, self.unit, self.ends, none, self.first_symbol, self.first_unit)


@dataclass(frozen=True, eq=False)
class Alignments:
    """Alignments of many pairs of texts: figures of each, and the aligned units of all."""

    cost: Floats  # of gaps
    letters: Indices  # that match
    changed: Indices  # units of the first whose text is another one
    boundaries: Indices  # of tokens, without counterpart
    unaligned: Indices  # units without counterpart
    first: Indices  # where the aligned units of each begin, and the number of all behind
    pairs: Indices
    parts: Floats  # what they cost: text, then each feature
    moved: Indices  # rows of: pair, first token in either text, number of tokens that stand elsewhere

    def __len__(self) -> int:
        return len(self.cost)

    @property
    def owner(self) -> Indices:
        """The pair of texts of each two aligned units."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @property
    def kinds(self) -> Floats:
        """Sums of disorder: text, segmentation, each feature."""
        owner = self.owner
        by = [np.bincount(owner, part, minlength=len(self)) for part in self.parts.T]
        return np.column_stack([by[0], self.unaligned, *by[1:]]).astype(np.float64)

    @classmethod
    def joined(cls, parts: Sequence[Alignments]) -> Alignments:
        """One after the other."""
        if len(parts) == 1:
            return parts[0]
        before = np.concatenate([[0], np.cumsum([len(p) for p in parts])])
        moved = [np.column_stack([p.moved[:, :1] + k, p.moved[:, 1:]]) for p, k in zip(parts, before, strict=False)]
        count = np.concatenate([np.diff(p.first) for p in parts])
        names = ("cost", "letters", "changed", "boundaries", "unaligned", "pairs", "parts")
        whole = {name: np.concatenate([getattr(p, name) for p in parts]) for name in names}
        return cls(first=np.concatenate([[0], np.cumsum(count)]), moved=np.concatenate(moved), **whole)


def align_pairs(
    first: BoundedTexts, second: BoundedTexts, which: Indices, costs: EditCosts, moved: bool = False
) -> Alignments:
    """The best alignments of text which[k, 0] of the first with which[k, 1] of the second; exact.

    `moved`: tokens that stand in both, but elsewhere, are sought as well.
    """
    from accord.measures.alignment.sequence_many_kernels import align_each, moved_in_each, tallied

    which = np.ascontiguousarray(which)  # kernels are compiled for each layout in memory
    t, gap_b, unit = costs.whole
    fewest = np.minimum(first.units[which[:, 0]], second.units[which[:, 1]])
    begin = np.concatenate([[0], np.cumsum(fewest)]).astype(np.int64)
    pairs = np.empty((int(begin[-1]), 2), dtype=np.int64)
    parts = np.empty((len(pairs), first.labels.shape[1] + 1))
    figures = np.zeros((len(which), 5), dtype=np.int64)
    gaps = np.array([t, gap_b], dtype=np.int64)
    steps = int((np.diff(first.first_symbol)[which[:, 0]] * np.diff(second.first_symbol)[which[:, 1]]).sum())
    align = align_each.for_work(steps + 20 * len(which))
    align(first.for_kernels, second.for_kernels, which, gaps, costs.rules, _CELLS, begin, figures, pairs, parts)
    cost: Floats = (figures[:, 0] * unit).astype(np.float64)
    for k in np.flatnonzero(figures[:, 0] < 0).tolist():
        one, other = first[int(which[k, 0])], second[int(which[k, 1])]
        found = align_sequences(one, other, costs)
        cost[k] = found.cost
        figures[k, 1:4] = tallied.for_work(one.symbols.size)(one.symbols, other.symbols, found.moves)
        figures[k, 4] = len(found.pairs)
        here = slice(int(begin[k]), int(begin[k]) + len(found.pairs))
        pairs[here], parts[here] = found.pairs, found.parts
    count = figures[:, 4]
    kept = np.arange(len(pairs)) - np.repeat(begin[:-1], fewest) < np.repeat(count, fewest)
    pairs, parts = pairs[kept], parts[kept]
    start = np.concatenate([[0], np.cumsum(count)])
    elsewhere = np.zeros((0, 4), dtype=np.int64)
    if moved:
        sides = ((s.symbols, s.ends, s.first_symbol, s.first_unit) for s in (first, second))
        elsewhere = moved_in_each.for_work(len(pairs))(*sides, which, start, pairs, _LONG, _NEAR)
    alone = first.units[which[:, 0]] + second.units[which[:, 1]] - 2 * count
    return Alignments(cost, figures[:, 1], figures[:, 2], figures[:, 3], alone, start, pairs, parts, elsewhere)
