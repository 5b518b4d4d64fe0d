"""γ without an annotator or a category, from what was aligned for all of them.

Documents in which nothing is missing keep their alignment, the others are aligned again, large ones from the groups
that were near their prices. Documents that are there twice are those of the whole data.

Samples of chance are shared, too. A sample of n annotators takes n continua alike, and one of the annotators of each.
Without somebody a continuum d has k′ of its k annotators left. The samples in which nobody of those left out has a seat
are draws of what is left, but not alike: a continuum that lost somebody is k′/k times as likely in them as it should
be. Each sample therefore counts Π k/k′ over its continua (Horvitz & Thompson 1952), which makes both sums of the
quotient unbiased, up to the same factor. Samples are looked at in the same order whoever is left out: those that serve
one serve all others.
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

_LOOKED_AT, _ENOUGH = 100, 0.1  # samples, and the share of them that serves at least
_FEWEST = 1  # sample of a number of annotators that hardly counts: how they vary is known from the others
_BLOCK = 20  # samples that are aligned together where some are missing: who asked for them does not matter
_DEAR_BLOCK = 1  # the same where each of them is aligned alone


@dataclass(frozen=True, eq=False)
class DocumentSums:
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

    compared: ComparedUnits
    mixed: Mixed  # the samples of chance for all of them
    pool: Annotations
    pool_docs: Ints  # the document of each continuum of the pool
    sampling: Sampling
    exactly: Callable[[Units, Ints], Alignment]  # aligns what was annotated, from groups that are known to be near
    nearly: Callable[[Units], Alignment]  # aligns random annotations
    run: Run

    @cached_property
    def aligned(self) -> Aligned:
        found = dict(zip(self.mixed.counts.tolist(), self.mixed.found, strict=True))
        return Aligned(self.pool, partial(sum_disorders, self.nearly), self.run.seed, found)

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
    def _documents(self) -> DocumentSums:
        units = self.compared.units
        return DocumentSums(self.compared.alignment.totals, units.per_annotator, units.annotators)

    @cached_property
    def _counts(self) -> Ints:
        """All numbers of annotators that there are, also where one of them is left out."""
        n_of = np.unique(self.compared.units.annotators)
        return np.union1d(n_of, n_of[n_of > 2] - 1)

    @cached_property
    def _sums(self) -> Remembered:
        table = self._documents.table(self._counts)
        return Remembered(lambda times: times @ table)

    def _left(self, at: Ints, fewer: DocumentSums) -> tuple[Ints, Floats]:
        """Annotators and x̄ of the documents that can be compared, after those `at` have changed."""
        n_of, own = self._documents.annotators.copy(), self._documents.own.copy()
        n_of[at], own[at] = fewer.annotators, fewer.own
        return n_of[own > 0], own[own > 0]

    def _mixable(self, mixing: WithoutSeats, at: Ints, fewer: DocumentSums) -> bool:
        n_of, _ = self._left(at, fewer)
        return mixing.continua >= int(n_of.max(initial=0)) and all(mixing.serves(n) for n in np.unique(n_of).tolist())

    def _sampled(self, at: Ints, fewer: DocumentSums, mixing: Mixing) -> Sampled:
        """γ where the documents `at` have changed."""
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


def _documents(disorder: Floats, count: Ints, annotators: Ints) -> DocumentSums:
    """Documents with so many units and annotators; what cannot be compared adds nothing."""
    there = (annotators > 1) & (count > 0)
    return DocumentSums(
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
        totals.append(align(left, renumber_groups(near, at, len(units))).totals)
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


# -- chance without some annotators or units -----------------------------------------------------------------------


class Aligned:
    """Random annotations of a pool, each aligned once, by the seats that they are mixed from."""

    def __init__(self, pool: Annotations, function: Summing, seed: int, found: Mapping[int, Drawn]) -> None:
        self.pool, self.function, self._seed = pool, function, seed
        self.units = len(pool.start) / len(pool.seat_continuum)
        self.counted = {n: one for n, one in found.items() if one.counted}
        self._drawn = {n: one.sums for n, one in found.items() if not one.counted}
        self._at_first = {n: len(sums.above) for n, sums in self._drawn.items()}
        self._seats: dict[int, Ints] = {}
        self._single: dict[bytes, tuple[float, float, float]] = {}

    def at_first(self, n: int) -> int:
        """The samples of n annotators that were there before anybody was left out."""
        return self._at_first.get(n, 0)

    def seats(self, n: int, many: int) -> Ints:
        """Of the samples of n annotators: as many as wanted, or more."""
        known = self._seats.get(n, np.zeros((0, n), dtype=np.int64))
        if len(known) < many:
            more = draw_seats(self.pool, n, self._seed, range(len(known), max(many, 2 * len(known))))
            known = self._seats[n] = np.concatenate([known, more])
        return known

    def sums(self, n: int, many: int, run: Run) -> Sums:
        """Of the same samples."""
        known = self._drawn.get(n)
        have = 0 if known is None else len(known.above)
        if have < many:
            block = _BLOCK if n <= FEW else _DEAR_BLOCK
            end = have + -(-(many - have) // block) * block
            more = self.solved(self.seats(n, end)[have:end], run)
            known = self._drawn[n] = more if known is None else Sums.joined([known, more])
        assert known is not None  # noqa: S101
        return known

    def solved(self, picked: Ints, run: Run) -> Sums:
        """Rows of seats, aligned now."""
        n = picked.shape[1]
        source = SampleSource(partial(lay_rows, self.pool, picked), n * self.units, n)
        return source.sums(self.function, range(len(picked)), run)

    def each(self, picked: Ints, run: Run) -> Sums:
        """Rows of seats, aligned now or before."""
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
    """Mixed from the seats of a pool that are kept; `Mixing`."""

    aligned: Aligned
    kept: Bools
    fewest: int = _FEWEST

    @property
    def units(self) -> float:
        return self.aligned.units

    @property
    def continua(self) -> int:
        """In which somebody is left."""
        return int((self._left > 0).sum())

    @cached_property
    def _left(self) -> Ints:
        pool = self.aligned.pool
        return np.bincount(pool.seat_continuum[self.kept], minlength=pool.n_continua)

    @cached_property
    def _counts(self) -> Floats:
        """How much more often a seat should be drawn: k/k′ of its continuum."""
        pool, left = self.aligned.pool, self._left
        return (pool.annotators / np.maximum(left, 1))[pool.seat_continuum]

    def serves(self, n: int) -> bool:
        """Whether enough of the samples of n annotators are left: else others are drawn from what is left alone."""
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
        all_of_them, _ = combinations_of(self.aligned.pool, n)  # those that are kept come in the same order
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
        """Which of so many samples take nobody who is left out."""
        return np.flatnonzero(self.kept[self.aligned.seats(n, many)[:many]].all(axis=1))


@dataclass(frozen=True, eq=False)
class WithoutUnits:
    """Mixed from the same seats, some of which have fewer units; `Mixing`.

    The same seats are drawn: samples in which no unit is missing are those that were aligned.
    """

    aligned: Aligned  # with all units
    fewer: Aligned
    touched: Bools  # seats that have fewer
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
        """Rows of seats; the first of them are known with all units."""
        have = 0 if known is None else len(known.above)
        anew = self.touched[picked].any(axis=1) | (np.arange(len(picked)) >= have)
        made = {} if known is None else {False: known.at(np.flatnonzero(~anew[:have]))}
        if anew.any():
            made[True] = self.fewer.solved(picked[anew], run)
        joined = Sums.joined([made[which] for which in sorted(made)])
        return joined.at(np.argsort(np.argsort(anew, kind="stable"), kind="stable"))
