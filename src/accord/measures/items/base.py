"""What the coefficients on items share: the evidence, and 1 − D_o/D_e.

Notation as in Gwet: n items, r_i labels of item i, π_k shares, d distances between labels (d = 1 − w).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from accord.arrays import Floats
from accord.context import Run
from accord.distances import Distance, Nominal, distance, weights
from accord.distances.spaces import Space, counts_by_row
from accord.errors import DataError, SpecError, quoted
from accord.measures.base import Measure, kind_of
from accord.model.labels import label_name
from accord.model.ratings import Ratings, weighted_counts
from accord.result import Parts, Score, chance_corrected

_LARGEST_NUMBER = 1e150
_INSTEAD = "use gamma for units, pi_star for segmentations, text_gamma for texts, or name the item column with --item"
WIDEST_MATRIX = 64  # categories; a larger matrix is not printed


@dataclass(frozen=True, eq=False)
class ItemEvidence:
    """Distinct item rows, how often each occurs, and the mean distance within each."""

    source: Ratings  # as it was read, for what is shown item by item
    rows: Ratings  # its distinct rows
    times: Floats  # how often each row counts: what resampling changes
    distance: Distance

    @classmethod
    def of(cls, ratings: Ratings, distance: Distance) -> ItemEvidence:
        """Measures with the same distance share it: rows are compared once."""
        shared: dict[Distance, ItemEvidence] = ratings.__dict__.setdefault("_evidence", {})
        if distance not in shared:
            rows = ratings.compressed
            shared[distance] = cls(ratings, rows, rows.weight, distance)
        return shared[distance]

    def weighted(self, times: Floats) -> ItemEvidence:
        """The same rows, counted otherwise."""
        other = replace(self, times=times)
        if not self.distance.depends_on_data:
            other.__dict__.update({"space": self.space, "within": self.within})
        return other

    @property
    def sizes(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        return self.rows.sizes

    @cached_property
    def paired(self) -> Floats:
        """The times of rows with two labels at least, 0 for the others."""
        return np.where(self.sizes > 1, self.times, 0.0)

    @cached_property
    def labelled(self) -> Floats:
        """The times of rows with a label at least."""
        return np.where(self.sizes > 0, self.times, 0.0)

    @property
    def q(self) -> int:
        return len(self.rows.categories)

    @cached_property
    def pairable_marginals(self) -> Floats:
        return weighted_counts(self.rows.label, self.paired, self.rows.item, self.q)

    @cached_property
    def space(self) -> Space:
        return self.distance.space(self.rows.categories, self.pairable_marginals)

    @cached_property
    def within(self) -> Floats:
        """Mean distance between two labels of a row."""
        return self.space.within(self.rows.item, self.rows.label, self.sizes)

    @cached_property
    def shares(self) -> Floats:
        """π_k: the mean over items of r_ik/r_i, not the pooled share where r_i varies."""
        each = self.labelled / np.maximum(self.sizes, 1)
        return weighted_counts(self.rows.label, each, self.rows.item, self.q) / self.labelled.sum()

    def mean_over_labels(self, by_category: Floats) -> Floats:
        """For each row the mean over its labels of a number that each category has."""
        total = weighted_counts(self.rows.item, by_category, self.rows.label, len(self.sizes))
        return total / np.maximum(self.sizes, 1)


@dataclass(frozen=True)
class Contributions:
    """A number for each row whose mean over `times` is the value: linearised, so that their spread gives the SE."""

    values: Floats
    times: Floats

    @property
    def n(self) -> float:
        return float(self.times.sum())

    def variance_of_mean(self) -> float:
        if self.n < 2:
            return float("nan")
        mean = float(self.times @ self.values) / self.n
        return float(self.times @ (self.values - mean) ** 2) / (self.n * (self.n - 1))


@dataclass(frozen=True, repr=False)
class ItemMeasure(Measure):
    """A coefficient on items. Subclasses say what chance is."""

    weights: Distance | None = None
    distance: Distance | None = None

    data: ClassVar[str] = "items"
    default_interval: ClassVar[str] = "linearised"
    chance_from_annotators: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.weights is not None and self.distance is not None:
            raise SpecError(f"{self.name}: give weights or a distance, not both")
        if self.weights is not None:
            object.__setattr__(self, "weights", weights(self.weights))
        if self.distance is not None:
            object.__setattr__(self, "distance", distance(self.distance))

    @property
    def metric(self) -> Distance:
        return self.weights or self.distance or Nominal()

    @property
    def by_order(self) -> bool:
        return self.metric.uses_order

    # -- the two methods of every measure ------------------------------------------------------------------------

    def observe(self, data: Ratings, run: Run | None = None) -> ItemEvidence:  # noqa: ARG002
        if not isinstance(data, Ratings):
            raise DataError(f"{self.name} is for labels of items, and these are {kind_of(data)}; {_INSTEAD}")
        _comparable(data)
        if self.metric.needs_numbers:
            _numbers_only(data, self.metric)
        return ItemEvidence.of(data, self.metric)

    def estimate(self, evidence: ItemEvidence) -> Score:
        return chance_corrected(
            str(self),
            disagreement=self.disagreement(evidence),
            chance=self.chance(evidence),
            scale=evidence.space.scale,
            reason=self.reason(evidence),
            n=int(evidence.paired.sum()),
            parts=self.parts(evidence),
        )

    # -- what a coefficient is made of ---------------------------------------------------------------------------

    def disagreement(self, evidence: ItemEvidence) -> float:
        """D_o: the mean over items of the mean distance between two labels."""
        return float(evidence.paired @ evidence.within / evidence.paired.sum())

    def chance(self, evidence: ItemEvidence) -> float:
        """D_e: the distance expected by chance."""
        raise NotImplementedError

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:
        """The part of each row in D_e, linearised: its mean over rows is D_e."""
        raise NotImplementedError

    def reason(self, evidence: ItemEvidence) -> str | None:
        """Why these data cannot carry the coefficient, or None."""
        if self.chance_from_annotators and not evidence.rows.identified:
            return "the table does not say whose labels they are"
        if evidence.paired.sum() < 2:
            return "only one item has two labels or more"
        drawn = np.flatnonzero(self.drawn_by_chance(evidence))
        if not evidence.space.differ(drawn):
            if len(drawn) == 1:
                name = quoted(label_name(evidence.rows.categories[int(drawn[0])]))
                return f"only one category occurs ({name}): chance alone agrees perfectly, 0/0"
            return "the categories that occur are no distance apart: chance alone agrees perfectly, 0/0"
        return None

    def drawn_by_chance(self, evidence: ItemEvidence) -> Floats:
        """The categories that chance draws from: a number above 0 for each."""
        return weighted_counts(evidence.rows.label, evidence.labelled, evidence.rows.item, evidence.q)

    def contributions(self, evidence: ItemEvidence) -> Contributions:
        """κ*_i of Gwet's linearisation, for each row."""
        observed, expected = self.disagreement(evidence), self.chance(evidence)
        n, paired = evidence.labelled.sum(), evidence.paired.sum()
        own = np.where(evidence.sizes > 1, n / paired * (1.0 - evidence.within / expected), 0.0)
        by_row = self.chance_by_row(evidence, expected)
        return Contributions(own - 2 * observed / expected * (1.0 - by_row / expected), evidence.labelled)

    # -- explanations --------------------------------------------------------------------------------------------

    def parts(self, evidence: ItemEvidence) -> Mapping[str, Mapping[str, Score]]:
        from accord.measures.items.breakdown import breakdown

        names = ("category", "annotator", "pair", "item") if evidence.rows.identified else ("category", "item")
        return Parts(names, partial(breakdown, self, evidence))

    def explain(self, evidence: ItemEvidence, score: Score) -> dict[str, Any]:
        """Facts that a reader of the score wants: counts, disagreements, the matrix."""
        rows, scale = evidence.rows, evidence.space.scale
        facts: dict[str, Any] = {
            "items": rows.n_items,
            "items_compared": rows.n_pairable,
            "ratings": rows.n_ratings,
            "annotators": rows.n_annotators if rows.identified else None,
            "categories": len(rows.categories),
            "distance": str(self.metric),
        }
        if score.observed is not None and score.expected is not None:
            facts["observed_disagreement"] = (1.0 - score.observed) * scale
            facts["expected_disagreement"] = (1.0 - score.expected) * scale
        if self.metric.uses_order and rows.categories.guessed_order:
            facts["order_by_name"] = list(rows.categories.names)
        if evidence.q <= WIDEST_MATRIX:
            facts["matrix"] = _matrix(evidence)
        return facts


