"""Annotations in layers (UIMA, WebAnno, INCEpTION): spans with features, chains, features of documents.

A feature with values is the variable `Layer.feature`. A layer in which all features are empty is the variable `Layer`.
This module contains the code that their readers share. A `Version` is the work of one annotator on a document. A `Cas`
is a UIMA file in either notation. Functions at the end write variables as layers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeVar

from accord.core.context import Run
from accord.core.errors import DataError, counted, quoted
from accord.data.io.formats.export import Export, LeavesOut
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import each, xml_of
from accord.data.io.formats.spans import Offsets, utf16
from accord.data.io.formats.writing import Draft, Mark, Material, renamed
from accord.data.io.reading import Reading
from accord.data.model.labels import Label

T = TypeVar("T")
Features = dict[str, Label]  # features with a value
DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
# A DKPro type that represents a tag (POS_NOUN, NSUBJ, NP) belongs to the layer of its package.
_LAYER_OF_PACKAGE = {
    f"{DKPRO}lexmorph.type.pos": "POS",
    f"{DKPRO}lexmorph.type.pos.tweet": "POS",
    f"{DKPRO}syntax.type.dependency": "Dependency",
    f"{DKPRO}syntax.type.constituent": "Constituent",
    f"{DKPRO}syntax.type.chunk": "Chunk",
    f"{DKPRO}ner.type": "NamedEntity",
}
# Structure of the text, which annotators did not mark. --label selects it anyway.
STRUCTURE = frozenset((
    "Sentence", "Token", "Paragraph", "Heading", "Div", "Line", "Page", "Field", "Document", "DocumentAnnotation",
    "DocumentMetaData", "TagDescription", "TagsetDescription", "MetaDataStringField", "CASMetadata",
    "LayerDefinition", "FeatureDefinition", "PdfPage", "PdfChunk", "XmlDocument", "XmlElement", "XmlAttribute",
    "XmlNode", "XmlTextNode", "NGram", "StopWord", "Split", "Compound", "CompoundPart", "LinkingMorpheme",
))  # fmt: skip
_PACKAGES_OF_STRUCTURE = (f"{DKPRO}metadata.", "de.tudarmstadt.ukp.clarin.webanno.api.type.", "org.dkpro.core.api.xml.")


class Span(NamedTuple):
    layer: str  # the full name of its type
    start: int
    end: int
    features: Features
    place: str
    surface: str | None


class Mention(NamedTuple):
    layer: str
    start: int
    end: int
    chain: str
    place: str
    surface: str | None


class OfDocument(NamedTuple):
    """Features of a whole document."""

    layer: str
    features: Features
    place: str


@dataclass
class Version(LeavesOut):
    """The annotations of one annotator in a document."""

    text: str | None
    spans: list[Span] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    of_document: list[OfDocument] = field(default_factory=list)
    unsure: dict[tuple[str, str], bool] = field(
        default_factory=dict
    )  # whether a feature of numbers may contain references

    @property
    def layers(self) -> set[str]:
        return {one[0] for part in (self.spans, self.mentions, self.of_document) for one in part}


@lru_cache(maxsize=10_000)
def layer_of(kind: str) -> str:
    """Return the layer of a type: de.….pos.POS_NOUN belongs to POS."""
    package, _, name = kind.rpartition(".")
    if package in _LAYER_OF_PACKAGE:
        return f"{package.removesuffix('.tweet')}.{_LAYER_OF_PACKAGE[package]}"
    return kind if name else package


def is_structure(kind: str) -> bool:
    return kind.rpartition(".")[2] in STRUCTURE or kind.startswith(_PACKAGES_OF_STRUCTURE)


def wanted_structure(how: Reading) -> frozenset[str]:
    """Return short names of types of text structure that --label names."""
    return frozenset(name.partition(".")[0] for name in how.label) & STRUCTURE


def fill_export(export: Export, found: Sequence[tuple[str, str, Version]]) -> None:
    """Fill the export with versions: (document, annotator, version)."""
    references = _references(export, [version for _, _, version in found])
    names = _short({layer for _, _, version in found for layer in version.layers})
    filling = _Filling(export, names, references)
    for _, _, version in found:
        filling.learn(version.spans)
    for doc, annotator, version in found:
        filling.take(doc, annotator, version)
    if filling.broken:
        export.notes.append(f"{counted(filling.broken, 'label')} with line breaks, read as one line")


@dataclass
class _Filling:
    export: Export
    names: dict[str, str]  # short ones, by layer
    references: set[tuple[str, str]]
    variables: dict[str, dict[str, str]] = field(default_factory=dict)  # by layer and feature
    broken: int = 0  # labels with line breaks

    def learn(self, spans: Sequence[Span]) -> None:
        """Make a variable of each feature that has a value in any span."""
        for layer, *names in dict.fromkeys([(span[0], *span[3]) for span in spans]):
            known = self.variables.setdefault(layer, {})
            for name in names:
                if name not in known and (layer, name) not in self.references:
                    known[name] = f"{self.names[layer]}.{name}"

    def take(self, doc: str, annotator: str, version: Version) -> None:
        export = self.export
        export.document(doc, version.text)
        export.saw(doc, annotator)
        layers = dict.fromkeys([span[0] for span in version.spans])
        for layer in layers:
            mine = version.spans if len(layers) == 1 else [span for span in version.spans if span[0] == layer]
            self._units(doc, annotator, layer, mine)
        for layer, start, end, chain, place, surface in version.mentions:
            export.mention(self.names[layer], doc, annotator, start, end, chain, place=place, surface=surface)
        self._label(doc, annotator, version)
        export.leave_also(version)

    def _units(self, doc: str, annotator: str, layer: str, spans: Sequence[Span]) -> None:
        """Add the spans of a layer; the values of each feature are the labels of a variable."""
        variables = self.variables[layer]
        if not variables:
            self._add(self.names[layer], doc, annotator, spans, [None] * len(spans))
        for name, variable in variables.items():
            having = [span for span in spans if name in span[3]]
            if len(having) < len(spans):
                first = next(span.place for span in spans if name not in span.features)
                self.export.leave(f"spans of {self.names[layer]} without {name}", first, len(spans) - len(having))
            if having:
                self._add(variable, doc, annotator, having, self._in_one_line([span[3][name] for span in having]))

    def _add(
        self, variable: str, doc: str, annotator: str, spans: Sequence[Span], labels: Sequence[Label | None]
    ) -> None:
        _, starts, ends, _, places, surfaces = zip(*spans, strict=True)
        self.export.units_of(variable, doc, annotator, starts, ends, labels, places=places, surfaces=surfaces)

    def _label(self, doc: str, annotator: str, version: Version) -> None:
        """Add the features of a document as labels of an item; several values are a set."""
        values: dict[str, list[Label]] = {}
        places: dict[str, str] = {}
        for layer, features, place in version.of_document:
            for name, value in features.items():
                if (layer, name) not in self.references:
                    variable = f"{self.names[layer]}.{name}"
                    values.setdefault(variable, []).append(self._one_line(value))
                    places.setdefault(variable, place)
        for variable, labels in values.items():
            label = labels[0] if len(labels) == 1 else labels
            self.export.label(variable, doc, annotator, label, place=places[variable])

    def _in_one_line(self, labels: Sequence[Label]) -> Sequence[Label]:
        if any("\n" in label or "\r" in label for label in set(labels) if isinstance(label, str)):
            return [self._one_line(label) for label in labels]
        return labels

    def _one_line(self, label: Label) -> Label:
        if isinstance(label, str) and ("\n" in label or "\r" in label):
            self.broken += 1
            return " ".join(label.split())
        return label


def _references(export: Export, versions: Iterable[Version]) -> set[tuple[str, str]]:
    """Return features of numbers that refer to annotations in every file, if no type system declares them."""
    unsure: dict[tuple[str, str], bool] = {}
    for version in versions:
        for feature, referring in version.unsure.items():
            unsure[feature] = unsure.get(feature, True) and referring
    found = {feature for feature, referring in unsure.items() if referring}
    for layer, name in sorted(found):
        which = f"{layer.rpartition('.')[2]}.{name}"
        export.notes.append(
            f"{which}: its numbers refer to other annotations, so accord does not read them as labels; "
            "add TypeSystem.xml to the folder to make this certain"
        )
    return found


def _short(layers: Iterable[str]) -> dict[str, str]:
    """Return the last part of each name, or the full name if two layers share it."""
    last = {layer: layer.rpartition(".")[2] for layer in layers}
    several = [name for name in last.values() if list(last.values()).count(name) > 1]
    return {layer: layer if name in several else name for layer, name in last.items()}


# -- annotators: from the path of a file in an exported project of WebAnno or INCEpTION, or from its name --

_FOLDERS = ("annotation", "curation")  # of a project: annotation/DOCUMENT/ANNOTATOR.tsv, or a .zip that contains files
INITIAL = "INITIAL_CAS"  # a document before annotation
CURATORS = ("CURATION_USER", "CORRECTION_USER")


class Place(NamedTuple):
    doc: str
    annotator: str
    curated: bool
    project: str  # the folders above


def place_in_project(file: File) -> Place | None:
    """Return document and annotator of a file in an exported project, or None if it is not in a project."""
    parts = file.parts
    for k in range(len(parts) - 2):
        if parts[k] in _FOLDERS:
            annotator = _annotator_of(parts[k + 1], parts[k + 2 :])
            curated = parts[k] == "curation" or annotator in CURATORS
            return Place(parts[k + 1], annotator, curated, "/".join(parts[:k]))
    return None


def _annotator_of(doc: str, inside: Sequence[str]) -> str:
    """Return the annotator of ANNOTATOR.xmi, webanno123export.zip/ANNOTATOR.xmi, or ANNOTATOR.zip/DOCUMENT.xmi."""
    outer, inner = PurePosixPath(inside[0]).stem, PurePosixPath(inside[-1]).stem
    return outer if inner in {doc, PurePosixPath(doc).stem} else inner


def leave_out(export: Export, file: File, place: Place, how: Reading) -> bool:
    """Skip and count an initial version, or a curator's version unless --annotators names the curator."""
    if place.annotator == INITIAL:
        export.leave("documents in their initial state", file.name)
        return True
    if place.curated and place.annotator not in how.annotators:
        names = f"to read them, use --annotators …,{place.annotator}"
        export.leave(f"documents by a curator, who is not an annotator ({names})", file.name)
        return True
    return False


