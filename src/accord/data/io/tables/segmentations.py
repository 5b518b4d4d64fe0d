"""Read tables of segmentations: `doc,annotator,masses` or `doc,annotator,boundaries,length`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Ints
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.data.io.reading import DOCUMENT, Declared, Reading
from accord.data.io.tables.cleaning import declared_categories
from accord.data.io.tables.columns import Column, places_of, refuse_empty_cells, stacked_features, without_blank
from accord.data.io.tables.roles import ANNOTATOR, DOC, first_of, named_column
from accord.data.io.tables.sources import Source
from accord.data.model.data import Choice
from accord.data.model.labels import Label, label_name
from accord.data.model.segmentations import ONLY_DOCUMENT, Given, Segmentations, length_of, of_masses

MASSES = ("masses", "segment_masses", "segment_lengths")
BOUNDARIES = ("boundaries", "boundary_positions")
LENGTH = ("length", "atoms", "doc_length", "size")
_LONGEST_NUMBER = 18  # digits


def holds(sources: Sequence[Source], how: Reading) -> bool:
    """Whether the tables contain segmentations: the user declares it, or there is a column of masses or boundaries."""
    if how.layout is not None or how.item is not None:
        return how.layout == "segmentations"
    return all(first_of(source.header, (*MASSES, *BOUNDARIES)) is not None for source in sources)


def read(sources: Sequence[Source], how: Reading, declared: Declared) -> dict[str, Segmentations]:  # noqa: ARG001
    found = read_segmentations(sources, how)
    return {found.variable: found}


def read_segmentations(sources: Sequence[Source], how: Reading) -> Segmentations:
    """Read one or more tables with one row per document and annotator, and numbers separated by spaces in one cell.

    A boundary may have a type, `12:major`. A document without boundaries has an empty cell.
    """
    tables = [_Table.of(source, how, several=len(sources) > 1) for source in sources]
    place = places_of(tables, (len(t.rows) for t in tables))
    features = stacked_features(tables, how.columns_of_units())
    given = [one for t in tables for one in _shared_lengths(t)]
    made = Segmentations.assemble(given, declared_categories(how), features, place)
    return _chosen(made, how)


def _chosen(data: Segmentations, how: Reading) -> Segmentations:
    """Apply --only and --annotators."""
    kept = np.ones(len(data.doc), dtype=bool)
    notes = []
    for column, values in how.filters.items():
        if not column:
            raise SpecError(
                "option-value", "--only needs a column for segmentations; write both, e.g. --only genre=news"
            )
        if column in DOCUMENT:
            names, codes = data.docs, data.doc
        else:
            names, codes = data.features[column].names, data.features[column].codes
        for value in values:
            if value not in names:
                raise UnknownName(f"value of {column}", value, names)
        mask = np.isin(codes, [k for k, name in enumerate(names) if name in values])
        notes.append(Choice(f"--only: {int((kept & mask).sum()):,} of {int(kept.sum()):,} segmentations kept"))
        kept &= mask
    chosen = data.keep(kept) if notes else data
    if notes:  # drops documents that the selection emptied
        chosen = chosen.only_docs(np.bincount(chosen.doc, minlength=len(chosen.docs)) > 0)
    return (chosen.only_annotators(how.annotators) if how.annotators else chosen).with_notes(*notes)


@dataclass
class _Table:
    """One table with known columns."""

    source: Source
    doc: Column
    annotator: Column
    cell: Column
    length: Column | None
    masses: bool
    rows: NDArray[np.intp]  # the row of each segmentation
    features: dict[str, Column]

    @classmethod
    def of(cls, source: Source, how: Reading, several: bool) -> _Table:
        header = source.header
        named = partial(named_column, header)
        doc, annotator = named("document", DOC, how.doc), named("annotator", ANNOTATOR, how.annotator)
        masses, boundaries = first_of(header, MASSES), first_of(header, BOUNDARIES)
        length = first_of(header, LENGTH)
        held = masses or boundaries
        if masses and boundaries:
            raise DataError(
                "roles-unclear",
                f"{source.name}: the table has both {quoted(masses)} and {quoted(boundaries)}; delete one of the "
                "columns",
            )
        if held is None or (annotator is None and not several):
            listed = ", ".join(header[:8])
            raise DataError(
                "column-missing",
                f"{source.name}: the columns of a segmentation are missing; it needs annotator and masses, or "
                "annotator, boundaries and length (and doc). Rename the columns, or use --annotator COLUMN (columns: "
                f"{listed})",
            )
        if boundaries and length is None:
            raise DataError(
                "column-missing",
                f"{source.name}: the lengths of documents are missing; add a column length (in atoms), or give masses "
                "instead of boundaries",
            )
        for name in how.columns_of_units():
            if name not in header:
                raise UnknownName("column", name, header)
        wanted = list(
            dict.fromkeys(c for c in (doc, annotator, held, length, *how.columns_of_units()) if c is not None)
        )
        columns, _, rows = without_blank(*source.load(wanted))
        n = len(columns[held].codes)
        file = Column(np.zeros(n, dtype=np.int32), [Path(source.name).stem])
        single = Column(np.zeros(n, dtype=np.int32), [ONLY_DOCUMENT])
        table = cls(
            source,
            columns[doc] if doc else (file if several and annotator else single),
            columns[annotator] if annotator else file,
            columns[held],
            columns[length] if length and boundaries else None,
            masses is not None,
            np.arange(n) if rows is None else rows,
            {name: columns[name] for name in how.columns_of_units()},
        )
        refuse_empty_cells({"document": table.doc, "annotator": table.annotator}, table.place)
        return table

    def place(self, entry: int) -> str:
        return self.source.place(int(self.rows[entry]))

    def text(self, column: Column, entry: int) -> str:
        code = int(column.codes[entry])
        return label_name(column.names[code]) if code >= 0 else ""

    def said_length(self, entry: int) -> str:
        return "" if self.length is None else self.text(self.length, entry).strip()


def _shared_lengths(table: _Table) -> list[Given]:
    """Return all rows. The length of a document may be given on one of its rows only."""
    docs = [table.text(table.doc, entry) for entry in range(len(table.rows))]
    lengths: dict[str, int] = {}
    for entry, doc in enumerate(docs):
        said = table.said_length(entry)
        if said:
            lengths.setdefault(doc, _length(said, table.place(entry)))
    return [_given(table, entry, doc, lengths) for entry, doc in enumerate(docs)]


def _given(table: _Table, entry: int, doc: str, lengths: dict[str, int]) -> Given:
    annotator, cell, place = table.text(table.annotator, entry), table.text(table.cell, entry), table.place(entry)
    if table.masses:
        return of_masses(doc, annotator, _numbers(cell.split(), place, "mass"), place)
    if doc not in lengths:
        raise DataError(
            "column-missing",
            f"{place}: the length of document {quoted(doc)} is missing; write it into the column length",
        )
    said = table.said_length(entry)
    length = _length(said, place) if said else lengths[doc]
    words = cell.split()
    types: list[Label] | None = None
    if any(":" in word for word in words):
        pairs = [word.partition(":") for word in words]
        for word, (_, _, name) in zip(words, pairs, strict=True):
            if not name:
                raise DataError(
                    "invalid-position",
                    f"{place}: boundary {quoted(word)} has no type, but others have one; write position:type",
                )
        words, types = [p for p, _, _ in pairs], [name for _, _, name in pairs]
    return Given(doc, annotator, _numbers(words, place, "boundary"), types, length, place)


def _numbers(words: list[str], place: str, what: str) -> Ints:
    for at, word in enumerate(words):
        if not word.removeprefix("-").isdecimal() or len(word) > _LONGEST_NUMBER:
            hint = "separate numbers by spaces" if "," in word or ";" in word else "correct it"
            raise DataError(
                "invalid-position", f"{place}: {what} {at + 1} is {quoted(word)}, not a whole number; {hint}"
            )
    return np.array([int(word) for word in words], dtype=np.int64)


def _length(text: str, place: str) -> int:
    try:
        number = float(text)
        return length_of("", int(number) if number.is_integer() else -1)
    except (ValueError, OverflowError, DataError):
        raise DataError(
            "invalid-position",
            f"{place}: the length {quoted(text)} is not a number of atoms; write a whole number of at least 1",
        ) from None
