"""γ without one annotator or category, from the alignments and samples of the whole data.

Documents without the annotator or category keep their alignment. The others are aligned again; large ones start from
groups that were close to their prices. Duplicate documents are those of the whole data.

Samples of chance are reused as well. A sample of n annotators draws n continua with equal probability, and one
annotator of each. Without the left-out annotator, a continuum has k′ of its k annotators. A sample without the left-out
annotator is a draw from the remaining annotations, but a continuum that lost an annotator is k′/k times as likely as it
should be. Each sample therefore has the weight Π k/k′ over its continua (Horvitz & Thompson 1952), which makes the
numerator and the denominator unbiased up to a common factor. All left-out annotators use the samples in the same order,
so that they share them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from accord.core.arrays import Bools, Floats, Ints
from accord.core.context import Run
from accord.core.parallel import spread
from accord.measures.alignment.best import FEW, NO_GROUPS, Alignment, renumber_groups
from accord.measures.alignment.units import Units
from accord.measures.chance.drawing import Annotations, combinations_of, number_of_combinations
from accord.measures.chance.expected import (
    Mixed,
    Mixing,
    by_mixing,
    draw_mixed_samples,
    draw_seats,
    lay_rows,
    sum_disorders,
)
from accord.measures.chance.sampling import (
    MOST_SAMPLES,
    Drawn,
    SampleSource,
    Sampling,
    Summing,
    Sums,
    share_equally,
    solved_together,
)
from accord.measures.resampling import Remembered, Sampled, one_minus
from accord.measures.units.unitary import ComparedUnits

_LOOKED_AT, _ENOUGH = 100, 0.1  # samples checked, and the smallest usable share of them
_FEWEST = 1  # samples for a number of annotators with little weight; the others provide the spread
_BLOCK = 20  # samples aligned together if some are missing, so that results do not depend on the request
_DEAR_BLOCK = 1  # the same if each sample is aligned alone


@dataclass(frozen=True, eq=False)
class DocumentSums:
    """Terms of γ by document: disorder, x̄, and number of annotators."""

    disorder: Floats
    own: Floats
    annotators: Ints

    def table(self, counts: Ints) -> Floats:
        """Return the summed columns: disorder, and x̄ of documents by number of annotators."""
        columns = [self.disorder, *(np.where(self.annotators == n, self.own, 0.0) for n in counts.tolist())]
        return np.stack(columns, axis=1)


@dataclass(frozen=True, eq=False)
class Without:
    """γ without an annotator or category as a function of document weights; few documents change."""

    whole: Remembered  # sums over all documents before the change
    at: Ints  # changed documents
    change: Floats  # change of their columns
    chance: Floats  # expected disorder for each number of annotators

    def __call__(self, times: Floats) -> Floats:
        sums = self.whole(times) + times[:, self.at] @ self.change
        return one_minus(sums[:, 0], sums[:, 1:] @ self.chance)


@dataclass(frozen=True, eq=False)
class Shared:
    """Data shared by all left-out annotators or categories."""

    compared: ComparedUnits
    mixed: Mixed  # samples of chance for the whole data
    pool: Annotations
    pool_docs: Ints  # document of each continuum of the pool
    sampling: Sampling
    exactly: Callable[[Units, Ints], Alignment]  # aligns annotations, starting from known groups
    nearly: Callable[[Units], Alignment]  # aligns random annotations
    run: Run

    @cached_property
    def aligned(self) -> Aligned:
        found = dict(zip(self.mixed.counts.tolist(), self.mixed.found, strict=True))
        return Aligned(self.pool, partial(sum_disorders, self.nearly), self.run.seed, found)

    def without_annotators(self, codes: Sequence[int]) -> Iterator[Sampled | None]:
        """Yield γ without each annotator; None if too few samples can be reused."""
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
    def _documents(self) -> DocumentSums:
        units = self.compared.units
        return DocumentSums(self.compared.alignment.totals, units.per_annotator, units.annotators)

    @cached_property
    def _counts(self) -> Ints:
        """Return all numbers of annotators that occur, also after leaving out one annotator."""
        n_of = np.unique(self.compared.units.annotators)
        return np.union1d(n_of, n_of[n_of > 2] - 1)

    @cached_property
    def _sums(self) -> Remembered:
        table = self._documents.table(self._counts)
        return Remembered(lambda times: times @ table)

    def _left(self, at: Ints, fewer: DocumentSums) -> tuple[Ints, Floats]:
        """Return annotators and x̄ of the comparable documents after the documents `at` have changed."""
        n_of, own = self._documents.annotators.copy(), self._documents.own.copy()
        n_of[at], own[at] = fewer.annotators, fewer.own
        return n_of[own > 0], own[own > 0]

    def _mixable(self, mixing: WithoutSeats, at: Ints, fewer: DocumentSums) -> bool:
        n_of, _ = self._left(at, fewer)
        return mixing.continua >= int(n_of.max(initial=0)) and all(mixing.serves(n) for n in np.unique(n_of).tolist())

    def _sampled(self, at: Ints, fewer: DocumentSums, mixing: Mixing) -> Sampled:
        """Return γ after the documents `at` have changed."""
        before = DocumentSums(*(getattr(self._documents, name)[at] for name in ("disorder", "own", "annotators")))
        change = fewer.table(self._counts) - before.table(self._counts)
        times, chance, error = np.ones(len(self.compared.docs)), np.zeros(len(self._counts)), 0.0
        times[at] = fewer.own > 0
        n_of, own = self._left(at, fewer)
        if len(own):
            expected = by_mixing(draw_mixed_samples(mixing, n_of, own, self.sampling, self.run), n_of, self.sampling)
            chance[np.searchsorted(self._counts, n_of)] = expected.disorder
            error = expected.relative_error
        return Sampled(self.compared.names, times, Without(self._sums, at, change, chance), chance_error=error)

    def _aligned_without(
        self, column: str, continua: Sequence[Ints], values: Sequence[Ints]
    ) -> Iterator[tuple[Floats, Ints]]:
        """Yield disorder and number of units of continua without the units with a value in a column."""
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
    """Return the distinct problems to align, and the problem of each continuum without a value.

    Removing either of two annotators with identical units in a document leaves the same problem.
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


