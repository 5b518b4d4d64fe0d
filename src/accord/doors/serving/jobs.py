"""Jobs: a bounded queue, and threads that each watch the process of one job.

If a process crashes, hangs or is killed, the error of the job states this in one line. The server reads only JSON from
a process.
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
from accord.doors.serving.private_folder import PrivateFolder

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

# Two jobs that are not commands: describe accord to the page, and check the spec of a measure.
ABOUT, SPEC = "about", "spec"
QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
ENDED = (DONE, FAILED, CANCELLED)
_GRACE = 2.0  # seconds for a killed process to disappear
_BLINK = 0.2
_LONGEST_MESSAGE = 1 << 22  # bytes


class QueueFull(AccordError):  # noqa: N818 - reads better without "Error"
    """The queue is full."""


@dataclass(eq=False)
class Job:
    """A job of a user. Threads change it and wake the waiting coroutines."""

    user: str
    project: str
    command: str
    options: Mapping[str, Any]
    upload: Path  # folder of the data
    folder: Path  # of the job's files
    language: str = "en"  # of the page, whose controls a report names
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: str = QUEUED
    version: int = 0
    progress: dict[str, Any] | None = None
    error: str | None = None
    command_line: str | None = None
    python: str | None = None
    pid: int | None = None
    created: float = field(default_factory=time.time)
    began: float | None = None
    ended: float | None = None
    cancelling: bool = False
    _waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = field(default_factory=list)

    @property
    def out(self) -> Path:
        """Folder of the outputs."""
        return self.folder / "out"

    @property
    def aside(self) -> Path:
        """Folder of temporary files."""
        return self.folder / "aside"

    @property
    def over(self) -> bool:
        return self.state in ENDED

    def outputs(self) -> list[Path]:
        """Return the outputs so far, without incomplete files."""
        if not self.out.is_dir():
            return []
        return sorted(file for file in self.out.iterdir() if file.is_file() and not file.name.startswith("."))

    def change(self, **values: Any) -> None:
        for name, value in values.items():
            setattr(self, name, value)
        self.version += 1
        for loop, event in list(self._waiting):
            with contextlib.suppress(RuntimeError):  # that loop has ended
                loop.call_soon_threadsafe(event.set)

    async def wait_for_change(self, after: int, seconds: float) -> None:
        """Wait until the version exceeds `after`, or until the time is over."""
        waiting = asyncio.get_running_loop(), asyncio.Event()
        self._waiting.append(waiting)
        try:
            if self.version <= after and not self.over:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(waiting[1].wait(), seconds)
        finally:
            self._waiting.remove(waiting)

    def as_dict(self) -> dict[str, Any]:
        until = self.ended or time.time()
        outputs = self.outputs() if self.over else []
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
            "outputs": [{"name": file.name, "bytes": file.stat().st_size} for file in outputs],
        }


@dataclass(frozen=True)
class Task:
    """The input of the process of a job. It is pickled, so it contains plain values only."""

    command: str
    options: Mapping[str, Any]
    upload: str  # folder of the data, where the job runs
    out: str  # folder of its outputs
    aside: str  # folder of temporary files
    compiled: str  # shared folder of compiled code
    limits: Limits
    language: str = "en"


def start_task(task: Task, pipe: Connection) -> None:
    """Run a task in a new process. Imports here, so that the server itself stays small."""
    from accord.doors.serving.job_process import run

    run(task, pipe)


@dataclass(frozen=True)
class QueueLimits:
    """The maximum numbers of running and waiting jobs."""

    workers: int
    waiting: int  # of all users
    waiting_each: int  # of one user


class JobQueue:
    """The waiting jobs, and the threads that run jobs."""

    def __init__(self, queue_limits: QueueLimits, job_limits: Limits, private: PrivateFolder) -> None:
        self.queue_limits, self.job_limits, self._private = queue_limits, job_limits, private
        self._waiting: list[Job] = []
        self._running: set[Job] = set()
        self._lock = threading.Condition()
        self._closed = False
        self._compiled = _folder_of_machine_code()
        self._processes = _process_context()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(queue_limits.workers)]
        for thread in self._threads:
            thread.start()

    def add(self, job: Job) -> None:
        """Add a job to the queue. Raise if the queue is full."""
        with self._lock:
            own = sum(other.user == job.user for other in self._waiting)
            if own >= self.queue_limits.waiting_each:
                raise QueueFull(
                    "page-upload", f"{own:,} of your jobs are already waiting; try again when some of them are done"
                )
            if len(self._waiting) >= self.queue_limits.waiting:
                raise QueueFull(
                    "page-upload",
                    f"{len(self._waiting):,} jobs are already waiting; try again when some of them are done",
                )
            self._waiting.append(job)
            self._lock.notify()

    def place_of(self, job: Job) -> int | None:
        """Return the number of jobs ahead of it, or None if it is not waiting."""
        with self._lock:
            return self._waiting.index(job) if job in self._waiting else None

    def cancel(self, job: Job) -> None:
        """Remove a job from the queue, or end its processes."""
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
                job.change(state=CANCELLED, ended=time.time())
            elif job in self._running:
                job.cancelling = True
                kill(job.pid)

    def close(self) -> None:
        """End all jobs and start no new ones."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            for job in self._running:
                job.cancelling = True
                kill(job.pid)
            self._lock.notify_all()
        until = time.monotonic() + _GRACE
        for thread in self._threads:  # a starting process ends with the server
            thread.join(max(0.0, until - time.monotonic()))

    def run_now(self, job: Job) -> None:
        """Run a short job without the queue, and return when it has ended."""
        with self._lock:
            self._running.add(job)
        self._carry_out(job)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            self._carry_out(job)

    def _next(self) -> Job | None:
        """Return the first job of the user with the fewest running jobs, or None when the server closes."""
        with self._lock:
            while not self._waiting and not self._closed:
                self._lock.wait()
            if self._closed:
                return None
            users = [job.user for job in self._running]
            job = min(self._waiting, key=lambda job: users.count(job.user))
            self._waiting.remove(job)
            self._running.add(job)
            job.change(state=RUNNING, began=time.time())
            return job

    def _carry_out(self, job: Job) -> None:
        try:
            state, error = self._run(job)
        except Exception as exception:  # noqa: BLE001 - this worker continues with the next job
            state, error = FAILED, f"the job could not be started: {exception}; try again"
        shutil.rmtree(job.aside, ignore_errors=True)
        with self._lock:
            self._running.discard(job)
        job.change(state=state, error=error, ended=time.time(), pid=None)

    def _run(self, job: Job) -> tuple[str, str | None]:
        """Start a process and watch it until it ends. Return the state of the job and its error."""
        for folder in (job.out, job.aside):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folders = (str(job.upload), str(job.out), str(job.aside), self._compiled)
        task = Task(job.command, job.options, *folders, self.job_limits, job.language)
        receiver, sender = self._processes.Pipe(duplex=False)
        process = self._processes.Process(target=start_task, args=(task, sender))
        process.start()
        sender.close()
        self._private.watch(process.pid)
        with self._lock:
            job.pid = process.pid
            if job.cancelling or self._closed:
                kill(process.pid)
        try:
            last = self._listen(job, receiver)
        finally:
            receiver.close()
            _end(process)
            self._private.forget(process.pid)
        return _outcome(job, last, process.exitcode, self.job_limits)

    def _listen(self, job: Job, receiver: Connection) -> dict[str, Any]:
        """Receive messages until the process ends or exceeds its time limit. Return the last one."""
        until = time.monotonic() + self.job_limits.seconds if self.job_limits.seconds else float("inf")
        last: dict[str, Any] = {}
        while True:
            left = until - time.monotonic()
            if left <= 0:
                kill(job.pid)
                return {"state": FAILED, "error": _too_long(self.job_limits)}
            if not receiver.poll(min(left, 1.0)):
                continue
            try:
                message = json.loads(receiver.recv_bytes(_LONGEST_MESSAGE))
            except (EOFError, OSError):
                return last
            if message.get("state") in ENDED:
                last = message
            else:
                names = ("progress", "command_line", "python")
                job.change(**{name: message[name] for name in names if name in message})


