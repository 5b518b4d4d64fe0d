"""Shifts: every boundary is moved by a random distance (2012, 3.3.4; 2015, 6.3.1 and 6.3.4).

A boundary that would leave the document comes back as far as it went out, and two boundaries of a unit that change
sides change their roles. Whole positions stay whole, and a unit then keeps at least one atom. Without overlap, all
boundaries of a document keep their order: they are moved freely, then sorted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.answers.simulate.errors.base import ErrorType, noun
from accord.answers.simulate.errors.wording import part_of
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.grounds.columns import Cuts, Ground, Marks, TextGround
from accord.core.arrays import Floats, Ints
from accord.core.errors import DataError, SpecError, quoted

FORMS = (2012, 2015)


@dataclass(frozen=True, repr=False)
class Shift(ErrorType):
    """Moved by at most m · x times the mean length of the category (2012), or the length of the unit (2015)."""

    form: int = 2012
    x: float = 2.0
    overlap: bool = True

    name: ClassVar[str] = "shift"
    aliases: ClassVar[tuple[str, ...]] = ("position",)
    title: ClassVar[str] = "moved boundaries"
    source: ClassVar[str] = "Mathet et al. 2012, 3.3.4; Mathet et al. 2015, 6.3"

    def __post_init__(self) -> None:
        self._number("x")
        self._truth("overlap")
        if self.form not in FORMS:
            raise SpecError(f"shift: form is {' or '.join(map(str, FORMS))}, not {quoted(self.form)}")

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        q = len(ground.categories) + 1
        scale = ground.mean_length[marks.label % q] if self.form == 2012 else marks.length
        most = scale * magnitude * self.x
        move = rng.uniform(-1.0, 1.0, size=(2, len(marks))) * most
        move = np.where(ground.whole[marks.doc], np.rint(move), move)
        return _free(marks, ground, move) if self.overlap else _in_order(marks, ground, move)

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        """Boundaries never coincide: there are as many after as before."""
        scale = ground.mean_length[cuts.doc] if self.form == 2012 else _around(cuts, ground)
        move = np.rint(rng.uniform(-1.0, 1.0, size=len(cuts)) * scale * magnitude * self.x).astype(np.int64)
        rank = _rank(cuts.doc)
        last = ground.lengths - 1 - np.maximum(np.bincount(cuts.doc, minlength=len(ground.lengths)) - 1, 0)
        moved = _reflected(cuts.position - rank + move, np.ones_like(cuts.doc), last[cuts.doc])
        order = np.lexsort((moved, cuts.doc))
        return Cuts(cuts.doc, (moved[order] + rank).astype(np.int64), cuts.label)

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        thing = "unit" if noun(ground) == "unit" else "segment"
        return f"shift boundaries by {part_of(magnitude * self.x / 2, thing)}"


def _free(marks: Marks, ground: Ground, move: Floats) -> Marks:
    low, high = ground.begin[marks.doc], ground.end[marks.doc]
    one, other = (_reflected(side + by, low, high) for side, by in zip((marks.start, marks.end), move, strict=True))
    start, end = np.minimum(one, other), np.maximum(one, other)
    flat = ground.whole[marks.doc] & (start == end) & (marks.length > 0)
    at_end = flat & (end >= high)
    start = np.where(at_end, start - 1, start)
    end = np.where(flat & ~at_end, end + 1, end)
    return Marks(marks.doc, start, end, marks.label)


def _in_order(marks: Marks, ground: Ground, move: Floats) -> Marks:
    """Every unit gives up an atom, the boundaries are moved and sorted, and it gets the atom back."""
    marks, move = _sorted(marks, move)
    if (marks.start[1:] < marks.end[:-1])[marks.doc[1:] == marks.doc[:-1]].any():
        raise DataError("shift(overlap=false) keeps units apart, and units of the reference overlap; use shift")
    rank, atom = _rank(marks.doc), (ground.whole[marks.doc] & (marks.length > 0)).astype(np.float64)
    before = np.cumsum(atom) - atom  # atoms given up, of the units before in the same document
    before -= before[np.arange(len(atom)) - rank] if len(atom) else before
    given = np.bincount(marks.doc, weights=atom, minlength=len(ground.begin))
    low, high = ground.begin[marks.doc], (ground.end - given)[marks.doc]
    sides = [_reflected(marks.start - before + move[0], low, high),
             _reflected(marks.end - before - atom + move[1], low, high)]  # fmt: skip
    both = np.stack(sides, axis=1).ravel()
    doc = np.repeat(marks.doc, 2)
    both = both[np.lexsort((both, doc))]
    return Marks(marks.doc, both[::2] + before, both[1::2] + before + atom, marks.label)


def _sorted(marks: Marks, move: Floats) -> tuple[Marks, Floats]:
    order = np.lexsort((marks.end, marks.start, marks.doc))
    return marks.at(order), move[:, order]


def _rank(doc: Ints) -> Ints:
    """The number of each row within its document; rows are sorted by document."""
    return np.arange(len(doc)) - np.searchsorted(doc, doc, side="left")


def _around(cuts: Cuts, ground: TextGround) -> Floats:
    """The mean length of the two segments that a boundary stands between."""
    same = cuts.doc[1:] == cuts.doc[:-1]
    before, behind = np.zeros(len(cuts)), ground.lengths[cuts.doc].astype(np.float64)
    before[1:][same] = cuts.position[:-1][same]
    behind[:-1][same] = cuts.position[1:][same]
    return (behind - before) / 2


def _reflected(place: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """What goes out of [low, high] comes back as far as it went out."""
    room = high - low
    turn = np.where(room > 0, 2 * room, 1)
    inside = (place - low) % turn
    back = np.where(room > 0, np.minimum(inside, turn - inside), 0)
    return np.where((place >= low) & (place <= high), place, low + back)
