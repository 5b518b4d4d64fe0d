"""Records as JSON → columns: rows of labels as scripts and models write them, a field per annotator or a row per label.

Fields of an object become columns `outer.inner`; a list of objects in a record, or lists of the same length side by
side (`labels` and `annotators`), become a row each; a list of plain values is a set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.errors import DataError
from accord.io.formats.files import gathered
from accord.io.formats.parsing import json_rows
from accord.io.tables.roles import ANNOTATOR, plain_name
from accord.io.tables.sources import MemorySource

_MOST_COLUMNS = 2_000


@dataclass
class Records(MemorySource):
    """Columns of records, and where each row stands."""

    places: Sequence[str] = ()

    def place(self, row: int) -> str:
        return self.places[row]


def records(path: Path, name: str, encoding: str | None = None) -> Records:
    rows, places = [], []
    for place, record in json_rows(gathered([path])[0], encoding):
        for row in exploded(record):
            rows.append(row)
            places.append(place)
    columns = dict.fromkeys(key for row in rows for key in row)
    if not columns:
        raise DataError(f"{name}: there are no records with fields in it")
    if len(columns) > _MOST_COLUMNS:
        raise DataError(f"{name}: {len(columns):,} different fields; is it a table of records?")
    return Records({key: [row.get(key) for row in rows] for key in columns}, name, is_file=True, places=tuple(places))


def exploded(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows that a record stands for."""
    flat = _flat(record)
    inner = [key for key, value in flat.items() if _is_objects(value)]
    beside = _side_by_side({key: value for key, value in flat.items() if key not in inner})
    plain = {key: _plain(value) for key, value in flat.items() if key not in inner and key not in beside}
    if beside:
        many = zip(*(flat[key] for key in beside), strict=True)
        return [{**plain, **dict(zip(map(_single, beside), values, strict=True))} for values in many]
    if len(inner) == 1:
        return [{**plain, **row} for one in flat[inner[0]] for row in exploded(one)]
    return [plain]


def _flat(record: Mapping[str, Any], before: str = "", depth: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping) and depth < 8:
            found |= _flat(value, f"{before}{key}.", depth + 1)
        else:
            found[f"{before}{key}"] = value
    return found


def _is_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _side_by_side(flat: Mapping[str, Any]) -> list[str]:
    """Lists of annotators and of what they said: all lists of their length."""
    lists = {key: value for key, value in flat.items() if isinstance(value, list)}
    people = next((key for key in lists if plain_name(_single(key)) in ANNOTATOR), None)
    if people is None:
        return []
    return [key for key, value in lists.items() if len(value) == len(lists[people])]


def _single(name: str) -> str:
    """labels → label, annotators → annotator: the name of one of them."""
    return (
        name[:-1] if name.endswith("s") and plain_name(name[:-1]) in {*ANNOTATOR, "label", "rating", "score"} else name
    )


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [str(one) for one in value]
    return str(value) if isinstance(value, bool) else value
