"""Distances between sets of labels (Artstein & Poesio 2008, 4.4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.errors import SpecError
from accord.data.model.labels import Categories, Label
from accord.measures.distances.spaces import Distance, Space

_CELLS = 1 << 20  # cells of the table filled at once
OF_SURVEY, OF_NLTK = "d_P·d_J (Artstein & Poesio 2008)", "1 − J·M (Passonneau 2006, nltk)"
FORMS_OF_MASI = {  # the other form of each name, with the difference in words
    "masi": ("masi_nltk", f"{OF_NLTK} instead of {OF_SURVEY}"),
    "masi_nltk": ("masi", f"{OF_SURVEY} instead of {OF_NLTK}"),
}


@dataclass(frozen=True, repr=False)
class SetDistance(Distance):
    """Labels are sets: `a|b` in a file, frozensets in Python."""

    separator: str = "|"

    up_to_one: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.separator, str) or not self.separator:
            raise SpecError(
                "measure-option", f'{self.name}: the separator must be text, for example {self.name}(separator=";")'
            )

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        sets = [as_set(label, self.separator) for label in categories]
        return self.table(lambda: self.matrix(sets), len(categories))

    def matrix(self, sets: Sequence[frozenset[Label]]) -> Floats:
        """Return the distances between all sets."""
        members = _members(sets)
        size = np.array([len(one) for one in sets], dtype=np.float64)
        found = np.empty((len(sets), len(sets)))
        step = max(1, _CELLS // max(len(sets), 1))
        for at in range(0, len(sets), step):
            rows = slice(at, at + step)
            both = (members[rows] @ members.T).toarray()
            found[rows] = self.between(both, size[rows, None], size)
        return found

    @classmethod
    def between(cls, both: Floats, a: Floats, b: Floats) -> Floats:
        """Return the distances of sets from the sizes of the intersection and of both sets."""
        same = (both == a) & (both == b)
        with np.errstate(invalid="ignore"):  # two empty sets are equal
            return np.where(same, 0.0, cls.apart(both, a, b))

    @staticmethod
    def apart(both: Floats, a: Floats, b: Floats) -> Floats:
        """Return the distances of unequal sets."""
        raise NotImplementedError


def _members(sets: Sequence[frozenset[Label]]) -> Any:
    """Return an incidence table: one row per set, one column per member."""
    from scipy.sparse import csr_array

    number: dict[Label, int] = {}
    column = [number.setdefault(one, len(number)) for members in sets for one in members]
    ends = np.cumsum([0, *map(len, sets)])
    return csr_array((np.ones(len(column)), column, ends), shape=(len(sets), len(number)))


@dataclass(frozen=True, repr=False)
class Jaccard(SetDistance):
    name: ClassVar[str] = "jaccard"
    summary: ClassVar[str] = "sets: 1 − |A∩B|/|A∪B|"

    @staticmethod
    def apart(both: Floats, a: Floats, b: Floats) -> Floats:
        return 1.0 - both / (a + b - both)


@dataclass(frozen=True, repr=False)
class Dice(SetDistance):
    name: ClassVar[str] = "dice"
    summary: ClassVar[str] = "sets: 1 − 2|A∩B|/(|A| + |B|)"

    @staticmethod
    def apart(both: Floats, a: Floats, b: Floats) -> Floats:
        return 1.0 - 2 * both / (a + b)


@dataclass(frozen=True, repr=False)
class Passonneau(SetDistance):
    name: ClassVar[str] = "passonneau"
    summary: ClassVar[str] = "sets (Passonneau 2004): 0 equal, 1/3 subset, 2/3 overlap, 1 disjoint"

    @staticmethod
    def apart(both: Floats, a: Floats, b: Floats) -> Floats:
        return np.where(both == np.minimum(a, b), 1 / 3, np.where(both > 0, 2 / 3, 1.0))


@dataclass(frozen=True, repr=False)
class Masi(SetDistance):
    name: ClassVar[str] = "masi"
    summary: ClassVar[str] = "sets: d_passonneau · d_jaccard, as Artstein & Poesio 2008 (4.4.1) define it"

    @staticmethod
    def apart(both: Floats, a: Floats, b: Floats) -> Floats:
        return Passonneau.apart(both, a, b) * Jaccard.apart(both, a, b)

    def conventions(self) -> tuple[tuple[Distance, str], ...]:
        return ((MasiNltk(self.separator), FORMS_OF_MASI[self.name][1]),)


@dataclass(frozen=True, repr=False)
class MasiNltk(SetDistance):
    name: ClassVar[str] = "masi_nltk"
    summary: ClassVar[str] = "sets: 1 − J·M, as Passonneau 2006 and nltk define MASI"

    @staticmethod
    def apart(both: Floats, a: Floats, b: Floats) -> Floats:
        monotonicity = 1.0 - Passonneau.apart(both, a, b)
        return 1.0 - (1.0 - Jaccard.apart(both, a, b)) * monotonicity

    def conventions(self) -> tuple[tuple[Distance, str], ...]:
        return ((Masi(self.separator), FORMS_OF_MASI[self.name][1]),)


def as_set(label: Label, separator: str = "|") -> frozenset[Label]:
    """Return a label as a set: `a|b` → {a, b}; the empty text is the empty set."""
    if isinstance(label, frozenset):
        return label
    if isinstance(label, str):
        return frozenset(part.strip() for part in label.split(separator) if part.strip())
    return frozenset([label])
