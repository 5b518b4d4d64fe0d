"""Files for readers: on disk, in a folder, or in an untrusted archive."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any

from accord.core.context import Run
from accord.core.errors import DataError, counted
from accord.data.io.naming import parts_of
from accord.data.io.opening import decoded, encoding_of, may_open, unreadable

FINDING = "finding files"
HEAD = 1 << 16  # bytes that show the format of a file
_MOST_HELD = 1 << 28  # bytes of heads of files that are kept until the files are read
_LONGEST_VALUE = 1 << 23  # bytes in which the first JSON value must end; a task may contain a whole book
LARGEST = 1 << 28  # bytes of one file
_LARGEST_ARCHIVE = 1 << 31  # bytes of all files of an archive, once unpacked
_MOST_FILES = 200_000  # files of an archive
_WINDOW = 1 << 20
_DEEPEST = 2  # levels of archives in archives; project exports have an archive per annotator
_HIDDEN = (".", "~$", "__MACOSX")  # files of the operating system and of editors


@dataclass(frozen=True, eq=False)
class File:
    """A file: its name in messages, its path below the given path, and its bytes, read when needed."""

    name: str
    parts: tuple[str, ...]  # ("Ana", "d1.ann"): folders below the given path, and the name
    opened: Callable[[int], bytes]  # reads at most this number of bytes

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the file to another process without its cached bytes."""
        return File, (self.name, self.parts, self.opened)

    @cached_property
    def suffix(self) -> str:
        return PurePosixPath(self.parts[-1]).suffix.lower()

    @property
    def stem(self) -> str:
        return PurePosixPath(self.parts[-1]).stem

    @property
    def folder(self) -> tuple[str, ...]:
        return self.parts[:-1]

    @cached_property
    def head(self) -> bytes:
        """The first bytes, which show the format."""
        return self.opened(HEAD)

    def let_go(self, held: int) -> int:
        """Drop the head if the heads of all files exceed a limit. Return the number of bytes kept."""
        held += len(self.__dict__.get("head", b""))
        if held > _MOST_HELD:
            held -= len(self.__dict__.pop("head", b""))
        return held

    @property
    def beginning(self) -> str:
        """The first bytes as text, without bytes that cannot be decoded."""
        return self.head.decode(encoding_of(self.head[:4]), errors="ignore").lstrip("\ufeff")

    @cached_property
    def first_value(self) -> Any:
        """The first value of JSON: the first entry of a list, or the first of JSON lines.

        None if the file is not JSON, or if its first value is longer than the part that is examined.
        """
        text = self.beginning.lstrip()
        if not text.startswith(("{", "[")):
            return None
        found = _first(text)
        if found is None and len(self.head) == HEAD:
            head = self.opened(_LONGEST_VALUE)
            found = _first(head.decode(encoding_of(head[:4]), errors="ignore").lstrip("\ufeff").lstrip())
        return found

    def bytes(self) -> bytes:
        head = self.__dict__.pop("head", b"")  # the head contains the whole of a small file
        content = head if 0 < len(head) < HEAD else self.opened(LARGEST + 1)
        if len(content) > LARGEST:
            raise DataError(
                "file-too-large", f"{self.name}: larger than {LARGEST >> 20} MB; split it into several files"
            )
        return content

    def text(self, encoding: str | None = None) -> str:
        """Return the decoded text with its line ends, because offsets count them."""
        return decoded(self.bytes(), self.name, encoding)


def _first(text: str) -> Any:
    try:
        return json.JSONDecoder().raw_decode(text.removeprefix("[").lstrip())[0]
    except (ValueError, RecursionError):
        return None


def list_unopened(folder: Path) -> list[str]:
    """List pipes, sockets and devices in a folder and below it. accord does not open them."""
    return [
        str(Path(here, name).relative_to(folder))
        for here, _, names in os.walk(folder)
        for name in sorted(names)
        if not may_open(Path(here, name))
    ]


def gather_files(paths: Sequence[Path], run: Run | None = None) -> list[File]:
    """Return all files of the paths, with the files in folders, in their subfolders and in archives."""
    tell = (run or Run()).progress
    listed = [
        found
        for path, above in zip(paths, _folders_above(paths), strict=True)
        for found in (_below(str(path), above) if path.is_dir() else [(str(path), (*above, path.name))])
    ]
    files: list[File] = []
    held = 0
    for done, (name, parts) in enumerate(listed):
        tell(FINDING, done, len(listed))
        file = File(name, parts, partial(_read, name))
        files += _unpacked(file) if _is_archive(file) else (file,)
        held = file.let_go(held)
    tell(FINDING, len(listed), len(listed))
    return files


def _folders_above(paths: Sequence[Path]) -> list[tuple[str, ...]]:
    """Return the folders that distinguish the given paths: none if their files have different names.

    The files of Ana/ and Ben/ may have the same names; then the names of the folders are those of annotators.
    """
    names = [parts for path in paths for parts in _parts_below(path)] if len(paths) > 1 else []
    if len(set(names)) == len(names):
        return [()] * len(paths)
    return [above if path.is_dir() else above[:-1] for path, above in zip(paths, parts_of(paths), strict=True)]


def _parts_below(path: Path) -> list[tuple[str, ...]]:
    return [parts for _, parts in _below(str(path), ())] if path.is_dir() else [(path.name,)]


def find_companions(paths: Sequence[Path]) -> list[File]:
    """Return files in the folders of the given files: texts, type systems of UIMA, extents of recordings."""
    folders = {path.parent: above for path, above in zip(paths, _folders_above(paths), strict=True) if path.is_file()}
    named = {path.resolve() for path in paths}
    stems = {path.stem for path in paths}
    beside = [
        found
        for folder in sorted(folders)
        for found in sorted(folder.iterdir())
        if found.is_file() and found.resolve() not in named and (found.stem in stems or _serves_all(found))
    ]
    return [File(str(path), (*folders[path.parent], path.name), partial(_read, str(path))) for path in beside]


