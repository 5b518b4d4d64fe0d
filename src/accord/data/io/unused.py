"""Content of files that a reader does not use: counted by kind and name, and reported in one note per kind.

A reader counts what it passes over with `Unused.add`. `UnusedColumns` also compares the cells of annotators, because a
column that accord does not compare misleads most if annotators differ in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.core.errors import printable
from accord.data.model.data import Fact, some

_LONGEST_NAME = 40
_MOST_NAMES = 8
# Keys and attributes of records that identify them and carry no labels, in any format.
BOOKKEEPING = frozenset((
    "id", "ids", "uid", "uuid", "guid", "version", "created", "created_at", "updated", "updated_at", "timestamp",
    "inserted_at", "modified", "modified_at",
))  # fmt: skip


def has_content(value: object) -> bool:
    """Whether a value says anything: it is neither None nor empty."""
    return value is not None and (not isinstance(value, str | list | tuple | Mapping) or len(value) > 0)


@dataclass
class Unused:
    """Counts of content that is not read: by kind (keys of spans), then by name."""

    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    harmless: set[str] = field(default_factory=set)  # kinds that carry no labels of annotators

    def add(self, kind: str, name: object, count: int = 1, *, harmless: bool = False) -> None:
        """Count content: `add("elements", "comment")`. Notes on harmless content are facts, not warnings."""
        if count:
            self.kinds.setdefault(kind, Counter())[str(name)] += count
            if harmless:
                self.harmless.add(kind)

    def add_keys(self, kind: str, fields: Mapping[Any, Any], known: Container[str], *, harmless: bool = False) -> None:
        """Count the keys of a record that are not known and have a value."""
        for key, value in fields.items():
            if key not in known and key not in BOOKKEEPING and has_content(value):
                self.add(kind, key, harmless=harmless)

    def add_attributes(self, kind: str, element: Any, known: Container[str]) -> None:
        """Count the attributes of an XML element that are not known."""
        for key, value in element.items():
            name = key.rpartition("}")[2]
            if name not in known and name not in BOOKKEEPING and value.strip():
                self.add(kind, name)

    def add_children(self, kind: str, element: Any, known: Container[str]) -> None:
        """Count the children of an XML element that are not known and have content."""
        for child in element.iterchildren("*"):
            name = child.tag.rpartition("}")[2]
            if name not in known and (len(child) or child.attrib or (child.text or "").strip()):
                self.add(kind, name)

    def update(self, other: Unused) -> None:
        """Add the counts of another object."""
        for kind, names in other.kinds.items():
            self.kinds.setdefault(kind, Counter()).update(names)
        self.harmless |= other.harmless

    @property
    def notes(self) -> list[str]:
        """A note for each kind."""
        return [
            Fact(text) if kind in self.harmless else text
            for kind, names in self.kinds.items()
            for text in [f"{kind} not read: {_listed(names)}"]
        ]


def _listed(names: Mapping[str, int]) -> str:
    ordered = sorted(names.items(), key=lambda one: -one[1])
    return some([f"{_short(name)} ({count:,})" for name, count in ordered], _MOST_NAMES)


def _short(name: str) -> str:
    plain = " ".join(printable(name).split())
    return plain if len(plain) <= _LONGEST_NAME else f"{plain[:_LONGEST_NAME]}…"


@dataclass
class _Cells:
    """The cells of one annotator in a column of a document, with the place of each token."""

    places: Sequence[Hashable]
    values: Sequence[str | None]


@dataclass
class UnusedColumns:
    """Columns of tokens that are not compared: their cells by column, document and annotator."""

    why: str = ""  # for example: accord does not read relations
    columns: dict[str, dict[str, dict[str, _Cells]]] = field(default_factory=dict)

    def add(
        self, column: str, doc: str, annotator: str, places: Sequence[Hashable], values: Sequence[str | None]
    ) -> None:
        """Add the cells of an annotator. `places` identify tokens; None is an empty cell."""
        if any(value is not None for value in values):
            self.columns.setdefault(column, {}).setdefault(doc, {})[annotator] = _Cells(places, values)

    def notes(self, *, harmless: bool = False) -> list[str]:
        """Return a note on columns in which annotators differ, and a note on other columns."""
        found = {column: _differing(by.values()) for column, by in self.columns.items()}
        differ = [
            f"{_short(name)} of {many:,} of {counted_tokens(all_)}" for name, (many, all_) in found.items() if many
        ]
        alike = Counter({name: _filled(self.columns[name]) for name, (many, _) in found.items() if not many})
        why = f"; {self.why}" if self.why else ""
        made: list[str] = []
        if differ:
            made.append(f"annotators differ in {', '.join(differ)}, which accord does not compare{why}")
        if alike:
            listed = ", ".join(f"{_short(name)} of {counted_tokens(many)}" for name, many in alike.items())
            text = f"columns not compared: {listed}{why}"
            made.append(Fact(text) if harmless else text)
        return made


def counted_tokens(many: int) -> str:
    return f"{many:,} token{'s' * (many != 1)}"


def _filled(by_doc: Mapping[str, Mapping[str, _Cells]]) -> int:
    return sum(value is not None for by in by_doc.values() for cells in by.values() for value in cells.values)


def _differing(docs: Iterable[Mapping[str, _Cells]]) -> tuple[int, int]:
    """Return the number of tokens with different cells, and of all tokens that several annotators have.

    Tokens are the same if their places are, or, where places differ, their numbers in versions of equal length.
    """
    differ = compared = 0
    for by in docs:
        versions = list(by.values())
        if len(versions) < 2:
            continue
        alike = len({len(one.values) for one in versions}) == 1
        maps = [dict(zip(range(len(c.values)) if alike else c.places, c.values, strict=True)) for c in versions]
        for place in dict.fromkeys(place for one in maps for place in one):
            values = [one[place] for one in maps if place in one]
            if len(values) > 1:
                compared += 1
                differ += len(set(values)) > 1
    return differ, compared
