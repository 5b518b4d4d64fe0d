"""A cluster on this machine: `python -m accord.core.clusters.host 4`.

A process of its own, so that Ctrl-C at a terminal does not reach its workers, and a script needs no guard. It says its
address and the keys to it on standard output, and ends when its standard input does, however its caller died.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import suppress

LOOPBACK = "127.0.0.1"


def main(workers: int, says: int) -> None:
    """Only on the loopback, encrypted with keys that live as long as it does, and without pages or other services."""
    import dask

    closed: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
    dask.config.set({**closed, "distributed.worker.multiprocessing-method": "forkserver"})
    from distributed import LocalCluster, Security

    security = Security.temporary()
    with tempfile.TemporaryDirectory(prefix="accord-", ignore_cleanup_errors=True) as folder:
        made = LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, host=LOOPBACK, protocol="tls://",
            security=security,
            dashboard_address=f"{LOOPBACK}:0", worker_dashboard_address=f"{LOOPBACK}:0", local_directory=folder,
            silence_logs=False,
        )  # fmt: skip
        keys = {name: getattr(security, f"tls_{name}") for name in ("ca_file", "client_cert", "client_key")}
        os.write(says, json.dumps({"address": made.scheduler_address, **keys}).encode() + b"\n")
        with suppress(KeyboardInterrupt):
            sys.stdin.read()
        made.close(timeout=2)


if __name__ == "__main__":
    answers, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # what tasks print: nobody reads it there, and a pipe that is full would stop them
    if not sys.stdin.isatty():
        os.dup2(nowhere, 2)
    main(int(sys.argv[1]), answers)
