"""Files of one format, one after the other: on several cores where there is much to read, and told while it lasts."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TypeVar

from accord.core.context import Run
from accord.core.parallel import spread
from accord.data.io.formats.export import Export

T = TypeVar("T")
R = TypeVar("R")

READING = "reading files"
_MOST_TOGETHER = 32  # files in one task: what goes to a worker and back is small then, and so is its overhead
_TASKS = 64  # at least, where there are as many files


def each(parsed: Callable[[T], R], files: Sequence[T], run: Run) -> list[R]:
    """What `parsed` makes of every file, in their order; the first error in this order is the one that is raised.

    It may run in another process: what it takes and gives can be pickled, and it changes nothing else.
    """
    size = max(1, min(_MOST_TOGETHER, len(files) // _TASKS))
    tasks = [files[at : at + size] for at in range(0, len(files), size)]

    def tell(what: str, done: int, total: int) -> None:
        run.progress(what, len(files) if done == total else done * size, len(files))

    found = spread(partial(_several, parsed), tasks, replace(run, progress=tell), READING, here=True)
    return [one for several in found for one in several]


def each_counted(parsed: Callable[[T, Export], R], files: Sequence[T], export: Export, run: Run) -> list[R]:
    """The same where a file has parts that are not taken, which `parsed` tells an export."""
    found = each(partial(_counted, parsed), files, run)
    for _, own in found:
        export.leave_also(own)
    return [one for one, _ in found]


def _counted(parsed: Callable[[T, Export], R], file: T) -> tuple[R, Export]:
    own = Export()
    return parsed(file, own), own


def watched(files: Sequence[T], run: Run) -> Iterator[T]:
    """The same files, where they are read one by one."""
    for done, file in enumerate(files):
        run.progress(READING, done, len(files))
        yield file
    run.progress(READING, len(files), len(files))


def _several(parsed: Callable[[T], R], files: Sequence[T]) -> list[R]:
    with without_collecting():
        return [parsed(file) for file in files]


@contextmanager
def without_collecting() -> Iterator[None]:
    """Reading makes many objects and no cycles: to look for these again and again takes a sixth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
