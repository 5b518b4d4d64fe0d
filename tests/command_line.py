"""Run commands in this process, and return their exit code, output and errors."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from accord.doors.cli import main
from accord.doors.cli.app import app


@dataclass
class Outcome:
    code: int
    out: str
    err: str


Cli = Callable[..., Outcome]
WIDE = 1_000  # columns, so that each message is one line; tests/contract/test_widths.py tests narrow screens


def refused(outcome: Outcome, *words: str) -> None:
    """Expect exit code 2, one line on standard error with these words, no output and no traceback."""
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("accord: ")
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err
    for word in words:
        assert word in outcome.err, outcome.err


@cache
def tree() -> Any:
    """Return all commands. Cached, because Typer builds them for each call, which takes longer than most calls."""
    return typer.main.get_command(app)


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    def run(*argv: object, stdin: bytes | None = None, columns: int = WIDE) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["accord", *map(str, argv)])
        monkeypatch.setenv("COLUMNS", str(columns))
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        commands = tree()
        monkeypatch.setattr(typer.main, "get_command", lambda *_, **__: commands)
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return run


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """Return a function `table(content, name)` that writes a file in the folder of the test."""

    def write(content: str | bytes, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
