"""The one way in: what a user gave, how it is to be read, and what it is for → data."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from accord.core.context import Run
from accord.core.errors import UnknownName
from accord.core.typed import checks_types
from accord.data.io import read_all, the_only
from accord.data.io.reading import Reading
from accord.data.kinds import CHAINS, TEXTS
from accord.data.model.corpus import Continuum
from accord.data.model.data import Data

OPTIONS = (*(field.name for field in fields(Reading)), "extents")
# What a measure takes decides where columns cannot: a text has no header, and a chain may be called an entity.
_NOT_BY_HEADER = {TEXTS.name: "texts", CHAINS.name: "chains"}
F = TypeVar("F", bound=Callable[..., Any])


def opened(
    given: Any,
    reading: Reading | Mapping[str, Any] | None = None,
    asked: Collection[str] = (),
    run: Run | None = None,
) -> Data:
    """A path, paths, a table, rows of labels, or what was read already → data.

    `asked` are the kinds of data that the measures take: they decide where a header does not say it. `run` says who
    watches, and how many workers may read.
    """
    return the_only(opened_all(given, reading, asked, run))


def opened_all(
    given: Any,
    reading: Reading | Mapping[str, Any] | None = None,
    asked: Collection[str] = (),
    run: Run | None = None,
) -> dict[str, Data]:
    """The same for several variables: data by the name of the variable.

    Where measures are asked for that take other kinds of data than a variable has, it is left out, and told.
    """
    known = run or Run()
    found = read_all(given, **_options(given, reading, asked), progress=known.progress, jobs=known.jobs)
    fit = {name: data for name, data in found.items() if data.kind.name in asked}
    if not fit or len(fit) == len(found):
        return found
    rest = ", ".join(f"{name} ({data.kind.words})" for name, data in found.items() if name not in fit)
    return {name: data.with_notes(f"left aside: {rest}") for name, data in fit.items()}


def is_data(given: Any) -> bool:
    """Whether it was read already."""
    return isinstance(given, Data | Continuum)


def files_of(given: Any, reading: Mapping[str, Any]) -> list[Path]:
    """What is read by its name, which nothing is written over."""
    several = given if isinstance(given, list | tuple) else [given]
    named = (*several, *(reading.get(option) for option in ("docs", "judged", "texts")))
    return [Path(one) for one in named if isinstance(one, str | os.PathLike) and str(one) != "-"]


def _options(given: Any, reading: Reading | Mapping[str, Any] | None, asked: Collection[str]) -> dict[str, Any]:
    options = reading.options if isinstance(reading, Reading) else dict(reading or {})
    kinds = set(asked)
    if options.get("layout") is None and len(kinds) == 1 and kinds <= set(_NOT_BY_HEADER) and not is_data(given):
        options["layout"] = _NOT_BY_HEADER[kinds.pop()]
    return options


def checks_options(function: F) -> F:
    """A public function that refuses arguments of a wrong type, and misspelt options with the one that was meant.

    The options are its own, or those of reading.
    """
    parameters = inspect.signature(function).parameters.values()
    typed = checks_types(function)
    own = tuple(p.name for p in parameters if p.kind in {p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD})
    known = (*own, *OPTIONS, "reading") if any(p.kind is p.VAR_KEYWORD for p in parameters) else own

    @wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        options = {_renamed(name, own): value for name, value in options.items()}
        for name in options:
            if name not in known:
                raise UnknownName(f"option of {function.__name__}", name, known)
        return typed(*args, **options)

    return checked  # type: ignore[return-value]


# Former names of parameters, which still work; `answers/question.py` has those of questions.
_FORMERLY = {"spec": "measure", "least_people": "min_people", "least_items": "min_items", "kind": "family"}


def _renamed(name: str, own: Sequence[str]) -> str:
    now = _FORMERLY.get(name, name)
    return now if name not in own and now in own else name


def names_of(given: str | Iterable[str]) -> list[str]:
    """Names as a list; `"Ana,Ben"` names two, as on the command line."""
    return [name.strip() for name in given.split(",")] if isinstance(given, str) else [str(name) for name in given]
