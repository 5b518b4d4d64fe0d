"""z-tests: is agreement better than chance? Of K for a fixed number of labels per item, of κ for two annotators."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from accord.core.probability import normal_below
from accord.measures.distances import Nominal
from accord.measures.items.evidence import ItemEvidence
from accord.measures.measure import WIDEST_MATRIX


def null_error_of_kappa(evidence: ItemEvidence) -> float | None:
    """Fleiss, Cohen & Everitt 1969: the error of (weighted) κ where two annotators agree by chance alone.

    None where the formula does not hold: more annotators, items with one label, or too many categories for a table.
    """
    whole = (evidence.sizes[evidence.labelled > 0] == 2).all()
    if not evidence.rows.identified or evidence.rows.n_annotators != 2 or not whole or evidence.q > WIDEST_MATRIX:
        return None
    table = evidence.confusion()
    n = float(table.sum())
    first, second = table.sum(axis=1) / n, table.sum(axis=0) / n
    w = 1.0 - evidence.distances() / (evidence.space.scale or 1.0)
    expected = float(first @ w @ second)
    if expected >= 1.0:
        return None
    towards = (w @ second)[:, None] + (w.T @ first)[None, :]
    spread = float((np.outer(first, second) * (w - towards) ** 2).sum()) - expected**2
    return math.sqrt(max(0.0, spread) / n) / (1.0 - expected)


def z_tests_of_k(evidence: ItemEvidence) -> dict[str, Any] | None:
    """Siegel & Castellan 1988 (= Fleiss 1971), and Fleiss, Nee & Landis 1979 with the right variance under chance.

    None where weights are used or items have different numbers of labels: the formulas do not hold there.
    """
    sizes = evidence.sizes[evidence.labelled > 0]
    if not isinstance(evidence.distance, Nominal) or len(sizes) == 0 or (sizes != sizes[0]).any() or sizes[0] < 2:
        return None
    m, n = int(sizes[0]), float(evidence.labelled.sum())
    p = evidence.shares
    chance = float(p @ p)
    if chance >= 1.0:
        return None
    k = 1.0 - float(evidence.paired @ evidence.within) / n / (1.0 - chance)
    spread = float(p @ (1.0 - p))
    variances = {
        "siegel_castellan_1988": (chance - (2 * m - 3) * chance**2 + 2 * (m - 2) * float((p**3).sum()))
        / (1.0 - chance) ** 2,
        "fleiss_nee_landis_1979": (spread**2 - float((p * (1.0 - p)) @ (1.0 - 2 * p))) / spread**2,
    }
    tests: dict[str, Any] = {}
    for name, factor in variances.items():
        se = math.sqrt(max(0.0, 2.0 / (n * m * (m - 1)) * factor))
        if se > 0:
            z = k / se
            tests[name] = {"se": se, "z": z, "p": 2 * normal_below(-abs(z))}
    return tests
