"""A scheduler and workers in processes of their own, on the loopback: `python -m tests.cluster.farm`.

What they import is imported once, and they are forked from there. Each line of standard input asks for a process, as
JSON; a line of standard output has its address and its number. All of them end with standard input.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any

import dask
import distributed
import distributed.nanny

import accord.core.fingerprints
import accord.measures.catalogue

LOOPBACK = "127.0.0.1"
dask.config.set({
    "distributed.scheduler.allowed-failures": 1,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.memory.terminate": 0.9,
    "distributed.worker.memory.pause": False,
    "distributed.worker.multiprocessing-method": "forkserver",
})  # fmt: skip


async def _server(asked: dict[str, Any], says: int) -> None:
    of = asked.get("scheduler")
    memory, folder = asked.get("memory", 0), asked.get("folder")
    common: dict[str, Any] = {"host": LOOPBACK, "dashboard_address": f"{LOOPBACK}:0"}
    if of is None:
        server: Any = distributed.Scheduler(**common, port=asked.get("port", 0))
    elif memory:
        server = distributed.Nanny(of, host=LOOPBACK, nthreads=1, memory_limit=memory, local_directory=folder)
    else:
        server = distributed.Worker(of, **common, nthreads=1, memory_limit=0, local_directory=folder)
    async with server:
        os.write(says, json.dumps({"address": server.address, "pid": os.getpid()}).encode() + b"\n")
        await server.finished()


def _start(asked: dict[str, Any]) -> int:
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_RDWR), 2)
        says = os.dup(1)
        os.dup2(2, 1)
        if "version" in asked:
            accord.core.fingerprints.build = lambda: asked["version"]
        try:
            asyncio.run(_server(asked, says))
        finally:
            os._exit(0)
    return child


def main() -> None:
    children = []
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while line := sys.stdin.readline():
        children.append(_start(json.loads(line)))
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
