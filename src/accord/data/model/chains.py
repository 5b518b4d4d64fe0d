"""Coreference chains: mentions that annotators marked in documents, grouped by the entity they refer to."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Bools, Codes, Ints
from accord.core.errors import DataError, UnknownName, counted
from accord.data.kinds import CHAINS, Kind
from accord.data.model.corpus import Corpus
from accord.data.model.data import (
    MOST_NAMES,
    Data,
    LabelColumn,
    Marked,
    Rectangle,
    check_annotators,
    inside,
    some,
)
from accord.data.model.labels import Categories
from accord.data.model.ratings import Feature, Moved


@dataclass(frozen=True, eq=False)
class Chains(Data):
    """Mentions as units without labels, and the chain of each mention.

    Chains are numbered across all documents and annotators in the order of their first mentions. The names that
    annotators give to chains are not kept, because they cannot be compared between annotators.
    """

    mentions: Corpus
    chain: Ints
    mention_names: tuple[str, ...] | None = None  # if mentions have no positions: `start` is an index into these
    variable: str = "chain"

    kind: ClassVar[Kind] = CHAINS

    @classmethod
    def of(cls, corpus: Corpus, chain: Ints, mention_names: tuple[str, ...] | None = None) -> Chains:
        """Build from mentions and a number per mention, equal for mentions of one annotator, document and chain."""
        bare = replace(corpus, label=np.full(len(corpus), -1, dtype=np.int64), categories=Categories(()))
        order = np.lexsort((corpus.end, corpus.start, corpus.annotator, corpus.doc))
        owner = corpus.doc.astype(np.int64) * len(corpus.annotators) + corpus.annotator
        _, at = np.unique(np.stack([owner, chain], axis=1)[order], axis=0, return_inverse=True)
        return cls(_taken(bare, order), _by_first(at.ravel()), mention_names)

    def __len__(self) -> int:
        return len(self.mentions)

    def __repr__(self) -> str:
        docs, who = counted(len(self.docs), "document"), counted(self.n_annotators, "annotator")
        return f"<Chains: {docs}, {who}, {counted(len(self), 'mention')} in {counted(self.n_chains, 'chain')}>"

    # -- properties ----------------------------------------------------------------------------------------------

    @property
    def docs(self) -> tuple[str, ...]:
        return self.mentions.docs

    @property
    def names(self) -> tuple[str, ...]:
        return self.mentions.docs

    @property
    def annotators(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.mentions.annotators

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.mentions.notes

    @property
    def judged(self) -> Bools:
        """Documents × annotators: True where the annotator saw the document."""
        return self.mentions.judged

    @property
    def took_part(self) -> Bools:
        return self.mentions.took_part

    @property
    def category_sets(self) -> Mapping[str, Categories]:
        return {}

    @property
    def n_chains(self) -> int:
        return int(self.chain.max()) + 1 if len(self.chain) else 0

    @cached_property
    def sizes(self) -> Ints:
        """The number of mentions of each chain."""
        return np.bincount(self.chain, minlength=self.n_chains)

    @cached_property
    def mention(self) -> Ints:
        """A number for each mention, equal for mentions at the same position of the same document."""
        place = np.stack([self.mentions.doc.astype(np.float64), self.mentions.start, self.mentions.end], axis=1)
        return np.unique(place, axis=0, return_inverse=True)[1].ravel().astype(np.int64)

    @cached_property
    def digest(self) -> str:
        """A fingerprint that does not depend on the names of chains or on the order of the rows."""
        state = hashlib.blake2b(digest_size=8)
        state.update(self.mentions.digest.encode())
        state.update(np.ascontiguousarray(self.chain, dtype=np.int64).data)
        state.update(repr(self.mention_names).encode())
        return state.hexdigest()

    def __getitem__(self, doc: str) -> dict[str, list[list[tuple[float, float]]]]:
        """Return the chains of each annotator of a document, as lists of mentions: (start, end)."""
        if doc not in self.docs:
            raise UnknownName("document", str(doc), self.docs)
        d = self.docs.index(doc)
        return {self.annotators[a]: list(self._chains(d, a)) for a in np.flatnonzero(self.judged[d]).tolist()}

    def _chains(self, doc: int, annotator: int) -> Iterator[list[tuple[float, float]]]:
        mine = np.flatnonzero((self.mentions.doc == doc) & (self.mentions.annotator == annotator))
        for chain in np.unique(self.chain[mine]):
            at = mine[self.chain[mine] == chain]
            yield [(float(s), float(e)) for s, e in zip(self.mentions.start[at], self.mentions.end[at], strict=True)]

    # -- comparability -------------------------------------------------------------------------------------------

    @property
    def comparable(self) -> Bools:
        return self.mentions.comparable

    @property
    def left_out(self) -> dict[str, int]:
        return self.mentions.left_out

    # -- display -------------------------------------------------------------------------------------------------

    def about(self) -> list[str]:
        what = [("document", len(self.docs)), ("annotator", self.n_annotators), ("mention", len(self))]
        facts = [counted(n, noun) for noun, n in (*what, ("chain", self.n_chains))]
        single = int((self.sizes == 1).sum())
        if single:
            facts[-1] += f" ({single:,} with a single mention)"
        return [", ".join(facts), *self.mentions.about()[1:]]

    def summary(self) -> dict[str, Any]:
        return {
            "documents": len(self.docs),
            "documents_compared": int(self.comparable.sum()),
            "left_out": self.left_out,
            "annotators": list(self.present[:MOST_NAMES]),
            "n_annotators": self.n_annotators,
            "mentions": len(self),
            "chains": self.n_chains,
            "singletons": int((self.sizes == 1).sum()),
            "notes": list(self.notes),
            "digest": self.digest,
        }

    def described(self) -> list[tuple[str, str]]:
        docs = f"{len(self.docs):,} ({int(self.comparable.sum()):,} can be compared): {some(self.docs, told=True)}"
        single = int((self.sizes == 1).sum())
        return [
            ("documents", docs),
            ("annotators", f"{self.n_annotators:,}: {some(self.present, told=True)}"),
            (
                "documents each annotator saw",
                "as stated in the input" if self.mentions.judged_given else "those in which the annotator marked units",
            ),
            ("mentions", f"{len(self):,}, identified by {'start and end' if self.mention_names is None else 'name'}"),
            ("chains", f"{self.n_chains:,}, {single:,} of them with a single mention"),
        ]

    def rows(self) -> Rectangle:
        columns, units = self.mentions.rows()
        names = self.mention_names
        if names is None:
            cells = [row[:4] for row in units]
        else:
            cells = [(*row[:2], names[int(at)]) for row, at in zip(units, self.mentions.start, strict=True)]
        number = self._numbers_within()
        kept = (*columns[:4],) if names is None else (*columns[:2], "mention")
        return (*kept, "chain"), tuple((*cell, int(n)) for cell, n in zip(cells, number, strict=True))

    def files(self) -> dict[str, Rectangle]:
        return {
            "chains.csv": self.rows(),
            **{name: table for name, table in self.mentions.files().items() if name == "judged.csv"},
        }

    def unsaid(self) -> list[str]:
        return [note.replace("a table of units", "a table of chains") for note in self.mentions.unsaid()]

    def _numbers_within(self) -> Ints:
        """Return chain numbers that start from 1 for each document and annotator."""
        owner = self.mentions.doc.astype(np.int64) * len(self.annotators) + self.mentions.annotator
        first = np.full(len(self.docs) * len(self.annotators), self.n_chains, dtype=np.int64)
        np.minimum.at(first, owner, self.chain)
        numbers: Ints = self.chain - first[owner] + 1
        return numbers

    # -- selection -----------------------------------------------------------------------------------------------

    def _of(self, mentions: Corpus, kept: Bools | Ints) -> Chains:
        return replace(self, mentions=mentions, chain=_by_first(self.chain[kept]))

    def keep(self, mask: Bools) -> Chains:
        """Keep the mentions where the mask is true; all documents and the annotators who saw them stay."""
        return self._of(self.mentions.keep(mask), mask)

    def only_docs(self, wanted: Bools) -> Chains:
        return self._of(self.mentions.only_docs(wanted), wanted[self.mentions.doc])

    def only_named(self, names: Collection[str]) -> Chains:
        return self.only_docs(inside(self.docs, names))

    def only_annotators(self, names: Sequence[str]) -> Chains:
        check_annotators(names, self.annotators)
        wanted = inside(self.annotators, names)
        return self._of(self.mentions.only_annotators(names), wanted[self.mentions.annotator])

    def without_singletons(self) -> Chains:
        """Keep the chains with at least two mentions."""
        return self.keep(self.sizes[self.chain] > 1)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.mentions.columns

    def by(self, column: str) -> dict[str, Chains]:
        """Split by the values of a further column; a part contains only documents with mentions of its value."""
        if column not in self.mentions.features:
            raise UnknownName("column", column, ("doc", *self.columns))
        feature = self.mentions.features[column]
        parts = {}
        for value in np.unique(feature.codes):
            part = self.keep(feature.codes == value)
            parts[feature.names[value]] = part.only_docs(part.mentions.units_per_doc > 0)
        return parts

    def label_column(self, feature: str | None = None) -> LabelColumn:  # noqa: ARG002 - chains have no categories
        codes: Codes = np.full(len(self), -1, dtype=np.int64)
        return LabelColumn((), codes)

    def without_category(self, code: int, feature: str | None = None) -> Chains:  # noqa: ARG002
        raise DataError("measure-for-other-data", "coreference chains have no categories; use labels of items or units")

    # -- two data sets -------------------------------------------------------------------------------------------

    def with_categories_of(self, other: Chains) -> tuple[Chains, Chains]:
        return self, other

    def joined(self, other: Chains, annotators: tuple[str, ...], mine: Ints, others: Ints) -> Chains:
        mentions = self.mentions.joined(other.mentions, annotators, mine, others)
        # No document is in both data sets, so mentions need no names to stay distinct.
        return Chains.of(mentions, np.concatenate([self.chain, other.chain + self.n_chains]))

    def marked(self) -> Marked:
        return self.mentions.marked()

    def noted(self, notes: tuple[str, ...]) -> Chains:
        return replace(self, mentions=self.mentions.noted(notes))

    # -- conversion ----------------------------------------------------------------------------------------------

    def as_units(self) -> Corpus:
        """Return the mentions as units without labels."""
        if self.mention_names is not None:
            raise DataError(
                "measure-for-other-data",
                "mentions are identified by name and have no start and end, so they are not units; add columns start "
                "and end to the table",
            )
        return self.mentions


def _taken(corpus: Corpus, order: Ints) -> Corpus:
    """Return the units in another order."""
    return replace(
        corpus,
        doc=corpus.doc[order],
        annotator=corpus.annotator[order],
        start=corpus.start[order],
        end=corpus.end[order],
        label=corpus.label[order],
        features={name: Feature(f.codes[order], f.names) for name, f in corpus.features.items()},
        places=None if corpus.places is None else Moved(corpus.places, order),
    )


def _by_first(chain: Ints) -> Ints:
    """Renumber chains from 0 in the order of their first mentions."""
    _, first, at = np.unique(chain, return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    found: Ints = number[at.ravel()]
    return found
