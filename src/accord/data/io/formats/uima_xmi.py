"""UIMA CAS in XMI, written by DKPro, WebAnno and INCEpTION.

Files: .xmi; a file per document and annotator, DOCUMENT/ANNOTATOR.xmi. TypeSystem.xml declares the types of features.
Keeps: spans (each feature of a layer is a variable), chains of mentions, features of documents as labels of items.
Skips and counts: relations, slots, deleted annotations, further views, and the structure of the text.
Reference: Apache UIMA References, "XMI CAS Serialization".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from lxml import etree

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import HEAD, File
from accord.data.io.formats.layers import (
    REFERENCE,
    SET,
    Cas,
    Features,
    Layer,
    Structure,
    Types,
    TypeSystems,
    Version,
    as_set,
    is_structure,
    layer_of,
    layers_of,
    read_versions,
    wanted_structure,
    without_labels,
)
from accord.data.io.formats.parsing import add_element, local, xml_bytes, xml_of, xml_text
from accord.data.io.formats.spans import utf16_places
from accord.data.io.formats.writing import Draft, Mark, Material, file_names, names_of_label
from accord.data.io.reading import Reading

_ID = "{http://www.omg.org/XMI}id"
_SEGMENTS = "http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"
_STRUCTURE = "tokens, sentences and other structure of the text"
_TOKENS = (f"{{{_SEGMENTS}}}Token", f"{{{_SEGMENTS}}}Sentence")
_PREFIX = re.compile(rb"""\bxmlns:([\w.-]+)=["']%b["']""" % re.escape(_SEGMENTS.encode()))
_XML_11 = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml\s+version=["']1\.1["']""")
_CONTROL = re.compile(rb"&#(?:x0*(?:[1-8bcef]|1[0-9a-f])|0*(?:[1-8]|1[124-9]|2[0-9]|3[01]));", re.IGNORECASE)
_NAMESPACE, _END = "http:///", ".ecore"


def recognises(file: File) -> bool:
    return b"http:///uima/cas.ecore" in file.head and b"http://www.omg.org/XMI" in file.head


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    types = TypeSystems(files)
    return read_versions(partial(version, how=how), mine, [(file, types.of(file)) for file in mine], how, run)


def version(given: tuple[File, Types], how: Reading) -> Version:
    """Return one document by one annotator. `given` is the file and its type system."""
    file, types = given
    cas = Cas(file.name, types, wanted_structure(how))
    readable = _readable(file)
    content, tokens = (readable, 0) if cas.wanted else _without_tokens(readable)
    root = xml_of(content)
    if local(root) != "XMI":
        raise DataError(
            "invalid-record",
            f"{file.name}: the root element {quoted(local(root), 40)} is not XMI; export it as UIMA CAS XMI",
        )
    if not cas.wanted:
        tokens += len(root)
        etree.strip_elements(root, *_TOKENS, with_tail=False)
        tokens -= len(root)
        if tokens:
            cas.leave(_STRUCTURE, f"tokens in {file.name}", tokens)
    for element in root.iterchildren("*"):
        kind = _kind(element.tag)
        if kind.startswith("uima.cas."):
            _of_cas(cas, kind, element)
        elif cas.is_passed(kind):
            cas.leave(_STRUCTURE, f"{local(element)} in {file.name}")
        else:
            _annotation(cas, kind, element)
    _settle(cas, file)
    return cas.version()


def _readable(file: File) -> File:
    """Replace control characters, which XML 1.1 allows and lxml refuses, by U+FFFD."""
    if not _XML_11.match(file.head):
        return file
    return _holding(file, _CONTROL.sub(b"&#xFFFD;", file.bytes()))


def _holding(file: File, content: bytes) -> File:
    return replace(file, opened=lambda most: content[:most])


def _without_tokens(file: File) -> tuple[File, int]:
    """Remove plain tokens and sentences before parsing, because they are most of a file.

    The rest stays unchanged, on the same lines. Nothing is removed if the prefix could have another meaning or occur in
    a text.
    """
    content = file.bytes()
    prefix = _PREFIX.search(content, 0, HEAD)
    if prefix is None or b"<!" in content or content.find(b"xmlns", content.find(b">", prefix.end())) >= 0:
        return _holding(file, content), 0
    left, tokens = _plain_tokens(prefix[1]).subn(b"", content)
    return _holding(file, left), tokens


@lru_cache(maxsize=64)
def _plain_tokens(prefix: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"<%b:(?:Token|Sentence)(?: [\w:]++=\"[\w .:-]*+\")*+/>" % re.escape(prefix))


@lru_cache(maxsize=10_000)
def _kind(tag: str) -> str:
    """{http:///webanno/custom.ecore}Span → webanno.custom.Span"""
    namespace, _, name = tag.removeprefix("{").rpartition("}")
    package = namespace.removeprefix(_NAMESPACE).removesuffix(_END).replace("/", ".")
    return f"{package}.{name}" if package and package != "uima.noNamespace" else name


def _of_cas(cas: Cas, kind: str, element: Any) -> None:
    key = element.get(_ID, "")
    if kind == "uima.cas.Sofa":
        cas.texts[key] = element.get("sofaString")
        cas.views[key] = element.get("sofaID", "")
    elif kind == "uima.cas.View":
        cas.members = (cas.members or set()) | set(element.get("members", "").split())
    elif kind.endswith("Array") and kind != "uima.cas.FSArray":
        cas.arrays[key] = [child.text or "" for child in element] or element.get("elements", "").split()


def _annotation(cas: Cas, kind: str, element: Any) -> None:
    values = dict(element.items())
    place = f"{cas.name}:{element.sourceline}"
    key, sofa, begin, end = (values.pop(name, None) for name in (_ID, "sofa", "begin", "end"))
    if not cas.takes(kind, sofa, begin, place, link="target" in values):
        return
    features: Features = {}
    references: dict[str, str] = {}
    for name, value in values.items():
        if value:
            holds = cas.types.holds(kind, name)
            if holds == REFERENCE or (holds == SET and cas.types.is_shared(kind, name)):
                references[name] = value
            elif holds == SET:
                _set(features, name, value.split())
            else:
                features[name] = value
    if len(element):
        several: dict[str, list[str]] = {}
        for child in element:
            several.setdefault(local(child), []).append(child.text or "")
        for name, texts in several.items():
            _set(features, name, texts)
    cas.add(key or "", kind, sofa, begin, end, features, references, place)


def _settle(cas: Cas, file: File) -> None:
    """Resolve arrays, and decide for undeclared features whether numbers are labels or references."""
    for one in cas.structures if cas.arrays else ():
        for name in [name for name, key in one.references.items() if key in cas.arrays]:
            _set(one.features, name, cas.arrays[one.references.pop(name)])
    unknown: dict[tuple[str, str], list[tuple[Structure, str]]] = {}
    for one in cas.structures:
        for name, value in one.features.items():
            if cas.types.holds(one.kind, name) is None and isinstance(value, str):
                unknown.setdefault((layer_of(one.kind), name), []).append((one, value))
    kinds: dict[str, str] = {}
    for feature, found in unknown.items():
        cas.unsure[feature] = False
        keys = [value.split() for _, value in found]
        if all(key.isdigit() for several in keys for key in several):
            kinds = kinds or {
                element.get(_ID, ""): _kind(element.tag) for element in xml_of(_readable(file)).iterchildren("*")
            }
            if all(key in cas.arrays for several in keys for key in several):
                for one, value in found:
                    _set(one.features, feature[1], [text for key in value.split() for text in cas.arrays[key]])
            else:
                cas.unsure[feature] = _lead_to_annotations(keys, kinds)


def _set(features: Features, name: str, values: Sequence[str]) -> None:
    label = as_set(values)
    if label is not None:
        features[name] = label


def _lead_to_annotations(keys: Sequence[Sequence[str]], kinds: Mapping[str, str]) -> bool:
    """Whether all numbers are keys of structures of one type other than text structure, or lists of keys."""
    targets = {kinds.get(key, "") for several in keys for key in several}
    if "" in targets:
        return False
    lists = any(len(several) > 1 for several in keys)
    return lists or (len(targets) == 1 and not any(is_structure(k) or k.startswith("uima.") for k in targets))


# -- writing ---------------------------------------------------------------------------------------------------------

_XMI, _SPECIFIER = "http://www.omg.org/XMI", "http://uima.apache.org/resourceSpecifier"
_BASE, _ANNOTATION = "uima.cas.AnnotationBase", "uima.tcas.Annotation"


def write(material: Material) -> Draft:
    """Write annotation/DOCUMENT/ANNOTATOR.xmi, as in exported projects, and TypeSystem.xml."""
    material.needs_texts()
    draft = Draft()
    file_names(material, draft)
    layers = layers_of([*material.units], without_labels(material), draft)
    of_documents = layers_of([*material.labels], (), draft)
    answers = _answers(material)
    draft.add("TypeSystem.xml", _types(layers, of_documents))
    for doc, annotator, marks in material.versions():
        content = _content(material.texts[doc], layers, marks, of_documents, answers.get((doc, annotator), {}))
        draft.add(f"annotation/{draft.docs[doc]}/{draft.annotators[annotator]}.xmi", content)
    return draft


def _answers(material: Material) -> dict[tuple[str, str], dict[str, str]]:
    """Return labels of whole documents by document and annotator, and by variable."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for variable in material.labels:
        for item, annotator, label in material.answers(variable):
            if annotator not in material.looked.get(item, ()):
                raise DataError(
                    "not-representable",
                    f"UIMA CAS needs the text of each labelled document, and {quoted(item)} of {quoted(annotator)} "
                    f"in {quoted(variable)} has none; use --to table or --to label_studio",
                )
            names = names_of_label(label)
            if len(names) != 1:
                raise DataError(
                    "not-representable",
                    f"{quoted(variable)}: UIMA CAS cannot represent sets of labels of a document; use --to table",
                )
            found.setdefault((item, annotator), {})[variable] = names[0]
    return found


def _element(kind: str) -> str:
    """webanno.custom.Span → {http:///webanno/custom.ecore}Span"""
    package, _, name = kind.rpartition(".")
    return f"{{{_NAMESPACE}{package.replace('.', '/')}{_END}}}{name}"


def _content(
    text: str, layers: Sequence[Layer], marks: Mapping[str, list[Mark]], of_documents: Sequence[Layer],
    answers: Mapping[str, str],
) -> bytes:  # fmt: skip
    packages = dict.fromkeys(layer.kind.rpartition(".")[0] for layer in (*layers, *of_documents))
    spaces = {"xmi": _XMI, "cas": "http:///uima/cas.ecore", "tcas": "http:///uima/tcas.ecore"}
    spaces |= {f"ns{k}": f"{_NAMESPACE}{name.replace('.', '/')}{_END}" for k, name in enumerate(packages)}
    root = etree.Element(f"{{{_XMI}}}XMI", {f"{{{_XMI}}}version": "2.0"}, nsmap=spaces)
    keys: list[str] = []

    def add(kind: str, **attributes: str) -> None:
        keys.append(str(len(keys) + 2))
        etree.SubElement(root, _element(kind), {_ID: keys[-1], "sofa": "1", **attributes})

    etree.SubElement(root, _element("uima.cas.NULL"), {_ID: "0"})
    at = utf16_places(text)
    add("uima.tcas.DocumentAnnotation", begin="0", end=str(at[-1]), language="x-unspecified")
    for layer in layers:
        for one in layer.annotations(marks):
            features = {name: xml_text(label) for name, label in one.features.items()}
            add(layer.kind, begin=str(at[one.start]), end=str(at[one.end]), **features)
    for layer in of_documents:
        said = {feature: xml_text(answers[name]) for name, feature in layer.features.items() if name in answers}
        if said:
            add(layer.kind, **said)
    sofa = {"sofaNum": "1", "sofaID": "_InitialView", "mimeType": "text", "sofaString": xml_text(text)}
    etree.SubElement(root, _element("uima.cas.Sofa"), {_ID: "1", **sofa})
    etree.SubElement(root, _element("uima.cas.View"), {"sofa": "1", "members": " ".join(keys)})
    return xml_bytes(root)


def _types(layers: Sequence[Layer], of_documents: Sequence[Layer]) -> bytes:
    tag = f"{{{_SPECIFIER}}}"
    root = etree.Element(f"{tag}typeSystemDescription", nsmap={None: _SPECIFIER})
    types = add_element(root, f"{tag}types")
    for layer, parent in [*((one, _ANNOTATION) for one in layers), *((one, _BASE) for one in of_documents)]:
        described = _describe(types, f"{tag}typeDescription", layer.kind)
        add_element(described, f"{tag}supertypeName", parent)
        features = add_element(described, f"{tag}features")
        for name in layer.named:
            add_element(_describe(features, f"{tag}featureDescription", name), f"{tag}rangeTypeName", "uima.cas.String")
    return xml_bytes(root)


def _describe(parent: Any, tag: str, name: str) -> Any:
    described = add_element(parent, tag)
    add_element(described, f"{{{_SPECIFIER}}}name", name)
    add_element(described, f"{{{_SPECIFIER}}}description")
    return described
