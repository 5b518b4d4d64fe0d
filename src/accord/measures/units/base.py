"""What every measure on units is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.core.errors import counted
from accord.data.model.corpus import Corpus
from accord.measures.base import Measure


@dataclass(frozen=True, repr=False)
class UnitMeasure(Measure):
    """A measure on units of continua. Its evidence has their `corpus`, and documents are drawn again."""

    data: ClassVar[str] = "units"
    default_interval: ClassVar[str] = "bootstrap"

    def continua(self, evidence: Any) -> Corpus | None:
        found: Corpus = evidence.corpus
        return found


def document_facts(corpus: Corpus, docs: NDArray[np.intp]) -> dict[str, Any]:
    """How many documents there are, and how many of them a measure compares and leaves out."""
    compared = np.zeros(len(corpus.docs), dtype=bool)
    compared[docs] = True
    return {
        "documents": len(corpus.docs),
        "documents_compared": len(docs),
        "left_out": corpus.left_out_but(compared),
    }


def document_notes(left_out: dict[str, int], why: str = "") -> list[str]:
    """What differs between measures; documents of one annotator are left out of all of them, which the data say."""
    empty = left_out["nothing_marked"]
    return [f"{counted(empty, 'document')} in which nobody marked anything left out{why}"] if empty else []
