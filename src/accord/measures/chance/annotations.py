"""The annotations that chance is drawn from: real units, by seats. A seat is an annotator who looked at a continuum."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.data.model.corpus import Corpus
from accord.measures.alignment.units import Units


@dataclass(frozen=True, eq=False)
class Annotations:
    """Units sorted by seat; seats sorted by continuum. A seat without units is one who marked nothing."""

    unit: Ints  # the number of each unit in its corpus
    seat: Ints  # of each unit
    start: Floats
    end: Floats
    label: Ints
    seat_continuum: Ints
    begin: Floats  # of each continuum
    extent: Floats  # its length
    extent_given: NDArray[np.bool_]

    @property
    def n_continua(self) -> int:
        return len(self.begin)

    @cached_property
    def annotators(self) -> Ints:
        """n of each continuum."""
        return np.bincount(self.seat_continuum, minlength=self.n_continua)

    @cached_property
    def first_seat(self) -> Ints:
        return np.cumsum(self.annotators) - self.annotators

    @cached_property
    def rank(self) -> Ints:
        """The number of each seat within its continuum."""
        return np.arange(len(self.seat_continuum)) - self.first_seat[self.seat_continuum]

    @cached_property
    def units_per_seat(self) -> Ints:
        return np.bincount(self.seat, minlength=len(self.seat_continuum))

    @cached_property
    def first_unit(self) -> Ints:
        return np.cumsum(self.units_per_seat) - self.units_per_seat

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """Continua whose positions are whole numbers: their random versions keep to them."""
        broken = (self.start % 1 != 0) | (self.end % 1 != 0)
        count = np.bincount(self.seat_continuum[self.seat], weights=broken, minlength=self.n_continua)
        return (count == 0) & (self.begin % 1 == 0) & (self.extent % 1 == 0)

    @cached_property
    def mean_length(self) -> Floats:
        """Of the units of each continuum; 0 where there are none."""
        where = self.seat_continuum[self.seat]
        total = np.bincount(where, weights=self.end - self.start, minlength=self.n_continua)
        return total / np.maximum(np.bincount(where, minlength=self.n_continua), 1)

    def units(self) -> Units:
        """As they are."""
        where = self.seat_continuum[self.seat]
        return Units(where, self.rank[self.seat], self.start, self.end, self.label, self.annotators)


def annotations_of(corpus: Corpus, docs: NDArray[np.intp]) -> Annotations:
    """The annotations of some documents of a corpus, in their order."""
    judged = corpus.judged[docs]
    seat_continuum, seated = np.nonzero(judged)
    seats = seat_continuum * judged.shape[1] + seated
    position = np.full(len(corpus.docs), -1, dtype=np.int64)
    position[docs] = np.arange(len(docs))
    at = np.flatnonzero(position[corpus.doc] >= 0)
    seat = np.searchsorted(seats, position[corpus.doc[at]] * judged.shape[1] + corpus.annotator[at])
    order = np.lexsort((corpus.label[at], corpus.end[at], corpus.start[at], seat))
    at, begin = at[order], corpus.extents[docs, 0]
    return Annotations(
        unit=at,
        seat=seat[order].astype(np.int64),
        start=corpus.start[at],
        end=corpus.end[at],
        label=corpus.label[at].astype(np.int64),
        seat_continuum=seat_continuum.astype(np.int64),
        begin=begin,
        extent=corpus.extents[docs, 1] - begin,
        extent_given=corpus.extent_given[docs],
    )
