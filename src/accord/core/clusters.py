"""Compute on other machines with Dask's `distributed`; results do not depend on it.

Within `cluster(address)`, `parallel.spread` sends its tasks to the workers of a scheduler. `distributed` moves tasks
and data, and replaces workers that die. This module adds four things: it refuses workers with other versions, sends
tasks again after the scheduler was lost, raises the error of the first failed task, and reports failures in one line.

"local:4" is a cluster on this machine. It runs in a separate process (`python -m accord.core.clusters 4`), so that
Ctrl-C does not reach its workers, and a script needs no `if __name__ == "__main__"`.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import pickle
import re
import signal
import subprocess  # nosec B404
import sys
import tempfile
import time
import warnings
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any

from accord._version import __version__
from accord.core.context import resources, using
from accord.core.errors import AccordError, DataError, SpecError, one_line, quoted
from accord.core.fingerprints import surroundings

_PLACE = re.compile(r"(?:[a-z]+://)?(?:\[[0-9a-fA-F:.]+\]|[^\s/:@]+):\d{1,5}")
_LOCAL = re.compile(r"local(?::(?P<workers>\d{1,4}))?")

_ANSWER = 5.0  # seconds to wait for the scheduler
_FIRST = 15.0  # seconds to wait for the workers
_LOOK = 1.0  # seconds between two checks of the workers
_PATIENCE = 30.0  # seconds without a scheduler or a running worker before accord gives up
_END = 3.0  # seconds for a local cluster to shut down before it is killed
_LOSSES = 5  # losses in a row, without a result in between
_OFTEN = 2  # times that a task may kill all workers that the scheduler allows it
_AHEAD = 2  # tasks per worker that are submitted in advance
_CACHED = 2  # functions with their data on a worker: of this stage and the previous one
_LOGGERS = ("distributed", "distributed.client", "distributed.core", "tornado.application", "asyncio")
_CLIENT: dict[str, Any] = {"set_as_default": False, "name": "accord"}  # a user's own client stays the default
_LOOPBACK = "127.0.0.1"


def check_address(address: object) -> int | None:
    """Return None for the address of a scheduler, the number of workers for "local:4", and 0 for "local"."""
    local = _LOCAL.fullmatch(address) if isinstance(address, str) else None
    if local is None:
        if isinstance(address, str) and _PLACE.fullmatch(address):
            return None
        raise SpecError(
            "cluster", f"a cluster must be tcp://HOST:PORT of a Dask scheduler, or local:4, not {quoted(address)}"
        )
    if local["workers"] is None:
        return 0
    if not 1 <= int(local["workers"]) <= 1024:
        raise SpecError("cluster", f"a local cluster must have 1 to 1,024 workers, not {local['workers']}")
    return int(local["workers"])


def cluster(address: str) -> AbstractContextManager[None]:
    """Run long computations within a `with` block on a Dask cluster.

    Results have the same digits as without a cluster. Workers need the same versions of accord, NumPy and SciPy.

    Parameters
    ----------
    address : str
        `tcp://HOST:PORT` of a Dask scheduler, or `local:4` to start four workers on this machine for the block.

    Returns
    -------
    context manager

    Raises
    ------
    SpecError
        If the address is not valid, or Dask is not installed (`pip install 'accord[cluster]'`).

    Examples
    --------
    >>> with accord.cluster("local:4"):  # doctest: +SKIP
    ...     accord.score("spans.csv", "gamma")
    """
    check_address(address)
    return _sent_to(address)


@contextmanager
def _sent_to(address: str) -> Iterator[None]:
    with connected(address) as found, using(replace(resources(), cluster=found)):
        yield


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect to a scheduler, or start a local cluster for the duration of the context."""
    local = check_address(address)
    try:
        from distributed import Client
    except ImportError:
        raise SpecError(
            "missing-package",
            "a cluster needs Dask; pip install 'accord[cluster]' (in a checkout: pip install '.[cluster]')",
        ) from None
    with _without_logs():
        if local is None:
            with _checked(Cluster(address, partial(Client, address, timeout=_ANSWER, **_CLIENT))) as found:
                yield found
            return
        with _local_cluster(local) as (place, security):
            client = partial(Client, place, security=security, timeout=_ANSWER, **_CLIENT)
            with _checked(Cluster(address, client)) as found:
                yield found


