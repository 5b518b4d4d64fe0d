"""Boundary edit distance: the cost of making two segmentations the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import SpecError, UnknownName, quoted
from accord.core.result import Score
from accord.data.model.boundaries import ranges
from accord.data.model.labels import Categories
from accord.data.model.segmentations import Segmentations
from accord.measures.segmentations.base import PairsCompared, SegmentationMeasure
from accord.measures.segmentations.boundary_edits import COUNTS, MATCHINGS, WEIGHTS, Prices, edits

SUBSTITUTIONS = ("auto", "scaled", "unit")
TYPES = ("all", "pair")
_AT_ONCE = 1 << 20  # boundaries
_LARGEST = 2**61  # a position
_LONGEST_TE = 20  # beyond, te is 2 and nothing else
_LARGEST_N_T = 100_000  # near misses are looked for at every distance below


@dataclass(frozen=True, repr=False)
class EditMeasure(SegmentationMeasure):
    """A measure made of boundary edits. Boundaries up to n_t − 1 positions apart are near misses: transpositions."""

    n_t: int = 2
    weight: str = "scaled"
    substitution: str = "auto"
    matching: str = "optimal"
    types: str = "all"

    symmetric: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.n_t, bool) or not isinstance(self.n_t, int) or self.n_t < 1:
            raise SpecError(f"{self.name}: n_t is a whole number, 1 (no near misses) at least, not {quoted(self.n_t)}")
        if self.n_t > _LARGEST_N_T:
            raise SpecError(
                f"{self.name}: n_t is {_LARGEST_N_T:,} at most: boundaries further apart are no near misses"
            )
        choices = {"weight": WEIGHTS, "substitution": SUBSTITUTIONS, "matching": MATCHINGS, "types": TYPES}
        for field, known in choices.items():
            if getattr(self, field) not in known:
                raise UnknownName(field, str(getattr(self, field)), known)
        if self.weight == "te" and self.n_t > _LONGEST_TE:
            raise SpecError(f"{self.name}: with weight=te n_t is {_LONGEST_TE} at most: longer ones cost 2 anyway")

    @property
    def uses_types(self) -> bool:
        return True

    def prices(self, categories: Categories, used: Ints | None = None) -> Prices:
        """For all types of the data, or those that a pair uses."""
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
        """`numerator` and `denominator`."""
        raise NotImplementedError

    def _table(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        """The edits of every comparison, counted; measures with the same options share them."""
        key = (self.n_t, self.weight, self.substitution, self.matching, self.types, self.reference)
        return found.data.memo.once(("edits", key), lambda: self._counted(found, run))

    def _counted(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        data, n = found.data, len(found)
        sizes = np.diff(data.offsets)
        table = {name: np.zeros(n) for name in (*COUNTS, "types")}
        # Texts side by side, too far apart for an edit from one to the next.
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
    """Fournier 2013. The cost of the edits: additions and deletions, near misses, substitutions of types."""

    name: ClassVar[str] = "boundary_edit_distance"
    aliases: ClassVar[tuple[str, ...]] = ("bed",)
    title: ClassVar[str] = "Boundary edit distance"
    source: ClassVar[str] = "Fournier 2013"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pooled:
            raise SpecError(f"{self.name}: a cost has no denominator to pool; boundary_similarity has one")

    def parts_of(self, table: dict[str, Floats], cost: Floats) -> dict[str, Floats]:  # noqa: ARG002
        return {"numerator": cost, "denominator": np.ones_like(cost)}

    def explain(self, evidence: PairsCompared, score: Score) -> dict[str, Any]:
        facts = super().explain(evidence, score)
        return facts | self._found(evidence) if self.reference is not None else facts

    def _found(self, evidence: PairsCompared) -> dict[str, float | None]:
        """Precision, recall and F of the boundaries against the reference; a near miss of weight w counts 1 − w."""
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
    """The boundaries of several segmentations on one line, and their types."""
    counts = data.offsets[rows + 1] - data.offsets[rows]
    at = ranges(data.offsets[rows], counts)
    return data.position[at] + np.repeat(np.arange(len(rows)) * stride, counts), data.label[at].astype(np.int64)


def _chunks(sizes: Ints, texts: int) -> Iterator[slice]:
    """PairsCompared that can be made at once: not too many boundaries, not too many texts, one at least."""
    before, start = np.concatenate([[0], np.cumsum(sizes)]), 0
    while start < len(sizes):
        stop = int(np.searchsorted(before, before[start] + _AT_ONCE, side="right")) - 1
        stop = max(min(stop, start + texts), start + 1)
        yield slice(start, stop)
        start = stop
