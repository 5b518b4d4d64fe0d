"""CATMA, the tool for collaborative annotation of texts: the Git repository of a project.

Files: a project folder: annotations in .json, texts in documents/, names of tags in propertydefs.json.
Keeps: annotations as units of the variable `tag`; properties are further variables. Collections are annotators.
Skips and counts: annotations with a tag that is not in the project, collections without annotations, comments.
Reference: CATMA documentation, "Git access"; annotations follow the W3C Web Annotation Data Model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.io.formats.export import Export, plain_value
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import fields_of, json_of, watched
from accord.data.io.formats.spans import join_spans, or_as_given, utf16
from accord.data.io.reading import Reading

TAG = "tag"
_ANNOTATION = frozenset(("@context", "type", "id", "body", "target"))
_BODY = frozenset(("@context", "type", "tag", "tagset", "properties"))
_OWN = ("header.json", "propertydefs.json", "tagset.json")  # files that describe the project


def recognises(file: File) -> bool:
    if file.suffix != ".json" or "catma.de/tag" not in file.beginning:
        return False
    first = file.first_value
    return isinstance(first, Mapping) and first.get("type") == "Annotation"


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    export = Export()
    tags, properties = _tagsets(files, how)
    headers = {file.folder: fields_of(json_of(file, how.encoding)) for file in files if file.parts[-1] == "header.json"}
    texts = {file.stem: file for file in files if file.suffix == ".txt" and "documents" in file.parts}
    titles = {folder[-1]: _title(header) for folder, header in headers.items() if folder and folder[-1] in texts}
    export.also |= {file.name for file in files if file.parts[-1] in _OWN}
    offsets: dict[str, Callable[[int], int]] = {}
    used = {file.folder[:-1] for file in mine}
    for folder, header in headers.items():
        if "sourceDocumentId" in header and folder not in used:
            export.leave("collections without annotations", header.get("name"))
    for file in watched(mine, run):
        collection = headers.get(file.folder[:-1], {})
        annotator = plain_value(collection.get("name")) or file.stem
        for place, one in _annotations(file, how):
            body = fields_of(one.get("body"))
            export.unused.add_keys("keys of annotations", one, _ANNOTATION)
            export.unused.add_keys("keys of annotation bodies", body, _BODY)
            user = fields_of(fields_of(body.get("properties")).get("user"))
            export.unused.add(
                "properties", "not in the project", sum(bool(v) and k not in properties for k, v in user.items())
            )
            label = tags.get(str(body.get("tag", "")).rpartition("/")[2])
            if label is None:
                export.leave("annotations whose tag is not in the project", place)
                continue
            said = {TAG: label, **_properties(body, properties)}
            pieces = _pieces(one, place)
            export.fragmented += len(pieces) > 1
            for source, start, end in pieces:
                doc = titles.get(source) or source
                if source not in texts:
                    raise DataError(
                        "file-missing",
                        f"{place}: the text of document {source} is not in the folder documents/; "
                        "clone the whole project again",
                    )
                if doc not in offsets:
                    export.document(doc, texts[source].text(how.encoding))
                    offsets[doc] = or_as_given(utf16(export.texts[doc]))
                at = offsets[doc]
                for variable, value in said.items():
                    export.unit(variable, doc, annotator, at(start), at(end), value, place=place)
    return export


def _title(header: Mapping[str, Any]) -> str | None:
    info = header.get("gitContentInfoSet")
    title = info.get("title") if isinstance(info, Mapping) else header.get("title")
    return plain_value(title)


def _tagsets(files: Sequence[File], how: Reading) -> tuple[dict[str, str], dict[str, str]]:
    """Return the names of tags and of their properties, by id."""
    tags: dict[str, str] = {}
    properties: dict[str, str] = {}
    for file in files:
        if file.parts[-1] == "propertydefs.json":
            defined = fields_of(json_of(file, how.encoding))
            tags[str(defined.get("uuid") or file.folder[-1])] = str(defined.get("name"))
            for key, one in fields_of(defined.get("userDefinedPropertyDefinitions")).items():
                if isinstance(one, Mapping):
                    properties[str(key)] = str(one.get("name"))
    return tags, properties


def _annotations(file: File, how: Reading) -> Iterator[tuple[str, Mapping[str, Any]]]:
    value = json_of(file, how.encoding)
    for number, one in enumerate(value if isinstance(value, list) else [value], 1):
        if not isinstance(one, Mapping):
            raise DataError(
                "invalid-record",
                f"{file.name}, entry {number}: the entry is not a JSON object; expected an annotation of CATMA",
            )
        yield f"{file.name}, entry {number}", one


def _properties(body: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, str]:
    given = fields_of(fields_of(body.get("properties")).get("user"))
    return {
        known[key]: "|".join(sorted(map(str, values)))
        for key, values in given.items()
        if isinstance(values, list) and values and key in known
    }


def _pieces(one: Mapping[str, Any], place: str) -> list[tuple[str, int, int]]:
    """Return document, start and end of each piece. CATMA splits annotations at screen lines: join adjacent pieces."""
    items = fields_of(one.get("target")).get("items")
    by_source: dict[str, list[tuple[int, int]]] = {}
    for item in items if isinstance(items, list) else []:
        selector = fields_of(fields_of(item).get("selector"))
        start, end = selector.get("start"), selector.get("end")
        if not isinstance(start, int) or not isinstance(end, int):
            raise DataError(
                "invalid-record",
                f"{place}: the annotation has no valid position; "
                "expected whole numbers in start and end of its selector",
            )
        by_source.setdefault(str(item.get("source")), []).append((start, end))
    return [(source, *span) for source, spans in sorted(by_source.items()) for span in join_spans(spans)]
