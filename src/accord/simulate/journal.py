"""What a long run has finished: a file of JSON lines beside its output, so that a killed run can go on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from accord.errors import DataError, SpecError, quoted


@dataclass(frozen=True)
class Journal:
    """A line for each finished task, with the digest of the run that it is of: lines of another run say nothing here.

    Workers append a line in one write; a line that a kill cut off is passed over and done again. While a run lives,
    the file is locked, and no other run begins with it.
    """

    path: Path
    run: str  # all that the values depend on

    @cached_property
    def digest(self) -> str:
        return hashlib.blake2b(self.run.encode(), digest_size=8).hexdigest()

    @contextmanager
    def begun(self, resume: bool) -> Iterator[dict[str, Any]]:
        """What is finished already; the file is started over, or cleaned, and held as long as the run lasts."""
        with ExitStack() as held:
            fresh = self.path.with_name(f"{self.path.name}.{os.getpid()}")
            try:
                old = held.enter_context(self.path.open("a+", encoding="utf-8", errors="replace"))
                self._hold(old)
                done = self._finished(old) if resume else {}
                file = held.enter_context(fresh.open("w", encoding="utf-8"))
                file.writelines(self._line(task, result) for task, result in done.items())
                file.flush()
                self._hold(file)
                fresh.replace(self.path)
            except OSError as error:
                fresh.unlink(missing_ok=True)
                raise DataError(f"{quoted(self.path)} cannot be written: {error.strerror}") from None
            yield done

    def _hold(self, file: IO[str]) -> None:
        """Locked until it is closed, or the process is gone. Where files cannot be locked, digests keep runs apart."""
        with suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SpecError(
                    f"{quoted(self.path)} is being written by another run; wait for it, or choose another -o"
                ) from None

    def _finished(self, file: IO[str]) -> dict[str, Any]:
        done: dict[str, Any] = {}
        others = False
        file.seek(0)
        for line in file:
            try:
                digest, task, result = json.loads(line)
            except (ValueError, TypeError):
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

    def _line(self, task: str, result: Sequence[Any]) -> str:
        return json.dumps([self.digest, task, result]) + "\n"

    def add(self, task: str, result: Sequence[Any]) -> None:
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(file, self._line(task, result).encode())
        finally:
            os.close(file)
