"""CATMA: a project as its Git repository has it. Collections are annotators, tags are labels, properties variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.io.formats.by_file import watched
from accord.data.io.formats.documents import plain_value
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.offsets import Offsets, utf16
from accord.data.io.formats.parsing import first_json, json_of
from accord.data.io.reading import Reading

TAG = "tag"


def recognises(file: File) -> bool:
    if file.suffix != ".json" or "catma.de/tag" not in file.beginning:
        return False
    first = first_json(file)
    return isinstance(first, Mapping) and first.get("type") == "Annotation"


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    export = Export()
    tags, properties = _tagsets(files, how)
    headers = {file.folder: _object(file, how) for file in files if file.parts[-1] == "header.json"}
    texts = {file.stem: file for file in files if file.suffix == ".txt" and "documents" in file.parts}
    titles = {folder[-1]: _title(header) for folder, header in headers.items() if folder and folder[-1] in texts}
    offsets: dict[str, Offsets] = {}
    used = {file.folder[:-1] for file in mine}
    for folder, header in headers.items():
        if "sourceDocumentId" in header and folder not in used:
            export.leave("collections without annotations", header.get("name"))
    for file in watched(mine, run):
        collection = headers.get(file.folder[:-1], {})
        who = plain_value(collection.get("name")) or file.stem
        for place, one in _annotations(file, how):
            body = one.get("body") if isinstance(one.get("body"), Mapping) else {}
            label = tags.get(str((body or {}).get("tag", "")).rpartition("/")[2])
            if label is None:
                export.leave("annotations whose tag is not in the project", place)
                continue
            said = {TAG: label, **_properties(body or {}, properties)}
            pieces = _joined(_pieces(one, place))
            export.fragmented += len(pieces) > 1
            for source, start, end in pieces:
                doc = titles.get(source) or source
                if source not in texts:
                    raise DataError(f"{place}: the text of document {source} is not in the project's documents folder")
                if doc not in offsets:
                    export.document(doc, texts[source].text(how.encoding))
                    offsets[doc] = utf16(export.texts[doc])
                low, high = offsets[doc](start), offsets[doc](end)
                for variable, value in said.items():
                    export.unit(variable, doc, who, start if low is None else low, end if high is None else high, value,
                                place=place)  # fmt: skip
    return export


def _object(file: File, how: Reading) -> Mapping[str, Any]:
    value = json_of(file, how.encoding)
    return value if isinstance(value, Mapping) else {}


def _title(header: Mapping[str, Any]) -> str | None:
    info = header.get("gitContentInfoSet")
    title = info.get("title") if isinstance(info, Mapping) else header.get("title")
    return plain_value(title)


def _tagsets(files: Sequence[File], how: Reading) -> tuple[dict[str, str], dict[str, str]]:
    """The names of tags and of their properties, by id."""
    tags: dict[str, str] = {}
    properties: dict[str, str] = {}
    for file in files:
        if file.parts[-1] == "propertydefs.json":
            defined = _object(file, how)
            tags[str(defined.get("uuid") or file.folder[-1])] = str(defined.get("name"))
            own = defined.get("userDefinedPropertyDefinitions")
            for key, one in own.items() if isinstance(own, Mapping) else ():
                if isinstance(one, Mapping):
                    properties[str(key)] = str(one.get("name"))
    return tags, properties


def _annotations(file: File, how: Reading) -> Iterator[tuple[str, Mapping[str, Any]]]:
    value = json_of(file, how.encoding)
    for number, one in enumerate(value if isinstance(value, list) else [value], 1):
        if not isinstance(one, Mapping):
            raise DataError(f"{file.name}, entry {number}: no annotation")
        yield f"{file.name}, entry {number}", one


def _properties(body: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, str]:
    given = body.get("properties")
    user = given.get("user") if isinstance(given, Mapping) else None
    found = {}
    for key, values in user.items() if isinstance(user, Mapping) else ():
        if isinstance(values, list) and values and key in known:
            found[known[key]] = "|".join(sorted(map(str, values)))
    return found


def _joined(pieces: Iterable[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """CATMA cuts an annotation at the lines of its screen: what touches is one piece."""
    found: list[tuple[str, int, int]] = []
    for source, start, end in sorted(pieces):
        if found and found[-1][0] == source and start <= found[-1][2]:
            found[-1] = (source, found[-1][1], max(end, found[-1][2]))
        else:
            found.append((source, start, end))
    return found


def _pieces(one: Mapping[str, Any], place: str) -> Iterator[tuple[str, int, int]]:
    target = one.get("target")
    items = target.get("items") if isinstance(target, Mapping) else None
    for item in items if isinstance(items, list) else []:
        selector = item.get("selector") if isinstance(item, Mapping) else None
        start, end = (selector.get(side) if isinstance(selector, Mapping) else None for side in ("start", "end"))
        if not isinstance(start, int) or not isinstance(end, int):
            raise DataError(f"{place}: an annotation does not say where it is")
        yield str(item.get("source")), start, end
