"""Files and folders are written whole or not at all; never over what was read.

All that accord writes for its user goes through `write_together`: into a hidden folder beside its place first, and from
there to its place, in one move. Until then the old one is there, from then on the new one, whenever a disk is full or a
process is killed. (Journals, which grow line by line, are the exception: simulate/journal.py.)
"""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from accord.core.errors import DataError, SpecError, quoted
from accord.core.written import is_ours, remember

_LONGEST = 300  # of a path in a message: its end tells files apart
_HIDDEN = ".accord-"  # begins the name of what is not in its place yet
_BESIDE = ("docs.csv", "judged.csv")  # read along with a table beside them


def check_place(path: Path) -> None:
    """A file can be there."""
    if "\0" in str(path):
        raise DataError(f"{quoted(path)} cannot be written: no file can have a name with a NUL character")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise DataError(f"{quoted(path)} cannot be written: no file can have such a name here") from None
    if not path.parent.is_dir():
        raise DataError(f"{quoted(path)} cannot be written: there is no folder {quoted(path.parent)}")
    if path.is_dir() and _is_in_use(path.resolve()):
        raise DataError(f"{quoted(path)} is a folder that cannot be put in place whole: name a new one in it")


def _is_in_use(folder: Path) -> bool:
    """Whether somebody stands on it: what is mounted there, or this process."""
    return os.path.ismount(folder) or Path.cwd().is_relative_to(folder)


def check_holds_no_other(folder: Path, names: Iterable[str]) -> None:
    """A folder is replaced whole: all in it has the name of what is written, or was written by accord."""
    inside = (one for one in sorted(folder.rglob("*")) if not one.is_dir() or one.is_symlink())
    known = set(names)
    for one in inside:
        if one.relative_to(folder).as_posix() not in known and not is_ours(one):
            raise DataError(
                f"{quoted(folder, _LONGEST)} holds other files ({quoted(one.name)}): name a new folder, or one that "
                "accord wrote"
            )


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
        if not os.path.exists(given) or is_device(given):  # whatever was given may be no name at all
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
    """A file is written whole or not at all."""
    write_bytes(path, as_utf8(content))


def as_utf8(text: str) -> bytes:
    """What UTF-8 has no signs for is escaped, so that names stay apart."""
    return text.encode("utf-8", errors="backslashreplace")


def write_bytes(path: Path, content: bytes) -> None:
    """The same for what is no text. It may be read by those who could read what it replaces."""
    if not is_device(path):
        write_together(path, {"": content})
        return
    try:
        with path.open("ab") as device:  # nothing to replace, and nothing to cut off
            device.write(content)
    except OSError as error:
        raise _unwritten(path, error) from None


def write_together(target: Path, files: Mapping[str, bytes], check: Callable[[Path], None] = lambda _: None) -> None:
    """Files below the target, or the target itself (""): all of them, once `check` has seen them, or none.

    A folder takes the place of the folder there, with all that is in it.
    """
    check_place(target)
    place = _followed(target)
    replaces = place.exists()
    beside = None
    try:
        beside = Path(tempfile.mkdtemp(dir=place.parent, prefix=_HIDDEN))
        new, old = beside / place.name, Path(f"{beside}-old")
        for name, content in files.items():
            _write(new / name if name else new, content, replaces)
        check(new)
        if replaces:
            new.chmod(stat.S_IMODE(place.stat().st_mode))
        remember({place / name if name else place: content for name, content in files.items()})
        _move(new, place, old)
    except OSError as error:
        raise _unwritten(target, error) from None
    finally:
        if beside is not None:
            shutil.rmtree(beside, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
    for one in (beside, old):
        if one.exists():
            raise DataError(f"{quoted(target)} is written, but what was there cannot be removed: {quoted(one)}")


def keep(path: Path, content: bytes) -> None:
    """A file that accord keeps for itself: whole, in a folder that is made for it, and not remembered as an output."""
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=_HIDDEN)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(beside, path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _unwritten(path, error) from None


def is_hidden(path: Path) -> bool:
    """Whether a process that was killed left it, on the way to its place."""
    return path.name.startswith(_HIDDEN)


def _write(path: Path, content: bytes, replaces: bool) -> None:
    """What replaces another is on the disk first, not just with the system: its power may fail."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        if replaces:
            os.fsync(file.fileno())


def _move(new: Path, place: Path, old: Path) -> None:
    """To its place; a folder that was there is now where the new one was, or is `old`."""
    if not (new.is_dir() and place.is_dir()):
        new.replace(place)
    elif not _exchange(new, place):
        place.rename(old)
        try:
            new.rename(place)
        except BaseException:
            _put_back(old, place)
            raise


def _put_back(old: Path, place: Path) -> None:
    try:
        old.rename(place)
    except OSError as error:
        where = f"{quoted(place)} cannot be written: {error.strerror}; what was there is now"
        raise DataError(f"{where} {quoted(old, _LONGEST)}") from None


def _exchange(one: Path, other: Path) -> bool:
    """Two folders change places in one step; False where the system cannot (all but Linux, and some file systems)."""
    try:
        exchange = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(exchange(here, os.fsencode(one), here, os.fsencode(other), swap) == 0)


def _unwritten(path: Path, error: OSError) -> DataError:
    return DataError(f"{quoted(path)} cannot be written: {error.strerror or error}")


def _followed(path: Path) -> Path:
    """Where a link leads."""
    try:
        return path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError):
        raise DataError(f"{quoted(path)} cannot be written: it is a link to itself") from None
