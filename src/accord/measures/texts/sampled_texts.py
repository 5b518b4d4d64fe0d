"""tγ as a function of how often each document counts: nothing is aligned again.

Where the rates of chance are estimated, other documents have other rates. The disorder of random texts is then taken as
a line in each rate, through the rates that were found; its slope comes from random texts with half as many and half
again as many changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.arrays import Floats, Ints
from accord.chance.text_edits import EditRates, own_costs
from accord.context import Run
from accord.distances.spaces import sums_by
from accord.measures.sampling import Sampled, one_minus
from accord.measures.texts.differences import Chance, Prepared, TextEvidence, aligned

_PART, _FEWEST, _MOST = 6, 5, 200  # samples for each of four ends of slopes: together less than the value took
_HALF = 0.5


@dataclass(frozen=True)
class Rate:
    """A rate of changes as it was asked for: given, or else estimated, perhaps with a prior."""

    given: float | None
    prior: tuple[float, float] | None  # a rate, and the tokens it counts for

    def estimated(self, changed: Floats, of: Floats) -> Floats:
        """The rate of each row of sums."""
        if self.given is not None:
            return np.full(len(changed), float(self.given))
        rate, many = self.prior if self.prior is not None else (0.0, 0.0)
        below = of + many
        share = np.divide(changed + rate * many, below, out=np.zeros_like(below), where=below > 0)
        return np.minimum(1.0, share)


Rates = tuple[Rate, Rate]  # of texts, of segmentation


@dataclass(frozen=True, eq=False)
class Seen:
    """Changes that were counted, in rows: of versions against the pre-annotation, else of pairs of versions."""

    doc: Ints
    versions: Ints  # two columns; the same twice against the pre-annotation
    counts: Floats  # changed texts, units, changed boundaries, tokens
    has_base: bool

    def by_doc(self, kept: np.ndarray, docs: int) -> Floats:
        mine = kept[self.versions].all(axis=1)
        return np.stack([sums_by(self.doc[mine], column[mine], docs) for column in self.counts.T], axis=1)

    def rates(self, asked: Rates, sums: Floats) -> Floats:
        """The two rates of each row of sums."""
        text, units, cut, tokens = sums.T
        if not self.has_base:  # both annotators have changed something: 1 − (1 − p)² of the units differ
            share = np.divide(text, units, out=np.zeros_like(text), where=units > 0)
            text, cut = (1 - np.sqrt(np.maximum(0.0, 1 - share))) * units, cut / 2
        return np.stack([asked[0].estimated(text, units), asked[1].estimated(cut, tokens)])


@dataclass(frozen=True, eq=False)
class TextTable:
    """All that tγ is made of, by pair and by document, and how chance follows the rates."""

    asked: Rates
    evidence: TextEvidence
    seen: Seen | None  # None: both rates are given
    cost: Floats  # of each pair of annotators
    slopes: Floats  # of the disorder by chance of each document: two rows

    @property
    def ready(self) -> Prepared:
        return self.evidence.ready

    def sampled(self, without: str | None = None) -> Sampled:
        """The documents, with all annotators or without one of them."""
        sums = self.parts(None if without is None else self.ready.texts.annotators.index(without))
        se, total = self.evidence.chance_spread
        error = se / total if total > 0 else 0.0
        return Sampled(self.evidence.names, self.evidence.times * sums.there, sums.values, chance_error=error)

    def parts(self, without: int | None = None) -> TextSums:
        """The sums by document, of all annotators or without one of them."""
        ready, evidence = self.ready, self.evidence
        kept = np.ones(len(ready.texts.strings), dtype=bool)
        if without is not None:
            kept = ready.texts.version_annotator != without
        many = np.array([kept[list(who)].sum() for who in ready.members])
        there = many > 1
        pairs = ready.pairs
        mine = kept[pairs[:, 1]] & kept[pairs[:, 2]]
        docs = len(ready.docs)
        observed = sums_by(pairs[mine, 0], self.cost[mine], docs) / np.maximum(many * (many - 1) / 2, 1)
        units = ready.versions.units.astype(np.float64)
        own = np.array([units[list(who)] @ kept[list(who)] for who in ready.members]) / np.maximum(many, 1)
        drawn = self._kept_samples(kept)
        totals, means = (evidence.totals.sum(axis=2) * drawn).sum(axis=0), (evidence.means * drawn).sum(axis=0)
        by_chance = np.divide(totals, means, out=np.zeros(docs), where=means > 0)
        counts = None if self.seen is None else self.seen.by_doc(kept, docs) * there[:, None]
        return TextSums(self, there, observed * there, own * there, by_chance, counts)

    def _kept_samples(self, kept: np.ndarray) -> np.ndarray:
        """Random texts that do not come from a version that is left out."""
        ready, samples = self.ready, np.arange(len(self.evidence.totals))
        made = np.ones((len(samples), len(ready.docs)), dtype=bool)
        for d, (pre, who) in enumerate(zip(ready.pre, ready.members, strict=True)):
            if pre is None and not kept[list(who)].all():
                made[:, d] = kept[np.array(who)][samples % len(who)]
        return made


@dataclass(frozen=True, eq=False)
class TextSums:
    """By document: whether it can be compared, its disorder, x̄, the disorder by chance of a unit, the changes."""

    table: TextTable
    there: np.ndarray
    observed: Floats
    own: Floats
    by_chance: Floats
    counts: Floats | None

    def values(self, times: Floats) -> Floats:
        """tγ of each row of times."""
        times = times * self.there
        expected = times @ (self.own * self.by_chance)
        if self.counts is not None and self.table.seen is not None:
            rates = self.table.evidence.rates
            moved = self.table.seen.rates(self.table.asked, times @ self.counts)
            moved = moved - np.array([[rates.text], [rates.segmentation]])
            for by, slope in zip(moved, self.table.slopes, strict=True):
                expected = expected + by * (times @ (self.own * slope))
        return one_minus(times @ self.observed, expected)


def text_table(asked: Rates, evidence: TextEvidence, run: Run) -> TextTable:
    """Made once for an evidence and a seed."""
    return evidence.memo.once((asked, run.seed), lambda: _table(asked, evidence, run))


def _table(asked: Rates, evidence: TextEvidence, run: Run) -> TextTable:
    cost = evidence.compared.kinds_by_pair.sum(axis=1)
    seen = _seen(evidence, run) if any(rate.given is None for rate in asked) else None
    return TextTable(asked, evidence, seen, cost, _slopes(asked, evidence, run))


def _seen(evidence: TextEvidence, run: Run) -> Seen:
    """As tγ counts them for all documents together, here one by one."""
    ready = evidence.ready
    units, tokens = ready.versions.units.astype(np.float64), ready.tokens.astype(np.float64)
    if ready.has_base:
        rows = np.array(
            [(d, b, v) for d, (b, who) in enumerate(zip(ready.pre, ready.members, strict=True)) for v in who]
        )
        doc, base, version = rows.T
        found = aligned(
            ready.bounded.without_labels(), rows[:, 1:], own_costs(ready.costs), run, "comparing with the base"
        )
        counts = (found.changed, units[base], found.boundaries / 2, tokens[base])
        return Seen(doc, np.column_stack([version, version]), np.column_stack(counts), has_base=True)
    doc, a, b = ready.pairs.T
    found = evidence.compared.alignments
    counts = (found.changed, units[a], found.boundaries / 2, (units[a] + units[b]) / 2)
    return Seen(doc, ready.pairs[:, 1:], np.column_stack(counts).astype(np.float64), has_base=False)


def _slopes(asked: Rates, evidence: TextEvidence, run: Run) -> Floats:
    """How the disorder by chance of each document grows with either rate; 0 where the rate is given, or nil."""
    rates, docs = evidence.rates, len(evidence.ready.docs)
    found = np.zeros((2, docs))
    many = int(np.clip(len(evidence.totals) // _PART, _FEWEST, _MOST))
    for k, (one, rate) in enumerate(zip(asked, (rates.text, rates.segmentation), strict=True)):
        if one.given is not None or not rate > 0:
            continue
        ends = rate * (1 - _HALF), min(1.0, rate * (1 + _HALF))
        low, high = (
            _by_chance(
                evidence.ready, EditRates(end, rates.segmentation) if k == 0 else EditRates(rates.text, end), many, run
            )
            for end in ends
        )
        found[k] = (high - low) / (ends[1] - ends[0])
    return found


def _by_chance(ready: Prepared, rates: EditRates, samples: int, run: Run) -> Floats:
    """The disorder per unit of random texts, by document."""
    totals, means = Chance.of(ready, rates, run.seed).drawn(range(samples), run)
    below = means.sum(axis=0)
    made: Floats = np.divide(totals.sum(axis=(0, 2)), below, out=np.zeros(len(below)), where=below > 0)
    return made
