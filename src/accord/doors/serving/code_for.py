"""The command line, and the Python code, that give the same result as a plan: for those who want to repeat it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from accord.answers.plans.base import Plan, names_in
from accord.data.io.reading import PARTS, Reading
from accord.doors.serving.commands import SETTINGS
from accord.measures.catalogue import measure

RUN_FILE = "run.toml"
# Options that are called otherwise than their field; others are called as it is, with - for _.
_CALLED = {"measures": "-m", "measure": "-m", "scales": "--scale", "spec_b": "--with", "beside": "--with",
           "minimum": "--min", "maximum": "--max", "least_people": "--min-people",
           "least_items": "--min-items"}  # fmt: skip
_LONG = {"-m": "--measure"}  # before a value that begins with -
_NO = {"paired": "--unpaired", "fit": "--no-fit"}  # of those that can be yes, no or neither
_NO_SEED = {("seed", command) for command in ("read", "advise", "limits")}  # nothing there is random
_COMMA = ("categories", "annotators")  # names in one word, with commas between them
_WIDTH = 100


# -- what to type ---------------------------------------------------------------------------------------------------


def command_line(plan: Plan) -> str:
    """What to type in a folder with the files; by way of the kept run, where words cannot say it."""
    try:
        words = [word for name, value in _said(plan).items() for word in _typed(name, value)]
    except _Unsayable:
        return f"accord {plan.command} --run {RUN_FILE}"
    paths = [f"./{path}" if path.startswith("-") else path for path in plan.paths]
    return shlex.join(["accord", plan.command, *paths, *words])


class _Unsayable(Exception):  # noqa: N818 - the name says it
    """A value that no word of a command line stands for."""


def _said(plan: Plan) -> dict[str, Any]:
    """Options that differ from the defaults, by the names of their fields."""
    usual = type(plan)()
    found: dict[str, Any] = {}
    for field in fields(plan):
        mine, default = getattr(plan, field.name), getattr(usual, field.name)
        if field.name == "reading":
            found |= {name: _joined(name, value) for name, value in _read(plan.reading).items()}
        elif field.name == "settings":
            found |= {
                option: getattr(mine, name)
                for option, name in SETTINGS.items()
                if getattr(mine, name) != getattr(default, name)
            }
        elif field.name != "paths" and mine != default and (field.name, plan.command) not in _NO_SEED:
            found[field.name] = mine
    return found


def _read(reading: Reading) -> dict[str, Any]:
    usual = Reading().options
    return {name: value for name, value in reading.options.items() if value != usual[name]}


def _joined(name: str, value: Any) -> Any:
    if name not in _COMMA:
        return value
    names = [str(one) for one in value]
    if any("," in one for one in names) or names == [""]:
        raise _Unsayable
    return ",".join(names)


def _typed(name: str, value: Any) -> list[str]:
    option = _CALLED.get(name, f"--{name.replace('_', '-')}")
    if value is True:
        return [option]
    if value is False:
        if name not in _NO:
            raise _Unsayable
        return [_NO[name]]
    several = value if isinstance(value, tuple | list) else (value,)
    return [word for one in several for word in _pair(option, str(one))]


def _pair(option: str, value: str) -> list[str]:
    return [f"{_LONG.get(option, option)}={value}"] if value.startswith("-") else [option, value]


# -- what to run in Python ------------------------------------------------------------------------------------------


def python(plan: Plan, variables: tuple[str, ...] = ()) -> str:
    """A script; `result` is what it computes. `variables`: those that were read, where a command takes all of them."""
    lines = _SCRIPTS[plan.command](plan, variables)
    return "\n".join(["import accord", *lines, "print(result)", ""])


def _given(plan: Plan) -> Any:
    return plan.paths[0] if len(plan.paths) == 1 else list(plan.paths)


def _reading(plan: Plan, **more: Any) -> dict[str, Any]:
    said = {name: list(value) if isinstance(value, tuple) else value for name, value in _read(plan.reading).items()}
    return said | {name: value for name, value in more.items() if value}


def _own(plan: Plan, *left: str) -> dict[str, Any]:
    """Options of the plan itself that differ from the defaults; a word of the plan may be another in Python."""
    inside = {"paths", "reading", "measures", *left}
    return {name: value for name, value in _said_plainly(plan).items() if name not in inside}


def _said_plainly(plan: Plan) -> dict[str, Any]:
    usual = type(plan)()
    found: dict[str, Any] = {}
    for field in fields(plan):
        mine, default = getattr(plan, field.name), getattr(usual, field.name)
        if field.name == "settings":
            pairs = ((option, getattr(mine, name), getattr(default, name)) for option, name in SETTINGS.items())
            found |= {option: value for option, value, default in pairs if value != default}
        elif mine != default and (field.name, plan.command) not in _NO_SEED:
            found[field.name] = list(mine) if isinstance(mine, tuple) else mine
    return found


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


def _measures(plan: Any) -> list[str] | None:
    return list(plan.measures) or None


def _layout(plan: Any) -> dict[str, Any]:
    """What measures decide about tables whose columns do not say what they hold."""
    kinds = {measure(spec).data for spec in plan.measures}
    named = kinds & {"texts", "chains"}
    return {"layout": named.pop()} if plan.reading.layout is None and len(kinds) == 1 and named else {}


def _result(call: str) -> list[str]:
    return [f"result = {call}"]


def _of_data(function: str, *arguments: str) -> _Script:
    """A function of the data, these fields of the plan in their order, and the rest by name."""

    def lines(plan: Any, _: tuple[str, ...]) -> list[str]:
        given = [getattr(plan, name) for name in arguments]
        while given and given[-1] in {None, ()}:
            given.pop()
        own = _own(plan, *arguments)
        listed = [list(one) if isinstance(one, tuple) else one for one in given]
        return _result(_call(function, _given(plan), *listed, **own, **_reading(plan)))

    return lines


_Script = Callable[[Any, tuple[str, ...]], list[str]]


def _read_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    return _result(_call("read_all", _given(plan), **_reading(plan)))


def _score_script(plan: Any, variables: tuple[str, ...]) -> list[str]:
    """One variable by its path; several, one after the other; and the values of columns apart."""
    columns = [name for name in plan.by if name not in PARTS]
    options = _own(plan, "by", "scales", "matrix", "marginals", "explain", "beside", "style", "cite")
    named = [_measures(plan)] if plan.measures else []
    if len(variables) < 2 and not columns:
        return _result(_call("score", _given(plan), *named, **options, **_reading(plan)))
    each = _call("score", _Code("data"), *named, **options)
    reading = _reading(plan, by=columns) | _layout(plan)
    lines = [f"variables = {_call('read_all', _given(plan), **reading)}"]
    lines += [f"result = {{name: {each} for name, data in variables.items()}}"]
    for column in columns:
        lines += [f"for name, whole in variables.items():  # {column!r} apart",
                  f"    for value, data in whole.by({column!r}).items():",
                  f"        print(name, value, {each.replace(chr(10), ' ')})"]  # fmt: skip
    return lines


def _report_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    if {"items_population", "annotators_population", "null"} & set(_own(plan)):  # the function has no such options
        return [
            "from pathlib import Path",
            "from accord.answers.plans.kept import loaded",
            "from accord.answers.plans.report import ReportPlan",
            "from accord.answers.reporting.writing import written",
            f"result = loaded(Path({RUN_FILE!r}), ReportPlan).carried_out()",
            "written(result, Path('report.html'))",
        ]
    given = (_given(plan), "report.html", *([_measures(plan)] if plan.measures else []))
    return _result(_call("report", *given, **_own(plan), **_reading(plan)))


def _gold_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    lines = _result(_call("gold", _given(plan), **_own(plan, "decisions"), **_reading(plan)))
    if plan.decisions is None:
        return lines
    return [
        "from pathlib import Path",
        "from accord.answers.gold.decisions import read_decisions",
        "from accord.answers.gold.settled import apply_decisions",
        *lines,
        f"result = apply_decisions(result, read_decisions(Path({plan.decisions!r})))",
    ]


def _compare_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    if plan.group:
        groups: dict[str, list[str]] = {}
        for text in plan.group:
            name, _, members = text.partition("=")
            groups[name] = [*groups.get(name, ()), *(names_in(members) or ())]
        more = [plan.measures[0]] if plan.measures else []
        return _result(_call("compare_groups", _given(plan), groups, *more, **_own(plan, "group"), **_reading(plan)))
    teams = {name: names_in(getattr(plan, name)) for name in ("annotators_a", "annotators_b")}
    options = _own(plan, "by", *teams) | {name: value for name, value in teams.items() if value}
    named = [_measures(plan)] if plan.measures else []
    if plan.by is not None:
        parts = _Code(
            f"{{value: part.without_ending(f' ({{value}})') for value, part in data.by({plan.by!r}).items()}}"
        )
        data = _call("read", _given(plan), **(_reading(plan, by=[plan.by]) | _layout(plan)))
        return [f"data = {data}", *_result(_call("compare_all", parts, *named, **options))]
    if len(plan.paths) == 2:
        names = [Path(path).stem or path for path in plan.paths]
        names = names if len(set(names)) == 2 else list(plan.paths)
        studies = dict(zip(names, plan.paths, strict=True))
        return _result(_call("compare_all", studies, *named, **options, **_reading(plan)))
    return _on_one(plan, options)


def _on_one(plan: Any, options: dict[str, Any]) -> list[str]:
    """Two measures on the same data, or two teams: called as on the command line."""
    first, *others = list(plan.measures) or [None]
    teams = [options.get("annotators_a"), options.get("annotators_b")]
    other = plan.spec_b or (others[0] if others and teams == [None, None] else None)
    name = Path(plan.paths[0]).stem or plan.paths[0]
    names = (first, other) if teams == [None, None] else tuple(",".join(team) if team else name for team in teams)
    more = {"names": names} | ({"spec_b": other} if other else {})
    return _result(_call("compare", _given(plan), _Code("None"), first, **(options | more), **_reading(plan)))


def _plan_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    """The question decides which function answers it."""
    question = plan.question
    if question == "--documents":
        sizes = [int(text) if text and text.isdecimal() else names_in(text) for text in (plan.documents, plan.people)]
        return _result(_call("layout", *sizes, **_own(plan, "documents", "people")))
    pilot = {"pilot": _given(plan)} if plan.paths else {}
    own = _own(plan, "measure", "replace", "raters", "unpaired", "shares", "people", "crossing")
    own |= {} if plan.raters is None else {"annotators": plan.raters}
    people = names_in(plan.people)
    if question in {"--replace", "--advantage"}:
        more = {"people": people} if people else {}
        return _result(_call("replacement_size", plan.replace, **pilot, **own, **more, **_reading(plan)))
    spec = [plan.measure] if plan.measure else []
    if question == "--crossing":
        return _result(_call("crossing", _given(plan), *spec, **own, **_reading(plan)))
    own |= {"paired": False} if plan.unpaired else {}
    own |= {} if plan.shares == "0.5,0.5" else {"shares": [float(part) for part in plan.shares.split(",")]}
    return _result(_call("sample_size", *spec, **pilot, **own, **_reading(plan)))


def _influence_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    own = _own(plan, "leave_out")
    own |= {"annotators": names_in(plan.leave_out)} if plan.leave_out is not None else {}
    return _result(_call("influence", _given(plan), *plan.measures[:1], **own, **_reading(plan)))


def _replace_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    own = _own(plan, "models", "people") | ({"people": names_in(plan.people)} if plan.people is not None else {})
    return _result(_call("replace", _given(plan), names_in(plan.models), **own, **_reading(plan)))


def _limits_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    return _result(_call("bland_altman", _given(plan), *plan.reading.annotators, **_own(plan), **_reading(plan)))


def _cite_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    named = [_measures(plan)] if plan.measures else []
    return _result(_call("cite", _given(plan), *named, **_own(plan), **_reading(plan)))


def _check_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    sides = {
        side: {spec: float(value) for spec, _, value in (text.rpartition("=") for text in getattr(plan, side))}
        for side in ("minimum", "maximum")
    }
    said = {side: bounds for side, bounds in sides.items() if bounds}
    return _result(_call("check", _given(plan), **said, **_own(plan, *sides), **_reading(plan)))


def _advise_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    own = _own(plan, "models") | ({"models": names_in(plan.models)} if plan.models is not None else {})
    return _result(_call("advise", _given(plan), **own, **_reading(plan)))


def _meaning_script(plan: Any, _: tuple[str, ...]) -> list[str]:
    own = _own(plan, "measure", "error", "gold", "reference") | ({"errors": list(plan.error)} if plan.error else {})
    if plan.gold is not None:
        who = {} if plan.reference is None else {"annotators": [plan.reference]}
        own["gold"] = _Code(_call("read", plan.gold, **(_reading(plan) | who)))
    return _result(_call("meaning", _given(plan), *filter(None, [plan.measure]), **own, **_reading(plan)))


_SCRIPTS: dict[str, _Script] = {
    "read": _read_script,
    "advise": _advise_script,
    "score": _score_script,
    "report": _report_script,
    "disagreements": _of_data("disagreements"),
    "gold": _gold_script,
    "compare": _compare_script,
    "plan": _plan_script,
    "annotators": _of_data("annotators"),
    "influence": _influence_script,
    "trend": _of_data("trend", "by", "measures"),
    "intra": _of_data("intra", "measure"),
    "limits": _limits_script,
    "replace": _replace_script,
    "cite": _cite_script,
    "check": _check_script,
    "meaning": _meaning_script,
}
