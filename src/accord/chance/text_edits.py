"""Random versions of a text: what an annotator who corrects at random makes of the pre-annotation (section 6)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from accord.alignment.sequences import LETTERS, Bounded, Costs, Indices, Ints32, SequenceAlignment, bounded
from accord.model.graphemes import cluster_starts, code_points
from accord.model.texts import Texts

Bools = NDArray[np.bool_]

INSERTION, DELETION, SUBSTITUTION = 0, 1, 2
_BEYOND = LETTERS + 0x110000  # codes of letters that are more than one code point
_SPACES = np.array([LETTERS + c for c in range(0x3001) if chr(c).isspace()], dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Version:
    """A text as codes of letters, with its units in order. Places count letters, not code points."""

    letters: Ints32
    start: Indices
    end: Indices
    labels: Indices  # a row per unit
    gap: Bools  # units that stand for text outside of tokens

    def bounded(self) -> Bounded:
        return bounded(self.letters, self.start, self.end, self.labels, self.gap)


@dataclass
class Alphabet:
    """Codes of letters: their code point, or a number of their own where marks belong to them."""

    fold: bool = False  # canonically equivalent letters are the same
    codes: dict[str, int] = field(default_factory=dict)

    def code(self, letter: str) -> int:
        if self.fold:
            letter = unicodedata.normalize("NFC", letter)
        if len(letter) == 1:
            return LETTERS + ord(letter)
        return self.codes.setdefault(letter, _BEYOND + len(self.codes))

    def letters(self, text: str, cuts: Indices) -> tuple[Ints32, Indices]:
        """The letters of a text, and for each code point (and the end) the number of letters that begin before it.

        A unit may begin or end inside a letter; its parts are letters then.
        """
        starts = cluster_starts(text)
        if len(starts):
            starts[cuts[cuts < len(starts)]] = True
        at = np.flatnonzero(starts)
        points = code_points(text)
        codes = points[at] + LETTERS
        if self.fold:
            kinds, where = np.unique(points[at], return_inverse=True)
            codes = np.array([self.code(chr(int(k))) for k in kinds], dtype=np.int64)[where]
        size = np.diff(np.append(at, len(points)))
        for k in np.flatnonzero(size > 1).tolist():
            codes[k] = self.code(text[at[k] : at[k] + size[k]])
        before = np.concatenate([[0], np.cumsum(starts)]).astype(np.int64)
        return codes.astype(np.int32), before


def version_of(texts: Texts, version: int, features: tuple[str, ...], alphabet: Alphabet, gaps: bool) -> Version:
    """A version of a document. A label that is missing is a label of its own, the last one."""
    mine = texts.tokens(version)
    start, end = texts.start[mine], texts.end[mine]
    letters, before = alphabet.letters(texts.strings[version], np.concatenate([start, end]))
    columns = []
    for name in features:
        column = texts.features[name]
        codes = column.codes[mine].astype(np.int64)
        columns.append(np.where(codes < 0, len(column.categories), codes))
    labels = np.column_stack(columns) if columns else np.zeros((len(start), 0), dtype=np.int64)
    made = Version(letters, before[start], before[end], labels, np.zeros(len(start), dtype=bool))
    return with_gaps(made) if gaps else made


def with_gaps(version: Version) -> Version:
    """Text outside of tokens, unless it is blank, becomes units of a type of their own, without the blanks around."""
    letters = version.letters
    left = np.concatenate([[0], version.end])
    right = np.concatenate([version.start, [len(letters)]])
    filled = np.concatenate([[0], np.cumsum(~np.isin(letters, _SPACES))])
    there = np.flatnonzero(filled[right] > filled[left])
    if not len(there):
        return version
    first = np.searchsorted(filled, filled[left[there]], side="right") - 1  # its first letter that is no blank
    last = np.searchsorted(filled, filled[right[there]], side="left")
    none = np.zeros((len(there), version.labels.shape[1]), dtype=np.int64)
    start, end = np.concatenate([version.start, first]), np.concatenate([version.end, last])
    order = np.lexsort((end, start))
    return Version(
        letters,
        start[order],
        end[order],
        np.concatenate([version.labels, none])[order],
        np.concatenate([version.gap, np.ones(len(there), dtype=bool)])[order],
    )


@dataclass(frozen=True, eq=False)
class Pool:
    """What chance draws from: the letters and the labels of all tokens of all annotators."""

    letters: Ints32
    labels: Indices  # a row per token: its labels are drawn together

    @classmethod
    def of(cls, versions: list[Version]) -> Pool:
        inside = []
        for v in versions:
            depth = np.zeros(len(v.letters) + 1, dtype=np.int64)
            np.add.at(depth, v.start, 1)
            np.add.at(depth, v.end, -1)
            inside.append(v.letters[np.cumsum(depth[:-1]) > 0])
        return cls(np.concatenate(inside), np.concatenate([v.labels[~v.gap] for v in versions]))


@dataclass(frozen=True)
class Rates:
    """Shares of units whose text, and of tokens whose boundaries, an annotator changes."""

    text: float
    segmentation: float


def edited(base: Version, pool: Pool, rates: Rates, rng: np.random.Generator) -> Version:
    """A random version: text changes, then segmentation changes, then labels."""
    changed = text_changed(base, pool, int(rng.binomial(len(base.start), rates.text)), rng)
    tokens = ~changed.gap
    start, end = changed.start[tokens], changed.end[tokens]
    start, end = segmented(start, end, int(rng.binomial(len(start), rates.segmentation)), rng)
    features = pool.labels.shape[1]
    labels = np.zeros((len(start), features), dtype=np.int64)
    if features and len(pool.labels):
        labels = pool.labels[rng.integers(len(pool.labels), size=len(start))]
    made = Version(changed.letters, start, end, labels, np.zeros(len(start), dtype=bool))
    return with_gaps(made) if base.gap.any() else made


def text_changed(base: Version, pool: Pool, many: int, rng: np.random.Generator) -> Version:
    """So many different units get another text.

    Insertion, deletion and substitution are equally likely; the only letter of a unit is not deleted.
    """
    if not many or not len(pool.letters):
        return base
    unit = np.sort(rng.choice(len(base.start), size=many, replace=False))
    size = base.end[unit] - base.start[unit]
    kind = rng.integers(3, size=many)
    kind = np.where((kind == DELETION) & (size < 2), 2 * rng.integers(2, size=many), kind)
    kind = np.where(size < 1, INSERTION, kind)
    at = np.floor(rng.random(many) * (size + (kind == INSERTION))).astype(np.int64)
    drawn = pool.letters[rng.integers(len(pool.letters), size=many)]
    return with_edits(base, unit, kind, at, drawn)


def with_edits(base: Version, unit: Indices, kind: Indices, at: Indices, drawn: Ints32) -> Version:
    """One edit in each of some units, given in order, at a place within the unit."""
    place = base.start[unit] + at
    put, gone, other = kind == INSERTION, kind == DELETION, kind == SUBSTITUTION
    letters = base.letters.copy()
    letters[place[other]] = drawn[other]
    kept = np.ones(len(letters), dtype=bool)
    kept[place[gone]] = False
    letters = np.insert(letters, place[put], drawn[put])[np.insert(kept, place[put], True)]
    grown = np.zeros(len(base.start), dtype=np.int64)
    grown[unit] = put.astype(np.int64) - gone
    after = np.cumsum(grown)
    return Version(letters, base.start + after - grown, base.end + after, base.labels, base.gap)


def segmented(start: Indices, end: Indices, changes: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Splits and mergers, one after the other; what comes of one can be changed by the next.

    Tokens are a linked list, and `there` names those that are left: each change takes the same time.
    """
    if not changes or not len(start):
        return start, end
    first, last = start.tolist(), end.tolist()
    many = len(first)
    ahead, behind = list(range(1, many + 1)), list(range(-1, many - 1))
    ahead[-1] = -1
    there, where = list(range(many)), list(range(many))
    for kind in rng.integers(3, size=changes).tolist():  # 0: split, 1: merge with the left, 2: with the right
        if kind == 0:
            chosen = _one_of(there, partial(_can_be_split, first, last), rng)
            if chosen is None:
                continue
            t = there[chosen]
            cut = first[t] + 1 + int(rng.integers(last[t] - first[t] - 1))
            new = len(first)
            first.append(cut)
            last.append(last[t])
            last[t] = cut
            ahead.append(ahead[t])
            behind.append(t)
            if ahead[t] >= 0:
                behind[ahead[t]] = new
            ahead[t] = new
            where.append(len(there))
            there.append(new)
            continue
        beside = behind if kind == 1 else ahead
        chosen = _one_of(there, partial(_has_neighbour, beside), rng)
        if chosen is None:
            continue
        t = there[chosen]
        other = beside[t]
        first[t], last[t] = min(first[t], first[other]), max(last[t], last[other])
        beyond = beside[other]
        beside[t] = beyond
        if beyond >= 0:
            (ahead if kind == 1 else behind)[beyond] = t
        moved = there.pop()  # fills the place of the one that is gone
        if moved != other:
            there[where[other]], where[moved] = moved, where[other]
    left = np.array(there)
    start, end = np.array(first)[left], np.array(last)[left]
    order = np.lexsort((end, start))
    return start[order].astype(np.int64), end[order].astype(np.int64)


