"""Parallel work: errors, signals and reproducibility."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import warnings

import pytest

from accord.core import parallel
from accord.core.context import Run
from accord.core.errors import AccordError

from .refusals import raises


def _refused(task: int) -> int:
    if task == 3:
        raise AccordError("usage", "the fourth")
    return task


def test_error_in_a_worker_prints_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """accord cancels running tasks without warnings of joblib."""
    monkeypatch.setattr(parallel, "_PATIENCE", -1.0)
    monkeypatch.setattr(parallel, "_WORTH_IT", -1.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with raises("usage"):
            parallel.spread(_refused, range(500), Run(jobs=2), "trying")
        gc.collect()
    assert not caught


@pytest.mark.parametrize(
    ("alone", "spent", "foretold", "helped"),
    [(0, 0.1, 20, False), (0, 1, 2, False), (0, 1, 4, True), (4, 0.1, 0.6, True), (4, 0.1, 0.4, False)],
)
def test_many_small_steps_get_workers(alone: float, spent: float, foretold: float, helped: bool) -> None:
    assert parallel._Alone(alone).wants_help(spent, foretold) is helped


def _blocked_signals(task: int) -> set[signal.Signals | int]:
    return signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(os.name != "posix", reason="the system has no signal masks")
def test_workers_block_sigint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers block SIGINT from their start; a starting worker would print a traceback."""
    monkeypatch.setattr(parallel, "_PATIENCE", -1.0)
    monkeypatch.setattr(parallel, "_WORTH_IT", -1.0)
    here, *workers = parallel.spread(_blocked_signals, range(3), Run(jobs=2), "trying")
    assert signal.SIGINT not in here
    assert all(signal.SIGINT in blocked for blocked in workers)
    assert signal.SIGINT not in _blocked_signals(0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(os.name != "posix", reason="the system has no signal masks")
def test_ctrl_c_while_workers_start_is_not_lost() -> None:
    reached = []

    def starts() -> None:
        with parallel._ctrl_c_waits():
            signal.raise_signal(signal.SIGINT)  # for this thread; another thread could interrupt later tests
            reached.append(True)

    with pytest.raises(KeyboardInterrupt):
        starts()
    assert reached


KILLED = """
import os, signal
from accord.core import parallel
from accord.core.context import Run
from accord.core.errors import AccordError

here = os.getpid()

def killed(task):
    if os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    return task

parallel._PATIENCE = parallel._WORTH_IT = -1.0
try:
    parallel.spread(killed, range(3), Run(jobs=2), "trying")
except AccordError as error:
    print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="the system has no SIGKILL")
def test_killed_worker_gives_one_line() -> None:
    """Systems kill processes if memory is scarce. The test runs in its own process."""
    run = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=True, timeout=120)  # noqa: S603
    assert run.stdout.startswith("a worker process was killed"), run


def test_command_line_uses_one_blas_thread() -> None:
    """Sums of several BLAS threads would depend on the number of cores."""
    pytest.importorskip("threadpoolctl")
    code = """
import sys
from accord.doors.cli import main
sys.argv = ["accord", "measures"]
try:
    main()
except SystemExit:
    pass
import numpy, scipy.linalg
from threadpoolctl import threadpool_info
print({one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"})
"""
    env = {name: value for name, value in os.environ.items() if not name.endswith(("_NUM_THREADS", "_MAXIMUM_THREADS"))}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.splitlines()[-1] == "{1}"
