"""What can be drawn again: items or documents by name, and the value as a function of how often each of them counts.

Nothing is aligned or counted a second time: the evidence of a measure is counted otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from accord.arrays import Floats, Ints
from accord.context import Run
from accord.distances.spaces import sums_by
from accord.inference import sampled_sums
from accord.inference.sampled_texts import text_table
from accord.measures.base import Measure
from accord.measures.items.base import ItemEvidence, ItemMeasure
from accord.measures.segmentations.potential_boundaries import PlaceNames
from accord.measures.texts.differences import TextEvidence
from accord.measures.texts.text_gamma import TextGamma
from accord.measures.units.discretised import AtomEvidence, Discretised, rows_that_differ, stretches
from accord.measures.units.disorder import Costs
from accord.measures.units.gamma import AgainstReference, GammaEvidence
from accord.measures.units.gamma_cat import GammaCat, LabelEvidence
from accord.measures.units.krippendorff_alpha_u import KrippendorffAlphaU, LayerEvidence
from accord.measures.units.pairwise import Pairwise, PairwiseMeasure
from accord.measures.units.unitizing_alpha import BarUAlpha, Coincidences, CuAlpha, UAlpha

_CELLS = 4_000_000  # of a table of draws that is worked on at once

Values = Callable[[Floats], Floats]


@runtime_checkable
class Weighted(Protocol):
    """Evidence that is a sum over items or documents, which can be counted otherwise."""

    times: Floats

    def weighted(self, times: Floats) -> Weighted: ...


@dataclass(frozen=True, eq=False)
class Sampled:
    """`values` takes a row of times per draw and gives a value per draw, NaN where it is undefined."""

    names: Sequence[str]
    times: Floats  # in the data as they are
    values: Values
    noun: str = "document"
    chance_error: float = 0.0  # relative error of what chance gives, where it is sampled

    def __len__(self) -> int:
        return len(self.times)

    @property
    def value(self) -> float:
        return float(self.values(self.times[None, :])[0])

    def without_each(self) -> Floats:
        """The value without one of each, exactly: a number per name."""
        n = len(self)
        found = np.empty(n)
        step = max(1, _CELLS // max(n, 1))
        for at in range(0, n, step):
            rows = np.arange(at, min(n, at + step))
            times = np.repeat(self.times[None, :], len(rows), axis=0)
            times[np.arange(len(rows)), rows] -= 1
            found[rows] = self.values(times)
        return found

    def drawn(self, draws: Floats) -> Floats:
        """The values of many draws, in pieces."""
        step = max(1, _CELLS // max(len(self), 1))
        return np.concatenate([self.values(draws[at : at + step]) for at in range(0, len(draws), step)])


def sampled(measure: Measure, evidence: Any, run: Run) -> Sampled | None:
    """The documents or items behind a value, or None where the evidence does not tell them apart."""
    if isinstance(evidence, ItemEvidence) and isinstance(measure, ItemMeasure):
        return items(measure, evidence)
    if isinstance(evidence, TextEvidence) and isinstance(measure, TextGamma):
        return of_texts(measure, evidence, run)
    found = _of_alignments(measure, evidence)
    if found is not None or not isinstance(evidence, Weighted):
        return found
    noun = "item" if measure.data == "items" else "document"
    values = _sums(measure, evidence) or _each(measure, evidence)
    return Sampled(names_of(evidence), evidence.times, values, noun)


def _of_alignments(measure: Measure, evidence: Any) -> Sampled | None:
    """Measures whose evidence says more than sums by document."""
    if isinstance(evidence, GammaEvidence):
        return _gamma(evidence)
    if isinstance(evidence, AgainstReference):
        return _against_reference(evidence)
    if isinstance(evidence, LabelEvidence) and isinstance(measure, GammaCat):
        return _labels(measure, evidence)
    if isinstance(evidence, AtomEvidence) and isinstance(measure, Discretised):
        return _atoms(measure, evidence)
    return None


def _sums(measure: Measure, evidence: Any) -> Values | None:
    """Where the value comes from sums over documents."""
    if isinstance(evidence, Coincidences) and isinstance(measure, UAlpha | BarUAlpha):
        return sampled_sums.lengths(measure, evidence)
    if isinstance(evidence, Coincidences) and isinstance(measure, CuAlpha):
        return sampled_sums.common_lengths(measure, evidence)
    if isinstance(evidence, LayerEvidence) and isinstance(measure, KrippendorffAlphaU):
        return sampled_sums.boundaries(evidence)
    if isinstance(evidence, Pairwise) and isinstance(measure, PairwiseMeasure):
        return sampled_sums.pairs(measure, evidence)
    return None


def of_texts(measure: TextGamma, evidence: TextEvidence, run: Run, without: str | None = None) -> Sampled:
    """The documents of tγ, with all annotators or without one of them."""
    table = text_table(measure, evidence, run)
    who = evidence.ready.texts.annotators
    sums = table.parts(None if without is None else who.index(without))
    return Sampled(evidence.names, evidence.times * sums.there, sums.values, "document", table.chance_error())


def by_item(measure: ItemMeasure, evidence: ItemEvidence) -> ItemEvidence:
    """The same with a row for every item, not only for distinct ones: rows then have names."""
    source = evidence.source
    return evidence if evidence.rows is source else ItemEvidence(source, source, source.weight, measure.metric)


def items(measure: ItemMeasure, evidence: ItemEvidence) -> Sampled:
    """Items by name; places of segmentations by their document, because places of a text hang together."""
    evidence = by_item(measure, evidence)
    names = evidence.source.items
    if isinstance(names, PlaceNames):
        docs, code = np.unique(names.doc, return_inverse=True)
        source = evidence.source
        _, first, kind = np.unique(source.by_annotator[1].T, axis=0, return_index=True, return_inverse=True)
        alike = source.keep(np.isin(source.item, first)).only_items()
        place = np.empty(len(first), dtype=np.int64)
        place[np.argsort(first)] = np.arange(len(first))
        few = ItemEvidence(alike, alike, alike.weight, measure.metric)
        found = tuple(names.docs[int(d)] for d in docs)
        weight = evidence.times.astype(np.float64)
        values = _by_kind(code, place[kind.ravel()], weight, len(first), lambda t: _one(measure, few.weighted(t)))
        return Sampled(found, np.ones(len(docs)), values)
    return Sampled(names, evidence.times, _each(measure, evidence), "item")


def distinct_rows(measure: ItemMeasure, evidence: ItemEvidence) -> Sampled:
    """The distinct rows of items, for what does not ask for names: far fewer than items."""
    return Sampled(evidence.rows.items, evidence.times, _each(measure, evidence), "item")


def names_of(evidence: Any) -> tuple[str, ...]:
    """The names of the resampling units of an evidence: its documents."""
    for owner in (evidence, *(getattr(evidence, name, None) for name in ("line", "compared"))):
        source: Any = getattr(owner, "corpus", getattr(owner, "data", None))
        if source is not None and hasattr(owner, "docs"):
            return tuple(source.docs[int(d)] for d in owner.docs)
    if hasattr(evidence, "names"):
        return tuple(evidence.names)
    return tuple(str(k + 1) for k in range(len(evidence.times)))


def _each(measure: Measure, evidence: Any) -> Values:
    def values(times: Floats) -> Floats:
        return np.array([_one(measure, evidence.weighted(row)) for row in times])

    return values


def _one(measure: Measure, evidence: Any) -> float:
    """NaN where nothing is left to compare."""
    if isinstance(evidence, ItemEvidence) and not evidence.paired.any():
        return math.nan
    try:
        with np.errstate(all="ignore"):
            return measure.estimate(evidence).value
    except ZeroDivisionError:
        return math.nan


def _gamma(evidence: GammaEvidence) -> Sampled:
    observed = evidence.compared.alignment.totals
    expected = evidence.units_per_annotator * evidence.expected.disorder
    error = evidence.expected.total_se / evidence.expected.total if evidence.expected.total > 0 else 0.0
    return Sampled(
        names_of(evidence), evidence.times, lambda t: _one_minus(t @ observed, t @ expected), "document", error
    )


def _one_minus(above: Floats, below: Floats) -> Floats:
    """1 − a/b, NaN where b is 0."""
    quotient: Floats = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return 1.0 - quotient


def _against_reference(evidence: AgainstReference) -> Sampled:
    parts = [_gamma(one) for one in evidence.others.values()]
    names = tuple(dict.fromkeys(name for part in parts for name in part.names))
    number = {name: k for k, name in enumerate(names)}
    codes = [np.array([number[name] for name in part.names]) for part in parts]
    error = math.sqrt(sum(part.chance_error**2 for part in parts)) / len(parts)

    def values(times: Floats) -> Floats:
        each: Floats = np.array([part.values(times[:, code]) for part, code in zip(parts, codes, strict=True)])
        return each.mean(axis=0)

    return Sampled(names, np.ones(len(names)), values, "document", error)


def _labels(measure: GammaCat, evidence: LabelEvidence) -> Sampled:
    """γ_cat from sums by document: of distances, of weights, and of the weights of each category."""
    alignment, pairs = evidence.compared.alignment, evidence.pairs
    units, n = alignment.units, len(evidence.compared.docs)
    q = len(evidence.compared.corpus.categories)
    name = getattr(measure, "category", None)
    category = None if name is None else evidence.compared.corpus.categories.names.index(name)
    group, u, v = Costs(alignment, evidence.compared.dissimilarity).pairs
    known = (units.label[u] >= 0) & (units.label[v] >= 0)
    group, u, v = group[known], u[known], v[known]
    doc, mine = alignment.continuum[group], pairs.weight
    if category is not None:
        mine = mine * ((pairs.a == category) | (pairs.b == category))
    far, weight = sums_by(doc, mine * pairs.distance, n), sums_by(doc, mine, n)
    own = sums_by(np.concatenate([u, v]), np.concatenate([pairs.weight, pairs.weight]), len(units))
    cell = units.continuum * (q + 1) + np.where(units.label >= 0, units.label, q)
    by_category = sums_by(cell, own, n * (q + 1)).reshape(n, q + 1)[:, :q]
    squares = sums_by(cell, own**2, n * (q + 1)).reshape(n, q + 1)[:, :q]

    def values(times: Floats) -> Floats:
        observed = np.divide(times @ far, times @ weight, out=np.full(len(times), np.nan), where=times @ weight > 0)
        if evidence.random is not None:
            return _one_minus(observed, np.full(len(times), evidence.expected(category)))
        n_of, square = times @ by_category, times @ squares
        total = n_of.sum(axis=1)
        to = total[:, None] - n_of if evidence.table is None else n_of @ evidence.table.T
        if category is None:
            above, below = (n_of * to).sum(axis=1), total**2 - square.sum(axis=1)
        else:
            one = n_of[:, category]
            above, below = 2 * one * to[:, category], one**2 - square[:, category] + 2 * one * (total - one)
        chance = np.divide(above, below, out=np.zeros(len(times)), where=below > 0)
        return _one_minus(observed, chance)

    return Sampled(names_of(evidence.compared), np.ones(n), values)


def _atoms(measure: Discretised, evidence: AtomEvidence) -> Sampled:
    """How long each document has each row of labels: rows are the same for all of them."""
    line = evidence.line
    rows, length, doc = stretches(line)
    different, at = rows_that_differ(rows, len(line.names))

    def value(often: Floats) -> float:
        return _one(measure, replace(evidence, items=evidence.items.weighted(often)))

    values = _by_kind(doc, at, length, len(different), value)
    return Sampled(names_of(line), np.ones(len(line.docs)), values)


def _by_kind(doc: Ints, kind: Ints, weight: Floats, kinds: int, value: Callable[[Floats], float]) -> Values:
    """Items of the same kind change a value alike: it is a function of how often each kind occurs."""
    cell, back = np.unique(doc * np.int64(kinds) + kind, return_inverse=True)
    owner, row = np.divmod(cell, kinds)
    amount = sums_by(back, weight, len(cell))

    def values(times: Floats) -> Floats:
        return np.array([value(sums_by(row, drawn[owner] * amount, kinds)) for drawn in times])

    return values
