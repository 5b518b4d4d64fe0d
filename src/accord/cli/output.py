"""Where an answer goes: the screen, a file, a folder; and a bar that says how far it is."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from accord.cli.streams import reader_left
from accord.context import silent
from accord.errors import DataError, quoted
from accord.report.text import WIDTH
from accord.whole import write_whole

_CONTROL = re.compile(r"(?!\x1b\[[\d;]*m)[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # on a screen; colours are our own
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


def deliver(rendered: str, output: Path | None) -> None:
    """To a file, or to the screen."""
    if output is not None:
        write_whole(output, rendered)
        return
    try:
        sys.stdout.write(_CONTROL.sub("�", rendered) if sys.stdout.isatty() else rendered)
        sys.stdout.flush()
    except BrokenPipeError:
        reader_left()


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
    """A bar with what is being done and the time left, on a terminal only."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def tell(task: str, done: int, total: int) -> None:
            if task not in tasks:
                tasks[task] = bar.add_task(task, total=total)
            bar.update(tasks[task], completed=done, total=total)

        yield tell
