"""Simulated errors of annotators: frozen values with a spec, which change the annotations of one annotator.

Errors of units, boundaries and labels follow Mathet et al. 2012, 3.3 (and 2015, 6.3); errors of texts follow Barteld et
al. 2016, 6 and 7. `ERRORS`, at the end, lists them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.answers.simulate.grounds import (
    THINGS,
    AnyGround,
    Cuts,
    Ground,
    ItemGround,
    Marks,
    TextGround,
    TokenGround,
    rounded,
)
from accord.core.arrays import Floats, Ints
from accord.core.errors import DataError, SpecError, quoted
from accord.core.spec import Call, Named, build, parse
from accord.core.typed import is_number
from accord.measures.chance.text_edits import TextVersion, Versions, resegment, text_changed


@dataclass(frozen=True, repr=False)
class ErrorType(Named):
    """An error with a method for each kind of data it can affect."""

    title: ClassVar[str]
    source: ClassVar[str] = "Mathet et al. 2012, 3.3"
    in_place: ClassVar[bool] = False  # units keep their positions, so measures on items can judge the labels
    of_texts: ClassVar[bool] = False  # affects texts only
    same_text: ClassVar[bool] = True  # texts are unchanged, so measures on units can judge their tokens

    @property
    def single(self) -> tuple[ErrorType, ...]:
        """The errors it consists of."""
        return (self,)

    def magnitudes(self, magnitude: float) -> tuple[float, ...]:
        """Magnitude of each error it consists of."""
        return (magnitude,)

    def check(self, ground: AnyGround) -> None:
        """Refuse a reference of the right kind that lacks what this error needs."""

    @classmethod
    def fits(cls, ground: AnyGround) -> bool:
        """Whether there is a method for this kind of data."""
        return getattr(cls, ground.way) is not getattr(ErrorType, ground.way)

    def onto(self, what: Any, ground: AnyGround, magnitude: float, rng: np.random.Generator) -> Any:
        """Apply the error to data of any kind."""
        return getattr(self, ground.way)(what, ground, magnitude, rng)

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        raise NotImplementedError

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        raise NotImplementedError

    def labels(self, label: Ints, ground: ItemGround, magnitude: float, rng: np.random.Generator) -> Ints:
        raise NotImplementedError

    def tokens(self, versions: Versions, ground: TokenGround, magnitude: float, rng: np.random.Generator) -> Versions:
        raise NotImplementedError

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        """What an annotator of this magnitude does, as the end of "annotators who each …"."""
        raise NotImplementedError

    def _number(self, field: str) -> None:
        value = getattr(self, field)
        if not is_number(value) or value <= 0:
            raise SpecError("option-value", f"{self.name}: {field} must be a number above 0, not {quoted(value)}")

    def _truth(self, field: str) -> None:
        if not isinstance(getattr(self, field), bool):
            raise SpecError(
                "option-value", f"{self.name}: {field} must be true or false, not {quoted(getattr(self, field))}"
            )


_PARTS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth",
          10: "tenth"}  # fmt: skip
_NEAR = 0.08  # relative tolerance
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def one_in(rate: float, thing: str) -> str:
    """0.2 → "1 unit in 5"; 0.286 → "2 units in 7"."""
    plural = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    if rate <= 0:
        return f"no {thing}"
    if rate >= 0.95:
        return f"every {thing}"
    if rate < 0.1:
        return f"1 {thing} in {round(1 / rate)}"
    near = _simple(rate)
    return f"{near.numerator} {thing if near.numerator == 1 else plural} in {near.denominator}"


def part_of(share: float, thing: str) -> str:
    """0.33 → "a third of a unit"."""
    if share >= 0.95:
        return f"{share:z.1f} times the length of a {thing}"
    if share < 0.08:
        return f"{share:.1%} of a {thing}"
    near = _simple(share)
    part = _PARTS[near.denominator]
    if near.numerator == 1:
        return f"half a {thing}" if near.denominator == 2 else f"a{'n' if part[0] == 'e' else ''} {part} of a {thing}"
    return f"{_COUNTS[near.numerator]} {part}s of a {thing}"


def _simple(value: float) -> Fraction:
    """Return the fraction with the smallest denominator that is close enough."""
    for below in range(2, 10):
        near = Fraction(round(value * below), below)
        if near.denominator > 1 and abs(float(near) - value) <= _NEAR * value:
            return near
    return Fraction(value).limit_denominator(10)


def number_in_words(n: int) -> str:
    """Small numbers as words."""
    return _COUNTS[n] if 0 <= n < len(_COUNTS) else f"{n:,}"


@dataclass(frozen=True, repr=False)
class FalseNegative(ErrorType):
    """Each unit, boundary or label is missed with probability m; at magnitude 1 none is left (2012, 3.3.1)."""

    name: ClassVar[str] = "false_negative"
    aliases: ClassVar[tuple[str, ...]] = ("fn", "miss")
    title: ClassVar[str] = "missed units, boundaries or labels"

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:  # noqa: ARG002
        return marks.at(rng.random(len(marks)) >= magnitude)

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:  # noqa: ARG002
        return cuts.at(rng.random(len(cuts)) >= magnitude)

    def labels(self, label: Ints, ground: ItemGround, magnitude: float, rng: np.random.Generator) -> Ints:  # noqa: ARG002
        return np.where(rng.random(len(label)) >= magnitude, label, -1)

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        return f"miss {one_in(magnitude, ground.thing)}"


@dataclass(frozen=True, repr=False)
class FalsePositive(ErrorType):
    """Added units: document, label and length of a random unit of the reference, at a random position of its document.

    m · x · n units, or boundaries at random positions, are added (2012, 3.3.2). Without overlap the position is one
    that no unit covers, and a unit that fits nowhere is not added.
    """

    x: float = 1.0
    overlap: bool = True

    name: ClassVar[str] = "false_positive"
    aliases: ClassVar[tuple[str, ...]] = ("fp", "insertion")
    title: ClassVar[str] = "added units or boundaries"

    def __post_init__(self) -> None:
        self._number("x")
        self._truth("overlap")

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        many = rounded(magnitude * self.x * len(ground.marks), rng)
        like = ground.marks.at(rng.integers(len(ground.marks), size=many))
        if not self.overlap:
            return marks.and_also(_between(marks, like, ground, rng.random(many)))
        whole = ground.whole[like.doc]
        room = np.maximum(ground.end[like.doc] - ground.begin[like.doc] - like.length, 0.0)
        move = rng.random(many) * (room + whole)  # whole positions: 0 … room, equally likely
        start = ground.begin[like.doc] + np.where(whole, np.floor(move), move)
        return marks.and_also(Marks(like.doc, start, start + like.length, like.label))

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        many = rounded(magnitude * self.x * len(ground.cuts), rng)
        doc, position = _free(cuts, ground)
        chosen = rng.choice(len(position), size=min(many, len(position)), replace=False, shuffle=False)
        label = ground.cuts.label[rng.integers(len(ground.cuts), size=len(chosen))]
        return cuts.and_also(Cuts(doc[chosen], position[chosen], label))

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        what = ground.thing
        rate = magnitude * self.x
        if rate >= 0.95:
            return f"add {rate:z.1f} for each true {what}"
        if rate <= 0:
            return f"add no {what}"
        return f"add {one_in(rate, what).replace(' in ', ' for every ')} true ones"


def _between(marks: Marks, like: Marks, ground: Ground, where: Floats) -> Marks:
    """Place units one by one into the gaps between earlier units."""
    taken = [(marks.start[marks.doc == d], marks.end[marks.doc == d]) for d in range(len(ground.begin))]
    starts = np.full(len(like), np.nan)
    for k, (doc, length, share) in enumerate(zip(like.doc.tolist(), like.length.tolist(), where.tolist(), strict=True)):
        left = np.concatenate([[ground.begin[doc]], np.sort(taken[doc][1])])
        right = np.append(np.sort(taken[doc][0]), ground.end[doc])
        whole = bool(ground.whole[doc])
        places = np.maximum(right - left - length + whole, 0.0)  # whole positions: 0 … room, equally likely
        behind = np.cumsum(places)
        if not behind[-1] > 0:
            continue
        at = share * behind[-1]
        gap = int(np.searchsorted(behind, at, side="right"))
        move = at - (behind[gap] - places[gap])
        starts[k] = left[gap] + (np.floor(move) if whole else move)
        taken[doc] = np.append(taken[doc][0], starts[k]), np.append(taken[doc][1], starts[k] + length)
    fits = ~np.isnan(starts)
    like, starts = like.at(fits), starts[fits]
    return Marks(like.doc, starts, starts + like.length, like.label)


def _free(cuts: Cuts, ground: TextGround) -> tuple[Ints, Ints]:
    """All positions without a boundary."""
    places = ground.lengths - 1
    before = np.cumsum(places) - places
    free = np.ones(int(places.sum()), dtype=bool)
    free[before[cuts.doc] + cuts.position - 1] = False
    at = np.flatnonzero(free)
    doc = np.repeat(np.arange(len(places)), places)[at]
    return doc, at - before[doc] + 1


@dataclass(frozen=True, repr=False)
class Fragment(ErrorType):
    """Split units or segments: n · x · m splits at random points, also of fragments (2012, 3.3.3).

    The paper of 2015 uses x = 5.
    """

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
    """Split units; return parent, start and end of each piece, new pieces last."""
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


FORMS = (2012, 2015)


@dataclass(frozen=True, repr=False)
class Shift(ErrorType):
    """Move boundaries by at most m · x times the mean length of the category (2012), or the length of the unit (2015).

    A boundary that would leave the document is reflected at its end. If the two boundaries of a unit cross, they swap
    roles. Whole positions stay whole, and a unit keeps at least one atom. Without overlap, all boundaries of a document
    keep their order: they are moved freely, then sorted (2012, 3.3.4; 2015, 6.3.1 and 6.3.4).
    """

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
            raise SpecError(
                "option-value", f"shift: form must be {' or '.join(map(str, FORMS))}, not {quoted(self.form)}"
            )

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        q = len(ground.categories) + 1
        scale = ground.mean_length[marks.label % q] if self.form == 2012 else marks.length
        most = scale * magnitude * self.x
        move = rng.uniform(-1.0, 1.0, size=(2, len(marks))) * most
        move = np.where(ground.whole[marks.doc], np.rint(move), move)
        return _free_for_shift(marks, ground, move) if self.overlap else _in_order(marks, ground, move)

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        """Move boundaries to distinct positions, so that their number is unchanged."""
        scale = ground.mean_length[cuts.doc] if self.form == 2012 else _around(cuts, ground)
        move = np.rint(rng.uniform(-1.0, 1.0, size=len(cuts)) * scale * magnitude * self.x).astype(np.int64)
        rank = _rank(cuts.doc)
        last = ground.lengths - 1 - np.maximum(np.bincount(cuts.doc, minlength=len(ground.lengths)) - 1, 0)
        moved = _reflected(cuts.position - rank + move, np.ones_like(cuts.doc), last[cuts.doc])
        order = np.lexsort((moved, cuts.doc))
        return Cuts(cuts.doc, (moved[order] + rank).astype(np.int64), cuts.label)

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        thing = "unit" if ground.thing == "unit" else "segment"
        return f"shift boundaries by {part_of(magnitude * self.x / 2, thing)}"


def _free_for_shift(marks: Marks, ground: Ground, move: Floats) -> Marks:
    low, high = ground.begin[marks.doc], ground.end[marks.doc]
    one, other = (_reflected(side + by, low, high) for side, by in zip((marks.start, marks.end), move, strict=True))
    start, end = np.minimum(one, other), np.maximum(one, other)
    flat = ground.whole[marks.doc] & (start == end) & (marks.length > 0)
    at_end = flat & (end >= high)
    start = np.where(at_end, start - 1, start)
    end = np.where(flat & ~at_end, end + 1, end)
    return Marks(marks.doc, start, end, marks.label)


def _in_order(marks: Marks, ground: Ground, move: Floats) -> Marks:
    """Take an atom from each unit, move and sort the boundaries, and return the atoms."""
    marks, move = _sorted(marks, move)
    if (marks.start[1:] < marks.end[:-1])[marks.doc[1:] == marks.doc[:-1]].any():
        raise DataError(
            "measure-for-other-data",
            "shift(overlap=false) needs a reference without overlapping units; use --error shift",
        )
    rank, atom = _rank(marks.doc), (ground.whole[marks.doc] & (marks.length > 0)).astype(np.float64)
    before = np.cumsum(atom) - atom  # atoms taken from earlier units of the same document
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
    """Number of each row within its document; rows are sorted by document."""
    return np.arange(len(doc)) - np.searchsorted(doc, doc, side="left")


def _around(cuts: Cuts, ground: TextGround) -> Floats:
    """Mean length of the two segments next to a boundary."""
    same = cuts.doc[1:] == cuts.doc[:-1]
    before, behind = np.zeros(len(cuts)), ground.lengths[cuts.doc].astype(np.float64)
    before[1:][same] = cuts.position[:-1][same]
    behind[:-1][same] = cuts.position[1:][same]
    return (behind - before) / 2


def _reflected(place: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Reflect values at the ends of [low, high]."""
    room = high - low
    turn = np.where(room > 0, 2 * room, 1)
    inside = (place - low) % turn
    back = np.where(room > 0, np.minimum(inside, turn - inside), 0)
    return np.where((place >= low) & (place <= high), place, low + back)


