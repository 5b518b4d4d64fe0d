"""How precisely chance is wanted, and how many samples that takes (5.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from accord.core.arrays import Floats
from accord.core.errors import DataError, SpecError, quoted
from accord.core.probability import normal_quantile

FEWEST_SAMPLES, MOST_SAMPLES = 2, 1_000_000
_BEYOND_COUNTING = 10**12


@dataclass(frozen=True)
class Sampling:
    """How chance is drawn: the model, the samples to begin with, and the relative precision wanted at a level."""

    model: str
    first: int = 30
    precision: float | None = 0.02
    level: float = 0.95


def samples_needed(cv: float, precision: float, level: float = 0.95) -> float:
    """n₀ = (C_v · U / e)²."""
    ratio = cv * normal_quantile((1 + level) / 2) / precision
    return ratio * ratio  # infinite where a power would be an error


def samples_wanted(mean: float, off: Floats, sampling: Sampling) -> int:
    """How many samples the wanted precision takes, by the mean of the first and how far each is from it."""
    if sampling.precision is None or not mean > 0:
        return sampling.first
    cv = float(off.std(ddof=1)) / mean
    needed = samples_needed(cv, sampling.precision, sampling.level)
    return max(sampling.first, math.floor(min(needed, _BEYOND_COUNTING) + 0.5))


def check_samples(name: str, samples: object) -> None:
    """Of chance, that a measure begins with."""
    whole = isinstance(samples, int) and not isinstance(samples, bool)
    if not whole or not FEWEST_SAMPLES <= samples <= MOST_SAMPLES:  # type: ignore[operator]
        raise SpecError(
            f"{name}: samples is a whole number from {FEWEST_SAMPLES} to {MOST_SAMPLES:,}, not {quoted(samples)}"
        )


def not_too_many(needed: int, sampling: Sampling) -> int:
    """Refuses what nobody would wait for."""
    if needed > MOST_SAMPLES:
        about = f"about {needed:,}" if needed < _BEYOND_COUNTING else f"more than {_BEYOND_COUNTING:,}"
        raise DataError(
            f"a precision of {sampling.precision:g} takes {about} random samples, and {MOST_SAMPLES:,} are the most; "
            "ask for a coarser one"
        )
    return needed
