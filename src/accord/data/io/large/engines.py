"""Engines that count labels in place: DuckDB, SQLite, PostgreSQL, and the databases that Ibis connects to.

A table has one row per label. An engine answers three questions about it: which pairs of annotator and label occur,
which distinct rows of labels the items have, and whether an annotator labels an item twice. `Table` queries in SQL;
its subclasses override differences of their dialects. `IbisTable` queries through Ibis, which generates the SQL of
each database.

The engine packs a row of labels into integers (`Codes`), so that it returns only distinct rows.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np

from accord.core.arrays import Ints
from accord.core.errors import DataError, first_words, quoted
from accord.data.io.large.addresses import is_url, kind_of_file, opened_with, scheme, secrets_in
from accord.data.io.opening import no_room

MEMORY = "2GB"  # the memory limit of DuckDB; beyond that it uses the disk
_DISK_IS_FULL = ("failed to offload data", "No space left")  # parts of DuckDB's messages


@dataclass(frozen=True)
class Field:
    """A column, and the SQL expression of its cells; empty if its type cannot be a label."""

    name: str
    cell: str
    is_text: bool = False

    @property
    def is_empty(self) -> str:
        return f"({self.cell} is null or {self.cell} = '')" if self.is_text else f"({self.cell} is null)"


Columns: TypeAlias = tuple[Field, Field, Field]  # item, annotator, label


@dataclass(frozen=True)
class Codes:
    """The packing of labels: each adds its annotator's factor times its code to a word of its item."""

    words: int
    annotators: Mapping[Any, tuple[int, int]]  # cell → word, factor
    labels: Mapping[Any, int]  # cell → code


class Engine(Protocol):
    """A table in which accord counts groups."""

    @property
    def name(self) -> str: ...

    @property
    def sums(self) -> bool:
        """Whether the engine sums words; then accord must refuse repeated labels first."""
        ...

    def fields(self) -> dict[str, Field]:
        """Return the columns by name."""
        ...

    def pairs(self, columns: Columns) -> list[tuple[Any, ...]]:
        """Return annotator, label, whether the item is empty, and the count; from files, in order of appearance."""
        ...

    def rows(self, columns: Columns, codes: Codes, most: int) -> Ints:
        """Return the words, the number of labels and the number of items of each distinct row of labels."""
        ...

    def repeated(self, columns: Columns, codes: Codes) -> tuple[Any, tuple[int, int]] | None:
        """Return an item that an annotator labels twice, with the annotator's word and factor."""
        ...


@contextmanager
def open_database(address: str, table: str | None) -> Iterator[Engine]:
    """Open the engine of a table in a database."""
    if scheme(address) == "postgresql":
        opened = _open_postgresql
    elif is_url(address):
        opened = _open_with_ibis
    else:
        opened = _open_sqlite if kind_of_file(Path(address)) == "sqlite" else _open_duckdb
    with opened(address, table) as engine:
        yield engine


def choose_table(where: str, tables: Sequence[tuple[str, str]], wanted: str | None, usual: str) -> tuple[str, str]:
    """Return the schema and the name of a table: the only one, or the one named by --table."""
    names = {(name if schema == usual else f"{schema}.{name}"): (schema, name) for schema, name in sorted(tables)}
    listed = ", ".join(list(names)[:8]) + (" …" if len(names) > 8 else "")
    if wanted is None:
        if len(names) == 1:
            return next(iter(names.values()))
        if not names:
            raise DataError(
                "database", f"{where}: the database has no table that you may read; check the address and permissions"
            )
        raise DataError(
            "database", f"{where}: the database has {len(names)} tables; choose one with --table ({listed})"
        )
    both = {**names, **{f"{schema}.{name}": (schema, name) for schema, name in tables}}
    if wanted not in both:
        raise DataError(
            "database",
            f"{where}: no table {quoted(wanted)} that you may read; use --table with one of: {listed or 'none'}",
        )
    return both[wanted]


