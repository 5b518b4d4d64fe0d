"""Exact alignment of two texts with units marked by boundary symbols. Only matches and gaps are allowed.

Among all alignments with the lowest gap cost, the result is the one with the most similar co-extensive units. This is a
shortest path under a lexicographic cost. If it fits into memory, all cells that this path can visit are computed.
Otherwise the search uses a band around a guide path. A lower bound on all paths that leave the band then proves the
result, or the band is widened.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats

Ints32 = NDArray[np.int32]
Indices = NDArray[np.int64]

OPEN, CLOSE, OPEN_GAP, CLOSE_GAP, LETTERS = 0, 1, 2, 3, 4
_SPELLED = -2  # marks a feature with labels compared by edit distance
_SMALL = 32_000_000  # cells that are computed without a band
_NARROW = 10  # first half-width of a band
_PATIENCE = 1024  # edits that a guide path looks ahead
_MUCH = 10_000_000_000  # symbols × gaps
_CELLS = 1 << 28  # marks kept in memory, one byte each; others are computed twice
_MOST_BITS = 1 << 31  # largest size of the bit sets of symbol positions
_LONG, _NEAR = 4, 50  # a single moved token: minimum letters, maximum aligned tokens in between


@dataclass(frozen=True, eq=False)
class Bounded:
    """A text as symbols with a boundary before and after each unit."""

    symbols: Ints32  # 0 to 3: boundaries
    unit: Ints32  # unit of each boundary
    ends: Indices  # one row per unit: positions of its two boundaries
    labels: Indices  # one row per unit, one column per feature

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def gaps(self) -> NDArray[np.bool_]:
        """Return which units represent text outside of tokens."""
        return self.symbols[self.ends[:, 0]] == OPEN_GAP

    def text(self, unit: int) -> Ints32:
        return self.symbols[self.ends[unit, 0] + 1 : self.ends[unit, 1]]


def bounded(
    letters: Ints32, start: Indices, end: Indices, labels: Indices, gap: NDArray[np.bool_] | None = None
) -> Bounded:
    """Insert boundary symbols into a text; units are in order and do not overlap. Codes of letters start at LETTERS."""
    many = len(start)
    before = 2 * np.arange(many, dtype=np.int64)
    ends = np.column_stack([start + before, end + before + 1]).astype(np.int64).reshape(many, 2)
    symbols = np.empty(len(letters) + 2 * many, dtype=np.int32)
    free = np.ones(len(symbols), dtype=bool)
    free[ends.ravel()] = False
    symbols[free] = letters
    kind = np.zeros(many, dtype=np.int32) if gap is None else np.where(gap, OPEN_GAP, OPEN).astype(np.int32)
    symbols[ends[:, 0]], symbols[ends[:, 1]] = kind, kind + 1
    unit = np.full(len(symbols), -1, dtype=np.int32)
    unit[ends[:, 0]] = unit[ends[:, 1]] = np.arange(many, dtype=np.int32)
    return Bounded(symbols, unit, ends, np.ascontiguousarray(labels, dtype=np.int64))


@dataclass(frozen=True)
class Spelled:
    """Labels compared by edit distance on demand, because a table of all pairs may be too large.

    The last code is for tokens without a label; its distance to all labels is 1.
    """

    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class EditCosts:
    """Costs of gaps and comparison of units: `tables[f]` for feature f, None if labels are equal or not."""

    gap_t: float = 1.0
    gap_b: float = 1.0
    edits: bool = False  # compare texts by edit distance; otherwise by equality
    tables: tuple[Floats | Spelled | None, ...] = ()

    @cached_property
    def whole(self) -> tuple[int, int, float]:
        """Return the two costs as integers, so that sums compare exactly, and the value of 1."""
        t, b = (Fraction(str(float(c))).limit_denominator(1_000_000) for c in (self.gap_t, self.gap_b))
        unit = math.lcm(t.denominator, b.denominator)
        shared = math.gcd(int(t * unit), int(b * unit))
        return int(t * unit) // shared, int(b * unit) // shared, shared / unit

    @cached_property
    def rules(self) -> tuple[int, Floats, Indices, Indices, Ints32, Indices]:
        """Return the comparison rules for the kernels: text mode, tables with offsets and widths, spelled labels."""
        at, size, flat, spelled = [], [], [np.zeros(0)], [""]
        none: list[int] = []  # positions of missing labels
        for table in self.tables:
            if isinstance(table, Spelled):
                at.append(_SPELLED)
                size.append(len(spelled))
                none.append(len(spelled) + len(table.names))
                spelled += [*table.names, " "]
            else:
                at.append(-1 if table is None else sum(len(part) for part in flat))
                size.append(0 if table is None else len(table))
                if table is not None:
                    flat.append(np.ascontiguousarray(table, dtype=np.float64).ravel())
        letters = np.frombuffer("".join(spelled).encode("utf-32-le", "surrogatepass"), dtype=np.int32).copy()
        begin = np.concatenate([[0], np.cumsum([len(name) for name in spelled])]).astype(np.int64)
        letters[begin[none]] = -1  # differs from every letter of a label
        return (
            int(self.edits),
            np.concatenate(flat),
            np.array(at, dtype=np.int64).reshape(-1),
            np.array(size, dtype=np.int64).reshape(-1),
            letters,
            begin,
        )


@dataclass(frozen=True, eq=False)
class SequenceAlignment:
    """An alignment of two texts: symbols, and the units that cover the same text."""

    cost: float  # total cost of the gaps
    moves: NDArray[np.uint8]  # 0: symbol of the first text only, 1: of the second only, 2: both
    pairs: Indices  # aligned units, one row per pair
    parts: Floats  # costs of each pair: text, then each feature
    unaligned: tuple[int, int]  # units without counterpart in either text
    band: int  # half-width that was proven sufficient; 0: no band was used

    @property
    def disorder(self) -> float:
        """Return Σ d over aligned units plus 1 for each unaligned unit."""
        return float(self.parts.sum()) + sum(self.unaligned)

    @property
    def matched(self) -> int:
        """Return the number of symbols aligned with an equal symbol."""
        return int((self.moves == 2).sum())


def align_sequences(first: Bounded, second: Bounded, costs: EditCosts) -> SequenceAlignment:
    """Return the best alignment; the result is exact."""
    a, b = first.symbols, second.symbols
    from accord.measures.alignment.sequence_many_kernels import way_through

    one, other = (first.ends, first.labels), (second.ends, second.labels)
    gaps = np.array(costs.whole[:2], dtype=np.int64)
    cost, moves, pairs = way_through.for_work(a.size * b.size)(
        a, b, first.unit, second.unit, one, other, gaps, costs.rules, _SMALL
    )
    if cost >= 0:
        return _found(first, second, costs, cost * costs.whole[2], moves, pairs, 0)
    problem = _Problem(first, second, costs)
    half = _NARROW
    while True:
        band = problem.band(half)
        cost, moves, pairs = problem.solved(band or problem.nearest)
        lacking = 0 if band is None else problem.lacking(band, cost)
        if lacking <= 0:
            return _found(first, second, costs, cost * costs.whole[2], moves, pairs, 0 if band is None else half)
        # Each row or column added on both sides raises the cost of leaving the band by about two gaps.
        half = min(max(half + math.ceil(lacking / 2) + 4, half * 3 // 2), half * 4)


def _found(
    first: Bounded, second: Bounded, costs: EditCosts, cost: float, moves: NDArray[np.uint8], pairs: Indices, half: int
) -> SequenceAlignment:
    from accord.measures.alignment.sequence_kernels import compare_pairs

    parts = compare_pairs.for_work(100 * len(pairs))(
        first.symbols, first.ends, first.labels, second.symbols, second.ends, second.labels, pairs, costs.rules
    )
    return SequenceAlignment(cost, moves, pairs, parts, (len(first) - len(pairs), len(second) - len(pairs)), half)


@dataclass(frozen=True, eq=False)
class _Band:
    """The computed columns of each row, and whether cells to the left and right may matter."""

    lo: Indices
    hi: Indices
    exits: Indices
    left_open: NDArray[np.bool_]
    right_open: NDArray[np.bool_]
    inner: tuple[Indices, Indices]  # a narrower band
    reach: tuple[Indices, Indices]  # columns that any relevant alignment can visit

    @property
    def for_kernels(self) -> tuple[Indices, Indices, Indices, NDArray[np.bool_], NDArray[np.bool_]]:
        return self.lo, self.hi, self.exits, self.left_open, self.right_open


class _Problem:
    def __init__(self, first: Bounded, second: Bounded, costs: EditCosts) -> None:
        self.first, self.second, self.costs = first, second, costs
        self.a, self.b = first.symbols, second.symbols
        self.t, self.gap_b, _ = costs.whole
        self.cost_a = np.where(self.a < LETTERS, self.gap_b, self.t).astype(np.int64)
        self.cost_b = np.where(self.b < LETTERS, self.gap_b, self.t).astype(np.int64)
        self.way: tuple[Indices, Indices] | None = None
        self.most = 0  # cost of a known alignment

    @property
    def everything(self) -> _Band:
        n, m = len(self.a), len(self.b)
        shut = np.zeros(n + 1, dtype=bool)
        lo, hi = np.zeros(n + 1, dtype=np.int64), np.full(n + 1, m, dtype=np.int64)
        return _Band(lo, hi, np.empty(n + 1, np.int64), shut, shut, (lo, hi), (lo, hi))

    @property
    def nearest(self) -> _Band:
        """Return all cells that a cheapest path can visit; a narrower set if all gaps cost the same."""
        band = self.everything
        between = envelope(self.a, self.b) if self.t == self.gap_b else None
        return band if between is None else replace(band, lo=between[0], hi=between[1])

    def _guided(self) -> tuple[Indices, Indices]:
        """Return the first and last column of the guide path in each row; a section without matches is a rectangle."""
        if self.way is None:
            from accord.measures.alignment.sequence_kernels import guide

            n, m = len(self.a), len(self.b)
            match = guide(self.a, self.b, _PATIENCE).astype(np.int64)
            at = np.flatnonzero(match >= 0)
            gone = np.ones(m, dtype=bool)
            gone[match[at]] = False
            self.most = int(self.cost_a[match < 0].sum() + self.cost_b[gone].sum())
            # A row lies between the last match before it and the next match after it.
            rows = np.arange(n + 1)
            behind = np.searchsorted(at, rows, side="left")
            low = np.where(behind > 0, match[at[np.maximum(behind - 1, 0)]] + 1, 0) if len(at) else np.zeros(n + 1, int)
            ahead = np.minimum(behind, len(at) - 1)
            high = np.where(behind < len(at), match[at[ahead]], m) if len(at) else np.full(n + 1, m)
            self.way = low.astype(np.int64), high.astype(np.int64)
        return self.way

    def band(self, half: int) -> _Band | None:
        """Return the cells at most `half` rows and columns from the guide; None for all cells."""
        n, m = len(self.a), len(self.b)
        if half >= max(n, m):
            return None
        low, high = self._guided()
        if 4 * self.most > self.cost_a.sum() + self.cost_b.sum():
            return None  # the texts share too little for a band to be proven
        rows = np.arange(n + 1)

        def around(near: int) -> tuple[Indices, Indices]:
            return low[np.maximum(rows - near, 0)] - near, high[np.minimum(rows + near, n)] + near

        # Further from the diagonals of the two corners, the detour costs more than the guide path (Ukkonen).
        spare = self.most // min(self.t, self.gap_b)
        far_left = np.maximum(rows - (spare - (m - n)) // 2, 0)
        far_right = np.minimum(rows + (spare + (m - n)) // 2, m)
        (lo, hi), inner = (
            (np.maximum(x, far_left), np.minimum(y, far_right)) for x, y in (around(half), around(half // 2))
        )
        left_open = np.append(lo[1:] > far_left[1:], False)
        return _Band(lo, hi, np.empty(n + 1, np.int64), left_open, hi < far_right, inner, (far_left, far_right))

    def solved(self, band: _Band) -> tuple[int, NDArray[np.uint8], Indices]:
        """Return the best alignment inside a band: cost, moves, aligned units."""
        from accord.measures.alignment.sequence_kernels import best_in_band, traced

        n, m = len(self.a), len(self.b)
        lo, hi = band.lo, band.hi
        widths = hi - lo + 1
        state = np.full((3, int(widths.max())), -np.inf)
        state[0] = 0
        state[0, : widths[0]] = np.concatenate([[0], np.cumsum(self.cost_b)])[: widths[0]]
        state[1] = 0.0
        band.exits[0] = state[0, widths[0] - 1] if band.right_open[0] else 1 << 60
        if band.left_open[0]:
            band.exits[0] = 0
        texts = (self.a, self.b, self.cost_a, self.cost_b, self.first.unit, self.second.unit)
        units = ((self.first.ends, self.first.labels), (self.second.ends, self.second.labels), self.costs.rules)

        def rows(top: int, bottom: int, state: Floats, marks: NDArray[np.uint8]) -> Floats:
            return best_in_band(*texts, *units, band.for_kernels, (top, bottom), state, marks)

        # Blocks of rows whose marks fit into memory; all but the last are computed twice, from the state before them.
        behind = np.cumsum(widths)
        cuts = [0]
        while cuts[-1] < n:
            bottom = int(np.searchsorted(behind, behind[cuts[-1]] + _CELLS, side="right")) - 1
            cuts.append(min(max(bottom, cuts[-1] + 1), n))
        states, none = [state], np.empty(0, np.uint8)
        for top, bottom in pairwise(cuts[:-1]):
            states.append(rows(top, bottom, states[-1], none))
        moves, pairs = np.empty(n + m, np.uint8), np.empty((min(len(self.first), len(self.second)), 2), np.int64)
        place = np.array([n, m, 0, len(moves), len(pairs)], dtype=np.int64)
        cost = int(state[0, widths[0] - 1])
        for block in range(len(cuts) - 2, -1, -1):
            top, bottom = cuts[block], cuts[block + 1]
            marks = np.empty(int(behind[bottom] - behind[top]), np.uint8)
            after = rows(top, bottom, states[block], marks)
            if bottom == n:
                cost = int(after[0, widths[n] - 1])
            place = traced(lo, hi, marks, (top, bottom), place, moves, pairs, self.first.unit, self.second.unit)
        left = int(place[1])  # symbols of the second text before the first symbol of the first text
        moves[place[3] - left : place[3]] = 1
        return cost, moves[place[3] - left :].copy(), pairs[place[4] :].copy()

    def lacking(self, band: _Band, cost: int) -> float:
        """Return how many gaps are missing for a proof that all paths outside the band cost more; 0 if proven."""
        from accord.measures.alignment.sequence_kernels import cheapest_outside, tolls

        if not band.left_open.any() and not band.right_open.any():
            return 0.0
        least = min(self.t, self.gap_b)
        kinds, codes = np.unique(np.concatenate([self.a, self.b]), return_inverse=True)
        coded = codes[: len(self.a)], codes[len(self.a) :]
        # short blocks give tighter bounds, long blocks are faster
        size = 32 if len(self.a) * self.most < _MUCH * least else 64
        toll = tolls(*coded, len(kinds), *band.reach, *band.inner, size)
        args: tuple[Any, ...] = (self.a, self.b, self.cost_a, self.cost_b, band.for_kernels, *band.inner, toll, least)
        return max(0.0, float(cost + 1 - cheapest_outside(*args)) / least)


def envelope(a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return the first and last column of the cheapest alignments in each row; None if there are too many symbols.

    All gaps cost the same here, so the cheapest alignments have the longest common subsequence. Its length differs by 0
    or 1 between neighbouring columns, so the bits of an integer represent a row of the table (Crochemore et al. 2001;
    Hyyrö 2004). The two outermost cheapest paths enclose all others.
    """
    n, m = len(a), len(b)
    kinds, codes = np.unique(np.concatenate([a, b]), return_inverse=True)
    if len(kinds) * m > _MOST_BITS:
        return None
    first, second = codes[:n].tolist(), codes[n:].tolist()
    stands = [_number(codes[n:] == k) for k in range(len(kinds))]
    # Only the first row of each block is stored, and the others are recomputed: memory grows with the square root.
    step = max(64, math.isqrt(n))
    tops = range(0, n, step)
    begins, row = [], (1 << m) - 1
    for top in tops:
        begins.append(row)
        row = _rows(row, first[top : top + step], stands, m)[-1]
    lo, hi = np.zeros(n + 1, dtype=np.int64), np.full(n + 1, m, dtype=np.int64)
    left = right = m
    for top, begin in zip(reversed(tops), reversed(begins), strict=True):
        rows = _rows(begin, first[top : top + step], stands, m)
        for i in range(len(rows) - 1, 0, -1):
            symbol = first[top + i - 1]
            while left and rows[i] >> (left - 1) & 1:
                left -= 1
            lo[top + i], hi[top + i] = left, right
            # A match lies on a cheapest path; without a match, so does the cell above.
            left -= left > 0 and symbol == second[left - 1]
            here, above = _length(rows[i], right), _length(rows[i - 1], right)
            while here > above and symbol != second[right - 1]:
                above -= not rows[i - 1] >> (right - 1) & 1
                right -= 1
            right -= here > above
    hi[0] = right
    return lo, hi


