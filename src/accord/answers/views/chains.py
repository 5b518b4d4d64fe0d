"""Chains of coreference: mentions as lanes, chains of several annotators that share most mentions in one colour."""

from __future__ import annotations

from collections import Counter

import numpy as np

from accord.answers.views.spans import Spans, Words, kinds_named, merged, pairs_within
from accord.answers.views.view import Views
from accord.core.arrays import Floats, Ints
from accord.data.model.chains import Chains

_WORDS = Words(
    unit="mention",
    category="chain",
    cost="pairs that differ",
    kinds=kinds_named(label="chain", boundaries=None),
    note=(
        "Chains of different annotators have one name and colour if they share mentions, those that share most first. "
        "Pairs that differ: the share of pairs of annotators of whom one has no such mention, or in another chain."
    ),
    chains=True,
)
_LONGEST = 30  # letters of a chain's name


def views_of_chains(data: Chains, most: int | None = None) -> Views:
    made = [_view(data, int(d)) for d in np.flatnonzero(data.comparable)]
    made.sort(key=lambda view: -view.cost)
    kept = made[:most]
    return Views("chains", tuple(kept), len(data.docs) - len(kept))


def _view(data: Chains, doc: int) -> Spans:
    mentions = data.mentions
    mine = np.flatnonzero(mentions.doc == doc)
    looked = np.flatnonzero(data.judged[doc])
    lane = np.searchsorted(looked, mentions.annotator[mine])
    start, end = mentions.start[mine], mentions.end[mine]
    name = data.docs[doc]
    text, quotes = mentions.texts.get(name), None
    extent = float(mentions.extents[doc, 0]), float(mentions.extents[doc, 1])
    if data.mention_names is not None:  # they are known by name: numbered through the document
        known, number = np.unique(start, return_inverse=True)
        start, end = number.astype(np.float64), (number + 1).astype(np.float64)
        quotes, text = tuple(data.mention_names[int(k)] for k in known), None
        extent = 0.0, float(len(known))
    place = _places(lane, start, end)
    entity = _entities(lane, data.chain[mine], place)
    names = _names(entity, start, end, text, quotes)
    costs, causes = _costs(entity, place, len(looked))
    return Spans.of(
        name,
        [data.annotators[int(a)] for a in looked],
        (lane, start, end, entity),
        names,
        (place, np.arange(len(mine)), costs, causes),
        extent,
        text=text,
        quotes=quotes,
        words=_WORDS,
    )


def _places(lane: Ints, start: Floats, end: Floats) -> Ints:
    """Mentions at one place are one; where an annotator has several there, the second stands by itself, and so on."""
    key = np.stack([start, end], axis=1)
    _, where = np.unique(key, axis=0, return_inverse=True)
    order = np.lexsort((lane, where.ravel()))
    same = np.zeros(len(order), dtype=np.int64)
    for k in range(1, len(order)):
        one, other = order[k - 1], order[k]
        if where.ravel()[one] == where.ravel()[other] and lane[one] == lane[other]:
            same[other] = same[one] + 1
    both = np.stack([where.ravel(), same], axis=1)
    return np.unique(both, axis=0, return_inverse=True)[1].ravel().astype(np.int64)


def _entities(lane: Ints, chain: Ints, place: Ints) -> Ints:
    """The number of each mention's chain, shared by annotators; the largest is 0."""
    _, first, own = np.unique(chain, return_index=True, return_inverse=True)
    own = own.ravel()
    together = own[pairs_within(place)]
    pairs, shared = np.unique(np.sort(together, axis=1), axis=0, return_counts=True)
    of_chain = merged(lane[first], pairs[np.lexsort((pairs[:, 1], pairs[:, 0], -shared))])
    of_mention = of_chain[own]
    sizes = np.bincount(of_mention)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[of_mention]


def _names(entity: Ints, start: Floats, end: Floats, text: str | None, quotes: tuple[str, ...] | None) -> list[str]:
    """A number, and the most frequent words of its mentions where they are known."""
    said: list[Counter[str]] = [Counter() for _ in range(int(entity.max()) + 1 if len(entity) else 0)]
    if text is None and quotes is None:
        return [f"chain {k + 1}" for k in range(len(said))]
    for k, a, b in zip(entity.tolist(), start.tolist(), end.tolist(), strict=True):
        said[k][" ".join((text[int(a) : int(b)] if text is not None else (quotes or ())[int(a)]).split())] += 1
    made = []
    for k, words in enumerate(said):
        best = max(words, key=lambda word: (words[word], len(word)))
        made.append(f"{k + 1} {best if len(best) <= _LONGEST else best[: _LONGEST - 1] + '…'}")
    return made


def _costs(entity: Ints, place: Ints, n: int) -> tuple[Floats, dict[str, Floats]]:
    many = int(place.max()) + 1 if len(place) else 0
    size = np.bincount(place, minlength=many).astype(np.float64)
    pairs = pairs_within(place)
    other = entity[pairs[:, 0]] != entity[pairs[:, 1]]
    apart = np.bincount(place[pairs[:, 0]], weights=other, minlength=many)
    everyone = n * (n - 1) / 2
    causes = {"chain": apart / everyone, "absence": (everyone - size * (size - 1) / 2) / everyone}
    # Who has none agrees with others who have none.
    none = (n - size) * (n - size - 1) / 2
    causes["absence"] = causes["absence"] - none / everyone
    return causes["chain"] + causes["absence"], causes
