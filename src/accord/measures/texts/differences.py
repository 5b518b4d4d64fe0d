"""Differences between texts: aligned pairs of annotators, random texts, and the sums behind tγ."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.fingerprints import Memo
from accord.core.parallel import spread
from accord.data.model.texts import BASE, Texts
from accord.measures.alignment.sequences import Alignments, BoundedTexts, EditCosts, Indices, align_pairs
from accord.measures.chance.text_edits import (
    Alphabet,
    EditRates,
    TextPool,
    Versions,
    edited_each,
    own_costs,
    versions_of,
)
from accord.measures.distances.spaces import sums_by

PRECISION = 0.02  # default precision of the expected disorder
_PURPOSE = 50  # stream number of the random generators for chance
_SYMBOLS = 400_000  # symbols aligned in one task
_LETTERS = 200_000  # letters of random texts in one task
_WORTH_A_LOOK = 5_000_000  # letters of random texts to try while no random text differs
_WORTH_WAITING = 100_000_000  # letters of random texts: about ten seconds on one core
_ENOUGH = 1_000  # samples that are drawn regardless of their cost
_A_TEXT = 50  # fixed cost of a text, in letters


@dataclass(frozen=True, eq=False)
class Counts:
    """Observed changes: (changed, total), for texts and for segmentation."""

    text: tuple[float, float]
    segmentation: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Prepared:
    """Texts as symbols, the comparable documents, and the comparison rules."""

    texts: Texts
    features: tuple[str, ...]
    costs: EditCosts
    versions: Versions
    docs: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]  # versions of each document
    pre: tuple[int | None, ...]  # pre-annotation of each document

    @classmethod
    def of(cls, texts: Texts, features: tuple[str, ...], costs: EditCosts, fold: bool, gaps: bool) -> Prepared:
        versions = versions_of(texts, range(len(texts.strings)), features, Alphabet(fold), gaps)
        own: dict[int, list[int]] = {d: [] for d in range(len(texts.docs))}
        pre = {}
        for v in np.argsort(texts.version_annotator, kind="stable").tolist():
            d = int(texts.version_doc[v])
            if texts.version_annotator[v] == BASE:
                pre[d] = v
            else:
                own[d].append(v)
        docs = tuple(d for d, who in own.items() if len(who) > 1)
        return cls(
            texts, features, costs, versions, docs, tuple(tuple(own[d]) for d in docs), tuple(map(pre.get, docs))
        )

    @cached_property
    def bounded(self) -> BoundedTexts:
        return self.versions.bounded()

    @cached_property
    def pool(self) -> TextPool:
        """Return the pool for chance: all annotators, including incomparable documents."""
        return TextPool.of([self.versions.take(np.flatnonzero(self.texts.version_annotator != BASE)).whole])

    @cached_property
    def own(self) -> Floats:
        """Return x̄ of each document: the mean number of units per annotator."""
        many = np.array([len(who) for who in self.members], dtype=np.int64)
        units = self.versions.units[np.concatenate(self.members)].astype(np.float64)
        whole: Floats = np.add.reduceat(units, np.cumsum(many) - many)
        return whole / many

    @property
    def has_base(self) -> bool:
        return None not in self.pre

    @cached_property
    def pairs(self) -> Indices:
        """Return rows of document, version, version."""
        every = [(d, a, b) for d, who in enumerate(self.members) for a, b in combinations(who, 2)]
        return np.array(every, dtype=np.int64)

    @cached_property
    def share(self) -> Floats:
        """Return the weight of each pair in the mean of its document."""
        many = np.bincount(self.pairs[:, 0])
        return 1.0 / many[self.pairs[:, 0]]

    def changes(self, compared: ComparedTexts, run: Run) -> Counts:
        """Count changes of the pre-annotation; without one, half of the differences between two annotators."""
        versions = self.versions
        if self.has_base:
            which, found = self.against_base(run)
            base, text, cut = which[:, 1], float(found.changed.sum()), float(found.boundaries.sum()) / 2
            return Counts((text, float(versions.units[base].sum())), (cut, float(self.tokens[base].sum())))
        found, (a, b) = compared.alignments, self.pairs[:, 1:].T
        units, text = float(versions.units[a].sum()), float(found.changed.sum())
        # Both annotators make changes: 1 − (1 − p)² of the units differ.
        share = 1 - math.sqrt(max(0.0, 1 - text / units)) if units else 0.0
        both = float(versions.units[a].sum() + versions.units[b].sum()) / 2
        return Counts((share * units, units), (float(found.boundaries.sum()) / 4, both))

    def against_base(self, run: Run) -> tuple[Indices, Alignments]:
        """Align every version with its pre-annotation, without labels; rows are document, pre-annotation, version."""
        rows = [(d, b, v) for d, b in enumerate(self.pre) for v in self.members[d] if b is not None]
        which, costs = np.array(rows, dtype=np.int64), own_costs(self.costs)
        plain = self.bounded.without_labels()
        return which, aligned(plain, which[:, 1:], costs, run, "comparing with the pre-annotation")

    @property
    def tokens(self) -> Indices:
        """Return the number of tokens of each version, without gaps."""
        return np.bincount(self.versions.owner[~self.versions.whole.gap], minlength=len(self.versions))


def aligned(
    texts: BoundedTexts, which: Indices, costs: EditCosts, run: Run, what: str, moved: bool = False
) -> Alignments:
    """Align pairs of texts in tasks of similar size."""
    size = np.diff(texts.first_symbol)
    block = np.cumsum(size[which[:, 0]] + size[which[:, 1]]) // _SYMBOLS
    tasks = np.split(which, np.flatnonzero(np.diff(block)) + 1)
    return Alignments.joined(spread(partial(_aligned, texts, costs, moved), tasks, run, what))


def _aligned(texts: BoundedTexts, costs: EditCosts, moved: bool, which: Indices) -> Alignments:
    return align_pairs(texts, texts, which, costs, moved)


@dataclass(frozen=True, eq=False)
class MovedSegment:
    """Tokens that occur in both texts in a different order."""

    doc: int
    versions: tuple[int, int]
    tokens: tuple[int, int]  # first token in each version
    length: int

    def described(self, texts: Texts) -> dict[str, Any]:
        a, b = self.versions
        first = texts.tokens(a).start + self.tokens[0]
        second = texts.tokens(b).start + self.tokens[1]
        names = [texts.annotators[int(texts.version_annotator[v])] for v in self.versions]
        return {
            "document": texts.docs[int(texts.version_doc[a])],
            "text": texts.strings[a][int(texts.start[first]) : int(texts.end[first + self.length - 1])],
            "tokens": self.length,
            "at": {names[0]: int(texts.start[first]), names[1]: int(texts.start[second])},
        }


@dataclass(frozen=True, eq=False)
class ComparedTexts:
    """All aligned pairs of annotators. `kinds`: disorder of each document by text, segmentation and feature."""

    alignments: Alignments
    kinds_by_pair: Floats
    kinds: Floats
    matching_by_pair: Floats
    reordered: list[MovedSegment]

    @property
    def aligned(self) -> int:
        return len(self.alignments.pairs)

    @property
    def matching(self) -> float:
        return float(self.matching_by_pair.mean())


def compare_texts(ready: Prepared, run: Run) -> ComparedTexts:
    """Align each pair of annotators of each document."""
    doc, a, b = ready.pairs.T
    found = aligned(ready.bounded, ready.pairs[:, 1:], ready.costs, run, "aligning texts", moved=True)
    by_pair = found.kinds
    kinds = np.column_stack([sums_by(doc, part * ready.share, len(ready.docs)) for part in by_pair.T])
    letters = ready.versions.letters[a] + ready.versions.letters[b]
    matching = np.divide(2.0 * found.letters, letters, out=np.ones(len(doc)), where=letters > 0)
    moved = [
        MovedSegment(ready.docs[int(doc[k])], (int(a[k]), int(b[k])), (u, v), n) for k, u, v, n in found.moved.tolist()
    ]
    return ComparedTexts(found, by_pair, kinds, matching, moved)


@dataclass(frozen=True, eq=False)
class Chance:
    """Data for random versions, kept small because every worker receives a copy."""

    versions: Versions
    bases: Indices  # concatenated versions of all documents that are edited in turn
    first: Indices  # first version of each document, then the total number
    pool: TextPool
    costs: EditCosts
    rates: EditRates
    seed: int

    @classmethod
    def of(cls, ready: Prepared, rates: EditRates, seed: int) -> Chance:
        own = [who if pre is None else (pre,) for pre, who in zip(ready.pre, ready.members, strict=True)]
        first = np.concatenate([[0], np.cumsum([len(who) for who in own])])
        return cls(ready.versions, np.concatenate(own).astype(np.int64), first, ready.pool, ready.costs, rates, seed)

    def drawn(self, samples: range, run: Run) -> tuple[Floats, Floats]:
        """Return disorder by kind and mean numbers of units of random annotators: sample × document (× kind)."""
        letters = np.cumsum(self.versions.letters[self.bases[self.first[:-1]]])
        blocks = np.split(np.arange(len(letters)), np.flatnonzero(np.diff(letters // _LETTERS)) + 1)
        together = max(1, _LETTERS // max(int(letters[-1]), 1))
        tasks = [
            (samples[k : k + together], number, block)
            for k in range(0, len(samples), together)
            for number, block in enumerate(blocks)
        ]
        found = spread(self.disorders, tasks, run, "aligning random texts")
        rows = [found[k : k + len(blocks)] for k in range(0, len(found), len(blocks))]
        totals = np.concatenate([np.concatenate([part[0] for part in row], axis=1) for row in rows])
        return totals, np.concatenate([np.concatenate([part[1] for part in row], axis=1) for row in rows])

    @property
    def letters(self) -> int:
        """Return the letters of one sample, including the fixed cost of each text."""
        return int((self.versions.letters[self.bases[self.first[:-1]]] + _A_TEXT).sum())

    def most(self, precision: float) -> float:
        """Return the largest number of samples: many for short texts, fewer for long ones.

        A precision finer than the default allows more samples.
        """
        finer = max(1.0, PRECISION / precision)
        return max(_ENOUGH, _WORTH_WAITING / self.letters) * (finer * finer)

    def may_differ(self, samples: int) -> bool:
        """Return whether identical random texts may still differ, and this many samples are worth trying."""
        possible = self.rates.text > 0 or self.rates.segmentation > 0 or len(np.unique(self.pool.labels, axis=0)) > 1
        return possible and samples * self.letters <= _WORTH_A_LOOK

    def disorders(self, task: tuple[range, int, Indices]) -> tuple[Floats, Floats]:
        """Return the disorder of two random annotators for each document of a block, edited all at once."""
        samples, block, docs = task
        rng = np.random.default_rng([self.seed, _PURPOSE, samples.start, block])
        turn = np.array(samples)[:, None] % np.diff(self.first)[docs]
        bases = self.versions.take(self.bases[self.first[docs] + turn].ravel())
        first, second = (edited_each(bases, self.pool, self.rates, rng).bounded() for _ in range(2))
        which = np.column_stack([np.arange(len(bases))] * 2)
        totals, shape = align_pairs(first, second, which, self.costs).kinds, (len(samples), len(docs))
        return totals.reshape(*shape, -1), ((first.units + second.units) / 2).reshape(shape)


def whole_and_deviations(own: Floats, totals: Floats, means: Floats) -> tuple[float, Floats]:
    """Return the total expected disorder Σ x̄ · disorder, and the deviation of each sample from it."""
    weight = np.maximum(means.sum(axis=0), 1e-300)
    disorder = totals.sum(axis=0) / weight
    off = (own * (totals - disorder * means) / np.maximum(means.mean(axis=0), 1e-300)).sum(axis=1)
    return float(own @ disorder), off


@dataclass(frozen=True, eq=False)
class TextEvidence:
    """Per document: disorder by kind, x̄, and the disorder of random versions."""

    ready: Prepared
    compared: ComparedTexts
    rates: EditRates
    totals: Floats  # disorder of random versions: sample × document × kind
    means: Floats  # x̄ of random versions: sample × document
    times: Floats  # weight of each document
    wanted: int = 0  # samples needed for the precision; fewer may have been drawn

    @cached_property
    def memo(self) -> Memo:
        """Return a cache for results computed from this evidence."""
        return Memo()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of the documents."""
        return tuple(self.ready.texts.docs[d] for d in self.ready.docs)

    @property
    def expected(self) -> Floats:
        """Return x̄ · expected disorder of each document, by kind."""
        weight = np.maximum(self.means.sum(axis=0), 1e-300)
        return self.totals.sum(axis=0) * (self.ready.own / weight)[:, None]

    @cached_property
    def chance_spread(self) -> tuple[float, float]:
        """Return the standard error of the total expected disorder, and that disorder."""
        total, off = whole_and_deviations(self.ready.own, self.totals.sum(axis=2), self.means)
        se = float(off.std(ddof=1)) / math.sqrt(len(off)) if len(off) > 1 else 0.0
        return se, total

    @cached_property
    def version(self) -> Indices:
        """Return the versions of all comparable documents."""
        return np.concatenate(self.ready.members)

    @property
    def version_times(self) -> Floats:
        """Return the weight of each version."""
        return np.repeat(self.times, [len(who) for who in self.ready.members])

    def weighted(self, times: Floats) -> TextEvidence:
        """Return the same documents with other weights."""
        return replace(self, times=times)
