"""1 − observed/expected disorder: what γ and tγ, and all parts of them, come down to."""

from __future__ import annotations

import math
from typing import Any

from accord.core.result import Score

COARSE = 0.05  # the precision of a value among many


def fewer(samples: int) -> int:
    """Random annotations for a value among many: a third."""
    return max(2, samples // 3)


def gamma_score(measure: str, observed: float, expected: float, **rest: Any) -> Score:
    """1 − δ_o/δ_e, or NaN with a reason. Disorders are shown as they are."""
    reason = None
    if not expected > 0:
        reason = "random annotations have no disorder here: nothing to divide by"
    return Score(
        math.nan if reason else 1.0 - observed / expected,
        measure,
        observed=observed,
        expected=None if math.isnan(expected) else expected,
        undefined=reason,
        **rest,
    )
