"""A damaged Parquet file gives one line on standard error, without the panic message of Polars."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.data.io.tables.columns import panics_unheard

from ..refusals import raises


def test_panic_of_polars_prints_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Like Polars with wrong metadata: write to standard error outside Python, then raise an exception."""

    def panic(*_: Any, **__: Any) -> None:
        os.write(2, b"thread 'async-executor-0' panicked\n")
        raise pl.exceptions.PanicException("assertion failed")

    path = tmp_path / "t.parquet"
    pl.DataFrame({"item": [1, 2], "A": ["x", "y"], "B": ["x", "x"]}).write_parquet(path)
    monkeypatch.setattr(pl, "read_parquet", panic)
    with raises("file-damaged"):
        accord.read(path)
    assert capfd.readouterr().err == ""


def test_other_output_on_stderr_is_kept(capfd: pytest.CaptureFixture[str]) -> None:
    with panics_unheard():
        os.write(2, b"a bar")
    assert capfd.readouterr().err == "a bar"
