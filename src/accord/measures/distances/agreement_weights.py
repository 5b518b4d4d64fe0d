"""Agreement weights: 1 for the same label, less for a far one. As distances, w = 1 − d/d_max."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.errors import SpecError
from accord.data.model.labels import Categories
from accord.measures.distances.base import Distance
from accord.measures.distances.scales import ratio_table
from accord.measures.distances.spaces import Points, Same, Space, from_lowest


@dataclass(frozen=True, repr=False)
class Power(Distance):
    exponent: float
    name: ClassVar[str] = "power"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − (|x − y|/range)^a (Warrens 2014)"

    def __post_init__(self) -> None:
        if not (isinstance(self.exponent, int | float) and self.exponent >= 0):
            raise SpecError(f"power: the exponent is a number from 0, not {self.exponent}")

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return _power(self, categories, float(self.exponent))


@dataclass(frozen=True, repr=False)
class Linear(Distance):
    name: ClassVar[str] = "linear"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − |x − y|/range"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return _power(self, categories, 1.0)


@dataclass(frozen=True, repr=False)
class Quadratic(Distance):
    name: ClassVar[str] = "quadratic"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − (x − y)²/range²"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return _power(self, categories, 2.0)


@dataclass(frozen=True, repr=False)
class Radical(Distance):
    name: ClassVar[str] = "radical"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − √(|x − y|/range)"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return _power(self, categories, 0.5)


@dataclass(frozen=True, repr=False)
class OrdinalWeights(Distance):
    name: ClassVar[str] = "ordinal"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "Gwet's: 1 − C(|k − l| + 1, 2)/max, by ranks"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        def matrix() -> Floats:
            apart = np.abs(categories.ranks[:, None] - categories.ranks)
            return _to_one(apart * (apart + 1) / 2)

        return self.table(matrix, len(categories))


@dataclass(frozen=True, repr=False)
class RatioWeights(Distance):
    name: ClassVar[str] = "ratio"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − ((x − y)/(x + y))²/max"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self.table(lambda: _to_one(ratio_table(categories.positions)), len(categories))


def _power(weights: Distance, categories: Categories, exponent: float) -> Space:
    x = categories.positions
    width = float(np.ptp(x)) if len(x) else 0.0
    scaled = from_lowest(x) / width if width > 0 else x * 0.0
    if exponent == 0:
        return Same(len(categories))
    if exponent == 2:
        return Points.on_line(scaled)
    return weights.table(lambda: np.abs(scaled[:, None] - scaled) ** exponent, len(categories))


def _to_one(distance: Floats) -> Floats:
    largest = distance.max(initial=0.0)
    return distance / largest if largest > 0 else distance
