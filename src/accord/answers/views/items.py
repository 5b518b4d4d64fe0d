"""View of labels of items: confused labels, and the items of each confusion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from scipy import sparse

from accord.answers.views.view import (
    LABEL,
    MOST_PLACES,
    DisputedPlace,
    DocumentView,
    Views,
    cell,
    escaped,
    more,
    packed,
    table,
)
from accord.core.arrays import Floats, Ints
from accord.data.model.ratings import Ratings

MOST_ITEMS = 2_000  # items with all their labels in the page
MOST_CATEGORIES = 40  # rows of a matrix
MOST_TOGETHER = 10  # annotators up to which each pair has a matrix
_EXAMPLES = 5  # items for a cell of the matrix
_LOOKED_AT = 20_000  # items of a category searched for examples
_MOST_COLUMNS = 12  # columns of a static table
_LONGEST = 2_000  # characters of a further column


def views_of_items(data: Ratings, most: int | None = None) -> Views:
    """Return one view with all items. `most` limits the number of items."""
    view = ItemsView(data, MOST_ITEMS if most is None else most)
    return Views("items", (view,), 0, data.categories.names)


@dataclass(frozen=True, eq=False)
class ItemsView(DocumentView):
    """View of a table of items. It contains the items with least agreement, with all their labels."""

    ratings: Ratings
    most: int

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.ratings.variable

    @property
    def cost(self) -> float:  # type: ignore[override]
        return float((self.disputed * self.ratings.weight).sum())

    # -- confusions ----------------------------------------------------------------------------------------------

    @cached_property
    def _counts(self) -> Any:
        """Items × categories: the number of annotators who chose each category."""
        ratings = self.ratings
        shape = (len(ratings.items), len(ratings.categories))
        return sparse.csr_array((self._many.astype(np.float64), (ratings.item, ratings.label)), shape=shape)

    @cached_property
    def _many(self) -> Ints:
        """The number of annotators that each entry represents."""
        many = self.ratings.many
        return np.ones(len(self.ratings), dtype=np.int64) if many is None else many

    @cached_property
    def disputed(self) -> Floats:
        """For each item, the share of pairs of labels that differ; 0 without a pair."""
        sizes = self.ratings.sizes.astype(np.float64)
        same = np.asarray(self._counts.multiply(self._counts).sum(axis=1)).ravel() - sizes
        pairs = sizes * (sizes - 1)
        share = np.divide(same, pairs, out=np.ones(len(sizes)), where=pairs > 0)
        alike = np.diff(self._counts.indptr) < 2  # exact for large counts
        return np.where(alike, 0.0, 1.0 - share)

    @cached_property
    def categories(self) -> Ints:
        """The categories of the matrices: all, or the most frequent ones."""
        used = np.flatnonzero(self.ratings.marginals > 0)
        ranked = used[np.argsort(-self.ratings.marginals[used], kind="stable")][:MOST_CATEGORIES]
        return np.sort(ranked)

    @cached_property
    def matrix(self) -> Ints:
        """The number of pairs of annotators who gave an item these two labels, counted both ways (symmetric)."""
        counts = self._counts[:, self.categories]
        weighted = counts.multiply(self.ratings.weight[:, None])
        both = np.asarray((counts.T @ weighted).todense())
        single = np.asarray(weighted.sum(axis=0)).ravel()
        diagonal = (np.diag(both) - single) / 2  # n(n − 1)/2 of each item
        np.fill_diagonal(both, diagonal)
        return np.rint(both).astype(np.int64)

    @cached_property
    def pairs(self) -> list[tuple[int, int, Ints]]:
        """For each pair of annotators, the confusion matrix: rows are the first annotator, columns the second."""
        ratings = self.ratings
        present = np.flatnonzero(ratings.took_part)
        if not ratings.identified or len(present) < 2 or len(present) > MOST_TOGETHER:
            return []
        _, labels = ratings.by_annotator
        code = np.full(len(ratings.categories) + 1, -1, dtype=np.int64)
        code[self.categories] = np.arange(len(self.categories))
        labels, q = code[labels], len(self.categories)
        made = []
        for a, b in combinations(range(len(present)), 2):
            both = (labels[a] >= 0) & (labels[b] >= 0)
            key = labels[a][both] * q + labels[b][both]
            found = np.bincount(key, weights=ratings.weight[both], minlength=q * q).reshape(q, q)
            made.append((int(present[a]), int(present[b]), np.rint(found).astype(np.int64)))
        return made

    # -- the items -----------------------------------------------------------------------------------------------

    @cached_property
    def ranked(self) -> Ints:
        """Items in the page, most disagreement first: at least two labels each, with examples for every cell."""
        found = np.flatnonzero(self.ratings.sizes > 1)
        worst = found[np.argsort(-self.disputed[found], kind="stable")]
        if len(worst) <= self.most:
            return worst
        chosen = np.zeros(len(self.ratings.items), dtype=bool)
        chosen[worst[: self.most]] = True
        for some in self._behind(worst):
            chosen[some] = True
        return worst[chosen[worst]]

    def _behind(self, ranked: Ints) -> Iterator[Ints]:
        """Yield, for each two categories, the items with most disagreement that have both."""
        counts = self._counts[ranked][:, self.categories].tocsc()
        columns = [np.sort(counts.indices[a:b])[:_LOOKED_AT] for a, b in pairwise(counts.indptr.tolist())]
        for k, column in enumerate(columns):
            there = np.zeros(len(ranked), dtype=bool)
            there[column] = True
            for other in columns[k + 1 :]:
                yield ranked[other[there[other]][:_EXAMPLES]]
            mine = slice(counts.indptr[k], counts.indptr[k + 1])
            twice = counts.indices[mine][counts.data[mine] > 1]
            yield ranked[np.sort(twice)[:_EXAMPLES]]

    @cached_property
    def _entries(self) -> tuple[Ints, Ints]:
        """Entries sorted by item, and the first entry of each item."""
        order = np.argsort(self.ratings.item, kind="stable")
        return order, np.searchsorted(self.ratings.item[order], np.arange(len(self.ratings.items) + 1))

    def _of(self, item: int) -> Ints:
        order, first = self._entries
        return order[first[item] : first[item + 1]]

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        """Kept columns that describe items and not labels, for the ranked items."""
        first = [self._of(int(i)) for i in self.ranked]
        made = {}
        for name, feature in self.ratings.features.items():
            codes = [feature.codes[mine] for mine in first]
            if all((c == c[0]).all() for c in codes):
                made[name] = [feature.name(int(mine[0]))[:_LONGEST] for mine in first]
        return made

    @cached_property
    def places(self) -> tuple[DisputedPlace, ...]:
        made = []
        for k, item in enumerate(self.ranked[:MOST_PLACES].tolist()):
            if self.disputed[item] <= 0:
                break
            text = "; ".join(values[k] for values in self.columns.values())
            quote = ("", text, "") if text else None
            said = self._said(item)
            made.append(DisputedPlace(str(self.ratings.items[item]), float(self.disputed[item]), (LABEL,), said, quote))
        return tuple(made)

    def _said(self, item: int) -> tuple[tuple[str, str], ...]:
        ratings, mine = self.ratings, self._of(item)
        names = [ratings.categories.names[k] for k in ratings.label[mine]]
        if not ratings.identified:
            counts: Counter[str] = Counter()
            for label, n in zip(names, self._many[mine].tolist(), strict=True):
                counts[label] += n
            return tuple((label, f"{n:,}") for label, n in counts.items())
        return tuple((ratings.annotators[a], label) for a, label in zip(ratings.annotator[mine], names, strict=True))

    # -- for the page --------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        ratings = self.ratings
        mine = [self._of(int(i)) for i in self.ranked]
        entries = np.concatenate([np.zeros(0, dtype=np.int64), *mine])
        new = np.full(len(ratings.categories), len(self.categories), dtype=np.int64)
        new[self.categories] = np.arange(len(self.categories))
        rest = np.setdiff1d(np.unique(ratings.label[entries]), self.categories)
        new[rest] = len(self.categories) + np.arange(len(rest))
        shown = np.concatenate([self.categories, rest]).astype(np.int64)
        return {
            "kind": "items",
            "name": self.name,
            "identified": ratings.identified,
            "annotators": list(ratings.annotators),
            "categories": [ratings.categories.names[k] for k in shown],
            "colours": shown.tolist(),
            "in_matrix": len(self.categories),
            "categories_left": int((ratings.marginals > 0).sum()) - len(self.categories),
            "items": [str(ratings.items[int(i)]) for i in self.ranked],
            "items_all": int((ratings.sizes > 1).sum()),
            "times": None if ratings.times is None else packed(ratings.times[self.ranked]),
            "columns": self.columns,
            "cost": packed(self.disputed[self.ranked]),
            "size": packed(np.array([len(entry) for entry in mine], dtype=np.int64)),
            "many": None if ratings.many is None else packed(ratings.many[entries]),
            "annotator": packed(ratings.annotator[entries]),
            "label": packed(new[ratings.label[entries]]),
            "matrix": packed(self.matrix.ravel()),
            "pairs": [{"first": a, "second": b, "matrix": packed(found.ravel())} for a, b, found in self.pairs],
        }

    def html(self) -> str:
        ratings = self.ratings
        n_disputed = int(ratings.weight[self.disputed > 0].sum())
        facts = f"<p>Annotators differ on {n_disputed:,} of {ratings.n_pairable:,} items.</p>"
        return "\n".join(filter(None, [facts, self._matrix_html(), self._items_html()]))

    def _matrix_html(self) -> str:
        few = self.categories[:_MOST_COLUMNS]
        names = [self.ratings.categories.names[k][:60] for k in few]
        rows = [
            [escaped(name), *(f"{n:,}" for n in row[: len(few)])]
            for name, row in zip(names, self.matrix.tolist(), strict=False)
        ]
        left = int((self.ratings.marginals > 0).sum()) - len(few)
        return table("pairs of labels of the same item, each counted once", ("label", *names), rows) + more(
            left, "categories"
        )

    def _items_html(self) -> str:
        if not self.places:
            return "<p>No disagreement.</p>"
        people = [a for a, there in zip(self.ratings.annotators, self.ratings.took_part, strict=True) if there]
        apart = self.ratings.identified and len(people) <= _MOST_COLUMNS
        further = tuple(self.columns)
        columns = ("item", *further, *(people if apart else ("labels",)), "pairs that differ")
        rows = []
        for k, place in enumerate(self.places):
            said = dict(place.said)
            if apart:
                labels = [cell(said.get(who, "–")) for who in people]
            elif self.ratings.identified:
                counts = Counter(said.values()).most_common()
                labels = [cell(", ".join(f"{label} ×{n}" for label, n in counts))]
            else:
                labels = [cell(", ".join(f"{label} ×{n}" for label, n in place.said))]
            texts = [cell(self.columns[name][k]) for name in further]
            rows.append([cell(place.where), *texts, *labels, f"{place.cost:.0%}"])
        left = int((self.disputed > 0).sum()) - len(rows)
        return table("items with most disagreement", columns, rows) + more(left, "items on which annotators differ")
