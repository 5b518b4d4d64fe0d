"""Two items added: an interval for coefficients on items that holds where some category is rare, or items are few.

The linearised error sees only what the sample shows. With two labels of a rare category it shows next to nothing, and
with no disagreement nothing at all: the interval shrinks to a point. Here items of no opinion are added before the
error is computed, as Agresti and Coull do for a share: one for every ordered pair of the categories that occur, and all
of them together count as two items. docs/coverage.md compares.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from accord.errors import counted, quoted
from accord.inference.intervals.cases import Case, NotHere, by_t, noted
from accord.inference.intervals.resampled import FEW
from accord.measures.base import WIDEST_MATRIX
from accord.model.labels import label_name
from accord.result import Score

ADDED = 2.0  # items
ENOUGH = 15.0  # items' worth of labels beside the commonest category; below, linearised intervals are too short
FEW_LABELS = 5


def added(case: Case) -> Score:
    """Value and error with the added items, ± t; widened to the value itself where that lies outside."""
    spread = case.measure.contributions(case.evidence)
    if not _can_be_added(case.evidence):
        raise NotHere(f"it is made for 2 to {WIDEST_MATRIX} categories that occur")
    more = case.evidence.with_pairs(ADDED)
    moved = case.measure.contributions(more)
    assert spread is not None and moved is not None  # noqa: S101, PT018 - measures without are turned away before
    # The error and p are those of the value as it is; what the interval is made of is in `details["added"]`.
    plain = by_t(case, spread.variance_of_mean(), spread.n - 1)
    centre = replace(case.score, value=case.measure.value_of(more))
    wide = by_t(replace(case, score=centre), moved.variance_of_mean(), spread.n - 1)
    if wide.interval is None or np.isnan(wide.value):
        raise NotHere("the value is undefined with the added items")
    low, high = min(wide.interval.low, case.score.value), max(wide.interval.high, case.score.value)
    facts = {"items": ADDED, "value": wide.value, "se": wide.se}
    found = replace(
        plain,
        interval=case.interval(low, high),
        details={**plain.details, "added": facts},
    )
    why = few_labels(case.evidence)
    return found if why is None else noted(found, why)


def too_few_labels(evidence: Any, error: float) -> bool:
    """Whether the linearised interval cannot be trusted: little beside the commonest category, or no error at all."""
    marginals = evidence.pairable_marginals
    if not _can_be_added(evidence):
        return False
    beside = float(marginals.sum() - marginals.max()) / evidence.usual_size
    return beside < ENOUGH or error == 0


def _can_be_added(evidence: Any) -> bool:
    return 2 <= int((evidence.pairable_marginals > 0).sum()) <= WIDEST_MATRIX


def few_labels(evidence: Any) -> str | None:
    """One line with the number that is too small, or None."""
    marginals, categories = evidence.pairable_marginals, evidence.rows.categories
    used = np.flatnonzero(marginals)
    rarest = used[int(np.argmin(marginals[used]))]
    n = round(float(evidence.paired.sum()))
    if marginals[rarest] < FEW_LABELS:
        name, many = (
            quoted(label_name(categories[int(rarest)])),
            counted(round(float(marginals[rarest])), "label"),
        )
        items = f"{counted(n, 'item')}, and " if n < FEW else ""
        return f"{items}the category {name} has {many}: too few to say how well annotators agree on it"
    if float(evidence.paired @ evidence.within) == 0:
        return f"no two labels of an item differ in {n} items: that the true value is 1 does not follow"
    common = quoted(label_name(categories[int(np.argmax(marginals))]))
    other = round(float(marginals.sum() - marginals.max()))
    return f"{counted(n, 'item')}, {counted(other, 'label')} other than {common}: the interval is wide for lack of data"
