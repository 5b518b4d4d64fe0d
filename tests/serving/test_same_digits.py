"""A job gives the output of the command line, byte for byte. The command line and the Python code on the page
reproduce it."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shlex
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Cli
from tests.conftest import EXAMPLES
from tests.serving.served import User

import accord
from accord.core.tables import Result
from accord.doors.rendering import render
from accord.doors.serving.app import folder_names

GARDEN = EXAMPLES / "garden"
LATER = "item,annotator,label\n" + "".join(
    f"{k},{who},{'a' if (k * n) % 3 else 'b'}\n" for k in range(30) for n, who in enumerate(("Ana", "Ben", "Cem"), 1)
)
SENTENCES = {"sentences.csv": (GARDEN / "sentences.csv").read_bytes()}
TONE = {"tone.csv": (GARDEN / "tone.csv").read_bytes()}
SPANS = {name: (GARDEN / name).read_bytes() for name in ("spans.csv", "docs.csv", "judged.csv")}
QUICK = {"interval": "none"}
CASES: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "read": (SENTENCES, "read", {}),
    "read units": (SPANS, "read", {"reading": {"annotators": ["Ana", "Ben"]}}),
    "score": (
        TONE,
        "score",
        {"measures": ["alpha(distance=ordinal)", "kappa"], "level": 0.9, "seed": 3},
    ),
    "breakdowns": (SENTENCES, "score", {"measure": ["pi"], "by": ["category"], "matrix": True, **QUICK}),
    "advise": (TONE, "advise", {"say": ["order=grades"]}),
    "report": ({"later.csv": LATER}, "report", {"measure": ["alpha"], "title": "Ton & <b>Wort</b>", **QUICK}),
    "disagreements": (SENTENCES, "disagreements", {}),
    "gold": (SPANS, "gold", {"threshold": 0.3}),
    "compare": (SENTENCES | {"second-upload/later.csv": LATER}, "compare", {"measure": ["alpha", "pi"], **QUICK}),
    "compare teams": (TONE, "compare", {"annotators_a": "Ana,Ben", "annotators_b": "Ana,Chloé", **QUICK}),
    "plan": (TONE, "plan", {"paths": "all", "measure": "alpha", "width": 0.2, "simulations": 0}),
    "plan without data": ({}, "plan", {"documents": "6", "team": "Ana,Ben,Chloé"}),
    "annotators": (SENTENCES, "annotators", {"fit": False}),
    "cite": (TONE, "cite", {"measure": ["icc"]}),
}


@pytest.mark.parametrize("case", CASES)
def test_job_gives_the_same_output_as_the_command_line(
    case: str, user: User, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, command, options = CASES[case]
    job = user.job(user.project(files), command, **options)
    result = user.result(job)
    for path, content in files.items():
        place = tmp_path / path
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    monkeypatch.chdir(tmp_path)
    program, *argv = shlex.split(job["command_line"])
    assert (program, argv[0]) == ("accord", command)
    typed = cli(*argv, "--json")
    assert typed.code == 0, typed.err
    assert result.decode() == typed.out
    if command == "report":
        assert cli(*argv, "-o", "typed.html").code == 0
        assert user.output(job, "report.html") == Path("typed.html").read_bytes()
    else:
        _check_code(job["python"], command, json.loads(result))
    if case == "score":
        Path("run.toml").write_bytes(user.output(job, "run.toml"))
        assert cli(command, "--run", "run.toml", "--json").out == typed.out


def _check_code(code: str, command: str, result: dict[str, Any]) -> None:
    names: dict[str, Any] = {}
    with warnings.catch_warnings(action="ignore"):
        exec(compile(code.replace("print(result)", ""), "code.py", "exec"), names)  # noqa: S102 - our own
    found = names["result"]
    if command == "read":
        assert {name: data.digest for name, data in found.items()} == {
            name: one["digest"] for name, one in result["variables"].items()
        }
    elif command == "score":
        scores = [found] if isinstance(found, accord.Score) else found  # for one measure
        assert [(one.measure, _plain(one.value)) for one in scores] == [
            (one["measure"], one["value"]) for one in result["scores"]
        ]
    else:
        assert isinstance(found, Result)
        mine = json.loads(render(found, "json"))
        if "comparisons" in result or command == "compare":
            mine, result = (_first(mine), _first(result))
        assert mine == result


def _first(compared: dict[str, Any]) -> Any:
    """Return a list of comparisons, also for a single comparison."""
    return (
        compared["comparisons"] if "comparisons" in compared else [{k: v for k, v in compared.items() if k != "accord"}]
    )


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def test_adjudication_writes_decisions_and_gold(user: User, cli: Cli, tmp_path: Path) -> None:
    """Decisions on the page become the file that `accord gold --decisions` reads, and give the same gold standard."""
    project = user.project(SENTENCES)
    two = {"reading": {"annotators": ["Ana", "Ben"]}}  # two annotators give no majority
    job = user.job(project, "gold", decisions=True, **two)  # nothing is decided yet
    asked = json.loads(user.output(job, "adjudicate.json"))
    (tmp_path / "sentences.csv").write_bytes(SENTENCES["sentences.csv"])
    typed = ("gold", tmp_path / "sentences.csv", "--annotators", "Ana,Ben")
    cli(*typed, "--adjudicate", tmp_path / "todo.csv", "-o", tmp_path / "first.csv")
    assert user.output(job, "adjudicate.csv") == (tmp_path / "todo.csv").read_bytes()
    todo = list(csv.DictReader(io.StringIO((tmp_path / "todo.csv").read_text(encoding="utf-8"))))
    assert asked["open"] == len(todo) > 1
    rows = [row for row in asked["rows"] if row["open"]]
    assert [row["key"] for row in rows] == [row["key"] for row in todo]
    chosen = {rows[0]["key"]: rows[0]["said"]["Ana"], rows[1]["key"]: "=cmd()"}
    path = f"/api/projects/{project}/decisions"
    answer = user.http.put(path, json={"job": job["id"], "decisions": chosen}).raise_for_status().json()
    assert answer == {"decisions": chosen} == user.http.get(path).json()
    more = {rows[1]["key"]: "", rows[-1]["key"]: "plan"}  # this removes one decision
    user.http.put(path, json={"job": job["id"], "decisions": more}).raise_for_status()
    user.http.put(path, json={"job": job["id"], "decisions": {rows[1]["key"]: "=cmd()"}}).raise_for_status()
    kept = user.http.get(f"{path}.csv").content
    assert b"'=cmd()" in kept  # spreadsheets do not run it as a formula
    (tmp_path / "decisions.csv").write_bytes(kept)
    made = user.job(project, "gold", decisions=True, to="label_studio", **two)
    printed = cli(*typed, "--decisions", tmp_path / "decisions.csv", "--json").out
    assert user.result(made).decode() == printed
    assert json.loads(printed)["decided"] == len(chosen | more)
    assert json.loads(printed)["unsettled"] == len(todo) - len(chosen | more)
    assert json.loads(user.output(made, "gold.json"))
    with zipfile.ZipFile(io.BytesIO(user.http.get(f"/api/jobs/{made['id']}/everything.zip").content)) as packed:
        assert {"decisions.csv", "gold.csv", "gold.json", "result.json", "run.toml", "command.txt", "code.py"} <= set(
            packed.namelist()
        )
        assert packed.read("decisions.csv") == kept
    assert user.http.get(f"/api/projects/{project}").json()["decisions"] == len(chosen | more)
    user.job(project, "read")
    with zipfile.ZipFile(io.BytesIO(user.http.get(f"/api/projects/{project}/everything.zip").content)) as packed:
        assert {name.partition("/")[0] for name in packed.namelist()} == {"decisions.csv", "gold", "read"}
        assert packed.read("decisions.csv") == kept
        assert packed.read("gold/result.json").decode() == printed  # the newest of two
        assert packed.read("gold/command.txt").decode().startswith("accord gold sentences.csv ")
        assert {"read/code.py", "read/understood.json", "gold/gold.json"} <= set(packed.namelist())


def test_each_variable_has_its_own_decisions(
    user: User, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both variables have the same labels and keys, but different decisions."""
    table = "item,annotator,tone,Ton!,said\n1,Ana,a,a,Ach!\n1,Ben,b,b,Ach!\n2,Ana,a,a,So\n2,Ben,a,a,So\n"
    (tmp_path / "both.csv").write_text(table)
    monkeypatch.chdir(tmp_path)
    project = user.project({"both.csv": table})
    path = f"/api/projects/{project}/decisions"
    lines, asked = {}, {}
    for name, decision in {"tone": "a", "Ton!": "b"}.items():
        about = {"reading": {"label": [name]}}
        asked[name] = user.job(project, "gold", text="said", **about)
        here = {"job": asked[name]["id"]}
        assert user.http.get(path, params=here).json() == {"decisions": {}}
        (row,) = json.loads(user.output(asked[name], "adjudicate.json"))["rows"]
        assert row["text"] == "Ach!"
        said = {row["key"]: decision}
        assert user.http.put(path, json={**here, "decisions": said}).json() == {"decisions": said}
        kept = user.http.get(f"{path}.csv", params=here)
        file = re.search(r'filename="(.+)"', kept.headers["content-disposition"])
        assert file is not None
        Path(file[1]).write_bytes(kept.content)
        made = user.job(project, "gold", decisions=True, **about)
        lines[name] = shlex.split(made["command_line"])
        assert user.result(made).decode() == cli(*lines[name][1:], "--json").out
        assert [one["label"] for one in json.loads(user.result(made))["rows"]] == [decision, "a"]
    assert user.http.get(path, params={"job": asked["tone"]["id"]}).json() == {"decisions": {row["key"]: "a"}}
    shown = user.http.get(f"/api/projects/{project}").json()
    assert (shown["decisions"], [one["path"] for one in shown["files"]]) == (2, ["both.csv"])
    with zipfile.ZipFile(io.BytesIO(user.http.get(f"/api/projects/{project}/everything.zip").content)) as packed:
        tops = {name.partition("/")[0] for name in packed.namelist()}
    decisions = {line[line.index("--decisions") + 1] for line in lines.values()}
    assert "decisions-about-tone.csv" in decisions
    assert tops == decisions | {"gold-tone", "gold-Ton_"}


