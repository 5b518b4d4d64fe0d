"""The private folder of a server. Only its owner can read it, and it is deleted when the server ends.

A watcher process deletes the folder if the server is killed. If the watcher is killed, too (a power failure), the next
server deletes the folder, because its lock is free.

The watcher is this file, run as a script by its path (`python -I -S`). It runs as long as the server and should stay
small, so this module imports only the standard library.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess  # nosec B404
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows does not delete open files, which serves as a lock
    fcntl = None  # type: ignore[assignment]

_PREFIX = "accord-page-"
_LOCK = "lock"
_PATIENCE = 5.0  # seconds
_ATTEMPTS = 20  # of the watcher to delete the folder


class PrivateFolder:
    """The folder of a running server."""

    def __init__(self) -> None:
        remove_abandoned(Path(tempfile.gettempdir()))
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))  # mkdtemp gives access to the owner only
        self._lock = lock(self.path)
        self._watcher = subprocess.Popen(  # noqa: S603 - our own file  # nosec B603
            [sys.executable, "-I", "-S", __file__, str(self.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C ends the server, not the watcher
            text=True,
        )

    def watch(self, group: int) -> None:
        """Let the watcher end this process group if the server dies."""
        self._send(f"+{group}\n")

    def forget(self, group: int) -> None:
        """Report to the watcher that the processes of this group have ended."""
        self._send(f"-{group}\n")

    def _send(self, line: str) -> None:
        pipe: Any = self._watcher.stdin
        with contextlib.suppress(OSError):  # the watcher was killed; the next server cleans up
            pipe.write(line)
            pipe.flush()

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)  # Windows removes the lock only after it is closed
        self._watcher.communicate(timeout=_PATIENCE)


def lock(folder: Path) -> IO[bytes] | None:
    """Lock the folder until this process ends. Return None if another process has locked it."""
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


def remove_abandoned(parent: Path) -> None:
    """Delete the folders of servers that have ended. Folders of other users cannot be locked and are kept."""
    for folder in parent.glob(f"{_PREFIX}*"):
        if folder.is_symlink() or not (folder / _LOCK).is_file():
            continue
        held = lock(folder)
        if held is not None:
            held.close()
            shutil.rmtree(folder, ignore_errors=True)


def watch_server(folder: str) -> None:
    """Wait until the server closes the pipe or is killed. Then end its jobs and delete its folder."""
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with contextlib.suppress(OSError, AttributeError):  # the group has ended, or this is Windows
            os.killpg(group, signal.SIGKILL)
    for _ in range(_ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
        time.sleep(0.1)  # an ending process may still write


if __name__ == "__main__":
    watch_server(sys.argv[1])
