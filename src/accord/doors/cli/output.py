"""Output to standard streams, the terminal or a file; and the progress bar."""

from __future__ import annotations

import codecs
import errno
import io
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

WIDTH = 80  # without a terminal
_NARROWEST = 20  # smaller widths are ignored
_PATIENCE = 0.5  # seconds before a bar is shown
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # control characters of a terminal
_BUT_COLOURS = re.compile(rf"(?!\x1b\[[\d;]*m){_CONTROL.pattern}")  # the same except colours
_RULE = "─"
_HANDLER = "accord.escaped"


# -- standard streams -----------------------------------------------------------------------------------------------


class _Closed(io.TextIOBase):
    """Replacement of a closed standard output: writing raises an error instead of losing the output."""

    def write(self, _: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def open_streams() -> None:
    """Replace streams that were closed before the start, which are None in Python."""
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or io.StringIO()


def reader_left() -> None:
    """Discard further output after the reader of a pipe has ended. The exit code of a check is kept."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def escape_what_cannot_be_shown() -> None:
    """Escape characters that a stream cannot encode: in ASCII, Zoë and Zoê are Zo\\xeb and Zo\\xea, not both Zo?."""
    codecs.register_error(_HANDLER, escaped)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_HANDLER)


def escaped(error: UnicodeError) -> tuple[str | bytes, int]:
    """Escape with backslashes, but draw the rule of a table (a line of nothing else) with hyphens."""
    if isinstance(error, UnicodeEncodeError):
        left = error.object[: error.start].rpartition("\n")[2]
        right = error.object[error.end :].partition("\n")[0]
        if not f"{left}{error.object[error.start : error.end]}{right}".strip(f"{_RULE} "):
            return "-" * (error.end - error.start), error.end
    return codecs.backslashreplace_errors(error)


# -- the terminal, or a file ----------------------------------------------------------------------------------------


def in_colour() -> bool:
    """Whether to use colours: on a terminal, unless the user wants none (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """The width of COLUMNS or of the terminal; otherwise 80, so that piped output is the same everywhere."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return max(int(columns), _NARROWEST)
    try:
        return max(os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH, _NARROWEST)
    except (OSError, ValueError, AttributeError):
        return WIDTH


def deliver(rendered: str, output: Path | None, machine: bool = False) -> None:
    """Write to a file, or to standard output: UTF-8 for programs, what the terminal can show for people."""
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
        control = _CONTROL if machine else _BUT_COLOURS  # colours in rows of data would come from the data
        sys.stdout.write(control.sub("�", rendered) if on_screen else rendered)
        sys.stdout.flush()
    except BrokenPipeError:
        reader_left()


# -- progress -------------------------------------------------------------------------------------------------------


@contextmanager
def progress() -> Iterator[Any]:
    """Show a bar with the current task and the remaining time, on a terminal only and after half a second."""
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
    """Block signals in this thread. The main thread would not wake up for one while it waits for piped input."""
    if hasattr(signal, "pthread_sigmask"):  # Windows has none
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # threads started here inherit this


class _Bar:
    """One line with the current task. A timer shows it, from another thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._state = ("reading", 0, 0)
        self._depth = 0  # nested functions being compiled
        self._closed = False
        self._bar: Any = None
        self._task: Any = None
        self._name = ""

    def tell(self, task: str, done: int, total: int) -> None:
        with self._lock:
            self._state = (task, done, total)
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
        name, done, total = ("compiling (once)", 0, 0) if self._depth else self._state
        if name != self._name:
            self._name = name
            self._bar.reset(self._task, description=name)
        # The progress of a single step is unknown.
        self._bar.update(self._task, completed=done, total=total if total > 1 else None)
