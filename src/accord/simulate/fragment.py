"""Fragmentation: n · x · m times a unit is chosen and split at a random point; fragments may be split again (3.3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.simulate.base import ErrorType
from accord.simulate.columns import Cuts, Ground, Marks, TextGround, rounded


@dataclass(frozen=True, repr=False)
class Fragment(ErrorType):
    """Split units, or segments: as many splits as n · x · m; the paper of 2015 has x = 5."""

    x: float = 1.0

    name: ClassVar[str] = "fragment"
    aliases: ClassVar[tuple[str, ...]] = ("fragmentation", "split", "splits")
    title: ClassVar[str] = "units split into several"

    def __post_init__(self) -> None:
        self._number("x")

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        many = rounded(magnitude * self.x * len(ground.marks), rng)
        parent, start, end = _split(marks.start, marks.end, ground.whole[marks.doc], many, rng)
        return Marks(marks.doc[parent], start, end, marks.label[parent])

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        many = rounded(magnitude * self.x * int(ground.segments.sum()), rng)
        last = ground.lengths
        docs = np.arange(len(last))
        doc = np.concatenate([docs, cuts.doc])
        start = np.concatenate([np.zeros(len(last), dtype=np.int64), cuts.position])
        order = np.lexsort((start, doc))
        doc, start = doc[order], start[order]
        behind = np.append(start[1:], 0)
        closing = np.append(np.diff(doc) > 0, True)
        end = np.where(closing, last[doc], behind)
        _, starts, _ = _split(start.astype(np.float64), end.astype(np.float64), np.ones(len(doc), bool), many, rng)
        new = starts[len(doc) :].astype(np.int64)
        where = _parents(_split_parents(starts, start), doc, len(doc))
        label = np.zeros(len(new), dtype=np.int64)
        return cuts.and_also(Cuts(where, new, label))

    def in_words(self, magnitude: float, ground: Ground | TextGround) -> str:
        thing = "unit" if isinstance(ground, Ground) else "segment"
        return f"make {magnitude * self.x:.2g} splits per {thing}"
