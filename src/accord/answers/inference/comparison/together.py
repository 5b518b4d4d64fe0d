"""Two studies as one, every document or item under its side: so that a test can exchange them.

Under no difference it does not matter which of the two annotations of a document belongs to which study. Annotators are
matched by name, or where names differ by their place, so that an exchanged document is annotated by the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.model.data import SIDES, Data
from accord.measures.base import Measure
from accord.measures.sampling import Sampled

A, B = SIDES
_NOISE = 1e-12
_TIE = 1e-9  # exchanges that are the data again, but for rounding
_MOST_LEFT_OUT = 100  # documents that are left out one by one; more are left out in groups
_LOOKS, _FEWEST = 20_000, 499  # of values that are computed draw by draw: how many, and the fewest exchanges


def together(a: Data, b: Data) -> Data:
    """Both as one set of data."""
    a, b = a.with_categories_of(b)
    return a.joined(b, *_seats(a, b))


def _seats(a: Data, b: Data) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """The annotators of both, and where those of either stand among them."""
    mine, others = a.present, b.present
    if len(mine) == len(others):
        shared = [name for name in mine if name in others]
        left, right = ([name for name in side if name not in shared] for side in (mine, others))
        names: tuple[str, ...] = (*shared, *(f"{x}, {y}" for x, y in zip(left, right, strict=True)))
        first, second = ({name: k for k, name in enumerate((*shared, *side))} for side in (left, right))
    else:
        names = tuple(dict.fromkeys((*mine, *others)))
        first = second = {name: k for k, name in enumerate(names)}
    return (
        names,
        np.array([first.get(name, 0) for name in a.annotators], dtype=np.int64),
        np.array([second.get(name, 0) for name in b.annotators], dtype=np.int64),
    )


@dataclass(frozen=True)
class Exchanged:
    """p of a difference, and how often sides were exchanged for it."""

    p: float
    exchanges: int
    studentised: bool


def permutation(a: Data, b: Data, measure: Measure, paired: bool, replicates: int, run: Run) -> Exchanged | None:
    """p of the difference: sides of common documents exchanged at random, others dealt out again.

    The share of exchanges that differ as much as the data do, the data themselves counted in (so it is never 0). None
    where the two have no value as one set of data: icc takes items of all annotators, unequal teams have none.

    A difference of documents is held against its own spread: one large document can make the difference as large as it
    is on whichever side it comes to lie, but then the others pull elsewhere. Items all count alike and need none of it.
    """
    try:
        evidence = measure.observe(together(a, b), run)
    except DataError:
        return None
    sample = measure.sampled(evidence, run)
    if sample is None:
        raise DataError(f"{measure.name} does not keep documents apart: they cannot be exchanged")
    names = list(sample.names)
    in_b = np.array([name.startswith(B) for name in names])
    pairs, alone = _pairs(names) if paired else (np.zeros((0, 2), dtype=np.intp), np.arange(len(names)))
    rng = run.rng(8)
    units = _left_out(len(names), pairs, alone, run) if sample.noun == "document" else None
    if units is not None and sample.by_draw:
        replicates = min(replicates, max(_FEWEST, _LOOKS // (len(units) + len(pairs))))
    observed = _statistics(sample, in_b[None, :], units)[0]
    if np.isnan(observed):
        return None
    beyond = defined = 0
    step = max(1, 1_000_000 // max(1, len(names) * (1 if units is None else len(units))))
    for start in range(0, replicates, step):
        run.progress("permutation", start, replicates)
        sides = np.repeat(in_b[None, :], min(step, replicates - start), axis=0)
        exchanged = rng.random((len(sides), len(pairs))) < 0.5
        sides[:, pairs[:, 0]], sides[:, pairs[:, 1]] = exchanged, ~exchanged
        sides[:, alone] = rng.permuted(sides[:, alone], axis=1)
        found = _statistics(sample, sides, units)
        defined += int((~np.isnan(found)).sum())
        beyond += int((found >= observed * (1 - _TIE) - _NOISE).sum())
    run.progress("permutation", replicates, replicates)
    return Exchanged((1 + beyond) / (1 + defined), replicates, units is not None)


def _pairs(names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the two sides of each common document, and those of the others."""
    at = {name: k for k, name in enumerate(names)}
    both = [(at[name], at[B + name[3:]]) for name in names if name.startswith(A) and B + name[3:] in at]
    pairs = np.array(both, dtype=np.intp).reshape(-1, 2)
    return pairs, np.setdiff1d(np.arange(len(names)), pairs.ravel())


def _left_out(n: int, pairs: np.ndarray, alone: np.ndarray, run: Run) -> np.ndarray:
    """Row by row what is left out at once: a document, on both sides where it is on both; of very many, a group."""
    unit = np.zeros(n, dtype=np.int64)
    unit[pairs[:, 0]] = unit[pairs[:, 1]] = np.arange(len(pairs))
    unit[alone] = len(pairs) + np.arange(len(alone))
    many = len(pairs) + len(alone)
    if many > _MOST_LEFT_OUT:
        unit = run.rng(9).permutation(np.arange(many) % _MOST_LEFT_OUT)[unit]
        many = _MOST_LEFT_OUT
    found: np.ndarray = unit[None, :] == np.arange(many)[:, None]
    return found


def _statistics(sample: Sampled, in_b: np.ndarray, units: np.ndarray | None) -> Floats:
    """|b − a| for each row of sides; with `units`, over the root of the squares by which each moves it when left out.

    Its spread is short of a factor that is the same for all rows, so it changes no p.
    """
    sides = [np.where(in_b, sample.times, 0.0), np.where(in_b, 0.0, sample.times)]
    value_b, value_a = (sample.values(times) for times in sides)
    difference: Floats = np.abs(value_b - value_a)
    if units is None:
        return difference
    moved_b, moved_a = (_moved(sample, t, v, units) for t, v in zip(sides, (value_b, value_a), strict=True))
    spread = np.sqrt(np.nansum((moved_b - moved_a) ** 2, axis=1))
    nothing = np.where(difference > _NOISE, np.inf, difference)
    return np.divide(difference, spread, out=nothing, where=spread > _NOISE)


def _moved(sample: Sampled, times: Floats, value: Floats, units: np.ndarray) -> Floats:
    """By how much the value of each row changes without each unit; NaN where it is undefined."""
    moved = np.zeros((len(times), len(units)))
    row, unit = np.nonzero(times @ units.T > 0)
    moved[row, unit] = sample.values(np.where(units[unit], 0.0, times[row])) - value[row]
    return moved
