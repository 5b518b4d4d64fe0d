"""Texts that annotators may change, with their tokens and labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.answers.consensus.base import Seats
from accord.answers.simulate.grounds.tokens import TokenGround, written
from accord.answers.simulate.shufflers.base import Drawn, Shuffler, named
from accord.core.arrays import Ints
from accord.data.model.texts import BASE, PRE, Texts, TokenColumn
from accord.measures.chance.text_edits import Versions

_PARTS = ("version", "start", "end", "version_doc", "version_annotator")


class TextShuffler(Shuffler[Texts, TokenGround]):
    """A version of each document → one of each annotator, with what they all started from."""

    def ready(self, data: Texts) -> Texts:
        """Annotators started from the pre-annotation; where there is none, from the reference itself."""
        if data.has_base and not data.n_annotators:
            data = self.only(data, PRE)  # alone, it is the reference
        if data.has_base or data.n_annotators != 1:
            return data
        return _beside(data, replace(data, version_annotator=np.full_like(data.version_annotator, BASE)))

    def ground(self, data: Texts) -> TokenGround:
        return TokenGround.of(data)

    def fitting(self, ground: TokenGround, on_a_line: bool) -> list[str]:  # noqa: ARG002
        return [*(["category"] if len(ground.categories) > 1 else []), "token", "text"]

    def only(self, data: Texts, name: str) -> Texts:
        """`base` is the pre-annotation, unless somebody is called so."""
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
        drawn: Sequence[Drawn],
        names: tuple[str, ...],
        sets: int,
        seats: Seats | None,
    ) -> Texts:
        texts = [written(one.marks, ground.alphabet) for one in drawn]
        seated = [_seated(ground, one.annotator, seats) for one in drawn]
        docs = [doc + one.set * len(data.docs) for one, (doc, _) in zip(drawn, seated, strict=True)]
        labels = np.concatenate([one.marks.whole.labels for one in drawn])
        features = {}
        for k, name in enumerate(ground.features):
            codes = np.where(labels[:, k] == ground.sizes[k], -1, labels[:, k])
            features[name] = TokenColumn(codes, data.features[name].categories)
        tokens = np.concatenate([one.marks.units for one in drawn])
        annotated = Texts(
            version=np.repeat(np.arange(len(tokens)), tokens),
            start=np.concatenate([start for _, start, _ in texts]),
            end=np.concatenate([end for _, _, end in texts]),
            features=features,
            docs=named(data.docs, sets),
            annotators=names,
            version_doc=np.concatenate(docs),
            version_annotator=np.concatenate([who for _, who in seated]),
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
    """The documents of which somebody gave a version, and who."""
    docs = ground.docs
    who = np.full(len(docs), seat) if seats is None else seats.who[docs, seat]
    return docs[who >= 0], who[who >= 0]


def _beside(one: Texts, more: Texts) -> Texts:
    """The versions of both; documents, annotators and categories are those of the first."""
    more = replace(more, version=more.version + len(one.strings))
    joined: dict[str, Any] = {name: np.concatenate([getattr(one, name), getattr(more, name)]) for name in _PARTS}
    features = {
        name: TokenColumn(np.concatenate([column.codes, more.features[name].codes]), column.categories)
        for name, column in one.features.items()
    }
    return replace(one, **joined, features=features, strings=(*one.strings, *more.strings))
