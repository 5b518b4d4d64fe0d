"""Files and folders are written completely or not at all, and never over what was read.

Everything that accord writes for its user goes through `write_together`: into a hidden folder beside its place first,
and from there to its place in one move. Until then the old file is there, from then on the new one, also when the disk
is full or the process is killed.

A register in the user's cache folder remembers what accord wrote, so that nothing else is overwritten silently. It has
a line for each file: a digest of its path, and one of its content. A file that was changed since is not what accord
wrote. Where the register cannot be written, nothing is known.
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

_LONGEST = 300  # of a path in a message: its end tells files apart
_HIDDEN = ".accord-"  # begins the name of what is not in its place yet
_BESIDE = ("docs.csv", "judged.csv")  # read along with a table beside them
_REMEMBERED = 5_000  # files in the register: the latest
_SIZE = 16  # bytes of a digest


def check_place(path: Path) -> None:
    """Raise unless a file can be at this path."""
    if "\0" in str(path):
        raise DataError("file-name", f"{quoted(path)} cannot be written: no file can have a name with a NUL character")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise DataError("file-name", f"{quoted(path)} cannot be written: no file can have such a name here") from None
    if not path.parent.is_dir():
        raise DataError(
            "output-not-writable", f"{quoted(path)} cannot be written: there is no folder {quoted(path.parent)}"
        )
    if path.is_dir() and _is_in_use(path.resolve()):
        raise DataError(
            "output-not-writable", f"{quoted(path)} is a folder that cannot be put in place whole: name a new one in it"
        )


def _is_in_use(folder: Path) -> bool:
    """Whether something is mounted there, or this process runs in it."""
    return os.path.ismount(folder) or Path.cwd().is_relative_to(folder)


def check_holds_no_other(folder: Path, names: Iterable[str]) -> None:
    """Raise unless everything in the folder is about to be replaced, or was written by accord."""
    inside = (one for one in sorted(folder.rglob("*")) if not one.is_dir() or one.is_symlink())
    known = set(names)
    for one in inside:
        if one.relative_to(folder).as_posix() not in known and not is_ours(one):
            raise DataError(
                "output-exists",
                f"{quoted(folder, _LONGEST)} holds other files ({quoted(one.name)}): name a new folder, or one that "
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
                "output-exists", f"{quoted(one, _LONGEST)} is there and may only be read; --force replaces it"
            )
        if not is_ours(one):
            raise DataError(
                "output-exists",
                f"{quoted(one, _LONGEST)} is there already, and not as accord wrote it; choose another name, or say "
                "--force to replace it",
            )


def check_not_read(path: Path, inputs: Iterable[Path]) -> None:
    """Raise if writing would overwrite an input, under any name or link; --force does not allow it either."""
    if not path.exists() or is_device(path):
        return
    mine = {_identity(one) for one in ([path, *path.glob("*.csv")] if path.is_dir() else [path])}
    for given in inputs:
        if not os.path.exists(given) or is_device(given):  # an input may be no path at all
            continue
        if any(_identity(one) in mine for one in _read_with(given)):
            raise SpecError(
                "output-exists", f"{quoted(path, _LONGEST)} is, or is in, what is read: choose another place to write"
            )


def _read_with(given: Path) -> Iterator[Path]:
    """The files that accord reads for one input: those of a folder, tables beside a table, texts beside spans."""
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
    """Write a text file, completely or not at all."""
    write_bytes(path, as_utf8(content))


def as_utf8(text: str) -> bytes:
    """Escape what UTF-8 cannot encode, so that different names stay different."""
    return text.encode("utf-8", errors="backslashreplace")


def write_bytes(path: Path, content: bytes) -> None:
    """The same for bytes. The file keeps the permissions of the file that it replaces."""
    if not is_device(path):
        write_together(path, {"": content})
        return
    try:
        with path.open("ab") as device:  # nothing to replace, and nothing to cut off
            device.write(content)
    except OSError as error:
        raise _unwritten(path, error) from None


def write_together(target: Path, files: Mapping[str, bytes], check: Callable[[Path], None] = lambda _: None) -> None:
    """Write files below the target, or the target itself (""): all of them, after `check` accepted them, or none.

    A folder replaces the folder that is there, with everything in it.
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
                f"{quoted(target)} is written, but what was there cannot be removed: {quoted(one)}",
            )


def write_private(path: Path, content: bytes) -> None:
    """Write a file of accord's own: completely, in a folder that is made for it, and not in the register."""
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
    """Whether a killed process left the file before it was in its place."""
    return path.name.startswith(_HIDDEN)


def _write(path: Path, content: bytes, replaces: bool) -> None:
    """A replacement is synced to the disk first: the power may fail before the system writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        if replaces:
            os.fsync(file.fileno())


def _move(new: Path, place: Path, old: Path) -> None:
    """Move to the place; a folder that was there is afterwards where the new one was, or at `old`."""
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
        raise DataError("output-not-writable", f"{where} {quoted(old, _LONGEST)}") from None


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system cannot (all but Linux, and some file systems)."""
    try:
        exchange = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(exchange(here, os.fsencode(one), here, os.fsencode(other), swap) == 0)


def _unwritten(path: Path, error: OSError) -> DataError:
    return DataError("file-unreadable", f"{quoted(path)} cannot be written: {error.strerror or error}")


def _followed(path: Path) -> Path:
    """The target of a link."""
    try:
        return path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError):
        raise DataError("file-name", f"{quoted(path)} cannot be written: it is a link to itself") from None


# -- the register of what accord wrote ------------------------------------------------------------------------------


def remember(contents: Mapping[Path, bytes]) -> None:
    """Record digests before writing: a process may be killed in between."""
    with suppress(OSError, DataError):
        register = _register()
        register.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{_line(path, content)}\n" for path, content in contents.items())
        with register.open("ab") as file:  # all in one write: runs at the same time do not mix theirs
            file.write(lines.encode())
            grown = file.tell() > 2 * _REMEMBERED * (4 * _SIZE + 2)
        if grown:
            _shorten(register)


def is_ours(path: Path) -> bool:
    """Whether accord wrote the file, and it is unchanged."""
    try:
        return _line(path, path.read_bytes()) in _lines(_register())
    except OSError:
        return False


def _register() -> Path:
    return cache_folder() / "accord" / "written"


def cache_folder() -> Path:
    """The folder for caches of this user."""
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
    """Digests of the path and of the content."""
    return f"{_digest(os.fsencode(os.path.realpath(path)))} {_digest(content)}"


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=_SIZE).hexdigest()
