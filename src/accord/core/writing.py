"""Write files and folders completely or not at all, and never overwrite an input.

All output for users is written by `write_together`: first into a hidden folder beside the target, then moved to the
target in one step. Before the move the old file exists, after it the new one, even if the disk is full or the process
is killed.

A register in the user's cache folder records what accord wrote, so that accord overwrites no other files silently. It
has a line for each file: a digest of its path and a digest of its content. A file that was changed later does not
match. If the register cannot be written, no file is recognised.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from accord.core.errors import DataError, SpecError, quoted

_LONGEST = 300  # characters of a path in a message; the end of a path distinguishes files
_HIDDEN = ".accord-"  # prefix of the names of unfinished files
_BESIDE = ("docs.csv", "judged.csv")  # read together with a table in the same folder
_REMEMBERED = 5_000  # the latest files that the register keeps
_SIZE = 16  # bytes of a digest


def check_place(path: Path) -> None:
    """Raise unless a file can be written at this path."""
    if "\0" in str(path):
        raise DataError(
            "file-name", f"{quoted(path)} cannot be written: a file name cannot contain a NUL character; choose another"
        )
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise DataError(
            "file-name", f"{quoted(path)} cannot be written: the name is not valid; choose another"
        ) from None
    if not path.parent.is_dir():
        raise DataError(
            "output-not-writable", f"{quoted(path)} cannot be written: no folder {quoted(path.parent)}; create it first"
        )
    if path.is_dir() and _is_in_use(path.resolve()):
        raise DataError(
            "output-not-writable", f"{quoted(path)} is a folder that accord cannot replace; name a new folder inside it"
        )


def _is_in_use(folder: Path) -> bool:
    """Return whether the folder is a mount point or contains the current folder."""
    return os.path.ismount(folder) or Path.cwd().is_relative_to(folder)


def check_holds_no_other(folder: Path, names: Iterable[str]) -> None:
    """Raise unless accord wrote everything in the folder or is about to replace it."""
    inside = (one for one in sorted(folder.rglob("*")) if not one.is_dir() or one.is_symlink())
    known = set(names)
    for one in inside:
        if one.relative_to(folder).as_posix() not in known and not is_ours(one):
            raise DataError(
                "output-exists",
                f"{quoted(folder, _LONGEST)} contains other files ({quoted(one.name)}); name a new folder, or one that "
                "accord wrote",
            )


def check_free(path: Path, inputs: Iterable[Path], force: bool = False) -> None:
    """Raise unless the path is writable and safe to overwrite: not an input, and written by accord (or `force`)."""
    check_place(path)
    _followed(path)
    if is_device(path) or not path.exists():
        return
    check_not_read(path, inputs)
    if force:
        return
    for one in sorted(path.glob("*.csv")) if path.is_dir() else [path]:
        if not one.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            raise DataError(
                "output-exists", f"{quoted(one, _LONGEST)} already exists and is read-only; use --force to replace it"
            )
        if not is_ours(one):
            raise DataError(
                "output-exists",
                f"{quoted(one, _LONGEST)} already exists and was not written by accord, or was changed; choose another "
                "name, or use --force to replace it",
            )


def check_not_read(path: Path, inputs: Iterable[Path]) -> None:
    """Raise if writing would overwrite an input, under any name or link, even with --force."""
    if not path.exists() or is_device(path):
        return
    mine = {_identity(one) for one in ([path, *path.glob("*.csv")] if path.is_dir() else [path])}
    for given in inputs:
        if not os.path.exists(given) or is_device(given):  # an input may not be a path
            continue
        if any(_identity(one) in mine for one in _read_with(given)):
            raise SpecError(
                "output-exists", f"{quoted(path, _LONGEST)} is part of the input; choose another path for the output"
            )


def _read_with(given: Path) -> Iterator[Path]:
    """Yield the files that accord reads for one input: files of a folder, and tables and texts beside a table."""
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
    """Return a value that is equal for all names of a file."""
    try:
        about = path.stat()
    except OSError:  # a broken link
        return path
    return (about.st_dev, about.st_ino) if about.st_ino else os.path.realpath(path)


def is_device(path: Path) -> bool:
    """Return whether the path is a pipe, a terminal, /dev/null, or /dev/stdout even if redirected to a file."""
    if path.is_absolute() and path.parts[1:2] in (("dev",), ("proc",)):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


def write_whole(path: Path, content: str) -> None:
    """Write a text file, completely or not at all."""
    write_bytes(path, as_utf8(content))


def as_utf8(text: str) -> bytes:
    """Encode as UTF-8; characters that it cannot encode are escaped, so that names stay different."""
    return text.encode("utf-8", errors="backslashreplace")


def write_bytes(path: Path, content: bytes) -> None:
    """Write bytes, completely or not at all. A replaced file keeps its permissions."""
    if not is_device(path):
        write_together(path, {"": content})
        return
    try:
        with path.open("ab") as device:  # append: a device is never truncated
            device.write(content)
    except OSError as error:
        raise _unwritten(path, error) from None


def write_together(target: Path, files: Mapping[str, bytes], check: Callable[[Path], None] = lambda _: None) -> None:
    """Write all files below the target (or the target itself, ""), or none if `check` refuses them.

    A folder replaces an existing folder with all its content.
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
            raise DataError(
                "output-not-writable",
                f"{quoted(target)} was written, but the old version at {quoted(one)} cannot be removed; delete it",
            )


