"""CATMA: a project in the form of its repository."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord

from ...refusals import raises
from .common import told, units, variables, written

TEXT = "A 😀 small text"


def annotation(*pieces: tuple[int, int], tag: str = "T1", source: str = "D_1", user: Any = None) -> dict[str, Any]:
    items = [
        {"source": source, "selector": {"start": start, "end": end, "type": "TextPositionSelector"}}
        for start, end in pieces
    ]
    body = {
        "@context": {"tag": "https://www.catma.de/tag"},
        "tag": f"tagsets/TS/{tag}",
        "properties": {"user": user or {}},
    }
    return {"type": "Annotation", "body": body, "target": {"items": items}}


def project(folder: Path, **collections: list[dict[str, Any]]) -> Path:
    files: dict[str, Any] = {
        "documents/D_1/D_1.txt": TEXT,
        "documents/D_1/header.json": {"gitContentInfoSet": {"title": "Book"}},
        "tagsets/TS/header.json": {"name": "tags"},
        "tagsets/TS/T1/propertydefs.json": {
            "uuid": "T1", "name": "Time", "userDefinedPropertyDefinitions": {"P1": {"name": "kind"}},
        },
    }  # fmt: skip
    for name, marked in collections.items():
        files[f"collections/C_{name}/header.json"] = {"name": name, "sourceDocumentId": "D_1"}
        if marked:
            files[f"collections/C_{name}/annotations/{name}_0.json"] = marked
    return written(folder, files)


def test_collections_are_annotators(tmp_path: Path) -> None:
    """Adjacent ranges were split at a line of the screen and are joined. Offsets count UTF-16 code units."""
    ana = [annotation((5, 7), (7, 10), user={"P1": ["b", "a"]}), annotation((0, 1), (11, 15))]
    ben = [annotation((5, 10)), annotation((0, 1), tag="gone")]
    found = variables(project(tmp_path, ana=ana, ben=ben, cy=[]))
    assert units(found["tag"]) == [
        ("Book", "ana", 0, 1, "Time"), ("Book", "ana", 4, 9, "Time"), ("Book", "ana", 10, 14, "Time"),
        ("Book", "ben", 4, 9, "Time"),
    ]  # fmt: skip
    assert units(found["kind"]) == [("Book", "ana", 4, 9, "a|b")]
    assert told(found["tag"], "1 span in several pieces")
    assert told(found["tag"], "1 annotations whose tag is not in the project")
    assert told(found["tag"], "1 collections without annotations", "cy")


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (annotation((0, 1), source="D_2"), ("file-missing", "D_2")),
        ({**annotation((0, 1)), "target": {"items": [{"selector": {"start": "a"}}]}}, ("invalid-record",)),
        ({**annotation((0, 1)), "target": {"items": [3]}}, ("invalid-record",)),
        (3, ("invalid-record",)),
    ],
)
def test_broken_annotations_are_refused_with_their_location(tmp_path: Path, bad: Any, said: tuple[str, ...]) -> None:
    with raises(*said, "ana_0.json, entry 2"):
        accord.read(project(tmp_path, ana=[annotation((0, 1)), bad]))


def test_demo_project_is_read(corpora: Path) -> None:
    """39 annotations by two annotators give three more units, because some skip the middle of a sentence."""
    found = variables(corpora / "native-samples" / "catma")
    data = found["tag"]
    assert data.annotators == ("ac_1", "ac_2")
    assert len(data) == 43
    assert len(data.docs) == 1
    assert told(data, "gold_annotation")
