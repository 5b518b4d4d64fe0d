"""Category mistakes: labels are drawn from an average of the perfect, the worst and a friendly matrix (2012, 3.3.5).

A: every label is right. The worst matrix gives every label at random, by the prevalence of the categories (B) or all
alike (C). D, with `overlap`, confuses friendly categories. The paper draws the weights and prints no formula. Its one
number is 95% of A at m = 0.1 without overlap, which A = √(1 − m) meets (94.9%); with overlap A = 1 − m. What A leaves
is shared by D and the worst matrix: D gets (1 − m²) of it, so that it is 0 at both ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.errors import DataError, SpecError, quoted
from accord.simulate.base import ErrorType
from accord.simulate.columns import Floats, Ground, Marks, TextGround
from accord.simulate.wording import one_in

Matrix = tuple[tuple[float, ...], ...]
# Table 1 of the paper: Noun, Verb, Adj, Prep.
FRIENDLY: Matrix = ((0, 0.8, 0.15, 0.05), (0.8, 0, 0, 0.2), (0.15, 0.1, 0, 0.75), (0.05, 0.2, 0.75, 0))


@dataclass(frozen=True, repr=False)
class Category(ErrorType):
    """Wrong labels. `power`: the weight of A is (1 − m)^power; `weights`: points (m, A, D) of curves of your own."""

    prevalence: bool = True
    overlap: bool = False
    worst: Matrix | None = None
    friendly: Matrix | None = None
    power: float | None = None
    weights: Matrix | None = None

    name: ClassVar[str] = "category"
    aliases: ClassVar[tuple[str, ...]] = ("categories", "label")
    title: ClassVar[str] = "wrong labels"
    in_place: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._truth("prevalence")
        self._truth("overlap")
        if self.power is not None:
            self._number("power")
        for field in ("worst", "friendly"):
            if getattr(self, field) is not None:
                object.__setattr__(self, field, _stochastic(getattr(self, field), f"category: {field}"))
        if self.weights is not None:
            object.__setattr__(self, "weights", _points(self.weights))

    def check(self, ground: Ground | TextGround) -> None:
        if isinstance(ground, TextGround):
            raise DataError("category is an error of labels, and boundaries have none")
        q = len(ground.categories)
        if q < 2:
            raise DataError(f"category errors need two categories at least, and the reference has {q or 'no labels'}")
        for field in ("worst", "friendly"):
            matrix = getattr(self, field)
            if matrix is not None and len(matrix) != q:
                raise DataError(f"category: {field} has {len(matrix)} rows, and the reference has {q} categories")

    def shares(self, magnitude: float) -> tuple[float, float, float]:
        """The weights of A, of D, and of the worst matrix."""
        if self.weights is not None:
            at, a, d = np.array(self.weights).T
            perfect, friendly = float(np.interp(magnitude, at, a)), float(np.interp(magnitude, at, d))
            friendly = friendly if self.overlap else 0.0
        else:
            power = self.power if self.power is not None else 1.0 if self.overlap else 0.5
            perfect = (1.0 - magnitude) ** power
            friendly = (1.0 - perfect) * (1.0 - magnitude**2) if self.overlap else 0.0
        return perfect, friendly, 1.0 - perfect - friendly

    def matrix(self, magnitude: float, ground: Ground) -> Floats:
        """The chance of every label (column) for each category of the reference (row)."""
        q = len(ground.categories)
        perfect, friendly, worst = self.shares(magnitude)
        row = ground.prevalence if self.prevalence else np.full(q, 1 / q)
        at_worst = np.array(self.worst) if self.worst is not None else np.tile(row, (q, 1))
        near = np.array(self.friendly) if self.friendly is not None else friends(q)
        return perfect * np.eye(q) + friendly * near + worst * at_worst

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        edges = np.cumsum(self.matrix(magnitude, ground), axis=1)
        edges[:, -1] = 1.0
        draw = rng.random(len(marks))
        label = (draw[:, None] >= edges[marks.label]).sum(axis=1)  # without label: of the last row, and not used
        return Marks(marks.doc, marks.start, marks.end, np.where(marks.label >= 0, label, -1))

    def wrong(self, magnitude: float, ground: Ground) -> float:
        """The share of labels that are wrong."""
        return float(1.0 - ground.prevalence @ np.diag(self.matrix(magnitude, ground)))

    def in_words(self, magnitude: float, ground: Ground | TextGround) -> str:
        assert isinstance(ground, Ground)  # noqa: S101 - checked before
        return f"confuse {one_in(self.wrong(magnitude, ground), 'label')}"


def friends(q: int) -> Floats:
    """D: the paper's for four categories; else neighbours in their order, each step further a quarter as often."""
    if q == 4:
        return np.array(FRIENDLY)
    apart = np.abs(np.arange(q)[:, None] - np.arange(q))
    near = np.where(apart > 0, 0.25**apart, 0.0)
    return near / near.sum(axis=1, keepdims=True)


def _rows(given: object, what: str) -> Matrix:
    try:
        rows = tuple(tuple(float(v) for v in row) for row in given)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise SpecError(f"{what} is a list of rows of numbers, not {quoted(given)}") from None
    return rows


def _stochastic(given: object, what: str) -> Matrix:
    rows = _rows(given, what)
    for k, row in enumerate(rows):
        if len(row) != len(rows):
            raise SpecError(f"{what}: row {k + 1} has {len(row)} numbers and the matrix {len(rows)} rows")
        if min(row) < 0 or abs(sum(row) - 1) > 1e-6:
            raise SpecError(f"{what}: row {k + 1} sums to {sum(row):g}; rows are probabilities and sum to 1")
    return rows


def _points(given: object) -> Matrix:
    rows = _rows(given, "category: weights")
    fine = len(rows) > 1 and all(len(row) == 3 and min(row) >= 0 and row[1] + row[2] <= 1 + 1e-9 for row in rows)
    if not fine or [row[0] for row in rows] != sorted(row[0] for row in rows):
        raise SpecError(
            "category: weights are points [m, weight of A, weight of D] in order of m, none below 0, A + D at most 1"
        )
    return rows
