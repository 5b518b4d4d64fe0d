"""REFI-QDA: the exchange format of MAXQDA, NVivo, ATLAS.ti and others (.qdpx, .qde). Codes are labels.

Codings of texts are units by characters, those of recordings by seconds; those of pictures and PDFs are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from accord.context import Run
from accord.errors import DataError, quoted
from accord.io.formats.by_file import watched
from accord.io.formats.export import Export
from accord.io.formats.files import File, archive_files
from accord.io.formats.parsing import local, xml_of
from accord.io.naming import named
from accord.io.reading import Reading

CODE = "code"


def recognises(file: File) -> bool:
    if file.suffix == ".qdpx":
        return file.head.startswith(b"PK")
    return "urn:QDA-XML:project" in file.beginning[:4000]


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    projects = [_opened(file, files) for file in watched(mine, run)]
    users = {_user(one) for root, _ in projects for one in root.iter() if local(one) == "Coding"}
    by_user = len(users) > 1 and how.annotators_in is None
    people = [who for _, who in named([file.parts for file in mine], how, ["project"] * len(mine)).keys]
    export = Export(notes=["users are annotators" if by_user else "files are annotators"])
    for file, (root, inside), who in zip(mine, projects, people, strict=True):
        _Project(file, root, inside, export, None if by_user else who, how).take()
    return export


def _user(coding: Any) -> str | None:
    """Who coded: who made the coding, else who made the selection."""
    above = coding.getparent()
    user: str | None = coding.get("creatingUser") or (above.get("creatingUser") if above is not None else None)
    return user


def _opened(file: File, files: Sequence[File]) -> tuple[Any, list[File]]:
    if file.suffix != ".qdpx":
        return xml_of(file), list(files)
    inside = archive_files(file)
    project = next((one for one in inside if one.suffix == ".qde"), None)
    if project is None:
        raise DataError(f"{file.name}: there is no project.qde in it")
    return xml_of(project), inside


class _Project:
    def __init__(
        self, file: File, root: Any, inside: list[File], export: Export, who: str | None, how: Reading
    ) -> None:
        self.file, self.root, self.export, self.who, self.how = file, root, export, who, how
        self.inside = {one.parts[-1].lower(): one for one in inside}
        elements = list(root.iter())
        self.users = {e.get("guid"): e.get("name") or e.get("id") for e in elements if local(e) == "User"}
        self.codes = _code_names([e for e in elements if local(e) == "Code"])

    def take(self) -> None:
        for source in self.root.iter():
            kind = local(source)
            if kind == "TextSource":
                self._text(source)
            elif kind in {"AudioSource", "VideoSource"}:
                self._timed(source)
            elif kind in {"PictureSource", "PDFSource"}:
                self._leave("codings of pictures and PDFs", source)
            elif kind == "Transcript":
                self._leave("codings of transcripts", source)

    def _leave(self, what: str, source: Any) -> None:
        many = sum(1 for one in source.iter() if local(one) == "Coding")
        if many:
            self.export.leave(what, source.get("name"), many)

    def _text(self, source: Any) -> None:
        doc = source.get("name") or str(source.get("guid"))
        text = next((one.text or "" for one in source if local(one) == "PlainTextContent"), None)
        if text is None:
            path = str(source.get("plainTextPath") or "")
            file = self.inside.get(
                PurePosixPath(path.replace("internal://", "").replace("relative://", "")).name.lower()
            )
            if file is None:
                self.export.leave("texts that are not in the project", doc)
                return
            text = file.text(self.how.encoding).replace("\r\n", "\n")
        if self.export.texts.get(doc, text) != text:
            raise DataError(f"{self.file.name}: the text of {quoted(doc)} differs from that in another project")
        self.export.document(doc, text)
        if self.who is not None:
            self.export.saw(doc, self.who)
        whole = sum(1 for one in source if local(one) == "Coding")
        if whole:
            self.export.leave("codings of whole documents", doc, whole)
        for selection in source:
            if local(selection) == "PlainTextSelection":
                self._coded(doc, selection, ("startPosition", "endPosition"), 1.0)

    def _timed(self, source: Any) -> None:
        doc = source.get("name") or str(source.get("guid"))
        for selection in source.iter():
            if local(selection) in {"AudioSelection", "VideoSelection"}:
                self._coded(doc, selection, ("begin", "end"), 0.001)

    def _coded(self, doc: str, selection: Any, sides: tuple[str, str], unit: float) -> None:
        place = f"{self.file.name}, {doc}, line {selection.sourceline}"
        try:
            start, end = (int(selection.get(side)) for side in sides)
        except (TypeError, ValueError):
            raise DataError(f"{place}: a selection does not say where it is") from None
        codings = [one for one in selection if local(one) == "Coding"]
        if not codings:
            self.export.leave("selections without a code", place)
        for coding in codings:
            ref = next((one.get("targetGUID") for one in coding if local(one) == "CodeRef"), None)
            label = self.codes.get(str(ref))
            if label is None:
                self.export.leave("codings whose code is not in the code book", place)
                continue
            user = _user(coding)
            who = self.who or self.users.get(user) or str(user)
            ends = (start, end) if unit == 1 else (start * unit, end * unit)
            self.export.unit(CODE, doc, who, ends[0], ends[1], label, place=place)


def _code_names(codes: Sequence[Any]) -> dict[str, str]:
    """The names of codes; where several have the same, with those above."""
    found: dict[str, str] = {}
    often = Counter(code.get("name") for code in codes)
    for code in codes:
        above = [one.get("name") for one in code.iterancestors() if local(one) == "Code"]
        name = str(code.get("name"))
        found[code.get("guid")] = "/".join([*map(str, reversed(above)), name]) if often[name] > 1 else name
    return found
