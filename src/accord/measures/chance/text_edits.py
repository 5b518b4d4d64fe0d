"""Random versions of a text, as by an annotator who corrects the pre-annotation at random (section 6)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from accord.core.arrays import Bools
from accord.data.model.texts import Texts, cluster_starts, code_points
from accord.measures.alignment.sequences import (
    LETTERS,
    Bounded,
    BoundedTexts,
    EditCosts,
    Indices,
    Ints32,
    bounded,
    gather_ranges,
)

INSERTION, DELETION, SUBSTITUTION = 0, 1, 2
_BEYOND = LETTERS + 0x110000  # first code for letters of several code points
_SPACES = np.array([LETTERS + c for c in range(0x3001) if chr(c).isspace()], dtype=np.int32)


@dataclass(frozen=True, eq=False)
class TextVersion:
    """A text as codes of letters, with its units in order. Positions count letters, not code points."""

    letters: Ints32
    start: Indices
    end: Indices
    labels: Indices  # a row per unit
    gap: Bools  # units for text outside of tokens

    def bounded(self) -> Bounded:
        return bounded(self.letters, self.start, self.end, self.labels, self.gap)


@dataclass
class Alphabet:
    """Codes of letters: the code point, or a separate number for a letter of several code points."""

    fold: bool = False  # treat canonically equivalent letters as equal
    codes: dict[str, int] = field(default_factory=dict)

    def code(self, letter: str) -> int:
        if self.fold:
            letter = unicodedata.normalize("NFC", letter)
        if len(letter) == 1:
            return LETTERS + ord(letter)
        return self.codes.setdefault(letter, _BEYOND + len(self.codes))

    def letters(self, text: str, cuts: Indices) -> tuple[Ints32, Indices]:
        """Return the letters of a text and, for each code point and the end, how many letters begin before it.

        A unit may begin or end inside a letter. The letter is then divided there.
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

    def text(self, letters: Ints32) -> tuple[str, Indices]:
        """Return the text of these letters and, for each letter and the end, the number of code points before it."""
        size = np.ones(len(letters), dtype=np.int64)
        beyond = np.flatnonzero(letters >= _BEYOND)
        points = np.where(letters < _BEYOND, letters - LETTERS, 0).astype("<u4")
        spelt = points.tobytes().decode("utf-32-le", "surrogatepass")
        if len(beyond):
            several = {code: letter for letter, code in self.codes.items()}
            pieces = list(spelt)
            for k in beyond.tolist():
                pieces[k] = several[int(letters[k])]
                size[k] = len(pieces[k])
            spelt = "".join(pieces)
        return spelt, np.concatenate([[0], np.cumsum(size)]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Versions:
    """Concatenated texts. Positions count from the beginning of the first text."""

    whole: TextVersion
    first_letter: Indices  # of each text, then the total number
    first_unit: Indices

    @classmethod
    def alone(cls, version: TextVersion) -> Versions:
        return cls(version, np.array([0, len(version.letters)]), np.array([0, len(version.start)]))

    def __len__(self) -> int:
        return len(self.first_letter) - 1

    @property
    def owner(self) -> Indices:
        """Return the text of each unit."""
        return np.repeat(np.arange(len(self)), self.units)

    @property
    def units(self) -> Indices:
        """Return the number of units of each text."""
        return np.diff(self.first_unit)

    @property
    def letters(self) -> Indices:
        """Return the number of letters of each text."""
        return np.diff(self.first_letter)

    def __getitem__(self, text: int) -> TextVersion:
        begin = self.first_letter[text]
        here, mine = (slice(int(f[text]), int(f[text + 1])) for f in (self.first_letter, self.first_unit))
        all_ = self.whole
        return TextVersion(
            all_.letters[here], all_.start[mine] - begin, all_.end[mine] - begin, all_.labels[mine], all_.gap[mine]
        )

    def take(self, which: Indices) -> Versions:
        """Return some of the texts, in this order."""
        letters, units = gather_ranges(self.first_letter, which), gather_ranges(self.first_unit, which)
        first_letter, first_unit = (np.concatenate([[0], np.cumsum(x[which])]) for x in (self.letters, self.units))
        shift = np.repeat(first_letter[:-1] - self.first_letter[which], self.units[which])
        all_ = self.whole
        made = TextVersion(
            all_.letters[letters],
            all_.start[units] + shift,
            all_.end[units] + shift,
            all_.labels[units],
            all_.gap[units],
        )
        return Versions(made, first_letter, first_unit)

    def bounded(self) -> BoundedTexts:
        made, owner = self.whole.bounded(), self.owner
        first_symbol = self.first_letter + 2 * self.first_unit
        of_symbol = np.repeat(self.first_unit[:-1], np.diff(first_symbol))
        unit = np.where(made.unit < 0, -1, made.unit - of_symbol).astype(np.int32)
        ends = made.ends - first_symbol[owner, None]
        return BoundedTexts(made.symbols, unit, ends, made.labels, first_symbol, self.first_unit)

    def with_gaps(self) -> Versions:
        """Add units for non-blank text outside of tokens, without surrounding blanks and with a separate type."""
        letters, start, end = self.whole.letters, self.whole.start, self.whole.end
        begin, behind, owner = self.first_letter[:-1], self.first_letter[1:], self.owner
        # Possible gaps: before the first unit of each text, and after each unit.
        left, text = np.concatenate([begin, end]), np.concatenate([np.arange(len(self)), owner])
        later, next_text = np.append(start, 0), np.append(owner, -1)
        right = np.where(next_text[self.first_unit[:-1]] == np.arange(len(self)), later[self.first_unit[:-1]], behind)
        right = np.append(right, np.where(next_text[1:] == owner, later[1:], behind[owner]))
        filled = np.concatenate([[0], np.cumsum(~np.isin(letters, _SPACES))])
        there = np.flatnonzero(filled[right] > filled[left])
        if not len(there):
            return self
        first = np.searchsorted(filled, filled[left[there]], side="right") - 1  # first non-blank letter of the gap
        last = np.searchsorted(filled, filled[right[there]], side="left")
        none = np.zeros((len(there), self.whole.labels.shape[1]), dtype=np.int64)
        start, end = np.concatenate([start, first]), np.concatenate([end, last])
        text = np.concatenate([owner, text[there]])
        order = np.lexsort((end, start, text))
        made = TextVersion(
            letters,
            start[order],
            end[order],
            np.concatenate([self.whole.labels, none])[order],
            np.concatenate([self.whole.gap, np.ones(len(there), dtype=bool)])[order],
        )
        many = np.bincount(text, minlength=len(self))
        return Versions(made, self.first_letter, np.concatenate([[0], np.cumsum(many)]))


def versions_of(
    texts: Texts, which: Sequence[int], features: tuple[str, ...], alphabet: Alphabet, gaps: bool
) -> Versions:
    """Return versions of documents. A missing label gets a separate code, the last one."""
    wanted = np.array(which, dtype=np.int64)
    tokens = gather_ranges(texts.first_token, wanted)
    many = np.diff(texts.first_token)[wanted]
    strings = [texts.strings[v] for v in which]
    # A line break between two texts prevents letters of both from combining.
    place = np.concatenate([[0], np.cumsum([len(s) + 1 for s in strings])])
    shift = np.repeat(place[:-1], many)
    start, end = texts.start[tokens] + shift, texts.end[tokens] + shift
    cuts = np.concatenate([start, end, place[:-1], place[1:-1] - 1])
    letters, before = alphabet.letters("\n".join(strings), cuts)
    kept = np.ones(len(letters), dtype=bool)
    kept[before[place[1:-1] - 1]] = False
    gone = np.arange(len(strings))
    columns = []
    for name in features:
        column = texts.features[name]
        codes = column.codes[tokens].astype(np.int64)
        columns.append(np.where(codes < 0, len(column.categories), codes))
    labels = np.column_stack(columns) if columns else np.zeros((len(start), 0), dtype=np.int64)
    of_token = np.repeat(gone, many)
    plain = np.zeros(len(start), dtype=bool)
    made = TextVersion(letters[kept], before[start] - of_token, before[end] - of_token, labels, plain)
    first_letter = np.append(before[place[:-1]] - gone, len(made.letters))
    found = Versions(made, first_letter, np.concatenate([[0], np.cumsum(many)]))
    return found.with_gaps() if gaps else found


def version_of(texts: Texts, version: int, features: tuple[str, ...], alphabet: Alphabet, gaps: bool) -> TextVersion:
    """Return the version of one document."""
    return versions_of(texts, [version], features, alphabet, gaps)[0]


@dataclass(frozen=True, eq=False)
class TextPool:
    """Letters and labels of all tokens of all annotators, from which chance draws."""

    letters: Ints32
    labels: Indices  # one row per token; its labels are drawn together

    @classmethod
    def of(cls, versions: Sequence[TextVersion]) -> TextPool:
        inside = []
        for v in versions:
            depth = np.zeros(len(v.letters) + 1, dtype=np.int64)
            np.add.at(depth, v.start, 1)
            np.add.at(depth, v.end, -1)
            inside.append(v.letters[np.cumsum(depth[:-1]) > 0])
        return cls(np.concatenate(inside), np.concatenate([v.labels[~v.gap] for v in versions]))


@dataclass(frozen=True)
class EditRates:
    """Share of units with a changed text, and share of tokens with changed boundaries."""

    text: float
    segmentation: float


def edited(base: TextVersion, pool: TextPool, rates: EditRates, rng: np.random.Generator) -> TextVersion:
    """Draw a random version: change the text, then the segmentation, then the labels."""
    return edited_each(Versions.alone(base), pool, rates, rng)[0]


def edited_each(bases: Versions, pool: TextPool, rates: EditRates, rng: np.random.Generator) -> Versions:
    """Draw a random version of each text.

    Each unit changes with the same probability, so the number of changes is binomial.
    """
    base = bases.whole
    changed, shift = base, np.zeros(len(bases) + 1, dtype=np.int64)
    if len(pool.letters):
        unit = np.flatnonzero(rng.random(len(base.start)) < rates.text)
        changed, grown = _changed(base, pool, unit, rng)
        shift = np.concatenate([[0], np.cumsum(grown)])[bases.first_unit]
    tokens = ~changed.gap
    first = np.concatenate([[0], np.cumsum(tokens)])[bases.first_unit]
    many = rng.binomial(np.diff(first), rates.segmentation)
    start, end, first = resegment(changed.start[tokens], changed.end[tokens], first, many, rng)
    labels = np.zeros((len(start), pool.labels.shape[1]), dtype=np.int64)
    if pool.labels.shape[1] and len(pool.labels):
        labels = pool.labels[rng.integers(len(pool.labels), size=len(start))]
    made = TextVersion(changed.letters, start, end, labels, np.zeros(len(start), dtype=bool))
    found = Versions(made, bases.first_letter + shift, first)
    return found.with_gaps() if base.gap.any() else found


def text_changed(base: TextVersion, pool: TextPool, many: int, rng: np.random.Generator) -> TextVersion:
    """Change the text of `many` different units."""
    if not many or not len(pool.letters):
        return base
    return _changed(base, pool, np.sort(rng.choice(len(base.start), size=many, replace=False)), rng)[0]


def _changed(base: TextVersion, pool: TextPool, unit: Indices, rng: np.random.Generator) -> tuple[TextVersion, Indices]:
    """Change the text of units: insertion, deletion and substitution are equally likely; no unit becomes empty."""
    many = len(unit)
    size = base.end[unit] - base.start[unit]
    kind = rng.integers(3, size=many)
    kind = np.where((kind == DELETION) & (size < 2), 2 * rng.integers(2, size=many), kind)
    kind = np.where(size < 1, INSERTION, kind)
    at = np.floor(rng.random(many) * (size + (kind == INSERTION))).astype(np.int64)
    drawn = pool.letters[rng.integers(len(pool.letters), size=many)]
    grown = np.zeros(len(base.start), dtype=np.int64)
    grown[unit] = (kind == INSERTION).astype(np.int64) - (kind == DELETION)
    return with_edits(base, unit, kind, at, drawn), grown


def with_edits(base: TextVersion, unit: Indices, kind: Indices, at: Indices, drawn: Ints32) -> TextVersion:
    """Apply one edit to each of some units, given in order, at a position within the unit."""
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
    return TextVersion(letters, base.start + after - grown, base.end + after, base.labels, base.gap)


def segmented(start: Indices, end: Indices, changes: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Split and merge tokens one change at a time; later changes can affect the results of earlier ones."""
    return resegment(start, end, np.array([0, len(start)]), np.array([changes]), rng)[:2]


def resegment(
    start: Indices, end: Indices, first: Indices, many: Indices, rng: np.random.Generator
) -> tuple[Indices, Indices, Indices]:
    """Change the tokens of each text `many` times: split, merge left or merge right, equally likely."""
    from accord.measures.chance.text_splits import resegment_each

    kinds = rng.integers(3, size=int(many.sum()))
    changes = np.concatenate([[0], np.cumsum(many)])
    (start, end), first = resegment_each.for_work(10 * len(kinds) + len(start) + 5 * len(first))(
        start, end, first, changes, kinds, rng
    )
    return start, end, first


def own_costs(costs: EditCosts) -> EditCosts:
    """Return the same costs for texts without label comparison."""
    return EditCosts(costs.gap_t, costs.gap_b, costs.edits, ())
