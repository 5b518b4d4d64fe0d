"""Segmentations: documents that several annotators cut into segments, stored as boundaries.

The input is masses or boundaries, with or without types. All input is checked. Contiguous units are a segmentation
and vice versa: each can be converted to the other if no information is lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Bools, Codes, Ints, ascending
from accord.core.errors import DataError, UnknownName, counted, quoted
from accord.core.typed import checks_types
from accord.data.kinds import SEGMENTATIONS, Kind
from accord.data.model.chains import Chains
from accord.data.model.corpus import Corpus
from accord.data.model.data import MOST_NAMES, Marked, OneLabel, Rectangle, check_annotators, inside, joined_names, some
from accord.data.model.labels import Categories, Label, arrange, encode, label_name, plain
from accord.data.model.ratings import Feature, Moved, Places

BOUNDARY = "boundary"  # the type of all boundaries if no types are given
LONGEST = 2**40  # atoms of a document
ONLY_DOCUMENT = "document"  # the name of a document without a name


class Given(NamedTuple):
    """One segmentation as given by the user; `place` is its location for messages."""

    doc: str
    annotator: str
    positions: Ints
    types: Sequence[Label] | None
    length: int
    place: str


def ranges(starts: Ints, counts: Ints) -> Ints:
    """Return the concatenated members of many slices: starts[0], starts[0] + 1 …, starts[1] …"""
    before = np.cumsum(counts) - counts
    return np.repeat(starts - before, counts) + np.arange(int(counts.sum()), dtype=np.int64)


def of_masses(doc: str, annotator: str, masses: Ints, place: str) -> Given:
    wrong = np.flatnonzero(masses < 1)
    if len(wrong):
        at = int(wrong[0])
        raise DataError("invalid-position", f"{place}: mass {at + 1} is {masses[at]}; a segment has at least one atom")
    if not len(masses):
        raise DataError(
            "invalid-position",
            f"{place}: there are no masses; for a text without boundaries, give its length as one mass",
        )
    if float(masses.sum(dtype=np.float64)) > LONGEST:
        raise DataError(
            "invalid-position",
            f"{place}: the masses add up to more than {LONGEST:,} atoms; masses are lengths of segments in atoms",
        )
    ends = np.cumsum(masses)
    return Given(doc, annotator, ends[:-1], None, int(ends[-1]), place)


def whole_numbers(values: Any, place: str, what: str) -> Ints:
    """Return the values as an array of integers; raise DataError if one is not a whole number."""
    try:
        array = np.asarray(values if isinstance(values, np.ndarray) else list(values))
    except TypeError:
        raise DataError("invalid-position", f"{place}: give a list of whole numbers, not {quoted(values)}") from None
    if array.dtype.kind in "iu" and array.ndim == 1:
        return array.astype(np.int64)
    if not array.size:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind == "f" and array.ndim == 1 and (np.abs(array) < 2**53).all() and (array % 1 == 0).all():
        return array.astype(np.int64)
    for at, value in enumerate(values):
        number = plain(value)
        if not isinstance(number, int):
            raise DataError(
                "invalid-position", f"{place}: {what} {at + 1} is {quoted(label_name(number))}, not a whole number"
            )
    raise DataError("invalid-position", f"{place}: give a flat list of whole numbers")


def each_given(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, str]]:
    """Yield (document, annotator, segmentation, location) of one document or of several."""
    if not isinstance(data, Mapping) or not data:
        raise DataError(
            "invalid-position", "give a dict: {annotator: segmentation}, or {document: {annotator: segmentation}}"
        )
    nested = [isinstance(v, Mapping) and not all(isinstance(k, int | np.integer) for k in v) for v in data.values()]
    if any(nested) and not all(nested):
        raise DataError(
            "invalid-position",
            "some entries are documents, others annotators; give a dict of annotators for each document",
        )
    for name, value in data.items():
        if nested[0]:
            for annotator, inner in value.items():
                place = f"document {quoted(name)}, {quoted(annotator)}"
                yield str(name), str(annotator), inner, place
        else:
            yield ONLY_DOCUMENT, str(name), value, quoted(name)


def split_types(boundaries: Any) -> tuple[Any, list[Label] | None]:
    """Return the positions and, if types are given, the type of each."""
    if isinstance(boundaries, Mapping):
        pairs = [(p, t) for p in sorted(boundaries) for t in _members(boundaries[p])]
    else:
        given = boundaries if isinstance(boundaries, np.ndarray) else list(boundaries)
        if not len(given) or not all(isinstance(g, tuple) for g in given):
            return given, None
        pairs = list(given)
    return [p for p, _ in pairs], [plain(t) for _, t in pairs]


def _members(types: Any) -> Iterable[Any]:
    return sorted(types, key=str) if isinstance(types, set | frozenset | list | tuple) else (types,)


def length_of(doc: str, length: int | Mapping[str, int]) -> int:
    if isinstance(length, Mapping):
        if doc not in length:
            raise DataError(
                "invalid-position",
                f"the length of document {quoted(doc)} is not given; add it to length={{document: atoms}}",
            )
        length = length[doc]
    if isinstance(length, bool) or not isinstance(length, int | np.integer) or not 1 <= length <= LONGEST:
        raise DataError(
            "invalid-position", f"the length of a document is a number of atoms, at least 1, not {quoted(length)}"
        )
    return int(length)


def check_given(rows: Sequence[Given]) -> None:
    """Raise DataError unless boundaries are in order and in range, and each annotator segments a document once."""
    for g in rows:
        back = np.flatnonzero(np.diff(g.positions) < 0)
        if len(back):
            at = int(back[0])
            raise DataError(
                "invalid-position",
                f"{g.place}: boundary {g.positions[at + 1]} follows {g.positions[at]}; sort the boundaries"
                + ("" if g.types is not None else ", or give them as masses if they are lengths of segments"),
            )
        outside = np.flatnonzero((g.positions < 1) | (g.positions >= g.length))
        if len(outside):
            raise DataError(
                "invalid-position",
                f"{g.place}: boundary {g.positions[outside[0]]} is outside the text; a text of {g.length:,} atoms can "
                f"have boundaries from 1 (after the first atom) to {g.length - 1:,}",
            )
    for before, g in pairwise(rows):
        if before.doc != g.doc:
            continue
        if before.annotator == g.annotator:
            raise DataError(
                "repeated-document",
                f"{g.place}: {quoted(g.annotator)} segments document {quoted(g.doc)} twice, first at {before.place}; "
                "remove one",
            )
        if before.length != g.length:
            raise DataError(
                "invalid-position",
                f"{g.place}: document {quoted(g.doc)} has {g.length:,} atoms for {quoted(g.annotator)}, but "
                f"{before.length:,} atoms for {quoted(before.annotator)} ({before.place}); all annotators must segment "
                "the same text, so correct one of them",
            )


def coded_types(rows: Sequence[Given], types: Sequence[Label] | None) -> tuple[Codes, Categories]:
    """Return the type of each boundary, sorted within a position, and all types."""
    sizes = np.array([len(g.positions) for g in rows])
    if types is None and all(g.types is None for g in rows):
        return np.zeros(int(sizes.sum()), dtype=np.int32), Categories((BOUNDARY,))
    labels: list[Label] = []
    for g in rows:
        labels.extend(g.types if g.types is not None else [BOUNDARY] * len(g.positions))
    codes, names = encode(labels)
    declared = None if types is None else [plain(t) for t in types]
    try:
        categories = arrange(names, declared)
    except DataError:
        unknown = next((k for k, name in enumerate(labels) if name not in (declared or ())), None)
        if unknown is None:  # declared twice
            raise
        row = int(np.searchsorted(np.cumsum(sizes), unknown, side="right"))
        known = ", ".join(label_name(t) for t in declared or ())
        name = quoted(label_name(labels[unknown]))
        raise DataError(
            "invalid-position",
            f"{rows[row].place}: boundary type {name} is not declared (declared: {known}); add it to types",
        ) from None
    rank = {name: k for k, name in enumerate(categories)}
    code = np.array([*(rank[n] for n in names), -1], dtype=np.int32)[codes]
    row_of = np.repeat(np.arange(len(rows)), sizes)
    return code[np.lexsort((code, np.concatenate([g.positions for g in rows]), row_of))], categories


@dataclass(frozen=True, eq=False)
class Segmentations(OneLabel):
    """Boundaries as columns, one segmentation after the other.

    A document has `length` atoms (sentences, words, seconds) and therefore length − 1 potential boundaries. A boundary
    at position p is after atom p. A position may have boundaries of several types.
    """

    doc: Codes  # the document of each segmentation
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

    # -- construction ------------------------------------------------------------------------------------------

    @classmethod
    def from_masses(cls, data: Mapping[str, Any]) -> Segmentations:
        """Build from the lengths of segments: `{"A": [2, 3, 6], "B": [5, 6]}`, or such a dict for each document."""
        given = []
        for doc, annotator, masses, place in each_given(data):
            array = whole_numbers(masses, place, "mass")
            given.append(of_masses(doc, annotator, array, place))
        return cls.assemble(given)

    @classmethod
    def from_boundaries(
        cls, data: Mapping[str, Any], length: int | Mapping[str, int], types: Sequence[Label] | None = None
    ) -> Segmentations:
        """Build from the atoms before each boundary: `from_boundaries({"A": [2, 5], "B": [5]}, length=11)`.

        Boundaries with types are `{2: "minor", 5: {"minor", "major"}}` or `[(2, "minor"), (5, "major")]`; `types`
        declares the types in order. For several documents, give a dict for each document, and
        `length={document: atoms}` if lengths differ.
        """
        given = []
        for doc, annotator, boundaries, place in each_given(data):
            positions, labels = split_types(boundaries)
            array = whole_numbers(positions, place, "boundary")
            given.append(Given(doc, annotator, array, labels, length_of(doc, length), place))
        return cls.assemble(given, types)

    @classmethod
    def from_strings(cls, data: Mapping[str, Any]) -> Segmentations:
        """Build from strings with 1 for a boundary and 0 for none: `{"A": "0100100", "B": "0000100"}` has 8 atoms."""
        given = []
        for doc, annotator, text, place in each_given(data):
            codes = np.frombuffer(str(text).encode("utf-32-le"), dtype="<u4").astype(np.int64) - ord("0")
            wrong = np.flatnonzero((codes != 0) & (codes != 1))
            if len(wrong):
                at = int(wrong[0])
                raise DataError(
                    "invalid-position",
                    f"{place}: character {at + 1} is {quoted(str(text)[at])}, neither 0 nor 1; use 1 for a boundary",
                )
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
        """Check and sort segmentations."""
        if not given:
            raise DataError("nothing-annotated", "there are no segmentations; give at least one document")
        docs, annotators = tuple(sorted({g.doc for g in given})), tuple(sorted({g.annotator for g in given}))
        row, column = ({name: k for k, name in enumerate(names)} for names in (docs, annotators))
        order = sorted(range(len(given)), key=lambda s: (given[s].doc, given[s].annotator))
        rows = [given[s] for s in order]
        check_given(rows)
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

    # -- properties --------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of boundaries."""
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
        """True for documents that at least two annotators segmented and that have at least two atoms."""
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
        """The number of potential boundaries of each document."""
        return self.lengths - 1

    @cached_property
    def _rows(self) -> dict[tuple[int, int], int]:
        return {(int(d), int(a)): s for s, (d, a) in enumerate(zip(self.doc, self.annotator, strict=True))}

    @property
    def _owner(self) -> Ints:
        """The segmentation of each boundary."""
        return np.repeat(np.arange(len(self.doc)), np.diff(self.offsets))

    def row(self, doc: str, annotator: str) -> int:
        """Return the number of a segmentation."""
        for kind, name, names in (("document", doc, self.docs), ("annotator", annotator, self.annotators)):
            if name not in names:
                raise UnknownName(kind, name, names)
        found = self._rows.get((self.docs.index(doc), self.annotators.index(annotator)))
        if found is None:
            raise DataError(
                "nothing-shared",
                f"{quoted(annotator)} did not segment document {quoted(doc)}; choose another annotator or document",
            )
        return found

    def boundaries(self, doc: str, annotator: str) -> Ints:
        """Return the positions of the annotator's boundaries of all types."""
        return self.positions_of(self.row(doc, annotator))

    def masses(self, doc: str, annotator: str) -> Ints:
        """Return the lengths of the annotator's segments."""
        row = self.row(doc, annotator)
        ends = (np.zeros(1, dtype=np.int64), self.positions_of(row), self.lengths[self.doc[row]][None])
        return np.diff(np.concatenate(ends))

    def positions_of(self, row: int) -> Ints:
        """Return the positions with a boundary, each once."""
        found = self.position[self.offsets[row] : self.offsets[row + 1]]
        return found if len(self.categories) < 2 else ascending(found)

    @cached_property
    def untyped(self) -> Segmentations:
        """The same data without types: one boundary per position."""
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
        """Return the location of a segmentation in the file; if unknown, its document and annotator."""
        if self.places is not None:
            return self.places(row)
        return f"document {quoted(self.docs[self.doc[row]])}, {quoted(self.annotators[self.annotator[row]])}"

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the data that does not depend on the order of the input."""
        state = hashlib.blake2b(digest_size=8)
        state.update(repr((self.docs, self.annotators, self.categories.names)).encode())
        for column in (self.doc, self.annotator, self.offsets, self.position, self.label, self.lengths):
            state.update(np.ascontiguousarray(column, dtype=np.int64).data)
        return state.hexdigest()

    # -- display -----------------------------------------------------------------------------------------------

    def about(self) -> list[str]:
        atoms = f"{int(self.lengths.sum()):,} atoms"
        what = [("document", len(self.docs)), ("annotator", self.n_annotators), ("boundary", len(self))]
        lines = [", ".join([*(counted(n, noun) for noun, n in what), atoms])]
        if single := self.left_out["one_annotator"]:
            lines.append(f"left out: {counted(single, 'document')} segmented by only one annotator")
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
        """Return masses, or boundaries with their types if they have types."""
        pairs = zip(self.doc.tolist(), self.annotator.tolist(), strict=True)
        names = [(self.docs[d], self.annotators[a]) for d, a in pairs]
        if len(self.categories) < 2:
            masses = tuple((*who, " ".join(map(str, self.masses(*who)))) for who in names)
            return ("doc", "annotator", "masses"), masses
        types = self.categories.names
        split_types = [f"{p}:{types[k]}" for p, k in zip(self.position.tolist(), self.label.tolist(), strict=True)]
        first = self.offsets.tolist()
        rows = tuple(
            (*who, " ".join(split_types[first[s] : first[s + 1]]), int(self.lengths[self.doc[s]]))
            for s, who in enumerate(names)
        )
        return ("doc", "annotator", "boundaries", "length"), rows

    # -- selection ---------------------------------------------------------------------------------------------

    def keep(self, mask: NDArray[np.bool_]) -> Segmentations:
        """Keep the segmentations where the mask is true; documents and annotators keep their codes."""
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
        """Keep the documents where the mask is true."""
        kept = self.keep(wanted[self.doc])
        docs = tuple(d for d, w in zip(self.docs, wanted, strict=True) if w)
        return replace(kept, doc=(np.cumsum(wanted) - 1)[kept.doc], docs=docs, lengths=self.lengths[wanted])

    def only_named(self, names: Collection[str]) -> Segmentations:
        return self.only_docs(inside(self.docs, names))

    def only_annotators(self, names: Sequence[str]) -> Segmentations:
        check_annotators(names, self.annotators)
        return self.keep(inside(self.annotators, names)[self.annotator])

    def without_category(self, code: int, feature: str | None = None) -> Segmentations:  # noqa: ARG002
        """Remove a type and its boundaries."""
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
        """Split by the values of a further column; a part contains only documents with segmentations of its value."""
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

    # -- checks of types ---------------------------------------------------------------------------------------

    def _check_types(self) -> None:
        row = self._owner
        same = (np.diff(row) == 0) & (np.diff(self.position) == 0) & (np.diff(self.label) == 0)
        if same.any():
            at = int(np.argmax(same))
            name = f" of type {quoted(self.categories.names[self.label[at]])}" if len(self.categories) > 1 else ""
            raise DataError(
                "invalid-position",
                f"{self.place(int(row[at]))}: boundary {self.position[at]}{name} is given twice; remove one",
            )

    def _lonely_types(self) -> Iterator[str]:
        if len(self.categories) < 2 or self.n_annotators < 2:
            return
        who = np.repeat(self.annotator, np.diff(self.offsets))
        for code, name in enumerate(self.categories.names):
            users = np.unique(who[self.label == code])
            if len(users) == 1:
                yield f"boundary type {quoted(name)} is used only by {quoted(self.annotators[users[0]])}"


# -- conversion from and to units ----------------------------------------------------------------------------------


@checks_types
def as_segmentations(corpus: Corpus, drop_labels: bool = False) -> Segmentations:
    """Turn each annotator's units into segments.

    Parameters
    ----------
    corpus : Corpus
        Units that cover each document without gaps or overlaps, at whole-number positions.
    drop_labels : bool, default False
        Drop labels and further columns, which segments cannot have. By default, accord refuses units that have them.

    Returns
    -------
    Segmentations

    Raises
    ------
    DataError
        If units have gaps between them, overlap, have no length, or have positions that are not whole numbers.

    Examples
    --------
    >>> units = accord.read({"annotator": ["Ana", "Ana", "Ben"], "start": [0, 4, 0], "end": [4, 9, 9]})
    >>> accord.as_segmentations(units)
    <Segmentations: 1 document, 2 annotators, 1 boundary>
    """
    if not drop_labels:
        _nothing_beside(corpus)
    given = []
    order = np.lexsort((corpus.end, corpus.start, corpus.annotator, corpus.doc))
    m = len(corpus.annotators)
    keys = (corpus.doc.astype(np.int64) * m + corpus.annotator)[order]
    for d, a in zip(*np.nonzero(corpus.judged), strict=True):
        where = f"document {quoted(corpus.docs[d])}, {quoted(corpus.annotators[a])}"
        low, high = np.searchsorted(keys, [d * m + a, d * m + a + 1])
        units = order[low:high]
        begin, end = corpus.extents[d]
        if begin != 0:
            raise DataError(
                "invalid-position",
                f"{where}: the document begins at {begin:g}, but a segmentation begins at 0; subtract {begin:g} from "
                "start and end",
            )
        if not len(units):
            raise DataError(
                "invalid-position",
                f"{where}: there are no units, but segments must cover the whole document; add a unit from 0 to "
                f"{end:g}",
            )
        edges = np.concatenate([[0.0], corpus.end[units][:-1], [end]])
        starts, ends = corpus.start[units], corpus.end[units]
        apart = np.flatnonzero(starts != edges[:-1])
        if len(apart) or ends[-1] != end:
            at = int(apart[0]) if len(apart) else len(units) - 1
            raise DataError(
                "invalid-position",
                f"{corpus.place(int(units[at]))}: {where}: the unit {starts[at]:g}–{ends[at]:g} leaves a gap or an "
                "overlap; units must be contiguous from the begin of the document to its end",
            )
        empty = np.flatnonzero(ends <= starts)
        if len(empty):
            raise DataError(
                "invalid-position",
                f"{corpus.place(int(units[empty[0]]))}: {where}: a segment cannot have length 0; remove the unit",
            )
        if (edges % 1 != 0).any():
            raise DataError(
                "invalid-position",
                f"{where}: position {edges[edges % 1 != 0][0]:g} is not a whole number; convert start and end to "
                "numbers of atoms",
            )
        positions = edges[1:-1].astype(np.int64)
        given.append(Given(corpus.docs[d], corpus.annotators[a], positions, None, int(end), where))
    return Segmentations.assemble(given, notes=corpus.notes)


@checks_types
def as_units(data: Segmentations | Chains) -> Corpus:
    """Turn segments, or the mentions of chains, into units.

    Parameters
    ----------
    data : Segmentations or Chains
        A segment becomes a unit without a label, with positions in atoms. A mention becomes a unit.

    Returns
    -------
    Corpus

    Raises
    ------
    DataError
        If boundaries have several types, which units cannot have: use `data.untyped`.

    Examples
    --------
    >>> accord.as_units(accord.Segmentations.from_boundaries({"Ana": [3, 5], "Ben": [4]}, 9))
    <Corpus: 1 document, 2 annotators, 5 units>
    """
    if isinstance(data, Chains):
        return data.as_units()
    if len(data.categories) > 1:
        listed = ", ".join(data.categories.names[:5])
        raise DataError(
            "measure-for-other-data",
            f"boundaries have types ({listed}), which units cannot have; use data.untyped to drop them",
        )
    sizes = np.diff(data.offsets)
    segments = sizes + 1
    row = np.repeat(np.arange(len(data.doc)), segments)
    last = np.cumsum(segments) - 1
    end = np.zeros(len(row))
    inner = np.ones(len(row), dtype=bool)
    inner[last] = False
    end[inner] = data.position
    end[last] = data.lengths[data.doc]
    start = np.zeros(len(row))
    start[1:] = end[:-1]
    start[last + 1 - segments] = 0.0
    judged = np.zeros((len(data.docs), len(data.annotators)), dtype=bool)
    judged[data.doc, data.annotator] = True
    return Corpus(
        doc=data.doc[row],
        annotator=data.annotator[row],
        start=start,
        end=end,
        label=np.full(len(row), -1, dtype=np.int64),
        docs=data.docs,
        annotators=data.annotators,
        categories=Categories(()),
        extents=np.stack([np.zeros(len(data.docs)), data.lengths.astype(np.float64)], axis=1),
        extent_given=np.ones(len(data.docs), dtype=bool),
        judged=judged,
        judged_given=True,
        notes=data.notes,
    )


def _nothing_beside(corpus: Corpus) -> None:
    labelled = np.flatnonzero(corpus.label >= 0)
    if len(labelled):
        label = quoted(corpus.categories.names[int(corpus.label[labelled[0]])])
        raise DataError(
            "measure-for-other-data",
            f"{corpus.place(int(labelled[0]))}: the unit has a label ({label}), which segments cannot have; "
            "use drop_labels=True to drop labels",
        )
    if corpus.features:
        raise DataError(
            "measure-for-other-data",
            f"units have further columns ({', '.join(corpus.features)}), which segments cannot have; use "
            "drop_labels=True to drop them",
        )
