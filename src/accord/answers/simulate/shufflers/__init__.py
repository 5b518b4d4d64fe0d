"""How each kind of data is shuffled: one file each."""

from __future__ import annotations

from typing import Any

from accord.answers.simulate.shufflers.base import Drawn, Shuffler
from accord.data.model.data import Data


def shuffler_of(data: Data) -> Shuffler[Any, Any]:
    """Of the kind that the data are of."""
    found: Shuffler[Any, Any] = data.kind.part(data.kind.shuffler)()
    return found


__all__ = ["Drawn", "Shuffler", "shuffler_of"]