Matrix = tuple[tuple[float, ...], ...]
# Table 1 of the paper: Noun, Verb, Adj, Prep.
FRIENDLY: Matrix = ((0, 0.8, 0.15, 0.05), (0.8, 0, 0, 0.2), (0.15, 0.1, 0, 0.75), (0.05, 0.2, 0.75, 0))


@dataclass(frozen=True, repr=False)
class Category(ErrorType):
    """Wrong labels. `power`: the weight of A is (1 − m)^power; `weights`: points (m, A, D) of custom curves.

    Labels are drawn from an average of three matrices (2012, 3.3.5): the perfect matrix A, with all labels correct; the
    worst matrix, with random labels by the prevalence of the categories (B) or uniform (C); and, with `overlap`, the
    matrix D, which confuses similar categories.

    The paper plots the weights without a formula. Its only number is 95% of A at m = 0.1 without overlap, which
    A = √(1 − m) matches (94.9%); with overlap A = 1 − m. D and the worst matrix share the rest: D gets (1 − m²) of it,
    so that its weight is 0 at both ends.

    Labels of tokens follow Barteld et al. 2016, 7: A = 1 − m, and m · n different tokens get labels of the reference,
    all features of a token together.
    """

    prevalence: bool = True
    overlap: bool = False
    worst: Matrix | None = None
    friendly: Matrix | None = None
    power: float | None = None
    weights: Matrix | None = None

    name: ClassVar[str] = "category"
    aliases: ClassVar[tuple[str, ...]] = ("categories", "label")
    title: ClassVar[str] = "wrong labels"
    in_place: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._truth("prevalence")
        self._truth("overlap")
        if self.power is not None:
            self._number("power")
        for field in ("worst", "friendly"):
            if getattr(self, field) is not None:
                object.__setattr__(self, field, _stochastic(getattr(self, field), f"category: {field}"))
        if self.weights is not None:
            object.__setattr__(self, "weights", _points(self.weights))
        self._check_used()

    def _check_used(self) -> None:
        """Refuse options that have no effect with another option."""
        if self.weights is not None and self.power is not None:
            raise SpecError(
                "measure-option", "category: power and weights both set the weight of correct labels; use one of them"
            )
        if self.overlap:
            return
        if self.friendly is not None:
            raise SpecError(
                "option-missing", "category: friendly is a matrix of overlapping categories; add overlap=true"
            )
        if self.weights is not None and any(d > 0 for _, _, d in self.weights):
            raise SpecError(
                "option-missing",
                "category: D is a matrix of overlapping categories; add overlap=true, or set D to 0",
            )

    def check(self, ground: AnyGround) -> None:
        q = len(ground.categories)
        if isinstance(ground, TextGround) and q < 2:
            raise DataError(
                "measure-for-other-data",
                "category errors need labels, and these boundaries have no types; use --error shift",
            )
        if isinstance(ground, TokenGround) and len(ground.features) > 1 and not self.by_prevalence:
            raise DataError(
                "measure-for-other-data",
                "category: its options cannot be used with several features, which are drawn together; use --error "
                "category",
            )
        if q < 2:
            raise DataError(
                "measure-for-other-data",
                f"category errors need at least two categories, and the reference has {q or 'no labels'}; use another "
                "--error",
            )
        for field in ("worst", "friendly"):
            matrix = getattr(self, field)
            if matrix is not None and len(matrix) != q:
                raise DataError(
                    "measure-for-other-data",
                    f"category: {field} has {len(matrix)} rows, and needs one for each of the {q} categories of the "
                    "reference",
                )

    @property
    def by_prevalence(self) -> bool:
        """Whether wrong labels follow the prevalence of the reference, so that no matrix is needed."""
        return self.prevalence and not self.overlap and self.worst is None

    def shares(self, magnitude: float, usual: float = 0.5) -> tuple[float, float, float]:
        """Return the weights of A, D and the worst matrix; `usual` is the power without overlap."""
        if self.weights is not None:
            at, a, d = np.array(self.weights).T
            perfect, friendly = float(np.interp(magnitude, at, a)), float(np.interp(magnitude, at, d))
            friendly = friendly if self.overlap else 0.0
        else:
            power = self.power if self.power is not None else 1.0 if self.overlap else usual
            perfect = (1.0 - magnitude) ** power
            friendly = (1.0 - perfect) * (1.0 - magnitude**2) if self.overlap else 0.0
        return perfect, friendly, 1.0 - perfect - friendly

    def matrix(self, magnitude: float, ground: AnyGround) -> Floats:
        """Probability of each label (column) for each category of the reference (row)."""
        perfect, friendly, worst = self.shares(magnitude, _usual(ground))
        return perfect * np.eye(len(ground.categories)) + self._wrong_rows(friendly, worst, ground)

    def _wrong_rows(self, friendly: float, worst: float, ground: AnyGround) -> Floats:
        q = len(ground.categories)
        row = ground.prevalence if self.prevalence else np.full(q, 1 / q)
        at_worst = np.array(self.worst) if self.worst is not None else np.tile(row, (q, 1))
        near = np.array(self.friendly) if self.friendly is not None else friends(q)
        return friendly * near + worst * at_worst

    def units(self, marks: Marks, ground: Ground, magnitude: float, rng: np.random.Generator) -> Marks:
        return Marks(marks.doc, marks.start, marks.end, self._drawn(marks.label, ground, magnitude, rng))

    def boundaries(self, cuts: Cuts, ground: TextGround, magnitude: float, rng: np.random.Generator) -> Cuts:
        """Relabel boundaries; a position keeps at most one boundary of each type."""
        relabelled = Cuts(cuts.doc, cuts.position, self._drawn(cuts.label, ground, magnitude, rng))
        relabelled = relabelled.at(np.lexsort((relabelled.label, relabelled.position, relabelled.doc)))
        same = [np.diff(column) == 0 for column in (relabelled.doc, relabelled.position, relabelled.label)]
        return relabelled.at(np.append(True, ~np.logical_and.reduce(same))[: len(relabelled)])

    def labels(self, label: Ints, ground: ItemGround, magnitude: float, rng: np.random.Generator) -> Ints:
        return self._drawn(label, ground, magnitude, rng)

    def tokens(self, versions: Versions, ground: TokenGround, magnitude: float, rng: np.random.Generator) -> Versions:
        """Relabel a share of 1 − A of the tokens."""
        labels = versions.whole.labels.copy()
        perfect, friendly, worst = self.shares(magnitude, _usual(ground))
        many = rounded((1.0 - perfect) * len(labels), rng)
        chosen = rng.choice(len(labels), size=many, replace=False)
        if self.by_prevalence:
            labels[chosen] = ground.pool.labels[rng.integers(len(ground.pool.labels), size=many)]
        elif many:
            rows = ground.rows
            code = np.searchsorted(rows, labels[chosen, 0])
            wrong = self._wrong_rows(friendly, worst, ground) / (friendly + worst)
            labels[chosen, 0] = rows[_by_rows(code, wrong, rng.random(many))]
        return replace(versions, whole=replace(versions.whole, labels=labels))

    def _drawn(self, label: Ints, ground: AnyGround, magnitude: float, rng: np.random.Generator) -> Ints:
        draw = rng.random(len(label))
        if self.by_prevalence:
            drawn = _by_prevalence(label, ground.prevalence, self.shares(magnitude)[0], draw)
        else:
            drawn = _by_rows(label, self.matrix(magnitude, ground), draw)
        return np.where(label >= 0, drawn, -1)  # unlabelled units: drawn and discarded

    def wrong(self, magnitude: float, ground: AnyGround) -> float:
        """Return the share of wrong labels."""
        if self.by_prevalence:
            perfect, _, _ = self.shares(magnitude, _usual(ground))
            return float((1.0 - perfect) * (1.0 - ground.prevalence @ ground.prevalence))
        return float(1.0 - ground.prevalence @ np.diag(self.matrix(magnitude, ground)))

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        thing = "type" if isinstance(ground, TextGround) else "label"
        return f"confuse {one_in(self.wrong(magnitude, ground), thing)}"


