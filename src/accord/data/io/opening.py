"""Files that a user named: opened, decoded, copied to a temporary file where needed, and archives unpacked."""

from __future__ import annotations

import codecs
import errno
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO, Any

from accord.core.errors import DataError, quoted
from accord.data.model.data import Data

PATIENCE = 5.0  # seconds that a named pipe has until somebody writes into it
LONGEST_LINE = 1 << 22  # bytes; a longer line is no table but a damaged or hostile file
# Nothing that is read fails so. Not every system has a limit for each user.
_NO_ROOM = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}


def refuse_name(path: Path | str) -> None:
    """Refuse names that no file can have, and names that Python can open but some libraries cannot."""
    name = str(path)
    if "\0" in name:
        raise DataError("file-name", f"{quoted(name)}: no file can have a name with a NUL character")
    if any("\ud800" <= sign <= "\udfff" for sign in name):
        raise DataError("file-name", f"{name}: its name is not UTF-8, which not all libraries can open: rename it")


def is_special(path: Path) -> bool:
    """A pipe, a terminal, a device: what is read there is read once."""
    return path.exists() and not path.is_file() and not path.is_dir()


def may_open(path: Path) -> bool:
    """Not a pipe, a socket or a device: these block, never end, or do something. A link to nothing is refused later."""
    return path.is_file() or path.is_dir() or not path.exists()


def stream_of(path: Path) -> IO[bytes]:
    """A file, open; or a pipe that somebody writes into. OSError where there is none."""
    if path.is_fifo():
        return os.fdopen(_written_into(path), "rb")
    stream = path.open("rb")
    if (path.is_block_device() or path.is_char_device()) and not (stream.isatty() or path.samefile(os.devnull)):
        stream.close()
        raise DataError("file-unreadable", f"{path}: a device, which may never end; name a file")
    return stream


def _written_into(path: Path) -> int:
    """Open a pipe in a thread: opening waits for a writer, and only another thread can end that wait."""
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
        raise DataError(
            "file-unreadable",
            f"{path}: a named pipe, and nobody writes into it; start what writes first, or name a file",
        )
    (descriptor,) = found
    if isinstance(descriptor, OSError):
        raise descriptor
    return int(descriptor)


def opened(path: Path) -> bytes:
    """The bytes of a small file, or one clear line."""
    refuse_name(path)
    try:
        with stream_of(path) as file:
            return file.read()
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path | str, error: OSError) -> DataError:
    if lacks_room(error):
        return no_room(path)
    reasons = {
        FileNotFoundError: "there is no such file",
        PermissionError: "no permission to read it",
        IsADirectoryError: "it is a folder",
    }
    return DataError("file-unreadable", f"{path}: {reasons.get(type(error), error.strerror or str(error))}")


def encoding_of(head: bytes) -> str:
    """UTF-16 by its BOM or its zero bytes; otherwise UTF-8, whose BOM is skipped."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if len(head) >= 4 and head[0] and not head[1] and head[2] and not head[3]:
        return "utf-16-le"
    if len(head) >= 4 and not head[0] and head[1] and not head[2] and head[3]:
        return "utf-16-be"
    return "utf-8-sig"


def decoded(data: bytes, name: str, encoding: str | None = None) -> str:
    """Text, or the position of the byte that is none, and the option that helps."""
    used = encoding or encoding_of(data[:4])
    try:
        if not getattr(codecs.lookup(used), "_is_text_encoding", True):
            raise LookupError
        return data.decode(used)
    except UnicodeDecodeError as error:
        # utf-8-sig counts from behind the BOM
        position = error.start + (3 if used == "utf-8-sig" and data.startswith(codecs.BOM_UTF8) else 0)
        shown = used.replace("utf-8-sig", "utf-8").upper()
        raise DataError(
            "encoding",
            f"{name}: byte {position} (0x{data[position]:02x}) is not {shown}; "
            "say the file's encoding, for example --encoding latin-1 or --encoding cp1252",
        ) from error
    except (LookupError, ValueError):  # codecs that are no encodings of text: undefined, idna; a NUL in the name
        raise DataError(
            "encoding", f"unknown encoding {quoted(encoding)}; known are, for example, utf-8, utf-16, latin-1, cp1252"
        ) from None


def read_text(path: Path, encoding: str | None = None) -> str:
    return decoded(opened(path), str(path), encoding)


class _Scratch(type(Path())):  # type: ignore[misc]  # Python 3.11 has no other name for the paths of this system
    """A path whose file is deleted with it."""


def scratch_file(name: str = "table.csv") -> Path:
    """A temporary file, deleted with its path object or at the end of the program."""
    folder = tempfile.mkdtemp(prefix="accord-")
    path: Path = _Scratch(folder, name)
    weakref.finalize(path, shutil.rmtree, folder, ignore_errors=True)
    return path


def lacks_room(error: OSError) -> bool:
    """Whether the folder of temporary files is full."""
    return error.errno in _NO_ROOM


def no_room(what: Path | str) -> DataError:
    """`what` is read, or would be."""
    return DataError(
        "output-not-writable",
        f"{what}: a copy of it is made while it is read, and {tempfile.gettempdir()} has no room for it: "
        "make room there, or set TMPDIR to another folder",
    )


Read = Callable[[Sequence[Path]], dict[str, Data] | None]


def read_unpacked(paths: Sequence[Path], read: Read) -> dict[str, Data] | None:
    """What `read` returns for the paths, archives unpacked to folders that are deleted afterwards."""
    archives = [path for path in paths if path.suffix.lower() == ".zip" and path.is_file()]
    if not archives:
        return read(paths)
    with tempfile.TemporaryDirectory(prefix="accord-") as aside:
        folders = {path: _unpacked(path, Path(aside)) for path in dict.fromkeys(archives)}
        try:
            found = read([folders.get(path, path) for path in paths])
        except DataError as error:
            raise DataError("file-unreadable", _named(str(error), folders)) from error
    if found is None:
        return None
    return {name: _renamed(data, folders) for name, data in found.items()}


def _unpacked(archive: Path, aside: Path) -> Path:
    """Unpack into a folder of the archive's name: several archives may be annotators."""
    from accord.data.io.formats.files import gather_files  # which decodes with this module

    folder = aside / archive.stem
    while folder.exists():
        folder = folder.with_name(f"{folder.name}+")
    folder.mkdir()
    for file in gather_files([archive]):
        if len(file.parts) == 1:
            raise DataError(
                "file-damaged", f"{archive}: this is no zip archive, whatever its name says; rename it to what it is"
            )
        copy = folder.joinpath(*file.parts[1:])
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.bytes())
    return _without_wrapping(folder)


def _without_wrapping(folder: Path) -> Path:
    """The innermost folder that holds everything: a single wrapping folder says nothing."""
    inside = list(folder.iterdir())
    while len(inside) == 1 and inside[0].is_dir():
        folder = inside[0]
        inside = list(folder.iterdir())
    return folder


def _named(message: str, folders: Mapping[Path, Path]) -> str:
    for archive, folder in folders.items():
        message = message.replace(str(folder), str(archive))
    return message


def _renamed(data: Data, folders: Mapping[Path, Path]) -> Data:
    """The same, whose notes name the archive."""
    return data.noted(tuple(type(note)(_named(note, folders)) for note in data.notes))
