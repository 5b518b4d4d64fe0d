"""Distribute work over cores or machines; results and their order do not depend on it."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from accord.core.context import Resources, Run, resources, using
from accord.core.errors import AccordError, DataError

if TYPE_CHECKING:
    from accord.core.checkpoints import Stage

T = TypeVar("T")
R = TypeVar("R")

_WORTH_IT = 3.0  # seconds of remaining work from which starting workers pays
_PATIENCE = 0.5  # seconds after which the remaining time can be estimated
_A_STEP = 0.5  # the same as _WORTH_IT in a long run of many short steps


def spread(function: Callable[[T], R], tasks: Sequence[T], run: Run, what: str, here: bool = False) -> list[R]:
    """Call the function for every task; return results in the order of the tasks.

    Workers start only if enough work remains; a cluster receives all tasks. If tasks fail, the error of the first of
    them is raised. `here`: the function reads files of this machine, so tasks are neither sent to a cluster nor stored
    in a checkpoint.
    """
    has = Resources() if here else resources()
    stage = None if has.checkpoint is None else has.checkpoint.stage(function)
    done: dict[int, R] = {}
    if stage is not None:
        done = {k: found[0] for k, task in enumerate(tasks) if (found := stage.found(task)) is not None}
    left = {k: task for k, task in enumerate(tasks) if k not in done}
    run.progress(what, len(done), len(tasks))
    with using(Resources()):  # only whole tasks are sent and stored, not their parts
        if has.cluster is None:
            results = _on_this_machine(function if stage is None else _Kept(function, stage), left, run)
        else:
            results = has.cluster.results(function, left, what)
        for k, result in results:
            if has.cluster is not None and stage is not None:
                stage.add(left[k], result)
            done[k] = result
            run.progress(what, len(done), len(tasks))
    run.progress(what, len(tasks), len(tasks))
    return [done[k] for k in range(len(tasks))]


@dataclass(frozen=True)
class _Kept(Generic[T, R]):
    """A function that stores its results in the worker, so that a kill loses no finished result."""

    function: Callable[[T], R]
    stage: Stage

    def __call__(self, task: T) -> R:
        result = self.function(task)
        self.stage.add(task, result)
        return result


@dataclass
class _Alone:
    """Seconds spent without workers, summed over the short steps of a long run."""

    seconds: float = 0.0

    def wants_help(self, spent: float, foretold: float) -> bool:
        long_enough = spent > _PATIENCE and foretold > _WORTH_IT
        return long_enough or (self.seconds > _WORTH_IT and foretold > _A_STEP)


_alone = _Alone()


def _on_this_machine(function: Callable[[T], R], tasks: Mapping[int, T], run: Run) -> Iterator[tuple[int, R]]:
    jobs = run.jobs or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))
    spent, done, left = 0.0, 0, list(tasks)
    while left:
        if jobs > 1 and done and len(left) > 1 and _alone.wants_help(spent, spent / done * len(left)):
            break
        k, began = left.pop(0), time.monotonic()
        result = function(tasks[k])
        spent += time.monotonic() - began
        done += 1
        yield k, result
    _alone.seconds += spent
    if left:
        yield from _by_workers(function, tasks, left, jobs)


def _by_workers(
    function: Callable[[T], R], tasks: Mapping[int, T], left: list[int], jobs: int
) -> Iterator[tuple[int, R]]:
    from concurrent.futures.process import BrokenProcessPool

    from joblib import Parallel, delayed

    failed: list[AccordError] = []
    asked = (k for k in left if not failed)  # consumed when a worker is free
    with _quiet_manager():
        rest: Generator[R | AccordError, None, None] | None = None
        try:
            with _ctrl_c_waits():
                rest = Parallel(n_jobs=jobs, return_as="generator")(delayed(_tried)(function, tasks[k]) for k in asked)
            for k, result in zip(left, rest, strict=False):
                if isinstance(result, AccordError):
                    failed.append(result)
                elif not failed:
                    yield k, result
        except BrokenProcessPool as error:
            raise DataError(
                "cluster", "a worker process was killed, usually because memory ran out; try --jobs 1"
            ) from error
        finally:
            if rest is not None:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # from joblib after Ctrl-C, about unused results
                    rest.close()
    if failed:  # only at the end, because stopped workers print tracebacks
        raise failed[0]


@contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Delay Ctrl-C while workers start: workers never receive it, and this process receives it after the context.

    A terminal sends Ctrl-C to all processes of a command, and a starting process would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as tracker_of_joblib

    resource_tracker.ensure_running()  # the trackers unblock signals when they start
    tracker_of_joblib.ensure_running()
    came: list[int] = []
    handles = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is not None
    usual = signal.signal(signal.SIGINT, lambda number, _: came.append(number)) if handles else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited by processes and threads
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if handles:
            signal.signal(signal.SIGINT, usual)
        for number in came[:1]:
            signal.raise_signal(number)


@contextmanager
def _quiet_manager() -> Iterator[None]:
    """Hide the KeyError of joblib's manager thread about a cancelled task; report errors of other threads."""
    usual = threading.excepthook

    def report(about: threading.ExceptHookArgs) -> None:
        manager = about.thread is not None and about.thread.name == "ExecutorManagerThread"
        if not (manager and issubclass(about.exc_type, KeyError)):
            usual(about)

    threading.excepthook = report
    try:
        yield
    finally:
        threading.excepthook = usual


def _tried(function: Callable[[T], R], task: T) -> R | AccordError:
    try:
        return function(task)
    except AccordError as error:
        return error
