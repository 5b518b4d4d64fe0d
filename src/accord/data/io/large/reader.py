"""Tables past memory → Ratings: in databases, and in files that are very large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from accord.core.clusters import current
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, quoted
from accord.data.io.large.addresses import databases, is_elsewhere, without_secrets
from accord.data.io.large.counting import CountedRows, counted_rows
from accord.data.io.large.elsewhere import files_in, refuse_ordered
from accord.data.io.large.engines import DuckDB, Engine, asked, database, duckdb_engine, has_duckdb
from accord.data.io.large.on_workers import Files, OnWorkers
from accord.data.io.naming import not_read
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column, panics_unheard, polars
from accord.data.io.tables.delimited import DelimitedTable
from accord.data.io.tables.parquet import refuse_impossible, with_orders
from accord.data.io.tables.ratings import Counted, Entries, assembled, roles_of
from accord.data.io.tables.roles import Roles, holds_units
from accord.data.io.tables.sources import PARQUET_SUFFIXES, TEXT_SUFFIXES, in_folder, open_file
from accord.data.model.data import Data
from accord.data.model.numbered import Unnamed

LARGE_ROWS = 50_000_000  # of Parquet: from here on, a table is counted, and not read
LARGE_BYTES = 2_000_000_000  # of CSV
_CANNOT = ("by", "keep", "columns", "annotators_in", "doc", "start", "end", "docs", "judged", "base", "texts", "sheet",
           "encoding", "delimiter", "names", "format", "no_header", "end_is_length", "merge_symbol", "split_symbol",
           "repair")  # fmt: skip
_OF_FILES = ("encoding", "delimiter")  # which files can be counted with


class _NotByName(DataError):  # noqa: N818 - the name says it
    """What a column is does not stand in its name."""


@dataclass
class _Large:
    """A table of which the columns are known, and no cells."""

    name: str
    header: tuple[str, ...]
    is_file: bool = True
    notes: tuple[str, ...] = ()

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> NoReturn:  # noqa: ARG002
        listed = ", ".join(self.header[:8]) + (" …" if len(self.header) > 8 else "")
        raise _NotByName(
            f"{self.name}: which of the columns ({listed}) name items, annotators and labels? Say --item, --annotator "
            "and --label: a table that is counted where it is has a row for each label"
        )

    def place(self, row: int) -> str:  # noqa: ARG002
        return self.name


def from_databases(given: Sequence[Any], how: Reading) -> dict[str, Data] | None:
    """The ratings of a table in a database; None where there is none among the paths."""
    found = databases(given)
    if not found:
        if how.table is not None:
            raise SpecError(f"--table {quoted(how.table)}: this is for databases, and {given[0]} is none")
        return None
    if len(given) > 1:
        raise DataError(f"{found[0]}: a database is read alone: make a view of what belongs together")
    if said := _unfit(how, _CANNOT):
        raise SpecError(
            f"{said}: this is not for databases, where items, annotators and labels are counted: read a table from a "
            "file (CSV, Parquet)"
        )
    with database(without_secrets(found[0]), how.table) as engine:
        return _read(engine, how, ordered=False)


def from_elsewhere(given: Sequence[Any], how: Reading, run: Run) -> dict[str, Data] | None:
    """The ratings of Parquet that is not on this machine; None where the paths are none of these."""
    if not any(map(is_elsewhere, given)):
        return None
    if len(given) > 1:
        raise DataError(f"{given[0]}: what is elsewhere is read alone: name a folder")
    if said := _unfit(how, _CANNOT):
        raise SpecError(
            f"{said}: this is not for tables that are elsewhere, where items, annotators and labels are counted"
        )
    files = Files.of(str(given[0]), files_in(str(given[0])))
    with files.opened() as connection:
        engine = _on_workers(files, connection, run)
        if engine is None:
            raise DataError(f"{given[0]}: its files have not the same columns, of the same types")
        found = _read(engine, how, ordered=True)
    for label in found:
        refuse_ordered(files.paths[0], label)
    return found


def _on_workers(files: Files, connection: Any, run: Run) -> OnWorkers | None:
    """None where files have not the same columns, of the same types."""
    one = [f"describe from read_parquet({_quoted(path)})" for path in files.paths]
    types = {tuple(asked(files.name, connection.execute, query).fetchall()) for query in one}
    return OnWorkers(files.name, files, files.source(connection), run) if len(types) == 1 else None


def from_large_files(given: Sequence[Any], how: Reading, run: Run) -> tuple[dict[str, Data] | None, tuple[str, ...]]:
    """The ratings of files that are too many to be read; None where they are not, and what is to be said about it.

    Parquet is counted by the workers of a cluster, where there is one.
    """
    try:
        files, passed = _large(given)
    except OSError:
        files = []  # whoever reads it says why
    if not files:
        return None, ()
    fact = f"{given[0]}: a large table"
    if not has_duckdb():
        return None, (f"{fact}, read into memory: pip install 'accord[large]' counts it with less",)
    if said := _unfit(how, [name for name in _CANNOT if name not in _OF_FILES]):
        return None, (f"{fact}, read into memory because of {said}",)
    with duckdb_engine(str(given[0])) as connection:
        engine: Engine | None
        if current() is not None and _suffix(files[0]) in PARQUET_SUFFIXES:
            engine = _on_workers(Files.of(str(given[0]), [str(file) for file in files]), connection, run)
        else:
            engine = _of_files(files, how, str(given[0]), connection)
        if engine is None:
            return None, (f"{fact}, read into memory: its files are not of one kind, with the same columns",)
        try:
            return _read(engine, how, ordered=True, orders=_orders(files)), passed
        except _NotByName:
            return None, (f"{fact}, read into memory: its columns are not called item, annotator and label",)


def _unfit(how: Reading, names: Sequence[str]) -> str:
    """The options that need more than counts."""
    usual = Reading()
    said = [name for name in names if getattr(how, name) != getattr(usual, name)]
    said += ["repeats"] if how.repeats != "error" else []
    said += ["layout"] if how.layout not in {None, "long"} else []
    said += ["only"] if any(how.filters) else []
    return ", ".join(f"--{name.replace('_', '-')}" for name in said)


def _read(
    engine: Engine, how: Reading, ordered: bool, orders: dict[str, tuple[str, ...]] | None = None
) -> dict[str, Data]:
    columns = engine.columns()
    source = _Large(engine.name, tuple(columns))
    if how.layout is None and how.annotator is None and holds_units(source.header):
        raise _NotByName(f"{engine.name}: columns say where units begin and end, and units cannot be counted")
    roles = roles_of(source, how, (), several=False)
    if roles.layout != "long" or roles.item is None or roles.annotator is None:
        source.load(())
    found: dict[str, Data] = {}
    for variable in roles.labels:
        named = (columns[roles.item], columns[roles.annotator], columns[variable])
        rows = counted_rows(engine, named, how, ordered)
        order = (orders or {}).get(variable)
        found[variable] = assembled(variable, [_entries(source, roles, variable, rows, order)], how)
    return found


def _entries(source: _Large, roles: Roles, variable: str, rows: CountedRows, order: tuple[str, ...] | None) -> Entries:
    return Entries(
        source=source,
        roles=roles,
        item=Column(rows.item.astype(np.int32), Unnamed(len(rows.items))),
        annotator=Column(rows.annotator.astype(np.int32), rows.annotators or ("",)),
        row=None,
        variables={variable: Column(rows.label.astype(np.int32), rows.labels, order)},
        features={},
        notes=list(roles.notes),
        counted=Counted(rows.times, rows.items),
    )


# -- files ---------------------------------------------------------------------------------------------------------


def _large(given: Sequence[Any]) -> tuple[list[Path], tuple[str, ...]]:
    """The files behind the paths, where they are tables of one kind, and together very large; what was passed over."""
    paths = [Path(one) for one in given if str(one) != "-"]
    if len(paths) < len(given) or not all(path.is_file() or path.is_dir() for path in paths):
        return [], ()
    files: list[Path] = []
    notes: list[str] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        if not any(p.is_file() and _suffix(p) in {*PARQUET_SUFFIXES, *TEXT_SUFFIXES[:3]} for p in path.iterdir()):
            return [], ()
        inside, passed = in_folder(path)
        files += inside
        notes += [not_read(path, passed)] if passed else []
    return (files, tuple(notes)) if _are_large(files) else ([], ())


def _are_large(files: Sequence[Path]) -> bool:
    kinds = {_suffix(file) for file in files}
    if kinds <= set(PARQUET_SUFFIXES):
        return sum(map(_rows_in, files)) > LARGE_ROWS
    return kinds <= set(TEXT_SUFFIXES[:3]) and sum(file.stat().st_size for file in files) > LARGE_BYTES


def _suffix(path: Path) -> str:
    return path.suffix.lower()


def _rows_in(path: Path) -> int:
    pl = polars()
    try:
        refuse_impossible(path, str(path), pages=False)
        with panics_unheard():
            return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, DataError):
        return 0  # whoever reads it says why


def _orders(files: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    """The levels of ordered factors, which are the same in all files."""
    if _suffix(files[0]) not in PARQUET_SUFFIXES:
        return {}
    pl = polars()
    frame = with_orders(pl.read_parquet(files[0], n_rows=0, glob=False), files[0])
    return {c: tuple(frame[c].dtype.categories.to_list()) for c in frame.columns if frame[c].dtype == pl.Enum}


def _of_files(files: Sequence[Path], how: Reading, name: str, connection: Any) -> DuckDB | None:
    """None where files have not the same columns, of the same types."""
    if _suffix(files[0]) in PARQUET_SUFFIXES:
        names = [_quoted(str(file)) for file in files]
        types = {tuple(connection.execute(f"describe from read_parquet({one})").fetchall()) for one in names}
        if len(types) > 1:
            return None
        numbered = [
            f'(select *, file_row_number "row number" from read_parquet({one}, file_row_number = true))'
            for one in names
        ]
        return DuckDB(name, connection, f"read_parquet([{', '.join(names)}])", numbered)
    tables = [open_file(file, encoding=how.encoding, delimiter=how.delimiter) for file in files]
    plain = [t for t in tables if isinstance(t, DelimitedTable) and t.named is None and not (t.literal or t.notes)]
    if len(plain) < len(tables) or len({table.header for table in plain}) > 1 or any(table.unclear for table in plain):
        return None
    read = [_read_csv(table) for table in plain]
    whole = f"({' union all '.join(f'select * from {one}' for one in read)})"
    numbered = [f'(select *, row_number() over () as "row number" from {one})' for one in read]
    engine = DuckDB(name, connection, whole, numbered, texts=True)
    engine.kept = plain  # copies in another encoding stand aside as long as their tables do
    return engine


def _read_csv(table: DelimitedTable) -> str:
    columns = ", ".join(f"{_quoted(name)}: 'VARCHAR'" for name in table.header)
    return (
        f"read_csv({_quoted(str(table.path))}, auto_detect = false, header = false, skip = {table.above}, "
        f"delim = {_quoted(table.separator)}, quote = '\"', escape = '\"', columns = {{{columns}}})"
    )


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
