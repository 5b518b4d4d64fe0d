"""Large files that DuckDB counts: Parquet and CSV here, Parquet elsewhere (s3://…), and Parquet on a cluster.

On this machine, one DuckDB groups all items. On a cluster, and elsewhere, each task groups a share of the items: it
reads their labels from all files. Pairs of annotator and label, and distinct rows with their counts, come back. These
are whole numbers, so that the shares change none of them. Workers find local files under the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np

from accord.core.arrays import Ints
from accord.core.context import Run, resources
from accord.core.errors import DataError, first_words
from accord.core.parallel import spread
from accord.data.io.large.addresses import is_elsewhere
from accord.data.io.large.engines import Codes, Columns, DuckDBTable, Field, as_text, duckdb_connection
from accord.data.io.tables.delimited import DelimitedTable
from accord.data.io.tables.sources import PARQUET_SUFFIXES

_AT_ONCE = 50_000_000  # ratings of which one task groups the items: what DuckDB holds in its memory
_ROW = "accord row"  # a column: the number of the row in its file
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Files:
    """Files that are one table. Only names go to a worker, never cells; `stamps` tell versions of the files apart."""

    name: str
    whole: str  # all files, as DuckDB reads them
    parts: tuple[str, ...]  # each file, with the number of each row
    stamps: tuple[str, ...] = ()
    remote: str = ""  # an address that fsspec knows
    from_csv: bool = False

    @classmethod
    def of_parquet(cls, name: str, paths: Sequence[str]) -> Files:
        remote = paths[0] if is_elsewhere(paths[0]) else ""
        # Whole names: a worker has another current folder.
        names = [as_text(path if remote else str(Path(path).resolve())) for path in paths]
        numbered = (f"read_parquet({one}, file_row_number = true)" for one in names)
        parts = tuple(f'(select *, file_row_number "{_ROW}" from {one})' for one in numbered)
        return cls(name, f"read_parquet([{', '.join(names)}])", parts, tuple(map(_stamp, paths)), remote)

    @classmethod
    def of_csv(cls, name: str, tables: Sequence[DelimitedTable]) -> Files:
        read = [_read_csv(table) for table in tables]
        whole = f"({' union all '.join(f'select * from {one}' for one in read)})"
        parts = tuple(f'(select *, row_number() over () as "{_ROW}" from {one})' for one in read)
        return cls(name, whole, parts, from_csv=True)

    @contextmanager
    def opened(self) -> Iterator[DuckDBTable]:
        """The files as a table of DuckDB."""
        with duckdb_connection(self.name) as connection:
            if self.remote:
                connection.register_filesystem(filesystem(self.remote))
            yield DuckDBTable(self.name, connection, self.whole, self.from_csv)

    def are_alike(self) -> bool:
        """Whether the files have the same columns, of the same types."""
        with self.opened() as table:
            return len({tuple(table.fetch(f"describe select * from {part}")) for part in self.parts}) == 1


@dataclass
class CountedFiles:
    """The engine of such files."""

    files: Files
    run: Run
    kept: Sequence[DelimitedTable] = ()  # copies in another encoding exist as long as their tables do
    sums: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return self.files.name

    def fields(self) -> dict[str, Field]:
        with self.files.opened() as table:
            return table.fields()

    def pairs(self, columns: Columns) -> list[tuple[Any, ...]]:
        task = partial(_pairs, self.files, columns)
        tasks = [(part,) for part in self.files.parts] if self._is_shared else [self.files.parts]
        return list(chain.from_iterable(self._each(task, tasks, "counting labels")))

    def rows(self, columns: Columns, codes: Codes, most: int) -> Ints:
        task = partial(_rows, self.files, columns, codes, most)
        shares = self._each(task, self._shares(), "counting items")
        if len(shares) == 1:
            return shares[0]
        found = np.concatenate(shares)
        distinct, which = np.unique(found[:, :-1], axis=0, return_inverse=True)
        times = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(times, which.ravel(), found[:, -1])
        return np.column_stack([distinct, times])

    def repeated(self, columns: Columns, codes: Codes) -> tuple[Any, tuple[int, int]] | None:
        task = partial(_repeated, self.files, columns, codes)
        found = self._each(task, self._shares(), "looking for labels that are given twice")
        return next((repeat for repeat in found if repeat is not None), None)

    @property
    def _is_shared(self) -> bool:
        return bool(self.files.remote) or (resources().cluster is not None and not self.files.from_csv)

    def _each(self, function: Callable[[T], R], tasks: Sequence[T], what: str) -> list[R]:
        return spread(function, tasks, self.run, what) if self._is_shared else list(map(function, tasks))

    def _shares(self) -> list[tuple[int, int]]:
        """Of the items: one for each worker at least, and small enough for each."""
        if not self._is_shared:
            return [(0, 1)]
        cluster = resources().cluster
        with self.files.opened() as table:
            ratings = table.fetch(f"select count(*) from {table.source} t")[0][0]
        shares = max(1 if cluster is None else len(cluster.workers()), -(-ratings // _AT_ONCE))
        return [(share, shares) for share in range(shares)]


def _pairs(files: Files, columns: Columns, parts: Sequence[str]) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    with files.opened() as table:
        for part in parts:
            table.source = part
            found += table.pairs(columns, first=f'min(t."{_ROW}")')
    return found


def _rows(files: Files, columns: Columns, codes: Codes, most: int, share: tuple[int, int]) -> Ints:
    with _share_of(files, columns, share) as table:
        return table.rows(columns, codes, most)


def _repeated(
    files: Files, columns: Columns, codes: Codes, share: tuple[int, int]
) -> tuple[Any, tuple[int, int]] | None:
    with _share_of(files, columns, share) as table:
        return table.repeated(columns, codes)


@contextmanager
def _share_of(files: Files, columns: Columns, share: tuple[int, int]) -> Iterator[DuckDBTable]:
    """All labels of some items, which are chosen by their names alone."""
    number, shares = share
    with files.opened() as table:
        if shares > 1:
            table.execute("set threads = 1")  # there is a task for every core
            table.source = f"(select * from {table.source} t where hash({columns[0].cell}) % {shares} = {number})"
        yield table


def _read_csv(table: DelimitedTable) -> str:
    columns = ", ".join(f"{as_text(name)}: 'VARCHAR'" for name in table.header)
    return (
        f"read_csv({as_text(str(table.path))}, auto_detect = false, header = false, skip = {table.above}, "
        f"delim = {as_text(table.separator)}, quote = '\"', escape = '\"', columns = {{{columns}}})"
    )


# -- files elsewhere, through fsspec -------------------------------------------------------------------------------


def filesystem(address: str) -> Any:
    """Keys come from the environment, or from files of the driver."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise DataError(
            "missing-package", f"{address}: files elsewhere are read by fsspec: pip install fsspec, and s3fs for s3://"
        ) from None
    try:
        return url_to_fs(address)[0]
    except Exception as error:  # noqa: BLE001 - every driver has a tree of its own
        raise DataError("file-unreadable", f"{address}: {first_words(error)}") from None


def list_parquet(address: str) -> list[str]:
    """The Parquet files of a folder, or the one that is named, in the order of their names."""
    system, prefix = filesystem(address), address.partition("://")[0]
    try:
        inside = system.find(address)
    except Exception as error:  # noqa: BLE001 - as above
        raise DataError("file-unreadable", f"{address}: {first_words(error)}") from None
    found = sorted(path for path in inside if Path(path).suffix.lower() in PARQUET_SUFFIXES)
    if not found:
        raise DataError(
            "format-unknown", f"{address}: there is no Parquet there, which is all that is read from elsewhere"
        )
    return [path if "://" in path else f"{prefix}://{path}" for path in found]


def _stamp(path: str) -> str:
    """Which version of a file it is."""
    if not is_elsewhere(path):
        about = Path(path).stat()
        return f"{about.st_size} {about.st_mtime_ns}"
    facts = filesystem(path).info(path)
    names = ("size", "ETag", "etag", "LastModified", "mtime", "created", "md5Hash")
    return " ".join(str(facts[name]) for name in names if facts.get(name) is not None)
