"""Corpus: units that annotators marked on continua (texts, recordings), one continuum per document."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Codes, Floats
from accord.errors import UnknownName
from accord.memo import Memo
from accord.model.labels import Categories, Label, scrambled
from accord.model.ratings import Feature, Moved, Places

if TYPE_CHECKING:
    from accord.model.segmentations import Segmentations


class Unit(NamedTuple):
    """A stretch of a continuum that an annotator marked; `end` is exclusive."""

    start: float
    end: float
    label: Label | None = None

    @property
    def length(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, eq=False)
class Corpus:
    """All units as columns. `judged` says who looked at which document, also where nothing was marked."""

    doc: Codes
    annotator: Codes
    start: Floats
    end: Floats
    label: Codes  # -1: the unit has no label
    docs: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: Categories
    extents: Floats  # a row per document: begin, end
    extent_given: NDArray[np.bool_]  # else: from the first start to the last end
    judged: NDArray[np.bool_]  # documents × annotators
    judged_given: bool = False  # else: those who marked something
    variable: str = "label"
    features: Mapping[str, Feature] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    places: Places | None = None

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle keeps: the data, not where they stood in a file, nor what was computed from them."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {"places": None}

    def __len__(self) -> int:
        return len(self.start)

    def __repr__(self) -> str:
        return f"<Corpus: {len(self.docs)} documents, {self.n_annotators} annotators, {len(self)} units>"

    def __iter__(self) -> Iterator[Continuum]:
        return (self[doc] for doc in self.docs)

    def __getitem__(self, doc: str) -> Continuum:
        if doc not in self.docs:
            raise UnknownName("document", str(doc), self.docs)
        return Continuum(self, self.docs.index(doc))

    @property
    def identified(self) -> bool:
        """Units always say whose they are."""
        return True

    @property
    def n_items(self) -> int:
        """What is resampled: documents."""
        return len(self.docs)

    @property
    def n_annotators(self) -> int:
        return int(self.judged.any(axis=0).sum())

    @cached_property
    def memo(self) -> Memo:
        """What measures found on these data, so that others need not look again; no part of their value."""
        return Memo()

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
        """A fingerprint of the data, whatever the order of the rows."""
        state = hashlib.blake2b(digest_size=8)
        state.update(repr((self.docs, self.annotators, self.categories.names)).encode())
        state.update(self.marks.data)
        state.update(np.ascontiguousarray(self.extents).data)
        state.update(np.packbits(self.judged).data)
        return state.hexdigest()

    @cached_property
    def marks(self) -> NDArray[np.uint64]:
        """Sorted: a number for each unit that two units share if they are equal, and hardly ever if they are not."""
        mark = np.zeros(len(self), dtype=np.uint64)
        for column in (self.doc, self.annotator, self.label, self.start + 0.0, self.end + 0.0):
            bits = column.view(np.uint64) if column.dtype == np.float64 else column.astype(np.int64).view(np.uint64)
            mark = scrambled(mark ^ scrambled(bits))
        return np.sort(mark)

    @cached_property
    def repeated(self) -> int:
        """Units that are there already: same document, annotator, place and label."""
        return int((np.diff(self.marks) == 0).sum())

    def with_notes(self, *notes: str) -> Corpus:
        """The same, with further notes."""
        return replace(self, notes=tuple(dict.fromkeys((*self.notes, *notes)))) if notes else self

    def keep(self, mask: NDArray[np.bool_]) -> Corpus:
        """The units where the mask is true; documents and who judged them stay."""
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
        """Some documents alone."""
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

    def only_annotators(self, names: Sequence[str]) -> Corpus:
        for name in names:
            if name not in self.annotators:
                raise UnknownName("annotator", name, self.annotators)
        wanted = np.array([name in names for name in self.annotators])
        return replace(self.keep(wanted[self.annotator]), judged=self.judged & wanted)

    def segmentations(self, drop_labels: bool = False) -> Segmentations:
        """The same as boundaries, where the units of every annotator abut; what would be lost is refused."""
        from accord.model.abutting import segmentations_of

        return segmentations_of(self, drop_labels)

    def by(self, feature: str) -> dict[str, Corpus]:
        """One corpus for each value of a further column; documents without such units are left out of it."""
        if feature not in self.features:
            raise UnknownName("column", feature, ("doc", *self.features))
        column = self.features[feature]
        parts = {}
        for value in np.unique(column.codes):
            part = self.keep(column.codes == value)
            parts[column.names[value]] = part.only_docs(part.units_per_doc > 0)
        return parts


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
        """All who looked, also those who marked nothing."""
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
        who = f"{len(self.annotators)} annotators"
        return f"<Continuum {self.name!r}: {self.begin:g} to {self.end:g}, {who}, {len(self)} units>"

    @property
    def extent_given(self) -> bool:
        """Whether begin and end were given; else they are the first start and the last end."""
        return bool(self.corpus.extent_given[self.index])

    @property
    def text(self) -> str | None:
        return self.corpus.texts.get(self.name)

    @property
    def alone(self) -> Corpus:
        """A corpus of this document."""
        return self.corpus.only_docs(np.arange(len(self.corpus.docs)) == self.index)
