"""The entry point for input: open paths, tables and data, with reading options and the measures to compute."""

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
# The measure decides where columns cannot: a text has no header row, and a column of chains may be called entity.
_NOT_BY_HEADER = {TEXTS.name: "texts", CHAINS.name: "chains"}
F = TypeVar("F", bound=Callable[..., Any])


def opened(
    given: Any,
    reading: Reading | Mapping[str, Any] | None = None,
    asked: Collection[str] = (),
    run: Run | None = None,
) -> Data:
    """Return the data of a path, paths, a table, rows of labels, or data.

    `asked` are the kinds of data that the requested measures take. They decide if the header row does not. `run` has
    the progress callback and the number of workers.
    """
    return the_only(opened_all(given, reading, asked, run))


def opened_all(
    given: Any,
    reading: Reading | Mapping[str, Any] | None = None,
    asked: Collection[str] = (),
    run: Run | None = None,
) -> dict[str, Data]:
    """Return the data of all variables, by name.

    Variables of a kind that the requested measures do not take are left out, with a note.
    """
    known = run or Run()
    found = read_all(given, **_options(given, reading, asked), progress=known.progress, jobs=known.jobs)
    fit = {name: data for name, data in found.items() if data.kind.name in asked}
    if not fit or len(fit) == len(found):
        return found
    rest = ", ".join(f"{name} ({data.kind.words})" for name, data in found.items() if name not in fit)
    return {
        name: data.with_notes(f"left out, because the measures are for other data: {rest}")
        for name, data in fit.items()
    }


def is_data(given: Any) -> bool:
    """Return whether the input is data that accord has read."""
    return isinstance(given, Data | Continuum)


def files_of(given: Any, reading: Mapping[str, Any]) -> list[Path]:
    """Return the paths of all inputs, which no output may overwrite."""
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
    """Decorate a public function so that it refuses wrong types and unknown options, and suggests the right name.

    Known options are its own parameters, and the reading options if it takes **options.
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


# Other names of parameters that are accepted; `answers/question.py` has those of questions.
_FORMERLY = {"spec": "measure", "least_people": "min_people", "least_items": "min_items", "kind": "family"}


def _renamed(name: str, own: Sequence[str]) -> str:
    now = _FORMERLY.get(name, name)
    return now if name not in own and now in own else name


def names_of(given: str | Iterable[str]) -> list[str]:
    """Return names as a list; `"Ana,Ben"` is two names, as on the command line."""
    return [name.strip() for name in given.split(",")] if isinstance(given, str) else [str(name) for name in given]
