"""One seam for work on several cores or machines: what is computed, and in which order it is given back, never depends
on it."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from accord import checkpoints, clusters
from accord.context import Run
from accord.errors import AccordError

T = TypeVar("T")
R = TypeVar("R")
Keep = Callable[[T, R], None]

_WORTH_IT = 3.0  # seconds of work left for which starting workers pays
_PATIENCE = 0.5  # seconds after which the rest can be foretold


def spread(
    function: Callable[[T], R],
    tasks: Sequence[T],
    run: Run,
    what: str,
    keep: Keep[T, R] | None = None,
    here: bool = False,
) -> list[R]:
    """The function of every task, in order. Workers start only when enough is left to do; a cluster gets all of it.

    The error that is raised is that of the first task that has one, whoever was quicker. `keep` is told of each task
    that is finished, on this machine. `here`: it reads files of this machine, so it is neither sent nor kept.
    """
    cluster, checkpoint = (None, None) if here else (clusters.current(), checkpoints.current())
    stage = None if checkpoint is None else checkpoint.stage(function)
    done: dict[int, R] = {}
    if stage is not None:
        done = {k: found[0] for k, task in enumerate(tasks) if (found := stage.found(task)) is not None}
    keeps = tuple(one for one in (keep, None if stage is None else stage.add) if one is not None)
    left = {k: task for k, task in enumerate(tasks) if k not in done}
    run.progress(what, len(done), len(tasks))
    with clusters.stay_here(), checkpoints.kept_by_caller():
        if cluster is None:
            results = _on_this_machine(_Kept(function, keeps), left, run)
        else:
            results = _on_others(cluster.results(function, left, what), left, keeps)
        for k, result in results:
            done[k] = result
            run.progress(what, len(done), len(tasks))
    run.progress(what, len(tasks), len(tasks))
    return [done[k] for k in range(len(tasks))]


@dataclass(frozen=True)
class _Kept(Generic[T, R]):
    """The function, and who hears of its results where they are made: a kill takes nothing that waits for its turn."""

    function: Callable[[T], R]
    keeps: tuple[Keep[T, R], ...]

    def __call__(self, task: T) -> R:
        result = self.function(task)
        for keep in self.keeps:
            keep(task, result)
        return result


def _on_others(
    found: Iterator[tuple[int, R]], tasks: Mapping[int, T], keeps: tuple[Keep[T, R], ...]
) -> Iterator[tuple[int, R]]:
    for k, result in found:
        for keep in keeps:
            keep(tasks[k], result)
        yield k, result


def _on_this_machine(function: Callable[[T], R], tasks: Mapping[int, T], run: Run) -> Iterator[tuple[int, R]]:
    jobs = run.jobs or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))
    began, done, left = time.monotonic(), 0, list(tasks)
    while left:
        spent = time.monotonic() - began
        if jobs > 1 and done and len(left) > 1 and spent > _PATIENCE and spent / done * len(left) > _WORTH_IT:
            break
        k = left.pop(0)
        yield k, function(tasks[k])
        done += 1
    if left:
        from joblib import Parallel, delayed

        failed: list[AccordError] = []
        asked = (k for k in left if not failed)  # when a worker is free
        rest = Parallel(n_jobs=jobs, return_as="generator")(delayed(_tried)(function, tasks[k]) for k in asked)
        try:
            for k, result in zip(left, rest, strict=False):
                if isinstance(result, AccordError):
                    failed.append(result)
                elif not failed:
                    yield k, result
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # joblib's, after Ctrl-C: what was under way is not used
                rest.close()
        if failed:  # what was under way has ended: to stop workers in the middle makes them complain
            raise failed[0]


def _tried(function: Callable[[T], R], task: T) -> R | AccordError:
    try:
        return function(task)
    except AccordError as error:
        return error
