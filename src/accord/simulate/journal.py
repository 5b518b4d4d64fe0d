"""What a long run has finished: a file of JSON lines beside its output, so that a killed run can go on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.errors import DataError, SpecError, quoted


@dataclass(frozen=True)
class Journal:
    """A first line that says which run it is of, then a line for each finished task.

    Workers append a line in one write; a line that a kill cut off is passed over and done again.
    """

    path: Path
    run: str  # all that the values depend on

    @property
    def _head(self) -> str:
        return json.dumps({"run": hashlib.blake2b(self.run.encode(), digest_size=8).hexdigest()})

    def begin(self, resume: bool) -> dict[str, Any]:
        """What is finished already; the file is started over, or cleaned."""
        done = self._finished() if resume and self.path.exists() else {}
        lines = [self._head, *(json.dumps([task, result]) for task, result in done.items())]
        fresh = self.path.with_name(self.path.name + ".new")
        try:
            fresh.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
            fresh.replace(self.path)
        except OSError as error:
            raise DataError(f"{quoted(self.path)} cannot be written: {error.strerror}") from None
        return done

    def _finished(self) -> dict[str, Any]:
        done: dict[str, Any] = {}
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError as error:
            raise DataError(f"{quoted(self.path)}: {error.strerror}") from None
        if lines[0] != self._head:
            raise SpecError(
                f"{quoted(self.path)} was left by another run (other data, measures, functions, errors or seed); "
                "repeat that one, or leave --resume out to start over"
            )
        for line in lines[1:]:
            try:
                task, result = json.loads(line)
            except (ValueError, TypeError):
                continue
            done[str(task)] = result
        return done

    def add(self, task: str, result: Sequence[Any]) -> None:
        line = (json.dumps([task, result]) + "\n").encode()
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(file, line)
        finally:
            os.close(file)
