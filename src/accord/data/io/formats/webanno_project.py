"""An exported project of WebAnno or INCEpTION.

Files: a .zip or folder with exportedproject.json and annotation/DOCUMENT/ANNOTATOR.*, in WebAnno TSV 2 or 3, UIMA CAS
XMI or JSON. accord never opens Java objects (annotation_ser).
Keeps: the same data as the reader of the format. The project states who has finished a document or not started it.
Skips and counts: documents without work by the annotator, curators (unless --annotators names them), comments of
annotators on documents, unknown parts of the description, unknown files.
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
from accord.data.io.unused import Unused, has_content

_READERS = (webanno_tsv, webanno_tsv2, uima_xmi, uima_json)
_UNREAD = ("NEW", "IGNORE", "LOCKED")  # states of a document that the annotator has not seen
_PARTS = frozenset((
    "name", "slug", "description", "mode", "source_documents", "annotation_documents", "layers", "tag_sets",
    "project_permissions", "constraint_set", "training_documents", "recommenders", "kb", "knowledge_bases",
    "external_search_properties", "document_repository_properties", "workload", "script_direction", "disable_export",
    "disableExport", "anonymousCuration",
    "anonymous_curation", "application_version", "exported", "de.tudarmstadt.ukp.clarin.webanno.project.type",
    "active_learning", "type", "concept_link_settings", "properties", "mira_template", "state", "preferences",
))  # fmt: skip
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
        raise DataError(
            "nothing-annotated",
            f"{mine[0].name}: the project contains no annotations that accord can read{export.instead}; {_AGAIN}",
        )
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
            raise DataError(
                "invalid-record", f"{file.name}: {quoted(described, 40)} is not a description of a project; {_AGAIN}"
            )
        self.layers = objects_of(described.get("layers"))
        self.unused = Unused()
        self.unused.add_keys("parts of the project", described, _PARTS)
        for row in objects_of(described.get("annotation_documents")):
            self.unused.add("comments on documents", row.get("user"), has_content(row.get("annotator_comment")))
        self.states = {
            (str(row.get("name")), str(row.get("user"))): str(row.get("state")).replace("_", "").upper()
            for row in objects_of(described.get("annotation_documents"))
        }

    def versions(self, export: Export, how: Reading, run: Run) -> list[tuple[Place, Version]]:
        """Return the documents of each annotator, without documents in their initial state."""
        export.unused.update(self.unused)
        types = TypeSystems(self.files)
        taken: dict[tuple[str, str], tuple[Place, File]] = {}
        for file in self.files:
            place = place_in_project(file)
            if place is None or is_type_system(file) or leave_out(export, file, place, how):
                continue
            state = self.states.get((place.doc, place.annotator), "")
            if state in _UNREAD:
                export.leave(f"documents without work by the annotator (state {state})", file.name)
            elif not any(reader.recognises(file) for reader in _READERS):
                export.leave("files in a format that accord does not read", file.name)
            elif (place.doc, place.annotator) in taken:
                export.leave("further files of the same document and annotator", file.name)
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
            many = counted(len(begun), "document")
            yield f"{many} read but not finished by the annotator (e.g. {doc} by {annotator})"
        absent = [key for key, state in self.states.items() if state == "FINISHED" and key not in taken]
        if absent and taken:
            doc, annotator = min(absent)
            yield f"{counted(len(absent), 'document')} finished, but not in the export (e.g. {doc} by {annotator})"
        for row in self.layers:
            name, shown = str(row.get("name")), row.get("uiName")
            if name in layers and shown and shown != name.rpartition(".")[2]:
                yield f"{name.rpartition('.')[2]} is the layer {quoted(shown)} in the project"