def test_project_without_answers_has_no_zip(user: User) -> None:
    assert user.http.get(f"/api/projects/{user.project(SENTENCES)}/everything.zip").status_code == 404


def test_folder_names_in_a_zip_are_unique() -> None:
    """Windows treats the first two names as equal."""
    asked = [("gold", "a b"), ("gold", "A_B"), ("gold", "a/b"), ("gold", "../x" * 99), ("read",)]
    made = folder_names(asked)
    assert len({one.lower() for one in made}) == len(asked)
    assert all(re.fullmatch(r"[\w-]{1,70}", one) for one in made)


def test_broken_file_gives_the_error_of_the_command_line(
    user: User, cli: Cli, tmp_path: Path, monkeypatch: Any
) -> None:
    broken = "doc,annotator,start,end,label\nd1,Ana,5,3,PER\nd1,Ben,1,2,PER\n"
    job = user.job(user.project({"spans.csv": broken}), "read")
    (tmp_path / "spans.csv").write_text(broken)
    monkeypatch.chdir(tmp_path)
    assert f"accord: {job['error']}\n" == cli("read", "spans.csv").err
    understood = json.loads(user.output(job, "understood.json"))  # the facts that a user needs to correct the reading
    assert [one["name"] for one in understood["tables"][0]["columns"]] == broken.splitlines()[0].split(",")
    assert understood["variables"] == {}


