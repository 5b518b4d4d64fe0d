"""The CoNLL score: the mean of MUC, B³ and entity CEAF."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.measures.chains.b_cubed import BCubed
from accord.measures.chains.ceaf import CeafE
from accord.measures.chains.crossed import Crossed
from accord.measures.chains.muc import Muc
from accord.measures.chains.pairwise import PairedChainMeasure

_OF = (Muc(), BCubed(), CeafE())
_CUTS = (0, 2, 6, 8)  # where the numbers of each begin


@dataclass(frozen=True, repr=False)
class Conll(PairedChainMeasure):
    """Denis & Baldridge 2009; Pradhan et al. 2012. Of each pair of annotators, the mean of three F1."""

    name: ClassVar[str] = "conll"
    symbol: ClassVar[str] = "CoNLL"
    title: ClassVar[str] = "CoNLL score between annotators"
    source: ClassVar[str] = "Pradhan, Moschitti, Xue, Uryupina & Zhang 2012"

    def counts(self, crossed: Crossed) -> tuple[float, ...]:
        return tuple(number for one in _OF for number in one.counts(crossed))

    def quotient(self, sums: Floats) -> Floats:
        each = [one.quotient(sums[..., low:high]) for one, (low, high) in zip(_OF, pairwise(_CUTS), strict=True)]
        mean: Floats = np.mean(each, axis=0)
        return mean
