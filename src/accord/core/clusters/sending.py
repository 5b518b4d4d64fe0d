"""Tasks go out, results come in: each once, whoever dies in between."""

from __future__ import annotations

import hashlib
import logging
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from accord._version import __version__
from accord.core.clusters import check_address, there
from accord.core.clusters.local import local_cluster
from accord.core.errors import AccordError, DataError, SpecError, one_line, quoted
from accord.core.fingerprints import surroundings

_ANSWER = 5.0  # seconds in which a scheduler answers
_FIRST = 15.0  # seconds in which its workers do
_LOOK = 1.0  # seconds without a result after which one looks whether anybody is left
_PATIENCE = 30.0  # seconds without a scheduler, or without a worker that works, before it is given up
_LOSSES = 5  # one after the other, without a result in between
_OFTEN = 2  # times that a task may end as many workers as the scheduler allows one to
_AHEAD = 2  # tasks for each worker that are with the scheduler
_LOUD = ("distributed", "distributed.client", "distributed.core", "tornado.application", "asyncio")


class _Lost(Exception):  # noqa: N818 - nobody but this file sees it
    """What was sent is not there any more: the connection, or all workers that had the data."""


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """A cluster by its address, or one that lives as long as the context."""
    local = check_address(address)
    try:
        import distributed
    except ImportError:
        raise SpecError("a cluster needs Dask: pip install 'accord[cluster]'") from None
    with _quiet():
        if local is None:
            yield from _used(Cluster(address, lambda: distributed.Client(address, timeout=_ANSWER, **_OWN)))
            return
        with local_cluster(local) as (place, security):
            open_one = lambda: distributed.Client(place, security=security, timeout=_ANSWER, **_OWN)  # noqa: E731
            yield from _used(Cluster(address, open_one))


_OWN: dict[str, Any] = {"set_as_default": False, "name": "accord"}  # a user's own client stays the default


