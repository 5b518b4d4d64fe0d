"""The private folder of a server: nobody else may look into it, and it is gone when the server is, however it ended.

A watcher, a process of its own, removes it when the server has died without doing so. What is left all the same (the
power failed) is removed when a server starts the next time: a folder whose lock nobody holds has no server.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess  # nosec B404
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows: a file that is open cannot be removed there, which is as good as a lock
    fcntl = None  # type: ignore[assignment]

_PREFIX = "accord-page-"
_LOCK = "lock"
_PATIENCE = 5.0  # seconds


class Private:
    """The folder, while the server runs."""

    def __init__(self) -> None:
        _remove_left(Path(tempfile.gettempdir()))
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))  # for its owner alone
        self._lock = _locked(self.path)
        watcher = Path(__file__).with_name("watcher.py")
        self._watcher = subprocess.Popen(  # noqa: S603 - our own file  # nosec B603
            [sys.executable, "-I", "-S", str(watcher), str(self.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the server
            text=True,
        )

    def watch(self, group: int) -> None:
        """A job has started: its processes end with the server."""
        self._say(f"+{group}\n")

    def forget(self, group: int) -> None:
        """They have ended."""
        self._say(f"-{group}\n")

    def _say(self, line: str) -> None:
        pipe: Any = self._watcher.stdin
        with contextlib.suppress(OSError):  # somebody ended the watcher: the next server cleans up
            pipe.write(line)
            pipe.flush()

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)
        self._watcher.communicate(timeout=_PATIENCE)


def _locked(folder: Path) -> IO[bytes] | None:
    """A lock that ends with the process that holds it; None where another has it."""
    try:
        file = os.fdopen(os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600), "rb")
    except OSError:
        return None
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return None
    return file


def _remove_left(where: Path) -> None:
    """Folders of servers that are gone. Those of other users cannot be locked, and stay."""
    for folder in where.glob(f"{_PREFIX}*"):
        if folder.is_symlink() or not (folder / _LOCK).is_file():
            continue
        held = _locked(folder)
        if held is not None:
            held.close()
            shutil.rmtree(folder, ignore_errors=True)
