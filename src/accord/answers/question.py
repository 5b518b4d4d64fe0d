"""Declaration of questions: one annotated function, from which all interfaces are derived.

The parameters of the function have types, defaults and an `Option` each (`answers/options.py` has the shared ones). The
command line, saved runs, the form and JSON of the page, generated code, the Python signature and docstring, and the
JSON schema of the input are derived from this declaration.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, wraps
from inspect import Parameter as Argument
from itertools import takewhile
from typing import Annotated, Any, ParamSpec, TypeVar, get_type_hints, overload

from accord.core.errors import Interface, SpecError, UnknownName, for_interface
from accord.core.options import Option, Parameter, parameter
from accord.core.typed import check_types
from accord.data.io.reading import READING, options_of_reading
from accord.measures.catalogue import measure as measure_named
from accord.measures.measure import Measure

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_WIDTH = 88
_SECTION = re.compile(r"^(Returns|Raises|Examples|Notes|References)\n-+$", re.MULTILINE)
_DATA_HELP = (
    "Anything that `accord.read` accepts: a path, a folder, a data frame, a dict of columns, or rows with one label "
    "per annotator; or data that were read."
)
_READING_HELP = (
    "Options of `accord.read`, such as `missing`, `categories` or `annotators`; or `reading`, a file written by "
    "`accord read --save-reading`."
)
_TYPES = {
    "flag": "bool",
    "switch": "bool",
    "whole": "int",
    "number": "float",
    "text": "str",
    "texts": "str or list of str",
    "numbers": "float or list of float",
    "names": "str or list of str",
    "file": "path",
    "target": "path",
    "value": "float or str",
}


@dataclass(frozen=True)
class Question:
    """A declared function."""

    function: Callable[..., Any]
    examples: tuple[str, ...]  # arguments after `accord NAME`
    python: Callable[[dict[str, Any]], Any] | None = None  # the answer in Python, if it is less than commands show
    python_name: str = ""

    @property
    def name(self) -> str:
        return self.function.__name__

    @cached_property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.function)

    @cached_property
    def hints(self) -> dict[str, Any]:
        """Type hints of the parameters; the return type may be defined below the function."""
        return get_type_hints(self._parameters_alone, globalns=self.function.__globals__, include_extras=True)

    @cached_property
    def _parameters_alone(self) -> type:
        given = {name: kind for name, kind in self.function.__annotations__.items() if name != "return"}
        return type(self.name, (), {"__annotations__": given})

    @cached_property
    def data(self) -> tuple[str, ...]:
        """The parameters for data; on the command line they are paths."""
        return tuple(
            name for name, argument in self.signature.parameters.items()
            if argument.kind is Argument.POSITIONAL_OR_KEYWORD and _is_data(self.hints[name])
        )  # fmt: skip

    @cached_property
    def needs_data(self) -> bool:
        return self.signature.parameters[self.data[0]].default is Argument.empty

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The options of the question itself, in order; without data, progress, and reading options."""
        made = {
            name: parameter(name, self.hints[name], argument.default)
            for name, argument in self.signature.parameters.items()
            if name in self.hints
        }
        return {name: one for name, one in made.items() if one is not None and name not in self.data}

    @cached_property
    def kept(self) -> dict[str, Parameter]:
        """The options that determine the answer; a saved run has no others."""
        return {name: one for name, one in self.parameters.items() if name != "jobs"}

    @cached_property
    def reads(self) -> bool:
        """Whether the question has reading options."""
        return any(argument.kind is Argument.VAR_KEYWORD for argument in self.signature.parameters.values())

    @cached_property
    def former_names(self) -> dict[str, str]:
        declared = ((name, parameter(name, hint)) for name, hint in self.hints.items())
        return {old: name for name, one in declared if one is not None for old in one.option.formerly}

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The names of all keywords."""
        own = tuple(a.name for a in self.signature.parameters.values() if a.kind is not Argument.VAR_KEYWORD)
        return (*own, "reading", *READING, "extents") if self.reads else own

    def arguments(self, given: tuple[Any, ...], options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call by name; replace old names, and complete them from a reading file."""
        renamed = self.renamed(options)
        if self.reads and "reading" not in self.parameters:
            renamed = options_of_reading(renamed.pop("reading", None)) | renamed
        for name in renamed:
            if name not in self.known:
                raise self._unknown(name, {**dict(zip(self.signature.parameters, given, strict=False)), **renamed})
        try:
            bound = self.signature.bind(*given, **renamed)
        except TypeError as error:
            missing = next((one for one in self.parameters.values() if one.required and one.name not in renamed), None)
            if missing is not None and "missing" in str(error):
                raise SpecError("option-missing", self.missing(missing)) from None
            raise SpecError("usage", f"accord.{self.name}: {error}") from None
        check_types(self.function, bound.arguments)
        arguments = dict(bound.arguments)
        reading = arguments.pop(next((n for n in arguments if self._is_reading(n)), ""), {})
        return {**arguments, **reading}

    def _unknown(self, name: str, given: Mapping[str, Any]) -> SpecError:
        """Return an error for an unknown option; options of a measure belong in its spec."""
        specs = given.get("measure") if "measure" in self.parameters else None
        for spec in (specs,) if isinstance(specs, str | Measure) else specs or ():
            chosen = measure_named(spec)
            if name in {field.name for field in fields(chosen)}:
                return SpecError(
                    "measure-option",
                    f"{name} is an option of the measure {chosen.name}; write it in the spec, {chosen.name}({name}=…)",
                )
        return UnknownName(f"option of {self.name}", name, self.known)

    def _is_reading(self, name: str) -> bool:
        return self.signature.parameters[name].kind is Argument.VAR_KEYWORD

    def renamed(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options under their present names."""
        made: dict[str, Any] = {}
        for given, value in options.items():
            name = self.former_names.get(given, given) if given not in self.signature.parameters else given
            if name in made or (name != given and name in options):
                raise SpecError("option-conflict", f"{given} is the old name of {name}; use {name} only")
            made[name] = value
        return made

    def refuse_shown(self, options: Mapping[str, Any]) -> None:
        """Refuse options that select what a command shows; a result in Python contains everything."""
        for name in self.renamed(options):
            if name in self.parameters and (instead := self.parameters[name].option.elsewhere):
                raise SpecError(
                    "option-renamed", f"{name} chooses what `accord {self.name}` shows; in Python use {instead}"
                )

    def python_signature(self) -> inspect.Signature:
        """Return the signature without options that select what a command shows, and with plain types."""
        plain = get_type_hints(self._parameters_alone, globalns=self.function.__globals__)
        kept = [
            argument.replace(annotation=plain[name]) for name, argument in self.signature.parameters.items()
            if name not in self.parameters or not self.parameters[name].option.elsewhere
        ]  # fmt: skip
        return self.signature.replace(parameters=kept)

    def missing(self, one: Parameter) -> str:
        """Message for a missing required option."""
        needed = one.option.needed or "is required:"
        if not Interface.command_line:
            return f"{one.name}: {needed} accord.{self.python_name}({self.data[0]}, {one.name}=…)"
        typed = self.short_example
        if one.long_flag not in typed.split():
            typed = f"{self.tables} {one.long_flag} {one.option.metavar or 'VALUE'}"
        return f"{one.long_flag}: {needed} accord {self.name} {typed}"

    @property
    def tables(self) -> str:
        """The tables of the first example, without options."""
        return " ".join(takewhile(lambda word: not word.startswith("-"), self.examples[0].split()))

    @property
    def short_example(self) -> str:
        """The first example with only its first option."""
        words = self.examples[0].split()
        flags = [k for k, word in enumerate(words) if word.startswith("-")]
        return " ".join(words[: flags[1]] if len(flags) > 1 else words)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the input."""
        reading = {name: one.schema() for name, one in READING.items() if name not in self.parameters}
        options = {name: one.schema() for name, one in self.kept.items()}
        paths = {"type": "array", "items": {"type": "string"}, "description": "Paths to read."}
        tables = {"reading": {"type": "object", "properties": reading, "additionalProperties": False}}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"accord {self.name}",
            "description": self.summary,
            "type": "object",
            "properties": {"paths": paths, **options, **(tables if self.reads else {})},
            "required": [name for name, one in self.parameters.items() if one.required],
            "additionalProperties": False,
        }

    @property
    def summary(self) -> str:
        return summary_of(self.function.__doc__ or "")

    def docstring(self) -> str:
        """Return the docstring of the function with a section of its parameters."""
        lines = ["Parameters", "----------"]
        for argument in self.python_signature().parameters.values():
            lines += self.documented(argument)
        return with_parameters(self.function.__doc__ or "", "\n".join(lines))

    def documented(self, argument: Argument) -> list[str]:
        """Return the docstring entry of a parameter."""
        declared = self.parameters.get(argument.name) or _only_in_python(argument, self.hints.get(argument.name))
        if argument.kind is Argument.VAR_KEYWORD:
            return documented_entry("**reading", _READING_HELP)
        if argument.name == "progress":
            return documented_entry(
                "progress : callable, optional", "Called with the task, the number of finished steps and the total."
            )
        if declared is None:
            return documented_entry(f"{argument.name} : data", _DATA_HELP)
        kind = _TYPES[declared.shape]
        default = (
            ""
            if declared.required
            else ", optional"
            if declared.default in (None, ())
            else f", default {declared.default!r}"
        )
        return documented_entry(f"{argument.name} : {kind}{default}", for_interface(declared.option.help))