@contextmanager
def _checked(cluster: Cluster) -> Iterator[Cluster]:
    try:
        cluster.connect()
        cluster.check_workers()
        yield cluster
    finally:
        cluster.close()


@contextmanager
def _without_logs() -> Iterator[None]:
    """Suppress log messages of Dask about its internals."""
    before = {name: logging.getLogger(name).level for name in _LOGGERS}
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@dataclass
class Cluster:
    """A scheduler and the data sent to it."""

    address: str
    open_client: Callable[[], Any]
    wanted: dict[str, str] = field(default_factory=surroundings)
    client: Any = None
    _sent: dict[str, Any] = field(default_factory=dict)  # functions with their data, by digest

    def connect(self) -> None:
        self.close()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about versions, which `check_workers` compares
                self.client = self.open_client()
        except Exception as error:  # noqa: BLE001 - from Dask, the system or certificates
            reason = one_line(str(error))[:120] or type(error).__name__
            where = f"no Dask scheduler answers at {quoted(self.address)}"
            raise DataError("cluster", f"{where} ({reason}); check the address and that it runs") from None

    def close(self) -> None:
        self._sent.clear()
        client, self.client = self.client, None
        if client is not None:
            with suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                client.close(timeout=1)

    def check_workers(self) -> None:
        """Refuse workers with other versions before computing; workers that join later are checked with each task."""
        try:
            self.client.wait_for_workers(1, timeout=_FIRST)
            places = list(self.workers())
        except Exception:  # noqa: BLE001 - Dask has several exceptions
            raise DataError(
                "cluster", f"the cluster at {quoted(self.address)} has no workers; start some with dask worker"
            ) from None
        asked = {place: self.client.submit(_mismatch, self.wanted, workers=[place], pure=False) for place in places}
        end = time.monotonic() + _FIRST
        for place, answer in asked.items():
            try:
                mismatch = answer.result(timeout=max(0.1, end - time.monotonic()))
            except ModuleNotFoundError as error:
                raise SpecError(
                    "missing-package",
                    f"the worker {place} lacks {error.name}; pip install accord=={__version__} there",
                ) from None
            except Exception:  # noqa: BLE001, S112 - busy or gone: checked again with its first task  # nosec B112
                continue
            _refuse(mismatch)

    def results(self, function: Any, tasks: Mapping[int, Any], what: str) -> Iterator[tuple[int, Any]]:
        """Yield results as they arrive; raise the error of the first failed task."""
        content = _packed(function)
        digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        left = dict(tasks)
        failed: AccordError | None = None
        ended: Counter[int] = Counter()
        lost = 0
        while left:
            try:
                for number, result in _Round(self, content, digest, left, ended, what):
                    lost = 0
                    left.pop(number)
                    if isinstance(result, AccordError):
                        failed = result
                        left = {k: task for k, task in left.items() if k < number}  # later tasks are not needed
                        break
                    yield number, result
            except _Lost:
                lost += 1
                self._reconnect(lost)
        if failed is not None:
            raise failed

    def _reconnect(self, times: int) -> None:
        """Connect again, and send the data again; give up after `_PATIENCE` seconds."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                self.connect()
                self.client.wait_for_workers(1, timeout=_ANSWER)
            except Exception:  # noqa: BLE001 - Dask has several exceptions
                lost = time.monotonic() > end
            else:
                lost = times > _LOSSES
                if not lost:
                    return
            if lost:
                raise DataError(
                    "cluster",
                    f"the cluster at {quoted(self.address)} is gone or has no workers left; start it again, and use "
                    "a checkpoint to keep finished tasks",
                )
            time.sleep(_LOOK)

    def data(self, content: bytes, digest: str) -> Any:
        """Send the data that tasks share to all workers, once."""
        if digest not in self._sent:
            self._sent.clear()  # data of an earlier stage
            self._sent[digest] = self.client.scatter([content], broadcast=True, hash=False)[0]
        return self._sent[digest]

    def forget(self, data: Any) -> None:
        """Forget data that may be lost with its workers, so that the next task sends it again."""
        self._sent = {digest: sent for digest, sent in self._sent.items() if sent is not data}

    def workers(self) -> dict[str, str]:
        """Return the status of each worker, by address."""
        found = self.client.scheduler_info(n_workers=-1)["workers"]
        return {place: str(about.get("status", "")) for place, about in found.items()}


class _Lost(Exception):  # noqa: N818 - it never leaves this module
    """The connection or all workers with the data are lost."""


class _Round:
    """Tasks in progress: a few per worker at a time, to limit the memory of the scheduler."""

    def __init__(
        self, cluster: Cluster, content: bytes, digest: str, left: Mapping[int, Any], ended: Counter[int], what: str
    ) -> None:
        self.cluster, self.content, self.digest, self.ended, self.what = cluster, content, digest, ended, what
        self.tasks, self.losses = dict(left), Counter[int]()
        self.pending: dict[Any, tuple[int, Any, Any]] = {}  # by key: number, future, data
        self.answers: SimpleQueue[Any] = SimpleQueue()
        self.heard = self.looked = time.monotonic()
        self.room = 1

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        waiting = iter(self.tasks)
        try:
            self._look()
            while True:
                while len(self.pending) < self.room and (number := next(waiting, None)) is not None:
                    self._send(number)
                if not self.pending:
                    return
                with suppress(Empty):
                    number, *sent = self.pending.pop(self.answers.get(timeout=_LOOK).key)
                    result = self._result(number, *sent)
                    self.heard = time.monotonic()
                    if result is None:
                        self._send(number)
                    else:
                        yield number, result[0]
                if time.monotonic() - self.looked > _LOOK:
                    self._look()
        finally:
            with suppress(Exception):
                self.cluster.client.cancel([future for _, future, _ in self.pending.values()])

    def _send(self, number: int) -> None:
        task = _packed(self.tasks[number])
        with _losing(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about large tasks; few are sent at a time
            data = self.cluster.data(self.content, self.digest)
            sent = (_run_task, data, self.digest, self.cluster.wanted, task)
            future = self.cluster.client.submit(*sent, pure=False)
        self.pending[future.key] = number, future, data
        future.add_done_callback(self.answers.put)

    def _result(self, number: int, future: Any, data: Any) -> tuple[Any] | None:
        """Return the result in a tuple; None if it was lost with its worker and the task is sent again."""
        error: Any = None
        result: Any = None
        try:
            error = future.exception(timeout=_PATIENCE) if future.status == "error" else None
            result = future.result(timeout=_PATIENCE) if error is None else None
        except Exception as gone:  # Dask has several exceptions for cancelled or lost tasks
            self.cluster.forget(data)
            self.losses[number] += 1
            if self.losses[number] > _LOSSES:
                raise _Lost from gone
            return None
        if error is None:
            _refuse(result)
            return (result,)
        if type(error).__name__ != "KilledWorker":
            if isinstance(error, ModuleNotFoundError):
                raise DataError(
                    "cluster", f"{self.what}: a worker cannot import {quoted(error.name)}; install it there"
                ) from None
            raise error
        self.ended[number] += 1
        if self.ended[number] > _OFTEN:
            raise DataError(
                "cluster",
                f"{self.what}: a task killed every worker that ran it, probably by using too much memory; give workers "
                "more memory, or run without a cluster",
            )
        return None

    def _look(self) -> None:
        """Check the workers; give up if none has been running for `_PATIENCE` seconds."""
        with _losing():
            workers = self.cluster.workers()
        now = self.looked = time.monotonic()
        self.room = _AHEAD * max(1, len(workers))
        if "running" in workers.values():
            self.heard = now
        elif now - self.heard > _PATIENCE:
            why = "they are paused because of low memory" if workers else "there are none"
            where = quoted(self.cluster.address)
            raise DataError("cluster", f"{self.what}: no worker accepts tasks at {where}: {why}; check the cluster")


@contextmanager
def _losing() -> Iterator[None]:
    """Convert errors of Dask about lost connections or workers to `_Lost`."""
    try:
        yield
    except Exception as error:
        raise _Lost from error


def _packed(content: Any) -> bytes:
    """Pickle with cloudpickle, which includes functions of a script or notebook."""
    import cloudpickle

    packed: bytes = cloudpickle.dumps(content, protocol=5)
    return packed


# -- on a worker ---------------------------------------------------------------------------------------------------

_ONE_AT_A_TIME = Lock()  # a worker may have several threads, but accord runs one task per process
_FUNCTIONS: OrderedDict[str, Any] = OrderedDict()


@dataclass(frozen=True)
class _Mismatch:
    """The answer of a worker with another version; it computes nothing."""

    place: str
    what: str
    there: str
    here: str


def _refuse(answer: Any) -> None:
    if isinstance(answer, _Mismatch):
        raise SpecError(
            "cluster",
            f"the worker {answer.place} has {answer.what} {answer.there}, but this machine has {answer.here}, and "
            "results might differ; install the same version there",
        )


_versions_here = cache(surroundings)


def _mismatch(wanted: dict[str, str]) -> _Mismatch | None:
    """Return the first difference in versions between this worker and the client."""
    from distributed import get_worker

    here = _versions_here()
    for name, version in wanted.items():
        if here.get(name) != version:
            return _Mismatch(str(get_worker().address), name, here.get(name, "none"), version)
    return None


def _run_task(function: bytes, digest: str, wanted: dict[str, str], task: bytes) -> Any:
    """Return the result of a task, or its error. The function is unpickled once, so that tasks share its caches."""
    mismatch = _mismatch(wanted)
    if mismatch is not None:
        return mismatch
    with _ONE_AT_A_TIME:
        try:
            if digest not in _FUNCTIONS:
                while len(_FUNCTIONS) >= _CACHED:
                    _FUNCTIONS.popitem(last=False)
                _FUNCTIONS[digest] = pickle.loads(function)  # noqa: S301 - sent by the client  # nosec B301
            _FUNCTIONS.move_to_end(digest)
            return _FUNCTIONS[digest](pickle.loads(task))  # noqa: S301 - as above  # nosec B301
        except AccordError as error:
            return error


# -- a cluster on this machine -------------------------------------------------------------------------------------


@contextmanager
def _local_cluster(workers: int) -> Iterator[tuple[str, Any]]:
    """Start a local cluster and yield its address and keys; stop it at the end. 0 workers: one per core."""
    from importlib.util import find_spec

    from distributed import Security

    if find_spec("cryptography") is None:
        raise SpecError(
            "missing-package",
            "a local cluster needs cryptography; pip install 'accord[cluster]' (in a checkout: pip install "
            "'.[cluster]')",
        )
    # Workers can import the same modules as this process, including modules beside a script.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    command = [sys.executable, "-m", "accord.core.clusters", str(workers or cores)]
    process = subprocess.Popen(  # noqa: S603  # nosec B603
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        answer = process.stdout.readline() if process.stdout is not None else b""
        if not answer:
            raise DataError(
                "cluster",
                "the local cluster cannot be started; run python -m accord.core.clusters 2 to see the reason",
            )
        keys = json.loads(answer)
        yield keys.pop("address"), Security(require_encryption=True, **keys)
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop the process by closing its input; kill it and its workers after `_END` seconds."""
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


