"""Files are written whole or not at all: beside their place first, then moved there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from accord.errors import DataError, quoted


def check_place(path: Path) -> None:
    """A file can be there."""
    if not path.parent.is_dir():
        raise DataError(f"{quoted(path)} cannot be written: there is no folder {quoted(path.parent)}")


def write_whole(path: Path, content: str) -> None:
    """A file is written whole or not at all."""
    write_bytes(path, content.encode("utf-8", errors="replace"))


def write_bytes(path: Path, content: bytes) -> None:
    """The same for what is no text."""
    if path.exists() and not path.is_file():  # a pipe, a device: nothing to replace
        path.write_bytes(content)
        return
    temporary = None
    try:
        path = path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError):
        raise DataError(f"{quoted(path)} cannot be written: it is a link to itself") from None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise DataError(f"{quoted(path)} cannot be written: {error.strerror}") from None


def write_together(target: Path, files: Mapping[str, bytes], check: Callable[[Path], None]) -> None:
    """Files below the target, or the target itself (""): all of them, once `check` has seen them, or none."""
    check_place(target)
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".accord-") as made:
            place = Path(made) / target.name
            for name, content in files.items():
                path = place / name if name else place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            check(place)
            if "" in files:
                place.replace(target.resolve() if target.is_symlink() else target)
                return
            if target.is_dir():
                target.rmdir()  # an empty one
            shutil.move(place, target)
    except OSError as error:
        raise DataError(f"{quoted(error.filename or target)} cannot be written: {error.strerror}") from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
