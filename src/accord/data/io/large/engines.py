"""Engines that count: what is asked of each, and how each says it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

import numpy as np

from accord.core.arrays import Ints
from accord.core.errors import DataError, first_words, quoted
from accord.data.io.large.addresses import is_url, kind_of_file, opened_with, scheme, secrets_in
from accord.data.io.opening import no_room

if TYPE_CHECKING:
    import sqlite3

MEMORY = "2GB"  # of DuckDB: what it needs beyond that goes to the disk
Keys: TypeAlias = Sequence[tuple[Any, ...]]  # annotator, label, and the words that they add to the row of an item
_SEEN, _KEYS = "accord_seen", "accord_keys"
_NO_ROOM = ("failed to offload data", "No space left")  # what DuckDB says where the folder aside is full


@dataclass(frozen=True)
class Named:
    """A column, and how its cells are written in a query: as text, unless they are numbers."""

    name: str
    cell: str


class Engine(Protocol):
    """A table somewhere, of which groups are counted."""

    name: str
    sums: ClassVar[bool]  # words are summed: this shows nothing of labels that an annotator repeats

    def columns(self) -> dict[str, Named]:
        """By name; those whose type no label has are no cells."""
        ...

    def seen(self, item: Named, annotator: Named, label: Named) -> list[tuple[Any, ...]]:
        """Annotator, label, whether the item is empty, how often: in the order in which they come, if there is one."""
        ...

    def rows(self, item: Named, annotator: Named, label: Named, keys: Keys, most: int) -> Ints:
        """A row for each distinct row of labels: its words, the number of its labels, and of the items that have it."""
        ...

    def twice(self, item: Named, annotator: Named, label: Named, keys: Keys) -> tuple[Any, Any] | None:
        """An item, and an annotator who labels it twice."""
        ...


def identifier(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def is_empty(cell: str, text: bool) -> str:
    return f"({cell} is null or {cell} = '')" if text else f"({cell} is null)"


def words_of(keys: Keys) -> list[str]:
    return [f"k{w}" for w in range(len(keys[0]) - 2)] if keys else ["k0"]


@contextmanager
def database(address: str, table: str | None) -> Iterator[Engine]:
    """The engine of a table in a database."""
    if scheme(address) == "postgresql":
        from accord.data.io.large.postgresql import postgresql

        with postgresql(address, table) as engine:
            yield engine
    elif is_url(address):
        from accord.data.io.large.through_ibis import through_ibis

        with through_ibis(address, table) as engine:
            yield engine
    elif kind_of_file(Path(address)) == "sqlite":
        with _sqlite(address, table) as engine:
            yield engine
    else:
        with duckdb_engine(address) as connection:
            path = address.replace("'", "''")
            asked(address, connection.execute, f"attach '{path}' as given (read_only)")
            found = connection.execute(
                "select schema_name, table_name from duckdb_tables() where database_name = 'given' union all "
                "select schema_name, view_name from duckdb_views() where database_name = 'given' and not internal"
            ).fetchall()
            schema, chosen = the_table(address, [(s, t) for s, t in found], table, "main")
            yield DuckDB(address, connection, f"given.{identifier(schema)}.{identifier(chosen)}", None)


def the_table(where: str, found: Sequence[tuple[str, str]], wanted: str | None, usual: str) -> tuple[str, str]:
    """The schema and the name of the table that is meant: the only one, or what --table says."""
    names = {(name if schema == usual else f"{schema}.{name}"): (schema, name) for schema, name in sorted(found)}
    listed = ", ".join(list(names)[:8]) + (" …" if len(names) > 8 else "")
    if wanted is None:
        if len(names) == 1:
            return next(iter(names.values()))
        fact = f"has {len(names)} tables" if names else "has no table that you may read"
        raise DataError(f"{where}: the database {fact}{f': say --table ({listed})' if names else ''}")
    both = {**names, **{f"{schema}.{name}": (schema, name) for schema, name in found}}
    if wanted not in both:
        raise DataError(f"{where}: there is no table {quoted(wanted)} that you may read; there are: {listed or 'none'}")
    return both[wanted]


def asked(where: str, function: Any, *arguments: Any) -> Any:
    """What an engine answers; what it complains about, on one line, without what opens the database."""
    try:
        return function(*arguments)
    except (ArithmeticError, LookupError, MemoryError, TypeError, AttributeError):
        raise
    except Exception as error:  # noqa: BLE001 - each driver has a tree of its own
        words = scrubbed(first_words(error), where)
        full = any(sign in words for sign in _NO_ROOM)
        raise no_room(where) if full else DataError(f"{where}: {words}") from None


def scrubbed(words: str, where: str) -> str:
    for secret in sorted(secrets_in(opened_with(where)) if is_url(where) else [], key=len, reverse=True):
        words = words.replace(secret, "…")
    return words


# -- DuckDB: its own files, Parquet, CSV ---------------------------------------------------------------------------


def has_duckdb() -> bool:
    from importlib.util import find_spec

    return find_spec("duckdb") is not None


@contextmanager
def duckdb_engine(where: str) -> Iterator[Any]:
    """A connection that needs so much memory at most, and goes to the disk beyond it."""
    if not has_duckdb():
        raise DataError(f"{where}: this is counted by DuckDB: pip install 'accord[large]'")
    import duckdb

    with tempfile.TemporaryDirectory(prefix="accord-") as aside:
        settings: dict[str, Any] = {
            "memory_limit": MEMORY,
            "temp_directory": aside,
            "autoinstall_known_extensions": "false",
        }
        connection = duckdb.connect(config=settings)
        connection.execute("set enable_progress_bar = false")  # on a worker it takes itself for a notebook's
        try:
            yield connection
        finally:
            connection.close()


_WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT"}
_NUMBERS = {*_WHOLE, "FLOAT", "DOUBLE"}


@dataclass
class DuckDB:
    """A table of DuckDB, or files that it reads."""

    name: str
    connection: Any
    source: str
    parts: Sequence[str] | None  # of files: each alone, with a column "row number" that says what comes first
    texts: bool = False  # of CSV: no cell is nothing
    kept: Sequence[Any] = ()  # what stays as long as the engine does
    sums: ClassVar[bool] = False

    def _ask(self, query: str) -> Any:
        return asked(self.name, self.connection.execute, query)

    def columns(self) -> dict[str, Named]:
        described = self._ask(f"describe select * from {self.source}").fetchall()
        found = {}
        for name, kind, *_ in described:
            cell = f"t.{identifier(name)}"
            if kind.startswith("ENUM"):
                cell = f"{cell}::varchar"
            elif self.texts:
                cell = f"coalesce({cell}, '')"
            elif kind not in {*_NUMBERS, "VARCHAR", "BOOLEAN"}:
                cell = ""
            found[name] = Named(name, cell)
        self._texts = {name for name, kind, *_ in described if kind == "VARCHAR" or kind.startswith("ENUM")}
        return found

    def _empty(self, column: Named) -> str:
        return is_empty(column.cell, column.name in self._texts)

    def begin(self, annotator: Named, label: Named) -> None:
        """A table of pairs, of the types that the data have."""
        self._ask(f"create or replace temp table {_SEEN} (id bigint, a {self._kind(annotator)}, l {self._kind(label)}, "
                  "nowhere boolean, n bigint)")  # fmt: skip

    def seen(self, item: Named, annotator: Named, label: Named) -> list[tuple[Any, ...]]:
        self.begin(annotator, label)
        before = 0
        for part in self.parts or [self.source]:
            first = 'min(t."row number")' if self.parts else "0"
            self._ask(
                f"insert into {_SEEN} select {before} + row_number() over (order by f, a, l), a, l, nowhere, n from "
                f"(select {annotator.cell} a, {label.cell} l, {self._empty(item)} nowhere, count(*) n, {first} f "
                f"from {part} t group by 1, 2, 3)"
            )
            before = self._ask(f"select count(*) from {_SEEN}").fetchone()[0]
        return list(self._ask(f"select a, l, nowhere, n from {_SEEN} order by id").fetchall())

    def _kind(self, column: Named) -> str:
        found = self._ask(f"describe select {column.cell} c from {self.source} t").fetchone()[1]
        return str(found)

    def _keyed(self, keys: Keys) -> None:
        """The words of each pair, in a table of the types that the data have."""
        words = words_of(keys)
        self._ask(f"create or replace temp table {_KEYS} as select a, l, {', '.join(f'0::bigint {w}' for w in words)} "
                  f"from {_SEEN} limit 0")  # fmt: skip
        marks = ", ".join("?" for _ in range(2 + len(words)))
        if keys:
            self.connection.executemany(f"insert into {_KEYS} values ({marks})", [list(key) for key in keys])

    def _joined(self, annotator: Named, label: Named) -> str:
        return f"{self.source} t left join {_KEYS} p on {annotator.cell} = p.a and {label.cell} = p.l"

    def rows(self, item: Named, annotator: Named, label: Named, keys: Keys, most: int) -> Ints:
        self._keyed(keys)
        words = words_of(keys)
        every = ", ".join(f"coalesce(bit_or(p.{w}), 0) {w}" for w in words)
        found = self._ask(
            f"select {', '.join(words)}, n, count(*) times from (select {every}, count(p.k0) n "
            f"from {self._joined(annotator, label)} where not {self._empty(item)} group by {item.cell}) "
            f"group by all limit {most + 1}"
        ).fetchnumpy()
        return np.stack([np.asarray(column, dtype=np.int64) for column in found.values()], axis=1)

    def twice(self, item: Named, annotator: Named, label: Named, keys: Keys) -> tuple[Any, Any] | None:
        self._keyed(keys)
        found: tuple[Any, Any] | None = self._ask(
            f"select {item.cell}, {annotator.cell} from {self._joined(annotator, label)} "
            f"where p.k0 is not null and not {self._empty(item)} group by 1, 2 having count(*) > 1 limit 1"
        ).fetchone()
        return found


# -- SQLite: Python has it -----------------------------------------------------------------------------------------


@contextmanager
def _sqlite(address: str, table: str | None) -> Iterator[Engine]:
    connection = asked(address, _open_sqlite, address)
    try:
        found = asked(address, connection.execute,
                      "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'"
                      ).fetchall()  # fmt: skip
        yield SQLite(address, connection, the_table(address, [("main", name) for (name,) in found], table, "main")[1])
    finally:
        connection.close()


def _open_sqlite(address: str) -> sqlite3.Connection:
    import sqlite3

    connection = sqlite3.connect(f"{Path(address).absolute().as_uri()}?mode=ro", uri=True)
    connection.execute("pragma temp_store = file")
    return connection


@dataclass
class SQLite:
    """A table of SQLite: cells of a column may be of any type."""

    name: str
    connection: sqlite3.Connection
    table: str
    sums: ClassVar[bool] = True

    def _ask(self, query: str) -> list[tuple[Any, ...]]:
        return list(asked(self.name, lambda: self.connection.execute(query).fetchall()))

    def columns(self) -> dict[str, Named]:
        described = self._ask(f"select name from pragma_table_xinfo('{self.table.replace(chr(39), chr(39) * 2)}')")
        return {name: Named(name, f"t.{identifier(name)} collate binary") for (name,) in described}

    def seen(self, item: Named, annotator: Named, label: Named) -> list[tuple[Any, ...]]:
        found = self._ask(
            f"select {annotator.cell}, {label.cell}, {is_empty(item.cell, True)}, count(*), typeof({label.cell}) "
            f"from {identifier(self.table)} t group by 1, 2, 3, 5"
        )
        return [(a, label, bool(nowhere), n) for a, label, nowhere, n, _ in found]

    def _keyed(self, keys: Keys) -> None:
        words = words_of(keys)
        self._ask(f"drop table if exists temp.{_KEYS}")
        self._ask(f"create temp table {_KEYS} (a, l, kind, {', '.join(words)}, primary key (a, l, kind)) without rowid")
        rows = [(a, label, _TYPES[type(label)], *rest) for a, label, *rest in keys]
        marks = ", ".join("?" for _ in range(3 + len(words)))
        self.connection.executemany(f"insert into temp.{_KEYS} values ({marks})", rows)

    def _joined(self, annotator: Named, label: Named) -> str:
        return (
            f"{identifier(self.table)} t left join temp.{_KEYS} p on p.a = {annotator.cell} and p.l = {label.cell} "
            f"and p.kind = typeof({label.cell})"
        )

    def rows(self, item: Named, annotator: Named, label: Named, keys: Keys, most: int) -> Ints:
        """It knows no `bit_or`: a sum is the same where nobody labels an item twice."""
        self._keyed(keys)
        words = words_of(keys)
        every = ", ".join(f"coalesce(sum(p.{w}), 0) {w}" for w in words)
        found = self._ask(
            f"select {', '.join(words)}, n, count(*) from (select {every}, count(p.k0) n "
            f"from {self._joined(annotator, label)} where not {is_empty(item.cell, True)} "
            f"group by cast({item.cell} as text)) group by {', '.join(words)}, n limit {most + 1}"
        )
        return np.array(found, dtype=np.int64).reshape(-1, len(words) + 2)

    def twice(self, item: Named, annotator: Named, label: Named, keys: Keys) -> tuple[Any, Any] | None:
        self._keyed(keys)
        found = self._ask(
            f"select cast({item.cell} as text), {annotator.cell} from {self._joined(annotator, label)} "
            f"where p.k0 is not null and not {is_empty(item.cell, True)} "
            f"group by cast({item.cell} as text), {annotator.cell} having count(*) > 1 limit 1"
        )
        return (found[0][0], found[0][1]) if found else None


_TYPES = {int: "integer", float: "real", str: "text", bytes: "blob"}