def read_versions(
    parsed: Callable[[T], Version], mine: Sequence[File], given: Sequence[T], how: Reading, run: Run
) -> Export:
    """Read files with one version each. `parsed` returns the version of an element of `given`."""
    export = Export()
    fill_export(export, _name_versions(export, mine, each(parsed, given, run), how))
    return export


def _name_versions(
    export: Export, mine: Sequence[File], versions: Sequence[Version], how: Reading
) -> list[tuple[str, str, Version]]:
    """Name document and annotator of each version. Skip and count initial versions and curators."""
    places = [place for file in mine if (place := place_in_project(file)) is not None]
    if how.names is not None or len(places) < len(mine):
        keys = export.name_files(mine, how, [version.text for version in versions])
        return [(doc, annotator, version) for (doc, annotator), version in zip(keys, versions, strict=True)]
    several = len({place.project for place in places}) > 1
    by_key: dict[tuple[str, str], Version] = {}
    for file, place, version in zip(mine, places, versions, strict=True):
        if not leave_out(export, file, place, how):
            doc = f"{place.project}/{place.doc}" if several else place.doc
            if (doc, place.annotator) in by_key:
                raise DataError(
                    "repeated-document",
                    f"{file.name}: document {quoted(doc)} by {quoted(place.annotator)} occurs twice; "
                    "remove one of the files",
                )
            by_key[doc, place.annotator] = version
    return [(*key, version) for key, version in by_key.items()]


