"""Items and documents left out one by one, from the evidence that is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from accord.answers.inference.scoring import Scored
from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.result import Interval
from accord.measures.intervals.methods import Settings
from accord.measures.sampling import Sampled

_MOST_EXACT = 1_000  # distinct items that are left out exactly; of more, the extreme ones
_MOST_SHOWN = 20_000
_WITH_INTERVAL = 10
_CHEAP = 20_000  # labels: above, intervals for single items are not drawn
_REPLICATES = 200


@dataclass(frozen=True, eq=False)
class LeftOut:
    """The value without each, and which of them are shown."""

    names: Sequence[str]
    without: Floats
    exact: np.ndarray
    shown: np.ndarray
    noun: str
    intervals: dict[int, Interval] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def without_units(whole: Scored, settings: Settings, run: Run) -> LeftOut:
    """Every item or document left out once."""
    measure, evidence = whole.measure, whole.evidence
    sample = measure.sampled(evidence, run)
    if sample is None:
        raise DataError(f"{measure.name} does not keep documents apart: none can be left out")
    if sample.times.sum() < 2:
        noun = sample.noun
        return LeftOut(
            (),
            np.zeros(0),
            np.zeros(0, bool),
            np.zeros(0, int),
            noun,
            notes=(f"one {noun} only: none is left without it",),
        )
    notes: list[str] = []
    kinds = sample.kinds
    if kinds is None:
        run.progress("leaving documents out", 0, 1)
        without, exact = sample.without_each(), np.ones(len(sample), dtype=bool)
        run.progress("leaving documents out", 1, 1)
    else:
        without, exact = _by_kind(whole, sample, kinds, notes)
    there = np.flatnonzero(sample.times)
    order = there[np.argsort(-np.abs(np.nan_to_num(without[there] - whole.score.value, nan=np.inf)), kind="stable")]
    if len(order) > _MOST_SHOWN:
        notes.append(f"{len(order):,} items: the {_MOST_SHOWN:,} with the largest change are kept")
        order = order[:_MOST_SHOWN]
    cheap = sample.labels <= _CHEAP
    intervals = _intervals(sample, order[:_WITH_INTERVAL], settings.level, run) if cheap else {}
    if not cheap:
        notes.append("single items have no interval here: with so many of them, none moves the value by much")
    elif len(order) > _WITH_INTERVAL:
        notes.append(f"intervals are for the {_WITH_INTERVAL} {sample.noun}s with the largest change")
    return LeftOut(sample.names, without, exact, order, sample.noun, intervals, tuple(notes))


def _by_kind(whole: Scored, sample: Sampled, kinds: tuple[Ints, Ints], notes: list[str]) -> tuple[Floats, np.ndarray]:
    """Items with the same labels change the value alike: each kind is left out once."""
    (kind, first), value = kinds, whole.score.value
    exact = np.zeros(len(first), dtype=bool)
    found = np.empty(len(first))
    wanted = np.arange(len(first))
    given = whole.measure.contributions(whole.evidence, named=True) if len(first) > _MOST_EXACT else None
    if given is not None:
        found = value + (value - given.values[first]) / (given.n - 1)
        found[given.times[first] == 0] = value
        wanted = np.argsort(-np.abs(found - value), kind="stable")[: _MOST_EXACT // 10]
        notes.append(f"exact for the {len(wanted)} items with the largest change, by their contribution for the others")
    for k in wanted:
        times = sample.times.copy()
        times[first[k]] -= 1
        found[k] = sample.values(times[None, :])[0]
        exact[k] = True
    return found[kind], exact[kind]


def _intervals(sample: Sampled, chosen: np.ndarray, level: float, run: Run) -> dict[int, Interval]:
    """The change by one of them while all others are drawn again."""
    n = round(float(sample.times.sum()))
    found = {}
    for place, k in enumerate(chosen):
        run.progress("intervals", place, len(chosen))
        others = sample.times.copy()
        others[k] -= 1
        draws = run.rng(9).multinomial(n - 1, others / (n - 1), size=_REPLICATES).astype(np.float64)
        without = sample.drawn(draws)
        draws[:, k] += 1
        change = without - sample.drawn(draws)
        change = change[~np.isnan(change)]
        if len(change) > _REPLICATES // 2:
            low, high = np.quantile(change, [(1 - level) / 2, (1 + level) / 2])
            found[int(k)] = Interval(float(low), float(high), level, "bootstrap of the others")
    run.progress("intervals", 1, 1)
    return found
