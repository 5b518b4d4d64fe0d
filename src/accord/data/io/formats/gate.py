"""GATE, the General Architecture for Text Engineering.

Files: GATE XML, and the JSON of GateNLP (.bdocjs). Annotators are annotation sets with names, values of a feature that
names workers, or files.
Keeps: annotations as units; types are labels of the variable `type`, features are variables called `Type.feature`.
Skips and counts: original markups; tokens, sentences and other output of GATE's tools, unless --only names it;
features of documents, features whose value is an object or longer than 200 characters.
Reference: GATE User Guide, "GATE XML"; GateNLP documentation, "bdocjs". Java counts code units of UTF-16.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import each, fields_of, json_of, one_line, xml_of
from accord.data.io.formats.spans import code_points, or_as_given, utf16
from accord.data.io.naming import Named, named
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import plain_name
from accord.data.io.unused import Unused, has_content
from accord.data.model.data import some

TYPE = "type"
# Types that GATE's tools produce or that the source text contained. No annotator marked them.
STRUCTURE = ("Token", "SpaceToken", "Sentence", "Split", "Lookup", "paragraph", "Paragraph", "DEFAULT_TOKEN")
_WORKERS = ("worker", "worker_id", "workerid", "annotator", "annotator_id", "coder", "coder_id", "rater", "rater_id")
_NOBODY = "Original markups"
# Features in which tools store how they found an annotation.
_OF_DOCUMENT = frozenset(("gate.SourceURL", "MimeType", "docNewLineType", "GATE_mimetype", "gate.gateDocFormat"))
_WHOLE = frozenset(("text", "annotation_sets", "offset_type", "features", "name", "changelog", "logs"))
_OF_TOOLS = ("rule", "rule1", "rule2", "ruleFinal", "matches", "length", "string", "kind", "orth", "replaced",
             "gate.SourceURL")  # fmt: skip


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
    unused: Unused = field(default_factory=Unused)


def recognises(file: File) -> bool:
    beginning = file.beginning[:4000]
    if "<GateDocument" in beginning:
        return True
    return file.suffix == ".bdocjs" or ('"annotation_sets"' in file.beginning and '"offset_type"' in file.beginning)


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    documents = each(partial(_document, how=how), mine, run)
    sets = _people(documents)
    asked = how.filters.get("", ())  # --only Token
    names = named([file.parts for file in mine], how, [one.text for one in documents])
    worker = _worker(documents) if how.annotators_in is None and how.names is None else None
    if worker is not None:
        return _by_feature(mine, documents, names, worker, asked)
    by_set = len(sets) > 1 and how.annotators_in not in {"files", "folders"}
    export = Export()
    export.note(f"annotation sets are annotators: {', '.join(sorted(sets)[:8])}" if by_set else names.said)
    for file, document, (doc, annotator) in zip(mine, documents, names.keys, strict=True):
        export.unused.update(document.unused)
        export.document(doc, document.text)
        for name in document.sets if by_set else [annotator]:  # an empty set means that its annotator marked nothing
            if name in sets or not by_set:
                export.saw(doc, name)
        for one in document.found:
            place = f"{file.name}, {one.type} {one.start}–{one.end}"
            if one.set_name == _NOBODY:
                export.leave("original markups", place)
            elif by_set and not one.set_name:
                export.leave("annotations of the set without a name", place)
            elif not _is_left(export, one, asked, place):
                _take(export, doc, one.set_name if by_set else annotator, one, place)
    return export


def _is_left(export: Export, one: _Annotation, asked: Sequence[str], place: str) -> bool:
    left = one.type in STRUCTURE and one.type not in asked
    if left:
        export.leave("tokens, sentences and other output of tools", place)
    return left


def _worker(documents: Sequence[_Document]) -> str | None:
    """Return the feature in which most annotations name their annotator, if it names several."""
    said: dict[str, Counter[str]] = {}
    found = [one for document in documents for one in document.found if one.type not in STRUCTURE]
    for one in found:
        for name, value in one.features.items():
            if value and plain_name(name).strip("_") in _WORKERS:
                said.setdefault(name, Counter())[value] += 1
    most = (name for name, people in said.items() if len(people) > 1 and 2 * people.total() > len(found))
    return next(most, None)


def _by_feature(
    mine: Sequence[File], documents: Sequence[_Document], names: Named, worker: str, asked: Sequence[str]
) -> Export:
    """Read annotations that name their annotator in a feature, as crowdsourced data do."""
    export = Export()
    people: dict[str, None] = {}
    alone = len({annotator for _, annotator in names.keys}) == 1
    for file, document, (doc, annotator) in zip(mine, documents, names.keys, strict=True):
        export.unused.update(document.unused)
        name = doc if alone else f"{doc} ({annotator})"
        export.document(name, document.text)
        for one in document.found:
            place = f"{file.name}, {one.type} {one.start}–{one.end}"
            if _is_left(export, one, asked, place):
                continue
            author = one.features.pop(worker, "")
            if author:
                people[author] = None
                export.saw(name, author)
                _take(export, name, author, one, place)
            else:
                export.leave(f"annotations without the feature {quoted(worker)}, which names annotators", place)
    export.notes.append(f"the feature {quoted(worker)} names annotators: {some(list(people), 8)}")
    return export


def _document(file: File, how: Reading) -> _Document:
    return _xml(file) if "<GateDocument" in file.beginning[:4000] else _json(file, how)


def _people(documents: Sequence[_Document]) -> set[str]:
    """Return the sets of annotators. Empty sets count only if all annotations are in named sets."""
    marked = {one.set_name for document in documents for one in document.found} - {_NOBODY}
    if "" in marked or len(marked) > 1:
        return marked - {""}
    return {name for document in documents for name in document.sets} - {"", _NOBODY}


def _take(export: Export, doc: str, annotator: str, one: _Annotation, place: str) -> None:
    export.unit(TYPE, doc, annotator, one.start, one.end, one.type, place=place)
    for name, value in one.features.items():
        if name in _OF_TOOLS:
            export.leave("features in which tools store their rules", f"{one.type}.{name} at {place}")
        elif value:
            export.unit(f"{one.type}.{name}", doc, annotator, one.start, one.end, value, place=place)


def _xml(file: File) -> _Document:
    root = xml_of(file)
    holder = root.find("TextWithNodes")
    if holder is None:
        raise DataError(
            "invalid-record", f"{file.name}: the element <TextWithNodes> is missing; save the document again in GATE"
        )
    pieces, at, places = [holder.text or ""], len(holder.text or ""), {}
    for node in holder.iterfind("Node"):
        places[node.get("id")] = at
        pieces.append(node.tail or "")
        at += len(node.tail or "")
    found = []
    unused = Unused()
    unused.add_children("elements", root, ("GateDocumentFeatures", "TextWithNodes", "AnnotationSet"))
    for one in root.iterfind("GateDocumentFeatures/Feature"):
        if (name := one_line(one.findtext("Name"))) not in _OF_DOCUMENT and has_content(one.findtext("Value")):
            unused.add("features of documents", name)
    for group in root.iterfind("AnnotationSet"):
        unused.add_children("elements of annotation sets", group, ("Annotation",))
        for one in group.iterfind("Annotation"):
            start, end = (places.get(one.get(side)) for side in ("StartNode", "EndNode"))
            if start is None or end is None:
                raise DataError(
                    "invalid-record",
                    f"{file.name}:{one.sourceline}: StartNode or EndNode of an annotation is not a node of the text; "
                    "save the document again in GATE",
                )
            unused.add_attributes("attributes of annotations", one, ("Id", "Type", "StartNode", "EndNode"))
            unused.add_children("elements of annotations", one, ("Feature",))
            said = {one_line(f.findtext("Name")): f.findtext("Value") for f in one.iterfind("Feature")}
            features = _features(said, unused)
            found.append(_Annotation(group.get("Name") or "", str(one.get("Type")), start, end, features))
    sets = [group.get("Name") or "" for group in root.iterfind("AnnotationSet")]
    return _Document("".join(pieces), found, sets, unused)


def _features(said: Mapping[Any, Any], unused: Unused) -> dict[str, str]:
    """Return features as labels. Count values that are not labels."""
    features = {str(name): _plain(value) for name, value in said.items()}
    for name, value in said.items():
        unused.add("features with objects or long values", name, has_content(value) and not features[str(name)])
    return features


def _plain(value: Any) -> str:
    """Return a value as a label, or an empty text if it is a serialised Java object or too long."""
    text = " ".join(str(value).split()) if isinstance(value, str | int | float | bool) else ""
    return "" if text.startswith("<?xml") or len(text) > 200 else text


def _json(file: File, how: Reading) -> _Document:
    whole = fields_of(json_of(file, how.encoding))
    text, sets = whole.get("text"), whole.get("annotation_sets")
    if not isinstance(text, str) or not isinstance(sets, Mapping):
        raise DataError(
            "invalid-record",
            f'{file.name}: "text" or "annotation_sets" is missing; save the document again with GateNLP',
        )
    at = or_as_given((utf16 if whole.get("offset_type", "j") == "j" else code_points)(text))
    unused = Unused()
    unused.add_keys("keys of documents", whole, _WHOLE)
    unused.add_keys("features of documents", fields_of(whole.get("features")), _OF_DOCUMENT)
    return _Document(text, list(_of_sets(file, sets, at, unused)), [str(name) for name in sets], unused)


def _of_sets(file: File, sets: Mapping[str, Any], at: Callable[[int], int], unused: Unused) -> Iterator[_Annotation]:
    for name, group in sets.items():
        annotations = fields_of(group).get("annotations")
        if not isinstance(annotations, list):
            raise DataError(
                "invalid-record",
                f"{file.name}: annotation set {quoted(name)} has no list of annotations; "
                "save the document again with GateNLP",
            )
        for one in annotations:
            start, end = (fields_of(one).get(side) for side in ("start", "end"))
            if not isinstance(start, int) or not isinstance(end, int):
                raise DataError(
                    "invalid-record",
                    f"{file.name}: an annotation of set {quoted(name)} has no valid position; "
                    "expected whole numbers in start and end",
                )
            unused.add_keys("keys of annotations", one, ("type", "start", "end", "features", "_id"))
            features = _features(fields_of(one.get("features")), unused)
            yield _Annotation(str(name), str(one.get("type")), at(start), at(end), features)
