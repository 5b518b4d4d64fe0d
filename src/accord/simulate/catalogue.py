"""All error types, as one reads a table of contents."""

from __future__ import annotations

from typing import Any

from accord.errors import SpecError, quoted
from accord.simulate.base import ErrorType
from accord.simulate.category import Category
from accord.simulate.combination import Combination
from accord.simulate.false_negative import FalseNegative
from accord.simulate.false_positive import FalsePositive
from accord.simulate.fragment import Fragment
from accord.simulate.shift import Shift
from accord.spec import Call, build, parse

ERRORS: tuple[type[ErrorType], ...] = (
    FalseNegative,
    FalsePositive,
    Fragment,
    Shift,
    Category,
    Combination,
)


def error_type(given: Any) -> ErrorType:
    """An error type from its spec: `shift(form=2015)`; a list is their combination."""
    if isinstance(given, ErrorType):
        return given
    if isinstance(given, str):
        return build("error", parse(given), ERRORS)
    if isinstance(given, Call):
        return build("error", given, ERRORS)
    if isinstance(given, list | tuple):
        return Combination(tuple(given))
    raise SpecError(f"an error is a spec such as shift(form=2015), not {quoted(given)}")
