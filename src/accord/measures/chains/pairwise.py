"""What the scores of coreference resolution share: chains of two annotators compared, averaged over pairs of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.core.result import Parts, Score
from accord.data.model.chains import Chains
from accord.measures.chains.crossed import Crossed, check_chains, facts_about, pairs_of
from accord.measures.measure import Measure
from accord.measures.resampling import Values

PARTS = ("annotator", "pair", "document")


@dataclass(frozen=True, eq=False)
class PairedChains:
    """A row for every two annotators of a document: the numbers that a measure sums over documents."""

    data: Chains
    docs: Ints  # of the data, that are compared
    doc: Ints  # number among them
    first: Ints
    second: Ints
    counts: Floats  # a row each, a column per number
    times: Floats  # how often each document counts

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.data.docs[int(d)] for d in self.docs)

    def weighted(self, times: Floats) -> PairedChains:
        return replace(self, times=times)

    @property
    def pair(self) -> Ints:
        """A number for who is compared."""
        return self.first * len(self.data.annotators) + self.second


@dataclass(frozen=True, repr=False)
class PairedChainMeasure(Measure):
    """An F-measure of two annotators, its counts summed over documents, and the mean over pairs of annotators."""

    reference: str | None = None
    singletons: bool = True

    data: ClassVar[str] = "chains"
    default_interval: ClassVar[str] = "bootstrap"
    lowest: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        if self.reference is not None:  # an annotator may be called 1
            object.__setattr__(self, "reference", str(self.reference))
        if not isinstance(self.singletons, bool):
            raise SpecError(f"{self.name}: singletons is true or false, not {quoted(self.singletons)}")

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        """What is summed over documents."""
        raise NotImplementedError

    def quotient(self, sums: Floats) -> Floats:
        """The value of sums, which stand on the last axis."""
        raise NotImplementedError

    def observe(self, data: Chains, run: Run) -> PairedChains:  # noqa: ARG002
        check_chains(data, self.name)
        pairs = pairs_of(data, self.singletons)
        if self.reference is not None:
            if self.reference not in data.annotators:
                raise UnknownName("annotator", self.reference, data.annotators)
            chosen = data.annotators.index(self.reference)
            pairs = [pair for pair in pairs if chosen in pair[1:3]]
            if not pairs:
                raise DataError(f"nobody else looked at the documents of {quoted(self.reference)}")
        place, first, second = (np.array([pair[k] for pair in pairs], dtype=np.int64) for k in range(3))
        counts = np.array([self.counts(crossed) for *_, crossed in pairs], dtype=np.float64)
        used, doc = np.unique(place, return_inverse=True)
        docs = np.flatnonzero(data.comparable)[used]
        return PairedChains(data, docs, doc.ravel(), first, second, counts, np.ones(len(docs)))

    def estimate(self, evidence: PairedChains) -> Score:
        value = float(self.summed(evidence)(evidence.times[None, :])[0])
        reason = "none of these documents was drawn" if math.isnan(value) else None
        parts = Parts(PARTS, lambda by: self._parts(evidence, by))
        return Score(value, str(self), n=int(evidence.times.sum()), parts=parts, undefined=reason)

    def summed(self, evidence: PairedChains) -> Values:
        pairs, at = np.unique(evidence.pair, return_inverse=True)
        docs, many, width = len(evidence.times), len(pairs), evidence.counts.shape[1]
        table = np.zeros((docs, many, width))
        np.add.at(table, (evidence.doc, at.ravel()), evidence.counts)
        met = np.zeros((docs, many))
        np.add.at(met, (evidence.doc, at.ravel()), 1.0)
        flat = table.reshape(docs, -1)

        def values(times: Floats) -> Floats:
            each = self.quotient((times @ flat).reshape(len(times), many, width))
            # A pair none of whose documents was drawn has no value: two who mark nothing would agree.
            known = times @ met > 0
            number = known.sum(axis=1)
            mean: Floats = np.divide(
                np.where(known, each, 0.0).sum(axis=1), number, out=np.full(len(times), np.nan), where=number > 0
            )
            return mean

        return values

    def _parts(self, evidence: PairedChains, by: str) -> dict[str, Score]:
        weighted = evidence.counts * evidence.times[evidence.doc][:, None]
        who, m = evidence.data.annotators, len(evidence.data.annotators)
        if by == "document":
            each = self.quotient(weighted)
            return {name: self._part(each[evidence.doc == d].mean()) for d, name in enumerate(evidence.names)}
        pairs, at = np.unique(evidence.pair, return_inverse=True)
        sums = np.zeros((len(pairs), weighted.shape[1]))
        np.add.at(sums, at.ravel(), weighted)
        values = self.quotient(sums)
        if by == "pair":
            named = (f"{who[p // m]} – {who[p % m]}" for p in pairs)
            return {name: self._part(value) for name, value in zip(named, values, strict=True)}
        sides = np.stack([pairs // m, pairs % m])
        wanted = [a for a in np.unique(sides).tolist() if who[a] != self.reference]
        return {who[a]: self._part(values[(sides == a).any(axis=0)].mean()) for a in wanted}

    def _part(self, value: float) -> Score:
        return Score(float(value), str(self))

    def explain(self, evidence: PairedChains, score: Score) -> dict[str, Any]:  # noqa: ARG002
        return {**facts_about(evidence.data), "documents_compared": len(evidence.docs)}


def harmonic(above: Floats, below: Floats) -> Floats:
    """2a / (b + c); 1 where both of two have nothing, and so agree."""
    found: Floats = np.divide(2 * above, below, out=np.ones(np.shape(below)), where=below > 0)
    return found
