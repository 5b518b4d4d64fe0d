"""Common parts of the coefficients on items: 1 − D_o/D_e, its linearisation, and resampling."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, quoted
from accord.core.result import Parts, Score, chance_corrected
from accord.data.kinds import ITEMS
from accord.data.model.labels import Categories, Numbers, label_name
from accord.data.model.ratings import Ratings
from accord.measures.distances import Distance, Nominal, distance, weights
from accord.measures.distances.spaces import check_squarable
from accord.measures.items.breakdown import break_down
from accord.measures.items.crowds import without_each
from accord.measures.items.evidence import ItemEvidence, SampledItems, Table, Tables
from accord.measures.items.permutation import deal_labels, labels_to_deal
from accord.measures.measure import WIDEST_MATRIX, Measure, check_kind
from accord.measures.resampling import Contributions, Sampled

_SHARE = 0.8  # smallest share of the most common category at which prevalence is reported
_FAR = 0.3  # smallest difference between observed agreement and the value for this report
_ALL = 0.995  # a maximum κ above this is not reported


@dataclass(frozen=True, repr=False)
class ItemMeasure(Measure):
    """A coefficient on items. Subclasses define the expected disagreement."""

    weights: Distance | None = None
    distance: Distance | None = None

    data: ClassVar[str] = "items"
    unnamed: ClassVar[tuple[str, ...] | None] = ("weights",)
    default_interval: ClassVar[str] = "linearised"
    on_items: ClassVar[bool] = True
    paired_only: ClassVar[bool] = False  # labels of items with one label do not count, not even by chance

    def __post_init__(self) -> None:
        if self.weights is not None and self.distance is not None:
            raise SpecError(
                "measure-option", f"{self.name}: weights and distance exclude each other; remove one of them"
            )
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

    @property
    def by_degrees(self) -> bool:
        return self.weights is not None or self.distance is not None

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        name = "distance" if self.weights is None else "weights"
        return tuple((replace(self, **{name: other}), why) for other, why in self.metric.conventions())

    # -- required methods -----------------------------------------------------------------------------------------

    def observe(self, data: Ratings, run: Run | None = None) -> ItemEvidence:  # noqa: ARG002
        check_kind(self.name, ITEMS, data)
        _comparable(data)
        if self.metric.needs_numbers:
            _numbers_only(data, self.metric)
        return ItemEvidence.of(data, self._metric_on(data))

    def _metric_on(self, data: Ratings) -> Distance:
        """Return the metric; if items with one label do not count, their labels do not set its range."""
        if not (self.paired_only and self.metric.uses_range):
            return self.metric
        compared = np.zeros(len(data.categories), dtype=bool)
        compared[data.label[data.sizes[data.item] > 1]] = True
        return self.metric.on(data.categories, compared)

    def estimate(self, evidence: ItemEvidence) -> Score:
        return chance_corrected(
            str(self),
            disagreement=self.disagreement(evidence),
            chance=float(self.chance(evidence)),
            scale=evidence.space.scale,
            reason=self.reason(evidence),
            n=int(evidence.paired.sum()),
            parts=self.parts(evidence),
        )

    # -- terms of a coefficient, for one table or for many at once --------------------------------------------------

    def disagreement(self, table: Table) -> Any:
        """Return D_o: the mean over items of the mean distance between two labels."""
        return table.over_items

    def chance(self, table: Table) -> Any:
        """Return D_e: the distance expected by chance."""
        raise NotImplementedError

    def drawn_by_chance(self, table: Table) -> Floats:
        """Return a positive number for each category that chance draws from."""
        return table.given

    def values_of(self, tables: Tables) -> tuple[Floats, Floats, Floats]:
        """Return value, observed and expected agreement of many tables, as `estimate` does for one."""
        disagreement, chance = self.disagreement(tables), self.chance(tables)
        defined = (tables.n >= 2) & (chance > 0) & tables.differ(self.drawn_by_chance(tables))
        value = 1.0 - np.divide(disagreement, chance, out=np.full(len(tables.n), np.nan), where=defined)
        return value, 1.0 - disagreement / tables.scale, 1.0 - chance / tables.scale

    def chance_by_row(self, evidence: ItemEvidence, chance: float) -> Floats:
        """Return the linearised contribution of each row to D_e; the mean over rows is D_e."""
        raise NotImplementedError

    def reason(self, evidence: ItemEvidence) -> str | None:
        """Return why the coefficient is undefined on these data; None if it is defined."""
        if self.chance_from_annotators and not evidence.rows.identified:
            return "the table does not identify the annotators"
        if evidence.paired.sum() < 2:
            return "only one item has two labels or more"
        drawn = np.flatnonzero(self.drawn_by_chance(evidence) > 0)
        if not evidence.space.differ(drawn):
            if len(drawn) == 1:
                name = quoted(label_name(evidence.rows.categories[int(drawn[0])]))
                return f"only one category occurs ({name}), so expected agreement is 1 (0/0)"
            return "all categories that occur have distance 0, so expected agreement is 1 (0/0)"
        return None

    def without_each_annotator(self, evidence: ItemEvidence, run: Run) -> Floats:
        return without_each(self, evidence, run)

    def linearised(self, evidence: ItemEvidence) -> Contributions:
        """Return κ*_i of Gwet's linearisation for each row."""
        observed, expected = self.disagreement(evidence), self.chance(evidence)
        n, paired = evidence.labelled.sum(), evidence.paired.sum()
        own = np.where(evidence.sizes > 1, n / paired * (1.0 - evidence.within / expected), 0.0)
        by_row = self.chance_by_row(evidence, expected)
        return Contributions(own - 2 * observed / expected * (1.0 - by_row / expected), evidence.labelled)

    # -- inference ------------------------------------------------------------------------------------------------

    def value_of(self, evidence: ItemEvidence) -> float:
        return super().value_of(evidence) if evidence.paired.any() else math.nan

    def sampled(self, evidence: ItemEvidence, run: Run, named: bool = True) -> Sampled:  # noqa: ARG002
        """Return items by name, or their distinct rows, which are far fewer."""
        rows = evidence.by_item if named else evidence
        labels = len(evidence.source.label)
        return SampledItems(rows.rows.items, rows.times, self.each(rows), "item", labels=labels, evidence=rows)

    def contributions(self, evidence: ItemEvidence, named: bool = False) -> Contributions:
        return self.linearised(evidence.by_item if named else evidence)

    def expected_disagreement(self, evidence: ItemEvidence) -> float:
        return float(self.chance(evidence))

    def distances(self, evidence: ItemEvidence) -> Floats | None:
        return None if evidence.q > WIDEST_MATRIX else evidence.distances() / (evidence.space.scale or 1.0)

    def labels_to_deal(self, evidence: ItemEvidence) -> int | None:
        return labels_to_deal(evidence) if self.data == ITEMS.name else None  # positions of a text are not exchangeable

    def dealt(self, evidence: ItemEvidence, many: int, run: Run) -> Floats:
        deals = deal_labels(evidence, many, run)
        return np.asarray(1.0 - self.disagreement(deals) / self.chance(deals))

    # -- explanations --------------------------------------------------------------------------------------------

    def parts(self, evidence: ItemEvidence) -> Mapping[str, Mapping[str, Score]]:
        names = ("category", "annotator", "pair", "item") if evidence.rows.identified else ("category", "item")
        return Parts(names, partial(self.breakdown, evidence))

    def breakdown(self, evidence: ItemEvidence, by: str) -> Mapping[str, Score]:
        """Return the coefficient by category, annotator, pair of annotators or item."""
        return break_down(self, replace(self, weights=None, distance=None), evidence, by)

    def explain(self, evidence: ItemEvidence, score: Score) -> dict[str, Any]:
        """Return the details of a score: counts, disagreements, the matrix."""
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
            facts["matrix"] = evidence.matrix()
            pressed = find_prevalence(evidence, score) if self.by_shares and self.metric == Nominal() else None
            if pressed is not None:
                facts |= {"prevalence": pressed, "notes": [prevalence_in_words(pressed)]}
        return facts