def _can_be_split(first: list[int], last: list[int], token: int) -> bool:
    return last[token] - first[token] > 1


def _has_neighbour(beside: list[int], token: int) -> bool:
    return beside[token] >= 0


def _one_of(there: list[int], fits: Callable[[int], bool], rng: np.random.Generator) -> int | None:
    """The place of one of those that fit, all equally likely."""
    for _ in range(32):
        k = int(rng.integers(len(there)))
        if fits(there[k]):
            return k
    every = [k for k, t in enumerate(there) if fits(t)]
    return every[int(rng.integers(len(every)))] if every else None


def changes(found: SequenceAlignment, base: Bounded, other: Bounded) -> tuple[int, float]:
    """How many units of `base` have another text in `other`, and how many splits and mergers lead to its boundaries."""
    alone, added = found.moves == 0, found.moves == 1
    of_base, of_other = np.flatnonzero(~added), np.flatnonzero(~alone)  # the columns of their symbols
    letter_gap = np.zeros(len(found.moves) + 1, dtype=np.int64)
    letter_gap[1:][of_base] = alone[of_base] & (base.symbols >= LETTERS)
    letter_gap[1:][of_other] |= added[of_other] & (other.symbols >= LETTERS)
    total = np.cumsum(letter_gap)
    columns = of_base[base.ends]
    changed = total[columns[:, 1]] > total[columns[:, 0]]
    unmatched = int((alone[of_base] & (base.symbols < 2)).sum() + (added[of_other] & (other.symbols < 2)).sum())
    return int(changed.sum()), unmatched / 2


def own_costs(costs: Costs) -> Costs:
    """The same costs for texts whose labels are not compared."""
    return Costs(costs.gap_t, costs.gap_b, costs.edits, ())
