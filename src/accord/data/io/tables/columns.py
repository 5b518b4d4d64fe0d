"""Columns of codes, the form into which accord converts every table."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes, ascending
from accord.core.errors import DataError
from accord.data.model.labels import Label, encode, label_name, looked_up, plain
from accord.data.model.ratings import Feature, Places

_CHUNK = 1 << 22


@dataclass(frozen=True)
class Column:
    """Codes in order of first appearance and the labels they represent; -1: missing."""

    codes: Codes
    names: Sequence[Label]
    order: tuple[Label, ...] | None = None  # all levels of an ordered factor; (): several factors with different orders

    @cached_property
    def empty(self) -> int | None:
        """The code of the empty text, or None if it does not occur."""
        if isinstance(self.names, PooledNames):
            return self.names.code_of("")
        return next((k for k, name in enumerate(self.names) if name == ""), None)

    def at(self, rows: NDArray[np.intp]) -> Column:
        """Return only these rows. The empty text is dropped from the names if none of them has it."""
        codes = self.codes[rows]
        gone = self.empty
        if gone is None or (codes == gone).any():
            return Column(codes, self.names, self.order)
        codes = np.where(codes > gone, codes - 1, codes).astype(codes.dtype)
        if isinstance(self.names, PooledNames):
            return Column(codes, PooledNames(self.names.pool, np.delete(self.names.order, gone)), self.order)
        return Column(codes, [name for k, name in enumerate(self.names) if k != gone], self.order)

    def is_empty(self) -> NDArray[np.bool_] | None:
        """Return which cells are empty or missing; None if none is."""
        nothing = self.codes < 0 if len(self.codes) and int(self.codes.min()) < 0 else None
        if self.empty is None:
            return nothing
        blank = self.codes == self.empty
        return blank if nothing is None else blank | nothing


def cells_of(column: Column) -> list[str]:
    """Return the cells as text; missing cells are empty."""
    names = [*(label_name(name) for name in column.names), ""]
    return [names[code] for code in column.codes.tolist()]


def without_blank(columns: Mapping[str, Column], cells: Column | None) -> tuple[dict[str, Column], Column | None, Any]:
    """Drop blank rows. Return columns, cells and the indices of the kept rows (None: all)."""
    blank: NDArray[np.bool_] | None = None
    for column in columns.values():
        empty = column.is_empty()
        if empty is None or not empty.any():
            return dict(columns), cells, None
        blank = empty if blank is None else blank & empty
    if cells is not None:
        empty = cells.is_empty()
        n = len(next(iter(columns.values())).codes) if columns else 1
        blank = None if empty is None or blank is None else blank & empty.reshape(n, -1).all(axis=1)
    if blank is None or not blank.any():
        return dict(columns), cells, None
    kept = np.flatnonzero(~blank)
    left = {name: column.at(kept) for name, column in columns.items()}
    if cells is not None:
        cells = Column(cells.codes.reshape(len(blank), -1)[kept].ravel(), cells.names, cells.order)
    return left, cells, kept


class Pool:
    """Strings that Polars numbers. Polars drops them with the last series that uses them, so the pool keeps one."""

    def __init__(self) -> None:
        pl = polars()
        self.categories = pl.Categories.random()
        self.dtype = pl.Categorical(self.categories)
        self._kept = pl.Series([], dtype=self.dtype)


@dataclass(frozen=True)
class PooledNames(Sequence[str]):
    """Names in the pool of Polars, converted to Python strings on access, because there may be ten million."""

    pool: Pool
    order: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        return str(self.pool.categories[int(self.order[index])])

    def code_of(self, name: str) -> int | None:
        if name not in self.pool.categories:
            return None
        found = np.flatnonzero(self.order == self.pool.categories[name])
        return int(found[0]) if len(found) else None

    def series(self) -> Any:
        """All names as a Polars series."""
        pl = polars()
        return pl.Series(self.order).cat.to(self.pool.dtype).cast(pl.String)

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


@contextmanager
def panics_unheard() -> Iterator[None]:
    """Suppress the panic messages that Polars prints on standard error for damaged files. accord raises its own error.

    If no panic occurs, other output on standard error is printed afterwards.
    """
    try:
        screen = os.dup(2)
    except OSError:  # standard error is closed
        yield
        return
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 2)
        try:
            yield
            said.seek(0)
            os.write(screen, said.read())
        finally:
            os.dup2(screen, 2)
            os.close(screen)


def polars() -> Any:
    """Import Polars on first use, because importing it takes longer than many scores.

    A forked process has none of Polars' threads and would wait for them forever.
    """
    if _threads.lost:
        raise DataError(
            "invalid-python-data",
            "this process was forked after its parent read a table, so Polars has no threads here; start workers with "
            'multiprocessing.get_context("spawn"), or read the data in the parent and pass them on',
        )
    _threads.used = True
    import polars as pl

    return pl


@dataclass
class _Threads:
    """Whether Polars was used, and whether a fork lost its threads."""

    used: bool = False
    lost: bool = False

    def after_fork(self) -> None:
        self.lost = self.used


_threads = _Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.after_fork)


def encode_column(column: Any) -> Column:
    """Encode a column of any type in the fastest way that the type allows."""
    if type(column).__module__.startswith("polars"):
        return _coded_polars(column)
    if isinstance(column, np.ndarray) and column.dtype.kind == "U":
        return _coded_polars(polars().Series(column.ravel()))
    if type(column).__module__.startswith("pyarrow"):
        return _coded_polars(polars().Series(column))
    if type(column).__module__.startswith("pandas") and column.dtype != object:
        values, distinct = column.factorize()
        small, labels = encode(list(distinct))
        levels = column.dtype.categories if getattr(column.dtype, "ordered", False) else None
        order = tuple(plain(level) for level in levels) if levels is not None else None
        return Column(np.append(small, -1).astype(np.int32)[values], labels, order)
    return Column(*encode(column if isinstance(column, np.ndarray) else list(column)))


def stacked(columns: Sequence[Column], as_text: bool = False) -> Column:
    """Concatenate columns with one set of names. `as_text`: the item 1 of one file equals the item "1" of another."""
    if len(columns) == 1:
        return columns[0]
    shared: dict[Label, int] = {}
    parts = []
    for column in columns:
        names = map(label_name, column.names) if as_text else column.names
        table = np.array([shared.setdefault(lab, len(shared)) for lab in names] + [-1], dtype=np.int32)
        parts.append(table[column.codes])
    return Column(np.concatenate(parts), list(shared), None if as_text else _common_order(columns))


def stacked_features(tables: Sequence[Any], names: Sequence[str]) -> dict[str, Feature]:
    """Concatenate further columns of several tables."""
    columns = {name: stacked([table.features[name] for table in tables]) for name in names}
    return {name: Feature(c.codes, tuple(label_name(lab) for lab in c.names)) for name, c in columns.items()}


def places_of(tables: Sequence[Any], lengths: Iterable[int]) -> Places:
    """Return a function that gives the location of an entry of concatenated tables."""
    starts = np.cumsum([0, *lengths])

    def place(entry: int) -> str:
        which = int(np.searchsorted(starts, entry, side="right")) - 1
        return str(tables[which].place(entry - int(starts[which])))

    return place


def refuse_empty_cells(columns: Mapping[str, Column], place: Callable[[int], str]) -> None:
    """Refuse empty cells. The keys of `columns` are the roles to name in the message."""
    for what, column in columns.items():
        empty = column.is_empty()
        if empty is not None and empty.any():
            raise DataError(
                "empty-cell",
                f"{place(int(np.argmax(empty)))}: the {what} is empty; fill in the cell or delete the row",
            )


def _common_order(columns: Sequence[Column]) -> tuple[Label, ...] | None:
    """Return the longest order if it contains the others; () if they contradict it; None if it lacks labels."""
    orders = sorted({column.order for column in columns if column.order is not None}, key=len)
    if not orders:
        return None
    *others, longest = orders
    if any(tuple(level for level in longest if level in order) != order for order in others):
        return ()
    unordered = (column for column in columns if column.order is None)
    return longest if all(name in longest for column in unordered for name in column.names) else None


def by_rows(columns: Sequence[Any]) -> Column:
    """Return the cells of several columns row by row, with one set of names."""
    if all(isinstance(c, np.ndarray) and c.dtype.kind in "iuf" for c in columns):
        return Column(*encode(np.stack(columns, axis=1)))
    below = stacked([encode_column(c) for c in columns])
    return Column(below.codes.reshape(len(columns), -1).T.ravel(), below.names, below.order)


def measurements(column: Column) -> tuple[NDArray[np.float64], NDArray[np.bool_]] | None:
    """Return the number of each name and which names are empty; None unless all are different numbers or empty."""
    if not isinstance(column.names, PooledNames):
        return None
    pl = polars()
    texts = column.names.series().str.strip_chars()
    numbers = texts.cast(pl.Float64, strict=False).to_numpy()
    empty = (texts == "").to_numpy()
    if not (np.isfinite(numbers) | empty).all():
        return None
    if len(ascending(numbers[~empty])) < int((~empty).sum()) or int(empty.sum()) > 1:
        return None  # 1.5 and 1.50, or 7 and 007, are different labels
    return numbers, empty


def _coded_polars(series: Any) -> Column:
    pl = polars()
    if series.dtype == pl.Enum:
        return replace(_coded_polars(series.cast(pl.String)), order=tuple(series.dtype.categories.to_list()))
    if series.dtype == pl.Categorical:
        series = series.cast(pl.String)
    if series.dtype in {pl.Int128, pl.UInt128}:  # NumPy does not have this type
        return Column(*encode(series.to_list()))
    if series.dtype.is_integer() and series.null_count():  # floats would lose digits
        codes = np.full(len(series), -1, dtype=np.int32)
        codes[series.is_not_null().to_numpy()], names = encode(series.drop_nulls().to_numpy())
        return Column(codes, names)
    if series.dtype != pl.String:
        return Column(*encode(series.to_numpy() if series.dtype.is_numeric() else series.to_list()))
    pool = Pool()
    return by_appearance(series.cast(pool.dtype).to_physical(), pool)


def by_appearance(physical: Any, pool: Pool) -> Column:
    """Renumber codes by first appearance, because several threads assign them in any order."""
    if physical.null_count():
        return renumber(physical.cast(polars().Int64).fill_null(-1).to_numpy().astype(np.int32), pool)
    return renumber(physical.to_numpy().view(np.int32), pool)


def renumber(codes: NDArray[np.int32], pool: Pool) -> Column:
    """Renumber codes by first appearance."""
    size = int(codes.max(initial=-1)) + 1
    order = _appearance(codes, size)
    small = len(order) < np.iinfo(np.int16).max
    renumber: Codes = np.full(size + 1, -1, dtype=np.int16) if small else np.full(size + 1, -1, dtype=np.int32)
    renumber[order] = np.arange(len(order))
    if len(order) == size and (order == np.arange(size)).all():
        return Column(codes.astype(renumber.dtype, copy=False), PooledNames(pool, order))
    return Column(looked_up(renumber, codes), PooledNames(pool, order))  # code -1 indexes the last entry, -1


def _appearance(codes: NDArray[np.int32], size: int) -> NDArray[np.uint32]:
    """Return the codes that occur, in order of first appearance."""
    seen = np.zeros(size + 1, dtype=bool)
    seen[-1] = True  # -1 means missing
    order = np.empty(size, dtype=np.uint32)
    first = np.full(size + 1, -1, dtype=np.int32)
    found = 0
    for at in range(0, len(codes), _CHUNK):
        part = codes[at : at + _CHUNK]
        # Rows of one item often follow each other, so the first of each run is enough.
        heads = part[np.flatnonzero(np.concatenate([np.ones(1, dtype=bool), part[1:] != part[:-1]]))]
        heads = heads[~seen[heads]]
        place = np.arange(len(heads), dtype=np.int32)
        first[heads[::-1]] = place[::-1]  # the earliest is written last and remains
        fresh = heads[first[heads] == place]
        order[found : found + len(fresh)] = fresh
        seen[fresh] = True
        found += len(fresh)
        if found == size:
            break  # all codes are known
    return order[:found]
