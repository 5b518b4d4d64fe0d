"""Count tables in place and return Ratings.

A measure on items needs only the distinct rows of labels and the number of items with each. An engine counts them in
place and packs each row into words of bits. `Packing` assigns the bits to annotators.
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
           "repair", "role", "anonymous")  # fmt: skip
_OF_FILES = ("encoding", "delimiter")  # options that counting supports for files
_BITS = 62  # of a word, so that sums of words stay integers in all databases
_MOST_WORDS = 64
_MOST_ROWS = 20_000_000


class _NotByName(DataError):  # noqa: N818 - internal
    """The names of the columns do not determine their roles."""


@dataclass
class _Header:
    """A source with known columns and unknown rows."""

    name: str
    header: tuple[str, ...]
    is_file: bool = True
    notes: tuple[str, ...] = ()
    header_only: bool = True

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> NoReturn:  # noqa: ARG002
        listed = ", ".join(self.header[:8]) + (" …" if len(self.header) > 8 else "")
        raise _NotByName(
            "roles-unclear",
            f"{self.name}: it is unclear which columns ({listed}) contain items, annotators and labels; name them with "
            "--item, --annotator and --label (the table must have one row per label)",
        )

    def place(self, row: int) -> str:  # noqa: ARG002
        return self.name


def from_database(given: Sequence[Any], address: str, how: Reading) -> dict[str, Data]:
    """Return the ratings of a table in a database."""
    if len(given) > 1:
        raise DataError("mixed-inputs", f"{address}: a database must be the only input; join the tables in a view")
    if options := _unfit(how, _CANNOT):
        raise SpecError(
            "option-not-for-data",
            f"{options}: this option is not available for databases; export the table to CSV or Parquet",
        )
    with open_database(without_secrets(address), how.table) as engine:
        return _read(engine, how, ordered=False)


def from_elsewhere(given: Sequence[Any], how: Reading, run: Run) -> dict[str, Data]:
    """Return the ratings of remote Parquet files."""
    address = str(given[0])
    if len(given) > 1:
        raise DataError("mixed-inputs", f"{address}: a remote address must be the only input; name a folder")
    if options := _unfit(how, _CANNOT):
        raise SpecError(
            "option-not-for-data",
            f"{options}: this option is not available for remote tables; download the files, or remove it",
        )
    paths = list_parquet(address)
    files = Files.of_parquet(address, paths)
    if not files.are_alike():
        raise DataError(
            "mixed-inputs", f"{address}: the files differ in columns or column types; name a folder with equal files"
        )
    ratings = _read(CountedFiles(files, run), how, ordered=True)
    with filesystem(address).open(paths[0], "rb") as file:
        ordered = ordered_in(polars().read_parquet_metadata(file), paths[0])
    for label in ratings:
        if label in ordered:  # the order of the levels cannot be read remotely
            raise DataError(
                "invalid-label",
                f"{paths[0]}: column {quoted(label)} is an ordered factor; save it as text, and use --categories",
            )
    return ratings


def from_large_files(
    name: str, paths: Sequence[Path], how: Reading, run: Run
) -> tuple[dict[str, Data] | None, tuple[str, ...]]:
    """Return the ratings of very large files; None and a note with the reason if they cannot be counted.

    If there is a cluster, its workers count Parquet files.
    """
    fact = f"{name}: accord read a large table into memory"
    if not has_duckdb():
        return None, (
            f"{fact}; to need less memory: pip install 'accord[large]' (in a checkout: pip install '.[large]')",
        )
    if options := _unfit(how, [option for option in _CANNOT if option not in _OF_FILES]):
        return None, (f"{fact} because of {options}",)
    engine = _engine_of(paths, how, name, run)
    if engine is None:
        return None, (f"{fact}, because its files differ in format or columns",)
    try:
        return _read(engine, how, ordered=True, orders=_orders(paths)), ()
    except _NotByName:
        return None, (f"{fact}, because its columns are not named item, annotator and label",)


def _unfit(how: Reading, names: Sequence[str]) -> str:
    """Return the given options that counting does not support."""
    usual = Reading()
    options = [name for name in names if getattr(how, name) != getattr(usual, name)]
    options += ["repeats"] if how.repeats != "error" else []
    options += ["layout"] if how.layout not in {None, "long"} else []
    options += ["only"] if any(how.filters) else []
    return ", ".join(f"--{name.replace('_', '-')}" for name in options)


def _read(
    engine: Engine, how: Reading, ordered: bool, orders: dict[str, tuple[str, ...]] | None = None
) -> dict[str, Data]:
    """Count all variables. Annotators of files are sorted by first appearance (`ordered`), of databases by name."""
    fields = engine.fields()
    source = _Header(engine.name, tuple(fields))
    if how.layout is None and how.annotator is None and holds_units(source.header):
        raise _NotByName(
            "measure-for-other-data",
            f"{engine.name}: the columns are those of units, which cannot be counted; export the table to a file",
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
    """The bits of each annotator in the words: one bit for the presence of a label, the others for its code."""

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
        """Return an annotator's word, and the factor that shifts a code to the annotator's bits."""
        word, place = divmod(annotator, self.per_word)
        return word, 1 << place * (self.label_bits + 1)

    def code(self, label: int) -> int:
        return 1 << self.label_bits | label

    def unpack(self, words: Ints) -> tuple[Ints, Ints, Ints]:
        """Return row, annotator and label of each label in the packed rows."""
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
    """An annotator and a label that occur together: their cells, their values, and their count."""

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
                f"{engine.name}: column {quoted(column.name)} contains neither text nor numbers; convert it in a view",
            )
    pairs = [pair for cells in engine.pairs(columns) if not (pair := _Pair(how, *cells)).is_blank]
    if not ordered:
        pairs.sort(key=lambda pair: (sort_key(pair.annotator), sort_key("" if pair.label is None else pair.label)))
    for pair in pairs:
        for is_empty, role in ((pair.nowhere, "item"), (pair.annotator == "", "annotator")):
            if is_empty and pair.is_given:
                raise DataError(
                    "empty-cell",
                    f"{engine.name}: the {role} is empty for a row with label {quoted(pair.label)}; fill it in, or "
                    "exclude the row in a view",
                )
    return pairs


@dataclass(frozen=True)
class _Rows:
    """Distinct rows of labels. Missing labels belong to no row; they are only reported."""

    items: Ints  # the number of items with each row
    entries: tuple[Ints, Ints, Ints]  # row, annotator and label of each label in the rows
    annotators: tuple[str, ...]
    labels: tuple[Label, ...]
    missing: dict[Label | None, int]  # counts of missing labels; None: empty cells


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
            "are too long to be counted; use a view with fewer annotators or categories",
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
            f"{engine.name}: there are more than {_MOST_ROWS:,} different rows of labels; use a view with fewer "
            "annotators or categories",
        )
    rows = rows[np.lexsort(rows[:, :-2].T)]
    entries = packing.unpack(rows[:, :-2])
    if (np.bincount(entries[0], minlength=len(rows)) != rows[:, -2]).any():
        _refuse_repeats(engine, columns, codes)
        raise DataError("database", f"{engine.name}: the table changed during counting; try again")
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
            f"{engine.name}: {quoted(_name(annotator))} labels item {quoted(_name(item))} twice; use a view with one "
            "label per annotator and item, or export to a file that fits into memory and use --repeats first",
        )


def _entries(source: _Header, roles: Roles, variable: str, rows: _Rows, order: tuple[str, ...] | None) -> Entries:
    """Return entries: all labels, then each missing label once, then rows without labels."""
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
    """Return the levels of ordered factors, which are the same in all files."""
    if files[0].suffix.lower() not in PARQUET_SUFFIXES:
        return {}
    pl = polars()
    frame, _ = with_orders(pl.read_parquet(files[0], n_rows=0, glob=False), files[0])
    return {c: tuple(frame[c].dtype.categories.to_list()) for c in frame.columns if frame[c].dtype == pl.Enum}


def _engine_of(paths: Sequence[Path], how: Reading, name: str, run: Run) -> Engine | None:
    """Return the engine of files; None if they differ in columns or column types."""
    if paths[0].suffix.lower() in PARQUET_SUFFIXES:
        files = Files.of_parquet(name, [str(path) for path in paths])
        return CountedFiles(files, run) if files.are_alike() else None
    tables = [open_file(path, encoding=how.encoding, delimiter=how.delimiter) for path in paths]
    plain = [t for t in tables if isinstance(t, DelimitedTable) and t.named is None and not (t.literal or t.notes)]
    if len(plain) < len(tables) or len({table.header for table in plain}) > 1 or any(table.unclear for table in plain):
        return None
    return CountedFiles(Files.of_csv(name, plain), run, plain)
