"""A Bayesian interval for coefficients on items: the shares of distinct rows of labels, drawn from their posterior."""

from __future__ import annotations

import numpy as np

from accord.core.result import Score
from accord.measures.intervals.added import ADDED, check_can_be_added
from accord.measures.intervals.cases import Case
from accord.measures.intervals.resampled import by_percentiles, defined_values


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
