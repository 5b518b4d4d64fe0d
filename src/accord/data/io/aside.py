"""What is kept aside while it is read, in the folder for temporary files."""

from __future__ import annotations

import errno
import shutil
import tempfile
import weakref
from pathlib import Path

from accord.core.errors import DataError

# Nothing that is read fails so. Not every system has a limit for each user.
_NO_ROOM = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}


class _Scratch(type(Path())):  # type: ignore[misc]  # Python 3.11 has no other name for the paths of this system
    """A path that is looked after: what stands there goes with it."""


def scratch_file(name: str = "table.csv") -> Path:
    """A file aside that is gone when nobody has its path any more, or the program ends."""
    folder = tempfile.mkdtemp(prefix="accord-")
    path: Path = _Scratch(folder, name)
    weakref.finalize(path, shutil.rmtree, folder, ignore_errors=True)
    return path


def lacks_room(error: OSError) -> bool:
    """Whether the folder aside is full."""
    return error.errno in _NO_ROOM


def no_room(what: Path | str) -> DataError:
    """`what` is read, or would be."""
    return DataError(
        f"{what}: a copy of it is made while it is read, and {tempfile.gettempdir()} has no room for it: "
        "make room there, or set TMPDIR to another folder"
    )
