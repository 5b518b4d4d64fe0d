"""Files are written whole or not at all: beside their place first, then moved there; never over what was read."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from accord.errors import DataError, SpecError, quoted
from accord.written import is_ours, remember

_LONGEST = 300  # of a path in a message: its end tells files apart
_BESIDE = ("docs.csv", "judged.csv")  # read along with a table beside them


def check_place(path: Path) -> None:
    """A file can be there."""
    if not path.parent.is_dir():
        raise DataError(f"{quoted(path)} cannot be written: there is no folder {quoted(path.parent)}")


def check_free(path: Path, inputs: Iterable[Path], force: bool = False) -> None:
    """A file can be there, and what it would replace is not read, and was written by accord, or is given up."""
    check_place(path)
    _followed(path)
    if is_device(path) or not path.exists():
        return
    check_not_read(path, inputs)
    if force:
        return
    for one in sorted(path.glob("*.csv")) if path.is_dir() else [path]:
        if not one.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            raise DataError(f"{quoted(one, _LONGEST)} is there and may only be read; --force replaces it")
        if not is_ours(one):
            raise DataError(
                f"{quoted(one, _LONGEST)} is there already, and not as accord wrote it; choose another name, or say "
                "--force to replace it"
            )


def check_not_read(path: Path, inputs: Iterable[Path]) -> None:
    """What is read is never overwritten, whatever it is called, linked or kept in; not with --force, either."""
    if not path.exists() or is_device(path):
        return
    mine = {_identity(one) for one in ([path, *path.glob("*.csv")] if path.is_dir() else [path])}
    for given in inputs:
        if not given.exists() or is_device(given):
            continue
        if any(_identity(one) in mine for one in _read_with(given)):
            raise SpecError(f"{quoted(path, _LONGEST)} is, or is in, what is read: choose another place to write")


def _read_with(given: Path) -> Iterator[Path]:
    """Files that are read where one is named: those of a folder, tables beside a table, the text beside its spans."""
    yield given
    if given.is_dir():
        for folder, _, names in os.walk(given):
            yield from (Path(folder) / name for name in names)
        return
    yield from (given.with_name(name) for name in _BESIDE)
    if given.suffix == ".ann":
        yield given.with_suffix(".txt")
    texts = given.with_name("texts")
    if texts.is_dir():
        yield from _read_with(texts)


def _identity(path: Path) -> object:
    """The same for all names of a file."""
    try:
        about = path.stat()
    except OSError:  # a link to nowhere
        return path
    return (about.st_dev, about.st_ino) if about.st_ino else os.path.realpath(path)


def is_device(path: Path) -> bool:
    """A pipe, a terminal, /dev/null; and /dev/stdout, also where a shell makes it a file."""
    if path.is_absolute() and path.parts[1:2] in (("dev",), ("proc",)):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


def write_whole(path: Path, content: str) -> None:
    """A file is written whole or not at all; what UTF-8 has no signs for is escaped, so that names stay apart."""
    write_bytes(path, content.encode("utf-8", errors="backslashreplace"))


def write_bytes(path: Path, content: bytes) -> None:
    """The same for what is no text. It may be read by those who could read what it replaces."""
    temporary = None
    if not is_device(path):
        path = _followed(path)
    try:
        if is_device(path):
            with path.open("ab") as device:  # nothing to replace, and nothing to cut off
                device.write(content)
            return
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
        temporary.chmod(_mode(path))
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise DataError(f"{quoted(path)} cannot be written: {error.strerror}") from None
    remember(path, content)


def _followed(path: Path) -> Path:
    """Where a link leads."""
    try:
        return path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError):
        raise DataError(f"{quoted(path)} cannot be written: it is a link to itself") from None


def _mode(path: Path) -> int:
    """As the file there has it, or as new files get it."""
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask()


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
                place.chmod(_mode(target))
                place.replace(_followed(target))
            else:
                if target.is_dir():
                    target.rmdir()  # an empty one
                shutil.move(place, target)
    except OSError as error:
        raise DataError(f"{quoted(error.filename or target)} cannot be written: {error.strerror}") from None
    for name, content in files.items():
        remember(target / name if name else target, content)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
