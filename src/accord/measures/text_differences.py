"""Where two texts differ: aligned pairs of annotators, the sums behind tγ, its breakdowns, two texts side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from accord.alignment.sequences import LETTERS, Bounded, Costs, SequenceAlignment, align_sequences
from accord.chance.text_edits import Alphabet, Pool, Rates, Version, changes, edited, own_costs, version_of
from accord.context import Run
from accord.measures.gamma import gamma_score
from accord.model.texts import Texts
from accord.parallel import spread
from accord.result import Score
from accord.spaces import Floats, sums_by

PARTS = ("kind", "category", "annotator", "pair", "document")
NO_LABEL = "(no label)"
GAP = "(gap)"
_PURPOSE = 50  # of the generators of chance
_SYMBOLS = 200_000  # aligned in one task
_LONG, _NEAR = 4, 50  # a single token that stands elsewhere: letters at least, aligned tokens in between at most


@dataclass(frozen=True, eq=False)
class Counts:
    """Changes that were seen: (changed, of how many), for texts and for segmentation."""

    text: tuple[float, float]
    segmentation: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Prepared:
    """Texts as symbols, the documents that can be compared, and the rules."""

    texts: Texts
    features: tuple[str, ...]
    costs: Costs
    versions: tuple[Version, ...]
    docs: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]  # the versions of each of them
    pre: tuple[int | None, ...]  # and what they started from
    pool: Pool

    @classmethod
    def of(cls, texts: Texts, features: tuple[str, ...], costs: Costs, fold: bool, gaps: bool) -> Prepared:
        alphabet = Alphabet(fold)
        versions = tuple(version_of(texts, v, features, alphabet, gaps) for v in range(len(texts.strings)))
        members = [tuple(texts.versions(d)) for d in range(len(texts.docs))]
        docs = tuple(d for d, who in enumerate(members) if len(who) > 1)
        pool = Pool.of([versions[v] for who in members for v in who])
        pre = tuple(texts.base_of(d) for d in docs)
        return cls(texts, features, costs, versions, docs, tuple(members[d] for d in docs), pre, pool)

    @property
    def own(self) -> Floats:
        """x̄ of each document: the mean number of units of its annotators."""
        return np.array([np.mean([len(self.versions[v].start) for v in who]) for who in self.members])

    @property
    def has_base(self) -> bool:
        return None not in self.pre

    def base(self, doc: int, sample: int) -> Version:
        """What a sample edits: the pre-annotation, or the annotators' versions in turn."""
        pre, who = self.pre[doc], self.members[doc]
        return self.versions[who[sample % len(who)] if pre is None else pre]

    @property
    def pairs(self) -> list[tuple[int, int, int]]:
        """(document, version, version)."""
        return [(d, a, b) for d, who in enumerate(self.members) for a, b in combinations(who, 2)]

    def plain(self, version: int) -> Bounded:
        """Without labels."""
        found = self.versions[version]
        return replace(found, labels=found.labels[:, :0]).bounded()

    def changes(self, compared: Compared, run: Run) -> Counts:
        """What annotators changed in the pre-annotation; without one, half of what sets two annotators apart."""
        if self.has_base:
            tasks = [(b, v) for b, who in zip(self.pre, self.members, strict=True) for v in who if b is not None]
            found = spread(partial(_changes, self), tasks, run, "comparing with the pre-annotation")
            units = float(sum(len(self.versions[b].start) for b, _ in tasks))
            tokens = float(sum((~self.versions[b].gap).sum() for b, _ in tasks))
            return Counts((sum(t for t, _ in found), units), (sum(s for _, s in found), tokens))
        text = segmentation = units = tokens = 0.0
        for (_, a, b), alignment in zip(self.pairs, compared.alignments, strict=True):
            first, second = self.versions[a].bounded(), self.versions[b].bounded()
            t, s = changes(alignment, first, second)
            text, segmentation = text + t, segmentation + s
            units, tokens = units + len(first), tokens + (len(first) + len(second)) / 2
        # Both have changed something: 1 − (1 − p)² of the units differ.
        share = 1 - math.sqrt(max(0.0, 1 - text / units)) if units else 0.0
        return Counts((share * units, units), (segmentation / 2, tokens))


def _changes(ready: Prepared, which: tuple[int, int]) -> tuple[int, float]:
    base, other = ready.plain(which[0]), ready.plain(which[1])
    return changes(align_sequences(base, other, own_costs(ready.costs)), base, other)


