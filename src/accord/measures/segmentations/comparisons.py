"""Shared parts of the measures on segmentations: which pairs are compared, and how to average them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.core.result import Kind, Parts, Score
from accord.data.kinds import SEGMENTATIONS
from accord.data.model.segmentations import Segmentations
from accord.measures.measure import Measure, check_kind

PARTS = ("annotator", "pair", "document")


@dataclass(frozen=True, eq=False)
class PairsCompared:
    """Pairs of segmentations of a document, with one column per result of a measure."""

    data: Segmentations
    docs: Ints  # compared documents
    doc: Ints  # index in docs of each comparison
    first: Ints  # the reference, if a measure distinguishes one
    second: Ints
    columns: Mapping[str, Floats]
    times: Floats  # weight of each document; resampling changes it

    def __len__(self) -> int:
        return len(self.doc)

    def __getitem__(self, column: str) -> Floats:
        return self.columns[column]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the compared documents."""
        return tuple(self.data.docs[int(d)] for d in self.docs)

    @property
    def weight(self) -> Floats:
        """Return the weight of each comparison."""
        return self.times[self.doc]

    def weighted(self, times: Floats) -> PairsCompared:
        """Return the same comparisons with other document weights."""
        return replace(self, times=times)

    def at(self, chosen: Ints) -> PairsCompared:
        """Return some of the comparisons."""
        columns = {name: column[chosen] for name, column in self.columns.items()}
        return replace(
            self, doc=self.doc[chosen], first=self.first[chosen], second=self.second[chosen], columns=columns
        )

    def mean(self, column: str) -> float:
        return float(self.weight @ self[column] / self.weight.sum())

    def total(self, column: str) -> float:
        return float(self.weight @ self[column])

    def by(self, name: str, reference: str | None) -> Iterator[tuple[str, PairsCompared]]:
        """Yield the comparisons of each annotator, pair or document, with its name."""
        data = self.data
        first, second = (data.annotator[rows].astype(np.int64) for rows in (self.first, self.second))
        everything = np.arange(len(self))
        if name == "document":
            names, key, index = [data.docs[d] for d in self.docs], self.doc, everything
        elif name == "pair":
            m = len(data.annotators)
            met, key = np.unique(first * m + second, return_inverse=True)
            names = [f"{data.annotators[k // m]} – {data.annotators[k % m]}" for k in met]
            index = everything
        else:
            names = list(data.annotators)
            key, index = second, everything
            if reference is None:
                key, index = np.concatenate([first, second]), np.concatenate([everything, everything])
        order = np.argsort(key, kind="stable")
        cuts = np.searchsorted(key[order], np.arange(len(names) + 1))
        for k, (start, stop) in enumerate(pairwise(cuts)):
            if stop > start:
                yield names[k], self.at(index[order[start:stop]])


