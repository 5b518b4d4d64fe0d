"""Two texts side by side: what stands where, and what is different."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from accord.alignment.sequences import Bounded, SequenceAlignment, align_sequences
from accord.measures.text_differences import Prepared
from accord.measures.text_gamma import TextGamma
from accord.model.graphemes import clusters
from accord.model.texts import Texts

SAME, TEXT, SEGMENTATION, MISSING = "same", "text", "segmentation", "missing"
Pieces = tuple[tuple[str, bool], ...]  # parts of a token, and whether the other text lacks them


@dataclass(frozen=True)
class Side:
    """A token in one of the two texts."""

    text: str
    start: int
    end: int
    pieces: Pieces
    labels: tuple[str, ...]  # of each feature


@dataclass(frozen=True)
class Row:
    """Two aligned tokens, or one without counterpart.

    `kinds` says what is different: text, the names of features, segmentation (its letters are there, in other tokens)
    or missing (they are not).
    """

    first: Side | None
    second: Side | None
    kinds: tuple[str, ...]
    cost: float


def side_by_side(texts: Texts, doc: str, a: str, b: str, measure: TextGamma | None = None) -> list[Row]:
    """The tokens of two annotators of a document in the order of the alignment."""
    measure = measure or TextGamma()
    texts.version_of(doc, a)  # complains about names
    texts = texts.only_docs(np.array([name == doc for name in texts.docs]))
    versions = texts.version_of(doc, a), texts.version_of(doc, b)
    ready = measure.prepared(texts)
    bounds = ready.versions[versions[0]].bounded(), ready.versions[versions[1]].bounded()
    found = align_sequences(*bounds, ready.costs)
    columns = np.flatnonzero(found.moves != 1), np.flatnonzero(found.moves != 0)
    sides = [_Sides(ready, versions[k], bounds[k], found, columns[k]) for k in (0, 1)]
    names = (TEXT, *ready.features)
    rows: list[tuple[int, Row]] = []
    for (u, v), parts in zip(found.pairs.tolist(), found.parts, strict=True):
        kinds = tuple(name for name, cost in zip(names, parts, strict=True) if cost > 0)
        row = Row(sides[0].side(u), sides[1].side(v), kinds or (SAME,), float(parts.sum()))
        rows.append((int(columns[0][bounds[0].ends[u, 0]]), row))
    for k in (0, 1):
        for u in np.setdiff1d(np.arange(len(bounds[k])), found.pairs[:, k]).tolist():
            kind = SEGMENTATION if sides[k].matched(u) else MISSING
            alone = sides[k].side(u)
            row = Row(alone if k == 0 else None, alone if k == 1 else None, (kind,), 1.0)
            rows.append((int(columns[k][bounds[k].ends[u, 0]]), row))
    return [row for _, row in sorted(rows, key=lambda one: one[0])]


@dataclass(frozen=True, eq=False)
class _Sides:
    ready: Prepared
    version: int
    symbols: Bounded
    found: SequenceAlignment
    columns: np.ndarray

    def _letters(self, unit: int) -> np.ndarray:
        """Whether each letter of a unit is matched."""
        first, last = self.symbols.ends[unit]
        return self.found.moves[self.columns[first + 1 : last]] == 2

    def matched(self, unit: int) -> bool:
        return bool(self._letters(unit).any())

    def side(self, unit: int) -> Side:
        texts = self.ready.texts
        version = self.ready.versions[self.version]
        text = texts.strings[self.version]
        before = int((~version.gap[:unit]).sum())
        if version.gap[unit]:  # between two tokens
            mine = texts.tokens(self.version)
            left = int(texts.end[mine][before - 1]) if before else 0
            right = int(texts.start[mine][before]) if before < mine.stop - mine.start else len(text)
            word = text[left:right]
            start = left + len(word) - len(word.lstrip())
            return Side(word.strip(), start, start + len(word.strip()), ((word.strip(), not self.matched(unit)),), ())
        token = texts.tokens(self.version).start + before
        start, end = int(texts.start[token]), int(texts.end[token])
        labels = []
        for name in self.ready.features:
            column = texts.features[name]
            code = int(column.codes[token])
            labels.append(column.categories.names[code] if code >= 0 else "")
        return Side(text[start:end], start, end, self._pieces(text[start:end], unit), tuple(labels))

    def _pieces(self, word: str, unit: int) -> Pieces:
        gone = ~self._letters(unit)
        letters = clusters(word)
        if len(letters) != len(gone):  # cut inside a letter
            return ((word, bool(gone.any())),)
        cuts = [0, *(np.flatnonzero(np.diff(gone)) + 1).tolist(), len(letters)]
        return tuple(("".join(letters[p:q]), bool(gone[p])) for p, q in pairwise(cuts) if q > p)


def rendered(
    rows: list[Row], names: tuple[str, str], features: tuple[str, ...] = (), context: int | None = None
) -> str:
    """As plain text, with letters that the other lacks in brackets. `context`: differences and so many rows around."""
    shown = np.ones(len(rows), dtype=bool)
    if context is not None:
        apart = np.array([row.kinds != (SAME,) for row in rows], dtype=np.int64)
        shown = np.convolve(apart, np.ones(2 * context + 1, dtype=np.int64))[context : context + len(rows)] > 0
    table = [(names[0], names[1], "difference", *features)]
    last = -1
    for k in np.flatnonzero(shown).tolist():
        if last >= 0 and k > last + 1:
            table.append(("…",) * len(table[0]))
        last, row = k, rows[k]
        both = [side for side in (row.first, row.second) if side is not None]
        labels = []
        for f in range(len(features)):
            values = list(dict.fromkeys(side.labels[f] for side in both if f < len(side.labels)))
            labels.append(" ≠ ".join(value or "–" for value in values))
        kinds = "" if row.kinds == (SAME,) else ", ".join(row.kinds)
        table.append((_written(row.first), _written(row.second), kinds, *labels))
    widths = [max(_width(line[c]) for line in table) for c in range(len(table[0]))]
    return "\n".join(
        "  ".join(cell + " " * (w - _width(cell)) for cell, w in zip(line, widths, strict=True)).rstrip()
        for line in table
    )


def _written(side: Side | None) -> str:
    if side is None:
        return "–"
    return "".join(f"[{text}]" if gone else text for text, gone in side.pieces).replace("\n", "⏎")


def _width(text: str) -> int:
    """Columns on a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
