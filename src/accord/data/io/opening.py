"""Open and decode input files, copy them to temporary files where needed, and unpack archives."""

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

PATIENCE = 5.0  # seconds to wait for a writer to a named pipe
LONGEST_LINE = 1 << 22  # bytes; a file with a longer line is damaged or hostile
# Reading never fails with these errors, only writing. Not every system has a quota (EDQUOT).
_NO_ROOM = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}


def refuse_name(path: Path | str) -> None:
    """Refuse names that no file can have, and names that Python can open but some libraries cannot."""
    name = str(path)
    if "\0" in name:
        raise DataError("file-name", f"{quoted(name)}: a file name cannot contain a NUL character; check the path")
    if any("\ud800" <= sign <= "\udfff" for sign in name):
        raise DataError("file-name", f"{name}: the file name is not UTF-8, which some libraries cannot open; rename it")


def is_special(path: Path) -> bool:
    """Return whether the path is a pipe, a terminal or a device, which can be read only once."""
    return path.exists() and not path.is_file() and not path.is_dir()


def may_open(path: Path) -> bool:
    """Return whether the path is safe to open; pipes, sockets and devices may block or never end."""
    return path.is_file() or path.is_dir() or not path.exists()


def stream_of(path: Path) -> IO[bytes]:
    """Open a file, or a pipe that has a writer; raise OSError if the path does not exist."""
    if path.is_fifo():
        return os.fdopen(_written_into(path), "rb")
    stream = path.open("rb")
    if (path.is_block_device() or path.is_char_device()) and not (stream.isatty() or path.samefile(os.devnull)):
        stream.close()
        raise DataError("file-unreadable", f"{path}: this is a device, which may never end; name a file")
    return stream


def _written_into(path: Path) -> int:
    """Open a pipe in a thread: opening waits for a writer, and only another thread can stop this wait."""
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
        with suppress(OSError):  # without write permission, the thread keeps waiting
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            done.wait()
            os.close(*found)
        raise DataError(
            "file-unreadable",
            f"{path}: this is a named pipe without a writer; start the writer first, or name a file",
        )
    (descriptor,) = found
    if isinstance(descriptor, OSError):
        raise descriptor
    return int(descriptor)


def opened(path: Path) -> bytes:
    """Return the bytes of a small file; raise DataError if it cannot be read."""
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
        FileNotFoundError: "no such file; check the path",
        PermissionError: "no permission to read it; change its permissions, or copy it",
        IsADirectoryError: "this is a folder; name a file",
    }
    code = "file-missing" if isinstance(error, FileNotFoundError) else "file-unreadable"
    other = f"{error.strerror or error}; check the file and its disk"
    return DataError(code, f"{path}: {reasons.get(type(error), other)}")


def encoding_of(head: bytes) -> str:
    """Detect UTF-16 or UTF-32 from a BOM or zero bytes; the default is UTF-8, with or without BOM."""
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
    """Decode text; the error names the position of the first invalid byte."""
    used = encoding or encoding_of(data[:4])
    try:
        if not getattr(codecs.lookup(used), "_is_text_encoding", True):
            raise LookupError
        return data.decode(used)
    except UnicodeDecodeError as error:
        # utf-8-sig counts from the end of the BOM
        position = error.start + (3 if used == "utf-8-sig" and data.startswith(codecs.BOM_UTF8) else 0)
        shown = used.replace("utf-8-sig", "utf-8").upper()
        raise DataError(
            "encoding",
            f"{name}: byte {position} (0x{data[position]:02x}) is not {shown}; "
            "name the file's encoding, for example --encoding latin-1 or --encoding cp1252",
        ) from error
    except (LookupError, ValueError):  # also codecs that do not encode text (undefined, idna), or a NUL in the name
        raise DataError(
            "encoding",
            f"unknown encoding {quoted(encoding)}; use, for example, --encoding utf-8, --encoding utf-16, --encoding "
            "latin-1 or --encoding cp1252",
        ) from None


def read_text(path: Path, encoding: str | None = None) -> str:
    return decoded(opened(path), str(path), encoding)


class _Scratch(type(Path())):  # type: ignore[misc]  # Python 3.11 has no other name for the paths of this system
    """A path object; its file is deleted with it."""


def scratch_file(name: str = "table.csv") -> Path:
    """Return the path of a temporary file, deleted with the path object or at the end of the program."""
    folder = tempfile.mkdtemp(prefix="accord-")
    path: Path = _Scratch(folder, name)
    weakref.finalize(path, shutil.rmtree, folder, ignore_errors=True)
    return path


def lacks_room(error: OSError) -> bool:
    """Return whether the error means that the folder of temporary files is full."""
    return error.errno in _NO_ROOM


def no_room(what: Path | str) -> DataError:
    """Return the error for a full folder of temporary files; `what` is the input."""
    return DataError(
        "output-not-writable",
        f"{what}: accord needs a temporary copy, but {tempfile.gettempdir()} is full; free space there, or set TMPDIR "
        "to another folder",
    )


Read = Callable[[Sequence[Path]], dict[str, Data] | None]


def read_unpacked(paths: Sequence[Path], read: Read) -> dict[str, Data] | None:
    """Call `read` with the paths; archives are unpacked to temporary folders."""
    archives = [path for path in paths if path.suffix.lower() == ".zip" and path.is_file()]
    if not archives:
        return read(paths)
    with tempfile.TemporaryDirectory(prefix="accord-") as aside:
        folders = {path: _unpacked(path, Path(aside)) for path in dict.fromkeys(archives)}
        try:
            found = read([folders.get(path, path) for path in paths])
        except DataError as error:
            raise DataError(error.code, _named(str(error), folders)) from error
    if found is None:
        return None
    return {name: _renamed(data, folders) for name, data in found.items()}


def _unpacked(archive: Path, aside: Path) -> Path:
    """Unpack into a folder with the archive's name, because archives may be annotators."""
    from accord.data.io.formats.files import gather_files  # imports this module

    folder = aside / archive.stem
    while folder.exists():
        folder = folder.with_name(f"{folder.name}+")
    folder.mkdir()
    for file in gather_files([archive]):
        if len(file.parts) == 1:
            raise DataError(
                "file-damaged", f"{archive}: this is not a zip archive; rename it with the suffix of its real format"
            )
        copy = folder.joinpath(*file.parts[1:])
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.bytes())
    return _without_wrapping(folder)


def _without_wrapping(folder: Path) -> Path:
    """Return the innermost folder that contains everything; a single wrapping folder is not an annotator."""
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
    """Return the data with the archive's name in the notes."""
    return data.noted(tuple(type(note)(_named(note, folders)) for note in data.notes))