def _documents(disorder: Floats, count: Ints, annotators: Ints) -> DocumentSums:
    """Return documents with these numbers of units and annotators; incomparable documents contribute nothing."""
    there = (annotators > 1) & (count > 0)
    return DocumentSums(
        np.where(there, disorder, 0.0), np.where(there, count / np.maximum(annotators, 1), 0.0), annotators
    )


def _together(units: Units, continuum: Ints) -> Iterator[slice]:
    """Yield batches of continua sorted by size; all problems of a large continuum form one batch."""
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
    """Return Σ disorder and the number of units of some continua without the units with a value in a column."""
    if not _alone(units, int(continuum[which[0]])):
        left, _ = _left_of(units, column, continuum[which], value[which])
        return align(left, NO_GROUPS).totals, left.counts
    totals, counts = [], []
    for one in which:
        left, at = _left_of(units, column, continuum[[one]], value[[one]])
        totals.append(align(left, renumber_groups(near, at, len(units))).totals)
        counts.append(left.counts)
    return np.concatenate(totals), np.concatenate(counts)


def _left_of(units: Units, column: str, continuum: Ints, value: Ints) -> tuple[Units, Ints]:
    """Return continua without the units with a value in a column, and the indices of the remaining units."""
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


# -- chance without some annotators or units -----------------------------------------------------------------------


