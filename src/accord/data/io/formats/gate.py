"""GATE: its XML, and the JSON of GateNLP (.bdocjs). Annotation sets with names are annotators; else files are.

Types are labels; features are variables called `Type.feature`. Java counts code units of UTF-16.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.by_file import each
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.offsets import code_points, utf16
from accord.data.io.formats.parsing import json_of, xml_of
from accord.data.io.naming import named
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import plain_name
from accord.data.model.data import some

TYPE = "type"
# What GATE's own tools mark, and what a text came with: no annotator did.
STRUCTURE = ("Token", "SpaceToken", "Sentence", "Split", "Lookup", "paragraph", "Paragraph", "DEFAULT_TOKEN")
_WORKERS = ("worker", "worker_id", "workerid", "annotator", "annotator_id", "coder", "coder_id", "rater", "rater_id")
_NOBODY = "Original markups"
# Features in which tools keep how they came to an annotation.
_OF_TOOLS = (
    "rule",
    "rule1",
    "rule2",
    "ruleFinal",
    "matches",
    "length",
    "string",
    "kind",
    "orth",
    "replaced",
    "gate.SourceURL",
)


@dataclass
class _Annotation:
    set_name: str
    type: str
    start: int
    end: int
    features: dict[str, str] = field(default_factory=dict)


@dataclass
class _Document:
    text: str
    found: list[_Annotation]
    sets: list[str]


def recognises(file: File) -> bool:
    beginning = file.beginning[:4000]
    if "<GateDocument" in beginning:
        return True
    return file.suffix == ".bdocjs" or ('"annotation_sets"' in file.beginning and '"offset_type"' in file.beginning)


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    documents = each(partial(_document, how=how), mine, run)
    sets = _people(documents)
    asked = how.filters.get("", ())  # --only Token
    worker = _worker(documents) if how.annotators_in is None and how.names is None else None
    if worker is not None:
        return _by_feature(mine, documents, worker, asked, how)
    names = named([file.parts for file in mine], how, [one.text for one in documents])
    by_set = len(sets) > 1 and how.annotators_in not in {"files", "folders"}
    export = Export(notes=[names.said] if names.said and not by_set else [])
    if by_set:
        export.notes.append(f"annotation sets are annotators: {', '.join(sorted(sets)[:8])}")
    for file, document, (doc, who) in zip(mine, documents, names.keys, strict=True):
        export.document(doc, document.text)
        for name in document.sets if by_set else [who]:  # a set without annotations says that somebody found none
            if name in sets or not by_set:
                export.saw(doc, name)
        for one in document.found:
            place = f"{file.name}, {one.type} {one.start}–{one.end}"
            if one.set_name == _NOBODY:
                export.leave("original markups", place)
            elif by_set and not one.set_name:
                export.leave("annotations of the set without a name", place)
            elif one.type in STRUCTURE and one.type not in asked:
                export.leave("tokens, sentences and what else tools mark", place)
            else:
                _take(export, doc, one.set_name if by_set else who, one, place)
    return export


def _worker(documents: Sequence[_Document]) -> str | None:
    """The feature in which most annotations name who made them, if there are several."""
    said: dict[str, Counter[str]] = {}
    found = [one for document in documents for one in document.found if one.type not in STRUCTURE]
    for one in found:
        for name, value in one.features.items():
            if value and plain_name(name).strip("_") in _WORKERS:
                said.setdefault(name, Counter())[value] += 1
    most = (name for name, people in said.items() if len(people) > 1 and 2 * people.total() > len(found))
    return next(most, None)


def _by_feature(
    mine: Sequence[File], documents: Sequence[_Document], worker: str, asked: Sequence[str], how: Reading
) -> Export:
    """Annotations that say in a feature whose they are, as results of a crowd do: whoever marked something looked."""
    export = Export()
    people: dict[str, None] = {}
    names = named([file.parts for file in mine], how, [one.text for one in documents])
    alone = len({who for _, who in names.keys}) == 1
    for file, document, (doc, who) in zip(mine, documents, names.keys, strict=True):
        name = doc if alone else f"{doc} ({who})"
        export.document(name, document.text)
        for one in document.found:
            place = f"{file.name}, {one.type} {one.start}–{one.end}"
            if one.type in STRUCTURE and one.type not in asked:
                export.leave("tokens, sentences and what else tools mark", place)
            elif not (author := one.features.pop(worker, "")):
                export.leave(f"annotations without the feature {quoted(worker)}, which names annotators", place)
            else:
                people[author] = None
                export.saw(name, author)
                _take(export, name, author, one, place)
    export.notes.append(f"the feature {quoted(worker)} names annotators: {some(list(people), 8)}")
    return export


def _document(file: File, how: Reading) -> _Document:
    return _xml(file) if "<GateDocument" in file.beginning[:4000] else _json(file, how)


def _people(documents: Sequence[_Document]) -> set[str]:
    """Sets with annotations; those without count where all annotations are in sets with names."""
    marked = {one.set_name for document in documents for one in document.found} - {_NOBODY}
    if "" in marked or len(marked) > 1:
        return marked - {""}
    return {name for document in documents for name in document.sets} - {"", _NOBODY}


def _take(export: Export, doc: str, who: str, one: _Annotation, place: str) -> None:
    export.unit(TYPE, doc, who, one.start, one.end, one.type, place=place)
    for name, value in one.features.items():
        if name in _OF_TOOLS:
            export.leave("features in which tools keep their rules", f"{one.type}.{name} at {place}")
        elif value:
            export.unit(f"{one.type}.{name}", doc, who, one.start, one.end, value, place=place)


def _xml(file: File) -> _Document:
    root = xml_of(file)
    holder = root.find("TextWithNodes")
    if holder is None:
        raise DataError(f"{file.name}: a document of GATE has <TextWithNodes>")
    pieces, at, places = [holder.text or ""], len(holder.text or ""), {}
    for node in holder.iterfind("Node"):
        places[node.get("id")] = at
        pieces.append(node.tail or "")
        at += len(node.tail or "")
    found = []
    for group in root.iterfind("AnnotationSet"):
        for one in group.iterfind("Annotation"):
            start, end = (places.get(one.get(side)) for side in ("StartNode", "EndNode"))
            if start is None or end is None:
                raise DataError(f"{file.name}:{one.sourceline}: an annotation on a node that is not in the text")
            features = {
                " ".join((f.findtext("Name") or "").split()): _plain(f.findtext("Value"))
                for f in one.iterfind("Feature")
            }
            found.append(_Annotation(group.get("Name") or "", str(one.get("Type")), start, end, features))
    return _Document("".join(pieces), found, [group.get("Name") or "" for group in root.iterfind("AnnotationSet")])


def _plain(value: Any) -> str:
    """A value that is a label; what Java wrapped is none."""
    text = " ".join(str(value).split()) if isinstance(value, str | int | float | bool) else ""
    return "" if text.startswith("<?xml") or len(text) > 200 else text


def _json(file: File, how: Reading) -> _Document:
    whole = json_of(file, how.encoding)
    text = whole.get("text") if isinstance(whole, Mapping) else None
    sets = whole.get("annotation_sets") if isinstance(whole, Mapping) else None
    if not isinstance(text, str) or not isinstance(sets, Mapping):
        raise DataError(f"{file.name}: a document of GateNLP has a text and annotation_sets")
    place = (utf16 if whole.get("offset_type", "j") == "j" else code_points)(text)
    return _Document(text, list(_of_sets(file, sets, place)), [str(name) for name in sets])


def _of_sets(file: File, sets: Mapping[str, Any], place: Any) -> Iterator[_Annotation]:
    for name, group in sets.items():
        annotations = group.get("annotations") if isinstance(group, Mapping) else None
        if not isinstance(annotations, list):
            raise DataError(f"{file.name}: the set {quoted(name)} has no list of annotations")
        for one in annotations:
            start, end = (one.get(side) if isinstance(one, Mapping) else None for side in ("start", "end"))
            if not isinstance(start, int) or not isinstance(end, int):
                raise DataError(f"{file.name}: an annotation of the set {quoted(name)} does not say where it is")
            features = one.get("features")
            plain = {str(k): _plain(v) for k, v in features.items()} if isinstance(features, Mapping) else {}
            low, high = place(start), place(end)
            found = (start if low is None else low, end if high is None else high)
            yield _Annotation(str(name), str(one.get("type")), *found, plain)
