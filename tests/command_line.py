"""The command line as the tests call it: in this process, with what it printed and its exit code."""

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
WIDE = 1_000  # what is said stands on one line; tests/contract/test_widths.py looks at narrow screens


def refused(outcome: Outcome, *words: str) -> None:
    """Exit code 2, one line on standard error, nothing on standard output, no traceback."""
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("accord: ")
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err
    for word in words:
        assert word in outcome.err, outcome.err


@cache
def tree() -> Any:
    """All commands. Typer builds them anew for each call, which takes longer than most calls."""
    return typer.main.get_command(app)


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    def run(*argv: object, stdin: bytes | None = None, columns: int = WIDE) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["accord", *map(str, argv)])
        monkeypatch.setenv("COLUMNS", str(columns))
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        made = tree()
        monkeypatch.setattr(typer.main, "get_command", lambda *_, **__: made)
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
    """`table(content, name)` writes a file below the test's own folder."""

    def write(content: str | bytes, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
