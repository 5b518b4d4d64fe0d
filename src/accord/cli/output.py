"""Where an answer goes: the screen, a file, a folder; and a bar that says how far it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

from accord.context import silent
from accord.errors import DataError, quoted
from accord.report.text import WIDTH
from accord.whole import write_whole

_NARROWEST = 20  # what is narrower is no screen
_QUICK = 0.5  # seconds: a bar for less would only flicker


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
    if machine and hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()
        sys.stdout.buffer.write(rendered.encode("utf-8", errors="backslashreplace"))
        sys.stdout.buffer.flush()
        return
    sys.stdout.write(rendered)
    sys.stdout.flush()


def write_folder(folder: Path, contents: dict[str, str]) -> None:
    """Files by name; the folder is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{quoted(folder)} cannot be made: {error.strerror}") from None
    for name, content in contents.items():
        write_whole(folder / name, content)


@contextmanager
def progress() -> Iterator[Any]:
    """A bar with what is being done and the time left, on a terminal only, and not where it is done in no time."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    tasks: dict[str, Any] = {}

    def tell(task: str, done: int, total: int) -> None:
        if task not in tasks:
            tasks[task] = bar.add_task(task, total=total)
        bar.update(tasks[task], completed=done, total=total, visible=done < total)

    later = Timer(_QUICK, bar.start)
    later.daemon = True
    later.start()
    try:
        yield tell
    finally:
        later.cancel()
        later.join()
        bar.stop()
