"""Read tables of texts: rows, separate texts, and the three kinds of tables.

A table contains whole texts (`whole_texts`), tokens with the text in a column or in separate files (`token_texts`), or
edits of a source text (`edited_texts`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes, Ints
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.data.io.naming import Key
from accord.data.io.opening import may_open
from accord.data.io.reading import Reading
from accord.data.io.tables.cleaning import clean
from accord.data.io.tables.columns import Column, cells_of, stacked, without_blank
from accord.data.io.tables.roles import ANNOTATOR, ASIDE, DOC, ITEM, START, end_of, first_of, holds_units, plain_name
from accord.data.io.tables.sources import Source, open_file
from accord.data.io.tables.units import DOCS, JUDGED, UnitTable, keys_of_tables
from accord.data.io.texts.files import find_base, read_content
from accord.data.model.labels import Label, label_name
from accord.data.model.texts import ONLY_DOCUMENT, Texts, check_places, words

TEXT = ("text", "transcription", "transcript")
TOKEN = ("token", "word", "form")
CORRECTION = ("correction", "corrected", "replacement", "corrected_text", "replaced_by", "target_text")
SOURCE = ("source_text", "original_text", "original", "source")


@dataclass
class TextRows:
    """Rows of one or several tables. Without start and end, rows are in the order of the text."""

    keys: list[Key]
    version: Ints  # the key of each row
    start: Ints
    end: Ints
    columns: dict[str, Column]
    place: Callable[[int], str]
    name: str  # of the first table
    header: tuple[str, ...]
    is_file: bool
    notes: list[str] = field(default_factory=list)

    def cells(self, name: str) -> list[str]:
        """Return a column as text; missing cells are empty."""
        column = self.columns[name]
        names = [*map(label_name, column.names), ""]
        return [names[code] for code in column.codes]

    def found(self, known: Sequence[str]) -> str | None:
        """Return the column with one of these names that has no other role."""
        return first_of([name for name in self.header if name in self.columns], known)

    def features(self, how: Reading, used: Sequence[str | None]) -> dict[str, tuple[Codes, Sequence[Label]]]:
        """Return the cleaned labels of the columns named by --label; by default, of all further columns."""
        free = [name for name in self.columns if name not in used]
        aside = [name for name in free if plain_name(name) in {*ASIDE, *ITEM} and name not in how.label]
        if aside and not how.label:
            self.notes.append(f"not used as features: {', '.join(aside)}; name features with --label")
        chosen: dict[str, tuple[Codes, Sequence[Label]]] = {}
        for name in how.label or [name for name in free if name not in aside]:
            if name not in self.columns:
                raise DataError(
                    "column-missing",
                    f"{self.name}: column {quoted(name)} already has another role, so it cannot be a feature; choose "
                    "another column for --label",
                )
            cleaned = clean(self.columns[name], how, self.is_file, self.place)
            self.notes += cleaned.notes
            if (cleaned.column.codes >= 0).any():
                chosen[name] = cleaned.column.codes, cleaned.column.names
            else:
                self.notes.append(f"column {name} is empty and not used as a feature")
        return chosen


def list_columns(header: Sequence[str]) -> str:
    """Return the names of the first columns, on one line."""
    return " ".join(", ".join(header[:8]).split())


def has_places(header: Sequence[str], how: Reading) -> bool:
    return how.start is not None or holds_units(header)


def read_text_rows(sources: Sequence[Source], how: Reading) -> TextRows:
    """Read the rows of tables with all columns."""
    header = tuple(dict.fromkeys(name for source in sources for name in source.header))
    for name in how.label:
        if name not in header:
            raise UnknownName("label column", name, header)
    names, read_so = keys_of_tables(sources, how, ONLY_DOCUMENT)
    parts = [_Part.of(source, how, key) for source, key in zip(sources, names, strict=True)]
    doc, who = (stacked([getattr(part, role) for part in parts], as_text=True) for role in ("doc", "annotator"))
    columns = {
        name: stacked([part.columns.get(name) or _nothing(len(part.start)) for part in parts])
        for name in dict.fromkeys(name for part in parts for name in part.columns)
    }
    many = len(who.names)
    pairs, version = np.unique(doc.codes.astype(np.int64) * many + who.codes, return_inverse=True)
    keys = [(label_name(doc.names[p // many]), label_name(who.names[p % many])) for p in pairs.tolist()]
    first = np.cumsum([0, *(len(part.start) for part in parts)])

    def place(row: int) -> str:
        which = int(np.searchsorted(first, row, side="right")) - 1
        return parts[which].place(row - int(first[which]))

    start, end = (np.concatenate([getattr(part, side) for part in parts]) for side in ("start", "end"))
    _check_whole(start, end, place)
    nobody = sum(part.nobody for part in parts)
    return TextRows(
        keys=keys,
        version=version.astype(np.int64),
        start=start.astype(np.int64),
        end=end.astype(np.int64),
        columns=columns,
        place=place,
        name=sources[0].name,
        header=header,
        is_file=all(source.is_file for source in sources),
        notes=[*read_so, *([f"{counted(nobody, 'row')} without annotator left out"] if nobody else [])],
    )


@dataclass
class _Part:
    """The rows of one table."""

    doc: Column
    annotator: Column
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    columns: dict[str, Column]  # further columns
    place: Callable[[int], str]
    nobody: int = 0  # rows without annotator

    @classmethod
    def of(cls, source: Source, how: Reading, key: tuple[str, str | None]) -> _Part:
        header = source.header
        doc = how.doc or first_of([name for name in header if name != how.annotator], DOC)
        who = how.annotator or first_of([name for name in header if name != how.doc], ANNOTATOR)
        if doc is not None and doc == who:
            raise SpecError(
                "option-value",
                f"column {quoted(doc)} is named by both --doc and --annotator; name two different columns",
            )
        taken = {doc, who}
        if has_places(header, how):
            taken |= {how.start or first_of(header, START), how.end or end_of(header)}
            more = tuple(name for name in header if name not in taken)
            table = UnitTable.of(source, replace(how, label=(), by=more, only=()), key)
            return cls(table.doc, table.annotator, table.start, table.end, table.features, table.place)
        for kind, name in (("document column", doc), ("annotator column", who)):
            if name is not None and name not in header:
                raise UnknownName(kind, name, header)
        if who is None and key[1] is None:
            raise DataError(
                "column-missing",
                f"{source.name}: a table of texts needs the columns doc, annotator, text (or token, and features); "
                f"name them with --annotator and --doc (columns: {list_columns(header)})",
            )
        return cls._without_places(source, doc, who, [name for name in header if name not in taken], key)

    @classmethod
    def _without_places(
        cls, source: Source, doc: str | None, who: str | None, more: Sequence[str], key: tuple[str, str | None]
    ) -> _Part:
        columns, _, rows = without_blank(*source.load([name for name in (doc, who, *more) if name is not None]))
        n = len(columns[more[0]].codes)
        whole, file = (Column(np.zeros(n, dtype=np.int32), [name or ""]) for name in key)
        mine = columns[who] if who else file
        empty = mine.is_empty()
        kept = np.arange(n) if empty is None else np.flatnonzero(~empty)
        if not len(kept):
            raise DataError(
                "column-missing", f"{source.name}: the annotator is empty in all rows; choose another --annotator"
            )
        stand = kept if rows is None else np.asarray(rows)[kept]

        def place(row: int) -> str:
            return source.place(int(stand[row]))

        docs = (columns[doc] if doc else whole).at(kept)
        unnamed = docs.is_empty()
        if unnamed is not None and unnamed.any():
            raise DataError(
                "empty-cell", f"{place(int(np.argmax(unnamed)))}: the document is empty; fill it in or remove the row"
            )
        zeros = np.zeros(len(kept))
        columns = {name: columns[name].at(kept) for name in more}
        return cls(docs, mine.at(kept), zeros, zeros, columns, place, n - len(kept))


def _nothing(n: int) -> Column:
    return Column(np.full(n, -1, dtype=np.int32), [])


def _check_whole(start: NDArray[np.float64], end: NDArray[np.float64], place: Callable[[int], str]) -> None:
    for side, values in (("start", start), ("end", end)):
        wrong = np.flatnonzero((values != np.rint(values)) | (values < 0))
        if len(wrong):
            row = int(wrong[0])
            raise DataError(
                "invalid-position",
                f"{place(row)}: {side} is {values[row]:g}, not a whole number from 0; offsets count characters",
            )


# -- texts separate from a table: docs.csv, judged.csv, and a folder of files --

FOLDER = "texts"
WAYS = "docs.csv with a column text, files in a folder texts beside the table, or --texts FOLDER"


@dataclass
class TextsBeside:
    """Texts by document and by (document, annotator), from tables and from files, which are read on demand."""

    how: Reading
    tables: dict[str | Key, str] = field(default_factory=dict)
    looked: list[Key] = field(default_factory=list)  # (document, annotator) pairs of judged.csv
    by_stem: dict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))
    by_folder: dict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))  # folder/stem
    last_parts: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, tables: Sequence[Source], beside: Sequence[Source], how: Reading) -> TextsBeside:
        """Find the texts of these tables; `beside` are docs.csv and judged.csv, if already found."""
        found = cls(how)
        folders = dict.fromkeys(Path(s.name).parent for s in tables if s.is_file and Path(s.name).is_file())
        for kind, given in ((DOCS, how.docs), (JUDGED, how.judged)):
            inside = [s for s in beside if Path(s.name).stem.lower() == kind]
            paths = [Path(given)] if given else [f for d in folders if (f := d / f"{kind}.csv").is_file()]
            for source in inside if inside and not given else map(found._opened, paths):
                found._read_table(source)
        if how.texts is not None:
            if not Path(how.texts).is_dir():
                raise DataError(
                    "file-missing", f"{how.texts}: no such folder; name the folder with the texts in --texts"
                )
            found._index(Path(how.texts))
        else:
            for folder in folders:
                found._index(folder / FOLDER)
        return found

    def _opened(self, path: Path) -> Source:
        return open_file(path, encoding=self.how.encoding, delimiter=self.how.delimiter)

    def _read_table(self, source: Source) -> None:
        doc, who, text = (first_of(source.header, names) for names in (DOC, ANNOTATOR, TEXT))
        if doc is None:
            raise DataError(
                "column-missing", f"{source.name}: a table of documents needs the column doc, and annotator or text"
            )
        columns, _, _ = without_blank(*source.load([name for name in (doc, who, text) if name is not None]))
        docs = cells_of(columns[doc])
        keys: list[Key] = list(zip(docs, cells_of(columns[who]), strict=True)) if who else []
        self.looked += [key for key in keys if all(key)]
        if text is not None:
            whose: Iterable[str | Key] = keys or docs
            self.tables.update(zip(whose, cells_of(columns[text]), strict=True))

    def _index(self, folder: Path) -> None:
        for file in filter(may_open, sorted(folder.rglob("*.txt"))):
            self.by_stem[file.stem].append(file)
            self.by_folder[f"{file.parent.name}/{file.stem}"].append(file)

    def expect(self, docs: Iterable[str]) -> None:
        """Set all documents: `0002.txt` is the text of `test/0002` only if there is no `train/0002`."""
        self.last_parts = Counter(self._parts(doc)[1] for doc in set(docs))

    @property
    def any(self) -> bool:
        return bool(self.tables or self.by_stem)

    def own(self, key: Key) -> str | None:
        """Return the annotator's own text: `DOC.ANNOTATOR.txt` or `ANNOTATOR/DOC.txt`."""
        doc, who = key
        if key in self.tables:
            return self.tables[key]
        folder, last = self._parts(doc)
        return self._file(
            doc, [f"{folder}{last}.{who}", *([f"{last}.{who}", f"{who}/{last}"] if self._plain(doc) else [])]
        )

    def shared(self, doc: str) -> str | None:
        """Return the text of the document: `DOC.txt`, with or without its folder."""
        if doc in self.tables:
            return self.tables[doc]
        folder, last = self._parts(doc)
        return self._file(doc, [f"{folder}{last}", *([f"source/{last}", last] if self._plain(doc) else [])])

    def _parts(self, doc: str) -> tuple[str, str]:
        folder, slash, last = doc.rpartition("/")
        return folder.rpartition("/")[2] + slash, last

    def _plain(self, doc: str) -> bool:
        """Return whether no other document name has the same last part."""
        return self.last_parts[self._parts(doc)[1]] < 2

    def _file(self, doc: str, names: Sequence[str]) -> str | None:
        for name in names:
            files = (self.by_folder if "/" in name else self.by_stem).get(name, [])
            if len(files) > 1:
                raise DataError(
                    "repeated-document",
                    f"{files[0]} and {files[1]}: both may be the text of document {quoted(doc)}; remove one",
                )
            if files:
                return read_content(files[0], self.how.encoding)
        return None


