"""Consensus of annotators: units that at least half marked, at the median boundaries, with the most frequent label.

Units are matched by their best alignment, boundaries by distance. For items the consensus is the most frequent label,
for texts the version nearest to the others. A measure that aligns units or texts determines the alignment. Each kind of
data has its own module in this package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Ints
from accord.core.context import Run
from accord.data.model.data import Data
from accord.measures.catalogue import measure
from accord.measures.measure import Measure

NAME = "consensus"
_OF = {"moved by": " of a length"}  # mean move of a boundary


@dataclass(frozen=True)
class Rates:
    """Differences of annotators from the consensus, per consensus unit and annotator who saw the document."""

    missing: float = 0.0  # consensus units that an annotator did not mark
    extra: float = 0.0  # units outside the consensus, per consensus unit
    split: float = 0.0  # further pieces of a consensus unit
    shift: float = 0.0  # mean move of a boundary, in mean lengths of consensus units
    wrong: float = 0.0  # labels that differ from the consensus
    text: float = 0.0  # tokens with a different text
    token: float = 0.0  # splits and mergers, per token
    disorder: Mapping[str, float] = field(default_factory=dict)  # shares of the disorder by cause

    def in_words(self, annotators: int) -> list[str]:
        """Return the observed rates and their limitations."""
        seen = {
            "missing": self.missing,
            "extra": self.extra,
            "split": self.split,
            "moved by": self.shift,
            "relabelled": self.wrong,
            "different text": self.text,
            "split or merged": self.token,
        }
        shown = [f"{name} {rate:.1%}{_OF.get(name, '')}" for name, rate in seen.items() if rate > 0]
        lines = [f"Observed differences of an annotator from the consensus: {', '.join(shown)}."] if shown else []
        if (self.missing or self.extra) and annotators == 2:
            lines.append(
                "A unit of only one of two annotators counts as missing, so additions look like misses of the other "
                "annotator."
            )
        elif self.missing or self.extra:
            lines.append(
                "A unit of fewer than half of the annotators counts as extra, so with few annotators misses look like "
                "additions."
            )
        if any(self.disorder.values()):
            parts = sorted(self.disorder.items(), key=lambda item: -item[1])
            shares = ", ".join(f"{name} {share:.0%}" for name, share in parts if share >= 0.005)
            lines.append(f"Causes of the disorder of the best alignment: {shares}.")
        return lines


@dataclass(frozen=True, eq=False)
class Seats:
    """Annotators of each document or item, padded with -1.

    The table is as wide as the largest number of annotators per document, not as the number of all annotators.
    """

    codes: Ints  # documents × seats
    annotators: int  # in all documents

    @classmethod
    def of(cls, doc: Ints, annotator: Ints, docs: int, annotators: int) -> Seats:
        """Build it from distinct pairs of document and annotator."""
        order = np.lexsort((annotator, doc))
        doc = doc[order]
        rank = np.arange(len(doc)) - np.searchsorted(doc, doc, side="left")
        seats = np.full((docs, int(rank.max(initial=-1)) + 1), -1, dtype=np.int64)
        seats[doc, rank] = annotator[order]
        return cls(seats, annotators)

    @classmethod
    def of_table(cls, judged: NDArray[np.bool_]) -> Seats:
        """Build it from a table of documents × annotators."""
        doc, annotator = np.nonzero(judged)
        return cls.of(doc, annotator, *judged.shape)

    def at(self, docs: Sequence[int]) -> Seats:
        """Seats of some documents, in the given order."""
        return Seats(self.codes[list(docs)], self.annotators)

    @property
    def table(self) -> NDArray[np.bool_]:
        """Documents × annotators."""
        looked = np.zeros((len(self.codes), self.annotators), dtype=bool)
        doc, seat = np.nonzero(self.codes >= 0)
        looked[doc, self.codes[doc, seat]] = True
        return looked

    @property
    def each(self) -> Ints:
        """Number of annotators per document."""
        return (self.codes >= 0).sum(axis=1).astype(np.int64)


def align_for_consensus(data: Data, asked: Measure | None, run: Run) -> Any:
    """Return the best alignment by the measure, or by the usual measure if it aligns nothing."""
    compared = asked.compare(data, run) if asked is not None and asked.data == data.kind.name else None
    return measure(data.kind.main).compare(data, run) if compared is None else compared


@dataclass(frozen=True, eq=False)
class Consensus:
    """The consensus as data of one annotator, its support, and the differences of annotators from it."""

    data: Data
    seats: Seats  # of the source data
    support: Ints  # annotators behind each unit, boundary, label or text
    rates: Rates


def consensus(data: Data, measure: Measure | None = None, run: Run | None = None) -> Consensus:
    agreed: Consensus = data.kind.part(data.kind.gold).consensus(data, measure, run or Run())
    return agreed


def seats_of(data: Data) -> Seats:
    """Return which annotators saw which documents or items."""
    seats: Seats = data.kind.part(data.kind.gold).seats(data)
    return seats
