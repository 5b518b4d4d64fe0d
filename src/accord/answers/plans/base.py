"""What every plan is: all that an answer depends on, as plain values."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import ClassVar

from accord.answers.scoring import kinds_of
from accord.core.context import Progress, Run, silent
from accord.core.errors import SpecError
from accord.core.tables import Result
from accord.data.door import opened
from accord.data.io import Reading
from accord.data.io.large.addresses import without_secrets
from accord.data.model.data import Data

_BETWEEN = re.compile(r"[][(),=\"']")  # what stands around a file in a spec
_SIGN_OF_A_FILE = re.compile(r"[./\\]")  # other words are names


@dataclass(frozen=True)
class Plan:
    """A question: its fields are the options of a command, by their names there."""

    command: ClassVar[str]
    example: ClassVar[str]  # what to type, for those who named nothing

    paths: tuple[str, ...] = ()
    reading: Reading = field(default_factory=Reading)
    seed: int = 0

    def __post_init__(self) -> None:
        Run(self.seed)  # refuses a seed that is none
        object.__setattr__(self, "paths", without_secrets(self.paths))  # what a plan holds is kept and shown

    def answer(self, run: Run) -> Result:
        """What is asked for. `run` has the seed of the plan, and what does not change the answer."""
        raise NotImplementedError

    def carried_out(self, progress: Progress = silent, jobs: int | None = None) -> Result:
        return self.answer(Run(self.seed, progress, jobs))

    def inputs(self) -> list[Path]:
        """What is read: what was named, and the files that options name, within a spec, too."""
        words = [word for of in (self, self.reading) for f in fields(of) for word in _texts(getattr(of, f.name))]
        pieces = dict.fromkeys(piece for word in words for piece in pieces_of(word))
        files = [Path(piece) for piece in pieces if "\0" not in piece]
        folders = [path for path in (*self.paths, self.reading.texts) if path]
        return [*map(Path, folders), *(path for path in files if os.path.isfile(path))]

    def targets(self) -> list[Path]:
        """What is written, where the question itself says it."""
        return []

    def check_named(self) -> None:
        """There is something to read."""
        if not self.paths:
            raise SpecError(f"name a table: accord {self.command} {self.example} (or - for standard input)")

    def opened(self, run: Run, *specs: str | None) -> Data:
        """The tables that were named, for the measures that were."""
        self.check_named()
        return opened(list(self.paths), self.reading, kinds_of(*specs), run)


def pieces_of(word: str) -> list[str]:
    """What could be a file in the value of an option: the whole of it, or a part of a spec."""
    found = (word, word.rpartition(":")[0], *_BETWEEN.split(word))
    return [piece for piece in found if _SIGN_OF_A_FILE.search(piece)]


def _texts(value: object) -> list[str]:
    several = value if isinstance(value, tuple | list) else (value,)
    return [one for one in several if isinstance(one, str)]


def one_measure(measures: tuple[str, ...], command: str) -> str | None:
    """The only measure that is named, if any is."""
    if len(measures) > 1:
        raise SpecError(f"{command} takes one measure at a time")
    return measures[0] if measures else None


def names_in(text: str | None) -> list[str] | None:
    """`Ana, Ben` → the names."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
