"""BioC, the interchange format of biomedical text mining, in XML and JSON.

Files: .xml and .json, with one document or many. An infon `annotator` names the annotator, else each file is one.
Keeps: annotations as units; each key of their infons is a variable. The text of a document consists of its passages.
Annotations of a document without a location are labels of items; several labels are a set.
Skips and counts: relations, annotations without a type, annotations of passages without a location, infons that
identify a concept, infons of documents and passages.
Reference: Comeau et al. (2013), BioC: a minimalist approach to interoperability for biomedical text processing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export, annotator_in, plain_value
from accord.data.io.formats.files import LARGEST, File
from accord.data.io.formats.parsing import each, fields_of, json_rows, one_line, xml_of
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import ANNOTATOR, plain_name
from accord.data.io.unused import Unused

# Infons that are not categories: identifiers of a concept, and facts about it.
_ABOUT = ("identifier", "updated_at", "ncbi_homologene", "ncbi_gene", "mesh", "source", "note", "normalized",
          "normalized_id", "accession", "name", "valid", "database", "score", "lookup_name")  # fmt: skip

_KEYS = {
    "annotations": frozenset(("infons", "text", "locations", "infon", "location")),
    "documents": frozenset(("infons", "passages", "annotations", "relations", "infon", "passage", "annotation",
                            "relation", "document", "bioctype", "pmid", "pmcid", "_id")),
    "passages": frozenset(("offset", "text", "infons", "sentences", "annotations", "relations", "infon", "sentence",
                           "annotation", "relation", "bioctype")),
}  # fmt: skip
_ELEMENTS = {"annotations": ("annotation",), "documents": ("document",), "passages": ("passage", "sentence")}
_FAR = 10_000_000  # a passage that begins this far after the others is damaged


@dataclass
class _Span:
    pieces: list[tuple[int, int]]
    surface: str | None
    infons: dict[str, str]
    place: str
    within: int = 0  # the offset of its passage or sentence
    of_document: bool = False


@dataclass
class _Document:
    name: str
    passages: list[tuple[int, str]] = field(default_factory=list)  # offset, text
    spans: list[_Span] = field(default_factory=list)
    relations: int = 0
    unused: Unused = field(default_factory=Unused)

    @property
    def text(self) -> str:
        """Passages at their offsets, with blanks between them."""
        text = ""
        farthest = _FAR + 10 * sum(len(passage) for _, passage in self.passages)
        for offset, passage in sorted(
            self.passages, key=lambda one: (one[0], -len(one[1]))
        ):  # passages before their sentences
            if offset > farthest:
                raise DataError(
                    "invalid-record",
                    f"document {quoted(self.name)}: offset {offset:,} of a passage is far beyond the text before it; "
                    "correct the offset",
                )
            text = text[:offset].ljust(offset) + passage + text[offset + len(passage) :]
        return text

    def settle(self) -> None:
        """Make offsets count from the start of the document. Some tools count from the passage or sentence."""
        text = self.text
        said = [span for span in self.spans if span.surface and len(span.pieces) == 1]

        def fit(shifted: bool) -> bool:
            return all(
                text[low + span.within * shifted : high + span.within * shifted].split() == str(span.surface).split()
                for span in said
                for low, high in span.pieces
            )

        if said and not fit(shifted=False) and fit(shifted=True):
            for span in self.spans:
                span.pieces = [(low + span.within, high + span.within) for low, high in span.pieces]


def recognises(file: File) -> bool:
    beginning = file.beginning[:6000]
    if "<collection>" in beginning or "<collection " in beginning:
        return "<passage>" in file.beginning or "<document>" in file.beginning or "BioC.dtd" in beginning
    if file.suffix not in {".json", ".jsonl", ".ndjson"} or '"passages"' not in file.beginning:
        return False
    return '"infons"' in file.beginning or '"annotations"' in file.beginning


def _documents(file: File, how: Reading) -> list[_Document]:
    return list(_xml(file) if file.beginning.lstrip().startswith("<") else _json(file, how))


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    found = each(partial(_documents, how=how), mine, run)
    export = Export()
    people = export.name_annotators(mine, how, [frozenset(doc.name for doc in docs) for docs in found])
    for file, docs, annotator in zip(mine, found, people, strict=True):
        for doc in docs:
            doc.settle()
            export.same_text(doc.name, doc.text, file)
            if not any(annotator_in(span.infons) for span in doc.spans):
                export.saw(doc.name, annotator)
            export.unused.update(doc.unused)
            if doc.relations:
                export.leave("relations", doc.name, doc.relations)
            for span in doc.spans:
                if span.pieces or not span.of_document:
                    _take(export, doc.name, annotator, span)
            _take_labels(export, doc, annotator)
    return export


def _pass_infons(doc: _Document) -> None:
    """Count infons that are not labels."""
    for span in doc.spans:
        for name in span.infons:
            if plain_name(name) in _ABOUT and plain_name(name) != "updated_at":
                doc.unused.add("infons of annotations", name)


def _labels_of(span: _Span) -> dict[str, str]:
    return {k: v for k, v in span.infons.items() if plain_name(k) not in ANNOTATOR and plain_name(k) not in _ABOUT}


def _take_labels(export: Export, doc: _Document, annotator: str) -> None:
    """Add annotations of the whole document, which have no location, as labels of an item."""
    labels: dict[tuple[str, str], list[str]] = {}
    places: dict[tuple[str, str], str] = {}
    for span in doc.spans:
        if span.pieces or not span.of_document:
            continue
        if not (found := _labels_of(span)):
            export.leave("annotations without a type", span.place)
        for name, value in found.items():
            key = (name, annotator_in(span.infons) or annotator)
            labels.setdefault(key, []).append(value)
            places.setdefault(key, span.place)
    for (name, who), values in labels.items():
        distinct = list(dict.fromkeys(values))
        label = distinct if len(distinct) > 1 else distinct[0]
        export.label(name, doc.name, who, label, place=places[name, who])


def _take(export: Export, doc: str, annotator: str, span: _Span) -> None:
    annotator = annotator_in(span.infons) or annotator
    labels = _labels_of(span)
    export.fragmented += len(span.pieces) > 1
    if not labels:
        export.leave("annotations without a type", span.place)
    elif not span.pieces:
        export.leave("annotations of passages without a location", span.place)
    for name, value in labels.items():
        for start, end in span.pieces:
            surface = span.surface if len(span.pieces) == 1 else None
            export.unit(name, doc, annotator, start, end, value, place=span.place, surface=surface)


def _xml(file: File) -> Iterator[_Document]:
    for number, element in enumerate(xml_of(file).iter("document"), 1):
        doc = _Document((element.findtext("id") or "").strip() or f"{file.stem} {number}")
        for part in element.iter("passage", "sentence"):
            text = part.findtext("text")
            if text is not None:
                doc.passages.append((_number(part.findtext("offset"), f"{file.name}:{part.sourceline}"), text))
        for one in element.iter("annotation"):
            place = f"{file.name}:{one.sourceline}"
            pieces = [
                (start, start + _number(where.get("length"), place))
                for where in one.iterfind("location")
                for start in [_number(where.get("offset"), place)]
            ]
            infons = {str(i.get("key")): one_line(i.text) for i in one.iterfind("infon")}
            said = {key: value for key, value in infons.items() if value}
            above = one.getparent()
            within = _number(above.findtext("offset") or 0, place)
            doc.spans.append(_Span(pieces, one.findtext("text"), said, place, within, above.tag == "document"))
        doc.relations = sum(1 for _ in element.iter("relation"))
        for kind, known in _KEYS.items():
            for part in element.iter(*_ELEMENTS[kind]):
                doc.unused.add_children(f"elements of {kind}", part, known | {"id"})
                doc.unused.add_attributes(f"attributes of {kind}", part, ())
                for infon in part.iterfind("infon") if kind != "annotations" else ():
                    doc.unused.add("infons of documents and passages", infon.get("key"), harmless=True)
        _pass_infons(doc)
        yield doc


def _number(value: Any, place: str) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        raise DataError(
            "invalid-record", f"{place}: an offset or length is missing or not a number; write whole numbers from 0"
        ) from None
    if not 0 <= number <= LARGEST:
        raise DataError(
            "invalid-record", f"{place}: {quoted(value)} is not a valid offset or length; expected 0 to {LARGEST:,}"
        )
    return number


def _listed(whole: Any) -> list[Any]:
    """Return the documents of a collection, in its first field that is a list, or the only document."""
    if not isinstance(whole, Mapping) or "passages" in whole:
        return [whole]
    return next((value for value in whole.values() if isinstance(value, list)), [whole])


def _json(file: File, how: Reading) -> Iterator[_Document]:
    given = [one for _, whole in json_rows(file, how.encoding) for one in _listed(whole)]
    for number, one in enumerate(given, 1):
        if not isinstance(one, Mapping) or not isinstance(one.get("passages"), list):
            raise DataError(
                "invalid-record",
                f"{file.name}: document {number} has no list of passages; add "
                '"passages": [{"offset": 0, "text": "…", "annotations": []}]',
            )
        doc = _Document(str(one.get("id") or f"{file.stem} {number}"), relations=_many(one, "relations"))
        for passage in one["passages"]:
            inside = fields_of(passage).get("sentences")
            parts = [passage, *(inside if isinstance(inside, list) else [])]
            for part in parts:
                if not isinstance(part, Mapping):
                    raise DataError(
                        "invalid-record",
                        f"{file.name}, {doc.name}: a passage or sentence is not an object; "
                        "expected an object with offset, text and annotations",
                    )
                _take_part(doc, part, file)
        for k, span in enumerate(_annotations(one), 1):
            doc.spans.append(
                _of_json(span, f"{file.name}, {doc.name}, annotation {k} of the document", 0, of_document=True)
            )
        _pass_keys(doc, one, "documents")
        _pass_infons(doc)
        yield doc


def _pass_keys(doc: _Document, part: Mapping[str, Any], kind: str) -> None:
    """Count unknown keys of a document or passage and of its annotations."""
    doc.unused.add_keys(f"keys of {kind}", part, _KEYS[kind])
    doc.unused.add_keys("infons of documents and passages", fields_of(part.get("infons")), (), harmless=True)
    for span in _annotations(part):
        doc.unused.add_keys("keys of annotations", span, _KEYS["annotations"])


def _annotations(part: Mapping[str, Any]) -> list[Any]:
    given = part.get("annotations") or []
    return given if isinstance(given, list) else [given]


def _many(one: Mapping[str, Any], name: str) -> int:
    given = one.get(name)
    return len(given) if isinstance(given, list) else 0


def _take_part(doc: _Document, part: Mapping[str, Any], file: File) -> None:
    offset = _number(part.get("offset"), f"{file.name}, {doc.name}")
    if isinstance(part.get("text"), str):
        doc.passages.append((offset, part["text"]))
    doc.relations += _many(part, "relations")
    for k, span in enumerate(_annotations(part), 1):
        doc.spans.append(_of_json(span, f"{file.name}, {doc.name}, annotation {k} at {offset}", offset))
    _pass_keys(doc, part, "passages")


def _of_json(span: Any, place: str, within: int, *, of_document: bool = False) -> _Span:
    if isinstance(span, Mapping) and of_document and not span.get("locations"):
        span = {**span, "locations": []}
    if not isinstance(span, Mapping) or not isinstance(span.get("locations"), list):
        raise DataError(
            "invalid-record",
            f'{place}: an annotation has no list of locations; add "locations": [{{"offset": 0, "length": 4}}]',
        )
    pieces = []
    for where in span["locations"]:
        start = _number(fields_of(where).get("offset"), place)
        pieces.append((start, start + _number(where.get("length"), place)))
    plain = {str(k): plain_value(v) for k, v in fields_of(span.get("infons")).items()}
    known = {key: value for key, value in plain.items() if value}
    surface = span.get("text")
    return _Span(pieces, surface if isinstance(surface, str) else None, known, place, within, of_document)
