"""JAMS: annotations of a piece of music, each with its annotator. Each namespace is a variable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from accord.errors import DataError
from accord.io.formats.documents import plain_value
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.parsing import json_of
from accord.io.reading import Reading


def recognises(file: File) -> bool:
    beginning = file.beginning
    if file.suffix == ".jams":
        return beginning.lstrip().startswith("{")
    return file.suffix == ".json" and '"annotation_metadata"' in beginning and '"namespace"' in beginning


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001
    export = Export()
    for file in mine:
        whole = json_of(file, how.encoding)
        annotations = whole.get("annotations") if isinstance(whole, Mapping) else None
        if not isinstance(annotations, list) or not all(isinstance(one, Mapping) for one in annotations):
            raise DataError(f"{file.name}: a JAMS file has a list of annotations")
        about = whole.get("file_metadata")
        length = about.get("duration") if isinstance(about, Mapping) else None
        if isinstance(length, int | float):
            export.document(file.stem, extent=(0.0, float(length)))
        seen: dict[tuple[str, str], int] = {}
        for number, one in enumerate(annotations, 1):
            _annotation(export, file, number, one, seen)
    return export


def _annotation(
    export: Export, file: File, number: int, one: Mapping[str, Any], seen: dict[tuple[str, str], int]
) -> None:
    variable = str(one.get("namespace") or "label")
    about = one.get("annotation_metadata")
    person = about.get("annotator") if isinstance(about, Mapping) else None
    fields = [person.get(key) for key in ("name", "id", "email")] if isinstance(person, Mapping) else [person]
    who = next((name for field in fields if (name := plain_value(field))), None)
    again = seen[variable, who or ""] = seen.get((variable, who or ""), 0) + 1
    annotator = who if who and again == 1 else f"{who or 'annotation'} {again}"
    export.saw(file.stem, annotator)
    for k, (time, length, value) in enumerate(_data(one.get("data"), f"{file.name}, annotation {number}"), 1):
        place = f"{file.name}, annotation {number}, entry {k}"
        label = plain_value(value)
        if label is None:
            export.leave("values that are no label", place)
        elif not length:
            export.leave("points in time, which have no length", place)
        else:
            export.unit(variable, file.stem, annotator, time, round(time + length, 9), label, place=place)


def _data(data: Any, place: str) -> Iterator[tuple[float, float, Any]]:
    """Entries, or, as older versions write them, columns."""
    if isinstance(data, Mapping) and {"time", "duration", "value"} <= set(data):
        columns = [data[name] for name in ("time", "duration", "value")]
        if not all(isinstance(column, list) for column in columns) or len({len(column) for column in columns}) > 1:
            raise DataError(f"{place}: time, duration and value are lists of one length")
        rows: Any = zip(*columns, strict=True)
    elif isinstance(data, list) and all(isinstance(row, Mapping) for row in data):
        rows = ((row.get("time"), row.get("duration"), row.get("value")) for row in data)
    else:
        raise DataError(f"{place}: data is no list of entries with time, duration and value")
    for time, length, value in rows:
        if not isinstance(time, int | float) or not isinstance(length, int | float):
            raise DataError(f"{place}: time and duration are numbers")
        yield float(time), float(length), value
