"""The normal, t and χ² distributions. SciPy is imported when needed, because its import doubles the start time."""

from __future__ import annotations

import math


def normal_below(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def normal_quantile(p: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)


def t_below(df: float, x: float) -> float:
    """Return P(T ≤ x); an infinite df is the normal distribution."""
    if math.isinf(df):
        return normal_below(x)
    from scipy.special import stdtr

    return float(stdtr(df, x))


def t_quantile(df: float, p: float) -> float:
    from scipy.special import ndtri, stdtrit

    return float(ndtri(p) if math.isinf(df) else stdtrit(df, p))


def chi2_above(df: float, x: float) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(df, x))
