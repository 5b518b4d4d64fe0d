"""How each kind of data is shuffled: preparing a reference, and building data from simulated annotations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.answers.gold.consensus import Seats
from accord.answers.simulate.grounds import AnyGround, Ground, ItemGround, TextGround, TokenGround, texts_and_offsets
from accord.core.arrays import Floats, Ints
from accord.core.errors import DataError, quoted
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.labels import Categories
from accord.data.model.ratings import Numbered, Ratings
from accord.data.model.segmentations import Segmentations
from accord.data.model.texts import BASE, PRE, Texts, TokenColumn
from accord.measures.chance.text_edits import Versions

D = TypeVar("D", Corpus, Segmentations, Ratings, Texts)
G = TypeVar("G", bound=AnyGround)


class DrawnMarks(NamedTuple):
    """The annotations of a simulated annotator of a set; with seats, of the annotator on this seat."""

    set: int
    annotator: int
    marks: Any


class Shuffler(ABC, Generic[D, G]):
    """How a kind of data is shuffled. Items count as documents. Set s of a batch begins at document s · size."""

    def ready(self, data: D) -> D:
        """Prepare a reference."""
        return data

    def size(self, data: D) -> int:
        """Number of documents."""
        return len(data.names)

    @abstractmethod
    def ground(self, data: D) -> G:
        """The reference as input of errors."""

    def only(self, data: D, name: str) -> D:
        """Keep one annotator."""
        return data.only_annotators((name,))

    def gold(self, gold: D, data: D) -> D:
        """Return a gold standard as the reference of annotated data, with the same documents."""
        other = sorted({*gold.names} ^ {*data.names})
        if other:
            where = "gold standard" if other[0] in data.names else "annotations"
            raise DataError(
                "nothing-shared",
                f"document {quoted(other[0])} is not in the {where}; the gold standard and the annotations must have "
                "the same documents",
            )
        return gold

    @abstractmethod
    def fitting(self, ground: G, on_a_line: bool) -> list[str]:
        """Return the errors that are possible on a reference; `on_a_line`: for a measure without overlaps."""

    def given(self, ground: G, there: NDArray[np.bool_]) -> Any:  # noqa: ARG002 - not all can be made by document
        """Return the reference restricted to some documents; or all of it, if the rest is dropped at the end."""
        return ground.given

    @abstractmethod
    def together(
        self, data: D, ground: G, drawn: Sequence[DrawnMarks], names: tuple[str, ...], sets: int, seats: Seats | None
    ) -> D:
        """Join the annotations of simulated annotators into data like the reference."""

    @abstractmethod
    def one_set(self, batch: D, mine: NDArray[np.bool_]) -> D:
        """Keep some documents of a batch."""


def batch_names(docs: tuple[str, ...], sets: int) -> tuple[str, ...]:
    """Names of the documents of a batch."""
    return docs if sets == 1 else tuple(f"{s + 1}/{doc}" for s in range(sets) for doc in docs)


def shuffler_of(data: Data) -> Shuffler[Any, Any]:
    """The shuffler for the kind of the data."""
    shuffler: Shuffler[Any, Any] = data.kind.part(data.kind.shuffler)()
    return shuffler


class ItemShuffler(Shuffler[Ratings, ItemGround]):
    """Labels of items: from one label per item to one per annotator."""

    def ground(self, data: Ratings) -> ItemGround:
        return ItemGround.of(data)

    def size(self, data: Ratings) -> int:
        return len(data.items) if data.times is None else int(data.times.sum())

    def fitting(self, ground: ItemGround, on_a_line: bool) -> list[str]:  # noqa: ARG002
        return ["category"]

    def gold(self, gold: Ratings, data: Ratings) -> Ratings:
        """Return gold labels of the annotated items, in their order, with the categories of both."""
        if data.times is not None:
            raise DataError(
                "counts-without-annotators",
                "a table of counts does not identify items, so a gold standard cannot be matched; leave it out",
            )
        named = {str(name): k for k, name in enumerate(gold.items)}
        lacking = next((name for name in data.items if str(name) not in named), None)
        if lacking is not None:
            raise DataError(
                "nothing-shared",
                f"item {quoted(lacking)} is not in the gold standard, which must have a label for every item; add the "
                "item",
            )
        mine = data.categories.labels
        both = (*mine, *(lab for lab in gold.categories.labels if lab not in set(mine)))
        code = {lab: k for k, lab in enumerate(both)}
        label = np.full(len(gold.items), -1, dtype=np.int64)
        label[gold.item] = np.array([code[lab] for lab in gold.categories.labels], dtype=np.int64)[gold.label]
        labels = label[[named[str(name)] for name in data.items]]
        there = np.flatnonzero(labels >= 0).astype(np.int32)
        return Ratings(
            item=there,
            annotator=np.zeros_like(there),
            label=labels[there].astype(np.int32),
            items=data.items,
            annotators=("gold",),
            categories=data.categories if len(both) == len(data.categories) else Categories(both, declared=True),
            level=data.measurement,
        )

    def given(self, ground: ItemGround, there: NDArray[np.bool_]) -> Ints:
        return ground.label[there]

    def together(
        self,
        data: Ratings,
        ground: ItemGround,  # noqa: ARG002
        drawn: Sequence[DrawnMarks],
        names: tuple[str, ...],
        sets: int,
        seats: Seats | None,
    ) -> Ratings:
        size = self.size(data)
        rows = [_rows(marks, seats) for marks in drawn]
        alone = sets == 1 and data.times is None
        return Ratings(
            item=np.concatenate([at + marks.set * size for marks, (at, _, _) in zip(drawn, rows, strict=True)]).astype(
                np.int32
            ),
            annotator=np.concatenate([annotator for _, annotator, _ in rows]).astype(np.int32),
            label=np.concatenate([label for _, _, label in rows]).astype(np.int32),
            items=data.items if alone else Numbered(size * sets),
            annotators=names,
            categories=data.categories,
            variable=data.variable,
            level=data.measurement,
        )

    def one_set(self, batch: Ratings, mine: NDArray[np.bool_]) -> Ratings:
        kept, number = batch.keep(mine[batch.item]), np.cumsum(mine, dtype=np.int32) - 1
        return replace(kept, item=number[kept.item], items=Numbered(int(mine.sum())))


def _rows(drawn: DrawnMarks, seats: Seats | None) -> tuple[Ints, Ints, Ints]:
    """Items, annotators and labels."""
    items = np.arange(len(drawn.marks)) if seats is None else np.flatnonzero(seats.codes[:, drawn.annotator] >= 0)
    there = drawn.marks >= 0
    items = items[there]
    annotator = np.full(len(items), drawn.annotator) if seats is None else seats.codes[items, drawn.annotator]
    return items, annotator, drawn.marks[there]


class UnitShuffler(Shuffler[Corpus, Ground]):
    """Units: from a corpus of one annotator to a corpus of several."""

    def ground(self, data: Corpus) -> Ground:
        return Ground.of(data)

    def fitting(self, ground: Ground, on_a_line: bool) -> list[str]:
        marks = ground.marks
        order = np.lexsort((marks.start, marks.doc))
        same = np.diff(marks.doc[order]) == 0
        apart = not ((marks.start[order][1:] < marks.end[order][:-1]) & same).any()
        how = "(overlap=false)" if on_a_line and apart else ""
        labels = ["category"] if len(ground.categories) > 1 else []
        return ["false_negative", f"shift{how}", *labels, "fragment", f"false_positive{how}"]

    def together(
        self,
        data: Corpus,
        ground: Ground,
        drawn: Sequence[DrawnMarks],
        names: tuple[str, ...],
        sets: int,
        seats: Seats | None,
    ) -> Corpus:
        looked = np.tile(data.judged.any(axis=1), sets)
        corpus = Corpus(
            doc=np.concatenate([part.marks.doc + part.set * len(data.docs) for part in drawn]),
            annotator=np.concatenate([np.full(len(part.marks), part.annotator, dtype=np.int64) for part in drawn]),
            start=_as_fine(np.concatenate([part.marks.start for part in drawn]), ground),
            end=_as_fine(np.concatenate([part.marks.end for part in drawn]), ground),
            label=np.concatenate([part.marks.label for part in drawn]),
            docs=batch_names(data.docs, sets),
            annotators=names,
            categories=data.categories,
            extents=np.tile(data.extents, (sets, 1)),
            extent_given=np.tile(data.extent_given, sets),
            judged=np.repeat(looked[:, None], len(names), axis=1),
            judged_given=True,
            variable=data.variable,
        )
        if seats is None:
            return corpus
        annotator = seats.codes[corpus.doc % len(data.docs), corpus.annotator]
        return replace(corpus, annotator=annotator, judged=np.tile(seats.table, (sets, 1))).keep(annotator >= 0)

    def one_set(self, batch: Corpus, mine: NDArray[np.bool_]) -> Corpus:
        return batch.only_docs(mine)


def _as_fine(places: Floats, ground: Ground) -> Floats:
    """Round to the decimals of the reference, because measures that divide a continuum count in these steps."""
    return places if ground.decimals is None else np.round(places, ground.decimals)


class BoundaryShuffler(Shuffler[Segmentations, TextGround]):
    """Segmentations: from one segmentation per document to several."""

    def ground(self, data: Segmentations) -> TextGround:
        return TextGround.of(data)

    def fitting(self, ground: TextGround, on_a_line: bool) -> list[str]:  # noqa: ARG002
        return ["false_negative", "shift", *(["category"] if len(ground.categories) > 1 else []), "false_positive"]

    def together(
        self,
        data: Segmentations,
        ground: TextGround,  # noqa: ARG002
        drawn: Sequence[DrawnMarks],
        names: tuple[str, ...],
        sets: int,
        seats: Seats | None,
    ) -> Segmentations:
        size, many = len(data.docs), len(names)
        there = np.repeat(np.isin(np.arange(size), data.doc)[:, None], many, axis=1)
        if seats is not None:
            there &= seats.table
        there = np.tile(there, (sets, 1)).ravel()
        doc = np.concatenate([part.marks.doc + part.set * size for part in drawn])
        annotator = np.concatenate([np.full(len(part.marks), part.annotator, dtype=np.int64) for part in drawn])
        if seats is not None:
            annotator = seats.codes[doc % size, annotator]
        place = doc * many + annotator
        kept = np.flatnonzero(
            (annotator >= 0) & there[place]
        )  # positions without an annotator belong to another set and are dropped
        position = np.concatenate([part.marks.position for part in drawn])
        label = np.concatenate([part.marks.label for part in drawn])
        order = kept[np.lexsort((label[kept], position[kept], place[kept]))]
        seat_doc, seat = np.divmod(np.arange(size * sets * many), many)
        counts = np.bincount(place[kept], minlength=len(seat_doc))[there]
        return Segmentations(
            doc=seat_doc[there],
            annotator=seat[there],
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            position=position[order],
            label=label[order],
            docs=batch_names(data.docs, sets),
            annotators=names,
            categories=data.categories,
            lengths=np.tile(data.lengths, sets),
            variable=data.variable,
        )

    def one_set(self, batch: Segmentations, mine: NDArray[np.bool_]) -> Segmentations:
        return batch.only_docs(mine)


_PARTS = ("version", "start", "end", "version_doc", "version_annotator")


class TextShuffler(Shuffler[Texts, TokenGround]):
    """Texts: from one version per document to one per annotator, with their common source."""

    def ready(self, data: Texts) -> Texts:
        """Simulated annotators start from the pre-annotation; without one, from the reference."""
        if data.has_base and not data.n_annotators:
            data = self.only(data, PRE)  # the only annotator is the reference
        if data.has_base or data.n_annotators != 1:
            return data
        return _beside(data, replace(data, version_annotator=np.full_like(data.version_annotator, BASE)))

    def ground(self, data: Texts) -> TokenGround:
        return TokenGround.of(data)

    def fitting(self, ground: TokenGround, on_a_line: bool) -> list[str]:  # noqa: ARG002
        return [*(["category"] if len(ground.categories) > 1 else []), "token", "text"]

    def only(self, data: Texts, name: str) -> Texts:
        """`base` is the pre-annotation, unless an annotator has this name."""
        if name != PRE or name in data.annotators or not data.has_base:
            return data.only_annotators((name,))
        base = data.only_annotators(())
        return replace(base, version_annotator=np.zeros_like(base.version_annotator), annotators=(PRE,))

    def given(self, ground: TokenGround, there: NDArray[np.bool_]) -> Versions:
        return ground.versions.take(np.flatnonzero(there[ground.docs]))

    def together(
        self,
        data: Texts,
        ground: TokenGround,
        drawn: Sequence[DrawnMarks],
        names: tuple[str, ...],
        sets: int,
        seats: Seats | None,
    ) -> Texts:
        texts = [texts_and_offsets(part.marks, ground.alphabet) for part in drawn]
        seated = [_seated(ground, part.annotator, seats) for part in drawn]
        docs = [doc + part.set * len(data.docs) for part, (doc, _) in zip(drawn, seated, strict=True)]
        labels = np.concatenate([part.marks.whole.labels for part in drawn])
        features = {}
        for k, name in enumerate(ground.features):
            codes = np.where(labels[:, k] == ground.sizes[k], -1, labels[:, k])
            features[name] = TokenColumn(codes, data.features[name].categories)
        tokens = np.concatenate([part.marks.units for part in drawn])
        annotated = Texts(
            version=np.repeat(np.arange(len(tokens)), tokens),
            start=np.concatenate([start for _, start, _ in texts]),
            end=np.concatenate([end for _, _, end in texts]),
            features=features,
            docs=batch_names(data.docs, sets),
            annotators=names,
            version_doc=np.concatenate(docs),
            version_annotator=np.concatenate([annotator for _, annotator in seated]),
            strings=tuple(text for strings, _, _ in texts for text in strings),
            variable=data.variable,
        )
        if not data.has_base:
            return annotated
        base = data.only_annotators(())
        for s in range(sets):
            annotated = _beside(annotated, replace(base, version_doc=base.version_doc + s * len(data.docs)))
        return annotated

    def one_set(self, batch: Texts, mine: NDArray[np.bool_]) -> Texts:
        return batch.only_docs(mine)


def _seated(ground: TokenGround, seat: int, seats: Seats | None) -> tuple[Ints, Ints]:
    """Return the documents with a version of an annotator, and the annotators."""
    docs = ground.docs
    annotator = np.full(len(docs), seat) if seats is None else seats.codes[docs, seat]
    return docs[annotator >= 0], annotator[annotator >= 0]


def _beside(texts: Texts, more: Texts) -> Texts:
    """Join the versions of both; documents, annotators and categories are those of the first."""
    more = replace(more, version=more.version + len(texts.strings))
    joined: dict[str, Any] = {name: np.concatenate([getattr(texts, name), getattr(more, name)]) for name in _PARTS}
    features = {
        name: TokenColumn(np.concatenate([column.codes, more.features[name].codes]), column.categories)
        for name, column in texts.features.items()
    }
    return replace(texts, **joined, features=features, strings=(*texts.strings, *more.strings))