@dataclass(frozen=True, repr=False)
class SegmentationMeasure(Measure):
    """A measure of two segmentations, averaged over all comparisons.

    Each comparison has a `numerator` and a `denominator`. The value is the mean of their quotients, or with `pooled`
    the quotient of their sums. If both are 0, for example for two texts without boundaries, the segmentations agree
    perfectly.
    """

    reference: str | None = None
    pooled: bool = False

    data: ClassVar[str] = "segmentations"
    default_interval: ClassVar[str] = "bootstrap"
    lowest: ClassVar[float] = 0.0
    kind: ClassVar[Kind] = "error"
    symmetric: ClassVar[bool] = False  # otherwise each annotator of a pair is the reference once

    def __post_init__(self) -> None:
        if self.reference is not None:  # a numeric name is read as a number
            object.__setattr__(self, "reference", str(self.reference))
        if not isinstance(self.pooled, bool):
            raise SpecError("measure-option", f"{self.name}: pooled must be true or false, not {quoted(self.pooled)}")

    @property
    def perfect(self) -> float:
        return 0.0 if self.kind == "error" else 1.0

    def observe(self, data: Segmentations, run: Run) -> PairsCompared:
        check_segmentations(data, self.name)
        found = comparisons(data, self.reference, self.symmetric)
        return replace(found, columns=self.compare(found, run))

    def compare(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        """Return `numerator`, `denominator` and other reported columns for each comparison."""
        raise NotImplementedError

    def estimate(self, evidence: PairsCompared) -> Score:
        parts = Parts(PARTS, lambda by: {name: self._part(part) for name, part in evidence.by(by, self.reference)})
        if self.reference is None:
            found = self.scored(evidence)
        else:
            found = _mean(self, [self.scored(part) for _, part in evidence.by("annotator", self.reference)])
        return replace(found, n=int(evidence.times.sum()), parts=parts)

    def _part(self, evidence: PairsCompared) -> Score:
        return replace(self.scored(evidence), n=len(evidence))

    def scored(self, evidence: PairsCompared) -> Score:
        """Return the score of some comparisons."""
        value = self.quotient(evidence)
        reason = "the sample contains none of these documents" if math.isnan(value) else None
        return Score(value, str(self), kind=self.kind, undefined=reason)

    def quotient(self, evidence: PairsCompared) -> float:
        above, below, weight = evidence["numerator"], evidence["denominator"], evidence.weight
        if not weight.any():
            return math.nan
        if self.pooled:
            total = float(weight @ below)
            return float(weight @ above) / total if total > 0 else self.perfect
        each = np.divide(above, below, out=np.full(len(below), self.perfect), where=below > 0)
        return float(weight @ each / weight.sum())

    def explain(self, evidence: PairsCompared, score: Score) -> dict[str, Any]:  # noqa: ARG002
        data = evidence.data
        facts: dict[str, Any] = {
            "documents": len(data.docs),
            "documents_compared": len(evidence.docs),
            "left_out": data.left_out,
            "annotators": data.n_annotators,
            "atoms": int(data.lengths.sum()),
            "boundaries": len(data),
            "boundary_types": list(data.categories.names),
            "comparisons": len(evidence),
            "pooled": "Σ numerator / Σ denominator" if self.pooled else "mean over comparisons",
        }
        if self.reference is not None:
            facts["reference"] = self.reference
            facts["compared_with"] = [name for name, _ in evidence.by("annotator", self.reference)]
        if not self.uses_types and len(data.categories) > 1:
            facts["notes"] = [f"{self.name} ignores boundary types"]
        return facts

    @property
    def uses_types(self) -> bool:
        return False


def _mean(measure: SegmentationMeasure, scores: list[Score]) -> Score:
    """Return the mean over the other annotators, each compared with the reference."""

    def mean(numbers: list[float | None]) -> float | None:
        known = [x for x in numbers if x is not None]
        return float(np.mean(known)) if len(known) == len(numbers) else None

    return Score(
        float(np.mean([s.value for s in scores])),
        str(measure),
        observed=mean([s.observed for s in scores]),
        expected=mean([s.expected for s in scores]),
        kind=measure.kind,
        undefined=next((s.undefined for s in scores if s.undefined), None),
    )


def check_segmentations(data: Any, name: str) -> None:
    """Raise DataError if there is nothing to compare."""
    check_kind(name, SEGMENTATIONS, data)
    if data.n_annotators < 2:
        only = data.annotators[int(data.annotator[0])] if len(data.annotator) else "none"
        raise DataError(
            "annotators-needed",
            f"only one annotator ({quoted(only)}), but agreement needs at least two; extend --annotators (if "
            "given), name the column of the annotators with --annotator, or add the file of another annotator",
        )
    if not data.comparable.any():
        raise DataError(
            "nothing-shared",
            "no document with two or more atoms was segmented by two annotators; check that document names match",
        )


def comparisons(data: Segmentations, reference: str | None, symmetric: bool) -> PairsCompared:
    """Return all pairs of segmentations of a document, in both orders unless symmetric; or all with the reference."""
    docs = np.flatnonzero(data.comparable)
    who = None
    if reference is not None:
        if reference not in data.annotators:
            raise UnknownName("annotator", reference, data.annotators)
        who = data.annotators.index(reference)
    starts = np.searchsorted(data.doc, np.arange(len(data.docs) + 1))  # segmentations are sorted by document
    doc, first, second = [], [], []
    tables: dict[int, tuple[Ints, Ints]] = {}
    for place, d in enumerate(docs):
        rows = np.arange(starts[d], starts[d + 1])
        if who is not None:
            mine = rows[data.annotator[rows] == who]
            b = rows[data.annotator[rows] != who] if len(mine) else rows[:0]
            a = np.repeat(mine, len(b))
        else:
            n = len(rows)
            if n not in tables:
                one, two = np.nonzero(~np.eye(n, dtype=bool)) if not symmetric else np.triu_indices(n, 1)
                tables[n] = one, two
            a, b = rows[tables[n][0]], rows[tables[n][1]]
        doc.append(np.full(len(a), place))
        first.append(a)
        second.append(b)
    found = PairsCompared(
        data, docs, np.concatenate(doc), np.concatenate(first), np.concatenate(second), {}, np.ones(len(docs))
    )
    if not len(found):
        raise DataError(
            "nothing-shared",
            f"no other annotator segmented the documents of {quoted(reference)}; choose another reference",
        )
    used, again = np.unique(found.doc, return_inverse=True)
    return replace(found, docs=docs[used], doc=again, times=np.ones(len(used)))
