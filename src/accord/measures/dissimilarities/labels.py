"""Distances between the labels of units, from 0 (the same) to 1 (nothing in common): dist_cat of eq. 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.errors import DataError, UnknownName, quoted
from accord.data.model.labels import Categories
from accord.measures.distances import DISTANCES, Distance, Nominal, chosen_distance
from accord.measures.distances.matrices import Matrix
from accord.measures.distances.spaces import Space

F_CAT = ("identity", "steep")


@dataclass(frozen=True, repr=False)
class Ranks(Distance):
    name: ClassVar[str] = "ordinal"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "steps between two ranks, as a share of all steps"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self.table(lambda: _apart(categories.ranks), len(categories))


@dataclass(frozen=True, repr=False)
class Numeric(Distance):
    name: ClassVar[str] = "numeric"
    needs_numbers: ClassVar[bool] = True
    summary: ClassVar[str] = "|c − k| of numbers, as a share of their range"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self.table(lambda: _apart(categories.values), len(categories))


@dataclass(frozen=True, repr=False)
class Levenshtein(Distance):
    name: ClassVar[str] = "levenshtein"
    up_to_one: ClassVar[bool] = True
    summary: ClassVar[str] = "characters to insert, delete or change, as a share of the longer label"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        from rapidfuzz.distance import Levenshtein as Edits
        from rapidfuzz.process import cdist

        names = categories.names
        return self.table(lambda: cdist(names, names, scorer=Edits.normalized_distance, dtype=np.float64), len(names))


LABEL_DISTANCES: tuple[type[Distance], ...] = (
    Nominal,
    Ranks,
    Numeric,
    Levenshtein,
    *(d for d in DISTANCES if d.name not in {"nominal", "ordinal"}),
)


def label_distance(given: object) -> Distance:
    """A distance between labels of units from its spec, a value, or a matrix."""
    return chosen_distance("distance", given, LABEL_DISTANCES, Matrix)


def label_table(distance: Distance, categories: Categories, f_cat: str = "identity") -> Floats | None:
    """f_cat of the distance between every two categories; None where every two are 1 apart.

    A matrix is taken as it is given (Table 3 of the paper), and so are distances that lie between 0 and 1 by
    definition; others are divided by their largest value.
    """
    if f_cat not in F_CAT:
        raise UnknownName("f_cat", f_cat, F_CAT)
    if isinstance(distance, Nominal) and f_cat == "identity":
        return None
    q = len(categories)
    if distance.needs_numbers and q and not categories.numeric:
        word = categories.names[int(np.argmax(np.isnan(categories.values)))]
        raise DataError(
            f"label {quoted(word)} is not a number, and the {distance.name} distance needs numbers; use ordinal"
        )
    space = distance.space(categories, np.ones(q))
    table = distance.table(lambda: space.to(np.eye(q)), q).matrix if q else np.zeros((0, 0))
    if isinstance(distance, Matrix) and (table > 1).any():
        i, j = np.argwhere(table > 1)[0]
        raise DataError(
            f"{distance.file or 'the matrix'}: {quoted(categories.names[i])} and {quoted(categories.names[j])} are "
            f"{table[i, j]:g} apart; distances between labels lie between 0 and 1 here: divide them by the largest, or "
            "weigh them with categorical=…"
        )
    if not distance.up_to_one and space.scale > 0:
        table = table / space.scale
    return table if f_cat == "identity" else steep(table)


def steep(x: Floats) -> Floats:
    """Footnote 2 of the paper: hardly more than x up to 0.9, infinite at 1, where units cannot align."""
    with np.errstate(divide="ignore"):
        return -np.log1p(-(np.minimum(x, 1.0) ** 30)) + x


def _apart(x: Floats) -> Floats:
    return np.abs(x[:, None] - x)
