"""The server derives the JSON schemas of commands from the declarations of questions."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from accord.answers.catalogue import NOT_ON_PAGE, ON_PAGE, QUESTIONS, question_named
from accord.data.io.reading import READING
from accord.doors.serving import about

from .served import User


@pytest.fixture(scope="module")
def commands() -> dict[str, Any]:
    found: dict[str, Any] = about.as_dict()["commands"]
    return found


def test_every_question_is_on_the_page_or_listed_as_excluded(commands: dict[str, Any]) -> None:
    assert {*commands, *NOT_ON_PAGE} == {name for group in QUESTIONS.values() for name in group}


@pytest.mark.parametrize("command", ON_PAGE)
def test_schema_lists_every_option_of_a_command(command: str, commands: dict[str, Any]) -> None:
    question, properties = question_named(command), commands[command]["properties"]
    assert set(properties) == {"paths", *question.kept, *(("reading",) if question.reads else ())}
    if question.reads:
        assert set(properties["reading"]["properties"]) == set(READING) - set(question.parameters)
    for name, one in question.kept.items():
        assert properties[name]["description"] == one.option.help, name
        assert properties[name]["x-heading"] == one.option.heading, name


@pytest.mark.parametrize("command", ON_PAGE)
def test_schema_is_valid_and_accepts_the_defaults(command: str, commands: dict[str, Any]) -> None:
    schema = commands[command]
    jsonschema.Draft202012Validator.check_schema(schema)
    reading = schema["properties"].get("reading", {"properties": {}})["properties"]
    for name, one in (schema["properties"] | reading).items():
        if "default" in one:
            jsonschema.Draft202012Validator(one).validate(one["default"])
        else:
            assert name in {"paths", "reading", *schema["required"]}


def test_schema_refuses_unknown_names_and_wrong_types(commands: dict[str, Any]) -> None:
    validator = jsonschema.Draft202012Validator(commands["score"])
    assert validator.is_valid({"measure": ["alpha"], "level": 0.9, "reading": {"categories": ["low", "high"]}})
    for wrong in ({"mesure": ["alpha"]}, {"level": "high"}, {"reading": {"layout": "round"}}, {"jobs": 0}):
        assert not validator.is_valid(wrong), wrong


def test_server_sends_the_schemas(user: User, commands: dict[str, Any]) -> None:
    assert user.http.get("/api/about").raise_for_status().json()["commands"] == commands


def test_number_of_workers_cannot_be_set_by_a_user(user: User) -> None:
    job = user.job(user.project({"t.csv": "item,annotator,label\n1,Ana,a\n1,Ben,a\n"}), "score", jobs=2)
    assert 'unknown key "jobs"' in job["error"]


def test_reading_accepts_names_as_list_or_comma_separated_text(user: User) -> None:
    table = "item,annotator,label\n1,Ana,a\n1,Ben,a\n2,Ana,b\n2,Ben,a\n"
    project = user.project({"t.csv": table})
    given = ("b,a", ["b", "a"])
    lines = [user.job(project, "score", reading={"categories": one})["command_line"] for one in given]
    assert lines == ["accord score t.csv --categories b,a"] * 2
