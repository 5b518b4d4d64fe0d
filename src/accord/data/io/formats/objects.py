"""Annotations of pyannote.core and crowsetta in memory. accord recognises them by their methods, and imports neither.

`{"Ana": annotation, "Ben": [annotation, annotation]}`: the annotations of each annotator, one per recording.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from accord.core.errors import DataError, counted, quoted
from accord.data.io.formats.export import POINTS, Export
from accord.data.io.naming import ONLY_DOCUMENT

Stretch = tuple[float, float, str | None]


def are_objects(data: Any) -> bool:
    """Whether a dict maps annotators to annotations or lists of annotations."""
    return (
        isinstance(data, Mapping)
        and len(data) > 0
        and all(isinstance(given, list | tuple) or _is_one(given) for given in data.values())
        and any(_is_one(one) for given in data.values() for one in _several(given))
    )


def read_objects(data: Mapping[Any, Any]) -> Export:
    export = Export()
    made: set[tuple[str, str]] = set()
    for annotator, given in data.items():
        for number, one in enumerate(_several(given), 1):
            place = f"{annotator}, annotation {number}"
            if not _is_one(one):
                raise DataError(
                    "invalid-record",
                    f"{place}: {quoted(type(one).__name__)} is not an annotation of pyannote.core or crowsetta; "
                    "give an Annotation or a Timeline",
                )
            doc = _recording(one)
            if (doc, str(annotator)) in made:
                raise DataError(
                    "repeated-document",
                    f"{place}: recording {quoted(doc)} by {quoted(annotator)} occurs twice; "
                    "remove one annotation, or give it another uri",
                )
            made.add((doc, str(annotator)))
            export.saw(doc, str(annotator))
            for start, end, label in _stretches(one, place):
                if end > start:
                    export.unit("label", doc, str(annotator), start, end, label, place=place)
                else:
                    export.leave(POINTS, place)
    return export


def _several(given: Any) -> Iterable[Any]:
    return given if isinstance(given, list | tuple) else (given,)


def _is_one(given: Any) -> bool:
    return hasattr(given, "itertracks") or _is_timeline(given) or _is_crowsetta(given)


def _is_timeline(given: Any) -> bool:
    return hasattr(given, "segments_set_") and hasattr(given, "uri")


def _is_crowsetta(given: Any) -> bool:
    return hasattr(given, "notated_path") and (hasattr(given, "seq") or hasattr(given, "bboxes"))


def _recording(one: Any) -> str:
    name = getattr(one, "uri", None) or getattr(one, "notated_path", None)
    return ONLY_DOCUMENT if name is None else name.name if isinstance(name, PurePath) else str(name)


def _stretches(one: Any, place: str) -> Iterator[Stretch]:
    if hasattr(one, "itertracks"):
        for segment, _, label in one.itertracks(yield_label=True):
            yield float(segment.start), float(segment.end), None if label is None else str(label)
    elif _is_timeline(one):
        for segment in one:
            yield float(segment.start), float(segment.end), None
    else:
        yield from _of_crowsetta(one, place)


def _of_crowsetta(one: Any, place: str) -> Iterator[Stretch]:
    boxes = getattr(one, "bboxes", None)
    if boxes is not None:
        for box in boxes:
            yield float(box.onset), float(box.offset), str(box.label)
        return
    if isinstance(one.seq, list):
        raise DataError(
            "invalid-record",
            f"{place}: the annotation has {counted(len(one.seq), 'sequence')}; give an annotation per sequence",
        )
    onsets, offsets = one.seq.onsets_s, one.seq.offsets_s
    if onsets is None or offsets is None:
        raise DataError(
            "export-not-usable",
            f"{place}: the sequence has times in samples only; set onsets_s and offsets_s in seconds",
        )
    for start, end, label in zip(onsets, offsets, one.seq.labels, strict=True):
        yield float(start), float(end), str(label)
