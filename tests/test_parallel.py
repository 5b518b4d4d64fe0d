"""Work on several cores ends as work on one does."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import warnings

import pytest

from accord import parallel
from accord.context import Run
from accord.errors import AccordError


def _refused(task: int) -> int:
    if task == 3:
        raise AccordError("the fourth")
    return task


def test_an_error_says_nothing_but_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is under way when it comes is given up without a word of joblib's."""
    monkeypatch.setattr(parallel, "_PATIENCE", -1.0)
    monkeypatch.setattr(parallel, "_WORTH_IT", -1.0)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with pytest.raises(AccordError, match="the fourth"):
            parallel.spread(_refused, range(500), Run(jobs=2), "trying")
        gc.collect()
    assert not said


def test_the_last_digit_does_not_depend_on_the_cores() -> None:
    """Threads of BLAS share a sum as there are cores: on the command line there is one."""
    pytest.importorskip("threadpoolctl")
    code = """
import sys
from accord.cli import main
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
