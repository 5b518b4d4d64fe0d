"""The command line and the Python code that the page shows: they say what the plan says."""

from __future__ import annotations

import shlex
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Cli
from tests.serving.served import User

from accord.answers.plans.base import Plan
from accord.answers.plans.study import _OF
from accord.data.io import Reading
from accord.doors.cli.asking import Ask
from accord.doors.serving.asking import Asked, plan_class
from accord.doors.serving.code_for import _SCRIPTS, command_line, python
from accord.doors.serving.commands import COMMANDS
from accord.measures.intervals.methods import Settings

from ..cases import for_each

# A value of each option that is not its default; where options need another, they are tried together.
READING: dict[str, Any] = {
    "layout": "wide", "item": "my item", "annotator": "who", "label": ("a", "b c"), "missing": ("NA", "-", "--x"),
    "keep_empty": True, "fold": ("case", "space"), "sets": "|", "categories": ("low", "high"), "repeats": "last",
    "only": ("round=1,2",), "annotators": ("Ana", "Ben"), "merge": ("a,b=c",), "encoding": "latin-1", "delimiter": ";",
    "sheet": "Tabelle 1", "table": "t", "doc": "d", "start": "s", "end": "e", "end_is_length": True, "docs": "d.csv",
    "judged": "j.csv", "base": "pre", "texts": "texts", "merge_symbol": "+", "split_symbol": "/", "format": "brat",
    "no_header": True, "annotators_in": "files", "columns": "{annotator}_{label}", "names": "{doc}_{annotator}",
    "repair": True,
}  # fmt: skip
OWN: dict[str, Any] = {
    "seed": 7, "measures": ("alpha(distance=ordinal)", "pi"), "measure": "alpha", "by": ("round",),
    "scales": ("altman",),
    "marginals": True, "matrix": True, "explain": True, "cite": True, "meaning": True, "text": "the text",
    "title": "-- a 'title'", "method": "bootstrap", "boundaries": "union", "threshold": 0.25,
    "decisions": "decisions.csv",
    "spec_b": "pi", "annotators_a": "Ana", "annotators_b": "Ben,Chloé", "group": ("p=Ana,Ben", "m=x"), "paired": False,
    "interval": "bootstrap", "level": 0.9, "replicates": 250, "documents": "100", "people": "Ana,Ben",
    "per_document": 3,
    "everybody": 5, "width": 0.1, "difference": 0.2, "null": -0.5, "power": 0.9, "unpaired": True, "correlation": 0.5,
    "value": 0.6, "shares": "0.6,0.4", "raters": 4, "simulations": 0, "crossing": True, "replace": "gpt", "ties": 0.5,
    "advantage": 0.9, "epsilon": "0.1", "q": 0.1, "score": "accuracy", "kind": "who", "least_people": 3,
    "least_items": 20, "time": "t", "duration": "s", "fit": False, "of": ("annotator",), "leave_out": "Ana",
    "models": "gpt,llama", "minimum": ("alpha=0.7",), "maximum": ("ser=0.2",), "baseline": "old.json", "use": "lower",
    "say": ("order=grades",), "tree": "tree.csv", "error": ("shift", "category"), "gold": "gold.csv",
    "reference": "Ana", "step": 0.2, "sets": 5,
}  # fmt: skip
SETTINGS: dict[str, Any] = {
    "method": "bootstrap",
    "level": 0.9,
    "replicates": 500,
    "items_population": 1000,
    "null": 0.25,
}
OF_TEXTS = ("base", "texts", "merge_symbol", "split_symbol")
NOT_TYPED = {("read", "seed"), ("limits", "seed"), ("advise", "seed")}  # nothing there is random
IN_PRINT = {"beside", "style"}  # of --latex and --markdown, which the page writes as they are


class Captured(Exception):  # noqa: N818 - the name says it
    """Ends a command when its plan is known."""


def planned(cli: Cli, monkeypatch: pytest.MonkeyPatch, line: str) -> Plan:
    """What the command line makes of a line."""
    found: list[Plan] = []

    def captured(self: Ask) -> None:
        found.append(self.plan)
        raise Captured

    monkeypatch.setattr(Ask, "answered", captured)
    accord, *argv = shlex.split(line)
    assert accord == "accord"
    with pytest.raises(Captured):
        cli(*argv)
    return found[0]


