"""A question with its paths, options and reading options, as plain values that can be saved and repeated."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

from accord._version import __version__
from accord.answers.question import Question
from accord.core.context import Progress, Run, silent
from accord.core.errors import AccordError, DataError, SpecError, UnknownName, quoted
from accord.data.io.large.addresses import without_secrets
from accord.data.io.reading import READING, Reading, as_tuple, as_tuples, check_values, read_toml

_BETWEEN = re.compile(r"[][(),=\"']")  # characters around a file name in a spec
_SIGN_OF_A_FILE = re.compile(r"[./\\]")  # other words are names
TARGET = "target"  # the parameter of a question that names what it writes
_SETTINGS = "settings"
_OLD_SETTINGS = {"method": "interval"}


@dataclass(frozen=True)
class Plan:
    """Everything that an answer depends on."""

    question: Question
    paths: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)  # options that differ from their defaults
    reading: Reading = field(default_factory=Reading)

    def __post_init__(self) -> None:
        known = self.question.kept
        stated: dict[str, Any] = {}
        for name, value in self.options.items():
            one = known[name]
            checked = value if one.option.canonical is None or value is None else one.option.canonical(value)
            if checked != one.default or one.required:
                stated[name] = checked
        object.__setattr__(self, "options", {name: stated[name] for name in known if name in stated})
        object.__setattr__(self, "paths", without_secrets(self.paths))  # a plan is saved and shown
        Run(self.seed)  # validates the seed

    @property
    def command(self) -> str:
        return self.question.name

    @property
    def seed(self) -> int:
        return int(self.options.get("seed", 0))

    def option(self, name: str) -> Any:
        """Return the value of an option: as given, or its default."""
        return self.options.get(name, self.question.parameters[name].default)

    def answer(self, progress: Progress = silent, jobs: int | None = None, **more: Any) -> Any:
        """Compute the answer. `progress`, `jobs` and further arguments, such as a journal, do not change it."""
        for name, one in self.question.parameters.items():
            if one.required and name not in self.options:
                raise SpecError("option-missing", self.question.missing(one))
        arguments = (
            self.data_arguments() | dict(self.options) | ({"reading": self.reading} if self.question.reads else {})
        )
        known = self.question.signature.parameters
        around = {"progress": progress, "jobs": jobs}
        given = arguments | {name: value for name, value in around.items() if name in known} | more
        return self.question.function(**self.question.arguments((), given))

    def data_arguments(self) -> dict[str, Any]:
        """Return the paths as arguments: all for one parameter, or one for each."""
        names = self.question.data
        example = f"accord {self.command} {self.question.short_example}"
        if TARGET in names and len(self.paths) < 2:
            raise SpecError("option-missing", f"name the input and the output: {example}")
        if not self.paths:
            if self.question.needs_data:
                table = "a table" if len(names) == 1 else "two tables"
                raise SpecError("option-missing", f"no data given; name {table}, or - for standard input: {example}")
            return {}
        if TARGET in names:
            return {names[0]: list(self.paths[:-1]), TARGET: self.paths[-1]}
        if len(names) == 1:
            return {names[0]: list(self.paths)}
        if len(self.paths) > len(names):
            raise SpecError(
                "option-conflict",
                f"accord {self.command} accepts at most {len(names)} tables: accord {self.command} "
                f"{self.question.tables}",
            )
        if len(set(self.paths)) < len(self.paths):
            raise SpecError(
                "option-conflict",
                f"{quoted(self.paths[0])} is named twice; to compare two teams, use --annotators-a and --annotators-b",
            )
        return dict(zip(names, self.paths, strict=False))

    @property
    def target(self) -> Path | None:
        """The file or folder that the question writes: the last path of `convert`."""
        return Path(self.paths[-1]) if TARGET in self.question.data and len(self.paths) > 1 else None

    def inputs(self) -> list[Path]:
        """Return all files to read: the paths, and files named in options or specs."""
        values = [*self.options.values(), *self.reading.options.values()]
        words = [*self.paths, *(word for value in values for word in _texts(value))]
        pieces = dict.fromkeys(piece for word in words for piece in pieces_of(word))
        files = [Path(piece) for piece in pieces if "\0" not in piece]
        folders = [path for path in (*self.paths, self.reading.texts) if path]
        return [*map(Path, folders), *(path for path in files if os.path.isfile(path))]


def pieces_of(word: str) -> list[str]:
    """Return what could be a file name in the value of an option: the whole value, or a part of a spec."""
    found = (word, word.rpartition(":")[0], *_BETWEEN.split(word))
    return [piece for piece in found if _SIGN_OF_A_FILE.search(piece)]


def _texts(value: object) -> list[str]:
    several = value if isinstance(value, tuple | list) else (value,)
    return [text for text in several if isinstance(text, str)]


# -- kept as TOML --------------------------------------------------------------------------------------------------


def as_toml(plan: Plan) -> dict[str, Any]:
    """Return a plan as plain values: only what differs from the defaults."""
    kept: dict[str, Any] = {"accord": __version__, "command": plan.command}
    if plan.paths:
        kept["paths"] = plan.paths
    reading = {"reading": plan.reading.stated} if plan.reading.stated else {}
    return kept | dict(plan.options) | reading  # TOML requires tables after other values


def keep_as_toml(question: Question, paths: tuple[str, ...], arguments: Mapping[str, Any]) -> str:
    """Return the TOML of a call that read files, from its arguments; empty if data were in memory."""
    options = {name: as_kept(value) for name in question.kept if (value := arguments[name]) is not None}
    try:
        reading = Reading(**{name: as_tuple(name, value) for name, value in arguments["reading"].items()})
        return tomli_w.dumps(as_toml(Plan(question, paths, options, reading))) if paths else ""
    except (AccordError, TypeError):  # options that only Python has, such as a distance given as a dict
        return ""


def as_kept(value: Any) -> Any:
    """Convert a Python value for TOML."""
    return tuple(value) if isinstance(value, list) else value


def load_plan(path: Path, question: Question) -> Plan:
    """Read a saved run of this command."""
    kept = read_toml(path, "a run that accord kept")
    kept.pop("accord", None)
    command = kept.pop("command", "score")  # default of the first saved runs
    if command != question.name:
        raise SpecError(
            "saved-file-invalid",
            f"{path} contains a run of accord {command}, not of {question.name}; use accord {command} --run {path}",
        )
    return plan_of(kept, question, str(path))


def plan_of(table: Mapping[str, Any], question: Question, where: str) -> Plan:
    """Make a plan from plain values, with reading options in their own table.

    `where` begins the message about invalid values.
    """
    kept = dict(table)
    settings: Any = kept.pop(_SETTINGS, {})
    if not isinstance(settings, dict):
        raise DataError("saved-file-invalid", f"{where}: {_SETTINGS} must be a table: [{_SETTINGS}]")
    kept |= {_OLD_SETTINGS.get(str(name), str(name)): value for name, value in settings.items()}
    reading = kept.pop("reading", {})
    if not isinstance(reading, dict):
        raise DataError("saved-file-invalid", f"{where}: reading must be a table: [reading]")
    paths = kept.pop("paths", [])
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise DataError("saved-file-invalid", f"{where}: paths must be a list: paths = [{quoted(paths)}]")
    kept = _as_asked_now(question.renamed(kept), question)
    for known, given in ((question.kept, kept), (READING, reading)):
        for name in given:
            if name not in known:
                raise DataError(
                    "saved-file-invalid", f"{where}: {UnknownName('key', name, [*known, 'paths', 'reading'])}"
                )
        check_values(where, given, known)
    for name, value in reading.items():
        if READING[name].shape == "names" and isinstance(value, str):
            reading = reading | {name: value.split(",")}
    try:
        return Plan(question, tuple(paths), as_tuples(kept), Reading(**as_tuples(reading)))
    except TypeError as error:
        raise DataError(
            "saved-file-invalid", f"{where}: not a run saved by accord: {error}; save the run again"
        ) from None


def _as_asked_now(kept: dict[str, Any], question: Question) -> dict[str, Any]:
    """Convert values of runs saved with earlier names and types."""
    measures = kept.get("measure")
    if measures == []:  # the usual measures
        del kept["measure"]
    elif isinstance(measures, list) and "measure" in question.kept and question.kept["measure"].shape == "text":
        if len(measures) > 1:
            raise SpecError("option-conflict", f"accord {question.name} accepts one measure; name one")
        kept = kept | {"measure": measures[0]}
    if question.name == "plan" and "documents" in kept and "people" in kept and "team" not in kept:  # of a layout
        kept = {"team" if name == "people" else name: value for name, value in kept.items()}
    return kept
