"""The command line and the Python code that repeat a plan."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from accord.answers.plan import Plan
from accord.core.options import Parameter, UntypableError
from accord.data.io.reading import READING

RUN_FILE = "run.toml"
_WIDTH = 100


# -- command line ----------------------------------------------------------------------------------------------------


def command_line(plan: Plan) -> str:
    """Return the command line. If options cannot be written on a command line, it uses the saved run."""
    stated = [(plan.question.parameters[name], value) for name, value in plan.options.items()]
    stated += [(READING[name], value) for name, value in plan.reading.stated.items() if name in READING]
    try:
        words = [word for one, value in stated for word in one.words(value)]
    except UntypableError:
        return f"accord {plan.command} --run {RUN_FILE}"
    paths = [f"./{path}" if path.startswith("-") else path for path in plan.paths]
    return shlex.join(["accord", plan.command, *paths, *words])


# -- Python --------------------------------------------------------------------------------------------------------


def python(plan: Plan, variables: tuple[str, ...] = ()) -> str:
    """Return a script that computes `result`. `variables`: those of the data, if the command uses all."""
    options = {
        name: _in_python(plan.question.parameters[name], value)
        for name, value in plan.options.items()
        if not plan.question.parameters[name].option.elsewhere
    }
    reading = {name: list(value) if isinstance(value, tuple) else value for name, value in plan.reading.stated.items()}
    if plan.command == "score" and len(variables) > 1:
        each = _call("score", _Code("data"), **options)
        lines = [f"variables = {_call('read_all', _given(plan), **reading)}"]
        lines += [f"result = {{name: {each} for name, data in variables.items()}}"]
    else:
        lines = [f"result = {_call(plan.question.python_name, *_data(plan), **options, **reading)}"]
    return "\n".join(["import accord", *lines, "print(result)", ""])


def _data(plan: Plan) -> list[Any]:
    if not plan.paths:
        return []
    return list(plan.paths) if len(plan.question.data) > 1 else [_given(plan)]


def _given(plan: Plan) -> Any:
    return plan.paths[0] if len(plan.paths) == 1 else list(plan.paths)


def _in_python(one: Parameter, value: Any) -> Any:
    if one.option.in_python is not None:
        return one.option.in_python(value)
    if isinstance(value, tuple | list):
        return value[0] if len(value) == 1 and one.name == "measure" else list(value)
    return value


def _call(function: str, *given: Any, **options: Any) -> str:
    """Return a call, on one line or with one line per argument."""
    arguments = [*map(_text, given), *(f"{name}={_text(value)}" for name, value in options.items())]
    line = f"accord.{function}({', '.join(arguments)})"
    if len(line) <= _WIDTH:
        return line
    inside = "".join(f"    {argument},\n" for argument in arguments)
    return f"accord.{function}(\n{inside})"


class _Code(str):
    """Code that is inserted without quotes."""

    __slots__ = ()


def _text(value: Any) -> str:
    if isinstance(value, _Code):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(key)}: {_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    return repr(value)