def _comparable(ratings: Ratings) -> None:
    """Raise DataError if there is nothing to compare."""
    if len(ratings) == 0:
        raise DataError(
            "nothing-annotated",
            "there are no labels: all cells are empty, or all labels were excluded; check the data, --missing, --only",
        )
    _alike(ratings.categories)
    if ratings.identified and ratings.n_annotators < 2:
        only = ratings.annotators[int(np.argmax(ratings.labels_per_annotator))]
        raise DataError(
            "annotators-needed",
            f"only one annotator ({quoted(only)}), but agreement needs at least two; extend --annotators (if "
            "given), name the column of the annotators with --annotator, or add the file of another annotator",
        )
    if ratings.n_pairable == 0:
        raise DataError(
            "nothing-shared",
            "no two annotators labelled the same item; check that item names match, or name their column with --item",
        )


def _alike(categories: Categories) -> None:
    """Raise DataError if a label is a number in some places and text in others: 1 and "1" never agree."""
    if isinstance(categories.labels, Numbers) or not any(isinstance(label, str) for label in categories.labels):
        return
    numbers = {label_name(label) for label in categories.labels if isinstance(label, int | float)}
    both = next((label for label in categories.labels if isinstance(label, str) and label in numbers), None)
    if both is not None:
        raise DataError(
            "invalid-label",
            f"label {both} is a number in some places and text in others, and these never agree; convert all labels to "
            "numbers, or all to text",
        )


