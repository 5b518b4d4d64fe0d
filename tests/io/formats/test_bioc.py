"""BioC in XML and JSON, written by several tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord

from ...refusals import raises
from .common import labels, one, told, units, variables, written

FIRST, SECOND = "A 😀 small text.", "More of it."


def located(start: int, length: int) -> str:
    return f'<location offset="{start}" length="{length}"/>'


def annotation(where: str, text: str, **infons: str) -> str:
    inside = "".join(f'<infon key="{key}">{value}</infon>' for key, value in infons.items())
    return f'<annotation id="1">{inside}{where}<text>{text}</text></annotation>'


def xml(first: str = "", second: str = "") -> str:
    return (
        "<?xml version='1.0'?><!DOCTYPE collection SYSTEM 'BioC.dtd'><collection><source/><document><id>d1</id>"
        f"<passage><offset>0</offset><text>{FIRST}</text>{first}</passage>"
        f"<passage><offset>20</offset><sentence><offset>20</offset><text>{SECOND}</text>{second}</sentence></passage>"
        "<relation id='R1'/></document></collection>"
    )


def test_infon_names_the_annotator(tmp_path: Path) -> None:
    first = annotation(located(4, 5), "small", type="X", annotator="ana", identifier="MESH:1")
    second = annotation(located(20, 4) + located(28, 2), "More it", type="Y", annotator="ben")
    data = accord.read(one(tmp_path, "d.xml", xml(first, second + annotation(located(20, 4), "More", annotator="ben"))))
    assert units(data) == [("d1", "ana", 4, 9, "X"), ("d1", "ben", 20, 24, "Y"), ("d1", "ben", 28, 30, "Y")]
    assert data.extents.tolist() == [[0, 31]]
    for what in ("1 relations", "1 annotations without a type"):
        assert told(data, "skipped", what)
    assert told(data, "1 span in several pieces")


def test_offsets_within_sentences_are_read(tmp_path: Path) -> None:
    data = accord.read(one(tmp_path, "d.xml", xml(second=annotation(located(5, 2), "of", type="X"))))
    assert units(data) == [("d1", "d", 25, 27, "X")]


def test_files_are_annotators(tmp_path: Path) -> None:
    folder = written(tmp_path, {"ana.xml": xml(annotation(located(4, 5), "small", type="X")), "ben.xml": xml()})
    data = accord.read(folder)
    assert data.annotators == ("ana", "ben")
    assert data.judged.all()


def test_different_texts_of_one_document_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, {"ana.xml": xml(annotation(located(4, 5), "small", type="X")),
                                "ben.xml": xml().replace("More", "Less")})  # fmt: skip
    with raises("repeated-document"):
        accord.read(folder)


def json_document(offset: int = 4) -> dict[str, Any]:
    infons = {"type": "Gene", "identifier": "3", "normalized": [3], "valid": True, "annotator": None}
    span = {"id": "1", "infons": infons, "text": "small", "locations": [{"offset": offset, "length": 5}]}
    passage = {"infons": {"type": "title"}, "offset": 0, "text": FIRST, "annotations": [span], "relations": [{}]}
    return {"id": "d1", "infons": {}, "passages": [passage], "relations": [{}, {}]}


@pytest.mark.parametrize(
    "wrap", [lambda d: {"source": "x", "documents": [d]}, lambda d: {"PubTator3": [d]}, lambda d: d]
)
def test_json_of_several_tools_is_read(tmp_path: Path, wrap: Any) -> None:
    found = variables(one(tmp_path, "d.json", wrap(json_document())))
    assert {name: units(data) for name, data in found.items()} == {"type": [("d1", "d", 4, 9, "Gene")]}
    assert told(found["type"], "3 relations")


@pytest.mark.parametrize("indent", [1, None])
def test_indented_json_is_read(tmp_path: Path, indent: int | None) -> None:
    content = json.dumps({"source": "x", "documents": [json_document()]}, indent=indent)
    assert len(accord.read(one(tmp_path, "d.json", content.replace('{\n "source": "x",', '{"source": "x",')))) == 1


def test_json_lines_are_read(tmp_path: Path) -> None:
    assert len(accord.read(one(tmp_path, "d.jsonl", [json_document(), {**json_document(), "id": "d2"}])).docs) == 2


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"passages": None}, "invalid-record"),
        ({"passages": [3]}, "invalid-record"),
        ({"passages": [{"text": "x"}]}, "invalid-record"),
        (
            {"passages": [{"offset": 0, "text": "x", "annotations": [{"text": "x"}]}]},
            "invalid-record",
        ),
        ({"passages": [{"offset": 0, "annotations": [{"locations": [3]}]}]}, "invalid-record"),
    ],
)
def test_broken_json_is_refused(tmp_path: Path, change: dict[str, Any], expected: str) -> None:
    with raises(expected):
        accord.read(one(tmp_path, "d.json", {**json_document(), **change}), format="bioc")


def test_broken_xml_is_refused(tmp_path: Path) -> None:
    with raises("invalid-record", "d.xml:1"):
        accord.read(one(tmp_path, "d.xml", xml(annotation("<location offset='a' length='1'/>", "x", type="X"))))


def test_samples_of_bioc_are_read_or_refused(corpora: Path) -> None:
    folder = corpora / "native-samples" / "bioc"
    assert len(variables(folder / "example-with-sentences-ref.xml")["type"]) == 2
    with raises("invalid-record", '"annotation text"'):  # the passage does not contain this text
        accord.read(folder / "example-with-text-in-passage.xml")


@pytest.mark.parametrize("wrap", [lambda doc: {"documents": [doc]}, lambda doc: doc, lambda doc: [doc]])
def test_annotations_of_a_json_document_are_read(tmp_path: Path, wrap: Any) -> None:
    """With a location, they are units. Without one, they are labels of the document."""
    passage = {"offset": 0, "text": FIRST, "infons": {}, "annotations": [{"infons": {"type": "Z"}, "locations": []}]}
    for who, label in (("ana", "relevant"), ("ben", "irrelevant")):
        span = {"infons": {"type": "X"}, "text": "small", "locations": [{"offset": 4, "length": 5}]}
        whole = [{"infons": {"topic": label}}, {"infons": {"topic": label}, "locations": []}, {"infons": {}}]
        one(tmp_path, f"{who}.json", wrap({"id": "d1", "passages": [passage], "annotations": [span, *whole]}))
    found = variables(tmp_path)
    assert units(found["type"]) == [("d1", "ana", 4, 9, "X"), ("d1", "ben", 4, 9, "X")]
    assert labels(found["topic"]) == {("d1", "ana"): "relevant", ("d1", "ben"): "irrelevant"}
    assert told(found["type"], "2 annotations of passages without a location")
    assert told(found["type"], "2 annotations without a type")


def test_annotations_of_an_xml_document_are_read(tmp_path: Path) -> None:
    def document(*whole: str) -> str:
        return xml(annotation("", "small", type="Z")).replace("<relation id='R1'/>", "".join(whole))

    ana = document(
        annotation(located(4, 5), "small", type="X"), annotation("", "", topic="a"), annotation("", "", topic="b")
    )
    written(tmp_path, {"ana.xml": ana, "ben.xml": document(annotation("", "", topic="a"))})
    found = variables(tmp_path)
    assert units(found["type"]) == [("d1", "ana", 4, 9, "X")]
    assert labels(found["topic"]) == {("d1", "ana"): "a|b", ("d1", "ben"): "a"}
    assert told(found["type"], "2 annotations of passages without a location")