# -- a CAS of UIMA: the feature structures of both notations (XMI and JSON) --

_FARTHEST = 1e15
INITIAL_VIEW = "_InitialView"
_PRIMITIVES = frozenset(
    f"uima.cas.{name}" for name in ("String", "Integer", "Boolean", "Float", "Double", "Long", "Short", "Byte")
)
SETS = frozenset(
    f"uima.cas.{name}{of}"
    for name in ("String", "Integer", "Boolean", "Float", "Double", "Long", "Short")
    for of in ("Array", "List", "[]")
)
# Features of DKPro that refer to annotations, and features that are labels. Used without a type system.
_REFERRING = frozenset((
    "Governor", "Dependent", "target", "next", "first", "arguments", "links", "parent", "children", "constituents",
))  # fmt: skip
_LABELS = frozenset((
    "value", "PosValue", "coarseValue", "identifier", "referenceType", "referenceRelation", "chunkValue",
))  # fmt: skip
_ENDS = frozenset(("Governor", "Dependent", "first"))  # of relations and chains
VALUE, SET, REFERENCE = "value", "set", "reference"


@dataclass
class Types:
    """A type system: supertypes, and the range of each feature."""

    parents: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, dict[str, str]] = field(default_factory=dict)  # by type and feature
    shared: set[tuple[str, str]] = field(default_factory=set)  # features with arrays as separate structures
    known: dict[str, bool] = field(default_factory=dict)  # cache: whether a type is structure of the text
    held: dict[str, dict[str, str | None]] = field(default_factory=dict)  # cache: result of `holds` by type and feature

    def line(self, kind: str) -> Iterator[str]:
        """Yield a type and its supertypes."""
        seen: set[str] = set()
        while kind and kind not in seen:
            seen.add(kind)
            yield kind
            kind = self.parents.get(kind, "")

    def holds(self, kind: str, feature: str) -> str | None:
        """Return the content of a feature: VALUE, SET or REFERENCE, or None if it is unknown."""
        known = self.held.setdefault(kind, {})
        if feature not in known:
            known[feature] = self._holds(kind, feature)
        return known[feature]

    def _holds(self, kind: str, feature: str) -> str | None:
        for one in self.line(kind):
            of = self.ranges.get(one, {}).get(feature)
            if of is not None:
                if of in SETS:
                    return SET
                return VALUE if any(up in _PRIMITIVES for up in self.line(of)) else REFERENCE
        if feature in _REFERRING:
            return REFERENCE
        return VALUE if feature in _LABELS and kind.startswith(DKPRO) else None

    def is_shared(self, kind: str, feature: str) -> bool:
        return any((one, feature) in self.shared for one in self.line(kind))

    def is_text(self, kind: str) -> bool:
        """Whether annotations of a type are structure of the text, which annotators did not mark."""
        if kind not in self.known:
            self.known[kind] = any(is_structure(one) for one in self.line(kind))
        return self.known[kind]

    def has_place(self, kind: str) -> bool:
        return "uima.tcas.Annotation" in self.line(kind)


