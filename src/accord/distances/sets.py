"""Distances between sets of labels (Artstein & Poesio 2008, 4.4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.arrays import Floats
from accord.distances.base import Distance
from accord.distances.spaces import Space
from accord.errors import SpecError
from accord.model.labels import Categories, Label


@dataclass(frozen=True, repr=False)
class SetDistance(Distance):
    """Labels are sets: `a|b` in a file, frozensets in Python."""

    separator: str = "|"

    up_to_one: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.separator, str) or not self.separator:
            raise SpecError(f'{self.name}: the separator is text, for example {self.name}(separator=";")')

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        sets = [as_set(label, self.separator) for label in categories]
        return self.table(lambda: self.matrix(sets), len(categories))

    def matrix(self, sets: Sequence[frozenset[Label]]) -> Floats:
        return np.array([[0.0 if a == b else self.between(a, b) for b in sets] for a in sets]).reshape(len(sets), -1)

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class Jaccard(SetDistance):
    name: ClassVar[str] = "jaccard"
    summary: ClassVar[str] = "sets: 1 − |A∩B|/|A∪B|"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        return 1.0 - len(a & b) / len(a | b)


@dataclass(frozen=True, repr=False)
class Dice(SetDistance):
    name: ClassVar[str] = "dice"
    summary: ClassVar[str] = "sets: 1 − 2|A∩B|/(|A| + |B|)"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        return 1.0 - 2 * len(a & b) / (len(a) + len(b))


@dataclass(frozen=True, repr=False)
class Passonneau(SetDistance):
    name: ClassVar[str] = "passonneau"
    summary: ClassVar[str] = "sets (Passonneau 2004): 0 equal, 1/3 subset, 2/3 overlap, 1 disjoint"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        if a <= b or b <= a:
            return 1 / 3
        return 2 / 3 if a & b else 1.0


@dataclass(frozen=True, repr=False)
class Masi(SetDistance):
    name: ClassVar[str] = "masi"
    summary: ClassVar[str] = "sets: d_passonneau · d_jaccard, as Artstein & Poesio 2008 (4.4.1) define it"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        return Passonneau().between(a, b) * Jaccard().between(a, b)


@dataclass(frozen=True, repr=False)
class MasiNltk(SetDistance):
    name: ClassVar[str] = "masi_nltk"
    summary: ClassVar[str] = "sets: 1 − J·M, as Passonneau 2006 and nltk define MASI"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        monotonicity = 1.0 - Passonneau().between(a, b)
        return 1.0 - (1.0 - Jaccard().between(a, b)) * monotonicity


def as_set(label: Label, separator: str = "|") -> frozenset[Label]:
    """A label as a set: `a|b` → {a, b}; the empty text is the empty set."""
    if isinstance(label, frozenset):
        return label
    if isinstance(label, str):
        return frozenset(part.strip() for part in label.split(separator) if part.strip())
    return frozenset([label])
