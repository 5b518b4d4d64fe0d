"""Standard streams that are closed or full, control characters, and locales without UTF-8."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.doors.cli.output import deliver

from ..command_line import Cli, refused

LABELS = "item,Ana,Ben\n1,a,b\n2,b,b\n3,a,a\n"


@pytest.mark.parametrize(("threshold", "code"), [("0.1", 0), ("0.9", 1)])
def test_closed_pipe_does_not_change_the_exit_code_of_check(
    table: Callable[..., Path], threshold: str, code: int
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "accord", "check", str(table(LABELS)), "--min", f"percent={threshold}"]
    try:
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60)  # noqa: S603
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (code, b"")


def test_closed_standard_streams(cli: Cli, table: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(LABELS)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", None)
        refused(cli("score", path), "[output-not-writable]")
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", None)
        assert cli("score", path, "-o", path.with_name("out.csv"), "--csv").code == 0
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", None)
        assert cli("score", path).code == 0


def test_terminal_shows_no_control_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen, pipe = Screen(), io.StringIO()
    for stream in (screen, pipe):
        monkeypatch.setattr(sys, "stdout", stream)
        deliver("\x1b[1mAna\x1b[0m\t\x1b[2J\x07\x9b,é\n", None)
    assert screen.getvalue() == "\x1b[1mAna\x1b[0m\t�[2J��,é\n"
    assert pipe.getvalue() == "\x1b[1mAna\x1b[0m\t\x1b[2J\x07\x9b,é\n"
    rows = Screen()
    monkeypatch.setattr(sys, "stdout", rows)
    deliver("\x1b[1mAna\x1b[0m,2\n", None, machine=True)  # the escape sequences belong to the label
    assert rows.getvalue() == "�[1mAna�[0m,2\n"


def test_exit_code_is_2_even_if_stderr_is_full(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", Full())
        assert cli("score", tmp_path / "nowhere.csv").code == 2


def test_input_output_error_is_one_line(cli: Cli, table: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError(5, "Input/output error", "gone.toml")

    monkeypatch.setattr("accord.doors.cli.listings.formats", fails)
    refused(cli("formats"), "[output-not-writable]")


def _ascii(folder: Path, *typed: str | bytes) -> subprocess.CompletedProcess[str]:
    """Run a command in an ASCII locale, without the UTF-8 mode of Python."""
    environ = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "accord", *typed]
    return subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603


@pytest.mark.skipif(os.name == "nt", reason="words are Unicode there")
def test_arguments_and_file_names_are_utf8_in_any_locale(table: Callable[..., Path]) -> None:
    labels = "item,Ana,Ben\n1,ä,b\n2,b,b\n3,a,a\n"
    folder = table(labels, "Zoë/é.csv").parent.parent
    for named in ("Zoë/é.csv", "Zoë"):  # as an argument, and found in a folder
        got = _ascii(folder, "read", named, "--missing", "ä")
        assert 'declared missing: "\\xe4"' in got.stdout, got  # escaped for ASCII
        assert got.returncode == 0
    assert _ascii(folder, "score", "Zoë/é.csv", "-m", "alpha", "--csv", "-o", "ü.csv").returncode == 0
    assert (folder / "ü.csv").exists()


@pytest.mark.skipif(os.name == "nt", reason="words are Unicode there")
def test_undecodable_argument_is_refused_except_as_a_file_name(table: Callable[..., Path]) -> None:
    folder = table(LABELS).parent
    for option in ("--missing", "--label", "--annotators", "-m"):
        got = _ascii(folder, "score", "table.csv", option, b"\xe4")
        assert (got.returncode, got.stdout) == (2, "")
        assert "is not UTF-8; set the terminal to UTF-8" in got.stderr
    assert _ascii(folder, "score", "table.csv", "-m", "alpha", "--csv", "-o", b"\xe4.csv").returncode == 0
    assert b"\xe4.csv" in os.listdir(os.fsencode(folder))
