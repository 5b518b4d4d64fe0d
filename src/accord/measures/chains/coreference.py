"""Coreference scores: MUC, B³, CEAF, BLANC, links and CoNLL.

All measures on chains use the cross table of two annotators' chains: the number of mentions that each pair of chains
shares. Scores are averaged over pairs of annotators.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints, ascending
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.core.result import Parts, Score
from accord.data.kinds import CHAINS
from accord.data.model.chains import Chains
from accord.measures.measure import Measure, check_kind
from accord.measures.resampling import Values

PARTS = ("annotator", "pair", "document")


@dataclass(frozen=True, eq=False)
class Crossed:
    """Cross table of two annotators' chains in a document: chain sizes, and the cells with shared mentions."""

    first: Ints  # number of mentions of each chain of the first annotator
    second: Ints
    row: Ints  # chain of the first annotator in each cell
    column: Ints
    shared: Ints  # number of mentions in both chains, at least 1

    @property
    def mentions(self) -> tuple[float, float]:
        return float(self.first.sum()), float(self.second.sum())


@dataclass(frozen=True, eq=False)
class DocumentChains:
    """A document: its annotators, their mentions (with common numbers), and the chain of each mention, from 0."""

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
        """Return the document with all mentions for each annotator; an unmarked mention becomes a singleton chain."""
        everything = ascending(np.concatenate(self.mention))
        chains = []
        for mention, chain in zip(self.mention, self.chain, strict=True):
            own = np.arange(len(everything)) + (int(chain.max()) + 1 if len(chain) else 0)
            own[np.searchsorted(everything, mention)] = chain
            chains.append(np.unique(own, return_inverse=True)[1].ravel())
        return DocumentChains(self.index, self.annotators, (everything,) * len(chains), tuple(chains))


def documents(data: Chains, singletons: bool = True) -> Sequence[DocumentChains]:
    """Return the comparable documents; without `singletons`, chains of one mention are removed."""

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


def crossed_pairs(data: Chains, singletons: bool) -> Sequence[tuple[int, int, int, Crossed]]:
    """Return the cross table of each pair of annotators of each compared document, with the document's index."""

    def found() -> list[tuple[int, int, int, Crossed]]:
        return [
            (place, doc.annotators[one], doc.annotators[other], doc.crossed(one, other))
            for place, doc in enumerate(documents(data, singletons))
            for one, other in combinations(range(len(doc.annotators)), 2)
        ]

    return data.memo.once(("pairs", singletons), found)


def check_chains(data: Any, name: str) -> None:
    """Raise DataError if there is nothing to compare."""
    check_kind(name, CHAINS, data)
    if len(data) == 0:
        raise DataError(
            "nothing-annotated",
            "there are no mentions: the files are empty, or all were excluded; check the data, --missing, --only",
        )
    if data.n_annotators < 2:
        raise DataError(
            "annotators-needed",
            f"only one annotator ({quoted(data.present[0])}), but agreement needs at least two; extend "
            "--annotators (if given), name the column of the annotators with --annotator, or add the file of another "
            "annotator",
        )
    if not data.comparable.any():
        raise DataError(
            "nothing-shared",
            "no document with mentions was annotated by two annotators; check that document names match",
        )


def facts_about(data: Chains) -> dict[str, Any]:
    """Return the details reported with every score on chains."""
    return {
        "documents": len(data.docs),
        "documents_compared": int(data.comparable.sum()),
        "left_out": data.left_out,
        "annotators": data.n_annotators,
        "mentions": len(data),
        "chains": data.n_chains,
        "singletons": int((data.sizes == 1).sum()),
    }


# -- pairs of annotators -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PairedChains:
    """One row per pair of annotators and document: the counts that a measure sums over documents."""

    data: Chains
    docs: Ints  # compared documents, as indices of the data
    doc: Ints  # index among the compared documents
    first: Ints
    second: Ints
    counts: Floats  # one row per pair, one column per count
    times: Floats  # weight of each document

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.data.docs[int(d)] for d in self.docs)

    def weighted(self, times: Floats) -> PairedChains:
        return replace(self, times=times)

    @property
    def pair(self) -> Ints:
        """Return a number for each pair of annotators."""
        return self.first * len(self.data.annotators) + self.second


