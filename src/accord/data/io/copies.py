"""Copies among the given files: an archive beside its unpacked folder, and files with the same bytes.

A copy would be read as a second annotator, who agrees everywhere. accord refuses files that are copies by their names
and contents. Two annotators may agree everywhere, so identical files with other names are only noted.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import TypeVar

from accord.core.errors import DataError, quoted
from accord.data.io.naming import is_about_others
from accord.data.io.reading import Reading

_MOST_FILES = 50_000  # with more files, copies are not looked for
_MOST_LISTED = 6
_WINDOW = 1 << 20
_HIDDEN = (".", "~$", "__MACOSX")
_WORD = r"(?:copy|copie|kopie|copia|kopia|kópia)"
# Endings and beginnings that systems give to copies: anna (1), anna - Copy, anna_copy, anna copy 2, Copy of anna.
_ENDING = re.compile(rf"(?:\s*\(\d+\)|\s*[-_ ]\s*{_WORD}(?:\s*\(?\d+\)?)?|\s*\({_WORD}(?:\s*\d+)?\))+\Z", re.IGNORECASE)
_BEGINNING = re.compile(rf"\A{_WORD}\s*(?:\(\d+\)\s*)?(?:of|von|de|di|da)\s+", re.IGNORECASE)
_A_WORD = re.compile(rf"(?<![^\W\d_]){_WORD}(?![^\W\d_])", re.IGNORECASE)
_ANNOTATIONS = (".ann", ".a1", ".a2", ".aa")  # the text of such a file is the same for all annotators
_SHARED = ("docs.csv", "judged.csv")


def without_ending_of_copy(stem: str) -> str:
    """Return the name without what a system adds to copies: `anna (1)`, `anna - Copy` and `Copy of anna` are anna."""
    return _BEGINNING.sub("", _ENDING.sub("", stem)) or stem


def refuse_copies(given: Sequence[str | os.PathLike[str]], how: Reading) -> list[str]:
    """Refuse files that are copies of other given files; return notes on identical files.

    `--annotators-in` and `--names` declare who annotated the files, so that copies are only noted.
    """
    paths = [Path(path) for path in dict.fromkeys(map(str, given)) if "://" not in str(path) and str(path) != "-"]
    files = list(_files(paths))
    if not 1 < len(files) <= _MOST_FILES:
        return []
    declared = how.annotators_in is not None or how.names is not None
    copies = [*_unpacked_archives(files), *_identical(files)]
    refused = next((copy for copy in copies if copy.sure), None)
    if refused is not None and not declared:
        raise DataError("repeated-document", refused.message(paths, {copy.path for copy in copies if copy.sure}))
    return [*_notes(copies), *_notes_on_names(files, copies)]


@dataclass(frozen=True)
class _Copy:
    """A path that is a copy of another one. It is `sure` if the names say so, too."""

    path: Path
    original: Path
    sure: bool
    archive: bool = False

    def message(self, given: Sequence[Path], copies: Set[Path]) -> str:
        """Return the message that refuses the copy, with arguments that read the rest."""
        if self.archive:
            fact = f"{self.path}: this archive contains the files of {self.original}, so accord would read them twice"
        else:
            what = "folder" if self.path.is_dir() else "file"
            fact = f"{self.path}: this {what} is a copy of {self.original}, so accord would count an annotator twice"
        rest = _rest(given, copies)
        below = self.path not in given and self.path.parent not in given  # one of the files in a folder per annotator
        folders = self.archive or self.path.is_dir() or below
        what = "documents" if below and self.path.is_file() and not self.archive else "annotators"
        otherwise = f"or use --annotators-in {'folders' if folders else 'files'} if these are two {what}"
        if rest is None:
            return f"{fact}; remove it, {otherwise}"
        listed = " ".join(shlex.quote(str(path)) for path in rest)
        return f"{fact}; give only {listed}, {otherwise}"


def _rest(given: Sequence[Path], copies: Set[Path]) -> list[Path] | None:
    """Return the given paths, or the entries of the given folder, without copies; None if they are too many."""
    inside = {path.parent for path in copies - set(given)}
    if inside and inside != set(given):
        return None  # the copies are in folders below
    rest = [path for path in (_entries(given[0]) if inside else given) if path not in copies]
    return rest if 0 < len(rest) <= _MOST_LISTED else None


def _entries(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if not path.name.startswith(_HIDDEN) and not is_about_others(path.name)
    )


@dataclass(frozen=True)
class _File:
    """A file among the given ones."""

    path: Path
    size: int

    @cached_property
    def digest(self) -> bytes:
        found = hashlib.blake2b()
        for window in self._windows():
            found.update(window)
        return found.digest()

    @cached_property
    def crc(self) -> int:
        found = 0
        for window in self._windows():
            found = zlib.crc32(window, found)
        return found

    def _windows(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as stream:
                while window := stream.read(_WINDOW):
                    yield window
        except OSError:
            yield os.fsencode(self.path)  # its reader reports the error


def _files(paths: Iterable[Path]) -> Iterator[_File]:
    """Yield the given files and those in given folders, without empty and hidden ones."""
    for path in paths:
        if path.is_dir():
            for folder, inside, names in os.walk(path):
                inside[:] = sorted(name for name in inside if not name.startswith(_HIDDEN))
                yield from _not_empty(Path(folder, name) for name in sorted(names) if not name.startswith(_HIDDEN))
        else:
            yield from _not_empty([path])


def _not_empty(paths: Iterable[Path]) -> Iterator[_File]:
    for path in paths:
        if path.is_file() and (size := path.stat().st_size) and not is_about_others(path.name):
            yield _File(path, size)


# -- archives beside their unpacked folders --


def _unpacked_archives(files: Sequence[_File]) -> Iterator[_Copy]:
    """Yield archives whose files are also among the other files."""
    by_name: dict[str, list[_File]] = defaultdict(list)
    for file in files:
        by_name[file.path.name].append(file)
    for file in files:
        if file.path.suffix.lower() == ".zip" and (copy := _unpacked(file.path, by_name)) is not None:
            yield copy


def _unpacked(archive: Path, by_name: dict[str, list[_File]]) -> _Copy | None:
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = [entry for entry in opened.infolist() if _is_data(entry)]
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return None  # its reader reports the error
    folders: Counter[Path] = Counter()
    same: Counter[Path] = Counter()
    for entry in entries:
        for file in by_name.get(PurePosixPath(entry.filename).name, ()):
            folder = _folder_of(file.path, entry.filename)
            folders[folder] += 1
            same[folder] += file.size == entry.file_size and file.crc == entry.CRC
    if not folders:
        return None
    folder = max(folders, key=lambda one: (same[one], folders[one]))
    stem = without_ending_of_copy(archive.stem)
    inside = {PurePosixPath(entry.filename).parts[0] for entry in entries}
    alike = folder.parent == archive.parent and stem in {folder.name, without_ending_of_copy(folder.name)}
    here = folder == archive.parent and len(inside) == 1 and (folder / next(iter(inside))).is_dir()
    if (alike or here) and (folders[folder] >= len(entries) or 2 * same[folder] > len(entries)):
        return _Copy(archive, folder / next(iter(inside)) if here else folder, sure=True, archive=True)
    if same[folder] == len(entries):
        return _Copy(archive, folder, sure=len(entries) > 1, archive=True)
    return None


def _is_data(entry: zipfile.ZipInfo) -> bool:
    hidden = any(part.startswith(_HIDDEN) for part in PurePosixPath(entry.filename).parts)
    return bool(entry.file_size) and not entry.is_dir() and not hidden


def _folder_of(path: Path, entry: str) -> Path:
    """Return the folder in which an entry of an archive was unpacked, as far as the path contains its folders."""
    folder = path.parent
    for part in reversed(PurePosixPath(entry).parts[:-1]):
        if folder.name != part:
            break
        folder = folder.parent
    return folder


# -- files and folders with the same bytes --


def _identical(files: Sequence[_File]) -> Iterator[_Copy]:
    """Yield identical files of one folder, and identical folders of one folder."""
    marked = [file for file in files if not _is_shared(file.path)]
    yield from _same(marked, lambda file: (file.path.parent, file.size), lambda file: file.digest)
    inside: dict[Path, list[_File]] = defaultdict(list)
    for file in marked:
        inside[file.path.parent].append(file)
    folders = [_Folder(path, tuple(sorted(held, key=lambda file: file.path.name))) for path, held in inside.items()]
    yield from _same(folders, lambda one: (one.path.parent, one.sizes), lambda one: one.digest)


@dataclass(frozen=True)
class _Folder:
    """The files of a folder."""

    path: Path
    files: tuple[_File, ...]

    @property
    def sizes(self) -> Hashable:
        return tuple((file.path.name, file.size) for file in self.files)

    @property
    def digest(self) -> Hashable:
        return tuple(file.digest for file in self.files)


_Held = TypeVar("_Held", _File, _Folder)


def _is_shared(path: Path) -> bool:
    """Return whether all annotators have the same file: the text of an annotation, a type system, docs.csv."""
    is_text = path.suffix.lower() in {".txt", ".ac"}
    text = is_text and any(path.with_suffix(suffix).exists() for suffix in _ANNOTATIONS)
    return text or "typesystem" in path.name.lower() or path.name.lower() in _SHARED or path.suffix.lower() == ".uem"


def _same(
    found: Sequence[_Held], likely: Callable[[_Held], Hashable], digest: Callable[[_Held], Hashable]
) -> Iterator[_Copy]:
    """Yield files or folders with equal digests. Digests are computed only for those that are `likely` the same."""
    by_size: dict[Hashable, list[_Held]] = defaultdict(list)
    for one in found:
        by_size[likely(one)].append(one)
    for group in by_size.values():
        by_digest: dict[Hashable, list[Path]] = defaultdict(list)
        for one in group if len(group) > 1 else ():
            by_digest[digest(one)].append(one.path)
        for same in by_digest.values():
            yield from (_copy(a, b) for a, b in pairwise(same))


def _copy(a: Path, b: Path) -> _Copy:
    """Return two identical paths; the copy is the one with the longer name."""
    original, copy = sorted((a, b), key=lambda path: (len(path.stem), path.name))
    stems = {without_ending_of_copy(a.stem), without_ending_of_copy(b.stem)}
    return _Copy(copy, original, sure=len(stems) == 1 and a.suffix == b.suffix)


def _notes(copies: Sequence[_Copy]) -> list[str]:
    if not copies:
        return []
    first = copies[0]
    more = f" (and {len(copies) - 1:,} more)" if len(copies) > 1 else ""
    if first.archive:
        return [f"{first.path.name} contains the same files as {first.original}{more}; is one of them a copy?"]
    names = " and ".join(sorted(path.name for path in (first.original, first.path)))
    return [f"{names} are identical{more}; check that they are by two annotators, and not copies"]


def _notes_on_names(files: Sequence[_File], copies: Sequence[_Copy]) -> list[str]:
    """Return a note on a file that is named as a copy of another one, but has other content."""
    known = {copy.path for copy in copies}
    there = {(file.path.parent, file.path.name): file.path for file in files}
    for file in files:
        path = file.path
        original = without_ending_of_copy(path.stem)
        beside = (path.parent, original + path.suffix) in there and original != path.stem
        if beside and path not in known and _A_WORD.search(path.stem):
            other = quoted(original + path.suffix)
            return [f"{quoted(path.name)} is named as a copy of {other}, but their contents differ"]
    return []
