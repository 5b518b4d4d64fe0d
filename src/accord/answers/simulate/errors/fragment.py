"""Fragmentation: n · x · m times a unit is chosen and split at a random point; fragments may be split again (3.3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.errors.wording import one_in
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.grounds.columns import Cuts, Ground, Marks, TextGround, rounded
from accord.core.arrays import Floats, Ints


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
        doc = np.concatenate([np.arange(len(ground.lengths)), cuts.doc])
        start = np.concatenate([np.zeros(len(ground.lengths), dtype=np.int64), cuts.position])
        order = np.lexsort((start, doc))
        doc, start = doc[order], start[order]
        last = np.append(np.diff(doc) > 0, True)
        end = np.where(last, ground.lengths[doc], np.append(start[1:], 0))
        whole = np.ones(len(doc), dtype=bool)
        parent, begun, _ = _split(start.astype(np.float64), end.astype(np.float64), whole, many, rng)
        new = begun[len(doc) :].astype(np.int64)
        label = ground.cuts.label[rng.integers(len(ground.cuts), size=len(new))]
        return cuts.and_also(Cuts(doc[parent[len(doc) :]], new, label))

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        thing = "unit" if isinstance(ground, Ground) else "segment"
        rate = magnitude * self.x
        return f"split {one_in(rate, thing)}" if rate < 0.95 else f"make {rate:z.1f} splits per {thing}"


def _split(
    start: Floats, end: Floats, whole: NDArray[np.bool_], many: int, rng: np.random.Generator
) -> tuple[Ints, Floats, Floats]:
    """After that many splits: of each piece the unit it comes from, its start and its end; new pieces come last."""
    starts, ends, parents = start.tolist(), end.tolist(), list(range(len(start)))
    step = whole.tolist()
    can = [u for u in parents if ends[u] - starts[u] > step[u]]  # a unit of one atom cannot be split
    for choice, point in rng.random((many, 2)).tolist():
        if not can:
            break
        at = int(choice * len(can))
        piece = can[at]
        a, b, unit = starts[piece], ends[piece], parents[piece]
        cut = a + 1 + int(point * (b - a - 1)) if step[unit] else a + point * (b - a)
        ends[piece] = cut
        starts.append(cut)
        ends.append(b)
        parents.append(unit)
        if not cut - a > step[unit]:
            can[at] = can[-1]
            can.pop()
        if b - cut > step[unit]:
            can.append(len(starts) - 1)
    return np.array(parents, dtype=np.int64), np.array(starts), np.array(ends)
