"""The reference of texts: a version of each document, as letters and tokens, and what changes draw from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.data.model.texts import BASE, Texts
from accord.measures.chance.text_edits import Alphabet, TextPool, Versions, versions_of


@dataclass(frozen=True, eq=False)
class TokenGround:
    """What an annotator gives is a version of each document."""

    versions: Versions
    docs: Ints  # of each version
    pool: TextPool  # of all tokens of the reference
    alphabet: Alphabet
    features: tuple[str, ...]
    sizes: tuple[int, ...]  # categories of each feature; the code behind them: no label

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
        """The different rows of labels, and how many tokens have each."""
        rows, count = np.unique(self.pool.labels, axis=0, return_counts=True)
        return rows.astype(np.int64), count.astype(np.int64)

    @property
    def rows(self) -> Ints:
        """The codes of its one feature that occur, in order."""
        return self._rows[0][:, 0]

    @property
    def categories(self) -> tuple[str, ...]:
        """The labels of tokens; those of several features belong together."""
        if not self.features:
            return ()
        return tuple(" ".join(map(str, row)) for row in self._rows[0].tolist())

    @property
    def prevalence(self) -> Floats:
        count = self._rows[1]
        return count / max(int(count.sum()), 1)


def written(versions: Versions, alphabet: Alphabet) -> tuple[list[str], Ints, Ints]:
    """The texts, and where their tokens begin and end, in code points of their own text."""
    text, before = alphabet.text(versions.whole.letters)
    cuts = before[versions.first_letter]
    strings = [text[a:b] for a, b in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)]
    begin = cuts[versions.owner]
    return strings, before[versions.whole.start] - begin, before[versions.whole.end] - begin
