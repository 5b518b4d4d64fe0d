"""The chains of two annotators crossed: how many mentions each two chains share. All measures on chains count this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from accord.core.arrays import Ints, ascending
from accord.core.errors import DataError, quoted
from accord.data.kinds import CHAINS
from accord.data.model.chains import Chains
from accord.measures.measure import check_kind


@dataclass(frozen=True, eq=False)
class Crossed:
    """Two annotators of a document: how large their chains are, and the cells in which two chains share mentions."""

    first: Ints  # mentions of each chain of the first
    second: Ints
    row: Ints  # of each cell: the chain of the first
    column: Ints
    shared: Ints  # mentions in both, 1 or more

    @property
    def mentions(self) -> tuple[float, float]:
        return float(self.first.sum()), float(self.second.sum())


@dataclass(frozen=True, eq=False)
class DocumentChains:
    """A document: who looked at it, their mentions (numbers that they share), and the chain of each, from 0."""

    index: int
    annotators: tuple[int, ...]
    mention: tuple[Ints, ...]
    chain: tuple[Ints, ...]

    def sizes(self, seat: int) -> Ints:
        return np.bincount(self.chain[seat])

    def crossed(self, one: int, other: int) -> Crossed:
        _, at, too = np.intersect1d(self.mention[one], self.mention[other], assume_unique=True, return_indices=True)
        second = self.sizes(other)
        width = max(len(second), 1)
        cell, shared = np.unique(self.chain[one][at] * width + self.chain[other][too], return_counts=True)
        return Crossed(self.sizes(one), second, cell // width, cell % width, shared)

    def with_all_mentions(self) -> DocumentChains:
        """As if each had marked what anybody marked: a mention that one did not mark is a chain of its own."""
        everything = ascending(np.concatenate(self.mention))
        chains = []
        for mention, chain in zip(self.mention, self.chain, strict=True):
            own = np.arange(len(everything)) + (int(chain.max()) + 1 if len(chain) else 0)
            own[np.searchsorted(everything, mention)] = chain
            chains.append(np.unique(own, return_inverse=True)[1].ravel())
        return DocumentChains(self.index, self.annotators, (everything,) * len(chains), tuple(chains))


def documents(data: Chains, singletons: bool = True) -> Sequence[DocumentChains]:
    """The documents that can be compared; without singletons, chains of one mention are not there."""

    def found() -> list[DocumentChains]:
        chains = data if singletons else data.without_singletons()
        return [_document(chains, int(d)) for d in np.flatnonzero(data.comparable)]

    return data.memo.once(("documents", singletons), found)


def _document(data: Chains, doc: int) -> DocumentChains:
    who = np.flatnonzero(data.judged[doc])
    low, high = np.searchsorted(data.mentions.doc, [doc, doc + 1])  # mentions are sorted by document
    here = np.arange(low, high)
    mine = [here[data.mentions.annotator[here] == a] for a in who]
    numbered = tuple(np.unique(data.chain[m], return_inverse=True)[1].ravel().astype(np.int64) for m in mine)
    return DocumentChains(doc, tuple(who.tolist()), tuple(data.mention[m] for m in mine), numbered)


def pairs_of(data: Chains, singletons: bool) -> Sequence[tuple[int, int, int, Crossed]]:
    """Of each compared document, every two annotators: its place among them, who they are, their chains crossed."""

    def found() -> list[tuple[int, int, int, Crossed]]:
        return [
            (place, doc.annotators[one], doc.annotators[other], doc.crossed(one, other))
            for place, doc in enumerate(documents(data, singletons))
            for one, other in combinations(range(len(doc.annotators)), 2)
        ]

    return data.memo.once(("pairs", singletons), found)


def check_chains(data: Any, name: str) -> None:
    """Nothing to compare is an error, not a number."""
    check_kind(name, CHAINS, data)
    if len(data) == 0:
        raise DataError("there are no mentions: nobody marked anything, or all were left out")
    if data.n_annotators < 2:
        raise DataError(f"only one annotator ({quoted(data.present[0])}): agreement needs at least two")
    if not data.comparable.any():
        raise DataError("no document with mentions was looked at by two annotators: there is nothing to compare")


def facts_about(data: Chains) -> dict[str, Any]:
    """What a reader of any score on chains wants to know."""
    return {
        "documents": len(data.docs),
        "documents_compared": int(data.comparable.sum()),
        "left_out": data.left_out,
        "annotators": data.n_annotators,
        "mentions": len(data),
        "chains": data.n_chains,
        "singletons": int((data.sizes == 1).sum()),
    }
