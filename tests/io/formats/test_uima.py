"""UIMA CAS in XMI and JSON: layers, features, references, chains, sets, views; compared with dkpro-cassis."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.data.io.formats import uima_json, uima_xmi
from accord.data.io.formats.files import File, gather_files
from accord.data.io.formats.layers import STRUCTURE, Types, TypeSystems, Version
from accord.data.io.reading import Reading
from accord.data.model.corpus import Corpus
from accord.data.model.ratings import Ratings

from ...refusals import raises

DECLARED = (
    'xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:tcas="http:///uima/tcas.ecore" '
    'xmlns:custom="http:///webanno/custom.ecore" xmlns:ner="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" '
    'xmlns:seg="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" '
    'xmlns:pos="http:///de/tudarmstadt/ukp/dkpro/core/api/lexmorph/type/pos.ecore" '
    'xmlns:coref="http:///de/tudarmstadt/ukp/dkpro/core/api/coref/type.ecore"'
)
TYPES = """<?xml version="1.0"?><typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>
<typeDescription><name>webanno.custom.Span</name><supertypeName>uima.tcas.Annotation</supertypeName><features>
<featureDescription><name>score</name><rangeTypeName>uima.cas.Integer</rangeTypeName></featureDescription>
<featureDescription><name>to</name><rangeTypeName>uima.tcas.Annotation</rangeTypeName></featureDescription>
<featureDescription><name>tags</name><rangeTypeName>uima.cas.StringArray</rangeTypeName>
<multipleReferencesAllowed>true</multipleReferencesAllowed></featureDescription>
</features></typeDescription></types></typeSystemDescription>"""


def xmi(body: str, text: str = "Ann ran home", members: str | None = None) -> str:
    view = "" if members is None else f'<cas:View sofa="1" members="{members}"/>'
    sofa = f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{text}"/>'
    return f'<xmi:XMI {DECLARED} xmi:version="2.0"><cas:NULL xmi:id="0"/>{body}{sofa}{view}</xmi:XMI>'


def version(folder: Path, content: str, types: str | None = None) -> Version:
    (folder / "d.xmi").write_text(content, encoding="utf-8")
    if types is not None:
        (folder / "TypeSystem.xml").write_text(types, encoding="utf-8")
    files = gather_files([folder])
    mine = next(file for file in files if file.suffix == ".xmi")
    assert uima_xmi.recognises(mine)
    return uima_xmi.version((mine, TypeSystems(files).of(mine)), Reading())


def spans(made: Version) -> list[tuple[str, int, int, dict[str, Any]]]:
    return [(one.layer.rpartition(".")[2], one.start, one.end, one.features) for one in made.spans]


def test_spans_and_features_are_read_and_structure_is_skipped(tmp_path: Path) -> None:
    body = (
        '<seg:Token xmi:id="2" sofa="1" begin="0" end="3" pos="9"/>'
        '<seg:Sentence xmi:id="3" sofa="1" begin="0" end="12"/>'
        '<ner:NamedEntity xmi:id="4" sofa="1" begin="0" end="3" value="PER"/>'
        '<pos:POS_NOUN xmi:id="9" sofa="1" begin="0" end="3" PosValue="NN"/>'
        '<custom:Rel xmi:id="5" sofa="1" begin="0" end="3" Governor="4" Dependent="4" kind="x"/>'
    )
    made = version(tmp_path, xmi(body))
    assert spans(made) == [("NamedEntity", 0, 3, {"value": "PER"}), ("POS", 0, 3, {"PosValue": "NN"})]
    assert made.passed["relations"].count == 1
    assert made.passed["tokens, sentences and other structure of the text"].count == 2


@pytest.mark.parametrize("also", ["", "<!-- aside -->", '<seg:Note xmlns:seg="http:///own.ecore"/>'])
def test_tokens_in_any_notation_are_counted_and_skipped(tmp_path: Path, also: str) -> None:
    tokens = (
        '<seg:Token xmi:id="2" sofa="1" begin="0" end="3"/>\n'
        '<seg:Token xmi:id="3" sofa="1" begin="4" end="7" form="a&gt;b"/>'
        '<seg:Token xmi:id="4"\n sofa="1" begin="8" end="12"><form>home</form></seg:Token>'
        "<seg:Sentence xmi:id='5' sofa='1' begin='0' end='12'/>"
    )
    entity = '\n<ner:NamedEntity xmi:id="6" sofa="1" begin="0" end="3" value="PER"/>'
    made = version(tmp_path, xmi(tokens + also + entity))
    assert [(one.place.rpartition(":")[2], one.features) for one in made.spans] == [("4", {"value": "PER"})]
    assert made.passed["tokens, sentences and other structure of the text"].count == 4
    assert made.text == "Ann ran home"


def test_broken_tokens_are_refused(tmp_path: Path) -> None:
    with raises("file-damaged"):
        version(tmp_path, xmi('<seg:Token xmi:id="2" sofa="1 begin="0" end="3"/>'))


def test_annotations_without_an_index_are_left_out(tmp_path: Path) -> None:
    one = '<ner:NamedEntity xmi:id="{}" sofa="1" begin="0" end="3" value="{}"/>'
    made = version(tmp_path, xmi(one.format(4, "PER") + one.format(5, "ORG"), members="4"))
    assert [features for *_, features in spans(made)] == [{"value": "PER"}]
    assert made.passed["deleted annotations, which are in no index"].count == 1


def test_type_system_distinguishes_numbers_from_references(tmp_path: Path) -> None:
    body = (
        '<custom:Span xmi:id="4" sofa="1" begin="0" end="3" score="5" to="5" tags="7"/>'
        '<custom:Span xmi:id="5" sofa="1" begin="4" end="7" score="4" to="4"/>'
        '<cas:StringArray xmi:id="7"><elements>a</elements><elements>b</elements></cas:StringArray>'
    )
    made = version(tmp_path, xmi(body), TYPES)
    assert spans(made) == [
        ("Span", 0, 3, {"score": "5", "tags": frozenset({"a", "b"})}),
        ("Span", 4, 7, {"score": "4"}),
    ]
    corpus = accord.read(tmp_path, label="Span.score")
    assert isinstance(corpus, Corpus)
    assert corpus.categories.names == ("4", "5")


def test_references_without_a_type_system_are_reported_and_not_labels(tmp_path: Path) -> None:
    body = (
        '<custom:Span xmi:id="4" sofa="1" begin="0" end="3" score="77" to="5"/>'
        '<custom:Span xmi:id="5" sofa="1" begin="4" end="7" score="4" to="4"/>'
    )
    version(tmp_path, xmi(body))
    corpus = accord.read(tmp_path)
    assert corpus.variable == "Span.score"
    assert any("Span.to: its numbers refer to other annotations" in note for note in corpus.notes)


def test_values_in_elements_are_a_set(tmp_path: Path) -> None:
    body = '<custom:Span xmi:id="4" sofa="1" begin="0" end="3"><tags>a</tags><tags>b</tags><one>c</one></custom:Span>'
    assert spans(version(tmp_path, xmi(body))) == [("Span", 0, 3, {"tags": frozenset({"a", "b"}), "one": "c"})]
    assert accord.read(tmp_path, label="Span.tags").categories.names == ("a|b",)


def test_control_characters_of_xml_1_1_keep_their_positions(tmp_path: Path) -> None:
    body = '<custom:Span xmi:id="4" sofa="1" begin="5" end="8" v="x"/>'
    made = version(tmp_path, '<?xml version="1.1" encoding="UTF-8"?>' + xmi(body, "Ann&#1;&#x1F;ran&#9;&#10;x"))
    assert made.text == "Ann��ran\t\nx"
    assert made.text[made.spans[0].start : made.spans[0].end] == "ran"


def test_chains_are_read(tmp_path: Path) -> None:
    link = '<coref:CoreferenceLink xmi:id="{}" sofa="1" begin="{}" end="{}" referenceType="nam" {}/>'
    body = (
        link.format(4, 0, 3, 'next="5"')
        + link.format(5, 4, 7, "")
        + link.format(6, 8, 12, "")
        + '<coref:CoreferenceChain xmi:id="8" sofa="1" first="4"/>'
        + '<coref:CoreferenceChain xmi:id="9" sofa="1" first="6"/>'
    )
    made = version(tmp_path, xmi(body))
    assert [(m.layer.rpartition(".")[2], m.start, m.end, m.chain) for m in made.mentions] == [
        ("Coreference", 0, 3, "1"),
        ("Coreference", 4, 7, "1"),
        ("Coreference", 8, 12, "2"),
    ]
    assert [one[:3] for one in spans(made)] == [("Coreference", 0, 3), ("Coreference", 4, 7), ("Coreference", 8, 12)]


def test_circular_chains_terminate(tmp_path: Path) -> None:
    body = (
        '<coref:CoreferenceLink xmi:id="4" sofa="1" begin="0" end="3" next="4"/>'
        '<coref:CoreferenceChain xmi:id="8" sofa="1" first="4"/>'
    )
    assert len(version(tmp_path, xmi(body)).mentions) == 1


def test_features_of_documents_are_labels_of_items(tmp_path: Path) -> None:
    for who, kind in (("Ana", "news"), ("Ben", "fiction")):
        for doc in ("d1", "d2"):
            (tmp_path / doc).mkdir(exist_ok=True)
            body = f'<custom:Genre xmi:id="4" sofa="1" kind="{kind if doc == "d2" else "news"}"/>'
            (tmp_path / doc / f"{who}.xmi").write_text(xmi(body, f"This is {doc}"), encoding="utf-8")
    ratings = accord.read(tmp_path)
    assert isinstance(ratings, Ratings)
    assert (ratings.variable, ratings.n_items, ratings.annotators) == ("Genre.kind", 2, ("Ana", "Ben"))
    assert accord.percent(ratings).value == 0.5


def test_utf_16_offsets_become_code_points(corpora: Path) -> None:
    made = version_of(corpora / "native-samples/uima-xmi/xmi/cas_with_smileys.xmi")
    assert made.text is not None
    assert {made.text[one.start : one.end] for one in made.spans} == {"PyTorch", "TensorFlow", "Transformers"}
    (emoji,) = gather_files([corpora / "native-samples/uima-json-cas/fs_as_array/ser-ref/casWithEmojiUnicodeTextAndAnnotations/data.json"])  # fmt: skip # noqa: E501
    made = uima_json.version(emoji, Reading())
    assert made.text is not None
    assert [made.text[one.start : one.end] for one in made.spans] == made.text.split()


def version_of(path: Path) -> Version:
    return uima_xmi.version((gather_files([path])[0], Types()), Reading())


def test_labels_of_several_lines_become_one_line(tmp_path: Path) -> None:
    version(tmp_path, xmi('<custom:Span xmi:id="4" sofa="1" begin="0" end="3" note="a&#10;b"/>'))
    corpus = accord.read(tmp_path)
    assert corpus.categories.names == ("a b",)
    assert "1 label with line breaks, read as one line" in corpus.notes


def test_structure_is_read_with_the_label_option(corpora: Path) -> None:
    path = corpora / "native-samples/uima-xmi/xmi/small_cas.xmi"
    with raises("nothing-annotated"):
        accord.read(path)
    corpus = accord.read(path, label="Token.pos")
    assert len(corpus) == 11


def test_layers_with_the_same_short_name_keep_their_full_names(tmp_path: Path) -> None:
    body = (
        '<custom:NamedEntity xmi:id="4" sofa="1" begin="0" end="3" value="x"/>'
        '<ner:NamedEntity xmi:id="5" sofa="1" begin="0" end="3" value="PER"/>'
    )
    version(tmp_path, xmi(body))
    assert accord.read(tmp_path, label="webanno.custom.NamedEntity.value").categories.names == ("x",)


CAS = {
    "%TYPES": {
        "webanno.custom.Span": {
            "%NAME": "webanno.custom.Span",
            "%SUPER_TYPE": "uima.tcas.Annotation",
            "v": {"%NAME": "v", "%RANGE": "uima.cas.String"},
        }
    },
    "%FEATURE_STRUCTURES": [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": "Ann ran"},
        {"%ID": 2, "%TYPE": "webanno.custom.Span", "@sofa": 1, "begin": 0, "end": 3, "v": "x", "ok": True, "n": 2},
        {"%ID": 3, "%TYPE": "webanno.custom.Span", "@sofa": 1, "begin": 4, "end": 7, "@tags": 4, "@to": 2},
        {"%ID": 4, "%TYPE": "uima.cas.StringArray", "%ELEMENTS": ["a", "b"]},
    ],
    "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": [2, 3]}},
}


def json_version(folder: Path, content: object) -> Version:
    (folder / "d.json").write_text(json.dumps(content), encoding="utf-8")
    (file,) = gather_files([folder / "d.json"])
    return uima_json.version(file, Reading())


def test_json_is_read(tmp_path: Path) -> None:
    made = json_version(tmp_path, CAS)
    assert spans(made) == [
        ("Span", 0, 3, {"v": "x", "ok": "true", "n": "2"}),
        ("Span", 4, 7, {"tags": frozenset({"a", "b"})}),
    ]
    assert uima_json.recognises(gather_files([tmp_path / "d.json"])[0])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"%TYPES": [], "%FEATURE_STRUCTURES": []}, "invalid-record"),
        ({"%FEATURE_STRUCTURES": 5}, "invalid-record"),
        ({"%FEATURE_STRUCTURES": ["x"]}, "invalid-record"),
        ({"%FEATURE_STRUCTURES": [{"%ID": 1}]}, "invalid-record"),
        ({"%FEATURE_STRUCTURES": [{"%TYPE": "a.B", "@sofa": 1, "begin": "x", "end": 3}]}, "invalid-record"),
        (
            {"%FEATURE_STRUCTURES": [{"%TYPE": "a.B", "@sofa": 1, "begin": 1, "end": 3, "v": {}}]},
            "invalid-record",
        ),
        ({"%FEATURE_STRUCTURES": [], "%VIEWS": {"v": {"%MEMBERS": 3}}}, "invalid-record"),
        ({"%FEATURE_STRUCTURES": [{"%TYPE": "uima.cas.Sofa", "sofaString": 3}]}, "invalid-record"),
    ],
)
def test_damaged_json_is_refused(tmp_path: Path, content: object, expected: str) -> None:
    with raises(expected):
        json_version(tmp_path, content)


def test_json_of_uima_2_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text('{"_context" : {"_types" : {}}, "_views" : {}}', encoding="utf-8")
    with raises("export-not-usable"):
        accord.read(tmp_path / "d.json")


@pytest.mark.parametrize("offsets", ['begin="x" end="3"', 'begin="0.5" end="3"', 'begin="0" end="NaN"'])
def test_invalid_offsets_are_refused(tmp_path: Path, offsets: str) -> None:
    with raises("invalid-record", "d.xmi:1"):
        version(tmp_path, xmi(f'<custom:Span xmi:id="4" sofa="1" {offsets}/>'))


def samples(corpora: Path, *endings: str) -> Iterator[File]:
    for folder in ("uima-xmi/xmi", "uima-json-cas", "webanno-tsv/tsv3-suite"):
        yield from (f for f in gather_files([corpora / "native-samples" / folder]) if f.suffix in endings)


@pytest.mark.filterwarnings("ignore:Type with name:UserWarning")  # cassis leaves out types that its type system lacks
def test_named_entities_equal_those_of_cassis(corpora: Path) -> None:
    """Named entities of all samples have the positions and values that dkpro-cassis reads."""
    cassis = pytest.importorskip("cassis", reason="dkpro-cassis is not installed")
    types = cassis.load_typesystem(
        (corpora / "native-samples/uima-xmi/typesystems/inception_typesystem.xml").read_text(encoding="utf-8")
    )
    compared = 0
    for file in samples(corpora, ".xmi"):
        if b":NamedEntity" not in file.bytes():
            continue
        cas = cassis.load_cas_from_xmi(file.bytes().decode(), typesystem=types, lenient=True)
        theirs = sorted(
            (one.type.name.rpartition(".")[2], one.begin, one.end, one.value)
            for one in cas.select("uima.tcas.Annotation")
            if one.type.name.rpartition(".")[2] == "NamedEntity"
        )
        ours = sorted(
            ("NamedEntity", one.start, one.end, one.features.get("value"))
            for one in uima_xmi.version((file, Types()), Reading()).spans
            if one.layer.endswith("ner.type.NamedEntity")
        )
        assert ours == theirs, file.name
        compared += len(ours)
    assert compared > 100


def test_json_spans_equal_those_of_cassis(corpora: Path) -> None:
    cassis = pytest.importorskip("cassis", reason="dkpro-cassis is not installed")
    compared = 0
    for file in samples(corpora, ".json"):
        raw = file.bytes().decode()
        cas = cassis.load_cas_from_json(raw)
        theirs = sorted(
            (one.type.name, one.begin, one.end)
            for one in cas.select("uima.tcas.Annotation")
            if one.type.name.rpartition(".")[2] not in STRUCTURE
            and "begin" in raw  # cassis gives 0 for a missing begin
        )
        ours = sorted((one.layer, one.start, one.end) for one in uima_json.version(file, Reading()).spans)
        assert ours == theirs, file.name
        compared += len(ours)
    assert compared > 20
