"""A consensus of annotators: what at least half of them marked, where the middle one did, as most of them called it."""

from __future__ import annotations

from accord.context import Run
from accord.gold.base import Consensus, Rates, Seats
from accord.gold.boundaries import of_boundaries, seats_of_boundaries
from accord.gold.items import of_items, seats_of_items
from accord.gold.texts import of_texts, seats_of_texts
from accord.gold.units import of_units
from accord.measures.base import Measure
from accord.measures.texts.text_gamma import TextGamma
from accord.measures.units.aligned import AlignedMeasure
from accord.measures.units.gamma import Gamma
from accord.model.corpus import Corpus
from accord.model.ratings import Ratings
from accord.model.segmentations import Segmentations
from accord.model.texts import Texts


def consensus(
    data: Corpus | Segmentations | Ratings | Texts, measure: Measure | None = None, run: Run | None = None
) -> Consensus:
    """Of units by their best alignment, of boundaries by how near they are, of items by the most frequent label.

    Of texts it is the version nearest to the others. A measure that aligns units or texts says how.
    """
    if isinstance(data, Ratings):
        return of_items(data)
    if isinstance(data, Segmentations):
        return of_boundaries(data)
    if isinstance(data, Texts):
        return of_texts(data, measure if isinstance(measure, TextGamma) else TextGamma(), run or Run())
    aligned = measure if isinstance(measure, AlignedMeasure) else Gamma()
    return of_units(aligned.compare(data, run or Run()))


def seats_of(data: Corpus | Segmentations | Ratings | Texts) -> Seats:
    """Who looked at which documents, or items."""
    if isinstance(data, Corpus):
        return Seats.of_table(data.judged)
    if isinstance(data, Segmentations):
        return seats_of_boundaries(data)
    return seats_of_items(data) if isinstance(data, Ratings) else seats_of_texts(data)


__all__ = ["Consensus", "Rates", "consensus", "seats_of"]
