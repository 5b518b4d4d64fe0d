"""Labels dealt anew: annotators keep the labels that they gave, and know nothing of the items they give them to.

Only labels of compared items are dealt, among these items: so shares of annotators, and marginals of what is compared,
stay as they are. What changes is how far the labels of an item are apart, and the mean over items of r_ik/r_i where
items have different numbers of labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.core.arrays import Codes, Floats, Ints
from accord.core.context import Run
from accord.core.errors import SpecError
from accord.data.model.ratings import Ratings
from accord.measures.distances.spaces import sums_by
from accord.measures.items.evidence import ItemEvidence, Tables

_PURPOSE = 16  # of random numbers
_AT_ONCE = 1 << 16  # labels: what is made of them stays near the processor
_MOST_LABELS = 10**8
_MOST_SHARES = 10**7  # categories × deals that are kept: 80 MB


@dataclass(frozen=True, eq=False)
class DealtPlaces:
    """Compared items, each one alone, and the labels on them: those of an annotator stand together.

    Neither the order of the items nor that of the annotators makes a difference: annotators stand in the order of how
    often they give each label, items in that of who labelled them, and labels are dealt from a sorted hand.
    """

    entry: Ints  # of the data, whose label it is
    item: Ints
    label: Codes
    ends: Ints  # behind the labels of each annotator
    sizes: Ints

    @classmethod
    def of(cls, ratings: Ratings) -> DealtPlaces:
        """The places of these ratings. Where annotators are unknown, a label may go to any place."""
        ratings = ratings.one_by_one
        compared = ratings.sizes > 1
        times = np.where(compared, ratings.weight, 0.0).astype(np.int64)
        whose = ratings.annotator.astype(np.int64) if ratings.identified else np.zeros(len(ratings), dtype=np.int64)
        often = times[ratings.item]  # 0 where nothing is compared
        rank = _ranks(whose, ratings.label, often, ratings.sizes[ratings.item], len(ratings.categories))
        order = _by_pattern(ratings.item, rank[whose], ratings.sizes)
        start = np.empty_like(times)
        start[order] = np.cumsum(times[order]) - times[order]
        entry = np.lexsort((start[ratings.item], rank[whose]))
        often = often[entry]
        copy = np.arange(often.sum()) - np.repeat(np.cumsum(often) - often, often)
        return cls(
            entry=np.repeat(entry, often),
            item=np.repeat(start[ratings.item[entry]], often) + copy,
            label=np.repeat(ratings.label[entry], often),
            ends=np.cumsum(np.bincount(rank[whose[entry]], weights=often)).astype(np.int64),
            sizes=np.repeat(ratings.sizes[order], times[order]),
        )

    def deals(self, many: int, run: Run) -> Iterator[Codes]:
        """Some permutations at a time, one per row; the first row is the data as they are."""
        rng = run.rng(_PURPOSE)
        yield self.label[None, :]
        hands = list(zip((0, *self.ends), self.ends, strict=False))
        hand = np.concatenate([np.sort(self.label[start:end]) for start, end in hands])
        step = max(1, _AT_ONCE // len(self.label))
        for done in range(0, many, step):
            run.progress("permuting labels", done, many)
            dealt = np.repeat(hand[None, :], min(step, many - done), axis=0)
            for start, end in hands:
                dealt[:, start:end] = rng.permuted(dealt[:, start:end], axis=1)
            yield dealt
        run.progress("permuting labels", many, many)


def _ranks(whose: Ints, label: Codes, often: Ints, sizes: Ints, q: int) -> Ints:
    """Of annotators: by how often they give each label, then by how many others are on their items.

    Behind them those of whom nothing is compared: they change no other rank.
    """
    people = int(whose.max(initial=0)) + 1
    given = np.bincount(whose * q + label, weights=often, minlength=people * q).reshape(people, q)
    company = np.bincount(whose, weights=often * sizes.astype(np.float64) ** 2, minlength=people)
    order = np.lexsort((company, *given.T[::-1], company == 0))
    rank = np.empty(people, dtype=np.int64)
    rank[order] = np.arange(people)
    return rank


def _by_pattern(item: Codes, rank: Ints, sizes: Ints) -> Ints:
    """Items sorted by who labelled them: items of the same annotators are exchangeable."""
    mixed = (rank.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    pattern = np.zeros(len(sizes), dtype=np.uint64)
    np.add.at(pattern, item, mixed * np.uint64(0xBF58476D1CE4E5B9))
    return np.lexsort((pattern, sizes))


def labels_to_deal(evidence: ItemEvidence) -> int:
    """How many labels are on compared items."""
    return int(evidence.paired @ evidence.sizes)


def deal_labels(evidence: ItemEvidence, many: int, run: Run) -> Tables:
    """Permute labels `many` times, and give a table for each. Measures with the same distance share them."""
    key = ("dealt", evidence.distance, evidence.of_two, many, run.seed)
    return evidence.source.memo.once(key, lambda: _deal(evidence, many, run))


def _deal(evidence: ItemEvidence, many: int, run: Run) -> Tables:
    if labels_to_deal(evidence) > _MOST_LABELS:
        raise SpecError(
            "too-large-to-compute", f"a permutation deals every label anew, and these are more than {_MOST_LABELS:,}"
        )
    places = DealtPlaces.of(evidence.source)
    n, labels = len(places.sizes), len(places.label)
    alike = bool((places.sizes == places.sizes[0]).all())
    if not alike and evidence.q * many > _MOST_SHARES:
        raise SpecError(
            "too-large-to-compute",
            f"{many:,} permutations with {evidence.q:,} categories, and items with different numbers of labels, need "
            f"too much memory: ask for at most {_MOST_SHARES // evidence.q:,} (--replicates)",
        )
    over_items, over_labels, shares = [], [], []
    for deal in places.deals(many, run):
        rows = len(deal)
        item = (places.item[None, :] + n * np.arange(rows)[:, None]).ravel()
        within = evidence.space.within(item, deal.ravel(), np.tile(places.sizes, rows)).reshape(rows, n)
        over_items.append(within.mean(axis=1))
        over_labels.append(within @ places.sizes / labels)
        if not alike:
            shares.append(_counted(evidence.q, deal, 1.0 / places.sizes[places.item]))
    if alike:
        of_deals = evidence.shares[:, None]
    else:
        of_items = np.concatenate(shares, axis=1) / evidence.labelled.sum()
        of_deals = of_items + (evidence.shares[:, None] - of_items[:, :1])  # the rest: from items with one label
    return Tables(
        n=np.full(many + 1, float(n)),
        over_items=np.concatenate(over_items),
        over_labels=np.concatenate(over_labels),
        n_labels=evidence.n_labels,
        pooled=evidence.pooled,
        shares=of_deals,
        given=evidence.given,
        space=evidence.space,
        across_annotators=evidence.across_annotators,
    )


def _counted(q: int, deal: Codes, weight: Floats) -> Floats:
    """The weights of each category: a column per deal."""
    rows = len(deal)
    cell = deal + q * np.arange(rows)[:, None]
    return sums_by(cell.ravel(), np.tile(weight, rows), q * rows).reshape(rows, q).T
