"""Reading texts that annotators changed: files of every kind, tables, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import accord
from accord.io.annotated_text import conllu, cora_xml, plain_text, tabular

CORA = """<text id="1"><token id="t1" trans="in#dem"><mod id="m1" trans="in#dem"><pos tag="APPR"/></mod></token>
<token id="t2" trans="hu|s"><mod id="m2" trans="hu|s"><pos tag="NA"/><lemma tag="hus"/></mod></token></text>"""


def write(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content, encoding="utf-8")
    return folder


def test_cora_xml_has_tokens_texts_and_features(tmp_path: Path) -> None:
    version = cora_xml(write(tmp_path, a__xml=CORA) / "a.xml")
    assert version.text == "in dem hus"
    assert [version.text[a:b] for a, b in zip(version.start, version.end, strict=True)] == ["in dem", "hus"]
    assert version.features == {"pos": ["APPR", "NA"], "lemma": [None, "hus"]}


def test_the_sample_of_the_original_tool_is_read(corpora: Path) -> None:
    version = cora_xml(corpora / "native-samples" / "cora-xml" / "cora_ren.xml")
    assert version.text.startswith("¶ De hystorie van der duldicheyt")
    assert version.features["pos"][1] == "DDARTA"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("<text><mod trans='a'>", "broken XML"),
        ("<text><p/></text>", "is it CorA-XML"),
        ("<text><mod/></text>", "without trans"),
        ('<!DOCTYPE t [<!ENTITY e "x">]><text><mod trans="&e;"/></text>', "document type"),
    ],
)
def test_bad_xml_is_refused_in_one_line(tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(accord.DataError, match=words):
        cora_xml(write(tmp_path, a__xml=content) / "a.xml")


def test_conllu_keeps_spaces_and_tags(tmp_path: Path) -> None:
    rows = ["1\tdon\tdo\tAUX\tVB\t_\t0\troot\t_\tSpaceAfter=No", "2\t't\tnot\tPART\tRB\t_\t1\tadvmod\t_\t_", "", ""]
    version = conllu(write(tmp_path, a__conllu="\n".join(rows)) / "a.conllu")
    assert version.text == "don't"
    assert version.features["upos"] == ["AUX", "PART"]


def test_tabular_conll_names_the_line_of_a_short_row(tmp_path: Path) -> None:
    assert tabular(write(tmp_path, a__conll="a DT\nb NN\n\nc VB\n") / "a.conll").text == "a b c"
    with pytest.raises(accord.DataError, match=r"a\.conll:2"):
        tabular(write(tmp_path, a__conll="a DT\nb\n") / "a.conll")


def test_words_of_a_plain_text_are_tokens(tmp_path: Path) -> None:
    version = plain_text(write(tmp_path, a__txt="the  cat\nthe end") / "a.txt")
    assert [version.text[a:b] for a, b in zip(version.start, version.end, strict=True)] == ["the", "cat", "the", "end"]


def test_a_folder_of_annotators_has_documents_and_a_pre_annotation(tmp_path: Path) -> None:
    for who, text in {"Ana": "de hystorie", "Ben": "de historie", "base": "de historie"}.items():
        (tmp_path / who).mkdir()
        write(tmp_path / who, one__txt=text, two__txt=text + " van")
    texts = accord.read(tmp_path, layout="texts")
    assert (texts.docs, texts.annotators, texts.has_base) == (("one", "two"), ("Ana", "Ben"), True)
    assert accord.text_gamma(texts, seed=1).observed > 0


def test_document_and_annotator_in_the_name_of_a_file(tmp_path: Path) -> None:
    write(tmp_path, one__Ana__txt="a b", one__Ben__txt="a c", two__Ana__txt="d", two__Ben__txt="d")
    texts = accord.read(tmp_path, layout="texts")
    assert (texts.docs, texts.annotators) == (("one", "two"), ("Ana", "Ben"))


def test_a_table_of_texts_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("doc,annotator,text\nd,A,a b\nd,B,a c\nd,,lost\n", encoding="utf-8")
    texts = accord.read(path)
    assert isinstance(texts, accord.Texts)
    assert "1 row without annotator left out" in texts.notes


def test_tokens_and_texts_in_memory() -> None:
    columns = {"annotator": ["A", "A", "B"], "start": [0, 4, 0], "end": [3, 7, 7], "pos": ["D", "N", "N"]}
    texts = accord.read(columns, texts={"A": "the cat", "B": "thecat!"})
    assert isinstance(texts, accord.Texts)
    with pytest.raises(accord.SpecError, match="texts is"):
        accord.read(columns, texts=["the cat"])


def test_the_command_line_scores_and_shows_texts_side_by_side(tmp_path: Path) -> None:
    write(tmp_path, Ana__txt="De hystorie van der", Ben__txt="De historie vander")
    program = str(Path(sys.executable).parent / "accord")
    wanted = {"score": "segmentation", "align": "h[y]storie"}
    for command, words in wanted.items():
        asked = [program, command, str(tmp_path), "-m", "text_gamma", *(["--by", "kind"] if command == "score" else [])]
        shown = subprocess.run(asked, capture_output=True, text=True, check=True)  # noqa: S603
        assert words in shown.stdout
