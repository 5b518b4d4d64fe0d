"""Parquet that workers count: each has some of the items, reads their labels from all files, and groups them there.

Only pairs of an annotator and a label, and distinct rows with how often each occurs, come back. They are whole numbers:
how items are shared out changes none of them. Files are local, where all workers see them, or elsewhere (s3://…).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Ints
from accord.core.clusters import current
from accord.core.context import Run
from accord.core.parallel import spread
from accord.data.io.large.addresses import is_elsewhere
from accord.data.io.large.elsewhere import filesystem, stamp
from accord.data.io.large.engines import DuckDB, Keys, Named, asked, duckdb_engine

_AT_ONCE = 50_000_000  # ratings of which one worker groups the items: what DuckDB holds in its memory
_ITEMS = "counting items"


@dataclass(frozen=True)
class Files:
    """What goes to a worker: names, and no cells. `stamps` say which versions of the files these are."""

    name: str
    paths: tuple[str, ...]
    stamps: tuple[str, ...]

    @classmethod
    def of(cls, name: str, paths: Sequence[str]) -> Files:
        """Whole names: a worker stands in another folder."""
        whole = tuple(path if is_elsewhere(path) else str(Path(path).resolve()) for path in paths)
        return cls(name, whole, tuple(map(stamp, whole)))

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """A connection to DuckDB that can read them."""
        with duckdb_engine(self.name) as connection:
            if is_elsewhere(self.paths[0]):
                connection.register_filesystem(filesystem(self.paths[0]))
            yield connection

    def source(self, connection: Any, where: str = "true") -> DuckDB:
        """All of them, or some of their rows."""
        listed = ", ".join(map(_quoted, self.paths))
        return DuckDB(self.name, connection, f"(select * from read_parquet([{listed}]) t where {where})", None)

    def alone(self, connection: Any, path: str) -> DuckDB:
        one = f'(select *, file_row_number "row number" from read_parquet({_quoted(path)}, file_row_number = true))'
        return DuckDB(self.name, connection, f"read_parquet({_quoted(path)})", [one])


@dataclass
class OnWorkers:
    """The engine of such files."""

    name: str
    files: Files
    near: DuckDB  # the same files from here, of which only columns are asked
    run: Run
    sums: ClassVar[bool] = False

    def columns(self) -> dict[str, Named]:
        return self.near.columns()

    def seen(self, item: Named, annotator: Named, label: Named) -> list[tuple[Any, ...]]:
        """File by file, as one engine has it."""
        found = spread(
            partial(_seen, self.files, (item, annotator, label)), self.files.paths, self.run, "counting labels"
        )
        return [row for rows in found for row in rows]

    def rows(self, item: Named, annotator: Named, label: Named, keys: Keys, most: int) -> Ints:
        task = partial(_rows, self.files, (item, annotator, label), tuple(keys), most)
        found = np.concatenate(spread(task, self._shares(), self.run, _ITEMS))
        if not len(found):
            return found
        distinct, which = np.unique(found[:, :-1], axis=0, return_inverse=True)
        times = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(times, which.ravel(), found[:, -1])
        return np.column_stack([distinct, times])

    def twice(self, item: Named, annotator: Named, label: Named, keys: Keys) -> tuple[Any, Any] | None:
        task = partial(_twice, self.files, (item, annotator, label), tuple(keys))
        found = spread(task, self._shares(), self.run, "looking for labels that are given twice")
        return next((one for one in found if one is not None), None)

    def _shares(self) -> list[tuple[int, int]]:
        """Of the items: enough for all workers, and small enough for each."""
        cluster = current()
        ratings = asked(
            self.name, self.near.connection.execute, f"select count(*) from {self.near.source} t"
        ).fetchone()[0]
        shares = max(1 if cluster is None else len(cluster.workers()), -(-ratings // _AT_ONCE))
        return [(share, shares) for share in range(shares)]


Columns = tuple[Named, Named, Named]


def _seen(files: Files, columns: Columns, path: str) -> list[tuple[Any, ...]]:
    with files.opened() as connection:
        engine = files.alone(connection, path)
        engine.columns()
        return engine.seen(*columns)


def _rows(files: Files, columns: Columns, keys: Keys, most: int, share: tuple[int, int]) -> Ints:
    with files.opened() as connection:
        return _some(files, connection, columns, share).rows(*columns, keys, most)


def _twice(files: Files, columns: Columns, keys: Keys, share: tuple[int, int]) -> tuple[Any, Any] | None:
    with files.opened() as connection:
        return _some(files, connection, columns, share).twice(*columns, keys)


def _some(files: Files, connection: Any, columns: Columns, share: tuple[int, int]) -> DuckDB:
    """All labels of some items: which these are depends on what they are called alone."""
    connection.execute("set threads = 1")  # there is a worker for every core
    engine = files.source(connection, f"hash({columns[0].cell}) % {share[1]} = {share[0]}")
    engine.columns()
    engine.begin(*columns[1:])
    return engine


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
