"""REFI-QDA, the exchange format of MAXQDA, NVivo, ATLAS.ti and other programs for qualitative analysis.

Files: .qdpx and .qde. Annotators are users, or have a file each.
Keeps: codings of texts as units by characters, those of recordings by seconds; there is one variable, `code`.
Skips and counts: codings of images and PDFs (except of the plain text of a PDF), of transcripts and of whole
documents; notes, links, sets, cases, variables and graphs.
Reference: REFI-QDA Standard 1.5 (https://www.qdasoftware.org).

In the standard, the end is the offset of the last character. Most programs write the offset after it. The reader
chooses the variant that matches the names of selections, which often contain their text, or that splits fewer words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File, unpack_archive
from accord.data.io.formats.parsing import local, one_line, watched, xml_of
from accord.data.io.formats.spans import utf16
from accord.data.io.naming import named
from accord.data.io.reading import Reading

CODE = "code"
_READ = frozenset((
    "Project", "CodeBook", "Codes", "Code", "Users", "User", "Sources", "TextSource", "PDFSource", "PictureSource",
    "AudioSource", "VideoSource", "PlainTextContent", "PlainTextSelection", "PDFSelection", "PictureSelection",
    "AudioSelection", "VideoSelection", "Representation", "Transcript", "TranscriptSelection", "SyncPoint", "Coding",
    "CodeRef", "Description",
))  # fmt: skip
_LISTS = frozenset(("Notes", "Links", "Sets", "Graphs", "Cases", "Variables"))


def recognises(file: File) -> bool:
    if file.suffix == ".qdpx":
        return file.head.startswith(b"PK")
    return "urn:QDA-XML:project" in file.beginning[:4000]


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    projects = [_opened(file, files) for file in watched(mine, run)]
    users = {_user(one) for root, _ in projects for one in root.iter("{*}Coding")}
    by_user = len(users) > 1 and how.annotators_in is None
    people = [annotator for _, annotator in named([file.parts for file in mine], how, ["project"] * len(mine)).keys]
    export = Export(notes=["each user is one annotator" if by_user else "each file is one annotator"])
    for file, (root, inside), annotator in zip(mine, projects, people, strict=True):
        _Project(file, root, inside, export, None if by_user else annotator, how).take()
    return export


def _user(coding: Any) -> str | None:
    """Return the user who made the coding, else the user who made the selection."""
    above = coding.getparent()
    user: str | None = coding.get("creatingUser") or (above.get("creatingUser") if above is not None else None)
    return user


def _opened(file: File, files: Sequence[File]) -> tuple[Any, list[File]]:
    if file.suffix != ".qdpx":
        return xml_of(file), list(files)
    inside = unpack_archive(file)
    project = next((one for one in inside if one.suffix == ".qde"), None)
    if project is None:
        raise DataError(
            "file-missing", f"{file.name}: the archive contains no project.qde; export the project again as REFI-QDA"
        )
    return xml_of(project), inside


@dataclass(frozen=True)
class _Marked:
    """A selection of a text, with its offsets as stored."""

    doc: str
    text: str
    selection: Any
    start: int
    end: int
    place: str

    @cached_property
    def name(self) -> str:
        """The name of the selection. Programs use its text, or the first words of it."""
        return one_line(self.selection.get("name"))


Way = Callable[[_Marked], tuple[int, int]]


def counted(marked: Sequence[_Marked]) -> tuple[Way, str]:
    """Return how a program counts offsets, inferred from all selections, and a note about it."""
    ways: dict[str, Way] = {
        "": lambda one: (one.start, one.end),
        "ends are offsets of the last character, as in the standard": lambda one: (one.start, one.end + 1),
        "offsets count UTF-16 code units": lambda one: _through_utf16(one, 0),
        "offsets count UTF-16 code units, and ends are offsets of the last character": lambda one: _through_utf16(
            one, 1
        ),
    }
    fitting = Counter({said: sum(_reads(one, way(one)) for one in marked) for said, way in ways.items()})
    said, many = max(fitting.items(), key=lambda found: found[1])
    if many == 0:
        inclusive = list(ways)[1]
        said = inclusive if _cuts(marked, ways[""]) > _cuts(marked, ways[inclusive]) else ""
    return ways[said], said


def _through_utf16(one: _Marked, further: int) -> tuple[int, int]:
    at = utf16(one.text)
    start, end = at(one.start), at(one.end + further)
    return (-1, -1) if start is None or end is None else (start, end)


def _reads(one: _Marked, ends: tuple[int, int]) -> bool:
    return bool(one.name) and one_line(one.text[max(0, ends[0]) : max(0, ends[1])]) == one.name


def _cuts(marked: Sequence[_Marked], way: Way) -> int:
    """Count selections that would be empty, end within a word, or be outside the text."""
    found = 0
    for one in marked:
        start, end = way(one)
        if 0 <= start <= end <= len(one.text):
            found += start == end or (one.text[end - 1 : end + 1].isalnum() and 0 < end < len(one.text))
        else:
            found += 1
    return found


class _Project:
    def __init__(
        self, file: File, root: Any, inside: list[File], export: Export, annotator: str | None, how: Reading
    ) -> None:
        self.file, self.root, self.export, self.annotator, self.how = file, root, export, annotator, how
        self.inside = {one.parts[-1].lower(): one for one in inside}
        self.users = {e.get("guid"): e.get("name") or e.get("id") for e in root.iter("{*}User")}
        self.codes = _code_names(list(root.iter("{*}Code")))
        self.marked: list[_Marked] = []

    def take(self) -> None:
        for source in self.root.iter():
            kind = local(source)
            if kind == "TextSource":
                self._text(source, source)
            elif kind == "Representation":  # the text of a PDF
                self._text(source, source.getparent())
            elif kind in {"AudioSource", "VideoSource"}:
                self._timed(source)
            elif kind in {"PictureSource", "PDFSource"}:
                self._leave("codings of images and PDFs", source)
            elif kind == "Transcript":
                self._leave("codings of transcripts", source)
        self._texts_coded()
        self._pass_elements()

    def _pass_elements(self) -> None:
        """Count elements that are not read, without the elements in them."""
        waiting = [self.root]
        while waiting:
            for child in waiting.pop().iterchildren("*"):
                name, parent = local(child), local(child.getparent())
                if name in _READ or name in _LISTS:
                    waiting.append(child)
                    if name == "Description" and parent in {"PlainTextSelection", "Coding"} and one_line(child.text):
                        self.export.unused.add("elements", f"{name} of {parent}")
                else:
                    self.export.unused.add("elements", name)

    def _leave(self, what: str, source: Any) -> None:
        inside = (one for one in source if local(one) != "Representation")
        if many := sum(1 for part in inside for _ in part.iter("{*}Coding")):
            self.export.leave(what, source.get("name"), many)

    def _text(self, source: Any, called: Any) -> None:
        doc = called.get("name") or str(called.get("guid"))
        text = source.findtext("{*}PlainTextContent")
        if text is None:
            path = str(source.get("plainTextPath") or "")
            file = self.inside.get(
                PurePosixPath(path.replace("internal://", "").replace("relative://", "")).name.lower()
            )
            if file is None:
                self.export.leave("texts that are not in the project", doc)
                return
            text = file.text(self.how.encoding).replace("\r\n", "\n")
        self.export.same_text(doc, text, self.file)
        if self.annotator is not None:
            self.export.saw(doc, self.annotator)
        if whole := len(source.findall("{*}Coding")):
            self.export.leave("codings of whole documents", doc, whole)
        for selection in source.iterchildren("{*}PlainTextSelection"):
            place = self._place(doc, selection)
            start, end = self._ends(selection, ("startPosition", "endPosition"), place)
            self.marked.append(_Marked(doc, text, selection, start, end, place))

    def _texts_coded(self) -> None:
        """Add codings of texts, after all selections are known."""
        way, said = counted(self.marked)
        if said:
            self.export.notes.append(f"{self.file.name}: {said}")
        for one in self.marked:
            start, end = way(one)
            self._coded(one.doc, one.selection, start, end, one.place)

    def _timed(self, source: Any) -> None:
        doc = source.get("name") or str(source.get("guid"))
        for selection in source.iter("{*}AudioSelection", "{*}VideoSelection"):
            place = self._place(doc, selection)
            start, end = self._ends(selection, ("begin", "end"), place)
            self._coded(doc, selection, start * 0.001, end * 0.001, place)

    def _place(self, doc: str, selection: Any) -> str:
        return f"{self.file.name}, {doc}, line {selection.sourceline}"

    def _ends(self, selection: Any, sides: tuple[str, str], place: str) -> tuple[int, int]:
        try:
            start, end = (int(selection.get(side)) for side in sides)
        except (TypeError, ValueError):
            raise DataError(
                "invalid-record",
                f"{place}: the selection has no valid {sides[0]} or {sides[1]}; expected whole numbers",
            ) from None
        return start, end

    def _coded(self, doc: str, selection: Any, start: float, end: float, place: str) -> None:
        codings = selection.findall("{*}Coding")
        if not codings:
            self.export.leave("selections without a code", place)
        for coding in codings:
            ref = coding.find("{*}CodeRef")
            label = self.codes.get(str(ref.get("targetGUID"))) if ref is not None else None
            if label is None:
                self.export.leave("codings whose code is not in the code book", place)
                continue
            user = _user(coding)
            annotator = self.annotator or self.users.get(user) or str(user)
            self.export.unit(CODE, doc, annotator, start, end, label, place=place)


def _code_names(codes: Sequence[Any]) -> dict[str, str]:
    """Return the names of codes. Codes with the same name are prefixed with their parents."""
    found: dict[str, str] = {}
    often = Counter(code.get("name") for code in codes)
    for code in codes:
        above = [one.get("name") for one in code.iterancestors("{*}Code")]
        name = str(code.get("name"))
        found[code.get("guid")] = "/".join([*map(str, reversed(above)), name]) if often[name] > 1 else name
    return found
