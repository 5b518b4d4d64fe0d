"""Prodigy: interfaces, sessions, and ignored tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord

from ...refusals import raises
from .common import labels, one, told, units, variables, written

TEXT = "A 😀 small text"


def row(who: str | None, text: str = TEXT, answer: str = "accept", **more: Any) -> dict[str, Any]:
    hashes = {"_input_hash": sum(map(ord, text)), "_task_hash": 7}
    return {"text": text, **hashes, "answer": answer, "_session_id": who, "_annotator_id": who, **more}


def span(start: int, end: int, label: str | None = "X", **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "label": label, **more}


def test_sessions_are_annotators_of_spans(tmp_path: Path) -> None:
    rows = [
        row("news-ana", spans=[span(4, 9, text="small"), span(0, 1, None)], _view_id="ner_manual", meta={"id": "d1"}),
        row("news-ben", spans=[], _view_id="ner_manual"),
        row("news-cy", answer="ignore", spans=[], _view_id="ner_manual"),
        row("news-ana", "more", answer="reject", spans=[], _view_id="ner_manual"),
        row("news-ana", "and more", answer=None, spans=[], _view_id="ner_manual"),  # type: ignore[arg-type]
        row("news-ben", "rel", spans=[span(0, 3)], relations=[{"head": 0}], _view_id="relations"),
    ]
    data = accord.read(one(tmp_path, "news.jsonl", rows))
    assert ("d1", "ana", 4, 9, "X") in units(data)
    assert data.annotators == ("ana", "ben")
    assert data.judged.tolist()[data.docs.index("d1")] == [True, True]  # Ben judged it and marked nothing
    for what in ("1 ignored tasks", "1 rejected tasks", "1 tasks without an answer",
                 "1 spans without a label", "1 relations"):  # fmt: skip
        assert told(data, "skipped", what)


def test_sessions_without_a_name_are_one_annotator(tmp_path: Path) -> None:
    """Prodigy names them by time, so two sessions may belong to one annotator."""
    rows = [row("set-2024-01-02_10-11-12", spans=[span(4, 9)]), row("set-2024-01-03_09-00-00", "more", spans=[])]
    data = accord.read(one(tmp_path, "ana.jsonl", rows))
    assert data.annotators == ("ana",)
    assert told(data, "identified by time")


def test_binary_answers_are_labels(tmp_path: Path) -> None:
    rows = [
        row("s-ana", label="SPORT", _view_id="classification"),
        row("s-ben", label="SPORT", answer="reject", _view_id="classification"),
        row("s-ana", label="NEWS", answer="reject", _view_id="classification"),
        row("s-ana", spans=[span(4, 9, "ORG")], _view_id="ner"),
    ]
    found = variables(one(tmp_path, "a.jsonl", rows))
    assert {name: list(labels(data).values()) for name, data in found.items()} == {
        "SPORT": ["accept", "reject"], "NEWS": ["reject"], "ORG": ["accept"],
    }  # fmt: skip
    assert next(iter(labels(found["ORG"])))[0].endswith("4–9 ORG")


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [([["a"], ["b"], []], ["a", "b"]), ([["a"], ["a", "b"], []], ["a", "a|b", ""])],
)
def test_choices_are_labels_or_sets(tmp_path: Path, accepted: list[list[str]], expected: list[str]) -> None:
    """Labels are single choices, or sets if any task has several. In sets, an empty choice is also an answer."""
    options = [{"id": "a", "text": "A"}, {"id": "b", "text": "B"}]
    rows = [row(f"s-{k}", options=options, accept=chosen, _view_id="choice") for k, chosen in enumerate(accepted)]
    data = accord.read(one(tmp_path, "a.jsonl", rows))
    assert [str(label) for label in labels(data).values() if label is not None][:3] == expected
    assert told(data, "1 tasks without a choice") == (expected == ["a", "b"])


def test_multiple_choice_tasks_give_sets(tmp_path: Path) -> None:
    more: dict[str, Any] = {"options": [{"id": "a"}], "_view_id": "choice", "config": {"choice_style": "multiple"}}
    data = accord.read(one(tmp_path, "a.jsonl", [row("s-1", accept=[], **more), row("s-2", accept=["a"], **more)]))
    assert data.n_ratings == 2  # type: ignore[attr-defined]


def test_spans_of_recordings_are_read_and_regions_of_images_counted(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"audio": "a.wav", "_task_hash": 1, "_input_hash": 5, "answer": "accept", "_annotator_id": "ana",
         "audio_spans": [{"start": 0.5, "end": 2.25, "label": "X"}]},
        {"image": "a.png", "_task_hash": 1, "_input_hash": 6, "answer": "accept", "_annotator_id": "ana",
         "spans": [{"points": [[0, 1]], "label": "X"}]},
    ]  # fmt: skip
    data = accord.read(one(tmp_path, "a.jsonl", rows))
    assert units(data) == [("5", "ana", 0.5, 2.25, "X")]
    assert told(data, "1 regions of images")


def test_files_are_annotators_if_records_do_not_name_them(tmp_path: Path) -> None:
    bare = {"text": TEXT, "spans": [span(4, 9)]}
    data = accord.read(written(tmp_path, {"ana.jsonl": [bare], "ben.jsonl": [{**bare, "spans": []}]}))
    assert data.annotators == ("ana", "ben")
    assert data.judged.all()


def test_records_name_their_annotator(tmp_path: Path) -> None:
    rows = [{"text": TEXT, "annotator": who, "spans": [span(4, 9)]} for who in ("ana", "ben")]
    assert units(accord.read(one(tmp_path, "spans.jsonl", rows))) == [
        (TEXT, "ana", 4, 9, "X"), (TEXT, "ben", 4, 9, "X"),
    ]  # fmt: skip


@pytest.mark.parametrize("bad", [{"start": "a", "end": 3, "label": "X"}, {"start": 1, "label": "X"}])
def test_broken_spans_are_refused(tmp_path: Path, bad: Any) -> None:
    with raises("invalid-record", "a.jsonl:2"):
        accord.read(one(tmp_path, "a.jsonl", [row("ana", spans=[]), row("ana", "x", spans=[bad])]))


def test_truncated_lines_are_refused_with_their_location(tmp_path: Path) -> None:
    path = one(tmp_path, "a.jsonl", [row("ana", spans=[span(4, 9)])])
    path.write_text(path.read_text(encoding="utf-8") + '{"text": "x', encoding="utf-8")
    with raises("file-damaged", "a.jsonl:2"):
        accord.read(path)


def test_samples_of_prodigy_are_read(corpora: Path) -> None:
    folder = corpora / "native-samples" / "prodigy"
    found = variables(folder / "annotated_github-issues-DOCUMENTATION-textcat.jsonl")
    assert list(found) == ["DOCUMENTATION"]
    assert len(found["DOCUMENTATION"]) == 786
    assert len(accord.read(folder / "annotated_news_headlines-ORG-PERSON-LOCATION-ner.jsonl")) == 303