# -- whole texts and tokens --

_LARGEST = 1 << 28  # characters of texts built from tokens
_FAR = 1_000_000  # blanks between tokens; with more, an offset must be wrong


def whole_texts(rows: TextRows, how: Reading) -> Texts:
    """Read a row per document and annotator, with tokens between blanks; or a row per token, in order."""
    column = rows.found(TOKEN) or rows.found(TEXT)
    if column is None:
        raise DataError(
            "column-missing",
            f"{rows.name}: no column contains the text; name it text or token (columns: {list_columns(rows.header)})",
        )
    cells = rows.cells(column)
    often = np.bincount(rows.version, minlength=len(rows.keys))
    if often.max() > 1:
        if rows.found(TOKEN) or len(rows.columns) > 1 or not any(" " in cell.strip() for cell in cells):
            return _tokens_in_order(rows, cells, column, how)
        row = int(np.flatnonzero(_again(rows.version))[0])
        doc, who = rows.keys[rows.version[row]]
        raise DataError(
            "repeated-document",
            f"{rows.place(row)}: the text of {quoted(doc)} by {quoted(who)} occurs twice; remove a row",
        )
    more = [name for name in rows.columns if name != column]
    if more:
        rows.notes.append(f"columns not used, because each row is a whole text: {', '.join(more)}")
    strings = [""] * len(rows.keys)
    for version, cell in zip(rows.version.tolist(), cells, strict=True):
        strings[version] = cell
    empty = sum(not text.strip() for text in strings)
    if empty:
        rows.notes.append(f"{counted(empty, 'text')} without any words")
    return Texts.of_arrays(rows.keys, strings, *words(strings), {}, find_base(rows.keys, how)).with_notes(*rows.notes)