def confusion_matrix(evidence: ItemEvidence) -> Floats:
    """Of two annotators, on the items that both labelled: a row per category of the first."""
    rows, q = evidence.rows, evidence.q
    _, labels = rows.by_annotator
    both = (labels >= 0).all(axis=0)
    cells = np.bincount(labels[0, both] * q + labels[1, both], weights=evidence.times[both], minlength=q * q)
    return cells.reshape(q, q).astype(np.float64)


def coincidence_matrix(evidence: ItemEvidence) -> Floats:
    """o_ck: every two labels of an item in both orders, each item with the weight of its labels."""
    rows, q = evidence.rows, evidence.q
    weights = evidence.paired / np.maximum(evidence.sizes - 1, 1)
    total, at = np.zeros((q, q)), 0
    for counts in counts_by_row(rows.item, rows.label, evidence.sizes, q):
        weight = weights[at : at + len(counts)]
        total += (counts * weight[:, None]).T @ counts - np.diag(weight @ counts)
        at += len(counts)
    return total


def _matrix(evidence: ItemEvidence) -> dict[str, Any]:
    """The confusion matrix of two annotators, the coincidence matrix of more."""
    rows = evidence.rows
    categories = list(rows.categories.names)
    if rows.identified and rows.n_annotators == 2:
        first, second = (rows.annotators[g] for g in np.flatnonzero(rows.labels_per_annotator))
        counts = confusion_matrix(evidence).tolist()
        return {"kind": "confusion", "rows": first, "columns": second, "categories": categories, "counts": counts}
    return {"kind": "coincidence", "categories": categories, "counts": coincidence_matrix(evidence).tolist()}


