"""Convert a request of the page (a command with JSON options) to a plan whose files are all in the upload."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.answers.catalogue import ON_PAGE, question_named
from accord.answers.plan import Plan, pieces_of, plan_of
from accord.answers.question import Question
from accord.core.errors import SpecError, UnknownName, quoted
from accord.doors.serving.commands import SECOND, decisions_about, holds_decisions

_BESIDE = ("docs.csv", "judged.csv")  # read together with the data in the same folder
_FILES = ("paths", "docs", "judged", "texts")  # these options name files, as do the declared file options of a question


@dataclass(frozen=True)
class Asked:
    """A request of the page: the command, its options, and the folder of the upload, in which the job runs."""

    command: str
    options: Mapping[str, Any]
    folder: Path

    @property
    def plan(self) -> Plan:
        """The plan of these options. Wrong options raise the same errors as on the command line."""
        question = question_on_page(self.command)
        stated = {name: value for name, value in self.options.items() if value is not None}
        said = stated.pop("reading", {})
        if not isinstance(said, Mapping):
            raise SpecError(
                "page-upload", f"{self.command}: reading must be an object of reading options, not {quoted(said)}"
            )
        reading = {name: value for name, value in said.items() if value is not None}
        if stated.get("decisions") is True:  # use the decisions made on the page, if any
            stated["decisions"] = decisions_about(reading)
            if not (self.folder / stated["decisions"]).exists():
                del stated["decisions"]
        if question.needs_data or stated.get("paths") == "all":
            stated.setdefault("paths", "all")
        if stated.get("paths") == "all":
            stated["paths"] = self._uploads()
        files = [one.name for one in question.parameters.values() if one.shape == "file"]
        check_inside((stated, reading), self.folder, files)
        return plan_of(stated | {"reading": reading}, question, self.command)

    def _uploads(self) -> list[str]:
        """The uploaded files; for `compare`, also the second upload."""
        first = _entries(self.folder)
        if self.command != "compare":
            return first
        second = [f"{SECOND}/{name}" for name in _entries(self.folder / SECOND)]
        for side in (first, second):
            if len(side) > 1:
                raise SpecError(
                    "page-upload",
                    f"{len(side)} files on one side of a comparison; put them into a folder or a zip and upload that",
                )
        return [*first, *second]


def question_on_page(command: str) -> Question:
    """Return the question of a command that the page offers."""
    if command not in ON_PAGE:
        raise UnknownName("command", command, ON_PAGE)
    return question_named(command)


def _entries(folder: Path) -> list[str]:
    """The files and folders in a folder, without decisions and the files of `_BESIDE`."""
    if not folder.is_dir():
        return []
    names = sorted(one.name for one in folder.iterdir() if one.name != SECOND and not holds_decisions(one.name))
    rest = [name for name in names if name not in _BESIDE]
    return rest or names


def check_inside(options: Any, folder: Path, files: Sequence[str] = ()) -> None:
    """Raise if an option, or a spec in it, names a file outside the upload. `files`: further file options."""
    for name, text in _texts(options):
        if name in (*_FILES, *files):
            if "://" in text or text == "-" or not _is_inside(text, folder):
                raise SpecError("file-name", f"{quoted(text)} is not an uploaded file; upload it first")
            continue
        for piece in pieces_of(text):
            named = any(sign.isalnum() for sign in piece)  # a slash alone can be a separator of sets
            if named and not _is_inside(piece, folder) and os.path.exists(os.path.join(folder, piece)):
                raise SpecError("file-name", f"{quoted(piece)} is not an uploaded file; upload it first")


def _is_inside(piece: str, folder: Path) -> bool:
    """Whether a path relative to the folder stays in it, after following links."""
    if "\0" in piece:
        return False
    place = os.path.realpath(os.path.join(folder, os.path.expanduser(piece)))
    return Path(place).is_relative_to(os.path.realpath(folder))


def _texts(options: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string in the options with the name of its option."""
    if isinstance(options, str):
        yield name, options
    elif isinstance(options, Mapping):
        for key, value in options.items():
            yield from _texts(value, key)
    elif isinstance(options, list | tuple):
        for value in options:
            yield from _texts(value, name)
