"""Argilla: records of its versions, responses by question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord

from ...refusals import raises
from .common import labels, one, told, units, variables

TEXT = "A 😀 small text"


def record(number: int, responses: Any, **more: Any) -> dict[str, Any]:
    return {"id": f"r{number}", "fields": {"text": TEXT}, "responses": responses, **more}


def test_records_of_version_2_are_read(tmp_path: Path) -> None:
    responses = {
        "mood": [{"value": "good", "user_id": "u1", "status": "submitted"}, {"value": "bad", "user_id": "u2"},
                 {"value": "bad", "user_id": "u3", "status": "discarded"},
                 {"value": "bad", "user_id": "u4", "status": "draft"}],
        "spans": [{"value": [], "user_id": "u2"}, {"value": [{"start": 4, "end": 9, "label": "X"}], "user_id": "u1"}],
        "tags": [{"value": ["a", "b"], "user_id": "u1"}, {"value": [], "user_id": "u2"}],
        "rank": [{"value": [{"value": "a", "rank": 1}], "user_id": "u1"}],
    }  # fmt: skip
    rows = [record(1, responses, suggestions={"mood": {"value": "good"}})]
    found = variables(one(tmp_path, "records.json", rows))
    assert labels(found["mood"]) == {("r1", "u1"): "good", ("r1", "u2"): "bad"}
    assert units(found["spans"]) == [("r1", "u1", 4, 9, "X")]
    assert found["spans"].annotators == ("u1", "u2")  # u2 judged the text and marked nothing
    assert {key: str(value) for key, value in labels(found["tags"]).items()} == {("r1", "u1"): "a|b", ("r1", "u2"): ""}
    for what in ("1 discarded", "1 drafts", "1 suggestions", "1 rankings"):
        assert told(found["mood"], "skipped", what)


def test_records_of_version_1_are_read(tmp_path: Path) -> None:
    responses = [
        {"user_id": who, "status": "submitted", "values": {"mood": {"value": value}}}
        for who, value in (("u1", "a"), ("u2", "b"))
    ]
    assert labels(accord.read(one(tmp_path, "records.json", [record(1, responses)]))) == {
        ("r1", "u1"): "a",
        ("r1", "u2"): "b",
    }
    older = [{"text": TEXT, "external_id": "e1", "mood": [{"user_id": "u1", "value": 4, "status": "submitted"}]}]
    assert labels(accord.read(one(tmp_path, "older.jsonl", older))) == {("e1", "u1"): "4"}


@pytest.mark.parametrize("name", ["data.parquet", "data.jsonl"])
def test_rows_of_a_dataset_are_read(tmp_path: Path, name: str) -> None:
    rows = [{"id": "r1", "text": TEXT, "mood.responses": ["a", "b"], "mood.responses.users": ["u1", "u2"],
             "mood.responses.status": ["submitted", "discarded"]}]  # fmt: skip
    if name.endswith("parquet"):
        pl.DataFrame(rows).write_parquet(tmp_path / name)
        path = tmp_path / name
    else:
        path = one(tmp_path, name, rows)
    data = accord.read(path)
    assert labels(data) == {("r1", "u1"): "a"}
    assert told(data, "1 discarded")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (record(2, {"mood": [{"value": "a"}]}), "user_id"),
        (record(2, [{"user_id": "u"}]), '"values"'),
        ({"id": "r2", "mood.responses": ["a"]}, '"mood.responses.users"'),
        ({"id": "r2", "mood.responses": "a", "mood.responses.users": ["u"]}, '"mood.responses"'),
    ],
)
def test_broken_responses_are_refused(tmp_path: Path, row: Any, expected: str) -> None:
    rows = [record(1, {"mood": [{"value": "a", "user_id": "u1"}]}), row]
    with raises("invalid-record", expected):
        accord.read(one(tmp_path, "records.json", rows))


def test_discarded_record_needs_no_answer(tmp_path: Path) -> None:
    responses = [{"user_id": who, "status": "submitted", "values": {"q": {"value": "a"}}} for who in ("u1", "u2")]
    passed = [{"user_id": "u3", "status": "discarded", "values": None}, {"user_id": "u4", "status": "draft"}]
    data = accord.read(one(tmp_path, "r.json", [record(1, [*responses, *passed])]))
    assert labels(data) == {("r1", "u1"): "a", ("r1", "u2"): "a"}
    assert told(data, "1 discarded responses")
    assert told(data, "1 drafts")


def test_rankings_of_version_2_are_skipped(tmp_path: Path) -> None:
    ranks = [{"value": ["x", "y"], "user_id": "u1"}, {"value": ["y", "x"], "user_id": "u2"}]
    several = [{"value": ["x", "y"], "user_id": "u1"}, {"value": ["x"], "user_id": "u2"}]
    data = accord.read(one(tmp_path, "r.json", [record(1, {"rank": ranks, "tags": several})]))
    assert labels(data) == {("r1", "u1"): "x|y", ("r1", "u2"): "x"}
    assert told(data, "2 rankings")
