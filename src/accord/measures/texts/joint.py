"""The texts of a document as one table, for people to look at: no value is computed from it.

Every two texts are aligned exactly, as for tγ. The text with the least disorder to all others is the middle; each other
one joins it by their own alignment, the nearest first. Tokens that the middle lacks stand where that alignment has
them, and in one row where two texts align them with each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from accord.core.arrays import Bools, Floats
from accord.measures.alignment.sequences import Bounded, Indices, SequenceAlignment, align_sequences
from accord.measures.texts.differences import Prepared

ABSENT = -1


@dataclass(frozen=True, eq=False)
class Joint:
    """Some versions of a document, aligned."""

    ready: Prepared
    versions: tuple[int, ...]

    @cached_property
    def bounds(self) -> list[Bounded]:
        return [self.ready.bounded[v] for v in self.versions]

    @cached_property
    def found(self) -> dict[tuple[int, int], SequenceAlignment]:
        """Every two of them."""
        numbers = range(len(self.versions))
        return {
            (x, y): align_sequences(self.bounds[x], self.bounds[y], self.ready.costs)
            for x, y in combinations(numbers, 2)
        }

    @cached_property
    def disorders(self) -> Floats:
        made = np.zeros((len(self.versions),) * 2)
        for (x, y), found in self.found.items():
            made[x, y] = made[y, x] = found.disorder
        return made

    @cached_property
    def middle(self) -> int:
        """The text with the least disorder to the others; the first of several."""
        return int(np.argmin(self.disorders.sum(axis=1)))

    @cached_property
    def matched(self) -> dict[tuple[int, int], Bools]:
        """For x, y: whether each symbol of x has a counterpart in y."""
        made = {}
        for (x, y), found in self.found.items():
            made[x, y], made[y, x] = (found.moves[found.moves != alone] == 2 for alone in (1, 0))
        return made

    def places(self, x: int, y: int) -> Indices:
        """The columns of the symbols of x in its alignment with y."""
        found, alone_there = (self.found[x, y], 1) if x < y else (self.found[y, x], 0)
        return np.flatnonzero(found.moves != alone_there)

    def partners(self, x: int, y: int) -> list[int]:
        """The unit of y that each unit of x is aligned with."""
        pairs = self.found[x, y].pairs if x < y else self.found[y, x].pairs[:, ::-1]
        made = np.full(len(self.bounds[x]), ABSENT, dtype=np.int64)
        made[pairs[:, 0]] = pairs[:, 1]
        return [int(u) for u in made]

    @cached_property
    def rows(self) -> Indices:
        """For each row the unit of each version, or ABSENT."""
        middle, many = self.middle, len(self.versions)
        # A stretch is what follows a token of the middle, which is its first row; the first stretch is before them all.
        stretches: list[list[list[int]]] = [[]]
        for unit in range(len(self.bounds[middle])):
            row = [ABSENT] * many
            row[middle] = unit
            stretches.append([row])
        joined: list[int] = []
        for x in np.argsort(self.disorders[middle], kind="stable").tolist():
            if x != middle:
                self._join(x, joined, stretches)
                joined.append(x)
        rows = [row for stretch in stretches for row in stretch]
        return np.array(rows, dtype=np.int64).reshape(len(rows), many)

    def _join(self, x: int, joined: list[int], stretches: list[list[list[int]]]) -> None:
        middle = self.middle
        begins = self.places(middle, x)[self.bounds[middle].ends[:, 0]]
        where = np.searchsorted(begins, self.places(x, middle)[self.bounds[x].ends[:, 0]], side="right").tolist()
        partners = {y: self.partners(x, y) for y in (middle, *joined)}
        last, at = 0, 0  # its last token stands before this place of this stretch
        for unit, partner in enumerate(partners[middle]):
            if partner != ABSENT:
                last, at = partner + 1, 1
                stretches[last][0][x] = unit
                continue
            if where[unit] != last:
                last, at = where[unit], min(where[unit], 1)
            stretch = stretches[last]
            fitting = (
                k
                for k in range(at, len(stretch))
                if any(stretch[k][y] != ABSENT and stretch[k][y] == partners[y][unit] for y in joined)
            )
            k = next(fitting, None)
            if k is None:
                k = at
                stretch.insert(k, [ABSENT] * len(self.versions))
            stretch[k][x] = unit
            at = k + 1

    @cached_property
    def costs(self) -> tuple[Floats, Floats]:
        """Of each row: its disorder, the mean over pairs of versions; and which of text and features differ."""
        from accord.measures.alignment.sequence_kernels import compared

        rows = self.rows
        there = rows != ABSENT
        total = np.zeros(len(rows))
        apart = np.zeros((len(rows), 1 + len(self.ready.features)))
        for x, y in self.found:
            both = there[:, x] & there[:, y]
            one, other = self.bounds[x], self.bounds[y]
            pairs = np.ascontiguousarray(rows[both][:, [x, y]])
            parts = compared.for_work(100 * len(pairs))(
                one.symbols,
                one.ends,
                one.labels,
                other.symbols,
                other.ends,
                other.labels,
                pairs,
                self.ready.costs.rules,
            )
            total[both] += parts.sum(axis=1)
            apart[both] += parts
            total += there[:, x] != there[:, y]
        return total / len(self.found), apart

    def gone(self, x: int) -> Bools:
        """Whether each symbol of x is without counterpart in at least one of the others."""
        others = [self.matched[x, y] for y in range(len(self.versions)) if y != x]
        return ~np.logical_and.reduce(others)
