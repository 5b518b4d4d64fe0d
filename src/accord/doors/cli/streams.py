"""Standard output and standard error, as they are found."""

from __future__ import annotations

import errno
import io
import os
import sys


class _Closed(io.TextIOBase):
    """Standard output where there is none: what is written there is lost, which is said."""

    def write(self, _: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def open_streams() -> None:
    """Streams that were closed before the start are None, which nobody expects."""
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or io.StringIO()


def reader_left() -> None:
    """Whoever read what is printed went away: the rest is for nobody, and the verdict of a check still counts."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
