"""Texts side by side for display: aligned tokens and their differences. No value is computed from it.

Each pair of texts of a document is aligned exactly, as for tγ. The text with the least disorder to all others is the
centre. The other texts are joined to it by their pairwise alignments, the most similar first. A token that the centre
lacks gets a row at its aligned position; tokens that two texts align with each other share a row.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, pairwise
from typing import Any, ClassVar, overload

import numpy as np
from rich.cells import cell_len

from accord.core.arrays import Bools, Floats
from accord.core.errors import UnknownName
from accord.core.figures.bars import Stacked
from accord.core.figures.documents import MarkedTexts, MarkedToken
from accord.core.result import Result
from accord.core.tables import Cell, Drawing, Table, plain
from accord.data.model.texts import Texts, clusters
from accord.measures.alignment.sequences import Bounded, Indices, SequenceAlignment, align_sequences
from accord.measures.texts.differences import Prepared

ABSENT = -1
SAME, TEXT, SEGMENTATION, MISSING = "same", "text", "segmentation", "missing"
BRACKETS, COLOURS = ("[", "]"), ("\x1b[1;31m", "\x1b[0m")
AROUND = 2  # rows shown around a difference
_JOINERS = "\u200c\u200d"
Pieces = tuple[tuple[str, bool], ...]  # parts of a token, and whether another text lacks them


@dataclass(frozen=True, eq=False)
class Joint:
    """Some versions of a document, aligned."""

    ready: Prepared
    versions: tuple[int, ...]

    @cached_property
    def bounds(self) -> list[Bounded]:
        return [self.ready.bounded[v] for v in self.versions]

    @cached_property
    def found(self) -> dict[tuple[int, int], SequenceAlignment]:
        """Return the alignments of all pairs of versions."""
        numbers = range(len(self.versions))
        return {
            (x, y): align_sequences(self.bounds[x], self.bounds[y], self.ready.costs)
            for x, y in combinations(numbers, 2)
        }

    @cached_property
    def disorders(self) -> Floats:
        made = np.zeros((len(self.versions),) * 2)
        for (x, y), found in self.found.items():
            made[x, y] = made[y, x] = found.disorder
        return made

    @cached_property
    def middle(self) -> int:
        """Return the text with the least disorder to the others; the first one if there are ties."""
        return int(np.argmin(self.disorders.sum(axis=1)))

    @cached_property
    def matched(self) -> dict[tuple[int, int], Bools]:
        """Return, for x and y, whether each symbol of x has a counterpart in y."""
        made = {}
        for (x, y), found in self.found.items():
            made[x, y], made[y, x] = (found.moves[found.moves != alone] == 2 for alone in (1, 0))
        return made

    def places(self, x: int, y: int) -> Indices:
        """Return the columns of the symbols of x in its alignment with y."""
        found, alone_there = (self.found[x, y], 1) if x < y else (self.found[y, x], 0)
        return np.flatnonzero(found.moves != alone_there)

    def partners(self, x: int, y: int) -> list[int]:
        """Return the unit of y aligned with each unit of x."""
        pairs = self.found[x, y].pairs if x < y else self.found[y, x].pairs[:, ::-1]
        made = np.full(len(self.bounds[x]), ABSENT, dtype=np.int64)
        made[pairs[:, 0]] = pairs[:, 1]
        return [int(u) for u in made]

    @cached_property
    def rows(self) -> Indices:
        """Return the unit of each version in each row, or ABSENT."""
        middle, many = self.middle, len(self.versions)
        # A stretch begins with a row for a token of the centre, followed by tokens that the centre lacks; the first
        # stretch comes before all tokens of the centre.
        stretches: list[list[list[int]]] = [[]]
        for unit in range(len(self.bounds[middle])):
            row = [ABSENT] * many
            row[middle] = unit
            stretches.append([row])
        joined: list[int] = []
        for x in np.argsort(self.disorders[middle], kind="stable").tolist():
            if x != middle:
                self._join(x, joined, stretches)
                joined.append(x)
        rows = [row for stretch in stretches for row in stretch]
        return np.array(rows, dtype=np.int64).reshape(len(rows), many)

    def _join(self, x: int, joined: list[int], stretches: list[list[list[int]]]) -> None:
        middle = self.middle
        begins = self.places(middle, x)[self.bounds[middle].ends[:, 0]]
        where = np.searchsorted(begins, self.places(x, middle)[self.bounds[x].ends[:, 0]], side="right").tolist()
        partners = {y: self.partners(x, y) for y in (middle, *joined)}
        last, at = 0, 0  # position of its last token: stretch and index in it
        for unit, partner in enumerate(partners[middle]):
            if partner != ABSENT:
                last, at = partner + 1, 1
                stretches[last][0][x] = unit
                continue
            if where[unit] != last:
                last, at = where[unit], min(where[unit], 1)
            stretch = stretches[last]
            fitting = (
                k
                for k in range(at, len(stretch))
                if any(stretch[k][y] != ABSENT and stretch[k][y] == partners[y][unit] for y in joined)
            )
            k = next(fitting, None)
            if k is None:
                k = at
                stretch.insert(k, [ABSENT] * len(self.versions))
            stretch[k][x] = unit
            at = k + 1

    @cached_property
    def costs(self) -> tuple[Floats, Floats]:
        """Return the disorder of each row, averaged over pairs of versions, and the parts of text and features."""
        from accord.measures.alignment.sequence_kernels import compare_pairs

        rows = self.rows
        there = rows != ABSENT
        total = np.zeros(len(rows))
        apart = np.zeros((len(rows), 1 + len(self.ready.features)))
        for x, y in self.found:
            both = there[:, x] & there[:, y]
            one, other = self.bounds[x], self.bounds[y]
            pairs = np.ascontiguousarray(rows[both][:, [x, y]])
            parts = compare_pairs.for_work(100 * len(pairs))(
                one.symbols,
                one.ends,
                one.labels,
                other.symbols,
                other.ends,
                other.labels,
                pairs,
                self.ready.costs.rules,
            )
            total[both] += parts.sum(axis=1)
            apart[both] += parts
            total += there[:, x] != there[:, y]
        return total / len(self.found), apart

    def gone(self, x: int) -> Bools:
        """Return whether each symbol of x lacks a counterpart in at least one other text."""
        others = [self.matched[x, y] for y in range(len(self.versions)) if y != x]
        return ~np.logical_and.reduce(others)


# -- the table -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Side:
    """A token in one of the texts."""

    text: str
    start: int
    end: int
    pieces: Pieces
    labels: tuple[str, ...]  # label of each feature

    def to_dict(self, features: Sequence[str]) -> dict[str, Any]:
        labels = dict(zip(features, self.labels, strict=True)) if self.labels else {}
        return {"text": self.text, "start": self.start, "end": self.end, "labels": labels}

    def cells(self, features: int) -> tuple[Cell, ...]:
        return (self.text, self.start, self.end, *(self.labels or (None,) * features))


@dataclass(frozen=True)
class Row:
    """Aligned tokens, at most one per annotator.

    `kinds` lists the differences: text, names of features, segmentation (the letters of a missing token are in other
    tokens) or missing (the letters do not occur). `cost` is the mean over pairs of annotators.
    """

    doc: str
    sides: dict[str, Side | None]  # by annotator
    kinds: tuple[str, ...]
    cost: float

    @property
    def first(self) -> Side | None:
        return next(iter(self.sides.values()))

    @property
    def second(self) -> Side | None:
        return list(self.sides.values())[1]

    @property
    def differs(self) -> bool:
        return self.kinds != (SAME,)

    @property
    def difference(self) -> str:
        """Return the differences in words; empty if there are none."""
        return ", ".join(self.kinds) if self.differs else ""

    def to_dict(self, features: Sequence[str] = ()) -> dict[str, Any]:
        sides = {who: None if side is None else side.to_dict(features) for who, side in self.sides.items()}
        return plain({"document": self.doc, "tokens": sides, "difference": self.difference, "cost": self.cost})


@dataclass(frozen=True, eq=False, repr=False)
class TextAlignments(Sequence[Row], Result):
    """All texts side by side, by document. `print` shows the differences."""

    for_reading: ClassVar[bool] = True  # for display, not for computation

    ready: Prepared

    @property
    def texts(self) -> Texts:
        return self.ready.texts

    @property
    def features(self) -> tuple[str, ...]:
        return self.ready.features

    @cached_property
    def documents(self) -> dict[str, list[Row]]:
        """Return the rows of each comparable document."""
        ready = self.ready
        return {
            self.texts.docs[d]: rows_side_by_side(Joint(ready, who))
            for d, who in zip(ready.docs, ready.members, strict=True)
        }

    @cached_property
    def _all(self) -> list[Row]:
        return [row for rows in self.documents.values() for row in rows]

    @property
    def most(self) -> int:
        """Return the largest number of annotators of a document."""
        return max(map(len, self.ready.members))

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._all)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        return self._all[index]

    def __repr__(self) -> str:
        return f"<{self.summary()}>"

    def __str__(self) -> str:
        return self.shown()

    def summary(self) -> str:
        differing = sum(row.differs for row in self)
        return f"{len(self)} rows of {len(self.texts)} tokens side by side, {differing} with a difference"

    def facts(self) -> list[str]:
        return [self.summary()]

    def in_words(self, color: bool = False, width: int = 80) -> str:
        """Return the differences; letters that another text lacks are coloured or in brackets."""
        return self.shown(COLOURS if color else BRACKETS, width)

    def tables(self) -> list[Table]:
        return [self.flat().first()]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        """Return figures of the document with the most differences, and of the number of differences by kind."""
        if not self.documents:
            return {}
        worst = max(self.documents, key=lambda doc: sum(row.differs for row in self.documents[doc]))
        return {"differences": partial(self.marked, worst), "disorder": self._counted}

    def marked(self, doc: str) -> MarkedTexts:
        """Return a figure of one document: `found.marked("letter1").plot()`."""
        if doc not in self.documents:
            raise UnknownName("document", doc, self.documents)
        rows = self.documents[doc]
        tokens = tuple(
            MarkedToken(tuple(None if side is None else side.text for side in row.sides.values()),
                  row.kinds if row.differs else ())
            for row in rows
        )  # fmt: skip
        return MarkedTexts(doc, tuple(rows[0].sides) if rows else (), tokens)

    def _counted(self) -> Stacked:
        counts = {doc: Counter(kind for row in rows if row.differs for kind in row.kinds)
                  for doc, rows in self.documents.items()}  # fmt: skip
        kinds = tuple(dict.fromkeys(kind for count in counts.values() for kind in count)) or (TEXT,)
        amounts = tuple((doc, tuple(float(count[kind]) for kind in kinds)) for doc, count in counts.items())
        return Stacked("differences by document", "document", kinds, amounts, "places that differ", "what differs")

    def to_dict(self) -> dict[str, Any]:
        return {"rows": [row.to_dict(self.features) for row in self]}

    def flat(self) -> Table:
        """Return every row: two annotators side by side; for more annotators, one line per token."""
        if self.most > 2:
            columns: dict[str, list[Any]] = self.columns()
            return Table("", tuple(columns), tuple(zip(*columns.values(), strict=True)))
        one = ("text", "start", "end", *_apart(self.features, ("text", "start", "end")))
        names = ("doc", "first", "second", *(f"{side}_{name}" for side in ("first", "second") for name in one))
        return Table("", (*names, "difference", "cost"), tuple(map(self._line, self)))

    def _line(self, row: Row) -> tuple[Cell, ...]:
        few = len(self.features)
        cells = ((None,) * (3 + few) if side is None else side.cells(few) for side in row.sides.values())
        return (row.doc, *row.sides, *(cell for side in cells for cell in side), row.difference, row.cost)

    def shown(self, marks: tuple[str, str] = BRACKETS, width: int | None = None) -> str:
        """Return the differences with a few tokens around them; letters that some other text lacks are marked."""
        parts = []
        for doc, rows in self.documents.items():
            names = tuple(rows[0].sides) if rows else ()
            who = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
            if any(row.differs for row in rows):
                parts.append(f"{_plain(doc)}: {_plain(who)}\n{rendered(rows, self.features, AROUND, marks, width)}\n")
            else:
                parts.append(f"{_plain(doc)}: {_plain(who)}: no differences\n")
        return "\n".join(parts)

    def columns(self) -> dict[str, list[Any]]:
        """Return columns for a data frame or file: one row per token, with the number of its row."""
        own = ("doc", "row", "annotator", "text", "start", "end", "difference", "cost")
        names = (*own[:-2], *_apart(self.features, own), *own[-2:])
        made: dict[str, list[Any]] = {name: [] for name in names}
        for number, row in enumerate(self, 1):
            for annotator, side in row.sides.items():
                if side is not None:
                    labels = side.labels or ("",) * len(self.features)
                    place = row.doc, number, annotator, side.text, side.start, side.end
                    for name, value in zip(names, (*place, *labels, row.difference, row.cost), strict=True):
                        made[name].append(value)
        return made


def _apart(features: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
    """Return features as column names that do not collide with existing ones."""
    return tuple(f"feature_{name}" if name in own else name for name in features)


def rows_side_by_side(joint: Joint) -> list[Row]:
    """Return the tokens of all annotators in the order of the alignment."""
    ready, texts = joint.ready, joint.ready.texts
    doc = texts.docs[int(texts.version_doc[joint.versions[0]])]
    names = [texts.annotators[int(texts.version_annotator[v])] for v in joint.versions]
    sides = [_Sides(ready, v, joint.gone(x)) for x, v in enumerate(joint.versions)]
    total, apart = joint.costs
    kinds_of = (TEXT, *ready.features)
    made = []
    for units, cost, parts in zip(joint.rows.tolist(), total.tolist(), apart.tolist(), strict=True):
        kinds = [name for name, part in zip(kinds_of, parts, strict=True) if part > 0]
        if ABSENT in units:
            kinds += _absent(joint, units)
        found = {name: None if u == ABSENT else side.side(u) for name, side, u in zip(names, sides, units, strict=True)}
        made.append(Row(doc, found, tuple(kinds) or (SAME,), cost))
    return made


def _absent(joint: Joint, units: list[int]) -> list[str]:
    """Return why some annotators lack the token: its letters are in other tokens, or do not occur."""
    there = next(x for x, u in enumerate(units) if u != ABSENT)
    first, last = joint.bounds[there].ends[units[there]].tolist()
    lacking = [y for y, u in enumerate(units) if u == ABSENT]
    letters = [bool(joint.matched[there, y][first + 1 : last].any()) for y in lacking]
    return [kind for kind, found in ((SEGMENTATION, any(letters)), (MISSING, not all(letters))) if found]


@dataclass(frozen=True, eq=False)
class _Sides:
    ready: Prepared
    version: int
    gone: Bools  # of each symbol

    def side(self, unit: int) -> Side:
        texts, bound = self.ready.texts, self.ready.versions.first_unit[self.version]
        gaps = self._gaps
        text = texts.strings[self.version]
        before = unit - int(gaps[:unit].sum()) if len(gaps) else unit
        first, last = self.ready.bounded.ends[bound + unit].tolist()
        gone = self.gone[first + 1 : last]
        mine = texts.tokens(self.version)
        if len(gaps) and gaps[unit]:  # between two tokens
            left = int(texts.end[mine][before - 1]) if before else 0
            right = int(texts.start[mine][before]) if before < mine.stop - mine.start else len(text)
            word = text[left:right]
            start = left + len(word) - len(word.lstrip())
            return Side(word.strip(), start, start + len(word.strip()), _pieces(word.strip(), gone), ())
        token = mine.start + before
        start, end = int(texts.start[token]), int(texts.end[token])
        labels = []
        for name in self.ready.features:
            column = texts.features[name]
            code = int(column.codes[token])
            labels.append(column.categories.names[code] if code >= 0 else "")
        return Side(text[start:end], start, end, _pieces(text[start:end], gone), tuple(labels))

    @cached_property
    def _gaps(self) -> Bools:
        """Return which units are gaps; empty if there are none."""
        first, last = self.ready.versions.first_unit[self.version : self.version + 2].tolist()
        found = self.ready.versions.whole.gap[first:last]
        return found if found.any() else found[:0]


def _pieces(word: str, gone: Bools) -> Pieces:
    if not gone.any():
        return ((word, False),)
    letters = clusters(word)
    if len(letters) != len(gone):  # a unit boundary lies inside a letter
        return ((word, True),)
    cuts = [0, *(np.flatnonzero(np.diff(gone)) + 1).tolist(), len(letters)]
    return tuple(("".join(letters[p:q]), bool(gone[p])) for p, q in pairwise(cuts))


def rendered(
    rows: list[Row],
    features: tuple[str, ...] = (),
    context: int | None = None,
    marks: tuple[str, str] = BRACKETS,
    width: int | None = None,
) -> str:
    """Return rows as text, with `marks` around letters that another text lacks.

    With `context`, return the differences and this many rows around them. A row wider than the screen is wrapped.
    """
    shown = np.ones(len(rows), dtype=bool)
    if context is not None:
        apart = np.array([row.differs for row in rows], dtype=np.int64)
        shown = np.convolve(apart, np.ones(2 * context + 1, dtype=np.int64))[context : context + len(rows)] > 0
    names = tuple(rows[0].sides) if rows else ()
    table: list[list[Pieces]] = [[((name, False),) for name in (*names, "difference", *features)]]
    last = -1
    for k in np.flatnonzero(shown).tolist():
        if last >= 0 and k > last + 1:
            table.append([(("…", False),)] * len(table[0]))
        last, row = k, rows[k]
        labels = []
        for f in range(len(features)):
            values = dict.fromkeys(side.labels[f] for side in row.sides.values() if side is not None and side.labels)
            labels.append(" ≠ ".join(value or "–" for value in values))
        cells: list[Pieces] = [(("–", False),) if side is None else side.pieces for side in row.sides.values()]
        table.append([*cells, *(((label, False),) for label in (row.difference, *labels))])
    # Marks that only change the colour have no width.
    room = sum(map(cell_len, marks)) if "\x1b" not in marks[0] else 0
    widths = [[sum(cell_len(_plain(t)) + room * gone for t, gone in cell) for cell in line] for line in table]
    columns = np.array(widths).max(axis=0).tolist()
    if width is not None and sum(columns) + 2 * (len(columns) - 1) > width:
        return "\n".join(
            _in_a_row(table[0], line, mine, marks, width) for line, mine in zip(table[1:], widths[1:], strict=True)
        )
    return "\n".join(
        "  ".join(
            _marked(cell, marks) + " " * (w - own) for cell, own, w in zip(line, mine, columns, strict=True)
        ).rstrip()
        for line, mine in zip(table, widths, strict=True)
    )


def _in_a_row(heads: list[Pieces], line: list[Pieces], widths: list[int], marks: tuple[str, str], width: int) -> str:
    """Return `name: token` for each annotator, wrapped if necessary."""
    if all(cell == (("…", False),) for cell in line):
        return "…"
    lines, room = [""], width
    for ((head, _),), cell, own in zip(heads, line, widths, strict=True):
        if not own:
            continue
        need = cell_len(_plain(head)) + 2 + own + (3 if lines[-1] else 0)
        if lines[-1] and need > room:
            lines.append("  ")
            room = width - 2
            need -= 3
        gap = "   " if lines[-1].strip() else ""
        lines[-1] += f"{gap}{_plain(head)}: {_marked(cell, marks)}"
        room -= need
    return "\n".join(lines)


def _marked(cell: Pieces, marks: tuple[str, str]) -> str:
    return "".join(f"{marks[0]}{_plain(text)}{marks[1]}" if gone else _plain(text) for text, gone in cell)


def _plain(text: str) -> str:
    """Replace control characters, so that a text cannot move the cursor, break lines or change direction."""
    return "".join(
        c if c.isprintable() or c in _JOINERS else " " if unicodedata.category(c) == "Zs" else "⏎" if c == "\n" else "�"
        for c in text
    )
