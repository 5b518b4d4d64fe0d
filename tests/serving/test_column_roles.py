"""The roles of columns: understood.json of the page, the readings that a refusal suggests, and saved roles."""

from __future__ import annotations

import io
import json
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from tests.command_line import Cli
from tests.serving.served import User

from accord.data.io.reading import ROLES
from accord.doors.serving import about

# Three annotators, and a column with their labels that may be a fourth one.
EXPERTS = "id,ExpertA,ExpertB,ExpertC,Machine\n" + "".join(
    f"{k},{'xy'[k % 2]},{'xy'[k % 3 > 0]},{'xy'[k % 5 > 1]},{'xy'[k % 2]}\n" for k in range(12)
)
IGNORED = {"role": ["Machine=ignore"]}


def understood(user: User, job: dict[str, Any]) -> Any:
    return json.loads(user.output(job, "understood.json"))


def test_page_gets_the_roles_that_a_column_can_have() -> None:
    assert about.as_dict()["roles"] == list(ROLES)


def test_columns_have_the_roles_of_accord_map(user: User, cli: Cli, garden: Path) -> None:
    table = garden / "sentences.csv"
    found = understood(user, user.job(user.project({table.name: table.read_bytes()}), "read"))
    (mapped,) = json.loads(cli("map", table, "--json").out)["tables"]
    shared = ("name", "role", "confidence", "reason", "examples", "distinct")
    (shown,) = found["tables"]
    assert [{key: one[key] for key in shared} for one in shown["columns"]] == [
        {key: one[key] for key in shared} for one in mapped["columns"]
    ]
    assert found["ways"] == []


def test_refusal_lists_the_columns_and_the_readings_it_suggests(user: User, cli: Cli, tmp_path: Path) -> None:
    project = user.project({"experts.csv": EXPERTS})
    refused = user.job(project, "read")
    assert (refused["state"], "roles-unclear" in refused["error"]) == ("failed", True)
    found = understood(user, refused)
    roles = {one["name"]: one["role"] for one in found["tables"][0]["columns"]}
    assert roles["Machine"] == "unclear"
    assert [(way["reading"].get("role"), way["variables"]["label"]["n_annotators"]) for way in found["ways"]] == [
        (["Machine=ignore"], 3),
        (None, 4),
    ]
    (tmp_path / "experts.csv").write_text(EXPERTS)
    *_, with_role, with_labels = json.loads(cli("map", tmp_path / "experts.csv", "--json").out)["effects"]
    for way, effect in zip(found["ways"], (with_role, with_labels), strict=True):
        user.http.patch(f"/api/projects/{project}", json={"reading": way["reading"]}).raise_for_status()
        read = json.loads(user.result(user.job(project, "read")))["variables"]["label"]
        assert {name: read[name] for name in way["variables"]["label"]} == way["variables"]["label"]
        assert read["digest"] == effect["variables"]["label"]["digest"]


def test_suggested_role_is_added_to_stated_roles(user: User) -> None:
    project = user.project({"experts.csv": EXPERTS.replace("\n", ",c\n").replace("Machine,c", "Machine,True")})
    reading = {"role": ["True=ignore"], "missing": ["z"]}
    user.http.patch(f"/api/projects/{project}", json={"reading": reading}).raise_for_status()
    found = understood(user, user.job(project, "read"))
    assert found["ways"][0]["reading"] == {"role": ["True=ignore", "Machine=ignore"]}


def test_saved_run_and_command_line_contain_the_roles(user: User, cli: Cli, tmp_path: Path) -> None:
    project = user.project({"experts.csv": EXPERTS})
    user.http.patch(f"/api/projects/{project}", json={"reading": IGNORED}).raise_for_status()
    found = understood(user, user.job(project, "read"))
    assert found["reading"] == IGNORED
    assert {one["name"]: one["confidence"] for one in found["tables"][0]["columns"]}["Machine"] == "declared"
    job = user.job(project, "score", measure=["alpha"])
    assert job["command_line"] == "accord score experts.csv -m alpha --role Machine=ignore"
    assert "role=['Machine=ignore']" in job["python"]
    packed = zipfile.ZipFile(io.BytesIO(user.http.get(f"/api/projects/{project}/everything.zip").content))
    for name in ("read", "score"):
        assert tomllib.loads(packed.read(f"{name}/run.toml").decode())["reading"] == IGNORED
    packed.extract("score/run.toml", tmp_path)
    (tmp_path / "experts.csv").write_text(EXPERTS)
    again = json.loads(cli("score", tmp_path / "experts.csv", "-m", "alpha", "--role", "Machine=ignore", "--json").out)
    assert json.loads(user.result(job))["scores"][0]["value"] == again["scores"][0]["value"]


def test_several_columns_name_the_item_together(user: User) -> None:
    rows = "".join(
        f"s{s},g{g},{who},{(s + g + n) % 3}\n" for s in range(3) for g in range(4) for n, who in enumerate("AB")
    )
    project = user.project({"t.csv": f"a,b,coder,c\n{rows}"})
    job = user.job(project, "read", reading={"role": ["a+b=item"]})
    assert json.loads(user.result(job))["variables"]["c"]["items"] == 12
    roles = {one["name"]: one["role"] for one in understood(user, job)["tables"][0]["columns"]}
    assert (roles["a"], roles["b"]) == ("item", "item")


def test_contradicting_roles_leave_the_guessed_roles(user: User) -> None:
    """The user needs the columns to correct the roles."""
    stated = ["ExpertA=annotator", "ExpertB=annotator", "ExpertC=label"]
    job = user.job(user.project({"experts.csv": EXPERTS}), "read", reading={"role": stated})
    assert "leave out the role label" in job["error"]
    found = understood(user, job)
    assert found["tables"][0]["columns"][0]["role"] == "item"
    assert found["reading"] == {"role": stated}
