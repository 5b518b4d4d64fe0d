"""doccano: exports of its versions, a file per annotator."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import accord

from ...refusals import raises
from .common import labels, one, told, units, variables, written

TEXT = "A 😀 small text"


def test_file_per_annotator_with_spans_is_read(tmp_path: Path) -> None:
    folder = written(tmp_path, {
        "ana.jsonl": [{"id": 4, "text": TEXT, "label": [[4, 9, "X"]], "Comments": []},
                      {"id": 5, "text": "more", "label": []}],
        "ben.jsonl": [{"id": 4, "text": TEXT, "label": []}],
        "all.jsonl": [{"id": 4, "text": TEXT, "label": [[4, 9, "X"]]}],
    })  # fmt: skip
    data = accord.read(folder)
    assert units(data) == [("4", "ana", 4, 9, "X")]
    assert data.annotators == ("ana", "ben")
    assert data.judged.tolist() == [[True, True], [True, False]]
    assert told(data, "skipped: 1 files of all annotators together")


def test_exported_archive_is_read(tmp_path: Path) -> None:
    packed = tmp_path / "export.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for who, label in (("ana", "good"), ("ben", "bad"), ("all", "good")):
            archive.writestr(f"{who}.jsonl", json.dumps({"id": 1, "text": TEXT, "label": [label]}) + "\n")
    read = accord.read(packed)
    assert labels(read) == {("1", "ana"): "good", ("1", "ben"): "bad"}
    assert told(read, "each file is one annotator (ana, ben)")


def test_several_categories_are_a_set(tmp_path: Path) -> None:
    rows = [{"id": k, "text": f"{TEXT} {k}", "label": chosen} for k, chosen in enumerate([["a"], ["a", "b"], []])]
    assert list(map(str, labels(accord.read(one(tmp_path, "ana.jsonl", rows))).values())) == ["a", "a|b", ""]


def test_entities_and_categories_are_read_and_relations_counted(tmp_path: Path) -> None:
    entities = [
        {"id": 0, "start_offset": 4, "end_offset": 9, "label": "X"},
        {"start_offset": 0, "end_offset": 1, "label": None},
    ]
    rows = [{"id": 1, "text": TEXT, "entities": entities, "relations": [{"id": 0}], "cats": ["news"]}]
    found = variables(one(tmp_path, "ana.jsonl", rows))
    assert units(found["entities"]) == [("1", "ana", 4, 9, "X")]
    assert labels(found["cats"]) == {("1", "ana"): "news"}
    assert told(found["cats"], "1 relations")
    assert told(found["cats"], "1 spans without a label")


def test_older_annotations_name_their_user(tmp_path: Path) -> None:
    annotations = [{"label": 3, "start_offset": 4, "end_offset": 9, "user": who} for who in (1, 2)]
    rows = [{"id": 1, "text": TEXT, "annotations": annotations, "meta": {}}]
    assert units(accord.read(one(tmp_path, "export.jsonl", rows))) == [("1", "1", 4, 9, "3"), ("1", "2", 4, 9, "3")]


@pytest.mark.parametrize(
    "label",
    [
        "x",
        [[0, "b", "X"]],
        [{"x": 1}],
    ],
)
def test_broken_rows_are_refused_with_their_location(tmp_path: Path, label: Any) -> None:
    rows = [{"id": 1, "text": TEXT, "label": [[4, 9, "X"]]}, {"id": 2, "text": "b", "label": label}]
    with raises("invalid-record", "ana.jsonl:2", '"label"'):
        accord.read(one(tmp_path, "ana.jsonl", rows))


def test_spans_outside_the_text_are_skipped_and_counted(tmp_path: Path) -> None:
    data = accord.read(one(tmp_path, "ana.jsonl", [{"text": TEXT, "label": [[4, 9, "X"], [4, 99, "X"]]}]))
    assert told(data, "1 spans outside the text")


def test_samples_of_doccano_are_read(corpora: Path) -> None:
    folder = corpora / "native-samples" / "doccano" / "data_export" / "pipeline" / "examples"
    assert len(accord.read(folder / "sequence_labeling" / "example.jsonl")) == 4
    found = variables(folder / "intent_detection" / "example.jsonl")
    assert {name: len(data) for name, data in found.items()} == {"entities": 3, "cats": 2}
