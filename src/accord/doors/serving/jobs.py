"""Jobs: a bounded queue, and threads that each watch one process.

That a process crashed, hung or was killed is said in one line; nothing of it reaches the server but JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import secrets
import shutil
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.core.errors import AccordError
from accord.core.writing import cache_folder
from accord.doors.serving.confinement import Limits
from accord.doors.serving.folder import Private
from accord.doors.serving.task import Task, carried_out

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
ENDED = (DONE, FAILED, CANCELLED)
_GRACE = 2.0  # seconds for a process that was killed to be gone
_BLINK = 0.2
_LONGEST_WORD = 1 << 22  # bytes that a process says at once


class QueueFull(AccordError):  # noqa: N818 - the name says it
    """As many jobs wait as the server lets wait."""


@dataclass(eq=False)
class Job:
    """One question of one user, from the queue to its answer. Threads change it; whoever waits is woken."""

    user: str
    project: str
    command: str
    options: Mapping[str, Any]
    folder: Path  # of the upload
    place: Path  # of what it makes
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: str = QUEUED
    version: int = 0
    progress: dict[str, Any] | None = None
    error: str | None = None
    command_line: str | None = None
    python: str | None = None
    process: int | None = None
    created: float = field(default_factory=time.time)
    began: float | None = None
    ended: float | None = None
    cancelling: bool = False
    _waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = field(default_factory=list)

    @property
    def out(self) -> Path:
        return self.place / "out"

    @property
    def over(self) -> bool:
        return self.state in ENDED

    def outputs(self) -> list[Path]:
        """What it has made so far; what is not in its place yet is hidden."""
        if not self.out.is_dir():
            return []
        return sorted(one for one in self.out.iterdir() if one.is_file() and not one.name.startswith("."))

    def change(self, **what: Any) -> None:
        for name, value in what.items():
            setattr(self, name, value)
        self.version += 1
        for loop, event in list(self._waiting):
            with contextlib.suppress(RuntimeError):  # that loop has ended
                loop.call_soon_threadsafe(event.set)

    async def changed(self, after: int, seconds: float) -> None:
        """Waits until there is a later version, or it takes too long."""
        waits = asyncio.get_running_loop(), asyncio.Event()
        self._waiting.append(waits)
        try:
            if self.version <= after and not self.over:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(waits[1].wait(), seconds)
        finally:
            self._waiting.remove(waits)

    def as_dict(self) -> dict[str, Any]:
        until = self.ended or time.time()
        return {
            "id": self.id,
            "project": self.project,
            "command": self.command,
            "options": self.options,
            "state": self.state,
            "version": self.version,
            "progress": self.progress if self.state == RUNNING else None,
            "created": self.created,
            "seconds": round(until - self.began, 3) if self.began else 0,
            "error": self.error,
            "command_line": self.command_line,
            "python": self.python,
            "outputs": [{"name": one.name, "bytes": one.stat().st_size} for one in self.outputs()] if self.over else [],
        }


@dataclass(frozen=True)
class Bounds:
    """How much runs and waits at once."""

    workers: int
    waiting: int  # of all users
    waiting_each: int


class Jobs:
    """The queue and its workers."""

    def __init__(self, bounds: Bounds, limits: Limits, private: Private) -> None:
        self.bounds, self.limits, self._private = bounds, limits, private
        self._queue: list[Job] = []
        self._running: dict[Job, BaseProcess | None] = {}
        self._lock = threading.Condition()
        self._closed = False
        self._compiled = _compiled_folder()
        self._make = _context()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(bounds.workers)]
        for thread in self._threads:
            thread.start()

    def add(self, job: Job) -> None:
        """At the end of the queue, if there is room."""
        with self._lock:
            mine = sum(one.user == job.user for one in self._queue)
            if len(self._queue) >= self.bounds.waiting or mine >= self.bounds.waiting_each:
                who = "you have" if mine >= self.bounds.waiting_each else "there are"
                many = mine if mine >= self.bounds.waiting_each else len(self._queue)
                raise QueueFull(f"{who} {many:,} jobs waiting already: try again when some of them are done")
            self._queue.append(job)
            self._lock.notify()

    def place_of(self, job: Job) -> int | None:
        """How many come before it; None where it does not wait."""
        with self._lock:
            return self._queue.index(job) if job in self._queue else None

    def cancel(self, job: Job) -> None:
        """It waits no more, or its processes are ended."""
        with self._lock:
            if job in self._queue:
                self._queue.remove(job)
                job.change(state=CANCELLED, ended=time.time())
            elif job in self._running:
                job.cancelling = True
                _kill(job.process)

    def close(self) -> None:
        """All that runs is ended, and nothing begins."""
        with self._lock:
            self._closed = True
            self._queue.clear()
            for job in self._running:
                job.cancelling = True
                _kill(job.process)
            self._lock.notify_all()
        until = time.monotonic() + _GRACE
        for thread in self._threads:  # one may wait for a process to be made: that ends with the server
            thread.join(max(0.0, until - time.monotonic()))

    def _next(self) -> Job | None:
        """The first in the queue of those whose users have the fewest jobs running; None when the server closes."""
        with self._lock:
            while not self._queue and not self._closed:
                self._lock.wait()
            if self._closed:
                return None
            users = [one.user for one in self._running]
            job = min(self._queue, key=lambda one: users.count(one.user))
            self._queue.remove(job)
            self._running[job] = None
            job.change(state=RUNNING, began=time.time())
            return job

    def _work(self) -> None:
        while (job := self._next()) is not None:
            self._carry_out(job)

    def at_once(self, job: Job) -> None:
        """Beside the queue, for what takes no time: over when this returns."""
        with self._lock:
            self._running[job] = None
        self._carry_out(job)

    def _carry_out(self, job: Job) -> None:
        try:
            state, error = self._run(job)
        except Exception as trouble:  # noqa: BLE001 - this worker goes on with the next job
            state, error = FAILED, f"the job could not be started: {trouble}"
        shutil.rmtree(job.place / "aside", ignore_errors=True)
        with self._lock:
            self._running.pop(job, None)
        job.change(state=state, error=error, ended=time.time(), process=None)

    def _run(self, job: Job) -> tuple[str, str | None]:
        """A process, watched until it is gone: how it ended, and what is to be said about it."""
        for name in ("out", "aside"):
            (job.place / name).mkdir(parents=True, exist_ok=True, mode=0o700)
        places = (str(job.folder), str(job.out), str(job.place / "aside"), self._compiled)
        hears, tells = self._make.Pipe(duplex=False)
        process = self._make.Process(
            target=carried_out, args=(Task(job.command, job.options, *places, self.limits), tells)
        )
        process.start()
        tells.close()
        self._private.watch(process.pid)
        with self._lock:
            job.process = process.pid
            if job.cancelling or self._closed:
                _kill(process.pid)
        try:
            said = self._listen(job, hears)
        finally:
            hears.close()
            _end(process)
            self._private.forget(process.pid)
        return _how_it_ended(job, said, process.exitcode, self.limits)

    def _listen(self, job: Job, hears: Connection) -> dict[str, Any]:
        """What the process says, until it says no more, or its time is over."""
        until = time.monotonic() + self.limits.seconds if self.limits.seconds else float("inf")
        last: dict[str, Any] = {}
        while True:
            left = until - time.monotonic()
            if left <= 0:
                _kill(job.process)
                return {"state": FAILED, "error": _too_long(self.limits)}
            if not hears.poll(min(left, 1.0)):
                continue
            try:
                said = json.loads(hears.recv_bytes(_LONGEST_WORD))
            except (EOFError, OSError):
                return last
            if said.get("state") in ENDED:
                last = said
            else:
                job.change(**{name: said[name] for name in ("progress", "command_line", "python") if name in said})


def _too_long(limits: Limits) -> str:
    return (
        f"stopped after {limits.seconds / 60:g} minutes, which is as long as a job may take here; choose with --only "
        "or --annotators, or start accord serve with a larger --minutes"
    )


def _how_it_ended(job: Job, said: Mapping[str, Any], code: int | None, limits: Limits) -> tuple[str, str | None]:
    """Its own last word, or what the system says of its end."""
    if job.cancelling:
        return CANCELLED, None
    if said:
        return said["state"], said.get("error")
    if code is not None and -code == getattr(signal, "SIGXCPU", None):
        return FAILED, _too_long(limits)
    room = f"a job has {limits.memory >> 20:,} MB here; perhaps these data need more"
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        how = "was killed" if -code == signal.SIGKILL else "crashed"
        return FAILED, f"the job {how} ({name}): {room}"
    return FAILED, f"the job ended without an answer (exit code {code}): {room}"


def _kill(process: int | None) -> None:
    """It, and all that it started."""
    if process is None:
        return
    try:
        os.killpg(process, signal.SIGKILL)
    except AttributeError:  # Windows has no groups
        os.kill(process, signal.SIGTERM)
    except ProcessLookupError:  # it has no group of its own yet, or is gone
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _end(process: BaseProcess) -> None:
    """Gone, with all that it started, even where it said its last word and did not end."""
    process.join(_BLINK)
    until = time.monotonic() + _GRACE
    _kill(process.pid)
    while process.is_alive() and time.monotonic() < until:
        _kill(process.pid)
        process.join(_BLINK)


def _compiled_folder() -> str:
    """Where jobs keep machine code for each other: not where other commands look for theirs."""
    folder = Path(os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder() / "accord" / "page")))
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return str(folder)


def _context() -> Any:
    """Processes come from one that is clean, and has imported all; the server has threads, and is never forked."""
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")  # else each thread reserves addresses, which are limited
    known = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in known else "spawn")
    if "forkserver" in known:
        context.set_forkserver_preload(["accord.doors.serving.work"])
    return context