@dataclass(slots=True)
class Structure:
    """A feature structure that is an annotation, or has features of the document."""

    key: str
    kind: str
    sofa: str
    start: int | None
    end: int | None
    features: Features
    references: dict[str, str]  # the structure or structures that a feature refers to
    place: str


@dataclass
class Cas(LeavesOut):
    """A UIMA file: its feature structures, its texts, and the members of its indexes."""

    name: str
    types: Types
    wanted: frozenset[str]  # types of text structure to read
    texts: dict[str, str | None] = field(default_factory=dict)  # by sofa
    views: dict[str, str] = field(default_factory=dict)  # names, by sofa
    members: set[str] | None = None  # keys in an index; None: all structures are
    structures: list[Structure] = field(default_factory=list)
    arrays: dict[str, list[str]] = field(default_factory=dict)
    unsure: dict[tuple[str, str], bool] = field(default_factory=dict)

    def takes(self, kind: str, sofa: object, begin: object, place: str, *, link: bool) -> bool:
        """Whether a structure is an annotation or has features of the document. Other structures are counted."""
        if sofa is None:
            self.leave("slots: links from an annotation to others" if link else "annotations without a text", place)
            return False
        if begin is None and self.types.has_place(kind):
            self.leave("annotations without offsets", place)
            return False
        return True

    def add(
        self, key: str, kind: str, sofa: Any, begin: object, end: object, features: Features,
        references: dict[str, str], place: str,
    ) -> None:  # fmt: skip
        start = None if begin is None else offset_of(begin, "begin", place)
        stop = None if end is None else offset_of(end, "end", place)
        self.structures.append(Structure(key, kind, sofa, start, stop, features, references, place))

    def is_passed(self, kind: str) -> bool:
        return self.types.is_text(kind) and kind.rpartition(".")[2] not in self.wanted

    def version(self) -> Version:
        """Return the annotations of the initial view, or of the first view with annotations."""
        marked = dict.fromkeys(one.sofa for one in self.structures)
        sofa = next((key for key, name in self.views.items() if name == INITIAL_VIEW), None)
        if sofa is None or (marked and sofa not in marked):
            sofa = next(iter(marked or self.texts), "")
        made = Version(self.texts.get(sofa), unsure=self.unsure, passed=self.passed, unused=self.unused)
        at = utf16(made.text or "")
        links = self._links()
        for one in self.structures:
            if one.sofa != sofa:
                made.leave("annotations in further views of a document", one.place)
            elif one.key not in links:
                _take(one, at, made, self.members)
        for (head, chain), members in _chains(self.structures, links).items():
            for one in members:
                _mention(head, chain, one, at, made)
        return made

    def _links(self) -> dict[str, Structure]:
        """Return the links of chains: structures that heads refer to, and all others of the same types."""
        heads = [one for one in self.structures if one.start is None and "first" in one.references]
        by_key = {one.key: one for one in self.structures} if heads else {}
        kinds = {by_key[one.references["first"]].kind for one in heads if one.references["first"] in by_key}
        return {one.key: one for one in by_key.values() if one.kind in kinds}