def _usual(ground: AnyGround) -> float:
    """Return the default power of A; for tokens, m is the share of relabelled tokens."""
    return 1.0 if isinstance(ground, TokenGround) else 0.5


def _by_prevalence(label: Ints, shares: Floats, perfect: float, draw: Floats) -> Ints:
    """Draw labels from the shares, without a matrix, because there may be many categories."""
    upto = np.cumsum(shares)
    low = (1.0 - perfect) * (upto - shares)[label]
    high = (1.0 - perfect) * upto[label] + perfect
    rest = np.where(draw >= high, draw - perfect, draw) / max(1.0 - perfect, 1e-300)
    drawn = np.minimum(np.searchsorted(upto, rest, side="right"), len(shares) - 1)
    return np.where((draw < low) | (draw >= high), drawn, label)


def _by_rows(label: Ints, matrix: Floats, draw: Floats) -> Ints:
    """Draw from the row of each label."""
    edges = np.cumsum(matrix, axis=1)
    edges[:, -1] = 1.0
    chosen = np.zeros(len(label), dtype=np.int64)
    for code in np.unique(label).tolist():
        mine = label == code
        chosen[mine] = np.searchsorted(edges[code], draw[mine], side="right")
    return np.minimum(chosen, len(matrix) - 1)


def friends(q: int) -> Floats:
    """D: the paper's matrix for four categories; else neighbours, each further step a quarter as often."""
    if q == 4:
        return np.array(FRIENDLY)
    apart = np.abs(np.arange(q)[:, None] - np.arange(q))
    near = np.where(apart > 0, 0.25**apart, 0.0)
    return near / near.sum(axis=1, keepdims=True)


