"""The command line and the Python code on the page match the plan of the job."""

from __future__ import annotations

import ast
import inspect
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Cli
from tests.planned import planned
from tests.serving.served import User

import accord
from accord.answers.catalogue import MODULES, NOT_ON_PAGE, ON_PAGE, question_named
from accord.answers.plan import Plan
from accord.answers.plan_study import _OF
from accord.core.options import Parameter
from accord.data.door import OPTIONS
from accord.data.io import Reading
from accord.doors.cli.commands import Ask
from accord.doors.serving.asking import Asked
from accord.doors.serving.code_for import command_line, python

# A non-default value for each option. Options that depend on each other are tested together.
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
    "seed": 7, "measure": ("alpha(distance=ordinal)", "pi"), "by": ("round",), "scale": ("altman",),
    "marginals": True, "matrix": True, "explain": True, "cite": True, "meaning": True, "text": "the text",
    "title": "-- a 'title'", "method": "bootstrap", "boundaries": "union", "threshold": 0.25,
    "decisions": "decisions.csv", "measure_b": "pi", "annotators_a": "Ana", "annotators_b": "Ben,Chloé",
    "group": ("p=Ana,Ben", "m=x"), "paired": False, "interval": "bootstrap", "level": 0.9, "replicates": 250,
    "documents": "100", "team": "Ana,Ben", "people": "Ana,Ben", "per_document": 3, "everybody": 5, "width": 0.1,
    "difference": 0.2, "null": -0.5, "power": 0.9, "unpaired": True, "correlation": 0.5, "value": 0.6,
    "shares": "0.6,0.4", "raters": 4, "simulations": 0, "crossing": True, "replace": "gpt", "ties": 0.5,
    "advantage": 0.9, "epsilon": "0.1", "q": 0.1, "score": "accuracy", "family": "who", "min_people": 3,
    "min_items": 20, "time": "t", "duration": "s", "fit": False, "leave_out": "Ana", "models": "gpt,llama",
    "min": ("alpha=0.7",), "max": ("ser=0.2",), "baseline": "old.json", "use": "lower", "say": ("order=grades",),
    "tree": "tree.csv", "error": ("shift", "category"), "gold": "gold.csv", "reference": "Ana", "step": 0.2, "sets": 5,
    "items_population": 1000, "annotators_population": 30, "show": "se,p", "style": "apa",
}  # fmt: skip
OF_TEXTS = ("base", "texts", "merge_symbol", "split_symbol")


class Captured(Exception):  # noqa: N818 - not an error
    """Raised to end a command when its plan is known."""


def plan_of_line(cli: Cli, monkeypatch: pytest.MonkeyPatch, line: str) -> Plan:
    """Return the plan that the command line makes from a line."""
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
    """Return plans that together set every option of the command. Each parsing is slow, so a plan sets many options."""
    every = {name: _fitting(one, OWN[name]) for name, one in question_named(command).kept.items()}
    in_print = {"show", "style"} if command == "score" else set()  # these options need --latex or --markdown
    every = {name: value for name, value in every.items() if name not in in_print}
    if command == "plan":  # one question at a time
        asked = ("width", "difference", "null", "crossing", "replace", "advantage", "documents")
        made = [planned("plan", **{**_about(every, name), name: every[name]}) for name in asked]
        return [*made[:-1], planned("plan", team="Ana,Ben", **{**_about(every, "documents"), "documents": "100"})]
    made = [planned(command, "a.csv", "b c.csv", **every)]
    if command == "read":
        texts = {name: value for name, value in READING.items() if name in OF_TEXTS}
        others = {name: value for name, value in READING.items() if name not in OF_TEXTS}
        made += [planned("read", "-a.csv", reading=Reading(**one)) for one in (texts, others)]
    return made


def _about(every: dict[str, Any], question: str) -> dict[str, Any]:
    """Return the options that this question of `accord plan` uses. The plan refuses other options."""
    return {"seed": 7} | {name: every[name] for name, questions in _OF.items() if question in questions}


def _fitting(one: Parameter, value: Any) -> Any:
    """Return one value or several values, as the option requires."""
    return value if one.shape in {"texts", "numbers"} or not isinstance(value, tuple) else value[0]


@pytest.mark.parametrize("command", sorted(MODULES))
def test_shown_command_line_gives_the_same_plan(command: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    if command in NOT_ON_PAGE:
        return
    for plan in variants(command):
        line = command_line(plan)
        assert "--run" not in line, line
        expected = replace(plan, paths=tuple(f"./{p}" if p.startswith("-") else p for p in plan.paths))
        assert plan_of_line(cli, monkeypatch, line) == expected, line


def test_incomplete_plan_options_are_refused(user: User) -> None:
    job = user.job(user.project(), "plan", documents="10")
    assert re.search(r"--documents .*\[option-missing\]$", job["error"])


def test_values_that_cannot_be_typed_are_shown_as_a_saved_run() -> None:
    plan = planned("score", "a.csv", reading=Reading(categories=("yes, often", "no")))
    assert command_line(plan) == "accord score --run run.toml"


@pytest.mark.parametrize("command", ON_PAGE)
def test_shown_code_compiles_and_calls_functions_with_their_keywords(command: str) -> None:
    for plan in variants(command):
        tree = ast.parse(python(plan, ("a",)))
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                if not (isinstance(call.func.value, ast.Name) and call.func.value.id == "accord"):
                    continue
                known = inspect.signature(getattr(accord, call.func.attr)).parameters
                names = {keyword.arg for keyword in call.keywords}
                assert names <= {*known, *OPTIONS}, call.func.attr


TWO = "item,annotator,mood,topic,round\n" + "".join(
    f"{k},{who},{'xy'[(k * n) % 2]},{'pq'[k % 2]},{k % 3}\n"
    for k in range(12)
    for n, who in enumerate(("Ana", "Ben"), 1)
)


@pytest.mark.parametrize(
    "asked", [{"reading": {"label": ["mood", "topic"]}}, {"by": ["round"], "reading": {"label": ["mood"]}}]
)
def test_shown_code_gives_the_same_values_for_variables_and_groups(
    asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TWO)
    options = {"measures": ["percent"], "interval": "none", **asked}
    plan = Asked("score", options, tmp_path).plan
    answer: Any = plan.answer()
    names: dict[str, Any] = {}
    exec(python(plan, tuple(answer.variables)), names)  # noqa: S102 - our own
    result = names["result"] if isinstance(names["result"], dict) else {"mood": names["result"]}
    for group in answer.groups:
        score = (
            result[group.variable][0] if isinstance(result[group.variable], accord.Scores) else result[group.variable]
        )
        for column, value in group.where.items():
            score = score.parts[column][value]
        assert score.value == group.scores[0].value
