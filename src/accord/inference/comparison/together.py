"""Two studies as one, every document or item under its side: so that a test can exchange them.

Under no difference it does not matter which of the two annotations of a document belongs to which study. Annotators are
matched by name, or where names differ by their place, so that an exchanged document is annotated by the same number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.arrays import Floats
from accord.context import Run
from accord.errors import DataError
from accord.measures.base import Measure
from accord.measures.sampling import Values
from accord.model.data import SIDES, Data

A, B = SIDES
_NOISE = 1e-12


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


def permutation(a: Data, b: Data, measure: Measure, paired: bool, replicates: int, run: Run) -> float | None:
    """p of the difference: sides of common documents exchanged at random, others dealt out again.

    The share of exchanges that differ as much as the data do, the data themselves counted in (so it is never 0). None
    where the two have no value as one set of data: icc takes items of all annotators, unequal teams have none.
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
    observed = _differences(sample.times, in_b[None, :], sample.values)[0]
    if np.isnan(observed):
        return None
    beyond = defined = 0
    step = max(1, 1_000_000 // max(1, len(names)))
    for start in range(0, replicates, step):
        run.progress("permutation", start, replicates)
        sides = np.repeat(in_b[None, :], min(step, replicates - start), axis=0)
        exchanged = rng.random((len(sides), len(pairs))) < 0.5
        sides[:, pairs[:, 0]], sides[:, pairs[:, 1]] = exchanged, ~exchanged
        sides[:, alone] = rng.permuted(sides[:, alone], axis=1)
        found = _differences(sample.times, sides, sample.values)
        defined += int((~np.isnan(found)).sum())
        beyond += int((np.abs(found) >= abs(observed) - _NOISE).sum())
    run.progress("permutation", replicates, replicates)
    return (1 + beyond) / (1 + defined)


def _pairs(names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the two sides of each common document, and those of the others."""
    at = {name: k for k, name in enumerate(names)}
    both = [(at[name], at[B + name[3:]]) for name in names if name.startswith(A) and B + name[3:] in at]
    pairs = np.array(both, dtype=np.intp).reshape(-1, 2)
    return pairs, np.setdiff1d(np.arange(len(names)), pairs.ravel())


def _differences(times: Floats, in_b: np.ndarray, values: Values) -> Floats:
    return values(np.where(in_b, times, 0.0)) - values(np.where(in_b, 0.0, times))
