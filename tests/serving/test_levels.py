"""The level of measurement in understood.json of the page, in jobs, and in reports made from the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Cli
from tests.serving.served import User

from accord.data.model.measurement import LEVELS
from accord.doors.serving import about

WORDS = "item,Ana,Ben\n" + "".join(f"i{k},{'xyz'[k % 3]},{'xyz'[(k + (k == 4)) % 3]}\n" for k in range(12))


def variable(user: User, job: dict[str, Any]) -> Any:
    (found,) = json.loads(user.output(job, "understood.json"))["variables"].values()
    return found


@pytest.fixture
def tone(garden: Path) -> dict[str, bytes]:
    return {"tone.csv": (garden / "tone.csv").read_bytes()}


def test_page_gets_the_levels() -> None:
    assert about.as_dict()["levels"] == list(LEVELS)


def test_assumed_level_has_the_value_at_each_level(user: User, cli: Cli, garden: Path, tone: dict[str, bytes]) -> None:
    level = variable(user, user.job(user.project(tone), "read"))["measurement"]
    assert (level["level"], level["basis"]) == ("ordinal", "assumed")
    assert list(level["values"]) == ["ordinal", "nominal", "interval"]
    for name, value in level["values"].items():
        scored = cli("score", garden / "tone.csv", "-m", f"alpha(distance={name})", "--interval", "none", "--json")
        assert json.loads(scored.out)["scores"][0]["value"] == value


def test_levels_that_labels_cannot_have_have_a_reason(user: User, tone: dict[str, bytes]) -> None:
    """The page shows the reason in place of the error of a reading with this level."""
    for files, impossible in (
        (tone, {"binary", "sets"}),
        ({"w.csv": WORDS}, set(LEVELS) - {"nominal", "text", "ranking"}),
    ):
        project = user.project(files)
        possible = variable(user, user.job(project, "read"))["measurement"]["possible"]
        assert "ranking" not in possible
        assert {level for level, reason in possible.items() if reason is not None} == impossible
        for level, reason in possible.items():
            job = user.job(project, "read", reading={"measurement": [level]})
            assert (job["state"] == "done") == (reason is None)
            assert reason is None or job["error"].startswith(reason)


def test_stated_level_is_used_by_every_job(user: User, tone: dict[str, bytes]) -> None:
    project = user.project(tone)
    user.http.patch(f"/api/projects/{project}", json={"reading": {"measurement": ["ordinal"]}}).raise_for_status()
    found = variable(user, user.job(project, "read"))
    assert (found["measurement"]["basis"], found["measurement"]["values"]) == ("stated", {})
    assert found["usual"][0] == "alpha(distance=ordinal)"
    job = user.job(project, "score", measure=["alpha"])
    assert job["command_line"] == "accord score tone.csv -m alpha --measurement ordinal"
    assert "measurement=['ordinal']" in job["python"]
    assert round(json.loads(user.result(job))["scores"][0]["value"], 3) == 0.760
    advice = json.loads(user.result(user.job(project, "advise")))
    assert (advice["case"], advice["measures"][0]["spec"]) == ("grades", "alpha(distance=ordinal)")
    checked = user.job(project, "check", min=["alpha=0.7"])
    assert checked["state"] == "done"


def test_report_names_the_control_in_the_language_of_the_page(user: User, tone: dict[str, bytes]) -> None:
    project = user.project(tone)
    for language, text in (
        ("en", "“Level of measurement” (step “Check the data”): ordinal"),
        ("de", "“Skalenniveau” (step “Daten prüfen”): ordinal"),
        ("xx", "“Level of measurement” (step “Check the data”): ordinal"),
    ):
        asked = {"command": "report", "options": {}, "language": language}
        job = user.over(user.http.post(f"/api/projects/{project}/jobs", json=asked).raise_for_status().json())
        report = user.output(job, "report.html").decode()
        assert text in report
        assert "--measurement" not in report


def test_assumed_level_is_refused_by_a_check(user: User, tone: dict[str, bytes]) -> None:
    job = user.job(user.project(tone), "check", min=["alpha=0.7"])
    assert "--measurement ordinal" in job["error"]  # the page shows its control instead
    assert job["error"].endswith("[level-unknown]")
