"""Ratings that exceed the memory: `make bench-large RATINGS=1e9 FOLDER=/large/disk`.

The benchmark writes ratings as Parquet: three annotators label every item, and the labels of an item are in distant
rows. Then it measures α with its standard error, and DuckDB alone with `group by item, label`, each in a separate
process. accord limits DuckDB to 2 GB. DuckDB alone uses its default, 80% of the machine's memory; with less, it runs
out of memory on many ratings.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = "2GB"
FILES = 8
_MADE = ".made"  # marks complete data


def make(folder: Path, ratings: int) -> None:
    """Write the ratings. Labels are hashes of row numbers, so equal sizes give equal data."""
    import duckdb

    items = ratings // 3
    connection = duckdb.connect(config={"memory_limit": MEMORY, "temp_directory": str(folder / "aside")})
    step = -(-3 * items // FILES)
    for k in range(FILES):
        low, high = k * step, min((k + 1) * step, 3 * items)
        connection.execute(
            f"copy (select (i * 7919) % {items} as item, 'annotator ' || (i // {items}) as annotator, "
            f"'category ' || (case when hash(i) % 10 < 7 then hash((i * 7919) % {items}) else hash(i + 77) end % 5) "
            f"as label from range({low}, {high}) t(i)) to '{folder}/{k}.parquet' (format parquet)"
        )


def counted(folder: Path) -> str:
    """Compute α and its standard error by counting distinct rows, for any number of ratings."""
    import accord
    from accord.data.io import large

    large.LARGE_ROWS = 0
    score = accord.alpha(folder)
    return f"α {score.value:.6f}, SE {score.se:.2e}, {score.n:,} items"


def spread_out(folder: Path) -> str:
    """Compute the same with two workers on this machine."""
    import accord

    with accord.cluster("local:2"):
        return counted(folder)


def grouped(folder: Path) -> str:
    import duckdb

    connection = duckdb.connect(config={"temp_directory": str(folder / "aside")})
    query = f"select count(*) from (select 1 from read_parquet('{folder}/*.parquet') group by item, label)"
    return f"{connection.execute(query).fetchall()[0][0]:,} groups"


def timed(folder: Path, name: str) -> tuple[float, float]:
    """Run a part in a separate process. Print and return elapsed and processor seconds."""
    command = [sys.executable, "-m", "benchmarks.large", "--part", name, "--folder", str(folder)]
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip().splitlines()[-1]}")
    said = done.stdout.strip()
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{name:10} {seconds:8.1f} s, {used:8.1f} s of a core  {said}", flush=True)
    return seconds, used


def compared(ours: tuple[float, float], bare: tuple[float, float]) -> None:
    print(f"ratio      {ours[0] / bare[0]:8.2f}    {ours[1] / bare[1]:8.2f}", flush=True)


@contextmanager
def _place(folder: Path | None, ratings: int) -> Iterator[str]:
    """Yield the folder of the ratings. A folder given by the user is kept for the next run."""
    if folder is None:
        with tempfile.TemporaryDirectory() as aside:
            yield aside
    else:
        kept = folder / f"ratings-{ratings}"
        kept.mkdir(parents=True, exist_ok=True)
        yield str(kept)


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--ratings", type=float, default=1e7)
    given.add_argument("--folder", type=Path)
    given.add_argument("--part", choices=("counted", "grouped", "spread_out"))
    given.add_argument("--cluster", action="store_true", help="also count with two workers on this machine")
    asked = given.parse_args()
    if asked.part:
        found = {"counted": counted, "grouped": grouped, "spread_out": spread_out}[asked.part](asked.folder)
        print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8,.0f} MB  {found}")
        return
    with _place(asked.folder, int(asked.ratings)) as folder:
        start = time.perf_counter()
        if not (Path(folder) / _MADE).exists():  # writing takes long, so reuse existing data
            make(Path(folder), int(asked.ratings))
            (Path(folder) / _MADE).touch()
        size = sum(file.stat().st_size for file in Path(folder).glob("*.parquet")) / 1e9
        print(
            f"{asked.ratings:.0e} ratings, {size:.2f} GB of Parquet, written in {time.perf_counter() - start:.0f} s",
            flush=True,
        )
        bare = timed(Path(folder), "grouped")
        compared(timed(Path(folder), "counted"), bare)
        if asked.cluster:
            compared(timed(Path(folder), "spread_out"), bare)


if __name__ == "__main__":
    main()