def write_private(path: Path, content: bytes) -> None:
    """Write a private file of accord completely; its folder is created, and the register does not record it."""
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


def is_unfinished(path: Path) -> bool:
    """Return whether the file is left over from a killed process."""
    return path.name.startswith(_HIDDEN)


def _write(path: Path, content: bytes, replaces: bool) -> None:
    """Write a file; a replacement is synced to disk, so that a power failure cannot lose both versions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        if replaces:
            os.fsync(file.fileno())


def _move(new: Path, place: Path, old: Path) -> None:
    """Move to the place; a replaced folder is moved to the place of the new one, or to `old`."""
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
        where = f"{quoted(place)} cannot be written: {error.strerror}; the old version is now at"
        raise DataError("output-not-writable", f"{where} {quoted(old, _LONGEST)}, move it back") from None


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; return False if the system cannot (only some file systems of Linux can)."""
    try:
        exchange = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(exchange(here, os.fsencode(one), here, os.fsencode(other), swap) == 0)


def _unwritten(path: Path, error: OSError) -> DataError:
    return DataError(
        "output-not-writable",
        f"{quoted(path)} cannot be written: {error.strerror or error}; free space, or write to another folder",
    )


def _followed(path: Path) -> Path:
    """Return the target of a link."""
    try:
        return path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError):
        raise DataError(
            "file-name", f"{quoted(path)} cannot be written: it is a link to itself; remove the link"
        ) from None


# -- the register of written files ----------------------------------------------------------------------------------


def remember(contents: Mapping[Path, bytes]) -> None:
    """Record digests before writing, because the process may be killed afterwards."""
    with suppress(OSError, DataError):
        register = _register()
        register.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{_line(path, content)}\n" for path, content in contents.items())
        with register.open("ab") as file:  # one write, so that concurrent runs do not mix lines
            file.write(lines.encode())
            grown = file.tell() > 2 * _REMEMBERED * (4 * _SIZE + 2)
        if grown:
            _shorten(register)


def is_ours(path: Path) -> bool:
    """Return whether accord wrote the file and it is unchanged."""
    try:
        return _line(path, path.read_bytes()) in _lines(_register())
    except OSError:
        return False


def _register() -> Path:
    return cache_folder() / "accord" / "written"


def cache_folder() -> Path:
    """Return the user's cache folder."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if chosen and Path(chosen).is_absolute():
        return Path(chosen)
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"])
    home = Path(os.path.expanduser("~"))
    return home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache"


def _lines(register: Path) -> list[str]:
    return register.read_text(encoding="ascii", errors="ignore").splitlines()


def _shorten(register: Path) -> None:
    """Keep the latest lines."""
    latest = list(dict.fromkeys(reversed(_lines(register))))[:_REMEMBERED]
    write_private(register, "".join(f"{line}\n" for line in reversed(latest)).encode())


def _line(path: Path, content: bytes) -> str:
    """Return digests of the path and of the content."""
    return f"{_digest(os.fsencode(os.path.realpath(path)))} {_digest(content)}"


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=_SIZE).hexdigest()