def serve(workers: int, answer: int) -> None:
    """Run a cluster until standard input closes, which also happens if the caller dies.

    It listens only on the loopback interface, encrypts with temporary keys, and has no dashboard or other services. It
    writes its address and the paths of the keys to the file descriptor `answer`.
    """
    import dask

    closed: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
    dask.config.set({**closed, "distributed.worker.multiprocessing-method": "forkserver"})
    from distributed import LocalCluster, Security

    security = Security.temporary()
    with tempfile.TemporaryDirectory(prefix="accord-", ignore_cleanup_errors=True) as folder:
        local = LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, host=_LOOPBACK, protocol="tls://",
            security=security,
            dashboard_address=f"{_LOOPBACK}:0", worker_dashboard_address=f"{_LOOPBACK}:0", local_directory=folder,
            silence_logs=False,
        )  # fmt: skip
        keys = {name: getattr(security, name) for name in ("tls_ca_file", "tls_client_cert", "tls_client_key")}
        os.write(answer, json.dumps({"address": local.scheduler_address, **keys}).encode() + b"\n")
        with suppress(KeyboardInterrupt):
            sys.stdin.read()
        local.close(timeout=2)


if __name__ == "__main__":
    answers, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # discard printed output of tasks; a full pipe would block them
    if not sys.stdin.isatty():
        os.dup2(nowhere, 2)
    serve(int(sys.argv[1]), answers)
