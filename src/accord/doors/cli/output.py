"""Where an answer goes: the screen, a file, a folder; and a bar that says how far it is."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, Timer
from typing import Any

from accord.core.writing import write_whole
from accord.doors.cli.streams import reader_left

WIDTH = 80  # where there is no screen
_PATIENCE = 0.5  # seconds before a bar is shown
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # on a screen
_BUT_COLOURS = re.compile(rf"(?!\x1b\[[\d;]*m){_CONTROL.pattern}")  # where they are our own
_NARROWEST = 20  # what is narrower is no screen


def in_colour() -> bool:
    """On a terminal, unless the user wants none (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Of the terminal, or as COLUMNS says; 80 where there is none, so that what is piped or kept looks the same."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said) > 0:
        return max(int(said), _NARROWEST)
    try:
        return max(os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH, _NARROWEST)
    except (OSError, ValueError, AttributeError):
        return WIDTH


def deliver(rendered: str, output: Path | None, machine: bool = False) -> None:
    """To a file, or to the screen. What a machine reads is UTF-8 everywhere; people get what their screen can show."""
    if output is not None:
        write_whole(output, rendered)
        return
    on_screen = sys.stdout.isatty()
    try:
        if machine and not on_screen and hasattr(sys.stdout, "buffer"):
            sys.stdout.flush()
            sys.stdout.buffer.write(rendered.encode("utf-8", errors="backslashreplace"))
            sys.stdout.buffer.flush()
            return
        control = _CONTROL if machine else _BUT_COLOURS  # rows of data have no colours but those of names
        sys.stdout.write(control.sub("�", rendered) if on_screen else rendered)
        sys.stdout.flush()
    except BrokenPipeError:
        reader_left()


@contextmanager
def progress() -> Iterator[Any]:
    """A bar with what is being done and the time left: on a terminal only, and only where it takes a while."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        from accord.core.context import silent

        yield silent
        return
    from accord.core.context import COMPILING

    bar = _Bar()
    COMPILING.append(bar.compiling)
    late = Timer(_PATIENCE, bar.show)
    late.daemon = True
    late.start()
    try:
        yield bar.tell
    finally:
        COMPILING.remove(bar.compiling)
        late.cancel()
        bar.close()


def _leave_signals_to_the_main_thread() -> None:
    """It answers them, but is not woken by one that another thread got while it waits for what is piped in."""
    if hasattr(signal, "pthread_sigmask"):  # Windows has none
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # threads that this one starts take it over


class _Bar:
    """One line: what is done now. It is shown by a timer, from another thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._told = ("reading", 0, 0)
        self._depth = 0  # of functions that are being compiled, one within the other
        self._closed = False
        self._bar: Any = None
        self._task: Any = None
        self._name = ""

    def tell(self, task: str, done: int, total: int) -> None:
        with self._lock:
            self._told = (task, done, total)
            self._draw()

    def compiling(self, begins: bool) -> None:
        with self._lock:
            self._depth += 1 if begins else -1
            self._draw()

    def show(self) -> None:
        _leave_signals_to_the_main_thread()
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        with self._lock:
            if self._closed:
                return
            columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=None)
            self._draw()
            self._bar.start()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()

    def _draw(self) -> None:
        if self._bar is None:
            return
        name, done, total = ("compiling (once)", 0, 0) if self._depth else self._told
        if name != self._name:
            self._name = name
            self._bar.reset(self._task, description=name)
        # Of one step nobody knows how far it is.
        self._bar.update(self._task, completed=done, total=total if total > 1 else None)
