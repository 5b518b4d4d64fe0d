"""JSON records written by scripts and models, and JSON that is not a table."""

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
def test_all_forms_of_records_give_the_same_table(tmp_path: Path, name: str, content: Any) -> None:
    assert labels(accord.read(one(tmp_path, name, content))) == EXPECTED


def test_records_of_units_are_read(tmp_path: Path) -> None:
    rows = [{"doc": "d", "annotator": who, "start": 0, "end": 2.5, "label": "X"} for who in ("ana", "ben")]
    assert units(accord.read(one(tmp_path, "a.jsonl", rows))) == [("d", "ana", 0, 2.5, "X"), ("d", "ben", 0, 2.5, "X")]


def test_json_values_become_labels(tmp_path: Path) -> None:
    for value, expected in ((True, "True"), (None, None), (3, "3"), (["a", "b"], "a|b")):
        rows = [{"item": k, "annotator": "ana", "label": label} for k, label in (("1", value), ("2", 4))]
        assert labels(accord.read(one(tmp_path, "a.jsonl", rows))).get(("1", "ana")) == expected


def test_fields_of_batch_responses_are_not_annotators(tmp_path: Path) -> None:
    """The model and its answer are in nested objects; they are not two annotators."""
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
def test_ambiguous_nested_fields_are_refused(tmp_path: Path, rows: Any) -> None:
    with raises("roles-unclear"):
        accord.read(one(tmp_path, "a.jsonl", rows))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("[]", "format-unknown"),
        ('[{"item": 1, "annotator": "a", "label": "x"},', "file-damaged"),
        ('{"item": 1, "annotator": "a", "label": "x"}\n[1]\n', "invalid-record: a.json:2"),
        ('{"item": 1, "annotator": "a", "label": "x"}\n{"item": \n', "file-damaged: a.json:2"),
    ],
)
def test_broken_records_are_refused_with_their_line(tmp_path: Path, content: str, expected: str) -> None:
    with raises(expected):
        accord.read(one(tmp_path, "a.json", content))
