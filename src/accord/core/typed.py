"""Check arguments against their annotations, so that a wrong type gives a clear error early."""

from __future__ import annotations

import inspect
import numbers
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache, wraps
from types import UnionType
from typing import Any, Literal, TypeGuard, TypeVar, Union, get_args, get_origin, get_type_hints

from accord.core.errors import SpecError, quoted

F = TypeVar("F", bound=Callable[..., Any])
_CHECKED_BY_RUN = {"seed", "jobs", "progress"}  # `Run` checks these
_IN_WORDS: dict[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    type(None): "None",
}


def checks_types(function: F) -> F:
    """Decorate a function to check its arguments against their annotations."""
    declared = inspect.signature(function)

    @wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        check_types(function, declared.bind(*args, **options).arguments)
        return function(*args, **options)

    return checked  # type: ignore[return-value]


def check_types(whose: Any, given: Mapping[str, Any]) -> None:
    """Check values by name against the annotations of a function or a class."""
    hints = _hints(whose)
    for name, value in given.items():
        wanted = hints.get(name, Any)
        if name not in _CHECKED_BY_RUN and not fits(value, wanted):
            raise SpecError("option-value", f"{name} must be {in_words(wanted)}, not {quoted(value)}")


@cache
def _hints(whose: Any) -> dict[str, Any]:
    return get_type_hints(whose)


@cache
def _parts(wanted: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the origin and the arguments of a type; cached because it is slower than checking a value."""
    return get_origin(wanted), get_args(wanted)


def fits(value: Any, wanted: Any) -> bool:
    """Return whether a value fits a type. Names may be numbers, which become text; any iterable fits a list."""
    kind, inside = _parts(wanted)
    if kind in {Union, UnionType}:
        return type(value) in inside or any(fits(value, one) for one in inside)
    if wanted is Any:
        return True
    return _is_a(value, str if kind is Literal else wanted) if kind in {None, Literal} else _holds(value, kind, inside)


def _is_a(value: Any, wanted: type) -> bool:
    if isinstance(value, int) and wanted is float:
        return is_number(value)
    number = {int: numbers.Integral, float: numbers.Real}.get(wanted)
    return isinstance(value, wanted) if number is None else isinstance(value, number) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number that fits a float; a bool and an integer of 400 digits do not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _holds(value: Any, kind: Any, inside: tuple[Any, ...]) -> bool:
    """Return whether a value fits a type that has arguments."""
    if kind is Callable:
        return callable(value)
    if issubclass(kind, Mapping):
        return isinstance(value, Mapping) and all(fits(one, inside[1]) for one in value.values())
    if kind is tuple and Ellipsis not in inside:
        return isinstance(value, tuple | list) and len(value) == len(inside) and all(map(fits, value, inside))
    return isinstance(value, Iterable) and _members_fit(value, inside[0])


def _members_fit(values: Iterable[Any], wanted: Any) -> bool:
    """Return whether the members fit, for collections that can be iterated more than once."""
    if wanted is float and isinstance(values, str | bytes | Mapping):
        return False
    if wanted not in {float, Hashable} or not isinstance(values, list | tuple | set | frozenset):
        return True
    return all(fits(value, wanted) for value in values)


def in_words(wanted: Any) -> str:
    """Return a type in words, without mentioning that the option is optional."""
    kind, inside = get_origin(wanted), get_args(wanted)
    if kind in {Union, UnionType}:
        parts = [one for one in inside if one is not type(None)]
        return " or ".join(dict.fromkeys(in_words(one) for one in parts))
    if kind is Callable:
        return "a function"
    if kind is tuple and Ellipsis not in inside:
        return f"{len(inside)} values ({' or '.join(dict.fromkeys(map(in_words, inside)))})"
    if kind is not None and kind is not Literal:
        return "a dict" if issubclass(kind, Mapping) else f"a list ({in_words(inside[0])})"
    return _IN_WORDS.get(str if kind is Literal else wanted, f"a {getattr(wanted, '__name__', wanted)}")
