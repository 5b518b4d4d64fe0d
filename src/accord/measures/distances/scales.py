"""Distances on scales (nominal, ordinal, interval, ratio, circular, bipolar), and agreement weights on them.

An agreement weight is 1 for equal labels and lower for distant ones: w = 1 − d/d_max.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats
from accord.core.errors import DataError, SpecError
from accord.data.model.labels import Categories
from accord.measures.distances.spaces import Distance, Lines, Points, Same, Space, from_lowest


@dataclass(frozen=True, repr=False)
class Nominal(Distance):
    up_to_one: ClassVar[bool] = True
    name: ClassVar[str] = "nominal"
    aliases: ClassVar[tuple[str, ...]] = ("identity", "binary")
    summary: ClassVar[str] = "0 for equal labels, 1 for different labels"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return Same(len(categories))


@dataclass(frozen=True, repr=False)
class Ordinal(Distance):
    name: ClassVar[str] = "ordinal"
    uses_order: ClassVar[bool] = True
    depends_on_data: ClassVar[bool] = True
    summary: ClassVar[str] = "Krippendorff's ordinal distance: squared number of labels between two ranks"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        # Σ_{g=c..k} n_g − (n_c + n_k)/2 is the difference of two mid-ranks.
        return Points.on_line(np.cumsum(marginals) - marginals / 2)

    def lines(self, marginals: Floats) -> Lines:
        rank = np.cumsum(marginals, axis=0) - marginals / 2
        return Lines(rank - rank[0])


@dataclass(frozen=True, repr=False)
class IntervalDistance(Distance):
    name: ClassVar[str] = "interval"
    needs_numbers: ClassVar[bool] = True
    summary: ClassVar[str] = "(c − k)²"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return Points.on_line(categories.values)


@dataclass(frozen=True, repr=False)
class Ratio(Distance):
    name: ClassVar[str] = "ratio"
    needs_numbers: ClassVar[bool] = True
    summary: ClassVar[str] = "((c − k)/(c + k))², for numbers from 0"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self.table(lambda: ratio_table(categories.values), len(categories))


@dataclass(frozen=True, repr=False)
class Circular(Distance):
    period: float | None = None
    name: ClassVar[str] = "circular"
    uses_range: ClassVar[bool] = True
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "sin²(π(c − k)/period): hours, weekdays, angles; period = range + 1 by default"

    def __post_init__(self) -> None:
        if self.period is not None and not (isinstance(self.period, int | float) and self.period > 0):
            raise SpecError("measure-option", f"circular: period must be a positive number, not {self.period}")

    def on(self, categories: Categories, compared: NDArray[np.bool_]) -> Distance:
        x = categories.positions[compared]
        if self.period is not None or categories.declared or not len(x):
            return self
        return Circular(float(np.ptp(x)) + 1)

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        x = categories.positions
        period = self.period or (float(np.ptp(x)) + 1 if len(x) else 1.0)
        angle = 2 * np.pi * x / period
        points = np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2  # |a − b|² is then sin² of half the angle
        return Points(points, _largest_on_circle(x, period))


@dataclass(frozen=True, repr=False)
class Bipolar(Distance):
    poles: tuple[float, float] | None = field(default=None, repr=False)  # None: the range of the labels

    name: ClassVar[str] = "bipolar"
    uses_range: ClassVar[bool] = True
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "(c − k)²/((c + k − 2min)(2max − c − k)): a step near the poles counts more"

    def on(self, categories: Categories, compared: NDArray[np.bool_]) -> Distance:
        x = categories.positions[compared]
        if categories.declared or not len(x):
            return self
        return Bipolar((float(x.min()), float(x.max())))

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        x = categories.positions
        if self.poles is not None:  # labels beyond the poles are not compared
            x = np.clip(x, *self.poles)
        return self.table(lambda: _bipolar(x), len(categories))


def ratio_table(x: Floats) -> Floats:
    if (x < 0).any():
        raise DataError(
            "matrix-invalid", f"the ratio distance needs numbers from 0, but {x.min():g} occurs; use interval"
        )
    total = x[:, None] + x
    quotient = np.divide(x[:, None] - x, total, out=np.zeros_like(total), where=total > 0)
    return quotient**2


def _near_one(x: Floats) -> Floats:
    """Scale numbers by a power of two, which is exact, so that squares neither overflow nor underflow."""
    _, exponent = np.frexp(np.abs(x).max(initial=0.0))
    return np.ldexp(x, -exponent)


def _bipolar(x: Floats) -> Floats:
    x = _near_one(x)
    x = _near_one(x - x.min(initial=np.inf))
    total = x[:, None] + x
    below = total * (2 * x.max(initial=0.0) - total)
    square = (x[:, None] - x) ** 2
    return np.divide(square, below, out=np.zeros_like(square), where=below > 0)


def _largest_on_circle(x: Floats, period: float) -> float:
    """Return the largest sin²: for each position that of the point nearest to the opposite side."""
    if not len(x):
        return 0.0
    around = np.sort(x % period)
    opposite = (around + period / 2) % period
    after = np.searchsorted(around, opposite) % len(x)
    neighbours = np.stack([around[after], around[after - 1]])
    return float((np.sin(np.pi * (neighbours - around) / period) ** 2).max())


# -- agreement weights ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Power(Distance):
    exponent: float
    name: ClassVar[str] = "power"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − (|x − y|/range)^a (Warrens 2014)"

    def __post_init__(self) -> None:
        if not (isinstance(self.exponent, int | float) and self.exponent >= 0):
            raise SpecError("measure-option", f"power: the exponent must be a number from 0, not {self.exponent}")

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
    summary: ClassVar[str] = "Gwet's ordinal weights: 1 − C(|k − l| + 1, 2)/max, by ranks"

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
