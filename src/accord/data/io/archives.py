"""Archives whose files are read where they lie, as texts are: unpacked aside, and named as they were."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from accord.core.errors import DataError
from accord.data.io.formats.files import gathered
from accord.data.model.data import Data

Read = Callable[[Sequence[Path]], dict[str, Data] | None]


def unpacked(paths: Sequence[Path], read: Read) -> dict[str, Data] | None:
    """What `read` makes of paths, with folders in the place of archives. What it gives must not need them later."""
    archives = [path for path in paths if path.suffix.lower() == ".zip" and path.is_file()]
    if not archives:
        return read(paths)
    with tempfile.TemporaryDirectory(prefix="accord-") as aside:
        folders = {path: _unpacked(path, Path(aside)) for path in dict.fromkeys(archives)}
        try:
            found = read([folders.get(path, path) for path in paths])
        except DataError as error:
            raise DataError(_named(str(error), folders)) from error
    if found is None:
        return None
    return {name: _renamed(data, folders) for name, data in found.items()}


def _unpacked(archive: Path, aside: Path) -> Path:
    """A folder that is called as the archive is: several of them may be annotators."""
    folder = aside / archive.stem
    while folder.exists():
        folder = folder.with_name(f"{folder.name}+")
    folder.mkdir()
    for file in gathered([archive]):
        if len(file.parts) == 1:
            raise DataError(f"{archive}: this is no zip archive, whatever its name says; rename it to what it is")
        copy = folder.joinpath(*file.parts[1:])
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.bytes())
    return _without_wrapping(folder)


def _without_wrapping(folder: Path) -> Path:
    """Often all is in one folder in the archive, which says nothing."""
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
