"""What a long run has finished, kept in a folder: a run that was killed goes on from there, with the same digits.

Each task of `parallel.spread` has a file, named after all that its result depends on: the function with the data bound
to it, and the task. Other data, options or seeds have other names, so nothing stale is ever taken for the result.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.core.errors import DataError, SpecError, quoted
from accord.core.fingerprints import fingerprint, surroundings
from accord.core.writing import is_unfinished, write_private

_HEAD = "checkpoint.json"
_DIGEST = 16  # bytes in front of what is kept
_CURRENT: ContextVar[Checkpoint | None] = ContextVar("checkpoint", default=None)


@dataclass(frozen=True)
class Stage:
    """The finished tasks of one function. It goes to workers, who keep what they have done themselves."""

    folder: Path

    def found(self, task: Any) -> tuple[Any] | None:
        """The result, in a tuple of its own; None where it is not there, or damaged."""
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
    """A folder that belongs to one run, and to one version of accord."""

    folder: Path

    def stage(self, function: Callable[..., Any]) -> Stage:
        return Stage(self.folder / fingerprint(function))


def current() -> Checkpoint | None:
    return _CURRENT.get()


def checkpoint(folder: str | Path, purpose: str = "") -> AbstractContextManager[None]:
    """Long work within it is kept in a folder, task by task: what was killed goes on from there.

        with accord.checkpoint("kept"):
            accord.score("spans.csv", "gamma")

    `purpose` says what the folder is for; one that was made for something else is refused.
    """
    if not isinstance(folder, str | Path) or not str(folder):
        raise SpecError(f"a checkpoint is a folder, not {quoted(folder)}")
    if not isinstance(purpose, str):
        raise SpecError(f"the purpose of a checkpoint is text, not {quoted(purpose)}")
    return _kept(Path(folder), purpose)


@contextmanager
def _kept(folder: Path, purpose: str) -> Iterator[None]:
    token = _CURRENT.set(_opened(folder, purpose))
    try:
        yield
    finally:
        _CURRENT.reset(token)


@contextmanager
def kept_by_caller() -> Iterator[None]:
    """What a task itself spreads is not kept: the task is."""
    token = _CURRENT.set(None)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def _opened(folder: Path, purpose: str) -> Checkpoint:
    mine = {"purpose": purpose, **surroundings()}
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        _check_own(folder)
        head = folder / _HEAD
        if head.exists():
            _check_same(folder, _read(head), mine)
        elif not all(map(is_unfinished, folder.iterdir())):
            raise DataError(f"{quoted(folder)} holds other files: name a new folder for the checkpoint")
        else:
            write_private(head, json.dumps(mine, indent=1).encode())
    except OSError as error:
        raise DataError(f"{quoted(folder)} cannot be a checkpoint: {error.strerror or error}") from None
    return Checkpoint(folder.resolve())


def _check_own(folder: Path) -> None:
    """What is kept is unpickled: who can write there can run code."""
    if not hasattr(os, "geteuid"):
        return
    about = folder.stat()
    if about.st_uid != os.geteuid() or about.st_mode & 0o022:
        raise SpecError(f"{quoted(folder)} can be written by others, who could make accord run their code: "
                        "name a folder of your own (chmod go-w) for the checkpoint")  # fmt: skip


def _read(head: Path) -> dict[str, Any]:
    try:
        found = json.loads(head.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise DataError(f"{quoted(head)} is damaged: name a new folder for the checkpoint, or remove this one")
    return found


def _check_same(folder: Path, kept: dict[str, Any], mine: dict[str, Any]) -> None:
    for name, value in mine.items():
        if kept.get(name) == value:
            continue
        if name == "purpose":
            raise SpecError(
                f"{quoted(folder)} was left by another run (other files, measures or options): repeat that one, or "
                "name a new folder for the checkpoint"
            )
        raise SpecError(
            f"{quoted(folder)} was left by {name} {kept.get(name)}, and this is {value}: name a new folder for the "
            "checkpoint"
        )


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()
