"""Corpus: units that annotators marked on continua (texts, recordings), one continuum per document."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Bools, Codes, Floats, Ints
from accord.core.errors import UnknownName, counted
from accord.data.kinds import UNITS, Kind
from accord.data.model.data import (
    MOST_NAMES,
    Marked,
    OneLabel,
    Rectangle,
    check_annotators,
    inside,
    joined_names,
    some,
)
from accord.data.model.labels import Categories, Label, scrambled
from accord.data.model.ratings import Feature, Moved, Places

_FEWEST_SHARED = 3  # positions with units that two documents must share to count as duplicates


class Unit(NamedTuple):
    """A stretch of a continuum that an annotator marked; `end` is exclusive."""

    start: float
    end: float
    label: Label | None = None

    @property
    def length(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, eq=False)
class Corpus(OneLabel):
    """All units as columns. `judged` records which annotator saw which document, even if nothing was marked."""

    doc: Codes
    annotator: Codes
    start: Floats
    end: Floats
    label: Codes  # -1: the unit has no label
    docs: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: Categories
    extents: Floats  # a row per document: begin, end
    extent_given: NDArray[np.bool_]  # False: the extent is inferred from the first start and the last end
    judged: NDArray[np.bool_]  # documents × annotators
    judged_given: bool = False  # False: an annotator saw the documents in which they marked something
    variable: str = "label"
    features: Mapping[str, Feature] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    places: Places | None = None

    kind: ClassVar[Kind] = UNITS

    def __len__(self) -> int:
        return len(self.start)

    def __repr__(self) -> str:
        return f"<Corpus: {_counts(self)}, {counted(len(self), 'unit')}>"

    def __iter__(self) -> Iterator[Continuum]:
        return (self[doc] for doc in self.docs)

    def __getitem__(self, doc: str) -> Continuum:
        if doc not in self.docs:
            raise UnknownName("document", str(doc), self.docs)
        return Continuum(self, self.docs.index(doc))

    @property
    def names(self) -> tuple[str, ...]:
        return self.docs

    @property
    def took_part(self) -> Bools:
        return np.asarray(self.judged.any(axis=0))

    @property
    def usual_measures(self) -> tuple[str, ...]:
        """The usual measures; without labels, only the main one."""
        return self.kind.usual if len(self.categories) else (self.kind.main,)

    @property
    def comparable(self) -> Bools:
        """True for documents that at least two annotators saw and that have units."""
        return (self.annotators_per_doc > 1) & (self.units_per_doc > 0)

    @property
    def measurable(self) -> Bools:
        """`comparable`, and documents without units whose extent is stated: there, annotators agree on a gap."""
        return self.comparable | ((self.annotators_per_doc > 1) & self.extent_given)

    @property
    def left_out(self) -> dict[str, int]:
        return self.left_out_but(self.comparable)

    def left_out_but(self, compared: Bools) -> dict[str, int]:
        """Count the documents that are not in `compared`, by reason. Each measure decides what it can compare."""
        single = self.annotators_per_doc < 2
        empty = ~single & (self.units_per_doc == 0)
        return {"one_annotator": int((single & ~compared).sum()), "nothing_marked": int((empty & ~compared).sum())}

    @cached_property
    def annotators_per_doc(self) -> NDArray[np.int64]:
        return self.judged.sum(axis=1).astype(np.int64)

    @cached_property
    def units_per_doc(self) -> NDArray[np.int64]:
        return np.bincount(self.doc, minlength=len(self.docs))

    def unit(self, index: int) -> Unit:
        code = int(self.label[index])
        label = self.categories.labels[code] if code >= 0 else None
        return Unit(float(self.start[index]), float(self.end[index]), label)

    def place(self, unit: int) -> str:
        if self.places is not None:
            return self.places(unit)
        return f"unit {unit + 1} ({self.docs[self.doc[unit]]}, {self.annotators[self.annotator[unit]]})"

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the data that does not depend on the order of the rows."""
        state = hashlib.blake2b(digest_size=8)
        state.update(repr((self.docs, self.annotators, self.categories.names)).encode())
        state.update(self.marks.data)
        state.update(np.ascontiguousarray(self.extents).data)
        state.update(np.packbits(self.judged).data)
        return state.hexdigest()

    @cached_property
    def marks(self) -> NDArray[np.uint64]:
        """Sorted hashes of the units: equal for equal units, almost surely different for different ones."""
        return np.sort(_marks(self.doc, self.annotator, self.label, self.start + 0.0, self.end + 0.0))

    @cached_property
    def repeated(self) -> int:
        """The number of repeated units: same document, annotator, position and label as another."""
        return int((np.diff(self.marks) == 0).sum())

    @cached_property
    def twins(self) -> dict[int, int]:
        """Duplicate documents: each document with the same units as an earlier one, and that earlier one.

        Documents with few units are not reported, because these may be equal by chance. Documents with different texts
        are not duplicates.
        """
        begin = self.extents[self.doc, 0]
        each = _marks(self.label, self.start - begin, self.end - begin)
        # Names of annotators are ignored: a copy under other names would agree perfectly with the original, too.
        who, of_unit = np.unique(self.doc * len(self.annotators) + self.annotator, return_inverse=True)
        by_one, whole = np.zeros(len(who), dtype=np.uint64), np.zeros(len(self.docs), dtype=np.uint64)
        np.add.at(by_one, of_unit, each)  # a sum does not depend on the order
        np.add.at(whole, who // len(self.annotators), _marks(by_one))
        looked = self.judged.sum(axis=1)
        _, places = np.unique(_marks(self.doc, self.start, self.end), return_index=True)
        enough = np.bincount(self.doc[places], minlength=len(self.docs)) >= _FEWEST_SHARED
        first: dict[Any, int] = {}
        found: dict[int, int] = {}
        for doc in np.flatnonzero(enough).tolist():
            length = float(self.extents[doc, 1] - self.extents[doc, 0])
            key = int(whole[doc]), int(self.units_per_doc[doc]), length, int(looked[doc])
            other = first.setdefault((*key, self.texts.get(self.docs[doc])), doc)
            if other != doc:
                found[doc] = other
        return found

    # -- display -----------------------------------------------------------------------------------------------

    def about(self) -> list[str]:
        what = [("document", len(self.docs)), ("annotator", self.n_annotators), ("category", len(self.categories))]
        lines = [", ".join(counted(n, noun) for noun, n in (*what, ("unit", len(self))))]
        out = self.left_out
        if out["one_annotator"]:
            few = counted(out["one_annotator"], "document")
            lines.append(f"left out: {few} seen by fewer than two annotators")
        if out["nothing_marked"]:  # measures report whether they use these documents
            lines.append(f"{counted(out['nothing_marked'], 'document')} without any units")
        return [*lines, *self.doubts()]

    def doubts(self) -> list[str]:
        return [f"possible duplicates: {self._there_twice}"] if self.twins else []

    @property
    def _there_twice(self) -> str:
        if not self.twins:
            return ""
        copy, other = (self.docs[doc] for doc in next(iter(self.twins.items())))
        return (
            f"{counted(len(self.twins), 'document')} with the same units as another one ({copy} = {other}); "
            "both count, but accord does not combine them to estimate chance agreement"
        )

    def summary(self) -> dict[str, Any]:
        return {
            "documents": len(self.docs),
            "documents_compared": int(self.comparable.sum()),
            "left_out": {"one_annotator": self.left_out["one_annotator"]},
            "twins": len(self.twins),
            "nothing_marked": self.left_out["nothing_marked"],  # measures report whether they use these documents
            "extents_given": int(self.extent_given.sum()),
            "annotators": list(self.present[:MOST_NAMES]),
            "n_annotators": self.n_annotators,
            "categories": list(self.categories.names[:MOST_NAMES]),
            "n_categories": len(self.categories),
            "units": len(self),
            "notes": list(self.notes),
            "digest": self.digest,
        }

    def described(self) -> list[tuple[str, str]]:
        given = int(self.extent_given.sum())
        return [
            ("documents", f"{len(self.docs):,} ({self._comparable_of_them}): {some(self.docs, told=True)}"),
            *([("possible duplicates", self._there_twice)] if self.twins else []),
            (
                "document extents",
                f"{given:,} stated in the input, {len(self.docs) - given:,} inferred (first start to last end)",
            ),
            ("annotators", f"{self.n_annotators:,}: {some(self.present, told=True)}"),
            (
                "documents each annotator saw",
                "as stated in the input" if self.judged_given else "those in which the annotator marked units",
            ),
            ("categories", some(self.categories.names) or "none: units without labels"),
            ("units", f"{len(self):,}"),
        ]

    @property
    def _comparable_of_them(self) -> str:
        known = f"{int(self.comparable.sum()):,} can be compared"
        empty = self.left_out["nothing_marked"]
        return f"{known}; {empty:,} without any units" if empty else known

    def first(self, most: int) -> Rectangle:
        columns, rows = self.keep(np.arange(len(self)) < most).rows()
        if not any(row[0] in self.texts for row in rows):
            return columns[:5], tuple(row[:5] for row in rows)
        text = [self.texts.get(row[0], "")[int(row[2]) : int(row[3])] for row in rows]
        return (*columns[:5], "text"), tuple((*row[:5], quote) for row, quote in zip(rows, text, strict=True))

    def rows(self) -> Rectangle:
        labels = (*self.categories.names, "")
        columns = (self.doc, self.annotator, self.start, self.end, self.label)
        units = tuple(
            (self.docs[d], self.annotators[a], _position(s), _position(e), labels[k])
            for d, a, s, e, k in zip(*(c.tolist() for c in columns), strict=True)
        )
        return ("doc", "annotator", "start", "end", "label"), units

    def files(self) -> dict[str, Rectangle]:
        """Return the tables of units, of document extents, and of which annotator saw which document."""
        pairs = zip(self.docs, self.extents.tolist(), strict=True)
        extents = tuple((doc, *map(_position, pair)) for doc, pair in pairs)
        judged = zip(*(place.tolist() for place in self.judged.nonzero()), strict=True)
        looked = tuple((self.docs[d], self.annotators[a]) for d, a in judged)
        return {
            "units.csv": self.rows(),
            "docs.csv": (("doc", "begin", "end"), extents),
            "judged.csv": (("doc", "annotator"), looked),
        }

    def unsaid(self) -> list[str]:
        seen = {*zip(self.doc.tolist(), self.annotator.tolist(), strict=True)}
        idle = int(self.judged.sum()) - len(seen)
        lost = [f"which documents an annotator saw without marking anything ({idle:,})"] if idle else []
        if self.extent_given.any():
            lost.append("the extents of documents")
        if not lost:
            return []
        return [
            f"a table of units cannot contain {' and '.join(lost)}; use -o FOLDER to write judged.csv and docs.csv, too"
        ]

    # -- selection ---------------------------------------------------------------------------------------------

    def keep(self, mask: NDArray[np.bool_]) -> Corpus:
        """Keep the units where the mask is true; all documents and the annotators who saw them stay."""
        at = np.flatnonzero(mask)
        return replace(
            self,
            doc=self.doc[at],
            annotator=self.annotator[at],
            start=self.start[at],
            end=self.end[at],
            label=self.label[at],
            features={name: Feature(f.codes[at], f.names) for name, f in self.features.items()},
            places=None if self.places is None else Moved(self.places, at),
        )

    def only_docs(self, wanted: NDArray[np.bool_]) -> Corpus:
        """Keep the documents where the mask is true."""
        number = np.cumsum(wanted) - 1
        kept = self.keep(wanted[self.doc])
        return replace(
            kept,
            doc=number[kept.doc],
            docs=tuple(d for d, w in zip(self.docs, wanted, strict=True) if w),
            extents=self.extents[wanted],
            extent_given=self.extent_given[wanted],
            judged=self.judged[wanted],
        )

    def only_named(self, names: Collection[str]) -> Corpus:
        return self.only_docs(inside(self.docs, names))

    def only_annotators(self, names: Sequence[str]) -> Corpus:
        check_annotators(names, self.annotators)
        wanted = inside(self.annotators, names)
        return replace(self.keep(wanted[self.annotator]), judged=self.judged & wanted)

    def without_category(self, code: int, feature: str | None = None) -> Corpus:  # noqa: ARG002
        """Remove a category and its units."""
        return self.keep(self.label != code).recoded(self.categories.without(code))

    def joined(self, other: Corpus, annotators: tuple[str, ...], mine: Ints, others: Ints) -> Corpus:
        judged = np.zeros((len(self.docs) + len(other.docs), len(annotators)), dtype=bool)
        for row, corpus, seat in ((0, self, mine), (len(self.docs), other, others)):
            for k, column in enumerate(corpus.judged.T):
                judged[row : row + len(corpus.docs), seat[k]] |= column
        return replace(
            self,
            doc=np.concatenate([self.doc, other.doc + len(self.docs)]),
            annotator=np.concatenate([mine[self.annotator], others[other.annotator]]),
            start=np.concatenate([self.start, other.start]),
            end=np.concatenate([self.end, other.end]),
            label=np.concatenate([self.label, other.label]),
            docs=joined_names(self.docs, other.docs),
            annotators=annotators,
            extents=np.concatenate([self.extents, other.extents]),
            extent_given=np.concatenate([self.extent_given, other.extent_given]),
            judged=judged,
            judged_given=True,
            features={},
            texts={},
            places=None,
        )

    def marked(self) -> Marked:
        return Marked(self.annotator, self.doc, self.label, len(self.categories), self.judged)

    def by(self, feature: str) -> dict[str, Corpus]:
        """Split by the values of a further column; a part contains only documents with units of its value."""
        if feature not in self.features:
            raise UnknownName("column", feature, ("doc", *self.features))
        column = self.features[feature]
        parts = {}
        for value in np.unique(column.codes):
            part = self.keep(column.codes == value)
            parts[column.names[value]] = part.only_docs(part.units_per_doc > 0)
        return parts


def _counts(corpus: Corpus) -> str:
    return f"{counted(len(corpus.docs), 'document')}, {counted(corpus.n_annotators, 'annotator')}"


def _position(value: float) -> int | float:
    return int(value) if value.is_integer() else value


@dataclass(frozen=True, eq=False)
class Continuum:
    """One document with all its annotators: `for unit in continuum["Ana"]`."""

    corpus: Corpus
    index: int

    @property
    def name(self) -> str:
        return self.corpus.docs[self.index]

    @property
    def begin(self) -> float:
        return float(self.corpus.extents[self.index, 0])

    @property
    def end(self) -> float:
        return float(self.corpus.extents[self.index, 1])

    @property
    def annotators(self) -> tuple[str, ...]:
        """All annotators who saw the document, including annotators who marked nothing."""
        judged = self.corpus.judged[self.index]
        return tuple(a for a, looked in zip(self.corpus.annotators, judged, strict=True) if looked)

    def __getitem__(self, annotator: str) -> list[Unit]:
        if annotator not in self.annotators:
            raise UnknownName("annotator", str(annotator), self.annotators)
        corpus = self.corpus
        mine = np.flatnonzero((corpus.doc == self.index) & (corpus.annotator == corpus.annotators.index(annotator)))
        mine = mine[np.lexsort((corpus.end[mine], corpus.start[mine]))]
        return [corpus.unit(int(u)) for u in mine]

    def __len__(self) -> int:
        return int(self.corpus.units_per_doc[self.index])

    def __repr__(self) -> str:
        who = counted(len(self.annotators), "annotator")
        return f"<Continuum {self.name!r}: {self.begin:g} to {self.end:g}, {who}, {counted(len(self), 'unit')}>"

    @property
    def extent_given(self) -> bool:
        """Whether the input states begin and end; if not, they are the first start and the last end."""
        return bool(self.corpus.extent_given[self.index])

    @property
    def text(self) -> str | None:
        return self.corpus.texts.get(self.name)

    @property
    def alone(self) -> Corpus:
        """A corpus that contains only this document."""
        return self.corpus.only_docs(np.arange(len(self.corpus.docs)) == self.index)


def _marks(*columns: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a hash of each row: equal for equal rows, almost surely different for different ones."""
    mark = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        bits = column.view(np.uint64) if column.dtype == np.float64 else column.astype(np.int64).view(np.uint64)
        mark = scrambled(mark ^ scrambled(bits))
    return mark
