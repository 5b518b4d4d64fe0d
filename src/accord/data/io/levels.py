"""The level of measurement of every variable: stated by the user, by the file or a codebook, or shown by labels."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.data.io.tables.sources import Source
from accord.data.model.data import Data, Fact
from accord.data.model.labels import Categories, label_name
from accord.data.model.measurement import Measurement, check_level, parse_levels
from accord.data.model.ratings import Ratings

# -- stated by the user ----------------------------------------------------------------------------------------------


def with_levels(variables: Mapping[str, Data], given: Sequence[str]) -> dict[str, Data]:
    """Return the variables with their levels. The user's statement comes before that of the file."""
    stated = parse_levels(given)
    for name in stated:
        if name and name not in variables:
            raise UnknownName("variable", name, tuple(variables))
    made: dict[str, Data] = {}
    for name, data in variables.items():
        level = stated.get(name) or stated.get("")
        if isinstance(data, Ratings):
            made[name] = data.with_level(level)
        elif name in stated or (level is not None and len(variables) == 1):
            raise SpecError(
                "option-not-for-data",
                f"--measurement is for labels of items, but these are {data.kind.words}; name the distance in the "
                "measure, for example -m 'gamma(distance=ordinal)'",
            )
        else:
            made[name] = data
    return made


# -- stated by the file ----------------------------------------------------------------------------------------------


def with_levels_of_columns(variables: Mapping[str, Data], sources: Sequence[Source]) -> dict[str, Data]:
    """Return the variables with the levels that a file states for their columns: ordered factors, SPSS measures."""
    levels: dict[str, Measurement] = {}
    for source in sources:
        levels |= getattr(source, "levels", {})
    return {name: _at_level_of(data, levels) for name, data in variables.items()} if levels else dict(variables)


def _at_level_of(data: Data, levels: Mapping[str, Measurement]) -> Data:
    """Return the data at the level of its column, or of its annotators' columns if they state the same."""
    if not isinstance(data, Ratings) or data.level is not None:
        return data
    columns = [data.variable] if data.variable in levels else [name for name in data.annotators if name in levels]
    found = {levels[name].level: levels[name] for name in columns}
    if len(found) > 1:
        return data.with_notes(
            f"columns of annotators have different levels of measurement ({', '.join(found)}); state one with "
            "--measurement"
        )
    level = next(iter(found.values()), None)
    return data if level is None else _if_possible(data, level)


def _if_possible(data: Ratings, level: Measurement) -> Ratings:
    """Return the data at a level, or with a note if the labels cannot have it."""
    try:
        check_level(level, data.categories, data.variable)
    except (DataError, SpecError) as error:
        return data.with_notes(f"{level.reason}: not used: {error}")
    return replace(data, level=level)


# -- stated by a codebook --------------------------------------------------------------------------------------------

_CODEBOOK = re.compile(r"(?:(.+)[._-])?(?:codebook|data[ _-]?dictionary|variables)\.(csv|tsv|json)", re.IGNORECASE)
_LARGEST = 1 << 20  # bytes of a codebook
_VARIABLE = ("variable", "name", "column", "field", "variable name")
_LEVEL = ("measurement", "level", "measurement level", "level of measurement", "scale", "measure", "scale type", "type")
_ORDER = ("categories", "order", "values", "labels", "codes")
_WORDS = {
    "nominal": "nominal", "categorical": "nominal", "unordered": "nominal", "category": "nominal",
    "ordinal": "ordinal", "ordered": "ordinal", "likert": "ordinal", "rank": "ordinal",
    "interval": "interval", "scale": "interval", "continuous": "interval", "metric": "interval",
    "ratio": "ratio", "circular": "circular", "cyclic": "circular",
    "binary": "binary", "dichotomous": "binary", "boolean": "binary",
    "sets": "sets", "multiple": "sets", "text": "text", "free text": "text",
}  # fmt: skip


@dataclass(frozen=True)
class CodebookEntry:
    """What a codebook states about a variable."""

    level: Measurement
    order: tuple[str, ...]  # the categories from lowest to highest, as codes or as words; (): not stated


