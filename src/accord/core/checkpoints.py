"""Store finished tasks of a long run in a folder, so that a killed run can continue with the same digits.

Each task of `parallel.spread` has a file. Its name is a digest of everything that the result depends on: the function
with its bound data, and the task. Other data, options or seeds give other names, so outdated results are never used.

The user chooses the folder of a `checkpoint`. The `journal` of a computation is a checkpoint that is finally deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from accord.core.context import resources, using
from accord.core.errors import DataError, SpecError, for_interface, quoted
from accord.core.fingerprints import fingerprint, surroundings
from accord.core.writing import is_unfinished, write_private

_HEAD = "checkpoint.json"
_DIGEST = 16  # bytes before a result
_STAGE = re.compile(r"[0-9a-f]{32}")  # names of the folders of stages


@dataclass(frozen=True)
class Stage:
    """The finished tasks of one function. Workers write their results through it."""

    folder: Path

    def found(self, task: Any) -> tuple[Any] | None:
        """Return the result in a tuple; None if there is none or it is damaged."""
        try:
            kept = self._place(task).read_bytes()
        except OSError:
            return None
        digest, content = kept[:_DIGEST], kept[_DIGEST:]
        if digest != _digest(content):
            return None
        return (pickle.loads(content),)  # noqa: S301 - the user's own files, see SECURITY.md  # nosec B301

    def add(self, task: Any, result: Any) -> None:
        content = pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
        write_private(self._place(task), _digest(content) + content)

    def _place(self, task: Any) -> Path:
        return self.folder / fingerprint(task)


@dataclass(frozen=True)
class Checkpoint:
    """A folder of one run and one version of accord."""

    folder: Path

    def stage(self, function: Callable[..., Any]) -> Stage:
        return Stage(self.folder / fingerprint(function))


def checkpoint(folder: str | Path, purpose: str = "") -> AbstractContextManager[None]:
    """Store finished tasks of long computations in a folder, so that a killed run can continue.

    Parameters
    ----------
    folder : path
        The folder. It is created if it does not exist.
    purpose : str, default ""
        The purpose of the folder. accord refuses a folder with another purpose.

    Returns
    -------
    context manager
        accord stores finished tasks within the `with` block.

    Raises
    ------
    SpecError
        If the folder has another purpose, was written by another version of accord, or is writable by other users.
    DataError
        If the folder contains other files, is damaged or cannot be written.

    Examples
    --------
    >>> rows = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]]
    >>> with accord.checkpoint("kept"):
    ...     accord.score(rows, "percent", interval="bootstrap", replicates=100).value
    0.75
    """
    if not isinstance(folder, str | Path) or not str(folder):
        raise SpecError("option-value", f"a checkpoint must be the path of a folder, not {quoted(folder)}")
    if not isinstance(purpose, str):
        raise SpecError("option-value", f"the purpose of a checkpoint must be text, not {quoted(purpose)}")
    return _kept(Path(folder), purpose, "name a new folder for the checkpoint")


@contextmanager
def journal(folder: Path, purpose: str, resume: bool) -> Iterator[None]:
    """Use the checkpoint of one computation: start over unless `resume`; only one run at a time may use it."""
    if os.path.lexists(folder) and not _is_own(folder):
        raise DataError(
            "output-exists", f"{quoted(folder)} already exists and is not a journal of accord; choose another name"
        )
    head = folder / _HEAD
    if head.exists():
        with _locked(head):
            if not resume:
                remove_journal(folder)
    otherwise = for_interface("start over without --resume")
    with _kept(folder, purpose, otherwise), _locked(head):
        yield


def remove_journal(folder: Path) -> None:
    """Remove the journal, if there is one."""
    if _is_own(folder):
        shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """Return whether a folder contains only files of a checkpoint."""
    try:
        inside = list(folder.iterdir())
    except OSError:
        return False
    return all(path.name == _HEAD or is_unfinished(path) or _STAGE.fullmatch(path.name) for path in inside)


@contextmanager
def _locked(head: Path) -> Iterator[None]:
    """Lock the journal until the end of the context or process, where the system supports locks."""
    with head.open("rb") as file:
        with suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SpecError(
                    "checkpoint",
                    f"{quoted(head.parent)} is in use by another run; wait for it, or choose another name",
                ) from None
        yield


@contextmanager
def _kept(folder: Path, purpose: str, otherwise: str) -> Iterator[None]:
    with using(replace(resources(), checkpoint=_opened(folder, purpose, otherwise))):
        yield


def _opened(folder: Path, purpose: str, otherwise: str) -> Checkpoint:
    """Open or create a checkpoint; `otherwise` is the advice if the folder belongs to another run."""
    mine = {"purpose": purpose, **surroundings()}
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        _check_own(folder)
        head = folder / _HEAD
        if head.exists():
            _check_same(folder, _read(head), mine, otherwise)
        elif not all(map(is_unfinished, folder.iterdir())):
            raise DataError(
                "output-exists", f"{quoted(folder)} contains other files; name a new folder for the checkpoint"
            )
        else:
            write_private(head, json.dumps(mine, indent=1).encode())
    except OSError as error:
        raise DataError(
            "checkpoint",
            f"{quoted(folder)} cannot be used as a checkpoint: {error.strerror or error}; name a new folder",
        ) from None
    return Checkpoint(folder.resolve())


def _check_own(folder: Path) -> None:
    """Refuse a folder that other users can write, because unpickling its files could run their code."""
    if not hasattr(os, "geteuid"):
        return
    about = folder.stat()
    if about.st_uid != os.geteuid() or about.st_mode & 0o022:
        raise SpecError(
            "unsafe-file",
            f"{quoted(folder)} is writable by other users, who could make accord run their code; "
            "name a folder of your own for the checkpoint, or use chmod go-w",
        )


def _read(head: Path) -> dict[str, Any]:
    try:
        found = json.loads(head.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise DataError(
            "saved-file-invalid", f"{quoted(head)} is damaged; name a new folder for the checkpoint, or remove this one"
        )
    return found


def _check_same(folder: Path, kept: dict[str, Any], mine: dict[str, Any], otherwise: str) -> None:
    for name, value in mine.items():
        if kept.get(name) == value:
            continue
        if name == "purpose":
            raise SpecError(
                "saved-file-invalid",
                f"{quoted(folder)} belongs to another run (other files, measures or options); repeat that run, or "
                f"{otherwise}",
            )
        raise SpecError(
            "saved-file-invalid",
            f"{quoted(folder)} was written with {name} {kept.get(name)}, but this is {name} {value}; {otherwise}",
        )


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()
