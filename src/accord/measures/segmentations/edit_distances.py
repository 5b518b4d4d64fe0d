"""Edit distances between segmentations: the boundary edit distance and the generalised Hamming distance.

The boundary edits that make two segmentations equal are additions, short moves (transpositions) and type changes
(substitutions). The generalised Hamming distance is the lowest cost of inserting, deleting and shifting boundaries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import SpecError, UnknownName, quoted
from accord.core.result import Score
from accord.core.typed import is_number
from accord.data.model.labels import Categories
from accord.data.model.segmentations import Segmentations, ranges
from accord.measures.segmentations.comparisons import PairsCompared, SegmentationMeasure

WEIGHTS = ("scaled", "unit", "te")
MATCHINGS = ("optimal", "greedy")
_LARGEST_TABLE = 2**62
_NO_COST = np.zeros(0, dtype=np.int64)
COUNTS = ("additions", "only_first", "transpositions", "transposed", "substitutions", "substituted", "matches")
SUBSTITUTIONS = ("auto", "scaled", "unit")
TYPES = ("all", "pair")
_AT_ONCE = 1 << 20  # boundaries processed together
_LARGEST = 2**61  # largest position
LONGEST_TE = 20  # for larger n_t all long transpositions cost 2
_LARGEST_N_T = 100_000  # the search for near misses visits every distance below n_t
NORMALISED = {"edits": "all boundaries deleted and inserted", "segments": "all segments deleted and inserted"}


@dataclass(frozen=True, eq=False)
class Prices:
    """Costs of edits: 1 per addition, by distance for transpositions, by type distance for substitutions."""

    n_t: int
    weight: str
    worth: Ints  # a number for each type
    span: int | None  # range of the types' numbers; None: every substitution costs 1

    @cached_property
    def transpositions(self) -> tuple[Ints, int]:
        """Return w_t by distance (0 is no transposition), as integers over a common denominator."""
        distance = np.arange(self.n_t, dtype=np.int64)
        if self.weight == "scaled":
            return distance, self.n_t
        if self.weight == "unit":
            return np.ones_like(distance), 1
        below = 2 ** max(self.n_t - 2, 0)
        return 2 * below - below // 2 ** np.maximum(distance - 1, 0), below

    def of_transpositions(self, distance: Ints) -> tuple[Ints, int]:
        """Return the cost of each transposition, as an integer over a common denominator, so that sums are exact."""
        above, below = self.transpositions
        return above[distance], below

    def of_substitutions(self, one: Ints, other: Ints) -> tuple[Ints, int]:
        if self.span is None:
            return np.ones(len(one), dtype=np.int64), 1
        return np.abs(self.worth[one] - self.worth[other]), self.span

    @property
    def crossing_may_pay(self) -> bool:
        """Return whether one long and one short transposition may cost less than two of middle length."""
        return self.weight == "te" and self.n_t > 2

    def gains(self, boundaries: int) -> tuple[Ints, int | None, int]:
        """Return the savings over two additions: of a transposition by distance, of a substitution by difference.

        The savings are integers, so that costs compare exactly. Of two solutions with the same cost, the one with fewer
        edits wins.
        """
        above, below = self.transpositions
        span = self.span or 1
        scale = below * span
        first = boundaries + 1 if 2 * scale * (boundaries + 1) ** 2 < _LARGEST_TABLE else 1
        by_distance = (2 * scale - above * span) * first + 1
        return by_distance, None if self.span is None else scale * first // span, 2 * scale * first + 1


@dataclass(frozen=True, eq=False)
class Edits:
    """Boundaries of only one of two segmentations, with the partner of each; −1: an addition or deletion."""

    position: Ints
    label: Ints
    from_first: NDArray[np.bool_]
    mate: Ints
    matched: Ints  # positions of the boundaries in both segmentations
    prices: Prices

    @property
    def matches(self) -> int:
        return len(self.matched)

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints]:
        first = np.flatnonzero(self.from_first & (self.mate >= 0))
        return first, self.mate[first]

    @cached_property
    def _moved(self) -> NDArray[np.bool_]:
        first, second = self._pairs
        return self.position[first] != self.position[second]

    @property
    def transpositions(self) -> list[tuple[int, int, int]]:
        """Return position in the first, position in the second, and type of each transposition."""
        first, second = (side[self._moved] for side in self._pairs)
        columns = self.position[first], self.position[second], self.label[first]
        return list(zip(*(c.tolist() for c in columns), strict=True))

    @property
    def substitutions(self) -> list[tuple[int, int, int]]:
        """Return position, type in the first, and type in the second of each substitution."""
        first, second = (side[~self._moved] for side in self._pairs)
        columns = self.position[first], self.label[first], self.label[second]
        return list(zip(*(c.tolist() for c in columns), strict=True))

    @property
    def additions(self) -> list[tuple[int, int, bool]]:
        """Return position, type, and whether the first segmentation has it, of each addition."""
        alone = self.mate < 0
        columns = self.position[alone], self.label[alone], self.from_first[alone]
        return list(zip(*(c.tolist() for c in columns), strict=True))

    def counts(self, stride: int | None = None, n: int = 1) -> dict[str, Floats]:
        """Return the number and cost of each kind of edit, per text; texts are `stride` positions apart."""
        first, second = self._pairs
        moved, alone = self._moved, self.mate < 0
        far = np.abs(self.position[first[moved]] - self.position[second[moved]])
        other = self.label[first[~moved]], self.label[second[~moved]]

        def each(position: Ints, cost: tuple[Ints, int] = (_NO_COST, 1)) -> Floats:
            text = position // stride if stride else np.zeros(len(position), dtype=np.int64)
            weights = None if cost[0] is _NO_COST else cost[0]
            return np.bincount(text, weights=weights, minlength=n).astype(np.float64) / cost[1]

        return {
            "additions": each(self.position[alone]),
            "only_first": each(self.position[alone & self.from_first]),
            "transpositions": each(self.position[first[moved]]),
            "transposed": each(self.position[first[moved]], self.prices.of_transpositions(far)),
            "substitutions": each(self.position[first[~moved]]),
            "substituted": each(self.position[first[~moved]], self.prices.of_substitutions(*other)),
            "matches": each(self.matched),
        }


def edits(first: tuple[Ints, Ints], second: tuple[Ints, Ints], prices: Prices, matching: str = "optimal") -> Edits:
    """Return the edits between two segmentations, given as positions and types, sorted by position, then type."""
    types = len(prices.worth)
    keys = [position * types + label for position, label in (first, second)]
    only = [_without(keys[0], keys[1]), _without(keys[1], keys[0])]
    key = np.concatenate(only)
    order = np.argsort(key, kind="stable")
    position, label = np.divmod(key[order], types)
    from_first = order < len(only[0])
    if matching == "optimal":
        mate = _optimal(position, label, from_first, prices)
    else:
        mate = _greedy(position, label, from_first, prices)
    return Edits(position, label, from_first, mate, _without(keys[0], only[0]) // types, prices)


def _without(keys: Ints, others: Ints) -> Ints:
    """Return the sorted keys that are not among the others."""
    if not len(others):
        return keys
    at = np.minimum(np.searchsorted(others, keys), len(others) - 1)
    return keys[others[at] != keys]


def _optimal(position: Ints, label: Ints, from_first: NDArray[np.bool_], prices: Prices) -> Ints:
    """Return the cheapest edits.

    Different types can only be paired at the same position, so most boundaries are paired separately for each type, in
    order.
    """
    from accord.measures.segmentations.kernels import best_in_order

    mate = np.full(len(position), -1, dtype=np.int64)
    by_distance, _, _ = prices.gains(len(position))
    hard = _entangled(position, from_first, prices)
    if hard.any():
        at = np.flatnonzero(hard)
        found = _assigned(position[at], label[at], from_first[at], prices, len(position))
        mate[at] = np.where(found < 0, -1, at[found])
    # Place types on one line, too far apart to be paired.
    stride = int(position[-1]) + 2 * prices.n_t if len(position) else 1
    line = label * stride + position
    order = np.argsort(line, kind="stable")
    easy = order[~hard[order]]
    first, second = easy[from_first[easy]], easy[~from_first[easy]]
    in_order = best_in_order.for_work(len(first) * min(len(second), len(by_distance)))
    partner = in_order(line[first], line[second], by_distance)
    paired = partner >= 0
    mate[first[paired]] = second[partner[paired]]
    mate[second[partner[paired]]] = first[paired]
    return mate


def _entangled(position: Ints, from_first: NDArray[np.bool_], prices: Prices) -> NDArray[np.bool_]:
    """Return which boundaries cannot be paired separately by type, in order: those near a possible substitution."""
    if prices.crossing_may_pay:
        return np.ones(len(position), dtype=bool)
    none = np.zeros(len(position), dtype=bool)
    if len(prices.worth) < 2 or not len(position):
        return none
    same = np.diff(position) == 0
    group = np.concatenate([[0], np.cumsum(~same)])
    firsts = np.bincount(group, weights=from_first)
    meet = (firsts > 0) & (firsts < np.bincount(group))
    if not meet.any():
        return none
    cluster = np.concatenate([[0], np.cumsum(np.diff(position) >= prices.n_t)])
    near = np.zeros(int(cluster[-1]) + 1, dtype=bool)
    near[cluster[meet[group]]] = True
    return near[cluster]


def _assigned(position: Ints, label: Ints, from_first: NDArray[np.bool_], prices: Prices, boundaries: int) -> Ints:
    """Return the cheapest edits by a sparse assignment with an edge for each possible transposition or substitution."""
    from accord.measures.alignment.matching import best_matching

    first, second = np.flatnonzero(from_first), np.flatnonzero(~from_first)
    low = np.searchsorted(position[second], position[first] - prices.n_t, side="right")
    high = np.searchsorted(position[second], position[first] + prices.n_t, side="left")
    low = np.minimum(low, np.searchsorted(position[second], position[first]))  # n_t = 1: the position itself
    high = np.maximum(high, np.searchsorted(position[second], position[first], side="right"))
    a, b = np.repeat(np.arange(len(first)), high - low), ranges(low, high - low)
    distance = np.abs(position[first[a]] - position[second[b]])
    one, other = label[first[a]], label[second[b]]
    possible = (distance == 0) != (one == other)
    a, b, distance, one, other = (column[possible] for column in (a, b, distance, one, other))
    by_distance, by_difference, most = prices.gains(boundaries)
    cost = np.abs(prices.worth[one] - prices.worth[other]) * by_difference if by_difference is not None else most // 2
    gain = np.where(distance > 0, by_distance[distance], most - cost).astype(np.float64)
    starts = np.searchsorted(a, np.arange(len(first) + 1))
    edge = np.asarray(best_matching.for_work(len(b) * len(first))(starts, b, gain, len(second))[0])
    mate = np.full(len(position), -1, dtype=np.int64)
    paired = np.flatnonzero(edge >= 0)
    mate[first[paired]] = second[b[edge[paired]]]
    mate[second[b[edge[paired]]]] = first[paired]
    return mate


def _greedy(position: Ints, label: Ints, from_first: NDArray[np.bool_], prices: Prices) -> Ints:
    """Match like segeval: transpositions first, shortest first; then substitutions of the closest types."""
    from scipy.optimize import linear_sum_assignment

    from accord.measures.segmentations.kernels import greedy_transpositions

    greedy = greedy_transpositions.for_work(len(position) * prices.n_t)
    mate = np.asarray(greedy(position, label, from_first, len(prices.worth), prices.n_t))
    left = np.flatnonzero(mate < 0)
    if len(prices.worth) < 2 or not len(left):
        return mate
    for here in np.split(left, np.flatnonzero(np.diff(position[left])) + 1):
        one, other = here[from_first[here]], here[~from_first[here]]
        if len(one) and len(other):
            apart = np.abs(prices.worth[label[one]][:, None] - prices.worth[label[other]][None, :])
            rows, columns = linear_sum_assignment(apart)
            mate[one[rows]], mate[other[columns]] = other[columns], one[rows]
    return mate


# -- the boundary edit distance ------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class EditMeasure(SegmentationMeasure):
    """A measure on boundary edits. Boundaries up to n_t − 1 positions apart are near misses: transpositions."""

    n_t: int = 2
    weight: str = "scaled"
    substitution: str = "auto"
    matching: str = "optimal"
    types: str = "all"

    symmetric: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.n_t, bool) or not isinstance(self.n_t, int) or self.n_t < 1:
            raise SpecError(
                "measure-option",
                f"{self.name}: n_t must be a whole number from 1 (no near misses), not {quoted(self.n_t)}",
            )
        if self.n_t > _LARGEST_N_T:
            raise SpecError(
                "measure-option",
                f"{self.name}: n_t must be at most {_LARGEST_N_T:,}; boundaries further apart are not near misses",
            )
        choices = {"weight": WEIGHTS, "substitution": SUBSTITUTIONS, "matching": MATCHINGS, "types": TYPES}
        for field, known in choices.items():
            if getattr(self, field) not in known:
                raise UnknownName(field, str(getattr(self, field)), known)
        if self.weight == "te" and self.n_t > LONGEST_TE:
            raise SpecError(
                "measure-option",
                f"{self.name}: with weight=te, n_t must be at most {LONGEST_TE}; longer transpositions all cost 2",
            )

    @property
    def uses_types(self) -> bool:
        return True

    def prices(self, categories: Categories, used: Ints | None = None) -> Prices:
        """Return the costs for all types of the data, or for the types that a pair uses."""
        numbers = categories.values
        whole = categories.numeric and bool((numbers % 1 == 0).all())
        worth = (numbers if whole else categories.ranks).astype(np.int64)
        scaled = self.substitution == "scaled" or (self.substitution == "auto" and (whole or categories.declared))
        among = worth if used is None else worth[used]
        span = int(among.max() - among.min()) + 1 if scaled and len(among) else None
        return Prices(self.n_t, self.weight, worth, span)

    def compare(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        table = self._table(found, run)
        cost = table["additions"] + table["transposed"] + table["substituted"]
        return {**table, "cost": cost, **self.parts_of(table, cost)}

    def parts_of(self, table: dict[str, Floats], cost: Floats) -> dict[str, Floats]:
        """Return `numerator` and `denominator`."""
        raise NotImplementedError

    def _table(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        """Return the edit counts of every comparison; measures with the same options share them."""
        key = (self.n_t, self.weight, self.substitution, self.matching, self.types, self.reference)
        return found.data.memo.once(("edits", key), lambda: self._counted(found, run))

    def _counted(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        data, n = found.data, len(found)
        sizes = np.diff(data.offsets)
        table = {name: np.zeros(n) for name in (*COUNTS, "types")}
        # Texts are placed side by side, too far apart for an edit between them.
        stride = int(data.lengths.max()) + 2 * self.n_t
        texts = 1 if self.types == "pair" else max(1, _LARGEST // (stride * len(data.categories)))
        for chunk in _chunks(sizes[found.first] + sizes[found.second], texts):
            run.progress("boundary edits", chunk.start, n)
            one, other = (_beside(data, rows[chunk], stride) for rows in (found.first, found.second))
            used = np.union1d(one[1], other[1]) if self.types == "pair" else None
            made = edits(one, other, self.prices(data.categories, used), self.matching)
            for name, count in made.counts(stride, chunk.stop - chunk.start).items():
                table[name][chunk] = count
            table["types"][chunk] = len(data.categories) if used is None else len(used)
        run.progress("boundary edits", n, n)
        places = data.potential_boundaries[data.doc[found.first]] * table["types"]
        size_1, size_2 = (sizes[rows].astype(np.float64) for rows in (found.first, found.second))
        return table | {"places": places, "size_1": size_1, "size_2": size_2}

    def explain(self, evidence: PairsCompared, score: Score) -> dict[str, Any]:
        counts = {f"{name}_per_comparison": evidence.mean(name) for name in ("matches", "additions", "transpositions")}
        if len(evidence.data.categories) > 1:
            counts["substitutions_per_comparison"] = evidence.mean("substitutions")
        return super().explain(evidence, score) | counts


@dataclass(frozen=True, repr=False)
class BoundaryEditDistance(EditMeasure):
    """Fournier 2013. Total cost of the edits: additions and deletions, near misses, type substitutions."""

    name: ClassVar[str] = "boundary_edit_distance"
    aliases: ClassVar[tuple[str, ...]] = ("bed",)
    title: ClassVar[str] = "Boundary edit distance"
    source: ClassVar[str] = "Fournier 2013"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pooled:
            raise SpecError(
                "measure-option",
                f"{self.name}: pooled=true is not possible, because a cost has no denominator; use boundary_similarity",
            )

    def parts_of(self, table: dict[str, Floats], cost: Floats) -> dict[str, Floats]:  # noqa: ARG002
        return {"numerator": cost, "denominator": np.ones_like(cost)}

    def explain(self, evidence: PairsCompared, score: Score) -> dict[str, Any]:
        facts = super().explain(evidence, score)
        return facts | self._found(evidence) if self.reference is not None else facts

    def _found(self, evidence: PairsCompared) -> dict[str, float | None]:
        """Return precision, recall and F1 against the reference; a near miss of weight w counts 1 − w."""
        near = evidence.total("transpositions") - evidence.total("transposed")
        found = evidence.total("matches") + near
        missed, wrong = evidence.total("only_first"), evidence.total("additions") - evidence.total("only_first")
        confused = evidence.total("substitutions")
        claimed, real = found + wrong + confused, found + missed + confused
        return {
            "precision": found / claimed if claimed else None,
            "recall": found / real if real else None,
            "f1": 2 * found / (claimed + real) if claimed + real else None,
        }


def _beside(data: Segmentations, rows: Ints, stride: int) -> tuple[Ints, Ints]:
    """Return the boundaries of several segmentations on one line, and their types."""
    counts = data.offsets[rows + 1] - data.offsets[rows]
    at = ranges(data.offsets[rows], counts)
    return data.position[at] + np.repeat(np.arange(len(rows)) * stride, counts), data.label[at].astype(np.int64)


def _chunks(sizes: Ints, texts: int) -> Iterator[slice]:
    """Yield batches of comparisons with a limited number of boundaries and texts."""
    before, start = np.concatenate([[0], np.cumsum(sizes)]), 0
    while start < len(sizes):
        stop = int(np.searchsorted(before, before[start] + _AT_ONCE, side="right")) - 1
        stop = max(min(stop, start + texts), start + 1)
        yield slice(start, stop)
        start = stop


# -- the generalised Hamming distance ------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class GeneralisedHamming(SegmentationMeasure):
    """Bookstein, Kulyukin & Raita 2002. Lowest cost of inserting, deleting and shifting boundaries."""

    insertion: float = 2.0
    deletion: float = 2.0
    shift: float = 1.0
    normalised: bool | str = False  # true means edits
    limit: float | None = None

    name: ClassVar[str] = "ghd"
    symbol: ClassVar[str] = "GHD"
    aliases: ClassVar[tuple[str, ...]] = ("generalised_hamming", "generalized_hamming_distance")
    title: ClassVar[str] = "Generalised Hamming distance"
    source: ClassVar[str] = "Bookstein, Kulyukin & Raita 2002"

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in ("insertion", "deletion", "shift"):
            value = getattr(self, field)
            if not is_number(value) or value < 0:
                raise SpecError("measure-option", f"{self.name}: {field} must be a number from 0, not {quoted(value)}")
        if not isinstance(self.normalised, bool) and str(self.normalised) not in NORMALISED:
            raise UnknownName("way to normalise ghd", str(self.normalised), (*NORMALISED, "true", "false"))
        if self.limit is not None:
            self._check_limit()
        elif self.normalised and not self.insertion + self.deletion > 0:
            raise SpecError(
                "measure-option",
                f"{self.name}: insertion=0 and deletion=0 leave no denominator; raise one, or set normalised=false",
            )
        if self.pooled and not self.normalised:
            raise SpecError("measure-option", f"{self.name}: pooled=true needs a denominator; add normalised=true")

    def _check_limit(self) -> None:
        if not is_number(self.limit) or not self.limit > 0:
            raise SpecError(
                "measure-option",
                f"{self.name}: limit must be a number above 0, in mean segment lengths, such as 0.5; "
                f"not {quoted(self.limit)}",
            )
        if (self.insertion, self.deletion) != (type(self).insertion, type(self).deletion):
            raise SpecError(
                "measure-option",
                f"{self.name}: limit sets the costs of insertion and deletion; remove these two, or remove limit",
            )
        if not self.shift > 0:
            raise SpecError(
                "measure-option",
                f"{self.name}: limit has no effect with shift=0, because shifts are free; give a shift above 0",
            )

    def compare(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        from accord.measures.segmentations.kernels import shift_cost

        data = found.data.untyped
        sizes = np.diff(data.offsets).astype(np.float64)
        of_first, of_second = sizes[found.first], sizes[found.second]
        insertion, deletion = (np.full(len(found), float(c)) for c in (self.insertion, self.deletion))
        if self.limit is not None:
            # A shift of this length costs as much as a deletion and an insertion.
            mean_segment = 2 * data.lengths[found.docs][found.doc] / (of_first + of_second + 2)
            insertion = deletion = self.shift * self.limit * mean_segment / 2
        cost = np.zeros(len(found))
        for at, (a, b) in enumerate(zip(found.first.tolist(), found.second.tolist(), strict=True)):
            run.progress(self.name, at, len(found))
            # Turn the other segmentation into the reference. Common boundaries cost nothing and are removed, to avoid
            # rounding.
            wanted, there = data.positions_of(a), data.positions_of(b)
            missing = np.setdiff1d(wanted, there, assume_unique=True)
            extra = np.setdiff1d(there, wanted, assume_unique=True)
            costs = float(deletion[at]), float(insertion[at]), float(self.shift)
            cost[at] = shift_cost.for_work(10 * (len(extra) + len(missing)))(extra, missing, *costs)
        run.progress(self.name, len(found), len(found))
        if not self.normalised:
            return {"numerator": cost, "denominator": np.ones(len(found))}
        more = 1 if self.normalised == "segments" else 0  # a text has one more segment than boundaries
        return {"numerator": cost, "denominator": (of_first + more) * insertion + (of_second + more) * deletion}

    def explain(self, evidence: PairsCompared, score: Score) -> dict[str, Any]:
        by = NORMALISED["edits" if self.normalised is True else str(self.normalised)] if self.normalised else None
        return super().explain(evidence, score) | {"normalised_by": by}
