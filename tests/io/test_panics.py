"""A damaged Parquet file is one line on the screen, whatever Polars would like to add."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.data.io.tables.columns import panics_unheard

from ..refusals import raises


def test_a_panic_is_not_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As Polars does where a file claims to hold more than it does: words of its own, past Python, and an exception."""

    def panics(*_: Any, **__: Any) -> None:
        os.write(2, b"thread 'async-executor-0' panicked\n")
        raise pl.exceptions.PanicException("assertion failed")

    path = tmp_path / "t.parquet"
    pl.DataFrame({"item": [1, 2], "A": ["x", "y"], "B": ["x", "x"]}).write_parquet(path)
    monkeypatch.setattr(pl, "read_parquet", panics)
    with raises("file-damaged"):
        accord.read(path)
    assert capfd.readouterr().err == ""


def test_other_output_on_stderr_is_kept(capfd: pytest.CaptureFixture[str]) -> None:
    with panics_unheard():
        os.write(2, b"a bar")
    assert capfd.readouterr().err == "a bar"