def ask(where: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a driver; report its errors in one line, without the secrets of the address."""
    try:
        return function(*arguments)
    except (ArithmeticError, LookupError, MemoryError, TypeError, AttributeError):
        raise
    except Exception as error:  # noqa: BLE001 - each driver has its own exceptions
        words = first_words(error)
        for secret in sorted(secrets_in(opened_with(where)) if is_url(where) else [], key=len, reverse=True):
            words = words.replace(secret, "…")
        full = any(sign in words for sign in _DISK_IS_FULL)
        raise (
            no_room(where)
            if full
            else DataError("file-unreadable", f"{where}: {words}; check the address and the table")
        ) from None


def as_identifier(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def as_text(value: str) -> str:
    """Return a string literal of SQL."""
    doubled = value.replace("'", "''")
    return f"'{doubled}'"


_ANNOTATORS, _LABELS = "accord_annotators", "accord_labels"  # tables of codes
_ADDED = f"{_ANNOTATORS}.factor * {_LABELS}.code"  # added to a word of the item; null for a missing label


@dataclass
class Table:
    """A table that is queried with SQL."""

    name: str
    connection: Any
    source: str  # what follows FROM
    combine: ClassVar[str] = "bit_or"

    @property
    def sums(self) -> bool:
        return self.combine == "sum"

    def execute(self, query: str) -> Any:
        return ask(self.name, self.connection.execute, query)

    def fetch(self, query: str) -> list[tuple[Any, ...]]:
        return list(ask(self.name, lambda: self.connection.execute(query).fetchall()))

    def fetch_integers(self, query: str) -> Ints:
        return np.array(self.fetch(query), dtype=np.int64)

    def item_name(self, item: Field) -> str:
        return item.cell

    def pairs(self, columns: Columns, first: str = "") -> list[tuple[Any, ...]]:
        """Return the pairs; `first` is an aggregate by which they are sorted."""
        item, annotator, label = columns
        return self.fetch(
            f"select {annotator.cell} a, {label.cell} l, {item.is_empty} nowhere, count(*) n from {self.source} t "
            f"group by 1, 2, 3{f' order by {first}, 1, 2' if first else ''}"
        )

    def rows(self, columns: Columns, codes: Codes, most: int) -> Ints:
        words = [f"k{w}" for w in range(codes.words)]
        added = [f"case when {_ANNOTATORS}.word = {w} then {_ADDED} end" for w in range(codes.words)]
        added = [_ADDED] if codes.words == 1 else added
        each = ", ".join(f"coalesce({self.combine}({a}), 0) {w}" for a, w in zip(added, words, strict=True))
        opening, joined = self._coded(columns, codes)
        found = self.fetch_integers(
            f"{opening}select {', '.join(words)}, n, count(*) times from (select {each}, count({_ADDED}) n "
            f"from {joined} group by {self.item_name(columns[0])}) i group by {', '.join(words)}, n limit {most + 1}"
        )
        return found.reshape(-1, codes.words + 2)

    def repeated(self, columns: Columns, codes: Codes) -> tuple[Any, tuple[int, int]] | None:
        opening, joined = self._coded(columns, codes)
        annotator = f"{_ANNOTATORS}.word, {_ANNOTATORS}.factor"
        found = self.fetch(
            f"{opening}select {self.item_name(columns[0])}, {annotator} from {joined} and {_ADDED} is not null "
            f"group by 1, {annotator} having count(*) > 1 limit 1"
        )
        return (found[0][0], (found[0][1], found[0][2])) if found else None

    def _coded(self, columns: Columns, codes: Codes) -> tuple[str, str]:
        """Return the beginning of a query, and the labels of named items joined with their codes."""
        item, annotator, label = columns
        opening = self.codes_as_tables(
            (_ANNOTATORS, annotator, ("word", "factor"), [(c, *code) for c, code in codes.annotators.items()]),
            (_LABELS, label, ("code",), list(codes.labels.items())),
        )
        return opening, (
            f"{self.source} t left join {_ANNOTATORS} on {annotator.cell} = {_ANNOTATORS}.cell "
            f"left join {_LABELS} on {label.cell} = {_LABELS}.cell where not {item.is_empty}"
        )

    def codes_as_tables(self, *tables: tuple[str, Field, tuple[str, ...], list[tuple[Any, ...]]]) -> str:
        """Create temporary tables with the column types of the source. Cells are parameters, so they stay exact."""
        for table, column, names, rows in tables:
            zeros = ", ".join(f"cast(0 as bigint) {name}" for name in names)
            self.execute(f"drop table if exists temp.{table}")
            self.execute(
                f"create temp table {table} as select {column.cell} cell, {zeros} from {self.source} t limit 0"
            )
            if rows:
                self.insert(table, rows)
        return ""

    def insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        marks = ", ".join("?" for _ in rows[0])
        ask(self.name, self.connection.executemany, f"insert into {table} values ({marks})", rows)


# -- DuckDB: databases, Parquet, CSV -------------------------------------------------------------------------------


def has_duckdb() -> bool:
    return find_spec("duckdb") is not None


@contextmanager
def duckdb_connection(where: str) -> Iterator[Any]:
    """Open a connection with limited memory; beyond that, DuckDB uses the disk."""
    if not has_duckdb():
        raise DataError(
            "missing-package",
            f"{where}: counting needs DuckDB; pip install 'accord[large]' (in a checkout: pip install '.[large]')",
        )
    import duckdb

    with tempfile.TemporaryDirectory(prefix="accord-") as aside:
        settings: dict[str, Any] = {
            "memory_limit": MEMORY,
            "temp_directory": aside,
            "autoinstall_known_extensions": "false",
        }
        connection = duckdb.connect(config=settings)
        connection.execute("set enable_progress_bar = false")  # workers would print one
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def _open_duckdb(address: str, table: str | None) -> Iterator[Engine]:
    with duckdb_connection(address) as connection:
        ask(address, connection.execute, f"attach {as_text(address)} as given (read_only)")
        tables = connection.execute(
            "select schema_name, table_name from duckdb_tables() where database_name = 'given' union all "
            "select schema_name, view_name from duckdb_views() where database_name = 'given' and not internal"
        ).fetchall()
        schema, name = choose_table(address, tables, table, "main")
        yield DuckDBTable(address, connection, f"given.{as_identifier(schema)}.{as_identifier(name)}")


_DUCKDB_NUMBERS = {
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT", "FLOAT",
    "DOUBLE",
}  # fmt: skip


@dataclass
class DuckDBTable(Table):
    """A table of DuckDB, or files that it reads."""

    from_csv: bool = False  # in CSV, an empty cell is text

    def fields(self) -> dict[str, Field]:
        return {
            name: self._field(name, kind)
            for name, kind, *_ in self.fetch(f"describe select * from {self.source}")
        }  # fmt: skip

    def _field(self, name: str, kind: str) -> Field:
        cell = f"t.{as_identifier(name)}"
        if kind.startswith("ENUM"):
            return Field(name, f"{cell}::varchar", is_text=True)
        if kind == "VARCHAR":
            return Field(name, f"coalesce({cell}, '')" if self.from_csv else cell, is_text=True)
        return Field(name, cell if kind in {*_DUCKDB_NUMBERS, "BOOLEAN"} else "")

    def insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Insert by columns, because inserting rows takes a thousand times as long."""
        columns = [list(column) for column in zip(*rows, strict=True)]
        marks = ", ".join("unnest(?)" for _ in columns)
        ask(self.name, self.connection.execute, f"insert into {table} select {marks}", columns)

    def fetch_integers(self, query: str) -> Ints:
        found = self.execute(query).fetchnumpy()
        return np.stack([np.asarray(column, dtype=np.int64) for column in found.values()], axis=1)


# -- SQLite, included in Python ------------------------------------------------------------------------------------


@contextmanager
def _open_sqlite(address: str, table: str | None) -> Iterator[Engine]:
    import sqlite3

    place = f"{Path(address).absolute().as_uri()}?mode=ro"
    connection = ask(address, lambda: sqlite3.connect(place, uri=True))
    try:
        engine = SQLiteTable(address, connection, "")
        engine.execute("pragma temp_store = file")
        tables = engine.fetch(
            "select 'main', name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'"
        )
        engine.source = as_identifier(choose_table(address, [(s, t) for s, t in tables], table, "main")[1])
        yield engine
    finally:
        connection.close()


class SQLiteTable(Table):
    """A table of SQLite, where each cell has its own type and there is no `bit_or`."""

    combine = "sum"  # equals `bit_or` if no annotator labels an item twice

    def fields(self) -> dict[str, Field]:
        described = self.execute(f"select * from {self.source} limit 0").description
        return {name: Field(name, f"t.{as_identifier(name)} collate binary", is_text=True) for name, *_ in described}

    def item_name(self, item: Field) -> str:
        return f"cast({item.cell} as text)"


# -- PostgreSQL: the ADBC driver, with passwords and services of libpq ---------------------------------------------


@contextmanager
def _open_postgresql(address: str, table: str | None) -> Iterator[Engine]:
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise DataError(
            "missing-package",
            f"{address}: PostgreSQL databases need ADBC; pip install 'accord[postgresql]' (in a checkout: pip install "
            "'.[postgresql]')",
        ) from None
    connection = ask(address, dbapi.connect, opened_with(address))
    try:
        engine = PostgreSQLTable(address, connection, "")
        # All queries see the same state of the table.
        engine.execute("set transaction isolation level repeatable read read only")
        engine.execute("set local standard_conforming_strings = on")
        tables = engine.fetch(
            "select table_schema::text, table_name::text from information_schema.tables "
            "where table_schema not in ('pg_catalog', 'information_schema')"
        )
        engine.place = choose_table(address, [(s, t) for s, t in tables], table, "public")
        engine.source = ".".join(map(as_identifier, engine.place))
        yield engine
    finally:
        connection.close()


_POSTGRESQL_TYPES = {
    **dict.fromkeys(("smallint", "integer", "bigint"), "bigint"),
    **dict.fromkeys(("real", "double precision"), "double precision"),
    **dict.fromkeys(("text", "character varying", "character", "name", "USER-DEFINED", "uuid"), "text"),
    "boolean": "boolean",
}


@dataclass
class PostgreSQLTable(Table):
    """A table or view of PostgreSQL."""

    place: tuple[str, str] = ("", "")  # schema and name

    def execute(self, query: str) -> None:
        with self.connection.cursor() as cursor:
            ask(self.name, cursor.execute, query)

    def fetch(self, query: str) -> list[tuple[Any, ...]]:
        return list(self._frame(query).rows())

    def fetch_integers(self, query: str) -> Ints:
        return np.asarray(self._frame(query).to_numpy(), dtype=np.int64)

    def _frame(self, query: str) -> Any:
        import polars

        with self.connection.cursor() as cursor:
            ask(self.name, cursor.execute, query)
            return polars.DataFrame(ask(self.name, cursor.fetch_arrow))

    def fields(self) -> dict[str, Field]:
        schema, table = map(as_text, self.place)
        described = self.fetch(
            "select column_name::text, data_type::text from information_schema.columns "
            f"where table_schema = {schema} and table_name = {table} order by ordinal_position"
        )
        kinds = {name: _POSTGRESQL_TYPES.get(kind) for name, kind in described}
        return {
            name: Field(name, f"t.{as_identifier(name)}::{kind}" if kind else "", kind == "text")
            for name, kind in kinds.items()
        }

    def codes_as_tables(self, *tables: tuple[str, Field, tuple[str, ...], list[tuple[Any, ...]]]) -> str:
        """Return the codes as part of the query, because a read-only user cannot create temporary tables."""
        return f"with {', '.join(self._values(*table) for table in tables)} "

    def _values(self, table: str, column: Field, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> str:
        kind = column.cell.rpartition("::")[2]
        zeros = f"(null::{kind}{', 0::bigint' * len(names)})"  # sets the types of the columns
        each = (f"({as_text(str(cell))}::{kind}, {', '.join(map(str, codes))})" for cell, *codes in rows)
        return f"{table}(cell, {', '.join(names)}) as (values {', '.join([zeros, *each])})"


# -- Ibis: MySQL and other databases -------------------------------------------------------------------------------


@contextmanager
def _open_with_ibis(address: str, table: str | None) -> Iterator[Engine]:
    kind = scheme(address)
    driver = "" if kind == "mysql" else f" 'ibis-framework[{kind}]'"
    lacking = DataError(
        "missing-package",
        f"{address}: this database needs Ibis; pip install 'accord[databases]'{driver} (in a checkout: pip install "
        f"'.[databases]'{driver})",
    )
    try:
        import ibis
    except ImportError:
        raise lacking from None
    if kind == "mysql" and find_spec("MySQLdb") is None and find_spec("pymysql") is not None:
        import_module("pymysql").install_as_MySQLdb()  # PyMySQL needs no compiler
    try:
        connection = _ask_quietly(address, ibis.connect, opened_with(address))
    except DataError as error:
        raise (lacking if "install" in str(error) else error) from None  # the driver may be missing
    try:
        names = _ask_quietly(address, connection.list_tables)
        chosen = choose_table(address, [("", name) for name in names], table, "")[1]
        yield IbisTable(address, ibis, _ask_quietly(address, connection.table, chosen), kind)
    finally:
        connection.disconnect()


def _ask_quietly(address: str, function: Any, *arguments: Any) -> Any:
    """Call a driver without its warnings about time zones and other drivers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ask(address, function, *arguments)


# These databases may treat texts that differ in case or trailing blanks as equal. These functions distinguish them.
_BYTES_OF_TEXT = {"mysql": "hex", "snowflake": "hex_encode", "mssql": "sha256", "pyspark": "sha256"}
_FUNCTIONS = ("hex", "hex_encode")  # database functions without a counterpart in Ibis


@dataclass
class IbisTable:
    """A table or view of a database that Ibis connects to."""

    name: str
    ibis: Any
    table: Any
    kind: str
    sums: ClassVar[bool] = True  # not every database has `bit_or`
    _keys: dict[tuple[str, Any], Any] = field(default_factory=dict)  # by column and cell

    def fields(self) -> dict[str, Field]:
        types = self.table.schema().items()
        fits = {n for n, t in types if t.is_string() or t.is_integer() or t.is_floating() or t.is_boolean()}
        return {name: Field(name, name if name in fits else "") for name, _ in types}

    def _key(self, column: Field) -> Any:
        """Return an expression that distinguishes the cells of a column."""
        cells = self.table[column.name]
        how = _BYTES_OF_TEXT.get(self.kind) if cells.type().is_string() else None
        if how in _FUNCTIONS:
            return _builtin(self.ibis, how)(cells)
        return cells if how is None else cells.hexdigest(how)

    def _is_empty(self, column: Field) -> Any:
        cells = self.table[column.name]
        return cells.isnull() | (cells.length() == 0) if cells.type().is_string() else cells.isnull()

    def _fetch(self, expression: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = _ask_quietly(self.name, lambda: expression.to_pyarrow().to_pylist())
        return found

    def pairs(self, columns: Columns) -> list[tuple[Any, ...]]:
        item, annotator, label = columns
        a, l = (_any(self.table[column.name]) for column in (annotator, label))  # noqa: E741
        grouped = self.table.group_by(x=self._key(annotator), y=self._key(label), nowhere=self._is_empty(item))
        found = self._fetch(grouped.agg(a=a, l=l, n=self.table.count()))
        for row in found:
            for column, cell, key in ((annotator, row["a"], row["x"]), (label, row["l"], row["y"])):
                if self._keys.setdefault((column.name, cell), key) != key:
                    raise DataError(
                        "invalid-label",
                        f"{self.name}: {quoted(cell)} occurs in two spellings that look the same; make them equal in a "
                        "view",
                    )
        return [(row["a"], row["l"], bool(row["nowhere"]), row["n"]) for row in found]

    def _code(self, column: Field, codes: Mapping[Any, int]) -> Any:
        """Return an expression for the code of each cell; 0 if it has none."""
        cases = [(self._key(column) == self._keys[column.name, cell], code) for cell, code in codes.items()]
        return (self.ibis.cases(*cases, else_=0) if cases else self.ibis.literal(0)).cast("int64")

    def rows(self, columns: Columns, codes: Codes, most: int) -> Ints:
        item, annotator, label = columns
        code = self._code(label, codes.labels)
        added = {
            f"k{w}": self._code(annotator, {cell: f for cell, (word, f) in codes.annotators.items() if word == w})
            * code
            for w in range(codes.words)
        }
        ones = [dict.fromkeys(cells, 1) for cells in (codes.annotators, codes.labels)]
        labels = self._code(annotator, ones[0]) * self._code(label, ones[1])
        each = {name: values.sum().cast("int64") for name, values in {**added, "n": labels}.items()}
        items = self.table.filter(~self._is_empty(item)).group_by(i=self._key(item)).agg(**each)
        found = self._fetch(items.group_by(*each).agg(times=items.count()).limit(most + 1))
        return np.array([[row[c] for c in (*each, "times")] for row in found], dtype=np.int64).reshape(
            -1, codes.words + 2
        )

    def repeated(self, columns: Columns, codes: Codes) -> tuple[Any, tuple[int, int]] | None:
        item, annotator, label = columns
        distinct = list(dict.fromkeys(codes.annotators.values()))
        number = self._code(annotator, {cell: 1 + distinct.index(code) for cell, code in codes.annotators.items()})
        code = self._code(label, codes.labels)
        labels = self.table.filter((number > 0) & (code > 0) & ~self._is_empty(item))
        grouped = labels.group_by(i=self._key(item), number=number)
        counted = grouped.agg(item=_any(labels[item.name]), n=labels.count())
        found = self._fetch(counted.filter(counted.n > 1).limit(1))
        return (found[0]["item"], distinct[found[0]["number"] - 1]) if found else None


def _any(cells: Any) -> Any:
    """Return an aggregate that gives one of several equal cells."""
    return (cells.cast("int8").max() == 1) if cells.type().is_boolean() else cells.max()


def _builtin(ibis: Any, name: str) -> Any:
    def function(text: str) -> str:  # Ibis uses only the signature
        raise NotImplementedError

    function.__name__ = name
    function.__annotations__ = {"text": str, "return": str}
    return ibis.udf.scalar.builtin(function)
