"""The mixture of errors that explains a corpus: from how its annotators differ from their consensus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from accord.gold.consensus import Rates
from accord.simulate.errors.base import ErrorType
from accord.simulate.errors.category import Category
from accord.simulate.errors.combination import Combination
from accord.simulate.errors.false_negative import FalseNegative
from accord.simulate.errors.false_positive import FalsePositive
from accord.simulate.errors.fragment import Fragment
from accord.simulate.errors.shift import Shift
from accord.simulate.errors.text import Text
from accord.simulate.errors.token import Token
from accord.simulate.grounds import AnyGround

_LEAST = 1e-3  # below, an error type is not a part of the mixture


def estimated(rates: Rates, ground: AnyGround, errors: Sequence[ErrorType]) -> Combination | None:
    """Every error type in proportion to what is seen of it; None where nothing is, or only one type.

    The rates say in which proportion the errors stand; how large all of them are is left to the value.
    """
    order = list(_MAGNITUDES)
    known = sorted((e for e in errors if type(e) in _MAGNITUDES), key=lambda e: order.index(type(e)))
    sizes = {error: min(1.0, magnitude(error, rates, ground)) for error in known}
    parts = [error for error, size in sizes.items() if size > _LEAST]
    if len(parts) < 2:
        return None
    most = max(sizes[e] for e in parts)
    return Combination(tuple(parts), tuple(round(sizes[e] / most, 3) for e in parts))


def magnitude(error: ErrorType, rates: Rates, ground: AnyGround) -> float:
    """The magnitude at which an error type alone gives its rate."""
    return _MAGNITUDES[type(error)](error, rates, ground)


def _of_labels(error: Category, rates: Rates, ground: AnyGround) -> float:
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if error.wrong(middle, ground) < rates.wrong else (low, middle)
    return high


_MAGNITUDES: dict[type[ErrorType], Callable[[Any, Rates, AnyGround], float]] = {
    Text: lambda _, rates, __: rates.text,
    Token: lambda _, rates, __: rates.token,
    Category: _of_labels,
    Fragment: lambda error, rates, _: rates.split / error.x,
    Shift: lambda error, rates, _: 2 * rates.shift / error.x,  # the mean move is half of the largest
    FalsePositive: lambda error, rates, _: rates.extra / error.x,
    FalseNegative: lambda _, rates, __: rates.missing,
}  # in the order in which they are combined
