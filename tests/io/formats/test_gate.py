"""GATE: sets, features, code units of UTF-16."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord

from ...refusals import raises
from .common import one, told, units, variables, written

TEXT = "A 😀 small text"


def annotation(kind: str, start: int, end: int, **features: str) -> str:
    inside = "".join(
        f'<Feature><Name className="java.lang.String">{name}</Name>'
        f'<Value className="java.lang.String">{value}</Value></Feature>'
        for name, value in features.items()
    )
    return f'<Annotation Id="1" Type="{kind}" StartNode="{start}" EndNode="{end}">{inside}</Annotation>'


def document(sets: dict[str, str]) -> str:
    """Node ids count UTF-16 code units, so after the emoji they are one more than code points."""
    inside = "".join(f'<AnnotationSet Name="{name}">{content}</AnnotationSet>' if name else
                     f"<AnnotationSet>{content}</AnnotationSet>" for name, content in sets.items())  # fmt: skip
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<GateDocument version="3"><TextWithNodes><Node id="0"/>A 😀 '
        f'<Node id="5"/>small<Node id="10"/> text<Node id="15"/></TextWithNodes>{inside}</GateDocument>'
    )


def test_sets_are_annotators(tmp_path: Path) -> None:
    sets = {
        "": annotation("Token", 5, 10) + annotation("Person", 0, 5),
        "ana": annotation("Person", 5, 10, gender="f", rule="GazPerson"),
        "ben": annotation("Place", 5, 10),
        "Original markups": annotation("p", 0, 15),
    }
    found = variables(one(tmp_path, "d1.xml", document(sets)))
    assert units(found["type"]) == [("d1", "ana", 4, 9, "Person"), ("d1", "ben", 4, 9, "Place")]
    assert units(found["Person.gender"]) == [("d1", "ana", 4, 9, "f")]
    assert found["type"].extents.tolist() == [[0, len(TEXT)]]
    for what in ("1 original markups", "2 annotations of the set without a name", "1 features in which tools"):
        assert told(found["type"], "skipped", what)


def test_empty_set_is_an_annotator_without_units(tmp_path: Path) -> None:
    data = accord.read(one(tmp_path, "d1.xml", document({"ana": annotation("Person", 5, 10), "ben": ""})))
    assert data.annotators == ("ana", "ben")
    assert data.judged.all()


def test_tokens_are_read_with_the_option(tmp_path: Path) -> None:
    sets = {"ana": annotation("Token", 5, 10) + annotation("Person", 5, 10), "ben": annotation("Token", 0, 5)}
    data = accord.read(one(tmp_path, "d1.xml", document(sets)), only="Token")
    assert units(data) == [("d1", "ana", 4, 9, "Token"), ("d1", "ben", 0, 4, "Token")]


def test_files_are_annotators(tmp_path: Path) -> None:
    files = {f"{who}/d1.xml": document({"": annotation(kind, 5, 10) + annotation("Token", 0, 5)})
             for who, kind in (("ana", "Person"), ("ben", "Place"))}  # fmt: skip
    data = accord.read(written(tmp_path, files))
    assert units(data) == [("d1", "ana", 4, 9, "Person"), ("d1", "ben", 4, 9, "Place")]
    assert told(data, "2 tokens, sentences")


@pytest.mark.parametrize(("counted", "start"), [("j", 5), ("p", 4)])
def test_offset_unit_of_json_is_respected(tmp_path: Path, counted: str, start: int) -> None:
    sets = {"ana": {"annotations": [{"type": "X", "start": start, "end": start + 5, "features": {"a": 1, "b": [2]}}]},
            "ben": {"annotations": []}}  # fmt: skip
    found = variables(one(tmp_path, "d1.bdocjs", {"text": TEXT, "offset_type": counted, "annotation_sets": sets}))
    assert units(found["type"]) == [("d1", "ana", 4, 9, "X")]
    assert units(found["X.a"]) == [("d1", "ana", 4, 9, "1")]
    assert found["type"].annotators == ("ana", "ben")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.xml", "<GateDocument></GateDocument>", "invalid-record"),
        ("a.xml", document({"x": annotation("P", 1, 2)}), "invalid-record: a.xml:2"),
        ("a.xml", document({"x": ""})[:-5], "file-damaged: a.xml:2"),
        ("a.bdocjs", {"text": 1}, "invalid-record"),
        ("a.bdocjs", {"text": "x", "annotation_sets": {"a": 1}}, 'invalid-record: "a"'),
        (
            "a.bdocjs",
            {"text": "x", "annotation_sets": {"a": {"annotations": [{"start": "0"}]}}},
            "invalid-record",
        ),
    ],
)
def test_broken_documents_are_refused(tmp_path: Path, name: str, content: Any, expected: str) -> None:
    with raises(expected):
        accord.read(one(tmp_path, name, content))


def test_xml_and_json_of_the_same_document_are_equal(corpora: Path) -> None:
    folder = corpora / "native-samples" / "gate"
    assert units(accord.read(folder / "testdoc1.xml")) == units(accord.read(folder / "testdoc1.bdocjs"))
    assert len(accord.read(folder / "debugdoc01.bdocjs")) == 7


def test_tweets_of_the_broad_twitter_corpus_are_read(corpora: Path) -> None:
    """Every annotation except tokens, sentences and original markup is read.

    The published table contains tokens of workers and these sets contain processing steps, so rows cannot be equal.
    """
    found = variables(corpora / "broad-twitter-crowd" / "native" / "gatexml")
    data = found["type"]
    assert len(data) == 718
    assert {"consensus", "crowdResults", "merged"} <= set(data.annotators)
    assert told(data, "2,914 tokens, sentences")


def test_feature_names_the_worker(tmp_path: Path) -> None:
    """Crowdsourced results have one set, and a feature names the worker of each annotation."""
    marks = annotation("Person", 5, 10, worker_id="w1") + annotation("Person", 5, 10, worker_id="w2", gender="f")
    alone = annotation("Place", 0, 5, worker_id="w2") + annotation("Place", 10, 15)
    found = variables(one(tmp_path, "d1.xml", document({"crowdResults": marks + alone})))
    assert units(found["type"]) == [
        ("d1", "w1", 4, 9, "Person"), ("d1", "w2", 0, 4, "Place"), ("d1", "w2", 4, 9, "Person"),
    ]  # fmt: skip
    assert set(found) == {"type", "Person.gender"}
    assert told(found["type"], 'the feature "worker_id" names annotators: w1, w2')
    assert told(found["type"], "skipped: 1 annotations without the feature")