def _rows(given: object, what: str) -> Matrix:
    try:
        rows = tuple(tuple(float(v) for v in row) for row in given)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise SpecError("option-value", f"{what} must be a list of rows of numbers, not {quoted(given)}") from None
    return rows


def _stochastic(given: object, what: str) -> Matrix:
    rows = _rows(given, what)
    for k, row in enumerate(rows):
        if len(row) != len(rows):
            raise SpecError(
                "option-value",
                f"{what}: row {k + 1} has {len(row)} numbers, and the matrix has {len(rows)} rows; both must be equal",
            )
        if not (min(row) >= 0 and abs(sum(row) - 1) <= 1e-6):  # also false for NaN
            raise SpecError(
                "option-value", f"{what}: row {k + 1} sums to {sum(row):g}; rows must be probabilities with a sum of 1"
            )
    return rows


def _points(given: object) -> Matrix:
    rows = _rows(given, "category: weights")
    fine = len(rows) > 1 and all(len(row) == 3 and _weighs(*row) for row in rows)
    if not fine or [row[0] for row in rows] != sorted(row[0] for row in rows):
        raise SpecError(
            "option-value",
            "category: weights must be points [m, weight of A, weight of D] in order of m from 0 to 1, with A + D at "
            "most 1",
        )
    return rows


