"""Views of documents for a browser. The script and its style sheet are in assets/."""

from __future__ import annotations

from typing import TypeVar

from accord.answers.align import align
from accord.answers.views.items import views_of_items
from accord.answers.views.spans import views_of_chains, views_of_segmentations, views_of_units
from accord.answers.views.texts import views_of_texts
from accord.answers.views.view import DisputedPlace, DocumentView, Views, script, script_json, style
from accord.data.model.chains import Chains
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import Segmentations
from accord.data.model.texts import Texts
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

__all__ = ["DisputedPlace", "DocumentView", "Views", "script", "script_json", "style", "views_of"]

A = TypeVar("A")


def views_of(
    data: Data, alignment: UnitaryAlignments | TextAlignments | None = None, *, most: int | None = None
) -> Views:
    """Return the views of data, the document with most disagreement first, at most `most`.

    Units and texts are shown in their best alignment. All items are in one view, which also shows columns kept with
    `read(..., keep=["text"])`.
    """
    if isinstance(data, Corpus):
        return views_of_units(_aligned(data, alignment, UnitaryAlignments), most)
    if isinstance(data, Texts):
        return views_of_texts(_aligned(data, alignment, TextAlignments), most)
    if isinstance(data, Ratings):
        return views_of_items(data, most)
    if isinstance(data, Segmentations):
        return views_of_segmentations(data, most)
    assert isinstance(data, Chains), data.kind.words
    return views_of_chains(data, most)


def _aligned(data: Data, given: object, wanted: type[A]) -> A:
    found = align(data) if given is None else given
    assert isinstance(found, wanted), f"{data.kind.words} need {wanted.__name__}, not {type(found).__name__}"
    return found