@dataclass(frozen=True, eq=False)
class Moved:
    """Tokens that stand in both texts, but in another order."""

    doc: int
    versions: tuple[int, int]
    tokens: tuple[int, int]  # the first one in each version
    length: int

    def told(self, texts: Texts) -> dict[str, Any]:
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
class Compared:
    """All pairs of annotators, aligned. `kinds`: the disorder of each document by text, segmentation, each feature."""

    alignments: list[SequenceAlignment]
    kinds: Floats
    matching_by_pair: Floats
    reordered: list[Moved]

    @property
    def aligned(self) -> int:
        return sum(len(found.pairs) for found in self.alignments)

    @property
    def matching(self) -> float:
        return float(self.matching_by_pair.mean())


def compare(ready: Prepared, run: Run) -> Compared:
    """Every two annotators of every document."""
    pairs = ready.pairs
    size = np.array([len(ready.versions[a].letters) + len(ready.versions[b].letters) for _, a, b in pairs])
    block = np.cumsum(size) // _SYMBOLS
    tasks = [np.flatnonzero(block == k).tolist() for k in np.unique(block)]
    found = [one for part in spread(partial(_aligned, ready), tasks, run, "aligning texts") for one in part]
    kinds = np.zeros((len(ready.docs), 2 + len(ready.features)))
    matching, moved = np.ones(len(pairs)), []
    for k, ((d, a, b), one) in enumerate(zip(pairs, found, strict=True)):
        many = len(ready.members[d])
        kinds[d] += kinds_of(one) / (many * (many - 1) / 2)
        first, second = ready.versions[a].bounded(), ready.versions[b].bounded()
        letters = len(ready.versions[a].letters) + len(ready.versions[b].letters)
        if letters:
            of_first = np.flatnonzero(one.moves != 1)
            both = int(((one.moves[of_first] == 2) & (first.symbols >= LETTERS)).sum())
            matching[k] = 2 * both / letters
        moved += [Moved(ready.docs[d], (a, b), at, n) for at, n in _moved(first, second, one)]
    return Compared(found, kinds, matching, moved)


def _aligned(ready: Prepared, which: list[int]) -> list[SequenceAlignment]:
    pairs = ready.pairs
    return [
        align_sequences(ready.versions[pairs[k][1]].bounded(), ready.versions[pairs[k][2]].bounded(), ready.costs)
        for k in which
    ]


def kinds_of(found: SequenceAlignment) -> Floats:
    """Sums of disorder: text, segmentation, each feature."""
    by = found.parts.sum(axis=0)
    return np.concatenate([by[:1], [float(sum(found.unaligned))], by[1:]])


def _moved(first: Bounded, second: Bounded, found: SequenceAlignment) -> list[tuple[tuple[int, int], int]]:
    """Runs of tokens without counterpart that the other text has on the other side of something aligned.

    Two tokens at least, or a long one that stands not too far away: the same word elsewhere may be chance.
    """
    if first.gaps.any() or second.gaps.any():
        return []  # tokens are counted without gaps, which the numbers here would mix up
    free_a, free_b = np.ones(len(first), dtype=bool), np.ones(len(second), dtype=bool)
    free_a[found.pairs[:, 0]] = free_b[found.pairs[:, 1]] = False
    behind_a, behind_b = np.cumsum(~free_a), np.cumsum(~free_b)  # aligned tokens up to each
    places: dict[bytes, list[int]] = {}
    for v in np.flatnonzero(free_b).tolist():
        places.setdefault(second.text(v).tobytes(), []).append(v)
    runs = []
    for u in np.flatnonzero(free_a).tolist():
        best, at = 0, -1
        for v in places.get(first.text(u).tobytes(), ()):
            n, crossed = 0, abs(int(behind_a[u] - behind_b[v]))
            if crossed == 0:
                continue
            while (
                u + n < len(first)
                and v + n < len(second)
                and free_a[u + n]
                and free_b[v + n]
                and np.array_equal(first.text(u + n), second.text(v + n))
            ):
                n += 1
            if n > best and (n > 1 or (crossed <= _NEAR and len(first.text(u)) >= _LONG)):
                best, at = n, v
        if best:
            runs.append(((u, at), best))
            free_a[u : u + best] = free_b[at : at + best] = False
    return runs


def random_disorders(ready: Prepared, rates: Rates, seed: int, which: range) -> tuple[Floats, Floats]:
    """Sums by kind and x̄ of two random annotators of each document: sample × document × kind, sample × document."""
    totals = np.zeros((len(which), len(ready.docs), 2 + len(ready.features)))
    means = np.zeros((len(which), len(ready.docs)))
    for row, k in enumerate(which):
        rng = np.random.default_rng([seed, _PURPOSE, k])
        for d in range(len(ready.docs)):
            base = ready.base(d, k)
            first, second = (edited(base, ready.pool, rates, rng).bounded() for _ in range(2))
            totals[row, d] = kinds_of(align_sequences(first, second, ready.costs))
            means[row, d] = (len(first) + len(second)) / 2
    return totals, means


