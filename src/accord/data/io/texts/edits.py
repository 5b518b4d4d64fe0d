"""Tables of edits → Texts: what stood in the source, and what an annotator put in its place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.core.arrays import Codes, Ints
from accord.core.errors import DataError, SpecError, counted, quoted
from accord.data.io.reading import Reading
from accord.data.io.texts.beside import WAYS, TextsBeside
from accord.data.io.texts.rows import CORRECTION, SOURCE, Key, Rows
from accord.data.model.labels import Label, label_name
from accord.data.model.texts import Texts, words

PRE = "source"  # what the pre-annotation is called
_NEAR = 16  # characters that an edit may stand off
_MOST_STRANGE = 0.1  # of the edits; with more, the offsets are not those of this text


def edited_texts(rows: Rows, beside: TextsBeside, how: Reading) -> Texts:
    """The texts of the annotators are the source with their corrections; their words are tokens, so are the source's.

    Each further column is a feature of the words an edit touches; of a deletion, of the word behind it.
    """
    if how.base is not None:
        raise SpecError("--base: the pre-annotation of edits is the source they are made in")
    wanted = list(dict.fromkeys([*rows.keys, *beside.looked]))
    docs = list(dict.fromkeys(doc for doc, _ in wanted))
    beside.expect(docs)
    sources = {doc: text for doc in docs if (text := beside.shared(doc)) is not None}
    lost = [doc for doc in docs if doc not in sources]
    if not sources:
        raise DataError(f"{rows.name}: these are edits, but the source text is missing: give {WAYS} (DOC.txt)")
    if lost:
        rows.notes.append(f"{counted(len(lost), 'document')} without source text left out ({lost[0]} …): give {WAYS}")
    keys = [key for key in wanted if key[0] in sources]
    edits = _Edits(rows, keys, [sources[doc] for doc, _ in keys])
    strings = [*edits.corrected(), *sources.values()]
    name = PRE
    while any(who == name for _, who in keys):
        name += "′"
    version, start, end = words(strings)
    used = [rows.found(CORRECTION), rows.found(SOURCE)]
    touched, of_edit = edits.touched(strings, version, start, end)
    features = {
        column: _joined(codes[edits.row][of_edit], labels, touched, len(version))
        for column, (codes, labels) in rows.features(how, used).items()
    }
    every = [*keys, *((doc, name) for doc in sources)]
    return Texts.of_arrays(every, strings, version, start, end, features, name).with_notes(*rows.notes)


class _Edits:
    """Edits sorted by version and place, moved to where their words stand in the source."""

    def __init__(self, rows: Rows, keys: Sequence[Key], sources: Sequence[str]) -> None:
        at = {key: k for k, key in enumerate(keys)}
        version = np.array([at.get(key, -1) for key in rows.keys], dtype=np.int64)[rows.version]
        order = np.lexsort((rows.end, rows.start, version))  # stable: insertions at one place stay in the order of rows
        self.rows, self.sources = rows, sources
        self.row: Ints = order[version[order] >= 0]
        self.version = version[self.row]
        self.start, self.end = rows.start[self.row].copy(), rows.end[self.row].copy()
        self.first = np.searchsorted(self.version, np.arange(len(keys) + 1))
        self.correction = self._cells(rows.found(CORRECTION))
        self._check()
        before = rows.found(SOURCE)
        if before is not None:
            self._anchor(self._cells(before))

    def _cells(self, column: str | None) -> list[str]:
        cells = self.rows.cells(column) if column is not None else []
        return [cells[k] for k in self.row]

    def _check(self) -> None:
        sizes = np.array([len(text) for text in self.sources], dtype=np.int64)[self.version]
        outside = np.flatnonzero(self.end > sizes)
        if len(outside):
            k = int(outside[0])
            raise DataError(
                f"{self._place(k)}: {self.start[k]} to {self.end[k]} is outside the source text, which has "
                f"{counted(int(sizes[k]), 'character')}; offsets count code points from 0"
            )
        over = np.flatnonzero((self.version[1:] == self.version[:-1]) & (self.start[1:] < self.end[:-1]))
        if len(over):
            k = int(over[0]) + 1
            raise DataError(
                f"{self._place(k)}: this edit starts at {self.start[k]}, before the one ahead of it ends "
                f"({self.end[k - 1]}, {self._place(k - 1)}); edits of one annotator cannot overlap"
            )

    def _place(self, k: int) -> str:
        return self.rows.place(int(self.row[k]))

    def _anchor(self, before: Sequence[str]) -> None:
        """Where the source differs a little from the one that was edited, edits are moved to the words they name."""
        places = zip(self.version, self.start, self.end, before, strict=True)
        strange = np.array([self.sources[v][a:b] != text for v, a, b, text in places], dtype=bool)
        if not strange.any():
            return
        moved, lost = 0, []
        for version in np.unique(self.version[strange]):
            source, shift, done = self.sources[version], 0, 0
            for k in range(self.first[version], self.first[version + 1]):
                start, size = int(self.start[k]), int(self.end[k] - self.start[k])
                at = self._near(source, before[k], start + shift, done)
                if at is None:
                    lost.append(k)
                    at = min(max(start + shift, done), len(source))
                else:
                    size, shift = len(before[k]), at - start
                    moved += shift != 0
                done = min(at + size, len(source))
                self.start[k], self.end[k] = at, done
        if len(lost) > _MOST_STRANGE * len(before):
            k = lost[0]
            raise DataError(
                f"{self._place(k)}: {quoted(before[k])} is not in the source at {self.rows.start[self.row[k]]}, and "
                f"{len(lost) - 1:,} more are not in theirs; do the offsets count code points of the source text?"
            )
        texts, first = len(np.unique(self.version[strange])), self._place(int(np.argmax(strange)))
        self.rows.notes.append(
            f"{counted(texts, 'text')} with edits that are not where the source has their words (the first: {first}): "
            f"{counted(moved, 'edit')} moved, by {_NEAR} characters at most"
            f"{f', {len(lost):,} made at their offsets all the same' if lost else ''}"
        )

    @staticmethod
    def _near(source: str, text: str, at: int, done: int) -> int | None:
        """The nearest place of a text, not before `done`."""
        low = max(at - _NEAR, done)
        if not text:
            return at if done <= at <= len(source) else None
        best = None
        found = source.find(text, low, at + _NEAR + len(text))
        while found >= 0:
            if best is None or abs(found - at) < abs(best - at):
                best = found
            found = source.find(text, found + 1, at + _NEAR + len(text))
        return best

    def corrected(self) -> list[str]:
        """The source of each version with its corrections."""
        made = []
        for version, source in enumerate(self.sources):
            mine = slice(self.first[version], self.first[version + 1])
            pieces, done = [], 0
            for start, end, text in zip(self.start[mine], self.end[mine], self.correction[mine], strict=True):
                pieces += [source[done:start], text]
                done = end
            made.append("".join([*pieces, source[done:]]))
        return made

    def touched(self, strings: Sequence[str], version: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Words and the edits that touch them, a pair each: those a correction overlaps, else the one behind it."""
        sizes = np.array([len(text) + 1 for text in strings], dtype=np.int64)
        offset = np.cumsum(sizes) - sizes  # all texts on one line
        grown = np.array([len(text) for text in self.correction], dtype=np.int64)
        longer = np.cumsum(grown - (self.end - self.start))
        before = np.concatenate([[0], longer])
        low = self.start + before[:-1] - before[self.first[self.version]] + offset[self.version]
        first = np.searchsorted(end + offset[version], low, side="right")
        last = np.searchsorted(start + offset[version], low + grown, side="left")
        alone = last <= first
        # Behind the last word of a text there is none: the word before takes it.
        padded = np.append(version, -1)
        first = np.where(alone & (padded[first] != self.version), first - 1, first)
        last = np.where(alone, first + 1, last)
        known = (first >= 0) & (padded[np.maximum(first, 0)] == self.version)
        many = np.where(known, last - first, 0)
        edit = np.repeat(np.arange(len(many)), many)
        within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
        return first[edit] + within, edit


def _joined(codes: Codes, labels: Sequence[Label], word: Ints, n: int) -> tuple[Codes, list[str]]:
    """The label of each word: of several different ones, all, sorted, with | between."""
    known = codes >= 0
    pairs = np.unique(np.stack([word[known], codes[known]]), axis=1)
    names = sorted({label_name(labels[int(code)]) for code in np.unique(pairs[1])})
    rank = {name: k for k, name in enumerate(names)}
    table = np.array([rank.get(label_name(label), -1) for label in labels], dtype=np.int64)
    found = np.full(n, -1, dtype=np.int64)
    found[pairs[0]] = table[pairs[1]] if len(labels) else -1
    often, at, times = np.unique(pairs[0], return_index=True, return_counts=True)
    index = {name: k for k, name in enumerate(names)}
    for which in np.flatnonzero(times > 1):
        mine = pairs[1][at[which] : at[which] + times[which]]
        several = "|".join(sorted(names[k] for k in table[mine]))
        found[often[which]] = index.setdefault(several, len(index))
    return found, list(index)
