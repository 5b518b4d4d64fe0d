"""Lin's concordance, which compares numbers, and Kendall's W, which compares ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.probability import chi2_above, normal_below, normal_quantile
from accord.core.result import Score
from accord.measures.scales.table import NumberTable, ScaleMeasure

NO_VARIATION = "the ratings do not vary: 0/0"


@dataclass(frozen=True, repr=False)
class LinConcordance(ScaleMeasure):
    """Lin (1989): how closely two annotators give the same number. For more, Barnhart, Haber & Song (2002).

    Variances have the divisor n, as in Lin's paper.
    """

    name: ClassVar[str] = "lin"
    symbol: ClassVar[str] = "ρ_c"
    aliases: ClassVar[tuple[str, ...]] = ("ccc", "concordance")
    title: ClassVar[str] = "Lin's concordance correlation"
    source: ClassVar[str] = "Lin 1989, 2000; Barnhart, Haber & Song 2002"

    def estimate(self, evidence: NumberTable) -> Score:
        if evidence.n < 2:
            return self.undefined(evidence, "at least two items are needed")
        spread = evidence.covariance() * (evidence.n - 1) / evidence.n
        means, k = evidence.mean(evidence.numbers), evidence.k
        upper = np.triu_indices(k, 1)
        apart = float(((means[upper[0]] - means[upper[1]]) ** 2).sum())
        below = (k - 1) * float(np.trace(spread)) + apart
        if not below > 0:
            return self.undefined(evidence, NO_VARIATION)
        facts = {}
        if k == 2:
            deviation = np.sqrt(np.diag(spread))
            product = float(deviation.prod())
            facts = {
                "pearson": float(spread[0, 1]) / product if product > 0 else math.nan,
                "scale_shift": float(deviation[0] / deviation[1]) if product > 0 else math.nan,
                "location_shift": float(means[0] - means[1]) / math.sqrt(product) if product > 0 else math.nan,
            }
        return Score(2 * float(spread[upper].sum()) / below, str(self), n=int(evidence.n), details=facts)

    def own_interval(
        self, evidence: NumberTable, score: Score, level: float
    ) -> tuple[float, float, float | None, float | None] | None:
        """Return the interval for two annotators: normal on Fisher's z, with Lin's variance as corrected in 2000."""
        value, n = score.value, evidence.n
        r, u = score.details.get("pearson", math.nan), score.details.get("location_shift", math.nan)
        if evidence.k != 2 or n < 4 or not abs(r) > 0 or not abs(value) < 1 or math.isnan(r):
            return None
        term = (
            (1 - r**2) * value**2 / ((1 - value**2) * r**2)
            + 2 * value**3 * (1 - value) * u**2 / (r * (1 - value**2) ** 2)
            - value**4 * u**4 / (2 * r**2 * (1 - value**2) ** 2)
        )
        se_z = math.sqrt(max(0.0, term) / (n - 2))
        z, half = math.atanh(value), normal_quantile((1 + level) / 2) * se_z
        p = 2 * normal_below(-abs(z) / se_z) if se_z > 0 else None
        return math.tanh(z - half), math.tanh(z + half), se_z * (1 - value**2), p


@dataclass(frozen=True, repr=False)
class KendallW(ScaleMeasure):
    """Kendall & Babington Smith (1939): whether annotators rank the items in the same order. Corrects for ties."""

    name: ClassVar[str] = "kendall_w"
    symbol: ClassVar[str] = "W"
    aliases: ClassVar[tuple[str, ...]] = ("kendall",)
    title: ClassVar[str] = "Kendall's W, the same order"
    source: ClassVar[str] = "Kendall & Babington Smith 1939"
    default_interval: ClassVar[str] = "bootstrap"
    lowest: ClassVar[float] = 0.0

    def estimate(self, evidence: NumberTable) -> Score:
        n, k = evidence.n, evidence.k
        if n < 2:
            return self.undefined(evidence, "at least two items are needed")
        columns = [weighted_ranks(column, evidence.times) for column in evidence.numbers.T]
        ranks = np.stack([rank for rank, _ in columns], axis=1)
        ties = sum(tied for _, tied in columns)
        total = ranks.sum(axis=1)
        spread = 12 * float(evidence.times @ (total - k * (n + 1) / 2) ** 2)
        below = k**2 * (n**3 - n) - k * ties
        if not below > 0:
            return self.undefined(evidence, NO_VARIATION)
        value = spread / below
        statistic = k * (n - 1) * value
        facts = {"chi2": statistic, "df": n - 1, "p_chi2": chi2_above(n - 1, statistic)}
        mean_rho = (k * value - 1) / (k - 1)
        return Score(value, str(self), p=facts["p_chi2"], n=int(n), details={**facts, "mean_spearman": mean_rho})


def weighted_ranks(column: Floats, times: Floats) -> tuple[Floats, float]:
    """Return mid-ranks of numbers that occur `times` times, and Σ (t³ − t) over ties."""
    _, at = np.unique(column, return_inverse=True)
    each = np.bincount(at, weights=times)
    middle = np.cumsum(each) - each + (each + 1) / 2
    return middle[at], float((each**3 - each).sum())
