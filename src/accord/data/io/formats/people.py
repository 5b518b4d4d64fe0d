"""Whose annotations are in a file of WebAnno or INCEpTION: by its place in an exported project, or by its name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.layers import Version
from accord.data.io.naming import named
from accord.data.io.reading import Reading

_FOLDERS = ("annotation", "curation")  # of a project: annotation/DOCUMENT/ANNOTATOR.tsv, or .zip with files in it
INITIAL = "INITIAL_CAS"  # a document before anybody worked on it
CURATORS = ("CURATION_USER", "CORRECTION_USER")


class Place(NamedTuple):
    doc: str
    annotator: str
    curated: bool
    project: str  # the folders above


def place_in_project(file: File) -> Place | None:
    """Where a file stands in a project; None where it is in none."""
    parts = file.parts
    for k in range(len(parts) - 2):
        if parts[k] in _FOLDERS:
            annotator = PurePosixPath(parts[k + 2]).stem
            curated = parts[k] == "curation" or annotator in CURATORS
            return Place(parts[k + 1], annotator, curated, "/".join(parts[:k]))
    return None


def left_out(export: Export, file: File, place: Place, how: Reading) -> bool:
    """Nobody's version of a document, and that of a curator who was not asked for by name."""
    if place.annotator == INITIAL:
        export.leave("documents as they were before anybody worked on them", file.name)
        return True
    if place.curated and place.annotator not in how.annotators:
        names = f"--annotators …,{place.annotator} takes them"
        export.leave(f"documents by a curator, who decides and is no annotator ({names})", file.name)
        return True
    return False


def people(
    export: Export, mine: Sequence[File], versions: Sequence[Version], how: Reading
) -> list[tuple[str, str, Version]]:
    """Document and annotator of each version; those of nobody are left out and counted."""
    places = [place_in_project(file) for file in mine]
    if how.names is None and all(place is not None for place in places):
        several = len({place.project for place in places if place is not None}) > 1
        found = {}
        for file, place, version in zip(mine, places, versions, strict=True):
            if place is not None and not left_out(export, file, place, how):
                doc = f"{place.project}/{place.doc}" if several else place.doc
                if (doc, place.annotator) in found:
                    raise DataError(f"{file.name}: document {quoted(doc)} by {quoted(place.annotator)} is there twice")
                found[doc, place.annotator] = version
        return [(doc, annotator, version) for (doc, annotator), version in found.items()]
    names = named([file.parts for file in mine], how, [version.text for version in versions])
    if names.said:
        export.notes.append(names.said)
    return [(doc, annotator, version) for (doc, annotator), version in zip(names.keys, versions, strict=True)]
