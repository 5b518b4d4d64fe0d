"""p of no agreement by permutation: the labels of each annotator are dealt anew over the items that were compared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from accord.core.context import Run
from accord.core.result import Score
from accord.measures.base import Measure
from accord.measures.intervals.cases import SAME
from accord.measures.intervals.methods import Settings

_MANY = 999  # permutations, where nobody asks for them
_LARGEST = 10**7  # labels that are dealt without being asked for: less than a second


def with_permutation(score: Score, measure: Measure, evidence: Any, settings: Settings, run: Run) -> Score:
    """By permutation where that is asked for; or where nobody named an interval or a value, no formula holds, and
    it is quick. Else p as it was.
    """
    asked = settings.by_permutation
    if score.undefined is not None or not (asked or (settings.method == "default" and settings.null is None)):
        return score
    labels = measure.labels_to_deal(evidence)
    if labels is None:
        return _without(score) if asked else score
    if not asked and ("test" in score.details or labels * _MANY > _LARGEST):
        return score
    many = settings.replicates if asked else _MANY
    return _tested(score, measure.dealt(evidence, many, run))


def _tested(score: Score, values: np.ndarray[Any, np.dtype[np.float64]]) -> Score:
    """The observed value is the first; it counts among those that chance gives, so p is never 0."""
    found, by_chance = float(values[0]), values[1:]
    many, mean = len(by_chance), float(by_chance.mean())
    above = (1 + int((by_chance >= found - SAME).sum())) / (1 + many)
    below = (1 + int((by_chance <= found + SAME).sum())) / (1 + many)
    p = min(1.0, 2 * min(above, below))
    test = {"of": None, "by": f"{many:,} permutations", "permutations": many, "mean": mean, "one_sided": above}
    return replace(score, p=p, details={**score.details, "test": test})


def _without(score: Score) -> Score:
    test = {"of": None, "by": "permutations are for coefficients on items that correct for chance"}
    return replace(score, p=None, details={**score.details, "test": test})
