"""Two items added: an interval for coefficients on items that holds where few items carry the error.

The linearised error sees only what the sample shows. With two labels of a rare category it shows next to nothing, and
with no disagreement nothing at all: the interval shrinks to a point. Here items of no opinion are added before the
error is computed, as Agresti and Coull do for a share: one for every ordered pair of the categories that occur, and all
of them together count as two items. And an error that five items carry is known no better than from five: the t
distribution has as many degrees of freedom as there are items that carry it, and one. docs/coverage.md compares.
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
ENOUGH = 10.0  # items that carry the error; below, linearised intervals are too short: docs/coverage.md
FEW_LABELS = 5
BESIDE = 15.0  # items' worth of labels beside the commonest category: below, a category may be rare
_HELD = "simulated, such intervals hold the truth 93 to 100 times in 100"  # at 95%

_HELD_BY_FEW = "simulated, such intervals hold the truth 84 to 97 times in 100"
_USUAL, _TRIED = 0.95, 10  # the level, and the fewest items, of the simulations


def added(case: Case) -> Score:
    """Value and error with the added items, ± t; widened to the value itself where that lies outside."""
    spread = case.measure.contributions(case.evidence)
    check_can_be_added(case.evidence)
    more = case.evidence.with_pairs(ADDED, case.measure.chance_from_annotators)
    moved = case.measure.contributions(more)
    assert spread is not None and moved is not None  # noqa: S101, PT018 - measures without are turned away before
    # The error and p are those of the value as it is; what the interval is made of is in `details["added"]`.
    plain = by_t(case, spread.variance_of_mean(), spread.n - 1)
    centre = replace(case.score, value=case.measure.value_of(more))
    df = degrees(moved.carriers, spread.n)
    wide = by_t(replace(case, score=centre), moved.variance_of_mean(), df)
    if wide.interval is None or np.isnan(wide.value):
        raise NotHere("the value is undefined with the added items")
    low, high = min(wide.interval.low, case.score.value), max(wide.interval.high, case.score.value)
    facts = {"items": ADDED, "value": wide.value, "se": wide.se, "df": df}
    found = replace(
        plain,
        interval=case.interval(low, high),
        details={**plain.details, "added": facts, "carriers": moved.carriers},
    )
    few = moved.carriers < ENOUGH or plain.se == 0
    return short_of_data(found, few_labels(case.evidence, case.settings.level)) if few else found


def carried(case: Case) -> Score:
    """The linearised interval, with degrees of freedom by the items that carry its error."""
    spread = case.measure.contributions(case.evidence)
    assert spread is not None  # noqa: S101 - measures without are turned away before
    found = by_t(case, spread.variance_of_mean(), degrees(spread.carriers, spread.n))
    found = replace(found, details={**found.details, "carriers": spread.carriers})
    if spread.carriers >= ENOUGH:
        return found
    tried = case.settings.level == _USUAL and not isinstance(case.evidence.distance, Nominal)
    often = _HELD_BY_FEW if tried else "the interval is often too short"
    return short_of_data(found, f"few items carry the error, {spread.carriers:.1f} of {round(spread.n):,}; {often}")


def instead(case: Case, error: float) -> Score | None:
    """The interval that holds where the linearised one, with this error, does not; None where it does.

    Where a distance has degrees, items are added only if they have to be: no error is seen, or a category is rare.
    """
    needed = error == 0 or _beside(case.evidence) < BESIDE
    if can_be_added(case.measure, case.evidence) or (needed and _fits(case.evidence)):
        found = added(replace(case, settings=replace(case.settings, method="added")))
    else:
        found = carried(replace(case, settings=replace(case.settings, method="carried")))
    return found if error == 0 or found.details["carriers"] < ENOUGH else None


def _beside(evidence: Any) -> float:
    """Labels other than the commonest one, in items' worth of labels."""
    marginals = evidence.pairable_marginals
    return float(marginals.sum() - marginals.max()) / evidence.usual_size


def degrees(carriers: float, n: float) -> float:
    """Of freedom, for an error that so many of n items carry."""
    return max(1.0, min(carriers + 1.0, n - 1.0))


def can_be_added(measure: Measure, evidence: Any) -> bool:
    """Whether items of no opinion go with the data: labels of some categories, and either the same or not.

    Where a distance has degrees, labels at random are far too far apart.
    """
    return measure.on_items and isinstance(evidence.distance, Nominal) and _fits(evidence)


def check_can_be_added(evidence: Any) -> None:
    if not _fits(evidence):
        raise NotHere(f"it is made for 2 to {WIDEST_MATRIX} categories that occur")


def _fits(evidence: Any) -> bool:
    return 2 <= int((evidence.pairable_marginals > 0).sum()) <= WIDEST_MATRIX


def few_labels(evidence: Any, level: float) -> str:
    """One line with the number that is too small, and what that does to the interval."""
    tried = level == _USUAL and float(evidence.paired.sum()) >= _TRIED
    held = f" ({_HELD})" if tried else ""
    return f"{_too_few(evidence)}; the interval is wide for lack of data{held}"


def _too_few(evidence: Any) -> str:
    marginals, categories = evidence.pairable_marginals, evidence.rows.categories
    used = np.flatnonzero(marginals)
    rarest = used[int(np.argmin(marginals[used]))]
    n = round(float(evidence.paired.sum()))
    if float(evidence.paired @ evidence.within) == 0:
        return f"no two labels of an item differ in {counted(n, 'item')}: that the true value is 1 does not follow"
    if marginals[rarest] < FEW_LABELS:
        name = quoted(label_name(categories[int(rarest)]))
        items = f"{counted(n, 'item')}, and " if n < FEW else ""
        many = counted(round(float(marginals[rarest])), "label")
        return f"{items}the category {name} has {many}: too few to say how well annotators agree on it"
    common = quoted(label_name(categories[int(np.argmax(marginals))]))
    other = round(float(marginals.sum() - marginals.max()))
    return f"{counted(n, 'item')}, {counted(other, 'label')} other than {common}"


def dirichlet(case: Case) -> Score:
    """Percentiles of the value under a Dirichlet posterior of the rows.

    What is believed beforehand are two items of no opinion, in equal parts for each ordered pair of the categories that
    occur: without them, rows that were not seen could not be, and perfect agreement would be certain.
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
