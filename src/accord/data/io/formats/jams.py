"""JAMS, the JSON Annotated Music Specification.

Files: .jams. The file names the annotators, else each file is one.
Keeps: entries with a duration and a plain value as units, in seconds; each namespace is a variable.
Skips and counts: points in time, values that are not labels, confidence, sandboxes.
Reference: Humphrey et al. (2014), JAMS: A JSON Annotated Music Specification for Reproducible MIR Research. ISMIR.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.core.typed import is_number
from accord.data.io.formats.export import POINTS, Export, plain_value
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import fields_of, json_of, objects_of, watched
from accord.data.io.naming import named
from accord.data.io.reading import Reading
from accord.data.io.unused import has_content

_ANNOTATION = frozenset(("namespace", "annotation_metadata", "data", "time", "duration"))
_ENTRY = frozenset(("time", "duration", "value"))


def recognises(file: File) -> bool:
    beginning = file.beginning
    if file.suffix == ".jams":
        return beginning.lstrip().startswith("{")
    return file.suffix == ".json" and '"annotation_metadata"' in beginning and '"namespace"' in beginning


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export = Export()
    wholes = [_whole(file, how) for file in watched(mine, run)]
    names = named([file.parts for file in mine], how, [_about(w, f) for w, f in zip(wholes, mine, strict=True)])
    by_files = len({name for _, name in names.keys}) > 1
    if by_files:
        export.note(names.said)
    made: dict[tuple[str, str, str], str] = {}
    for file, whole, (doc, of_file) in zip(mine, wholes, names.keys, strict=True):
        export.unused.add_keys("keys of files", whole, ("annotations", "file_metadata"))
        length = fields_of(whole.get("file_metadata")).get("duration")
        if isinstance(length, int | float):
            export.document(doc, extent=(0.0, float(length)))
        seen: dict[tuple[str, str], int] = {}
        for number, one in enumerate(whole["annotations"], 1):
            variable = str(one.get("namespace") or "label")
            person = _person(one) or (of_file if by_files else "annotation")
            again = seen[variable, person] = seen.get((variable, person), 0) + 1
            if again == 2:
                export.notes.append(
                    f"{file.name}: {quoted(person)} has several annotations of {variable}; "
                    "accord reads each as another annotator"
                )
            annotator = person if again == 1 and person != "annotation" else f"{person} {again}"
            before = made.setdefault((doc, annotator, variable), file.name)
            if before != file.name:
                raise DataError(
                    "repeated-document",
                    f"{file.name}: {variable} of {quoted(doc)} by {quoted(annotator)} also occurs in {before}; "
                    "name the annotators with --names",
                )
            _annotation(export, f"{file.name}, annotation {number}", doc, annotator, variable, one)
    return export


def _whole(file: File, how: Reading) -> Mapping[str, Any]:
    whole = json_of(file, how.encoding)
    annotations = whole.get("annotations") if isinstance(whole, Mapping) else None
    if not isinstance(annotations, list) or not all(isinstance(one, Mapping) for one in annotations):
        raise DataError(
            "invalid-record",
            f'{file.name}: "annotations" is missing or not a list of objects; write the file again with jams',
        )
    return dict(whole)


def _about(whole: Mapping[str, Any], file: File) -> str:
    """Return title, artist and duration of the piece, or the file name if it has no title."""
    about = fields_of(whole.get("file_metadata"))
    facts = [str(about.get(key) or "") for key in ("title", "artist", "duration")]
    return "\t".join(facts) if facts[0] else file.stem


def _person(one: Mapping[str, Any]) -> str | None:
    person = fields_of(one.get("annotation_metadata")).get("annotator")
    fields = [person.get(key) for key in ("name", "id", "email")] if isinstance(person, Mapping) else [person]
    return next((name for field in fields if (name := plain_value(field))), None)


def _annotation(export: Export, where: str, doc: str, annotator: str, variable: str, one: Mapping[str, Any]) -> None:
    export.saw(doc, annotator)
    export.unused.add_keys("keys of annotations", one, _ANNOTATION)
    _pass_keys(export, one.get("data"))
    for k, (time, length, value) in enumerate(_data(one.get("data"), where), 1):
        place, layer = f"{where}, entry {k}", variable
        if isinstance(value, Mapping) and "level" in value:  # nested segments
            export.unused.add_keys("keys of values", value, ("level", "label"))
            layer, value = f"{variable} {value['level']}", value.get("label")  # noqa: PLW2901
        label = plain_value(value)
        if length < 0:
            raise DataError("invalid-record", f"{place}: the duration {length:g} is negative; write 0 or more seconds")
        if label is None:
            export.leave("values that are not labels", place)
        elif length == 0:
            export.leave(POINTS, place)
        else:
            export.unit(layer, doc, annotator, time, round(time + length, 9), label, place=place)


def _pass_keys(export: Export, data: Any) -> None:
    """Count keys of entries that are not read, also where columns store entries."""
    for row in objects_of(data):
        export.unused.add_keys("keys of entries", row, _ENTRY)
    for name, column in fields_of(data).items():
        if name not in _ENTRY and isinstance(column, list):
            export.unused.add("keys of entries", name, sum(map(has_content, column)))


def _data(data: Any, place: str) -> Iterator[tuple[float, float, Any]]:
    """Yield time, duration and value of entries. Older versions store them as columns."""
    if isinstance(data, Mapping) and {"time", "duration", "value"} <= set(data):
        columns = [data[name] for name in ("time", "duration", "value")]
        if not all(isinstance(column, list) for column in columns) or len({len(column) for column in columns}) > 1:
            raise DataError(
                "invalid-record",
                f"{place}: time, duration and value are not lists of the same length; add the missing values",
            )
        rows: Any = zip(*columns, strict=True)
    elif isinstance(data, list) and all(isinstance(row, Mapping) for row in data):
        rows = ((row.get("time"), row.get("duration"), row.get("value")) for row in data)
    else:
        raise DataError(
            "invalid-record",
            f'{place}: "data" is not a list of entries; expected objects with time, duration and value',
        )
    for time, length, value in rows:
        if not (is_number(time) and is_number(length)):
            raise DataError("invalid-record", f"{place}: time or duration is not a number; write both in seconds")
        yield float(time), float(length), value
