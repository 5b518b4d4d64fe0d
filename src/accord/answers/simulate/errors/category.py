"""Category mistakes: labels are drawn from an average of the perfect, the worst and a friendly matrix (2012, 3.3.5).

A: every label is right. The worst matrix gives every label at random, by the prevalence of the categories (B) or all
alike (C). D, with `overlap`, confuses friendly categories. The paper plots the weights and prints no formula. Its one
number is 95% of A at m = 0.1 without overlap, which A = √(1 − m) meets (94.9%); with overlap A = 1 − m. What A leaves
is shared by D and the worst matrix: D gets (1 − m²) of it, so that it is 0 at both ends.

Labels of tokens follow Barteld et al. 2016, 7: A = 1 − m, and m · n different tokens get labels of the reference, all
features of a token together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.errors.wording import one_in
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.grounds.columns import Cuts, Ground, Marks, TextGround, rounded
from accord.answers.simulate.grounds.items import ItemGround
from accord.answers.simulate.grounds.tokens import TokenGround
from accord.core.arrays import Floats, Ints
from accord.core.errors import DataError, SpecError, quoted
from accord.measures.chance.text_edits import Versions

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
        self._check_used()

    def _check_used(self) -> None:
        """Refuses options that another one leaves without effect."""
        if self.weights is not None and self.power is not None:
            raise SpecError("category: power and weights both say how much is perfect; give one of them")
        if self.overlap:
            return
        if self.friendly is not None:
            raise SpecError("category: friendly is a matrix of categories that overlap; say overlap=true as well")
        if self.weights is not None and any(d > 0 for _, _, d in self.weights):
            raise SpecError("category: D is a matrix of categories that overlap; say overlap=true as well, or D = 0")

    def check(self, ground: AnyGround) -> None:
        q = len(ground.categories)
        if isinstance(ground, TextGround) and q < 2:
            raise DataError("category is an error of labels, and these boundaries have no types")
        if isinstance(ground, TokenGround) and len(ground.features) > 1 and not self.by_prevalence:
            raise DataError("category: labels of several features are drawn together; leave its options out")
        if q < 2:
            raise DataError(f"category errors need at least two categories, and the reference has {q or 'no labels'}")
        for field in ("worst", "friendly"):
            matrix = getattr(self, field)
            if matrix is not None and len(matrix) != q:
                raise DataError(f"category: {field} has {len(matrix)} rows, and the reference has {q} categories")

    @property
    def by_prevalence(self) -> bool:
        """Wrong labels are as common as in the reference: there is no need for a matrix."""
        return self.prevalence and not self.overlap and self.worst is None

    def shares(self, magnitude: float, usual: float = 0.5) -> tuple[float, float, float]:
        """The weights of A, of D, and of the worst matrix; `usual` is the power without overlap."""
        if self.weights is not None:
            at, a, d = np.array(self.weights).T
            perfect, friendly = float(np.interp(magnitude, at, a)), float(np.interp(magnitude, at, d))
            friendly = friendly if self.overlap else 0.0
        else:
            power = self.power if self.power is not None else 1.0 if self.overlap else usual
            perfect = (1.0 - magnitude) ** power
            friendly = (1.0 - perfect) * (1.0 - magnitude**2) if self.overlap else 0.0
        return perfect, friendly, 1.0 - perfect - friendly

    def matrix(self, magnitude: float, ground: AnyGround) -> Floats:
        """The chance of every label (column) for each category of the reference (row)."""
        perfect, friendly, worst = self.shares(magnitude, _usual(ground))
        return perfect * np.eye(len(ground.categories)) + self._wrong_rows(friendly, worst, ground)

    def _wrong_rows(self, friendly: float, worst: float, ground: AnyGround) -> Floats:
        q = len(ground.categories)
        row = ground.prevalence if self.prevalence else np.full(q, 1 / q)
        at_worst = np.array(self.worst) if self.worst is not None else np.tile(row, (q, 1))
        near = np.array(self.friendly) if self.friendly is not None else friends(q)
        return friendly * near + worst * at_worst

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        return Marks(marks.doc, marks.start, marks.end, self._drawn(marks.label, ground, magnitude, rng))

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        """A place keeps one boundary of each type at most."""
        found = Cuts(cuts.doc, cuts.position, self._drawn(cuts.label, ground, magnitude, rng))
        found = found.at(np.lexsort((found.label, found.position, found.doc)))
        same = [np.diff(column) == 0 for column in (found.doc, found.position, found.label)]
        return found.at(np.append(True, ~np.logical_and.reduce(same))[: len(found)])

    def labels(self, label: Ints, ground: ItemGround, magnitude: float, rng: np.random.Generator) -> Ints:
        return self._drawn(label, ground, magnitude, rng)

    def tokens(self, versions: Versions, ground: TokenGround, magnitude: float, rng: np.random.Generator) -> Versions:
        """As many different tokens as A leaves."""
        labels = versions.whole.labels.copy()
        perfect, friendly, worst = self.shares(magnitude, _usual(ground))
        many = rounded((1.0 - perfect) * len(labels), rng)
        chosen = rng.choice(len(labels), size=many, replace=False)
        if self.by_prevalence:
            labels[chosen] = ground.pool.labels[rng.integers(len(ground.pool.labels), size=many)]
        elif many:
            rows = ground.rows
            code = np.searchsorted(rows, labels[chosen, 0])
            wrong = self._wrong_rows(friendly, worst, ground) / (friendly + worst)
            labels[chosen, 0] = rows[_by_rows(code, wrong, rng.random(many))]
        return replace(versions, whole=replace(versions.whole, labels=labels))

    def _drawn(self, label: Ints, ground: AnyGround, magnitude: float, rng: np.random.Generator) -> Ints:
        draw = rng.random(len(label))
        if self.by_prevalence:
            found = _by_prevalence(label, ground.prevalence, self.shares(magnitude)[0], draw)
        else:
            found = _by_rows(label, self.matrix(magnitude, ground), draw)
        return np.where(label >= 0, found, -1)  # without label: drawn, and not used

    def wrong(self, magnitude: float, ground: AnyGround) -> float:
        """The share of labels that are wrong."""
        if self.by_prevalence:
            perfect, _, _ = self.shares(magnitude, _usual(ground))
            return float((1.0 - perfect) * (1.0 - ground.prevalence @ ground.prevalence))
        return float(1.0 - ground.prevalence @ np.diag(self.matrix(magnitude, ground)))

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        thing = "type" if isinstance(ground, TextGround) else "label"
        return f"confuse {one_in(self.wrong(magnitude, ground), thing)}"


def _usual(ground: AnyGround) -> float:
    """The power of A: of tokens, m is the share of labels that are drawn again."""
    return 1.0 if isinstance(ground, TokenGround) else 0.5


def _by_prevalence(label: Ints, shares: Floats, perfect: float, draw: Floats) -> Ints:
    """From rows of shares, but for what is perfect: without a matrix, categories may be many."""
    upto = np.cumsum(shares)
    low = (1.0 - perfect) * (upto - shares)[label]
    high = (1.0 - perfect) * upto[label] + perfect
    rest = np.where(draw >= high, draw - perfect, draw) / max(1.0 - perfect, 1e-300)
    drawn = np.minimum(np.searchsorted(upto, rest, side="right"), len(shares) - 1)
    return np.where((draw < low) | (draw >= high), drawn, label)


def _by_rows(label: Ints, matrix: Floats, draw: Floats) -> Ints:
    """From the row of each label."""
    edges = np.cumsum(matrix, axis=1)
    edges[:, -1] = 1.0
    found = np.zeros(len(label), dtype=np.int64)
    for code in np.unique(label).tolist():
        mine = label == code
        found[mine] = np.searchsorted(edges[code], draw[mine], side="right")
    return np.minimum(found, len(matrix) - 1)


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
        if not (min(row) >= 0 and abs(sum(row) - 1) <= 1e-6):  # a NaN is neither
            raise SpecError(f"{what}: row {k + 1} sums to {sum(row):g}; rows are probabilities and sum to 1")
    return rows


def _points(given: object) -> Matrix:
    rows = _rows(given, "category: weights")
    fine = len(rows) > 1 and all(len(row) == 3 and _weighs(*row) for row in rows)
    if not fine or [row[0] for row in rows] != sorted(row[0] for row in rows):
        raise SpecError(
            "category: weights are points [m, weight of A, weight of D] in order of m from 0 to 1, A + D at most 1"
        )
    return rows


def _weighs(m: float, a: float, d: float) -> bool:
    return 0 <= m <= 1 and a >= 0 and d >= 0 and a + d <= 1 + 1e-9
