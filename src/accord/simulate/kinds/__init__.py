"""How each kind of data is shuffled: one file each."""

from __future__ import annotations

from typing import Any

from accord.simulate.kinds.base import Data, Kind
from accord.simulate.kinds.boundaries import ShuffledBoundaries
from accord.simulate.kinds.items import ShuffledItems
from accord.simulate.kinds.texts import ShuffledTexts
from accord.simulate.kinds.units import ShuffledUnits

KINDS: tuple[Kind[Any, Any], ...] = (ShuffledUnits(), ShuffledBoundaries(), ShuffledItems(), ShuffledTexts())


def kind_of(data: Data) -> Kind[Any, Any]:
    """The kind that data are of."""
    return next(kind for kind in KINDS if isinstance(data, kind.data))


__all__ = ["KINDS", "Data", "Kind", "kind_of"]
