"""Databases that Ibis speaks to: one way of asking, which it writes in the words of each."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Ints
from accord.core.errors import DataError, quoted
from accord.data.io.large.addresses import opened_with, scheme
from accord.data.io.large.engines import Engine, Keys, Named, asked, the_table, words_of

# Where texts that differ in case or in blanks at the end may count as one: what a text is told apart by instead.
_TOLD_APART_BY = {"mysql": "hex", "snowflake": "hex_encode", "mssql": "sha256", "pyspark": "sha256"}
_FUNCTIONS = ("hex", "hex_encode")  # of the database, which Ibis has no name for


@contextmanager
def through_ibis(address: str, table: str | None) -> Iterator[Engine]:
    kind = scheme(address)
    try:
        import ibis
    except ImportError:
        raise DataError(_needs(address, kind)) from None
    connection = _connected(ibis, address, kind)
    try:
        names = _quietly(address, connection.list_tables)
        chosen = the_table(address, [("", name) for name in names], table, "")[1]
        yield ThroughIbis(address, ibis, _quietly(address, connection.table, chosen), kind)
    finally:
        connection.disconnect()


def _connected(ibis: Any, address: str, kind: str) -> Any:
    if kind == "mysql" and find_spec("MySQLdb") is None and find_spec("pymysql") is not None:
        import_module("pymysql").install_as_MySQLdb()  # which needs no compiler
    try:
        return _quietly(address, ibis.connect, opened_with(address))
    except DataError as error:
        if "install" in str(error):  # Ibis is there, the driver is not
            raise DataError(_needs(address, kind)) from None
        raise


def _quietly(address: str, function: Any, *arguments: Any) -> Any:
    """Drivers warn of time zones, and of one another."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return asked(address, function, *arguments)


def _needs(address: str, kind: str) -> str:
    driver = "" if kind == "mysql" else f" 'ibis-framework[{kind}]'"
    return f"{address}: this is asked by Ibis: pip install 'accord[databases]'{driver}"


@dataclass
class ThroughIbis:
    """A table, or a view, of a database."""

    name: str
    ibis: Any
    table: Any
    kind: str
    sums: ClassVar[bool] = True
    _keys: dict[tuple[str, Any], Any] = field(default_factory=dict)  # of a column and a cell: what it is told apart by

    def columns(self) -> dict[str, Named]:
        types = self.table.schema().items()
        fits = {n for n, t in types if t.is_string() or t.is_integer() or t.is_floating() or t.is_boolean()}
        return {name: Named(name, name if name in fits else "") for name, _ in types}

    def _key(self, column: Named) -> Any:
        cells = self.table[column.name]
        how = _TOLD_APART_BY.get(self.kind) if cells.type().is_string() else None
        if how in _FUNCTIONS:
            return _builtin(self.ibis, how)(cells)
        return cells if how is None else cells.hexdigest(how)

    def _empty(self, column: Named) -> Any:
        cells = self.table[column.name]
        return cells.isnull() | (cells.length() == 0) if cells.type().is_string() else cells.isnull()

    def _rows(self, expression: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = _quietly(self.name, lambda: expression.to_pyarrow().to_pylist())
        return found

    def seen(self, item: Named, annotator: Named, label: Named) -> list[tuple[Any, ...]]:
        who, what = (self.table[column.name] for column in (annotator, label))
        grouped = self.table.group_by(x=self._key(annotator), y=self._key(label), nowhere=self._empty(item))
        found = self._rows(grouped.agg(a=_any(who), l=_any(what), n=self.table.count()))
        for row in found:
            for column, cell, key in ((annotator, row["a"], row["x"]), (label, row["l"], row["y"])):
                if self._keys.setdefault((column.name, cell), key) != key:
                    raise DataError(f"{self.name}: {quoted(cell)} is there twice, written in ways that look the same")
        return [(row["a"], row["l"], bool(row["nowhere"]), row["n"]) for row in found]

    def _is(self, annotator: Named, label: Named, key: Sequence[Any]) -> Any:
        who, what = self._keys[annotator.name, key[0]], self._keys[label.name, key[1]]
        return (self._key(annotator) == who) & (self._key(label) == what)

    def _summed(self, annotator: Named, label: Named, worth: Sequence[tuple[Any, int]]) -> Any:
        cases = [(self._is(annotator, label, key), value) for key, value in worth if value]
        each = self.ibis.cases(*cases, else_=0) if cases else self.ibis.literal(0)
        return each.sum().cast("int64")

    def rows(self, item: Named, annotator: Named, label: Named, keys: Keys, most: int) -> Ints:
        words = words_of(keys)
        every = {w: self._summed(annotator, label, [(key, key[2 + k]) for key in keys]) for k, w in enumerate(words)}
        many = self._summed(annotator, label, [(key, 1) for key in keys])
        items = self.table.filter(~self._empty(item)).group_by(i=self._key(item)).agg(**every, n=many)
        found = self._rows(items.group_by(*words, "n").agg(times=items.count()).limit(most + 1))
        return np.array([[row[c] for c in (*words, "n", "times")] for row in found], dtype=np.int64).reshape(
            -1, len(words) + 2
        )

    def twice(self, item: Named, annotator: Named, label: Named, keys: Keys) -> tuple[Any, Any] | None:
        if not keys:
            return None
        given = self.ibis.or_(*(self._is(annotator, label, key) for key in keys))
        labels = self.table.filter(given & ~self._empty(item))
        grouped = labels.group_by(i=self._key(item), x=self._key(annotator))
        counted = grouped.agg(item=_any(labels[item.name]), who=_any(labels[annotator.name]), n=labels.count())
        found = self._rows(counted.filter(counted.n > 1).limit(1))
        return (found[0]["item"], found[0]["who"]) if found else None


def _any(cells: Any) -> Any:
    """One of cells that are all the same."""
    return (cells.cast("int8").max() == 1) if cells.type().is_boolean() else cells.max()


def _builtin(ibis: Any, name: str) -> Any:
    def function(text: str) -> str:  # Ibis reads its types alone
        raise NotImplementedError

    function.__name__ = name
    function.__annotations__ = {"text": str, "return": str}
    return ibis.udf.scalar.builtin(function)