@dataclass(frozen=True, repr=False)
class PairedChainMeasure(Measure):
    """An F-measure of two annotators, with counts summed over documents, averaged over pairs of annotators."""

    reference: str | None = None
    singletons: bool = True

    data: ClassVar[str] = "chains"
    default_interval: ClassVar[str] = "bootstrap"
    lowest: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        if self.reference is not None:  # a numeric name is read as a number
            object.__setattr__(self, "reference", str(self.reference))
        if not isinstance(self.singletons, bool):
            raise SpecError(
                "measure-option", f"{self.name}: singletons must be true or false, not {quoted(self.singletons)}"
            )

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        """Return the counts that are summed over documents."""
        raise NotImplementedError

    def quotient(self, sums: Floats) -> Floats:
        """Return the values for sums on the last axis."""
        raise NotImplementedError

    def observe(self, data: Chains, run: Run) -> PairedChains:  # noqa: ARG002
        check_chains(data, self.name)
        pairs = crossed_pairs(data, self.singletons)
        if self.reference is not None:
            if self.reference not in data.annotators:
                raise UnknownName("annotator", self.reference, data.annotators)
            chosen = data.annotators.index(self.reference)
            pairs = [pair for pair in pairs if chosen in pair[1:3]]
            if not pairs:
                raise DataError(
                    "nothing-shared",
                    f"no other annotator annotated the documents of {quoted(self.reference)}; choose another reference",
                )
        place, first, second = (np.array([pair[k] for pair in pairs], dtype=np.int64) for k in range(3))
        counts = np.array([self.counts(crossed) for *_, crossed in pairs], dtype=np.float64)
        used, doc = np.unique(place, return_inverse=True)
        docs = np.flatnonzero(data.comparable)[used]
        return PairedChains(data, docs, doc.ravel(), first, second, counts, np.ones(len(docs)))

    def estimate(self, evidence: PairedChains) -> Score:
        value = float(self.summed(evidence)(evidence.times[None, :])[0])
        reason = "the sample contains none of these documents" if math.isnan(value) else None
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
            # A pair without any drawn document has no value; an empty comparison would count as perfect agreement.
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
    """Return 2a / (b + c); 1 if both annotators marked nothing."""
    found: Floats = np.divide(2 * above, below, out=np.ones(np.shape(below)), where=below > 0)
    return found


@dataclass(frozen=True, repr=False)
class Muc(PairedChainMeasure):
    """Vilain et al. 1995. A chain of n mentions needs n − 1 links; F1 of the links."""

    name: ClassVar[str] = "muc"
    symbol: ClassVar[str] = "MUC"
    title: ClassVar[str] = "MUC F1 between annotators"
    source: ClassVar[str] = "Vilain, Burger, Aberdeen, Connolly & Hirschman 1995"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        # Σ (|chain| − |its parts|) is the same from either side, because each cell is a part of two chains.
        common = float(crossed.shared.sum()) - len(crossed.shared)
        links = float((crossed.first - 1).sum()) + float((crossed.second - 1).sum())
        return common, links

    def quotient(self, sums: Floats) -> Floats:
        return harmonic(sums[..., 0], sums[..., 1])


@dataclass(frozen=True, repr=False)
class BCubed(PairedChainMeasure):
    """Bagga & Baldwin 1998. Mentions that the other annotator did not mark count as missed (Pradhan et al. 2014)."""

    name: ClassVar[str] = "b_cubed"
    symbol: ClassVar[str] = "B³"
    aliases: ClassVar[tuple[str, ...]] = ("b3",)
    title: ClassVar[str] = "B³ F1 between annotators"
    source: ClassVar[str] = "Bagga & Baldwin 1998"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        square = crossed.shared.astype(np.float64) ** 2
        found = (square / crossed.first[crossed.row]).sum(), (square / crossed.second[crossed.column]).sum()
        mine, others = crossed.mentions
        return float(found[0]), mine, float(found[1]), others

    def quotient(self, sums: Floats) -> Floats:
        recall, precision = (
            np.divide(sums[..., k], sums[..., k + 1], out=np.zeros(sums.shape[:-1]), where=sums[..., k + 1] > 0)
            for k in (0, 2)
        )
        value: Floats = np.where(
            sums[..., 1] + sums[..., 3] > 0,
            np.where(recall + precision > 0, harmonic(recall * precision, recall + precision), 0.0),
            1.0,
        )
        return value


@dataclass(frozen=True, repr=False)
class CeafE(PairedChainMeasure):
    """Luo 2005, with φ₄: mentions shared by matched chains, relative to their sizes."""

    name: ClassVar[str] = "ceaf_e"
    symbol: ClassVar[str] = "CEAF_e"
    title: ClassVar[str] = "Entity CEAF (φ₄) F1 between annotators"
    source: ClassVar[str] = "Luo 2005"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        size = crossed.first[crossed.row] + crossed.second[crossed.column]
        return _best(crossed, 2.0 * crossed.shared / size), float(len(crossed.first) + len(crossed.second))

    def quotient(self, sums: Floats) -> Floats:
        return harmonic(sums[..., 0], sums[..., 1])


