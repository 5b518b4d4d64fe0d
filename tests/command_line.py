"""The command line as the tests call it: in this process, with what it printed and its exit code."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from accord.cli import main


@dataclass
class Outcome:
    code: int
    out: str
    err: str


Cli = Callable[..., Outcome]
WIDE = 1_000  # what is said stands on one line; tests/contract/test_widths.py looks at narrow screens


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    def run(*argv: object, stdin: bytes | None = None, columns: int = WIDE) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["accord", *map(str, argv)])
        monkeypatch.setenv("COLUMNS", str(columns))
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return run