def _used(cluster: Cluster) -> Iterator[Cluster]:
    try:
        cluster.connect()
        cluster.check_workers()
        yield cluster
    finally:
        cluster.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask's own words are about its inside."""
    before = {name: logging.getLogger(name).level for name in _LOUD}
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@dataclass
class Cluster:
    """A scheduler, and what it has been sent."""

    address: str
    open: Callable[[], Any]
    wanted: dict[str, str] = field(default_factory=surroundings)
    client: Any = None
    _sent: dict[str, Any] = field(default_factory=dict)  # functions with their data, by digest

    def connect(self) -> None:
        self.close()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of versions, which are looked at more closely below
                self.client = self.open()
        except Exception as error:  # noqa: BLE001 - of Dask, of the system, of certificates
            where = f"no Dask scheduler answers at {quoted(self.address)}"
            raise DataError(f"{where} ({_reason(error)}): look at its address") from None

    def close(self) -> None:
        self._sent.clear()
        client, self.client = self.client, None
        if client is not None:
            with suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                client.close(timeout=1)

    def check_workers(self) -> None:
        """All that are there are asked before anything is computed; those that come later, with each task."""
        try:
            self.client.wait_for_workers(1, timeout=_FIRST)
            places = list(self.workers())
        except Exception:  # noqa: BLE001 - of Dask, which has several
            raise DataError(f"the cluster at {quoted(self.address)} has no workers: start some") from None
        asked = {place: self.client.submit(there.other, self.wanted, workers=[place], pure=False) for place in places}
        end = time.monotonic() + _FIRST
        for place, answer in asked.items():
            try:
                differs = answer.result(timeout=max(0.1, end - time.monotonic()))
            except ModuleNotFoundError as error:
                raise SpecError(
                    f"the worker {place} has no {error.name}: pip install accord=={__version__} there"
                ) from None
            except Exception:  # noqa: BLE001, S112 - busy or gone: asked again with its first task  # nosec B112
                continue
            self.check_same(differs)

    def results(self, function: Any, tasks: Mapping[int, Any], what: str) -> Iterator[tuple[int, Any]]:
        """As they come. The error that is raised is that of the first task that has one."""
        content = _packed(function)
        digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        left = dict(tasks)
        failed: tuple[int, AccordError] | None = None
        ended: Counter[int] = Counter()
        lost = 0
        while left:
            try:
                for number, result in _Round(self, content, digest, left, ended, what):
                    lost = 0
                    left.pop(number)
                    if isinstance(result, AccordError):
                        failed = number, result
                        left = {k: task for k, task in left.items() if k < number}  # others are not asked for any more
                        break
                    yield number, result
            except _Lost:
                lost += 1
                self._again(lost)
        if failed is not None:
            raise failed[1]

    def _again(self, times: int) -> None:
        """Connected anew, if that is possible before the patience ends; what was sent is sent again."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                self.connect()
                self.client.wait_for_workers(1, timeout=_ANSWER)
            except Exception:  # noqa: BLE001 - of Dask, which has several
                lost = time.monotonic() > end
            else:
                lost = times > _LOSSES
                if not lost:
                    return
            if lost:
                raise DataError(
                    f"the cluster at {quoted(self.address)} is gone, or has no workers any more: start it again, and "
                    "keep what is finished in a checkpoint"
                )
            time.sleep(_LOOK)

    def data(self, content: bytes, digest: str) -> Any:
        """What tasks have in common goes to all workers once."""
        if digest not in self._sent:
            self._sent.clear()  # that of an earlier stage is not wanted any more
            self._sent[digest] = self.client.scatter([content], broadcast=True, hash=False)[0]
        return self._sent[digest]

    def lost(self, data: Any) -> None:
        """Perhaps with all workers that had them: the next task sends them again."""
        self._sent = {digest: one for digest, one in self._sent.items() if one is not data}

    def workers(self) -> dict[str, str]:
        """By address: what they do."""
        found = self.client.scheduler_info(n_workers=-1)["workers"]
        return {place: str(about.get("status", "")) for place, about in found.items()}

    def check_same(self, differs: Any) -> None:
        if isinstance(differs, there.Other):
            raise SpecError(
                f"the worker {differs.place} has {differs.what} {differs.there}, and this is {differs.here}: results "
                "would depend on who computes them; install the same there"
            )


class _Round:
    """Tasks under way: some for each worker at a time, which is all that is in memory elsewhere."""

    def __init__(
        self, cluster: Cluster, content: bytes, digest: str, left: Mapping[int, Any], ended: Counter[int], what: str
    ) -> None:
        self.cluster, self.content, self.digest, self.ended, self.what = cluster, content, digest, ended, what
        self.tasks, self.losses = dict(left), Counter[int]()
        self.pending: dict[Any, tuple[int, Any, Any]] = {}  # number, future, its data
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
                    result = self._answered(number, *sent)
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
            warnings.simplefilter("ignore")  # of large tasks: there are few of them at a time
            data = self.cluster.data(self.content, self.digest)
            sent = (there.carried_out, data, self.digest, self.cluster.wanted, task)
            future = self.cluster.client.submit(*sent, pure=False)
        self.pending[future.key] = number, future, data
        future.add_done_callback(self.answers.put)

    def _answered(self, number: int, future: Any, data: Any) -> tuple[Any] | None:
        """The result, in a tuple of its own; None: it was lost with its workers, and gets another chance."""
        error: Any = None
        result: Any = None
        try:
            error = future.exception(timeout=_PATIENCE) if future.status == "error" else None
            result = future.result(timeout=_PATIENCE) if error is None else None
        except Exception as gone:  # of Dask, which has several: it was cancelled, or is not there any more
            self.cluster.lost(data)
            self.losses[number] += 1
            if self.losses[number] > _LOSSES:
                raise _Lost from gone
            return None
        if error is None:
            self.cluster.check_same(result)
            return (result,)
        if type(error).__name__ != "KilledWorker":
            if isinstance(error, ModuleNotFoundError):
                raise DataError(f"{self.what}: a worker cannot import {quoted(error.name)}: install it there") from None
            raise error
        self.ended[number] += 1
        if self.ended[number] > _OFTEN:
            raise DataError(
                f"{self.what}: a task ended every worker that took it, most likely for lack of memory: give workers "
                "more, or run this on one machine"
            )
        return None

    def _look(self) -> None:
        """Who is there. Without anybody who works, it is given up after a while."""
        with _losing():
            there_are = self.cluster.workers()
        now = self.looked = time.monotonic()
        self.room = _AHEAD * max(1, len(there_are))
        if "running" in there_are.values():
            self.heard = now
        elif now - self.heard > _PATIENCE:
            why = "they are paused for lack of memory" if there_are else "there are none"
            where = quoted(self.cluster.address)
            raise DataError(f"{self.what}: no worker takes work any more at {where}: {why}; look at the cluster")


@contextmanager
def _losing() -> Iterator[None]:
    """Whatever Dask says when a connection or its workers are gone."""
    try:
        yield
    except Exception as error:
        raise _Lost from error


def _packed(content: Any) -> bytes:
    """As joblib has it for processes here: functions of a script or notebook go along."""
    import cloudpickle

    packed: bytes = cloudpickle.dumps(content, protocol=5)
    return packed


def _reason(error: BaseException) -> str:
    """In a few words."""
    return one_line(str(error))[:120] or type(error).__name__
