"""What the options of measures take beyond the types of their fields: a measure turns it into those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin

import numpy as np

from accord.distances import Distance
from accord.measures.segmentations.boundary_edit_distance import EditMeasure
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


def accepted(field: Any) -> Any:
    """The type of an option, from that of its field."""
    return reduce(or_, (_TAKEN[part][1] if part in _TAKEN else part for part in _parts(field)))


def accepted_name(field: Any) -> str:
    """The same as it is written in a stub."""
    return " | ".join(_TAKEN[part][0] if part in _TAKEN else _name(part) for part in _parts(field))


def _parts(field: Any) -> tuple[Any, ...]:
    return get_args(field) if get_origin(field) in {Union, UnionType} else (field,)


def _name(part: Any) -> str:
    return "None" if part is type(None) else str(part.__name__)
