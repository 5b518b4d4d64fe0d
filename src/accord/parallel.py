"""One seam for work on several cores: what is computed, and in which order it is given back, never depends on it."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Sequence
from typing import TypeVar

from accord.context import Run
from accord.errors import AccordError

T = TypeVar("T")
R = TypeVar("R")

_WORTH_IT = 3.0  # seconds of work left for which starting workers pays
_PATIENCE = 0.5  # seconds after which the rest can be foretold


def spread(function: Callable[[T], R], tasks: Sequence[T], run: Run, what: str) -> list[R]:
    """The function of every task, in order. Workers start only when enough is left to do.

    The error that is raised is that of the first task that has one, whoever was quicker.
    """
    done: list[R] = []
    jobs = run.jobs or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))
    began = time.monotonic()
    for task in tasks:
        run.progress(what, len(done), len(tasks))
        spent = time.monotonic() - began
        left = len(tasks) - len(done)
        if jobs > 1 and done and left > 1 and spent > _PATIENCE and spent / len(done) * left > _WORTH_IT:
            break
        done.append(function(task))
    if len(done) < len(tasks):
        from joblib import Parallel, delayed

        failed: list[AccordError] = []
        left_tasks = (task for task in tasks[len(done) :] if not failed)  # asked for when a worker is free
        rest = Parallel(n_jobs=jobs, return_as="generator")(delayed(_tried)(function, task) for task in left_tasks)
        try:
            for result in rest:
                if isinstance(result, AccordError):
                    failed.append(result)
                elif not failed:
                    done.append(result)
                    run.progress(what, len(done), len(tasks))
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # joblib's, after Ctrl-C: what was under way is not used
                rest.close()
        if failed:  # what was under way has ended: to stop workers in the middle makes them complain
            raise failed[0]
    run.progress(what, len(tasks), len(tasks))
    return done


def _tried(function: Callable[[T], R], task: T) -> R | AccordError:
    try:
        return function(task)
    except AccordError as error:
        return error
