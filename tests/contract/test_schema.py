"""The schema accepts the JSON of every result, and rejects missing keys and values of wrong types."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema

import accord
from accord.core.result import PartTable
from accord.core.schema import outputs, schema
from accord.doors.rendering import render

from ..cases import for_each
from ..command_line import Cli, refused
from .test_results import EVERY, NAMES, made


def assert_valid(found: object, name: str) -> None:
    """Validate the output of a command, or the JSON of a class of results."""
    jsonschema.Draft202012Validator(schema(name)).validate(found)


def of_class(name: str) -> str:
    cls = EVERY[name][0]
    return "NamedScores" if cls is PartTable else cls.__name__  # a breakdown has the schema of scores by name


def test_schema_is_valid_and_uses_all_definitions() -> None:
    jsonschema.Draft202012Validator.check_schema(outputs())
    known = set(outputs()["$defs"])
    text = json.dumps(outputs())
    assert {name for name in known if f'"#/$defs/{name}"' not in text} <= {of_class(name) for name in EVERY}
    assert {one for printed in outputs()["commands"].values() for one in printed} <= known


@NAMES
def test_every_result_is_valid(name: str) -> None:
    found = json.loads(render(made(name), "json"))
    assert found.pop("accord") == accord.__version__
    assert_valid(found, of_class(name))


@NAMES
def test_damaged_json_fails_the_schema(name: str) -> None:
    """Remove each required key, and replace each required value by one of another type."""
    whole = json.loads(json.dumps(made(name).to_dict()))
    validator = jsonschema.Draft202012Validator(schema(of_class(name)))
    promised = [key for key in whole if key in required(of_class(name), whole)]
    assert promised
    for key in promised:
        without = {other: value for other, value in whole.items() if other != key}
        assert not validator.is_valid(without), key
        otherwise = {**whole, key: "damaged" if isinstance(whole[key], list | dict | int | float) else ["damaged"]}
        assert whole[key] is None or not validator.is_valid(otherwise), key


def required(name: str, found: dict[str, Any]) -> list[str]:
    """Return the required keys of a definition, or of the alternative that matches."""
    definition = outputs()["$defs"][name]
    for one in definition.get("anyOf", ()):
        promised = required(one["$ref"].rpartition("/")[2], found) if "$ref" in one else list(one["required"])
        if set(promised) <= set(found):
            return promised
    return list(definition["required"])


@for_each(
    ("name", "path"),
    [
        ("score", ("interval", "low")),
        ("score", ("parts", "category", "a|b", "value")),
        ("results", ("scores", 0, "interval", "method")),
        ("comparison", ("a", "value")),
        ("checks", ("checks", 0, "score", "signature")),
        ("gold", ("rows", 0, "share")),
        ("replacement", ("models", 0, "humans", 0, "p")),
        ("trend", ("rounds", 0, "scores", 0, "n")),
        ("report", ("variables", 0, "scores", 0, "details")),
        ("xray", ("curves", 0, "points", 0, "mean")),
    ],
)
def test_nested_damage_fails_the_schema(name: str, path: tuple[str | int, ...]) -> None:
    validator = jsonschema.Draft202012Validator(schema(of_class(name)))
    for otherwise in (None, ["damaged"]):
        found = copy.deepcopy(json.loads(json.dumps(made(name).to_dict())))
        place: Any = found
        for step in path[:-1]:
            place = place[step]
        if otherwise is None:
            del place[path[-1]]
        else:
            place[path[-1]] = otherwise
        assert not validator.is_valid(found)


def test_schema_command_prints_schemas(cli: Cli) -> None:
    assert json.loads(cli("schema").out) == outputs()
    assert json.loads(cli("schema", "compare").out)["anyOf"] == [
        {"$ref": "#/$defs/Comparisons"},
        {"$ref": "#/$defs/GroupAgreement"},
    ]
    assert json.loads(cli("schema", "Score").out) == schema("Score")
    refused(cli("schema", "scor"), "[unknown-name]", '"scor"', '"score"')
