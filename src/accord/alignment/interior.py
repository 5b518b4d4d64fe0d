"""The linear program over groups, solved from the inside: central prices, and shares of the groups."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.sparse import csc_array, csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from accord.arrays import Floats, Ints
from accord.compiled import compiled, reordered

_NEWTON = 60  # steps at most: work, never time


def incidence(rows: Ints, units: int) -> csc_array:
    """A row per unit, a column per group: 1 where the unit is in it."""
    real = rows >= 0
    start = np.concatenate([[0], np.cumsum(real.sum(axis=1))])
    return csc_array((np.ones(start[-1]), rows[real], start), shape=(units, len(rows)))


@np.errstate(over="ignore", invalid="ignore")  # what is not finite ends the loop
def central_prices(rows: Ints, gain: Floats, count: Ints, accuracy: float) -> tuple[Floats, Floats]:
    """Prices, and the shares of the groups, of the linear program: an interior point method (Mehrotra 1992).

    It stops in the middle of the nearly best prices. The corners that a simplex method ends in make the exact search a
    hundred times as long.
    """
    A = incidence(rows, len(count))
    At = csr_array(A.T)
    order = reverse_cuthill_mckee(csr_array(A @ At), symmetric_mode=True).astype(np.int64)
    ranked = np.where(rows >= 0, np.argsort(order)[rows], -1)
    band = int((ranked.max(axis=1) - np.where(rows >= 0, ranked, len(count)).min(axis=1)).max())
    x = np.full(len(rows), 0.9 / (A @ np.ones(len(rows))).max())
    s = count - A @ x
    mu = np.full(len(count), 1.2)
    z = np.maximum(At @ mu - gain, 0.1)
    for _ in range(_NEWTON):
        short, over = count - A @ x - s, gain - At @ mu + z
        missing = count @ mu - gain @ x
        if missing < accuracy * (count.sum() - gain @ x) + 1e-9 and max(np.abs(short).max(), np.abs(over).max()) < 1e-9:
            break
        mean = (x @ z + s @ mu) / (len(x) + len(s))
        factor = _gram(ranked, x / z, (s / mu)[order], band)
        _factorise(factor)

        towards = partial(_direction, A, At, order, factor, (x, s, mu, z), short, over)
        dx, ds, dmu, dz = towards(-x * z, -s * mu)
        p, q = _length(x, dx, s, ds), _length(mu, dmu, z, dz)
        after = ((x + p * dx) @ (z + q * dz) + (s + p * ds) @ (mu + q * dmu)) / (len(x) + len(s))
        centre = mean * (after / mean) ** 3
        dx, ds, dmu, dz = towards(centre - x * z - dx * dz, centre - s * mu - ds * dmu)
        if not (np.isfinite(dmu).all() and np.isfinite(dx).all()):
            break  # at the end of its digits: the prices so far are as good as any
        p, q = _length(x, dx, s, ds), _length(mu, dmu, z, dz)
        x, s, mu, z = x + p * dx, s + p * ds, mu + q * dmu, z + q * dz
    return mu, x


def _direction(
    A: csc_array,
    At: csr_array,
    order: Ints,
    factor: Floats,
    point: tuple[Floats, Floats, Floats, Floats],
    short: Floats,
    over: Floats,
    xz: Floats,
    smu: Floats,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Newton's step from (x, s, μ, z) that changes x·z by `xz` and s·μ by `smu`."""
    x, s, mu, z = point
    right = A @ (xz / z + x / z * over) + smu / mu - short
    dmu = np.empty(len(mu))
    dmu[order] = _solve(factor, right[order])
    dz = At @ dmu - over
    return (xz - x * dz) / z, (smu - s * dmu) / mu, dmu, dz


def _length(a: Floats, da: Floats, b: Floats, db: Floats) -> float:
    """How far to go without leaving the positive numbers."""
    return min(1.0, 0.99 / max(float(np.max(-da / a)), float(np.max(-db / b)), 1e-12))


@compiled
def _gram(rows: Ints, weight: Floats, diagonal: Floats, band: int) -> Floats:
    """A·diag(weight)·Aᵀ + diag(diagonal), `rows` the row numbers of each column of A (−1: none).

    Entry (i, j), j ≤ i, stands in row i at j − i + band: a row of the lower triangle is contiguous.
    """
    out = np.zeros((len(diagonal), band + 1))
    out[:, band] = diagonal
    for c in range(len(rows)):
        for a in range(rows.shape[1]):
            i = rows[c, a]
            if i >= 0:
                for b in range(rows.shape[1]):
                    j = rows[c, b]
                    if 0 <= j <= i:
                        out[i, j - i + band] += weight[c]
    return out


@reordered
def _factorise(matrix: Floats) -> None:
    """Cholesky's factor in place of a matrix as `_gram` makes it; on one core, so that it is the same everywhere."""
    band = matrix.shape[1] - 1
    for i in range(len(matrix)):
        first = max(0, i - band)
        for j in range(first, i + 1):
            total = matrix[i, j - i + band]
            low = max(first, j - band)
            mine, other = matrix[i, low - i + band : j - i + band], matrix[j, low - j + band : band]
            dot = 0.0
            for k in range(len(mine)):
                dot += mine[k] * other[k]
            total -= dot
            if j < i:
                matrix[i, j - i + band] = total / matrix[j, band]
            else:
                matrix[i, band] = np.sqrt(max(total, 1e-30))


@reordered
def _solve(factor: Floats, right: Floats) -> Floats:
    band = factor.shape[1] - 1
    x = right.copy()
    for i in range(len(x)):
        low = max(0, i - band)
        dot = 0.0
        for k in range(low, i):
            dot += factor[i, k - i + band] * x[k]
        x[i] = (x[i] - dot) / factor[i, band]
    for i in range(len(x) - 1, -1, -1):
        x[i] /= factor[i, band]
        for k in range(max(0, i - band), i):
            x[k] -= factor[i, k - i + band] * x[i]
    return x
