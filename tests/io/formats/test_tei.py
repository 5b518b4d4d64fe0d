"""TEI: spans on words with ids, and exports of CATMA."""

from __future__ import annotations

from pathlib import Path

import accord

from ...refusals import raises
from .common import one, told, units, variables, written

WORDS = (
    '<text><body><p xml:id="p1"><w xml:id="w1">One</w> <w xml:id="w2">small</w> <w xml:id="w3">text</w></p>{}'
    "</body></text>"
)


def tei(stand_off: str = "", inside: str = "", header: str = "") -> str:
    return (
        f'<?xml version="1.0"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>{header}</teiHeader>'
        f"{WORDS.format(inside)}<standOff>{stand_off}</standOff></TEI>"
    )


def test_spans_name_their_annotators(tmp_path: Path) -> None:
    groups = (
        '<interp xml:id="q" type="act">question</interp><interp xml:id="a" type="act">answer</interp>'
        '<spanGrp type="act" resp="#ana"><span from="#w1" to="#w2" ana="#q"/><span target="#w3" ana="#a"/></spanGrp>'
        '<spanGrp type="act" resp="#ben"><span target="#w1 #w2" ana="#q"/><span target="#w1 #w3" ana="#a"/>'
        '<span from="#gone" ana="#q"/><span from="#w1"/></spanGrp>'
        '<spanGrp type="tone"><span resp="ana" from="string-range(//p[@xml:id=\'p1\'], 4, 5)" ana="#loud"/>'
        '<span resp="ana" from="string-range(//p[@xml:id=\'p1\'], 4, 50)" ana="#loud"/></spanGrp>'
    )
    found = variables(one(tmp_path, "d.xml", tei(groups)))
    assert units(found["act"]) == [
        ("d", "ana", 0, 9, "question"), ("d", "ana", 10, 14, "answer"),
        ("d", "ben", 0, 3, "answer"), ("d", "ben", 0, 9, "question"), ("d", "ben", 10, 14, "answer"),
    ]  # fmt: skip
    assert units(found["tone"]) == [("d", "ana", 4, 9, "loud")]
    assert found["act"].annotators == ("ana", "ben")  # no annotator is named after the file
    assert told(found["act"], "2 spans whose target is not in the file")
    assert told(found["act"], "1 spans without a label")
    assert told(found["act"], "1 span in several pieces")


def test_files_with_inline_spans_are_annotators_of_the_same_text(tmp_path: Path) -> None:
    """Annotations inside the text are not part of the text, so both files contain the same document."""
    files = {f"{who}/d.xml": tei(inside=f'<spanGrp type="act"><span from="#w2">{value}</span></spanGrp>')
             for who, value in (("ana", "long words"), ("ben", "short"))}  # fmt: skip
    data = accord.read(written(tmp_path, files))
    assert units(data) == [("d", "ana", 4, 9, "long words"), ("d", "ben", 4, 9, "short")]
    assert data.texts["d"].strip() == "One small text"


def test_tags_of_catma_are_read(tmp_path: Path) -> None:
    text = "A 😀 small text"
    export = (
        '<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><encodingDesc><fsdDecl>'
        '<fsDecl xml:id="T1" type="T1"><fsDescr>Time</fsDescr></fsDecl></fsdDecl></encodingDesc></teiHeader>'
        "<text><body>"
        '<ab type="catma"><seg ana="#A1"><ptr target="catma://D1#char=5,10" type="inclusion"/></seg>'
        '<seg ana="#gone"><ptr target="catma://D1#char=0,1" type="inclusion"/></seg></ab></body>'
        '<fs xml:id="A1" type="T1"><f name="catma_markupauthor"><string>ana</string></f></fs></text></TEI>'
    )
    one(tmp_path, "d.txt", text)
    data = accord.read(one(tmp_path, "d.xml", export))
    assert units(data) == [("d", "ana", 4, 9, "Time")]
    assert told(data, "1 segments whose tag or position is not in the file")


def test_broken_files_are_refused(tmp_path: Path) -> None:
    with raises("file-damaged", "d.xml:2"):
        accord.read(one(tmp_path, "d.xml", tei()[:-4]))
    with raises("nothing-annotated"):
        accord.read(one(tmp_path, "e.xml", tei()))


def test_samples_of_the_specification_are_read(corpora: Path) -> None:
    folder = corpora / "native-samples" / "tei-standoff"
    assert len(accord.read(folder / "SampleMAFstdf.xml")) == 6
    with raises("nothing-annotated"):
        accord.read(folder / "NERD-Example-draft.xml")


def test_groups_of_annotations_name_their_annotator(tmp_path: Path) -> None:
    groups = (
        '<annotationGrp resp="#ana"><spanGrp type="act"><span target="#w1" ana="#q"/></spanGrp></annotationGrp>'
        '<annotationGrp resp="#ben" type="act"><annotation target="#w1" ana="#q"/><annotation target="#w3" ana="#a"/>'
        "</annotationGrp><annotationGrp><nbest>false</nbest></annotationGrp>"
    )
    found = variables(one(tmp_path, "d.xml", tei(groups)))["act"]
    assert units(found) == [("d", "ana", 0, 3, "q"), ("d", "ben", 0, 3, "q"), ("d", "ben", 10, 14, "a")]
    assert told(found, "1 groups of annotations without spans")
