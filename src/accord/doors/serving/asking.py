"""What the page asks: a command with its options as JSON → a plan, whose files all lie within the upload."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any

from accord.answers.plans.base import Plan, pieces_of
from accord.answers.plans.kept import plan_of
from accord.core.errors import SpecError, UnknownName, quoted
from accord.doors.serving.commands import COMMANDS, SECOND, SETTINGS, decisions_about, holds_decisions

_NO_DATA_NEEDED = ("plan",)
_BESIDE = ("docs.csv", "judged.csv")  # read along with what stands beside them
_FILES = ("docs", "judged", "texts", "decisions", "gold", "baseline", "tree")  # options that name one


@dataclass(frozen=True)
class Asked:
    """What the page sent: the command, its options, and the folder of the upload, where it is carried out."""

    command: str
    options: Mapping[str, Any]
    folder: Path

    @property
    def plan(self) -> Plan:
        """The plan that the options say; refused like options of the command line."""
        cls = plan_class(self.command)
        own = {field.name for field in fields(cls)}
        said = {name: value for name, value in self.options.items() if value is not None}
        reading = {name: value for name, value in (said.pop("reading", None) or {}).items() if value is not None}
        if said.get("decisions") is True:  # those of the page, if there are any
            said["decisions"] = decisions_about(reading)
            if not (self.folder / said["decisions"]).exists():
                del said["decisions"]
        settings = {SETTINGS[name]: said.pop(name) for name in SETTINGS if "settings" in own and name in said}
        if self.command not in _NO_DATA_NEEDED or said.get("paths") == "all":
            said.setdefault("paths", "all")
        if said.get("paths") == "all":
            said["paths"] = self._uploads()
        check_inside((said, reading, settings), self.folder)
        tables = {"reading": reading} | ({"settings": settings} if settings else {})
        return plan_of(said | tables, cls, self.command)

    def _uploads(self) -> list[str]:
        """What was dropped; to compare, what was dropped second, too."""
        first = _entries(self.folder)
        if self.command != "compare":
            return first
        second = [f"{SECOND}/{name}" for name in _entries(self.folder / SECOND)]
        for side in (first, second):
            if len(side) > 1:
                raise SpecError(
                    f"{len(side)} uploads on one side of a comparison: put them into a folder or a zip, and drop that"
                )
        return [*first, *second]


def plan_class(command: str) -> type[Plan]:
    if command not in COMMANDS:
        raise UnknownName("command", command, COMMANDS)
    module, _, name = COMMANDS[command].partition(":")
    found: type[Plan] = getattr(import_module(module), name)
    return found


def _entries(folder: Path) -> list[str]:
    """Files and folders that stand in it, without what is read along, or is no data."""
    if not folder.is_dir():
        return []
    names = sorted(one.name for one in folder.iterdir() if one.name != SECOND and not holds_decisions(one.name))
    rest = [name for name in names if name not in _BESIDE]
    return rest or names


def check_inside(options: Any, folder: Path) -> None:
    """No option names a file that is not uploaded, not even within a spec."""
    for name, text in _texts(options):
        if name == "paths" or name in _FILES:
            if "://" in text or text == "-" or not _is_inside(text, folder):
                raise SpecError(f"{quoted(text)} is not among the files that were uploaded")
            continue
        for piece in pieces_of(text):
            named = any(sign.isalnum() for sign in piece)  # a slash alone may stand between members of a set
            if named and not _is_inside(piece, folder) and os.path.exists(os.path.join(folder, piece)):
                raise SpecError(f"{quoted(piece)} is not among the files that were uploaded")


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
