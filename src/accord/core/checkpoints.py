"""Finished tasks of a long run, kept in a folder: a run that was killed continues from there, with the same digits.

Each task of `parallel.spread` has a file, named after everything that its result depends on: the function with the data
bound to it, and the task. Other data, options or seeds have other names, so that no outdated result is ever used.

A user names the folder of a `checkpoint`. The `journal` of a computation is a checkpoint that lives until it is done.
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
_DIGEST = 16  # bytes in front of a result
_STAGE = re.compile(r"[0-9a-f]{32}")  # names of folders


@dataclass(frozen=True)
class Stage:
    """The finished tasks of one function. Workers have it, and write their own results."""

    folder: Path

    def found(self, task: Any) -> tuple[Any] | None:
        """The result, in a tuple; None where there is none, or it is damaged."""
        try:
            kept = self._place(task).read_bytes()
        except OSError:
            return None
        digest, content = kept[:_DIGEST], kept[_DIGEST:]
        if digest != _digest(content):
            return None
        return (pickle.loads(content),)  # noqa: S301 - the user's own: see SECURITY.md  # nosec B301

    def add(self, task: Any, result: Any) -> None:
        content = pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
        write_private(self._place(task), _digest(content) + content)

    def _place(self, task: Any) -> Path:
        return self.folder / fingerprint(task)


@dataclass(frozen=True)
class Checkpoint:
    """A folder that belongs to one run and one version of accord."""

    folder: Path

    def stage(self, function: Callable[..., Any]) -> Stage:
        return Stage(self.folder / fingerprint(function))


def checkpoint(folder: str | Path, purpose: str = "") -> AbstractContextManager[None]:
    """Keep the finished tasks of long work in a folder: a run that was killed continues from there.

    Parameters
    ----------
    folder : path
        The folder. It is created if it does not exist.
    purpose : str, default ""
        What the folder is for. A folder that was made for another purpose is refused.

    Returns
    -------
    context manager
        Long work within the `with` block is kept.

    Raises
    ------
    SpecError
        If the folder was made for another purpose or by another version of accord, or if others can write to it.
    DataError
        If the folder holds other files, is damaged or cannot be written.

    Examples
    --------
    >>> rows = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]]
    >>> with accord.checkpoint("kept"):
    ...     accord.score(rows, "percent", interval="bootstrap", replicates=100).value
    0.75
    """
    if not isinstance(folder, str | Path) or not str(folder):
        raise SpecError("option-value", f"a checkpoint is a folder, not {quoted(folder)}")
    if not isinstance(purpose, str):
        raise SpecError("option-value", f"the purpose of a checkpoint is text, not {quoted(purpose)}")
    return _kept(Path(folder), purpose, "name a new folder for the checkpoint")


@contextmanager
def journal(folder: Path, purpose: str, resume: bool) -> Iterator[None]:
    """The checkpoint of one computation: started over unless `resume`, and used by one run at a time."""
    if os.path.lexists(folder) and not _is_own(folder):
        raise DataError(
            "output-exists", f"{quoted(folder)} is there already, and no journal of accord; choose another name"
        )
    head = folder / _HEAD
    if head.exists():
        with _locked(head):
            if not resume:
                remove_journal(folder)
    otherwise = for_interface("leave --resume out to start over")
    with _kept(folder, purpose, otherwise), _locked(head):
        yield


def remove_journal(folder: Path) -> None:
    """Remove what is finished, if there is any."""
    if _is_own(folder):
        shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """Whether a folder holds nothing but what a checkpoint holds."""
    try:
        inside = list(folder.iterdir())
    except OSError:
        return False
    return all(path.name == _HEAD or is_unfinished(path) or _STAGE.fullmatch(path.name) for path in inside)


@contextmanager
def _locked(head: Path) -> Iterator[None]:
    """Until the end of the context, or of the process. Where files cannot be locked, their names keep runs apart."""
    with head.open("rb") as file:
        with suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SpecError(
                    "checkpoint",
                    f"{quoted(head.parent)} is being written by another run; wait for it, or choose another name",
                ) from None
        yield


@contextmanager
def _kept(folder: Path, purpose: str, otherwise: str) -> Iterator[None]:
    with using(replace(resources(), checkpoint=_opened(folder, purpose, otherwise))):
        yield


def _opened(folder: Path, purpose: str, otherwise: str) -> Checkpoint:
    """`otherwise` is what to do where the folder belongs to another run."""
    mine = {"purpose": purpose, **surroundings()}
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        _check_own(folder)
        head = folder / _HEAD
        if head.exists():
            _check_same(folder, _read(head), mine, otherwise)
        elif not all(map(is_unfinished, folder.iterdir())):
            raise DataError(
                "output-exists", f"{quoted(folder)} holds other files: name a new folder for the checkpoint"
            )
        else:
            write_private(head, json.dumps(mine, indent=1).encode())
    except OSError as error:
        raise DataError("checkpoint", f"{quoted(folder)} cannot be a checkpoint: {error.strerror or error}") from None
    return Checkpoint(folder.resolve())


def _check_own(folder: Path) -> None:
    """Results are unpickled: everybody who can write there can run code."""
    if not hasattr(os, "geteuid"):
        return
    about = folder.stat()
    if about.st_uid != os.geteuid() or about.st_mode & 0o022:
        raise SpecError(
            "unsafe-file",
            f"{quoted(folder)} can be written by others, who could make accord run their code: "
            "name a folder of your own (chmod go-w) for the checkpoint",
        )


def _read(head: Path) -> dict[str, Any]:
    try:
        found = json.loads(head.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise DataError(
            "saved-file-invalid", f"{quoted(head)} is damaged: name a new folder for the checkpoint, or remove this one"
        )
    return found


def _check_same(folder: Path, kept: dict[str, Any], mine: dict[str, Any], otherwise: str) -> None:
    for name, value in mine.items():
        if kept.get(name) == value:
            continue
        if name == "purpose":
            raise SpecError(
                "saved-file-invalid",
                f"{quoted(folder)} was left by another run (other files, measures or options): repeat that one, or "
                f"{otherwise}",
            )
        raise SpecError(
            "saved-file-invalid",
            f"{quoted(folder)} was left by {name} {kept.get(name)}, and this is {value}: {otherwise}",
        )


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()
