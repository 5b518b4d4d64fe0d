"""γ without an annotator or a category, from what was aligned for all of them.

Documents in which nothing is missing keep their alignment, the others are aligned again, large ones from the groups
that were near their prices. Samples of chance are shared, see `accord.measures.chance.left_out`. Documents that are
there twice are those of the whole data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.parallel import spread
from accord.measures.alignment.best import NO_GROUPS, Alignment, renumbered
from accord.measures.alignment.many import aligner, realigner
from accord.measures.alignment.units import Units
from accord.measures.chance.annotations import Annotations
from accord.measures.chance.expected import by_mixing, solved
from accord.measures.chance.left_out import Aligned, WithoutSeats, WithoutUnits
from accord.measures.chance.mixing import Mixing, mixed_for
from accord.measures.chance.sampling import Sampling
from accord.measures.chance.sums import solved_together
from accord.measures.sampling import Remembered, Sampled, one_minus
from accord.measures.units.compared import ComparedUnits
from accord.measures.units.gamma_evidence import GammaEvidence


@dataclass(frozen=True, eq=False)
class Documents:
    """What γ adds up, document by document: disorders, x̄, and the number of annotators."""

    disorder: Floats
    own: Floats
    annotators: Ints

    def table(self, counts: Ints) -> Floats:
        """Columns that are summed: disorders, and x̄ of the documents with each number of annotators."""
        columns = [self.disorder, *(np.where(self.annotators == n, self.own, 0.0) for n in counts.tolist())]
        return np.stack(columns, axis=1)


@dataclass(frozen=True, eq=False)
class Without:
    """γ without something, as a function of how often each document counts; few documents change."""

    whole: Remembered  # the sums of all documents as they were
    at: Ints  # documents that change
    change: Floats  # of their columns
    chance: Floats  # disorder by chance, for each number of annotators

    def __call__(self, times: Floats) -> Floats:
        sums = self.whole(times) + times[:, self.at] @ self.change
        return one_minus(sums[:, 0], sums[:, 1:] @ self.chance)


@dataclass(frozen=True, eq=False)
class Shared:
    """What all that are left out have in common."""

    evidence: GammaEvidence
    pool: Annotations
    pool_docs: Ints  # the document of each continuum of the pool
    sampling: Sampling
    exactly: Callable[[Units, Ints], Alignment]  # aligns what was annotated, from groups that are known to be near
    nearly: Callable[[Units], Alignment]  # aligns random annotations
    run: Run

    @property
    def compared(self) -> ComparedUnits:
        return self.evidence.compared

    @cached_property
    def aligned(self) -> Aligned:
        mixed = self.evidence.expected.mixed
        assert mixed is not None  # noqa: S101
        found = dict(zip(mixed.counts.tolist(), mixed.found, strict=True))
        return Aligned(self.pool, partial(solved, self.nearly), self.run.seed, found)

    def without_annotators(self, codes: Sequence[int]) -> Iterator[Sampled | None]:
        """None where the samples do not serve."""
        judged, source = self.compared.corpus.judged, self.compared.source
        seated = np.nonzero(judged[self.pool_docs])[1]
        n_of = self.compared.units.annotators
        who = np.nonzero(judged[self.compared.docs])[1]
        order = np.argsort(who, kind="stable")
        seats = [order[slice(*np.searchsorted(who, [code, code + 1], sorter=order))] for code in codes]
        changed = [source.seat_continuum[mine] for mine in seats]
        left = self._aligned_without("annotator", changed, [source.rank[mine] for mine in seats])
        for at, code, (disorder, count) in zip(changed, codes, left, strict=True):
            fewer = _documents(disorder, count, n_of[at] - 1)
            mixing = WithoutSeats(self.aligned, seated != code)
            yield self._sampled(at, fewer, mixing) if self._mixable(mixing, at, fewer) else None

    def without_categories(self, codes: Sequence[int]) -> Iterator[Sampled]:
        units = self.compared.units
        changed = [np.unique(units.continuum[units.label == code]) for code in codes]
        labels = [np.full(len(at), code) for at, code in zip(changed, codes, strict=True)]
        left = self._aligned_without("label", changed, labels)
        for at, code, (disorder, count) in zip(changed, codes, left, strict=True):
            fewer = _documents(disorder, count, units.annotators[at])
            gone = self.pool.label == code
            touched = np.zeros(len(self.pool.seat_continuum), dtype=bool)
            touched[self.pool.seat[gone]] = True
            columns = ("unit", "seat", "start", "end", "label")
            pool = replace(self.pool, **{name: getattr(self.pool, name)[~gone] for name in columns})
            without = Aligned(pool, self.aligned.function, self.run.seed, {})
            yield self._sampled(at, fewer, WithoutUnits(self.aligned, without, touched))

    @cached_property
    def _documents(self) -> Documents:
        units = self.compared.units
        return Documents(self.compared.alignment.totals, units.per_annotator, units.annotators)

    @cached_property
    def _counts(self) -> Ints:
        """All numbers of annotators that there are, also where one of them is left out."""
        n_of = np.unique(self.compared.units.annotators)
        return np.union1d(n_of, n_of[n_of > 2] - 1)

    @cached_property
    def _sums(self) -> Remembered:
        table = self._documents.table(self._counts)
        return Remembered(lambda times: times @ table)

    def _left(self, at: Ints, fewer: Documents) -> tuple[Ints, Floats]:
        """Annotators and x̄ of the documents that can be compared, after those `at` have changed."""
        n_of, own = self._documents.annotators.copy(), self._documents.own.copy()
        n_of[at], own[at] = fewer.annotators, fewer.own
        return n_of[own > 0], own[own > 0]

    def _mixable(self, mixing: WithoutSeats, at: Ints, fewer: Documents) -> bool:
        n_of, _ = self._left(at, fewer)
        return mixing.continua >= int(n_of.max(initial=0)) and all(mixing.serves(n) for n in np.unique(n_of).tolist())

    def _sampled(self, at: Ints, fewer: Documents, mixing: Mixing) -> Sampled:
        """γ where the documents `at` have changed."""
        before = Documents(*(getattr(self._documents, name)[at] for name in ("disorder", "own", "annotators")))
        change = fewer.table(self._counts) - before.table(self._counts)
        times, chance, error = np.ones(len(self.compared.docs)), np.zeros(len(self._counts)), 0.0
        times[at] = fewer.own > 0
        n_of, own = self._left(at, fewer)
        if len(own):
            expected = by_mixing(mixed_for(mixing, n_of, own, self.sampling, self.run), n_of, self.sampling)
            chance[np.searchsorted(self._counts, n_of)] = expected.disorder
            error = expected.relative_error
        return Sampled(self.compared.names, times, Without(self._sums, at, change, chance), chance_error=error)

    def _aligned_without(
        self, column: str, continua: Sequence[Ints], values: Sequence[Ints]
    ) -> Iterator[tuple[Floats, Ints]]:
        """Continua without the units that have a value in a column: what is left of each, aligned, and its units."""
        units = self.compared.units
        continuum, value = np.concatenate(continua), np.concatenate(values)
        first, same = _first_alike(units, column, continuum, value)
        order = first[
            np.lexsort((continuum[first], units.counts[continuum[first]], units.annotators[continuum[first]]))
        ]
        tasks = [order[k] for k in _together(units, continuum[order])]
        near = self.compared.alignment.near
        task = partial(_solved_without, units, near, self.exactly, column, continuum, value)
        found = spread(task, tasks, self.run, "aligning documents with less")
        totals, counts = np.zeros(len(value)), np.zeros(len(value), dtype=np.int64)
        for at, (total, count) in zip(tasks, found, strict=True):
            totals[at], counts[at] = total, count
        ends = np.cumsum([len(at) for at in continua])[:-1]
        return zip(np.split(totals[same], ends), np.split(counts[same], ends), strict=True)


def _first_alike(units: Units, column: str, continuum: Ints, value: Ints) -> tuple[Ints, Ints]:
    """What has to be aligned, and for each continuum without a value which of these it is.

    Two annotators with the same units in a document are the same to the others: without either, as much is left.
    """
    if column != "annotator":
        return np.arange(len(value)), np.arange(len(value))
    owner = units.continuum * (int(units.annotators.max()) + 1) + units.annotator
    order = np.lexsort((units.label, units.end, units.start, owner))
    wanted = continuum * (int(units.annotators.max()) + 1) + value
    low, high = (np.searchsorted(owner[order], wanted, side=side) for side in ("left", "right"))
    marked = np.stack([units.start, units.end, units.label.astype(np.float64)], axis=1)[order]
    names: dict[tuple[int, bytes], int] = {}
    same = np.empty(len(value), dtype=np.int64)
    for k, (where, one, end) in enumerate(zip(continuum.tolist(), low.tolist(), high.tolist(), strict=True)):
        same[k] = names.setdefault((where, marked[one:end].tobytes()), k)
    return np.unique(same), same


def _documents(disorder: Floats, count: Ints, annotators: Ints) -> Documents:
    """Documents with so many units and annotators; what cannot be compared adds nothing."""
    there = (annotators > 1) & (count > 0)
    return Documents(
        np.where(there, disorder, 0.0), np.where(there, count / np.maximum(annotators, 1), 0.0), annotators
    )


def _together(units: Units, continuum: Ints) -> Iterator[slice]:
    """Continua in the order of their size, cut into what is solved at once; a large one with all that it is without."""
    low = 0
    while low < len(continuum):
        high = low + 1
        while high < len(continuum) and _fits(units, continuum[low], continuum[high], high - low):
            high += 1
        yield slice(low, high)
        low = high


def _fits(units: Units, first: int, another: int, already: int) -> bool:
    if _alone(units, first):
        return another == first
    return already < solved_together(int(units.annotators[another]), float(units.counts[another]))


def _alone(units: Units, continuum: int) -> bool:
    return solved_together(int(units.annotators[continuum]), float(units.counts[continuum])) == 1


def _solved_without(
    units: Units,
    near: Ints,
    align: Callable[[Units, Ints], Alignment],
    column: str,
    continuum: Ints,
    value: Ints,
    which: Ints,
) -> tuple[Floats, Ints]:
    """Σ disorder, and the units, of some continua without the units that have a value in a column."""
    if not _alone(units, int(continuum[which[0]])):
        left, _ = _left_of(units, column, continuum[which], value[which])
        return align(left, NO_GROUPS).totals, left.counts
    totals, counts = [], []
    for one in which:
        left, at = _left_of(units, column, continuum[[one]], value[[one]])
        totals.append(align(left, renumbered(near, at, len(units))).totals)
        counts.append(left.counts)
    return np.concatenate(totals), np.concatenate(counts)


def _left_of(units: Units, column: str, continuum: Ints, value: Ints) -> tuple[Units, Ints]:
    """Continua without the units that have a value in a column, and which units these are."""
    first = np.searchsorted(units.continuum, continuum)
    count = units.counts[continuum]
    number = np.repeat(np.arange(len(continuum)), count)
    at = np.arange(len(number)) + np.repeat(first - np.cumsum(count) + count, count)
    kept = getattr(units, column)[at] != value[number]
    number, at = number[kept], at[kept]
    annotators, annotator = units.annotators[continuum], units.annotator[at]
    if column == "annotator":
        annotators, annotator = annotators - 1, annotator - (annotator > value[number])
    return Units(number, annotator, units.start[at], units.end[at], units.label[at], annotators), at


def shared_with(
    evidence: GammaEvidence, pool: Annotations, pool_docs: Ints, sampling: Sampling, soft: bool, gap: float, run: Run
) -> Shared:
    dissimilarity = evidence.compared.dissimilarity
    exactly, nearly = realigner(dissimilarity, soft), aligner(dissimilarity, soft, gap)
    return Shared(evidence, pool, pool_docs, sampling, exactly, nearly, run)
