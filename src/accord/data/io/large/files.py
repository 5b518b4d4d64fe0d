"""Large files that DuckDB counts: local Parquet and CSV, remote Parquet (s3://…), and Parquet on a cluster.

For local files, one DuckDB groups all items. For remote files and on a cluster, each task groups a share of the items
and reads their labels from all files. Tasks return pairs of annotator and label, and distinct rows with counts. Counts
are whole numbers, so results do not depend on the shares. Workers must find local files under the same paths.
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

_AT_ONCE = 50_000_000  # ratings per task, so that DuckDB can group their items in memory
_ROW = "accord row"  # a column: the number of the row in its file
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Files:
    """Files that form one table. Workers receive only names; `stamps` distinguish versions of the files."""

    name: str
    whole: str  # all files, as DuckDB reads them
    parts: tuple[str, ...]  # each file with row numbers, as DuckDB reads it
    stamps: tuple[str, ...] = ()
    remote: str = ""  # an address that fsspec opens
    from_csv: bool = False

    @classmethod
    def of_parquet(cls, name: str, paths: Sequence[str]) -> Files:
        remote = paths[0] if is_elsewhere(paths[0]) else ""
        # Absolute paths, because a worker may have another current folder.
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
        """Open the files as a DuckDB table."""
        with duckdb_connection(self.name) as connection:
            if self.remote:
                connection.register_filesystem(filesystem(self.remote))
            yield DuckDBTable(self.name, connection, self.whole, self.from_csv)

    def are_alike(self) -> bool:
        """Return whether the files have the same columns with the same types."""
        with self.opened() as table:
            return len({tuple(table.fetch(f"describe select * from {part}")) for part in self.parts}) == 1


@dataclass
class CountedFiles:
    """The engine that counts these files."""

    files: Files
    run: Run
    kept: Sequence[DelimitedTable] = ()  # keeps temporary copies in UTF-8 alive
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
        found = self._each(task, self._shares(), "looking for repeated labels")
        return next((repeat for repeat in found if repeat is not None), None)

    @property
    def _is_shared(self) -> bool:
        return bool(self.files.remote) or (resources().cluster is not None and not self.files.from_csv)

    def _each(self, function: Callable[[T], R], tasks: Sequence[T], what: str) -> list[R]:
        return spread(function, tasks, self.run, what) if self._is_shared else list(map(function, tasks))

    def _shares(self) -> list[tuple[int, int]]:
        """Return shares of the items: at least one per worker, each small enough for a worker."""
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
    """Open the labels of a share of the items, selected by a hash of their names."""
    number, shares = share
    with files.opened() as table:
        if shares > 1:
            table.execute("set threads = 1")  # each core has its own task
            table.source = f"(select * from {table.source} t where hash({columns[0].cell}) % {shares} = {number})"
        yield table


def _read_csv(table: DelimitedTable) -> str:
    columns = ", ".join(f"{as_text(name)}: 'VARCHAR'" for name in table.header)
    return (
        f"read_csv({as_text(str(table.path))}, auto_detect = false, header = false, skip = {table.above}, "
        f"delim = {as_text(table.separator)}, quote = '\"', escape = '\"', columns = {{{columns}}})"
    )


# -- remote files, opened by fsspec --------------------------------------------------------------------------------


def filesystem(address: str) -> Any:
    """Return the file system of an address; keys are read from the environment or the driver's files."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise DataError(
            "missing-package", f"{address}: remote files need fsspec; pip install fsspec, and s3fs for s3://"
        ) from None
    try:
        return url_to_fs(address)[0]
    except Exception as error:  # noqa: BLE001 - every driver has its own exceptions
        raise DataError("file-unreadable", f"{address}: {first_words(error)}; check the address") from None


def list_parquet(address: str) -> list[str]:
    """Return the Parquet files of a folder, sorted by name, or the named file."""
    system, prefix = filesystem(address), address.partition("://")[0]
    try:
        inside = system.find(address)
    except Exception as error:  # noqa: BLE001 - as above
        raise DataError("file-unreadable", f"{address}: {first_words(error)}; check the address") from None
    found = sorted(path for path in inside if Path(path).suffix.lower() in PARQUET_SUFFIXES)
    if not found:
        raise DataError(
            "format-unknown",
            f"{address}: no Parquet files found, the only remote format that accord reads; convert the files to "
            "Parquet",
        )
    return [path if "://" in path else f"{prefix}://{path}" for path in found]


def _stamp(path: str) -> str:
    """Return text that identifies the version of a file."""
    if not is_elsewhere(path):
        about = Path(path).stat()
        return f"{about.st_size} {about.st_mtime_ns}"
    facts = filesystem(path).info(path)
    names = ("size", "ETag", "etag", "LastModified", "mtime", "created", "md5Hash")
    return " ".join(str(facts[name]) for name in names if facts.get(name) is not None)
