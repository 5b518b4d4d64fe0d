"""Ctrl-C in each phase gives one line, its exit code and no partial file. Also tests the progress bar."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from accord.core.context import COMPILING, silent
from accord.doors.cli import output
from accord.doors.cli.output import progress

CODES = {130, -signal.SIGINT}  # a shell reports 130 for both
MESSAGE = "accord: interrupted"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the system has no process groups")


@dataclass
class Session:
    """A command in its own process group, with standard error on a terminal."""

    folder: Path
    argv: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    seen: str = ""

    def __post_init__(self) -> None:
        import pty  # not on Windows

        self.screen, child = pty.openpty()
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": "xterm", **self.env}
        env.pop("NO_COLOR", None)
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "accord", *self.argv],
            cwd=self.folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=child,
            start_new_session=True,
        )  # fmt: skip
        os.close(child)
        os.set_blocking(self.screen, False)

    def watch(self) -> str:
        try:
            self.seen += os.read(self.screen, 65536).decode(errors="replace")
        except OSError:  # no new output
            time.sleep(0.02)
        return self.seen

    def until(self, *words: str, patience: float = 60) -> None:
        end = time.monotonic() + patience
        while not all(word in self.watch() for word in words):
            if self.process.poll() is not None or time.monotonic() > end:
                self.end()
                pytest.fail(f"{words} not among the last of {self.shown[-10:]}")

    def interrupted(self) -> str:
        """Send Ctrl-C and return the last line on the screen."""
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            out, _ = self.process.communicate(timeout=60)
        finally:
            self.end()
        assert out == b""
        assert self.process.returncode in CODES
        assert [line for line in self.shown if "Traceback" in line] == []
        assert sum(MESSAGE in line for line in self.shown) == 1
        return self.shown[-1]

    def end(self) -> None:
        """Kill the process if it still runs, and read the rest of its output."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        before = -1
        while before < len(self.seen):
            before = len(self.seen)
            self.watch()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        os.close(self.screen)

    @property
    def shown(self) -> list[str]:
        """The lines on the screen, without colours."""
        plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.seen).replace("\r", "\n")
        return [line for line in plain.split("\n") if line.strip()]


def test_interruption_while_reading(tmp_path: Path) -> None:
    """Standard input stays open, and the progress bar shows that accord is reading."""
    session = Session(tmp_path, ("score", "-", "-o", "scores.txt"))
    session.until("reading")
    assert session.interrupted() == MESSAGE
    assert not list(tmp_path.iterdir())


def test_interruption_while_compiling(tmp_path: Path) -> None:
    """The cache is empty, so accord compiles. The progress bar shows it."""
    cache, out = tmp_path / "cache", tmp_path / "out"
    out.mkdir()
    for who, text in (("Ana", "one two three"), ("Ben", "one too three")):
        for doc in ("d1", "d2"):
            (tmp_path / "texts" / who).mkdir(parents=True, exist_ok=True)
            (tmp_path / "texts" / who / f"{doc}.txt").write_text(f"{f'{text} ' * 500}{doc}", encoding="utf-8")
    argv = ("score", "texts", "-m", "text_gamma", "-o", str(out / "scores.txt"))
    session = Session(tmp_path, argv, {"NUMBA_CACHE_DIR": str(cache)})
    session.until("compiling (once)")
    assert session.interrupted() == MESSAGE
    assert not list(out.iterdir())


@pytest.mark.slow
def test_interruption_while_workers_compute(tmp_path: Path, garden: Path) -> None:
    argv = ("meaning", str(garden / "spans.csv"), "-m", "gamma", "--jobs", "2", "--sets", "40", "--step", "0.02")
    session = Session(tmp_path, (*argv, "-o", "meaning.csv"))
    children = Path(f"/proc/{session.process.pid}/task/{session.process.pid}/children")
    if not children.exists():
        session.end()
        pytest.skip("the system does not list the processes of a process")
    end = time.monotonic() + 90
    while len(children.read_text().split()) < 2 and time.monotonic() < end:
        session.watch()
    workers = children.read_text().split()
    assert len(workers) >= 2, session.seen
    assert session.interrupted() == MESSAGE
    assert not list(tmp_path.iterdir())
    end = time.monotonic() + 20
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < end:
        time.sleep(0.1)
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_quick_work_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with progress() as report:
        report("scoring alpha", 1, 2)
    assert screen.getvalue() == ""
    monkeypatch.setattr(output, "_PATIENCE", 0.0)
    with progress() as report:
        report("scoring alpha", 1, 2)
        end = time.monotonic() + 30
        while "scoring alpha" not in screen.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
    assert "scoring alpha" in screen.getvalue()
    assert not COMPILING  # no progress bar is shown any more
    monkeypatch.setattr(sys, "stderr", io.StringIO())  # not a terminal
    with progress() as report:
        assert report is silent


def test_progress_bar_is_erased_at_the_end(tmp_path: Path, garden: Path) -> None:
    """The last characters on the terminal erase the line."""
    session = Session(tmp_path, ("score", "-", "-m", "alpha"))
    session.until("reading")
    out, _ = session.process.communicate((garden / "sentences.csv").read_bytes(), timeout=60)
    assert b"alpha" in out
    session.end()
    assert session.seen.endswith("\x1b[2K")


def test_progress_bar_thread_takes_no_signals(tmp_path: Path) -> None:
    """The system delivers a signal to any thread that does not block it. The main thread must receive it."""
    session = Session(tmp_path, ("score", "-"))
    session.until("reading")
    tasks = Path(f"/proc/{session.process.pid}/task")
    try:
        if not tasks.exists():
            pytest.skip("the system does not list the threads of a process")
        others = [task for task in tasks.iterdir() if task.name != str(session.process.pid)]
        assert others
        for task in others:
            blocked = int(re.findall(r"^SigBlk:\t(\w+)", (task / "status").read_text(), re.MULTILINE)[0], 16)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                assert blocked & (1 << (number - 1)), task
    finally:
        session.end()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGHUP", None)])
def test_signals_leave_no_temporary_copy(tmp_path: Path, number: signal.Signals) -> None:
    """SIGTERM and SIGHUP while accord stores standard input in a temporary file."""
    aside = tmp_path / "aside"
    aside.mkdir()
    session = Session(tmp_path, ("score", "-"), {"TMPDIR": str(aside)})
    session.until("reading")
    assert len(list(aside.glob("accord-*"))) == 1
    os.killpg(session.process.pid, number)
    try:
        session.process.wait(timeout=60)
    finally:
        session.end()
    assert session.process.returncode == 128 + number
    assert not any("Traceback" in line for line in session.shown)
    assert not list(aside.glob("accord-*"))
