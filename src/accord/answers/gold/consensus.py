"""A consensus of annotators: what at least half of them marked, where the middle one did, as most of them called it.

Of units by their best alignment, of boundaries by how near they are, of items by the most frequent label. Of texts
it is the version nearest to the others. A measure that aligns units or texts says how. Each kind of data has a module
beside this one.
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
_OF = {"moved by": " of a length"}  # a boundary, on average


@dataclass(frozen=True)
class Rates:
    """How annotators differ from the consensus, per consensus unit and annotator who looked."""

    missing: float = 0.0  # consensus units that an annotator does not have
    extra: float = 0.0  # units that are in no consensus, per consensus unit
    split: float = 0.0  # further pieces of a consensus unit that the annotator has
    shift: float = 0.0  # mean move of a boundary, in mean lengths of the consensus
    wrong: float = 0.0  # labels that are not those of the consensus
    text: float = 0.0  # tokens with another text
    token: float = 0.0  # splits and mergers, per token
    disorder: Mapping[str, float] = field(default_factory=dict)  # shares of the disorder, by cause

    def in_words(self, annotators: int) -> list[str]:
        """The observed rates, and what they do not show."""
        seen = {
            "missing": self.missing,
            "extra": self.extra,
            "split": self.split,
            "moved by": self.shift,
            "relabelled": self.wrong,
            "another text": self.text,
            "split or merged": self.token,
        }
        shown = [f"{name} {rate:.1%}{_OF.get(name, '')}" for name, rate in seen.items() if rate > 0]
        lines = [f"Observed, each annotator from the consensus: {', '.join(shown)}."] if shown else []
        if (self.missing or self.extra) and annotators == 2:
            lines.append("What one of two has alone counts as missing: additions look like misses of the other one.")
        elif self.missing or self.extra:
            lines.append(
                "What fewer than half of the annotators have counts as extra: with few annotators misses look like "
                "additions."
            )
        if any(self.disorder.values()):
            parts = sorted(self.disorder.items(), key=lambda item: -item[1])
            shares = ", ".join(f"{name} {share:.0%}" for name, share in parts if share >= 0.005)
            lines.append(f"The disorder of the best alignment comes from: {shares}.")
        return lines


@dataclass(frozen=True, eq=False)
class Seats:
    """Annotators of each document or item, padded with -1.

    Of 2,000 annotators three may have read a text: this is as long as three.
    """

    codes: Ints  # documents × seats
    annotators: int  # of all documents

    @classmethod
    def of(cls, doc: Ints, annotator: Ints, docs: int, annotators: int) -> Seats:
        """From distinct pairs of document and annotator."""
        order = np.lexsort((annotator, doc))
        doc = doc[order]
        rank = np.arange(len(doc)) - np.searchsorted(doc, doc, side="left")
        seats = np.full((docs, int(rank.max(initial=-1)) + 1), -1, dtype=np.int64)
        seats[doc, rank] = annotator[order]
        return cls(seats, annotators)

    @classmethod
    def of_table(cls, judged: NDArray[np.bool_]) -> Seats:
        """From documents × annotators."""
        doc, annotator = np.nonzero(judged)
        return cls.of(doc, annotator, *judged.shape)

    def at(self, docs: Sequence[int]) -> Seats:
        """Seats of some documents, in the order given."""
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
        """How many annotators each document has."""
        return (self.codes >= 0).sum(axis=1).astype(np.int64)


def align_for_consensus(data: Data, asked: Measure | None, run: Run) -> Any:
    """The best alignment by the measure; by the usual one where it makes none."""
    compared = asked.compare(data, run) if asked is not None and asked.data == data.kind.name else None
    return measure(data.kind.main).compare(data, run) if compared is None else compared


@dataclass(frozen=True, eq=False)
class Consensus:
    """The consensus as data of one annotator, its support, and how the annotators differ from it."""

    data: Data
    seats: Seats  # of the data it was made from
    support: Ints  # annotators behind each unit, boundary, label or text
    rates: Rates


def consensus(data: Data, measure: Measure | None = None, run: Run | None = None) -> Consensus:
    agreed: Consensus = data.kind.part(data.kind.gold).consensus(data, measure, run or Run())
    return agreed


def seats_of(data: Data) -> Seats:
    """Which annotators looked at which documents or items."""
    seats: Seats = data.kind.part(data.kind.gold).seats(data)
    return seats