def _chains(structures: Sequence[Structure], links: Mapping[str, Structure]) -> dict[tuple[str, str], list[Structure]]:
    """Return links by the layer and number of their chain."""
    found: dict[tuple[str, str], list[Structure]] = {}
    for head in structures:
        if head.start is None and head.references.get("first") in links:
            layer = layer_of(links[head.references["first"]].kind).removesuffix("Link")
            members = found.setdefault((layer, str(len(found) + 1)), [])
            seen, key = set(), head.references["first"]
            while key in links and key not in seen:
                seen.add(key)
                members.append(links[key])
                key = links[key].references.get("next", "")
    return found


def _take(one: Structure, at: Offsets, made: Version, members: set[str] | None) -> None:
    layer = layer_of(one.kind)
    if members is not None and one.key not in members:
        made.leave("deleted annotations, which are in no index", one.place)
    elif one.references and "Governor" in one.references and "Dependent" in one.references:
        made.leave("relations", one.place)
    elif one.start is not None and one.end is not None:
        start, end = at(one.start), at(one.end)
        if start is None or end is None:
            made.leave("spans that split a character or end after the text", one.place)
        else:
            made.spans.append(Span(layer, start, end, one.features, one.place, None))
    elif one.features:
        made.of_document.append(OfDocument(layer, one.features, one.place))
    elif not one.references:
        made.leave("annotations of documents without a value", one.place)
    if one.references and (others := one.references.keys() - _ENDS):
        made.leave("references from an annotation to others (slots, trees)", one.place, len(others))


def _mention(layer: str, chain: str, one: Structure, at: Offsets, made: Version) -> None:
    start, end = at(one.start or 0), at(one.end or 0)
    if start is None or end is None:
        made.leave("spans that split a character or end after the text", one.place)
        return
    made.mentions.append(Mention(layer, start, end, chain, one.place, None))
    features = {name: value for name, value in one.features.items() if name != "referenceRelation"}
    if features:
        made.spans.append(Span(layer, start, end, features, one.place, None))
    if len(features) < len(one.features):
        made.leave("labels of links between mentions", one.place)


def offset_of(value: object, what: str, place: str) -> int:
    """Return an offset that is written as a number or as text."""
    try:
        if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
            raise ValueError
        found: int = int(value)  # type: ignore[call-overload]
        if abs(found) > _FARTHEST:
            raise ValueError
        return found
    except (TypeError, ValueError):
        raise DataError(
            "invalid-record", f"{place}: {what} {quoted(value, 30)} is not a valid offset; expected a whole number"
        ) from None


def as_set(values: Sequence[str]) -> Label | None:
    """Return a set of several values, the only value, or None."""
    distinct = dict.fromkeys(values)
    return frozenset(distinct) if len(distinct) > 1 else next(iter(distinct), None)


def is_type_system(file: File) -> bool:
    return file.suffix == ".xml" and b"<typeSystemDescription" in file.head