def _number(bits: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def _rows(row: int, symbols: list[int], stands: list[int], columns: int) -> list[int]:
    """Return a row and the rows of these symbols after it: bit j is 0 if column j + 1 is one longer than column j."""
    rows, all_ = [row], (1 << columns) - 1
    for symbol in symbols:
        matched = row & stands[symbol]
        row = ((row + matched) | (row ^ matched)) & all_
        rows.append(row)
    return rows


def _length(row: int, column: int) -> int:
    """Return the length of the longest common subsequence up to a column."""
    return column - (row & ((1 << column) - 1)).bit_count()


# -- many pairs of texts: small ones in one compiled loop, large ones separately -----------------------------------


def gather_ranges(first: Indices, which: Indices) -> Indices:
    """Return the concatenated index ranges first[w] to first[w + 1] of each w."""
    size = first[which + 1] - first[which]
    behind = np.cumsum(size)
    return np.repeat(first[which] - behind + size, size) + np.arange(int(behind[-1]) if len(behind) else 0)


@dataclass(frozen=True, eq=False)
class BoundedTexts:
    """Concatenated texts with boundaries. Units and positions count from the beginning of each text."""

    symbols: Ints32
    unit: Ints32
    ends: Indices
    labels: Indices
    first_symbol: Indices  # of each text, then the total number
    first_unit: Indices

    def __len__(self) -> int:
        return len(self.first_symbol) - 1

    def __getitem__(self, text: int) -> Bounded:
        here = slice(int(self.first_symbol[text]), int(self.first_symbol[text + 1]))
        mine = slice(int(self.first_unit[text]), int(self.first_unit[text + 1]))
        return Bounded(self.symbols[here], self.unit[here], self.ends[mine], self.labels[mine])

    @property
    def units(self) -> Indices:
        """Return the number of units of each text."""
        return np.diff(self.first_unit)

    @property
    def for_kernels(self) -> tuple[Any, ...]:
        return self.symbols, self.unit, self.ends, self.labels, self.first_symbol, self.first_unit

    def without_labels(self) -> BoundedTexts:
        none = np.zeros((len(self.ends), 0), dtype=np.int64)
        return BoundedTexts(self.symbols, self.unit, self.ends, none, self.first_symbol, self.first_unit)


@dataclass(frozen=True, eq=False)
class Alignments:
    """Alignments of many pairs of texts: statistics of each, and the aligned units of all."""

    cost: Floats  # total cost of the gaps
    letters: Indices  # matching letters
    changed: Indices  # units of the first text with a different text
    boundaries: Indices  # unmatched token boundaries
    unaligned: Indices  # units without counterpart
    first: Indices  # first aligned pair of each alignment, then the total number
    pairs: Indices
    parts: Floats  # costs of the pairs: text, then each feature
    moved: Indices  # rows of: pair, first token in either text, number of moved tokens

    def __len__(self) -> int:
        return len(self.cost)

    @property
    def owner(self) -> Indices:
        """Return the pair of texts of each pair of aligned units."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @property
    def kinds(self) -> Floats:
        """Return the sums of disorder: text, segmentation, each feature."""
        owner = self.owner
        by = [np.bincount(owner, part, minlength=len(self)) for part in self.parts.T]
        return np.column_stack([by[0], self.unaligned, *by[1:]]).astype(np.float64)

    @classmethod
    def joined(cls, parts: Sequence[Alignments]) -> Alignments:
        """Concatenate alignments."""
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
    """Return the best alignments of texts which[k, 0] of `first` with texts which[k, 1] of `second`; exact.

    With `moved`, also find tokens that occur in both texts at different places.
    """
    from accord.measures.alignment.sequence_many_kernels import align_each, moved_in_each, tallied

    which = np.ascontiguousarray(which)  # kernels are compiled separately for each memory layout
    t, gap_b, unit = costs.whole
    fewest = np.minimum(first.units[which[:, 0]], second.units[which[:, 1]])
    begin = np.concatenate([[0], np.cumsum(fewest)]).astype(np.int64)
    pairs = np.empty((int(begin[-1]), 2), dtype=np.int64)
    parts = np.empty((len(pairs), first.labels.shape[1] + 1))
    figures = np.zeros((len(which), 5), dtype=np.int64)
    gaps = np.array([t, gap_b], dtype=np.int64)
    steps = int((np.diff(first.first_symbol)[which[:, 0]] * np.diff(second.first_symbol)[which[:, 1]]).sum())
    align = align_each.for_work(steps + 20 * len(which))
    align(first.for_kernels, second.for_kernels, which, gaps, costs.rules, _SMALL, begin, figures, pairs, parts)
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
