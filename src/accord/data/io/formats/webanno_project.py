"""A project that WebAnno or INCEpTION exported.

Files: a .zip or folder with exportedproject.json and annotation/DOCUMENT/ANNOTATOR.*, in any of their formats that is
read (WebAnno TSV 2 and 3, UIMA CAS XMI and JSON). Java objects (annotation_ser) are never opened.
Keeps: what the reader of the format keeps. The project says who has finished a document, and who has not begun it.
Leaves out, and counts: documents nobody worked on, curators (unless --annotators names them), files it cannot read.
Reference: INCEpTION User Guide, "Project export".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, counted, quoted
from accord.data.io.formats import uima_json, uima_xmi, webanno_tsv, webanno_tsv2
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.layers import (
    Place,
    Types,
    TypeSystems,
    Version,
    fill_export,
    is_type_system,
    leave_out,
    place_in_project,
)
from accord.data.io.formats.parsing import each, json_of, objects_of
from accord.data.io.reading import Reading

_READERS = (webanno_tsv, webanno_tsv2, uima_xmi, uima_json)
_UNREAD = ("NEW", "IGNORE", "LOCKED")  # states of a document whose annotator did not look at it
_BEGUN = "INPROGRESS"
_AGAIN = "export the project again as UIMA CAS XMI, UIMA CAS JSON or WebAnno TSV 3"


def recognises(file: File) -> bool:
    return (
        file.suffix == ".json"
        and file.parts[-1].startswith("exportedproject")
        and file.beginning.lstrip().startswith("{")
    )


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    export = Export()
    found: list[tuple[str, str, Version]] = []
    for file in mine:
        project = _Project(file, [other for other in files if other.folder[: len(file.folder)] == file.folder])
        name = f"{'/'.join(file.folder)}/" if len(mine) > 1 else ""
        found += [(name + place.doc, place.annotator, made) for place, made in project.versions(export, how, run)]
    if not found:
        raise DataError("nothing-annotated", f"{mine[0].name}: no annotations of anybody{export.instead}; {_AGAIN}")
    fill_export(export, found)
    return export


def _version(given: tuple[File, Types], how: Reading) -> Version:
    file, _ = given
    reader: Any = next(one for one in _READERS if one.recognises(file))
    made: Version = reader.version(given if reader is uima_xmi else file, how)
    return made


class _Project:
    def __init__(self, file: File, files: Sequence[File]) -> None:
        self.name, self.files = file.name, files
        described = json_of(file)
        if not isinstance(described, dict):
            raise DataError("invalid-record", f"{file.name}: {quoted(described, 40)} describes no project")
        self.layers = objects_of(described.get("layers"))
        self.states = {
            (str(row.get("name")), str(row.get("user"))): str(row.get("state")).replace("_", "").upper()
            for row in objects_of(described.get("annotation_documents"))
        }

    def versions(self, export: Export, how: Reading, run: Run) -> list[tuple[Place, Version]]:
        """Documents as their annotators left them, without those that nobody worked on."""
        types = TypeSystems(self.files)
        taken: dict[tuple[str, str], tuple[Place, File]] = {}
        for file in self.files:
            place = place_in_project(file)
            if place is None or is_type_system(file) or leave_out(export, file, place, how):
                continue
            state = self.states.get((place.doc, place.annotator), "")
            if state in _UNREAD:
                export.leave(f"documents that their annotator did not work on (state {state})", file.name)
            elif not any(reader.recognises(file) for reader in _READERS):
                export.leave("files without annotations that accord can read", file.name)
            elif (place.doc, place.annotator) in taken:
                export.leave("further files of a document by the same annotator", file.name)
            else:
                taken[place.doc, place.annotator] = (place, file)
        files = [(file, types.of(file)) for _, file in taken.values()]
        found = each(partial(_version, how=how), files, run)
        layers = {layer for made in found for layer in made.layers}
        export.notes += self._notes(set(taken), layers)
        return [(place, made) for (place, _), made in zip(taken.values(), found, strict=True)]

    def _notes(self, taken: set[tuple[str, str]], layers: set[str]) -> Iterator[str]:
        begun = [key for key in taken if self.states.get(key) == _BEGUN]
        if begun:
            doc, annotator = min(begun)
            yield f"{counted(len(begun), 'document')} not finished by the annotator, taken as is ({doc} by {annotator})"
        absent = [key for key, state in self.states.items() if state == "FINISHED" and key not in taken]
        if absent and taken:
            doc, annotator = min(absent)
            yield f"{counted(len(absent), 'document')} finished, but not in the export ({doc} by {annotator})"
        for row in self.layers:
            name, shown = str(row.get("name")), row.get("uiName")
            if name in layers and shown and shown != name.rpartition(".")[2]:
                yield f"{name.rpartition('.')[2]} is the layer {quoted(shown)}"
