"""All error types, as one reads a table of contents."""

from __future__ import annotations

from typing import Any

from accord.errors import SpecError, quoted
from accord.simulate.errors.base import ErrorType
from accord.simulate.errors.category import Category
from accord.simulate.errors.combination import Combination
from accord.simulate.errors.false_negative import FalseNegative
from accord.simulate.errors.false_positive import FalsePositive
from accord.simulate.errors.fragment import Fragment
from accord.simulate.errors.shift import Shift
from accord.simulate.errors.text import Text
from accord.simulate.errors.token import Token
from accord.spec import Call, build, parse

ERRORS: tuple[type[ErrorType], ...] = (
    FalseNegative,
    FalsePositive,
    Fragment,
    Shift,
    Category,
    Text,
    Token,
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
