"""A UIMA CAS: feature structures, which both of its notations (XMI and JSON) hold → what annotators marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from accord.core.errors import DataError, quoted
from accord.data.io.formats.files import File
from accord.data.io.formats.layers import DKPRO, Features, Mention, OfDocument, Span, Version, is_structure, layer_of
from accord.data.io.formats.offsets import Offsets, utf16
from accord.data.io.formats.parsing import local, xml_of
from accord.data.model.labels import Label

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
# Features of DKPro that lead to other annotations, and that are labels, where no type system says so.
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
    """A type system: what features hold."""

    parents: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, dict[str, str]] = field(default_factory=dict)  # by type and feature
    shared: set[tuple[str, str]] = field(default_factory=set)  # features whose arrays stand elsewhere
    known: dict[str, bool] = field(default_factory=dict)  # what was asked before: types that are the text's structure,
    held: dict[str, dict[str, str | None]] = field(default_factory=dict)  # and what features hold, by type

    def line(self, kind: str) -> Iterator[str]:
        """A type and those above it."""
        seen: set[str] = set()
        while kind and kind not in seen:
            seen.add(kind)
            yield kind
            kind = self.parents.get(kind, "")

    def holds(self, kind: str, feature: str) -> str | None:
        """What a feature holds: VALUE, SET, REFERENCE; None where nobody says it."""
        known = self.held.get(kind)
        if known is None:
            known = self.held[kind] = {}
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
        """Whether annotations of a type are the text's structure, not what annotators marked."""
        if kind not in self.known:
            self.known[kind] = any(is_structure(one) for one in self.line(kind))
        return self.known[kind]

    def has_place(self, kind: str) -> bool:
        return "uima.tcas.Annotation" in self.line(kind)


@dataclass(slots=True)
class Structure:
    """A feature structure that is an annotation, or says something of the document."""

    key: str
    kind: str
    sofa: str
    start: int | None
    end: int | None
    features: Features
    references: dict[str, str]  # the structure, or structures, a feature leads to
    place: str


@dataclass
class Cas:
    name: str
    types: Types
    wanted: frozenset[str]  # the text's structure, as far as it is asked for
    texts: dict[str, str | None] = field(default_factory=dict)  # by sofa
    views: dict[str, str] = field(default_factory=dict)  # names, by sofa
    members: set[str] | None = None  # what is in an index: all, where nothing is said
    structures: list[Structure] = field(default_factory=list)
    arrays: dict[str, list[str]] = field(default_factory=dict)
    left: dict[str, tuple[int, str]] = field(default_factory=dict)
    unsure: dict[tuple[str, str], bool] = field(default_factory=dict)

    def leave(self, reason: str, example: str, count: int = 1) -> None:
        many, first = self.left.get(reason, (0, example))
        self.left[reason] = (many + count, first)

    def is_passed(self, kind: str) -> bool:
        return self.types.is_text(kind) and kind.rpartition(".")[2] not in self.wanted

    def version(self) -> Version:
        """What is in the view that has annotations, the initial one of several."""
        marked = dict.fromkeys(one.sofa for one in self.structures)
        sofa = next((key for key, name in self.views.items() if name == INITIAL_VIEW), None)
        if sofa is None or (marked and sofa not in marked):
            sofa = next(iter(marked or self.texts), "")
        made = Version(self.texts.get(sofa), left=self.left, unsure=self.unsure)
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
        """Links of chains: what heads lead to, and all of the same types."""
        heads = [one for one in self.structures if one.start is None and "first" in one.references]
        by_key = {one.key: one for one in self.structures} if heads else {}
        kinds = {by_key[one.references["first"]].kind for one in heads if one.references["first"] in by_key}
        return {one.key: one for one in by_key.values() if one.kind in kinds}


def _chains(structures: Sequence[Structure], links: Mapping[str, Structure]) -> dict[tuple[str, str], list[Structure]]:
    """Links by the layer and number of their chain."""
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
        made.leave("annotations that are in no index: they were deleted", one.place)
    elif one.references and "Governor" in one.references and "Dependent" in one.references:
        made.leave("relations", one.place)
    elif one.start is not None and one.end is not None:
        start, end = at(one.start), at(one.end)
        if start is None or end is None:
            made.leave("spans within a character, or beyond the text", one.place)
        else:
            made.spans.append(Span(layer, start, end, one.features, one.place, None))
    elif one.features:
        made.of_document.append(OfDocument(layer, one.features, one.place))
    if one.references and (others := one.references.keys() - _ENDS):
        made.leave("references from an annotation to others (slots, trees)", one.place, len(others))


def _mention(layer: str, chain: str, one: Structure, at: Offsets, made: Version) -> None:
    start, end = at(one.start or 0), at(one.end or 0)
    if start is None or end is None:
        made.leave("spans within a character, or beyond the text", one.place)
        return
    made.mentions.append(Mention(layer, start, end, chain, one.place, None))
    features = {name: value for name, value in one.features.items() if name != "referenceRelation"}
    if features:
        made.spans.append(Span(layer, start, end, features, one.place, None))
    if len(features) < len(one.features):
        made.leave("labels of links between mentions", one.place)


def number(value: object, what: str, place: str) -> int:
    """An offset or an index, whichever way it is written."""
    try:
        if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
            raise ValueError
        found: int = int(value)  # type: ignore[call-overload]
        if abs(found) > _FARTHEST:
            raise ValueError
        return found
    except (TypeError, ValueError):
        raise DataError(f"{place}: {what} is {quoted(value, 30)}, which is no offset") from None


def as_set(values: Sequence[str]) -> Label | None:
    """Several values are a set; one is the label itself, none is no label."""
    distinct = dict.fromkeys(values)
    return frozenset(distinct) if len(distinct) > 1 else next(iter(distinct), None)


def is_type_system(file: File) -> bool:
    return file.suffix == ".xml" and b"<typeSystemDescription" in file.head


class TypeSystems:
    """Those among the files, each read once; the nearest to a file is its own."""

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
        name = _said(described, "name")
        types.parents[name] = _said(described, "supertypeName")
        types.ranges[name] = {}
        for feature in described.iter("{*}featureDescription"):
            types.ranges[name][_said(feature, "name")] = _said(feature, "rangeTypeName")
            if _said(feature, "multipleReferencesAllowed") == "true":
                types.shared.add((name, _said(feature, "name")))
    return types


def _said(element: object, name: str) -> str:
    for child in element:  # type: ignore[attr-defined]
        if local(child) == name:
            return (child.text or "").strip()
    return ""
