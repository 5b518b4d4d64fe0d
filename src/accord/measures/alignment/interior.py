"""The linear program over groups, solved from the inside: central prices, and shares of the groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_array

from accord.core.arrays import Floats, Ints
from accord.core.compiled import compiled, reordered

_NEWTON = 60  # steps at most: work, never time
_TINY = 1e-200
_OFF = 0.01  # of the accuracy: how far shares and prices may be from what they must add up to
_INWARD = 0.01  # how far from its limits it begins again
_ROWS = 4  # factorised together: each row before them is read once


def incidence(rows: Ints, units: int) -> csc_array:
    """A row per unit, a column per group: 1 where the unit is in it."""
    real = rows >= 0
    start = np.concatenate([[0], np.cumsum(real.sum(axis=1))])
    return csc_array((np.ones(start[-1]), rows[real], start), shape=(units, len(rows)))


class Inside(NamedTuple):
    """A point inside the linear program: prices of the units, and shares of the groups."""

    price: Floats
    share: Floats
    steps: int  # that it took to come there


def central_prices(
    rows: Ints, gain: Floats, count: Ints, order: Ints, accuracy: float, before: Inside | None = None
) -> Inside:
    """Prices, and the shares of the groups, of the linear program: an interior point method (Mehrotra 1992).

    It stops in the middle of the nearly best prices. The corners that a simplex method ends in make the exact search a
    hundred times as long. The nearer the units of a group stand in `order`, the quicker it is. `before` is where it
    stopped when only the first of the groups were known: a little inward of that, the best is not far.
    """
    ranked = np.sort(np.where(rows >= 0, np.argsort(order)[rows], -1), axis=1)  # a group's units stand behind the −1
    first = (ranked < 0).sum(axis=1)
    band = int((ranked[:, -1] - ranked[np.arange(len(ranked)), first]).max())
    x, mu = np.zeros(len(rows)), np.zeros(len(count))
    if before is not None:
        x[: len(before.share)], mu = before.share, before.price[order]
    known, copies = before is not None, count[order].astype(np.float64)
    x, mu, steps = _central(ranked, first, gain, copies, band, accuracy, x, mu, known)
    price = np.empty(len(count))
    price[order] = mu
    return Inside(price, x, steps)


@reordered
def _central(
    rows: Ints,
    first: Ints,
    gain: Floats,
    count: Floats,
    band: int,
    accuracy: float,
    x: Floats,
    mu: Floats,
    known: bool,
) -> tuple[Floats, Floats, int]:
    """`central_prices` of groups whose units rows[c, first[c]:] are numbered so that they lie in a band.

    Shares x and prices mu are where it begins, if they are known.
    """
    groups, units = rows.shape[0], len(count)
    if known:
        z = np.maximum(_paid(rows, first, mu) - gain, _INWARD)
        x = np.maximum(x, _INWARD**2 / z)
        s = np.maximum(count - _held(rows, first, x, units), _INWARD**2 / mu)
    else:
        x = np.full(groups, 0.9 / _largest(_held(rows, first, np.ones(groups), units)))
        s = count - _held(rows, first, x, units)
        mu = np.full(units, 1.2)
        z = np.maximum(_paid(rows, first, mu) - gain, 0.1)
    steps, everything = 0, count.sum()
    while steps < _NEWTON:
        short = count - _held(rows, first, x, units) - s
        over = gain - _paid(rows, first, mu) + z
        gained = _dot(gain, x)
        missing, off = _dot(count, mu) - gained, max(_largest(short), _largest(over))
        if abs(missing) < accuracy * (everything - gained) + 1e-9 and off < _OFF * accuracy + 1e-9:
            break
        steps += 1
        mean = (_dot(x, z) + _dot(s, mu)) / (groups + units)
        factor = _gram(rows, first, x / z, s / mu, band)
        _factorise(factor)
        xz, smu = -x * z, -s * mu
        for corrected in range(2):
            right = _held(rows, first, (xz + x * over) / z, units) + smu / mu - short
            dmu = _solve(factor, right)
            dz = _paid(rows, first, dmu) - over
            dx, ds = (xz - x * dz) / z, (smu - s * dmu) / mu
            p, q = min(_length(x, dx), _length(s, ds)), min(_length(mu, dmu), _length(z, dz))
            if corrected == 0:
                after = _dot(x + p * dx, z + q * dz) + _dot(s + p * ds, mu + q * dmu)
                centre = mean * (after / (groups + units) / mean) ** 3
                xz, smu = centre - x * z - dx * dz, centre - s * mu - ds * dmu
        if not (_largest(dmu) < np.inf and _largest(dx) < np.inf):
            break  # at the end of its digits: the prices so far are as good as any
        x, s, mu, z = x + p * dx, s + p * ds, mu + q * dmu, z + q * dz
        if min(_smallest(x), _smallest(s), _smallest(mu), _smallest(z)) < _TINY:
            break
    return x, mu, steps


@reordered
def _dot(a: Floats, b: Floats) -> float:
    total = 0.0
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


@compiled
def _largest(a: Floats) -> float:
    """In magnitude; infinite where one is not a number."""
    found = 0.0
    for k in range(len(a)):
        if not abs(a[k]) <= found:
            found = abs(a[k]) if abs(a[k]) >= 0.0 else np.inf
    return found


@compiled
def _smallest(a: Floats) -> float:
    found = np.inf
    for k in range(len(a)):
        found = min(found, a[k])
    return found


@reordered
def _held(rows: Ints, first: Ints, share: Floats, units: int) -> Floats:
    """How much of each unit is in these shares of the groups."""
    out = np.zeros(units)
    for c in range(rows.shape[0]):
        for a in range(first[c], rows.shape[1]):
            out[rows[c, a]] += share[c]
    return out


@reordered
def _paid(rows: Ints, first: Ints, price: Floats) -> Floats:
    """The prices of the units of each group together."""
    out = np.zeros(rows.shape[0])
    for c in range(rows.shape[0]):
        for a in range(first[c], rows.shape[1]):
            out[c] += price[rows[c, a]]
    return out


@reordered
def _length(a: Floats, da: Floats) -> float:
    """How far to go without leaving the positive numbers."""
    most = 0.99
    for k in range(len(a)):
        most = max(most, -da[k] / a[k])
    return 0.99 / most


@compiled
def _gram(rows: Ints, first: Ints, weight: Floats, diagonal: Floats, band: int) -> Floats:
    """A·diag(weight)·Aᵀ + diag(diagonal), A the incidence of groups whose units stand in order.

    Entry (i, j), j ≤ i, stands in row i at j − i + band: a row of the lower triangle is contiguous.
    """
    out = np.zeros((len(diagonal), band + 1))
    for i in range(len(diagonal)):
        out[i, band] = diagonal[i]
    for c in range(rows.shape[0]):
        for a in range(first[c], rows.shape[1]):
            i = rows[c, a]
            for b in range(first[c], a + 1):
                out[i, rows[c, b] - i + band] += weight[c]
    return out


@reordered
def _factorise(matrix: Floats) -> None:
    """Cholesky's factor in place of a matrix as `_gram` makes it; on one core, so that it is the same everywhere."""
    band = matrix.shape[1] - 1
    for i in range(len(matrix)):
        begin = max(0, i - band)
        if i % _ROWS == 0 and i + _ROWS <= len(matrix):
            _four_rows(matrix, i)
        if i // _ROWS * _ROWS + _ROWS <= len(matrix):
            begin = max(begin, i // _ROWS * _ROWS)
        first = max(0, i - band)
        for j in range(begin, i + 1):
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
def _four_rows(matrix: Floats, i: int) -> None:
    """The factor's rows i to i + 3 left of column i."""
    band = matrix.shape[1] - 1
    for j in range(max(0, i - band), i):
        low = max(0, j - band)
        all_from = max(low, i + 3 - band)  # where all four rows have begun
        other = matrix[j, all_from - j + band : band]
        a, b = matrix[i, all_from - i + band : j - i + band], matrix[i + 1, all_from - i - 1 + band : j - i - 1 + band]
        c, d = matrix[i + 2, all_from - i - 2 + band : j - i - 2 + band], matrix[i + 3, all_from - i - 3 + band :]
        of_a = of_b = of_c = of_d = 0.0
        for k in range(len(other)):
            of_a += a[k] * other[k]
            of_b += b[k] * other[k]
            of_c += c[k] * other[k]
            of_d += d[k] * other[k]
        for row, dot in enumerate((of_a, of_b, of_c, of_d)):
            at = i + row
            if j >= at - band:
                total = matrix[at, j - at + band] - dot
                for k in range(max(low, at - band), min(j, all_from)):
                    total -= matrix[at, k - at + band] * matrix[j, k - j + band]
                matrix[at, j - at + band] = total / matrix[j, band]


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
