"""A simulated disk: the k-th write operation below a folder fails, once or from then on."""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

_NAMED = ("mkdir", "chmod", "replace", "rename")  # functions of os whose first argument is a path


@dataclass
class Disk:
    """Counts write operations below a folder. Operation `fails_at` (from 0) fails, with `stays` all later ones too."""

    folder: Path
    fails_at: int = -1
    stays: bool = True
    happens: Callable[[], None] | None = None  # called instead of raising an error, to kill the process
    done: list[str] = field(default_factory=list)
    handles: set[int] = field(default_factory=set)

    def _is_here(self, path: object) -> bool:
        return isinstance(path, str | bytes | os.PathLike) and str(self.folder) in os.path.abspath(os.fsdecode(path))

    def _turn(self, what: str) -> bool:
        """Count an operation, and return whether it fails."""
        number = len(self.done)
        self.done.append(what)
        return 0 <= self.fails_at <= number if self.stays else number == self.fails_at

    def fail(self, what: str) -> None:
        if self._turn(what):
            self.fall()

    def fall(self) -> None:
        if self.happens is not None:
            self.happens()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    @contextmanager
    def mounted(self) -> Iterator[Disk]:
        with pytest.MonkeyPatch.context() as patch:
            for name in _NAMED:
                patch.setattr(os, name, self._watched(name, getattr(os, name)))
            for module in (builtins, io):
                patch.setattr(module, "open", self._opening(open))
            real_open, real_write, real_sync = os.open, os.write, os.fsync

            def opened(path: Any, flags: int, *more: Any, **named: Any) -> int:
                mine = self._is_here(path) and bool(flags & (os.O_WRONLY | os.O_RDWR))
                if mine:
                    self.fail("open")
                handle = real_open(path, flags, *more, **named)
                (self.handles.add if mine else self.handles.discard)(handle)
                return handle

            def wrote(handle: int, content: bytes) -> int:
                if handle in self.handles and self._turn("write"):
                    real_write(handle, content[: len(content) // 2])
                    self.fall()
                return real_write(handle, content)

            def synced(handle: int) -> None:
                self.fail("sync")
                real_sync(handle)

            patch.setattr(os, "open", opened)
            patch.setattr(os, "write", wrote)
            patch.setattr(os, "fsync", synced)
            yield self

    def _watched(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def watched(path: Any, *more: Any, **named: Any) -> Any:
            is_there = name == "mkdir" and os.path.isdir(path)  # does not write
            if self._is_here(path) and not is_there:
                self.fail(name)
            return real(path, *more, **named)

        return watched

    def _opening(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def opening(path: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
            if not (set(mode) & set("wax+") and self._is_here(path)):
                return real(path, mode, *more, **named)
            self.fail("open")
            return _File(real(path, mode, *more, **named), self)

        return opening


class _File:
    """A file in which a failing write stores half of its content."""

    def __init__(self, file: Any, disk: Disk) -> None:
        self._file, self._disk, self._wrote = file, disk, False

    def write(self, content: Any) -> Any:
        self._wrote = True
        if self._disk._turn("write"):
            self._file.write(content[: len(content) // 2])
            self._file.flush()
            self._disk.fall()
        return self._file.write(content)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        if error[0] is None and self._wrote:
            self._disk.fail("close")


def content_of(path: Path) -> dict[str, bytes] | None:
    """Return the content of a file, or of all files in a folder; None if the path does not exist."""
    if path.is_file():
        return {"": path.read_bytes()}
    if not path.exists():
        return None
    return {str(one.relative_to(path)): one.read_bytes() for one in sorted(path.rglob("*")) if one.is_file()}