class TypeSystems:
    """The type systems among the files, each read once. A file uses the nearest one."""

    def __init__(self, files: Sequence[File]) -> None:
        self.by_folder: dict[tuple[str, ...], list[File]] = {}
        for file in files:
            if is_type_system(file):
                self.by_folder.setdefault(file.folder, []).append(file)
        self.of_folder: dict[tuple[str, ...], Types] = {}
        self.known: dict[bytes, Types] = {}

    def of(self, file: File) -> Types:
        if file.folder not in self.of_folder:
            self.of_folder[file.folder] = self._nearest(file.folder)
        return self.of_folder[file.folder]

    def _nearest(self, folder: tuple[str, ...]) -> Types:
        for depth in range(len(folder), -1, -1):
            if near := self.by_folder.get(folder[:depth]):
                return self._together(near)
        every = [file for files in self.by_folder.values() for file in files]
        return self._types(every[0]) if len(every) == 1 else Types()

    def _together(self, files: Sequence[File]) -> Types:
        if len(files) == 1:
            return self._types(files[0])
        found = [self._types(file) for file in files]
        merged = Types()
        for one in found:
            merged.parents |= one.parents
            merged.shared |= one.shared
            for kind, ranges in one.ranges.items():
                merged.ranges[kind] = merged.ranges.get(kind, {}) | ranges
        return merged

    def _types(self, file: File) -> Types:
        content = file.bytes()
        if content not in self.known:
            self.known[content] = _read_types(file)
        return self.known[content]


def _read_types(file: File) -> Types:
    types = Types()
    for described in xml_of(file).iter("{*}typeDescription"):
        name = _text_in(described, "name")
        types.parents[name] = _text_in(described, "supertypeName")
        types.ranges[name] = {}
        for feature in described.iter("{*}featureDescription"):
            types.ranges[name][_text_in(feature, "name")] = _text_in(feature, "rangeTypeName")
            if _text_in(feature, "multipleReferencesAllowed") == "true":
                types.shared.add((name, _text_in(feature, "name")))
    return types


def _text_in(element: Any, name: str) -> str:
    return (element.findtext(f"{{*}}{name}") or "").strip()


# -- writing: variables as features of layers, for example NamedEntity.value; the variable `label` is Label.value --

_CUSTOM = "webanno.custom."
_NAMED_ENTITY = (f"{DKPRO}ner.type.NamedEntity", {"value", "identifier"})


class Annotation(NamedTuple):
    start: int
    end: int
    features: dict[str, str]


@dataclass(frozen=True)
class Layer:
    """A type, and the feature of each of its variables. A variable without labels has no feature."""

    kind: str
    features: Mapping[str, str]  # by variable

    def annotations(self, marks: Mapping[str, Sequence[Mark]]) -> list[Annotation]:
        """Return annotations of the layer. Variables with the same start and end are features of one annotation."""
        places: dict[tuple[int, int], dict[str, list[str | None]]] = defaultdict(dict)
        for variable in self.features:
            for mark in marks[variable]:
                at = (int(mark.start), int(mark.end))
                places[at].setdefault(variable, []).append(mark.label)
        return [
            Annotation(*at, {self.features[name]: label for name, label in zip(there, some, strict=True) if label})
            for at, there in sorted(places.items())
            for some in zip_longest(*there.values())
        ]

    @property
    def named(self) -> list[str]:
        """The names of its features."""
        return [feature for feature in self.features.values() if feature]


def layers_of(names: Sequence[str], bare: Sequence[str], draft: Draft) -> list[Layer]:
    """Return the layers of variables. Variables in `bare` have no labels, and become layers without features."""
    there = renamed(names, lambda name: _layer(name) if name in bare else ".".join(_layer_and_feature(name)),
                    "variable", draft)  # fmt: skip
    draft.variables |= there
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for name, called in there.items():
        layer, _, feature = called.partition(".")
        found[layer][name] = feature
    kind, usual = _NAMED_ENTITY
    return [
        Layer(kind if layer == "NamedEntity" and set(features.values()) <= usual else f"{_CUSTOM}{layer}", features)
        for layer, features in found.items()
    ]


def _layer_and_feature(name: str) -> tuple[str, str]:
    layer, _, feature = name.rpartition(".")
    return (_layer(layer), _identifier(feature)) if layer and feature else (_layer(name), "value")


def _layer(name: str) -> str:
    made = _identifier(name)
    made = made[0].upper() + made[1:]
    return f"{made}Layer" if made in STRUCTURE else made


def _identifier(name: str) -> str:
    """Return a valid Java identifier."""
    made = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return made if made[:1].isalpha() else f"x{made}"


def without_labels(material: Material) -> list[str]:
    """Return variables with units without labels. Raise if a variable has units with and without labels."""
    bare = [name for name, corpus in material.units.items() if not len(corpus.categories)]
    labelled = {name: corpus for name, corpus in material.units.items() if name not in bare}
    Material(labelled, {}, material.title).needs_labels()
    return bare