class Aligned:
    """Random annotations of a pool, each aligned once, identified by their seats."""

    def __init__(self, pool: Annotations, function: Summing, seed: int, found: Mapping[int, Drawn]) -> None:
        self.pool, self.function, self._seed = pool, function, seed
        self.units = len(pool.start) / len(pool.seat_continuum)
        self.counted = {n: one for n, one in found.items() if one.counted}
        self._drawn = {n: one.sums for n, one in found.items() if not one.counted}
        self._at_first = {n: len(sums.above) for n, sums in self._drawn.items()}
        self._seats: dict[int, Ints] = {}
        self._single: dict[bytes, tuple[float, float, float]] = {}

    def at_first(self, n: int) -> int:
        """Return the number of samples of n annotators drawn for the whole data."""
        return self._at_first.get(n, 0)

    def seats(self, n: int, many: int) -> Ints:
        """Return the seats of at least `many` samples of n annotators."""
        known = self._seats.get(n, np.zeros((0, n), dtype=np.int64))
        if len(known) < many:
            more = draw_seats(self.pool, n, self._seed, range(len(known), max(many, 2 * len(known))))
            known = self._seats[n] = np.concatenate([known, more])
        return known

    def sums(self, n: int, many: int, run: Run) -> Sums:
        """Return the sums of the same samples."""
        known = self._drawn.get(n)
        have = 0 if known is None else len(known.above)
        if have < many:
            block = _BLOCK if n <= FEW else _DEAR_BLOCK
            end = have + -(-(many - have) // block) * block
            more = self.solved(self.seats(n, end)[have:end], run)
            known = self._drawn[n] = more if known is None else Sums.joined([known, more])
        assert known is not None
        return known

    def solved(self, picked: Ints, run: Run) -> Sums:
        """Align rows of seats and return their sums."""
        n = picked.shape[1]
        source = SampleSource(partial(lay_rows, self.pool, picked), n * self.units, n)
        return source.sums(self.function, range(len(picked)), run)

    def each(self, picked: Ints, run: Run) -> Sums:
        """Return the sums of rows of seats, aligned now or earlier."""
        keys = [row.tobytes() for row in picked]
        missing = [k for k, key in enumerate(keys) if key not in self._single]
        if missing:
            found = self.solved(picked[missing], run)
            columns = (found.above[:, 0], found.below[:, 0], found.slack_of_each[:, 0])
            for k, *values in zip(missing, *(column.tolist() for column in columns), strict=True):
                self._single[keys[k]] = (values[0], values[1], values[2])
        table = np.array([self._single[key] for key in keys]).reshape(-1, 3, 1)
        return Sums(table[:, 0], table[:, 1], table[:, 2])


@dataclass(frozen=True, eq=False)
class WithoutSeats:
    """Mixtures of the kept seats of a pool; implements `Mixing`."""

    aligned: Aligned
    kept: Bools
    fewest: int = _FEWEST

    @property
    def units(self) -> float:
        return self.aligned.units

    @property
    def continua(self) -> int:
        """Return the number of continua with remaining annotators."""
        return int((self._left > 0).sum())

    @cached_property
    def _left(self) -> Ints:
        pool = self.aligned.pool
        return np.bincount(pool.seat_continuum[self.kept], minlength=pool.n_continua)

    @cached_property
    def _counts(self) -> Floats:
        """Return the weight of a seat: k/k′ of its continuum."""
        pool, left = self.aligned.pool, self._left
        return (pool.annotators / np.maximum(left, 1))[pool.seat_continuum]

    def serves(self, n: int) -> bool:
        """Return whether enough samples of n annotators can be reused; otherwise new ones are drawn."""
        return n in self.aligned.counted or len(self._serving(n, _LOOKED_AT)) >= _ENOUGH * _LOOKED_AT

    def least(self, n: int) -> int:
        if n in self.aligned.counted:
            return self.ways(n) or 0
        return len(self._serving(n, self.aligned.at_first(n)))

    def ways(self, n: int) -> int | None:
        return number_of_combinations(self._left, n, MOST_SAMPLES)

    def every(self, n: int, run: Run) -> Drawn:
        picked, shares = combinations_of(self.aligned.pool, n, self.kept)
        known = self.aligned.counted.get(n)
        if known is None:
            return Drawn(self.aligned.each(picked, run), shares, counted=True)
        all_of_them, _ = combinations_of(self.aligned.pool, n)  # the kept combinations are in the same order
        return Drawn(known.sums.at(np.flatnonzero(self.kept[all_of_them].all(axis=1))), shares, counted=True)

    def more(self, found: Drawn, n: int, wanted: int, run: Run) -> Drawn:
        if wanted <= len(found.shares):
            return found
        many = max(wanted, self.aligned.at_first(n))
        while len(serving := self._serving(n, many)) < wanted:
            many += max(_BLOCK, wanted - len(serving))
        serving = serving[:wanted]
        sums = self.aligned.sums(n, int(serving[-1]) + 1, run)
        return share_equally(sums.at(serving, self._counts[self.aligned.seats(n, many)[serving]].prod(axis=1)))

    def _serving(self, n: int, many: int) -> Ints:
        """Return the samples without a left-out annotator."""
        return np.flatnonzero(self.kept[self.aligned.seats(n, many)[:many]].all(axis=1))


@dataclass(frozen=True, eq=False)
class WithoutUnits:
    """Mixtures of the same seats, some with fewer units; implements `Mixing`.

    The same seats are drawn, so samples without a removed unit keep their alignment.
    """

    aligned: Aligned  # with all units
    fewer: Aligned
    touched: Bools  # seats with fewer units
    fewest: int = _FEWEST

    @property
    def units(self) -> float:
        return self.fewer.units

    def least(self, n: int) -> int:
        return self.ways(n) or 0 if n in self.aligned.counted else 0

    def ways(self, n: int) -> int | None:
        return number_of_combinations(self.fewer.pool.annotators, n, MOST_SAMPLES)

    def every(self, n: int, run: Run) -> Drawn:
        picked, shares = combinations_of(self.fewer.pool, n)
        known = self.aligned.counted.get(n)
        return Drawn(self._solved(picked, None if known is None else known.sums, run), shares, counted=True)

    def more(self, found: Drawn, n: int, wanted: int, run: Run) -> Drawn:
        have = len(found.shares)
        if wanted <= have:
            return found
        picked = self.aligned.seats(n, wanted)[have:wanted]
        known = self.aligned.at_first(n)
        before = self.aligned.sums(n, known, run).at(np.arange(have, min(known, wanted))) if have < known else None
        more = self._solved(picked, before, run)
        return share_equally(Sums.joined([found.sums, more]) if have else more)

    def _solved(self, picked: Ints, known: Sums | None, run: Run) -> Sums:
        """Return the sums of rows of seats; `known` are those of the first rows with all units."""
        have = 0 if known is None else len(known.above)
        anew = self.touched[picked].any(axis=1) | (np.arange(len(picked)) >= have)
        made = {} if known is None else {False: known.at(np.flatnonzero(~anew[:have]))}
        if anew.any():
            made[True] = self.fewer.solved(picked[anew], run)
        joined = Sums.joined([made[which] for which in sorted(made)])
        return joined.at(np.argsort(np.argsort(anew, kind="stable"), kind="stable"))
