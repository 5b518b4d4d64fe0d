"""A worker: tries inputs in this process, one after the other, and tells of each on a line.

It is started anew when one of them hangs, takes too much memory, or kills it.
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

MEMORY = 4 * 2**30  # bytes that an input may take; the one who watches ends a worker that has taken more
_IN_MEMORY = "/dev/shm"  # noqa: S108 - on a disk, making and removing folders takes longer than reading what is in them
RENEWED = 20_000  # inputs: what libraries keep is no trouble of the next input
AT = struct.Struct("qdd")  # the number of the input that is being tried, since when, and the processor time before


def work(seed: int, first: int, step: int, end: int, board: Path) -> None:
    # No limit of memory: where a library asks in vain, it may call that a damaged file, and nobody would know.
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    tell = os.fdopen(os.dup(1), "w", buffering=1)
    from .mix import case
    from .trying import OVER_MEMORY, Outcome, tried

    gc.freeze()  # what was imported stays: looking through it takes a fifth of the time
    scratch = Path(tempfile.mkdtemp(prefix="accord-fuzz-", dir=_IN_MEMORY if os.path.isdir(_IN_MEMORY) else None))
    try:
        with board.open("r+b") as file, mmap(file.fileno(), AT.size) as shared:
            for number in range(first, min(end, first + RENEWED * step), step):
                made = case(seed, number)
                began = time.monotonic()
                shared[:] = AT.pack(number, began, time.process_time())  # at once: pack_into writes zeros first
                found = tried(made, scratch / "here")
                told = {"n": number, "family": made.family, "said": found.said, "s": round(time.monotonic() - began, 4)}
                taken = _most_memory()
                told["gb"] = round(taken / 2**30, 3)
                if taken > MEMORY and not found.failure:
                    found = Outcome("memory", OVER_MEMORY, f"{told['gb']} GB at most; {found.said}")
                if found.failure:
                    told |= {"failure": found.failure, "detail": found.detail, "case": made.to_json()}
                tell.write(json.dumps(told) + "\n")
                if taken > MEMORY:
                    break  # what the next one takes could not be seen: another worker goes on
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _most_memory() -> int:
    """Bytes that this process, or one that it started, has held at most so far."""
    import resource

    return 1024 * max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


if __name__ == "__main__":
    work(*map(int, sys.argv[1:5]), Path(sys.argv[5]))
