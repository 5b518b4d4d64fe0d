"""A consensus of annotators: what at least half of them marked, where the middle one did, as most of them called it.

Of units by their best alignment, of boundaries by how near they are, of items by the most frequent label. Of texts
it is the version nearest to the others. A measure that aligns units or texts says how.
"""

from __future__ import annotations

from accord.answers.consensus.base import Consensus, Rates, Seats
from accord.core.context import Run
from accord.data.model.data import Data
from accord.measures.base import Measure


def consensus(data: Data, measure: Measure | None = None, run: Run | None = None) -> Consensus:
    found: Consensus = data.kind.part(data.kind.gold).consensus(data, measure, run or Run())
    return found


def seats_of(data: Data) -> Seats:
    """Who looked at which documents, or items."""
    found: Seats = data.kind.part(data.kind.gold).seats(data)
    return found


__all__ = ["Consensus", "Rates", "consensus", "seats_of"]
