"""TEI stand-off annotation, of the Text Encoding Initiative.

Files: .xml with `<span from to ana>` on words with ids, or the TEI that CATMA exports, with pointers to characters of
a plain text in the same folder. `resp` names the annotator, else each file is one.
Keeps: spans as units; the variable is the type of their group. The label is the target of `ana`, else the type of the
span, else its text. Tags of CATMA are units of the variable `tag`.
Skips and counts: spans without a label, spans with a target that is not in the file, further categories and attributes
of spans, marks in the text (names, parts of speech), unknown stand-off elements.
Reference: TEI P5 Guidelines, chapter 17 "Simple Analytic Mechanisms" and 17.10 "Standoff Markup".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import local, one_line, watched, xml_of
from accord.data.io.formats.spans import join_spans, utf16
from accord.data.io.reading import Reading

_ID = "{http://www.w3.org/XML/1998/namespace}id"
_CHARACTERS = re.compile(r"(?P<text>[^#]*)#char=(?P<start>\d+),(?P<end>\d+)")
_RANGE = re.compile(r"#?string-range\((?P<where>[^,]+),\s*(?P<start>\d+)(?:,\s*(?P<length>\d+))?\)")
_NO_TEXT = (
    "standOff",
    "spanGrp",
    "span",
    "interpGrp",
    "interp",
    "fs",
    "fvLib",
    "listAnnotation",
)  # elements inside <text> that are not part of the text
_SPANS = ("span", "annotation")  # elements with pointers to their targets
_GROUPS = ("spanGrp", "annotationGrp", "listAnnotation", "annotationBlock")
_ATTRIBUTES = {"span": frozenset(("from", "to", "target", "ana", "resp", "type", "n", "lang")),
               "annotation": frozenset(("target", "ana", "resp", "type", "motivation", "n", "lang"))}  # fmt: skip
# Elements of the text that do not mark a passage with a category.
_OF_TEXT = frozenset((
    "text", "front", "body", "back", "group", "div", "div1", "div2", "div3", "head", "p", "ab", "lg", "l", "s", "w",
    "c", "pc", "u", "sp", "speaker", "seg", "lb", "pb", "cb", "gb", "milestone", "anchor", "ptr", "hi", "list", "item",
    "table", "row", "cell", "quote", "q", "note", "title", "emph", "titlePage", "docTitle", "fw", "figure", "ref",
))  # fmt: skip
_OF_WORDS = ("lemma", "pos", "msd", "ana", "function", "type")  # attributes of words that are categories
_STAND_OFF = frozenset((
    *_NO_TEXT, *_GROUPS, *_SPANS, "f", "symbol", "numeric", "string", "vColl", "vAlt", "desc", "ptr", "binary",
    "fsDecl", "fsDescr", "fsdDecl", "fDecl", "fDescr", "vRange", "interpretations", "list", "item", "label",
))  # fmt: skip
_XPATH_ID = re.compile(r"@xml:id\s*=\s*['\"]([^'\"]+)['\"]")


def recognises(file: File) -> bool:
    beginning = file.beginning
    if "<TEI" not in beginning[:4000] and "<standOff" not in beginning[:4000]:
        return False
    return any(sign in beginning for sign in ("<standOff", "<stdf", "<spanGrp", "#char=", "<listAnnotation"))


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    texts = {one.parts[-1]: one for one in files if one.suffix == ".txt"}
    versions = [_Version(file, texts, how) for file in watched(mine, run)]
    export = Export()
    keys = export.name_files(mine, how, [version.text for version in versions])
    for version, (doc, annotator) in zip(versions, keys, strict=True):
        if version.text:
            export.document(doc, version.text)
        version.take(export, doc, annotator)
    return export


class _Version:
    """A file: its text, the offsets of elements with an id, and the elements that define ids."""

    def __init__(self, file: File, texts: dict[str, File], how: Reading) -> None:
        self.file, self.root = file, xml_of(file)
        self.spans: dict[str, tuple[int, int]] = {}
        self.names: dict[str, str] = {}
        pieces: list[str] = []
        for body in self.root.iter("{*}text"):
            if next(body.iterancestors("{*}text"), None) is None:
                self._lay_out(body, pieces)
        self.text = "".join(pieces)
        pointed = {found["text"] for e in self.root.iter() if (found := _CHARACTERS.search(e.get("target") or ""))}
        if not self.text.strip() and pointed:
            self.text = _pointed(file, pointed, texts, how)
        self.definitions = {e.get(_ID): e for e in self.root.iter() if e.get(_ID)}

    def _lay_out(self, element: Any, pieces: list[str]) -> None:
        """Collect the text, and the offsets of elements with ids. A stack allows any depth of nesting."""
        at = sum(map(len, pieces))
        stack: list[tuple[Any, int | None]] = [(element, None)]
        while stack:
            one, begun = stack.pop()
            if begun is not None:
                if one.get(_ID):
                    self.spans[one.get(_ID)] = (begun, at)
                if one is not element and one.tail:
                    pieces.append(one.tail)
                    at += len(one.tail)
                continue
            stack.append((one, at))
            if local(one) in _NO_TEXT:
                continue
            if one.text:
                pieces.append(one.text)
                at += len(one.text)
            stack.extend((child, None) for child in reversed(one))

    def take(self, export: Export, doc: str, annotator: str) -> None:
        named_inside = [author for one in self.root.iter() if (author := self._author(one))]
        for author in dict.fromkeys(named_inside or [annotator]):
            export.saw(doc, author)
        for one in self.root.iter():
            place = f"{self.file.name}:{one.sourceline}"
            if local(one) in _SPANS and (one.get("from") or one.get("target")):
                self._span(export, doc, annotator, one, place)
            elif local(one) == "seg" and one.get("ana"):
                self._segment(export, doc, annotator, one, place)
            elif local(one) == "annotationGrp" and not any(local(inner) in _SPANS for inner in one.iter()):
                export.leave("groups of annotations without spans", place)
        self._pass_elements(export)

    def _pass_elements(self, export: Export) -> None:
        """Count marks in the text, attributes of words and spans, and stand-off elements that are not read."""
        for one in self.root.iter("*"):
            name = local(one)
            if name in _SPANS:
                export.unused.add_attributes("attributes of spans", one, _ATTRIBUTES[name])
                export.unused.add_children("elements of spans", one, ("ptr", "fs", *_SPANS))
                export.unused.add("attributes of spans", "type", bool(one.get("ana") and one.get("type")))
                export.unused.add("categories of spans", "after the first", len((one.get("ana") or "").split()[1:]))
        for top, known in (("standOff", _STAND_OFF), ("text", _OF_TEXT | _STAND_OFF)):
            for holder in self.root.iter(f"{{*}}{top}"):
                for one in holder.iterdescendants("*"):
                    if local(one) not in known and next(one.iterancestors("{*}fs", "{*}fsDecl"), None) is None:
                        export.unused.add(f"elements of <{top}>", local(one))
        for word in self.root.iter("{*}w", "{*}pc"):
            for name in _OF_WORDS:
                export.unused.add("attributes of words", name, name in word.attrib)

    def _author(self, one: Any) -> str | None:
        """Return the annotator of a span, or of a CATMA tag."""
        if local(one) in _SPANS:
            said = next((e.get("resp") for e in (one, *_groups(one)) if e.get("resp")), None)
            return str(said).lstrip("#") if said else None
        return _markup_author(one) if local(one) == "fs" else None

    def _span(self, export: Export, doc: str, annotator: str, one: Any, place: str) -> None:
        """Add a span: from one element to another, or all listed elements. Adjacent elements are one unit."""
        if one.get("from"):
            places = [self._place(one.get("from")), self._place(one.get("to") or one.get("from"))]
            pieces = [(places[0][0], places[1][1])] if places[0] and places[1] else []
        else:
            places = [self._place(pointer) for pointer in one.get("target").split()]
            pieces = join_spans([where for where in places if where], self.text)
        label = self._label(one)
        if None in places:
            export.leave("spans whose target is not in the file", place)
        elif label is None:
            export.leave("spans without a label", place)
        else:
            variable = next((group.get("type") for group in _groups(one) if group.get("type")), None)
            export.fragmented += len(pieces) > 1
            for start, end in pieces:
                export.unit(variable or "span", doc, self._author(one) or annotator, start, end, label, place=place)

    def _segment(self, export: Export, doc: str, annotator: str, one: Any, place: str) -> None:
        """Add a CATMA segment: pointers to characters, and feature structures with the tags."""
        at = utf16(self.text)
        for pointer in one.iter("{*}ptr"):
            match = _CHARACTERS.search(pointer.get("target") or "")
            if match is None:
                continue
            start, end = (at(int(match[side])) for side in ("start", "end"))
            for key in one.get("ana").split():
                label, author = self._tag(key.lstrip("#"))
                if label is None or start is None or end is None:
                    export.leave("segments whose tag or position is not in the file", place)
                else:
                    export.unit("tag", doc, author or annotator, start, end, label, place=place)

    def _place(self, pointer: str) -> tuple[int, int] | None:
        ranged = _RANGE.search(pointer)
        if ranged is None:
            return self.spans.get(pointer.rpartition("#")[2])
        named_id = _XPATH_ID.search(ranged["where"])
        inside = self.spans.get(named_id[1] if named_id else ranged["where"].strip().lstrip("#"))
        if inside is None:
            return None
        start = inside[0] + int(ranged["start"])
        end = start + int(ranged["length"] or 0)
        return (start, end) if end <= inside[1] else None

    def _label(self, one: Any) -> str | None:
        for pointer in (one.get("ana") or "").split():
            target = self.definitions.get(pointer.lstrip("#"))
            return (_name(target) if target is not None else None) or pointer.lstrip("#")
        return one.get("type") or one_line(one.text) or None

    def _tag(self, key: str) -> tuple[str | None, str | None]:
        """Return the tag of a feature structure, and its annotator."""
        structure = self.definitions.get(key)
        if structure is None:
            return None, None
        author = _markup_author(structure)
        declared = self.definitions.get(structure.get("type") or "")
        described = declared.find("{*}fsDescr") if declared is not None else None
        label = one_line(described.text) if described is not None else structure.get("type")
        return label or None, author


def _groups(one: Any) -> list[Any]:
    """Return the groups that contain a span, the innermost first."""
    return [above for above in one.iterancestors() if local(above) in _GROUPS]


def _name(element: Any) -> str | None:
    """Return the name of a definition: the values of a feature structure, else its text, else its type."""
    symbols = [str(one.get("value")) for one in element.iter("{*}symbol", "{*}numeric") if one.get("value")]
    words = one_line("".join(element.itertext()))
    return "/".join(symbols) or (words if len(words) <= 200 else "") or element.get("type")


def _markup_author(structure: Any) -> str | None:
    """Return the annotator of a CATMA tag."""
    named = next((feature for feature in structure if feature.get("name") == "catma_markupauthor"), None)
    return next((one_line(string.text) for string in named.iter("{*}string")), None) if named is not None else None


def _pointed(file: File, pointed: set[str], texts: dict[str, File], how: Reading) -> str:
    """Return the text that pointers refer to: the plain text with the same name, or the only one."""
    name = min(pointed).rpartition("/")[2]
    found = (
        texts.get(name) or texts.get(f"{file.stem}.txt") or (next(iter(texts.values())) if len(texts) == 1 else None)
    )
    if found is None:
        raise DataError(
            "file-missing", f"{file.name}: the plain text {quoted(name)} is missing; copy it into the same folder"
        )
    return found.text(how.encoding)
