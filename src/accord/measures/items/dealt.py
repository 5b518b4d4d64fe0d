"""Labels dealt anew: annotators keep the labels that they gave, and know nothing of the items they give them to.

Only labels of compared items are dealt, among these items: so shares of annotators, and marginals of what is compared,
stay as they are. What changes is how far the labels of an item are apart, and the mean over items of r_ik/r_i where
items have different numbers of labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.arrays import Codes, Floats, Ints
from accord.context import Run
from accord.distances.spaces import sums_by
from accord.errors import SpecError
from accord.measures.items.evidence import ItemEvidence
from accord.model.ratings import Ratings

_PURPOSE = 16  # of random numbers
_AT_ONCE = 1 << 16  # labels: what is made of them stays near the processor
_MOST_SHARES = 10**7  # categories × deals that are kept: 80 MB


@dataclass(frozen=True, eq=False)
class Dealt:
    """What coefficients are made of: a number, or a column, for each deal. The first is what annotators did."""

    evidence: ItemEvidence
    over_items: Floats  # D_o, where every item counts the same
    over_labels: Floats  # D_o, where every label does
    shares: Floats  # π_k


@dataclass(frozen=True, eq=False)
class Places:
    """Compared items, each one alone, and the labels on them: those of an annotator stand together."""

    item: Ints
    label: Codes
    ends: Ints  # behind the labels of each annotator
    sizes: Ints

    @classmethod
    def of(cls, ratings: Ratings) -> Places:
        """Where nobody knows whose labels they are, they may go anywhere."""
        compared = ratings.sizes > 1
        times = np.where(compared, ratings.weight, 0.0).astype(np.int64)
        whose = ratings.annotator if ratings.identified else np.zeros_like(ratings.annotator)
        entry = np.argsort(whose, kind="stable")
        often = times[ratings.item[entry]]  # 0 where nothing is compared
        copy = np.arange(often.sum()) - np.repeat(np.cumsum(often) - often, often)
        start = np.cumsum(times) - times
        return cls(
            item=np.repeat(start[ratings.item[entry]], often) + copy,
            label=np.repeat(ratings.label[entry], often),
            ends=np.cumsum(np.bincount(whose[entry], weights=often)).astype(np.int64),
            sizes=np.repeat(ratings.sizes, times),
        )

    def deals(self, many: int, run: Run) -> Iterator[Codes]:
        """Some deals at a time, a row each; the first is what annotators did."""
        rng = run.rng(_PURPOSE)
        yield self.label[None, :]
        step = max(1, _AT_ONCE // len(self.label))
        for done in range(0, many, step):
            run.progress("permuting labels", done, many)
            dealt = np.repeat(self.label[None, :], min(step, many - done), axis=0)
            for start, end in zip((0, *self.ends), self.ends, strict=False):
                dealt[:, start:end] = rng.permuted(dealt[:, start:end], axis=1)
            yield dealt
        run.progress("permuting labels", many, many)


def labels_to_deal(evidence: ItemEvidence) -> int:
    """How many labels are on compared items."""
    return int(evidence.paired @ evidence.sizes)


def dealt(evidence: ItemEvidence, many: int, run: Run) -> Dealt:
    """As often as that; measures with the same distance share it."""
    key = ("dealt", evidence.distance, evidence.of_two, many, run.seed)
    return evidence.source.memo.once(key, lambda: _dealt(evidence, many, run))


def _dealt(evidence: ItemEvidence, many: int, run: Run) -> Dealt:
    places = Places.of(evidence.source)
    n, labels = len(places.sizes), len(places.label)
    alike = bool((places.sizes == places.sizes[0]).all())
    if not alike and evidence.q * many > _MOST_SHARES:
        raise SpecError(
            f"{many:,} permutations with {evidence.q:,} categories, and items with different numbers of labels, need "
            f"too much memory: ask for at most {_MOST_SHARES // evidence.q:,} (--replicates)"
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
        return Dealt(evidence, np.concatenate(over_items), np.concatenate(over_labels), evidence.shares[:, None])
    of_items = np.concatenate(shares, axis=1) / evidence.labelled.sum()
    always = evidence.shares[:, None] - of_items[:, :1]  # from items with one label
    return Dealt(evidence, np.concatenate(over_items), np.concatenate(over_labels), of_items + always)


def _counted(q: int, deal: Codes, weight: Floats) -> Floats:
    """The weights of each category: a column per deal."""
    rows = len(deal)
    cell = deal + q * np.arange(rows)[:, None]
    return sums_by(cell.ravel(), np.tile(weight, rows), q * rows).reshape(rows, q).T