def _is_data(hint: Any) -> bool:
    declared = parameter("", hint)
    return hint is Any or (declared is not None and declared.option.shape == "target")


def _only_in_python(argument: Argument, hint: Any) -> Parameter | None:
    """Return whether a parameter is not an option: its annotation has a sentence instead of an `Option`."""
    about = next((Option(text) for text in getattr(hint, "__metadata__", ()) if isinstance(text, str)), None)
    return parameter(argument.name, hint if about is None else Annotated[hint, about], argument.default)


def with_parameters(docstring: str, parameters: str) -> str:
    """Insert the section of parameters before the other sections of a docstring."""
    text = inspect.cleandoc(docstring)
    section = _SECTION.search(text)
    before, after = (text[: section.start()], text[section.start() :]) if section else (text, "")
    return "\n\n".join(part.strip() for part in (before, parameters, after) if part.strip()) + "\n"


def documented_entry(head: str, text: str) -> list[str]:
    """Return a docstring entry: name and type, with the description below."""
    return [head, *textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)]


def summary_of(docstring: str) -> str:
    """Return the first paragraph on one line."""
    return " ".join(inspect.cleandoc(docstring).split("\n\n")[0].split())


@overload
def question(
    *examples: str, python: Callable[[dict[str, Any]], T], python_name: str = ""
) -> Callable[[Callable[P, R]], Callable[P, T]]: ...


@overload
def question(*examples: str, python_name: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def question(
    *examples: str, python: Callable[[dict[str, Any]], Any] | None = None, python_name: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a question.

    `examples` are arguments after the name of the command. `python(arguments)` answers in Python if commands show more
    than a program needs. `python_name` is the public name in Python if it differs from the command.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        declared = Question(function, examples, python, python_name or function.__name__)

        @wraps(function)
        def ask(*given: Any, **options: Any) -> Any:
            declared.refuse_shown(options)
            arguments = declared.arguments(given, options)
            return declared.function(**arguments) if python is None else python(arguments)

        ask.question = declared  # type: ignore[attr-defined]
        ask.__signature__ = declared.python_signature()  # type: ignore[attr-defined]
        ask.__doc__ = declared.docstring()
        return ask

    return declare


def declared_in(function: Any) -> Question:
    """Return the declaration of a public function."""
    found: Question = function.question
    return found


__all__ = ["Option", "Question", "question"]