def _best(crossed: Crossed, gain: Floats) -> float:
    """Return the largest sum of gains of cells, with at most one cell per row and column.

    Connected components of chains are matched separately, so that the tables are small.
    """
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(gain):
        return 0.0
    rows, columns = len(crossed.first), len(crossed.second)
    edges = coo_array((np.ones(len(gain)), (crossed.row, rows + crossed.column)), shape=(rows + columns,) * 2)
    group = connected_components(edges, directed=False)[1][crossed.row]
    order = np.argsort(group, kind="stable")
    cuts = np.flatnonzero(np.diff(group[order])) + 1
    total = 0.0
    for cells in np.split(order, cuts):
        if len(cells) == 1:
            total += float(gain[cells[0]])
            continue
        row, column = (_numbered(side[cells]) for side in (crossed.row, crossed.column))
        table = np.zeros((int(row.max()) + 1, int(column.max()) + 1))
        table[row, column] = gain[cells]
        total += float(table[linear_sum_assignment(table, maximize=True)].sum())
    return total


def _numbered(codes: Ints) -> Ints:
    return np.unique(codes, return_inverse=True)[1].ravel().astype(np.int64)


def pairs_in(sizes: Ints | Floats) -> float:
    """Return the total number of pairs in sets of these sizes."""
    size = np.asarray(sizes, dtype=np.float64)
    return float((size * (size - 1) / 2).sum())


@dataclass(frozen=True, repr=False)
class LinksF1(PairedChainMeasure):
    """F1 of coreference links. A link is any pair of mentions in a chain."""

    name: ClassVar[str] = "links_f1"
    symbol: ClassVar[str] = "F1 of links"
    title: ClassVar[str] = "F1 of coreference links"
    source: ClassVar[str] = "Popescu-Belis 2000; Recasens & Hovy 2011"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        return pairs_in(crossed.shared), pairs_in(crossed.first) + pairs_in(crossed.second)

    def quotient(self, sums: Floats) -> Floats:
        return harmonic(sums[..., 0], sums[..., 1])


@dataclass(frozen=True, repr=False)
class Blanc(PairedChainMeasure):
    """Recasens & Hovy 2011; Luo et al. 2014 for mentions of one annotator. Mean F1 of links and of non-links."""

    name: ClassVar[str] = "blanc"
    symbol: ClassVar[str] = "BLANC"
    title: ClassVar[str] = "BLANC between annotators"
    source: ClassVar[str] = "Recasens & Hovy 2011; Luo, Pradhan, Recasens & Hovy 2014"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        mine, others = crossed.mentions
        both = float(crossed.shared.sum())
        linked = pairs_in(crossed.first), pairs_in(crossed.second)
        common = pairs_in(crossed.shared)
        by_row, by_column = (np.bincount(side, crossed.shared) for side in (crossed.row, crossed.column))
        # All pairs of common mentions, minus those that either annotator links.
        apart = pairs_in(np.array([both])) - pairs_in(by_row) - pairs_in(by_column) + common
        unlinked = pairs_in(np.array([mine, others])) - sum(linked)
        return common, sum(linked), apart, unlinked, both, mine + others

    def quotient(self, sums: Floats) -> Floats:
        linked, unlinked, mentions = (harmonic(sums[..., k], sums[..., k + 1]) for k in (0, 2, 4))
        some_linked, some_unlinked = sums[..., 1] > 0, sums[..., 3] > 0
        one = np.where(some_linked, linked, np.where(some_unlinked, unlinked, mentions))
        value: Floats = np.where(some_linked & some_unlinked, (linked + unlinked) / 2, one)
        return value


_CONLL = (Muc(), BCubed(), CeafE())
_CUTS = (0, 2, 6, 8)  # first count of each of the three measures


@dataclass(frozen=True, repr=False)
class Conll(PairedChainMeasure):
    """Denis & Baldridge 2009; Pradhan et al. 2012. Mean of MUC, B³ and CEAF_e F1 for each pair of annotators."""

    name: ClassVar[str] = "conll"
    symbol: ClassVar[str] = "CoNLL"
    title: ClassVar[str] = "CoNLL score between annotators"
    source: ClassVar[str] = "Pradhan, Moschitti, Xue, Uryupina & Zhang 2012"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        return tuple(number for one in _CONLL for number in one.counts(crossed))

    def quotient(self, sums: Floats) -> Floats:
        each = [one.quotient(sums[..., low:high]) for one, (low, high) in zip(_CONLL, pairwise(_CUTS), strict=True)]
        mean: Floats = np.mean(each, axis=0)
        return mean
