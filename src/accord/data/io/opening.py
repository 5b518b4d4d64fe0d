"""Files that a user named, opened: nothing is waited for without end."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO, Any

from accord.core.errors import DataError

PATIENCE = 5.0  # seconds that a named pipe has until somebody writes into it


def is_special(path: Path) -> bool:
    """A pipe, a terminal, a device: what is read there is read once."""
    return path.exists() and not path.is_file() and not path.is_dir()


def stream_of(path: Path) -> IO[bytes]:
    """A file, open; or a pipe that somebody writes into. OSError where there is none."""
    if path.is_fifo():
        return os.fdopen(_written_into(path), "rb")
    stream = path.open("rb")
    if (path.is_block_device() or path.is_char_device()) and not (stream.isatty() or path.samefile(os.devnull)):
        stream.close()
        raise DataError(f"{path}: a device, which may never end; name a file")
    return stream


def _written_into(path: Path) -> int:
    """To open a pipe is to wait for who writes; and only from beside can that wait be ended."""
    found: list[Any] = []
    done = Event()

    def wait() -> None:
        try:
            found.append(os.open(path, os.O_RDONLY))
        except OSError as error:
            found.append(error)
        done.set()

    Thread(target=wait, daemon=True).start()
    if not done.wait(PATIENCE):
        with suppress(OSError):  # whoever may not write leaves the thread to wait
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            done.wait()
            os.close(*found)
        raise DataError(f"{path}: a named pipe, and nobody writes into it; start what writes first, or name a file")
    (opened,) = found
    if isinstance(opened, OSError):
        raise opened
    return int(opened)
