"""Records as JSON: rows as scripts and models write them, and what is no table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord

from ..refusals import raises
from .formats.common import labels, one, units

EXPECTED = {("1", "ana"): "x", ("1", "ben"): "y", ("2", "ana"): "x", ("2", "ben"): "x"}
LONG = [{"item": item, "annotator": who, "label": label} for (item, who), label in EXPECTED.items()]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", LONG),
        ("a.json", LONG),
        ("a.json", {"data": LONG}),
        ("a.jsonl", [{"item": row["item"],
                      "by": {"annotator": row["annotator"]}, "label": row["label"]} for row in LONG]),
        ("a.jsonl", [{"item": "1", "ana": "x", "ben": "y"}, {"item": "2", "ana": "x", "ben": "x"}]),
        ("a.jsonl", [{"id": "1", "text": "t", "labels": {"ana": "x", "ben": "y"}},
                     {"id": "2", "text": "u", "labels": {"ana": "x", "ben": "x"}}]),
        ("a.jsonl", [{"item": k, "annotations": [{"annotator": who, "label": EXPECTED[k, who]}
                                                 for who in ("ana", "ben")]}
                     for k in ("1", "2")]),
        ("a.jsonl", [{"item": k, "annotators": ["ana", "ben"], "labels": [EXPECTED[k, "ana"], EXPECTED[k, "ben"]]}
                     for k in ("1", "2")]),
        ("a.json", {"1": {"ana": "x", "ben": "y"}, "2": {"ana": "x", "ben": "x"}}),
        ("a.json", {"item": ["1", "2"], "ana": ["x", "x"], "ben": ["y", "x"]}),
    ],
)  # fmt: skip
def test_the_same_table(tmp_path: Path, name: str, content: Any) -> None:
    assert labels(accord.read(one(tmp_path, name, content))) == EXPECTED


def test_units_as_records(tmp_path: Path) -> None:
    rows = [{"doc": "d", "annotator": who, "start": 0, "end": 2.5, "label": "X"} for who in ("ana", "ben")]
    assert units(accord.read(one(tmp_path, "a.jsonl", rows))) == [("d", "ana", 0, 2.5, "X"), ("d", "ben", 0, 2.5, "X")]


def test_values_of_json(tmp_path: Path) -> None:
    for value, expected in ((True, "True"), (None, None), (3, "3"), (["a", "b"], "a|b")):
        rows = [{"item": k, "annotator": "ana", "label": said} for k, said in (("1", value), ("2", 4))]
        assert labels(accord.read(one(tmp_path, "a.jsonl", rows))).get(("1", "ana")) == expected


def test_answers_of_a_batch_are_no_annotators(tmp_path: Path) -> None:
    """The model and its answer stand in objects within: they are not two annotators."""
    body = {"model": "m", "choices": [{"message": {"role": "assistant", "content": '{"label": "x"}'}}]}
    rows = [{"custom_id": f"r{k}", "response": {"status_code": 200, "body": body}} for k in range(3)]
    with raises("roles-unclear"):
        accord.read(one(tmp_path, "a.jsonl", rows))


@pytest.mark.parametrize(
    "rows",
    [
        [{"image": f"{k}.png", "bbox": {"x": k, "y": 2}} for k in range(3)],
        [{"id": k, "human": {"label": "x"}, "other": {"label": "y"}} for k in range(3)],
    ],
)
def test_fields_of_objects_that_may_be_anything(tmp_path: Path, rows: Any) -> None:
    with raises("roles-unclear"):
        accord.read(one(tmp_path, "a.jsonl", rows))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[]", "format-unknown"),
        ('[{"item": 1, "annotator": "a", "label": "x"},', "file-damaged"),
        ('{"item": 1, "annotator": "a", "label": "x"}\n[1]\n', "invalid-record: a.json:2"),
        ('{"item": 1, "annotator": "a", "label": "x"}\n{"item": \n', "file-damaged: a.json:2"),
    ],
)
def test_broken_records_are_named(tmp_path: Path, content: str, said: str) -> None:
    with raises(said):
        accord.read(one(tmp_path, "a.json", content))
