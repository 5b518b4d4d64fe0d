"""Work on several cores ends as work on one does."""

from __future__ import annotations

import gc
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
