"""Segmentations: texts cut into segments by several annotators; what is kept are the boundaries, not the atoms."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Bools, Codes, Ints, ascending
from accord.core.errors import DataError, UnknownName, counted, quoted
from accord.data.kinds import SEGMENTATIONS, Kind
from accord.data.model.boundaries import (
    BOUNDARY,
    Given,
    check,
    coded_types,
    each,
    length_of,
    of_masses,
    ranges,
    typed,
    whole_numbers,
)
from accord.data.model.data import MOST_NAMES, Marked, OneLabel, Rectangle, check_annotators, inside, joined_names, some
from accord.data.model.labels import Categories, Label
from accord.data.model.ratings import Feature, Moved, Places


@dataclass(frozen=True, eq=False)
class Segmentations(OneLabel):
    """Boundaries as columns, one segmentation after the other: a million of them are two arrays.

    A document has `length` atoms (sentences, words, seconds), hence length − 1 places where a boundary can be; the
    boundary at position p stands after atom p. A position may carry boundaries of several types.
    """

    doc: Codes  # of each segmentation
    annotator: Codes
    offsets: Ints  # segmentation s has the boundaries offsets[s] to offsets[s + 1]
    position: Ints
    label: Codes  # the type of each boundary
    docs: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: Categories  # the types of boundaries
    lengths: Ints  # atoms of each document
    variable: str = BOUNDARY
    features: Mapping[str, Feature] = field(default_factory=dict)  # further columns, a value per segmentation
    notes: tuple[str, ...] = ()
    places: Places | None = None

    kind: ClassVar[Kind] = SEGMENTATIONS

    # -- making them -------------------------------------------------------------------------------------------

    @classmethod
    def from_masses(cls, data: Mapping[str, Any]) -> Segmentations:
        """The lengths of the segments: `{"A": [2, 3, 6], "B": [5, 6]}`, or the same for each document."""
        given = []
        for doc, annotator, masses, place in each(data):
            array = whole_numbers(masses, place, "mass")
            given.append(of_masses(doc, annotator, array, place))
        return cls.assemble(given)

    @classmethod
    def from_boundaries(
        cls, data: Mapping[str, Any], length: int | Mapping[str, int], types: Sequence[Label] | None = None
    ) -> Segmentations:
        """The atoms after which a boundary stands: `from_boundaries({"A": [2, 5], "B": [5]}, length=11)`.

        With types `{2: "minor", 5: {"minor", "major"}}` or `[(2, "minor"), (5, "major")]`; `types` declares them, in
        order. For several documents a mapping more, and `length={document: atoms}` if they are not all the same.
        """
        given = []
        for doc, annotator, boundaries, place in each(data):
            positions, labels = typed(boundaries)
            array = whole_numbers(positions, place, "boundary")
            given.append(Given(doc, annotator, array, labels, length_of(doc, length), place))
        return cls.assemble(given, types)

    @classmethod
    def from_strings(cls, data: Mapping[str, Any]) -> Segmentations:
        """A 1 for each boundary, a 0 for each place without: `{"A": "0100100", "B": "0000100"}`, 8 atoms."""
        given = []
        for doc, annotator, text, place in each(data):
            codes = np.frombuffer(str(text).encode("utf-32-le"), dtype="<u4").astype(np.int64) - ord("0")
            wrong = np.flatnonzero((codes != 0) & (codes != 1))
            if len(wrong):
                at = int(wrong[0])
                raise DataError(f"{place}: character {at + 1} is {quoted(str(text)[at])}, neither 0 nor 1")
            given.append(Given(doc, annotator, np.flatnonzero(codes) + 1, None, len(codes) + 1, place))
        return cls.assemble(given)

    @classmethod
    def assemble(
        cls,
        given: Sequence[Given],
        types: Sequence[Label] | None = None,
        features: Mapping[str, Feature] | None = None,
        places: Places | None = None,
        notes: tuple[str, ...] = (),
    ) -> Segmentations:
        """Segmentations as they were given: checked, and in order."""
        if not given:
            raise DataError("there are no segmentations")
        docs, annotators = tuple(sorted({g.doc for g in given})), tuple(sorted({g.annotator for g in given}))
        row, column = ({name: k for k, name in enumerate(names)} for names in (docs, annotators))
        order = sorted(range(len(given)), key=lambda s: (given[s].doc, given[s].annotator))
        rows = [given[s] for s in order]
        check(rows)
        sizes = np.array([len(g.positions) for g in rows])
        label, categories = coded_types(rows, types)
        lengths = np.zeros(len(docs), dtype=np.int64)
        for g in rows:
            lengths[row[g.doc]] = g.length
        at = np.array(order, dtype=np.intp)
        made = cls(
            doc=np.array([row[g.doc] for g in rows], dtype=np.int64),
            annotator=np.array([column[g.annotator] for g in rows], dtype=np.int64),
            offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            position=np.concatenate([g.positions for g in rows]).astype(np.int64),
            label=label,
            docs=docs,
            annotators=annotators,
            categories=categories,
            lengths=lengths,
            features={name: Feature(f.codes[at], f.names) for name, f in (features or {}).items()},
            places=None if places is None else Moved(places, at),
            notes=notes,
        )
        made._check_types()
        return replace(made, notes=tuple(dict.fromkeys((*notes, *made._lonely_types()))))

    # -- looking at them ---------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many boundaries there are."""
        return len(self.position)

    def __repr__(self) -> str:
        what = (("document", len(self.docs)), ("annotator", self.n_annotators), ("boundary", len(self)))
        return f"<Segmentations: {', '.join(counted(n, noun) for noun, n in what)}>"

    @property
    def names(self) -> tuple[str, ...]:
        return self.docs

    @property
    def took_part(self) -> Bools:
        return np.bincount(self.annotator, minlength=len(self.annotators)) > 0

    @property
    def comparable(self) -> Bools:
        """Documents that two annotators segmented and that can be cut at all."""
        return (self.annotators_per_doc > 1) & (self.lengths > 1)

    @property
    def left_out(self) -> dict[str, int]:
        single = self.annotators_per_doc < 2
        return {"one_annotator": int(single.sum()), "one_atom": int((~single & (self.lengths < 2)).sum())}

    @cached_property
    def annotators_per_doc(self) -> Ints:
        return np.bincount(self.doc, minlength=len(self.docs)).astype(np.int64)

    @property
    def potential_boundaries(self) -> Ints:
        """How many places for a boundary each document has."""
        return self.lengths - 1

    @cached_property
    def _rows(self) -> dict[tuple[int, int], int]:
        return {(int(d), int(a)): s for s, (d, a) in enumerate(zip(self.doc, self.annotator, strict=True))}

    @property
    def _owner(self) -> Ints:
        """The segmentation of each boundary."""
        return np.repeat(np.arange(len(self.doc)), np.diff(self.offsets))

    def row(self, doc: str, annotator: str) -> int:
        """The number of a segmentation."""
        for kind, name, names in (("document", doc, self.docs), ("annotator", annotator, self.annotators)):
            if name not in names:
                raise UnknownName(kind, name, names)
        found = self._rows.get((self.docs.index(doc), self.annotators.index(annotator)))
        if found is None:
            raise DataError(f"{quoted(annotator)} did not segment document {quoted(doc)}")
        return found

    def boundaries(self, doc: str, annotator: str) -> Ints:
        """The atoms after which the annotator put a boundary, of whatever type."""
        return self.positions_of(self.row(doc, annotator))

    def masses(self, doc: str, annotator: str) -> Ints:
        """The lengths of the annotator's segments."""
        row = self.row(doc, annotator)
        ends = (np.zeros(1, dtype=np.int64), self.positions_of(row), self.lengths[self.doc[row]][None])
        return np.diff(np.concatenate(ends))

    def positions_of(self, row: int) -> Ints:
        """Where a segmentation has a boundary, each place once."""
        found = self.position[self.offsets[row] : self.offsets[row + 1]]
        return found if len(self.categories) < 2 else ascending(found)

    @cached_property
    def untyped(self) -> Segmentations:
        """The same with one boundary a place, whatever its types."""
        if len(self.categories) < 2:
            return self
        row = self._owner
        first = np.ones(len(row), dtype=bool)
        first[1:] = (np.diff(row) > 0) | (np.diff(self.position) > 0)
        counts = np.bincount(row[first], minlength=len(self.doc))
        return replace(
            self,
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            position=self.position[first],
            label=np.zeros(int(first.sum()), dtype=np.int32),
            categories=Categories((BOUNDARY,)),
        )

    def place(self, row: int) -> str:
        """Where a segmentation stood in the file, or which one it is."""
        if self.places is not None:
            return self.places(row)
        return f"document {quoted(self.docs[self.doc[row]])}, {quoted(self.annotators[self.annotator[row]])}"

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the data, whatever order they were given in."""
        state = hashlib.blake2b(digest_size=8)
        state.update(repr((self.docs, self.annotators, self.categories.names)).encode())
        for column in (self.doc, self.annotator, self.offsets, self.position, self.label, self.lengths):
            state.update(np.ascontiguousarray(column, dtype=np.int64).data)
        return state.hexdigest()

    # -- showing them ------------------------------------------------------------------------------------------

    def about(self) -> list[str]:
        atoms = f"{int(self.lengths.sum()):,} atoms"
        what = [("document", len(self.docs)), ("annotator", self.n_annotators), ("boundary", len(self))]
        lines = [", ".join([*(counted(n, noun) for noun, n in what), atoms])]
        if single := self.left_out["one_annotator"]:
            lines.append(f"left out: {counted(single, 'document')} that only one annotator cut")
        return lines

    def summary(self) -> dict[str, Any]:
        return {
            "documents": len(self.docs),
            "documents_compared": int((self.annotators_per_doc > 1).sum()),
            "annotators": list(self.present[:MOST_NAMES]),
            "n_annotators": self.n_annotators,
            "types": list(self.categories.names[:MOST_NAMES]),
            "boundaries": len(self),
            "atoms": int(self.lengths.sum()),
            "notes": list(self.notes),
            "digest": self.digest,
        }

    def described(self) -> list[tuple[str, str]]:
        return [
            ("documents", f"{len(self.docs):,} ({int((self.annotators_per_doc > 1).sum()):,} can be compared)"),
            ("annotators", f"{self.n_annotators:,}: {some(self.present, told=True)}"),
            ("boundaries", f"{len(self):,} on {int(self.lengths.sum()):,} atoms"),
            ("types", some(self.categories.names)),
        ]

    def rows(self) -> Rectangle:
        """Masses; boundaries with their types where they have any."""
        pairs = zip(self.doc.tolist(), self.annotator.tolist(), strict=True)
        names = [(self.docs[d], self.annotators[a]) for d, a in pairs]
        if len(self.categories) < 2:
            masses = tuple((*who, " ".join(map(str, self.masses(*who)))) for who in names)
            return ("doc", "annotator", "masses"), masses
        types = self.categories.names
        typed = [f"{p}:{types[k]}" for p, k in zip(self.position.tolist(), self.label.tolist(), strict=True)]
        first = self.offsets.tolist()
        rows = tuple(
            (*who, " ".join(typed[first[s] : first[s + 1]]), int(self.lengths[self.doc[s]]))
            for s, who in enumerate(names)
        )
        return ("doc", "annotator", "boundaries", "length"), rows

    # -- choosing among them -----------------------------------------------------------------------------------

    def keep(self, mask: NDArray[np.bool_]) -> Segmentations:
        """The segmentations where the mask is true; documents and annotators keep their codes."""
        at = np.flatnonzero(mask)
        counts = np.diff(self.offsets)[at]
        inside = ranges(self.offsets[at], counts)
        return replace(
            self,
            doc=self.doc[at],
            annotator=self.annotator[at],
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            position=self.position[inside],
            label=self.label[inside],
            features={name: Feature(f.codes[at], f.names) for name, f in self.features.items()},
            places=None if self.places is None else Moved(self.places, at),
        )

    def only_docs(self, wanted: Bools) -> Segmentations:
        """Some documents alone."""
        kept = self.keep(wanted[self.doc])
        docs = tuple(d for d, w in zip(self.docs, wanted, strict=True) if w)
        return replace(kept, doc=(np.cumsum(wanted) - 1)[kept.doc], docs=docs, lengths=self.lengths[wanted])

    def only_named(self, names: Collection[str]) -> Segmentations:
        return self.only_docs(inside(self.docs, names))

    def only_annotators(self, names: Sequence[str]) -> Segmentations:
        check_annotators(names, self.annotators)
        return self.keep(inside(self.annotators, names)[self.annotator])

    def without_category(self, code: int, feature: str | None = None) -> Segmentations:  # noqa: ARG002
        """The boundaries of a type are gone."""
        kept = self.label != code
        counts = np.bincount(self._owner[kept], minlength=len(self.doc))
        label = self.label[kept]
        return replace(
            self,
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            position=self.position[kept],
            label=np.where(label > code, label - 1, label),
            categories=self.categories.without(code),
        )

    def joined(self, other: Segmentations, annotators: tuple[str, ...], mine: Ints, others: Ints) -> Segmentations:
        return replace(
            self,
            doc=np.concatenate([self.doc, other.doc + len(self.docs)]),
            annotator=np.concatenate([mine[self.annotator], others[other.annotator]]),
            offsets=np.concatenate([self.offsets, other.offsets[1:] + self.offsets[-1]]),
            position=np.concatenate([self.position, other.position]),
            label=np.concatenate([self.label, other.label]),
            docs=joined_names(self.docs, other.docs),
            annotators=annotators,
            lengths=np.concatenate([self.lengths, other.lengths]),
            features={},
            places=None,
        )

    def marked(self) -> Marked:
        looked = np.zeros((len(self.docs), len(self.annotators)), dtype=bool)
        looked[self.doc, self.annotator] = True
        rows = self._owner
        return Marked(self.annotator[rows], self.doc[rows], self.label, len(self.categories), looked)

    def by(self, feature: str) -> dict[str, Segmentations]:
        """One Segmentations for each value of a further column; documents without any are left out of it."""
        if feature not in self.features:
            raise UnknownName("column", feature, self.features)
        column = self.features[feature]
        parts = {}
        for code in np.unique(column.codes):
            part = self.keep(column.codes == code)
            parts[column.name(int(np.flatnonzero(column.codes == code)[0]))] = part.only_docs(
                part.annotators_per_doc > 0
            )
        return parts

    # -- what is wrong or odd with types -----------------------------------------------------------------------

    def _check_types(self) -> None:
        row = self._owner
        same = (np.diff(row) == 0) & (np.diff(self.position) == 0) & (np.diff(self.label) == 0)
        if same.any():
            at = int(np.argmax(same))
            name = f" of type {quoted(self.categories.names[self.label[at]])}" if len(self.categories) > 1 else ""
            raise DataError(f"{self.place(int(row[at]))}: boundary {self.position[at]}{name} is given twice")

    def _lonely_types(self) -> Iterator[str]:
        if len(self.categories) < 2 or self.n_annotators < 2:
            return
        who = np.repeat(self.annotator, np.diff(self.offsets))
        for code, name in enumerate(self.categories.names):
            users = np.unique(who[self.label == code])
            if len(users) == 1:
                yield f"boundary type {quoted(name)} is used by {quoted(self.annotators[users[0]])} alone"
