"""What a shuffle asks of a kind of data: a reference made ready, and data made from what annotators gave."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.answers.consensus.base import Seats
from accord.answers.simulate.grounds import AnyGround
from accord.core.errors import DataError, quoted
from accord.data.model.corpus import Corpus
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import Segmentations
from accord.data.model.texts import Texts

D = TypeVar("D", Corpus, Segmentations, Ratings, Texts)
G = TypeVar("G", bound=AnyGround)


class Drawn(NamedTuple):
    """What an annotator of a set gave; where there are seats, whoever sits on this one."""

    set: int
    annotator: int
    marks: Any


class Shuffler(ABC, Generic[D, G]):
    """Documents are items where data are ratings. Set s of a batch begins at document s · size."""

    def ready(self, data: D) -> D:
        """A reference as it is shuffled."""
        return data

    def size(self, data: D) -> int:
        """How many documents there are."""
        return len(data.names)

    @abstractmethod
    def ground(self, data: D) -> G:
        """The reference as errors see it."""

    def only(self, data: D, name: str) -> D:
        """What one annotator gave."""
        return data.only_annotators((name,))

    def gold(self, gold: D, data: D) -> D:
        """A gold standard as a reference of annotated data: of the same documents."""
        other = sorted({*gold.names} ^ {*data.names})
        if other:
            where = "gold standard" if other[0] in data.names else "annotations"
            raise DataError(f"document {quoted(other[0])} is not in the {where}; both have the same documents")
        return gold

    @abstractmethod
    def fitting(self, ground: G, on_a_line: bool) -> list[str]:
        """The errors that can happen on a reference; `on_a_line`: to a measure that takes no overlaps."""

    def given(self, ground: G, there: NDArray[np.bool_]) -> Any:  # noqa: ARG002 - not all can be made by document
        """What the reference gave of some documents; or of all, and what is too much is left out in the end."""
        return ground.given

    @abstractmethod
    def together(
        self, data: D, ground: G, drawn: Sequence[Drawn], names: tuple[str, ...], sets: int, seats: Seats | None
    ) -> D:
        """What annotators gave, as data like the reference."""

    @abstractmethod
    def one_set(self, batch: D, mine: NDArray[np.bool_]) -> D:
        """Some documents of a batch."""


def named(docs: tuple[str, ...], sets: int) -> tuple[str, ...]:
    """The documents of a batch."""
    return docs if sets == 1 else tuple(f"{s + 1}/{doc}" for s in range(sets) for doc in docs)
