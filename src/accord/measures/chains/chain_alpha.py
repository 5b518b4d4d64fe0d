"""Krippendorff's α on chains: on mentions labelled by their chains, and on pairs of mentions, linked or not."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import UnknownName
from accord.core.result import Parts, Score, chance_corrected
from accord.data.model.chains import Chains
from accord.measures.chains.coreference import (
    PARTS,
    Crossed,
    DocumentChains,
    check_chains,
    documents,
    facts_about,
    pairs_in,
)
from accord.measures.distances.sets import FORMS_OF_MASI, Dice, Jaccard, Masi, MasiNltk, Passonneau
from accord.measures.distances.spaces import sums_by
from accord.measures.measure import Measure
from accord.measures.resampling import Values

Between = Callable[[Floats, Floats, Floats], Floats]


def _nominal(both: Floats, a: Floats, b: Floats) -> Floats:
    return np.where((both == a) & (both == b), 0.0, 1.0)


# Distances between sets with a common mention, from the sizes of the intersection and of both sets. Disjoint sets have
# distance 1.
DISTANCES: dict[str, Between] = {
    **{one.name: one.between for one in (Passonneau, Jaccard, Dice, Masi, MasiNltk)},
    "nominal": _nominal,
}
UNMARKED = ("differs", "singleton", "absent")
_ALONE = (
    "an unmarked mention is a chain of its own, by d_P (Artstein & Poesio 2008), not at distance 1 from every chain"
)
_APART = "an unmarked mention is at distance 1 from every chain, not a chain of its own"
_LEFT_OUT = "an unmarked mention is a chain of its own, by d_P (Artstein & Poesio 2008), instead of left out"


@dataclass(frozen=True, eq=False)
class ByDocument:
    """Sums of each document that determine both disagreements."""

    data: Chains
    docs: Ints
    sums: Floats  # a row per document
    times: Floats

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.data.docs[int(d)] for d in self.docs)

    def weighted(self, times: Floats) -> ByDocument:
        return replace(self, times=times)


@dataclass(frozen=True, repr=False)
class ChanceCorrectedChains(Measure):
    """1 − D_o/D_e from sums over documents."""

    data: ClassVar[str] = "chains"
    default_interval: ClassVar[str] = "bootstrap"

    def of_document(self, doc: DocumentChains) -> tuple[float, float, float]:
        """Return the summed terms: observed disagreement, the chance term, and the number of labels."""
        raise NotImplementedError

    def disagreements(self, sums: Floats) -> tuple[Floats, Floats]:
        """Return D_o and D_e for sums on the last axis; NaN if there are no labels."""
        raise NotImplementedError

    def observe(self, data: Chains, run: Run) -> ByDocument:  # noqa: ARG002
        check_chains(data, self.name)
        found = documents(data)
        sums = np.array([self.of_document(doc) for doc in found], dtype=np.float64)
        return ByDocument(data, np.array([doc.index for doc in found]), sums, np.ones(len(found)))

    def estimate(self, evidence: ByDocument) -> Score:
        score = self._scored(evidence.times @ evidence.sums)
        return replace(score, n=int(evidence.times.sum()), parts=Parts(PARTS, lambda by: self._parts(evidence, by)))

    def _scored(self, sums: Floats) -> Score:
        with np.errstate(invalid="ignore", divide="ignore"):
            observed, expected = (float(d) for d in self.disagreements(sums))
        reason = "fewer than two labels can be compared" if math.isnan(expected) else None
        return chance_corrected(str(self), observed, expected, reason=reason)

    def summed(self, evidence: ByDocument) -> Values:
        def values(times: Floats) -> Floats:
            with np.errstate(invalid="ignore", divide="ignore"):
                observed, expected = self.disagreements(times @ evidence.sums)
                quotient: Floats = np.where(expected > 0, 1.0 - observed / expected, np.nan)
            return quotient

        return values

    def _parts(self, evidence: ByDocument, by: str) -> dict[str, Score]:
        if by == "document":
            return {name: self._scored(sums) for name, sums in zip(evidence.names, evidence.sums, strict=True)}
        who = evidence.data.annotators
        seats = {doc.index: doc for doc in documents(evidence.data)}
        pairs: dict[tuple[int, int], Floats] = {}
        for d, times in zip(evidence.docs.tolist(), evidence.times, strict=True):
            for one, other in combinations(range(len(seats[d].annotators)), 2):
                two = _only(seats[d], one, other)
                sums = times * np.array(self.of_document(two))
                pair = two.annotators[0], two.annotators[1]
                pairs[pair] = pairs.get(pair, np.zeros(3)) + sums
        if by == "pair":
            return {f"{who[a]} – {who[b]}": self._scored(sums) for (a, b), sums in sorted(pairs.items())}
        return {
            who[k]: self._scored(np.sum([sums for pair, sums in pairs.items() if k in pair], axis=0))
            for k in sorted({a for pair in pairs for a in pair})
        }

    def explain(self, evidence: ByDocument, score: Score) -> dict[str, Any]:  # noqa: ARG002
        return {**facts_about(evidence.data), "documents_compared": len(evidence.docs)}


def _only(doc: DocumentChains, one: int, other: int) -> DocumentChains:
    """Return the document with two annotators only."""
    annotators, mention, chain = ((seats[one], seats[other]) for seats in (doc.annotators, doc.mention, doc.chain))
    return DocumentChains(doc.index, annotators, mention, chain)  # type: ignore[arg-type]


@dataclass(frozen=True, repr=False)
class ChainAlpha(ChanceCorrectedChains):
    """Passonneau 2004; Artstein & Poesio 2008, 4.4. Items are mentions, labelled with the sets of their chains."""

    distance: str = "passonneau"
    unmarked: str = "differs"

    name: ClassVar[str] = "chain_alpha"
    symbol: ClassVar[str] = "α of chains"
    title: ClassVar[str] = "Krippendorff's α on coreference chains"
    source: ClassVar[str] = "Passonneau 2004; Artstein & Poesio 2008"

    def __post_init__(self) -> None:
        if self.distance not in tuple(DISTANCES):
            raise UnknownName("distance between chains", str(self.distance), tuple(DISTANCES))
        if self.unmarked not in UNMARKED:
            raise UnknownName("way to take unmarked mentions", str(self.unmarked), UNMARKED)

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        ways = {"differs": ("singleton", _ALONE), "singleton": ("differs", _APART), "absent": ("singleton", _LEFT_OUT)}
        unmarked, why = ways[self.unmarked]
        found: list[tuple[Measure, str]] = [(replace(self, unmarked=unmarked), why)]
        if self.distance in FORMS_OF_MASI:
            other, why = FORMS_OF_MASI[self.distance]
            found.append((replace(self, distance=other), why))
        return tuple(found)

    def of_document(self, doc: DocumentChains) -> tuple[float, float, float]:
        """Return the distances within mentions and between all labels of the document, weighted as in α."""
        if self.unmarked == "singleton":
            doc = doc.with_all_mentions()
        names, times = np.unique(np.concatenate(doc.mention), return_counts=True)
        if self.unmarked == "differs":
            return self._with_a_label_for_nothing(doc, len(names))
        # number of annotators who marked the mention
        paired = [times[np.searchsorted(names, mention)] for mention in doc.mention]
        labels = float(times[times > 1].sum())
        if labels < 2:
            return 0.0, 0.0, 0.0
        weight = [np.bincount(chain, many > 1) for chain, many in zip(doc.chain, paired, strict=True)]
        observed, alike = 0.0, sum(float(w @ w) for w in weight)
        for one, other in combinations(range(len(doc.chain)), 2):
            cells = doc.crossed(one, other)
            far = _far(cells, DISTANCES[self.distance])
            observed += 2 * float(self._shares(doc, one, other, cells, paired[one]) @ far)
            alike += 2 * float((weight[one][cells.row] * weight[other][cells.column]) @ (1.0 - far))
        # Labels without a common mention have distance 1, so only pairs with a common mention are visited.
        return observed, (labels**2 - alike) / (labels - 1), labels

    def _with_a_label_for_nothing(self, doc: DocumentChains, mentions: int) -> tuple[float, float, float]:
        """Return the same sums if an unmarked mention gets a common extra label at distance 1 from every chain."""
        sizes = [doc.sizes(seat).astype(np.float64) for seat in range(len(doc.chain))]
        labels = float(mentions * len(sizes))
        unmarked = labels - sum(float(size.sum()) for size in sizes)
        observed, alike = 0.0, unmarked**2 + sum(float(size @ size) for size in sizes)
        for one, other in combinations(range(len(sizes)), 2):
            cells = doc.crossed(one, other)
            far = _far(cells, DISTANCES[self.distance])
            by_one = sum(cells.mentions) - 2 * float(cells.shared.sum())
            observed += 2 * (float(cells.shared @ far) + by_one) / (len(sizes) - 1)
            alike += 2 * float((sizes[one][cells.row] * sizes[other][cells.column]) @ (1.0 - far))
        return observed, (labels**2 - alike) / (labels - 1), labels

    def _shares(self, doc: DocumentChains, one: int, other: int, cells: Crossed, many: Ints) -> Floats:
        """Return the weight of the mentions of each cell: 1/(m − 1) for a mention marked by m annotators."""
        _, at, too = np.intersect1d(doc.mention[one], doc.mention[other], assume_unique=True, return_indices=True)
        width = max(len(cells.second), 1)
        key = doc.chain[one][at] * width + doc.chain[other][too]
        cell = np.searchsorted(cells.row * width + cells.column, key)
        return sums_by(cell, 1.0 / (many[at] - 1), len(cells.shared))

    def disagreements(self, sums: Floats) -> tuple[Floats, Floats]:
        return sums[..., 0] / sums[..., 2], sums[..., 1] / sums[..., 2]


def _far(cells: Crossed, distance: Between) -> Floats:
    sizes = cells.first[cells.row], cells.second[cells.column]
    a, b = (size.astype(np.float64) for size in sizes)
    return distance(cells.shared.astype(np.float64), a, b)


@dataclass(frozen=True, repr=False)
class LinkAlpha(ChanceCorrectedChains):
    """Krippendorff's nominal α. Items are all pairs of mentions of a document, labelled linked or not linked."""

    name: ClassVar[str] = "link_alpha"
    symbol: ClassVar[str] = "α of links"
    title: ClassVar[str] = "Krippendorff's α on coreference links"
    source: ClassVar[str] = "Krippendorff 2004; Artstein & Poesio 2008"

    def of_document(self, doc: DocumentChains) -> tuple[float, float, float]:
        seats = range(len(doc.chain))
        mentions = len(np.unique(np.concatenate(doc.mention)))
        links = [pairs_in(doc.sizes(seat)) for seat in seats]
        apart = sum(
            links[one] + links[other] - 2 * pairs_in(doc.crossed(one, other).shared)
            for one, other in combinations(seats, 2)
        )
        return 2 * apart / (len(seats) - 1), sum(links), len(seats) * pairs_in(np.array([mentions]))

    def disagreements(self, sums: Floats) -> tuple[Floats, Floats]:
        apart, linked, labels = (sums[..., k] for k in range(3))
        return apart / labels, 2 * linked * (labels - linked) / (labels * (labels - 1))