def _weighs(m: float, a: float, d: float) -> bool:
    return 0 <= m <= 1 and a >= 0 and d >= 0 and a + d <= 1 + 1e-9


@dataclass(frozen=True, repr=False)
class ChangedLetters(ErrorType):
    """Changed token texts: insertions, deletions and substitutions, with the letter frequencies of the reference."""

    name: ClassVar[str] = "text"
    aliases: ClassVar[tuple[str, ...]] = ("letters", "transcription")
    title: ClassVar[str] = "changed letters of tokens"
    source: ClassVar[str] = "Barteld et al. 2016, 7"
    of_texts: ClassVar[bool] = True
    same_text: ClassVar[bool] = False

    def tokens(self, versions: Versions, ground: TokenGround, magnitude: float, rng: np.random.Generator) -> Versions:
        old = versions.whole
        new = text_changed(old, ground.pool, rounded(magnitude * len(old.start), rng), rng)
        grown = np.concatenate([[0], np.cumsum((new.end - new.start) - (old.end - old.start))])
        return Versions(new, versions.first_letter + grown[versions.first_unit], versions.first_unit)

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        return f"change the text of {one_in(magnitude, ground.thing)}"


@dataclass(frozen=True, repr=False)
class ChangedTokens(ErrorType):
    """Splits, mergers to the left and mergers to the right, equally often, one after the other."""

    name: ClassVar[str] = "token"
    aliases: ClassVar[tuple[str, ...]] = ("tokens", "tokenization", "segmentation")
    title: ClassVar[str] = "split and merged tokens"
    source: ClassVar[str] = "Barteld et al. 2016, 7"
    of_texts: ClassVar[bool] = True

    def tokens(
        self,
        versions: Versions,
        ground: TokenGround,  # noqa: ARG002
        magnitude: float,
        rng: np.random.Generator,
    ) -> Versions:
        old, total = versions.whole, len(versions.whole.start)
        many = rng.multinomial(rounded(magnitude * total, rng), versions.units / max(total, 1))
        start, end, first = resegment(old.start, old.end, versions.first_unit, many, rng)
        whose = np.searchsorted(old.start, start, side="right") - 1  # a token keeps the labels of its start position
        new = TextVersion(old.letters, start, end, old.labels[whose], np.zeros(len(start), dtype=bool))
        return Versions(new, versions.first_letter, first)

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        return f"split or merge {one_in(magnitude, ground.thing)}"


