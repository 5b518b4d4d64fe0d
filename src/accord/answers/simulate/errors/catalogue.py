"""All error types, as one reads a table of contents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.errors.category import Category
from accord.answers.simulate.errors.combination import Combination
from accord.answers.simulate.errors.false_negative import FalseNegative
from accord.answers.simulate.errors.false_positive import FalsePositive
from accord.answers.simulate.errors.fragment import Fragment
from accord.answers.simulate.errors.shift import Shift
from accord.answers.simulate.errors.text import Text
from accord.answers.simulate.errors.token import Token
from accord.answers.simulate.grounds import THINGS, AnyGround
from accord.core.errors import DataError, SpecError, quoted
from accord.core.spec import Call, build, parse

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
        return error_type(parse(given))
    if isinstance(given, Call):
        return build("error", _with_parts(given), ERRORS)
    if isinstance(given, list | tuple):
        return Combination(_parts(given))
    raise SpecError(f"an error is a spec such as shift(form=2015), not {quoted(given)}")


def _with_parts(call: Call) -> Call:
    """A combination names its parts: they are read here, where all errors are known."""
    if call.name.lower() not in {Combination.name, *Combination.aliases}:
        return call
    args = (*(_parts(given) for given in call.args[:1]), *call.args[1:])
    return replace(call, args=args, kwargs=tuple((k, _parts(v) if k == "parts" else v) for k, v in call.kwargs))


def _parts(given: object) -> tuple[ErrorType, ...]:
    return tuple(error_type(part) for part in (given if isinstance(given, tuple | list) else (given,)))


def check_error(error: ErrorType, ground: AnyGround) -> None:
    """Refuses a reference that an error cannot happen to."""
    for one in error.single:
        if not one.fits(ground):
            known = ", ".join(other.name for other in ERRORS if other.fits(ground))
            raise DataError(f"{one.name} is not an error of {THINGS[type(ground)]}; they have {known}")
        one.check(ground)