def _again(version: Ints) -> np.ndarray:
    """Return whether each row repeats a version."""
    seen = np.ones(len(version), dtype=bool)
    seen[np.unique(version, return_index=True)[1]] = False
    return seen


def _tokens_in_order(rows: TextRows, cells: list[str], column: str, how: Reading) -> Texts:
    """Build texts from tokens joined by blanks; rows without a token are left out."""
    features = rows.features(how, [column])
    sizes = np.array([len(cell) for cell in cells], dtype=np.int64)
    kept = np.flatnonzero(sizes > 0)
    if len(kept) < len(sizes):
        rows.notes.append(f"{counted(len(sizes) - len(kept), 'row')} without a token left out")
    order = kept[np.argsort(rows.version[kept], kind="stable")]
    version = rows.version[order]
    stop = np.cumsum(sizes[order] + 1)
    first = np.searchsorted(version, np.arange(len(rows.keys) + 1))
    before = np.concatenate([[0], stop])[first]
    end = stop - before[version] - 1
    strings = [" ".join([cells[k] for k in order[a:b]]) for a, b in pairwise(first)]
    columns = {name: (codes[order], labels) for name, (codes, labels) in features.items()}
    base = find_base(rows.keys, how)
    return Texts.of_arrays(rows.keys, strings, version, end - sizes[order], end, columns, base).with_notes(*rows.notes)