@dataclass(frozen=True, repr=False)
class Combination(ErrorType):
    """`combination([shift,category])`: errors in this order, m/k each, or the given `shares` of m."""

    parts: tuple[ErrorType, ...]
    shares: tuple[float, ...] | None = None

    name: ClassVar[str] = "combination"
    aliases: ClassVar[tuple[str, ...]] = ("mixture",)
    title: ClassVar[str] = "several errors one after the other"
    source: ClassVar[str] = "Mathet et al. 2012, 3.3.6"

    def __post_init__(self) -> None:
        given: Any = self.parts
        parts = tuple(given) if isinstance(given, tuple | list) else (given,)
        if not parts or not all(isinstance(part, ErrorType) for part in parts):
            raise SpecError(
                "option-missing",
                "combination: name its errors, for example combination([shift,category])",
            )
        object.__setattr__(self, "parts", parts)
        if self.shares is None:
            return
        shares: Any = self.shares
        if not isinstance(shares, tuple | list) or len(shares) != len(parts):
            raise SpecError("option-value", f"combination: shares must be {len(parts)} numbers, one for each error")
        if not all(_is_share(share) for share in shares):
            raise SpecError("option-value", f"combination: shares must be between 0 and 1, not {quoted(list(shares))}")
        object.__setattr__(self, "shares", tuple(float(share) for share in shares))

    @property
    def in_place(self) -> bool:  # type: ignore[override]
        return all(part.in_place for part in self.parts)

    @property
    def of_texts(self) -> bool:  # type: ignore[override]
        return any(part.of_texts for part in self.parts)

    @property
    def same_text(self) -> bool:  # type: ignore[override]
        return all(part.same_text for part in self.parts)

    @property
    def single(self) -> tuple[ErrorType, ...]:
        return tuple(error for part in self.parts for error in part.single)

    def magnitudes(self, magnitude: float) -> tuple[float, ...]:
        """Magnitude of each part."""
        if self.shares is None:
            return (magnitude / len(self.parts),) * len(self.parts)
        return tuple(magnitude * share for share in self.shares)

    @classmethod
    def fits(cls, ground: AnyGround) -> bool:  # noqa: ARG003 - its parts say more
        return True

    def onto(self, what: Any, ground: AnyGround, magnitude: float, rng: np.random.Generator) -> Any:
        for part, m in zip(self.parts, self.magnitudes(magnitude), strict=True):
            what = part.onto(what, ground, m, rng)
        return what

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        sizes = zip(self.parts, self.magnitudes(magnitude), strict=True)
        words = [part.in_words(m, ground) for part, m in sizes if m > 0]
        return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "make no error"


