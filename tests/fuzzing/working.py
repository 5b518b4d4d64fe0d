"""A worker: runs inputs one after the other, and reports each on a line of JSON.

running.py starts a new worker if an input hangs, uses too much memory, or kills the worker.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import struct
import sys
import tempfile
import time
from mmap import mmap
from pathlib import Path

MEMORY = 4 * 2**30  # bytes that an input may use; running.py ends a worker that uses more
_IN_MEMORY = "/dev/shm"  # noqa: S108 - folders on a disk are slow
RENEWED = 20_000  # inputs of a worker, because libraries keep memory
AT = struct.Struct("qdd")  # number of the current input, its start, and processor time at its start


def work(seed: int, first: int, step: int, end: int, board: Path) -> None:
    # No memory limit: a library could report a failed allocation as a damaged file.
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    stream = os.fdopen(os.dup(1), "w", buffering=1)
    from .mix import case
    from .trying import OVER_MEMORY, Outcome, tried

    gc.freeze()  # garbage collection of imported modules takes a fifth of the time
    scratch = Path(tempfile.mkdtemp(prefix="accord-fuzz-", dir=_IN_MEMORY if os.path.isdir(_IN_MEMORY) else None))
    try:
        with board.open("r+b") as file, mmap(file.fileno(), AT.size) as shared:
            for number in range(first, min(end, first + RENEWED * step), step):
                made = case(seed, number)
                began = time.monotonic()
                shared[:] = AT.pack(
                    number, began, time.process_time()
                )  # one write, because pack_into writes zeros first
                found = tried(made, scratch / "here")
                report = {
                    "n": number,
                    "family": made.family,
                    "answer": found.answer,
                    "s": round(time.monotonic() - began, 4),
                }
                taken = _most_memory()
                report["gb"] = round(taken / 2**30, 3)
                if taken > MEMORY and not found.failure:
                    found = Outcome("memory", OVER_MEMORY, f"{report['gb']} GB at most; {found.answer}")
                if found.failure:
                    report |= {"failure": found.failure, "detail": found.detail, "case": made.to_json()}
                stream.write(json.dumps(report) + "\n")
                if taken > MEMORY:
                    break  # the memory of later inputs could not be measured
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _most_memory() -> int:
    """Return the peak memory of this process and its children in bytes."""
    import resource

    return 1024 * max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


if __name__ == "__main__":
    work(*map(int, sys.argv[1:5]), Path(sys.argv[5]))
