"""JAMS: annotations of a piece, each with its annotator; older files have columns instead of entries."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import accord

from ...refusals import raises
from .samples import notes, rows


def annotation(who: str, data: Any, namespace: str = "segment") -> dict[str, Any]:
    return {"namespace": namespace, "annotation_metadata": {"annotator": {"name": who}}, "data": data}


def entries(*rows: tuple[float, float, Any]) -> list[dict[str, Any]]:
    return [{"time": t, "duration": d, "value": v, "confidence": None} for t, d, v in rows]


def write(path: Path, *annotations: Any, title: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = {"annotations": annotations, "file_metadata": {"duration": 20.5, "title": title}, "sandbox": {}}
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def test_annotators_in_new_and_old_files_are_read(tmp_path: Path) -> None:
    old = {"time": [0, 4], "duration": [4, 2.5], "value": ["A", "B"], "confidence": [1, 1]}
    path = write(
        tmp_path / "x.jams",
        annotation("Ana", entries((0, 4, "A"), (4, 0, "B"), (5, 1, None))),
        annotation("Ben", old),
        annotation("Cleo", []),
        annotation("Ana", entries((1, 2, "f")), "chord"),
    )
    found = accord.read_all(path)
    assert rows(found["segment"]) == [("x", "Ana", 0, 4, "A"), ("x", "Ben", 0, 4, "A"), ("x", "Ben", 4, 6.5, "B")]
    assert found["segment"].annotators == ("Ana", "Ben", "Cleo")
    assert rows(found["chord"]) == [("x", "Ana", 1, 3, "f")]
    assert found["chord"].extents.tolist() == [[0, 20.5]]  # type: ignore[attr-defined]
    assert "skipped: 1 points in time" in notes(found["chord"])
    assert "skipped: 1 values that are not labels" in notes(found["chord"])


def test_levels_are_variables(tmp_path: Path) -> None:
    data = entries((0, 4, {"label": "A", "level": 0}), (0, 2, {"label": "a", "level": 1}))
    found = accord.read_all(write(tmp_path / "x.jams", annotation("Ana", data, "multi_segment")))
    assert {name: rows(one)[0][4] for name, one in found.items()} == {"multi_segment 0": "A", "multi_segment 1": "a"}


def test_folders_are_annotators_if_files_do_not_name_them(tmp_path: Path) -> None:
    for who, end in (("Ana", 4), ("Ben", 5)):
        for piece in ("x", "y"):
            write(tmp_path / who / f"{piece}.jams", annotation("", entries((0, end, "A"))))
    assert [row[:4] for row in rows(accord.read(tmp_path))] == [
        ("x", "Ana", 0, 4), ("x", "Ben", 0, 5), ("y", "Ana", 0, 4), ("y", "Ben", 0, 5)
    ]  # fmt: skip


def test_pieces_are_documents(tmp_path: Path) -> None:
    for piece in ("Hurricane", "Footprints"):
        write(tmp_path / f"{piece}.jams", annotation("Ana", entries((0, 4, "A"))), title=piece)
    assert [row[:2] for row in rows(accord.read(tmp_path))] == [("Footprints", "Ana"), ("Hurricane", "Ana")]


def test_annotations_without_annotator_names_stay_separate(tmp_path: Path) -> None:
    both = (annotation("", entries((0, 4, "A"))), annotation("", entries((0, 5, "A"))))
    read = accord.read(write(tmp_path / "x.jams", *both))
    assert read.annotators == ("annotation 1", "annotation 2")
    assert "each as another annotator" in notes(read)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (entries((0, -1, "A")), "invalid-record"),
        ([{"time": "soon", "duration": 1, "value": "A"}], "invalid-record"),
        ([{"value": "A"}], "invalid-record"),
        (entries((float("nan"), 1, "A")), "invalid-record"),
        ({"time": [1], "duration": [], "value": []}, "invalid-record"),
        ("x", "invalid-record"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, data: Any, expected: str) -> None:
    with raises(expected):
        accord.read(write(tmp_path / "x.jams", annotation("Ana", data)))
    path = write(tmp_path / "x.jams", annotation("Ana", entries((0, 1, "A"))))
    path.write_text(path.read_text()[:-5], encoding="utf-8")
    with raises("file-damaged"):
        accord.read(path)


def test_spam_corpus_equals_its_table(corpora: Path) -> None:
    """Eight of fifty tracks are available as JAMS. The table rounds times to a millisecond."""
    folder = corpora / "spam-music-structure"
    found = accord.read_all(folder / "native/jams")
    assert set(found) == {"segment_salami_upper", "segment_salami_lower", "multi_segment 0", "multi_segment 1"}
    for level in ("upper", "lower"):
        ours = rows(found[f"segment_salami_{level}"])
        docs = {row[0] for row in ours}
        with (folder / f"spans_{level}.csv").open(encoding="utf-8") as stream:
            table = [row for row in csv.DictReader(stream) if row["doc"] in docs]
        assert len(docs) == 8
        assert sorted((r["doc"], r["annotator"], r["start"], r["end"], r["label"]) for r in table) == sorted(
            (str(doc), str(who), f"{start:.3f}", f"{end:.3f}", str(label)) for doc, who, start, end, label in ours
        )
