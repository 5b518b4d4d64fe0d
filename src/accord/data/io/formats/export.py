"""The export that readers return: units, labels of items, mentions, documents each annotator saw, and skipped data.

Helpers that many readers need: names of documents and annotators, and plain values of records.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.core.errors import DataError, counted, quoted
from accord.data.io.formats.files import File
from accord.data.io.naming import Key, annotators_of, named
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import ANNOTATOR, plain_name
from accord.data.io.unused import Unused
from accord.data.model.labels import Label

_FARTHEST = 2.0**53  # floats are exact up to this number; NaN fails the comparison too
POINTS = "points in time, which have no length"


@dataclass
class Passed:
    """Skipped data for one reason: the count and the first example."""

    count: int
    example: str


@dataclass
class LeavesOut:
    """Counts of skipped data by reason, and of content that the reader does not use."""

    passed: dict[str, Passed] = field(default_factory=dict, kw_only=True)
    unused: Unused = field(default_factory=Unused, kw_only=True)

    def leave(self, reason: str, example: object, count: int = 1) -> None:
        """Count skipped data: `leave("relations", "R1 in Ana/d1.ann")`."""
        self.passed.setdefault(reason, Passed(0, str(example))).count += count

    def leave_also(self, other: LeavesOut) -> None:
        """Add the counts of another object."""
        for reason, passed in other.passed.items():
            self.leave(reason, passed.example, passed.count)
        self.unused.update(other.unused)


@dataclass
class Rows:
    """Annotations of one variable as columns, with the location of each in its file."""

    columns: dict[str, list[object]]
    places: list[str] = field(default_factory=list)
    surfaces: list[str | None] = field(default_factory=list)  # the text of a unit as its file stores it
    features: dict[str, list[object]] = field(default_factory=dict)  # further columns

    def add(self, values: tuple[object, ...], place: str, surface: str | None, features: Mapping[str, object]) -> None:
        for column, value in zip(self.columns.values(), values, strict=True):
            column.append(value)
        if features or self.features:
            for name in features:
                if name not in self.features:
                    self.features[name] = [None] * len(self.places)
            for name, column in self.features.items():
                column.append(features.get(name))
        self.places.append(place)
        self.surfaces.append(surface)

    def extend(
        self, columns: Sequence[Sequence[object]], places: Sequence[str], surfaces: Sequence[str | None]
    ) -> None:
        """Add many rows that have no further columns."""
        for column, values in zip(self.columns.values(), columns, strict=True):
            column.extend(values)
        for column in self.features.values():
            column.extend([None] * len(places))
        self.places.extend(places)
        self.surfaces.extend(surfaces)


@dataclass
class Export(LeavesOut):
    """Annotations by variable. `saw` records that an annotator saw a document, even without marking anything."""

    texts: dict[str, str] = field(default_factory=dict)  # by document
    extents: dict[str, tuple[float, float]] = field(default_factory=dict)  # of documents without a text
    looked: dict[str, dict[str, None]] = field(default_factory=dict)  # annotators by document, in order
    units: dict[str, Rows] = field(default_factory=dict)
    labels: dict[str, Rows] = field(default_factory=dict)
    mentions: dict[str, Rows] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    also: set[str] = field(
        default_factory=set
    )  # files that were read although their content does not show their format
    blank_ends: int = 0  # spans that start or end with a blank
    fragmented: int = 0  # spans in several pieces

    def note(self, text: str) -> None:
        if text:
            self.notes.append(text)

    def name_files(
        self, files: Sequence[File], how: Reading, alike: Sequence[Hashable | None] | None = None
    ) -> tuple[Key, ...]:
        """Return document and annotator of each file, from its name and its content, and add a note."""
        names = named([file.parts for file in files], how, alike)
        self.note(names.said)
        return names.keys

    def name_annotators(self, files: Sequence[File], how: Reading, docs: Sequence[frozenset[str]]) -> list[str]:
        """Return the annotator of each file, for files that name their documents, and add a note."""
        people, read_so = annotators_of([file.parts for file in files], how, docs)
        self.note(read_so)
        return people

    def document(self, doc: str, text: str | None = None, extent: tuple[float, float] | None = None) -> None:
        """Add the text of a document, or its extent. Two extents of a document are joined."""
        if text is not None:
            self.texts.setdefault(doc, text)
        if extent is not None:
            low, high = self.extents.get(doc, extent)
            self.extents[doc] = (min(low, extent[0]), max(high, extent[1]))

    def same_text(self, doc: str, text: str, file: File) -> None:
        """Add the text of a document; raise if another file has a different one."""
        if self.texts.get(doc, text) != text:
            raise DataError(
                "repeated-document",
                f"{file.name}: document {doc} has a different text in another file; "
                "make the texts equal, or rename one document",
            )
        self.texts[doc] = text

    def saw(self, doc: str, annotator: str) -> None:
        """Record that an annotator saw a document, with or without marking anything."""
        self.looked.setdefault(doc, {})[annotator] = None

    def unit(
        self, variable: str, doc: str, annotator: str, start: float, end: float, label: Label | None,
        /,  # a feature may have any of these names
        *, place: str, surface: str | None = None, **features: object,
    ) -> None:  # fmt: skip
        """Add a unit. `surface` is its text as the file stores it; `check_spans` compares it with the document.

        Features are further columns; a feature with the name of a column of units is ignored.
        """
        if not (abs(start) <= _FARTHEST and abs(end) <= _FARTHEST):
            raise DataError(
                "invalid-record", f"{place}: start {start} or end {end} of a unit is not a valid position; correct it"
            )
        self.saw(doc, annotator)
        self._units(variable).add((doc, annotator, start, end, label), place, surface, features)

    def span(
        self, variable: str, doc: str, annotator: str, start: float, end: float, label: Any,
        *, place: str, surface: object = None,
    ) -> None:  # fmt: skip
        """Add a span of a record. Skip and count spans without a label."""
        name = plain_value(label)
        if name is None:
            self.leave("spans without a label", place)
        else:
            text = surface if isinstance(surface, str) else None
            self.unit(variable, doc, annotator, start, end, name, place=place, surface=text)

    def units_of(
        self, variable: str, doc: str, annotator: str, starts: Sequence[float], ends: Sequence[float],
        labels: Sequence[Label | None], *, places: Sequence[str], surfaces: Sequence[str | None],
    ) -> None:  # fmt: skip
        """Add all units of an annotator in a document."""
        for start, end, place in zip(starts, ends, places, strict=True):
            if not (-_FARTHEST <= start <= _FARTHEST and -_FARTHEST <= end <= _FARTHEST):
                raise DataError(
                    "invalid-record",
                    f"{place}: start {start} or end {end} of a unit is not a valid position; correct it",
                )
        self.saw(doc, annotator)
        many = len(places)
        self._units(variable).extend(([doc] * many, [annotator] * many, starts, ends, labels), places, surfaces)

    def _units(self, variable: str) -> Rows:
        rows = self.units.get(variable)
        if rows is None:
            rows = self.units[variable] = _empty("doc", "annotator", "start", "end", "label")
        return rows

    def label(self, variable: str, item: str, annotator: str, label: object, /, *, place: str) -> None:
        """Add a label of an item. None is a missing label."""
        rows = self.labels.setdefault(variable, _empty("item", "annotator", "label"))
        rows.add((item, annotator, label), place, None, {})

    def mention(
        self, variable: str, doc: str, annotator: str, start: float, end: float, chain: str,
        *, place: str, surface: str | None = None,
    ) -> None:  # fmt: skip
        """Add a mention of a coreference chain."""
        self.saw(doc, annotator)
        rows = self.mentions.setdefault(variable, _empty("doc", "annotator", "start", "end", "chain"))
        rows.add((doc, annotator, start, end, chain), place, surface, {})

    def drop_empty_answers(self) -> None:
        """Drop empty lists of labels of variables with spans: an empty list means that nothing was marked."""
        for name in [name for name in self.labels if name in self.units]:
            columns = self.labels[name].columns
            if all(label == [] for label in columns["label"]):
                for doc, annotator in zip(columns["item"], columns["annotator"], strict=True):
                    self.saw(str(doc), str(annotator))
                del self.labels[name]

    @property
    def told(self) -> list[str]:
        """Notes, a line for each reason to skip data, and a line for each kind of content that is not read."""
        counts = {
            "with a blank at the start or end, read unchanged": self.blank_ends,
            "in several pieces, each read as a unit": self.fragmented,
        }
        return [
            *self.notes,
            *(f"{counted(n, 'span')} {what}" for what, n in counts.items() if n),
            *(f"skipped: {one.count:,} {why} (e.g. {quoted(one.example, 200)})" for why, one in self.passed.items()),
            *self.unused.notes,
        ]

    @property
    def instead(self) -> str:
        """Notes and skipped data, for the message that nothing was found."""
        return f": {'; '.join(self.told)}" if self.told else ""


def _empty(*columns: str) -> Rows:
    return Rows({name: [] for name in columns})


# -- records of tools --

# The fields that name a document in records of many tools, the most reliable first.
_NAMES = ("doc_id", "document_id", "doc", "document", "id", "item_id", "item", "uid", "guid", "filename", "file_name",
          "file", "name", "title", "source_id", "url", "image", "audio", "video")  # fmt: skip
_TEXTS = ("text", "content", "sentence", "body", "data")


@dataclass
class Documents:
    """Names by content. The same content gets one name; different contents with one name are numbered."""

    names: dict[Hashable, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def name(self, content: Hashable, wanted: str) -> str:
        if content not in self.names:
            name, again = wanted, 2
            while name in self.used:
                name, again = f"{wanted} ({again})", again + 1
            self.names[content] = name
            self.used.add(name)
        return self.names[content]


def plain_value(value: Any) -> str | None:
    """Return the value as a name, or None if it is empty or neither text nor number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        return None
    return str(value)


def named_by(fields: Mapping[str, Any]) -> str | None:
    """Return the name of a record from its fields."""
    known = {str(key).lower(): value for key, value in fields.items()}
    return next((name for key in _NAMES if (name := plain_value(known.get(key))) and len(name) <= 200), None)


def annotator_in(fields: Mapping[str, Any]) -> str | None:
    """Return the annotator that a field of a record names."""
    return next((plain_value(value) for key, value in fields.items() if plain_name(str(key)) in ANNOTATOR), None)


def text_of(fields: Mapping[str, Any]) -> str | None:
    """Return the text of a record: the field with a usual name, else the longest text."""
    name = text_name(fields)
    return None if name is None else fields[name]


def text_name(fields: Mapping[str, Any]) -> str | None:
    """Return the name of the field with the text of a record."""
    known = {str(key).lower(): key for key, value in fields.items() if isinstance(value, str)}
    usual = next((known[key] for key in _TEXTS if key in known), None)
    return usual if usual is not None else max(known.values(), key=lambda key: len(fields[key]), default=None)
