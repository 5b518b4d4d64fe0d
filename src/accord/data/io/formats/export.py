"""What a reader found in files: units, labels of items, mentions; who looked; and what it did not take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from accord.core.errors import DataError, counted, quoted
from accord.data.model.labels import Label

_FARTHEST = 2.0**53  # beyond it a number of this kind is not exact; what is no number is not within either


@dataclass
class Passed:
    """What was not taken, for one reason: how often, and the first of them."""

    count: int
    example: str


@dataclass
class Rows:
    """Annotations of one variable as columns, and where each stands in its file."""

    columns: dict[str, list[object]]
    places: list[str] = field(default_factory=list)
    surfaces: list[str | None] = field(default_factory=list)  # what the file says the text of a unit is
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
        """The same for many at once, which have no further columns."""
        for column, values in zip(self.columns.values(), columns, strict=True):
            column.extend(values)
        for column in self.features.values():
            column.extend([None] * len(places))
        self.places.extend(places)
        self.surfaces.extend(surfaces)


@dataclass
class Export:
    """Annotations by variable. A document that was looked at and left empty is said by `saw`."""

    texts: dict[str, str] = field(default_factory=dict)  # by document
    extents: dict[str, tuple[float, float]] = field(default_factory=dict)  # where there is no text
    looked: dict[str, dict[str, None]] = field(default_factory=dict)  # annotators by document, in order
    units: dict[str, Rows] = field(default_factory=dict)
    labels: dict[str, Rows] = field(default_factory=dict)
    mentions: dict[str, Rows] = field(default_factory=dict)
    passed: dict[str, Passed] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    also: set[str] = field(default_factory=set)  # files that were read though nothing in them tells their format
    blank_ends: int = 0  # spans that begin or end with a blank
    fragmented: int = 0  # spans in several pieces

    def document(self, doc: str, text: str | None = None, extent: tuple[float, float] | None = None) -> None:
        """What is known of a document: its text, or where it begins and ends. The longer of two extents holds."""
        if text is not None:
            self.texts.setdefault(doc, text)
        if extent is not None:
            low, high = self.extents.get(doc, extent)
            self.extents[doc] = (min(low, extent[0]), max(high, extent[1]))

    def saw(self, doc: str, annotator: str) -> None:
        """An annotator looked at a document, whether or not anything was marked."""
        self.looked.setdefault(doc, {})[annotator] = None

    def unit(
        self,
        variable: str,
        doc: str,
        annotator: str,
        start: float,
        end: float,
        label: Label | None,
        /,  # a feature may be called as any of these
        *,
        place: str,
        surface: str | None = None,
        **features: object,
    ) -> None:
        """A stretch of a document. `surface`: the text of it as the file has it, which is held against the document.

        Features are further columns; one that is called as a column of units is none.
        """
        if not (abs(start) <= _FARTHEST and abs(end) <= _FARTHEST):
            raise DataError(f"{place}: a unit from {start} to {end}: these are no places")
        self.saw(doc, annotator)
        self._units(variable).add((doc, annotator, start, end, label), place, surface, features)

    def units_of(
        self,
        variable: str,
        doc: str,
        annotator: str,
        starts: Sequence[float],
        ends: Sequence[float],
        labels: Sequence[Label | None],
        *,
        places: Sequence[str],
        surfaces: Sequence[str | None],
    ) -> None:
        """The same for all that an annotator marked in a document."""
        for start, end, place in zip(starts, ends, places, strict=True):
            if not (-_FARTHEST <= start <= _FARTHEST and -_FARTHEST <= end <= _FARTHEST):
                raise DataError(f"{place}: a unit from {start} to {end}: these are no places")
        self.saw(doc, annotator)
        many = len(places)
        self._units(variable).extend(([doc] * many, [annotator] * many, starts, ends, labels), places, surfaces)

    def _units(self, variable: str) -> Rows:
        rows = self.units.get(variable)
        if rows is None:
            rows = self.units[variable] = _empty("doc", "annotator", "start", "end", "label")
        return rows

    def label(
        self, variable: str, item: str, annotator: str, label: object, /, *, place: str, **features: object
    ) -> None:
        """A label of an item; None says that it is missing."""
        rows = self.labels.setdefault(variable, _empty("item", "annotator", "label"))
        rows.add((item, annotator, label), place, None, features)

    def mention(
        self,
        variable: str,
        doc: str,
        annotator: str,
        start: float,
        end: float,
        chain: str,
        *,
        place: str,
        surface: str | None = None,
    ) -> None:
        """A mention of a chain of coreference."""
        self.saw(doc, annotator)
        rows = self.mentions.setdefault(variable, _empty("doc", "annotator", "start", "end", "chain"))
        rows.add((doc, annotator, start, end, chain), place, surface, {})

    def leave(self, reason: str, example: object, count: int = 1) -> None:
        """What is not taken, by the reason: `leave("relations", "R1 in Ana/d1.ann")`."""
        known = self.passed.setdefault(reason, Passed(0, str(example)))
        known.count += count

    def leave_also(self, other: Export) -> None:
        """What another one did not take."""
        for reason, one in other.passed.items():
            self.leave(reason, one.example, one.count)

    @property
    def told(self) -> list[str]:
        """Notes, and a line for everything that was not taken."""
        counts = {
            "with a blank at an end, kept as marked": self.blank_ends,
            "in several pieces: each piece is a unit": self.fragmented,
        }
        return [
            *self.notes,
            *(f"{counted(n, 'span')} {what}" for what, n in counts.items() if n),
            *(f"not taken: {one.count:,} {why} (e.g. {quoted(one.example, 200)})" for why, one in self.passed.items()),
        ]

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.units, *self.labels, *self.mentions]))


def _empty(*columns: str) -> Rows:
    return Rows({name: [] for name in columns})
