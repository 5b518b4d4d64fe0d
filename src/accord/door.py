"""The one way in: what a user gave, how it is to be read, and what it is for → data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from accord.errors import SpecError, UnknownName
from accord.io import read, read_all
from accord.io.reading import Reading
from accord.kinds import CHAINS, TEXTS
from accord.model.corpus import Continuum
from accord.model.data import Data

OPTIONS = (*(field.name for field in fields(Reading)), "extents")
# What a measure takes decides where columns cannot: a text has no header, and a chain may be called an entity.
_NOT_BY_HEADER = {TEXTS.name: "texts", CHAINS.name: "chains"}
_OTHERS = ("interval", "level", "replicates", "seed", "progress", "jobs")  # misspelt, they arrive here as well


def opened(given: Any, reading: Reading | Mapping[str, Any] | None = None, asked: Collection[str] = ()) -> Data:
    """A path, paths, a table, rows of labels, or what was read already → data.

    `asked` are the kinds of data that the measures take: they decide where a header does not say it.
    """
    known = _known(given, reading)
    return known if known is not None else read(given, **_options(reading, asked))


def opened_all(
    given: Any, reading: Reading | Mapping[str, Any] | None = None, asked: Collection[str] = ()
) -> dict[str, Data]:
    """The same for a table with several label columns: data by the name of the column."""
    known = _known(given, reading)
    return {known.variable: known} if known is not None else read_all(given, **_options(reading, asked))


def is_data(given: Any) -> bool:
    """Whether it was read already."""
    return isinstance(given, Data | Continuum)


def _known(given: Any, reading: Reading | Mapping[str, Any] | None) -> Data | None:
    for name in reading if isinstance(reading, Mapping) else ():
        if name not in OPTIONS:
            raise UnknownName("option", name, (*OPTIONS, *_OTHERS))
    if not is_data(given):
        return None
    if isinstance(reading, Mapping) and reading:
        raise SpecError(f"{', '.join(reading)}: say this when reading: accord.read(data, …)")
    found: Data = given.alone if isinstance(given, Continuum) else given
    return found


def _options(reading: Reading | Mapping[str, Any] | None, asked: Collection[str]) -> dict[str, Any]:
    options = reading.options if isinstance(reading, Reading) else dict(reading or {})
    if options.get("layout") is None and len(set(asked)) == 1:
        options["layout"] = _NOT_BY_HEADER.get(next(iter(asked)))
    return options