def _numbers_only(ratings: Ratings, metric: Distance) -> None:
    words = np.isnan(ratings.categories.values)
    check_squarable(ratings.categories.values[~words])
    if not words.any():
        return
    found = np.flatnonzero(words[ratings.label])
    if not len(found):
        label = ratings.categories.names[int(np.argmax(words))]
        raise DataError(
            "not-a-number",
            f"the declared category {quoted(label)} is not a number, but the {metric.name} distance needs numbers; "
            "remove the category, or use ordinal or nominal",
        )
    entry = int(found[0])
    label = label_name(ratings.categories[int(ratings.label[entry])])
    raise DataError(
        "not-a-number",
        f"{ratings.place(entry)}: label {quoted(label)} is not a number, but the {metric.name} distance needs numbers; "
        f"use --missing {quoted(label)} if it means a missing label, or use ordinal or nominal",
    )


# -- prevalence: if one category has nearly all labels, the expected agreement of π, κ and α is close to 1 --------


def find_prevalence(evidence: ItemEvidence, score: Score) -> dict[str, Any] | None:
    """Return agreement by category and the maximum κ with these shares; None if prevalence does not lower the value."""
    marginals = evidence.pairable_marginals
    top = int(np.argmax(marginals))
    share = float(marginals[top] / marginals.sum())
    if score.observed is None or not share >= _SHARE or not score.observed - score.value >= _FAR:
        return None
    names = [label_name(category) for category in evidence.rows.categories]
    used = np.flatnonzero(marginals)
    agreement = np.diag(evidence.coincidences())[used] / marginals[used]
    return {
        "commonest": names[top],
        "share": share,
        "agreement": {names[k]: float(a) for k, a in zip(used, agreement, strict=True)},
        "kappa_max": _largest(evidence),
    }


def prevalence_in_words(facts: dict[str, Any]) -> str:
    """Describe the share, agreement on the most common and the worst category, and the maximum κ in one line."""
    worst = min(facts["agreement"], key=facts["agreement"].__getitem__)
    shown = dict.fromkeys([facts["commonest"], worst])
    each = ", ".join(f"on {quoted(name)} {facts['agreement'][name]:.3f}" for name in shown)
    largest = facts["kappa_max"]
    most = "" if largest is None or largest > _ALL else f"; the maximum kappa with these shares is {largest:.3f}"
    return f"{facts['share']:.0%} of the labels are {quoted(facts['commonest'])}: agreement {each}{most}"


def _largest(evidence: ItemEvidence) -> float | None:
    """Return κ of two annotators who agree as often as their shares allow."""
    rows = evidence.rows
    if not rows.identified or rows.n_annotators != 2:
        return None
    table = evidence.confusion()
    n = table.sum()
    first, second = table.sum(axis=1) / n, table.sum(axis=0) / n
    expected = float(first @ second)
    return (float(np.minimum(first, second).sum()) - expected) / (1 - expected) if expected < 1 else None
