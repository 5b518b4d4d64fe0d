"""Plans ↔ TOML: a run that was kept is repeated as it was."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from accord._version import __version__
from accord.answers.plans.base import Plan
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.data.io import Reading
from accord.data.io.opening import stream_of
from accord.measures.intervals.methods import Settings

P = TypeVar("P", bound=Plan)
_TABLES: dict[str, type[Any]] = {"reading": Reading, "settings": Settings}
_IN_WORDS = {(int,): "a whole number", (bool,): "true or false", (int, float): "a number", (str,): "a text"}
_TYPES: dict[str, tuple[type, ...]] = {"int": (int,), "bool": (bool,), "float": (int, float), "str": (str,)}


def as_toml(plan: Plan) -> dict[str, Any]:
    """Only what differs from the defaults."""
    usual = type(plan)()
    kept: dict[str, Any] = {"accord": __version__, "command": plan.command}
    tables: dict[str, Any] = {}
    for field in dataclasses.fields(plan):
        mine, default = getattr(plan, field.name), getattr(usual, field.name)
        if mine == default:
            continue
        if field.name in _TABLES:
            names = [f.name for f in dataclasses.fields(mine)]
            tables[field.name] = {n: getattr(mine, n) for n in names if getattr(mine, n) != getattr(default, n)}
        else:
            kept[field.name] = mine
    return kept | tables  # in TOML, tables come behind all else


def loaded(path: Path, cls: type[P]) -> P:
    """A plan that was kept, for the command that it was kept for."""
    try:
        with stream_of(path) as file:
            kept = tomllib.loads(file.read().decode())
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise DataError(f"{path}: not a run that accord kept: lists within lists within lists") from None
    except ValueError as error:  # no TOML, no UTF-8, numbers of thousands of digits
        raise DataError(f"{path}: not a run that accord kept: {error}") from None
    kept.pop("accord", None)
    command = kept.pop("command", "score")  # the first to be kept, when there was no other
    if command != cls.command:
        raise SpecError(f"{path} keeps a run of accord {command}, not of {cls.command}: accord {command} --run {path}")
    return plan_of(kept, cls, str(path))


def plan_of(table: Mapping[str, Any], cls: type[P], where: str) -> P:
    """A plan from its fields as plain values, with those of reading and settings in tables of their own.

    `where` begins the message about what it cannot be made of.
    """
    kept = dict(table)
    _check(where, kept, cls)
    try:
        parts = {name: made(**_tuples(kept.pop(name))) for name, made in _TABLES.items() if name in kept}
        return cls(**parts, **_tuples(kept))
    except TypeError as error:
        raise DataError(f"{where}: not a run that accord kept: {error}") from None


def _check(path: str, kept: Mapping[str, Any], cls: type[Plan]) -> None:
    """Only known keys, and values of their type: the file may have been edited by hand."""
    own = {field.name: str(field.type) for field in dataclasses.fields(cls)}
    for key, value in kept.items():
        if key not in own:
            raise DataError(f"{path}: {UnknownName('key', key, own)}")
        if key not in _TABLES:
            _check_value(path, key, value, own[key])
        elif not isinstance(value, dict):
            raise DataError(f"{path}: {key} is a table: [{key}]")
        else:
            inner = {field.name: str(field.type) for field in dataclasses.fields(_TABLES[key])}
            for name, inside in value.items():
                if name not in inner:
                    raise DataError(f"{path}: {UnknownName('key', name, inner)}")
                _check_value(path, name, inside, inner[name])


def _check_value(path: str, key: str, value: Any, wanted: str) -> None:
    if wanted.startswith("tuple["):
        if not isinstance(value, list):
            raise DataError(f"{path}: {key} is a list: {key} = [{quoted(value) if isinstance(value, str) else value}]")
        if not all(isinstance(v, str | int | float) for v in value):
            raise DataError(f"{path}: {key} is a list of texts or numbers")
        if wanted.startswith("tuple[str") and not all(isinstance(v, str) for v in value):
            raise DataError(f"{path}: {key} is a list of texts")
        if wanted.startswith("tuple[float") and not all(_is(v, (int, float)) for v in value):
            raise DataError(f"{path}: {key} is a list of numbers")
        return
    types = [_TYPES[part] for part in wanted.split(" | ") if part in _TYPES] or [(str,)]
    if not any(_is(value, one) for one in types):
        words = " or ".join(_IN_WORDS[one] for one in types)
        raise DataError(f"{path}: {key} = {quoted(value)} is not {words}")


def _is(value: Any, types: tuple[type, ...]) -> bool:
    """In Python true is a number; in a plan it is not."""
    return isinstance(value, types) and isinstance(value, bool) == (types == (bool,))


def _tuples(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
