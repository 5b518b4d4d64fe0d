"""Annotations in layers, as UIMA has them: spans with features, chains, features of documents → variables.

A feature with values is the variable `Layer.feature`; a layer in which no feature has any is the variable `Layer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from accord.core.errors import counted
from accord.data.io.formats.export import Export
from accord.data.io.reading import Reading
from accord.data.model.labels import Label

Features = dict[str, Label]  # those that have a value
DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
# A type of DKPro that stands for a tag (POS_NOUN, NSUBJ, NP) is of the layer that its package is about.
_LAYER_OF_PACKAGE = {
    f"{DKPRO}lexmorph.type.pos": "POS",
    f"{DKPRO}lexmorph.type.pos.tweet": "POS",
    f"{DKPRO}syntax.type.dependency": "Dependency",
    f"{DKPRO}syntax.type.constituent": "Constituent",
    f"{DKPRO}syntax.type.chunk": "Chunk",
    f"{DKPRO}ner.type": "NamedEntity",
}
# The text and its parts, which no annotator marked, unless --label says so.
STRUCTURE = frozenset((
    "Sentence", "Token", "Paragraph", "Heading", "Div", "Line", "Page", "Field", "Document", "DocumentAnnotation",
    "DocumentMetaData", "TagDescription", "TagsetDescription", "MetaDataStringField", "CASMetadata",
    "LayerDefinition", "FeatureDefinition", "PdfPage", "PdfChunk", "XmlDocument", "XmlElement", "XmlAttribute",
    "XmlNode", "XmlTextNode", "NGram", "StopWord", "Split", "Compound", "CompoundPart", "LinkingMorpheme",
))  # fmt: skip
_PACKAGES_OF_STRUCTURE = (f"{DKPRO}metadata.", "de.tudarmstadt.ukp.clarin.webanno.api.type.", "org.dkpro.core.api.xml.")


class Span(NamedTuple):
    layer: str  # the whole name of its type
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
class Version:
    """What one annotator did to a document."""

    text: str | None
    spans: list[Span] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    of_document: list[OfDocument] = field(default_factory=list)
    left: dict[str, tuple[int, str]] = field(default_factory=dict)  # reason: how often, the first
    unsure: dict[tuple[str, str], bool] = field(default_factory=dict)  # numbers of a feature: may be references

    @property
    def layers(self) -> set[str]:
        return {one[0] for part in (self.spans, self.mentions, self.of_document) for one in part}

    def leave(self, reason: str, example: str, count: int = 1) -> None:
        many, first = self.left.get(reason, (0, example))
        self.left[reason] = (many + count, first)


@lru_cache(maxsize=10_000)
def layer_of(kind: str) -> str:
    """The layer of a type: de.….pos.POS_NOUN is of POS."""
    package, _, name = kind.rpartition(".")
    if package in _LAYER_OF_PACKAGE:
        return f"{package.removesuffix('.tweet')}.{_LAYER_OF_PACKAGE[package]}"
    return kind if name else package


def is_structure(kind: str) -> bool:
    return kind.rpartition(".")[2] in STRUCTURE or kind.startswith(_PACKAGES_OF_STRUCTURE)


def wanted_structure(how: Reading) -> frozenset[str]:
    """Short names of types that --label asks for, although they are the text's."""
    return frozenset(name.partition(".")[0] for name in how.label) & STRUCTURE


def fill(export: Export, found: Sequence[tuple[str, str, Version]]) -> None:
    """What versions hold goes into the export: (document, annotator, version)."""
    references = _references(export, [version for _, _, version in found])
    names = _short({layer for _, _, version in found for layer in version.layers})
    filling = _Filling(export, names, references)
    for _, _, version in found:
        filling.learn(version.spans)
    for doc, annotator, version in found:
        filling.take(doc, annotator, version)
    if filling.broken:
        export.notes.append(f"{counted(filling.broken, 'label')} of several lines, read as one line")


@dataclass
class _Filling:
    export: Export
    names: dict[str, str]  # short ones, by layer
    references: set[tuple[str, str]]
    variables: dict[str, dict[str, str]] = field(default_factory=dict)  # by layer and feature
    broken: int = 0  # labels of several lines

    def learn(self, spans: Sequence[Span]) -> None:
        """Any feature that has a value anywhere is a variable."""
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
        for reason, (many, example) in version.left.items():
            export.leave(reason, example, many)

    def _units(self, doc: str, annotator: str, layer: str, spans: Sequence[Span]) -> None:
        """Spans of a layer: of those that have a feature, its values are labels."""
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
        """A feature of a document is a label of an item; one that is there several times, a set of labels."""
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
    """Features of numbers that name other annotations in every file, where no type system says what they are."""
    unsure: dict[tuple[str, str], bool] = {}
    for version in versions:
        for feature, referring in version.unsure.items():
            unsure[feature] = unsure.get(feature, True) and referring
    found = {feature for feature, referring in unsure.items() if referring}
    for layer, name in sorted(found):
        which = f"{layer.rpartition('.')[2]}.{name}"
        export.notes.append(
            f"{which}: its numbers name other annotations, and are no labels; with TypeSystem.xml beside it is certain"
        )
    return found


def _short(layers: Iterable[str]) -> dict[str, str]:
    """The last part of each name, the whole where two layers share it."""
    last = {layer: layer.rpartition(".")[2] for layer in layers}
    several = [name for name in last.values() if list(last.values()).count(name) > 1]
    return {layer: layer if name in several else name for layer, name in last.items()}
