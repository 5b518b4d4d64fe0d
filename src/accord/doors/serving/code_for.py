"""The command line, and the Python code, that give the same result as a plan: for those who want to repeat it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from accord.answers.plan import Plan
from accord.core.options import Parameter, UntypableError
from accord.data.io.reading import READING

RUN_FILE = "run.toml"
_WIDTH = 100


# -- what to type ---------------------------------------------------------------------------------------------------


def command_line(plan: Plan) -> str:
    """What to type in a folder with the files; by way of the kept run, where words cannot say it."""
    stated = [(plan.question.parameters[name], value) for name, value in plan.options.items()]
    stated += [(READING[name], value) for name, value in plan.reading.stated.items() if name in READING]
    try:
        words = [word for one, value in stated for word in one.words(value)]
    except UntypableError:
        return f"accord {plan.command} --run {RUN_FILE}"
    paths = [f"./{path}" if path.startswith("-") else path for path in plan.paths]
    return shlex.join(["accord", plan.command, *paths, *words])


# -- what to run in Python ------------------------------------------------------------------------------------------


def python(plan: Plan, variables: tuple[str, ...] = ()) -> str:
    """A script; `result` is what it computes. `variables`: those that were read, where a command takes all of them."""
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
    """A call, on a line or on one for each argument."""
    arguments = [*map(_text, given), *(f"{name}={_text(value)}" for name, value in options.items())]
    line = f"accord.{function}({', '.join(arguments)})"
    if len(line) <= _WIDTH:
        return line
    inside = "".join(f"    {argument},\n" for argument in arguments)
    return f"accord.{function}(\n{inside})"


class _Code(str):
    """Code, as it stands."""

    __slots__ = ()


def _text(value: Any) -> str:
    if isinstance(value, _Code):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(key)}: {_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    return repr(value)