def token_texts(rows: TextRows, beside: TextsBeside, how: Reading) -> Texts:
    """Read tokens as spans; the text column contains the token or the whole text, or the texts are in files."""
    column = rows.found(TOKEN) or rows.found(TEXT)
    if column is None:
        return _with_texts(rows, _texts_beside(rows, beside), how)
    texts = rows.columns[column]
    sizes = np.array([*(len(label_name(name)) for name in texts.names), 0], dtype=np.int64)[texts.codes]
    fits = sizes == rows.end - rows.start
    if fits.all():
        strings = _rebuilt(rows, rows.cells(column))
    else:
        first = np.unique(rows.version, return_index=True)[1]
        same = texts.codes == texts.codes[first][rows.version]
        if not same.all():
            row = int(np.flatnonzero(~fits)[0])
            raise DataError(
                "invalid-position",
                f"{rows.place(row)}: column {column} has {counted(int(sizes[row]), 'character')}, but the token is "
                "from "
                f"{rows.start[row]} to {rows.end[row]}; give the token's text, or the whole text in all rows of an "
                "annotator",
            )
        strings = [label_name(texts.names[code]) for code in texts.codes[first]]
    return _with_texts(rows, dict(zip(rows.keys, strings, strict=True)), how, column)


def _rebuilt(rows: TextRows, cells: Sequence[str]) -> list[str]:
    """Rebuild texts from their tokens, with blanks between tokens."""
    order = np.lexsort((rows.end, rows.start, rows.version))
    version, start, end = rows.version[order], rows.start[order], rows.end[order]
    sizes = np.zeros(len(rows.keys), dtype=np.int64)
    np.maximum.at(sizes, version, end)
    check_places(version, start, end, sizes, lambda k: rows.place(int(order[k])))
    if int(sizes.sum()) > min(_LARGEST, _FAR + 10 * sum(map(len, cells))):
        raise DataError(
            "file-too-large",
            f"{rows.name}: the offsets imply texts of {int(sizes.sum()):,} characters; start and end must count "
            "characters",
        )
    first = np.searchsorted(version, np.arange(len(rows.keys) + 1))
    gap = start.copy()
    gap[1:] -= np.where(version[1:] == version[:-1], end[:-1], 0)
    pieces = [" " * g + cells[k] for g, k in zip(gap.tolist(), order.tolist(), strict=True)]
    return ["".join(pieces[a:b]) for a, b in pairwise(first)]


