"""What the options of measures take beyond the types of their fields: a measure turns it into those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin

import numpy as np

from accord.measures.distances import Distance
from accord.measures.segmentations.edit_distances import EditMeasure
from accord.measures.texts.text_gamma import Feature

DistanceLike: TypeAlias = (
    Distance | str | Mapping[tuple[Any, Any], float] | Sequence[Sequence[float]] | np.ndarray[Any, Any]
)
SimilarityLike: TypeAlias = EditMeasure | str
FeaturesLike: TypeAlias = str | Sequence[Feature] | Mapping[str, Distance | str]
PairLike: TypeAlias = Sequence[float]

# By the type of the field: the name of what is taken, and what that is.
_TAKEN: dict[object, tuple[str, Any]] = {
    Distance: ("DistanceLike", DistanceLike),
    EditMeasure: ("SimilarityLike", SimilarityLike),
    tuple[Feature, ...]: ("FeaturesLike", FeaturesLike),
    tuple[float, float]: ("PairLike", PairLike),
}


def accepted(field: Any, *also: Any) -> tuple[Any, Any]:
    """What an option takes, from the type of its field; and how that is written, which differs where it has a name."""
    parts = (*(get_args(field) if get_origin(field) in {Union, UnionType} else (field,)), *also)
    whole = reduce(or_, (_TAKEN[part][1] if part in _TAKEN else part for part in parts))
    if not any(part in _TAKEN for part in parts):
        return whole, whole
    return whole, " | ".join(_TAKEN[part][0] if part in _TAKEN else _name(part) for part in parts)


def _name(part: Any) -> str:
    return "None" if part is type(None) else str(part.__name__)
