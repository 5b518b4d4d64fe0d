"""How many alignments of tokens the best alignments of two texts leave to choose from (Barteld et al. 2016, 4)."""

from __future__ import annotations

import numpy as np

from accord.data.model.texts import Texts
from accord.measures.alignment.sequences import EditCosts, align_sequences
from accord.measures.chance.text_edits import Alphabet, Version, version_of


def alignments_seen(texts: Texts) -> float:
    """The different ones that are found when two versions of a document are read forwards and backwards, with and
    without their labels; the mean over documents. Not all there may be: each reading stops at one of the best.
    """
    features, alphabet = tuple(texts.features), Alphabet()
    found = []
    for doc in range(len(texts.docs)):
        first, second = (version_of(texts, v, features, alphabet, gaps=False) for v in texts.versions(doc)[:2])
        ways = [(first, second, True), (_without(first), _without(second), True)]
        ways += [(_turned(a), _turned(b), False) for a, b, _ in ways]
        found.append(len({_pairs(a, b, forwards) for a, b, forwards in ways}))
    return float(np.mean(found))


def _without(version: Version) -> Version:
    return Version(version.letters, version.start, version.end, version.labels[:, :0], version.gap)


def _turned(version: Version) -> Version:
    """The same backwards."""
    n = len(version.letters)
    return Version(
        version.letters[::-1].copy(),
        n - version.end[::-1],
        n - version.start[::-1],
        version.labels[::-1].copy(),
        version.gap[::-1].copy(),
    )


def _pairs(first: Version, second: Version, forwards: bool) -> bytes:
    costs = EditCosts(tables=(None,) * first.labels.shape[1])
    pairs = align_sequences(first.bounded(), second.bounded(), costs).pairs
    if not forwards:
        pairs = (np.array([len(first.start), len(second.start)]) - 1 - pairs)[::-1]
    return np.ascontiguousarray(pairs, dtype=np.int64).tobytes()