def _texts_beside(rows: TextRows, beside: TextsBeside) -> dict[Key, str]:
    """Return each annotator's own text; if no annotator has one, the text of the document."""
    wanted = list(dict.fromkeys([*rows.keys, *beside.looked]))
    beside.expect(doc for doc, _ in wanted)
    found = {key: beside.own(key) for key in wanted}
    if not any(text is not None for text in found.values()):
        found = {key: beside.shared(key[0]) for key in wanted}
        if any(text is not None for text in found.values()):
            rows.notes.append("annotators have no texts of their own; accord uses the text of the document for all")
    texts = {key: text for key, text in found.items() if text is not None}
    if not texts:
        raise DataError(
            "column-missing",
            f"{rows.name}: the text is missing; give a column text, {WAYS} (DOC.ANNOTATOR.txt, ANNOTATOR/DOC.txt "
            "or DOC.txt); for units without text use gamma",
        )
    lost = [key for key in rows.keys if key not in texts]
    if lost:
        doc, who = lost[0]
        rows.notes.append(f"{counted(len(lost), 'version')} without text left out ({doc} by {who} …); give {WAYS}")
    return texts


def _with_texts(rows: TextRows, texts: Mapping[Key, str], how: Reading, *used: str) -> Texts:
    """Build texts with rows as tokens; rows of unknown texts are left out."""
    features = rows.features(how, used)
    keys = list(texts)
    at = {key: k for k, key in enumerate(keys)}
    version = np.array([at.get(key, -1) for key in rows.keys], dtype=np.int64)[rows.version]
    kept = np.flatnonzero(version >= 0)
    columns = {name: (codes[kept], labels) for name, (codes, labels) in features.items()}

    def place(row: int) -> str:
        return rows.place(int(kept[row]))

    arrays = version[kept], rows.start[kept], rows.end[kept]
    made = Texts.of_arrays(keys, list(texts.values()), *arrays, columns, find_base(keys, how), place)
    return made.with_notes(*rows.notes)


# -- edits: spans of a source text with their corrections --

PRE = "source"  # the name of the pre-annotation
_NEAR = 16  # characters by which accord may move an edit
_MOST_STRANGE = 0.1  # share of edits not found; with more, the offsets belong to another text


