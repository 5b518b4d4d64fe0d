"""Tables that are counted where they are → Ratings.

A measure on items needs the distinct rows of labels, and how many items have each. An engine counts them where the
table is, and packs each row into words of bits: `Packing` says where in the words an annotator has his bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, counted, quoted
from accord.data.io.large.addresses import without_secrets
from accord.data.io.large.engines import Codes, Columns, Engine, has_duckdb, open_database
from accord.data.io.large.files import CountedFiles, Files, filesystem, list_parquet
from accord.data.io.reading import Reading
from accord.data.io.tables.cleaning import left_out
from accord.data.io.tables.columns import Column, polars
from accord.data.io.tables.delimited import DelimitedTable
from accord.data.io.tables.layout import roles_of
from accord.data.io.tables.parquet import ordered_in, with_orders
from accord.data.io.tables.ratings import Counted, Entries, assembled
from accord.data.io.tables.roles import Roles, holds_units
from accord.data.io.tables.sources import PARQUET_SUFFIXES, open_file
from accord.data.model.data import Data
from accord.data.model.labels import Label, is_missing, label_name, plain, sort_key
from accord.data.model.ratings import Unnamed

_CANNOT = ("by", "keep", "columns", "annotators_in", "doc", "start", "end", "docs", "judged", "base", "texts", "sheet",
           "encoding", "delimiter", "names", "format", "no_header", "end_is_length", "merge_symbol", "split_symbol",
           "repair")  # fmt: skip
_OF_FILES = ("encoding", "delimiter")  # which files can be counted with
_BITS = 62  # of a word; a sum of words stays an integer everywhere
_MOST_WORDS = 64
_MOST_ROWS = 20_000_000


class _NotByName(DataError):  # noqa: N818 - the name says it
    """What a column is cannot be told from its name."""


@dataclass
class _Header:
    """A source of which only the columns are known."""

    name: str
    header: tuple[str, ...]
    is_file: bool = True
    notes: tuple[str, ...] = ()

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> NoReturn:  # noqa: ARG002
        listed = ", ".join(self.header[:8]) + (" …" if len(self.header) > 8 else "")
        raise _NotByName(
            "roles-unclear",
            f"{self.name}: which of the columns ({listed}) name items, annotators and labels? Say --item, --annotator "
            "and --label: a table that is counted where it is has a row for each label",
        )

    def place(self, row: int) -> str:  # noqa: ARG002
        return self.name


def from_database(given: Sequence[Any], address: str, how: Reading) -> dict[str, Data]:
    """The ratings of a table in a database."""
    if len(given) > 1:
        raise DataError("mixed-inputs", f"{address}: a database is read alone: make a view of what belongs together")
    if options := _unfit(how, _CANNOT):
        raise SpecError(
            "option-not-for-data",
            f"{options}: this is not for databases, where items, annotators and labels are counted: read a table from "
            "a file (CSV, Parquet)",
        )
    with open_database(without_secrets(address), how.table) as engine:
        return _read(engine, how, ordered=False)


def from_elsewhere(given: Sequence[Any], how: Reading, run: Run) -> dict[str, Data]:
    """The ratings of Parquet that is not on this machine."""
    address = str(given[0])
    if len(given) > 1:
        raise DataError("mixed-inputs", f"{address}: what is elsewhere is read alone: name a folder")
    if options := _unfit(how, _CANNOT):
        raise SpecError(
            "option-not-for-data",
            f"{options}: this is not for tables that are elsewhere, where items, annotators and labels are counted",
        )
    paths = list_parquet(address)
    files = Files.of_parquet(address, paths)
    if not files.are_alike():
        raise DataError("option-not-for-data", f"{address}: its files have not the same columns, of the same types")
    ratings = _read(CountedFiles(files, run), how, ordered=True)
    with filesystem(address).open(paths[0], "rb") as file:
        ordered = ordered_in(polars().read_parquet_metadata(file), paths[0])
    for label in ratings:
        if label in ordered:  # the order of its levels is not read from there, and not guessed
            raise DataError(
                "invalid-label",
                f"{paths[0]}: column {quoted(label)} is an ordered factor: save it as text, and say --categories",
            )
    return ratings


def from_large_files(
    name: str, paths: Sequence[Path], how: Reading, run: Run
) -> tuple[dict[str, Data] | None, tuple[str, ...]]:
    """The ratings of very large files; None, with a note that gives the reason, where they cannot be counted.

    Parquet is counted by the workers of a cluster, where there is one.
    """
    fact = f"{name}: a large table, read into memory"
    if not has_duckdb():
        return None, (f"{fact}: pip install 'accord[large]' counts it with less",)
    if options := _unfit(how, [option for option in _CANNOT if option not in _OF_FILES]):
        return None, (f"{fact} because of {options}",)
    engine = _engine_of(paths, how, name, run)
    if engine is None:
        return None, (f"{fact}: its files are not of one kind, with the same columns",)
    try:
        return _read(engine, how, ordered=True, orders=_orders(paths)), ()
    except _NotByName:
        return None, (f"{fact}: its columns are not called item, annotator and label",)


def _unfit(how: Reading, names: Sequence[str]) -> str:
    """The options that need more than counts."""
    usual = Reading()
    options = [name for name in names if getattr(how, name) != getattr(usual, name)]
    options += ["repeats"] if how.repeats != "error" else []
    options += ["layout"] if how.layout not in {None, "long"} else []
    options += ["only"] if any(how.filters) else []
    return ", ".join(f"--{name.replace('_', '-')}" for name in options)


def _read(
    engine: Engine, how: Reading, ordered: bool, orders: dict[str, tuple[str, ...]] | None = None
) -> dict[str, Data]:
    """`ordered`: annotators stand as in a file, by first appearance; else, in a database, by name."""
    fields = engine.fields()
    source = _Header(engine.name, tuple(fields))
    if how.layout is None and how.annotator is None and holds_units(source.header):
        raise _NotByName(
            "measure-for-other-data",
            f"{engine.name}: columns say where units begin and end, and units cannot be counted",
        )
    roles = roles_of(source, how, (), several=False)
    if roles.layout != "long" or roles.item is None or roles.annotator is None:
        source.load(())
    found: dict[str, Data] = {}
    for variable in roles.labels:
        columns = (fields[roles.item], fields[roles.annotator], fields[variable])
        rows = _count_rows(engine, columns, how, ordered)
        order = (orders or {}).get(variable)
        found[variable] = assembled(variable, [_entries(source, roles, variable, rows, order)], how)
    return found


# -- counting ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Packing:
    """Where in the words each annotator has his bits: one says that there is a label, the others which."""

    annotators: int
    labels: int

    @property
    def label_bits(self) -> int:
        return max(1, (self.labels - 1).bit_length())

    @property
    def per_word(self) -> int:
        return _BITS // (self.label_bits + 1)

    @property
    def words(self) -> int:
        return max(1, -(-self.annotators // self.per_word))

    def place(self, annotator: int) -> tuple[int, int]:
        """The word of an annotator, and the factor that moves a code to his bits."""
        word, place = divmod(annotator, self.per_word)
        return word, 1 << place * (self.label_bits + 1)

    def code(self, label: int) -> int:
        return 1 << self.label_bits | label

    def unpack(self, words: Ints) -> tuple[Ints, Ints, Ints]:
        """Row, annotator and label of each label in the words of the rows."""
        rows, annotators, labels = ([np.zeros(0, dtype=np.int64)] for _ in range(3))
        for annotator in range(self.annotators):
            word, factor = self.place(annotator)
            bits = words[:, word] // factor
            given = np.flatnonzero(bits >> self.label_bits & 1)
            rows.append(given)
            annotators.append(np.full(len(given), annotator))
            labels.append(bits[given] & ((1 << self.label_bits) - 1))
        row, annotator_of, label = (np.concatenate(part) for part in (rows, annotators, labels))
        order = np.argsort(row, kind="stable")
        return row[order], annotator_of[order], label[order]


class _Pair:
    """An annotator and a label that occur together: their cells, what these mean, and how often."""

    def __init__(self, how: Reading, annotator: Any, label: Any, nowhere: Any, times: int) -> None:
        self.cells = (annotator, label)
        self.annotator = _name(annotator)
        self.label: Label | None = None if is_missing(label) else plain(label)
        self.nowhere = bool(nowhere)  # the item has no name
        self.times = times
        self.is_given = self.label is not None and left_out(self.label, how, is_file=True) is None
        self.is_blank = self.nowhere and self.annotator == "" and self.label in {None, ""}


def _pairs(engine: Engine, columns: Columns, how: Reading, ordered: bool) -> list[_Pair]:
    for column in columns:
        if not column.cell:
            raise DataError(
                "invalid-label",
                f"{engine.name}: column {quoted(column.name)} is neither text nor whole or floating numbers: make a "
                "view in which it is",
            )
    pairs = [pair for cells in engine.pairs(columns) if not (pair := _Pair(how, *cells)).is_blank]
    if not ordered:
        pairs.sort(key=lambda pair: (sort_key(pair.annotator), sort_key("" if pair.label is None else pair.label)))
    for pair in pairs:
        for is_empty, role in ((pair.nowhere, "item"), (pair.annotator == "", "annotator")):
            if is_empty and pair.is_given:
                raise DataError(
                    "empty-cell", f"{engine.name}: the {role} is empty, but there is a label: {quoted(pair.label)}"
                )
    return pairs


@dataclass(frozen=True)
class _Rows:
    """Distinct rows of labels. Entries of missing labels stand for no row: they are only reported."""

    items: Ints  # of each row: how many items have it
    entries: tuple[Ints, Ints, Ints]  # row, annotator and label of each label in the rows
    annotators: tuple[str, ...]
    labels: tuple[Label, ...]
    missing: dict[Label | None, int]  # how often; None where a cell has no value at all


def _count_rows(engine: Engine, columns: Columns, how: Reading, ordered: bool) -> _Rows:
    pairs = _pairs(engine, columns, how, ordered)
    given = [pair for pair in pairs if pair.is_given]
    annotators = {name: k for k, name in enumerate(dict.fromkeys(pair.annotator for pair in pairs if pair.annotator))}
    labels = {label: k for k, label in enumerate(dict.fromkeys(pair.label for pair in given))}
    packing = Packing(len(annotators), len(labels))
    if packing.words > _MOST_WORDS:
        raise DataError(
            "too-large-to-compute",
            f"{engine.name}: rows of {counted(len(annotators), 'annotator')} with {counted(len(labels), 'category')} "
            "are too long to be counted: name a view that has fewer",
        )
    codes = Codes(
        packing.words,
        {pair.cells[0]: packing.place(annotators[pair.annotator]) for pair in given},
        {pair.cells[1]: packing.code(labels[pair.label]) for pair in given},
    )
    if engine.sums:
        _refuse_repeats(engine, columns, codes)
    rows = engine.rows(columns, codes, _MOST_ROWS)
    if len(rows) > _MOST_ROWS:
        raise DataError(
            "too-large-to-compute",
            f"{engine.name}: more than {_MOST_ROWS:,} items have rows of labels that differ: with so many annotators "
            "or categories there is little to count; name a view that has fewer",
        )
    rows = rows[np.lexsort(rows[:, :-2].T)]
    entries = packing.unpack(rows[:, :-2])
    if (np.bincount(entries[0], minlength=len(rows)) != rows[:, -2]).any():
        _refuse_repeats(engine, columns, codes)
        raise DataError("database", f"{engine.name}: the table changed while it was counted: try again")
    missing: dict[Label | None, int] = {}
    for pair in pairs:
        if not pair.is_given:
            missing[pair.label] = missing.get(pair.label, 0) + pair.times
    return _Rows(rows[:, -1], entries, tuple(annotators), tuple(labels), missing)


def _refuse_repeats(engine: Engine, columns: Columns, codes: Codes) -> None:
    found = engine.repeated(columns, codes)
    if found is not None:
        item, place = found
        annotator = next(cell for cell, code in codes.annotators.items() if code == place)
        raise DataError(
            "repeated-label",
            f"{engine.name}: {quoted(_name(annotator))} labels item {quoted(_name(item))} twice; the first, the last, "
            "or trials can be chosen among in a file that fits into memory: here, name a view that has one label of "
            "each annotator and item",
        )


def _entries(source: _Header, roles: Roles, variable: str, rows: _Rows, order: tuple[str, ...] | None) -> Entries:
    """Labels, then each missing label once, then rows that have no label."""
    row, annotator, label = rows.entries
    missing = dict(rows.missing)
    nothing = missing.pop(None, 0)
    none = np.zeros(len(missing) + 1, dtype=np.int64)
    bare = np.setdiff1d(np.arange(len(rows.items)), row)
    codes = np.array([*range(len(rows.labels), len(rows.labels) + len(missing)), -1])
    times = np.array([*missing.values(), nothing], dtype=np.int64)
    return Entries(
        source=source,
        roles=roles,
        item=Column(_codes(row, none, bare), Unnamed(len(rows.items))),
        annotator=Column(_codes(annotator, none, 0 * bare), rows.annotators or ("",)),
        row=None,
        variables={variable: Column(_codes(label, codes, 0 * bare - 1), (*rows.labels, *missing), order)},
        features={},
        notes=list(roles.notes),
        counted=Counted(np.concatenate([rows.items[row], times, 0 * bare]), rows.items),
    )


def _codes(*parts: Ints) -> NDArray[np.int32]:
    return np.concatenate(parts).astype(np.int32)


def _name(cell: Any) -> str:
    return "" if is_missing(cell) else label_name(plain(cell))


# -- files ---------------------------------------------------------------------------------------------------------


def _orders(files: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    """The levels of ordered factors, which are the same in all files."""
    if files[0].suffix.lower() not in PARQUET_SUFFIXES:
        return {}
    pl = polars()
    frame = with_orders(pl.read_parquet(files[0], n_rows=0, glob=False), files[0])
    return {c: tuple(frame[c].dtype.categories.to_list()) for c in frame.columns if frame[c].dtype == pl.Enum}


def _engine_of(paths: Sequence[Path], how: Reading, name: str, run: Run) -> Engine | None:
    """None where the files do not have the same columns, of the same types."""
    if paths[0].suffix.lower() in PARQUET_SUFFIXES:
        files = Files.of_parquet(name, [str(path) for path in paths])
        return CountedFiles(files, run) if files.are_alike() else None
    tables = [open_file(path, encoding=how.encoding, delimiter=how.delimiter) for path in paths]
    plain = [t for t in tables if isinstance(t, DelimitedTable) and t.named is None and not (t.literal or t.notes)]
    if len(plain) < len(tables) or len({table.header for table in plain}) > 1 or any(table.unclear for table in plain):
        return None
    return CountedFiles(Files.of_csv(name, plain), run, plain)
