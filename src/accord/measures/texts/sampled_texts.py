"""tγ as a function of document weights, without a new alignment.

If the edit rates of chance are estimated, other weights give other rates. The expected disorder is then approximated as
linear in each rate, at the estimated rates. Random texts with rates half as high and 1.5 times as high give the slopes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from accord.core.arrays import Bools, Floats, Ints
from accord.core.context import Run
from accord.measures.chance.text_edits import EditRates, own_costs
from accord.measures.distances.spaces import sums_by
from accord.measures.resampling import Sampled, one_minus
from accord.measures.texts.differences import Chance, Prepared, TextEvidence, aligned

_PART, _FEWEST, _MOST = 6, 5, 200  # samples for each of four slope ends; in total fewer than for the value
_HALF = 0.5
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


@dataclass(frozen=True)
class Rate:
    """An edit rate: given, or estimated, optionally with a prior."""

    given: float | None
    prior: tuple[float, float] | None  # a rate, and its weight in tokens

    def estimated(self, changed: Floats, of: Floats) -> Floats:
        """Return the rate for each row of sums."""
        if self.given is not None:
            return np.full(len(changed), float(self.given))
        rate, many = self.prior if self.prior is not None else (0.0, 0.0)
        below = of + many
        share = np.divide(changed + rate * many, below, out=np.zeros_like(below), where=below > 0)
        return np.minimum(1.0, share)


Rates = tuple[Rate, Rate]  # of texts, of segmentation


@dataclass(frozen=True, eq=False)
class CountedChanges:
    """Counts of changes, one row per version compared with the pre-annotation, or per pair of versions."""

    doc: Ints
    versions: Ints  # two columns; both contain the version if there is a pre-annotation
    counts: Floats  # changed texts, units, changed boundaries, tokens
    has_base: bool

    def by_doc(self, kept: Bools, at: Ints) -> Floats:
        """Return the sums of some documents."""
        row, owner = _rows_of(at, self.doc)
        mine = kept[self.versions[row]].all(axis=1)
        row, owner = row[mine], owner[mine]
        return np.stack([sums_by(owner, column[row], len(at)) for column in self.counts.T], axis=1)

    def rates(self, asked: Rates, sums: Floats) -> Floats:
        """Return the two rates for each row of sums."""
        text, units, cut, tokens = sums.T
        if not self.has_base:  # both annotators make changes: 1 − (1 − p)² of the units differ
            share = np.divide(text, units, out=np.zeros_like(text), where=units > 0)
            text, cut = (1 - np.sqrt(np.maximum(0.0, 1 - share))) * units, cut / 2
        return np.stack([asked[0].estimated(text, units), asked[1].estimated(cut, tokens)])


@dataclass(frozen=True, eq=False)
class TextTable:
    """All terms of tγ by pair and document, and the slopes of expected disorder in the rates."""

    asked: Rates
    evidence: TextEvidence
    seen: CountedChanges | None  # None: both rates are given
    cost: Floats  # cost of each pair of annotators
    slopes: Floats  # slopes of the expected disorder of each document: two rows

    @property
    def ready(self) -> Prepared:
        return self.evidence.ready

    def sampled(self, without: str | None = None) -> Sampled:
        """Return the documents with all annotators, or without one of them."""
        sums = self.parts(None if without is None else self.ready.texts.annotators.index(without))
        se, total = self.evidence.chance_spread
        error = se / total if total > 0 else 0.0
        return Sampled(self.evidence.names, self.evidence.times * sums.there, sums.values, chance_error=error)

    def parts(self, without: int | None = None) -> TextSums:
        """Return the sums by document of all annotators, or without one of them."""
        if without is None:
            return self._whole
        kept = self.ready.texts.version_annotator != without
        changed = np.unique(self._doc[~kept[self.evidence.version]])
        return self._whole.with_changed(changed, self._sums(kept, changed))

    @cached_property
    def _whole(self) -> TextSums:
        everything = np.ones(len(self.ready.texts.strings), dtype=bool)
        return self._sums(everything, np.arange(len(self.ready.docs)))

    @cached_property
    def _doc(self) -> Ints:
        """Return the document of each compared version, in order."""
        return np.repeat(np.arange(len(self.ready.docs)), [len(who) for who in self.ready.members])

    def _sums(self, kept: Bools, at: Ints) -> TextSums:
        """Return the sums of some documents from the kept versions."""
        ready, evidence, docs = self.ready, self.evidence, len(at)
        row, owner = _rows_of(at, self._doc)
        version = evidence.version[row]
        here = kept[version].astype(np.float64)
        many = sums_by(owner, here, docs)
        there = many > 1
        row, pair_owner = _rows_of(at, ready.pairs[:, 0])
        mine = kept[ready.pairs[row, 1:]].all(axis=1)
        observed = sums_by(pair_owner[mine], self.cost[row[mine]], docs) / np.maximum(many * (many - 1) / 2, 1)
        own = sums_by(owner, ready.versions.units[version] * here, docs) / np.maximum(many, 1)
        drawn = self._kept_samples(kept, at)
        totals, means = (
            (sums * drawn).sum(axis=0) for sums in (evidence.totals[:, at].sum(axis=2), evidence.means[:, at])
        )
        by_chance = np.divide(totals, means, out=np.zeros(docs), where=means > 0)
        counts = None if self.seen is None else self.seen.by_doc(kept, at) * there[:, None]
        return TextSums(self, there, observed * there, own * there, by_chance, counts)

    def _kept_samples(self, kept: Bools, at: Ints) -> Bools:
        """Return which random texts do not derive from a left-out version."""
        ready, samples = self.ready, np.arange(len(self.evidence.totals))
        made = np.ones((len(samples), len(at)), dtype=bool)
        for k, d in enumerate(at.tolist()):
            who = kept[np.array(ready.members[d])]
            if ready.pre[d] is None and not who.all():
                made[:, k] = who[samples % len(who)]
        return made


def _rows_of(at: Ints, doc: Ints) -> tuple[Ints, Ints]:
    """Return the rows of some documents in a sorted column, and the document of each row."""
    low, high = (np.searchsorted(doc, at, side) for side in _SIDES)
    many = high - low
    owner = np.repeat(np.arange(len(at)), many)
    return np.arange(len(owner)) + np.repeat(low - (np.cumsum(many) - many), many), owner


@dataclass(frozen=True, eq=False)
class TextSums:
    """Terms by document: whether it is comparable, disorder, x̄, expected disorder per unit, and changes."""

    table: TextTable
    there: Bools
    observed: Floats
    own: Floats
    by_chance: Floats
    counts: Floats | None

    def with_changed(self, at: Ints, new: TextSums) -> TextSums:
        """Return the sums with some documents replaced."""
        columns: dict[str, Any] = {
            name: np.array(old) for name, old in vars(self).items() if isinstance(old, np.ndarray)
        }
        for name, column in columns.items():
            column[at] = getattr(new, name)
        return replace(self, **columns)

    def values(self, times: Floats) -> Floats:
        """Return tγ for each row of weights. Incomparable documents contribute nothing."""
        chance = [self.own * by for by in (self.by_chance, *self.table.slopes)]
        counts = self.counts if self.table.seen is not None else None
        sums = times @ np.column_stack([self.observed, *chance, *(() if counts is None else (counts,))])
        expected = sums[:, 1]
        if counts is not None and self.table.seen is not None:
            rates = self.table.evidence.rates
            moved = self.table.seen.rates(self.table.asked, sums[:, 4:])
            moved = moved - np.array([[rates.text], [rates.segmentation]])
            expected = expected + (moved * sums[:, 2:4].T).sum(axis=0)
        return one_minus(sums[:, 0], expected)


def text_table(asked: Rates, evidence: TextEvidence, run: Run) -> TextTable:
    """Return the table, computed once per evidence and seed."""
    return evidence.memo.once((asked, run.seed), lambda: _table(asked, evidence, run))


def _table(asked: Rates, evidence: TextEvidence, run: Run) -> TextTable:
    cost = evidence.compared.kinds_by_pair.sum(axis=1)
    seen = _count_changes(evidence, run) if any(rate.given is None for rate in asked) else None
    return TextTable(asked, evidence, seen, cost, _slopes(asked, evidence, run))


def _count_changes(evidence: TextEvidence, run: Run) -> CountedChanges:
    """Count changes by document, as tγ does for all documents together."""
    ready = evidence.ready
    units, tokens = ready.versions.units.astype(np.float64), ready.tokens.astype(np.float64)
    if ready.has_base:
        rows = np.array(
            [(d, b, v) for d, (b, who) in enumerate(zip(ready.pre, ready.members, strict=True)) for v in who]
        )
        doc, base, version = rows.T
        found = aligned(
            ready.bounded.without_labels(),
            rows[:, 1:],
            own_costs(ready.costs),
            run,
            "comparing with the pre-annotation",
        )
        counts = (found.changed, units[base], found.boundaries / 2, tokens[base])
        return CountedChanges(doc, np.column_stack([version, version]), np.column_stack(counts), has_base=True)
    doc, a, b = ready.pairs.T
    found = evidence.compared.alignments
    counts = (found.changed, units[a], found.boundaries / 2, (units[a] + units[b]) / 2)
    return CountedChanges(doc, ready.pairs[:, 1:], np.column_stack(counts).astype(np.float64), has_base=False)


def _slopes(asked: Rates, evidence: TextEvidence, run: Run) -> Floats:
    """Return the slope of each document's expected disorder in either rate; 0 if the rate is given or 0."""
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
    """Return the disorder per unit of random texts, by document."""
    totals, means = Chance.of(ready, rates, run.seed).drawn(range(samples), run)
    below = means.sum(axis=0)
    made: Floats = np.divide(totals.sum(axis=(0, 2)), below, out=np.zeros(len(below)), where=below > 0)
    return made