def _serves_all(path: Path) -> bool:
    return path.suffix.lower() == ".uem" or "typesystem" in path.name.lower()


def _below(folder: str, parts: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield files in a folder and below it, sorted by name. Links to folders are not followed."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise unreadable(folder, error) from error
    for entry in entries:
        if not entry.name.startswith(_HIDDEN):
            if entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path, (*parts, entry.name))
            elif entry.is_file():
                yield entry.path, (*parts, entry.name)


def _read(path: str, most: int) -> bytes:
    try:
        with open(path, "rb") as stream:
            return b"".join(_in_windows(stream, most))
    except OSError as error:
        raise unreadable(path, error) from error


# These archives are one document each, and have their own readers.
_WHOLE = (".xlsx", ".xls", ".xlsm", ".ods", ".parquet", ".pq", ".docx", ".odt", ".qdpx", ".npz")


def _is_archive(file: File) -> bool:
    return file.suffix not in _WHOLE and file.head.startswith(b"PK\x03\x04")


def unpack_archive(file: File) -> list[File]:
    """Return the files in a document that is an archive, for example .qdpx."""
    return list(_unpacked(file))


@dataclass
class _Allowed:
    """Remaining numbers of files and bytes that an archive and its inner archives may contain."""

    files: int
    bytes: int


def _unpacked(outer: File, allowed: _Allowed | None = None, depth: int = 1) -> Iterator[File]:
    """Yield the files of an archive. Refuse names that lead out of it, and archives that exceed the limits."""
    allowed = allowed or _Allowed(_MOST_FILES, _LARGEST_ARCHIVE)
    content = outer.opened(_LARGEST_ARCHIVE)
    try:
        archive = zipfile.ZipFile(BytesIO(content))
        entries = [
            entry for entry in archive.infolist() if not entry.filename.endswith("/")
        ]  # folders, and entries without a name
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise DataError(
            "file-damaged", f"{outer.name}: the archive is damaged: {error}; download or pack it again"
        ) from error
    _check(outer, entries, allowed)
    for entry in sorted(entries, key=lambda one: one.filename):
        parts = tuple(part for part in PurePosixPath(entry.filename).parts if part != ".")
        if any(part.startswith(_HIDDEN) for part in parts):
            continue
        inside = File(f"{outer.name}/{entry.filename}", (*outer.parts, *parts), _Entry(outer, archive, entry))
        if _is_archive(inside) and depth < _DEEPEST:
            yield from _unpacked(inside, allowed, depth + 1)
        else:
            yield inside


def _check(outer: File, entries: Sequence[zipfile.ZipInfo], allowed: _Allowed) -> None:
    allowed.files -= len(entries)
    allowed.bytes -= sum(entry.file_size for entry in entries)
    if allowed.files < 0:
        raise DataError(
            "file-too-large",
            f"{outer.name}: {counted(len(entries), 'file')} in one archive; unpack it and read the folder",
        )
    if allowed.bytes < 0:
        raise DataError(
            "file-too-large",
            f"{outer.name}: unpacks to more than {_LARGEST_ARCHIVE >> 30} GB; unpack it and read the folder",
        )
    for entry in entries:
        path = PurePosixPath(entry.filename.replace("\\", "/"))
        if not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
            raise DataError(
                "unsafe-file",
                f"{outer.name}: the path of entry {entry.filename!r} leads out of the archive; "
                "pack the files again with relative paths",
            )
        if reason := cannot_unpack(entry):
            raise DataError(
                "unsafe-file", f"{outer.name}: {entry.filename!r} is {reason}; unpack the archive and read the folder"
            )


def cannot_unpack(entry: zipfile.ZipInfo) -> str | None:
    """Return why an entry cannot be unpacked in bounded memory. Python decompresses rare methods in one step."""
    if entry.flag_bits & 1:
        return "encrypted"
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        return f"compressed with an unsupported method ({entry.compress_type})"
    return None


def read_windows(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int | None = None) -> Iterator[bytes]:
    """Yield the bytes of an entry in windows, up to its declared size and up to `most`."""
    with archive.open(entry) as stream:
        yield from _in_windows(stream, most)


def _in_windows(stream: IO[bytes], most: int | None) -> Iterator[bytes]:
    """Read in windows: `stream.read(most)` would allocate that much memory even for a small file."""
    while (most is None or most > 0) and (window := stream.read(_WINDOW if most is None else min(most, _WINDOW))):
        yield window
        most = None if most is None else most - len(window)


@dataclass(frozen=True, eq=False)
class _Entry:
    """Reads the bytes of a file in an archive on demand."""

    outer: File
    archive: zipfile.ZipFile
    entry: zipfile.ZipInfo

    def __call__(self, most: int) -> bytes:
        try:
            return b"".join(read_windows(self.archive, self.entry, most))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError) as error:
            raise self._trouble(error) from error

    def _trouble(self, error: Exception) -> DataError:
        return DataError(
            "file-damaged",
            f"{self.outer.name}: {self.entry.filename!r} cannot be unpacked: {error}; "
            "download or pack the archive again",
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Unpack in this process, and send the bytes or the error to another process."""
        try:
            return _Unpacked, (self(LARGEST + 1), None)
        except DataError as error:
            return _Unpacked, (b"", error)


@dataclass(frozen=True, eq=False)
class _Unpacked:
    content: bytes
    trouble: DataError | None

    def __call__(self, most: int) -> bytes:
        if self.trouble is not None:
            raise self.trouble
        return self.content[:most]
