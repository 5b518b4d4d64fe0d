"""The costs of sending tasks to other processes and of storing finished tasks."""

from __future__ import annotations

import pickle
import tempfile
import time
from pathlib import Path

from benchmarks.measure import say, tell

TASKS = 300


def _little(data: bytes, task: int) -> int:
    return len(data) + task


def sending() -> None:
    """Measure a cluster of two workers on this machine: start, an empty task, and 50 MB of data."""
    from functools import partial

    import accord
    from accord.core import parallel
    from accord.core.context import Run

    begin = time.perf_counter()
    with accord.cluster("local:2"):
        tell("start of a cluster of two workers on this machine", f"{time.perf_counter() - begin:.1f} s")
        parallel.spread(partial(_little, b""), range(4), Run(), "trying")
        begin = time.perf_counter()
        parallel.spread(partial(_little, b""), range(TASKS), Run(), "trying")
        each = (time.perf_counter() - begin) / TASKS * 1e3
        say("  empty task, round trip", f"{each:.1f} ms", "20 ms", each < 20)
        begin = time.perf_counter()
        parallel.spread(partial(_little, b"x" * 50_000_000), range(8), Run(), "trying")
        tell("  50 MB of data to both workers, and eight tasks", f"{time.perf_counter() - begin:.2f} s")


def keeping() -> None:
    """A checkpoint: a task that does nothing, and the digest of data of 50 MB."""
    from functools import partial

    import accord
    from accord.core import parallel
    from accord.core.context import Run

    with tempfile.TemporaryDirectory() as folder:
        for name in ("kept", "found again"):
            begin = time.perf_counter()
            with accord.checkpoint(Path(folder) / "kept"):
                parallel.spread(partial(_little, b""), range(TASKS), Run(jobs=1), "trying")
            each = (time.perf_counter() - begin) / TASKS * 1e3
            say(f"empty task, {name} in a checkpoint", f"{each:.2f} ms", "2 ms", each < 2)
        begin = time.perf_counter()
        with accord.checkpoint(Path(folder) / "kept"):
            parallel.spread(partial(_little, b"x" * 50_000_000), range(1), Run(jobs=1), "trying")
        tell("  digest of 50 MB of data", f"{time.perf_counter() - begin:.2f} s")


def weight() -> None:
    """Measure the data that each worker gets once for γ: the pickle of a corpus."""
    from benchmarks.work import corpus_of, marked

    corpus = corpus_of(marked(3, 100_000))
    tell("  pickled corpus of 300,000 units", f"{len(pickle.dumps(corpus, protocol=5)) / 1e6:.1f} MB")
