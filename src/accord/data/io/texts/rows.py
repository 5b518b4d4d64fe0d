"""Rows of tables of texts: whose version they belong to, where they stand in it, and what else they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes, Ints
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.cleaning import clean
from accord.data.io.tables.columns import Column, stacked, without_blank
from accord.data.io.tables.roles import ANNOTATOR, ASIDE, DOC, ITEM, START, end_of, first_of, holds_units, plain_name
from accord.data.io.tables.sources import Source
from accord.data.io.tables.units import UnitTable, keys_of_tables
from accord.data.model.labels import Label, label_name
from accord.data.model.texts import ONLY_DOCUMENT

Key = tuple[str, str]  # document, annotator

TEXT = ("text", "transcription", "transcript")
TOKEN = ("token", "word", "form")
CORRECTION = ("correction", "corrected", "replacement", "corrected_text", "replaced_by", "target_text")
SOURCE = ("source_text", "original_text", "original", "source")


@dataclass
class Rows:
    """Rows of one table or several under each other. Without start and end they stand in the order of the text."""

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
        """A column as text, empty where there is nothing."""
        column = self.columns[name]
        names = [*map(label_name, column.names), ""]
        return [names[code] for code in column.codes]

    def found(self, known: Sequence[str]) -> str | None:
        """The column that goes by one of these names, and is not taken for something else."""
        return first_of([name for name in self.header if name in self.columns], known)

    def features(self, how: Reading, used: Sequence[str | None]) -> dict[str, tuple[Codes, Sequence[Label]]]:
        """Further columns, or those that --label names: their labels, cleaned."""
        free = [name for name in self.columns if name not in used]
        aside = [name for name in free if plain_name(name) in {*ASIDE, *ITEM} and name not in how.label]
        if aside and not how.label:
            self.notes.append(f"not taken as features: {', '.join(aside)}; name features with --label")
        chosen: dict[str, tuple[Codes, Sequence[Label]]] = {}
        for name in how.label or [name for name in free if name not in aside]:
            if name not in self.columns:
                raise DataError(f"{self.name}: column {quoted(name)} is taken for something else: it is no feature")
            cleaned = clean(self.columns[name], how, self.is_file, self.place)
            self.notes += cleaned.notes
            if (cleaned.column.codes >= 0).any():
                chosen[name] = cleaned.column.codes, cleaned.column.names
            else:
                self.notes.append(f"column {name} is empty: no feature")
        return chosen


def listed(header: Sequence[str]) -> str:
    """Columns, on one line whatever their names are."""
    return " ".join(", ".join(header[:8]).split())


def has_places(header: Sequence[str], how: Reading) -> bool:
    return how.start is not None or holds_units(header)


def rows_of(sources: Sequence[Source], how: Reading) -> Rows:
    """The rows of tables, all columns loaded."""
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
    return Rows(
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
    """One table."""

    doc: Column
    annotator: Column
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    columns: dict[str, Column]  # the further ones
    place: Callable[[int], str]
    nobody: int = 0  # rows without annotator

    @classmethod
    def of(cls, source: Source, how: Reading, key: tuple[str, str | None]) -> _Part:
        header = source.header
        doc = how.doc or first_of([name for name in header if name != how.annotator], DOC)
        who = how.annotator or first_of([name for name in header if name != how.doc], ANNOTATOR)
        if doc is not None and doc == who:
            raise SpecError(f"column {quoted(doc)} is named for the document and for the annotator: say two")
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
                f"{source.name}: a table of texts has the columns doc, annotator, text (or token, and features); "
                f"say --annotator and --doc (columns: {listed(header)})"
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
            raise DataError(f"{source.name}: no row names an annotator")
        stand = kept if rows is None else np.asarray(rows)[kept]

        def place(row: int) -> str:
            return source.place(int(stand[row]))

        docs = (columns[doc] if doc else whole).at(kept)
        unnamed = docs.is_empty()
        if unnamed is not None and unnamed.any():
            raise DataError(f"{place(int(np.argmax(unnamed)))}: the document is empty")
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
            raise DataError(f"{place(row)}: {side} is {values[row]:g}, not a number of characters from 0")
