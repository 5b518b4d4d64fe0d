"""Declarations of parameters: help, flag, heading. Every interface is derived from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from inspect import Parameter as Argument
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

# How a value is typed on the command line:
#   flag      --cite                      true if typed
#   switch    --paired/--unpaired         true, false, or not set
#   whole     --sets 40
#   number    --level 0.9
#   text      --by round
#   texts     -m alpha -m kappa           repeatable
#   numbers   --magnitude 0.1 --magnitude 0.2
#   names     --models gpt,llama          one word with commas
#   file      --decisions todo.csv
#   value     --null 0.4 or --null permutation
SHAPES = ("flag", "switch", "whole", "number", "text", "texts", "numbers", "names", "file", "value")
REPEATED = ("texts", "numbers")


@dataclass(frozen=True)
class Option:
    """Display and syntax of a parameter. Several in one annotation are merged; the last one takes precedence."""

    help: str = ""
    flag: str = ""  # in addition to --name: "-m"; for a switch, both flags: "--paired/--unpaired"
    metavar: str = ""
    heading: str = ""  # the group of options in the help
    rare: bool | None = None  # shown by --help-all only
    complete: str = ""  # the function of doors/cli for tab completion
    choices: tuple[str, ...] = ()
    shape: str = ""  # one of SHAPES, if the type does not determine it
    least: int | None = None
    formerly: tuple[str, ...] = ()  # other names that are accepted
    needed: str = ""  # the message if a required value is missing
    elsewhere: str = ""  # for options of the command line only: what to use in Python instead
    canonical: Callable[[Any], Any] | None = None  # checks a value early and normalises it
    in_python: Callable[[Any], Any] | None = None  # converts a typed value to its Python form

    def over(self, other: Option) -> Option:
        """Return this option, with empty fields filled from another."""
        mine = {field.name: getattr(self, field.name) for field in fields(self)}
        empty = {field.name for field in fields(self) if mine[field.name] == field.default}
        return Option(**{name: getattr(other, name) if name in empty else value for name, value in mine.items()})


class UntypableError(Exception):
    """A value that cannot be typed on the command line."""


@dataclass(frozen=True)
class Parameter:
    """A declared parameter: of a question, or of reading."""

    name: str
    type: Any  # without the metadata
    default: Any
    option: Option
    required: bool = False

    @property
    def shape(self) -> str:
        """The shape: one of SHAPES."""
        return self.option.shape or _shape(self.type)

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags to type: ("-m", "--measure")."""
        own = f"--{self.name.replace('_', '-')}"
        if self.option.flag.startswith("--"):
            return (self.option.flag,)
        if self.shape == "switch":
            own = f"{own}/--no-{self.name.replace('_', '-')}"
        return (self.option.flag, own) if self.option.flag else (own,)

    @property
    def long_flag(self) -> str:
        """The long flag, for messages and generated command lines."""
        return self.flags[-1].partition("/")[0]

    def words(self, value: Any) -> list[str]:
        """Return the words to type for a value; raise `UntypableError` if there are none."""
        if self.shape in {"flag", "switch"}:
            yes, _, no = self.flags[-1].partition("/")
            if value is False and not no:
                raise UntypableError
            return [yes if value else no]
        if self.shape == "names" and not isinstance(value, str):
            names = [str(name) for name in value]
            if any("," in name for name in names) or names == [""]:
                raise UntypableError
            value = ",".join(names)
        several = [str(text) for text in (value if isinstance(value, tuple | list) else (value,))]
        return [word for text in several for word in self._pair(text)]

    def _pair(self, value: str) -> list[str]:
        return [f"{self.long_flag}={value}"] if value.startswith("-") else [self.flags[0], value]

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the value. Keys with x- are for forms: heading, proposals."""
        kinds: dict[str, dict[str, Any]] = {
            "flag": {"type": "boolean"},
            "switch": {"type": ["boolean", "null"]},
            "whole": {"type": "integer"},
            "number": {"type": "number"},
            "texts": {"type": "array", "items": {"type": "string"}},
            "numbers": {"type": "array", "items": {"type": "number"}},
            "names": {"type": ["string", "array"], "items": {"type": "string"}},
            "file": {"type": "string", "format": "path"},
            "value": {"type": ["number", "string"]},
        }
        made = dict(kinds.get(self.shape, {"type": "string"}))
        if self.default is None and not self.required and "null" not in made["type"]:
            listed = [made["type"]] if isinstance(made["type"], str) else list(made["type"])
            made["type"] = [*listed, "null"]
        if self.option.choices:
            of = made.get("items", made)
            of["enum"] = [*self.option.choices, *([None] if of is made and "null" in made["type"] else [])]
        if self.option.least is not None:
            made["minimum"] = self.option.least
        default = list(self.default) if isinstance(self.default, tuple) else self.default
        made |= {"description": self.option.help} | ({} if self.required else {"default": default})
        shown = {"heading": self.option.heading, "rare": self.option.rare, "propose": self.option.complete}
        shown |= {"metavar": self.option.metavar}
        return made | {f"x-{key}": value for key, value in shown.items() if value}


def parameter(name: str, annotation: Any, default: Any = Argument.empty) -> Parameter | None:
    """Return a parameter from its annotation; None if it has no `Option`."""
    if get_origin(annotation) is not Annotated:
        return None
    kind, *metadata = get_args(annotation)
    declared = [one for one in metadata if isinstance(one, Option)]
    if not declared:
        return None
    merged = declared[0]
    for later in declared[1:]:
        merged = later.over(merged)
    required = default is Argument.empty
    return Parameter(name, kind, None if required else default, merged, required)


def _shape(kind: Any) -> str:
    parts = get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)
    known = [part for part in parts if part is not type(None)]
    several = [part for part in known if _is_sequence(part)]
    if several:
        return "numbers" if float in get_args(several[0]) else "texts"
    if bool in known:
        return "switch" if len(known) < len(parts) else "flag"
    if float in known and str in known:
        return "value"
    simple = {int: "whole", float: "number", Path: "file"}
    return next((simple[part] for part in known if part in simple), "text")


def _is_sequence(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Sequence | AbstractSet)
