"""What every distance between labels is: a frozen value whose repr is its spec."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from accord.core.arrays import Floats
from accord.core.errors import SpecError, quoted
from accord.core.spec import Named
from accord.data.model.labels import Categories
from accord.measures.distances.spaces import LARGEST_TABLE, DistanceTable, Lines, Space


@dataclass(frozen=True, repr=False)
class Distance(Named):
    """Base of all distances and weights."""

    needs_numbers: ClassVar[bool] = False  # labels must be numbers
    uses_order: ClassVar[bool] = False  # words are taken in their order
    depends_on_data: ClassVar[bool] = False  # the distance itself changes with the marginals
    up_to_one: ClassVar[bool] = False  # it lies between 0 and 1 whatever the categories
    summary: ClassVar[str] = ""

    def space(self, categories: Categories, marginals: Floats) -> Space:
        """`marginals`: how often each category occurs on items with two labels or more."""
        raise NotImplementedError

    def lines(self, marginals: Floats) -> Lines:
        """Of many tables at once, where the distance depends on data: a column of marginals each."""
        raise NotImplementedError

    def space_of_two(self, categories: Categories, marginals: Floats) -> Space:
        """The same for two annotators of whom one is the first: only there it may matter who gave which label."""
        return self.space(categories, marginals)

    def table(self, matrix: Callable[[], Floats], q: int) -> DistanceTable:
        if q > LARGEST_TABLE:
            raise SpecError(
                f"{self} compares every two of {q:,} different labels, more than {LARGEST_TABLE:,}; "
                "round the numbers, or use nominal, ordinal, interval or quadratic, which need no table"
            )
        return DistanceTable(matrix())


def check_file_name(name: str, file: object) -> None:
    if not isinstance(file, str):
        raise SpecError(f'{name}: name a file, {name}("file.csv"), not {quoted(file)}')