@dataclass(frozen=True, eq=False)
class TextEvidence:
    """Per document: its disorder by kind, x̄, and the disorder of random versions."""

    ready: Prepared
    compared: Compared
    rates: Rates
    totals: Floats  # of random versions: sample × document × kind
    means: Floats  # x̄ of them: sample × document
    times: Floats  # how often each document counts

    @property
    def expected(self) -> Floats:
        """x̄ · expected disorder of each document, by kind."""
        weight = np.maximum(self.means.sum(axis=0), 1e-300)
        return self.totals.sum(axis=0) * (self.ready.own / weight)[:, None]

    def weighted(self, times: Floats) -> TextEvidence:
        """The same documents, counted otherwise."""
        return replace(self, times=times)


def disorder_by(measure: str, evidence: TextEvidence, by: str) -> Mapping[str, Score]:
    """The breakdown: for each name tγ, its disorder, and in `details` its sum and its share of all disorder."""
    ready, compared, times = evidence.ready, evidence.compared, evidence.times
    own, expected = ready.own * times, evidence.expected * times[:, None]
    observed = compared.kinds * times[:, None]
    if by == "kind":
        names = ("text", "segmentation", *ready.features)
        size = np.full(len(names), float(own.sum()))
        return _scores(measure, names, observed.sum(axis=0), size, expected.sum(axis=0))
    if by == "document":
        names = tuple(ready.texts.docs[d] for d in ready.docs)
        return _scores(measure, names, observed.sum(axis=1), own, expected.sum(axis=1))
    per_unit = np.divide(expected.sum(axis=1), own, out=np.zeros(len(own)), where=own > 0)
    if by == "category":
        return _by_category(measure, evidence, per_unit)
    who = ready.texts.version_annotator
    doc = np.array([d for d, _, _ in ready.pairs])
    sides = np.array([[who[a], who[b]] for _, a, b in ready.pairs])
    units = np.array([[len(ready.versions[a].start), len(ready.versions[b].start)] for _, a, b in ready.pairs])
    many = np.array([len(w) * (len(w) - 1) / 2 for w in ready.members])[doc]
    cost = np.array([kinds_of(one).sum() for one in compared.alignments]) * times[doc] / many
    size = units.mean(axis=1) * times[doc] / many
    m = len(ready.texts.annotators)
    if by == "annotator":
        both = sides.T.ravel()
        sums, weight, chance = (sums_by(both, np.tile(x, 2) / 2, m) for x in (cost, size, size * per_unit[doc]))
        return _scores(measure, ready.texts.annotators, sums, weight, chance)
    number = sides[:, 0] * m + sides[:, 1]
    sums, weight, chance = (sums_by(number, x, m * m) for x in (cost, size, size * per_unit[doc]))
    met = np.unique(number)
    names = tuple(f"{ready.texts.annotators[k // m]} – {ready.texts.annotators[k % m]}" for k in met)
    return _scores(measure, names, sums[met], weight[met], chance[met])


def _by_category(measure: str, evidence: TextEvidence, per_unit: Floats) -> Mapping[str, Score]:
    """The first feature: what an aligned pair costs goes to the categories of its two tokens, half and half."""
    ready = evidence.ready
    if not ready.features:
        return {}
    labels = ready.texts.features[ready.features[0]].categories
    q = len(labels) + 2  # and tokens without label, and gaps
    sums, size, chance = np.zeros(q), np.zeros(q), np.zeros(q)
    for (d, a, b), found in zip(ready.pairs, evidence.compared.alignments, strict=True):
        many = len(ready.members[d])
        weight = evidence.times[d] / (many * (many - 1) / 2)
        for side, v in enumerate((a, b)):
            version = ready.versions[v]
            code = np.where(version.gap, q - 1, version.labels[:, 0])
            cost = np.ones(len(code))
            cost[found.pairs[:, side]] = found.parts.sum(axis=1) / 2
            sums += sums_by(code, cost, q) * weight
            count = np.bincount(code, minlength=q) / 2 * weight
            size += count
            chance += count * per_unit[d]
    return _scores(measure, (*labels.names, NO_LABEL, GAP), sums, size, chance)


def _scores(measure: str, names: tuple[str, ...], sums: Floats, size: Floats, chance: Floats) -> dict[str, Score]:
    whole = float(sums.sum())
    made = {}
    for k, name in enumerate(names):
        if size[k] > 0:
            share = float(sums[k] / whole) if whole else 0.0
            made[name] = gamma_score(
                measure,
                float(sums[k] / size[k]),
                float(chance[k] / size[k]),
                n=round(float(size[k])),
                details={"disorder": float(sums[k]), "share": share},
            )
    return made