def variants(command: str) -> list[Plan]:
    """Plans that say every option of the command; to type a line takes long, so many are said at once."""
    cls = plan_class(command)
    plain = cls(paths=("my table.csv",))
    own = {field.name: field for field in fields(cls) if field.name not in {"paths", "reading", "settings", *IN_PRINT}}
    every = {name: _fitting(field, OWN[name]) for name, field in own.items() if (command, name) not in NOT_TYPED}
    made = [replace(plain, **every, paths=("-a.csv", "b c.csv"))]
    if command == "plan":  # one question at a time
        asked = ("width", "difference", "null", "crossing", "replace", "advantage", "documents")
        made = [cls(**{**_about(every, f"--{name}"), name: every[name]}) for name in asked]
        made[-1] = replace(made[-1], people=every["people"])
    if any(field.name == "settings" for field in fields(cls)):
        made.append(replace(plain, settings=Settings(**SETTINGS)))
    if command == "read":
        texts = {name: value for name, value in READING.items() if name in OF_TEXTS}
        others = {name: value for name, value in READING.items() if name not in OF_TEXTS}
        made += [replace(plain, reading=Reading(**one)) for one in (texts, others)]
    return made


def _about(every: dict[str, Any], question: str) -> dict[str, Any]:
    """Options that say something with a question: the plan refuses others."""
    return {"seed": 7} | {name: every[name] for name, questions in _OF.items() if question in questions}


def _fitting(field: Any, value: Any) -> Any:
    """One value where an option takes one, several where it takes several."""
    return value if str(field.type).startswith("tuple") or not isinstance(value, tuple) else value[0]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_command_line_makes_the_same_plan(command: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for plan in variants(command):
        line = command_line(plan)
        assert "--run" not in line, line
        expected = replace(plan, paths=tuple(f"./{p}" if p.startswith("-") else p for p in plan.paths))
        assert planned(cli, monkeypatch, line) == expected, line


def test_incomplete_plan_options_are_refused(user: User) -> None:
    job = user.job(user.project(), "plan", documents="10")
    assert job["error"].startswith("a layout takes both: --documents")


def test_what_no_word_can_say_is_said_by_the_kept_run() -> None:
    plan = plan_class("score")(paths=("a.csv",), reading=Reading(categories=("yes, often", "no")))
    assert command_line(plan) == "accord score --run run.toml"


@for_each("command", sorted(COMMANDS))
def test_the_code_is_python_and_names_what_there_is(command: str) -> None:
    """Every option of every plan: the code compiles, and calls functions of accord with keywords that they have."""
    import ast
    import inspect

    import accord
    from accord.data.door import OPTIONS

    assert command in _SCRIPTS
    for plan in variants(command):
        if command == "compare":
            plan = replace(plan, group=())  # noqa: PLW2901 - groups are another function
        tree = ast.parse(python(plan, ("a",)))
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                if not (isinstance(call.func.value, ast.Name) and call.func.value.id == "accord"):
                    continue
                known = inspect.signature(getattr(accord, call.func.attr)).parameters
                names = {keyword.arg for keyword in call.keywords}
                assert names <= {*known, *OPTIONS, *inspect.signature(accord.compare).parameters}, call.func.attr


TWO = "item,annotator,mood,topic,round\n" + "".join(
    f"{k},{who},{'xy'[(k * n) % 2]},{'pq'[k % 2]},{k % 3}\n"
    for k in range(12)
    for n, who in enumerate(("Ana", "Ben"), 1)
)


@pytest.mark.parametrize(
    "asked", [{"reading": {"label": ["mood", "topic"]}}, {"by": ["round"], "reading": {"label": ["mood"]}}]
)
def test_several_variables_and_the_values_of_a_column(
    asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TWO)
    options = {"measures": ["percent"], "interval": "none", **asked}
    plan = Asked("score", options, tmp_path).plan
    found: Any = plan.carried_out()
    names: dict[str, Any] = {}
    exec(python(plan, tuple(found.variables)), names)  # noqa: S102 - our own
    whole = [(group.name, group.scores[0].value) for group in found.groups if not group.where]
    assert [(name, scores[0].value) for name, scores in names["result"].items()] == whole
    printed = capsys.readouterr().out
    for group in found.groups:
        if group.where:
            (value,) = group.where.values()
            assert f"mood {value} percent = {group.scores[0].value:.3f}" in printed