def test_reading_can_be_corrected(user: User) -> None:
    project = user.project({"t.csv": "a,b,c\nx,Ana,1\nx,Ben,2\ny,Ana,3\ny,Ben,3\n"})
    reading = {"layout": "long", "item": "a", "annotator": "b", "label": ["c"], "categories": ["3", "2", "1"]}
    path = f"/api/projects/{project}"
    assert user.http.get(path).json()["models"] is None
    user.http.patch(path, json={"models": ["Ben"]}).raise_for_status()
    shown = user.http.patch(path, json={"reading": reading}).raise_for_status().json()
    assert (shown["reading"], shown["models"]) == (reading, ["Ben"])
    assert [user.http.patch(path, json={"models": no}).status_code for no in ("Ben", [1])] == [400, 400]
    assert user.http.get(path).json()["models"] == ["Ben"]
    assert user.http.patch(path, json={"models": None}).json()["models"] is None
    found = json.loads(user.output(user.job(project, "read"), "understood.json"))
    roles = {one["name"]: one["role"] for one in found["tables"][0]["columns"]}
    assert roles == {"a": "item", "b": "annotator", "c": "label"}
    (data,) = found["variables"].values()
    assert (data["annotators"], data["categories"], data["order"]) == (["Ana", "Ben"], ["3", "2", "1"], "declared")
    assert found["tables"][0]["rows"][0] == ["x", "Ana", "1"]
    assert user.job(project, "score", measure=["pi"])["command_line"] == (
        "accord score t.csv -m pi --layout long --item a --annotator b --label c --categories 3,2,1"
    )