def read_codebooks(paths: Iterable[str | os.PathLike[str]]) -> dict[str, CodebookEntry]:
    """Return the entries of the codebooks beside the data, by variable. A book for one table is named after it."""
    entries: dict[str, CodebookEntry] = {}
    for path in (Path(one) for one in paths if "://" not in str(one) and str(one) != "-"):
        folder = path if path.is_dir() else path.parent
        try:
            beside = sorted(folder.iterdir())
        except OSError:
            continue
        for file in beside:
            named = _CODEBOOK.fullmatch(file.name)
            if named and named[1] in {None, path.stem} and file != path and file.is_file():
                entries |= _read_codebook(file)
    return entries


def with_codebook(variables: Mapping[str, Data], entries: Mapping[str, CodebookEntry]) -> dict[str, Data]:
    """Return the variables with the levels that a codebook states. What the data file states comes first."""
    return {name: _as_in_codebook(data, entries) for name, data in variables.items()}


def _as_in_codebook(data: Data, entries: Mapping[str, CodebookEntry]) -> Data:
    """Return the data with what the codebook states about their variable, or about all columns of annotators."""
    if not entries or not isinstance(data, Ratings) or data.level is not None:
        return data
    stated = [entries.get(name) for name in ([data.variable] if data.variable in entries else data.annotators)]
    entry = stated[0] if stated else None
    if entry is None or any(one is None or one.level != entry.level for one in stated):
        return data
    order = _order_of(data.categories, entry.order)
    if order is not None:
        data = data.recoded(order)
    return _if_possible(data, entry.level).with_notes(Fact(f"{entry.level.reason}: {data.variable} is {entry.level}"))


def _order_of(categories: Categories, order: Sequence[str]) -> Categories | None:
    """Return the categories in the order of a codebook, which may list codes, words, or `1=low`."""
    used = {label_name(label): label for label in categories}
    parts = [re.split(r"\s*[=:]\s*", entry, maxsplit=1) for entry in order]
    for names in ([part[0] for part in parts], [part[-1] for part in parts]):
        if order and set(used) <= set(names) and len(set(names)) == len(names) and not categories.numeric:
            return Categories(tuple(used.get(name, name) for name in names), declared=True)
    return None


def _read_codebook(path: Path) -> dict[str, CodebookEntry]:
    """Return the entries of one codebook. A file that states no level of a variable has none."""
    if path.stat().st_size > _LARGEST:
        return {}
    try:
        text = path.read_text("utf-8-sig")
        rows = list(_rows_of_json(json.loads(text)) if path.suffix.lower() == ".json" else _rows_of_table(text, path))
    except (OSError, ValueError, RecursionError, csv.Error):
        return {}
    entries: dict[str, CodebookEntry] = {}
    for row in rows:
        fields = {str(key).strip().casefold().replace("_", " "): value for key, value in row.items()}
        variable = next((fields[name] for name in _VARIABLE if fields.get(name)), None)
        word = next((str(fields[name]) for name in _LEVEL if fields.get(name)), "").strip().casefold()
        if isinstance(variable, str) and word in _WORDS:
            level = Measurement(_WORDS[word], "file", f"codebook {quoted(path.name)}")
            order = next((_listed(fields[name]) for name in _ORDER if fields.get(name)), ())
            entries[variable.strip()] = CodebookEntry(level, order)
    return entries


def _rows_of_table(text: str, path: Path) -> Iterator[Mapping[str, Any]]:
    first = text.partition("\n")[0]
    sign = "\t" if path.suffix.lower() == ".tsv" else max(",;\t", key=first.count)
    return csv.DictReader(text.splitlines(), delimiter=sign, restkey="")


def _rows_of_json(found: Any) -> Iterator[Mapping[str, Any]]:
    """Yield rows of a list of objects, of an object per variable, or of `{"tone": "ordinal"}`."""
    if isinstance(found, dict) and isinstance(found.get("variables"), list | dict):
        found = found["variables"]
    if isinstance(found, dict):
        rows = {name: row if isinstance(row, dict) else {"level": row} for name, row in found.items()}
        found = [{"variable": name, **row} for name, row in rows.items()]
    yield from (row for row in found if isinstance(row, dict)) if isinstance(found, list) else ()


def _listed(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(map(str, value))
    if isinstance(value, dict):
        return tuple(f"{code}={word}" for code, word in value.items())
    sign = next((sign for sign in (";", "|", "<", ",") if sign in str(value)), ";")
    return tuple(part.strip() for part in str(value).split(sign) if part.strip())
