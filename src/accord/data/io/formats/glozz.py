"""Glozz, the annotation tool for discourse.

Files: units in .aa, with the text in the .ac of the same name. Annotators are the authors if a file has several, else
files or folders.
Keeps: units of the variable `type`; features are further variables.
Skips and counts: paragraphs, which Glozz marks automatically, units without a type, relations and schemas, comments,
features longer than 200 characters.
Reference: Widlöcher and Mathet (2012), The Glozz Platform: A Corpus Annotation and Mining Tool. DocEng.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import one_line, watched, xml_of
from accord.data.io.formats.spans import or_as_given, utf16
from accord.data.io.naming import named
from accord.data.io.reading import Reading

TYPE = "type"
_LONGEST = 200  # characters of a feature; longer ones are comments
_METADATA = frozenset(("author", "creation-date", "lastModifier", "lastModificationDate"))
_STRUCTURE = ("paragraph",)  # marked automatically by Glozz


def recognises(file: File) -> bool:
    beginning = file.beginning[:6000]
    return file.suffix == ".aa" or (
        "<annotations>" in beginning and "<unit " in beginning and "singlePosition" in beginning
    )


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    roots = [xml_of(file) for file in watched(mine, run)]
    contents = [_text(file, files, how) for file in mine]
    names = named([file.parts for file in mine], how, contents)
    authors = [{_author(unit) for unit in root.iterfind("unit") if not _is_structure(unit)} for root in roots]
    by_author = (
        how.annotators_in is None
        and len({annotator for _, annotator in names.keys}) < 2
        and max(map(len, authors), default=0) > 1
    )
    export = Export()
    export.note("each author of units is one annotator" if by_author else names.said)
    for file, root, text, (doc, annotator) in zip(mine, roots, contents, names.keys, strict=True):
        export.document(doc, text)
        at = or_as_given(utf16(text))
        if not by_author:
            export.saw(doc, annotator)
        for unit in root.iterfind("unit"):
            _take(export, doc, _author(unit) if by_author else annotator, unit, at, f"{file.name}:{unit.sourceline}")
        for what in ("relation", "schema"):
            if many := len(root.findall(what)):
                export.leave(f"{what}s", file.name, many)
        export.unused.add_children("elements", root, ("unit", "relation", "schema", "metadata"))
    return export


def _text(file: File, files: Sequence[File], how: Reading) -> str:
    named_so = [one for one in files if one.suffix == ".ac" and one.stem == file.stem]
    beside = next((one for one in named_so if one.folder == file.folder), named_so[0] if named_so else None)
    if beside is None:
        raise DataError(
            "file-missing", f"{file.name}: the text {file.stem}.ac is missing; copy it into the same folder"
        )
    return beside.text(how.encoding)


def _author(unit: Any) -> str:
    return (unit.findtext("metadata/author") or "").strip() or "unknown"


def _is_structure(unit: Any) -> bool:
    return (unit.findtext("characterisation/type") or "").strip() in _STRUCTURE


def _take(export: Export, doc: str, annotator: str, unit: Any, at: Callable[[int], int], place: str) -> None:
    if _is_structure(unit):
        export.leave("paragraphs", place)
        return
    ends = []
    for side in ("start", "end"):
        position = unit.find(f"positioning/{side}/singlePosition")
        index = position.get("index") if position is not None else None
        if index is None or not index.lstrip("-").isdigit():
            raise DataError(
                "invalid-record",
                f'{place}: the unit has no valid {side}; expected <singlePosition index="0"/> with a whole number',
            )
        ends.append(at(int(index)))
    label = (unit.findtext("characterisation/type") or "").strip()
    if not label:
        export.leave("units without a type", place)
        return
    export.unit(TYPE, doc, annotator, ends[0], ends[1], label, place=place)
    _pass_elements(export, unit)
    for feature in unit.iterfind("characterisation/featureSet/feature"):
        value, name = one_line(feature.text), feature.get("name") or "feature"
        if len(value) > _LONGEST:
            export.unused.add("long features", name)
        elif value and value != label:
            export.unit(name, doc, annotator, ends[0], ends[1], value, place=place)


def _pass_elements(export: Export, unit: Any) -> None:
    """Count comments, and unknown elements and attributes of a unit."""
    unused = export.unused
    unused.add_attributes("attributes of units", unit, ())
    unused.add_children("elements of units", unit, ("metadata", "characterisation", "positioning"))
    for part, known in (("metadata", _METADATA), ("characterisation", ("type", "featureSet"))):
        for element in unit.iterfind(part):
            unused.add_children("elements of units", element, known)
