"""What a long run has finished: a file of JSON lines beside its output, so that a killed run can go on."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from accord.core.errors import DataError, SpecError, quoted

_BEGINS = re.compile(r'\["[0-9a-f]*')  # a line: the digest of its run comes first
_BEGINNING = 18  # signs of that


@dataclass(frozen=True)
class Journal:
    """A line for each finished task, with the digest of the run that it is of: lines of another run say nothing here.

    Workers append a line in one write. It ends with a digest of itself: a line that a kill cut off, or that is damaged
    in another way, is passed over and done again. While a run lives, the file is locked, and no other run begins with
    it.
    """

    path: Path
    run: str  # all that the values depend on

    @cached_property
    def digest(self) -> str:
        return _digest(self.run)

    @contextmanager
    def begun(self, resume: bool) -> Iterator[dict[str, Any]]:
        """What is finished already; else the file is started over. It is held as long as the run lasts."""
        with ExitStack() as held:
            try:
                file = held.enter_context(self.path.open("a+", encoding="utf-8", errors="replace"))
                self._hold(file)
                file.seek(0)
                lines = file.read().split("\n")
                self._check_kept(lines[0])
                done = self._finished(lines) if resume else {}
                if not resume:
                    file.truncate(0)
                elif lines[-1]:
                    file.write("\n")  # behind a line that was cut off
                file.flush()
            except OSError as error:
                raise self._unwritten(error) from None
            yield done

    def _hold(self, file: IO[str]) -> None:
        """Locked until it is closed, or the process is gone. Where files cannot be locked, digests keep runs apart."""
        with suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SpecError(
                    f"{quoted(self.path)} is being written by another run; wait for it, or choose another name"
                ) from None

    def _check_kept(self, first: str) -> None:
        """A file of somebody else is neither written over nor written on."""
        if first and not _BEGINS.fullmatch(first[:_BEGINNING]):
            raise DataError(f"{quoted(self.path)} is there already, and no journal of accord; choose another name")

    def _finished(self, lines: Sequence[str]) -> dict[str, Any]:
        done: dict[str, Any] = {}
        others = False
        for line in lines:
            try:
                digest, task, result, check = json.loads(line)
            except (ValueError, TypeError, RecursionError):
                continue
            if check != _digest(json.dumps([digest, task, result])):
                continue
            if digest == self.digest:
                done[str(task)] = result
            others = others or digest != self.digest
        if others and not done:
            raise SpecError(
                f"{quoted(self.path)} was left by another run (other data, measures, functions, errors or seed); "
                "repeat that one, or leave --resume out to start over"
            )
        return done

    def add(self, task: str, result: Sequence[Any]) -> None:
        said = [self.digest, task, result]
        left = (json.dumps([*said, _digest(json.dumps(said))]) + "\n").encode()
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            try:
                while left:
                    left = left[os.write(file, left) :]
            finally:
                os.close(file)
        except OSError as error:
            raise self._unwritten(error) from None

    def _unwritten(self, error: OSError) -> DataError:
        return DataError(f"{quoted(self.path)} cannot be written: {error.strerror}")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