def _comparable(ratings: Ratings) -> None:
    """Nothing to compare is an error, not a number."""
    if len(ratings) == 0:
        raise DataError("there are no labels: all are missing or were left out")
    if ratings.identified and ratings.n_annotators < 2:
        only = ratings.annotators[int(np.argmax(ratings.labels_per_annotator))]
        raise DataError(f"only one annotator ({quoted(only)}): agreement needs two at least")
    if ratings.n_pairable == 0:
        raise DataError("no two annotators labelled the same item: there is nothing to compare")


def _numbers_only(ratings: Ratings, metric: Distance) -> None:
    if np.abs(ratings.categories.values).max(initial=0.0) > _LARGEST_NUMBER:
        raise DataError(f"numbers beyond {_LARGEST_NUMBER:g} cannot be squared: rescale them")
    words = np.isnan(ratings.categories.values)
    if not words.any():
        return
    found = np.flatnonzero(words[ratings.label])
    if not len(found):
        label = ratings.categories.names[int(np.argmax(words))]
        raise DataError(
            f"the declared category {quoted(label)} is not a number, and the {metric.name} distance needs numbers"
        )
    entry = int(found[0])
    label = label_name(ratings.categories[int(ratings.label[entry])])
    raise DataError(
        f"{ratings.place(entry)}: label {quoted(label)} is not a number, and the {metric.name} distance needs numbers; "
        f"say --missing {quoted(label)} if it means nothing, or use ordinal or nominal"
    )
