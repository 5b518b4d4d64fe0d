"""Processes forked after a read lack the reader threads of Polars, so reading there is refused."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

import accord

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),  # Python 3.12 warns about forks
]
_PATIENCE = 60  # seconds; the test needs less than one


def _value(data: object) -> float | None:
    return accord.pi(data, interval="none").value


def _refusal(path: Path) -> str:
    try:
        accord.read(path)
    except accord.DataError as error:
        return str(error)
    return "it was read"


def test_reading_in_a_fork_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,Ana,Ben\n1,a,b\n2,b,b\n3,a,a\n", encoding="utf-8")
    data = accord.read(path)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        refusal = pool.apply_async(_refusal, (path,)).get(_PATIENCE)
        scored = pool.apply_async(_value, (data,)).get(_PATIENCE)
    assert "this process was forked" in refusal
    assert 'multiprocessing.get_context("spawn")' in refusal
    assert scored == _value(data)
