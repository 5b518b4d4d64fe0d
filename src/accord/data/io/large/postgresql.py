"""PostgreSQL counts its tables itself; ADBC's driver asks it, with what libpq knows of passwords and services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Ints
from accord.core.errors import DataError
from accord.data.io.large.addresses import opened_with
from accord.data.io.large.engines import Engine, Keys, Named, asked, identifier, is_empty, the_table, words_of
from accord.data.io.tables.columns import polars

_WHOLE = {"smallint", "integer", "bigint"}
_FLOATS = {"real", "double precision"}
_TEXTS = {"text", "character varying", "character", "name", "USER-DEFINED", "uuid"}


@contextmanager
def postgresql(address: str, table: str | None) -> Iterator[Engine]:
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise DataError(
            f"{address}: databases of PostgreSQL are read by ADBC: pip install 'accord[postgresql]'"
        ) from None
    connection = asked(address, dbapi.connect, opened_with(address))
    try:
        engine = PostgreSQL(address, connection, "", "")
        # All that is asked sees the table as it was at first.
        engine.told("set transaction isolation level repeatable read read only")
        engine.told("set local standard_conforming_strings = on")
        found = engine.asked(
            "select table_schema::text, table_name::text from information_schema.tables "
            "where table_schema not in ('pg_catalog', 'information_schema')"
        )
        engine.schema, engine.table = the_table(address, [(s, t) for s, t in found], table, "public")
        yield engine
    finally:
        connection.close()


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return f"'{str(value).lower()}'"
    if isinstance(value, int | float):
        return repr(value)
    doubled = str(value).replace("'", "''")
    return f"'{doubled}'"


@dataclass
class PostgreSQL:
    """A table, or a view, of a database."""

    name: str
    connection: Any
    schema: str
    table: str
    sums: ClassVar[bool] = False

    def told(self, command: str) -> None:
        with self.connection.cursor() as cursor:
            asked(self.name, cursor.execute, command)

    def asked(self, query: str) -> list[tuple[Any, ...]]:
        return list(self._frame(query).rows())

    def _frame(self, query: str) -> Any:
        with self.connection.cursor() as cursor:
            asked(self.name, cursor.execute, query)
            return polars().DataFrame(asked(self.name, cursor.fetch_arrow))

    @property
    def _source(self) -> str:
        return f"{identifier(self.schema)}.{identifier(self.table)} t"

    def columns(self) -> dict[str, Named]:
        described = self.asked(
            "select column_name::text, data_type::text from information_schema.columns "
            f"where table_schema = {_literal(self.schema)} and table_name = {_literal(self.table)} "
            "order by ordinal_position"
        )
        self._kinds = {name: self._kind(kind) for name, kind in described}
        casts = {name: f"t.{identifier(name)}::{kind}" if kind else "" for name, kind in self._kinds.items()}
        return {name: Named(name, cell) for name, cell in casts.items()}

    @staticmethod
    def _kind(kind: str) -> str | None:
        if kind == "boolean":
            return "boolean"
        known = ((_WHOLE, "bigint"), (_FLOATS, "double precision"), (_TEXTS, "text"))
        return next((meant for names, meant in known if kind in names), None)

    def _empty(self, column: Named) -> str:
        return is_empty(column.cell, self._kinds[column.name] == "text")

    def seen(self, item: Named, annotator: Named, label: Named) -> list[tuple[Any, ...]]:
        return self.asked(
            f"select {annotator.cell} a, {label.cell} l, {self._empty(item)} nowhere, count(*) n "
            f"from {self._source} group by 1, 2, 3"
        )

    def _keyed(self, annotator: Named, label: Named, keys: Keys) -> str:
        """The words of each pair, within the query: one who may only read has no table of his own."""
        types = (self._kinds[annotator.name], self._kinds[label.name])
        rows = [
            f"({_literal(a)}::{types[0]}, {_literal(value)}::{types[1]}, {', '.join(map(str, words))})"
            for a, value, *words in keys
        ]
        none = f"(null::{types[0]}, null::{types[1]}, 0)"
        return f"with p(a, l, {', '.join(words_of(keys))}) as (values {', '.join(rows or [none])})"

    def _joined(self, annotator: Named, label: Named) -> str:
        return f"{self._source} left join p on {annotator.cell} = p.a and {label.cell} = p.l"

    def rows(self, item: Named, annotator: Named, label: Named, keys: Keys, most: int) -> Ints:
        words = words_of(keys)
        every = ", ".join(f"coalesce(bit_or(p.{w}::bigint), 0) {w}" for w in words)
        found = self._frame(
            f"{self._keyed(annotator, label, keys)} select {', '.join(words)}, n, count(*) times from "
            f"(select {every}, count(p.k0) n from {self._joined(annotator, label)} where not {self._empty(item)} "
            f"group by {item.cell}) i group by {', '.join(words)}, n limit {most + 1}"
        )
        return np.asarray(found.to_numpy(), dtype=np.int64).reshape(-1, len(words) + 2)

    def twice(self, item: Named, annotator: Named, label: Named, keys: Keys) -> tuple[Any, Any] | None:
        found = self.asked(
            f"{self._keyed(annotator, label, keys)} select {item.cell}, {annotator.cell} "
            f"from {self._joined(annotator, label)} where p.k0 is not null and not {self._empty(item)} "
            "group by 1, 2 having count(*) > 1 limit 1"
        )
        return (found[0][0], found[0][1]) if found else None
