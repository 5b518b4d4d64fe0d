"""Run a scheduler and workers in separate processes on the loopback: `python -m tests.cluster.farm`.

This process imports everything once and forks the others. Each line of standard input requests a process, as JSON.
Each line of standard output has the address and the process id. All processes end when standard input is closed.
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


async def _server(request: dict[str, Any], output: int) -> None:
    of = request.get("scheduler")
    memory, folder = request.get("memory", 0), request.get("folder")
    common: dict[str, Any] = {"host": LOOPBACK, "dashboard_address": f"{LOOPBACK}:0"}
    if of is None:
        server: Any = distributed.Scheduler(**common, port=request.get("port", 0))
    elif memory:
        server = distributed.Nanny(of, host=LOOPBACK, nthreads=1, memory_limit=memory, local_directory=folder)
    else:
        server = distributed.Worker(of, **common, nthreads=1, memory_limit=0, local_directory=folder)
    async with server:
        os.write(output, json.dumps({"address": server.address, "pid": os.getpid()}).encode() + b"\n")
        await server.finished()


def _start(request: dict[str, Any]) -> int:
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_RDWR), 2)
        output = os.dup(1)
        os.dup2(2, 1)
        if "version" in request:
            accord.core.fingerprints.build = lambda: request["version"]
        try:
            asyncio.run(_server(request, output))
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
