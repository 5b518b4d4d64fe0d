"""Intervals for coefficients on items where the linearised interval is too short.

The linearised error reflects the observed disagreement only. With two labels of a rare category it is far too small,
and without any disagreement it is 0, so that the interval shrinks to a point. The `added` interval adds pseudo-items
before it computes the error, as Agresti and Coull do for a proportion: one for every ordered pair of observed
categories, with a total weight of two items. It also reduces the degrees of freedom of the t distribution to the
effective number of items that contribute to the error, plus one. docs/coverage.md compares the coverage.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from accord.core.errors import counted, quoted
from accord.core.result import Score
from accord.data.model.labels import label_name
from accord.measures.distances import Nominal
from accord.measures.intervals.cases import Case, NotHere, by_t, short_of_data
from accord.measures.intervals.resampled import FEW, by_percentiles, defined_values
from accord.measures.measure import WIDEST_MATRIX, Measure

ADDED = 2.0  # items
ENOUGH = 10.0  # effective number of items in the error; below this, linearised intervals are too short
FEW_LABELS = 5
BESIDE = 15.0  # labels outside the commonest category, divided by labels per item; below this, a category may be rare
# Coverage of 95% intervals in the simulations of docs/coverage.md.
_COVERAGE = "in simulations, such intervals covered the true value in 93% to 100% of runs"
_COVERAGE_OF_CARRIED = "in simulations, such intervals covered the true value in 84% to 97% of runs"
_USUAL, _TRIED = 0.95, 10  # the level and the smallest number of items in the simulations


def added(case: Case) -> Score:
    """Return the t interval after adding pseudo-items, widened if necessary to contain the value."""
    spread = case.measure.contributions(case.evidence)
    check_can_be_added(case.evidence)
    more = case.evidence.with_pairs(ADDED, case.measure.chance_from_annotators)
    moved = case.measure.contributions(more)
    assert spread is not None and moved is not None  # noqa: PT018
    # `se` and `p` belong to the value without pseudo-items; `details["added"]` has the basis of the interval.
    plain = by_t(case, spread.variance_of_mean(), spread.n - 1)
    centre = replace(case.score, value=case.measure.value_of(more))
    df = degrees(moved.carriers, spread.n)
    wide = by_t(replace(case, score=centre), moved.variance_of_mean(), df)
    if wide.interval is None or np.isnan(wide.value):
        raise NotHere("the value is undefined after adding pseudo-items")
    low, high = min(wide.interval.low, case.score.value), max(wide.interval.high, case.score.value)
    facts = {"items": ADDED, "value": wide.value, "se": wide.se, "df": df}
    found = replace(
        plain,
        interval=case.interval(low, high),
        details={**plain.details, "added": facts, "carriers": moved.carriers},
    )
    few = moved.carriers < ENOUGH or plain.se == 0
    tried = case.settings.level == _USUAL and float(case.evidence.paired.sum()) >= _TRIED
    return short_of_data(found, _too_few(case.evidence), _COVERAGE if tried else "") if few else found


def carried(case: Case) -> Score:
    """Return the linearised interval with the degrees of freedom reduced to the effective number of items."""
    spread = case.measure.contributions(case.evidence)
    assert spread is not None
    found = by_t(case, spread.variance_of_mean(), degrees(spread.carriers, spread.n))
    found = replace(found, details={**found.details, "carriers": spread.carriers})
    if spread.carriers >= ENOUGH:
        return found
    tried = case.settings.level == _USUAL and not isinstance(case.evidence.distance, Nominal)
    coverage = _COVERAGE_OF_CARRIED if tried else ""
    concentrated = f"disagreement is concentrated in about {spread.carriers:.0f} of {round(spread.n):,} items"
    return short_of_data(found, f"{concentrated}: the interval may be too short", coverage)


def instead(case: Case, error: float) -> Score | None:
    """Return a replacement for the linearised interval where it is too short, or None where it is adequate.

    With a graded distance, pseudo-items are added only if the error is 0 or a category is rare.
    """
    needed = error == 0 or _beside(case.evidence) < BESIDE
    if can_be_added(case.measure, case.evidence) or (needed and _fits(case.evidence)):
        found = added(replace(case, settings=replace(case.settings, method="added")))
    else:
        found = carried(replace(case, settings=replace(case.settings, method="carried")))
    return found if error == 0 or found.details["carriers"] < ENOUGH else None


def _beside(evidence: Any) -> float:
    """Return the number of labels outside the commonest category, divided by the usual number of labels per item."""
    marginals = evidence.pairable_marginals
    return float(marginals.sum() - marginals.max()) / evidence.usual_size


def degrees(carriers: float, n: float) -> float:
    """Return the degrees of freedom for an error with this effective number of items."""
    return max(1.0, min(carriers + 1.0, n - 1.0))


def can_be_added(measure: Measure, evidence: Any) -> bool:
    """Return whether pseudo-items suit the data: a nominal distance and a moderate number of categories.

    With a graded distance, random pairs of labels would be too far apart.
    """
    return measure.on_items and isinstance(evidence.distance, Nominal) and _fits(evidence)


def check_can_be_added(evidence: Any) -> None:
    if not _fits(evidence):
        raise NotHere(f"it needs 2 to {WIDEST_MATRIX} categories with labels")


def _fits(evidence: Any) -> bool:
    return 2 <= int((evidence.pairable_marginals > 0).sum()) <= WIDEST_MATRIX


def _too_few(evidence: Any) -> str:
    """Return a note about which number is too small and its effect on the interval."""
    marginals, categories = evidence.pairable_marginals, evidence.rows.categories
    used = np.flatnonzero(marginals)
    rarest = used[int(np.argmin(marginals[used]))]
    n = round(float(evidence.paired.sum()))
    if float(evidence.paired @ evidence.within) == 0:
        return (
            f"annotators agree on all {counted(n, 'item')}, but the true value may be below 1: the interval is widened"
        )
    if n < FEW:
        return f"only {counted(n, 'item')}: the interval is widened"
    if not isinstance(evidence.distance, Nominal):  # grades and numbers are no categories to name
        labels = counted(round(float(marginals.sum())), "label")
        return f"only {counted(n, 'item')} with {labels}: the interval is widened"
    if marginals[rarest] < FEW_LABELS:
        name = quoted(label_name(categories[int(rarest)]))
        many = counted(round(float(marginals[rarest])), "label")
        return f"category {name} has only {many}: the interval is widened"
    common = quoted(label_name(categories[int(np.argmax(marginals))]))
    other = round(float(marginals.sum() - marginals.max()))
    return f"only {counted(other, 'label')} other than {common}: the interval is widened"


def dirichlet(case: Case) -> Score:
    """Return percentiles of the value under a Dirichlet posterior of the rows.

    The prior consists of pseudo-items with a total weight of two, in equal parts for each ordered pair of observed
    categories. Without it, unobserved rows would have probability 0, and perfect agreement would be certain.
    """
    check_can_be_added(case.evidence)
    more = case.evidence.with_pairs(ADDED, case.measure.chance_from_annotators)
    there = more.in_order[more.times[more.in_order] > 0]
    rng, replicates, n = case.run.rng(10), case.settings.replicates, float(case.evidence.times.sum())
    values = np.empty(replicates)
    for k in range(replicates):
        if k % 50 == 0:
            case.run.progress("dirichlet", k, replicates)
        times = np.zeros(len(more.times))
        times[there] = rng.standard_gamma(more.times[there])
        values[k] = case.measure.value_of(more.weighted(n * times / times.sum()))
    case.run.progress("dirichlet", replicates, replicates)
    facts = {"replicates": replicates, "added": ADDED}
    return by_percentiles(case, defined_values(values), case.tails, {"dirichlet": facts})
