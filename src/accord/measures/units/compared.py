"""Documents with their best alignment: what γ and its kin count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.data.model.corpus import Corpus
from accord.measures.alignment.best import Alignment
from accord.measures.alignment.units import Units
from accord.measures.chance.annotations import Annotations
from accord.measures.dissimilarities import Dissimilarity


@dataclass(frozen=True, eq=False)
class ComparedUnits:
    """The documents of a corpus that can be compared, with their best alignment."""

    corpus: Corpus
    docs: NDArray[np.intp]
    source: Annotations
    units: Units
    alignment: Alignment
    dissimilarity: Dissimilarity

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The documents."""
        return tuple(self.corpus.docs[int(d)] for d in self.docs)
