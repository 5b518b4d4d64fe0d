"""What the page asks: a command with its options as JSON → a plan, whose files all lie within the upload."""

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

_BESIDE = ("docs.csv", "judged.csv")  # read along with what stands beside them
_FILES = ("paths", "docs", "judged", "texts")  # they name files, like the options of a question that are declared so


@dataclass(frozen=True)
class Asked:
    """What the page sent: the command, its options, and the folder of the upload, where it is carried out."""

    command: str
    options: Mapping[str, Any]
    folder: Path

    @property
    def plan(self) -> Plan:
        """The plan that the options say; refused like options of the command line."""
        question = question_on_page(self.command)
        stated = {name: value for name, value in self.options.items() if value is not None}
        said = stated.pop("reading", {})
        if not isinstance(said, Mapping):
            raise SpecError("page-upload", f"{self.command}: reading is a table of options, not {quoted(said)}")
        reading = {name: value for name, value in said.items() if value is not None}
        if stated.get("decisions") is True:  # those of the page, if there are any
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
        """What was dropped; to compare, what was dropped second, too."""
        first = _entries(self.folder)
        if self.command != "compare":
            return first
        second = [f"{SECOND}/{name}" for name in _entries(self.folder / SECOND)]
        for side in (first, second):
            if len(side) > 1:
                raise SpecError(
                    "page-upload",
                    f"{len(side)} uploads on one side of a comparison: put them into a folder or a zip, and drop that",
                )
        return [*first, *second]


def question_on_page(command: str) -> Question:
    """The question behind a command of the page."""
    if command not in ON_PAGE:
        raise UnknownName("command", command, ON_PAGE)
    return question_named(command)


def _entries(folder: Path) -> list[str]:
    """Files and folders that stand in it, without what is read along, or is no data."""
    if not folder.is_dir():
        return []
    names = sorted(one.name for one in folder.iterdir() if one.name != SECOND and not holds_decisions(one.name))
    rest = [name for name in names if name not in _BESIDE]
    return rest or names


def check_inside(options: Any, folder: Path, files: Sequence[str] = ()) -> None:
    """No option names a file that is not uploaded, not even within a spec. `files`: options that are names of files."""
    for name, text in _texts(options):
        if name in (*_FILES, *files):
            if "://" in text or text == "-" or not _is_inside(text, folder):
                raise SpecError("file-name", f"{quoted(text)} is not among the files that were uploaded")
            continue
        for piece in pieces_of(text):
            named = any(sign.isalnum() for sign in piece)  # a slash alone may stand between members of a set
            if named and not _is_inside(piece, folder) and os.path.exists(os.path.join(folder, piece)):
                raise SpecError("file-name", f"{quoted(piece)} is not among the files that were uploaded")


def _is_inside(piece: str, folder: Path) -> bool:
    """Whether a path, seen from the folder, stays in it, wherever links lead."""
    if "\0" in piece:
        return False
    place = os.path.realpath(os.path.join(folder, os.path.expanduser(piece)))
    return Path(place).is_relative_to(os.path.realpath(folder))


def _texts(options: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text in them, with the name of its option."""
    if isinstance(options, str):
        yield name, options
    elif isinstance(options, Mapping):
        for key, value in options.items():
            yield from _texts(value, key)
    elif isinstance(options, list | tuple):
        for value in options:
            yield from _texts(value, name)
