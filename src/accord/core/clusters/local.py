"""A cluster on this machine, from its start to its end; host.py is its process."""

from __future__ import annotations

import json
import os
import signal
import subprocess  # nosec B404
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from accord.core.errors import DataError, SpecError

_END = 3.0  # seconds in which it ends by itself


@contextmanager
def local_cluster(workers: int) -> Iterator[tuple[str, Any]]:
    """Its address, and the keys to it. It is gone behind the context, whatever happens. No workers: one a core."""
    from importlib.util import find_spec

    from distributed import Security

    if find_spec("cryptography") is None:
        raise SpecError("a cluster on this machine needs keys: pip install 'accord[cluster]'")
    # Workers find what this process finds: a script may import what stands beside it.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "accord.core.clusters.host", str(workers or len(_cores()))]
    process = subprocess.Popen(  # noqa: S603  # nosec B603
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        said = process.stdout.readline() if process.stdout is not None else b""
        if not said:
            raise DataError(
                "a cluster on this machine cannot be started: python -m accord.core.clusters.host 2 says why"
            )
        keys = json.loads(said)
        place = keys.pop("address")
        tls = {f"tls_{name}": value for name, value in keys.items()}
        yield place, Security(require_encryption=True, **tls)
    finally:
        _end(process)


def _cores() -> Any:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)


def _end(process: subprocess.Popen[bytes]) -> None:
    """It is told to end by the end of its input; what is left then is killed."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_END)
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
