"""Permutation of labels: each annotator keeps the same labels, assigned to random items.

Only labels of compared items are permuted, among these items. The shares of each annotator and the marginals of
compared labels therefore do not change. The permutation changes the distances within items, and the mean over items of
r_ik/r_i if items have different numbers of labels.
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

_PURPOSE = 16  # stream number of the random generator
_AT_ONCE = 1 << 16  # labels processed at once, to stay in the processor cache
_MOST_LABELS = 10**8
_MOST_SHARES = 10**7  # categories × permutations kept in memory: 80 MB


@dataclass(frozen=True, eq=False)
class DealtPlaces:
    """Compared items, one entry per label, with the labels of each annotator together.

    The result does not depend on the order of items or annotators. Annotators are sorted by the frequencies of their
    labels, items by their annotators, and labels are permuted from sorted order.
    """

    entry: Ints  # index of the label in the data
    item: Ints
    label: Codes
    ends: Ints  # end of the labels of each annotator
    sizes: Ints

    @classmethod
    def of(cls, ratings: Ratings) -> DealtPlaces:
        """Return the permutable labels of these ratings. If annotators are unknown, a label may move to any item."""
        ratings = ratings.one_by_one
        compared = ratings.sizes > 1
        times = np.where(compared, ratings.weight, 0.0).astype(np.int64)
        whose = ratings.annotator.astype(np.int64) if ratings.identified else np.zeros(len(ratings), dtype=np.int64)
        often = times[ratings.item]  # 0 if the item is not compared
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
        """Yield batches of permutations, one per row; the first row is the observed data."""
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
    """Rank annotators by the frequencies of their labels, then by the number of other labels on their items.

    Annotators without compared labels are last, so that they do not change other ranks.
    """
    people = int(whose.max(initial=0)) + 1
    given = np.bincount(whose * q + label, weights=often, minlength=people * q).reshape(people, q)
    company = np.bincount(whose, weights=often * sizes.astype(np.float64) ** 2, minlength=people)
    order = np.lexsort((company, *given.T[::-1], company == 0))
    rank = np.empty(people, dtype=np.int64)
    rank[order] = np.arange(people)
    return rank


def _by_pattern(item: Codes, rank: Ints, sizes: Ints) -> Ints:
    """Sort items by their annotators; items with the same annotators are exchangeable."""
    mixed = (rank.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    pattern = np.zeros(len(sizes), dtype=np.uint64)
    np.add.at(pattern, item, mixed * np.uint64(0xBF58476D1CE4E5B9))
    return np.lexsort((pattern, sizes))


def labels_to_deal(evidence: ItemEvidence) -> int:
    """Return the number of labels on compared items."""
    return int(evidence.paired @ evidence.sizes)


def deal_labels(evidence: ItemEvidence, many: int, run: Run) -> Tables:
    """Permute labels `many` times and return a table for each. Measures with the same distance share them."""
    key = ("dealt", evidence.distance, evidence.of_two, many, run.seed)
    return evidence.source.memo.once(key, lambda: _deal(evidence, many, run))


def _deal(evidence: ItemEvidence, many: int, run: Run) -> Tables:
    if labels_to_deal(evidence) > _MOST_LABELS:
        raise SpecError(
            "too-large-to-compute",
            f"a permutation test is limited to {_MOST_LABELS:,} labels; test a sample of the items instead",
        )
    places = DealtPlaces.of(evidence.source)
    n, labels = len(places.sizes), len(places.label)
    alike = bool((places.sizes == places.sizes[0]).all())
    if not alike and evidence.q * many > _MOST_SHARES:
        raise SpecError(
            "too-large-to-compute",
            f"{many:,} permutations with {evidence.q:,} categories and different numbers of labels per item need too "
            f"much memory; use at most --replicates {_MOST_SHARES // evidence.q}",
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
        # the difference is due to items with one label
        of_deals = of_items + (evidence.shares[:, None] - of_items[:, :1])
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
    """Return the sum of the weights of each category: one column per permutation."""
    rows = len(deal)
    cell = deal + q * np.arange(rows)[:, None]
    return sums_by(cell.ravel(), np.tile(weight, rows), q * rows).reshape(rows, q).T
