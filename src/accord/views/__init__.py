"""Data as a browser shows them, document by document; the script and its style sheet are in assets/."""

from __future__ import annotations

from accord.aligning import align
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments
from accord.model.data import Data
from accord.views.base import Place, View, Views, script, script_json, style

__all__ = ["Place", "View", "Views", "script", "script_json", "style", "views_of"]


def views_of(
    data: Data, alignment: UnitaryAlignments | TextAlignments | None = None, *, most: int | None = None
) -> Views:
    """The documents worst first, at most so many; units and texts in their best alignment, by default the usual one."""
    from accord.views.units import views_of_units

    if data.kind.name == "units":
        found = align(data) if alignment is None else alignment
        return views_of_units(found, most)
    raise NotImplementedError