def edited_texts(rows: TextRows, beside: TextsBeside, how: Reading) -> Texts:
    """Build the annotators' texts by applying their edits to the source; words are tokens.

    Each further column is a feature of the words that an edit changes; for a deletion, of the next word.
    """
    if how.base is not None:
        raise SpecError(
            "option-not-for-data", "--base: the pre-annotation of edits is always their source text; remove it"
        )
    wanted = list(dict.fromkeys([*rows.keys, *beside.looked]))
    docs = list(dict.fromkeys(doc for doc, _ in wanted))
    beside.expect(docs)
    sources = {doc: text for doc in docs if (text := beside.shared(doc)) is not None}
    lost = [doc for doc in docs if doc not in sources]
    if not sources:
        raise DataError(
            "column-missing", f"{rows.name}: the source text of the edits is missing; give {WAYS} (DOC.txt)"
        )
    if lost:
        rows.notes.append(f"{counted(len(lost), 'document')} without source text left out ({lost[0]} …); give {WAYS}")
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
    """Edits sorted by version and position, moved to the position of their words in the source."""

    def __init__(self, rows: TextRows, keys: Sequence[Key], sources: Sequence[str]) -> None:
        at = {key: k for k, key in enumerate(keys)}
        version = np.array([at.get(key, -1) for key in rows.keys], dtype=np.int64)[rows.version]
        order = np.lexsort((rows.end, rows.start, version))  # stable: insertions at one position keep the order of rows
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
                "invalid-position",
                f"{self._place(k)}: {self.start[k]} to {self.end[k]} is outside the source text, which has "
                f"{counted(int(sizes[k]), 'character')}; offsets count code points from 0",
            )
        over = np.flatnonzero((self.version[1:] == self.version[:-1]) & (self.start[1:] < self.end[:-1]))
        if len(over):
            k = int(over[0]) + 1
            raise DataError(
                "overlapping-units",
                f"{self._place(k)}: the edit starts at {self.start[k]}, before the previous edit ends "
                f"({self.end[k - 1]}, {self._place(k - 1)}); edits of one annotator must not overlap",
            )

    def _place(self, k: int) -> str:
        return self.rows.place(int(self.row[k]))

    def _anchor(self, before: Sequence[str]) -> None:
        """Move edits to the words they name, if the source differs slightly from the edited text."""
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
                "invalid-position",
                f"{self._place(k)}: {quoted(before[k])} is not in the source at {self.rows.start[self.row[k]]}, nor "
                "are "
                f"{len(lost) - 1:,} more edits; offsets must count code points of the source text",
            )
        texts, first = len(np.unique(self.version[strange])), self._place(int(np.argmax(strange)))
        self.rows.notes.append(
            f"in {counted(texts, 'text')}, offsets of edits do not match the source (the first: {first}); accord moved "
            f"{counted(moved, 'edit')} by at most {_NEAR} characters"
            f"{f' and applied {len(lost):,} at their offsets' if lost else ''}"
        )

    @staticmethod
    def _near(source: str, text: str, at: int, done: int) -> int | None:
        """Return the nearest occurrence of a text, not before `done`."""
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
        """Return the source of each version with its corrections."""
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
        """Return pairs of a word and an edit: the words that a correction overlaps; if none, the next word."""
        sizes = np.array([len(text) + 1 for text in strings], dtype=np.int64)
        offset = np.cumsum(sizes) - sizes  # positions in the concatenation of all texts
        grown = np.array([len(text) for text in self.correction], dtype=np.int64)
        longer = np.cumsum(grown - (self.end - self.start))
        before = np.concatenate([[0], longer])
        low = self.start + before[:-1] - before[self.first[self.version]] + offset[self.version]
        first = np.searchsorted(end + offset[version], low, side="right")
        last = np.searchsorted(start + offset[version], low + grown, side="left")
        alone = last <= first
        # After the last word of a text, the edit belongs to the previous word.
        padded = np.append(version, -1)
        first = np.where(alone & (padded[first] != self.version), first - 1, first)
        last = np.where(alone, first + 1, last)
        known = (first >= 0) & (padded[np.maximum(first, 0)] == self.version)
        many = np.where(known, last - first, 0)
        edit = np.repeat(np.arange(len(many)), many)
        within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
        return first[edit] + within, edit


def _joined(codes: Codes, labels: Sequence[Label], word: Ints, n: int) -> tuple[Codes, list[str]]:
    """Return the label of each word; several different labels are sorted and joined by |."""
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
