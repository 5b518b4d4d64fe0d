"""Input of errors: the marks of one annotator as columns, and statistics of the reference, by kind of data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.data.model.corpus import Corpus
from accord.data.model.labels import Categories
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import Segmentations
from accord.data.model.texts import BASE, Texts
from accord.measures.chance.text_edits import Alphabet, TextPool, Versions, versions_of


@dataclass(frozen=True, eq=False)
class Marks:
    """Units of one annotator; label -1: none."""

    doc: Ints
    start: Floats
    end: Floats
    label: Ints

    def __len__(self) -> int:
        return len(self.start)

    def at(self, chosen: NDArray[np.bool_] | Ints) -> Marks:
        return Marks(self.doc[chosen], self.start[chosen], self.end[chosen], self.label[chosen])

    def and_also(self, more: Marks) -> Marks:
        pairs = ((getattr(self, name), getattr(more, name)) for name in ("doc", "start", "end", "label"))
        return Marks(*(np.concatenate(pair) for pair in pairs))

    @property
    def length(self) -> Floats:
        return self.end - self.start


@dataclass(frozen=True, eq=False)
class Ground:
    """The reference: its units and documents, and the statistics that errors use."""

    marks: Marks
    begin: Floats  # per document
    end: Floats
    categories: tuple[str, ...]

    thing: ClassVar[str] = "unit"
    way: ClassVar[str] = "units"  # name of the method of an error

    @classmethod
    def of(cls, corpus: Corpus) -> Ground:
        order = np.lexsort((corpus.end, corpus.start, corpus.doc))
        doc, label = corpus.doc[order].astype(np.int64), corpus.label[order].astype(np.int64)
        marks = Marks(doc, corpus.start[order], corpus.end[order], label)
        return cls(marks, corpus.extents[:, 0], corpus.extents[:, 1], corpus.categories.names)

    @property
    def given(self) -> Marks:
        """The annotations of the reference."""
        return self.marks

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """Whether the positions of each document are whole numbers."""
        broken = (self.marks.start % 1 != 0) | (self.marks.end % 1 != 0)
        count = np.bincount(self.marks.doc, weights=broken, minlength=len(self.begin))
        return (count == 0) & (self.begin % 1 == 0) & (self.end % 1 == 0)

    @cached_property
    def decimals(self) -> int | None:
        """Decimals of the positions; None if they have more than 9."""
        places = np.concatenate([self.marks.start, self.marks.end, self.begin, self.end])
        return next((d for d in range(10) if (np.round(places, d) == places).all()), None)

    @cached_property
    def prevalence(self) -> Floats:
        """Share of each category among the labels of the reference."""
        return shares(self.marks.label, len(self.categories))

    @cached_property
    def mean_length(self) -> Floats:
        """Mean length of the units of each category; the last entry is for unlabelled units."""
        q = len(self.categories) + 1
        slot = self.marks.label % q
        total = np.bincount(slot, weights=self.marks.length, minlength=q)
        return total / np.maximum(np.bincount(slot, minlength=q), 1)


@dataclass(frozen=True, eq=False)
class Cuts:
    """Boundaries of one annotator, sorted by document and position."""

    doc: Ints
    position: Ints
    label: Ints

    def __len__(self) -> int:
        return len(self.position)

    def at(self, chosen: NDArray[np.bool_] | Ints) -> Cuts:
        return Cuts(self.doc[chosen], self.position[chosen], self.label[chosen])

    def and_also(self, more: Cuts) -> Cuts:
        pairs = ((getattr(self, name), getattr(more, name)) for name in ("doc", "position", "label"))
        both = Cuts(*(np.concatenate(pair) for pair in pairs))
        return both.at(np.lexsort((both.label, both.position, both.doc)))


@dataclass(frozen=True, eq=False)
class TextGround:
    """The reference of a segmentation: its boundaries, and the number of atoms of each document."""

    cuts: Cuts
    lengths: Ints
    categories: tuple[str, ...] = ()  # types of boundaries

    thing: ClassVar[str] = "boundary"
    way: ClassVar[str] = "boundaries"

    @classmethod
    def of(cls, data: Segmentations) -> TextGround:
        row = np.repeat(np.arange(len(data.doc)), np.diff(data.offsets))
        cuts = Cuts(data.doc[row].astype(np.int64), data.position, data.label.astype(np.int64))
        cuts = cuts.at(np.lexsort((cuts.label, cuts.position, cuts.doc)))
        return cls(cuts, data.lengths, data.categories.names)

    @property
    def given(self) -> Cuts:
        return self.cuts

    @cached_property
    def prevalence(self) -> Floats:
        """Share of each type among the boundaries of the reference."""
        return shares(self.cuts.label, len(self.categories))

    @cached_property
    def segments(self) -> Ints:
        """Number of segments of each document."""
        return np.bincount(self.cuts.doc, minlength=len(self.lengths)) + 1

    @property
    def mean_length(self) -> Floats:
        """Mean length of the segments of each document."""
        return self.lengths / self.segments


def shares(label: Ints, q: int) -> Floats:
    """Share of each of q categories; -1 is none."""
    count = np.bincount(label[label >= 0], minlength=q).astype(np.float64)
    return count / max(count.sum(), 1.0)


def rounded(amount: float, rng: np.random.Generator) -> int:
    """Round at random, with the amount as the mean."""
    amount = round(amount, 9)
    below = int(amount)
    return below + int(rng.random() < amount - below)


@dataclass(frozen=True, eq=False)
class ItemGround:
    """The reference of labels: one label per item, -1 if missing."""

    label: Ints
    categories: Categories

    thing: ClassVar[str] = "label"
    way: ClassVar[str] = "labels"

    @classmethod
    def of(cls, ratings: Ratings) -> ItemGround:
        label = np.full(len(ratings.items), -1, dtype=np.int64)
        label[ratings.item] = ratings.label
        times = np.ones(len(label), dtype=np.int64) if ratings.times is None else ratings.times
        return cls(np.repeat(label, times), ratings.categories)

    @property
    def given(self) -> Ints:
        return self.label

    @cached_property
    def prevalence(self) -> Floats:
        """Share of each category among the labels of the reference."""
        return shares(self.label, len(self.categories))


@dataclass(frozen=True, eq=False)
class TokenGround:
    """The reference of texts: one version per document."""

    versions: Versions
    docs: Ints  # document of each version
    pool: TextPool  # all tokens of the reference
    alphabet: Alphabet
    features: tuple[str, ...]
    sizes: tuple[int, ...]  # categories of each feature; the next code means no label

    thing: ClassVar[str] = "token"
    way: ClassVar[str] = "tokens"

    @classmethod
    def of(cls, texts: Texts) -> TokenGround:
        alphabet, features = Alphabet(), tuple(texts.features)
        chosen = np.flatnonzero(texts.version_annotator != BASE)
        chosen = chosen[np.argsort(texts.version_doc[chosen], kind="stable")]
        versions = versions_of(texts, chosen.tolist(), features, alphabet, gaps=False)
        sizes = tuple(len(texts.features[name].categories) for name in features)
        docs = texts.version_doc[chosen].astype(np.int64)
        return cls(versions, docs, TextPool.of([versions.whole]), alphabet, features, sizes)

    @property
    def given(self) -> Versions:
        return self.versions

    @cached_property
    def _rows(self) -> tuple[Ints, Ints]:
        """Distinct rows of labels, and the number of tokens with each."""
        rows, count = np.unique(self.pool.labels, axis=0, return_counts=True)
        return rows.astype(np.int64), count.astype(np.int64)

    @property
    def rows(self) -> Ints:
        """Codes of the only feature that occur, in order."""
        return self._rows[0][:, 0]

    @property
    def categories(self) -> tuple[str, ...]:
        """The labels of tokens; labels of several features are kept together."""
        if not self.features:
            return ()
        return tuple(" ".join(map(str, row)) for row in self._rows[0].tolist())

    @property
    def prevalence(self) -> Floats:
        count = self._rows[1]
        return count / max(int(count.sum()), 1)


def texts_and_offsets(versions: Versions, alphabet: Alphabet) -> tuple[list[str], Ints, Ints]:
    """The texts, and the offsets of their tokens in code points."""
    text, before = alphabet.text(versions.whole.letters)
    cuts = before[versions.first_letter]
    strings = [text[a:b] for a, b in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)]
    begin = cuts[versions.owner]
    return strings, before[versions.whole.start] - begin, before[versions.whole.end] - begin


AnyGround = Ground | TextGround | ItemGround | TokenGround
THINGS = {Ground: "units", TextGround: "boundaries", ItemGround: "labels of items", TokenGround: "texts"}
