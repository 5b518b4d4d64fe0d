"""κ_d and α_d: a coefficient on items over the atoms of the continuum, with gaps as a separate category.

Atoms are not enumerated: segments with constant labels are weighted by their length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.result import Parts, Score
from accord.core.spec import build, parse
from accord.data.model.ratings import Ratings
from accord.measures.distances import Nominal
from accord.measures.distances.spaces import sums_by
from accord.measures.items.coefficients import COEFFICIENTS, CohenKappa, KrippendorffAlpha
from accord.measures.items.evidence import ItemEvidence
from accord.measures.items.item_measure import ItemMeasure
from accord.measures.resampling import Sampled, by_kind
from accord.measures.units.aligned import UnitMeasure
from accord.measures.units.timeline import LineEvidence, Timeline, check_grid, grid_facts, merge_distinct, timeline

GAP = "(gap)"
_MOST_CELLS = 500_000_000  # annotators × segments


@dataclass(frozen=True, eq=False)
class AtomEvidence(LineEvidence):
    """Distinct rows of labels of atoms, with the number of atoms."""

    items: ItemEvidence


def stretches(line: Timeline) -> tuple[NDArray[np.int32], Floats, Ints]:
    """Return labels (one column per annotator, -1: not annotated), length and document of homogeneous segments."""
    borders = np.concatenate([[0], np.cumsum(line.lengths)])
    sides = [side[line.of(a)] for a in range(line.judged.shape[1]) for side in (line.start, line.end)]
    cuts = merge_distinct([*sides, borders])
    left, length = cuts[:-1], np.diff(cuts).astype(np.float64)
    m, gap = line.judged.shape[1], len(line.names)
    if m * len(left) > _MOST_CELLS:
        raise DataError(
            "too-large-to-compute",
            f"{m:,} annotators and {len(left):,} segments are too many; choose some annotators with --annotators",
        )
    doc = np.searchsorted(borders, left, side="right") - 1
    rows = np.empty((len(left), m), dtype=np.int32)
    for a in range(m):
        unit = line._at(line.of(a), left)
        rows[:, a] = np.where(line.judged[doc, a], np.where(unit >= 0, np.append(line.label, gap)[unit], gap), -1)
    return rows, length, doc


def rows_that_differ(rows: NDArray[np.int32], most: int) -> tuple[Ints, Ints]:
    """Return the distinct rows, and the distinct row of each row; label codes are at most `most`."""
    m = rows.shape[1]
    key, bits = np.zeros(len(rows), dtype=np.int64), 63
    if m * math.log2(most + 2) < bits:
        for a in range(m):
            key = key * (most + 2) + rows[:, a] + 1
        _, first, at = np.unique(key, return_index=True, return_inverse=True)
        return rows[first].astype(np.int64), at
    different, at = np.unique(rows, axis=0, return_inverse=True)
    return different.astype(np.int64), at.ravel()


def atoms(line: Timeline) -> tuple[Ints, Floats]:
    """Return the distinct rows of labels, and the total length of segments with each."""
    rows, length, _ = stretches(line)
    different, at = rows_that_differ(rows, len(line.names))
    return different, sums_by(at, length, len(different))


@dataclass(frozen=True, repr=False)
class Discretised(UnitMeasure):
    """A coefficient over atoms; subclasses define the default coefficient."""

    atom: float | None = None
    overlaps: str = "error"
    coefficient: str | None = None  # replaces the default coefficient

    usual: ClassVar[ItemMeasure]

    def __post_init__(self) -> None:
        check_grid(self.name, self.atom, self.overlaps, what="atom")
        if self.coefficient is not None:
            object.__setattr__(self, "coefficient", str(self.coefficient))
            self._over_atoms  # noqa: B018 - raises for an unknown name

    @property
    def _over_atoms(self) -> ItemMeasure:
        return self.usual if self.coefficient is None else build("coefficient", parse(self.coefficient), COEFFICIENTS)

    def observe(self, data: Any, run: Run) -> AtomEvidence:  # noqa: ARG002
        line = timeline(data, self.name, self.atom, self.overlaps)
        rows, times = atoms(line)
        entry = np.nonzero(rows >= 0)
        names = (*line.names, GAP)
        declared = names if (rows == len(line.names)).any() else line.names  # the gap category exists if a gap occurs
        ratings = Ratings.assemble(
            item=entry[0].astype(np.int32),
            items=tuple(str(k + 1) for k in range(len(rows))),
            annotator=entry[1].astype(np.int32),
            annotators=line.corpus.annotators,
            label=rows[entry],
            labels=names,
            categories=declared,
        )
        return AtomEvidence(line, ItemEvidence(ratings, ratings, times, Nominal()))

    def estimate(self, evidence: AtomEvidence) -> Score:
        found = self._over_atoms.estimate(evidence.items)
        parts = Parts(("category", "annotator", "pair"), partial(self._over_atoms.breakdown, evidence.items))
        empty = evidence.line.nothing_left
        return Score(
            math.nan if empty else found.value,
            str(self),
            observed=found.observed,
            expected=found.expected,
            n=len(evidence.line.docs),
            parts=parts,
            undefined=empty or found.undefined,
        )

    def sampled(self, evidence: AtomEvidence, run: Run, named: bool = True) -> Sampled:  # noqa: ARG002
        """Return documents by the length of each row of labels; the rows are the same for all documents."""
        line = evidence.line
        rows, length, doc = stretches(line)
        different, at = rows_that_differ(rows, len(line.names))

        def value(often: Floats) -> float:
            return self.value_of(replace(evidence, items=evidence.items.weighted(often)))

        values = by_kind(doc, at, length, len(different), value)
        return Sampled(evidence.names, np.ones(len(line.docs)), values, by_draw=True)

    def explain(self, evidence: AtomEvidence, score: Score) -> dict[str, Any]:
        facts = self._over_atoms.explain(evidence.items, score)
        wanted = ("distance", "observed_disagreement", "expected_disagreement", "matrix")
        of_atoms = {key: value for key, value in facts.items() if key in wanted}
        return {**grid_facts(evidence.line), "atoms": int(evidence.items.times.sum()), **of_atoms}


@dataclass(frozen=True, repr=False)
class KappaD(Discretised):
    """Reidsma 2006; Mathet et al. 2015, 3.4.1. Cohen's κ, or its generalisation to more annotators, over atoms."""

    name: ClassVar[str] = "kappa_d"
    symbol: ClassVar[str] = "κ_d"
    title: ClassVar[str] = "κ_d, κ over the atoms of the continuum"
    source: ClassVar[str] = "Reidsma 2006; Mathet et al. 2015, 3.4.1"
    usual: ClassVar[ItemMeasure] = CohenKappa()


@dataclass(frozen=True, repr=False)
class AlphaD(Discretised):
    """Mathet et al. 2015, 3.4.1. Krippendorff's α over atoms."""

    name: ClassVar[str] = "alpha_d"
    symbol: ClassVar[str] = "α_d"
    title: ClassVar[str] = "α_d, α over the atoms of the continuum"
    source: ClassVar[str] = "Mathet et al. 2015, 3.4.1"
    usual: ClassVar[ItemMeasure] = KrippendorffAlpha()