def _too_long(limits: Limits) -> str:
    return (
        f"stopped after {limits.seconds / 60:g} minutes, the time limit of a job; select a part of the data with "
        "--only or --annotators, or start accord serve with a larger --minutes"
    )


def _outcome(job: Job, last: Mapping[str, Any], code: int | None, limits: Limits) -> tuple[str, str | None]:
    """Return the state and the error of an ended job, from its last message or else from its exit code."""
    if job.cancelling:
        return CANCELLED, None
    if last:
        return last["state"], last.get("error")
    if code is not None and -code == getattr(signal, "SIGXCPU", None):
        return FAILED, _too_long(limits)
    memory = f"perhaps it needs more than {limits.memory >> 20:,} MB; start accord serve with a larger --memory"
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        how = "was killed" if -code == signal.SIGKILL else "crashed"
        return FAILED, f"the job {how} ({name}): {memory}"
    return FAILED, f"the job ended without a result (exit code {code}): {memory}"


def kill(pid: int | None) -> None:
    """Kill a process and its children."""
    if pid is None:
        return
    try:
        os.killpg(pid, signal.SIGKILL)
    except AttributeError:  # Windows has no groups
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:  # it has no separate group yet, or has ended
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _end(process: BaseProcess) -> None:
    """Make sure that a process and its children have ended, also if it hangs after its last message."""
    process.join(_BLINK)
    until = time.monotonic() + _GRACE
    kill(process.pid)
    while process.is_alive() and time.monotonic() < until:
        kill(process.pid)
        process.join(_BLINK)


def _folder_of_machine_code() -> str:
    """Return the folder of compiled functions for jobs. Commands have another folder, which jobs cannot change."""
    folder = Path(os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder() / "accord" / "page")))
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return str(folder)


def _process_context() -> Any:
    """Return a context that forks processes from a fork server. The server has threads and must not be forked."""
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")  # otherwise each thread reserves address space, which is limited
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload(["accord.doors.serving.job_process"])
    return context