def _is_share(value: object) -> bool:
    return is_number(value) and 0 <= value <= 1


ERRORS: tuple[type[ErrorType], ...] = (
    FalseNegative,
    FalsePositive,
    Fragment,
    Shift,
    Category,
    ChangedLetters,
    ChangedTokens,
    Combination,
)


def error_type(given: Any) -> ErrorType:
    """Return an error from its spec, such as `shift(form=2015)`; a list is a combination."""
    if isinstance(given, ErrorType):
        return given
    if isinstance(given, str):
        return error_type(parse(given))
    if isinstance(given, Call):
        return build("error", _with_parts(given), ERRORS)
    if isinstance(given, list | tuple):
        return Combination(_parts(given))
    raise SpecError("option-value", f"an error must be a spec such as shift(form=2015), not {quoted(given)}")


def _with_parts(call: Call) -> Call:
    """Parse the parts of a combination."""
    if call.name.lower() not in {Combination.name, *Combination.aliases}:
        return call
    args = (*(_parts(given) for given in call.args[:1]), *call.args[1:])
    return replace(call, args=args, kwargs=tuple((k, _parts(v) if k == "parts" else v) for k, v in call.kwargs))


def _parts(given: object) -> tuple[ErrorType, ...]:
    return tuple(error_type(part) for part in (given if isinstance(given, tuple | list) else (given,)))


def check_error(error: ErrorType, ground: AnyGround) -> None:
    """Refuse a reference that an error cannot affect."""
    for part in error.single:
        if not part.fits(ground):
            known = ", ".join(other.name for other in ERRORS if other.fits(ground))
            raise DataError(
                "measure-for-other-data",
                f"{part.name} errors cannot be made in {THINGS[type(ground)]}; choose one of {known}",
            )
        part.check(ground)
