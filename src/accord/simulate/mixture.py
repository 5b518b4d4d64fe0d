"""The mixture of errors that explains a corpus: from how its annotators differ from their consensus."""

from __future__ import annotations

from collections.abc import Sequence

from accord.gold.consensus import Rates
from accord.simulate.base import ErrorType
from accord.simulate.category import Category
from accord.simulate.columns import Ground, TextGround
from accord.simulate.combination import Combination
from accord.simulate.false_negative import FalseNegative
from accord.simulate.false_positive import FalsePositive
from accord.simulate.fragment import Fragment
from accord.simulate.shift import Shift

_LEAST = 1e-3  # below, an error type is not a part of the mixture


def estimated(rates: Rates, ground: Ground | TextGround, errors: Sequence[ErrorType]) -> Combination | None:
    """Every error type in proportion to what is seen of it; None where nothing is, or only one type.

    The rates say in which proportion the errors stand; how large all of them are is left to the value.
    """
    order = (Category, Fragment, Shift, FalsePositive, FalseNegative)
    known = sorted((e for e in errors if isinstance(e, order)), key=lambda e: order.index(type(e)))
    sizes = {error: min(1.0, magnitude(error, rates, ground)) for error in known}
    parts = [error for error, size in sizes.items() if size > _LEAST]
    if len(parts) < 2:
        return None
    most = max(sizes[e] for e in parts)
    return Combination(tuple(parts), tuple(round(sizes[e] / most, 3) for e in parts))


def magnitude(error: ErrorType, rates: Rates, ground: Ground | TextGround) -> float:
    """The magnitude at which an error type alone gives its rate."""
    if isinstance(error, FalseNegative):
        return rates.missing
    if isinstance(error, FalsePositive):
        return rates.extra / error.x
    if isinstance(error, Fragment):
        return rates.split / error.x
    if isinstance(error, Shift):
        return 2 * rates.shift / error.x  # the mean move is half of the largest
    if isinstance(error, Category) and isinstance(ground, Ground):
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if error.wrong(middle, ground) < rates.wrong else (low, middle)
        return high
    return 0.0
